//! The heap of `examples/world_stack`.

use widephase::{
    Body, Motion, Options, World,
    glam::{Vec2, Vec3},
    shape::{Obb, Pose, Rotation},
};

use super::{everywhere, hash};
use heap::{
    Heap,
    solver::{Dynamics, STEP, solve, turned},
};

#[path = "../../examples/world_stack/heap.rs"]
mod heap;

const COUNT: usize = 10_000;

#[test]
fn nothing_tunnels_and_the_heap_comes_to_rest() {
    let mut heap = Heap::new(COUNT, Options::default()).unwrap();
    let start = heap.report();
    let mut last = start;
    for step in 1..=240 {
        last = heap.step().unwrap();
        assert!(last.is_sound(&start), "step {step}: {last:?}, from {start:?}");
    }
    // It falls by half a unit, and is slow by now: the example runs until it rests.
    assert!(last.energy < 0.9 * start.energy, "{last:?}, from {start:?}");
    assert!(last.kinetic < 0.1 * COUNT as f64, "{last:?}");
}

#[test]
fn the_same_on_all_levels_and_threads() {
    everywhere(|options| {
        let mut heap = Heap::new(COUNT, options).unwrap();
        for _ in 0..12 {
            heap.step().unwrap();
        }
        let step = heap.world.last_step();
        assert!(step.contacts().len() > 1000 && heap.world.persisted().next().is_some());
        let poses = heap.world.handles().filter_map(|handle| heap.world.pose(handle).ok());
        let poses = poses.flat_map(|pose| [pose.x, pose.y, pose.cos, pose.sin]);
        let values = heap.world.contact_values().iter().flatten().flatten().copied();
        let words = poses.chain(values).map(|value| u64::from(value.to_bits()));
        assert_eq!(hash(words), 10_987_173_473_279_065_273, "{options:?}");
    });
}

/// A stack of ten boxes on a floor: how far the boxes have moved from step 60 to step 600.
fn drift(margin: f32) -> f32 {
    let mut world = World::new();
    world.set_margin(margin).unwrap();
    let floor = Body { motion: Motion::Static, ..Body::default() };
    world.insert(Obb::new([0.0, -1.0], [99.0, 1.0], Rotation::IDENTITY), floor).unwrap();
    let mut dynamics = vec![Dynamics { speed: Vec3::ZERO, inverse: Vec3::ZERO }];
    let (mut boxes, mut poses) = (vec![], vec![]);
    for row in 0..10 {
        let at = Vec2::new(0.0, row as f32 + 0.5);
        let shape = Obb::new(at, [0.5; 2], Rotation::IDENTITY);
        boxes.push(world.insert(shape, Body::default()).unwrap());
        dynamics.push(Dynamics { speed: Vec3::ZERO, inverse: Vec3::new(1.0, 1.0, 6.0) });
        poses.push(Pose::at(at));
    }
    let mut start = poses.clone();
    for step in 0..600 {
        world.step().unwrap();
        let mut centers = vec![Vec2::new(0.0, -1.0)];
        centers.extend(poses.iter().map(|pose| pose.position()));
        for body in &mut dynamics[1..] {
            body.speed.y -= 10.0 * STEP;
        }
        solve(&mut world, &mut dynamics, &centers, |dynamics| {
            for (pose, body) in poses.iter_mut().zip(&dynamics[1..]) {
                let at = pose.position() + body.speed.truncate() * STEP;
                *pose = Pose::new(at, turned(pose.rotation(), body.speed.z * STEP));
            }
        });
        world.set_poses(&boxes, &poses).unwrap();
        if step == 60 {
            start.clone_from(&poses);
        }
    }
    let moved = start.iter().zip(&poses).map(|(a, b)| (a.position() - b.position()).length());
    moved.fold(0.0, f32::max)
}

#[test]
fn a_margin_keeps_a_stack_in_place() {
    let (without, with) = (drift(0.0), drift(0.05));
    assert!(with < 0.005 && with < 0.5 * without, "{with} with a margin, {without} without");
}
