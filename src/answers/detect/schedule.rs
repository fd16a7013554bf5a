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
mod tests {
    //! Tests against schedules that were cut by hand, and on small grids.

    #![allow(clippy::single_range_in_vec_init, reason = "these are lists of ranges")]

    use super::*;
    use crate::{
        Columns, SimdLevel,
        grid::{BuildInput, CellSize, GridLevels, Partition},
        index::Compact,
        scene::{Scene, SceneKind},
        simd::Isa,
        store::ColumnWorkspace,
    };

    /// A schedule of sweeps of the grid levels 0, 1, ...; for each, the number of items and their
    /// weight.
    fn schedule(items: &[(usize, usize)]) -> Schedule {
        let mut schedule = Schedule::default();
        let mut first = 0;
        for (level, &(items, weight)) in items.iter().enumerate() {
            schedule.push(PartnerSearch::Sweep(level), first..first + items, weight);
            first += items;
        }
        schedule.whole();
        schedule
    }

    /// For each task, the items of its items.
    fn tasks(schedule: &Schedule) -> Vec<Vec<Range<usize>>> {
        let items = |task| schedule.task(task).iter().map(|item| item.items.clone()).collect();
        (0..schedule.tasks()).map(items).collect()
    }

    #[test]
    fn whole_work_is_one_task() {
        assert_eq!(tasks(&schedule(&[(10_000, 1), (5, 7)])), [[0..10_000, 10_000..10_005]]);
        assert_eq!(tasks(&schedule(&[])), [[]; 1]);
        // Levels without items make no items.
        assert_eq!(tasks(&schedule(&[(0, 1), (5, 1), (0, 3)])), [[0..5]]);
    }

    #[test]
    fn tasks_are_of_one_size() {
        let cut = |items: &[(usize, usize)]| {
            let mut schedule = schedule(items);
            schedule.cut(8);
            tasks(&schedule)
        };
        assert!(cut(&[]).is_empty());
        assert_eq!(cut(&[(8192, 1)]), [[0..8192]]);
        assert_eq!(cut(&[(20_000, 1)]), [[0..8192], [8192..16_384], [16_384..20_000]]);
        // A task that is not full continues with the next item.
        assert_eq!(cut(&[(3000, 1), (9000, 1)]), [&[0..3000, 3000..8192][..], &[8192..12_000]]);
        // If items cost more, a task has fewer items, but at least one.
        assert_eq!(cut(&[(100, 128)]), [[0..64], [64..100]]);
        assert_eq!(cut(&[(3, 10_000)]), [[0..1], [1..2], [2..3]]);
        assert_eq!(cut(&[(8000, 1), (2, 1000)]), [&[0..8000, 8000..8001][..], &[8001..8002]]);
        // A task has at least a 256th of all work.
        let large = cut(&[(1 << 22, 1)]);
        assert_eq!((large.len(), &large[255][..]), (256, &[(1 << 22) - (1 << 14)..1 << 22][..]));
        // Sums saturate, and the last task takes all items that are left.
        assert_eq!(cut(&[(2, usize::MAX), (3, usize::MAX)]).len(), 5);
        let most = cut(&[(1000, usize::MAX)]);
        assert_eq!((most.len(), &most[255][..]), (256, &[255..256, 256..1000][..]));
        // Two threads have 32 tasks each.
        let mut two = schedule(&[(1 << 22, 1)]);
        two.cut(2);
        assert_eq!(two.tasks(), 64);
    }

    /// The tasks have all items of all items, once, in order; there are not too many tasks.
    #[test]
    fn nothing_is_lost() {
        let mut number = 1_u64;
        let mut next = |end: u64| {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((number >> 33) % end) as usize
        };
        for _ in 0..2000 {
            let largest = 1 << next(22);
            let items: Vec<(usize, usize)> =
                (0..next(40)).map(|_| (next(largest), 1 + next(1 << (largest % 13)))).collect();
            let mut schedule = schedule(&items);
            let all: Vec<WorkItem> = schedule.items.clone();
            let threads = 1 + next(20);
            schedule.cut(threads);
            let mut parts = (0..schedule.tasks()).flat_map(|task| schedule.task(task));
            for item in all {
                let mut at = item.items.start;
                while at < item.items.end {
                    let part = parts.next().expect("the work goes on");
                    assert_eq!((part.items.start, part.weight), (at, item.weight));
                    assert!(
                        matches!((part.job, item.job), (PartnerSearch::Sweep(a), PartnerSearch::Sweep(b)) if a == b)
                    );
                    at = part.items.end;
                }
                assert_eq!(at, item.items.end);
            }
            assert!(parts.next().is_none());
            assert!((0..schedule.tasks()).all(|task| !schedule.task(task).is_empty()));
            let most = MAX_TASKS.min(MAX_TASKS_PER_THREAD * threads);
            assert!(schedule.tasks() <= most, "{} tasks for {threads} threads", schedule.tasks());
        }
    }

    /// A grid over these circles, sorted in two steps.
    fn grid(x: &[f32], y: &[f32], radius: &[f32]) -> Grid {
        let isa = Isa::new(SimdLevel::Scalar).unwrap();
        let (mut compact, mut room) = (Compact::default(), ColumnWorkspace::default());
        let columns = Columns::circles(x, y, radius).unwrap();
        let (shapes, ids) =
            compact.close(columns.rows(isa, &mut room).unwrap(), None, isa, false).unwrap();
        let (mut grid, mut partition) = (Grid::default(), Partition::default());
        let input = BuildInput {
            isa,
            shapes,
            ids,
            ends: &[],
            cell_size: CellSize::Auto,
            levels: &GridLevels::Auto,
            searched: false,
            changes: false,
            candidate_lists: false,
            threads: true,
        };
        grid.build(&input, &mut partition);
        grid
    }

    /// 3000 of 23,000 circles are at one position and make 4.5 million pairs. Neither of two threads
    /// should get all of that work.
    #[test]
    fn a_crowd_is_the_work_of_many() {
        const CROWD: usize = 3000;
        let mut x: Vec<f32> = (0..20_000).map(|i| (i % 160) as f32).collect();
        let mut y: Vec<f32> = (0..20_000).map(|i| (i / 160) as f32).collect();
        let radius = vec![0.25; x.len() + CROWD];
        let mut schedule = Schedule::default();
        schedule.within(&grid(&x, &y, &radius[..x.len()]));
        assert_eq!(schedule.items.len(), 1, "no part of an even scene costs more than another");

        x.extend([80.5; CROWD]);
        y.extend([60.5; CROWD]);
        let grid = grid(&x, &y, &radius);
        schedule.within(&grid);
        schedule.cut(2);
        let crowd: Vec<usize> =
            (0..x.len()).filter(|&place| grid.sorted.ids()[place] >= 20_000).collect();
        assert_eq!((crowd.len(), crowd[CROWD - 1] - crowd[0]), (CROWD, CROWD - 1), "side by side");
        let meetings = |items: &Range<usize>| -> usize {
            let after = |place: usize| crowd[0] + CROWD - 1 - place;
            items
                .clone()
                .filter(|place| (crowd[0]..crowd[0] + CROWD).contains(place))
                .map(after)
                .sum()
        };
        let tasks: Vec<usize> =
            tasks(&schedule).iter().map(|items| items.iter().map(meetings).sum()).collect();
        assert_eq!(tasks.iter().sum::<usize>(), CROWD * (CROWD - 1) / 2);
        let most = tasks.iter().max().unwrap();
        assert!(
            *most <= CROWD * CROWD / 2 / 12,
            "{most} of 4.5 million in one of {} tasks",
            tasks.len()
        );
    }

    /// The sizes follow a power law, and the sample has missed one of the four size classes: its
    /// hundred items share a level with the seven largest items. If each of these hundred items were as
    /// large as the seven, it would cover everything, and the finer items would search instead.
    #[test]
    fn rare_items_look_for_common_ones() {
        let scene = Scene::generate(SceneKind::PowerLawCircles, 10_000, 2);
        let items = scene.rounded_boxes();
        let [x, y, radius]: [Vec<f32>; 3] = [0, 1, 2]
            .map(|field| items.iter().map(|b| [b.min_x, b.min_y, b.radius][field]).collect());
        let grid = grid(&x, &y, &radius);
        let counts: Vec<usize> =
            (0..grid.plan.levels().len()).map(|level| grid.sorted.items(level).len()).collect();
        assert_eq!(counts, [8274, 1618, 108]);
        let mut schedule = Schedule::default();
        schedule.within(&grid);
        let mut scans = Vec::new();
        for WorkItem { job, items, .. } in &schedule.items {
            if let PartnerSearch::Scan { level, .. } = *job {
                let from = (0..3).find(|&level| grid.sorted.items(level) == *items);
                scans.push((from.expect("all items of a level"), level));
            }
        }
        assert_eq!(scans, [(1, 0), (2, 1), (2, 0)]);
    }

    #[test]
    fn steps_are_all_work_in_its_order() {
        let mut schedule = schedule(&[(600, 3), (256, 1), (1, 9)]);
        let whole: Vec<_> = schedule.steps().map(|step| step.items).collect();
        assert_eq!(whole, [0..256, 256..512, 512..600, 600..856, 856..857]);
        // The steps do not depend on where tasks end.
        schedule.cut(2);
        let places = schedule.steps().flat_map(|step| step.items);
        assert!(places.eq(0..857));
    }
}
