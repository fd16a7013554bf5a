//! Shapes: given, checked and placed.
//!
//! ```text
//! shape/     the shapes: plain records, and polygons, compounds and chains, which own lists
//! kernel/    the exact test of axis-aligned shapes, once over kinds and vector widths
//! posed/     shapes placed by poses, as records; the tree of the parts of a compound
//! geometry/  exact decisions, distances and paths of two convex cores, in f64
//! filter/    which rows meet: a bit for each distinct filter
//! store/     columns and stores, checked on entry
//! ```

pub(crate) mod filter;
pub(crate) mod geometry;
pub(crate) mod kernel;
pub(crate) mod posed;
pub mod shape;
pub(crate) mod store;
