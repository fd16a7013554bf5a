//! Periodic boxes: a plane that repeats.

use crate::{
    base::{HasPair, Pair, pod},
    error::Error,
    simd::map_each,
};

/// A periodic box, as in simulations of matter or a game on a torus: a body that leaves the box on
/// one side comes in on the other side. One axis may wrap, or both axes.
///
/// [`Detector::pairs_periodic`] and [`Detector::neighbors_periodic`] find pairs across the seam,
/// and [`Detector::k_nearest_periodic`] the nearest.
///
/// Shapes may be outside of the box. They are first moved by whole periods, along each axis that
/// wraps, so that the centre of their bounding box is in the box: at least `min` and less than
/// `max`. [`wrap`](Periodic::wrap) wraps a position. Shifts are between the shapes as given. Along
/// an axis that does not wrap, nothing moves, and `min` and `max` have no meaning.
///
/// The period is `max - min`, in `f32`. On an axis that wraps it must be above 0, and `min` and
/// `max` at most 2^57 in magnitude.
///
/// [`Detector::pairs_periodic`]: crate::Detector::pairs_periodic
/// [`Detector::neighbors_periodic`]: crate::Detector::neighbors_periodic
/// [`Detector::k_nearest_periodic`]: crate::Detector::k_nearest_periodic
///
/// ```
/// use widephase::Periodic;
///
/// let pipe = Periodic { min: [-5.0, 0.0], max: [5.0, 0.0], wrap: [true, false] };
/// pipe.check()?;
/// assert_eq!(pipe.period(), [10.0, 0.0]);
/// assert_eq!(pipe.wrap([7.0, 99.0]), [-3.0, 99.0]);
/// assert_eq!(pipe.wrap([5.0, 0.0]), [-5.0, 0.0]);
/// assert_eq!(pipe.offset([-1, 0]), [-10.0, 0.0]);
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Periodic {
    /// The lower corner.
    pub min: [f32; 2],
    /// The upper corner, which is the same place as the lower corner.
    pub max: [f32; 2],
    /// Whether the plane repeats along x and along y.
    pub wrap: [bool; 2],
}

impl Periodic {
    /// A box that wraps along both axes.
    pub fn new(min: [f32; 2], max: [f32; 2]) -> Self {
        Self { min, max, wrap: [true; 2] }
    }

    /// Checks the box, as every call that takes it does.
    ///
    /// # Errors
    /// [`Error::InvalidPeriod`].
    pub fn check(&self) -> Result<(), Error> {
        check_sides(self.min.map(f64::from), self.max.map(f64::from), self.wrap)
    }

    /// The length after which the plane repeats along x and along y; 0 along an axis that does not
    /// wrap.
    pub fn period(&self) -> [f32; 2] {
        map_each([0, 1], |axis| if self.wrap[axis] { self.max[axis] - self.min[axis] } else { 0.0 })
    }

    /// The position in the box: at least `min` and less than `max` along the axes that wrap. A
    /// position that is in the box stays as it is. Other coordinates are computed in `f64` and
    /// rounded; a coordinate that would be rounded to `max` becomes `min`.
    ///
    /// The box must be [valid](Periodic::check), and the position finite.
    pub fn wrap(&self, position: [f32; 2]) -> [f32; 2] {
        map_each([0, 1], |axis| self.wrapped(axis, f64::from(position[axis])) as f32)
    }

    /// The coordinate in the box. Also as `f32`, it is less than `max`.
    pub(crate) fn wrapped(&self, axis: usize, at: f64) -> f64 {
        let (min, max) = (f64::from(self.min[axis]), f64::from(self.max[axis]));
        if !self.wrap[axis] || (min <= at && at < max) {
            return at;
        }
        // The remainder is exact, however far away the position is.
        let wrapped = min + (at - min).rem_euclid(f64::from(self.period()[axis]));
        if (wrapped as f32) < self.max[axis] { wrapped } else { min }
    }

    /// The vector by which `shift` periods move a shape.
    pub fn offset(&self, shift: [i16; 2]) -> [f32; 2] {
        let period = self.period();
        map_each([0, 1], |axis| f32::from(shift[axis]) * period[axis])
    }
}

/// Checks the sides of a periodic box along the axes that wrap.
pub(crate) fn check_sides(min: [f64; 2], max: [f64; 2], wrap: [bool; 2]) -> Result<(), Error> {
    /// The largest magnitude of a side. With it, copies a few periods further are within the range
    /// of coordinates.
    const MAX_SIDE: f64 = (1_u64 << 57) as f64;
    for axis in 0..2 {
        let (min, max) = (min[axis], max[axis]);
        // False for NaN.
        let valid = min.abs() <= MAX_SIDE && max.abs() <= MAX_SIDE && max - min > 0.0;
        if wrap[axis] && !valid {
            return Err(Error::InvalidPeriod { min: min as f32, max: max as f32 });
        }
    }
    Ok(())
}

/// Two shapes that touch in a periodic box: shape `b`, moved by `shift` periods, touches shape `a`,
/// both where they were given, in the box or not. From `a` to `b` it is `position[b] + shift *
/// period - position[a]`.
///
/// In a pair, `a < b`; or `a == b` for a shape that touches its own image. A pair of rows occurs
/// once for each shift by which they touch. As [`Pod`](bytemuck::Pod), a slice of these records
/// casts to bytes without a copy: 12 bytes each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct PeriodicPair {
    /// The rows.
    pub pair: Pair,
    /// The periods along x and along y: -1, 0 or 1, unless distances or shapes are longer than the
    /// period, or a shape is outside of the box. [`Periodic::offset`] is the vector.
    pub shift: [i16; 2],
}

pod!(PeriodicPair { pair, shift });

impl PeriodicPair {
    /// The pair of a row and another row that is moved by a shift, with the smaller row first.
    pub(crate) fn of(fixed: u32, moved: u32, [x, y]: [i16; 2]) -> Self {
        if fixed <= moved {
            Self { pair: Pair { a: fixed, b: moved }, shift: [x, y] }
        } else {
            Self { pair: Pair { a: moved, b: fixed }, shift: [-x, -y] }
        }
    }
}

/// A neighbour of a shape in a periodic box: the shape in row `row`, moved by `shift` periods from
/// where it was given.
///
/// As [`Pod`](bytemuck::Pod), a slice of these records casts to bytes without a copy: 12 bytes
/// each.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct PeriodicNeighbor {
    /// The row of the neighbour.
    pub row: u32,
    /// The distance between the surfaces, in the unit of length; 0 if the shapes touch.
    pub distance: f32,
    /// The periods along x and along y: -1, 0 or 1, unless distances or shapes are longer than the
    /// period, or a shape is outside of the box. [`Periodic::offset`] is the vector.
    pub shift: [i16; 2],
}

pod!(PeriodicNeighbor { row, distance, shift });

/// The sign of a number of periods.
const PERIODS_SIGN: u16 = 1 << 15;

/// From the word of a shift to an integer, by which shifts are sorted as by their arrays.
pub(super) fn shift_rank(word: u32) -> u32 {
    let [x, y] = bytemuck::cast::<_, [u16; 2]>(word);
    u32::from(x ^ PERIODS_SIGN) << 16 | u32::from(y ^ PERIODS_SIGN)
}

/// The inverse of [`shift_rank`].
pub(super) fn shift_word(rank: u32) -> u32 {
    bytemuck::cast([(rank >> 16) as u16 ^ PERIODS_SIGN, rank as u16 ^ PERIODS_SIGN])
}

/// The pair without its shift. All images by which two shapes touch count as one pair.
impl HasPair for PeriodicPair {
    fn pair(&self) -> Pair {
        self.pair
    }
}
