//! Which of two sides is the reference side where both are about as good.
//!
//! Bodies that rest on each other touch by two sides that face each other, and either could be the
//! reference side. Contacts keep their ids only if the choice stays from step to step, though it
//! has no memory. So it is made by what roundings, and the small movements of bodies at rest, do
//! not change:
//!
//! 1. The longer side, unless both are about as long. When a body tilts a little, the longer side
//!    separates it better, so what is preferred and what is better are the same then.
//! 2. Of sides that are about as long, the one that looks up, or, where both look to a side, the
//!    one that looks right. (In precise terms: along [`DIRECTION`], so that the border between both
//!    is in a direction in which no floor, wall or common slope looks.)
//!
//! The preferred side gives way to one that separates the shapes better by more than a share of the
//! distance of their centres.

use super::{face::Face, vector::Vectors};
use crate::simd::Simd;

/// The share for shapes whose cores overlap, 2^-15: two sides that are equally good differ by
/// roundings of about 2^-24.
const OVERLAPPING: f32 = 1.0 / (1 << 15) as f32;

/// The same for shapes that are apart: not more than roundings, because there the side that
/// separates them most is the one next to the shortest way.
const APART: f32 = 1.0 / (1 << 20) as f32;

/// A side that is no longer than this times another one is about as long.
const ABOUT_AS_LONG: f32 = 1.0 + 1.0 / (1 << 10) as f32;

/// A direction of 74 degrees.
const DIRECTION: [f32; 2] = [0.28, 0.96];

/// Where the first of two sides is preferred.
#[inline(always)]
pub(super) fn prefers_first<S: Simd>(
    simd: S,
    [first, second]: [S::F32; 2],
    first_normal: Vectors<S>,
) -> S::Mask {
    let about = simd.splat(ABOUT_AS_LONG);
    let longer = simd.lt(simd.mul(second, about), first);
    let shorter = simd.lt(simd.mul(first, about), second);
    let [x, y] = DIRECTION;
    let direction = Vectors { x: simd.splat(x), y: simd.splat(y) };
    let forward = simd.lt(simd.splat(0.0), first_normal.dot(simd, direction));
    simd.or(longer, simd.and(forward, simd.not(shorter)))
}

/// The same for these sides.
#[inline(always)]
pub(super) fn prefers_first_face<S: Simd>(simd: S, first: &Face<S>, second: &Face<S>) -> S::Mask {
    prefers_first(simd, [first.length, second.length], first.normal(simd))
}

/// How much further apart the cores must be along a side of the second shape than along one of the
/// first for it to be the reference side; below zero where the second is preferred.
#[inline(always)]
pub(super) fn handicap<S: Simd>(
    simd: S,
    prefers_first: S::Mask,
    separation: S::F32,
    offset: Vectors<S>,
) -> S::F32 {
    let apart = simd.lt(simd.splat(0.0), separation);
    let share = simd.select(apart, simd.splat(APART), simd.splat(OVERLAPPING));
    let handicap = simd.mul(offset.extent(simd), share);
    simd.select(prefers_first, handicap, simd.neg(handicap))
}

/// How good the sides of a box are as reference sides, given how far they separate it from the
/// other: as far, but less for sides without a length, so that a capsule's end does not stand for
/// what it stands on.
#[inline(always)]
pub(super) fn merits<S: Simd>(
    simd: S,
    along: Vectors<S>,
    half: Vectors<S>,
    offset: Vectors<S>,
) -> Vectors<S> {
    let zero = simd.splat(0.0);
    let less = simd.mul(offset.extent(simd), simd.splat(OVERLAPPING));
    let [x, y] = [simd.sub(along.x, less), simd.sub(along.y, less)];
    Vectors {
        x: simd.select(simd.lt(zero, half.y), along.x, x),
        y: simd.select(simd.lt(zero, half.x), along.y, y),
    }
}

/// Where a reference side separates shapes that are apart by as much as their distance, of which
/// `length2` is the square: then the shortest way goes along its normal, wherever it begins.
#[inline(always)]
pub(super) fn explains<S: Simd>(
    simd: S,
    separation: S::F32,
    length2: S::F32,
    offset: Vectors<S>,
) -> S::Mask {
    let less = simd.mul(offset.extent(simd), simd.splat(APART));
    simd.le(simd.sub(simd.sqrt(length2), less), separation)
}

/// Of ways that are as long but for roundings, the square of one from the second shape's side is to
/// be less than this times that of one from the first's.
#[inline(always)]
pub(super) fn way_handicap<S: Simd>(simd: S, prefers_first: S::Mask) -> S::F32 {
    const SHARE: f32 = 1.0 / (1 << 23) as f32;
    simd.select(prefers_first, simd.splat(1.0 - SHARE), simd.splat(1.0 + SHARE))
}
