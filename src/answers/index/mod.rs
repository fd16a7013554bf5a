//! `Index`: shapes that are sorted once and searched many times.
//!
//! ```text
//! index.rs    columns → sorted shapes                                         (Index)
//!             where the rows are, and which of them have changed           (RowPlaces)
//! cover_map.rs where the shapes of a layer are, roughly                         (CoverMap)
//! layer.rs    shapes that are sorted together, one part for each space        (Layer)
//! part.rs     the shapes of a space in a layer                                (IndexPart)
//! changes.rs  rows that change: taken out of their layer, put into holes, or sorted beside
//! edit.rs     rows that are inserted, removed, moved and replaced
//! compact.rs  copies of the live rows of a store with vacant rows            (Compact)
//! rows.rs     axis-aligned shapes as records for the narrowphase             (PlacedRows)
//! spaces.rs   rows, grouped by space                                         (Spaces)
//! ```

mod changes;
mod compact;
mod cover_map;
#[cfg(feature = "narrowphase")]
mod edit;
#[allow(clippy::module_inception)]
mod index;
mod layer;
mod part;
mod rows;
mod spaces;

pub(crate) use compact::Compact;
pub use index::Index;
pub(crate) use index::{RemovedShape, SortedRows};
pub(crate) use part::IndexPart;
pub(crate) use rows::PlacedRows;
pub(crate) use spaces::{SpaceBatch, Spaces};
