//! The smallest boxes of `f32` sides around shapes, for callers.
//!
//! The grid uses boxes with a slack (`posed/placed.rs`), which vectors compute in a few operations.
//! The boxes here are of the corners that exact arithmetic uses, rounded outwards.

use super::exact::{Core, ExactShape, Vertices};
use crate::{
    posed::{Placed, PosedShapes, ShapeClass, sum},
    shape::{MAX_COORDINATE, RoundedBox},
    simd::map_each,
};

/// The smallest rounded box around a row: the shape itself if it is axis-aligned, else with the
/// radius of the shape, and for compounds without a radius.
pub(crate) fn smallest_box(shapes: &PosedShapes, row: usize) -> RoundedBox {
    let (records, placed) = (shapes.placed(), shapes.placed().rows[row]);
    if placed.class() != ShapeClass::Compound {
        return smallest_around(&ExactShape {
            own: shapes.own_row(&placed, row),
            ..ExactShape::plain(placed)
        });
    }
    let (first, count) = placed.parts();
    let mut sides = BoxSides::NONE;
    for part in first..first + count {
        let placed = records.parts[part];
        let exact = ExactShape { own: Some(shapes.own_part(part)), ..ExactShape::plain(placed) };
        sides.add_corners(&exact, placed.radius());
    }
    sides.rounded_outwards(0.0)
}

/// The smallest rounded box around a placed shape that is not a compound.
pub(crate) fn smallest_around(shape: &ExactShape<'_>) -> RoundedBox {
    let placed: &Placed = &shape.placed;
    if placed.class().is_axis_aligned() || placed.is(ShapeClass::HalfPlane) {
        return placed.bounds(&[]);
    }
    let mut sides = BoxSides::NONE;
    sides.add_corners(shape, 0.0);
    sides.rounded_outwards(placed.radius())
}

/// The sides of a box, each as a sum of two numbers: the second is the rounding error of the first.
struct BoxSides {
    min: [[f64; 2]; 2],
    max: [[f64; 2]; 2],
}

impl BoxSides {
    const NONE: Self = Self { min: [[f64::INFINITY, 0.0]; 2], max: [[f64::NEG_INFINITY, 0.0]; 2] };

    fn add_corners(&mut self, shape: &ExactShape<'_>, radius: f32) {
        for corner in Core::of(shape).corners() {
            self.add(corner, radius);
        }
    }

    /// Includes a disc.
    fn add(&mut self, center: [f64; 2], radius: f32) {
        let radius = f64::from(radius);
        for ((min, max), at) in self.min.iter_mut().zip(&mut self.max).zip(center) {
            let (below, above) = (sum(at, -radius), sum(at, radius));
            if below < *min {
                *min = below;
            }
            if *max < above {
                *max = above;
            }
        }
    }

    fn rounded_outwards(&self, radius: f32) -> RoundedBox {
        let [min_x, min_y] = map_each(self.min, below);
        let [max_x, max_y] = map_each(self.max, |[side, error]| -below([-side, -error]));
        RoundedBox { min_x, min_y, max_x: max_x + 0.0, max_y: max_y + 0.0, radius }
    }
}

/// The largest `f32` that is not above a side, within the range of coordinates, which a rotated
/// corner may exceed by a rounding.
fn below([side, error]: [f64; 2]) -> f32 {
    let near = side as f32;
    let above = f64::from(near) > side || f64::from(near) == side && error < 0.0;
    let below = if above { near.next_down() } else { near };
    below.clamp(-MAX_COORDINATE, MAX_COORDINATE) + 0.0
}
