//! The records of options.

use crate::grid::{CellSize, GridLevels};
use crate::{
    base::{PARALLEL_BODIES, SimdLevel, parallel},
    error::Error,
    shape::Touching,
    simd::Isa,
};

/// The options of a [`Detector`](crate::Detector), a world or a detector of tiles.
///
/// A plain record: set the fields that differ from the default. Each constructor checks the options
/// once. Only [`touching`](Options::touching) and the limits change which pairs, contacts and hits
/// are reported. [`order`](Options::order), [`cell_size`](Options::cell_size) and
/// [`grid_levels`](Options::grid_levels) change the order of lists.
///
/// An [`Index`](crate::Index) takes [`IndexOptions`], and a `Narrowphase` takes
/// `NarrowphaseOptions`: the fields that they use. Both records are made `from` these options. A
/// search of an index by a detector follows the options of the detector.
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
/// use widephase::options::{DEFAULT_MAX_CONTACTS, DEFAULT_MAX_PAIRS};
/// assert_eq!(limits, (DEFAULT_MAX_PAIRS, DEFAULT_MAX_CONTACTS));
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
    /// Rays hit the shapes that they touch, whatever the policy.
    pub touching: Touching,
    /// The order of lists. Default: the order of the grid.
    pub order: Order,
    /// The threads to run on. Default: the current rayon pool, for large scenes.
    pub threads: Threads,
    /// The size of the cells of the grid. Default: automatic.
    pub cell_size: CellSize,
    /// Which sizes of shapes share a grid level. Default: automatic.
    pub grid_levels: GridLevels,
    /// The most pairs in a list; `u64::MAX` for no limit but memory. Default:
    /// [`DEFAULT_MAX_PAIRS`].
    pub max_pairs: u64,
    /// The most contacts in a list, 64 bytes each; `u64::MAX` for no limit but memory. Default:
    /// [`DEFAULT_MAX_CONTACTS`].
    pub max_contacts: u64,
    /// Whether detections, and steps of a world, measure their [`Timings`](crate::Timings). The
    /// clock is then read about five times a call. Results do not change. Default: no.
    pub timings: bool,
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
            timings: false,
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

/// The defaults, conversions and checks of records that have some fields of [`Options`].
macro_rules! some_options {
    ($($record:ident)*) => {$(
        impl Default for $record {
            fn default() -> Self {
                Self::from(Options::default())
            }
        }

        impl From<Options> for $record {
            fn from(options: Options) -> Self {
                Self::from(&options)
            }
        }

        impl $record {
            /// The options, if they are valid.
            pub(crate) fn checked(self) -> Result<Self, Error> {
                self.simd_level.map_or(Ok(self), |level| level.required().map(|_| self))
            }

            /// The SIMD instructions to run on.
            pub(crate) fn isa(&self) -> Result<Isa, Error> {
                Options { simd_level: self.simd_level, ..Options::default() }.isa()
            }
        }
    )*};
}

some_options!(IndexOptions NarrowphaseOptions);

/// The options of an [`Index`](crate::Index). Fields that [`Options`] have too mean the same as
/// there.
///
/// ```
/// use widephase::{Columns, Detector, Index, IndexOptions, Options, SimdLevel};
/// use widephase::options::CandidateLists;
///
/// let options = Options { simd_level: Some(SimdLevel::Scalar), ..Options::default() };
/// let candidate_lists = CandidateLists::Always;
/// let mut level = Index::with_options(IndexOptions { candidate_lists, ..options.into() })?;
/// level.rebuild(Columns::circles(&[0.0], &[0.0], &[1.0])?)?;
/// let mut detector = Detector::with_options(options)?;
/// # let mut hits = Vec::new();
/// # detector.pairs((Columns::points(&[0.5], &[0.0])?, &level), &mut hits)?;
/// # assert_eq!(hits.len(), 1);
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct IndexOptions {
    /// See [`Options::simd_level`]. Queries run on the level of the last build.
    pub simd_level: Option<SimdLevel>,
    /// The threads of builds and queries: see [`Options::threads`].
    pub threads: Threads,
    /// The touching policy of queries: see [`Options::touching`].
    pub touching: Touching,
    /// The order of overlap queries: see [`Options::order`].
    pub order: Order,
    /// Whether searches use candidate lists. Default: where they pay off.
    pub candidate_lists: CandidateLists,
    /// The most items of all lists of a batch of overlaps, or the most hits of a batch: more are
    /// [`Error::TooManyPairs`], as with [`Options::max_pairs`]. Single queries have no limit.
    pub max_pairs: u64,
}

impl IndexOptions {
    /// Whether shapes that touch without overlapping are hits.
    #[cfg(feature = "queries")]
    pub(crate) fn inclusive(&self) -> bool {
        self.touching == Touching::Inclusive
    }
}

impl From<&Options> for IndexOptions {
    fn from(options: &Options) -> Self {
        let Options { simd_level, threads, touching, order, max_pairs, .. } = *options;
        let candidate_lists = CandidateLists::default();
        Self { simd_level, threads, touching, order, candidate_lists, max_pairs }
    }
}

/// Whether the searches of detectors in an [`Index`](crate::Index) use candidate lists: for each
/// cell, a copy of all shapes around it.
///
/// Candidate lists change neither results nor order, only time and memory. With them, a moving
/// shape finds its partners in one list instead of in several rows of cells: a thousand moving
/// shapes take a quarter less time among 2,000 shapes of the index, two fifths less among 100,000,
/// and three fifths less among a million. To make them takes 3 to 6 times as long as a rebuild, and
/// the index takes up to 270 bytes a shape more (docs/performance.md). So they pay if at least
/// about five moving shapes are searched for each shape of the index between two rebuilds.
///
/// Only shapes that are spread over a plane, and not too densely, have lists. Only moving shapes up
/// to 9/8 of the largest shape of the index use them, on a SIMD level other than scalar, without
/// filters, and if there are few enough moving shapes that their lists stay in a cache. All other
/// shapes search the cells, with the same result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum CandidateLists {
    /// Made by a search, once about five shapes have searched for each shape of the index since it
    /// was last built. A build makes no lists.
    #[default]
    Auto,
    /// Made by every build.
    Always,
    /// Never made.
    Never,
}

/// The options of a [`Narrowphase`](crate::Narrowphase). The fields mean the same as in
/// [`Options`].
///
/// ```
/// use widephase::{Narrowphase, NarrowphaseOptions, Options, Touching};
///
/// let options = Options { touching: Touching::Exclusive, ..Options::default() };
/// let narrowphase = Narrowphase::with_options(options.into())?;
/// let touching = Touching::Exclusive;
/// assert_eq!(*narrowphase.options(), NarrowphaseOptions { touching, ..Default::default() });
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct NarrowphaseOptions {
    /// See [`Options::simd_level`].
    pub simd_level: Option<SimdLevel>,
    /// See [`Options::touching`].
    pub touching: Touching,
    /// See [`Options::max_contacts`].
    pub max_contacts: u64,
}

impl NarrowphaseOptions {
    /// Whether shapes that touch without overlapping touch.
    pub(crate) fn inclusive(&self) -> bool {
        self.touching == Touching::Inclusive
    }
}

impl From<&Options> for NarrowphaseOptions {
    fn from(options: &Options) -> Self {
        let Options { simd_level, touching, max_contacts, .. } = *options;
        Self { simd_level, touching, max_contacts }
    }
}

/// A limit as the length of a list: every limit beyond the address space is the same limit.
pub(crate) fn in_memory(limit: u64) -> usize {
    usize::try_from(limit).unwrap_or(usize::MAX)
}

/// The default of [`Options::max_pairs`]: 2^27 pairs, a list of 1 GiB. Where addresses have 32
/// bits, 2^24 pairs, a list of 128 MiB.
///
/// The number of pairs depends on the scene: a million coincident shapes are half a million million
/// pairs. Instead of running out of memory, a detection beyond the limit returns
/// [`Error::TooManyPairs`] with the number of pairs. To find that number it counts all pairs, which
/// takes 0.4 to 0.6 ns each (measured, docs/performance.md). So the limit bounds the memory and not
/// the time: half a million million pairs take minutes.
pub const DEFAULT_MAX_PAIRS: u64 = 1 << if NARROW { 24 } else { 27 };

/// The default of [`Options::max_contacts`]: 2^24 contacts, a list of 1 GiB. Where addresses have
/// 32 bits, 2^21 contacts, a list of 128 MiB.
///
/// It applies to [`Detector::contacts`](crate::Detector::contacts) and to
/// [`Narrowphase::contacts`](crate::Narrowphase::contacts), where two compounds of a
/// thousand parts may have a million contacts. Beyond the limit, [`Error::TooManyContacts`] has the
/// number of contacts.
pub const DEFAULT_MAX_CONTACTS: u64 = 1 << if NARROW { 21 } else { 24 };

/// Whether addresses have at most 32 bits.
const NARROW: bool = usize::BITS <= u32::BITS;

/// The order of a list of pairs or contacts. Each order is a function of the input and the options:
/// equal on every SIMD level and for any number of threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Order {
    /// The order in which the search of the grid finds the pairs. Costs nothing.
    #[default]
    Grid,
    /// By `a`, then by `b`, then by parts: in every list, also with many spaces, and in a
    /// [step](crate::World::step). Costs a radix sort: O(n) time for rows that are spread
    /// evenly, and [memory](crate::guide::memory) for a second list. On several threads, the list
    /// of contacts gets other memory, at least as much.
    Sorted,
}

/// A decision of a pair in `f64`, or two events, take about as long as a detection takes for this
/// many bodies.
pub(crate) const BODIES_PER_DECISION: usize = 8;

/// The threads that a detection, or the sort of an [`Index`](crate::Index), runs on.
///
/// The crate starts no threads, but rayon starts its global pool when it is first needed: here by
/// the first call from outside a pool that is split over threads. Such a call goes through the
/// queue of the pool, for which rayon allocates a block once in a while. In the steady state, a
/// call from within a pool allocates nothing.
///
/// The number of threads is the number of the pool. For another number, make a pool of that size,
/// and call from within its `install`:
///
/// ```
/// # #[cfg(feature = "parallel")] {
/// use widephase::{Columns, Detector, Options, Threads};
///
/// let two = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
/// let options = Options { threads: Threads::Pool, ..Options::default() };
/// let mut detector = Detector::with_options(options)?;
/// let circles = Columns::circles(&[0.0, 1.0], &[0.0; 2], &[1.0; 2])?;
/// assert_eq!(two.install(|| detector.count(circles))?, 1);
/// # }
/// # Ok::<(), widephase::Error>(())
/// ```
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
mod tests {
    //! When work is split over threads.

    use super::{PARALLEL_BODIES, uses_pool};
    use crate::Threads;

    /// Below 65,536 bodies, `Threads::Auto` is the calling thread, whatever pool the call is in. From
    /// there on it is the pool, unless that has only one thread.
    #[cfg(feature = "parallel")]
    #[test]
    fn few_bodies_stay_on_the_calling_thread() {
        assert_eq!(PARALLEL_BODIES, 65_536, "as the documents say");
        for threads in [1, 2, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let split = |asked| (0..200_000).filter(move |&items| uses_pool(asked, items));
                assert_eq!(split(Threads::Calling).count(), 0);
                if threads == 1 {
                    assert_eq!(split(Threads::Auto).count() + split(Threads::Pool).count(), 0);
                } else {
                    assert!(split(Threads::Auto).eq(65_536..200_000), "{threads} threads");
                    assert!(split(Threads::Pool).eq(0..200_000), "{threads} threads");
                }
            });
        }
    }

    /// Without the feature nothing is split.
    #[cfg(not(feature = "parallel"))]
    #[test]
    fn nothing_is_split_without_threads() {
        for items in [0, 2, PARALLEL_BODIES, 1_000_000] {
            for asked in [Threads::Auto, Threads::Pool, Threads::Calling] {
                assert!(!uses_pool(asked, items), "{items} bodies, {asked:?}");
            }
        }
    }
}
