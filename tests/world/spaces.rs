//! Bodies in spaces: one world of many small worlds, beside a world for each.

use widephase::{
    Body, Contact, Error, Filter, Handle, Motion, Options, Queries, Threads, World,
    shape::{Circle, Point, Pose},
    world::{BodyImpact, SlideOptions},
};

use crate::{insert_at, pose_for};
use common::{
    Rng,
    crowd::{Crowd, Make, Numbers},
    levels,
};

/// The spaces of the bodies, in no order.
const SPACES: [u32; 4] = [7, 0, u32::MAX, 8];

/// A world of all spaces, and a world for each space. The value of a body is its number among the
/// bodies of its space; bodies of a space keep the order of their rows.
struct Worlds {
    all: World,
    each: Vec<World>,
    /// The bodies of each space: in the world of all, and in its own.
    handles: Vec<Vec<[Handle; 2]>>,
}

impl Worlds {
    fn new(seed: u64, options: Options) -> Self {
        let new = || World::with_options(options).unwrap();
        let mut own = Self {
            all: new(),
            each: SPACES.map(|_| new()).into(),
            handles: SPACES.map(|_| vec![]).into(),
        };
        let numbers = Numbers::ALL[seed as usize % 4];
        let (makes, mut rng) = (Make::ALL.to_vec(), Rng::new(seed));
        let crowd = Crowd { seed, count: 120, makes, numbers, unit: 0, far: 0, flat: false };
        for solid in crowd.solids() {
            let place = rng.below(SPACES.len() as u64) as usize;
            let filter = match rng.below(5) {
                0 => Filter::ALL.sensing(),
                1 => Filter::ALL.in_group(-1),
                _ => Filter::ALL,
            };
            let motion = [Motion::Moving, Motion::Static, Motion::Asleep][rng.below(3) as usize];
            let (user, space) = (own.handles[place].len() as u64, SPACES[place]);
            let body = Body { pose: solid.pose, motion, filter, space, user };
            let alone = Body { space: 0, ..body };
            own.handles[place].push([
                insert_at(&mut own.all, &solid.shape, body),
                insert_at(&mut own.each[place], &solid.shape, alone),
            ]);
        }
        own
    }

    /// Moves some bodies in both worlds.
    fn move_some(&mut self, rng: &mut Rng) {
        for (world, handles) in self.each.iter_mut().zip(&self.handles) {
            for [of_all, alone] in handles {
                if rng.below(3) == 0 {
                    let pose = Pose::at([rng.range(-4.0, 4.0), rng.range(-4.0, 4.0)]);
                    let pose = pose_for(world, *alone, pose);
                    world.set_pose(*alone, pose).unwrap();
                    self.all.set_pose(*of_all, pose).unwrap();
                }
            }
        }
    }

    fn space(&self, row: u32) -> u32 {
        self.all.body(self.all.handle(row).unwrap()).unwrap().space
    }
}

/// A contact as bytes, its rows by the values of the bodies.
fn contact(world: &World, contact: &Contact) -> Vec<u8> {
    let mut bytes = bytemuck::bytes_of(contact)[8..].to_vec();
    for row in [contact.pair.a, contact.pair.b] {
        bytes.extend(user(world, row).to_le_bytes());
    }
    bytes
}

fn user(world: &World, row: u32) -> u64 {
    world.body(world.handle(row).unwrap()).unwrap().user
}

/// The numbers of an impact, its bodies by their values.
fn impact(world: &World, impact: &Option<BodyImpact>) -> Option<(u64, u64, [u32; 6])> {
    let hit = (*impact)?;
    let numbers = [hit.fraction, hit.x, hit.y, hit.normal_x, hit.normal_y, hit.speed];
    let numbers = numbers.map(f32::to_bits);
    Some((world.body(hit.body).unwrap().user, hit.user, numbers))
}

/// The results of each space equal the results of a world of its own, in order and to the last bit:
/// pairs, contacts, events, sweeps and slides, with a margin and without.
#[test]
fn each_space_is_a_world_of_its_own() {
    let mut pairs_found = 0;
    for seed in 0..24 {
        let level = levels()[seed as usize % levels().len()];
        let threads = [Threads::Calling, Threads::Pool][seed as usize / 2 % 2];
        let options = Options { simd_level: Some(level), threads, ..Options::default() };
        let mut worlds = Worlds::new(seed, options);
        let mut rng = Rng::new(seed);
        for round in 0..12 {
            let what = format!("seed {seed}, {level}, round {round}");
            let margin = [0.0, 0.0, 0.0, 0.5][round / 3];
            worlds.all.set_margin(margin).unwrap();
            worlds.all.step().unwrap();
            for (place, space) in SPACES.into_iter().enumerate() {
                worlds.each[place].set_margin(margin).unwrap();
                worlds.each[place].step().unwrap();
                pairs_found += worlds.each[place].last_step().pairs().len();
                compare_steps(&worlds, place, space, &what);
            }
            compare_moves(&mut worlds, &what);
            worlds.move_some(&mut rng);
        }
    }
    assert!(pairs_found > 10_000, "{pairs_found}");
}

fn compare_steps(worlds: &Worlds, place: usize, space: u32, what: &str) {
    let (all, own) = (&worlds.all, &worlds.each[place]);
    let (step, expected) = (all.last_step(), own.last_step());
    let pairs = step.pairs().iter().filter(|pair| worlds.space(pair.a) == space);
    let pairs: Vec<_> = pairs.map(|pair| [user(all, pair.a), user(all, pair.b)]).collect();
    let own_pairs = expected.pairs().iter();
    let own_pairs: Vec<_> = own_pairs.map(|pair| [user(own, pair.a), user(own, pair.b)]).collect();
    assert_eq!(pairs, own_pairs, "{what}, space {space}: pairs");

    let contacts = step.contacts().iter().filter(|found| worlds.space(found.pair.a) == space);
    let contacts: Vec<_> = contacts.map(|found| contact(all, found)).collect();
    let expected_contacts = expected.contacts().iter();
    let expected_contacts: Vec<_> = expected_contacts.map(|found| contact(own, found)).collect();
    assert!(contacts == expected_contacts, "{what}, space {space}: contacts");

    let in_space = |body: Handle| all.body(body).unwrap().space == space;
    let started = step.started().iter().filter(|event| in_space(event.a));
    let started: Vec<_> = started.map(|event| (event.user_a, event.user_b)).collect();
    let expected_started = expected.started().iter();
    let expected_started: Vec<_> =
        expected_started.map(|event| (event.user_a, event.user_b)).collect();
    assert_eq!(started, expected_started, "{what}, space {space}: started");

    let stopped = step.stopped().iter().filter(|event| in_space(event.a));
    let stopped: Vec<_> = stopped.map(|event| (event.user_a, event.user_b, event.reason)).collect();
    let expected_stopped = expected.stopped().iter();
    let expected_stopped: Vec<_> =
        expected_stopped.map(|event| (event.user_a, event.user_b, event.reason)).collect();
    assert_eq!(stopped, expected_stopped, "{what}, space {space}: stopped");
}

/// Sweeps of all bodies, and slides of some.
fn compare_moves(worlds: &mut Worlds, what: &str) {
    let way = |number: usize| [(number % 7) as f32 - 3.0, (number % 5) as f32 - 2.0];
    let ways = |handles: &[[Handle; 2]]| (0..handles.len()).map(way).collect::<Vec<_>>();
    let bodies: Vec<Handle> = worlds.handles.iter().flatten().map(|[of_all, _]| *of_all).collect();
    let by: Vec<[f32; 2]> = worlds.handles.iter().flat_map(|handles| ways(handles)).collect();
    let mut impacts = Vec::new();
    worlds.all.sweep(&bodies, &by, &mut impacts).unwrap();
    let mut begin = 0;
    for (world, handles) in worlds.each.iter_mut().zip(&worlds.handles) {
        let own: Vec<Handle> = handles.iter().map(|[_, alone]| *alone).collect();
        let mut expected = Vec::new();
        world.sweep(&own, &ways(handles), &mut expected).unwrap();
        let found = &impacts[begin..][..expected.len()];
        begin += expected.len();
        for (found, expected) in found.iter().zip(&expected) {
            assert_eq!(impact(&worlds.all, found), impact(world, expected), "{what}: a sweep");
        }
        for ([of_all, alone], by) in handles.iter().zip(ways(handles)).step_by(5) {
            let found = slide(&worlds.all, *of_all, by);
            assert_eq!(found, slide(world, *alone, by), "{what}: a slide");
        }
    }
}

/// Where a body ends that slides, and the surfaces that it meets on the way.
fn slide(world: &World, body: Handle, by: [f32; 2]) -> (Pose, Vec<u64>) {
    let mut hits = Vec::new();
    let end = world.move_and_slide(body, by, &SlideOptions::default(), &mut hits).unwrap();
    (end.pose, hits.iter().map(|hit| hit.user).collect())
}

/// Bodies of one place in several spaces meet nothing, a query names a space, and a snapshot has
/// the spaces.
#[test]
fn spaces_of_a_world_by_hand() {
    let mut world = World::new();
    let at = |space: u32| Body { space, user: space.into(), ..Body::default() };
    let ball = Circle::new([1.0, 2.0], 1.0);
    let first = world.insert(ball, at(0)).unwrap();
    assert_eq!(world.index().unwrap().count_overlapping(Point::new([1.0, 2.0])).unwrap(), 1);
    let moving = world.insert(ball, at(3)).unwrap();
    let wall = world.insert(ball, Body { motion: Motion::Static, ..at(3) }).unwrap();
    world.insert(ball, Body { motion: Motion::Static, ..at(9) }).unwrap();
    let step = world.step().unwrap();
    assert_eq!(step.started().len(), 1);
    let met = step.started()[0];
    assert_eq!((met.a, met.b, world.body(moving).unwrap().space), (moving, wall, 3));

    let index = world.index().unwrap();
    let here = Point::new([1.0, 2.0]);
    assert_eq!(index.count_overlapping(here), Err(Error::NoSpaceNamed { spaces: 3 }));
    for (space, count) in [(0, 1), (3, 2), (9, 1), (4, 0)] {
        assert_eq!(index.in_space(space).count_overlapping(here), Ok(count), "space {space}");
    }

    // A row that is used again is in the space of its new body.
    world.remove(moving).unwrap();
    let again = world.insert(ball, at(0)).unwrap();
    assert_eq!(again.row(), moving.row());
    let step = world.step().unwrap();
    assert_eq!((step.started()[0].a, step.started()[0].b), (first, again));
    assert_eq!((step.stopped()[0].a, step.stopped().len()), (moving, 1));

    let saved = world.snapshot();
    let mut copy = World::restore(&saved).unwrap();
    assert!(copy.snapshot() == saved && world.clone().snapshot() == saved);
    assert_eq!(copy.state_hash(), world.state_hash());
    assert_eq!(copy.body(wall).unwrap().space, 3);
    copy.insert(ball, at(9)).unwrap();
    assert_eq!(copy.step().unwrap().started()[0].user_a, 9);
}
