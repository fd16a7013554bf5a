//! The tests of two single shapes, one function each: do they touch, in which direction, how deep and
//! where.
//!
//! Everything is `f32`, in written order, each operation rounded, no fused multiply-add; lengths are
//! square roots. The first shape is at the origin: the [`Answer`] is seen from its centre (of
//! axis-aligned shapes: from the lower left corner of its core), so that roundings go with the sizes
//! and the distance of the shapes and not with their coordinates.

mod axis_aligned;
mod box_circle;
mod boxes;
mod circles;
mod faces;
mod polygon_circle;
mod polygons;
mod vector;

pub use axis_aligned::axis_aligned;
pub use box_circle::box_circle;
pub use boxes::boxes;
pub use circles::circles;
pub use polygon_circle::polygon_circle;
pub use polygons::polygons;

use super::body::Vector;

/// Added to the number of a side, to tell it from that of a vertex.
pub const SIDE: u16 = 1 << 15;

/// What a test finds, whether or not the shapes touch.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// Whether the shapes touch.
    pub touching: bool,
    /// From the first to the second, of length 1.
    pub normal: Vector,
    /// How deep they overlap along the normal; below 0, how far they are apart: the least number where
    /// that is more than the margin, and nothing else is known.
    pub depth: f32,
    /// One point or two, the deeper one first; none out of reach.
    pub spots: Vec<Spot>,
}

impl Answer {
    /// Of shapes that a side keeps further apart than the margin: how far, nobody has looked.
    const OUT_OF_REACH: Self =
        Self { touching: false, normal: [1.0, 0.0], depth: f32::MIN, spots: Vec::new() };
}

/// A point at which shapes touch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spot {
    /// Half way between the surfaces.
    pub at: Vector,
    /// How deep the shapes overlap there.
    pub depth: f32,
    /// What of the first and of the second touches: a vertex, or [`SIDE`] and the number of a side.
    pub features: [u16; 2],
}
