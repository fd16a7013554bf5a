//! `SortedShapes`: a grid that is built, and the passes over it.

use super::{
    asked::AskedPairs,
    collect::{Pass, reads_lists},
    narrow::{Narrow, WorkspacePool},
    options::RunOptions,
    schedule::Schedule,
    search_ids::SearchIds,
};
use crate::{
    filter::{FilteredItems, Filtering, GrownItems, MeetingFilter, MeetingWorkspace, Predicate},
    grid::{FEW, Grid, GridView, Slabs},
    index::{IndexPart, PlacedRows, SpaceBatch},
    narrowphase::{PairQuery, Set, View},
    store::{Extent, Rows},
};

/// The request of a detection: the shapes and the options.
#[derive(Clone, Copy)]
pub(super) struct Request<'a> {
    pub(super) rows: Rows<'a>,
    pub(super) filtering: Filtering<'a>,
    /// Contacts of shapes that are at most this far apart are also listed. Finite, at least 0.
    pub(super) margin: f32,
    pub(super) options: RunOptions<'a>,
    /// The extent of all shapes, of which the rows may select some, if it is known and the grid
    /// does not depend on their own.
    pub(super) known: Option<Extent>,
    /// Where the rows of each space end, if they are of many: see
    /// [`BuildInput::ends`](crate::grid::BuildInput::ends).
    pub(super) ends: &'a [u32],
}

impl<'a> Request<'a> {
    /// The request of a batch of spaces.
    pub(super) fn of(self, batch: &SpaceBatch<'a>) -> Self {
        let SpaceBatch { rows, ends, .. } = *batch;
        let known = self.known.filter(|_| !ends.is_empty() || rows.len() <= FEW);
        Self { rows: self.rows.select(rows), known, ends, ..self }
    }
}

/// The shapes of a request, sorted into a grid.
pub(super) struct SortedShapes<'a> {
    pub(super) request: &'a Request<'a>,
    pub(super) view: View<'a>,
    /// The shapes by row.
    pub(super) rows: Set<'a>,
    pub(super) grid: &'a Grid,
    pub(super) threads: bool,
    /// Whether the shapes are inflated by more than half of the margin, because there is an index.
    pub(super) wider: bool,
    /// Whether the results are contacts.
    pub(super) contacts: bool,
}

/// The workspace of passes.
#[derive(Debug, Default)]
pub(super) struct PassWorkspace {
    schedule: Schedule,
    slabs: [Slabs; 2],
    workspaces: WorkspacePool,
    pub(super) numbers: SearchIds,
    meeting: MeetingWorkspace,
}

impl PassWorkspace {
    /// The pass between the shapes of two indexes, for pairs or for `contacts`.
    pub(super) fn between_parts<'a>(
        &'a mut self,
        options: &RunOptions<'_>,
        [part, other]: [IndexPart<'a>; 2],
        contacts: bool,
        threads: bool,
    ) -> Pass<'a> {
        let Self { schedule, slabs, workspaces, numbers, meeting } = self;
        let decided = !contacts && !part.rotates() && !other.rotates();
        // The ids of an index are complements of rows. The complements of these ids are the rows,
        // which are smaller than all ids of the other index, so pairs list them first.
        let names = [numbers.complements(part.grid()), other.grid().sorted.ids()];
        let sets = [part.set(decided), other.set(decided)];
        let query = PairQuery::new(options.isa, sets, true, options.inclusive, 0.0);
        let places = part.grid().places();
        let meeting = meeting.between_targets([part.target(), other.target()], places, contacts);
        if reads_lists(options.isa, meeting.is_some()) {
            other.expect_search(part.grid());
        }
        let narrow = Narrow {
            decided,
            wider: false,
            distances: options.distances,
            names,
            query,
            workspaces,
            meeting,
            asked: None,
        };
        let none = std::iter::empty();
        Pass::between(part.grid(), other.grid(), none, schedule, slabs, narrow, threads)
    }

    /// The bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        let Self { schedule, slabs, workspaces, numbers, meeting } = self;
        let slabs = slabs.iter().map(Slabs::bytes).sum::<usize>();
        schedule.bytes() + slabs + workspaces.bytes() + numbers.bytes() + meeting.bytes()
    }
}

impl SortedShapes<'_> {
    /// The pass among the shapes.
    pub(super) fn among<'a>(&'a self, workspace: &'a mut PassWorkspace) -> Pass<'a> {
        let Self { request, view, rows, grid, threads, wider, contacts } = *self;
        let Request { filtering, margin, options, .. } = *request;
        let PassWorkspace { schedule, slabs, workspaces, numbers, meeting } = workspace;
        let ids = grid.sorted.ids();
        // Contacts among axis-aligned shapes are made from columns, not from placed rows.
        let decided = !contacts && !view.rotates();
        let (set, name) = if contacts && !view.rotates() {
            direct_set(grid, view, margin, numbers)
        } else {
            (rows, ids)
        };
        let query = PairQuery::new(options.isa, [set, set], false, options.inclusive, margin);
        let selection = request.rows.selection;
        let meeting = meeting.within(ids, filtering, selection, contacts);
        let grown = grown_items(filtering.predicate, decided, [grid.view(); 2], 0);
        let asked = filtering.predicate.filter(|_| grown.is_none());
        let asked = asked.map(|predicate| AskedPairs { predicate, rows: set.ids, against: false });
        let meeting = MeetingFilter::with_grown(meeting, grown);
        let narrow = Narrow {
            decided,
            wider,
            distances: options.distances,
            names: [name, name],
            query,
            workspaces,
            meeting,
            asked,
        };
        Pass::within(grid, schedule, slabs, narrow, threads)
    }

    /// The pass between the shapes and the shapes of an index.
    pub(super) fn against<'a>(
        &'a self,
        part: IndexPart<'a>,
        workspace: &'a mut PassWorkspace,
    ) -> Pass<'a> {
        let Self { request, view, rows, grid, threads, contacts, .. } = *self;
        let Request { filtering, margin, options, .. } = *request;
        let PassWorkspace { schedule, slabs, workspaces, meeting, .. } = workspace;
        let decided = !contacts && !view.rotates() && !part.rotates();
        let sets = [rows, part.set(decided)];
        let query = PairQuery::new(options.isa, sets, true, options.inclusive, margin);
        let ids = [grid.sorted.ids(), part.grid().sorted.ids()];
        // A search with grown items reads no candidate lists, which pay among many more shapes.
        let few = ids[1].len() / MANY_MORE > ids[0].len();
        let grids = [grid.view(), part.grid()];
        let grown = grown_items(filtering.predicate, decided && !few, grids, u32::MAX);
        let own = FilteredItems { ids: ids[0], complements: false, filters: filtering.filters };
        let selection = request.rows.selection;
        let target = part.target();
        let meeting = meeting.between(own, selection, target, contacts);
        let asked = filtering.predicate.filter(|_| grown.is_none());
        let asked = asked.map(|predicate| AskedPairs { predicate, rows: None, against: true });
        let meeting = MeetingFilter::with_grown(meeting, grown);
        if reads_lists(options.isa, meeting.is_some()) {
            part.expect_search(grid.view());
        }
        let narrow = Narrow {
            decided,
            wider: false,
            distances: options.distances,
            names: ids,
            query,
            workspaces,
            meeting,
            asked,
        };
        let runs = part.runs(grid.sorted.run_starts());
        Pass::between(grid.view(), part.grid(), runs, schedule, slabs, narrow, threads)
    }
}

/// What decides between the items of two grids, if they are grown and the search decides pairs.
/// `complement` turns an id of the second grid into a row.
fn grown_items<'a>(
    predicate: Option<Predicate<'a>>,
    decided: bool,
    grids: [GridView<'a>; 2],
    complement: u32,
) -> Option<GrownItems<'a>> {
    let predicate = predicate.filter(|predicate| decided && predicate.grown)?;
    let (columns, ids) = (grids.map(|grid| grid.rounded()), grids.map(|grid| grid.sorted.ids()));
    Some(GrownItems { predicate, columns, ids, complement })
}

/// An index of so many times the shapes has many more.
pub(crate) const MANY_MORE: usize = 16;

/// Whether passes read the shapes by row. Else the search decides all pairs, or contacts are made
/// from columns.
pub(super) fn reads_rows(view: View<'_>, part: Option<IndexPart<'_>>, contacts: bool) -> bool {
    match part {
        Some(part) => contacts || view.rotates() || part.rotates(),
        None => view.rotates(),
    }
}

/// The shapes by row, if passes read them. `placed` are axis-aligned shapes.
pub(super) fn shapes_by_row<'a>(view: View<'a>, reads: bool, placed: &'a PlacedRows) -> Set<'a> {
    match view.placed() {
        _ if !reads => Set::placed(view, &[], None),
        Some(placed) => Set::placed(view, placed, view.only_class()),
        None => placed.set(view),
    }
}

/// Returns axis-aligned shapes as columns, and the ids that the sweep over `grid` must report.
///
/// Without a margin, the columns are the grid's and the ids are sorted positions: the shapes
/// of a pair are then near each other in memory. With a margin, the grid holds inflated radii, so
/// the columns are the caller's and the ids are rows.
fn direct_set<'a>(
    grid: &'a Grid,
    view: View<'a>,
    margin: f32,
    numbers: &'a mut SearchIds,
) -> (Set<'a>, &'a [u32]) {
    let (set, sorted) = (Set::placed(view, &[], view.only_class()), &grid.sorted);
    if margin > 0.0 {
        return (Set { columns: Some(view.layout()), ..set }, sorted.ids());
    }
    let (columns, ids) = (Some(sorted.layout(grid.form)), Some(sorted.ids()));
    (Set { columns, ids, ..set }, numbers.of(grid))
}
