//! Events: what has changed from the pairs of the last step to the pairs of this step.
//!
//! ```text
//! pair_diff.rs  two lists of pairs → pairs that started, persisted, stopped          (PairDiff)
//! id_ranks.rs   ids of the caller → their ranks, which keep the order of the ids     (IdRanks)
//! sort.rs       pairs → sorted by `a`, then `b`, each once                           (Sorter)
//! ```
//!
//! A step numbers both lists in the same way, sorts the new one, and merges the two. Without ids, a
//! row is its own number. With ids, the number is the rank of the id among the ids of both steps,
//! so that the numbers have the order of the ids. The sorted list is kept for the next step.

mod id_ranks;
pub(crate) mod pair_diff;
mod sort;

pub use crate::base::HasPair;
pub use pair_diff::{PersistedPair, StartedPair, StoppedPair};
