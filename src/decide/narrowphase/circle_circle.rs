//! Circles against each other: the distance of the centres.

use super::{
    PairKernel,
    lane_batch::LaneBatch,
    manifold::{Directed, Manifold, ManifoldPoint, middle, reached},
    vector::Vectors,
    verdict::Verdict,
};
use crate::simd::Simd;

/// The kernel for two circles.
#[derive(Clone, Copy)]
pub(super) struct CircleCircle;

impl CircleCircle {
    /// The test of the contract for cores without a size, and the square of the distance.
    #[inline(always)]
    fn touching<S: Simd>(
        simd: S,
        offset: Vectors<S>,
        radius: S::F32,
        inclusive: bool,
    ) -> (S::Mask, S::F32) {
        let length2 = offset.dot(simd, offset);
        let widest = simd.max(simd.abs(offset.x), simd.abs(offset.y));
        (reached(simd, length2, widest, radius, inclusive), length2)
    }
}

impl PairKernel for CircleCircle {
    #[inline(always)]
    fn test<S: Simd>(self, simd: S, batch: &LaneBatch, at: usize, inclusive: bool) -> Verdict<S> {
        let offset = batch.b.center(simd, at).minus(simd, batch.a.center(simd, at));
        let radius = simd.add(batch.a.radius(simd, at), batch.b.radius(simd, at));
        Verdict::sure(simd, Self::touching(simd, offset, radius, inclusive).0)
    }

    #[inline(always)]
    fn contact<S: Simd>(
        self,
        simd: S,
        batch: &LaneBatch,
        at: usize,
        _margin: S::F32,
        inclusive: bool,
    ) -> Manifold<S> {
        let radii = [batch.a.radius(simd, at), batch.b.radius(simd, at)];
        let offset = batch.b.center(simd, at).minus(simd, batch.a.center(simd, at));
        Self::manifold(simd, offset, radii, inclusive)
    }
}

impl CircleCircle {
    /// The contact of two circles of these radii, relative to the centre of the first circle, from
    /// which the other centre is `offset` away.
    ///
    /// The normal is the direction from centre to centre, or (+1, 0) where the centres have no
    /// distance.
    #[inline(always)]
    pub(super) fn manifold<S: Simd>(
        simd: S,
        offset: Vectors<S>,
        [own, other]: [S::F32; 2],
        inclusive: bool,
    ) -> Manifold<S> {
        let radius = simd.add(own, other);
        let (touching, length2) = Self::touching(simd, offset, radius, inclusive);
        let (zero, one) = (simd.splat(0.0), simd.splat(1.0));
        let Directed { direction, length, known } = Directed::new(simd, offset, length2);
        let normal = Vectors::select(simd, known, direction, Vectors { x: one, y: zero });
        let point = ManifoldPoint {
            at: normal.times(simd, middle(simd, length, own, other)),
            depth: simd.sub(radius, length),
            features: [zero, zero],
        };
        Manifold::single(simd, Verdict::sure(simd, touching), normal, point)
    }
}
