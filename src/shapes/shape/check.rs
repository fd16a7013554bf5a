//! Checks of the values of one shape, and the policy for shapes that touch without overlapping.
//!
//! The errors name the index, the field and the value. The [store](crate::Shapes), the columns, the
//! polygons and the compounds all use these checks.

use super::{AxisAligned, Kind, MAX_COORDINATE, RoundedBox};
use crate::error::{Error, Fault, Field};

/// Checks one record; `index` is for the error.
pub(crate) fn check_one<T: AxisAligned>(index: usize, shape: T) -> Result<RoundedBox, Error> {
    let rounded = shape.rounded_box();
    let RoundedBox { min_x, min_y, max_x, max_y, radius } = rounded;
    match T::KIND {
        Kind::Point | Kind::Circle => {
            coordinate(index, Field::X, min_x)?;
            coordinate(index, Field::Y, min_y)?;
        }
        _ => sides(index, [min_x, min_y, max_x, max_y])?,
    }
    size(index, Field::Radius, radius)?;
    Ok(rounded)
}

macro_rules! checked {
    ($($record:ident)*) => {$(
        impl super::$record {
            /// Checks the values; `index` is for the error.
            pub(crate) fn checked(self, index: usize) -> Result<Self, Error> {
                check_one(index, self).map(|_| self)
            }
        }
    )*};
}
checked!(Point Circle Aabb RoundedBox);

/// Checks the sides of a box.
pub(crate) fn sides(index: usize, [min_x, min_y, max_x, max_y]: [f32; 4]) -> Result<(), Error> {
    coordinate(index, Field::MinX, min_x)?;
    coordinate(index, Field::MinY, min_y)?;
    coordinate(index, Field::MaxX, max_x)?;
    coordinate(index, Field::MaxY, max_y)?;
    for (field, value, max) in [(Field::MinX, min_x, max_x), (Field::MinY, min_y, max_y)] {
        if value > max {
            return Err(Error::InvalidShape {
                index,
                field,
                value,
                fault: Fault::Inverted { max },
            });
        }
    }
    Ok(())
}

/// Checks one coordinate.
pub(crate) fn coordinate(index: usize, field: Field, value: f32) -> Result<(), Error> {
    fine(index, field, value, coordinate_fault(value))
}

/// Checks one size.
pub(crate) fn size(index: usize, field: Field, value: f32) -> Result<(), Error> {
    fine(index, field, value, size_fault(value))
}

fn fine(index: usize, field: Field, value: f32, fault: Option<Fault>) -> Result<(), Error> {
    match fault {
        Some(fault) => Err(Error::InvalidShape { index, field, value, fault }),
        None => Ok(()),
    }
}

/// Returns the fault of a coordinate, if it has a fault.
pub(crate) fn coordinate_fault(value: f32) -> Option<Fault> {
    if value.is_nan() {
        Some(Fault::NotANumber)
    } else if value.is_infinite() {
        Some(Fault::Infinite)
    } else if value.abs() > MAX_COORDINATE {
        Some(Fault::TooLarge)
    } else {
        None
    }
}

/// Returns the fault of a size, if it has a fault.
pub(crate) fn size_fault(value: f32) -> Option<Fault> {
    coordinate_fault(value).or((value < 0.0).then_some(Fault::Negative))
}

/// Checks that the sides at the distance `half` from `center` are within the limit.
pub(crate) fn reach(index: usize, field: Field, center: f32, half: f32) -> Result<(), Error> {
    if (center - half).abs() > MAX_COORDINATE || (center + half).abs() > MAX_COORDINATE {
        return Err(Error::InvalidShape { index, field, value: half, fault: Fault::TooLarge });
    }
    Ok(())
}

/// The policy for shapes that touch without overlapping: whether they count as a pair.
///
/// The policy has one meaning in every kernel, at every SIMD level and in every query but rays.
/// Rays, scans and lines of sight see closed shapes, whatever the policy: a shape that only touches
/// a ray is hit.
///
/// Shapes without a radius and without a pose are decided exactly, whatever their coordinates:
/// segments that share an end, T junctions, triangles with a shared side. So a line cannot pass
/// through the joint of two segments. A point cannot lie between two triangles that share a side
/// with equal bits. With radii, the answer is exact on whole multiples of a power of two, of up to
/// 2^10 times that power, and otherwise within a few roundings. With a pose, it is within the
/// roundings of sizes and coordinates. The definition is
/// [`reference::contract::overlap`](crate::reference::contract::overlap) for axis-aligned shapes
/// and [`reference::exact::touch`](crate::reference::exact::touch) for all other shapes.
/// [Numerics](crate::guide::numerics) gives the reasons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Touching {
    /// Shapes that share at least one point are a pair: sides or corners that meet count.
    #[default]
    Inclusive,
    /// Sides or corners that only meet do not count: the shapes must overlap. A point on the border
    /// of a box is not a pair with it, and a point inside is. Two boxes of zero width, or two
    /// segments, are a pair if they cross. Segments that share an end or lie along each other are
    /// not, nor are two points, even if they coincide. A sum of radii below about 2^-75 squares to
    /// zero, and two such circles are not a pair either.
    Exclusive,
}
