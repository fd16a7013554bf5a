//! One way to run a detection.

use std::sync::Arc;

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
        self.within(|detector, pairs| detector.detect(scene.columns(), pairs))?;
        Ok(&self.pairs)
    }

    /// Does `work` where the detector runs: what happens between two detections (moving the bodies)
    /// happens on the same thread, as in an application whose loop runs in the pool.
    pub(super) fn within<R: Send>(
        &mut self,
        work: impl FnOnce(&mut Detector, &mut Vec<Pair>) -> R + Send,
    ) -> R {
        let Self { pool, detector, pairs, .. } = self;
        match pool {
            Some(pool) => pool.install(|| work(detector, pairs)),
            None => work(detector, pairs),
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
