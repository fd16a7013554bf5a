//! Lists by row, as the pairs of each row.
//!
//! ```text
//! lists.rs      a list for each query or row, as offsets and items           (Lists)
//! adjacency.rs  pairs → partners of each row
//! islands.rs    pairs → connected components                                 (Islands)
//! ```

mod adjacency;
mod islands;
#[allow(clippy::module_inception)]
mod lists;

pub use adjacency::adjacency;
pub use islands::Islands;
pub use lists::{Adjacency, Lists};
