//! What becomes of hits: pairs in a buffer, or their number.

use crate::{
    Pair,
    simd::{Kernel, MAX_LANES, Simd},
};

/// Bodies, one after the other, whose tests are done and whose pairs are not yet written.
pub(crate) struct HitBlock {
    /// How many bodies there are; up to the next multiple of four, `hits` are 0.
    pub(super) len: usize,
    /// For each body, the hits in its first range from bit 0 on, and in its second range from bit `LANES`
    /// on; where ranges of the sweep may have two vectors, those in the second one of the second range
    /// follow, and from bit [`FAR_AFTER`] on those in the second one of the first range.
    pub(super) hits: [u32; BLOCK],
    /// For each body, where its ranges begin. In a sweep, the first is the rest of its cell and what follows,
    /// the second is below.
    pub(super) from: [[u32; 2]; BLOCK],
}

impl Default for HitBlock {
    fn default() -> Self {
        Self { len: 0, hits: [0; BLOCK], from: [[0; 2]; BLOCK] }
    }
}

/// Bodies in a block.
pub(super) const BLOCK: usize = 64;

/// In [`HitBlock::hits`]: where those in the second vector of the first range are. Few have any, so they
/// stand behind all that are written by one compress.
pub(super) const FAR_AFTER: u32 = 24;

/// Room that a sink makes: what a block can need at most.
pub(crate) const ROOM: usize = BLOCK * 2 * MAX_LANES;

/// A block with more pairs a body than this is crowded, by one body of so many that is looked at.
const CROWDED: usize = 3;
const SAMPLE_OF: usize = 8;

/// The lowest `count` bits, for up to [`MAX_LANES`].
#[inline(always)]
pub(super) fn first_bits(count: usize) -> u32 {
    (1 << count) - 1
}

/// Writes pairs into a buffer, and asks what to do when it is full; or counts them.
///
/// The buffer is written by whole vectors, so the number of pairs in it is kept beside it: the
/// elements from `len` on are initialised, and mean nothing.
pub(crate) struct Sink<'a> {
    pub(crate) pairs: &'a mut Vec<Pair>,
    pub(crate) len: usize,
    /// The number of pairs, where they are counted and not written. A value and not a type: it is
    /// asked for each block of bodies, and sweeps are compiled once.
    pub(crate) counted: Option<u64>,
    /// Makes room for [`ROOM`] pairs at least (by growing the buffer, or by taking the
    /// first `len` pairs out), and returns the new `len`.
    pub(crate) full: &'a mut dyn FnMut(&mut Vec<Pair>, usize) -> usize,
}

/// The sink while nothing but pairs is written to it: all of it fits into registers.
pub(crate) struct Cursor<'a> {
    pairs: &'a mut [Pair],
    len: usize,
    /// The length from which on there is no [`ROOM`].
    full_from: usize,
    counted: Option<&'a mut u64>,
    total: &'a mut usize,
}

impl Sink<'_> {
    /// Starts writing where the last cursor has finished.
    #[inline(always)]
    pub(crate) fn cursor(&mut self) -> Cursor<'_> {
        let full_from = (self.pairs.len() + 1).saturating_sub(ROOM);
        let (len, counted) = (self.len, self.counted.as_mut());
        Cursor { pairs: self.pairs, len, full_from, counted, total: &mut self.len }
    }

    /// Makes room for [`ROOM`] pairs at least.
    #[inline(always)]
    pub(crate) fn make_room(&mut self) {
        if self.pairs.len() < self.len + ROOM && self.counted.is_none() {
            self.len = (self.full)(self.pairs, self.len);
        }
    }
}

impl Cursor<'_> {
    /// Whether there is room for [`ROOM`] pairs.
    #[inline(always)]
    pub(crate) fn has_room(&self) -> bool {
        self.len < self.full_from || self.counted.is_some()
    }

    /// Takes the pair of `id` and `ids[from + i]` for every set bit `i` of `bits`, lowest first.
    /// There must be room for `LANES` pairs.
    #[inline(always)]
    pub(crate) fn emit<S: Simd>(&mut self, simd: S, id: u32, ids: &[u32], from: usize, bits: u32) {
        match &mut self.counted {
            Some(counted) => **counted += u64::from(bits.count_ones()),
            None => self.len += simd.emit_pairs(self.pairs, self.len, id, ids, from, bits),
        }
    }

    /// Takes the pairs of a block whose bodies are called `own`, each with those of `ids` from the
    /// places that it names. There must be [`ROOM`].
    #[inline(always)]
    pub(crate) fn emit_block<S: Simd>(
        &mut self,
        simd: S,
        block: &HitBlock,
        own: &[u32],
        ids: &[u32],
    ) {
        let HitBlock { len, hits, from } = block;
        if let Some(counted) = &mut self.counted {
            let found: u32 = hits[..*len].iter().map(|hits| hits.count_ones()).sum();
            **counted += u64::from(found);
            return;
        }
        let names = &own[..*len];
        if S::COMPRESSES || S::LANES == 1 {
            let (hits, from) = (&hits[..*len], &from[..*len]);
            let (pairs, at) = (&mut *self.pairs, self.len);
            self.len = simd.call(Compress { pairs, at, own: names, ids, hits, from });
            return;
        }
        // Four bodies of 2 × 8 lanes make a word: one loop over its bits, and one mispredicted end
        // of it, for four bodies instead of one. Byte `k` of a word is the word's `k`-th range.
        const { assert!(S::COMPRESSES || S::LANES == 8 || S::LANES == 1) };
        let mut own = [0; BLOCK];
        own[..*len].copy_from_slice(names);
        let from = from.as_flattened();
        for word_index in 0..len.div_ceil(4) {
            let [a, b, c, d] =
                [0, 1, 2, 3].map(|body| u64::from(hits[(4 * word_index + body) % BLOCK]));
            let mut word = a | b << 16 | c << 32 | d << 48;
            while word != 0 {
                let bit = 64 * word_index + word.trailing_zeros() as usize;
                word &= word - 1;
                // The remainders change nothing; they show that the indices are within the arrays.
                let other = ids[from[bit / 8 % (2 * BLOCK)] as usize + bit % 8];
                let own = own[bit / 16 % BLOCK];
                self.pairs[self.len] = Pair { a: own.min(other), b: own.max(other) };
                self.len += 1;
            }
        }
    }

    /// Hands what was written to the sink.
    #[inline(always)]
    pub(crate) fn finish(self) {
        *self.total = self.len;
    }
}

/// Writes the pairs of a block to `pairs[at..]`, and returns where they end.
struct Compress<'a> {
    pairs: &'a mut [Pair],
    at: usize,
    /// What the bodies of the block are called.
    own: &'a [u32],
    /// What the bodies in all places are called.
    ids: &'a [u32],
    hits: &'a [u32],
    from: &'a [[u32; 2]],
}

impl Kernel for Compress<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> usize {
        if S::EMITS_TWO_AT_ONCE && self.is_crowded() {
            self.list::<S, true>(simd)
        } else {
            self.list::<S, false>(simd)
        }
    }
}

impl Compress<'_> {
    /// Whether so many bodies have more than four pairs that asking each would be guessed wrong too often.
    #[inline(always)]
    fn is_crowded(&self) -> bool {
        let sample = self.hits.iter().step_by(SAMPLE_OF);
        let found: u32 = sample.clone().map(|hits| hits.count_ones()).sum();
        found as usize > CROWDED * sample.len()
    }

    #[inline(always)]
    fn list<S: Simd, const MANY: bool>(self, simd: S) -> usize {
        let Self { pairs, mut at, own, ids, hits, from } = self;
        for ((&id, &hits), &[after, below]) in own.iter().zip(hits).zip(from) {
            let from = [after as usize, below as usize];
            // At sixteen lanes, there is room for no others.
            let near = hits & (u32::MAX >> (32 - 2 * S::LANES));
            if 2 * S::LANES == 32 || hits == near {
                at += simd.emit_two::<MANY>(pairs, at, id, ids, from, near);
                continue;
            }
            // By the places of the others: both vectors of the range after the body, then both below.
            let far = [hits >> FAR_AFTER, hits >> (2 * S::LANES)];
            for (range, from) in from.into_iter().enumerate() {
                let [near, far] = [near >> (range * S::LANES), far[range]]
                    .map(|hits| hits & first_bits(S::LANES));
                let from = [from, from + S::LANES];
                at += simd.emit_two::<MANY>(pairs, at, id, ids, from, near | far << S::LANES);
            }
        }
        at
    }
}
