//! `Decisions`: which pairs stop each other, decided in blocks.

use super::{
    lanes::{BlockImpacts, MovingPairs},
    step::{Impact, MovingShape},
};
use crate::{
    base::{
        Pair, WORD_ROWS, held,
        parallel::{self, Divide},
    },
    error::{
        Error,
        limit::{Budget, Left, outcome},
    },
    narrowphase::SolidWorkspace,
    simd::Isa,
};

/// Pairs in a task, and tasks in a block. The impacts of a block are kept until they are listed.
const PAIRS_PER_TASK: usize = 512;
const TASKS_PER_BLOCK: usize = 64;

/// The workspace of decisions.
#[derive(Debug, Default)]
pub(super) struct Decisions {
    /// A workspace for each task of a block.
    workspaces: Vec<DecisionWorkspace>,
}

held!(Decisions { workspaces });

/// The workspace of a task.
#[derive(Debug, Default)]
struct DecisionWorkspace {
    solids: SolidWorkspace,
    /// The impacts of the pairs that stop each other.
    found: Vec<Impact>,
}

held!(DecisionWorkspace { solids, found });

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
        let Self { workspaces } = self;
        let (budget, mut left) = (Budget::new(limit), Left::default());
        let tasks_at_once = if threads { TASKS_PER_BLOCK } else { 1 };
        for pairs in pairs.chunks(PAIRS_PER_TASK * tasks_at_once) {
            let tasks = pairs.len().div_ceil(PAIRS_PER_TASK);
            if workspaces.len() < tasks {
                workspaces.resize_with(tasks, DecisionWorkspace::default);
            }
            let workspaces = &mut workspaces[..tasks];
            parallel::run(BlockTasks { pairs, workspaces: &mut *workspaces, decider }, threads);
            for workspace in workspaces {
                left.append(impacts, &workspace.found, &budget);
            }
        }
        let total = impacts.len() as u64 + left.dropped;
        outcome(impacts, total, limit, left.starved)
    }
}

/// How pairs are decided.
#[derive(Clone, Copy)]
pub(super) struct Decider<'a> {
    pub(super) isa: Isa,
    /// The shapes of all pairs.
    pub(super) moving: MovingPairs<'a>,
    /// Decides a pair of these shapes.
    pub(super) decide: &'a DecidePair<'a>,
}

/// Decides a pair of these shapes.
type DecidePair<'a> =
    dyn Fn(Pair, &[MovingShape; 2], &mut SolidWorkspace) -> Option<Impact> + Sync + 'a;

impl Decider<'_> {
    /// Lists the impacts of pairs in their order.
    fn run(self, pairs: &[Pair], workspace: &mut DecisionWorkspace) {
        let DecisionWorkspace { solids, found } = workspace;
        found.clear();
        let mut decided = BlockImpacts::default();
        let mut blocks = pairs.chunks(WORD_ROWS).peekable();
        while let Some(of_block) = blocks.next() {
            if let Some(next) = blocks.peek() {
                self.moving.prefetch(next);
            }
            self.moving.decide_circles(self.isa, of_block, &mut decided);
            let mut left = decided.hits | decided.open;
            while left != 0 {
                let at = left.trailing_zeros() as usize;
                left &= left - 1;
                if decided.open >> at & 1 == 0 {
                    found.push(decided.impacts[at]);
                } else {
                    let shapes = self.moving.of(of_block[at]);
                    found.extend((self.decide)(of_block[at], &shapes, solids));
                }
            }
        }
    }
}

/// The decisions of a block of pairs. Each task has a workspace.
struct BlockTasks<'a, 'b> {
    pairs: &'a [Pair],
    workspaces: &'a mut [DecisionWorkspace],
    decider: Decider<'b>,
}

impl Divide for BlockTasks<'_, '_> {
    fn tasks(&self) -> usize {
        self.workspaces.len()
    }

    fn split(self, tasks: usize) -> (Self, Self) {
        let Self { pairs, workspaces, decider } = self;
        let (pairs, more_pairs) = pairs.split_at(tasks * PAIRS_PER_TASK);
        let (workspaces, more) = workspaces.split_at_mut(tasks);
        (Self { pairs, workspaces, decider }, Self { pairs: more_pairs, workspaces: more, decider })
    }

    fn work(self) {
        let Self { pairs, workspaces, decider } = self;
        for (pairs, workspace) in pairs.chunks(PAIRS_PER_TASK).zip(workspaces) {
            decider.run(pairs, workspace);
        }
    }
}
