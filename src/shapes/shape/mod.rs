//! The shapes: plain records with public fields, and two that own lists.
//!
//! Every axis-aligned shape is a **rounded box**: a core box and a radius around it. A point is a
//! core of zero size with radius 0, a circle is a core of zero size with a radius, and an AABB is a
//! core with radius 0. [`AxisAligned`] converts such a shape to a rounded box, which is the only
//! form that the engine uses.
//!
//! The shapes that can be rotated are [`Obb`], [`Capsule`], [`Segment`] and [`ConvexPolygon`]. A
//! [`Compound`] is several shapes that move as one body. A [`Chain`] is a terrain of
//! [`ChainSegment`]s, and a [`HalfPlane`] has no end. An [`Outline`] is made of boxes or cells of a
//! map, for chains and compounds. [`Rotation`] and [`Pose`] give the rotation and the position of a
//! body. [`AnyShape`] is a shape of any kind, and [`Shape`] is the trait that converts to it.
//! [`OwnedShape`] is a shape of any kind that owns its data, for lists.
//!
//! The records are [`Pod`](https://docs.rs/bytemuck/latest/bytemuck/trait.Pod.html)s of `bytemuck`:
//! a slice of them casts to bytes and back without a copy. So a file, a network buffer or a GPU
//! buffer can be read as shapes. The records hold any values. Values are checked when shapes enter
//! a [`Shapes`](crate::Shapes) store or are used as [`Columns`](crate::Columns). [`ConvexPolygon`]
//! and [`Compound`] own their data, and are checked when they are created.
//!
//! # Limits
//!
//! Coordinates are finite and at most 2^60 in magnitude ([`MAX_COORDINATE`]). Sizes and radii are
//! from 0 to 2^60. The sides of a box that is given by its centre are also coordinates. An
//! axis-aligned shape without a pose has no other limits.
//!
//! A shape that can be rotated, or has a pose, also has a limit on its reach. One rule applies to
//! all kinds: the larger of `|x|` and `|y|`, plus the reach, is at most 2^60. The radius does not
//! count. So the shape without its radius stays within the range of coordinates at any rotation.
//!
//! | shape | x, y | reach |
//! |---|---|---|
//! | [`Obb`] | the centre | half the diagonal |
//! | [`Segment`], [`ChainSegment`], [`Capsule`] | the middle of the segment | half its length |
//! | [`ConvexPolygon`] | the position of its pose, else 0, 0 | from its own origin to its furthest vertex |
//! | [`Compound`] | the position of its pose, else 0, 0 | the largest reach of its parts, see below |
//! | [`HalfPlane`] | the position of its pose, else 0, 0 | the magnitude of its offset |
//! | [`Aabb`], [`RoundedBox`] | the position of the pose | half the width or half the height, the larger |
//! | [`Point`], [`Circle`] | the position of the pose | 0 |
//!
//! The reach of a part of a compound is the distance of its x, y from the compound's origin, plus
//! the reach of its kind, plus its radius. An axis-aligned part has its centre as x, y. It rotates
//! with the compound, so the reach of its kind is half the diagonal. The pose of an [`Obb`], a
//! [`Segment`] or a [`Capsule`] replaces its centre or middle. Reaches are rounded to `f32`; the
//! sum is `f64`.
//!
//! A [`Shapes`](crate::Shapes) store checks the reach when a shape enters, gets a pose or is moved.
//! The error names `x` or `y`, with its value of the table, and
//! [`OutOfReach`](crate::error::Fault::OutOfReach). (For axis-aligned shapes that are moved by
//! [`translate`](crate::Shapes::translate) only the sides are checked.) [`ConvexPolygon`] and
//! [`Compound`] themselves may be larger than a store accepts.
//!
//! There is no lower limit on sizes. But contacts need sizes and distances well above 2^-50
//! (9e-16). Two centres or corners that are nearer to each other have no direction, and the normal
//! is (1, 0), or the normal of a side. Circles that are separated by such a contact may still
//! overlap by up to 2^-49. If their radii add up to at least 2^-27 (7e-9), that is within the
//! roundings of other contacts. The decision whether shapes touch is not affected, down to where
//! squares underflow ([numerics](crate::guide::numerics)), and no value becomes infinite or NaN.

mod any_shape;
mod axis_aligned;
#[cfg(feature = "narrowphase")]
mod boxes;
mod capsule;
mod chain;
pub(crate) mod check;
pub(crate) mod compound;
mod half_plane;
mod obb;
#[cfg(feature = "serde")]
mod persist;
mod polygon;
mod pose;

pub use any_shape::Shape;
pub use axis_aligned::{Aabb, AxisAligned, Circle, Point, RoundedBox};
pub(crate) use check::Touching;
pub(crate) use pose::MAX_EXCESS;
pub use pose::{Pose, Rotation};

pub use crate::base::Kind;
#[cfg(feature = "narrowphase")]
pub use crate::base::MAX_VERTICES;
#[cfg(not(feature = "narrowphase"))]
pub(crate) use crate::base::MAX_VERTICES;

#[cfg(feature = "narrowphase")]
pub use any_shape::{AnyShape, OwnedShape, Posed};
#[cfg(not(feature = "narrowphase"))]
pub(crate) use any_shape::{AnyShape, OwnedShape, Posed};
#[cfg(feature = "narrowphase")]
pub use boxes::Outline;
#[cfg(feature = "narrowphase")]
pub use capsule::{Capsule, Segment};
#[cfg(not(feature = "narrowphase"))]
pub(crate) use capsule::{Capsule, Segment};
#[cfg(feature = "narrowphase")]
pub use chain::{Chain, ChainSegment, Sides};
#[cfg(not(feature = "narrowphase"))]
pub(crate) use chain::{Chain, ChainSegment, Sides};
#[cfg(feature = "narrowphase")]
pub use compound::{Compound, Part};
#[cfg(not(feature = "narrowphase"))]
pub(crate) use compound::{Compound, Part};
#[cfg(feature = "narrowphase")]
pub use half_plane::HalfPlane;
#[cfg(not(feature = "narrowphase"))]
pub(crate) use half_plane::HalfPlane;
#[cfg(feature = "narrowphase")]
pub use obb::Obb;
#[cfg(not(feature = "narrowphase"))]
pub(crate) use obb::Obb;
#[cfg(feature = "narrowphase")]
pub use polygon::ConvexPolygon;
#[cfg(not(feature = "narrowphase"))]
pub(crate) use polygon::ConvexPolygon;

/// The largest magnitude of a coordinate and of a radius: 2^60, in the caller's unit of length.
///
/// Two coordinates are then at most 2^61 apart, and every sum of squares in a decision stays far
/// below the largest `f32` (about 2^128): nothing can overflow to infinity.
///
/// ```
/// use widephase::{Shapes, shape::{Circle, MAX_COORDINATE}};
///
/// let mut shapes = Shapes::new();
/// assert!(shapes.push(Circle::new([MAX_COORDINATE, 0.0], 1.0)).is_ok());
/// assert!(shapes.push(Circle::new([MAX_COORDINATE.next_up(), 0.0], 1.0)).is_err());
/// ```
pub const MAX_COORDINATE: f32 = (1_u64 << 60) as f32;

/// Coordinates and sizes up to this are valid in any combination, and sums of them are far from
/// every limit.
pub(crate) const SAFE_COORDINATE: f32 = MAX_COORDINATE / 4.0;

/// The largest distance from an axis that a corner of an [`Obb`] may have: 2^61, in the caller's
/// unit of length.
///
/// [`Compound::new`] applies this limit to its parts. A store refuses a shape beyond it by an error
/// that names a size. A store also has the stricter limit on the reach, whose error names `x` or
/// `y`: see [limits](crate::shape#limits).
///
/// ```
/// use widephase::shape::{Compound, MAX_COORDINATE, MAX_REACH, Obb, Rotation};
///
/// assert_eq!(MAX_REACH, 2.0 * MAX_COORDINATE);
/// let part = |half: f32| Obb::new([MAX_COORDINATE, 0.0], [half, 1.0], Rotation::IDENTITY);
/// assert!(Compound::new([part(MAX_COORDINATE)]).is_ok());
/// assert!(Compound::new([part(MAX_COORDINATE * 1.001)]).is_err());
/// ```
pub const MAX_REACH: f32 = (1_u64 << 61) as f32;
