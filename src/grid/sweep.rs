//! From sorted columns to touching pairs.

use std::{marker::PhantomData, ops::Range};

use super::{Instance, Sorted};
use crate::{
    Pair,
    kernel::{
        columns::ColumnSet,
        overlap::{Rule, overlap},
    },
    simd::{Kernel, MAX_LANES, Simd, Table},
};

/// Sweeps some of the sorted bodies: finds, for each, its partners in its half neighbourhood.
///
/// In plain words:
///
/// ```text
/// for each body i, in sorted order, in cell c:
///     for each body j after i in cells c and c + 1:             if overlap(i, j): emit(i, j)
///     for each body j in the cells below c: left, middle, right: if overlap(i, j): emit(i, j)
/// ```
///
/// What was changed for speed:
///
/// 1. Both inner loops run over contiguous bodies, `LANES` at a time. Lanes past the end of a
///    range are masked off, so a range of up to `LANES` bodies, which nearly all are, is one test.
/// 2. The first vector of each range is tested without asking whether the range is empty or any
///    lane hits: with two or three bodies a range, a predictor cannot guess either, and a wrong
///    guess costs more than the test. Only ranges longer than a vector branch.
/// 3. Bodies are walked one by one and not cell by cell: a loop over the one or two bodies of a
///    cell ends in a mispredicted branch. Three loads per body look the ranges up instead.
/// 4. Hits are compressed in registers and stored as whole vectors of pairs.
/// 5. Everything rare is out of the fast loop: a body with a long range, and making room in the
///    output, end it; the body is done by the general loop, and the fast one entered again. A call
///    or a loop inside would cost the fast loop its registers.
pub(crate) struct Sweep<'a, I, K> {
    pub(crate) sorted: &'a Sorted,
    pub(crate) table: Table<'a>,
    /// Which bodies, by their place in the sorted order.
    pub(crate) bodies: Range<usize>,
    pub(crate) inclusive: bool,
    pub(crate) sink: &'a mut K,
    pub(crate) instance: PhantomData<I>,
}

impl<I: Instance, K: Sink> Kernel for Sweep<'_, I, K> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        if self.inclusive { self.sweep::<S, true>(simd) } else { self.sweep::<S, false>(simd) }
    }
}

impl<I: Instance, K: Sink> Sweep<'_, I, K> {
    #[inline(always)]
    fn sweep<S: Simd, const INCLUSIVE: bool>(self, simd: S) {
        let Self { sorted, table, bodies, sink, .. } = self;
        let (columns, ids) = sorted.padded::<I>(table.len());
        let rule = Rule { inclusive: INCLUSIVE, normal: I::NORMAL };
        let (mut i, end) = (bodies.start, bodies.end.min(table.len()));
        let mut block = Block { first: 0, len: 0, hits: [0; BLOCK], below: [0; BLOCK] };
        while i < end {
            // The fast loop: tests, and nothing else.
            (block.first, block.len) = (i, 0);
            while S::LANES > 1 && i < end && block.len < BLOCK {
                let [after, below] = table.neighbours(i);
                // An end is never before its start, so these do not wrap.
                let after_len = after.end.wrapping_sub(after.start);
                let below_len = below.end.wrapping_sub(below.start);
                if after_len > S::LANES || below_len > S::LANES {
                    break;
                }
                let body = columns.splat(simd, i);
                let hits = overlap(simd, body, columns.load(simd, after.start), rule);
                let after_bits = simd.bits(hits) & first_bits(after_len);
                let hits = overlap(simd, body, columns.load(simd, below.start), rule);
                let below_bits = simd.bits(hits) & first_bits(below_len);
                block.hits[block.len] = after_bits | below_bits << S::LANES;
                block.below[block.len] = below.start as u32;
                block.len += 1;
                i += 1;
            }
            if block.len > 0 {
                block.hits[block.len..block.len.next_multiple_of(4)].fill(0);
                sink.make_room();
                let mut cursor = sink.cursor();
                cursor.emit_block(simd, &block, ids);
                cursor.finish();
                if block.len == BLOCK {
                    continue;
                }
            }
            if i == end {
                break;
            }
            sink.make_room();
            let mut cursor = sink.cursor();
            for range in table.neighbours(i) {
                let body = columns.splat(simd, i);
                let mut at = range.start;
                while at < range.end {
                    if !cursor.has_room() {
                        cursor.finish();
                        sink.make_room();
                        cursor = sink.cursor();
                    }
                    let hits = overlap(simd, body, columns.load(simd, at), rule);
                    let bits = simd.bits(hits) & first_bits((range.end - at).min(S::LANES));
                    cursor.emit(simd, ids[i], ids, at, bits);
                    at += S::LANES;
                }
            }
            cursor.finish();
            i += 1;
        }
    }
}

/// Bodies whose tests are done and whose pairs are not yet written.
pub(crate) struct Block {
    /// The place of the first body.
    first: usize,
    /// How many bodies there are; up to the next multiple of four, `hits` are 0.
    len: usize,
    /// For each body, the hits in the range after it from bit 0 on, and in the range below from
    /// bit `LANES` on.
    hits: [u32; BLOCK],
    /// For each body, where the range below begins.
    below: [u32; BLOCK],
}

/// Bodies in a block.
const BLOCK: usize = 64;

/// Room that a sink makes: what a block can need at most.
pub(crate) const ROOM: usize = BLOCK * 2 * MAX_LANES;

/// The lowest `count` bits, for up to [`MAX_LANES`].
#[inline(always)]
fn first_bits(count: usize) -> u32 {
    (1 << count) - 1
}

/// Where pairs go.
pub(crate) trait Sink {
    /// The sink while nothing but pairs is written to it: all of it fits into registers.
    type Cursor<'a>: Cursor
    where
        Self: 'a;

    /// Starts writing where the last cursor has finished.
    fn cursor(&mut self) -> Self::Cursor<'_>;

    /// Makes room for [`ROOM`] pairs at least.
    fn make_room(&mut self);
}

/// The writing end of a [`Sink`].
pub(crate) trait Cursor {
    /// Whether there is room for [`ROOM`] pairs.
    fn has_room(&self) -> bool;

    /// Takes the pair of `id` and `ids[from + i]` for every set bit `i` of `bits`, lowest first.
    /// There must be room for `LANES` pairs.
    fn emit<S: Simd>(&mut self, simd: S, id: u32, ids: &[u32], from: usize, bits: u32);

    /// Takes the pairs of a block. There must be [`ROOM`].
    fn emit_block<S: Simd>(&mut self, simd: S, block: &Block, ids: &[u32]);

    /// Hands what was written to the sink.
    fn finish(self);
}

/// Counts pairs.
#[derive(Debug, Default)]
pub(crate) struct Count {
    pub(crate) pairs: u64,
}

/// The cursor of [`Count`].
pub(crate) struct CountCursor<'a> {
    pairs: u64,
    total: &'a mut u64,
}

impl Sink for Count {
    type Cursor<'a> = CountCursor<'a>;

    #[inline(always)]
    fn cursor(&mut self) -> CountCursor<'_> {
        CountCursor { pairs: 0, total: &mut self.pairs }
    }

    #[inline(always)]
    fn make_room(&mut self) {}
}

impl Cursor for CountCursor<'_> {
    #[inline(always)]
    fn has_room(&self) -> bool {
        true
    }

    #[inline(always)]
    fn emit<S: Simd>(&mut self, _: S, _: u32, _: &[u32], _: usize, bits: u32) {
        self.pairs += u64::from(bits.count_ones());
    }

    #[inline(always)]
    fn emit_block<S: Simd>(&mut self, _: S, block: &Block, _: &[u32]) {
        for hits in &block.hits[..block.len] {
            self.pairs += u64::from(hits.count_ones());
        }
    }

    #[inline(always)]
    fn finish(self) {
        *self.total += self.pairs;
    }
}

/// Writes pairs into a buffer, and asks what to do when it is full.
///
/// The buffer is written by whole vectors, so the number of pairs in it is kept beside it: the
/// elements from `len` on are initialised, and mean nothing.
pub(crate) struct Buffer<'a> {
    pub(crate) pairs: &'a mut Vec<Pair>,
    pub(crate) len: usize,
    /// Makes room for [`ROOM`] pairs at least (by growing the buffer, or by taking the
    /// first `len` pairs out), and returns the new `len`.
    pub(crate) full: &'a mut dyn FnMut(&mut Vec<Pair>, usize) -> usize,
}

/// The cursor of [`Buffer`].
pub(crate) struct BufferCursor<'a> {
    pairs: &'a mut [Pair],
    len: usize,
    /// The length from which on the next two vectors might not fit.
    full_from: usize,
    total: &'a mut usize,
}

impl<'b> Sink for Buffer<'b> {
    type Cursor<'a>
        = BufferCursor<'a>
    where
        'b: 'a;

    #[inline(always)]
    fn cursor(&mut self) -> BufferCursor<'_> {
        let full_from = (self.pairs.len() + 1).saturating_sub(ROOM);
        BufferCursor { pairs: self.pairs, len: self.len, full_from, total: &mut self.len }
    }

    #[inline(always)]
    fn make_room(&mut self) {
        if self.pairs.len() < self.len + ROOM {
            self.len = (self.full)(self.pairs, self.len);
        }
    }
}

impl Cursor for BufferCursor<'_> {
    #[inline(always)]
    fn has_room(&self) -> bool {
        self.len < self.full_from
    }

    #[inline(always)]
    fn emit<S: Simd>(&mut self, simd: S, id: u32, ids: &[u32], from: usize, bits: u32) {
        self.len += simd.emit_pairs(self.pairs, self.len, id, ids, from, bits);
    }

    #[inline(always)]
    fn emit_block<S: Simd>(&mut self, simd: S, block: &Block, ids: &[u32]) {
        let Block { first, len, hits, below } = block;
        if S::COMPRESSES {
            for (k, (&hits, &below)) in hits.iter().zip(below).take(*len).enumerate() {
                let i = first + k;
                self.emit(simd, ids[i], ids, i + 1, hits & first_bits(S::LANES));
                self.emit(simd, ids[i], ids, below as usize, hits >> S::LANES);
            }
            return;
        }
        // Four bodies make a word: one loop over its bits, and one mispredicted end of it, for
        // four bodies instead of one.
        let own = &ids[*first..];
        for (k, four) in hits[..len.next_multiple_of(4)].as_chunks::<4>().0.iter().enumerate() {
            let [a, b, c, d] = four.map(u64::from);
            let mut word = a | b << 16 | c << 32 | d << 48;
            while word != 0 {
                let bit = word.trailing_zeros() as usize;
                word &= word - 1;
                let body = 4 * k + bit / 16;
                let range =
                    if bit & S::LANES == 0 { first + body + 1 } else { below[body] as usize };
                let other = ids[range + (bit & (S::LANES - 1))];
                let own = own[body];
                self.pairs[self.len] = Pair { a: own.min(other), b: own.max(other) };
                self.len += 1;
            }
        }
    }

    #[inline(always)]
    fn finish(self) {
        *self.total = self.len;
    }
}
