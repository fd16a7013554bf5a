use super::{AnyShape, Pose, Shape};
use crate::base::kinds;

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
