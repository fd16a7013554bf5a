//! Pairs with their distances.

use crate::{Pair, shape::RoundedBox};

/// Two shapes near each other.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Near {
    pub(crate) pair: Pair,
    pub(crate) distance: f32,
}

/// The distance between the surfaces of two axis-aligned shapes, computed in `f64`; 0 if they
/// touch.
#[inline]
pub(crate) fn box_distance(a: RoundedBox, b: RoundedBox) -> f32 {
    let beyond = |min: f32, max: f32| f64::from(min) - f64::from(max);
    let gap = |a_min: f32, a_max: f32, b_min: f32, b_max: f32| {
        beyond(b_min, a_max).max(beyond(a_min, b_max)).max(0.0)
    };
    let x = gap(a.min_x, a.max_x, b.min_x, b.max_x);
    let y = gap(a.min_y, a.max_y, b.min_y, b.max_y);
    let radii = f64::from(a.radius) + f64::from(b.radius);
    ((x * x + y * y).sqrt() - radii).max(0.0) as f32
}
