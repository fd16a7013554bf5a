//! One detection, from columns to lists.
//!
//! On several threads, the whole detection runs inside the thread pool, which is entered once:
//! every entry from outside waits for the threads of the pool to wake.

use std::ops::ControlFlow;

use super::{
    narrow::{DetectionResult, Take},
    options::RunOptions,
    search::{PassWorkspace, Request, SortedShapes, reads_rows, shapes_by_row},
    sink::{AllWorkers, ResultSink, SearchedGrid, SinkResult, Targets},
    widen::Widen,
};
use crate::{
    Error, GridCell, NARROWPHASE,
    base::{parallel, timings::Stopwatch},
    grid::{BuildInput, Grid, Ids, Partition},
    index::{Compact, IndexPart, PlacedRows},
    narrowphase::{Set, View},
    options::uses_pool,
    store::Checked,
};

/// The workspace of a detector.
#[derive(Debug, Default)]
pub(super) struct DetectionWorkspace {
    /// Off in the tasks of many spaces.
    pub(super) stopwatch: Stopwatch,
    compact: Compact,
    widen: Widen,
    stage: Stage,
}

/// The workspace of the stages after the shapes are compacted and inflated.
#[derive(Debug, Default)]
struct Stage {
    partition: Partition,
    grid: Grid,
    placed: PlacedRows,
    workspace: PassWorkspace,
    workers: AllWorkers,
}

impl DetectionWorkspace {
    /// Runs a detection. Returns the number of pairs or the length of the list; with a non-empty
    /// index, of the pairs with the index only.
    pub(super) fn run<T: SinkResult>(
        &mut self,
        request: Request<'_>,
        sets: Targets<'_, T>,
    ) -> Result<u64, Error> {
        let Self { stopwatch, compact, widen, stage } = self;
        let Request { rows, margin, options, known, .. } = request;
        let RunOptions { isa, threads, .. } = options;
        let on_pool = uses_pool(threads, rows.detected());
        parallel::enter(on_pool, || {
            let (mut shapes, ids) = compact.close(rows, known, isa, on_pool)?;
            if margin > 0.0 {
                // The shapes of an index are not inflated, so the moving shapes are inflated by the
                // full margin.
                let share = if sets.against.is_none() { margin * 0.5 } else { margin };
                shapes = widen.by(share, shapes, isa, on_pool)?;
            }
            let threads = uses_pool(threads, shapes.len);
            stage.run(&Detection { request, shapes, ids, threads }, sets, stopwatch)
        })
    }

    /// Runs a detection between two indexes. Returns the number of pairs or the length of the list.
    pub(super) fn run_between<T: SinkResult>(
        &mut self,
        options: &RunOptions<'_>,
        parts: [IndexPart<'_>; 2],
        sink: ResultSink<'_, T>,
    ) -> Result<u64, Error> {
        let [part, other] = parts;
        if part.is_empty() || other.layers().next().is_none() {
            sink.clear();
            return Ok(0);
        }
        let threads = uses_pool(options.threads, part.len());
        let Stage { workspace, workers, .. } = &mut self.stage;
        parallel::enter(threads, || {
            sink.fill_layers(other.layers(), options, workers, |other, sink, workers| {
                let pass = workspace.between_parts(options, [part, other], T::CONTACTS, threads);
                sink.fill(&pass, options, threads, workers)
            })
        })
    }

    /// Passes all results between two indexes to `take`, in order, block by block, on the calling
    /// thread, until it breaks. Returns whether it has.
    pub(super) fn for_each_between<T: DetectionResult>(
        &mut self,
        options: &RunOptions<'_>,
        parts: [IndexPart<'_>; 2],
        take: &mut Take<'_, T>,
    ) -> ControlFlow<()> {
        let [part, other] = parts;
        if part.is_empty() {
            return ControlFlow::Continue(());
        }
        let workspace = &mut self.stage.workspace;
        other.layers().try_for_each(|other| {
            workspace.between_parts(options, [part, other], T::CONTACTS, false).for_each(take)
        })
    }

    /// Writes the rows of the shapes of the last detection to `order`, in the order of its grid.
    pub(super) fn grid_order(&self, order: &mut Vec<u32>) {
        self.stage.grid.order(order);
    }

    /// Writes the cells of the grid of the last detection that hold shapes to `cells`.
    pub(super) fn grid_cells(&self, cells: &mut Vec<GridCell>) {
        self.stage.grid.cells(cells);
    }

    /// The bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        let Self { stopwatch: _, compact, widen, stage } = self;
        let Stage { partition, grid, placed, workspace, workers } = stage;
        let inputs = compact.bytes() + widen.bytes() + partition.bytes() + placed.bytes();
        inputs + grid.bytes() + workspace.bytes() + workers.bytes()
    }
}

/// Repeats the last detection for a callback, over the grid that it has built.
///
/// The request and the index must be the same as in the last detection.
pub(super) struct RepeatSearch<'a> {
    pub(super) scratch: &'a mut DetectionWorkspace,
    pub(super) request: Request<'a>,
    pub(super) part: Option<IndexPart<'a>>,
}

impl RepeatSearch<'_> {
    /// Passes all results to `take`, in order, block by block, on the calling thread, until it
    /// breaks. Returns whether it has.
    pub(super) fn for_each<T: DetectionResult>(self, take: &mut Take<'_, T>) -> ControlFlow<()> {
        let Self { scratch, request, part } = self;
        let Stage { grid, placed, workspace, .. } = &mut scratch.stage;
        if grid.plan.levels().is_empty() {
            return ControlFlow::Continue(());
        }
        let (view, contacts) = (View::of(&request.rows), T::CONTACTS);
        let rows = shapes_by_row(view, reads_rows(view, part, contacts), placed);
        let (threads, wider) = (false, false);
        let search = SortedShapes { request: &request, view, rows, grid, threads, wider, contacts };
        match part {
            Some(part) => {
                part.layers().try_for_each(|part| search.against(part, workspace).for_each(take))
            }
            None => search.among(workspace).for_each(take),
        }
    }
}

/// A detection of checked shapes.
struct Detection<'a> {
    request: Request<'a>,
    shapes: Checked<'a>,
    ids: Ids<'a>,
    threads: bool,
}

impl Stage {
    /// Places the shapes, builds the grid, and searches it.
    fn run<T: SinkResult>(
        &mut self,
        detection: &Detection<'_>,
        sets: Targets<'_, T>,
        stopwatch: &mut Stopwatch,
    ) -> Result<u64, Error> {
        let Targets { among, against } = sets;
        if detection.shapes.len == 0 {
            self.grid.clear();
            for sink in among.into_iter().chain(against.map(|(_, sink)| sink)) {
                sink.clear();
            }
            return Ok(0);
        }
        let Self { partition, grid, placed, workspace, workers } = self;
        let Detection { request, threads, .. } = detection;
        let Request { filtering, margin, options, .. } = request;
        let wider = *margin > 0.0 && against.is_some();
        let against = against.filter(|(part, _)| part.layers().next().is_some());
        let (view, contacts) = (View::of(&request.rows), T::CONTACTS);
        let part = against.as_ref().map(|(part, _)| *part);
        let rows = detection.place(view, part, contacts, placed);
        stopwatch.end(|timings| &mut timings.check);
        grid.build(&detection.input(), partition);
        if against.is_some() || filtering.predicate.is_some_and(|predicate| predicate.grown) {
            grid.sorted.make_zeros(grid.form);
        }
        stopwatch.end(|timings| &mut timings.sort);
        let search = SortedShapes { request, view, rows, grid, threads: *threads, wider, contacts };
        let among = among.and_then(|sink| {
            let grown = filtering.predicate.filter(|predicate| predicate.grown);
            let all_meet =
                filtering.filters.is_none() && filtering.predicate.is_none() == grown.is_none();
            sink.read(all_meet, &mut |read| {
                let inclusive = options.inclusive || *margin > 0.0;
                let numbers = &mut workspace.numbers;
                let (grid, options) = (search.grid, *options);
                read(SearchedGrid { grid, options, inclusive, grown, numbers })
            })
        });
        let mut found = 0;
        if let Some(sink) = among {
            let pass = search.among(workspace);
            found = sink.fill(&pass, options, *threads, workers)?;
        }
        if let Some((part, sink)) = against {
            found = sink.fill_layers(part.layers(), options, workers, |part, sink, workers| {
                sink.fill(&search.against(part, workspace), options, *threads, workers)
            })?;
        }
        stopwatch.end(|timings| &mut timings.search);
        Ok(found)
    }
}

impl<'a> Detection<'a> {
    /// Places axis-aligned shapes, if the search or the narrowphase reads them. Returns the shapes
    /// by row.
    fn place<'p>(
        &self,
        view: View<'p>,
        part: Option<IndexPart<'_>>,
        contacts: bool,
        placed: &'p mut PlacedRows,
    ) -> Set<'p> {
        let reads = reads_rows(view, part, contacts);
        if reads && view.placed().is_none() {
            let rows = &self.request.rows;
            match rows.selection {
                _ if !NARROWPHASE => unreachable!("all pairs are decided"),
                Some(selection) => placed.fill_some(view, rows.len(), selection),
                None => placed.fill(view, rows.len(), self.threads),
            }
        }
        shapes_by_row(view, reads, placed)
    }

    fn input(&self) -> BuildInput<'a> {
        let Self { request: Request { options, ends, .. }, shapes, ids, threads } = *self;
        BuildInput {
            isa: options.isa,
            shapes,
            ids,
            ends,
            cell_size: options.cell_size,
            levels: options.grid_levels,
            searched: false,
            changes: false,
            candidate_lists: false,
            threads,
        }
    }
}
