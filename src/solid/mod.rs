//! What the narrowphase knows of a shape: eight words, and for polygons blocks of
//! vertices.
//!
//! ```text
//! record.rs   Record: one shape, in its own frame or in the world; Class: which kernels take it
//! around.rs   the boxes around what turns
//! placed.rs   Placed: one shape in the world, as kernels load it
//! block.rs    Block: four vertices of a polygon, and the normals of the sides that begin there;
//!             OwnVertices: the vertices as the caller gave them
//! lanes.rs    BoxLanes: sixteen rotated boxes, or sixteen capsules, placed at once
//! solids.rs   Solids: the records of a store, placed anew whenever a pose changes
//!   solids/poses.rs    all of them at a time
//! ```
//!
//! The grid sees boxes around shapes (exact ones, if they are axis-aligned). What is in the boxes is
//! here.

mod around;
mod block;
mod lanes;
mod placed;
mod record;
mod solids;

pub(crate) use around::{around_line, around_turned};
pub(crate) use block::{Block, OwnVertices, center};
pub(crate) use lanes::{BoxLanes, Lanes};
pub(crate) use placed::{Placed, Words};
pub(crate) use record::Class;
pub(crate) use solids::{Entry, PlaceAll, PlacedShapes, Solids};
