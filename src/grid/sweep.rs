//! From sorted columns to the touching pairs of a level.

use std::{marker::PhantomData, ops::Range};

use super::{
    Instance, Sorted,
    sink::{BLOCK, Block, Cursor, Sink, first_bits},
    windows::take_run,
};
use crate::{
    kernel::{
        columns::ColumnSet,
        overlap::{Rule, overlap},
    },
    simd::{Kernel, Simd, Table},
};

/// Sweeps some bodies of a level: finds, for each, its partners of the same level in its half
/// neighbourhood.
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
/// 4. The fast loop only notes which lanes hit, for a [`Block`] of bodies; their pairs are written
///    after it. With both in one loop, a turn is so long and its chain of dependent instructions so
///    deep that the CPU's window holds too few turns to overlap (6 % slower on AVX2, 57 % on SSE2).
/// 5. Everything rare is out of the fast loop: a body with a long range ends it, is done by the
///    general loop, and the fast one is entered again. A call or a loop inside would cost the fast
///    loop its registers. At one lane every range is long, and there is the general loop only.
pub(crate) struct Sweep<'a, I, K> {
    pub(crate) sorted: &'a Sorted,
    /// What pairs call the body in each place.
    pub(crate) ids: &'a [u32],
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
        let Self { sorted, ids, table, bodies, sink, .. } = self;
        let columns = sorted.padded::<I>();
        let rule = Rule { inclusive: INCLUSIVE, normal: I::NORMAL };
        let (mut i, end) = (bodies.start, bodies.end);
        let mut block = Block::default();
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
                block.from[block.len] = [after.start as u32, below.start as u32];
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
            let body = columns.splat(simd, i);
            for range in table.neighbours(i) {
                take_run(simd, (body, ids[i]), (columns, ids), range, rule, sink);
            }
            i += 1;
        }
    }
}
