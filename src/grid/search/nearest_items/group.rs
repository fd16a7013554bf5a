//! A group of boxes, the runs of places that hold the items near each box, and how far an
//! attempt reaches.

use std::ops::Range;

use crate::{
    base::{F32_SLACK, FEW_LEVELS},
    grid::{
        Grid,
        density::{COUNTED_REACH, MIN_REACH_SHARE},
        plan::Patches,
    },
    kernel::{BoxColumns, ColumnSet, Items},
    simd::{Kernel, MAX_LANES, Simd},
    store::Layout,
};

/// The places of the rows of patches of a box.
pub(super) type Runs<const ROWS: usize> = [[u32; 2]; ROWS];

/// A group of boxes.
pub(super) struct BoxGroup<const LANES: usize, const ROWS: usize> {
    /// Left, lower, right and upper sides of the cores, and the radii.
    pub(super) sides: [[f32; LANES]; 5],
    /// Whether all cores are points.
    pub(super) points: bool,
    /// All items that are at most this far away from a box are in its runs. 0 or less if that is
    /// not known.
    pub(super) reach: [f32; LANES],
    pub(super) runs: [Runs<ROWS>; LANES],
    /// The number of items in the runs.
    pub(super) items: [u32; LANES],
}

impl<const LANES: usize, const ROWS: usize> BoxGroup<LANES, ROWS> {
    pub(super) const NONE: Self = Self {
        sides: [[0.0; LANES]; 5],
        points: false,
        reach: [0.0; LANES],
        runs: [[[0; 2]; ROWS]; LANES],
        items: [0; LANES],
    };
}

/// Computes the patches of a group of boxes.
pub(super) struct FindPatches<'a> {
    pub(super) grid: &'a Grid,
    pub(super) boxes: Layout<'a>,
    /// The numbers of the boxes.
    pub(super) rows: &'a [u32; MAX_LANES],
    pub(super) attempt: &'a Attempt,
    pub(super) group: &'a mut BoxGroup<MAX_LANES, FEW_ROWS>,
}

impl Kernel for FindPatches<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { grid, boxes, rows, attempt, group } = self;
        let BoxGroup { sides, points, .. } = group;
        let mut sized = 0;
        for at in (0..MAX_LANES).step_by(S::LANES) {
            let own = boxes.gather(simd, rows, at);
            let [min_x, min_y, max_x, max_y, radius] = &mut *sides;
            simd.store(own.min_x(), min_x, at);
            simd.store(own.min_y(), min_y, at);
            simd.store(own.max_x(), max_x, at);
            simd.store(own.max_y(), max_y, at);
            simd.store(own.radius(simd), radius, at);
            sized |= simd.bits(simd.lt(own.min_x(), own.max_x()));
            sized |= simd.bits(simd.lt(own.min_y(), own.max_y()));
        }
        *points = sized == 0;
        group.find_patches::<S, true>(simd, grid, attempt);
    }
}

impl<const LANES: usize, const ROWS: usize> BoxGroup<LANES, ROWS> {
    /// Computes the patches of the boxes, whose sides are known. `SHORTENS` says whether less is
    /// reached where there are more items than expected.
    #[inline(always)]
    pub(super) fn find_patches<S: Simd, const SHORTENS: bool>(
        &mut self,
        simd: S,
        grid: &Grid,
        attempt: &Attempt,
    ) {
        let Self { sides, reach, runs, items, .. } = self;
        let mut outer = [[0.0; LANES]; 4];
        for lane in 0..LANES {
            let radius = f64::from(sides[4][lane]);
            outer[0][lane] = f64::from(sides[0][lane]) - radius;
            outer[1][lane] = f64::from(sides[1][lane]) - radius;
            outer[2][lane] = f64::from(sides[2][lane]) + radius;
            outer[3][lane] = f64::from(sides[3][lane]) + radius;
        }
        let (mut far, mut expected) = ([attempt.reach; LANES], [0.0; LANES]);
        *items = [0; LANES];
        let mut first = 0;
        for (level, cells) in grid.plan.levels().iter().enumerate() {
            let count = attempt.rows[level];
            let patches = cells.patches(outer.each_ref(), count, attempt.reach);
            let each = cells.items_of_cell(grid.sorted.items(level).len()) * f64::from(count);
            for lane in 0..LANES {
                let reach = patches.reach[lane];
                far[lane] = if reach < far[lane] { reach } else { far[lane] };
                expected[lane] += (f64::from(patches.width[lane]) * each) as f32;
            }
            let rows = first..first + count as usize;
            find_runs(simd, (grid, level), &patches, rows.clone(), runs, items);
            first = rows.end;
        }
        for lane in 0..LANES {
            let far = (far[lane] * (1.0 - F32_SLACK)) as f32;
            reach[lane] = match SHORTENS {
                true => attempt.shortened(far, items[lane], expected[lane]),
                false => far.min(attempt.most),
            };
        }
    }
}

/// Looks up the places of the rows of patches. Prefetches their items, unless a single box reads
/// them at once.
#[inline(always)]
fn find_runs<S: Simd, const LANES: usize, const ROWS: usize>(
    simd: S,
    (grid, level): (&Grid, usize),
    patches: &Patches<LANES>,
    rows: Range<usize>,
    runs: &mut [Runs<ROWS>; LANES],
    items: &mut [u32; LANES],
) {
    let cells = &grid.plan.levels()[level];
    let (ids, BoxColumns { min_x, min_y, .. }) = (grid.sorted.ids(), grid.view().rounded().core);
    for (lane, (runs, items)) in runs.iter_mut().zip(items).enumerate() {
        for (row, run) in (0..).zip(&mut runs[rows.clone()]) {
            let places = grid.sorted.places_of(cells.patch_row(patches, lane, row));
            *run = [places.start as u32, places.end as u32];
            *items = items.saturating_add(run[1] - run[0]);
            if LANES == 1 {
                continue;
            }
            // A vector mostly crosses a border of cache lines.
            for at in [places.start, places.start + MAX_LANES - 1] {
                simd.prefetch(&ids[at]);
                simd.prefetch(&min_x[at]);
                simd.prefetch(&min_y[at]);
            }
        }
    }
}

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
