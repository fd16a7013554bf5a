//! Pairs of rows become jobs: which kernel they take.

use super::{
    jobs::{Counts, Jobs, PairPlan},
    rule::PairQuery,
    view::Member,
};
use crate::{
    Pair,
    simd::{Kernel, Simd, map_each},
};

/// Makes a job of each of `pairs`, numbered from 0 on. There must be no jobs yet.
///
/// A pair takes few instructions and two loads, each of which may well wait for memory: rows of neighbours may be
/// anywhere. So the shapes of later pairs are asked for, and nothing here is a branch that depends on shapes.
pub(super) struct Assign<'a> {
    pub(super) rule: &'a PairQuery<'a>,
    pub(super) pairs: &'a [Pair],
    pub(super) jobs: &'a mut Jobs,
}

/// How many pairs before their turn shapes are asked for.
const AHEAD: usize = 64;

impl Kernel for Assign<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        if self.rule.between {
            self.of::<S, true>(simd);
        } else {
            self.of::<S, false>(simd);
        }
    }
}

impl Assign<'_> {
    /// The same, if it is known whether the pairs are of two sets.
    #[inline(always)]
    fn of<S: Simd, const BETWEEN: bool>(self, simd: S) {
        let Self { rule, pairs, jobs } = self;
        // All that the loop needs at hand: whatever it writes might change what is behind a reference.
        let [first, second] = map_each(rule.sets, |set| set.placed);
        let complement = if BETWEEN { rule.complement } else { 0 };
        let mut counts = Counts::default();
        for (index, slot) in jobs.make(pairs.len()).enumerate() {
            if S::PREFETCHES
                && let Some(later) = pairs.get(index + AHEAD)
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
