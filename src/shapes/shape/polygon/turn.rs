//! Exact predicates: the turn of three points, and the order of two points.

use std::cmp::Ordering;

use glam::Vec2;
use robust::{Coord, orient2d};

use crate::simd::map_each;

/// Which side of the directed line from `a` to `b` the point `c` lies on: `Greater` is to the left.
/// Exact for all finite points.
pub(super) fn turn(a: Vec2, b: Vec2, c: Vec2) -> Ordering {
    let [a, b, c] =
        map_each([a, b, c], |point: Vec2| Coord { x: f64::from(point.x), y: f64::from(point.y) });
    compare(orient2d(a, b, c), 0.0)
}

/// The vector from `a` to `b`.
pub(super) fn way(a: Vec2, b: Vec2) -> [f64; 2] {
    [f64::from(b.x) - f64::from(a.x), f64::from(b.y) - f64::from(a.y)]
}

/// The order from left to right, then upwards. The points contain no NaN.
pub(super) fn order(a: Vec2, b: Vec2) -> Ordering {
    compare(a.x, b.x).then(compare(a.y, b.y))
}

/// Compares numbers that are not NaN.
pub(super) fn compare<T: PartialOrd>(a: T, b: T) -> Ordering {
    a.partial_cmp(&b).unwrap_or(Ordering::Equal)
}
