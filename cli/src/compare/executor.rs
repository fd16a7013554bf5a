//! A configuration that runs detections.

use std::sync::Arc;

use anyhow::{Context, Result};
use rayon::{ThreadPool, ThreadPoolBuilder};
use widephase::{Contact, Detector, Error, Options, Pair, SimdLevel, Threads, scene::Scene};

/// A SIMD level and a number of threads, with a detector and lists that are reused, as in an
/// application.
pub(super) struct Executor {
    pub(super) level: SimdLevel,
    pub(super) threads: usize,
    /// `None`: the calling thread.
    pool: Option<Arc<ThreadPool>>,
    detector: Detector,
    lists: Lists,
}

/// The results of a detector.
#[derive(Debug, Default)]
pub(super) struct Lists {
    pub(super) pairs: Vec<Pair>,
    pub(super) contacts: Vec<Contact>,
}

impl Executor {
    /// Every SIMD level with every number of threads, level by level.
    pub(super) fn all(levels: &[SimdLevel], threads: &[usize]) -> Result<Vec<Self>> {
        let mut executors = Vec::new();
        let pools: Vec<_> = threads.iter().map(|&threads| pool(threads)).collect::<Result<_>>()?;
        for &level in levels {
            for (&threads, pool) in threads.iter().zip(&pools) {
                let where_to = if pool.is_some() { Threads::Auto } else { Threads::Calling };
                let detector = Detector::with_options(Options {
                    simd_level: Some(level),
                    threads: where_to,
                    ..Options::default()
                })?;
                let pool = pool.clone();
                let lists = Lists::default();
                executors.push(Executor { level, threads, pool, detector, lists });
            }
        }
        Ok(executors)
    }

    /// The pairs of `scene` in the order of the grid.
    pub(super) fn detect(&mut self, scene: &Scene) -> Result<&[Pair], Error> {
        self.within(|detector, lists| detector.pairs(scene.columns(), &mut lists.pairs))?;
        Ok(&self.lists.pairs)
    }

    /// The contacts of `scene` in the order of the grid.
    pub(super) fn contacts(&mut self, scene: &Scene) -> Result<&[Contact], Error> {
        self.within(|detector, lists| {
            detector.contacts(scene.columns(), 0.0, &mut lists.contacts)
        })?;
        Ok(&self.lists.contacts)
    }

    /// Runs `work` in the detector's pool. Work between two detections (moving the bodies) runs on
    /// the same thread, as in an application whose loop runs in the pool.
    pub(super) fn within<R: Send>(
        &mut self,
        work: impl FnOnce(&mut Detector, &mut Lists) -> R + Send,
    ) -> R {
        let Self { pool, detector, lists, .. } = self;
        match pool {
            Some(pool) => pool.install(|| work(detector, lists)),
            None => work(detector, lists),
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
