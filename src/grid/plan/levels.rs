//! Which sizes of bodies share a level of the grid.

use super::Sample;
use crate::{Error, shape::MAX_COORDINATE};

/// The most levels.
pub(crate) const MAX_LEVELS: usize = 16;

/// How many times as large the bodies of the next level may be. With less, coarse bodies look
/// through more levels; with more, cells are large for the small ones of their bodies.
const FACTOR: f64 = 4.0;

/// How the bodies are distributed over levels: grids of cells of different sizes, each for the
/// bodies that are neither too large for its cells nor small enough for finer ones.
///
/// Results do not depend on it, only their grid order and the time.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub enum GridLevels {
    /// From the shapes: one level where all are of about one size; else levels of sizes a factor of
    /// four apart, from the size below which cells could not be emptier on; at most 16. Sizes that
    /// do not occur cost nothing, and a level goes up only to the largest size that does.
    #[default]
    Auto,
    /// All in one.
    One,
    /// The largest size (the larger of width and height, radius included, in units of length) of
    /// each level but the last, which takes all larger shapes: ascending, above 0, at most 2^60; at
    /// most 15 of them.
    Upto(Vec<f32>),
}

impl GridLevels {
    /// Checks the sizes.
    pub(crate) fn check(&self) -> Result<(), Error> {
        if let GridLevels::Upto(sizes) = self {
            if sizes.len() >= MAX_LEVELS {
                return Err(Error::TooManyLevels { len: sizes.len() + 1 });
            }
            let mut before = 0.0;
            for (index, &value) in sizes.iter().enumerate() {
                // False for NaN, too.
                if !(value > before && value <= MAX_COORDINATE) {
                    return Err(Error::InvalidLevel { index, value });
                }
                before = value;
            }
        }
        Ok(())
    }

    /// The largest size of each level, ascending; the last is `largest`, that of all bodies. `side`
    /// is that of a square with as many bodies as a cell should have.
    pub(super) fn uppers(&self, sample: &Sample, largest: f32, side: f64) -> Uppers {
        match self {
            GridLevels::Auto => automatic(sample, largest, side),
            GridLevels::One => Uppers::of(largest),
            GridLevels::Upto(sizes) => {
                let mut uppers = Uppers::default();
                for &size in sizes.iter().take_while(|&&size| size < largest) {
                    uppers.push(size);
                }
                uppers.push(largest);
                uppers
            }
        }
    }
}

/// The largest size of each level, ascending.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Uppers {
    sizes: [f32; MAX_LEVELS],
    len: usize,
}

impl Default for Uppers {
    fn default() -> Self {
        Self { sizes: [f32::MAX; MAX_LEVELS], len: 0 }
    }
}

impl Uppers {
    fn of(size: f32) -> Self {
        let mut uppers = Self::default();
        uppers.push(size);
        uppers
    }

    fn push(&mut self, size: f32) {
        self.sizes[self.len] = size;
        self.len += 1;
    }

    pub(super) fn as_slice(&self) -> &[f32] {
        &self.sizes[..self.len]
    }
}

/// The finest level takes at least bodies up to this size.
const SMALLEST: f64 = 1.0 / MAX_COORDINATE as f64;

/// How many times as large as the largest of its sample a level must be for what is between to go to the next one.
const TIGHT: f32 = 1.25;

/// The largest size of a level that could take bodies of up to `upper`: that of the `largest` one in the sample, if it
/// is clearly less, as where sizes are a few that many have. Cells may be as much smaller. What little there may be
/// in between is the next level's.
fn tight(largest: f32, upper: f32) -> f32 {
    if largest * TIGHT < upper { largest } else { upper }
}

/// Levels by sizes, a [`FACTOR`] apart.
///
/// The finest level goes up to the size of a square with as many bodies as a cell should have:
/// cells for smaller bodies would be emptier than that. Unless hardly any body is that small;
/// then it goes up to twice the size of the smallest ones. The coarsest goes up to the largest
/// body. Levels without a body in the sample are left out, and others are [`tight`]: the few bodies
/// that they may have all the same go to the next coarser one.
fn automatic(sample: &Sample, largest: f32, side: f64) -> Uppers {
    let top = f64::from(largest);
    let finest = side.max(2.0 * f64::from(sample.quantile(0.05))).max(SMALLEST);
    let mut factor = FACTOR;
    loop {
        let mut uppers = Uppers::default();
        let (mut lower, mut upper) = (-1.0_f32, finest);
        while 2.0 * upper < top && uppers.len < MAX_LEVELS {
            if sample.sized(lower, upper as f32) > 0.0 {
                uppers.push(tight(sample.largest_upto(upper as f32), upper as f32));
            }
            lower = upper as f32;
            upper *= factor;
        }
        if uppers.len < MAX_LEVELS {
            uppers.push(largest);
            return uppers;
        }
        factor *= FACTOR;
    }
}

#[cfg(test)]
mod tests;
