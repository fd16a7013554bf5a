//! The check of a plan after the sort: whether its cells have come out too large.
//!
//! A plan is based on a sample. The sample has too few items to show how dense each of hundreds of
//! clusters is, or one town in a wide country; and it may miss sizes that many items have. Cells
//! then hold whole clusters, and each item is tested against thousands of other items. After the
//! sort, the number of tests is known. It is read for some items of each level. If it is high, the
//! area per item is measured again, within single cells, and a new plan is made. The new plan costs
//! a second sort, which is much less than the tests that it saves. If it is low, reading it is the
//! whole cost.

use std::ops::Range;

use super::{
    plan::{
        BODIES_PER_CELL, CellSize, GridLevels, LEVEL_RATIO, Plan, PlanInput, Replan, Sample, least,
        sample::{MAX_CROWDING, golden_row, size},
    },
    sort::{ItemLayout, Sorted},
};
use crate::{
    base::{Portion, order::sort_f32},
    kernel::{ColumnSet, Items},
    simd::Scalar,
};

/// The fewest items of a level that is checked. For fewer, a second sort would take as long as the
/// tests.
const MIN_ITEMS_TO_PROBE: usize = 1 << 9;

/// The items of a level that are probed. (With one of 32, a detection of ten thousand items was 3 %
/// slower, because probes read memory at random.)
const PROBES: Portion = Portion { one_of: 128, least: 1 << 4, most: 1 << 9 };

/// Cells are good enough if items have at most this many tests on average. (Evenly spread items
/// have five or six.)
const MAX_TESTS_PER_ITEM: usize = 40;

/// A cell with this many items is overfull; the most overfull cells that are examined; and the most
/// items examined in each cell.
const OVERFULL_ITEMS: usize = 8;
const MAX_OVERFULL_CELLS: u32 = 16;
const MAX_EXAMINED_PER_CELL: usize = 32;

/// A new plan is worth a second sort if its cells have a quarter of the area, or if it has four
/// times as many cells.
const MIN_GAIN_OF_REPLAN: f64 = 4.0;

impl Replan {
    /// Returns the faults of `plan`, which was made for `input`, that the items of `sorted` show;
    /// `None` if the plan is good enough.
    pub(in crate::grid) fn of<I: ItemLayout>(
        sorted: &Sorted,
        plan: &Plan,
        input: &PlanInput<'_>,
        sample: &mut Sample,
    ) -> Option<Self> {
        if input.cell_size != CellSize::Auto {
            return None;
        }
        let mut seen = Self::of_levels(plan.uppers());
        let mut should_change = false;
        for (level, cells) in plan.levels().iter().enumerate() {
            let items = sorted.items(level);
            seen.items[level] = items.len();
            if items.len() < MIN_ITEMS_TO_PROBE {
                continue;
            }
            let asked = asked(&items);
            let many = MAX_TESTS_PER_ITEM * asked.len();
            if asked.map(|place| sorted.tests(place, cells.stride())).sum::<usize>() <= many {
                continue;
            }
            // Had the sample shown all items of the level, it would have more helical cells than
            // items.
            should_change |=
                cells.wraps && MIN_GAIN_OF_REPLAN * f64::from(cells.count) < items.len() as f64;
            let [width, height] = plan.cell(level);
            let area = width * height;
            // If the median item of an overfull cell is two levels smaller than the largest item,
            // the level holds too many sizes and needs a finer level below it.
            let least_cell = |size: f32| {
                let far = (LEVEL_RATIO * LEVEL_RATIO) as f32;
                let finer = *input.levels == GridLevels::Auto && size * far < plan.size(level);
                if finer { [least(size); 2] } else { plan.least_cell(level) }
            };
            // The smaller the cells of a grid that is searched, the more rows each search looks up.
            let least_area = if input.searched { area / MAX_CROWDING } else { 0.0 };
            if let Some(wanted) = area_of_cells::<I>(sorted, items, least_cell, sample)
                && MIN_GAIN_OF_REPLAN * wanted.max(least_area) < area
            {
                seen.areas[level] = Some(wanted.max(least_area) / BODIES_PER_CELL);
                should_change = true;
            }
        }
        should_change.then_some(seen)
    }
}

/// The places of the items that are probed.
fn asked(items: &Range<usize>) -> impl ExactSizeIterator<Item = usize> + use<> {
    let (begin, count) = (items.start, items.len());
    (0..PROBES.of(count)).map(move |index| begin + golden_row(index as u64, count))
}

/// The area that cells should have: the harmonic mean over overfull cells that smaller cells would
/// split. `None` if there are no such cells. `least_cell` returns the least sides of a cell for
/// items of a size.
fn area_of_cells<I: ItemLayout>(
    sorted: &Sorted,
    items: Range<usize>,
    least_cell: impl Fn(f32) -> [f64; 2],
    sample: &mut Sample,
) -> Option<f64> {
    let columns = sorted.padded::<I>();
    let (mut inverses, mut cells) = (0.0, 0);
    for place in asked(&items) {
        let crowd = sorted.cell_mates(place);
        if crowd.len() < OVERFULL_ITEMS {
            continue;
        }
        let some = crowd.len().min(MAX_EXAMINED_PER_CELL);
        let (mut sums, mut sizes) =
            ([[0.0; 2]; MAX_EXAMINED_PER_CELL], [0.0; MAX_EXAMINED_PER_CELL]);
        for index in 0..some {
            let item = columns.splat(Scalar, crowd.start + index * crowd.len() / some);
            sums[index] = [item.min_x() + item.max_x(), item.min_y() + item.max_y()];
            sizes[index] = size(Scalar, item);
        }
        sort_f32(&mut sizes[..some]);
        let least = least_cell(sizes[some / 2]);
        let weight = crowd.len() as f64 / some as f64;
        // Items that all lie within the smallest possible cell cannot be split.
        if let Some(area) = sample.area_of_some(&sums[..some], weight, least, BODIES_PER_CELL) {
            inverses += 1.0 / (area * BODIES_PER_CELL).max(least[0] * least[1]);
            cells += 1;
            if cells == MAX_OVERFULL_CELLS {
                break;
            }
        }
    }
    (cells > 0).then(|| f64::from(cells) / inverses)
}
