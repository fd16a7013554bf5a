//! From tasks of the sweep to one ordered list of pairs.

use std::marker::PhantomData;

use super::{
    agenda::{Agenda, Item, Job as Search},
    narrow::{Bench, Benches, Found},
};
use crate::{
    Error, Level, Pair,
    grid::{Buffer, Count, Grid, Instance, MAX_LEVELS, ROOM, Scan, Sink, Sweep, Visit},
    limit::{Budget, Left, outcome},
    narrowphase::Rule,
    parallel::{self, Divide},
    simd::{Table, dispatch},
};

/// Pairs in a buffer that is flushed or thrown away when full.
const BLOCK: usize = 2 * ROOM;

/// The narrowphase asks for the shapes of so many bodies beyond those that the sweep has come to: the next rows of cells.
/// Twice as many leave the cache again (measured, docs/performance.md).
const SOON: usize = 1 << 11;

/// In scenes of so many bodies. The shapes of smaller ones are in the second cache in any case.
const FAR_SHAPES: usize = 1 << 15;

/// A grid that is ready to sweep, and the one to scan: the same, or another.
pub(super) struct Scene<'a, I, J> {
    grid: &'a Grid,
    /// Of each level of `grid`.
    tables: [Option<Table<'a>>; MAX_LEVELS],
    target: &'a Grid,
    agenda: &'a Agenda,
    narrow: Narrow<'a>,
    instances: PhantomData<(I, J)>,
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
    pub(super) rule: Rule<'a>,
    pub(super) benches: &'a Benches,
}

impl<'a, I: Instance> Scene<'a, I, I> {
    /// The pairs among the bodies of a grid.
    pub(super) fn within(
        grid: &'a Grid,
        agenda: &'a mut Agenda,
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
        agenda.within(grid);
        if threads {
            agenda.cut();
        }
        let instances = PhantomData;
        Self { grid, tables, target: grid, agenda, narrow, instances }
    }
}

impl<'a, I: Instance, J: Instance> Scene<'a, I, J> {
    /// The pairs of the bodies of one grid and those of another.
    pub(super) fn between(
        grid: &'a Grid,
        target: &'a Grid,
        agenda: &'a mut Agenda,
        narrow: Narrow<'a>,
        threads: bool,
    ) -> Self {
        agenda.between(grid, target);
        if threads {
            agenda.cut();
        }
        let (tables, instances) = ([None; MAX_LEVELS], PhantomData);
        Self { grid, tables, target, agenda, narrow, instances }
    }
}

/// The buffers of the tasks, kept from step to step.
#[derive(Debug, Default)]
pub(super) struct TaskBuffers<T> {
    buffers: Vec<TaskBuffer<T>>,
}

/// What one task has found: pairs or contacts.
#[derive(Debug, Default)]
struct TaskBuffer<T> {
    /// The first `len` are what was found; the rest is room.
    found: Vec<T>,
    len: usize,
    left: Left,
}

impl<T> TaskBuffers<T> {
    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.buffers.iter().map(|task| task.found.capacity() * size_of::<T>()).sum::<usize>()
            + self.buffers.capacity() * size_of::<TaskBuffer<T>>()
    }
}

impl<I: Instance> Scene<'_, I, I> {
    /// The number of pairs.
    pub(super) fn count(&self, threads: bool, tasks: &mut TaskBuffers<Pair>) -> u64 {
        let tasks = tasks.first(self.agenda.tasks());
        let (job, budget) = (TaskBuffer::count, &Budget::new(0));
        let work = Tasks { scene: self, job, budget, first: 0, tasks: &mut *tasks };
        parallel::run(work, threads);
        tasks.iter().map(|task| task.left.dropped).sum()
    }

    /// Calls `each` for every pair, in order, on the calling thread.
    pub(super) fn for_each(&self, mut each: impl FnMut(Pair)) -> u64 {
        let mut total = 0;
        let mut take = |pairs: &[Pair]| {
            for &pair in pairs {
                each(pair);
            }
            total += pairs.len() as u64;
        };
        for task in 0..self.agenda.tasks() {
            let items = self.agenda.task(task);
            self.narrow.benches.with(|bench| self.run_in_blocks(items, bench, &mut take));
        }
        total
    }
}

impl<I: Instance, J: Instance> Scene<'_, I, J> {
    /// Replaces `out` by what is found, in order.
    ///
    /// On one thread it is written straight into `out`; else each task writes into a buffer of its own,
    /// and the buffers are copied one behind the other.
    pub(super) fn collect<T: Found>(
        &self,
        out: &mut Vec<T>,
        limit: usize,
        threads: bool,
        tasks: &mut TaskBuffers<T>,
    ) -> Result<(), Error> {
        if !threads {
            let mut task = TaskBuffer { found: std::mem::take(out), ..TaskBuffer::default() };
            task.fill(self, self.agenda.task(0), &Budget::new(limit));
            *out = task.found;
            out.truncate(task.len);
            let found = out.len() as u64 + task.left.dropped;
            return outcome(out, found, limit, task.left.starved);
        }

        let tasks = tasks.first(self.agenda.tasks());
        let budget = Budget::new(limit);
        let (job, budget) = (TaskBuffer::fill, &budget);
        let work = Tasks { scene: self, job, budget, first: 0, tasks: &mut *tasks };
        parallel::run(work, true);

        let kept: usize = tasks.iter().map(|task| task.len).sum();
        let dropped: u64 = tasks.iter().map(|task| task.left.dropped).sum();
        let starved = tasks.iter().find_map(|task| task.left.starved);
        let found = kept as u64 + dropped;
        if dropped == 0 && kept <= limit && starved.is_none() {
            // Room for somewhat more, as on one thread: the next step may well have a few more.
            let room = kept + BLOCK.max(kept / 8);
            if out.capacity() < kept && out.try_reserve(room - out.len()).is_err() {
                return outcome(out, found, limit, Some(room));
            }
            out.resize(kept, T::default());
            parallel::run(Join { tasks, out }, true);
            return Ok(());
        }
        outcome(out, found, limit, starved)
    }

    /// Does `items`, and hands what is found to `take`, block by block.
    fn run_in_blocks<T: Found>(
        &self,
        items: &[Item],
        bench: &mut Bench,
        take: &mut dyn FnMut(&[T]),
    ) {
        let Bench { candidates, narrowphase } = bench;
        let names = self.narrow.names[0];
        let bodies = if names.len() < FAR_SHAPES { &[] } else { names };
        let mut asked = 0;
        let mut flush = |candidates: &mut Vec<Pair>, len: usize, place: usize| {
            if candidates.len() < BLOCK {
                candidates.resize(BLOCK, Pair::default());
            }
            let (from, to) = (asked.max(place), bodies.len().min(place + SOON));
            let soon = bodies.get(from..to).unwrap_or_default();
            asked = asked.max(to);
            T::decide(narrowphase, &self.narrow, &mut candidates[..len], soon, take);
            0
        };
        let mut sink = Buffer { pairs: candidates, len: 0, place: 0, full: &mut flush };
        self.run(items, &mut sink);
        let (rest, place) = (sink.len, sink.place);
        flush(candidates, rest, place);
    }

    /// Does `items`, into `sink`.
    fn run<K: Sink>(&self, items: &[Item], sink: &mut K) {
        let Self { grid, target, narrow: Narrow { names, rule, .. }, .. } = *self;
        let (isa, inclusive) = (rule.isa, rule.boxes_inclusive());
        for Item { job, bodies, .. } in items {
            let bodies = bodies.clone();
            match *job {
                Search::Sweep(level) => {
                    let Some(table) = self.tables[level] else { continue };
                    let (sorted, ids) = (&grid.sorted, names[0]);
                    let (sink, instance) = (&mut *sink, PhantomData::<I>);
                    dispatch(isa, Sweep { sorted, ids, table, bodies, inclusive, sink, instance });
                }
                Search::Scan { level, halos: true, .. } if isa.level() != Level::Scalar => {
                    let halos = &target.halos[level];
                    let visit = Visit {
                        sorted: &grid.sorted,
                        bodies,
                        halos,
                        ids: names[0],
                        inclusive,
                        sink: &mut *sink,
                        instances: PhantomData::<(I, J)>,
                    };
                    dispatch(isa, visit);
                }
                Search::Scan { level, short_rows, .. } => {
                    let scan = Scan {
                        sorted: &grid.sorted,
                        bodies,
                        target: &target.sorted,
                        ids: names,
                        plan: &target.plan,
                        level,
                        short_rows,
                        inclusive,
                        sink: &mut *sink,
                        instances: PhantomData::<(I, J)>,
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

impl<T: Default> TaskBuffers<T> {
    /// Buffers for so many tasks.
    fn first(&mut self, tasks: usize) -> &mut [TaskBuffer<T>] {
        if self.buffers.len() < tasks {
            self.buffers.resize_with(tasks, TaskBuffer::default);
        }
        &mut self.buffers[..tasks]
    }
}

impl<T: Found> TaskBuffer<T> {
    /// Does `items`, and keeps what is found as long as the budget lasts; counts it beyond.
    fn fill<I: Instance, J: Instance>(
        &mut self,
        scene: &Scene<'_, I, J>,
        items: &[Item],
        budget: &Budget,
    ) {
        (self.len, self.left) = (0, Left::default());
        if scene.narrow.decided
            && let Some(pairs) = T::listed(&mut self.found)
        {
            self.len = fill_directly(pairs, &mut self.left, scene, items, budget);
        } else {
            let Self { found: list, left, .. } = self;
            list.clear();
            let mut take = |found: &[T]| left.append(list, found, budget);
            scene.narrow.benches.with(|bench| scene.run_in_blocks(items, bench, &mut take));
            self.len = self.found.len();
        }
        let Self { found, len, .. } = self;
        // Where the next step may well need more, now is the time, and then for some steps. Without
        // memory to spare, that step will see.
        if found.capacity() < *len + *len / 16 + ROOM {
            let wanted = *len + *len / 8 + BLOCK;
            let _ = found.try_reserve_exact(wanted.saturating_sub(found.len()));
        }
    }

    /// Does `items`, and counts what is found, whatever the budget.
    fn count<I: Instance>(&mut self, scene: &Scene<'_, I, I>, items: &[Item], _: &Budget) {
        if scene.narrow.decided {
            let mut sink = Count::default();
            scene.run(items, &mut sink);
            self.left.dropped = sink.pairs;
            return;
        }
        let mut total = 0;
        scene.narrow.benches.with(|bench| {
            scene.run_in_blocks(items, bench, &mut |found: &[T]| total += found.len() as u64);
        });
        self.left.dropped = total;
    }
}

/// Does `items`, whose findings are pairs, straight into `pairs`, as long as the budget lasts; returns
/// how many of them there are. What comes out beyond is counted in `left`.
fn fill_directly<I: Instance, J: Instance>(
    pairs: &mut Vec<Pair>,
    left: &mut Left,
    scene: &Scene<'_, I, J>,
    items: &[Item],
    budget: &Budget,
) -> usize {
    let mut reported = 0;
    let mut full = |pairs: &mut Vec<Pair>, len: usize, _| {
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
    let mut sink = Buffer { pairs, len: 0, place: 0, full: &mut full };
    scene.run(items, &mut sink);
    sink.len
}

/// What is done with the items of a task.
type Job<'a, I, J, T> = fn(&mut TaskBuffer<T>, &Scene<'a, I, J>, &[Item], &Budget);

/// Some tasks of the sweep in a row.
struct Tasks<'a, I, J, T> {
    scene: &'a Scene<'a, I, J>,
    job: Job<'a, I, J, T>,
    budget: &'a Budget,
    /// The number of the first task.
    first: usize,
    tasks: &'a mut [TaskBuffer<T>],
}

impl<I: Instance, J: Instance, T: Found> Divide for Tasks<'_, I, J, T> {
    fn tasks(&self) -> usize {
        self.tasks.len()
    }

    fn split(self, at: usize) -> (Self, Self) {
        let (tasks, rest) = self.tasks.split_at_mut(at);
        let rest = Self { first: self.first + at, tasks: rest, ..self };
        (Self { tasks, ..self }, rest)
    }

    fn work(self) {
        let Self { scene, job, budget, first, tasks } = self;
        for (task, buffer) in (first..).zip(tasks) {
            job(buffer, scene, scene.agenda.task(task), budget);
        }
    }
}

/// Some tasks in a row, and the part of the list that their findings go to.
struct Join<'a, T> {
    tasks: &'a [TaskBuffer<T>],
    out: &'a mut [T],
}

impl<T: Found> Divide for Join<'_, T> {
    fn tasks(&self) -> usize {
        self.tasks.len()
    }

    fn split(self, at: usize) -> (Self, Self) {
        let (tasks, more_tasks) = self.tasks.split_at(at);
        let found = tasks.iter().map(|task| task.len).sum();
        let (out, more_out) = self.out.split_at_mut(found);
        (Join { tasks, out }, Join { tasks: more_tasks, out: more_out })
    }

    fn work(self) {
        let mut rest = self.out;
        for task in self.tasks {
            let (part, more) = rest.split_at_mut(task.len);
            part.copy_from_slice(&task.found[..task.len]);
            rest = more;
        }
    }
}
