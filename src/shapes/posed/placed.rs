//! A shape in the world, as kernels load it: eight words; and the box around it.

use std::ops::Range;

use super::{
    block::VertexBlock,
    frame::Frame,
    record::{LocalShape, PolygonSize, ShapeClass, above},
};
use crate::{
    base::{F32_SLACK, pod},
    posed::record::VERTICES,
    shape::{MAX_COORDINATE, Pose, RoundedBox},
    simd::{Scalar, Simd, map_each},
};

/// A placed shape as words, for transposition into columns.
pub(crate) type Words = [u32; 8];

/// One placed shape. The meaning of its words depends on its class:
///
/// ```text
///                   0, 1         2, 3           4, 5                   6        7
/// Round, AlignedBox    lower left   upper right    0, 0                   radius   class
/// Turned            centre       cos, sin       half extents           radius   class
/// Line, Chain…      first end    second end     direction              radius   class
/// polygons          centre       cos, sin       first block, size      radius   class
/// HalfPlane         normal       0, border      0, 0                   0        class
/// Compound          position     cos, sin       first part, parts      0        class
/// ```
///
/// Axis-aligned shapes keep their exact sides, and segments without a pose their exact ends, so
/// that decisions use the numbers that the caller gave. Numbers of shapes with a pose are rounded:
/// kernels and boxes allow for it, and exact arithmetic starts from the pose
/// ([`OwnShape`](super::OwnShape)). The border of a half-plane is how far its bounding box reaches
/// along its normal. Blocks, parts and counts are the bits of an integer, and so is the
/// [size](PolygonSize) of a polygon.
///
/// The alignment keeps a record within one cache line.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[repr(C, align(32))]
pub(crate) struct Placed {
    corner: [f32; 2],
    axis: [f32; 2],
    half: [f32; 2],
    radius: f32,
    class: u32,
}

pod!(Placed { corner, axis, half, radius, class });

impl Placed {
    /// A point at the origin.
    pub(crate) const NONE: Self =
        Self { corner: [0.0; 2], axis: [0.0; 2], half: [0.0; 2], radius: 0.0, class: 0 };

    /// An axis-aligned shape.
    #[inline(always)]
    pub(crate) fn aligned(class: ShapeClass, sides: RoundedBox) -> Self {
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = sides;
        let (corner, axis) = ([min_x, min_y], [max_x, max_y]);
        Self { corner, axis, half: [0.0; 2], radius, class: class.word() }
    }

    /// An axis-aligned shape of the same class.
    #[inline(always)]
    pub(crate) fn with_sides(&self, sides: RoundedBox) -> Self {
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = sides;
        Self { corner: [min_x, min_y], axis: [max_x, max_y], radius, ..*self }
    }

    /// A rotated box, a polygon or a compound.
    pub(crate) fn rotated(class: ShapeClass, record: &LocalShape) -> Self {
        let LocalShape { x, y, cos, sin, half_x, half_y, radius, .. } = *record;
        let (corner, axis, half) = ([x, y], [cos, sin], [half_x, half_y]);
        Self { corner, axis, half, radius, class: class.word() }
    }

    /// A segment or capsule, of this class.
    pub(crate) fn line(class: ShapeClass, record: &LocalShape) -> Self {
        let LocalShape { x, y, cos, sin, half_x, half_y, radius, .. } = *record;
        let (corner, axis, half) = ([x, y], [half_x, half_y], [cos, sin]);
        Self { corner, axis, half, radius, class: class.word() }
    }

    /// A half-plane at a pose. Its box is cut off at the border if the normal is along an axis.
    pub(crate) fn half_plane(record: &LocalShape, pose: Pose) -> Self {
        let LocalShape { cos, sin, half_x: offset, .. } = *record;
        let (normal, offset) = Frame::of(pose).border([cos, sin], offset);
        let along = normal.contains(&0.0) && map_each(normal, f64::abs).contains(&1.0);
        let border = if along { above(offset) } else { MAX_COORDINATE };
        let (corner, class) = (map_each(normal, |part| part as f32), ShapeClass::HalfPlane.word());
        Self { corner, axis: [0.0, border], class, ..Self::NONE }
    }

    /// The frame of a rotated box that is a row, or of a compound.
    pub(crate) fn own_frame(&self) -> Frame {
        Frame::new(self.corner, self.axis)
    }

    /// The class of the shape.
    #[inline(always)]
    pub(crate) fn class(&self) -> ShapeClass {
        ShapeClass::of_number(self.class_number())
    }

    /// The number of its class.
    #[inline(always)]
    pub(crate) fn class_number(&self) -> usize {
        ShapeClass::number(self.class)
    }

    /// Whether the shape is of `class`.
    #[inline(always)]
    pub(crate) fn is(&self, class: ShapeClass) -> bool {
        self.class == class.word()
    }

    /// The ends of a segment or capsule.
    #[inline(always)]
    pub(crate) fn ends(&self) -> [[f32; 2]; 2] {
        [self.corner, self.axis]
    }

    /// The centre of a rotated box or a polygon, its rotation as (cos, sin), and half of the box's
    /// width and height.
    #[inline(always)]
    pub(crate) fn frame(&self) -> [[f32; 2]; 3] {
        [self.corner, self.axis, self.half]
    }

    /// The bounding box: the shape itself if it is axis-aligned. `blocks` are the blocks of a
    /// polygon. The shape must not be a compound.
    pub(crate) fn bounds(&self, blocks: &[VertexBlock]) -> RoundedBox {
        let ([first, second, third], radius) = (self.frame(), self.radius);
        let class = self.class();
        let [min_x, min_y, max_x, max_y] = match class {
            ShapeClass::Rotated => around_turned(Scalar, first, second, third, radius),
            ShapeClass::Line | ShapeClass::ChainSegment => {
                around_line(Scalar, first, second, radius)
            }
            ShapeClass::HalfPlane => return around_half_plane(first, second[1]),
            _ if class.is_polygon() => {
                let corners = VertexBlock::corners(blocks);
                around(Scalar, first, extent(Scalar, first), corners, radius)
            }
            _ => return self.sides(),
        };
        RoundedBox { min_x, min_y, max_x, max_y, radius }
    }

    /// The radius around its core.
    #[inline(always)]
    pub(crate) fn radius(&self) -> f32 {
        self.radius
    }

    /// The exact sides of an axis-aligned shape.
    #[inline(always)]
    pub(crate) fn sides(&self) -> RoundedBox {
        let ([min_x, min_y], [max_x, max_y]) = (self.corner, self.axis);
        RoundedBox { min_x, min_y, max_x, max_y, radius: self.radius }
    }

    /// The number of the first part of a compound, and how many parts it has.
    #[inline(always)]
    pub(crate) fn parts(&self) -> (usize, usize) {
        let [first, count] = map_each(self.half, |value| value.to_bits() as usize);
        (first, count)
    }

    /// The number of vertices of a polygon, and their reach.
    #[inline(always)]
    pub(crate) fn size(&self) -> PolygonSize {
        PolygonSize::of_word(self.half[1])
    }

    /// The range of the polygon's blocks among the blocks of all polygons.
    #[inline(always)]
    pub(crate) fn block_range(&self) -> Range<usize> {
        let first = self.half[0].to_bits() as usize;
        first..first + self.size().blocks()
    }

    /// The polygon's own slice of `all`, which has one item for each block of all polygons.
    #[inline(always)]
    pub(crate) fn blocks<'a, T>(&self, all: &'a [T]) -> &'a [T] {
        &all[self.block_range()]
    }

    /// A polygon with these blocks as a list of numbers: the number of vertices, the radius, then x
    /// and y of each vertex, relative to the centre, then x and y of the normal of each side.
    pub(crate) fn outline<'a>(
        &self,
        blocks: &'a [VertexBlock],
    ) -> impl Iterator<Item = f32> + use<'a> {
        let (vertices, radius) = (self.size().vertices(), self.radius);
        (0..2 + 4 * vertices).map(move |number| {
            let Some(at) = number.checked_sub(2) else {
                return [vertices as f32, radius][number];
            };
            let vertex = at / 2 % vertices;
            let block = &blocks[vertex / VERTICES];
            let columns = [&block.x, &block.y, &block.normal_x, &block.normal_y];
            columns[at / (2 * vertices) * 2 + at % 2][vertex % VERTICES]
        })
    }

    /// The shape as words.
    #[inline(always)]
    pub(crate) fn words(&self) -> &Words {
        bytemuck::cast_ref(self)
    }
}

/// The bounding box of a half-plane: the range of coordinates, cut off at the border.
fn around_half_plane([x, y]: [f32; 2], border: f32) -> RoundedBox {
    let most = MAX_COORDINATE;
    let border = border.clamp(-most, most);
    let [min_x, min_y] =
        map_each(
            [[-1.0, 0.0], [0.0, -1.0]],
            |normal| if [x, y] == normal { -border } else { -most },
        );
    let [max_x, max_y] =
        map_each([[1.0, 0.0], [0.0, 1.0]], |normal| if [x, y] == normal { border } else { most });
    RoundedBox { min_x, min_y, max_x, max_y, radius: 0.0 }
}

/// The lower left and the upper right corner of a box, relative to the centre of a shape.
pub(super) type LocalCorners<S> = [[<S as Simd>::F32; 2]; 2];

/// Returns the bounding box of a placed core: left, lower, right, upper side.
///
/// `place` is the sum of the coordinates of the centre along both axes, in magnitude. The box is
/// enlarged by a slack, so that no rounding makes it smaller than the exact shape with its radius.
/// It is clamped to the range of coordinates, in which the shape itself lies.
#[inline(always)]
pub(super) fn around<S: Simd>(
    simd: S,
    [x, y]: [S::F32; 2],
    place: S::F32,
    [min, max]: LocalCorners<S>,
    radius: S::F32,
) -> [S::F32; 4] {
    let [width, height] = [simd.sub(max[0], min[0]), simd.sub(max[1], min[1])];
    let size = simd.add(simd.add(width, height), radius);
    let size_slack = simd.mul(size, simd.splat(F32_SLACK as f32));
    // Two roundings: of the placed centre, and of a side.
    let slack = simd.add(size_slack, simd.mul(place, simd.splat(f32::EPSILON)));
    let limit = simd.splat(MAX_COORDINATE);
    [
        simd.max(simd.add(x, simd.sub(min[0], slack)), simd.neg(limit)),
        simd.max(simd.add(y, simd.sub(min[1], slack)), simd.neg(limit)),
        simd.min(simd.add(x, simd.add(max[0], slack)), limit),
        simd.min(simd.add(y, simd.add(max[1], slack)), limit),
    ]
}

/// Returns the bounding box of a segment or capsule with these ends, as [`around`] does.
#[inline(always)]
pub(crate) fn around_line<S: Simd>(
    simd: S,
    [ax, ay]: [S::F32; 2],
    [bx, by]: [S::F32; 2],
    radius: S::F32,
) -> [S::F32; 4] {
    let zero = simd.splat(0.0);
    let min = [simd.min(ax, bx), simd.min(ay, by)];
    let max = [simd.max(ax, bx), simd.max(ay, by)];
    // The coordinates of the end that is further out, along each axis.
    let [x, y] = [simd.max(simd.neg(min[0]), max[0]), simd.max(simd.neg(min[1]), max[1])];
    around(simd, [zero, zero], simd.add(x, y), [min, max], radius)
}

/// Returns the bounding box of a rotated box with these half extents, as [`around`] does.
#[inline(always)]
pub(crate) fn around_turned<S: Simd>(
    simd: S,
    center: [S::F32; 2],
    [cos, sin]: [S::F32; 2],
    [half_x, half_y]: [S::F32; 2],
    radius: S::F32,
) -> [S::F32; 4] {
    let (cos, sin) = (simd.abs(cos), simd.abs(sin));
    let width = simd.add(simd.mul(cos, half_x), simd.mul(sin, half_y));
    let height = simd.add(simd.mul(sin, half_x), simd.mul(cos, half_y));
    let corners = [[simd.neg(width), simd.neg(height)], [width, height]];
    around(simd, center, extent(simd, center), corners, radius)
}

/// The sum of both coordinates in magnitude.
#[inline(always)]
pub(super) fn extent<S: Simd>(simd: S, [x, y]: [S::F32; 2]) -> S::F32 {
    simd.add(simd.abs(x), simd.abs(y))
}
