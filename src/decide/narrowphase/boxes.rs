//! The bounding boxes of shapes, the sweep's test for them, and the AABB filter for the
//! caller's pairs.

use super::{
    lanes::{RADIUS, WordLanes, set_rows},
    view::View,
};
use crate::{
    base::Pair,
    kernel::{BoxItems, ColumnSet, Items, RoundedItems, Rule, overlap},
    posed::{Placed, ShapeClass, around_line, around_turned},
    shape::{MAX_COORDINATE, RoundedBox},
    simd::{Kernel, MAX_LANES, STEPS_AHEAD, Scalar, Simd, map_each},
    store::{Layout, with_columns},
};

/// Boxes with their radii, one per lane.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C, align(64))]
pub(super) struct AabbLanes {
    pub(super) min_x: [f32; MAX_LANES],
    pub(super) min_y: [f32; MAX_LANES],
    pub(super) max_x: [f32; MAX_LANES],
    pub(super) max_y: [f32; MAX_LANES],
    pub(super) radius: [f32; MAX_LANES],
}

impl AabbLanes {
    /// Puts a box into a lane.
    #[inline(always)]
    pub(super) fn set(&mut self, lane: usize, rounded: RoundedBox) {
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = rounded;
        self.min_x[lane] = min_x;
        self.min_y[lane] = min_y;
        self.max_x[lane] = max_x;
        self.max_y[lane] = max_y;
        self.radius[lane] = radius;
    }

    /// The rounded box around the first `count` boxes.
    pub(super) fn around(&self, count: usize) -> RoundedBox {
        let Self { min_x, min_y, max_x, max_y, radius } = self;
        let least = |column: &[f32]| column[..count].iter().copied().fold(f32::INFINITY, f32::min);
        let most = |column: &[f32]| column[..count].iter().copied().fold(-f32::INFINITY, f32::max);
        RoundedBox {
            min_x: least(min_x),
            min_y: least(min_y),
            max_x: most(max_x),
            max_y: most(max_y),
            radius: most(radius),
        }
    }

    /// The boxes from lane `at` on.
    #[inline(always)]
    pub(super) fn load<S: Simd>(&self, simd: S, at: usize) -> RoundedItems<S> {
        let core = BoxItems {
            min_x: simd.load(&self.min_x, at),
            min_y: simd.load(&self.min_y, at),
            max_x: simd.load(&self.max_x, at),
            max_y: simd.load(&self.max_y, at),
        };
        RoundedItems { core, radius: simd.load(&self.radius, at) }
    }

    /// The boxes from lane `at` on, with half of `margin` added to the radii.
    #[inline(always)]
    pub(super) fn widened<S: Simd>(&self, simd: S, at: usize, margin: f32) -> RoundedItems<S> {
        self.load(simd, at).widened(simd, simd.splat(margin * 0.5))
    }

    /// Stores boxes in the lanes from `at` on.
    #[inline(always)]
    pub(super) fn store<S: Simd>(&mut self, simd: S, boxes: RoundedItems<S>, at: usize) {
        let RoundedItems { core, radius } = boxes;
        simd.store(core.min_x, &mut self.min_x, at);
        simd.store(core.min_y, &mut self.min_y, at);
        simd.store(core.max_x, &mut self.max_x, at);
        simd.store(core.max_y, &mut self.max_y, at);
        simd.store(radius, &mut self.radius, at);
    }
}

/// Gathers the boxes of `rows` from columns. A separate function, because the loads from four
/// layouts are more code than most of its callers.
pub(super) struct GatherBoxes<'a> {
    pub(super) layout: Layout<'a>,
    pub(super) rows: &'a [u32; MAX_LANES],
    /// The number of lanes to fill, rounded up to whole vectors.
    pub(super) lanes: usize,
    pub(super) boxes: &'a mut AabbLanes,
}

impl Kernel for GatherBoxes<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { layout, rows, lanes, boxes } = self;
        with_columns!(layout, set => {
            for at in (0..lanes).step_by(S::LANES) {
                boxes.store(simd, set.gather(simd, rows, at).rounded(simd), at);
            }
        });
    }
}

/// Computes the bounding boxes of the shapes in the lanes from `at` on. The result is meaningless
/// for polygons and compounds, whose boxes cannot be computed from the words.
#[inline(always)]
pub(super) fn around<S: Simd>(simd: S, shapes: &WordLanes, at: usize) -> RoundedItems<S> {
    let (corner, axis) = (shapes.words(simd, 0, at), shapes.words(simd, 2, at));
    // Polygons and compounds have subnormal numbers in these words, and some CPUs multiply them
    // very slowly.
    let (sized, zero) = (shapes.before(simd, ShapeClass::Polygon4, at), simd.splat(0.0));
    let half = shapes.words(simd, 4, at);
    let half = [simd.select(sized, half.x, zero), simd.select(sized, half.y, zero)];
    let radius = shapes.word(simd, RADIUS, at);
    let mut rotated = around_turned(simd, corner.array(), axis.array(), half, radius);
    let line = simd.and(sized, simd.not(shapes.before(simd, ShapeClass::Line, at)));
    if simd.bits(line) != 0 {
        let sides = around_line(simd, corner.array(), axis.array(), radius);
        for (side, value) in rotated.iter_mut().zip(sides) {
            *side = simd.select(line, value, *side);
        }
    }
    let [min_x, min_y, max_x, max_y] = rotated;
    let aligned = shapes.before(simd, ShapeClass::Rotated, at);
    let core = BoxItems {
        min_x: simd.select(aligned, corner.x, min_x),
        min_y: simd.select(aligned, corner.y, min_y),
        max_x: simd.select(aligned, axis.x, max_x),
        max_y: simd.select(aligned, axis.y, max_y),
    };
    RoundedItems { core, radius }
}

/// One box in every lane, with half of `margin` added to the radius. The radius is at most
/// [`MAX_COORDINATE`].
#[inline(always)]
pub(super) fn widened<S: Simd>(simd: S, rounded: RoundedBox, margin: f32) -> RoundedItems<S> {
    let RoundedBox { min_x, min_y, max_x, max_y, radius } = rounded;
    let core = BoxItems {
        min_x: simd.splat(min_x),
        min_y: simd.splat(min_y),
        max_x: simd.splat(max_x),
        max_y: simd.splat(max_y),
    };
    RoundedItems { core, radius: simd.splat((radius + margin * 0.5).min(MAX_COORDINATE)) }
}

/// The sweep's test.
#[inline(always)]
pub(super) fn touching<S: Simd>(
    simd: S,
    a: RoundedItems<S>,
    b: RoundedItems<S>,
    inclusive: bool,
) -> S::Mask {
    overlap(simd, a, b, Rule { inclusive, normal: false })
}

/// Whether two boxes touch.
pub(super) fn boxes_touch(boxes: [RoundedBox; 2], inclusive: bool) -> bool {
    let [a, b] = map_each(boxes, |bounds| widened(Scalar, bounds, 0.0));
    touching(Scalar, a, b, inclusive)
}

/// Copies the `pairs` whose bounding boxes are at most the margin apart to the front of `near`, in
/// their order. Returns their number.
pub(super) struct AabbFilter<'a> {
    /// The views of the sets of the first and of the second shapes.
    pub(super) views: [View<'a>; 2],
    /// Whether there are two sets. If not, both views are equal.
    pub(super) between: bool,
    /// The placed shapes of each set by row. Empty where no shape can rotate and there are only
    /// columns.
    pub(super) placed: [&'a [Placed]; 2],
    pub(super) pairs: &'a [Pair],
    /// The output, of the length of `pairs`.
    pub(super) near: &'a mut [Pair],
    pub(super) inclusive: bool,
    pub(super) margin: f32,
}

impl Kernel for AabbFilter<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> usize {
        let Self { views, placed, between, .. } = self;
        // Scalar code reads columns as fast as records, and does not transpose.
        let placed = if S::LANES == 1 { [&[][..]; 2] } else { placed };
        if !between && placed[0].is_empty() {
            self.by(simd, InColumns(views[0].layout()))
        } else {
            self.by(simd, InRecords { views, placed, boxes: Default::default() })
        }
    }
}

impl AabbFilter<'_> {
    #[inline(always)]
    fn by<S: Simd>(self, simd: S, mut boxes: impl BoxSource) -> usize {
        let Self { pairs, near, inclusive, margin, .. } = self;
        let half_margin = simd.splat(margin * 0.5);
        let mut rows = [[0; MAX_LANES]; 2];
        let mut kept = 0;
        for (chunk, first) in pairs.chunks(MAX_LANES).zip((0..).step_by(MAX_LANES)) {
            boxes.prefetch(simd, pairs.get(first + STEPS_AHEAD..).unwrap_or_default());
            // Unused lanes keep rows of earlier pairs, or row 0: valid rows.
            set_rows(&mut rows, chunk);
            boxes.load(simd, &rows, chunk.len());
            let mut bits = 0;
            for at in (0..chunk.len()).step_by(S::LANES) {
                let a = boxes.around(simd, &rows, 0, at).widened(simd, half_margin);
                let b = boxes.around(simd, &rows, 1, at).widened(simd, half_margin);
                bits |= simd.bits(touching(simd, a, b, inclusive)) << at;
            }
            for (lane, &pair) in chunk.iter().enumerate() {
                // Written unconditionally: a branch on the result would be mispredicted.
                near[kept] = pair;
                kept += (bits >> lane & 1) as usize;
            }
        }
        kept
    }
}

/// The rows of the first and of the second shapes of up to [`MAX_LANES`] pairs.
type LaneIndices = [[u32; MAX_LANES]; 2];

/// A source of the bounding boxes of rows.
trait BoxSource {
    /// Prefetches the data of the first pairs of `_later`.
    #[inline(always)]
    fn prefetch<S: Simd>(&self, _: S, _later: &[Pair]) {}

    /// Reads the data that is read for a whole batch at once, of the first `_count` pairs.
    #[inline(always)]
    fn load<S: Simd>(&mut self, _: S, _: &LaneIndices, _count: usize) {}

    /// The bounding boxes of the first (`which` 0) or second (1) shapes of the pairs in the lanes
    /// from `at` on.
    fn around<S: Simd>(
        &self,
        simd: S,
        rows: &LaneIndices,
        which: usize,
        at: usize,
    ) -> RoundedItems<S>;
}

/// Bounding boxes from the columns of a store or of the caller. (Prefetching up to ten columns took
/// as long as the cache misses.)
struct InColumns<'a>(Layout<'a>);

impl BoxSource for InColumns<'_> {
    #[inline(always)]
    fn around<S: Simd>(
        &self,
        simd: S,
        rows: &LaneIndices,
        which: usize,
        at: usize,
    ) -> RoundedItems<S> {
        self.0.gather(simd, &rows[which], at)
    }
}

/// Bounding boxes from placed shapes. A placed shape is one cache line instead of a line for each
/// column, and the next step reads it anyway for pairs that pass. One of the two sets may have only
/// columns.
struct InRecords<'a> {
    views: [View<'a>; 2],
    placed: [&'a [Placed]; 2],
    boxes: [AabbLanes; 2],
}

impl BoxSource for InRecords<'_> {
    #[inline(always)]
    fn prefetch<S: Simd>(&self, simd: S, later: &[Pair]) {
        if !S::PREFETCHES {
            return;
        }
        for pair in later.iter().take(MAX_LANES) {
            for (placed, row) in self.placed.iter().zip([pair.a, pair.b]) {
                if let Some(placed) = placed.get(row as usize) {
                    simd.prefetch(placed);
                }
            }
        }
    }

    #[inline(always)]
    fn load<S: Simd>(&mut self, simd: S, rows: &LaneIndices, lanes: usize) {
        let Self { views, placed, boxes } = self;
        for (which, (rows, boxes)) in rows.iter().zip(boxes).enumerate() {
            let (layout, placed) = (views[which].layout(), placed[which]);
            simd.call(ReadBoxes { layout, placed, rows, lanes, boxes });
        }
    }

    #[inline(always)]
    fn around<S: Simd>(
        &self,
        simd: S,
        _: &LaneIndices,
        which: usize,
        at: usize,
    ) -> RoundedItems<S> {
        self.boxes[which].load(simd, at)
    }
}

/// Reads the bounding boxes of `rows` from placed shapes, or from columns without placed shapes. A
/// separate function: both sides need it.
struct ReadBoxes<'a> {
    layout: Layout<'a>,
    placed: &'a [Placed],
    rows: &'a [u32; MAX_LANES],
    /// The number of lanes to fill, rounded up to whole vectors.
    lanes: usize,
    boxes: &'a mut AabbLanes,
}

impl Kernel for ReadBoxes<'_> {
    type Output = ();

    /// Most boxes are recomputed from placed shapes, by the formula that made the bounds in the
    /// columns.
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { layout, placed, rows, lanes, boxes } = self;
        let steps = || (0..lanes).step_by(S::LANES);
        let mut words = WordLanes::default();
        let mut all_known = false;
        if !placed.is_empty() {
            let mut shapes = [const { &Placed::NONE }; MAX_LANES];
            for (shape, row) in shapes.iter_mut().zip(rows) {
                *shape = &placed[*row as usize];
            }
            words.load(simd, &shapes, lanes);
            all_known = steps().all(|at| simd.bits(simd.not(made_again(simd, &words, at))) == 0);
        }
        if !all_known {
            simd.call(GatherBoxes { layout, rows, lanes, boxes: &mut *boxes });
        }
        if placed.is_empty() {
            return;
        }
        for at in steps() {
            let known = made_again(simd, &words, at);
            let made = around(simd, &words, at);
            boxes.store(simd, RoundedItems::select(simd, known, made, boxes.load(simd, at)), at);
        }
    }
}

/// The lanes whose boxes can be recomputed from the words of the shapes.
#[inline(always)]
fn made_again<S: Simd>(simd: S, words: &WordLanes, at: usize) -> S::Mask {
    words.before(simd, ShapeClass::Polygon4, at)
}

#[cfg(test)]
mod tests {
    //! Compares recomputed bounding boxes with the boxes in the columns of a store.

    use super::*;
    use crate::at_every_level;
    use crate::{
        Shapes, SimdLevel,
        grid::invariants::rng::Rng,
        narrowphase::view::View,
        posed::Placed,
        shape::{Aabb, Capsule, Circle, ConvexPolygon, Obb, Point, Pose, Rotation, RoundedBox},
        simd::{Isa, Kernel, dispatch},
    };

    /// Computes the bounding boxes of sixteen shapes.
    struct Around<'a>(&'a [Placed]);

    impl Kernel for Around<'_> {
        type Output = Vec<RoundedBox>;

        fn run<S: Simd>(self, simd: S) -> Vec<RoundedBox> {
            let (mut words, mut boxes) = (WordLanes::default(), AabbLanes::default());
            let shapes = &std::array::from_fn(|lane| &self.0[lane]);
            words.load(simd, shapes, MAX_LANES);
            for at in (0..MAX_LANES).step_by(S::LANES) {
                boxes.store(simd, around(simd, &words, at), at);
            }
            let AabbLanes { min_x, min_y, max_x, max_y, radius } = boxes;
            let sides = |lane: usize| [min_x[lane], min_y[lane], max_x[lane], max_y[lane]];
            let lanes = (0..MAX_LANES).map(|lane| (sides(lane), radius[lane]));
            let boxes = lanes.map(|([min_x, min_y, max_x, max_y], radius)| RoundedBox {
                min_x,
                min_y,
                max_x,
                max_y,
                radius,
            });
            boxes.collect()
        }
    }

    /// The bits of a box.
    fn bits(rounded: RoundedBox) -> [u32; 5] {
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = rounded;
        [min_x, min_y, max_x, max_y, radius].map(f32::to_bits)
    }

    /// Shapes of every kind whose bounding box can be computed from the words, of all sizes and at all
    /// positions.
    fn shapes() -> Shapes {
        let mut random = Rng::new(7);
        let mut unit = move || random.range(0.0, 1.0);
        let mut shapes = Shapes::new();
        for number in 0..4_000 {
            // From 2^-40 to 2^58, and every tenth shape at an end of the range.
            let [size, place] = [unit(), unit()].map(|unit| (unit * 98.0 - 40.0).exp2());
            let edge = MAX_COORDINATE * (1.0 - 4.0 * f32::EPSILON) - 4.0 * size;
            let place = if number % 10 == 0 { edge } else { place };
            let position = [place * (2.0 * unit() - 1.0), place.copysign(unit() - 0.5)];
            let [width, height, radius] = [unit(), unit(), unit()].map(|unit| unit * size);
            let pose = Pose::new(position, Rotation::from_angle(7.0 * unit()));
            let rotated = pose.rotation();
            let row = match number % 7 {
                0 => shapes.push_at(Circle::new([0.0, 0.0], radius), pose),
                1 => shapes.push(Aabb::centered(position, [width, height])),
                2 => shapes.push(Obb::new(position, [width, height], rotated)),
                3 => shapes.push_at(Capsule::new([-width, height], [width, 0.0], radius), pose),
                4 => {
                    shapes.push_at(Obb::new([width, 0.0], [0.0, height], Rotation::IDENTITY), pose)
                }
                5 => shapes.push(Point::new(position)),
                _ => shapes.push_at(Capsule::new([0.0, 0.0], [0.0, 0.0], radius), pose),
            };
            row.unwrap();
        }
        shapes
    }

    at_every_level!(made_from_words_they_are_those_of_the_columns);

    fn made_from_words_they_are_those_of_the_columns(level: SimdLevel) {
        let shapes = shapes();
        let view = View::of(&shapes.read());
        let placed = view.placed().unwrap();
        assert_eq!(placed.len(), 4_000);
        let isa = Isa::new(level).unwrap();
        for first in (0..placed.len()).step_by(MAX_LANES) {
            let made = dispatch(isa, Around(&placed[first..][..MAX_LANES]));
            for (row, made) in (first..).zip(made) {
                assert_eq!(bits(made), bits(view.bounds(row)), "{level}, row {row}: {made:?}");
            }
        }
    }

    at_every_level!(a_box_around_a_turned_box_by_hand);

    fn a_box_around_a_turned_box_by_hand(level: SimdLevel) {
        // A quarter turn exchanges width and height. The slack is a millionth of the size.
        let mut shapes = Shapes::new();
        let quarter = Rotation::from_angle(std::f32::consts::FRAC_PI_2);
        shapes.push(Obb::new([10.0, -20.0], [4.0, 1.0], quarter)).unwrap();
        let placed = [View::of(&shapes.read()).placed().unwrap()[0]; MAX_LANES];
        let made = dispatch(Isa::new(level).unwrap(), Around(&placed));
        for RoundedBox { min_x, min_y, max_x, max_y, radius } in made {
            let (sides, exact) = ([-min_x, -min_y, max_x, max_y], [-9.0, 24.0, 11.0, -16.0]);
            for (side, exact) in sides.into_iter().zip(exact) {
                assert!(side >= exact && side <= exact + 3e-5, "{side} for {exact}");
            }
            assert_eq!(radius, 0.0);
        }
    }

    #[test]
    fn polygons_and_compounds_are_told_apart() {
        // The result of `around` is meaningless for them. Their classes come last.
        let mut shapes = Shapes::new();
        let triangle = ConvexPolygon::new(&[[0.0, 0.0], [4.0, 0.0], [0.0, 3.0]]).unwrap();
        shapes.push(&triangle).unwrap();
        shapes.push(Capsule::new([0.0, 0.0], [1.0, 1.0], 0.5)).unwrap();
        let classes: Vec<_> = View::of(&shapes.read())
            .placed()
            .unwrap()
            .iter()
            .map(|placed| placed.class())
            .collect();
        assert!(
            classes[0] >= ShapeClass::Polygon4 && classes[1] < ShapeClass::Polygon4,
            "{classes:?}"
        );
    }
}
