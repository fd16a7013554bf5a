//! The tolerance of a polygon, and distances from a side, in `f64`.

use glam::Vec2;

use super::turn::way;

/// The tolerance of an outline through `points`.
pub(super) fn tolerance(points: &[Vec2]) -> f64 {
    /// The tolerance, relative to the largest coordinate: 5 roundings of it, as a rounding of an
    /// `f32` is at most 2^-24 of it.
    ///
    /// **Why not less.** 960,000 planks 1 to 100 long were cut at 2 to 200 computed points a side,
    /// as `a + t (b - a)` or `(1 - t) a + t b`, before or after they were rotated and moved by up
    /// to 1000, in `f32` or `f64`. A tolerance of 3 roundings refused 4,907 of them, 4 roundings
    /// 113, 4.5 roundings 7, and 5 none. The worst are those cut as `(1 - t) a + t b` and then
    /// rotated, in `f32`.
    ///
    /// **Why not more.** 5 leaves whole numbers alone. If coordinates are whole and at most 2^10, a
    /// chord is at most 2^11.5 long. A vertex beside the line of a chord is at least 1 / length off
    /// it, so at least 2^-11.5. The tolerance is 5 · 2^-24 · 2^10, which is below 2^-11.67.
    const CORNER_TOLERANCE: f64 = 5.0 / (1 << 24) as f64;
    let largest = points.iter().fold(0.0_f32, |most, point| most.max(point.abs().max_element()));
    CORNER_TOLERANCE * f64::from(largest)
}

/// Whether `point` is within `tolerance` of the straight side from `a` to `b`, ends included.
///
/// The error in `f64` is at most 2^-50 of the largest coordinate, which is 2^-28 of the tolerance.
pub(super) fn near(point: Vec2, a: Vec2, b: Vec2, tolerance: f64) -> bool {
    let (side, from) = (way(a, b), way(a, point));
    let (ahead, length2) = (dot(side, from), dot(side, side));
    let limit2 = tolerance * tolerance;
    if ahead <= 0.0 {
        dot(from, from) <= limit2
    } else if ahead >= length2 {
        let from = way(b, point);
        dot(from, from) <= limit2
    } else {
        let cross = cross(side, from);
        cross * cross <= limit2 * length2
    }
}

/// How far `point` is ahead of `a`, in the direction from `a` to `b`.
pub(super) fn along(point: Vec2, a: Vec2, b: Vec2) -> f64 {
    dot(way(a, b), way(a, point)) / distance(a, b)
}

/// The distance of two points.
pub(super) fn distance(a: Vec2, b: Vec2) -> f64 {
    let way = way(a, b);
    dot(way, way).sqrt()
}

/// Twice the area of a triangle.
pub(super) fn area(a: Vec2, b: Vec2, c: Vec2) -> f64 {
    cross(way(a, b), way(a, c)).abs()
}

fn dot([ux, uy]: [f64; 2], [vx, vy]: [f64; 2]) -> f64 {
    ux * vx + uy * vy
}

fn cross([ux, uy]: [f64; 2], [vx, vy]: [f64; 2]) -> f64 {
    ux * vy - uy * vx
}
