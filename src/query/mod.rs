//! Queries of an index: what is here, what is near, what a ray or a moved shape hits.

mod adjacency;
mod batch;
mod casts;
#[cfg(feature = "narrowphase")]
mod contains;
mod enter;
mod islands;
mod lists;
mod near;
mod nearest;
mod overlap;
mod periodic;
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

pub use adjacency::{Adjacency, adjacency};
pub use islands::Islands;
pub(crate) use lists::CHUNK;
pub use lists::Lists;
pub(crate) use near::{Near, box_distance};
pub use periodic::{Periodic, PeriodicNeighbor, PeriodicPair};
pub use record::{Hit, Neighbor, Ray};
pub use scan::{Fan, ScanColumns};
#[cfg(feature = "narrowphase")]
pub use two_shapes::{ClosestPoints, closest_points, contains, distance, time_of_impact};
pub(crate) use vector::Vector;
