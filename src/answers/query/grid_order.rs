//! `GridOrder`: the queries of a batch in the order of the cells of the index.

use std::ops::Range;

use super::search::{IndexSearch, QueryShapes};
use crate::{
    base::{WORD_ROWS, grouping},
    grid::RegionBoxes,
};

/// Sorts queries, so that queries that read the same memory follow each other.
#[derive(Default)]
pub(super) struct GridOrder {
    boxes: RegionBoxes,
    /// The queries in the order in which they are searched.
    order: Vec<u32>,
    /// The cell of each query, and the queries in their own order.
    cells: Vec<u32>,
    unsorted: Vec<u32>,
    /// Where the queries of each part of the level begin.
    begins: Vec<u32>,
}

/// Fewer queries than this, or queries among fewer shapes, are searched in their own order.
const MIN_SORTED_QUERIES: usize = 1 << 8;

/// The parts of a level that queries are sorted by.
const PARTS_PER_LEVEL: u32 = 1 << 12;

impl GridOrder {
    /// Some queries in the order of the cells. No query may be vacant, and all queries must be in
    /// one space.
    pub(super) fn of(
        &mut self,
        search: &IndexSearch<'_>,
        batch: &QueryShapes<'_>,
        queries: impl Iterator<Item = u32>,
    ) -> &[u32] {
        self.order.clear();
        self.order.reserve(queries.size_hint().1.unwrap_or(0));
        self.order.extend(queries);
        if self.order.len().min(search.len()) >= MIN_SORTED_QUERIES {
            self.sort(search, batch);
        }
        &self.order
    }

    /// The queries of a batch that see anything, in the order of the cells; in their own order if
    /// they are not all alike. Without queries that have no shape within the distance `most`.
    pub(super) fn of_batch(
        &mut self,
        search: &IndexSearch<'_>,
        batch: &QueryShapes<'_>,
        queries: Range<usize>,
        most: impl Fn(usize) -> f32,
    ) -> &[u32] {
        let near = |query: usize| batch.is_near(query, most(query));
        if batch.are_alike() {
            let sees = |query: usize| batch.met(search, query) != 0;
            let seeing = queries.filter(|query| sees(*query) && near(*query));
            return self.of(search, batch, seeing.map(|query| query as u32));
        }
        self.order.clear();
        let held = queries.filter(|query| batch.holds(*query) && near(*query));
        self.order.extend(held.map(|query| query as u32));
        &self.order
    }

    /// Some shapes of the index, by place, in the order of the grid.
    pub(super) fn of_places(
        &mut self,
        search: &IndexSearch<'_>,
        places: impl Iterator<Item = u32>,
    ) -> &[u32] {
        let Self { order, cells, .. } = self;
        order.clear();
        order.reserve(places.size_hint().1.unwrap_or(0));
        order.extend(places);
        if order.len() >= MIN_SORTED_QUERIES {
            cells.clear();
            cells.extend_from_slice(order);
            self.sort_by_cells(search.len() as u32);
        }
        &self.order
    }

    fn sort(&mut self, search: &IndexSearch<'_>, batch: &QueryShapes<'_>) {
        let Self { boxes, order, cells, .. } = self;
        cells.clear();
        cells.reserve(order.len());
        for some in order.chunks(WORD_ROWS) {
            boxes.clear();
            for &query in some {
                boxes.push(&batch.bounds(query as usize), 0);
            }
            search.region_cells(boxes, cells);
        }
        self.sort_by_cells(search.main_cells());
    }

    /// Sorts the queries by their cells, which are below `count`.
    fn sort_by_cells(&mut self, count: u32) {
        let Self { order, cells, unsorted, begins, .. } = self;
        let shift = count.div_ceil(PARTS_PER_LEVEL).next_power_of_two().trailing_zeros();
        begins.clear();
        begins.resize(PARTS_PER_LEVEL as usize, 0);
        std::mem::swap(order, unsorted);
        order.clear();
        order.resize(unsorted.len(), 0);
        let part = |cell: &u32| (cell >> shift).min(PARTS_PER_LEVEL - 1);
        let queries = cells.iter().zip(&*unsorted);
        grouping::group(
            begins,
            queries,
            |(cell, query)| [(part(cell), *query)],
            |place, query| {
                order[place] = query;
            },
        );
    }
}
