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

/// Groups items, each given with its group: `put` takes the place of each item and the item.
/// `groups` are zeros, one for each group, and become the ends of the groups.
#[inline(always)]
pub(crate) fn group<P: Place, T>(
    groups: &mut [P],
    items: impl Iterator<Item = (u32, T)> + Clone,
    put: impl FnMut(usize, T),
) {
    items.clone().for_each(|(group, _)| groups[group as usize] += P::ONE);
    begin_groups(P::default(), groups);
    place(groups, items, put);
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

/// Places items, each given with its group. `groups` have the place of the next item of each group.
#[inline(always)]
pub(crate) fn place<P: Place, T>(
    groups: &mut [P],
    items: impl Iterator<Item = (u32, T)>,
    mut put: impl FnMut(usize, T),
) {
    // By `for_each`: it is a plain loop for nested items too.
    items.for_each(|(group, item)| {
        let next = &mut groups[group as usize];
        put(next.index(), item);
        *next += P::ONE;
    });
}
