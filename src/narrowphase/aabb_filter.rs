//! The AABB filter for the caller's pairs: the test of the sweep, for pairs of arbitrary rows of
//! one set or of two.

use super::{
    boxes::{AabbLanes, Gather, around, touching},
    lanes::{LoadWords, WordLanes, set_rows},
    view::View,
};
use crate::{
    Pair,
    kernel::bodies::RoundedBodies,
    posed::{Class, Placed},
    simd::{Kernel, MAX_LANES, Simd},
};

/// Copies the `pairs` whose bounding boxes are at most the margin apart to the front of `near`, in
/// their order. Returns how many there are.
pub(super) struct AabbFilter<'a> {
    /// The views of the sets of the first and of the second shapes.
    pub(super) views: [View<'a>; 2],
    /// The placed shapes of each set by row. Empty where no shape can rotate and there are only
    /// columns.
    pub(super) placed: [&'a [Placed]; 2],
    pub(super) pairs: &'a [Pair],
    /// The output, of the length of `pairs`.
    pub(super) near: &'a mut [Pair],
    pub(super) inclusive: bool,
    pub(super) margin: f32,
}

/// The prefetch distance, in pairs.
const AHEAD: usize = 2 * MAX_LANES;

impl Kernel for AabbFilter<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> usize {
        let Self { views, placed, pairs, near, inclusive, margin } = self;
        // Scalar code reads columns as fast as records, and does not transpose.
        let placed = if S::LANES == 1 { [&[][..]; 2] } else { placed };
        let mut boxes =
            Boxes { views, placed, words: Default::default(), gathered: Default::default() };
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
                let a = boxes.around(simd, 0, at).widened(simd, half_margin);
                let b = boxes.around(simd, 1, at).widened(simd, half_margin);
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

/// The bounding boxes of a tile of pairs.
///
/// A placed shape is one cache line instead of one for each column, and the next step reads it
/// anyway for pairs that pass. Most boxes are recomputed from it, by the formula that made those in
/// the columns. Sets that have only columns are read from them. (Prefetching up to ten columns took
/// as long as the cache misses.)
struct Boxes<'a> {
    views: [View<'a>; 2],
    placed: [&'a [Placed]; 2],
    words: [WordLanes; 2],
    /// The boxes that are read from columns.
    gathered: [AabbLanes; 2],
}

impl Boxes<'_> {
    /// Prefetches the placed shapes of the first pairs of `later`.
    #[inline(always)]
    fn expect<S: Simd>(&self, simd: S, later: &[Pair]) {
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

    /// Reads the shapes of `lanes` pairs.
    #[inline(always)]
    fn load<S: Simd>(&mut self, simd: S, rows: &[[u32; MAX_LANES]; 2], lanes: usize) {
        for (which, rows) in rows.iter().enumerate() {
            let placed = self.placed[which];
            let mut gather = placed.is_empty();
            if !gather {
                let mut shapes = [const { &Placed::NONE }; MAX_LANES];
                for (shape, row) in shapes.iter_mut().zip(rows) {
                    *shape = &placed[*row as usize];
                }
                let words = &mut self.words[which];
                simd.call(LoadWords { words, shapes: &shapes, count: lanes });
                for at in (0..lanes).step_by(S::LANES) {
                    let known = words.before(simd, Class::Polygon4, at);
                    gather |= simd.bits(simd.not(known)) != 0;
                }
            }
            if gather {
                let (layout, boxes) = (self.views[which].layout(), &mut self.gathered[which]);
                simd.call(Gather { layout, rows, lanes, boxes });
            }
        }
    }

    /// The bounding boxes of the first (`which` 0) or second (1) shapes of the pairs in the lanes
    /// from `at` on.
    #[inline(always)]
    fn around<S: Simd>(&self, simd: S, which: usize, at: usize) -> RoundedBodies<S> {
        if self.placed[which].is_empty() {
            return self.gathered[which].load(simd, at);
        }
        let words = &self.words[which];
        let made = around(simd, words, at);
        let known = words.before(simd, Class::Polygon4, at);
        if simd.bits(simd.not(known)) == 0 {
            return made;
        }
        RoundedBodies::select(simd, known, made, self.gathered[which].load(simd, at))
    }
}
