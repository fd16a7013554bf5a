//! `Exchange`: parcels from all ranks to all ranks.

use bytemuck::Zeroable;
use mpi::{request::scope, topology::SimpleCommunicator, traits::*};

use crate::record::{Parcel, Record};

const RECORDS: i32 = 1;
const FLOATS: i32 = 2;

/// A parcel for each rank, and what has arrived. Keeps its memory from step to step.
#[derive(Debug)]
pub(crate) struct Exchange {
    /// By rank. That of this rank stays empty.
    pub(crate) outgoing: Vec<Parcel>,
    /// The bodies from all ranks, by rank.
    pub(crate) incoming: Parcel,
    sent: Vec<u64>,
    arriving: Vec<u64>,
}

impl Exchange {
    pub(crate) fn new(ranks: usize) -> Self {
        Self {
            outgoing: vec![Parcel::default(); ranks],
            incoming: Parcel::default(),
            sent: vec![0; 2 * ranks],
            arriving: vec![0; 2 * ranks],
        }
    }

    pub(crate) fn clear(&mut self) {
        for parcel in &mut self.outgoing {
            parcel.clear();
        }
    }

    /// The number of bodies that are sent.
    pub(crate) fn bodies(&self) -> u64 {
        self.outgoing.iter().map(|parcel| parcel.records.len() as u64).sum()
    }

    /// Sends each rank its parcel, and receives those of the others. Returns the bytes sent.
    ///
    /// The numbers go to all ranks by one `MPI_Alltoall`; then messages to those ranks that get
    /// something, none of which waits for another. They are sent from the parcels and received at
    /// their place, in words of 8 and 4 bytes, so that a message may have 2^31 of them.
    pub(crate) fn run(&mut self, world: &SimpleCommunicator) -> u64 {
        let Self { outgoing, incoming, sent, arriving } = self;
        for (counts, parcel) in sent.chunks_exact_mut(2).zip(&*outgoing) {
            counts.copy_from_slice(&[parcel.records.len() as u64, parcel.floats.len() as u64]);
        }
        world.all_to_all_into(&sent[..], &mut arriving[..]);
        let total = |of: usize| arriving.iter().skip(of).step_by(2).sum::<u64>() as usize;
        incoming.clear();
        incoming.records.resize(total(0), Record::zeroed());
        incoming.floats.resize(total(1), 0.0);

        let mut records = &mut incoming.records[..];
        let mut floats = &mut incoming.floats[..];
        scope(|scope| {
            let (mut words, mut values) = (Vec::new(), Vec::new());
            for (rank, counts) in (0..).zip(arriving.chunks_exact(2)) {
                let process = world.process_at_rank(rank);
                let (mine, rest) = std::mem::take(&mut records).split_at_mut(counts[0] as usize);
                records = rest;
                if !mine.is_empty() {
                    let mine = bytemuck::cast_slice_mut::<Record, u64>(mine);
                    words.push(process.immediate_receive_into_with_tag(scope, mine, RECORDS));
                }
                let (mine, rest) = std::mem::take(&mut floats).split_at_mut(counts[1] as usize);
                floats = rest;
                if !mine.is_empty() {
                    values.push(process.immediate_receive_into_with_tag(scope, mine, FLOATS));
                }
            }
            for (rank, parcel) in (0..).zip(&*outgoing) {
                let process = world.process_at_rank(rank);
                if !parcel.records.is_empty() {
                    let parcel = bytemuck::cast_slice::<Record, u64>(&parcel.records);
                    words.push(process.immediate_send_with_tag(scope, parcel, RECORDS));
                }
                if !parcel.floats.is_empty() {
                    values.push(process.immediate_send_with_tag(scope, &parcel.floats[..], FLOATS));
                }
            }
            for request in words {
                request.wait_without_status();
            }
            for request in values {
                request.wait_without_status();
            }
        });
        let words = sent.iter().step_by(2).sum::<u64>() * size_of::<Record>() as u64;
        words + sent.iter().skip(1).step_by(2).sum::<u64>() * size_of::<f32>() as u64
    }
}
