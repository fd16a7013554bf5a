//! Masks and contacts row by row, from columns to columns.
//!
//! ```text
//!   overlap.rs     RowTest: axis-aligned shapes, from their columns
//!                  whether shapes of any kind touch               (Narrowphase::row_mask)
//! any.rs           contacts of any shapes but compounds, from records  (Narrowphase::row_contacts)
//!                  axis-aligned shapes, from their columns
//!   out.rs         RowsOut: the columns of contacts, batch by batch
//! ```
//!
//! Nothing is gathered, sorted or left out: a batch is sixteen rows, and its contacts are the same
//! sixteen rows of every column. There are two exceptions. Shapes of several classes that are not
//! all axis-aligned become ordinary pairs. So do the rows of a touching test, once their boxes
//! touch.

mod any;
mod out;
mod overlap;

use super::{View, boxes::touching};
use crate::{
    kernel::RoundedItems,
    simd::{MAX_LANES, Simd},
};
use out::RowsOut;

/// Rows of two sets of columns, and the query for them.
struct RowPairs<'a> {
    views: [View<'a>; 2],
    /// The rows that hold a shape, one bit per row. `None` if all rows do.
    live: [Option<&'a [u64]>; 2],
    /// The first row.
    first: usize,
    len: usize,
    inclusive: bool,
    margin: f32,
}

impl RowPairs<'_> {
    /// Removes the contacts of vacant rows from batch `number`.
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

/// The lanes in which the boxes touch, with half of the margin added to each radius.
#[inline(always)]
fn near<S: Simd>(
    simd: S,
    [a, b]: [RoundedItems<S>; 2],
    half_margin: S::F32,
    inclusive: bool,
) -> S::Mask {
    touching(simd, a.widened(simd, half_margin), b.widened(simd, half_margin), inclusive)
}
