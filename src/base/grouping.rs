//! Grouping by counting: a counting sort, for groups whose numbers are small.
//!
//! ```text
//! count   how many items each group has
//! begin   where each group begins: the sum of the counts before it
//! place   each item at the next place of its group
//! ```
//!
//! Items of a group keep their order. The grid sorts whole records with prefetches, and does each
//! step by itself (`grid/sort/`); it shares [`begin_groups`].

use std::ops::AddAssign;

use super::BLOCK_ROWS;

/// The number of items of a group, and then the place of its next item.
pub(crate) trait Place: Copy + Default + AddAssign {
    const ONE: Self;

    fn index(self) -> usize;
}

impl Place for u32 {
    const ONE: Self = 1;

    #[inline(always)]
    fn index(self) -> usize {
        self as usize
    }
}

impl Place for usize {
    const ONE: Self = 1;

    #[inline(always)]
    fn index(self) -> usize {
        self
    }
}

/// Whether this many groups are few enough to group by counting, which also reads empty groups.
pub(crate) fn are_few(groups: usize, items: usize) -> bool {
    groups <= 4 * items + BLOCK_ROWS
}

/// Groups the items of some sources. Each source has `N` items, each given with its group. `put`
/// takes the place of an item and the item. `groups` are zeros, one for each group, and become the
/// ends of the groups.
#[inline(always)]
pub(crate) fn group<P: Place, S, T, const N: usize>(
    groups: &mut [P],
    sources: impl Iterator<Item = S> + Clone,
    items: impl Fn(S) -> [(u32, T); N],
    put: impl FnMut(usize, T),
) {
    for source in sources.clone() {
        for (group, _) in items(source) {
            groups[group as usize] += P::ONE;
        }
    }
    begin_groups(P::default(), groups);
    place(groups, sources, items, put);
}

/// Replaces the number of items of each group by the place where the group begins, and returns the
/// place where the last group ends. The first group begins at `begin`.
#[inline(always)]
pub(crate) fn begin_groups<P: Place>(begin: P, groups: &mut [P]) -> P {
    let mut next = begin;
    for group in groups {
        next += std::mem::replace(group, next);
    }
    next
}

/// The last step of [`group`]: `groups` have the place of the next item of each group.
#[inline(always)]
pub(crate) fn place<P: Place, S, T, const N: usize>(
    groups: &mut [P],
    sources: impl Iterator<Item = S>,
    items: impl Fn(S) -> [(u32, T); N],
    mut put: impl FnMut(usize, T),
) {
    for source in sources {
        for (group, item) in items(source) {
            let next = &mut groups[group as usize];
            put(next.index(), item);
            *next += P::ONE;
        }
    }
}
