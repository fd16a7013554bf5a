//! The grid build: from columns to sorted cells, step by step; and the cells as callers see
//! them (`GridCell`).

#[cfg(feature = "queries")]
use super::{box_tree::BoxTree, density::Density, node_kinds::NodeKinds};
use super::{
    candidates::{CellLists, LazyLists},
    plan::{
        CellSize, Cells, GridLevels, Locate, OneCell, Plan, PlanInput, Replan, Sample,
        sample::golden_row,
    },
    sort::{
        Ids, ItemLayout, LayoutKind, Partition, RecordSource, RoundedLayout, Sorted, measure_runs,
        with_item_layout, with_layout_kind,
    },
};
#[cfg(feature = "queries")]
use crate::{base::Lazy, filter::FilterKind};
use crate::{
    base::{FEW_ITEMS, Held, SAMPLED_ROWS, held},
    kernel::{ColumnSet, Items},
    shape::Aabb,
    simd::{Isa, MAX_LANES, Scalar, dispatch_vectors, map_each},
    store::Checked,
};

/// Scenes of fewer items are sorted in one step. The targets of its scatter are then still in a
/// cache, and prefetches arrive in time. The limit is lower on targets where the crate does not
/// prefetch.
const MAX_ITEMS_OF_ONE_STEP: usize = if cfg!(target_arch = "x86_64") { 3 << 16 } else { 1 << 15 };

/// The most times a plan is replaced by a better plan. Clusters of clusters need two plans.
const MAX_REPLANS: usize = 2;

/// Up to this many items are planned as if evenly spread, on one level: sampling costs several
/// times more than the extra tests. The second number is for items that are about to be sorted
/// again: there, a sample also costs more than the tests of a worse plan. It takes as long as a
/// sort of so many items.
const FEW_TO_PLAN: [usize; 2] = [128, 512];

/// The grid of one scene.
#[derive(Debug, Default)]
pub(crate) struct Grid {
    /// The layout of the sorted columns.
    pub(crate) form: LayoutKind,
    /// Whether the items are in runs of few, in the order of the input, and not in cells. The items
    /// of a run see nothing of other runs.
    pub(crate) few: bool,
    pub(crate) plan: Plan,
    pub(crate) sorted: Sorted,
    pub(super) candidate_lists: LazyLists,
    #[cfg(feature = "queries")]
    pub(super) tree: Lazy<BoxTree>,
    #[cfg(feature = "queries")]
    pub(super) node_kinds: Lazy<NodeKinds>,
    #[cfg(feature = "queries")]
    pub(in crate::grid) density: Density,
    sample: Sample,
}

held!(Grid {
    form,
    few,
    plan,
    sorted,
    candidate_lists,
    #[cfg(feature = "queries")]
    tree,
    #[cfg(feature = "queries")]
    node_kinds,
    #[cfg(feature = "queries")]
    density,
    sample
});

impl Clone for Grid {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    /// Copies all but the tree, which is made again when it is needed.
    fn clone_from(&mut self, source: &Self) {
        let Self { form, few, plan, sorted, candidate_lists, .. } = source;
        (self.form, self.few) = (*form, *few);
        #[cfg(feature = "queries")]
        (self.density = source.density);
        self.plan.clone_from(plan);
        self.sorted.clone_from(sorted);
        self.forget();
        self.candidate_lists.clone_from(candidate_lists);
    }
}

/// The items of a grid, and the options to build it with.
#[derive(Clone, Copy)]
pub(crate) struct BuildInput<'a> {
    pub(crate) isa: Isa,
    /// At least one shape.
    pub(crate) shapes: Checked<'a>,
    pub(crate) ids: Ids<'a>,
    /// If the shapes are of many spaces of at most [`FEW_ITEMS`] shapes each: the end of each
    /// space. All ends may be too large by one common number.
    pub(crate) ends: &'a [u32],
    pub(crate) cell_size: CellSize,
    pub(crate) levels: &'a GridLevels,
    /// Whether items of other grids search this grid by the cells that they cover, and no level is
    /// swept.
    pub(crate) searched: bool,
    /// Whether the items are about to be sorted again.
    pub(crate) changes: bool,
    /// Whether to make candidate lists for these searches at once. Else
    /// [`make_lists`](Grid::make_lists) may make them.
    pub(crate) candidate_lists: bool,
    pub(crate) threads: bool,
}

impl Grid {
    /// Plans the cells, sorts the items into them and makes candidate lists if requested.
    pub(crate) fn build(&mut self, input: &BuildInput<'_>, partition: &mut Partition) {
        with_item_layout!(input.shapes, I, set => self.build_as::<I, _>(set, input, partition));
    }

    /// Builds the grid with the item layout `I` from the columns `set` of the shapes.
    pub(in crate::grid) fn build_as<I: ItemLayout, C: RecordSource<I>>(
        &mut self,
        set: C,
        input: &BuildInput<'_>,
        partition: &mut Partition,
    ) {
        let BuildInput {
            isa,
            shapes,
            ends,
            cell_size,
            levels,
            searched,
            changes,
            candidate_lists,
            threads,
            ..
        } = *input;
        let Checked { len: count, ref extent, .. } = shapes;
        let automatic =
            !searched && cell_size == CellSize::Auto && matches!(levels, GridLevels::Auto);
        self.form = I::FORM;
        self.few = automatic && count <= FEW_ITEMS || !ends.is_empty();
        self.forget();
        if self.few {
            let ends = if ends.is_empty() { &[count as u32] } else { ends };
            if searched {
                // Each run is a cell of its own.
                self.plan = Plan::default();
            } else {
                self.plan.make_one_cell(extent);
            }
            self.sorted.fill_runs::<I, C>(&self.plan, set, input.ids, count, ends);
            return;
        }
        let few = FEW_TO_PLAN[usize::from(changes)];
        let even = (automatic || changes) && count <= few;
        let levels = if even { &GridLevels::One } else { levels };
        let plan_input = PlanInput { extent, count, cell_size, levels, searched };
        self.plan = if even {
            Plan::of_even(&plan_input, &mut self.sample)
        } else {
            Plan::new(&plan_input, set, &mut self.sample)
        };
        for left in (0..=if even { 0 } else { MAX_REPLANS }).rev() {
            self.sort::<I, C>(set, input, partition);
            if left == 0 {
                break;
            }
            let Self { plan, sorted, sample, .. } = self;
            let Some(replan) = Replan::of::<I>(sorted, plan, &plan_input, sample) else { break };
            *plan = Plan::again(&plan_input, sample, &replan);
        }
        if searched || self.plan.levels().len() > 1 {
            if !searched {
                self.sorted.make_zeros(self.form);
            }
            self.sorted.measure::<I>(isa, &self.plan, threads);
        }
        #[cfg(feature = "queries")]
        (self.density = Density::of(&self.plan, &self.sorted, self.form));
        if searched && candidate_lists {
            self.make_lists_as::<I>(isa);
        }
    }

    /// Replaces `cells` by a cell that holds the whole plane for each run of few items, which are
    /// at most `largest`: [`cell`](Grid::cell) has its items.
    pub(crate) fn cells_of_runs(&self, isa: Isa, largest: [f32; 2], cells: &mut Vec<OneCell>) {
        let starts = self.sorted.run_starts();
        cells.clear();
        cells.reserve(starts.len() - 1);
        let places = starts.windows(2).map(|run| run[0] as usize..run[1] as usize);
        measure_runs::<RoundedLayout>(isa, self.view().rounded(), places, |bounds| {
            let number = cells.len();
            let places = starts[number]..starts[number + 1];
            cells.push(OneCell::new(number as u32, places, bounds, largest));
        });
    }

    /// Makes the candidate lists, unless they are made. The grid must have been built to be
    /// searched.
    pub(crate) fn make_lists(&self, isa: Isa) {
        with_layout_kind!(self.form, I => self.make_lists_as::<I>(isa));
    }

    fn make_lists_as<I: ItemLayout>(&self, isa: Isa) {
        self.candidate_lists.make(|all| {
            for (lists, (level, cells)) in all.iter_mut().zip(self.plan.levels().iter().enumerate())
            {
                lists.list::<I>(isa, &self.sorted, level, cells);
            }
        });
    }

    /// Whether candidate lists have been made, also where they turned out not to pay off.
    pub(crate) fn has_lists(&self) -> bool {
        self.candidate_lists.are_made()
    }

    /// The candidate lists of `level`, which are empty where they do not pay off; `None` if no
    /// lists have been made.
    pub(crate) fn lists(&self, level: usize) -> Option<&CellLists> {
        self.candidate_lists.get(level)
    }

    /// Sorts the items into the cells of the plan.
    fn sort<I: ItemLayout, C: RecordSource<I>>(
        &mut self,
        set: C,
        input: &BuildInput<'_>,
        partition: &mut Partition,
    ) {
        let BuildInput { isa, shapes, ids, threads, .. } = *input;
        let count = shapes.len;
        if !threads && (count < MAX_ITEMS_OF_ONE_STEP || nearly_sorted(&self.plan, set, count)) {
            self.sorted.fill_directly::<I, C>(isa, &mut self.plan, set, ids, count, partition);
        } else {
            let ghosts = loop {
                partition.fill::<I, C>(isa, &self.plan, set, count, threads);
                let (ghosts, anew) = self.sorted.spare_ghosts::<I>(&mut self.plan, partition);
                if !anew {
                    break ghosts;
                }
            };
            self.sorted.fill::<I>(isa, &self.plan, ids, partition, &ghosts, threads);
        }
    }

    /// The boxes around runs of the items, made when they are first wanted. The grid must have been
    /// built to be searched.
    #[cfg(feature = "queries")]
    pub(in crate::grid) fn tree(&self) -> &BoxTree {
        self.tree.get(|tree| tree.fill(&self.sorted, self.form, self.plan.levels()))
    }

    /// The kinds of the items below each node of the tree, made when they are first wanted.
    /// `kind_of` returns the kind of the item with an id.
    #[cfg(feature = "queries")]
    pub(in crate::grid) fn node_kinds(&self, kind_of: impl Fn(u32) -> FilterKind) -> &NodeKinds {
        let (places, ids) = (|| self.view().places(), self.sorted.ids());
        self.node_kinds.get(|made| made.fill(self.tree(), places, |place| kind_of(ids[place])))
    }

    /// Forgets all items and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.plan = Plan::default();
        self.forget();
    }

    /// Forgets the data that was made of the items on demand, and keeps the memory.
    pub(super) fn forget(&mut self) {
        self.candidate_lists.clear();
        #[cfg(feature = "queries")]
        {
            self.tree.clear();
            self.node_kinds.clear();
        }
    }

    /// Writes the rows of all items to `order`, in the order of the grid.
    pub(crate) fn order(&self, order: &mut Vec<u32>) {
        order.clear();
        for level in 0..self.plan.levels().len() {
            order.extend_from_slice(self.sorted.ids_of(self.sorted.items(level)));
        }
    }
}

/// Whether most rows lie within a few rows of cells of the row before them in the input. The
/// scatter of a one-step sort then stays in the cache, however large the scene.
/// Depends on the input alone, as every decision about the grid does.
fn nearly_sorted<C: ColumnSet>(plan: &Plan, set: C, count: usize) -> bool {
    let stride = plan.levels().iter().map(Cells::stride).max().unwrap_or(1);
    let near = |probe: &u64| {
        let cells = &mut [0; 2 + MAX_LANES];
        let first = golden_row(*probe, count - 1);
        // On any level: the kernel is there for the sort, and here it runs a few times only.
        dispatch_vectors(Isa::SCALAR, Locate { plan, set, first, count: 2, cells });
        cells[0].abs_diff(cells[1]) as usize <= 4 * stride
    };
    (0..SAMPLED_ROWS as u64).filter(near).count() > SAMPLED_ROWS * 6 / 10
}

impl Held for Sample {
    fn bytes(&self) -> usize {
        self.bytes()
    }
}

/// A cell of the grid that holds shapes: see
/// [`Detector::grid_cells`](crate::Detector::grid_cells).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GridCell {
    /// The number of its grid level, from 0: the finest.
    pub level: u32,
    /// Where the centres of its shapes are, within rounding errors; their sides may be outside.
    pub area: Aabb,
    /// The number of shapes in the cell, at least one.
    pub shapes: u32,
}

impl Grid {
    /// Replaces the content of `cells` by the cells that hold items, in the order of the grid.
    pub(crate) fn cells(&self, cells: &mut Vec<GridCell>) {
        cells.clear();
        with_layout_kind!(self.form, I => self.cells_as::<I>(cells));
    }

    fn cells_as<I: ItemLayout>(&self, cells: &mut Vec<GridCell>) {
        let columns = self.sorted.padded::<I>();
        let sums = |place| {
            let item = columns.splat(Scalar, place);
            [item.min_x() + item.max_x(), item.min_y() + item.max_y()]
        };
        for level in 0..self.plan.levels().len() {
            let places = self.sorted.items(level);
            let (mut number, mut first) = (None, cells.len());
            for (place, &of) in places.clone().zip(self.sorted.cells_of(places)) {
                if number != Some(of) {
                    (number, first) = (Some(of), cells.len());
                }
                let [min, max] = self.plan.corners(level, sums(place));
                let area = Aabb::new(map_each(min, |at| at as f32), map_each(max, |at| at as f32));
                // Distant cells of a helical level may have one number.
                match cells[first..].iter_mut().find(|cell| cell.area == area) {
                    Some(cell) => cell.shapes += 1,
                    None => cells.push(GridCell { level: level as u32, area, shapes: 1 }),
                }
            }
        }
    }
}
