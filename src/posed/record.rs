//! One shape, and which kernels take it.

use std::ops::Range;

use super::block::VertexBlock;
use crate::shape::{Obb, Pose, Rotation, RoundedBox, Segment};

/// Which kernels take a shape; in the order of precedence: of two shapes that differ, the one of the
/// later class is the first to its kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
#[repr(u8)]
pub(crate) enum Class {
    /// A point or a circle.
    #[default]
    Round,
    /// An axis-aligned box, with a radius or without.
    Upright,
    /// A rotated box, with a radius or without.
    Turned,
    /// A segment or a capsule. Its kernels are those of boxes: it is a box of no height.
    Line,
    /// A polygon of at most 4 vertices.
    Polygon4,
    /// A polygon of 5 to 8 vertices.
    Polygon8,
    /// A polygon of 9 vertices and more.
    PolygonMany,
    /// Several shapes.
    Compound,
}

impl Class {
    /// Room for all numbers in tables: a power of two, so that whatever a word holds finds a place.
    pub(crate) const ROOM: usize = 8;

    /// By number.
    const ALL: [Self; Self::ROOM] = [
        Class::Round,
        Class::Upright,
        Class::Turned,
        Class::Line,
        Class::Polygon4,
        Class::Polygon8,
        Class::PolygonMany,
        Class::Compound,
    ];

    /// Where the number of a class is in its word: in the exponent of a float, so that kernels may
    /// compare such words as numbers, and none is subnormal.
    const SHIFT: u32 = 23;

    /// The class as a word.
    pub(crate) const fn word(self) -> u32 {
        (self as u32) << Self::SHIFT
    }

    /// The number of the class of such a word.
    #[inline(always)]
    pub(crate) fn number(word: u32) -> usize {
        (word >> Self::SHIFT) as usize % Self::ROOM
    }

    /// The class of a number.
    #[inline(always)]
    pub(crate) fn of_number(number: usize) -> Self {
        Self::ALL[number % Self::ROOM]
    }

    /// Whether pairs of such shapes are decided by the sweep.
    pub(crate) fn is_axis_aligned(self) -> bool {
        self <= Class::Upright
    }

    /// The class of a polygon of so many vertices.
    pub(crate) fn of_polygon(vertices: usize) -> Self {
        match vertices {
            ..=4 => Class::Polygon4,
            5..=8 => Class::Polygon8,
            _ => Class::PolygonMany,
        }
    }

    /// Whether it is a polygon.
    pub(crate) fn is_polygon(self) -> bool {
        matches!(self, Class::Polygon4 | Class::Polygon8 | Class::PolygonMany)
    }
}

/// One shape, in its own frame or in the world.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct LocalShape {
    /// The centre: that of the box around it, for a polygon. The first end of a segment or capsule.
    pub(crate) x: f32,
    pub(crate) y: f32,
    /// The rotation of a box or polygon; the direction of a segment or capsule.
    pub(crate) cos: f32,
    pub(crate) sin: f32,
    /// Half of a box's width. x of the second end of a segment or capsule. For a polygon, the
    /// number of its first block, for a compound that of its first part, as an integer's bits.
    pub(crate) half_x: f32,
    /// Half of a box's height. y of the second end of a segment or capsule. For a compound the
    /// number of its parts, for a polygon its [`PolygonSize`], as an integer's bits.
    pub(crate) half_y: f32,
    /// The radius around it.
    pub(crate) radius: f32,
    /// How far from the origin of its frame its core reaches, at most.
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

    /// A box around the origin, not turned.
    #[inline(always)]
    pub(crate) fn upright(half_x: f32, half_y: f32, radius: f32) -> Self {
        let reach = above(length([f64::from(half_x), f64::from(half_y)]));
        Self { half_x, half_y, reach, ..Self::round(radius) }
    }

    /// An axis-aligned shape around the origin, and its centre.
    pub(crate) fn of_rounded(rounded: RoundedBox) -> (Self, [f32; 2]) {
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = rounded;
        // Half a difference of at most 2^61, and half a sum.
        let half = [(max_x - min_x) * 0.5, (max_y - min_y) * 0.5];
        let center = [(min_x + max_x) * 0.5, (min_y + max_y) * 0.5];
        (Self::upright(half[0], half[1], radius), center)
    }

    /// A turned box around the origin, and its pose.
    #[inline(always)]
    pub(crate) fn of_obb(obb: Obb) -> (Self, Pose) {
        let record = Self::upright(obb.half_width, obb.half_height, 0.0);
        (record, Pose::new(obb.center(), obb.rotation()))
    }

    /// A segment with a radius, along the x axis with its middle at the origin, and its pose. It
    /// must have a length.
    #[inline(always)]
    pub(crate) fn of_capsule(core: Segment, radius: f32) -> (Self, Pose) {
        let [a, b] = [core.a(), core.b()].map(|end| end.to_array().map(f64::from));
        let way = [b[0] - a[0], b[1] - a[1]];
        let middle = [(a[0] + b[0]) * 0.5, (a[1] + b[1]) * 0.5];
        let length = length(way);
        let rotation = Rotation { cos: (way[0] / length) as f32, sin: (way[1] / length) as f32 };
        let half = (length * 0.5) as f32;
        let record = Self { x: -half, ..Self::upright(half, 0.0, radius) };
        (record, Pose::new(middle.map(|value| value as f32), rotation))
    }

    /// The same with the ends of `core`, in its own frame.
    #[inline(always)]
    pub(crate) fn with_ends(self, core: Segment, Rotation { cos, sin }: Rotation) -> Self {
        let Segment { ax, ay, bx, by } = core;
        Self { x: ax, y: ay, half_x: bx, half_y: by, cos, sin, ..self }
    }

    /// Where its frame would be if it were placed. It is no segment or capsule.
    #[inline(always)]
    pub(crate) fn placed(&self, pose: Pose) -> Self {
        let [x, y] = pose.rotation().apply([self.x, self.y]);
        let [cos, sin] = pose.rotation().apply([self.cos, self.sin]);
        Self { x: pose.x + x, y: pose.y + y, cos, sin, ..*self }
    }

    /// The same for a segment or capsule.
    #[inline(always)]
    pub(crate) fn placed_line(&self, pose: Pose) -> Self {
        let [x, y] = pose.rotation().apply([self.half_x, self.half_y]);
        Self { half_x: pose.x + x, half_y: pose.y + y, ..self.placed(pose) }
    }

    /// The first block of a polygon, or the first part of a compound.
    pub(crate) fn first(&self) -> usize {
        self.half_x.to_bits() as usize
    }

    /// The first part of a compound, and how many it has.
    pub(crate) fn parts(&self) -> Range<usize> {
        let first = self.first();
        first..first + self.half_y.to_bits() as usize
    }

    /// The blocks of a polygon.
    pub(crate) fn blocks(&self) -> Range<usize> {
        let first = self.first();
        first..first + PolygonSize::of_word(self.half_y).blocks()
    }

    /// Sets the first block or part, and the word behind it.
    pub(crate) fn set_range(&mut self, first: usize, count: u32) {
        self.half_x = f32::from_bits(first as u32);
        self.half_y = f32::from_bits(count);
    }
}

/// How many vertices a polygon has, and how far they reach from its centre: one word.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PolygonSize(u32);

impl PolygonSize {
    /// Of so many vertices, at most [`MAX_VERTICES`](crate::shape::MAX_VERTICES), none of which is
    /// further than `reach` from the centre.
    pub(crate) fn new(vertices: usize, reach: f32) -> Self {
        // The upper half of a float, the next one above: it is too large by a 128th at most.
        let reach = (reach.to_bits() | 0xffff) + 1;
        Self(reach | vertices as u32)
    }

    /// From the word that holds it.
    #[inline(always)]
    pub(crate) fn of_word(word: f32) -> Self {
        Self(word.to_bits())
    }

    /// The word.
    pub(crate) fn bits(self) -> u32 {
        self.0
    }

    /// How many vertices.
    #[inline(always)]
    pub(crate) fn vertices(self) -> usize {
        (self.0 & 0xffff) as usize
    }

    /// How many blocks hold them.
    #[inline(always)]
    pub(crate) fn blocks(self) -> usize {
        self.vertices().div_ceil(VertexBlock::VERTICES)
    }

    /// How far they reach, at most.
    #[inline(always)]
    pub(crate) fn reach(self) -> f32 {
        f32::from_bits(self.0 & !0xffff)
    }
}

/// The length of a vector; by operations that are exact everywhere, as `hypot` is not.
#[inline(always)]
pub(super) fn length([x, y]: [f64; 2]) -> f64 {
    (x * x + y * y).sqrt()
}

/// An `f32` that is not below `value`.
#[inline(always)]
pub(super) fn above(value: f64) -> f32 {
    let rounded = value as f32;
    if f64::from(rounded) < value { rounded.next_up() } else { rounded }
}
