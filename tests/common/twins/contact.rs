//! The contacts of single shapes of any kind: for one pair, or for every pair of a list.

use widephase::{
    Contact, ContactPoint, Feature, Touching,
    reference::{
        placed_shape::{Class, PlacedShape, PlaneVector},
        single::touches,
    },
    shape::RoundedBox,
};

use super::{
    each,
    kernels::{Answer, SIDE, axis_aligned, box_circle, boxes, circles, polygon_circle, polygons},
    made,
};

/// The contact of two shapes, as of the pair (0, 1): how they touch. If `margin` is above 0,
/// it also describes shapes that are at most `margin` apart.
///
/// The boxes around the shapes, each enlarged by half of the margin, must also touch.
pub fn contact(
    a: &PlacedShape,
    b: &PlacedShape,
    margin: f32,
    touching: Touching,
) -> Option<Contact> {
    // With a margin, boxes that only touch count under either policy.
    let boxes = if margin > 0.0 { Touching::Inclusive } else { touching };
    if !a.boxes_touch(b, margin, boxes) {
        return None;
    }
    let touching = touches(a, b, touching);
    let IndexView { answer, origin, exchanged } = seen(a, b, margin);
    let Answer { normal, depth, spots } = answer;
    let near = margin > 0.0 && -margin <= depth;
    if !(touching || near) {
        return None;
    }
    // Roundings must not contradict the decision: shapes that touch have a depth of at least 0, and
    // shapes that do not touch have a depth below 0.
    let depth = match touching {
        true => depth.max(0.0),
        false if depth < 0.0 => depth,
        false => -f32::MIN_POSITIVE,
    };
    // Replaces -0 by 0: a sum with 0 is never -0.
    let [normal_x, normal_y] =
        normal.map(|value| if exchanged { 0.0 - value } else { value + 0.0 });
    let points = spots.iter().map(|spot| {
        let [first, second] = spot.features.map(feature);
        let (feature_a, feature_b) = if exchanged { (second, first) } else { (first, second) };
        ContactPoint {
            x: (spot.at[0] + origin[0]) + 0.0,
            y: (spot.at[1] + origin[1]) + 0.0,
            depth: spot.depth + 0.0,
            feature_a,
            feature_b,
        }
    });
    let points: Vec<ContactPoint> = points.collect();
    Some(made([normal_x, normal_y], depth + 0.0, &points))
}

/// The feature from the number that kernels use.
fn feature(number: u16) -> Feature {
    let index = usize::from(number & !SIDE);
    if number & SIDE == 0 { Feature::vertex(index) } else { Feature::side(index) }
}

/// The result of a kernel for two shapes, in the kernel's order.
struct IndexView {
    answer: Answer,
    /// The point that the answer is relative to.
    origin: PlaneVector,
    /// Whether `b` is the kernel's first shape.
    exchanged: bool,
}

/// Orders two shapes and calls the kernel of their classes.
///
/// The shape of the later class comes first. Within one class, the shape with the smaller centre
/// comes first: further left, or lower if both have the same x. If the centres are equal, the first
/// of their [`numbers`] that differs decides, and after these the first of their exact corners.
/// Shapes with equal numbers and corners are equal, and keep the given order. So do circles around
/// one point, whose normal is equal in either order.
fn seen(a: &PlacedShape, b: &PlacedShape, margin: f32) -> IndexView {
    let exchanged = if a.class != b.class {
        a.class < b.class
    } else if a.center != b.center || a.class == Class::Round {
        b.center < a.center
    } else {
        (numbers(b), &b.corners) < (numbers(a), &a.corners)
    };
    let (a, b) = if exchanged { (b, a) } else { (a, b) };
    let mut answer = match (a.class, b.class) {
        (Class::Round, _) => circles(a, b),
        (Class::AlignedBox, _) => axis_aligned(a, b),
        (Class::Rotated | Class::Line | Class::ChainSegment, Class::Round) => box_circle(a, b),
        (Class::Rotated | Class::Line | Class::ChainSegment, _) => boxes(a, b, margin),
        (_, Class::Round) => polygon_circle(a, b, margin),
        _ => polygons(a, b, margin),
    };
    for spot in &mut answer.spots {
        spot.features = [name(a, spot.features[0]), name(b, spot.features[1])];
    }
    let origin =
        if a.class == Class::AlignedBox { [a.bounds.min_x, a.bounds.min_y] } else { a.center };
    IndexView { answer, origin, exchanged }
}

/// The values that order two shapes of one class with the same centre, before their exact
/// corners do.
fn numbers(body: &PlacedShape) -> Vec<f32> {
    let PlacedShape { axis: [cos, sin], half: [half_x, half_y], radius, .. } = *body;
    let PlacedShape { vertices, normals, .. } = body;
    let RoundedBox { min_x, min_y, max_x, max_y, .. } = body.bounds;
    match body.class {
        Class::Round => vec![radius],
        Class::AlignedBox => vec![min_x, min_y, max_x, max_y, radius],
        Class::Rotated | Class::Line | Class::ChainSegment => {
            vec![cos, sin, half_x, half_y, radius]
        }
        Class::Polygon4 | Class::Polygon8 | Class::PolygonMany => [vertices.len() as f32, radius]
            .into_iter()
            .chain(vertices.iter().chain(normals).flatten().copied())
            .collect(),
    }
}

/// The reported number of a feature. A segment or capsule is a box of no height, and two corners of
/// that box are reported as its ends, vertices 0 and 1.
fn name(body: &PlacedShape, feature: u16) -> u16 {
    match (body.class, feature) {
        (Class::Line | Class::ChainSegment, 3) => 0,
        (Class::Line | Class::ChainSegment, 2) => 1,
        _ => feature,
    }
}

/// The contacts of all shapes that touch or are at most `margin` apart, sorted by `a`, then by `b`.
///
/// O(n²) time.
pub fn contacts(bodies: &[PlacedShape], margin: f32, touching: Touching) -> Vec<Contact> {
    let found =
        |(pair, a, b)| contact(a, b, margin, touching).map(|contact| contact.with_pair(pair));
    each(bodies).filter_map(found).collect()
}
