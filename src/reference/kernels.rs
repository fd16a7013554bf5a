//! How two single shapes lie to each other, one function for each two classes: in which direction
//! they touch, how deep and where.
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
mod preference;
mod vector;

pub use axis_aligned::axis_aligned;
pub use box_circle::box_circle;
pub use boxes::boxes;
pub use circles::circles;
pub use polygon_circle::polygon_circle;
pub use polygons::polygons;

use super::body::Vector;

/// Where a way is longer than this share of itself along the normal of a side, it is named after
/// the side though it ends at a vertex: the cosine of about a degree (2^-6).
const STRAIGHT: f32 = 1.0 - 1.0 / (1 << 13) as f32;

/// Added to the number of a side, to tell it from that of a vertex.
pub const SIDE: u16 = 1 << 15;

/// What a function finds, whether or not the shapes touch.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// From the first to the second, of length 1.
    pub normal: Vector,
    /// How deep they overlap along the normal; below 0, how far they are apart: the least number where
    /// that is more than the margin.
    pub depth: f32,
    /// One point or two, the deeper one first.
    pub spots: Vec<Spot>,
}

/// A point at which shapes touch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spot {
    /// Half way between the surfaces.
    pub at: Vector,
    /// How deep the shapes overlap there.
    pub depth: f32,
    /// What of the first and of the second touches: the reference side of the one, as [`SIDE`] and
    /// its number, and the vertex of the other. With a circle: the side or vertex that it touches,
    /// and its only vertex.
    pub features: [u16; 2],
}
