//! What a step prints.

use bytemuck::{Pod, Zeroable};
use mpi::{topology::SimpleCommunicator, traits::*};

use crate::{clock::Phase, digest::Digest};

/// What a rank has done in a step.
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Stats {
    pub(crate) digest: Digest,
    /// The own bodies at the end of the step.
    pub(crate) bodies: u64,
    /// Bodies handed to other ranks.
    pub(crate) handed: u64,
    /// Ghosts received.
    pub(crate) ghosts: u64,
    /// Bytes of bodies and ghosts sent.
    pub(crate) bytes: u64,
    /// CPU time by phase, in nanoseconds.
    pub(crate) spent: [u64; 6],
}

const WORDS: usize = size_of::<Stats>() / size_of::<u64>();

impl Stats {
    /// The work of a rank: its CPU time without MPI, in nanoseconds.
    pub(crate) fn work(&self) -> u64 {
        [Phase::Move, Phase::HandOver, Phase::Ghosts, Phase::Detect]
            .map(|phase| self.spent[phase as usize])
            .iter()
            .sum()
    }

    /// The records of all ranks, by rank.
    pub(crate) fn gather(&self, world: &SimpleCommunicator) -> Vec<Self> {
        let mut all = vec![Self::default(); world.size() as usize];
        let words = bytemuck::cast_slice_mut::<Self, u64>(&mut all);
        world.all_gather_into(bytemuck::cast_ref::<Self, [u64; WORDS]>(self), words);
        all
    }
}

/// The contacts of all ranks.
pub(crate) fn total(all: &[Stats]) -> Digest {
    let mut total = Digest::default();
    for stats in all {
        total.merge(stats.digest);
    }
    total
}

/// The work of the slowest rank over the mean.
pub(crate) fn imbalance(all: &[Stats]) -> f64 {
    let sum: u64 = all.iter().map(Stats::work).sum();
    let most = all.iter().map(Stats::work).max().unwrap_or(0);
    most as f64 * all.len() as f64 / sum.max(1) as f64
}

/// The line of a step. Times are means over the ranks.
pub(crate) fn line(step: u64, all: &[Stats]) -> String {
    let digest = total(all);
    let sum = |of: fn(&Stats) -> u64| all.iter().map(of).sum::<u64>();
    let (handed, ghosts) = (sum(|stats| stats.handed), sum(|stats| stats.ghosts));
    let time = |phase: Phase| {
        let sum: u64 = all.iter().map(|stats| stats.spent[phase as usize]).sum();
        sum as f64 / all.len() as f64 * 1e-6
    };
    format!(
        "step {step}  pairs {}  contacts {}  hash {:016x}  handed {handed}  ghosts {ghosts}  bytes {}  ms: move \
         {:.2}  hand-over {:.2}  ghosts {:.2}  detect {:.2}  mpi {:.2}  slowest/mean {:.2}",
        digest.pairs,
        digest.contacts,
        digest.hash(),
        sum(|stats| stats.bytes),
        time(Phase::Move),
        time(Phase::HandOver),
        time(Phase::Ghosts),
        time(Phase::Detect),
        time(Phase::Mpi),
        imbalance(all),
    )
}
