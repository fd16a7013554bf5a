//! Candidates in, pairs or contacts out.

use super::{
    Contact,
    direct::Direct,
    jobs::{Jobs, Plan, Task},
    kernels::{Contacts, Tests},
    output::Name,
    parts::PartPairs,
    rule::{Rule, plan},
    tile::Tile,
    view::{Member, Sources},
};
use crate::{Pair, grid::grow, simd::dispatch};

/// Candidates that are decided at once: more would not stay in the cache, and the parts of compounds
/// may make very many.
pub(super) const MAX_JOBS: usize = 1 << 11;

/// The same for contacts that are written in order, and handed over from the first cache.
const FEW_JOBS: usize = 1 << 8;

/// How many pairs before their turn the parts of two compounds are asked for.
const AHEAD: usize = 4;

/// The memory of the narrowphase.
#[derive(Debug, Default)]
pub(crate) struct Candidates {
    jobs: Jobs,
    tile: Tile,
    hits: Vec<bool>,
    parts: PartPairs,
    /// Of what each job of a contact is one.
    names: Vec<Name>,
    contacts: Vec<Contact>,
    /// Jobs of parts, or of contacts, that are still to be done.
    waiting: usize,
    /// How many contacts are made before they are handed over.
    block: usize,
}

impl Candidates {
    /// Brings those of `pairs` that touch to the front, in their order, by the names that results have
    /// for them, and returns how many there are. The boxes of all touch.
    pub(crate) fn refine(&mut self, rule: &Rule<'_>, pairs: &mut [Pair]) -> usize {
        let mut kept = 0;
        for begin in (0..pairs.len()).step_by(MAX_JOBS) {
            let end = pairs.len().min(begin + MAX_JOBS);
            self.decide(rule, &mut pairs[begin..end]);
            for (index, hit) in (begin..end).zip(&self.hits) {
                pairs[kept] = pairs[index];
                kept += usize::from(*hit);
            }
        }
        kept
    }

    /// Notes which of `pairs` touch, and names them all.
    fn decide(&mut self, rule: &Rule<'_>, pairs: &mut [Pair]) {
        let sources = Sources::of(&rule.sets);
        self.jobs.clear();
        self.waiting = 0;
        self.hits.resize(MAX_JOBS, false);
        if let Some(plan) = rule.only {
            self.hits[..pairs.len()].fill(plan.task.is_axis_aligned());
            let members = pairs.iter_mut().map(|pair| {
                let (named, members) = rule.named(*pair);
                *pair = named;
                members
            });
            self.jobs.fill(plan, members);
            return self.test(rule);
        }
        for (index, (pair, hit)) in pairs.iter_mut().zip(&mut self.hits).enumerate() {
            let (named, members) = rule.named(*pair);
            let plan = plan(&sources, members);
            *pair = named;
            // A job is made of what is decided, too, and then left alone: that takes no branch.
            *hit = plan.task.is_axis_aligned();
            self.jobs.push(plan, members, index as u32);
        }
        self.test(rule);
        let compounds = self.jobs.take(Task::Parts);
        self.jobs.clear();
        let mut parts = std::mem::take(&mut self.parts);
        for (job, later) in compounds.iter().zip(AHEAD..) {
            parts.begin(rule, &sources, job.members());
            let ahead = compounds.get(later).unwrap_or(job).members();
            self.decide_parts(rule, &sources, &mut parts, job.index, ahead);
        }
        self.test(rule);
        self.parts = parts;
        self.jobs.give_back(Task::Parts, compounds);
    }

    /// Makes jobs of the parts of two shapes, as long as none is known to touch.
    fn decide_parts(
        &mut self,
        rule: &Rule<'_>,
        sources: &Sources<'_>,
        parts: &mut PartPairs,
        index: u32,
        ahead: [Member; 2],
    ) {
        let hit = index as usize;
        while parts.find(rule, sources, ahead) {
            for &numbers in &parts.found {
                let members = parts.members(numbers);
                let plan = plan(sources, members);
                self.hits[hit] |= plan.task.is_axis_aligned();
                if self.hits[hit] {
                    return;
                }
                self.jobs.push(plan, members, index);
                self.waiting += 1;
                if self.waiting == MAX_JOBS {
                    self.test(rule);
                    self.jobs.clear();
                }
            }
        }
    }

    /// Does all jobs but those that the sweep has decided: notes which pairs touch.
    fn test(&mut self, rule: &Rule<'_>) {
        let Self { jobs, tile, hits, waiting, .. } = self;
        for task in Task::KERNELS {
            let jobs = jobs.list(task);
            if !task.is_axis_aligned() && !jobs.is_empty() {
                dispatch(rule.isa, Tests { rule, task, jobs, tile, hits });
            }
        }
        *waiting = 0;
    }

    /// Hands the contacts of those of `pairs` that touch, or are no further apart than the margin, to
    /// `take`, in their order. The boxes of all touch, or are no further apart than that; or else the
    /// rule says that they need not, and has columns.
    pub(crate) fn contacts(
        &mut self,
        rule: &Rule<'_>,
        pairs: &[Pair],
        take: &mut dyn FnMut(&[Contact]),
    ) {
        if let Some(layout) = rule.sets[0].columns {
            let contacts = &mut self.contacts;
            grow(contacts, FEW_JOBS);
            for pairs in pairs.chunks(FEW_JOBS) {
                let kept = dispatch(rule.isa, Direct { rule, layout, pairs, contacts });
                take(&contacts[..kept]);
            }
            return;
        }
        let sources = Sources::of(&rule.sets);
        self.jobs.clear();
        self.block = if rule.only.is_some() { FEW_JOBS } else { MAX_JOBS };
        grow(&mut self.names, self.block);
        grow(&mut self.contacts, self.block);
        self.waiting = 0;
        if let Some(plan) = rule.only {
            for pairs in pairs.chunks(self.block) {
                let members = pairs.iter().zip(&mut self.names).map(|(pair, name)| {
                    let (pair, members) = rule.named(*pair);
                    *name = rule.name(pair, [0, 0]);
                    members
                });
                self.jobs.fill(plan, members);
                self.waiting = pairs.len();
                self.touch(rule, take);
            }
            return;
        }
        let mut parts = std::mem::take(&mut self.parts);
        for (pair, later) in pairs.iter().zip(AHEAD..) {
            let (named, members) = rule.named(*pair);
            let plan = plan(&sources, members);
            if plan.task != Task::Parts {
                self.expect(rule, plan, members, rule.name(named, [0, 0]), take);
                continue;
            }
            let (_, ahead) = rule.named(*pairs.get(later).unwrap_or(pair));
            parts.begin(rule, &sources, members);
            while parts.find(rule, &sources, ahead) {
                for &numbers in &parts.found {
                    let members = parts.members(numbers);
                    let name = rule.name(named, numbers);
                    self.expect(rule, self::plan(&sources, members), members, name, take);
                }
            }
        }
        self.parts = parts;
        self.touch(rule, take);
    }

    /// Makes a job of two shapes that may have a contact of this name.
    #[inline(always)]
    fn expect(
        &mut self,
        rule: &Rule<'_>,
        plan: Plan,
        members: [Member; 2],
        name: Name,
        take: &mut dyn FnMut(&[Contact]),
    ) {
        self.names[self.waiting] = name;
        self.jobs.push(plan, members, self.waiting as u32);
        self.waiting += 1;
        if self.waiting == self.block {
            self.touch(rule, take);
        }
    }

    /// Does all jobs: hands over the contacts that there are.
    fn touch(&mut self, rule: &Rule<'_>, take: &mut dyn FnMut(&[Contact])) {
        let Self { jobs, tile, names, contacts, waiting, .. } = self;
        let mut kept = 0;
        // Jobs of one task are in order, and so are their contacts as they are written. Pairs of two classes
        // often have but one, even where nobody knows before.
        let tasks = Task::KERNELS.iter().filter(|task| !jobs.list(**task).is_empty()).count();
        let in_order = tasks == 1;
        for task in Task::KERNELS {
            let jobs = jobs.list(task);
            if !jobs.is_empty() {
                let (contacts, kept) = (&mut *contacts, &mut kept);
                let work = Contacts { rule, task, jobs, tile, names, contacts, in_order, kept };
                dispatch(rule.isa, work);
            }
        }
        jobs.clear();
        if !in_order {
            kept = 0;
            for index in 0..*waiting {
                contacts[kept] = contacts[index];
                kept += usize::from(contacts[kept].count > 0);
            }
        }
        *waiting = 0;
        take(&contacts[..kept]);
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        let Self { jobs, tile, hits, parts, names, contacts, .. } = self;
        let names = names.capacity() * size_of::<Name>();
        let contacts = contacts.capacity() * size_of::<Contact>();
        jobs.bytes() + tile.bytes() + hits.capacity() + parts.bytes() + names + contacts
    }
}
