//! Words and tools that all rooms use.
//!
//! ```text
//! pair.rs         two rows                                                  (Pair)
//! has_pair.rs     the elements of lists with pairs                          (HasPair)
//! handle.rs       names of bodies that outlive their removal                (Handle)
//! kind.rs         the kinds of shapes, and their table                      (Kind, kinds!)
//! simd_level.rs   the names of the SIMD levels, and which of them this CPU has  (SimdLevel)
//! lazy.rs         what is made when it is first wanted                      (Lazy)
//! maxima.rs       the largest counts
//! order.rs        sorting by integer keys
//! word_sort.rs    sorting of records of words                                (WordSorter)
//! grouping.rs     grouping by counting
//! buffer.rs       the growth of buffers that keep their memory
//! parallel.rs     the split of work over threads                            (Divide)
//! timings.rs      how long the phases of a call take                        (Timings)
//! ends.rs         the lower and the higher of two numbers                   (lower, higher)
//! held.rs         the memory of workspaces, and copies that reuse it        (Held, held!, copied!)
//! tuning.rs       numbers that several rooms share: roundings, blocks, tasks
//! pod.rs          records whose bytes may be read and written               (pod!)
//! ```

pub(crate) mod buffer;
#[cfg(feature = "narrowphase")]
pub(crate) mod bytes;
mod ends;
pub mod error;
pub(crate) mod grouping;
#[cfg(feature = "narrowphase")]
pub(crate) mod handle;
mod has_pair;
pub(crate) mod held;
mod kind;
mod lazy;
mod maxima;
pub(crate) mod order;
pub(crate) mod pair;
pub(crate) mod parallel;
mod pod;
pub(crate) mod simd;
mod simd_level;
pub(crate) mod timings;
mod tuning;
pub(crate) mod word_sort;

pub(crate) use ends::{gap, higher, lower, rounded_distance};
#[cfg(feature = "narrowphase")]
pub use handle::Handle;
pub use has_pair::HasPair;
pub(crate) use held::{Held, copied, held};
pub use kind::Kind;
pub(crate) use kind::kinds;
pub(crate) use lazy::Lazy;
#[cfg(feature = "queries")]
pub(crate) use maxima::FEW_LEVELS;
pub(crate) use maxima::MAX_LEVELS;
pub use maxima::MAX_VERTICES;
pub use pair::Pair;
#[cfg(feature = "narrowphase")]
pub(crate) use pod::no_padding;
pub(crate) use pod::pod;
pub use simd_level::SimdLevel;
pub use timings::Timings;
pub(crate) use tuning::*;

/// Whether the feature `narrowphase` is on. All calls of its kernels are guarded by this constant,
/// so without the feature the kernels are not compiled.
pub(crate) const NARROWPHASE: bool = cfg!(feature = "narrowphase");
