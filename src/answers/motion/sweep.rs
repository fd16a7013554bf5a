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
//! A shape that crosses the space is then many small boxes and not one large box, so it meets only
//! the shapes near its path. The number of pieces is limited (`MORE_PIECES`). The dropped pairs do
//! not hit: docs/numerics.md, "Swept pairs".
//!
//! A walk through cells, as casts take it, is for one shape that moves. Two shapes that both move
//! need cells in space and time. Boxes around pieces go through the detection as it is, with its
//! filters, spaces and levels.

use super::{
    decisions::{Decider, Decisions},
    lanes::MovingPairs,
    pieces::{Paths, Pieces},
    step::{Displacements, Impact, MovingShape, SweptStep},
};
use crate::{
    base::{Pair, held, parallel, word_sort::WordSorter},
    detect::{CopiedFilters, Engine, More, ResultSink, RunOptions},
    error::Error,
    index::Index,
    kernel::CircleColumns,
    narrowphase::{
        CastOptions, Probe, RelativeMotion, Set, SolidWorkspace, View, impact, impact_of_aligned,
    },
    options::{BODIES_PER_DECISION, Options, Threads, uses_pool},
    posed::ShapeClass,
    shape::RoundedBox,
    simd::Isa,
    store::{Columns, Layout, Rows},
};

/// The fewest pairs of pieces that are always allowed: a list of 128 MiB.
const MIN_CANDIDATES: usize = 1 << 24;

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
    decisions: Decisions,
}

held!(SweptWorkspace { rows, shapes, pieces, copied_filters, pairs, sorter, decisions });

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
        engine.ask_more(More::Paths, columns.len().saturating_add(1 << 12), 240)?;
        let rows = engine.rows(columns, &options)?;
        rows.check_on(options.isa, false)?;
        let set = index.map(|index| index.set(false));
        let paths = self.read(&rows, &step)?;
        self.pieces.cut(&self.rows, &self.shapes, &paths, index, set.as_ref());

        self.find_candidates(engine, options, columns, index)?;
        engine.ask_more(More::SweptPairs, self.pairs.len(), 40)?;
        self.keep_rows_that_meet(options.isa, set.as_ref());
        self.sort(options.threads);

        let rows = engine.rows_again(columns);
        let Self { pairs, shapes, decisions, .. } = self;
        let view = View::of(&rows);
        let cast = CastOptions { start: step.moves.start, ..CastOptions::default() };
        let decide =
            |pair: Pair, [first, second]: &[MovingShape; 2], workspace: &mut SolidWorkspace| {
                let displacements = [first.by, second.by];
                let mut motion = RelativeMotion::between(displacements, &cast);
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
        let moving = MovingPairs { shapes, set: set.as_ref() };
        let decider = Decider { isa: options.isa, moving, decide: &decide };
        let work = pairs.len().saturating_mul(BODIES_PER_DECISION);
        let threads = uses_pool(options.threads, work);
        let limit = options.max_pairs;
        parallel::enter(threads, || decisions.run(pairs, decider, threads, limit, impacts))
    }

    /// Reads all rows that are not vacant, checks their displacements, and returns the properties
    /// of their paths.
    fn read(&mut self, rows: &Rows<'_>, step: &SweptStep<'_>) -> Result<Paths, Error> {
        let Self { rows: held, shapes, .. } = self;
        held.clear();
        held.extend((0..rows.len() as u32).filter(|row| rows.holds(*row as usize)));
        shapes.clear();
        let view = View::of(rows);
        let mut paths = Paths::default();
        if let Layout::Circles(CircleColumns { x, y, radius }) = view.layout()
            && held.len() == rows.len()
        {
            // The columns of [`Bullets::All`]: no choice for each row.
            let columns = x.iter().zip(y).zip(radius);
            shapes.extend((0..).zip(columns).take(held.len()).map(|(row, ((x, y), radius))| {
                let (min_x, min_y, max_x, max_y, radius) = (*x, *y, *x, *y, *radius);
                let bounds = RoundedBox { min_x, min_y, max_x, max_y, radius };
                let shape = step.shape(row, bounds, Some(ShapeClass::Round));
                paths.add(&shape);
                shape
            }));
        } else {
            shapes.resize(rows.len(), MovingShape::default());
            for &row in &*held {
                let shape = step.shape(row, view.bounds(row as usize), view.aligned_class(row));
                paths.add(&shape);
                shapes[row as usize] = shape;
            }
        }
        if paths.is_any_far {
            for &row in &*held {
                step.check_row(row, view.bounds(row as usize))?;
            }
        }
        Ok(paths)
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
        let scope = index.map_or(boxes.into(), |index| (boxes, index).into());
        let max_pairs = options.max_pairs.max(MIN_CANDIDATES);
        let options = RunOptions { inclusive: true, max_pairs, ..options };
        engine.detect(options, scope, 0.0, ResultSink::List(pairs), None).map(drop)
    }

    /// Replaces the pairs of pieces by pairs of rows that may stop each other. `set` has the shapes
    /// of the index.
    fn keep_rows_that_meet(&mut self, isa: Isa, set: Option<&Set<'_>>) {
        let Self { rows, pieces, shapes, pairs, .. } = self;
        let are_rows = pieces.pieces.is_empty() && rows.len() == shapes.len() && set.is_none();
        if !are_rows {
            pieces.replace_by_rows(rows, pairs, set.is_some());
        }
        MovingPairs { shapes, set }.keep_that_may_stop(isa, pairs);
    }

    /// Sorts the pairs by their rows, and keeps each once.
    fn sort(&mut self, threads: Threads) {
        let Self { pairs, pieces, sorter, .. } = self;
        let threads = uses_pool(threads, pairs.len());
        sorter.sort(bytemuck::cast_slice_mut(pairs), threads);
        if !pieces.pieces.is_empty() {
            pairs.dedup();
        }
    }
}
