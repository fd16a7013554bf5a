//! Shapes of any kind: by reference (`AnyShape`), owned (`OwnedShape`), and at a pose (`Posed`).

use super::{
    AxisAligned, ChainSegment, Compound, ConvexPolygon, HalfPlane, Kind, Part, Pose, RoundedBox,
};
use crate::{base::kinds, error::Error};

macro_rules! records {
    ($($record:ident,)*) => {$(
        impl Shape for super::$record {
            fn any(&self) -> AnyShape<'_> {
                AnyShape::$record(*self)
            }
        }
    )*};
}

macro_rules! any_shape {
    (
        parts { $($part_number:literal $part:ident $part_name:literal $part_text:literal,)* }
        others { $($number:literal $other:ident $name:literal $text:literal,)* }
    ) => {
        /// A shape of any kind: records by value, polygons and compounds by reference.
        ///
        /// ```
        /// use widephase::shape::{AnyShape, Circle, Kind, Shape};
        ///
        /// let circle = Circle::new([1.0, 2.0], 0.5);
        /// assert_eq!(circle.any(), AnyShape::Circle(circle));
        /// assert_eq!(circle.any().kind(), Kind::Circle);
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq)]
        #[non_exhaustive]
        pub enum AnyShape<'a> {
            $(#[doc = $part_text] $part(super::$part),)*
            /// A convex polygon.
            Polygon(&'a ConvexPolygon),
            $(#[doc = $text] $other(super::$other),)*
            /// Several shapes that form one body.
            Compound(&'a Compound),
        }

        impl AnyShape<'_> {
            /// The kind of the shape.
            pub fn kind(self) -> Kind {
                match self {
                    $(AnyShape::$part(_) => Kind::$part,)*
                    AnyShape::Polygon(_) => Kind::Polygon,
                    $(AnyShape::$other(_) => Kind::$other,)*
                    AnyShape::Compound(_) => Kind::Compound,
                }
            }

            /// Checks the values, and normalises a rotation to length 1; `index` is for the error.
            pub(crate) fn checked(self, index: usize) -> Result<Self, Error> {
                match self {
                    $(AnyShape::$part(shape) => shape.checked(index).map(AnyShape::$part),)*
                    $(AnyShape::$other(shape) => shape.checked(index).map(AnyShape::$other),)*
                    // Checked when they were made.
                    AnyShape::Polygon(_) | AnyShape::Compound(_) => Ok(self),
                }
            }
        }

        records!($($part,)* $($other,)*);

        impl Shape for super::Part {
            fn any(&self) -> AnyShape<'_> {
                match self {
                    $(super::Part::$part(shape) => shape.any(),)*
                    super::Part::Polygon(shape) => shape.any(),
                }
            }
        }
    };
}
kinds!(any_shape);

impl AnyShape<'_> {
    /// The shape as a rounded box; `None` if it is not axis-aligned.
    pub(crate) fn rounded_box(self) -> Option<RoundedBox> {
        match self {
            AnyShape::Point(point) => Some(point.rounded_box()),
            AnyShape::Circle(circle) => Some(circle.rounded_box()),
            AnyShape::Aabb(aabb) => Some(aabb.rounded_box()),
            AnyShape::RoundedBox(rounded) => Some(rounded),
            _ => None,
        }
    }
}

/// A value that converts to a shape of any kind: every shape, the parts of a compound, and
/// references to them.
pub trait Shape {
    /// Returns the shape with its kind. Nothing is checked or changed.
    fn any(&self) -> AnyShape<'_>;
}

impl<T: Shape + ?Sized> Shape for &T {
    fn any(&self) -> AnyShape<'_> {
        T::any(self)
    }
}

impl Shape for AnyShape<'_> {
    fn any(&self) -> AnyShape<'_> {
        *self
    }
}

impl Shape for ConvexPolygon {
    fn any(&self) -> AnyShape<'_> {
        AnyShape::Polygon(self)
    }
}

impl Shape for Compound {
    fn any(&self) -> AnyShape<'_> {
        AnyShape::Compound(self)
    }
}

/// A shape of any kind that owns its data, for lists of mixed kinds: from a file or an editor, or
/// kept to be used again.
///
/// Any shape converts to it by `into()`, which checks and changes nothing, takes O(1) time and
/// never panics. It implements [`Shape`], so every function that takes a shape takes it and checks
/// its values. If no ownership is needed, [`AnyShape`] borrows the lists of polygons and compounds
/// instead.
///
/// ```
/// use widephase::{Shapes, shape::{Circle, Compound, Kind, Obb, OwnedShape, Rotation, Shape}};
///
/// let snowman = Compound::new([Circle::new([0.0, 0.0], 2.0), Circle::new([0.0, 2.5], 1.0)])?;
/// let level: Vec<OwnedShape> = vec![
///     Circle::new([5.0, 0.0], 1.0).into(),
///     Obb::new([8.0, 0.0], [1.0, 2.0], Rotation::from_angle(0.5)).into(),
///     snowman.into(),
/// ];
/// let kinds: Vec<Kind> = level.iter().map(|shape| shape.any().kind()).collect();
/// assert_eq!(kinds, [Kind::Circle, Kind::Obb, Kind::Compound]);
///
/// let mut shapes = Shapes::from_slice(&level)?;
/// shapes.push(&level[0])?;
/// assert_eq!(shapes.len(), 4);
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum OwnedShape {
    /// A shape that may be a part of a compound.
    Single(Part),
    /// A segment of a chain.
    ChainSegment(ChainSegment),
    /// A half-plane.
    HalfPlane(HalfPlane),
    /// Several shapes that form one body.
    Compound(Compound),
}

impl Shape for OwnedShape {
    fn any(&self) -> AnyShape<'_> {
        match self {
            OwnedShape::Single(part) => part.any(),
            OwnedShape::ChainSegment(segment) => segment.any(),
            OwnedShape::HalfPlane(half_plane) => half_plane.any(),
            OwnedShape::Compound(compound) => compound.any(),
        }
    }
}

/// From a [`Part`], or a shape that converts to a part: every shape except compounds, segments of
/// chains and half-planes.
impl<T: Into<Part>> From<T> for OwnedShape {
    fn from(shape: T) -> Self {
        OwnedShape::Single(shape.into())
    }
}

impl From<Compound> for OwnedShape {
    fn from(compound: Compound) -> Self {
        OwnedShape::Compound(compound)
    }
}

impl From<ChainSegment> for OwnedShape {
    fn from(segment: ChainSegment) -> Self {
        OwnedShape::ChainSegment(segment)
    }
}

impl From<HalfPlane> for OwnedShape {
    fn from(half_plane: HalfPlane) -> Self {
        OwnedShape::HalfPlane(half_plane)
    }
}

/// A shape and its pose, as the functions on two shapes take them.
///
/// Records convert by value or by reference, polygons and compounds by reference, and a shape with
/// its pose as a tuple. Without a pose, a shape is at its own coordinates.
///
/// ```
/// use widephase::narrowphase::touches;
/// use widephase::{Touching, shape::{Circle, ConvexPolygon, Pose}};
///
/// let wedge = ConvexPolygon::new(&[[0.0, 0.0], [4.0, 0.0], [0.0, 3.0]])?;
/// let (ball, there) = (Circle::new([12.0, 0.5], 0.5), Pose::at([10.0, 0.0]));
/// assert!(touches((&wedge, there), ball, Touching::Inclusive)?);
/// assert!(!touches(&wedge, ball, Touching::Inclusive)?);
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Posed<'a> {
    /// The shape.
    pub shape: AnyShape<'a>,
    /// The pose that replaces the position and rotation of the shape, as by
    /// [`Shapes::push_at`](crate::Shapes::push_at): a rotation is an error for an axis-aligned box.
    /// `None`: the shape is at its own coordinates.
    pub pose: Option<Pose>,
}

impl<'a> From<AnyShape<'a>> for Posed<'a> {
    fn from(shape: AnyShape<'a>) -> Self {
        Self { shape, pose: None }
    }
}

impl<'a, T: Shape + ?Sized> From<&'a T> for Posed<'a> {
    fn from(shape: &'a T) -> Self {
        shape.any().into()
    }
}

impl<'a> From<&Posed<'a>> for Posed<'a> {
    fn from(posed: &Posed<'a>) -> Self {
        *posed
    }
}

impl<'a, T: Into<Posed<'a>>> From<(T, Pose)> for Posed<'a> {
    fn from((shape, pose): (T, Pose)) -> Self {
        Self { pose: Some(pose), ..shape.into() }
    }
}

macro_rules! records {
    (
        parts { $($part_number:literal $part:ident $part_name:literal $part_text:literal,)* }
        others { $($number:literal $other:ident $name:literal $text:literal,)* }
    ) => {
        records!($($part,)* $($other,)*);
    };
    ($($record:ident,)*) => {$(
        impl From<super::$record> for Posed<'_> {
            fn from(shape: super::$record) -> Self {
                AnyShape::$record(shape).into()
            }
        }
    )*};
}
kinds!(records);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Shapes,
        shape::{
            Aabb, Capsule, Circle, ConvexPolygon, Kind, Obb, Point, Pose, Rotation, RoundedBox,
            Segment,
        },
    };

    #[test]
    fn by_reference_and_unsized() {
        let compound = Compound::new([Point::new([1.0, 2.0])]).unwrap();
        assert_eq!(compound.any(), AnyShape::Compound(&compound));
        let shapes: [&dyn Shape; 2] = [&compound, &Segment::default()];
        let kinds = shapes.map(|shape| shape.any().kind());
        assert_eq!(kinds, [Kind::Compound, Kind::Segment]);
        assert_eq!((&&compound).any().any().kind().to_string(), "compound");
    }

    #[test]
    fn every_shape_stays_what_it_is() {
        let point = Point::new([1.0, 2.0]);
        let circle = Circle::new([1.0, 2.0], 3.0);
        let aabb = Aabb::new([0.0, 0.0], [1.0, 2.0]);
        let rounded_box = RoundedBox::new(aabb, 0.5);
        let obb = Obb::new([0.0, 0.0], [1.0, 2.0], Rotation::from_angle(1.0));
        let capsule = Capsule::new([0.0, 0.0], [1.0, 2.0], 0.5);
        let segment = Segment::new([0.0, 0.0], [1.0, 2.0]);
        let polygon = ConvexPolygon::new(&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]).unwrap();
        let compound = Compound::new([circle]).unwrap();
        let owned: [OwnedShape; 10] = [
            point.into(),
            circle.into(),
            aabb.into(),
            rounded_box.into(),
            obb.into(),
            capsule.into(),
            segment.into(),
            polygon.clone().into(),
            Part::from(circle).into(),
            compound.clone().into(),
        ];
        let lent = [
            AnyShape::Point(point),
            AnyShape::Circle(circle),
            AnyShape::Aabb(aabb),
            AnyShape::RoundedBox(rounded_box),
            AnyShape::Obb(obb),
            AnyShape::Capsule(capsule),
            AnyShape::Segment(segment),
            AnyShape::Polygon(&polygon),
            AnyShape::Circle(circle),
            AnyShape::Compound(&compound),
        ];
        assert_eq!(owned.each_ref().map(Shape::any), lent);
        // A compound of one circle is not equal to the circle.
        assert_ne!(owned[9], owned[8]);
    }

    #[test]
    fn lists_go_into_a_store() {
        let circle = Circle::new([1.0, 2.0], 3.0);
        let list: [OwnedShape; 2] = [circle.into(), Compound::new([circle]).unwrap().into()];
        let mut shapes = Shapes::from_slice(&list).unwrap();
        shapes.push_at(&list[1], Pose::at([4.0, 0.0])).unwrap();
        let kinds = [0, 1, 2].map(|row| shapes.kind(row).unwrap());
        assert_eq!(kinds, [Kind::Circle, Kind::Compound, Kind::Compound]);
        let sides = [0, 1, 2].map(|row| shapes.bounds(row).unwrap());
        assert_eq!(
            sides[0],
            RoundedBox { min_x: 1.0, min_y: 2.0, max_x: 1.0, max_y: 2.0, radius: 3.0 }
        );
        assert!(sides[1].min_x <= -2.0 && sides[2].min_x <= 2.0 && sides[2].min_x > 1.999);
    }
}
