//! The items of a list: pairs or contacts.

use anyhow::Result;
use widephase::{
    Columns, Contact, ContactPoint, Detector, Error, Pair, Scope,
    doubles::Origin,
    options::{DEFAULT_MAX_CONTACTS, DEFAULT_MAX_PAIRS},
    tiles::{TileDetector, TileRows},
};

use super::distances::Distances;
use crate::table::Cell;

/// An item of a list.
pub(super) trait Listed: Copy + Send {
    /// The noun for an item in messages.
    const NAME: &str;

    /// The default limit of lists.
    const MOST: u64;

    /// Calls `each` with all items, as [`Detector::for_each_pair`] does.
    fn find(
        detector: &mut Detector,
        scope: Scope<'_>,
        margin: f32,
        each: impl FnMut(Self) -> Result<()>,
    ) -> Result<Result<u64>, Error>;

    /// Replaces `items` by the items that a tile reports.
    fn find_in_tile(
        detector: &mut TileDetector,
        rows: &TileRows,
        tile: usize,
        shapes: Columns<'_>,
        margin: f32,
        items: &mut Vec<Self>,
    ) -> Result<(), Error>;

    /// The two shapes.
    fn pair(&self) -> Pair;

    /// The key of sorted lists.
    fn key(&self) -> (Pair, u32, u32);

    /// The names of the columns after the columns of the pair.
    fn header(values: &Values<'_>) -> &'static [&'static str];

    /// Appends the cells after the cells of the pair.
    fn cells<'c>(&self, values: &Values<'_>, cells: &mut Vec<Cell<'c>>);
}

/// Where the values of items come from.
pub(super) struct Values<'a> {
    /// The origin that the points of contacts are relative to.
    pub(super) origin: Origin,
    /// The distances of pairs, if they are written.
    pub(super) distance: Option<Distances<'a>>,
}

impl Listed for Pair {
    const NAME: &str = "pair";
    const MOST: u64 = DEFAULT_MAX_PAIRS;

    fn find(
        detector: &mut Detector,
        scope: Scope<'_>,
        _: f32,
        each: impl FnMut(Self) -> Result<()>,
    ) -> Result<Result<u64>, Error> {
        detector.for_each_pair(scope, each)
    }

    fn find_in_tile(
        detector: &mut TileDetector,
        rows: &TileRows,
        tile: usize,
        shapes: Columns<'_>,
        _: f32,
        items: &mut Vec<Self>,
    ) -> Result<(), Error> {
        detector.pairs(rows, tile, shapes, items)
    }

    fn pair(&self) -> Pair {
        *self
    }

    fn key(&self) -> (Pair, u32, u32) {
        (*self, 0, 0)
    }

    fn header(values: &Values<'_>) -> &'static [&'static str] {
        if values.distance.is_some() { &["distance"] } else { &[] }
    }

    fn cells<'c>(&self, values: &Values<'_>, cells: &mut Vec<Cell<'c>>) {
        if let Some(distances) = &values.distance {
            cells.push(distances.of(*self).into());
        }
    }
}

impl Listed for Contact {
    const NAME: &str = "contact";
    const MOST: u64 = DEFAULT_MAX_CONTACTS;

    fn find(
        detector: &mut Detector,
        scope: Scope<'_>,
        margin: f32,
        each: impl FnMut(Self) -> Result<()>,
    ) -> Result<Result<u64>, Error> {
        detector.for_each_contact(scope, margin, each)
    }

    fn find_in_tile(
        detector: &mut TileDetector,
        rows: &TileRows,
        tile: usize,
        shapes: Columns<'_>,
        margin: f32,
        items: &mut Vec<Self>,
    ) -> Result<(), Error> {
        detector.contacts(rows, tile, shapes, margin, items)
    }

    fn pair(&self) -> Pair {
        self.pair
    }

    fn key(&self) -> (Pair, u32, u32) {
        (self.pair, self.part_a, self.part_b)
    }

    fn header(_: &Values<'_>) -> &'static [&'static str] {
        &[
            "part_a",
            "part_b",
            "normal_x",
            "normal_y",
            "depth",
            "x1",
            "y1",
            "depth1",
            "feature_a1",
            "feature_b1",
            "x2",
            "y2",
            "depth2",
            "feature_a2",
            "feature_b2",
        ]
    }

    fn cells<'c>(&self, values: &Values<'_>, cells: &mut Vec<Cell<'c>>) {
        let [normal_x, normal_y] = self.normal().to_array();
        cells.extend([self.part_a, self.part_b].map(|part| Cell::Whole(part.into())));
        cells.extend([normal_x, normal_y, self.depth].map(Cell::Single));
        for index in [0, 1] {
            let Some(ContactPoint { depth, feature_a, feature_b, x, y }) =
                self.points().get(index).copied()
            else {
                cells.extend([Cell::Empty; 5]);
                continue;
            };
            cells.extend(position(values.origin, [x, y]));
            cells.push(Cell::Single(depth));
            cells.extend([feature_a, feature_b].map(Cell::Feature));
        }
    }
}

/// The position for a relative position, in `f64` unless it is relative to 0.
pub(crate) fn position(origin: Origin, relative: [f32; 2]) -> [Cell<'static>; 2] {
    match origin == Origin::default() {
        true => relative.map(Cell::Single),
        false => origin.absolute(relative).map(Cell::Double),
    }
}
