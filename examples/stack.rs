//! Stable stacks: sequential impulses (Catto 2006), warm started by the ids of contact points.
//!
//! A point is identified by its pair and [`ContactId`] alone, so bodies at rest must have no new
//! ids.

use std::{collections::HashMap, error::Error};
use widephase::{
    Contact, ContactId, Detector, Options, Order, Pair, Shapes,
    glam::{Vec2, Vec3},
    shape::{Circle, Obb, OwnedShape, Pose, Rotation, Segment},
};

const STEP: f32 = 1.0 / 60.0;
const ITERATIONS: usize = 20;
const GRAVITY: f32 = 10.0;
const FRICTION: f32 = 0.5;
/// The distance at which contacts begin. In a step, bodies may close the gap, but not move further.
const MARGIN: f32 = 0.05;
/// The overlap that stays, which keeps contacts. A step removes the share `PUSH` of any further
/// overlap (Baumgarte).
const SLOP: f32 = 0.005;
const PUSH: f32 = 0.2;

/// Name, bodies and bounds: the drift in x and y after step 60, and the speed at the end. A body is
/// a shape and the inverses of mass, mass and moment of inertia; a static body has zeros.
type Scene = (&'static str, Vec<(OwnedShape, Vec3)>, [f32; 3]);
/// The impulses of all points: along the normal, and perpendicular to it.
type Impulses = HashMap<(Pair, ContactId), [f32; 2]>;

fn scenes() -> [Scene; 6] {
    let obb = |x, y, half: [f32; 2]| Obb::new([x, y], half, Rotation::IDENTITY);
    let crate_at = |x, y| (obb(x, y, [0.5; 2]).into(), Vec3::new(1.0, 1.0, 6.0));
    let ball_at = |x: f32, y| (Circle::new([x, y], 0.5).into(), Vec3::new(1.0, 1.0, 8.0));
    let block = |x, y, half| vec![(obb(x, y, half).into(), Vec3::ZERO)];
    let floor = || block(0.0, -1.0, [99.0, 1.0]);
    let wall = |x| block(x, 9.0, [1.0, 9.0]);
    let piece = |x: f32| (Segment::new([x, 0.0], [x + 1.0, 0.0]).into(), Vec3::ZERO);
    let row = (-5..5).map(|i| crate_at(i as f32 * 1.3, 0.5));
    let stacks = |count: i32, shift: f32| {
        let x = |i| 1.5 * (i / 10) as f32 + shift * (i % 2) as f32;
        (0..10 * count).map(|i| crate_at(x(i), (i % 10) as f32 + 0.5)).collect()
    };
    let rows = (0..24).flat_map(|row| (row..24).map(move |i| [row, i].map(|v| v as f32)));
    let pyramid = rows.map(|[row, i]| crate_at(1.1 * (i - 0.5 * row), row + 0.5)).collect();
    let balls = (0..10).map(|i| ball_at((i % 2) as f32 * 0.6, i as f32 * 0.8 + 0.5)).collect();
    [
        ("stack", [floor(), stacks(1, 0.0)].concat(), [0.02, 0.001, 0.01]),
        ("thirty stacks", [floor(), stacks(30, 0.0)].concat(), [0.02, 0.001, 0.01]),
        ("crooked", [floor(), stacks(1, 0.1)].concat(), [0.02, 0.001, 0.01]),
        ("pyramid", [floor(), pyramid].concat(), [0.01, 0.001, 0.001]),
        ("circles", [floor(), wall(-1.5), wall(2.1), balls].concat(), [0.001; 3]),
        ("polyline", (-8..8).map(|i| piece(i as f32)).chain(row).collect(), [0.001; 3]),
    ]
}

/// The state of a body. Each vector has an x, a y and an angle; `start` is `at` after step 60.
struct Body {
    at: Vec3,
    start: Vec3,
    speed: Vec3,
    inverse: Vec3,
}

/// The direction of a normal or friction impulse at a contact point: the effect of a unit impulse
/// on each body, the impulse that changes their relative speed by 1, and the sum of impulses.
struct Axis {
    rows: [usize; 2],
    levers: [Vec3; 2],
    mass: f32,
    sum: f32,
}

impl Axis {
    fn new(bodies: &mut [Body], pair: Pair, at: Vec2, way: Vec2, sum: f32) -> Self {
        let rows = [pair.a as usize, pair.b as usize];
        let [a, b] = rows.map(|row| way.extend((at - bodies[row].at.truncate()).perp_dot(way)));
        let give = |i: usize, lever: Vec3| lever.dot(lever * bodies[rows[i]].inverse);
        let axis = Self { rows, levers: [-a, b], mass: 1.0 / (give(0, a) + give(1, b)), sum };
        axis.apply(bodies, sum);
        axis
    }

    fn apply(&self, bodies: &mut [Body], impulse: f32) {
        for (row, lever) in self.rows.into_iter().zip(self.levers) {
            bodies[row].speed += lever * bodies[row].inverse * impulse;
        }
    }

    /// Changes the relative speed to a target, within the bounds of the sum.
    fn solve(&mut self, bodies: &mut [Body], target: f32, [least, most]: [f32; 2]) {
        let speed = |i: usize| bodies[self.rows[i]].speed.dot(self.levers[i]);
        let sum = (self.sum + (target - speed(0) - speed(1)) * self.mass).clamp(least, most);
        self.apply(bodies, sum - self.sum);
        self.sum = sum;
    }
}

/// Computes the speeds of bodies at the end of a step that begins with these contacts and impulses.
fn solve(bodies: &mut [Body], contacts: &[Contact], before: &Impulses) -> Impulses {
    let mut points = vec![];
    for (contact, point) in contacts.iter().flat_map(|c| c.points().iter().map(move |p| (c, p))) {
        let at = Vec2::new(point.x, point.y);
        let normal = Vec2::new(contact.normal().x, contact.normal().y);
        let key @ (pair, _) = (contact.pair, point.id());
        let [push, rub] = before.get(&key).copied().unwrap_or_default();
        let push = Axis::new(bodies, pair, at, normal, push);
        let rub = Axis::new(bodies, pair, at, normal.perp(), rub);
        let way = point.depth.min(0.0) + PUSH * (point.depth - SLOP).max(0.0);
        points.push((key, way / STEP, push, rub));
    }
    for _ in 0..ITERATIONS {
        for (_, speed, push, rub) in &mut points {
            rub.solve(bodies, 0.0, [-FRICTION * push.sum, FRICTION * push.sum]);
            push.solve(bodies, *speed, [0.0, f32::MAX]);
        }
    }
    points.into_iter().map(|(key, _, push, rub)| (key, [push.sum, rub.sum])).collect()
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let (mut detector, mut broken) = (
        Detector::with_options(Options { order: Order::Sorted, ..Options::default() }).unwrap(),
        false,
    );
    for (name, scene, bounds) in scenes() {
        let (mut shapes, mut bodies, mut known) = (Shapes::new(), vec![], Impulses::new());
        for (shape, inverse) in scene {
            let row = shapes.push(shape)?;
            let at = shapes.pose(row).unwrap_or_default().position().extend(0.0);
            bodies.push(Body { at, start: at, speed: Vec3::ZERO, inverse });
        }
        let (mut drift, mut speed, mut new_ids, mut contacts) = (Vec3::ZERO, 0.0_f32, 0, vec![]);
        for step in 1..=600 {
            detector.contacts(&shapes, MARGIN, &mut contacts)?;
            let moves = |row: u32| bodies[row as usize].inverse != Vec3::ZERO;
            contacts.retain(|Contact { pair, .. }| moves(pair.a) || moves(pair.b));
            let old = known;
            known = solve(&mut bodies, &contacts, &old);
            new_ids += known.keys().filter(|key| step > 120 && !old.contains_key(key)).count();
            for (row, body) in (0..).zip(&mut bodies).filter(|(_, body)| body.inverse.x > 0.0) {
                body.at += body.speed * STEP;
                let Vec3 { x, y, z } = body.at;
                shapes.set_pose(row, Pose::new([x, y], Rotation::from_angle(z)))?;
                body.start = if step > 60 { body.start } else { body.at };
                drift = drift.max((body.at - body.start).abs());
                speed = speed.max(if step > 540 { body.speed.truncate().length() } else { 0.0 });
                body.speed.y -= GRAVITY * STEP;
            }
        }
        print!("scene {name:13} drift_x {:.6} drift_y {:.6} ", drift.x, drift.y);
        println!("max_speed {speed:.6} new_ids_after_120 {new_ids}");
        broken |= drift.x > bounds[0] || drift.y > bounds[1] || speed > bounds[2] || new_ids > 0;
    }
    if broken { Err("a scene is beyond its bounds".into()) } else { Ok(()) }
}
