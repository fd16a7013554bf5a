//! Candidates in, pairs or contacts out.

use super::{
    Contact, PairKernel,
    box_box::BoxBox,
    box_circle::BoxCircle,
    circle_circle::CircleCircle,
    jobs::{Job, Jobs, Plan, Task},
    manifold::Manifold,
    output::{Columns, Name},
    parts::PartPairs,
    polygon_circle::PolygonCircle,
    polygon_polygon::PolygonPolygon,
    tile::Tile,
    upright_upright::UprightUpright,
    view::{Member, Set, Sources},
};
use crate::{
    Pair,
    simd::{Isa, Kernel, MAX_LANES, Simd, dispatch},
};

/// What is asked of the narrowphase.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rule<'a> {
    pub(crate) isa: Isa,
    /// Where the shapes of pairs are: the first of a pair in the first, and the second in the first,
    /// too, or else in the second.
    pub(crate) sets: [Set<'a>; 2],
    /// Whether pairs are of a shape of the first set and one of the second, whose place is given by its
    /// complement.
    pub(crate) between: bool,
    pub(crate) inclusive: bool,
    /// How far apart shapes with a contact may be; 0, or above, and then the boxes of pairs may be as
    /// far apart.
    pub(crate) margin: f32,
    /// The plan of all pairs, if all shapes of each set are known to be of one class and are no compounds:
    /// then nobody has to look.
    only: Option<Plan>,
}

/// Candidates that are decided at once: more would not stay in the cache, and the parts of compounds
/// may make very many.
pub(super) const MAX_JOBS: usize = 1 << 11;

/// The same for contacts of one task, which are handed over as they are written, from the first cache.
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
    /// Whether that is the least possible.
    frugal: bool,
}

impl<'a> Rule<'a> {
    pub(crate) fn new(
        isa: Isa,
        sets: [Set<'a>; 2],
        between: bool,
        inclusive: bool,
        margin: f32,
    ) -> Self {
        let only = match sets.map(|set| set.only) {
            [Some(a), Some(b)] => Some(Plan::of([a as usize, b as usize])),
            _ => None,
        };
        let only = only.filter(|plan| plan.task != Task::Parts);
        Self { isa, sets, between, inclusive, margin, only }
    }

    /// Whether boxes that touch only count: with a margin, near shapes do whatever the policy.
    pub(crate) fn boxes_inclusive(&self) -> bool {
        self.inclusive || self.margin > 0.0
    }

    /// What results call the shapes in a pair of places, and where they are, in the order of the
    /// result: the smaller id comes first.
    #[inline(always)]
    fn named(&self, places: Pair) -> (Pair, [Member; 2]) {
        let Self { sets: [first, second], between, .. } = self;
        let Pair { a, b } = places;
        let b = if *between { !b } else { b };
        let members = [Member::new(a, false), Member::new(b, *between)];
        let (Some(ids), Some(other_ids)) = (first.ids, second.ids) else {
            return (places, members);
        };
        let (id, other) = (ids[a as usize], other_ids[b as usize]);
        let swap = usize::from(other < id);
        let members = [members[swap], members[1 - swap]];
        (Pair { a: id.min(other), b: id.max(other) }, members)
    }

    /// The first words of a contact of these.
    #[inline(always)]
    fn name(&self, pair: Pair, [part_a, part_b]: [u32; 2]) -> Name {
        [pair.a, if self.between { !pair.b } else { pair.b }, part_a, part_b]
    }
}

/// One pair, with hardly any memory but the stack's: vertices of polygons only.
///
/// Its shapes are no compounds, and their boxes touch or are no further apart than the margin.
pub(super) struct One<'a> {
    rule: &'a Rule<'a>,
    task: Task,
    jobs: [Job; 1],
    names: [Name; 1],
}

impl<'a> One<'a> {
    /// None if one of the shapes is a compound.
    pub(super) fn new(rule: &'a Rule<'a>, pair: Pair) -> Option<Self> {
        let (pair, members) = rule.named(pair);
        let plan = plan(&Sources::of(&rule.sets), members);
        let (jobs, names) = ([plan.job(members, 0)], [rule.name(pair, [0, 0])]);
        (plan.task != Task::Parts).then_some(Self { rule, task: plan.task, jobs, names })
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

/// What to do with two shapes.
#[inline(always)]
fn plan(sources: &Sources<'_>, members: [Member; 2]) -> Plan {
    Plan::of(members.map(|member| sources.placed(member).class_number()))
}

impl Candidates {
    /// For one pair, whose memory should not take longer than the pair.
    pub(super) fn frugal() -> Self {
        Self { frugal: true, ..Self::default() }
    }

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
    /// `take`, in their order. The boxes of all touch, or are no further apart than that.
    pub(crate) fn contacts(
        &mut self,
        rule: &Rule<'_>,
        pairs: &[Pair],
        take: &mut dyn FnMut(&[Contact]),
    ) {
        let sources = Sources::of(&rule.sets);
        self.jobs.clear();
        self.block = match rule.only {
            _ if self.frugal => MAX_LANES,
            Some(_) => FEW_JOBS,
            None => MAX_JOBS,
        };
        if self.contacts.len() < self.block {
            self.names.resize(self.block, Name::default());
            self.contacts.resize(self.block, Contact::default());
        }
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
        // Jobs of one task are in order, and so are their contacts as they are written.
        let in_order = rule.only.is_some();
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

/// Evaluates `$call` with `$kernel` being the kernel of `$task`.
macro_rules! with_kernel {
    ($task:expr, $kernel:ident => $call:expr) => {
        match $task {
            Task::CircleCircle => {
                let $kernel = CircleCircle;
                $call
            }
            Task::UprightCircle => {
                let $kernel = UprightUpright { second_is_round: true };
                $call
            }
            Task::UprightUpright => {
                let $kernel = UprightUpright { second_is_round: false };
                $call
            }
            Task::BoxCircle => {
                let $kernel = BoxCircle;
                $call
            }
            Task::BoxBox => {
                let $kernel = BoxBox;
                $call
            }
            Task::Polygon4Circle | Task::PolygonCircle | Task::ManyCircle => {
                let $kernel = PolygonCircle;
                $call
            }
            _ => {
                let $kernel = PolygonPolygon;
                $call
            }
        }
    };
}

/// A task is decided by its kernel. Asked for each vector, which is no branch to guess and has the code
/// around the kernels once and not for each of them.
impl PairKernel for Task {
    #[inline(always)]
    fn test<S: Simd>(self, simd: S, tile: &Tile, at: usize, inclusive: bool) -> S::Mask {
        with_kernel!(self, kernel => kernel.test(simd, tile, at, inclusive))
    }

    #[inline(always)]
    fn contact<S: Simd>(
        self,
        simd: S,
        tile: &Tile,
        at: usize,
        margin: S::F32,
        inclusive: bool,
    ) -> Manifold<S> {
        with_kernel!(self, kernel => kernel.contact(simd, tile, at, margin, inclusive))
    }
}

/// Takes the jobs of a tile from the front of `jobs`.
#[inline(always)]
fn next_tile<'a>(jobs: &mut &'a [Job]) -> &'a [Job] {
    let (tile, rest) = jobs.split_at(jobs.len().min(MAX_LANES));
    *jobs = rest;
    tile
}

/// Decides pairs of one task.
struct Tests<'a> {
    rule: &'a Rule<'a>,
    task: Task,
    jobs: &'a [Job],
    tile: &'a mut Tile,
    hits: &'a mut [bool],
}

impl Kernel for Tests<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { rule, task, jobs, tile, hits } = self;
        let sources = Sources::of(&rule.sets);
        let mut rest = jobs;
        while !rest.is_empty() {
            let jobs = next_tile(&mut rest);
            Tile::expect(simd, &sources, rest, task, rule.only.is_none());
            tile.load(simd, &sources, jobs, task);
            let mut bits = 0;
            for at in (0..jobs.len()).step_by(S::LANES) {
                bits |= simd.bits(task.test(simd, tile, at, rule.inclusive)) << at;
            }
            for (lane, job) in jobs.iter().enumerate() {
                hits[job.index as usize] |= bits >> lane & 1 == 1;
            }
        }
    }
}

/// Makes contacts of pairs of one task.
struct Contacts<'a> {
    rule: &'a Rule<'a>,
    task: Task,
    jobs: &'a [Job],
    tile: &'a mut Tile,
    names: &'a [Name],
    contacts: &'a mut [Contact],
    /// Whether contacts are written one behind the other, and not each where its job says; and how many
    /// were.
    in_order: bool,
    kept: &'a mut usize,
}

impl Kernel for Contacts<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { rule, task, jobs, tile, names, contacts, in_order, kept } = self;
        let sources = Sources::of(&rule.sets);
        let margin = simd.splat(rule.margin);
        let mut columns = Columns::default();
        let mut rest = jobs;
        while !rest.is_empty() {
            let jobs = next_tile(&mut rest);
            Tile::expect(simd, &sources, rest, task, rule.only.is_none());
            tile.load(simd, &sources, jobs, task);
            for at in (0..jobs.len()).step_by(S::LANES) {
                let manifold = task.contact(simd, tile, at, margin, rule.inclusive);
                columns.store(simd, tile, at, &manifold);
            }
            *kept = columns.write(simd, jobs, names, contacts, in_order, *kept);
        }
    }
}
