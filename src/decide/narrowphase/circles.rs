//! Circles against circles: the distance of the centres; against oriented boxes, in whose frame
//! they are rotated; and against convex polygons.
//!
//! The box may have a radius. A box without height is the core of a capsule.
//!
//! In exact arithmetic, the nearest point to a point outside a convex polygon lies on the side with
//! the largest separation, or at an end of it (Catto, Box2D, "b2CollidePolygonAndCircle"). In `f32`
//! this does not always hold, so all sides are searched.

use super::{
    PairKernel,
    box_box::Boxes,
    face::{ABOUT_EQUAL, Distance, Face, SideToPoint},
    lane_batch::{EDGE, LaneBatch},
    lanes::Vectors,
    manifold::{
        Directed, Manifold, ManifoldPoint, STRAIGHT, in_doubt, middle, reached, told_apart,
    },
    polygon_polygon::PolygonCorners,
    verdict::{UNKNOWN, Verdict, error, reach},
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

/// The kernel for a polygon and a circle.
#[derive(Clone, Copy)]
pub(super) struct PolygonCircle;

/// The relation of a polygon and a circle.
struct CircleGap<S: Simd> {
    /// The largest distance of the centre beyond a side, and the number of that side.
    separation: S::F32,
    best: S::F32,
    /// Whether the separation is within the reach of the radii and the margin.
    reached: S::Mask,
    /// The nearest side where it is `known`, else the side with the largest separation.
    face: Face<S>,
    /// Where the nearest side is known; and the vector from `face` to the centre.
    known: S::Mask,
    way: SideToPoint<S>,
    verdict: Verdict<S>,
}

impl PolygonCircle {
    /// Searches all sides for the nearest side, not only the side with the largest separation.
    /// Rounding may confuse two sides that are nearly collinear, and then the vector to the end of
    /// the wrong side is not the shortest.
    #[inline(always)]
    fn near<S: Simd>(simd: S, batch: &LaneBatch, at: usize, margin: S::F32) -> CircleGap<S> {
        let corners = PolygonCorners::of(&batch.a);
        let own = batch.a.radius(simd, at);
        let radius = simd.add(own, batch.b.radius(simd, at));
        let centers = [batch.a.center(simd, at), batch.b.center(simd, at)];
        let point = centers[1].minus(simd, centers[0]);
        let error = error(simd, centers, point, simd.add(batch.a.reach(simd, at), radius));
        let zero = simd.splat(0.0);

        let mut separation = simd.splat(f32::MIN);
        let mut best = zero;
        for side in 0..corners.len() {
            let (vertex, normal) = (corners.vertex(simd, side, at), corners.normal(simd, side, at));
            let beyond = simd.sub(normal.dot(simd, point), normal.dot(simd, vertex));
            let further = simd.lt(separation, beyond);
            separation = simd.max(separation, beyond);
            best = simd.select(further, simd.splat(side as f32), best);
        }
        let reached = simd.le(separation, reach(simd, centers, point, radius, margin));
        let apart = simd.or(simd.lt(zero, separation), in_doubt(simd, separation, point));
        let open = simd.and(apart, reached);
        let mut length2 = simd.splat(UNKNOWN);
        let (mut known, mut nearest) = (open, best);
        if simd.bits(open) != 0 {
            let most = simd.splat(f32::MAX);
            let (mut counted, mut counted2, mut shortest) = (zero, most, most);
            let count = corners.len();
            for side in 0..count {
                let start = corners.vertex(simd, side, at);
                let end = corners.vertex(simd, (side + 1) % count, at);
                let normal = corners.normal(simd, side, at);
                // As among polygons, sides that only fill the rows do not count. Nor do the sides
                // of a very thin polygon that face away.
                let there = simd.lt(simd.splat(side as f32), simd.load(batch.a.counts(), at));
                let Distance { length2, counts } =
                    Face::bare(simd, start, end, normal).distance_to(simd, point);
                let length2 = simd.select(there, length2, most);
                let nearer = simd.and(counts, simd.lt(length2, counted2));
                shortest = simd.min(shortest, length2);
                counted2 = simd.select(nearer, length2, counted2);
                counted = simd.select(nearer, simd.splat(side as f32), counted);
            }
            length2 = simd.select(open, shortest, length2);
            let separation = told_apart(simd, separation, shortest, point);
            let open = simd.and(open, simd.lt(zero, separation));
            // A vector that consists of rounding errors does not determine at which of two sides it
            // starts.
            let way = Directed::between_corners(simd, point, shortest, point);
            // Nor does a longer vector, where rounding has put the centre below the nearest side.
            let nearly = simd.le(counted2, simd.mul(shortest, simd.splat(ABOUT_EQUAL)));
            known = simd.and(simd.and(open, way.known), nearly);
            nearest = simd.select(known, counted, nearest);
        }
        let face = corners.face(simd, nearest, own, at);
        let way = face.way_to(simd, point);
        let verdict = Verdict::of(simd, separation, length2, radius, error);
        CircleGap { separation, best, reached, face, known, way, verdict }
    }
}

impl PairKernel for PolygonCircle {
    #[inline(always)]
    fn test<S: Simd>(self, simd: S, batch: &LaneBatch, at: usize, _inclusive: bool) -> Verdict<S> {
        Self::near(simd, batch, at, simd.splat(0.0)).verdict
    }

    #[inline(always)]
    fn contact<S: Simd>(
        self,
        simd: S,
        batch: &LaneBatch,
        at: usize,
        margin: S::F32,
        _inclusive: bool,
    ) -> Manifold<S> {
        let CircleGap { separation, best, reached, face, known, way, verdict } =
            Self::near(simd, batch, at, margin);
        let (own, other) = (face.radius, batch.b.radius(simd, at));
        let point = batch.b.center(simd, at).minus(simd, batch.a.center(simd, at));
        let Directed { direction, length, .. } = Directed::new(simd, way.way, way.length2);
        let corner = simd.and(simd.or(way.before, way.after), known);

        let side_normal = face.normal(simd);
        let normal = Vectors::select(simd, corner, direction, side_normal);
        let beyond = simd.select(known, way.way.dot(simd, side_normal), separation);
        let distance = simd.select(corner, length, beyond);
        // If the centre is nearly straight above the end of a side, the feature is the side. So a
        // body at rest there keeps its contact id.
        let slanted = simd.lt(separation, simd.mul(length, simd.splat(STRAIGHT)));
        let vertex = simd.select(way.before, face.start_vertex, face.end_vertex);
        let edge = simd.select(corner, simd.add(best, simd.splat(EDGE)), face.edge);
        let feature = simd.select(simd.and(corner, slanted), vertex, edge);
        let above = simd.sub(middle(simd, distance, own, other), distance);
        let point = ManifoldPoint {
            at: point.plus(simd, normal.times(simd, above)),
            depth: simd.sub(simd.add(own, other), distance),
            features: [feature, simd.splat(0.0)],
        };
        // Beyond reach, the distance was not computed.
        Manifold::single(simd, verdict, normal, point).within_reach(simd, reached)
    }
}
