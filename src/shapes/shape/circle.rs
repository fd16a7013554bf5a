use glam::Vec2;

use crate::base::pod;

/// A circle with its interior (a disc).
///
/// ```
/// use widephase::shape::Circle;
///
/// assert_eq!(Circle::new((1.0, 2.0), 0.5), Circle { x: 1.0, y: 2.0, radius: 0.5 });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Circle {
    /// Horizontal coordinate of the centre; at most 2^60 in magnitude.
    pub x: f32,
    /// Vertical coordinate of the centre; at most 2^60 in magnitude.
    pub y: f32,
    /// Radius, from 0 to 2^60. A circle of radius 0 is a point.
    pub radius: f32,
}

pod!(Circle { x, y, radius });

impl Circle {
    /// Two places, whose middle is about the centre.
    pub(crate) fn span(&self) -> [[f32; 2]; 2] {
        [[self.x, self.y]; 2]
    }

    /// A circle around `center`: a [`Vec2`], a `[f32; 2]` or a tuple.
    pub fn new(center: impl Into<Vec2>, radius: f32) -> Self {
        let Vec2 { x, y } = center.into();
        Self { x, y, radius }
    }

    /// The centre.
    pub fn center(self) -> Vec2 {
        Vec2::new(self.x, self.y)
    }
}
