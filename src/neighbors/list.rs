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

use super::{
    distances::{ListDistances, PairDistances},
    item::Item,
};
use crate::{
    Adjacency, Columns, Error, Lists, Neighbor, Options, Order, Pair,
    base::buffer::grow,
    detect::{Detect, Engine, NearPair, ResultSink, RunOptions, SearchedGrid, Targets},
    grid::{CenterLists, Grid},
    kernel::columns::CircleColumns,
    lists::CHUNK,
    narrowphase::check_margin,
    simd::{Isa, dispatch_moves},
    store::Layout,
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
    /// For distances: of each item, in the same order, the centre, the radius and the row.
    circles: Vec<[u32; 4]>,
    /// For distances: the items of all lists.
    items: Vec<Neighbor>,
    /// Where the list of each row begins and ends.
    spans: Vec<[u32; 2]>,
    /// Pairs of rows with their distances.
    near: Vec<NearPair>,
    distances: PairDistances,
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
        let Self { around, pairs, near, circles, distances, .. } = self;
        let (len, isa) = (columns.len(), options.isa);
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
            let sorted = grid.grid;
            listed = around_each(around, grid, T::HAS_DISTANCE, adjacency);
            if listed && T::HAS_DISTANCE {
                centers(sorted, circles);
            }
            listed
        };
        let sink = ResultSink::Grid(&mut read, pairs);
        Pair::detect(engine, columns, options, distance, Targets::among(sink))?;
        let layout = engine.rows_again(columns).layout;
        if listed {
            engine.grid_order(&mut self.rows);
            return self.gather(isa, len, layout, lists);
        }
        if T::HAS_DISTANCE {
            distances.fill(isa, layout, len, pairs, near);
        } else {
            near.clear();
            near.extend(pairs.iter().map(|&pair| NearPair { pair, distance: 0.0 }));
        }
        group(lists, len, near, adjacency)
    }

    /// Copies the list of each item to the list of its row.
    fn gather<T: Item>(
        &mut self,
        isa: Isa,
        len: usize,
        layout: Layout<'_>,
        lists: &mut Lists<T>,
    ) -> Result<(), Error> {
        let Self { around: CenterLists { ids, ends }, rows, circles, items, spans, .. } = self;
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
            return lists.gather(isa, found, spans, ids, |row| T::new(*row, 0.0));
        }
        // Without the padding of the grid.
        circles.truncate(rows.len());
        if !matches!(layout, Layout::Boxes(_)) {
            for [_, _, radius, row] in &mut *circles {
                *radius = layout.rounded_box(*row as usize).radius.to_bits();
            }
        }
        if let Some(behind) = ids.get_mut(found..found + CHUNK) {
            behind.fill(0);
        }
        grow(items, found + CHUNK);
        let listed = &mut items[..found];
        dispatch_moves(isa, ListDistances { circles, places: ids, ends, items: listed });
        lists.gather(isa, found, spans, items, |near| T::of(*near))
    }

    /// The bytes of memory held.
    pub(crate) fn bytes(&self) -> usize {
        let Self { around, pairs, rows, circles, items, spans, near, distances } = self;
        around.bytes()
            + pairs.capacity() * size_of::<Pair>()
            + rows.capacity() * size_of::<u32>()
            + circles.capacity() * size_of::<[u32; 4]>()
            + distances.bytes()
            + items.capacity() * size_of::<Neighbor>()
            + spans.capacity() * size_of::<[u32; 2]>()
            + near.capacity() * size_of::<NearPair>()
    }
}

/// Lists the neighbours of each item of a grid: as rows, or as places of the grid. Returns false if
/// they have to be found as pairs, because of the grid or because there are more than the limit.
fn around_each(
    around: &mut CenterLists,
    mut grid: SearchedGrid<'_>,
    places: bool,
    adjacency: Adjacency,
) -> bool {
    let SearchedGrid { options, inclusive, .. } = grid;
    let (sorted, half) = (grid.grid, adjacency == Adjacency::Half);
    let most = options.max_pairs.saturating_mul(if half { 1 } else { 2 });
    let rows = sorted.sorted.ids();
    let ids = if places { grid.places() } else { rows };
    around.fill(options.isa, sorted, ids, half.then_some(rows), inclusive, most)
}

/// Writes the centre and the row of each item of a grid of circles to `circles`.
fn centers(grid: &Grid, circles: &mut Vec<[u32; 4]>) {
    circles.clear();
    if let Layout::Circles(CircleColumns { x, y, .. }) = grid.sorted.layout(grid.form) {
        let centers = x.iter().zip(y).zip(grid.sorted.ids());
        circles.extend(centers.map(|((x, y), row)| [x.to_bits(), y.to_bits(), 0, *row]));
    }
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
