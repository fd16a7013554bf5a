//! What the sorted bodies say of the plan that they were sorted by: whether its cells have come out too large.
//!
//! A plan goes by a sample. Of hundreds of clusters, or of one town in a wide country, the sample has too few bodies to
//! show how close together they are; and of sizes that it has missed there may be many. Cells then hold whole
//! clusters, and each body is tested against thousands. Once all are sorted, that shows: some bodies of each level are
//! asked how many others they will be tested against. Where these are many, the room that a body has is measured
//! again, by bodies of one cell at a time, and a new plan is made, which costs a second sort: much less than the tests
//! that it saves. Where they are not, the questions are all that it costs.

use std::ops::Range;

use super::{
    CellSize, GridLevels, MAX_LEVELS, Plan, PlanInput, Sample,
    grid_plan::{BODIES_PER_CELL, least},
    levels::Uppers,
    sample::{golden_row, size},
};
use crate::{
    grid::sort::{BodyLayout, Sorted},
    kernel::{bodies::Bodies, columns::ColumnSet},
    simd::Scalar,
};

/// A level of fewer bodies is left as it is: a second sort would take as long as its tests.
const FEWEST: usize = 1 << 9;

/// Of how many bodies one is asked, and how many at least and at most. (One in 32 made a detection of ten thousand 3 %
/// slower: what they are asked for is anywhere.)
const ONE_OF: usize = 128;
const FEWEST_ASKED: usize = 1 << 4;
const MOST_ASKED: usize = 1 << 9;

/// Cells are as they should be where bodies are tested against no more than so many others, on average. (Evenly spread,
/// it is five or six.)
const MANY_TESTS: usize = 40;

/// So many bodies in a cell are too many, and how many such cells are looked into, at so many of their bodies.
const OVERFULL: usize = 8;
const MOST_CELLS: u32 = 16;
const LOOKED_AT: usize = 32;

/// A new plan is worth a second sort if cells have a fourth of the area, or are four times as many.
const WORTH: f64 = 4.0;

/// Where most bodies of such a cell are smaller than the largest of their level by this factor, the level takes too many
/// sizes, and finer ones are wanted.
const MANY_SIZES: f32 = 16.0;

/// By how much less area cells have at most where others look for the cells that they cover: the smaller they are, the
/// more rows of them each has to look up.
const MOST_SMALLER: f64 = (1 << 12) as f64;

/// What a grid that was laid has shown, level by level.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::grid) struct Replan {
    uppers: Uppers,
    bodies: [usize; MAX_LEVELS],
    /// The room of the bodies of levels whose cells are too large.
    rooms: [Option<f64>; MAX_LEVELS],
}

impl Replan {
    /// What the bodies of `sorted` say of `plan`, which was made for `brief`, if it should be made anew.
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
            // Were they as many as the sample said, there would be more helical cells than bodies.
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

    /// How many bodies there are at least of a size in `above < size <= upto`: those of the levels within.
    pub(super) fn bodies(&self, above: f32, upto: f32) -> usize {
        let within = self.levels().filter(|(_, sizes)| above <= sizes.start && sizes.end <= upto);
        within.map(|(level, _)| self.bodies[level]).sum()
    }

    /// The room of bodies of these sizes, if cells were too large for some of them.
    pub(super) fn room(&self, above: f32, upto: f32) -> Option<f64> {
        let near = self.levels().filter(|(_, sizes)| sizes.start < upto && above < sizes.end);
        near.filter_map(|(level, _)| self.rooms[level]).min_by(f64::total_cmp)
    }

    /// The levels, with the sizes that each begins above and goes up to.
    fn levels(&self) -> impl Iterator<Item = (usize, Range<f32>)> + '_ {
        let uppers = self.uppers.as_slice();
        let begins = std::iter::once(&-1.0).chain(uppers);
        begins.zip(uppers).map(|(&above, &upto)| above..upto).enumerate()
    }
}

/// The places of some of the bodies.
fn asked(bodies: &Range<usize>) -> impl ExactSizeIterator<Item = usize> + use<> {
    let (begin, count) = (bodies.start, bodies.len());
    let asked = (count / ONE_OF).clamp(FEWEST_ASKED, MOST_ASKED);
    (0..asked).map(move |index| begin + golden_row(index as u64, count))
}

/// The area that cells should have where they are overfull, as bodies see it on average, if there are such cells that
/// smaller ones would part. `least_cell` has the least sides of a cell for bodies of a size.
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
        let (_, median, _) = sizes[..some].select_nth_unstable_by(some / 2, f32::total_cmp);
        let least = least_cell(*median);
        let weight = crowd.len() as f64 / some as f64;
        // Bodies that are all together within the smallest cell are parted by none.
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
