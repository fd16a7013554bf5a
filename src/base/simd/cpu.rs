//! Numbers that follow from the CPU.

/// The bytes of a cache line.
pub(crate) const CACHE_LINE_BYTES: usize = 64;

/// The prefetch distance, in steps that decide something: a step takes about ten nanoseconds, and
/// memory about a hundred.
pub(crate) const DECISIONS_AHEAD: usize = 16;

/// The prefetch distance in steps that search: queries, rows of cells, parts of compounds.
pub(crate) const SEARCHES_AHEAD: usize = 4;

/// The prefetch distance in steps of a few nanoseconds.
pub(crate) const STEPS_AHEAD: usize = 32;

/// The prefetch distance in steps that only look a value up, of about a nanosecond.
pub(crate) const LOOKUPS_AHEAD: usize = 64;
