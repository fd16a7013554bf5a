//! The check that a list of points walks once round a convex outline.

use crate::simd::map_each;
use glam::Vec2;

use super::{
    near::{along, near},
    turn::turn,
};

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
