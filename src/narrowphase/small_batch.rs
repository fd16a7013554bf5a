//! A few pairs at a time, in a workspace that each thread keeps.

use std::cell::Cell;

use super::{
    Contact, chain,
    jobs::{Job, KernelKind},
    kernels::{Contacts, Tests},
    one_by_one,
    outline::Outlines,
    output::ContactKey,
    parts::PartPairs,
    rule::{PairQuery, plan},
    tile::LaneBatch,
    view::Sources,
};
use crate::{
    Pair,
    simd::{MAX_LANES, dispatch_pairs, map_each},
};

/// The workspace for a few pairs, besides the stack.
#[derive(Debug, Default)]
struct BatchWorkspace {
    tile: LaneBatch,
    parts: PartPairs,
    outlines: Outlines,
    /// The contacts of a pair with an outline, as the kernels make them and corrected.
    contacts: [Vec<Contact>; 2],
}

thread_local! {
    /// The workspace of the previous call on this thread, so that calls without a caller's
    /// workspace do not allocate. It is taken out while it is in use, so that two calls never share
    /// it.
    static ROOM: Cell<Option<Box<BatchWorkspace>>> = const { Cell::new(None) };
}

/// The most bytes that a thread keeps, because a caller cannot free them.
const MOST_KEPT: usize = 1 << 20;

impl BatchWorkspace {
    /// Calls `work` with the workspace of this thread.
    fn with(work: impl FnOnce(&mut Self)) {
        // A thread that is exiting may have lost its workspace.
        let mut room = ROOM.try_with(Cell::take).ok().flatten().unwrap_or_default();
        work(&mut room);
        if room.bytes() <= MOST_KEPT {
            // Otherwise it is dropped, as on a thread that is exiting.
            let _ = ROOM.try_with(|kept| kept.set(Some(room)));
        }
    }

    fn bytes(&self) -> usize {
        let Self { tile, parts, outlines, contacts } = self;
        let contacts = contacts.iter().map(|list| list.capacity() * size_of::<Contact>());
        tile.bytes() + parts.bytes() + outlines.bytes() + contacts.sum::<usize>()
    }
}

/// At least one pair and at most a tile of pairs, all of one kernel kind. No shape is a compound,
/// and the boxes of each pair are at most the margin apart.
pub(super) struct SmallBatch<'a> {
    rule: &'a PairQuery<'a>,
    task: KernelKind,
    jobs: &'a [Job],
    names: &'a [ContactKey],
    tile: &'a mut LaneBatch,
}

impl SmallBatch<'_> {
    /// Passes `pair` to `take`. If it has a compound, passes the pairs of its parts in their order
    /// instead, as batches of successive pairs of one kernel kind, until `take` returns true. The
    /// boxes of `pair` must be at most the margin apart.
    ///
    /// Pairs of parts that are already decided by their boxes are passed in order like all others.
    pub(super) fn each(rule: &PairQuery<'_>, pair: Pair, take: impl FnMut(SmallBatch<'_>) -> bool) {
        BatchWorkspace::with(|room| Self::each_in(room, rule, pair, take));
    }

    /// Of the contacts of `pair` that `accept` accepts, the deepest. Its boxes must be at most the
    /// margin apart.
    pub(super) fn deepest(
        rule: &PairQuery<'_>,
        pair: Pair,
        accept: &dyn Fn(&Contact) -> bool,
    ) -> Option<Contact> {
        let mut deepest: Option<Contact> = None;
        let mut offer = |contact| {
            if accept(&contact) {
                deepest = deepest.into_iter().chain([contact]).reduce(deeper);
            }
        };
        if !rule.has_outlines() {
            Self::each(rule, pair, |pairs| {
                pairs.contacts(&mut offer);
                false
            });
            return deepest;
        }
        BatchWorkspace::with(|room| {
            let [mut made, mut corrected] = std::mem::take(&mut room.contacts);
            made.clear();
            corrected.clear();
            Self::each_in(room, rule, pair, |pairs| {
                pairs.contacts(|contact| made.push(contact));
                false
            });
            let sources = Sources::of(&rule.sets);
            if made.is_empty() {
                let [a, b, ..] = rule.name(pair, [0; 2]);
                room.outlines.missing(rule, &sources, Pair { a, b }, &mut corrected);
            }
            room.outlines.correct(rule, &sources, &made, &mut corrected);
            for contact in &corrected {
                offer(*contact);
            }
            room.contacts = [made, corrected];
        });
        deepest
    }

    /// Does the work of [`each`](Self::each) in this workspace.
    fn each_in(
        room: &mut BatchWorkspace,
        rule: &PairQuery<'_>,
        pair: Pair,
        mut take: impl FnMut(SmallBatch<'_>) -> bool,
    ) {
        let BatchWorkspace { tile, parts, .. } = room;
        let sources = Sources::of(&rule.sets);
        let members = rule.members(pair);
        let plan = plan(&sources, members);
        if plan.task != KernelKind::Parts {
            let (jobs, names) = (&[plan.job(members, 0)], &[rule.name(pair, [0, 0])]);
            take(SmallBatch { rule, task: plan.task, jobs, names, tile });
            return;
        }
        let (mut jobs, mut names) =
            ([Job::default(); MAX_LANES], [ContactKey::default(); MAX_LANES]);
        // The kind and the number of the collected jobs. There are none yet.
        let (mut task, mut count) = (KernelKind::Parts, 0);
        parts.begin(rule, &sources, members);
        while parts.find(rule, &sources, [members; 2]) {
            for &numbers in &parts.found {
                let members = parts.members(numbers);
                let plan = self::plan(&sources, members);
                if count == MAX_LANES || (count > 0 && plan.task != task) {
                    let (jobs, names) = (&jobs[..count], &names[..count]);
                    if take(SmallBatch { rule, task, jobs, names, tile }) {
                        return;
                    }
                    count = 0;
                }
                task = plan.task;
                jobs[count] = plan.job(members, count as u32);
                names[count] = rule.name(pair, numbers);
                count += 1;
            }
        }
        if count > 0 {
            take(SmallBatch { rule, task, jobs: &jobs[..count], names: &names[..count], tile });
        }
    }

    /// Whether any of the pairs touch.
    pub(super) fn touch(self) -> bool {
        let Self { rule, task, jobs, tile, .. } = self;
        let mut hits = [task.is_axis_aligned(); MAX_LANES];
        if task == KernelKind::OneByOne {
            one_by_one::test(rule, jobs, &mut hits);
        } else if !task.is_axis_aligned() {
            let hits = &mut hits;
            dispatch_pairs(rule.isa, jobs.len(), Tests { rule, task, jobs, tile, hits });
        }
        hits.contains(&true)
    }

    /// Passes the contacts to `take`, in the order of the pairs.
    pub(super) fn contacts(self, take: impl FnMut(Contact)) {
        // For one pair, a kilobyte of contacts need not be cleared.
        match self.jobs.len() {
            1 => self.contacts_in(&mut [Contact::default()], take),
            _ => self.contacts_in(&mut [Contact::default(); MAX_LANES], take),
        }
    }

    /// Does the work of [`contacts`](Self::contacts). `contacts` is a buffer for the contacts of
    /// all pairs.
    fn contacts_in(self, contacts: &mut [Contact], mut take: impl FnMut(Contact)) {
        let Self { rule, task, jobs, names, tile } = self;
        let (in_order, mut kept) = (true, 0);
        if task == KernelKind::OneByOne {
            one_by_one::contacts(rule, jobs, names, contacts);
            kept = jobs.len();
        } else {
            let (into, count) = (&mut *contacts, &mut kept);
            let work =
                Contacts { rule, task, jobs, tile, names, contacts: into, in_order, kept: count };
            dispatch_pairs(rule.isa, jobs.len(), work);
        }
        let found = contacts[..kept].iter().filter(|contact| contact.count > 0);
        let chains = rule.has_chains().then(|| Sources::of(&rule.sets));
        for contact in found {
            match &chains {
                None => take(*contact),
                Some(sources) => {
                    if let Some(smooth) = chain::smooth(rule, sources, contact) {
                        take(smooth);
                    }
                }
            }
        }
    }
}

/// The deeper of two contacts. If both are equally deep, the one whose first point is further left,
/// or lower. This does not depend on which shape comes first. If the points also coincide, the
/// first one.
fn deeper(first: Contact, second: Contact) -> Contact {
    let [one, other] = map_each([&first, &second], |contact| {
        [-contact.depth, contact.point[0].x, contact.point[0].y]
    });
    if other < one { second } else { first }
}
