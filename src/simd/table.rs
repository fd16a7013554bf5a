//! Neighbour lookups that need no bounds checks, because the table was checked once.
#![allow(unsafe_code)]

use std::ops::Range;

use super::{Isa, Kernel, MAX_LANES, Simd, dispatch};

/// Where the bodies of each cell begin, for bodies sorted by cell, row by row.
///
/// The sweep looks three numbers up and loads two windows of columns per body. Checking each of
/// these accesses costs time (docs/performance.md), so the table is checked
/// as a whole when it is made, and [`neighbours`](Table::neighbours) tells the compiler what that
/// proved: the bounds checks of the *safe* code behind it then fall away.
#[derive(Clone, Copy)]
pub(crate) struct Table<'a> {
    cells: &'a [u32],
    starts: &'a [u32],
    stride: usize,
}

impl<'a> Table<'a> {
    /// A table of the cell of each body and of where each cell starts, with `stride` cells from a
    /// row to the next. Costs one pass over both.
    ///
    /// # Panics
    /// If a cell has no neighbours in the table, or a cell starts beyond the last body: a mistake
    /// in the sort.
    pub(crate) fn new(isa: Isa, cells: &'a [u32], starts: &'a [u32], stride: usize) -> Self {
        let last_cell = dispatch(isa, Largest(cells)) as usize;
        let last_start = dispatch(isa, Largest(starts)) as usize;
        assert!(stride > 0 && stride <= u32::MAX as usize && cells.len() <= u32::MAX as usize);
        assert!(last_cell + stride + 2 < starts.len());
        assert!(last_start <= cells.len());
        Self { cells, starts, stride }
    }

    /// The number of bodies.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.cells.len()
    }

    /// The half neighbourhood of body `i`: the bodies after it in its cell and the next one, and
    /// those of three cells of the next row.
    ///
    /// Neither range begins beyond the number of bodies, so that columns with [`MAX_LANES`] values
    /// of slack can be loaded from there.
    ///
    /// # Panics
    /// If there is no body `i`.
    #[inline(always)]
    pub(crate) fn neighbours(&self, i: usize) -> [Range<usize>; 2] {
        let cell = self.cells[i] as usize;
        let start = |cell: usize| {
            // SAFETY: `new` has checked that the largest cell + stride + 2 is within `starts`; the
            // three indices below are at most that, and `stride` is at least 1.
            unsafe { *self.starts.get_unchecked(cell) as usize }
        };
        let after = i + 1..start(cell + 2);
        let below = start(cell + self.stride - 1)..start(cell + self.stride + 2);
        // SAFETY: `i` is a body, so `i + 1` is at most their number; `new` has checked that no
        // start is beyond it, and that it is at most `u32::MAX`.
        unsafe {
            std::hint::assert_unchecked(self.cells.len() <= u32::MAX as usize);
            std::hint::assert_unchecked(after.start <= self.cells.len());
            std::hint::assert_unchecked(below.start <= self.cells.len());
        }
        [after, below]
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
