//! Which sizes of items share a level of the grid, and the faults of levels that a sorted grid
//! has shown.

use std::ops::Range;

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

/// The faults of a plan, level by level.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::grid) struct Replan {
    uppers: Uppers,
    pub(in crate::grid) items: [usize; MAX_LEVELS],
    /// The area per item in each level whose cells are too large.
    pub(in crate::grid) areas: [Option<f64>; MAX_LEVELS],
}

impl Replan {
    /// Nothing yet about levels of these largest sizes.
    pub(in crate::grid) fn of_levels(uppers: Uppers) -> Self {
        Self { uppers, ..Self::default() }
    }

    /// A lower bound for the number of items of a size in `above < size <= upto`: the items of
    /// the levels that lie within these sizes.
    pub(super) fn items(&self, above: f32, upto: f32) -> usize {
        let within = self.levels().filter(|(_, sizes)| above <= sizes.start && sizes.end <= upto);
        within.map(|(level, _)| self.items[level]).sum()
    }

    /// The smallest area per item of the levels that overlap these sizes; `None` if the cells of
    /// all these levels were small enough.
    pub(super) fn area(&self, above: f32, upto: f32) -> Option<f64> {
        let near = self.levels().filter(|(_, sizes)| sizes.start < upto && above < sizes.end);
        near.filter_map(|(level, _)| self.areas[level]).min_by(f64::total_cmp)
    }

    /// The levels, each with the size that it begins above and the size that it goes up to.
    fn levels(&self) -> impl Iterator<Item = (usize, Range<f32>)> + '_ {
        let uppers = self.uppers.as_slice();
        let begins = std::iter::once(&-1.0).chain(uppers);
        begins.zip(uppers).map(|(&above, &upto)| above..upto).enumerate()
    }
}

#[cfg(test)]
mod tests {
    //! Levels for sizes chosen by hand.

    use super::*;
    use crate::kernel::CircleColumns;

    /// The levels of circles, given as sizes with the number of circles of each. `side` is the side of
    /// a square with as many items as a cell should have.
    fn uppers(levels: &GridLevels, sizes: &[(f32, usize)], side: f64) -> Vec<f32> {
        let radius: Vec<f32> =
            sizes.iter().flat_map(|&(size, count)| vec![size / 2.0; count]).collect();
        let zero = vec![0.0; radius.len()];
        let mut sample = Sample::default();
        let set = CircleColumns { x: &zero, y: &zero, radius: &radius };
        sample.take(set, radius.len(), [0.0; 2], [1.0; 2]);
        let largest = sizes.iter().map(|&(size, _)| size).fold(0.0, f32::max);
        levels.uppers(&sample, largest, side).as_slice().to_vec()
    }

    #[test]
    fn sizes_that_are_about_the_same_share_a_level() {
        for side in [1e-9, 1.0, 1.5, 1e9] {
            assert_eq!(uppers(&GridLevels::Auto, &[(1.0, 100)], side), [1.0]);
            assert_eq!(uppers(&GridLevels::Auto, &[(0.0, 100)], side), [0.0]);
        }
        // The finest level goes up to twice the smallest size. Sizes up to twice that get no level of
        // their own.
        assert_eq!(uppers(&GridLevels::Auto, &[(1.0, 50), (4.0, 50)], 1.0), [4.0]);
        assert_eq!(uppers(&GridLevels::Auto, &[(1.0, 50), (2.0, 1), (4.5, 50)], 1.0), [2.0, 4.5]);
    }

    #[test]
    fn levels_are_a_factor_of_four_apart() {
        // A few items have the size of a limit between levels.
        let sizes = [(1.0, 25), (2.0, 1), (4.0, 25), (8.0, 1), (16.0, 25), (64.0, 25)];
        assert_eq!(uppers(&GridLevels::Auto, &sizes, 1.0), [2.0, 8.0, 64.0]);
        let sizes = [(1.0, 25), (3.0, 1), (4.0, 25), (12.0, 1), (16.0, 25), (20.0, 1), (64.0, 25)];
        assert_eq!(uppers(&GridLevels::Auto, &sizes, 3.0), [3.0, 12.0, 64.0]);
        // No level is made for cells with fewer items than a cell should have.
        assert_eq!(uppers(&GridLevels::Auto, &sizes, 20.0), [20.0, 64.0]);
        assert_eq!(uppers(&GridLevels::Auto, &sizes, 32.0), [64.0]);
    }

    /// A level ends at the largest size in the sample if that is more than a fifth below the limit of
    /// the level. Sizes in between go to the next level.
    #[test]
    fn a_level_goes_up_to_the_largest_that_was_seen() {
        let sizes = [(1.0, 25), (4.0, 25), (16.0, 25), (64.0, 25)];
        assert_eq!(uppers(&GridLevels::Auto, &sizes, 1.0), [1.0, 4.0, 64.0]);
        assert_eq!(uppers(&GridLevels::Auto, &[(1.0, 50), (4.5, 50)], 1.0), [1.0, 4.5]);
        for (size, upto) in
            [(1.5, 1.5), (1.59, 1.59), (1.6, 2.0), (1.7, 2.0), (2.0, 2.0), (2.1, 1.0)]
        {
            assert_eq!(uppers(&GridLevels::Auto, &[(1.0, 50), (size, 1), (9.0, 50)], 1.0)[0], upto);
        }
    }

    #[test]
    fn sizes_that_do_not_occur_have_no_level() {
        assert_eq!(uppers(&GridLevels::Auto, &[(1.0, 99), (1024.0, 1)], 1.0), [1.0, 1024.0]);
        assert_eq!(
            uppers(&GridLevels::Auto, &[(1.0, 90), (100.0, 9), (9e3, 1)], 1.0),
            [1.0, 100.0, 9e3]
        );
        assert_eq!(uppers(&GridLevels::Auto, &[(0.0, 99), (1.0, 1)], 0.125), [0.0, 1.0]);
        // The finest level goes at least up to 2^-60.
        let finest = 1.0 / MAX_COORDINATE;
        let sizes = [(0.0, 99), (finest, 1), (2.0 * finest, 1), (1.0, 1)];
        assert_eq!(uppers(&GridLevels::Auto, &sizes, 1e-99)[0], finest);
    }

    /// One item of each power of two from 2^-60 to 2^60. A twentieth of them are at most 2^-54, so the
    /// finest level goes up to 2^-53. Factors of 4, 16 and 64 make more than 16 levels of the other
    /// circles.
    #[test]
    fn no_more_levels_than_there_may_be() {
        let sizes: Vec<(f32, usize)> = (-60..=60).map(|k| (2.0_f32.powi(k), 1)).collect();
        let mut expected: Vec<f32> = (0..14).map(|level| 2.0_f32.powi(8 * level - 53)).collect();
        expected.push(MAX_COORDINATE);
        assert_eq!(uppers(&GridLevels::Auto, &sizes, 1e-99), expected);
    }

    #[test]
    fn levels_of_the_callers_choice_end_with_the_largest_item() {
        let upto = GridLevels::upto(&[1.0, 2.0, 4.0]).unwrap();
        for (largest, expected) in [
            (0.0, &[0.0][..]),
            (0.5, &[0.5]),
            (1.0, &[1.0]),
            (2.0, &[1.0, 2.0]),
            (2.5, &[1.0, 2.0, 2.5]),
            (9.0, &[1.0, 2.0, 4.0, 9.0]),
        ] {
            assert_eq!(uppers(&upto, &[(largest, 9)], 1.0), expected);
            assert_eq!(uppers(&GridLevels::One, &[(largest, 9)], 1.0), [largest]);
        }
    }

    #[test]
    fn invalid_levels_are_refused() {
        let check = |sizes: &[f32]| GridLevels::upto(sizes).map(|_| ());
        let ascending: Vec<f32> = (1..=16).map(|size| size as f32).collect();
        assert_eq!(check(&[]), Ok(()));
        assert_eq!(check(&ascending[..15]), Ok(()));
        assert_eq!(check(&ascending), Err(Error::TooManyLevels { len: 17 }));
        assert_eq!(check(&[f32::MIN_POSITIVE, MAX_COORDINATE]), Ok(()));
        for (index, bad) in [(0, [0.0, 1.0]), (0, [-1.0, 1.0]), (1, [1.0, 1.0]), (1, [2.0, 1.0])] {
            let value = bad[index];
            assert_eq!(check(&bad), Err(Error::InvalidLevel { index, value }));
        }
        let beyond = MAX_COORDINATE * 1.5;
        assert_eq!(check(&[1.0, beyond]), Err(Error::InvalidLevel { index: 1, value: beyond }));
        assert!(matches!(check(&[f32::NAN]), Err(Error::InvalidLevel { index: 0, .. })));
        assert!(matches!(check(&[f32::INFINITY]), Err(Error::InvalidLevel { index: 0, .. })));
    }
}
