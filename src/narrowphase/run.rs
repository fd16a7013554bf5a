//! Candidates in, pairs or contacts out.

use super::{
    Contact, ContactPoint, Feature, PairKernel, View,
    box_box::BoxBox,
    box_circle::BoxCircle,
    circle_circle::CircleCircle,
    jobs::{Job, Jobs, Member, Sources, Task},
    manifold::{Manifold, ManifoldPoint},
    polygon_circle::PolygonCircle,
    polygon_polygon::PolygonPolygon,
    tile::Tile,
    upright_upright::UprightUpright,
};
use crate::{
    Pair,
    shape::RoundedBox,
    simd::{Isa, Kernel, MAX_LANES, Simd, dispatch},
    solid::Class,
};

/// What is asked of the narrowphase.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rule<'a> {
    pub(crate) isa: Isa,
    /// Where the shapes of pairs are: the first of a pair in the first, and the second in the first,
    /// too, or else in the second.
    pub(crate) views: [View<'a>; 2],
    /// Whether pairs are of a shape of the first view and one of the second, whose row is given by its
    /// complement.
    pub(crate) between: bool,
    pub(crate) inclusive: bool,
    /// Whether all shapes are axis-aligned: then pairs whose boxes touch do.
    pub(crate) decided: bool,
    /// How far apart shapes with a contact may be; 0, or above, and then the boxes of pairs may be as
    /// far apart.
    pub(crate) margin: f32,
}

/// Jobs that are decided at once: more would not stay in the cache, and the parts of compounds may make
/// very many.
const MAX_JOBS: usize = 1 << 13;

/// The memory of the narrowphase.
#[derive(Debug, Default)]
pub(crate) struct Candidates {
    jobs: Jobs,
    tile: Tile,
    hits: Vec<bool>,
    contacts: Vec<Contact>,
}

impl Rule<'_> {
    /// Whether boxes that touch only count: with a margin, near shapes do whatever the policy.
    pub(crate) fn boxes_inclusive(&self) -> bool {
        self.inclusive || self.margin > 0.0
    }

    /// The shapes of a pair.
    #[inline(always)]
    fn members(&self, pair: Pair) -> [Member; 2] {
        let Pair { a, b } = pair;
        let row = if self.between { !b } else { b };
        [Member::row(a, false), Member::row(row, self.between)]
    }
}

impl Candidates {
    /// Brings those of `pairs` that touch to the front, in their order, and returns how many there are.
    /// The boxes of all touch.
    pub(crate) fn refine(&mut self, rule: &Rule<'_>, pairs: &mut [Pair]) -> usize {
        let Rule { views, .. } = rule;
        self.jobs.clear();
        self.hits.clear();
        self.hits.reserve(pairs.len().next_power_of_two());
        self.hits.resize(pairs.len(), false);
        for (index, &pair) in pairs.iter().enumerate() {
            let members = rule.members(pair);
            let classes = members.map(|member| member.class(views));
            if classes.contains(&Class::Compound) {
                self.refine_parts(rule, members, index);
            } else if classes.iter().all(|class| class.is_axis_aligned()) {
                self.hits[index] = true;
            } else {
                self.jobs.push(Job::new(classes, members, index as u32));
            }
        }
        self.test(rule);
        let mut kept = 0;
        for index in 0..pairs.len() {
            pairs[kept] = pairs[index];
            kept += usize::from(self.hits[index]);
        }
        kept
    }

    /// Makes jobs of the parts of two shapes, as long as none is known to touch.
    fn refine_parts(&mut self, rule: &Rule<'_>, members: [Member; 2], index: usize) {
        let views = &rule.views;
        let mut pairs = PartPairs::new(rule, members);
        while let Some(parts) = pairs.next(rule) {
            let classes = parts.map(|part| part.class(views));
            if classes.iter().all(|class| class.is_axis_aligned()) {
                self.hits[index] = true;
            } else {
                self.jobs.push(Job::new(classes, parts, index as u32));
                if self.jobs.len() >= MAX_JOBS {
                    self.test(rule);
                }
            }
            if self.hits[index] {
                return;
            }
        }
    }

    /// Does all jobs: notes which pairs touch.
    fn test(&mut self, rule: &Rule<'_>) {
        let Self { jobs, tile, hits, .. } = self;
        for task in Task::ALL {
            let jobs = jobs.list(task);
            if !jobs.is_empty() {
                dispatch(rule.isa, Tests { rule, task, jobs, tile, hits });
            }
        }
        jobs.clear();
    }

    /// Hands the contacts of those of `pairs` that touch, or are no further apart than the margin, to
    /// `take`, in their order. The boxes of all touch, or are no further apart than that.
    pub(crate) fn contacts(
        &mut self,
        rule: &Rule<'_>,
        pairs: &[Pair],
        take: &mut dyn FnMut(&[Contact]),
    ) {
        let views = &rule.views;
        self.jobs.clear();
        self.contacts.clear();
        self.contacts.reserve(pairs.len().next_power_of_two());
        for &pair in pairs {
            let members = rule.members(pair);
            let classes = members.map(|member| member.class(views));
            let pair = Pair { a: pair.a, b: members[1].row };
            if classes.contains(&Class::Compound) {
                let mut pairs = PartPairs::new(rule, members);
                while let Some(parts) = pairs.next(rule) {
                    let [part_a, part_b] = pairs.numbers(parts);
                    let contact = Contact { pair, part_a, part_b, ..Contact::default() };
                    let classes = parts.map(|part| part.class(views));
                    self.expect(rule, classes, parts, contact, take);
                }
            } else {
                let contact = Contact { pair, ..Contact::default() };
                self.expect(rule, classes, members, contact, take);
            }
        }
        self.touch(rule, take);
    }

    /// Makes a job of two shapes that may have this contact.
    #[inline(always)]
    fn expect(
        &mut self,
        rule: &Rule<'_>,
        classes: [Class; 2],
        members: [Member; 2],
        contact: Contact,
        take: &mut dyn FnMut(&[Contact]),
    ) {
        let index = self.contacts.len() as u32;
        self.contacts.push(contact);
        self.jobs.push(Job::new(classes, members, index));
        if self.contacts.len() >= MAX_JOBS {
            self.touch(rule, take);
        }
    }

    /// Does all jobs: hands over the contacts that there are.
    fn touch(&mut self, rule: &Rule<'_>, take: &mut dyn FnMut(&[Contact])) {
        let Self { jobs, tile, contacts, .. } = self;
        for task in Task::ALL {
            let jobs = jobs.list(task);
            if !jobs.is_empty() {
                dispatch(rule.isa, Contacts { rule, task, jobs, tile, contacts });
            }
        }
        jobs.clear();
        let mut kept = 0;
        for index in 0..contacts.len() {
            contacts[kept] = contacts[index];
            kept += usize::from(contacts[kept].count > 0);
        }
        take(&contacts[..kept]);
        contacts.clear();
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        let Self { jobs, tile, hits, contacts } = self;
        let contacts = contacts.capacity() * size_of::<Contact>();
        jobs.bytes() + tile.bytes() + hits.capacity() + contacts
    }
}

/// All parts of one shape and all of another whose boxes touch, or are no further apart than the margin.
/// A shape that is no compound is its only part.
struct PartPairs {
    members: [Member; 2],
    /// Of each: the first part, and the number of parts.
    parts: [(u32, u32); 2],
    /// The next of each, counted from 0.
    next: [u32; 2],
    /// The box around the next part of the first, somewhat wider.
    wide: RoundedBox,
}

impl PartPairs {
    fn new(rule: &Rule<'_>, members: [Member; 2]) -> Self {
        let parts = members.map(|member| {
            if member.class(&rule.views) != Class::Compound {
                return (member.row, 1);
            }
            let (first, count) = member.view(&rule.views).parts(member.row as usize);
            (first as u32, count as u32)
        });
        let members = members.map(|member| {
            let compound = member.class(&rule.views) == Class::Compound;
            if compound { member.part() } else { member }
        });
        let mut pairs = Self { members, parts, next: [0, 0], wide: RoundedBox::default() };
        pairs.widen(rule);
        pairs
    }

    /// The part of `which` that is next.
    fn member(&self, which: usize) -> Member {
        self.members[which].other(self.parts[which].0 + self.next[which])
    }

    fn widen(&mut self, rule: &Rule<'_>) {
        self.wide = widened(self.member(0).bounds(&rule.views), rule.margin);
    }

    fn next(&mut self, rule: &Rule<'_>) -> Option<[Member; 2]> {
        while self.next[0] < self.parts[0].1 {
            while self.next[1] < self.parts[1].1 {
                let other = self.member(1);
                self.next[1] += 1;
                let wide = widened(other.bounds(&rule.views), rule.margin);
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
    fn numbers(&self, [a, b]: [Member; 2]) -> [u32; 2] {
        [a.row - self.parts[0].0, b.row - self.parts[1].0]
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
        match self.task {
            Task::CircleCircle => self.all(simd, CircleCircle),
            Task::UprightCircle => self.all(simd, UprightUpright { second_is_round: true }),
            Task::UprightUpright => self.all(simd, UprightUpright { second_is_round: false }),
            Task::BoxCircle => self.all(simd, BoxCircle),
            Task::BoxBox => self.all(simd, BoxBox),
            Task::Polygon4Circle | Task::PolygonCircle | Task::ManyCircle => {
                self.all(simd, PolygonCircle)
            }
            _ => self.all(simd, PolygonPolygon),
        }
    }
}

impl Tests<'_> {
    #[inline(always)]
    fn all<S: Simd, K: PairKernel>(self, simd: S, kernel: K) {
        let Self { rule, task, jobs, tile, hits } = self;
        let sources = Sources::of(rule.views);
        for jobs in jobs.chunks(MAX_LANES) {
            tile.load(simd, &sources, jobs, task.readings());
            let mut bits = 0;
            for at in (0..jobs.len()).step_by(S::LANES) {
                bits |= simd.bits(kernel.test(simd, tile, at, rule.inclusive)) << at;
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
    contacts: &'a mut [Contact],
}

impl Kernel for Contacts<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        match self.task {
            Task::CircleCircle => self.all(simd, CircleCircle),
            Task::UprightCircle => self.all(simd, UprightUpright { second_is_round: true }),
            Task::UprightUpright => self.all(simd, UprightUpright { second_is_round: false }),
            Task::BoxCircle => self.all(simd, BoxCircle),
            Task::BoxBox => self.all(simd, BoxBox),
            Task::Polygon4Circle | Task::PolygonCircle | Task::ManyCircle => {
                self.all(simd, PolygonCircle)
            }
            _ => self.all(simd, PolygonPolygon),
        }
    }
}

/// What a kernel has found, lane by lane.
#[derive(Default)]
struct Columns {
    normal: [[f32; MAX_LANES]; 2],
    depth: [f32; MAX_LANES],
    points: [[[f32; MAX_LANES]; 5]; 2],
}

impl Contacts<'_> {
    #[inline(always)]
    fn all<S: Simd, K: PairKernel>(self, simd: S, kernel: K) {
        let Self { rule, task, jobs, tile, contacts } = self;
        let sources = Sources::of(rule.views);
        let margin = simd.splat(rule.margin);
        let mut columns = Columns::default();
        for jobs in jobs.chunks(MAX_LANES) {
            tile.load(simd, &sources, jobs, task.readings());
            let (mut hits, mut twos) = (0, 0);
            for at in (0..jobs.len()).step_by(S::LANES) {
                let manifold = kernel.contact(simd, tile, at, margin, rule.inclusive);
                hits |= simd.bits(manifold.hit) << at;
                twos |= simd.bits(manifold.two) << at;
                columns.store(simd, tile, at, &manifold);
            }
            for (lane, job) in jobs.iter().enumerate() {
                if hits >> lane & 1 == 1 {
                    let count = 1 + (twos >> lane & 1);
                    let exchanged = tile.exchanged >> lane & 1 == 1;
                    columns.write(lane, exchanged, count, &mut contacts[job.index as usize]);
                }
            }
        }
    }
}

impl Columns {
    /// Takes the lanes from `at` on, seen from the centre of the first shape, into the world.
    #[inline(always)]
    fn store<S: Simd>(&mut self, simd: S, tile: &Tile, at: usize, manifold: &Manifold<S>) {
        let center = tile.a.center(simd, at);
        let Manifold { normal, depth, points, .. } = *manifold;
        simd.store(normal.x, &mut self.normal[0], at);
        simd.store(normal.y, &mut self.normal[1], at);
        simd.store(depth, &mut self.depth, at);
        for (columns, point) in self.points.iter_mut().zip(points) {
            let ManifoldPoint { at: place, depth, features } = point;
            let place = place.plus(simd, center);
            let [x, y, depth_column, a, b] = columns;
            simd.store(place.x, x, at);
            simd.store(place.y, y, at);
            simd.store(depth, depth_column, at);
            simd.store(features[0], a, at);
            simd.store(features[1], b, at);
        }
    }

    /// Writes the contact in `lane`.
    #[inline(always)]
    fn write(&self, lane: usize, exchanged: bool, count: u32, contact: &mut Contact) {
        // Zeros are positive, whatever the order of operations made of them.
        let flip = |value: f32| if exchanged { 0.0 - value } else { value + 0.0 };
        contact.normal_x = flip(self.normal[0][lane]);
        contact.normal_y = flip(self.normal[1][lane]);
        contact.depth = self.depth[lane] + 0.0;
        contact.count = count;
        for (point, columns) in contact.point.iter_mut().zip(&self.points).take(count as usize) {
            let [x, y, depth, a, b] = columns;
            let features = [a[lane], b[lane]].map(Feature::of);
            let [feature_a, feature_b] =
                if exchanged { [features[1], features[0]] } else { features };
            *point = ContactPoint {
                x: x[lane] + 0.0,
                y: y[lane] + 0.0,
                depth: depth[lane] + 0.0,
                feature_a,
                feature_b,
            };
        }
    }
}
