//! Periodic boxes: pairs and neighbours on a plane that repeats.
//!
//! ```text
//! periodic.rs  a box that repeats, and the records of results                (Periodic)
//! find.rs      pairs and neighbours in such a box                            (PeriodicWorkspace)
//! copies.rs    shapes in the box, and their copies across the seam           (Copies)
//! ```

mod copies;
mod find;
#[allow(clippy::module_inception)]
pub(crate) mod periodic;

pub(crate) use find::PeriodicWorkspace;
pub(crate) use periodic::Periodic;
pub use periodic::{PeriodicNeighbor, PeriodicPair};
