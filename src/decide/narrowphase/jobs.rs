//! Jobs: pairs to decide, grouped by kernel.

use super::view::Member;
use crate::{base::held, posed::ShapeClass};

/// The representation in which the shapes of one side of a batch are read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Reading {
    /// Sides: the exact columns of axis-aligned shapes.
    Sides,
    /// Circles, without conversion.
    Plain,
    /// Rotated boxes. Axis-aligned shapes, segments and capsules are converted.
    Boxes,
    /// Rotated boxes, converted to polygons of 4 vertices.
    BoxCorners,
    /// Polygons of any number of vertices.
    Corners,
}

/// The first four words of a contact: the pair and the parts.
pub(super) type ContactKey = [u32; KEY_WORDS];

pub(super) const KEY_WORDS: usize = 4;

/// A pair to decide.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Job {
    /// The rows of the two shapes. The shape of the later class comes first; shapes of one class
    /// keep the given order.
    rows: [u32; 2],
    /// The index of the result.
    pub(super) index: u32,
    /// From bit 0 on: the source of the first shape, the source of the second, and whether the pair
    /// was given in the other order. All fields are whole words, so that a job is written and read
    /// at once.
    flags: u32,
}

/// The position of the second member's source in [`Job::flags`].
const SECOND_SHIFT: u32 = 2;

/// The position of the exchanged bit in [`Job::flags`].
const EXCHANGED_SHIFT: u32 = 4;

impl Job {
    /// Makes a job of shapes in the caller's order. They are exchanged if the kernel needs the
    /// other order.
    #[inline(always)]
    fn new(PairPlan { exchanged, .. }: PairPlan, [a, b]: [Member; 2], index: u32) -> Self {
        // Arithmetic instead of a branch, which would be mispredicted every other time.
        let (rows, sources) = ((a.row ^ b.row) & exchanged, (a.source ^ b.source) & exchanged);
        let flags = (a.source ^ sources)
            | (b.source ^ sources) << SECOND_SHIFT
            | exchanged & 1 << EXCHANGED_SHIFT;
        Self { rows: [a.row ^ rows, b.row ^ rows], index, flags }
    }

    /// The shapes in the order of the kernel. The batch may still exchange shapes of one class.
    #[inline(always)]
    pub(super) fn members(&self) -> [Member; 2] {
        let [first, second] = self.rows;
        let sources = [self.flags & 3, self.flags >> SECOND_SHIFT & 3];
        [Member { row: first, source: sources[0] }, Member { row: second, source: sources[1] }]
    }

    /// The rows of the members, if both members have the only source.
    #[inline(always)]
    pub(super) fn rows(&self) -> [u32; 2] {
        self.rows
    }

    /// 1 if the job has the shapes in the other order than the caller, else 0.
    #[inline(always)]
    pub(super) fn exchanged(&self) -> f32 {
        f32::from_bits((self.flags >> EXCHANGED_SHIFT & 1) * 1_f32.to_bits())
    }

    /// The key of its contact: the one in `keys`, or, if there are none, the rows in the caller's
    /// order, for shapes that are no parts.
    #[inline(always)]
    pub(super) fn key(&self, keys: &[ContactKey]) -> ContactKey {
        if let Some(key) = keys.get(self.index as usize) {
            return *key;
        }
        let [a, b] = self.rows;
        let other = (a ^ b) & (self.flags >> EXCHANGED_SHIFT & 1).wrapping_neg();
        [a ^ other, b ^ other, 0, 0]
    }
}

/// The kernel of a pair, and how its shapes are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(super) enum KernelKind {
    CircleCircle,
    /// Axis-aligned shapes, except two circles.
    AlignedBox,
    BoxCircle,
    BoxBox,
    Polygon4Circle,
    PolygonCircle,
    Polygon4Box,
    PolygonBox,
    Polygon4Polygon4,
    PolygonPolygon4,
    PolygonPolygon,
    /// Polygons of many vertices against any other shape. They are separate, so that shorter loops
    /// do not wait for them.
    ManyCircle,
    ManyBox,
    ManyPolygon,
    /// Pairs that are decided one by one, without a kernel: pairs with a half-plane, and pairs that
    /// never touch.
    OneByOne,
    /// Pairs with a compound. The pairs of their parts are of the other kinds.
    Parts,
}

impl KernelKind {
    /// The number of kernel kinds.
    const COUNT: usize = KernelKind::Parts as usize + 1;

    /// The kinds of pairs that the sweep has decided.
    pub(super) const DECIDED: [KernelKind; 2] = [KernelKind::CircleCircle, KernelKind::AlignedBox];

    /// The kinds that have a kernel.
    pub(super) const KERNELS: [KernelKind; KernelKind::COUNT - 2] = [
        KernelKind::CircleCircle,
        KernelKind::AlignedBox,
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

    /// Whether both shapes are axis-aligned, so that the sweep has decided the pair.
    #[inline(always)]
    pub(super) fn is_axis_aligned(self) -> bool {
        self <= KernelKind::AlignedBox
    }

    /// Whether the two shapes may be of the same class.
    #[inline(always)]
    pub(super) fn may_be_alike(self) -> bool {
        use KernelKind::*;
        let alike = [CircleCircle, AlignedBox, BoxBox, Polygon4Polygon4, PolygonPolygon];
        alike.contains(&self) || self == ManyPolygon
    }

    /// How the two shapes are read.
    #[inline(always)]
    pub(super) fn readings(self) -> [Reading; 2] {
        use Reading::{BoxCorners, Boxes, Corners, Plain, Sides};
        match self {
            KernelKind::CircleCircle | KernelKind::AlignedBox => [Sides, Sides],
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
            | KernelKind::OneByOne
            | KernelKind::Parts => [Corners, Corners],
            KernelKind::BoxCircle => [Boxes, Plain],
            KernelKind::BoxBox => [Boxes, Boxes],
        }
    }
}

/// The kernel of two shapes, and the order in which it takes them.
#[derive(Debug, Clone, Copy)]
pub(super) struct PairPlan {
    pub(super) kind: KernelKind,
    /// All bits if the second shape comes first, else 0. (The compiler turns a `bool` into a
    /// branch.)
    exchanged: u32,
}

impl PairPlan {
    /// The plan for shapes of the classes with these numbers.
    #[inline(always)]
    pub(super) fn of([a, b]: [usize; 2]) -> Self {
        PLANS[a % ShapeClass::SLOTS][b % ShapeClass::SLOTS]
    }

    /// Makes the job of two such shapes.
    #[inline(always)]
    pub(super) fn job(self, shapes: [Member; 2], index: u32) -> Job {
        Job::new(self, shapes, index)
    }
}

/// All bits if `condition` holds, else 0.
#[inline(always)]
const fn mask(condition: bool) -> u32 {
    0_u32.wrapping_sub(condition as u32)
}

/// The plan for each pair of classes.
const PLANS: [[PairPlan; ShapeClass::SLOTS]; ShapeClass::SLOTS] = {
    use KernelKind::*;
    // The first index belongs to the later class.
    let mut tasks = [[ManyPolygon; ShapeClass::SLOTS]; ShapeClass::SLOTS];
    tasks[ShapeClass::Round as usize] = [CircleCircle; ShapeClass::SLOTS];
    tasks[ShapeClass::AlignedBox as usize] = [AlignedBox; ShapeClass::SLOTS];
    let boxes = [ShapeClass::Rotated, ShapeClass::Line, ShapeClass::ChainSegment];
    let mut index = 0;
    while index < boxes.len() {
        let class = boxes[index] as usize;
        tasks[class] = [BoxBox; ShapeClass::SLOTS];
        tasks[class][ShapeClass::Round as usize] = BoxCircle;
        index += 1;
    }
    let polygons = [
        (ShapeClass::Polygon4, Polygon4Circle, Polygon4Box),
        (ShapeClass::Polygon8, PolygonCircle, PolygonBox),
        (ShapeClass::PolygonMany, ManyCircle, ManyBox),
    ];
    index = 0;
    while index < polygons.len() {
        let (class, circle, with_box) = polygons[index];
        tasks[class as usize][ShapeClass::Round as usize] = circle;
        tasks[class as usize][ShapeClass::AlignedBox as usize] = with_box;
        tasks[class as usize][ShapeClass::Rotated as usize] = with_box;
        tasks[class as usize][ShapeClass::Line as usize] = with_box;
        tasks[class as usize][ShapeClass::ChainSegment as usize] = with_box;
        index += 1;
    }
    tasks[ShapeClass::Polygon4 as usize][ShapeClass::Polygon4 as usize] = Polygon4Polygon4;
    tasks[ShapeClass::Polygon8 as usize][ShapeClass::Polygon4 as usize] = PolygonPolygon4;
    tasks[ShapeClass::Polygon8 as usize][ShapeClass::Polygon8 as usize] = PolygonPolygon;
    tasks[ShapeClass::ChainSegment as usize][ShapeClass::ChainSegment as usize] = OneByOne;
    tasks[ShapeClass::HalfPlane as usize] = [OneByOne; ShapeClass::SLOTS];

    let mut plans =
        [[PairPlan { kind: Parts, exchanged: 0 }; ShapeClass::SLOTS]; ShapeClass::SLOTS];
    let mut a = 0;
    while a < ShapeClass::Compound as usize {
        let mut b = 0;
        while b < ShapeClass::Compound as usize {
            let exchanged = mask(a < b);
            plans[a][b] =
                PairPlan { kind: if a < b { tasks[b][a] } else { tasks[a][b] }, exchanged };
            b += 1;
        }
        a += 1;
    }
    plans
};

/// The most jobs at once. More jobs would not stay in the cache, and the parts of compounds may
/// make very many jobs.
pub(super) const MAX_JOBS: usize = 1 << 11;

/// The number of jobs of each kernel kind.
pub(super) type Counts = [u16; KernelKind::COUNT];

/// The position of a job among the jobs of its kernel kind.
#[derive(Debug, Clone, Copy)]
struct Rank {
    kind: KernelKind,
    /// The number of earlier jobs of its kind.
    before: u16,
}

impl Rank {
    /// The rank of the next job of kind `kind`.
    #[inline(always)]
    fn next(kind: KernelKind, counts: &mut Counts) -> Self {
        let count = &mut counts[kind as usize];
        let before = *count;
        *count += 1;
        Self { kind, before }
    }
}

/// Pairs grouped by kernel kind: a counting sort.
///
/// (With one list for each kind, every job depended on loads of the list's pointer, length and
/// capacity. Counting at the time of sorting made each job depend twice on the previous job of its
/// kind.)
#[derive(Debug, Default)]
pub(super) struct Jobs {
    /// The jobs in the order in which they were made. The first `len` are in use.
    made: Vec<Job>,
    ranks: Vec<Rank>,
    len: usize,
    counts: Counts,
    /// The jobs by kind. Jobs of one kind keep their order.
    sorted: Vec<Job>,
    /// The end of each kind in `sorted`.
    ends: [usize; KernelKind::COUNT],
}

held!(Jobs { made, ranks, len, counts, sorted, ends });

/// A slot for a new job.
pub(super) struct Slot<'a> {
    job: &'a mut Job,
    rank: &'a mut Rank,
}

impl Slot<'_> {
    /// Makes the job of two shapes, and counts it.
    #[inline(always)]
    pub(super) fn set(self, plan: PairPlan, shapes: [Member; 2], index: u32, counts: &mut Counts) {
        *self.job = Job::new(plan, shapes, index);
        *self.rank = Rank::next(plan.kind, counts);
    }
}

impl Jobs {
    /// Removes all jobs.
    pub(super) fn clear(&mut self) {
        for list in [&mut self.made, &mut self.sorted] {
            list.resize(MAX_JOBS, Job::default());
        }
        self.ranks.resize(MAX_JOBS, Rank { kind: KernelKind::Parts, before: 0 });
        self.len = 0;
        self.counts = [0; KernelKind::COUNT];
        self.ends = [0; KernelKind::COUNT];
    }

    /// The number of jobs.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Appends a job. There must be fewer than [`MAX_JOBS`].
    #[inline(always)]
    pub(super) fn push(&mut self, plan: PairPlan, members: [Member; 2], index: u32) {
        self.made[self.len] = plan.job(members, index);
        self.ranks[self.len] = Rank::next(plan.kind, &mut self.counts);
        self.len += 1;
    }

    /// Slots for the jobs of `pairs` pairs, at most [`MAX_JOBS`]. There must be no jobs yet. The
    /// caller must set every slot, and then the [counts](Jobs::count).
    #[inline(always)]
    pub(super) fn make(&mut self, pairs: usize) -> impl Iterator<Item = Slot<'_>> {
        self.len = pairs;
        let made = self.made[..pairs].iter_mut().zip(&mut self.ranks[..pairs]);
        made.map(|(job, rank)| Slot { job, rank })
    }

    /// Sets the number of jobs of each kind.
    pub(super) fn count(&mut self, counts: Counts) {
        self.counts = counts;
    }

    /// Makes a job of each of at most [`MAX_JOBS`] pairs that share one plan, numbered from 0.
    /// There must be no jobs yet. The jobs need no sorting.
    #[inline(always)]
    pub(super) fn fill(
        &mut self,
        plan: PairPlan,
        pairs: impl ExactSizeIterator<Item = [Member; 2]>,
    ) {
        self.len = pairs.len();
        self.ends[plan.kind as usize..].fill(self.len);
        for ((job, pair), index) in self.sorted[..self.len].iter_mut().zip(pairs).zip(0..) {
            *job = plan.job(pair, index);
        }
    }

    /// Sorts the jobs by kind.
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
        for (&job, &Rank { kind, before }) in made.iter().zip(&ranks[..*len]) {
            sorted[begins[kind as usize] + usize::from(before)] = job;
        }
    }

    /// The jobs of one kind, after [`sort`](Jobs::sort) or [`fill`](Jobs::fill).
    pub(super) fn list(&self, kind: KernelKind) -> &[Job] {
        let begin = if kind as usize == 0 { 0 } else { self.ends[kind as usize - 1] };
        &self.sorted[begin..self.ends[kind as usize]]
    }
}
