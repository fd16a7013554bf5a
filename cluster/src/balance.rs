//! Tiles with about as much work each.

use anyhow::Result;
use mpi::{datatype::PartitionMut, topology::SimpleCommunicator, traits::*};
use widephase::{Columns, Tiles};

use crate::bodies::Bodies;

/// The most positions that the cuts are made by: those that [`Tiles::balanced`] considers.
const SAMPLE: u64 = 1 << 17;

/// What a rank had to do, and the number of its bodies.
pub(crate) type Load = (u64, u64);

/// Cuts the plane into a tile for each rank. `loads` are those of all ranks.
///
/// Each rank gives positions of its bodies, as many as is its share of the work, and all ranks cut
/// by the positions of all. So the cuts are the same on all ranks.
pub(crate) fn tiles(world: &SimpleCommunicator, bodies: &Bodies, loads: &[Load]) -> Result<Tiles> {
    let work: u128 = loads.iter().map(|(work, _)| u128::from(*work)).sum();
    let share = |&(own, len): &Load| {
        let share = u128::from(SAMPLE) * u128::from(own) / work.max(1);
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
