//! A query of the narrowphase, the plan of each pair, and the jobs that pairs of rows become.

use super::{
    boxes::{touching, widened},
    jobs::{ContactKey, Counts, Jobs, KernelKind, PairPlan},
    view::{Member, Set, Sources},
};
use crate::{
    base::Pair,
    simd::{Isa, Kernel, LOOKUPS_AHEAD, Scalar, Simd, map_each},
};

/// A query of the narrowphase: the shapes, the policy, the margin, and properties of the pairs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PairQuery<'a> {
    pub(crate) isa: Isa,
    /// The sets of the pairs. The first shape of a pair is in the first set. The second shape is in
    /// the second set if `between`, else in the first set.
    pub(crate) sets: [Set<'a>; 2],
    /// Whether pairs have a shape of the first set and a shape of the second.
    pub(crate) between: bool,
    /// The mask to exclusive-or with the second row of a pair. All bits for pairs between two sets,
    /// which hold the complement of the second row. 0 for pairs within one set, and for pairs that
    /// a caller supplies.
    pub(crate) complement: u32,
    pub(crate) inclusive: bool,
    /// Whether the boxes of all pairs are known to be at most the margin apart. False only for
    /// unfiltered pairs that a caller supplies.
    pub(super) sifted: bool,
    /// The largest distance of shapes with a contact, at least 0. If it is above 0, the boxes of
    /// pairs may also be that far apart.
    pub(crate) margin: f32,
    /// The plan of all pairs, if each set has one known class, and no pair has a compound. Classes
    /// are then not looked up.
    pub(super) only: Option<PairPlan>,
    /// Whether the shapes of each pair have been read a short time ago, by the filter of listed
    /// pairs or to choose kernels.
    pub(super) seen: bool,
    /// Whether contacts of parts treat the parts alone, even if the parts form an outline.
    pub(super) parts_alone: bool,
}

impl<'a> PairQuery<'a> {
    pub(crate) fn new(
        isa: Isa,
        sets: [Set<'a>; 2],
        between: bool,
        inclusive: bool,
        margin: f32,
    ) -> Self {
        let only = match map_each(sets, |set| set.only) {
            [Some(a), Some(b)] => Some(PairPlan::of([a as usize, b as usize])),
            _ => None,
        };
        let only = only.filter(|plan| plan.kind != KernelKind::Parts);
        let complement = if between { u32::MAX } else { 0 };
        let (sifted, seen, parts_alone) = (true, only.is_none(), false);
        Self { isa, sets, between, complement, inclusive, sifted, margin, only, seen, parts_alone }
    }

    /// The same query with another margin.
    #[cfg(feature = "queries")]
    pub(crate) fn with_margin(self, margin: f32) -> Self {
        Self { margin, ..self }
    }

    /// Whether boxes that only touch count. With a margin they do, whatever the policy.
    pub(crate) fn boxes_inclusive(&self) -> bool {
        self.inclusive || self.margin > 0.0
    }

    /// Whether contacts are made from columns. For pairs that a caller supplies, this means that no
    /// shape can rotate, so that boxes decide.
    pub(super) fn has_columns(&self) -> bool {
        self.sets.iter().all(|set| set.columns.is_some())
    }

    /// The same query with segments of chains as plain segments, and outlines as plain compounds.
    pub(crate) fn plain(self) -> Self {
        let sets = map_each(self.sets, |set| Set { links: &[], ..set });
        Self { sets, parts_alone: true, ..self }
    }

    /// Whether a set may have segments of chains.
    pub(super) fn has_chains(&self) -> bool {
        !self.has_columns() && self.sets.iter().any(|set| !set.links.is_empty())
    }

    /// Whether a set may have outlines.
    #[inline]
    pub(crate) fn has_outlines(&self) -> bool {
        let some = self.sets.iter().any(|set| set.view.has_rims());
        some && !self.parts_alone && !self.has_columns()
    }

    /// Whether the boxes around a row of each set are at most the margin apart.
    pub(crate) fn boxes_near(&self, rows: [usize; 2]) -> bool {
        let [first, second] = &self.sets;
        let boxes = [first.box_of(rows[0]), second.box_of(rows[1])];
        let [a, b] = map_each(boxes, |bounds| widened(Scalar, bounds, self.margin));
        touching(Scalar, a, b, self.boxes_inclusive())
    }

    /// The set of a member.
    #[inline(always)]
    pub(super) fn set_of(&self, member: Member) -> &Set<'a> {
        &self.sets[member.source as usize % 2]
    }

    /// The shapes of a pair of rows.
    #[inline(always)]
    pub(super) fn members(&self, Pair { a, b }: Pair) -> [Member; 2] {
        [Member::new(a, false), Member::new(b ^ self.complement, self.between)]
    }

    /// The key of a contact of this pair and these parts.
    #[inline(always)]
    pub(super) fn key(&self, pair: Pair, [part_a, part_b]: [u32; 2]) -> ContactKey {
        [pair.a, pair.b ^ self.complement, part_a, part_b]
    }
}

/// The plan of two shapes.
#[inline(always)]
pub(super) fn plan(sources: &Sources<'_>, members: [Member; 2]) -> PairPlan {
    PairPlan::of(map_each(members, |member| sources.placed(member).class_number()))
}

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
