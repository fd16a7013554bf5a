//! Lists with a limit. Results are kept as long as the limit and the memory last. Beyond, they are
//! only counted, so that the error can report their number.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::{Error, Pair};

/// An element of a list with a limit.
pub(crate) trait Listed: Copy {
    /// The error for more elements than the limit.
    fn too_many(limit: usize, found: u64) -> Error;
}

impl Listed for Pair {
    fn too_many(limit: usize, found: u64) -> Error {
        Error::TooManyPairs { limit: limit as u64, found }
    }
}

/// The number of elements that all tasks together may keep.
pub(crate) struct Budget {
    limit: usize,
    kept: AtomicUsize,
}

impl Budget {
    pub(crate) fn new(limit: usize) -> Self {
        Self { limit, kept: AtomicUsize::new(0) }
    }

    /// Whether all elements so far are within the limit.
    pub(crate) fn lasts(&self) -> bool {
        self.keep(0)
    }

    /// Adds more elements than the limit.
    pub(crate) fn spend(&self) {
        self.kept.fetch_max(self.limit.saturating_add(1), Ordering::Relaxed);
    }

    /// Adds `count` elements. Returns whether all elements so far are within the limit.
    pub(crate) fn keep(&self, count: usize) -> bool {
        let before = self.kept.fetch_add(count, Ordering::Relaxed);
        before.saturating_add(count) <= self.limit
    }
}

/// The elements that were not put into a list, and why.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Left {
    /// The number of elements found but not kept.
    pub(crate) dropped: u64,
    /// The length that could not be allocated, if an allocation has failed.
    pub(crate) starved: Option<usize>,
}

impl Left {
    /// Whether all elements were put into the list.
    pub(crate) fn is_nothing(&self) -> bool {
        self.dropped == 0 && self.starved.is_none()
    }

    /// Adds `other` to this.
    pub(crate) fn add(&mut self, other: Self) {
        self.dropped += other.dropped;
        self.starved = self.starved.or(other.starved);
    }

    /// Appends `found` to `list`, as long as the budget and the memory last; from then on, only
    /// counts.
    pub(crate) fn append<T: Copy>(&mut self, list: &mut Vec<T>, found: &[T], budget: &Budget) {
        if budget.keep(found.len()) && self.starved.is_none() && self.dropped == 0 {
            let wanted = list.len() + found.len();
            // Lists grow by an eighth, because doubling wastes memory.
            let more = found.len().max(list.len() / 8);
            if list.capacity() >= wanted || list.try_reserve_exact(more).is_ok() {
                list.extend_from_slice(found);
                return;
            }
            self.starved = Some(wanted);
        }
        self.dropped += found.len() as u64;
    }
}

/// Returns an error if `found` elements are more than `limit`, or if memory for `starved` elements
/// could not be allocated. Clears `out` in that case.
pub(crate) fn outcome<T: Listed>(
    out: &mut Vec<T>,
    found: u64,
    limit: usize,
    starved: Option<usize>,
) -> Result<(), Error> {
    let error = if let Some(len) = starved {
        Error::OutOfMemory { len }
    } else if found > limit as u64 {
        T::too_many(limit, found)
    } else {
        return Ok(());
    };
    out.clear();
    Err(error)
}
