//! The AABB filter for the caller's pairs: the test of the sweep, for pairs of arbitrary rows of
//! one set or of two.

use super::{
    boxes::{AabbLanes, GatherBoxes, around, touching},
    lanes::{WordLanes, set_rows},
    view::View,
};
use crate::{
    base::Pair,
    kernel::{ColumnSet, RoundedItems},
    posed::{Placed, ShapeClass},
    simd::{Kernel, MAX_LANES, STEPS_AHEAD, Simd},
    store::Layout,
};

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
