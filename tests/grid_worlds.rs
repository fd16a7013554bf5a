//! The grid against all pairs, over worlds of any size, place and kind: the same pairs whatever the
//! cells, and one order on all levels and threads.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

mod common;

use common::{
    POLICIES, assert_same, levels, pow2, sweep_and_prune, well_formed,
    world::{self, Kind, Places, Sizes, World},
};
use proptest::prelude::*;
use widephase::{
    CellSize, Columns, Detector, Levels, Pair, Shapes, Threads, Touching,
    reference::brute_force,
    shape::{Circle, Point, RoundedBox},
};

/// A world as the detector takes it, and as the reference does.
struct Bodies {
    columns: world::Columns,
    store: Shapes,
    /// The shapes, and the row of each.
    shapes: Vec<RoundedBox>,
    rows: Vec<u32>,
}

impl Bodies {
    fn new(world: &World) -> Self {
        let columns = world.bodies();
        let shape = |row: usize| RoundedBox {
            min_x: columns.min_x[row],
            min_y: columns.min_y[row],
            max_x: columns.max_x[row],
            max_y: columns.max_y[row],
            radius: columns.radius[row],
        };
        let rows: Vec<u32> =
            (0..columns.len() as u32).filter(|&row| !columns.is_vacant(row as usize)).collect();
        let shapes = rows.iter().map(|&row| shape(row as usize)).collect();
        let mut store = Shapes::new();
        if columns.kind == Kind::Store {
            for row in 0..columns.len() {
                push(&mut store, shape(row), columns.is_vacant(row));
            }
        }
        Self { columns, store, shapes, rows }
    }

    fn columns(&self) -> Columns<'_> {
        let world::Columns {
            kind,
            x,
            y,
            half_width,
            half_height,
            min_x,
            min_y,
            max_x,
            max_y,
            radius,
        } = &self.columns;
        match kind {
            Kind::Points => Columns::points(x, y).unwrap(),
            Kind::Circles => Columns::circles(x, y, radius).unwrap(),
            Kind::Boxes => Columns::aabbs(min_x, min_y, max_x, max_y).unwrap(),
            Kind::Centered => Columns::centered(x, y, half_width, half_height).unwrap(),
            Kind::Rounded => Columns::rounded_boxes(min_x, min_y, max_x, max_y, radius).unwrap(),
            Kind::Store => (&self.store).into(),
        }
    }

    /// The pairs, from each with each or, of many, from a sorted sweep.
    fn pairs(&self, touching: Touching) -> Vec<Pair> {
        let mut pairs = if self.shapes.len() <= 1000 {
            brute_force::pairs(&self.shapes, touching)
        } else {
            sweep_and_prune(&self.shapes, touching)
        };
        for pair in &mut pairs {
            (pair.a, pair.b) = (self.rows[pair.a as usize], self.rows[pair.b as usize]);
        }
        pairs
    }
}

/// Adds a shape as the simplest kind that it is, or a vacant row.
fn push(store: &mut Shapes, shape: RoundedBox, vacant: bool) {
    let RoundedBox { min_x: x, min_y: y, max_x, max_y, radius } = shape;
    if vacant {
        let bad = Circle { x, y, radius: f32::NAN };
        assert_eq!(store.extend_from_slice_lenient(&[bad]).unwrap().len(), 1);
    } else if (x, y) != (max_x, max_y) {
        store.push(shape).unwrap();
    } else if radius > 0.0 {
        store.push(Circle { x, y, radius }).unwrap();
    } else {
        store.push(Point { x, y }).unwrap();
    }
}

/// How to lay the grid.
#[derive(Debug, Clone)]
struct Setting {
    cell_size: CellSize,
    levels: Levels,
}

impl Setting {
    fn detector(&self, touching: Touching, threads: Threads) -> Detector {
        let detector = Detector::new().touching(touching).threads(threads);
        detector.cell_size(self.cell_size).unwrap().levels(self.levels.clone()).unwrap()
    }
}

/// Cells as they come, tiny, huge, and of the order of the bodies; levels as they come, one, and at
/// sizes that bodies have.
fn settings(unit: i32) -> impl Strategy<Value = Setting> {
    let cell_size = prop_oneof![
        4 => Just(CellSize::Auto),
        1 => Just(CellSize::Fixed(pow2(-149))),
        1 => Just(CellSize::Fixed(pow2(60))),
        2 => (-3..=3).prop_map(move |k| CellSize::Fixed(pow2(unit + k) * 1.1)),
    ];
    let upto = prop::collection::btree_set(-14_i32..=14, 1..=15).prop_map(move |exponents| {
        Levels::Upto(exponents.into_iter().map(|k| pow2(unit + k)).collect())
    });
    let levels = prop_oneof![4 => Just(Levels::Auto), 1 => Just(Levels::One), 2 => upto];
    (cell_size, levels).prop_map(|(cell_size, levels)| Setting { cell_size, levels })
}

fn worlds(rows: std::ops::Range<usize>) -> impl Strategy<Value = World> {
    let unit = prop_oneof![Just(0), -60..=40];
    let thin = prop_oneof![Just(0), -1..=16];
    let sizes = prop::sample::select(&Sizes::ALL[..]);
    let places = prop::sample::select(&Places::ALL[..]);
    let kind = prop::sample::select(&Kind::ALL[..]);
    (any::<u64>(), rows, kind, sizes, places, unit, thin).prop_map(
        |(seed, rows, kind, sizes, places, unit, thin)| World {
            seed,
            rows,
            kind,
            sizes,
            places,
            unit,
            thin,
        },
    )
}

fn cases(rows: std::ops::Range<usize>) -> impl Strategy<Value = (World, Setting)> {
    worlds(rows).prop_flat_map(|world| (Just(world), settings(world.unit)))
}

/// The list of pairs under `setting`: the expected ones, in one order on all levels and threads.
fn check(world: &World, setting: &Setting, touching: Touching) {
    let bodies = Bodies::new(world);
    let (columns, expected) = (bodies.columns(), bodies.pairs(touching));
    let mut pairs = Vec::new();
    let mut order: Option<Vec<Pair>> = None;
    for &level in levels() {
        let what = format!("{world:?}, {setting:?}, {touching:?}, {level}");
        let mut calling = setting.detector(touching, Threads::Calling).level(level).unwrap();
        calling.detect(columns, &mut pairs).unwrap();
        let order = order.get_or_insert_with(|| {
            assert_same(&well_formed(&pairs, columns.len(), &what), &expected, &what);
            pairs.clone()
        });
        assert!(pairs == *order, "{what}: another order");
        assert_eq!(calling.count(columns), Ok(expected.len() as u64), "{what}: count");

        #[cfg(feature = "parallel")]
        for pool in common::pools() {
            let mut shared = setting.detector(touching, Threads::Pool).level(level).unwrap();
            pool.install(|| shared.detect(columns, &mut pairs).unwrap());
            let threads = pool.current_num_threads();
            assert!(pairs == *order, "{what}: another order on {threads} threads");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2000, failure_persistence: None, ..ProptestConfig::default()
    })]

    /// Too few for the sort in two steps, on one thread; with it, on several.
    #[test]
    fn some_hundred_bodies((world, setting) in cases(0..400), touching in prop::sample::select(&POLICIES[..])) {
        check(&world, &setting, touching);
    }
}
