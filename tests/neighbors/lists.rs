//! Neighbour lists: hand-made cases, and worlds and crowds beside brute force.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

use common::{
    POLICIES, Rng,
    bodies::{Bodies, worlds},
    crowd::{crowds, store, wholes},
    levels, pow2,
    twins::whole::whole_pairs,
};
use proptest::prelude::*;
use widephase::{
    Adjacency, Columns, Detector, Error, Lists, Neighbor, Options, Order, Pair, Shapes, Threads,
    Touching,
    reference::neighbors,
    shape::{Aabb, Circle, Obb, Point, Rotation},
};

const KINDS: [Adjacency; 2] = [Adjacency::Full, Adjacency::Half];

/// The lists of `detector`, with distances.
fn distances(
    detector: &mut Detector,
    columns: Columns<'_>,
    distance: f32,
    kind: Adjacency,
) -> Vec<Vec<(u32, u32)>> {
    let mut lists = Lists::new();
    detector.neighbor_distances(columns, distance, kind, &mut lists).unwrap();
    let bits = |near: &Neighbor| (near.row, near.distance.to_bits());
    lists.iter().map(|list| list.iter().map(bits).collect()).collect()
}

/// Checks that all lists of `columns` equal the lists of `expected`: any kind and order, with and
/// without distances, on all levels and threads, with the same bits.
pub(crate) fn check(
    columns: Columns<'_>,
    distance: f32,
    touching: Touching,
    expected: &[(Pair, f32)],
    what: &str,
) {
    let rows = columns.len();
    for kind in KINDS {
        let mut wanted = vec![Vec::new(); rows];
        for &(Pair { a, b }, apart) in expected {
            wanted[a as usize].push((b, apart.to_bits()));
            if kind == Adjacency::Full {
                wanted[b as usize].push((a, apart.to_bits()));
            }
        }
        for list in &mut wanted {
            list.sort_unstable();
        }
        let mut first: Option<Vec<Vec<(u32, u32)>>> = None;
        let mut lists = Lists::new();
        for &level in levels() {
            let mut run = |detector: &mut Detector| {
                let found = distances(detector, columns, distance, kind);
                let first = first.get_or_insert_with(|| {
                    let mut sorted = found.clone();
                    for list in &mut sorted {
                        list.sort_unstable();
                    }
                    assert_eq!(sorted, wanted, "{what}, {kind:?}, {level}");
                    found.clone()
                });
                assert_eq!(&found, first, "{what}, {kind:?}, {level}: another order");
                detector.neighbors(columns, distance, kind, &mut lists).unwrap();
                assert_eq!(lists.len(), rows);
                for (list, found) in lists.iter().zip(&found) {
                    assert!(list.iter().eq(found.iter().map(|(row, _)| row)), "{what}: rows");
                }
                let grid = *detector.options();
                detector.set_options(Options { order: Order::Sorted, ..grid }).unwrap();
                let sorted = distances(detector, columns, distance, kind);
                assert_eq!(sorted, wanted, "{what}, {kind:?}, {level}, sorted");
                detector.set_options(grid).unwrap();
            };
            let options = |threads| Options {
                touching,
                threads,
                simd_level: Some(level),
                ..Options::default()
            };
            run(&mut Detector::with_options(options(Threads::Calling)).unwrap());
            #[cfg(feature = "parallel")]
            for pool in [&common::pools()[1], &common::pools()[3]] {
                let mut shared = Detector::with_options(options(Threads::Pool)).unwrap();
                pool.install(|| run(&mut shared));
            }
        }
    }
}

/// The neighbours within `distance` as pairs, by any list.
fn pairs_within<'a>(
    shapes: impl Into<Columns<'a>>,
    distance: f32,
    touching: Touching,
) -> Vec<(u32, u32, f32)> {
    let options = Options { touching, order: Order::Sorted, ..Options::default() };
    let mut lists = Lists::new();
    let mut detector = Detector::with_options(options).unwrap();
    detector.neighbor_distances(shapes, distance, Adjacency::Half, &mut lists).unwrap();
    let row = |(row, list): (usize, &[Neighbor])| -> Vec<_> {
        list.iter().map(|near| (row as u32, near.row, near.distance)).collect()
    };
    lists.iter().enumerate().flat_map(row).collect()
}

#[test]
fn exactly_at_the_distance() {
    // A triangle of 3, 4 and 5.
    let (x, y) = ([0.0, 3.0, 3.0], [0.0, 0.0, 4.0]);
    let points = Columns::points(&x, &y).unwrap();
    for touching in POLICIES {
        let near = |distance: f32| pairs_within(points, distance, touching).len();
        assert_eq!([3.0_f32, 4.0, 5.0].map(|d| near(d.next_down())), [0, 1, 2]);
        assert_eq!([3.0_f32, 4.0, 5.0].map(near), [1, 2, 3]);
    }
    let all = [(0, 1, 3.0), (0, 2, 5.0), (1, 2, 4.0)];
    assert_eq!(pairs_within(points, 5.0, Touching::Exclusive), all);
}

#[test]
fn distances_of_each_kind() {
    let mut shapes = Shapes::new();
    shapes.push(Point::new([0.0, 0.0])).unwrap();
    shapes.push(Circle::new([3.0, 4.0], 2.0)).unwrap();
    shapes.push(Aabb::new([-5.0, -1.0], [-2.0, 1.0])).unwrap();
    let aligned = [(0, 1, 3.0), (0, 2, 2.0), (1, 2, (34_f64.sqrt() - 2.0) as f32)];
    assert_eq!(pairs_within(&shapes, 4.0, Touching::Inclusive), aligned);
    assert_eq!(pairs_within(&shapes, 3.0, Touching::Inclusive), aligned[..2]);
    assert_eq!(pairs_within(&shapes, 2.5, Touching::Inclusive), aligned[1..2]);
    // Also with a rotated shape far away: all pairs are then decided by contacts.
    shapes.push(Obb::new([99.0, 0.0], [1.0, 1.0], Rotation { cos: 0.6, sin: 0.8 })).unwrap();
    assert_eq!(pairs_within(&shapes, 3.0, Touching::Inclusive), aligned[..2]);
    // Vacant rows change no other row.
    shapes.remove(1).unwrap();
    assert_eq!(pairs_within(&shapes, 3.0, Touching::Inclusive), [(0, 2, 2.0)]);
    shapes.remove(3).unwrap();
    assert_eq!(pairs_within(&shapes, 3.0, Touching::Inclusive), [(0, 2, 2.0)]);
    let mut lists = Lists::new();
    Detector::new().neighbors(&shapes, 3.0, Adjacency::Full, &mut lists).unwrap();
    assert_eq!(lists.iter().collect::<Vec<_>>(), [&[2][..], &[], &[0], &[]]);
}

#[test]
fn shapes_that_touch_have_no_distance() {
    // Overlapping, touching, and within each other.
    let circles =
        Columns::circles(&[0.0, 1.0, 3.0, 3.0], &[0.0; 4], &[1.0, 1.0, 1.0, 0.0]).unwrap();
    let all = |touching| pairs_within(circles, 0.0, touching);
    assert_eq!(all(Touching::Inclusive), [(0, 1, 0.0), (1, 2, 0.0), (2, 3, 0.0)]);
    assert_eq!(all(Touching::Exclusive), [(0, 1, 0.0), (2, 3, 0.0)]);
    let near = pairs_within(circles, 0.5, Touching::Exclusive);
    assert_eq!(near, [(0, 1, 0.0), (1, 2, 0.0), (2, 3, 0.0)]);
}

#[test]
fn coincident_points_are_neighbours_unless_touching_is_exclusive() {
    let (x, y) = ([7.0; 40], [-3.0; 40]);
    let mut lists = Lists::new();
    for (distance, touching, expected) in [
        (0.0, Touching::Inclusive, 39),
        (0.0, Touching::Exclusive, 0),
        (1.0, Touching::Exclusive, 39),
    ] {
        let mut detector = Detector::new();
        detector.set_options(Options { touching, ..*detector.options() }).unwrap();
        let points = Columns::points(&x, &y).unwrap();
        detector.neighbors(points, distance, Adjacency::Full, &mut lists).unwrap();
        assert!(lists.iter().all(|list| list.len() == expected));
    }
}

#[test]
fn nothing_and_one() {
    let mut lists = Lists::new();
    let mut detector = Detector::new();
    detector.neighbors(&Shapes::new(), 1.0, Adjacency::Full, &mut lists).unwrap();
    assert_eq!((lists.len(), lists.offsets()), (0, &[0][..]));
    let one = Columns::points(&[1.0], &[2.0]).unwrap();
    detector.neighbors(one, 1.0, Adjacency::Full, &mut lists).unwrap();
    assert_eq!((lists.len(), lists.get(0).len()), (1, 0));
    // Only vacant rows.
    let mut shapes = Shapes::from_slice(&[Circle::new([0.0, 0.0], 1.0); 3]).unwrap();
    for row in 0..3 {
        shapes.remove(row).unwrap();
    }
    detector.neighbors(&shapes, 1.0, Adjacency::Full, &mut lists).unwrap();
    assert_eq!(lists.offsets(), [0; 4]);
}

#[test]
fn errors_leave_no_lists() {
    let (x, bad) = ([0.0, 1.0, 2.0], [0.0, f32::NAN, 0.0]);
    let points = Columns::points(&x, &x).unwrap();
    let (mut lists, mut apart) = (Lists::new(), Lists::new());
    let mut detector = Detector::new();
    for distance in [-1.0, -f32::MIN_POSITIVE, f32::NAN, f32::INFINITY, 2.0 * pow2(60)] {
        detector.neighbors(points, 5.0, Adjacency::Full, &mut lists).unwrap();
        detector.neighbor_distances(points, 5.0, Adjacency::Full, &mut apart).unwrap();
        assert_eq!((lists.items().len(), apart.items().len()), (6, 6));
        for result in [
            detector.neighbors(points, distance, Adjacency::Full, &mut lists),
            detector.neighbor_distances(points, distance, Adjacency::Half, &mut apart),
        ] {
            assert!(matches!(result, Err(Error::InvalidMargin { .. })), "{distance}: {result:?}");
        }
        assert!(lists.is_empty() && apart.is_empty());
    }
    let result = detector.neighbors(Columns::points(&x, &bad).unwrap(), 1.0, KINDS[0], &mut lists);
    assert!(matches!(result, Err(Error::InvalidShape { index: 1, .. })));
    // The largest distance, and -0.
    detector.neighbors(points, pow2(60), Adjacency::Full, &mut lists).unwrap();
    assert_eq!(lists.items().len(), 6);
    detector.neighbors(points, -0.0, Adjacency::Full, &mut lists).unwrap();
    assert_eq!((lists.len(), lists.items().len()), (3, 0));
}

#[test]
fn the_limit_counts_pairs_once() {
    let x = [0.0, 1.0, 2.0];
    let mut shapes = Shapes::from_columns(Columns::points(&x, &x).unwrap()).unwrap();
    let (mut lists, mut apart) = (Lists::new(), Lists::new());
    let mut check = |shapes: &Shapes, threads, limit, found: Result<(), Error>| {
        let options = Options { max_pairs: limit, threads, ..Options::default() };
        let mut detector = Detector::with_options(options).unwrap();
        for kind in KINDS {
            assert_eq!(detector.neighbors(shapes, 9.0, kind, &mut lists), found);
            assert_eq!(detector.neighbor_distances(shapes, 9.0, kind, &mut apart), found);
            let rows = if found.is_ok() { 3 } else { 0 };
            assert_eq!((lists.len(), apart.len()), (rows, rows));
        }
    };
    for _ in 0..2 {
        for (limit, found) in [(2, Err(Error::TooManyPairs { limit: 2, found: 3 })), (3, Ok(()))] {
            check(&shapes, Threads::Calling, limit, found.clone());
            #[cfg(feature = "parallel")]
            common::pools()[2].install(|| check(&shapes, Threads::Pool, limit, found));
        }
        // And with the narrowphase.
        shapes.set(0, Obb::new([0.0, 0.0], [0.1, 0.1], Rotation { cos: 0.6, sin: 0.8 })).unwrap();
    }
}

#[test]
fn a_detector_is_reused() {
    let mut rng = Rng::new(7);
    let mut detector = Detector::new();
    let mut lists = Lists::new();
    for n in [300, 20, 0, 1000, 3] {
        let mut column = || (0..n).map(|_| rng.range(0.0, 30.0)).collect::<Vec<f32>>();
        let (x, y) = (column(), column());
        let points = Columns::points(&x, &y).unwrap();
        detector.neighbors(points, 1.5, Adjacency::Full, &mut lists).unwrap();
        let mut fresh = Lists::new();
        Detector::new().neighbors(points, 1.5, Adjacency::Full, &mut fresh).unwrap();
        assert_eq!(lists, fresh);
    }
}

/// Enough points for several tasks, bands and tiles, in clusters of any distance: helical cells
/// with ghosts, and several grid levels.
#[test]
fn lists_of_many_shapes_are_those_of_brute_force() {
    for (seed, spread, large, side) in
        [(1, 0.0, 0.0, 110.0), (2, 1e6, 0.0, 20.0), (3, 1e3, 40.0, 20.0), (4, 0.0, 0.0, 40.0)]
    {
        let mut rng = Rng::new(seed);
        let n = 12_000;
        let mut columns = [const { Vec::new() }; 3];
        for row in 0..n {
            let cluster = rng.below(30) as f32 * spread;
            let radius = if row % 50 == 0 { large } else { 0.1 };
            let place = [cluster + rng.range(0.0, side), cluster + rng.range(0.0, side), radius];
            for (column, value) in columns.iter_mut().zip(place) {
                column.push(value);
            }
        }
        let [x, y, radius] = &columns;
        let circles = Columns::circles(x, y, radius).unwrap();
        // The detector's own pairs of inflated circles, which other tests check.
        let wide: Vec<f32> = radius.iter().map(|radius| radius + 0.25).collect();
        let mut pairs = Vec::new();
        let inflated = Columns::circles(x, y, &wide).unwrap();
        Detector::new().pairs(inflated, &mut pairs).unwrap();
        let circle = |row: u32| {
            let row = row as usize;
            Circle::new([x[row], y[row]], radius[row])
        };
        let apart = |pair: &Pair| (*pair, neighbors::distance(circle(pair.a), circle(pair.b)));
        let expected: Vec<_> = pairs.iter().map(apart).collect();
        assert!(expected.len() > n / 4);
        check(circles, 0.5, Touching::Inclusive, &expected, &format!("{seed}"));
    }
}

/// Lists of any length, list by list, so that each part of a vector of distances is written, and no
/// part behind the list.
#[test]
fn lists_of_each_length() {
    let (mut x, mut y, mut radius) = (Vec::new(), Vec::new(), Vec::new());
    let mut expected = Vec::new();
    // Clusters of 1, 2 and more circles, whose rows are not next to each other.
    for step in 0..600 {
        let cluster = step % 30;
        if step / 30 > cluster {
            continue;
        }
        let turn = (step / 30) as f32;
        x.push(10.0 * cluster as f32 + 0.07 * turn);
        y.push(5.0 * (cluster % 3) as f32 - 0.03 * turn * turn / 20.0);
        radius.push(0.01 * (step % 7) as f32);
    }
    let circle = |row: usize| Circle::new([x[row], y[row]], radius[row]);
    for b in 0..x.len() {
        for a in 0..b {
            let apart = neighbors::distance(circle(a), circle(b));
            if apart <= 3.0 {
                expected.push((Pair { a: a as u32, b: b as u32 }, apart));
            }
        }
    }
    let many = 4 * x.len();
    assert!(expected.len() > many, "long lists");
    let circles = Columns::circles(&x, &y, &radius).unwrap();
    check(circles, 3.0, Touching::Inclusive, &expected, "each length");
}

/// Lists that are longer than a block of distances, beside empty ones: many points at one place,
/// and a ring around one point, which has the whole ring in its list.
#[test]
fn long_lists_beside_empty_ones() {
    for (crowd, ring) in [(600, 0), (0, 520), (257, 255), (256, 0), (8, 9)] {
        let mut places = vec![[3.0_f32, 4.0]; crowd];
        places.push([40.0, 40.0]);
        for step in 0..ring {
            let angle = step as f32 / ring as f32 * std::f32::consts::TAU;
            places.push([40.0 + 2.0 * angle.cos(), 40.0 + 2.0 * angle.sin()]);
        }
        // Alone, each point in cells of its own.
        places.extend(
            (0..300).map(|step| [100.0 + (step % 20) as f32 * 9.0, (step / 20) as f32 * 9.0]),
        );
        let x: Vec<f32> = places.iter().map(|place| place[0]).collect();
        let y: Vec<f32> = places.iter().map(|place| place[1]).collect();
        let point = |row: usize| Point::new(places[row]);
        let mut expected = Vec::new();
        for b in 0..places.len() {
            for a in 0..b {
                let apart = neighbors::distance(point(a), point(b));
                if apart <= 2.5 {
                    expected.push((Pair { a: a as u32, b: b as u32 }, apart));
                }
            }
        }
        let columns = Columns::points(&x, &y).unwrap();
        check(columns, 2.5, Touching::Inclusive, &expected, &format!("{crowd} and {ring}"));
        let radius = vec![0.25; x.len()];
        let circles = Columns::circles(&x, &y, &radius).unwrap();
        let circle = |row: u32| Circle::new(places[row as usize], 0.25);
        for (Pair { a, b }, apart) in &mut expected {
            *apart = neighbors::distance(circle(*a), circle(*b));
        }
        check(circles, 2.0, Touching::Inclusive, &expected, &format!("{crowd}, {ring}: circles"));
    }
}

/// Distances of the order of the bodies, and 0.
fn spans(unit: i32) -> impl Strategy<Value = f32> {
    prop_oneof![
        1 => Just(0.0),
        4 => (-2..=3).prop_map(move |k| pow2(unit + k)),
        4 => (0.1_f32..3.0).prop_map(move |factor| factor * pow2(unit)),
        1 => Just(pow2(60)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 100, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn worlds_beside_brute_force(
        (world, distance) in worlds(0..120).prop_flat_map(|world| (Just(world), spans(world.unit))),
        touching in prop::sample::select(&POLICIES[..]),
    ) {
        let bodies = Bodies::new(&world);
        let mut expected = neighbors::pairs(&bodies.shapes, distance, touching);
        for (pair, _) in &mut expected {
            *pair = Pair { a: bodies.rows[pair.a as usize], b: bodies.rows[pair.b as usize] };
        }
        let what = format!("{world:?}, {distance}, {touching:?}");
        check(bodies.columns(), distance, touching, &expected, &what);
    }

    #[test]
    fn crowds_beside_brute_force(
        (crowd, distance) in crowds().prop_flat_map(|crowd| {
            let unit = crowd.unit;
            (Just(crowd), spans(unit))
        }),
        touching in prop::sample::select(&POLICIES[..]),
    ) {
        let solids = crowd.solids();
        let shapes = store(&solids);
        let rows = 0..shapes.rows() as u32;
        let aligned = rows.clone().all(|row| shapes.kind(row).unwrap().is_axis_aligned());
        let expected = if aligned {
            let all: Vec<_> = rows.map(|row| shapes.bounds(row).unwrap()).collect();
            neighbors::pairs(&all, distance, touching)
        } else {
            whole_pairs(&wholes(&solids), distance, touching)
        };
        check((&shapes).into(), distance, touching, &expected, &format!("{crowd:?}, {distance}"));
    }
}
