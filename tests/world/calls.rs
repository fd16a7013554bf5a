//! Calls of a world, by hand.

use widephase::{
    Body, Error, Filter, Handle, Islands, Motion, Options, Queries, Ray, Threads, World,
    error::{Fault, Field},
    shape::{Aabb, Capsule, Circle, Obb, Point, Pose, Rotation},
    world::StopReason,
};

fn ball(x: f32) -> Circle {
    Circle::new([x, 0.0], 1.0)
}

fn insert(world: &mut World, x: f32) -> Handle {
    world.insert(ball(x), Body::default()).unwrap()
}

#[test]
fn handles_are_eight_bytes_and_never_zero() {
    assert_eq!(size_of::<Option<Handle>>(), 8);
    assert_eq!(Handle::from_bits(0), None);
    assert_eq!(Handle::from_bits(7), None, "generation 0");
    let mut world = World::new();
    let first = insert(&mut world, 0.0);
    assert_eq!((first.row(), first.generation()), (0, 1));
    for generation in 1..100 {
        let handle = insert(&mut world, 0.0);
        assert_eq!((handle.row(), handle.generation()), (1, generation));
        assert_eq!(Handle::from_bits(handle.to_bits()), Some(handle));
        world.remove(handle).unwrap();
        assert!(!world.contains(handle));
        let stale = Error::StaleHandle { handle };
        assert_eq!(world.body(handle).unwrap_err(), stale);
        assert_eq!(world.pose(handle).unwrap_err(), stale);
        assert_eq!(world.shape(handle).unwrap_err(), stale);
    }
    assert_eq!((world.len(), world.rows()), (1, 2));
    // A handle with a row that this world does not have.
    let beyond = Handle::from_bits(first.to_bits() + 77).unwrap();
    assert_eq!((beyond.row(), beyond.tag()), (77, world.tag()));
    assert_eq!(world.remove(beyond).unwrap_err(), Error::StaleHandle { handle: beyond });
}

#[test]
fn a_handle_of_another_world_is_an_error() {
    let (mut world, mut other) = (World::new(), World::new());
    assert_ne!(world.tag(), other.tag());
    let (own, foreign) = (insert(&mut world, 0.0), insert(&mut other, 0.0));
    assert_eq!((own.row(), own.generation()), (foreign.row(), foreign.generation()));
    let stale = Error::StaleHandle { handle: foreign };
    assert!(!world.contains(foreign));
    assert_eq!(world.pose(foreign).unwrap_err(), stale);
    assert_eq!(world.remove(foreign).unwrap_err(), stale);
    let pose = Pose::at([1.0, 0.0]);
    assert_eq!(world.set_poses(&[foreign], &[pose]).unwrap_err(), stale);
    assert_eq!(world.state_hash(), other.state_hash(), "the tag is not in the hash");

    // Copies have the tag.
    let restored = World::restore(&world.snapshot()).unwrap();
    for copy in [&world.clone(), &restored] {
        assert_eq!((copy.tag(), copy.contains(own)), (world.tag(), true));
    }
    // With one tag, the handles are equal.
    world.remove(own).unwrap();
    let own = insert(&mut world, 0.0);
    other.remove(foreign).unwrap();
    let foreign = insert(&mut other, 0.0);
    world.set_tag(other.tag());
    assert!(!world.contains(own) && world.contains(foreign));
    assert_eq!(world.handle(0), Some(foreign));
    world.step().unwrap();
    assert_eq!(world.remove(foreign), Ok(()));
}

/// Bodies are moved in a loop over contacts, and steps are kept.
#[test]
fn a_step_is_the_callers() {
    let mut world = World::new();
    let (one, other) = (insert(&mut world, 0.0), insert(&mut world, 1.5));
    let first = world.step().unwrap();
    for contact in first.contacts() {
        let body = world.handle(contact.pair.b).unwrap();
        let pose = world.pose(body).unwrap();
        let at = pose.position() + contact.normal() * contact.depth;
        world.set_pose(body, Pose::at(at)).unwrap();
        assert_eq!(world.pose(other).unwrap().x, 2.0);
    }
    world.set_pose(other, Pose::at([9.0, 0.0])).unwrap();
    let second = world.step().unwrap();
    let third = world.step().unwrap();
    assert_eq!((first.contacts().len(), first.contacts()[0].depth), (1, 0.5));
    assert_eq!((second.stopped().len(), second.stopped()[0].a), (1, one));
    assert!(third.stopped().is_empty() && third.pairs().is_empty());
    assert_eq!(world.last_step().pairs().len(), 0);
}

/// Queries lend the world; their answers have handles.
#[test]
fn queries_need_no_exclusive_world() {
    let mut world = World::new();
    let bodies: Vec<Handle> = (0..5).map(|at| insert(&mut world, 3.0 * at as f32)).collect();
    world.remove(bodies[1]).unwrap();
    let world = &world;
    let (mut rows, mut near, mut hits) = (Vec::new(), Vec::new(), Vec::new());
    let index = world.index().unwrap();
    index.overlapping(Aabb::new([2.5, -1.0], [6.5, 1.0]), &mut rows).unwrap();
    index.k_nearest(Point::new([0.0, 0.0]), 3, f32::INFINITY, &mut near).unwrap();
    index.cast_ray_all(Ray::new([-2.0, 0.0], [20.0, 0.0]), &mut hits).unwrap();
    let names = |answers: &mut dyn Iterator<Item = Handle>| answers.collect::<Vec<_>>();
    assert_eq!(names(&mut world.named(&rows).map(|(body, _)| body)), [bodies[2]]);
    let nearest = [bodies[0], bodies[2], bodies[3]];
    assert_eq!(names(&mut world.named(&near).map(|(body, _)| body)), nearest);
    let hit = [bodies[0], bodies[2], bodies[3], bodies[4]];
    assert_eq!(names(&mut world.named(&hits).map(|(body, _)| body)), hit);
    assert!(world.named(&hits).all(|(body, hit)| world.handle(hit.row) == Some(body)));
    assert_eq!(world.named(&[1, 99]).count(), 0, "a vacant row, and no row");
    // Threads ask at once.
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_eq!(world.index().unwrap().len(), 4));
        }
    });
}

#[test]
fn a_reused_row_is_a_new_body() {
    let mut world = World::new();
    let (one, other) = (insert(&mut world, 0.0), insert(&mut world, 1.0));
    world.step().unwrap();
    world.remove(other).unwrap();
    let new = insert(&mut world, 1.0);
    assert_eq!(new.row(), other.row());
    let step = world.step().unwrap();
    assert_eq!((step.started().len(), world.persisted().count(), step.stopped().len()), (1, 0, 1));
    assert_eq!((step.started()[0].a, step.started()[0].b), (one, new));
    assert_eq!((step.stopped()[0].b, step.stopped()[0].reason), (other, StopReason::Removed));
}

/// The poses of all bodies, in the order of their rows and in another order.
#[test]
fn poses_of_all_bodies_in_any_order() {
    let mut worlds = [World::new(), World::new()];
    for world in &mut worlds {
        for number in 0..40 {
            let motion = if number % 7 == 0 { Motion::Static } else { Motion::Moving };
            let body = Body { motion, ..Body::default() };
            let x = number as f32 * 0.7;
            match number % 3 {
                0 => world.insert(ball(x), body),
                1 => world.insert(Capsule::new([x, 0.0], [x + 1.0, 0.5], 0.2), body),
                _ => world.insert(Aabb::new([x, 0.0], [x + 0.5, 1.0]), body),
            }
            .unwrap();
        }
        world.step().unwrap();
    }
    let tag = worlds[0].tag();
    worlds[1].set_tag(tag);
    let handles: Vec<Handle> = worlds[0].handles().collect();
    for round in 0..4 {
        let mut poses: Vec<Pose> = (0..40)
            .map(|row| {
                let turns = if row % 3 == 1 { round as f32 + row as f32 } else { 0.0 };
                let at = [(row * 7 % 40) as f32 * 0.6, round as f32 * 0.3];
                Pose::new(at, Rotation::from_angle(turns))
            })
            .collect();
        let reversed = |poses: &[Pose]| -> (Vec<Handle>, Vec<Pose>) {
            (handles.iter().rev().copied().collect(), poses.iter().rev().copied().collect())
        };
        let (other_handles, other_poses) = reversed(&poses);
        worlds[0].set_poses(&handles, &poses).unwrap();
        worlds[1].set_poses(&other_handles, &other_poses).unwrap();
        assert_eq!(worlds[0].snapshot(), worlds[1].snapshot(), "round {round}");
        let [hash, other] = worlds.each_mut().map(|world| {
            assert!(!world.step().unwrap().pairs().is_empty());
            world.state_hash()
        });
        assert_eq!(hash, other, "round {round}");
        // A pose that is not valid: all stay.
        poses[17] = Pose::at([f32::NAN, 0.0]);
        let error = worlds[0].set_poses(&handles, &poses).unwrap_err();
        assert!(matches!(error, Error::InvalidShape { index: 17, .. }), "{error:?}");
        assert_eq!(worlds[0].state_hash(), hash);
    }
    // A stale handle among as many handles.
    let gone = handles[39];
    worlds[0].remove(gone).unwrap();
    assert_ne!(insert(&mut worlds[0], 0.0), gone);
    let error = worlds[0].set_poses(&handles, &[Pose::default(); 40]).unwrap_err();
    assert_eq!(error, Error::StaleHandle { handle: gone });
}

/// After a step, its events name the bodies that it had, whatever has changed since.
#[test]
fn the_last_step_names_its_bodies() {
    let mut world = World::new();
    let (one, other) = (insert(&mut world, 0.0), insert(&mut world, 1.0));
    world.step().unwrap();
    world.step().unwrap();
    world.set_user(one, 5).unwrap();
    world.set_user(other, 7).unwrap();
    // Two bodies more in the row, one of which no step has seen.
    for _ in 0..2 {
        let gone = world.handle(other.row()).unwrap();
        world.remove(gone).unwrap();
        assert_eq!(insert(&mut world, 1.0).row(), other.row());
    }
    let event = world.persisted().next().unwrap();
    assert_eq!((event.a, event.b), (one, other));
    assert_eq!((event.user_a, event.user_b, event.is_sensor(), event.index), (5, 7, false, 0));
    let restored = World::restore(&world.snapshot()).unwrap();
    assert_eq!(restored.persisted().next(), Some(event));
    let step = world.step().unwrap();
    let stopped = step.stopped()[0];
    assert_eq!((stopped.a, stopped.b, stopped.user_a, stopped.user_b), (one, other, 5, 7));
    assert_eq!((step.started().len(), world.persisted().count(), step.stopped().len()), (1, 0, 1));
}

#[test]
fn failed_calls_change_nothing() {
    let mut world = World::new();
    let bad = Circle::new([0.0, f32::NAN], 1.0);
    assert!(matches!(world.insert(bad, Body::default()), Err(Error::InvalidShape { .. })));
    let body = Body { pose: Some(Pose::at([f32::INFINITY, 0.0])), ..Body::default() };
    assert!(world.insert(ball(0.0), body).is_err());
    assert!(world.is_empty());
    let (one, other) = (insert(&mut world, 0.0), insert(&mut world, 1.0));
    world.remove(other).unwrap();
    // Into a free row.
    assert!(world.insert(ball(0.0), body).is_err());
    assert_eq!((world.len(), world.handle(1)), (1, None));
    let new = insert(&mut world, 5.0);
    assert_eq!((new.row(), new.generation()), (1, 2));
    // The second pose is bad: the first is taken back.
    let poses = [Pose::at([9.0, 9.0]), Pose::at([f32::NAN, 0.0])];
    assert!(world.set_poses(&[one, new], &poses).is_err());
    assert_eq!(world.pose(one), Ok(Pose::at([0.0, 0.0])));
    assert!(matches!(
        world.set_poses(&[one, new], &poses[..1]).unwrap_err(),
        Error::UnequalColumns { len: 1, expected: 2, .. }
    ));
    assert!(world.set_poses(&[one, other], &[Pose::at([1.0, 1.0]); 2]).is_err());
    assert_eq!(world.pose(one), Ok(Pose::at([0.0, 0.0])));
}

/// The sides of a box, and the ends of a capsule, are more exact as given than by its pose.
#[test]
fn failed_poses_keep_the_bits() {
    let mut world = World::new();
    let sides = Aabb::new([0.1, 0.1], [0.300_000_04, 7.3]);
    let capsule = Capsule::new([0.1, 0.1], [0.300_000_04, 7.3], 0.5);
    let handles = [
        world.insert(sides, Body::default()).unwrap(),
        world.insert(capsule, Body::default()).unwrap(),
        insert(&mut world, 5.0),
    ];
    let hash = world.state_hash();
    let bad = [Pose::at([9.0, 9.0]), Pose::at([9.0, 9.0]), Pose::at([f32::NAN, 0.0])];
    assert!(world.set_poses(&handles, &bad).is_err());
    assert_eq!(world.shape(handles[0]), Ok(sides.into()));
    assert_eq!(world.shape(handles[1]), Ok(capsule.into()));
    assert_eq!(world.state_hash(), hash);
    // A handle that is listed twice: the last pose counts.
    world.set_poses(&[handles[2]; 2], &[Pose::at([1.0, 1.0]), Pose::at([2.0, 1.0])]).unwrap();
    assert_eq!(world.pose(handles[2]), Ok(Pose::at([2.0, 1.0])));
}

#[test]
fn all_bodies_by_columns() {
    let mut world = World::new();
    let handles: Vec<Handle> = (0..6).map(|at| insert(&mut world, at as f32 * 5.0)).collect();
    let wall = Body { motion: Motion::Static, ..Body::default() };
    let wall = world.insert(Obb::new([0.0, 9.0], [1.0, 2.0], Rotation::IDENTITY), wall).unwrap();
    world.remove(handles[2]).unwrap();
    let order: Vec<Handle> = world.handles().collect();
    assert_eq!(order.len(), 6);
    let (x, mut y) = ([0.0, 1.0, 2.0, 3.0, 4.0, 0.0], [0.0, 1.0, 2.0, 3.0, 4.0, 9.0]);
    world.set_positions_of_all(&x, &y).unwrap();
    for (at, handle) in order.iter().enumerate() {
        assert_eq!(world.pose(*handle), Ok(Pose::at([x[at], y[at]])));
    }
    let turn = Rotation { cos: 0.0, sin: 1.0 };
    world.set_poses_of_all(&y, &x, &[0.0; 6], &[1.0; 6]).unwrap();
    assert_eq!(world.pose(wall), Ok(Pose::new([9.0, 0.0], turn)));
    assert_eq!(world.pose(order[1]), Ok(Pose::at([1.0, 1.0])), "a circle has no rotation");

    // Whatever fails, nothing is moved.
    let hash = world.state_hash();
    let error = world.set_positions_of_all(&x, &y[..5]).unwrap_err();
    assert_eq!(error, Error::UnequalColumns { field: Field::Y, len: 5, expected: 6 });
    let error = world.set_poses_of_all(&x, &y, &[1.0; 6], &[0.0; 7]).unwrap_err();
    assert_eq!(error, Error::UnequalColumns { field: Field::Sin, len: 7, expected: 6 });
    y[4] = f32::NAN;
    // The fifth body is in row 5, behind the vacant row, and at place 4 of the columns.
    for error in [
        world.set_positions_of_all(&x, &y).unwrap_err(),
        world.set_poses_of_all(&x, &y, &[1.0; 6], &[0.0; 6]).unwrap_err(),
    ] {
        assert!(matches!(error, Error::InvalidShape { index: 4, field: Field::Y, .. }), "{error}");
    }
    let some = [order[4], order[0], order[3]];
    let poses = [Pose::default(), Pose::default(), Pose::at([f32::NAN, 0.0])];
    let error = world.set_poses(&some, &poses).unwrap_err();
    assert!(matches!(error, Error::InvalidShape { index: 2, field: Field::X, .. }), "{error}");
    assert_eq!(world.state_hash(), hash);
}

/// Columns of all bodies have the results of the same poses, body by body: also where only bodies
/// that do not move have moved.
#[test]
fn columns_are_the_same_as_handles() {
    let still = Body { motion: Motion::Static, ..Body::default() };
    let (mut by_columns, mut by_handles) = (World::new(), World::new());
    for world in [&mut by_columns, &mut by_handles] {
        insert(world, 0.0);
        world.insert(ball(1.5), still).unwrap();
        world.step().unwrap();
    }
    for x in [[0.0, 1.5], [0.5, 1.5], [0.5, 9.0], [0.5, 1.0]] {
        by_columns.set_positions_of_all(&x, &[0.0; 2]).unwrap();
        let handles: Vec<Handle> = by_handles.handles().collect();
        by_handles.set_poses(&handles, &x.map(|x| Pose::at([x, 0.0]))).unwrap();
        let pairs = by_columns.step().unwrap().pairs().to_vec();
        assert_eq!(pairs, by_handles.step().unwrap().pairs());
        assert_eq!(by_columns.state_hash(), by_handles.state_hash(), "{x:?}");
    }
}

#[test]
fn reasons_of_stops() {
    let mut world = World::new();
    let handles: Vec<Handle> = (0..8).map(|at| insert(&mut world, at as f32 * 0.1)).collect();
    assert_eq!(world.step().unwrap().started().len(), 28);
    world.remove(handles[0]).unwrap();
    world.set_filter(handles[1], Filter::new(0, 0)).unwrap();
    world.set_shape(handles[2], Circle::new([50.0, 0.0], 1.0)).unwrap();
    world.set_pose(handles[3], Pose::at([90.0, 0.0])).unwrap();
    for handle in &handles[6..] {
        world.set_motion(*handle, Motion::Static).unwrap();
    }
    let step = world.step().unwrap();
    let reason = |a: usize, b: usize| {
        let (a, b) = (handles[a].min(handles[b]), handles[a].max(handles[b]));
        step.stopped().iter().find(|event| (event.a, event.b) == (a, b)).map(|event| event.reason)
    };
    assert_eq!(reason(0, 4), Some(StopReason::Removed));
    assert_eq!(reason(1, 4), Some(StopReason::Filtered));
    assert_eq!(reason(2, 4), Some(StopReason::Changed));
    assert_eq!(reason(3, 4), Some(StopReason::Apart));
    assert_eq!(reason(6, 7), Some(StopReason::Filtered));
    assert_eq!(reason(4, 5), None);
    assert_eq!(reason(4, 6), None);
}

#[test]
fn sleepers_keep_their_pairs() {
    let mut world = World::new();
    let floor = Body { motion: Motion::Static, ..Body::default() };
    world.insert(Aabb::new([-9.0, -2.0], [9.0, -0.5]), floor).unwrap();
    let (one, other) = (insert(&mut world, 0.0), insert(&mut world, 1.0));
    assert_eq!(world.step().unwrap().started().len(), 3);
    for handle in [one, other] {
        world.set_motion(handle, Motion::Asleep).unwrap();
    }
    for _ in 0..3 {
        let step = world.step().unwrap();
        assert_eq!((world.persisted().count(), step.contacts().len()), (3, 3));
        assert!(step.started().is_empty() && step.stopped().is_empty());
    }
}

#[test]
fn values_stay_with_contacts() {
    let mut world = World::new();
    let floor = Body { motion: Motion::Static, ..Body::default() };
    world.insert(Aabb::new([-9.0, -1.0], [9.0, 0.0]), floor).unwrap();
    let boxed = Obb::new([0.0, 0.5], [0.5, 0.5], Rotation::IDENTITY);
    let crate_ = world.insert(boxed, Body::default()).unwrap();
    world.step().unwrap();
    let (contacts, values) = world.contacts_mut();
    assert_eq!((contacts.len(), contacts[0].points().len()), (1, 2));
    assert_eq!(values, [[[0.0; 2]; 2]]);
    values[0] = [[1.0, 2.0], [3.0, 4.0]];
    // The box slides, and another body comes and goes.
    world.set_pose(crate_, Pose::at([0.25, 0.5])).unwrap();
    let guest = insert(&mut world, 5.0);
    world.step().unwrap();
    let place = world.last_step().contacts().iter().position(|c| c.pair.b == crate_.row()).unwrap();
    assert_eq!(world.contact_values()[place], [[1.0, 2.0], [3.0, 4.0]]);
    world.remove(guest).unwrap();
    world.set_pose(crate_, Pose::at([0.0, 9.0])).unwrap();
    world.step().unwrap();
    world.set_pose(crate_, Pose::at([0.0, 0.5])).unwrap();
    world.step().unwrap();
    assert_eq!(world.contact_values(), [[[0.0; 2]; 2]], "a new contact");
}

#[test]
fn queries_and_islands() {
    let mut world = World::new();
    let handles: Vec<Handle> = [0.0, 1.5, 10.0].map(|x| insert(&mut world, x)).to_vec();
    let ray = Ray::new([-5.0, 0.0], [1.0, 0.0]);
    let hit = world.index().unwrap().cast_ray(ray).unwrap().unwrap();
    assert_eq!(world.handle(hit.row), Some(handles[0]));
    world.remove(handles[0]).unwrap();
    let hit = world.index().unwrap().cast_ray(ray).unwrap().unwrap();
    assert_eq!(world.handle(hit.row), Some(handles[1]));
    insert(&mut world, 0.0);
    world.step().unwrap();
    let mut islands = Islands::new();
    world.find_islands(&mut islands).unwrap();
    assert_eq!(islands.island_of(0), islands.island_of(1));
    assert_ne!(islands.island_of(0), islands.island_of(2));
}

/// Random insertions, removals and moves, with a step after each thousand.
fn churn(world: &mut World, calls: usize, seed: u64) {
    let mut rng = common::Rng::new(seed);
    let mut handles: Vec<Handle> = world.handles().collect();
    for call in 1..=calls {
        let at = rng.below(handles.len() as u64) as usize;
        match rng.below(3) {
            0 => {
                world.remove(handles[at]).unwrap();
                handles[at] = insert(world, rng.range(0.0, 1000.0));
            }
            1 => {
                world.remove(handles.swap_remove(at)).unwrap();
                handles.push(insert(world, rng.range(0.0, 1000.0)));
            }
            _ => world.set_pose(handles[at], Pose::at([rng.range(0.0, 1000.0), 0.0])).unwrap(),
        }
        if call % 1000 == 0 {
            world.step().unwrap();
        }
    }
}

#[test]
fn memory_comes_back() {
    let thousand = || {
        let mut world = World::new();
        for at in 0..1000 {
            insert(&mut world, at as f32);
        }
        world.step().unwrap();
        world
    };
    let (mut old, mut fresh) = (thousand(), thousand());
    churn(&mut old, 1_000_000, 3);
    assert_eq!((old.len(), old.rows()), (1000, 1000));
    churn(&mut fresh, 20_000, 4);
    let (used, new) = (old.bytes(), fresh.bytes());
    assert!(used as f64 <= 1.1 * new as f64, "{used} and {new} bytes");
}

#[test]
fn a_pose_does_not_replace_the_rotation_of_a_shape() {
    let third = Rotation { cos: 0.6, sin: 0.8 };
    let at = |rotation| Body { pose: Some(Pose::new([3.0, 4.0], rotation)), ..Body::default() };
    let flat = Obb::new([0.0, 0.0], [2.0, 1.0], Rotation::IDENTITY);
    let tilted = Obb::new([0.0, 0.0], [2.0, 1.0], third);
    let (lying, standing) =
        (Capsule::new([-1.0, 0.0], [1.0, 0.0], 0.5), Capsule::new([0.0, -1.0], [0.0, 1.0], 0.5));
    let mut world = World::new();
    let first = insert(&mut world, 0.0);
    let second = insert(&mut world, 1.0);
    world.remove(first).unwrap();
    let error = |result: Result<Handle, Error>, value: f32| {
        let expected = (0, Field::Sin, value, Fault::SecondRotation);
        let Err(Error::InvalidShape { index, field, value, fault }) = result else {
            panic!("{result:?}")
        };
        assert_eq!((index, field, value, fault), expected);
    };
    for rotation in [Rotation::IDENTITY, Rotation { cos: 0.8, sin: 0.6 }] {
        error(world.insert(tilted, at(rotation)), 0.8);
        error(world.insert(standing, at(rotation)), 1.0);
    }
    assert_eq!(world.handles().collect::<Vec<_>>(), [second]);
    // Without a rotation of its own, with the same rotation, and without a pose.
    for (shape, rotation) in [(flat, third), (flat, Rotation::IDENTITY), (tilted, third)] {
        let body = world.insert(shape, at(rotation)).unwrap();
        assert_eq!(world.pose(body), Ok(Pose::new([3.0, 4.0], rotation)));
    }
    world.insert(lying, at(third)).unwrap();
    let own = world.insert(tilted, Body::default()).unwrap();
    assert_eq!(world.pose(own), Ok(Pose::new([0.0, 0.0], third)));
}

/// The limit of contacts on one thread and on several threads: the lists of the last step stay.
#[test]
fn a_step_with_too_many_contacts() {
    for threads in [Threads::Calling, Threads::Pool] {
        let options = Options { threads, max_contacts: 780, ..Options::default() };
        let mut world = World::with_options(options).unwrap();
        for x in 0..40 {
            insert(&mut world, x as f32 * 1e-3);
        }
        let mut step = || {
            let step = world.step();
            let result = step.map(|step| (step.pairs().len(), step.contacts().len()));
            insert(&mut world, 0.5);
            result
        };
        // Every two of 40 balls touch; then every two of 41.
        let too_many = Error::TooManyContacts { limit: 780, found: 820 };
        #[cfg(feature = "parallel")]
        let steps = common::pools()[3].install(|| [step(), step()]);
        #[cfg(not(feature = "parallel"))]
        let steps = [step(), step()];
        assert_eq!(steps, [Ok((780, 780)), Err(too_many)], "{threads:?}");
    }
}
