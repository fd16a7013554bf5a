//! How far an attempt to find the nearest items reaches.

use std::f64::consts::PI;

use crate::grid::Grid;

/// The most levels, and the most rows of all patches of a box.
pub(super) const MOST_LEVELS: usize = 4;
pub(super) const MOST_ROWS: usize = 16;

/// How much further than the first attempt each one reaches.
pub(super) const ATTEMPTS: [f64; 4] = [1.0, 1.5, 3.0, 6.0];

/// How many items are expected within a reach if `k` are wanted: `k`, and a number, and a factor on
/// the root of `k`. More where nothing is known of the surroundings of a
/// box than where its patch has been counted.
const UNKNOWN: [f64; 2] = [1.2, 1.8];
const COUNTED: [f64; 2] = [0.6, 1.5];

/// The least share of a reach between centres that is left of it between surfaces.
const LEAST: f64 = 0.125;

/// What is known of the density of the items.
pub(super) struct Density {
    /// The items that are expected in a unit of area, of all levels.
    items: f64,
    /// Half the size of a typical item.
    half: f64,
}

impl Density {
    pub(super) fn of(grid: &Grid) -> Self {
        let (mut items, mut sizes, mut all) = (0.0, 0.0, 0.0_f64);
        for (level, cells) in grid.plan.levels().iter().enumerate() {
            let own = grid.sorted.items(level).len();
            let [width, height] = cells.size();
            items += cells.items_of_cell(own) / (width * height);
            if !cells.is_of_points() {
                let [width, height] = grid.view().typical_size(level);
                sizes += own as f64 * (width + height);
            }
            all += own as f64;
        }
        Self { items, half: 0.25 * sizes / all.max(1.0) }
    }

    /// The distance between centres within which a few more than `k` items are expected.
    fn center_reach(&self, k: usize, [more, of_root]: [f64; 2]) -> f64 {
        let k = k as f64;
        ((k + more + of_root * k.sqrt()) / (self.items * PI)).sqrt()
    }
}

/// What all boxes of an attempt share.
pub(super) struct Attempt {
    pub(super) reach: f64,
    /// The rows of the patches of each level, and of all.
    pub(super) rows: [u32; MOST_LEVELS],
    pub(super) all_rows: usize,
    /// The reach between centres that is enough among as many items as are expected.
    center: f32,
    half: f32,
    /// No box needs a reach beyond the largest distance.
    most: f32,
}

impl Attempt {
    /// `None` if patches of this reach have too many rows.
    pub(super) fn new(
        grid: &Grid,
        density: &Density,
        k: usize,
        max_distance: f32,
        factor: f64,
    ) -> Option<Self> {
        let levels = grid.plan.levels();
        if levels.len() > MOST_LEVELS {
            return None;
        }
        let center = density.center_reach(k, UNKNOWN);
        let reach = factor * (center - density.half).max(LEAST * center);
        let mut rows = [0; MOST_LEVELS];
        for (rows, cells) in rows.iter_mut().zip(levels) {
            *rows = cells.patch_rows(reach);
        }
        let all_rows = rows.iter().map(|rows| *rows as usize).fold(0, usize::saturating_add);
        (all_rows <= MOST_ROWS).then(|| Self {
            reach,
            rows,
            all_rows,
            // What has been counted has misled a box that is tried again.
            center: (density.center_reach(k, COUNTED) * factor.min(2.0)) as f32,
            half: density.half as f32,
            most: max_distance.next_up(),
        })
    }

    /// A reach of at most `far` among `items` items, where `expected` were expected.
    #[inline(always)]
    pub(super) fn shortened(&self, far: f32, items: u32, expected: f32) -> f32 {
        let short = self.center / (items as f32 / expected).sqrt() - self.half;
        let least = LEAST as f32 * self.center;
        let short = if short > least { short } else { least };
        let short = if short < self.most { short } else { self.most };
        if short < far { short } else { far }
    }
}
