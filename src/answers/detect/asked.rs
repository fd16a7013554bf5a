//! `AskedPairs`: pairs of a search, decided by the caller.

use crate::{base::Pair, filter::Predicate, simd::DECISIONS_AHEAD};

/// The predicate of the caller for pairs that a search has written.
///
/// The search writes all pairs that meet by their filters, and the predicate is asked about a block
/// of them. So the loops of the search know nothing of it, and the loop over the pairs has no
/// branch that depends on them. Predicates about [grown](Predicate::grown) shapes are asked by the
/// search itself, about few pairs.
#[derive(Clone, Copy)]
pub(super) struct AskedPairs<'a> {
    pub(super) predicate: Predicate<'a>,
    /// The row of each number in the pairs, if the numbers are places of one set.
    pub(super) rows: Option<&'a [u32]>,
    /// Whether the second numbers are complements of rows of an index.
    pub(super) against: bool,
}

impl AskedPairs<'_> {
    /// Moves the accepted pairs to the front, in their order, and returns their number.
    pub(super) fn keep(&self, pairs: &mut [Pair]) -> usize {
        let Predicate { accept, prefetch, .. } = self.predicate;
        let mut kept = 0;
        for at in 0..pairs.len() {
            if let Some(prefetch) = prefetch
                && let Some(pair) = pairs.get(at + DECISIONS_AHEAD)
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

    /// The rows of a pair.
    #[inline]
    fn rows(&self, pair: &Pair) -> [u32; 2] {
        match self.rows {
            Some(rows) => {
                let [a, b] = [rows[pair.a as usize], rows[pair.b as usize]];
                [a.min(b), a.max(b)]
            }
            None if self.against => [pair.a, !pair.b],
            None => [pair.a, pair.b],
        }
    }
}
