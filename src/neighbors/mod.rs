//! Neighbour lists: all shapes within a distance of each other.
//!
//! ```text
//! list.rs  pairs within a distance → one list for each row                   (NeighborWorkspace)
//! item.rs  an item of a list, with or without its distance                   (Item)
//! ```

mod item;
mod list;

pub(crate) use list::NeighborWorkspace;
