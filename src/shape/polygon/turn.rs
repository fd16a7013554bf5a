//! Exact predicates: how three points turn, and which of two points comes first.

use std::cmp::Ordering;

use glam::Vec2;

/// Where `c` lies, seen from the way from `a` to `b`: `Greater` is to the left.
pub(super) fn turn(a: Vec2, b: Vec2, c: Vec2) -> Ordering {
    let ([ux, uy], [vx, vy]) = (way(a, b), way(a, c));
    let (ahead, behind) = (ux * vy, uy * vx);
    // Rounding never turns the order of two products around, it can only make them equal. What
    // rounding took from each is an `f64` too, and a fused multiply-add finds it.
    compare(ahead, behind).then_with(|| compare(ux.mul_add(vy, -ahead), uy.mul_add(vx, -behind)))
}

/// The way from `a` to `b`.
pub(super) fn way(a: Vec2, b: Vec2) -> [f64; 2] {
    [f64::from(b.x) - f64::from(a.x), f64::from(b.y) - f64::from(a.y)]
}

/// Left to right, then upwards. The points have no NaN.
pub(super) fn order(a: Vec2, b: Vec2) -> Ordering {
    compare(a.x, b.x).then(compare(a.y, b.y))
}

/// Compares numbers that are not NaN.
pub(super) fn compare<T: PartialOrd>(a: T, b: T) -> Ordering {
    a.partial_cmp(&b).unwrap_or(Ordering::Equal)
}
