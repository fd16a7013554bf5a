//! Areas and bodies in `f64`, for checks of contacts: distances, and how the border turns at a
//! place. Nothing here is of the engine: an area is its rings by even-odd, and a body its corners
//! and a radius.

use widephase::shape::{
    AnyShape, AxisAligned, Capsule, Circle, Compound, Obb, Point, Pose, Rotation, RoundedBox,
    Segment, Shape,
};

pub(crate) type Place = [f64; 2];

pub(crate) fn minus(a: Place, b: Place) -> Place {
    [a[0] - b[0], a[1] - b[1]]
}

pub(crate) fn plus(a: Place, b: Place, by: f64) -> Place {
    [a[0] + b[0] * by, a[1] + b[1] * by]
}

pub(crate) fn dot(a: Place, b: Place) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

pub(crate) fn cross(a: Place, b: Place) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

pub(crate) fn length(a: Place) -> f64 {
    dot(a, a).sqrt()
}

fn unit(a: Place) -> Place {
    a.map(|value| value / length(a))
}

/// A pose in `f64`.
pub(crate) fn placed(at: Place, pose: Pose) -> Place {
    let Rotation { cos, sin } = pose.rotation();
    let [cos, sin, x, y] = [cos, sin, pose.x, pose.y].map(f64::from);
    [x + cos * at[0] - sin * at[1], y + sin * at[0] + cos * at[1]]
}

/// The nearest point of a segment.
fn foot(p: Place, [a, b]: [Place; 2]) -> Place {
    let way = minus(b, a);
    let length2 = dot(way, way);
    let share = if length2 > 0.0 { dot(minus(p, a), way) / length2 } else { 0.0 };
    plus(a, way, share.clamp(0.0, 1.0))
}

fn cross_each_other([a, b]: [Place; 2], [c, d]: [Place; 2]) -> bool {
    let beside = |p, q, r, s| cross(minus(q, p), minus(r, p)) * cross(minus(q, p), minus(s, p));
    beside(a, b, c, d) < 0.0 && beside(c, d, a, b) < 0.0
}

/// A region: rings with the region on their left, by even-odd, and a radius around it. A ring of
/// one or two corners is a point or a segment.
#[derive(Debug, Clone)]
pub(crate) struct Region {
    pub(crate) rings: Vec<Vec<Place>>,
    pub(crate) radius: f64,
}

impl Region {
    pub(crate) fn sides(&self) -> impl Iterator<Item = [Place; 2]> + '_ {
        self.rings.iter().flat_map(|ring| {
            let next = ring.iter().cycle().skip(1);
            ring.iter().zip(next).map(|(a, b)| [*a, *b])
        })
    }

    fn holds(&self, p: Place) -> bool {
        self.sides().fold(false, |inside, [a, b]| {
            let between = (a[1] > p[1]) != (b[1] > p[1]);
            inside ^ (between && a[0] + (p[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0]) > p[0])
        })
    }

    /// The distance of a point from the border.
    pub(crate) fn depth_of(&self, p: Place) -> f64 {
        let distances = self.sides().map(|side| length(minus(foot(p, side), p)));
        distances.fold(f64::INFINITY, f64::min)
    }

    /// The distance of a point, 0 inside.
    pub(crate) fn distance_of(&self, p: Place) -> f64 {
        if self.holds(p) { 0.0 } else { (self.depth_of(p) - self.radius).max(0.0) }
    }

    /// The distance of another region, 0 if they overlap.
    pub(crate) fn distance(&self, other: &Self) -> f64 {
        let inside = |a: &Self, b: &Self| b.rings.iter().any(|ring| a.holds(ring[0]));
        let crossed = |side| other.sides().any(|other| cross_each_other(side, other));
        if inside(self, other) || inside(other, self) || self.sides().any(crossed) {
            return 0.0;
        }
        let reach = |a: &Self, b: &Self| {
            let corners = b.rings.iter().flatten().map(|corner| a.depth_of(*corner));
            corners.fold(f64::INFINITY, f64::min)
        };
        (reach(self, other).min(reach(other, self)) - self.radius - other.radius).max(0.0)
    }

    /// The mean of the corners.
    fn middle(&self) -> Place {
        let corners = self.rings.concat();
        let sum = corners.iter().fold([0.0; 2], |sum, corner| plus(sum, *corner, 1.0));
        sum.map(|value| value / corners.len() as f64)
    }

    /// The wedges of the region around a place of the border: each counter-clockwise from its first
    /// direction to its second.
    fn wedges(&self, at: Place, near: f64) -> Vec<[Place; 2]> {
        let (mut leaving, mut arriving) = (Vec::new(), Vec::new());
        for [a, b] in self.sides() {
            if length(minus(foot(at, [a, b]), at)) > near {
                continue;
            }
            if length(minus(b, at)) > near {
                leaving.push(unit(minus(b, at)));
            }
            if length(minus(a, at)) > near {
                arriving.push(unit(minus(a, at)));
            }
        }
        let turn = |from: Place, to: Place| {
            let angle = cross(from, to).atan2(dot(from, to));
            if angle <= 1e-9 { angle + std::f64::consts::TAU } else { angle }
        };
        let last = |from: Place| {
            let nearest = |a: &&Place, b: &&Place| turn(from, **a).total_cmp(&turn(from, **b));
            arriving.iter().min_by(nearest).copied()
        };
        leaving.into_iter().filter_map(|from| Some([from, last(from)?])).collect()
    }

    /// The places of the border within `near` of a point: vertices, and feet on sides.
    fn border_near(&self, at: Place, near: f64) -> impl Iterator<Item = Place> + '_ {
        let feet = self.sides().map(move |side| foot(at, side));
        let vertices = self.rings.iter().flatten().copied();
        vertices.chain(feet).filter(move |place| length(minus(*place, at)) <= near)
    }

    /// Whether a way along `normal` leaves the region at a place near `at`, and whether the normal
    /// is a normal of the border there: of a side, or at a convex corner between the normals of its
    /// sides. The wedge of the corner is the wedge of `part`, if the part is there.
    pub(crate) fn leaves(&self, at: Place, normal: Place, part: &Self, near: f64) -> [bool; 2] {
        const ANGLE: f64 = 2e-3;
        let mut found = [false; 2];
        for [a, b] in self.sides() {
            if length(minus(foot(at, [a, b]), at)) <= near {
                let along = unit(minus(b, a));
                let ahead = dot([along[1], -along[0]], normal);
                found[0] |= ahead > ANGLE;
                found[1] |= ahead > 0.0 && cross(along, [-normal[1], normal[0]]).abs() <= ANGLE;
            }
        }
        for place in self.border_near(at, near) {
            let wedges = self.wedges(place, near * 1e-2);
            let within = |[from, to]: [Place; 2], way: Place| {
                let after = |from: Place, to: Place| {
                    let angle = cross(from, to).atan2(dot(from, to));
                    if angle < 0.0 { angle + std::f64::consts::TAU } else { angle }
                };
                let (all, own) = (after(from, to), after(from, way));
                ANGLE < own && own < all - ANGLE
            };
            if wedges.iter().any(|wedge| within(*wedge, normal)) {
                continue;
            }
            found[0] = true;
            let beside = part.distance_of(place) <= near;
            let is_normal = |&[from, to]: &[Place; 2]| {
                let turn = cross(from, to).atan2(dot(from, to));
                let convex = turn > 0.0 || turn <= ANGLE - std::f64::consts::PI;
                let middle = {
                    let sum = plus(from, to, 1.0);
                    if length(sum) < 0.1 { [-from[1], from[0]] } else { sum }
                };
                let own = !beside || within([from, to], minus(part.middle(), place));
                convex
                    && own
                    && dot(from, normal) <= ANGLE
                    && dot(to, normal) <= ANGLE
                    && dot(middle, normal) < 0.0
            };
            found[1] |= wedges.iter().any(is_normal);
        }
        found
    }
}

/// The convex parts of a shape at a pose, which is the identity for shapes with a place of their
/// own.
pub(crate) fn parts(shape: AnyShape<'_>, pose: Pose) -> Vec<Region> {
    let one = |corners: &[[f32; 2]], radius: f32| {
        let ring = corners.iter().map(|at| placed(at.map(f64::from), pose)).collect();
        vec![Region { rings: vec![ring], radius: f64::from(radius) }]
    };
    let boxed = |RoundedBox { min_x, min_y, max_x, max_y, radius }| {
        one(&[[min_x, min_y], [max_x, min_y], [max_x, max_y], [min_x, max_y]], radius)
    };
    match shape {
        AnyShape::Point(Point { x, y }) => one(&[[x, y]], 0.0),
        AnyShape::Circle(Circle { x, y, radius }) => one(&[[x, y]], radius),
        AnyShape::Segment(Segment { ax, ay, bx, by }) => one(&[[ax, ay], [bx, by]], 0.0),
        AnyShape::Capsule(Capsule { ax, ay, bx, by, radius }) => one(&[[ax, ay], [bx, by]], radius),
        AnyShape::Aabb(sides) => boxed(sides.rounded_box()),
        AnyShape::RoundedBox(sides) => boxed(sides),
        AnyShape::Obb(Obb { x, y, half_width, half_height, cos, sin }) => {
            let own = Pose::new([x, y], Rotation { cos, sin });
            let [x, y] = [half_width, half_height].map(f64::from);
            let corners = [[-x, -y], [x, -y], [x, y], [-x, y]];
            let ring = corners.map(|at| placed(at, own)).to_vec();
            vec![Region { rings: vec![ring], radius: 0.0 }]
        }
        AnyShape::Polygon(polygon) => {
            let corners: Vec<[f32; 2]> =
                polygon.vertices().iter().map(|at| at.to_array()).collect();
            one(&corners, polygon.radius())
        }
        AnyShape::Compound(compound) => {
            compound.parts().iter().flat_map(|part| parts(part.any(), pose)).collect()
        }
        other => panic!("{other:?}"),
    }
}

/// The region of rings, the first of which is the outer ring, at a pose.
pub(crate) fn region(rings: &[Vec<[f32; 2]>], pose: Pose) -> Region {
    let rings = rings.iter().enumerate().map(|(number, ring)| {
        let mut ring: Vec<Place> = ring.iter().map(|at| at.map(f64::from)).collect();
        let next = ring.iter().cycle().skip(1);
        let twice: f64 = ring.iter().zip(next).map(|(a, b)| cross(*a, *b)).sum();
        if (twice > 0.0) != (number == 0) {
            ring.reverse();
        }
        ring.dedup();
        ring.into_iter().map(|at| placed(at, pose)).collect()
    });
    Region { rings: rings.collect(), radius: 0.0 }
}

pub(crate) fn outline(rings: &[Vec<[f32; 2]>]) -> Compound {
    let holes: Vec<&[[f32; 2]]> = rings[1..].iter().map(Vec::as_slice).collect();
    Compound::from_outline(&rings[0], &holes).unwrap()
}
