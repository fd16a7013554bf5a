//! Candidates in, pairs or contacts out.

use super::{
    Contact, ContactPoint, Feature, PairKernel, View,
    box_box::BoxBox,
    box_circle::BoxCircle,
    circle_circle::CircleCircle,
    jobs::{Job, Jobs, Member, Task},
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
}

/// The memory of the narrowphase.
#[derive(Debug, Default)]
pub(crate) struct Narrowphase {
    jobs: Jobs,
    tile: Tile,
    hits: Vec<bool>,
    slots: Vec<Contact>,
}

impl Rule<'_> {
    /// The shapes of a pair.
    #[inline(always)]
    fn members(&self, pair: Pair) -> [Member; 2] {
        let Pair { a, b } = pair;
        let row = if self.between { !b } else { b };
        [
            Member { row: a, second_set: false, part: false },
            Member { row, second_set: self.between, part: false },
        ]
    }
}

impl Narrowphase {
    /// Brings those of `pairs` that touch to the front, in their order, and returns how many there are.
    /// The boxes of all touch.
    pub(crate) fn refine(&mut self, rule: &Rule<'_>, pairs: &mut [Pair]) -> usize {
        let Rule { views, .. } = rule;
        self.jobs.clear();
        self.hits.clear();
        self.hits.resize(pairs.len(), false);
        for (index, &pair) in pairs.iter().enumerate() {
            let [a, b] = rule.members(pair);
            if a.class(views).is_axis_aligned() && b.class(views).is_axis_aligned() {
                self.hits[index] = true;
            } else {
                self.jobs.push(Job::new(views, a, b, index as u32));
            }
        }
        self.split_compounds(rule);
        for task in Task::ALL {
            let list = self.jobs.list(task);
            if !list.is_empty() && task != Task::Compound {
                let Self { tile, hits, .. } = self;
                dispatch(rule.isa, Tests { rule, task, jobs: list, tile, hits });
            }
        }
        let mut kept = 0;
        for index in 0..pairs.len() {
            pairs[kept] = pairs[index];
            kept += usize::from(self.hits[index]);
        }
        kept
    }

    /// Makes jobs of the parts of compounds.
    fn split_compounds(&mut self, rule: &Rule<'_>) {
        let compounds = self.jobs.take(Task::Compound);
        for job in &compounds {
            let hit = &mut self.hits[job.index as usize];
            let jobs = &mut self.jobs;
            each_part(rule, [job.a(), job.b()], 0.0, |members| {
                let [a, b] = members;
                let views = &rule.views;
                if *hit {
                    return;
                }
                // Two circles: their boxes are the circles themselves.
                if a.class(views).is_axis_aligned() && b.class(views).is_axis_aligned() {
                    *hit = true;
                } else {
                    jobs.push(Job::new(views, a, b, job.index));
                }
            });
        }
        self.jobs.restore(Task::Compound, compounds);
    }

    /// Appends the contacts of those of `pairs` that touch, or are at most `margin` apart, to `out`, in
    /// their order. The boxes of all touch, or are no further apart than that.
    pub(crate) fn contacts(
        &mut self,
        rule: &Rule<'_>,
        margin: f32,
        pairs: &[Pair],
        out: &mut Vec<Contact>,
    ) {
        let Rule { views, .. } = rule;
        self.jobs.clear();
        self.slots.clear();
        let Self { jobs, tile, slots, .. } = self;
        for &pair in pairs {
            let members = rule.members(pair);
            let known = Pair { a: pair.a, b: members[1].row };
            let mut push = |[a, b]: [Member; 2], parts: [u32; 2]| {
                let index = slots.len() as u32;
                let [part_a, part_b] = parts;
                slots.push(Contact { pair: known, part_a, part_b, ..Contact::default() });
                jobs.push(Job::new(views, a, b, index));
            };
            if members.map(|member| member.class(views)).contains(&crate::solid::Class::Compound) {
                let first = members.map(|member| first_part(views, member));
                each_part(rule, members, margin, |[a, b]| {
                    let number = |member: Member, first| {
                        if member.part { member.row - first } else { 0 }
                    };
                    push([a, b], [number(a, first[0]), number(b, first[1])]);
                });
            } else {
                push(members, [0, 0]);
            }
        }
        for task in Task::ALL {
            let list = jobs.list(task);
            if !list.is_empty() {
                dispatch(rule.isa, Contacts { rule, margin, task, jobs: list, tile, slots });
            }
        }
        out.extend(slots.iter().filter(|contact| contact.count > 0));
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        let Self { jobs, tile, hits, slots } = self;
        let slots = slots.capacity() * size_of::<Contact>();
        jobs.bytes() + tile.bytes() + hits.capacity() + slots
    }
}

/// The number of a compound's first part.
fn first_part(views: &[View<'_>; 2], member: Member) -> u32 {
    member.view(views).parts(member.row as usize).0 as u32
}

/// Calls `each` for all parts of one shape and all of the other whose boxes touch, or are at most
/// `margin` apart. A shape that is no compound is its only part.
fn each_part(
    rule: &Rule<'_>,
    [a, b]: [Member; 2],
    margin: f32,
    mut each: impl FnMut([Member; 2]),
) {
    let views = &rule.views;
    let parts = |member: Member| {
        if member.class(views) != crate::solid::Class::Compound {
            return (member.row as usize, 1, false);
        }
        let (first, count) = member.view(views).parts(member.row as usize);
        (first, count, true)
    };
    let (a_parts, b_parts) = (parts(a), parts(b));
    for a_part in a_parts.0..a_parts.0 + a_parts.1 {
        let a = Member { row: a_part as u32, part: a_parts.2, ..a };
        let a_box = widened(a.bounds(views), margin);
        for b_part in b_parts.0..b_parts.0 + b_parts.1 {
            let b = Member { row: b_part as u32, part: b_parts.2, ..b };
            if boxes_touch(a_box, widened(b.bounds(views), margin), rule.inclusive) {
                each([a, b]);
            }
        }
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
        for jobs in jobs.chunks(MAX_LANES) {
            tile.load(simd, &rule.views, jobs, task.readings());
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
    margin: f32,
    task: Task,
    jobs: &'a [Job],
    tile: &'a mut Tile,
    slots: &'a mut [Contact],
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
        let Self { rule, margin, task, jobs, tile, slots } = self;
        let margin = simd.splat(margin);
        let mut columns = Columns::default();
        for jobs in jobs.chunks(MAX_LANES) {
            tile.load(simd, &rule.views, jobs, task.readings());
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
                    columns.write(lane, job.exchanged(), count, &mut slots[job.index as usize]);
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
