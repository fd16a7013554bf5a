//! From tasks of the sweep to one ordered list of pairs.

use std::{
    marker::PhantomData,
    sync::atomic::{AtomicUsize, Ordering},
};

use super::agenda::{Agenda, Item, Job as Search};
use crate::{
    Error, Pair,
    grid::{Buffer, Count, Grid, Instance, MAX_LEVELS, ROOM, Scan, Sink, Sweep},
    parallel::{self, Divide},
    simd::{Isa, Table, dispatch},
};

/// Pairs in a buffer that is flushed or thrown away when full.
const BLOCK: usize = 2 * ROOM;

/// A grid that is ready to sweep, and the one to scan: the same, or another.
pub(super) struct Scene<'a, I, J> {
    isa: Isa,
    inclusive: bool,
    grid: &'a Grid,
    /// Of each level of `grid`.
    tables: [Option<Table<'a>>; MAX_LEVELS],
    target: &'a Grid,
    agenda: &'a Agenda,
    instances: PhantomData<(I, J)>,
}

impl<'a, I: Instance> Scene<'a, I, I> {
    /// The pairs among the bodies of a grid.
    pub(super) fn within(
        isa: Isa,
        inclusive: bool,
        grid: &'a Grid,
        agenda: &'a mut Agenda,
        threads: bool,
    ) -> Self {
        let starts = grid.sorted.starts(isa, &grid.plan, threads);
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
        Self { isa, inclusive, grid, tables, target: grid, agenda, instances }
    }
}

impl<'a, I: Instance, J: Instance> Scene<'a, I, J> {
    /// The pairs of the bodies of one grid and those of another.
    pub(super) fn between(
        isa: Isa,
        inclusive: bool,
        grid: &'a Grid,
        target: &'a Grid,
        agenda: &'a mut Agenda,
        threads: bool,
    ) -> Self {
        agenda.between(grid, target);
        if threads {
            agenda.cut();
        }
        let (tables, instances) = ([None; MAX_LEVELS], PhantomData);
        Self { isa, inclusive, grid, tables, target, agenda, instances }
    }
}

/// The buffers of the tasks, kept from step to step.
#[derive(Debug, Default)]
pub(super) struct TaskBuffers {
    buffers: Vec<TaskBuffer>,
}

/// What one task has found.
#[derive(Debug, Default)]
struct TaskBuffer {
    /// The first `len` are pairs; the rest is room.
    pairs: Vec<Pair>,
    len: usize,
    /// Pairs found and not kept, once the limit is reached.
    dropped: u64,
    /// Whether the system had no memory for more.
    starved: Option<usize>,
}

impl TaskBuffers {
    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.buffers.iter().map(|task| task.pairs.capacity() * size_of::<Pair>()).sum::<usize>()
            + self.buffers.capacity() * size_of::<TaskBuffer>()
    }
}

impl<I: Instance, J: Instance> Scene<'_, I, J> {
    /// The number of pairs.
    pub(super) fn count(&self, threads: bool, tasks: &mut TaskBuffers) -> u64 {
        let tasks = tasks.first(self.agenda.tasks());
        let work = Tasks {
            scene: self,
            job: Job::Count,
            budget: &Budget::new(0),
            first: 0,
            tasks: &mut *tasks,
        };
        parallel::run(work, threads);
        tasks.iter().map(|task| task.dropped).sum()
    }

    /// Calls `each` for every pair, in order, on the calling thread.
    pub(super) fn for_each(&self, pairs: &mut Vec<Pair>, mut each: impl FnMut(Pair)) -> u64 {
        let mut total = 0;
        let mut flush = |pairs: &mut Vec<Pair>, len: usize| {
            if pairs.len() < BLOCK {
                pairs.resize(BLOCK, Pair::default());
            }
            for &pair in &pairs[..len] {
                each(pair);
            }
            total += len as u64;
            0
        };
        let mut sink = Buffer { pairs, len: 0, full: &mut flush };
        for task in 0..self.agenda.tasks() {
            self.run(self.agenda.task(task), &mut sink);
        }
        let rest = sink.len;
        flush(pairs, rest);
        total
    }

    /// Replaces `out` by the pairs, in order.
    ///
    /// On one thread the sweep writes straight into `out`; else each task writes into a buffer of
    /// its own, and the buffers are copied one behind the other.
    pub(super) fn collect(
        &self,
        out: &mut Vec<Pair>,
        limit: usize,
        threads: bool,
        tasks: &mut TaskBuffers,
    ) -> Result<(), Error> {
        if !threads {
            let mut task = TaskBuffer { pairs: std::mem::take(out), ..TaskBuffer::default() };
            task.fill(self, self.agenda.task(0), &Budget::new(limit));
            *out = task.pairs;
            out.truncate(task.len);
            let found = out.len() as u64 + task.dropped;
            return outcome(out, found, limit, task.starved);
        }

        let tasks = tasks.first(self.agenda.tasks());
        let budget = Budget::new(limit);
        let work =
            Tasks { scene: self, job: Job::Collect, budget: &budget, first: 0, tasks: &mut *tasks };
        parallel::run(work, true);

        let kept: usize = tasks.iter().map(|task| task.len).sum();
        let dropped: u64 = tasks.iter().map(|task| task.dropped).sum();
        let starved = tasks.iter().find_map(|task| task.starved);
        let found = kept as u64 + dropped;
        if dropped == 0 && kept <= limit && starved.is_none() {
            // Room for somewhat more, as on one thread: the next step may well have a few more.
            let room = kept + BLOCK.max(kept / 8);
            if out.capacity() < kept && out.try_reserve(room - out.len()).is_err() {
                return outcome(out, found, limit, Some(room));
            }
            out.resize(kept, Pair::default());
            parallel::run(Join { tasks, out }, true);
            return Ok(());
        }
        outcome(out, found, limit, starved)
    }

    /// Does `items`, into `sink`.
    fn run<K: Sink>(&self, items: &[Item], sink: &mut K) {
        let Self { isa, inclusive, grid, target, .. } = *self;
        for Item { job, bodies, .. } in items {
            let bodies = bodies.clone();
            match *job {
                Search::Sweep(level) => {
                    let Some(table) = self.tables[level] else { continue };
                    let (sorted, sink, instance) = (&grid.sorted, &mut *sink, PhantomData::<I>);
                    dispatch(isa, Sweep { sorted, table, bodies, inclusive, sink, instance });
                }
                Search::Scan(level) => {
                    let scan = Scan {
                        sorted: &grid.sorted,
                        bodies,
                        target: &target.sorted,
                        plan: &target.plan,
                        level,
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

/// What a collection that has found so many pairs in all has come to.
fn outcome(
    out: &mut Vec<Pair>,
    found: u64,
    limit: usize,
    starved: Option<usize>,
) -> Result<(), Error> {
    let error = if let Some(pairs) = starved {
        Error::OutOfMemory { pairs }
    } else if found > limit as u64 {
        Error::TooManyPairs { limit, found }
    } else {
        return Ok(());
    };
    out.clear();
    Err(error)
}

/// How many pairs all tasks together may keep.
struct Budget {
    limit: usize,
    kept: AtomicUsize,
}

impl Budget {
    fn new(limit: usize) -> Self {
        Self { limit, kept: AtomicUsize::new(0) }
    }

    /// Notes `pairs` more, and says whether all are within the limit.
    fn keep(&self, pairs: usize) -> bool {
        let before = self.kept.fetch_add(pairs, Ordering::Relaxed);
        before.saturating_add(pairs) <= self.limit
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

impl TaskBuffers {
    /// Buffers for so many tasks.
    fn first(&mut self, tasks: usize) -> &mut [TaskBuffer] {
        if self.buffers.len() < tasks {
            self.buffers.resize_with(tasks, TaskBuffer::default);
        }
        &mut self.buffers[..tasks]
    }
}

impl TaskBuffer {
    /// Does `items`, and keeps the pairs as long as the budget lasts; counts them beyond.
    fn fill<I: Instance, J: Instance>(
        &mut self,
        scene: &Scene<'_, I, J>,
        items: &[Item],
        budget: &Budget,
    ) {
        let Self { pairs, len, dropped, starved } = self;
        (*len, *dropped, *starved) = (0, 0, None);
        let mut reported = 0;
        let mut full = |pairs: &mut Vec<Pair>, len: usize| {
            let kept = budget.keep(len - reported);
            if kept && starved.is_none() {
                match make_room(pairs, len) {
                    Ok(()) => {
                        reported = len;
                        return len;
                    }
                    Err(refused) => *starved = Some(refused),
                }
            }
            // Beyond the limit, or out of memory: from here on the buffer is only written over. An
            // empty one had no room to begin with, and a block can always be had.
            if pairs.len() < BLOCK {
                pairs.resize(BLOCK, Pair::default());
            }
            *dropped += len as u64;
            reported = 0;
            0
        };
        let mut sink = Buffer { pairs, len: 0, full: &mut full };
        scene.run(items, &mut sink);
        *len = sink.len;
        // Where the next step may well need more, now is the time, and then for some steps. Without
        // memory to spare, that step will see.
        if pairs.capacity() < *len + *len / 16 + ROOM {
            let wanted = *len + *len / 8 + BLOCK;
            let _ = pairs.try_reserve_exact(wanted.saturating_sub(pairs.len()));
        }
    }

    /// Does `items`, and counts the pairs.
    fn count<I: Instance, J: Instance>(&mut self, scene: &Scene<'_, I, J>, items: &[Item]) {
        let mut sink = Count::default();
        scene.run(items, &mut sink);
        self.dropped = sink.pairs;
    }
}

/// What the tasks do.
#[derive(Clone, Copy)]
enum Job {
    Count,
    Collect,
}

/// Some tasks of the sweep in a row.
struct Tasks<'a, I, J> {
    scene: &'a Scene<'a, I, J>,
    job: Job,
    budget: &'a Budget,
    /// The number of the first task.
    first: usize,
    tasks: &'a mut [TaskBuffer],
}

impl<I: Instance, J: Instance> Divide for Tasks<'_, I, J> {
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
            let items = scene.agenda.task(task);
            match job {
                Job::Count => buffer.count(scene, items),
                Job::Collect => buffer.fill(scene, items, budget),
            }
        }
    }
}

/// Some tasks in a row, and the part of the list that their pairs go to.
struct Join<'a> {
    tasks: &'a [TaskBuffer],
    out: &'a mut [Pair],
}

impl Divide for Join<'_> {
    fn tasks(&self) -> usize {
        self.tasks.len()
    }

    fn split(self, at: usize) -> (Self, Self) {
        let (tasks, more_tasks) = self.tasks.split_at(at);
        let pairs = tasks.iter().map(|task| task.len).sum();
        let (out, more_out) = self.out.split_at_mut(pairs);
        (Join { tasks, out }, Join { tasks: more_tasks, out: more_out })
    }

    fn work(self) {
        let mut rest = self.out;
        for task in self.tasks {
            let (part, more) = rest.split_at_mut(task.len);
            part.copy_from_slice(&task.pairs[..task.len]);
            rest = more;
        }
    }
}
