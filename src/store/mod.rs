//! Where shapes live: the caller's own columns, or an owned store.
//!
//! ```text
//! columns.rs   Columns: borrowed slices of the caller    ─┐
//! shapes.rs    Shapes: an owned store that mixes kinds   ─┴─► Columns ─► rows.rs ─► check.rs ─► Checked
//!   shapes/extend.rs   many of them at a time              (turned.rs)
//!   shapes/poses.rs    how they move and turn
//! layout.rs    the forms of axis-aligned columns
//! ```
//!
//! [`Columns`] knows only that its slices have one length; of shapes that turn, each call makes [`Rows`] first.
//! [`Checked`] knows that every value
//! keeps the numeric contract, and what the broadphase needs of the whole: where the shapes are
//! and how large. Everything behind that door works without a check and cannot fail.

mod check;
mod column;
mod columns;
mod layout;
mod rows;
mod shapes;
mod turned;

pub use check::Checked;
pub(crate) use check::{Extent, index_fits};
pub use columns::Columns;
pub(crate) use layout::{Layout, with_columns};
pub(crate) use rows::{Contents, Rows};
pub use shapes::Shapes;
pub(crate) use turned::{TurnedRoom, TurningColumns};
