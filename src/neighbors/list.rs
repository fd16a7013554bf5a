//! Neighbour lists: all shapes within a distance of each other.
//!
//! Axis-aligned shapes, in plain words:
//!
//! ```text
//! for each shape, in the order of the grid: list its neighbours                 (Around)
//! for each row: copy its list
//! ```
//!
//! The lists are made where the shapes are near each other in memory, and only the copy goes to
//! distant places, once for each shape.
//!
//! A grid of several levels, or of helical cells, is searched for pairs, which are then sorted by
//! rows.
//!
//! Rotated shapes and compounds are decided by their contacts, as pairs of rows, which are sorted
//! by rows directly.

use super::item::Item;
use crate::{
    Adjacency, Columns, Error, Lists, Neighbor, Options, Order, Pair,
    base::buffer::grow,
    detect::{Detect, Engine, NearPair, ResultSink, RunOptions, SearchedGrid, Targets},
    geometry::box_distance,
    grid::CenterLists,
    lists::CHUNK,
    narrowphase::check_margin,
    shape::RoundedBox,
    simd::Isa,
};

/// The workspace of neighbour lists.
#[derive(Debug, Default)]
pub(crate) struct NeighborWorkspace {
    /// The neighbours of each item in the order of the grid.
    around: CenterLists,
    /// The pairs, if there are no such lists.
    pairs: Vec<Pair>,
    /// The row of each item in the order of the grid.
    rows: Vec<u32>,
    /// For distances: the shape of each item, in the same order.
    boxes: Vec<RoundedBox>,
    /// For distances: the items of all lists.
    items: Vec<Neighbor>,
    /// Where the list of each row begins and ends.
    spans: Vec<[u32; 2]>,
    /// Pairs of rows with their distances.
    near: Vec<NearPair>,
}

impl NeighborWorkspace {
    /// Replaces the content of `lists` by the neighbours of each row.
    pub(crate) fn list<T: Item>(
        &mut self,
        engine: &mut Engine,
        options: &Options,
        columns: Columns<'_>,
        distance: f32,
        adjacency: Adjacency,
        lists: &mut Lists<T>,
    ) -> Result<(), Error> {
        engine.begin(options.timings);
        let result = check_margin(distance)
            .and_then(|()| RunOptions::of(options))
            .and_then(|run| self.fill(engine, run, columns, distance, adjacency, lists));
        if result.is_err() {
            lists.clear();
        }
        if options.order == Order::Sorted {
            for list in lists.iter_mut() {
                list.sort_unstable_by_key(|item| item.row());
            }
        }
        engine.end_finish();
        result
    }

    fn fill<T: Item>(
        &mut self,
        engine: &mut Engine,
        options: RunOptions<'_>,
        columns: Columns<'_>,
        distance: f32,
        adjacency: Adjacency,
        lists: &mut Lists<T>,
    ) -> Result<(), Error> {
        let Self { around, pairs, near, .. } = self;
        let len = columns.len();
        if columns.rotates() {
            NearPair::detect(
                engine,
                columns,
                options,
                distance,
                Targets::among(ResultSink::List(near)),
            )?;
            return group(lists, len, near, adjacency);
        }
        let mut listed = false;
        let mut read = |grid: SearchedGrid<'_>| {
            listed = around_each(around, grid, T::HAS_DISTANCE);
            listed
        };
        let sink = ResultSink::Grid(&mut read, pairs);
        Pair::detect(engine, columns, options, distance, Targets::among(sink))?;
        let layout = engine.rows_again(columns).layout;
        let shape = |row: u32| layout.rounded_box(row as usize);
        if !listed {
            near.clear();
            near.extend(pairs.iter().map(|&pair| {
                let apart = |Pair { a, b }| box_distance(shape(a), shape(b));
                NearPair { pair, distance: if T::HAS_DISTANCE { apart(pair) } else { 0.0 } }
            }));
            return group(lists, len, near, adjacency);
        }
        engine.grid_order(&mut self.rows);
        self.gather(options.isa, len, shape, adjacency, lists)
    }

    /// Copies the list of each item to the list of its row.
    fn gather<T: Item>(
        &mut self,
        isa: Isa,
        len: usize,
        shape: impl Fn(u32) -> RoundedBox,
        adjacency: Adjacency,
        lists: &mut Lists<T>,
    ) -> Result<(), Error> {
        let Self { around: CenterLists { ids, ends }, rows, boxes, items, spans, .. } = self;
        // Vacant rows have empty lists.
        spans.clear();
        spans.resize(len, [0, 0]);
        let mut begin = 0;
        for (&row, &end) in rows.iter().zip(&*ends) {
            spans[row as usize] = [begin, end];
            begin = end;
        }
        let found = begin as usize;
        if !T::HAS_DISTANCE {
            return lists
                .gather(isa, found, spans, ids, adjacency, |row| (*row, T::new(*row, 0.0)));
        }
        boxes.clear();
        boxes.extend(rows.iter().map(|row| shape(*row)));
        grow(items, found + CHUNK);
        let mut at = 0;
        for (own, &end) in boxes.iter().zip(&*ends) {
            while at < end as usize {
                let other = ids[at] as usize;
                let distance = box_distance(*own, boxes[other]);
                items[at] = Neighbor { row: rows[other], distance };
                at += 1;
            }
        }
        let item = |near: &Neighbor| (near.row, T::new(near.row, near.distance));
        lists.gather(isa, found, spans, items, adjacency, item)
    }

    /// The bytes of memory held.
    pub(crate) fn bytes(&self) -> usize {
        let Self { around, pairs, rows, boxes, items, spans, near } = self;
        around.bytes()
            + pairs.capacity() * size_of::<Pair>()
            + rows.capacity() * size_of::<u32>()
            + boxes.capacity() * size_of::<RoundedBox>()
            + items.capacity() * size_of::<Neighbor>()
            + spans.capacity() * size_of::<[u32; 2]>()
            + near.capacity() * size_of::<NearPair>()
    }
}

/// Lists the neighbours of each item of a grid: as rows, or as places of the grid. Returns false if
/// they have to be found as pairs, because of the grid or because there are more than the limit.
fn around_each(around: &mut CenterLists, mut grid: SearchedGrid<'_>, places: bool) -> bool {
    let SearchedGrid { options, inclusive, .. } = grid;
    let most = options.max_pairs.saturating_mul(2);
    let sorted = grid.grid;
    let ids = if places { grid.places() } else { sorted.sorted.ids() };
    around.fill(options.isa, sorted, ids, inclusive, most)
}

/// Replaces `lists` by the lists of some pairs.
fn group<T: Item>(
    lists: &mut Lists<T>,
    rows: usize,
    near: &[NearPair],
    adjacency: Adjacency,
) -> Result<(), Error> {
    let items = |&NearPair { pair: Pair { a, b }, distance }: &NearPair| {
        [(a, T::new(b, distance)), (b, T::new(a, distance))]
    };
    match adjacency {
        Adjacency::Full => lists.group(rows, near, items),
        Adjacency::Half => lists.group(rows, near, |near| [items(near)[0]]),
    }
}
