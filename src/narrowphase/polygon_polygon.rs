//! Convex polygons against each other: the separating axis test over the normals of all sides.
//!
//! ```text
//! for each side of a:   how far the vertices of b are beyond it, at least
//! for each side of b:   how far the vertices of a are beyond it, at least
//! ```
//!
//! The largest of these separates the polygons, or is the least that they overlap by. (Gottschalk,
//! "Separating axis theorem", 1996; Ericson, Real-Time Collision Detection, 5.2.1.) Boxes and capsules
//! meet polygons here, as polygons of four vertices.
//!
//! What was changed for speed:
//!
//! 1. A lane is a pair, not a vertex: nothing has to be reduced across lanes.
//! 2. All lanes take as many turns as the one with most vertices. A polygon with fewer repeats its
//!    first vertex and side, which changes nothing: it is neither larger nor smaller than itself, and
//!    of several the first is taken. Pairs are put together by the number of vertices, so that few
//!    turns are for nothing.
//! 3. Whole offsets are added behind the smallest of the products, not to every vertex.

use super::{
    PairKernel,
    face::{Distance, Face, Gap},
    manifold::{Directed, EDGE, Manifold, Sides, in_doubt, told_apart},
    preference::{explains, handicap, prefers_first_face, way_handicap},
    tile::{CornerRow, Side, Tile},
    vector::Vectors,
    verdict::{UNKNOWN, Verdict, error, none, reach},
};
use crate::simd::{MAX_LANES, Simd};

/// The vertices of polygons, a lane each, seen from their centres; and the normals of the sides that
/// begin there.
#[derive(Clone, Copy)]
pub(super) struct Corners<'a> {
    rows: &'a [CornerRow],
    /// How many vertices each has.
    counts: &'a [f32; MAX_LANES],
}

impl<'a> Corners<'a> {
    #[inline(always)]
    pub(super) fn of(side: &'a Side) -> Self {
        Self { rows: side.corners(), counts: side.counts() }
    }

    /// As many as the polygon with most vertices has, or more.
    #[inline(always)]
    pub(super) fn len(self) -> usize {
        self.rows.len()
    }

    #[inline(always)]
    pub(super) fn vertex<S: Simd>(self, simd: S, vertex: usize, at: usize) -> Vectors<S> {
        let CornerRow([x, y, _, _]) = &self.rows[vertex];
        Vectors { x: simd.load(x, at), y: simd.load(y, at) }
    }

    #[inline(always)]
    pub(super) fn normal<S: Simd>(self, simd: S, side: usize, at: usize) -> Vectors<S> {
        let CornerRow([_, _, x, y]) = &self.rows[side];
        Vectors { x: simd.load(x, at), y: simd.load(y, at) }
    }

    /// The smallest product of a vertex and `direction`.
    #[inline(always)]
    fn lowest<S: Simd>(self, simd: S, direction: Vectors<S>, at: usize) -> S::F32 {
        let mut lowest = direction.dot(simd, self.vertex(simd, 0, at));
        for vertex in 1..self.rows.len() {
            lowest = simd.min(lowest, direction.dot(simd, self.vertex(simd, vertex, at)));
        }
        lowest
    }

    /// The side that `others`, whose centre is at `offset`, are furthest beyond (the first of
    /// several), and how far.
    #[inline(always)]
    fn separation<S: Simd>(
        self,
        simd: S,
        others: Corners<'_>,
        offset: Vectors<S>,
        at: usize,
    ) -> (S::F32, S::F32) {
        let mut separation = simd.splat(f32::MIN);
        let mut best = simd.splat(0.0);
        for side in 0..self.rows.len() {
            let (vertex, normal) = (self.vertex(simd, side, at), self.normal(simd, side, at));
            let reach = simd.sub(normal.dot(simd, offset), normal.dot(simd, vertex));
            let beyond = simd.add(others.lowest(simd, normal, at), reach);
            let further = simd.lt(separation, beyond);
            separation = simd.max(separation, beyond);
            best = simd.select(further, simd.splat(side as f32), best);
        }
        (separation, best)
    }

    /// The number of the side that faces a side with this normal: of the two that meet in the vertex
    /// that is deepest below it, the one that looks against it more. (Of all sides, more than one may
    /// look against it to the last bit, and not all of them have that vertex.) Of several vertices as deep, the
    /// one with the side that looks against it most: a capsule has two in one place, and only one of them has
    /// the side that is above it.
    #[inline(always)]
    fn against<S: Simd>(self, simd: S, normal: Vectors<S>, at: usize) -> S::F32 {
        let last = simd.sub(simd.load(self.counts, at), simd.splat(1.0));
        // The side before the first is the last one.
        let mut previous = normal.dot(simd, self.normal(simd, 0, at));
        for side in 1..self.rows.len() {
            let number = simd.splat(side as f32);
            let found = simd.and(simd.le(number, last), simd.le(last, number));
            let product = normal.dot(simd, self.normal(simd, side, at));
            previous = simd.select(found, product, previous);
        }
        let mut before = last;
        let (mut lowest, mut least) = (simd.splat(f32::MAX), simd.splat(f32::MAX));
        let mut facing = simd.splat(0.0);
        for vertex in 0..self.rows.len() {
            let number = simd.splat(vertex as f32);
            let height = normal.dot(simd, self.vertex(simd, vertex, at));
            let product = normal.dot(simd, self.normal(simd, vertex, at));
            let side = simd.select(simd.lt(previous, product), before, number);
            let product_of_side = simd.min(previous, product);
            let more = simd.and(simd.le(height, lowest), simd.lt(product_of_side, least));
            let taken = simd.or(simd.lt(height, lowest), more);
            lowest = simd.min(lowest, height);
            least = simd.select(taken, product_of_side, least);
            facing = simd.select(taken, side, facing);
            (previous, before) = (product, number);
        }
        facing
    }

    /// The number of a side of these polygons, whose centre is at `offset`, and that of a vertex of the
    /// others, at `others_offset`, that are nearest to each other: the first of several. And the
    /// square of their distance.
    ///
    /// That is the distance of the polygons, if they do not overlap. All sides are looked at, and not
    /// only the one that separates the polygons most: of two sides that nearly are one, roundings may
    /// take the one for the other, and the way to its end is no measure. Sides that the vertex is behind
    /// do not count: a capsule has two in one place. Nor do sides without a length that only fill the rows:
    /// ways from these are rounded in another way.
    #[inline(always)]
    fn nearest<S: Simd>(
        self,
        simd: S,
        offset: Vectors<S>,
        others: Corners<'_>,
        others_offset: Vectors<S>,
        at: usize,
    ) -> Nearest<S> {
        let zero = simd.splat(0.0);
        let most = simd.splat(f32::MAX);
        let mut nearest = Nearest { side: zero, vertex: zero, counted2: most, length2: most };
        let count = self.rows.len();
        for side in 0..count {
            let (start, end) =
                (self.vertex(simd, side, at), self.vertex(simd, (side + 1) % count, at));
            let normal = self.normal(simd, side, at);
            let face = Face::bare(simd, start, end, normal).moved(simd, offset);
            let number = simd.splat(side as f32);
            let there = simd.lt(number, simd.load(self.counts, at));
            for vertex in 0..others.rows.len() {
                let point = others.vertex(simd, vertex, at).plus(simd, others_offset);
                let Distance { length2, counts } = face.distance_to(simd, point);
                let length2 = simd.select(there, length2, most);
                let nearer = simd.and(counts, simd.lt(length2, nearest.counted2));
                nearest = Nearest {
                    side: simd.select(nearer, number, nearest.side),
                    vertex: simd.select(nearer, simd.splat(vertex as f32), nearest.vertex),
                    counted2: simd.select(nearer, length2, nearest.counted2),
                    length2: simd.min(nearest.length2, length2),
                };
            }
        }
        nearest
    }

    /// How far a point, seen from the centre, is beyond the side that it is furthest beyond; below
    /// zero within.
    #[inline(always)]
    fn beyond<S: Simd>(self, simd: S, point: Vectors<S>, at: usize) -> S::F32 {
        let mut beyond = simd.splat(f32::MIN);
        for side in 0..self.rows.len() {
            let from_side = point.minus(simd, self.vertex(simd, side, at));
            beyond = simd.max(beyond, self.normal(simd, side, at).dot(simd, from_side));
        }
        beyond
    }

    /// The vertex with the number `vertex`.
    #[inline(always)]
    fn numbered<S: Simd>(self, simd: S, vertex: S::F32, at: usize) -> Vectors<S> {
        let mut point = self.vertex(simd, 0, at);
        for row in 1..self.rows.len() {
            let number = simd.splat(row as f32);
            let found = simd.and(simd.le(number, vertex), simd.le(vertex, number));
            point = Vectors::select(simd, found, self.vertex(simd, row, at), point);
        }
        point
    }

    /// The side with the number `side`, of a polygon with `radius` around it.
    #[inline(always)]
    pub(super) fn face<S: Simd>(self, simd: S, side: S::F32, radius: S::F32, at: usize) -> Face<S> {
        let mut start = self.vertex(simd, 0, at);
        let mut end = start;
        let mut normal = self.normal(simd, 0, at);
        let mut end_vertex = simd.splat(0.0);
        let count = self.rows.len();
        for row in 0..count {
            let number = simd.splat(row as f32);
            let found = simd.and(simd.le(number, side), simd.le(side, number));
            let next = (row + 1) % count;
            let next_vertex = self.vertex(simd, next, at);
            start = Vectors::select(simd, found, self.vertex(simd, row, at), start);
            end = Vectors::select(simd, found, next_vertex, end);
            normal = Vectors::select(simd, found, self.normal(simd, row, at), normal);
            end_vertex = simd.select(found, simd.splat(next as f32), end_vertex);
        }
        // The vertex behind the last one is the first, and so is what is repeated behind it.
        let inside = simd.lt(end_vertex, simd.load(self.counts, at));
        let end_vertex = simd.select(inside, end_vertex, simd.splat(0.0));
        Face {
            edge: simd.add(side, simd.splat(EDGE)),
            start_vertex: side,
            end_vertex,
            radius,
            ..Face::bare(simd, start, end, normal)
        }
    }
}

/// Squares of lengths whose ratio is no more are about the same: they are of ways that are longer than
/// 256 roundings.
pub(super) const ABOUT: f32 = 1.0625;

/// A side and a vertex that are nearest to each other.
struct Nearest<S: Simd> {
    side: S::F32,
    vertex: S::F32,
    /// The square of their distance.
    counted2: S::F32,
    /// The least of all, also of those that do not count.
    length2: S::F32,
}

/// The kernel.
#[derive(Clone, Copy)]
pub(super) struct PolygonPolygon;

/// How far polygons are apart.
struct Separations<S: Simd> {
    offset: Vectors<S>,
    /// Along the best side of each.
    largest: [S::F32; 2],
    /// Which side that is.
    best: [S::F32; 2],
    /// The sum of the radii.
    radius: S::F32,
    /// How far off all that is, at most.
    error: S::F32,
}

impl<S: Simd> Separations<S> {
    #[inline(always)]
    fn of(simd: S, tile: &Tile, at: usize) -> Self {
        let (a, b) = (Corners::of(&tile.a), Corners::of(&tile.b));
        let centers = [tile.a.center(simd, at), tile.b.center(simd, at)];
        let offset = centers[1].minus(simd, centers[0]);
        let (first, first_best) = a.separation(simd, b, offset, at);
        let (second, second_best) = b.separation(simd, a, offset.neg(simd), at);
        let radius = simd.add(tile.a.radius(simd, at), tile.b.radius(simd, at));
        let reaches = simd.add(tile.a.reach(simd, at), tile.b.reach(simd, at));
        let error = error(simd, centers, offset, simd.add(reaches, radius));
        let (largest, best) = ([first, second], [first_best, second_best]);
        Self { offset, largest, best, radius, error }
    }

    /// Along the better side of both.
    #[inline(always)]
    fn separation(&self, simd: S) -> S::F32 {
        simd.max(self.largest[0], self.largest[1])
    }

    /// Which of the polygons touch, given the square of their distance where that is known.
    #[inline(always)]
    fn verdict(&self, simd: S, length2: S::F32) -> Verdict<S> {
        Verdict::of(simd, self.separation(simd), length2, self.radius, self.error)
    }

    /// The square of the shortest way from the best side of one to a vertex of the other: one of the ways
    /// that [`nearest`](Corners::nearest) looks at, to the last bit, so the distance is not longer.
    #[inline(always)]
    fn short_way2(&self, simd: S, tile: &Tile, at: usize) -> S::F32 {
        let Self { offset, best, .. } = *self;
        let (a, b) = (Corners::of(&tile.a), Corners::of(&tile.b));
        let zero = simd.splat(0.0);
        let a_face = a.face(simd, best[0], zero, at);
        let b_face = b.face(simd, best[1], zero, at).moved(simd, offset);
        let mut shortest = simd.splat(f32::MAX);
        for vertex in 0..b.len() {
            let point = b.vertex(simd, vertex, at).plus(simd, offset);
            shortest = simd.min(shortest, a_face.distance_to(simd, point).length2);
        }
        for vertex in 0..a.len() {
            let point = a.vertex(simd, vertex, at);
            shortest = simd.min(shortest, b_face.distance_to(simd, point).length2);
        }
        shortest
    }

    /// The square of the distance of polygons that are apart.
    #[inline(always)]
    fn distance2(&self, simd: S, tile: &Tile, at: usize) -> S::F32 {
        let (a, b) = (Corners::of(&tile.a), Corners::of(&tile.b));
        let zero = simd.splat(0.0);
        let origin = Vectors { x: zero, y: zero };
        let from_a = a.nearest(simd, origin, b, self.offset, at);
        let from_b = b.nearest(simd, self.offset, a, origin, at);
        simd.min(from_a.length2, from_b.length2)
    }

    /// The reference side is the one that separates the polygons most, or by which they overlap
    /// least; where they are apart but no further than `reach`, the one that is nearest to a vertex
    /// of the other polygon, if that can be told.
    #[inline(always)]
    fn sides(&self, simd: S, tile: &Tile, at: usize, reach: S::F32) -> Sides<S> {
        let Self { offset, largest, best, .. } = *self;
        let (a, b) = (Corners::of(&tile.a), Corners::of(&tile.b));
        let [a_radius, b_radius] = [tile.a.radius(simd, at), tile.b.radius(simd, at)];
        let separation = self.separation(simd);
        let zero = simd.splat(0.0);
        let mut a_face = a.face(simd, best[0], a_radius, at);
        let mut b_face = b.face(simd, best[1], b_radius, at).moved(simd, offset);
        let prefers_first = prefers_first_face(simd, &a_face, &b_face);
        let handicap = handicap(simd, prefers_first, separation, offset);
        let mut exchanged = simd.lt(simd.add(largest[0], handicap), largest[1]);
        let mut distance = simd.select(exchanged, largest[1], largest[0]);
        let origin = Vectors { x: zero, y: zero };
        let (mut gap, mut length2) = (Gap::none(simd), simd.splat(UNKNOWN));
        let apart = simd.or(simd.lt(zero, separation), in_doubt(simd, separation, offset));
        let open = simd.and(apart, simd.le(separation, reach));
        if simd.bits(open) != 0 {
            let from_a = a.nearest(simd, origin, b, offset, at);
            let from_b = b.nearest(simd, offset, a, origin, at);
            let least = simd.mul(from_a.counted2, way_handicap(simd, prefers_first));
            let second = simd.lt(from_b.counted2, least);
            let least2 = simd.min(from_a.length2, from_b.length2);
            length2 = simd.select(open, least2, length2);
            let separation = told_apart(simd, separation, least2, offset);
            let open = simd.and(open, simd.lt(zero, separation));
            let nearest_a = a.face(simd, from_a.side, a_radius, at);
            let nearest_b = b.face(simd, from_b.side, b_radius, at).moved(simd, offset);
            let face = Face::select(simd, second, nearest_b, nearest_a);
            let vertex = simd.select(second, from_b.vertex, from_a.vertex);
            let a_point = a.numbered(simd, from_b.vertex, at);
            let b_point = b.numbered(simd, from_a.vertex, at).plus(simd, offset);
            let point = Vectors::select(simd, second, a_point, b_point);
            let shortest_way = Gap::to_vertex(simd, face, point, vertex);

            // A way that is made of roundings does not tell which of two sides it begins at.
            let Gap { way, length2: way2, .. } = shortest_way;
            let directed = Directed::between_corners(simd, way, way2, offset);
            // Nor does a longer one, where roundings have put the vertex of the shortest below its side.
            let counted2 = simd.min(from_a.counted2, from_b.counted2);
            let shortest = simd.le(counted2, simd.mul(least2, simd.splat(ABOUT)));
            let known = simd.and(simd.and(open, directed.known), shortest);
            gap = shortest_way.only(simd, known);
            // From corner to corner, either of the sides that end there is as near; then the one
            // that separates the polygons most is the reference side, as in all other cases.
            let corners = simd.lt(zero, gap.corners);
            let turn = simd
                .or(simd.and(second, simd.not(exchanged)), simd.and(exchanged, simd.not(second)));
            let reversed = Gap::select(simd, turn, gap.reversed(simd), gap);
            gap = Gap::select(simd, corners, reversed, gap);
            let explained = explains(simd, distance, least2, offset);
            let at_side = simd.and(known, simd.not(simd.or(corners, explained)));
            a_face = Face::select(simd, at_side, nearest_a, a_face);
            b_face = Face::select(simd, at_side, nearest_b, b_face);
            let nearest_normal = Face::select(simd, second, nearest_b, nearest_a).normal(simd);
            distance = simd.select(at_side, way.dot(simd, nearest_normal), distance);
            let kept = simd.and(exchanged, simd.not(at_side));
            exchanged = simd.or(simd.and(at_side, second), kept);
        }

        let reference = Face::select(simd, exchanged, b_face, a_face);
        let normal = reference.normal(simd);
        let against = [a.against(simd, normal, at), b.against(simd, normal, at)];
        let a_face = a.face(simd, against[0], a_radius, at);
        let b_face = b.face(simd, against[1], b_radius, at).moved(simd, offset);
        let incident = Face::select(simd, exchanged, a_face, b_face);
        let verdict = self.verdict(simd, length2);
        let straight_on = none(simd);
        let sides =
            Sides { reference, incident, gap, verdict, distance, exchanged, offset, straight_on };
        self.straight_on(simd, tile, at, sides)
    }

    /// Notes where the point of sides that are beside each other is at the incident vertex, and not
    /// at the end of the reference side: where that is nearer to both polygons. See
    /// [`Single`](super::manifold::Single).
    #[inline(always)]
    fn straight_on(&self, simd: S, tile: &Tile, at: usize, sides: Sides<S>) -> Sides<S> {
        let (a, b) = (Corners::of(&tile.a), Corners::of(&tile.b));
        let at_side = simd.le(sides.gap.corners, simd.splat(0.0));
        let Some([below, above]) = sides.places_beside(simd, at_side) else {
            return sides;
        };
        let [below_b, above_b] = [below.minus(simd, self.offset), above.minus(simd, self.offset)];
        let off_reference =
            simd.select(sides.exchanged, b.beyond(simd, below_b, at), a.beyond(simd, below, at));
        let off_incident =
            simd.select(sides.exchanged, a.beyond(simd, above, at), b.beyond(simd, above_b, at));
        Sides { straight_on: simd.lt(off_reference, off_incident), ..sides }
    }
}

impl PairKernel for PolygonPolygon {
    #[inline(always)]
    fn test<S: Simd>(self, simd: S, tile: &Tile, at: usize, _inclusive: bool) -> Verdict<S> {
        let separations = Separations::of(simd, tile, at);
        let Separations { radius, error, .. } = separations;
        let separation = separations.separation(simd);
        let unknown = simd.splat(UNKNOWN);
        // Only where the cores are apart and the radii may reach does their distance matter.
        let apart = simd.and(simd.lt(simd.neg(error), separation), simd.lt(error, radius));
        let open = simd.and(apart, simd.le(separation, simd.add(radius, error)));
        if simd.bits(open) == 0 {
            return separations.verdict(simd, unknown);
        }
        // Mostly a way from one of the sides that separate the polygons most is short enough already; the
        // shortest of all is then not looked for.
        let short2 = simd.select(open, separations.short_way2(simd, tile, at), unknown);
        let verdict = separations.verdict(simd, short2);
        if simd.bits(simd.and(open, simd.not(verdict.touching))) == 0 {
            return verdict;
        }
        let length2 = simd.select(open, separations.distance2(simd, tile, at), unknown);
        separations.verdict(simd, length2)
    }

    #[inline(always)]
    fn contact<S: Simd>(
        self,
        simd: S,
        tile: &Tile,
        at: usize,
        margin: S::F32,
        _inclusive: bool,
    ) -> Manifold<S> {
        let separations = Separations::of(simd, tile, at);
        let centers = [tile.a.center(simd, at), tile.b.center(simd, at)];
        let reach = reach(simd, centers, separations.offset, separations.radius, margin);
        let sides = separations.sides(simd, tile, at, reach);
        // Beyond reach nobody has looked for the distance, and the preferred side may be within by a rounding.
        let reached = simd.le(separations.separation(simd), reach);
        sides.manifold(simd, margin).within_reach(simd, reached).named(simd, tile, at)
    }
}
