//! Splits work over threads: halves it until a single task is left.

use crate::base::TASK_LISTS;
use std::ops::Range;

/// Work that consists of a sequence of independent tasks, each with its own share of the data.
pub(crate) trait Divide: Send + Sized {
    /// The number of tasks.
    fn tasks(&self) -> usize;
    /// Splits the work into the first `tasks` tasks and the later tasks.
    fn split(self, tasks: usize) -> (Self, Self);
    /// Runs all tasks, one after the other.
    fn work(self);
}

/// Runs `work`: on the threads of the current rayon pool if `threads` is set (and the feature
/// `parallel` is on), else on the calling thread. The result does not change.
///
/// The work is halved with `join` instead of listed for a parallel iterator, because the shares are
/// slices of one buffer, and a list of them would have to be allocated at every step.
pub(crate) fn run<W: Divide>(work: W, threads: bool) {
    run_share(&mut Share(Some(work)), !threads);
}

/// A share of some work; `None` once it is done. It is used as a trait object, so all kinds of work
/// share one function that passes halves to threads, instead of a function for each kind.
struct Share<W>(Option<W>);

trait Halve: Send {
    /// Runs the work if it is to stay `whole` or has no two tasks. Else calls `each` with both
    /// halves.
    fn halve(&mut self, whole: bool, each: &mut dyn FnMut(&mut dyn Halve, &mut dyn Halve));
}

impl<W: Divide> Halve for Share<W> {
    fn halve(&mut self, whole: bool, each: &mut dyn FnMut(&mut dyn Halve, &mut dyn Halve)) {
        let Some(work) = self.0.take() else { return };
        let half = work.tasks() / 2;
        if whole || half == 0 {
            return work.work();
        }
        let (first, rest) = work.split(half);
        each(&mut Share(Some(first)), &mut Share(Some(rest)));
    }
}

fn run_share(share: &mut dyn Halve, whole: bool) {
    share.halve(whole, &mut |first, rest| {
        join(|| run_share(first, false), || run_share(rest, false));
    });
}

/// Calls `work` for each of `workers`, with its number: on the threads of the current rayon pool if
/// `threads` is set, else one after the other.
pub(crate) fn each<W: Send>(workers: &mut [W], threads: bool, work: impl Fn(usize, &mut W) + Sync) {
    run(Each { first: 0, block: 1, values: workers, work: &work }, threads);
}

/// [`each`] in blocks, for values of little work.
pub(crate) fn change<T: Send>(
    values: &mut [T],
    threads: bool,
    work: &(impl Fn(usize, &mut T) + Sync),
) {
    run(Each { first: 0, block: TASK_LISTS, values, work }, threads);
}

/// The items of part `number` of `parts`: consecutive parts of about equal size.
pub(crate) fn part(items: usize, parts: usize, number: usize) -> Range<usize> {
    let begin = |number: usize| (items as u64 * number as u64 / parts as u64) as usize;
    begin(number)..begin(number + 1)
}

/// The calls for some consecutive values.
struct Each<'a, T, F> {
    /// The number of the first of these values.
    first: usize,
    /// The values of a task.
    block: usize,
    values: &'a mut [T],
    work: &'a F,
}

impl<T: Send, F: Fn(usize, &mut T) + Sync> Divide for Each<'_, T, F> {
    fn tasks(&self) -> usize {
        self.values.len().div_ceil(self.block)
    }

    fn split(self, tasks: usize) -> (Self, Self) {
        let at = (tasks * self.block).min(self.values.len());
        let (values, rest) = self.values.split_at_mut(at);
        (Self { values, ..self }, Self { first: self.first + at, values: rest, ..self })
    }

    fn work(self) {
        for (number, value) in (self.first..).zip(self.values) {
            (self.work)(number, value);
        }
    }
}

/// Copies the slices of `parts`, one after the other, to `to`, which is as long as all slices
/// together, on the threads of the current rayon pool.
pub(crate) fn copy_parts<P: Sync, T: Copy + Send + Sync>(
    parts: &[P],
    slice: fn(&P) -> &[T],
    to: &mut [T],
) {
    run(CopyParts { parts, slice, to }, true);
}

struct CopyParts<'a, P, T> {
    parts: &'a [P],
    slice: fn(&P) -> &[T],
    to: &'a mut [T],
}

impl<P: Sync, T: Copy + Send + Sync> Divide for CopyParts<'_, P, T> {
    fn tasks(&self) -> usize {
        self.parts.len()
    }

    fn split(self, tasks: usize) -> (Self, Self) {
        let Self { parts, slice, to } = self;
        let (first, rest) = parts.split_at(tasks);
        let (to_first, to_rest) = to.split_at_mut(first.iter().map(|part| slice(part).len()).sum());
        (Self { parts: first, slice, to: to_first }, Self { parts: rest, slice, to: to_rest })
    }

    fn work(self) {
        let mut to = self.to;
        for part in self.parts {
            let part = (self.slice)(part);
            let (place, rest) = to.split_at_mut(part.len());
            place.copy_from_slice(part);
            to = rest;
        }
    }
}

/// Runs `work`, which calls [`run`] several times: on a thread of the current rayon pool if
/// `threads` is set, else on the calling thread. From outside the pool, each `run` would have to
/// wake the pool and wait for it.
pub(crate) fn enter<R: Send>(threads: bool, work: impl FnOnce() -> R + Send) -> R {
    let mut call = PoolCall { work: Some(work), result: None };
    let entry: &mut dyn Enter = &mut call;
    if threads {
        enter_pool(entry);
    } else {
        entry.run();
    }
    call.result.expect("the work has run")
}

/// A call and its result. It is used as a trait object, so its work is compiled once: not for the
/// pool and for the calling thread.
struct PoolCall<F, R> {
    work: Option<F>,
    result: Option<R>,
}

trait Enter: Send {
    fn run(&mut self);
}

impl<R: Send, F: FnOnce() -> R + Send> Enter for PoolCall<F, R> {
    fn run(&mut self) {
        self.result = self.work.take().map(|work| work());
    }
}

/// Runs `entry` on a thread of the current rayon pool. Not generic, so it is compiled once.
#[cfg(feature = "parallel")]
fn enter_pool(entry: &mut dyn Enter) {
    rayon::scope(|_| entry.run());
}

#[cfg(feature = "parallel")]
use rayon::join;

/// Runs `entry`.
#[cfg(not(feature = "parallel"))]
fn enter_pool(entry: &mut dyn Enter) {
    entry.run();
}

/// Calls both functions, one after the other.
#[cfg(not(feature = "parallel"))]
fn join(first: impl FnOnce(), second: impl FnOnce()) {
    first();
    second();
}

/// The number of threads that [`run`] uses.
pub(crate) fn threads() -> usize {
    #[cfg(feature = "parallel")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "parallel"))]
    return 1;
}

#[cfg(test)]
mod tests {
    #[test]
    fn each_value_has_its_place() {
        for len in [0, 1, 4095, 4096, 4097, 20_000] {
            for threads in [false, true] {
                let mut places = vec![1; len];
                super::change(&mut places, threads, &|place, value| *value += place);
                assert_eq!(places, (1..=len).collect::<Vec<_>>());
            }
        }
    }
}
