//! `Index`: shapes that are sorted once and searched many times.
//!
//! ```text
//! index.rs    columns → sorted shapes, one part for each world               (Index, Part)
//! compact.rs  copies of the live rows of a store with vacant rows            (Compact)
//! rows.rs     axis-aligned shapes as records for the narrowphase             (PlacedRows)
//! worlds.rs   rows, grouped by world                                         (Worlds)
//! ```

mod compact;
#[allow(clippy::module_inception)]
mod index;
mod rows;
mod worlds;

pub(crate) use compact::Compact;
pub use index::Index;
pub(crate) use index::Part;
pub(crate) use rows::PlacedRows;
pub(crate) use worlds::Worlds;
