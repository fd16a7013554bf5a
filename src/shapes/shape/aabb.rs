use glam::Vec2;

use crate::base::pod;

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
