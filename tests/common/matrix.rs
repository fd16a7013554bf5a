//! Everything that must not change a result: SIMD levels × policies × threads.

use std::fmt;

use widephase::{Narrowphase, NarrowphaseOptions, Options, SimdLevel, Threads, Touching};

use super::{POLICIES, levels};

/// A SIMD level and a policy, on the calling thread or in a pool.
#[derive(Clone, Copy)]
pub struct Run {
    pub level: SimdLevel,
    pub touching: Touching,
    #[cfg(feature = "parallel")]
    pool: Option<&'static rayon::ThreadPool>,
}

/// Every level with every policy, on the calling thread and in every pool of
/// [`pools`](super::pools). The calling thread comes first.
pub fn matrix() -> Vec<Run> {
    POLICIES.into_iter().flat_map(matrix_of).collect()
}

/// The runs of one policy, level by level.
pub fn matrix_of(touching: Touching) -> Vec<Run> {
    levels().iter().flat_map(|&level| everywhere(Run::new(level, touching))).collect()
}

/// Every level with every policy, on the calling thread.
pub fn on_one_thread() -> impl Iterator<Item = Run> {
    let of_policy = |touching| levels().iter().map(move |&level| Run::new(level, touching));
    POLICIES.into_iter().flat_map(of_policy)
}

#[cfg(feature = "parallel")]
fn everywhere(calling: Run) -> impl Iterator<Item = Run> {
    let pools = super::pools().iter().map(move |pool| Run { pool: Some(pool), ..calling });
    std::iter::once(calling).chain(pools)
}

#[cfg(not(feature = "parallel"))]
fn everywhere(calling: Run) -> impl Iterator<Item = Run> {
    std::iter::once(calling)
}

impl Run {
    fn new(level: SimdLevel, touching: Touching) -> Self {
        Self {
            level,
            touching,
            #[cfg(feature = "parallel")]
            pool: None,
        }
    }

    /// Whether the calling thread works alone.
    pub fn is_on_one_thread(&self) -> bool {
        self.threads() == 0
    }

    /// The threads of the pool; 0 for the calling thread.
    fn threads(&self) -> usize {
        #[cfg(feature = "parallel")]
        return self.pool.map_or(0, rayon::ThreadPool::current_num_threads);
        #[cfg(not(feature = "parallel"))]
        0
    }

    pub fn options(&self) -> Options {
        let threads = if self.is_on_one_thread() { Threads::Calling } else { Threads::Pool };
        let (simd_level, touching) = (Some(self.level), self.touching);
        Options { simd_level, touching, threads, ..Options::default() }
    }

    pub fn narrowphase(&self) -> Narrowphase {
        let (simd_level, touching) = (Some(self.level), self.touching);
        let options = NarrowphaseOptions { simd_level, touching, ..NarrowphaseOptions::default() };
        Narrowphase::with_options(options).unwrap()
    }

    /// Does `work` where this runs.
    pub fn within<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        #[cfg(feature = "parallel")]
        if let Some(pool) = self.pool {
            return pool.install(work);
        }
        work()
    }

    /// The value for its policy, of values in the order of [`POLICIES`].
    pub fn of<'a, T>(&self, by_policy: &'a [T; 2]) -> &'a T {
        &by_policy[usize::from(self.touching != POLICIES[0])]
    }
}

/// As [`Display`](fmt::Display): the case of a loop over runs and more.
impl fmt::Debug for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {:?}", self.level, self.touching)?;
        match self.threads() {
            0 => Ok(()),
            threads => write!(f, ", {threads} threads"),
        }
    }
}
