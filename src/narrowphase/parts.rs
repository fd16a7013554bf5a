//! Pairs of the parts of compounds.

use super::{
    run::Rule,
    view::{Member, Sources},
};
use crate::{shape::RoundedBox, solid::Class};

/// All parts of one shape and all of another whose boxes touch, or are no further apart than the margin.
/// A shape that is no compound is its only part.
pub(super) struct PartPairs {
    members: [Member; 2],
    /// Of each: the first part, and the number of parts.
    parts: [(u32, u32); 2],
    /// The next of each, counted from 0.
    next: [u32; 2],
    /// The box around the next part of the first, somewhat wider.
    wide: RoundedBox,
}

impl PartPairs {
    pub(super) fn new(rule: &Rule<'_>, sources: &Sources<'_>, members: [Member; 2]) -> Self {
        let mut parts = [(0, 1); 2];
        let mut first = members;
        for (which, member) in members.into_iter().enumerate() {
            let placed = sources.placed(member);
            if placed.class() == Class::Compound {
                let (begin, count) = placed.range();
                parts[which] = (begin as u32, count as u32);
                first[which] = member.part(0);
            } else {
                parts[which].0 = member.place;
            }
        }
        let mut pairs = Self { members: first, parts, next: [0, 0], wide: RoundedBox::default() };
        pairs.widen(rule);
        pairs
    }

    /// The part of `which` that is next.
    fn member(&self, which: usize) -> Member {
        Member { place: self.parts[which].0 + self.next[which], ..self.members[which] }
    }

    fn widen(&mut self, rule: &Rule<'_>) {
        self.wide = widened(self.member(0).bounds(&rule.sets), rule.margin);
    }

    pub(super) fn next(&mut self, rule: &Rule<'_>) -> Option<[Member; 2]> {
        while self.next[0] < self.parts[0].1 {
            while self.next[1] < self.parts[1].1 {
                let other = self.member(1);
                self.next[1] += 1;
                let wide = widened(other.bounds(&rule.sets), rule.margin);
                if boxes_touch(self.wide, wide, rule.boxes_inclusive()) {
                    return Some([self.member(0), other]);
                }
            }
            self.next = [self.next[0] + 1, 0];
            if self.next[0] < self.parts[0].1 {
                self.widen(rule);
            }
        }
        None
    }

    /// The numbers of two parts in their compounds; 0 for a shape that is none.
    pub(super) fn numbers(&self, [a, b]: [Member; 2]) -> [u32; 2] {
        [a.place - self.parts[0].0, b.place - self.parts[1].0]
    }
}

/// The box with half of `margin` around it.
pub(crate) fn widened(rounded: RoundedBox, margin: f32) -> RoundedBox {
    RoundedBox { radius: rounded.radius + margin * 0.5, ..rounded }
}

/// The test of the sweep.
pub(crate) fn boxes_touch(a: RoundedBox, b: RoundedBox, inclusive: bool) -> bool {
    use crate::{
        kernel::{
            bodies::{BoxBodies, RoundedBodies},
            overlap::{Rule, overlap},
        },
        simd::Scalar,
    };
    let [a, b] = [a, b].map(|RoundedBox { min_x, min_y, max_x, max_y, radius }| RoundedBodies {
        core: BoxBodies::<Scalar> { min_x, min_y, max_x, max_y },
        radius,
    });
    overlap(Scalar, a, b, Rule { inclusive, normal: false })
}
