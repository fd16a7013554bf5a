//! `Clock`: the CPU time of the phases of a step.

use rustix::time::{ClockId, clock_gettime};

/// A phase of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    Move,
    HandOver,
    Ghosts,
    Detect,
    /// In MPI: messages, and the wait for other ranks, which costs CPU time because MPI polls.
    Mpi,
    /// Not a part of the step: the comparison, checkpoints, output.
    Other,
}

/// Adds the CPU time of this process to one phase after the other, in nanoseconds. CPU time, and
/// not the time of a clock on the wall, because ranks may share a core.
#[derive(Debug)]
pub(crate) struct Clock {
    phase: Phase,
    since: u64,
    spent: [u64; 6],
}

impl Clock {
    pub(crate) fn new() -> Self {
        Self { phase: Phase::Other, since: now(), spent: [0; 6] }
    }

    /// Begins a phase, and returns the one before.
    pub(crate) fn enter(&mut self, phase: Phase) -> Phase {
        let now = now();
        self.spent[self.phase as usize] += now - self.since;
        self.since = now;
        std::mem::replace(&mut self.phase, phase)
    }

    /// The times of all phases since the last call.
    pub(crate) fn take(&mut self) -> [u64; 6] {
        self.enter(self.phase);
        std::mem::take(&mut self.spent)
    }
}

/// The CPU time of this process so far, in nanoseconds.
pub(crate) fn now() -> u64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}
