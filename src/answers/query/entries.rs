//! `Entries`: where eight rays enter a shape each, exactly.

use super::packet::PACKET;
use crate::{
    base::UNDERFLOW,
    geometry::{Path, Vector},
    kernel::{BoxColumns, RoundedColumns},
    simd::Simd,
};

/// Eight rays, and an axis-aligned shape for each, in columns of `f64`.
///
/// Plain loops over arrays, with no branches: compiled for a SIMD level, they become vector code.
/// All loops are over `f64`. A loop that also reads `f32` has masks of two sizes, and took twice as
/// long.
pub(super) struct Entries {
    pub(super) origin: [[f64; PACKET]; 2],
    pub(super) direction: [[f64; PACKET]; 2],
    pub(super) limit: [f64; PACKET],
    pub(super) end: [[f64; PACKET]; 2],
    /// Left and lower sides, radii, right and upper sides.
    shapes: [[f64; PACKET]; 5],
}

impl Entries {
    pub(super) const NONE: Self = Self {
        origin: [[0.0; PACKET]; 2],
        direction: [[0.0; PACKET]; 2],
        limit: [0.0; PACKET],
        end: [[0.0; PACKET]; 2],
        shapes: [[0.0; PACKET]; 5],
    };

    /// Replaces the shapes by shapes at some places.
    #[inline(always)]
    pub(super) fn see<S: Simd>(
        &mut self,
        simd: S,
        shapes: RoundedColumns<'_>,
        places: &[u32; PACKET],
        circles: bool,
    ) {
        const { assert!(PACKET.is_multiple_of(S::LANES), "a packet is whole vectors") };
        let RoundedColumns { core: BoxColumns { min_x, min_y, max_x, max_y }, radius } = shapes;
        let mut values = [[0.0; PACKET]; 5];
        let columns = [min_x, min_y, radius, max_x, max_y];
        // Circles have no other sides.
        let used = if circles { 3 } else { 5 };
        for (values, column) in values.iter_mut().zip(columns).take(used) {
            for at in (0..PACKET).step_by(S::LANES) {
                simd.store(simd.gather(column, places, at), values, at);
            }
        }
        for (wide, values) in self.shapes.iter_mut().zip(&values) {
            for (wide, value) in wide.iter_mut().zip(values) {
                *wide = f64::from(*value);
            }
        }
    }

    #[inline(always)]
    fn path(&self, lane: usize) -> Path {
        let vector = |[x, y]: &[[f64; PACKET]; 2]| Vector::new(x[lane], y[lane]);
        let (origin, direction) = (vector(&self.origin), vector(&self.direction));
        let (length2, end) = (direction.length2(), vector(&self.end));
        Path { origin, direction, length2, limit: self.limit[lane], end }
    }

    #[inline(always)]
    fn min(&self, lane: usize) -> Vector {
        Vector::new(self.shapes[0][lane], self.shapes[1][lane])
    }

    #[inline(always)]
    fn max(&self, lane: usize) -> Vector {
        Vector::new(self.shapes[3][lane], self.shapes[4][lane])
    }

    /// Whether a shape is a circle that is not tiny.
    #[inline(always)]
    fn is_circle(&self, lane: usize) -> bool {
        let (min, max) = (self.min(lane), self.max(lane));
        let normal = self.shapes[2][lane] >= f64::from(UNDERFLOW);
        (min.x == max.x) & (min.y == max.y) & normal
    }

    /// Whether a shape is a box with a width and a height, and without a radius.
    #[inline(always)]
    fn is_box(&self, lane: usize) -> bool {
        let (min, max) = (self.min(lane), self.max(lane));
        (min.x < max.x) & (min.y < max.y) & (self.shapes[2][lane] == 0.0)
    }

    /// The fraction at which each ray enters its shape, or infinity if it misses the shape. NaN
    /// where that is not known: for boxes that it does not clearly hit, and for other shapes. If
    /// all shapes are `circles` with a radius, it is always known.
    ///
    /// Where fractions are above 0, `normals` get the normals there by axis, of which the normal at
    /// the centre of a circle is no number.
    #[inline(always)]
    pub(super) fn fractions(
        &self,
        circles: bool,
        normals: Option<&mut [[f64; PACKET]; 2]>,
    ) -> [f64; PACKET] {
        let mut fractions = [0.0; PACKET];
        for (lane, fraction) in fractions.iter_mut().enumerate() {
            let (center, radius) = (self.min(lane), self.shapes[2][lane]);
            *fraction = self.path(lane).fraction_or_infinity(center, radius);
        }
        let (mut of_boxes, mut sides) = ([0.0; PACKET], [[0.0; PACKET]; 2]);
        if !circles {
            for lane in 0..PACKET {
                let (min, max) = (self.min(lane), self.max(lane));
                let (fraction, normal) = self.path(lane).crossing_of_box(min, max);
                of_boxes[lane] = fraction;
                (sides[0][lane], sides[1][lane]) = (normal.x, normal.y);
            }
        }
        if let Some([x, y]) = normals {
            for lane in 0..PACKET {
                let outward = self.path(lane).at(fractions[lane]) - self.min(lane);
                let normal = outward / outward.length();
                (x[lane], y[lane]) = (normal.x, normal.y);
            }
            if !circles {
                for lane in 0..PACKET {
                    let is_box = self.is_box(lane);
                    x[lane] = if is_box { sides[0][lane] } else { x[lane] };
                    y[lane] = if is_box { sides[1][lane] } else { y[lane] };
                }
            }
        }
        if !circles {
            for lane in 0..PACKET {
                let other = if self.is_box(lane) { of_boxes[lane] } else { f64::NAN };
                fractions[lane] = if self.is_circle(lane) { fractions[lane] } else { other };
            }
        }
        fractions
    }

    /// The point at the fraction of each ray.
    #[inline(always)]
    pub(super) fn points(&self, fractions: &[f64; PACKET]) -> [[f64; PACKET]; 2] {
        let mut points = [[0.0; PACKET]; 2];
        for lane in 0..PACKET {
            let point = self.path(lane).at(fractions[lane]);
            (points[0][lane], points[1][lane]) = (point.x, point.y);
        }
        points
    }
}
