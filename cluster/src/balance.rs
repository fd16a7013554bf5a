//! Tiles with about as much work each.

use anyhow::Result;
use mpi::{datatype::PartitionMut, topology::SimpleCommunicator, traits::*};
use widephase::{Columns, tiles::Tiles};

use crate::{bodies::Bodies, clock::Phase, report::Stats};

/// The most positions that the cuts are made by, and how many for each rank if that is more. Every
/// rank holds all of them. [`Tiles::balanced`] considers them all.
const SAMPLE: u64 = 1 << 17;
const SAMPLE_OF_RANK: u64 = 1 << 10;

/// What a rank had to do, and the number of its bodies.
pub(crate) type Load = (u64, u64);

/// Watches the work of the ranks, and says when new tiles are worth it.
#[derive(Debug)]
pub(crate) struct Watch {
    /// How far the slowest rank may be above the mean.
    share: f64,
    /// The work of each rank in the last steps, a step before the last with half its weight.
    work: Vec<u64>,
    /// Whether the next step does not count: after new tiles, memory grows and many bodies move.
    skips: bool,
}

impl Watch {
    pub(crate) fn new(share: f64, ranks: usize) -> Self {
        Self { share, work: vec![0; ranks], skips: true }
    }

    /// Adds a step. Returns the loads of all ranks if they are to have new tiles.
    pub(crate) fn add(&mut self, all: &[Stats]) -> Option<Vec<Load>> {
        if std::mem::take(&mut self.skips) {
            return None;
        }
        for (work, stats) in self.work.iter_mut().zip(all) {
            // What depends on the bodies of a tile. Hand-overs do not come again.
            let phases = [Phase::Move, Phase::Ghosts, Phase::Detect];
            let new: u64 = phases.iter().map(|phase| stats.spent[*phase as usize]).sum();
            *work = *work / 2 + new;
        }
        let sum: u64 = self.work.iter().sum();
        let most = self.work.iter().max().copied().unwrap_or(0);
        if most as f64 * all.len() as f64 <= sum as f64 * (1.0 + self.share) {
            return None;
        }
        self.skips = true;
        let work = self.work.iter_mut().map(std::mem::take);
        Some(work.zip(all).map(|(work, stats)| (work, stats.bodies)).collect())
    }
}

/// Cuts the plane into a tile for each rank. `loads` are those of all ranks.
///
/// Each rank gives positions of its bodies, as many as is its share of the work, and all ranks cut
/// by the positions of all. So the cuts are the same on all ranks.
pub(crate) fn tiles(world: &SimpleCommunicator, bodies: &Bodies, loads: &[Load]) -> Result<Tiles> {
    let work: u128 = loads.iter().map(|(work, _)| u128::from(*work)).sum();
    let sample = SAMPLE.max(SAMPLE_OF_RANK * loads.len() as u64);
    let share = |&(own, len): &Load| {
        let share = u128::from(sample) * u128::from(own) / work.max(1);
        len.min(share as u64 + 1) as usize
    };
    let shares: Vec<usize> = loads.iter().map(share).collect();
    let (mine, len) = (shares[world.rank() as usize], bodies.len());
    let own: Vec<u32> = bodies.own().collect();
    let mut sample = Vec::with_capacity(2 * mine);
    for place in 0..mine {
        let (record, _) = bodies.get(own[place * len / mine]);
        sample.extend([record.x, record.y]);
    }

    let counts: Vec<i32> = shares.iter().map(|share| 2 * *share as i32).collect();
    let mut end = 0;
    let begins: Vec<i32> = counts
        .iter()
        .map(|count| {
            end += count;
            end - count
        })
        .collect();
    let mut all = vec![0.0_f32; end as usize];
    world.all_gather_varcount_into(
        &sample[..],
        &mut PartitionMut::new(&mut all[..], &counts[..], &begins[..]),
    );
    let x: Vec<f32> = all.iter().step_by(2).copied().collect();
    let y: Vec<f32> = all.iter().skip(1).step_by(2).copied().collect();
    Ok(Tiles::balanced(Columns::points(&x, &y)?, loads.len())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(detect: [u64; 2]) -> Vec<Stats> {
        let stats = |time| {
            let mut stats = Stats { bodies: 9, ..Stats::default() };
            stats.spent[Phase::Detect as usize] = time;
            stats.spent[Phase::HandOver as usize] = 1000 * time;
            stats
        };
        detect.map(stats).to_vec()
    }

    #[test]
    fn new_tiles_beyond_the_share_only() {
        let mut watch = Watch::new(0.25, 2);
        assert_eq!(watch.add(&step([100, 900])), None); // the first step
        assert_eq!(watch.add(&step([80, 120])), None); // 1.2 of the mean
        assert_eq!(watch.add(&step([70, 130])), Some(vec![(110, 9), (190, 9)]));
        assert_eq!(watch.add(&step([0, 900])), None); // the first step after
        assert_eq!(watch.add(&step([100, 100])), None);
    }
}
