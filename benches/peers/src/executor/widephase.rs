//! widephase: one detector, on the calling thread.

use anyhow::Result;
use widephase::{Detector, Options, Pair, SimdLevel, Threads};

use super::contract::Executor;
use crate::bodies::Rows;

pub struct Widephase(Detector);

impl Widephase {
    /// Uses the SIMD level that widephase chooses, or `level`.
    pub fn new(level: Option<SimdLevel>) -> Result<Self> {
        Ok(Self(Detector::with_options(options(level))?))
    }
}

/// The calling thread, and any number of pairs.
pub fn options(simd_level: Option<SimdLevel>) -> Options {
    Options { simd_level, threads: Threads::Calling, max_pairs: u64::MAX, ..Options::default() }
}

impl<R: Rows> Executor<R> for Widephase {
    fn detect(&mut self, rows: &R, pairs: &mut Vec<Pair>) -> Result<()> {
        Ok(self.0.pairs(rows.columns()?, pairs)?)
    }
}
