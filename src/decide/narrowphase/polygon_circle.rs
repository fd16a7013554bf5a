//! Convex polygons against circles. If the centre is inside, the contact is at the side with the
//! largest separation. If it is outside, the contact is at the nearest side, or at a vertex beyond
//! its ends.
//!
//! In exact arithmetic, the nearest point to a point outside a convex polygon lies on the side with
//! the largest separation, or at an end of it (Catto, Box2D, "b2CollidePolygonAndCircle"). In `f32`
//! this does not always hold, so all sides are searched.

use super::{
    PairKernel,
    face::{ABOUT_EQUAL, Distance, Face, SideToPoint},
    lane_batch::{EDGE, LaneBatch},
    manifold::{Directed, Manifold, ManifoldPoint, STRAIGHT, in_doubt, middle, told_apart},
    polygon_polygon::PolygonCorners,
    vector::Vectors,
    verdict::{UNKNOWN, Verdict, error, reach},
};
use crate::simd::Simd;

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
