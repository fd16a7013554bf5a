use glam::Vec2;

use super::Segment;
use crate::base::pod;

/// Everything within `radius` of a segment: a stadium, in any direction.
///
/// A capsule of radius 0 is a [`Segment`]. If its ends coincide, it is treated like a
/// [`Circle`](super::Circle), or like a [`Point`](super::Point) if the radius is 0: it has their
/// normals and features, and only the position of its pose counts.
///
/// ```
/// use widephase::shape::{Capsule, Segment};
///
/// let capsule = Capsule::new([0.0, 0.0], [3.0, 4.0], 0.5);
/// assert_eq!(capsule.core(), Segment::new([0.0, 0.0], [3.0, 4.0]));
/// ```
///
/// A store accepts it if the larger of `|x|` and `|y|` of the segment's middle, plus half the
/// segment's length, is at most 2^60, whatever the radius ([limits](crate::shape#limits)).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Capsule {
    /// Horizontal coordinate of the core's first end; at most 2^60 in magnitude.
    pub ax: f32,
    /// Vertical coordinate of the core's first end; at most 2^60 in magnitude.
    pub ay: f32,
    /// Horizontal coordinate of the core's second end; at most 2^60 in magnitude.
    pub bx: f32,
    /// Vertical coordinate of the core's second end; at most 2^60 in magnitude.
    pub by: f32,
    /// Distance that the shape extends beyond its core, from 0 to 2^60.
    pub radius: f32,
}

pod!(Capsule { ax, ay, bx, by, radius });

impl Capsule {
    /// The capsule around the segment from `a` to `b`: [`Vec2`]s, `[f32; 2]`s or tuples.
    #[inline]
    pub fn new(a: impl Into<Vec2>, b: impl Into<Vec2>, radius: f32) -> Self {
        let (a, b) = (a.into(), b.into());
        Self { ax: a.x, ay: a.y, bx: b.x, by: b.y, radius }
    }

    /// The segment inside, without the radius.
    #[inline]
    pub fn core(self) -> Segment {
        let Self { ax, ay, bx, by, radius: _ } = self;
        Segment { ax, ay, bx, by }
    }
}
