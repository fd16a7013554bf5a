//! `AskedPairs`: pairs of a search, decided by the caller.

use crate::{
    Pair,
    filter::Predicate,
    kernel::{columns::ColumnSet, grown::surely_touch},
    simd::{Isa, Kernel, Simd, dispatch_moves},
    store::Layout,
};

/// What a decision reads is prefetched so many pairs ahead.
const AHEAD: usize = 16;

/// Pairs of places that are decided together.
const TOGETHER: usize = u64::BITS as usize;

/// The predicate of the caller for pairs that a search has written.
///
/// The search writes all pairs that meet by their filters, and the predicate is asked about a block
/// of them. So the loops of the search know nothing of it, and the loop over the pairs has no
/// branch that depends on them.
#[derive(Clone, Copy)]
pub(super) struct AskedPairs<'a> {
    pub(super) isa: Isa,
    pub(super) predicate: Predicate<'a>,
    /// The row of each number in the pairs, if the numbers are places of one set.
    pub(super) rows: Option<&'a [u32]>,
    /// Whether the second numbers are complements of rows of an index.
    pub(super) against: bool,
    /// If shapes are grown and pairs of rows are wanted. The search then writes pairs of places.
    pub(super) grown: Option<GrownPairs<'a>>,
}

/// The shapes of pairs by place, and their ids: of one set, or of a set and an index, of which the
/// search writes complements of places.
#[derive(Clone, Copy)]
pub(super) struct GrownPairs<'a> {
    pub(super) layouts: [Layout<'a>; 2],
    pub(super) ids: [&'a [u32]; 2],
}

impl AskedPairs<'_> {
    /// Moves the accepted pairs to the front, in their order, and returns their number.
    pub(super) fn keep(&self, pairs: &mut [Pair]) -> usize {
        if let Some(grown) = &self.grown {
            return self.keep_grown(grown, pairs);
        }
        let Predicate { accept, prefetch, .. } = self.predicate;
        let mut kept = 0;
        for at in 0..pairs.len() {
            if let Some(prefetch) = prefetch
                && let Some(pair) = pairs.get(at + AHEAD)
            {
                let [a, b] = self.rows(pair);
                prefetch(a, b);
            }
            let pair = pairs[at];
            let [a, b] = self.rows(&pair);
            pairs[kept] = pair;
            kept += usize::from(accept(a, b));
        }
        kept
    }

    /// The same for pairs of places, which it replaces by pairs of ids.
    fn keep_grown(&self, grown: &GrownPairs<'_>, pairs: &mut [Pair]) -> usize {
        let mut kept = 0;
        for first in (0..pairs.len()).step_by(TOGETHER) {
            let last = pairs.len().min(first + TOGETHER);
            let together = &mut pairs[first..last];
            let open = self.open(grown, together);
            let refused = if open == 0 { 0 } else { self.refused(together, open) };
            if refused == 0 {
                pairs.copy_within(first..last, kept);
                kept += last - first;
                continue;
            }
            for at in first..last {
                pairs[kept] = pairs[at];
                kept += usize::from(refused >> (at - first) & 1 == 0);
            }
        }
        kept
    }

    /// Replaces pairs of places by pairs of ids. Returns a bit for each pair that does not surely
    /// touch.
    fn open(&self, grown: &GrownPairs<'_>, pairs: &mut [Pair]) -> u64 {
        let GrownPairs { layouts, ids } = *grown;
        let mut places = [[0; TOGETHER]; 2];
        let [first, second] = &mut places;
        for (pair, (a, b)) in pairs.iter_mut().zip(first.iter_mut().zip(second)) {
            (*a, *b) = (pair.a, pair.b ^ self.complement());
            // The ids of an index are complements of rows, which are above all rows.
            let [id, other] = [ids[0][*a as usize], ids[1][*b as usize]];
            *pair = Pair { a: id.min(other), b: id.max(other) };
        }
        let (isa, len) = (self.isa, pairs.len());
        // As slices. Loops over arrays would be unrolled, to 7 to 11 KB for each layout.
        let places = places.each_ref().map(<[u32; TOGETHER]>::as_slice);
        let open = match layouts {
            [Layout::Circles(one), Layout::Circles(other)] => {
                dispatch_moves(isa, OpenPairs { sets: [one, other], places, len })
            }
            [Layout::Boxes(one), Layout::Boxes(other)] => {
                dispatch_moves(isa, OpenPairs { sets: [one, other], places, len })
            }
            [Layout::Rounded(one), Layout::Rounded(other)] => {
                dispatch_moves(isa, OpenPairs { sets: [one, other], places, len })
            }
            _ => unreachable!("items of two grids are read in one layout"),
        };
        open & u64::MAX >> (TOGETHER - len)
    }

    /// Of the pairs whose bits are set, those that the predicate refuses.
    fn refused(&self, pairs: &[Pair], open: u64) -> u64 {
        let Predicate { accept, prefetch, .. } = self.predicate;
        if let Some(prefetch) = prefetch {
            for number in bits(open) {
                let Pair { a, b } = pairs[number];
                prefetch(a, b ^ self.complement());
            }
        }
        let mut refused = 0;
        for number in bits(open) {
            let Pair { a, b } = pairs[number];
            refused |= u64::from(!accept(a, b ^ self.complement())) << number;
        }
        refused
    }

    /// The rows of a pair.
    #[inline]
    fn rows(&self, pair: &Pair) -> [u32; 2] {
        match self.rows {
            Some(rows) => {
                let [a, b] = [rows[pair.a as usize], rows[pair.b as usize]];
                [a.min(b), a.max(b)]
            }
            None => [pair.a, pair.b ^ self.complement()],
        }
    }

    /// What turns the second id of a pair into a row.
    #[inline]
    fn complement(&self) -> u32 {
        if self.against { u32::MAX } else { 0 }
    }
}

/// The numbers of the bits that are set, lowest first.
fn bits(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = (bits != 0).then_some(bits.trailing_zeros() as usize);
        bits &= bits.wrapping_sub(1);
        lowest
    })
}

/// Says which of some pairs of places do not surely touch, by a bit for each. Bits behind the last
/// pair are of no account.
struct OpenPairs<'a, C> {
    sets: [C; 2],
    /// Up to the next multiple of a vector.
    places: [&'a [u32]; 2],
    len: usize,
}

impl<C: ColumnSet> Kernel for OpenPairs<'_, C> {
    type Output = u64;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> u64 {
        let Self { sets, places, len } = self;
        let mut open = 0;
        for at in (0..len).step_by(S::LANES) {
            let a = sets[0].gather(simd, places[0], at);
            let b = sets[1].gather(simd, places[1], at);
            open |= u64::from(!simd.bits(surely_touch(simd, a, b)) & first_bits(S::LANES)) << at;
        }
        open
    }
}

/// The lowest `count` bits, for up to [`MAX_LANES`](crate::simd::MAX_LANES).
#[inline(always)]
fn first_bits(count: usize) -> u32 {
    (1 << count) - 1
}
