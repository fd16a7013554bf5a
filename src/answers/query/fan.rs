//! `Fan`: rays with equal angular steps.

use super::record::Ray;
use crate::{
    error::{Error, Fault, Field},
    narrowphase::check_most,
    shape::{Pose, Rotation},
    simd::map_each,
};

/// A fan of rays with equal angular steps, as a lidar casts them.
///
/// Ray `k` has the angle `first_angle + k * step` from the heading of the sensor, in radians,
/// counter-clockwise where y points up.
///
/// ```
/// use widephase::{Columns, Fan, Index, Queries, columns::ScanColumns, shape::Pose};
///
/// let index = Index::build(Columns::circles(&[5.0, 0.0], &[0.0, -3.0], &[1.0, 1.0])?)?;
/// // Four rays, a right angle apart, up to 10 away.
/// let fan = Fan::around(4, 10.0);
/// let mut scan = ScanColumns::new();
/// index.scan(&fan, &[Pose::at([0.0, 0.0])], &mut scan)?;
/// assert_eq!(scan.range, [4.0, f32::INFINITY, f32::INFINITY, 2.0]);
/// assert_eq!((scan.row[0], scan.row[1], scan.row[3]), (0, ScanColumns::NO_ROW, 1));
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Fan {
    /// The directions of the rays of a sensor without rotation.
    directions: Vec<[f32; 2]>,
    pub(super) first_angle: f64,
    pub(super) step: f64,
    max_range: f32,
}

impl Fan {
    /// A fan of `rays` rays. `first_angle` is the angle of the first ray, and `step` the angle from
    /// one ray to the next, in radians. `max_range` is the largest distance, at least 0; infinity
    /// for no limit. The values are checked by [`Queries::scan`](crate::Queries::scan).
    ///
    /// Allocates 8 bytes a ray. Sine and cosine come from the platform, as in
    /// [`Rotation::from_angle`].
    pub fn new(rays: usize, first_angle: f32, step: f32, max_range: f32) -> Self {
        Self::of(rays, f64::from(first_angle), f64::from(step), max_range)
    }

    /// A fan of `rays` rays all around, the first one straight ahead.
    pub fn around(rays: usize, max_range: f32) -> Self {
        Self::of(rays, 0.0, std::f64::consts::TAU / rays.max(1) as f64, max_range)
    }

    fn of(rays: usize, first_angle: f64, step: f64, max_range: f32) -> Self {
        /// Sines and cosines below this are zeros: a multiple of π/2 in `f64` is off by less.
        const MIN_SINE: f64 = 1e-15;
        let directions = (0..rays).map(|ray| {
            let (sin, cos) = (first_angle + ray as f64 * step).sin_cos();
            // A quarter turn is exact.
            map_each([cos, sin], |part| if part.abs() < MIN_SINE { 0.0 } else { part as f32 })
        });
        Self { directions: directions.collect(), first_angle, step, max_range }
    }

    /// The number of rays.
    pub fn rays(&self) -> usize {
        self.directions.len()
    }

    /// The largest distance.
    pub fn max_range(&self) -> f32 {
        self.max_range
    }

    /// A ray of the fan of a sensor at `pose`: its direction is [`Rotation::apply`] of the
    /// direction of the fan, of length 1 within roundings. (0, 0) for a number beyond the rays.
    pub fn ray(&self, pose: Pose, number: usize) -> Ray {
        let direction = self.direction(heading(pose), number);
        Ray::new([pose.x, pose.y], direction).up_to(self.max_range)
    }

    /// The directions of the rays of a sensor without rotation.
    pub(super) fn directions(&self) -> &[[f32; 2]] {
        &self.directions
    }

    /// The direction of a ray of a sensor with this rotation.
    #[inline]
    pub(super) fn direction(&self, heading: Rotation, number: usize) -> [f32; 2] {
        heading.apply(self.directions.get(number).copied().unwrap_or_default())
    }

    pub(super) fn check(&self) -> Result<(), Error> {
        for angle in [self.first_angle, self.step] {
            if !angle.is_finite() {
                let (field, value) = (Field::Angle, angle as f32);
                let fault = if angle.is_nan() { Fault::NotANumber } else { Fault::Infinite };
                return Err(Error::InvalidQuery { index: 0, field, value, fault });
            }
        }
        check_most(0, Field::MaxRange, self.max_range)
    }
}

/// The rotation of a sensor, at length 1.
pub(super) fn heading(pose: Pose) -> Rotation {
    Rotation { cos: pose.cos, sin: pose.sin }.at_length_one()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_names_the_range() {
        for (value, fault) in [(-1.0, Fault::Negative), (f32::NAN, Fault::NotANumber)] {
            let Err(Error::InvalidQuery { index: 0, field, fault: found, .. }) =
                Fan::around(4, value).check()
            else {
                panic!("a range of {value}");
            };
            assert_eq!((field, found), (Field::MaxRange, fault));
        }
        assert_eq!(Fan::around(4, f32::INFINITY).check(), Ok(()));
    }
}
