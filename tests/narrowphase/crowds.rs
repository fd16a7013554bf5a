//! Crowds of rotated shapes of every kind: pairs and contacts are the same everywhere, and correct
//! by geometry in `f64`, written for these tests, and by parry2d.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

use common::{
    POLICIES, assert_contacts,
    convex::Convex,
    crowd::{
        Crowd, Make, Numbers, PosedShape, crowds, crowds_of_parts, order_decides, single_crowds,
        store, wholes,
    },
    levels,
    matrix::matrix_of,
    pow2,
    rng::Rng,
    truth::{EPS, assert_true_contact, normal_of},
    twins::{contact, whole},
};
use proptest::prelude::*;
use widephase::{
    Contact, Detector, Index, Narrowphase, NarrowphaseOptions, Options, Order, Pair, Shapes,
    Touching,
    reference::{placed_shape::PlacedShape, single, whole::pairs},
};

pub(crate) fn pairs_of(store: &Shapes, touching: Touching) -> Vec<Pair> {
    let mut pairs = Vec::new();
    Detector::with_options(Options { touching, order: Order::Sorted, ..Options::default() })
        .unwrap()
        .pairs(store, &mut pairs)
        .unwrap();
    pairs
}

pub(crate) fn contacts_of(store: &Shapes, margin: f32, touching: Touching) -> Vec<Contact> {
    let mut contacts = Vec::new();
    let mut detector =
        Detector::with_options(Options { touching, order: Order::Sorted, ..Options::default() })
            .unwrap();
    detector.contacts(store, margin, &mut contacts).unwrap();
    contacts
}

/// Pairs and contacts on all levels and threads, in either order: one list of pairs and one of
/// contacts, which are returned.
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
        detector.pairs(store, &mut pairs).unwrap();
        detector.contacts(store, margin, &mut contacts).unwrap();
        assert_eq!(detector.count(store).unwrap(), pairs.len() as u64, "{what}: count");
        let (first_pairs, first_contacts) =
            first.get_or_insert_with(|| (pairs.clone(), contacts.clone()));
        assert!(pairs == *first_pairs, "{what}: other pairs");
        assert_contacts(&contacts, first_contacts, what);
    };
    for run in matrix_of(touching) {
        let mut detector = Detector::with_options(run.options()).unwrap();
        detector.set_options(Options { order, ..*detector.options() }).unwrap();
        run.within(|| check(&mut detector, &format!("{what}, {run}")));
    }
    first.unwrap_or_default()
}

/// Margins in units: 0, and larger margins.
pub(crate) fn margins() -> impl Strategy<Value = f32> {
    prop_oneof![Just(0.0_f32), Just(0.25), Just(1.0 / 64.0), 0.0_f32..0.5]
}

fn policies() -> impl Strategy<Value = Touching> {
    prop::sample::select(&POLICIES[..])
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

    /// All methods give one result. With a margin of 0, exactly the pairs have contacts.
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
        if !solids.iter().any(PosedShape::is_compound) {
            prop_assert_eq!(touching_contacts.len(), grid_pairs.len(), "{}", what);
        }
        // With a margin, these contacts are still there, unchanged.
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

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 500, failure_persistence: None, ..ProptestConfig::default()
    })]

    /// The engine and its plain scalar twin: the same pairs, the same contacts to the last bit.
    #[test]
    fn engine_and_twin(
        crowd in single_crowds(), margin in margins(), touching in policies()
    ) {
        assert_engine_is_twin(&crowd, margin, touching);
    }

    /// Compounds, among other shapes and among themselves: the twin tests all parts against all.
    #[test]
    fn engine_and_twin_of_parts(
        crowd in crowds_of_parts(), margin in margins(), touching in policies()
    ) {
        assert_engine_is_twin(&crowd, margin, touching);
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 500, failure_persistence: None, ..ProptestConfig::default()
    })]

    /// The contact of (b, a) is the mirror image of the contact of (a, b), to the last bit. Equal
    /// shapes or parts, and circles around one point, are exceptions: only their order differs.
    #[test]
    fn mirrored_to_the_last_bit(crowd in crowds(), margin in margins(), touching in policies()) {
        assert_mirrored(&crowd, margin, touching);
    }

    /// Pairs of a caller's, in any order and each with its shapes in any order: the results equal
    /// the results of the grid, or their mirror images.
    #[test]
    fn pairs_of_the_callers(
        crowd in crowds(), margin in margins(), touching in policies(), seed in any::<u64>()
    ) {
        let solids = crowd.solids();
        let store = store(&solids);
        let margin = margin * pow2(crowd.unit);
        let (near, contacts) =
            (pairs_of(&store, touching), contacts_of(&store, margin, touching));
        let mut rng = Rng::new(seed);
        let rows = 0..solids.len() as u32;
        let mut pairs: Vec<Pair> =
            rows.clone().flat_map(|b| (0..b).map(move |a| Pair { a, b })).collect();
        rng.shuffle(&mut pairs);
        let given: Vec<Pair> = pairs
            .iter()
            .map(|&Pair { a, b }| if rng.below(2) == 0 { Pair { a, b } } else { Pair { a: b, b: a } })
            .collect();
        let sorted = |pair: Pair| Pair { a: pair.a.min(pair.b), b: pair.a.max(pair.b) };
        let kept = |pair: &&Pair| near.binary_search(&sorted(**pair)).is_ok();
        let expected: Vec<Pair> = given.iter().filter(kept).copied().collect();
        let wholes = wholes(&solids);
        let mut first: Option<Vec<Contact>> = None;
        for &level in levels() {
            let what = format!("{crowd:?}, {touching:?}, margin {margin}, {level}");
            let mut narrowphase = Narrowphase::with_options(NarrowphaseOptions { touching, simd_level: Some(level), ..NarrowphaseOptions::default() }).unwrap();
            let (mut found, mut found_contacts) = (Vec::new(), Vec::new());
            narrowphase.pairs(&store, &given, &mut found).unwrap();
            prop_assert!(found == expected, "{}: {:?}, grid {:?}", what, found, expected);
            narrowphase.contacts(&store, &given, margin, &mut found_contacts).unwrap();
            assert_contacts(first.get_or_insert_with(|| found_contacts.clone()), &found_contacts, &what);
        }
        let mut rest = &first.unwrap_or_default()[..];
        for pair in given {
            let own = rest.iter().take_while(|contact| contact.pair == pair).count();
            let (own, others) = rest.split_at(own);
            rest = others;
            let Pair { a, b } = sorted(pair);
            let begin = contacts.partition_point(|contact| contact.pair < Pair { a, b });
            let as_sorted: Vec<Contact> =
                contacts[begin..].iter().take_while(|c| c.pair == Pair { a, b }).copied().collect();
            let what = format!("{crowd:?}, {touching:?}, margin {margin}, {pair:?}");
            prop_assert_eq!(own.len(), as_sorted.len(), "{}", what);
            if pair.a == a {
                assert_contacts(own, &as_sorted, &what);
                continue;
            }
            let mut images: Vec<Contact> = own.iter().map(|c| c.mirrored()).collect();
            images.sort_by_key(|contact| (contact.part_a, contact.part_b));
            for (image, contact) in images.into_iter().zip(as_sorted) {
                let parts = |c: &Contact| (c.part_a, c.part_b);
                prop_assert_eq!(parts(&image), parts(&contact), "{}", what);
                if !order_decides(&wholes, &contact) {
                    assert_contacts(&[image], &[contact], &what);
                }
            }
        }
        prop_assert!(rest.is_empty());
    }

    /// A contact is true: moved by the depth along the normal, the shapes do not overlap; the
    /// normal has length 1; the points lie in both shapes, as far as these overlap.
    #[test]
    fn contacts_are_what_they_say(crowd in crowds(), margin in margins(), touching in policies()) {
        assert_true_contacts(&crowd, margin, touching);
    }

    /// Rotated static shapes: the pairs and contacts are the results for one large store,
    /// restricted to a moving and a static shape, or to two moving shapes.
    #[test]
    fn pairs_with_static_shapes_are_those_of_one_store(
        crowd in crowds(), share in 0..=4_usize, margin in margins(), touching in policies()
    ) {
        let solids = crowd.solids();
        let moving = solids.len() * share / 4;
        let (first, second) = solids.split_at(moving);
        let (movers, set) = (store(first), Index::build(&store(second)).unwrap());
        let margin = margin * pow2(crowd.unit);
        let all = store(&solids);
        let is_static = |pair: Pair| pair.b as usize >= moving;
        let seen = |mut pair: Pair| {
            pair.b -= if is_static(pair) { moving as u32 } else { 0 };
            pair
        };
        let wanted = |pair: &Pair| (pair.a as usize) < moving;
        let (own, hits): (Vec<_>, Vec<_>) =
            pairs_of(&all, touching).into_iter().filter(wanted).partition(|&pair| !is_static(pair));
        let hits: Vec<_> = hits.into_iter().map(seen).collect();
        let (own_contacts, static_contacts): (Vec<_>, Vec<_>) = contacts_of(&all, margin, touching)
            .into_iter()
            .filter(|contact| wanted(&contact.pair))
            .partition(|contact| !is_static(contact.pair));
        let static_contacts: Vec<_> =
            static_contacts.into_iter().map(|c| c.with_pair(seen(c.pair))).collect();
        // At the margin itself, boxes that are made larger in another way may round another way.
        let border = f64::from(-margin) * (1.0 - 1e-5) + 4.0 * largest_rounding(&solids);
        let inner = |contacts: Vec<Contact>| -> Vec<Contact> {
            let inner = |contact: &Contact| margin == 0.0 || f64::from(contact.depth) > border;
            contacts.into_iter().filter(inner).collect()
        };
        let static_contacts = inner(static_contacts);
        for &level in levels() {
            let what = format!("{crowd:?}, {moving} move, {touching:?}, {level}");
            let mut detector =
                Detector::with_options(Options { touching, order: Order::Sorted, simd_level: Some(level), ..Options::default() }).unwrap();
            let (mut pairs, mut found) = (Vec::new(), Vec::new());
            detector.pairs_and_against(&movers, &set, &mut pairs, &mut found).unwrap();
            prop_assert!(pairs == own, "{}: pairs", what);
            prop_assert!(found == hits, "{}: {:?}, expected {:?}", what, found, hits);
            detector.pairs((&movers, &set), &mut found).unwrap();
            prop_assert!(found == hits, "{}: without the pairs", what);
            let index = Index::build(&movers).unwrap();
            detector.pairs((&index, &set), &mut found).unwrap();
            prop_assert!(found == hits, "{}: between two indexes", what);
            prop_assert_eq!(detector.count((&index, &set)), Ok(hits.len() as u64));
            prop_assert_eq!(detector.count((&movers, &set)), Ok(hits.len() as u64));
            found.clear();
            detector.for_each_pair((&movers, &set), |pair| found.push(pair)).unwrap();
            found.sort_unstable();
            prop_assert!(found == hits, "{}: by callback", what);
            let (mut near, mut called) = (Vec::new(), Vec::new());
            detector.contacts((&movers, &set), margin, &mut near).unwrap();
            let mut each = |contact| called.push(contact);
            detector.for_each_contact((&movers, &set), margin, &mut each).unwrap();
            called.sort_by_key(|contact| (contact.pair, contact.part_a, contact.part_b));
            assert_contacts(&called, &near, &format!("{what}: by callback"));
            for margin in [0.0, margin] {
                let what = format!("{what}: between two indexes, {margin}");
                detector.contacts((&movers, &set), margin, &mut near).unwrap();
                detector.contacts((&index, &set), margin, &mut called).unwrap();
                assert_contacts(&called, &near, &what);
                called.clear();
                let each = |contact| called.push(contact);
                detector.for_each_contact((&index, &set), margin, each).unwrap();
                called.sort_by_key(|contact| (contact.pair, contact.part_a, contact.part_b));
                assert_contacts(&called, &near, &format!("{what}, by callback"));
            }
            let (mut contacts, mut found, mut alone) = (Vec::new(), Vec::new(), Vec::new());
            detector.contacts_and_against(&movers, &set, margin, &mut contacts, &mut found).unwrap();
            detector.contacts((&movers, &set), margin, &mut alone).unwrap();
            assert_contacts(&alone, &found, &what);
            assert_contacts(&contacts, &own_contacts, &what);
            assert_contacts(&inner(found), &static_contacts, &what);
        }
    }
}

/// The pairs and the contacts of a crowd equal the results of the scalar twin, on every SIMD level.
/// Returns the number of contacts of compounds.
fn assert_engine_is_twin(crowd: &Crowd, margin: f32, touching: Touching) -> usize {
    let solids = crowd.solids();
    let wholes = wholes(&solids);
    let store = store(&solids);
    let margin = margin * pow2(crowd.unit);
    for (row, whole) in (0..).zip(&wholes) {
        // The boxes that decide have a slack.
        let (bounds, decides) = (store.bounds(row).unwrap(), whole.bounds);
        let within = bounds.min_x >= decides.min_x
            && bounds.min_y >= decides.min_y
            && bounds.max_x <= decides.max_x
            && bounds.max_y <= decides.max_y;
        assert!(within && bounds.radius == decides.radius, "{crowd:?}, row {row}");
    }
    let pairs = pairs(&wholes, touching);
    let contacts = whole::contacts(&wholes, margin, touching);
    let single = |solid: &PosedShape| PlacedShape::new(&solid.shape, solid.pose);
    if let Some(bodies) = solids.iter().map(single).collect::<Option<Vec<PlacedShape>>>() {
        assert_eq!(single::pairs(&bodies, touching), pairs, "{crowd:?}");
        let of_bodies = contact::contacts(&bodies, margin, touching);
        assert_contacts(&of_bodies, &contacts, &format!("{crowd:?}, as single shapes"));
    }
    for &level in levels() {
        let what = format!("{crowd:?}, {touching:?}, margin {margin}, {level}");
        let mut detector = Detector::with_options(Options {
            touching,
            order: Order::Sorted,
            simd_level: Some(level),
            ..Options::default()
        })
        .unwrap();
        let (mut found_pairs, mut found) = (Vec::new(), Vec::new());
        detector.pairs(&store, &mut found_pairs).unwrap();
        assert!(found_pairs == pairs, "{}: {:?}, twin {:?}", what, found_pairs, pairs);
        detector.contacts(&store, margin, &mut found).unwrap();
        assert_contacts(&found, &contacts, &what);
    }
    let compound = |row: u32| solids[row as usize].is_compound();
    contacts.iter().filter(|c| compound(c.pair.a) || compound(c.pair.b)).count()
}

/// In reverse order, a crowd has the same pairs, and the mirror image of each contact, unless its
/// parts differ only in their order. Returns the number of compared contacts of compounds, and the
/// number of contacts for which the order decides.
fn assert_mirrored(crowd: &Crowd, margin: f32, touching: Touching) -> [usize; 2] {
    let mut solids = crowd.solids();
    let wholes = wholes(&solids);
    let margin = margin * pow2(crowd.unit);
    let forward = contacts_of(&store(&solids), margin, touching);
    let pairs = pairs_of(&store(&solids), touching);
    let compounds: Vec<_> = solids.iter().map(PosedShape::is_compound).collect();
    solids.reverse();
    let last = solids.len() as u32 - 1;
    let back = |pair: Pair| Pair { a: last - pair.b, b: last - pair.a };

    let mut back_pairs: Vec<Pair> =
        pairs_of(&store(&solids), touching).into_iter().map(back).collect();
    back_pairs.sort_unstable();
    assert!(pairs == back_pairs, "{crowd:?}: pairs");
    let mut backward: Vec<Contact> = contacts_of(&store(&solids), margin, touching)
        .into_iter()
        .map(|contact| contact.mirrored().with_pair(back(contact.pair)))
        .collect();
    let key = |contact: &Contact| (contact.pair, contact.part_a, contact.part_b);
    backward.sort_by_key(key);
    assert_eq!(forward.len(), backward.len(), "{crowd:?}");
    let mut seen = [0; 2];
    for (contact, image) in forward.iter().zip(&backward) {
        assert_eq!(key(contact), key(image), "{crowd:?}");
        let decided = order_decides(&wholes, contact);
        let [contact, image] = [*contact, *image];
        assert!(
            bytemuck::bytes_of(&contact) == bytemuck::bytes_of(&image) || decided,
            "{crowd:?}: {contact:#?} and {image:#?}"
        );
        let Pair { a, b } = contact.pair;
        if compounds[a as usize] || compounds[b as usize] {
            seen[usize::from(decided)] += 1;
        }
    }
    seen
}

/// The two checks above have something to look at: contacts of compounds by the thousand, and
/// hardly any of parts that only their order tells apart.
#[test]
fn crowds_of_compounds_touch() {
    let (mut of_twins, mut compared, mut decided) = (0, 0, 0);
    for seed in 0..60 {
        let numbers = Numbers::ALL[seed as usize % Numbers::ALL.len()];
        let makes = vec![Make::Compound];
        let crowd = Crowd { seed, count: 30, makes, numbers, unit: 0, far: 0, flat: false };
        for touching in POLICIES {
            of_twins += assert_engine_is_twin(&crowd, 0.25, touching);
            let [same, exempt] = assert_mirrored(&crowd, 0.25, touching);
            (compared, decided) = (compared + same, decided + exempt);
        }
    }
    assert_eq!(of_twins, compared + decided);
    assert!(compared > 20_000 && decided < compared / 50, "{compared}, {decided}");
}

/// Two segments, parts of compounds, have one middle, direction and length after rounding. Their
/// ends differ by a rounding, so it is not their order alone that distinguishes them.
#[test]
fn a_crowd_that_was_not_mirrored() {
    let crowd = Crowd {
        seed: 16645887373668423378,
        count: 40,
        makes: Make::ALL.to_vec(),
        numbers: Numbers::Quarters,
        unit: 0,
        far: 0,
        flat: false,
    };
    for (touching, margin) in
        POLICIES.into_iter().flat_map(|policy| [0.0, 0.001, 0.5, 1.0, 4.0].map(|m| (policy, m)))
    {
        let [compared, _] = assert_mirrored(&crowd, margin, touching);
        assert!(compared > 10, "{touching:?}, margin {margin}: {compared}");
        assert_engine_is_twin(&crowd, margin, touching);
    }
}

/// A corner of a pentagon, whose rows are filled up to eight, straight above the end of one of its
/// sides, but for a rounding: sides that only fill the rows do not decide which way is the
/// shortest.
#[test]
fn rows_that_are_filled_up() {
    let crowd = Crowd {
        seed: 11855270283366281942,
        count: 30,
        makes: Make::SINGLE.to_vec(),
        numbers: Numbers::Quarters,
        unit: -18,
        far: 0,
        flat: false,
    };
    assert_engine_is_twin(&crowd, 0.000_001_850_506_9 / pow2(-18), Touching::Exclusive);
}

/// Each contact of a crowd is true, by geometry in `f64`.
fn assert_true_contacts(crowd: &Crowd, margin: f32, touching: Touching) {
    let solids = crowd.solids();
    let margin = margin * pow2(crowd.unit);
    let parts: Vec<_> = solids.iter().map(Convex::parts).collect();
    for contact in contacts_of(&store(&solids), margin, touching) {
        let [a, b] = parts_of(&parts, &contact);
        assert_true_contact(&contact, a, b, margin, &|| format!("{crowd:?}"));
    }
}

/// Crowds of which contacts once were wrong, or no better than they could be.
#[test]
fn crowds_that_once_failed() {
    let (all, compounds) = (Make::ALL.to_vec(), vec![Make::Compound]);
    let rounded = vec![Make::RoundedPolygon, Make::Compound];
    let smooth = Crowd {
        seed: 8235015825678060802,
        count: 31,
        makes: all.clone(),
        numbers: Numbers::Smooth,
        unit: 0,
        far: 0,
        flat: true,
    };
    // A circle within a hexagon's rounding, 0.0258 above its side and 0.00005 before the end of
    // that: the way from the vertex was taken.
    assert_true_contacts(&smooth, 0.0, Touching::Inclusive);
    let cases = [
        // A capsule of no length, 0.2536 from the corner of a triangle and 0.25 above its side:
        // beyond a margin of 0.25, but for a rounding along one side, and not along the other.
        (9163290043965116251, 20, rounded, 0, false, 0.25),
        // The end of a capsule on a side, but for a rounding: the way to a corner of that was
        // taken.
        (739487532690083702, 55, compounds, 0, true, 0.0),
        // A circle on a corner, nearer than 2^-50: the side's normal is taken.
        (8363134812312831364, 50, all.clone(), -40, true, 0.0),
        // A point at the corner of a polygon, nearer than a 2^16th of its size: likewise.
        (8272665229861307246, 43, all, 0, true, 0.25),
    ];
    for (seed, count, makes, unit, flat, margin) in cases {
        let numbers = Numbers::Quarters;
        let crowd = Crowd { seed, count, makes, numbers, unit, far: 0, flat };
        assert_true_contacts(&crowd, margin, Touching::Inclusive);
    }
}

/// A rounding of the largest coordinate.
fn largest_rounding(solids: &[PosedShape]) -> f64 {
    let parts = solids.iter().flat_map(Convex::parts);
    parts.map(|part| part.reach().0).fold(0.0, f64::max) * EPS
}
