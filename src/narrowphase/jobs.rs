//! Pairs to decide, put together by what kernel they take.

use super::{tile::Reading, view::View};
use crate::{
    shape::RoundedBox,
    solid::{Block, Class, Record, Words},
};

/// A shape of a pair: in which of two sets of shapes, where in it, and whether that is a row or a part
/// of a compound.
#[derive(Debug, Clone, Copy)]
pub(super) struct Member {
    pub(super) row: u32,
    source: u8,
}

/// In [`Member::source`]: the second set.
const SECOND_SET: u8 = 1;

/// In [`Member::source`]: a part.
const PART: u8 = 2;

impl Member {
    /// A row of the first set, or of the second.
    #[inline(always)]
    pub(super) fn row(row: u32, second_set: bool) -> Self {
        Self { row, source: if second_set { SECOND_SET } else { 0 } }
    }

    /// The part of the same number, in the same set.
    pub(super) fn part(self) -> Self {
        Self { source: self.source | PART, ..self }
    }

    /// The row or part of another number.
    pub(super) fn other(self, row: u32) -> Self {
        Self { row, ..self }
    }

    /// The set that it is in.
    #[inline(always)]
    pub(super) fn view<'a, 'b>(self, views: &'b [View<'a>; 2]) -> &'b View<'a> {
        &views[usize::from(self.source & SECOND_SET)]
    }

    /// Whether it is a part of a compound.
    #[inline(always)]
    pub(super) fn is_part(self) -> bool {
        self.source & PART != 0
    }

    #[inline(always)]
    pub(super) fn class(self, views: &[View<'_>; 2]) -> Class {
        let (view, row) = (self.view(views), self.row as usize);
        if self.is_part() { view.part_class(row) } else { view.class(row) }
    }

    /// The box around it; itself, if it is axis-aligned.
    #[inline(always)]
    pub(super) fn bounds(self, views: &[View<'_>; 2]) -> RoundedBox {
        let (view, row) = (self.view(views), self.row as usize);
        if self.is_part() { view.part_bounds(row) } else { view.bounds(row) }
    }

    /// The centre of what is axis-aligned.
    #[inline(always)]
    fn center(self, views: &[View<'_>; 2]) -> [f32; 2] {
        if self.is_part() {
            let RoundedBox { min_x, min_y, .. } = self.bounds(views);
            return [min_x, min_y];
        }
        self.view(views).center(self.row as usize)
    }
}

/// A pair to decide.
#[derive(Debug, Clone, Copy)]
pub(super) struct Job {
    /// The shape of the later class, and the other; of one class, as they were given.
    members: [Member; 2],
    /// Where the answer goes.
    pub(super) index: u32,
    exchanged: bool,
    /// Whether both are of one class.
    alike: bool,
}

impl Job {
    /// The pair of two shapes of these classes; and what to do with it.
    #[inline(always)]
    pub(super) fn new(classes: [Class; 2], members: [Member; 2], index: u32) -> (Self, Task) {
        let [a, b] = classes.map(|class| class as usize);
        let Plan { task, exchanged } = PLANS[a][b];
        let alike = a == b;
        let [a, b] = members;
        let members = if exchanged { [b, a] } else { [a, b] };
        (Self { members, index, exchanged, alike }, task)
    }

    /// Whether the kernel takes the shapes in the other order than [`members`](Job::members), and whether
    /// that is the other order than the one in which the caller knows them.
    ///
    /// Of two classes, the later comes first. Of one class, the shape comes first whose centre is
    /// further left, or, if both are above each other, lower: so that the pair (b, a) is decided by
    /// the same operations as (a, b), and gives the mirror image to the last bit. Where both centres
    /// are one point there is no such order, and the given one stands.
    #[inline(always)]
    fn order(&self, centers: [[f32; 2]; 2]) -> (bool, bool) {
        let [[a_x, a_y], [b_x, b_y]] = centers;
        let swap = self.alike & ((b_x < a_x) | ((b_x == a_x) & (b_y < a_y)));
        (swap, self.exchanged ^ swap)
    }
}

/// A shape whose record has been found.
#[derive(Debug, Clone, Copy)]
pub(super) struct Located<'a> {
    pub(super) record: &'a Record,
    /// Which set its blocks are in.
    set: u8,
}

/// Where the records of shapes are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sources<'a> {
    views: [View<'a>; 2],
    /// By [`Member::source`].
    records: [&'a [Record]; 4],
}

impl<'a> Sources<'a> {
    pub(super) fn of(views: [View<'a>; 2]) -> Self {
        let [first, second] = views;
        let records =
            [first.records(), second.records(), first.part_records(), second.part_records()];
        Self { views, records }
    }

    #[inline(always)]
    fn locate(&self, member: Member) -> Located<'a> {
        let record = &self.records[usize::from(member.source % 4)][member.row as usize];
        Located { record, set: member.source & SECOND_SET }
    }

    /// A shape to write over.
    #[inline(always)]
    pub(super) fn none(&self) -> Located<'a> {
        const NONE: &Record = &Record::NONE;
        Located { record: NONE, set: 0 }
    }

    /// The shapes of a job in the order of the kernel, and whether the caller knows them in the other.
    #[inline(always)]
    pub(super) fn turning(&self, job: &Job) -> ([Located<'a>; 2], bool) {
        let [a, b] = [self.locate(job.members[0]), self.locate(job.members[1])];
        let (swap, exchanged) = job.order([[a.record.x, a.record.y], [b.record.x, b.record.y]]);
        (if swap { [b, a] } else { [a, b] }, exchanged)
    }

    /// The same for shapes that are axis-aligned and may have no records.
    #[inline(always)]
    pub(super) fn axis_aligned(&self, job: &Job) -> ([Member; 2], bool) {
        let [a, b] = job.members;
        let (swap, exchanged) = job.order([a.center(&self.views), b.center(&self.views)]);
        (if swap { [b, a] } else { [a, b] }, exchanged)
    }

    /// The exact sides of a shape that is axis-aligned, in the order of a record.
    #[inline(always)]
    pub(super) fn sides(&self, member: Member) -> Words {
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = member.bounds(&self.views);
        [min_x, min_y, max_x, max_y, 0.0, 0.0, radius, 0.0].map(f32::to_bits)
    }

    /// The blocks of a polygon.
    #[inline(always)]
    pub(super) fn blocks(&self, solid: Located<'a>) -> &'a [Block] {
        self.views[usize::from(solid.set)].blocks(solid.record)
    }
}

/// Which kernel a pair takes, and how its shapes are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Task {
    CircleCircle,
    UprightCircle,
    UprightUpright,
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
}

impl Task {
    /// All, in the order of their numbers.
    pub(super) const ALL: [Task; 15] = [
        Task::CircleCircle,
        Task::UprightCircle,
        Task::UprightUpright,
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

    /// How the shapes are read.
    #[inline(always)]
    pub(super) fn readings(self) -> [Reading; 2] {
        use Reading::{BoxCorners, Corners, Corners4, Records, Sides};
        match self {
            Task::CircleCircle | Task::UprightCircle | Task::UprightUpright => [Sides, Sides],
            Task::Polygon4Circle => [Corners4, Records],
            Task::PolygonCircle | Task::ManyCircle => [Corners, Records],
            Task::Polygon4Box => [Corners4, BoxCorners],
            Task::PolygonBox | Task::ManyBox => [Corners, BoxCorners],
            Task::Polygon4Polygon4 => [Corners4, Corners4],
            Task::PolygonPolygon4 => [Corners, Corners4],
            Task::PolygonPolygon | Task::ManyPolygon => [Corners, Corners],
            Task::BoxCircle | Task::BoxBox => [Records, Records],
        }
    }
}

/// What to do with two shapes.
#[derive(Debug, Clone, Copy)]
struct Plan {
    task: Task,
    /// Whether the second comes first.
    exchanged: bool,
}

/// For each class and each other. Compounds have none (their parts have), but a place, so that no index
/// is too large.
const PLANS: [[Plan; Class::COUNT]; Class::COUNT] = {
    use Task::*;
    // The later class first.
    let mut tasks = [[ManyPolygon; Class::COUNT]; Class::COUNT];
    tasks[Class::Round as usize] = [CircleCircle; Class::COUNT];
    tasks[Class::Upright as usize] = [UprightUpright; Class::COUNT];
    tasks[Class::Upright as usize][Class::Round as usize] = UprightCircle;
    tasks[Class::Turned as usize] = [BoxBox; Class::COUNT];
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

    let mut plans = [[Plan { task: ManyPolygon, exchanged: false }; Class::COUNT]; Class::COUNT];
    let mut a = 0;
    while a < Class::COUNT {
        let mut b = 0;
        while b < Class::COUNT {
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
    lists: [Vec<Job>; Task::ALL.len()],
    len: usize,
}

impl Jobs {
    #[inline(always)]
    pub(super) fn push(&mut self, (job, task): (Job, Task)) {
        let list = &mut self.lists[task as usize];
        if list.len() == list.capacity() {
            // In large steps: else a list would still grow a little whenever a block of candidates has
            // somewhat more pairs of these kinds than any before.
            list.reserve_exact(FEWEST.max(3 * list.len()));
        }
        list.push(job);
        self.len += 1;
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn list(&self, task: Task) -> &[Job] {
        &self.lists[task as usize]
    }

    pub(super) fn clear(&mut self) {
        for list in &mut self.lists {
            list.clear();
        }
        self.len = 0;
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.lists.iter().map(|list| list.capacity() * size_of::<Job>()).sum()
    }
}
