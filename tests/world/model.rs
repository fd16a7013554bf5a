//! Random calls, on a world and on the model.

use std::collections::{BTreeMap, BTreeSet};

use widephase::{
    Body, Contact, ContactId, Detector, Error, Filter, Handle, Index, Lists, Motion, Narrowphase,
    Options, Order, Pair, Queries, Shapes, SimdLevel, Threads, Touching, World,
    reference::whole::Whole,
    shape::{OwnedShape, Pose, Rotation},
    world::{Replay, SlideOptions, StopEvent, StopReason, Velocity},
};

use crate::{insert_at, pose_for};
use common::as_new::assert_same;
use common::{
    POLICIES, Rng,
    crowd::{Crowd, Make, Numbers, PosedShape},
    levels, product,
    twins::queries,
};

/// A body of the model.
#[derive(Debug, Clone)]
struct Naive {
    handle: Handle,
    shape: OwnedShape,
    pose: Option<Pose>,
    motion: Motion,
    filter: Filter,
    space: u32,
    user: u64,
}

impl Naive {
    /// Whether filters and spaces let two bodies meet.
    fn meets(&self, other: &Self) -> bool {
        self.space == other.space && self.filter.meets(&other.filter)
    }
}

/// The naive world.
#[derive(Debug, Default)]
struct Model {
    bodies: Vec<Naive>,
    /// The spaces that bodies are in.
    spaces: Vec<u32>,
    /// The pairs of the last step, with the values of the caller at their end.
    last: BTreeSet<(Handle, Handle)>,
    gone: Vec<Naive>,
    reshaped: BTreeSet<Handle>,
    /// The points of the contacts of the last step.
    points: Vec<Vec<PointKey>>,
    /// Whether most bodies sleep or are static.
    rests: bool,
}

/// The key of the value of a contact point: bodies, parts, and the features that meet.
type PointKey = (Handle, Handle, u32, u32, ContactId);

/// The points of the contacts of the last step.
fn points(world: &World) -> Vec<Vec<PointKey>> {
    let handle = |row: u32| world.handle(row).unwrap();
    let contacts = world.last_step().contacts().iter();
    let points = contacts.map(|contact| {
        let (a, b) = (handle(contact.pair.a), handle(contact.pair.b));
        let key = |id| (a, b, contact.part_a, contact.part_b, id);
        contact.points().iter().map(|point| key(point.id())).collect()
    });
    points.collect()
}

impl Model {
    fn at(&mut self, handle: Handle) -> &mut Naive {
        self.bodies.iter_mut().find(|body| body.handle == handle).unwrap()
    }

    /// The pairs that touch, the body in the smaller row first.
    fn pairs(&self, touching: Touching) -> BTreeSet<(Handle, Handle)> {
        let wholes: Vec<Whole> =
            self.bodies.iter().map(|body| Whole::new(&body.shape, body.pose)).collect();
        let mut pairs = BTreeSet::new();
        for (at, own) in wholes.iter().enumerate() {
            for other in queries::touching(&wholes, own, touching) {
                let (a, b) = (&self.bodies[at], &self.bodies[other as usize]);
                let fixed = [a, b].iter().all(|body| body.motion == Motion::Static);
                if a.handle.row() < b.handle.row() && !fixed && a.meets(b) {
                    pairs.insert((a.handle, b.handle));
                }
            }
        }
        pairs
    }

    /// The pairs that have a contact if bodies may be `margin` apart.
    fn near(&self, margin: f32, touching: Touching) -> BTreeSet<(Handle, Handle)> {
        let store = store(self.bodies.iter());
        let (mut contacts, options) = (vec![], Options { touching, ..Options::default() });
        let mut detector = Detector::with_options(options).unwrap();
        detector.contacts(&store, margin, &mut contacts).unwrap();
        let mut pairs = BTreeSet::new();
        for contact in contacts {
            let [a, b] = [contact.pair.a, contact.pair.b].map(|row| &self.bodies[row as usize]);
            let fixed = [a, b].iter().all(|body| body.motion == Motion::Static);
            let sensor = a.filter.sensor || b.filter.sensor;
            if !fixed && !sensor && a.meets(b) {
                pairs.insert(by_row(a.handle, b.handle));
            }
        }
        pairs
    }

    fn reason(&self, a: Handle, b: Handle) -> StopReason {
        let find = |handle| self.bodies.iter().find(|body| body.handle == handle);
        let (Some(a), Some(b)) = (find(a), find(b)) else { return StopReason::Removed };
        let fixed = [a, b].iter().all(|body| body.motion == Motion::Static);
        if fixed || !a.filter.meets(&b.filter) {
            StopReason::Filtered
        } else if self.reshaped.contains(&a.handle) || self.reshaped.contains(&b.handle) {
            StopReason::Changed
        } else {
            StopReason::Apart
        }
    }

    fn user(&self, handle: Handle) -> u64 {
        let all = self.bodies.iter().chain(&self.gone);
        all.filter(|body| body.handle == handle).map(|body| body.user).next_back().unwrap()
    }
}

/// The shapes of bodies at their poses.
fn store<'a>(bodies: impl Iterator<Item = &'a Naive>) -> Shapes {
    let mut store = Shapes::new();
    for body in bodies {
        match body.pose {
            Some(pose) => store.push_at(&body.shape, pose).unwrap(),
            None => store.push(&body.shape).unwrap(),
        };
    }
    store
}

/// Two bodies, the body in the smaller row first.
fn by_row(a: Handle, b: Handle) -> (Handle, Handle) {
    if a.row() < b.row() { (a, b) } else { (b, a) }
}

/// The shapes that bodies get.
fn shapes(seed: u64) -> Vec<PosedShape> {
    let makes = Make::ALL.to_vec();
    let numbers = Numbers::ALL[seed as usize % 4];
    Crowd { seed, count: 60, makes, numbers, unit: 0, far: 0, flat: false }.solids()
}

fn motion(rng: &mut Rng, rests: bool) -> Motion {
    use Motion::{Asleep, Moving, Static};
    let motions = match rests {
        false => [Moving, Moving, Static, Asleep],
        true => [Moving, Asleep, Static, Asleep],
    };
    motions[rng.below(4) as usize]
}

fn filter(rng: &mut Rng) -> Filter {
    match rng.below(5) {
        0 => Filter::new(2, 1),
        1 => Filter::ALL.sensing(),
        2 => Filter::ALL.in_group(-1),
        _ => Filter::ALL,
    }
}

/// One call on both worlds.
fn call(world: &mut World, model: &mut Model, pool: &[PosedShape], rng: &mut Rng) {
    let some = |rng: &mut Rng, model: &Model| {
        let count = model.bodies.len() as u64;
        (count > 0).then(|| model.bodies[rng.below(count) as usize].handle)
    };
    let solid = &pool[rng.below(pool.len() as u64) as usize];
    let pose = Pose::new(
        [rng.range(-4.0, 4.0), rng.range(-4.0, 4.0)],
        Rotation::from_angle(rng.range(-3.0, 3.0)),
    );
    match rng.below(15) {
        14 => {
            // A body where another body is, with the same shape: only the rows tell them apart.
            let Some(handle) = some(rng, model) else { return };
            let Naive { shape, pose, space, .. } = model.at(handle).clone();
            let (motion, filter, user) = (motion(rng, model.rests), Filter::ALL, rng.below(100));
            let body = Body { pose: None, motion, filter, space, user };
            let handle = world.insert(&shape, body).unwrap();
            if let Some(pose) = pose {
                world.set_pose(handle, pose).unwrap();
            }
            model.bodies.push(Naive { handle, shape, pose, motion, filter, space, user });
        }
        13 => {
            let handles: Vec<Handle> = world.handles().collect();
            let mut number = || rng.range(-5.0, 5.0);
            let velocities: Vec<Velocity> = handles
                .iter()
                .map(|_| Velocity { x: number(), y: number(), spin: number() })
                .collect();
            world.set_velocities(&handles, &velocities).unwrap();
        }
        12 => {
            let margin = [0.0, 0.0, 0.25, 1.5][rng.below(4) as usize];
            world.set_margin(margin).unwrap();
        }
        0..=2 => {
            let body = Body {
                pose: solid.pose,
                motion: motion(rng, model.rests),
                filter: filter(rng),
                space: model.spaces[rng.below(model.spaces.len() as u64) as usize],
                user: rng.below(u64::MAX),
            };
            let handle = insert_at(world, &solid.shape, body);
            let Body { pose, motion, filter, space, user } = body;
            let shape = solid.shape.clone();
            model.bodies.push(Naive { handle, shape, pose, motion, filter, space, user });
        }
        3 => {
            let Some(handle) = some(rng, model) else { return };
            world.remove(handle).unwrap();
            let at = model.bodies.iter().position(|body| body.handle == handle).unwrap();
            model.gone.push(model.bodies.swap_remove(at));
            assert!(!world.contains(handle));
            assert_eq!(world.remove(handle).unwrap_err(), Error::StaleHandle { handle });
            assert_eq!(world.set_pose(handle, pose).unwrap_err(), Error::StaleHandle { handle });
        }
        4 => {
            let Some(handle) = some(rng, model) else { return };
            world.set_shape(handle, &solid.shape).unwrap();
            let body = model.at(handle);
            (body.shape, body.pose) = (solid.shape.clone(), None);
            model.reshaped.insert(handle);
        }
        5 | 6 => {
            let (Some(one), Some(other)) = (some(rng, model), some(rng, model)) else { return };
            let handles = [one, other];
            let poses = handles.map(|handle| pose_for(world, handle, pose));
            world.set_poses(&handles, &poses).unwrap();
            for (handle, pose) in handles.into_iter().zip(poses) {
                model.at(handle).pose = Some(pose);
            }
        }
        7 => {
            let Some(handle) = some(rng, model) else { return };
            let motion = motion(rng, model.rests);
            world.set_motion(handle, motion).unwrap();
            model.at(handle).motion = motion;
        }
        8 => {
            let Some(handle) = some(rng, model) else { return };
            let filter = filter(rng);
            world.set_filter(handle, filter).unwrap();
            model.at(handle).filter = filter;
        }
        9 => {
            let Some(handle) = some(rng, model) else { return };
            let user = rng.below(100);
            world.set_user(handle, user).unwrap();
            model.at(handle).user = user;
        }
        10 => {
            let handles: Vec<Handle> = world.handles().collect();
            let [x, y] = [(); 2]
                .map(|()| -> Vec<f32> { handles.iter().map(|_| rng.range(-4.0, 4.0)).collect() });
            let mut turn = |handle| {
                let turn = Rotation::from_angle(rng.range(-3.0, 3.0));
                pose_for(world, handle, Pose::new([0.0, 0.0], turn)).rotation()
            };
            let turns: Vec<Rotation> = handles.iter().map(|&handle| turn(handle)).collect();
            let turn = rng.below(2) == 0;
            for (at, handle) in handles.iter().enumerate() {
                let rotation =
                    if turn { turns[at] } else { world.pose(*handle).unwrap().rotation() };
                model.at(*handle).pose = Some(Pose::new([x[at], y[at]], rotation));
            }
            if turn {
                let [cos, sin]: [Vec<f32>; 2] = [
                    turns.iter().map(|turn| turn.cos).collect(),
                    turns.iter().map(|turn| turn.sin).collect(),
                ];
                world.set_poses_of_all(&x, &y, &cos, &sin).unwrap();
            } else {
                world.set_positions_of_all(&x, &y).unwrap();
            }
        }
        _ => {
            // The impulses of a solver.
            for value in world.contacts_mut().1.as_flattened_mut().as_flattened_mut() {
                *value += rng.range(0.0, 1.0);
            }
        }
    }
}

/// The order of the lists, and which body of a contact is the first: the contacts are the contacts
/// of the two shapes in the order of the rows.
fn compare_order(world: &World, model: &Model, what: &str) {
    let step = world.last_step();
    if world.options().order == Order::Sorted {
        assert!(step.pairs().is_sorted(), "{what}: pairs");
        let key = |contact: &Contact| (contact.pair, contact.part_a, contact.part_b);
        assert!(step.contacts().is_sorted_by_key(key), "{what}: contacts");
    }
    let mut bodies: Vec<&Naive> = model.bodies.iter().collect();
    bodies.sort_unstable_by_key(|body| body.handle.row());
    let number =
        |row: u32| bodies.binary_search_by_key(&row, |body| body.handle.row()).unwrap() as u32;
    let store = store(bodies.iter().copied());
    let mut pairs: Vec<Pair> = step.contacts().iter().map(|contact| contact.pair).collect();
    pairs.dedup();
    assert!(pairs.iter().all(|pair| pair.a < pair.b), "{what}: {pairs:?}");
    let asked: Vec<Pair> =
        pairs.iter().map(|pair| Pair { a: number(pair.a), b: number(pair.b) }).collect();
    let mut narrowphase = Narrowphase::with_options((*world.options()).into()).unwrap();
    let mut expected = Vec::new();
    narrowphase.contacts(&store, &asked, world.margin(), &mut expected).unwrap();
    for (found, expected) in step.contacts().iter().zip(&expected) {
        let Pair { a, b } = found.pair;
        let own = found.with_pair(Pair { a: number(a), b: number(b) });
        assert_eq!(own, *expected, "{what}: {:?}, {:?}", bodies[own.pair.a as usize], b);
    }
    assert_eq!(step.contacts().len(), expected.len(), "{what}");
}

/// A step of both worlds, and all comparisons.
fn step(world: &mut World, model: &mut Model, touching: Touching, what: &str) {
    let expected = model.pairs(touching);
    let mut carried = BTreeMap::new();
    for (points, values) in model.points.iter().zip(world.contact_values()) {
        carried.extend(points.iter().copied().zip(*values));
    }
    world.step().unwrap();
    model.points = points(world);
    for (points, values) in model.points.iter().zip(world.contact_values()) {
        for (point, value) in points.iter().zip(values) {
            let expected = carried.get(point).copied().unwrap_or_default();
            assert_eq!(*value, expected, "{what}: the value of {point:?}");
        }
    }
    let step = world.last_step();
    let handle = |row: u32| world.handle(row).unwrap();
    let pairs: Vec<_> = step.pairs().iter().map(|pair| (handle(pair.a), handle(pair.b))).collect();
    let found: BTreeSet<_> = pairs.iter().copied().collect();
    assert_eq!(found, expected, "{what}");
    assert_eq!(found.len(), pairs.len(), "{what}: once each");
    let sensor = |handle: Handle| world.body(handle).unwrap().filter.sensor;
    let margin = world.margin();
    let solid: BTreeSet<_> = match margin > 0.0 {
        false => expected.iter().copied().filter(|(a, b)| !sensor(*a) && !sensor(*b)).collect(),
        true => model.near(margin, touching),
    };
    let touched: BTreeSet<_> = step
        .contacts()
        .iter()
        .map(|contact| (handle(contact.pair.a), handle(contact.pair.b)))
        .collect();
    assert_eq!(touched, solid, "{what}: contacts, margin {margin}");
    compare_order(world, model, what);
    for contact in step.contacts().iter().filter(|contact| contact.depth < 0.0) {
        assert!(-contact.depth <= margin * 1.0001, "{what}: {contact:?}, margin {margin}");
    }
    assert_eq!(world.contact_values().len(), step.contacts().len(), "{what}");

    let expected_started: Vec<_> = expected.difference(&model.last).copied().collect();
    let expected_persisted: Vec<_> = expected.intersection(&model.last).copied().collect();
    let mut persisted: Vec<_> = world.persisted().collect();
    assert!(persisted.is_sorted_by_key(|event| event.index), "{what}: in the order of the pairs");
    persisted.sort_unstable_by_key(|event| (event.a, event.b));
    for (events, expected) in
        [(step.started(), expected_started), (&persisted[..], expected_persisted)]
    {
        let mut named: Vec<_> = events.iter().map(|event| (event.a, event.b)).collect();
        named.sort_unstable();
        assert_eq!(named, expected, "{what}");
        for event in events {
            let users = (model.user(event.a), model.user(event.b));
            assert_eq!((event.user_a, event.user_b), users, "{what}");
            assert_eq!(event.is_sensor(), sensor(event.a) || sensor(event.b), "{what}");
            assert_eq!(pairs[event.index as usize], (event.a, event.b), "{what}");
            let rows = Pair { a: event.a.row(), b: event.b.row() };
            let contact = step.contacts().get(event.contact as usize);
            assert!(contact.is_none_or(|contact| contact.pair == rows), "{what}: {event:?}");
        }
    }
    let stopped: Vec<_> = model.last.difference(&expected).copied().collect();
    let mut named: Vec<_> = step.stopped().iter().map(|event| (event.a, event.b)).collect();
    named.sort_unstable();
    assert_eq!(named, stopped, "{what}: stopped");
    let mut rest = step.stopped().iter().skip_while(|event| event.reason == StopReason::Removed);
    let rows = |event: &StopEvent| (event.a.row(), event.b.row());
    assert!(step.started().is_sorted_by_key(|event| (event.a.row(), event.b.row())), "{what}");
    assert!(rest.clone().is_sorted_by_key(rows), "{what}: sorted by rows");
    assert!(rest.all(|event| event.reason != StopReason::Removed), "{what}: removed first");
    for event in step.stopped() {
        assert_eq!(event.reason, model.reason(event.a, event.b), "{what}: {event:?}");
        let users = (model.user(event.a), model.user(event.b));
        assert_eq!((event.user_a, event.user_b), users, "{what}: {event:?}");
    }
    query(world, model, touching, what);
    sweep(world, what);
    model.last = expected;
    model.gone.clear();
    model.reshaped.clear();

    assert_eq!(world.len(), model.bodies.len(), "{what}");
    for body in &model.bodies {
        let found = world.body(body.handle).unwrap();
        assert_eq!(
            (found.motion, found.filter, found.space, found.user),
            (body.motion, body.filter, body.space, body.user),
            "{what}"
        );
    }
}

/// A query of the index of all bodies: the bodies that a body touches, by the naive world.
fn query(world: &mut World, model: &Model, touching: Touching, what: &str) {
    let Some(body) = model.bodies.first() else { return };
    let mut store = Shapes::new();
    match body.pose {
        Some(pose) => store.push_at(&body.shape, pose).unwrap(),
        None => store.push(&body.shape).unwrap(),
    };
    let mut lists = Lists::new();
    let index = world.index().unwrap();
    index.in_space(body.space).overlapping_batch(&store, &mut lists).unwrap();
    let found: BTreeSet<Handle> =
        lists.get(0).iter().map(|row| world.handle(*row).unwrap()).collect();
    let whole = |body: &Naive| Whole::new(&body.shape, body.pose);
    let wholes: Vec<Whole> = model.bodies.iter().map(whole).collect();
    let rows = queries::touching(&wholes, &whole(body), touching);
    let touching = rows.iter().map(|row| &model.bodies[*row as usize]);
    let own = touching.filter(|other| other.space == body.space);
    let expected = own.map(|other| other.handle).collect();
    assert_eq!(found, expected, "{what}: a query");
}

/// All queries of the world, and of an index that is built from nothing.
fn queries_as_new(world: &World, seed: u64, what: &str) {
    let rows = 0..world.rows() as u32;
    let space = |row| world.handle(row).map_or(0, |body| world.body(body).unwrap().space);
    let spaces: Vec<u32> = rows.map(space).collect();
    let mut asked = spaces.clone();
    asked.sort_unstable();
    asked.dedup();
    let mut new = Index::with_options((*world.options()).into()).unwrap();
    let columns = world.shapes().columns();
    let spaced = asked.iter().any(|space| *space != 0);
    match spaced {
        true => new.rebuild(columns.with_spaces(&spaces).unwrap()).unwrap(),
        false => new.rebuild(columns).unwrap(),
    }
    assert_same(world.index().unwrap(), &new, &asked, seed, what);
}

/// A sweep of two bodies, which may be the same: the first stop of each alone.
fn sweep(world: &mut World, what: &str) {
    let Some(first) = world.handles().next() else { return };
    let last = world.handles().last().unwrap_or(first);
    let (bodies, by) = ([first, last], [[3.0, -1.0], [-2.0, 5.0]]);
    let mut impacts = Vec::new();
    world.sweep(&bodies, &by, &mut impacts).unwrap();
    for (body, impact) in bodies.iter().zip(&impacts) {
        crate::sweep::check(world, *body, impact, &bodies, &by, what);
    }
}

/// Where a body ends that slides, as bytes.
fn slide_end(world: &World) -> Vec<u8> {
    let (mut hits, options) = (Vec::new(), SlideOptions::default());
    let Some(body) = world.handles().next() else { return vec![] };
    match world.move_and_slide(body, [1.0, -2.0], &options, &mut hits) {
        Ok(end) => format!("{end:?} {hits:?}").into_bytes(),
        Err(error) => error.to_string().into_bytes(),
    }
}

/// The results of a step as bytes, to compare levels.
fn bytes(world: &World) -> Vec<u8> {
    let step = world.last_step();
    let mut bytes = bytemuck::cast_slice(step.pairs()).to_vec();
    bytes.extend_from_slice(bytemuck::cast_slice(step.contacts()));
    bytes.extend_from_slice(bytemuck::cast_slice(world.contact_values()));
    bytes.extend(format!("{:?} {:?}", step.started(), step.stopped()).into_bytes());
    bytes.extend(slide_end(world));
    bytes
}

/// The lists of each third seed are sorted.
fn options(seed: u64, touching: Touching, level: SimdLevel, threads: Threads) -> Options {
    let order = if seed % 3 == 2 { Order::Sorted } else { Order::Grid };
    Options { touching, threads, order, simd_level: Some(level), ..Options::default() }
}

/// Makes this many random calls.
fn call_often(
    count: u64,
    world: &mut World,
    model: &mut Model,
    pool: &[PosedShape],
    rng: &mut Rng,
) {
    for _ in 0..count {
        call(world, model, pool, rng);
    }
}

/// The worlds of every level, each second of which is now and then replaced by a copy. The first
/// world is recorded.
#[test]
fn thousands_of_steps() {
    for seed in 0..common::rng::cases(12) as u64 {
        // In some worlds, most bodies sleep, and few of them change.
        let rests = seed % 7 == 3;
        let touching = POLICIES[seed as usize % 2];
        let pool = shapes(seed);
        let all = levels();
        let mut first: Vec<Vec<u8>> = Vec::new();
        let mut recordings: Vec<Vec<u8>> = Vec::new();
        for (number, level) in all.iter().enumerate() {
            let options = options(seed, touching, *level, Threads::Pool);
            let mut world = World::with_options(options).unwrap();
            let mut rng = Rng::new(seed);
            let spaces = [&[0][..], &[0, 1, 2], &[0, 7, u32::MAX]][seed as usize % 3].to_vec();
            let mut model = Model { spaces, rests, ..Model::default() };
            let mut held = Vec::new();
            // The world before a copy, which is overwritten by the next copy.
            let (mut other, mut restores) = (World::new(), Rng::new(seed + 1000));
            for round in 0..60 {
                let calls = match (rests, round) {
                    (true, 0) => 150,
                    (true, _) => rng.below(3),
                    (false, _) => rng.below(8),
                };
                call_often(calls, &mut world, &mut model, &pool, &mut rng);
                // Steps that the caller keeps for some time.
                held.push(world.last_step().clone());
                held.drain(..if round % 7 < 3 { held.len() } else { 0 });
                if number == 0 && round % 20 == 0 {
                    recordings.extend(world.stop_recording());
                    world.start_recording();
                }
                let restored = number % 2 == 1 && restores.below(4) == 0;
                if restored {
                    let snapshot = world.snapshot();
                    match restores.below(4) {
                        0 => world = World::restore(&snapshot).unwrap(),
                        1 => world = world.clone(),
                        2 => {
                            other.clone_from(&world);
                            std::mem::swap(&mut world, &mut other);
                        }
                        _ => {
                            other.restore_into(&snapshot).unwrap();
                            std::mem::swap(&mut world, &mut other);
                        }
                    }
                    assert!(world.snapshot() == snapshot, "seed {seed}, round {round}");
                    world.set_options(options).unwrap();
                }
                if number == 0 && (round as u64 + seed).is_multiple_of(6) {
                    let what = format!("seed {seed}, round {round}, between steps");
                    queries_as_new(&world, seed + round as u64, &what);
                }
                // The model is slow; the levels are compared with each other.
                if number == 0 {
                    step(&mut world, &mut model, touching, &format!("seed {seed}, round {round}"));
                    first.push(bytes(&world));
                } else {
                    world.step().unwrap();
                    assert!(bytes(&world) == first[round], "seed {seed}, {round}, {level}");
                    if restored {
                        let what = format!("seed {seed}, {round}, a query after a restore");
                        query(&mut world, &model, touching, &what);
                    }
                }
            }
            recordings.extend(world.stop_recording());
        }
        replay_all(&recordings, &first, seed);
    }
}

/// Replays the recordings, of 20 steps each, on every level and on one thread or several threads.
fn replay_all(recordings: &[Vec<u8>], expected: &[Vec<u8>], seed: u64) {
    for (level, threads) in product((levels(), [Threads::Calling, Threads::Pool])) {
        let mut steps = expected.iter();
        for recording in recordings {
            let options = Options { simd_level: Some(*level), threads, ..Options::default() };
            let mut replay = Replay::new(recording, options).unwrap();
            while replay.step().unwrap().is_some() {
                let same = bytes(replay.world()) == *steps.next().unwrap();
                assert!(same, "seed {seed}, {level}, {threads:?}, step {}", replay.steps());
            }
            assert_eq!(replay.steps(), 20);
        }
        assert_eq!(steps.len(), 0);
    }
}
