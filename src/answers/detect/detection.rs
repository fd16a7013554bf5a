//! One detection, from columns to lists; and shapes inflated by a margin.
//!
//! On several threads, the whole detection runs inside the thread pool, which is entered once:
//! every entry from outside waits for the threads of the pool to wake.

use std::ops::ControlFlow;

use super::{
    narrow::{DetectionResult, Take},
    scope::RunOptions,
    search::{PassWorkspace, Request},
    sink::{AllWorkers, ResultSink, SinkResult},
};
use crate::{
    base::{buffer::grow, held, parallel, timings::Stopwatch},
    error::Error,
    grid::{BuildInput, Grid, GridCell, Partition},
    index::{Compact, IndexPart, PlacedRows},
    kernel::{BoxColumns, CenteredColumns, CircleColumns, ColumnSet, RoundedColumns},
    options::uses_pool,
    shape::{Kind, MAX_COORDINATE},
    simd::Isa,
    store::{Checked, Layout, Rows},
};

/// The workspace of a detector.
#[derive(Debug, Default)]
pub(super) struct DetectionWorkspace {
    /// Off in the tasks of many spaces.
    pub(super) stopwatch: Stopwatch,
    compact: Compact,
    widen: Widen,
    partition: Partition,
    grid: Grid,
    placed: PlacedRows,
    passes: PassWorkspace,
    workers: AllWorkers,
}

held!(DetectionWorkspace { stopwatch, compact, widen, partition, grid, placed, passes, workers });

impl DetectionWorkspace {
    /// Runs a detection: results among the shapes, and results with the index. Without a sink, only
    /// the grid is built. Returns the number of pairs or the length of the list; with a non-empty
    /// index, of the pairs with the index only.
    pub(super) fn run<T: SinkResult>(
        &mut self,
        request: &Request<'_>,
        [among, against]: [Option<ResultSink<'_, T>>; 2],
    ) -> Result<u64, Error> {
        let options = &request.options;
        let on_pool = uses_pool(options.threads, request.rows.detected());
        parallel::enter(on_pool, || {
            let shapes = self.sort(request, on_pool)?;
            if shapes == 0 {
                for sink in among.into_iter().chain(against) {
                    sink.clear();
                }
                return Ok(0);
            }
            let threads = uses_pool(options.threads, shapes);
            let Self { stopwatch, grid, placed, passes, workers, .. } = self;
            let (rows, grid) = (request.set(placed), &*grid);
            let mut found = 0;
            if let Some(sink) = among.and_then(|sink| passes.read(request, grid, sink)) {
                let pass = passes.among(request, rows, grid, threads);
                found = pass.fill(sink, options, workers)?;
            }
            if let Some((part, sink)) = request.searched().zip(against) {
                found =
                    sink.fill_layers(part.layers(), options, workers, |part, sink, workers| {
                        let pass = passes.against(request, rows, grid, part, threads);
                        pass.fill(sink, options, workers)
                    })?;
            }
            stopwatch.end(|timings| &mut timings.search);
            Ok(found)
        })
    }

    /// Checks, inflates and places the shapes, and builds the grid. Returns the number of shapes.
    fn sort(&mut self, request: &Request<'_>, on_pool: bool) -> Result<usize, Error> {
        let Self { stopwatch, compact, widen, partition, grid, placed, .. } = self;
        let Request { rows, part, margin, options, known, ends, .. } = *request;
        let isa = options.isa;
        let (mut shapes, ids) = compact.close(rows, known, isa, on_pool)?;
        if margin > 0.0 {
            // The shapes of an index are not inflated, so the moving shapes are inflated by the
            // full margin.
            let share = if part.is_none() { margin * 0.5 } else { margin };
            shapes = widen.by(share, shapes, isa, on_pool)?;
        }
        if shapes.len == 0 {
            grid.clear();
            return Ok(0);
        }
        let threads = uses_pool(options.threads, shapes.len);
        request.place(placed, threads);
        stopwatch.end(|timings| &mut timings.check);
        let input = BuildInput {
            isa,
            shapes,
            ids,
            ends,
            cell_size: options.cell_size,
            levels: options.grid_levels,
            searched: false,
            changes: false,
            candidate_lists: false,
            threads,
        };
        grid.build(&input, partition);
        if request.reads_radii() {
            grid.sorted.make_zeros(grid.form);
        }
        stopwatch.end(|timings| &mut timings.sort);
        Ok(shapes.len)
    }

    /// Passes all results of the last detection, whose request this is, to `take`, over the grid
    /// that it has built: in order, block by block, on the calling thread, until it breaks. Returns
    /// whether it has.
    pub(super) fn for_each<T: DetectionResult>(
        &mut self,
        request: &Request<'_>,
        take: &mut Take<'_, T>,
    ) -> ControlFlow<()> {
        let Self { grid, placed, passes, .. } = self;
        if grid.plan.levels().is_empty() {
            return ControlFlow::Continue(());
        }
        let (rows, grid) = (request.set(placed), &*grid);
        match request.part {
            Some(part) => part.layers().try_for_each(|part| {
                passes.against(request, rows, grid, part, false).for_each(take)
            }),
            None => passes.among(request, rows, grid, false).for_each(take),
        }
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
        let Self { passes, workers, .. } = self;
        parallel::enter(threads, || {
            sink.fill_layers(other.layers(), options, workers, |other, sink, workers| {
                let pass = passes.between_parts(options, [part, other], T::CONTACTS, threads);
                pass.fill(sink, options, workers)
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
        let passes = &mut self.passes;
        other.layers().try_for_each(|other| {
            passes.between_parts(options, [part, other], T::CONTACTS, false).for_each(take)
        })
    }

    /// Writes the rows of the shapes of the last detection to `order`, in the order of its grid.
    pub(super) fn grid_order(&self, order: &mut Vec<u32>) {
        self.grid.order(order);
    }

    /// Writes the cells of the grid of the last detection that hold shapes to `cells`.
    pub(super) fn grid_cells(&self, cells: &mut Vec<GridCell>) {
        self.grid.cells(cells);
    }
}

/// The radii of inflated shapes; for boxes given by their centres, also the sides.
#[derive(Debug, Default)]
pub(super) struct Widen {
    radius: Vec<f32>,
    sides: [Vec<f32>; 4],
}

held!(Widen { radius, sides });

impl Widen {
    /// Returns `shapes` with `margin` added to their radii, up to [`MAX_COORDINATE`].
    pub(super) fn by<'a>(
        &'a mut self,
        margin: f32,
        shapes: Checked<'a>,
        isa: Isa,
        threads: bool,
    ) -> Result<Checked<'a>, Error> {
        let Self { radius, sides } = self;
        let len = shapes.len();
        let wide = |radius: f32| (radius + margin).min(MAX_COORDINATE);
        // As many values as the other columns have, padding included, because kernels load whole
        // vectors from all columns.
        let whole = match shapes.layout {
            Layout::Circles(set) => set.len(),
            Layout::Boxes(set) => set.len(),
            Layout::Centered(_) => len,
            Layout::Rounded(set) => set.len(),
        };
        grow(radius, whole);
        let radius = &mut radius[..whole];
        let (used, slack) = radius.split_at_mut(len);
        match shapes.layout {
            Layout::Circles(CircleColumns { radius: own, .. })
            | Layout::Rounded(RoundedColumns { radius: own, .. }) => {
                for (radius, own) in used.iter_mut().zip(own) {
                    *radius = wide(*own);
                }
            }
            Layout::Boxes(_) | Layout::Centered(_) => used.fill(wide(0.0)),
        }
        slack.fill(0.0);
        let radius = &*radius;
        let layout = match shapes.layout {
            Layout::Circles(set) => Layout::Circles(CircleColumns { radius, ..set }),
            // Circles are three columns instead of five.
            Layout::Boxes(BoxColumns { min_x: x, min_y: y, .. }) if shapes.kind == Kind::Point => {
                Layout::Circles(CircleColumns { x, y, radius })
            }
            Layout::Rounded(set) => Layout::Rounded(RoundedColumns { radius, ..set }),
            Layout::Boxes(core) => Layout::Rounded(RoundedColumns { core, radius }),
            Layout::Centered(CenteredColumns { x, y, half_width, half_height }) => {
                let [min_x, min_y, max_x, max_y] = sides;
                let core = BoxColumns {
                    min_x: combine(min_x, x, half_width, len, |center, half| center - half),
                    min_y: combine(min_y, y, half_height, len, |center, half| center - half),
                    max_x: combine(max_x, x, half_width, len, |center, half| center + half),
                    max_y: combine(max_y, y, half_height, len, |center, half| center + half),
                };
                Layout::Rounded(RoundedColumns { core, radius })
            }
        };
        Rows::closed(layout, len).check_on(isa, threads)
    }
}

/// Writes `with(a[i], b[i])` to `to[i]` for the first `len` rows, and returns this part of `to`.
fn combine<'a>(
    to: &'a mut Vec<f32>,
    a: &[f32],
    b: &[f32],
    len: usize,
    with: impl Fn(f32, f32) -> f32,
) -> &'a [f32] {
    grow(to, len);
    let to = &mut to[..len];
    for (to, (a, b)) in to.iter_mut().zip(a.iter().zip(b)) {
        *to = with(*a, *b);
    }
    to
}
