//! `NearestItem`: the nearest item of a grid to one rounded box.

use super::{
    attempt::{MOST_LEVELS, MOST_ROWS},
    group::NEARER,
    kept::{CIRCLES, NONE, POINTS, ROUNDED, key_of},
    shape_of,
};
use crate::{
    geometry::box_distance,
    grid::{
        Grid,
        search::{nearby::bounds, sink::first_bits},
    },
    kernel::columns::{BoxColumns, RoundedColumns},
    shape::RoundedBox,
    simd::{Kernel, MAX_LANES, Simd, map_each},
};

/// Finds the nearest item of a box if it is in the cells around the box and these are few, and
/// otherwise leaves the box open.
///
/// In plain words:
///
/// ```text
/// for each row of the cells around the box:
///     for each item of the row:              compute bounds of its distance
/// for each item whose lower bound is at most the least upper bound:
///     compute the distance in f64
/// the least one is the answer, if nothing outside of the cells can be nearer
/// ```
///
/// For speed, nothing is allocated and few branches depend on the items. The number of rows is the
/// same for all boxes of a grid. Bounds are computed by whole vectors in `f32`, twice instead of
/// being stored. Most rows take one vector, and most boxes one distance.
///
/// docs/numerics.md, "Nearest", proves that no item is lost.
pub(crate) struct NearestItem<'a> {
    pub(crate) grid: &'a Grid,
    pub(crate) sides: &'a RoundedBox,
    /// Items further away are not found.
    pub(crate) max_distance: f32,
}

/// How far the cells reach, as a multiple of the reach within which one item is expected around an
/// item.
const FURTHER: f64 = 1.5;

/// The least share of that along columns, where the box lies at the edge of a cell.
const LEAST: f64 = 0.8;

/// A box that is this many times as far from all items is not searched by reaches at all.
const BEYOND: f64 = 1.2;

/// The most vectors of items whose bounds are computed.
const VECTORS: usize = 32;

/// What is added to the bounds of a vector that has some items: from lane `MAX_LANES - items` on,
/// nothing for these, and infinity behind them.
static BEHIND_END: [f32; 2 * MAX_LANES] = {
    let mut added = [0.0; 2 * MAX_LANES];
    let mut lane = MAX_LANES;
    while lane < added.len() {
        added[lane] = f32::INFINITY;
        lane += 1;
    }
    added
};

/// The places of the rows of cells around a box.
struct CellRuns {
    runs: [[u32; 2]; MOST_ROWS],
    rows: usize,
    /// All items that are nearer than this are in the runs.
    reach: f32,
}

/// Why a box is left open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LeftOpen {
    /// There are too many cells or items around it.
    Crowded,
    /// There may be items outside of the cells that are nearer than those in them.
    Sparse,
    /// All items are further away than the cells reach, and may be near enough.
    Far,
}

impl Kernel for NearestItem<'_> {
    /// The key of the nearest item, or [`u64::MAX`] if none is near enough.
    type Output = Result<u64, LeftOpen>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Result<u64, LeftOpen> {
        let Self { grid, sides, max_distance } = self;
        let mut around = CellRuns { runs: [[0; 2]; MOST_ROWS], rows: 0, reach: 0.0 };
        self.look_around(&mut around)?;
        let around = &around;
        let point = sides.min_x == sides.max_x && sides.min_y == sides.max_y;
        let key = match shape_of(grid) {
            POINTS if point => BoundItems::<S, POINTS>::new(simd, grid, sides).nearest(around)?,
            CIRCLES if point => BoundItems::<S, CIRCLES>::new(simd, grid, sides).nearest(around)?,
            _ => BoundItems::<S, ROUNDED>::new(simd, grid, sides).nearest(around)?,
        };
        let known = f32::from_bits((key >> 32) as u32) < around.reach;
        let all = around.reach > max_distance;
        if known { Ok(key) } else { all.then_some(NONE).ok_or(LeftOpen::Sparse) }
    }
}

impl NearestItem<'_> {
    /// Finds the places around the box.
    #[inline(always)]
    fn look_around(&self, around: &mut CellRuns) -> Result<(), LeftOpen> {
        let Self { grid, sides, max_distance } = self;
        let reach = FURTHER * grid.view().reach_of(1);
        let [min_x, min_y, max_x, max_y, radius] =
            map_each([sides.min_x, sides.min_y, sides.max_x, sides.max_y, sides.radius], f64::from);
        let outer = [[min_x - radius], [min_y - radius], [max_x + radius], [max_y + radius]];
        let levels = grid.plan.levels();
        if levels.len() > MOST_LEVELS {
            return Err(LeftOpen::Crowded);
        }
        let (mut beside, beyond) = (true, BEYOND * reach);
        for level in 0..levels.len() {
            let bounds = grid.sorted.bounds(level);
            beside &= bounds.beside(0, outer[0][0] - beyond, outer[2][0] + beyond)
                | bounds.beside(1, outer[1][0] - beyond, outer[3][0] + beyond);
        }
        if beside {
            let far = f64::from(*max_distance) > beyond;
            return Err(if far { LeftOpen::Far } else { LeftOpen::Sparse });
        }
        let mut far = reach;
        for cells in levels {
            let rows = cells.all_patch_rows(LEAST * reach);
            let patches = cells.patches(outer.each_ref(), rows, reach);
            let [own] = patches.reach;
            far = if own < far { own } else { far };
            if far <= 0.0 {
                return Err(LeftOpen::Sparse);
            }
            if rows as usize > MOST_ROWS - around.rows {
                return Err(LeftOpen::Crowded);
            }
            for (row, run) in (0..rows).zip(&mut around.runs[around.rows..]) {
                let places = grid.sorted.places_of(cells.patch_row(&patches, 0, row));
                *run = [places.start as u32, places.end as u32];
            }
            around.rows += rows as usize;
        }
        around.reach = ((far * NEARER) as f32).min(max_distance.next_up());
        Ok(())
    }
}

/// The items of a grid, and a box that they may be near to, in every lane.
struct BoundItems<'a, S: Simd, const SHAPE: u8> {
    simd: S,
    items: RoundedColumns<'a>,
    ids: &'a [u32],
    sides: RoundedBox,
    min: [S::F32; 2],
    max: [S::F32; 2],
    radius: S::F32,
}

impl<'a, S: Simd, const SHAPE: u8> BoundItems<'a, S, SHAPE> {
    #[inline(always)]
    fn new(simd: S, grid: &'a Grid, sides: &RoundedBox) -> Self {
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = *sides;
        Self {
            simd,
            items: grid.view().rounded(),
            ids: grid.sorted.ids(),
            sides: *sides,
            min: [simd.splat(min_x), simd.splat(min_y)],
            max: [simd.splat(max_x), simd.splat(max_y)],
            radius: simd.splat(radius),
        }
    }

    /// Bounds of the distances of the items from a place on.
    #[inline(always)]
    fn bounds(&self, place: usize) -> [S::F32; 2] {
        let Self { simd, items, min, max, radius, .. } = self;
        let RoundedColumns { core: BoxColumns { min_x, min_y, max_x, max_y }, radius: radii } =
            *items;
        let (x, y) = (simd.load(min_x, place), simd.load(min_y, place));
        let (x, y) = if SHAPE == ROUNDED {
            let zero = simd.splat(0.0);
            let left = simd.sub(x, max[0]);
            let right = simd.sub(min[0], simd.load(max_x, place));
            let below = simd.sub(y, max[1]);
            let above = simd.sub(min[1], simd.load(max_y, place));
            (simd.max(simd.max(left, right), zero), simd.max(simd.max(below, above), zero))
        } else {
            (simd.sub(x, min[0]), simd.sub(y, min[1]))
        };
        let length = simd.sqrt(simd.add(simd.mul(x, x), simd.mul(y, y)));
        let radii =
            if SHAPE == POINTS { *radius } else { simd.add(simd.load(radii, place), *radius) };
        bounds(*simd, length, radii)
    }

    /// The key of the nearest item of some runs; [`NONE`] if they have none.
    #[inline(always)]
    fn nearest(&self, around: &CellRuns) -> Result<u64, LeftOpen> {
        let Self { simd, ids, .. } = self;
        let (mut places, mut lanes, mut vectors) = ([0_u32; VECTORS], [0_u32; VECTORS], 0);
        let mut least = simd.splat(f32::INFINITY);
        for &[start, end] in &around.runs[..around.rows] {
            let (mut at, end) = (start as usize, end as usize);
            loop {
                if vectors == VECTORS {
                    return Err(LeftOpen::Crowded);
                }
                let count = (end - at).min(S::LANES);
                (places[vectors], lanes[vectors]) = (at as u32, first_bits(count));
                vectors += 1;
                simd.prefetch(&ids[at]);
                // A bound is not a number if a length is infinite. It bounds nothing.
                let [_, upper] = self.bounds(at);
                let behind_end = simd.load(&BEHIND_END, MAX_LANES - count);
                least = simd.min(simd.add(upper, behind_end), least);
                at += S::LANES;
                if at >= end {
                    break;
                }
            }
        }
        let least = least_lane(*simd, least);
        let limit = simd.splat(if least < 0.0 { 0.0 } else { least });
        let mut near = 0_u32;
        for (vector, lanes) in lanes[..vectors].iter_mut().enumerate() {
            let [lower, _] = self.bounds(places[vector] as usize);
            *lanes &= !simd.bits(simd.lt(limit, lower));
            near |= u32::from(*lanes != 0) << vector;
        }
        let mut key = NONE;
        while near != 0 {
            let vector = near.trailing_zeros() as usize;
            near &= near - 1;
            let mut bits = lanes[vector];
            while bits != 0 {
                let place = places[vector] as usize + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                key = key.min(self.key(place));
            }
        }
        Ok(key)
    }

    /// The key of the item at a place.
    #[inline(always)]
    fn key(&self, place: usize) -> u64 {
        let Self { items, ids, sides, .. } = self;
        let item = if SHAPE == POINTS {
            let [x, y] = [items.core.min_x[place], items.core.min_y[place]];
            RoundedBox { min_x: x, min_y: y, max_x: x, max_y: y, radius: 0.0 }
        } else {
            items.rounded_box(place)
        };
        key_of(box_distance(*sides, item).to_bits(), ids[place])
    }
}

/// The least lane.
#[inline(always)]
fn least_lane<S: Simd>(simd: S, lanes: S::F32) -> f32 {
    let mut values = [f32::INFINITY; MAX_LANES];
    simd.store(lanes, &mut values, 0);
    let mut half = S::LANES / 2;
    while half > 0 {
        for lane in 0..half {
            let other = values[lane + half];
            values[lane] = if other < values[lane] { other } else { values[lane] };
        }
        half /= 2;
    }
    values[0]
}
