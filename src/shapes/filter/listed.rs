//! `ListedRows`: lists of rows, decided one after the other.

use crate::simd::DECISIONS_AHEAD;

/// Lists of rows, one after the other.
pub(crate) struct ListedRows<'a> {
    /// The row whose list it is, for each list.
    pub(crate) of: &'a [u32],
    pub(crate) items: &'a mut [u32],
    /// Where each list ends.
    pub(crate) ends: &'a mut [u32],
}

impl ListedRows<'_> {
    /// Removes the items that are not accepted. `prefetch` is for a row that `accept` is asked
    /// about soon.
    #[inline]
    pub(crate) fn retain(self, prefetch: impl Fn(u32), accept: impl Fn(u32, u32) -> bool) {
        let Self { of, items, ends } = self;
        let (mut begin, mut kept) = (0, 0);
        for (&row, end) in of.iter().zip(ends) {
            for at in begin..*end as usize {
                if let Some(&ahead) = items.get(at + DECISIONS_AHEAD) {
                    prefetch(ahead);
                }
                let other = items[at];
                items[kept] = other;
                // No branch: nearly all rows are kept.
                kept += usize::from(accept(row, other));
            }
            (begin, *end) = (*end as usize, kept as u32);
        }
    }
}
