//! What is asked of the narrowphase, and what each pair takes.

use super::{
    boxes::{touching, widened},
    jobs::{KernelKind, PairPlan},
    output::ContactKey,
    view::{Member, Set, Sources},
};
use crate::{
    Pair,
    simd::{Isa, Scalar, map_each},
};

/// What is asked of the narrowphase.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PairQuery<'a> {
    pub(crate) isa: Isa,
    /// Where the shapes of pairs are: the first of a pair in the first, and the second in the first,
    /// too, or else in the second.
    pub(crate) sets: [Set<'a>; 2],
    /// Whether pairs are of a shape of the first set and one of the second.
    pub(crate) between: bool,
    /// The bits of the second row of a pair that are given the other way round: all of them between two sets, but
    /// for pairs that a caller has found, else none.
    pub(super) complement: u32,
    pub(crate) inclusive: bool,
    /// Whether the boxes of all pairs are known to be near: for all but what a caller has found.
    pub(super) sifted: bool,
    /// How far apart shapes with a contact may be; 0, or above, and then the boxes of pairs may be as
    /// far apart.
    pub(crate) margin: f32,
    /// The plan of all pairs, if all shapes of each set are known to be of one class and are no compounds:
    /// then nobody has to look.
    pub(super) only: Option<PairPlan>,
}

impl<'a> PairQuery<'a> {
    pub(crate) fn new(
        isa: Isa,
        sets: [Set<'a>; 2],
        between: bool,
        inclusive: bool,
        margin: f32,
    ) -> Self {
        let only = match sets.map(|set| set.only) {
            [Some(a), Some(b)] => Some(PairPlan::of([a as usize, b as usize])),
            _ => None,
        };
        let only = only.filter(|plan| plan.task != KernelKind::Parts);
        let complement = if between { u32::MAX } else { 0 };
        Self { isa, sets, between, complement, inclusive, sifted: true, margin, only }
    }

    /// Whether boxes that touch only count: with a margin, near shapes do whatever the policy.
    pub(crate) fn boxes_inclusive(&self) -> bool {
        self.inclusive || self.margin > 0.0
    }

    /// Whether there are columns to make contacts from. Of what a caller has found, that is where no shape turns and
    /// boxes decide.
    pub(super) fn has_columns(&self) -> bool {
        self.sets.iter().all(|set| set.columns.is_some())
    }

    /// Whether the boxes around a row of each set are at most the margin apart.
    pub(crate) fn boxes_near(&self, rows: [usize; 2]) -> bool {
        let [first, second] = self.sets.map(|set| set.view);
        let boxes = [first.bounds(rows[0]), second.bounds(rows[1])];
        let [a, b] = boxes.map(|bounds| widened(Scalar, bounds, self.margin));
        touching(Scalar, a, b, self.boxes_inclusive())
    }

    /// The shapes of a pair of rows.
    #[inline(always)]
    pub(super) fn members(&self, Pair { a, b }: Pair) -> [Member; 2] {
        [Member::new(a, false), Member::new(b ^ self.complement, self.between)]
    }

    /// The first words of a contact of these.
    #[inline(always)]
    pub(super) fn name(&self, pair: Pair, [part_a, part_b]: [u32; 2]) -> ContactKey {
        [pair.a, pair.b ^ self.complement, part_a, part_b]
    }
}

/// What to do with two shapes.
#[inline(always)]
pub(super) fn plan(sources: &Sources<'_>, members: [Member; 2]) -> PairPlan {
    PairPlan::of(map_each(members, |member| sources.placed(member).class_number()))
}
