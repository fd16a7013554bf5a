//! Options by name.

use pyo3::prelude::*;
use widephase::{Options, Order, SimdLevel, Threads, Touching};

use crate::{
    errors::{Failure, shape_error},
    pools::{checked_threads, usual_threads},
};

/// From this many rows on, calls without a number of threads use all cores: as the library does.
const LARGE: usize = 65_536;

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
