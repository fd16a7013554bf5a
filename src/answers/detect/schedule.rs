//! The searches of a pass: their order, and the tasks that they are cut into.

use std::ops::Range;

use crate::{
    base::{BLOCK_ROWS, MAX_LEVELS, TASK_ROWS, held},
    grid::{CoverSearch, Grid, GridView},
};

/// The largest number of tasks per thread: enough that all threads end at about the same time. With
/// more tasks, each would have fewer rows of cells, and a task also reads the row below its own
/// last row, which belongs to another thread.
pub(super) const MAX_TASKS_PER_THREAD: usize = 1 << 5;

/// The maximum number of tasks.
pub(super) const MAX_TASKS: usize = 1 << 8;

/// All searches of a pass, in the order in which their pairs are listed. The order is a function of
/// the grids alone.
#[derive(Debug, Default)]
pub(super) struct Schedule {
    items: Vec<WorkItem>,
    /// For each task, the index of the item after its last one.
    ends: Vec<usize>,
    /// The places of items, and of the few items of another grid that they are searched among.
    runs: Vec<[Range<usize>; 2]>,
}

held!(Schedule { items, ends, runs });

/// Some items, and where to search for their partners.
#[derive(Debug, Clone)]
pub(super) struct WorkItem {
    pub(super) job: PartnerSearch,
    /// The sorted positions of the items, which are all of one grid level.
    pub(super) items: Range<usize>,
    /// The approximate cost of each item, in swept items.
    weight: usize,
}

/// Where to search for partners.
#[derive(Debug, Clone, Copy)]
pub(super) enum PartnerSearch {
    /// Among the few items of a run. The items are numbers of runs.
    AllPairs,
    /// In the grid level of the items themselves.
    Sweep(usize),
    /// In another grid level, or in a level of another grid. Or among the few items of another grid
    /// that are of the same run, if there are [runs](Schedule::runs): the items are their numbers.
    Scan {
        /// The grid level of the target.
        level: usize,
        /// See [`CoverSearch::short_rows`].
        short_rows: bool,
        /// Whether to search the candidate lists of the level instead of its cells.
        candidate_lists: bool,
    },
}

impl Schedule {
    /// Schedules the pairs among the items of `grid`: for each level, a sweep of the level, then a
    /// scan for each finer level. Levels whose bounds do not touch are skipped.
    ///
    /// For two levels, the items of either can search the other; the cheaper direction is chosen.
    /// Usually the coarse items search: they are few, and each searches only the cells that it
    /// overlaps. If the coarse items are many and lie where no fine items are, a search by the
    /// fine items is cheaper. The cost of a search depends on the typical size of the items,
    /// which may be far below the size limit of their level, because several classes of rare sizes
    /// share a level.
    pub(super) fn within(&mut self, grid: &Grid) {
        self.items.clear();
        self.runs.clear();
        if grid.few {
            self.push(PartnerSearch::AllPairs, 0..grid.sorted.run_starts().len() - 1, 1);
            return self.whole();
        }
        let levels = grid.plan.levels().len();
        let mut sizes = [[0.0; 2]; MAX_LEVELS];
        if levels > 1 {
            for (level, size) in sizes[..levels].iter_mut().enumerate() {
                *size = grid.view().typical_size(level);
            }
        }
        let view = grid.view();
        for level in 0..levels {
            let sweep = |items, cost| self.push(PartnerSearch::Sweep(level), items, cost);
            grid.sorted.runs(&grid.plan, level, sweep);
            for finer in (0..level).rev() {
                let bounds = |level| grid.sorted.bounds(level);
                if !bounds(level).touches(&bounds(finer)) {
                    continue;
                }
                let [down, up] = [(level, finer), (finer, level)].map(|(from, to)| {
                    let (job, cost) = scan(view, from, sizes[from], view, to);
                    (job, grid.sorted.items(from), cost)
                });
                let work = |(_, items, cost): &(_, Range<usize>, usize)| items.len() * cost;
                let (job, items, cost) = if work(&down) <= work(&up) { down } else { up };
                self.push(job, items, cost);
            }
        }
        self.whole();
    }

    /// Schedules the pairs of an item of `grid` and an item of `target`: of all items, or of runs
    /// of few if there are any.
    pub(super) fn between(
        &mut self,
        grid: GridView<'_>,
        target: GridView<'_>,
        runs: impl Iterator<Item = [Range<usize>; 2]>,
    ) {
        self.items.clear();
        self.runs.clear();
        self.runs.extend(runs);
        let job = PartnerSearch::Scan { level: 0, short_rows: false, candidate_lists: false };
        self.push(job, 0..self.runs.len(), 1);
        for level in 0..grid.levels().len() {
            let size = grid.typical_size(level);
            for other in 0..target.levels().len() {
                if !target.items(other).is_empty() {
                    let (job, cost) = scan(grid, level, size, target, other);
                    self.push(job, grid.items(level), cost);
                }
            }
        }
        self.whole();
    }

    /// The runs of these numbers, if there are runs.
    pub(super) fn runs(&self, numbers: &Range<usize>) -> &[[Range<usize>; 2]] {
        self.runs.get(numbers.clone()).unwrap_or_default()
    }

    fn push(&mut self, job: PartnerSearch, items: Range<usize>, weight: usize) {
        if !items.is_empty() {
            self.items.push(WorkItem { job, items, weight });
        }
    }

    /// Makes one task of all items.
    fn whole(&mut self) {
        self.ends.clear();
        self.ends.push(self.items.len());
    }

    /// Cuts the items into tasks of about equal cost, for this number of threads.
    pub(super) fn cut(&mut self, threads: usize) {
        let work = |item: &WorkItem| item.items.len().saturating_mul(item.weight);
        let all = self.items.iter().map(work).fold(0, usize::saturating_add);
        let tasks = MAX_TASKS_PER_THREAD.saturating_mul(threads).clamp(1, MAX_TASKS);
        // In swept items. A dense spot of the scene becomes several tasks.
        let task = TASK_ROWS.max(all.div_ceil(tasks));
        self.ends.clear();
        let mut left = task;
        let mut index = 0;
        while index < self.items.len() {
            let WorkItem { job, ref items, weight } = self.items[index];
            let fit = (left / weight).max(1);
            if items.len() > fit {
                let middle = items.start + fit;
                let rest = WorkItem { job, items: middle..items.end, weight };
                self.items[index].items.end = middle;
                self.items.insert(index + 1, rest);
            }
            left = left.saturating_sub(work(&self.items[index]));
            index += 1;
            if left == 0 || index == self.items.len() {
                // There would be more tasks only if the sum of the work has saturated. The last
                // task then takes all items that are left.
                let end = if self.ends.len() + 1 < MAX_TASKS { index } else { self.items.len() };
                self.ends.push(end);
                (index, left) = (end, task);
            }
        }
    }

    /// The number of tasks.
    pub(super) fn tasks(&self) -> usize {
        self.ends.len()
    }

    /// The items of a task.
    pub(super) fn task(&self, task: usize) -> &[WorkItem] {
        let begin = if task == 0 { 0 } else { self.ends[task - 1] };
        &self.items[begin..self.ends[task]]
    }

    /// All items in order, in steps of at most [`BLOCK_ROWS`] items, so that a search whose
    /// callback has stopped can end between two steps: little work is wasted where every item
    /// touches all others, and the checks cost nothing.
    pub(super) fn steps(&self) -> impl Iterator<Item = WorkItem> {
        self.items.iter().flat_map(|&WorkItem { job, ref items, weight }| {
            items.clone().step_by(BLOCK_ROWS).map(move |start| {
                let items = start..items.end.min(start + BLOCK_ROWS);
                WorkItem { job, items, weight }
            })
        })
    }
}

/// Returns the search that finds the partners of the items of `level` of `grid` in level `other`
/// of `target`, and the approximate cost of one item, in swept items. `size` is the typical size
/// of the items.
fn scan(
    grid: GridView<'_>,
    level: usize,
    size: [f64; 2],
    target: GridView<'_>,
    other: usize,
) -> (PartnerSearch, usize) {
    let items = target.items(other).len();
    let levels = [&grid.levels()[level], &target.levels()[other]];
    let CoverSearch { cost, short_rows } = levels[1].search(levels[0], size, items);
    let (largest, searching) = (grid.size(level), grid.items(level).len());
    let candidate_lists = target.lists(other).is_some_and(|lists| lists.serves(largest, searching));
    let cost = if candidate_lists { 1 } else { cost };
    (PartnerSearch::Scan { level: other, short_rows, candidate_lists }, cost)
}

#[cfg(test)]
mod tests;
