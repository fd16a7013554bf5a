//! Stable stacks: sequential impulses (Catto 2006), warm started by the ids of contact points.
//!
//! A point is identified by its pair and [`ContactId`] alone, so bodies at rest must have no new
//! ids.

#[path = "common/impulses.rs"]
mod impulses;

use std::{collections::HashMap, error::Error};
use widephase::{
    Contact, ContactId, Detector, Options, Order, Pair, Shapes,
    glam::Vec3,
    shape::{Circle, Obb, OwnedShape, Pose, Rotation, Segment},
};

use impulses::{Dynamics, Impulses, STEP};

const ITERATIONS: usize = 20;
const GRAVITY: f32 = 10.0;
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
type Sums = HashMap<(Pair, ContactId), [f32; 2]>;

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

/// The place of a body. Each vector has an x, a y and an angle; `start` is `at` after step 60.
struct Body {
    at: Vec3,
    start: Vec3,
}

/// Computes the speeds of bodies at the end of a step that begins with these contacts and impulses.
fn solve(dynamics: &mut [Dynamics], bodies: &[Body], contacts: &[Contact], before: &Sums) -> Sums {
    let mut points = vec![];
    for (contact, point) in contacts.iter().flat_map(|c| c.points().iter().map(move |p| (c, p))) {
        let key @ (pair, _) = (contact.pair, point.id());
        let known = before.get(&key).copied().unwrap_or_default();
        let center = |row: u32| bodies[row as usize].at.truncate();
        let arms = [pair.a, pair.b].map(|row| point.position() - center(row));
        let away = (point.depth.min(0.0) + PUSH * (point.depth - SLOP).max(0.0)) / STEP;
        points.push((key, Impulses::new(dynamics, pair, arms, contact.normal(), known, away)));
    }
    for _ in 0..ITERATIONS {
        for (_, impulses) in &mut points {
            impulses.solve(dynamics, 1.0);
        }
    }
    points.into_iter().map(|(key, impulses)| (key, impulses.sums())).collect()
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let (mut detector, mut broken) = (
        Detector::with_options(Options { order: Order::Sorted, ..Options::default() }).unwrap(),
        false,
    );
    for (name, scene, bounds) in scenes() {
        let (mut shapes, mut known) = (Shapes::new(), Sums::new());
        let (mut bodies, mut dynamics) = (vec![], vec![]);
        for (shape, inverse) in scene {
            let row = shapes.push(shape)?;
            let at = shapes.pose(row).unwrap_or_default().position().extend(0.0);
            bodies.push(Body { at, start: at });
            dynamics.push(Dynamics { speed: Vec3::ZERO, inverse });
        }
        let (mut drift, mut speed, mut new_ids, mut contacts) = (Vec3::ZERO, 0.0_f32, 0, vec![]);
        for step in 1..=600 {
            detector.contacts(&shapes, MARGIN, &mut contacts)?;
            let moves = |row: u32| dynamics[row as usize].inverse != Vec3::ZERO;
            contacts.retain(|Contact { pair, .. }| moves(pair.a) || moves(pair.b));
            let old = known;
            known = solve(&mut dynamics, &bodies, &contacts, &old);
            new_ids += known.keys().filter(|key| step > 120 && !old.contains_key(key)).count();
            let moving = bodies.iter_mut().zip(&mut dynamics).enumerate();
            for (row, (body, own)) in moving.filter(|(_, (_, own))| own.inverse.x > 0.0) {
                body.at += own.speed * STEP;
                let Vec3 { x, y, z } = body.at;
                shapes.set_pose(row as u32, Pose::new([x, y], Rotation::from_angle(z)))?;
                body.start = if step > 60 { body.start } else { body.at };
                drift = drift.max((body.at - body.start).abs());
                speed = speed.max(if step > 540 { own.speed.truncate().length() } else { 0.0 });
                own.speed.y -= GRAVITY * STEP;
            }
        }
        print!("scene {name:13} drift_x {:.6} drift_y {:.6} ", drift.x, drift.y);
        println!("max_speed {speed:.6} new_ids_after_120 {new_ids}");
        broken |= drift.x > bounds[0] || drift.y > bounds[1] || speed > bounds[2] || new_ids > 0;
    }
    if broken { Err("a scene is beyond its bounds".into()) } else { Ok(()) }
}
