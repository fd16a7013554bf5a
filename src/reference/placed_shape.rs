//! A single shape in the form that the kernels take: centre, axis, corners and bounding box. Each
//! placed shape is derived from the public shape and rounded where the engine rounds.

use super::contract::overlap;
use crate::{
    shape::{
        AnyShape, AxisAligned, Circle, MAX_COORDINATE, Part, Pose, Rotation, RoundedBox, Segment,
        Shape, Touching,
    },
    simd::map_each,
};

/// A point or a vector of the plane.
pub type PlaneVector = [f32; 2];

/// The class of a shape, which selects the kernel. If two shapes have different classes, the shape
/// of the later class is the kernel's first argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// A point or a circle.
    Round,
    /// An axis-aligned box, with a radius or without.
    AlignedBox,
    /// A rotated box.
    Rotated,
    /// A segment or a capsule: a box of no height.
    Line,
    /// A segment of a chain, which takes the kernels of segments.
    ChainSegment,
    /// A polygon of 3 or 4 vertices.
    Polygon4,
    /// A polygon of 5 to 8 vertices.
    Polygon8,
    /// A polygon of more than 8 vertices.
    PolygonMany,
}

/// A placed shape: a core and a radius around it.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacedShape {
    /// The class, which selects the kernel.
    pub class: Class,
    /// The centre. For a polygon, the middle of the box around its own coordinates, placed by the
    /// pose.
    pub center: PlaneVector,
    /// The direction of a box's width, of length 1.
    pub axis: PlaneVector,
    /// Half of a box's width and height; 0 for other shapes.
    pub half: PlaneVector,
    /// The radius around the core.
    pub radius: f32,
    /// The vertices of a polygon, rotated, relative to its centre; empty for other shapes.
    pub vertices: Vec<PlaneVector>,
    /// The outward normal of the side that begins at each vertex.
    pub normals: Vec<PlaneVector>,
    /// The exact corners of the core, counter-clockwise: as given, or placed by the pose in `f64`.
    /// A segment has two corners, a point one corner. The centre of a point or circle that is a
    /// part of a compound is rounded to `f32` first.
    pub corners: Vec<[f64; 2]>,
    /// The bounding box: the shape itself if it is axis-aligned, otherwise slightly larger than the
    /// shape.
    pub bounds: RoundedBox,
}

impl PlacedShape {
    /// The shape at its own coordinates, or at `pose`, as [`Shapes::push`](crate::Shapes::push) and
    /// [`Shapes::push_at`](crate::Shapes::push_at) take it. `None` for a compound, which has
    /// [`parts`](Self::parts) instead, and for a [`half_plane`](super::half_plane).
    ///
    /// Values are not checked. For values that a store refuses, the result is unspecified. Never
    /// panics.
    #[inline]
    pub fn new<T: Shape + ?Sized>(shape: &T, pose: Option<Pose>) -> Option<Self> {
        Some(match shape.any() {
            AnyShape::Point(point) => Self::aligned(Class::Round, point.rounded_box(), pose),
            AnyShape::Circle(circle) => Self::aligned(Class::Round, circle.rounded_box(), pose),
            AnyShape::Aabb(aabb) => Self::aligned(Class::AlignedBox, aabb.rounded_box(), pose),
            AnyShape::RoundedBox(rounded) => Self::aligned(Class::AlignedBox, rounded, pose),
            AnyShape::Obb(obb) => {
                let own = Pose::new(obb.center(), obb.rotation());
                Self::turned(obb.half_extents().to_array(), 0.0, pose.unwrap_or(own))
            }
            AnyShape::Segment(segment) => Self::line(segment, 0.0, pose),
            AnyShape::Capsule(capsule) => Self::line(capsule.core(), capsule.radius, pose),
            AnyShape::Polygon(polygon) => {
                let vertices: Vec<PlaneVector> =
                    polygon.vertices().iter().map(|vertex| vertex.to_array()).collect();
                Self::polygon(&vertices, polygon.radius(), pose.unwrap_or_default())
            }
            AnyShape::ChainSegment(segment) => {
                let line = Self::line(segment.segment(), 0.0, pose);
                Self { class: Class::ChainSegment, ..line }
            }
            AnyShape::HalfPlane(_) | AnyShape::Compound(_) => return None,
        })
    }

    /// The parts of a compound at its own coordinates, or at `pose`, in their order. Any other
    /// shape is its only part.
    ///
    /// Values are not checked, as for [`new`](Self::new). Never panics.
    #[inline]
    pub fn parts<T: Shape + ?Sized>(shape: &T, pose: Option<Pose>) -> Vec<Self> {
        match shape.any() {
            AnyShape::Compound(compound) => {
                let pose = pose.unwrap_or_default();
                compound.parts().iter().filter_map(|part| Self::part(part, pose)).collect()
            }
            _ => Self::new(shape, pose).into_iter().collect(),
        }
    }

    /// A part of a compound at `pose`. Its centre, or its ends, are placed in `f64` and rounded
    /// once. The direction of its width is rotated, each operation rounded. An axis-aligned box
    /// rotates like any other part.
    #[inline]
    fn part(part: &Part, pose: Pose) -> Option<Self> {
        if matches!(part, Part::Polygon(_)) {
            return Self::new(part, Some(pose));
        }
        let own = Self::new(part, None)?;
        let (rotation, place) = (unit(pose.rotation()), |corner| exactly_placed(corner, pose));
        let axis = rotation.apply(own.axis);
        Some(match own.class {
            Class::Round => Self::new(part, Some(Pose::at(narrow(place(own.corners[0])))))?,
            Class::Line => {
                let ends = [own.corners[0], own.corners[1]].map(place);
                Self {
                    corners: ends.to_vec(),
                    ..Self::between(narrow(ends[0]), narrow(ends[1]), axis, own.radius)
                }
            }
            Class::AlignedBox => {
                let (min, max) = (own.corners[0], own.corners[2]);
                let center = map_each([0, 1], |axis: usize| (min[axis] + max[axis]) * 0.5);
                let placed = Self::along(axis, own.half, own.radius, narrow(place(center)));
                Self { corners: own.corners.into_iter().map(place).collect(), ..placed }
            }
            _ => {
                let center = narrow(place(wide(own.center)));
                let corners = turned_corners(&own, pose);
                Self { corners, ..Self::along(axis, own.half, own.radius, center) }
            }
        })
    }

    /// An axis-aligned shape. It keeps its exact sides unless a pose moves its centre. Centre and
    /// half extents are computed from the sides.
    #[inline]
    fn aligned(class: Class, own: RoundedBox, pose: Option<Pose>) -> Self {
        let half_of = |sides: RoundedBox| {
            [(sides.max_x - sides.min_x) * 0.5, (sides.max_y - sides.min_y) * 0.5]
        };
        let bounds = match pose {
            None => own,
            Some(Pose { x, y, .. }) => {
                let [half_x, half_y] = half_of(own);
                let (min_x, min_y) = (x - half_x, y - half_y);
                let (max_x, max_y) = (x + half_x, y + half_y);
                RoundedBox { min_x, min_y, max_x, max_y, radius: own.radius }
            }
        };
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = bounds;
        let (center, half) = ([(min_x + max_x) * 0.5, (min_y + max_y) * 0.5], half_of(bounds));
        let (vertices, normals) = (Vec::new(), Vec::new());
        let corners = match class {
            Class::Round => vec![[min_x, min_y]],
            _ => vec![[min_x, min_y], [max_x, min_y], [max_x, max_y], [min_x, max_y]],
        };
        let corners = corners.into_iter().map(wide).collect();
        let axis = [1.0, 0.0];
        Self { class, center, axis, half, radius, vertices, normals, corners, bounds }
    }

    #[inline]
    fn turned(half: PlaneVector, radius: f32, pose: Pose) -> Self {
        let Rotation { cos, sin } = unit(pose.rotation());
        Self::along([cos, sin], half, radius, [pose.x, pose.y])
    }

    /// A box whose width has the direction `axis`.
    #[inline]
    fn along([cos, sin]: PlaneVector, half: PlaneVector, radius: f32, center: PlaneVector) -> Self {
        let width = cos.abs() * half[0] + sin.abs() * half[1];
        let height = sin.abs() * half[0] + cos.abs() * half[1];
        let bounds = around(center, center, [-width, -height], [width, height], radius);
        let (vertices, normals) = (Vec::new(), Vec::new());
        let axis = [cos, sin];
        let [x, y] = wide(half);
        let corners = [[-x, -y], [x, -y], [x, y], [-x, y]];
        let place = Pose { x: center[0], y: center[1], cos, sin };
        let corners = corners.map(|corner| exactly_placed(corner, place)).to_vec();
        let class = Class::Rotated;
        Self { class, center, axis, half, radius, vertices, normals, corners, bounds }
    }

    /// A segment with these ends and this direction. Middle and half length are computed from the
    /// ends.
    #[inline]
    fn between(a: PlaneVector, b: PlaneVector, axis: PlaneVector, radius: f32) -> Self {
        let center = [(a[0] + b[0]) * 0.5, (a[1] + b[1]) * 0.5];
        let half = [((b[0] - a[0]) * axis[0] + (b[1] - a[1]) * axis[1]) * 0.5, 0.0];
        let (min, max) = ([a[0].min(b[0]), a[1].min(b[1])], [a[0].max(b[0]), a[1].max(b[1])]);
        let far = [max[0].max(-min[0]), max[1].max(-min[1])];
        let bounds = around([0.0, 0.0], far, min, max, radius);
        let (vertices, normals, corners) = (Vec::new(), Vec::new(), vec![wide(a), wide(b)]);
        let class = Class::Line;
        Self { class, center, axis, half, radius, vertices, normals, corners, bounds }
    }

    /// A segment or capsule. Direction and half length are computed in `f64` and rounded once. If
    /// the length is 0, it is a point or a circle.
    #[inline]
    fn line(core: Segment, radius: f32, pose: Option<Pose>) -> Self {
        if core.a() == core.b() {
            let circle = Circle { x: core.ax, y: core.ay, radius };
            return Self::aligned(Class::Round, circle.rounded_box(), pose);
        }
        let ends = map_each([core.a(), core.b()], |end| end.to_array());
        let [[ax, ay], [bx, by]] = ends.map(wide);
        let (x, y) = (bx - ax, by - ay);
        let length = (x * x + y * y).sqrt();
        let axis = [(x / length) as f32, (y / length) as f32];
        let Some(pose) = pose else {
            return Self::between(ends[0], ends[1], axis, radius);
        };
        let (half, rotation) = ((length * 0.5) as f32, unit(pose.rotation()));
        let [a, b] = map_each([[-half, 0.0], [half, 0.0]], |end| moved(end, rotation, pose));
        let half = f64::from(half);
        let corners = map_each([-half, half], |end| exactly_placed([end, 0.0], pose)).to_vec();
        Self { corners, ..Self::between(a, b, [rotation.cos, rotation.sin], radius) }
    }

    /// A polygon. Normals, and vertices relative to the centre, are computed in `f64` and rounded
    /// once. Then they are rotated, each operation rounded.
    #[inline]
    fn polygon(own: &[PlaneVector], radius: f32, pose: Pose) -> Self {
        let rotation = unit(pose.rotation());
        let fold = |by: fn(f32, f32) -> f32| {
            own.iter().copied().reduce(|a, b| [by(a[0], b[0]), by(a[1], b[1])]).unwrap_or_default()
        };
        let (min, max) = (fold(f32::min), fold(f32::max));
        let middle = [(min[0] + max[0]) * 0.5, (min[1] + max[1]) * 0.5];
        let way = |from: PlaneVector, to: PlaneVector| {
            map_each([0, 1], |axis: usize| f64::from(to[axis]) - f64::from(from[axis]))
        };
        let mut vertices = Vec::new();
        let mut normals = Vec::new();
        for (i, &vertex) in own.iter().enumerate() {
            // Uses the given vertices: relative to the middle, two neighbours may be the same
            // point.
            let [x, y] = way(vertex, own[(i + 1) % own.len()]);
            let length = (x * x + y * y).sqrt();
            vertices.push(rotation.apply(way(middle, vertex).map(|value| value as f32)));
            normals.push(rotation.apply([(y / length) as f32, (-x / length) as f32]));
        }
        let fold = |by: fn(f32, f32) -> f32| {
            let all = vertices.iter().copied();
            all.reduce(|a, b| [by(a[0], b[0]), by(a[1], b[1])]).unwrap_or_default()
        };
        let (min, max) = (fold(f32::min), fold(f32::max));
        let center = narrow(exactly_placed(wide(middle), pose));
        let corners = own.iter().map(|&vertex| exactly_placed(wide(vertex), pose)).collect();
        let class = match own.len() {
            ..=4 => Class::Polygon4,
            5..=8 => Class::Polygon8,
            _ => Class::PolygonMany,
        };
        let bounds = around(center, center, min, max, radius);
        let (axis, half) = ([1.0, 0.0], [0.0, 0.0]);
        Self { class, center, axis, half, radius, vertices, normals, corners, bounds }
    }

    /// Whether the bounding boxes of two shapes touch, each enlarged by half of `margin`.
    ///
    /// ```
    /// use widephase::reference::placed_shape::PlacedShape;
    /// use widephase::{Touching, shape::{Obb, Rotation}};
    ///
    /// let quarter = Rotation { cos: 0.0, sin: 1.0 };
    /// let body = PlacedShape::new(&Obb::new([5.0, 0.0], [2.0, 1.0], quarter), None).unwrap();
    /// let other = Obb::new([8.0, 0.0], [1.0, 1.0], Rotation::IDENTITY);
    /// let other = PlacedShape::new(&other, None).unwrap();
    /// assert!(!body.boxes_touch(&other, 0.5, Touching::Inclusive)); // 1 apart
    /// assert!(body.boxes_touch(&other, 1.5, Touching::Inclusive));
    /// ```
    #[inline]
    pub fn boxes_touch(&self, other: &Self, margin: f32, touching: Touching) -> bool {
        boxes_touch([self.bounds, other.bounds], margin, touching)
    }
}

/// Whether two boxes touch, each enlarged by half of `margin`.
#[inline]
fn boxes_touch(boxes: [RoundedBox; 2], margin: f32, touching: Touching) -> bool {
    let [a, b] = boxes.map(|bounds| RoundedBox {
        radius: if margin > 0.0 {
            (bounds.radius + margin * 0.5).min(MAX_COORDINATE)
        } else {
            bounds.radius
        },
        ..bounds
    });
    overlap(a, b, touching)
}

/// Places a point of a body at `pose`, where `rotation` is the pose's rotation with length 1.
#[inline]
fn moved(point: PlaneVector, rotation: Rotation, pose: Pose) -> PlaneVector {
    let [x, y] = rotation.apply(point);
    [pose.x + x, pose.y + y]
}

/// Places a point of a body at `pose` in `f64`. The rounding error of the rotated coordinate is
/// added at last, so that little is left where it and the position cancel.
#[inline]
pub(super) fn exactly_placed([x, y]: [f64; 2], pose: Pose) -> [f64; 2] {
    let Rotation { cos, sin } = unit(pose.rotation());
    let ([cos, sin], place) = (wide([cos, sin]), wide([pose.x, pose.y]));
    let placed = |place: f64, [a, b]: [f64; 2]| {
        let [rotated, error] = two_sum(a, b);
        (place + rotated) + error
    };
    [placed(place[0], [cos * x, -(sin * y)]), placed(place[1], [sin * x, cos * y])]
}

/// The corners of a rotated box at `pose`: the `f32` nearest to each corner is placed as corners of
/// other shapes are, and the difference is rotated and added.
#[inline]
fn turned_corners(own: &PlacedShape, pose: Pose) -> Vec<[f64; 2]> {
    let ([x, y], axis) = (wide(own.half), wide(own.axis));
    let turn = |[cos, sin]: [f64; 2], [x, y]: [f64; 2]| [cos * x - sin * y, sin * x + cos * y];
    let Rotation { cos, sin } = unit(pose.rotation());
    let corner = |diagonal: [f64; 2]| {
        let (diagonal, center) = (turn(axis, diagonal), wide(own.center));
        let sums = map_each([0, 1], |axis: usize| two_sum(center[axis], diagonal[axis]));
        let near = wide(map_each(sums, |[sum, _]| sum as f32));
        let rest = map_each([0, 1], |axis: usize| (sums[axis][0] - near[axis]) + sums[axis][1]);
        let ([left, lower], [x, y]) = (exactly_placed(near, pose), turn(wide([cos, sin]), rest));
        [left + x, lower + y]
    };
    [[-x, -y], [x, -y], [x, y], [-x, y]].map(corner).to_vec()
}

/// The sum of two numbers, and its rounding error (Knuth).
#[inline]
fn two_sum(a: f64, b: f64) -> [f64; 2] {
    let sum = a + b;
    let of_b = sum - a;
    [sum, (a - (sum - of_b)) + (b - of_b)]
}

#[inline]
fn narrow(point: [f64; 2]) -> PlaneVector {
    point.map(|value| value as f32)
}

#[inline]
fn wide(point: PlaneVector) -> [f64; 2] {
    point.map(f64::from)
}

/// The rotation, brought to length 1 as on entry to a store.
#[inline]
fn unit(rotation: Rotation) -> Rotation {
    rotation.checked(0).unwrap_or(rotation)
}

/// The box with these corners, relative to `center`, enlarged by 16 roundings of its size and 2 of
/// its position, which is `place`.
#[inline]
fn around(
    center: PlaneVector,
    place: PlaneVector,
    min: PlaneVector,
    max: PlaneVector,
    radius: f32,
) -> RoundedBox {
    let size = (max[0] - min[0]) + (max[1] - min[1]) + radius;
    let place = place[0].abs() + place[1].abs();
    let slack = size * (1.0 / (1 << 20) as f32) + place * (1.0 / (1 << 23) as f32);
    let within = |value: f32| value.clamp(-MAX_COORDINATE, MAX_COORDINATE);
    RoundedBox {
        min_x: within(center[0] + (min[0] - slack)),
        min_y: within(center[1] + (min[1] - slack)),
        max_x: within(center[0] + (max[0] + slack)),
        max_y: within(center[1] + (max[1] + slack)),
        radius,
    }
}
