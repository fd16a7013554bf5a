//! Splits work over threads: halves it until a single task is left.

/// Work that consists of a sequence of independent tasks, each with its own share of the data.
pub(crate) trait Divide: Send + Sized {
    /// The number of tasks.
    fn tasks(&self) -> usize;
    /// Splits the work into the first `tasks` tasks and the rest.
    fn split(self, tasks: usize) -> (Self, Self);
    /// Runs all tasks, one after the other.
    fn work(self);
}

/// Runs `work`: on the threads of the current rayon pool if `threads` is set (and the feature
/// `parallel` is on), else on the calling thread. The result is the same.
///
/// The work is halved with `join` instead of listed for a parallel iterator, because the shares are
/// slices of one buffer, and a list of them would have to be allocated at every step.
pub(crate) fn run<W: Divide>(work: W, threads: bool) {
    if threads && work.tasks() > 1 {
        run_share(&mut Share(Some(work)));
    } else {
        work.work();
    }
}

/// A share of some work; `None` once it is done. It is used as a trait object, so all kinds of work
/// share one function that passes halves to threads, instead of one function each.
struct Share<W>(Option<W>);

trait Halve: Send {
    /// Calls `each` with both halves, or runs the work if it is a single task.
    fn halve(&mut self, each: &mut dyn FnMut(&mut dyn Halve, &mut dyn Halve));
}

impl<W: Divide> Halve for Share<W> {
    fn halve(&mut self, each: &mut dyn FnMut(&mut dyn Halve, &mut dyn Halve)) {
        let Some(work) = self.0.take() else { return };
        match work.tasks() / 2 {
            0 => work.work(),
            half => {
                let (first, rest) = work.split(half);
                each(&mut Share(Some(first)), &mut Share(Some(rest)));
            }
        }
    }
}

fn run_share(share: &mut dyn Halve) {
    share.halve(&mut |first, rest| {
        join(|| run_share(first), || run_share(rest));
    });
}

/// Runs `work`, which calls [`run`] several times: on a thread of the current rayon pool if
/// `threads` is set, else on the calling thread. From outside the pool, each `run` would have to
/// wake the pool and wait for it.
pub(crate) fn enter<R: Send>(threads: bool, work: impl FnOnce() -> R + Send) -> R {
    let mut result = None;
    let mut work = Some(work);
    let mut run = || result = work.take().map(|work| work());
    if threads {
        enter_pool(&mut run);
    } else {
        run();
    }
    result.expect("the work has run")
}

/// Runs `work` on a thread of the current rayon pool. Not generic, so it is compiled once.
#[cfg(feature = "parallel")]
fn enter_pool(work: &mut (dyn FnMut() + Send)) {
    rayon::scope(|_| work());
}

#[cfg(feature = "parallel")]
use rayon::join;

/// Runs `work`.
#[cfg(not(feature = "parallel"))]
fn enter_pool(work: &mut (dyn FnMut() + Send)) {
    work();
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
