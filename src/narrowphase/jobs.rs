//! Pairs to decide, put together by what kernel they take.

use super::{tile::Reading, view::Member};
use crate::posed::Class;

/// A pair to decide.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Job {
    /// The row of the shape of the later class, and that of the other; of one class, as they were given.
    rows: [u32; 2],
    /// Where the answer goes.
    pub(super) index: u32,
    /// From bit 0 on: the source of the first, that of the second, and whether the pair was given in
    /// the other order. Whole words throughout: a job is written and read at once, in one piece.
    flags: u32,
}

/// In [`Job::flags`]: where the source of the second member is.
const SECOND: u32 = 2;

/// In [`Job::flags`]: where it says that the shapes are exchanged.
const EXCHANGED: u32 = 4;

impl Job {
    /// For the shapes as the caller knows them; which are then exchanged if the kernel wants that.
    #[inline(always)]
    fn new(PairPlan { exchanged, .. }: PairPlan, [a, b]: [Member; 2], index: u32) -> Self {
        // By arithmetic: a branch would be guessed wrong every other time.
        let (rows, sources) = ((a.row ^ b.row) & exchanged, (a.source ^ b.source) & exchanged);
        let flags =
            (a.source ^ sources) | (b.source ^ sources) << SECOND | exchanged & 1 << EXCHANGED;
        Self { rows: [a.row ^ rows, b.row ^ rows], index, flags }
    }

    /// The shapes in the order of the kernel, but for what the tile exchanges.
    #[inline(always)]
    pub(super) fn members(&self) -> [Member; 2] {
        let [first, second] = self.rows;
        let sources = [self.flags & 3, self.flags >> SECOND & 3];
        [Member { row: first, source: sources[0] }, Member { row: second, source: sources[1] }]
    }

    /// The rows of the members, where all are of one source.
    #[inline(always)]
    pub(super) fn rows(&self) -> [u32; 2] {
        self.rows
    }

    /// 1 if that is the other order than the one in which the caller knows them, else 0.
    #[inline(always)]
    pub(super) fn exchanged(&self) -> f32 {
        f32::from_bits((self.flags >> EXCHANGED & 1) * 1_f32.to_bits())
    }
}

/// Which kernel a pair takes, and how its shapes are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(super) enum KernelKind {
    CircleCircle,
    /// Axis-aligned shapes, but for two circles.
    Upright,
    BoxCircle,
    BoxBox,
    Polygon4Circle,
    PolygonCircle,
    Polygon4Box,
    PolygonBox,
    Polygon4Polygon4,
    PolygonPolygon4,
    PolygonPolygon,
    /// Polygons of many vertices, against those of few and of many: apart, so that the others do not
    /// wait for them.
    ManyCircle,
    ManyBox,
    ManyPolygon,
    /// Pairs with a compound: their parts are pairs of the others.
    Parts,
}

impl KernelKind {
    /// How many there are.
    const COUNT: usize = KernelKind::Parts as usize + 1;

    /// Those that the sweep has decided.
    pub(super) const DECIDED: [KernelKind; 2] = [KernelKind::CircleCircle, KernelKind::Upright];

    /// Those that have a kernel.
    pub(super) const KERNELS: [KernelKind; KernelKind::COUNT - 1] = [
        KernelKind::CircleCircle,
        KernelKind::Upright,
        KernelKind::BoxCircle,
        KernelKind::BoxBox,
        KernelKind::Polygon4Circle,
        KernelKind::PolygonCircle,
        KernelKind::Polygon4Box,
        KernelKind::PolygonBox,
        KernelKind::Polygon4Polygon4,
        KernelKind::PolygonPolygon4,
        KernelKind::PolygonPolygon,
        KernelKind::ManyCircle,
        KernelKind::ManyBox,
        KernelKind::ManyPolygon,
    ];

    /// Whether both shapes are axis-aligned: then the sweep has decided them.
    #[inline(always)]
    pub(super) fn is_axis_aligned(self) -> bool {
        self <= KernelKind::Upright
    }

    /// Whether both shapes may be of one class.
    #[inline(always)]
    pub(super) fn may_be_alike(self) -> bool {
        use KernelKind::*;
        let alike = [CircleCircle, Upright, BoxBox, Polygon4Polygon4, PolygonPolygon];
        alike.contains(&self) || self == ManyPolygon
    }

    /// How the shapes are read.
    #[inline(always)]
    pub(super) fn readings(self) -> [Reading; 2] {
        use Reading::{BoxCorners, Boxes, Corners, Plain, Sides};
        match self {
            KernelKind::CircleCircle | KernelKind::Upright => [Sides, Sides],
            KernelKind::Polygon4Circle | KernelKind::PolygonCircle | KernelKind::ManyCircle => {
                [Corners, Plain]
            }
            KernelKind::Polygon4Box | KernelKind::PolygonBox | KernelKind::ManyBox => {
                [Corners, BoxCorners]
            }
            KernelKind::Polygon4Polygon4
            | KernelKind::PolygonPolygon4
            | KernelKind::PolygonPolygon
            | KernelKind::ManyPolygon
            | KernelKind::Parts => [Corners, Corners],
            KernelKind::BoxCircle => [Boxes, Plain],
            KernelKind::BoxBox => [Boxes, Boxes],
        }
    }
}

/// What to do with two shapes.
#[derive(Debug, Clone, Copy)]
pub(super) struct PairPlan {
    pub(super) task: KernelKind,
    /// All bits if the second comes first, else 0. (Of a truth value, the compiler makes a branch.)
    exchanged: u32,
}

impl PairPlan {
    /// For shapes of the classes of these numbers.
    #[inline(always)]
    pub(super) fn of([a, b]: [usize; 2]) -> Self {
        PLANS[a % Class::ROOM][b % Class::ROOM]
    }

    /// The job of two such shapes.
    #[inline(always)]
    pub(super) fn job(self, shapes: [Member; 2], index: u32) -> Job {
        Job::new(self, shapes, index)
    }
}

/// All bits, or none.
#[inline(always)]
const fn mask(condition: bool) -> u32 {
    0_u32.wrapping_sub(condition as u32)
}

/// For each class and each other.
const PLANS: [[PairPlan; Class::ROOM]; Class::ROOM] = {
    use KernelKind::*;
    // The later class first.
    let mut tasks = [[ManyPolygon; Class::ROOM]; Class::ROOM];
    tasks[Class::Round as usize] = [CircleCircle; Class::ROOM];
    tasks[Class::Upright as usize] = [Upright; Class::ROOM];
    let boxes = [Class::Turned, Class::Line];
    let mut index = 0;
    while index < boxes.len() {
        let class = boxes[index] as usize;
        tasks[class] = [BoxBox; Class::ROOM];
        tasks[class][Class::Round as usize] = BoxCircle;
        index += 1;
    }
    let polygons = [
        (Class::Polygon4, Polygon4Circle, Polygon4Box),
        (Class::Polygon8, PolygonCircle, PolygonBox),
        (Class::PolygonMany, ManyCircle, ManyBox),
    ];
    index = 0;
    while index < polygons.len() {
        let (class, circle, with_box) = polygons[index];
        tasks[class as usize][Class::Round as usize] = circle;
        tasks[class as usize][Class::Upright as usize] = with_box;
        tasks[class as usize][Class::Turned as usize] = with_box;
        tasks[class as usize][Class::Line as usize] = with_box;
        index += 1;
    }
    tasks[Class::Polygon4 as usize][Class::Polygon4 as usize] = Polygon4Polygon4;
    tasks[Class::Polygon8 as usize][Class::Polygon4 as usize] = PolygonPolygon4;
    tasks[Class::Polygon8 as usize][Class::Polygon8 as usize] = PolygonPolygon;

    let mut plans = [[PairPlan { task: Parts, exchanged: 0 }; Class::ROOM]; Class::ROOM];
    let mut a = 0;
    while a < Class::Compound as usize {
        let mut b = 0;
        while b < Class::Compound as usize {
            let exchanged = mask(a < b);
            plans[a][b] =
                PairPlan { task: if a < b { tasks[b][a] } else { tasks[a][b] }, exchanged };
            b += 1;
        }
        a += 1;
    }
    plans
};

/// The most jobs at once: more would not stay in the cache, and the parts of compounds may make very many.
pub(super) const MAX_JOBS: usize = 1 << 11;

/// How many jobs there are of each task.
pub(super) type Counts = [u16; KernelKind::COUNT];

/// Where a job goes when jobs are sorted.
#[derive(Debug, Clone, Copy)]
struct Rank {
    task: KernelKind,
    /// How many of its task were made before.
    before: u16,
}

impl Rank {
    /// The next one of `task`.
    #[inline(always)]
    fn next(task: KernelKind, counts: &mut Counts) -> Self {
        let count = &mut counts[task as usize];
        let before = *count;
        *count += 1;
        Self { task, before }
    }
}

/// Pairs, put together by their tasks: a counting sort.
///
/// (With a list for each task instead, every job waited for where its list is, how long, and whether there
/// was room. Counted only when they are sorted, each waited for the one of its task before, twice.)
#[derive(Debug, Default)]
pub(super) struct Jobs {
    /// As they were made: the first `len` are in use.
    made: Vec<Job>,
    ranks: Vec<Rank>,
    len: usize,
    counts: Counts,
    /// By task; within a task, in the order in which they were made.
    sorted: Vec<Job>,
    /// Where each task ends there.
    ends: [usize; KernelKind::COUNT],
}

/// Where a job is made.
pub(super) struct Slot<'a> {
    job: &'a mut Job,
    rank: &'a mut Rank,
}

impl Slot<'_> {
    /// Makes the job of two shapes.
    #[inline(always)]
    pub(super) fn set(self, plan: PairPlan, shapes: [Member; 2], index: u32, counts: &mut Counts) {
        *self.job = Job::new(plan, shapes, index);
        *self.rank = Rank::next(plan.task, counts);
    }
}

impl Jobs {
    /// Begins with none.
    pub(super) fn clear(&mut self) {
        for list in [&mut self.made, &mut self.sorted] {
            list.resize(MAX_JOBS, Job::default());
        }
        self.ranks.resize(MAX_JOBS, Rank { task: KernelKind::Parts, before: 0 });
        self.len = 0;
        self.counts = [0; KernelKind::COUNT];
        self.ends = [0; KernelKind::COUNT];
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Makes one more; there must be fewer than [`MAX_JOBS`].
    #[inline(always)]
    pub(super) fn push(&mut self, plan: PairPlan, members: [Member; 2], index: u32) {
        self.made[self.len] = plan.job(members, index);
        self.ranks[self.len] = Rank::next(plan.task, &mut self.counts);
        self.len += 1;
    }

    /// Room for the jobs of so many pairs, at most [`MAX_JOBS`], which must then all be made, and
    /// [counted](Jobs::count): there must be none yet.
    #[inline(always)]
    pub(super) fn make(&mut self, pairs: usize) -> impl Iterator<Item = Slot<'_>> {
        self.len = pairs;
        let made = self.made[..pairs].iter_mut().zip(&mut self.ranks[..pairs]);
        made.map(|(job, rank)| Slot { job, rank })
    }

    /// Says how many of each task were made.
    pub(super) fn count(&mut self, counts: Counts) {
        self.counts = counts;
    }

    /// Makes one of each of at most [`MAX_JOBS`] pairs that all have one plan, numbered from 0 on: there must
    /// be none yet, and they are sorted already.
    #[inline(always)]
    pub(super) fn fill(
        &mut self,
        plan: PairPlan,
        pairs: impl ExactSizeIterator<Item = [Member; 2]>,
    ) {
        self.len = pairs.len();
        self.ends[plan.task as usize..].fill(self.len);
        for ((job, pair), index) in self.sorted[..self.len].iter_mut().zip(pairs).zip(0..) {
            *job = plan.job(pair, index);
        }
    }

    /// Sorts them.
    pub(super) fn sort(&mut self) {
        let Self { made, ranks, len, counts, sorted, ends } = self;
        let mut begins = [0; KernelKind::COUNT];
        let mut end = 0;
        for ((count, begin), task_end) in counts.iter().zip(&mut begins).zip(&mut *ends) {
            *begin = end;
            end += usize::from(*count);
            *task_end = end;
        }
        if counts.iter().any(|count| usize::from(*count) == *len) {
            std::mem::swap(made, sorted);
            return;
        }
        for (&job, &Rank { task, before }) in made.iter().zip(&ranks[..*len]) {
            sorted[begins[task as usize] + usize::from(before)] = job;
        }
    }

    /// The jobs of a task, after [`sort`](Jobs::sort) or [`fill`](Jobs::fill).
    pub(super) fn list(&self, task: KernelKind) -> &[Job] {
        let begin = if task as usize == 0 { 0 } else { self.ends[task as usize - 1] };
        &self.sorted[begin..self.ends[task as usize]]
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        let jobs = self.made.capacity() + self.sorted.capacity();
        jobs * size_of::<Job>() + self.ranks.capacity() * size_of::<Rank>()
    }
}
