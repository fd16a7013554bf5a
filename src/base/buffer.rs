//! Buffers that keep their memory from call to call, and `Lazy`: a value that is made when it
//! is first wanted, in memory that is kept.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::held::Held;

/// Makes `buffer` at least `len` long. It never shrinks, so in the steady state no element is
/// initialised again.
///
/// When it allocates, it takes an eighth more than `len`. A scene that spreads slowly gets a few
/// more cells at every step, and would otherwise allocate at many steps.
pub(crate) fn grow<T: Clone + Default>(buffer: &mut Vec<T>, len: usize) {
    if buffer.capacity() < len {
        buffer.reserve_exact(len + len / 8 - buffer.len());
    }
    if buffer.len() < len {
        buffer.resize(len, T::default());
    }
}

/// Clears `list` and makes sure that its capacity is at least `len`. If it grows, it reserves an
/// eighth more than `len` instead of doubling. Returns false if there is no memory.
pub(crate) fn make_room<T>(list: &mut Vec<T>, len: usize) -> bool {
    list.clear();
    list.capacity() >= len || list.try_reserve_exact(len + len / 8).is_ok()
}

/// Makes a buffer `len` long, for items that are to be written. The items of the last call are not
/// cleared. When it grows, it takes an eighth more memory. Returns false if there is no memory.
pub(crate) fn overwrite<T: Clone + Default>(items: &mut Vec<T>, len: usize) -> bool {
    if items.capacity() < len
        && items.try_reserve_exact(len.saturating_add(len / 8) - items.len()).is_err()
    {
        return false;
    }
    items.resize(len, T::default());
    true
}

/// A value that is made when it is first wanted.
#[derive(Debug, Default)]
pub(crate) struct Lazy<T> {
    made: OnceLock<Box<T>>,
    /// The memory of the value while it is not made.
    spare: Mutex<Option<Box<T>>>,
}

impl<T: Default> Lazy<T> {
    /// Removes the value and keeps its memory.
    pub(crate) fn clear(&mut self) {
        if let Some(value) = self.made.take() {
            *self.spare.get_mut().unwrap_or_else(PoisonError::into_inner) = Some(value);
        }
    }

    /// The value, if it is made.
    #[inline]
    pub(crate) fn made(&self) -> Option<&T> {
        self.made.get().map(|value| &**value)
    }

    /// The value, if it is made, to be changed.
    pub(crate) fn made_mut(&mut self) -> Option<&mut T> {
        self.made.get_mut().map(|value| &mut **value)
    }

    /// The value, which `fill` replaces unless it is made.
    pub(crate) fn get(&self, fill: impl FnOnce(&mut T)) -> &T {
        self.made.get_or_init(|| {
            let mut value = self.spare().take().unwrap_or_default();
            fill(&mut value);
            value
        })
    }

    /// Makes the value by `fill`, unless it is made.
    ///
    /// No lock is held meanwhile: a thread of the pool that waits for its tasks may run another
    /// task that asks for the value. Threads that ask at the same time all make a value, and one
    /// value is kept.
    pub(crate) fn try_make<E>(&self, fill: impl FnOnce(&mut T) -> Result<(), E>) -> Result<(), E> {
        if self.made.get().is_some() {
            return Ok(());
        }
        let mut value = self.spare().take().unwrap_or_default();
        let result = fill(&mut value);
        if result.is_err() {
            *self.spare() = Some(value);
            return result;
        }
        self.made.get_or_init(|| value);
        Ok(())
    }

    fn spare(&self) -> MutexGuard<'_, Option<Box<T>>> {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Default + Held> Held for Lazy<T> {
    fn bytes(&self) -> usize {
        let spare = self.spare();
        self.made.get().or(spare.as_ref()).map_or(0, Held::bytes)
    }
}
