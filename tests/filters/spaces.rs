//! Many worlds in one call: beside a call for each world.

use proptest::prelude::*;
use widephase::{
    Adjacency, Columns, Contact, Detector, Error, Filter, Index, IndexOptions, Lists, Options,
    Order, Pair, Queries, Ray, Shapes, SimdLevel, Threads,
    error::Field,
    options::{CandidateLists, CellSize},
    shape::{Circle, Kind, Point},
};

use crate::{Style, filters};
use common::{
    POLICIES, Rng, at_every_level,
    bodies::{Bodies, worlds},
    crowd::{Crowd, Make, Numbers, crowds, store},
    levels,
};

/// Numbers of worlds, far from each other.
const NUMBERS: [u32; 4] = [0, 3, 7, u32::MAX];

/// A world for each row: in blocks, or mixed.
fn column(rng: &mut Rng, count: usize) -> Vec<u32> {
    let blocks = rng.below(2) == 0;
    let each = count.div_ceil(NUMBERS.len()).max(1);
    (0..count)
        .map(|row| if blocks { NUMBERS[row / each] } else { NUMBERS[rng.below(4) as usize] })
        .collect()
}

/// The rows of one world, as a store.
struct Alone {
    shapes: Shapes,
    rows: Vec<u32>,
}

impl Alone {
    fn new(columns: Columns<'_>, column: &[u32], world: u32) -> Self {
        let rows: Vec<u32> =
            (0..column.len() as u32).filter(|row| column[*row as usize] == world).collect();
        let mut shapes = Shapes::new();
        shapes.extend_from_rows(columns, &rows).unwrap();
        Self { shapes, rows }
    }

    fn is_aligned(&self) -> bool {
        // Vacant rows have no kind.
        let mut kinds = (0..self.shapes.rows() as u32).filter_map(|row| self.shapes.kind(row));
        kinds.all(Kind::is_axis_aligned)
    }

    fn row(&self, row: u32) -> u32 {
        self.rows[row as usize]
    }
}

fn each_world(columns: Columns<'_>, column: &[u32]) -> Vec<Alone> {
    NUMBERS.iter().map(|world| Alone::new(columns, column, *world)).collect()
}

fn joined(a: &Alone, b: &Alone, pair: Pair) -> Pair {
    Pair { a: a.row(pair.a), b: b.row(pair.b) }
}

/// Checks all calls of a detector, over `columns` and an index of `other`.
fn check(columns: Columns<'_>, other: Columns<'_>, seed: u64, what: &str) {
    let mut rng = Rng::new(seed);
    let (own, others) = (column(&mut rng, columns.len()), column(&mut rng, other.len()));
    let own_filters = filters(Style::Owners, seed, columns.len());
    for (filtered, touching, order) in
        [(false, POLICIES[0], Order::Grid), (true, POLICIES[1], Order::Sorted)]
    {
        let columns = if filtered { columns.with_filters(&own_filters).unwrap() } else { columns };
        let together = columns.with_spaces(&own).unwrap();
        let (apart, apart_other) = (each_world(columns, &own), each_world(other, &others));
        for &level in levels() {
            for threads in [Threads::Calling, Threads::Pool] {
                let options = Options {
                    touching,
                    order,
                    threads,
                    simd_level: Some(level),
                    ..Options::default()
                };
                let what = format!("{what}, {filtered}, {touching:?}, {level}, {threads:?}");
                within(&options, together, &apart, &what);
                let index = |columns: Columns<'_>| {
                    let candidate_lists =
                        if filtered { CandidateLists::Always } else { CandidateLists::Never };
                    let options = IndexOptions { candidate_lists, ..options.into() };
                    let mut index = Index::with_options(options).unwrap();
                    index.rebuild(columns).unwrap();
                    index
                };
                let all = [index(together), index(other.with_spaces(&others).unwrap())];
                let parts: Vec<[Index; 2]> = apart
                    .iter()
                    .zip(&apart_other)
                    .map(|(a, b)| [index((&a.shapes).into()), index((&b.shapes).into())])
                    .collect();
                against(&options, together, &all, &apart, &apart_other, &parts, &what);
            }
        }
    }
}

/// The pairs of all worlds: world by world, or sorted by rows, whatever their worlds.
fn in_order(order: Order, pairs: &mut [Pair]) {
    if order == Order::Sorted {
        pairs.sort_unstable();
    }
}

fn contacts_in_order(order: Order, contacts: &mut [Contact]) {
    if order == Order::Sorted {
        contacts.sort_unstable_by_key(|found| (found.pair, found.part_a, found.part_b));
    }
}

fn within(options: &Options, together: Columns<'_>, apart: &[Alone], what: &str) {
    let detector = &mut Detector::with_options(*options).unwrap();
    let (mut found, mut one) = (Vec::new(), Vec::new());
    let mut expected = Vec::new();
    for alone in apart {
        detector.pairs(&alone.shapes, &mut one).unwrap();
        expected.extend(one.iter().map(|pair| joined(alone, alone, *pair)));
    }
    in_order(options.order, &mut expected);
    detector.pairs(together, &mut found).unwrap();
    assert_eq!(found, expected, "{what}");
    assert_eq!(detector.count(together).unwrap(), expected.len() as u64, "{what}");
    if options.order == Order::Grid {
        let mut called = Vec::new();
        detector.for_each_pair(together, |pair| called.push(pair)).unwrap();
        assert_eq!(called, expected, "{what}: callback");
        let first = detector.for_each_pair(together, std::ops::ControlFlow::Break).unwrap();
        assert_eq!(first.break_value(), expected.first().copied(), "{what}: the first");
    }
    let (mut found, mut one) = (Vec::new(), Vec::new());
    let mut expected = Vec::new();
    for alone in apart {
        detector.contacts(&alone.shapes, 0.25, &mut one).unwrap();
        let contact = |contact: &Contact| contact.with_pair(joined(alone, alone, contact.pair));
        expected.extend(one.iter().map(contact));
    }
    contacts_in_order(options.order, &mut expected);
    detector.contacts(together, 0.25, &mut found).unwrap();
    assert_eq!(found, expected, "{what}: contacts");
    let (mut lists, mut one) = (Lists::new(), Lists::new());
    detector.neighbor_distances(together, 0.25, Adjacency::Full, &mut lists).unwrap();
    for alone in apart {
        detector.neighbor_distances(&alone.shapes, 0.25, Adjacency::Full, &mut one).unwrap();
        for (row, expected) in one.iter().enumerate() {
            let row = alone.row(row as u32);
            let mut found: Vec<_> =
                lists.get(row as usize).iter().map(|near| (near.row, near.distance)).collect();
            let mut expected: Vec<_> =
                expected.iter().map(|near| (alone.row(near.row), near.distance)).collect();
            for list in [&mut found, &mut expected] {
                list.sort_by_key(|(row, _)| *row);
            }
            // Beside a rotated shape in another space, distances are depths of contacts. Shapes that
            // touch, and under this policy do not count as touching, are the least number apart.
            if alone.is_aligned() && !apart.iter().all(Alone::is_aligned) {
                for (found, (_, expected)) in found.iter_mut().zip(&expected) {
                    let near = (found.1 - expected).abs() <= 1e-6 * expected + f32::MIN_POSITIVE;
                    assert!(near, "{what}: {found:?} beside {expected} of {row}");
                    found.1 = *expected;
                }
            }
            assert_eq!(found, expected, "{what}: neighbours of {row}");
        }
    }
}

fn against(
    options: &Options,
    together: Columns<'_>,
    [own_index, index]: &[Index; 2],
    apart: &[Alone],
    apart_other: &[Alone],
    parts: &[[Index; 2]],
    what: &str,
) {
    let detector = &mut Detector::with_options(*options).unwrap();
    let (mut found, mut one) = (Vec::new(), Vec::new());
    let (mut expected, mut between, mut contacts) = (Vec::new(), Vec::new(), Vec::new());
    for ((a, b), [own, other]) in apart.iter().zip(apart_other).zip(parts) {
        detector.pairs((&a.shapes, other), &mut one).unwrap();
        expected.extend(one.iter().map(|pair| joined(a, b, *pair)));
        detector.pairs((own, other), &mut one).unwrap();
        between.extend(one.iter().map(|pair| joined(a, b, *pair)));
        let mut one = Vec::new();
        detector.contacts((&a.shapes, other), 0.25, &mut one).unwrap();
        let contact = |contact: &Contact| contact.with_pair(joined(a, b, contact.pair));
        contacts.extend(one.iter().map(contact));
    }
    for pairs in [&mut expected, &mut between] {
        in_order(options.order, pairs);
    }
    contacts_in_order(options.order, &mut contacts);
    detector.pairs((together, index), &mut found).unwrap();
    assert_eq!(found, expected, "{what}: index");
    assert_eq!(detector.count((together, index)).unwrap(), expected.len() as u64);
    let (mut among, mut with) = (Vec::new(), Vec::new());
    detector.pairs(together, &mut one).unwrap();
    detector.pairs_and_against(together, index, &mut among, &mut with).unwrap();
    assert_eq!((among, with), (one, expected.clone()), "{what}: both");
    if options.order == Order::Grid {
        let mut called = Vec::new();
        detector.for_each_pair((together, index), |pair| called.push(pair)).unwrap();
        assert_eq!(called, expected, "{what}: index, callback");
    }
    detector.pairs((own_index, index), &mut found).unwrap();
    assert_eq!(found, between, "{what}: two indexes");
    assert_eq!(detector.count((own_index, index)), Ok(between.len() as u64));
    if options.order == Order::Grid {
        let mut called = Vec::new();
        detector.for_each_pair((own_index, index), |pair| called.push(pair)).unwrap();
        assert_eq!(called, between, "{what}: two indexes, callback");
    }
    let mut found = Vec::new();
    detector.contacts((together, index), 0.25, &mut found).unwrap();
    assert_eq!(found, contacts, "{what}: contacts with an index");
    detector.contacts((own_index, index), 0.25, &mut found).unwrap();
    assert_eq!(found, contacts, "{what}: contacts of two indexes within a margin");
    queries(index, apart_other, parts, what);
}

/// Queries of an index that name their world.
fn queries(index: &Index, apart: &[Alone], parts: &[[Index; 2]], what: &str) {
    let mut nearest = Lists::new();
    index.k_nearest_of_rows(2, f32::INFINITY, &mut nearest).unwrap();
    for ((alone, [_, part]), world) in apart.iter().zip(parts).zip(NUMBERS) {
        let seen = index.in_space(world);
        let (circle, point) = (Circle::new([0.5, -0.25], 1.5), Point::new([0.5, -0.25]));
        let (mut found, mut rows) = (Vec::new(), Vec::new());
        seen.overlapping(circle, &mut found).unwrap();
        part.overlapping(circle, &mut rows).unwrap();
        let rows: Vec<u32> = rows.iter().map(|row| alone.row(*row)).collect();
        assert_eq!(found, rows, "{what}: touching in {world}");
        let ray = Ray::new([0.25, 0.5], [1.0, 0.75]);
        let hit = part.cast_ray(ray).unwrap().map(|hit| (alone.row(hit.row), hit.fraction));
        let found = seen.cast_ray(ray).unwrap().map(|hit| (hit.row, hit.fraction));
        assert_eq!(found, hit, "{what}: ray in {world}");
        let near = part.nearest(circle, f32::INFINITY).unwrap();
        let near = near.map(|near| (alone.row(near.row), near.distance));
        let found = seen.nearest(circle, f32::INFINITY).unwrap();
        assert_eq!(found.map(|near| (near.row, near.distance)), near, "{what}: near, {world}");

        // A batch names the world of each query; world 5 has no shapes.
        let (x, y, named) = ([0.5; 2], [-0.25; 2], [world, 5]);
        let points = Columns::points(&x, &y).unwrap().with_spaces(&named).unwrap();
        let (mut lists, mut rows) = (Lists::new(), Vec::new());
        index.overlapping_batch(points, &mut lists).unwrap();
        seen.overlapping(point, &mut rows).unwrap();
        assert_eq!((lists.get(0), lists.get(1)), (&rows[..], &[][..]), "{what}: batch");

        let mut alone_nearest = Lists::new();
        part.k_nearest_of_rows(2, f32::INFINITY, &mut alone_nearest).unwrap();
        for (row, expected) in alone_nearest.iter().enumerate() {
            let found = nearest.get(alone.row(row as u32) as usize);
            let expected = expected.iter().map(|near| (alone.row(near.row), near.distance));
            let found = found.iter().map(|near| (near.row, near.distance));
            assert!(found.eq(expected), "{what}: nearest of row {row} of {world}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 8, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn worlds_of_axis_aligned_shapes(world in worlds(0..300), other in worlds(0..300)) {
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

/// Points beside rotated shapes of other spaces: their distances differ by roundings.
#[test]
fn crowds_that_once_failed() {
    let makes = Make::ALL.to_vec();
    let crowds = [
        (4725954728664944107, 8, Numbers::Sizes, -15, 0, true),
        (4767933735299410489, 8, Numbers::Sizes, -15, 0, true),
        (13697371895687073994, 12, Numbers::Quarters, 0, 9, false),
    ];
    for (seed, count, numbers, unit, far, flat) in crowds {
        let crowd = Crowd { seed, count, makes: makes.clone(), numbers, unit, far, flat };
        let shapes = store(&crowd.solids());
        check((&shapes).into(), (&shapes).into(), seed, &format!("{crowd:?}"));
    }
}

/// Circles in many worlds, at the same places.
fn rooms(worlds: u32, each: usize) -> [Vec<f32>; 4] {
    let mut rng = Rng::new(9);
    let side = (each as f32).sqrt() * 2.0;
    let mut column = |size: f32| -> Vec<f32> {
        (0..worlds as usize * each).map(|_| rng.range(0.0, size)).collect()
    };
    let (x, y, radius) = (column(side), column(side), column(1.5));
    let world = (0..worlds).flat_map(|world| vec![world as f32; each]).collect();
    [x, y, radius, world]
}

#[test]
fn several_tasks_on_several_threads() {
    let [x, y, radius, world] = rooms(300, 250);
    let world: Vec<u32> = world.iter().map(|world| *world as u32).collect();
    let circles = Columns::circles(&x, &y, &radius).unwrap();
    let together = circles.with_spaces(&world).unwrap();
    let mut expected = Vec::new();
    let (mut detector, mut one) = (Detector::new(), Vec::new());
    for first in (0..x.len()).step_by(250) {
        let rows = first..first + 250;
        let room = Columns::circles(&x[rows.clone()], &y[rows.clone()], &radius[rows]).unwrap();
        detector.pairs(room, &mut one).unwrap();
        let shift = |row: u32| row + first as u32;
        expected.extend(one.iter().map(|Pair { a, b }| Pair { a: shift(*a), b: shift(*b) }));
    }
    let mut found = Vec::new();
    for threads in [Threads::Calling, Threads::Pool] {
        let options = Options { threads, ..Options::default() };
        let mut detector = Detector::with_options(options).unwrap();
        detector.pairs(together, &mut found).unwrap();
        assert!(found == expected, "{threads:?}");
        assert_eq!(detector.count(together).unwrap(), expected.len() as u64);
        // Beyond the limit: the number of all pairs.
        let all = expected.len() as u64;
        for limit in [0, 100, all - 1] {
            let options = Options { max_pairs: limit, ..options };
            detector.set_options(options).unwrap();
            let error = Error::TooManyPairs { limit, found: all };
            assert_eq!(detector.pairs(together, &mut found).unwrap_err(), error);
            assert_eq!(found, []);
        }
        detector.set_options(Options { max_pairs: all, ..options }).unwrap();
        detector.pairs(together, &mut found).unwrap();
    }
}

#[test]
fn the_list_that_is_too_long_is_counted_over_all_spaces() {
    // In each of two worlds: one pair, and three with the index.
    let (x, y, radius) = ([0.0, 0.5, 0.0, 0.5], [0.0; 4], [1.0, 1.0, 1.0, 1.0]);
    let column = [1, 1, 2, 2];
    let circles = Columns::circles(&x, &y, &radius).unwrap().with_spaces(&column).unwrap();
    let index = Index::build(circles).unwrap();
    let mut detector = Detector::new();
    let (mut among, mut against) = (Vec::new(), Vec::new());
    detector.pairs_and_against(circles, &index, &mut among, &mut against).unwrap();
    assert_eq!((among.len(), against.len()), (2, 8));
    detector.set_options(Options { max_pairs: 3, ..Options::default() }).unwrap();
    let error = detector.pairs_and_against(circles, &index, &mut among, &mut against).unwrap_err();
    assert_eq!(error, Error::TooManyPairs { limit: 3, found: 8 });
    assert_eq!((among, against), (vec![], vec![]));
}

#[test]
fn one_world_for_each_row() {
    let circles = Columns::circles(&[0.0; 3], &[0.0; 3], &[1.0; 3]).unwrap();
    let error = circles.with_spaces(&[0; 4]).unwrap_err();
    assert_eq!(error, Error::UnequalColumns { field: Field::Space, len: 4, expected: 3 });
    // An invalid value is found wherever it is.
    let radius = [1.0, 1.0, -1.0];
    let bad = Columns::circles(&[0.0; 3], &[0.0; 3], &radius).unwrap();
    let bad = bad.with_spaces(&[1, 0, 0]).unwrap();
    let mut pairs = vec![Pair::default()];
    let error = Detector::new().pairs(bad, &mut pairs).unwrap_err();
    assert!(matches!(error, Error::InvalidShape { index: 2, .. }));
    assert_eq!(pairs, []);
    assert!(matches!(Index::build(bad).unwrap_err(), Error::InvalidShape { index: 2, .. }));
}

#[test]
fn worlds_meet_an_index_without_worlds_in_world_zero() {
    let circles = Columns::circles(&[0.0; 3], &[0.0; 3], &[1.0; 3]).unwrap();
    let index = Index::build(circles).unwrap();
    let mut pairs = Vec::new();
    let mut detector = Detector::new();
    let some = circles.with_spaces(&[1, 0, 1]).unwrap();
    detector.pairs((some, &index), &mut pairs).unwrap();
    pairs.sort();
    assert_eq!(pairs, [0, 1, 2].map(|b| Pair { a: 1, b }));
    detector.pairs((circles, &Index::build(some).unwrap()), &mut pairs).unwrap();
    pairs.sort();
    assert_eq!(pairs, [0, 1, 2].map(|a| Pair { a, b: 1 }));
    // A filter decides in each world.
    let apart = [Filter::ALL.in_group(-1); 3];
    let some = some.with_filters(&apart).unwrap();
    assert_eq!(detector.count(some).unwrap(), 0);
}

at_every_level!(fixed_cells_are_the_cells_of_each_world);

/// Cells of a size of the caller begin where the shapes of the world begin, not where all begin.
fn fixed_cells_are_the_cells_of_each_world(level: SimdLevel) {
    let (mut rng, mut x, mut y, mut own) = (Rng::new(5), Vec::new(), Vec::new(), Vec::new());
    for (world, number) in NUMBERS.iter().enumerate() {
        let far = [0.0, 300.25, -7_000.0, 1e6][world];
        for _ in 0..20 {
            x.push(far + rng.range(0.0, 6.0));
            y.push(rng.range(0.0, 6.0) - far);
            own.push(*number);
        }
    }
    let columns = Columns::circles(&x, &y, 0.6).unwrap();
    let cell_size = CellSize::Fixed(1.3);
    let options = Options { simd_level: Some(level), cell_size, ..Options::default() };
    let mut detector = Detector::with_options(options).unwrap();
    let (mut pairs, mut of_world, mut expected) = (Vec::new(), Vec::new(), Vec::new());
    for alone in each_world(columns, &own) {
        detector.pairs(&alone.shapes, &mut of_world).unwrap();
        expected.extend(of_world.iter().map(|pair| joined(&alone, &alone, *pair)));
    }
    detector.pairs(columns.with_spaces(&own).unwrap(), &mut pairs).unwrap();
    assert!(pairs.len() > 40);
    assert_eq!(pairs, expected, "{level}");
}
