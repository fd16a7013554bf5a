//! One shape, and which kernels take it.

use super::{
    around::{around, around_turned},
    block::Block,
};
use crate::{
    shape::{Obb, Pose, Rotation, RoundedBox, Segment},
    simd::Scalar,
};

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
    /// A turned box, with a radius or without; one of no height is a capsule or a segment.
    Turned,
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
        Class::Polygon4,
        Class::Polygon8,
        Class::PolygonMany,
        Class::Compound,
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
pub(crate) struct Record {
    /// The centre: that of the box around it, for a polygon.
    pub(crate) x: f32,
    pub(crate) y: f32,
    /// How a box is turned.
    pub(crate) cos: f32,
    pub(crate) sin: f32,
    /// Half of a box's width. For a polygon, the number of its first block, for a compound that of its
    /// first part, as an integer's bits.
    pub(crate) half_x: f32,
    /// Half of a box's height. For a polygon the number of its vertices, for a compound that of its
    /// parts, as an integer's bits.
    pub(crate) half_y: f32,
    /// The radius around it.
    pub(crate) radius: f32,
    /// How far from the origin of its frame its core reaches, at most.
    pub(crate) reach: f32,
}

impl Record {
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

    /// A segment with a radius as a box of no height around the origin, and its pose. It must have a length.
    #[inline(always)]
    pub(crate) fn of_capsule(core: Segment, radius: f32) -> (Self, Pose) {
        let [a, b] = [core.a(), core.b()].map(|end| end.to_array().map(f64::from));
        let way = [b[0] - a[0], b[1] - a[1]];
        let middle = [(a[0] + b[0]) * 0.5, (a[1] + b[1]) * 0.5];
        let length = length(way);
        let rotation = Rotation { cos: (way[0] / length) as f32, sin: (way[1] / length) as f32 };
        let record = Self::upright((length * 0.5) as f32, 0.0, radius);
        (record, Pose::new(middle.map(|value| value as f32), rotation))
    }

    /// Where its frame would be if it were placed.
    #[inline(always)]
    pub(crate) fn placed(&self, pose: Pose) -> Self {
        let [x, y] = pose.rotation().apply([self.x, self.y]);
        let [cos, sin] = pose.rotation().apply([self.cos, self.sin]);
        Self { x: pose.x + x, y: pose.y + y, cos, sin, ..*self }
    }

    /// The integers of a polygon or a compound: the first of its blocks or parts, and how many
    /// vertices or parts it has.
    pub(crate) fn range(&self) -> (usize, usize) {
        (self.half_x.to_bits() as usize, self.half_y.to_bits() as usize)
    }

    /// Sets them.
    pub(crate) fn set_range(&mut self, first: usize, count: usize) {
        self.half_x = f32::from_bits(first as u32);
        self.half_y = f32::from_bits(count as u32);
    }

    /// The box around a turned box that is placed, with its radius apart.
    pub(crate) fn turned_bounds(&self) -> RoundedBox {
        let Self { x, y, cos, sin, half_x, half_y, radius, .. } = *self;
        self.bounded(around_turned(Scalar, [x, y], [cos, sin], [half_x, half_y], radius))
    }

    /// The box around a polygon that is placed.
    pub(crate) fn polygon_bounds(&self, blocks: &[Block]) -> RoundedBox {
        self.bounded(around(Scalar, [self.x, self.y], Block::corners(blocks), self.radius))
    }

    /// The box with these sides, and the radius around it.
    fn bounded(&self, [min_x, min_y, max_x, max_y]: [f32; 4]) -> RoundedBox {
        RoundedBox { min_x, min_y, max_x, max_y, radius: self.radius }
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
