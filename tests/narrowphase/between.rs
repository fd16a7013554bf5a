//! `Narrowphase::pairs_between` and `contacts_between`: pairs of a row of one set and a row of
//! another, for stores and columns of all kinds, on every level. The results equal the results of
//! the same shapes two at a time, and the results of the reference.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

use std::collections::HashMap;

use common::{
    POLICIES, Rng, assert_contacts, at_every_level, boxes_and_circles,
    crowd::{Maker, Numbers, only_order_tells},
    levels,
    matrix::on_one_thread,
    product,
    sides::{Rows, Side},
    twins::whole,
};
use widephase::{
    Columns, Contact, Error, Narrowphase, NarrowphaseOptions, Pair, Shapes, SimdLevel, Touching,
    error::{Fault, Field},
    narrowphase,
    reference::whole::{Whole, touches},
    shape::{Aabb, Capsule, Circle, Compound, Obb, Part, Pose, Rotation},
};

/// Rows of a side.
const ROWS: usize = 20;

/// All pairs of rows that hold a shape, in any order, each several times: where there are shapes of
/// all kinds, so often that they are more than are decided at once (2,048).
fn pairs_of([a, b]: [&Rows; 2], rng: &mut Rng) -> Vec<Pair> {
    let times = if [a.side, b.side].contains(&Side::Any) { 8 } else { 1 };
    let there = |side: &Rows| -> Vec<u32> {
        (0..ROWS as u32).filter(|&row| side.solids[row as usize].is_some()).collect()
    };
    let (rows_a, rows_b) = (there(a), there(b));
    let mut pairs = Vec::new();
    for _ in 0..times {
        for &a in &rows_a {
            pairs.extend(rows_b.iter().map(|&b| Pair { a, b }));
        }
    }
    rng.shuffle(&mut pairs);
    pairs
}

/// The expected results of each pair: by the reference, and, if it is not of compounds, by a call
/// for the two shapes.
struct Truth {
    touches: HashMap<Pair, bool>,
    contacts: HashMap<Pair, Vec<Contact>>,
    /// Whether only the order tells the two shapes apart in one of its contacts.
    by_order: HashMap<Pair, bool>,
}

impl Truth {
    fn new([a, b]: [&Rows; 2], touching: Touching, margin: f32) -> Self {
        let whole = |side: &Rows| -> Vec<Option<Whole>> {
            let whole = |solid: &common::crowd::PosedShape| Whole::new(&solid.shape, solid.pose);
            side.solids.iter().map(|solid| solid.as_ref().map(whole)).collect()
        };
        let (wholes, ready) = ([whole(a), whole(b)], [a.ready(), b.ready()]);
        let mut truth =
            Self { touches: HashMap::new(), contacts: HashMap::new(), by_order: HashMap::new() };
        for row_a in 0..ROWS {
            for row_b in 0..ROWS {
                let (Some(one), Some(other)) = (&wholes[0][row_a], &wholes[1][row_b]) else {
                    continue;
                };
                let pair = Pair { a: row_a as u32, b: row_b as u32 };
                let touches = touches(one, other, touching);
                let contacts: Vec<_> = whole::between(one, other, margin, touching)
                    .into_iter()
                    .map(|contact| contact.with_pair(pair))
                    .collect();
                let two = [ready[0][row_a].as_ref().unwrap(), ready[1][row_b].as_ref().unwrap()];
                assert_eq!(
                    narrowphase::touches(two[0], two[1], touching).unwrap(),
                    touches,
                    "{pair:?}"
                );
                let single = one.parts.len() == 1 && other.parts.len() == 1;
                // Two at a time, touching counts.
                if single && (touching == Touching::Inclusive || touches) {
                    let contact = narrowphase::contact(two[0], two[1], margin).unwrap();
                    let contact = contact.map(|contact| contact.with_pair(pair));
                    assert_contacts(contact.as_slice(), &contacts, "two at a time");
                }
                let order = contacts.iter().any(|contact| {
                    let a = &one.parts[contact.part_a as usize];
                    let b = &other.parts[contact.part_b as usize];
                    only_order_tells(a, b)
                });
                truth.by_order.insert(pair, order);
                truth.touches.insert(pair, touches);
                truth.contacts.insert(pair, contacts);
            }
        }
        truth
    }
}

#[test]
fn lists_of_pairs_agree_with_two_shapes_at_a_time() {
    let mut rng = Rng::new(31);
    let mut seen = Seen::default();
    for (seed, numbers) in [(1, Numbers::Smooth), (2, Numbers::Quarters)] {
        let mut maker = Maker::new(seed, numbers, 1.0);
        for (left, right) in product((Side::ALL, Side::ALL)) {
            let sides = [left, right].map(|side| Rows::new(side, &mut maker, ROWS));
            let pairs = pairs_of(sides.each_ref(), &mut rng);
            for (touching, margin) in product((POLICIES, [0.0, 0.25])) {
                // With smooth numbers hardly any pair only touches, so two of the four combinations
                // are enough.
                let inclusive = touching == Touching::Inclusive;
                if numbers == Numbers::Quarters || inclusive == (margin == 0.0) {
                    let what = format!("{left:?} and {right:?}, {numbers:?}, margin {margin}");
                    seen.check(sides.each_ref(), &pairs, (touching, margin), &what);
                }
            }
        }
    }
    let Seen { touching, apart, of_parts, near_misses, mirrored } = seen;
    let seen = [touching, apart, of_parts, near_misses];
    assert!(seen.iter().all(|&count| count > 50_000), "{seen:?}");
    assert!(mirrored > 300_000, "{mirrored}");
}

/// How many pairs and contacts were compared.
#[derive(Default)]
struct Seen {
    touching: usize,
    apart: usize,
    of_parts: usize,
    near_misses: usize,
    mirrored: usize,
}

impl Seen {
    /// Checks the lists of these pairs on every level, also with the sides exchanged.
    fn check(
        &mut self,
        [a, b]: [&Rows; 2],
        pairs: &[Pair],
        (touching, margin): (Touching, f32),
        what: &str,
    ) {
        let swapped: Vec<Pair> = pairs.iter().map(|&Pair { a, b }| Pair { a: b, b: a }).collect();
        let truth = Truth::new([a, b], touching, margin);
        let expected: Vec<Pair> =
            pairs.iter().filter(|pair| truth.touches[pair]).copied().collect();
        let contacts: Vec<Contact> =
            pairs.iter().flat_map(|pair| &truth.contacts[pair]).copied().collect();
        for run in on_one_thread().filter(|run| run.touching == touching) {
            let what = format!("{what}, {run}");
            let mut narrowphase = run.narrowphase();
            let (mut hits, mut found) = (Vec::new(), Vec::new());
            let (one, other) = (a.columns(), b.columns());
            narrowphase.pairs_between(one, other, pairs, &mut hits).unwrap();
            assert!(hits == expected, "{what}: other pairs");
            narrowphase.contacts_between(one, other, pairs, margin, &mut found).unwrap();
            assert_contacts(&found, &contacts, &what);

            narrowphase.pairs_between(other, one, &swapped, &mut hits).unwrap();
            for pair in &mut hits {
                *pair = Pair { a: pair.b, b: pair.a };
            }
            assert!(hits == expected, "{what}: other pairs, exchanged");
            narrowphase.contacts_between(other, one, &swapped, margin, &mut found).unwrap();
            self.mirrored += assert_mirrored(&found, &contacts, &truth, &what);
        }
        self.touching += expected.len();
        self.apart += pairs.len() - expected.len();
        self.of_parts += contacts.iter().filter(|c| c.part_a + c.part_b > 0).count();
        self.near_misses += contacts.iter().filter(|c| c.depth < 0.0).count();
    }
}

/// The contacts of pairs (b, a) are the mirror images of the contacts of (a, b), pair by pair,
/// unless two shapes differ only in their order. Returns the number of compared contacts.
fn assert_mirrored(found: &[Contact], contacts: &[Contact], truth: &Truth, what: &str) -> usize {
    assert_eq!(found.len(), contacts.len(), "{what}, exchanged");
    let (mut at, mut compared) = (0, 0);
    while at < contacts.len() {
        let pair = contacts[at].pair;
        let all = truth.contacts[&pair].len();
        let own = &contacts[at..at + all];
        let mut images: Vec<_> = found[at..at + all].iter().map(|image| image.mirrored()).collect();
        images.sort_by_key(|contact| (contact.part_a, contact.part_b));
        assert!(images.iter().all(|image| image.pair == pair), "{what}, exchanged: {pair:?}");
        if !truth.by_order[&pair] {
            let [images, own] = [&images[..], own].map(|c| c.iter().copied());
            let [images, own] = [images.collect::<Vec<_>>(), own.collect()];
            assert_contacts(&images, &own, &format!("{what}, exchanged"));
            compared += all;
        }
        at += all;
    }
    compared
}

/// Both sets may be one set: the results are then the results for pairs of one set, also for a row
/// and itself.
#[test]
fn a_set_and_itself() {
    let mut maker = Maker::new(3, Numbers::Smooth, 1.0);
    let mut rng = Rng::new(5);
    let mut seen = [0; 2];
    for side in Side::ALL {
        let rows = Rows::new(side, &mut maker, ROWS);
        let pairs = pairs_of([&rows, &rows], &mut rng);
        for &level in levels() {
            let mut narrowphase = Narrowphase::with_options(NarrowphaseOptions {
                simd_level: Some(level),
                ..NarrowphaseOptions::default()
            })
            .unwrap();
            let (mut hits, mut expected) = (Vec::new(), Vec::new());
            let columns = rows.columns();
            narrowphase.pairs(columns, &pairs, &mut expected).unwrap();
            narrowphase.pairs_between(columns, columns, &pairs, &mut hits).unwrap();
            assert!(hits == expected, "{side:?}, {level}: other pairs");
            let (mut found, mut contacts) = (Vec::new(), Vec::new());
            narrowphase.contacts(columns, &pairs, 0.125, &mut contacts).unwrap();
            narrowphase.contacts_between(columns, columns, &pairs, 0.125, &mut found).unwrap();
            assert_contacts(&found, &contacts, &format!("{side:?}, {level}"));
            seen = [seen[0] + hits.len(), seen[1] + found.len()];
        }
    }
    assert!(seen.iter().all(|&count| count > 5_000), "{seen:?}");
}

at_every_level!(contacts_by_hand);

/// By hand: a box that stands on its corner, in a store, among circles in columns, in both orders
/// of the sets; and an axis-aligned box in a store among circles in columns.
fn contacts_by_hand(level: SimdLevel) {
    let mut diamonds = Shapes::new();
    let eighth = Rotation::from_angle(std::f32::consts::FRAC_PI_4);
    for x in [100.0, 0.0] {
        diamonds.push(Obb::new([x, 0.0], [1.0, 1.0], eighth)).unwrap();
    }
    let mut boxes = Shapes::new();
    boxes.push(Aabb::new([-9.0, -9.0], [-8.0, -8.0])).unwrap();
    boxes.push(Aabb::new([-1.0, -2.0], [1.0, 2.0])).unwrap();
    // Above the upper corner of the first shape, at (0, √2), and above the box; beside both shapes,
    // whose right ends are √2 and 1; far away.
    let (x, y, radius) = ([0.0, 1.75, 50.0], [2.75, 0.0, 50.0], [1.5, 1.0, 1.0]);
    let circles = Columns::circles(&x, &y, &radius).unwrap();
    let pair = |a, b| Pair { a, b };
    let near = [pair(1, 2), pair(1, 1), pair(0, 0), pair(1, 0)];
    let swapped = near.map(|Pair { a, b }| pair(b, a));
    let close = |found: f32, exact: f64| (f64::from(found) - exact).abs() < 1e-6;
    let mut narrowphase = Narrowphase::with_options(NarrowphaseOptions {
        simd_level: Some(level),
        ..NarrowphaseOptions::default()
    })
    .unwrap();
    let (mut hits, mut found) = (Vec::new(), Vec::new());
    let root = 2.0_f64.sqrt();
    for (store, depths) in
        [(&diamonds, [1.0 - (1.75 - root), 1.5 - (2.75 - root)]), (&boxes, [0.25, 0.75])]
    {
        narrowphase.pairs_between(store, circles, &near, &mut hits).unwrap();
        assert_eq!(hits, [pair(1, 1), pair(1, 0)], "{level}");
        narrowphase.contacts_between(store, circles, &near, 0.0, &mut found).unwrap();
        assert_eq!(found.iter().map(|c| c.pair).collect::<Vec<_>>(), hits, "{level}");
        for ((contact, normal), depth) in found.iter().zip([[1.0, 0.0], [0.0, 1.0]]).zip(depths) {
            let [nx, ny] = normal;
            assert!(close(contact.normal().x, nx) && close(contact.normal().y, ny), "{contact:?}");
            assert!(close(contact.depth, depth), "{level}: {contact:?}, not {depth}");
        }
        narrowphase.pairs_between(circles, store, &swapped, &mut hits).unwrap();
        assert_eq!(hits, [pair(1, 1), pair(0, 1)], "{level}");
        narrowphase.contacts_between(circles, store, &swapped, 0.0, &mut found).unwrap();
        assert_eq!(found.iter().map(|c| c.pair).collect::<Vec<_>>(), hits, "{level}");
        assert!(close(found[0].normal().x, -1.0) && close(found[1].normal().y, -1.0), "{level}");
        assert!(close(found[0].depth, depths[0]), "{level}");
    }
}

at_every_level!(few_rows_of_a_large_level);

/// A ground of many axis-aligned rows, in a store and in columns, and a few rotated shapes near
/// some of them.
fn few_rows_of_a_large_level(level: SimdLevel) {
    let rows = 200_000_u32;
    let x: Vec<f32> = (0..rows).map(|row| row as f32).collect();
    let (y, half) = (vec![0.0; rows as usize], vec![0.5; rows as usize]);
    let columns = Columns::centered(&x, &y, &half, &half).unwrap();
    let mut store = Shapes::new();
    store.extend_from_columns(columns).unwrap();
    let mut capsules = Shapes::new();
    for at in [199_999.0, 7.0, 100_000.0] {
        capsules.push(Capsule::new([at, 0.5], [at, 3.0], 0.25)).unwrap();
    }
    let pairs =
        [(0, 199_999), (0, 7), (1, 7), (2, 100_001), (2, 100_000)].map(|(a, b)| Pair { a, b });
    let mut hits = Vec::new();
    let mut narrowphase = Narrowphase::with_options(NarrowphaseOptions {
        simd_level: Some(level),
        ..NarrowphaseOptions::default()
    })
    .unwrap();
    for level_columns in [columns, (&store).into()] {
        narrowphase.pairs_between(&capsules, level_columns, &pairs, &mut hits).unwrap();
        assert_eq!(hits, [pairs[0], pairs[2], pairs[4]], "{level}");
    }
}

/// The lists are empty after an error, and the error names the fault.
#[test]
fn bad_pairs_and_values_are_refused() {
    let [mut turned, mut circles] = boxes_and_circles(4, 6);
    turned.remove(1).unwrap();
    circles.remove(3).unwrap();
    let bad_values = [1.0, -1.0, 1.0, 1.0, 1.0, 1.0];
    let zero = [0.0; 6];
    let good = Columns::circles(&zero, &zero, &zero).unwrap();
    let bad = Columns::circles(&zero, &zero, &bad_values).unwrap();
    let worse = Columns::centered(&zero, &zero, &zero, &bad_values).unwrap();

    let mut narrowphase = Narrowphase::new();
    let (mut hits, mut found) = (Vec::new(), Vec::new());
    let mut refused = |a: Columns<'_>, b: Columns<'_>, pairs: &[(u32, u32)]| {
        let pairs: Vec<Pair> = pairs.iter().map(|&(a, b)| Pair { a, b }).collect();
        hits.resize(3, Pair::default());
        found.resize(3, Contact::default());
        let error = narrowphase.pairs_between(a, b, &pairs, &mut hits).unwrap_err();
        let other = narrowphase.contacts_between(a, b, &pairs, 0.5, &mut found).unwrap_err();
        assert_eq!(error, other);
        assert!(hits.is_empty() && found.is_empty(), "{error}");
        error
    };
    let (a, b) = (turned.columns(), circles.columns());
    let missing = |index, len| Error::NoSuchShape { index, len };
    // Beyond the first set or the second; the first pair counts, and in that pair the first row.
    assert_eq!(refused(a, b, &[(0, 0), (4, 0)]), missing(4, 4));
    assert_eq!(refused(a, b, &[(0, 0), (0, 6)]), missing(6, 6));
    assert_eq!(refused(a, b, &[(3, 5), (2, 7), (9, 0)]), missing(7, 6));
    assert_eq!(refused(a, b, &[(8, 7), (9, 9)]), missing(8, 4));
    // Rows that are right in the other set only.
    assert_eq!(refused(a, b, &[(5, 5)]), missing(5, 4));
    assert_eq!(refused(b, a, &[(5, 5)]), missing(5, 4));
    // Vacant.
    assert_eq!(refused(a, b, &[(0, 1), (2, 3)]), missing(3, 6));
    assert_eq!(refused(a, b, &[(1, 3)]), missing(1, 4));
    assert_eq!(refused(good, a, &[(1, 2), (3, 1)]), missing(1, 4));
    // Into nothing.
    let nothing = Shapes::new();
    assert_eq!(refused(good, nothing.columns(), &[(0, 0)]), missing(0, 0));
    // In columns.
    assert_eq!(refused(good, good, &[(0, 0), (0, 6)]), missing(6, 6));
    assert_eq!(refused(good, good, &[(7, 0)]), missing(7, 6));

    // Bad values, in whichever row and with no pairs at all; before pairs.
    let fault = Fault::Negative;
    let negative = |field| Error::InvalidShape { index: 1, field, value: -1.0, fault };
    assert_eq!(refused(a, bad, &[]), negative(Field::Radius));
    assert_eq!(refused(bad, a, &[(0, 0)]), negative(Field::Radius));
    assert_eq!(refused(good, bad, &[(9, 9)]), negative(Field::Radius));
    assert_eq!(refused(bad, worse, &[]), negative(Field::Radius));
    assert_eq!(refused(worse, bad, &[]), negative(Field::HalfHeight));

    // These calls are valid.
    let pairs = [Pair { a: 3, b: 5 }, Pair { a: 0, b: 4 }];
    narrowphase.pairs_between(a, b, &pairs, &mut hits).unwrap();
    assert_eq!(hits, pairs);
    narrowphase.pairs_between(a, b, &[], &mut hits).unwrap();
    assert!(hits.is_empty());
    narrowphase.pairs_between(nothing.columns(), nothing.columns(), &[], &mut hits).unwrap();
    assert!(hits.is_empty());
}

#[test]
fn margins_and_limits() {
    let circle = Circle::new([0.0, 0.0], 1.0);
    let three = Compound::new([Part::from(circle), circle.into(), circle.into()]).unwrap();
    let (mut compounds, mut circles) = (Shapes::new(), Shapes::new());
    compounds.push_at(&three, Pose::at([0.5, 0.0])).unwrap();
    circles.push(circle).unwrap();
    let (zero, one) = ([0.0], [1.0]);
    let columns = Columns::circles(&zero, &zero, &one).unwrap();
    let pairs = [Pair { a: 0, b: 0 }; 2];
    let mut found = Vec::new();
    // Six contacts of parts with a store or columns; two without rotated shapes.
    let sets = [
        (compounds.columns(), circles.columns(), 6),
        (columns, compounds.columns(), 6),
        (columns, circles.columns(), 2),
    ];
    for (a, b, count) in sets {
        for margin in [-1.0, f32::NAN, f32::INFINITY, 2.0_f32.powi(61)] {
            found.resize(3, Contact::default());
            let mut narrowphase = Narrowphase::new();
            let refused = narrowphase.contacts_between(a, b, &pairs, margin, &mut found);
            assert!(matches!(refused, Err(Error::InvalidMargin { .. })), "{refused:?}");
            assert!(found.is_empty());
        }
        for limit in [0, 1, count - 1] {
            found.resize(3, Contact::default());
            let mut narrowphase = Narrowphase::with_options(NarrowphaseOptions {
                max_contacts: limit,
                ..NarrowphaseOptions::default()
            })
            .unwrap();
            let refused = narrowphase.contacts_between(a, b, &pairs, 0.0, &mut found);
            let error = Error::TooManyContacts { limit, found: count };
            assert_eq!(refused, Err(error));
            assert!(found.is_empty());
        }
        let mut narrowphase = Narrowphase::with_options(NarrowphaseOptions {
            max_contacts: count,
            ..NarrowphaseOptions::default()
        })
        .unwrap();
        narrowphase.contacts_between(a, b, &pairs, 0.0, &mut found).unwrap();
        assert_eq!(found.len() as u64, count);
    }
}
