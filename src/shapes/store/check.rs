//! `Checked`: columns whose every value has been checked, and their extent.

use std::ops::Range;

use super::{Layout, Rows, with_columns};
use crate::{
    base::{
        MAX_PARTS,
        parallel::{self, Divide},
    },
    error::{Error, Field},
    kernel::{BoxColumns, ColumnSet, Items},
    shape::{
        Kind, MAX_COORDINATE,
        check::{coordinate, reach, sides, size},
    },
    simd::{Isa, Kernel, MAX_LANES, Scalar, Simd, dispatch_narrow},
};

/// Columns whose every value keeps the numeric contract, and their extent.
///
/// It borrows the data, so the values cannot change while it lives. Functions that take it do not
/// fail because of a value.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Checked<'a> {
    pub(crate) layout: Layout<'a>,
    pub(crate) len: usize,
    pub(crate) live: Option<&'a [u64]>,
    pub(crate) extent: Extent,
    /// The kind of all rows that the layout implies.
    pub(crate) kind: Kind,
}

impl Checked<'_> {
    /// The number of rows.
    pub(crate) fn len(&self) -> usize {
        self.len
    }
}

/// The range of positions and sizes of a set of shapes. The layout of the grid follows from it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Extent {
    /// The smallest `min + max` of a core along x and along y: twice the lowest centre. A sum
    /// instead of a centre saves the multiplication by 1/2, which would cost an instruction and
    /// change nothing.
    pub(crate) sum_min: [f32; 2],
    /// The largest `min + max` along x and along y.
    pub(crate) sum_max: [f32; 2],
    /// The largest width and height of a shape, radius included.
    pub(crate) largest: [f32; 2],
    /// The smallest radius.
    pub(crate) smallest_radius: f32,
}

impl<'a> Rows<'a> {
    /// Checks every value and measures the extent, at the SIMD level of `isa`, on several threads
    /// if `threads`. For rotated shapes, it checks and measures the boxes around them. With few
    /// selected rows, other rows are not read.
    pub(crate) fn check_on(self, isa: Isa, threads: bool) -> Result<Checked<'a>, Error> {
        let len = self.len();
        let few = self.selection.filter(|selection| selection.len() <= len / 16);
        let tally = with_columns!(self.layout, set => match few {
            Some(selection) => survey_selected(isa, set, selection),
            None => survey(isa, set, len, threads),
        });
        let extent = Extent {
            sum_min: [tally.sum_min_x, tally.sum_min_y],
            sum_max: [tally.sum_max_x, tally.sum_max_y],
            largest: [tally.widest, tally.tallest],
            smallest_radius: tally.smallest_radius,
        };
        if !tally.valid {
            return Err(self.find_fault());
        }
        let Self { layout, live, kind, .. } = self;
        Ok(Checked { layout, len, live, extent, kind })
    }

    /// The rows, whose values have been checked, as part of a set of this extent.
    pub(crate) fn within(self, extent: Extent) -> Checked<'a> {
        let Self { layout, len, live, kind, .. } = self;
        Checked { layout, len, live, extent, kind }
    }

    /// Checks the values of `rows` of borrowed columns. The rows must exist. Rows of a store are
    /// skipped.
    pub(super) fn check_range(&self, isa: Isa, rows: Range<usize>) -> Result<(), Error> {
        // The values of a store were checked when they were added.
        if rows.is_empty() || self.contents.is_some() {
            return Ok(());
        }
        let checked = Self { layout: self.layout.rows(rows.clone()), len: rows.len(), ..*self };
        let checked = checked.check_on(isa, false);
        checked.map(drop).map_err(|error| error.in_row(|row| rows.start + row))
    }

    /// Checks that there is no compound in `rows`, which must exist.
    pub(crate) fn check_single(&self, rows: Range<usize>) -> Result<(), Error> {
        let kinds = self.contents.and_then(|contents| contents.kinds).unwrap_or_default();
        let compound = |kind: &Option<Kind>| *kind == Some(Kind::Compound);
        match kinds.get(rows.clone()).and_then(|kinds| kinds.iter().position(compound)) {
            Some(place) => Err(Error::HasParts { index: rows.start + place }),
            None => Ok(()),
        }
    }

    /// Returns the error of the first bad row, found row by row. Only called if there is a bad row.
    #[cold]
    fn find_fault(&self) -> Error {
        let mut faults = (0..self.len()).filter_map(|row| self.check_row(row).err());
        // The survey and `check_row` apply the same conditions, so there is a bad row.
        faults.next().unwrap_or_else(|| unreachable!("the survey refuses what no row explains"))
    }

    /// Checks the values of one row.
    pub(super) fn check_row(&self, row: usize) -> Result<(), Error> {
        match self.layout {
            Layout::Circles(set) => {
                coordinate(row, Field::X, set.x[row])?;
                coordinate(row, Field::Y, set.y[row])?;
                size(row, Field::Radius, set.radius[row])
            }
            Layout::Boxes(set) if self.kind == Kind::Point => {
                coordinate(row, Field::X, set.min_x[row])?;
                coordinate(row, Field::Y, set.min_y[row])
            }
            Layout::Boxes(set) => check_box(row, set),
            Layout::Centered(set) => {
                let (x, half_width) = (set.x[row], set.half_width[row]);
                let (y, half_height) = (set.y[row], set.half_height[row]);
                coordinate(row, Field::X, x)?;
                coordinate(row, Field::Y, y)?;
                size(row, Field::HalfWidth, half_width)?;
                size(row, Field::HalfHeight, half_height)?;
                reach(row, Field::HalfWidth, x, half_width)?;
                reach(row, Field::HalfHeight, y, half_height)
            }
            Layout::Rounded(set) => {
                check_box(row, set.core)?;
                size(row, Field::Radius, set.radius[row])
            }
        }
    }
}

/// Checks that the indices of `len` rows fit into a `u32`.
pub(crate) fn index_fits(len: usize) -> Result<(), Error> {
    match u32::try_from(len) {
        Ok(_) => Ok(()),
        Err(_) => Err(Error::TooManyShapes { len }),
    }
}

/// Checks the sides of a box.
fn check_box(row: usize, set: BoxColumns<'_>) -> Result<(), Error> {
    sides(row, [set.min_x[row], set.min_y[row], set.max_x[row], set.max_y[row]])
}

/// Checks all rows and measures their extent, in one pass.
fn survey<C: ColumnSet>(isa: Isa, set: C, len: usize, threads: bool) -> SurveyTally<Scalar> {
    let parts = if threads { len.div_ceil(MIN_PART).clamp(1, MAX_PARTS) } else { 1 };
    if parts == 1 {
        return dispatch_narrow(isa, Survey { set, rows: 0..len });
    }
    let mut tallies = [SurveyTally::new(Scalar); MAX_PARTS];
    let part = len.div_ceil(parts).next_multiple_of(MAX_LANES).max(1);
    let tallies = &mut tallies[..parts];
    let work = SurveyParts { isa, set, rows: 0..len, part, tallies: &mut *tallies };
    parallel::run(work, threads);
    let mut all = SurveyTally::new(Scalar);
    for tally in tallies {
        tally.fold_into(Scalar, &mut all);
    }
    all
}

/// Checks some rows and measures their extent.
fn survey_selected<C: ColumnSet>(isa: Isa, set: C, selection: &[u32]) -> SurveyTally<Scalar> {
    let mut all = SurveyTally::new(Scalar);
    for run in selection.chunk_by(|row, next| row + 1 == *next) {
        let first = run[0] as usize;
        let tally = dispatch_narrow(isa, Survey { set, rows: first..first + run.len() });
        tally.fold_into(Scalar, &mut all);
    }
    all
}

/// The fewest rows in a part. With fewer, waking a thread for a part costs as much as it saves.
const MIN_PART: usize = 1 << 17;

/// Consecutive parts of a survey.
struct SurveyParts<'a, C> {
    isa: Isa,
    set: C,
    rows: Range<usize>,
    /// The number of rows in a part.
    part: usize,
    /// The result of each part.
    tallies: &'a mut [SurveyTally<Scalar>],
}

impl<C: ColumnSet> Divide for SurveyParts<'_, C> {
    fn tasks(&self) -> usize {
        self.tallies.len()
    }

    fn split(self, tasks: usize) -> (Self, Self) {
        let Self { rows, part, .. } = self;
        let middle = (rows.start + tasks * part).min(rows.end);
        let (tallies, rest) = self.tallies.split_at_mut(tasks);
        (
            Self { rows: rows.start..middle, tallies, ..self },
            Self { rows: middle..rows.end, tallies: rest, ..self },
        )
    }

    fn work(self) {
        let Self { isa, set, rows, part, tallies } = self;
        let mut first = rows.start;
        for tally in tallies {
            let next = (first + part).min(rows.end);
            *tally = dispatch_narrow(isa, Survey { set, rows: first..next });
            first = next;
        }
    }
}

/// The kernel that checks a range of rows and measures their extent.
struct Survey<C> {
    set: C,
    rows: Range<usize>,
}

impl<C: ColumnSet> Kernel for Survey<C> {
    type Output = SurveyTally<Scalar>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> SurveyTally<Scalar> {
        let Self { set, rows } = self;
        let whole = rows.end - rows.len() % S::LANES;
        let mut lanes = SurveyTally::new(simd);
        let mut at = rows.start;
        while at < whole {
            lanes.add(simd, set.load(simd, at), set.well_formed(simd, at));
            at += S::LANES;
        }
        let mut tally = SurveyTally::new(Scalar);
        lanes.fold_into(simd, &mut tally);
        for at in whole..rows.end {
            tally.add(Scalar, set.load(Scalar, at), set.well_formed(Scalar, at));
        }
        tally
    }
}

/// The running result of a [`Survey`], for each lane.
#[derive(Clone, Copy)]
struct SurveyTally<S: Simd> {
    sum_min_x: S::F32,
    sum_min_y: S::F32,
    sum_max_x: S::F32,
    sum_max_y: S::F32,
    widest: S::F32,
    tallest: S::F32,
    smallest_radius: S::F32,
    valid: S::Mask,
}

impl<S: Simd> SurveyTally<S> {
    #[inline(always)]
    fn new(simd: S) -> Self {
        let (low, high) = (simd.splat(f32::MIN), simd.splat(f32::MAX));
        let zero = simd.splat(0.0);
        Self {
            sum_min_x: high,
            sum_min_y: high,
            sum_max_x: low,
            sum_max_y: low,
            widest: zero,
            tallest: zero,
            smallest_radius: high,
            valid: simd.le(zero, zero),
        }
    }

    /// Adds shapes to the result. Comparisons with NaN are false, so NaN fails like any other bad
    /// value. The extent is then not used.
    #[inline(always)]
    fn add<B: Items<S>>(&mut self, simd: S, bodies: B, well_formed: S::Mask) {
        let (min_x, min_y) = (bodies.min_x(), bodies.min_y());
        let (max_x, max_y) = (bodies.max_x(), bodies.max_y());
        let limit = simd.splat(MAX_COORDINATE);

        let mut valid = simd.and(simd.le(simd.abs(min_x), limit), simd.le(simd.abs(min_y), limit));
        let (mut width, mut height) = (simd.splat(0.0), simd.splat(0.0));
        if B::SIZED {
            let upper = simd.and(simd.le(simd.abs(max_x), limit), simd.le(simd.abs(max_y), limit));
            let aligned = simd.and(simd.le(min_x, max_x), simd.le(min_y, max_y));
            valid = simd.and(valid, simd.and(upper, aligned));
            width = simd.sub(max_x, min_x);
            height = simd.sub(max_y, min_y);
        }
        if B::ROUND {
            let radius = bodies.radius(simd);
            let size = simd.and(simd.le(simd.splat(0.0), radius), simd.le(radius, limit));
            valid = simd.and(valid, size);
            let diameter = simd.add(radius, radius);
            width = simd.add(width, diameter);
            height = simd.add(height, diameter);
            self.smallest_radius = simd.min(self.smallest_radius, radius);
        } else {
            self.smallest_radius = simd.splat(0.0);
        }
        self.valid = simd.and(self.valid, simd.and(well_formed, valid));
        self.widest = simd.max(self.widest, width);
        self.tallest = simd.max(self.tallest, height);

        let (sum_x, sum_y) = (simd.add(min_x, max_x), simd.add(min_y, max_y));
        self.sum_min_x = simd.min(self.sum_min_x, sum_x);
        self.sum_min_y = simd.min(self.sum_min_y, sum_y);
        self.sum_max_x = simd.max(self.sum_max_x, sum_x);
        self.sum_max_y = simd.max(self.sum_max_y, sum_y);
    }

    /// Folds the lanes into `one`.
    #[inline(always)]
    fn fold_into(&self, simd: S, one: &mut SurveyTally<Scalar>) {
        one.sum_min_x = fold(simd, self.sum_min_x, one.sum_min_x, f32::min);
        one.sum_min_y = fold(simd, self.sum_min_y, one.sum_min_y, f32::min);
        one.sum_max_x = fold(simd, self.sum_max_x, one.sum_max_x, f32::max);
        one.sum_max_y = fold(simd, self.sum_max_y, one.sum_max_y, f32::max);
        one.widest = fold(simd, self.widest, one.widest, f32::max);
        one.tallest = fold(simd, self.tallest, one.tallest, f32::max);
        one.smallest_radius = fold(simd, self.smallest_radius, one.smallest_radius, f32::min);
        one.valid &= simd.bits(self.valid).count_ones() as usize == S::LANES;
    }
}

/// Folds the lanes of `value` into `start` with the function `with`.
#[inline(always)]
fn fold<S: Simd>(simd: S, value: S::F32, start: f32, with: fn(f32, f32) -> f32) -> f32 {
    let mut lanes = [start; crate::simd::MAX_LANES];
    simd.store(value, &mut lanes, 0);
    lanes.into_iter().fold(start, with)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Columns, SimdLevel, store::ColumnWorkspace};

    /// A survey in parts gives the result of a survey of the whole, and finds a bad row in any
    /// part.
    #[test]
    fn surveys_in_parts() {
        let isa = Isa::new(SimdLevel::Portable).unwrap();
        for len in [0, 1, MIN_PART - 1, MIN_PART, MIN_PART + 1, 3 * MIN_PART + 17] {
            let x: Vec<f32> = (0..len).map(|row| ((row * 7919) % 1_000_003) as f32).collect();
            let y: Vec<f32> = x.iter().map(|x| 1000.0 - x).collect();
            let mut radius: Vec<f32> = x.iter().map(|x| 0.5 + x / 4.0).collect();
            let check = |radius: &[f32], threads| {
                let mut workspace = ColumnWorkspace::default();
                let columns = Columns::circles(&x, &y, radius).unwrap();
                let rows = columns.rows(isa, &mut workspace).unwrap();
                rows.check_on(isa, threads).map(|checked| checked.extent)
            };
            let [whole, parts] = [false, true].map(|threads| check(&radius, threads).unwrap());
            assert_eq!(whole, parts, "{len}");
            let expected = x.iter().fold(f32::MIN, |most, x| most.max(2.0 * x));
            assert_eq!(parts.sum_max[0], expected, "{len}");
            for bad in [0, len / 3, len / 2, len.saturating_sub(1)] {
                if bad >= len {
                    continue;
                }
                let good = std::mem::replace(&mut radius[bad], -1.0);
                match check(&radius, true) {
                    Err(Error::InvalidShape { index, .. }) => assert_eq!(index, bad),
                    other => panic!("{len}, {bad}: {other:?}"),
                }
                radius[bad] = good;
            }
        }
    }
}
