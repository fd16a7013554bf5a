//! Bands: the cells that a ray passes, in the order in which it passes them.

use std::ops::Range;

use super::{Cells, FAR, MARGIN, floor};
use crate::grid::sort::Bounds;

/// A ray: the points `origin + t * direction`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line {
    pub(crate) origin: [f64; 2],
    /// Not zero along both axes.
    pub(crate) direction: [f64; 2],
}

/// The bands of cells of a level that may hold an item that a ray touches.
///
/// A band is a row of cells, or for flat rays a block of a few columns. An item is in one cell, and
/// reaches at most half of the largest size beyond it. So of each band, the ray can touch items
/// only while it is within that distance of the band, and among these only items in the cells that
/// it passes meanwhile. Each cell is in one band, so no item is found twice, unless a helical level
/// maps two of the cells to one.
#[derive(Debug, Clone, Copy)]
pub(in crate::grid) struct Bands<'a> {
    cells: &'a Cells,
    /// The ray in units of cells: at `t`, it is at `start + t * step` along each axis.
    start: [f64; 2],
    step: [f64; 2],
    /// The inverse of the step across the bands, if it is not 0.
    inverse: f64,
    /// How far items reach beyond their cells, in units of cells.
    reach: [f64; 2],
    /// The part of the ray within the bounds of the level.
    within: [f64; 2],
    /// The axis across which bands are numbered, and the cells of a band along it.
    axis: usize,
    size: f64,
    /// The numbers of the first band and the last one. The ray passes them from the first to the
    /// last, which may be the smaller number.
    pub(in crate::grid) ends: [f64; 2],
}

/// Rays that pass more columns than this from one row to the next are flat.
const COLUMNS: f64 = 8.0;

/// The relative error of coordinates in `f64`, and more.
const ROUNDING: f64 = 1.0 / (1_u64 << 46) as f64;

/// What a level has for a ray.
pub(in crate::grid) enum Passage<'a> {
    /// The ray misses the level.
    None,
    /// There are more bands than it takes to test all items.
    All,
    Bands(Bands<'a>),
}

impl Cells {
    /// The bands that a ray passes until `limit`, in a level of this many items with these bounds.
    /// The ray stands for a box that reaches `size` around it.
    pub(in crate::grid) fn passage(
        &self,
        line: &Line,
        size: [f64; 2],
        limit: f64,
        items: usize,
        bounds: &Bounds,
    ) -> Passage<'_> {
        let Line { origin, direction } = *line;
        let corners = bounds.corners();
        let mut within = [0.0, limit];
        let (mut start, mut step, mut reach) = ([0.0; 2], [0.0; 2], [0.0; 2]);
        for axis in [0, 1] {
            let (at, along) = (origin[axis], direction[axis]);
            let [min, max] = [corners[0][axis], corners[1][axis]];
            let around = size[axis] * (1.0 + MARGIN);
            let slack = (at.abs() + min.abs().max(max.abs())) * ROUNDING + around;
            let [to_min, to_max] = [min - slack - at, max + slack - at];
            if along == 0.0 {
                if to_min > 0.0 || to_max < 0.0 {
                    return Passage::None;
                }
            } else {
                let inverse = 1.0 / along;
                let [one, other] = [to_min * inverse, to_max * inverse];
                within = [within[0].max(one.min(other)), within[1].min(one.max(other))];
            }
            let scale = self.scale[axis];
            start[axis] = 2.0 * at * scale;
            step[axis] = 2.0 * along * scale;
            reach[axis] = (self.largest[axis] * (1.0 + MARGIN) + 2.0 * slack) * scale;
        }
        if within[0] > within[1] {
            return Passage::None;
        }
        let axis = usize::from(step[0].abs() <= COLUMNS * step[1].abs());
        let size = if axis == 1 { 1.0 } else { COLUMNS };
        let inverse = 1.0 / step[axis];
        let bands =
            Bands { cells: self, start, step, inverse, reach, within, axis, size, ends: [0.0; 2] };
        let (one, other) = bands.ends_along(axis);
        let ends = [one.min(other) - reach[axis], one.max(other) + reach[axis]];
        let [low, high] = bands.clamped([floor(ends[0] / size), floor(ends[1] / size)]);
        let count = high - low + 1.0;
        if count < 1.0 {
            return Passage::None;
        }
        let ends = if step[axis] >= 0.0 { [low, high] } else { [high, low] };
        let rows = if axis == 1 { 1.0 } else { 2.0 + 2.0 * reach[1] };
        let near = |(one, other): (f64, f64)| one.abs() < FAR / 2.0 && other.abs() < FAR / 2.0;
        let far = self.wraps && !(near(bands.ends_along(0)) && near(bands.ends_along(1)));
        let few = count * rows <= items as f64 / BODIES_OF_BAND + FEW_BANDS;
        if far || !few {
            return Passage::All;
        }
        Passage::Bands(Bands { ends, ..bands })
    }
}

/// The number of items that can be tested in the time that it takes to look up a band, and the
/// number of bands that is always looked up.
const BODIES_OF_BAND: f64 = 8.0;
const FEW_BANDS: f64 = 8.0;

impl Bands<'_> {
    /// Where the ray enters and leaves the bounds, along an axis, in units of cells.
    #[inline(always)]
    fn ends_along(&self, axis: usize) -> (f64, f64) {
        let (start, step, [enter, leave]) = (self.start[axis], self.step[axis], self.within);
        (start + enter * step, start + leave * step)
    }

    /// The numbers of the first and the last band, without bands beyond the edges of a dense level.
    fn clamped(&self, [low, high]: [f64; 2]) -> [f64; 2] {
        let (first, last) = self.edges(self.axis);
        [low.max(floor(first / self.size)), high.min(floor(last / self.size))]
    }

    /// The difference from one band to the next: 1 or -1.
    #[inline(always)]
    pub(in crate::grid) fn forwards(&self) -> f64 {
        if self.step[self.axis] >= 0.0 { 1.0 } else { -1.0 }
    }

    /// The part of the ray, up to `limit`, that may touch items of a band. Empty if it ends before
    /// it begins.
    #[inline(always)]
    pub(in crate::grid) fn part(&self, band: f64, limit: f64) -> [f64; 2] {
        let Self { axis, size, .. } = *self;
        let (start, step, reach) = (self.start[axis], self.step[axis], self.reach[axis]);
        let [from, to] = self.within;
        if step == 0.0 {
            return [from, to.min(limit)];
        }
        let one = (band * size - reach - start) * self.inverse;
        let other = ((band + 1.0) * size + reach - start) * self.inverse;
        [one.min(other).max(from), one.max(other).min(to).min(limit)]
    }

    /// The rows and the columns of the cells of a band that may hold items that this part of the
    /// ray touches: from the first number to the last. Either may be empty.
    #[inline(always)]
    pub(in crate::grid) fn block(&self, band: f64, part: [f64; 2]) -> RowBlock {
        let across = 1 - self.axis;
        let (start, step) = (self.start[across], self.step[across]);
        let (one, other) = (start + part[0] * step, start + part[1] * step);
        let reach = self.reach[across];
        let (first, last) = self.edges(across);
        let ends =
            [floor(one.min(other) - reach).max(first), floor(one.max(other) + reach).min(last)];
        if self.axis == 1 {
            return RowBlock { rows: [band, band], columns: ends };
        }
        let (first, last) = self.edges(0);
        let from = band * self.size;
        RowBlock { rows: ends, columns: [from.max(first), (from + self.size - 1.0).min(last)] }
    }

    /// The first and the last column or row of a dense level.
    #[inline(always)]
    fn edges(&self, axis: usize) -> (f64, f64) {
        let Cells { wraps, first, sides, .. } = self.cells;
        if *wraps {
            (f64::NEG_INFINITY, f64::INFINITY)
        } else {
            (first[axis], first[axis] + sides[axis] - 1.0)
        }
    }

    /// The cells of a row of a block: one run, and a second one where the row continues at the
    /// first cell of the level.
    #[inline(always)]
    pub(in crate::grid) fn row(&self, row: f64, [from, to]: [f64; 2]) -> [Range<usize>; 2] {
        let width = to - from + 1.0;
        let Cells { base, count, stride, wraps, first, .. } = *self.cells;
        let (base, count) = (base as usize, count as usize);
        if width < 1.0 {
            return [base..base, base..base];
        }
        if !wraps {
            let number = (row - first[1]) * f64::from(stride) + (from - first[0]);
            let start = base + number as usize;
            return [start..start + width as usize, base..base];
        }
        if width >= count as f64 {
            return [base..base + count, base..base];
        }
        let start = self.cells.helical(from, row) as usize;
        let end = start + width as usize;
        [base + start..base + end.min(count), base..base + end.saturating_sub(count)]
    }
}

/// Consecutive rows of cells, and the columns of each.
#[derive(Debug, Clone, Copy)]
pub(in crate::grid) struct RowBlock {
    pub(in crate::grid) rows: [f64; 2],
    pub(in crate::grid) columns: [f64; 2],
}
