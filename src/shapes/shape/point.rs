use glam::Vec2;

use crate::base::pod;

/// A point: a shape without size. It touches every shape that contains it.
///
/// ```
/// use widephase::shape::Point;
///
/// assert_eq!(Point::new([1.0, 2.0]), Point { x: 1.0, y: 2.0 });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Point {
    /// Horizontal coordinate; at most 2^60 in magnitude.
    pub x: f32,
    /// Vertical coordinate; at most 2^60 in magnitude.
    pub y: f32,
}

pod!(Point { x, y });

impl Point {
    /// Two places, whose middle is about the centre.
    pub(crate) fn span(&self) -> [[f32; 2]; 2] {
        [[self.x, self.y]; 2]
    }

    /// A point at `position`: a [`Vec2`], a `[f32; 2]` or a tuple.
    pub fn new(position: impl Into<Vec2>) -> Self {
        let Vec2 { x, y } = position.into();
        Self { x, y }
    }
}
