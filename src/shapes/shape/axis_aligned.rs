//! The shapes that are rounded boxes: points, circles, axis-aligned rectangles, rounded boxes.

use super::Kind;
use crate::base::pod;
use glam::Vec2;

/// An axis-aligned box with a radius around it: a [`Point`], a [`Circle`], an [`Aabb`] or a
/// [`RoundedBox`].
pub trait AxisAligned: Copy + sealed::Sealed {
    /// The kind of this shape.
    const KIND: Kind;

    /// The shape as a rounded box: the same set of points, with the same bits.
    fn rounded_box(self) -> RoundedBox;
}

/// No other crate can implement [`AxisAligned`], because checks rely on the kind and its box.
mod sealed {
    use super::{Aabb, Circle, Point, RoundedBox};

    pub trait Sealed {}

    impl Sealed for Point {}
    impl Sealed for Circle {}
    impl Sealed for Aabb {}
    impl Sealed for RoundedBox {}
}

impl AxisAligned for Point {
    const KIND: Kind = Kind::Point;

    fn rounded_box(self) -> RoundedBox {
        let Self { x, y } = self;
        RoundedBox { min_x: x, min_y: y, max_x: x, max_y: y, radius: 0.0 }
    }
}

impl AxisAligned for Circle {
    const KIND: Kind = Kind::Circle;

    fn rounded_box(self) -> RoundedBox {
        let Self { x, y, radius } = self;
        RoundedBox { min_x: x, min_y: y, max_x: x, max_y: y, radius }
    }
}

impl AxisAligned for Aabb {
    const KIND: Kind = Kind::Aabb;

    fn rounded_box(self) -> RoundedBox {
        let Self { min_x, min_y, max_x, max_y } = self;
        RoundedBox { min_x, min_y, max_x, max_y, radius: 0.0 }
    }
}

impl AxisAligned for RoundedBox {
    const KIND: Kind = Kind::RoundedBox;

    fn rounded_box(self) -> RoundedBox {
        self
    }
}

/// A point: a shape without size. It touches every shape that contains it.
///
/// ```
/// use widephase::shape::Point;
///
/// assert_eq!(Point::new([1.0, 2.0]), Point { x: 1.0, y: 2.0 });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Point {
    /// Horizontal coordinate; at most 2^60 in magnitude.
    pub x: f32,
    /// Vertical coordinate; at most 2^60 in magnitude.
    pub y: f32,
}

pod!(Point { x, y });

impl Point {
    /// Two places, whose middle is about the centre.
    pub(crate) fn span(&self) -> [[f32; 2]; 2] {
        [[self.x, self.y]; 2]
    }

    /// A point at `position`: a [`Vec2`], a `[f32; 2]` or a tuple.
    pub fn new(position: impl Into<Vec2>) -> Self {
        let Vec2 { x, y } = position.into();
        Self { x, y }
    }
}

/// A circle with its interior (a disc).
///
/// ```
/// use widephase::shape::Circle;
///
/// assert_eq!(Circle::new((1.0, 2.0), 0.5), Circle { x: 1.0, y: 2.0, radius: 0.5 });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Circle {
    /// Horizontal coordinate of the centre; at most 2^60 in magnitude.
    pub x: f32,
    /// Vertical coordinate of the centre; at most 2^60 in magnitude.
    pub y: f32,
    /// Radius, from 0 to 2^60. A circle of radius 0 is a point.
    pub radius: f32,
}

pod!(Circle { x, y, radius });

impl Circle {
    /// Two places, whose middle is about the centre.
    pub(crate) fn span(&self) -> [[f32; 2]; 2] {
        [[self.x, self.y]; 2]
    }

    /// A circle around `center`: a [`Vec2`], a `[f32; 2]` or a tuple.
    pub fn new(center: impl Into<Vec2>, radius: f32) -> Self {
        let Vec2 { x, y } = center.into();
        Self { x, y, radius }
    }

    /// The centre.
    pub fn center(self) -> Vec2 {
        Vec2::new(self.x, self.y)
    }
}

/// An axis-aligned rectangle (axis-aligned bounding box), given by its sides.
///
/// ```
/// use widephase::shape::Aabb;
///
/// let by_corners = Aabb::new([0.0, 1.0], [4.0, 3.0]);
/// assert_eq!(by_corners, Aabb::centered([2.0, 2.0], [2.0, 1.0]));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Aabb {
    /// Left side; at most 2^60 in magnitude, and at most `max_x`.
    pub min_x: f32,
    /// Lower side; at most 2^60 in magnitude, and at most `max_y`.
    pub min_y: f32,
    /// Right side; at most 2^60 in magnitude.
    pub max_x: f32,
    /// Upper side; at most 2^60 in magnitude.
    pub max_y: f32,
}

pod!(Aabb { min_x, min_y, max_x, max_y });

impl Aabb {
    /// Two places, whose middle is about the centre.
    pub(crate) fn span(&self) -> [[f32; 2]; 2] {
        [[self.min_x, self.min_y], [self.max_x, self.max_y]]
    }

    /// The rectangle between the corners `min` and `max`: [`Vec2`]s, `[f32; 2]`s or tuples.
    pub fn new(min: impl Into<Vec2>, max: impl Into<Vec2>) -> Self {
        let (min, max) = (min.into(), max.into());
        Self { min_x: min.x, min_y: min.y, max_x: max.x, max_y: max.y }
    }

    /// The rectangle around `center` with the given half width and half height. Each side is one
    /// rounded `f32` sum.
    pub fn centered(center: impl Into<Vec2>, half_extents: impl Into<Vec2>) -> Self {
        let (center, half) = (center.into(), half_extents.into());
        Self::new(center - half, center + half)
    }
}

/// A core box and everything within `radius` of it: the Minkowski sum of a rectangle and a disc.
///
/// This is the general axis-aligned shape: with a core of no height it is a horizontal capsule,
/// with radius 0 an [`Aabb`], with a core of zero size a [`Circle`](super::Circle).
///
/// ```
/// use widephase::shape::{Aabb, RoundedBox};
///
/// let key = RoundedBox::new(Aabb::new([0.0, 0.0], [3.0, 1.0]), 0.25);
/// assert_eq!(key.radius, 0.25);
/// assert_eq!(key.core(), Aabb::new([0.0, 0.0], [3.0, 1.0]));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct RoundedBox {
    /// Left side of the core; at most 2^60 in magnitude, and at most `max_x`.
    pub min_x: f32,
    /// Lower side of the core; at most 2^60 in magnitude, and at most `max_y`.
    pub min_y: f32,
    /// Right side of the core; at most 2^60 in magnitude.
    pub max_x: f32,
    /// Upper side of the core; at most 2^60 in magnitude.
    pub max_y: f32,
    /// Distance that the shape extends beyond its core, from 0 to 2^60.
    pub radius: f32,
}

pod!(RoundedBox { min_x, min_y, max_x, max_y, radius });

impl RoundedBox {
    /// Two places, whose middle is about the centre.
    pub(crate) fn span(&self) -> [[f32; 2]; 2] {
        [[self.min_x, self.min_y], [self.max_x, self.max_y]]
    }

    /// The shape that extends `radius` beyond `core` in every direction.
    pub fn new(core: Aabb, radius: f32) -> Self {
        let Aabb { min_x, min_y, max_x, max_y } = core;
        Self { min_x, min_y, max_x, max_y, radius }
    }

    /// The box inside, without the radius.
    pub fn core(self) -> Aabb {
        let Self { min_x, min_y, max_x, max_y, radius: _ } = self;
        Aabb { min_x, min_y, max_x, max_y }
    }
}
