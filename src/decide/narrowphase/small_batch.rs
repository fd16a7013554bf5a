//! A few pairs at a time, in a workspace that each thread keeps.

use std::cell::Cell;

use super::{
    Contact, chain,
    jobs::{ContactKey, Job, KernelKind},
    kernels::{Contacts, Tests},
    lane_batch::LaneBatch,
    one_by_one,
    outline::Outlines,
    pair_query::{PairQuery, plan},
    parts::PartPairs,
    view::Sources,
};
use crate::{
    base::{Held, Pair, held},
    simd::{MAX_LANES, dispatch_narrow, map_each},
};

/// The workspace for a few pairs, besides the stack.
#[derive(Debug, Default)]
struct BatchWorkspace {
    batch: LaneBatch,
    parts: PartPairs,
    outlines: Outlines,
    /// The contacts of a pair with an outline, as the kernels make them and corrected.
    contacts: [Vec<Contact>; 2],
}

held!(BatchWorkspace { batch, parts, outlines, contacts });

thread_local! {
    /// The workspace of the previous call on this thread, so that calls without a caller's
    /// workspace do not allocate. It is taken out while it is in use, so that two calls never share
    /// it.
    static WORKSPACE: Cell<Option<Box<BatchWorkspace>>> = const { Cell::new(None) };
}

/// The most bytes that a thread keeps, because a caller cannot free them.
pub(super) const MAX_KEPT_BYTES: usize = 1 << 20;

impl BatchWorkspace {
    /// Calls `work` with the workspace of this thread.
    fn with(work: impl FnOnce(&mut Self)) {
        // A thread that is exiting may have lost its workspace.
        let mut workspace = WORKSPACE.try_with(Cell::take).ok().flatten().unwrap_or_default();
        work(&mut workspace);
        if workspace.bytes() <= MAX_KEPT_BYTES {
            // Otherwise it is dropped, as on a thread that is exiting.
            let _ = WORKSPACE.try_with(|kept| kept.set(Some(workspace)));
        }
    }
}

/// At least one pair and at most a batch of pairs, all of one kernel kind. No shape is a compound,
/// and the boxes of each pair are at most the margin apart.
pub(super) struct SmallBatch<'a> {
    query: &'a PairQuery<'a>,
    kind: KernelKind,
    jobs: &'a [Job],
    keys: &'a [ContactKey],
    batch: &'a mut LaneBatch,
}

impl SmallBatch<'_> {
    /// Passes `pair` to `take`. If it has a compound, passes the pairs of its parts in their order
    /// instead, as batches of successive pairs of one kernel kind, until `take` returns true. The
    /// boxes of `pair` must be at most the margin apart.
    ///
    /// Pairs of parts that are already decided by their boxes are passed in order like all other
    /// pairs.
    pub(super) fn each(
        query: &PairQuery<'_>,
        pair: Pair,
        take: impl FnMut(SmallBatch<'_>) -> bool,
    ) {
        BatchWorkspace::with(|workspace| Self::each_in(workspace, query, pair, take));
    }

    /// The deepest contact of `pair` that `accept` accepts. The boxes of `pair` must be at most the
    /// margin apart.
    pub(super) fn deepest(
        query: &PairQuery<'_>,
        pair: Pair,
        accept: &dyn Fn(&Contact) -> bool,
    ) -> Option<Contact> {
        let mut deepest: Option<Contact> = None;
        let mut offer = |contact| {
            if accept(&contact) {
                deepest = deepest.into_iter().chain([contact]).reduce(deeper);
            }
        };
        if !query.has_outlines() {
            Self::each(query, pair, |pairs| {
                pairs.contacts(&mut offer);
                false
            });
            return deepest;
        }
        BatchWorkspace::with(|workspace| {
            let [mut made, mut corrected] = std::mem::take(&mut workspace.contacts);
            made.clear();
            corrected.clear();
            Self::each_in(workspace, query, pair, |pairs| {
                pairs.contacts(|contact| made.push(contact));
                false
            });
            let sources = Sources::of(&query.sets);
            if made.is_empty() {
                let [a, b, ..] = query.key(pair, [0; 2]);
                workspace.outlines.missing(query, &sources, Pair { a, b }, &mut corrected);
            }
            workspace.outlines.correct(query, &sources, &made, &mut corrected);
            for contact in &corrected {
                offer(*contact);
            }
            workspace.contacts = [made, corrected];
        });
        deepest
    }

    /// Does the work of [`each`](Self::each) in this workspace.
    fn each_in(
        workspace: &mut BatchWorkspace,
        query: &PairQuery<'_>,
        pair: Pair,
        mut take: impl FnMut(SmallBatch<'_>) -> bool,
    ) {
        let BatchWorkspace { batch, parts, .. } = workspace;
        let sources = Sources::of(&query.sets);
        let members = query.members(pair);
        let plan = plan(&sources, members);
        if plan.kind != KernelKind::Parts {
            let (jobs, keys) = (&[plan.job(members, 0)], &[query.key(pair, [0, 0])]);
            take(SmallBatch { query, kind: plan.kind, jobs, keys, batch });
            return;
        }
        let (mut jobs, mut keys) =
            ([Job::default(); MAX_LANES], [ContactKey::default(); MAX_LANES]);
        // The kind and the number of the collected jobs. There are none yet.
        let (mut kind, mut count) = (KernelKind::Parts, 0);
        parts.begin(query, &sources, members);
        while parts.find(query, &sources, members, [members; 2]) {
            for &numbers in &parts.found {
                let members = parts.members(numbers);
                let plan = self::plan(&sources, members);
                if count == MAX_LANES || (count > 0 && plan.kind != kind) {
                    let (jobs, keys) = (&jobs[..count], &keys[..count]);
                    if take(SmallBatch { query, kind, jobs, keys, batch }) {
                        return;
                    }
                    count = 0;
                }
                kind = plan.kind;
                jobs[count] = plan.job(members, count as u32);
                keys[count] = query.key(pair, numbers);
                count += 1;
            }
        }
        if count > 0 {
            take(SmallBatch { query, kind, jobs: &jobs[..count], keys: &keys[..count], batch });
        }
    }

    /// Whether any of the pairs touch.
    pub(super) fn touch(self) -> bool {
        let Self { query, kind, jobs, batch, .. } = self;
        let mut hits = [kind.is_axis_aligned(); MAX_LANES];
        if kind == KernelKind::OneByOne {
            one_by_one::test(query, jobs, &mut hits);
        } else if !kind.is_axis_aligned() {
            let hits = &mut hits;
            dispatch_narrow(
                query.isa.of_pairs(jobs.len()),
                Tests { query, kind, jobs, batch, hits },
            );
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
        let Self { query, kind, jobs, keys, batch } = self;
        let (in_order, mut kept) = (true, 0);
        if kind == KernelKind::OneByOne {
            one_by_one::contacts(query, jobs, keys, contacts);
            kept = jobs.len();
        } else {
            let (into, count) = (&mut *contacts, &mut kept);
            let work =
                Contacts { query, kind, jobs, batch, keys, contacts: into, in_order, kept: count };
            dispatch_narrow(query.isa.of_pairs(jobs.len()), work);
        }
        let found = contacts[..kept].iter().filter(|contact| contact.count > 0);
        let chains = query.has_chains().then(|| Sources::of(&query.sets));
        for contact in found {
            match &chains {
                None => take(*contact),
                Some(sources) => {
                    if let Some(smooth) = chain::smooth(query, sources, contact) {
                        take(smooth);
                    }
                }
            }
        }
    }
}

/// The deeper of two contacts. If both are equally deep, the contact whose first point is further
/// left, or lower. This does not depend on which shape comes first. If the points also coincide,
/// the first contact.
fn deeper(first: Contact, second: Contact) -> Contact {
    let [one, other] = map_each([&first, &second], |contact| {
        [-contact.depth, contact.point[0].x, contact.point[0].y]
    });
    if other < one { second } else { first }
}
