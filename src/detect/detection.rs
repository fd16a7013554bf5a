//! One detection, from columns to lists.
//!
//! All of it runs within the threads of the pool, which are entered once: whoever calls from outside waits for
//! them to wake, and then to be woken.

use super::{
    collect::{Narrow, Pass},
    compact::Compact,
    index::Index,
    narrow::{Found, Take, WorkspacePool},
    numbers::Numbers,
    options::{Threads, uses_pool},
    ordered_output::Workers,
    rows::PlacedRows,
    schedule::Schedule,
    widen::Widen,
};
use crate::{
    Contact, Error, NARROWPHASE, Pair,
    grid::{BuildInput, CellSize, Grid, GridLevels, Ids, Partition, with_body_layout},
    narrowphase::{PairQuery, Set, View},
    parallel,
    simd::Isa,
    store::{Checked, Rows},
};

/// The memory of a detector.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    compact: Compact,
    widen: Widen,
    stage: Stage,
}

/// All but the shapes.
#[derive(Debug, Default)]
struct Stage {
    partition: Partition,
    grid: Grid,
    schedule: Schedule,
    pair_workers: Workers<Pair>,
    contact_workers: Workers<Contact>,
    workspaces: WorkspacePool,
    numbers: Numbers,
    placed: PlacedRows,
}

/// What is asked for, and of which shapes.
pub(super) struct Request<'a> {
    pub(super) isa: Isa,
    pub(super) rows: Rows<'a>,
    /// At least 0, finite; contacts of shapes so far apart are asked for, too.
    pub(super) margin: f32,
    pub(super) inclusive: bool,
    pub(super) cell_size: CellSize,
    pub(super) levels: &'a GridLevels,
    pub(super) threads: Threads,
    /// How long a list may get.
    pub(super) max_pairs: usize,
    pub(super) max_contacts: usize,
    /// What is wanted of the pairs among the shapes, if anything.
    pub(super) output: Option<Output<'a>>,
    pub(super) against: Against<'a>,
}

/// What is wanted of pairs.
pub(super) enum Output<'a> {
    List(List<'a>),
    Count,
}

/// A list of pairs, or of their contacts.
pub(super) enum List<'a> {
    Pairs(&'a mut Vec<Pair>),
    Contacts(&'a mut Vec<Contact>),
}

/// Static shapes to look for, and where the pairs with them go. Nobody counts those: it would be code for every
/// two instances.
pub(super) type Against<'a> = Option<(&'a Index, List<'a>)>;

impl Scratch {
    /// Does what is asked for; returns the number of pairs, or the length of the list. What is asked of static shapes is not
    /// in it.
    pub(super) fn run(&mut self, request: Request<'_>) -> Result<u64, Error> {
        let Self { compact, widen, stage } = self;
        let Request { isa, rows, margin, threads, .. } = request;
        let on_pool = uses_pool(threads, rows.len());
        parallel::enter(on_pool, || {
            let (mut shapes, ids) = compact.close(rows, isa, on_pool)?;
            if margin > 0.0 {
                // Those that stay do not grow, so those that move do for them; among each other, too.
                let share = if request.against.is_some() { margin } else { margin * 0.5 };
                shapes = widen.by(share, shapes, isa, on_pool)?;
            }
            // Of those that are there.
            let threads = uses_pool(threads, shapes.len);
            let detection = Detection { request, shapes, ids, threads };
            detection.run(stage)
        })
    }

    /// Writes the rows of the shapes of the last detection to `order`, in the order of its grid.
    pub(super) fn grid_order(&self, order: &mut Vec<u32>) {
        self.stage.grid.order(order);
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        let Self { compact, widen, stage } = self;
        let Stage {
            partition,
            grid,
            schedule,
            pair_workers,
            contact_workers,
            workspaces,
            numbers,
            placed,
        } = stage;
        let inputs = compact.bytes() + widen.bytes() + partition.bytes() + placed.bytes();
        let tasks = pair_workers.bytes() + contact_workers.bytes() + workspaces.bytes();
        inputs + grid.bytes() + schedule.bytes() + numbers.bytes() + tasks
    }
}

/// The last detection once more: what it would have listed among the same rows, with the same
/// margin.
pub(super) struct Again<'a> {
    pub(super) scratch: &'a mut Scratch,
    pub(super) isa: Isa,
    pub(super) rows: Rows<'a>,
    pub(super) margin: f32,
    pub(super) inclusive: bool,
}

impl Again<'_> {
    /// Hands all of it to `take`: in order, block by block, on the calling thread, until it breaks.
    pub(super) fn for_each<T: Found>(self, take: &mut Take<'_, T>) {
        let Self { scratch, isa, rows, margin, inclusive } = self;
        let Stage { grid, schedule, workspaces, numbers, .. } = &mut scratch.stage;
        if grid.plan.levels().is_empty() {
            return;
        }
        let grid = &*grid;
        let view = View::of(&rows);
        let axis_aligned = !view.rotates();
        let decided = axis_aligned && T::OF_THE_SWEEP;
        let (set, name) = if axis_aligned && !decided {
            direct_set(grid, view, margin, numbers)
        } else {
            let placed = view.placed().filter(|_| !decided);
            let only = placed.and_then(|_| view.only_class());
            (Set::placed(view, placed.unwrap_or_default(), only), grid.sorted.ids())
        };
        let rule = PairQuery::new(isa, [set, set], false, inclusive, margin);
        let narrow = Narrow { decided, wider: false, names: [name, name], rule, workspaces };
        Pass::within(grid, schedule, narrow, false).for_each(take)
    }
}

/// A detection over columns that have been checked.
struct Detection<'a> {
    request: Request<'a>,
    shapes: Checked<'a>,
    ids: Ids<'a>,
    threads: bool,
}

impl Detection<'_> {
    fn run(self, stage: &mut Stage) -> Result<u64, Error> {
        let Self { request, shapes, ids, threads } = self;
        let Checked { len: count, extent, .. } = shapes;
        let Request { isa, rows, margin, inclusive, cell_size, levels, .. } = request;
        let Request { max_pairs, max_contacts, output, against, .. } = request;
        let Stage {
            partition,
            grid,
            schedule,
            pair_workers,
            contact_workers,
            workspaces,
            numbers,
            placed,
        } = stage;
        let (workspaces, workers_of) = (
            &*workspaces,
            &mut ListWorkers { max_pairs, pair_workers, max_contacts, contact_workers },
        );
        if count == 0 {
            grid.clear();
            match output {
                Some(Output::List(List::Pairs(pairs))) => pairs.clear(),
                Some(Output::List(List::Contacts(contacts))) => contacts.clear(),
                Some(Output::Count) | None => {}
            }
            return Ok(0);
        }
        let view = View::of(&rows);
        let contacts = matches!(output, Some(Output::List(List::Contacts(_))))
            || matches!(against, Some((_, List::Contacts(_))));
        let wider = margin > 0.0 && against.is_some();
        let against = against.filter(|(index, _)| !index.is_empty());
        let decided = !contacts && !view.rotates();
        let decided_with = |index: &Index| decided && !index.rotates();
        // Contacts of axis-aligned shapes need their columns, and nothing has to be placed for them.
        let direct = contacts && !view.rotates();
        let reads_rows = match &against {
            Some((index, _)) => !decided_with(index),
            None => !decided && !direct,
        };
        let rows = match view.placed() {
            _ if !reads_rows => Set::placed(view, &[], None),
            Some(placed) => Set::placed(view, placed, view.only_class()),
            None if !NARROWPHASE => unreachable!("all pairs are decided"),
            None => {
                placed.fill(view, rows.len(), threads);
                placed.set(view)
            }
        };
        let (searched, neighbor_lists) = (false, false);
        with_body_layout!(shapes, I, set => {
            let site =
                BuildInput { isa, set, ids, count, extent, cell_size, levels, searched, neighbor_lists, threads };
            grid.build::<I, _>(&site, partition);
        });
        if against.is_some() {
            grid.sorted.make_zeros(grid.form);
        }
        let grid = &*grid;

        let mut found = 0;
        if let Some(output) = output {
            let (set, name) = if direct {
                direct_set(grid, view, margin, numbers)
            } else {
                (rows, grid.sorted.ids())
            };
            let rule = PairQuery::new(isa, [set, set], false, inclusive, margin);
            let narrow = Narrow { decided, wider, names: [name, name], rule, workspaces };
            let scene = Pass::within(grid, schedule, narrow, threads);
            found = match output {
                Output::List(list) => list.fill(&scene, threads, workers_of)?,
                Output::Count => scene.count(threads, workers_of.pair_workers),
            };
        }
        if let Some((index, list)) = against {
            let target = index.grid();
            let decided = decided_with(index);
            let rule = PairQuery::new(isa, [rows, index.set()], true, inclusive, margin);
            let names = [grid.sorted.ids(), target.sorted.ids()];
            let narrow = Narrow { decided, wider: false, names, rule, workspaces };
            let scene = Pass::between(grid, target, schedule, narrow, threads);
            list.fill(&scene, threads, workers_of)?;
        }
        Ok(found)
    }
}

/// Axis-aligned shapes by their columns, and what the sweep over `grid` is to call them.
///
/// In the order of the grid, pairs read what is near. But with a margin, the grid has other radii than the
/// shapes, and then the columns are the caller's, by rows.
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

/// Who fills the lists, and how long those may get.
struct ListWorkers<'a> {
    max_pairs: usize,
    pair_workers: &'a mut Workers<Pair>,
    max_contacts: usize,
    contact_workers: &'a mut Workers<Contact>,
}

impl List<'_> {
    /// Takes what is found in `scene`, and returns how much that is.
    fn fill(
        self,
        scene: &Pass<'_>,
        threads: bool,
        workers_of: &mut ListWorkers<'_>,
    ) -> Result<u64, Error> {
        let ListWorkers { max_pairs, pair_workers, max_contacts, contact_workers } = workers_of;
        match self {
            List::Pairs(pairs) => scene.collect(pairs, *max_pairs, threads, pair_workers),
            List::Contacts(_) if !NARROWPHASE => unreachable!("contacts cannot be requested"),
            List::Contacts(all) => scene.collect(all, *max_contacts, threads, contact_workers),
        }
    }
}
