//! Patches: rows of cells around boxes, and how far these cells reach.

use std::ops::Range;

use super::{Cells, FAR_CELLS, floor, whole};
use crate::base::{F32_SLACK, F64_SLACK};

/// For each of some boxes, the cells around it: one number of rows for all boxes, with as many
/// columns as a given reach takes.
pub(in crate::grid) struct Patches<const LANES: usize> {
    /// The first cell of the first row, counted from the first cell of the level.
    first: [u32; LANES],
    /// The cells of a row.
    pub(in crate::grid) width: [u32; LANES],
    /// All items whose bounding boxes are at most this far away are in the patch. Below 0 if that
    /// is not known of any distance.
    pub(in crate::grid) reach: [f64; LANES],
}

impl Cells {
    /// The number of rows of patches that reach about this far from points: at least from half of
    /// them.
    pub(in crate::grid) fn patch_rows(&self, reach: f64) -> u32 {
        self.rows_of_patch(reach, 0.5)
    }

    /// The number of rows of patches that reach this far from all points.
    #[inline(always)]
    pub(in crate::grid) fn all_patch_rows(&self, reach: f64) -> u32 {
        self.rows_of_patch(reach, 1.0)
    }

    #[inline(always)]
    fn rows_of_patch(&self, reach: f64, more: f64) -> u32 {
        let far = (2.0 * reach + self.largest[1]) * 2.0 * self.scale[1];
        let rows = (far + more).ceil().min(f64::from(u32::MAX));
        let rows = if self.wraps { rows } else { rows.min(self.sides[1]) };
        rows as u32
    }

    /// The patches of `rows` rows around boxes, which are given by their left, lower, right and
    /// upper sides, radius included.
    #[inline(always)]
    pub(in crate::grid) fn patches<const LANES: usize>(
        &self,
        boxes: [&[f64; LANES]; 4],
        rows: u32,
        reach: f64,
    ) -> Patches<LANES> {
        if self.wraps {
            self.patches_of::<LANES, true>(boxes, rows, reach)
        } else {
            self.patches_of::<LANES, false>(boxes, rows, reach)
        }
    }

    /// Does the work of [`patches`](Cells::patches) for a level that wraps or does not.
    ///
    /// An item is in the cell of the floor of its coordinate, a product that was rounded once, and
    /// rounding is monotone. So the items beyond an edge of the patch have coordinates beyond it.
    /// Beyond the first and the last row of a dense level there are no cells.
    ///
    /// Plain loops over arrays, with no branches: compiled for a SIMD level, they become vector
    /// code.
    #[inline(always)]
    fn patches_of<const LANES: usize, const WRAPS: bool>(
        &self,
        [min_x, min_y, max_x, max_y]: [&[f64; LANES]; 4],
        rows: u32,
        reach: f64,
    ) -> Patches<LANES> {
        let rows = f64::from(rows);
        let mut patches = Patches { first: [0; LANES], width: [0; LANES], reach: [0.0; LANES] };
        let (most, stride) = (f64::from(self.count), f64::from(self.stride));
        let [last_column, last_row] = [self.sides[0] - 1.0, self.sides[1] - rows];
        let half_cell = 0.5 / self.scale[1] * (1.0 - F64_SLACK);
        let half_item = 0.5 * self.largest[1] * (1.0 + F32_SLACK);
        for lane in 0..LANES {
            let sum = min_y[lane] + max_y[lane];
            let at = sum * self.scale[1] - self.first[1];
            let mut row = floor(at - 0.5 * (rows - 1.0));
            let (mut below, mut above) = (0.0, 0.0);
            if !WRAPS {
                let above_first = if row > 0.0 { row } else { 0.0 };
                row = if above_first < last_row { above_first } else { last_row };
                below = if row > 0.0 { 0.0 } else { f64::INFINITY };
                above = if row < last_row { 0.0 } else { f64::INFINITY };
            }
            let (below, above) = (below + (at - row), above + (row + rows - at));
            let edge = if below < above { below } else { above };
            let half = 0.5 * (max_y[lane] - min_y[lane]) + half_item;
            // More than the roundings of a sum and of its number of cells.
            let far = edge * half_cell - half - sum.abs() * (16.0 * f64::EPSILON);
            let far = if far < reach { far } else { reach };

            let (low, high) = (min_x[lane] - reach, max_x[lane] + reach);
            let [low, high] = self.reached(0, low, high);
            let mut from = floor(low * self.scale[0]) - self.first[0];
            let mut to = floor(high * self.scale[0]) - self.first[0];
            if !WRAPS {
                let positive = if from > 0.0 { from } else { 0.0 };
                from = if positive < last_column { positive } else { last_column };
                let positive = if to > 0.0 { to } else { 0.0 };
                to = if positive < last_column { positive } else { last_column };
            }
            let width = to - from + 1.0;
            // Rows of a helical level must not overlap, and nowhere may digits be lost.
            let known = !WRAPS
                | (width < stride)
                    & ((rows - 1.0) * stride + width <= most)
                    & (from > -FAR_CELLS)
                    & (to < FAR_CELLS)
                    & (at > rows - FAR_CELLS)
                    & (at < FAR_CELLS - rows);
            patches.reach[lane] = if known { far } else { -1.0 };
            patches.width[lane] = whole(if known { width } else { 0.0 });
            let number = if WRAPS { self.helical(from, row) } else { whole(row * stride + from) };
            patches.first[lane] = if known { number } else { 0 };
        }
        patches
    }

    /// The cells of a row of a patch.
    #[inline(always)]
    pub(in crate::grid) fn patch_row<const LANES: usize>(
        &self,
        patches: &Patches<LANES>,
        lane: usize,
        row: u32,
    ) -> Range<usize> {
        let first = patches.first[lane].wrapping_add(row.wrapping_mul(self.stride));
        // Rows continue at the first cell, and ghosts repeat the first cells at the end of a row.
        let first = if first < self.count { first } else { first.wrapping_sub(self.count) };
        // Only in a patch without columns is there a row that continues twice.
        let first = if first < self.count { first } else { 0 };
        let begin = self.base as usize + first as usize;
        begin..begin + patches.width[lane] as usize
    }

    /// The items of a cell that are expected where `items` items are in this level.
    pub(in crate::grid) fn items_of_cell(&self, items: usize) -> f64 {
        let mean = items as f64 / f64::from(self.count);
        // Where the items are, cells hold about one item each.
        if items == 0 { 0.0 } else { mean.max(1.0) }
    }
}
