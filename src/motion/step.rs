//! `Displacements`: how shapes move during a step.

use crate::{
    Error, Pair,
    error::{Fault, Field},
    geometry::ends,
    shape::{MAX_COORDINATE, MAX_REACH, RoundedBox},
    simd::map_each,
};

/// The largest share of the coordinates and sizes by which roundings may bring shapes together, in
/// the `f32` of the test at the start. That of the `f64` of the step is far smaller.
pub(super) const ROUNDING: f64 = 1.0 / (1 << 21) as f64;

/// The same for tiny shapes, whose squares lose bits to underflow.
const TINY: f64 = 1.0 / (1_u128 << 72) as f64;

/// Which rows are bullets: pairs with a bullet are tested along the whole step, and pairs of two
/// rows that are no bullets only at the start of the step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Bullets<'a> {
    /// All rows, so all pairs are tested along the step.
    #[default]
    All,
    /// The rows whose flag is set. There must be a flag for each row.
    Rows(&'a [bool]),
}

/// How the shapes move during a step: the argument of
/// [`Detector::swept_pairs`](crate::Detector::swept_pairs). Row `i` moves by (`x[i]`, `y[i]`), in
/// the unit of length, for the whole step: velocity times its duration.
///
/// ```
/// use widephase::{Bullets, Displacements};
///
/// let (x, y) = ([4.0, 0.0], [0.0, -0.5]);
/// let all = Displacements { x: &x, y: &y, bullets: Bullets::All };
/// // Only row 0 is fast enough to tunnel.
/// let one = Displacements { bullets: Bullets::Rows(&[true, false]), ..all };
/// assert_ne!(all, one);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Displacements<'a> {
    /// The displacement of each row along x.
    pub x: &'a [f32],
    /// The displacement of each row along y.
    pub y: &'a [f32],
    /// Which rows are bullets.
    pub bullets: Bullets<'a>,
}

/// The displacements of a step, and which rows are bullets.
#[derive(Clone, Copy)]
pub(super) struct SweptStep<'a> {
    pub(super) moves: Displacements<'a>,
    /// Whether rows that are not bullets stay at their start.
    pub(super) others_stay: bool,
}

impl SweptStep<'_> {
    /// Checks that there is one value for each row.
    pub(super) fn check(&self, expected: usize) -> Result<(), Error> {
        let Displacements { x, y, bullets } = self.moves;
        let bullets = match bullets {
            Bullets::All => expected,
            Bullets::Rows(flags) => flags.len(),
        };
        let lens = [(Field::Dx, x.len()), (Field::Dy, y.len()), (Field::Bullet, bullets)];
        match lens.into_iter().find(|(_, len)| *len != expected) {
            Some((field, len)) => Err(Error::UnequalColumns { field, len, expected }),
            None => Ok(()),
        }
    }

    pub(super) fn is_bullet(&self, row: u32) -> bool {
        match self.moves.bullets {
            Bullets::All => true,
            Bullets::Rows(flags) => flags[row as usize],
        }
    }

    /// Whether a pair is tested along the step. Else it is tested at its start.
    pub(super) fn sweeps(&self, pair: Pair) -> bool {
        self.is_bullet(pair.a) || (!self.others_stay && self.is_bullet(pair.b))
    }

    pub(super) fn displacement(&self, row: u32) -> [f32; 2] {
        [self.moves.x[row as usize], self.moves.y[row as usize]]
    }

    /// Checks the displacement of a row with these bounds.
    pub(super) fn check_row(&self, row: u32, bounds: RoundedBox) -> Result<(), Error> {
        let most = f64::from(MAX_COORDINATE);
        let axes = ends(bounds).into_iter().zip(self.displacement(row));
        for (field, ([low, high], value)) in [Field::Dx, Field::Dy].into_iter().zip(axes) {
            let center = (low + high) * 0.5;
            let end = (center + f64::from(value)).abs();
            let fault = if value.is_nan() {
                Fault::NotANumber
            } else if value.is_infinite() {
                Fault::Infinite
            } else if end > most.max(center.abs()) {
                Fault::TooLarge
            } else {
                continue;
            };
            return Err(Error::InvalidShape { index: row as usize, field, value, fault });
        }
        Ok(())
    }

    /// A row with these bounds, and its motion.
    pub(super) fn body(&self, row: u32, bounds: RoundedBox) -> Mover {
        let stays = self.others_stay && !self.is_bullet(row);
        Mover::new(bounds, if stays { [0.0; 2] } else { self.displacement(row) })
    }
}

/// The box around a shape, and its motion.
pub(super) struct Mover {
    /// The lower and upper ends along x and along y.
    pub(super) ends: [[f64; 2]; 2],
    pub(super) by: [f64; 2],
    /// The slack for roundings.
    pub(super) slack: f64,
}

impl Mover {
    /// The box around a compound ends at the limit of coordinates, even if a part does not.
    pub(super) fn new(bounds: RoundedBox, by: [f32; 2]) -> Self {
        let [limit, most] = map_each([MAX_COORDINATE, MAX_REACH], f64::from);
        let whole = |[low, high]: [f64; 2]| {
            [if low > -limit { low } else { -most }, if high < limit { high } else { most }]
        };
        let (ends, by) = (map_each(ends(bounds), whole), map_each(by, f64::from));
        let far = |[low, high]: [f64; 2], by: f64| low.abs().max(high.abs()) + by.abs();
        let slack = far(ends[0], by[0]).max(far(ends[1], by[1])) * ROUNDING + TINY;
        Self { ends, by, slack }
    }

    /// The same shape without its motion.
    pub(super) fn at_start(self) -> Self {
        Self { by: [0.0; 2], ..self }
    }

    /// The larger side of the box.
    pub(super) fn size(&self) -> f64 {
        let [[left, right], [low, high]] = self.ends;
        (right - left).max(high - low)
    }

    /// The larger part of the displacement.
    pub(super) fn length(&self) -> f64 {
        self.by[0].abs().max(self.by[1].abs())
    }

    /// The number of pieces of its path, each as long as the body or `unit`, whichever is longer.
    pub(super) fn pieces(&self, unit: f64) -> f64 {
        let (length, piece) = (self.length(), self.size().max(unit));
        if length <= piece { 1.0 } else { (length / piece).ceil() }
    }

    /// Whether the boxes around two shapes touch at some time during the step.
    pub(super) fn may_touch(&self, other: &Self) -> bool {
        let slack = self.slack + other.slack;
        let (mut first, mut last) = (0.0_f64, 1.0_f64);
        for axis in 0..2 {
            let ([low, high], [other_low, other_high]) = (self.ends[axis], other.ends[axis]);
            // They touch along the axis while the way is between the two.
            let [least, most] = [other_low - high - slack, other_high - low + slack];
            let way = self.by[axis] - other.by[axis];
            if way == 0.0 {
                if least > 0.0 || most < 0.0 {
                    return false;
                }
                continue;
            }
            let (one, two) = (least / way, most / way);
            (first, last) = (first.max(one.min(two)), last.min(one.max(two)));
        }
        first <= last
    }
}
