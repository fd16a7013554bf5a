//! `Entries`: where eight rays enter a shape each, exactly.

use super::packet::PACKET;
use crate::{
    geometry::{Path, Vector},
    grid::NORMAL_RADIUS,
    kernel::columns::{BoxColumns, RoundedColumns},
    simd::map_each,
};

/// Eight rays, and an axis-aligned shape for each, in columns of `f64`.
///
/// Plain loops over arrays, with no branches: compiled for a SIMD level, they become vector code.
/// All of them are loops over `f64`. A loop that also reads `f32` has masks of two sizes, and took
/// twice as long.
pub(super) struct Entries {
    pub(super) origin: [[f64; PACKET]; 2],
    pub(super) direction: [[f64; PACKET]; 2],
    pub(super) limit: [f64; PACKET],
    /// Left and lower sides, radii, right and upper sides.
    shapes: [[f64; PACKET]; 5],
}

impl Entries {
    pub(super) const NONE: Self = Self {
        origin: [[0.0; PACKET]; 2],
        direction: [[0.0; PACKET]; 2],
        limit: [0.0; PACKET],
        shapes: [[0.0; PACKET]; 5],
    };

    /// Replaces the shapes by shapes at some places. Returns the complements of their rows, which
    /// are in `ids`. If all shapes are `circles`, only these are read.
    #[inline(always)]
    pub(super) fn see(
        &mut self,
        shapes: RoundedColumns<'_>,
        ids: &[u32],
        places: impl Fn(usize) -> usize,
        circles: bool,
    ) -> [u32; PACKET] {
        let RoundedColumns { core: BoxColumns { min_x, min_y, max_x, max_y }, radius } = shapes;
        // One check of bounds for all columns.
        let ids = &ids[..min_x.len()];
        let columns = map_each([min_x, min_y, radius, max_x, max_y], |column| &column[..ids.len()]);
        let (mut values, mut seen) = ([[0.0; PACKET]; 5], [0; PACKET]);
        let used = if circles { 3 } else { 5 };
        for lane in 0..PACKET {
            let place = places(lane);
            for (values, column) in values.iter_mut().zip(&columns[..used]) {
                values[lane] = column[place];
            }
            seen[lane] = ids[place];
        }
        for (wide, values) in self.shapes.iter_mut().zip(&values) {
            for (wide, value) in wide.iter_mut().zip(values) {
                *wide = f64::from(*value);
            }
        }
        seen
    }

    #[inline(always)]
    fn path(&self, lane: usize) -> Path {
        let Self { origin: [x, y], direction: [dx, dy], limit, .. } = self;
        Path::new(Vector::new(x[lane], y[lane]), Vector::new(dx[lane], dy[lane]), limit[lane])
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
        let normal = self.shapes[2][lane] >= f64::from(NORMAL_RADIUS);
        (min.x == max.x) & (min.y == max.y) & normal
    }

    /// Whether a shape is a box with a width and a height, and without a radius.
    #[inline(always)]
    fn is_box(&self, lane: usize) -> bool {
        let (min, max) = (self.min(lane), self.max(lane));
        (min.x < max.x) & (min.y < max.y) & (self.shapes[2][lane] == 0.0)
    }

    /// The fraction at which each ray enters its shape, or infinity if it misses the shape. NaN
    /// where that is not known: for boxes that it does not clearly hit, and for other shapes. If all
    /// shapes are `circles` with a radius, it is always known.
    #[inline(always)]
    pub(super) fn fractions(&self, circles: bool) -> [f64; PACKET] {
        let mut fractions = [0.0; PACKET];
        for lane in 0..PACKET {
            let radius = self.shapes[2][lane];
            fractions[lane] = self.path(lane).fraction_or_infinity(self.min(lane), radius);
        }
        if circles {
            return fractions;
        }
        let mut of_boxes = [0.0; PACKET];
        for lane in 0..PACKET {
            of_boxes[lane] = self.path(lane).fraction_at_box(self.min(lane), self.max(lane));
        }
        for lane in 0..PACKET {
            let other = if self.is_box(lane) { of_boxes[lane] } else { f64::NAN };
            fractions[lane] = if self.is_circle(lane) { fractions[lane] } else { other };
        }
        fractions
    }

    /// The normals where rays enter their shapes at fractions above 0, by axis: those of
    /// [`RayEntry`](crate::geometry::RayEntry). No number at the centre of a circle.
    #[inline(always)]
    pub(super) fn normals(&self, fractions: &[f64; PACKET], circles: bool) -> [[f64; PACKET]; 2] {
        let mut normals = [[0.0; PACKET]; 2];
        for lane in 0..PACKET {
            let outward = self.path(lane).at(fractions[lane]) - self.min(lane);
            let normal = outward / outward.length();
            (normals[0][lane], normals[1][lane]) = (normal.x, normal.y);
        }
        if circles {
            return normals;
        }
        for lane in 0..PACKET {
            let of_box = self.path(lane).normal_of_box(self.min(lane), self.max(lane));
            let is_box = self.is_box(lane);
            normals[0][lane] = if is_box { of_box.x } else { normals[0][lane] };
            normals[1][lane] = if is_box { of_box.y } else { normals[1][lane] };
        }
        normals
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
