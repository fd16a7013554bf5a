//! Pools of threads, by their size.
//!
//! A process that was forked has none of the threads of its parent. So pools belong to a process:
//! the package forgets them after a fork, and the global pool of rayon is never used.

use std::{
    collections::HashMap,
    mem,
    sync::{Arc, Mutex, TryLockError},
    thread,
};

use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use widephase::Error;

static POOLS: Mutex<Option<HashMap<usize, Arc<ThreadPool>>>> = Mutex::new(None);

/// The number of cores that this process may use.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
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
