//! Pools of threads, by their size, and what a fork leaves of them.
//!
//! A process that was forked has none of the threads of its parent. So pools belong to a process:
//! the package forgets them after a fork, and the global pool of rayon is never used.
//!
//! A lock that another thread holds at a fork stays locked in the child for ever. So the locks of
//! statics are only taken with the GIL, which the thread that forks holds: no other thread can then
//! hold such a lock. Threads without the GIL give references back through a list without a lock.

use std::{
    cell::Cell,
    collections::HashMap,
    env, mem,
    ops::Deref,
    ptr,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicPtr, AtomicU32, AtomicUsize, Ordering},
    },
    thread,
};

use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use widephase::Error;

use crate::errors::shape_error;

/// The largest number of threads of a call.
const MOST_THREADS: usize = 1024;

type Pools = HashMap<usize, Arc<ThreadPool>>;

/// Only locked with the GIL.
static POOLS: Mutex<Option<Pools>> = Mutex::new(None);

static FORKS: AtomicU32 = AtomicU32::new(0);

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

/// The threads of a call: 1 is the calling thread.
pub struct Crew {
    threads: usize,
    /// The pool, once there is one.
    pool: Option<Arc<ThreadPool>>,
}

impl Crew {
    /// This number of threads, of the pool that this process keeps, if it keeps one.
    pub fn new(py: Python<'_>, threads: usize) -> Self {
        let kept = || with_pools(py, |pools| pools.get(&threads).cloned());
        Self { threads, pool: if threads > 1 { kept() } else { None } }
    }

    /// Calls `work` on these threads.
    ///
    /// A pointer, so that this code exists once.
    pub fn work(&mut self, work: Box<dyn FnOnce() + Send + '_>) -> Result<(), Error> {
        if self.threads <= 1 {
            work();
            return Ok(());
        }
        let pool = match &mut self.pool {
            Some(pool) => pool,
            none => none.insert(made(self.threads)?),
        };
        pool.install(|| detached(work));
        Ok(())
    }

    /// Keeps the pool for later calls.
    pub fn keep(self, py: Python<'_>) {
        if let Some(pool) = self.pool {
            with_pools(py, |pools| {
                pools.entry(self.threads).or_insert(pool);
            });
        }
    }
}

fn made(threads: usize) -> Result<Arc<ThreadPool>, Error> {
    let name = |number| format!("widephase-{number}");
    let built = ThreadPoolBuilder::new().num_threads(threads).thread_name(name).build();
    built.map(Arc::new).map_err(|_| Error::OutOfMemory { len: threads })
}

/// Calls `work` with the pools of this process.
fn with_pools<R>(_py: Python<'_>, work: impl FnOnce(&mut Pools) -> R) -> R {
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    work(pools.get_or_insert_default())
}

/// Forgets the pool with this number of threads: an abandoned call still runs on it.
pub fn leave_pool(py: Python<'_>, threads: usize) {
    // It is dropped without the lock.
    let left = with_pools(py, |pools| pools.remove(&threads));
    drop(left);
}

/// The number of forks that led to this process.
pub fn forks() -> u32 {
    FORKS.load(Ordering::Relaxed)
}

/// Forgets all pools in a process that was forked. Their threads do not exist, so nothing waits for
/// them, and their memory stays.
#[pyfunction]
pub fn after_fork(py: Python<'_>) {
    FORKS.fetch_add(1, Ordering::Relaxed);
    with_pools(py, |pools| mem::forget(mem::take(pools)));
}

/// Makes what threads of a pool share, which rayon makes when it is first needed: a fork meanwhile
/// would leave it half made.
pub fn prepare() {
    let _ = crossbeam_epoch::default_collector();
    grow_stack();
}

/// Lets the stack of the calling thread grow as far as calls need it: later there may be no room.
#[inline(never)]
fn grow_stack() {
    std::hint::black_box(&mut [0_u8; 256 << 10]);
}

thread_local! {
    /// Whether this thread is in a call without the GIL.
    static DETACHED: Cell<bool> = const { Cell::new(false) };
}

/// Calls `work`, which runs without the GIL.
pub fn detached<R>(work: impl FnOnce() -> R) -> R {
    /// Ends it, also after a panic.
    struct Before(bool);
    impl Drop for Before {
        fn drop(&mut self) {
            DETACHED.set(self.0);
        }
    }
    let _before = Before(DETACHED.replace(true));
    work()
}

/// An object of Python that a call needs. Without the GIL, the reference waits for the next thread
/// that has the GIL.
#[derive(Debug)]
pub struct Needed(Option<Py<PyAny>>);

impl Needed {
    pub fn new(object: Py<PyAny>) -> Self {
        Self(Some(object))
    }
}

impl Drop for Needed {
    fn drop(&mut self) {
        let Some(object) = self.0.take() else { return };
        if !DETACHED.get() {
            drop(object);
            return;
        }
        let left = Box::into_raw(Box::new(Left { _object: object, next: ptr::null_mut() }));
        let mut first = LEFT.load(Ordering::Relaxed);
        loop {
            // SAFETY: no other thread has this item before it is in the list.
            unsafe { (*left).next = first };
            match LEFT.compare_exchange_weak(first, left, Ordering::Release, Ordering::Relaxed) {
                Ok(_) => return,
                Err(now) => first = now,
            }
        }
    }
}

/// An object that a thread without the GIL has left.
struct Left {
    _object: Py<PyAny>,
    next: *mut Left,
}

/// The last object that was left.
static LEFT: AtomicPtr<Left> = AtomicPtr::new(ptr::null_mut());

/// Gives back the objects that threads without the GIL have left.
pub fn give_back(_py: Python<'_>) {
    if LEFT.load(Ordering::Relaxed).is_null() {
        return;
    }
    let mut left = LEFT.swap(ptr::null_mut(), Ordering::Acquire);
    while !left.is_null() {
        // SAFETY: the list was made of such boxes, and is no longer anybody else's.
        let item = unsafe { Box::from_raw(left) };
        left = item.next;
    }
}

/// A value of much memory, which is given back to the system without the GIL: of a large world, that
/// takes a third of a second.
#[derive(Debug)]
pub struct Large<T: Send>(Option<T>);

impl<T: Send> Large<T> {
    pub fn new(value: T) -> Self {
        Self(Some(value))
    }
}

impl<T: Send> Deref for Large<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0.as_ref().expect("a value until it is dropped")
    }
}

impl<T: Send> Drop for Large<T> {
    fn drop(&mut self) {
        let value = self.0.take();
        if !DETACHED.get() {
            Python::attach(|py| py.detach(|| drop(value)));
        }
    }
}
