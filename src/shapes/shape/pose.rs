use glam::Vec2;

use super::Rotation;
use crate::base::pod;

/// The position and the rotation of a body. A point of the body is first rotated about the body's
/// origin, then moved by the position. The limit of the position depends on the
/// [reach](crate::shape#limits) of the shape.
///
/// ```
/// use widephase::shape::{Pose, Rotation};
///
/// let pose = Pose::new([3.0, 4.0], Rotation { cos: 0.0, sin: 1.0 });
/// assert_eq!(pose, Pose { x: 3.0, y: 4.0, cos: 0.0, sin: 1.0 });
/// assert_eq!(Pose::default(), Pose::at([0.0, 0.0]));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Pose {
    /// Horizontal coordinate of the body's origin; at most 2^60 in magnitude.
    pub x: f32,
    /// Vertical coordinate of the body's origin; at most 2^60 in magnitude.
    pub y: f32,
    /// Cosine of the angle, as in [`Rotation`].
    pub cos: f32,
    /// Sine of the angle, as in [`Rotation`].
    pub sin: f32,
}

pod!(Pose { x, y, cos, sin });

impl Pose {
    /// The pose at `position`, a [`Vec2`], a `[f32; 2]` or a tuple, with `rotation`.
    #[inline]
    pub fn new(position: impl Into<Vec2>, rotation: Rotation) -> Self {
        let Vec2 { x, y } = position.into();
        let Rotation { cos, sin } = rotation;
        Self { x, y, cos, sin }
    }

    /// The pose at `position` without a rotation.
    #[inline]
    pub fn at(position: impl Into<Vec2>) -> Self {
        Self::new(position, Rotation::IDENTITY)
    }

    /// The position of the body's origin.
    #[inline]
    pub fn position(self) -> Vec2 {
        Vec2::new(self.x, self.y)
    }

    /// The rotation.
    #[inline]
    pub fn rotation(self) -> Rotation {
        Rotation { cos: self.cos, sin: self.sin }
    }
}

impl Default for Pose {
    /// The pose at the origin without a rotation.
    fn default() -> Self {
        Self::at(Vec2::ZERO)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_and_bytes() {
        let pose = Pose::new((1.0, -2.0), Rotation { cos: 0.6, sin: 0.8 });
        assert_eq!(pose.position(), Vec2::new(1.0, -2.0));
        assert_eq!(pose.rotation(), Rotation { cos: 0.6, sin: 0.8 });
        let bytes: [f32; 4] = bytemuck::cast(pose);
        assert_eq!(bytes, [1.0, -2.0, 0.6, 0.8]);
    }
}
