//! Queries of an index: what is here, what is near, what a ray or a moved shape hits.

mod batch;
mod casts;
mod enter;
mod lists;
mod nearest;
mod overlap;
mod rays;
mod record;
mod rings;
mod scan;
mod search;
mod separation;
mod solid;
mod vector;

pub use lists::Lists;
pub use record::{Hit, Neighbor, Ray};
pub use scan::{Fan, ScanColumns};
pub(crate) use vector::Vector;
