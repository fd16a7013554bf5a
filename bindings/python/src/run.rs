//! A call without the GIL.
//!
//! No call of the library can be stopped half way, and Python tells of Ctrl-C only between two of
//! its own instructions on its main thread. So a long call of the main thread runs on a thread of
//! its own, and the main thread looks for signals while it waits. If there is a signal, it goes
//! back to Python at once. The call goes on until it ends and its result is dropped. It owns
//! references to all data that it reads, so it reads no freed memory. The data that it writes to is
//! its own, too: a detector whose call was left behind begins anew, and a world waits for it.
//!
//! Starting a thread takes about 20 µs. Calls that take less than a second are done at once.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, PoisonError, TryLockError,
        atomic::{AtomicU32, Ordering},
        mpsc::{RecvTimeoutError, sync_channel},
    },
    thread,
    time::Duration,
};

use pyo3::prelude::*;
use widephase::Error;

use crate::{
    errors::Failure,
    pools::{Crew, detached, forks, give_back, leave_pool},
};

/// How often the main thread looks for signals.
const PERIOD: Duration = Duration::from_millis(50);

/// Calls that may test this number of pairs are long: the pairs of 2^15 rows with as many other
/// rows.
const LONG: u64 = 1 << 30;

/// Calls that go over this number of pairs are long. With its events, such a list has 150 MB.
const MANY_PAIRS: usize = 1 << 20;

/// Whether a call with these numbers of shapes may take long.
pub fn may_take_long(rows: usize, others: usize) -> bool {
    rows as u64 * others as u64 >= LONG
}

/// Calls that go over this number of rows once are long.
const MANY_ROWS: usize = 1 << 17;

/// Whether a call that goes over this number of rows once may take long.
pub fn is_large(rows: usize) -> bool {
    rows >= MANY_ROWS
}

/// Whether a call that goes over this number of pairs may take long.
pub fn are_many(pairs: usize) -> bool {
    pairs >= MANY_PAIRS
}

/// A value that calls change, one call after the other. A call that was left behind has it until it
/// ends.
#[derive(Debug)]
pub struct Shared<T>(Arc<Turns<T>>);

/// A value, and the process that knows who has it.
#[derive(Debug)]
struct Turns<T> {
    value: Mutex<T>,
    /// The [`forks`] of the last process that has looked whether somebody has it: with the GIL.
    forks: AtomicU32,
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T: Default + Send + 'static> Default for Shared<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<T: Send + 'static> Shared<T> {
    pub fn new(value: T) -> Self {
        Self(Arc::new(Turns { value: Mutex::new(value), forks: AtomicU32::new(forks()) }))
    }

    /// Calls `work` with it as [`run`] does. If another call has it, waiting may take long.
    ///
    /// It is locked before the pool is entered. A thread of the pool that has the lock and waits
    /// for other threads takes up other work meanwhile, such as a second call, which would lock it
    /// again.
    pub fn run<R: Send + 'static>(
        &self,
        py: Python<'_>,
        long: bool,
        threads: usize,
        work: impl FnOnce(&mut T) -> Result<R, Failure> + Send + 'static,
    ) -> Result<R, Failure> {
        let long = self.is_in_use(py)? || long;
        let shared = self.0.clone();
        answer(py, long, threads, move |crew| {
            let value = &mut *shared.value.lock().unwrap_or_else(PoisonError::into_inner);
            enter(crew, || work(value))
        })
    }

    /// Whether another call has it. After a fork, a thread that does not exist here may have it.
    fn is_in_use(&self, _py: Python<'_>) -> Result<bool, Failure> {
        let Turns { value, forks: known } = &*self.0;
        let in_use = matches!(value.try_lock(), Err(TryLockError::WouldBlock));
        if known.load(Ordering::Relaxed) != forks() {
            if in_use {
                return Err(Failure::Forked);
            }
            known.store(forks(), Ordering::Relaxed);
        }
        Ok(in_use)
    }
}

/// Calls `work` on this number of threads, without the GIL.
pub fn run<R: Send + 'static>(
    py: Python<'_>,
    long: bool,
    threads: usize,
    work: impl FnOnce() -> Result<R, Failure> + Send + 'static,
) -> Result<R, Failure> {
    answer(py, long, threads, move |crew| enter(crew, work))
}

/// Calls `work`, which enters the pool with this number of threads, without the GIL.
fn answer<R: Send + 'static>(
    py: Python<'_>,
    long: bool,
    threads: usize,
    work: impl FnOnce(&mut Crew) -> Result<R, Failure> + Send + 'static,
) -> Result<R, Failure> {
    let place = Arc::new(Mutex::new(None));
    let answer = place.clone();
    let work = move |crew: &mut Crew| {
        let found = work(crew);
        *answer.lock().unwrap_or_else(PoisonError::into_inner) = Some(found);
    };
    let ended = start(py, long, threads, Box::new(work));
    give_back(py);
    ended?;
    let found = place.lock().unwrap_or_else(PoisonError::into_inner).take();
    found.unwrap_or_else(|| Err(no_answer()))
}

/// The work of a call. It has no type of its own, so that the code that waits for it exists once.
type Work = Box<dyn FnOnce(&mut Crew) + Send>;

/// Calls `work` without the GIL, and returns once it has ended or Python was interrupted.
fn start(py: Python<'_>, long: bool, threads: usize, work: Work) -> Result<(), Failure> {
    let mut crew = Crew::new(py, threads);
    if !(long && on_main_thread(py)) {
        let ended = py.detach(|| guard(work, &mut crew));
        crew.keep(py);
        return ended;
    }
    let (sender, mut receiver) = sync_channel(1);
    let started = thread::Builder::new().name("widephase-call".to_owned()).spawn(move || {
        let ended = guard(work, &mut crew);
        // The caller may have left.
        let _ = sender.send((ended, crew));
    });
    if started.is_err() {
        return Err(Error::OutOfMemory { len: 1 }.into());
    }
    loop {
        // A receiver may be sent, not shared.
        let (back, received) = py.detach(move || {
            let received = receiver.recv_timeout(PERIOD);
            (receiver, received)
        });
        receiver = back;
        match received {
            Ok((ended, crew)) => {
                crew.keep(py);
                return ended;
            }
            Err(RecvTimeoutError::Timeout) => {
                if let Err(error) = py.check_signals() {
                    leave_pool(py, threads);
                    return Err(Failure::Interrupted(error));
                }
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Failure::Panic("the thread of a call ended".to_owned()));
            }
        }
    }
}

/// Calls `work` on the threads of a call.
fn enter<R: Send>(
    crew: &mut Crew,
    work: impl FnOnce() -> Result<R, Failure> + Send,
) -> Result<R, Failure> {
    let mut found = None;
    crew.work(Box::new(|| found = Some(work())))?;
    found.unwrap_or_else(|| Err(no_answer()))
}

fn no_answer() -> Failure {
    Failure::Panic("a call without an answer".to_owned())
}

fn guard(work: Work, crew: &mut Crew) -> Result<(), Failure> {
    let work = AssertUnwindSafe(|| detached(|| work(crew)));
    catch_unwind(work).map_err(|panic| Failure::Panic(message(&*panic)))
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}

/// Whether this is the thread that Python tells of signals.
fn on_main_thread(py: Python<'_>) -> bool {
    let is_main = || -> PyResult<bool> {
        let threading = py.import("threading")?;
        let main = threading.call_method0("main_thread")?.getattr("ident")?;
        main.eq(threading.call_method0("get_ident")?)
    };
    is_main().unwrap_or(false)
}
