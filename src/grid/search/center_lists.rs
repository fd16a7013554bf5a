//! Around: for each item of a grid, all items that it touches.

use std::ops::Range;

use super::sink::first_bits;
use crate::{
    base::{TASK_ROWS, THREAD_TASKS, held, parallel},
    error::limit::Budget,
    filter::Predicate,
    grid::{
        Grid,
        plan::sample::{golden_row, rows_drawn},
        sort::{CircleLayout, ItemLayout, LayoutKind, Sorted},
    },
    kernel::{
        ColumnSet, Rule,
        grown::{ask, surely_touch},
        overlap,
    },
    simd::{Isa, Kernel, MAX_LANES, Simd, dispatch, dispatch_moves},
};

/// For each item of a grid, the ids of all items that it touches, one list after the other.
///
/// In plain words:
///
/// ```text
/// for each item i, in sorted order, in cell c:
///     for each item j in the three cells above c, around c, below c, except i:
///         if overlap(i, j): append the id of j to the list of i
/// ```
///
/// Each pair is tested twice, unlike in a [`Sweep`](super::Sweep). That costs less than a scatter
/// of the pairs into lists: the ids of the hits are compressed in a register and stored whole at
/// the end of the list. Only circles are listed so, which points at a distance
/// are, too: with all layouts and policies there would be six times as much code.
///
/// On several threads, each task lists the items of a part of the order. Where a part begins is
/// known once the parts before it are found, so all parts are copied in the end.
#[derive(Debug, Default)]
pub(crate) struct CenterLists {
    /// The ids, and more values behind the last list.
    pub(crate) ids: Vec<u32>,
    /// Where the list of each item ends, in sorted order.
    pub(crate) ends: Vec<u32>,
    /// Workspace: the lists of each task.
    parts: Vec<PartLists>,
}

held!(CenterLists { ids, ends, parts });

/// The lists of a part of the items.
#[derive(Debug, Default)]
struct PartLists {
    ids: Vec<u32>,
    ends: Vec<u32>,
    /// Whether all items of the part are listed.
    whole: bool,
}

held!(PartLists { ids, ends, whole });

/// Cells with fewer items than this on average are tested with short vectors.
const SHORT_CELLS: usize = 3;

/// If, after the first [`FIRST_ASKED`] items, the predicate is asked about more than one of this
/// many items, it is faster to list all items and then to decide them.
const ITEMS_PER_ASKED: usize = 8;
const FIRST_ASKED: usize = 1 << 10;

/// The result of a search that stops because of that.
const TOO_MANY: usize = usize::MAX;

/// With fewer neighbours an item than this, it is faster to find and sort pairs than to make lists,
/// on AVX2 and AVX-512. (On the other levels, up to about 20 neighbours, but lists have one order
/// on all levels.)
const FEW_NEIGHBORS: f64 = 7.0;

impl CenterLists {
    /// Replaces the lists by the lists of the items of `grid`; `ids` has the id of the item at each
    /// place. With `below`, an item is listed only if its number there is above the number of the
    /// item whose list it is. Lists are ascending in places.
    ///
    /// Returns false if the lists would have more than `most` ids or if there is no memory for
    /// them, for grids that have several levels or are helical, for items that are not circles,
    /// under the exclusive policy, if many grown items have to be asked about, and where pairs are
    /// found and sorted sooner. The lists are then unspecified.
    ///
    /// The work is divided over the threads of the current rayon pool if `threads`.
    pub(crate) fn fill(
        &mut self,
        search: SearchedLists<'_>,
        below: Option<&[u32]>,
        most: usize,
    ) -> bool {
        let SearchedLists { isa, grid, ids, threads, grown, places } = search;
        let [cells] = grid.plan.levels() else { return false };
        let items = grid.sorted.items(0).len();
        let short = items < SHORT_CELLS * cells.count as usize;
        let items = places.map_or(items, <[u32]>::len);
        let (sorted, stride) = (&grid.sorted, cells.stride());
        let budget = Budget::new(most.min(u32::MAX as usize));
        let search = ListSearch { isa, sorted, stride, short, ids, below, budget, grown, places };
        if !threads {
            return search.list(0..items, &mut self.ids, &mut self.ends);
        }
        let tasks = (THREAD_TASKS * parallel::threads()).min(items.max(1));
        if self.parts.len() < tasks {
            self.parts.resize_with(tasks, PartLists::default);
        }
        parallel::each(&mut self.parts[..tasks], true, |number, PartLists { ids, ends, whole }| {
            *whole = search.list(parallel::part(items, tasks, number), ids, ends);
        });
        self.join(tasks)
    }

    /// Copies the lists of the parts. Returns false if a list is not whole, or if there is no
    /// memory.
    fn join(&mut self, tasks: usize) -> bool {
        let Self { ids, ends, parts } = self;
        let parts = &parts[..tasks];
        if !parts.iter().all(|part| part.whole) {
            return false;
        }
        // As many values behind the last list as a search leaves there.
        let found = parts.iter().map(|part| part.found().len()).sum::<usize>();
        let len = found + MAX_LANES;
        if len > ids.capacity() && ids.try_reserve_exact(len + len / 8 - ids.len()).is_err() {
            return false;
        }
        ids.resize(len, 0);
        parallel::copy_parts(parts, PartLists::found, &mut ids[..found]);
        ends.clear();
        for part in parts {
            let before = ends.last().copied().unwrap_or(0);
            ends.extend(part.ends.iter().map(|end| before + end));
        }
        true
    }

    /// The most [`parts`](Self::parts).
    pub(crate) const MOST_PARTS: usize = 8;

    /// The parts of the items whose lists are made one after the other, so that less memory is
    /// taken at a time. None for grids that have several levels or are helical, for items that are
    /// not circles, under the exclusive policy, and where pairs are found and sorted sooner.
    pub(crate) fn parts(grid: &Grid, inclusive: bool) -> usize {
        let [cells] = grid.plan.levels() else { return 0 };
        let can = !cells.wraps && grid.form == LayoutKind::Circle && inclusive;
        if !can || Self::has_fewer(grid, FEW_NEIGHBORS) {
            return 0;
        }
        let few = Self::has_fewer(grid, 2.0 * FEW_NEIGHBORS * Self::MOST_PARTS as f64);
        let parts = if few { Self::MOST_PARTS / 2 } else { Self::MOST_PARTS };
        if grid.sorted.items(0).len() < TASK_ROWS { 1 } else { parts }
    }

    /// Whether an item is expected to have fewer neighbours than `limit`. How many to expect in the
    /// only cell is not known.
    fn has_fewer(Grid { plan, sorted, .. }: &Grid, limit: f64) -> bool {
        let items = sorted.items(0);
        if plan.cells() == 1 {
            return false;
        }
        let others = |index| {
            let place = items.start + golden_row(index as u64, items.len());
            sorted.cell_mates(place).len() - 1
        };
        let [asked, _] = rows_drawn(items.len());
        let in_cells = (0..asked).map(others).sum::<usize>() as f64;
        // A neighbour is in a circle whose radius is the size of an item.
        let (radius, [width, height]) = (f64::from(plan.size(0)), plan.cell(0));
        let area = std::f64::consts::PI * radius * radius;
        in_cells * area < limit * asked as f64 * width * height
    }
}

impl PartLists {
    /// The ids of all lists.
    fn found(&self) -> &[u32] {
        &self.ids[..self.ends.last().map_or(0, |end| *end as usize)]
    }
}

/// The input of [`CenterLists::fill`].
#[derive(Clone, Copy)]
pub(crate) struct SearchedLists<'a> {
    pub(crate) isa: Isa,
    pub(crate) grid: &'a Grid,
    /// The id of the item at each place.
    pub(crate) ids: &'a [u32],
    pub(crate) threads: bool,
    /// Decides which items are listed, if they are [grown](Predicate::grown).
    pub(crate) grown: Option<Predicate<'a>>,
    /// The places of the items whose lists are made, in ascending order; `None` for all items.
    pub(crate) places: Option<&'a [u32]>,
}

/// A search of a grid of one level.
struct ListSearch<'a> {
    isa: Isa,
    sorted: &'a Sorted,
    stride: usize,
    /// Whether the runs are short: see [`Simd::half`].
    short: bool,
    ids: &'a [u32],
    below: Option<&'a [u32]>,
    /// The ids in the lists of all tasks.
    budget: Budget,
    grown: Option<Predicate<'a>>,
    places: Option<&'a [u32]>,
}

impl ListSearch<'_> {
    /// Replaces the content of `out` and `ends` by the lists of these items, by their numbers among
    /// the items whose lists are made. Returns false if all lists
    /// together have more than `most` ids, if there is no memory, or if too many items are asked
    /// about.
    fn list(&self, items: Range<usize>, out: &mut Vec<u32>, ends: &mut Vec<u32>) -> bool {
        ends.clear();
        ends.reserve(items.len());
        let mut len = 0;
        loop {
            let before = len;
            // With one loop that branches on `below`, full lists took 1.05 times as long, and with
            // a branch on grown items 1.15 times.
            let rest = items.start + ends.len()..items.end;
            let below = self.below.unwrap_or_default();
            let test = Test::<false, false> { search: self, rest, below, out, len: &mut len, ends };
            let wanted = match (self.grown, self.below) {
                (Some(_), _) => dispatch_moves(self.isa, test.of::<false, true>()),
                (None, Some(_)) => dispatch(self.isa, test.of::<true, false>()),
                (None, None) => dispatch(self.isa, test),
            };
            if wanted == TOO_MANY || !self.budget.keep(len - before) {
                return false;
            }
            if ends.len() == items.len() {
                return true;
            }
            // A list that spreads slowly gets a little longer at every step.
            let longer = (len + wanted).max(len + len / 4 + 2 * items.len());
            if out.capacity() < longer && out.try_reserve_exact(longer - out.len()).is_err() {
                return false;
            }
            out.resize(longer, 0);
        }
    }
}

/// Lists items until all items are done or there is no space for the next item. Returns the space
/// that the next item may need.
struct Test<'a, const HALF: bool, const GROWN: bool> {
    search: &'a ListSearch<'a>,
    /// The numbers of the items that are not listed yet.
    rest: Range<usize>,
    /// Empty for full lists.
    below: &'a [u32],
    out: &'a mut [u32],
    len: &'a mut usize,
    ends: &'a mut Vec<u32>,
}

impl<const HALF: bool, const GROWN: bool> Kernel for Test<'_, HALF, GROWN> {
    type Output = usize;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> usize {
        // Each loop is in a function of its own: see [`Simd::call`].
        if S::LANES > S::Half::LANES && self.search.short {
            simd.half().call(self)
        } else {
            self.list(simd)
        }
    }
}

impl<'a, const HALF: bool, const GROWN: bool> Test<'a, HALF, GROWN> {
    /// The same test in other code.
    fn of<const NEW_HALF: bool, const NEW_GROWN: bool>(self) -> Test<'a, NEW_HALF, NEW_GROWN> {
        let Self { search, rest, below, out, len, ends } = self;
        Test { search, rest, below, out, len, ends }
    }

    #[inline(always)]
    fn list<S: Simd>(self, simd: S) -> usize {
        let Self { search, rest, below, out, len, ends } = self;
        let ListSearch { sorted, stride, ids, grown, places, .. } = *search;
        let columns = sorted.padded::<CircleLayout>();
        let rule = Rule { inclusive: true, normal: CircleLayout::NORMAL };
        let half = HALF || GROWN && !below.is_empty();
        let cells = sorted.cells_of(sorted.items(0));
        let mut at = *len;
        let (mut wanted, mut asked) = (0, 0);
        for number in rest {
            let i = places.map_or(number, |places| places[number] as usize);
            let cell = cells[i] as usize;
            // Every row of cells ends with an empty cell. So a step left from the first cell, or
            // right from the last of a row, leads to no item.
            let runs = [
                sorted
                    .places_of(cell.saturating_sub(stride + 1)..(cell + 2).saturating_sub(stride)),
                sorted.places_of(cell.saturating_sub(1)..cell + 2),
                sorted.places_of(cell + stride - 1..cell + stride + 2),
            ];
            wanted = runs[0].len() + runs[1].len() + runs[2].len() + MAX_LANES;
            if out.len() < at + wanted {
                break;
            }
            if GROWN && asked > FIRST_ASKED + (at - *len) / ITEMS_PER_ASKED {
                return TOO_MANY;
            }
            let item = columns.splat(simd, i);
            let number = if half { below[i] } else { 0 };
            for run in runs {
                let mut from = run.start;
                // The first vector is tested with no branch on whether the run is empty.
                loop {
                    let others = columns.load(simd, from);
                    let hits = simd.bits(overlap(simd, item, others, rule));
                    let mut bits = hits & first_bits(run.end.wrapping_sub(from).min(S::LANES));
                    if half {
                        bits &= simd.above(below, from, number);
                    }
                    // Not the item itself.
                    let own = i.wrapping_sub(from);
                    let own = if own < S::LANES { 1 << own } else { 0 };
                    bits &= !own;
                    if GROWN && let Some(Predicate { accept, .. }) = grown {
                        let (rows, sure) = (sorted.ids(), surely_touch(simd, item, others));
                        let accepts = |lane: usize| accept(rows[i], rows[from + lane]);
                        let sure = simd.bits(sure);
                        asked += (bits & !sure).count_ones() as usize;
                        bits = ask(bits, sure, accepts);
                    }
                    at += simd.emit_ids(out, at, ids, from, bits);
                    from += S::LANES;
                    if from >= run.end {
                        break;
                    }
                }
            }
            ends.push(at as u32);
        }
        *len = at;
        wanted
    }
}
