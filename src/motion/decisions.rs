//! `Decisions`: which pairs stop each other, decided in blocks.

use super::{impact::Impact, step::MovingShape};
use crate::{
    Error, Pair,
    base::parallel::{self, Divide},
    error::limit::{Budget, Left, outcome},
    narrowphase::SolidWorkspace,
};

/// Pairs in a task, and tasks in a block. The results of a block are kept until they are listed.
const TASK: usize = 512;
const TASKS: usize = 64;

/// The pairs whose shapes are read at a time.
const READ: usize = 64;

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
        decider: Decider<'_>,
        threads: bool,
        limit: usize,
        impacts: &mut Vec<Impact>,
    ) -> Result<(), Error> {
        let Self { results, found, rooms } = self;
        let (budget, mut left) = (Budget::new(limit), Left::default());
        if rooms.is_empty() {
            rooms.push(SolidWorkspace::default());
        }
        if !threads {
            for pairs in pairs.chunks(TASK) {
                found.clear();
                decider.run(pairs, &mut rooms[0], &mut |_, impact| found.extend(impact));
                left.append(impacts, found, &budget);
            }
            return outcome(impacts, impacts.len() as u64 + left.dropped, limit, left.starved);
        }
        for pairs in pairs.chunks(TASK * TASKS) {
            results.clear();
            results.resize(pairs.len(), None);
            let tasks = pairs.len().div_ceil(TASK);
            if rooms.len() < tasks {
                rooms.resize_with(tasks, SolidWorkspace::default);
            }
            let rooms = &mut rooms[..tasks];
            parallel::run(BlockTasks { pairs, results: &mut *results, rooms, decider }, threads);
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

/// How pairs are decided.
#[derive(Clone, Copy)]
pub(super) struct Decider<'a> {
    /// Reads the shapes of a pair.
    pub(super) read: &'a (dyn Fn(Pair) -> [MovingShape; 2] + Sync),
    /// Decides a pair of these shapes.
    pub(super) decide: &'a DecidePair<'a>,
}

/// Decides a pair of these shapes.
type DecidePair<'a> =
    dyn Fn(Pair, [&MovingShape; 2], &mut SolidWorkspace) -> Option<Impact> + Sync + 'a;

impl Decider<'_> {
    /// Passes the number and the impact of each pair. Shapes are read in blocks before they are
    /// decided, because reads without a decision between them do not wait for each other.
    fn run(
        self,
        pairs: &[Pair],
        workspace: &mut SolidWorkspace,
        take: &mut dyn FnMut(usize, Option<Impact>),
    ) {
        let mut shapes = [[MovingShape::default(); 2]; READ];
        for (number, pairs) in pairs.chunks(READ).enumerate() {
            for (shapes, pair) in shapes.iter_mut().zip(pairs) {
                *shapes = (self.read)(*pair);
            }
            for (at, (pair, shapes)) in pairs.iter().zip(&shapes).enumerate() {
                take(number * READ + at, (self.decide)(*pair, shapes.each_ref(), workspace));
            }
        }
    }
}

/// The decisions of a block of pairs. Each task has a workspace.
struct BlockTasks<'a, 'b> {
    pairs: &'a [Pair],
    results: &'a mut [Option<Impact>],
    rooms: &'a mut [SolidWorkspace],
    decider: Decider<'b>,
}

impl Divide for BlockTasks<'_, '_> {
    fn tasks(&self) -> usize {
        self.rooms.len()
    }

    fn split(self, tasks: usize) -> (Self, Self) {
        let Self { pairs, results, rooms, decider } = self;
        let (pairs, more_pairs) = pairs.split_at(tasks * TASK);
        let (results, more_results) = results.split_at_mut(tasks * TASK);
        let (rooms, more_rooms) = rooms.split_at_mut(tasks);
        (
            Self { pairs, results, rooms, decider },
            Self { pairs: more_pairs, results: more_results, rooms: more_rooms, decider },
        )
    }

    fn work(self) {
        let Self { pairs, results, rooms, decider } = self;
        let tasks = pairs.chunks(TASK).zip(results.chunks_mut(TASK)).zip(rooms);
        for ((pairs, results), workspace) in tasks {
            decider.run(pairs, workspace, &mut |at, impact| results[at] = impact);
        }
    }
}
