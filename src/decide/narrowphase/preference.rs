//! The choice of the reference side between two sides that are about equally good.
//!
//! Bodies that rest on each other touch at two sides that face each other, and either could be the
//! reference side. Contacts keep their ids only if the choice does not change from step to step,
//! though no state is kept. So the choice depends on properties that neither rounding nor the small
//! movements of bodies at rest change:
//!
//! 1. The longer side, unless both are about as long. When a body tilts a little, the longer side
//!    separates it better. So the preferred side is then also the better side.
//! 2. Of sides that are about as long, the side that faces up, or, if both face sideways, the side
//!    that faces right. (Precisely: along [`DIRECTION`], so that no floor, wall or common slope
//!    faces along the border between the two halves.)
//!
//! The preferred side gives way to a side whose separation is larger by more than a share of the
//! distance of the centres. Cores that are apart by less than the radii around them have a share of
//! their own, so round bodies at rest also keep their ids.

use super::{face::Face, vector::Vectors};
use crate::{base::F32_SLACK, simd::Simd};

/// The share for shapes whose cores overlap, 2^-15. Two equally good sides differ by roundings of
/// about 2^-24.
const OVERLAPPING: f32 = 1.0 / (1 << 15) as f32;

/// The lanes in which the first of two sides is preferred, given their lengths.
#[inline(always)]
pub(super) fn prefers_first<S: Simd>(
    simd: S,
    [first, second]: [S::F32; 2],
    first_normal: Vectors<S>,
) -> S::Mask {
    /// Two sides are about as long if their lengths differ by at most this factor.
    const ABOUT_AS_LONG: f32 = 1.0 + 1.0 / (1 << 10) as f32;
    /// A direction of 74 degrees.
    const DIRECTION: [f32; 2] = [0.28, 0.96];
    let about = simd.splat(ABOUT_AS_LONG);
    let longer = simd.lt(simd.mul(second, about), first);
    let shorter = simd.lt(simd.mul(first, about), second);
    let [x, y] = DIRECTION;
    let direction = Vectors { x: simd.splat(x), y: simd.splat(y) };
    let forward = simd.lt(simd.splat(0.0), first_normal.dot(simd, direction));
    simd.or(longer, simd.and(forward, simd.not(shorter)))
}

/// The lanes in which `first` is preferred to `second`.
#[inline(always)]
pub(super) fn prefers_first_face<S: Simd>(simd: S, first: &Face<S>, second: &Face<S>) -> S::Mask {
    prefers_first(simd, [first.length, second.length], first.normal(simd))
}

/// How much larger the separation along a side of the second shape must be than along a side of the
/// first, so that it becomes the reference side. Negative where the second side is preferred.
/// `separation` is the larger separation, and `tolerance` the tolerance of cores that are apart.
#[inline(always)]
pub(super) fn handicap<S: Simd>(
    simd: S,
    prefers_first: S::Mask,
    separation: S::F32,
    tolerance: S::F32,
    offset: Vectors<S>,
) -> S::F32 {
    let apart = simd.lt(simd.splat(0.0), separation);
    let overlapping = simd.mul(offset.extent(simd), simd.splat(OVERLAPPING));
    let handicap = simd.select(apart, tolerance, overlapping);
    simd.select(prefers_first, handicap, simd.neg(handicap))
}

/// By how much separations along two sides may differ, for cores that are apart by `separation`, so
/// that both count as equally good. More than roundings only within `radius`, the sum of the radii:
/// centres of thin round bodies are near each other, so there the lengths of the sides also count.
#[inline(always)]
pub(super) fn tolerance_apart<S: Simd>(
    simd: S,
    separation: S::F32,
    radius: S::F32,
    lengths: [S::F32; 2],
    offset: Vectors<S>,
) -> S::F32 {
    /// The share of the size for cores that are apart by less than the radii around them, 2^-18.
    /// Where a body at rest tilts by a thousandth and lies a thousandth aside, two equally good
    /// sides differ by the product, 2^-20. At 2^-15, contacts of polygons with many sides are
    /// visibly less exact.
    const WITHIN_RADII: f32 = 1.0 / (1 << 18) as f32;
    /// The largest part of the separation of cores, within the radii around them, that the
    /// preferred side may be worse by, 2^-8. So the normals of the two sides differ by at most 5
    /// degrees, and the shortest vector between the cores is between the reference side and the
    /// incident side, whichever of the two is the reference side.
    const ROUNDED_SHARE: f32 = 1.0 / (1 << 8) as f32;
    let extent = offset.extent(simd);
    // Only roundings, because the side with the largest separation is then the one next to the
    // shortest vector.
    let least = simd.mul(extent, simd.splat(F32_SLACK as f32));
    let size = simd.add(extent, simd.add(lengths[0], lengths[1]));
    let most = simd.mul(size, simd.splat(WITHIN_RADII));
    let part = simd.mul(separation, simd.splat(ROUNDED_SHARE));
    let within = simd.max(least, simd.min(most, part));
    simd.select(simd.lt(radius, separation), least, within)
}

/// The merits of a box's sides as reference sides, given their separations. The merit of a side is
/// its separation, reduced for sides without a length. So the end of a capsule does not become the
/// reference side instead of the side that it stands on.
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

/// The lanes in which the separation along a reference side is as large as the distance of the
/// shapes, whose square is `length2`, within `tolerance`. The shortest vector is then along the
/// normal of that side, wherever it starts.
#[inline(always)]
pub(super) fn explains<S: Simd>(
    simd: S,
    separation: S::F32,
    length2: S::F32,
    tolerance: S::F32,
) -> S::Mask {
    simd.le(simd.sub(simd.sqrt(length2), tolerance), separation)
}

/// The factor for comparing the squares of vectors that are equal up to rounding. The square of the
/// vector from the second shape's side must be less than this times that from the first's.
#[inline(always)]
pub(super) fn way_handicap<S: Simd>(simd: S, prefers_first: S::Mask) -> S::F32 {
    const SHARE: f32 = 1.0 / (1 << 23) as f32;
    simd.select(prefers_first, simd.splat(1.0 - SHARE), simd.splat(1.0 + SHARE))
}
