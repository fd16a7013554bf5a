//! Whether a list of points walks once round a convex outline.

use glam::Vec2;

use super::near::{along, distance, near};

/// Walks once through all `points`, and along the sides of the convex polygon with the given
/// `corners` at the same time. The corners are numbers of points, counter-clockwise.
///
/// Each point has to be within the tolerance of the side that the walk is on. It may be behind the
/// furthest point on this side by as much. The walk goes on to the next side where a point is not
/// on this side and the end of this side was reached within the tolerance. At the end it has to be
/// on the last side, back at the first corner.
///
/// The walk begins at the first corner, and goes counter-clockwise even if the list does not. So
/// the answer depends on neither the start of the list nor its winding. O(n) time.
///
/// # Errors
/// The number of a point that is not on the outline, or after which the walk turns back or begins
/// a second round.
pub(super) fn once_round(
    points: &[Vec2],
    corners: &[usize],
    tolerance: f64,
) -> Result<(), usize> {
    let len = points.len();
    let onwards = if clockwise(corners) { len - 1 } else { 1 };
    let ends = |side: usize| [corners[side], corners[(side + 1) % corners.len()]].map(|c| points[c]);
    let on = |point: Vec2, side: usize| {
        let [a, b] = ends(side);
        near(point, a, b, tolerance)
    };
    let (mut side, mut furthest) = (0, 0.0_f64);
    let mut previous = corners[0];
    for _ in 0..len {
        let vertex = (previous + onwards) % len;
        let point = points[vertex];
        loop {
            let [a, b] = ends(side);
            let ahead = along(point, a, b);
            if on(point, side) && ahead >= furthest - tolerance {
                furthest = furthest.max(ahead);
                break;
            }
            if side + 1 == corners.len() || furthest < distance(a, b) - tolerance {
                let elsewhere = (0..corners.len()).any(|side| on(point, side));
                return Err(if elsewhere { previous } else { vertex });
            }
            (side, furthest) = (side + 1, 0.0);
        }
        previous = vertex;
    }
    if side + 1 == corners.len() { Ok(()) } else { Err(previous) }
}

/// Whether a list goes round clockwise, if it goes once round its `corners`, which are numbers of
/// its points, counter-clockwise. Then their numbers fall everywhere but once.
fn clockwise(corners: &[usize]) -> bool {
    let next = corners.iter().cycle().skip(1);
    let falls = corners.iter().zip(next).filter(|(number, next)| next < number).count();
    2 * falls > corners.len()
}
