//! Exact predicates: the turn of three points, and the order of two points.

use std::cmp::Ordering;

use glam::Vec2;

/// Which side of the directed line from `a` to `b` the point `c` lies on: `Greater` is to the left.
pub(super) fn turn(a: Vec2, b: Vec2, c: Vec2) -> Ordering {
    let ([ux, uy], [vx, vy]) = (way(a, b), way(a, c));
    let (ahead, behind) = (ux * vy, uy * vx);
    // Rounding never reverses the order of two products, it can only make them equal. The rounding
    // error of each product is an `f64` too, and a fused multiply-add computes it.
    compare(ahead, behind).then_with(|| compare(ux.mul_add(vy, -ahead), uy.mul_add(vx, -behind)))
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
