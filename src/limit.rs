//! Lists that have a limit: what is found is kept as long as the limit and the memory last, and beyond
//! that counted, so that an error can say how much there is.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::{Contact, Error, Pair};

/// What is listed.
pub(crate) trait Listed: Copy {
    /// The error for more of it than the limit.
    fn too_many(limit: usize, found: u64) -> Error;
}

impl Listed for Pair {
    fn too_many(limit: usize, found: u64) -> Error {
        Error::TooManyPairs { limit, found }
    }
}

impl Listed for Contact {
    fn too_many(limit: usize, found: u64) -> Error {
        Error::TooManyContacts { limit, found }
    }
}

/// How much all tasks together may keep.
pub(crate) struct Budget {
    limit: usize,
    kept: AtomicUsize,
}

impl Budget {
    pub(crate) fn new(limit: usize) -> Self {
        Self { limit, kept: AtomicUsize::new(0) }
    }

    /// Notes `count` more, and says whether all are within the limit.
    pub(crate) fn keep(&self, count: usize) -> bool {
        let before = self.kept.fetch_add(count, Ordering::Relaxed);
        before.saturating_add(count) <= self.limit
    }
}

/// What did not go into a list.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Left {
    /// Found and not kept, once the limit is reached.
    pub(crate) dropped: u64,
    /// The length that the system had no memory for, if so.
    pub(crate) starved: Option<usize>,
}

impl Left {
    /// Whether everything went into the list.
    pub(crate) fn is_nothing(&self) -> bool {
        self.dropped == 0 && self.starved.is_none()
    }

    /// Both together.
    pub(crate) fn add(&mut self, other: Self) {
        self.dropped += other.dropped;
        self.starved = self.starved.or(other.starved);
    }

    /// Appends what was found, as long as the budget lasts; from then on, only counts.
    pub(crate) fn append<T: Copy>(&mut self, list: &mut Vec<T>, found: &[T], budget: &Budget) {
        if budget.keep(found.len()) && self.starved.is_none() && self.dropped == 0 {
            let wanted = list.len() + found.len();
            // Lists grow by an eighth: to double is to waste.
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

/// What a collection that has found so much in all has come to; the list is empty if that is an error.
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
