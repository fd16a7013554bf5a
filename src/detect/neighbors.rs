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

use super::near::Near;
use super::{
    Detector,
    detection::{List, Output, Sets},
    numbers::Numbers,
};
use crate::{
    Adjacency, Columns, Error, Lists, Neighbor, Options, Order, Pair,
    base::buffer::grow,
    geometry::box_distance,
    grid::{Around, Grid},
    lists::CHUNK,
    shape::RoundedBox,
    simd::Isa,
};

/// The workspace of neighbour lists.
#[derive(Debug, Default)]
pub(super) struct NeighborScratch {
    listing: Listing,
    /// The row of each body in the order of the grid.
    rows: Vec<u32>,
    /// For distances: the shape of each body, in the same order.
    boxes: Vec<RoundedBox>,
    /// For distances: the items of all lists.
    items: Vec<Neighbor>,
    /// Where the list of each row begins and ends.
    spans: Vec<[u32; 2]>,
    /// Pairs of rows with their distances.
    near: Vec<Near>,
}

/// Neighbours as the search finds them: as a list for each body in the order of the grid, or as
/// pairs of rows.
#[derive(Debug, Default)]
pub(super) struct Listing {
    /// Whether there are lists. Else there are pairs.
    listed: bool,
    /// Whether lists are to have rows. Else they have positions in the order of the grid.
    as_rows: bool,
    lists: Around,
    pub(super) pairs: Vec<Pair>,
}

impl Listing {
    pub(super) fn clear(&mut self) {
        self.listed = false;
        self.pairs.clear();
    }

    /// The pairs, which stand for the lists.
    pub(super) fn as_pairs(&mut self) -> &mut Vec<Pair> {
        self.listed = false;
        &mut self.pairs
    }

    /// Lists the neighbours among the bodies of `grid`. Returns false if they have to be found as
    /// pairs, because of the grid or because there are more than the limit.
    pub(super) fn list(
        &mut self,
        isa: Isa,
        grid: &Grid,
        inclusive: bool,
        options: &Options,
        numbers: &mut Numbers,
    ) -> bool {
        let ids = if self.as_rows { grid.sorted.ids() } else { numbers.of(grid) };
        let most = options.max_pairs.saturating_mul(2);
        self.listed = self.lists.fill(isa, grid, ids, inclusive, most);
        self.listed
    }
}

impl Detector {
    /// Replaces the content of `lists` by the neighbours of each row: one list for each row of
    /// `shapes`, with the rows of all shapes at most `distance` away. A vacant row has no
    /// neighbours, and a shape is not its own.
    ///
    /// The distance is that between the surfaces, in the unit of length, from 0 to 2^60. For points
    /// it is that between the points. With [`Adjacency::Full`], a pair is in the lists of both
    /// rows; with [`Adjacency::Half`], the larger row is in the list of the smaller one.
    ///
    /// With [`Order::Sorted`], each list is ascending. Else each list is in the order in which the
    /// grid lists the pairs of shapes that are inflated by half of the distance. Like any other
    /// order, it is a function of the shapes and the options.
    ///
    /// - Axis-aligned shapes are neighbours if they touch once `distance / 2` is added to each
    ///   radius, in `f32`. A radius with its half of the distance is limited to 2^60.
    /// - If any shape is rotated or has parts, neighbours are the shapes with a contact in
    ///   [`contacts`](Detector::contacts) with a margin of `distance`.
    ///
    /// With a distance of 0 the neighbours are the pairs of [`pairs`](Detector::pairs) under
    /// [`Options::touching`](crate::Options::touching). Above 0, shapes at exactly that distance
    /// are neighbours under either policy.
    ///
    /// Costs what [`pairs`](Detector::pairs) costs for the inflated shapes, and about 2 ns more for
    /// each item of a list (benches/log). The lists are made on the calling thread.
    ///
    /// # Errors
    /// The errors of [`pairs`](Detector::pairs), of which [`Error::TooManyPairs`] counts each pair
    /// once; [`Error::InvalidMargin`] for a distance that is NaN, negative or above 2^60. `lists`
    /// is then empty.
    ///
    /// ```
    /// use widephase::{Adjacency, Columns, Detector, Lists, shape::Circle};
    ///
    /// // Who is within 5 of whom?
    /// let (x, y) = ([0.0, 3.0, 9.0, 3.0], [0.0, 4.0, 0.0, 9.0]);
    /// let (mut detector, mut near) = (Detector::new(), Lists::new());
    /// detector.neighbors(Columns::points(&x, &y)?, 5.0, Adjacency::Full, &mut near)?;
    /// assert_eq!(near.offsets(), [0, 1, 3, 3, 4]);
    /// assert_eq!((near.get(0), near.get(3)), (&[1][..], &[1][..]));
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn neighbors<'a>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        distance: f32,
        adjacency: Adjacency,
        lists: &mut Lists<u32>,
    ) -> Result<(), Error> {
        self.list_neighbors(shapes.into(), distance, adjacency, lists)
    }

    /// Replaces the content of `lists` by the neighbours of each row with their distances: the rows
    /// of [`neighbors`](Detector::neighbors), in the same order.
    ///
    /// The distance is that between the surfaces, and 0 if the shapes touch. For axis-aligned
    /// shapes it is computed in `f64` from the given values and rounded to `f32`. For others it is
    /// the negated depth of the contact, of the nearest parts. Whether shapes are neighbours is
    /// decided in `f32`, so a distance may be above the requested one by a rounding.
    ///
    /// Costs about 10 ns an item more than [`neighbors`](Detector::neighbors). An item takes 8
    /// bytes.
    ///
    /// # Errors
    /// The errors of [`neighbors`](Detector::neighbors).
    ///
    /// ```
    /// use widephase::{Adjacency, Columns, Detector, Lists, Neighbor};
    ///
    /// let circles = Columns::circles(&[0.0, 4.0, 8.0], &[0.0; 3], &[1.0, 1.0, 3.5])?;
    /// let (mut detector, mut near) = (Detector::new(), Lists::new());
    /// detector.neighbor_distances(circles, 2.0, Adjacency::Half, &mut near)?;
    /// assert_eq!(near.get(0), [Neighbor { row: 1, distance: 2.0 }]);
    /// assert_eq!(near.get(1), [Neighbor { row: 2, distance: 0.0 }]);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn neighbor_distances<'a>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        distance: f32,
        adjacency: Adjacency,
        lists: &mut Lists<Neighbor>,
    ) -> Result<(), Error> {
        self.list_neighbors(shapes.into(), distance, adjacency, lists)
    }

    fn list_neighbors<T: Item>(
        &mut self,
        columns: Columns<'_>,
        distance: f32,
        adjacency: Adjacency,
        lists: &mut Lists<T>,
    ) -> Result<(), Error> {
        let mut scratch = std::mem::take(&mut self.neighbors);
        let result = self.fill_neighbors(columns, distance, adjacency, lists, &mut scratch);
        self.neighbors = scratch;
        if result.is_err() {
            lists.clear();
        }
        if self.options.order == Order::Sorted {
            for list in lists.iter_mut() {
                list.sort_unstable_by_key(|item| item.row());
            }
        }
        self.end_finish();
        result
    }

    fn fill_neighbors<T: Item>(
        &mut self,
        columns: Columns<'_>,
        distance: f32,
        adjacency: Adjacency,
        lists: &mut Lists<T>,
        scratch: &mut NeighborScratch,
    ) -> Result<(), Error> {
        let NeighborScratch { listing, rows, boxes, items, spans, near } = scratch;
        let len = columns.len();
        if columns.rotates() {
            self.run(columns, distance, Sets::One(Some(Output::List(List::Near(near)))))?;
            return group(lists, len, near, adjacency);
        }
        listing.as_rows = !T::HAS_DISTANCE;
        self.run(columns, distance, Sets::One(Some(Output::List(List::Neighbors(listing)))))?;
        let layout = columns.rows_again(&self.turned).layout;
        let shape = |row: u32| layout.rounded_box(row as usize);
        let Listing { listed, lists: Around { ids, ends }, pairs, .. } = listing;
        if !*listed {
            near.clear();
            near.extend(pairs.iter().map(|&pair| {
                let apart = |Pair { a, b }| box_distance(shape(a), shape(b));
                Near { pair, distance: if T::HAS_DISTANCE { apart(pair) } else { 0.0 } }
            }));
            return group(lists, len, near, adjacency);
        }
        self.scratch.grid_order(rows);
        // Vacant rows have empty lists.
        spans.clear();
        spans.resize(len, [0, 0]);
        let mut begin = 0;
        for (&row, &end) in rows.iter().zip(&*ends) {
            spans[row as usize] = [begin, end];
            begin = end;
        }
        let (isa, found) = (self.options.isa()?, begin as usize);
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
}

/// Replaces `lists` by the lists of some pairs.
fn group<T: Item>(
    lists: &mut Lists<T>,
    rows: usize,
    near: &[Near],
    adjacency: Adjacency,
) -> Result<(), Error> {
    let items = |&Near { pair: Pair { a, b }, distance }: &Near| {
        [(a, T::new(b, distance)), (b, T::new(a, distance))]
    };
    match adjacency {
        Adjacency::Full => lists.group(rows, near, items),
        Adjacency::Half => lists.group(rows, near, |near| [items(near)[0]]),
    }
}

/// An item of a neighbour list.
trait Item: Copy + Default {
    /// Whether it has a distance. If not, none is computed.
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

impl NeighborScratch {
    /// The bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        let Self { listing, rows, boxes, items, spans, near } = self;
        listing.lists.bytes()
            + listing.pairs.capacity() * size_of::<Pair>()
            + rows.capacity() * size_of::<u32>()
            + boxes.capacity() * size_of::<RoundedBox>()
            + items.capacity() * size_of::<Neighbor>()
            + spans.capacity() * size_of::<[u32; 2]>()
            + near.capacity() * size_of::<Near>()
    }
}
