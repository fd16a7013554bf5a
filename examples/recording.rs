//! Recording: a heap of bodies is recorded, replayed on every SIMD level, and rolled back.
//!
//! `cargo run --release --example recording [-- FILE]`
//!
//! It shows snapshots, recordings and replays of a `World`. With a file, it writes the recording
//! there, for `widephase replay FILE`. The motion is made of sums, products and comparisons, so the
//! file and the output are equal on every machine. `cli/tests/data/heap.recording` is this file.

use widephase::{
    Body, Error, Filter, Handle, Motion, Options, SimdLevel, World,
    shape::{Aabb, Capsule, Circle, ConvexPolygon, Obb, OwnedShape, Pose, Rotation},
    world::Replay,
};

const STEPS: usize = 40;

/// A body that moves.
struct Mover {
    handle: Handle,
    pose: Pose,
    velocity: [f32; 2],
    spin: Rotation,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new();
    let still = Body { motion: Motion::Static, ..Body::default() };
    world.insert(Aabb::new([-6.0, -1.0], [6.0, 0.0]), still)?;
    for side in [-6.0, 6.0] {
        world.insert(Capsule::new([side, 0.0], [side, 9.0], 0.25), still)?;
    }
    let sensing = Body { filter: Filter::ALL.sensing(), ..still };
    world.insert(Circle::new([0.0, 0.5], 1.0), sensing)?;
    let mut movers = heap(&mut world)?;

    world.start_recording();
    let (mut started, mut saved) = (0, Vec::new());
    for step in 0..STEPS {
        if step == STEPS / 2 {
            world.snapshot_into(&mut saved);
        }
        started += advance(&mut world, &mut movers)?;
    }
    let recording = world.stop_recording().ok_or("it was recorded")?;
    let hash = world.state_hash();
    println!("{STEPS} steps, {} bytes, {started} pairs started", recording.len());
    println!("state {hash:016x}");

    for &level in SimdLevel::available() {
        let options = Options { simd_level: Some(level), ..Options::default() };
        let mut replay = Replay::new(&recording, options)?;
        while replay.step()?.is_some() {}
        assert_eq!(replay.world().state_hash(), hash);
    }
    println!("every level agrees in every step");

    // Back to the middle: all handles of that time still name their bodies.
    let mut back = World::restore(&saved)?;
    assert!(movers.iter().all(|mover| back.contains(mover.handle)));
    println!("half way, {} pairs touched", back.last_step().pairs().len());
    back.step()?;

    if let Some(file) = std::env::args().nth(1) {
        std::fs::write(&file, &recording)?;
        println!("written to {file}");
    }
    Ok(())
}

/// Bodies above the floor.
fn heap(world: &mut World) -> Result<Vec<Mover>, Error> {
    let wedge = ConvexPolygon::new(&[[-0.5, -0.5], [0.75, -0.5], [0.0, 0.75]])?;
    let shapes: [OwnedShape; 4] = [
        Circle::new([0.0, 0.0], 0.5).into(),
        Obb::new([0.0, 0.0], [0.75, 0.375], Rotation::IDENTITY).into(),
        Capsule::new([-0.5, 0.0], [0.5, 0.0], 0.25).into(),
        wedge.into(),
    ];
    let mut movers = Vec::new();
    for number in 0..12_u8 {
        let at = f32::from(number);
        let pose = Pose::at([at * 0.375 - 2.0, 1.0 + at * 0.75]);
        let body = Body { pose: Some(pose), user: number.into(), ..Body::default() };
        let handle = world.insert(&shapes[usize::from(number) % shapes.len()], body)?;
        // About a hundredth of a turn a step.
        let spin = Rotation { cos: 0.998, sin: if number % 2 == 0 { 0.0625 } else { -0.0625 } };
        movers.push(Mover { handle, pose, velocity: [0.0, 0.0], spin });
    }
    Ok(movers)
}

/// Moves the bodies, and pushes touching bodies apart. Returns the number of pairs that started.
fn advance(world: &mut World, movers: &mut [Mover]) -> Result<usize, Error> {
    for Mover { handle, pose, velocity, spin } in &mut *movers {
        velocity[1] -= 0.0625;
        let [cos, sin] = spin.apply([pose.cos, pose.sin]);
        *pose = Pose { x: pose.x + velocity[0], y: pose.y + velocity[1], cos, sin };
        world.set_pose(*handle, *pose)?;
        // The length of the rotation is normalised by the world.
        *pose = world.pose(*handle).unwrap_or(*pose);
    }
    let started = world.step()?.started().len();
    let step = world.last_step();
    for contact in step.contacts() {
        let (normal, depth) = (contact.normal(), contact.depth);
        for (row, way) in [(contact.pair.a, -1.0), (contact.pair.b, 1.0)] {
            let Some(mover) = movers.iter_mut().find(|mover| mover.handle.row() == row) else {
                continue;
            };
            mover.pose.x += normal.x * depth * 0.5 * way;
            mover.pose.y += normal.y * depth * 0.5 * way;
            let along = mover.velocity[0] * normal.x + mover.velocity[1] * normal.y;
            if along * way < 0.0 {
                mover.velocity[0] -= along * normal.x;
                mover.velocity[1] -= along * normal.y;
            }
        }
    }
    Ok(started)
}
