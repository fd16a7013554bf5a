//! A shape in the world, as kernels load it: eight words.

use bytemuck::{Pod, Zeroable};

use super::{
    block::Block,
    record::{Class, Record},
};
use crate::shape::RoundedBox;

/// A placed shape as columns are made of it.
pub(crate) type Words = [u32; 8];

/// One shape, placed. What its words mean goes with its class:
///
/// ```text
///                   0, 1         2, 3           4, 5                   6        7
/// Round, Upright    lower left   upper right    0, 0                   radius   class
/// Turned            centre       cos, sin       half extents           radius   class
/// polygons          centre       cos, sin       first block, vertices  radius   class
/// Compound          position     cos, sin       first part, parts      0        class
/// ```
///
/// Axis-aligned shapes keep their exact sides: what the sweep decides about them and what a kernel
/// says is then about the same numbers. Blocks, parts and their counts are an integer's bits.
///
/// Aligned, so that none lies across two cache lines.
#[derive(Debug, Clone, Copy, PartialEq, Default, Pod, Zeroable)]
#[repr(C, align(32))]
pub(crate) struct Placed {
    corner: [f32; 2],
    axis: [f32; 2],
    half: [f32; 2],
    radius: f32,
    class: u32,
}

impl Placed {
    /// A point at the origin.
    pub(crate) const NONE: Self =
        Self { corner: [0.0; 2], axis: [0.0; 2], half: [0.0; 2], radius: 0.0, class: 0 };

    /// What is axis-aligned.
    #[inline(always)]
    pub(crate) fn upright(class: Class, sides: RoundedBox) -> Self {
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = sides;
        let (corner, axis) = ([min_x, min_y], [max_x, max_y]);
        Self { corner, axis, half: [0.0; 2], radius, class: class.word() }
    }

    /// What turns or has parts.
    pub(crate) fn turning(class: Class, record: &Record) -> Self {
        let Record { x, y, cos, sin, half_x, half_y, radius, .. } = *record;
        let (corner, axis, half) = ([x, y], [cos, sin], [half_x, half_y]);
        Self { corner, axis, half, radius, class: class.word() }
    }

    /// Which kernels take it.
    #[inline(always)]
    pub(crate) fn class(&self) -> Class {
        Class::of_number(self.class_number())
    }

    /// The number of its class.
    #[inline(always)]
    pub(crate) fn class_number(&self) -> usize {
        Class::number(self.class)
    }

    /// Whether it is a turned box.
    #[inline(always)]
    pub(crate) fn is_turned(&self) -> bool {
        self.class == Class::Turned.word()
    }

    /// The exact sides of what is axis-aligned.
    #[inline(always)]
    pub(crate) fn sides(&self) -> RoundedBox {
        let ([min_x, min_y], [max_x, max_y]) = (self.corner, self.axis);
        RoundedBox { min_x, min_y, max_x, max_y, radius: self.radius }
    }

    /// The first block of a polygon and the number of its vertices; the first part of a compound and the
    /// number of its parts.
    #[inline(always)]
    pub(crate) fn range(&self) -> (usize, usize) {
        let [first, count] = self.half.map(|value| value.to_bits() as usize);
        (first, count)
    }

    /// The blocks of a polygon, of all.
    #[inline(always)]
    pub(crate) fn blocks<'a>(&self, all: &'a [Block]) -> &'a [Block] {
        let (first, vertices) = self.range();
        &all[first..first + vertices.div_ceil(Block::VERTICES)]
    }

    /// A polygon of these blocks as numbers: how many vertices, the radius, then vertex by vertex, seen from the centre.
    pub(crate) fn outline<'a>(&self, blocks: &'a [Block]) -> impl Iterator<Item = f32> + use<'a> {
        let (_, vertices) = self.range();
        let places = |block: &'a Block| block.x.iter().zip(&block.y).map(|(&x, &y)| [x, y]);
        let places = blocks.iter().flat_map(places).take(vertices).flatten();
        [vertices as f32, self.radius].into_iter().chain(places)
    }

    /// It as words.
    #[inline(always)]
    pub(crate) fn words(&self) -> &Words {
        bytemuck::cast_ref(self)
    }
}
