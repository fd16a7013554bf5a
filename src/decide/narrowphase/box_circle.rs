//! Oriented boxes against circles: the circle is rotated back into the frame of the box, where the
//! test is the test of axis-aligned shapes.
//!
//! The box may have a radius. A box without height is the core of a capsule.

use super::{
    PairKernel,
    box_box::Boxes,
    lane_batch::{EDGE, LaneBatch},
    manifold::{Directed, Manifold, ManifoldPoint, STRAIGHT, middle},
    vector::Vectors,
    verdict::{Verdict, error},
};
use crate::simd::Simd;

/// The kernel for a box and a circle. Boxes include segments and capsules.
#[derive(Clone, Copy)]
pub(super) struct BoxCircle;

/// A circle in the frame of its box.
struct FramedCircle<S: Simd> {
    /// The centre, in the frame of the box.
    center: Vectors<S>,
    /// The distance of the centre beyond the sides along each axis; negative inside.
    gap: Vectors<S>,
    /// The gap, clamped at zero.
    beyond: Vectors<S>,
    length2: S::F32,
    verdict: Verdict<S>,
}

impl<S: Simd> FramedCircle<S> {
    #[inline(always)]
    fn of(simd: S, batch: &LaneBatch, at: usize) -> Self {
        let a = Boxes::load(simd, &batch.a, at);
        let other = batch.b.center(simd, at);
        let offset = other.minus(simd, a.center);
        let radius = simd.add(a.radius, batch.b.radius(simd, at));
        let zero = simd.splat(0.0);
        let center = offset.turned_back(simd, a.axis);
        let gap = Vectors {
            x: simd.sub(simd.abs(center.x), a.half.x),
            y: simd.sub(simd.abs(center.y), a.half.y),
        };
        let beyond = Vectors { x: simd.max(gap.x, zero), y: simd.max(gap.y, zero) };
        let length2 = beyond.dot(simd, beyond);
        let widest = simd.max(gap.x, gap.y);
        let sizes = simd.add(a.half.extent(simd), radius);
        let error = error(simd, [a.center, other], offset, sizes);
        let verdict = Verdict::of(simd, widest, length2, radius, error);
        Self { center, gap, beyond, length2, verdict }
    }
}

impl PairKernel for BoxCircle {
    #[inline(always)]
    fn test<S: Simd>(self, simd: S, batch: &LaneBatch, at: usize, _inclusive: bool) -> Verdict<S> {
        FramedCircle::of(simd, batch, at).verdict
    }

    /// The normal belongs to the nearest side, or is the direction from the nearest corner. A
    /// centre inside the box is pushed out through the nearest side. Among equally near sides, the
    /// order is left, right, lower, upper.
    #[inline(always)]
    fn contact<S: Simd>(
        self,
        simd: S,
        batch: &LaneBatch,
        at: usize,
        _margin: S::F32,
        _inclusive: bool,
    ) -> Manifold<S> {
        let a = Boxes::load(simd, &batch.a, at);
        let other_radius = batch.b.radius(simd, at);
        let offset = batch.b.center(simd, at).minus(simd, a.center);
        let radius = simd.add(a.radius, other_radius);
        let FramedCircle { center, gap, beyond, length2, verdict } =
            FramedCircle::of(simd, batch, at);

        let (zero, one) = (simd.splat(0.0), simd.splat(1.0));
        let right = simd.lt(zero, center.x);
        let above = simd.lt(zero, center.y);
        let sign = Vectors::<S> {
            x: simd.select(right, one, simd.neg(one)),
            y: simd.select(above, one, simd.neg(one)),
        };
        // Contact with a side.
        let vertical = simd.lt(gap.x, gap.y);
        let side = Vectors::<S> {
            x: simd.select(vertical, zero, sign.x),
            y: simd.select(vertical, sign.y, zero),
        };
        let number = {
            let vertical_number = simd.select(above, simd.splat(2.0), zero);
            let level_number = simd.select(right, one, simd.splat(3.0));
            simd.select(vertical, vertical_number, level_number)
        };
        // Contact with a corner.
        let corner = simd.and(simd.lt(zero, gap.x), simd.lt(zero, gap.y));
        let way = Vectors { x: simd.mul(beyond.x, sign.x), y: simd.mul(beyond.y, sign.y) };
        let Directed { direction: way, length, known } = Directed::new(simd, way, length2);
        let corner = simd.and(corner, known);
        let corner_number = {
            let upper = simd.select(right, simd.splat(2.0), simd.splat(3.0));
            let lower = simd.select(right, one, zero);
            simd.select(above, upper, lower)
        };

        let normal = Vectors::select(simd, corner, way, side).rotated(simd, a.axis);
        let distance = simd.select(corner, length, simd.max(gap.x, gap.y));
        // If the centre is nearly straight above the end of a side, the feature is the side. So a
        // body at rest there keeps its contact id.
        let widest = simd.max(gap.x, gap.y);
        let slanted = simd.lt(widest, simd.mul(length, simd.splat(STRAIGHT)));
        let vertex = batch.a.vertex_name(simd, corner_number, at);
        let named = simd.and(corner, slanted);
        let feature = simd.select(named, vertex, simd.add(number, simd.splat(EDGE)));
        let depth = simd.sub(radius, distance);
        let above = simd.sub(middle(simd, distance, a.radius, other_radius), distance);
        let point = ManifoldPoint {
            at: offset.plus(simd, normal.times(simd, above)),
            depth,
            features: [feature, zero],
        };
        Manifold::single(simd, verdict, normal, point)
    }
}
