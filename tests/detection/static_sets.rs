//! Indexes against a test of all pairs: the same hits for any moving and static shapes, in one
//! order on all SIMD levels and threads.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

use common::{
    POLICIES, Rng, assert_same,
    bodies::{Bodies, worlds},
    levels, product, sweep_and_prune,
    world::{Kind, Places, Sizes, World},
};
use proptest::prelude::*;
use widephase::{
    Columns, Detector, Error, Index, IndexOptions, Options, Order, Pair, Shapes, SimdLevel,
    Threads, Touching,
    options::CandidateLists,
    reference::contract::overlap,
    shape::{Aabb, AxisAligned, Circle, ConvexPolygon, Obb, Point, Rotation, RoundedBox},
};

/// All hits, by `a` and then by `b`: from a test of each with each or, for many shapes, from a
/// sorted sweep.
fn hits(moving: &Bodies, fixed: &Bodies, touching: Touching) -> Vec<Pair> {
    let mut hits = Vec::new();
    if moving.shapes.len() * fixed.shapes.len() <= 1_000_000 {
        for (i, &a) in moving.shapes.iter().enumerate() {
            for (j, &b) in fixed.shapes.iter().enumerate() {
                if overlap(a, b, touching) {
                    hits.push(Pair { a: moving.rows[i], b: fixed.rows[j] });
                }
            }
        }
        return hits;
    }
    let all: Vec<RoundedBox> = moving.shapes.iter().chain(&fixed.shapes).copied().collect();
    let moves = moving.shapes.len() as u32;
    for Pair { a, b } in sweep_and_prune(&all, touching) {
        if a < moves && b >= moves {
            hits.push(Pair { a: moving.rows[a as usize], b: fixed.rows[(b - moves) as usize] });
        }
    }
    hits
}

/// An empty index that makes candidate lists at these times.
fn listing(candidate_lists: CandidateLists) -> Index {
    Index::with_options(IndexOptions { candidate_lists, ..IndexOptions::default() }).unwrap()
}

/// An index of these shapes that has candidate lists.
fn listed<'a>(shapes: impl Into<Columns<'a>>) -> Result<Index, Error> {
    let mut index = listing(CandidateLists::Always);
    index.rebuild(shapes).map(|()| index)
}

/// Checks the hits of `moving` on `set`, which was built from `fixed`: the expected hits, in one
/// order on all SIMD levels and threads, with and without the pairs within `moving`. Returns their
/// number.
fn check(moving: &Bodies, fixed: &Bodies, set: &Index, touching: Touching, what: &str) -> usize {
    let (columns, expected) = (moving.columns(), hits(moving, fixed, touching));
    let mut plain = listing(CandidateLists::Never);
    plain.rebuild(fixed.columns()).unwrap();
    let (mut pairs, mut found, mut alone) = (Vec::new(), Vec::new(), Vec::new());
    let (mut order, mut between): (Option<Vec<Pair>>, Option<Vec<Pair>>) = (None, None);
    for &level in levels() {
        let what = format!("{what}, {touching:?}, {level}");
        let new = |threads| {
            Detector::with_options(Options {
                touching,
                threads,
                simd_level: Some(level),
                ..Options::default()
            })
            .unwrap()
        };
        let mut calling = new(Threads::Calling);
        calling.pairs(columns, &mut alone).unwrap();
        calling.pairs_and_against(columns, set, &mut pairs, &mut found).unwrap();
        assert!(pairs == alone, "{what}: other pairs beside a static set");
        let order = order.get_or_insert_with(|| {
            let mut sorted = found.clone();
            sorted.sort_unstable();
            assert_same(&sorted, &expected, &what);
            found.clone()
        });
        assert!(found == *order, "{what}: another order");
        calling.pairs((columns, set), &mut found).unwrap();
        assert!(found == *order, "{what}: another list without the pairs");
        calling.pairs((columns, &plain), &mut found).unwrap();
        assert!(found == *order, "{what}: another list without candidate lists");
        assert_eq!(calling.count((columns, set)), Ok(expected.len() as u64), "{what}");
        found.clear();
        let called = calling.for_each_pair((columns, set), |pair| found.push(pair));
        assert_eq!(called, Ok(expected.len() as u64), "{what}");
        assert!(found == *order, "{what}: a callback in another order");
        let mut sorted = new(Threads::Calling);
        sorted.set_options(Options { order: Order::Sorted, ..*sorted.options() }).unwrap();
        for lists in [CandidateLists::Never, CandidateLists::Always] {
            // An index of the moving shapes, too, and both ways round.
            let mut index = listing(lists);
            index.rebuild(columns).unwrap();
            assert_eq!(calling.count((&index, set)), Ok(expected.len() as u64), "{what}");
            calling.pairs((&index, set), &mut found).unwrap();
            let between = between.get_or_insert_with(|| found.clone());
            assert!(found == *between, "{what}: another order between two indexes");
            found.clear();
            let called = calling.for_each_pair((&index, set), |pair| found.push(pair));
            assert_eq!(called, Ok(expected.len() as u64), "{what}");
            assert!(found == *between, "{what}: a callback in another order, two indexes");
            sorted.pairs((&index, set), &mut found).unwrap();
            assert!(found == expected, "{what}: between two indexes");
            calling.pairs((set, &index), &mut found).unwrap();
            let mut back: Vec<Pair> =
                found.iter().map(|&Pair { a, b }| Pair { a: b, b: a }).collect();
            back.sort_unstable();
            assert!(back == expected, "{what}: between two indexes, exchanged");
        }
        sorted.pairs_and_against(columns, set, &mut pairs, &mut found).unwrap();
        assert!(found == expected, "{what}: not sorted");
        assert!(pairs.is_sorted() && pairs.len() == alone.len(), "{what}: pairs not sorted");
        sorted.pairs((columns, set), &mut found).unwrap();
        assert!(found == expected, "{what}: not sorted without the pairs");

        #[cfg(feature = "parallel")]
        for pool in common::pools() {
            let mut shared = new(Threads::Pool);
            pool.install(|| {
                shared.pairs_and_against(columns, set, &mut pairs, &mut found).unwrap()
            });
            let threads = pool.current_num_threads();
            assert!(found == *order, "{what}: another order on {threads} threads");
            assert!(pairs == alone, "{what}: other pairs on {threads} threads");
            let count = pool.install(|| shared.count((columns, set)));
            assert_eq!(count, Ok(expected.len() as u64), "{what}");
            let index = listed(columns).unwrap();
            pool.install(|| shared.pairs((&index, set), &mut found).unwrap());
            assert!(Some(&found) == between.as_ref(), "{what}: between, on {threads} threads");
            pool.install(|| shared.pairs((columns, set), &mut found).unwrap());
            assert!(found == *order, "{what}: another list alone on {threads} threads");
        }
    }
    expected.len()
}

/// Two worlds: of the same place as often as not, so that they meet.
fn two_worlds() -> impl Strategy<Value = (World, World)> {
    (worlds(0..200), worlds(0..200), 0..4, -6_i32..=6).prop_map(|(moving, fixed, alike, shift)| {
        let fixed = match alike {
            0 => fixed,
            1 => World { unit: moving.unit, places: moving.places, ..fixed },
            2 => World { unit: moving.unit, places: moving.places, thin: moving.thin, ..fixed },
            _ => World { unit: (moving.unit + shift).clamp(-60, 40), ..fixed },
        };
        (moving, fixed)
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: common::rng::cases(150) as u32, failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn worlds_that_meet(
        (moving, fixed) in two_worlds(),
        touching in prop::sample::select(&POLICIES[..]),
    ) {
        let what = format!("{moving:?}, {fixed:?}");
        let (moving, fixed) = (Bodies::new(&moving), Bodies::new(&fixed));
        let set = listed(fixed.columns()).unwrap();
        prop_assert_eq!(set.len(), fixed.shapes.len());
        check(&moving, &fixed, &set, touching, &what);
    }
}

/// One set, filled with world after world: each time as good as a new set.
#[test]
fn a_set_that_is_rebuilt() {
    let mut rng = Rng::new(8);
    let mut set = Index::default();
    let mut total = 0;
    for round in 0..120 {
        let rows = [0, 1, 2, 60, 350][rng.below(5) as usize];
        let world = World { unit: 0, thin: 0, ..World::any(&mut rng, rows) };
        let moving = Bodies::new(&World { seed: 77, rows: 90, ..world });
        let fixed = Bodies::new(&world);
        set.rebuild(fixed.columns()).unwrap();
        let what = format!("round {round}, {world:?}");
        total += check(&moving, &fixed, &set, Touching::Inclusive, &what);

        // Refused input changes nothing.
        let (bad, one) = ([0.0, f32::NAN, 1.0], [1.0; 3]);
        let refused = set.rebuild(Columns::circles(&bad, &one, &one).unwrap());
        assert!(matches!(refused, Err(Error::InvalidShape { index: 1, .. })), "{what}");
        assert_eq!((set.len(), set.is_empty()), (fixed.shapes.len(), fixed.shapes.is_empty()));
        total += check(&moving, &fixed, &set, Touching::Exclusive, &what);
    }
    assert_eq!(total, 260_795);
}

/// An index of rotated shapes is rebuilt with axis-aligned shapes, and the other way round. Its
/// contacts are the contacts of a new index.
#[test]
fn sets_that_turn_and_sets_that_do_not() {
    let mut turned = Shapes::new();
    for i in 0..9 {
        let center = [i as f32, 0.25];
        turned.push(Obb::new(center, [0.7, 0.3], Rotation { cos: 0.6, sin: 0.8 })).unwrap();
    }
    // Fewer shapes than before, and more; and a store that had rotated shapes.
    let circles = Shapes::from_slice(&[Circle::new([3.0, 0.5], 0.75); 4]).unwrap();
    let boxes = Shapes::from_slice(&[Aabb::new([0.5, 0.0], [2.5, 1.0]); 30]).unwrap();
    let mut several = turned.clone();
    several.extend_from_columns(circles.columns()).unwrap();
    let triangle = ConvexPolygon::new(&[[1.0, 0.0], [3.0, 0.0], [2.0, 1.0]]).unwrap();
    several.push(&triangle).unwrap();
    let mut left_over = turned.clone();
    left_over.extend_from_columns(circles.columns()).unwrap();
    for row in 0..9 {
        left_over.remove(row).unwrap();
    }
    let contacts = |set: &Index| {
        let mut found = [Vec::new(), Vec::new()];
        let mut detector =
            Detector::with_options(Options { order: Order::Sorted, ..Options::default() }).unwrap();
        detector.contacts((&turned, set), 0.0, &mut found[0]).unwrap();
        detector.contacts((&circles, set), 0.0, &mut found[1]).unwrap();
        found
    };
    let mut set = Index::default();
    let sets =
        [&turned, &several, &circles, &boxes, &left_over, &turned, &boxes, &several, &circles];
    for (step, shapes) in sets.into_iter().enumerate() {
        set.rebuild(shapes).unwrap();
        let expected = contacts(&listed(shapes).unwrap());
        assert!(contacts(&set) == expected, "step {step}");
        let [of_turned, of_circles] = expected;
        assert!(of_turned.len() > 3 && of_circles.len() > 3, "step {step}");
    }
}

/// Balls in a row, every third of which lies a quarter deep in a floor: more rows than one thread
/// places at a time; in columns, and in a store that has lost some of the others.
#[test]
fn contacts_of_many_rows() {
    const BALLS: usize = 20_000;
    let x: Vec<f32> = (0..BALLS).map(|i| 3.0 * i as f32).collect();
    let y: Vec<f32> = (0..BALLS).map(|i| if i % 3 == 0 { 0.75 } else { 1.25 }).collect();
    let radius = [1.0; BALLS];
    let balls = Columns::circles(&x, &y, &radius).unwrap();
    let mut left_over = Shapes::new();
    left_over.extend_from_columns(balls).unwrap();
    for i in (1..BALLS as u32).step_by(3) {
        left_over.remove(i).unwrap();
    }
    let floor = Shapes::from_slice(&[Aabb::new([-9.0, -5.0], [1e5, 0.0])]).unwrap();
    let check = |threads: Threads| {
        let (mut detector, mut found) = (
            Detector::with_options(Options { threads, ..Options::default() }).unwrap(),
            Vec::new(),
        );
        for balls in [balls, left_over.columns()] {
            let fixed = [listed(&floor).unwrap(), listed(balls).unwrap()];
            for (fixed, up) in fixed.into_iter().zip([-1.0, 1.0]) {
                let moving = if up < 0.0 { balls } else { floor.columns() };
                detector.contacts((moving, &fixed), 0.0, &mut found).unwrap();
                assert_eq!(found.len(), BALLS.div_ceil(3));
                found.sort_unstable_by_key(|contact| contact.pair);
                for (contact, i) in found.iter().zip((0..).step_by(3)) {
                    let pair = if up < 0.0 { Pair { a: i, b: 0 } } else { Pair { a: 0, b: i } };
                    assert_eq!((contact.pair, contact.depth), (pair, 0.25));
                    assert_eq!((contact.normal().x, contact.normal().y), (0.0, up), "ball {i}");
                }
            }
        }
    };
    check(Threads::Calling);
    #[cfg(feature = "parallel")]
    for pool in common::pools() {
        pool.install(|| check(Threads::Pool));
    }
}

/// Nothing on either side.
#[test]
fn empty_sets_have_no_pairs_and_clear_the_lists() {
    let (mut pairs, mut found) = (vec![Pair { a: 7, b: 9 }], vec![Pair { a: 7, b: 9 }]);
    let mut detector = Detector::new();
    let nothing = Columns::points(&[], &[]).unwrap();
    let two = Columns::points(&[1.0, 1.0], &[2.0, 2.0]).unwrap();
    let (none, some) = (listed(nothing).unwrap(), listed(two).unwrap());
    detector.pairs_and_against(nothing, &none, &mut pairs, &mut found).unwrap();
    assert_eq!((pairs.len(), found.len()), (0, 0));
    detector.pairs_and_against(two, &none, &mut pairs, &mut found).unwrap();
    assert_eq!((pairs.len(), found.len()), (1, 0));
    found.push(Pair { a: 7, b: 9 });
    detector.pairs_and_against(nothing, &some, &mut pairs, &mut found).unwrap();
    assert_eq!((pairs.len(), found.len()), (0, 0));
    for (moving, set) in [(nothing, &none), (two, &none), (nothing, &some)] {
        found.push(Pair { a: 7, b: 9 });
        detector.pairs((moving, set), &mut found).unwrap();
        assert_eq!(found, []);
    }
    let one = Columns::points(&[1.0], &[2.0]).unwrap();
    detector.pairs_and_against(one, &some, &mut pairs, &mut found).unwrap();
    assert_eq!((pairs.len(), &found[..]), (0, &[Pair { a: 0, b: 0 }, Pair { a: 0, b: 1 }][..]));
}

/// The limit holds for each of the lists, and both lists are empty when it is passed.
#[test]
fn too_many_hits() {
    let (x, y) = ([1.0; 30], [2.0; 30]);
    let set = listed(Columns::points(&x, &y).unwrap()).unwrap();
    for threads in [Threads::Calling, Threads::Pool] {
        let (mut pairs, mut found) = (Vec::new(), Vec::new());
        let mut run = |limit, moving: usize| {
            let columns = Columns::points(&x[..moving], &y[..moving]).unwrap();
            let mut detector =
                Detector::with_options(Options { threads, max_pairs: limit, ..Options::default() })
                    .unwrap();
            let result = detector.pairs_and_against(columns, &set, &mut pairs, &mut found);
            (result, pairs.len(), found.len())
        };
        assert_eq!(run(60, 2), (Ok(()), 1, 60));
        assert_eq!(run(59, 2), (Err(Error::TooManyPairs { limit: 59, found: 60 }), 0, 0));
        // 30 bodies have 435 pairs, and 900 hits.
        assert_eq!(run(900, 30), (Ok(()), 435, 900));
        assert_eq!(run(434, 30), (Err(Error::TooManyPairs { limit: 434, found: 435 }), 0, 0));

        // Pairs within the moving shapes are not counted if they are not requested.
        let few = listed(Columns::points(&x[..10], &y[..10]).unwrap()).unwrap();
        let mut run = |limit| {
            let mut detector =
                Detector::with_options(Options { threads, max_pairs: limit, ..Options::default() })
                    .unwrap();
            let columns = Columns::points(&x, &y).unwrap();
            (detector.pairs((columns, &few), &mut found), found.len())
        };
        assert_eq!(run(300), (Ok(()), 300));
        assert_eq!(run(299), (Err(Error::TooManyPairs { limit: 299, found: 300 }), 0));
    }
}

/// So many shapes on either side that both sides are sorted on several threads, in two steps, with
/// `Threads::Pool`. The static shapes of the last case are also sorted so with `Threads::Auto`.
#[test]
fn many_static_and_moving_bodies_have_the_pairs_of_the_reference() {
    let mut counts = Vec::new();
    for (moving, fixed) in [
        ((Kind::Circles, Sizes::Similar, 20_000), (Kind::Boxes, Sizes::Wide(6), 17_000)),
        ((Kind::Boxes, Sizes::Wide(6), 18_000), (Kind::Store, Sizes::Giants(5), 300)),
        ((Kind::Points, Sizes::Zero, 33_000), (Kind::Rounded, Sizes::Wide(12), 20_000)),
        ((Kind::Store, Sizes::Giants(3), 500), (Kind::Centered, Sizes::Equal, 70_000)),
    ] {
        for places in [Places::Square, Places::Clusters(17)] {
            let world = |(kind, sizes, rows)| World {
                seed: 4,
                rows,
                kind,
                sizes,
                places,
                unit: 0,
                thin: 0,
            };
            let (moving, fixed) = (world(moving), world(fixed));
            let what = format!("{moving:?}, {fixed:?}");
            let (moving, fixed) = (Bodies::new(&moving), Bodies::new(&fixed));
            let set = listed(fixed.columns()).unwrap();
            counts.push(check(&moving, &fixed, &set, Touching::Inclusive, &what));
        }
    }
    assert_eq!(counts, [11_583, 9_601, 181, 143, 22_513, 13_212, 1_145, 895]);
}

/// Shapes that are spread over a plane, with candidate lists and without. The moving shapes are of
/// about their size or smaller, or some are too large for the lists. They are among the static
/// shapes, beyond their edge, or on the borders of cells.
#[test]
fn halos_of_shapes_in_a_plane() {
    let moving_sizes =
        [Sizes::Similar, Sizes::Equal, Sizes::Giants(3), Sizes::Wide(3), Sizes::Zero];
    let places =
        [Places::Square, Places::Offset(12), Places::Borders, Places::Square, Places::Lattice(0)];
    let mut hits = 0;
    for (round, fixed_kind) in (0..).zip(&Kind::ALL[1..]) {
        for (turn, moving_kind) in (0..).zip(Kind::ALL) {
            let (sizes, places) = (moving_sizes[(round + turn) % 5], places[turn % 5]);
            let unit = [0, -40, 30][turn % 3];
            let fixed = World {
                seed: 8,
                rows: 1000,
                kind: *fixed_kind,
                sizes: [Sizes::Equal, Sizes::Similar][turn % 2],
                places,
                unit,
                thin: (round % 2) as i32,
            };
            let moving = World { seed: 9, rows: 500, kind: moving_kind, sizes, thin: 1, ..fixed };
            let what = format!("{moving:?}, {fixed:?}");
            let (moving, fixed) = (Bodies::new(&moving), Bodies::new(&fixed));
            let [mut set, mut plain] = [CandidateLists::Always, CandidateLists::Never].map(listing);
            for set in [&mut set, &mut plain] {
                set.rebuild(fixed.columns()).unwrap();
            }
            assert!(
                set.bytes() > plain.bytes() + 16 * fixed.shapes.len(),
                "{what}: no candidate lists"
            );
            hits += check(&moving, &fixed, &set, POLICIES[turn % 2], &what);
            // A rebuild without candidate lists removes them, and their old shapes are not
            // searched.
            set.set_options(*plain.options()).unwrap();
            set.rebuild(moving.columns()).unwrap();
            hits += check(&fixed, &moving, &set, POLICIES[turn % 2], &what);
        }
    }
    assert_eq!(hits, 35_588);
}

/// Circles so large that the decision, rounded as the contract says, reaches several cells farther
/// than they do: points 1/100 apart in seven rows, and circles of 2^20 whose centres are multiples
/// of 1/8.
#[test]
fn giants_that_touch_by_rounding() {
    let along: Vec<f32> = (0..1000).map(|i| i as f32 * 0.01).collect();
    let across: Vec<f32> = (0..1000).map(|i| (i % 7) as f32 * 0.02).collect();
    let zero = [0.0; 80];
    let radius = (1 << 20) as f32;
    let radii = [radius; 80];
    let centers: Vec<f32> = (0..80).map(|k| radius + k as f32 * 0.125).collect();
    let before: Vec<f32> = (0..80).map(|k| k as f32 * 0.125 - radius).collect();
    let mut total = 0;
    for ((x, side), aligned) in product(([(&centers, -1.0), (&before, 1.0)], [false, true])) {
        let (points, giants) = if aligned {
            (Columns::points(&across, &along), Columns::circles(&zero, x, &radii))
        } else {
            (Columns::points(&along, &across), Columns::circles(x, &zero, &radii))
        };
        let (set, giants) = (listed(points.unwrap()).unwrap(), giants.unwrap());
        let mut expected = Vec::new();
        let mut beyond = 0;
        for (a, &x) in x.iter().enumerate() {
            for (b, point) in along.iter().zip(&across).enumerate() {
                let [x, point] = [[x, 0.0], [*point.0, *point.1]];
                let circle = Circle::new(x, radius).rounded_box();
                if overlap(circle, Point::new(point).rounded_box(), Touching::Inclusive) {
                    expected.push(Pair { a: a as u32, b: b as u32 });
                    let edge = f64::from(x[0]) + side * f64::from(radius);
                    beyond += usize::from(side * (f64::from(point[0]) - edge) > 0.03);
                }
            }
        }
        assert!(beyond > 50, "{beyond} points farther than a circle reaches");
        for &level in levels() {
            let mut detector = Detector::with_options(Options {
                order: Order::Sorted,
                simd_level: Some(level),
                ..Options::default()
            })
            .unwrap();
            let mut found = Vec::new();
            detector.pairs((giants, &set), &mut found).unwrap();
            assert!(found == expected, "{level}, {side}: {} hits", found.len());
        }
        total += expected.len();
    }
    assert!(total > 150_000, "{total} hits");
}

/// Boxes an odd number of roundings wide: the sum of their sides, twice the centre, is no `f32`.
#[test]
fn sums_that_are_no_f32() {
    for k in 0..200 {
        let low = [((1 << 23) + k) as f32];
        let (high, zero) = ([low[0] + 1.0], [0.0]);
        for columns in [
            Columns::aabbs(&low, &zero, &high, &zero).unwrap(),
            Columns::aabbs(&zero, &low, &zero, &high).unwrap(),
        ] {
            let set = listed(columns).unwrap();
            let (mut pairs, mut found) = (Vec::new(), Vec::new());
            Detector::new().pairs_and_against(columns, &set, &mut pairs, &mut found).unwrap();
            assert_eq!(found, [Pair { a: 0, b: 0 }], "{low:?}");
        }
    }
}

/// An index makes lists once more than five shapes have searched for each of its shapes since it
/// was built: not before, not for shapes that lists cannot serve, and never if the options say so.
#[test]
fn lists_are_made_once_they_pay_off() {
    let side = 40;
    let at = |i: usize| (i % side) as f32 * 2.0;
    let x: Vec<f32> = (0..side * side).map(at).collect();
    let y: Vec<f32> = (0..side * side).map(|i| at(i / side)).collect();
    let [small, large] = [0.75, 30.0].map(|radius| vec![radius; x.len()]);
    let shapes = Columns::circles(&x, &y, &small).unwrap();
    let giants = Columns::circles(&x, &y, &large).unwrap();
    let mut found = Vec::new();
    for lists in [CandidateLists::Auto, CandidateLists::Never, CandidateLists::Always] {
        let mut index = listing(lists);
        for round in 0..2 {
            index.rebuild(shapes).unwrap();
            let built = index.bytes();
            for &level in levels() {
                let simd_level = Some(level);
                let options = Options { simd_level, ..Options::default() };
                let mut detector = Detector::with_options(options).unwrap();
                let passes = [(); 9].map(|()| detector.pairs((giants, &index), &mut found));
                assert_eq!(passes, [const { Ok(()) }; 9]);
                let mut more = |step: u32| {
                    detector.pairs((shapes, &index), &mut found).unwrap();
                    assert_eq!(found.len(), x.len(), "{lists:?}, {level}, step {step}");
                    index.bytes() > built
                };
                let grown: Vec<u32> = (1..=7).filter(|step| more(*step)).collect();
                let pays = lists == CandidateLists::Auto && level != SimdLevel::Scalar;
                if round == 0 {
                    let expected = if pays { vec![6, 7] } else { vec![] };
                    assert_eq!(grown, expected, "{lists:?}, {level}: steps with lists");
                }
                if lists == CandidateLists::Auto && level != SimdLevel::Scalar {
                    break;
                }
            }
        }
    }
}
