//! Contacts row by row, from columns to columns.
//!
//! ```text
//! upright.rs   axis-aligned shapes: straight from their columns      (Batch::pairwise_contacts)
//! any.rs       any shapes but compounds: from the records of stores  (Narrowphase::pairwise_contacts)
//! out.rs       RowsOut: the columns of contacts, tile by tile
//! test.rs      whether any shapes touch                              (Narrowphase::pairwise_test)
//! ```
//!
//! Nothing is gathered, sorted or left out: a tile is sixteen rows, and its contacts are the same sixteen rows
//! of every column. (But where shapes are of several classes, and not all axis-aligned, rows are pairs as any
//! others. So they are where nothing is asked but whether they touch, once their boxes do.)

mod any;
mod out;
mod test;
mod upright;

use super::{View, boxes::touching};
use crate::{
    kernel::bodies::RoundedBodies,
    simd::{MAX_LANES, Simd},
};
use out::RowsOut;

/// Rows of two sets of columns, and what is asked of them.
struct RowPairs<'a> {
    views: [View<'a>; 2],
    /// Which rows hold a shape, by their bits; `None`: all do.
    live: [Option<&'a [u64]>; 2],
    /// The first of them.
    first: usize,
    len: usize,
    inclusive: bool,
    margin: f32,
}

impl RowPairs<'_> {
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
