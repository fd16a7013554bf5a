//! `Index`: shapes that are sorted once and searched many times.
//!
//! ```text
//! index.rs    columns → sorted shapes, one part for each space               (Index, Part)
//! compact.rs  copies of the live rows of a store with vacant rows            (Compact)
//! rows.rs     axis-aligned shapes as records for the narrowphase             (PlacedRows)
//! spaces.rs   rows, grouped by space                                         (Spaces)
//! ```

mod compact;
#[allow(clippy::module_inception)]
mod index;
mod rows;
mod spaces;

pub(crate) use compact::Compact;
pub use index::Index;
pub(crate) use index::IndexPart;
pub(crate) use rows::PlacedRows;
pub(crate) use spaces::Spaces;
