//! `Request`: the shapes and options of a detection; `PassWorkspace`: the passes over a grid that
//! is built.

use super::{
    collect::{Pass, reads_lists},
    narrow::{AskedPairs, Narrow, WorkspacePool},
    schedule::Schedule,
    scope::RunOptions,
    search_ids::SearchIds,
    sink::{ResultSink, SearchedGrid, SinkResult},
};
use crate::{
    base::{FEW_ITEMS, Held, NARROWPHASE, held},
    error::Error,
    filter::{FilteredItems, Filtering, GrownItems, MeetingFilter, MeetingWorkspace, Predicate},
    grid::{Grid, GridView, Slabs},
    index::{IndexPart, PlacedRows, SpaceBatch},
    narrowphase::{PairQuery, Set, View},
    simd::map_each,
    store::{ColumnWorkspace, Columns, Extent, Rows},
};

/// The request of a detection: the shapes and the options.
#[derive(Clone, Copy)]
pub(super) struct Request<'a> {
    pub(super) rows: Rows<'a>,
    pub(super) filtering: Filtering<'a>,
    /// The shapes of an index to search. Without, the shapes are searched for each other.
    pub(super) part: Option<IndexPart<'a>>,
    /// Whether the results are contacts.
    pub(super) contacts: bool,
    /// Contacts of shapes that are at most this far apart are also listed. Finite, at least 0.
    pub(super) margin: f32,
    pub(super) options: RunOptions<'a>,
    /// The extent of all shapes, from which the rows may select a part. `None` if it is not known,
    /// or if the grid depends on the extent of the selected shapes.
    pub(super) known: Option<Extent>,
    /// Where the rows of each space end, if they are rows of several spaces: see
    /// [`BuildInput::ends`](crate::grid::BuildInput::ends).
    pub(super) ends: &'a [u32],
}

impl<'a> Request<'a> {
    /// The request of all rows of columns; rotated shapes are placed in a workspace.
    pub(super) fn new<T: SinkResult>(
        columns: Columns<'a>,
        part: Option<IndexPart<'a>>,
        margin: f32,
        options: RunOptions<'a>,
        rotated: &'a mut ColumnWorkspace,
    ) -> Result<Self, Error> {
        let (filtering, contacts) = (columns.filtering, T::CONTACTS);
        let rows = columns.rows(options.isa, rotated)?;
        Ok(Self { rows, filtering, part, contacts, margin, options, known: None, ends: &[] })
    }

    /// The request of a batch of spaces.
    pub(super) fn of(self, batch: &SpaceBatch<'a>) -> Self {
        let SpaceBatch { rows, ends, .. } = *batch;
        let known = self.known.filter(|_| !ends.is_empty() || rows.len() <= FEW_ITEMS);
        let part = self.part.map(|part| part.of(batch));
        Self { rows: self.rows.select(rows), part, known, ends, ..self }
    }

    /// The shapes of an index to search, if there are any.
    pub(super) fn searched(&self) -> Option<IndexPart<'a>> {
        self.part.filter(|part| part.layers().next().is_some())
    }

    /// The predicate that decides pairs of grown shapes, if there is one.
    fn grown(&self) -> Option<Predicate<'a>> {
        self.filtering.predicate.filter(|predicate| predicate.grown)
    }

    /// Whether an index is searched, or grown shapes are decided: the sorted columns then have
    /// radii in any case.
    pub(super) fn reads_radii(&self) -> bool {
        self.grown().is_some() || self.searched().is_some()
    }

    /// Whether passes read the shapes by row. Else the search decides all pairs, or contacts are
    /// made from columns.
    fn reads_rows(&self, view: View<'_>) -> bool {
        let with_index = self.part.is_some_and(|part| self.contacts || part.rotates());
        view.rotates() || with_index && self.searched().is_some()
    }

    /// Places axis-aligned shapes, if passes read them by row.
    pub(super) fn place(&self, placed: &mut PlacedRows, threads: bool) {
        let view = View::of(&self.rows);
        if !self.reads_rows(view) || view.placed().is_some() {
            return;
        }
        match self.rows.selection {
            _ if !NARROWPHASE => unreachable!("all pairs are decided"),
            Some(selection) => placed.fill_some(view, self.rows.len(), selection),
            None => placed.fill(view, self.rows.len(), threads),
        }
    }

    /// The shapes by row, if passes read them. `placed` are axis-aligned shapes.
    pub(super) fn set<'p>(&'p self, placed: &'p PlacedRows) -> Set<'p> {
        let view = View::of(&self.rows);
        match view.placed() {
            _ if !self.reads_rows(view) => Set::placed(view, &[], None),
            Some(placed) => Set::placed(view, placed, view.only_class()),
            None => placed.set(view),
        }
    }
}

impl Held for Slabs {
    fn bytes(&self) -> usize {
        self.bytes()
    }
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

held!(PassWorkspace { schedule, slabs, workspaces, numbers, meeting });

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
    /// Lets the sink's function read the grid, if all items meet. Returns the sink that is still to
    /// be filled.
    pub(super) fn read<'s, T: SinkResult>(
        &mut self,
        request: &Request<'_>,
        grid: &Grid,
        sink: ResultSink<'s, T>,
    ) -> Option<ResultSink<'s, T>> {
        let Request { filtering, margin, options, .. } = *request;
        let grown = request.grown();
        let all_meet =
            filtering.filters.is_none() && filtering.predicate.is_none() == grown.is_none();
        sink.read(all_meet, &mut |read| {
            let inclusive = options.inclusive || margin > 0.0;
            let (given, numbers) = (request.rows.layout, &mut self.numbers);
            read(SearchedGrid { grid, given, options, inclusive, grown, numbers })
        })
    }

    /// The pass among the shapes of a request, which are sorted into `grid`; `rows` are the shapes
    /// by row.
    pub(super) fn among<'a>(
        &'a mut self,
        request: &'a Request<'_>,
        rows: Set<'a>,
        grid: &'a Grid,
        threads: bool,
    ) -> Pass<'a> {
        let Request { filtering, margin, options, contacts, part, .. } = *request;
        let Self { schedule, slabs, workspaces, numbers, meeting } = self;
        let (view, ids) = (View::of(&request.rows), grid.sorted.ids());
        // With an index, the shapes are inflated by more than half of the margin.
        let wider = margin > 0.0 && part.is_some();
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

    /// The pass between the shapes of a request and a part of an index, in the same way.
    pub(super) fn against<'a>(
        &'a mut self,
        request: &'a Request<'_>,
        rows: Set<'a>,
        grid: &'a Grid,
        part: IndexPart<'a>,
        threads: bool,
    ) -> Pass<'a> {
        let Request { filtering, margin, options, contacts, .. } = *request;
        let Self { schedule, slabs, workspaces, meeting, .. } = self;
        let decided = !contacts && !request.rows.rotates() && !part.rotates();
        let sets = [rows, part.set(decided)];
        let query = PairQuery::new(options.isa, sets, true, options.inclusive, margin);
        let ids = [grid.sorted.ids(), part.grid().sorted.ids()];
        // A search with grown items reads no candidate lists, which pay among many more shapes.
        let few = ids[1].len() / MANY_TIMES_MORE > ids[0].len();
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

/// The predicate for the items of two grids, if they are grown and the search decides pairs.
/// `complement` turns an id of the second grid into a row.
fn grown_items<'a>(
    predicate: Option<Predicate<'a>>,
    decided: bool,
    grids: [GridView<'a>; 2],
    complement: u32,
) -> Option<GrownItems<'a>> {
    let predicate = predicate.filter(|predicate| decided && predicate.grown)?;
    let (columns, ids) =
        (map_each(grids, |grid| grid.rounded()), map_each(grids, |grid| grid.sorted.ids()));
    Some(GrownItems { predicate, columns, ids, complement })
}

/// An index with this many times the shapes of the other set counts as many times larger.
pub(crate) const MANY_TIMES_MORE: usize = 16;

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
