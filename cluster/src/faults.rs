//! An error on one rank is an error on all.

use std::{
    fmt, panic,
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    thread,
};

use anyhow::{Context, Result};
use mpi::{collective::SystemOperation, topology::SimpleCommunicator, traits::*};
use signal_hook::{consts::SIGTERM, iterator::Signals, low_level::emulate_default_handler};

/// The step that this rank is in, for the message of a panic.
static STEP: AtomicU64 = AtomicU64::new(0);
/// Whether all ranks end because of an error that they have agreed on.
static ENDS: AtomicBool = AtomicBool::new(false);
/// The last checkpoint, for messages.
static CHECKPOINT: Mutex<Option<String>> = Mutex::new(None);

/// Sets the step that messages name.
pub(crate) fn begin_step(step: u64) {
    STEP.store(step, Relaxed);
}

/// Sets the checkpoint that messages name.
pub(crate) fn set_checkpoint(name: String) {
    if let Ok(mut last) = CHECKPOINT.lock() {
        *last = Some(name);
    }
}

fn last_checkpoint() -> String {
    let last = CHECKPOINT.lock().ok().and_then(|last| last.clone());
    last.map_or_else(|| "there is no checkpoint".to_owned(), |name| format!("go on from {name}"))
}

/// An error of one rank, which all ranks know.
#[derive(Debug)]
pub(crate) struct Failure {
    rank: i32,
    step: u64,
    message: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rank, step, message } = self;
        write!(f, "rank {rank}, step {step}: {message}; {}", last_checkpoint())
    }
}

/// The result of this rank if all ranks have succeeded; else the error of the first that has not.
/// All ranks must call it at the same place.
pub(crate) fn agree<T>(world: &SimpleCommunicator, result: Result<T>) -> Result<T, Failure> {
    let mine = if result.is_ok() { world.size() } else { world.rank() };
    let mut rank = mine;
    world.all_reduce_into(&mine, &mut rank, SystemOperation::min());
    if rank < world.size() {
        ENDS.store(true, Relaxed);
    }
    let mut message = match result {
        Ok(value) if rank == world.size() => return Ok(value),
        Ok(_) => vec![],
        Err(error) => format!("{error:#}").into_bytes(),
    };
    let root = world.process_at_rank(rank);
    let mut len = message.len() as u64;
    root.broadcast_into(&mut len);
    message.resize(len as usize, 0);
    root.broadcast_into(&mut message[..]);
    let message = String::from_utf8_lossy(&message).into_owned();
    Err(Failure { rank, step: STEP.load(Relaxed), message })
}

/// Names the step and the last checkpoint when MPI ends this rank because another one has died, or
/// because the user ends the run. Ranks 0 and 1 do so, of which one is alive.
pub(crate) fn report_termination(rank: i32) -> Result<()> {
    if rank > 1 {
        return Ok(());
    }
    let mut signals = Signals::new([SIGTERM]).context("the signals cannot be watched")?;
    thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            if !ENDS.load(Relaxed) {
                let step = STEP.load(Relaxed);
                eprintln!("error: rank {rank} was ended in step {step}; {}", last_checkpoint());
            }
            // Ends the process. If it cannot, MPI will.
            let _ = emulate_default_handler(signal);
        }
    });
    Ok(())
}

/// Lets a panic of this rank end all ranks, and name the rank and the step.
pub(crate) fn abort_on_panic(rank: i32) {
    let print = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        print(info);
        eprintln!("error: rank {rank}, step {}: panic; {}", STEP.load(Relaxed), last_checkpoint());
        SimpleCommunicator::world().abort(1);
    }));
}
