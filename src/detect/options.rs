//! What the caller of a [`Detector`](crate::Detector) can choose.

use crate::parallel;

/// The most pairs that a detection lists unless told otherwise: 2^27, a list of 1 GiB.
///
/// How many pairs touch is in the hands of whoever makes the scene: a million coincident shapes are
/// half a million million pairs. Rather than run out of memory, a detection beyond the limit ends
/// in [`Error::TooManyPairs`](crate::Error::TooManyPairs), which says how many there are. So beyond the limit, too,
/// all pairs are counted, which takes 0.4 to 0.6 ns each (measured, docs/performance.md): a limit bounds the memory, not
/// the time, and those half a million million take minutes.
pub const DEFAULT_MAX_PAIRS: usize = 1 << 27;

/// The most contacts that are listed unless told otherwise: 2^24, a list of 1 GiB.
///
/// For [`Detector::contacts`](crate::Detector::contacts) and for
/// [`Narrowphase::contacts`](crate::narrowphase::Narrowphase::contacts), where two compounds of a thousand
/// parts may have a million contacts. Beyond it, [`Error::TooManyContacts`](crate::Error::TooManyContacts)
/// says how many there are.
pub const DEFAULT_MAX_CONTACTS: usize = 1 << 24;

/// The order of the list of pairs. Both are functions of the input alone: the same on every level
/// and for any number of threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Order {
    /// As the sweep over the grid finds them; costs nothing.
    #[default]
    Grid,
    /// By `a`, then by `b`; costs a sort.
    Sorted,
}

/// Bodies (or pairs to sort) from which on several threads are worth it: below, waking them costs
/// about what they save (measured, docs/performance.md).
const PARALLEL_BODIES: usize = 1 << 16;

/// Which threads a detection, or the sorting of a [`Index`](crate::StaticSet), runs on.
///
/// The crate makes no threads, but rayon does: it starts its global pool when that is first needed, here
/// by the first call from outside a pool that is to be split over threads. Such a call goes through the
/// queue of the pool, for which rayon allocates a block once in a while. In the steady state, a call from
/// within a pool allocates nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Threads {
    /// Those of the current rayon pool if the scene is large enough to gain from it (from 65,536
    /// shapes on), else the calling thread alone. The current pool is the one whose
    /// [`install`](https://docs.rs/rayon/latest/rayon/struct.ThreadPool.html#method.install) the
    /// call is in, else the global one. Without the feature `parallel`: the calling thread.
    ///
    /// With [`Order::Sorted`], a list of 65,536 pairs or contacts and more is sorted on the pool, too.
    #[default]
    Auto,
    /// Those of the current rayon pool, however small the scene: for measuring where that pays.
    Pool,
    /// The calling thread alone.
    Calling,
}

/// Whether work on `items` bodies or pairs is split over threads.
pub(super) fn uses_pool(threads: Threads, items: usize) -> bool {
    let wanted = match threads {
        Threads::Auto => items >= PARALLEL_BODIES,
        Threads::Pool => true,
        Threads::Calling => false,
    };
    wanted && parallel::threads() > 1
}

#[cfg(test)]
mod tests;
