use super::{AxisAligned, Compound, ConvexPolygon, Kind, RoundedBox};
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{Point, Segment};

    #[test]
    fn by_reference_and_unsized() {
        let compound = Compound::new([Point::new([1.0, 2.0])]).unwrap();
        assert_eq!(compound.any(), AnyShape::Compound(&compound));
        let shapes: [&dyn Shape; 2] = [&compound, &Segment::default()];
        let kinds = shapes.map(|shape| shape.any().kind());
        assert_eq!(kinds, [Kind::Compound, Kind::Segment]);
        assert_eq!((&&compound).any().any().kind().to_string(), "compound");
    }
}
