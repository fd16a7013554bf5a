//! Ids that the search reports instead of rows.

use crate::{
    base::{buffer::grow, held},
    grid::{Grid, GridView},
};

/// Lists of ids, one id for each sorted position of a grid.
#[derive(Debug, Default)]
pub(crate) struct SearchIds {
    /// The identity: 0, 1, 2 and so on.
    places: Vec<u32>,
    /// The list of [`SearchIds::complements`].
    complements: Vec<u32>,
}

held!(SearchIds { places, complements });

impl SearchIds {
    /// Returns identity ids for `grid`: with them, the search reports sorted positions instead of
    /// rows.
    pub(super) fn of(&mut self, grid: &Grid) -> &[u32] {
        let (known, len) = (self.places.len(), grid.sorted.ids().len());
        grow(&mut self.places, len);
        for (place, number) in self.places.iter_mut().enumerate().skip(known) {
            *number = place as u32;
        }
        &self.places[..len]
    }

    /// Returns a list with the bitwise complements of the ids of the items of `grid`, by place.
    pub(super) fn complements(&mut self, grid: GridView<'_>) -> &[u32] {
        let ids = grid.sorted.ids();
        grow(&mut self.complements, ids.len());
        for place in grid.places() {
            self.complements[place] = !ids[place];
        }
        &self.complements[..ids.len()]
    }
}
