//! `RayWalk`: the items of a grid that a ray or a moving box may touch.

use std::ops::Range;

use super::sink::first_bits;
use crate::{
    grid::{
        Grid,
        plan::{Line, Passage},
        sort::RoundedLayout,
    },
    kernel::{columns::ColumnSet, items::Items},
    simd::{Kernel, Simd},
};

/// Passes the places of all items that a ray may touch to `each`: level by level, nearly in the
/// order in which the ray comes to them. A box that moves along the ray is a ray among items that
/// are larger by its size.
///
/// In plain words: for each level, for each band of cells that the ray passes, each item is tested.
/// `each` returns the fraction of the direction up to which the ray is of further interest. The
/// walk of a level ends at the first band that begins behind it. An item may be passed twice.
///
/// The test of an item is a filter in `f32`, which also passes items that the ray misses by a few
/// roundings. The distance of an item from the line is a cross product with the unit vector of the
/// direction. Its error is a few roundings of the distance from the origin, however long the
/// direction is.
pub(crate) struct RayWalk<'a> {
    pub(crate) grid: &'a Grid,
    pub(crate) line: Line,
    /// Half of the width and height of a box that moves along the ray, and a radius around it.
    pub(crate) half: [f32; 2],
    pub(crate) radius: f32,
    /// The largest fraction of the direction. Finite, at least 0.
    pub(crate) limit: f64,
    pub(crate) each: &'a mut dyn FnMut(usize) -> f64,
}

/// The error of the test, as a share of the distance of the item from the origin of the ray.
const SLACK: f32 = 1.0 / (1 << 20) as f32;

/// A distance below which squares in `f32` lose bits to underflow, so that shapes may count as
/// touching that are as far apart (docs/numerics.md). More than what this test loses to underflow.
const LEAST: f32 = 1.0 / (1_u64 << 60) as f32;

impl Kernel for RayWalk<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { grid, line, half, radius, mut limit, each } = self;
        let radius = radius + LEAST;
        let [dx, dy] = line.direction;
        let length = (dx * dx + dy * dy).sqrt();
        let (ux, uy) = ((dx / length) as f32, (dy / length) as f32);
        let ray = LaneRay {
            origin: [simd.splat(line.origin[0] as f32), simd.splat(line.origin[1] as f32)],
            unit: [simd.splat(ux), simd.splat(uy)],
            widths: [simd.splat(ux.abs()), simd.splat(uy.abs())],
            half: [simd.splat(half[0]), simd.splat(half[1])],
            radius: simd.splat(radius),
        };
        let columns = grid.sorted.read_as::<RoundedLayout>(grid.form);
        for (level, cells) in grid.plan.levels().iter().enumerate() {
            let (items, bounds) = (grid.sorted.items(level), grid.sorted.bounds(level));
            let radius = f64::from(radius);
            let size = [f64::from(half[0]) + radius, f64::from(half[1]) + radius];
            let bands = match cells.passage(&line, size, limit, items.len(), &bounds) {
                Passage::None => continue,
                Passage::All => {
                    limit = ray.test(simd, columns, items, [limit, length], each);
                    continue;
                }
                Passage::Bands(bands) => bands,
            };
            let ([mut band, last], next) = (bands.ends, bands.forwards());
            loop {
                let part = bands.part(band, limit);
                if part[0] > limit {
                    break;
                }
                if part[0] <= part[1] {
                    let block = bands.block(band, part);
                    let mut row = block.rows[0];
                    while row <= block.rows[1] {
                        for cells in bands.row(row, block.columns) {
                            let places = grid.sorted.places_of(cells);
                            limit = ray.test(simd, columns, places, [limit, length], each);
                        }
                        row += 1.0;
                    }
                }
                if band == last {
                    break;
                }
                band += next;
            }
        }
    }
}

/// A ray in all lanes.
#[derive(Clone, Copy)]
struct LaneRay<S: Simd> {
    origin: [S::F32; 2],
    /// The direction at length 1, and its magnitudes.
    unit: [S::F32; 2],
    widths: [S::F32; 2],
    half: [S::F32; 2],
    radius: S::F32,
}

impl<S: Simd> LaneRay<S> {
    /// Passes the places that the ray may touch to `each`. Takes the limit and the length of the
    /// direction, and returns the new limit.
    #[inline(always)]
    fn test<C: ColumnSet>(
        self,
        simd: S,
        columns: C,
        places: Range<usize>,
        [mut limit, length]: [f64; 2],
        each: &mut dyn FnMut(usize) -> f64,
    ) -> f64 {
        let Range { start: mut at, end } = places;
        while at < end {
            let furthest = simd.splat(((limit * length) as f32).next_up());
            let near = self.may_touch(simd, columns.load(simd, at), furthest);
            let mut bits = simd.bits(near) & first_bits((end - at).min(S::LANES));
            while bits != 0 {
                limit = each(at + bits.trailing_zeros() as usize);
                bits &= bits - 1;
            }
            at += S::LANES;
        }
        limit
    }

    /// The lanes of the items that the ray may touch before it has come as far as `furthest`.
    #[inline(always)]
    fn may_touch<B: Items<S>>(self, simd: S, item: B, furthest: S::F32) -> S::Mask {
        let Self { origin: [x, y], unit: [ux, uy], widths: [wx, wy], half: [ox, oy], radius } =
            self;
        let half = simd.splat(0.5);
        let [left, right] = [simd.sub(item.min_x(), x), simd.sub(item.max_x(), x)];
        let [low, high] = [simd.sub(item.min_y(), y), simd.sub(item.max_y(), y)];
        let px = simd.mul(simd.add(left, right), half);
        let py = simd.mul(simd.add(low, high), half);
        let hx = simd.add(simd.mul(simd.sub(right, left), half), ox);
        let hy = simd.add(simd.mul(simd.sub(high, low), half), oy);
        let size = simd.add(simd.abs(px), simd.add(simd.abs(py), simd.add(hx, hy)));
        let radius = simd.add(item.radius(simd), radius);
        let slack = simd.add(radius, simd.mul(simd.add(size, radius), simd.splat(SLACK)));
        let beside = simd.sub(simd.mul(ux, py), simd.mul(uy, px));
        let along = simd.add(simd.mul(ux, px), simd.mul(uy, py));
        let reach_beside = simd.add(simd.add(simd.mul(wx, hy), simd.mul(wy, hx)), slack);
        let reach_along = simd.add(simd.add(simd.mul(wx, hx), simd.mul(wy, hy)), slack);
        let near = simd.le(simd.abs(beside), reach_beside);
        let ahead = simd.le(simd.splat(0.0), simd.add(along, reach_along));
        let before = simd.le(simd.sub(along, reach_along), furthest);
        simd.and(near, simd.and(ahead, before))
    }
}
