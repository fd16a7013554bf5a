//! What has to be swept and scanned, in which order, and in which portions.

use std::ops::Range;

use crate::grid::{CoverSearch, Grid, MAX_LEVELS};

/// The least work of a task, in bodies of a sweep: small enough that a dense spot of the scene
/// becomes several tasks, large enough that a task costs far more than handing it to another thread.
const TASK: usize = 1 << 13;

/// Tasks a thread: enough for all to end at about the same time. With more, each would have fewer rows of cells, and those
/// below its last one are another thread's, too.
const TASKS_A_THREAD: usize = 1 << 5;

/// Bodies between two looks at whether a callback wants more: so few that not much is done in vain where each
/// touches all others, so many that the look costs nothing.
const STRIDE: usize = 1 << 8;

/// How many tasks there are at most.
pub(super) const MAX_TASKS: usize = 1 << 8;

/// All work of a detection, in the order in which its pairs are listed: a function of the grid
/// alone.
#[derive(Debug, Default)]
pub(super) struct Schedule {
    items: Vec<WorkItem>,
    /// Where each task ends among the items.
    ends: Vec<usize>,
}

/// Bodies to find the partners of.
#[derive(Debug, Clone)]
pub(super) struct WorkItem {
    pub(super) job: Search,
    /// Their places; all of one level.
    pub(super) bodies: Range<usize>,
    /// About what one of them costs, in bodies of a sweep.
    weight: usize,
}

/// Where to look for partners.
#[derive(Debug, Clone, Copy)]
pub(super) enum Search {
    /// In their own level, this one.
    Sweep(usize),
    /// In this level of the target.
    Scan {
        level: usize,
        /// See [`Search::short_rows`].
        short_rows: bool,
        /// Whether its halos will do.
        neighbor_lists: bool,
    },
}

impl Schedule {
    /// The pairs among the bodies of `grid`: those of each level, followed by those of its bodies
    /// and the bodies of each finer level.
    ///
    /// Of two levels, the bodies of either can look for partners in the other. Mostly the coarse
    /// ones should: they are few, and what they look through is what they overlap. Where they are
    /// many and lie where the fine ones are not, the fine ones find that out sooner. What either costs goes with how
    /// large its bodies are, which is not as large as their level may take: of rare sizes, several classes share one.
    pub(super) fn within(&mut self, grid: &Grid) {
        self.items.clear();
        let levels = grid.plan.levels().len();
        let mut sizes = [[0.0; 2]; MAX_LEVELS];
        if levels > 1 {
            for (level, size) in sizes[..levels].iter_mut().enumerate() {
                *size = grid.typical_size(level);
            }
        }
        for level in 0..levels {
            let sweep = |bodies, cost| self.push(Search::Sweep(level), bodies, cost);
            grid.sorted.runs(&grid.plan, level, sweep);
            for finer in (0..level).rev() {
                let bounds = |level| grid.sorted.bounds(level);
                if !bounds(level).touches(&bounds(finer)) {
                    continue;
                }
                let [down, up] = [(level, finer), (finer, level)].map(|(from, to)| {
                    let (job, cost) = scan(grid, from, sizes[from], grid, to);
                    (job, grid.sorted.bodies(from), cost)
                });
                let work = |(_, bodies, cost): &(_, Range<usize>, usize)| bodies.len() * cost;
                let (job, bodies, cost) = if work(&down) <= work(&up) { down } else { up };
                self.push(job, bodies, cost);
            }
        }
        self.whole();
    }

    /// The pairs of the bodies of `grid` and those of `target`.
    pub(super) fn between(&mut self, grid: &Grid, target: &Grid) {
        self.items.clear();
        for level in 0..grid.plan.levels().len() {
            let size = grid.typical_size(level);
            for other in 0..target.plan.levels().len() {
                if !target.sorted.bodies(other).is_empty() {
                    let (job, cost) = scan(grid, level, size, target, other);
                    self.push(job, grid.sorted.bodies(level), cost);
                }
            }
        }
        self.whole();
    }

    fn push(&mut self, job: Search, bodies: Range<usize>, weight: usize) {
        if !bodies.is_empty() {
            self.items.push(WorkItem { job, bodies, weight });
        }
    }

    /// Makes one task of all.
    fn whole(&mut self) {
        self.ends.clear();
        self.ends.push(self.items.len());
    }

    /// Cuts the work into tasks of about the same cost, for so many threads.
    pub(super) fn cut(&mut self, threads: usize) {
        let work = |item: &WorkItem| item.bodies.len().saturating_mul(item.weight);
        let all = self.items.iter().map(work).fold(0, usize::saturating_add);
        let tasks = TASKS_A_THREAD.saturating_mul(threads).clamp(1, MAX_TASKS);
        let task = TASK.max(all.div_ceil(tasks));
        self.ends.clear();
        let mut left = task;
        let mut index = 0;
        while index < self.items.len() {
            let WorkItem { job, ref bodies, weight } = self.items[index];
            let fit = (left / weight).max(1);
            if bodies.len() > fit {
                let middle = bodies.start + fit;
                let rest = WorkItem { job, bodies: middle..bodies.end, weight };
                self.items[index].bodies.end = middle;
                self.items.insert(index + 1, rest);
            }
            left = left.saturating_sub(work(&self.items[index]));
            index += 1;
            if left == 0 || index == self.items.len() {
                // More than so many are wanted only where their sum is more than a number holds.
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

    /// The work of a task.
    pub(super) fn task(&self, task: usize) -> &[WorkItem] {
        let begin = if task == 0 { 0 } else { self.ends[task - 1] };
        &self.items[begin..self.ends[task]]
    }

    /// All work in its order, in steps of a few bodies, between which it can end.
    pub(super) fn steps(&self) -> impl Iterator<Item = WorkItem> {
        self.items.iter().flat_map(|&WorkItem { job, ref bodies, weight }| {
            bodies.clone().step_by(STRIDE).map(move |start| {
                let bodies = start..bodies.end.min(start + STRIDE);
                WorkItem { job, bodies, weight }
            })
        })
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.items.capacity() * size_of::<WorkItem>() + self.ends.capacity() * size_of::<usize>()
    }
}

/// The job of finding the partners of bodies of a level of `grid`, of about such a `size`, in a level of `target`, and
/// about what one of them costs, in bodies of a sweep.
fn scan(grid: &Grid, level: usize, size: [f64; 2], target: &Grid, other: usize) -> (Search, usize) {
    let bodies = target.sorted.bodies(other).len();
    let levels = [&grid.plan.levels()[level], &target.plan.levels()[other]];
    let CoverSearch { cost, short_rows } = levels[1].search(levels[0], size, bodies);
    let neighbor_lists =
        target.neighbor_lists[other].serves(grid.plan.size(level), grid.sorted.bodies(level).len());
    let cost = if neighbor_lists { 1 } else { cost };
    (Search::Scan { level: other, short_rows, neighbor_lists }, cost)
}

#[cfg(test)]
mod tests;
