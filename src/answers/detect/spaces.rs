//! Many spaces in one call: a detection for each space, one after the other.
//!
//! In plain words:
//!
//! ```text
//! group the rows by space
//! for each space, in ascending order: detect its rows as a call of its own; append the results
//! (up to 64 rows: spaces that follow each other, as one call whose grid has a run for each)
//! ```
//!
//! So the results equal, bit for bit, the results of a call for each space. The caller sorts them
//! if they are to be sorted. One grid in which spaces lie side by side would have other cells, and
//! so another order of pairs, than a call for one space. A grid of few shapes has no cells: the
//! shapes are a run in the order of rows, and each shape is tested against each, by lanes. So a
//! grid may as well have a run for each of many spaces: see [`AllPairs`](crate::grid::AllPairs).
//! The few shapes of each space of an index are such runs too, in one grid for all these spaces.

use std::{
    marker::PhantomData,
    sync::atomic::{AtomicUsize, Ordering},
};

use super::{
    detection::DetectionWorkspace,
    ordered_output::{BUFFER_RESULTS, TaskBuffer},
    scope::RunOptions,
    search::Request,
    sink::{AllBuffers, ResultSink, SinkResult, beyond_limit},
};
use crate::{
    base::{
        Held, TASK_ROWS, THREAD_TASKS, held,
        parallel::{self, Divide},
    },
    error::{
        Error,
        limit::{Listed, outcome},
    },
    grid::{CellSize, GridLevels},
    index::{Index, Spaces},
    options::{Threads, uses_pool},
    simd::map_each,
};

/// The workspace of calls with many spaces.
#[derive(Debug, Default)]
pub(super) struct SpacesWorkspace {
    pub(super) spaces: Spaces,
    tasks: Vec<TaskWorkspace>,
}

held!(SpacesWorkspace { spaces, tasks });

/// The workspace and the results of a task: among the shapes, and with an index.
#[derive(Debug, Default)]
struct TaskWorkspace {
    scratch: DetectionWorkspace,
    /// The results of all spaces of the task. The detections write them there.
    buffers: AllBuffers,
    /// The number of results before the space.
    before: [usize; 2],
    /// The number of results that are not kept.
    dropped: [u64; 2],
    /// The number of results that are kept and not yet counted for all tasks.
    uncounted: [usize; 2],
    error: Option<Error>,
}

impl Held for TaskWorkspace {
    fn bytes(&self) -> usize {
        self.scratch.bytes() + self.buffers.bytes()
    }
}

/// Whether results are listed or counted.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Use {
    List,
    Count,
}

impl Use {
    fn of<T>(sink: &ResultSink<'_, T>) -> Self {
        match sink {
            ResultSink::Count => Use::Count,
            _ => Use::List,
        }
    }

    /// The sink of a space.
    fn sink<T>(self, buffer: &mut TaskBuffer<T>) -> ResultSink<'_, T> {
        match self {
            Use::List => ResultSink::Behind(buffer),
            Use::Count => ResultSink::Count,
        }
    }
}

impl SpacesWorkspace {
    /// Checks the rows of a request, and groups them by space. The extent of the rows is then
    /// known, unless the cells of few shapes are not automatic: such cells depend on the extent of
    /// the shapes of the space.
    pub(super) fn group(
        &mut self,
        request: &mut Request<'_>,
        spaces: Option<&[u32]>,
    ) -> Result<(), Error> {
        let Request { rows, options, .. } = *request;
        let shapes = rows.check_on(options.isa, uses_pool(options.threads, rows.len()))?;
        let automatic =
            options.cell_size == CellSize::Auto && matches!(options.grid_levels, GridLevels::Auto);
        request.known = automatic.then_some(shapes.extent);
        self.spaces.group(&rows, spaces);
        Ok(())
    }

    /// Runs a detection for each space, and writes the results to the sinks, in the order of the
    /// spaces: among the shapes, and with an index. The rows must have been grouped. Returns the
    /// number of results; with an index, only of results with the index.
    pub(super) fn run<T: SinkResult>(
        &mut self,
        request: Request<'_>,
        mut sinks: [Option<ResultSink<'_, T>>; 2],
    ) -> Result<u64, Error> {
        let Self { spaces, tasks } = self;
        let Request { options, rows, .. } = request;
        let threads = uses_pool(options.threads, rows.len());
        let wanted = if threads { parallel::threads() * THREAD_TASKS } else { 1 };
        let wanted = wanted.min(spaces.rows() / TASK_ROWS).clamp(1, spaces.len().max(1));
        if tasks.len() < wanted {
            tasks.resize_with(wanted, TaskWorkspace::default);
        }
        let tasks = &mut tasks[..wanted];
        let uses = map_each(sinks.each_ref(), |sink| sink.as_ref().map(Use::of));
        swap_lists(tasks, &mut sinks);
        let work = Tasks::<T> {
            request: Request {
                options: RunOptions { threads: Threads::Calling, ..options },
                ..request
            },
            spaces,
            uses,
            kept: &[const { AtomicUsize::new(0) }; 2],
            first: 0,
            count: wanted,
            tasks: &mut *tasks,
            results: PhantomData,
        };
        parallel::enter(threads, || parallel::run(work, threads));
        finish(tasks, &options, sinks)
    }

    /// Runs a detection between the parts of two indexes for each space, in the same way.
    pub(super) fn run_between<T: SinkResult>(
        &mut self,
        options: &RunOptions<'_>,
        [index, other]: [&Index; 2],
        sink: ResultSink<'_, T>,
    ) -> Result<u64, Error> {
        if self.tasks.is_empty() {
            self.tasks.push(TaskWorkspace::default());
        }
        let kept = [const { AtomicUsize::new(0) }; 2];
        self.tasks[0].begin::<T>();
        let uses = [None, Some(Use::of(&sink))];
        let mut sinks = [None, Some(sink)];
        swap_lists(&mut self.tasks[..1], &mut sinks);
        let task = &mut self.tasks[0];
        for space in index.spaces() {
            let parts = [index.part(space), other.part(space)];
            let (scratch, sinks) = task.sinks::<T>(uses);
            let [_, Some(sink)] = sinks else { continue };
            let result = scratch.run_between(options, parts, sink);
            task.keep::<T>(options, uses, result, &kept);
        }
        finish(&mut self.tasks[..1], options, sinks)
    }
}

/// Writes the results of all tasks to the sinks: among the shapes, and with an index.
fn finish<T: SinkResult>(
    tasks: &mut [TaskWorkspace],
    options: &RunOptions<'_>,
    mut sinks: [Option<ResultSink<'_, T>>; 2],
) -> Result<u64, Error> {
    swap_lists(tasks, &mut sinks);
    if let Some(error) = tasks.iter_mut().find_map(|task| task.error.take()) {
        for sink in sinks.into_iter().flatten() {
            sink.clear();
        }
        return Err(error);
    }
    let mut found = 0;
    for (side, mut sink) in sinks.into_iter().enumerate() {
        let Some(sink) = &mut sink else { continue };
        let dropped: u64 = tasks.iter().map(|task| task.dropped[side]).sum();
        let Some(list) = sink.list() else {
            found = dropped;
            continue;
        };
        let buffers = tasks.iter().map(|task| &T::buffers_of(&task.buffers)[side]);
        let joined = join(list, buffers, dropped, T::limit(options));
        if joined.is_err() {
            // The results are of no use any more, and their memory is given back.
            for buffer in tasks.iter_mut().flat_map(|task| T::buffers(&mut task.buffers)) {
                *buffer = TaskBuffer::default();
            }
        }
        found = joined?;
    }
    Ok(found)
}

/// Swaps the buffers of the first task with the lists of the caller: it writes there, and nothing
/// is copied. A second call swaps them back.
fn swap_lists<T: SinkResult>(
    tasks: &mut [TaskWorkspace],
    sinks: &mut [Option<ResultSink<'_, T>>; 2],
) {
    for (buffer, sink) in T::buffers(&mut tasks[0].buffers).iter_mut().zip(sinks) {
        if let Some(list) = sink.as_mut().and_then(ResultSink::list) {
            std::mem::swap(&mut buffer.list, list);
        }
    }
}

/// Appends the results of all buffers but the first, in order: `out` has the results of the first
/// buffer already.
///
/// # Errors
/// If there are more results than the limit, counting results that were not kept.
fn join<'a, T: Listed + 'a>(
    out: &mut Vec<T>,
    mut buffers: impl Iterator<Item = &'a TaskBuffer<T>> + Clone,
    dropped: u64,
    limit: usize,
) -> Result<u64, Error> {
    let kept: usize = buffers.clone().map(|buffer| buffer.len).sum();
    out.truncate(buffers.next().map_or(0, |first| first.len));
    let found = kept as u64 + dropped;
    let refused = found <= limit as u64 && out.try_reserve(kept - out.len()).is_err();
    outcome(out, found, limit, refused.then_some(kept))?;
    for TaskBuffer { list, len } in buffers {
        out.extend_from_slice(&list[..*len]);
    }
    Ok(found)
}

/// Some tasks: consecutive shares of the spaces.
struct Tasks<'a, 'b, T> {
    request: Request<'a>,
    spaces: &'a Spaces,
    uses: [Option<Use>; 2],
    /// The number of results that all tasks keep.
    kept: &'a [AtomicUsize; 2],
    /// The number of the first task, and the number of all tasks.
    first: usize,
    count: usize,
    tasks: &'b mut [TaskWorkspace],
    results: PhantomData<T>,
}

impl<T: SinkResult> Divide for Tasks<'_, '_, T> {
    fn tasks(&self) -> usize {
        self.tasks.len()
    }

    fn split(self, tasks: usize) -> (Self, Self) {
        let (own, rest) = self.tasks.split_at_mut(tasks);
        (Tasks { tasks: own, ..self }, Tasks { first: self.first + tasks, tasks: rest, ..self })
    }

    fn work(self) {
        let Self { request, spaces, uses, kept, first, count, tasks, .. } = self;
        let share = |task: usize| spaces.len() * task / count;
        for (number, task) in (first..).zip(tasks) {
            task.begin::<T>();
            let batched = is_batched(&request);
            for batch in spaces.batches(share(number)..share(number + 1), TASK_ROWS, batched) {
                task.detect::<T>(&request.of(&batch), uses, kept);
                if task.error.is_some() {
                    break;
                }
            }
        }
    }
}

/// Whether a space of few rows is detected together with other spaces, by its number: unless an
/// index has many shapes there, or the grid depends on the extent of the space.
pub(super) fn is_batched(request: &Request<'_>) -> impl Fn(u32) -> bool {
    let Request { known, part, .. } = *request;
    move |space| known.is_some() && part.is_none_or(|part| part.may_batch(space))
}

impl TaskWorkspace {
    fn begin<T: SinkResult>(&mut self) {
        for buffer in T::buffers(&mut self.buffers) {
            buffer.len = 0;
        }
        (self.dropped, self.uncounted, self.error) = ([0; 2], [0; 2], None);
    }

    /// Detects a space, and keeps or counts the results.
    fn detect<T: SinkResult>(
        &mut self,
        request: &Request<'_>,
        uses: [Option<Use>; 2],
        kept: &[AtomicUsize; 2],
    ) {
        let run = |task: &mut Self, uses| {
            let (scratch, sinks) = task.sinks::<T>(uses);
            scratch.run(request, sinks)
        };
        let result = run(self, uses);
        if let [Some(among), Some(against)] = uses
            && beyond_limit(&result).is_some()
        {
            // One of the two lists is beyond its limit. A call for each list tells which list it
            // is.
            for (buffer, before) in T::buffers(&mut self.buffers).iter_mut().zip(self.before) {
                buffer.len = before;
            }
            for uses in [[Some(among), None], [None, Some(against)]] {
                let result = run(self, uses);
                self.keep::<T>(&request.options, uses, result, kept);
            }
            return;
        }
        self.keep::<T>(&request.options, uses, result, kept);
    }

    /// The scratch memory, and the sinks of a space.
    fn sinks<T: SinkResult>(
        &mut self,
        [among, against]: [Option<Use>; 2],
    ) -> (&mut DetectionWorkspace, [Option<ResultSink<'_, T>>; 2]) {
        let Self { scratch, buffers, before, .. } = self;
        let [first, second] = T::buffers(buffers);
        *before = [first.len, second.len];
        (scratch, [among.map(|of| of.sink(first)), against.map(|of| of.sink(second))])
    }

    /// Keeps the results of a space, or counts them.
    fn keep<T: SinkResult>(
        &mut self,
        options: &RunOptions<'_>,
        uses: [Option<Use>; 2],
        result: Result<u64, Error>,
        kept: &[AtomicUsize; 2],
    ) {
        let beyond = beyond_limit(&result);
        let counted = match result {
            Err(error) if beyond.is_none() => {
                self.error = Some(error);
                return;
            }
            Ok(counted) => counted,
            Err(_) => 0,
        };
        let limit = T::limit(options);
        for (side, of) in uses.into_iter().enumerate() {
            let Some(of) = of else { continue };
            let counted = if of == Use::Count { counted } else { 0 };
            self.dropped[side] += beyond.unwrap_or(counted);
            let buffer = &mut T::buffers(&mut self.buffers)[side];
            let uncounted = &mut self.uncounted[side];
            *uncounted += buffer.len - self.before[side];
            // If it added the results of each space, threads would wait for each other's memory.
            if *uncounted >= BUFFER_RESULTS {
                let new = std::mem::take(uncounted);
                if kept[side].fetch_add(new, Ordering::Relaxed) + new > limit {
                    self.dropped[side] += buffer.len as u64;
                    buffer.len = 0;
                }
            }
        }
    }
}
