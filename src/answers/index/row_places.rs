//! `RowPlaces`: where the rows of an index are, and which of them have changed.

use super::layer::LateLayer;
use crate::{
    base::copied,
    grid::{Arrangement, LayoutKind},
    shape::RoundedBox,
};

/// Where each row is, once a row has changed.
#[derive(Debug, Default)]
pub(super) struct RowPlaces {
    /// For each row: its cell in the first layer, or a mark: [`UNTRIED`](Self::UNTRIED),
    /// [`BESIDE`](Self::BESIDE), [`NO_ROW`](NO_ROW). Its place in the cell changes when other rows
    /// are inserted.
    pub(super) cells: Vec<u32>,
    pub(super) known: bool,
    /// The rows beside, and some rows that were beside.
    pub(super) beside: Vec<u32>,
    /// The number of rows beside.
    pub(super) count: usize,
    /// The number of rows beside for which no hole was looked for yet.
    pub(super) untried: usize,
    /// The rows that [`Index::remove`] has made vacant, to be used again, the last one first.
    pub(super) free: Vec<u32>,
    /// The rows that were sorted beside since all were sorted, each sort added.
    pub(super) work: usize,
    /// The shapes that were taken out of the first layer and had been there since it was sorted,
    /// and the layout of the columns that it was sorted from.
    pub(super) removed: Vec<RemovedShape>,
    pub(super) layout: LayoutKind,
    /// `true` for each row that was put into a hole of the first layer after it was sorted. Shorter
    /// where no further row was.
    pub(super) inserted: Vec<bool>,
}

copied!(RowPlaces { cells, known, beside, count, untried, free, work, removed, layout, inserted });

/// How the rows of a store are sorted: all that decides the order of results, besides the rows.
pub(crate) struct SortedRows {
    /// The layout of the columns that the first layer was sorted from.
    pub(crate) layout: LayoutKind,
    /// Whether any shape in it was rotated or had parts.
    pub(crate) rotates: bool,
    /// The shapes that were taken out of it since, by row.
    pub(crate) removed: Vec<RemovedShape>,
    /// The rows that have changed since, and are in no hole.
    pub(crate) beside: Vec<u32>,
    /// The rows of `beside` for which no hole was looked for yet.
    pub(crate) untried: Vec<u32>,
    /// The rows that were put into holes since.
    pub(crate) inserted: Vec<u32>,
    /// The spaces that have or had such rows, and where their rows are.
    pub(crate) arranged: Vec<(u32, Arrangement)>,
}

/// A shape that was taken out of the first layer, as it was when the layer was sorted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RemovedShape {
    pub(crate) row: u32,
    pub(crate) space: u32,
    pub(crate) sides: RoundedBox,
}

impl RowPlaces {
    /// Beside, because no hole fits.
    pub(super) const BESIDE: u32 = u32::MAX - 1;
    /// Beside, and no hole was looked for yet.
    pub(super) const UNTRIED: u32 = u32::MAX - 2;

    /// Forgets all places, because the rows are sorted anew.
    pub(super) fn clear(&mut self) {
        self.cells.clear();
        self.beside.clear();
        self.removed.clear();
        self.inserted.clear();
        self.free.clear();
        (self.known, self.count, self.untried, self.work) = (false, 0, 0, 0);
    }

    /// Forgets the sort of the rows beside, if they are sorted, and counts it.
    pub(super) fn outdate(&mut self, beside: &mut LateLayer) {
        if beside.made().is_some() {
            self.work += self.count;
        }
        beside.clear();
    }

    pub(super) fn is_beside(&self, row: u32) -> bool {
        self.cells.get(row as usize).is_some_and(|at| matches!(*at, Self::BESIDE | Self::UNTRIED))
    }

    /// Whether a row is beside, and no hole was looked for yet.
    pub(super) fn is_untried(&self, row: u32) -> bool {
        self.cells.get(row as usize) == Some(&Self::UNTRIED)
    }

    /// Sorts the rows beside, and drops rows that are no longer beside.
    pub(super) fn tidy(&mut self) {
        let mut rows = std::mem::take(&mut self.beside);
        rows.sort_unstable();
        rows.dedup();
        rows.retain(|row| self.is_beside(*row));
        self.beside = rows;
    }
}
