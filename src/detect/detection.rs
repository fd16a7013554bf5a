//! One detection, from columns to lists.
//!
//! On several threads, the whole detection runs inside the thread pool, which is entered once:
//! every entry from outside waits for the threads of the pool to wake.

use std::ops::ControlFlow;

use super::near::Near;
#[cfg(feature = "queries")]
use super::neighbors::Listing;
use super::{
    collect::{Narrow, Pass},
    narrow::{Found, Take, WorkspacePool},
    numbers::Numbers,
    ordered_output::{TaskBuffer, Workers},
    schedule::Schedule,
    widen::Widen,
};
use crate::index::{Compact, Part, PlacedRows};
use crate::{
    Contact, Error, GridCell, NARROWPHASE, Options, Pair, QUERIES,
    base::{parallel, phases::Stopwatch},
    filter::{Filtering, Meeting, MeetingRoom, Side},
    grid::{BuildInput, Grid, Ids, Partition},
    narrowphase::{PairQuery, Set, View},
    options::uses_pool,
    simd::Isa,
    store::{Checked, Rows},
};

/// The workspace of a detector.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// Off in the tasks of many worlds.
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
    schedule: Schedule,
    pair_workers: Workers<Pair>,
    contact_workers: Workers<Contact>,
    near_workers: Workers<Near>,
    workspaces: WorkspacePool,
    numbers: Numbers,
    placed: PlacedRows,
    meeting: MeetingRoom,
}

/// The request of a detection: the shapes, the options and the outputs.
pub(super) struct Request<'a> {
    pub(super) isa: Isa,
    pub(super) rows: Rows<'a>,
    pub(super) filtering: Filtering<'a>,
    /// Contacts of shapes that are at most this far apart are also listed. Finite, at least 0.
    pub(super) margin: f32,
    pub(super) options: &'a Options,
    pub(super) sets: Sets<'a>,
}

/// The sets of shapes to search.
pub(super) enum Sets<'a> {
    /// Pairs among the shapes. With `None`, only the grid is built.
    One(Option<Output<'a>>),
    /// Pairs among the shapes, if requested, and pairs of a shape and a shape of an index.
    Against(Option<Output<'a>>, Part<'a>, Output<'a>),
}

/// The form of the result.
pub(super) enum Output<'a> {
    List(List<'a>),
    Count,
    /// No result yet: only what [`Again`] needs to pass pairs or contacts to a callback.
    Later {
        contacts: bool,
    },
}

/// A list of pairs, or of their contacts.
pub(super) enum List<'a> {
    Pairs(&'a mut Vec<Pair>),
    /// Pairs that are written behind others.
    MorePairs(&'a mut TaskBuffer<Pair>),
    /// Lists of neighbours, or pairs. The search must decide all pairs.
    #[cfg(feature = "queries")]
    Neighbors(&'a mut Listing),
    Contacts(&'a mut Vec<Contact>),
    /// Pairs that have contacts, with their distances. Some shape must rotate or have parts.
    Near(&'a mut Vec<Near>),
}

impl Output<'_> {
    /// Whether contacts are requested.
    fn contacts(&self) -> bool {
        match self {
            Output::List(list) => matches!(list, List::Contacts(_) | List::Near(_)),
            Output::Later { contacts } => *contacts,
            Output::Count => false,
        }
    }

    /// Whether sensors are left out, because they have no contacts.
    fn without_sensors(&self) -> bool {
        matches!(self, Output::List(List::Contacts(_)) | Output::Later { contacts: true })
    }

    /// Clears the list, because there are no results.
    fn clear(self) {
        match self {
            Output::List(List::Pairs(pairs)) => pairs.clear(),
            Output::List(List::MorePairs(_)) => {}
            #[cfg(feature = "queries")]
            Output::List(List::Neighbors(listing)) => listing.clear(),
            Output::List(List::Contacts(contacts)) => contacts.clear(),
            Output::List(List::Near(near)) => near.clear(),
            Output::Count | Output::Later { .. } => {}
        }
    }
}

impl Scratch {
    /// Runs a detection. Returns the number of pairs or the length of the list; with a non-empty
    /// index, of the pairs with the index only.
    pub(super) fn run(&mut self, request: Request<'_>) -> Result<u64, Error> {
        let Self { stopwatch, compact, widen, stage } = self;
        let Request { isa, rows, margin, options, .. } = request;
        let one_set = matches!(request.sets, Sets::One(_));
        let on_pool = uses_pool(options.threads, rows.detected());
        parallel::enter(on_pool, || {
            let (mut shapes, ids) = compact.close(rows, isa, on_pool)?;
            if margin > 0.0 {
                // The shapes of an index are not inflated, so the moving shapes are inflated by the
                // full margin.
                let share = if one_set { margin * 0.5 } else { margin };
                shapes = widen.by(share, shapes, isa, on_pool)?;
            }
            let threads = uses_pool(options.threads, shapes.len);
            let detection = Detection { request, shapes, ids, threads };
            detection.run(stage, stopwatch)
        })
    }

    /// Runs a detection between two indexes. Returns the number of pairs or the length of the list.
    pub(super) fn run_between(
        &mut self,
        isa: Isa,
        options: &Options,
        [index, other]: [Part<'_>; 2],
        output: Output<'_>,
    ) -> Result<u64, Error> {
        if index.is_empty() || other.is_empty() {
            output.clear();
            return Ok(0);
        }
        let threads = uses_pool(options.threads, index.len());
        let Stage {
            schedule,
            pair_workers,
            contact_workers,
            near_workers,
            workspaces,
            numbers,
            meeting,
            ..
        } = &mut self.stage;
        parallel::enter(threads, || {
            let decided = !output.contacts() && !index.rotates() && !other.rotates();
            // The ids of an index are complements of rows. The complements of these ids are the
            // rows, which are smaller than all ids of the other index, so pairs list them first.
            let rows = numbers.complements(index.grid().sorted.ids());
            let names = [rows, other.grid().sorted.ids()];
            let sets = [index.set(decided), other.set(decided)];
            let rule = PairQuery::new(isa, sets, true, options.inclusive(), 0.0);
            let filters = index.filters().rows();
            let own = Side { ids: index.grid().sorted.ids(), complements: true, filters };
            let meeting =
                meeting.between(own, None, other.target(), None, output.without_sensors());
            let narrow = Narrow { decided, wider: false, names, rule, workspaces, meeting };
            let pass = Pass::between(index.grid(), other.grid(), schedule, narrow, threads);
            let mut workers = ListWorkers { options, pair_workers, contact_workers, near_workers };
            output.fill(&pass, threads, &mut workers)
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
        let Stage {
            partition,
            grid,
            schedule,
            pair_workers,
            contact_workers,
            near_workers,
            workspaces,
            numbers,
            placed,
            meeting,
        } = stage;
        let inputs = compact.bytes() + widen.bytes() + partition.bytes() + placed.bytes();
        let workers = pair_workers.bytes() + contact_workers.bytes() + near_workers.bytes();
        let tasks = workers + workspaces.bytes() + meeting.bytes();
        inputs + grid.bytes() + schedule.bytes() + numbers.bytes() + tasks
    }
}

/// Repeats the last detection for a callback, over the grid that it has built.
///
/// Rows, index and margin must be the same as in the last detection.
pub(super) struct Again<'a> {
    pub(super) scratch: &'a mut Scratch,
    pub(super) isa: Isa,
    pub(super) rows: Rows<'a>,
    pub(super) filtering: Filtering<'a>,
    pub(super) part: Option<Part<'a>>,
    pub(super) margin: f32,
    pub(super) inclusive: bool,
}

impl Again<'_> {
    /// Passes all results to `take`, in order, block by block, on the calling thread, until it
    /// breaks. Returns whether it has.
    pub(super) fn for_each<T: Found>(self, take: &mut Take<'_, T>) -> ControlFlow<()> {
        let Self { scratch, isa, rows, filtering, part, margin, inclusive } = self;
        let Stage { grid, schedule, workspaces, numbers, placed, meeting, .. } = &mut scratch.stage;
        if grid.plan.levels().is_empty() || part.is_some_and(|part| part.is_empty()) {
            return ControlFlow::Continue(());
        }
        let grid = &*grid;
        let view = View::of(&rows);
        let axis_aligned = !view.rotates();
        if let Some(part) = part {
            let decided = axis_aligned && !T::CONTACTS && !part.rotates();
            let set = match view.placed() {
                _ if decided => Set::placed(view, &[], None),
                Some(rows) => Set::placed(view, rows, view.only_class()),
                None => placed.set(view),
            };
            let meeting = meet_index(meeting, grid, (filtering, rows.selection), part, T::CONTACTS);
            let rule = PairQuery::new(isa, [set, part.set(decided)], true, inclusive, margin);
            let names = [grid.sorted.ids(), part.grid().sorted.ids()];
            let narrow = Narrow { decided, wider: false, names, rule, workspaces, meeting };
            return Pass::between(grid, part.grid(), schedule, narrow, false).for_each(take);
        }
        let decided = axis_aligned && !T::CONTACTS;
        let (set, name) = if axis_aligned && !decided {
            direct_set(grid, view, margin, numbers)
        } else {
            let placed = view.placed().filter(|_| !decided);
            let only = placed.and_then(|_| view.only_class());
            (Set::placed(view, placed.unwrap_or_default(), only), grid.sorted.ids())
        };
        let rule = PairQuery::new(isa, [set, set], false, inclusive, margin);
        let (names, meeting) = (
            [name, name],
            meeting.within(grid.sorted.ids(), filtering, rows.selection, T::CONTACTS),
        );
        let narrow = Narrow { decided, wider: false, names, rule, workspaces, meeting };
        Pass::within(grid, schedule, narrow, false).for_each(take)
    }
}

/// What the bodies of a grid meet in an index.
fn meet_index<'a>(
    room: &'a mut MeetingRoom,
    grid: &'a Grid,
    (filtering, selection): (Filtering<'a>, Option<&[u32]>),
    part: Part<'a>,
    without_sensors: bool,
) -> Option<Meeting<'a>> {
    let Filtering { filters, predicate } = filtering;
    let own = Side { ids: grid.sorted.ids(), complements: false, filters };
    room.between(own, selection, part.target(), predicate, without_sensors)
}

/// A detection of checked shapes.
struct Detection<'a> {
    request: Request<'a>,
    shapes: Checked<'a>,
    ids: Ids<'a>,
    threads: bool,
}

impl Detection<'_> {
    fn run(self, stage: &mut Stage, stopwatch: &mut Stopwatch) -> Result<u64, Error> {
        let Self { request, shapes, ids, threads } = self;
        let Request { isa, rows, filtering, margin, options, sets } = request;
        let (among, against) = match sets {
            Sets::One(among) => (among, None),
            Sets::Against(among, part, output) => (among, Some((part, output))),
        };
        if shapes.len == 0 {
            stage.grid.clear();
            for output in among.into_iter().chain(against.map(|(_, output)| output)) {
                output.clear();
            }
            return Ok(0);
        }
        let Stage {
            partition,
            grid,
            schedule,
            pair_workers,
            contact_workers,
            near_workers,
            workspaces,
            numbers,
            placed,
            meeting,
        } = stage;
        let workspaces = &*workspaces;
        let mut workers = ListWorkers { options, pair_workers, contact_workers, near_workers };
        let inclusive = options.inclusive();
        let (view, selection) = (View::of(&rows), rows.selection);
        let contacts =
            among.iter().chain(against.iter().map(|(_, output)| output)).any(Output::contacts);
        let wider = margin > 0.0 && against.is_some();
        let against = against.filter(|(part, _)| !part.is_empty());
        let decided = !contacts && !view.rotates();
        let decided_with = |part: &Part<'_>| decided && !part.rotates();
        // Contacts among axis-aligned shapes are made from columns, not from placed rows.
        let direct = contacts && !view.rotates();
        let reads_rows = match &against {
            Some((part, _)) => !decided_with(part),
            None => !decided && !direct,
        };
        let rows = match view.placed() {
            _ if !reads_rows => Set::placed(view, &[], None),
            Some(placed) => Set::placed(view, placed, view.only_class()),
            None if !NARROWPHASE => unreachable!("all pairs are decided"),
            None => {
                match rows.selection {
                    Some(selection) => placed.fill_some(view, rows.len(), selection),
                    None => placed.fill(view, rows.len(), threads),
                }
                placed.set(view)
            }
        };
        let input = BuildInput {
            isa,
            shapes,
            ids,
            cell_size: options.cell_size,
            levels: &options.grid_levels,
            searched: false,
            neighbor_lists: false,
            threads,
        };
        stopwatch.end(|phases| &mut phases.check);
        grid.build(&input, partition);
        if against.is_some() {
            grid.sorted.make_zeros(grid.form);
        }
        stopwatch.end(|phases| &mut phases.sort);
        let grid = &*grid;

        let mut found = 0;
        #[cfg(feature = "queries")]
        let mut among = among;
        #[cfg(feature = "queries")]
        if let Some(Output::List(List::Neighbors(listing))) = &mut among {
            let inclusive = inclusive || margin > 0.0;
            listing.clear();
            if filtering.is_none() && listing.list(isa, grid, inclusive, options, numbers) {
                among = None;
            }
        }
        if let Some(output) = among {
            let (set, name) = if direct {
                direct_set(grid, view, margin, numbers)
            } else {
                (rows, grid.sorted.ids())
            };
            let rule = PairQuery::new(isa, [set, set], false, inclusive, margin);
            let names = [name, name];
            let meeting =
                meeting.within(grid.sorted.ids(), filtering, selection, output.without_sensors());
            let narrow = Narrow { decided, wider, names, rule, workspaces, meeting };
            let pass = Pass::within(grid, schedule, narrow, threads);
            found = output.fill(&pass, threads, &mut workers)?;
        }
        if let Some((part, output)) = against {
            let decided = decided_with(&part);
            let rule = PairQuery::new(isa, [rows, part.set(decided)], true, inclusive, margin);
            let names = [grid.sorted.ids(), part.grid().sorted.ids()];
            let meeting =
                meet_index(meeting, grid, (filtering, selection), part, output.without_sensors());
            let narrow = Narrow { decided, wider: false, names, rule, workspaces, meeting };
            let pass = Pass::between(grid, part.grid(), schedule, narrow, threads);
            found = output.fill(&pass, threads, &mut workers)?;
        }
        stopwatch.end(|phases| &mut phases.search);
        Ok(found)
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
    numbers: &'a mut Numbers,
) -> (Set<'a>, &'a [u32]) {
    let (set, sorted) = (Set::placed(view, &[], view.only_class()), &grid.sorted);
    if margin > 0.0 {
        return (Set { columns: Some(view.layout()), ..set }, sorted.ids());
    }
    let (columns, ids) = (Some(sorted.layout(grid.form)), Some(sorted.ids()));
    (Set { columns, ids, ..set }, numbers.of(grid))
}

/// The workers that fill the lists, and the options, which hold the limits.
struct ListWorkers<'a> {
    options: &'a Options,
    pair_workers: &'a mut Workers<Pair>,
    contact_workers: &'a mut Workers<Contact>,
    near_workers: &'a mut Workers<Near>,
}

impl Output<'_> {
    /// Runs `pass` into this output. Returns the number of results; 0 for [`Output::Later`].
    fn fill(
        self,
        pass: &Pass<'_>,
        threads: bool,
        workers: &mut ListWorkers<'_>,
    ) -> Result<u64, Error> {
        let ListWorkers { options, pair_workers, contact_workers, near_workers } = workers;
        match self {
            Output::List(List::Pairs(pairs)) => {
                pass.collect(pairs, options.max_pairs, threads, pair_workers)
            }
            Output::List(List::MorePairs(buffer)) => pass.append(buffer, options.max_pairs),
            #[cfg(feature = "queries")]
            Output::List(List::Neighbors(Listing { pairs, .. })) => {
                pass.collect(pairs, options.max_pairs, threads, pair_workers)
            }
            Output::List(List::Contacts(_) | List::Near(_)) if !NARROWPHASE => {
                unreachable!("contacts cannot be requested")
            }
            Output::List(List::Near(_)) if !QUERIES => {
                unreachable!("distances cannot be requested")
            }
            Output::List(List::Contacts(contacts)) => {
                pass.collect(contacts, options.max_contacts, threads, contact_workers)
            }
            Output::List(List::Near(near)) => {
                pass.collect(near, options.max_pairs, threads, near_workers)
            }
            Output::Count => Ok(pass.count(threads, pair_workers)),
            Output::Later { .. } => Ok(0),
        }
    }
}
