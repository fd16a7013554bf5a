//! Queries of an index: which shapes are here, which are near, which a ray or a moved shape hits.
//!
//! ```text
//! record.rs      Ray in; Neighbor out
//!                hits, neighbours and ranges of a batch as columns
//! overlap.rs     shape → rows that touch
//! grid_order.rs  queries of a batch → the order of the cells                          (GridOrder)
//! join.rs        many shapes → rows that touch each                                 (Join)
//! rays.rs        ray → hits
//! scan.rs        fan and poses → ranges: rings.rs, then single rays for what it leaves open
//! rings.rs       shapes around a sensor → for each ray, the one that it may hit first (ScanRings)
//! projection.rs  a ring of shapes → bounds of the rays that they may cover            (Projection)
//!                eight rays of a scan                                                 (Packet)
//!                a convex shape → lower bounds of rays by its sides                   (Planes)
//!                rays with equal angular steps                                        (Fan)
//! first_hits.rs  circles and boxes of many rays → exact hits                         (FirstHits)
//!                circles and boxes of many rays → exact ranges                        (Decision)
//!                where eight rays enter a shape each                                   (Entries)
//! casts.rs       shape and translation → hits                                       (MovedShape)
//! nearest.rs     shape → nearest rows: one shape, a batch, all rows
//!   nearest_lists.rs   many shapes → their nearest shapes, by kernels of the grid      (SortedLists)
//!   nearest_search.rs  one shape → its nearest shapes, by reaches, then by distance    (NearestSearch)
//!
//! batch.rs       many queries → tasks for the threads
//! queries.rs     all queries of an index and of a view of it                          (Queries)
//! solids.rs      place → convex shape in f64                                          (Solids)
//! view.rs        which shapes a query sees                                            (IndexView)
//!                answers of each layer of an index → answers
//! search.rs      query → places of the grid whose bounding boxes pass the filter      (IndexSearch)
//! ```
//!
//! A query walks the grid by [`IndexSearch`](search::IndexSearch), whose `region` and `walk` pass
//! places to a callback. The callback decides: overlap in the narrowphase, everything else on
//! solids in `f64`. Batches call the code of the single query, except for overlap (`join.rs`),
//! rays, scans, and nearest shapes where a kernel of the grid finds them. `region` asks the filters
//! before the callback; `walk` leaves them to the callback. The nearest shape of a box is found
//! without `IndexSearch`, by `IndexView::nearest_item`.

mod batch;
mod first_hits;
mod grid_order;
mod join;
mod nearest;
mod nearest_lists;
mod nearest_search;
mod overlap;
mod projection;
mod queries;
mod rays;
mod record;
mod rings;
mod scan;
mod search;
mod solids;
mod view;

#[cfg(feature = "narrowphase")]
mod casts;

#[cfg(feature = "narrowphase")]
pub(crate) use casts::MovedShape;
pub use projection::Fan;
pub use queries::Queries;
pub use record::{HitColumns, Neighbor, NeighborColumns, Ray, ScanColumns};
pub use view::{IndexView, PerQuery};
