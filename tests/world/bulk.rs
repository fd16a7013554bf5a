//! Many bodies in one call, beside body after body; events of hits.

use widephase::{
    Body, Columns, Error, Filter, Handle, Motion, Shapes, World,
    error::{Fault, Field},
    shape::{Aabb, Circle, Compound, Pose, Rotation},
    world::{PairEvent, Velocity},
};

use common::{
    Rng,
    crowd::{Crowd, Make, Numbers},
};

/// Some shapes in a store with vacant rows, and a body for each row.
fn some(seed: u64, rng: &mut Rng) -> (Shapes, Vec<Body>) {
    let (makes, numbers) = (Make::ALL.to_vec(), Numbers::ALL[seed as usize % 4]);
    let crowd = Crowd { seed, count: 20, makes, numbers, unit: 0, far: 0, flat: false };
    let mut store = Shapes::new();
    for solid in crowd.solids() {
        store.push(&solid.shape).unwrap();
    }
    for _ in 0..rng.below(4) {
        let row = rng.below(20) as u32;
        if store.kind(row).is_some() {
            store.remove(row).unwrap();
        }
    }
    let bodies = (0..20).map(|row| {
        let at = [rng.range(-3.0, 3.0), rng.range(-3.0, 3.0)];
        let own = store.pose(row).map_or(Rotation::IDENTITY, Pose::rotation);
        Body {
            pose: (rng.below(3) == 0).then_some(Pose::new(at, own)),
            motion: [Motion::Moving, Motion::Static][rng.below(2) as usize],
            filter: if rng.below(3) == 0 { Filter::ALL.sensing() } else { Filter::ALL },
            space: rng.below(2) as u32 * 5,
            user: rng.below(1000),
        }
    });
    let bodies = bodies.collect();
    (store, bodies)
}

/// Bodies that are inserted and removed at once are the bodies of one call after the other, with
/// the same handles.
#[test]
fn many_at_once_are_one_after_the_other() {
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let mut worlds = [World::new(), World::new()];
        let tag = worlds[0].tag();
        worlds[1].set_tag(tag);
        let mut alive: Vec<Handle> = Vec::new();
        for round in 0..6 {
            let (store, mut bodies) = some(seed * 10 + round, &mut rng);
            if round % 3 == 2 {
                for body in &mut bodies {
                    body.pose = None;
                }
            }
            let mut handles = Vec::new();
            worlds[0].insert_all(&store, &bodies, &mut handles).unwrap();
            let mut expected = Vec::new();
            for (row, body) in (0..).zip(&bodies) {
                if let Some(shape) = store.get(row) {
                    expected.push(worlds[1].insert(&shape, *body).unwrap());
                }
            }
            assert_eq!(handles, expected, "seed {seed}, round {round}");
            alive.extend(handles);
            let gone: Vec<Handle> = (0..alive.len() / 3)
                .map(|_| alive.swap_remove(rng.below(alive.len() as u64) as usize))
                .collect();
            worlds[0].remove_all(&gone).unwrap();
            for body in &gone {
                worlds[1].remove(*body).unwrap();
            }
            let ends = worlds.each_mut().map(|world| {
                world.step().unwrap();
                world.snapshot()
            });
            assert!(ends[0] == ends[1], "seed {seed}, round {round}");
        }
    }
}

/// Borrowed columns of each kind, with and without poses, in free and in new rows: the bodies equal
/// the rows of a store, inserted one after the other.
#[test]
fn columns_are_one_row_after_the_other() {
    let x: Vec<f32> = (0..30).map(|row| (row % 6) as f32 * 1.25).collect();
    let y: Vec<f32> = (0..30).map(|row| (row / 6) as f32 * 1.5).collect();
    let (far_x, far_y): (Vec<f32>, Vec<f32>) =
        (x.iter().map(|x| x + 1.0).collect(), y.iter().map(|y| y + 0.75).collect());
    let half: Vec<f32> = x.iter().map(|x| 0.5 + x / 16.0).collect();
    let (cos, sin) = (vec![0.6; 30], vec![0.8; 30]);
    let columns = [
        Columns::points(&x, &y),
        Columns::circles(&x, &y, &half),
        Columns::circles(&x, &y, 0.75),
        Columns::aabbs(&x, &y, &far_x, &far_y),
        Columns::centered(&x, &y, &half, &half),
        Columns::rounded_boxes(&x, &y, &far_x, &far_y, &half),
        Columns::obbs(&x, &y, &half, &half, &cos, &sin),
        Columns::capsules(&x, &y, &far_x, &y, &half),
        Columns::segments(&x, &y, &far_x, &far_y),
    ];
    for (number, columns) in columns.into_iter().enumerate() {
        let columns = columns.unwrap();
        let store = Shapes::from_columns(columns).unwrap();
        for posed in [false, true] {
            let own = store.pose(0).map_or(Rotation::IDENTITY, Pose::rotation);
            let pose = |row: usize| Pose::new([row as f32, 0.5], own);
            let bodies = [0; 30].map(|_| Body::default());
            let bodies: Vec<Body> = bodies
                .into_iter()
                .enumerate()
                .map(|(row, body)| Body {
                    pose: (posed && row % 3 == 1).then(|| pose(row)),
                    user: row as u64,
                    ..body
                })
                .collect();
            let mut worlds = [World::new(), World::new()];
            let tag = worlds[0].tag();
            worlds[1].set_tag(tag);
            for world in &mut worlds {
                let first = [0.0, 9.0, 18.0]
                    .map(|x| world.insert(Circle::new([x, -9.0], 1.0), Body::default()).unwrap());
                world.remove_all(&first[..2]).unwrap();
            }
            let mut handles = Vec::new();
            worlds[0].insert_all(columns, &bodies, &mut handles).unwrap();
            let expected: Vec<Handle> = (0..30)
                .map(|row| worlds[1].insert(store.get(row).unwrap(), bodies[row as usize]).unwrap())
                .collect();
            assert_eq!(handles, expected, "columns {number}, posed {posed}");
            let ends = worlds.each_mut().map(|world| {
                world.step().unwrap();
                world.snapshot()
            });
            assert!(ends[0] == ends[1], "columns {number}, posed {posed}");
        }
    }
}

#[test]
fn all_or_none() {
    let mut world = World::new();
    let mut handles = vec![];
    let (x, y) = ([0.0, 5.0, f32::NAN], [0.0; 3]);
    let circles = Columns::circles(&x, &y, 1.0).unwrap();
    let error = world.insert_all(circles, &[Body::default(); 3], &mut handles).unwrap_err();
    let (field, fault) = (Field::X, Fault::NotANumber);
    assert!(
        matches!(error, Error::InvalidShape { index: 2, field: f, fault: g, .. } if (f, g) == (field, fault))
    );
    let error = world.insert_all(circles, &[Body::default(); 2], &mut handles).unwrap_err();
    assert_eq!(error, Error::UnequalColumns { field: Field::Row, len: 2, expected: 3 });
    // The last pose is not valid.
    let boxes = Shapes::from_slice(&[Aabb::new([0.0; 2], [1.0; 2]); 3]).unwrap();
    let turned = Pose::new([0.0, 0.0], Rotation::from_angle(1.0));
    let bodies = [None, None, Some(turned)].map(|pose| Body { pose, ..Body::default() });
    let error = world.insert_all(&boxes, &bodies, &mut handles).unwrap_err();
    assert!(matches!(error, Error::InvalidShape { index: 2, fault: Fault::CannotRotate, .. }));
    assert_eq!((world.len(), world.rows(), handles.len()), (0, 0, 0));

    world.insert_all(&boxes, &[Body::default(); 3], &mut handles).unwrap();
    let [one, two, three] = handles[..] else { panic!("{handles:?}") };
    let twice = world.remove_all(&[one, two, one]).unwrap_err();
    assert_eq!((twice, world.len()), (Error::StaleHandle { handle: one }, 3));
    world.remove(three).unwrap();
    let stale = world.remove_all(&[one, three]).unwrap_err();
    assert_eq!((stale, world.len()), (Error::StaleHandle { handle: three }, 2));
}

/// A call that is refused at its last row leaves the world as it was, whether it has records and
/// vacant rows or not, and the next call does what it would have done.
#[test]
fn a_refused_call_changes_nothing() {
    for seed in 0..40 {
        let (mut rng, mut world, mut handles) = (Rng::new(seed), World::new(), Vec::new());
        let (first, bodies) = some(seed, &mut rng);
        if seed % 4 > 0 {
            world.insert_all(&first, &bodies, &mut handles).unwrap();
            let gone: Vec<Handle> = handles.iter().copied().step_by(seed as usize % 4).collect();
            world.remove_all(&gone).unwrap();
        }
        let (store, bodies) = some(seed + 1, &mut rng);
        let mut refused = bodies.clone();
        let last = (0..20).rev().find(|row| store.kind(*row).is_some()).unwrap();
        refused[last as usize].pose = Some(Pose::at([f32::NAN, 0.0]));
        let (before, mut other) = (world.snapshot(), world.clone());
        let error = world.insert_all(&store, &refused, &mut handles).unwrap_err();
        assert!(matches!(error, Error::InvalidShape { index, .. } if index == last as usize));
        assert!(handles.is_empty() && world.snapshot() == before, "seed {seed}");
        for world in [&mut world, &mut other] {
            world.insert_all(&store, &bodies, &mut handles).unwrap();
            world.step().unwrap();
        }
        assert!(world.snapshot() == other.snapshot(), "seed {seed}");
    }
}

/// The records of events have no gaps, and name their contacts.
#[test]
fn events_name_their_contacts() {
    for margin in [0.0, 0.3] {
        let mut rng = Rng::new(7);
        let mut world = World::new();
        world.set_margin(margin).unwrap();
        let mut handles = Vec::new();
        for round in 0..5 {
            let (store, bodies) = some(round, &mut rng);
            world.insert_all(&store, &bodies, &mut handles).unwrap();
        }
        let all: Vec<Handle> = world.handles().collect();
        let mut velocity = || rng.range(-9.0, 9.0);
        let velocities: Vec<Velocity> = all
            .iter()
            .map(|_| Velocity { x: velocity(), y: velocity(), spin: velocity() })
            .collect();
        world.set_velocities(&all, &velocities).unwrap();
        let step = world.step().unwrap();
        assert_eq!(bytemuck::cast_slice::<_, u8>(step.started()).len(), 48 * step.started().len());
        let started: Vec<PairEvent> = step.started().to_vec();
        // The same events persist.
        world.step().unwrap();
        let mut persisted: Vec<PairEvent> = world.persisted().collect();
        persisted.sort_by_key(|event| step.pairs()[event.index as usize]);
        assert_eq!(persisted, started, "margin {margin}");
        let (mut fast, mut none) = (0, 0);
        for event in &started {
            let pair = step.pairs()[event.index as usize];
            let own = step.contacts().iter().filter(|contact| contact.pair == pair);
            let first = step.contacts().iter().position(|contact| contact.pair == pair);
            let place = first.map_or(PairEvent::NO_CONTACT, |place| place as u32);
            assert_eq!(event.contact, place, "margin {margin}");
            assert!(place != PairEvent::NO_CONTACT || event.is_sensor());
            let mut speed = 0.0_f64;
            let velocity = |row: u32, [x, y]: [f64; 2]| {
                let place = all.iter().position(|body| body.row() == row).unwrap();
                let pose = world.pose(all[place]).unwrap();
                let Velocity { x: vx, y: vy, spin } = velocities[place];
                let [x, y, spin] = [x - f64::from(pose.x), y - f64::from(pose.y), spin.into()];
                [f64::from(vx) - spin * y, f64::from(vy) + spin * x]
            };
            let points = own
                .flat_map(|contact| contact.points().iter().map(|point| (point, contact.normal())));
            for (point, normal) in points {
                let at = [point.x.into(), point.y.into()];
                let ([ax, ay], [bx, by]) = (velocity(pair.a, at), velocity(pair.b, at));
                let approach = (ax - bx) * f64::from(normal.x) + (ay - by) * f64::from(normal.y);
                speed = speed.max(approach);
            }
            assert!(
                (f64::from(event.speed) - speed).abs() < 1e-3 * speed.max(1.0),
                "{event:?}, {speed}"
            );
            fast += usize::from(event.speed > 1.0);
            none += usize::from(event.is_sensor());
        }
        assert!(fast > 10 && none > 10, "{fast} {none}");
    }
}

#[test]
fn velocities_are_checked_and_forgotten_with_the_body() {
    let mut world = World::new();
    let ball = world.insert(Circle::new([0.0, 0.0], 1.0), Body::default()).unwrap();
    assert_eq!(world.velocity(ball), Ok(Velocity::default()));
    let fast = Velocity { x: 1.0, y: 2.0, spin: 3.0 };
    world.set_velocities(&[ball], &[fast]).unwrap();
    let spin = Velocity { spin: f32::INFINITY, ..fast };
    let error = world.set_velocities(&[ball, ball], &[Velocity::default(), spin]).unwrap_err();
    let (index, field, value, fault) = (1, Field::Spin, f32::INFINITY, Fault::Infinite);
    assert_eq!(error, Error::InvalidShape { index, field, value, fault });
    let error = world.set_velocities(&[ball], &[]).unwrap_err();
    assert_eq!(error, Error::UnequalColumns { field: Field::Dx, len: 0, expected: 1 });
    assert_eq!(world.velocity(ball), Ok(fast));
    world.remove(ball).unwrap();
    assert_eq!(world.velocity(ball), Err(Error::StaleHandle { handle: ball }));
    assert!(world.set_velocities(&[ball], &[fast]).is_err());
    let again = world.insert(Circle::new([0.0, 0.0], 1.0), Body::default()).unwrap();
    assert_eq!((again.row(), world.velocity(again)), (ball.row(), Ok(Velocity::default())));
}

/// The contacts of a pair begin before the place of the pair, where a sensor has none and a
/// compound has two.
#[test]
fn a_first_contact_is_not_at_the_place_of_its_pair() {
    let mut world = World::new();
    let sensor = Body { filter: Filter::ALL.sensing(), ..Body::default() };
    world.insert(Circle::new([0.0, 0.0], 1.0), sensor).unwrap();
    world.insert(Circle::new([0.5, 0.0], 1.0), Body::default()).unwrap();
    let parts = [-1.0, 1.0].map(|x| Circle::new([x, 0.0], 0.5));
    world.insert(Compound::new(parts).unwrap(), Body::default()).unwrap();
    let bar = world.insert(Aabb::new([-3.0, 50.0], [3.0, 51.0]), Body::default()).unwrap();
    let compound = world.handle(2).unwrap();
    world.set_pose(compound, Pose::at([20.0, 0.0])).unwrap();
    world.step().unwrap();
    world.set_pose(bar, Pose::at([20.0, 0.75])).unwrap();
    let step = world.step().unwrap();
    assert_eq!((step.pairs().len(), step.contacts().len()), (2, 2));
    let started = step.started()[0];
    assert_eq!((started.index, started.contact), (1, 0));
}

/// With a margin, a new body in the row of another one begins without its values.
#[test]
fn values_within_a_margin_end_with_the_body() {
    let mut world = World::new();
    world.set_margin(0.5).unwrap();
    world.insert(Circle::new([0.0, 0.0], 1.0), Body::default()).unwrap();
    let near = world.insert(Circle::new([2.25, 0.0], 1.0), Body::default()).unwrap();
    world.step().unwrap();
    world.contacts_mut().1[0] = [[1.0, 2.0], [0.0; 2]];
    world.step().unwrap();
    assert_eq!(world.contact_values()[0][0], [1.0, 2.0], "it is carried on");
    world.remove(near).unwrap();
    let other = world.insert(Circle::new([2.25, 0.0], 1.0), Body::default()).unwrap();
    assert_eq!(other.row(), near.row());
    world.step().unwrap();
    assert_eq!(world.contact_values(), [[[0.0; 2]; 2]]);
}
