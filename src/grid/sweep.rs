//! From sorted columns to touching pairs.

use std::{marker::PhantomData, ops::Range};

use super::{Instance, Plan, Sorted};
use crate::{
    Pair,
    kernel::{
        columns::ColumnSet,
        overlap::{Rule, overlap},
    },
    simd::{Kernel, MAX_LANES, Simd},
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
pub(crate) struct Sweep<'a, I, K> {
    pub(crate) plan: &'a Plan,
    pub(crate) sorted: &'a Sorted,
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
        let Self { plan, sorted, bodies, sink, .. } = self;
        let columns = sorted.columns::<I>();
        let (ids, cells, starts) = (sorted.ids(), sorted.cells(), sorted.starts());
        let stride = plan.stride as usize;
        let rule = Rule { inclusive: INCLUSIVE, normal: I::NORMAL };
        for i in bodies {
            let cell = cells[i] as usize;
            let body = columns.splat(simd, i);
            let after = i + 1..starts[cell + 2] as usize;
            let below = starts[cell + stride - 1] as usize..starts[cell + stride + 2] as usize;
            for range in [after, below] {
                let mut at = range.start;
                loop {
                    let others = columns.load(simd, at);
                    let hits = overlap(simd, body, others, rule);
                    let left = range.end.saturating_sub(at);
                    let bits = simd.bits(hits) & first_bits(left.min(S::LANES));
                    sink.emit(simd, ids[i], ids, at, bits);
                    at += S::LANES;
                    if at >= range.end {
                        break;
                    }
                }
            }
        }
    }
}

/// The lowest `count` bits, for up to [`MAX_LANES`].
#[inline(always)]
fn first_bits(count: usize) -> u32 {
    (1 << count) - 1
}

/// Where pairs go.
pub(crate) trait Sink {
    /// Takes the pair of `id` and `ids[from + i]` for every set bit `i` of `bits`, lowest first.
    fn emit<S: Simd>(&mut self, simd: S, id: u32, ids: &[u32], from: usize, bits: u32);
}

/// Counts pairs.
#[derive(Debug, Default)]
pub(crate) struct Count {
    pub(crate) pairs: u64,
}

impl Sink for Count {
    #[inline(always)]
    fn emit<S: Simd>(&mut self, _: S, _: u32, _: &[u32], _: usize, bits: u32) {
        self.pairs += u64::from(bits.count_ones());
    }
}

/// Writes pairs into a buffer, and asks what to do when it is full.
///
/// The buffer is written by whole vectors, so its length is kept beside it and not by it: the
/// elements from `len` on are initialised, and mean nothing.
pub(crate) struct Buffer<'a> {
    pub(crate) pairs: &'a mut Vec<Pair>,
    pub(crate) len: usize,
    /// Makes room for [`MAX_LANES`] pairs at least (by growing the buffer, or by taking the first
    /// `len` pairs out), and returns the new `len`.
    pub(crate) make_room: &'a mut dyn FnMut(&mut Vec<Pair>, usize) -> usize,
}

impl Sink for Buffer<'_> {
    #[inline(always)]
    fn emit<S: Simd>(&mut self, simd: S, id: u32, ids: &[u32], from: usize, bits: u32) {
        if self.pairs.len() < self.len + MAX_LANES {
            self.len = (self.make_room)(self.pairs, self.len);
        }
        self.len += simd.emit_pairs(self.pairs, self.len, id, ids, from, bits);
    }
}
