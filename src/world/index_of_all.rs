//! `IndexOfAll`: the index of all bodies, built when it is first needed after a change.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::bodies::Bodies;
use crate::{Error, Index, IndexOptions};

/// An index of all bodies as of now.
#[derive(Debug, Default)]
pub(super) struct IndexOfAll {
    built: OnceLock<Box<Index>>,
    /// The memory of the index while it is not built.
    spare: Mutex<Box<Index>>,
}

impl IndexOfAll {
    /// The index of these bodies, which are the bodies of the last call unless
    /// [`clear`](Self::clear) was called.
    pub(super) fn get(&self, bodies: &Bodies, options: IndexOptions) -> Result<&Index, Error> {
        if let Some(index) = self.built.get() {
            return Ok(index);
        }
        // No lock is held meanwhile: a thread of the pool that waits for its tasks may run another
        // one that asks for the index. Threads that ask at the same time all build one.
        let columns = bodies.columns()?;
        let mut index = std::mem::take(&mut *self.spare());
        let result = index.set_options(options).and_then(|()| index.rebuild(columns));
        if let Err(error) = result {
            *self.spare() = index;
            return Err(error);
        }
        Ok(self.built.get_or_init(|| index))
    }

    /// Forgets the index, because a body has changed, and keeps its memory.
    pub(super) fn clear(&mut self) {
        if let Some(index) = self.built.take() {
            *self.spare() = index;
        }
    }

    fn spare(&self) -> MutexGuard<'_, Box<Index>> {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        self.built.get().map_or(0, |index| index.bytes()) + self.spare().bytes()
    }
}
