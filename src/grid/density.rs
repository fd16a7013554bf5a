//! `Density`: how many items are expected within a distance.

use std::f64::consts::PI;

use super::{
    plan::Plan,
    sort::{LayoutKind, Sorted, with_layout_kind},
};

/// How many more than `k` items are expected within a reach if `k` are wanted: a number, and a
/// factor on the root of `k`. More items are expected around a box with unknown surroundings than
/// where the items of its patch have been counted.
const UNKNOWN_REACH: [f64; 2] = [1.2, 1.8];
pub(in crate::grid) const COUNTED_REACH: [f64; 2] = [0.6, 1.5];

/// The least share of a reach between centres that is left of it between surfaces.
pub(in crate::grid) const MIN_REACH_SHARE: f64 = 0.125;

/// The density of the items, as far as it is known.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::grid) struct Density {
    /// The radius of a circle in which one item is expected, of all levels.
    pub(in crate::grid) unit: f64,
    /// Half the size of a typical item.
    pub(in crate::grid) half: f64,
    /// How far the first attempt to find one item reaches.
    pub(in crate::grid) one: f64,
}

impl Density {
    /// The density of a grid with these levels and items.
    pub(in crate::grid) fn of(plan: &Plan, sorted: &Sorted, form: LayoutKind) -> Self {
        let (mut items, mut sizes, mut all) = (0.0, 0.0, 0.0_f64);
        for (level, cells) in plan.levels().iter().enumerate() {
            let places = sorted.items(level);
            let own = places.len();
            let [width, height] = cells.size();
            items += cells.items_of_cell(own) / (width * height);
            if !cells.is_of_points() {
                let [width, height] =
                    with_layout_kind!(form, I => sorted.typical_size::<I>(places));
                sizes += own as f64 * (width + height);
            }
            all += own as f64;
        }
        let (unit, half) = (1.0 / (items * PI).sqrt(), 0.25 * sizes / all.max(1.0));
        let density = Self { unit, half, one: 0.0 };
        Self { one: density.reach(1), ..density }
    }

    /// How far the first attempt to find `k` items reaches.
    #[inline(always)]
    pub(in crate::grid) fn reach(&self, k: usize) -> f64 {
        let center = self.center_reach(k, UNKNOWN_REACH);
        (center - self.half).max(MIN_REACH_SHARE * center)
    }

    /// The distance between centres within which a few more than `k` items are expected.
    #[inline(always)]
    pub(in crate::grid) fn center_reach(&self, k: usize, [more, of_root]: [f64; 2]) -> f64 {
        let k = k as f64;
        (k + more + of_root * k.sqrt()).sqrt() * self.unit
    }
}
