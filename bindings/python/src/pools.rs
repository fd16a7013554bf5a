//! Pools of threads, by their size.
//!
//! A process that was forked has none of the threads of its parent. So pools belong to a process:
//! the package forgets them after a fork, and the global pool of rayon is never used.

use std::{
    collections::HashMap,
    env, mem,
    sync::{
        Arc, Mutex, TryLockError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use widephase::Error;

use crate::errors::shape_error;

/// The largest number of threads of a call.
const MOST_THREADS: usize = 1024;

static POOLS: Mutex<Option<HashMap<usize, Arc<ThreadPool>>>> = Mutex::new(None);

/// The threads of large calls that name no number; 0 if the user has set none.
static USUAL_THREADS: AtomicUsize = AtomicUsize::new(0);

/// The threads of large calls that name no number: the number that was set, else the number in the
/// variable `RAYON_NUM_THREADS`, else one thread for each core that this process may use.
pub fn usual_threads() -> usize {
    match USUAL_THREADS.load(Ordering::Relaxed) {
        0 => {
            let named = env::var("RAYON_NUM_THREADS").ok().and_then(|text| text.parse().ok());
            named
                .filter(|count| (1..=MOST_THREADS).contains(count))
                .unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from))
        }
        count => count,
    }
}

/// Sets the threads of large calls that name no number. `None`: as at the start.
#[pyfunction]
pub fn set_threads(threads: Option<i64>) -> PyResult<()> {
    USUAL_THREADS.store(checked_threads(threads)?.unwrap_or(0), Ordering::Relaxed);
    Ok(())
}

/// The number of threads, if it is one that calls accept.
pub fn checked_threads(threads: Option<i64>) -> PyResult<Option<usize>> {
    match threads.map(usize::try_from) {
        None => Ok(None),
        Some(Ok(count @ 1..=MOST_THREADS)) => Ok(Some(count)),
        _ => {
            let given = threads.unwrap_or_default();
            let message = format!("threads: from 1 to {MOST_THREADS}, or None, not {given}");
            Err(shape_error(&message, None, "threads"))
        }
    }
}

/// Calls `work` on this number of threads: 1 is the calling thread.
///
/// A pointer, so that this code exists once.
pub fn on_threads(threads: usize, work: Box<dyn FnOnce() + Send + '_>) -> Result<(), Error> {
    if threads <= 1 {
        work();
        return Ok(());
    }
    let pool = pool(threads).ok_or(Error::OutOfMemory { len: threads })?;
    pool.install(work);
    Ok(())
}

fn pool(threads: usize) -> Option<Arc<ThreadPool>> {
    let make = || {
        let name = |number| format!("widephase-{number}");
        ThreadPoolBuilder::new().num_threads(threads).thread_name(name).build().ok().map(Arc::new)
    };
    let mut pools = match POOLS.try_lock() {
        Ok(pools) => pools,
        Err(TryLockError::Poisoned(pools)) => pools.into_inner(),
        // Another thread is making a pool; or it held the lock when the process was forked.
        Err(TryLockError::WouldBlock) => return make(),
    };
    let pools = pools.get_or_insert_default();
    if let Some(pool) = pools.get(&threads) {
        return Some(pool.clone());
    }
    let made = make()?;
    pools.insert(threads, made.clone());
    Some(made)
}

/// Forgets the pool with this number of threads: an abandoned call still runs on it.
pub fn leave_pool(threads: usize) {
    if let Ok(mut pools) = POOLS.try_lock() {
        pools.as_mut().and_then(|pools| pools.remove(&threads));
    }
}

/// Forgets all pools in a process that was forked. Their threads do not exist, so nothing waits for
/// them, and their memory stays.
#[pyfunction]
pub fn forget_pools() {
    if let Ok(mut pools) = POOLS.try_lock() {
        mem::forget(pools.take());
    }
}
