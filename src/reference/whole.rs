//! What the narrowphase decides and describes, for shapes of any kind, compounds included: all parts of the
//! one against all parts of the other, by the tests of [`contact`].
//!
//! Parts are not looked for, nor left out: no list of those whose boxes touch, no end at the first that touch. A
//! shape that is no compound is its only part, so these are the answers of [`contact`] for it.
//!
//! ```
//! use widephase::Touching::{Exclusive, Inclusive};
//! use widephase::reference::whole::{Whole, between, touches};
//! use widephase::shape::{Circle, Compound, Pose};
//!
//! let snowman = Compound::new([Circle::new([0.0, 0.0], 2.0), Circle::new([0.0, 2.5], 1.0)])?;
//! let [a, b] = [[0.0, 0.0], [0.0, 5.5]].map(|at| Whole::new(&snowman, Some(Pose::at(at))));
//! // The head of the first reaches up to 3.5, and there the body of the second begins.
//! assert!(touches(&a, &b, Inclusive) && !touches(&a, &b, Exclusive));
//! let found = between(&a, &b, 0.0, Inclusive);
//! assert_eq!((found.len(), found[0].part_a, found[0].part_b), (1, 1, 0));
//! # Ok::<(), widephase::Error>(())
//! ```

use std::cmp::Ordering;

use super::{
    body::{Body, boxes_touch},
    contact::{self, each},
};
use crate::{
    narrowphase::Contact,
    pair::Pair,
    shape::{AnyShape, MAX_COORDINATE, Pose, RoundedBox, Shape, Touching},
};

/// A placed shape of any kind, taken apart.
#[derive(Debug, Clone, PartialEq)]
pub struct Whole {
    /// The parts of a compound, in their order; of any other shape, itself.
    pub parts: Vec<Body>,
    /// The box around it: of a compound without a radius, of others that of the [`Body`].
    pub bounds: RoundedBox,
}

impl Whole {
    /// A shape where its own coordinates say, or at a pose; as [`Shapes::push`](crate::Shapes::push)
    /// and [`Shapes::push_at`](crate::Shapes::push_at) take it.
    ///
    /// Values are not checked; for those that a store refuses, the result is unspecified. Never panics.
    pub fn new<T: Shape + ?Sized>(shape: &T, pose: Option<Pose>) -> Self {
        let parts = Body::parts(shape, pose);
        let bounds = match shape.any() {
            AnyShape::Compound(_) => parts.iter().map(|part| outwards(part.bounds)).reduce(union),
            _ => parts.first().map(|part| part.bounds),
        };
        Self { parts, bounds: bounds.unwrap_or_default() }
    }

    fn near(&self, other: &Self, margin: f32, touching: Touching) -> bool {
        boxes_touch([self.bounds, other.bounds], margin, touching)
    }
}

/// The smallest box around a rounded box, each side the next number outwards if there is a radius; within the range
/// of coordinates.
fn outwards(rounded: RoundedBox) -> RoundedBox {
    let RoundedBox { min_x, min_y, max_x, max_y, radius } = rounded;
    let below = |side: f32| if radius > 0.0 { (side - radius).next_down() } else { side };
    let above = |side: f32| if radius > 0.0 { (side + radius).next_up() } else { side };
    let ([min_x, min_y], [max_x, max_y]) = ([min_x, min_y].map(below), [max_x, max_y].map(above));
    let [min_x, min_y, max_x, max_y] =
        [min_x, min_y, max_x, max_y].map(|side| side.clamp(-MAX_COORDINATE, MAX_COORDINATE));
    RoundedBox { min_x, min_y, max_x, max_y, radius: 0.0 }
}

/// The box around two boxes.
fn union(a: RoundedBox, b: RoundedBox) -> RoundedBox {
    RoundedBox {
        min_x: a.min_x.min(b.min_x),
        min_y: a.min_y.min(b.min_y),
        max_x: a.max_x.max(b.max_x),
        max_y: a.max_y.max(b.max_y),
        radius: 0.0,
    }
}

/// Whether two shapes touch: if the boxes around them do, and any part of the one touches any of the other.
///
/// O(n m) time for n and m parts. Never panics.
pub fn touches(a: &Whole, b: &Whole, touching: Touching) -> bool {
    let any = |part: &Body| b.parts.iter().any(|other| contact::touches(part, other, touching));
    a.near(b, 0.0, touching) && a.parts.iter().any(any)
}

/// How two shapes touch, or, if `margin` is above 0, how they lie to each other: the contacts of the pair (0, 1), one
/// for each part of `a` and each part of `b` that touch or are at most that far apart; by the part of `a`, then of
/// `b`.
///
/// The boxes around the shapes, each with half of the margin around it, have to touch, too. O(n m) time for n and m
/// parts. Never panics.
pub fn between(a: &Whole, b: &Whole, margin: f32, touching: Touching) -> Vec<Contact> {
    // With a margin, what is near counts under either policy.
    let boxes = if margin > 0.0 { Touching::Inclusive } else { touching };
    let mut found = Vec::new();
    if !a.near(b, margin, boxes) {
        return found;
    }
    for (part_a, part) in (0..u32::MAX).zip(&a.parts) {
        for (part_b, other) in (0..u32::MAX).zip(&b.parts) {
            let contact = contact::contact(part, other, margin, touching);
            found.extend(contact.map(|contact| Contact { part_a, part_b, ..contact }));
        }
    }
    found
}

/// The deepest contact [`between`] two shapes, touching included; of several that are as deep, the one whose first
/// point is furthest left, or of these lowest; of several there, the first.
///
/// Never panics.
pub fn deepest(a: &Whole, b: &Whole, margin: f32) -> Option<Contact> {
    let all = between(a, b, margin, Touching::Inclusive);
    let key = |contact: &Contact| [-contact.depth, contact.point[0].x, contact.point[0].y];
    // Of several that are the least, `min_by` takes the first.
    all.into_iter().min_by(|one, other| {
        let [one, other] = [key(one), key(other)];
        one.partial_cmp(&other).unwrap_or(Ordering::Equal)
    })
}

/// All pairs of shapes that touch, sorted by `a`, then by `b`.
///
/// O(n²) time. Never panics; shapes from the 2^32nd on are left out.
pub fn pairs(shapes: &[Whole], touching: Touching) -> Vec<Pair> {
    let all = each(shapes).filter(|(_, a, b)| touches(a, b, touching));
    all.map(|(pair, ..)| pair).collect()
}

/// The contacts of all shapes that touch, or are at most `margin` apart, sorted by `a`, then by `b`, then by their
/// parts.
///
/// O(n²) time. Never panics; shapes from the 2^32nd on are left out.
pub fn contacts(shapes: &[Whole], margin: f32, touching: Touching) -> Vec<Contact> {
    let found = |(pair, a, b)| {
        between(a, b, margin, touching).into_iter().map(move |found| Contact { pair, ..found })
    };
    each(shapes).flat_map(found).collect()
}
