//! The exact test, written once for any vector width and any axis-aligned kind of shape.
//!
//! ```text
//! columns.rs   columns in memory → LANES shapes in registers   (ColumnSet)
//! items.rs    the kinds of shapes in registers                (Items)
//! overlap.rs   two vectors of shapes → a mask of the hits      (overlap)
//! ```
//!
//! The [sweep](crate::grid) of the grid and the [test of rows](crate::Narrowphase::row_mask) use
//! all three.

pub(crate) mod columns;
pub(crate) mod items;
pub(crate) mod overlap;
