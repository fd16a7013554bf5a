//! The ends of bounding boxes.

use crate::shape::RoundedBox;

/// The box around a shape, radius included, as its lower and upper ends along x and along y.
#[inline(always)]
pub(crate) fn ends(shape: RoundedBox) -> [[f64; 2]; 2] {
    let RoundedBox { min_x, min_y, max_x, max_y, radius } = shape;
    let both = |min: f32, max: f32| {
        [f64::from(min) - f64::from(radius), f64::from(max) + f64::from(radius)]
    };
    [both(min_x, max_x), both(min_y, max_y)]
}
