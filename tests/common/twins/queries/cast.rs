//! The Minkowski difference of two cores, and where two shapes touch.

use super::convex::{Convex, PlaneVector, cross, dot, left, minus, plus, times};

/// The corners of all differences of a point of `b` and a point of `a`, counter-clockwise.
///
/// The sides of `b`, and the sides of `a` turned round, sorted by their angle, are the sides of the
/// difference. It begins at the lowest corner, of several the leftmost. Parallel sides become one
/// side.
pub(crate) fn difference(a: &[PlaneVector], b: &[PlaneVector]) -> Vec<PlaneVector> {
    let turned_round: Vec<PlaneVector> = a.iter().map(|[x, y]| [-x, -y]).collect();
    let (a, b) = (from_lowest(&turned_round), from_lowest(b));
    let sides = |corners: &[PlaneVector]| -> Vec<PlaneVector> {
        let count = corners.len();
        let side = |start: usize| minus(corners[(start + 1) % count], corners[start]);
        // A single corner has no side.
        if count > 1 { (0..count).map(side).collect() } else { vec![] }
    };
    let (sides_a, sides_b) = (sides(&a), sides(&b));
    let (mut i, mut j) = (0, 0);
    let mut corners = vec![plus(a[0], b[0])];
    while i < sides_a.len() || j < sides_b.len() {
        let turn = match (sides_a.get(i), sides_b.get(j)) {
            (Some(a), Some(b)) => cross(*a, *b),
            (Some(_), None) => 1.0,
            _ => -1.0,
        };
        i += usize::from(turn >= 0.0);
        j += usize::from(turn <= 0.0);
        corners.push(plus(a[i % a.len()], b[j % b.len()]));
    }
    if corners.len() > 1 {
        // The last corner is the first one again.
        corners.pop();
    }
    corners
}

/// The corners in the same order, from the lowest one on, of several the leftmost.
fn from_lowest(corners: &[PlaneVector]) -> Vec<PlaneVector> {
    let mut lowest = 0;
    for (number, [x, y]) in corners.iter().enumerate() {
        let [lowest_x, lowest_y] = corners[lowest];
        if [*y, *x] < [lowest_y, lowest_x] {
            lowest = number;
        }
    }
    [&corners[lowest..], &corners[..lowest]].concat()
}

/// The point where a shape that was moved by `moved` touches another shape, whose normal is
/// `normal`. Where two sides touch, it is the midpoint of their common segment.
pub(crate) fn touching_point(
    own: &Convex,
    other: &Convex,
    moved: PlaneVector,
    normal: PlaneVector,
) -> PlaneVector {
    let along = left(normal);
    let corners: Vec<PlaneVector> = own.corners.iter().map(|corner| plus(*corner, moved)).collect();
    let [x, y] = normal;
    let (_, own_ends) = furthest(&corners, [-x, -y], along);
    let (height, ends) = furthest(&other.corners, normal, along);
    let common = [ends[0].max(own_ends[0]), ends[1].min(own_ends[1])];
    let middle = (common[0] + common[1]) * 0.5;
    plus(times(normal, height + other.radius), times(along, middle))
}

/// Corners whose heights differ by less than this share of the coordinates are equally far.
const LEVEL: f64 = 1.0 / (1_u64 << 40) as f64;

/// How far corners are along `normal`, and the range along `along` of the furthest corners.
fn furthest(corners: &[PlaneVector], normal: PlaneVector, along: PlaneVector) -> (f64, [f64; 2]) {
    let height = corners.iter().map(|corner| dot(*corner, normal)).fold(f64::MIN, f64::max);
    let mut ends = [f64::INFINITY, f64::NEG_INFINITY];
    for corner in corners {
        let slack = (corner[0].abs() + corner[1].abs()) * LEVEL;
        if dot(*corner, normal) >= height - slack {
            let at = dot(*corner, along);
            ends = [ends[0].min(at), ends[1].max(at)];
        }
    }
    (height, ends)
}
