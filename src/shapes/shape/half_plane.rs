use glam::Vec2;

use super::{Rotation, check::coordinate};
use crate::{
    base::pod,
    error::{Error, Field},
    simd::map_each,
};

/// Everything on one side of a line: the points `p` with `normal · p <= offset`. A floor, a wall or
/// a slope without an end.
///
/// ```
/// use widephase::{Detector, Shapes, shape::{Circle, HalfPlane}};
///
/// let mut shapes = Shapes::new();
/// shapes.push(HalfPlane::new([0.0, 1.0], 2.0))?; // the floor: y <= 2
/// shapes.push(Circle::new([1e6, 2.75], 1.0))?; // sunk in by a quarter
/// let mut contacts = Vec::new();
/// Detector::new().contacts(&shapes, 0.0, &mut contacts)?;
/// assert_eq!((contacts[0].normal().to_array(), contacts[0].depth), ([0.0, 1.0], 0.25));
/// # Ok::<(), widephase::Error>(())
/// ```
///
/// A pose rotates and moves it like a polygon: about the origin of its own coordinates. Two
/// half-planes never touch each other.
///
/// Its bounding box is the range of coordinates, cut off at its border if the normal is along an
/// axis. So each shape on the inner side of that border costs one test, and with a slanted border
/// every shape does. A few half-planes are meant, as the borders of a world, not hundreds.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct HalfPlane {
    /// Horizontal part of the outward normal, which must have length 1 within about one part in
    /// 2000. A store normalises it as it does [rotations](Rotation).
    pub normal_x: f32,
    /// Vertical part of the outward normal.
    pub normal_y: f32,
    /// The position of the border along the normal; at most 2^60 in magnitude.
    pub offset: f32,
}

pod!(HalfPlane { normal_x, normal_y, offset });

impl HalfPlane {
    /// The half-plane with this outward normal, and its border at `offset` along the normal.
    pub fn new(normal: impl Into<[f32; 2]>, offset: f32) -> Self {
        let [normal_x, normal_y] = normal.into();
        Self { normal_x, normal_y, offset }
    }

    /// The half-plane with this outward normal whose border goes through a point. The offset is
    /// computed in `f64` and rounded.
    pub fn through(point: impl Into<[f32; 2]>, normal: impl Into<[f32; 2]>) -> Self {
        let ([x, y], normal) = (map_each(point.into(), f64::from), normal.into());
        let [normal_x, normal_y] = map_each(normal, f64::from);
        Self::new(normal, (x * normal_x + y * normal_y) as f32)
    }

    /// The outward normal.
    pub fn normal(self) -> Vec2 {
        Vec2::new(self.normal_x, self.normal_y)
    }

    /// Checks the values and normalises the normal to length 1; `index` is for the error.
    pub(crate) fn checked(self, index: usize) -> Result<Self, Error> {
        let Self { normal_x, normal_y, offset } = self;
        let direction = Rotation { cos: normal_x, sin: normal_y }.checked(index);
        let Rotation { cos, sin } = direction.map_err(|error| match error {
            Error::InvalidShape { index, field, value, fault } => {
                let field = if field == Field::Cos { Field::NormalX } else { Field::NormalY };
                Error::InvalidShape { index, field, value, fault }
            }
            other => other,
        })?;
        coordinate(index, Field::Offset, offset)?;
        Ok(Self { normal_x: cos, normal_y: sin, offset })
    }
}

impl Default for HalfPlane {
    /// The points with `y <= 0`.
    fn default() -> Self {
        Self::new([0.0, 1.0], 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{error::Fault, shape::MAX_COORDINATE};

    #[test]
    fn normals_are_renormalised_and_invalid_values_refused() {
        let slope = HalfPlane::through([3.0, 4.0], [0.6, 0.8]);
        assert_eq!(slope, HalfPlane::new([0.6, 0.8], 5.0));
        assert_eq!(slope.checked(0), Ok(slope));
        let long = HalfPlane::new([0.0, 1.0004], 1.0);
        assert_eq!(long.checked(0), Ok(HalfPlane::new([0.0, 1.0], 1.0)));
        let refused = |shape: HalfPlane| match shape.checked(3) {
            Err(Error::InvalidShape { index: 3, field, fault, .. }) => (field, fault),
            other => panic!("{other:?}"),
        };
        let length = Fault::NotUnit { length: 5.0 };
        assert_eq!(refused(HalfPlane::new([3.0, 4.0], 0.0)), (Field::NormalX, length));
        let nan = (Field::NormalY, Fault::NotANumber);
        assert_eq!(refused(HalfPlane::new([1.0, f32::NAN], 0.0)), nan);
        let far = HalfPlane::new([0.0, 1.0], MAX_COORDINATE.next_up());
        assert_eq!(refused(far), (Field::Offset, Fault::TooLarge));
    }
}
