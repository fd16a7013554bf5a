//! Words and tools that all rooms use.
//!
//! ```text
//! pair.rs         two rows, and the elements of lists with pairs             (Pair, HasPair)
//! handle.rs       names of bodies that outlive their removal                (Handle)
//! kind.rs         the kinds of shapes, and their table                      (Kind, kinds!)
//! simd_level.rs   the names of the SIMD levels, and which of them this CPU has  (SimdLevel)
//! order.rs        the lower and the higher of two numbers; sorting by integer keys
//! word_sort.rs    sorting of records of words                                (WordSorter)
//! grouping.rs     grouping by counting
//! buffer.rs       buffers that keep their memory; what is made when it is first wanted  (Lazy)
//! parallel.rs     the split of work over threads                            (Divide)
//! timings.rs      how long the phases of a call take                        (Timings)
//! held.rs         the memory of workspaces, and copies that reuse it        (Held, held!, copied!)
//! tuning.rs       numbers that several rooms share: maxima, roundings, blocks, tasks
//! pod.rs          records whose bytes may be read and written               (pod!)
//! ```

pub(crate) mod buffer;
#[cfg(feature = "narrowphase")]
pub(crate) mod bytes;
pub mod error;
pub(crate) mod grouping;
#[cfg(feature = "narrowphase")]
pub(crate) mod handle;
pub(crate) mod held;
mod kind;
pub(crate) mod order;
pub(crate) mod pair;
pub(crate) mod parallel;
mod pod;
pub(crate) mod simd;
mod simd_level;
pub(crate) mod timings;
mod tuning;
pub(crate) mod word_sort;

pub(crate) use buffer::Lazy;
#[cfg(feature = "narrowphase")]
pub use handle::Handle;
pub(crate) use held::{Held, copied, held};
pub use kind::Kind;
pub(crate) use kind::kinds;
pub(crate) use order::{gap, higher, lower, rounded_distance};
pub use pair::{HasPair, Pair};
#[cfg(feature = "narrowphase")]
pub(crate) use pod::no_padding;
pub(crate) use pod::pod;
pub use simd_level::SimdLevel;
pub use timings::Timings;
pub use tuning::MAX_VERTICES;
pub(crate) use tuning::*;

/// Whether the feature `narrowphase` is on. All calls of its kernels are guarded by this constant,
/// so without the feature the kernels are not compiled.
pub(crate) const NARROWPHASE: bool = cfg!(feature = "narrowphase");
