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

pub use axis_aligned::axis_aligned;
pub use box_circle::box_circle;
pub use boxes::boxes;
pub use circles::circles;
pub use polygon_circle::polygon_circle;
pub use polygons::polygons;

use super::body::Vector;

/// The cosine of about one degree (2^-6 radians). If the shortest vector to a vertex has at least
/// this share of its length along the normal of a side, the contact feature is the side and not the
/// vertex.
const STRAIGHT: f32 = 1.0 - 1.0 / (1 << 13) as f32;

/// Added to the number of a side, to distinguish it from the number of a vertex.
///
/// ```
/// use widephase::{Touching, reference::{body::Body, kernels::{self, Spot}}, shape::Aabb};
///
/// // The right side of the left box (number 1) against the left one of the right box.
/// let body = |min: [f32; 2], max: [f32; 2]| Body::new(&Aabb::new(min, max), None).unwrap();
/// let (left, right) = (body([0.0, 0.0], [2.0, 2.0]), body([1.5, 0.0], [4.0, 2.0]));
/// let spots: Vec<Spot> = kernels::axis_aligned(&left, &right).spots;
/// assert!(spots.iter().all(|spot| spot.depth == 0.5 && spot.features[0] == kernels::SIDE + 1));
/// ```
pub const SIDE: u16 = 1 << 15;

/// The result of a kernel, whether or not the shapes touch.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The direction from the first shape to the second, of length 1.
    pub normal: Vector,
    /// The depth of the overlap along the normal. Below 0, it is minus the distance. It is
    /// [`f32::MIN`] if a polygon is clearly further from the other shape than the margin.
    pub depth: f32,
    /// One or two points, the deeper one first.
    pub spots: Vec<Spot>,
}

/// A contact point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spot {
    /// The point half way between the surfaces.
    pub at: Vector,
    /// The depth of the overlap at this point.
    pub depth: f32,
    /// The features of the first and the second shape that touch: the reference side of one, as
    /// [`SIDE`] plus its number, and the vertex of the other. With a circle: the side or vertex
    /// that it touches, and the circle's only vertex.
    pub features: [u16; 2],
}
