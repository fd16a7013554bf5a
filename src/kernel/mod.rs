//! The exact test, written once over any vector width and any kind of shape.
//!
//! ```text
//! columns.rs   columns in memory → LANES shapes in registers   (ColumnSet)
//! bodies.rs    what kinds of shape there are in registers      (Bodies)
//! overlap.rs   two of those → a mask of the lanes that touch   (overlap)
//! ```
//!
//! The [sweep](crate::grid) of the grid and the public [`Batch`](crate::Batch) use all three.

pub(crate) mod bodies;
pub(crate) mod columns;
pub(crate) mod overlap;
