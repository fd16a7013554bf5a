//! `Engine`: detections of columns, with or without spaces.

use std::ops::ControlFlow;

use super::{
    detection::{DetectionWorkspace, RepeatSearch},
    narrow::Take,
    near_pair::NearPair,
    options::RunOptions,
    search::Request,
    sink::{ResultSink, SinkResult, Targets},
    sorter::ResultSorter,
    spaces::{SpacesWorkspace, TASK, is_batched},
};
use crate::{
    Columns, Contact, Error, GridCell, Pair,
    base::timings::{Stopwatch, Timings},
    error::limit::{Granted, outcome},
    grid::{CellSize, GridLevels},
    index::{Index, IndexPart},
    options::uses_pool,
    store::{ColumnWorkspace, Extent, Rows, index_fits},
};

/// Runs detections, and keeps their workspace.
#[derive(Debug, Default)]
pub(crate) struct Engine {
    /// Rotated shapes of borrowed columns.
    rotated: ColumnWorkspace,
    scratch: DetectionWorkspace,
    spaces: SpacesWorkspace,
    pub(crate) sorter: ResultSorter,
    granted: Granted,
    /// Of calls that are more than a detection.
    #[cfg(feature = "queries")]
    granted_more: Granted,
}

/// What calls that are more than a detection ask for.
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

/// The calls for each kind of results. Each is one function and not a generic one, so it is
/// compiled in this crate and not in the crate of the caller.
pub(crate) trait Detect: SinkResult {
    /// Checks the input and detects within the shapes of `columns`, or with an index. `margin` must
    /// have been checked.
    fn detect(
        engine: &mut Engine,
        columns: Columns<'_>,
        options: RunOptions<'_>,
        margin: f32,
        sets: Targets<'_, Self>,
    ) -> Result<u64, Error>;

    /// Detects between two indexes.
    fn detect_between(
        engine: &mut Engine,
        indexes: [&Index; 2],
        options: RunOptions<'_>,
        sink: ResultSink<'_, Self>,
    ) -> Result<u64, Error>;

    /// Passes all results within the shapes, or of the shapes with an index, to `take`, block by
    /// block, until it breaks.
    fn for_each(
        engine: &mut Engine,
        columns: Columns<'_>,
        index: Option<&Index>,
        options: RunOptions<'_>,
        margin: f32,
        take: &mut Take<'_, Self>,
    ) -> Result<(), Error>;

    /// Passes all results between two indexes to `take`, in the same way.
    fn for_each_between(
        engine: &mut Engine,
        indexes: [&Index; 2],
        options: RunOptions<'_>,
        take: &mut Take<'_, Self>,
    ) -> Result<(), Error>;
}

macro_rules! detect {
    ($results:ty) => {
        impl Detect for $results {
            fn detect(
                engine: &mut Engine,
                columns: Columns<'_>,
                options: RunOptions<'_>,
                margin: f32,
                sets: Targets<'_, Self>,
            ) -> Result<u64, Error> {
                engine.detect(columns, options, margin, sets)
            }

            fn detect_between(
                engine: &mut Engine,
                indexes: [&Index; 2],
                options: RunOptions<'_>,
                sink: ResultSink<'_, Self>,
            ) -> Result<u64, Error> {
                engine.detect_between(indexes, options, sink)
            }

            fn for_each(
                engine: &mut Engine,
                columns: Columns<'_>,
                index: Option<&Index>,
                options: RunOptions<'_>,
                margin: f32,
                take: &mut Take<'_, Self>,
            ) -> Result<(), Error> {
                engine.for_each(columns, index, options, margin, take)
            }

            fn for_each_between(
                engine: &mut Engine,
                indexes: [&Index; 2],
                options: RunOptions<'_>,
                take: &mut Take<'_, Self>,
            ) -> Result<(), Error> {
                engine.for_each_between(indexes, options, take)
            }
        }
    };
}

detect!(Pair);
#[cfg(feature = "narrowphase")]
detect!(Contact);

impl Engine {
    fn detect<T: SinkResult>(
        &mut self,
        columns: Columns<'_>,
        options: RunOptions<'_>,
        margin: f32,
        sets: Targets<'_, T>,
    ) -> Result<u64, Error> {
        let part = sets.against.as_ref().map(|(part, _)| *part);
        let index = part.as_ref().map(IndexPart::index);
        if let Some((part, index)) = part.zip(index) {
            part.ready()?;
            index_fits(columns.len() + index.rows())?;
        }
        self.ask(&columns, index, margin, T::CONTACTS)?;
        let Self { rotated, scratch, spaces, .. } = self;
        let (filtering, rows) = (columns.filtering, columns.rows(options.isa, rotated)?);
        let mut request = Request { rows, filtering, margin, options, known: None, ends: &[] };
        spaces.used = in_spaces(&columns, index);
        if !spaces.used {
            return scratch.run(request, sets);
        }
        request.known = extent_of(&rows, &options)?;
        spaces.spaces.group(&rows, columns.spaces);
        scratch.stopwatch.end(|timings| &mut timings.check);
        let result = spaces.run(request, sets);
        scratch.stopwatch.end(|timings| &mut timings.search);
        result
    }

    /// Asks for the scratch memory of a call: see docs/memory.md.
    fn ask(
        &mut self,
        columns: &Columns<'_>,
        index: Option<&Index>,
        margin: f32,
        contacts: bool,
    ) -> Result<(), Error> {
        let (rotates, filters) = (columns.rotates(), columns.filtering.filters.is_some());
        let against_rotated = !rotates && index.is_some_and(Index::rotates);
        // What holds, and the bytes a row and a call that it adds.
        let adds = [
            (columns.are_placed(), 60, 0),
            (against_rotated, 36, 0),
            (contacts || rotates || against_rotated, 0, 400_000),
            (margin > 0.0, 27, 0),
            (filters, 48, 1 << 14),
            (in_spaces(columns, index), 64, 1 << 16),
        ];
        let vacant = if columns.may_have_vacant_rows() { 27 } else { 0 };
        let (mut kind, mut a_row, mut bytes) = (0, 88 + vacant, 1 << 14);
        for (number, (holds, row, call)) in adds.into_iter().enumerate().filter(|(_, add)| add.0) {
            kind |= usize::from(holds) << number;
            (a_row, bytes) = (a_row + row, bytes + call);
        }
        let rows = columns.len();
        let bytes = rows.saturating_mul(a_row).saturating_add(bytes);
        // Few shapes are all that a small scene has.
        let most = if kind == 0 { rows.saturating_mul(100 + vacant).max(20_000) } else { bytes };
        self.granted.ask(kind, rows, bytes.min(most))
    }

    fn detect_between<T: SinkResult>(
        &mut self,
        indexes: [&Index; 2],
        options: RunOptions<'_>,
        sink: ResultSink<'_, T>,
    ) -> Result<u64, Error> {
        indexes[1].ready()?;
        let Self { scratch, spaces, .. } = self;
        spaces.used = indexes.iter().any(|index| index.in_spaces());
        let result = if spaces.used {
            spaces.run_between(&options, indexes, sink)
        } else {
            scratch.run_between(&options, indexes.map(|index| index.part(0)), sink)
        };
        scratch.stopwatch.end(|timings| &mut timings.search);
        result
    }

    fn for_each<T: SinkResult>(
        &mut self,
        columns: Columns<'_>,
        index: Option<&Index>,
        options: RunOptions<'_>,
        margin: f32,
        take: &mut Take<'_, T>,
    ) -> Result<(), Error> {
        if let Some(index) = index {
            index.ready()?;
            index_fits(columns.len() + index.rows())?;
        }
        self.ask(&columns, index, margin, T::CONTACTS)?;
        let Self { rotated, scratch, spaces: SpacesWorkspace { spaces, .. }, .. } = self;
        let (filtering, rows) = (columns.filtering, columns.rows(options.isa, rotated)?);
        let (in_spaces, mut known) = (in_spaces(&columns, index), None);
        if in_spaces {
            known = extent_of(&rows, &options)?;
            spaces.group(&rows, columns.spaces);
        }
        let whole = Request { rows, filtering, margin, options, known, ends: &[] };
        let batched = is_batched(known, index.map(|index| index.part(0)));
        let batches = spaces.batches(0..if in_spaces { spaces.len() } else { 0 }, TASK, batched);
        let batches = batches.map(|batch| (Some(batch), whole.of(&batch)));
        for (batch, request) in (!in_spaces).then_some((None, whole)).into_iter().chain(batches) {
            let part = index.map(|index| index.part(0));
            let part = part.map(|part| batch.map_or(part, |batch| part.of(&batch)));
            let against = part.map(|part| (part, ResultSink::<T>::Deferred));
            scratch.run(request, Targets { among: None, against })?;
            let flow = RepeatSearch { scratch: &mut *scratch, request, part }.for_each(take);
            scratch.stopwatch.end(|timings| &mut timings.search);
            if flow == ControlFlow::Break(()) {
                break;
            }
        }
        Ok(())
    }

    fn for_each_between<T: SinkResult>(
        &mut self,
        indexes: [&Index; 2],
        options: RunOptions<'_>,
        take: &mut Take<'_, T>,
    ) -> Result<(), Error> {
        indexes[1].ready()?;
        let scratch = &mut self.scratch;
        for space in indexes[0].spaces() {
            let parts = indexes.map(|index| index.part(space));
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

    /// The rows of columns, of which rotated ones are placed.
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

    /// The bytes of memory held.
    pub(crate) fn bytes(&self) -> usize {
        let Self { rotated, scratch, spaces, sorter, .. } = self;
        rotated.bytes() + scratch.bytes() + spaces.bytes() + sorter.bytes()
    }
}

/// Checks rows in spaces. Returns their extent, unless the cells of a few are not automatic: these
/// depend on the extent of the shapes of the space.
fn extent_of(rows: &Rows<'_>, options: &RunOptions<'_>) -> Result<Option<Extent>, Error> {
    let shapes = rows.check_on(options.isa, uses_pool(options.threads, rows.len()))?;
    let automatic =
        options.cell_size == CellSize::Auto && matches!(options.grid_levels, GridLevels::Auto);
    Ok(automatic.then_some(shapes.extent))
}

/// Whether shapes, or shapes of an index, are in spaces.
fn in_spaces(columns: &Columns<'_>, index: Option<&Index>) -> bool {
    columns.spaces.is_some() || index.is_some_and(Index::in_spaces)
}

/// Appends the pairs of rotated shapes that are at most `distance` apart to `near`: among the
/// shapes, or with an index, in the order of the grid. `words` is a workspace.
///
/// # Errors
/// The errors of [`Detect::detect`].
#[cfg(feature = "queries")]
pub(crate) fn list_near(
    engine: &mut Engine,
    columns: Columns<'_>,
    options: RunOptions<'_>,
    distance: f32,
    against: Option<IndexPart<'_>>,
    words: &mut Vec<Pair>,
    near: &mut Vec<NearPair>,
) -> Result<(), Error> {
    let max_pairs = options.max_pairs.saturating_mul(2);
    let run = RunOptions { distances: true, max_pairs, ..options };
    let sink = ResultSink::List(words);
    let targets = match against {
        None => Targets::among(sink),
        Some(part) => Targets::against(part, sink),
    };
    match Pair::detect(engine, columns, run, distance, targets) {
        Ok(_) => {
            let pairs = words.as_chunks().0;
            let starved = near.try_reserve(pairs.len()).is_err().then_some(pairs.len());
            near.extend(pairs.iter().take(near.capacity() - near.len()).map(NearPair::of));
            outcome::<Pair>(words, 0, 0, starved)
        }
        Err(Error::TooManyPairs { found, .. }) => {
            Err(Error::TooManyPairs { limit: options.max_pairs as u64, found: found / 2 })
        }
        Err(Error::OutOfMemory { len }) => Err(Error::OutOfMemory { len: len / 2 }),
        Err(other) => Err(other),
    }
}
