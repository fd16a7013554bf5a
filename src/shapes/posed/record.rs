//! The record of one shape, its class, and the neighbours of a segment of a chain.

use std::ops::Range;

use super::frame::{Frame, wide};
use crate::{
    shape::{ChainSegment, HalfPlane, Obb, Pose, Rotation, RoundedBox, Segment, Sides},
    simd::map_each,
};

/// The group of kernels that a shape takes. The order is the precedence: of two shapes of
/// different classes, the shape of the later class is the first shape of the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
#[repr(u8)]
pub(crate) enum ShapeClass {
    /// A point or a circle.
    #[default]
    Round,
    /// An axis-aligned box, with a radius or without.
    AlignedBox,
    /// A rotated box, with a radius or without.
    Rotated,
    /// A segment or a capsule. It takes the kernels of boxes: it is a box without height.
    Line,
    /// A segment of a chain: for kernels, a segment.
    ChainSegment,
    /// A polygon of at most 4 vertices.
    Polygon4,
    /// A polygon of 5 to 8 vertices.
    Polygon8,
    /// A polygon of at least 9 vertices.
    PolygonMany,
    /// A half-plane. It has no kernel.
    HalfPlane,
    /// A compound of several shapes.
    Compound,
}

impl ShapeClass {
    /// The length of tables by class: a power of two, so that the number in any word is a valid
    /// index.
    pub(crate) const SLOTS: usize = 16;

    /// The classes by number.
    const ALL: [Self; Self::SLOTS] = [
        ShapeClass::Round,
        ShapeClass::AlignedBox,
        ShapeClass::Rotated,
        ShapeClass::Line,
        ShapeClass::ChainSegment,
        ShapeClass::Polygon4,
        ShapeClass::Polygon8,
        ShapeClass::PolygonMany,
        ShapeClass::HalfPlane,
        ShapeClass::Compound,
        // No class has these numbers.
        ShapeClass::Compound,
        ShapeClass::Compound,
        ShapeClass::Compound,
        ShapeClass::Compound,
        ShapeClass::Compound,
        ShapeClass::Compound,
    ];

    /// The position of the class number in its word: the exponent of a float. So kernels can
    /// compare such words as numbers, and no word is subnormal.
    const CLASS_SHIFT: u32 = 23;

    /// The class as a word.
    pub(crate) const fn word(self) -> u32 {
        (self as u32) << Self::CLASS_SHIFT
    }

    /// The class number in a word that [`word`](Self::word) made.
    #[inline(always)]
    pub(crate) fn number(word: u32) -> usize {
        (word >> Self::CLASS_SHIFT) as usize % Self::SLOTS
    }

    /// The class with this number.
    #[inline(always)]
    pub(crate) fn of_number(number: usize) -> Self {
        Self::ALL[number % Self::SLOTS]
    }

    /// Whether the sweep decides pairs of such shapes.
    pub(crate) fn is_axis_aligned(self) -> bool {
        self <= ShapeClass::AlignedBox
    }

    /// The class of a polygon with this number of vertices.
    pub(crate) fn of_polygon(vertices: usize) -> Self {
        match vertices {
            ..=4 => ShapeClass::Polygon4,
            5..=8 => ShapeClass::Polygon8,
            _ => ShapeClass::PolygonMany,
        }
    }

    /// Whether the shape is a segment, with a radius or without.
    pub(crate) fn is_line(self) -> bool {
        matches!(self, ShapeClass::Line | ShapeClass::ChainSegment)
    }

    /// Whether kernels alone make the contacts of such shapes.
    pub(crate) fn has_kernels(self) -> bool {
        !matches!(self, ShapeClass::ChainSegment | ShapeClass::HalfPlane)
    }

    /// Whether the class is a class of polygons.
    pub(crate) fn is_polygon(self) -> bool {
        matches!(self, ShapeClass::Polygon4 | ShapeClass::Polygon8 | ShapeClass::PolygonMany)
    }
}

/// One shape, in its own frame or in the world.
///
/// A part of a compound that is an axis-aligned box keeps its sides in its own frame, so that equal
/// sides of two parts stay equal: x and y are its lower left corner, `half_x` and `half_y` its
/// upper right corner, and its rotation is (0, 0).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct LocalShape {
    /// x and y of the centre, or of the first end of a segment or capsule. The centre of a polygon
    /// is the centre of its bounding box.
    pub(crate) x: f32,
    pub(crate) y: f32,
    /// The rotation of a box or polygon, the direction of a segment or capsule, or the normal of a
    /// half-plane.
    pub(crate) cos: f32,
    pub(crate) sin: f32,
    /// Half the width of a box, or x of the second end of a segment or capsule, or the offset of a
    /// half-plane. For a polygon the number of its first block, for a compound the number of its
    /// first part, as the bits of an integer.
    pub(crate) half_x: f32,
    /// Half the height of a box, or y of the second end of a segment or capsule. For a polygon its
    /// [`PolygonSize`], for a compound the number of its parts, as the bits of an integer.
    pub(crate) half_y: f32,
    /// The radius around the core.
    pub(crate) radius: f32,
    /// An upper bound of the distance of the core from the origin of its frame. Negated for a row
    /// that is a segment or capsule and keeps the ends that were given, instead of the ends that
    /// its pose makes.
    pub(crate) reach: f32,
}

impl LocalShape {
    /// A point at the origin.
    pub(crate) const NONE: Self = Self {
        x: 0.0,
        y: 0.0,
        cos: 1.0,
        sin: 0.0,
        half_x: 0.0,
        half_y: 0.0,
        radius: 0.0,
        reach: 0.0,
    };

    /// A point or a circle around the origin.
    #[inline(always)]
    pub(crate) fn round(radius: f32) -> Self {
        Self { radius, ..Self::NONE }
    }

    /// An axis-aligned box around the origin.
    #[inline(always)]
    pub(crate) fn aligned(half_x: f32, half_y: f32, radius: f32) -> Self {
        let reach = above(length([f64::from(half_x), f64::from(half_y)]));
        Self { half_x, half_y, reach, ..Self::round(radius) }
    }

    /// An axis-aligned shape moved to the origin, and its centre.
    pub(crate) fn of_rounded(rounded: RoundedBox) -> (Self, [f32; 2]) {
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = rounded;
        // Half a difference of at most 2^61, and half a sum: neither overflows.
        let half = [(max_x - min_x) * 0.5, (max_y - min_y) * 0.5];
        let center = [(min_x + max_x) * 0.5, (min_y + max_y) * 0.5];
        (Self::aligned(half[0], half[1], radius), center)
    }

    /// A rotated box as an axis-aligned box around the origin, and its pose.
    #[inline(always)]
    pub(crate) fn of_obb(obb: Obb) -> (Self, Pose) {
        let record = Self::aligned(obb.half_width, obb.half_height, 0.0);
        (record, Pose::new(obb.center(), obb.rotation()))
    }

    /// A half-plane in its own coordinates.
    pub(crate) fn of_half_plane(half_plane: HalfPlane) -> Self {
        let HalfPlane { normal_x: cos, normal_y: sin, offset } = half_plane;
        Self { cos, sin, half_x: offset, reach: offset.abs(), ..Self::NONE }
    }

    /// A capsule along the x axis with its middle at the origin, and its pose. `core` must have a
    /// length.
    #[inline(always)]
    pub(crate) fn of_capsule(core: Segment, radius: f32) -> (Self, Pose) {
        let [a, b] = map_each([core.a(), core.b()], |end| map_each(end.to_array(), f64::from));
        let way = [b[0] - a[0], b[1] - a[1]];
        let middle = [(a[0] + b[0]) * 0.5, (a[1] + b[1]) * 0.5];
        let length = length(way);
        let rotation = Rotation { cos: (way[0] / length) as f32, sin: (way[1] / length) as f32 };
        let half = (length * 0.5) as f32;
        let record = Self { x: -half, ..Self::aligned(half, 0.0, radius) };
        (record, Pose::new(map_each(middle, |value| value as f32), rotation))
    }

    /// The record with the ends and the direction of `core`, in its own frame.
    #[inline(always)]
    pub(crate) fn with_ends(self, core: Segment, Rotation { cos, sin }: Rotation) -> Self {
        let Segment { ax, ay, bx, by } = core;
        Self { x: ax, y: ay, half_x: bx, half_y: by, cos, sin, ..self }
    }

    /// An axis-aligned box as a part of a compound.
    pub(crate) fn of_sides(sides: RoundedBox, reach: f32) -> Self {
        let RoundedBox { min_x: x, min_y: y, max_x: half_x, max_y: half_y, radius } = sides;
        Self { x, y, cos: 0.0, sin: 0.0, half_x, half_y, radius, reach }
    }

    /// The lower left and the upper right corner of an axis-aligned box that is a part.
    pub(crate) fn sides(&self) -> Option<[[f32; 2]; 2]> {
        let Self { x, y, cos, sin, half_x, half_y, .. } = *self;
        ([cos, sin] == [0.0; 2]).then_some([[x, y], [half_x, half_y]])
    }

    /// The ends of a segment or capsule.
    pub(crate) fn ends(&self) -> [[f32; 2]; 2] {
        [[self.x, self.y], [self.half_x, self.half_y]]
    }

    /// Whether a row that is a segment or capsule has the ends that were given.
    pub(crate) fn keeps_ends(&self) -> bool {
        self.reach.is_sign_negative()
    }

    /// The record of a row that is a segment or capsule, and whether it keeps the ends that were
    /// given.
    pub(crate) fn keeping_ends(self, keeps: bool) -> Self {
        Self { reach: if keeps { -self.reach.abs() } else { self.reach.abs() }, ..self }
    }

    /// The record placed by `pose`. The shape must not be a segment or capsule. The centre is
    /// computed in `f64` and rounded once.
    pub(crate) fn placed(&self, pose: Pose) -> Self {
        let (own, center) = match self.sides() {
            None => (*self, wide([self.x, self.y])),
            Some([min, max]) => {
                let center = map_each([0, 1], |axis: usize| {
                    (f64::from(min[axis]) + f64::from(max[axis])) * 0.5
                });
                let [half_x, half_y] =
                    map_each([0, 1], |axis: usize| (max[axis] - min[axis]) * 0.5);
                (Self { cos: 1.0, sin: 0.0, half_x, half_y, ..*self }, center)
            }
        };
        let [x, y] = map_each(Frame::of(pose).place(center), |at| at as f32);
        Self { x, y, ..own.turned(pose) }
    }

    /// The record of a row around the origin, placed by `pose`: as [`placed`](Self::placed) does,
    /// where nothing is rounded.
    #[inline(always)]
    pub(crate) fn turned(&self, pose: Pose) -> Self {
        let [cos, sin] = pose.rotation().apply([self.cos, self.sin]);
        // No zero is negative.
        Self { x: pose.x + 0.0, y: pose.y + 0.0, cos, sin, ..*self }
    }

    /// The record of a row that is a segment or capsule, with its middle at the origin, placed by
    /// `pose`.
    #[inline(always)]
    pub(crate) fn placed_line(&self, pose: Pose) -> Self {
        let [a, b] = map_each(self.ends(), |end| {
            let [x, y] = pose.rotation().apply(end);
            [pose.x + x, pose.y + y]
        });
        self.turned(pose).between(a, b)
    }

    /// The record of a part that is a segment or capsule, placed by `pose`. The ends are computed
    /// in `f64` and rounded once.
    pub(crate) fn placed_part(&self, pose: Pose) -> Self {
        let frame = Frame::of(pose);
        let [a, b] = map_each(self.ends(), |end| map_each(frame.place(wide(end)), |at| at as f32));
        self.turned(pose).between(a, b)
    }

    #[inline(always)]
    fn between(self, [x, y]: [f32; 2], [half_x, half_y]: [f32; 2]) -> Self {
        Self { x, y, half_x, half_y, ..self }
    }

    /// The number of the first block of a polygon, or of the first part of a compound.
    pub(crate) fn first(&self) -> usize {
        self.half_x.to_bits() as usize
    }

    /// The range of the parts of a compound.
    pub(crate) fn parts(&self) -> Range<usize> {
        let first = self.first();
        first..first + self.half_y.to_bits() as usize
    }

    /// The range of the blocks of a polygon.
    pub(crate) fn blocks(&self) -> Range<usize> {
        let first = self.first();
        first..first + PolygonSize::of_word(self.half_y).blocks()
    }

    /// Sets the number of the first block or part, and the word after it.
    pub(crate) fn set_range(&mut self, first: usize, count: u32) {
        self.half_x = f32::from_bits(first as u32);
        self.half_y = f32::from_bits(count);
    }
}

/// The number of vertices in a block.
pub(crate) const VERTICES: usize = 4;

/// The number of vertices of a polygon, and an upper bound of their distance from its centre, in
/// one word.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PolygonSize(u32);

impl PolygonSize {
    /// Packs the number of vertices, at most [`MAX_VERTICES`](crate::shape::MAX_VERTICES), and
    /// `reach`, an upper bound of their distance from the centre.
    pub(crate) fn new(vertices: usize, reach: f32) -> Self {
        // Keeps the upper half of the float and rounds it up: the result is too large by at most
        // 1/128.
        let reach = (reach.to_bits() | 0xffff) + 1;
        Self(reach | vertices as u32)
    }

    /// Unpacks the word that holds it.
    #[inline(always)]
    pub(crate) fn of_word(word: f32) -> Self {
        Self(word.to_bits())
    }

    /// The value as a word.
    pub(crate) fn bits(self) -> u32 {
        self.0
    }

    /// The number of vertices.
    #[inline(always)]
    pub(crate) fn vertices(self) -> usize {
        (self.0 & 0xffff) as usize
    }

    /// The number of blocks that hold the vertices.
    #[inline(always)]
    pub(crate) fn blocks(self) -> usize {
        self.vertices().div_ceil(VERTICES)
    }

    /// An upper bound of the distance of the vertices from the centre.
    #[inline(always)]
    pub(crate) fn reach(self) -> f32 {
        f32::from_bits(self.0 & !0xffff)
    }
}

/// The length of a vector. All operations are correctly rounded on every platform, unlike `hypot`.
#[inline(always)]
pub(super) fn length([x, y]: [f64; 2]) -> f64 {
    (x * x + y * y).sqrt()
}

/// Returns an `f32` that is not below `value`.
#[inline(always)]
pub(super) fn above(value: f64) -> f32 {
    let rounded = value as f32;
    if f64::from(rounded) < value { rounded.next_up() } else { rounded }
}

/// The vertices before and after a segment of a chain, and the sides that have contacts.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Link {
    pub(crate) vertices: [Option<[f32; 2]>; 2],
    pub(crate) sides: Sides,
}

impl Link {
    /// The link of a segment, in the world as given.
    pub(crate) fn of(segment: &ChainSegment) -> Self {
        let vertices = map_each([segment.before, segment.after], |vertex| vertex.map(Into::into));
        Self { vertices, sides: segment.sides }
    }

    /// The link of a segment in its own frame: the middle is the origin, and the segment lies along
    /// the x axis. Computed in `f64` and rounded once; no zero is negative.
    pub(super) fn own(segment: &ChainSegment) -> Self {
        let (_, pose) = LocalShape::of_capsule(segment.segment(), 0.0);
        let Rotation { cos, sin } = pose.rotation();
        let ([cos, sin], [x, y]) =
            (map_each([cos, sin], f64::from), map_each([pose.x, pose.y], f64::from));
        Self::of(segment).map(|vertex| {
            let [to_x, to_y] = [f64::from(vertex[0]) - x, f64::from(vertex[1]) - y];
            map_each([cos * to_x + sin * to_y, cos * to_y - sin * to_x], |value| value as f32 + 0.0)
        })
    }

    /// The link placed by `pose`.
    pub(super) fn placed(&self, pose: Pose) -> Self {
        self.map(|vertex| {
            let [x, y] = pose.rotation().apply(vertex);
            [pose.x + x, pose.y + y]
        })
    }

    fn map(&self, change: impl Fn([f32; 2]) -> [f32; 2]) -> Self {
        Self { vertices: map_each(self.vertices, |vertex| vertex.map(&change)), ..*self }
    }
}
