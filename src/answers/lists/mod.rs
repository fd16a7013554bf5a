//! Lists by row, as the pairs of each row.
//!
//! ```text
//! lists.rs      a list for each query or row, as offsets and items           (Lists)
//!               pairs → partners of each row
//! islands.rs    pairs → connected components                                 (Islands)
//! ```

mod islands;
#[allow(clippy::module_inception)]
mod lists;

pub use islands::Islands;
pub use lists::{Adjacency, Lists, adjacency};
