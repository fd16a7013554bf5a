use glam::Vec2;

use super::check::coordinate;
use crate::{
    base::pod,
    error::{Error, Field},
};

/// A straight line between two points, without width.
///
/// If its ends coincide, it is treated like a [`Point`](super::Point): it has a point's normals and
/// features, and only the position of its pose counts.
///
/// ```
/// use widephase::shape::Segment;
///
/// let wall = Segment::new([0.0, 0.0], (3.0, 4.0));
/// assert_eq!(wall, Segment { ax: 0.0, ay: 0.0, bx: 3.0, by: 4.0 });
/// ```
///
/// Without a pose, the decision whether it touches another shape is exact for its ends as given:
/// segments that share an end touch, and nothing passes between two of them
/// ([`Touching`](crate::Touching)). With a pose, its placed ends are rounded to `f32`.
///
/// A store accepts it if the larger of `|x|` and `|y|` of its middle, plus half its length, is at
/// most 2^60 ([limits](crate::shape#limits)).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Segment {
    /// Horizontal coordinate of the first end; at most 2^60 in magnitude.
    pub ax: f32,
    /// Vertical coordinate of the first end; at most 2^60 in magnitude.
    pub ay: f32,
    /// Horizontal coordinate of the second end; at most 2^60 in magnitude.
    pub bx: f32,
    /// Vertical coordinate of the second end; at most 2^60 in magnitude.
    pub by: f32,
}

pod!(Segment { ax, ay, bx, by });

impl Segment {
    /// Two places, whose middle is about the centre.
    pub(crate) fn span(&self) -> [[f32; 2]; 2] {
        [[self.ax, self.ay], [self.bx, self.by]]
    }

    /// The segment from `a` to `b`: [`Vec2`]s, `[f32; 2]`s or tuples.
    #[inline]
    pub fn new(a: impl Into<Vec2>, b: impl Into<Vec2>) -> Self {
        let (a, b) = (a.into(), b.into());
        Self { ax: a.x, ay: a.y, bx: b.x, by: b.y }
    }

    /// The first end.
    #[inline]
    pub fn a(self) -> Vec2 {
        Vec2::new(self.ax, self.ay)
    }

    /// The second end.
    #[inline]
    pub fn b(self) -> Vec2 {
        Vec2::new(self.bx, self.by)
    }

    /// Checks the values; `index` is for the error.
    pub(crate) fn checked(self, index: usize) -> Result<Self, Error> {
        let Self { ax, ay, bx, by } = self;
        coordinate(index, Field::Ax, ax)?;
        coordinate(index, Field::Ay, ay)?;
        coordinate(index, Field::Bx, bx)?;
        coordinate(index, Field::By, by)?;
        Ok(self)
    }
}
