//! How far an attempt to find the nearest items reaches.

use crate::{
    base::FEW_LEVELS,
    grid::{
        Grid,
        density::{COUNTED_REACH, MIN_REACH_SHARE},
    },
};

/// The most rows of all patches of a box: one of many, or one alone that looks for several items.
pub(super) const FEW_ROWS: usize = 16;
pub(super) const MANY_ROWS: usize = 64;

/// How much further than the first attempt each attempt reaches.
pub(crate) const ATTEMPTS: [f64; 4] = [1.0, 1.5, 3.0, 6.0];

/// A single box is tried with patches that have this share of the reach along columns, wherever in
/// its cell the box is: another attempt would cost it as much as the first.
const REACH_SHARE_ALONE: f64 = 0.8;

/// The values that all boxes of an attempt share.
pub(super) struct Attempt {
    pub(super) reach: f64,
    /// The rows of the patches of each level, and of all.
    pub(super) rows: [u32; FEW_LEVELS],
    pub(super) all_rows: usize,
    /// The reach between centres that is enough among as many items as are expected.
    center: f32,
    half: f32,
    /// No box needs a reach beyond the largest distance.
    pub(super) most: f32,
}

impl Attempt {
    /// An attempt for many boxes, or for one alone. `None` if patches of this reach have too many
    /// rows.
    #[inline(always)]
    pub(super) fn new(
        grid: &Grid,
        alone: bool,
        k: usize,
        max_distance: f32,
        factor: f64,
        most_rows: usize,
    ) -> Option<Self> {
        let (levels, density) = (grid.plan.levels(), &grid.density);
        if levels.len() > FEW_LEVELS {
            return None;
        }
        let reach = factor * if k == 1 { density.one } else { density.reach(k) };
        let mut rows = [0; FEW_LEVELS];
        for (rows, cells) in rows.iter_mut().zip(levels) {
            *rows = match alone {
                true => cells.all_patch_rows(REACH_SHARE_ALONE * reach),
                false => cells.patch_rows(reach),
            };
        }
        let all_rows = rows.iter().map(|rows| *rows as usize).fold(0, usize::saturating_add);
        (all_rows <= most_rows).then(|| Self {
            reach,
            rows,
            all_rows,
            // The counted items have misled a box that is tried again, so it reaches further: less
            // so if many items are wanted.
            center: {
                let longer = (factor.min(2.0) - 1.0) * (2.0 / (k as f64).sqrt()).min(1.0);
                (density.center_reach(k, COUNTED_REACH) * (1.0 + longer)) as f32
            },
            half: density.half as f32,
            most: max_distance.next_up(),
        })
    }

    /// A reach of at most `far` among `items` items, where `expected` were expected.
    #[inline(always)]
    pub(super) fn shortened(&self, far: f32, items: u32, expected: f32) -> f32 {
        let short = self.center / (items as f32 / expected).sqrt() - self.half;
        let least = MIN_REACH_SHARE as f32 * self.center;
        let short = if short > least { short } else { least };
        let short = if short < self.most { short } else { self.most };
        if short < far { short } else { far }
    }
}
