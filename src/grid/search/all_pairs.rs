//! All pairs: pairs of runs of few items, each tested with each of its run.

use std::{marker::PhantomData, ops::Range};

use super::sink::{BLOCK, BlockPlaces, HitBlock, Keep, PairSink, first_bits};
use crate::{
    grid::sort::{ItemLayout, Sorted},
    kernel::{ColumnSet, Rule, overlap},
    simd::{Kernel, MAX_LANES, Simd},
};

/// Finds the pairs of runs of few items, such as the spaces of a batch.
///
/// In plain words:
///
/// ```text
/// for each run:
///     for each sixteen items j of it:
///         for each item i of it up to the last of them:
///             for each j after i: if overlap(i, j): emit(i, j)
/// ```
///
/// The loop over `i` is long, so its end is predicted well, and the sixteen stay in registers.
/// Which items have a hit is not predictable. So all items are noted in a block, and items without
/// a hit are overwritten by the next. Pairs are written when the block is full.
pub(crate) struct AllPairs<'a, 'b, I> {
    pub(crate) sorted: &'a Sorted,
    /// The id of the item at each place.
    pub(crate) ids: &'a [u32],
    /// The numbers of the runs.
    pub(crate) runs: Range<usize>,
    pub(crate) inclusive: bool,
    pub(crate) sink: &'a mut PairSink<'b>,
    pub(crate) layout: PhantomData<I>,
}

impl<I: ItemLayout> Kernel for AllPairs<'_, '_, I> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        self.search(simd.half());
    }
}

impl<I: ItemLayout> AllPairs<'_, '_, I> {
    #[inline(always)]
    fn search<S: Simd>(self, simd: S) {
        let Self { sorted, ids, runs, inclusive, sink, .. } = self;
        let columns = sorted.padded::<I>();
        let rule = Rule { inclusive, normal: I::NORMAL };
        let mut found = PendingHits::new();
        let mut len = 0;
        for run in sorted.run_starts()[runs.start..=runs.end].windows(2) {
            let (begin, run_end) = (run[0] as usize, run[1] as usize);
            for block in (begin..run_end).step_by(MAX_LANES) {
                let end = (block + MAX_LANES).min(run_end);
                for place in begin..end - 1 {
                    let item = columns.splat(simd, place);
                    // Once, but for scalar code.
                    for from in (block..block + MAX_LANES).step_by(2 * S::LANES) {
                        let near = columns.load(simd, from);
                        let far = columns.load(simd, from + S::LANES);
                        let hits = simd.bits(overlap(simd, item, near, rule))
                            | simd.bits(overlap(simd, item, far, rule)) << S::LANES;
                        let within = first_bits(end.saturating_sub(from).min(2 * S::LANES));
                        // Only items after this item.
                        let before = (place + 1).saturating_sub(from).min(2 * S::LANES);
                        let hits = (hits & within) >> before << before;
                        // The remainders change nothing: they show the compiler that it is in
                        // bounds.
                        found.block.hits[len % BLOCK] = hits;
                        found.places[len % BLOCK] = place as u32;
                        found.from[len % BLOCK] = from as u32;
                        len += usize::from(hits != 0);
                        if len == BLOCK {
                            simd.call(Write { found: &mut found, len, ids, sink });
                            len = 0;
                        }
                    }
                }
            }
        }
        simd.call(Write { found: &mut found, len, ids, sink });
    }
}

/// The vectors with hits whose pairs have not been written yet.
struct PendingHits {
    block: HitBlock,
    /// The place of the item of each entry, and the place of the first item it was tested with.
    places: [u32; BLOCK],
    from: [u32; BLOCK],
}

impl PendingHits {
    #[inline(always)]
    fn new() -> Self {
        Self { block: HitBlock::default(), places: [0; BLOCK], from: [0; BLOCK] }
    }
}

/// Writes the pairs of the first `len` entries. A separate function, because there are two callers.
struct Write<'a, 'b> {
    found: &'a mut PendingHits,
    len: usize,
    /// The id of the item at each place.
    ids: &'a [u32],
    sink: &'a mut PairSink<'b>,
}

impl Kernel for Write<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { found: PendingHits { block, places, from }, len, ids, sink } = self;
        let mut own = [0; BLOCK];
        for entry in 0..len.min(BLOCK) {
            own[entry] = ids[places[entry] as usize];
            block.from[entry] = [from[entry], from[entry] + S::LANES as u32];
        }
        block.len = len;
        block.hits[len..len.next_multiple_of(4)].fill(0);
        if let Some(meeting) = sink.meeting {
            simd.call(Keep { block, meeting, places: BlockPlaces::Listed(places) });
        }
        sink.make_room();
        let mut cursor = sink.cursor();
        cursor.emit_block(simd, block, &own, ids);
        cursor.finish();
    }
}
