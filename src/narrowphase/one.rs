//! One pair at a time, with hardly any memory but the stack's.

use super::{
    Contact,
    jobs::{Job, Plan, Task},
    kernels::{Contacts, Tests},
    output::Name,
    parts::PartPairs,
    rule::{Rule, plan},
    tile::Tile,
    view::{Member, Sources},
};
use crate::{Pair, simd::dispatch};

/// Two shapes that are no compounds, and whose boxes touch or are no further apart than the margin. Their
/// vertices, if they have any, are all that is allocated.
pub(super) struct One<'a> {
    rule: &'a Rule<'a>,
    task: Task,
    jobs: [Job; 1],
    names: [Name; 1],
}

impl<'a> One<'a> {
    /// Hands the pair to `take`, or if there is a compound, pairs of parts in their order, until it says
    /// that it has had enough. The boxes of the pair touch, or are no further apart than the margin.
    pub(super) fn each(rule: &'a Rule<'a>, pair: Pair, mut take: impl FnMut(Self) -> bool) {
        let sources = Sources::of(&rule.sets);
        let (named, members) = rule.named(pair);
        let plan = plan(&sources, members);
        if plan.task != Task::Parts {
            take(Self::new(rule, plan, members, rule.name(named, [0, 0])));
            return;
        }
        let mut parts = PartPairs::default();
        parts.begin(rule, &sources, members);
        while parts.find(rule, &sources, members) {
            for &numbers in &parts.found {
                let members = parts.members(numbers);
                let plan = self::plan(&sources, members);
                if take(Self::new(rule, plan, members, rule.name(named, numbers))) {
                    return;
                }
            }
        }
    }

    fn new(rule: &'a Rule<'a>, plan: Plan, members: [Member; 2], name: Name) -> Self {
        Self { rule, task: plan.task, jobs: [plan.job(members, 0)], names: [name] }
    }

    pub(super) fn touches(&self) -> bool {
        let Self { rule, task, ref jobs, .. } = *self;
        let mut hits = [task.is_axis_aligned()];
        if !hits[0] {
            let tile = &mut Tile::default();
            dispatch(rule.isa, Tests { rule, task, jobs, tile, hits: &mut hits });
        }
        hits[0]
    }

    pub(super) fn contact(&self) -> Option<Contact> {
        let Self { rule, task, ref jobs, ref names } = *self;
        let (mut contacts, mut kept) = ([Contact::default()], 0);
        let (tile, in_order) = (&mut Tile::default(), true);
        let (into, count) = (&mut contacts, &mut kept);
        dispatch(
            rule.isa,
            Contacts { rule, task, jobs, tile, names, contacts: into, in_order, kept: count },
        );
        contacts[..kept].first().copied()
    }
}
