use super::Aabb;
use crate::base::pod;

/// A core box and everything within `radius` of it: the Minkowski sum of a rectangle and a disc.
///
/// This is the general axis-aligned shape: with a core of no height it is a horizontal capsule,
/// with radius 0 an [`Aabb`], with a core of zero size a [`Circle`](super::Circle).
///
/// ```
/// use widephase::shape::{Aabb, RoundedBox};
///
/// let key = RoundedBox::new(Aabb::new([0.0, 0.0], [3.0, 1.0]), 0.25);
/// assert_eq!(key.radius, 0.25);
/// assert_eq!(key.core(), Aabb::new([0.0, 0.0], [3.0, 1.0]));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct RoundedBox {
    /// Left side of the core; at most 2^60 in magnitude, and at most `max_x`.
    pub min_x: f32,
    /// Lower side of the core; at most 2^60 in magnitude, and at most `max_y`.
    pub min_y: f32,
    /// Right side of the core; at most 2^60 in magnitude.
    pub max_x: f32,
    /// Upper side of the core; at most 2^60 in magnitude.
    pub max_y: f32,
    /// Distance that the shape extends beyond its core, from 0 to 2^60.
    pub radius: f32,
}

pod!(RoundedBox { min_x, min_y, max_x, max_y, radius });

impl RoundedBox {
    /// Two places, whose middle is about the centre.
    pub(crate) fn span(&self) -> [[f32; 2]; 2] {
        [[self.min_x, self.min_y], [self.max_x, self.max_y]]
    }

    /// The shape that extends `radius` beyond `core` in every direction.
    pub fn new(core: Aabb, radius: f32) -> Self {
        let Aabb { min_x, min_y, max_x, max_y } = core;
        Self { min_x, min_y, max_x, max_y, radius }
    }

    /// The box inside, without the radius.
    pub fn core(self) -> Aabb {
        let Self { min_x, min_y, max_x, max_y, radius: _ } = self;
        Aabb { min_x, min_y, max_x, max_y }
    }
}
