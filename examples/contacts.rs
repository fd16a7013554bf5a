//! Boxes, capsules and polygons fall into a pit and are pushed out of each other by their contacts.
//!
//! `cargo run --release --example contacts`
//!
//! It shows one call for the contacts of bodies with each other and with static shapes, `set_poses`
//! for moving and rotating bodies, and how a solver reads normals, depths and points. The solver is
//! the simplest possible one (position based dynamics, without friction): every point pushes its
//! bodies apart and rotates them, and a velocity is the change of position in a step. The output is
//! equal on every machine.

use widephase::{
    Contact, Detector, Error, Index, Shapes,
    shape::{Aabb, Capsule, ConvexPolygon, Obb, Pose, Rotation},
};

const BODIES: usize = 30;
const STEPS: usize = 200;
/// Solver iterations per step.
const ROUNDS: usize = 12;
const GRAVITY: f32 = 0.004;
/// The share of a velocity that remains after a step.
const KEPT: f32 = 0.97;
/// The allowed penetration depth. Without it, bodies that lie on each other would jitter.
const SLOP: f32 = 0.005;
/// The share of the remaining depth that a point resolves in an iteration. Neighbouring points
/// resolve a share, too.
const SHARE: f32 = 0.4;
/// 1 / moment of inertia for a mass of 1, roughly that of a disc of radius 0.6.
const INVERSE_INERTIA: f32 = 5.0;

fn main() -> Result<(), Error> {
    let pit = Index::build(&Shapes::from_slice(&[
        Aabb::new([-8.0, -2.0], [8.0, 0.0]),
        Aabb::new([-8.0, 0.0], [-6.0, 30.0]),
        Aabb::new([6.0, 0.0], [8.0, 30.0]),
    ])?)?;

    let hexagon = ConvexPolygon::new(&[
        [0.6, 0.0],
        [0.3, 0.5],
        [-0.3, 0.5],
        [-0.6, 0.0],
        [-0.3, -0.5],
        [0.3, -0.5],
    ])?;
    let turned = Rotation { cos: 0.96, sin: 0.28 };
    let mut shapes = Shapes::new();
    let mut poses = Vec::new();
    for i in 0..BODIES {
        let (column, row) = (i % 5, i / 5);
        let center = [column as f32 * 2.2 - 4.6 + row as f32 % 2.0 * 0.4, row as f32 * 1.6 + 1.5];
        let pose = Pose::new(center, turned);
        // The pose replaces the centre and the direction that the shapes have here.
        match i % 3 {
            0 => shapes.push_at(Obb::new([0.0, 0.0], [0.7, 0.45], turned), pose)?,
            1 => shapes.push_at(Capsule::new([-0.4, 0.0], [0.4, 0.0], 0.4), pose)?,
            _ => shapes.push_at(&hexagon, pose)?,
        };
        poses.push(pose);
    }

    let mut moving = vec![[0.0; 2]; BODIES];
    let mut detector = Detector::new();
    let (mut contacts, mut with_pit) = (Vec::new(), Vec::new());
    for step in 1..=STEPS {
        let before = poses.clone();
        for (pose, [vx, vy]) in poses.iter_mut().zip(&mut moving) {
            *vy -= GRAVITY;
            (pose.x, pose.y) = (pose.x + *vx, pose.y + *vy);
        }
        for _ in 0..ROUNDS {
            shapes.set_poses(&poses)?;
            detector.contacts_and_against(&shapes, &pit, 0.0, &mut contacts, &mut with_pit)?;
            for contact in &contacts {
                push(&mut poses, contact, true);
            }
            for contact in &with_pit {
                push(&mut poses, contact, false);
            }
        }
        for ((velocity, pose), before) in moving.iter_mut().zip(&poses).zip(&before) {
            *velocity = [pose.x - before.x, pose.y - before.y].map(|way| way * KEPT);
        }
        if step % 25 == 0 {
            println!(
                "step {step:3}: {:3} contacts of bodies, {:2} with the pit; {:2} bodies rest; \
                 deepest {:.4}",
                contacts.len(),
                with_pit.len(),
                resting(&moving),
                deepest(&contacts).max(deepest(&with_pit)),
            );
        }
    }

    shapes.set_poses(&poses)?;
    detector.contacts_and_against(&shapes, &pit, 0.0, &mut contacts, &mut with_pit)?;
    let left = deepest(&contacts).max(deepest(&with_pit));
    println!("{} of {BODIES} bodies rest; the deepest contact left is {left:.4}", resting(&moving));
    assert!(left < 0.03, "pushed apart");
    assert!(poses.iter().all(|pose| pose.x.abs() < 6.0 && pose.y > 0.0), "nobody has left the pit");
    Ok(())
}

/// Pushes the bodies of a contact apart; only the first body, if the second cannot move.
fn push(poses: &mut [Pose], contact: &Contact, second_moves: bool) {
    let (a, b) = (contact.pair.a as usize, contact.pair.b as usize);
    let normal = contact.normal().to_array();
    for point in contact.points() {
        let at = [point.x, point.y];
        let [lever_a, lever_b] = [
            lever(poses[a], at, normal),
            if second_moves { lever(poses[b], at, normal) } else { 0.0 },
        ];
        let give = |lever: f32| 1.0 + lever * lever * INVERSE_INERTIA;
        let total = give(lever_a) + if second_moves { give(lever_b) } else { 0.0 };
        let strength = SHARE * (point.depth - SLOP).max(0.0) / total;
        nudge(&mut poses[a], normal, -strength, lever_a);
        if second_moves {
            nudge(&mut poses[b], normal, strength, lever_b);
        }
    }
}

/// The signed distance of the line through `at` along `normal` from the centre of a body.
fn lever(pose: Pose, at: [f32; 2], normal: [f32; 2]) -> f32 {
    (at[0] - pose.x) * normal[1] - (at[1] - pose.y) * normal[0]
}

/// Moves a body and rotates it by a small angle.
fn nudge(pose: &mut Pose, normal: [f32; 2], strength: f32, lever: f32) {
    pose.x += normal[0] * strength;
    pose.y += normal[1] * strength;
    let angle = lever * strength * INVERSE_INERTIA;
    let (cos, sin) = (pose.cos - pose.sin * angle, pose.sin + pose.cos * angle);
    let length = (cos * cos + sin * sin).sqrt();
    (pose.cos, pose.sin) = (cos / length, sin / length);
}

/// The number of bodies that hardly move.
fn resting(moving: &[[f32; 2]]) -> usize {
    moving.iter().filter(|[vx, vy]| vx.abs().max(vy.abs()) < 0.01).count()
}

fn deepest(contacts: &[Contact]) -> f32 {
    contacts.iter().map(|contact| contact.depth).fold(0.0, f32::max)
}
