//! `LazyLists`: the candidate lists of a grid, made when they are wanted.

use super::CellLists;
use crate::base::{Held, Lazy, MAX_LEVELS};

/// The candidate lists of each level of a grid. Empty for levels where lists do not pay off.
#[derive(Debug, Default)]
pub(in crate::grid) struct LazyLists(Lazy<[CellLists; MAX_LEVELS]>);

impl Clone for LazyLists {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, source: &Self) {
        self.clear();
        if let Some(lists) = source.0.made() {
            self.make(|copy| copy.clone_from(lists));
        }
    }
}

impl LazyLists {
    /// Removes all lists and keeps their memory.
    pub(in crate::grid) fn clear(&mut self) {
        self.0.clear();
    }

    /// Whether lists have been made, also where they turned out not to pay off.
    pub(in crate::grid) fn are_made(&self) -> bool {
        self.0.made().is_some()
    }

    /// The lists of `level`, if lists have been made.
    pub(in crate::grid) fn get(&self, level: usize) -> Option<&CellLists> {
        self.0.made().map(|lists| &lists[level])
    }

    /// Makes the lists by `list`, which takes the empty lists of all levels, unless they are made.
    pub(in crate::grid) fn make(&self, list: impl FnOnce(&mut [CellLists; MAX_LEVELS])) {
        self.0.get(|lists| {
            for level in lists.iter_mut() {
                level.clear();
            }
            list(lists);
        });
    }
}

impl Held for LazyLists {
    fn bytes(&self) -> usize {
        self.0.bytes()
    }
}
