//! The shapes: plain records with public fields, and two that own lists.
//!
//! Every axis-aligned shape is a **rounded box**: a core box and a radius around it. A point is a
//! core of zero size with radius 0, a circle a core of zero size with a radius, an AABB a core
//! with radius 0. [`AxisAligned`] is that view of a shape, and all that the engine asks of one.
//!
//! The shapes that turn are [`Obb`], [`Capsule`], [`Segment`] and [`ConvexPolygon`]; a
//! [`Compound`] is several shapes that move as one. [`Rotation`] and [`Pose`] say how a body is
//! turned and where it is. [`AnyShape`] is whichever shape it is, and [`Shape`] the view of each as
//! that; [`OwnedShape`] is the one to keep in lists.
//!
//! The records are [`Pod`](https://docs.rs/bytemuck/latest/bytemuck/trait.Pod.html)s of `bytemuck`: a
//! slice of them casts to bytes and back without a copy, so a file, a network buffer or a GPU buffer
//! can be read as shapes. They hold whatever was put in; values are checked where shapes enter a
//! [`Shapes`](crate::Shapes) store or are used as [`Columns`](crate::Columns). [`ConvexPolygon`] and
//! [`Compound`] own what they are made of, and are checked when they are made.
//!
//! # Limits
//!
//! Coordinates are finite and at most 2^60 in magnitude ([`MAX_COORDINATE`]), sizes and radii from 0 to
//! 2^60. The sides of a box that is given by its centre are coordinates, too. An axis-aligned shape that
//! is given no pose is asked for no more.
//!
//! A shape that turns, or is given a pose, is also asked how far it reaches. There is one rule for all
//! kinds: the larger of `|x|` and `|y|`, plus the reach, is at most 2^60. The radius does not count. So the
//! shape without its radius stays within the range of coordinates however it is turned.
//!
//! | shape | x, y | reach |
//! |---|---|---|
//! | [`Obb`] | the centre | half the diagonal |
//! | [`Segment`], [`Capsule`] | the middle of the segment | half its length |
//! | [`ConvexPolygon`] | the position of its pose, else 0, 0 | from its own origin to its furthest vertex |
//! | [`Compound`] | the position of its pose, else 0, 0 | the largest of its parts', see below |
//! | [`Aabb`], [`RoundedBox`] | the position of the pose | half the width or half the height, the larger |
//! | [`Point`], [`Circle`] | the position of the pose | 0 |
//!
//! How far a part of a compound reaches is the distance of its x, y from the compound's origin, plus its
//! reach and its radius. One that is axis-aligned has its centre for x, y, and, as it turns with the compound,
//! reaches half the diagonal. A pose that is given to an [`Obb`], a
//! [`Segment`] or a [`Capsule`] takes the place of centre or middle. Reaches are rounded to `f32`; the sum
//! is `f64`.
//!
//! A [`Shapes`](crate::Shapes) store asks when a shape enters, gets a pose or is moved. The error names `x`
//! or `y`, with its value of the table, and [`OutOfReach`](crate::error::Fault::OutOfReach). (Axis-aligned
//! shapes that are moved by [`translate`](crate::Shapes::translate) are asked for their sides only.)
//! [`ConvexPolygon`] and [`Compound`] themselves may be larger than any store takes.
//!
//! No size is too small to be taken. But contacts want sizes and distances well above 2^-50 (9e-16): two centres or
//! corners that are nearer to each other have no direction, and the normal is (1, 0), or that of a side. Circles that are
//! moved as such a contact says may still overlap by up to 2^-49; where their radii add up to 2^-27 (7e-9) and more, that
//! is within the roundings of other contacts. Whether shapes touch is decided as ever, down to where squares underflow
//! (docs/numerics.md), and no value becomes infinite or NaN.

mod aabb;
mod any_shape;
mod capsule;
pub(crate) mod check;
mod circle;
mod compound;
mod obb;
mod owned_shape;
mod point;
mod polygon;
mod pose;
mod rotation;
mod rounded_box;
mod segment;
mod touching;

pub use aabb::Aabb;
pub use any_shape::Shape;
pub use circle::Circle;
pub use point::Point;
pub(crate) use rotation::MAX_EXCESS;
pub use rounded_box::RoundedBox;
pub use touching::Touching;

#[cfg(feature = "narrowphase")]
pub use {
    any_shape::AnyShape,
    capsule::Capsule,
    compound::{Compound, Part},
    obb::Obb,
    owned_shape::OwnedShape,
    polygon::{ConvexPolygon, MAX_VERTICES},
    pose::Pose,
    rotation::Rotation,
    segment::Segment,
};
#[cfg(not(feature = "narrowphase"))]
pub(crate) use {
    any_shape::AnyShape,
    capsule::Capsule,
    compound::{Compound, Part},
    obb::Obb,
    polygon::{ConvexPolygon, MAX_VERTICES},
    pose::Pose,
    rotation::Rotation,
    segment::Segment,
};

/// The largest magnitude of a coordinate and of a radius: 2^60, in the caller's unit of length.
///
/// Two coordinates are then at most 2^61 apart, and every sum of squares in a decision stays far
/// below the largest `f32` (about 2^128): nothing can overflow to infinity.
pub const MAX_COORDINATE: f32 = (1_u64 << 60) as f32;

/// The furthest from an axis that a corner of an [`Obb`] may be: 2^61, in the caller's unit of length.
///
/// [`Compound::new`] asks its parts for this, and a store refuses whatever is beyond it by an error that names
/// a size. But a store is stricter, and then its error names `x` or `y`: see [limits](crate::shape#limits).
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
    /// Whether it is a rounded box, or less: a shape that does not turn and has no parts. Of two of them,
    /// the sweep and the [batch kernels](crate::Batch) say by themselves whether they touch.
    pub const fn is_axis_aligned(self) -> bool {
        matches!(self, Kind::Point | Kind::Circle | Kind::Aabb | Kind::RoundedBox)
    }

    /// The name in lower case: `point`, `circle`, `aabb`, `rounded_box`, `obb`, `capsule`, `segment`,
    /// `polygon`, `compound`.
    ///
    /// In a file for the command `widephase detect`, each row has one of them but the last: there, a
    /// compound is several rows, each of the kind of one part.
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

/// A shape that is an axis-aligned box with a radius around it: a [`Point`], a [`Circle`], an [`Aabb`] or a
/// [`RoundedBox`].
pub trait AxisAligned: Copy + sealed::Sealed {
    /// What kind of shape this is.
    const KIND: Kind;

    /// The shape as a rounded box: the same set of points, the same bits.
    fn rounded_box(self) -> RoundedBox;
}

/// No other crate has shapes that are axis-aligned: checks rely on what a kind says of its box.
mod sealed {
    use super::{Aabb, Circle, Point, RoundedBox};

    pub trait Sealed {}

    impl Sealed for Point {}
    impl Sealed for Circle {}
    impl Sealed for Aabb {}
    impl Sealed for RoundedBox {}
}
