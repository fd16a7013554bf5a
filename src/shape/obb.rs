use glam::Vec2;

use super::Rotation;
use crate::base::pod;

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
}

impl Default for Obb {
    /// A rectangle of zero size at the origin, not rotated.
    fn default() -> Self {
        Self::new(Vec2::ZERO, Vec2::ZERO, Rotation::IDENTITY)
    }
}
