//! Which cells of a dense level may hold what touches some bodies: the short way.

use super::{Cells, Covers, FEW_ROWS};
use crate::{
    grid::sort::Bounds,
    kernel::{bodies::Bodies, columns::ColumnSet},
    simd::{MAX_LANES, Simd},
};

/// What [`Cells::covering_all`] does in `f64`, in `f32`, for a dense level and a vector of bodies at a time.
///
/// A cover found here may be somewhat larger than one found there, and never leaves out a cell that holds a
/// body that touches. In units of length, with `e = 2^-24`, along one axis: let `low = min - r` be the exact
/// lower side of a body and `R` as in [`Cells::reached`]. The bodies of the level that touch it have sums from
/// `2 low - R` on. [`covers`](F32Cover::covers) rounds
///
/// 1. `min - r` by at most `e (|min| + r)`, and then takes away `s`, a 2^-19 of the magnitudes of both sides;
///    these are together at least half of `|min| + r`, so `s` is at least `16 e (|min| + r)`, which covers that,
///    the rounding of taking it away, and what is relative to the body in `R`;
/// 2. the difference to `offset` and its product with the scale, by `3 e` of the result at most, which is no more
///    than `3 e C` cells where it is within the level (`C` columns or rows), and wherever it is not, the first or
///    the last cell will do; and `offset` itself was rounded by `e` of its value. Both are part of `offset`.
///
/// So what is truncated is not above what is meant, and truncation is the floor, for nothing is below zero.
/// Upper sides are the mirror image. Who is beside the box around the bodies of the level covers nothing: the
/// cells at its edge may hold any number of bodies.
#[derive(Debug, Clone, Copy)]
pub(in crate::grid) struct F32Cover {
    /// What doubled lower sides are counted from, and what doubled upper sides are.
    offset: [[f32; 2]; 2],
    /// Cells per unit of `min + max`.
    scale: [f32; 2],
    /// The last column and the last row.
    last: [f32; 2],
    stride: u32,
    /// The box around the bodies of the level, rounded outwards.
    bounds: [[f32; 2]; 2],
}

impl Cells {
    /// The short way to the covers of bodies, if the level, whose bodies are in `bounds`, is dense and `f32`
    /// arithmetic can tell its cells apart.
    pub(in crate::grid) fn f32_cover(&self, bounds: &Bounds) -> Option<F32Cover> {
        const E: f64 = 1.0 / (1 << 24) as f64;
        /// The part of a cell that roundings may make covers wider.
        const LOSS: f64 = 1.0 / 8.0;
        if self.wraps {
            return None;
        }
        let mut f32_cover = F32Cover {
            offset: [[0.0; 2]; 2],
            scale: self.scale.map(|scale| scale as f32),
            last: self.sides.map(|sides| (sides - 1.0) as f32),
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
    /// The covers of the bodies from place `at` on.
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
            let bodies = columns.load(simd, at + lane);
            let radius = bodies.radius(simd);
            let sides = [
                reached(simd, bodies.min_x(), bodies.max_x(), radius),
                reached(simd, bodies.min_y(), bodies.max_y(), radius),
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
            let known = if all > FEW_ROWS { Covers::<MAX_LANES>::ASK } else { all };
            rows[lane] = known * (near >> lane & 1);
        }
        Covers { first, width, rows }
    }

    /// Whether anything from `low` to `high` along an axis may touch what is in the level.
    #[inline(always)]
    fn near<S: Simd>(&self, simd: S, axis: usize, [low, high]: [S::F32; 2]) -> S::Mask {
        let (min, max) = (simd.splat(self.bounds[0][axis]), simd.splat(self.bounds[1][axis]));
        simd.and(simd.le(low, max), simd.le(min, high))
    }

    /// From which column (`axis` 0) or row (1) to which, not yet truncated.
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

/// From where to where bodies reach along an axis, radius included, and a little more.
#[inline(always)]
fn reached<S: Simd>(simd: S, min: S::F32, max: S::F32, radius: S::F32) -> [S::F32; 2] {
    const SLACK: f32 = 1.0 / (1 << 19) as f32;
    let (low, high) = (simd.sub(min, radius), simd.add(max, radius));
    let slack = simd.mul(simd.add(simd.abs(low), simd.abs(high)), simd.splat(SLACK));
    [simd.sub(low, slack), simd.add(high, slack)]
}
