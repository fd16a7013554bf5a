use glam::Vec2;

use super::{
    MAX_REACH, Rotation,
    check::{coordinate, size},
};
use crate::{
    base::pod,
    error::{Error, Fault, Field},
};

/// A rectangle that may be rotated (oriented bounding box), given by its centre, half its sizes and
/// its rotation.
///
/// ```
/// use widephase::shape::{Obb, Rotation};
///
/// let diamond = Obb::new([0.0, 0.0], [1.0, 1.0], Rotation::from_angle(0.785_398_2));
/// assert_eq!(diamond.half_extents(), [1.0, 1.0].into());
/// assert!((diamond.sin - diamond.cos).abs() < 1e-6);
/// ```
///
/// A store accepts it if the larger of `|x|` and `|y|`, plus half the diagonal, is at most 2^60
/// ([limits](crate::shape#limits)).
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Obb {
    /// Horizontal coordinate of the centre; at most 2^60 in magnitude.
    pub x: f32,
    /// Vertical coordinate of the centre; at most 2^60 in magnitude.
    pub y: f32,
    /// Half of the width, measured along the rotated x axis; from 0 to 2^60.
    pub half_width: f32,
    /// Half of the height, measured along the rotated y axis; from 0 to 2^60.
    pub half_height: f32,
    /// Cosine of the angle, as in [`Rotation`].
    pub cos: f32,
    /// Sine of the angle, as in [`Rotation`].
    pub sin: f32,
}

pod!(Obb { x, y, half_width, half_height, cos, sin });

impl Obb {
    /// Two places, whose middle is about the centre.
    pub(crate) fn span(&self) -> [[f32; 2]; 2] {
        [[self.x, self.y]; 2]
    }

    /// The rectangle around `center` with the given half width and half height, rotated by
    /// `rotation`. Centre and sizes are [`Vec2`]s, `[f32; 2]`s or tuples.
    #[inline]
    pub fn new(center: impl Into<Vec2>, half_extents: impl Into<Vec2>, rotation: Rotation) -> Self {
        let (center, half) = (center.into(), half_extents.into());
        let Rotation { cos, sin } = rotation;
        Self { x: center.x, y: center.y, half_width: half.x, half_height: half.y, cos, sin }
    }

    /// The centre.
    #[inline]
    pub fn center(self) -> Vec2 {
        Vec2::new(self.x, self.y)
    }

    /// Half width and half height.
    #[inline]
    pub fn half_extents(self) -> Vec2 {
        Vec2::new(self.half_width, self.half_height)
    }

    /// The rotation.
    #[inline]
    pub fn rotation(self) -> Rotation {
        Rotation { cos: self.cos, sin: self.sin }
    }

    /// Checks the values and normalises the rotation to length 1; `index` is for the error.
    pub(crate) fn checked(self, index: usize) -> Result<Self, Error> {
        let Self { x, y, half_width, half_height, .. } = self;
        coordinate(index, Field::X, x)?;
        coordinate(index, Field::Y, y)?;
        size(index, Field::HalfWidth, half_width)?;
        size(index, Field::HalfHeight, half_height)?;
        let Rotation { cos, sin } = self.rotation().checked(index)?;
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
        Ok(Self { cos, sin, ..self })
    }
}

impl Default for Obb {
    /// A rectangle of zero size at the origin, not rotated.
    fn default() -> Self {
        Self::new(Vec2::ZERO, Vec2::ZERO, Rotation::IDENTITY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::MAX_COORDINATE;

    #[test]
    fn boxes_beyond_the_limits_are_refused() {
        let most = MAX_COORDINATE;
        let good = Obb { x: most, half_width: most, ..Obb::default() };
        assert_eq!(good.checked(3), Ok(good));
        let stretched = Obb { cos: 0.0, sin: -1.0004, ..good };
        let checked = stretched.checked(3).unwrap();
        assert_eq!((checked.cos, checked.sin), (0.0, -1.0));
        assert_eq!(checked.checked(3), Ok(checked));

        let refused = |obb: Obb| match obb.checked(3) {
            Err(Error::InvalidShape { index: 3, field, value, fault }) => (field, value, fault),
            other => panic!("{other:?}"),
        };
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
        assert_eq!(near.checked(3), Ok(near));
    }
}
