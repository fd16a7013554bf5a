//! A convex shape in `f64`, vectors, and the distance of two shapes.

use robust::{Coord, orient2d};
use widephase::reference::{
    exact::cores_touch,
    placed_shape::{Class, PlacedShape},
};

pub(crate) type PlaneVector = [f64; 2];

/// A core and the radius around it.
pub(crate) struct Convex {
    /// The corners, counter-clockwise, no two in turn equal.
    pub corners: Vec<PlaneVector>,
    pub radius: f64,
    /// The lower left and the upper right corner, if the shape is axis-aligned.
    pub sides: Option<[PlaneVector; 2]>,
}

impl Convex {
    pub(crate) fn aligned_sides(body: &PlacedShape) -> Option<[PlaneVector; 2]> {
        let bounds = body.bounds;
        let ends = [[bounds.min_x, bounds.min_y], [bounds.max_x, bounds.max_y]];
        (body.class <= Class::AlignedBox).then(|| ends.map(|end| end.map(f64::from)))
    }

    /// Whether the shape holds a point, which may be on its border.
    pub(crate) fn holds(&self, point: PlaneVector) -> bool {
        cores_touch(&self.corners, &[point], self.radius, true)
    }

    /// The distance of the surfaces; 0 if the shapes touch.
    pub(crate) fn distance(&self, other: &Self) -> f64 {
        let radius = self.radius + other.radius;
        if let (Some([min, max]), Some([other_min, other_max])) = (self.sides, other.sides) {
            let gap = |axis: usize| {
                (other_min[axis] - max[axis]).max(min[axis] - other_max[axis]).max(0.0)
            };
            return (length([gap(0), gap(1)]) - radius).max(0.0);
        }
        if cores_touch(&self.corners, &other.corners, 0.0, true) {
            return 0.0;
        }
        let mut least2 = f64::INFINITY;
        for (own, other) in [(self, other), (other, self)] {
            for corner in &other.corners {
                for other_corner in &own.corners {
                    least2 = least2.min(length2(minus(*corner, *other_corner)));
                }
                for side in sides(&own.corners) {
                    least2 = least2.min(length2(minus(*corner, nearest_on(side, *corner))));
                }
            }
        }
        (least2.sqrt() - radius).max(0.0)
    }
}

/// The point of a side that is nearest to a point.
pub(crate) fn nearest_on([start, end]: [PlaneVector; 2], point: PlaneVector) -> PlaneVector {
    let along = minus(end, start);
    let share = dot(along, minus(point, start)) / length2(along);
    plus(start, times(along, share.clamp(0.0, 1.0)))
}

pub(crate) fn plus(a: PlaneVector, b: PlaneVector) -> PlaneVector {
    [a[0] + b[0], a[1] + b[1]]
}

pub(crate) fn minus(a: PlaneVector, b: PlaneVector) -> PlaneVector {
    [a[0] - b[0], a[1] - b[1]]
}

pub(crate) fn times(a: PlaneVector, factor: f64) -> PlaneVector {
    [a[0] * factor, a[1] * factor]
}

pub(crate) fn dot(a: PlaneVector, b: PlaneVector) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// Above 0 if `b` points to the left of `a`.
pub(crate) fn cross(a: PlaneVector, b: PlaneVector) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

/// The vector rotated by a quarter turn, counter-clockwise.
pub(crate) fn left(a: PlaneVector) -> PlaneVector {
    [-a[1], a[0]]
}

/// The vector rotated by a quarter turn, clockwise: from a side, outwards.
pub(crate) fn right(a: PlaneVector) -> PlaneVector {
    [a[1], -a[0]]
}

pub(crate) fn length2(a: PlaneVector) -> f64 {
    dot(a, a)
}

pub(crate) fn length(a: PlaneVector) -> f64 {
    length2(a).sqrt()
}

/// The vector at length 1. `None` for a vector of length 0.
pub(crate) fn unit(a: PlaneVector) -> Option<PlaneVector> {
    let length = length(a);
    (length > 0.0).then(|| [a[0] / length, a[1] / length])
}

/// The sides of a core, without sides of length 0.
pub(crate) fn sides(corners: &[PlaneVector]) -> impl Iterator<Item = [PlaneVector; 2]> {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).map(|(start, end)| [*start, *end]).filter(|[start, end]| start != end)
}

/// The orientation of a point and a side: above 0 to the left, below 0 to the right.
pub(crate) fn orientation([start, end]: [PlaneVector; 2], point: PlaneVector) -> f64 {
    let [start, end, point] = [start, end, point].map(|[x, y]| Coord { x, y });
    orient2d(start, end, point)
}
