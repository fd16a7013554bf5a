//! Pairs of shapes that stop each other during a step.
//!
//! In plain words:
//!
//! ```text
//! cut the path of each shape into pieces of about its own size
//! find the pairs of boxes around pieces; drop pairs that are not at the same time
//! pairs of pieces → pairs of shapes, each once
//! decide each pair by `time_of_impact`
//! ```
//!
//! A shape that crosses the space is then many small boxes and not a large one, so it meets only
//! what is near its path. The number of pieces is limited (`MORE_PIECES`).

use super::{
    decisions::Decisions,
    impact::Impact,
    pieces::Pieces,
    step::{Displacements, Mover, SweptStep},
};
use crate::{
    Columns, Error, Options, Order, Pair,
    base::parallel,
    detect::{CopiedFilters, Detect, Engine, ResultSink, RunOptions, Targets, pair_key, sort},
    index::Index,
    narrowphase::{CastOptions, Probe, RelativeMotion, Set, SolidWorkspace, View, impact},
    options::uses_pool,
};

/// The fewest pairs of pieces that are always allowed: a list of 128 MiB.
const FEWEST_CANDIDATES: usize = 1 << 24;

/// A decision takes about as long as a detection takes for this many bodies.
const BODIES_OF_DECISION: usize = 8;

/// The workspace of calls with displacements.
#[derive(Debug, Default)]
pub(crate) struct SweptWorkspace {
    /// The rows that are not vacant.
    rows: Vec<u32>,
    pieces: Pieces,
    copied_filters: CopiedFilters,
    /// Pairs of pieces, then pairs of rows.
    pairs: Vec<Pair>,
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
        self.rows.clear();
        self.rows.extend((0..rows.len() as u32).filter(|row| rows.holds(*row as usize)));
        let bounds = |row: u32| rows.layout.rounded_box(row as usize);
        for &row in &self.rows {
            step.check_row(row, bounds(row))?;
        }
        self.pieces.cut(&self.rows, index, |row| step.body(row, bounds(row)));

        self.find_candidates(engine, options, columns, index)?;

        let rows = engine.rows_again(columns);
        let set = index.map(|index| index.set(false));
        let body = |row: u32| step.body(row, rows.layout.rounded_box(row as usize));
        self.keep_rows_that_meet(&step, set.as_ref(), body);
        let Self { pairs, decisions, .. } = self;
        let space = |row: u32| columns.spaces.map_or(0, |spaces| spaces[row as usize]);
        let threads = uses_pool(options.threads, pairs.len());
        sort(pairs, threads, |pair| (space(pair.a), pair_key(pair)));
        pairs.dedup();

        let view = View::of(&rows);
        let decide = |pair: Pair, room: &mut SolidWorkspace| {
            let a = Probe::of(view, pair.a as usize);
            let (b, by) = match &set {
                Some(set) => (Probe::of_set(set, pair.b as usize), [0.0; 2]),
                None => (Probe::of(view, pair.b as usize), step.displacement(pair.b)),
            };
            let displacements = [step.displacement(pair.a), by];
            let mut motion = RelativeMotion::between(displacements, &CastOptions::default());
            if !step.sweeps(pair) {
                motion = motion.only_at_start();
            }
            let hit = impact(options.isa, [&a, &b], &motion, room)?;
            Some(Impact::of(pair, &hit))
        };
        let work = pairs.len().saturating_mul(BODIES_OF_DECISION);
        let threads = uses_pool(options.threads, work);
        let limit = options.max_pairs;
        parallel::enter(threads, || decisions.run(pairs, &decide, threads, limit, impacts))
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
        let Self { pieces, copied_filters, pairs, .. } = self;
        let accept = pieces.accept(columns.filtering, index.is_some());
        copied_filters.fill(columns, pieces.pieces.iter().map(|piece| piece.row));
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

    /// Replaces the pairs of pieces by pairs of rows whose boxes touch during the step. `set` has
    /// the shapes of the index.
    fn keep_rows_that_meet(
        &mut self,
        step: &SweptStep<'_>,
        set: Option<&Set<'_>>,
        body: impl Fn(u32) -> Mover,
    ) {
        let Self { pieces, pairs, .. } = self;
        let pieces = &pieces.pieces;
        pairs.retain_mut(|pair| {
            let first = pieces[pair.a as usize];
            let (other, target) = match set {
                Some(set) => {
                    let row = !pair.b;
                    (row, Mover::new(set.box_of(row as usize), [0.0; 2]))
                }
                None => {
                    let second = pieces[pair.b as usize];
                    if second.row == first.row || !first.meets(&second) {
                        return false;
                    }
                    (second.row, body(second.row))
                }
            };
            *pair = if set.is_some() || first.row < other {
                Pair { a: first.row, b: other }
            } else {
                Pair { a: other, b: first.row }
            };
            if step.sweeps(*pair) {
                body(first.row).may_touch(&target)
            } else {
                body(first.row).at_start().may_touch(&target.at_start())
            }
        });
    }

    /// The bytes of memory held.
    pub(crate) fn bytes(&self) -> usize {
        let Self { rows, pieces, copied_filters, pairs, decisions } = self;
        rows.capacity() * size_of::<u32>()
            + pieces.bytes()
            + copied_filters.bytes()
            + pairs.capacity() * size_of::<Pair>()
            + decisions.bytes()
    }
}
