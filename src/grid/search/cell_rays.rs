//! `CellRays`: which of few items each of some rays may hit first.

use std::ops::Range;

use super::ray_walk::{MIN_DIRECTION_PART, RAISED};
use crate::{
    base::{F32_SLACK, FEW_ITEMS, UNDERFLOW},
    grid::GridView,
    kernel::{ColumnSet, Items},
    simd::{Kernel, MAX_LANES, Simd},
};

/// Rays that are cast together.
pub(crate) use crate::simd::MAX_LANES as CAST;

/// For each of some rays, the item that it may hit first, of few items.
///
/// In plain words:
///
/// ```text
/// for all items at once:
///     what a ray is tested with: a disc, or the sides of a box, a little larger than the item
/// for each disc, then for each box:
///     for all rays at once:
///         bound = a little less than the distance at which the ray may enter the item
///         keep the lowest bound of the ray, its item, and the second lowest bound
/// ```
///
/// If a ray hits that item at a distance below the second bound, it hits no other one before. The
/// bounds are computed in `f32`: see docs/numerics.md, "Rays".
///
/// Sixteen rays, because the values of an item are then read once for two vectors. Discs come
/// before boxes, so that a CPU foresees which test is next. Rays of one origin, as of a sensor,
/// share the subtractions of the origin.
pub(crate) struct CellRays<'a> {
    pub(crate) grid: GridView<'a>,
    /// The places of the items, at most [`FEW_ITEMS`], which are all items of the grid.
    pub(crate) places: Range<usize>,
    /// The items that are seen, a bit for each.
    pub(crate) seen: u64,
    pub(crate) rays: &'a mut CastRays,
}

/// Some rays in columns, and their results.
#[derive(Debug, Clone)]
#[repr(align(64))]
pub(crate) struct CastRays {
    /// The origins and the directions by axis, which are not zero along both axes.
    pub(crate) origin: [[f32; CAST]; 2],
    pub(crate) direction: [[f32; CAST]; 2],
    /// The largest fractions of the directions that are of interest.
    pub(crate) limit: [f32; CAST],
    /// The number of rays. Values behind them are ignored.
    pub(crate) count: usize,
    /// Whether all origins are the first origin.
    pub(crate) shared: bool,
    /// Whether directions have length 1, within 2^-22 of it.
    pub(crate) unit: bool,
    /// A little less than the least distance at which a ray may hit an item; infinity if it hits no
    /// item. And the bits of the number of that item among the items.
    pub(crate) lowest: [f32; CAST],
    pub(crate) number: [f32; CAST],
    /// No other item is hit at a lower distance.
    pub(crate) second: [f32; CAST],
    /// Workspace: the values of each item for the tests of rays, relative to the first origin. For
    /// a disc the centre, the negative radius and a little more than the square of the radius; for
    /// a box its left, lower, right and upper side.
    items: [[f32; FEW_ITEMS + MAX_LANES]; 4],
}

impl CastRays {
    pub(crate) const NONE: Self = Self {
        origin: [[0.0; CAST]; 2],
        direction: [[1.0; CAST], [0.0; CAST]],
        limit: [0.0; CAST],
        count: CAST,
        shared: false,
        unit: false,
        lowest: [f32::INFINITY; CAST],
        number: [0.0; CAST],
        second: [f32::INFINITY; CAST],
        items: [[0.0; FEW_ITEMS + MAX_LANES]; 4],
    };

    /// The place of the item that a ray may hit first, of items from the place `start` on; `None`
    /// if it hits nothing.
    pub(crate) fn first(&self, ray: usize, start: usize) -> Option<usize> {
        (self.lowest[ray] < f32::INFINITY).then(|| start + self.number[ray].to_bits() as usize)
    }
}

impl Default for CastRays {
    fn default() -> Self {
        Self::NONE
    }
}

impl Kernel for CellRays<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        self.run_half(simd.half());
    }
}

impl CellRays<'_> {
    #[inline(always)]
    fn run_half<S: Simd>(self, simd: S) {
        const { assert!(CAST.is_multiple_of(2 * S::LANES), "two vectors at once") };
        let Self { grid, places, seen, rays } = self;
        if seen == 0 {
            (rays.lowest, rays.second) = ([f32::INFINITY; CAST], [f32::INFINITY; CAST]);
            return;
        }
        let slack = rays.slack(grid);
        let discs = rays.prepare(simd, grid, places, slack);
        let furthest = rays.normalise();
        let of_kind = [seen & discs, seen & !discs];
        if rays.count <= S::LANES {
            let lowest = rays.cast::<S, false, 1>(simd, of_kind, 0);
            return rays.finish(simd, &lowest, slack, &furthest, 0);
        }
        for at in (0..rays.count).step_by(2 * S::LANES) {
            let lowest = if rays.shared {
                rays.cast::<S, true, 2>(simd, of_kind, at)
            } else {
                rays.cast::<S, false, 2>(simd, of_kind, at)
            };
            rays.finish(simd, &lowest, slack, &furthest, at);
        }
    }
}

impl CastRays {
    /// A slack that is added to radii: a share of how far the furthest item may be from an origin.
    #[inline(always)]
    fn slack(&self, grid: GridView<'_>) -> f32 {
        let [min, max] = grid.corners();
        let mut furthest = 0.0;
        let origins = if self.shared { 1 } else { self.count };
        for ray in 0..origins {
            let mut away = 0.0;
            for axis in [0, 1] {
                let at = f64::from(self.origin[axis][ray]);
                let (one, other) = ((at - min[axis]).abs(), (at - max[axis]).abs());
                away += if one > other { one } else { other };
            }
            furthest = if away > furthest { away } else { furthest };
        }
        (furthest * F32_SLACK) as f32 + UNDERFLOW
    }

    /// Writes the values of the items for the tests of rays. Returns the items that are discs, a
    /// bit for each.
    #[inline(always)]
    fn prepare<S: Simd>(
        &mut self,
        simd: S,
        grid: GridView<'_>,
        places: Range<usize>,
        slack: f32,
    ) -> u64 {
        let (columns, slack) = (grid.rounded(), simd.splat(slack));
        let origin = [simd.splat(self.origin[0][0]), simd.splat(self.origin[1][0])];
        let more = simd.splat(1.0 + (F32_SLACK as f32));
        let (mut discs, start) = (0, places.start);
        for place in places.step_by(S::LANES) {
            let (items, at) = (columns.load(simd, place), place - start);
            let [mut left, mut right] = [items.min_x(), items.max_x()];
            let [mut low, mut high] = [items.min_y(), items.max_y()];
            let round = simd.and(simd.le(right, left), simd.le(high, low));
            discs |= u64::from(simd.bits(round)) << at;
            let reach = simd.add(items.radius(simd), slack);
            for side in [&mut left, &mut right] {
                *side = simd.sub(*side, origin[0]);
            }
            for side in [&mut low, &mut high] {
                *side = simd.sub(*side, origin[1]);
            }
            let square = simd.mul(simd.mul(reach, reach), more);
            let values = [
                simd.select(round, left, simd.sub(left, reach)),
                simd.select(round, low, simd.sub(low, reach)),
                simd.select(round, simd.neg(reach), simd.add(right, reach)),
                simd.select(round, square, simd.add(high, reach)),
            ];
            for (value, column) in values.into_iter().zip(&mut self.items) {
                simd.store(value, column, at);
            }
        }
        discs
    }

    /// Gives directions length 1. Returns the limits as distances, raised a little.
    ///
    /// Plain loops over arrays: compiled for a SIMD level, they become vector code.
    #[inline(always)]
    fn normalise(&mut self) -> [f32; CAST] {
        let Self { direction: [dx, dy], limit, count, unit, .. } = self;
        let mut furthest = [0.0; CAST];
        if *unit {
            for (furthest, limit) in furthest.iter_mut().zip(limit) {
                *furthest = *limit * (1.0 + 4.0 * (F32_SLACK as f32));
            }
            return furthest;
        }
        for first in (0..*count).step_by(CAST / 2) {
            for ray in first..first + CAST / 2 {
                let (x, y) = (f64::from(dx[ray]), f64::from(dy[ray]));
                let length = (x * x + y * y).sqrt();
                (dx[ray], dy[ray]) = ((x / length) as f32, (y / length) as f32);
                furthest[ray] = (f64::from(limit[ray]) * length * RAISED) as f32;
            }
        }
        furthest
    }

    /// The lowest bounds of some vectors of rays, from number `at` on.
    #[inline(always)]
    fn cast<S: Simd, const SHARED: bool, const N: usize>(
        &self,
        simd: S,
        [discs, boxes]: [u64; 2],
        at: usize,
    ) -> [Lowest<S>; N] {
        let zero = simd.splat(0.0);
        let (mut origin, mut unit) = ([[zero; 2]; N], [[zero; 2]; N]);
        for number in 0..N {
            let at = at + number * S::LANES;
            for axis in [0, 1] {
                unit[number][axis] = simd.load(&self.direction[axis], at);
                // Items are relative to the first origin: a margin added to coordinates far from 0
                // would be lost.
                let first = simd.splat(self.origin[axis][0]);
                origin[number][axis] = simd.sub(simd.load(&self.origin[axis], at), first);
            }
        }
        let mut lowest = [Lowest::none(simd); N];
        let mut rest = discs;
        while rest != 0 {
            let item = rest.trailing_zeros() as usize % FEW_ITEMS;
            rest &= rest - 1;
            let [x, y, behind, square] = self.item(simd, item);
            let number = simd.splat(f32::from_bits(item as u32));
            for (number_of, lowest) in lowest.iter_mut().enumerate() {
                let ([ux, uy], [ox, oy]) = (unit[number_of], origin[number_of]);
                let [x, y] = if SHARED { [x, y] } else { [simd.sub(x, ox), simd.sub(y, oy)] };
                let beside = simd.sub(simd.mul(ux, y), simd.mul(uy, x));
                let along = simd.add(simd.mul(ux, x), simd.mul(uy, y));
                let inner = simd.sub(square, simd.mul(beside, beside));
                let bound = simd.sub(along, simd.sqrt(simd.max(inner, zero)));
                let hit = simd.and(simd.le(zero, inner), simd.le(behind, along));
                lowest.keep(simd, hit, bound, number);
            }
        }
        if boxes == 0 {
            return lowest;
        }
        let mut inverses = unit;
        for inverses in &mut inverses {
            *inverses = [inverse(simd, inverses[0]), inverse(simd, inverses[1])];
        }
        rest = boxes;
        while rest != 0 {
            let item = rest.trailing_zeros() as usize % FEW_ITEMS;
            rest &= rest - 1;
            let [left, low, right, high] = self.item(simd, item);
            let number = simd.splat(f32::from_bits(item as u32));
            for (number_of, lowest) in lowest.iter_mut().enumerate() {
                let mut ends = [[left, right], [low, high]];
                for (axis, ends) in ends.iter_mut().enumerate() {
                    let (origin, inverse) = (origin[number_of][axis], inverses[number_of][axis]);
                    for end in ends {
                        let to = if SHARED { *end } else { simd.sub(*end, origin) };
                        *end = simd.mul(to, inverse);
                    }
                }
                let [[one, other], [below, above]] = ends;
                let enter = simd.max(simd.min(one, other), simd.min(below, above));
                let leave = simd.min(simd.max(one, other), simd.max(below, above));
                let bound = simd.mul(simd.max(enter, zero), simd.splat(1.0 - F32_SLACK as f32));
                lowest.keep(simd, simd.le(bound, leave), bound, number);
            }
        }
        lowest
    }

    /// Writes the lowest bounds of some vectors of rays, from number `at` on.
    #[inline(always)]
    fn finish<S: Simd, const N: usize>(
        &mut self,
        simd: S,
        lowest: &[Lowest<S>; N],
        slack: f32,
        furthest: &[f32; CAST],
        at: usize,
    ) {
        let (slack, zero) = (simd.splat(slack), simd.splat(0.0));
        for (number, lowest) in lowest.iter().enumerate() {
            let at = at + number * S::LANES;
            let within = simd.le(lowest.bound, simd.load(furthest, at));
            let bound = simd.max(simd.sub(lowest.bound, slack), zero);
            let bound = simd.select(within, bound, simd.splat(f32::INFINITY));
            simd.store(bound, &mut self.lowest, at);
            simd.store(lowest.number, &mut self.number, at);
            simd.store(simd.sub(lowest.second, slack), &mut self.second, at);
        }
    }

    /// The values of an item for the tests of rays.
    #[inline(always)]
    fn item<S: Simd>(&self, simd: S, item: usize) -> [S::F32; 4] {
        let [a, b, c, d] = &self.items;
        [simd.splat(a[item]), simd.splat(b[item]), simd.splat(c[item]), simd.splat(d[item])]
    }
}

/// The inverse of a part of directions. It is finite.
#[inline(always)]
fn inverse<S: Simd>(simd: S, part: S::F32) -> S::F32 {
    let least = simd.splat(MIN_DIRECTION_PART);
    let signed = simd.select(simd.lt(part, simd.splat(0.0)), simd.neg(least), least);
    let small = simd.lt(simd.abs(part), least);
    simd.div(simd.splat(1.0), simd.select(small, signed, part))
}

/// The lowest bounds of a vector of rays, before the slack is taken from them: for each ray, the
/// lowest bound, the bits of the number of its item, and the second lowest bound.
#[derive(Clone, Copy)]
struct Lowest<S: Simd> {
    bound: S::F32,
    number: S::F32,
    second: S::F32,
}

impl<S: Simd> Lowest<S> {
    #[inline(always)]
    fn none(simd: S) -> Self {
        let infinity = simd.splat(f32::INFINITY);
        Self { bound: infinity, number: simd.splat(0.0), second: infinity }
    }

    /// Lowers the bounds of the rays that may hit an item.
    #[inline(always)]
    fn keep(&mut self, simd: S, hit: S::Mask, bound: S::F32, number: S::F32) {
        let bound = simd.select(hit, bound, simd.splat(f32::INFINITY));
        let nearer = simd.lt(bound, self.bound);
        self.second = simd.min(self.second, simd.max(bound, self.bound));
        self.number = simd.select(nearer, number, self.number);
        self.bound = simd.min(bound, self.bound);
    }
}
