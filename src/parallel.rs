//! One way to split work over threads: halve it until a task is left.

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
        run_share(&mut Share(Some(work)));
    } else {
        work.work();
    }
}

/// A share of some work until it is done. Behind a trait object, so that all kinds of work have one
/// function that hands halves to threads, and not one each.
struct Share<W>(Option<W>);

trait Halve: Send {
    /// Calls `each` with both halves, or does the work if it is a single task.
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
