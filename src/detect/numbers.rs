//! Names of bodies other than their rows, which the search reports.

use crate::{buffer::grow, grid::Grid};

/// A list of names, one for each place of a grid.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    /// 0, 1, 2 and so on.
    places: Vec<u32>,
    complements: Vec<u32>,
}

impl Numbers {
    /// The numbers of all places of `grid`: the search reports places instead of rows.
    pub(super) fn of(&mut self, grid: &Grid) -> &[u32] {
        let (known, len) = (self.places.len(), grid.sorted.ids().len());
        grow(&mut self.places, len);
        for (place, number) in self.places.iter_mut().enumerate().skip(known) {
            *number = place as u32;
        }
        &self.places[..len]
    }

    /// The complements of `ids`.
    pub(super) fn complements(&mut self, ids: &[u32]) -> &[u32] {
        self.complements.clear();
        self.complements.extend(ids.iter().map(|id| !id));
        &self.complements
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        (self.places.capacity() + self.complements.capacity()) * size_of::<u32>()
    }
}
