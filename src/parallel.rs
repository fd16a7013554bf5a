//! One way to split work over threads: halve it until a task is left.

#[cfg(feature = "parallel")]
use std::sync::atomic::{AtomicBool, Ordering};

/// Work that consists of independent tasks in a row, each with its own share of the data.
pub(crate) trait Divide: Send + Sized {
    /// How many tasks there are.
    fn tasks(&self) -> usize;
    /// The first `tasks` tasks, and the rest.
    fn split(self, tasks: usize) -> (Self, Self);
    /// Does all tasks, one after the other.
    fn work(self);
}

/// Does `work`: over the threads of the current rayon pool if `threads` says so (and the feature
/// `parallel` is on), else on the calling thread. What comes out is the same.
///
/// Halving with `join` and not a parallel iterator: the shares are slices cut from one buffer, and
/// a list of them would have to be allocated at every step.
pub(crate) fn run<W: Divide>(work: W, threads: bool) {
    if threads && work.tasks() > 1 {
        let half = work.tasks() / 2;
        let (first, rest) = work.split(half);
        join(|| run(first, true), || run(rest, true));
    } else {
        work.work();
    }
}

/// Does `work`, which [`run`]s several things one after the other: on a thread of the current rayon
/// pool if `threads` says so, else on the calling thread. Each `run` from outside the pool would
/// have to wake it, and wait to be woken.
pub(crate) fn enter<R: Send>(threads: bool, work: impl FnOnce() -> R + Send) -> R {
    #[cfg(feature = "parallel")]
    if threads {
        return rayon::scope(|_| work());
    }
    let _ = threads;
    work()
}

/// Does `work`, for which one thread is enough; if `threads` says that there are more, another one waits in a
/// loop until it is done. A thread that finds nothing to do for some 20 microseconds falls asleep, and to wake takes
/// it longer than most work of this kind takes (measured, docs/performance.md).
///
/// `work` must not [`run`] or [`enter`] anything: who waits for others does what else there is to do, and if that
/// were the loop, it would never end.
pub(crate) fn alone<R: Send>(threads: bool, work: impl FnOnce() -> R + Send) -> R {
    #[cfg(feature = "parallel")]
    if threads {
        let done = AtomicBool::new(false);
        let wait = || {
            while !done.load(Ordering::Relaxed) {
                // There may be more threads than cores.
                std::thread::yield_now();
            }
        };
        let work = || {
            let _end = RaiseAtEnd(&done);
            work()
        };
        return join(work, wait).0;
    }
    let _ = threads;
    work()
}

/// Raises a flag when it is dropped, by a panic, too.
#[cfg(feature = "parallel")]
struct RaiseAtEnd<'a>(&'a AtomicBool);

#[cfg(feature = "parallel")]
impl Drop for RaiseAtEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(feature = "parallel")]
use rayon::join;

/// Without threads, one after the other.
#[cfg(not(feature = "parallel"))]
fn join(first: impl FnOnce(), second: impl FnOnce()) {
    first();
    second();
}

/// How many threads [`run`] would use.
pub(crate) fn threads() -> usize {
    #[cfg(feature = "parallel")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "parallel"))]
    return 1;
}

#[cfg(all(test, feature = "parallel"))]
mod tests;
