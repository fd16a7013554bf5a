//! Candidate lists: the static items around each cell, listed together.
//!
//! ```text
//! candidate_lists.rs  the lists of one level                              (CellLists)
//!                     the lists of all levels, made when they are wanted  (LazyLists)
//! ```
//!
//! They are made when an index is built, or once it has been searched often.

mod candidate_lists;

#[cfg(test)]
pub(in crate::grid) use candidate_lists::MAX_ITEM_BYTES;
pub(in crate::grid) use candidate_lists::{CellLists, LazyLists, MAX_BLOCKS_PER_LIST, lines_of};
