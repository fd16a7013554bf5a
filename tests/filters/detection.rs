//! Detections with filters.

use proptest::prelude::*;
use widephase::{
    Adjacency, Columns, Contact, Detector, Error, Filter, Index, IndexOptions, Lists, Options,
    Order, Pair, Periodic, Shapes, Touching,
    options::CandidateLists,
    periodic::PeriodicPair,
    shape::{Aabb, Circle},
};

use crate::{STYLES, filters};
use common::{
    POLICIES, Rng,
    bodies::{Bodies, worlds},
    crowd::{crowds, store},
    matrix::matrix_of,
    rng::cases,
};

/// The rules that decide: filters of the two sides, and a predicate.
struct Rule<'a> {
    a: &'a [Filter],
    b: &'a [Filter],
}

/// The predicate of the tests: which row comes first makes a difference.
fn accept(a: u32, b: u32) -> bool {
    (3 * a + b) % 4 != 1
}

impl Rule<'_> {
    fn meets(&self, pair: Pair) -> bool {
        self.a[pair.a as usize].meets(&self.b[pair.b as usize])
    }

    /// Whether a contact of these two is made.
    fn solid(&self, pair: Pair) -> bool {
        let [a, b] = [&self.a[pair.a as usize], &self.b[pair.b as usize]];
        self.meets(pair) && !a.sensor && !b.sensor
    }
}

fn kept<T: Copy>(all: &[T], keep: impl Fn(T) -> bool) -> Vec<T> {
    all.iter().copied().filter(|item| keep(*item)).collect()
}

/// Checks every call of a detector over `columns`, with and without an index of `other`.
fn check(columns: Columns<'_>, other: Columns<'_>, seed: u64, what: &str) {
    for (number, style) in STYLES.into_iter().enumerate() {
        let own = filters(style, seed, columns.len());
        let others = filters(style, seed ^ 1, other.len());
        let touching = POLICIES[number % 2];
        for run in matrix_of(touching) {
            let what = format!("{what}, {style:?}, {run}");
            let mut detector = Detector::with_options(run.options()).unwrap();
            run.within(|| within(&mut detector, columns, &own, &what));
            for candidate_lists in [CandidateLists::Never, CandidateLists::Always] {
                let index = |columns: Columns<'_>| {
                    let options = IndexOptions { candidate_lists, ..run.options().into() };
                    let mut index = Index::with_options(options).unwrap();
                    index.rebuild(columns).unwrap();
                    index
                };
                let all = [index(other), index(columns)];
                let some = [
                    index(other.with_filters(&others).unwrap()),
                    index(columns.with_filters(&own).unwrap()),
                ];
                let rule = Rule { a: &own, b: &others };
                run.within(|| against(&mut detector, columns, [&all, &some], &rule, &what));
            }
        }
    }
}

/// Pairs and contacts among `columns`.
fn within(detector: &mut Detector, columns: Columns<'_>, own: &[Filter], what: &str) {
    let rule = Rule { a: own, b: own };
    let filtered = columns.with_filters(own).unwrap();
    let chosen = filtered.with_predicate(&accept);
    let (mut all, mut found) = (Vec::new(), Vec::new());
    detector.pairs(columns, &mut all).unwrap();
    let expected = kept(&all, |pair| rule.meets(pair));
    detector.pairs(filtered, &mut found).unwrap();
    assert_eq!(found, expected, "{what}");
    assert_eq!(detector.count(filtered).unwrap(), expected.len() as u64, "{what}");
    let mut called = Vec::new();
    detector.for_each_pair(filtered, |pair| called.push(pair)).unwrap();
    assert_eq!(called, expected, "{what}: callback");
    let expected = kept(&expected, |Pair { a, b }| accept(a, b));
    detector.pairs(chosen, &mut found).unwrap();
    assert_eq!(found, expected, "{what}: predicate");
    assert_eq!(detector.count(chosen).unwrap(), expected.len() as u64, "{what}: predicate");
    detector.pairs(columns.with_predicate(&accept), &mut found).unwrap();
    assert_eq!(found, kept(&all, |Pair { a, b }| accept(a, b)), "{what}: only a predicate");

    let (mut all, mut found) = (Vec::new(), Vec::new());
    let margin = 0.25;
    detector.contacts(columns, margin, &mut all).unwrap();
    let expected = kept(&all, |contact: Contact| rule.solid(contact.pair));
    detector.contacts(filtered, margin, &mut found).unwrap();
    assert_eq!(found, expected, "{what}: contacts");
    let mut called = Vec::new();
    detector.for_each_contact(filtered, margin, |contact| called.push(contact)).unwrap();
    assert_eq!(called, expected, "{what}: contacts, callback");
    let chosen_of = |all: &[Contact]| kept(all, |Contact { pair, .. }| accept(pair.a, pair.b));
    detector.contacts(chosen, margin, &mut found).unwrap();
    assert_eq!(found, chosen_of(&expected), "{what}: contacts, predicate");
    // Without a margin, contacts of axis-aligned shapes are made from the columns of the grid.
    detector.contacts(filtered, 0.0, &mut all).unwrap();
    detector.contacts(chosen, 0.0, &mut found).unwrap();
    assert_eq!(found, chosen_of(&all), "{what}: contacts without a margin, predicate");

    for adjacency in [Adjacency::Full, Adjacency::Half] {
        let (mut all, mut found) = (Lists::new(), Lists::new());
        detector.neighbor_distances(columns, margin, adjacency, &mut all).unwrap();
        detector.neighbor_distances(filtered, margin, adjacency, &mut found).unwrap();
        for (row, (all, found)) in all.iter().zip(found.iter()).enumerate() {
            let mut expected = kept(all, |near| rule.meets(Pair { a: row as u32, b: near.row }));
            // Lists of axis-aligned shapes are made in another way if there are filters.
            let mut found = found.to_vec();
            for list in [&mut expected, &mut found] {
                list.sort_by_key(|near| near.row);
            }
            assert_eq!(found, expected, "{what}: neighbours of {row}, {adjacency:?}");
        }
    }
}

/// Pairs and contacts with an index, without filters and with them.
fn against(
    detector: &mut Detector,
    columns: Columns<'_>,
    [[index, own_index], [filtered, own_filtered]]: [&[Index; 2]; 2],
    rule: &Rule<'_>,
    what: &str,
) {
    let shapes = columns.with_filters(rule.a).unwrap();
    let (mut all, mut found) = (Vec::new(), Vec::new());
    detector.pairs((columns, index), &mut all).unwrap();
    detector.pairs((shapes, filtered), &mut found).unwrap();
    let expected = kept(&all, |pair| rule.meets(pair));
    assert_eq!(found, expected, "{what}: index");
    assert_eq!(detector.count((shapes, filtered)).unwrap(), expected.len() as u64);
    let mut called = Vec::new();
    detector.for_each_pair((shapes, filtered), |pair| called.push(pair)).unwrap();
    assert_eq!(called, expected, "{what}: index, callback");
    detector.pairs((shapes.with_predicate(&accept), filtered), &mut found).unwrap();
    let chosen = kept(&expected, |Pair { a, b }| accept(a, b));
    assert_eq!(found, chosen, "{what}: index, predicate");
    let count = detector.count((shapes.with_predicate(&accept), filtered)).unwrap();
    assert_eq!(count, chosen.len() as u64, "{what}: index, predicate");
    detector.pairs((columns.with_predicate(&accept), index), &mut found).unwrap();
    let chosen = kept(&all, |Pair { a, b }| accept(a, b));
    assert_eq!(found, chosen, "{what}: index, only a predicate");
    // One side without filters has the default filter.
    let default = vec![Filter::ALL; rule.a.len().max(rule.b.len())];
    detector.pairs((shapes, index), &mut found).unwrap();
    let expected = kept(&all, |pair| Rule { a: rule.a, b: &default }.meets(pair));
    assert_eq!(found, expected, "{what}: no filters in the index");
    detector.pairs((columns, filtered), &mut found).unwrap();
    let expected = kept(&all, |pair| Rule { a: &default, b: rule.b }.meets(pair));
    assert_eq!(found, expected, "{what}: filters in the index only");

    let (mut among, mut both) = (Vec::new(), Vec::new());
    detector.pairs(shapes, &mut found).unwrap();
    detector.pairs_and_against(shapes, filtered, &mut among, &mut both).unwrap();
    assert_eq!(among, found, "{what}: both in one pass");
    assert_eq!(both, kept(&all, |pair| rule.meets(pair)), "{what}: both in one pass");

    detector.pairs((own_index, index), &mut all).unwrap();
    detector.pairs((own_filtered, filtered), &mut found).unwrap();
    assert_eq!(found, kept(&all, |pair| rule.meets(pair)), "{what}: two indexes");

    let (mut all, mut found) = (Vec::new(), Vec::new());
    detector.contacts((columns, index), 0.25, &mut all).unwrap();
    detector.contacts((shapes, filtered), 0.25, &mut found).unwrap();
    let expected = kept(&all, |contact: Contact| rule.solid(contact.pair));
    assert_eq!(found, expected, "{what}: contacts with an index");
    detector.contacts((own_filtered, filtered), 0.25, &mut found).unwrap();
    assert_eq!(found, expected, "{what}: contacts of two indexes within a margin");
    let mut called = Vec::new();
    let each = |contact| called.push(contact);
    detector.for_each_contact((shapes, filtered), 0.25, each).unwrap();
    assert_eq!(called, expected, "{what}: contacts with an index, callback");
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: cases(6) as u32, failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn worlds_of_axis_aligned_shapes(world in worlds(0..400), other in worlds(0..400)) {
        let (bodies, other_bodies) = (Bodies::new(&world), Bodies::new(&other));
        let what = format!("{world:?}");
        check(bodies.columns(), other_bodies.columns(), world.seed, &what);
    }

    #[test]
    fn crowds_of_all_kinds(crowd in crowds()) {
        let shapes = store(&crowd.solids());
        check((&shapes).into(), (&shapes).into(), crowd.seed, &format!("{crowd:?}"));
    }
}

/// Some dense and some spread circles in several sizes.
fn circles(count: usize) -> Shapes {
    let mut rng = common::Rng::new(count as u64);
    let mut shapes = Shapes::new();
    for _ in 0..count {
        let radius = if rng.below(50) == 0 { 8.0 } else { rng.range(0.2, 1.0) };
        let center = [rng.range(0.0, 60.0), rng.range(0.0, 60.0)];
        shapes.push(Circle::new(center, radius)).unwrap();
    }
    shapes
}

#[test]
fn filters_hold_in_crowded_cells() {
    // Runs of many bodies, which the general loop of the sweep takes.
    for count in [200, 3000] {
        let shapes = circles(count);
        check((&shapes).into(), (&circles(count / 3)).into(), 7, &format!("{count} circles"));
    }
}

#[test]
fn across_the_seam() {
    // A row of circles across the seam of a box of 10.
    let (x, y, radius) = ([0.5, 9.5, 5.0, 4.0], [5.0; 4], [0.75; 4]);
    let circles = Columns::circles(&x, &y, &radius).unwrap();
    let periodic = Periodic::new([0.0; 2], [10.0; 2]);
    let options = Options { order: Order::Sorted, ..Options::default() };
    let mut detector = Detector::with_options(options).unwrap();
    let mut pairs = |columns: Columns<'_>| {
        let mut pairs: Vec<PeriodicPair> = Vec::new();
        detector.pairs_periodic(columns, &periodic, &mut pairs).unwrap();
        pairs.iter().map(|found| (found.pair.a, found.pair.b)).collect::<Vec<_>>()
    };
    assert_eq!(pairs(circles), [(0, 1), (2, 3)]);
    let team = |seam: bool| {
        let never = Filter::ALL.in_group(-1);
        if seam {
            [never, never, Filter::ALL, Filter::ALL]
        } else {
            [Filter::ALL, Filter::ALL, never, never]
        }
    };
    assert_eq!(pairs(circles.with_filters(&team(true)).unwrap()), [(2, 3)]);
    assert_eq!(pairs(circles.with_filters(&team(false)).unwrap()), [(0, 1)]);
    let not_at_the_seam = |a, b| (a, b) != (0, 1);
    assert_eq!(pairs(circles.with_predicate(&not_at_the_seam)), [(2, 3)]);

    // These lists with a rotated shape in the set, which takes another path.
    let mut store = Shapes::from_columns(circles).unwrap();
    let turned = widephase::shape::Rotation::from_angle(0.5);
    store.push(widephase::shape::Obb::new([5.0, 1.0], [0.5, 0.5], turned)).unwrap();
    assert_eq!(pairs((&store).into()), [(0, 1), (2, 3)]);
    assert_eq!(pairs(store.columns().with_predicate(&not_at_the_seam)), [(2, 3)]);
    for row in [0, 1] {
        store.set_filter(row, Filter::ALL.in_group(-1)).unwrap();
    }
    assert_eq!(pairs((&store).into()), [(2, 3)]);
}

#[test]
fn sensors_overlap_without_contact() {
    let shapes = [Aabb::new([0.0, 0.0], [2.0, 2.0]), Aabb::new([1.0, 1.0], [3.0, 3.0])];
    let mut store = Shapes::from_slice(&shapes).unwrap();
    store.set_filter(1, Filter::ALL.sensing()).unwrap();
    let (mut pairs, mut contacts) = (Vec::new(), Vec::new());
    let mut detector = Detector::new();
    detector.pairs(&store, &mut pairs).unwrap();
    assert_eq!(pairs, [Pair { a: 0, b: 1 }]);
    detector.contacts(&store, 1.0, &mut contacts).unwrap();
    assert_eq!(contacts, []);
    assert_eq!(Touching::default(), Touching::Inclusive);
}

/// The limit and the memory count accepted pairs only, in lists of any length before.
#[test]
fn a_predicate_is_asked_before_the_limit() {
    let count = 20_000;
    let (x, y) = ([0.0; 200], [0.0; 200]);
    let circles = Columns::circles(&x, &y, 0.5).unwrap();
    let (all, some) = (199 * 200 / 2, |a: u32, b: u32| a == 0 || b == 199);
    let (none, chosen) = (|_, _| false, circles.with_predicate(&some));
    assert!(all < count);
    for max_pairs in [396, 397] {
        let options = Options { max_pairs, ..Options::default() };
        let mut detector = Detector::with_options(options).unwrap();
        for mut list in [Vec::new(), vec![Pair::default(); count]] {
            let found = detector.pairs(chosen, &mut list);
            if max_pairs == 396 {
                let error = found.unwrap_err();
                let (limit, found) = (396, 397);
                assert_eq!(error, Error::TooManyPairs { limit, found });
                continue;
            }
            assert_eq!(list.len(), 397);
            assert!(list.iter().all(|pair| some(pair.a, pair.b)));
            assert_eq!(detector.count(chosen).unwrap(), 397);
            detector.pairs(circles.with_predicate(&none), &mut list).unwrap();
            assert_eq!(list, []);
        }
    }
}

#[test]
fn one_filter_for_each_row() {
    let circles = Columns::circles(&[0.0; 3], &[0.0; 3], &[1.0; 3]).unwrap();
    let error = circles.with_filters(&[Filter::ALL; 2]).unwrap_err();
    assert_eq!(error.to_string(), "column filter has 2 values instead of 3");
}

/// More filters than there are bits, more than a byte tells apart, and more than there are classes,
/// with owners and sensors: the rows of the last filters are decided by their own filters.
#[test]
fn any_number_of_filters_and_owners() {
    let numbers = [20_u64, 31, 32, 33, 54, 109, 110, 255, 256, 300, 1023, 1024, 1025, 2900];
    for (number, distinct) in numbers.into_iter().enumerate() {
        // One number of owners of three, or each number.
        for round in 0..cases(1).min(3) {
            let owners = [0, 1, 50][(number + round) % 3];
            let mut rng = Rng::new(distinct * 64 + owners);
            // As many rows as are needed for 255 classes of their own.
            let count = if (255..=300).contains(&distinct) { 17_000 } else { 3000 };
            let side = (f64::from(count as u32) * 0.5).sqrt() as f32;
            let mut circles = || -> [Vec<f32>; 2] {
                [(); 2].map(|()| (0..count).map(|_| rng.range(0.0, side)).collect())
            };
            let ([x, y], [other_x, other_y]) = (circles(), circles());
            let mut filters = || -> Vec<Filter> {
                let filter = |row: u64| {
                    let number = if row < distinct { row } else { rng.below(distinct) };
                    let owner = if owners > 0 { rng.below(owners + 1) as u32 } else { 0 };
                    // A mask of its own for each number, in which a third of all bits is missing.
                    let mask = u64::MAX ^ ((number * 0x9E37_79B9) & 0x9249_2492_4924_9249);
                    let filter = Filter::new(1 << (number % 64), mask | number << 40);
                    Filter { sensor: number % 7 == 3, owner, ..filter }
                };
                (0..count).map(filter).collect()
            };
            let (own, others) = (filters(), filters());
            let columns = Columns::circles(&x, &y, 0.5).unwrap();
            let other = Columns::circles(&other_x, &other_y, 0.5).unwrap();
            let index = Index::build(other.with_filters(&others).unwrap()).unwrap();
            let all_of_other = Index::build(other).unwrap();
            let filtered = columns.with_filters(&own).unwrap();
            let what = format!("{distinct} filters, {owners} owners");
            for run in matrix_of(Touching::Inclusive) {
                let mut detector = Detector::with_options(run.options()).unwrap();
                let (mut all, mut found) = (Vec::new(), Vec::new());
                run.within(|| {
                    detector.pairs(columns, &mut all).unwrap();
                    detector.pairs(filtered, &mut found).unwrap();
                    let rule = Rule { a: &own, b: &own };
                    assert_eq!(found, kept(&all, |pair| rule.meets(pair)), "{what}, {run}");
                    assert!(found.len() < all.len() && !found.is_empty());
                    detector.pairs((columns, &all_of_other), &mut all).unwrap();
                    detector.pairs((filtered, &index), &mut found).unwrap();
                    let rule = Rule { a: &own, b: &others };
                    assert_eq!(found, kept(&all, |pair| rule.meets(pair)), "{what}, {run}: index");
                    let (mut all, mut found) = (Vec::new(), Vec::new());
                    detector.contacts((columns, &all_of_other), 0.1, &mut all).unwrap();
                    detector.contacts((filtered, &index), 0.1, &mut found).unwrap();
                    let expected = kept(&all, |contact: Contact| rule.solid(contact.pair));
                    assert_eq!(found, expected, "{what}, {run}: contacts");
                });
            }
        }
    }
}
