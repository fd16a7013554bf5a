//! What a sweep calls bodies whose place is asked for, and not their row.

use crate::{buffer::grow, grid::Grid};

/// 0, 1, 2 and so on.
#[derive(Debug, Default)]
pub(super) struct Numbers(Vec<u32>);

impl Numbers {
    /// The numbers of all places of `grid`.
    pub(super) fn of(&mut self, grid: &Grid) -> &[u32] {
        let (known, len) = (self.0.len(), grid.sorted.ids().len());
        grow(&mut self.0, len);
        for (place, number) in self.0.iter_mut().enumerate().skip(known) {
            *number = place as u32;
        }
        &self.0[..len]
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<u32>()
    }
}
