//! Contacts row by row, from columns to columns.
//!
//! ```text
//! upright.rs   axis-aligned shapes: straight from their columns      (Batch::pairwise_contacts)
//! any.rs       any shapes but compounds: from the records of stores  (Narrowphase::pairwise_contacts)
//! ```
//!
//! Nothing is gathered, sorted or left out: a tile is sixteen rows, and its contacts are the same sixteen rows
//! of every column. (But where shapes are of several classes, and not all axis-aligned, rows are pairs as any
//! others.)

mod any;
mod upright;

use super::{ContactColumns, Feature, View, boxes::touching, output::RowsOut};
use crate::{
    kernel::bodies::RoundedBodies,
    simd::{MAX_LANES, Simd},
    solid::Class,
};

/// Rows of two sets of columns, and what is asked of them.
struct Rows<'a> {
    views: [View<'a>; 2],
    /// Which rows hold a shape, by their bits; `None`: all do.
    live: [Option<&'a [u64]>; 2],
    /// The first of them.
    first: usize,
    len: usize,
    inclusive: bool,
    margin: f32,
}

impl Rows<'_> {
    /// Takes the contacts of vacant rows out of a tile, the one of number `number`.
    #[inline(always)]
    fn clear_vacant(&self, number: usize, lanes: usize, out: &mut RowsOut<'_>) {
        let begin = self.first + number * MAX_LANES;
        for live in self.live.into_iter().flatten() {
            for (lane, row) in (begin..begin + lanes).enumerate() {
                if live[row / 64] >> (row % 64) & 1 == 0 {
                    out.clear(number, lane);
                }
            }
        }
    }
}

/// The columns of contacts that are to be written, in tiles: the columns are to be whole ones. `only` are the classes of
/// all rows, if they are known: those columns that are then left alone are made zeros here. None of the
/// shapes has parts; and if one of each two is a point or a circle, there is no second point, and if both are, no feature
/// but 0.
fn out(contacts: &mut ContactColumns, first: usize, only: Option<[Class; 2]>) -> RowsOut<'_> {
    let round = only.map_or(0, |only| only.into_iter().filter(|c| *c == Class::Round).count());
    let ContactColumns { a, b, part_a, part_b, normal_x, normal_y, depth, count, points } =
        contacts;
    part_a.fill(0);
    part_b.fill(0);
    let [one, two] = points;
    let second = [&mut two.x, &mut two.y, &mut two.depth];
    let features =
        [[&mut one.feature_a, &mut one.feature_b], [&mut two.feature_a, &mut two.feature_b]];
    let mut out = RowsOut {
        round,
        first: first as u32,
        names: [a, b].map(|column| tiles(column)),
        count: tiles(count),
        values: [normal_x, normal_y, depth, &mut one.x, &mut one.y, &mut one.depth]
            .map(|column| tiles(column)),
        second: second.map(|column| tiles(column)),
        features: features.map(|columns| columns.map(|column| tiles(column))),
    };
    if round > 0 {
        for column in &mut out.second {
            column.as_flattened_mut().fill(0.0);
        }
    }
    for column in out.features.iter_mut().skip(2 - round).flatten() {
        column.as_flattened_mut().fill(Feature::default());
    }
    out
}

/// A column in tiles.
fn tiles<T>(column: &mut [T]) -> &mut [[T; MAX_LANES]] {
    column.as_chunks_mut().0
}

/// Where boxes with half of the margin around each touch.
#[inline(always)]
fn near<S: Simd>(
    simd: S,
    [a, b]: [RoundedBodies<S>; 2],
    half_margin: S::F32,
    inclusive: bool,
) -> S::Mask {
    touching(simd, a.widened(simd, half_margin), b.widened(simd, half_margin), inclusive)
}
