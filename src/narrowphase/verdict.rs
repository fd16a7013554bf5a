//! Do two shapes touch? Yes, no, or: let exact arithmetic tell.

use super::vector::Vectors;
use crate::simd::Simd;

/// What a kernel knows of each lane.
#[derive(Clone, Copy)]
pub(super) struct Verdict<S: Simd> {
    /// Where the shapes touch for sure, under either policy.
    pub(super) touching: S::Mask,
    /// Where roundings could decide, or the policy: see [`exact`](super::exact).
    pub(super) doubt: S::Mask,
}

impl<S: Simd> Verdict<S> {
    /// Of shapes about which the kernel's own answer is the contract.
    #[inline(always)]
    pub(super) fn sure(simd: S, touching: S::Mask) -> Self {
        Self { touching, doubt: none(simd) }
    }

    /// For cores that are `separation` apart along the direction that separates them most, with
    /// `radius` around both together. `length2` is the square of their distance, if they are apart,
    /// or [`UNKNOWN`]. Neither is off by more than `error`.
    #[inline(always)]
    pub(super) fn of(
        simd: S,
        separation: S::F32,
        length2: S::F32,
        radius: S::F32,
        error: S::F32,
    ) -> Self {
        let [least, most] = [simd.sub(radius, error), simd.add(radius, error)];
        let overlap = simd.lt(separation, simd.neg(error));
        let positive = simd.lt(simd.splat(0.0), least);
        let reached = simd.and(positive, simd.lt(length2, simd.mul(least, least)));
        let touching = simd.or(overlap, reached);
        let distant = simd.and(simd.lt(error, separation), simd.lt(simd.mul(most, most), length2));
        let apart = simd.or(simd.lt(most, separation), distant);
        Self { touching, doubt: simd.not(simd.or(touching, apart)) }
    }
}

/// In no lane.
#[inline(always)]
pub(super) fn none<S: Simd>(simd: S) -> S::Mask {
    let zero = simd.splat(0.0);
    simd.lt(zero, zero)
}

/// The square of a distance that has not been looked for: it compares as false with all numbers.
pub(super) const UNKNOWN: f32 = f32::NAN;

/// How far apart cores may be for their distance to matter: as far as radii and margin reach, and a
/// good deal more than [`error`], so that a contact of shapes that touch is the same with any margin.
#[inline(always)]
pub(super) fn reach<S: Simd>(
    simd: S,
    [a, b]: [Vectors<S>; 2],
    offset: Vectors<S>,
    radius: S::F32,
    margin: S::F32,
) -> S::F32 {
    let places = simd.add(a.extent(simd), b.extent(simd));
    let sizes = simd.add(offset.extent(simd), radius);
    let slack = simd.add(
        simd.mul(sizes, simd.splat(1.0 / (1 << 10) as f32)),
        simd.mul(places, simd.splat(1.0 / (1 << 20) as f32)),
    );
    simd.add(simd.add(radius, margin), slack)
}

/// How far off a separation or a distance may be that a kernel computes, at most.
///
/// `centers` are those of both shapes, `offset` is the way between them, and `sizes` what their
/// cores reach from their centres, added up, and the radii. Sixteen roundings of the distances and
/// sizes (a kernel makes up to ten of each); two of the coordinates, for centres that are made from
/// sides or ends; and 2^-50, below which squares may underflow.
#[inline(always)]
pub(super) fn error<S: Simd>(
    simd: S,
    [a, b]: [Vectors<S>; 2],
    offset: Vectors<S>,
    sizes: S::F32,
) -> S::F32 {
    const PLACES: f32 = 1.0 / (1 << 23) as f32;
    const SIZES: f32 = 1.0 / (1 << 20) as f32;
    const LEAST: f32 = 1.0 / (1_u64 << 50) as f32;
    let places = simd.add(a.extent(simd), b.extent(simd));
    let sizes = simd.add(sizes, offset.extent(simd));
    let relative =
        simd.add(simd.mul(places, simd.splat(PLACES)), simd.mul(sizes, simd.splat(SIZES)));
    simd.add(relative, simd.splat(LEAST))
}
