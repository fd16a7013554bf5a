//! Which pairs of a broadphase of the caller's have boxes that touch: the test of the sweep, for pairs of
//! rows anywhere, of one set or of two.

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

/// Brings those of `pairs` whose boxes are at most the margin apart to the front of `near`, in their order,
/// and returns how many there are.
pub(super) struct AabbFilter<'a, const SETS: usize> {
    /// Of all shapes, or of the first ones and of the second ones.
    pub(super) views: [View<'a>; SETS],
    /// The shapes by their rows, as they are placed; or nothing, where none turns and columns are all there is.
    pub(super) placed: [&'a [Placed]; SETS],
    pub(super) pairs: &'a [Pair],
    /// As many as `pairs`.
    pub(super) near: &'a mut [Pair],
    pub(super) inclusive: bool,
    pub(super) margin: f32,
}

/// How many pairs before their turn shapes are asked for.
const AHEAD: usize = 2 * MAX_LANES;

impl<const SETS: usize> Kernel for AabbFilter<'_, SETS> {
    type Output = usize;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> usize {
        // Scalar code reads columns as fast as records, and has no transposition.
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
            // Lanes beyond keep rows of the pairs before, or 0, of which there is one, too.
            set_rows(&mut rows, chunk);
            boxes.load(simd, &rows, chunk.len());
            let mut bits = 0;
            for at in (0..chunk.len()).step_by(S::LANES) {
                let a = boxes.around(simd, &rows, 0, at).widened(simd, half_margin);
                let b = boxes.around(simd, &rows, 1, at).widened(simd, half_margin);
                bits |= simd.bits(touching(simd, a, b, inclusive)) << at;
            }
            for (lane, &pair) in chunk.iter().enumerate() {
                // Written in any case: whether it is kept could not be guessed.
                near[kept] = pair;
                kept += (bits >> lane & 1) as usize;
            }
        }
        kept
    }
}

/// The rows of the first shapes of up to [`MAX_LANES`] pairs, and those of the second ones.
type Rows = [[u32; MAX_LANES]; 2];

/// Where the boxes around rows are from.
trait BoxSource {
    /// Asks for what will be read of the first of these pairs.
    #[inline(always)]
    fn expect<S: Simd>(&self, _: S, _later: &[Pair]) {}

    /// Reads what is read of the first `count` pairs at once.
    #[inline(always)]
    fn load<S: Simd>(&mut self, _: S, _: &Rows, _count: usize) {}

    /// The boxes around the shapes of number `which` of the pairs in the lanes from `at` on.
    fn around<S: Simd>(&self, simd: S, rows: &Rows, which: usize, at: usize) -> RoundedBodies<S>;
}

/// The columns of a store, or of the caller. (Up to ten columns asked for took as long as the waits.)
struct InColumns<'a>(Layout<'a>);

impl BoxSource for InColumns<'_> {
    #[inline(always)]
    fn around<S: Simd>(&self, simd: S, rows: &Rows, which: usize, at: usize) -> RoundedBodies<S> {
        self.0.gather(simd, &rows[which], at)
    }
}

/// Placed shapes: what is read next of the pairs that are kept, and a cache line for each instead of one for each
/// column. The boxes around most are made again from that, by the formula that made those of the columns.
///
/// Of one set, or of two, one of which may have nothing but columns.
struct InRecords<'a, const SETS: usize> {
    views: [View<'a>; SETS],
    placed: [&'a [Placed]; SETS],
    words: [WordLanes; 2],
}

impl<const SETS: usize> InRecords<'_, SETS> {
    /// Whether shapes of number `which` have to be read from columns.
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
