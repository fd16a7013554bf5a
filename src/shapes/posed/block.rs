//! The vertices of polygons, as kernels load them.

use super::record::{PolygonSize, VERTICES, above, length};
use crate::{
    base::{higher, lower, pod},
    shape::{ConvexPolygon, Rotation},
    simd::map_each,
};

/// Four vertices of a polygon, relative to its centre, and for each vertex the outward normal of
/// the side that starts there. Slots after the last vertex repeat the first vertex, which changes
/// no result.
///
/// The alignment puts a block into one cache line. (Blocks of eight vertices took two, even for
/// triangles.)
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct VertexBlock {
    pub(crate) x: [f32; VERTICES],
    pub(crate) y: [f32; VERTICES],
    pub(crate) normal_x: [f32; VERTICES],
    pub(crate) normal_y: [f32; VERTICES],
}

pod!(VertexBlock { x, y, normal_x, normal_y });

/// The vertices of a block in the polygon's own frame, as given.
pub(crate) type OwnVertices = [[f32; 2]; VERTICES];

impl VertexBlock {
    /// Returns the block rotated about the centre.
    #[inline]
    pub(crate) fn rotated(&self, rotation: Rotation) -> Self {
        let Rotation { cos, sin } = rotation;
        let mut rotated = Self::default();
        for vertex in 0..VERTICES {
            let (x, y) = (self.x[vertex], self.y[vertex]);
            rotated.x[vertex] = cos * x - sin * y;
            rotated.y[vertex] = sin * x + cos * y;
            let (x, y) = (self.normal_x[vertex], self.normal_y[vertex]);
            rotated.normal_x[vertex] = cos * x - sin * y;
            rotated.normal_y[vertex] = sin * x + cos * y;
        }
        rotated
    }

    /// A block that repeats the first vertex of this block.
    #[inline(always)]
    pub(crate) fn first_vertex(&self) -> Self {
        Self {
            x: [self.x[0]; VERTICES],
            y: [self.y[0]; VERTICES],
            normal_x: [self.normal_x[0]; VERTICES],
            normal_y: [self.normal_y[0]; VERTICES],
        }
    }

    /// The four columns as words.
    #[inline(always)]
    pub(crate) fn words(&self) -> &[[u32; VERTICES]; 4] {
        bytemuck::cast_ref(self)
    }

    /// The smallest and the largest coordinates of the vertices: the lower left and the upper right
    /// corner of the polygon's bounding box.
    #[inline]
    pub(crate) fn corners(blocks: &[Self]) -> [[f32; 2]; 2] {
        let (mut min, mut max) = ([[f32::MAX; VERTICES]; 2], [[f32::MIN; VERTICES]; 2]);
        for block in blocks {
            for (axis, values) in [&block.x, &block.y].into_iter().enumerate() {
                for (vertex, &value) in values.iter().enumerate() {
                    min[axis][vertex] = lower(value, min[axis][vertex]);
                    max[axis][vertex] = higher(value, max[axis][vertex]);
                }
            }
        }
        [
            map_each(min, |[a, b, c, d]| lower(lower(a, b), lower(c, d))),
            map_each(max, |[a, b, c, d]| higher(higher(a, b), higher(c, d))),
        ]
    }
}

/// The centre of a polygon: the middle of the bounding box of its vertices. There must be at least
/// one vertex.
pub(super) fn center(vertices: impl Iterator<Item = [f32; 2]>) -> [f32; 2] {
    let (mut min, mut max) = ([f32::MAX; 2], [f32::MIN; 2]);
    for vertex in vertices {
        for axis in 0..2 {
            min[axis] = lower(vertex[axis], min[axis]);
            max[axis] = higher(vertex[axis], max[axis]);
        }
    }
    // Both values are at most 2^60, so the sum cannot overflow.
    map_each([0, 1], |axis| (min[axis] + max[axis]) * 0.5)
}

/// Appends the blocks of `polygon`, relative to `center`, and its own vertices. Returns the number
/// of vertices and their reach.
pub(crate) fn append(
    polygon: &ConvexPolygon,
    center: [f32; 2],
    blocks: &mut Vec<VertexBlock>,
    own: &mut Vec<OwnVertices>,
) -> PolygonSize {
    let vertices = polygon.vertices();
    let mut reach = 0.0_f64;
    let way = |from: [f32; 2], to: [f32; 2]| {
        map_each([0, 1], |axis: usize| f64::from(to[axis]) - f64::from(from[axis]))
    };
    for first in (0..vertices.len()).step_by(VERTICES) {
        let mut block = VertexBlock::default();
        let mut own_vertices = OwnVertices::default();
        for (slot, own_vertex) in own_vertices.iter_mut().enumerate() {
            let vertex = if first + slot < vertices.len() { first + slot } else { 0 };
            let next = (vertex + 1) % vertices.len();
            let (start, end) = (vertices[vertex].to_array(), vertices[next].to_array());
            // Two neighbouring vertices are never equal, and the polygon lies to the left of its
            // sides. Relative to the centre, they may be equal, if a side is shorter than the
            // rounding of its position. So the normal is computed from the polygon's own vertices.
            let along = way(start, end);
            let length = length(along);
            let [x, y] = way(center, start);
            reach = reach.max(self::length([x, y]));
            *own_vertex = start;
            block.x[slot] = x as f32;
            block.y[slot] = y as f32;
            block.normal_x[slot] = (along[1] / length) as f32;
            block.normal_y[slot] = (-along[0] / length) as f32;
        }
        blocks.push(block);
        own.push(own_vertices);
    }
    PolygonSize::new(vertices.len(), above(reach))
}
