//! Options by name.

use pyo3::prelude::*;
use widephase::{IndexOptions, Options, Order, SimdLevel, Threads, Touching};

use crate::{
    errors::{Failure, shape_error},
    pools::{checked_threads, usual_threads},
};

/// From this many rows on, calls without a number of threads use all cores: as the library does.
const LARGE: usize = 65_536;

/// A query of an index takes about as long as a detection of this many rows: as in the library,
/// which uses the threads of the pool that a call is in. Outside of a pool, there is none.
const ROWS_OF_A_QUERY: usize = 16;

/// The options that a call runs with.
#[derive(Debug, Clone, Copy, Default)]
pub struct RunOptions {
    pub level: Option<SimdLevel>,
    /// `None`: all cores for large sets.
    pub threads: Option<usize>,
    pub touching: Touching,
}

impl RunOptions {
    pub fn new(level: Option<&str>, threads: Option<i64>, touching: &str) -> PyResult<Self> {
        let level = match level {
            None => None,
            Some(name) => {
                let level: SimdLevel = name.parse().map_err(Failure::from)?;
                Some(level.required().map_err(Failure::from)?)
            }
        };
        let threads = checked_threads(threads)?;
        let touching = match touching {
            "inclusive" => Touching::Inclusive,
            "exclusive" => Touching::Exclusive,
            name => {
                let message = format!("touching: 'inclusive' or 'exclusive', not {name:?}");
                return Err(shape_error(&message, None, "touching"));
            }
        };
        Ok(Self { level, threads, touching })
    }

    /// The threads for a number of rows: 1 is the calling thread.
    pub fn threads_for(&self, rows: usize) -> usize {
        match self.threads {
            Some(threads) => threads,
            None if rows >= LARGE => usual_threads(),
            None => 1,
        }
    }

    /// The threads for a number of queries of an index, of which these rows are still to be sorted.
    pub fn threads_for_queries(&self, queries: usize, rows: usize) -> usize {
        self.threads_for(queries.saturating_mul(ROWS_OF_A_QUERY).max(rows))
    }

    /// The options of an index. Without a number of threads, each call has threads by its size, as
    /// [`threads_for_queries`](Self::threads_for_queries) has it.
    pub fn index_options(&self, max_pairs: u64) -> IndexOptions {
        let threads = self.threads.map_or(Threads::Auto, threads);
        let (simd_level, touching) = (self.level, self.touching);
        let order = Order::Sorted;
        IndexOptions { simd_level, threads, touching, order, max_pairs, ..IndexOptions::default() }
    }

    pub fn options(&self, rows: usize, sorted: bool) -> Options {
        let threads = threads(self.threads_for(rows));
        let order = if sorted { Order::Sorted } else { Order::Grid };
        let (simd_level, touching) = (self.level, self.touching);
        Options { simd_level, threads, touching, order, ..Options::default() }
    }
}

/// The option of the library for this number of threads.
fn threads(count: usize) -> Threads {
    if count > 1 { Threads::Pool } else { Threads::Calling }
}
