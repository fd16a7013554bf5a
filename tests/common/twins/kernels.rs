//! The contact kernels for two single shapes, one function for each pair of classes: the normal,
//! the depth and the contact points.
//!
//! All values are `f32`, in written order, each operation rounded, without fused multiply-add.
//! Lengths are square roots. The first shape is at the origin: the [`Answer`] is relative to its
//! centre (for axis-aligned shapes, to the lower left corner of its core). So roundings grow with
//! the sizes and the distance of the shapes and not with their coordinates.

mod axis_aligned;
mod box_circle;
mod boxes;
mod circles;
mod faces;
mod polygon_circle;
mod polygons;
mod preference;
mod vector;

pub(crate) use axis_aligned::axis_aligned;
pub(crate) use box_circle::box_circle;
pub(crate) use boxes::boxes;
pub(crate) use circles::circles;
pub(crate) use polygon_circle::polygon_circle;
pub(crate) use polygons::polygons;

use widephase::reference::placed_shape::PlaneVector;

/// The cosine of about one degree (2^-6 radians). If the shortest vector to a vertex has at least
/// this share of its length along the normal of a side, the contact feature is the side and not the
/// vertex.
const STRAIGHT: f32 = 1.0 - 1.0 / (1 << 13) as f32;

/// Added to the number of a side, to distinguish it from the number of a vertex.
pub(crate) const SIDE: u16 = 1 << 15;

/// The result of a kernel, whether or not the shapes touch.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Answer {
    /// The direction from the first shape to the second, of length 1.
    pub normal: PlaneVector,
    /// The depth of the overlap along the normal. Below 0, it is minus the distance. It is
    /// [`f32::MIN`] if a polygon is clearly further from the other shape than the margin.
    pub depth: f32,
    /// One or two points, the deeper one first.
    pub spots: Vec<Spot>,
}

/// A contact point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Spot {
    /// The point half way between the surfaces.
    pub at: PlaneVector,
    /// The depth of the overlap at this point.
    pub depth: f32,
    /// The features of the first and the second shape that touch: the reference side of one shape,
    /// as [`SIDE`] plus its number, and the vertex of the other. With a circle: the side or vertex
    /// that it touches, and the circle's only vertex.
    pub features: [u16; 2],
}
