//! Queries of an index: what is here, what is near, what a ray or a moved shape hits.
//!
//! ```text
//! record.rs      Ray in; Hit, Impact and Neighbor out
//! lists.rs       a list for each query, as offsets and items                          (Lists)
//! overlap.rs     shape → rows that touch
//! rays.rs        ray → hits
//! scan.rs        fan and poses → ranges: rings.rs, then single rays for what it leaves open
//! rings.rs       shapes around a sensor → for each ray, the one that it may hit first (Rings)
//! casts.rs       shape and translation → hits
//! nearest.rs     shape → nearest rows
//! two_shapes.rs  two shapes → distance, closest points, time of impact
//! contains.rs    shape and point → whether it holds the point
//!
//! batch.rs       many queries → tasks for the threads
//! seen.rs        which shapes a query sees                                            (Seen)
//! search.rs      query → places of the grid whose bounding boxes pass the filter      (Search)
//! solid.rs       place → convex shape in f64                                          (Solid)
//! enter.rs       ray and solid → where it enters                                      (Path)
//! separation.rs  two solids → distance, Minkowski difference
//! vector.rs      points in f64                                                        (Vector)
//!
//! adjacency.rs   pairs → partners of each row
//! islands.rs     pairs → connected components                                         (Islands)
//! near.rs        pairs with their distances, for the neighbour lists of a detector
//! periodic.rs    a box that repeats                                                   (Periodic)
//! ```
//!
//! A query walks the grid by [`Search`](search::Search), whose `region`, `around` and `walk` pass
//! places to a callback. The callback decides: overlap in the narrowphase, everything else on
//! solids in `f64`. All batches call the code of the single query. Filters are asked in `Search`,
//! before the callback.

mod adjacency;
mod batch;
#[cfg(feature = "narrowphase")]
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
mod seen;
mod separation;
mod solid;
#[cfg(feature = "narrowphase")]
mod two_shapes;
mod vector;

pub use adjacency::{Adjacency, adjacency};
#[cfg(feature = "narrowphase")]
pub(crate) use batch::Room;
pub use islands::Islands;
pub(crate) use lists::CHUNK;
pub use lists::Lists;
pub(crate) use near::{Near, box_distance};
pub use periodic::{Periodic, PeriodicNeighbor, PeriodicPair};
pub use record::{Hit, Impact, Neighbor, Ray};
pub use scan::{Fan, ScanColumns};
pub use seen::Seen;
pub(crate) use solid::Border;
#[cfg(feature = "narrowphase")]
pub(crate) use two_shapes::impact;
#[cfg(feature = "narrowphase")]
pub use two_shapes::{ClosestPoints, closest_points, contains, distance, time_of_impact};
pub(crate) use vector::Vector;
