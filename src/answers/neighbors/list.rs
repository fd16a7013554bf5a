//! Neighbour lists: all shapes within a distance of each other, and their items.
//!
//! Axis-aligned shapes, in plain words:
//!
//! ```text
//! for each part of the rows:
//!     for each shape of the part, in the order of the grid: list its neighbours (CenterLists)
//!     for each row: copy its list; or for each list: write its items with distances to its row
//! ```
//!
//! The lists are made where the shapes are near each other in memory, and only the copy goes to
//! distant places, once for each shape. The lists in the order of the grid are a quarter of all
//! lists at a time; of long lists, an eighth.
//!
//! A grid of several levels, or of helical cells, is searched for pairs, which are then sorted by
//! rows. So is a grid with few shapes in a cell.
//!
//! Rotated shapes and compounds are decided by their contacts, as pairs of rows, which are sorted
//! by rows directly.

use std::ops::Range;

use bytemuck::{Pod, cast_slice_mut};

use super::distances::{ListDistances, PairDistances, circle_distance};
use crate::{
    base::{Pair, TASK_LISTS, grouping::group as group_by, held, parallel},
    detect::{Engine, More, NearPair, NearPairs, ResultSink, RunOptions, SearchedGrid, list_near},
    error::Error,
    filter::ListedRows,
    grid::{CenterLists, Grid, SearchedLists},
    kernel::CircleColumns,
    lists::{Adjacency, Lists},
    options::{Options, Order, uses_pool},
    query::Neighbor,
    simd::{HALF_LANES, Isa},
    store::{Columns, Layout},
};

/// The workspace of neighbour lists.
#[derive(Debug, Default)]
pub(crate) struct NeighborWorkspace {
    /// The neighbours of each item in the order of the grid.
    pub(crate) around: CenterLists,
    /// The pairs, if there are no such lists; of rotated shapes, with distances.
    pairs: Vec<Pair>,
    /// The row of each item in the order of the grid; of lists in parts, of the items of a part.
    rows: Vec<u32>,
    /// The places of the items, part by part.
    places: Vec<u32>,
    /// The number of each item in that order, if a form of lists numbers the rows.
    numbers: Vec<u32>,
    /// For distances: of each item, in the same order, the centre, the radius and the row.
    pub(crate) circles: Vec<[u32; 4]>,
    /// The circles of a part.
    owners: Vec<[u32; 4]>,
    /// Where the list of each row of a part begins and ends.
    spans: Vec<[u32; 2]>,
    /// Pairs of rows with their distances.
    pub(crate) near: NearPairs,
    distances: PairDistances,
}

held!(NeighborWorkspace {
    around,
    pairs,
    rows,
    places,
    numbers,
    circles,
    owners,
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
            .and_then(|run| self.fill(engine, run, columns, distance, adjacency, lists))
            .inspect_err(|_| lists.clear());
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
        if !columns.rotates() {
            if self.list_rows(engine, options, columns, distance, adjacency, lists)? {
                return Ok(());
            }
            if !T::HAS_DISTANCE {
                let pairs = self.pairs.iter().map(|pair| NearPair { pair: *pair, distance: 0.0 });
                return group(lists, len, (self.pairs.len(), pairs), adjacency);
            }
            let Self { pairs, near, distances, .. } = self;
            engine.ask_more(More::Neighbors, pairs.len(), 24)?;
            distances.fill(isa, engine.rows_again(columns).layout, len, pairs, near);
        } else {
            self.list_turned(engine, options, columns, distance, T::HAS_DISTANCE)?;
        }
        group(lists, len, (self.near.len(), self.near.iter()), adjacency)
    }

    /// Replaces the content of `lists` by the neighbours of each row. Returns false if only `pairs`
    /// has them.
    ///
    /// The lists are made in parts, by ranges of rows.
    fn list_rows<T: Item>(
        &mut self,
        engine: &mut Engine,
        options: RunOptions<'_>,
        columns: Columns<'_>,
        distance: f32,
        adjacency: Adjacency,
        lists: &mut Lists<T>,
    ) -> Result<bool, Error> {
        let Self { around, pairs, rows, numbers, places, spans, circles, owners, .. } = self;
        let (len, threads) = (columns.len(), uses_pool(options.threads, columns.len()));
        let form = ListForm { adjacency, distances: T::HAS_DISTANCE, numbers: None };
        engine.ask_more(More::Rows, len, 80)?;
        let (run, mut listed) = ((options.isa, threads), Ok(false));
        let mut read = |mut grid: SearchedGrid<'_>| {
            let parts = CenterLists::parts(grid.grid, grid.inclusive);
            if parts == 0 {
                return false;
            }
            if T::HAS_DISTANCE {
                circles_of(&grid, threads, circles);
            }
            let ends = place_parts(grid.grid, (len, parts), places);
            let all = grid.grid.sorted.ids();
            let mut before = 0;
            for number in 0..parts {
                let part = parallel::part(len, parts, number);
                let places = &places[ends[number]..ends[number + 1]];
                rows.clear();
                rows.extend(places.iter().map(|place| all[*place as usize]));
                if !around_each(around, &mut grid, form, numbers, (Some([places, rows]), before)) {
                    return false;
                }
                locate(part.clone(), rows, around, spans);
                let found = around.found();
                if number == 0 {
                    lists.expect(found * parts);
                }
                let gathered = if T::HAS_DISTANCE {
                    owners.clear();
                    owners.extend(places.iter().map(|place| circles[*place as usize]));
                    lists.shape_part(part.start, spans).map(|(starts, items)| {
                        let (run, circles) = ((run, part.start), [&**circles, owners]);
                        around.write::<2>(run, circles, starts, cast_slice_mut(items));
                    })
                } else {
                    lists.gather(run, part.start, spans, &around.ids, |row| T::new(*row, 0.0))
                };
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
        let Self { around, pairs, near, rows, circles, numbers, distances, .. } = self;
        let (len, isa) = (columns.len(), options.isa);
        engine.ask_more(More::Rows, len, 80)?;
        if columns.rotates() {
            self.list_turned(engine, options, columns, distance, true)?;
            return Ok(false);
        }
        let mut listed = false;
        let threads = uses_pool(options.threads, len);
        let mut read = |mut grid: SearchedGrid<'_>| {
            listed = CenterLists::parts(grid.grid, grid.inclusive) > 0
                && form
                    .is_some_and(|form| around_each(around, &mut grid, form, numbers, (None, 0)));
            if listed {
                let sorted = &grid.grid.sorted;
                rows.clear();
                rows.extend_from_slice(&sorted.ids()[sorted.items(0)]);
                circles_of(&grid, threads, circles);
            }
            listed
        };
        let sink = ResultSink::Grid(&mut read, pairs);
        engine.detect(options, columns.into(), distance, sink, None)?;
        if !listed {
            engine.ask_more(More::Neighbors, pairs.len(), 24)?;
            distances.fill(isa, engine.rows_again(columns).layout, len, pairs, near);
        }
        Ok(listed)
    }

    /// Replaces `near` by the pairs of rotated shapes, `measured` if distances are wanted.
    fn list_turned(
        &mut self,
        engine: &mut Engine,
        options: RunOptions<'_>,
        columns: Columns<'_>,
        distance: f32,
        measured: bool,
    ) -> Result<(), Error> {
        let (threads, Self { pairs, near, .. }) = (uses_pool(options.threads, columns.len()), self);
        near.clear();
        list_near(engine, (options, threads), columns.into(), distance, pairs, &mut |words| {
            let fits = near.make_room(words.len());
            if fits {
                for words in words {
                    near.push(NearPair::of(words), measured);
                }
            }
            fits
        })
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
}

/// Writes the places of all items of a grid to `places`: part by part of the rows, and ascending in
/// each part. Returns where each part begins, and where the last one ends.
fn place_parts(
    Grid { sorted, .. }: &Grid,
    (len, parts): (usize, usize),
    places: &mut Vec<u32>,
) -> [usize; CenterLists::MOST_PARTS + 1] {
    let (all, items) = (sorted.ids(), sorted.items(0));
    places.clear();
    places.resize(items.len(), 0);
    let later = [1, 2, 3, 4, 5, 6, 7];
    let later = later.map(|number| parallel::part(len, parts, number).start as u32);
    let of = |place: u32| {
        let row = all[place as usize];
        [(later.iter().map(|begin| u32::from(row >= *begin)).sum(), place)]
    };
    let mut ends = [0; CenterLists::MOST_PARTS + 1];
    let items = items.start as u32..items.end as u32;
    group_by(&mut ends[1..=parts], items, of, |at, place| places[at] = place);
    ends
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
    let SearchedGrid { options, grown, .. } = *grid;
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
    let search = SearchedLists { isa, grid: sorted, ids, threads, grown, places };
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

impl CenterLists {
    /// Writes the items of the lists of some rows, from the first row on: each list from its place in
    /// `starts` on, which also says where the last one ends. An item is the row, the distance, and
    /// zeros up to `WORDS` words. The lists are of places: see [`ListDistances`].
    pub(crate) fn write<const WORDS: usize>(
        &mut self,
        ((isa, threads), first): ((Isa, bool), usize),
        [circles, owners]: [&[[u32; 4]]; 2],
        starts: &[usize],
        items: &mut [[u32; WORDS]],
    ) {
        // A read behind the last list has to find a place of the grid.
        let found = self.found();
        if let Some(behind) = self.ids.get_mut(found..found + HALF_LANES) {
            behind.fill(0);
        }
        let (Self { ids: places, ends, .. }, rows) = (self, first..first + starts.len() - 1);
        let task = rows.len().div_ceil(parallel::threads()).max(TASK_LISTS);
        let all = ListDistances { isa, circles, owners, places, ends, rows, task, starts, items };
        parallel::run(all, threads);
    }

    /// The number of items of all lists.
    pub(crate) fn found(&self) -> usize {
        self.ends.last().map_or(0, |end| *end as usize)
    }
}

/// Writes the circle at each place of a grid of circles to `circles`: the centre, the radius as it
/// was given, and the row.
fn circles_of(grid: &SearchedGrid<'_>, threads: bool, circles: &mut Vec<[u32; 4]>) {
    let (Grid { sorted, form, .. }, given) = (grid.grid, grid.given);
    circles.clear();
    if let Layout::Circles(CircleColumns { x, y, .. }) = sorted.layout(*form) {
        let centers = x.iter().zip(y).zip(&sorted.ids()[..sorted.items(0).end]);
        circles.extend(centers.map(|((x, y), row)| [x.to_bits(), y.to_bits(), 0, *row]));
    }
    if !matches!(given, Layout::Boxes(_)) {
        parallel::change(circles, threads, &|_, [_, _, radius, row]: &mut [u32; 4]| {
            *radius = given.rounded_box(*row as usize).radius.to_bits();
        });
    }
}

/// Replaces `lists` by the lists of some pairs.
fn group<T: Item>(
    lists: &mut Lists<T>,
    rows: usize,
    (len, found): (usize, impl Iterator<Item = NearPair> + Clone),
    adjacency: Adjacency,
) -> Result<(), Error> {
    let items = |NearPair { pair: Pair { a, b }, distance }| {
        [(a, T::new(b, distance)), (b, T::new(a, distance))]
    };
    match adjacency {
        Adjacency::Full => lists.group_items(rows, 2 * len, found, items),
        Adjacency::Half => lists.group_items(rows, len, found, |found| [items(found)[0]]),
    }
}

/// An item of a neighbour list.
pub(crate) trait Item: Pod + Default + Send {
    /// Whether the item has a distance. If not, no distance is computed.
    const HAS_DISTANCE: bool;

    fn new(row: u32, distance: f32) -> Self;
    fn row(&self) -> u32;
}

impl Item for u32 {
    const HAS_DISTANCE: bool = false;

    #[inline]
    fn new(row: u32, _: f32) -> Self {
        row
    }

    #[inline]
    fn row(&self) -> u32 {
        *self
    }
}

impl Item for Neighbor {
    const HAS_DISTANCE: bool = true;

    #[inline]
    fn new(row: u32, distance: f32) -> Self {
        Self { row, distance }
    }

    #[inline]
    fn row(&self) -> u32 {
        self.row
    }
}
