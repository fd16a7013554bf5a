//! The options of all parts, and the default limits.

use crate::{Error, SimdLevel, Touching, base::parallel, simd::Isa};
pub use crate::{
    grid::{CellSize, GridLevels, LevelSizes},
    simd::LEVEL_VARIABLE,
};

/// The options of a [`Detector`](crate::Detector), an [`Index`](crate::Index) or a
/// [`Narrowphase`](crate::Narrowphase).
///
/// A plain record: set the fields that differ from the default. Each constructor checks the options
/// once, and ignores the fields that do not concern it. Only [`touching`](Options::touching) and
/// the limits change which pairs, contacts and hits are reported. [`order`](Options::order),
/// [`cell_size`](Options::cell_size) and [`grid_levels`](Options::grid_levels) change the order of
/// lists.
///
/// | field | `Detector` | `Index` | `Narrowphase` |
/// |---|---|---|---|
/// | `simd_level` | yes | yes | yes |
/// | `touching` | yes | queries | yes |
/// | `order` | yes | overlap queries | – |
/// | `threads` | yes | builds and queries | – |
/// | `cell_size`, `grid_levels` | yes | – | – |
/// | `max_pairs` | yes | – | – |
/// | `max_contacts` | yes | – | yes |
/// | `time_phases` | yes | – | – |
///
/// Queries are listed in docs/queries.md. A search by a detector, as in
/// [`Detector::pairs_against`](crate::Detector::pairs_against), follows the options of the
/// detector.
///
/// ```
/// use widephase::{Columns, Detector, Options, Order, SimdLevel, Touching};
///
/// let options = Options {
///     order: Order::Sorted,
///     touching: Touching::Exclusive,
///     ..Options::default()
/// };
/// let mut detector = Detector::with_options(options)?;
/// // Options can be changed later; the detector keeps its memory.
/// let simd_level = Some(SimdLevel::Scalar);
/// detector.set_options(Options { simd_level, ..*detector.options() })?;
/// assert_eq!(detector.count(Columns::circles(&[0.0, 2.0], &[0.0; 2], &[1.0; 2])?)?, 0);
/// let limits = (detector.options().max_pairs, detector.options().max_contacts);
/// assert_eq!(limits, (widephase::options::DEFAULT_MAX_PAIRS, widephase::options::DEFAULT_MAX_CONTACTS));
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct Options {
    /// The SIMD level to run on; `None` for the [preferred](SimdLevel::preferred) level, which is
    /// looked up at each call. Default: `None`.
    pub simd_level: Option<SimdLevel>,
    /// Whether shapes that touch without overlapping are pairs, and hits of queries. Default: yes.
    /// Rays hit what they touch, whatever the policy.
    pub touching: Touching,
    /// The order of lists. Default: the order of the grid.
    pub order: Order,
    /// The threads to run on. Default: the current rayon pool, for large scenes.
    pub threads: Threads,
    /// The size of the cells of the grid. Default: automatic.
    pub cell_size: CellSize,
    /// Which sizes of shapes share a grid level. Default: automatic.
    pub grid_levels: GridLevels,
    /// The most pairs in a list; `usize::MAX` for no limit but memory. Default:
    /// [`DEFAULT_MAX_PAIRS`].
    pub max_pairs: usize,
    /// The most contacts in a list, 64 bytes each; `usize::MAX` for no limit but memory. Default:
    /// [`DEFAULT_MAX_CONTACTS`].
    pub max_contacts: usize,
    /// Whether detections, and steps of a world, measure their [`Phases`](crate::Phases). The clock
    /// is then read about five times a call. Results are the same. Default: no.
    pub time_phases: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            simd_level: None,
            touching: Touching::default(),
            order: Order::default(),
            threads: Threads::default(),
            cell_size: CellSize::default(),
            grid_levels: GridLevels::default(),
            max_pairs: DEFAULT_MAX_PAIRS,
            max_contacts: DEFAULT_MAX_CONTACTS,
            time_phases: false,
        }
    }
}

impl Options {
    /// Checks the options, as every constructor that takes them does.
    ///
    /// # Errors
    /// [`Error::LevelUnavailable`] if this CPU lacks the SIMD level; [`Error::InvalidCellSize`] if
    /// the cell size is not finite, above 0 and at most 2^60.
    pub fn check(&self) -> Result<(), Error> {
        if let Some(level) = self.simd_level {
            level.required()?;
        }
        self.cell_size.check()
    }

    /// The options, if they are valid.
    pub(crate) fn checked(self) -> Result<Self, Error> {
        self.check().map(|()| self)
    }

    /// The SIMD instructions to run on.
    pub(crate) fn isa(&self) -> Result<Isa, Error> {
        Isa::new(match self.simd_level {
            Some(level) => level,
            None => SimdLevel::preferred()?,
        })
    }

    /// Whether shapes that touch without overlapping are pairs.
    pub(crate) fn inclusive(&self) -> bool {
        self.touching == Touching::Inclusive
    }
}

/// The default of [`Options::max_pairs`]: 2^27 pairs, a list of 1 GiB.
///
/// The number of pairs depends on the scene: a million coincident shapes are half a million million
/// pairs. Instead of running out of memory, a detection beyond the limit returns
/// [`Error::TooManyPairs`] with the number of pairs. To find that number it counts all pairs, which
/// takes 0.4 to 0.6 ns each (measured, docs/performance.md). So the limit bounds the memory and not
/// the time: half a million million pairs take minutes.
pub const DEFAULT_MAX_PAIRS: usize = 1 << 27;

/// The default of [`Options::max_contacts`]: 2^24 contacts, a list of 1 GiB.
///
/// It applies to [`Detector::contacts`](crate::Detector::contacts) and to
/// [`Narrowphase::contacts`](crate::narrowphase::Narrowphase::contacts), where two compounds of a
/// thousand parts may have a million contacts. Beyond the limit, [`Error::TooManyContacts`] has the
/// number of contacts.
pub const DEFAULT_MAX_CONTACTS: usize = 1 << 24;

/// The order of a list of pairs or contacts. Each order is a function of the input and the options:
/// the same on every SIMD level and for any number of threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Order {
    /// The order in which the search of the grid finds the pairs. Costs nothing.
    #[default]
    Grid,
    /// By `a`, then by `b`. Costs a sort.
    Sorted,
}

/// The fewest bodies (or pairs to sort) for several threads. With fewer, waking the threads costs
/// about what they save (measured, docs/performance.md).
const PARALLEL_BODIES: usize = 1 << 16;

/// The threads that a detection, or the sort of an [`Index`](crate::Index), runs on.
///
/// The crate starts no threads, but rayon starts its global pool when it is first needed: here by
/// the first call from outside a pool that is split over threads. Such a call goes through the
/// queue of the pool, for which rayon allocates a block once in a while. In the steady state, a
/// call from within a pool allocates nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Threads {
    /// The threads of the current rayon pool if the scene is large enough to gain from it (65,536
    /// shapes or more), else the calling thread alone. The current pool is the one whose
    /// [`install`](https://docs.rs/rayon/latest/rayon/struct.ThreadPool.html#method.install) the
    /// call is in, else the global pool. Without the feature `parallel`: the calling thread.
    ///
    /// With [`Order::Sorted`], a list of 65,536 pairs or contacts or more is sorted on the pool,
    /// too.
    #[default]
    Auto,
    /// The threads of the current rayon pool for any size of scene: to measure where that pays.
    Pool,
    /// The calling thread alone.
    Calling,
}

/// Whether work on `items` bodies or pairs is split over threads.
pub(crate) fn uses_pool(threads: Threads, items: usize) -> bool {
    let wanted = match threads {
        Threads::Auto => items >= PARALLEL_BODIES,
        Threads::Pool => true,
        Threads::Calling => false,
    };
    wanted && parallel::threads() > 1
}

#[cfg(test)]
mod tests;
