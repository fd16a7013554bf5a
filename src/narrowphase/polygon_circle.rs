//! Convex polygons against circles: the side that the centre is furthest beyond, then, beyond its
//! ends, the vertex there.
//!
//! Of a point outside a convex polygon, the nearest point lies on the side that it is furthest
//! beyond, or is an end of it. (Catto, Box2D, "b2CollidePolygonAndCircle".)

use super::{
    PairKernel,
    face::Face,
    manifold::{Directed, Manifold, ManifoldPoint, middle, within},
    polygon_polygon::Corners,
    tile::Tile,
    vector::Vectors,
};
use crate::simd::Simd;

/// The kernel.
#[derive(Clone, Copy)]
pub(super) struct PolygonCircle;

impl PolygonCircle {
    /// The side that `point` is furthest beyond (the first of several), and how far.
    #[inline(always)]
    fn nearest<S: Simd>(
        simd: S,
        corners: Corners<'_>,
        at: usize,
        point: Vectors<S>,
    ) -> (S::F32, S::F32) {
        let mut separation = simd.splat(f32::MIN);
        let mut nearest = simd.splat(0.0);
        for side in 0..corners.len() {
            let (vertex, normal) = (corners.vertex(simd, side, at), corners.normal(simd, side, at));
            let beyond = simd.sub(normal.dot(simd, point), normal.dot(simd, vertex));
            let further = simd.lt(separation, beyond);
            separation = simd.max(separation, beyond);
            nearest = simd.select(further, simd.splat(side as f32), nearest);
        }
        (separation, nearest)
    }
}

impl PairKernel for PolygonCircle {
    #[inline(always)]
    fn test<S: Simd>(self, simd: S, tile: &Tile, at: usize, inclusive: bool) -> S::Mask {
        let corners = Corners::of(&tile.a);
        let (own, other) = (tile.a.radius(simd, at), tile.b.radius(simd, at));
        let point = tile.b.center(simd, at).minus(simd, tile.a.center(simd, at));
        let (separation, side) = Self::nearest(simd, corners, at, point);
        let face = corners.face(simd, side, own, at);
        within(
            simd,
            separation,
            length2(simd, face, separation, point),
            simd.add(own, other),
            inclusive,
        )
    }

    #[inline(always)]
    fn contact<S: Simd>(
        self,
        simd: S,
        tile: &Tile,
        at: usize,
        margin: S::F32,
        inclusive: bool,
    ) -> Manifold<S> {
        let corners = Corners::of(&tile.a);
        let (own, other) = (tile.a.radius(simd, at), tile.b.radius(simd, at));
        let radius = simd.add(own, other);
        let point = tile.b.center(simd, at).minus(simd, tile.a.center(simd, at));
        let (separation, side) = Self::nearest(simd, corners, at, point);
        let face = corners.face(simd, side, own, at);
        let touching =
            within(simd, separation, length2(simd, face, separation, point), radius, inclusive);

        let zero = simd.splat(0.0);
        let way = face.way_to(simd, point);
        let Directed { direction, length, known } =
            Directed::between_corners(simd, way.way, way.length2, point);
        let corner = simd.and(simd.or(way.before, way.after), simd.lt(zero, separation));
        let corner = simd.and(corner, known);

        let normal = Vectors::select(simd, corner, direction, face.normal(simd));
        let distance = simd.select(corner, length, separation);
        let vertex = simd.select(way.before, face.start_vertex, face.end_vertex);
        let feature = simd.select(corner, vertex, face.edge);
        let above = simd.sub(middle(simd, distance, own, other), distance);
        let point = ManifoldPoint {
            at: point.plus(simd, normal.times(simd, above)),
            depth: simd.sub(radius, distance),
            features: [feature, zero],
        };
        Manifold::single(simd, touching, normal, point).bounded(simd, margin)
    }
}

/// The square of the distance of `point` from the polygon whose nearest side is `face`, where it is
/// outside; else 0.
#[inline(always)]
fn length2<S: Simd>(simd: S, face: Face<S>, separation: S::F32, point: Vectors<S>) -> S::F32 {
    let zero = simd.splat(0.0);
    simd.select(simd.lt(zero, separation), face.way_to(simd, point).length2, zero)
}
