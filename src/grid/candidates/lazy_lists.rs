//! `LazyLists`: the candidate lists of a grid, made when they are wanted.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::CellLists;
use crate::base::MAX_LEVELS;

/// The candidate lists of each level of a grid.
#[derive(Debug, Default)]
pub(in crate::grid) struct LazyLists {
    /// Empty for levels where lists do not pay off.
    made: OnceLock<Box<[CellLists; MAX_LEVELS]>>,
    /// The memory of the lists while they are not made.
    spare: Mutex<Option<Box<[CellLists; MAX_LEVELS]>>>,
}

impl Clone for LazyLists {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, source: &Self) {
        self.clear();
        if let Some(lists) = source.made.get() {
            self.make(|copy| copy.clone_from(lists));
        }
    }
}

impl LazyLists {
    /// Removes all lists and keeps their memory.
    pub(in crate::grid) fn clear(&mut self) {
        if let Some(lists) = self.made.take() {
            *self.spare.get_mut().unwrap_or_else(PoisonError::into_inner) = Some(lists);
        }
    }

    /// Whether lists have been made, also where they turned out not to pay off.
    pub(in crate::grid) fn are_made(&self) -> bool {
        self.made.get().is_some()
    }

    /// The lists of `level`, if lists have been made.
    pub(in crate::grid) fn get(&self, level: usize) -> Option<&CellLists> {
        self.made.get().map(|lists| &lists[level])
    }

    /// Makes the lists by `list`, which takes the empty lists of all levels, unless they are made.
    pub(in crate::grid) fn make(&self, list: impl FnOnce(&mut [CellLists; MAX_LEVELS])) {
        self.made.get_or_init(|| {
            let mut lists = self.spare().take().unwrap_or_default();
            for level in lists.iter_mut() {
                level.clear();
            }
            list(&mut lists);
            lists
        });
    }

    fn spare(&self) -> MutexGuard<'_, Option<Box<[CellLists; MAX_LEVELS]>>> {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Bytes held.
    pub(in crate::grid) fn bytes(&self) -> usize {
        let spare = self.spare();
        let held = self.made.get().or(spare.as_ref());
        held.map_or(0, |lists| {
            size_of_val(&**lists) + lists.iter().map(CellLists::bytes).sum::<usize>()
        })
    }
}
