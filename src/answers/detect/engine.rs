//! `Engine`: detections of columns, with or without spaces.

use std::ops::ControlFlow;

use super::{
    detection::DetectionWorkspace,
    narrow::Take,
    scope::{RunOptions, Scope, ScopeSides},
    search::Request,
    sink::{ResultSink, SinkResult},
    sorter::ResultSorter,
    spaces::{SpacesWorkspace, is_batched},
};
use crate::{
    base::{Pair, TASK_ROWS, Timings, held, timings::Stopwatch},
    error::{
        Error,
        limit::{Granted, OnDemand, outcome},
    },
    grid::GridCell,
    index::{Index, IndexPart},
    narrowphase::check_margin,
    options::Options,
    simd::map_each,
    store::{ColumnWorkspace, Columns, Rows, index_fits},
};

/// Runs detections, and keeps their workspace.
#[derive(Debug, Default)]
pub(crate) struct Engine {
    /// Rotated shapes of borrowed columns.
    rotated: ColumnWorkspace,
    scratch: DetectionWorkspace,
    /// Made by the first call with spaces.
    spaces: OnDemand<SpacesWorkspace>,
    pub(crate) sorter: ResultSorter,
    granted: Granted,
    /// The memory granted to calls that are more than a detection.
    #[cfg(feature = "queries")]
    granted_more: Granted,
}

held!(Engine {
    rotated,
    scratch,
    spaces,
    sorter,
    granted,
    #[cfg(feature = "queries")]
    granted_more
});

/// The calls that are more than a detection, as they ask for memory.
#[cfg(feature = "queries")]
#[derive(Debug, Clone, Copy)]
pub(crate) enum More {
    Paths,
    SweptPairs,
    Rows,
    Neighbors,
    PeriodicRows,
    PeriodicPairs,
}

impl Engine {
    /// Begins a call with a margin, which it checks. Returns the options of its detections.
    pub(crate) fn open<'o>(
        &mut self,
        options: &'o Options,
        margin: f32,
    ) -> Result<RunOptions<'o>, Error> {
        self.begin(options.timings);
        check_margin(margin)?;
        RunOptions::of(options)
    }

    /// Checks the shapes of a scope, and detects. `among` receives the results among shapes whose
    /// results with an index go to `sink`. Two indexes have no margin. Returns the number of pairs
    /// or the length of the list.
    pub(crate) fn detect<'s, T: SinkResult>(
        &mut self,
        options: RunOptions<'_>,
        scope: Scope<'_>,
        margin: f32,
        sink: ResultSink<'s, T>,
        among: Option<ResultSink<'s, T>>,
    ) -> Result<u64, Error> {
        let (columns, part) = match scope.sides {
            ScopeSides::One(columns) => (columns, None),
            ScopeSides::WithIndex(columns, part) => (columns, Some(part)),
            ScopeSides::Indexes(indexes) => return self.detect_between(options, indexes, sink),
        };
        self.ask(&columns, part, margin, T::CONTACTS)?;
        let sinks = if part.is_some() { [among, Some(sink)] } else { [Some(sink), None] };
        let Self { rotated, scratch, spaces, .. } = self;
        let in_spaces = in_spaces(&columns, part);
        let mut request = Request::new::<T>(columns, part, margin, options, rotated)?;
        if !in_spaces {
            return scratch.run(&request, sinks);
        }
        let spaces = spaces.get()?;
        spaces.group(&mut request, columns.spaces)?;
        scratch.stopwatch.end(|timings| &mut timings.check);
        let result = spaces.run(request, sinks);
        scratch.stopwatch.end(|timings| &mut timings.search);
        result
    }

    /// Passes all results in a scope to `take`, block by block, until it breaks.
    pub(crate) fn for_each<T: SinkResult>(
        &mut self,
        options: RunOptions<'_>,
        scope: Scope<'_>,
        margin: f32,
        take: &mut Take<'_, T>,
    ) -> Result<(), Error> {
        let (columns, part) = match scope.sides {
            ScopeSides::One(columns) => (columns, None),
            ScopeSides::WithIndex(columns, part) => (columns, Some(part)),
            ScopeSides::Indexes(indexes) => return self.for_each_between(options, indexes, take),
        };
        self.ask(&columns, part, margin, T::CONTACTS)?;
        let Self { rotated, scratch, spaces, .. } = self;
        let in_spaces = in_spaces(&columns, part);
        let mut whole = Request::new::<T>(columns, part, margin, options, rotated)?;
        let mut grouped = None;
        if in_spaces {
            let spaces = spaces.get()?;
            spaces.group(&mut whole, columns.spaces)?;
            grouped = Some(&spaces.spaces);
        }
        let batches = grouped.into_iter().flat_map(|spaces| {
            let batches = spaces.batches(0..spaces.len(), TASK_ROWS, is_batched(&whole));
            batches.map(|batch| whole.of(&batch))
        });
        for request in (!in_spaces).then_some(whole).into_iter().chain(batches) {
            scratch.run::<T>(&request, [None, None])?;
            let flow = scratch.for_each(&request, take);
            scratch.stopwatch.end(|timings| &mut timings.search);
            if flow == ControlFlow::Break(()) {
                break;
            }
        }
        Ok(())
    }

    /// Checks the arguments that need no look at the shapes, and asks for the scratch memory of a
    /// call: see docs/memory.md.
    fn ask(
        &mut self,
        columns: &Columns<'_>,
        part: Option<IndexPart<'_>>,
        margin: f32,
        contacts: bool,
    ) -> Result<(), Error> {
        if let Some(part) = part {
            part.ready()?;
            index_fits(columns.len() + part.index().rows())?;
        }
        let (rotates, filters) = (columns.rotates(), columns.filtering.filters.is_some());
        let against_rotated = !rotates && part.is_some_and(|part| part.rotates());
        // Conditions, and the bytes a row and a call that each adds.
        let adds = [
            (columns.are_placed(), 60, 0),
            (against_rotated, 36, 0),
            (contacts || rotates || against_rotated, 0, 400_000),
            (margin > 0.0, 27, 0),
            (filters, 48, 1 << 14),
            (in_spaces(columns, part), 64, 1 << 16),
        ];
        let vacant = if columns.may_have_vacant_rows() { 27 } else { 0 };
        let (mut kind, mut a_row, mut bytes) = (0, 88 + vacant, 1 << 14);
        for (number, (holds, row, call)) in adds.into_iter().enumerate().filter(|(_, add)| add.0) {
            kind |= usize::from(holds) << number;
            (a_row, bytes) = (a_row + row, bytes + call);
        }
        let rows = columns.len();
        let bytes = rows.saturating_mul(a_row).saturating_add(bytes);
        // A small scene has few shapes.
        let most = if kind == 0 { rows.saturating_mul(100 + vacant).max(20_000) } else { bytes };
        self.granted.ask(kind, rows, bytes.min(most))
    }

    /// Detects between two indexes.
    fn detect_between<T: SinkResult>(
        &mut self,
        options: RunOptions<'_>,
        indexes: [&Index; 2],
        sink: ResultSink<'_, T>,
    ) -> Result<u64, Error> {
        index_fits(indexes[0].rows() + indexes[1].rows())?;
        indexes[1].ready()?;
        let Self { scratch, spaces, .. } = self;
        let result = if indexes.iter().any(|index| index.in_spaces()) {
            spaces.get()?.run_between(&options, indexes, sink)
        } else {
            scratch.run_between(&options, map_each(indexes, |index| index.part(0)), sink)
        };
        scratch.stopwatch.end(|timings| &mut timings.search);
        result
    }

    /// Passes all results between two indexes to `take`, in the same way as
    /// [`for_each`](Self::for_each).
    fn for_each_between<T: SinkResult>(
        &mut self,
        options: RunOptions<'_>,
        indexes: [&Index; 2],
        take: &mut Take<'_, T>,
    ) -> Result<(), Error> {
        index_fits(indexes[0].rows() + indexes[1].rows())?;
        indexes[1].ready()?;
        let scratch = &mut self.scratch;
        for space in indexes[0].spaces() {
            let parts = map_each(indexes, |index| index.part(space));
            let flow = scratch.for_each_between(&options, parts, take);
            scratch.stopwatch.end(|timings| &mut timings.search);
            if flow == ControlFlow::Break(()) {
                break;
            }
        }
        Ok(())
    }

    /// Begins a call, whose phases are measured if `on`.
    pub(crate) fn begin(&mut self, on: bool) {
        self.scratch.stopwatch.begin(on);
    }

    /// Ends the work on the results of a search.
    pub(crate) fn end_finish(&mut self) {
        self.stopwatch().end(|timings| &mut timings.finish);
    }

    fn stopwatch(&mut self) -> &mut Stopwatch {
        &mut self.scratch.stopwatch
    }

    /// The durations of the phases of the last call.
    pub(crate) fn timings(&self) -> &Timings {
        self.scratch.stopwatch.timings()
    }

    /// Asks for the workspace of a call that is more than a detection: `len` shapes or results, of
    /// `each` bytes.
    #[cfg(feature = "queries")]
    pub(crate) fn ask_more(&mut self, of: More, len: usize, each: usize) -> Result<(), Error> {
        let bytes = len.saturating_mul(each).saturating_add(1 << 12);
        self.granted_more.ask(of as usize, len, bytes)
    }

    /// The rows of columns; rotated shapes are placed.
    #[cfg(feature = "queries")]
    pub(crate) fn rows<'r, 'a: 'r>(
        &'r mut self,
        columns: Columns<'a>,
        options: &RunOptions<'_>,
    ) -> Result<Rows<'r>, Error> {
        columns.rows(options.isa, &mut self.rotated)
    }

    /// The rows of the columns of the last call.
    #[cfg(feature = "queries")]
    pub(crate) fn rows_again<'r, 'a: 'r>(&'r self, columns: Columns<'a>) -> Rows<'r> {
        columns.rows_again(&self.rotated)
    }

    /// Writes the rows of the shapes of the last detection to `order`, in the order of its grid.
    pub(crate) fn grid_order(&self, order: &mut Vec<u32>) {
        self.scratch.grid_order(order);
    }

    /// Writes the cells of the grid of the last detection that hold shapes to `cells`.
    pub(crate) fn grid_cells(&self, cells: &mut Vec<GridCell>) {
        self.scratch.grid_cells(cells);
    }
}

/// Whether shapes, or shapes of an index, are in spaces.
fn in_spaces(columns: &Columns<'_>, part: Option<IndexPart<'_>>) -> bool {
    columns.spaces.is_some() || part.is_some_and(|part| part.index().in_spaces())
}

/// Passes the pairs of rotated shapes in a scope that are at most `distance` apart to `take`, in the
/// order of the grid, block by block. It returns false if there is no memory for a block. `words` is
/// a workspace of several threads.
///
/// # Errors
/// The errors of [`Engine::detect`].
#[cfg(feature = "queries")]
pub(crate) fn list_near(
    engine: &mut Engine,
    (options, threads): (RunOptions<'_>, bool),
    scope: Scope<'_>,
    distance: f32,
    words: &mut Vec<Pair>,
    take: &mut dyn FnMut(&[[Pair; 2]]) -> bool,
) -> Result<(), Error> {
    let limit = options.max_pairs;
    let run = RunOptions { distances: true, max_pairs: limit.saturating_mul(2), ..options };
    let (mut found, mut starved) = (0, None);
    let mut take = |block: &[Pair]| {
        found += block.len() / 2;
        if found <= limit && !take(block.as_chunks().0) {
            starved = Some(found);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    };
    if !threads {
        engine.for_each(run, scope, distance, &mut take)?;
        return outcome::<Pair>(&mut Vec::new(), found as u64, limit, starved);
    }
    match engine.detect(run, scope, distance, ResultSink::List(words), None) {
        Ok(_) => {
            let _ = words.chunks(2 * TASK_ROWS).try_for_each(&mut take);
            outcome::<Pair>(words, 0, 0, starved)
        }
        Err(Error::TooManyPairs { found, .. }) => {
            Err(Error::TooManyPairs { limit: limit as u64, found: found / 2 })
        }
        Err(Error::OutOfMemory { len }) => Err(Error::OutOfMemory { len: len / 2 }),
        Err(other) => Err(other),
    }
}
