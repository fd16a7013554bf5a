//! Periodic boxes: pairs, neighbours and the nearest on a plane that repeats.
//!
//! ```text
//! periodic.rs  a box that repeats, and the records of results                (Periodic)
//! find.rs      pairs and neighbours in such a box                            (PeriodicWorkspace)
//! copies.rs    shapes in the box, and their copies across the seam           (Copies)
//!              how far shapes reach towards the upper sides                  (Reaches)
//! wrap.rs      shapes → wrapped columns, and those near the seam             (Wrap, Seam)
//! lists.rs     neighbours of shapes and copies → lists of rows               (ListsOfRows)
//! images.rs    shapes moved by any number of periods                         (Images)
//!              pairs further than a period apart                             (FarWorkspace)
//! nearest.rs   the nearest neighbours of each row                            (NearestImages)
//! ```

mod copies;
mod find;
mod images;
mod lists;
mod nearest;
#[allow(clippy::module_inception)]
pub(crate) mod periodic;
mod wrap;

pub(crate) use copies::shift_between;
pub(crate) use find::PeriodicWorkspace;
pub(crate) use nearest::Nearest;
pub(crate) use periodic::{Periodic, check_sides};
pub use periodic::{PeriodicNeighbor, PeriodicPair};
