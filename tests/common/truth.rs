//! Checks contacts by geometry in `f64`.

use std::f64::consts::SQRT_2;

use widephase::{Contact, ContactPoint, Feature};

use super::{
    convex::{Convex, PlaneVector, clearance, dot, length, minus, plus, point_line, times},
    pow2,
};

/// One part in 2^24: one rounding.
pub const EPS: f64 = 1.0 / (1 << 24) as f64;

/// The accuracy of a contact: three parts in 2^24 of the sizes of both shapes, of the largest
/// coordinates that they are made from, and of their distance. (Where a side ends, the largest
/// error of six million pairs is 1.9 parts.)
fn tolerance(a: &Convex, b: &Convex, depth: f64) -> f64 {
    let ((place_a, size_a), (place_b, size_b)) = (a.reach(), b.reach());
    3.0 * EPS * (size_a + size_b + place_a + place_b - depth.min(0.0))
}

pub fn normal_of(contact: &Contact) -> PlaneVector {
    [contact.normal().x, contact.normal().y].map(f64::from)
}

/// Checks whether shapes touch, within roundings. Shapes that are reported as touching may be apart
/// by 1.5 · 2^-15 of their sizes more.
pub fn assert_true_test(touches: bool, a: &Convex, b: &Convex, made_by: &dyn Fn() -> String) {
    let apart = clearance(a, b);
    let slack = tolerance(a, b, -apart);
    let preferred = (a.reach().1 + b.reach().1) * 1.5 / f64::from(1 << 15);
    let wrong = if touches { apart > slack + preferred } else { apart < -slack };
    assert!(!wrong, "{}: apart {apart}, touches: {touches}, {a:#?}, {b:#?}", made_by());
}

/// Checks that a contact of `a` and `b` is true. After a move by the depth along the normal, the
/// shapes neither overlap nor have a gap. The normal has length 1. The points lie in both shapes,
/// as far as these overlap.
pub fn assert_true_contact(
    contact: &Contact,
    a: &Convex,
    b: &Convex,
    margin: f32,
    made_by: &dyn Fn() -> String,
) {
    let what = || format!("{}: {contact:#?}, {a:#?}, {b:#?}", made_by());
    let normal = normal_of(contact);
    assert!((length(normal) - 1.0).abs() < 4e-7, "{}", what());

    let depth = f64::from(contact.depth);
    let slack = tolerance(a, b, depth);
    let left = clearance(a, &b.moved(times(normal, depth)));
    assert!(left >= -slack, "{} {}", left, what());
    // The depth is no larger than needed, unless the first shape's side is preferred, or a vector
    // is too short to have a direction, and the side's normal is used.
    let sizes = a.reach().1 + b.reach().1;
    let preferred = sizes * 1.5 / f64::from(1 << 15);
    let shortest = f64::from(pow2(-50));
    let over = depth + clearance(a, b);
    assert!(over <= slack + preferred + shortest, "{} {}", over, what());

    assert!(matches!(contact.points().len(), 1 | 2), "{}", what());
    let points = contact.points();
    assert!(points.len() == 1 || points[0].depth >= points[1].depth, "{}", what());
    // Where a side stands for the corner at its end, the other shape is clipped there, slightly
    // beside the corner.
    // This happens up to 2^-16 of the sum of the coordinates of the vector between the centres.
    let short = SQRT_2 * sizes / f64::from(1 << 16) + shortest;
    for (index, point) in points.iter().enumerate() {
        assert!(f64::from(-margin - point.depth) <= slack + short, "{}", what());
        let at = [point.x, point.y].map(f64::from);
        let deep = f64::from(point.depth);
        for (shape, feature) in [(a, point.feature_a), (b, point.feature_b)] {
            let outside = shape.distance_to(at) - shape.radius - deep.abs();
            assert!(outside <= slack + short, "{} {}", outside, what());
            assert!(feature.index() < shape.vertices.len(), "{}", what());
            assert!(shape.vertices.len() > 1 || !feature.is_side(), "{}", what());
        }
        // If the nearest corners belong to nearly parallel sides, the other ends are not in the
        // direction between the corners.
        let is_first = index == 0;
        let slacks = [slack + short, preferred];
        let at_features = at_features(point, points.len() == 1, [a, b], normal, slacks);
        assert!(at_features || !is_first, "{}", what());
    }
}

/// Whether a point is where its features say. The surfaces are half its depth away along the
/// normal, on both sides. The reference side of one core is a radius further inside, and so is a
/// side of the other core that ends at the vertex, each within `slack`. (For a circle, it is the
/// vertex itself.)
///
/// If the point is the only point, the vertex may lie beside the reference side, at the height
/// above it that the point says. A side is preferred to its end if that makes the depth larger by
/// `preferred` at most. Over a height h, the normal of the side then leads up to `sqrt(2 h
/// preferred)` beside the end. If vertices are equally high within `preferred`, any of them may be
/// named.
fn at_features(
    point: &ContactPoint,
    only: bool,
    [a, b]: [&Convex; 2],
    normal: PlaneVector,
    [slack, preferred]: [f64; 2],
) -> bool {
    let within = f64::from(point.depth) * 0.5;
    let place = |along: f64| plus([point.x, point.y].map(f64::from), times(normal, along));
    let first = (place(within - a.radius), a, point.feature_a);
    let second = (place(b.radius - within), b, point.feature_b);
    let there = |(place, shape, feature): (PlaneVector, &Convex, Feature)| {
        let ends = shape.feature(feature);
        let vertex = ends[0];
        let on_side = |side: [PlaneVector; 2]| point_line(place, side) <= slack;
        if feature.is_side() {
            // A contact between corners has the side as its feature if its direction is within this
            // distance of the side's normal.
            return on_side(ends);
        }
        on_side(ends) || shape.sides().any(|side| side.contains(&vertex) && on_side(side))
    };
    if there(first) && there(second) {
        return true;
    }
    let ((foot, shape, side), (_, other, vertex)) =
        match [point.feature_a, point.feature_b].map(Feature::is_side) {
            [true, false] => (first, second),
            [false, true] => (second, first),
            _ => return false,
        };
    let [vertex, _] = other.feature(vertex);
    let alike = other.vertices.iter().map(|another| minus(*another, vertex));
    let alike = alike.filter(|away| dot(*away, normal).abs() <= preferred);
    let height = (a.radius + b.radius - f64::from(point.depth)).max(0.0);
    let room = slack + (2.0 * height * preferred).sqrt() + alike.map(length).fold(0.0, f64::max);
    // The end of a capsule is a side without length, so every vertex is beside it.
    let beside = |[start, end]: [PlaneVector; 2]| {
        let along = minus(end, start);
        let out = dot(minus(vertex, end), along);
        length(minus(foot, end)) <= room && out >= -room * length(along)
    };
    // The core may continue behind the end with a nearly parallel side, and roundings may confuse
    // the two. Then the vertex is straight above the foot, which is on the line of the side and on
    // the core.
    let straight_on = |[start, end]: [PlaneVector; 2]| {
        let (along, from_end) = (minus(end, start), minus(foot, end));
        let least = slack * length(along);
        let off_line = along[0] * from_end[1] - along[1] * from_end[0];
        let on_core = shape.distance_to(foot) <= slack;
        on_core && off_line.abs() <= least && dot(minus(vertex, foot), along).abs() <= least
    };
    let [start, end] = shape.feature(side);
    straight_on([start, end]) || only && (beside([start, end]) || beside([end, start]))
}
