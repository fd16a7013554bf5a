//! The AABB filter for the caller's pairs: the test of the sweep, for pairs of arbitrary rows of
//! one set or of two.

use super::{
    boxes::{around, touching},
    lanes::{WordLanes, set_rows},
    view::View,
};
use crate::{
    Pair,
    kernel::{bodies::RoundedBodies, columns::ColumnSet},
    posed::{Class, Placed},
    simd::{Kernel, MAX_LANES, Simd},
    store::Layout,
};

/// Copies the `pairs` whose bounding boxes are at most the margin apart to the front of `near`, in
/// their order. Returns how many there are.
pub(super) struct AabbFilter<'a, const SETS: usize> {
    /// The view of the one set, or those of the first and the second set.
    pub(super) views: [View<'a>; SETS],
    /// The placed shapes of each set by row. Empty where no shape can rotate and there are only
    /// columns.
    pub(super) placed: [&'a [Placed]; SETS],
    pub(super) pairs: &'a [Pair],
    /// The output, of the length of `pairs`.
    pub(super) near: &'a mut [Pair],
    pub(super) inclusive: bool,
    pub(super) margin: f32,
}

/// The prefetch distance, in pairs.
const AHEAD: usize = 2 * MAX_LANES;

impl<const SETS: usize> Kernel for AabbFilter<'_, SETS> {
    type Output = usize;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> usize {
        // Scalar code reads columns as fast as records, and does not transpose.
        let Self { views, placed, .. } = self;
        if SETS == 1 && (placed[0].is_empty() || S::LANES == 1) {
            self.by(simd, InColumns(views[0].layout()))
        } else {
            let placed = if S::LANES == 1 { [&[][..]; SETS] } else { placed };
            self.by(simd, InRecords { views, placed, words: Default::default() })
        }
    }
}

impl<const SETS: usize> AabbFilter<'_, SETS> {
    #[inline(always)]
    fn by<S: Simd>(self, simd: S, mut boxes: impl BoxSource) -> usize {
        let Self { pairs, near, inclusive, margin, .. } = self;
        let half_margin = simd.splat(margin * 0.5);
        let mut rows = [[0; MAX_LANES]; 2];
        let mut kept = 0;
        for (chunk, first) in pairs.chunks(MAX_LANES).zip((0..).step_by(MAX_LANES)) {
            boxes.expect(simd, pairs.get(first + AHEAD..).unwrap_or_default());
            // Unused lanes keep rows of earlier pairs, or 0. Both are valid rows.
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
type Rows = [[u32; MAX_LANES]; 2];

/// A source of the bounding boxes of rows.
trait BoxSource {
    /// Prefetches the data of the first pairs of `_later`.
    #[inline(always)]
    fn expect<S: Simd>(&self, _: S, _later: &[Pair]) {}

    /// Reads the data that is read for a whole tile at once, of the first `_count` pairs.
    #[inline(always)]
    fn load<S: Simd>(&mut self, _: S, _: &Rows, _count: usize) {}

    /// The bounding boxes of the first (`which` 0) or second (1) shapes of the pairs in the lanes
    /// from `at` on.
    fn around<S: Simd>(&self, simd: S, rows: &Rows, which: usize, at: usize) -> RoundedBodies<S>;
}

/// Bounding boxes from the columns of a store or of the caller. (Prefetching up to ten columns took
/// as long as the cache misses.)
struct InColumns<'a>(Layout<'a>);

impl BoxSource for InColumns<'_> {
    #[inline(always)]
    fn around<S: Simd>(&self, simd: S, rows: &Rows, which: usize, at: usize) -> RoundedBodies<S> {
        self.0.gather(simd, &rows[which], at)
    }
}

/// Bounding boxes from placed shapes. A placed shape is one cache line instead of one for each
/// column, and the next step reads it anyway for pairs that pass. Most boxes are recomputed from
/// it, by the formula that made those in the columns.
///
/// There are one or two sets. One of two sets may have only columns.
struct InRecords<'a, const SETS: usize> {
    views: [View<'a>; SETS],
    placed: [&'a [Placed]; SETS],
    words: [WordLanes; 2],
}

impl<const SETS: usize> InRecords<'_, SETS> {
    /// Whether the first or second shapes must be read from columns.
    #[inline(always)]
    fn has_columns_only(&self, which: usize) -> bool {
        SETS > 1 && self.placed[which % SETS].is_empty()
    }
}

impl<const SETS: usize> BoxSource for InRecords<'_, SETS> {
    #[inline(always)]
    fn expect<S: Simd>(&self, simd: S, later: &[Pair]) {
        if !S::PREFETCHES {
            return;
        }
        for pair in later.iter().take(MAX_LANES) {
            for (which, row) in [pair.a, pair.b].into_iter().enumerate() {
                if let Some(placed) = self.placed[which % SETS].get(row as usize) {
                    simd.prefetch(placed);
                }
            }
        }
    }

    #[inline(always)]
    fn load<S: Simd>(&mut self, simd: S, rows: &Rows, count: usize) {
        for (which, rows) in rows.iter().enumerate() {
            if self.has_columns_only(which) {
                continue;
            }
            let mut shapes = [const { &Placed::NONE }; MAX_LANES];
            for (shape, row) in shapes.iter_mut().zip(rows) {
                *shape = &self.placed[which % SETS][*row as usize];
            }
            self.words[which].load(simd, &shapes, count);
        }
    }

    #[inline(always)]
    fn around<S: Simd>(&self, simd: S, rows: &Rows, which: usize, at: usize) -> RoundedBodies<S> {
        let layout = self.views[which % SETS].layout();
        if self.has_columns_only(which) {
            return layout.gather(simd, &rows[which], at);
        }
        let words = &self.words[which];
        let made = around(simd, words, at);
        let known = words.before(simd, Class::Polygon4, at);
        if simd.bits(simd.not(known)) == 0 {
            return made;
        }
        let kept = layout.gather(simd, &rows[which], at);
        RoundedBodies::select(simd, known, made, kept)
    }
}
