//! How several threads write one list in the order of its tasks.
//!
//! In plain words, for many tasks: each thread takes the next task, and says how much it has found. As soon as that
//! is known of all tasks before, so is the place of its findings in the list, and it copies them there: they are still
//! in its second cache, and so is the buffer for the task after. What has no place yet by then waits until
//! after its next task.
//!
//! Of few tasks each thread has a part instead, whose bodies it has sorted and still has in its
//! cache. Findings then wait until all tasks are done; they do so in the cache, too.
//!
//! The road not taken: a buffer for each of many tasks, too. All of them together are as large as the list, and
//! are written and read again past the caches (docs/performance-log.md).

use std::{
    array,
    collections::VecDeque,
    mem,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use super::schedule::MAX_TASKS;
use crate::{
    grid::ROOM,
    limit::Left,
    parallel::{self, Divide},
};

/// Findings beyond those of the last step that there is room for, besides an eighth of them.
const SPARE: usize = 2 * ROOM;

/// Buffers that each thread has for the [next](Share::Next) tasks from the first step on: one to fill, and some that wait.
/// More are made where a thread is held up for longer than the others take for so many tasks.
const BUFFERS: usize = 4;

/// Which tasks a thread takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TaskShare {
    /// Those of a part of the scene, and then what others have not come to.
    Part,
    /// The next of all.
    Next,
}

/// The threads that do tasks, and their memory, kept from step to step.
#[derive(Debug, Default)]
pub(super) struct Workers<T> {
    workers: Vec<Worker<T>>,
    /// A buffer for each task of a [part](Share::Part), so that it does not matter who does it.
    by_task: Vec<TaskBuffer<T>>,
    /// How much the last step has found.
    last: usize,
}

/// What one thread holds while it does tasks.
#[derive(Debug, Default)]
pub(super) struct Worker<T> {
    /// Tasks that are done and not copied to the list, in the order in which they were done.
    waiting: VecDeque<(usize, TaskBuffer<T>)>,
    free: Vec<TaskBuffer<T>>,
    /// What all its tasks have left out.
    pub(super) left: Left,
}

/// What a task has found: pairs or contacts.
#[derive(Debug, Default)]
pub(super) struct TaskBuffer<T> {
    /// The first `len` are what was found; the rest is room.
    pub(super) list: Vec<T>,
    pub(super) len: usize,
}

/// How much the tasks have found together.
#[derive(Debug, Default)]
pub(super) struct Total {
    /// In the list, unless that is more than the limit.
    pub(super) kept: usize,
    pub(super) left: Left,
}

impl<T: Default + Send> Workers<T> {
    /// Calls `work` with each task, on several threads if `threads` says so. Returns who has done them.
    pub(super) fn each(
        &mut self,
        tasks: usize,
        share: TaskShare,
        threads: bool,
        work: impl Fn(&mut Worker<T>, usize) + Sync,
    ) -> &mut [Worker<T>] {
        let count = if threads { parallel::threads().min(tasks) } else { 1 };
        if self.workers.len() < count {
            self.workers.resize_with(count, Worker::default);
        }
        let workers = &mut self.workers[..count];
        let queue = Queue::new(tasks, if share == TaskShare::Part { count } else { 1 });
        let take_tasks = |index: usize, worker: &mut Worker<T>| {
            worker.left = Left::default();
            while let Some(task) = queue.take(index) {
                work(worker, task);
            }
        };
        parallel::run(Each { first: 0, workers: &mut *workers, work: &take_tasks }, threads);
        workers
    }
}

impl<T: Copy + Default + Send + Sync> Workers<T> {
    /// Replaces `out` by what `tasks` tasks find, in their order, on several threads: `fill` does a task, puts what it
    /// finds into the buffer that it gets, and returns what it has left out. If anything was, or there is more than
    /// `limit`, nothing of use is in `out`.
    pub(super) fn collect(
        &mut self,
        out: &mut Vec<T>,
        tasks: usize,
        share: TaskShare,
        limit: usize,
        fill: impl Fn(&mut TaskBuffer<T>, usize) -> Left + Sync,
    ) -> Total {
        let mut by_task = mem::take(&mut self.by_task);
        if share == TaskShare::Part && by_task.len() < tasks {
            by_task.resize_with(tasks, TaskBuffer::default);
        }
        // Where the list has room, it gets as long as in the last step and somewhat longer: what goes there can be copied
        // before all is known.
        let wanted = (self.last + self.last / 64 + SPARE).min(out.capacity());
        if share == TaskShare::Next && out.len() < wanted {
            out.resize(wanted, T::default());
        }
        let list = if share == TaskShare::Next { &mut out[..] } else { &mut [] };
        let places = Mutex::new(Places::new(list, [None; MAX_TASKS]));
        let buffers = Mutex::new(&mut by_task);
        let workers = self.each(tasks, share, true, |worker, task| {
            let mut buffer = match share {
                TaskShare::Part => mem::take(&mut lock(&buffers)[task]),
                TaskShare::Next => worker.free.pop().unwrap_or_default(),
            };
            worker.left.add(fill(&mut buffer, task));
            lock(&places).note(task, buffer.len);
            worker.waiting.push_back((task, buffer));
            if share == TaskShare::Next {
                worker.deliver(&places);
            }
        });
        let Places { found, next, .. } =
            places.into_inner().unwrap_or_else(PoisonError::into_inner);
        let had_room = next == tasks;

        let mut total = Total { kept: found.iter().flatten().sum(), left: Left::default() };
        for worker in &*workers {
            total.left.add(worker.left);
        }
        let within = total.left.is_nothing() && total.kept <= limit;
        if within && let Err(refused) = join(workers, out, total.kept, found) {
            total.left.starved = Some(refused);
        }

        // Who does which task of the next step is open, and that it allocates nothing should not depend on it. But where
        // the list had no room, nearly all tasks have waited, which is no measure for the next step; and where too much was
        // found, neither is what some of them have kept.
        let most = found.into_iter().flatten().max().unwrap_or(0);
        for worker in workers {
            worker.put_away(share, &mut by_task);
            if !within {
                worker.free.clear();
                continue;
            }
            if !had_room {
                worker.free.truncate(BUFFERS);
            }
            worker.prepare(tasks, share, most);
        }
        (self.by_task, self.last) = (by_task, total.kept);
        total
    }
}

/// Makes `out` as long as what was `found` in all, and copies what has waited to there; on failure, the length that there was
/// no memory for.
fn join<T: Copy + Default + Send + Sync>(
    workers: &mut [Worker<T>],
    out: &mut Vec<T>,
    kept: usize,
    found: [Option<usize>; MAX_TASKS],
) -> Result<(), usize> {
    // Room for somewhat more, as on one thread: the next step may well have a few more.
    let room = kept + SPARE.max(kept / 8);
    if out.capacity() < kept {
        out.try_reserve(room - out.len()).map_err(|_| room)?;
    }
    out.resize(kept, T::default());
    if workers.iter().all(|worker| worker.waiting.is_empty()) {
        return Ok(());
    }
    let places = Mutex::new(Places::new(out, found));
    let copy = |_: usize, worker: &mut Worker<T>| {
        for (task, buffer) in &worker.waiting {
            // Not in the condition, or it would be locked until all is copied.
            let place = lock(&places).places[*task].take();
            if let Some(place) = place {
                place.copy_from_slice(&buffer.list[..buffer.len]);
            }
        }
    };
    parallel::run(Each { first: 0, workers, work: &copy }, true);
    Ok(())
}

impl<T> Workers<T> {
    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        let lists = |buffer: &[TaskBuffer<T>]| -> usize {
            buffer.iter().map(|buffer| buffer.list.capacity() * size_of::<T>()).sum()
        };
        // Between two steps, nothing waits.
        let held = |worker: &Worker<T>| {
            lists(&worker.free)
                + worker.waiting.capacity() * size_of::<(usize, TaskBuffer<T>)>()
                + worker.free.capacity() * size_of::<TaskBuffer<T>>()
        };
        self.workers.iter().map(held).sum::<usize>()
            + self.workers.capacity() * size_of::<Worker<T>>()
            + lists(&self.by_task)
            + self.by_task.capacity() * size_of::<TaskBuffer<T>>()
    }
}

impl<T: Copy + Default> Worker<T> {
    /// Copies to the list what has a place there.
    fn deliver(&mut self, places: &Mutex<Places<'_, T>>) {
        while let Some((task, buffer)) = self.waiting.pop_front() {
            let Some(place) = lock(places).places[task].take() else {
                self.waiting.push_front((task, buffer));
                break;
            };
            place.copy_from_slice(&buffer.list[..buffer.len]);
            self.free.push(buffer);
        }
    }

    /// Takes back the buffers of what has waited.
    fn put_away(&mut self, share: TaskShare, by_task: &mut [TaskBuffer<T>]) {
        for (task, mut buffer) in self.waiting.drain(..) {
            match share {
                TaskShare::Part => {
                    buffer.prepare(buffer.len);
                    by_task[task] = buffer;
                }
                TaskShare::Next => self.free.push(buffer),
            }
        }
    }

    /// Makes room for what it may have to hold in the next step, if that is like the last one.
    fn prepare(&mut self, tasks: usize, share: TaskShare, most: usize) {
        match share {
            TaskShare::Part => self.waiting.reserve(tasks),
            TaskShare::Next => {
                self.waiting.reserve(BUFFERS);
                if self.free.len() < BUFFERS {
                    self.free.resize_with(BUFFERS, TaskBuffer::default);
                }
                for buffer in &mut self.free {
                    buffer.prepare(most);
                }
            }
        }
    }
}

impl<T> TaskBuffer<T> {
    /// Makes room for somewhat more than `len`, for some steps, where there is hardly enough. Without memory to spare,
    /// the next step will see.
    pub(super) fn prepare(&mut self, len: usize) {
        if self.list.capacity() < len + len / 16 + ROOM {
            let wanted = len + len / 8 + SPARE;
            let _ = self.list.try_reserve_exact(wanted.saturating_sub(self.list.len()));
        }
    }
}

/// Where in a list the findings of each task go.
struct Places<'a, T> {
    /// The list behind all places that are known.
    rest: &'a mut [T],
    /// How much each task has found, once it is done.
    found: [Option<usize>; MAX_TASKS],
    /// The place of each task, from when it is known until it is taken.
    places: [Option<&'a mut [T]>; MAX_TASKS],
    /// The first task whose place is not known.
    next: usize,
}

impl<'a, T> Places<'a, T> {
    /// Of tasks of which some have found so much.
    fn new(list: &'a mut [T], found: [Option<usize>; MAX_TASKS]) -> Self {
        let mut places = Self { rest: list, found, places: [const { None }; MAX_TASKS], next: 0 };
        places.advance();
        places
    }

    /// Notes how much a task has found.
    fn note(&mut self, task: usize, found: usize) {
        self.found[task] = Some(found);
        self.advance();
    }

    /// Finds the places of tasks behind those that are done, as long as the list has room for them.
    fn advance(&mut self) {
        while let Some(&Some(found)) = self.found.get(self.next)
            && found <= self.rest.len()
        {
            let (place, rest) = mem::take(&mut self.rest).split_at_mut(found);
            self.places[self.next] = Some(place);
            self.rest = rest;
            self.next += 1;
        }
    }
}

/// What several threads write to, whatever has happened to one of them: a panic ends the detection.
fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Tasks that nobody has taken, in parts that are about as large as each other.
struct Queue {
    tasks: usize,
    parts: usize,
    /// How many of each part are taken, or more.
    taken: [AtomicUsize; MAX_TASKS],
}

impl Queue {
    /// So many tasks, in at most as many parts.
    fn new(tasks: usize, parts: usize) -> Self {
        Self { tasks, parts, taken: array::from_fn(|_| AtomicUsize::new(0)) }
    }

    /// The next task of the part of worker `index`, or else of the first part behind it that has one.
    fn take(&self, index: usize) -> Option<usize> {
        let begin = |part: usize| self.tasks * part / self.parts;
        (index..index + self.parts).find_map(|part| {
            let part = part % self.parts;
            let task = begin(part) + self.taken[part].fetch_add(1, Ordering::Relaxed);
            (task < begin(part + 1)).then_some(task)
        })
    }
}

/// Something that some workers in a row do, each on a thread.
struct Each<'a, T, F> {
    /// The index of the first one.
    first: usize,
    workers: &'a mut [Worker<T>],
    work: &'a F,
}

impl<T: Send, F: Fn(usize, &mut Worker<T>) + Sync> Divide for Each<'_, T, F> {
    fn tasks(&self) -> usize {
        self.workers.len()
    }

    fn split(self, at: usize) -> (Self, Self) {
        let (workers, rest) = self.workers.split_at_mut(at);
        (Self { workers, ..self }, Self { first: self.first + at, workers: rest, ..self })
    }

    fn work(self) {
        for (index, worker) in (self.first..).zip(self.workers) {
            (self.work)(index, worker);
        }
    }
}

#[cfg(test)]
mod tests;
