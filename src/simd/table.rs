//! Neighbour lookups that need no bounds checks, because the tables were checked once.
#![allow(unsafe_code)]

use std::ops::Range;

use super::{Isa, Kernel, MAX_LANES, Simd, dispatch};
use crate::parallel::{self, Divide};

/// Where the bodies of each cell begin: numbers that are known not to lie beyond the last place.
#[derive(Clone, Copy)]
pub(crate) struct Starts<'a> {
    isa: Isa,
    starts: &'a [u32],
    places: usize,
}

/// Where the bodies of each cell of a level begin, for bodies sorted by cell, row by row.
///
/// The sweep looks three numbers up and loads two windows of columns per body. Checking each of
/// these accesses costs time (docs/performance-log.md), so the table is checked as a whole when it is
/// made, and [`Neighbours::get`] tells the compiler what that proved: the bounds
/// checks of the *safe* code behind it then fall away.
#[derive(Clone, Copy)]
pub(crate) struct Table<'a> {
    /// The cells of the bodies from place `first` on.
    cells: &'a [u32],
    first: usize,
    starts: &'a [u32],
    places: usize,
    stride: usize,
}

impl<'a> Starts<'a> {
    /// Costs one pass, over several threads if `threads` says so.
    ///
    /// # Panics
    /// If a cell starts beyond the last of so many places: a mistake in the sort.
    pub(crate) fn new(isa: Isa, starts: &'a [u32], places: usize, threads: bool) -> Self {
        assert!(places <= u32::MAX as usize);
        parallel::run(AtMost { isa, values: starts, limit: places }, threads);
        Self { isa, starts, places }
    }

    /// The table of a level whose bodies have the places from `first` on and lie in `cells`, with
    /// `stride` cells from a row to the next. Costs one pass over the cells.
    ///
    /// # Panics
    /// If a cell has no neighbours in the table: a mistake in the sort.
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
    /// The neighbours of `bodies`.
    ///
    /// # Panics
    /// If there is no body in one of these places.
    #[inline(always)]
    pub(crate) fn of(self, bodies: Range<usize>) -> Neighbours<'a> {
        let Self { cells, first, starts, places, stride } = self;
        let cells = &cells[bodies.start - first..bodies.end - first];
        // No more places than `u32` can number, as `Starts` has checked.
        Neighbours { cells, first: bodies.start as u32, starts, padded: places + MAX_LANES, stride }
    }
}

/// The half neighbourhoods of some bodies of a level, one place after the other.
#[derive(Clone, Copy)]
pub(crate) struct Neighbours<'a> {
    /// The cells of the bodies.
    cells: &'a [u32],
    /// The place of the first one.
    first: u32,
    starts: &'a [u32],
    /// The number of places, and [`MAX_LANES`].
    padded: usize,
    stride: usize,
}

impl Neighbours<'_> {
    /// The number of bodies.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.cells.len()
    }

    /// Those of the bodies from the `k`-th on.
    ///
    /// # Panics
    /// If there are fewer than `k`.
    #[inline(always)]
    pub(crate) fn skip(self, k: usize) -> Self {
        Self { cells: &self.cells[k..], first: self.first + k as u32, ..self }
    }

    /// The length of columns with a value for each place and [`MAX_LANES`] more.
    #[inline(always)]
    pub(crate) fn padded(&self) -> usize {
        self.padded
    }

    /// The place of the `k`-th body, and its half neighbourhood: the bodies after it in its cell and the
    /// next one, and those of three cells of the next row.
    ///
    /// The place is one, and neither range begins beyond the last, so that a vector can be loaded from there
    /// out of columns of the length [`padded`](Neighbours::padded).
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
        // Summed up in 32 bits, which it fits into: the compiler then sees that nothing below wraps.
        let i = self.first.wrapping_add(k as u32) as usize;
        let after = i + 1..start(cell + 2);
        let below = start(cell + self.stride - 1)..start(cell + self.stride + 2);
        // SAFETY: `Starts` has checked that all bodies have places and that no start is beyond the number of
        // them, so none of the three numbers is; and `padded` is larger than that by a vector at least.
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

/// The largest of some numbers; 0 of none.
struct Largest<'a>(&'a [u32]);

impl Kernel for Largest<'_> {
    type Output = u32;

    // A plain loop: compiled for the level, it becomes vector code by itself.
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
