//! The check of a plan after the sort: whether its cells have come out too large.
//!
//! A plan is based on a sample. The sample has too few bodies to show how dense each of hundreds of
//! clusters is, or one town in a wide country; and it may miss sizes that many bodies have. Cells
//! then hold whole clusters, and each body is tested against thousands of others. After the sort,
//! the number of tests is known. It is read for some bodies of each level. If it is high, the area
//! per body is measured again, within single cells, and a new plan is made. The new plan costs a
//! second sort, which is much less than the tests that it saves. If it is low, reading it is the
//! whole cost.

use std::ops::Range;

use super::{
    CellSize, GridLevels, Plan, PlanInput, Sample,
    grid_plan::{BODIES_PER_CELL, least},
    levels::Uppers,
    sample::{golden_row, size},
};
use crate::{
    base::MAX_LEVELS,
    grid::sort::{BodyLayout, Sorted},
    kernel::{bodies::Bodies, columns::ColumnSet},
    simd::Scalar,
};

/// The fewest bodies of a level that is checked. For fewer, a second sort would take as long as the
/// tests.
const FEWEST: usize = 1 << 9;

/// One of this many bodies is probed; the fewest probes; and the most. (With one of 32, a detection
/// of ten thousand bodies was 3 % slower, because probes read memory at random.)
const ONE_OF: usize = 128;
const FEWEST_ASKED: usize = 1 << 4;
const MOST_ASKED: usize = 1 << 9;

/// Cells are good enough if bodies have at most this many tests on average. (Evenly spread bodies
/// have five or six.)
const MANY_TESTS: usize = 40;

/// A cell with this many bodies is overfull; the most overfull cells that are examined; and the
/// most bodies examined in each.
const OVERFULL: usize = 8;
const MOST_CELLS: u32 = 16;
const LOOKED_AT: usize = 32;

/// A new plan is worth a second sort if its cells have a quarter of the area, or are four times as
/// many.
const WORTH: f64 = 4.0;

/// If the median body of an overfull cell is smaller than the largest of its level by this factor,
/// the level holds too many sizes and needs a finer level below it.
const MANY_SIZES: f32 = 16.0;

/// The largest factor by which the area of cells shrinks in a grid that is searched. The smaller
/// its cells, the more rows each search looks up.
const MOST_SMALLER: f64 = (1 << 12) as f64;

/// What a sorted grid has shown, level by level.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::grid) struct Replan {
    uppers: Uppers,
    bodies: [usize; MAX_LEVELS],
    /// The area per body in each level whose cells are too large.
    rooms: [Option<f64>; MAX_LEVELS],
}

impl Replan {
    /// Returns what the bodies of `sorted` show about `plan`, which was made for `brief`; `None` if
    /// the plan is good enough.
    pub(in crate::grid) fn of<I: BodyLayout>(
        sorted: &Sorted,
        plan: &Plan,
        brief: &PlanInput<'_>,
        sample: &mut Sample,
    ) -> Option<Self> {
        if brief.cell_size != CellSize::Auto {
            return None;
        }
        let mut seen = Self { uppers: plan.uppers(), ..Self::default() };
        let mut should_change = false;
        for (level, cells) in plan.levels().iter().enumerate() {
            let bodies = sorted.bodies(level);
            seen.bodies[level] = bodies.len();
            if bodies.len() < FEWEST {
                continue;
            }
            let asked = asked(&bodies);
            let many = MANY_TESTS * asked.len();
            if asked.map(|place| sorted.tests(place, cells.stride())).sum::<usize>() <= many {
                continue;
            }
            // Had the sample shown all bodies of the level, it would have more helical cells than
            // bodies.
            should_change |= cells.wraps && WORTH * f64::from(cells.count) < bodies.len() as f64;
            let [width, height] = plan.cell(level);
            let area = width * height;
            let least_cell = |size: f32| {
                let finer =
                    *brief.levels == GridLevels::Auto && size * MANY_SIZES < plan.size(level);
                if finer { [least(size); 2] } else { plan.least_cell(level) }
            };
            let least_area = if brief.searched { area / MOST_SMALLER } else { 0.0 };
            if let Some(wanted) = area_of_cells::<I>(sorted, bodies, least_cell, sample)
                && WORTH * wanted.max(least_area) < area
            {
                seen.rooms[level] = Some(wanted.max(least_area) / BODIES_PER_CELL);
                should_change = true;
            }
        }
        should_change.then_some(seen)
    }

    /// A lower bound for the number of bodies of a size in `above < size <= upto`: the bodies of
    /// the levels that lie within these sizes.
    pub(super) fn bodies(&self, above: f32, upto: f32) -> usize {
        let within = self.levels().filter(|(_, sizes)| above <= sizes.start && sizes.end <= upto);
        within.map(|(level, _)| self.bodies[level]).sum()
    }

    /// The smallest area per body of the levels that overlap these sizes; `None` if the cells of
    /// all of them were small enough.
    pub(super) fn room(&self, above: f32, upto: f32) -> Option<f64> {
        let near = self.levels().filter(|(_, sizes)| sizes.start < upto && above < sizes.end);
        near.filter_map(|(level, _)| self.rooms[level]).min_by(f64::total_cmp)
    }

    /// The levels, each with the size that it begins above and the one that it goes up to.
    fn levels(&self) -> impl Iterator<Item = (usize, Range<f32>)> + '_ {
        let uppers = self.uppers.as_slice();
        let begins = std::iter::once(&-1.0).chain(uppers);
        begins.zip(uppers).map(|(&above, &upto)| above..upto).enumerate()
    }
}

/// The places of the bodies that are probed.
fn asked(bodies: &Range<usize>) -> impl ExactSizeIterator<Item = usize> + use<> {
    let (begin, count) = (bodies.start, bodies.len());
    let asked = (count / ONE_OF).clamp(FEWEST_ASKED, MOST_ASKED);
    (0..asked).map(move |index| begin + golden_row(index as u64, count))
}

/// The area that cells should have: the harmonic mean over overfull cells that smaller cells would
/// split. `None` if there are no such cells. `least_cell` returns the least sides of a cell for
/// bodies of a size.
fn area_of_cells<I: BodyLayout>(
    sorted: &Sorted,
    bodies: Range<usize>,
    least_cell: impl Fn(f32) -> [f64; 2],
    sample: &mut Sample,
) -> Option<f64> {
    let columns = sorted.padded::<I>();
    let (mut inverses, mut cells) = (0.0, 0);
    for place in asked(&bodies) {
        let crowd = sorted.cell_mates(place);
        if crowd.len() < OVERFULL {
            continue;
        }
        let some = crowd.len().min(LOOKED_AT);
        let (mut sums, mut sizes) = ([[0.0; 2]; LOOKED_AT], [0.0; LOOKED_AT]);
        for index in 0..some {
            let body = columns.splat(Scalar, crowd.start + index * crowd.len() / some);
            sums[index] = [body.min_x() + body.max_x(), body.min_y() + body.max_y()];
            sizes[index] = size(Scalar, body);
        }
        // A sort, because the sample has one for the same type.
        sizes[..some].sort_unstable_by(f32::total_cmp);
        let least = least_cell(sizes[some / 2]);
        let weight = crowd.len() as f64 / some as f64;
        // Bodies that all lie within the smallest possible cell cannot be split.
        if let Some(room) = sample.room_of_some(&sums[..some], weight, least, BODIES_PER_CELL) {
            inverses += 1.0 / (room * BODIES_PER_CELL).max(least[0] * least[1]);
            cells += 1;
            if cells == MOST_CELLS {
                break;
            }
        }
    }
    (cells > 0).then(|| f64::from(cells) / inverses)
}
