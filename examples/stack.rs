//! Stacks that rest: sequential impulses (Catto 2006), warm started by the ids of contact points.
//!
//! `cargo run --release --example stack`
//!
//! A solver that begins with the impulses of the step before needs to know each contact point again.
//! Here it does so by pair and [`ContactId`] alone: a pile comes to rest, and then no id is new. Each
//! scene says so in a line; the program exits with 1 where a bound of [`SCENES`] is broken.

use std::{collections::HashMap, process::ExitCode};

use widephase::{
    Contact, ContactId, ContactPoint, Detector, Error, Order, Pair, Shapes,
    glam::Vec2,
    shape::{Circle, Obb, Pose, Rotation, Segment, Shape},
};

const STEPS: usize = 600;
const STEP: f32 = 1.0 / 60.0;
const ITERATIONS: usize = 20;
const GRAVITY: f32 = 10.0;
const FRICTION: f32 = 0.5;
/// Contacts are looked for this far ahead.
const MARGIN: f32 = 0.05;
/// Overlap that stays, so that what rests keeps its contacts; of more, this share goes in a step.
const SLOP: f32 = 0.005;
const PUSH: f32 = 0.2;

type Scene = fn(&mut World) -> Result<(), Error>;
/// Name and scene; how far bodies may drift in x and y after step 60, and how fast they may be.
const SCENES: [(&str, Scene, [f32; 3]); 6] = [
    ("stack", |world| world.stacks(1, 0.0), [0.02, 0.001, 0.01]),
    ("thirty stacks", |world| world.stacks(30, 0.0), [0.02, 0.001, 0.01]),
    ("crooked", |world| world.stacks(1, 0.1), [0.02, 0.001, 0.01]),
    ("pyramid", World::pyramid, [0.05, 0.05, 0.05]),
    ("circles", World::circles, [0.02, 0.01, 0.01]),
    ("polyline", World::polyline, [0.02, 0.001, 0.01]),
];

#[derive(Default)]
struct Body {
    at: Vec2,
    angle: f32,
    velocity: Vec2,
    spin: f32,
    /// 1 / mass and 1 / moment of inertia; 0 for what stands still.
    inverse: [f32; 2],
}

/// A contact point, and what it does to its bodies.
struct Point {
    key: (Pair, ContactId),
    /// The direction in which the second body is pushed, and the one in which it is rubbed.
    axes: [Vec2; 2],
    /// From the centres of the bodies.
    arms: [Vec2; 2],
    /// What a change of speed by 1 takes along each axis, and what has been given.
    masses: [f32; 2],
    impulses: [f32; 2],
    /// The least speed at which the bodies may part.
    target: f32,
}

impl Point {
    fn new(bodies: &[Body], contact: &Contact, point: &ContactPoint, impulses: [f32; 2]) -> Self {
        let [a, b] = [contact.pair.a, contact.pair.b].map(|row| &bodies[row as usize]);
        let (at, normal) =
            (Vec2::new(point.x, point.y), Vec2::new(contact.normal_x, contact.normal_y));
        let (axes, arms) = ([normal, normal.perp()], [at - a.at, at - b.at]);
        let give = |body: &Body, lever: f32| body.inverse[0] + body.inverse[1] * lever * lever;
        let mass = |axis| 1.0 / (give(a, arms[0].perp_dot(axis)) + give(b, arms[1].perp_dot(axis)));
        let (gap, overlap) = (point.depth.min(0.0), (point.depth - SLOP).max(0.0));
        let target = (gap + PUSH * overlap) / STEP;
        Self {
            key: (contact.pair, point.id()),
            axes,
            arms,
            masses: axes.map(mass),
            impulses,
            target,
        }
    }

    fn apply(&self, bodies: &mut [Body], impulse: Vec2) {
        let (pair, [arm_a, arm_b]) = (self.key.0, self.arms);
        for (row, impulse, arm) in [(pair.a, -impulse, arm_a), (pair.b, impulse, arm_b)] {
            let body = &mut bodies[row as usize];
            body.velocity += impulse * body.inverse[0];
            body.spin += arm.perp_dot(impulse) * body.inverse[1];
        }
    }

    /// Friction, bounded by the push of the round before; then the push.
    fn solve(&mut self, bodies: &mut [Body]) {
        let grip = FRICTION * self.impulses[0];
        for (axis, target, least, most) in [(1, 0.0, -grip, grip), (0, self.target, 0.0, f32::MAX)]
        {
            let speed = |row: u32, arm: Vec2| {
                let body = &bodies[row as usize];
                (body.velocity + arm.perp() * body.spin).dot(self.axes[axis])
            };
            let (pair, before) = (self.key.0, self.impulses[axis]);
            let parting = speed(pair.b, self.arms[1]) - speed(pair.a, self.arms[0]);
            let sum = before + (target - parting) * self.masses[axis];
            self.impulses[axis] = sum.clamp(least, most);
            self.apply(bodies, self.axes[axis] * (self.impulses[axis] - before));
        }
    }
}

#[derive(Default)]
struct World {
    shapes: Shapes,
    bodies: Vec<Body>,
    /// The impulses of the step before.
    known: HashMap<(Pair, ContactId), [f32; 2]>,
}

impl World {
    fn push(&mut self, shape: impl Shape, inverse: [f32; 2]) -> Result<(), Error> {
        let row = self.shapes.push(shape)?;
        let at = self.shapes.pose(row).unwrap_or_default().position();
        self.bodies.push(Body { at, inverse, ..Body::default() });
        Ok(())
    }

    fn crate_at(&mut self, x: f32, y: f32) -> Result<(), Error> {
        self.push(Obb::new([x, y], [0.5, 0.5], Rotation::IDENTITY), [1.0, 6.0])
    }

    fn block(&mut self, center: [f32; 2], half: [f32; 2]) -> Result<(), Error> {
        self.push(Obb::new(center, half, Rotation::IDENTITY), [0.0; 2])
    }

    fn stacks(&mut self, count: usize, shift: f32) -> Result<(), Error> {
        self.block([0.0, -1.0], [100.0, 1.0])?;
        let places = (0..count * 10).map(|i| (i / 10, i % 10));
        places
            .map(|(x, y)| (x as f32 * 1.5 + shift * (y % 2) as f32, y as f32 + 0.5))
            .try_for_each(|(x, y)| self.crate_at(x, y))
    }

    fn pyramid(&mut self) -> Result<(), Error> {
        self.block([0.0, -1.0], [100.0, 1.0])?;
        let places = (0..24).flat_map(|row| (row..24).map(move |i| (row as f32, i as f32)));
        places
            .map(|(row, i)| ((i - row * 0.5) * 1.1, row + 0.5))
            .try_for_each(|(x, y)| self.crate_at(x, y))
    }

    fn circles(&mut self) -> Result<(), Error> {
        self.block([0.0, -1.0], [3.0, 1.0])?;
        self.block([-1.8, 9.0], [1.0, 9.0])?;
        self.block([1.8, 9.0], [1.0, 9.0])?;
        (0..10).try_for_each(|i| {
            let x = if i % 2 == 0 { -0.3 } else { 0.3 };
            self.push(Circle::new([x, i as f32 * 0.8 + 0.5], 0.5), [1.0, 8.0])
        })
    }

    fn polyline(&mut self) -> Result<(), Error> {
        for x in -8..8 {
            self.push(Segment::new([x as f32, 0.0], [x as f32 + 1.0, 0.0]), [0.0; 2])?;
        }
        (-5..5).try_for_each(|i| self.crate_at(i as f32 * 1.3, 0.5))
    }

    /// A step; how many ids of contact points are new.
    fn step(
        &mut self,
        detector: &mut Detector,
        contacts: &mut Vec<Contact>,
    ) -> Result<usize, Error> {
        detector.contacts(&self.shapes, MARGIN, contacts)?;
        let bodies = &mut self.bodies;
        bodies
            .iter_mut()
            .filter(|body| body.inverse[0] > 0.0)
            .for_each(|body| body.velocity.y -= GRAVITY * STEP);
        let moves = |row: u32| bodies[row as usize].inverse[0] > 0.0;
        let mut points = vec![];
        let mut new = 0;
        for contact in contacts.iter().filter(|c| moves(c.pair.a) || moves(c.pair.b)) {
            for point in contact.points() {
                let known = self.known.get(&(contact.pair, point.id()));
                new += usize::from(known.is_none());
                points.push(Point::new(bodies, contact, point, known.copied().unwrap_or_default()));
            }
        }
        for point in &points {
            point.apply(
                bodies,
                point.axes[0] * point.impulses[0] + point.axes[1] * point.impulses[1],
            );
        }
        for _ in 0..ITERATIONS {
            for point in &mut points {
                point.solve(bodies);
            }
        }
        self.known = points.iter().map(|point| (point.key, point.impulses)).collect();
        for (row, body) in bodies.iter_mut().enumerate().filter(|(_, body)| body.inverse[0] > 0.0) {
            body.at += body.velocity * STEP;
            body.angle += body.spin * STEP;
            self.shapes
                .set_pose(row as u32, Pose::new(body.at, Rotation::from_angle(body.angle)))?;
        }
        Ok(new)
    }
}

/// Runs all scenes; how many of them break a bound.
pub(crate) fn run() -> Result<usize, Error> {
    let (mut detector, mut contacts) = (Detector::new().order(Order::Sorted), vec![]);
    let mut broken = 0;
    for (name, scene, bounds) in SCENES {
        let mut world = World::default();
        scene(&mut world)?;
        let (mut start, mut drift, mut speed, mut new_ids) = (vec![], Vec2::ZERO, 0.0_f32, 0);
        for step in 1..=STEPS {
            let new = world.step(&mut detector, &mut contacts)?;
            new_ids += if step > 120 { new } else { 0 };
            if step == 60 {
                start = world.bodies.iter().map(|body| body.at).collect();
            }
            for (body, &start) in world.bodies.iter().zip(&start) {
                drift = drift.max((body.at - start).abs());
                if step > STEPS - 60 {
                    speed = speed.max(body.velocity.length());
                }
            }
        }
        println!(
            "scene {name:13} drift_x {:.6} drift_y {:.6} max_speed {speed:.6} new_ids_after_120 {new_ids}",
            drift.x, drift.y
        );
        let holds = drift.x <= bounds[0] && drift.y <= bounds[1] && speed <= bounds[2];
        broken += usize::from(!holds || new_ids > 0);
    }
    Ok(broken)
}

fn main() -> Result<ExitCode, Error> {
    Ok(if run()? == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
