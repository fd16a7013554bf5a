//! The narrowphase's representation of a shape: a record of eight words, and blocks of vertices for
//! polygons.
//!
//! ```text
//! record.rs   LocalShape: one shape, in its own frame or in the world
//!             Link: the neighbours of a segment of a chain
//!             Class: the group of kernels that a shape takes
//! frame.rs    Frame: a pose in f64, which places the corners that exact arithmetic sees
//! placed.rs   Placed: one shape in the world, as kernels load it
//!             bounding boxes of rotated shapes
//! block.rs    VertexBlock: four vertices of a polygon, and the normals of their sides
//!             OwnVertices: the vertices as the caller gave them
//! part_tree.rs            PartTree: the boxes of the parts of a compound, as a tree
//! lanes.rs    BoxLanes: sixteen rotated boxes, or sixteen capsules, placed at once
//! posed_shapes.rs         PosedShapes: the records of a store, updated when a pose changes
//! posed_shapes/poses.rs   MoveRows: new poses for rows that follow each other
//! posed_shapes/bytes.rs   records as bytes
//! ```
//!
//! The grid sees the bounding boxes of shapes, which are exact for axis-aligned shapes. This module
//! keeps the shapes inside the boxes.

mod block;
mod frame;
mod lanes;
mod part_tree;
mod placed;
mod posed_shapes;
mod record;

pub(crate) use block::{OwnVertices, VertexBlock};
pub(crate) use frame::{Frame, sum};
pub(crate) use lanes::{BoxLanes, Lanes};
pub(crate) use part_tree::{FewParts, PartBlock, PartTree};
pub(crate) use placed::{Placed, Words, around_line, around_turned};
pub(crate) use posed_shapes::{
    CheckedShape, MoveRows, OwnShape, PlacedShapes, Placement, PosedShapes,
};
#[cfg(feature = "narrowphase")]
pub(crate) use posed_shapes::{StoredPart, read_polygon};
pub(crate) use record::{Link, ShapeClass, VERTICES};
