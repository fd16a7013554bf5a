//! The contacts of shapes of any kind, compounds included: the contacts of every part of one shape
//! and every part of the other.

use std::cmp::Ordering;

use widephase::{
    Contact, Pair, Touching,
    reference::{neighbors::near, whole::Whole},
};

use super::{contact, each};

/// The contacts of two shapes, as the contacts of the pair (0, 1): a contact for each part of `a`
/// and part of `b` that touch. If `margin` is above 0, also for parts that are at most `margin`
/// apart. Sorted by the part of `a`, then by the part of `b`. These are contacts of the parts
/// alone: contacts of an outline are corrected by its border afterwards (docs/narrowphase.md).
///
/// The boxes around the shapes, each enlarged by half of the margin, must also touch. O(n m) time
/// for n and m parts.
pub fn between(a: &Whole, b: &Whole, margin: f32, touching: Touching) -> Vec<Contact> {
    let mut found = Vec::new();
    if !near(a.bounds, b.bounds, margin, touching) {
        return found;
    }
    for (part_a, part) in (0..u32::MAX).zip(&a.parts) {
        for (part_b, other) in (0..u32::MAX).zip(&b.parts) {
            if let Some(mut contact) = contact::contact(part, other, margin, touching) {
                (contact.part_a, contact.part_b) = (part_a, part_b);
                found.push(contact);
            }
        }
    }
    found
}

/// The deepest contact [`between`] two shapes, touching included. Of several equally deep contacts,
/// it is the contact whose first point is furthest left, then lowest, and then the first in the
/// list.
///
pub fn deepest(a: &Whole, b: &Whole, margin: f32) -> Option<Contact> {
    deepest_of(between(a, b, margin, Touching::Inclusive))
}

/// The deepest contact of a list, as [`deepest`] chooses it.
pub fn deepest_of(all: Vec<Contact>) -> Option<Contact> {
    let key = |contact: &Contact| [-contact.depth, contact.points()[0].x, contact.points()[0].y];
    // Of several least elements, `min_by` returns the first.
    all.into_iter().min_by(|one, other| {
        let [one, other] = [key(one), key(other)];
        one.partial_cmp(&other).unwrap_or(Ordering::Equal)
    })
}

/// The contacts of all shapes that touch or are at most `margin` apart, sorted by `a`, then by `b`,
/// then by their parts.
///
/// O(n²) time.
pub fn contacts(shapes: &[Whole], margin: f32, touching: Touching) -> Vec<Contact> {
    let found = |(pair, a, b)| {
        between(a, b, margin, touching).into_iter().map(move |found| found.with_pair(pair))
    };
    each(shapes).flat_map(found).collect()
}

/// All pairs of shapes of any kind that have a contact with a margin of `distance`, sorted by `a`,
/// then by `b`; with the distance of their nearest parts, 0 if any parts touch.
///
/// O(n²) time.
pub fn whole_pairs(shapes: &[Whole], distance: f32, touching: Touching) -> Vec<(Pair, f32)> {
    let mut found = Vec::new();
    for (pair, a, b) in each(shapes) {
        let contacts = between(a, b, distance, touching);
        let apart =
            contacts.iter().map(|contact| if contact.depth < 0.0 { -contact.depth } else { 0.0 });
        if let Some(apart) = apart.reduce(f32::min) {
            found.push((pair, apart));
        }
    }
    found
}
