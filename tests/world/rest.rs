//! Worlds in which many bodies sleep, and few of them change in a step: beside a copy that finds
//! all pairs anew.

use std::collections::BTreeMap;

use widephase::{
    Body, Contact, ContactId, Filter, Handle, Motion, Options, Order, Pair, SimdLevel, Step,
    Threads, World,
    shape::{Aabb, Circle, Compound, OwnedShape, Pose},
};

use common::{Rng, levels, product, rng::cases};

/// The side of the field, and the bodies on it.
const SIDE: f32 = 18.0;
const BODIES: usize = 300;

/// A body at a random place: with two parts or as a sensor as often as asked, of eight.
fn insert(world: &mut World, rng: &mut Rng, motion: Motion, odd: u64) -> Handle {
    let shape: OwnedShape = match rng.below(8) < odd {
        true => {
            let parts = [-0.5, 0.0, 0.5].map(|x| Circle::new([x, 0.0], 0.5));
            Compound::new(parts[..2 + rng.below(2) as usize].iter().copied()).unwrap().into()
        }
        false if rng.below(2) == 0 => Circle::new([0.0, 0.0], 0.5).into(),
        false => Aabb::new([-0.5, -0.5], [0.5, 0.5]).into(),
    };
    let filter = if rng.below(8) < odd { Filter::ALL.sensing() } else { Filter::ALL };
    let body = Body { motion, filter, pose: Some(place(rng)), ..Body::default() };
    world.insert(&shape, body).unwrap()
}

fn place(rng: &mut Rng) -> Pose {
    Pose::at([rng.range(0.0, SIDE), rng.range(0.0, SIDE)])
}

/// One body of eight moves; two in three of the other bodies sleep.
fn motion(rng: &mut Rng) -> Motion {
    let rest = [Motion::Static, Motion::Asleep, Motion::Asleep];
    if rng.below(8) == 0 { Motion::Moving } else { rest[rng.below(3) as usize] }
}

/// Changes a body.
fn change(world: &mut World, handles: &mut Vec<Handle>, rng: &mut Rng, odd: u64) {
    let at = rng.below(handles.len() as u64) as usize;
    let handle = handles[at];
    match rng.below(8) {
        0 => {
            world.remove(handles.swap_remove(at)).unwrap();
            let motion = motion(rng);
            handles.push(insert(world, rng, motion, odd));
        }
        1 => world.set_motion(handle, motion(rng)).unwrap(),
        // Asleep for a step, say.
        2 => world.set_motion(handle, Motion::Moving).unwrap(),
        3 => world.set_motion(handle, Motion::Asleep).unwrap(),
        4 => world.set_shape(handle, Circle::new(place(rng).position(), 0.75)).unwrap(),
        5 => {
            let at = world.pose(handle).unwrap().position();
            let [x, y] = at.into();
            world.set_pose(handle, Pose::at([x + rng.range(-0.1, 0.1), y])).unwrap();
        }
        6 => world.set_filter(handle, Filter::ALL).unwrap(),
        _ => world.set_pose(handle, place(rng)).unwrap(),
    }
}

/// The key of a contact.
fn key(contact: &Contact) -> (Pair, u32, u32) {
    (contact.pair, contact.part_a, contact.part_b)
}

/// The values of the points of contacts.
fn values(world: &World) -> BTreeMap<(Pair, u32, u32, ContactId), [u32; 2]> {
    let contacts = world.last_step().contacts().iter().zip(world.contact_values());
    let points = contacts.flat_map(|(contact, values)| {
        let (pair, a, b) = key(contact);
        contact
            .points()
            .iter()
            .zip(values)
            .map(move |(point, value)| ((pair, a, b, point.id()), value.map(f32::to_bits)))
    });
    points.collect()
}

/// A step of a world, and of a copy of it that finds all anew.
fn step(world: &mut World, what: &str) {
    let mut other = world.clone();
    other.set_margin(world.margin()).unwrap();
    let expected = other.step().unwrap();
    let found = world.step().unwrap();
    let sorted = |step: &Step| {
        let (mut pairs, mut contacts) = (step.pairs().to_vec(), step.contacts().to_vec());
        pairs.sort_unstable();
        contacts.sort_by_key(key);
        (pairs, contacts)
    };
    assert!(sorted(&found) == sorted(&expected), "{what}: the lists");
    if world.margin() == 0.0 {
        let mut places = BTreeMap::new();
        for (place, pair) in found.pairs().iter().enumerate() {
            places.insert(*pair, place);
        }
        let order = |contact: &Contact| (places[&contact.pair], contact.part_a, contact.part_b);
        assert!(found.contacts().is_sorted_by_key(order), "{what}: contacts in order of pairs");
    }
    for (event, expected) in found.started().iter().zip(expected.started()) {
        let pair = Pair { a: event.a.row(), b: event.b.row() };
        assert_eq!((event.a, event.b), (expected.a, expected.b), "{what}");
        assert_eq!(found.pairs()[event.index as usize], pair, "{what}");
        let first = found.contacts().iter().position(|contact| contact.pair == pair);
        assert_eq!(event.contact, first.map_or(u32::MAX, |first| first as u32), "{what}");
    }
    assert_eq!(found.started().len(), expected.started().len(), "{what}");
    assert_eq!(found.stopped(), expected.stopped(), "{what}");
    let persisted = |world: &World| {
        let mut pairs: Vec<_> = world.persisted().map(|event| (event.a, event.b)).collect();
        pairs.sort_unstable();
        pairs
    };
    assert!(persisted(world) == persisted(&other), "{what}: persisted");
    for event in world.persisted() {
        let pair = Pair { a: event.a.row(), b: event.b.row() };
        assert_eq!(found.pairs()[event.index as usize], pair, "{what}");
    }
    assert!(values(world) == values(&other), "{what}: values");
}

/// The lists of a step as they are, with the values that follow from their order.
fn lists(world: &World) -> Vec<u8> {
    let step = world.last_step();
    let mut bytes = bytemuck::cast_slice(step.pairs()).to_vec();
    bytes.extend_from_slice(bytemuck::cast_slice(step.contacts()));
    bytes.extend_from_slice(bytemuck::cast_slice(world.contact_values()));
    bytes.extend(format!("{:?} {:?}", step.started(), step.stopped()).into_bytes());
    bytes
}

/// Plays a world. Steps are kept for some time, and the world is replaced by copies if it is asked
/// for. Returns all lists.
fn play(seed: u64, odd: u64, options: Options, copies: bool) -> Vec<Vec<u8>> {
    let mut world = World::with_options(options).unwrap();
    let (mut rng, mut own) = (Rng::new(seed), Rng::new(seed + 100));
    let mut handles: Vec<Handle> = Vec::new();
    for _ in 0..BODIES {
        let motion = motion(&mut rng);
        handles.push(insert(&mut world, &mut rng, motion, odd));
    }
    let (mut kept, mut all) = (Vec::new(), Vec::new());
    for round in 0..40 {
        let what = format!("seed {seed}, {odd} of 8, {options:?}, round {round}");
        // Few changes, mostly; now and then as many as there are bodies.
        let changes = [0, 1, 1, 1, 2, 3, 20, BODIES][rng.below(8) as usize];
        for _ in 0..changes {
            change(&mut world, &mut handles, &mut rng, odd);
        }
        if seed.is_multiple_of(2) && round > 10 {
            for value in world.contacts_mut().1.as_flattened_mut().as_flattened_mut() {
                *value += rng.range(0.0, 1.0);
            }
        }
        if round == 30 {
            // No pair is left; or bodies have contacts while they are apart.
            match seed % 3 {
                0 => {
                    for body in &handles {
                        world.set_motion(*body, Motion::Static).unwrap();
                    }
                }
                1 => world.set_margin(0.25).unwrap(),
                _ => {}
            }
        }
        if copies && own.below(4) == 0 {
            world = match own.below(2) {
                0 => World::restore(&world.snapshot()).unwrap(),
                _ => world.clone(),
            };
            world.set_options(options).unwrap();
        }
        if copies {
            world.step().unwrap();
        } else {
            step(&mut world, &what);
        }
        if own.below(3) == 0 {
            kept.push((world.last_step().clone(), lists(&world)));
        }
        all.push(lists(&world));
        if own.below(6) == 0 {
            kept.clear();
        }
        for (step, lists) in &kept {
            assert!(lists.starts_with(bytemuck::cast_slice(step.pairs())), "{what}: a kept step");
        }
    }
    all
}

/// Bodies that fall asleep, wake, move, are replaced or change otherwise, one or many in a step: as
/// in a world that finds all pairs anew, and the same lists on every level, any number of threads,
/// and after copies.
#[test]
fn few_of_many_bodies_change() {
    for seed in 0..cases(6) as u64 {
        for odd in [0, 1, 4] {
            let order = if seed % 3 == 2 { Order::Sorted } else { Order::Grid };
            let (threads, options) = (Threads::Calling, Options { order, ..Options::default() });
            let expected = play(seed, odd, Options { threads, ..options }, false);
            for (level, threads) in product((levels(), [Threads::Calling, Threads::Pool])) {
                let simd_level: Option<SimdLevel> = Some(*level);
                let found = play(seed, odd, Options { simd_level, threads, ..options }, true);
                let differs = found.iter().zip(&expected).position(|(one, other)| one != other);
                assert_eq!(differs, None, "seed {seed}, {odd} of 8, {level}, {threads:?}");
            }
        }
    }
}
