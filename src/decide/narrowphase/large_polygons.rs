//! Polygons of many vertices against each other, in time linear in their number.
//!
//! The other kernels have one pair in each lane, and try each side with each vertex. Here the lanes
//! are sides or vertices of one polygon, and the results are equal to the last bit:
//!
//! - **The separation.** The normals of a convex polygon are in the order of their angles. So the
//!   vertices of the other polygon that are lowest along them follow each other. A vector of
//!   successive sides looks at the vertices from the lowest vertex of the first side to the lowest
//!   vertex of the last side, and at the few vertices on either side that roundings could make as
//!   low.
//! - **The nearest side and vertex.** Two cores whose distance is `d` have a direction along which
//!   they are `d` apart. Only sides and vertices that are lowest along it, within a slack, can be
//!   `d` apart. They are tried with each other.
//! - All other searches look at each side or vertex once.
//!
//! docs/numerics.md has the margins ("Polygons of many vertices").

use std::ops::Range;

use super::{
    face::{ABOUT_EQUAL, Distance, Face},
    lanes::Vectors,
};
use crate::{
    base::held,
    geometry::Vector,
    posed::{Lanes, VERTICES, VertexBlock},
    simd::{Kernel, MAX_LANES, Simd, map_each},
};

/// The most vertices of polygons with one pair in each lane of a batch. Polygons with more vertices
/// may be on one side of the batch only. With AVX-512, contacts of two polygons of 64 vertices take
/// as long in either way, and with AVX2 of about 40 (2026-11-29).
pub(super) const MANY_IN_LANES: usize = 64;

/// The polygons of one side of a batch, each polygon as columns of its own.
#[derive(Debug, Default)]
pub(super) struct LargePolygons {
    /// x and y of the vertices, and of the normals of the sides that start there. After the last
    /// vertex of a polygon, its first vertex repeats: at least once, and to whole vectors.
    columns: [Vec<f32>; 4],
    /// Where each polygon starts, and the number of its vertices.
    ranges: Vec<[usize; 2]>,
}

held!(LargePolygons { columns, ranges });

impl LargePolygons {
    pub(super) fn clear(&mut self) {
        self.ranges.clear();
        for column in &mut self.columns {
            column.clear();
        }
    }

    /// Appends the polygon of the next lane.
    pub(super) fn push(&mut self, blocks: &[VertexBlock], vertices: usize) {
        let start = self.columns[0].len();
        let end = start + vertices.next_multiple_of(MAX_LANES) + MAX_LANES;
        let [x, y, normal_x, normal_y] = &mut self.columns;
        let range = start..end;
        push_column(x, range.clone(), blocks, vertices, |block| &block.x);
        push_column(y, range.clone(), blocks, vertices, |block| &block.y);
        push_column(normal_x, range.clone(), blocks, vertices, |block| &block.normal_x);
        push_column(normal_y, range, blocks, vertices, |block| &block.normal_y);
        self.ranges.push([start, vertices]);
    }

    /// Whether the batch has its polygons in lanes.
    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// The polygon of a lane. Lanes after the last polygon repeat it.
    #[inline(always)]
    fn polygon(&self, lane: usize) -> LargePolygon<'_> {
        let [start, count] = self.ranges[lane.min(self.ranges.len() - 1)];
        let end = start + count.next_multiple_of(MAX_LANES) + MAX_LANES;
        LargePolygon { columns: map_each(self.columns.each_ref(), |all| &all[start..end]), count }
    }

    /// The start, the end and the normal of the side with the number in each lane, and the number
    /// of its end.
    pub(super) fn sides(&self, numbers: &Lanes) -> [Lanes; 7] {
        let mut sides = [[0.0; MAX_LANES]; 7];
        for (lane, number) in numbers.iter().enumerate() {
            let LargePolygon { columns: [x, y, normal_x, normal_y], count } = self.polygon(lane);
            let start = *number as usize;
            let end = if start + 1 < count { start + 1 } else { 0 };
            let words = [x[start], y[start], x[end], y[end], normal_x[start], normal_y[start]];
            for (column, word) in sides.iter_mut().zip(words.into_iter().chain([end as f32])) {
                column[lane] = word;
            }
        }
        sides
    }
}

/// Appends one word of each vertex to a column, whose new part is `range`.
#[inline(always)]
fn push_column(
    column: &mut Vec<f32>,
    range: Range<usize>,
    blocks: &[VertexBlock],
    vertices: usize,
    words: impl Fn(&VertexBlock) -> &[f32; VERTICES],
) {
    column.resize(range.end, 0.0);
    let own = &mut column[range];
    for (four, block) in own.chunks_exact_mut(VERTICES).zip(blocks) {
        four.copy_from_slice(words(block));
    }
    let first = own[0];
    own[vertices..].fill(first);
}

/// The vertices and the normals of a polygon.
#[derive(Clone, Copy)]
struct LargePolygon<'a> {
    columns: [&'a [f32]; 4],
    count: usize,
}

/// The smallest value of all lanes, and its number: the smallest number among equal values.
#[inline(always)]
fn least<S: Simd>(simd: S, values: S::F32, numbers: S::F32) -> (f32, f32) {
    let (mut value_lanes, mut number_lanes) = ([0.0; MAX_LANES], [0.0; MAX_LANES]);
    simd.store(values, &mut value_lanes, 0);
    simd.store(numbers, &mut number_lanes, 0);
    let mut best = (value_lanes[0], number_lanes[0]);
    for lane in 1..S::LANES {
        let (value, number) = (value_lanes[lane], number_lanes[lane]);
        if value < best.0 || (value <= best.0 && number < best.1) {
            best = (value, number);
        }
    }
    best
}

/// The numbers of the lanes, from 0.
const NUMBERS: Lanes = {
    let mut numbers = [0.0; MAX_LANES];
    let mut lane = 0;
    while lane < MAX_LANES {
        numbers[lane] = lane as f32;
        lane += 1;
    }
    numbers
};

impl LargePolygon<'_> {
    /// The first numbers of the vectors of all vertices.
    #[inline(always)]
    fn steps<S: Simd>(self, _: S) -> impl Iterator<Item = usize> {
        (0..self.count).step_by(S::LANES)
    }

    #[inline(always)]
    fn vertices<S: Simd>(self, simd: S, at: usize) -> Vectors<S> {
        Vectors { x: simd.load(self.columns[0], at), y: simd.load(self.columns[1], at) }
    }

    #[inline(always)]
    fn normals<S: Simd>(self, simd: S, at: usize) -> Vectors<S> {
        Vectors { x: simd.load(self.columns[2], at), y: simd.load(self.columns[3], at) }
    }

    #[inline(always)]
    fn vertex(self, number: usize) -> [f32; 2] {
        [self.columns[0][number], self.columns[1][number]]
    }

    #[inline(always)]
    fn normal(self, number: usize) -> [f32; 2] {
        [self.columns[2][number], self.columns[3][number]]
    }

    /// The smallest dot product of a vertex and `direction`, and the number of the vertex.
    #[inline(always)]
    fn lowest<S: Simd>(self, simd: S, direction: [f32; 2]) -> (f32, usize) {
        let direction = splat(simd, direction);
        let mut lowest = simd.splat(f32::MAX);
        let mut number = simd.splat(0.0);
        for at in self.steps(simd) {
            let height = direction.dot(simd, self.vertices(simd, at));
            let lower = simd.lt(height, lowest);
            lowest = simd.min(height, lowest);
            number = simd.select(lower, simd.splat(at as f32), number);
        }
        let numbers = simd.add(number, simd.load(&NUMBERS, 0));
        let (lowest, number) = least(simd, lowest, numbers);
        (lowest, if (number as usize) < self.count { number as usize } else { 0 })
    }

    /// The smallest dot product of a vertex and each of some directions. Also returns a vertex
    /// beside the lowest vertex along the last direction, from where to search for the next lowest
    /// vertices.
    ///
    /// Starts at the vertex `first`, and goes in both directions until the vertices are higher than
    /// the lowest vertices by more than `slack`. All vertices behind them are higher still.
    #[inline(always)]
    fn lowest_of_each<S: Simd>(
        self,
        simd: S,
        directions: Vectors<S>,
        first: usize,
        slack: S::F32,
    ) -> (S::F32, usize) {
        let mut lowest = directions.dot(simd, splat(simd, self.vertex(first)));
        let (mut after, mut before) = (first, first);
        let mut left = self.count - 1;
        while left > 0 {
            after = if after + 1 < self.count { after + 1 } else { 0 };
            left -= 1;
            let height = directions.dot(simd, splat(simd, self.vertex(after)));
            lowest = simd.min(lowest, height);
            if simd.bits(simd.le(height, simd.add(lowest, slack))) == 0 {
                break;
            }
        }
        while left > 0 {
            before = if before > 0 { before - 1 } else { self.count - 1 };
            left -= 1;
            let height = directions.dot(simd, splat(simd, self.vertex(before)));
            lowest = simd.min(lowest, height);
            if simd.bits(simd.le(height, simd.add(lowest, slack))) == 0 {
                break;
            }
        }
        (lowest, if after > 0 { after - 1 } else { self.count - 1 })
    }

    /// The largest separation of `others`, whose centre is at `offset`, beyond a side, and the
    /// number of that side: the first of equal sides. `reach` is a bound of the distance of the
    /// vertices of `others` from their centre.
    #[inline(always)]
    fn separation<S: Simd>(
        self,
        simd: S,
        others: LargePolygon<'_>,
        offset: [f32; 2],
        reach: f32,
    ) -> (f32, f32) {
        // 32 roundings of a vertex, where the proof needs sixteen.
        let slack = simd.splat(reach * (1.0 / (1 << 19) as f32) + f32::MIN_POSITIVE);
        let offset = splat(simd, offset);
        let (mut separation, mut best) = (simd.splat(f32::MIN), simd.splat(0.0));
        let mut next = others.lowest(simd, self.normal(0)).1;
        for at in self.steps(simd) {
            let (vertices, normals) = (self.vertices(simd, at), self.normals(simd, at));
            let (lowest, last) = others.lowest_of_each(simd, normals, next, slack);
            next = last;
            let reach = simd.sub(normals.dot(simd, offset), normals.dot(simd, vertices));
            let beyond = simd.add(lowest, reach);
            let further = simd.lt(separation, beyond);
            separation = simd.max(separation, beyond);
            best = simd.select(further, simd.splat(at as f32), best);
        }
        let numbers = simd.add(best, simd.load(&NUMBERS, 0));
        let (separation, number) = least(simd, simd.neg(separation), numbers);
        (-separation, number)
    }

    /// The number of the side that faces a side with this normal: see
    /// [`PolygonCorners::against`](super::polygon_polygon::PolygonCorners).
    #[inline(always)]
    fn against<S: Simd>(self, simd: S, normal: [f32; 2]) -> f32 {
        let (lowest, _) = self.lowest(simd, normal);
        let direction = splat(simd, normal);
        let product = |side: usize| {
            let [x, y] = self.normal(side);
            normal[0] * x + normal[1] * y
        };
        let (mut least, mut facing) = (f32::INFINITY, 0);
        for at in self.steps(simd) {
            let height = direction.dot(simd, self.vertices(simd, at));
            let mut found = simd.bits(simd.le(height, simd.splat(lowest)));
            while found != 0 {
                let vertex = at + found.trailing_zeros() as usize;
                found &= found - 1;
                if vertex < self.count {
                    let before = if vertex > 0 { vertex - 1 } else { self.count - 1 };
                    let products = [product(before), product(vertex)];
                    let (product, side) = if products[0] < products[1] {
                        (products[0], before)
                    } else {
                        (products[1], vertex)
                    };
                    if product < least {
                        (least, facing) = (product, side);
                    }
                }
            }
        }
        facing as f32
    }

    /// The largest distance of a point, relative to the centre, beyond a side; negative inside.
    #[inline(always)]
    fn beyond<S: Simd>(self, simd: S, point: [f32; 2]) -> f32 {
        let point = splat(simd, point);
        let mut beyond = simd.splat(f32::MIN);
        for at in self.steps(simd) {
            let from_side = point.minus(simd, self.vertices(simd, at));
            beyond = simd.max(beyond, self.normals(simd, at).dot(simd, from_side));
        }
        -least(simd, simd.neg(beyond), simd.splat(0.0)).0
    }

    /// Whether the height of any of a vector of vertices is at most `most`.
    #[inline(always)]
    fn any_within<S: Simd>(self, simd: S, direction: Vectors<S>, at: usize, most: S::F32) -> bool {
        let heights = direction.dot(simd, self.vertices(simd, at));
        simd.bits(simd.le(heights, most)) != 0
    }

    /// A side, moved by `offset`.
    #[inline(always)]
    fn face<S: Simd>(self, simd: S, side: usize, offset: Vectors<S>) -> Face<S> {
        let end = if side + 1 < self.count { side + 1 } else { 0 };
        let ends = map_each([side, end], |vertex| splat(simd, self.vertex(vertex)));
        Face::bare(simd, ends[0], ends[1], splat(simd, self.normal(side))).moved(simd, offset)
    }

    /// The square of the shortest vector from a side to a vertex of this polygon, moved by
    /// `offset`.
    #[inline(always)]
    fn short_way2<S: Simd>(self, simd: S, side: Face<S>, offset: Vectors<S>) -> f32 {
        let mut shortest = simd.splat(f32::MAX);
        for at in self.steps(simd) {
            let points = self.vertices(simd, at).plus(simd, offset);
            shortest = simd.min(shortest, side.distance_to(simd, points).length2);
        }
        least(simd, shortest, simd.splat(0.0)).0
    }
}

#[inline(always)]
fn splat<S: Simd>(simd: S, [x, y]: [f32; 2]) -> Vectors<S> {
    Vectors { x: simd.splat(x), y: simd.splat(y) }
}

#[inline(always)]
fn negative([x, y]: [f32; 2]) -> [f32; 2] {
    [-x, -y]
}

#[inline(always)]
fn dot([a, b]: [f32; 2], [c, d]: [f32; 2]) -> f32 {
    a * c + b * d
}

/// The shortest vector from a side to a point.
fn way_to([start, end]: [Vector; 2], point: Vector) -> Vector {
    let (along, to) = (end - start, point - start);
    let share = along.dot(to) / along.length2().max(f64::MIN_POSITIVE);
    to - along * share.clamp(0.0, 1.0)
}

/// The nearest side of one polygon and vertex of the other: the first of equal pairs.
#[derive(Clone, Copy)]
struct NearestFeatures {
    /// The squared distance, the side and the vertex.
    counted: (f32, f32, f32),
    /// The smallest squared distance, including sides that do not count.
    length2: f32,
}

/// Two polygons.
#[derive(Clone, Copy)]
struct LargePair<'a> {
    a: LargePolygon<'a>,
    b: LargePolygon<'a>,
    /// The vector from the centre of `a` to the centre of `b`.
    offset: [f32; 2],
    /// Bounds of the distances of the vertices from the centres.
    reaches: [f32; 2],
}

/// A direction from `a` to `b`, and how far the polygons are apart along it.
#[derive(Clone, Copy)]
struct Apart {
    direction: [f32; 2],
    gap: f32,
    /// The height of `a`, and the lowest height of `b`, each relative to its centre.
    highest: f32,
    lowest: f32,
}

impl LargePair<'_> {
    /// More than the error of a height, and of the root of a squared distance.
    #[inline(always)]
    fn error(self) -> f32 {
        let ([x, y], [a_reach, b_reach]) = (self.offset, self.reaches);
        let size = (a_reach + b_reach) + (x.abs() + y.abs());
        size * (1.0 / (1 << 18) as f32) + 1.0 / (1_u64 << 49) as f32
    }

    /// The answers to a question: see [`Question`].
    #[inline(always)]
    fn answer<S: Simd>(self, simd: S, question: Question, values: [f32; 4]) -> [f32; 8] {
        let Self { a, b, offset, reaches } = self;
        let [first, second, third, fourth] = values;
        let origin = splat(simd, [0.0; 2]);
        let mut answer = [0.0; 8];
        match question {
            Question::Separations => {
                (answer[0], answer[1]) = a.separation(simd, b, offset, reaches[1]);
                (answer[2], answer[3]) = b.separation(simd, a, negative(offset), reaches[0]);
            }
            Question::ShortWay2 => {
                let moved = splat(simd, offset);
                let to_b = b.short_way2(simd, a.face(simd, first as usize, origin), moved);
                let to_a = a.short_way2(simd, b.face(simd, second as usize, moved), origin);
                answer[0] = to_b.min(to_a);
            }
            Question::Nearest => {
                let direction = if third < fourth {
                    negative(b.normal(second as usize))
                } else {
                    a.normal(first as usize)
                };
                let [own, other] = self.nearest(simd, direction);
                let ((c, d, e), (f, g, h)) = (own.counted, other.counted);
                answer = [c, d, e, own.length2, f, g, h, other.length2];
            }
            Question::Against => {
                answer[0] = a.against(simd, [first, second]);
                answer[1] = b.against(simd, [first, second]);
            }
            Question::Beyond => {
                answer[0] = a.beyond(simd, [first, second]);
                answer[1] = b.beyond(simd, [third, fourth]);
            }
        }
        answer
    }

    /// How far the polygons are apart along `direction`, and the length of a short connection
    /// beside their furthest vertices.
    #[inline(always)]
    fn apart<S: Simd>(self, simd: S, direction: [f32; 2]) -> (Apart, Vector) {
        let Self { a, b, offset, .. } = self;
        let (lowest, b_vertex) = b.lowest(simd, direction);
        let (highest, a_vertex) = a.lowest(simd, negative(direction));
        let gap = lowest + dot(direction, offset) + highest;
        let apart = Apart { direction, gap, highest: -highest, lowest };
        (apart, self.short_way([a_vertex, b_vertex]))
    }

    /// The shortest connection of the sides at a vertex of `a` and the sides at a vertex of `b`.
    #[inline(never)]
    fn short_way(self, [a_vertex, b_vertex]: [usize; 2]) -> Vector {
        let around = |polygon: LargePolygon<'_>, vertex: usize, [x, y]: [f32; 2]| {
            let before = if vertex > 0 { vertex - 1 } else { polygon.count - 1 };
            let after = if vertex + 1 < polygon.count { vertex + 1 } else { 0 };
            let moved = Vector::new(f64::from(x), f64::from(y));
            map_each([before, vertex, after], |vertex| {
                let [x, y] = polygon.vertex(vertex);
                Vector::new(f64::from(x), f64::from(y)) + moved
            })
        };
        let a = around(self.a, a_vertex, [0.0; 2]);
        let b = around(self.b, b_vertex, self.offset);
        let mut shortest = b[1] - a[1];
        let mut offer = |way: Vector| {
            if way.length2() < shortest.length2() {
                shortest = way;
            }
        };
        for side in 0..2 {
            for vertex in 0..3 {
                let [from_a, from_b] = [[a[side], a[side + 1]], [b[side], b[side + 1]]];
                offer(way_to(from_a, b[vertex]));
                offer(-way_to(from_b, a[vertex]));
            }
        }
        shortest
    }

    /// The nearest side of `a` and vertex of `b`, and the nearest side of `b` and vertex of `a`,
    /// given the normal of a side that separates the polygons well, from `a` to `b`. The further of
    /// the two results may be missing, unless both are about as near.
    #[inline(always)]
    fn nearest<S: Simd>(self, simd: S, direction: [f32; 2]) -> [NearestFeatures; 2] {
        let error = self.error();
        let (mut direction, mut best, mut shortest) = (direction, None::<Apart>, f32::INFINITY);
        // The direction is improved a few times. Usually the first direction is right.
        for _ in 0..6 {
            let (apart, way) = self.apart(simd, direction);
            let length = way.length();
            shortest = shortest.min(length as f32);
            let known = best.filter(|best| apart.gap <= best.gap).unwrap_or(apart);
            best = Some(known);
            if shortest - known.gap <= error || length as f32 <= error {
                break;
            }
            direction = (way * (1.0 / length)).narrow();
        }
        let nothing = NearestFeatures { counted: (f32::MAX, 0.0, 0.0), length2: f32::MAX };
        let Some(best) = best else { return [nothing; 2] };
        let within = |length: f32| length * (1.0 + 1.0 / (1 << 18) as f32) + error;
        let mut limit = within(shortest);
        let mut found = [nothing; 2];
        // Twice if the shortest connection is behind its side, because of roundings.
        for _ in 0..2 {
            found = self.within(simd, best, limit);
            let counted2 = found[0].counted.0.min(found[1].counted.0);
            if counted2.sqrt() * (1.0 + 1.0 / (1 << 20) as f32) + error * 0.5 <= limit {
                break;
            }
            let length2 = found[0].length2.min(found[1].length2);
            limit = within((length2 * ABOUT_EQUAL).sqrt()) + error;
        }
        found
    }

    /// The nearest sides and vertices, which are at most `limit` apart.
    #[inline(always)]
    fn within<S: Simd>(self, simd: S, apart: Apart, limit: f32) -> [NearestFeatures; 2] {
        let Self { a, b, offset, .. } = self;
        let Apart { direction, gap, highest, lowest } = apart;
        let slack = (limit - gap) + self.error();
        let first = FeatureSearch {
            own: a,
            others: b,
            offsets: [[0.0; 2], offset],
            direction,
            heights: [highest - slack, lowest + slack],
        };
        let second = FeatureSearch {
            own: b,
            others: a,
            offsets: [offset, [0.0; 2]],
            direction: negative(direction),
            heights: [-lowest - slack, slack - highest],
        };
        let mut found = [NearestFeatures { counted: (f32::MAX, 0.0, 0.0), length2: f32::MAX }; 2];
        for (found, search) in found.iter_mut().zip([first, second]) {
            *found = search.run(simd);
        }
        found
    }
}

/// A search for the nearest side of a polygon and vertex of the other.
#[derive(Clone, Copy)]
struct FeatureSearch<'a> {
    own: LargePolygon<'a>,
    others: LargePolygon<'a>,
    /// The centres of both polygons.
    offsets: [[f32; 2]; 2],
    direction: [f32; 2],
    /// The least height of a side of the first, and the most height of a vertex of the other.
    heights: [f32; 2],
}

impl FeatureSearch<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> NearestFeatures {
        let Self { own, others, offsets, direction, heights } = self;
        let offsets = map_each(offsets, |offset| splat(simd, offset));
        let direction = splat(simd, direction);
        let (least_height, most_height) = (simd.splat(heights[0]), simd.splat(heights[1]));
        let mut range = [usize::MAX, 0];
        for at in others.steps(simd) {
            if others.any_within(simd, direction, at, most_height) {
                range = [range[0].min(at), at];
            }
        }
        let (most, zero) = (simd.splat(f32::MAX), simd.splat(0.0));
        let (mut counted2, mut length2) = (most, most);
        let (mut best_side, mut best_vertex) = (zero, zero);
        for first in own.steps(simd) {
            let starts = direction.dot(simd, own.vertices(simd, first));
            let ends = direction.dot(simd, own.vertices(simd, first + 1));
            let mut sides = simd.bits(simd.le(least_height, simd.max(starts, ends)));
            while sides != 0 {
                let side = first + sides.trailing_zeros() as usize;
                sides &= sides - 1;
                if side >= own.count {
                    break;
                }
                let face = own.face(simd, side, offsets[0]);
                for at in (range[0]..range[1] + 1).step_by(S::LANES) {
                    if !others.any_within(simd, direction, at, most_height) {
                        continue;
                    }
                    let points = others.vertices(simd, at).plus(simd, offsets[1]);
                    let distance: Distance<S> = face.distance_to(simd, points);
                    let nearer = simd.and(distance.counts, simd.lt(distance.length2, counted2));
                    counted2 = simd.select(nearer, distance.length2, counted2);
                    best_side = simd.select(nearer, simd.splat(side as f32), best_side);
                    best_vertex = simd.select(nearer, simd.splat(at as f32), best_vertex);
                    length2 = simd.min(length2, distance.length2);
                }
            }
        }
        let vertices = simd.add(best_vertex, simd.load(&NUMBERS, 0));
        let counted = first_of(simd, [counted2, best_side, vertices]);
        NearestFeatures { counted, length2: least(simd, length2, zero).0 }
    }
}

/// The smallest triple of all lanes, by the first value, then the second, then the third.
#[inline(always)]
fn first_of<S: Simd>(simd: S, values: [S::F32; 3]) -> (f32, f32, f32) {
    let mut lanes = [[0.0; MAX_LANES]; 3];
    for (value, lanes) in values.into_iter().zip(&mut lanes) {
        simd.store(value, lanes, 0);
    }
    let [first, second, third] = &lanes;
    let mut best = (f32::INFINITY, 0.0, 0.0);
    for lane in 0..S::LANES {
        let own = (first[lane], second[lane], third[lane]);
        if own < best {
            best = own;
        }
    }
    best
}

/// A question about the pairs of a batch, with up to four values for each lane.
#[derive(Clone, Copy)]
pub(super) enum Question {
    /// The largest separation beyond a side of `a`, the number of the side, and both values for
    /// `b`.
    Separations,
    /// The square of the shortest vector from a side of either polygon to a vertex of the other.
    /// The values are the numbers of both sides.
    ShortWay2,
    /// The squared distance, the side and the vertex of the nearest side of `a` and vertex of `b`,
    /// and the least squared distance; then these four values for `b` and `a`. The values are the
    /// sides with the largest separations, and both separations.
    Nearest,
    /// The sides of `a` and of `b` that face a side with a normal, which is the value.
    Against,
    /// The largest distance of a point beyond a side of `a`, and of a point beyond a side of `b`.
    /// The values are both points.
    Beyond,
}

/// Answers a question about the pairs in some lanes. A separate function, because a kernel has
/// several questions.
pub(super) struct Ask<'a> {
    pub(super) question: Question,
    pub(super) values: &'a [Lanes; 4],
    pub(super) polygons: [&'a LargePolygons; 2],
    /// The vectors from the centres of the first to the centres of the second polygons.
    pub(super) offset: [&'a Lanes; 2],
    /// Bounds of the distances of the vertices from the centres.
    pub(super) reaches: [&'a Lanes; 2],
    /// The lanes, as bits, in a vector from `at` on.
    pub(super) lanes: u32,
    pub(super) at: usize,
    pub(super) answers: &'a mut [Lanes; 8],
}

impl Kernel for Ask<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { question, values, polygons, offset, reaches, at, answers, .. } = self;
        let there = polygons[0].ranges.len() - at;
        let mut lanes = self.lanes & (u32::MAX >> (MAX_LANES * 2 - there.min(MAX_LANES)));
        while lanes != 0 {
            let lane = at + lanes.trailing_zeros() as usize;
            lanes &= lanes - 1;
            let [a, b] = map_each(polygons, |polygons| polygons.polygon(lane));
            let offset = map_each(offset, |lanes| lanes[lane]);
            let reaches = map_each(reaches, |lanes| lanes[lane]);
            let pair = LargePair { a, b, offset, reaches };
            let values = map_each(values.each_ref(), |lanes| lanes[lane]);
            for (column, value) in answers.iter_mut().zip(pair.answer(simd, question, values)) {
                column[lane] = value;
            }
        }
    }
}
