//! Pairs of places become jobs: what results call them, and which kernel they take.

use super::{
    jobs::{Counts, Jobs, Plan},
    rule::Rule,
    view::Member,
};
use crate::{
    Pair,
    simd::{Kernel, Simd},
};

/// Makes a job of each of `pairs`, numbered from 0 on, and names them. There must be no jobs yet.
///
/// A pair takes few instructions and four loads, each of which may wait. So the shapes of later pairs are asked
/// for, and nothing here is a branch that depends on shapes.
pub(super) struct Assign<'a> {
    pub(super) rule: &'a Rule<'a>,
    pub(super) pairs: &'a mut [Pair],
    pub(super) jobs: &'a mut Jobs,
}

/// How many pairs before their turn shapes are asked for.
const AHEAD: usize = 16;

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
        let [first, second] = self.rule.sets;
        let (Some(ids), Some(other_ids)) = (first.ids, second.ids) else {
            return self.by::<S, BETWEEN>(simd, |_, _, places| (places, false));
        };
        // As long as the shapes, where the compiler sees it: one bounds check will do for both.
        let (ids, other_ids) = (&ids[..first.placed.len()], &other_ids[..second.placed.len()]);
        self.by::<S, BETWEEN>(simd, |a, b, _| {
            let (id, other) = (ids[a], other_ids[b]);
            (Pair { a: id.min(other), b: id.max(other) }, other < id)
        });
    }

    /// The same, given what results call the shapes in two places, and whether in the other order.
    #[inline(always)]
    fn by<S: Simd, const BETWEEN: bool>(
        self,
        simd: S,
        name: impl Fn(usize, usize, Pair) -> (Pair, bool),
    ) {
        let Self { rule, pairs, jobs } = self;
        // All that the loop needs at hand: whatever it writes might change what is behind a reference.
        let [first, second] = rule.sets.map(|set| set.placed);
        let complement = if BETWEEN { u32::MAX } else { 0 };
        let mut counts = Counts::default();
        for (index, slot) in jobs.make(pairs.len()).enumerate() {
            if S::PREFETCHES
                && let Some(later) = pairs.get(index + AHEAD)
                && let Some(shape) = second.get((later.b ^ complement) as usize)
            {
                simd.prefetch(shape);
            }
            let Pair { a, b } = pairs[index];
            let members = [Member::new(a, false), Member::new(b ^ complement, BETWEEN)];
            let [a, b] = members.map(|member| member.place as usize);
            let classes = [first[a].class_number(), second[b].class_number()];
            let (named, swapped) = name(a, b, pairs[index]);
            pairs[index] = named;
            let plan = Plan::of_swapped(classes, swapped);
            slot.set(plan, members, swapped, index as u32, &mut counts);
        }
        jobs.count(counts);
    }
}
