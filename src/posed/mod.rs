//! What the narrowphase knows of a shape: eight words, and for polygons blocks of
//! vertices.
//!
//! ```text
//! record.rs   LocalShape: one shape, in its own frame or in the world; Class: which kernels take it
//! around.rs   the boxes around what turns
//! placed.rs   Placed: one shape in the world, as kernels load it
//! block.rs    VertexBlock: four vertices of a polygon, and the normals of the sides that begin there;
//!             OwnVertices: the vertices as the caller gave them
//! lanes.rs    BoxLanes: sixteen rotated boxes, or sixteen capsules, placed at once
//! posed_shapes.rs   PosedShapes: the records of a store, placed anew whenever a pose changes
//!   posed_shapes/poses.rs    all of them at a time
//! ```
//!
//! The grid sees boxes around shapes (exact ones, if they are axis-aligned). What is in the boxes is
//! here.

mod around;
mod block;
mod lanes;
mod placed;
mod posed_shapes;
mod record;

pub(crate) use around::{around_line, around_turned};
pub(crate) use block::{OwnVertices, VertexBlock, center};
pub(crate) use lanes::{BoxLanes, Lanes};
pub(crate) use placed::{Placed, Words};
pub(crate) use posed_shapes::{Entry, PlaceAll, PlacedShapes, PosedShapes};
pub(crate) use record::Class;
