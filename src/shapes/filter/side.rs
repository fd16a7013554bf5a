//! `FilteredItems`: the items of a grid and their filters.

use super::Filter;

/// A side of a meeting.
#[derive(Clone, Copy)]
pub(crate) struct FilteredItems<'a> {
    /// The id at each place of the grid.
    pub(crate) ids: &'a [u32],
    /// Whether the ids are complements of rows.
    pub(crate) complements: bool,
    pub(crate) filters: Option<&'a [Filter]>,
}

impl FilteredItems<'_> {
    /// The row of the item at a place.
    pub(super) fn row(&self, place: usize) -> u32 {
        let id = self.ids[place];
        if self.complements { !id } else { id }
    }
}
