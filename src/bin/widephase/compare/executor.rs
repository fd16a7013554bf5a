//! One way to run a detection.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use rayon::{ThreadPool, ThreadPoolBuilder};
use widephase::{Detector, Error, Level, Pair, Threads, scene::Scene};

/// A level and a number of threads, with a detector and a list of pairs that are used again and
/// again, as an engine would.
pub(super) struct Executor {
    pub(super) level: Level,
    pub(super) threads: usize,
    /// `None`: the calling thread.
    pool: Option<Arc<ThreadPool>>,
    detector: Detector,
    pairs: Vec<Pair>,
}

impl Executor {
    /// Every level on every number of threads, level by level.
    pub(super) fn all(levels: &[Level], threads: &[usize]) -> Result<Vec<Self>> {
        let mut executors = Vec::new();
        let pools: Vec<_> = threads.iter().map(|&threads| pool(threads)).collect::<Result<_>>()?;
        for &level in levels {
            for (&threads, pool) in threads.iter().zip(&pools) {
                let where_to = if pool.is_some() { Threads::Auto } else { Threads::Calling };
                let detector = Detector::new().level(level)?.threads(where_to);
                let pool = pool.clone();
                executors.push(Executor { level, threads, pool, detector, pairs: Vec::new() });
            }
        }
        Ok(executors)
    }

    /// The pairs of `scene` in the order of the grid.
    pub(super) fn detect(&mut self, scene: &Scene) -> Result<&[Pair], Error> {
        self.timed(scene)?;
        Ok(&self.pairs)
    }

    /// How long the detection takes; the clock runs on the pool's own thread, so that the way into
    /// the pool, which an application goes once, is left out.
    pub(super) fn timed(&mut self, scene: &Scene) -> Result<Duration, Error> {
        let Self { pool, detector, pairs, .. } = self;
        let mut work = || {
            let start = Instant::now();
            detector.detect(scene.columns(), pairs)?;
            Ok(start.elapsed())
        };
        match pool {
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
