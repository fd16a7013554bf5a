//! Verdicts of kernels: touching, not touching, or in doubt.

use super::{boxes::boxes_touch, lanes::Vectors};
use crate::{
    geometry::{Core, ExactShape, cores_touch},
    simd::{Simd, map_each},
};

/// The verdicts of a kernel, one per lane.
#[derive(Clone, Copy)]
pub(super) struct Verdict<S: Simd> {
    /// The lanes whose shapes certainly touch.
    pub(super) touching: S::Mask,
    /// The lanes in which rounding or the touching policy could decide: see
    /// [`touch`].
    pub(super) doubt: S::Mask,
}

impl<S: Simd> Verdict<S> {
    /// The verdicts for shapes for which the kernel's own result is the contract.
    #[inline(always)]
    pub(super) fn sure(simd: S, touching: S::Mask) -> Self {
        Self { touching, doubt: none(simd) }
    }

    /// The verdicts for cores with this `separation` along the direction that separates them most.
    /// `radius` is the sum of the radii. `length2` is the square of the distance of the cores if
    /// they are apart, or [`UNKNOWN`]. `error` bounds the errors of the separation and of the
    /// distance. Touching holds under either policy.
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

/// An empty mask.
#[inline(always)]
pub(super) fn none<S: Simd>(simd: S) -> S::Mask {
    let zero = simd.splat(0.0);
    simd.lt(zero, zero)
}

/// The square of a distance that was not computed. All comparisons with it are false.
pub(super) const UNKNOWN: f32 = f32::NAN;

/// The largest separation at which the distance of the cores matters: the sum of radii and margin,
/// plus a slack well above [`error`]. The slack makes the contact of shapes that touch independent
/// of the margin.
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

/// An upper bound of the error of a separation or distance that a kernel computes.
///
/// `centers` are the centres of both shapes, and `offset` is the vector between them. `sizes` is
/// the sum of the reaches of the cores from their centres, and of the radii. The bound is the sum
/// of:
///
/// - sixteen roundings of the distances and sizes (a kernel makes up to ten of each),
/// - two roundings of the coordinates: a rounding for a centre that is computed from sides or ends,
///   and a rounding for a centre, or ends, that a pose has placed (the exact shape is placed in
///   `f64`). Where both ends of a segment are rounded, its middle is off by no more than each end,
/// - 2^-50, below which squares may underflow.
#[inline(always)]
pub(super) fn error<S: Simd>(
    simd: S,
    [a, b]: [Vectors<S>; 2],
    offset: Vectors<S>,
    sizes: S::F32,
) -> S::F32 {
    const PLACES: f32 = 1.0 / (1 << 23) as f32;
    const SIZES: f32 = 1.0 / (1 << 20) as f32;
    const SMALLEST_F32: f32 = 1.0 / (1_u64 << 50) as f32;
    let places = simd.add(a.extent(simd), b.extent(simd));
    let sizes = simd.add(sizes, offset.extent(simd));
    let relative =
        simd.add(simd.mul(places, simd.splat(PLACES)), simd.mul(sizes, simd.splat(SIZES)));
    simd.add(relative, simd.splat(SMALLEST_F32))
}

/// Whether two shapes in doubt touch, under the policy, by exact arithmetic: their bounding boxes
/// must touch, and the shapes themselves. The boxes are tested here, because an earlier test of
/// them may have included a margin. The shapes may be given in either order.
pub(super) fn touch(a: &ExactShape<'_>, b: &ExactShape<'_>, inclusive: bool) -> bool {
    let boxes = map_each([a, b], |shape| shape.placed.bounds(shape.blocks));
    if !boxes_touch(boxes, inclusive) {
        return false;
    }
    let radius = f64::from(a.placed.radius()) + f64::from(b.placed.radius());
    cores_touch(&Core::of(a), &Core::of(b), radius, inclusive)
}
