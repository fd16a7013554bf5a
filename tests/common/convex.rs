//! Shapes in `f64`, made from the same `f32` values, and their distances. The implementation is
//! independent of the library's, so that it can check it.

use widephase::{
    Feature,
    shape::{AnyShape, OwnedShape, Pose, Rotation, Shape},
};

use super::crowd::PosedShape;

pub type PlaneVector = [f64; 2];

pub fn plus([ax, ay]: PlaneVector, [bx, by]: PlaneVector) -> PlaneVector {
    [ax + bx, ay + by]
}

pub fn minus([ax, ay]: PlaneVector, [bx, by]: PlaneVector) -> PlaneVector {
    [ax - bx, ay - by]
}

pub fn times([x, y]: PlaneVector, factor: f64) -> PlaneVector {
    [x * factor, y * factor]
}

pub fn dot([ax, ay]: PlaneVector, [bx, by]: PlaneVector) -> f64 {
    ax * bx + ay * by
}

pub fn length(v: PlaneVector) -> f64 {
    v[0].hypot(v[1])
}

/// The corners of a core, counter-clockwise (one, two or more of them), and the radius around it.
#[derive(Debug, Clone)]
pub struct Convex {
    pub corners: Vec<PlaneVector>,
    pub radius: f64,
    /// The vertices in the numbering of features: a box has four, even if some of them coincide.
    pub vertices: Vec<PlaneVector>,
    /// The largest coordinate from which the corners are computed, of the pose and in the own
    /// frame. The corners have its roundings, however near they are to the origin.
    made_from: f64,
}

/// The largest coordinate in magnitude.
fn largest(points: &[PlaneVector]) -> f64 {
    points.iter().flatten().map(|v| v.abs()).fold(0.0, f64::max)
}

fn wide(v: [f32; 2]) -> PlaneVector {
    v.map(f64::from)
}

/// The rotation with length 1, as it is normalised on entry.
fn unit(Rotation { cos, sin }: Rotation) -> PlaneVector {
    let (cos, sin) = (f64::from(cos), f64::from(sin));
    let length = cos.hypot(sin);
    [cos / length, sin / length]
}

fn turned([x, y]: PlaneVector, [cos, sin]: PlaneVector) -> PlaneVector {
    [cos * x - sin * y, sin * x + cos * y]
}

impl Convex {
    /// A single shape at its own place, or at a pose.
    pub fn new(shape: AnyShape<'_>, pose: Option<Pose>) -> Self {
        let placed = |own: Pose| pose.unwrap_or(own);
        let rect = |[w, h]: PlaneVector| vec![[-w, -h], [w, -h], [w, h], [-w, h]];
        let aligned = |min: [f32; 2], max: [f32; 2]| {
            let (min, max) = (wide(min), wide(max));
            let center = times(plus(min, max), 0.5);
            let half = times(minus(max, min), 0.5);
            let at = pose.map_or(center, |pose| wide([pose.x, pose.y]));
            rect(half).into_iter().map(|corner| plus(corner, at)).collect()
        };
        // From the first end to the second, and back.
        let line = |a: [f32; 2], b: [f32; 2]| {
            let (a, b) = (wide(a), wide(b));
            let Some(pose) = pose else { return vec![a, b, b, a] };
            let half = length(minus(b, a)) * 0.5;
            let way = times(unit(pose.rotation()), half);
            let at = wide([pose.x, pose.y]);
            let [a, b] = [minus(at, way), plus(at, way)];
            vec![a, b, b, a]
        };
        let (vertices, radius): (Vec<PlaneVector>, f32) = match shape {
            AnyShape::Point(point) => {
                let at = placed(Pose::at([point.x, point.y]));
                (vec![wide([at.x, at.y])], 0.0)
            }
            AnyShape::Circle(circle) => {
                let at = placed(Pose::at(circle.center()));
                (vec![wide([at.x, at.y])], circle.radius)
            }
            AnyShape::Aabb(a) => (aligned([a.min_x, a.min_y], [a.max_x, a.max_y]), 0.0),
            AnyShape::RoundedBox(a) => (aligned([a.min_x, a.min_y], [a.max_x, a.max_y]), a.radius),
            AnyShape::Obb(obb) => {
                let at = placed(Pose::new(obb.center(), obb.rotation()));
                let corners = rect(wide([obb.half_width, obb.half_height]));
                (place(&corners, at), 0.0)
            }
            AnyShape::Capsule(c) => (line([c.ax, c.ay], [c.bx, c.by]), c.radius),
            AnyShape::Segment(s) => (line([s.ax, s.ay], [s.bx, s.by]), 0.0),
            AnyShape::Polygon(polygon) => {
                let corners: Vec<_> =
                    polygon.vertices().iter().map(|v| wide(v.to_array())).collect();
                (place(&corners, pose.unwrap_or_default()), polygon.radius())
            }
            _ => unreachable!("a compound is no single shape"),
        };
        let corners = without_repeats(&vertices);
        let own: Vec<_> = match shape {
            AnyShape::Polygon(polygon) => {
                polygon.vertices().iter().map(|v| wide(v.to_array())).collect()
            }
            _ => vec![],
        };
        let at = pose.map_or([0.0; 2], |pose| wide([pose.x, pose.y]));
        let made_from = largest(&own).max(largest(&[at]));
        Self { corners, radius: f64::from(radius), vertices, made_from }
    }

    /// The parts of a shape, or the shape itself if it is a single shape.
    pub fn parts(solid: &PosedShape) -> Vec<Self> {
        match &solid.shape {
            OwnedShape::Single(part) => vec![Self::new(part.any(), solid.pose)],
            OwnedShape::Compound(compound) => {
                let pose = solid.pose.unwrap_or_default();
                let part = |part: &widephase::shape::Part| {
                    let own = Self::new(part.any(), None);
                    let at = largest(&[wide([pose.x, pose.y])]);
                    let made_from = own.made_from.max(largest(&own.corners)).max(at);
                    let vertices = place(&own.vertices, pose);
                    Self { corners: without_repeats(&vertices), vertices, made_from, ..own }
                };
                compound.parts().iter().map(part).collect()
            }
            other => unreachable!("{other:?} is in no crowd"),
        }
    }

    pub fn moved(&self, by: PlaneVector) -> Self {
        let moved = |points: &[PlaneVector]| points.iter().map(|&point| plus(point, by)).collect();
        let (corners, vertices) = (moved(&self.corners), moved(&self.vertices));
        Self { corners, vertices, ..self.clone() }
    }

    /// The position of a vertex, twice, or the two ends of a side.
    pub fn feature(&self, feature: Feature) -> [PlaneVector; 2] {
        let next = feature.index() + usize::from(feature.is_side());
        [feature.index(), next].map(|index| self.vertices[index % self.vertices.len()])
    }

    /// The largest coordinate and the size, to which roundings are relative.
    pub fn reach(&self) -> (f64, f64) {
        let place = largest(&self.corners).max(self.made_from);
        let first = self.corners[0];
        let size = self.corners.iter().map(|&c| length(minus(c, first))).fold(0.0, f64::max);
        (place + self.radius, size + self.radius)
    }

    /// The normals of its sides, outwards and of length 1. A line has two.
    fn normals(&self) -> Vec<PlaneVector> {
        let n = self.corners.len();
        let side = |i: usize| {
            let [x, y] = minus(self.corners[(i + 1) % n], self.corners[i]);
            let length = x.hypot(y);
            (length > 0.0).then(|| [y / length, -x / length])
        };
        (0..n).filter_map(side).collect()
    }

    pub fn sides(&self) -> impl Iterator<Item = [PlaneVector; 2]> + '_ {
        let n = self.corners.len();
        (0..n).map(move |i| [self.corners[i], self.corners[(i + 1) % n]])
    }

    /// The distance of a point from the core; 0 inside.
    pub fn distance_to(&self, point: PlaneVector) -> f64 {
        let corners = vec![point];
        let dot = Self { vertices: corners.clone(), corners, radius: 0.0, made_from: 0.0 };
        cores(self, &dot).max(0.0)
    }
}

/// The points without repetitions of the previous point. The last point precedes the first.
fn without_repeats(points: &[PlaneVector]) -> Vec<PlaneVector> {
    let mut distinct = points.to_vec();
    distinct.dedup();
    while distinct.len() > 1 && distinct.first() == distinct.last() {
        distinct.pop();
    }
    distinct
}

fn place(corners: &[PlaneVector], pose: Pose) -> Vec<PlaneVector> {
    let (at, turn) = (wide([pose.x, pose.y]), unit(pose.rotation()));
    corners.iter().map(|&corner| plus(turned(corner, turn), at)).collect()
}

/// The distance of a point from a line between two other points.
pub fn point_line(point: PlaneVector, [a, b]: [PlaneVector; 2]) -> f64 {
    let along = minus(b, a);
    let length2 = dot(along, along);
    let t = if length2 > 0.0 { dot(minus(point, a), along) / length2 } else { 0.0 };
    length(minus(point, plus(a, times(along, t.clamp(0.0, 1.0)))))
}

/// The distance of the cores. If they overlap, minus the shortest move that separates them.
pub fn cores(a: &Convex, b: &Convex) -> f64 {
    let widest = |normals: Vec<PlaneVector>, own: &Convex, other: &Convex| {
        let beyond = |n: PlaneVector| {
            let near = other.corners.iter().map(|&c| dot(n, c)).fold(f64::INFINITY, f64::min);
            let far = own.corners.iter().map(|&c| dot(n, c)).fold(f64::NEG_INFINITY, f64::max);
            near - far
        };
        normals.into_iter().map(beyond).fold(f64::NEG_INFINITY, f64::max)
    };
    // A line also overlaps along itself, by its whole length: two lines on one line need that
    // direction.
    let ends = |shape: &Convex| match shape.corners[..] {
        [a, b] if a != b => {
            let along = times(minus(b, a), 1.0 / length(minus(b, a)));
            vec![along, times(along, -1.0)]
        }
        _ => vec![],
    };
    let (mut own, mut other) = (a.normals(), b.normals());
    own.extend(ends(a));
    other.extend(ends(b));
    let separation = widest(own, a, b).max(widest(other, b, a));
    if separation <= 0.0 && separation > f64::NEG_INFINITY {
        return separation;
    }
    let to = |from: &Convex, lines: &Convex| {
        let nearest = |&point: &PlaneVector| {
            lines.sides().map(|side| point_line(point, side)).fold(f64::INFINITY, f64::min)
        };
        from.corners.iter().map(nearest).fold(f64::INFINITY, f64::min)
    };
    to(a, b).min(to(b, a))
}

/// The distance of shapes. If they overlap, minus the shortest move that separates them.
pub fn clearance(a: &Convex, b: &Convex) -> f64 {
    cores(a, b) - a.radius - b.radius
}

/// The directions in which overlapping cores can be moved apart, from `a` to `b`, with their
/// separation along each direction (below 0). The largest is first.
pub fn exits(a: &Convex, b: &Convex) -> Vec<(f64, PlaneVector)> {
    let ends = |shape: &Convex| match shape.corners[..] {
        [a, b] if a != b => {
            let along = times(minus(b, a), 1.0 / length(minus(b, a)));
            vec![along, times(along, -1.0)]
        }
        _ => vec![],
    };
    let apart = |n: PlaneVector| {
        let near = b.corners.iter().map(|&c| dot(n, c)).fold(f64::INFINITY, f64::min);
        let far = a.corners.iter().map(|&c| dot(n, c)).fold(f64::NEG_INFINITY, f64::max);
        (near - far, n)
    };
    let own = a.normals().into_iter().chain(ends(a));
    let others = b.normals().into_iter().chain(ends(b)).map(|n| times(n, -1.0));
    let mut all: Vec<_> = own.chain(others).map(apart).collect();
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    all
}
