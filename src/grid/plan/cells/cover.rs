//! Covers: the runs of cells that may hold the partners of a box.

use std::ops::Range;

use super::{Cells, FAR_CELLS, floor, whole};
use crate::{base::F32_SLACK, grid::plan::Bounds, simd::map_each};

/// A cover: consecutive rows of cells of one level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::grid) struct Cover {
    base: u32,
    count: u32,
    stride: u32,
    /// The first cell of the first row, counted from `base`.
    first: u32,
    /// Cells in a row, at most `count`.
    pub(in crate::grid) width: u32,
    pub(in crate::grid) rows: u32,
}

impl Cover {
    fn all(cells: &Cells) -> Self {
        let Cells { base, count, stride, .. } = *cells;
        Self { base, count, stride, first: 0, width: count, rows: 1 }
    }

    /// The cells of row `row`: one run, and a second one where the row continues at the first cell
    /// of the level.
    #[inline(always)]
    pub(in crate::grid) fn row(&self, row: u32) -> [Range<usize>; 2] {
        let (base, count) = (self.base as usize, self.count as usize);
        let first = self.first as usize + row as usize * self.stride as usize;
        let first = if first < count { first } else { first % count };
        let end = first + self.width as usize;
        let wrapped = end.saturating_sub(count);
        [base + first..base + end - wrapped, base..base + wrapped]
    }

    /// The cells of row `row` of a dense level, which never continues at the first cell.
    #[cfg(feature = "queries")]
    #[inline(always)]
    pub(in crate::grid) fn whole_row(&self, row: u32) -> Range<usize> {
        let first = self.base as usize + self.first as usize + row as usize * self.stride as usize;
        first..first + self.width as usize
    }

    /// Whether there are at most [`COVER_ROWS`] rows, and no row continues at the first cell.
    #[inline(always)]
    pub(in crate::grid) fn is_uncut(&self) -> bool {
        let [first, width, rows, stride] =
            map_each([self.first, self.width, self.rows, self.stride], |number| number as usize);
        let few = rows <= COVER_ROWS as usize;
        rows == 0 || few && first + (rows - 1) * stride + width <= self.count as usize
    }

    /// The cells of row `row` and of the next row, which is empty if there is no next row. The
    /// cover must be uncut.
    #[inline(always)]
    pub(in crate::grid) fn two_rows(&self, row: u32) -> [Range<usize>; 2] {
        let (stride, width) = (self.stride as usize, self.width as usize);
        let first = self.base as usize + self.first as usize + row as usize * stride;
        let one = first..first + width;
        let second = first + stride;
        if row + 1 < self.rows { [one, second..second + width] } else { [one, first..first] }
    }
}

/// The covers of several boxes, as computed by [`Cells::covering_all`] or a
/// [`F32Cover`](super::F32Cover). Where the number of rows is 0 or [`ASK`](Covers::ASK), the first
/// cell and the width are meaningless.
pub(in crate::grid) struct Covers<const LANES: usize> {
    pub(in crate::grid) first: [u32; LANES],
    pub(super) width: [u32; LANES],
    pub(super) rows: [u32; LANES],
}

impl<const LANES: usize> Covers<LANES> {
    /// The covers of boxes that cover nothing.
    pub(in crate::grid) const NONE: Self =
        Self { first: [0; LANES], width: [0; LANES], rows: [0; LANES] };

    /// The number of rows of a box whose cover is left to [`Cells::covering`].
    pub(super) const ASK: u32 = COVER_ROWS + 1;

    /// The two runs of cells of a cover of one row (the second run empty) or of two rows. `None`
    /// for all other covers, and where a row continues at the first cell.
    #[inline(always)]
    pub(in crate::grid) fn few(&self, lane: usize, cells: &Cells) -> Option<[Range<usize>; 2]> {
        if !(1..=2).contains(&self.rows[lane]) {
            return None;
        }
        let (first, width) = (self.first[lane] as usize, self.width[lane] as usize);
        let two = self.rows[lane] == 2;
        let (below, width_below) = if two { (cells.stride(), width) } else { (0, 0) };
        if first + below + width > cells.count as usize {
            return None;
        }
        let first = cells.base as usize + first;
        Some([first..first + width, first + below..first + below + width_below])
    }
}

/// The most rows of a cover that is computed for many boxes at once.
pub(in crate::grid) const COVER_ROWS: u32 = 8;

impl Cells {
    /// The cells that may hold an item of this level that touches the box from `min` to `max`
    /// (radius included). `items` is the number of items of the level.
    #[inline(always)]
    pub(in crate::grid) fn covering(&self, min: [f64; 2], max: [f64; 2], items: usize) -> Cover {
        let mut from = [0.0; 2];
        let mut to = [0.0; 2];
        for axis in [0, 1] {
            let [low, high] = self.reached(axis, min[axis], max[axis]);
            let far =
                (low * self.scale[axis]).abs().max((high * self.scale[axis]).abs()) >= FAR_CELLS;
            if self.wraps && far {
                return Cover::all(self);
            }
            from[axis] = self.coordinate(axis, low) - self.first[axis];
            to[axis] = self.coordinate(axis, high) - self.first[axis];
            if !self.wraps {
                from[axis] = from[axis].max(0.0);
                to[axis] = to[axis].min(self.sides[axis] - 1.0);
                if from[axis] > to[axis] {
                    return Cover { rows: 0, ..Cover::all(self) };
                }
            }
        }
        let (width, rows) = (to[0] - from[0] + 1.0, to[1] - from[1] + 1.0);
        let stride = f64::from(self.stride);
        let all = (rows - 1.0) * stride + width;
        // A cover that wraps around the helix would contain some cells twice: the whole level
        // contains each once. And looking up a row costs about as much as testing a vector of
        // items, so where there are more rows than that, the whole level is cheaper.
        if (self.wraps && all > f64::from(self.count)) || rows * ITEMS_PER_LOOKUP > items as f64 {
            return Cover::all(self);
        }
        let first = if self.wraps {
            self.helical(from[0], from[1])
        } else {
            whole(from[1] * stride + from[0])
        };
        if self.wraps && width >= stride {
            // Rows that overlap are joined into one row.
            return Cover { first, width: all as u32, rows: 1, ..Cover::all(self) };
        }
        Cover { first, width: width as u32, rows: rows as u32, ..Cover::all(self) }
    }

    /// The cover of each of some boxes, computed for all boxes at once. The boxes are given by
    /// their left, lower, right and upper sides, radius included. A box that is not near `bounds`
    /// covers nothing. A cover that [`covering`](Cells::covering) would not return as a few
    /// separate rows is left to it.
    #[inline(always)]
    pub(in crate::grid) fn covering_all<const LANES: usize>(
        &self,
        boxes: [&[f64; LANES]; 4],
        items: usize,
        bounds: &Bounds,
    ) -> Covers<LANES> {
        if self.is_whole() {
            let mut covers = Covers { width: [1; LANES], ..Covers::NONE };
            let [min_x, min_y, max_x, max_y] = boxes;
            for (lane, rows) in covers.rows.iter_mut().enumerate() {
                let beside = bounds.beside(0, min_x[lane], max_x[lane])
                    | bounds.beside(1, min_y[lane], max_y[lane]);
                *rows = u32::from(!beside);
            }
            return covers;
        }
        // If there are few items, rows may be more work than the whole level.
        let many = items as f64 >= f64::from(COVER_ROWS) * ITEMS_PER_LOOKUP;
        let most_rows = if many { f64::from(COVER_ROWS) } else { -1.0 };
        if self.wraps {
            self.covering_lanes::<LANES, true>(boxes, most_rows, bounds)
        } else {
            self.covering_lanes::<LANES, false>(boxes, most_rows, bounds)
        }
    }

    /// Does the work of [`covering_all`](Cells::covering_all) for a level that wraps or does not.
    /// Covers of more than `most_rows` rows are left to [`covering`](Cells::covering).
    ///
    /// Plain loops over arrays, with no branches and no `bool` arrays, which would be bytes:
    /// compiled for a SIMD level, they become vector code.
    #[inline(always)]
    fn covering_lanes<const LANES: usize, const WRAPS: bool>(
        &self,
        boxes: [&[f64; LANES]; 4],
        most_rows: f64,
        bounds: &Bounds,
    ) -> Covers<LANES> {
        let mut covers = Covers { first: [0; LANES], width: [0; LANES], rows: [0; LANES] };
        let stride = f64::from(self.stride);
        let most_cells = f64::from(self.count);
        let ask = f64::from(Covers::<LANES>::ASK);
        let [min_x, min_y, max_x, max_y] = boxes;
        let mut cells = [[[0.0; LANES]; 2]; 2];
        for (axis, [min, max]) in [[min_x, max_x], [min_y, max_y]].into_iter().enumerate() {
            let [from, to] = &mut cells[axis];
            let (lowest, last) =
                if WRAPS { (-FAR_CELLS, FAR_CELLS) } else { (0.0, self.sides[axis] - 1.0) };
            for lane in 0..LANES {
                let [low, high] = self.reached(axis, min[lane], max[lane]);
                let low = floor(low * self.scale[axis]) - self.first[axis];
                let high = floor(high * self.scale[axis]) - self.first[axis];
                from[lane] = if low > lowest { low } else { lowest };
                to[lane] = if high < last { high } else { last };
            }
        }
        let [[from_x, to_x], [from_y, to_y]] = &cells;
        for lane in 0..LANES {
            let width = to_x[lane] - from_x[lane] + 1.0;
            let rows = to_y[lane] - from_y[lane] + 1.0;
            let all = (rows - 1.0) * stride + width;
            let few = (rows <= most_rows) & (width < stride) & (all <= most_cells);
            let known = if few { rows } else { ask };
            let known = if WRAPS {
                // Ends beyond FAR_CELLS have been clamped to it, on both sides, and no lower end is
                // above its upper end. So one test of the lowest and the highest end finds all such
                // boxes.
                let from = if from_x[lane] < from_y[lane] { from_x[lane] } else { from_y[lane] };
                let to = if to_x[lane] > to_y[lane] { to_x[lane] } else { to_y[lane] };
                if (from > -FAR_CELLS) & (to < FAR_CELLS) { known } else { ask }
            } else {
                if (width < 1.0) | (rows < 1.0) { 0.0 } else { known }
            };
            let beside = bounds.beside(0, min_x[lane], max_x[lane])
                | bounds.beside(1, min_y[lane], max_y[lane]);
            covers.rows[lane] = whole(if beside { 0.0 } else { known });
            covers.width[lane] = whole(width);
            covers.first[lane] = if WRAPS {
                self.helical(from_x[lane], from_y[lane])
            } else {
                whole(from_y[lane] * stride + from_x[lane])
            };
        }
        covers
    }

    /// The cover of one of the boxes; `None` if the box is left to [`covering`](Cells::covering).
    #[inline(always)]
    pub(in crate::grid) fn cover<const LANES: usize>(
        &self,
        covers: &Covers<LANES>,
        lane: usize,
    ) -> Option<Cover> {
        let Covers { first, width, rows } = covers;
        let (first, width, rows) = (first[lane], width[lane], rows[lane]);
        (rows != Covers::<LANES>::ASK).then(|| Cover { first, width, rows, ..Cover::all(self) })
    }

    /// The range of sums, along an axis, of the items of this level that may touch something from
    /// `min` to `max`.
    #[inline(always)]
    pub(super) fn reached(&self, axis: usize, min: f64, max: f64) -> [f64; 2] {
        reached(self.largest[axis], min, max)
    }

    /// The approximate cost of finding the partners of an item of the level `other` in this level.
    /// `size` is the width and height of the item, and `items` the number of items of this level.
    ///
    /// Both directions are estimated, because coarse items should not always search fine items.
    /// Where the coarse items are many and the fine items elsewhere, the fine items find that out
    /// sooner.
    pub(crate) fn search(&self, other: &Cells, size: [f64; 2], items: usize) -> CoverSearch {
        let reached =
            |axis: usize, size: f64| (size + self.largest[axis]) * 2.0 * self.scale[axis] + 1.0;
        let items = items as f64;
        let in_row = |size: f64| reached(0, size) * items / f64::from(self.count);
        let by_rows = reached(1, size[1]) * (ITEMS_PER_LOOKUP + in_row(size[0]));
        // Testing a vector of items takes about a quarter of the time that the sweep takes for a
        // item.
        let cost = 1 + (by_rows.min(items) / (4.0 * ITEMS_PER_LOOKUP)) as usize;
        CoverSearch { cost, short_rows: in_row(other.largest[0]) <= MAX_ITEMS_OF_SHORT_ROW }
    }
}

/// The range of sums, along an axis, of the items of at most the size `largest` that may touch
/// something from `min` to `max`.
///
/// An item that is at most `largest` wide and touches has a `min + max` of at least
/// `2 * min - largest` and at most `2 * max + largest`. The margins cover the rounding of the exact
/// test (three parts in 2^24 of the sizes) and of these sums.
#[inline(always)]
pub(in crate::grid) fn reached(largest: f64, min: f64, max: f64) -> [f64; 2] {
    let f32_cover = largest * (1.0 + F32_SLACK) + (max - min) * F32_SLACK;
    // More than the rounding error of a sum.
    let slack = f32_cover + (min.abs() + max.abs()) * (2.0 * f64::EPSILON);
    [2.0 * min - slack, 2.0 * max + slack]
}

/// The estimated cost of searching a level by covers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CoverSearch {
    /// The cost for one item, in units of the cost of an item in a sweep.
    pub(crate) cost: usize,
    /// Whether the rows of cells hold so few items that vectors of eight lanes suffice.
    pub(crate) short_rows: bool,
}

/// With up to this many items in a row of the cover of the largest item, eight lanes are faster
/// than sixteen.
const MAX_ITEMS_OF_SHORT_ROW: f64 = 4.0;

/// The number of items that can be tested in the time that it takes to look up a row of cells, or a
/// band.
pub(super) const ITEMS_PER_LOOKUP: f64 = 8.0;
