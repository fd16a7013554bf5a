//! Bodies that rotate: their shapes, their rotations, and their store.

use super::{
    MAX_SPEED, SceneKind,
    motion::{Body, Mover},
    random::{Random, unit},
};
use crate::{
    Error, Shapes,
    reference::whole::Whole,
    shape::{Capsule, Circle, Compound, ConvexPolygon, Obb, OwnedShape, Pose, Rotation},
};

/// The largest rotation in a step, as the tangent of the angle: a point at distance 1 from the
/// centre then moves at the largest speed of a centre.
const MAX_SPIN: f32 = MAX_SPEED;

/// The bodies of a scene that rotate.
#[derive(Debug, Clone)]
pub(super) struct Turning {
    shapes: Shapes,
    /// The kind, and the generator before the shapes were drawn, so that they can be drawn again.
    origin: (SceneKind, Random),
    /// The pose of each body.
    poses: Vec<Pose>,
    /// The rotation of each body in a step, as the tangent of the angle.
    spins: Vec<f32>,
}

impl Turning {
    /// Draws a shape of the size of each body, and a random rotation. All shapes are at the origin.
    pub(super) fn new(kind: SceneKind, bodies: &[Body], random: &mut Random) -> Self {
        let mut turning = Self {
            shapes: Shapes::with_capacity(bodies.len()),
            origin: (kind, random.clone()),
            poses: Vec::with_capacity(bodies.len()),
            spins: Vec::with_capacity(bodies.len()),
        };
        for (index, body) in bodies.iter().enumerate() {
            let Drawn { rotation, spin, shape } = Drawn::draw(kind, index, body, random);
            let pose = Pose::new([0.0; 2], rotation);
            turning.poses.push(pose);
            turning.spins.push(spin);
            turning.shapes.push_at(shape, pose).expect("the sizes of a scene are good");
        }
        turning
    }

    /// The bodies for the reference, at their current positions. They are drawn again, not read
    /// from the store. `bodies` are the bodies of the scene.
    pub(super) fn wholes(&self, bodies: &[Body]) -> Vec<Whole> {
        let (kind, mut random) = self.origin.clone();
        let bodies = bodies.iter().zip(&self.poses).enumerate();
        let whole = |(index, (body, pose)): (usize, (&Body, &Pose))| {
            Whole::new(&Drawn::draw(kind, index, body, &mut random).shape, Some(*pose))
        };
        bodies.map(whole).collect()
    }

    /// The store of the bodies.
    pub(super) fn shapes(&self) -> &Shapes {
        &self.shapes
    }

    /// Rotates every body by one step.
    pub(super) fn step(&mut self, mover: &mut Mover) {
        for (pose, spin) in self.poses.iter_mut().zip(&self.spins) {
            let spin = mover.spin(*spin, MAX_SPIN);
            // `unit` restores the length of 1, which the product changes.
            let [cos, sin] = pose.rotation().apply([1.0, spin]);
            let rotation = unit(cos, sin);
            *pose = Pose::new(pose.position(), rotation);
        }
    }

    /// Moves the bodies to these centres, and keeps their rotations.
    pub(super) fn place(&mut self, centers: impl Iterator<Item = [f32; 2]>) {
        for (pose, center) in self.poses.iter_mut().zip(centers) {
            *pose = Pose::new(center, pose.rotation());
        }
        let placed = self.shapes.set_poses(&self.poses);
        placed.expect("the bodies of a scene stay within its world");
    }
}

/// Equal if the poses, the rotations in a step, and the boxes around the bodies are equal.
impl PartialEq for Turning {
    fn eq(&self, other: &Self) -> bool {
        let boxes = |turning: &Self, row| turning.shapes.get(row);
        (&self.poses, &self.spins) == (&other.poses, &other.spins)
            && (0..self.poses.len() as u32).all(|row| boxes(self, row) == boxes(other, row))
    }
}

/// The random properties of a body.
struct Drawn {
    rotation: Rotation,
    /// The rotation in a step, as the tangent of the angle.
    spin: f32,
    /// The shape in its own frame.
    shape: OwnedShape,
}

impl Drawn {
    /// Draws the properties of body `index`.
    fn draw(kind: SceneKind, index: usize, body: &Body, random: &mut Random) -> Self {
        let rotation = random.rotation();
        let spin = random.between(-MAX_SPIN, MAX_SPIN);
        let shape = shape(kind, index, body, random).expect("the sizes of a scene are good");
        Self { rotation, spin, shape }
    }
}

/// Draws the shape of body `index`.
fn shape(
    kind: SceneKind,
    index: usize,
    body: &Body,
    random: &mut Random,
) -> Result<OwnedShape, Error> {
    let size = body.size;
    let half = [size.half_width, size.half_height];
    if kind == SceneKind::Compounds {
        return three_circles(size.radius, random).map(OwnedShape::from);
    }
    Ok(match index % 4 {
        1 => polygon(3 + index / 4 % 6, half, random)?.into(),
        3 => Capsule::new([-half[0], 0.0], [half[0], 0.0], size.radius).into(),
        _ => Obb::new([0.0; 2], half, Rotation::IDENTITY).into(),
    })
}

/// Three circles, each of which touches a circle of radius `radius` around the origin from inside.
fn three_circles(radius: f32, random: &mut Random) -> Result<Compound, Error> {
    let circles = directions(3, random).map(|direction| {
        let part = radius * random.between(0.3, 0.5);
        let out = radius - part;
        Circle::new([out * direction.cos, out * direction.sin], part)
    });
    Compound::new(circles)
}

/// A polygon whose corners are on an ellipse with the half axes `half`.
fn polygon(corners: usize, half: [f32; 2], random: &mut Random) -> Result<ConvexPolygon, Error> {
    let corner = |Rotation { cos, sin }| [half[0] * cos, half[1] * sin];
    let corners: Vec<[f32; 2]> = directions(corners, random).map(corner).collect();
    ConvexPolygon::new(&corners)
}

/// `count` directions, counterclockwise: as of a regular polygon, each changed by a random angle
/// of at most a quarter of the angle between two.
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
    fn polygons_keep_their_corners() {
        let mut random = Random::new(SceneKind::MixedRotating, 1);
        let (mut area, mut around) = (0.0, 0.0);
        for index in 0..60_000 {
            let half = [random.between(0.25, 1.0), random.between(0.25, 1.0)];
            let polygon = polygon(3 + index % 6, half, &mut random).unwrap();
            let corners = polygon.vertices();
            assert_eq!(corners.len(), 3 + index % 6);
            for (at, a) in corners.iter().enumerate() {
                let b = corners[(at + 1) % corners.len()];
                area += f64::from(a.perp_dot(b)) / 2.0;
                around += f64::from(a.distance(b));
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
            let compound = three_circles(0.75, &mut random).unwrap();
            for part in compound.parts() {
                let crate::shape::Part::Circle(circle) = part else { panic!("{part:?}") };
                let reach = circle.center().length() + circle.radius;
                assert!((reach - 0.75).abs() < 1e-6 && (0.22..0.38).contains(&circle.radius));
            }
        }
    }
}
