//! Lists with a limit. Results are kept as long as the limit and the memory last. Beyond, they are
//! only counted, so that the error can report their number.
//!
//! Workspaces grow in many places. A call asks for the memory of all its workspaces before it
//! begins.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::{
    base::{
        Pair,
        held::{Held, each},
    },
    error::Error,
};

/// Asks the system for `bytes` of memory, and gives them back. A call that may need this much
/// memory fails here, before it has changed anything. `len` is the length in the error.
pub(crate) fn ask(len: usize, bytes: usize) -> Result<(), Error> {
    let mut room: Vec<u8> = Vec::new();
    let asked = room.try_reserve_exact(bytes);
    // An allocation that is not used would be left out by the compiler.
    std::hint::black_box(&mut room);
    asked.map_err(|_| Error::OutOfMemory { len })
}

/// The most memory that calls of some kinds have asked for. In the steady state, they no longer
/// ask.
#[derive(Debug, Clone, Default)]
pub(crate) struct Granted([usize; 32]);

impl Granted {
    /// Asks for the memory that a call of a kind, of at most 32 kinds, needs.
    pub(crate) fn ask(&mut self, kind: usize, len: usize, bytes: usize) -> Result<(), Error> {
        let granted = &mut self.0[kind % 32];
        if bytes > *granted {
            ask(len, bytes)?;
            // Buffers take an eighth more than they need.
            *granted = bytes.saturating_add(bytes / 8);
        }
        Ok(())
    }
}

/// Appends an item. On failure, returns the length for which there is no memory.
#[inline(always)]
pub(crate) fn try_push<T>(list: &mut Vec<T>, item: T) -> Result<(), usize> {
    if list.len() == list.capacity() {
        list.try_reserve(1).map_err(|_| list.len() + 1)?;
    }
    list.push(item);
    Ok(())
}

/// The error for a list of this many elements, for which there is no memory.
pub(crate) fn no_memory(len: usize) -> Error {
    Error::OutOfMemory { len }
}

/// A value that is made when it is first used, in memory of its own.
#[derive(Debug)]
pub(crate) struct OnDemand<T>(Vec<T>);

impl<T> Default for OnDemand<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Default> OnDemand<T> {
    /// The value.
    pub(crate) fn get(&mut self) -> Result<&mut T, Error> {
        if self.0.is_empty() {
            self.0.try_reserve_exact(1).map_err(|_| no_memory(1))?;
            self.0.push(T::default());
        }
        self.0.first_mut().ok_or(no_memory(1))
    }
}

impl<T: Held> Held for OnDemand<T> {
    fn bytes(&self) -> usize {
        each(&self.0)
    }
}

/// Makes room for more elements.
pub(crate) fn try_reserve<T>(list: &mut Vec<T>, more: usize) -> Result<(), Error> {
    list.try_reserve(more).map_err(|_| no_memory(list.len().saturating_add(more)))
}

/// Makes an empty list `len` long.
pub(crate) fn try_resize<T: Clone>(list: &mut Vec<T>, len: usize, value: T) -> Result<(), Error> {
    list.try_reserve_exact(len.saturating_sub(list.len()))
        .map_err(|_| Error::OutOfMemory { len })?;
    list.resize(len, value);
    Ok(())
}

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
    /// The length that could not be allocated; 0 if there is none.
    starved: AtomicUsize,
}

impl Budget {
    pub(crate) fn new(limit: usize) -> Self {
        // Beyond the limit, more elements may be added, and the count does not wrap.
        let limit = limit.min(usize::MAX / 2);
        Self { limit, kept: AtomicUsize::new(0), starved: AtomicUsize::new(0) }
    }

    /// The most elements.
    pub(crate) fn limit(&self) -> usize {
        self.limit
    }

    /// Whether all elements so far are within the limit.
    pub(crate) fn lasts(&self) -> bool {
        self.keep(0)
    }

    /// Adds more elements than the limit.
    pub(crate) fn spend(&self) {
        self.kept.fetch_max(self.limit.saturating_add(1), Ordering::Relaxed);
    }

    /// Ends the work, because there is no memory for this many elements.
    pub(crate) fn starve(&self, len: usize) {
        self.starved.fetch_max(len.max(1), Ordering::Relaxed);
        self.spend();
    }

    /// An error if there was no memory.
    pub(crate) fn memory(&self) -> Result<(), Error> {
        match self.starved.load(Ordering::Relaxed) {
            0 => Ok(()),
            len => Err(Error::OutOfMemory { len }),
        }
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
/// could not be allocated. Gives the memory of `out` back in that case.
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
    *out = Vec::new();
    Err(error)
}
