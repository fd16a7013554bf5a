//! The exact convex hull.

use glam::Vec2;

use super::turn::turn;
use crate::base::order::{by_key, point_rank};

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
