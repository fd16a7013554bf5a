//! Queries of an index: which shapes are here, which are near, which a ray or a moved shape hits.
//!
//! ```text
//! record.rs      Ray in; Neighbor out
//! overlap.rs     shape → rows that touch
//! grid_order.rs  queries of a batch → the order of the cells                          (GridOrder)
//! join.rs        many shapes → rows that touch each                                 (Join)
//! layers.rs      answers of each layer of an index → answers
//! rays.rs        ray → hits
//! scan.rs        fan and poses → ranges: rings.rs, then single rays for what it leaves open
//! fan.rs         rays with equal angular steps                                        (Fan)
//! rings.rs       shapes around a sensor → for each ray, the one that it may hit first (ScanRings)
//! projection.rs  a ring of shapes → bounds of the rays that they may cover            (Projection)
//! planes.rs      a convex shape → lower bounds of rays by its sides                   (Planes)
//! packet.rs      eight rays of a scan                                                 (Packet)
//! decision.rs    circles and boxes of many rays → exact ranges                        (Decision)
//! first_hits.rs  circles and boxes of many rays → exact hits                         (FirstHits)
//! entries.rs     where eight rays enter a shape each                                   (Entries)
//! casts.rs       shape and translation → hits                                       (MovedShape)
//! nearest.rs     shape → nearest rows: one shape, a batch, all rows
//!   nearest_lists.rs   many shapes → their nearest shapes, by kernels of the grid      (SortedLists)
//!   nearest_search.rs  one shape → its nearest shapes, by reaches, then by distance    (NearestSearch)
//!
//! columns.rs     hits, neighbours and ranges of a batch as columns
//! batch.rs       many queries → tasks for the threads
//! queries.rs     all queries of an index and of a view of it                          (Queries)
//! solids.rs      place → convex shape in f64                                          (Solids)
//! view.rs        which shapes a query sees                                            (IndexView)
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
mod columns;
mod decision;
mod entries;
mod fan;
mod first_hits;
mod grid_order;
mod join;
mod layers;
mod nearest;
mod nearest_lists;
mod nearest_search;
mod overlap;
mod packet;
mod planes;
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
pub use {
    columns::{HitColumns, NeighborColumns, ScanColumns},
    fan::Fan,
    queries::Queries,
    record::{Neighbor, Ray},
    view::{IndexView, PerQuery},
};
