//! A SIMD level and a number of threads.

use std::sync::Arc;

use anyhow::{Context, Result};
use rayon::{ThreadPool, ThreadPoolBuilder};
use widephase::{Options, SimdLevel, Threads};

/// A SIMD level and a number of threads, with the pool of these threads.
#[derive(Debug, Clone)]
pub(crate) struct Configuration {
    pub(crate) level: SimdLevel,
    pub(crate) threads: usize,
    /// `None`: the calling thread.
    pool: Option<Arc<ThreadPool>>,
}

impl Configuration {
    /// Every SIMD level with every number of threads, level by level.
    pub(crate) fn all(levels: &[SimdLevel], threads: &[usize]) -> Result<Vec<Self>> {
        let pools: Vec<_> = threads.iter().map(|&threads| pool(threads)).collect::<Result<_>>()?;
        let of_level = |&level| {
            let pools = threads.iter().zip(&pools);
            pools.map(move |(&threads, pool)| Self { level, threads, pool: pool.clone() })
        };
        Ok(levels.iter().flat_map(of_level).collect())
    }

    /// The options of a detector, an index or a world that runs here.
    pub(crate) fn options(&self) -> Options {
        let threads = if self.pool.is_some() { Threads::Auto } else { Threads::Calling };
        Options { simd_level: Some(self.level), threads, ..Options::default() }
    }

    /// Runs `work` in the pool. Work between two detections (moving the bodies) runs on the same
    /// thread, as in an application whose loop runs in the pool.
    pub(crate) fn within<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }
}

fn pool(threads: usize) -> Result<Option<Arc<ThreadPool>>> {
    if threads == 1 {
        return Ok(None);
    }
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    Ok(Some(Arc::new(pool.with_context(|| format!("cannot start {threads} threads"))?)))
}
