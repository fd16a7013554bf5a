//! Events: the changes from the pairs of the last step to the pairs of this step.
//!
//! ```text
//! pair_diff.rs    two lists of pairs → pairs that started, persisted, stopped        (PairDiff)
//! id_ranks.rs     ids of the caller → their ranks, which keep the order of the ids   (IdRanks)
//! matching.rs     two lists of pairs → the place of each pair in the last list       (Matching)
//! sorted_list.rs  a list of pairs → sorted, each once, with their places             (SortedList)
//!                 pairs → sorted by `a`, then `b`, each once                         (sort_once)
//! ```
//!
//! A step numbers both lists in the same way, and looks for each pair of the new list in the last
//! list. Without ids, a row is its own number. With ids, the number is the rank of the id among the
//! ids of both steps, so that the numbers have the order of the ids.

mod id_ranks;
mod matching;
pub(crate) mod pair_diff;
mod sorted_list;

pub use crate::base::HasPair;
pub(crate) use pair_diff::Unchanged;
pub use pair_diff::{PersistedPair, StartedPair, StoppedPair};
