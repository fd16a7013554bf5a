//! The kernel of each task, over tiles of its jobs.

use super::{
    Contact, PairKernel,
    box_box::BoxBox,
    box_circle::BoxCircle,
    circle_circle::CircleCircle,
    jobs::{Job, Task},
    manifold::Manifold,
    output::{Columns, Name},
    polygon_circle::PolygonCircle,
    polygon_polygon::PolygonPolygon,
    rule::Rule,
    soon::Soon,
    tile::Tile,
    upright::Upright,
    view::Sources,
};
use crate::simd::{Kernel, MAX_LANES, Simd};

/// Evaluates `$call` with `$kernel` being the kernel of `$task`.
macro_rules! with_kernel {
    ($task:expr, $kernel:ident => $call:expr) => {
        match $task {
            Task::CircleCircle => {
                let $kernel = CircleCircle;
                $call
            }
            Task::Upright => {
                let $kernel = Upright;
                $call
            }
            Task::BoxCircle => {
                let $kernel = BoxCircle;
                $call
            }
            Task::BoxBox => {
                let $kernel = BoxBox;
                $call
            }
            Task::Polygon4Circle | Task::PolygonCircle | Task::ManyCircle => {
                let $kernel = PolygonCircle;
                $call
            }
            _ => {
                let $kernel = PolygonPolygon;
                $call
            }
        }
    };
}

/// A task is decided by its kernel. Asked for each vector, which is no branch to guess and has the code
/// around the kernels once and not for each of them.
impl PairKernel for Task {
    #[inline(always)]
    fn test<S: Simd>(self, simd: S, tile: &Tile, at: usize, inclusive: bool) -> S::Mask {
        with_kernel!(self, kernel => kernel.test(simd, tile, at, inclusive))
    }

    #[inline(always)]
    fn contact<S: Simd>(
        self,
        simd: S,
        tile: &Tile,
        at: usize,
        margin: S::F32,
        inclusive: bool,
    ) -> Manifold<S> {
        with_kernel!(self, kernel => kernel.contact(simd, tile, at, margin, inclusive))
    }
}

/// Takes the jobs of a tile from the front of `jobs`.
#[inline(always)]
fn next_tile<'a>(jobs: &mut &'a [Job]) -> &'a [Job] {
    let (tile, rest) = jobs.split_at(jobs.len().min(MAX_LANES));
    *jobs = rest;
    tile
}

/// Decides pairs of one task.
pub(super) struct Tests<'a, 'b> {
    pub(super) rule: &'a Rule<'a>,
    pub(super) task: Task,
    pub(super) jobs: &'a [Job],
    pub(super) tile: &'a mut Tile,
    pub(super) soon: &'a mut Soon<'b>,
    pub(super) hits: &'a mut [bool],
}

impl Kernel for Tests<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { rule, task, jobs, tile, soon, hits } = self;
        let sources = Sources::of(&rule.sets);
        let mut rest = jobs;
        while !rest.is_empty() {
            let jobs = next_tile(&mut rest);
            Tile::expect(simd, &sources, rest, task, rule.only.is_none());
            soon.ask(simd, rule.sets[0].placed);
            tile.load(simd, &sources, jobs, task);
            let mut bits = 0;
            for at in (0..jobs.len()).step_by(S::LANES) {
                bits |= simd.bits(task.test(simd, tile, at, rule.inclusive)) << at;
            }
            for (lane, job) in jobs.iter().enumerate() {
                hits[job.index as usize] |= bits >> lane & 1 == 1;
            }
        }
    }
}

/// Makes contacts of pairs of one task.
pub(super) struct Contacts<'a, 'b> {
    pub(super) rule: &'a Rule<'a>,
    pub(super) task: Task,
    pub(super) jobs: &'a [Job],
    pub(super) tile: &'a mut Tile,
    pub(super) soon: &'a mut Soon<'b>,
    pub(super) names: &'a [Name],
    pub(super) contacts: &'a mut [Contact],
    /// Whether contacts are written one behind the other, and not each where its job says; and how many
    /// were.
    pub(super) in_order: bool,
    pub(super) kept: &'a mut usize,
}

impl Kernel for Contacts<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { rule, task, jobs, tile, soon, names, contacts, in_order, kept } = self;
        let sources = Sources::of(&rule.sets);
        let margin = simd.splat(rule.margin);
        let mut columns = Columns::default();
        let mut rest = jobs;
        while !rest.is_empty() {
            let jobs = next_tile(&mut rest);
            Tile::expect(simd, &sources, rest, task, rule.only.is_none());
            soon.ask(simd, rule.sets[0].placed);
            tile.load(simd, &sources, jobs, task);
            for at in (0..jobs.len()).step_by(S::LANES) {
                let manifold = task.contact(simd, tile, at, margin, rule.inclusive);
                columns.store(simd, tile, at, &manifold);
            }
            *kept = columns.write(simd, jobs, names, contacts, in_order, *kept);
        }
    }
}
