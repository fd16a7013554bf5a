//! Shapes of `f64` beside `f64` brute force: pairs, numbers, neighbours and queries.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

mod any_values;
mod counts;
mod origin;
mod seeded;
mod values;

use widephase::{
    Adjacency, Filter, IndexOptions, Lists, Options, Order, Pair, SimdLevel, Threads, Touching,
    doubles::{
        DoubleBox, DoubleColumns, DoubleDetector, DoubleIndex, DoubleNeighbor, DoubleScope,
        DoubleTiles, touches,
    },
};

use common::{
    POLICIES, Rng,
    double_set::{FORMS, Form, Set},
    levels, product,
};

/// Where shapes lie.
const ORIGINS: [f64; 5] = [0.0, 1e5, 4e6, -1e12, 123_456_789.123_456_79];

/// How far they are spread.
const EXTENTS: [f64; 8] = [1e-3, 1.0, 1e3, 1e6, 1e9, 1e-12, 0.0, 1e15];

fn options(touching: Touching, level: SimdLevel, threads: Threads) -> Options {
    Options { touching, simd_level: Some(level), threads, ..Options::default() }
}

/// Cases: forms, places and spreads.
fn cases(seed: u64) -> (Rng, Form, f64, f64, bool) {
    let rng = Rng::new(seed);
    let form = FORMS[seed as usize % 6];
    let (origin, extent) = (ORIGINS[seed as usize / 6 % 5], EXTENTS[seed as usize / 30 % 8]);
    // Each form is on a lattice in half of the cases.
    (rng, form, origin, extent, (seed + seed / 6).is_multiple_of(2))
}

#[test]
fn pairs_are_those_of_brute_force() {
    let (mut found, mut differ) = (0, 0);
    for (seed, touching) in product((0..480, POLICIES)) {
        let (mut rng, form, origin, extent, lattice) = cases(seed);
        let set = Set::new(&mut rng, form, 120, origin, extent, lattice);
        let what = format!("seed {seed}, {form:?}, {origin}, {extent}, {touching:?}");
        let mut expected = vec![];
        for b in 0..set.rows() {
            for a in 0..b {
                let touch = set.touch(a, &set, b, 0.0, touching);
                assert_eq!(touch, touches(&set.shape(a), &set.shape(b), touching), "{what}");
                if touch {
                    expected.push(Pair { a: a as u32, b: b as u32 });
                }
            }
        }
        expected.sort();
        found += expected.len();
        let mut first = None;
        for level in levels() {
            let mut detector =
                DoubleDetector::with_options(options(touching, *level, Threads::Calling)).unwrap();
            let mut pairs = vec![];
            detector.pairs(set.columns(), &mut pairs).unwrap();
            assert_eq!(*first.get_or_insert(pairs.clone()), pairs, "{what}, {level}: order");
            assert_eq!(detector.count(set.columns()).unwrap(), pairs.len() as u64);
            pairs.sort();
            assert_eq!(pairs, expected, "{what}, {level}");
        }
        differ += usize::from(in_f32(&set, touching) != expected.len() as u64);
    }
    assert!(found > 100_000, "{found}");
    assert!(differ > 150, "rounded to f32, {differ} of 960 lists are others");
}

/// The number of pairs after rounding to `f32`.
fn in_f32(set: &Set, touching: Touching) -> u64 {
    let narrow = |values: &[f64]| values.iter().map(|value| *value as f32).collect::<Vec<_>>();
    let (x, y, radii) = (narrow(&set.x), narrow(&set.y), narrow(&set.radii));
    let [right, upper] = [0, 1].map(|axis: usize| narrow(&set.high[axis]));
    let columns = match set.form {
        Form::Points => widephase::Columns::points(&x, &y),
        Form::Boxes => widephase::Columns::aabbs(&x, &y, &right, &upper),
        _ => widephase::Columns::circles(&x, &y, &radii),
    };
    let options = Options { touching, ..Options::default() };
    let mut detector = widephase::Detector::with_options(options).unwrap();
    detector.count(columns.unwrap()).unwrap()
}

#[test]
fn queries_are_those_of_brute_force() {
    for seed in 0..480 {
        let (mut rng, form, origin, extent, lattice) = cases(seed);
        let set = Set::new(&mut rng, form, 90, origin, extent, lattice);
        // Queries of any form, some of which are far away.
        let other = FORMS[(seed / 7) as usize % 6];
        let mut asked = Set::new(&mut rng, other, 40, origin, extent, lattice);
        if seed % 3 == 0 {
            let far = [1e3, -1e9, 1e17][rng.below(3) as usize];
            for (row, place) in asked.x.iter_mut().enumerate().skip(30) {
                *place += far;
                asked.at[row][0] += far;
                asked.high[0][row] = asked.high[0][row].max(*place);
                asked.high[0][row] += far.max(0.0);
                let any = &mut asked.any[row];
                any.min[0] += far;
                any.max[0] = (any.max[0] + far).max(any.min[0]);
            }
        }
        let touching = POLICIES[seed as usize % 2];
        let level = levels()[seed as usize % levels().len()];
        let what = format!("seed {seed}, {form:?}, {other:?}, {origin}, {extent}, {touching:?}");
        let options = options(touching, level, Threads::Calling);
        let mut index = DoubleIndex::with_options(IndexOptions::from(options)).unwrap();
        index.rebuild(set.columns()).unwrap();
        let (mut lists, mut counts, mut pairs) = (Lists::new(), vec![], vec![]);
        index.overlapping_batch(asked.columns(), &mut lists).unwrap();
        index.count_overlapping_batch(asked.columns(), &mut counts).unwrap();
        let mut detector = DoubleDetector::with_options(options).unwrap();
        detector.pairs((asked.columns(), &index), &mut pairs).unwrap();
        assert_eq!(detector.count((asked.columns(), &index)).unwrap(), pairs.len() as u64);
        pairs.sort();
        let mut all = vec![];
        for (query, count) in counts.iter().enumerate() {
            let touch = |row: &u32| asked.touch(query, &set, *row as usize, 0.0, touching);
            let expected: Vec<u32> = (0..set.rows() as u32).filter(touch).collect();
            let mut list = lists.get(query).to_vec();
            list.sort();
            assert_eq!(list, expected, "{what}, query {query}");
            assert_eq!(*count, expected.len() as u64, "{what}");
            all.extend(expected.into_iter().map(|b| Pair { a: query as u32, b }));
        }
        assert_eq!(pairs, all, "{what}: pairs with the index");
        nearest(&index, &set, &asked, &mut rng, extent, &what);
    }
}

fn nearest(index: &DoubleIndex, set: &Set, asked: &Set, rng: &mut Rng, extent: f64, what: &str) {
    for (k, most) in [(1, f64::INFINITY), (5, extent * rng.unit()), (200, f64::INFINITY), (0, 1.0)]
    {
        let mut lists = Lists::new();
        index.k_nearest_batch(asked.columns(), k, most, &mut lists).unwrap();
        assert_eq!(lists.len(), asked.rows());
        for query in 0..asked.rows() {
            let own = asked.shape(query);
            let mut expected: Vec<DoubleNeighbor> = (0..set.rows())
                .map(|row| DoubleNeighbor {
                    distance: own.distance(&set.shape(row)),
                    row: row as u32,
                })
                .filter(|near| near.distance <= most)
                .collect();
            expected.sort_by(|a, b| a.distance.total_cmp(&b.distance).then(a.row.cmp(&b.row)));
            expected.truncate(k);
            assert_eq!(lists.get(query), expected, "{what}, k {k}, most {most}, query {query}");
        }
        if k == 1 {
            let mut first = vec![];
            index.nearest_batch(asked.columns(), most, &mut first).unwrap();
            let of_lists: Vec<_> = lists.iter().map(|list| list.first().copied()).collect();
            assert_eq!(first, of_lists, "{what}");
        }
    }
}

#[test]
fn neighbours_are_those_of_brute_force() {
    let mut found = 0;
    for (seed, adjacency) in product((0..480, [Adjacency::Full, Adjacency::Half])) {
        let (mut rng, form, origin, extent, lattice) = cases(seed);
        let set = Set::new(&mut rng, form, 100, origin, extent, lattice);
        let cell = (extent / 20.0).max(f64::MIN_POSITIVE).log2().floor().exp2();
        let distance = [0.0, cell, cell * 1.5, extent * 0.2][rng.below(4) as usize];
        let touching = POLICIES[seed as usize / 2 % 2];
        let threads = [Threads::Calling, Threads::Pool][seed as usize % 2];
        let level = levels()[seed as usize % levels().len()];
        let what = format!("seed {seed}, {form:?}, {origin}, {extent}, {touching:?}, {distance}");
        let options = Options { order: Order::Sorted, ..options(touching, level, threads) };
        let mut detector = DoubleDetector::with_options(options).unwrap();
        let (mut lists, mut distances) = (Lists::new(), vec![]);
        let columns = set.columns();
        detector
            .neighbor_distances(columns, distance, adjacency, &mut lists, &mut distances)
            .unwrap();
        let mut at = 0;
        for row in 0..set.rows() {
            let near = |other: &u32| {
                let other = *other as usize;
                let listed = if adjacency == Adjacency::Half { other > row } else { other != row };
                listed && set.touch(row, &set, other, distance, touching)
            };
            let expected: Vec<u32> = (0..set.rows() as u32).filter(near).collect();
            assert_eq!(lists.get(row), expected, "{what}, row {row}");
            for other in expected {
                let apart = set.shape(row).distance(&set.shape(other as usize));
                assert_eq!(distances[at], apart, "{what}");
                at += 1;
            }
        }
        assert_eq!(at, distances.len());
        found += at;
        if adjacency == Adjacency::Half {
            let listed = (0..).zip(lists.iter());
            let expected: Vec<Pair> =
                listed.flat_map(|(a, list)| list.iter().map(move |&b| Pair { a, b })).collect();
            pairs_within(&set, distance, options, &expected, &what);
        }
    }
    assert!(found > 100_000, "{found}");
}

/// Pairs within a distance: of a set, one by one, of tiles, and with an index of the set.
fn pairs_within(set: &Set, distance: f64, options: Options, expected: &[Pair], what: &str) {
    let mut detector = DoubleDetector::with_options(options).unwrap();
    let (mut pairs, mut part) = (vec![], vec![]);
    let scope = DoubleScope::from(set.columns()).within(distance);
    detector.pairs(scope, &mut pairs).unwrap();
    assert_eq!(pairs, expected, "{what}");
    assert_eq!(detector.count(scope).unwrap(), expected.len() as u64, "{what}");
    let mut each = vec![];
    let number = detector.for_each_pair(scope, |pair| each.push(pair)).unwrap();
    each.sort();
    assert_eq!((&each[..], number), (expected, expected.len() as u64), "{what}");

    let mut tiles = DoubleTiles::divide(set.columns(), distance, 5, options).unwrap();
    let mut of_tiles = vec![];
    for tile in 0..tiles.len() {
        tiles.pairs(tile, &mut part).unwrap();
        of_tiles.append(&mut part);
    }
    of_tiles.sort();
    assert_eq!(of_tiles, expected, "{what}");

    let mut index = DoubleIndex::with_options(IndexOptions::from(options)).unwrap();
    index.rebuild(set.columns()).unwrap();
    let both = DoubleScope::from((set.columns(), &index)).within(distance);
    detector.pairs(both, &mut pairs).unwrap();
    pairs.retain(|pair| pair.a < pair.b);
    assert_eq!(pairs, expected, "{what}: with an index");
}

/// Filters and spaces decide as with `f32`.
#[test]
fn filters_and_spaces() {
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let set = Set::new(&mut rng, FORMS[seed as usize % 6], 90, 4e6, 20.0, false);
        let filters: Vec<Filter> = (0..set.rows())
            .map(|_| {
                [Filter::ALL, Filter::new(2, 1), Filter::ALL.in_group(-1)][rng.below(3) as usize]
            })
            .collect();
        let spaces: Vec<u32> = (0..set.rows()).map(|_| rng.below(3) as u32 * 7).collect();
        let columns = set.columns().with_filters(&filters).unwrap().with_spaces(&spaces).unwrap();
        let meets = |a: usize, b: usize| {
            filters[a].meets(&filters[b])
                && spaces[a] == spaces[b]
                && set.touch(a, &set, b, 0.0, Touching::Inclusive)
        };
        let mut pairs = vec![];
        DoubleDetector::new().pairs(columns, &mut pairs).unwrap();
        pairs.sort();
        let mut expected = vec![];
        for a in 0..set.rows() {
            for b in a + 1..set.rows() {
                if meets(a, b) {
                    expected.push(Pair { a: a as u32, b: b as u32 });
                }
            }
        }
        assert_eq!(pairs, expected, "seed {seed}");

        let index = DoubleIndex::build(columns).unwrap();
        let (mut lists, mut near) = (Lists::new(), Lists::new());
        index.overlapping_batch(columns, &mut lists).unwrap();
        index.k_nearest_batch(columns, 4, f64::INFINITY, &mut near).unwrap();
        for row in 0..set.rows() {
            let mut list = lists.get(row).to_vec();
            list.sort();
            let touch = |other: &u32| {
                let other = *other as usize;
                meets(row, other) || other == row && filters[row].meets(&filters[row])
            };
            assert_eq!(list, (0..set.rows() as u32).filter(touch).collect::<Vec<_>>());
            let seen = |other: &usize| {
                filters[row].meets(&filters[*other]) && spaces[row] == spaces[*other]
            };
            let mut expected: Vec<(f64, u32)> = (0..set.rows())
                .filter(seen)
                .map(|other| (set.shape(row).distance(&set.shape(other)), other as u32))
                .collect();
            expected.sort_by(|a, b| a.partial_cmp(b).unwrap());
            expected.truncate(4);
            let found: Vec<_> = near.get(row).iter().map(|it| (it.distance, it.row)).collect();
            assert_eq!(found, expected, "seed {seed}");
        }
    }
}

/// Clusters so far from each other that all shapes of a cluster are candidates.
#[test]
fn fine_clusters_far_apart() {
    let mut rng = Rng::new(5);
    let mut set = Set::new(&mut rng, Form::At, 4_400, 0.0, 70.0, false);
    for (row, at) in set.at.iter_mut().enumerate() {
        at[0] += (row % 2) as f64 * 1e12;
        // The bits of it that f64 keeps.
        (set.x[row], set.radii[row]) = (at[0], 0.5);
    }
    let near = |a: usize, b: usize, margin: f64| set.touch(a, &set, b, margin, Touching::Inclusive);
    let expected = |margin: f64| -> Vec<Pair> {
        let rows = 0..set.rows() as u32;
        let pairs = rows.flat_map(|b| (0..b).map(move |a| Pair { a, b }));
        let mut pairs: Vec<_> =
            pairs.filter(|pair| near(pair.a as usize, pair.b as usize, margin)).collect();
        pairs.sort();
        pairs
    };
    let (mut detector, mut pairs, mut lists) = (DoubleDetector::new(), vec![], Lists::new());
    detector.pairs(set.columns(), &mut pairs).unwrap();
    pairs.sort();
    assert_eq!(pairs, expected(0.0));
    assert!(pairs.len() > 1_000);
    detector.neighbors(set.columns(), 0.25, Adjacency::Half, &mut lists).unwrap();
    let listed = (0..).zip(lists.iter());
    let mut pairs: Vec<Pair> =
        listed.flat_map(|(a, list)| list.iter().map(move |&b| Pair { a, b })).collect();
    pairs.sort();
    assert_eq!(pairs, expected(0.25));
    let index = DoubleIndex::build(set.columns()).unwrap();
    let (mut counts, mut nearest) = (vec![], vec![]);
    index.overlapping_batch(set.columns(), &mut lists).unwrap();
    index.count_overlapping_batch(set.columns(), &mut counts).unwrap();
    let some: Vec<[f64; 2]> = set.at.iter().step_by(97).copied().collect();
    index.nearest_batch(DoubleColumns::points_at(&some).unwrap(), 1e3, &mut nearest).unwrap();
    for (row, count) in counts.iter().enumerate() {
        assert_eq!(*count, (0..set.rows()).filter(|other| near(row, *other, 0.0)).count() as u64);
        assert_eq!(*count, lists.get(row).len() as u64);
    }
    for (query, nearest) in nearest.iter().enumerate() {
        let row = query * 97;
        let own = DoubleBox { radius: 0.0, ..set.shape(row) };
        let distances = (0..set.rows()).map(|other| own.distance(&set.shape(other)));
        let first = distances.enumerate().min_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
        let found = nearest.unwrap();
        assert_eq!((found.row as usize, found.distance), first);
    }
}

/// The checks of the fuzz target, for random bytes.
#[test]
fn any_bytes_as_shapes() {
    let mut rng = Rng::new(9);
    for round in 0..3_000 {
        let len = rng.below(300) as usize + 8;
        let bytes: Vec<u8> = (0..len)
            .map(|at| {
                let any = rng.bits() as u8;
                // Mostly few distinct values, and seldom numbers of any bits.
                if at > 5 && round % 4 > 0 {
                    (any & 0x3f) | (0x20 * u8::from(at % 2 == 1))
                } else {
                    any
                }
            })
            .collect();
        any_values::check(&bytes);
    }
}
