//! All steps from columns to sorted cells, in order.

use super::{
    Brief, CellSize, Ids, Instance, Levels, Partition, Plan, RecordSource, Sample, Sorted,
};
use crate::{simd::Isa, store::Extent};

/// Bodies from which on the sort takes two steps: below, what one step scatters to fits into the
/// second-level cache (measured, docs/performance.md).
const PARTITION_BODIES: usize = 1 << 14;

/// The grid over one scene.
#[derive(Debug, Default)]
pub(crate) struct Grid {
    pub(crate) plan: Plan,
    pub(crate) sorted: Sorted,
    sample: Sample,
}

/// Bodies to lay a grid over, and how.
pub(crate) struct Site<'a, C> {
    pub(crate) isa: Isa,
    /// Columns whose values have been checked.
    pub(crate) set: C,
    pub(crate) ids: Ids<'a>,
    /// At least one.
    pub(crate) count: usize,
    pub(crate) extent: Extent,
    pub(crate) cell_size: CellSize,
    pub(crate) levels: &'a Levels,
    /// Whether other bodies will look for the cells that they cover.
    pub(crate) searched: bool,
    pub(crate) threads: bool,
}

impl Grid {
    /// Lays the grid and sorts the bodies into it.
    pub(crate) fn build<I: Instance, C: RecordSource<I>>(
        &mut self,
        site: &Site<'_, C>,
        partition: &mut Partition<I>,
    ) {
        let Site { isa, set, ids, count, cell_size, levels, searched, threads, .. } = *site;
        self.sample.take(set, count);
        let brief = Brief { extent: &site.extent, count, cell_size, levels, searched };
        self.plan = Plan::new(&brief, &mut self.sample);
        if count < PARTITION_BODIES && !threads {
            self.sorted.fill_directly(isa, &self.plan, set, ids, count);
        } else {
            partition.fill(isa, &self.plan, set, ids, count, threads);
            self.sorted.fill(&self.plan, partition, threads);
        }
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.sorted.bytes() + self.sample.bytes()
    }
}
