//! The entries of the list, and their columns.

use widephase::{
    Hit,
    doubles::{DoubleNeighbor, Origin},
};

use crate::{
    detect::position,
    table::{Bodies, Cell, RowNames},
};

/// The names of the columns.
pub(super) const HEADER: [&str; 8] =
    ["query", "row", "fraction", "distance", "x", "y", "normal_x", "normal_y"];

/// A shape that answers a query.
pub(super) enum Answer {
    Row(u32),
    /// A hit, relative to an origin.
    Hit(Hit, Origin),
    Neighbor(DoubleNeighbor),
}

/// Where the names of shapes and queries are.
pub(super) struct Named<'a> {
    pub(super) bodies: &'a Bodies,
    pub(super) queries: &'a RowNames,
}

impl Answer {
    /// The cells of the answer to a query, in the order of [`HEADER`].
    pub(super) fn cells<'a>(&self, query: u64, names: &Named<'a>) -> [Cell<'a>; 8] {
        let none = Cell::Empty;
        let (row, rest) = match *self {
            Self::Row(row) => (row, [none; 6]),
            Self::Neighbor(DoubleNeighbor { row, distance }) => {
                (row, [none, Cell::Double(distance), none, none, none, none])
            }
            Self::Hit(Hit { row, fraction, x, y, normal_x, normal_y, .. }, origin) => {
                let [x, y] = position(origin, [x, y]);
                let [fraction, normal_x, normal_y] =
                    [fraction, normal_x, normal_y].map(Cell::Single);
                (row, [fraction, none, x, y, normal_x, normal_y])
            }
        };
        let [a, b, c, d, e, f] = rest;
        let name = u32::try_from(query).ok().and_then(|query| names.queries.get(query));
        let query = name.map_or(Cell::Whole(query), Cell::Text);
        [query, names.bodies.cell(row), a, b, c, d, e, f]
    }
}
