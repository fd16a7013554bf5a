//! Neighbour lookups without bounds checks, because the tables are checked once.
#![allow(unsafe_code)]

use std::ops::Range;

use super::{Isa, Kernel, MAX_LANES, Simd, dispatch};
use crate::base::parallel::{self, Divide};

/// The sorted position at which the bodies of each cell begin, checked against the number of
/// positions.
#[derive(Clone, Copy)]
pub(crate) struct Starts<'a> {
    isa: Isa,
    starts: &'a [u32],
    places: usize,
}

/// The cells of the bodies of a grid level, and where the bodies of each cell begin. Bodies are
/// sorted by cell, row by row.
///
/// The sweep looks up three numbers and loads two windows of columns per body. Bounds checks of
/// each of these accesses cost a sixth of a count of circles. So the table is checked as a whole
/// when it is made, and [`Neighbours::get`] tells the compiler the facts that the check has proved.
/// The compiler then removes the bounds checks of the *safe* code that uses the lookup.
#[derive(Clone, Copy)]
pub(crate) struct Table<'a> {
    /// The cells of the bodies from sorted position `first` on.
    cells: &'a [u32],
    first: usize,
    starts: &'a [u32],
    places: usize,
    stride: usize,
}

impl<'a> Starts<'a> {
    /// Checks `starts`. Costs one pass, on several threads if `threads` is set.
    ///
    /// # Panics
    /// If a cell starts beyond `places`, the number of sorted positions: a bug in the sort.
    pub(crate) fn new(isa: Isa, starts: &'a [u32], places: usize, threads: bool) -> Self {
        assert!(places <= u32::MAX as usize);
        parallel::run(AtMost { isa, values: starts, limit: places }, threads);
        Self { isa, starts, places }
    }

    /// The table of a grid level whose bodies have the sorted positions from `first` on and lie in
    /// `cells`, with `stride` cells from one row to the next. Costs one pass over the cells.
    ///
    /// # Panics
    /// If the neighbours of a cell are not in the table: a bug in the sort.
    pub(crate) fn table(
        self,
        cells: &'a [u32],
        first: usize,
        stride: usize,
        threads: bool,
    ) -> Table<'a> {
        let Self { isa, starts, places } = self;
        assert!(stride > 0 && first + cells.len() <= places);
        let last_cell = starts.len().checked_sub(stride + 3);
        let last_cell = last_cell.expect("a level has a row of cells beyond its own");
        parallel::run(AtMost { isa, values: cells, limit: last_cell }, threads);
        Table { cells, first, starts, places, stride }
    }
}

impl<'a> Table<'a> {
    /// The half neighbourhoods of the bodies at the sorted positions `bodies`.
    ///
    /// # Panics
    /// If the table has no body at one of these positions.
    #[inline(always)]
    pub(crate) fn of(self, bodies: Range<usize>) -> Neighbours<'a> {
        let Self { cells, first, starts, places, stride } = self;
        let cells = &cells[bodies.start - first..bodies.end - first];
        // A `u32` can number all positions: `Starts` has checked it.
        Neighbours { cells, first: bodies.start as u32, starts, padded: places + MAX_LANES, stride }
    }
}

/// The half neighbourhoods of bodies of a grid level, at consecutive sorted positions.
#[derive(Clone, Copy)]
pub(crate) struct Neighbours<'a> {
    /// The cells of the bodies.
    cells: &'a [u32],
    /// The sorted position of the first body.
    first: u32,
    starts: &'a [u32],
    /// The number of sorted positions plus [`MAX_LANES`].
    padded: usize,
    stride: usize,
}

impl Neighbours<'_> {
    /// The number of bodies.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.cells.len()
    }

    /// The half neighbourhoods of the bodies from the `k`-th on.
    ///
    /// # Panics
    /// If there are fewer than `k` bodies.
    #[inline(always)]
    pub(crate) fn skip(self, k: usize) -> Self {
        Self { cells: &self.cells[k..], first: self.first + k as u32, ..self }
    }

    /// The length of padded columns: the number of sorted positions plus [`MAX_LANES`].
    #[inline(always)]
    pub(crate) fn padded(&self) -> usize {
        self.padded
    }

    /// The sorted position of the `k`-th body, and its half neighbourhood: the bodies after it in
    /// its cell and the next cell, and the bodies of three cells of the next row.
    ///
    /// The position is valid, and neither range begins beyond the last position. So a vector can be
    /// loaded from the start of each range in columns of length [`padded`](Neighbours::padded).
    ///
    /// # Panics
    /// If there is no such body.
    #[inline(always)]
    pub(crate) fn get<S: Simd>(&self, _: S, k: usize) -> (usize, [Range<usize>; 2]) {
        const { assert!(S::LANES <= MAX_LANES) };
        let cell = self.cells[k] as usize;
        let start = |cell: usize| {
            // SAFETY: `Starts::table` has checked that the largest cell + stride + 2 is within
            // `starts`; the three indices below are at most that, and `stride` is at least 1.
            unsafe { *self.starts.get_unchecked(cell) as usize }
        };
        // The sum fits into 32 bits. Computed in 32 bits, it shows the compiler that nothing below
        // wraps.
        let i = self.first.wrapping_add(k as u32) as usize;
        let after = i + 1..start(cell + 2);
        let below = start(cell + self.stride - 1)..start(cell + self.stride + 2);
        // SAFETY: `Starts` has checked that all bodies have positions, and that no start is beyond
        // the number of positions. So `i` and the starts of both ranges are at most that number,
        // and `padded` is larger than it by a vector at least.
        unsafe {
            std::hint::assert_unchecked(i < self.padded);
            std::hint::assert_unchecked(after.start + S::LANES <= self.padded);
            std::hint::assert_unchecked(below.start + S::LANES <= self.padded);
        }
        (i, [after, below])
    }
}

/// Checks that no value is above a limit.
struct AtMost<'a> {
    isa: Isa,
    values: &'a [u32],
    limit: usize,
}

impl Divide for AtMost<'_> {
    fn tasks(&self) -> usize {
        const TASK: usize = 1 << 18;
        self.values.len().div_ceil(TASK)
    }

    fn split(self, tasks: usize) -> (Self, Self) {
        let (values, rest) = self.values.split_at(self.values.len() / self.tasks() * tasks);
        (Self { values, ..self }, Self { values: rest, ..self })
    }

    fn work(self) {
        assert!(dispatch(self.isa, Largest(self.values)) as usize <= self.limit);
    }
}

/// The largest of some numbers; 0 without numbers.
struct Largest<'a>(&'a [u32]);

impl Kernel for Largest<'_> {
    type Output = u32;

    // A plain loop: the compiler vectorises it for the SIMD level.
    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> u32 {
        let mut lanes = [0; 4 * MAX_LANES];
        let (blocks, rest) = self.0.as_chunks::<{ 4 * MAX_LANES }>();
        for block in blocks {
            for (lane, &value) in lanes.iter_mut().zip(block) {
                *lane = value.max(*lane);
            }
        }
        let mut largest = 0;
        for &value in lanes.iter().chain(rest) {
            largest = value.max(largest);
        }
        largest
    }
}
