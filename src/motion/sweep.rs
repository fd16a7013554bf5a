//! Pairs of shapes that stop each other during a step.
//!
//! In plain words:
//!
//! ```text
//! put a circle or a rounded box around the path of each shape
//!     (a path that is long for its shape is cut into pieces first)
//! find the pairs of these; drop pairs of pieces that are not at the same time
//! pairs of pieces → pairs of shapes; drop those whose relative motion brings no hit
//! sort them, each once, and decide each as `time_of_impact` does
//! ```
//!
//! A shape that crosses the space is then many small boxes and not a large one, so it meets only
//! what is near its path. The number of pieces is limited (`MORE_PIECES`). What is dropped is no
//! hit: docs/numerics.md, "Swept pairs".

use super::{
    decisions::{Decider, Decisions},
    impact::Impact,
    pieces::{NEAR, Pieces},
    step::{Displacements, MovingShape, SweptStep},
};
use crate::{
    Columns, Error, Options, Order, Pair, Threads,
    base::{parallel, word_sort::WordSorter},
    detect::{CopiedFilters, Detect, Engine, ResultSink, RunOptions, Targets},
    index::Index,
    narrowphase::{
        CastOptions, Probe, RelativeMotion, Set, SolidWorkspace, View, impact, impact_of_aligned,
    },
    options::uses_pool,
    simd::prefetch_at,
    store::Rows,
};

/// The fewest pairs of pieces that are always allowed: a list of 128 MiB.
const FEWEST_CANDIDATES: usize = 1 << 24;

/// How many pairs ahead shapes are prefetched.
const AHEAD: usize = 16;

/// A decision takes about as long as a detection takes for this many bodies.
const BODIES_OF_DECISION: usize = 8;

/// The workspace of calls with displacements.
#[derive(Debug, Default)]
pub(crate) struct SweptWorkspace {
    /// The rows that are not vacant, and the shapes of all rows.
    rows: Vec<u32>,
    shapes: Vec<MovingShape>,
    pieces: Pieces,
    copied_filters: CopiedFilters,
    /// Pairs of pieces, then pairs of rows.
    pairs: Vec<Pair>,
    sorter: WordSorter<2, 2>,
    /// The space and the row of each shape, in this order, and the place of each row there.
    by_space: Vec<Pair>,
    places: Vec<u32>,
    decisions: Decisions,
}

impl SweptWorkspace {
    /// Replaces the content of `impacts` by the pairs that stop each other during a step: among the
    /// shapes, or with an index.
    pub(crate) fn sweep(
        &mut self,
        engine: &mut Engine,
        options: &Options,
        columns: Columns<'_>,
        moves: Displacements<'_>,
        index: Option<&Index>,
        impacts: &mut Vec<Impact>,
    ) -> Result<(), Error> {
        let step = SweptStep { moves, others_stay: index.is_some() };
        impacts.clear();
        engine.begin(options.timings);
        let result = step
            .check(columns.len())
            .and_then(|()| RunOptions::of(options))
            .and_then(|options| self.find(engine, options, columns, step, index, impacts));
        engine.end_finish();
        result
    }

    fn find(
        &mut self,
        engine: &mut Engine,
        options: RunOptions<'_>,
        columns: Columns<'_>,
        step: SweptStep<'_>,
        index: Option<&Index>,
        impacts: &mut Vec<Impact>,
    ) -> Result<(), Error> {
        let rows = engine.rows(columns, &options)?;
        rows.check_on(options.isa, false)?;
        let set = index.map(|index| index.set(false));
        self.read(&rows, &step)?;
        self.pieces.cut(&self.rows, &self.shapes, index, set.as_ref());

        self.find_candidates(engine, options, columns, index)?;
        self.keep_rows_that_meet(set.as_ref());
        self.sort(columns, options.threads);

        let rows = engine.rows_again(columns);
        let Self { pairs, shapes, decisions, .. } = self;
        let view = View::of(&rows);
        let read = |pair: Pair| {
            let second = match &set {
                Some(set) => still(set, pair.b),
                None => shapes[pair.b as usize],
            };
            [shapes[pair.a as usize], second]
        };
        let decide =
            |pair: Pair, [first, second]: [&MovingShape; 2], workspace: &mut SolidWorkspace| {
                let displacements = [first.by, second.by];
                let mut motion = RelativeMotion::between(displacements, &CastOptions::default());
                if !first.sweeps_with(second) {
                    motion = motion.only_at_start();
                }
                let hit = if let (Some(a), Some(b)) = (first.aligned(), second.aligned()) {
                    impact_of_aligned(options.isa, [a, b], &motion, workspace)?
                } else {
                    let a = Probe::of(view, pair.a as usize);
                    let b = match &set {
                        Some(set) => Probe::of_set(set, pair.b as usize),
                        None => Probe::of(view, pair.b as usize),
                    };
                    impact(options.isa, [&a, &b], &motion, workspace)?
                };
                Some(Impact::of(pair, &hit))
            };
        let decider = Decider { read: &read, decide: &decide };
        let work = pairs.len().saturating_mul(BODIES_OF_DECISION);
        let threads = uses_pool(options.threads, work);
        let limit = options.max_pairs;
        parallel::enter(threads, || decisions.run(pairs, decider, threads, limit, impacts))
    }

    /// Reads all rows that are not vacant, and checks their displacements.
    fn read(&mut self, rows: &Rows<'_>, step: &SweptStep<'_>) -> Result<(), Error> {
        let Self { rows: held, shapes, .. } = self;
        held.clear();
        held.extend((0..rows.len() as u32).filter(|row| rows.holds(*row as usize)));
        shapes.clear();
        shapes.resize(rows.len(), MovingShape::default());
        let view = View::of(rows);
        for &row in &*held {
            let bounds = view.bounds(row as usize);
            let shape = step.shape(row, bounds, view.aligned_class(row));
            let is_near = shape.far() < NEAR;
            if !is_near {
                step.check_row(row, bounds)?;
            }
            shapes[row as usize] = shape;
        }
        Ok(())
    }

    /// Replaces the pairs by the pairs of boxes around pieces that touch. Pairs with an index have
    /// the complements of its rows.
    fn find_candidates(
        &mut self,
        engine: &mut Engine,
        options: RunOptions<'_>,
        columns: Columns<'_>,
        index: Option<&Index>,
    ) -> Result<(), Error> {
        let Self { rows, pieces, copied_filters, pairs, .. } = self;
        let accept = pieces.accept(rows, columns.filtering, index.is_some());
        copied_filters.fill(columns, pieces.rows(rows));
        let boxes = copied_filters.give(columns, pieces.boxes()?, &accept)?;
        pairs.clear();
        let sets = match index {
            None => Targets::among(ResultSink::List(pairs)),
            Some(index) => Targets::against(index.part(0), ResultSink::List(pairs)),
        };
        let max_pairs = options.max_pairs.max(FEWEST_CANDIDATES);
        let options = RunOptions { inclusive: true, order: Order::Grid, max_pairs, ..options };
        Pair::detect(engine, boxes, options, 0.0, sets).map(drop)
    }

    /// Replaces the pairs of pieces by pairs of rows that may stop each other. `set` has the shapes
    /// of the index.
    fn keep_rows_that_meet(&mut self, set: Option<&Set<'_>>) {
        let Self { rows, pieces, shapes, pairs, .. } = self;
        let (pieces, mut kept) = (&pieces.pieces, 0);
        for at in 0..pairs.len() {
            let pair = pairs[at];
            let ahead = |by: usize| pairs[(at + by).min(pairs.len() - 1)];
            let (a, b, meet) = if pieces.is_empty() {
                let next = ahead(AHEAD);
                prefetch_at(shapes, rows[next.a as usize] as usize);
                match set {
                    Some(_) => (rows[pair.a as usize], !pair.b, true),
                    None => {
                        prefetch_at(shapes, rows[next.b as usize] as usize);
                        (rows[pair.a as usize], rows[pair.b as usize], true)
                    }
                }
            } else {
                prefetch_at(pieces, ahead(2 * AHEAD).a as usize);
                prefetch_at(shapes, pieces[ahead(AHEAD).a as usize].row as usize);
                let first = pieces[pair.a as usize];
                match set {
                    Some(_) => (first.row, !pair.b, true),
                    None => {
                        prefetch_at(pieces, ahead(2 * AHEAD).b as usize);
                        prefetch_at(shapes, pieces[ahead(AHEAD).b as usize].row as usize);
                        let second = pieces[pair.b as usize];
                        let meet = (first.row != second.row) & first.meets(&second);
                        (first.row, second.row, meet)
                    }
                }
            };
            let first = &shapes[a as usize];
            let may_stop = match set {
                Some(set) => first.may_stop(&still(set, b)),
                None => first.may_stop(&shapes[b as usize]),
            };
            let in_order = set.is_some() || a < b;
            pairs[kept] = if in_order { Pair { a, b } } else { Pair { a: b, b: a } };
            kept += usize::from(meet & may_stop);
        }
        pairs.truncate(kept);
    }

    /// Sorts the pairs by their rows, in each space, and keeps each once.
    fn sort(&mut self, columns: Columns<'_>, threads: Threads) {
        let Self { rows, pairs, sorter, shapes, by_space, places, .. } = self;
        let threads = uses_pool(threads, pairs.len());
        if let Some(spaces) = columns.spaces {
            // The places of rows take their part while the pairs are sorted.
            by_space.clear();
            by_space.extend(rows.iter().map(|&row| Pair { a: spaces[row as usize], b: row }));
            sorter.sort(bytemuck::cast_slice_mut(by_space), threads);
            places.resize(shapes.len(), 0);
            for (place, shape) in (0..).zip(&*by_space) {
                places[shape.b as usize] = place;
            }
            for pair in &mut *pairs {
                pair.a = places[pair.a as usize];
            }
        }
        sorter.sort(bytemuck::cast_slice_mut(pairs), threads);
        if columns.spaces.is_some() {
            for pair in &mut *pairs {
                pair.a = by_space[pair.a as usize].b;
            }
        }
        pairs.dedup();
    }

    /// The bytes of memory held.
    pub(crate) fn bytes(&self) -> usize {
        let Self {
            rows,
            shapes,
            pieces,
            copied_filters,
            pairs,
            sorter,
            by_space,
            places,
            decisions,
        } = self;
        rows.capacity() * size_of::<u32>()
            + shapes.capacity() * size_of::<MovingShape>()
            + sorter.bytes()
            + pieces.bytes()
            + copied_filters.bytes()
            + (pairs.capacity() + by_space.capacity()) * size_of::<Pair>()
            + places.capacity() * size_of::<u32>()
            + decisions.bytes()
    }
}

/// A row of an index.
#[inline]
fn still(set: &Set<'_>, row: u32) -> MovingShape {
    let class = set.placed[row as usize].class();
    let class = class.is_axis_aligned().then_some(class);
    MovingShape::still(set.box_of(row as usize), class)
}
