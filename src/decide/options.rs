//! The options of all parts, and the default limits.

pub(crate) mod records;

pub use crate::{
    grid::{CellSize, GridLevels, LevelSizes},
    simd::LEVEL_VARIABLE,
};
pub(crate) use records::{
    BODIES_PER_DECISION, IndexOptions, NarrowphaseOptions, Options, Order, Threads, in_memory,
    uses_pool,
};
pub use records::{CandidateLists, DEFAULT_MAX_CONTACTS, DEFAULT_MAX_PAIRS};
