//! Exact geometry of outlines: turns, hulls, the walk once round a convex outline, and its
//! tolerance.

use std::cmp::Ordering;

use crate::{
    base::order::{by_key, point_rank},
    simd::map_each,
};
use glam::Vec2;
use robust::{Coord, orient2d};

/// Checks that the list `points` walks once round the convex polygon with the given `corners`. The
/// corners are numbers of points, counter-clockwise; of equal points, the first counts.
///
/// The corners cut the list into pieces, a piece for each side. Each point of a piece must be
/// within the tolerance of the side. It may be behind the furthest point before it in the piece by
/// at most the tolerance. All pieces together are as long as the list if the list goes round once,
/// and longer otherwise. O(n) time.
///
/// # Errors
/// The number of a point that is not on the outline, or after which the list turns back or begins a
/// second round.
pub(super) fn once_round(points: &[Vec2], corners: &[usize], tolerance: f64) -> Result<(), usize> {
    let len = points.len();
    let onwards = if clockwise(corners) { len - 1 } else { 1 };
    let mut steps = 0;
    for (first, last) in sides(corners) {
        let [a, b] = map_each([first, last], |corner| points[corner]);
        let (mut previous, mut furthest) = (first, 0.0_f64);
        while previous != last {
            let vertex = (previous + onwards) % len;
            let ahead = along(points[vertex], a, b);
            steps += 1;
            let on_side = near(points[vertex], a, b, tolerance);
            if !on_side || ahead < furthest - tolerance || steps > len {
                let turned = on_outline(points, corners, vertex, tolerance);
                return Err(if turned { previous } else { vertex });
            }
            (previous, furthest) = (vertex, furthest.max(ahead));
        }
    }
    Ok(())
}

/// Whether a list of points goes once round a convex outline, counter-clockwise, with a left turn
/// at each point, exactly.
///
/// Each turn is less than half a turn. So the list goes round as often as its sides turn from sides
/// that lead down, or straight to the left, to other sides. O(n) time.
#[cfg(any(feature = "narrowphase", feature = "serde"))]
pub(super) fn is_convex(points: &[Vec2]) -> bool {
    let count = points.len();
    let at = |number: usize| points[number % count];
    let leads_down = |number: usize| {
        let (from, to) = (at(number), at(number + 1));
        to.y < from.y || to.y == from.y && to.x < from.x
    };
    (0..count).all(|k| turn(at(k), at(k + 1), at(k + 2)).is_gt())
        && (0..count).filter(|&k| leads_down(k) && !leads_down(k + 1)).count() == 1
}

/// The corners at both ends of each side.
fn sides(corners: &[usize]) -> impl Iterator<Item = (usize, usize)> {
    corners.iter().copied().zip(corners.iter().copied().cycle().skip(1))
}

/// Whether a point is within the tolerance of any side.
fn on_outline(points: &[Vec2], corners: &[usize], vertex: usize, tolerance: f64) -> bool {
    sides(corners).any(|(a, b)| near(points[vertex], points[a], points[b], tolerance))
}

/// Whether a list goes round clockwise, given that it goes once round its `corners`, which are
/// numbers of its points, counter-clockwise. Then the numbers decrease everywhere except once.
fn clockwise(corners: &[usize]) -> bool {
    2 * sides(corners).filter(|(number, next)| next < number).count() > corners.len()
}

/// The numbers of the points that are corners of the convex hull, counter-clockwise from the
/// leftmost corner, the lower of them if there are two. Of equal points, the first counts.
///
/// Monotone chain: A. M. Andrew, "Another efficient algorithm for convex hulls in two dimensions",
/// Information Processing Letters 9 (1979). The lower half of the hull is built from left to right,
/// the upper half from right to left. Each point removes the points before it that are no longer
/// left turns.
pub(super) fn hull(points: &[Vec2]) -> Vec<usize> {
    // One zero only: `-0.0 + 0.0` is `0.0`.
    let mut sorted = by_key(points, |point| point_rank(*point + Vec2::ZERO));
    sorted.dedup_by_key(|(rank, _)| *rank);
    let mut hull = Vec::new();
    for &(_, point) in &sorted {
        extend(points, &mut hull, 1, point as usize);
    }
    let lower = hull.len();
    for &(_, point) in sorted.iter().rev().skip(1) {
        extend(points, &mut hull, lower, point as usize);
    }
    // The upper half ends at the start of the lower half.
    hull.pop();
    hull
}

/// Adds a point to the chain. Removes the points before it that are no longer left turns, except
/// the first `fixed` points.
fn extend(points: &[Vec2], hull: &mut Vec<usize>, fixed: usize, point: usize) {
    while hull.len() > fixed
        && let [.., a, b] = hull[..]
        && turn(points[a], points[b], points[point]).is_le()
    {
        hull.pop();
    }
    hull.push(point);
}

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
