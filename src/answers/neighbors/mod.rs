//! Neighbour lists: all shapes within a distance of each other.
//!
//! ```text
//! list.rs       pairs within a distance → one list for each row              (NeighborWorkspace)
//!               an item of a list, with or without its distance              (Item)
//! distances.rs  the distances of pairs, and of lists                         (PairDistances)
//! ```

mod distances;
mod list;

pub(crate) use list::{ListForm, NeighborWorkspace};
