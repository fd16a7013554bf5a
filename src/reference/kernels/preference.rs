//! Which of two sides is the reference side where both are about as good.

use super::{
    faces::Face,
    vector::{dot, scale},
};
use crate::reference::body::Vector;

/// Whether the first of two sides is preferred: the longer one; of those that are about as long,
/// the one that looks up, or right (along the direction 0.28, 0.96).
pub(super) fn prefers_first([first, second]: [f32; 2], first_normal: Vector) -> bool {
    let about = 1.0 + 1.0 / (1 << 10) as f32;
    if second * about < first {
        return true;
    }
    dot(first_normal, [0.28, 0.96]) > 0.0 && first * about >= second
}

/// The same for two sides.
pub(super) fn prefers_first_face(first: &Face, second: &Face) -> bool {
    prefers_first([first.length, second.length], first.normal())
}

/// Whether the second shape's side is the reference side, given what the best sides of both are
/// worth: the preferred side gives way if the other is worth more by a 2^15th of the distance of
/// the centres, or, of shapes that are apart, by roundings.
pub(super) fn is_exchanged(
    merits: [f32; 2],
    prefers_first: bool,
    separation: f32,
    offset: Vector,
) -> bool {
    let share = if separation > 0.0 { 1.0 / (1 << 20) as f32 } else { 1.0 / (1 << 15) as f32 };
    let handicap = scale(offset) * share;
    merits[0] + if prefers_first { handicap } else { -handicap } < merits[1]
}

/// Whether a reference side separates shapes that are apart by as much as their distance, of which
/// `length2` is the square: then the shortest way goes along its normal.
pub(super) fn explains(separation: f32, length2: f32, offset: Vector) -> bool {
    length2.sqrt() - scale(offset) * (1.0 / (1 << 20) as f32) <= separation
}

/// What the square of a way from the first shape's side is multiplied with, before that of a way
/// from the second's is compared with it.
pub(super) fn way_handicap(prefers_first: bool) -> f32 {
    let share = 1.0 / (1 << 23) as f32;
    if prefers_first { 1.0 - share } else { 1.0 + share }
}
