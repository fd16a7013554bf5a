//! Numbers that several rooms share: the largest counts, roundings, blocks and tasks.
//!
//! A number that only one room has stands in that room. Numbers that follow from the CPU are in
//! `simd`: lanes, the cache line, how far ahead memory is fetched.

/// How many of some things a rule takes: one of this many, but at least `least` and at most `most`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Portion {
    pub(crate) one_of: usize,
    pub(crate) least: usize,
    pub(crate) most: usize,
}

impl Portion {
    /// The number that the rule takes of `count`.
    #[inline(always)]
    pub(crate) fn of(self, count: usize) -> usize {
        (count / self.one_of).clamp(self.least, self.most)
    }
}

/// Sixteen roundings of an `f32`, as a share of the rounded values: 2^-20.
///
/// A sum or a test of few steps errs by less than this. A larger share keeps every answer, and
/// decides more candidates than needed; a share below the roundings loses answers.
pub(crate) const F32_SLACK: f64 = 1.0 / (1 << 20) as f64;

/// A share of the values that is far above the roundings of a decision or distance in `f64`: 2^-40,
/// which is 8,192 roundings.
#[cfg(feature = "queries")]
pub(crate) const F64_SLACK: f64 = 1.0 / (1_u64 << 40) as f64;

/// A length below which squares in `f32` lose bits to underflow, so that shapes may count as
/// touching that are this far apart (docs/numerics.md): 2^-60.
pub(crate) const UNDERFLOW: f32 = 1.0 / (1_u64 << 60) as f32;

/// Stands for no row, and for no place in a list: rows and places are below it.
pub(crate) const NO_ROW: u32 = u32::MAX;

/// The rows in a task of several threads, if a row takes a few nanoseconds: enough that a task
/// takes much longer than its transfer to another thread.
pub(crate) const TASK_ROWS: usize = 1 << 13;

/// The lists in a task of several threads, or the values that take ten nanoseconds and more.
pub(crate) const TASK_LISTS: usize = 1 << 12;

/// The tasks for each thread, if some take longer: so that one delayed task does not delay the
/// call.
pub(crate) const THREAD_TASKS: usize = 4;

/// The rows, or pairs, in a block between two steps of work: whole vectors, whose values stay in
/// the L1 cache.
pub(crate) const BLOCK_ROWS: usize = 256;

/// The most parts of a survey of all rows, on any number of threads.
pub(crate) const MAX_PARTS: usize = 64;

/// This many rows, evenly chosen, tell how large most shapes are, and where most shapes are.
pub(crate) const SAMPLED_ROWS: usize = 64;

/// The most layers of a tree whose nodes have sixteen children: sixteen to this power is 2^32.
pub(crate) const MAX_LAYERS: usize = 8;

/// Up to this many records are sorted by insertion, up to twice as many by ranks.
pub(crate) const MAX_INSERTED: usize = 24;

/// The rows in a block whose rows have a bit each in one word.
pub(crate) const WORD_ROWS: usize = u64::BITS as usize;

/// The fewest bodies (or pairs to sort) for several threads. With fewer bodies, it costs about as
/// much to wake the threads as they save (measured, docs/performance.md).
pub(crate) const PARALLEL_BODIES: usize = 1 << 16;

/// The most levels.
pub(crate) const MAX_LEVELS: usize = 16;

/// The levels that searches of many boxes handle at once. Grids rarely have more.
#[cfg(feature = "queries")]
pub(crate) const FEW_LEVELS: usize = 4;

/// The maximum number of vertices of a polygon: 32,768, so that vertex numbers fit 15 bits.
///
/// Only a part of an outline may have this many vertices: the
/// [tolerance](crate::shape::ConvexPolygon#tolerance) of other polygons permits at most about 9,200
/// corners.
///
/// ```
/// assert_eq!(widephase::shape::MAX_VERTICES, 32_768);
/// ```
pub const MAX_VERTICES: usize = 1 << 15;

/// Up to this many items are in one cell, in the order of the input, and each item is tested with
/// each other item. Up to about 100 items, that costs less than a plan and a sort.
pub(crate) const FEW_ITEMS: usize = 64;
