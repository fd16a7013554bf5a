//! Pairs with their distances.

use super::{separation::distance_of_boxes, vector::Vector};
use crate::{Pair, shape::RoundedBox};

/// Two shapes near each other.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Near {
    pub(crate) pair: Pair,
    pub(crate) distance: f32,
}

/// The distance between the surfaces of two axis-aligned shapes; 0 if they touch.
#[inline]
pub(crate) fn box_distance(a: RoundedBox, b: RoundedBox) -> f32 {
    let ends = |sides: &RoundedBox| {
        let RoundedBox { min_x, min_y, max_x, max_y, .. } = *sides;
        [Vector::wide([min_x, min_y]), Vector::wide([max_x, max_y])]
    };
    let radius = f64::from(a.radius) + f64::from(b.radius);
    distance_of_boxes(ends(&a), ends(&b), radius) as f32
}
