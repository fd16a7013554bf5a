//! Which sizes of items share a level of the grid.

use super::Sample;
use crate::{base::MAX_LEVELS, error::Error, shape::MAX_COORDINATE};

/// The ratio of the largest sizes of consecutive levels. With a smaller ratio, coarse items search
/// more levels. With a larger one, cells are too large for the smallest items of their level.
pub(in crate::grid) const LEVEL_RATIO: f64 = 4.0;

/// How the items are distributed over levels. Each level is a grid of cells of its own size. It
/// holds the items that are not too large for its cells and not small enough for the cells of a
/// finer level. With one cell size for all items, a giant would make the cells as large as itself.
///
/// Levels change the order of results (the grid order) and the time, nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum GridLevels {
    /// From the shapes. There is one level if all shapes are of about one size. Otherwise the
    /// largest sizes of the levels are a factor of four apart; more where that would make more than
    /// 16 levels. The finest level takes all shapes that are smaller than a cell with the intended
    /// number of shapes. Sizes that do not occur get no level, and the largest size of a level is
    /// close to the largest that occurs in it.
    #[default]
    Auto,
    /// One level for all shapes.
    One,
    /// A level up to each of these sizes, and a level for all larger shapes: see
    /// [`upto`](GridLevels::upto).
    Upto(LevelSizes),
}

/// The sizes of [`GridLevels::Upto`]: the largest size of each level but the last.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Vec<f32>", into = "Vec<f32>"))]
pub struct LevelSizes {
    /// Ascending; 0 from `len` on.
    sizes: [f32; MAX_LEVELS - 1],
    len: usize,
}

impl LevelSizes {
    /// The sizes, ascending.
    pub fn as_slice(&self) -> &[f32] {
        &self.sizes[..self.len]
    }
}

impl TryFrom<&[f32]> for LevelSizes {
    type Error = Error;

    /// Fails as [`GridLevels::upto`] does.
    fn try_from(values: &[f32]) -> Result<Self, Error> {
        let mut sizes = [0.0; MAX_LEVELS - 1];
        let len = values.len();
        let Some(kept) = sizes.get_mut(..len) else {
            return Err(Error::TooManyLevels { len: len + 1 });
        };
        let mut before = 0.0;
        for (index, &value) in values.iter().enumerate() {
            // Also false for NaN.
            if !(value > before && value <= MAX_COORDINATE) {
                return Err(Error::InvalidLevel { index, value });
            }
            before = value;
        }
        kept.copy_from_slice(values);
        Ok(Self { sizes, len })
    }
}

impl TryFrom<Vec<f32>> for LevelSizes {
    type Error = Error;

    fn try_from(values: Vec<f32>) -> Result<Self, Error> {
        Self::try_from(&values[..])
    }
}

impl From<LevelSizes> for Vec<f32> {
    fn from(sizes: LevelSizes) -> Self {
        sizes.as_slice().to_vec()
    }
}

impl GridLevels {
    /// The largest size of each level but the last, which takes all larger shapes. A size is the
    /// larger of width and height, radius included, in units of length. At most 15 sizes,
    /// ascending, above 0, at most 2^60.
    ///
    /// ```
    /// use widephase::{Detector, Options, options::GridLevels};
    ///
    /// let mut detector = Detector::new();
    /// let grid_levels = GridLevels::upto(&[1.0, 4.0])?;
    /// detector.set_options(Options { grid_levels, ..*detector.options() })?;
    /// # Ok::<(), widephase::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::TooManyLevels`], or [`Error::InvalidLevel`] for the first size that is not above
    /// the size before it or not at most 2^60.
    pub fn upto(sizes: &[f32]) -> Result<Self, Error> {
        LevelSizes::try_from(sizes).map(GridLevels::Upto)
    }

    /// The largest size of each level, ascending. The last size is `largest`, the largest size of
    /// all items. `side` is the side of a square with as many items as a cell should have.
    pub(super) fn uppers(&self, sample: &Sample, largest: f32, side: f64) -> Uppers {
        match self {
            GridLevels::Auto => automatic(sample, largest, side),
            GridLevels::One => Uppers::of(largest),
            GridLevels::Upto(sizes) => {
                let mut uppers = Uppers::default();
                for &size in sizes.as_slice().iter().take_while(|&&size| size < largest) {
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
pub(in crate::grid) struct Uppers {
    sizes: [f32; MAX_LEVELS],
    len: usize,
}

impl Default for Uppers {
    fn default() -> Self {
        Self { sizes: [f32::MAX; MAX_LEVELS], len: 0 }
    }
}

impl Uppers {
    pub(super) fn of(size: f32) -> Self {
        let mut uppers = Self::default();
        uppers.push(size);
        uppers
    }

    fn push(&mut self, size: f32) {
        self.sizes[self.len] = size;
        self.len += 1;
    }

    pub(in crate::grid) fn as_slice(&self) -> &[f32] {
        &self.sizes[..self.len]
    }
}

/// A level ends at the largest size in the sample if that is smaller than its limit by more than
/// this factor. See [`tight`].
const TIGHT_RATIO: f32 = 1.25;

/// The largest size of a level whose limit is `upper`. Returns `largest`, the largest size of its
/// items in the sample, if that is clearly below the limit, as in scenes with a few distinct
/// sizes; cells can then be smaller. Items between the two, which the sample has missed, go to the
/// next level.
fn tight(largest: f32, upper: f32) -> f32 {
    if largest * TIGHT_RATIO < upper { largest } else { upper }
}

/// Chooses levels by size, a [`LEVEL_RATIO`] apart.
///
/// The finest level goes up to the size of a square with as many items as a cell should have,
/// because cells for smaller items would hold fewer items. If hardly any item is that small, it
/// goes up to twice the size of the smallest items. The coarsest level goes up to the largest item.
/// Levels with no item in the sample are left out, and the other levels are [`tight`]. Items that
/// the sample has missed go to the next coarser level. If there would be more than [`MAX_LEVELS`]
/// levels, the factor is increased.
fn automatic(sample: &Sample, largest: f32, side: f64) -> Uppers {
    let top = f64::from(largest);
    let finest =
        side.max(2.0 * f64::from(sample.quantile(0.05))).max(1.0 / f64::from(MAX_COORDINATE));
    let mut factor = LEVEL_RATIO;
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
        factor *= LEVEL_RATIO;
    }
}

#[cfg(test)]
mod tests;
