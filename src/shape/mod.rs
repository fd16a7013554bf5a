//! The shapes: plain records with public fields, and two that own lists.
//!
//! Every axis-aligned shape is a **rounded box**: a core box and a radius around it. A point is a
//! core of zero size with radius 0, a circle a core of zero size with a radius, an AABB a core
//! with radius 0. [`AxisAligned`] is that view of a shape, and all that the engine asks of one.
//!
//! The shapes that turn are [`Obb`], [`Capsule`], [`Segment`] and [`ConvexPolygon`]; a
//! [`Compound`] is several shapes that move as one. [`Rotation`] and [`Pose`] say how a body is
//! turned and where it is. [`AnyShape`] is whichever shape it is, and [`Shape`] the view of each as
//! that.
//!
//! The records are [`Pod`](https://docs.rs/bytemuck/latest/bytemuck/trait.Pod.html)s of `bytemuck`: a
//! slice of them casts to bytes and back without a copy, so a file, a network buffer or a GPU buffer
//! can be read as shapes. They hold whatever was put in; values are checked where shapes enter a
//! [`Shapes`](crate::Shapes) store or are used as [`Columns`](crate::Columns). [`ConvexPolygon`] and
//! [`Compound`] own what they are made of, and are checked when they are made.

mod aabb;
mod any_shape;
mod capsule;
mod circle;
mod compound;
mod obb;
mod point;
mod polygon;
mod pose;
mod rotation;
mod rounded_box;
mod segment;
mod touching;

pub use aabb::Aabb;
pub use any_shape::{AnyShape, Shape};
pub use capsule::Capsule;
pub use circle::Circle;
pub use compound::{Compound, Part};
pub use obb::Obb;
pub use point::Point;
pub use polygon::{ConvexPolygon, MAX_VERTICES};
pub use pose::Pose;
pub use rotation::Rotation;
pub use rounded_box::RoundedBox;
pub use segment::Segment;
pub use touching::Touching;

/// The largest magnitude of a coordinate and of a radius: 2^60, in the caller's unit of length.
///
/// Two coordinates are then at most 2^61 apart, and every sum of squares in a decision stays far
/// below the largest `f32` (about 2^128): nothing can overflow to infinity.
pub const MAX_COORDINATE: f32 = (1_u64 << 60) as f32;

/// The furthest from an axis that a shape may reach, its sizes and its radius included: 2^61, in the
/// caller's unit of length.
///
/// A centre and a size within [`MAX_COORDINATE`] keep to it by themselves, but for the corner of a
/// turned box.
pub const MAX_REACH: f32 = (1_u64 << 61) as f32;

/// What a shape is, for people and files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// A [`Point`].
    Point,
    /// A [`Circle`].
    Circle,
    /// An [`Aabb`].
    Aabb,
    /// A [`RoundedBox`].
    RoundedBox,
    /// An [`Obb`].
    Obb,
    /// A [`Capsule`].
    Capsule,
    /// A [`Segment`].
    Segment,
    /// A [`ConvexPolygon`].
    Polygon,
    /// A [`Compound`].
    Compound,
}

impl Kind {
    /// The name in lower case, as files write it: `point`, `circle`, `aabb`,
    /// `rounded_box`, `obb`, `capsule`, `segment`, `polygon`, `compound`.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Point => "point",
            Kind::Circle => "circle",
            Kind::Aabb => "aabb",
            Kind::RoundedBox => "rounded_box",
            Kind::Obb => "obb",
            Kind::Capsule => "capsule",
            Kind::Segment => "segment",
            Kind::Polygon => "polygon",
            Kind::Compound => "compound",
        }
    }
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// A shape that is an axis-aligned box with a radius around it.
pub trait AxisAligned: Copy {
    /// What kind of shape this is.
    const KIND: Kind;

    /// The shape as a rounded box: the same set of points, the same bits.
    fn rounded_box(self) -> RoundedBox;
}
