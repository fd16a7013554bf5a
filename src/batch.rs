//! `Batch`: the exact test over whole columns, for callers with their own broadphase.

use std::ops::Range;

use crate::{
    Error, Options, SimdLevel, Touching,
    error::Field,
    kernel::{
        columns::{BoxColumns, CircleColumns, ColumnSet, RoundedColumns},
        overlap::{Rule, overlap},
    },
    shape::{AxisAligned, check::check_one},
    simd::{Isa, Kernel, Simd, dispatch},
    store::{Checked, Layout},
};

/// The number of mask words in a block, 64 shapes each.
const WORDS: usize = 64;

/// The number of rows in a block.
pub(crate) const BLOCK: usize = 64 * WORDS;

/// The exact test over whole columns: one shape against many, or two sets of columns row by row.
/// Also computes [contacts row by row](Batch::pairwise_contacts).
///
/// The result is a bit mask (row `i` is bit `i % 64` of word `i / 64`; bits past the last row are
/// 0), the indices of the rows that touch, in ascending order, or their count. For each row, it is
/// the result of [`reference::contract::overlap`](crate::reference::contract::overlap), on every
/// SIMD level. Vacant rows of a [`Shapes`](crate::Shapes) store touch nothing. Runs on the calling
/// thread, in time linear in the number of rows. Allocates only to grow the output.
///
/// ```
/// use widephase::{Batch, Columns, shape::Circle};
///
/// let (x, y, radius) = ([0.0, 1.0, 5.0], [0.0; 3], [0.5; 3]);
/// let circles = Columns::circles(&x, &y, &radius)?.check()?;
/// let batch = Batch::new()?;
///
/// let mut near = Vec::new();
/// batch.one_indices(Circle::new([0.0, 0.0], 0.5), &circles, &mut near)?;
/// assert_eq!(near, [0, 1]); // the second one touches at (0.5, 0)
/// assert_eq!(batch.pairwise_count(&circles, &circles)?, 3);
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Batch {
    pub(crate) isa: Isa,
    pub(crate) touching: Touching,
}

impl Batch {
    /// A batch with the default options.
    ///
    /// # Errors
    /// The errors of [`SimdLevel::preferred`].
    pub fn new() -> Result<Self, Error> {
        Self::with_options(Options::default())
    }

    /// A batch with these options, of which [`simd_level`](Options::simd_level) and
    /// [`touching`](Options::touching) concern it.
    ///
    /// # Errors
    /// The errors of [`Options::check`] and [`SimdLevel::preferred`].
    pub fn with_options(options: Options) -> Result<Self, Error> {
        let options = options.checked()?;
        Ok(Self { isa: options.isa()?, touching: options.touching })
    }

    /// The SIMD level that the kernels run on.
    pub fn simd_level(&self) -> SimdLevel {
        self.isa.level()
    }

    /// Replaces the content of `mask` by one bit per row: whether the row touches `shape`.
    ///
    /// # Errors
    /// [`Error::InvalidShape`] (index 0) if `shape` violates the numeric contract. `mask` then
    /// stays as it was.
    pub fn one_mask<T: AxisAligned>(
        &self,
        shape: T,
        columns: &Checked<'_>,
        mask: &mut Vec<u64>,
    ) -> Result<(), Error> {
        let one = One::new(shape)?;
        mask.clear();
        self.against(&one, columns, &mut |_, words| mask.extend_from_slice(words));
        Ok(())
    }

    /// Replaces the content of `indices` by the rows that touch `shape`, in ascending order.
    ///
    /// # Errors
    /// The errors of [`one_mask`](Batch::one_mask). `indices` then stays as it was.
    pub fn one_indices<T: AxisAligned>(
        &self,
        shape: T,
        columns: &Checked<'_>,
        indices: &mut Vec<u32>,
    ) -> Result<(), Error> {
        let one = One::new(shape)?;
        let mut found = 0;
        self.against(&one, columns, &mut |at, words| self.expand(at, words, indices, &mut found));
        indices.truncate(found);
        Ok(())
    }

    /// The number of rows that touch `shape`.
    ///
    /// # Errors
    /// The errors of [`one_mask`](Batch::one_mask).
    pub fn one_count<T: AxisAligned>(
        &self,
        shape: T,
        columns: &Checked<'_>,
    ) -> Result<usize, Error> {
        let one = One::new(shape)?;
        let mut total = 0;
        self.against(&one, columns, &mut |_, words| total += count(words));
        Ok(total)
    }

    /// Replaces the content of `mask` by one bit per row: whether row `i` of `a` touches row `i`
    /// of `b`.
    ///
    /// # Errors
    /// [`Error::UnequalColumns`] if `a` and `b` have different numbers of rows. `mask` then stays
    /// as it was.
    pub fn pairwise_mask(
        &self,
        a: &Checked<'_>,
        b: &Checked<'_>,
        mask: &mut Vec<u64>,
    ) -> Result<(), Error> {
        same_length(a, b)?;
        mask.clear();
        self.row_by_row(a, b, &mut |_, words| mask.extend_from_slice(words));
        Ok(())
    }

    /// Replaces the content of `indices` by the rows `i` where `a` and `b` touch, in ascending
    /// order.
    ///
    /// # Errors
    /// The errors of [`pairwise_mask`](Batch::pairwise_mask). `indices` then stays as it was.
    pub fn pairwise_indices(
        &self,
        a: &Checked<'_>,
        b: &Checked<'_>,
        indices: &mut Vec<u32>,
    ) -> Result<(), Error> {
        same_length(a, b)?;
        let mut found = 0;
        self.row_by_row(a, b, &mut |at, words| self.expand(at, words, indices, &mut found));
        indices.truncate(found);
        Ok(())
    }

    /// The number of rows `i` where `a` and `b` touch.
    ///
    /// # Errors
    /// The errors of [`pairwise_mask`](Batch::pairwise_mask).
    pub fn pairwise_count(&self, a: &Checked<'_>, b: &Checked<'_>) -> Result<usize, Error> {
        same_length(a, b)?;
        let mut total = 0;
        self.row_by_row(a, b, &mut |_, words| total += count(words));
        Ok(total)
    }

    fn against(&self, one: &One, columns: &Checked<'_>, take: Take<'_>) {
        let [x, y, max_x, max_y, radius] = &one.columns;
        let core = BoxColumns { min_x: x, min_y: y, max_x, max_y };
        let (circle, any) = (CircleColumns { x, y, radius }, RoundedColumns { core, radius });
        let input = BatchInput {
            general: [Layout::Rounded(any), columns.layout],
            rows: 0..columns.len,
            lives: [None, columns.live],
        };
        match (one.sized, one.round, columns.layout) {
            (false, true, Layout::Circles(set)) => {
                self.test::<_, _, false>(circle, set, input, take);
            }
            (_, false, Layout::Boxes(set)) => self.test::<_, _, false>(core, set, input, take),
            (_, false, Layout::Centered(set)) => self.test::<_, _, false>(core, set, input, take),
            _ => self.test_any::<false>(input, take),
        }
    }

    fn row_by_row(&self, a: &Checked<'_>, b: &Checked<'_>, take: Take<'_>) {
        let (layouts, lives) = ([a.layout, b.layout], [a.live, b.live]);
        self.rows(layouts, lives, 0..a.len, take);
    }

    /// Tests `rows` row by row. Both sets must have these rows. `lives` marks the rows that hold a
    /// shape.
    pub(crate) fn rows(
        &self,
        [a, b]: [Layout<'_>; 2],
        lives: Lives<'_>,
        rows: Range<usize>,
        take: Take<'_>,
    ) {
        let input = BatchInput { general: [a, b], rows, lives };
        match (a, b) {
            (Layout::Circles(a), Layout::Circles(b)) => {
                self.test::<_, _, true>(a, b, input, take);
            }
            (Layout::Boxes(a), Layout::Boxes(b)) => self.test::<_, _, true>(a, b, input, take),
            (Layout::Centered(a), Layout::Centered(b)) => {
                self.test::<_, _, true>(a, b, input, take);
            }
            // The test is symmetric, and a vacant row on either side touches nothing.
            (Layout::Circles(circles), Layout::Boxes(boxes))
            | (Layout::Boxes(boxes), Layout::Circles(circles)) => {
                self.test::<_, _, true>(circles, boxes, input, take);
            }
            _ => self.test_any::<true>(input, take),
        }
    }

    /// Tests columns of known layouts.
    fn test<A: ColumnSet, B: ColumnSet, const ROW_BY_ROW: bool>(
        &self,
        left: A,
        right: B,
        input: BatchInput<'_>,
        take: Take<'_>,
    ) {
        let inclusive = self.touching == Touching::Inclusive;
        let reach = if ROW_BY_ROW { right.len().min(left.len()) } else { right.len() };
        if reach < 64 {
            return self.test_any::<ROW_BY_ROW>(input, take);
        }
        let test = |first: usize, rows: usize, words: &mut [u64]| {
            let test =
                BatchTest::<_, _, ROW_BY_ROW, true> { left, right, first, rows, inclusive, words };
            dispatch(self.isa, test);
        };
        input.each_block(take, &mut |first, rows, words| {
            // The words whose loads are all whole vectors: all but at most one. That one is cut
            // from the test of the last 64 rows.
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
    fn test_any<const ROW_BY_ROW: bool>(&self, input: BatchInput<'_>, take: Take<'_>) {
        let inclusive = self.touching == Touching::Inclusive;
        let [left, right] = input.general;
        input.each_block(take, &mut |first, rows, words| {
            let test =
                BatchTest::<_, _, ROW_BY_ROW, false> { left, right, first, rows, inclusive, words };
            dispatch(self.isa, test);
        });
    }

    /// Writes the indices of the set bits of `words`, whose first bit is row `first`, to
    /// `indices[*found..]`, and adds their number to `found`.
    fn expand(&self, first: usize, words: &[u64], indices: &mut Vec<u32>, found: &mut usize) {
        if indices.len() < *found + 64 * words.len() {
            indices.resize(*found + 64 * words.len(), 0);
        }
        let out = &mut indices[*found..];
        *found += dispatch(self.isa, Expand { first: first as u32, words, out });
    }
}

/// What a batch tests.
struct BatchInput<'a> {
    /// The columns of both sides in any layout.
    general: [Layout<'a>; 2],
    rows: Range<usize>,
    lives: Lives<'a>,
}

impl BatchInput<'_> {
    /// For each block of rows, lets `test` set one bit per row, clears the bits of vacant rows, and
    /// passes the words to `take`. `test` takes the first row, the number of rows and the words.
    fn each_block(self, take: Take<'_>, test: &mut dyn FnMut(usize, usize, &mut [u64])) {
        let Self { rows: Range { start, end }, lives, .. } = self;
        let mut buffer = [0; WORDS];
        for first in (start..end).step_by(BLOCK) {
            let rows = (end - first).min(BLOCK);
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
pub(crate) type Take<'a> = &'a mut dyn FnMut(usize, &[u64]);

/// For each of two sets, the bits of the rows that hold a shape. `None`: all rows do.
pub(crate) type Lives<'a> = [Option<&'a [u64]>; 2];

/// The bits of 64 rows from `row` on, with zeros past the end.
#[inline(always)]
fn word_from(bits: &[u64], row: usize) -> u64 {
    let (word, shift) = (row / 64, row % 64);
    let above = bits.get(word + 1).filter(|_| shift > 0).map_or(0, |next| next << (64 - shift));
    bits[word] >> shift | above
}

/// The number of set bits.
fn count(words: &[u64]) -> usize {
    words.iter().map(|word| word.count_ones() as usize).sum()
}

/// Checks that both sets have the same number of rows.
pub(crate) fn same_length(a: &Checked<'_>, b: &Checked<'_>) -> Result<(), Error> {
    if a.len == b.len {
        Ok(())
    } else {
        Err(Error::UnequalColumns { field: Field::X, len: b.len, expected: a.len })
    }
}

/// A single shape as columns of one row, and whether its core has a size and its radius is above 0.
struct One {
    columns: [[f32; 1]; 5],
    sized: bool,
    round: bool,
}

impl One {
    fn new<T: AxisAligned>(shape: T) -> Result<Self, Error> {
        let shape = check_one(0, shape)?;
        let columns = [shape.min_x, shape.min_y, shape.max_x, shape.max_y, shape.radius];
        Ok(Self {
            columns: columns.map(|value| [value]),
            sized: shape.min_x != shape.max_x || shape.min_y != shape.max_y,
            round: shape.radius > 0.0,
        })
    }
}

/// The kernel that tests `rows` rows from `first` on, 64 rows to a word. `left` is one shape, or
/// the other side row by row. If `WHOLE`, the columns reach to the end of the last word.
struct BatchTest<'a, A, B, const ROW_BY_ROW: bool, const WHOLE: bool> {
    left: A,
    right: B,
    first: usize,
    rows: usize,
    inclusive: bool,
    words: &'a mut [u64],
}

impl<A: ColumnSet, B: ColumnSet, const ROW_BY_ROW: bool, const WHOLE: bool> Kernel
    for BatchTest<'_, A, B, ROW_BY_ROW, WHOLE>
{
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        if self.inclusive { self.test::<S, true>(simd) } else { self.test::<S, false>(simd) }
    }
}

impl<A: ColumnSet, B: ColumnSet, const ROW_BY_ROW: bool, const WHOLE: bool>
    BatchTest<'_, A, B, ROW_BY_ROW, WHOLE>
{
    #[inline(always)]
    fn test<S: Simd, const INCLUSIVE: bool>(self, simd: S) {
        let Self { left, right, first, rows, words, .. } = self;
        let rule = Rule { inclusive: INCLUSIVE, normal: false };
        let one = left.splat(simd, 0);
        for (index, word) in words.iter_mut().enumerate() {
            let begin = first + 64 * index;
            let used = (first + rows - begin).min(64);
            // Known at compile time where that makes the loop faster.
            let to = if WHOLE && !ROW_BY_ROW { 64 } else { used };
            let mut bits = 0;
            let mut lane = 0;
            while lane < to {
                let at = begin + lane;
                let others = if WHOLE { right.load(simd, at) } else { right.load_any(simd, at) };
                let ours = match (ROW_BY_ROW, WHOLE) {
                    (false, _) => one,
                    (true, true) => left.load(simd, at),
                    (true, false) => left.load_any(simd, at),
                };
                let hits = simd.bits(overlap(simd, ours, others, rule));
                bits |= u64::from(hits) << lane;
                lane += S::LANES;
            }
            *word = bits & u64::MAX >> (64 - used);
        }
    }
}

/// The kernel that writes the rows of the set bits to `out` and returns their number.
struct Expand<'a> {
    first: u32,
    words: &'a [u64],
    out: &'a mut [u32],
}

impl Kernel for Expand<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> usize {
        let Self { first, words, out } = self;
        let mut found = 0;
        for (base, &word) in (first..).step_by(64).zip(words) {
            found += simd.emit_indices(out, found, base, word);
        }
        found
    }
}
