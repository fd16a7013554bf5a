//! `Decisions`: which pairs stop each other, decided in blocks.

use super::impact::Impact;
use crate::{
    Error, Pair,
    base::parallel::{self, Divide},
    error::limit::{Budget, Left, outcome},
    narrowphase::SolidWorkspace,
};

/// Pairs in a task, and tasks in a block. The results of a block are kept until they are listed.
const TASK: usize = 512;
const TASKS: usize = 64;

/// The workspace of decisions.
#[derive(Debug, Default)]
pub(super) struct Decisions {
    /// The results of a block of pairs, and the pairs that touch.
    results: Vec<Option<Impact>>,
    found: Vec<Impact>,
    /// A workspace for each task of a block.
    rooms: Vec<SolidWorkspace>,
}

impl Decisions {
    /// Decides all pairs and appends impacts of pairs that touch to `impacts`.
    pub(super) fn run(
        &mut self,
        pairs: &[Pair],
        decide: &(dyn Fn(Pair, &mut SolidWorkspace) -> Option<Impact> + Sync),
        threads: bool,
        limit: usize,
        impacts: &mut Vec<Impact>,
    ) -> Result<(), Error> {
        let Self { results, found, rooms } = self;
        let (budget, mut left) = (Budget::new(limit), Left::default());
        for pairs in pairs.chunks(TASK * TASKS) {
            results.clear();
            results.resize(pairs.len(), None);
            let tasks = pairs.len().div_ceil(TASK);
            if rooms.len() < tasks {
                rooms.resize_with(tasks, SolidWorkspace::default);
            }
            let rooms = &mut rooms[..tasks];
            parallel::run(Decide { pairs, results: &mut *results, rooms, decide }, threads);
            found.clear();
            found.extend(results.iter().flatten());
            left.append(impacts, found, &budget);
        }
        let total = impacts.len() as u64 + left.dropped;
        outcome(impacts, total, limit, left.starved)
    }

    /// The bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        let Self { results, found, rooms } = self;
        results.capacity() * size_of::<Option<Impact>>()
            + found.capacity() * size_of::<Impact>()
            + rooms.capacity() * size_of::<SolidWorkspace>()
            + rooms.iter().map(SolidWorkspace::bytes).sum::<usize>()
    }
}

/// The decisions of a block of pairs. Each task has a workspace.
struct Decide<'a, 'b> {
    pairs: &'a [Pair],
    results: &'a mut [Option<Impact>],
    rooms: &'a mut [SolidWorkspace],
    decide: &'b (dyn Fn(Pair, &mut SolidWorkspace) -> Option<Impact> + Sync),
}

impl Divide for Decide<'_, '_> {
    fn tasks(&self) -> usize {
        self.rooms.len()
    }

    fn split(self, tasks: usize) -> (Self, Self) {
        let Self { pairs, results, rooms, decide } = self;
        let (pairs, more_pairs) = pairs.split_at(tasks * TASK);
        let (results, more_results) = results.split_at_mut(tasks * TASK);
        let (rooms, more_rooms) = rooms.split_at_mut(tasks);
        (
            Self { pairs, results, rooms, decide },
            Self { pairs: more_pairs, results: more_results, rooms: more_rooms, decide },
        )
    }

    fn work(self) {
        let Self { pairs, results, rooms, decide } = self;
        let tasks = pairs.chunks(TASK).zip(results.chunks_mut(TASK)).zip(rooms);
        for ((pairs, results), room) in tasks {
            for (pair, result) in pairs.iter().zip(results) {
                *result = decide(*pair, room);
            }
        }
    }
}
