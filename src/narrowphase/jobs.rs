//! Pairs to decide, put together by what kernel they take.

use super::{tile::Reading, view::View};
use crate::{
    shape::RoundedBox,
    solid::{Class, Record, Words},
};

/// A shape of a pair: in which of two sets of shapes, where in it, and whether that is a row or a part
/// of a compound.
#[derive(Debug, Clone, Copy)]
pub(super) struct Member {
    pub(super) row: u32,
    pub(super) second_set: bool,
    pub(super) part: bool,
}

impl Member {
    /// The set that it is in.
    #[inline(always)]
    pub(super) fn view<'a, 'b>(self, views: &'b [View<'a>; 2]) -> &'b View<'a> {
        &views[usize::from(self.second_set)]
    }

    #[inline(always)]
    pub(super) fn class(self, views: &[View<'_>; 2]) -> Class {
        let (view, row) = (self.view(views), self.row as usize);
        if self.part {
            return view.part(row).map_or(Class::Round, |(class, ..)| class);
        }
        view.class(row)
    }

    #[inline(always)]
    pub(super) fn record(self, views: &[View<'_>; 2]) -> Record {
        let (view, row) = (self.view(views), self.row as usize);
        if self.part {
            return view.part(row).map_or_else(Record::default, |(_, record, _)| record);
        }
        view.record(row)
    }

    /// The box around it; itself, if it is axis-aligned.
    #[inline(always)]
    pub(super) fn bounds(self, views: &[View<'_>; 2]) -> RoundedBox {
        let (view, row) = (self.view(views), self.row as usize);
        if self.part {
            return view.part(row).map_or_else(RoundedBox::default, |(.., bounds)| bounds);
        }
        view.bounds(row)
    }

    /// The exact sides, if it is axis-aligned.
    #[inline(always)]
    pub(super) fn sides(self, views: &[View<'_>; 2]) -> Words {
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = self.bounds(views);
        [min_x, min_y, max_x, max_y, 0.0, 0.0, radius, 0.0].map(f32::to_bits)
    }
}

/// A pair to decide.
#[derive(Debug, Clone, Copy)]
pub(super) struct Job {
    rows: [u32; 2],
    /// Where the answer goes.
    pub(super) index: u32,
    flags: u8,
}

const SECOND_SET: [u8; 2] = [1, 2];
const PART: [u8; 2] = [4, 8];
const EXCHANGED: u8 = 16;

impl Job {
    /// The pair of `a` and `b`, in the order in which its kernel takes them; and which kernel that is.
    ///
    /// Of two classes, the later comes first. Of one class, the shape comes first whose centre is
    /// further left, or, if both are above each other, lower: so that the pair (b, a) is decided by
    /// the same operations as (a, b), and gives the mirror image to the last bit. Where both centres
    /// are one point there is no such order, and the given one stands.
    #[inline(always)]
    pub(super) fn new(views: &[View<'_>; 2], a: Member, b: Member, index: u32) -> (Self, Task) {
        let classes = [a.class(views), b.class(views)];
        let exchanged = if classes[0] == classes[1] {
            let (a, b) = (a.record(views), b.record(views));
            (b.x < a.x) | ((b.x == a.x) & (b.y < a.y))
        } else {
            classes[0] < classes[1]
        };
        let ([a, b], classes) =
            if exchanged { ([b, a], [classes[1], classes[0]]) } else { ([a, b], classes) };
        let mut flags = if exchanged { EXCHANGED } else { 0 };
        for (member, (set, part)) in [a, b].into_iter().zip(SECOND_SET.into_iter().zip(PART)) {
            flags |= if member.second_set { set } else { 0 };
            flags |= if member.part { part } else { 0 };
        }
        (Self { rows: [a.row, b.row], index, flags }, Task::of(classes))
    }

    #[inline(always)]
    pub(super) fn a(&self) -> Member {
        self.member(0)
    }

    #[inline(always)]
    pub(super) fn b(&self) -> Member {
        self.member(1)
    }

    #[inline(always)]
    fn member(&self, which: usize) -> Member {
        Member {
            row: self.rows[which],
            second_set: self.flags & SECOND_SET[which] != 0,
            part: self.flags & PART[which] != 0,
        }
    }

    /// Whether `a` is the second shape of the pair as the caller knows it.
    #[inline(always)]
    pub(super) fn exchanged(&self) -> bool {
        self.flags & EXCHANGED != 0
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

    /// Of a shape of the first class and one of the second, which is not later. Compounds have none: their
    /// parts have.
    #[inline(always)]
    pub(super) fn of([first, second]: [Class; 2]) -> Self {
        TASKS[first as usize][second as usize]
    }

    /// How the shapes are read.
    #[inline(always)]
    pub(super) fn readings(self) -> [Reading; 2] {
        use Reading::{BoxCorners, Corners, Corners4, Records, Sides};
        match self {
            Task::UprightCircle | Task::UprightUpright => [Sides, Sides],
            Task::Polygon4Circle => [Corners4, Records],
            Task::PolygonCircle | Task::ManyCircle => [Corners, Records],
            Task::Polygon4Box => [Corners4, BoxCorners],
            Task::PolygonBox | Task::ManyBox => [Corners, BoxCorners],
            Task::Polygon4Polygon4 => [Corners4, Corners4],
            Task::PolygonPolygon4 => [Corners, Corners4],
            Task::PolygonPolygon | Task::ManyPolygon => [Corners, Corners],
            Task::CircleCircle | Task::BoxCircle | Task::BoxBox => [Records, Records],
        }
    }
}

/// The task for each class and each that is not later.
const TASKS: [[Task; Class::SINGLE]; Class::SINGLE] = {
    use Task::*;
    let round = [CircleCircle; Class::SINGLE];
    let mut upright = [UprightUpright; Class::SINGLE];
    upright[Class::Round as usize] = UprightCircle;
    let mut turned = [BoxBox; Class::SINGLE];
    turned[Class::Round as usize] = BoxCircle;
    let mut polygon4 = [Polygon4Polygon4; Class::SINGLE];
    polygon4[Class::Round as usize] = Polygon4Circle;
    polygon4[Class::Upright as usize] = Polygon4Box;
    polygon4[Class::Turned as usize] = Polygon4Box;
    let mut polygon8 = [PolygonPolygon; Class::SINGLE];
    polygon8[Class::Round as usize] = PolygonCircle;
    polygon8[Class::Upright as usize] = PolygonBox;
    polygon8[Class::Turned as usize] = PolygonBox;
    polygon8[Class::Polygon4 as usize] = PolygonPolygon4;
    let mut many = [ManyPolygon; Class::SINGLE];
    many[Class::Round as usize] = ManyCircle;
    many[Class::Upright as usize] = ManyBox;
    many[Class::Turned as usize] = ManyBox;
    [round, upright, turned, polygon4, polygon8, many]
};

/// Pairs, put together by their tasks.
#[derive(Debug, Default)]
pub(super) struct Jobs {
    lists: [Vec<Job>; Task::ALL.len()],
    len: usize,
}

impl Jobs {
    #[inline(always)]
    pub(super) fn push(&mut self, (job, task): (Job, Task)) {
        self.lists[task as usize].push(job);
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
