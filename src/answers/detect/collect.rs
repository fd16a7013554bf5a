//! Runs the tasks of a pass, and lists or counts their results.

use std::{
    cell::Cell,
    marker::PhantomData,
    ops::{ControlFlow, Range},
    slice,
};

use super::{
    narrow::{DetectionResult, Narrow, Take, Workspace},
    ordered_output::{BUFFER_RESULTS, TaskBuffer, TaskShare, Total},
    schedule::{MAX_TASKS_PER_THREAD, PartnerSearch, Schedule, WorkItem},
    scope::RunOptions,
    sink::{AllWorkers, ResultSink, SinkResult},
};
use crate::{
    base::{MAX_LEVELS, Pair, SimdLevel, parallel},
    error::{
        Error,
        limit::{Budget, Left, outcome},
    },
    grid::{
        AllPairs, BLOCK_PAIRS, Grid, GridView, Lookup, PairSink, Scan, Slabs, Sweep,
        with_layout_kind,
    },
    simd::{Isa, Table, dispatch, map_each},
};

/// One pass: the search for the partners of the items of a grid, in the same grid or in another
/// grid.
pub(super) struct Pass<'a> {
    grid: GridView<'a>,
    /// The lookup table of each level of `grid`; none if the target is another grid.
    tables: [Option<Table<'a>>; MAX_LEVELS],
    /// The grid that scans search.
    target: GridView<'a>,
    schedule: &'a Schedule,
    narrow: Narrow<'a>,
    /// The slabs of the items of both grids.
    slabs: &'a [Slabs; 2],
    /// Whether the tasks run on the pool.
    threads: bool,
}

impl<'a> Pass<'a> {
    /// A pass for the pairs among the items of a grid.
    pub(super) fn within(
        grid: &'a Grid,
        schedule: &'a mut Schedule,
        slabs: &'a mut [Slabs; 2],
        narrow: Narrow<'a>,
        threads: bool,
    ) -> Self {
        schedule.within(grid);
        let mut tables = [None; MAX_LEVELS];
        let view = grid.view();
        for slabs in &mut *slabs {
            slabs.clear();
        }
        if grid.few {
            return Self { grid: view, tables, target: view, schedule, narrow, slabs, threads };
        }
        narrow.set_slabs(slabs, [view; 2]);
        let starts = grid.sorted.starts(narrow.query.isa, &grid.plan, threads);
        for (level, cells) in grid.plan.levels().iter().enumerate() {
            let items = grid.sorted.items(level);
            let first = items.start;
            let cells_of = grid.sorted.cells_of(items);
            tables[level] = Some(starts.table(cells_of, first, cells.stride(), threads));
        }
        if threads {
            schedule.cut(parallel::threads());
        }
        Self { grid: view, tables, target: view, schedule, narrow, slabs, threads }
    }

    /// A pass for the pairs of an item of `grid` and an item of `target`: of all items, or only of
    /// the places of each of some runs.
    pub(super) fn between(
        grid: GridView<'a>,
        target: GridView<'a>,
        runs: impl Iterator<Item = [Range<usize>; 2]>,
        schedule: &'a mut Schedule,
        slabs: &'a mut [Slabs; 2],
        narrow: Narrow<'a>,
        threads: bool,
    ) -> Self {
        schedule.between(grid, target, runs);
        for slabs in &mut *slabs {
            slabs.clear();
        }
        narrow.set_slabs(slabs, [grid, target]);
        if threads {
            schedule.cut(parallel::threads());
        }
        Self { grid, tables: [None; MAX_LEVELS], target, schedule, narrow, slabs, threads }
    }

    /// Runs the tasks of the pass, and returns the number of results.
    ///
    /// One thread writes directly to a list, several threads write to [buffers](TaskBuffer) first.
    /// A list keeps all results in order. A buffer keeps its length: it need not be initialised
    /// again for the next call.
    pub(super) fn fill<T: SinkResult>(
        &self,
        sink: ResultSink<'_, T>,
        options: &RunOptions<'_>,
        workers: &mut AllWorkers,
    ) -> Result<u64, Error> {
        let (limit, workers, threads) = (T::limit(options), T::workers(workers), self.threads);
        let (tasks, share) = (self.schedule.tasks(), self.share());
        let out = match sink {
            ResultSink::List(list) => list,
            #[cfg(feature = "queries")]
            ResultSink::Grid(_, list) => list,
            ResultSink::Behind(buffer) => {
                let (before, limit) = (buffer.len, limit.saturating_sub(buffer.len));
                let budget = Budget::new(limit);
                let left = self.keep(buffer, before, self.schedule.task(0), &budget);
                let found = (buffer.len - before) as u64 + left.dropped;
                if left.dropped > 0 || left.starved.is_some() || found > limit as u64 {
                    buffer.len = before;
                    outcome::<T>(&mut Vec::new(), found, limit, left.starved)?;
                }
                return Ok(found);
            }
            ResultSink::Count => {
                let workers = workers.each(tasks, share, threads, |worker, task| {
                    worker.left.dropped += self.count::<T>(self.schedule.task(task));
                });
                return Ok(workers.iter().map(|worker| worker.left.dropped).sum());
            }
        };
        let budget = Budget::new(limit);
        let keep = |buffer: &mut TaskBuffer<T>, task: usize| {
            self.keep(buffer, 0, self.schedule.task(task), &budget)
        };
        let Total { kept, left } = if threads {
            workers.collect(out, tasks, share, limit, keep)
        } else {
            let mut buffer = TaskBuffer { list: std::mem::take(out), len: 0 };
            let left = keep(&mut buffer, 0);
            buffer.prepare(buffer.len);
            buffer.list.truncate(buffer.len);
            *out = buffer.list;
            Total { kept: out.len(), left }
        };
        outcome(out, kept as u64 + left.dropped, limit, left.starved)?;
        Ok(out.len() as u64)
    }

    /// Returns the number of results of `items`.
    fn count<T: DetectionResult>(&self, items: &[WorkItem]) -> u64 {
        if self.narrow.decided && self.narrow.asked.is_none() {
            let (pairs, full) = (&mut Vec::new(), &mut |_: &mut Vec<Pair>, len| len);
            let meeting = self.narrow.meeting.as_ref();
            let mut sink = PairSink { pairs, len: 0, counted: Some(0), meeting, full };
            self.run(items, &mut sink);
            return sink.counted.unwrap_or_default();
        }
        let mut total = 0;
        self.narrow.workspaces.with(|workspace| {
            let mut take = |found: &[T]| {
                total += found.len() as u64;
                ControlFlow::Continue(())
            };
            let _ = self.run_in_blocks(&mut items.iter().cloned(), workspace, &mut take);
        });
        total
    }

    /// Passes all results to `take`, in order, block by block, on the calling thread, until it
    /// breaks. Returns whether it has.
    pub(super) fn for_each<T: DetectionResult>(&self, take: &mut Take<'_, T>) -> ControlFlow<()> {
        let steps = &mut self.schedule.steps();
        self.narrow.workspaces.with(|workspace| self.run_in_blocks(steps, workspace, take))
    }

    /// Runs `items`, and keeps their results behind the `first` results of the buffer, as long as
    /// the budget lasts. Returns the number of results that are left out: results beyond the budget
    /// are counted.
    fn keep<T: DetectionResult>(
        &self,
        buffer: &mut TaskBuffer<T>,
        first: usize,
        items: &[WorkItem],
        budget: &Budget,
    ) -> Left {
        let TaskBuffer { list, len } = buffer;
        let mut left = Left::default();
        let decided = self.narrow.decided;
        let Some(pairs) = T::listed(list).filter(|_| decided) else {
            list.truncate(first);
            let mut take = |found: &[T]| {
                left.append(list, found, budget);
                ControlFlow::Continue(())
            };
            let items = &mut items.iter().cloned();
            let workspaces = self.narrow.workspaces;
            let _ = workspaces.with(|workspace| self.run_in_blocks(items, workspace, &mut take));
            *len = list.len();
            return left;
        };
        let mut reported = first;
        let mut full = |pairs: &mut Vec<Pair>, len: usize| {
            let len = reported + self.narrow.asked(&mut pairs[reported..len]);
            let kept = budget.keep(len - reported);
            if kept && left.starved.is_none() {
                match make_room(pairs, len, first.saturating_add(budget.limit())) {
                    Ok(()) => {
                        reported = len;
                        return len;
                    }
                    Err(refused) => left.starved = Some(refused),
                }
            }
            // Beyond the limit, or out of memory: from here on, pairs are only counted, and the
            // buffer is overwritten. It may be empty, and is then made one block long; an
            // allocation as small as that is expected to succeed.
            if pairs.len() < first + BUFFER_RESULTS {
                pairs.resize(first + BUFFER_RESULTS, Pair::default());
            }
            left.dropped += (len - first) as u64;
            reported = first;
            first
        };
        let meeting = self.narrow.meeting.as_ref();
        let mut sink = PairSink { pairs, len: first, counted: None, meeting, full: &mut full };
        self.run(items, &mut sink);
        let end = sink.len;
        *len = reported + self.narrow.asked(&mut pairs[reported..end]);
        left
    }

    /// The order in which threads take tasks. Without parts, s4 on two threads has 15 MB of buffers
    /// instead of 5.
    fn share(&self) -> TaskShare {
        if self.schedule.tasks() <= MAX_TASKS_PER_THREAD {
            TaskShare::Part
        } else {
            TaskShare::Next
        }
    }

    /// Runs `items`, and passes the results to `take`, block by block. After `take` breaks, it
    /// receives no more; the remaining work on the current item is wasted. Returns whether it has.
    fn run_in_blocks<T: DetectionResult>(
        &self,
        items: &mut dyn Iterator<Item = WorkItem>,
        workspace: &mut Workspace,
        take: &mut Take<'_, T>,
    ) -> ControlFlow<()> {
        let Workspace { candidates, narrowphase } = workspace;
        let stopped = Cell::new(false);
        let mut take = |found: &[T]| {
            if !stopped.get() {
                stopped.set(take(found).is_break());
            }
        };
        let mut flush = |candidates: &mut Vec<Pair>, len: usize| {
            if candidates.len() < BUFFER_RESULTS {
                candidates.resize(BUFFER_RESULTS, Pair::default());
            }
            if stopped.get() {
                return 0;
            }
            let len = self.narrow.asked(&mut candidates[..len]);
            T::decide(narrowphase, &self.narrow, &mut candidates[..len], &mut take);
            0
        };
        let meeting = self.narrow.meeting.as_ref();
        let mut sink =
            PairSink { pairs: candidates, len: 0, counted: None, meeting, full: &mut flush };
        for item in items {
            self.run(slice::from_ref(&item), &mut sink);
            if stopped.get() {
                return ControlFlow::Break(());
            }
        }
        let rest = sink.len;
        flush(candidates, rest);
        if stopped.get() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Runs `items`, and writes their pairs to `sink`.
    fn run(&self, items: &[WorkItem], sink: &mut PairSink<'_>) {
        let Self { grid, target, narrow: Narrow { names, query, .. }, .. } = *self;
        let (isa, inclusive) = (query.isa, query.boxes_inclusive());
        let grids = [grid, target];
        let (sorted, forms) =
            (map_each(grids, |grid| grid.sorted), map_each(grids, |grid| grid.form));
        for WorkItem { job, items, .. } in items {
            let items = items.clone();
            match *job {
                PartnerSearch::AllPairs => {
                    let (sorted, ids) = (grid.sorted, names[0]);
                    with_layout_kind!(grid.form, I => {
                        let (runs, sink, layout) = (items, &mut *sink, PhantomData::<I>);
                        dispatch(isa, AllPairs { sorted, ids, runs, inclusive, sink, layout });
                    });
                }
                PartnerSearch::Sweep(level) => {
                    let Some(table) = self.tables[level] else { continue };
                    let (sorted, ids) = (grid.sorted, names[0]);
                    with_layout_kind!(grid.form, I => {
                        let (sink, layout) = (&mut *sink, PhantomData::<I>);
                        dispatch(isa, Sweep { sorted, ids, table, items, inclusive, sink, layout });
                    });
                }
                PartnerSearch::Scan { level, short_rows, candidate_lists } => {
                    let places = [items.start, target.items(level).start];
                    let slabs = map_each([0, 1], |side: usize| self.slabs[side].with(places[side]));
                    // Candidate lists have no places, by which filters and slabs are looked up.
                    let filtered = sink.meeting.is_some() || slabs[1].is_some();
                    let lists = candidate_lists && reads_lists(isa, filtered);
                    if let Some(candidate_lists) = target.lists(level).filter(|_| lists) {
                        let (ids, sink) = (names[0], &mut *sink);
                        dispatch(
                            isa,
                            Lookup { sorted, forms, items, candidate_lists, ids, inclusive, sink },
                        );
                        continue;
                    }
                    let (ids, runs, sink) = (names, self.schedule.runs(&items), &mut *sink);
                    dispatch(
                        isa,
                        Scan { grids, items, runs, ids, level, short_rows, inclusive, slabs, sink },
                    );
                }
            }
        }
    }
}

/// Whether a search on these instructions, with filters or without, reads candidate lists.
pub(super) fn reads_lists(isa: Isa, filtered: bool) -> bool {
    isa.level() != SimdLevel::Scalar && !filtered
}

/// Makes `pairs` longer than its first `len` pairs, at most `most`, by at least [`BLOCK_PAIRS`].
/// The list doubles, but becomes longer than `most` by a block only. On failure, returns the
/// length that could not be allocated.
fn make_room(pairs: &mut Vec<Pair>, len: usize, most: usize) -> Result<(), usize> {
    let mut wanted = len + BUFFER_RESULTS.max(len / 8);
    // If the capacity is enough, it is not grown: that would double a list that is only 8/9 full.
    if pairs.capacity() >= len + BLOCK_PAIRS {
        wanted = wanted.min(pairs.capacity());
    }
    let longest = most.saturating_add(BUFFER_RESULTS);
    wanted = wanted.min(longest);
    if wanted > pairs.capacity() {
        let doubled = wanted.max(pairs.capacity().saturating_mul(2)).min(longest);
        let grown = pairs.try_reserve_exact(doubled - pairs.len());
        let grown = grown.or_else(|_| pairs.try_reserve_exact(wanted - pairs.len()));
        grown.map_err(|_| wanted)?;
    }
    pairs.resize(wanted, Pair::default());
    Ok(())
}
