//! The test of rows: of axis-aligned shapes from their columns, and of any shapes.

use std::ops::Range;

use crate::{
    base::{NARROWPHASE, Pair, WORD_ROWS},
    error::Error,
    kernel::{ColumnSet, Rule, overlap},
    narrowphase::{
        View,
        jobs::MAX_JOBS,
        listed_pairs::{Narrowphase, PairTests, between},
    },
    simd::{Isa, Kernel, Simd, dispatch_vectors},
    store::{Columns, Layout},
};

/// The number of rows in a block.
pub(super) const ROWS_PER_MASK_BLOCK: usize = WORD_ROWS * WORD_ROWS;

/// Tests columns of axis-aligned shapes row by row. A vacant row touches nothing.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowTest {
    pub(super) isa: Isa,
    pub(super) inclusive: bool,
}

impl RowTest {
    /// Tests `rows` row by row. Both sets must have these rows. `lives` marks the rows that hold a
    /// shape.
    pub(super) fn run(
        self,
        [a, b]: [Layout<'_>; 2],
        lives: Lives<'_>,
        rows: Range<usize>,
        take: TakeBlock<'_>,
    ) {
        let input = RowInput { general: [a, b], rows, lives };
        match (a, b) {
            (Layout::Circles(a), Layout::Circles(b)) => {
                self.test(a, b, input, take);
            }
            (Layout::Boxes(a), Layout::Boxes(b)) => self.test(a, b, input, take),
            (Layout::Centered(a), Layout::Centered(b)) => {
                self.test(a, b, input, take);
            }
            // The test is symmetric, and a vacant row on either side touches nothing.
            (Layout::Circles(circles), Layout::Boxes(boxes))
            | (Layout::Boxes(boxes), Layout::Circles(circles)) => {
                self.test(circles, boxes, input, take);
            }
            _ => self.test_any(input, take),
        }
    }

    /// Tests columns of known layouts.
    fn test<A: ColumnSet, B: ColumnSet>(
        self,
        left: A,
        right: B,
        input: RowInput<'_>,
        take: TakeBlock<'_>,
    ) {
        let Self { isa, inclusive } = self;
        let reach = right.len().min(left.len());
        if reach < 64 {
            return self.test_any(input, take);
        }
        let test = |first: usize, rows: usize, words: &mut [u64]| {
            dispatch_vectors(
                isa,
                RowKernel::<_, _, true> { left, right, first, rows, inclusive, words },
            );
        };
        input.each_block(take, &mut |first, rows, words| {
            // The words whose loads are whole vectors: all words but at most one. The last word is
            // cut from the test of the last 64 rows.
            let whole = ((reach - first) / 64).min(words.len());
            let (words, rest) = words.split_at_mut(whole);
            test(first, rows.min(64 * whole), words);
            for word in rest {
                test(reach - 64, 64, std::slice::from_mut(word));
                let (begin, used) = (first + 64 * whole, rows - 64 * whole);
                *word = *word >> (begin + 64 - reach) & u64::MAX >> (64 - used);
            }
        });
    }

    /// Tests columns of any layout.
    fn test_any(self, input: RowInput<'_>, take: TakeBlock<'_>) {
        let Self { isa, inclusive } = self;
        let [left, right] = input.general;
        input.each_block(take, &mut |first, rows, words| {
            dispatch_vectors(
                isa,
                RowKernel::<_, _, false> { left, right, first, rows, inclusive, words },
            );
        });
    }
}

/// The rows to test.
struct RowInput<'a> {
    /// The columns of both sides in any layout.
    general: [Layout<'a>; 2],
    rows: Range<usize>,
    lives: Lives<'a>,
}

impl RowInput<'_> {
    /// For each block of rows, lets `test` set one bit per row, clears the bits of vacant rows, and
    /// passes the words to `take`. `test` takes the first row, the number of rows and the words.
    fn each_block(self, take: TakeBlock<'_>, test: &mut dyn FnMut(usize, usize, &mut [u64])) {
        let Self { rows: Range { start, end }, lives, .. } = self;
        let mut buffer = [0; WORD_ROWS];
        for first in (start..end).step_by(ROWS_PER_MASK_BLOCK) {
            let rows = (end - first).min(ROWS_PER_MASK_BLOCK);
            let words = &mut buffer[..rows.div_ceil(64)];
            test(first, rows, words);
            for live in lives.into_iter().flatten() {
                for (word, row) in words.iter_mut().zip((first..).step_by(64)) {
                    *word &= word_from(live, row);
                }
            }
            take(first, words);
        }
    }
}

/// A callback for a block of results: its first row and its words.
pub(super) type TakeBlock<'a> = &'a mut dyn FnMut(usize, &[u64]);

/// For each of two sets, the bits of the rows that hold a shape. `None`: all rows do.
pub(super) type Lives<'a> = [Option<&'a [u64]>; 2];

/// The bits of 64 rows from `row` on, with zeros past the end.
#[inline(always)]
fn word_from(bits: &[u64], row: usize) -> u64 {
    let (word, shift) = (row / 64, row % 64);
    let above = bits.get(word + 1).filter(|_| shift > 0).map_or(0, |next| next << (64 - shift));
    bits[word] >> shift | above
}

/// The kernel that tests `rows` rows from `first` on, 64 rows to a word. If `WHOLE`, the columns
/// reach to the end of the last word.
struct RowKernel<'a, A, B, const WHOLE: bool> {
    left: A,
    right: B,
    first: usize,
    rows: usize,
    inclusive: bool,
    words: &'a mut [u64],
}

impl<A: ColumnSet, B: ColumnSet, const WHOLE: bool> Kernel for RowKernel<'_, A, B, WHOLE> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { left, right, first, rows, inclusive, words } = self;
        let query = Rule { inclusive, normal: false };
        for (index, word) in words.iter_mut().enumerate() {
            let begin = first + 64 * index;
            let used = (first + rows - begin).min(64);
            let mut bits = 0;
            let mut lane = 0;
            while lane < used {
                let at = begin + lane;
                let others = if WHOLE { right.load(simd, at) } else { right.load_any(simd, at) };
                let ours = if WHOLE { left.load(simd, at) } else { left.load_any(simd, at) };
                let hits = simd.bits(overlap(simd, ours, others, query));
                bits |= u64::from(hits) << lane;
                lane += S::LANES;
            }
            *word = bits & u64::MAX >> (64 - used);
        }
    }
}

impl Narrowphase {
    /// Replaces the content of `mask` by one bit for each row `i` of `rows`: whether row `i` of `a`
    /// touches row `i` of `b`. Row `rows.start + k` is bit `k % 64` of word `k / 64`. Bits past the
    /// last row, and bits of rows that are vacant in `a` or in `b`, are 0.
    ///
    /// The result equals [`pairs`](Narrowphase::pairs) of the same two shapes, compounds
    /// included. For callers whose pairs are in corresponding rows of two sets, each a store or
    /// columns. The number of rows that touch is the number of bits that are set.
    ///
    /// Runs on the calling thread, in time linear in the number of `rows`: only the values of these
    /// rows of borrowed columns are checked, and no values of columns that are
    /// [checked](Columns::check) already. (If the kind of each row must be read, as described under
    /// [cost](Narrowphase#cost), the time is linear in the number of all rows.) The boxes of all
    /// `rows` are tested, and then the shapes whose boxes touch. Nothing is allocated from the
    /// second similar call on.
    ///
    /// ```
    /// use widephase::{Columns, Narrowphase};
    ///
    /// let circles = Columns::circles(&[0.0, 0.0], &[0.0, 0.0], &[1.0, 1.0])?.check()?;
    /// let boxes = Columns::aabbs(&[0.75, 3.0], &[-1.0, 3.0], &[2.0, 4.0], &[1.0, 4.0])?.check()?;
    /// let mut mask = Vec::new();
    /// Narrowphase::new().row_mask(circles, boxes, 0..2, &mut mask)?;
    /// assert_eq!(mask, [0b01]);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NoSuchShape`] if `rows` ends beyond the rows of `a` or `b`; [`Error::InvalidShape`]
    /// for borrowed columns with an invalid value in `rows`; the errors of
    /// [`SimdLevel::preferred`](crate::SimdLevel::preferred). `mask` then stays as it was.
    pub fn row_mask<'a, 'b>(
        &mut self,
        a: impl Into<Columns<'a>>,
        b: impl Into<Columns<'b>>,
        rows: Range<usize>,
        mask: &mut Vec<u64>,
    ) -> Result<(), Error> {
        self.test_rows([&a.into(), &b.into()], rows, mask)
    }

    /// Does the work of `row_mask`. Not generic, so that it is compiled in this crate and not
    /// in the crate of the caller.
    fn test_rows(
        &mut self,
        [a, b]: [&Columns<'_>; 2],
        rows: Range<usize>,
        mask: &mut Vec<u64>,
    ) -> Result<(), Error> {
        let (isa, inclusive) = (self.options.isa()?, self.options.inclusive());
        let boxes = RowTest { isa, inclusive };
        let Self { tests, rotated: [first, second], .. } = self;
        let PairTests { candidates, near, place_on_demand } = tests;
        let a = a.checked_rows(isa, rows.clone(), first)?;
        let b = b.checked_rows(isa, rows.clone(), second)?;
        let (layouts, lives) = ([a.layout, b.layout], [a.live, b.live]);
        mask.clear();
        if !NARROWPHASE || !(a.rotates() || b.rotates()) {
            boxes.run(layouts, lives, rows, &mut |_, words| mask.extend_from_slice(words));
            return Ok(());
        }
        let query = between(isa, [View::of(&a), View::of(&b)], inclusive, 0.0);
        boxes.run(layouts, lives, rows, &mut |first, words| {
            near.clear();
            near.reserve_exact(ROWS_PER_MASK_BLOCK);
            for (begin, &word) in (first as u32..).step_by(64).zip(words) {
                let mut bits = word;
                while bits != 0 {
                    let row = begin + bits.trailing_zeros();
                    near.push(Pair { a: row, b: row });
                    bits &= bits - 1;
                }
            }
            let begin = mask.len();
            mask.resize(begin + words.len(), 0);
            for pairs in near.chunks_mut(MAX_JOBS) {
                let kept = place_on_demand.refine(candidates, &query, pairs);
                for pair in &pairs[..kept] {
                    let number = pair.a as usize - first;
                    mask[begin + number / 64] |= 1 << (number % 64);
                }
            }
        });
        Ok(())
    }
}
