//! Poses and rotations.

use std::{f32, f64::consts::FRAC_PI_2};

use crate::{
    base::pod,
    error::{Error, Fault, Field},
    simd::map_each,
};
use glam::Vec2;

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

/// A rotation about the origin, as a unit complex number: the cosine and the sine of its angle,
/// counter-clockwise where y points up.
///
/// On entry, the length of a rotation must be 1 within about one part in 2000. It is then
/// normalised to 1 as near as `f32` allows. A rotation that is that near already keeps its bits,
/// and so do quarter turns.
///
/// ```
/// use widephase::shape::Rotation;
///
/// let quarter = Rotation { cos: 0.0, sin: 1.0 };
/// assert_eq!(quarter.apply([2.0, 0.0]), [0.0, 2.0]);
/// assert_eq!(Rotation::from_angle(0.0), Rotation::IDENTITY);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Rotation {
    /// Cosine of the angle, from -1 to 1.
    pub cos: f32,
    /// Sine of the angle, from -1 to 1.
    pub sin: f32,
}

pod!(Rotation { cos, sin });

impl Rotation {
    /// The rotation that changes nothing.
    pub const IDENTITY: Self = Self { cos: 1.0, sin: 0.0 };

    /// The rotation by an angle in radians, counter-clockwise where y points up.
    ///
    /// Quarter turns are exact: no `f32` is exactly π/2, so the `f32` nearest to k π/2, and k times
    /// that nearest to π/2, count as k [quarter turns](Rotation::quarter_turns), up to four turns
    /// either way.
    ///
    /// Sine and cosine of other angles are computed in `f64` and rounded. They come from the
    /// platform's library, which may differ in the last bits of an `f64`, and so, very rarely, in
    /// the last bit here. If different machines need the same bits, share the rotation, not the
    /// angle. An angle that is not finite gives a rotation of NaN, which is refused on entry.
    ///
    /// ```
    /// use std::f32::consts::{FRAC_PI_2, PI};
    /// use widephase::shape::Rotation;
    ///
    /// assert_eq!(Rotation::from_angle(-FRAC_PI_2), Rotation { cos: 0.0, sin: -1.0 });
    /// assert_eq!(Rotation::from_angle(3.0 * PI), Rotation::quarter_turns(6));
    /// ```
    pub fn from_angle(radians: f32) -> Self {
        if let Some(turns) = quarter_turns(radians) {
            return Self::quarter_turns(turns);
        }
        let (sin, cos) = f64::from(radians).sin_cos();
        Self { cos: cos as f32, sin: sin as f32 }
    }

    /// The rotation by `turns` right angles, counter-clockwise where y points up; clockwise if
    /// negative. Exact.
    ///
    /// ```
    /// use widephase::shape::Rotation;
    ///
    /// assert_eq!(Rotation::quarter_turns(1).apply([2.0, 1.0]), [-1.0, 2.0]);
    /// assert_eq!(Rotation::quarter_turns(-4), Rotation::IDENTITY);
    /// ```
    pub const fn quarter_turns(turns: i32) -> Self {
        match turns & 3 {
            0 => Self::IDENTITY,
            1 => Self { cos: 0.0, sin: 1.0 },
            2 => Self { cos: -1.0, sin: 0.0 },
            _ => Self { cos: 0.0, sin: -1.0 },
        }
    }

    /// The angle in radians, from -π to π, rounded from `f64`.
    pub fn angle(self) -> f32 {
        f64::from(self.sin).atan2(f64::from(self.cos)) as f32
    }

    /// The rotated vector: `(cos x - sin y, sin x + cos y)`, each operation rounded to `f32`,
    /// without fused multiply-add.
    #[inline]
    pub fn apply(self, [x, y]: [f32; 2]) -> [f32; 2] {
        let Self { cos, sin } = self;
        [cos * x - sin * y, sin * x + cos * y]
    }

    /// Checks the rotation and normalises it to length 1; `index` is for the error.
    pub(crate) fn checked(self, index: usize) -> Result<Self, Error> {
        let Self { cos, sin } = self;
        let refuse = |field, value, fault| Err(Error::InvalidShape { index, field, value, fault });
        for (field, value) in [(Field::Cos, cos), (Field::Sin, sin)] {
            if value.is_nan() {
                return refuse(field, value, Fault::NotANumber);
            }
            if value.is_infinite() {
                return refuse(field, value, Fault::Infinite);
            }
        }
        let excess = self.excess();
        if excess > MAX_EXCESS {
            let length = self.square().sqrt() as f32;
            return refuse(Field::Cos, cos, Fault::NotUnit { length });
        }
        Ok(self.at_length_one())
    }

    #[inline(always)]
    fn square(self) -> f64 {
        let [cos, sin] = map_each([self.cos, self.sin], f64::from);
        cos * cos + sin * sin
    }

    /// The distance of the squared length from 1.
    #[inline(always)]
    pub(crate) fn excess(self) -> f64 {
        (self.square() - 1.0).abs()
    }

    /// The rotation normalised to length 1, whatever its length. The function has no branch, so
    /// loops over rotations become vector code.
    #[inline(always)]
    pub(crate) fn at_length_one(self) -> Self {
        let length = self.square().sqrt();
        let divisor = if self.excess() <= f64::from(f32::EPSILON) { 1.0 } else { length };
        let [cos, sin] = map_each([self.cos, self.sin], |part| {
            let part = (f64::from(part) / divisor) as f32;
            // A subnormal part becomes a zero of the same sign: products with a subnormal number
            // lose bits.
            if part.abs() < f32::MIN_POSITIVE { part * 0.0 } else { part }
        });
        Self { cos, sin }
    }
}

/// The number of right angles that an angle stands for, if it is a multiple of π/2 as near as `f32`
/// allows.
///
/// Only up to four turns, or most angles would be multiples: from 2^24 on, an `f32` is further from
/// the next one than a right angle.
fn quarter_turns(radians: f32) -> Option<i32> {
    const MOST: f64 = 16.0;
    let turns = (f64::from(radians) / FRAC_PI_2).round();
    let nearest = (turns * FRAC_PI_2) as f32;
    let multiple = turns as f32 * f32::consts::FRAC_PI_2;
    (turns.abs() <= MOST && (radians == nearest || radians == multiple)).then_some(turns as i32)
}

/// The largest distance of a squared length from 1.
pub(crate) const MAX_EXCESS: f64 = 1e-3;

impl Default for Rotation {
    /// [`IDENTITY`](Rotation::IDENTITY).
    fn default() -> Self {
        Self::IDENTITY
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn parts_and_bytes() {
        let pose = Pose::new((1.0, -2.0), Rotation { cos: 0.6, sin: 0.8 });
        assert_eq!(pose.position(), Vec2::new(1.0, -2.0));
        assert_eq!(pose.rotation(), Rotation { cos: 0.6, sin: 0.8 });
        let bytes: [f32; 4] = bytemuck::cast(pose);
        assert_eq!(bytes, [1.0, -2.0, 0.6, 0.8]);
    }

    #[test]
    fn quarter_turns_keep_their_bits() {
        for (cos, sin) in [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0), (-0.0, -1.0)] {
            let checked = Rotation { cos, sin }.checked(0).unwrap();
            assert_eq!(
                [checked.cos.to_bits(), checked.sin.to_bits()],
                [cos, sin].map(f32::to_bits)
            );
        }
        assert_eq!(Rotation::default(), Rotation { cos: 1.0, sin: 0.0 });
        assert_eq!(Rotation { cos: 0.0, sin: 1.0 }.apply([3.0, 4.0]), [-4.0, 3.0]);
    }

    #[test]
    fn angles_of_quarter_turns_are_exact() {
        for turns in -16..=16_i32 {
            let exact = Rotation::quarter_turns(turns);
            let (sin, cos) = (f64::from(turns) * FRAC_PI_2).sin_cos();
            assert_eq!((exact.cos, exact.sin), (cos.round() as f32, sin.round() as f32));
            let nearest = (f64::from(turns) * FRAC_PI_2) as f32;
            for angle in [
                nearest,
                turns as f32 * f32::consts::FRAC_PI_2,
                turns as f32 * 0.5 * f32::consts::PI,
            ] {
                assert_eq!(Rotation::from_angle(angle), exact, "{turns}");
            }
            // The angles beside them are exact.
            let beside = nearest.next_up().next_up();
            let (sin, cos) = f64::from(beside).sin_cos();
            let beside = Rotation::from_angle(beside);
            assert_eq!((beside.cos, beside.sin), (cos as f32, sin as f32));
        }
        assert_eq!(Rotation::quarter_turns(i32::MAX), Rotation::quarter_turns(3));
        assert_eq!(Rotation::quarter_turns(i32::MIN), Rotation::IDENTITY);
        // From afar, no angle is taken for a multiple.
        for angle in [1.0e9_f32, 26.703_537] {
            let rotation = Rotation::from_angle(angle);
            assert_eq!(rotation.cos, f64::from(angle).cos() as f32);
        }
    }

    #[test]
    fn rotations_far_from_length_one_are_refused() {
        let refusal = |cos, sin| match (Rotation { cos, sin }).checked(7) {
            Err(Error::InvalidShape { index: 7, field, fault, .. }) => (field, fault),
            other => panic!("{other:?}"),
        };
        assert_eq!(refusal(f32::NAN, 0.0), (Field::Cos, Fault::NotANumber));
        assert_eq!(refusal(1.0, f32::NEG_INFINITY), (Field::Sin, Fault::Infinite));
        assert_eq!(refusal(0.0, 0.0), (Field::Cos, Fault::NotUnit { length: 0.0 }));
        assert_eq!(refusal(3.0, 4.0), (Field::Cos, Fault::NotUnit { length: 5.0 }));
        let huge = Fault::NotUnit { length: f32::INFINITY };
        assert_eq!(refusal(f32::MAX, f32::MAX), (Field::Cos, huge));
        assert_eq!(refusal(1.00051, 0.0).0, Field::Cos);
        assert_eq!(Rotation { cos: 1.0004, sin: 0.0 }.checked(0), Ok(Rotation::IDENTITY));
        assert!(Rotation::from_angle(f32::INFINITY).checked(0).is_err());
    }

    proptest! {
        #[test]
        fn checking_twice_changes_nothing(angle in -10.0_f32..10.0, length in 0.9996_f32..1.0004) {
            let good = Rotation::from_angle(angle);
            prop_assert_eq!(good.checked(0), Ok(good));
            let once = Rotation { cos: good.cos * length, sin: good.sin * length }.checked(0).unwrap();
            prop_assert_eq!(once.checked(0), Ok(once));
            prop_assert!((once.cos - good.cos).abs() < 1e-6 && (once.sin - good.sin).abs() < 1e-6);
        }

        #[test]
        fn angles_come_back(angle in -3.1_f32..3.1) {
            prop_assert!((Rotation::from_angle(angle).angle() - angle).abs() < 1e-6);
        }
    }
}
