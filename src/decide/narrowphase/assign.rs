//! Makes jobs of pairs of rows: selects the kernel of each pair.

use super::{
    jobs::{Counts, Jobs, PairPlan},
    pair_query::PairQuery,
    view::Member,
};
use crate::{
    base::Pair,
    simd::{Kernel, LOOKUPS_AHEAD, Simd, map_each},
};

/// Makes a job of each of `pairs`, numbered from 0. There must be no jobs yet.
///
/// A pair takes few instructions and two loads. Both loads may miss the cache, because the rows of
/// neighbours may be anywhere. So the shapes of later pairs are prefetched, and no branch depends
/// on the shapes.
pub(super) struct Assign<'a> {
    pub(super) query: &'a PairQuery<'a>,
    pub(super) pairs: &'a [Pair],
    pub(super) jobs: &'a mut Jobs,
}

impl Kernel for Assign<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        if self.query.between {
            self.of::<S, true>(simd);
        } else {
            self.of::<S, false>(simd);
        }
    }
}

impl Assign<'_> {
    /// The loop, compiled for pairs within one set and for pairs between two sets.
    #[inline(always)]
    fn of<S: Simd, const BETWEEN: bool>(self, simd: S) {
        let Self { query, pairs, jobs } = self;
        // Local copies: the compiler would reload values behind a reference after each write of the
        // loop.
        let [first, second] = map_each(query.sets, |set| set.placed);
        let complement = if BETWEEN { query.complement } else { 0 };
        let mut counts = Counts::default();
        for (index, slot) in jobs.make(pairs.len()).enumerate() {
            if S::PREFETCHES
                && let Some(later) = pairs.get(index + LOOKUPS_AHEAD)
                && let Some(shape) = first.get(later.a as usize)
                && let Some(other) = second.get((later.b ^ complement) as usize)
            {
                simd.prefetch(shape);
                simd.prefetch(other);
            }
            let Pair { a, b } = pairs[index];
            let members = [Member::new(a, false), Member::new(b ^ complement, BETWEEN)];
            let [a, b] = map_each(members, |member| member.row as usize);
            let plan = PairPlan::of([first[a].class_number(), second[b].class_number()]);
            slot.set(plan, members, index as u32, &mut counts);
        }
        jobs.count(counts);
    }
}
