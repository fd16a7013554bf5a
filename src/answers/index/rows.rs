//! Axis-aligned shapes of columns as the records that the narrowphase reads.

use crate::{
    base::{
        TASK_LISTS,
        buffer::grow,
        held,
        parallel::{self, Divide},
    },
    grid::GridView,
    narrowphase::{Set, View},
    posed::{Placed, ShapeClass},
};

/// Axis-aligned shapes as [`Placed`] records, one per row.
///
/// A store with rotated shapes keeps such records itself, and the narrowphase reads them there. (An
/// alternative was to copy the records into the order of the grid: the two records of a pair are
/// then near each other. It was dropped, because the copy is one more pass that waits for each
/// record, and takes memory for all rows.)
#[derive(Debug, Default)]
pub(crate) struct PlacedRows {
    placed: Vec<Placed>,
    /// The number of rows that were placed last.
    len: usize,
    /// The class of all rows, if they have the same class and it is known.
    only: Option<ShapeClass>,
}

held!(PlacedRows { placed, len, only });

impl PlacedRows {
    /// Replaces the records by the records of the first `len` rows of `view`.
    pub(crate) fn fill(&mut self, view: View<'_>, len: usize, threads: bool) {
        let Self { placed, only, .. } = self;
        *only = view.only_class();
        self.len = len;
        grow(placed, len);
        parallel::run(PlaceRecords { view, first: 0, placed: &mut placed[..len] }, threads);
    }

    /// Replaces the records of some of the first `len` rows of `view`.
    pub(crate) fn fill_some(&mut self, view: View<'_>, len: usize, rows: &[u32]) {
        self.begin(len, view.only_class());
        for &row in rows {
            view.place(std::iter::once(row), &mut self.placed[row as usize..][..1]);
        }
    }

    /// The records as a set for the narrowphase. `view` is of the same rows, or of an empty
    /// store if their columns are no longer there.
    pub(crate) fn set<'a>(&'a self, view: View<'a>) -> Set<'a> {
        Set::placed(view, &self.placed[..self.len], self.only)
    }

    /// Begins `len` records. Records of rows without a body mean nothing. `only` is the class of
    /// all rows, if they have the same class and it is known.
    pub(crate) fn begin(&mut self, len: usize, only: Option<ShapeClass>) {
        grow(&mut self.placed, len);
        (self.len, self.only) = (len, only);
    }

    /// Writes the records of the bodies of `grid`, whose ids are complements of rows. `class`
    /// returns the class of a row.
    pub(crate) fn fill_from(&mut self, grid: GridView<'_>, class: impl Fn(usize) -> ShapeClass) {
        let (layout, ids) = (grid.sorted.layout(grid.form), grid.sorted.ids());
        for place in grid.live_places() {
            let row = !ids[place] as usize;
            self.placed[row] = Placed::aligned(class(row), layout.rounded_box(place));
        }
    }
}

/// The work of writing the records of consecutive rows.
struct PlaceRecords<'a> {
    view: View<'a>,
    first: usize,
    placed: &'a mut [Placed],
}

impl Divide for PlaceRecords<'_> {
    fn tasks(&self) -> usize {
        self.placed.len().div_ceil(TASK_LISTS)
    }

    fn split(self, tasks: usize) -> (Self, Self) {
        let Self { view, first, placed } = self;
        let (placed, rest) = placed.split_at_mut(tasks * TASK_LISTS);
        (
            PlaceRecords { view, first, placed },
            PlaceRecords { view, first: first + tasks * TASK_LISTS, placed: rest },
        )
    }

    fn work(self) {
        let Self { view, first, placed } = self;
        view.place(first as u32.., placed);
    }
}
