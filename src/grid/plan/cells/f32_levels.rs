//! The fast `f32` path to the cells of points in a dense level.

use super::Cells;
use crate::simd::{Simd, map_each};

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
