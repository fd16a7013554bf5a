//! The decisions and contacts of the narrowphase for single shapes of any kind: for one pair, or
//! for every pair of a list.
//!
//! Every result of the engine equals one of these bit for bit. The functions use the same
//! operations in the same order, without SIMD, tiles or a grid. A compound is not a single shape:
//! [`whole`](super::whole) tests each of its parts.

use super::{
    body::{Body, Class, Vector},
    each,
    exact::touch,
    kernels::{Answer, axis_aligned, box_circle, boxes, circles, polygon_circle, polygons},
};
use crate::{
    Pair,
    narrowphase::{Contact, ContactPoint, Feature},
    shape::Touching,
};

/// Whether two shapes touch: the boxes around them touch, and [`exact::touch`](super::exact::touch)
/// accepts them.
///
/// Two axis-aligned shapes are their own boxes, so [`contract::overlap`](super::contract::overlap)
/// alone decides. The order of `a` and `b` does not matter. Never panics.
///
/// ```
/// use widephase::reference::{body::Body, contact::touches};
/// use widephase::shape::{Circle, Obb, Pose, Rotation, Touching};
///
/// // Rotated by a quarter turn, the box covers 8 to 12 along y. The circle covers 12 to 14.
/// let vertical = Pose::new([5.0, 10.0], Rotation { cos: 0.0, sin: 1.0 });
/// let flat = Obb::new([0.0, 0.0], [2.0, 1.0], Rotation::IDENTITY);
/// let a = Body::new(&flat, Some(vertical)).unwrap();
/// let b = Body::new(&Circle::new([5.0, 13.0], 1.0), None).unwrap();
/// assert!(touches(&a, &b, Touching::Inclusive));
/// assert!(!touches(&a, &b, Touching::Exclusive));
/// ```
#[inline]
pub fn touches(a: &Body, b: &Body, touching: Touching) -> bool {
    let axis_aligned = a.class <= Class::AlignedBox && b.class <= Class::AlignedBox;
    let inclusive = touching == Touching::Inclusive;
    a.boxes_touch(b, 0.0, touching) && (axis_aligned || touch(a, b, inclusive))
}

/// The contact of two shapes, as that of the pair (0, 1): how they touch. If `margin` is above 0,
/// it also describes shapes that are at most `margin` apart.
///
/// The boxes around the shapes, each enlarged by half of the margin, must touch, too. Never panics.
#[inline]
pub fn contact(a: &Body, b: &Body, margin: f32, touching: Touching) -> Option<Contact> {
    // With a margin, boxes that only touch count under either policy.
    let boxes = if margin > 0.0 { Touching::Inclusive } else { touching };
    if !a.boxes_touch(b, margin, boxes) {
        return None;
    }
    let touching = touches(a, b, touching);
    let Seen { answer, origin, exchanged } = seen(a, b, margin);
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
    let mut found = Contact {
        pair: Pair { a: 0, b: 1 },
        normal_x,
        normal_y,
        depth: depth + 0.0,
        count: spots.len() as u32,
        ..Contact::default()
    };
    for (point, spot) in found.point.iter_mut().zip(spots) {
        let [first, second] = spot.features.map(Feature::of);
        let (feature_a, feature_b) = if exchanged { (second, first) } else { (first, second) };
        *point = ContactPoint {
            x: (spot.at[0] + origin[0]) + 0.0,
            y: (spot.at[1] + origin[1]) + 0.0,
            depth: spot.depth + 0.0,
            feature_a,
            feature_b,
        };
    }
    Some(found)
}

/// The result of a kernel for two shapes, in the kernel's order.
struct Seen {
    answer: Answer,
    /// The point that the answer is relative to.
    origin: Vector,
    /// Whether `b` is the kernel's first shape.
    exchanged: bool,
}

/// Orders two shapes and calls the kernel of their classes.
///
/// The shape of the later class comes first. Within one class, the shape with the smaller centre
/// comes first: further left, or lower if both have the same x. If the centres are equal, the first
/// of their [`numbers`](Body::numbers) that differs decides, and after these the first of their
/// exact corners. Shapes with equal numbers and corners are equal, and keep the given order. So do
/// circles around one point, whose normal is the same in either order.
#[inline]
fn seen(a: &Body, b: &Body, margin: f32) -> Seen {
    let exchanged = if a.class != b.class {
        a.class < b.class
    } else if a.center != b.center || a.class == Class::Round {
        b.center < a.center
    } else {
        (b.numbers(), &b.corners) < (a.numbers(), &a.corners)
    };
    let (a, b) = if exchanged { (b, a) } else { (a, b) };
    let mut answer = match (a.class, b.class) {
        (Class::Round, _) => circles(a, b),
        (Class::AlignedBox, _) => axis_aligned(a, b),
        (Class::Turned | Class::Line | Class::ChainSegment, Class::Round) => box_circle(a, b),
        (Class::Turned | Class::Line | Class::ChainSegment, _) => boxes(a, b, margin),
        (_, Class::Round) => polygon_circle(a, b, margin),
        _ => polygons(a, b, margin),
    };
    for spot in &mut answer.spots {
        spot.features = [name(a, spot.features[0]), name(b, spot.features[1])];
    }
    let origin =
        if a.class == Class::AlignedBox { [a.bounds.min_x, a.bounds.min_y] } else { a.center };
    Seen { answer, origin, exchanged }
}

/// The reported number of a feature. A segment or capsule is a box of no height, and two corners of
/// that box are reported as its ends, vertices 0 and 1.
#[inline]
fn name(body: &Body, feature: u16) -> u16 {
    match (body.class, feature) {
        (Class::Line | Class::ChainSegment, 3) => 0,
        (Class::Line | Class::ChainSegment, 2) => 1,
        _ => feature,
    }
}

/// All pairs of shapes that touch, sorted by `a`, then by `b`.
///
/// O(n²) time. Never panics; shapes from the 2^32nd on are left out.
#[inline]
pub fn pairs(bodies: &[Body], touching: Touching) -> Vec<Pair> {
    let all = each(bodies).filter(|(_, a, b)| touches(a, b, touching));
    all.map(|(pair, ..)| pair).collect()
}

/// The contacts of all shapes that touch or are at most `margin` apart, sorted by `a`, then by `b`.
///
/// O(n²) time. Never panics; shapes from the 2^32nd on are left out.
#[inline]
pub fn contacts(bodies: &[Body], margin: f32, touching: Touching) -> Vec<Contact> {
    let found =
        |(pair, a, b)| contact(a, b, margin, touching).map(|contact| Contact { pair, ..contact });
    each(bodies).filter_map(found).collect()
}
