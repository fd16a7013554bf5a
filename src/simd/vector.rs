//! The operations that kernels are written in.

use super::{Kernel, map_each};
use crate::Pair;

/// The widest vector of any level, and so the slack that padded columns carry.
pub(crate) const MAX_LANES: usize = 16;

/// A token of one instruction set: whoever holds one may use its operations.
///
/// Every operation is IEEE-exact and does the same to each lane on every level. There is no fused
/// multiply-add and no reciprocal on purpose: both round differently from level to level. Loads
/// and stores check their bounds and panic beyond them; kernels are arranged so that the check is
/// one predictable comparison for all columns of a set.
pub(crate) trait Simd: Copy + Send + Sync + 'static {
    /// `f32` values in a vector; at most [`MAX_LANES`].
    const LANES: usize;
    /// Whether [`emit_pairs`](Simd::emit_pairs) is fast enough to be called without asking whether
    /// any lane hits.
    const COMPRESSES: bool;
    /// Whether [`emit_two`](Simd::emit_two) takes the hits of both runs by one instruction, and then asks how many
    /// they are, unless it is told that they may be many.
    const EMITS_TWO_AT_ONCE: bool = false;
    /// Whether [`prefetch`](Simd::prefetch) does anything.
    const PREFETCHES: bool = false;
    /// The token for runs that are mostly a few bodies long: eight lanes where this one has sixteen, else the
    /// same.
    type Half: Simd;
    /// A vector of [`LANES`](Simd::LANES) values.
    type F32: Copy;
    /// One truth value per lane.
    type Mask: Copy;

    /// Runs `kernel` in a function of its own, compiled for the level. For hot loops inside a kernel: in a
    /// function that holds nothing else, what the loop needs stays in registers.
    fn call<K: Kernel>(self, kernel: K) -> K::Output;

    /// This token for short runs.
    fn half(self) -> Self::Half;

    /// `value` in every lane.
    fn splat(self, value: f32) -> Self::F32;
    /// `column[at..at + LANES]`.
    fn load(self, column: &[f32], at: usize) -> Self::F32;
    /// `column[rows[at + i]]` in lane `i`; panics if a row is beyond the column. One value after the
    /// other, and put together in registers.
    fn gather(self, column: &[f32], rows: &[u32], at: usize) -> Self::F32;
    /// Writes `column[at..at + LANES]`.
    fn store(self, value: Self::F32, column: &mut [f32], at: usize);
    /// Writes `row * stride + column` to `cells[at..at + LANES]`, both truncated to integers first.
    /// Lanes of `row` and `column` must be in `0.0..2^31`: the conversions of the levels differ
    /// beyond, and what such a lane gives is open.
    fn store_cells(
        self,
        column: Self::F32,
        row: Self::F32,
        stride: u32,
        cells: &mut [u32],
        at: usize,
    );

    /// `a + b`.
    fn add(self, a: Self::F32, b: Self::F32) -> Self::F32;
    /// `a - b`.
    fn sub(self, a: Self::F32, b: Self::F32) -> Self::F32;
    /// `a * b`.
    fn mul(self, a: Self::F32, b: Self::F32) -> Self::F32;
    /// `a / b`.
    fn div(self, a: Self::F32, b: Self::F32) -> Self::F32;
    /// The square root of what is not below zero.
    fn sqrt(self, a: Self::F32) -> Self::F32;
    /// The larger value. Which zero `max(-0.0, 0.0)` gives, and what a NaN gives, is open: no
    /// decision depends on either.
    fn max(self, a: Self::F32, b: Self::F32) -> Self::F32;
    /// The smaller value, with the same liberties as [`max`](Simd::max).
    fn min(self, a: Self::F32, b: Self::F32) -> Self::F32;
    /// The magnitude.
    fn abs(self, a: Self::F32) -> Self::F32;
    /// The same with the other sign; zeros change theirs, too.
    fn neg(self, a: Self::F32) -> Self::F32;
    /// `yes` in the lanes that are set, `no` in the others.
    fn select(self, mask: Self::Mask, yes: Self::F32, no: Self::F32) -> Self::F32;

    /// `a <= b`; false where either is NaN.
    fn le(self, a: Self::F32, b: Self::F32) -> Self::Mask;
    /// `a < b`; false where either is NaN.
    fn lt(self, a: Self::F32, b: Self::F32) -> Self::Mask;
    /// Lanes set in both.
    fn and(self, a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Lanes set in either.
    fn or(self, a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Lanes that are not set.
    fn not(self, a: Self::Mask) -> Self::Mask;
    /// The mask as an integer: lane `i` is bit `i`, and the bits from `LANES` on are 0.
    fn bits(self, mask: Self::Mask) -> u32;

    /// Asks for the cache line in which `value` begins: it will be needed. Does nothing where there is no
    /// instruction for it.
    #[inline(always)]
    fn prefetch<T>(self, _value: &T) {}

    /// Asks for the cache line of `values[at]`, which need not be there: it may be needed, perhaps to be
    /// written. Does nothing where there is no instruction for it.
    #[inline(always)]
    fn prefetch_at<T>(self, _values: &[T], _at: usize) {}

    /// Makes word `k` of row `i` word `i` of column `k`: from records to columns.
    fn transpose_four(self, rows: [&[u32; 4]; 8], columns: [&mut [u32; 8]; 4]);

    /// The same for records of eight words, and back.
    #[inline(always)]
    fn transpose(self, rows: [&[u32; 8]; 8], columns: &mut [[u32; 8]; 8]) {
        let [a, b, c, d, e, f, g, h] = columns;
        self.transpose_four(map_each(rows, |row| &row.as_chunks().0[0]), [a, b, c, d]);
        self.transpose_four(map_each(rows, |row| &row.as_chunks().0[1]), [e, f, g, h]);
    }

    /// Makes word `k` of record `i` word `i` of column `k`: from columns to records of sixteen words.
    #[inline(always)]
    fn records(self, columns: [&[u32; 8]; 16], records: &mut [[u32; 16]; 8]) {
        for (quarter, records) in records.as_chunks_mut::<4>().0.iter_mut().enumerate() {
            for (half, columns) in columns.as_chunks::<8>().0.iter().enumerate() {
                let rows = map_each(*columns, |column| &column.as_chunks().0[quarter]);
                let [a, b, c, d] = records;
                let words = [a, b, c, d].map(|record| &mut record.as_chunks_mut().0[half]);
                self.transpose_four(rows, words);
            }
        }
    }

    /// For every set bit `i`, lowest first, appends the pair of `id` and `ids[from + i]` (smaller
    /// id first) at `out[at..]`, and returns how many that were. Reads `LANES` ids and may
    /// overwrite `LANES` pairs, so both must have that much room.
    fn emit_pairs(
        self,
        out: &mut [Pair],
        at: usize,
        id: u32,
        ids: &[u32],
        from: usize,
        bits: u32,
    ) -> usize;

    /// As [`emit_pairs`](Simd::emit_pairs) for two runs, one after the other: the lowest `LANES` bits are
    /// those of the first run, the next ones those of the second.
    ///
    /// `MANY` says that more than four pairs are nothing unusual, and that it is not worth asking for before as much is
    /// written as there may be.
    #[inline(always)]
    fn emit_two<const MANY: bool>(
        self,
        out: &mut [Pair],
        at: usize,
        id: u32,
        ids: &[u32],
        from: [usize; 2],
        bits: u32,
    ) -> usize {
        let first = bits & ((1 << Self::LANES) - 1);
        let found = self.emit_pairs(out, at, id, ids, from[0], first);
        found + self.emit_pairs(out, at + found, id, ids, from[1], bits >> Self::LANES)
    }

    /// For every set bit `i` of `word`, lowest first, appends `base + i` at `out[at..]`, and
    /// returns how many that were. May overwrite 64 values, so `out` must have that much room.
    fn emit_indices(self, out: &mut [u32], at: usize, base: u32, word: u64) -> usize;
}

/// The set bits of `bits`, lowest first: what levels without a compress instruction walk.
#[inline(always)]
pub(super) fn set_bits(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (bits != 0).then(|| {
            let lowest = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            lowest
        })
    })
}

/// The pair of two ids, smaller first.
#[inline(always)]
pub(super) fn ordered(a: u32, b: u32) -> Pair {
    Pair { a: a.min(b), b: a.max(b) }
}
