//! Queries of an index: what is here, what is near, what a ray or a moved shape hits.

mod batch;
mod casts;
#[cfg(feature = "narrowphase")]
mod contains;
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
#[cfg(feature = "narrowphase")]
mod two_shapes;
mod vector;

pub use lists::Lists;
pub use record::{Hit, Neighbor, Ray};
pub use scan::{Fan, ScanColumns};
#[cfg(feature = "narrowphase")]
pub use two_shapes::{ClosestPoints, closest_points, contains, distance, time_of_impact};
pub(crate) use vector::Vector;
