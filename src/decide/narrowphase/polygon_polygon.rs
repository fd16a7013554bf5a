//! Convex polygons against each other: the separating axis test over the normals of all sides.
//!
//! ```text
//! for each side of a:   the smallest distance of a vertex of b beyond it
//! for each side of b:   the smallest distance of a vertex of a beyond it
//! ```
//!
//! The largest of these values is the separation of the polygons. If it is negative, it is the
//! smallest overlap. (Gottschalk, "Separating axis theorem", 1996; Ericson, Real-Time Collision
//! Detection, 5.2.1.) Boxes and capsules meet polygons here, as polygons of four vertices.
//!
//! Changes for speed:
//!
//! 1. A lane is a pair, not a vertex: nothing has to be reduced across lanes.
//! 2. All lanes run as many iterations as the lane with most vertices. A polygon with fewer
//!    vertices repeats its first vertex and side. This changes no result: a repeated value is
//!    neither smaller nor larger, and the first of equal values is taken. Pairs are grouped by the
//!    number of vertices, so that few iterations are wasted.
//! 3. The offset between the polygons is added once, after the minimum over the vertices, and not
//!    to every vertex.

use super::{
    PairKernel,
    face::{ABOUT_EQUAL, Distance, Face, Gap},
    lane_batch::{CornerRow, EDGE, LaneBatch, LaneShapes},
    lanes::Vectors,
    large_polygons::{Ask, LargePolygons, Question},
    manifold::{
        Directed, Faces, Manifold, explains, handicap, in_doubt, prefers_first_face, told_apart,
        tolerance_apart, way_handicap,
    },
    verdict::{UNKNOWN, Verdict, error, none, reach},
};
use crate::{
    posed::Lanes,
    simd::{MAX_LANES, Simd, map_each},
};

/// The vertices of polygons, one polygon per lane, relative to their centres, with the normals of
/// the sides that start there.
#[derive(Clone, Copy)]
pub(super) struct PolygonCorners<'a> {
    rows: &'a [CornerRow],
    /// The number of vertices of each polygon.
    counts: &'a [f32; MAX_LANES],
    /// The polygons, instead of rows, if both sides have some of many vertices.
    large: Option<&'a LargePolygons>,
}

impl<'a> PolygonCorners<'a> {
    #[inline(always)]
    pub(super) fn of(side: &'a LaneShapes) -> Self {
        Self { rows: side.corners(), counts: side.counts(), large: side.large() }
    }

    /// The number of rows: at least the number of vertices of every polygon.
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

    /// The smallest dot product of a vertex and `direction`.
    #[inline(always)]
    fn lowest<S: Simd>(self, simd: S, direction: Vectors<S>, at: usize) -> S::F32 {
        let mut lowest = direction.dot(simd, self.vertex(simd, 0, at));
        for vertex in 1..self.rows.len() {
            lowest = simd.min(lowest, direction.dot(simd, self.vertex(simd, vertex, at)));
        }
        lowest
    }

    /// The largest separation of `others`, whose centre is at `offset`, beyond a side, and the
    /// number of that side: the first of equal sides.
    #[inline(always)]
    fn separation<S: Simd>(
        self,
        simd: S,
        others: PolygonCorners<'_>,
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

    /// The number of the side that faces a side with this normal. It is one of the two sides at the
    /// deepest vertex: the side whose normal is more opposite to `normal`.
    ///
    /// The search does not start from the sides: several sides may be equally opposite to `normal`,
    /// to the last bit, and not all of them end at that vertex. Of several equally deep vertices,
    /// the vertex with the most opposite side is taken. A capsule has two vertices in one place,
    /// and only one of them belongs to the side above the reference side.
    #[inline(always)]
    fn against<S: Simd>(self, simd: S, normal: Vectors<S>, at: usize) -> S::F32 {
        let last = simd.sub(simd.load(self.counts, at), simd.splat(1.0));
        // The side before the first is the last side.
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

    /// The nearest side of these polygons, whose centre is at `offset`, and vertex of the other
    /// polygons, whose centre is at `others_offset`: the first of equal pairs. Also returns the
    /// square of their distance, which is the distance of the polygons if they do not overlap.
    ///
    /// All sides are searched, not only the side with the largest separation. Rounding may confuse
    /// two sides that are nearly collinear, and then the vector to the end of the wrong side is not
    /// the shortest. Sides with the vertex behind them do not count, because a capsule has two
    /// sides in one place. Sides without a length, which only fill the rows, do not count, because
    /// vectors from them are rounded differently.
    #[inline(always)]
    fn nearest<S: Simd>(
        self,
        simd: S,
        offset: Vectors<S>,
        others: PolygonCorners<'_>,
        others_offset: Vectors<S>,
        at: usize,
    ) -> NearestFeature<S> {
        let zero = simd.splat(0.0);
        let most = simd.splat(f32::MAX);
        let mut nearest =
            NearestFeature { side: zero, vertex: zero, counted2: most, length2: most };
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
                nearest = NearestFeature {
                    side: simd.select(nearer, number, nearest.side),
                    vertex: simd.select(nearer, simd.splat(vertex as f32), nearest.vertex),
                    counted2: simd.select(nearer, length2, nearest.counted2),
                    length2: simd.min(nearest.length2, length2),
                };
            }
        }
        nearest
    }

    /// The largest distance of a point, relative to the centre, beyond a side; negative inside.
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
        if let Some(large) = self.large {
            return large_face(simd, large, vertex, at).0.start;
        }
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
        let (bare, end_vertex) = match self.large {
            Some(large) => large_face(simd, large, side, at),
            None => self.face_of_rows(simd, side, at),
        };
        let edge = simd.add(side, simd.splat(EDGE));
        Face { edge, start_vertex: side, end_vertex, radius, ..bare }
    }

    /// The side with the number `side`, from the rows, and the number of its end.
    #[inline(always)]
    fn face_of_rows<S: Simd>(self, simd: S, side: S::F32, at: usize) -> (Face<S>, S::F32) {
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
        // The vertex after the last is the first vertex, and so are the repeated vertices after it.
        let inside = simd.lt(end_vertex, simd.load(self.counts, at));
        let end_vertex = simd.select(inside, end_vertex, simd.splat(0.0));
        (Face::bare(simd, start, end, normal), end_vertex)
    }
}

/// The answers to a question about polygons of many vertices, in the given lanes: see [`Question`].
/// `None` unless both sides of the batch have such polygons.
#[inline(always)]
fn ask<S: Simd>(
    simd: S,
    batch: &LaneBatch,
    at: usize,
    offset: Vectors<S>,
    wanted: S::Mask,
    question: Question,
    values: &[S::F32],
) -> Option<[S::F32; 8]> {
    let polygons = [batch.a.large()?, batch.b.large()?];
    let offset = map_each(offset.array(), |value| lanes(simd, value, at));
    let mut value_lanes = [[0.0; MAX_LANES]; 4];
    for (lanes, value) in value_lanes.iter_mut().zip(values) {
        simd.store(*value, lanes, at);
    }
    let mut answers = [[0.0; MAX_LANES]; 8];
    simd.call(Ask {
        question,
        values: &value_lanes,
        polygons,
        offset: offset.each_ref(),
        reaches: [batch.a.reaches(), batch.b.reaches()],
        lanes: simd.bits(wanted),
        at,
        answers: &mut answers,
    });
    Some(map_each(answers, |answer| simd.load(&answer, at)))
}

/// The side with the number `side` of polygons of many vertices, and the number of its end.
#[inline(always)]
fn large_face<S: Simd>(
    simd: S,
    polygons: &LargePolygons,
    side: S::F32,
    at: usize,
) -> (Face<S>, S::F32) {
    let sides = polygons.sides(&lanes(simd, side, at));
    let two = |first: usize| Vectors {
        x: simd.load(&sides[first], at),
        y: simd.load(&sides[first + 1], at),
    };
    (Face::bare(simd, two(0), two(2), two(4)), simd.load(&sides[6], at))
}

/// The values as an array, in the lanes from `at` on.
#[inline(always)]
fn lanes<S: Simd>(simd: S, values: S::F32, at: usize) -> Lanes {
    let mut lanes = [0.0; MAX_LANES];
    simd.store(values, &mut lanes, at);
    lanes
}

/// The nearest side and vertex.
#[derive(Clone, Copy)]
struct NearestFeature<S: Simd> {
    side: S::F32,
    vertex: S::F32,
    /// The square of their distance.
    counted2: S::F32,
    /// The smallest squared distance of all sides, including sides that do not count.
    length2: S::F32,
}

/// The kernel for two polygons. Boxes and capsules are polygons of four vertices here.
#[derive(Clone, Copy)]
pub(super) struct PolygonPolygon;

/// The separations of polygons.
struct PolygonSeparations<S: Simd> {
    offset: Vectors<S>,
    /// The separation along the best side of each polygon.
    largest: [S::F32; 2],
    /// The number of that side.
    best: [S::F32; 2],
    /// The sum of the radii.
    radius: S::F32,
    /// The error bound of the separations.
    error: S::F32,
}

impl<S: Simd> PolygonSeparations<S> {
    #[inline(always)]
    fn of(simd: S, batch: &LaneBatch, at: usize) -> Self {
        let (a, b) = (PolygonCorners::of(&batch.a), PolygonCorners::of(&batch.b));
        let centers = [batch.a.center(simd, at), batch.b.center(simd, at)];
        let offset = centers[1].minus(simd, centers[0]);
        let all = simd.splat(0.0);
        let all = simd.le(all, all);
        let ((first, first_best), (second, second_best)) =
            match ask(simd, batch, at, offset, all, Question::Separations, &[]) {
                Some([a, a_side, b, b_side, ..]) => ((a, a_side), (b, b_side)),
                None => {
                    let first = a.separation(simd, b, offset, at);
                    (first, b.separation(simd, a, offset.neg(simd), at))
                }
            };
        let radius = simd.add(batch.a.radius(simd, at), batch.b.radius(simd, at));
        let reaches = simd.add(batch.a.reach(simd, at), batch.b.reach(simd, at));
        let error = error(simd, centers, offset, simd.add(reaches, radius));
        let (largest, best) = ([first, second], [first_best, second_best]);
        Self { offset, largest, best, radius, error }
    }

    /// The separation along the better of both best sides.
    #[inline(always)]
    fn separation(&self, simd: S) -> S::F32 {
        simd.max(self.largest[0], self.largest[1])
    }

    /// The verdicts, given the square of the distance where it is known.
    #[inline(always)]
    fn verdict(&self, simd: S, length2: S::F32) -> Verdict<S> {
        Verdict::of(simd, self.separation(simd), length2, self.radius, self.error)
    }

    /// The square of the shortest vector from the best side of either polygon to a vertex of the
    /// other. It is, to the last bit, one of the values that [`nearest`](PolygonCorners::nearest)
    /// compares. So the distance is not larger. Only in the lanes of `open`.
    #[inline(always)]
    fn short_way2(&self, simd: S, batch: &LaneBatch, at: usize, open: S::Mask) -> S::F32 {
        let Self { offset, best, .. } = *self;
        let question = Question::ShortWay2;
        if let Some([short2, ..]) = ask(simd, batch, at, offset, open, question, &best) {
            return short2;
        }
        let (a, b) = (PolygonCorners::of(&batch.a), PolygonCorners::of(&batch.b));
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

    /// The nearest side of the first polygon and vertex of the second, and the nearest side of the
    /// second and vertex of the first, in the lanes of `open`.
    #[inline(always)]
    fn nearest(
        &self,
        simd: S,
        batch: &LaneBatch,
        at: usize,
        open: S::Mask,
    ) -> [NearestFeature<S>; 2] {
        let Self { offset, largest, best, .. } = *self;
        let values = [best[0], best[1], largest[0], largest[1]];
        let answers = ask(simd, batch, at, offset, open, Question::Nearest, &values);
        if let Some([a, b, c, d, e, f, g, h]) = answers {
            return map_each([[a, b, c, d], [e, f, g, h]], |[counted2, side, vertex, length2]| {
                NearestFeature { side, vertex, counted2, length2 }
            });
        }
        let (a, b) = (PolygonCorners::of(&batch.a), PolygonCorners::of(&batch.b));
        let zero = simd.splat(0.0);
        let origin = Vectors { x: zero, y: zero };
        [a.nearest(simd, origin, b, offset, at), b.nearest(simd, offset, a, origin, at)]
    }

    /// Selects the reference side and the incident side.
    ///
    /// The reference side is the side with the largest separation, or with the smallest overlap.
    /// Where the polygons are apart by at most `reach`, it is the side nearest to a vertex of the
    /// other polygon, if that side is known.
    #[inline(always)]
    fn sides(&self, simd: S, batch: &LaneBatch, at: usize, reach: S::F32) -> Faces<S> {
        let Self { offset, largest, best, .. } = *self;
        let (a, b) = (PolygonCorners::of(&batch.a), PolygonCorners::of(&batch.b));
        let [a_radius, b_radius] = [batch.a.radius(simd, at), batch.b.radius(simd, at)];
        let separation = self.separation(simd);
        let zero = simd.splat(0.0);
        let mut a_face = a.face(simd, best[0], a_radius, at);
        let mut b_face = b.face(simd, best[1], b_radius, at).moved(simd, offset);
        let prefers_first = prefers_first_face(simd, &a_face, &b_face);
        let lengths = [a_face.length, b_face.length];
        let tolerance = tolerance_apart(simd, separation, self.radius, lengths, offset);
        let handicap = handicap(simd, prefers_first, separation, tolerance, offset);
        let mut exchanged = simd.lt(simd.add(largest[0], handicap), largest[1]);
        let mut distance = simd.select(exchanged, largest[1], largest[0]);
        let (mut gap, mut length2) = (Gap::none(simd), simd.splat(UNKNOWN));
        let apart = simd.or(simd.lt(zero, separation), in_doubt(simd, separation, offset));
        let open = simd.and(apart, simd.le(separation, reach));
        if simd.bits(open) != 0 {
            let [from_a, from_b] = self.nearest(simd, batch, at, open);
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

            // A vector that consists of rounding errors does not determine at which of two sides it
            // starts.
            let Gap { way, length2: way2, .. } = shortest_way;
            let directed = Directed::between_corners(simd, way, way2, offset);
            // Nor does a longer vector, where rounding has put the vertex of the shortest vector
            // below its side.
            let counted2 = simd.min(from_a.counted2, from_b.counted2);
            let shortest = simd.le(counted2, simd.mul(least2, simd.splat(ABOUT_EQUAL)));
            let known = simd.and(simd.and(open, directed.known), shortest);
            gap = shortest_way.only(simd, known);
            // From corner to corner, both sides at a corner are equally near. Then the reference
            // side is the side with the largest separation, as in all other cases.
            let corners = simd.lt(zero, gap.corners);
            let turn = simd
                .or(simd.and(second, simd.not(exchanged)), simd.and(exchanged, simd.not(second)));
            let reversed = Gap::select(simd, turn, gap.reversed(simd), gap);
            gap = Gap::select(simd, corners, reversed, gap);
            let explained = explains(simd, distance, least2, tolerance);
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
        let all = simd.le(zero, zero);
        let question = Question::Against;
        let against = match ask(simd, batch, at, offset, all, question, &normal.array()) {
            Some([a, b, ..]) => [a, b],
            None => [a.against(simd, normal, at), b.against(simd, normal, at)],
        };
        let a_face = a.face(simd, against[0], a_radius, at);
        let b_face = b.face(simd, against[1], b_radius, at).moved(simd, offset);
        let incident = Face::select(simd, exchanged, a_face, b_face);
        let verdict = self.verdict(simd, length2);
        let straight_on = none(simd);
        let sides =
            Faces { reference, incident, gap, verdict, distance, exchanged, offset, straight_on };
        self.straight_on(simd, batch, at, sides)
    }

    /// Sets `straight_on` for sides that lie beside each other: whether the point at the incident
    /// vertex is nearer to both polygons than the point at the end of the reference side. See
    /// [`Single`](super::manifold::Single).
    #[inline(always)]
    fn straight_on(&self, simd: S, batch: &LaneBatch, at: usize, sides: Faces<S>) -> Faces<S> {
        let (a, b) = (PolygonCorners::of(&batch.a), PolygonCorners::of(&batch.b));
        let at_side = simd.le(sides.gap.corners, simd.splat(0.0));
        let Some((beside, [below, above])) = sides.places_beside(simd, at_side) else {
            return sides;
        };
        let [below_b, above_b] = [below.minus(simd, self.offset), above.minus(simd, self.offset)];
        let exchanged = sides.exchanged;
        let a_point = Vectors::select(simd, exchanged, above, below);
        let b_point = Vectors::select(simd, exchanged, below_b, above_b);
        let points = [a_point.x, a_point.y, b_point.x, b_point.y];
        let answers = ask(simd, batch, at, self.offset, beside, Question::Beyond, &points);
        let [off_a, off_b] = match answers {
            Some([a, b, ..]) => [a, b],
            None => [a.beyond(simd, a_point, at), b.beyond(simd, b_point, at)],
        };
        let off_reference = simd.select(exchanged, off_b, off_a);
        let off_incident = simd.select(exchanged, off_a, off_b);
        Faces { straight_on: simd.lt(off_reference, off_incident), ..sides }
    }
}

impl PairKernel for PolygonPolygon {
    #[inline(always)]
    fn test<S: Simd>(self, simd: S, batch: &LaneBatch, at: usize, _inclusive: bool) -> Verdict<S> {
        let separations = PolygonSeparations::of(simd, batch, at);
        let PolygonSeparations { radius, error, .. } = separations;
        let separation = separations.separation(simd);
        let unknown = simd.splat(UNKNOWN);
        // The distance of the cores matters only where they are apart and within the reach of the
        // radii.
        let apart = simd.and(simd.lt(simd.neg(error), separation), simd.lt(error, radius));
        let open = simd.and(apart, simd.le(separation, simd.add(radius, error)));
        if simd.bits(open) == 0 {
            return separations.verdict(simd, unknown);
        }
        // Usually a vector from one of the best sides is already short enough. Then the search for
        // the shortest vector is skipped.
        let short2 = simd.select(open, separations.short_way2(simd, batch, at, open), unknown);
        let verdict = separations.verdict(simd, short2);
        if simd.bits(simd.and(open, simd.not(verdict.touching))) == 0 {
            return verdict;
        }
        let [from_a, from_b] = separations.nearest(simd, batch, at, open);
        let length2 = simd.select(open, simd.min(from_a.length2, from_b.length2), unknown);
        separations.verdict(simd, length2)
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
        let separations = PolygonSeparations::of(simd, batch, at);
        let centers = [batch.a.center(simd, at), batch.b.center(simd, at)];
        let reach = reach(simd, centers, separations.offset, separations.radius, margin);
        let sides = separations.sides(simd, batch, at, reach);
        // Beyond reach, the distance was not computed, and the preferred side may be within reach
        // by a rounding.
        let reached = simd.le(separations.separation(simd), reach);
        sides.manifold(simd, margin).within_reach(simd, reached).named(simd, batch, at)
    }
}
