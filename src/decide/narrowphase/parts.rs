//! Pairs of the parts of compounds.

use super::{
    boxes::{AabbLanes, touching, widened},
    pair_query::PairQuery,
    view::{Member, Sources},
};
use crate::{
    base::held,
    kernel::{BoxItems, RoundedItems},
    posed::{PartBlock, PartTree, ShapeClass},
    shape::RoundedBox,
    simd::{Kernel, MAX_LANES, Simd, dispatch_narrow, map_each},
};

/// Finds the pairs of parts of two shapes whose boxes are at most the margin apart. A shape that is
/// not a compound has itself as its only part.
///
/// In plain words: if the first shape has a tree, only its parts near the box of the second shape
/// count. Each part of the first shape is tested against vectors of parts of the second: against
/// all parts if they are few, else down their tree, and if both shapes have trees, against the runs
/// near its run. (With one part against one part, whole detections of s8 took half as long again.)
#[derive(Debug, Default)]
pub(super) struct PartPairs {
    /// The first part of each shape.
    first: [Member; 2],
    /// The number of parts of each shape.
    counts: [u32; 2],
    /// The bounding boxes of the second shape's parts, if they are few.
    boxes: AabbLanes,
    /// The parts of a first shape with a tree that are near the second shape, their places, and the
    /// number of their run among the near runs.
    near: Vec<[u32; 3]>,
    /// The runs of the second shape that are near runs of the first, if both have trees, and where
    /// the near runs of each run end.
    runs: Vec<u32>,
    ends: Vec<u32>,
    /// The next part of the first shape to be tested: its number, or, if the shape has a tree, its
    /// place in `near`.
    next: u32,
    /// The pairs found: the number of each part within its shape.
    pub(super) found: Vec<[u32; 2]>,
}

held!(PartPairs { first, counts, boxes, near, runs, ends, next, found });

/// A search stops at this many pairs, once the current part of the first shape is done. Compounds
/// may have many thousands of parts, and the square of that in pairs.
const MAX_PAIRS_PER_SEARCH: usize = 1 << 10;

impl PartPairs {
    /// Starts with two shapes.
    pub(super) fn begin(
        &mut self,
        query: &PairQuery<'_>,
        sources: &Sources<'_>,
        members: [Member; 2],
    ) {
        for (which, member) in members.into_iter().enumerate() {
            (self.first[which], self.counts[which]) = parts(sources, member);
        }
        self.next = 0;
        self.found.clear();
        self.found
            .reserve_exact(MAX_PAIRS_PER_SEARCH + self.counts[1].max(MAX_LANES as u32) as usize);
        if !has_tree(self.counts[1]) {
            for part in 0..self.counts[1] {
                let bounds = self.first[1].plus(part).bounds(&query.sets);
                self.boxes.set(part as usize, bounds);
            }
        }
        if has_tree(self.counts[0]) {
            self.find_in_trees(query, sources, members, true);
        }
    }

    /// Finds the next pairs, ordered by the part of the first shape, then by the part of the
    /// second. Returns whether there are more pairs.
    ///
    /// `ahead` has two later pairs of shapes to prefetch. The second pair comes sooner. The shapes
    /// of the first pair are prefetched, and the parts of the second pair.
    // The two loops that call it keep what it reads in registers: out of line, it takes 30
    // instructions more for each two compounds.
    #[inline]
    pub(super) fn find(
        &mut self,
        query: &PairQuery<'_>,
        sources: &Sources<'_>,
        members: [Member; 2],
        ahead: [[Member; 2]; 2],
    ) -> bool {
        if self.next == self.count() {
            return false;
        }
        if self.counts.into_iter().any(has_tree) {
            self.find_in_trees(query, sources, members, false);
        } else {
            dispatch_narrow(query.isa, FindParts { query, sources, ahead, pairs: self });
        }
        !self.found.is_empty()
    }

    fn find_in_trees(
        &mut self,
        query: &PairQuery<'_>,
        sources: &Sources<'_>,
        members: [Member; 2],
        near: bool,
    ) {
        let trees = map_each(members, |member| tree(query, sources, member));
        dispatch_narrow(query.isa, FindInTrees { query, trees, pairs: self, near });
    }

    /// The number of parts of the first shape that are tested.
    #[inline(always)]
    fn count(&self) -> u32 {
        if has_tree(self.counts[0]) { self.near.len() as u32 } else { self.counts[0] }
    }

    /// The parts with these numbers.
    #[inline(always)]
    pub(super) fn members(&self, [a, b]: [u32; 2]) -> [Member; 2] {
        [self.first[0].plus(a), self.first[1].plus(b)]
    }
}

/// The tree of a shape that has a tree.
#[inline(always)]
fn tree<'a>(query: &PairQuery<'a>, sources: &Sources<'_>, member: Member) -> Option<PartTree<'a>> {
    query.set_of(member).view.tree(sources.placed(member))
}

/// Whether a shape of this many parts has a tree.
#[inline(always)]
fn has_tree(parts: u32) -> bool {
    parts > MAX_LANES as u32
}

/// The first part of a shape, and the number of its parts.
#[inline(always)]
fn parts(sources: &Sources<'_>, member: Member) -> (Member, u32) {
    let placed = sources.placed(member);
    if placed.class() == ShapeClass::Compound {
        let (first, count) = placed.parts();
        (member.part(first as u32), count as u32)
    } else {
        (member, 1)
    }
}

/// Finds pairs of parts of two shapes without trees.
struct FindParts<'a> {
    query: &'a PairQuery<'a>,
    sources: &'a Sources<'a>,
    ahead: [[Member; 2]; 2],
    pairs: &'a mut PartPairs,
}

impl Kernel for FindParts<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { query, sources, ahead, pairs } = self;
        // Most compounds have only a few parts.
        let simd = simd.half();
        if S::PREFETCHES {
            let [shapes, sooner] = ahead;
            for member in shapes {
                simd.prefetch(sources.placed(member));
            }
            for member in sooner {
                let (first, count) = parts(sources, member);
                for part in 0..count.min(MAX_LANES as u32) {
                    simd.prefetch(sources.placed(first.plus(part)));
                }
            }
        }
        let (margin, inclusive) = (query.margin, query.boxes_inclusive());
        let PartPairs { first, counts, boxes, next, found, .. } = pairs;
        found.clear();
        while *next < counts[0] {
            let own = widened(simd, first[0].plus(*next).bounds(&query.sets), margin);
            let mut bits = 0;
            for at in (0..counts[1] as usize).step_by(<S::Half as Simd>::LANES) {
                let others = boxes.widened(simd, at, margin);
                bits |= simd.bits(touching(simd, own, others, inclusive)) << at;
            }
            // Clears the bits beyond the last part.
            bits &= (1 << counts[1]) - 1;
            while bits != 0 {
                found.push([*next, bits.trailing_zeros()]);
                bits &= bits - 1;
            }
            *next += 1;
        }
    }
}

/// Finds pairs of parts of two shapes, at least one of which has a tree. If `near`, finds the parts
/// of a first shape with a tree that are near the second shape, to begin with.
struct FindInTrees<'a> {
    query: &'a PairQuery<'a>,
    trees: [Option<PartTree<'a>>; 2],
    pairs: &'a mut PartPairs,
    near: bool,
}

impl FindInTrees<'_> {
    /// Finds the parts of the first shape that are near the box around the second shape.
    #[inline(always)]
    fn find_near<S: Simd>(&mut self, simd: S) {
        let (margin, inclusive) = (self.query.margin, self.query.boxes_inclusive());
        let [first, second] = self.trees;
        let PartPairs { near, runs, ends, boxes, counts, .. } = &mut *self.pairs;
        near.clear();
        runs.clear();
        ends.clear();
        let Some(first) = first else { return };
        let around = match &second {
            Some(second) => second.around(),
            None => boxes.around(counts[1] as usize),
        };
        let other = widened(simd, around, margin);
        let Some(second) = second else {
            first.find(
                #[inline(always)]
                |block| touched(simd, block, other, margin, inclusive),
                #[inline(always)]
                |part, place| near.push([part, place, 0]),
            );
            return near.sort_unstable();
        };
        first.find_runs(
            #[inline(always)]
            |block| touched(simd, block, other, margin, inclusive),
            #[inline(always)]
            |run| {
                let (own, begin) = (widened(simd, first.around_run(run), margin), runs.len());
                second.find_runs(
                    #[inline(always)]
                    |block| touched(simd, block, own, margin, inclusive),
                    #[inline(always)]
                    |other| runs.push(other),
                );
                if runs.len() == begin {
                    return;
                }
                let mut open = touched(simd, first.run(run), other, margin, inclusive);
                open &= first.run(run).all();
                while open != 0 {
                    let lane = open.trailing_zeros();
                    open &= open - 1;
                    let part = first.numbers(run)[lane as usize];
                    near.push([part, run * MAX_LANES as u32 + lane, ends.len() as u32]);
                }
                ends.push(runs.len() as u32);
            },
        );
        near.sort_unstable();
    }

    /// Appends the pairs of a part of the first shape, near the second shape, and parts of the
    /// second shape, in their order. Both shapes have trees.
    #[inline(always)]
    fn find_in_runs<S: Simd>(&mut self, simd: S, second: &PartTree<'_>, bounds: RoundedBox) {
        let (margin, inclusive) = (self.query.margin, self.query.boxes_inclusive());
        let PartPairs { near, runs, ends, next, found, .. } = &mut *self.pairs;
        let [part, _, run] = near[*next as usize];
        let begin = if run == 0 { 0 } else { ends[run as usize - 1] };
        let (own, from) = (widened(simd, bounds, margin), found.len());
        for &run in &runs[begin as usize..ends[run as usize] as usize] {
            let block = second.run(run);
            let mut bits = touched(simd, block, own, margin, inclusive) & block.all();
            while bits != 0 {
                found.push([part, second.numbers(run)[bits.trailing_zeros() as usize]]);
                bits &= bits - 1;
            }
        }
        found[from..].sort_unstable();
    }
}

impl Kernel for FindInTrees<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        if self.near {
            return self.find_near(simd);
        }
        let (query, trees) = (self.query, self.trees);
        let (margin, inclusive, count) =
            (query.margin, query.boxes_inclusive(), self.pairs.count());
        self.pairs.found.clear();
        while self.pairs.next < count && self.pairs.found.len() < MAX_PAIRS_PER_SEARCH {
            let PartPairs { first, counts, boxes, near, next, found, .. } = &mut *self.pairs;
            let (part, bounds) = match &trees[0] {
                Some(tree) => {
                    let [part, place, _] = near[*next as usize];
                    (part, tree.bounds(place))
                }
                None => (*next, first[0].plus(*next).bounds(&query.sets)),
            };
            let (own, from) = (widened(simd, bounds, margin), found.len());
            match &trees {
                [_, None] => {
                    let mut bits = 0;
                    for at in (0..counts[1] as usize).step_by(S::LANES) {
                        let others = boxes.widened(simd, at, margin);
                        bits |= simd.bits(touching(simd, own, others, inclusive)) << at;
                    }
                    // Clears the bits beyond the last part.
                    bits &= (1 << counts[1]) - 1;
                    while bits != 0 {
                        found.push([part, bits.trailing_zeros()]);
                        bits &= bits - 1;
                    }
                }
                [None, Some(second)] => {
                    second.find(
                        #[inline(always)]
                        |block| touched(simd, block, own, margin, inclusive),
                        #[inline(always)]
                        |other, _| found.push([part, other]),
                    );
                    found[from..].sort_unstable();
                }
                [Some(_), Some(second)] => self.find_in_runs(simd, second, bounds),
            }
            self.pairs.next += 1;
        }
    }
}

/// The boxes of a block that touch a box, one bit each.
#[inline(always)]
fn touched<S: Simd>(
    simd: S,
    block: PartBlock<'_>,
    own: RoundedItems<S>,
    margin: f32,
    inclusive: bool,
) -> u32 {
    let (mut bits, half) = (0, simd.splat(margin * 0.5));
    for at in (0..MAX_LANES).step_by(S::LANES) {
        let [min_x, min_y, max_x, max_y, radius] = block.columns;
        let core = BoxItems {
            min_x: simd.load(min_x, at),
            min_y: simd.load(min_y, at),
            max_x: simd.load(max_x, at),
            max_y: simd.load(max_y, at),
        };
        let boxes = RoundedItems { core, radius: simd.load(radius, at) }.widened(simd, half);
        bits |= simd.bits(touching(simd, own, boxes, inclusive)) << at;
    }
    bits
}
