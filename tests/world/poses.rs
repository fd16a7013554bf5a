//! Poses of many bodies in one call, beside one call for each body. Bodies whose rows follow each
//! other are moved as one piece.

use widephase::{
    Body, Error, Filter, Handle, Motion, Pair, World,
    error::{Fault, Field},
    shape::{Circle, Pose},
    world::StopReason,
};

use crate::insert_at;
use common::{
    Rng, assert_contacts,
    poses::{RUNS, columns_of, in_runs, new_poses},
    rng::cases,
};

/// A world of sixty or more bodies of all kinds after a step, with their handles by row. Two in
/// three rest. In half of the worlds the first row is vacant.
fn mixed(seed: u64) -> (World, Vec<Handle>) {
    let (mut rng, mut world) = (Rng::new(seed + 1000), World::new());
    let store = in_runs(seed, 60, &RUNS);
    for row in 0..store.rows() as u32 {
        let motion = [Motion::Moving, Motion::Static, Motion::Asleep][rng.below(3) as usize];
        let filter = if rng.below(8) == 0 { Filter::ALL.sensing() } else { Filter::ALL };
        let (shape, pose) = (store.get(row).unwrap(), store.pose(row));
        insert_at(&mut world, &shape, Body { pose, motion, filter, ..Body::default() });
    }
    if seed.is_multiple_of(2) {
        let first = world.handles().next().unwrap();
        world.remove(first).unwrap();
    }
    world.step().unwrap();
    let handles = world.handles().collect();
    (world, handles)
}

/// The calls that move many bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Call {
    /// Poses of bodies whose rows follow each other, without the first bodies.
    Run,
    /// Poses of these bodies in another order.
    Shuffled,
    All,
    /// The rotations stay.
    Positions,
}

const CALLS: [Call; 4] = [Call::Run, Call::Shuffled, Call::All, Call::Positions];

impl Call {
    /// Some bodies in the order in which the call gets them.
    fn bodies(self, handles: &[Handle], rng: &mut Rng) -> Vec<Handle> {
        if matches!(self, Call::All | Call::Positions) {
            return handles.to_vec();
        }
        let first = 1 + rng.below(12) as usize;
        let mut run = handles[first..first + 20 + rng.below(27) as usize].to_vec();
        assert!(run.is_sorted_by_key(|body| body.row()));
        assert_eq!(run[run.len() - 1].row() - run[0].row(), run.len() as u32 - 1);
        if self == Call::Shuffled {
            rng.shuffle(&mut run);
        }
        run
    }

    fn set(self, world: &mut World, bodies: &[Handle], poses: &[Pose]) -> Result<(), Error> {
        let columns = columns_of(poses);
        let [x, y, cos, sin] = &columns;
        match self {
            Call::Run | Call::Shuffled => world.set_poses(bodies, poses),
            Call::All => world.set_poses_of_all(x, y, cos, sin),
            Call::Positions => world.set_positions_of_all(x, y),
        }
    }

    /// The poses, body by body.
    fn set_one_by_one(self, world: &mut World, bodies: &[Handle], poses: &[Pose]) {
        for (&body, &pose) in bodies.iter().zip(poses) {
            let (own, Pose { x, y, .. }) = (world.pose(body).unwrap(), pose);
            let pose = if self == Call::Positions { Pose { x, y, ..own } } else { pose };
            world.set_pose(body, pose).unwrap();
        }
    }
}

/// A pose for each of these bodies: see [`new_poses`].
fn poses_for(world: &World, bodies: &[Handle], rng: &mut Rng, stay: u64) -> Vec<Pose> {
    let poses = new_poses(world.shapes(), rng, stay);
    bodies.iter().map(|body| poses[body.row() as usize]).collect()
}

#[test]
fn bodies_in_bulk_move_as_one_by_one() {
    let mut resting_pairs = 0;
    for seed in 0..cases(40) as u64 {
        let (start, handles) = mixed(seed);
        for call in CALLS {
            let mut rng = Rng::new(seed);
            let [mut at_once, mut one_by_one] = [start.clone(), start.clone()];
            for (round, stay) in [0, 7, 8, 0, 1].into_iter().enumerate() {
                let what = format!("seed {seed}, {call:?}, round {round}");
                let bodies = call.bodies(&handles, &mut rng);
                let poses = poses_for(&at_once, &bodies, &mut rng, stay);
                call.set(&mut at_once, &bodies, &poses).unwrap();
                call.set_one_by_one(&mut one_by_one, &bodies, &poses);
                assert!(at_once.snapshot() == one_by_one.snapshot(), "{what}: before the step");
                let [found, expected] =
                    [&mut at_once, &mut one_by_one].map(|world| world.step().unwrap());
                assert!(found.pairs() == expected.pairs(), "{what}: the pairs");
                assert_contacts(found.contacts(), expected.contacts(), &what);
                assert!(found.started() == expected.started(), "{what}: what started");
                assert!(found.stopped() == expected.stopped(), "{what}: what stopped");
                assert_eq!(at_once.state_hash(), one_by_one.state_hash(), "{what}");
                assert!(at_once.snapshot() == one_by_one.snapshot(), "{what}: after the step");
                let rests = |body| at_once.body(body).unwrap().motion != Motion::Moving;
                let resting = found.started().iter().filter(|event| rests(event.a));
                resting_pairs += resting.filter(|event| rests(event.b)).count();
            }
        }
    }
    assert!(resting_pairs > 10_000, "{resting_pairs}");
}

/// Bodies that rest are moved in a run behind the first row: their pairs are the pairs at their new
/// places.
#[test]
fn resting_bodies_of_a_run_have_their_pairs_where_they_are() {
    let mut world = World::new();
    let mut insert = |x: f32, motion: Motion| {
        let body = Body { motion, ..Body::default() };
        world.insert(Circle::new([x, 0.0], 1.0), body).unwrap()
    };
    insert(-50.0, Motion::Moving);
    let sleepers = [0.0, 1.5, 10.0, 20.0].map(|x| insert(x, Motion::Asleep));
    let floor = insert(30.0, Motion::Static);
    assert_eq!(world.step().unwrap().pairs(), [Pair { a: 1, b: 2 }]);
    // The second sleeper goes to the third, which stays; the last sleeper goes to the floor, which
    // comes nearer.
    let run = [sleepers[1], sleepers[2], sleepers[3], floor];
    let to = |places: [f32; 4]| places.map(|x| Pose::at([x, 0.0]));
    world.set_poses(&run, &to([11.5, 10.0, 25.0, 26.0])).unwrap();
    let step = world.step().unwrap();
    let mut pairs = step.pairs().to_vec();
    pairs.sort_unstable();
    assert_eq!(pairs, [Pair { a: 2, b: 3 }, Pair { a: 4, b: 5 }]);
    let depths: f32 = step.contacts().iter().map(|contact| contact.depth).sum();
    assert_eq!((step.started().len(), step.contacts().len(), depths), (2, 2, 1.5));
    let [stopped] = step.stopped() else { panic!("{:?}", step.stopped()) };
    let named = (stopped.a, stopped.b, stopped.reason);
    assert_eq!(named, (sleepers[0], sleepers[1], StopReason::Apart));
    // Back again, by the columns of all bodies.
    world.set_positions_of_all(&[-50.0, 0.0, 1.5, 10.0, 20.0, 30.0], &[0.0; 6]).unwrap();
    assert_eq!(world.step().unwrap().pairs(), [Pair { a: 1, b: 2 }]);
}

/// A pose that is not valid is named by its place in the list or in the columns, and no body moves.
#[test]
fn a_bad_pose_among_many_moves_no_body() {
    for seed in 0..cases(20) as u64 {
        let (mut world, handles) = mixed(seed);
        let mut rng = Rng::new(seed);
        for call in CALLS {
            let before = world.snapshot();
            let bodies = call.bodies(&handles, &mut rng);
            let mut poses = poses_for(&world, &bodies, &mut rng, 1);
            let mut any = || rng.below(bodies.len() as u64) as usize;
            let places = [any(), any()];
            for place in places {
                poses[place].y = f32::NAN;
            }
            let error = call.set(&mut world, &bodies, &poses).unwrap_err();
            let Error::InvalidShape { index, field, fault, .. } = error else {
                panic!("{error:?}")
            };
            let first = places[0].min(places[1]);
            let expected = (first, Field::Y, Fault::NotANumber);
            assert_eq!((index, field, fault), expected, "seed {seed}, {call:?}");
            assert!(world.snapshot() == before, "seed {seed}, {call:?}");
        }
        let step = world.step().unwrap();
        assert!(step.started().is_empty() && step.stopped().is_empty(), "seed {seed}");
    }
}

/// A body that is gone in the middle of a run, and then another body in its row.
#[test]
fn a_stale_handle_among_many_moves_no_body() {
    for seed in 0..cases(20) as u64 {
        let (mut world, handles) = mixed(seed);
        let mut rng = Rng::new(seed);
        for call in [Call::Run, Call::Shuffled] {
            let bodies = call.bodies(&handles, &mut rng);
            let gone = bodies[rng.below(bodies.len() as u64) as usize];
            let poses = poses_for(&world, &bodies, &mut rng, 0);
            let mut other = world.clone();
            other.remove(gone).unwrap();
            let refused = Err(Error::StaleHandle { handle: gone });
            for again in [false, true] {
                if again {
                    let new = other.insert(Circle::new([0.0, 0.0], 1.0), Body::default()).unwrap();
                    assert_eq!(new.row(), gone.row());
                }
                let before = other.snapshot();
                let result = other.set_poses(&bodies, &poses);
                assert_eq!(result, refused, "seed {seed}, {call:?}, {again}");
                assert!(other.snapshot() == before, "seed {seed}, {call:?}, {again}");
            }
            // With no body gone, the same call moves them.
            world.set_poses(&bodies, &poses).unwrap();
        }
    }
}
