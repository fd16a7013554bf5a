//! `AskedPairs`: pairs of a search, decided by the caller.

use crate::{
    Pair,
    filter::Predicate,
    kernel::{columns::ColumnSet, grown::surely_touch},
    simd::Scalar,
    store::{Layout, with_columns},
};

/// Pairs that are decided together.
const TOGETHER: usize = u64::BITS as usize;

/// The predicate of the caller for pairs that a search has written.
///
/// The search writes all pairs that meet by their filters, and the predicate is asked about a block
/// of them. So the loops of the search know nothing of it, and the loop over the pairs has no
/// branch that depends on them.
#[derive(Clone, Copy)]
pub(super) struct AskedPairs<'a> {
    pub(super) predicate: Predicate<'a>,
    /// The row of each number in the pairs, if the numbers are places of one set.
    pub(super) rows: Option<&'a [u32]>,
    /// Whether the second numbers are complements of rows of an index.
    pub(super) against: bool,
    /// The shapes by place, if they are grown and the pairs are of rows. The search then writes
    /// pairs of places.
    pub(super) grown: Option<Layout<'a>>,
}

impl AskedPairs<'_> {
    /// Moves the accepted pairs to the front, in their order, and returns their number.
    pub(super) fn keep(&self, pairs: &mut [Pair]) -> usize {
        let mut kept = 0;
        for first in (0..pairs.len()).step_by(TOGETHER) {
            let last = pairs.len().min(first + TOGETHER);
            let together = &mut pairs[first..last];
            let open = match (self.grown, self.rows) {
                (Some(layout), Some(rows)) => {
                    with_columns!(layout, set => open_pairs(set, rows, together))
                }
                _ => u64::MAX >> (TOGETHER - together.len()),
            };
            let refused = self.refused(together, open);
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

    /// Of the pairs whose bits are set, those that the predicate refuses.
    fn refused(&self, pairs: &[Pair], open: u64) -> u64 {
        let Predicate { accept, prefetch, .. } = self.predicate;
        if let Some(prefetch) = prefetch {
            for number in bits(open) {
                let [a, b] = self.rows(&pairs[number]);
                prefetch(a, b);
            }
        }
        let mut refused = 0;
        for number in bits(open) {
            let [a, b] = self.rows(&pairs[number]);
            refused |= u64::from(!accept(a, b)) << number;
        }
        refused
    }

    /// The rows of a pair.
    #[inline]
    fn rows(&self, pair: &Pair) -> [u32; 2] {
        let Self { rows, against, grown, .. } = *self;
        match rows {
            Some(rows) if grown.is_none() => {
                let [a, b] = [rows[pair.a as usize], rows[pair.b as usize]];
                [a.min(b), a.max(b)]
            }
            _ => [pair.a, if against { !pair.b } else { pair.b }],
        }
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

/// Replaces pairs of places by pairs of rows. Returns a bit for each pair that does not surely
/// touch.
#[inline(always)]
fn open_pairs(set: impl ColumnSet, rows: &[u32], pairs: &mut [Pair]) -> u64 {
    let mut open = 0;
    for (number, pair) in pairs.iter_mut().enumerate() {
        let [a, b] = [pair.a as usize, pair.b as usize];
        let [row, other] = [rows[a], rows[b]];
        let sure = surely_touch(Scalar, set.load(Scalar, a), set.load(Scalar, b));
        open |= u64::from(!sure) << number;
        *pair = Pair { a: row.min(other), b: row.max(other) };
    }
    open
}
