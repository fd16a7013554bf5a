//! Bodies that rotate: their shapes and their poses.

use crate::{
    MAX_SPEED, SceneKind,
    motion::{Body, Mover},
    random::{Random, Rotation, unit},
};

/// The largest rotation in a step, as the tangent of the angle: a point at distance 1 from the
/// centre then moves at the largest speed of a centre.
const MAX_SPIN: f32 = MAX_SPEED;

/// The shape of a body that rotates, around the origin.
#[derive(Debug, Clone, PartialEq)]
pub enum Solid {
    /// A box.
    Box {
        /// Half the width and half the height.
        half: [f32; 2],
    },
    /// A convex polygon: its vertices, counterclockwise.
    Polygon(Vec<[f32; 2]>),
    /// A capsule along the x axis.
    Capsule {
        /// Half the length of its core.
        half_length: f32,
        /// The radius around the core.
        radius: f32,
    },
    /// Circles in one body: centre and radius of each circle.
    Circles([([f32; 2], f32); 3]),
}

/// Where a body is, and how it is rotated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// The centre.
    pub center: [f32; 2],
    /// The cosine and the sine of the angle.
    pub rotation: [f32; 2],
}

/// The bodies of a scene that rotate.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Turning {
    pub(crate) solids: Vec<Solid>,
    /// The pose of each body.
    pub(crate) poses: Vec<Pose>,
    /// The rotation of each body in a step, as the tangent of the angle.
    spins: Vec<f32>,
}

impl Turning {
    /// Draws a shape of the size of each body, and a random rotation. All shapes are at the origin.
    pub(crate) fn new(kind: SceneKind, bodies: &[Body], random: &mut Random) -> Self {
        let mut turning = Self {
            solids: Vec::with_capacity(bodies.len()),
            poses: Vec::with_capacity(bodies.len()),
            spins: Vec::with_capacity(bodies.len()),
        };
        for (index, body) in bodies.iter().enumerate() {
            let Rotation { cos, sin } = random.rotation();
            turning.poses.push(Pose { center: [0.0; 2], rotation: [cos, sin] });
            turning.spins.push(random.between(-MAX_SPIN, MAX_SPIN));
            turning.solids.push(solid(kind, index, body, random));
        }
        turning
    }

    /// Rotates every body by one step.
    pub(crate) fn step(&mut self, mover: &mut Mover) {
        for (pose, spin) in self.poses.iter_mut().zip(&self.spins) {
            let spin = mover.spin(*spin, MAX_SPIN);
            let [cos, sin] = pose.rotation;
            // `unit` restores the length of 1, which the product changes.
            let [cos, sin] = Rotation { cos, sin }.apply([1.0, spin]);
            let Rotation { cos, sin } = unit(cos, sin);
            pose.rotation = [cos, sin];
        }
    }

    /// Moves the bodies to these centres, and keeps their rotations.
    pub(crate) fn place(&mut self, centers: impl Iterator<Item = [f32; 2]>) {
        for (pose, center) in self.poses.iter_mut().zip(centers) {
            pose.center = center;
        }
    }
}

/// Draws the shape of body `index`.
fn solid(kind: SceneKind, index: usize, body: &Body, random: &mut Random) -> Solid {
    let size = body.size;
    let half = [size.half_width, size.half_height];
    if kind == SceneKind::Compounds {
        return Solid::Circles(three_circles(size.radius, random));
    }
    match index % 4 {
        1 => Solid::Polygon(polygon(3 + index / 4 % 6, half, random)),
        3 => Solid::Capsule { half_length: half[0], radius: size.radius },
        _ => Solid::Box { half },
    }
}

/// Three circles, each of which touches a circle of radius `radius` around the origin from inside.
fn three_circles(radius: f32, random: &mut Random) -> [([f32; 2], f32); 3] {
    let mut circles = [([0.0; 2], 0.0); 3];
    for (circle, direction) in circles.iter_mut().zip(directions(3, random)) {
        let part = radius * random.between(0.3, 0.5);
        let out = radius - part;
        *circle = ([out * direction.cos, out * direction.sin], part);
    }
    circles
}

/// A polygon whose corners are on an ellipse with the half axes `half`.
fn polygon(corners: usize, half: [f32; 2], random: &mut Random) -> Vec<[f32; 2]> {
    let corner = |Rotation { cos, sin }| [half[0] * cos, half[1] * sin];
    directions(corners, random).map(corner).collect()
}

/// `count` directions, counterclockwise: the directions of a regular polygon, each changed by a
/// random angle of at most a quarter of the angle between two directions.
fn directions(count: usize, random: &mut Random) -> impl Iterator<Item = Rotation> + use<> {
    let (cos, sin) = TURNS[count - 3];
    let jitter = 1.5 / count as f32;
    let mut direction = [1.0, 0.0];
    let directions: Vec<Rotation> = (0..count)
        .map(|_| {
            let off = unit(1.0, random.between(-jitter, jitter));
            let [x, y] = off.apply(direction);
            direction = Rotation { cos, sin }.apply(direction);
            unit(x, y)
        })
        .collect();
    directions.into_iter()
}

/// Cosine and sine of a third of a full turn, of a quarter, and so on to an eighth.
const TURNS: [(f32, f32); 6] = [
    (-0.5, 0.866_025_4),
    (0.0, 1.0),
    (0.309_017, 0.951_056_54),
    (0.5, 0.866_025_4),
    (0.623_489_8, 0.781_831_5),
    (0.707_106_77, 0.707_106_77),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_what_they_are_called() {
        for (parts, (cos, sin)) in (3..).zip(TURNS) {
            let (expected_sin, expected_cos) = (std::f64::consts::TAU / f64::from(parts)).sin_cos();
            assert!((f64::from(cos) - expected_cos).abs() < 3e-8, "{parts}");
            assert!((f64::from(sin) - expected_sin).abs() < 3e-8, "{parts}");
        }
    }

    #[test]
    fn polygons_are_as_large_as_the_density_says() {
        let mut random = Random::new(SceneKind::MixedRotating, 1);
        let (mut area, mut around) = (0.0, 0.0);
        for index in 0..60_000 {
            let half = [random.between(0.25, 1.0), random.between(0.25, 1.0)];
            let corners = polygon(3 + index % 6, half, &mut random);
            assert_eq!(corners.len(), 3 + index % 6);
            for (at, a) in corners.iter().enumerate() {
                let ([ax, ay], [bx, by]) = (*a, corners[(at + 1) % corners.len()]);
                area += f64::from(ax * by - ay * bx) / 2.0;
                around += f64::from((ax - bx).hypot(ay - by));
            }
        }
        // `density.rs` uses these two means.
        assert!((area / 60_000.0 / 0.876_47 - 1.0).abs() < 0.01, "{}", area / 60_000.0);
        assert!((around / 60_000.0 / 3.673_31 - 1.0).abs() < 0.01, "{}", around / 60_000.0);
    }

    #[test]
    fn circles_touch_the_one_around_them() {
        let mut random = Random::new(SceneKind::Compounds, 1);
        for _ in 0..1000 {
            for ([x, y], radius) in three_circles(0.75, &mut random) {
                let reach = x.hypot(y) + radius;
                assert!((reach - 0.75).abs() < 1e-6 && (0.22..0.38).contains(&radius));
            }
        }
    }
}
