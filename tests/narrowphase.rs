//! Shapes of every kind that turn, in crowds: pairs and contacts are the same everywhere, and they are
//! right by geometry in `f64`, written for these tests, and by parry2d.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

mod common;

use common::{
    POLICIES,
    convex::{Convex, clearance, dot, length, minus, plus, times},
    crowd::{Crowd, Form, Make, Maker, Numbers, Solid, crowds, crowds_of, store},
    levels, pow2,
};
use proptest::prelude::*;
use widephase::{
    Contact, Detector, Order, Pair, Shapes, StaticSet, Threads, Touching,
    shape::{
        AnyShape, Capsule, Circle, Compound, ConvexPolygon, Kind, Obb, Part, Pose, Rotation, Shape,
    },
};

/// One part in 2^24: a rounding.
const EPS: f64 = 1.0 / (1 << 24) as f64;

fn bytes(contacts: &[Contact]) -> &[u8] {
    bytemuck::cast_slice(contacts)
}

fn pairs_of(store: &Shapes, touching: Touching) -> Vec<Pair> {
    let mut pairs = Vec::new();
    Detector::new().touching(touching).order(Order::Sorted).detect(store, &mut pairs).unwrap();
    pairs
}

fn contacts_of(store: &Shapes, margin: f32, touching: Touching) -> Vec<Contact> {
    let mut contacts = Vec::new();
    let mut detector = Detector::new().touching(touching).order(Order::Sorted);
    detector.contacts(store, margin, &mut contacts).unwrap();
    contacts
}

/// Says where two lists of contacts part, to the last bit.
fn assert_contacts(found: &[Contact], expected: &[Contact], what: &str) {
    let part = found.iter().zip(expected).position(|(a, b)| bytemuck::bytes_of(a) != bytemuck::bytes_of(b));
    if let Some(at) = part {
        panic!("{what}: contact {at} is {:#?}, expected {:#?}", found[at], expected[at]);
    }
    assert_eq!(found.len(), expected.len(), "{what}: number of contacts");
}

/// Pairs and contacts on all levels and threads, in either order: one list each, the one returned.
fn everywhere(
    store: &Shapes,
    margin: f32,
    touching: Touching,
    order: Order,
    what: &str,
) -> (Vec<Pair>, Vec<Contact>) {
    let mut first: Option<(Vec<Pair>, Vec<Contact>)> = None;
    let mut check = |detector: &mut Detector, what: &str| {
        let (mut pairs, mut contacts) = (Vec::new(), Vec::new());
        detector.detect(store, &mut pairs).unwrap();
        detector.contacts(store, margin, &mut contacts).unwrap();
        assert_eq!(detector.count(store).unwrap(), pairs.len() as u64, "{what}: count");
        let (first_pairs, first_contacts) =
            first.get_or_insert_with(|| (pairs.clone(), contacts.clone()));
        assert!(pairs == *first_pairs, "{what}: other pairs");
        assert_contacts(&contacts, first_contacts, what);
    };
    for &level in levels() {
        let new = |threads| {
            let detector = Detector::new().touching(touching).order(order).threads(threads);
            detector.level(level).unwrap()
        };
        check(&mut new(Threads::Calling), &format!("{what}, {level}"));
        #[cfg(feature = "parallel")]
        for pool in common::pools() {
            let what = format!("{what}, {level}, {} threads", pool.current_num_threads());
            pool.install(|| check(&mut new(Threads::Pool), &what));
        }
    }
    first.unwrap_or_default()
}

/// Margins in units: none, and some.
fn margins() -> impl Strategy<Value = f32> {
    prop_oneof![Just(0.0_f32), Just(0.25), Just(1.0 / 64.0), 0.0_f32..0.5]
}

fn policies() -> impl Strategy<Value = Touching> {
    prop::sample::select(&POLICIES[..])
}

/// How well a contact is known: to so many roundings of the sizes and the distance of the shapes, and of
/// their coordinates.
fn tolerance(a: &Convex, b: &Convex, sizes: f64, places: f64) -> f64 {
    let ((place_a, size_a), (place_b, size_b)) = (a.reach(), b.reach());
    EPS * (sizes * (size_a + size_b) + places * (place_a + place_b))
}

fn normal_of(contact: &Contact) -> [f64; 2] {
    [contact.normal_x, contact.normal_y].map(f64::from)
}

/// The parts that a contact is of.
fn parts_of<'a>(parts: &'a [Vec<Convex>], contact: &Contact) -> [&'a Convex; 2] {
    let Pair { a, b } = contact.pair;
    [&parts[a as usize][contact.part_a as usize], &parts[b as usize][contact.part_b as usize]]
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 300, failure_persistence: None, ..ProptestConfig::default()
    })]

    /// One answer, whatever computes it; and with a margin of 0 the pairs have contacts, no others do.
    #[test]
    fn one_answer_everywhere(crowd in crowds(), margin in margins(), touching in policies()) {
        let solids = crowd.solids();
        let store = store(&solids);
        let what = format!("{crowd:?}, {touching:?}, margin {margin}");
        let margin = margin * pow2(crowd.unit);
        let (pairs, contacts) = everywhere(&store, margin, touching, Order::Sorted, &what);
        prop_assert!(pairs.is_sorted());
        let (grid_pairs, grid_contacts) = everywhere(&store, margin, touching, Order::Grid, &what);

        let sorted = common::well_formed(&grid_pairs, solids.len(), &what);
        prop_assert!(sorted == pairs, "{}: pairs by order", what);
        let key = |c: &Contact| (c.pair, c.part_a, c.part_b);
        let mut sorted = grid_contacts.clone();
        sorted.sort_by_key(key);
        assert_contacts(&sorted, &contacts, &what);
        prop_assert!(contacts.windows(2).all(|w| key(&w[0]) < key(&w[1])), "{}: twice", what);

        // With no margin: one contact a pair, in the order of the pairs.
        let (_, touching_contacts) = everywhere(&store, 0.0, touching, Order::Grid, &what);
        let mut of: Vec<Pair> = touching_contacts.iter().map(|contact| contact.pair).collect();
        of.dedup();
        prop_assert!(of == grid_pairs, "{}: pairs and contacts", what);
        if !solids.iter().any(Solid::is_compound) {
            prop_assert_eq!(touching_contacts.len(), grid_pairs.len(), "{}", what);
        }
        // With one, those are still there, the same.
        if margin > 0.0 {
            let mut at = 0;
            let touching_contacts = contacts_of(&store, 0.0, touching);
            for contact in &touching_contacts {
                while at < contacts.len() && key(&contacts[at]) < key(contact) {
                    prop_assert!(contacts[at].depth <= 0.0, "{}: {:?}", what, contacts[at]);
                    at += 1;
                }
                prop_assert!(
                    contacts.get(at).is_some_and(|c| key(c) == key(contact)
                        && c.depth == contact.depth
                        && normal_of(c) == normal_of(contact)),
                    "{}: {:?} is missing with a margin", what, contact
                );
                at += 1;
            }
        }
    }
}
