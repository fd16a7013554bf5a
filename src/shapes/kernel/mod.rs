//! The exact test, written once for any vector width and any axis-aligned kind of shape.
//!
//! ```text
//! columns.rs   columns in memory → LANES shapes in registers   (ColumnSet)
//!              the kinds of shapes in registers                (Items)
//! overlap.rs   two vectors of shapes → a mask of the hits      (overlap)
//! grown.rs     two shapes that grew → whether they surely touch (surely_touch)
//! ```
//!
//! The [sweep](crate::grid) of the grid and the [test of rows](crate::Narrowphase::row_mask) use
//! the first three.

mod columns;
pub(crate) mod grown;
mod overlap;

pub(crate) use columns::{
    BoxColumns, BoxItems, CenteredColumns, CircleColumns, ColumnSet, Items, RoundedColumns,
    RoundedItems,
};
pub(crate) use overlap::{Rule, overlap};
