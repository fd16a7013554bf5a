//! Random tiles and random shapes.

use proptest::prelude::*;
use widephase::{
    Columns, Detector, Filter, Options, Order, Shapes, SimdLevel,
    shape::{Circle, OwnedShape},
    tiles::{Axis, TileDetector, TileRows, Tiles},
};

use crate::assert_same;
use common::{
    POLICIES, Rng,
    crowd::{crowds, store},
    levels,
};

/// Cuts through random tiles, at sides, at centres and between shapes of the store, and a few
/// outside.
fn random_tiles(rng: &mut Rng, shapes: &Shapes, cuts: usize) -> Tiles {
    let mut tiles = Tiles::new();
    for _ in 0..cuts {
        let tile = rng.below(tiles.len() as u64) as usize;
        let bounds = shapes.bounds(rng.below(shapes.rows() as u64) as u32).unwrap();
        let (axis, min, max) = match rng.below(2) {
            0 => (Axis::X, bounds.min_x, bounds.max_x),
            _ => (Axis::Y, bounds.min_y, bounds.max_y),
        };
        let radius = bounds.radius;
        let at = match rng.below(6) {
            0 => min - radius,
            1 => max + radius,
            2 => (min + max) * 0.5,
            3 => min.next_up(),
            4 => max * 3.0,
            _ => max,
        };
        tiles.cut(tile, axis, at).unwrap();
    }
    tiles
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 96, ..<_>::default() })]

    #[test]
    fn all_tiles_find_what_one_call_finds(
        crowd in crowds(), seed: u64, cuts in 0_usize..20, wide in prop::sample::select(vec![0.0, 0.25, 2.0]),
    ) {
        let shapes = store(&crowd.solids());
        let tiles = random_tiles(&mut Rng::new(seed), &shapes, cuts);
        let margin = wide * 2.0_f32.powi(crowd.unit);
        for touching in POLICIES {
            for level in [SimdLevel::Scalar, *levels().last().unwrap()] {
                let options = Options { simd_level: Some(level), touching, ..Options::default() };
                assert_same(&tiles, &shapes, margin, &options);
            }
        }
    }

    /// The rows of each tile, by their definition. Margins may be far larger than the shapes.
    #[test]
    fn rows_are_owned_once_and_ghosts_where_they_reach(
        crowd in crowds(), seed: u64, cuts in 0_usize..20,
        margin in prop_oneof![Just(0.0_f32), 0.0_f32..2.0],
    ) {
        let mut shapes = store(&crowd.solids());
        let mut rng = Rng::new(seed);
        let tiles = random_tiles(&mut rng, &shapes, cuts);
        for _ in 0..rng.below(4) {
            let _ = shapes.remove(rng.below(shapes.rows() as u64) as u32);
        }
        let mut rows = TileRows::new();
        rows.divide(&tiles, &shapes, margin).unwrap();
        let mut all = vec![];
        for (number, tile) in tiles.iter().enumerate() {
            let bounds = |row: &u32| shapes.bounds(*row);
            let live = || (0..shapes.rows() as u32).filter(|row| bounds(row).is_some());
            let owned: Vec<u32> = live().filter(|row| tile.owns(bounds(row).unwrap())).collect();
            let reach = live().filter(|row| tile.reached_by(bounds(row).unwrap(), margin));
            let reach: Vec<u32> = reach.collect();
            prop_assert_eq!(rows.owned(number), &owned[..]);
            rows.all(number, &mut all);
            prop_assert_eq!(&all, &reach);
            let ghosts: Vec<u32> = reach.into_iter().filter(|row| !owned.contains(row)).collect();
            prop_assert_eq!(rows.ghosts(number), &ghosts[..]);
        }
        let owned: usize = (0..tiles.len()).map(|tile| rows.owned(tile).len()).sum();
        prop_assert_eq!(owned, shapes.len());
        for bounds in (0..shapes.rows() as u32).filter_map(|row| shapes.bounds(row)) {
            let mut visited = vec![];
            tiles.visit_reached(bounds, margin, |tile| visited.push(tile));
            visited.sort();
            let reached = tiles.iter().enumerate().filter(|(_, t)| t.reached_by(bounds, margin));
            prop_assert_eq!(visited, reached.map(|(number, _)| number).collect::<Vec<_>>());
        }
    }
}

/// Filters, worlds, a predicate, and borrowed columns of rotated shapes.
#[test]
fn tiles_respect_filters_and_predicates() {
    let mut rng = Rng::new(40);
    let count = 400;
    let mut column =
        |low: f32, high: f32| -> Vec<f32> { (0..count).map(|_| rng.range(low, high)).collect() };
    let [ax, ay] = [(); 2].map(|()| column(0.0, 20.0));
    let [dx, dy] = [(); 2].map(|()| column(-1.0, 1.0));
    let radius = column(0.1, 0.6);
    let [bx, by] = [(&ax, &dx), (&ay, &dy)]
        .map(|(a, d)| a.iter().zip(d).map(|(a, d)| a + d).collect::<Vec<f32>>());
    let filters: Vec<Filter> =
        (0..count).map(|i| Filter::new(1 << (i % 3), !(1 << (i % 2)))).collect();
    let worlds: Vec<u32> = (0..count as u32).map(|i| i / 7 % 3).collect();
    let accept = |a: u32, b: u32| !(a + b).is_multiple_of(5);

    let capsules = Columns::capsules(&ax, &ay, &bx, &by, &radius).unwrap();
    let columns = capsules.with_filters(&filters).unwrap().with_spaces(&worlds).unwrap();
    let columns = columns.with_predicate(&accept);
    let tiles = Tiles::balanced(columns, 7).unwrap();
    for columns in [capsules, columns] {
        let options = Options::default();
        let (pairs, contacts) = crate::tiled(&tiles, columns, 0.125, &options);
        let (expected, expected_contacts) = crate::whole(columns, 0.125, &options);
        assert_eq!(pairs, expected);
        assert_eq!(contacts, expected_contacts);
        assert!(pairs.len() > 30, "{}", pairs.len());
    }
}

/// Pairs of a tile are in the order of the options.
#[test]
fn pairs_of_a_tile_are_sorted_on_request() {
    let mut rng = Rng::new(7);
    let circles: Vec<OwnedShape> = (0..500)
        .map(|_| Circle::new([rng.range(0.0, 20.0), rng.range(0.0, 20.0)], 0.8).into())
        .collect();
    let shapes = Shapes::from_slice(&circles).unwrap();
    let tiles = Tiles::balanced(&shapes, 4).unwrap();
    let mut rows = TileRows::new();
    rows.divide(&tiles, &shapes, 0.0).unwrap();
    let options = Options { order: Order::Sorted, ..Options::default() };
    let mut detector = TileDetector::with_options(options).unwrap();
    let (mut pairs, mut total) = (vec![], 0);
    for tile in 0..4 {
        detector.pairs(&rows, tile, &shapes, &mut pairs).unwrap();
        assert!(pairs.is_sorted() && !pairs.is_empty());
        total += pairs.len() as u64;
    }
    assert_eq!(Detector::new().count(&shapes).unwrap(), total);
}

/// Rows that are divided on several threads equal the rows of one thread.
#[cfg(feature = "parallel")]
#[test]
fn many_rows_on_any_number_of_threads() {
    let mut rng = Rng::new(3);
    let circles: Vec<Circle> = (0..70_000)
        .map(|_| Circle::new([rng.range(0.0, 300.0), rng.range(0.0, 300.0)], rng.range(0.0, 4.0)))
        .collect();
    let mut shapes = Shapes::from_slice(&circles).unwrap();
    for row in (5..70_000).step_by(1_111) {
        shapes.remove(row).unwrap();
    }
    let pools = common::pools();
    let [mut one, mut many] = [TileRows::new(), TileRows::new()];
    for count in [40, 7, 1, 900] {
        let tiles = Tiles::balanced(&shapes, count).unwrap();
        pools[0].install(|| one.divide(&tiles, &shapes, 0.5)).unwrap();
        for pool in [&pools[3], &pools[1]] {
            pool.install(|| many.divide(&tiles, &shapes, 0.5)).unwrap();
            for tile in 0..count {
                assert_eq!(many.owned(tile), one.owned(tile), "{count}");
                assert_eq!(many.ghosts(tile), one.ghosts(tile), "{count}");
                assert!(many.owned(tile).is_sorted() && many.ghosts(tile).is_sorted());
            }
        }
        assert_eq!((0..count).map(|tile| many.owned(tile).len()).sum::<usize>(), shapes.len());
    }
}
