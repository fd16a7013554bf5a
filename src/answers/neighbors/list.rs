//! Neighbour lists: all shapes within a distance of each other, and their items.
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
//! rows. So is a grid with few shapes in a cell.
//!
//! Rotated shapes and compounds are decided by their contacts, as pairs of rows, which are sorted
//! by rows directly.

use std::ops::Range;

use super::distances::{
    ITEMS_OF_LONG_LIST, ListDistances, LongListDistances, PairDistances, circle_distance,
};
use crate::{
    base::{Held, Pair, buffer::grow, held, parallel},
    detect::{Engine, More, NearPair, ResultSink, RunOptions, SearchedGrid, list_near},
    error::Error,
    filter::ListedRows,
    grid::{CenterLists, Grid, SearchedLists},
    kernel::CircleColumns,
    lists::{Adjacency, Lists},
    options::{Options, Order, uses_pool},
    query::Neighbor,
    simd::{HALF_LANES, Isa, dispatch_vectors},
    store::{Columns, Layout},
};

/// The workspace of neighbour lists.
#[derive(Debug, Default)]
pub(crate) struct NeighborWorkspace {
    /// The neighbours of each item in the order of the grid.
    around: CenterLists,
    /// The pairs, if there are no such lists; of rotated shapes, with distances.
    pairs: Vec<Pair>,
    /// The row of each item in the order of the grid; of lists in parts, of the items of a part.
    rows: Vec<u32>,
    /// The places of these items.
    places: Vec<u32>,
    /// The number of each item in that order, if a form of lists numbers the rows.
    numbers: Vec<u32>,
    /// For distances: of each item, in the same order, the centre, the radius and the row.
    circles: Vec<[u32; 4]>,
    /// For the distances of short lists: the items of all lists, and [`HALF_LANES`] more.
    items: Vec<Neighbor>,
    /// Where the list of each row begins and ends.
    spans: Vec<[u32; 2]>,
    /// Pairs of rows with their distances.
    pub(crate) near: Vec<NearPair>,
    distances: PairDistances,
}

held!(NeighborWorkspace {
    around,
    pairs,
    rows,
    places,
    numbers,
    circles,
    items,
    spans,
    near,
    distances
});

/// Which lists are to be made.
#[derive(Clone, Copy)]
pub(crate) struct ListForm<'a> {
    pub(crate) adjacency: Adjacency,
    pub(crate) distances: bool,
    /// The number of each row; without, it is the row. In half lists, neighbours have larger
    /// numbers.
    pub(crate) numbers: Option<&'a [u32]>,
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
        let result = engine
            .open(options, distance)
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
        let (len, isa) = (columns.len(), options.isa);
        let threads = uses_pool(options.threads, len);
        if !T::HAS_DISTANCE && !columns.rotates() {
            if self.list_rows(engine, options, columns, distance, adjacency, lists)? {
                return Ok(());
            }
            return group(lists, len, &self.pairs, adjacency, |pair| (*pair, 0.0));
        }
        let form = ListForm { adjacency, distances: true, numbers: None };
        if !self.find(engine, options, columns, distance, Some(form))? {
            return group(lists, len, &self.near, adjacency, |near| (near.pair, near.distance));
        }
        if !threads && self.has_long_lists() {
            let lengths = self.lists().map(|(row, [begin, end])| (row, end - begin));
            let (starts, items) = lists.shape(len, lengths)?;
            let items: &mut [[u32; 2]] = bytemuck::cast_slice_mut(T::measured(items));
            self.write_lists(isa, starts, items);
            return Ok(());
        }
        engine.ask_more(More::Neighbors, self.around.found(), 24)?;
        self.list_items(isa, len, threads);
        let Self { around, items, spans, .. } = self;
        let (found, run) = (around.found(), (isa, threads));
        lists.gather(run, (0, found), spans, items, |near| T::of(*near))?;
        lists.end_items();
        Ok(())
    }

    /// Replaces the content of `lists` by the neighbours of each row, without distances. Returns
    /// false if only `pairs` has them.
    ///
    /// Long lists are made in parts, by ranges of rows. So the lists in the order of the grid are a
    /// part of all lists at a time.
    fn list_rows<T: Item>(
        &mut self,
        engine: &mut Engine,
        options: RunOptions<'_>,
        columns: Columns<'_>,
        distance: f32,
        adjacency: Adjacency,
        lists: &mut Lists<T>,
    ) -> Result<bool, Error> {
        let Self { around, pairs, rows, numbers, places, spans, .. } = self;
        let (len, threads) = (columns.len(), uses_pool(options.threads, columns.len()));
        let form = ListForm { adjacency, distances: false, numbers: None };
        engine.ask_more(More::Rows, len, 80)?;
        let mut listed = Ok(false);
        let mut read = |mut grid: SearchedGrid<'_>| {
            let (all, items) = (grid.grid.sorted.ids(), grid.grid.sorted.items(0));
            let parts = if threads { 1 } else { CenterLists::parts(grid.grid) };
            let mut before = 0;
            for number in 0..parts {
                let part = parallel::part(len, parts, number);
                let in_part = |place: &u32| part.contains(&(all[*place as usize] as usize));
                rows.clear();
                places.clear();
                if parts == 1 {
                    rows.extend_from_slice(&all[items.clone()]);
                } else {
                    places.extend((items.start as u32..items.end as u32).filter(in_part));
                    rows.extend(places.iter().map(|place| all[*place as usize]));
                }
                let some = (parts > 1).then_some([&places[..], &rows[..]]);
                if !around_each(around, &mut grid, form, numbers, (some, before)) {
                    return false;
                }
                locate(part.clone(), rows, around, spans);
                let (found, run) = (around.found(), (options.isa, threads));
                let gathered = lists
                    .gather(run, (part.start, found), spans, &around.ids, |row| T::new(*row, 0.0));
                before += found;
                if gathered.is_err() {
                    listed = gathered.map(|()| true);
                    return true;
                }
            }
            lists.end_items();
            listed = Ok(true);
            true
        };
        let sink = ResultSink::Grid(&mut read, pairs);
        engine.detect(options, columns.into(), distance, sink, None)?;
        listed
    }

    /// Finds the neighbours of all shapes. Returns true if `around` has their lists, in the order
    /// of the grid, `rows` the row of each list, and `circles` the circles to compute distances.
    ///
    /// Else `near` has the pairs: without a form, for rotated shapes, and for grids that are not
    /// read so.
    ///
    /// # Errors
    /// The errors of [`Engine::detect`].
    pub(crate) fn find(
        &mut self,
        engine: &mut Engine,
        options: RunOptions<'_>,
        columns: Columns<'_>,
        distance: f32,
        form: Option<ListForm<'_>>,
    ) -> Result<bool, Error> {
        let Self { around, pairs, near, circles, numbers, distances, .. } = self;
        let (len, isa) = (columns.len(), options.isa);
        engine.ask_more(More::Rows, len, 80)?;
        if columns.rotates() {
            near.clear();
            list_near(engine, options, columns.into(), distance, pairs, near)?;
            return Ok(false);
        }
        let mut listed = false;
        let mut read = |mut grid: SearchedGrid<'_>| {
            let (sorted, whole) = (grid.grid, (None, 0));
            listed = form.is_some_and(|form| around_each(around, &mut grid, form, numbers, whole));
            if listed {
                centers(sorted, circles);
            }
            listed
        };
        let sink = ResultSink::Grid(&mut read, pairs);
        engine.detect(options, columns.into(), distance, sink, None)?;
        engine.ask_more(More::Neighbors, pairs.len(), 24)?;
        let layout = engine.rows_again(columns).layout;
        if listed {
            engine.grid_order(&mut self.rows);
            self.take_radii(layout, uses_pool(options.threads, len));
        } else {
            distances.fill(isa, layout, len, pairs, near);
        }
        Ok(listed)
    }

    /// After lists with distances were found, writes the items of all lists to `items`, and where
    /// the list of each of `len` rows is to `spans`.
    fn list_items(&mut self, isa: Isa, len: usize, threads: bool) {
        let Self { around, rows, spans, circles, items, .. } = self;
        locate(0..len, rows, around, spans);
        let found = around.found();
        grow(items, found + HALF_LANES);
        around.pad();
        let (CenterLists { ids: places, ends, .. }, items) = (&*around, &mut items[..found]);
        let owners = &circles[..ends.len()];
        let all = ListDistances { isa, circles, owners, places, begin: 0, ends, items };
        parallel::run(all, threads);
    }

    /// The number of items of the lists that were found.
    pub(crate) fn found(&self) -> usize {
        self.around.found()
    }

    /// Whether the lists are so long that [`write_lists`](Self::write_lists) is faster than
    /// [`list_items`](Self::list_items) and a copy of the items.
    fn has_long_lists(&self) -> bool {
        let around = &self.around;
        around.found() >= ITEMS_OF_LONG_LIST * around.ends.len()
    }

    /// The row of each list, and where the list begins and ends among all items, in the order of
    /// the grid.
    pub(crate) fn lists(&self) -> impl Iterator<Item = (u32, [usize; 2])> {
        let mut begin = 0;
        self.rows.iter().zip(&self.around.ends).map(move |(&row, &end)| {
            let end = end as usize;
            (row, [std::mem::replace(&mut begin, end), end])
        })
    }

    /// After lists with distances were found, the neighbours in rows below `rows` of a list, by its
    /// number, its begin and its end.
    pub(crate) fn list_below(
        &self,
        list: usize,
        [begin, end]: [usize; 2],
        rows: u32,
    ) -> impl Iterator<Item = Neighbor> {
        let Self { around, circles, .. } = self;
        let own = &circles[list];
        let others = around.ids[begin..end].iter().map(|place| &circles[*place as usize]);
        others
            .filter(move |other| other[3] < rows)
            .map(move |other| Neighbor { row: other[3], distance: circle_distance([own, other]) })
    }

    /// After lists with distances were found, writes the items of each list from the place in
    /// `starts` of its row on, and no list of a row beyond `starts`. An item is the row, the
    /// distance, and zeros up to `WORDS` words.
    pub(crate) fn write_lists<const WORDS: usize>(
        &mut self,
        isa: Isa,
        starts: &[usize],
        items: &mut [[u32; WORDS]],
    ) {
        let Self { around, circles, .. } = self;
        around.pad();
        let CenterLists { ids: places, ends, .. } = &*around;
        dispatch_vectors(isa, LongListDistances { circles, places, ends, starts, items });
    }

    /// Completes the circles, which have no radii yet.
    fn take_radii(&mut self, layout: Layout<'_>, threads: bool) {
        let Self { rows, circles, .. } = self;
        // Without the padding of the grid.
        circles.truncate(rows.len());
        if !matches!(layout, Layout::Boxes(_)) {
            parallel::change(circles, threads, &|_, [_, _, radius, row]: &mut [u32; 4]| {
                *radius = layout.rounded_box(*row as usize).radius.to_bits();
            });
        }
    }
}

/// Says where the list of each row of `part` is. `rows` has the row of each list.
fn locate(part: Range<usize>, rows: &[u32], around: &CenterLists, spans: &mut Vec<[u32; 2]>) {
    // Vacant rows have empty lists.
    spans.clear();
    spans.resize(part.len(), [0, 0]);
    let mut begin = 0;
    for (&row, &end) in rows.iter().zip(&around.ends) {
        spans[row as usize - part.start] = [begin, end];
        begin = end;
    }
}

/// So many items of each list may be listed before they are decided.
const LISTED_PER_LIST: usize = 128;

/// Lists the neighbours of each item of a grid: as rows, or as places of the grid; of all items, or
/// of some places with these rows, after so many neighbours of other items. Returns false if they
/// have to be found as pairs, because of the grid or because there are more than the limit.
fn around_each(
    around: &mut CenterLists,
    grid: &mut SearchedGrid<'_>,
    form: ListForm<'_>,
    numbers: &mut Vec<u32>,
    (some, before): (Option<[&[u32]; 2]>, usize),
) -> bool {
    let SearchedGrid { options, inclusive, grown, .. } = *grid;
    let (sorted, half) = (grid.grid, form.adjacency == Adjacency::Half);
    // With no more than 2^31 items, their list has room for as many again.
    let most = options.max_pairs.saturating_mul(if half { 1 } else { 2 }).min(1 << 31);
    let Some(most) = most.checked_sub(before) else { return false };
    let rows = sorted.sorted.ids();
    let ids = if form.distances { grid.places() } else { rows };
    let mut below = rows;
    if let Some(of) = form.numbers.filter(|_| half) {
        numbers.clear();
        // The padding of the grid has no rows.
        numbers.extend(rows.iter().map(|row| of.get(*row as usize).copied().unwrap_or(0)));
        below = numbers;
    }
    let threads = uses_pool(options.threads, sorted.sorted.items(0).len());
    let (isa, places) = (options.isa, some.map(|[places, _]| places));
    let search = SearchedLists { isa, grid: sorted, ids, inclusive, threads, grown, places };
    let below = half.then_some(below);
    if around.fill(search, below, most) {
        return true;
    }
    // If the predicate is asked about most items, they are listed first and then decided, unless
    // they are many because shapes are far from most other shapes.
    let Some(retain) = grown.and_then(|predicate| predicate.lists).filter(|_| !form.distances)
    else {
        return false;
    };
    let of = some.map_or(&rows[sorted.sorted.items(0)], |[_, rows]| rows);
    let listed = SearchedLists { grown: None, ..search };
    if !around.fill(listed, below, most.min(LISTED_PER_LIST * of.len() + (1 << 20))) {
        return false;
    }
    let CenterLists { ids, ends, .. } = around;
    retain(ListedRows { of, items: ids, ends });
    true
}

impl Held for CenterLists {
    fn bytes(&self) -> usize {
        self.bytes()
    }
}

impl CenterLists {
    /// Makes the values behind the last list places of the grid.
    fn pad(&mut self) {
        let found = self.found();
        if let Some(behind) = self.ids.get_mut(found..found + HALF_LANES) {
            behind.fill(0);
        }
    }

    /// The number of items of all lists.
    fn found(&self) -> usize {
        self.ends.last().map_or(0, |end| *end as usize)
    }
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
fn group<T: Item, P>(
    lists: &mut Lists<T>,
    rows: usize,
    found: &[P],
    adjacency: Adjacency,
    measured: impl Fn(&P) -> (Pair, f32),
) -> Result<(), Error> {
    let items = |found: &P| {
        let (Pair { a, b }, distance) = measured(found);
        [(a, T::new(b, distance)), (b, T::new(a, distance))]
    };
    match adjacency {
        Adjacency::Full => lists.group(rows, found, items),
        Adjacency::Half => lists.group(rows, found, |found| [items(found)[0]]),
    }
}

/// An item of a neighbour list.
pub(crate) trait Item: Copy + Default + Send {
    /// Whether the item has a distance. If not, no distance is computed.
    const HAS_DISTANCE: bool;

    fn new(row: u32, distance: f32) -> Self;
    fn of(near: Neighbor) -> Self;
    fn row(&self) -> u32;
    /// The items, or none if they have no distances.
    fn measured(items: &mut [Self]) -> &mut [Neighbor];
}

impl Item for u32 {
    const HAS_DISTANCE: bool = false;

    #[inline]
    fn new(row: u32, _: f32) -> Self {
        row
    }

    #[inline]
    fn of(near: Neighbor) -> Self {
        near.row
    }

    #[inline]
    fn row(&self) -> u32 {
        *self
    }

    #[inline]
    fn measured(_: &mut [Self]) -> &mut [Neighbor] {
        &mut []
    }
}

impl Item for Neighbor {
    const HAS_DISTANCE: bool = true;

    #[inline]
    fn new(row: u32, distance: f32) -> Self {
        Self { row, distance }
    }

    #[inline]
    fn of(near: Neighbor) -> Self {
        near
    }

    #[inline]
    fn row(&self) -> u32 {
        self.row
    }

    #[inline]
    fn measured(items: &mut [Self]) -> &mut [Neighbor] {
        items
    }
}
