//! Which body of a pair is the first: the body in the smaller row, in pairs, contacts and events.

use widephase::{
    Body, Contact, Handle, Motion, Options, Order, Pair, World, narrowphase,
    shape::{
        Aabb, Capsule, Circle, Compound, ConvexPolygon, Obb, OwnedShape, Part, Point, Pose,
        Rotation, RoundedBox, Segment,
    },
    world::PairEvent,
};

use common::product;

/// The rows of an event.
fn rows(event: &PairEvent) -> Pair {
    Pair { a: event.a.row(), b: event.b.row() }
}

/// The first row is used again: its new body has the largest handle of all bodies.
#[test]
fn events_have_the_order_of_the_rows_that_are_used_again() {
    for margin in [0.0, 0.5] {
        let mut world = World::new();
        world.set_margin(margin).unwrap();
        let at = |x: f32, user: u64| (Circle::new([x, 0.0], 1.0), user);
        let insert = |world: &mut World, (shape, user): (Circle, u64)| {
            world.insert(shape, Body { user, ..Body::default() }).unwrap()
        };
        let first = insert(&mut world, at(-9.0, 1));
        let second = insert(&mut world, at(0.0, 2));
        world.step().unwrap();
        world.remove(first).unwrap();
        let again = insert(&mut world, at(1.5, 3));
        assert!((again.row(), second.row()) == (0, 1) && again > second);

        let step = world.step().unwrap();
        let [started] = step.started() else { panic!("{:?}", step.started()) };
        let named = (started.a, started.user_a, started.b, started.user_b);
        assert_eq!(named, (again, 3, second, 2));
        let contact = step.contacts()[started.contact as usize];
        assert_eq!((contact.pair, step.pairs()), (rows(started), &[rows(started)][..]));
        // The body at 1.5 is the first body, so its normal leads to the left.
        assert_eq!(contact.normal().to_array(), [-1.0, 0.0]);
        world.step().unwrap();
        let persisted = world.persisted().next().unwrap();
        assert_eq!((persisted.a, persisted.b), (again, second));
        world.set_pose(second, Pose::at([-9.0, 0.0])).unwrap();
        let step = world.step().unwrap();
        let stopped = step.stopped()[0];
        assert_eq!((stopped.a, stopped.user_a, stopped.b, stopped.user_b), named);
    }
}

/// A shape of each kind, at one place.
fn shapes() -> Vec<OwnedShape> {
    let turn = Rotation::from_angle(0.7);
    let triangle = ConvexPolygon::new(&[[0.0, 0.0], [2.0, 0.0], [0.0, 1.0]]).unwrap();
    let part = |radius: f32| Part::from(Circle::new([0.5, 0.25], radius));
    vec![
        Circle::new([0.5, 0.25], 1.0).into(),
        Circle::new([0.5, 0.25], 0.5).into(),
        Point::new([0.5, 0.25]).into(),
        Capsule::new([0.5, 0.25], [0.5, 0.25], 0.75).into(),
        Aabb::new([-0.5, -0.75], [1.5, 1.25]).into(),
        RoundedBox::new(Aabb::new([0.5, 0.25], [0.5, 0.25]), 0.5).into(),
        Obb::new([0.5, 0.25], [1.0, 0.5], turn).into(),
        Segment::new([0.0, 0.0], [1.0, 0.5]).into(),
        Capsule::new([0.0, 0.0], [1.0, 0.5], 0.25).into(),
        triangle.with_radius(0.125).unwrap().into(),
        Compound::new([part(0.5), Circle::new([2.0, 0.25], 0.75).into(), part(0.25)])
            .unwrap()
            .into(),
    ]
}

const MOTIONS: [Motion; 3] = [Motion::Moving, Motion::Asleep, Motion::Static];

/// A body in row 1, and then a body in row 0, which is used again. Returns their contacts.
fn contacts(shapes: [&OwnedShape; 2], motions: [Motion; 2], margin: f32) -> Vec<Contact> {
    let mut world = World::new();
    world.set_margin(margin).unwrap();
    let body = |motion| Body { motion, ..Body::default() };
    let gone = world.insert(Point::new([0.0, 0.0]), Body::default()).unwrap();
    world.insert(shapes[1], body(motions[1])).unwrap();
    world.remove(gone).unwrap();
    world.insert(shapes[0], body(motions[0])).unwrap();
    world.step().unwrap().contacts().to_vec()
}

/// Equal shapes, and circles around one point, have one contact, whichever of them is at rest, and
/// so have all other shapes: it does not turn round when a body falls asleep.
#[test]
fn contacts_of_bodies_at_one_place_do_not_depend_on_which_is_at_rest() {
    let shapes = shapes();
    let all = || shapes.iter().enumerate();
    for ((first, a), (second, b), margin) in product((all(), all(), [0.0, 0.25])) {
        let expected = contacts([a, b], [Motion::Moving; 2], margin);
        assert!(!expected.is_empty(), "{a:?}, {b:?}");
        for (one, other) in product((MOTIONS, MOTIONS)) {
            let motions = [one, other];
            if motions == [Motion::Static; 2] {
                continue;
            }
            let found = contacts([a, b], motions, margin);
            assert_eq!(found, expected, "{a:?}, {b:?}, {motions:?}, margin {margin}");
        }
        if first < 4 && second < 4 {
            let normal = expected[0].normal().to_array();
            assert_eq!(normal, [1.0, 0.0], "{a:?}, {b:?}, margin {margin}");
        }
        if let [contact] = expected[..] {
            let alone = narrowphase::contact(a, b, margin).unwrap().unwrap();
            assert_eq!(contact, alone.with_pair(Pair { a: 0, b: 1 }), "{a:?}, {b:?}");
        }
    }
}

/// Bodies in three spaces that move, sleep and stand, in an order that no list of a part has.
fn mixed(order: Order, margin: f32) -> (World, Vec<Handle>) {
    let mut world = World::with_options(Options { order, ..Options::default() }).unwrap();
    world.set_margin(margin).unwrap();
    let handles = (0..60_u32).map(|number| {
        let motion = MOTIONS[(number * 7 % 5 % 3) as usize];
        let space = [9, 0, 4][(number * 5 % 7 % 3) as usize];
        let at = [(number * 11 % 13) as f32, (number * 17 % 7) as f32];
        let body = Body { motion, space, pose: Some(Pose::at(at)), ..Body::default() };
        let shape: OwnedShape = match number % 3 {
            0 => Circle::new([0.0, 0.0], 1.5).into(),
            1 => Aabb::new([-1.0, -1.0], [1.0, 1.0]).into(),
            _ => {
                let parts = [[-1.0, 0.0], [1.0, 0.0]].map(|at| Circle::new(at, 0.75));
                Compound::new(parts).unwrap().into()
            }
        };
        world.insert(&shape, body).unwrap()
    });
    let handles = handles.collect();
    (world, handles)
}

/// The lists of a step are sorted if they are to be, with spaces, bodies at rest and a margin; and
/// they have the entries of the lists that are not.
#[test]
fn sorted_steps_are_sorted() {
    for margin in [0.0, 0.5] {
        let [(mut sorted, handles), (mut plain, others)] =
            [Order::Sorted, Order::Grid].map(|order| mixed(order, margin));
        let key = |contact: &Contact| (contact.pair, contact.part_a, contact.part_b);
        for round in 0..4_usize {
            let step = sorted.step().unwrap();
            let expected = plain.step().unwrap();
            assert!(step.pairs().is_sorted() && step.pairs().len() > 40, "{:?}", step.pairs());
            assert!(step.contacts().is_sorted_by_key(key), "margin {margin}, round {round}");
            let mut pairs = expected.pairs().to_vec();
            assert!(!pairs.is_sorted(), "the order of the grid is another one");
            pairs.sort_unstable();
            assert_eq!(step.pairs(), pairs);
            let mut contacts = expected.contacts().to_vec();
            contacts.sort_by_key(key);
            assert_eq!(step.contacts(), contacts, "margin {margin}, round {round}");
            for event in step.started() {
                assert_eq!(step.pairs()[event.index as usize], rows(event));
                let contact = step.contacts()[event.contact as usize];
                assert_eq!(contact.pair, rows(event));
            }
            for number in (round..60).step_by(4) {
                let at = Pose::at([(number * 5 % 11) as f32, (number * 3 % 8) as f32]);
                sorted.set_pose(handles[number], at).unwrap();
                plain.set_pose(others[number], at).unwrap();
            }
        }
    }
}
