//! The entries of the list, and their columns.

use serde::Serialize;
use widephase::{Hit, Neighbor};

use crate::table::Bodies;

/// The names of the columns.
pub(super) const HEADER: [&str; 8] =
    ["query", "row", "fraction", "distance", "x", "y", "normal_x", "normal_y"];

/// A shape that answers a query.
pub(super) enum Answer {
    Row(u32),
    Hit(Hit),
    Neighbor(Neighbor),
}

/// The cells of an answer, in the order of [`HEADER`].
#[derive(Default, Serialize)]
pub(super) struct Entry {
    query: u64,
    row: u64,
    fraction: Option<f32>,
    distance: Option<f32>,
    x: Option<f32>,
    y: Option<f32>,
    normal_x: Option<f32>,
    normal_y: Option<f32>,
}

impl Entry {
    /// The entry of an answer. Shapes are identified by their row numbers.
    pub(super) fn new(query: u64, answer: Answer, bodies: &Bodies) -> Self {
        let blank = Self { query, ..Self::default() };
        match answer {
            Answer::Row(shape) => Self { row: bodies.first_row(shape), ..blank },
            Answer::Neighbor(Neighbor { row: shape, distance }) => {
                Self { row: bodies.first_row(shape), distance: Some(distance), ..blank }
            }
            Answer::Hit(Hit { row: shape, fraction, x, y, normal_x, normal_y, .. }) => Self {
                row: bodies.first_row(shape),
                fraction: Some(fraction),
                x: Some(x),
                y: Some(y),
                normal_x: Some(normal_x),
                normal_y: Some(normal_y),
                ..blank
            },
        }
    }
}
