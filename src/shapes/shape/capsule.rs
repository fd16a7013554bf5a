//! Segments and capsules.

use super::check::{coordinate, size};
use crate::{
    base::pod,
    error::{Error, Field},
};
use glam::Vec2;

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
    /// Two places, whose middle is about the centre.
    pub(crate) fn span(&self) -> [[f32; 2]; 2] {
        [[self.ax, self.ay], [self.bx, self.by]]
    }

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

    /// Checks the values; `index` is for the error. Within these limits no capsule reaches beyond
    /// `MAX_REACH`.
    pub(crate) fn checked(self, index: usize) -> Result<Self, Error> {
        self.core().checked(index)?;
        size(index, Field::Radius, self.radius)?;
        Ok(self)
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{error::Fault, shape::MAX_COORDINATE};

    #[test]
    fn capsules_and_segments_beyond_the_limits_are_refused() {
        let most = MAX_COORDINATE;
        let good = Capsule::new([-most, 1.0], [most, 2.0], most);
        assert_eq!(good.checked(3), Ok(good));
        let circle = Capsule { ax: 1.0, ay: 2.0, bx: 1.0, by: 2.0, radius: 0.0 };
        assert_eq!(circle.checked(3), Ok(circle));
        let refused = |capsule: Capsule| match capsule.checked(3) {
            Err(Error::InvalidShape { index: 3, field, value, fault }) => (field, value, fault),
            other => panic!("{other:?}"),
        };
        let above = most.next_up();
        assert_eq!(refused(Capsule { ax: above, ..good }), (Field::Ax, above, Fault::TooLarge));
        assert_eq!(refused(Capsule { ay: -above, ..good }), (Field::Ay, -above, Fault::TooLarge));
        let endless = (Field::Bx, f32::INFINITY, Fault::Infinite);
        assert_eq!(refused(Capsule { bx: f32::INFINITY, ..good }), endless);
        let (field, _, fault) = refused(Capsule { by: f32::NAN, ..good });
        assert_eq!((field, fault), (Field::By, Fault::NotANumber));
        let negative = (Field::Radius, -1.0, Fault::Negative);
        assert_eq!(refused(Capsule { radius: -1.0, ..good }), negative);
        assert_eq!(good.core().checked(3), Ok(good.core()));
    }
}
