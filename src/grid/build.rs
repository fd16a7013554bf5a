//! All steps from columns to sorted cells, in order.

use super::{
    plan::{
        CellSize, Cells, GridLevels, MAX_LEVELS, Plan, PlanInput, Replan, Sample,
        sample::golden_row,
    },
    search::NeighborLists,
    sort::{BodyLayout, Ids, LayoutKind, Partition, RecordSource, Sorted, with_layout_kind},
};
use crate::{
    kernel::columns::ColumnSet,
    simd::{Isa, MAX_LANES, Scalar},
    store::Extent,
};

/// So many bodies are sorted in one step: it scatters to places that are still in a cache, and that can be asked for in
/// time; fewer on CPUs that cannot ask (measured, docs/performance-log.md).
const ONE_STEP: usize = if cfg!(target_arch = "x86_64") { 3 << 16 } else { 1 << 15 };

/// How often a plan is made again at most. Twice, for clusters of clusters.
const MOST_AGAIN: usize = 2;

/// How many places of the input are looked at to find out whether it is nearly sorted.
const PROBES: u64 = 64;

/// The grid over one scene.
#[derive(Debug, Default)]
pub(crate) struct Grid {
    /// The instance that was sorted.
    pub(crate) form: LayoutKind,
    pub(crate) plan: Plan,
    pub(crate) sorted: Sorted,
    /// Of each level, if they were asked for and are worth it.
    pub(crate) neighbor_lists: [NeighborLists; MAX_LEVELS],
    sample: Sample,
}

/// Bodies to lay a grid over, and how.
pub(crate) struct BuildInput<'a, C> {
    pub(crate) isa: Isa,
    /// Columns whose values have been checked.
    pub(crate) set: C,
    pub(crate) ids: Ids<'a>,
    /// At least one.
    pub(crate) count: usize,
    pub(crate) extent: Extent,
    pub(crate) cell_size: CellSize,
    pub(crate) levels: &'a GridLevels,
    /// Whether other bodies will look for the cells that they cover.
    pub(crate) searched: bool,
    /// Whether they are to find halos, too.
    pub(crate) neighbor_lists: bool,
    pub(crate) threads: bool,
}

impl Grid {
    /// Lays the grid and sorts the bodies into it.
    pub(crate) fn build<I: BodyLayout, C: RecordSource<I>>(
        &mut self,
        site: &BuildInput<'_, C>,
        partition: &mut Partition,
    ) {
        let BuildInput {
            isa,
            set,
            count,
            cell_size,
            levels,
            searched,
            neighbor_lists,
            threads,
            ..
        } = *site;
        let brief = PlanInput { extent: &site.extent, count, cell_size, levels, searched };
        self.form = I::FORM;
        self.plan = Plan::new(&brief, set, &mut self.sample);
        for left in (0..=MOST_AGAIN).rev() {
            self.sort::<I, C>(site, partition);
            if left == 0 {
                break;
            }
            let Self { plan, sorted, sample, .. } = self;
            let Some(replan) = Replan::of::<I>(sorted, plan, &brief, sample) else { break };
            *plan = Plan::again(&brief, sample, &replan);
        }
        if searched || self.plan.levels().len() > 1 {
            if !searched {
                self.sorted.make_zeros(self.form);
            }
            self.sorted.measure::<I>(isa, &self.plan, threads);
        }
        for (level, halos_of) in self.neighbor_lists.iter_mut().enumerate() {
            halos_of.clear();
            if searched
                && neighbor_lists
                && let Some(cells) = self.plan.levels().get(level)
            {
                halos_of.list::<I>(isa, &self.sorted, level, cells);
            }
        }
    }

    /// Sorts the bodies as the plan says.
    fn sort<I: BodyLayout, C: RecordSource<I>>(
        &mut self,
        site: &BuildInput<'_, C>,
        partition: &mut Partition,
    ) {
        let BuildInput { isa, set, ids, count, threads, .. } = *site;
        if !threads && (count < ONE_STEP || nearly_sorted(&self.plan, set, count)) {
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

    /// About how large the bodies of `level` are along x and y, in units of length: see [`Sorted::typical_size`].
    pub(crate) fn typical_size(&self, level: usize) -> [f64; 2] {
        with_layout_kind!(self.form, I => self.sorted.typical_size::<I>(level))
    }

    /// Forgets all bodies and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.plan = Plan::default();
    }

    /// Writes the rows of all bodies to `order`, in the order of the grid.
    pub(crate) fn order(&self, order: &mut Vec<u32>) {
        order.clear();
        for level in 0..self.plan.levels().len() {
            order.extend_from_slice(self.sorted.ids_of(self.sorted.bodies(level)));
        }
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        let neighbor_lists: usize = self.neighbor_lists.iter().map(NeighborLists::bytes).sum();
        self.sorted.bytes() + neighbor_lists + self.sample.bytes()
    }
}

/// Whether most bodies are within a few rows of cells of the body before them. One step then
/// scatters to places that the cache still holds, however large the scene (measured,
/// docs/performance-log.md). A function of the input alone, as all that decides about the grid is.
fn nearly_sorted<C: ColumnSet>(plan: &Plan, set: C, count: usize) -> bool {
    let stride = plan.levels().iter().map(Cells::stride).max().unwrap_or(1);
    let near = |probe: &u64| {
        let mut cells = [0; 2 + MAX_LANES];
        plan.locate(Scalar, set, golden_row(*probe, count - 1), 2, &mut cells);
        cells[0].abs_diff(cells[1]) as usize <= 4 * stride
    };
    (0..PROBES).filter(near).count() as u64 > PROBES * 6 / 10
}
