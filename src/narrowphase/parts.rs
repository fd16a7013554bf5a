//! Pairs of the parts of compounds.

use super::{
    boxes::{AabbLanes, touching, widened},
    pair_query::PairQuery,
    view::{Member, Sources},
};
use crate::{
    posed::ShapeClass,
    simd::{Kernel, MAX_LANES, Simd, dispatch_narrow},
};

/// Finds the pairs of parts of two shapes whose boxes are at most the margin apart. A shape that is
/// not a compound has itself as its only part.
///
/// Each part of the first shape is tested against a vector of parts of the second. (With one part
/// against one, whole detections of s8 took half as long again.)
#[derive(Debug, Default)]
pub(super) struct PartPairs {
    /// The first part of each shape.
    first: [Member; 2],
    /// The number of parts of each shape.
    counts: [u32; 2],
    /// The bounding boxes of the second shape's parts.
    boxes: Vec<AabbLanes>,
    /// The next part of the first shape to be tested.
    next: u32,
    /// The pairs found: the number of each part within its shape.
    pub(super) found: Vec<[u32; 2]>,
}

/// A search stops at this many pairs, once the current part of the first shape is done. Compounds
/// may have many thousands of parts, and the square of that in pairs.
const ENOUGH: usize = 1 << 10;

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
        self.boxes.resize(self.counts[1].div_ceil(MAX_LANES as u32) as usize, AabbLanes::default());
        self.found.clear();
        self.found.reserve_exact(ENOUGH + self.boxes.len() * MAX_LANES);
        let boxes = (0..self.counts[1]).map(|part| self.first[1].plus(part).bounds(&query.sets));
        for (index, bounds) in boxes.enumerate() {
            self.boxes[index / MAX_LANES].set(index % MAX_LANES, bounds);
        }
    }

    /// Finds the next pairs, ordered by the part of the first shape, then by the part of the
    /// second. Returns whether there are any.
    ///
    /// `ahead` has two later pairs of shapes to prefetch. The second of them comes sooner. The
    /// shapes of the first are prefetched, and the parts of the second.
    pub(super) fn find(
        &mut self,
        query: &PairQuery<'_>,
        sources: &Sources<'_>,
        ahead: [[Member; 2]; 2],
    ) -> bool {
        if self.next == self.counts[0] {
            return false;
        }
        dispatch_narrow(query.isa, FindParts { query, sources, ahead, pairs: self });
        !self.found.is_empty()
    }

    /// The parts with these numbers.
    #[inline(always)]
    pub(super) fn members(&self, [a, b]: [u32; 2]) -> [Member; 2] {
        [self.first[0].plus(a), self.first[1].plus(b)]
    }

    /// The number of bytes allocated.
    pub(super) fn bytes(&self) -> usize {
        let boxes = self.boxes.capacity() * size_of::<AabbLanes>();
        boxes + self.found.capacity() * size_of::<[u32; 2]>()
    }
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
        let PartPairs { first, counts, boxes, next, found } = pairs;
        found.clear();
        while *next < counts[0] && found.len() < ENOUGH {
            let own = widened(simd, first[0].plus(*next).bounds(&query.sets), margin);
            let mut part = 0;
            for boxes in &*boxes {
                let lanes = (counts[1] - part).min(MAX_LANES as u32);
                let mut bits = 0;
                for at in (0..lanes as usize).step_by(<S::Half as Simd>::LANES) {
                    let others = boxes.widened(simd, at, margin);
                    bits |= simd.bits(touching(simd, own, others, inclusive)) << at;
                }
                // Clears the bits beyond the last part.
                bits &= (1 << lanes) - 1;
                while bits != 0 {
                    found.push([*next, part + bits.trailing_zeros()]);
                    bits &= bits - 1;
                }
                part += lanes;
            }
            *next += 1;
        }
    }
}
