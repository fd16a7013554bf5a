//! Snapshots and recordings: restored worlds, and refused bytes.

use widephase::{
    Body, Error, Filter, Handle, Motion, Options, SimdLevel, World,
    error::{Fault, Field, FileFault},
    shape::{
        Aabb, Capsule, ChainSegment, Circle, Compound, ConvexPolygon, HalfPlane, Obb, OwnedShape,
        Part, Point, Pose, Rotation, RoundedBox, Segment, Sides,
    },
    world::Velocity,
};

use crate::{
    any_calls,
    counting::{alone, used},
    damage::{HEADER, replay, restore, stamp},
    insert_at, pose_for,
};
use common::{
    Rng,
    crowd::{Crowd, Make, Numbers},
};

/// Asserts that a snapshot gives the same world, which goes on in the same way.
fn check(world: &mut World, what: &str) {
    let saved = world.snapshot();
    let mut again = World::restore(&saved).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert!(again.snapshot() == saved, "{what}: the bytes differ");
    assert_eq!(again.state_hash(), world.state_hash(), "{what}");
    assert_eq!(again.last_step().pairs(), world.last_step().pairs(), "{what}");
    assert_eq!(again.last_step().started(), world.last_step().started(), "{what}");
    assert_eq!(again.last_step().stopped(), world.last_step().stopped(), "{what}");
    // Copies, of which two are made in the memory of another world.
    let mut copy = world.clone();
    let (mut overwritten, mut refilled) = (busy_world(), busy_world());
    overwritten.clone_from(world);
    refilled.restore_into(&saved).unwrap_or_else(|error| panic!("{what}: {error}"));
    let worlds = [&mut *world, &mut again, &mut copy, &mut overwritten, &mut refilled];
    let ends = worlds.map(|world| {
        assert!(world.snapshot() == saved, "{what}: a copy differs");
        let handles: Vec<Handle> = world.handles().collect();
        world.step().unwrap();
        for (at, handle) in handles.into_iter().enumerate() {
            let Pose { x, y, .. } = world.pose(handle).unwrap();
            let turn = Rotation::from_angle(at as f32);
            let pose = pose_for(world, handle, Pose::new([y * 0.75, x * 0.75], turn));
            world.set_pose(handle, pose).unwrap();
        }
        world.step().unwrap();
        world.snapshot()
    });
    assert!(ends.iter().all(|end| *end == ends[0]), "{what}: a copy goes on differently");
}

/// A world that has everything that a copy replaces.
fn busy_world() -> World {
    let mut world = World::new();
    let mut handles = Vec::new();
    for (at, shape) in odd_shapes().iter().enumerate() {
        let motion = [Motion::Moving, Motion::Static, Motion::Asleep][at % 3];
        let filter = if at % 4 == 3 { Filter::ALL.sensing() } else { Filter::ALL };
        let body = Body { motion, filter, user: 7, ..Body::default() };
        handles.push(world.insert(shape, body).unwrap());
    }
    world.step().unwrap();
    world.contacts_mut().1.fill([[1.0; 2]; 2]);
    world.set_shape(handles[1], Circle::new([0.0, 0.0], 2.0)).unwrap();
    world.remove(handles[0]).unwrap();
    world.start_recording();
    world
}

/// A copy that is refused changes nothing, and ends no recording.
#[test]
fn a_refused_snapshot_changes_nothing() {
    let mut world = busy_world();
    let before = world.snapshot();
    let mut damaged = World::new().snapshot();
    damaged.pop();
    for _ in 0..2 {
        assert!(world.restore_into(&damaged).is_err());
        assert!(world.snapshot() == before && world.is_recording());
    }
    // The options that a clone gets, and the options that stay.
    let level = Some(SimdLevel::Scalar);
    world.set_options(Options { simd_level: level, max_pairs: 77, ..Options::default() }).unwrap();
    let copy = world.clone();
    assert_eq!((copy.options(), copy.is_recording()), (world.options(), false));
    world.restore_into(&before).unwrap();
    assert_eq!(world.options().simd_level, level, "the level is no part of a snapshot");
    assert_eq!(world.options().max_pairs, Options::default().max_pairs);
    assert!(!world.is_recording() && world.snapshot() == before);
}

/// One shape of each kind, with numbers whose bits are easily lost.
fn odd_shapes() -> Vec<OwnedShape> {
    let tiny = f32::from_bits(1);
    let turned = Rotation { cos: -0.0, sin: -1.0 };
    let rounded = RoundedBox::new(Aabb::new([-1.0, 0.1], [2.000_000_2, 0.3]), 0.7);
    let polygon = ConvexPolygon::new(&[[0.0, 0.0], [2.0, -0.0], [0.0, 1.0]]).unwrap();
    let obb = Obb::new([-0.0, 3.0], [0.5, 0.0], turned);
    let parts: Vec<Part> = vec![
        Point::new([-0.0, 0.5]).into(),
        Circle::new([0.1, 0.2], 0.3).into(),
        Aabb::new([-0.0, 0.1], [0.3, 0.7]).into(),
        rounded.into(),
        obb.into(),
        Capsule::new([0.0, 0.0], [1.0, 0.3], 0.1).into(),
        Capsule::new([0.1, 0.1], [0.1, 0.1], 0.1).into(),
        Segment::new([0.0, 0.0], [0.0, tiny]).into(),
        polygon.clone().with_radius(0.125).unwrap().into(),
    ];
    vec![
        Point::new([-0.0, 0.0]).into(),
        Circle::new([0.0, -0.0], 0.5).into(),
        Aabb::new([-0.0, 0.1], [0.0, 0.3]).into(),
        rounded.into(),
        obb.into(),
        Capsule::new([0.1, 0.2], [0.3, 0.7], 0.25).into(),
        Capsule::new([0.5, -0.0], [0.5, 0.0], 0.25).into(),
        // Half their length is 0, and yet they are lines.
        Capsule::new([0.0, 0.0], [tiny, 0.0], 0.25).into(),
        Segment::new([0.0, tiny], [0.0, 0.0]).into(),
        Segment::new([0.1, 0.2], [0.3, 0.7]).into(),
        polygon.into(),
        Compound::new(parts).unwrap().into(),
        ChainSegment {
            before: Some([-0.3, -0.0].into()),
            sides: Sides::Right,
            ..ChainSegment::new([0.1, 0.2], [-0.0, 0.7])
        }
        .into(),
        ChainSegment { after: Some([0.9, 0.3].into()), ..ChainSegment::new([0.0; 2], [0.1, 0.7]) }
            .into(),
        HalfPlane::new([0.6, -0.8], 0.3).into(),
        HalfPlane::new([-0.0, 1.0], -0.0).into(),
    ]
}

#[test]
fn shapes_keep_their_bits() {
    let turned = Rotation::from_angle(0.3);
    let poses = [
        None,
        Some(Pose::at([0.0, 0.0])),
        Some(Pose::at([-0.0, -0.0])),
        Some(Pose::new([0.1, 0.7], Rotation { cos: -0.0, sin: -1.0 })),
        Some(Pose::new([0.3, -0.2], turned)),
    ];
    for shape in odd_shapes() {
        for pose in poses {
            for moved in poses {
                let mut world = World::new();
                let body = Body { pose, ..Body::default() };
                let handle = insert_at(&mut world, &shape, body);
                world.insert(Circle::new([0.0, 0.0], 1.0), Body::default()).unwrap();
                if let Some(moved) = moved {
                    let moved = pose_for(&world, handle, moved);
                    world.set_pose(handle, moved).unwrap();
                }
                let what = format!("{shape:?} at {pose:?}, moved to {moved:?}");
                check(&mut world, &what);
            }
        }
    }
}

/// Bodies of every kind that move, come and go.
fn crowded(seed: u64, steps: usize) -> World {
    let numbers = Numbers::ALL[seed as usize % 4];
    let makes = Make::ALL.to_vec();
    let crowd =
        Crowd { seed, count: 40, makes, numbers, unit: 0, far: 0, flat: seed.is_multiple_of(3) };
    let mut rng = Rng::new(seed);
    let mut world = World::new();
    for solid in crowd.solids() {
        let motion = [Motion::Moving, Motion::Static, Motion::Asleep][rng.below(3) as usize];
        let filter = if rng.below(4) == 0 { Filter::ALL.sensing() } else { Filter::ALL };
        let space = if seed.is_multiple_of(2) { 0 } else { rng.below(3) as u32 };
        let body = Body { pose: solid.pose, motion, filter, space, user: rng.bits() };
        insert_at(&mut world, &solid.shape, body);
    }
    for _ in 0..steps {
        let handles: Vec<Handle> = world.handles().collect();
        for handle in handles {
            let Pose { x, y, .. } = world.pose(handle).unwrap();
            let turn = Rotation::from_angle(rng.range(-3.0, 3.0));
            match rng.below(12) {
                0 => world.remove(handle).unwrap(),
                1 => {
                    let circle = Circle::new([x, y], 0.5);
                    world.insert(circle, Body::default()).unwrap();
                }
                2 => world.set_shape(handle, Circle::new([x, y], 0.5)).unwrap(),
                _ => {
                    let pose = Pose::new([x + 0.25, y - 0.125], turn);
                    world.set_pose(handle, pose_for(&world, handle, pose)).unwrap();
                }
            }
        }
        world.step().unwrap();
        for value in world.contacts_mut().1.as_flattened_mut().as_flattened_mut() {
            *value += rng.range(0.0, 1.0);
        }
    }
    world
}

#[test]
fn worlds_go_on() {
    check(&mut World::new(), "an empty world");
    for seed in 0..30 {
        check(&mut crowded(seed, seed as usize % 4), &format!("seed {seed}"));
    }
}

#[test]
fn handles_after_a_restore() {
    let mut world = World::new();
    let ball = Circle::new([0.0, 0.0], 1.0);
    let [kept, gone] = [(); 2].map(|()| world.insert(ball, Body::default()).unwrap());
    world.remove(gone).unwrap();
    let saved = world.snapshot();
    // A future that is taken back: a new body in the row of the old body, and a body in a new row.
    let [later, new] = [(); 2].map(|()| world.insert(ball, Body::default()).unwrap());
    let mut again = World::restore(&saved).unwrap();
    assert!(again.contains(kept));
    for handle in [gone, later, new] {
        assert!(!again.contains(handle));
        assert_eq!(again.remove(handle).unwrap_err(), Error::StaleHandle { handle });
    }
    // It goes on as the other one did, so it gives out the same handles.
    assert_eq!(again.insert(ball, Body::default()).unwrap(), later);
    assert_eq!(again.insert(ball, Body::default()).unwrap(), new);
    assert!(!again.contains(gone));
}

#[test]
fn damaged_files_are_refused_by_their_fault() {
    let saved = crowded(1, 2).snapshot();
    let refusal = |bytes: &[u8]| match World::restore(bytes) {
        Err(Error::InvalidFile { fault, .. }) => fault,
        other => panic!("{:?}", other.map(|world| world.len())),
    };
    assert_eq!(refusal(b""), FileFault::Foreign);
    assert_eq!(refusal(b"GIF89a, of a cat, and more of it"), FileFault::Foreign);
    assert_eq!(refusal(&saved[..20]), FileFault::TooShort);
    assert_eq!(refusal(&saved[..saved.len() - 1]), FileFault::TooShort);
    assert_eq!(refusal(&[&saved[..], b"x"].concat()), FileFault::TooLong);
    let mut other = saved.clone();
    other[8] += 1;
    let version = u64::from(other[8]);
    assert_eq!(refusal(&other), FileFault::Version { version });
    for at in HEADER..saved.len() {
        let mut other = saved.clone();
        other[at] ^= 0x10;
        assert_eq!(refusal(&other), FileFault::Damaged, "byte {at}");
    }
    // Behind the default options: a number of rows.
    let mut many = saved.clone();
    many[HEADER + 20..][..8].copy_from_slice(&(1_u64 << 60).to_le_bytes());
    stamp(&mut many);
    assert_eq!(refusal(&many), FileFault::TooShort);
    // A recording is no snapshot.
    let mut world = World::new();
    world.start_recording();
    assert!(world.is_recording());
    let recording = world.stop_recording().unwrap();
    assert_eq!((refusal(&recording), world.stop_recording()), (FileFault::Foreign, None));
}

/// A row whose last generation is used up is not used again, also after a restore.
#[test]
fn rows_that_are_used_up() {
    let mut world = World::new();
    world.insert(Circle::new([0.0, 0.0], 1.0), Body::default()).unwrap();
    let mut saved = world.snapshot();
    // The handle of row 0, behind the options, the margin, the tag and the number of rows.
    saved[HEADER + 33..][..8].copy_from_slice(&(((1_u64 << 24) - 1) << 32).to_le_bytes());
    stamp(&mut saved);
    let mut world = World::restore(&saved).unwrap();
    let last = world.handles().next().unwrap();
    assert_eq!((last.row(), last.generation()), (0, (1 << 24) - 1));
    world.remove(last).unwrap();
    let mut again = World::restore(&world.snapshot()).unwrap();
    for world in [&mut world, &mut again] {
        let next = world.insert(Circle::new([0.0, 0.0], 1.0), Body::default()).unwrap();
        assert_eq!((next.row(), next.generation()), (1, 1));
    }
}

/// The errors of values are the errors of the calls that take them.
#[test]
fn values_are_checked_as_on_entry() {
    let mut world = World::new();
    world.insert(Circle::new([3.0, 4.0], 0.625), Body::default()).unwrap();
    let mut saved = world.snapshot();
    let place = saved.windows(4).position(|bytes| bytes == 0.625_f32.to_le_bytes()).unwrap();
    saved[place..place + 4].copy_from_slice(&(-1.0_f32).to_le_bytes());
    stamp(&mut saved);
    let (index, field, value, fault) = (0, Field::Radius, -1.0, Fault::Negative);
    let error = Error::InvalidShape { index, field, value, fault };
    assert_eq!(World::restore(&saved).unwrap_err(), error);
}

/// A short recording with every call.
fn recording() -> Vec<u8> {
    let mut world = World::new();
    let shapes = odd_shapes();
    for shape in &shapes[..6] {
        world.insert(shape, Body::default()).unwrap();
    }
    world.step().unwrap();
    world.start_recording();
    let mut handles = Vec::new();
    for shape in &shapes[4..] {
        let body = Body { motion: Motion::Static, user: 7, ..Body::default() };
        handles.push(world.insert(shape, body).unwrap());
    }
    world.step().unwrap();
    world.contacts_mut().1[0] = [[1.0, 2.0], [3.0, 4.0]];
    world.remove(handles[0]).unwrap();
    world.set_shape(handles[1], &shapes[11]).unwrap();
    world.set_pose(handles[2], Pose::at([0.5, 0.5])).unwrap();
    world.set_poses(&handles[3..5], &[Pose::at([0.25, 0.5]), Pose::at([1.0, 0.0])]).unwrap();
    world.set_motion(handles[3], Motion::Moving).unwrap();
    world.set_filter(handles[4], Filter::ALL.in_group(-3)).unwrap();
    world.set_user(handles[4], 99).unwrap();
    world.set_margin(0.25).unwrap();
    let velocities = [Velocity::of([1.0, 0.0]), Velocity { x: 0.0, y: 2.0, spin: 1.0 }];
    world.set_velocities(&handles[4..6], &velocities).unwrap();
    world.step().unwrap();
    let touching = widephase::Touching::Exclusive;
    world.set_options(Options { touching, ..Options::default() }).unwrap();
    let x: Vec<f32> = (0..world.len()).map(|at| at as f32 * 0.25).collect();
    world.set_positions_of_all(&x, &x).unwrap();
    world.step().unwrap();
    let quarter = Pose::new([0.0, 0.0], Rotation { cos: 0.0, sin: 1.0 });
    let turns = world.handles().map(|handle| pose_for(&world, handle, quarter).rotation());
    let (cos, sin): (Vec<f32>, Vec<f32>) = turns.map(|turn| (turn.cos, turn.sin)).unzip();
    world.set_poses_of_all(&x, &x, &cos, &sin).unwrap();
    assert!(world.set_pose(handles[0], Pose::default()).is_err());
    world.step().unwrap();
    world.stop_recording().unwrap()
}

#[test]
fn every_call_is_recorded() {
    let recording = recording();
    let world = replay(&recording).unwrap();
    assert_eq!(world.options().touching, widephase::Touching::Exclusive);
    let mut again = recording.clone();
    stamp(&mut again);
    assert!(again == recording);
}

/// A value that is replaced in the snapshot of a recording is found at the first step.
#[test]
fn other_states_diverge() {
    let mut world = World::new();
    let body = Body { user: 0x1234_5678_9abc, ..Body::default() };
    let ball = world.insert(Circle::new([0.0, 0.0], 1.0), body).unwrap();
    world.start_recording();
    world.step().unwrap();
    world.set_pose(ball, Pose::at([1.0, 2.0])).unwrap();
    world.step().unwrap();
    let mut recording = world.stop_recording().unwrap();
    let recorded = world.state_hash();
    assert!(replay(&recording).is_ok());
    // The pose of the second step.
    let place = recording.windows(4).rposition(|bytes| bytes == 2.0_f32.to_le_bytes()).unwrap();
    recording[place + 3] = 0x41;
    stamp(&mut recording);
    match replay(&recording).unwrap_err() {
        Error::Diverged { step, recorded: before, .. } => assert_eq!((step, before), (2, recorded)),
        other => panic!("{other}"),
    }
    // A value that is not valid.
    recording[place + 3] = 0x7f;
    recording[place + 2] = 0xff;
    stamp(&mut recording);
    match replay(&recording).unwrap_err() {
        Error::ReplayFailed { step, error } => {
            assert_eq!(step, 2);
            assert!(matches!(*error, Error::InvalidShape { field: Field::Y, .. }));
        }
        other => panic!("{other}"),
    }
}

/// The most bytes that a file of a stranger may take, beside a constant, which is six lists of
/// contacts with a margin: this many for each byte.
const BYTES_A_BYTE: usize = 64;
const BYTES: usize = 3 << 20;

/// Whatever a byte or the length of a file becomes: no panic, no memory beyond a multiple of the
/// bytes.
#[test]
fn damaged_files_take_no_memory() {
    let _turn = alone();
    let recording = recording();
    let snapshot = replay(&recording).unwrap().snapshot();
    let check = |file: &[u8], what: &dyn Fn() -> String| {
        let used = used(|| {
            let read = if file.starts_with(b"wpworld") { restore } else { replay };
            // The text of the error, too.
            drop(read(file).map_err(|error| error.to_string()));
        });
        assert!(used.peak <= BYTES + BYTES_A_BYTE * file.len(), "{}: {used:?}", what());
    };
    for file in [snapshot, recording] {
        for at in 0..file.len() {
            for value in [0xff, file[at] ^ 0x80, file[at] ^ 1] {
                let mut other = file.clone();
                other[at] = value;
                check(&other, &|| format!("byte {at} is {value}, another hash"));
                stamp(&mut other);
                check(&other, &|| format!("byte {at} is {value}"));
            }
            let mut other = file[..at].to_vec();
            check(&other, &|| format!("{at} bytes, another hash"));
            stamp(&mut other);
            check(&other, &|| format!("{at} bytes"));
        }
    }
}

/// The work of the fuzz targets, with random bytes.
#[test]
fn random_bytes_as_calls_replay_or_are_refused() {
    let mut rng = Rng::new(7);
    for _ in 0..300 {
        let bytes: Vec<u8> = (0..200 + rng.below(1800)).map(|_| rng.bits() as u8).collect();
        any_calls::check(&bytes);
        let recording = any_calls::record(&bytes);
        assert!(replay(&recording).is_ok());
        let mut other = recording.clone();
        for _ in 0..1 + rng.below(4) {
            let at = rng.below(other.len() as u64) as usize;
            other[at] = rng.bits() as u8;
        }
        stamp(&mut other);
        drop(replay(&other));
    }
}

/// The memory that a snapshot of many bodies takes to be read: with records of rotated shapes and
/// pairs, and without both kinds of records.
#[test]
fn memory_follows_the_bytes() {
    let _turn = alone();
    for (pitch, turned) in [(1.0, true), (3.0, true), (3.0, false)] {
        let mut world = World::new();
        for row in 0..20_000 {
            let place = [(row % 141) as f32 * pitch, (row / 141) as f32 * pitch];
            if turned {
                let capsule = Capsule::new([0.0, 0.0], [0.5, 0.0], 0.25);
                let body = Body { pose: Some(Pose::at(place)), ..Body::default() };
                world.insert(capsule, body).unwrap();
            } else {
                world.insert(Point::new(place), Body::default()).unwrap();
            }
        }
        world.step().unwrap();
        let saved = world.snapshot();
        let mut again = World::new();
        let used = used(|| again = World::restore(&saved).unwrap());
        let factor = used.peak as f64 / saved.len() as f64;
        println!("{} bytes; {} at most, {factor:.1} times", saved.len(), used.peak);
        assert!(factor < 12.0, "{factor}");
        assert_eq!(again.len(), 20_000);
    }
}

/// A snapshot after a step that failed: the pairs of bodies that rest are the pairs of the world,
/// not of the last step.
#[test]
fn pairs_at_rest_after_a_failed_step() {
    let options = Options { max_pairs: 1, ..Options::default() };
    let asleep = Body { motion: Motion::Asleep, ..Body::default() };
    for apart in [false, true] {
        let mut world = World::with_options(options).unwrap();
        let rest = [0.0, 1.0].map(|x| world.insert(Circle::new([x, 0.0], 1.0), asleep).unwrap());
        let mut pairs = 1;
        if apart {
            // The pair is a pair of the last step, and no longer there when the next step fails.
            world.step().unwrap();
            world.set_pose(rest[0], Pose::at([-9.0, 0.0])).unwrap();
            pairs = 0;
        }
        let moving =
            [(); 3].map(|()| world.insert(Circle::new([50.0, 0.0], 1.0), Body::default()).unwrap());
        assert!(matches!(world.step(), Err(Error::TooManyPairs { .. })));
        let mut again = World::restore(&world.snapshot()).unwrap();
        for world in [&mut world, &mut again] {
            for handle in &moving[1..] {
                world.remove(*handle).unwrap();
            }
            assert_eq!(world.step().unwrap().pairs().len(), pairs);
        }
        check(&mut world, "after a failed step");
    }
}

/// Compounds of all kinds of parts, so many that they have a tree, come back equal: the tree is the
/// tree of the parts as they were given.
#[test]
fn large_compounds_come_back_equal() {
    let mut rng = Rng::new(8);
    for count in [17, 40, 300] {
        let mut at = |extent: f32| [rng.range(-extent, extent), rng.range(-extent, extent)];
        let parts: Vec<Part> = (0..count)
            .map(|number| {
                let (from, size) = (at(30.0), at(9.0).map(|size: f32| size.abs() + 0.1));
                let to = [from[0] + size[0], from[1] + size[1]];
                let corners = [from, [to[0], from[1]], to, [from[0] - size[0] * 0.3, to[1]]];
                match number % 7 {
                    0 => Point::new(from).into(),
                    1 => Circle::new(from, size[0]).into(),
                    2 => Aabb::new(from, to).into(),
                    3 => RoundedBox::new(Aabb::new(from, to), 0.5).into(),
                    4 => Obb::new(from, size, Rotation::from_angle(size[0])).into(),
                    5 => Capsule::new(from, to, 0.25).into(),
                    _ => ConvexPolygon::new(&corners).unwrap().into(),
                }
            })
            .collect();
        let shape: OwnedShape = Compound::new(parts).unwrap().into();
        let mut world = World::new();
        let handle = world.insert(&shape, Body::default()).unwrap();
        let again = World::restore(&world.snapshot()).unwrap();
        let [own, other] = [&world, &again].map(|world| world.shape(handle).unwrap());
        assert_eq!(own, other, "{count} parts");
        assert_eq!(again.snapshot(), world.snapshot(), "{count} parts");
    }
}
