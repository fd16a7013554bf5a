//! The input: borrowed columns of the caller, or an owned store.
//!
//! ```text
//! columns.rs   Columns: borrowed slices                 ─┐
//!              the other kinds of columns, and their arguments by name
//! shapes.rs    Shapes: an owned store that mixes kinds  ─┴► Columns ─► rows.rs ─► check.rs
//! rotated.rs   rotated columns → rows
//! copied.rs    points and circles over the scalar; copies of those that are not columns
//! check.rs     rows → checked rows, with the extent of the set                  (Checked)
//!   shapes/extend.rs   append many shapes at a time
//!   shapes/poses.rs    move and rotate shapes
//!   shapes/bytes.rs    rows as bytes
//! layout.rs    the layouts of axis-aligned columns
//!              a column of a store
//! ```
//!
//! [`Columns`] guarantees only that its slices have one length. Each call turns columns of rotated
//! shapes into [`Rows`] first. [`Checked`] guarantees that every value keeps the numeric contract,
//! and has the values that the broadphase needs of the whole set: the range of positions and the
//! largest size. Code that takes [`Checked`] needs no further checks and cannot fail.

mod check;
mod columns;
mod copied;
mod layout;
mod rotated;
mod rows;
mod shapes;

pub(crate) use check::{Checked, Extent, index_fits};
pub(crate) use columns::ColumnWorkspace;
pub use columns::{AabbColumns, CenteredColumns, Columns, RoundedBoxColumns};
#[cfg(feature = "narrowphase")]
pub use columns::{CapsuleColumns, ObbColumns, PoseColumns, SegmentColumns};
pub use copied::{OneOrEach, Radii};
pub(crate) use copied::{Positions, RoundColumns, round_columns};
pub(crate) use layout::{Layout, with_columns};
pub(crate) use rotated::{RotatedColumns, RotatedWorkspace};
pub(crate) use rows::{Contents, Rows};
pub use shapes::Shapes;
