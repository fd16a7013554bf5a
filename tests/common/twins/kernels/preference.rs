//! The choice of the reference side if two sides are about equally good.

use super::{
    faces::Face,
    vector::{dot, scale},
};
use widephase::reference::placed_shape::PlaneVector;

/// Whether the first of two sides is preferred. The longer side is preferred. If they are about
/// equally long, the first side is preferred if its normal points up, or right (along the direction
/// 0.28, 0.96).
pub(crate) fn prefers_first([first, second]: [f32; 2], first_normal: PlaneVector) -> bool {
    let about = 1.0 + 1.0 / (1 << 10) as f32;
    if second * about < first {
        return true;
    }
    dot(first_normal, [0.28, 0.96]) > 0.0 && first * about >= second
}

/// [`prefers_first`] for two sides.
pub(crate) fn prefers_first_face(first: &Face, second: &Face) -> bool {
    prefers_first([first.length, second.length], first.normal())
}

/// Whether the reference side is the second shape's, given the merits of the best sides of both.
/// The preferred side loses if the other side is better by 2^-15 of the distance of the centres.
/// For shapes that are apart, it loses if the other is better by more than `tolerance`.
pub(crate) fn is_exchanged(
    merits: [f32; 2],
    prefers_first: bool,
    separation: f32,
    tolerance: f32,
    offset: PlaneVector,
) -> bool {
    let share = 1.0 / (1 << 15) as f32;
    let handicap = if separation > 0.0 { tolerance } else { scale(offset) * share };
    merits[0] + if prefers_first { handicap } else { -handicap } < merits[1]
}

/// By how much two sides of cores that are apart may differ and count as equally good: by roundings
/// (2^-20 of the distance of the centres). Within the radii, by up to 2^-18 of that distance and
/// the lengths of the sides, but by no more than 2^-8 of the separation.
pub(crate) fn tolerance_apart(
    separation: f32,
    radius: f32,
    lengths: [f32; 2],
    offset: PlaneVector,
) -> f32 {
    let least = scale(offset) * (1.0 / (1 << 20) as f32);
    if radius < separation {
        return least;
    }
    let size = scale(offset) + (lengths[0] + lengths[1]);
    let most = size * (1.0 / (1 << 18) as f32);
    most.min(separation * (1.0 / (1 << 8) as f32)).max(least)
}

/// Whether the separation of a reference side is the whole distance of shapes that are apart,
/// within a tolerance. `length2` is the square of the distance. Then the shortest vector is along
/// the side's normal.
pub(crate) fn explains(separation: f32, length2: f32, tolerance: f32) -> bool {
    length2.sqrt() - tolerance <= separation
}

/// The factor for the squared length of a vector from the first shape's side, before that of a
/// vector from the second shape's side is compared with it.
pub(crate) fn way_handicap(prefers_first: bool) -> f32 {
    let share = 1.0 / (1 << 23) as f32;
    if prefers_first { 1.0 - share } else { 1.0 + share }
}
