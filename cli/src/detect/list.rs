//! The items of a list: pairs or contacts.

use anyhow::Result;
use serde::{Serialize, Serializer};
use widephase::{
    Columns, Contact, ContactPoint, Detector, Error, Feature, Pair,
    options::{DEFAULT_MAX_CONTACTS, DEFAULT_MAX_PAIRS},
    tiles::{TileDetector, TileRows},
};

/// An item of a list.
pub(super) trait Listed: Copy + Send {
    /// The noun for an item in messages.
    const NAME: &str;

    /// The names of the columns.
    const HEADER: &[&str];

    /// The default limit for sorting.
    const MOST: u64;

    /// Calls `each` with all items, as [`Detector::for_each_pair`] does.
    fn find(
        detector: &mut Detector,
        shapes: Columns<'_>,
        margin: f32,
        each: impl FnMut(Self) -> Result<()>,
    ) -> Result<Result<u64>, Error>;

    /// Replaces `items` by those that a tile reports.
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

    /// The cells after those of the pair.
    fn cells(&self) -> impl Serialize;
}

impl Listed for Pair {
    const NAME: &str = "pair";
    const HEADER: &[&str] = &["a", "b"];
    const MOST: u64 = DEFAULT_MAX_PAIRS;

    fn find(
        detector: &mut Detector,
        shapes: Columns<'_>,
        _: f32,
        each: impl FnMut(Self) -> Result<()>,
    ) -> Result<Result<u64>, Error> {
        detector.for_each_pair(shapes, each)
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

    fn cells(&self) -> impl Serialize {
        [(); 0]
    }
}

impl Listed for Contact {
    const NAME: &str = "contact";
    const HEADER: &[&str] = &[
        "a",
        "b",
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
    ];
    const MOST: u64 = DEFAULT_MAX_CONTACTS;

    fn find(
        detector: &mut Detector,
        shapes: Columns<'_>,
        margin: f32,
        each: impl FnMut(Self) -> Result<()>,
    ) -> Result<Result<u64>, Error> {
        detector.for_each_contact(shapes, margin, each)
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

    fn cells(&self) -> impl Serialize {
        let Contact { part_a, part_b, depth, .. } = *self;
        let [normal_x, normal_y] = self.normal().to_array();
        let points = [0, 1].map(|index| Point::of(self.points().get(index)));
        (part_a, part_b, normal_x, normal_y, depth, points)
    }
}

/// The cells of a point; empty if there is none.
#[derive(Default, Serialize)]
struct Point {
    x: Option<f32>,
    y: Option<f32>,
    depth: Option<f32>,
    feature_a: Option<Name>,
    feature_b: Option<Name>,
}

impl Point {
    fn of(point: Option<&ContactPoint>) -> Self {
        point.map_or_else(Self::default, |point| Self {
            x: Some(point.x),
            y: Some(point.y),
            depth: Some(point.depth),
            feature_a: Some(Name(point.feature_a)),
            feature_b: Some(Name(point.feature_b)),
        })
    }
}

/// A vertex or a side in short form: `v3`, `s2`.
struct Name(Feature);

impl Serialize for Name {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let letter = if self.0.is_side() { 's' } else { 'v' };
        serializer.collect_str(&format_args!("{letter}{}", self.0.index()))
    }
}
