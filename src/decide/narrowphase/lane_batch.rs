//! Tiles: shapes from anywhere in memory, as columns for the kernels.
//!
//! A batch is up to [`MAX_LANES`] pairs of one kernel kind, or of axis-aligned shapes gathered from
//! columns. Placed shapes become columns by transposition, eight at a time, and so do blocks of
//! vertices. All further differences between lanes are also handled by vectors: the order of two
//! shapes of one class, and axis-aligned boxes among rotated boxes.

use std::cmp::Ordering;

use super::{
    jobs::{Job, KernelKind, Reading},
    lanes::{CLASS, RADIUS, Vectors, WordLanes, eight_lanes},
    large_polygons::{LargePolygons, MANY_IN_LANES},
    view::{Member, Sources},
};
use crate::{
    base::{MAX_VERTICES, held},
    geometry::{Core, ExactShape, Vertices},
    kernel::{ColumnSet, RoundedItems},
    posed::{Placed, ShapeClass, VERTICES, VertexBlock},
    simd::{HALF_LANES, MAX_LANES, Simd, map_each},
    store::Layout,
};

/// Added to the number of an edge, to distinguish it from the number of a vertex.
pub(super) const EDGE: f32 = MAX_VERTICES as f32;

/// One vertex of each polygon: x, y, and the normal of the side that starts there.
///
/// The alignment, as of all columns of batches, keeps a vector of sixteen lanes within one cache
/// line.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct CornerRow(pub(super) [[f32; MAX_LANES]; 4]);

/// Pairs as columns.
#[derive(Debug, Default)]
#[repr(C, align(64))]
pub(super) struct LaneBatch {
    pub(super) a: LaneShapes,
    pub(super) b: LaneShapes,
    /// 1 where `a` is the caller's second shape, else 0.
    exchanged: [f32; MAX_LANES],
}

held!(LaneBatch { a, b, exchanged });

/// One shape of each pair.
#[derive(Debug)]
#[repr(C, align(64))]
pub(super) struct LaneShapes {
    words: WordLanes,
    counts: [f32; MAX_LANES],
    /// An upper bound of the distance of the corners from the centre.
    reaches: [f32; MAX_LANES],
    corners: Vec<CornerRow>,
    /// The number of rows of `corners` in use.
    rows: usize,
    /// The polygons, if both sides have some of many vertices. Then there are no rows.
    large: LargePolygons,
}

held!(LaneShapes { words, counts, reaches, corners, rows, large });

impl Default for LaneShapes {
    fn default() -> Self {
        let lanes = [0.0; MAX_LANES];
        let words = WordLanes::default();
        Self {
            words,
            counts: lanes,
            reaches: lanes,
            corners: Vec::new(),
            rows: 0,
            large: LargePolygons::default(),
        }
    }
}

impl LaneShapes {
    /// Word `word` of the shapes.
    #[inline(always)]
    pub(super) fn word<S: Simd>(&self, simd: S, word: usize, at: usize) -> S::F32 {
        self.words.word(simd, word, at)
    }

    /// The centre of each shape, or the lower left corner of a shape that is read as sides.
    #[inline(always)]
    pub(super) fn center<S: Simd>(&self, simd: S, at: usize) -> Vectors<S> {
        self.words.words(simd, 0, at)
    }

    #[inline(always)]
    pub(super) fn radius<S: Simd>(&self, simd: S, at: usize) -> S::F32 {
        self.word(simd, RADIUS, at)
    }

    /// An upper bound of the distance of the corners from the centre.
    #[inline(always)]
    pub(super) fn reach<S: Simd>(&self, simd: S, at: usize) -> S::F32 {
        simd.load(&self.reaches, at)
    }

    /// Converts a feature number of the kernel to the number of the shape. Only vertex numbers of
    /// segments and capsules change, which are boxes without height in the kernel: vertices 0 and 3
    /// are the first end, vertices 1 and 2 the second.
    #[inline(always)]
    pub(super) fn vertex_name<S: Simd>(&self, simd: S, feature: S::F32, at: usize) -> S::F32 {
        let line = simd.and(
            self.words.before(simd, ShapeClass::Polygon4, at),
            simd.not(self.words.before(simd, ShapeClass::Line, at)),
        );
        let vertex = simd.lt(feature, simd.splat(EDGE));
        let end = simd.min(feature, simd.sub(simd.splat(3.0), feature));
        simd.select(simd.and(line, vertex), end, feature)
    }

    /// The lanes whose shape is a point or a circle.
    #[inline(always)]
    pub(super) fn is_round<S: Simd>(&self, simd: S, at: usize) -> S::Mask {
        self.words.before(simd, ShapeClass::AlignedBox, at)
    }

    /// The lower left corner of a shape that is read as sides.
    #[inline(always)]
    pub(super) fn min<S: Simd>(&self, simd: S, at: usize) -> Vectors<S> {
        self.center(simd, at)
    }

    /// The upper right corner of a shape that is read as sides.
    #[inline(always)]
    pub(super) fn max<S: Simd>(&self, simd: S, at: usize) -> Vectors<S> {
        self.words.words(simd, 2, at)
    }

    #[inline(always)]
    pub(super) fn corners(&self) -> &[CornerRow] {
        &self.corners[..self.rows]
    }

    #[inline(always)]
    pub(super) fn counts(&self) -> &[f32; MAX_LANES] {
        &self.counts
    }

    /// An upper bound of the distance of the corners from the centre, in all lanes.
    pub(super) fn reaches(&self) -> &[f32; MAX_LANES] {
        &self.reaches
    }

    /// The polygons, if both sides have some of many vertices.
    #[inline(always)]
    pub(super) fn large(&self) -> Option<&LargePolygons> {
        if self.large.is_empty() { None } else { Some(&self.large) }
    }
}

/// The shapes of a batch, in the order of the jobs.
struct BatchShapes<'a> {
    shapes: [[&'a Placed; MAX_LANES]; 2],
    /// The source of each shape, as in [`Member::source`](super::view::Member::source).
    sources: [[u32; MAX_LANES]; 2],
    /// The number of pairs: at least one and at most [`MAX_LANES`].
    pairs: usize,
}

impl<'a> BatchShapes<'a> {
    /// The shapes of so many pairs, which are set next.
    #[inline(always)]
    fn of(pairs: usize) -> Self {
        let shapes = [[const { &Placed::NONE }; MAX_LANES]; 2];
        Self { shapes, sources: [[0; MAX_LANES]; 2], pairs }
    }

    /// Sets the shapes of `jobs`. The last job is repeated in all lanes up to `used`. Also sets the
    /// flags of the lanes in which the shapes are exchanged.
    #[inline(always)]
    fn set_jobs(
        &mut self,
        sources: &Sources<'a>,
        jobs: &[Job],
        used: usize,
        exchanged: &mut [f32; MAX_LANES],
    ) {
        let [first, second] = &mut self.shapes;
        // Usually there is only one source, and no choice for each shape.
        if let Some(placed) = sources.only {
            for lane in 0..used {
                let job = &jobs[lane.min(jobs.len() - 1)];
                let [a, b] = job.rows();
                (first[lane], second[lane]) = (&placed[a as usize], &placed[b as usize]);
                exchanged[lane] = job.exchanged();
            }
            return;
        }
        for lane in 0..used {
            let job = &jobs[lane.min(jobs.len() - 1)];
            let [a, b] = job.members();
            (first[lane], second[lane]) = (sources.placed(a), sources.placed(b));
            (self.sources[0][lane], self.sources[1][lane]) = (a.source, b.source);
            exchanged[lane] = job.exchanged();
        }
    }

    /// The largest number of vertices of a polygon of one side.
    fn most_vertices(&self, which: u32, swapped: u32) -> usize {
        let shapes = (0..MAX_LANES).map(|lane| self.shapes[given(which, swapped, lane)][lane]);
        let polygons = shapes.filter(|shape| shape.class().is_polygon());
        polygons.map(|polygon| polygon.size().vertices()).max().unwrap_or(0)
    }
}

/// The side of a lane's shape in [`BatchShapes`]: the other side in the lanes of `swapped`.
#[inline(always)]
fn given(which: u32, swapped: u32, lane: usize) -> usize {
    (which ^ (swapped >> lane & 1)) as usize % 2
}

/// Two sides with one shape per row.
#[derive(Clone, Copy)]
pub(super) struct RowSides<'a> {
    /// The class of all rows of each side, in the caller's order. The shape of the later class is
    /// the first shape of the kernel.
    pub(super) classes: [ShapeClass; 2],
    /// The columns of axis-aligned shapes.
    pub(super) layouts: [Layout<'a>; 2],
    /// The other shapes.
    pub(super) placed: [&'a [Placed]; 2],
}

impl RowSides<'_> {
    /// The shapes of a row.
    pub(super) fn exact<'a>(&self, sources: &Sources<'a>, row: usize) -> [ExactShape<'a>; 2] {
        map_each([0, 1], |side| {
            let class = self.classes[side];
            if class.is_axis_aligned() {
                let sides = self.layouts[side].rounded_box(row);
                ExactShape::plain(Placed::aligned(class, sides))
            } else {
                sources.exact(Member::new(row as u32, side > 0))
            }
        })
    }
}

/// Loading. The order of the two shapes depends only on the shapes. So the pair (b, a) is decided
/// by the same operations as (a, b), and its contact is the mirror image to the last bit:
///
/// - Of two classes, the later one comes first.
/// - In one class, the shape whose centre is further left comes first, or, if both have the same x,
///   the shape whose centre is lower.
/// - If both centres coincide, the numbers of the shapes decide, and then their exact corners
///   ([`LaneBatch::tie`]). Equal shapes, and circles, which have a fixed normal there, keep the
///   given order.
impl LaneBatch {
    /// Loads the pairs of `jobs`: at least one and at most [`MAX_LANES`]. Lanes after them repeat
    /// the last one.
    #[inline(always)]
    pub(super) fn load_jobs<S: Simd>(
        &mut self,
        simd: S,
        sources: &Sources<'_>,
        jobs: &[Job],
        kind: KernelKind,
    ) {
        let count = jobs.len().next_multiple_of(S::LANES);
        let mut lanes = BatchShapes::of(jobs.len());
        // Whole vectors, and whole transpositions.
        let used = count.next_multiple_of(HALF_LANES);
        lanes.set_jobs(sources, jobs, used, &mut self.exchanged);
        for (side, shapes) in [&mut self.a, &mut self.b].into_iter().zip(&lanes.shapes) {
            side.words.load(simd, shapes, count);
        }
        let exact = |which: usize, lane: usize| {
            sources.exact(jobs[lane.min(jobs.len() - 1)].members()[which])
        };
        self.take(simd, sources, &lanes, &exact, kind);
    }

    /// Loads `pairs` rows from `row` on: at least one and at most [`MAX_LANES`].
    #[inline(always)]
    pub(super) fn load_rows<S: Simd>(
        &mut self,
        simd: S,
        sources: &Sources<'_>,
        rows: &RowSides<'_>,
        [row, pairs]: [usize; 2],
        kind: KernelKind,
    ) {
        self.set_all_classes(rows.classes);
        let count = pairs.next_multiple_of(S::LANES);
        let mut lanes = BatchShapes::of(pairs);
        let swapped = usize::from(rows.classes[0] < rows.classes[1]);
        for (which, side) in [&mut self.a, &mut self.b].into_iter().enumerate() {
            let given = which ^ swapped;
            if rows.classes[given].is_axis_aligned() {
                for at in (0..count).step_by(S::LANES) {
                    side.set_sides(simd, rows.layouts[given].load_any(simd, row + at), at);
                }
            } else {
                let placed = &rows.placed[given][row..row + pairs];
                for (lane, shape) in lanes.shapes[which].iter_mut().enumerate() {
                    *shape = &placed[lane.min(pairs - 1)];
                }
                lanes.sources[which] = [given as u32; MAX_LANES];
                side.words.load(simd, &lanes.shapes[which], count);
            }
        }
        let exact = |which: usize, lane: usize| {
            rows.exact(sources, row + lane.min(pairs - 1))[which ^ swapped]
        };
        self.take(simd, sources, &lanes, &exact, kind);
    }

    /// Finishes loading after the words of the shapes are there. `exact` returns the first or
    /// second shape of a lane for exact arithmetic.
    #[inline(always)]
    fn take<'a, S: Simd>(
        &mut self,
        simd: S,
        sources: &Sources<'_>,
        lanes: &BatchShapes<'_>,
        exact: &dyn Fn(usize, usize) -> ExactShape<'a>,
        kind: KernelKind,
    ) {
        let count = lanes.pairs.next_multiple_of(S::LANES);
        let [reading_a, reading_b] = kind.readings();
        for (side, reading) in [(&mut self.a, reading_a), (&mut self.b, reading_b)] {
            if matches!(reading, Reading::Boxes | Reading::BoxCorners) {
                for at in (0..count).step_by(S::LANES) {
                    side.make_boxes(simd, at);
                }
            }
        }
        let mut swapped = 0;
        if kind.may_be_alike() {
            for at in (0..count).step_by(S::LANES) {
                swapped |= self.order(simd, exact, reading_a, at) << at;
            }
        }
        let large = kind == KernelKind::ManyPolygon
            && [0, 1].iter().all(|&which| lanes.most_vertices(which, swapped) > MANY_IN_LANES);
        for (which, reading) in (0..).zip([reading_a, reading_b]) {
            let side = if which == 0 { &mut self.a } else { &mut self.b };
            if !side.large.is_empty() {
                side.large.clear();
            }
            if large {
                side.load_large(sources, lanes, which, swapped);
            } else {
                side.load(simd, sources, lanes, which, swapped, reading, count);
            }
        }
    }

    /// Prefetches the memory that [`load_jobs`](Self::load_jobs) will read: the blocks of polygons
    /// for the next batch of `jobs`, and the shapes for the batch after it, unless they were `seen`
    /// recently.
    #[inline(always)]
    pub(super) fn prefetch<S: Simd>(
        simd: S,
        sources: &Sources<'_>,
        jobs: &[Job],
        kind: KernelKind,
        seen: bool,
    ) {
        if !S::PREFETCHES {
            return;
        }
        let (next, later) = jobs.split_at(jobs.len().min(MAX_LANES));
        for (which, reading) in kind.readings().into_iter().enumerate() {
            if reading == Reading::Corners {
                for job in next {
                    let member = job.members()[which];
                    let blocks = sources.blocks(member.source, sources.placed(member));
                    // A polygon of up to eight vertices has no other blocks, so that no loop is
                    // needed.
                    if let [first, .., last] | [first @ last] = blocks {
                        simd.prefetch(first);
                        simd.prefetch(last);
                    }
                }
            }
        }
        if !seen {
            for job in later.iter().take(MAX_LANES) {
                for member in job.members() {
                    simd.prefetch(sources.placed(member));
                }
            }
        }
    }

    /// Exchanges the shapes of pairs of one class where the second comes first. Returns the bits of
    /// these lanes.
    #[inline(always)]
    fn order<'a, S: Simd>(
        &mut self,
        simd: S,
        exact: &dyn Fn(usize, usize) -> ExactShape<'a>,
        reading: Reading,
        at: usize,
    ) -> u32 {
        let centers = [self.a.middle(simd, reading, at), self.b.middle(simd, reading, at)];
        let (mut second_first, tied) = self.second_first(simd, centers, at);
        if tied != 0 {
            let flags = self.tie(tied, at, reading, exact);
            second_first = simd.or(second_first, set(simd, &flags));
        }
        self.exchange(simd, second_first, at);
        let Self { a, b, .. } = self;
        for word in 0..CLASS {
            let (first, second) = (a.word(simd, word, at), b.word(simd, word, at));
            simd.store(simd.select(second_first, second, first), &mut a.words.0[word], at);
            simd.store(simd.select(second_first, first, second), &mut b.words.0[word], at);
        }
        simd.bits(second_first)
    }

    /// The lanes in which both shapes have one class and the second comes first by its centre. Also
    /// returns the bits of the lanes in which the centres coincide.
    #[inline(always)]
    fn second_first<S: Simd>(&self, simd: S, [a, b]: [Vectors<S>; 2], at: usize) -> (S::Mask, u32) {
        // The class of the first shape is never before the class of the second, so `<=` means
        // equal.
        let alike = simd.le(self.a.word(simd, CLASS, at), self.b.word(simd, CLASS, at));
        let left = simd.lt(b.x, a.x);
        let level = simd.le(b.x, a.x);
        let below = simd.lt(b.y, a.y);
        let second_first = simd.or(left, simd.and(level, below));
        let not_above = simd.and(level, simd.le(b.y, a.y));
        let tied = simd.and(alike, simd.and(not_above, simd.not(second_first)));
        (simd.and(alike, second_first), simd.bits(tied))
    }

    /// Flips the `exchanged` flag in the lanes of `second_first`.
    #[inline(always)]
    fn exchange<S: Simd>(&mut self, simd: S, second_first: S::Mask, at: usize) {
        let exchanged = self.exchanged(simd, at);
        let other = simd.sub(simd.splat(1.0), exchanged);
        simd.store(simd.select(second_first, other, exchanged), &mut self.exchanged, at);
    }

    /// Orders two shapes of one class whose centres coincide: the shape with the smaller number
    /// comes first, at the first number that differs. Where all numbers are equal, the exact
    /// corners decide in the same way: kernels do not read them, but they distinguish the shapes.
    /// Returns 1 in those lanes of `tied`, counted from `at`, in which the second shape comes
    /// first. `shape` returns the first or second shape of a lane.
    ///
    /// Scalar and not inlined, because it is rare.
    #[inline(never)]
    fn tie<'a>(
        &self,
        tied: u32,
        at: usize,
        reading: Reading,
        shape: &dyn Fn(usize, usize) -> ExactShape<'a>,
    ) -> [f32; MAX_LANES] {
        let word =
            |which: usize, lane: usize, word: usize| [&self.a, &self.b][which].words.0[word][lane];
        let mut flags = [0.0; MAX_LANES];
        for lane in (0..MAX_LANES - at).filter(|lane| tied >> lane & 1 == 1) {
            if ShapeClass::number(word(0, at + lane, CLASS).to_bits()) == ShapeClass::Round as usize
            {
                continue;
            }
            let [first, second] = map_each([0, 1], |which| shape(which, at + lane));
            let by_numbers = match reading {
                Reading::Corners => {
                    let [first, second] = [first, second]
                        .map(|ExactShape { placed, blocks, .. }| placed.outline(blocks));
                    second.partial_cmp(first)
                }
                _ => {
                    let words: &[usize] = if reading == Reading::Sides {
                        &[0, 1, 2, 3, RADIUS]
                    } else {
                        &[2, 3, 4, 5, RADIUS]
                    };
                    let [first, second] = [0, 1].map(|which| {
                        words.iter().map(move |&number| word(which, at + lane, number))
                    });
                    second.partial_cmp(first)
                }
            };
            let second_first = match by_numbers {
                Some(Ordering::Equal) => {
                    let [first, second] = [first, second].map(|shape| Core::of(&shape));
                    second.corners().lt(first.corners())
                }
                decided => decided == Some(Ordering::Less),
            };
            flags[lane] = f32::from(u8::from(second_first));
        }
        flags
    }

    /// Sets the classes of the axis-aligned shapes of all lanes, as
    /// [`set_classes`](LaneBatch::set_classes) does for one lane.
    #[inline(always)]
    pub(super) fn set_all_classes(&mut self, classes: [ShapeClass; 2]) {
        self.set_classes(0, classes);
        for column in [&mut self.a.words.0[CLASS], &mut self.b.words.0[CLASS], &mut self.exchanged]
        {
            *column = [column[0]; MAX_LANES];
        }
    }

    /// Sets the classes of the axis-aligned shapes of a lane, given in the caller's order. Returns
    /// whether the kernel has the other order.
    #[inline(always)]
    pub(super) fn set_classes(&mut self, lane: usize, [a, b]: [ShapeClass; 2]) -> bool {
        let exchanged = a < b;
        let [first, second] = if exchanged { [b, a] } else { [a, b] };
        self.a.words.0[CLASS][lane] = f32::from_bits(first.word());
        self.b.words.0[CLASS][lane] = f32::from_bits(second.word());
        self.exchanged[lane] = f32::from(u8::from(exchanged));
        exchanged
    }

    /// Stores axis-aligned shapes in the lanes from `at` on, and orders them as
    /// loading does. The shapes of the later class must come first.
    #[inline(always)]
    pub(super) fn set_sides<S: Simd>(&mut self, simd: S, [a, b]: [RoundedItems<S>; 2], at: usize) {
        let centers = [center(simd, a), center(simd, b)];
        let (mut second_first, tied) = self.second_first(simd, centers, at);
        if tied != 0 {
            self.a.set_sides(simd, a, at);
            self.b.set_sides(simd, b, at);
            let flags = self.tie(tied, at, Reading::Sides, &|_, _| ExactShape::plain(Placed::NONE));
            second_first = simd.or(second_first, set(simd, &flags));
        }
        self.exchange(simd, second_first, at);
        self.a.set_sides(simd, RoundedItems::select(simd, second_first, b, a), at);
        self.b.set_sides(simd, RoundedItems::select(simd, second_first, a, b), at);
    }

    /// Above zero in the lanes in which `a` is the caller's second shape.
    #[inline(always)]
    pub(super) fn exchanged<S: Simd>(&self, simd: S, at: usize) -> S::F32 {
        simd.load(&self.exchanged, at)
    }
}

impl LaneShapes {
    /// Stores axis-aligned shapes in the lanes from `at` on.
    #[inline(always)]
    fn set_sides<S: Simd>(&mut self, simd: S, shapes: RoundedItems<S>, at: usize) {
        let RoundedItems { core, radius } = shapes;
        for (word, side) in [core.min_x, core.min_y, core.max_x, core.max_y].into_iter().enumerate()
        {
            simd.store(side, &mut self.words.0[word], at);
        }
        simd.store(radius, &mut self.words.0[RADIUS], at);
    }

    /// The centres of shapes that are read as `reading`.
    #[inline(always)]
    fn middle<S: Simd>(&self, simd: S, reading: Reading, at: usize) -> Vectors<S> {
        if reading == Reading::Sides {
            middle(simd, self.min(simd, at), self.max(simd, at))
        } else {
            self.center(simd, at)
        }
    }

    /// Converts axis-aligned shapes, segments and capsules to rotated boxes.
    #[inline(always)]
    fn make_boxes<S: Simd>(&mut self, simd: S, at: usize) {
        let aligned = self.words.before(simd, ShapeClass::Rotated, at);
        let rotated = simd.and(simd.not(aligned), self.words.before(simd, ShapeClass::Line, at));
        let made = simd.not(rotated);
        // Many scenes have no such lanes.
        if simd.bits(made) == 0 {
            return;
        }
        let (first, last) = (self.min(simd, at), self.max(simd, at));
        let half = simd.splat(0.5);
        let center = middle(simd, first, last);
        let size = last.minus(simd, first);
        let (zero, one) = (simd.splat(0.0), simd.splat(1.0));
        // In other lanes these words have another meaning, and the result is discarded.
        let direction = self.words.words(simd, 4, at);
        let length = size.dot(simd, direction);
        let cos = simd.select(aligned, one, direction.x);
        let sin = simd.select(aligned, zero, direction.y);
        let width = simd.mul(simd.select(aligned, size.x, length), half);
        let height = simd.mul(simd.select(aligned, size.y, zero), half);
        let words = [center.x, center.y, cos, sin, width, height];
        for (word, value) in words.into_iter().enumerate() {
            let own = self.word(simd, word, at);
            simd.store(simd.select(made, value, own), &mut self.words.0[word], at);
        }
    }

    /// Loads the first `pairs` polygons, each polygon as columns of its own. Other parameters are
    /// as in [`load`](Self::load).
    #[inline(never)]
    fn load_large(
        &mut self,
        sources: &Sources<'_>,
        shapes: &BatchShapes<'_>,
        which: u32,
        swapped: u32,
    ) {
        let pairs = shapes.pairs;
        self.rows = 0;
        for lane in 0..MAX_LANES {
            let which = given(which, swapped, lane);
            let placed = shapes.shapes[which][lane.min(pairs - 1)];
            let size = placed.size();
            self.counts[lane] = size.vertices() as f32;
            self.reaches[lane] = size.reach();
            if lane < pairs {
                let blocks = sources.blocks(shapes.sources[which][lane], placed);
                self.large.push(blocks, size.vertices());
            }
        }
    }

    /// Loads the corners of the shapes, if `reading` has any. `which` is the side of the shapes in
    /// `shapes`. In the lanes of `swapped` they belong to the other side.
    #[expect(clippy::too_many_arguments, reason = "inlined into one caller")]
    #[inline(always)]
    fn load<S: Simd>(
        &mut self,
        simd: S,
        sources: &Sources<'_>,
        shapes: &BatchShapes<'_>,
        which: u32,
        swapped: u32,
        reading: Reading,
        lanes: usize,
    ) {
        match reading {
            Reading::Sides | Reading::Plain | Reading::Boxes => return,
            Reading::BoxCorners => {
                self.reserve(4);
                self.counts = [4.0; MAX_LANES];
                for at in (0..lanes).step_by(S::LANES) {
                    self.make_box(simd, at);
                }
                return;
            }
            Reading::Corners => {}
        }
        let mut polygons: [&[VertexBlock]; MAX_LANES] = [&[]; MAX_LANES];
        let (mut fewest, mut most) = (usize::MAX, 0);
        for (lane, polygon) in
            polygons.iter_mut().enumerate().take(lanes.next_multiple_of(HALF_LANES))
        {
            let which = given(which, swapped, lane);
            let placed = shapes.shapes[which][lane];
            *polygon = sources.blocks(shapes.sources[which][lane], placed);
            (fewest, most) = (fewest.min(polygon.len()), most.max(polygon.len()));
            let size = placed.size();
            self.counts[lane] = size.vertices() as f32;
            self.reaches[lane] = size.reach();
        }
        self.reserve(most * VERTICES);
        for first in (0..lanes).step_by(HALF_LANES) {
            let mut eight = [&[][..]; HALF_LANES];
            eight.copy_from_slice(&polygons[first..first + HALF_LANES]);
            for block in 0..fewest {
                self.load_block(simd, map_each(eight, |blocks| &blocks[block]), block, first);
            }
            for block in fewest..most {
                // After its last block, a polygon repeats its first vertex, as within the block.
                let ends = map_each(eight, |blocks| blocks[0].first_vertex());
                let mut rows = ends.each_ref();
                for (row, blocks) in rows.iter_mut().zip(eight) {
                    *row = blocks.get(block).unwrap_or(row);
                }
                self.load_block(simd, rows, block, first);
            }
        }
    }

    /// Makes `rows` rows of corners available.
    #[inline(always)]
    fn reserve(&mut self, rows: usize) {
        if self.corners.len() < rows {
            self.corners.resize(rows, CornerRow([[0.0; MAX_LANES]; 4]));
        }
        self.rows = rows;
    }

    /// Writes the corners of boxes, counter-clockwise from the left end of the lower side.
    #[inline(always)]
    fn make_box<S: Simd>(&mut self, simd: S, at: usize) {
        let right = Vectors::<S> { x: self.word(simd, 2, at), y: self.word(simd, 3, at) };
        let up = right.left(simd);
        let (half_x, half_y) = (self.word(simd, 4, at), self.word(simd, 5, at));
        simd.store(simd.add(half_x, half_y), &mut self.reaches, at);
        let (width, height) = (right.times(simd, half_x), up.times(simd, half_y));
        let (high, low) = (height, height.neg(simd));
        let corners = [
            (low.minus(simd, width), up.neg(simd)),
            (low.plus(simd, width), right),
            (high.plus(simd, width), up),
            (high.minus(simd, width), right.neg(simd)),
        ];
        for (row, (vertex, normal)) in self.corners.iter_mut().zip(corners) {
            let CornerRow([x, y, normal_x, normal_y]) = row;
            simd.store(vertex.x, x, at);
            simd.store(vertex.y, y, at);
            simd.store(normal.x, normal_x, at);
            simd.store(normal.y, normal_y, at);
        }
    }

    /// Loads the vertices of eight blocks into the lanes from `first` on. `block` is the number of
    /// the blocks within their polygons.
    #[inline(always)]
    fn load_block<S: Simd>(
        &mut self,
        simd: S,
        blocks: [&VertexBlock; HALF_LANES],
        block: usize,
        first: usize,
    ) {
        let four = &mut self.corners.as_chunks_mut::<VERTICES>().0[block];
        for word in 0..4 {
            let [a, b, c, d] = &mut *four;
            let columns = [
                eight_lanes(&mut a.0[word], first),
                eight_lanes(&mut b.0[word], first),
                eight_lanes(&mut c.0[word], first),
                eight_lanes(&mut d.0[word], first),
            ];
            simd.transpose_four(map_each(blocks, |block| &block.words()[word]), columns);
        }
    }
}

/// The lanes whose flag is set. Lane 0 has the first flag.
#[inline(always)]
fn set<S: Simd>(simd: S, flags: &[f32; MAX_LANES]) -> S::Mask {
    simd.lt(simd.splat(0.0), simd.load(flags, 0))
}

/// The centres of axis-aligned shapes.
#[inline(always)]
fn center<S: Simd>(simd: S, RoundedItems { core, .. }: RoundedItems<S>) -> Vectors<S> {
    let min = Vectors { x: core.min_x, y: core.min_y };
    middle(simd, min, Vectors { x: core.max_x, y: core.max_y })
}

/// The midpoint of two corners.
#[inline(always)]
fn middle<S: Simd>(simd: S, min: Vectors<S>, max: Vectors<S>) -> Vectors<S> {
    min.plus(simd, max).times(simd, simd.splat(0.5))
}
