//! Several threads write one list in the order of its tasks.
//!
//! **Many tasks** ([`TaskShare::Next`]), in plain words:
//!
//! ```text
//! each thread, until all tasks are taken:
//!     take the next task, run it into a free buffer, report the number of its results
//!     for each buffer of this thread that waits, oldest first:
//!         if the task has no place in the list yet, stop
//!         copy the buffer to its place; the buffer is free again
//! ```
//!
//! The place of a task in the list is known as soon as all earlier tasks have reported. A buffer is
//! then still in the L2 cache of its thread, and so is the free buffer that the next task writes
//! to. A buffer that has no place yet waits until after the next task of its thread.
//!
//! **Few tasks** ([`TaskShare::Part`]): each thread begins with its own part of the tasks, whose
//! items it has sorted and still has in its cache. All buffers wait until all tasks are done, in
//! the cache, too.
//!
//! **Alternative not taken**: one buffer per task for many tasks. All buffers together are as large
//! as the list, so writing and reading them goes past the caches.

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
    base::{held, parallel},
    error::limit::Left,
    grid::BLOCK_PAIRS,
};

/// The spare capacity of lists and buffers, in results: a buffer of pairs is flushed, or
/// overwritten, when it has this many results. Some lists add a share of their length.
pub(super) const BUFFER_RESULTS: usize = 2 * BLOCK_PAIRS;

/// The number of buffers of each thread from the first step on, with [`TaskShare::Next`]: one to
/// fill, the other buffers to wait. A thread gets more buffers when it has finished this many tasks
/// while another thread is still busy with an earlier task.
const BUFFERS_PER_THREAD: usize = 4;

/// The order in which a thread takes tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TaskShare {
    /// First the tasks of its own part of the schedule, then tasks that other threads have not
    /// taken.
    Part,
    /// The next task of the whole schedule.
    Next,
}

/// The workers, one per thread, and their buffers, kept from step to step.
#[derive(Debug, Default)]
pub(crate) struct Workers<T> {
    workers: Vec<Worker<T>>,
    /// With [`TaskShare::Part`], a buffer for each task, so that it does not matter which thread
    /// runs the task.
    by_task: Vec<TaskBuffer<T>>,
    /// The number of results of the last step.
    last: usize,
}

held!([T] Workers<T> { workers, by_task, last });

/// The state of one thread while it runs tasks.
#[derive(Debug, Default)]
pub(crate) struct Worker<T> {
    /// The tasks that are done and not yet copied to the list, in the order in which they were
    /// done.
    waiting: VecDeque<(usize, TaskBuffer<T>)>,
    /// The buffers that are free.
    free: Vec<TaskBuffer<T>>,
    /// The results that its tasks have not kept; in a count, all results.
    pub(super) left: Left,
}

held!([T] Worker<T> { waiting, free, left });

/// The results of a task: pairs or contacts.
#[derive(Debug, Default)]
pub(crate) struct TaskBuffer<T> {
    /// The results, in the first `len` elements; the other elements are unspecified.
    pub(super) list: Vec<T>,
    pub(super) len: usize,
}

held!([T] TaskBuffer<T> { list, len });

/// The results of all tasks together.
#[derive(Debug, Default)]
pub(super) struct Total {
    /// The number of results in buffers. They are in the list unless there are more than the limit,
    /// or some were left out.
    pub(super) kept: usize,
    /// The results that were left out.
    pub(super) left: Left,
}

impl<T: Default + Send> Workers<T> {
    /// Calls `work` for each task, on the threads of the pool if `threads` is set. Returns the
    /// workers that have run the tasks.
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
        parallel::each(workers, threads, take_tasks);
        workers
    }
}

impl<T: Copy + Default + Send + Sync> Workers<T> {
    /// Replaces `out` by the results of all tasks, in the order of the tasks, on several threads.
    ///
    /// `fill` runs a task, writes its results to a buffer, and returns the results that it has left
    /// out. If anything was left out, or there are more results than `limit`, the content of `out`
    /// is unspecified.
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
        // As far as its capacity goes, the list gets a little longer than in the last step. Results
        // within this length can be copied before their total number is known.
        let wanted = (self.last + self.last / 64 + BUFFER_RESULTS).min(out.capacity());
        if share == TaskShare::Next && out.len() < wanted {
            out.resize(wanted, T::default());
        }
        let list = if share == TaskShare::Next { &mut out[..] } else { &mut [] };
        let places = Mutex::new(TaskPlaces::new(list, [None; MAX_TASKS]));
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
        let TaskPlaces { found, next, .. } =
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

        // Any thread may run any task of the next step, and that step should allocate nothing, so
        // every worker prepares for the largest task. Two cases tell nothing about the next step.
        // If the list was too short, nearly all buffers have waited, and only `BUFFERS_PER_THREAD`
        // of them are kept. If there were too many results, the buffers hold a part of the results,
        // and no free buffer is kept.
        let most = found.into_iter().flatten().max().unwrap_or(0);
        for worker in workers {
            worker.put_away(share, &mut by_task);
            if !within {
                worker.free.clear();
                continue;
            }
            if !had_room {
                worker.free.truncate(BUFFERS_PER_THREAD);
            }
            worker.prepare(tasks, share, most);
        }
        if !within {
            by_task.clear();
        }
        (self.by_task, self.last) = (by_task, total.kept);
        total
    }
}

/// Sets the length of `out` to `kept`, the sum of `found`, and copies the waiting buffers to their
/// places. On failure, returns the capacity that could not be allocated.
fn join<T: Copy + Default + Send + Sync>(
    workers: &mut [Worker<T>],
    out: &mut Vec<T>,
    kept: usize,
    found: [Option<usize>; MAX_TASKS],
) -> Result<(), usize> {
    // A little more capacity than needed, as on one thread: the next step may have a few results
    // more.
    let room = kept + BUFFER_RESULTS.max(kept / 8);
    if out.capacity() < kept {
        out.try_reserve(room - out.len()).map_err(|_| room)?;
    }
    out.resize(kept, T::default());
    if workers.iter().all(|worker| worker.waiting.is_empty()) {
        return Ok(());
    }
    let places = Mutex::new(TaskPlaces::new(out, found));
    let copy = |_: usize, worker: &mut Worker<T>| {
        for (task, buffer) in &worker.waiting {
            // Not in the condition of the `if`, which would hold the lock during the copy.
            let place = lock(&places).places[*task].take();
            if let Some(place) = place {
                place.copy_from_slice(&buffer.list[..buffer.len]);
            }
        }
    };
    parallel::each(workers, true, copy);
    Ok(())
}

impl<T: Copy + Default> Worker<T> {
    /// Copies waiting buffers to the list, oldest first, until one has no place yet.
    fn deliver(&mut self, places: &Mutex<TaskPlaces<'_, T>>) {
        while let Some((task, buffer)) = self.waiting.pop_front() {
            let Some(place) = lock(places).places[task].take() else {
                self.waiting.push_front((task, buffer));
                break;
            };
            place.copy_from_slice(&buffer.list[..buffer.len]);
            self.free.push(buffer);
        }
    }

    /// Takes back the buffers that still wait.
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

    /// Reserves the memory that a step like the last one needs. `most` is the largest number of
    /// results of a task.
    fn prepare(&mut self, tasks: usize, share: TaskShare, most: usize) {
        match share {
            TaskShare::Part => self.waiting.reserve(tasks),
            TaskShare::Next => {
                self.waiting.reserve(BUFFERS_PER_THREAD);
                if self.free.len() < BUFFERS_PER_THREAD {
                    self.free.resize_with(BUFFERS_PER_THREAD, TaskBuffer::default);
                }
                for buffer in &mut self.free {
                    buffer.prepare(most);
                }
            }
        }
    }
}

impl<T> TaskBuffer<T> {
    /// If the capacity is hardly more than `len`, grows it so that it lasts for some steps. A
    /// failure is ignored: the next step allocates again, and reports it.
    pub(super) fn prepare(&mut self, len: usize) {
        if self.list.capacity() < len + len / 16 + BLOCK_PAIRS {
            let wanted = len + len / 8 + BUFFER_RESULTS;
            let _ = self.list.try_reserve_exact(wanted.saturating_sub(self.list.len()));
        }
    }
}

/// The place of the results of each task in a list.
struct TaskPlaces<'a, T> {
    /// The part of the list after all known places.
    rest: &'a mut [T],
    /// The number of results of each task, once it is done.
    found: [Option<usize>; MAX_TASKS],
    /// The place of each task, from when it is known until it is taken.
    places: [Option<&'a mut [T]>; MAX_TASKS],
    /// The first task whose place is not known.
    next: usize,
}

impl<'a, T> TaskPlaces<'a, T> {
    /// The places in `list`, where `found` is known for some tasks.
    fn new(list: &'a mut [T], found: [Option<usize>; MAX_TASKS]) -> Self {
        let mut places = Self { rest: list, found, places: [const { None }; MAX_TASKS], next: 0 };
        places.advance();
        places
    }

    /// Records the number of results of a task.
    fn note(&mut self, task: usize, found: usize) {
        self.found[task] = Some(found);
        self.advance();
    }

    /// Finds the places of tasks whose earlier tasks are all done, as long as they fit into the
    /// list.
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

/// Locks `shared`, even if another thread has panicked: its panic ends the detection anyway.
fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The tasks that no thread has taken yet, in parts of about equal size.
struct Queue {
    tasks: usize,
    parts: usize,
    /// For each part, the number of tasks taken, or more once it is used up.
    taken: [AtomicUsize; MAX_TASKS],
}

impl Queue {
    /// A queue of `tasks` tasks in `parts` parts, at most [`MAX_TASKS`] of either.
    fn new(tasks: usize, parts: usize) -> Self {
        Self { tasks, parts, taken: array::from_fn(|_| AtomicUsize::new(0)) }
    }

    /// Takes the next task of part `index`. If that part has no task left, takes a task of the next
    /// part that has one; after the last part comes the first.
    fn take(&self, index: usize) -> Option<usize> {
        let begin = |part: usize| self.tasks * part / self.parts;
        (index..index + self.parts).find_map(|part| {
            let part = part % self.parts;
            let task = begin(part) + self.taken[part].fetch_add(1, Ordering::Relaxed);
            (task < begin(part + 1)).then_some(task)
        })
    }
}

#[cfg(test)]
mod tests {
    //! Each thread copies its results to the right place, whichever thread is done first.

    use super::*;

    /// A buffer with the results `found`, followed by other values.
    fn buffer(found: &[u32]) -> TaskBuffer<u32> {
        TaskBuffer { list: [found, &[u32::MAX; 3]].concat(), len: found.len() }
    }

    #[test]
    fn places_are_known_once_all_tasks_before_are_done() {
        let mut list = [0; 10];
        let mut places = TaskPlaces::new(&mut list, [None; MAX_TASKS]);
        let known = |places: &TaskPlaces<'_, u32>| -> Vec<(usize, usize)> {
            let place =
                |(task, place): (usize, &Option<&mut [u32]>)| Some((task, place.as_ref()?.len()));
            places.places.iter().enumerate().filter_map(place).collect()
        };
        places.note(1, 3);
        assert_eq!(known(&places), []);
        places.note(0, 2);
        assert_eq!(known(&places), [(0, 2), (1, 3)]);
        // A task without results also has a place.
        places.note(2, 0);
        assert_eq!(known(&places), [(0, 2), (1, 3), (2, 0)]);
        // Five elements are left. If a task does not fit, later tasks have no place, either.
        places.note(3, 6);
        places.note(4, 1);
        assert_eq!(known(&places), [(0, 2), (1, 3), (2, 0)]);
    }

    #[test]
    fn those_who_are_done_copy_what_has_a_place() {
        let mut list = [0; 6];
        let places = Mutex::new(TaskPlaces::new(&mut list, [None; MAX_TASKS]));
        let mut workers = [Worker::default(), Worker::default()];
        let mut hand_in = |worker: usize, task, found: &[u32]| {
            lock(&places).note(task, found.len());
            workers[worker].waiting.push_back((task, buffer(found)));
            workers[worker].deliver(&places);
            workers[worker].waiting.len()
        };
        // The second thread is ahead and waits for the first thread. It copies its first buffer when it
        // next delivers.
        assert_eq!(hand_in(1, 1, &[20, 21]), 1);
        assert_eq!(hand_in(0, 0, &[10]), 0);
        assert_eq!(hand_in(1, 2, &[30, 31, 32]), 0);
        assert_eq!(list, [10, 20, 21, 30, 31, 32]);
    }

    /// Lists of several threads are in the order of the tasks, whatever the capacity of the list was.
    #[cfg(feature = "parallel")]
    #[test]
    fn lists_are_in_order() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let mut workers = Workers::default();
        let mut out = Vec::new();
        for (step, (tasks, share)) in [
            (40, TaskShare::Next),
            (40, TaskShare::Next),
            (7, TaskShare::Part),
            (7, TaskShare::Next),
            (0, TaskShare::Next),
            (90, TaskShare::Part),
            (90, TaskShare::Next),
            (250, TaskShare::Next),
            (MAX_TASKS, TaskShare::Part),
            (MAX_TASKS, TaskShare::Next),
            (0, TaskShare::Part),
            (1, TaskShare::Next),
            (1, TaskShare::Part),
        ]
        .into_iter()
        .enumerate()
        {
            // A few tasks take much longer than the other tasks, so later tasks have no place for a
            // while.
            let found = |task: usize| (task * 7 + step) % 5 * (task % 3);
            let fill = |buffer: &mut TaskBuffer<u32>, task: usize| {
                if task % 16 == 3 {
                    std::thread::sleep(std::time::Duration::from_millis(2));
                }
                *buffer = self::buffer(&vec![task as u32; found(task)]);
                Left::default()
            };
            let total = pool.install(|| workers.collect(&mut out, tasks, share, 1000, fill));
            let expected: Vec<u32> =
                (0..tasks).flat_map(|task| vec![task as u32; found(task)]).collect();
            assert_eq!((total.kept, &out), (expected.len(), &expected), "{tasks} tasks");
            assert!(total.left.is_nothing());
            // No buffer waits, and all buffers are there for the next step.
            assert!(workers.workers.iter().all(|worker| worker.waiting.is_empty()));
            if share == TaskShare::Part {
                assert!(workers.by_task.len() >= tasks);
                continue;
            }
            let used = &workers.workers[..tasks.min(3)];
            let most = (0..tasks).map(found).max().unwrap_or(0);
            let fit = |worker: &Worker<u32>| {
                worker.free.iter().filter(|f| f.list.capacity() > most).count()
            };
            assert!(used.iter().all(|worker| fit(worker) >= BUFFERS_PER_THREAD));
            // A list that was cleared, and one without memory.
            match step {
                1 => out.clear(),
                6 => out = Vec::new(),
                _ => {}
            }
        }
    }

    #[cfg(feature = "parallel")]
    #[test]
    fn dropped_pairs_are_summed_over_tasks() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let (mut workers, mut out) = (Workers::<u32>::default(), Vec::new());
        let left = |task: usize| Left { dropped: task as u64, starved: (task == 3).then_some(77) };
        let fill = |buffer: &mut TaskBuffer<u32>, task: usize| {
            *buffer = self::buffer(&[1, 2]);
            left(task)
        };
        let total = pool.install(|| workers.collect(&mut out, 5, TaskShare::Next, 1000, fill));
        assert_eq!((total.kept, total.left.dropped, total.left.starved), (10, 10, Some(77)));
        // A list beyond the limit is not allocated.
        let fill = |buffer: &mut TaskBuffer<u32>, _: usize| {
            *buffer = self::buffer(&[1; 100]);
            Left::default()
        };
        let mut out = Vec::new();
        let total = pool.install(|| workers.collect(&mut out, 50, TaskShare::Part, 4999, fill));
        assert_eq!((total.kept, total.left.is_nothing()), (5000, true));
        assert!(out.capacity() < 5000);
        assert!(workers.workers.iter().all(|worker| worker.waiting.is_empty()));
        // If the list has no capacity, all buffers wait, and only some of them are kept. If there are
        // too many results, no free buffer is kept.
        let free = |workers: &Workers<u32>| -> Vec<usize> {
            workers.workers.iter().map(|worker| worker.free.len()).collect()
        };
        let mut out = Vec::new();
        let total = pool.install(|| workers.collect(&mut out, 50, TaskShare::Next, 5000, fill));
        assert_eq!(
            (total.kept, out.len(), free(&workers)),
            (5000, 5000, vec![BUFFERS_PER_THREAD; 2])
        );
        let total = pool.install(|| workers.collect(&mut out, 50, TaskShare::Next, 4999, fill));
        assert_eq!((total.kept, free(&workers)), (5000, vec![0; 2]));
        let workers = workers
            .each(4, TaskShare::Part, false, |worker, task| worker.left.dropped += task as u64);
        assert_eq!(workers.iter().map(|worker| worker.left.dropped).collect::<Vec<_>>(), [6]);
    }

    /// Each worker takes the tasks of its part first, then tasks that are left. Each task is taken
    /// once.
    #[test]
    fn tasks_are_taken_once() {
        let taken =
            |queue: &Queue, index| std::iter::from_fn(|| queue.take(index)).collect::<Vec<_>>();
        let queue = Queue::new(7, 3);
        assert_eq!(
            [queue.take(1), queue.take(0), queue.take(1), queue.take(2)],
            [2, 0, 3, 4].map(Some)
        );
        // The tasks left in its own part, then the tasks left in the third and in the first part.
        assert_eq!(taken(&queue, 1), [5, 6, 1]);
        assert_eq!(queue.take(0), None);
        assert_eq!(taken(&Queue::new(5, 1), 9), [0, 1, 2, 3, 4]);
        assert_eq!(taken(&Queue::new(0, 1), 0), []);
        let most = taken(&Queue::new(MAX_TASKS, MAX_TASKS), 1);
        assert_eq!((most.len(), most[0], most[MAX_TASKS - 1]), (MAX_TASKS, 1, 0));
    }
}
