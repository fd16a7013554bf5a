//! `Nearby`: the items of a grid within a distance of a rounded box, and how far away they are.

use std::ops::Range;

use super::sink::first_bits;
use crate::{
    grid::{Grid, sort::RoundedLayout},
    kernel::columns::{BoxColumns, RoundedColumns},
    shape::RoundedBox,
    simd::{Kernel, MAX_LANES, Simd, map_each},
};

/// The most items that [`Nearby`] lists.
pub(crate) const MOST_NEARBY: usize = 64;

/// An item, with a lower bound of its distance.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct NearbyItem {
    /// The bits of the bound, which is at least 0: their order is the order of the bounds.
    bound: u32,
    pub(crate) place: u32,
}

impl NearbyItem {
    /// A distance that is not above the distance of the item, rounded to `f32`.
    pub(crate) fn bound(self) -> f32 {
        f32::from_bits(self.bound)
    }
}

/// Lists the items that are at most `reach` away from a rounded box, and some that are further away
/// by a few roundings. Returns their number, or `None` where it is not worth while: if more than
/// [`MOST_NEARBY`] items would have to be listed, or many more tested.
///
/// In plain words: for each level, for each row of the cells that may hold such an item, the
/// distances of the items of the row are computed by whole vectors, and a lower bound of each is
/// compared with the reach.
///
/// The bounds are proven in docs/numerics.md, "Nearest".
pub(crate) struct Nearby<'a> {
    pub(crate) grid: &'a Grid,
    pub(crate) sides: &'a RoundedBox,
    pub(crate) reach: f32,
    pub(crate) items: &'a mut [NearbyItem; MOST_NEARBY],
}

/// The share of the lengths in a distance by which its lower bound is below the computed value.
const SHARE: f32 = 1.0 / (1 << 21) as f32;

/// What underflow may take from a distance.
const UNDERFLOW: f32 = 1.0 / (1_u64 << 61) as f32;

/// The most items that are tested. Finding the places of a row of cells costs as much as testing
/// sixteen more.
const MOST_TESTED: usize = 16 * MAX_LANES;

impl Kernel for Nearby<'_> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Option<usize> {
        let Self { grid, sides, reach, items } = self;
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = *sides;
        let [own_min_x, own_min_y, own_max_x, own_max_y] =
            map_each([min_x, min_y, max_x, max_y], |side| simd.splat(side));
        let own_radius = simd.splat(radius);
        let (zero, share) = (simd.splat(0.0), simd.splat(SHARE));
        let underflow = simd.splat(UNDERFLOW);
        let limit = simd.splat(reach);

        let far = f64::from(reach) + f64::from(radius);
        let min = [f64::from(min_x) - far, f64::from(min_y) - far];
        let max = [f64::from(max_x) + far, f64::from(max_y) + far];
        let RoundedColumns { core, radius } = grid.sorted.read_as::<RoundedLayout>(grid.form);
        let (mut found, mut tested) = (0, 0);
        for (level, cells) in grid.plan.levels().iter().enumerate() {
            let bounds = grid.sorted.bounds(level);
            if bounds.beside(0, min[0], max[0]) || bounds.beside(1, min[1], max[1]) {
                continue;
            }
            let cover = cells.covering(min, max, grid.sorted.items(level).len());
            for row in 0..cover.rows {
                for cells in cover.row(row) {
                    let Range { start, end } = grid.sorted.places_of(cells);
                    tested += end - start + 1;
                    if tested > MOST_TESTED {
                        return None;
                    }
                    for at in (start..end).step_by(S::LANES) {
                        let BoxColumns { min_x, min_y, max_x, max_y } = core;
                        let left = simd.sub(simd.load(min_x, at), own_max_x);
                        let right = simd.sub(own_min_x, simd.load(max_x, at));
                        let below = simd.sub(simd.load(min_y, at), own_max_y);
                        let above = simd.sub(own_min_y, simd.load(max_y, at));
                        let x = simd.max(simd.max(left, right), zero);
                        let y = simd.max(simd.max(below, above), zero);
                        let length = simd.sqrt(simd.add(simd.mul(x, x), simd.mul(y, y)));
                        let radii = simd.add(simd.load(radius, at), own_radius);
                        let slack = simd.add(simd.mul(simd.add(length, radii), share), underflow);
                        let bound = simd.sub(simd.sub(length, radii), slack);
                        let hits = simd.bits(simd.le(bound, limit));
                        let mut bits = hits & first_bits((end - at).min(S::LANES));
                        if found + bits.count_ones() as usize > MOST_NEARBY {
                            return None;
                        }
                        let mut bounds = [0.0; MAX_LANES];
                        simd.store(simd.max(bound, zero), &mut bounds, 0);
                        while bits != 0 {
                            let lane = bits.trailing_zeros() as usize;
                            let bound = bounds[lane % MAX_LANES].to_bits();
                            items[found % MOST_NEARBY] =
                                NearbyItem { bound, place: (at + lane) as u32 };
                            found += 1;
                            bits &= bits - 1;
                        }
                    }
                }
            }
        }
        Some(found)
    }
}
