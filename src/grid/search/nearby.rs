//! `Nearby`: the items of a grid within a distance of a rounded box, and how far away they are.

use std::{marker::PhantomData, ops::Range};

use super::sink::first_bits;
use crate::{
    base::pod,
    grid::{GridView, sort::ItemLayout},
    kernel::{columns::ColumnSet, items::Items},
    shape::RoundedBox,
    simd::{Kernel, MAX_LANES, Simd, map_each},
};

/// An item, with a lower bound of its distance: the bits of the bound, which is at least 0, and the
/// place. So the order of the numbers is the order of the bounds.
#[derive(Debug, Clone, Copy, Default)]
#[repr(transparent)]
pub(crate) struct NearbyItem(u64);

pod!(NearbyItem { 0 });

impl NearbyItem {
    #[inline(always)]
    fn new(bound: f32, place: usize) -> Self {
        Self(u64::from(bound.to_bits()) << 32 | place as u64)
    }

    /// A distance that is not above the distance of the item, rounded to `f32`.
    pub(crate) fn bound(self) -> f32 {
        f32::from_bits((self.0 >> 32) as u32)
    }

    pub(crate) fn place(self) -> usize {
        self.0 as u32 as usize
    }
}

/// Lists the items that are at most `reach` away from a rounded box, and some that are further away
/// by a few roundings. Returns their number, or `None` where it is not worth while: if there is no
/// place for all of them, or if many more would have to be tested.
///
/// In plain words: for each level, for each row of the cells that may hold such an item, the
/// distances of the items of the row are computed by whole vectors, and a lower bound of each is
/// compared with the reach.
///
/// The bounds are proven in docs/numerics.md, "Nearest".
pub(crate) struct Nearby<'a, I> {
    pub(crate) grid: GridView<'a>,
    pub(crate) sides: &'a RoundedBox,
    pub(crate) reach: f32,
    pub(crate) items: &'a mut [NearbyItem],
    /// The layout of the grid.
    pub(crate) layout: PhantomData<I>,
}

/// The share of the lengths in a distance by which its lower bound is below the computed value.
const SHARE: f32 = 1.0 / (1 << 21) as f32;

/// What underflow may take from a distance.
const UNDERFLOW: f32 = 1.0 / (1_u64 << 61) as f32;

/// A lower and an upper bound of distances, rounded to `f32`, by the lengths of gaps and the radii.
#[inline(always)]
pub(super) fn bounds<S: Simd>(simd: S, length: S::F32, radii: S::F32) -> [S::F32; 2] {
    let share = simd.mul(simd.add(length, radii), simd.splat(SHARE));
    let slack = simd.add(share, simd.splat(UNDERFLOW));
    let distance = simd.sub(length, radii);
    [simd.sub(distance, slack), simd.add(distance, slack)]
}

/// The most items that are tested, in units of the items that can be listed.
const MOST_TESTED: usize = 4;

impl<I: ItemLayout> Kernel for Nearby<'_, I> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Option<usize> {
        let Self { grid, sides, reach, items, .. } = self;
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = *sides;
        let [own_min_x, own_min_y, own_max_x, own_max_y] =
            map_each([min_x, min_y, max_x, max_y], |side| simd.splat(side));
        let own_radius = simd.splat(radius);
        let zero = simd.splat(0.0);
        let limit = simd.splat(reach);

        let far = f64::from(reach) + f64::from(radius);
        let min = [f64::from(min_x) - far, f64::from(min_y) - far];
        let max = [f64::from(max_x) + far, f64::from(max_y) + far];
        let others = grid.sorted.padded::<I>();
        let (mut found, mut tested, most_tested) = (0, 0, items.len() * MOST_TESTED);
        for cover in grid.covers(min, max) {
            for row in 0..cover.rows {
                for cells in cover.row(row) {
                    let Range { start, end } = grid.sorted.places_of(cells);
                    tested += end - start + 1;
                    if tested > most_tested {
                        return None;
                    }
                    for at in (start..end).step_by(S::LANES) {
                        let other = others.load(simd, at);
                        let left = simd.sub(other.min_x(), own_max_x);
                        let right = simd.sub(own_min_x, other.max_x());
                        let below = simd.sub(other.min_y(), own_max_y);
                        let above = simd.sub(own_min_y, other.max_y());
                        let x = simd.max(simd.max(left, right), zero);
                        let y = simd.max(simd.max(below, above), zero);
                        let length = simd.sqrt(simd.add(simd.mul(x, x), simd.mul(y, y)));
                        let radii = simd.add(other.radius(simd), own_radius);
                        let [bound, _] = bounds(simd, length, radii);
                        let hits = simd.bits(simd.le(bound, limit));
                        let mut bits = hits & first_bits((end - at).min(S::LANES));
                        if found + bits.count_ones() as usize > items.len() {
                            return None;
                        }
                        let mut bounds = [0.0; MAX_LANES];
                        simd.store(simd.max(bound, zero), &mut bounds, 0);
                        while bits != 0 {
                            let lane = bits.trailing_zeros() as usize;
                            items[found] = NearbyItem::new(bounds[lane % MAX_LANES], at + lane);
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
