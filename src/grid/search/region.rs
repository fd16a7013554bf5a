//! The items of a grid that touch one rounded box (`Region`), or are near a place (`Around`).

use std::{
    ops::{ControlFlow, Range},
    slice::from_ref,
};

use super::sink::first_bits;
use crate::{
    grid::{GridView, sides::sides_of, sort::RoundedLayout},
    kernel::{BoxColumns, ColumnSet, RoundedColumns, RoundedItems, Rule, overlap},
    shape::RoundedBox,
    simd::{Kernel, Scalar, Simd, map_each},
};

/// Passes the places of all items that touch a rounded box to `each`, in the order of the grid,
/// until `each` breaks.
///
/// In plain words: for each level, for each row of the cells that may hold an item that touches the
/// box, each item is tested. A row of cells is one run of places.
pub(crate) struct Region<'a> {
    pub(crate) grid: GridView<'a>,
    pub(crate) sides: &'a RoundedBox,
    pub(crate) inclusive: bool,
    pub(crate) each: &'a mut dyn FnMut(usize) -> ControlFlow<()>,
}

impl Kernel for Region<'_> {
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> ControlFlow<()> {
        let Self { grid, sides, inclusive, each } = self;
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = sides;
        let [min_x, min_y, max_x, max_y] = map_each([min_x, min_y, max_x, max_y], from_ref);
        let core = BoxColumns { min_x, min_y, max_x, max_y };
        let region = RoundedColumns { core, radius: from_ref(radius) };
        let item = region.splat(simd, 0);
        let [[min_x], [min_y], [max_x], [max_y]] = sides_of::<_, _, 1>(Scalar, region, 0);

        let others = grid.sorted.read_as::<RoundedLayout>(grid.form);
        let rule = Rule { inclusive, normal: false };
        for cover in grid.covers([min_x, min_y], [max_x, max_y]) {
            for row in 0..cover.rows {
                for cells in cover.row(row) {
                    let Range { start, end } = grid.sorted.places_of(cells);
                    for at in (start..end).step_by(S::LANES) {
                        let hits = overlap(simd, item, others.load(simd, at), rule);
                        let mut bits = simd.bits(hits) & first_bits((end - at).min(S::LANES));
                        while bits != 0 {
                            each(at + bits.trailing_zeros() as usize)?;
                            bits &= bits - 1;
                        }
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }
}

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
