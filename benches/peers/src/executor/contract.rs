//! The interface of an executor.

use anyhow::Result;
use widephase::Pair;

use crate::bodies::Rows;

/// An algorithm from columns of bodies to touching pairs: to the list of all pairs, or to a
/// structure of its own that keeps pairs and contacts from step to step.
pub trait Executor<R: Rows> {
    /// Called once with each new scene. It is not timed: executors that keep a structure from step
    /// to step build it here.
    fn begin(&mut self, _rows: &R) -> Result<()> {
        Ok(())
    }

    /// Called before each call of [`detect`](Executor::detect). It is not timed.
    fn prepare(&mut self, _rows: &R) -> Result<()> {
        Ok(())
    }

    /// The timed call. Appends all touching pairs to `pairs`, which is empty, in any order, unless
    /// the executor keeps them.
    fn detect(&mut self, rows: &R, pairs: &mut Vec<Pair>) -> Result<()>;

    /// Appends the pairs that the executor keeps, for the check. It is not timed.
    ///
    /// # Errors
    /// If the events since the beginning do not add up to the pairs that are kept.
    fn kept(&self, _pairs: &mut Vec<Pair>) -> Result<()> {
        Ok(())
    }
}

/// A pair with the smaller index first.
pub fn pair(a: u32, b: u32) -> Pair {
    Pair { a: a.min(b), b: a.max(b) }
}
