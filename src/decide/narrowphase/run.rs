//! Runs the stages of the narrowphase: candidates in, pairs or contacts out.

use super::{
    Contact, chain,
    direct::Direct,
    jobs::{ContactKey, Job, Jobs, KernelKind, MAX_JOBS, PairPlan},
    kernels::{Contacts, Tests},
    lane_batch::LaneBatch,
    one_by_one,
    outline::{Outlines, meet_on_inner_side},
    pair_query::{Assign, PairQuery, plan},
    parts::PartPairs,
    view::{Member, Sources},
};
use crate::{
    base::{BLOCK_ROWS, Pair, buffer::grow, held, pod},
    posed::ShapeClass,
    simd::{
        DECISIONS_AHEAD, Kernel, SEARCHES_AHEAD, Simd, dispatch_moves, dispatch_narrow, map_each,
    },
};

/// The workspace of the narrowphase.
#[derive(Debug, Default)]
pub(crate) struct Candidates {
    jobs: Jobs,
    batch: LaneBatch,
    hits: Vec<bool>,
    /// The jobs of pairs with a compound.
    compounds: Vec<Job>,
    parts: PartPairs,
    /// For each contact job, the pair and part indices it belongs to.
    keys: Vec<ContactKey>,
    contacts: Vec<ContactLine>,
    /// A block of contacts, corrected at the joints of chains.
    smooth: Vec<Contact>,
    outlines: PairContacts,
}

held!(Candidates { jobs, batch, hits, compounds, parts, keys, contacts, smooth, outlines });

/// The contacts of a pair, until all its contacts are known, and the corrected contacts of some
/// pairs.
#[derive(Debug, Default)]
struct PairContacts {
    pair: Vec<Contact>,
    corrected: Vec<Contact>,
    outlines: Outlines,
}

held!(PairContacts { pair, corrected, outlines });

/// A contact aligned to a cache line, which is also the size of the vectors that write and move it.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C, align(64))]
struct ContactLine(Contact);

pod!(ContactLine { 0 });

impl Candidates {
    /// Moves the `pairs` that touch to the front, in their order, and returns their number. The
    /// boxes of all pairs must touch.
    pub(crate) fn refine(&mut self, query: &PairQuery<'_>, pairs: &mut [Pair]) -> usize {
        let mut kept = 0;
        for begin in (0..pairs.len()).step_by(MAX_JOBS) {
            let end = pairs.len().min(begin + MAX_JOBS);
            self.decide(query, &pairs[begin..end]);
            for (index, hit) in (begin..end).zip(&self.hits) {
                pairs[kept] = pairs[index];
                kept += usize::from(*hit);
            }
        }
        kept
    }

    /// Sets `hits` for the `pairs` that touch.
    fn decide(&mut self, query: &PairQuery<'_>, pairs: &[Pair]) {
        self.jobs.clear();
        self.hits.resize(MAX_JOBS, false);
        if let Some(plan) = query.only {
            self.hits[..pairs.len()].fill(plan.kind.is_axis_aligned());
            self.jobs.fill(plan, pairs.iter().map(|pair| query.members(*pair)));
            return self.test(query);
        }
        dispatch_moves(query.isa, Assign { query, pairs, jobs: &mut self.jobs });
        self.jobs.sort();
        self.hits[..pairs.len()].fill(false);
        for job in KernelKind::DECIDED.iter().flat_map(|kind| self.jobs.list(*kind)) {
            self.hits[job.index as usize] = true;
        }
        self.test(query);
        if self.jobs.list(KernelKind::Parts).is_empty() {
            return;
        }
        let sources = Sources::of(&query.sets);
        let (mut compounds, mut parts) =
            (std::mem::take(&mut self.compounds), std::mem::take(&mut self.parts));
        compounds.clear();
        compounds.reserve(MAX_JOBS);
        compounds.extend_from_slice(self.jobs.list(KernelKind::Parts));
        self.jobs.clear();
        for (index, job) in compounds.iter().enumerate() {
            parts.begin(query, &sources, job.members());
            let ahead = map_each([DECISIONS_AHEAD, SEARCHES_AHEAD], |by| {
                compounds.get(index + by).unwrap_or(job).members()
            });
            self.decide_parts(query, &sources, &mut parts, job, ahead);
        }
        self.jobs.sort();
        self.test(query);
        if query.has_outlines() {
            for job in &compounds {
                let hit = &mut self.hits[job.index as usize];
                *hit = *hit || meet_on_inner_side(query, &sources, job.members());
            }
        }
        (self.compounds, self.parts) = (compounds, parts);
    }

    /// Makes jobs of the parts of two shapes, until the shapes are known to touch.
    fn decide_parts(
        &mut self,
        query: &PairQuery<'_>,
        sources: &Sources<'_>,
        parts: &mut PartPairs,
        job: &Job,
        ahead: [[Member; 2]; 2],
    ) {
        let (index, hit, members) = (job.index, job.index as usize, job.members());
        while parts.find(query, sources, members, ahead) {
            for &numbers in &parts.found {
                let members = parts.members(numbers);
                let plan = plan(sources, members);
                self.hits[hit] |= plan.kind.is_axis_aligned();
                if self.hits[hit] {
                    return;
                }
                self.jobs.push(plan, members, index);
                if self.jobs.len() == MAX_JOBS {
                    self.jobs.sort();
                    self.test(query);
                    self.jobs.clear();
                }
            }
        }
    }

    /// Runs all jobs except jobs that the sweep has decided, and sets `hits`.
    fn test(&mut self, query: &PairQuery<'_>) {
        let Self { jobs, batch, hits, .. } = self;
        for kind in KernelKind::KERNELS {
            let jobs = jobs.list(kind);
            if !kind.is_axis_aligned() && !jobs.is_empty() {
                dispatch_narrow(
                    query.isa.of_pairs(jobs.len()),
                    Tests { query, kind, jobs, batch, hits },
                );
            }
        }
        one_by_one::test(query, jobs.list(KernelKind::OneByOne), hits);
    }

    /// Passes the contacts of `pairs` to `take`, in the order of the pairs. A pair has contacts if
    /// it touches or is at most the margin apart.
    ///
    /// The boxes of all pairs must be at most the margin apart. The exception is a query whose
    /// `sifted` is false, which must have columns.
    pub(crate) fn contacts(
        &mut self,
        query: &PairQuery<'_>,
        pairs: &[Pair],
        take: &mut dyn FnMut(&[Contact]),
    ) {
        if query.has_outlines() {
            return self.outline_contacts(query, pairs, take);
        }
        self.smooth_contacts(query, pairs, take);
    }

    /// [`contacts`](Self::contacts) where there may be outlines: collects the contacts of each
    /// pair, and corrects them.
    fn outline_contacts(
        &mut self,
        query: &PairQuery<'_>,
        pairs: &[Pair],
        take: &mut dyn FnMut(&[Contact]),
    ) {
        let sources = Sources::of(&query.sets);
        let mut all = std::mem::take(&mut self.outlines);
        let mut left = pairs.iter();
        self.smooth_contacts(query, pairs, &mut |found| {
            for contact in found {
                // The caller may list a pair twice in turn. Its parts then begin again.
                let parts = |contact: &Contact| [contact.part_a, contact.part_b];
                if let Some(last) = all.pair.last()
                    && (last.pair != contact.pair || parts(last) >= parts(contact))
                {
                    all.finish(query, &sources, &mut left, take);
                }
                all.pair.push(*contact);
            }
        });
        all.finish(query, &sources, &mut left, take);
        for &pair in left {
            let [a, b, ..] = query.key(pair, [0; 2]);
            all.outlines.missing(query, &sources, Pair { a, b }, &mut all.corrected);
        }
        take(&all.corrected);
        all.corrected.clear();
        self.outlines = all;
    }

    /// [`contacts`](Self::contacts) with outlines as plain compounds.
    fn smooth_contacts(
        &mut self,
        query: &PairQuery<'_>,
        pairs: &[Pair],
        take: &mut dyn FnMut(&[Contact]),
    ) {
        if !query.has_chains() {
            return self.plain_contacts(query, pairs, take);
        }
        let sources = Sources::of(&query.sets);
        let mut smooth = std::mem::take(&mut self.smooth);
        self.plain_contacts(query, pairs, &mut |found| {
            smooth.clear();
            smooth
                .extend(found.iter().filter_map(|contact| chain::smooth(query, &sources, contact)));
            take(&smooth);
        });
        self.smooth = smooth;
    }

    /// [`contacts`](Self::contacts) with segments of chains as plain segments.
    fn plain_contacts(
        &mut self,
        query: &PairQuery<'_>,
        pairs: &[Pair],
        take: &mut dyn FnMut(&[Contact]),
    ) {
        if let [Some(a), Some(b)] = map_each(query.sets, |set| set.columns) {
            let layouts = [a, b];
            grow(&mut self.contacts, BLOCK_ROWS);
            let contacts: &mut [Contact] = bytemuck::cast_slice_mut(&mut self.contacts);
            for pairs in pairs.chunks(BLOCK_ROWS) {
                let work = Direct { query, layouts, pairs, contacts };
                let kept = dispatch_narrow(query.isa.of_pairs(pairs.len()), work);
                take(&contacts[..kept]);
            }
            return;
        }
        let block = if query.only.is_some() { BLOCK_ROWS } else { MAX_JOBS };
        grow(&mut self.keys, block);
        grow(&mut self.contacts, block);
        // Every pair has a compound then, so that sorting before the search for parts is useless.
        let all_have_parts = query.sets.iter().any(|set| set.only == Some(ShapeClass::Compound));
        for pairs in pairs.chunks(block) {
            self.jobs.clear();
            match query.only {
                Some(plan) => self.touch_alike(query, plan, pairs, take),
                None if all_have_parts => self.touch_parts(query, pairs, take),
                None => self.touch_mixed(query, pairs, take),
            }
        }
    }

    /// Makes the contacts of pairs that share one plan.
    fn touch_alike(
        &mut self,
        query: &PairQuery<'_>,
        plan: PairPlan,
        pairs: &[Pair],
        take: &mut dyn FnMut(&[Contact]),
    ) {
        self.jobs.fill(plan, pairs.iter().map(|pair| query.members(*pair)));
        self.write_contacts(query, false, take);
    }

    /// Makes the contacts of any pairs, at most [`MAX_JOBS`].
    fn touch_mixed(
        &mut self,
        query: &PairQuery<'_>,
        pairs: &[Pair],
        take: &mut dyn FnMut(&[Contact]),
    ) {
        dispatch_moves(query.isa, Assign { query, pairs, jobs: &mut self.jobs });
        self.jobs.sort();
        if !self.jobs.list(KernelKind::Parts).is_empty() {
            return self.touch_parts(query, pairs, take);
        }
        self.write_contacts(query, false, take);
    }

    /// Makes the contacts of pairs, some with compounds. It goes pair by pair, because a pair may
    /// have any number of contacts.
    fn touch_parts(
        &mut self,
        query: &PairQuery<'_>,
        pairs: &[Pair],
        take: &mut dyn FnMut(&[Contact]),
    ) {
        let sources = Sources::of(&query.sets);
        let mut parts = std::mem::take(&mut self.parts);
        self.jobs.clear();
        for (index, pair) in pairs.iter().enumerate() {
            let members = query.members(*pair);
            let plan = plan(&sources, members);
            if plan.kind != KernelKind::Parts {
                self.push_job(query, plan, members, query.key(*pair, [0, 0]), take);
                continue;
            }
            let ahead = map_each([DECISIONS_AHEAD, SEARCHES_AHEAD], |by| {
                query.members(*pairs.get(index + by).unwrap_or(pair))
            });
            parts.begin(query, &sources, members);
            while parts.find(query, &sources, members, ahead) {
                for &numbers in &parts.found {
                    let members = parts.members(numbers);
                    let key = query.key(*pair, numbers);
                    self.push_job(query, self::plan(&sources, members), members, key, take);
                }
            }
        }
        self.jobs.sort();
        self.write_contacts(query, true, take);
        self.parts = parts;
    }

    /// Adds the job of two shapes whose contact has the key `key`. Runs all jobs when their list
    /// is full.
    #[inline(always)]
    fn push_job(
        &mut self,
        query: &PairQuery<'_>,
        plan: PairPlan,
        members: [Member; 2],
        key: ContactKey,
        take: &mut dyn FnMut(&[Contact]),
    ) {
        let index = self.jobs.len();
        self.keys[index] = key;
        self.jobs.push(plan, members, index as u32);
        if self.jobs.len() == MAX_JOBS {
            self.jobs.sort();
            self.write_contacts(query, true, take);
            self.jobs.clear();
        }
    }

    /// Runs all jobs, and passes their contacts to `take`. Without `keys`, no shape is a part.
    fn write_contacts(
        &mut self,
        query: &PairQuery<'_>,
        keys: bool,
        take: &mut dyn FnMut(&[Contact]),
    ) {
        let Self { jobs, batch, contacts, .. } = self;
        let keys = if keys { self.keys.as_slice() } else { &[] };
        let contacts: &mut [Contact] = bytemuck::cast_slice_mut(contacts);
        let mut kept = 0;
        // The jobs of one kernel kind are in order, and so are their contacts. Pairs of two classes
        // often have only one kind, even where this is not known in advance.
        let tasks = KernelKind::KERNELS.iter().filter(|kind| !jobs.list(**kind).is_empty()).count();
        let singles = jobs.list(KernelKind::OneByOne);
        let in_order = tasks == 1 && singles.is_empty();
        for kind in KernelKind::KERNELS {
            let jobs = jobs.list(kind);
            if !jobs.is_empty() {
                let (contacts, kept) = (&mut *contacts, &mut kept);
                let work = Contacts { query, kind, jobs, batch, keys, contacts, in_order, kept };
                dispatch_narrow(query.isa.of_pairs(jobs.len()), work);
            }
        }
        one_by_one::contacts(query, singles, keys, contacts);
        if !in_order {
            kept = dispatch_moves(query.isa, CloseUp(&mut contacts[..jobs.len()]));
        }
        take(&contacts[..kept]);
    }

    /// The batch, as a workspace.
    pub(super) fn batch(&mut self) -> &mut LaneBatch {
        &mut self.batch
    }
}

impl PairContacts {
    /// Corrects the contacts of the pair. `left` has all pairs from this pair or an earlier pair
    /// on: pairs before this pair have no contacts. Passes the corrected contacts on when they are
    /// many.
    fn finish(
        &mut self,
        query: &PairQuery<'_>,
        sources: &Sources<'_>,
        left: &mut std::slice::Iter<'_, Pair>,
        take: &mut dyn FnMut(&[Contact]),
    ) {
        let Self { pair, corrected, outlines } = self;
        let Some(first) = pair.first() else { return };
        for &pair in left {
            let [a, b, ..] = query.key(pair, [0; 2]);
            let other = Pair { a, b };
            if other == first.pair {
                break;
            }
            outlines.missing(query, sources, other, corrected);
        }
        outlines.correct(query, sources, pair, corrected);
        pair.clear();
        if corrected.len() >= BLOCK_ROWS {
            take(corrected);
            corrected.clear();
        }
    }
}

/// Moves the contacts that have points to the front, in their order, and returns their number. A
/// kernel, because a contact is one or two vectors on the wider SIMD levels.
struct CloseUp<'a>(&'a mut [Contact]);

impl Kernel for CloseUp<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> usize {
        let Self(contacts) = self;
        let mut kept = 0;
        for index in 0..contacts.len() {
            let contact = contacts[index];
            // Written unconditionally: a branch on the count would be mispredicted.
            contacts[kept] = contact;
            kept += usize::from(contact.count > 0);
        }
        kept
    }
}
