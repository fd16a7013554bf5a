//! From tasks of the sweep to one ordered list of pairs.

use std::{cell::Cell, marker::PhantomData, ops::ControlFlow, slice};

use super::{
    narrow::{Found, Take, Workspace, WorkspacePool},
    ordered_output::{TaskBuffer, TaskShare, Total, Workers},
    schedule::{Schedule, Search, WorkItem},
};
use crate::{
    Error, Pair, SimdLevel,
    grid::{Grid, Lookup, MAX_LEVELS, ROOM, Scan, Sink, Sweep, with_layout_kind},
    limit::{Budget, Left, outcome},
    narrowphase::PairQuery,
    parallel,
    simd::{Table, dispatch},
};

/// Pairs in a buffer that is flushed or thrown away when full.
const BLOCK: usize = 2 * ROOM;

/// With up to so many tasks, each thread has a [part](Share::Part) of them (measured, docs/performance-log.md).
const PARTS: usize = 1 << 5;

/// A grid that is ready to sweep, and the one to scan: the same, or another.
pub(super) struct Pass<'a> {
    grid: &'a Grid,
    /// Of each level of `grid`.
    tables: [Option<Table<'a>>; MAX_LEVELS],
    target: &'a Grid,
    schedule: &'a Schedule,
    narrow: Narrow<'a>,
}

/// A narrowphase, and where it works.
#[derive(Clone, Copy)]
pub(super) struct Narrow<'a> {
    /// Whether the pairs of the sweep are what is asked for: pairs, of shapes that are axis-aligned.
    pub(super) decided: bool,
    /// Whether the sweep has seen shapes with more around them than half of the margin, so that boxes of pairs
    /// may be further apart than that.
    pub(super) wider: bool,
    /// What the sweep calls the bodies of either grid: as results do, but their places where contacts are made from the
    /// columns of the grid.
    pub(super) names: [&'a [u32]; 2],
    pub(super) rule: PairQuery<'a>,
    pub(super) workspaces: &'a WorkspacePool,
}

impl<'a> Pass<'a> {
    /// The pairs among the bodies of a grid.
    pub(super) fn within(
        grid: &'a Grid,
        schedule: &'a mut Schedule,
        narrow: Narrow<'a>,
        threads: bool,
    ) -> Self {
        let starts = grid.sorted.starts(narrow.rule.isa, &grid.plan, threads);
        let mut tables = [None; MAX_LEVELS];
        for (level, cells) in grid.plan.levels().iter().enumerate() {
            let bodies = grid.sorted.bodies(level);
            let first = bodies.start;
            let cells_of = grid.sorted.cells_of(bodies);
            tables[level] = Some(starts.table(cells_of, first, cells.stride(), threads));
        }
        schedule.within(grid);
        if threads {
            schedule.cut(parallel::threads());
        }
        Self { grid, tables, target: grid, schedule, narrow }
    }

    /// The pairs of the bodies of one grid and those of another.
    pub(super) fn between(
        grid: &'a Grid,
        target: &'a Grid,
        schedule: &'a mut Schedule,
        narrow: Narrow<'a>,
        threads: bool,
    ) -> Self {
        schedule.between(grid, target);
        if threads {
            schedule.cut(parallel::threads());
        }
        Self { grid, tables: [None; MAX_LEVELS], target, schedule, narrow }
    }

    /// The number of pairs.
    pub(super) fn count(&self, threads: bool, workers: &mut Workers<Pair>) -> u64 {
        let workers = workers.each(self.schedule.tasks(), self.share(), threads, |worker, task| {
            worker.left.dropped += self.count_items(self.schedule.task(task));
        });
        workers.iter().map(|worker| worker.left.dropped).sum()
    }

    /// The number of pairs that `items` find.
    fn count_items(&self, items: &[WorkItem]) -> u64 {
        if self.narrow.decided {
            let (pairs, full) = (&mut Vec::new(), &mut |_: &mut Vec<Pair>, len| len);
            let mut sink = Sink { pairs, len: 0, counted: Some(0), full };
            self.run(items, &mut sink);
            return sink.counted.unwrap_or_default();
        }
        let mut total = 0;
        self.narrow.workspaces.with(|workspace| {
            let mut take = |found: &[Pair]| {
                total += found.len() as u64;
                ControlFlow::Continue(())
            };
            self.run_in_blocks(&mut items.iter().cloned(), workspace, &mut take);
        });
        total
    }

    /// Hands all that is found to `take`, in order, block by block, on the calling thread, until it breaks.
    pub(super) fn for_each<T: Found>(&self, take: &mut Take<'_, T>) {
        let steps = &mut self.schedule.steps();
        self.narrow.workspaces.with(|workspace| self.run_in_blocks(steps, workspace, take));
    }

    /// Replaces `out` by what is found, in order, and returns how much that is.
    ///
    /// On one thread it is written straight into `out`, on several by way of [buffers](Crew).
    pub(super) fn collect<T: Found>(
        &self,
        out: &mut Vec<T>,
        limit: usize,
        threads: bool,
        workers: &mut Workers<T>,
    ) -> Result<u64, Error> {
        let budget = Budget::new(limit);
        let fill = |buffer: &mut TaskBuffer<T>, task: usize| {
            self.fill(buffer, self.schedule.task(task), &budget)
        };
        let Total { kept, left } = if threads {
            workers.collect(out, self.schedule.tasks(), self.share(), limit, fill)
        } else {
            let mut buffer = TaskBuffer { list: std::mem::take(out), len: 0 };
            let left = fill(&mut buffer, 0);
            buffer.prepare(buffer.len);
            buffer.list.truncate(buffer.len);
            *out = buffer.list;
            Total { kept: out.len(), left }
        };
        outcome(out, kept as u64 + left.dropped, limit, left.starved)?;
        Ok(out.len() as u64)
    }

    /// Does `items`, and keeps what is found as long as the budget lasts; returns what is left out.
    fn fill<T: Found>(
        &self,
        buffer: &mut TaskBuffer<T>,
        items: &[WorkItem],
        budget: &Budget,
    ) -> Left {
        let TaskBuffer { list, len } = buffer;
        let mut left = Left::default();
        if self.narrow.decided
            && let Some(pairs) = T::listed(list)
        {
            *len = self.fill_directly(pairs, &mut left, items, budget);
        } else {
            list.clear();
            let mut take = |found: &[T]| {
                left.append(list, found, budget);
                ControlFlow::Continue(())
            };
            let items = &mut items.iter().cloned();
            self.narrow
                .workspaces
                .with(|workspace| self.run_in_blocks(items, workspace, &mut take));
            *len = list.len();
        }
        left
    }

    /// Does `items`, whose findings are pairs, straight into `pairs`, as long as the budget lasts; returns
    /// how many of them there are. What comes out beyond is counted in `left`.
    fn fill_directly(
        &self,
        pairs: &mut Vec<Pair>,
        left: &mut Left,
        items: &[WorkItem],
        budget: &Budget,
    ) -> usize {
        let mut reported = 0;
        let mut full = |pairs: &mut Vec<Pair>, len: usize| {
            let kept = budget.keep(len - reported);
            if kept && left.starved.is_none() {
                match make_room(pairs, len) {
                    Ok(()) => {
                        reported = len;
                        return len;
                    }
                    Err(refused) => left.starved = Some(refused),
                }
            }
            // Beyond the limit, or out of memory: from here on the buffer is only written over. An
            // empty one had no room to begin with, and a block can always be had.
            if pairs.len() < BLOCK {
                pairs.resize(BLOCK, Pair::default());
            }
            left.dropped += len as u64;
            reported = 0;
            0
        };
        let mut sink = Sink { pairs, len: 0, counted: None, full: &mut full };
        self.run(items, &mut sink);
        sink.len
    }

    /// Which tasks a thread takes.
    fn share(&self) -> TaskShare {
        if self.schedule.tasks() <= PARTS { TaskShare::Part } else { TaskShare::Next }
    }

    /// Does `items`, and hands what is found to `take`, block by block. Once that breaks, it gets nothing more,
    /// and what is left of the item is done in vain.
    fn run_in_blocks<T: Found>(
        &self,
        items: &mut dyn Iterator<Item = WorkItem>,
        workspace: &mut Workspace,
        take: &mut Take<'_, T>,
    ) {
        let Workspace { candidates, narrowphase } = workspace;
        let stopped = Cell::new(false);
        let mut take = |found: &[T]| {
            if !stopped.get() {
                stopped.set(take(found).is_break());
            }
        };
        let mut flush = |candidates: &mut Vec<Pair>, len: usize| {
            if candidates.len() < BLOCK {
                candidates.resize(BLOCK, Pair::default());
            }
            if stopped.get() {
                return 0;
            }
            T::decide(narrowphase, &self.narrow, &mut candidates[..len], &mut take);
            0
        };
        let mut sink = Sink { pairs: candidates, len: 0, counted: None, full: &mut flush };
        for item in items {
            self.run(slice::from_ref(&item), &mut sink);
            if stopped.get() {
                return;
            }
        }
        let rest = sink.len;
        flush(candidates, rest);
    }

    /// Does `items`, into `sink`.
    fn run(&self, items: &[WorkItem], sink: &mut Sink<'_>) {
        let Self { grid, target, narrow: Narrow { names, rule, .. }, .. } = *self;
        let (isa, inclusive) = (rule.isa, rule.boxes_inclusive());
        let (sorted, forms) = ([&grid.sorted, &target.sorted], [grid.form, target.form]);
        for WorkItem { job, bodies, .. } in items {
            let bodies = bodies.clone();
            match *job {
                Search::Sweep(level) => {
                    let Some(table) = self.tables[level] else { continue };
                    let (sorted, ids) = (&grid.sorted, names[0]);
                    with_layout_kind!(grid.form, I => {
                        let (sink, layout) = (&mut *sink, PhantomData::<I>);
                        dispatch(isa, Sweep { sorted, ids, table, bodies, inclusive, sink, layout });
                    });
                }
                Search::Scan { level, neighbor_lists: true, .. }
                    if isa.level() != SimdLevel::Scalar =>
                {
                    let neighbor_lists = &target.neighbor_lists[level];
                    let (ids, sink) = (names[0], &mut *sink);
                    dispatch(
                        isa,
                        Lookup { sorted, forms, bodies, neighbor_lists, ids, inclusive, sink },
                    );
                }
                Search::Scan { level, short_rows, .. } => {
                    let (ids, plan, sink) = (names, &target.plan, &mut *sink);
                    let scan = Scan {
                        sorted,
                        forms,
                        bodies,
                        ids,
                        plan,
                        level,
                        short_rows,
                        inclusive,
                        sink,
                    };
                    dispatch(isa, scan);
                }
            }
        }
    }
}

/// Makes room for [`ROOM`] pairs and more behind the first `len`; on failure, the length that there
/// was no memory for.
fn make_room(pairs: &mut Vec<Pair>, len: usize) -> Result<(), usize> {
    let mut wanted = len + BLOCK.max(len / 8);
    // What is there already will do, or a list that is full to eight ninths would be doubled.
    if pairs.capacity() >= len + ROOM {
        wanted = wanted.min(pairs.capacity());
    }
    let more = wanted.saturating_sub(pairs.len());
    pairs.try_reserve(more).map_err(|_| wanted)?;
    pairs.resize(wanted, Pair::default());
    Ok(())
}
