//! `Around`: the items of a grid near a place, a vector at a time.

use std::ops::Range;

use super::sink::first_bits;
use crate::{
    grid::{GridView, sort::RoundedLayout},
    kernel::{ColumnSet, RoundedItems},
    simd::{Kernel, Simd, map_each},
};

/// A function of vectors of items.
pub(crate) trait EachVector {
    /// Takes the items at the places from `at` on. The items of lanes whose bits are not set in
    /// `valid` are passed elsewhere or not at all.
    fn take<S: Simd>(&mut self, simd: S, items: RoundedItems<S>, at: usize, valid: u32);
}

/// Passes all items that may be within a reach of a place to `each`, and further items of their
/// cells. Each item is passed once.
pub(crate) struct Around<'a, 'b, V> {
    pub(crate) grid: GridView<'a>,
    pub(crate) place: [f32; 2],
    pub(crate) reach: f32,
    pub(crate) each: &'b mut V,
}

impl<V: EachVector> Kernel for Around<'_, '_, V> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { grid, place, reach, each } = self;
        let (place, reach) = (map_each(place, f64::from), f64::from(reach));
        let (min, max) = (map_each(place, |at| at - reach), map_each(place, |at| at + reach));
        let items = grid.sorted.read_as::<RoundedLayout>(grid.form);
        for cover in grid.covers(min, max) {
            for row in 0..cover.rows {
                for cells in cover.row(row) {
                    let Range { start, end } = grid.sorted.places_of(cells);
                    for at in (start..end).step_by(S::LANES) {
                        let valid = first_bits((end - at).min(S::LANES));
                        each.take(simd, items.load(simd, at), at, valid);
                    }
                }
            }
        }
    }
}
