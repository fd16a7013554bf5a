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
//! stop.rs        what stops a motion                                                  (Motion)
//! way.rs         the part of a path beside an obstacle: how deep it leads in          (Way)
//! nearest.rs     shape → nearest rows
//! two_shapes.rs  two shapes → distance, closest points, time of impact
//! outlines.rs    two shapes → the area that they share, where their outlines cross
//! contains.rs    shape and point → whether it holds the point
//!
//! batch.rs       many queries → tasks for the threads
//! seen.rs        which shapes a query sees                                            (Seen)
//! search.rs      query → places of the grid whose bounding boxes pass the filter      (Search)
//! solid.rs       place → convex shape in f64                                          (Solid)
//! enter.rs       ray and solid → where it enters                                      (Path)
//! separation.rs  two solids → distance, Minkowski difference
//! border.rs      the line of a half-plane                                             (Border)
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
//!
//! Without the feature `queries`, only lists, adjacency and islands are left.

mod adjacency;
mod border;
mod islands;
mod lists;
mod near;
mod vector;

#[cfg(feature = "queries")]
mod batch;
#[cfg(feature = "queries")]
mod enter;
#[cfg(feature = "queries")]
mod nearest;
#[cfg(feature = "queries")]
mod overlap;
#[cfg(feature = "queries")]
mod periodic;
#[cfg(feature = "queries")]
mod rays;
#[cfg(feature = "queries")]
mod record;
#[cfg(feature = "queries")]
mod rings;
#[cfg(feature = "queries")]
mod scan;
#[cfg(feature = "queries")]
mod search;
#[cfg(feature = "queries")]
mod seen;
#[cfg(feature = "queries")]
mod separation;
#[cfg(feature = "queries")]
mod solid;

#[cfg(all(feature = "narrowphase", feature = "queries"))]
mod casts;
#[cfg(all(feature = "narrowphase", feature = "queries"))]
mod contains;
#[cfg(all(feature = "narrowphase", feature = "queries"))]
mod outlines;
#[cfg(all(feature = "narrowphase", feature = "queries"))]
mod stop;
#[cfg(all(feature = "narrowphase", feature = "queries"))]
mod two_shapes;
#[cfg(all(feature = "narrowphase", feature = "queries"))]
mod way;

pub use adjacency::{Adjacency, adjacency};
pub(crate) use border::Border;
pub use islands::Islands;
pub use lists::Lists;
pub(crate) use near::Near;
pub(crate) use vector::Vector;

#[cfg(feature = "queries")]
pub(crate) use {lists::CHUNK, separation::box_distance};
#[cfg(feature = "queries")]
pub use {
    periodic::{Periodic, PeriodicNeighbor, PeriodicPair},
    record::{Hit, Impact, Neighbor, Ray},
    scan::{Fan, ScanColumns},
    seen::Seen,
};

#[cfg(all(feature = "narrowphase", feature = "queries"))]
pub use outlines::{crossings, overlap_area};
#[cfg(all(feature = "narrowphase", feature = "queries"))]
pub use record::{CastOptions, CastStart};
#[cfg(all(feature = "narrowphase", feature = "queries"))]
pub use two_shapes::{ClosestPoints, closest_points, contains, distance, time_of_impact};
#[cfg(all(feature = "narrowphase", feature = "queries"))]
pub(crate) use {batch::Room, stop::Motion, two_shapes::impact};
