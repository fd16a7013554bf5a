//! The exact touching test of two convex shapes.
//!
//! The definition: let A - B be all differences of a point of one core and a point of the other.
//! Under [`Inclusive`](crate::Touching::Inclusive), shapes touch if the distance of A - B from the
//! origin is at most the sum of the radii. Under [`Exclusive`](crate::Touching::Exclusive), they
//! touch if the distance is smaller, or if the origin is in the interior of A - B.

use crate::simd::map_each;
use robust::{Coord, orient2d};

use super::placed_shape::PlacedShape;

/// Whether two shapes touch.
///
/// Whether cores meet is decided exactly, whatever their coordinates. With radii, squares of
/// distances are compared in `f64`. O(n m) time. Never panics.
///
/// ```
/// use widephase::reference::{placed_shape::PlacedShape, exact::touch};
/// use widephase::shape::Segment;
///
/// let [a, b] = [Segment::new([0.1, 0.1], [0.7, 0.3]), Segment::new([0.7, 0.3], [0.9, 0.0])];
/// let [a, b] = [a, b].map(|segment| PlacedShape::new(&segment, None).unwrap());
/// assert!(touch(&a, &b, true)); // they share an end
/// assert!(!touch(&a, &b, false));
/// ```
#[inline]
pub fn touch(a: &PlacedShape, b: &PlacedShape, inclusive: bool) -> bool {
    cores_touch(&a.corners, &b.corners, f64::from(a.radius) + f64::from(b.radius), inclusive)
}

/// [`touch`] for two cores, given by their corners counter-clockwise, and the sum of the radii
/// around them.
///
/// ```
/// use widephase::reference::exact::cores_touch;
///
/// let triangle = [[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]];
/// assert!(cores_touch(&triangle, &[[2.0, 2.0]], 0.0, true)); // a point on its longest side
/// assert!(!cores_touch(&triangle, &[[2.0, 2.0]], 0.0, false));
/// assert!(cores_touch(&triangle, &[[2.0, 2.0]], 0.5, false)); // a circle around it
/// ```
#[inline]
pub fn cores_touch(a: &[[f64; 2]], b: &[[f64; 2]], radius: f64, inclusive: bool) -> bool {
    let apart = boxes_apart(a, b) || separates(a, b) || separates(b, a);
    if !apart {
        return inclusive || radius > 0.0 || overlap(a, b);
    }
    let (distance2, radius2) = (distance2(a, b), radius * radius);
    radius > 0.0
        && distance2.into_iter().any(|[numerator, denominator]| {
            let reached = radius2 * denominator;
            numerator < reached || (inclusive && numerator <= reached)
        })
}

/// The sides of a core, without sides of length 0.
#[inline]
fn sides(corners: &[[f64; 2]]) -> impl Iterator<Item = [[f64; 2]; 2]> {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).map(|(start, end)| [*start, *end]).filter(|[start, end]| start != end)
}

/// The orientation of a point and a side: above 0 to the left, below 0 to the right.
#[inline]
fn left([start, end]: [[f64; 2]; 2], point: [f64; 2]) -> f64 {
    let [start, end, point] = map_each([start, end, point], |[x, y]| Coord { x, y });
    orient2d(start, end, point)
}

/// Whether the other shape is entirely to the right of a side of `own`.
#[inline]
fn separates(own: &[[f64; 2]], other: &[[f64; 2]]) -> bool {
    sides(own).any(|side| other.iter().all(|corner| left(side, *corner) < 0.0))
}

/// Whether cores that are not apart overlap: neither core has a side with all of the other core on
/// its line or to its right.
#[inline]
fn overlap(a: &[[f64; 2]], b: &[[f64; 2]]) -> bool {
    let mut within = Vec::new();
    for (own, other) in [(a, b), (b, a)] {
        for side in sides(own) {
            within.push(other.iter().any(|corner| left(side, *corner) > 0.0));
        }
    }
    !within.is_empty() && within.into_iter().all(|within| within)
}

#[inline]
fn boxes_apart(a: &[[f64; 2]], b: &[[f64; 2]]) -> bool {
    let all_below = |axis: usize, a: &[[f64; 2]], b: &[[f64; 2]]| {
        a.iter().all(|corner| b.iter().all(|other| corner[axis] < other[axis]))
    };
    (0..2).any(|axis| all_below(axis, a, b) || all_below(axis, b, a))
}

/// The squared distances of each corner of one core to each corner of the other, and to each side
/// that the corner projects onto. Each distance is a numerator and a denominator, so that whole
/// numbers stay whole.
#[inline]
fn distance2(a: &[[f64; 2]], b: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut found = Vec::new();
    for (own, other) in [(a, b), (b, a)] {
        for [x, y] in other {
            for [other_x, other_y] in own {
                let (dx, dy) = (x - other_x, y - other_y);
                found.push([dx * dx + dy * dy, 1.0]);
            }
            for [[start_x, start_y], [end_x, end_y]] in sides(own) {
                let (dx, dy) = (end_x - start_x, end_y - start_y);
                let (to_x, to_y) = (x - start_x, y - start_y);
                let (beside, length2) = (dx * to_x + dy * to_y, dx * dx + dy * dy);
                if 0.0 <= beside && beside <= length2 {
                    let across = dx * to_y - dy * to_x;
                    found.push([across * across, length2]);
                }
            }
        }
    }
    found
}
