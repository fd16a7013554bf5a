//! Checks of the values of one shape.
//!
//! The errors name the index, the field and the value. The [store](crate::Shapes), the columns, the
//! polygons and the compounds all use these checks.

use super::{
    AxisAligned, Capsule, Kind, MAX_COORDINATE, MAX_REACH, Obb, Rotation, RoundedBox, Segment,
};
use crate::{
    Error,
    error::{Fault, Field},
};

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

/// Checks a rotated box and normalises its rotation to length 1; `index` is for the error.
pub(crate) fn check_obb(index: usize, obb: Obb) -> Result<Obb, Error> {
    let Obb { x, y, half_width, half_height, .. } = obb;
    coordinate(index, Field::X, x)?;
    coordinate(index, Field::Y, y)?;
    size(index, Field::HalfWidth, half_width)?;
    size(index, Field::HalfHeight, half_height)?;
    let Rotation { cos, sin } = obb.rotation().checked(index)?;
    let wide = |value: f32| f64::from(value.abs());
    for (center, along_width, along_height) in [(x, cos, sin), (y, sin, cos)] {
        let width = wide(half_width) * wide(along_width);
        let height = wide(half_height) * wide(along_height);
        if wide(center) + width + height > f64::from(MAX_REACH) {
            let (field, value) = if width >= height {
                (Field::HalfWidth, half_width)
            } else {
                (Field::HalfHeight, half_height)
            };
            return Err(Error::InvalidShape { index, field, value, fault: Fault::OutOfReach });
        }
    }
    Ok(Obb { cos, sin, ..obb })
}

/// Checks a capsule; `index` is for the error. Within these limits no capsule reaches beyond
/// `MAX_REACH`.
pub(crate) fn check_capsule(index: usize, capsule: Capsule) -> Result<Capsule, Error> {
    check_segment(index, capsule.core())?;
    size(index, Field::Radius, capsule.radius)?;
    Ok(capsule)
}

/// Checks a segment; `index` is for the error.
pub(crate) fn check_segment(index: usize, segment: Segment) -> Result<Segment, Error> {
    let Segment { ax, ay, bx, by } = segment;
    coordinate(index, Field::Ax, ax)?;
    coordinate(index, Field::Ay, ay)?;
    coordinate(index, Field::Bx, bx)?;
    coordinate(index, Field::By, by)?;
    Ok(segment)
}

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

/// Returns the fault of a coordinate, if it has one.
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

/// Returns the fault of a size, if it has one.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal<T: std::fmt::Debug>(checked: Result<T, Error>) -> (Field, f32, Fault) {
        match checked {
            Err(Error::InvalidShape { index: 3, field, value, fault }) => (field, value, fault),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn turned_boxes() {
        let most = MAX_COORDINATE;
        let good = Obb { x: most, half_width: most, ..Obb::default() };
        assert_eq!(check_obb(3, good), Ok(good));
        let stretched = Obb { cos: 0.0, sin: -1.0004, ..good };
        let checked = check_obb(3, stretched).unwrap();
        assert_eq!((checked.cos, checked.sin), (0.0, -1.0));
        assert_eq!(check_obb(3, checked), Ok(checked));

        let refused = |obb| refusal(check_obb(3, obb));
        let above = most.next_up();
        assert_eq!(refused(Obb { y: above, ..good }), (Field::Y, above, Fault::TooLarge));
        let flat = Obb { half_width: -0.5, ..good };
        assert_eq!(refused(flat), (Field::HalfWidth, -0.5, Fault::Negative));
        let endless = Obb { half_height: f32::INFINITY, ..good };
        assert_eq!(refused(endless), (Field::HalfHeight, f32::INFINITY, Fault::Infinite));
        let long = Obb { sin: 1.0, ..good };
        let length = std::f32::consts::SQRT_2;
        assert_eq!(refused(long), (Field::Cos, 1.0, Fault::NotUnit { length }));
        // A corner at 2^60 + 2^60 (0.6 + 0.8).
        let far = Obb { half_height: most, cos: 0.6, sin: 0.8, ..good };
        assert_eq!(refused(far), (Field::HalfHeight, most, Fault::OutOfReach));
        let far = Obb { x: 0.0, y: -most, ..far };
        assert_eq!(refused(far), (Field::HalfWidth, most, Fault::OutOfReach));
        let near = Obb { y: 0.0, ..far };
        assert_eq!(check_obb(3, near), Ok(near));
    }

    #[test]
    fn capsules_and_segments() {
        let most = MAX_COORDINATE;
        let good = Capsule::new([-most, 1.0], [most, 2.0], most);
        assert_eq!(check_capsule(3, good), Ok(good));
        let circle = Capsule { ax: 1.0, ay: 2.0, bx: 1.0, by: 2.0, radius: 0.0 };
        assert_eq!(check_capsule(3, circle), Ok(circle));
        let refused = |capsule| refusal(check_capsule(3, capsule));
        let above = most.next_up();
        assert_eq!(refused(Capsule { ax: above, ..good }), (Field::Ax, above, Fault::TooLarge));
        assert_eq!(refused(Capsule { ay: -above, ..good }), (Field::Ay, -above, Fault::TooLarge));
        let endless = (Field::Bx, f32::INFINITY, Fault::Infinite);
        assert_eq!(refused(Capsule { bx: f32::INFINITY, ..good }), endless);
        let (field, _, fault) = refused(Capsule { by: f32::NAN, ..good });
        assert_eq!((field, fault), (Field::By, Fault::NotANumber));
        let negative = (Field::Radius, -1.0, Fault::Negative);
        assert_eq!(refused(Capsule { radius: -1.0, ..good }), negative);
        assert_eq!(check_segment(3, good.core()), Ok(good.core()));
    }
}
