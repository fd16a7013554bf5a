//! The fast `f32` paths in dense levels: to the cells of points, and to the covers of items.

use super::{COVER_ROWS, Cells, Covers};
use crate::{
    grid::plan::Bounds,
    kernel::{ColumnSet, Items},
    simd::{MAX_LANES, Simd, map_each},
};

/// Covers in a dense level, computed in `f32` for a vector of items at a time. The `f64`
/// counterpart is [`Cells::covering_all`].
///
/// A cover of this path may be somewhat larger than a cover of the `f64` path, but never leaves out
/// a cell with an item that touches. In units of length, with `e = 2^-24`, along one axis: let `low
/// = min - r` be the exact lower side of an item and `R` the slack that [`Cells::reached`]
/// subtracts. The items of the level that touch it have sums from `2 low - R` on.
/// [`covers`](F32Cover::covers) rounds
///
/// 1. `min - r` by at most `e (|min| + r)`. It then subtracts `s`, 2^-19 of the sum of the
///    magnitudes of both sides. This sum is at least half of `|min| + r`, so `s` is at least
///    `16 e (|min| + r)`. That covers this rounding, the rounding of the subtraction, and the part
///    of `R` that is relative to the item;
/// 2. the difference to `offset` and its product with the scale, by at most `3 e` of the result.
///    Within the level, that is at most `3 e C` cells (`C` columns or rows); outside of it, the
///    first or the last cell is right anyway. `offset` itself is rounded by `e` of its value. Both
///    errors are included in `offset`.
///
/// So the value before truncation is not above the exact value, and truncation equals the floor,
/// because nothing is below zero. Upper sides are the mirror image. An item beside the box around
/// the items of the level gets an empty cover, because the cells at the edge may hold any number of
/// items.
#[derive(Debug, Clone, Copy)]
pub(in crate::grid) struct F32Cover {
    /// The origins that doubled lower sides and doubled upper sides are counted from.
    offset: [[f32; 2]; 2],
    /// Cells per unit of `min + max`.
    scale: [f32; 2],
    /// The last column and the last row.
    last: [f32; 2],
    stride: u32,
    /// The box around the items of the level, rounded outwards.
    bounds: [[f32; 2]; 2],
}

impl Cells {
    /// The fast path to covers in this level, whose items are in `bounds`. `None` if the level is
    /// helical or one cell, or if `f32` arithmetic cannot tell its cells apart.
    pub(in crate::grid) fn f32_cover(&self, bounds: &Bounds) -> Option<F32Cover> {
        const E: f64 = 1.0 / (1 << 24) as f64;
        /// The most that roundings may add to a cover, as a share of a cell.
        const LOSS: f64 = 1.0 / 8.0;
        if self.wraps || self.is_whole() {
            return None;
        }
        let mut f32_cover = F32Cover {
            offset: [[0.0; 2]; 2],
            scale: map_each(self.scale, |scale| scale as f32),
            last: map_each(self.sides, |sides| (sides - 1.0) as f32),
            stride: self.stride,
            bounds: bounds.outwards(),
        };
        for axis in [0, 1] {
            let first = self.first[axis] / self.scale[axis];
            let [low, high] = self.reached(axis, 0.0, 0.0);
            let size = 1.0 / self.scale[axis];
            let loss = 4.0 * E * (self.sides[axis] * size + first.abs() + high);
            if loss > LOSS * size {
                return None;
            }
            f32_cover.offset[0][axis] = (first - low + loss) as f32;
            f32_cover.offset[1][axis] = (first - high - loss) as f32;
        }
        Some(f32_cover)
    }
}

impl F32Cover {
    /// The covers of the items from place `at` on.
    #[inline(always)]
    pub(in crate::grid) fn covers<S: Simd, C: ColumnSet>(
        &self,
        simd: S,
        columns: C,
        at: usize,
    ) -> Covers<MAX_LANES> {
        let [mut first, mut end, mut top, mut bottom] = [[0; MAX_LANES]; 4];
        let zero = simd.splat(0.0);
        let mut near = 0;
        for lane in (0..MAX_LANES).step_by(S::LANES) {
            let items = columns.load(simd, at + lane);
            let radius = items.radius(simd);
            let sides = [
                reached(simd, items.min_x(), items.max_x(), radius),
                reached(simd, items.min_y(), items.max_y(), radius),
            ];
            let near_x = self.near(simd, 0, sides[0]);
            let near_y = self.near(simd, 1, sides[1]);
            near |= simd.bits(simd.and(near_x, near_y)) << lane;
            let x = self.places(simd, 0, sides[0]);
            let y = self.places(simd, 1, sides[1]);
            simd.store_cells(x[0], y[0], self.stride, &mut first, lane);
            simd.store_cells(x[1], y[0], self.stride, &mut end, lane);
            simd.store_cells(zero, y[0], 1, &mut top, lane);
            simd.store_cells(zero, y[1], 1, &mut bottom, lane);
        }
        let (mut width, mut rows) = ([0; MAX_LANES], [0; MAX_LANES]);
        for lane in 0..MAX_LANES {
            width[lane] = end[lane].wrapping_sub(first[lane]).wrapping_add(1);
            let all = bottom[lane].wrapping_sub(top[lane]).wrapping_add(1);
            let known = if all > COVER_ROWS { Covers::<MAX_LANES>::ASK } else { all };
            rows[lane] = known * (near >> lane & 1);
        }
        Covers { first, width, rows }
    }

    /// Whether an item from `low` to `high` along an axis may touch an item of the level.
    #[inline(always)]
    fn near<S: Simd>(&self, simd: S, axis: usize, [low, high]: [S::F32; 2]) -> S::Mask {
        let (min, max) = (simd.splat(self.bounds[0][axis]), simd.splat(self.bounds[1][axis]));
        simd.and(simd.le(low, max), simd.le(min, high))
    }

    /// The first and the last column (`axis` 0) or row (1), not yet truncated.
    #[inline(always)]
    fn places<S: Simd>(&self, simd: S, axis: usize, [low, high]: [S::F32; 2]) -> [S::F32; 2] {
        let from = simd.splat(self.offset[0][axis]);
        let to = simd.splat(self.offset[1][axis]);
        let (scale, last) = (simd.splat(self.scale[axis]), simd.splat(self.last[axis]));
        let from = simd.mul(simd.sub(simd.add(low, low), from), scale);
        let to = simd.mul(simd.sub(simd.add(high, high), to), scale);
        let zero = simd.splat(0.0);
        [simd.min(simd.max(from, zero), last), simd.min(simd.max(to, zero), last)]
    }
}

/// The lower and upper sides of items along an axis, radius and slack included.
#[inline(always)]
fn reached<S: Simd>(simd: S, min: S::F32, max: S::F32, radius: S::F32) -> [S::F32; 2] {
    const SLACK: f32 = 1.0 / (1 << 19) as f32;
    let (low, high) = (simd.sub(min, radius), simd.add(max, radius));
    let slack = simd.mul(simd.add(simd.abs(low), simd.abs(high)), simd.splat(SLACK));
    [simd.sub(low, slack), simd.add(high, slack)]
}

/// Cells of points in a dense level, computed in `f32` for a vector of points at a time. Gives the
/// same cells as [`Cells::of`] does in `f64`, or reports that it cannot tell.
///
/// In units of cells, along one axis: let `u` be the coordinate that [`find`](F32Levels::find)
/// computes, counted from the first of `C` columns or rows; `m` the largest magnitude of a centre,
/// `o` the magnitude of the border that `u` is counted from, and `e = 2^-24`. `min + max` and the
/// border are rounded, by `e (m + o)` together. Their difference, the scale and the product are
/// rounded, by `3 e C`. So `u` is off by less than half of `slack`; the rounding of [`Cells::of`]
/// is negligible beside that. If no whole number is nearer to `u` than `slack`, the exact
/// coordinate has the same floor. Truncation computes this floor: the exact coordinate is not
/// negative, so `u` is above `slack` then.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::grid) struct F32Levels {
    /// `min + max` at the first border along x and y.
    origin: [f32; 2],
    /// Cells per unit of `min + max`.
    scale: [f32; 2],
    /// The least distance from a border, in cells, at which the cell of a point is certain.
    slack: f32,
    base: u32,
    stride: u32,
}

impl Cells {
    /// The fast path to the cells of centres, as sums from `sum_min` to `sum_max`. `None` if the
    /// level is helical, or if `f32` arithmetic cannot tell most of its cells apart.
    pub(in crate::grid) fn f32_levels(
        &self,
        [sum_min, sum_max]: [[f32; 2]; 2],
    ) -> Option<F32Levels> {
        const E: f64 = 1.0 / (1 << 24) as f64;
        /// With a larger slack, a quarter of all vectors of sixteen points would need the `f64`
        /// path, too.
        const MOST_SLACK: f64 = 1.0 / (1 << 8) as f64;
        if self.wraps {
            return None;
        }
        let mut slack = 0.0_f64;
        for axis in [0, 1] {
            let highest = f64::from(sum_min[axis].abs().max(sum_max[axis].abs()));
            let places = highest * self.scale[axis] + self.first[axis].abs();
            slack = slack.max(2.0 * E * (places + 4.0 * self.sides[axis]));
        }
        (slack <= MOST_SLACK).then(|| F32Levels {
            origin: map_each([0, 1], |axis| (self.first[axis] / self.scale[axis]) as f32),
            scale: map_each(self.scale, |scale| scale as f32),
            slack: slack as f32,
            base: self.base,
            stride: self.stride,
        })
    }
}

impl F32Levels {
    /// Writes the cells of points, given as `min + max`, to `numbers`, and returns whether all
    /// numbers are certain.
    #[inline(always)]
    pub(in crate::grid) fn find<S: Simd>(
        &self,
        simd: S,
        [x, y]: [S::F32; 2],
        numbers: &mut [u32],
    ) -> bool {
        let (column, row) = (self.coordinate(simd, 0, x), self.coordinate(simd, 1, y));
        simd.store_cells(column, row, self.stride, numbers, 0);
        for number in &mut numbers[..S::LANES] {
            *number = number.wrapping_add(self.base);
        }
        let nearest = simd.min(to_whole(simd, column), to_whole(simd, row));
        simd.bits(simd.lt(nearest, simd.splat(self.slack))) == 0
    }

    /// The column (`axis` 0) or row (1) of points, not yet truncated.
    #[inline(always)]
    fn coordinate<S: Simd>(&self, simd: S, axis: usize, sum: S::F32) -> S::F32 {
        let from_first = simd.sub(sum, simd.splat(self.origin[axis]));
        simd.mul(from_first, simd.splat(self.scale[axis]))
    }
}

/// The distance to the nearest whole number, for numbers below 2^22; for larger numbers, 0 or some
/// fraction. Adding 2^23 rounds to whole numbers.
#[inline(always)]
fn to_whole<S: Simd>(simd: S, number: S::F32) -> S::F32 {
    let shift = simd.splat((1 << 23) as f32);
    simd.abs(simd.sub(number, simd.sub(simd.add(number, shift), shift)))
}
