//! Pairs to decide, put together by what kernel they take.

use super::{tile::Reading, view::Member};
use crate::solid::Class;

/// A pair to decide.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Job {
    /// Where the shape of the later class is, and the other; of one class, as they were given.
    places: [u32; 2],
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
    #[inline(always)]
    fn new(exchanged: bool, [a, b]: [Member; 2], index: u32) -> Self {
        // Exchanged by arithmetic: a branch would be guessed wrong every other time.
        let mask = 0_u32.wrapping_sub(u32::from(exchanged));
        let (places, sources) = ((a.place ^ b.place) & mask, (a.source ^ b.source) & mask);
        let flags = (a.source ^ sources)
            | (b.source ^ sources) << SECOND
            | u32::from(exchanged) << EXCHANGED;
        Self { places: [a.place ^ places, b.place ^ places], index, flags }
    }

    /// The shapes in the order of the kernel, but for what the tile exchanges.
    #[inline(always)]
    pub(super) fn members(&self) -> [Member; 2] {
        let [first, second] = self.places;
        let sources = [self.flags & 3, self.flags >> SECOND & 3];
        [Member { place: first, source: sources[0] }, Member { place: second, source: sources[1] }]
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
pub(super) enum Task {
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

impl Task {
    /// How many there are.
    const COUNT: usize = Task::Parts as usize + 1;

    /// Those that have a kernel.
    pub(super) const KERNELS: [Task; Task::COUNT - 1] = [
        Task::CircleCircle,
        Task::Upright,
        Task::BoxCircle,
        Task::BoxBox,
        Task::Polygon4Circle,
        Task::PolygonCircle,
        Task::Polygon4Box,
        Task::PolygonBox,
        Task::Polygon4Polygon4,
        Task::PolygonPolygon4,
        Task::PolygonPolygon,
        Task::ManyCircle,
        Task::ManyBox,
        Task::ManyPolygon,
    ];

    /// Whether both shapes are axis-aligned: then the sweep has decided them.
    #[inline(always)]
    pub(super) fn is_axis_aligned(self) -> bool {
        self <= Task::Upright
    }

    /// Whether both shapes may be of one class.
    #[inline(always)]
    pub(super) fn may_be_alike(self) -> bool {
        use Task::*;
        let alike = [CircleCircle, Upright, BoxBox, Polygon4Polygon4, PolygonPolygon];
        alike.contains(&self) || self == ManyPolygon
    }

    /// How the shapes are read.
    #[inline(always)]
    pub(super) fn readings(self) -> [Reading; 2] {
        use Reading::{BoxCorners, Boxes, Corners, Plain, Sides};
        match self {
            Task::CircleCircle | Task::Upright => [Sides, Sides],
            Task::Polygon4Circle | Task::PolygonCircle | Task::ManyCircle => [Corners, Plain],
            Task::Polygon4Box | Task::PolygonBox | Task::ManyBox => [Corners, BoxCorners],
            Task::Polygon4Polygon4
            | Task::PolygonPolygon4
            | Task::PolygonPolygon
            | Task::ManyPolygon
            | Task::Parts => [Corners, Corners],
            Task::BoxCircle => [Plain, Plain],
            Task::BoxBox => [Plain, Boxes],
        }
    }
}

/// What to do with two shapes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plan {
    pub(super) task: Task,
    /// Whether the second comes first.
    exchanged: bool,
}

impl Plan {
    /// For shapes of the classes of these numbers.
    #[inline(always)]
    pub(super) fn of([a, b]: [usize; 2]) -> Self {
        PLANS[a % Class::ROOM][b % Class::ROOM]
    }

    /// The job of two such shapes.
    #[inline(always)]
    pub(super) fn job(self, shapes: [Member; 2], index: u32) -> Job {
        Job::new(self.exchanged, shapes, index)
    }
}

/// For each class and each other.
const PLANS: [[Plan; Class::ROOM]; Class::ROOM] = {
    use Task::*;
    // The later class first.
    let mut tasks = [[ManyPolygon; Class::ROOM]; Class::ROOM];
    tasks[Class::Round as usize] = [CircleCircle; Class::ROOM];
    tasks[Class::Upright as usize] = [Upright; Class::ROOM];
    tasks[Class::Turned as usize] = [BoxBox; Class::ROOM];
    tasks[Class::Turned as usize][Class::Round as usize] = BoxCircle;
    let polygons = [
        (Class::Polygon4, Polygon4Circle, Polygon4Box),
        (Class::Polygon8, PolygonCircle, PolygonBox),
        (Class::PolygonMany, ManyCircle, ManyBox),
    ];
    let mut index = 0;
    while index < polygons.len() {
        let (class, circle, with_box) = polygons[index];
        tasks[class as usize][Class::Round as usize] = circle;
        tasks[class as usize][Class::Upright as usize] = with_box;
        tasks[class as usize][Class::Turned as usize] = with_box;
        index += 1;
    }
    tasks[Class::Polygon4 as usize][Class::Polygon4 as usize] = Polygon4Polygon4;
    tasks[Class::Polygon8 as usize][Class::Polygon4 as usize] = PolygonPolygon4;
    tasks[Class::Polygon8 as usize][Class::Polygon8 as usize] = PolygonPolygon;

    let mut plans = [[Plan { task: Parts, exchanged: false }; Class::ROOM]; Class::ROOM];
    let mut a = 0;
    while a < Class::Compound as usize {
        let mut b = 0;
        while b < Class::Compound as usize {
            let exchanged = a < b;
            plans[a][b] =
                Plan { task: if exchanged { tasks[b][a] } else { tasks[a][b] }, exchanged };
            b += 1;
        }
        a += 1;
    }
    plans
};

/// Room in a list from its first job on.
const FEWEST: usize = 1 << 10;

/// Pairs, put together by their tasks.
#[derive(Debug, Default)]
pub(super) struct Jobs {
    lists: [Vec<Job>; Task::COUNT],
}

impl Jobs {
    #[inline(always)]
    pub(super) fn push(&mut self, plan: Plan, members: [Member; 2], index: u32) {
        let list = &mut self.lists[plan.task as usize];
        if list.len() == list.capacity() {
            grow(list);
        }
        list.push(plan.job(members, index));
    }

    /// Makes jobs of pairs that all have one plan, numbered from 0 on: there must be none yet.
    #[inline(always)]
    pub(super) fn fill(&mut self, plan: Plan, pairs: impl ExactSizeIterator<Item = [Member; 2]>) {
        let list = &mut self.lists[plan.task as usize];
        if list.capacity() < pairs.len() {
            list.reserve_exact(pairs.len().next_multiple_of(FEWEST));
        }
        let jobs = pairs.enumerate();
        list.extend(jobs.map(|(index, pair)| plan.job(pair, index as u32)));
    }

    /// The jobs of a task.
    pub(super) fn list(&self, task: Task) -> &[Job] {
        &self.lists[task as usize]
    }

    /// Takes the list of a task, to be given back to [`give_back`](Jobs::give_back).
    pub(super) fn take(&mut self, task: Task) -> Vec<Job> {
        std::mem::take(&mut self.lists[task as usize])
    }

    pub(super) fn give_back(&mut self, task: Task, list: Vec<Job>) {
        self.lists[task as usize] = list;
    }

    pub(super) fn clear(&mut self) {
        for list in &mut self.lists {
            list.clear();
        }
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.lists.iter().map(|list| list.capacity() * size_of::<Job>()).sum()
    }
}

/// In large steps: else a list would still grow a little whenever a block of candidates has somewhat
/// more pairs of these kinds than any before.
#[cold]
fn grow(list: &mut Vec<Job>) {
    list.reserve_exact(FEWEST.max(list.len()));
}
