//! The grid against all pairs, over worlds of any size, place and kind: the same pairs for any
//! cells, and one order on all SIMD levels and threads.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

use common::{
    POLICIES, Rng, assert_same,
    bodies::{Bodies, worlds},
    circle, levels, pow2, product, sweep_and_prune, well_formed,
    world::{Kind, Places, Sizes, World},
};
use proptest::prelude::*;
use widephase::{
    Columns, Detector, Options, Pair, Threads, Touching,
    options::{CellSize, GridLevels},
};

/// How to lay the grid.
#[derive(Debug, Clone)]
struct Setting {
    cell_size: CellSize,
    levels: GridLevels,
}

impl Setting {
    fn detector(&self, touching: Touching, threads: Threads) -> Detector {
        let mut detector =
            Detector::with_options(Options { touching, threads, ..Options::default() }).unwrap();
        let Setting { cell_size, levels: grid_levels } = *self;
        detector.set_options(Options { cell_size, grid_levels, ..*detector.options() }).unwrap();
        detector
    }
}

/// Cells as they come, tiny, huge, and of the order of the bodies; levels as they come, one level,
/// and levels at sizes that bodies have.
fn settings(unit: i32) -> impl Strategy<Value = Setting> {
    let cell_size = prop_oneof![
        4 => Just(CellSize::Auto),
        1 => Just(CellSize::Fixed(pow2(-149))),
        1 => Just(CellSize::Fixed(pow2(60))),
        2 => (-3..=3).prop_map(move |k| CellSize::Fixed(pow2(unit + k) * 1.1)),
    ];
    let upto = prop::collection::btree_set(-14_i32..=14, 1..=15).prop_map(move |exponents| {
        let sizes: Vec<f32> = exponents.into_iter().map(|k| pow2(unit + k)).collect();
        GridLevels::upto(&sizes).unwrap()
    });
    let levels = prop_oneof![4 => Just(GridLevels::Auto), 1 => Just(GridLevels::One), 2 => upto];
    (cell_size, levels).prop_map(|(cell_size, levels)| Setting { cell_size, levels })
}

fn cases(rows: std::ops::Range<usize>) -> impl Strategy<Value = (World, Setting)> {
    worlds(rows).prop_flat_map(|world| (Just(world), settings(world.unit)))
}

/// The list of pairs under `setting`: the expected pairs, in one order on all levels and threads.
fn check(world: &World, setting: &Setting, touching: Touching) -> usize {
    let bodies = Bodies::new(world);
    let (columns, expected) = (bodies.columns(), bodies.pairs(touching));
    let (mut pairs, mut rows) = (Vec::new(), Vec::new());
    let mut order: Option<Vec<Pair>> = None;
    for &level in levels() {
        let what = format!("{world:?}, {setting:?}, {touching:?}, {level}");
        let mut calling = setting.detector(touching, Threads::Calling);
        calling.set_options(Options { simd_level: Some(level), ..*calling.options() }).unwrap();
        calling.pairs(columns, &mut pairs).unwrap();
        let order = order.get_or_insert_with(|| {
            assert_same(&well_formed(&pairs, columns.len(), &what), &expected, &what);
            pairs.clone()
        });
        assert!(pairs == *order, "{what}: another order");
        calling.grid_order(&mut rows);
        rows.sort_unstable();
        assert!(rows == bodies.rows, "{what}: the order of the grid is not one of all rows");
        assert_eq!(calling.count(columns), Ok(expected.len() as u64), "{what}: count");

        #[cfg(feature = "parallel")]
        for pool in common::pools() {
            for asked in [Threads::Pool, Threads::Auto] {
                let mut shared = setting.detector(touching, asked);
                shared
                    .set_options(Options { simd_level: Some(level), ..*shared.options() })
                    .unwrap();
                pool.install(|| shared.pairs(columns, &mut pairs).unwrap());
                let threads = pool.current_num_threads();
                assert!(pairs == *order, "{what}: another order, {asked:?}, {threads} threads");
            }
        }
    }
    expected.len()
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: common::rng::cases(250) as u32, failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// Too few for the sort in two steps, on one thread; with it, on several threads.
    #[test]
    fn some_hundred_bodies((world, setting) in cases(0..400), touching in prop::sample::select(&POLICIES[..])) {
        check(&world, &setting, touching);
    }
}

/// Circles in any number of clusters, and between them, in a world of any width. They are often so
/// crowded that the cells that the sample suggests are far too large, and the grid is planned
/// again.
#[derive(Debug, Clone)]
struct Crowds {
    rows: usize,
    clusters: u64,
    /// How many of a hundred bodies are in clusters.
    share: u64,
    /// The side of a cluster and the side of the world, in units of length, as powers of two.
    sides: [i32; 2],
    /// One body in 64 is larger by this power of two.
    large: i32,
    seed: u64,
}

impl Crowds {
    fn any() -> impl Strategy<Value = Self> {
        let numbers = (600_usize..2500, 1_u64..200, 1_u64..=100, 3_i32..7, 8_i32..50, 0_i32..6);
        (numbers, any::<u64>()).prop_map(|((rows, clusters, share, side, world, large), seed)| {
            Self { rows, clusters, share, sides: [side, world], large, seed }
        })
    }

    fn columns(&self) -> [Vec<f32>; 3] {
        let mut rng = Rng::new(self.seed);
        let [side, world] = self.sides.map(pow2);
        let corners: Vec<[f32; 2]> = (0..self.clusters)
            .map(|_| [rng.range(-world, world), rng.range(-world, world)])
            .collect();
        let mut columns = [const { Vec::new() }; 3];
        for _ in 0..self.rows {
            let corner = corners[rng.below(self.clusters) as usize];
            let place = if rng.below(100) < self.share {
                corner.map(|at| at + rng.range(0.0, side))
            } else {
                [rng.range(-world, world), rng.range(-world, world)]
            };
            let large = if rng.below(64) == 0 { self.large } else { 0 };
            for (column, value) in columns.iter_mut().zip([place[0], place[1], 0.5 * pow2(large)]) {
                column.push(value);
            }
        }
        columns
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 150, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn crowds_in_wide_worlds(crowds in Crowds::any(), touching in prop::sample::select(&POLICIES[..])) {
        let [x, y, radius] = crowds.columns();
        let circles: Vec<_> = (0..x.len()).map(|row| circle(x[row], y[row], radius[row])).collect();
        let expected = sweep_and_prune(&circles, touching);
        let columns = Columns::circles(&x, &y, &radius).unwrap();
        let mut order: Option<Vec<Pair>> = None;
        let mut pairs = Vec::new();
        for &level in levels() {
            let what = format!("{crowds:?}, {touching:?}, {level}");
            let mut calling = Detector::with_options(Options { touching, simd_level: Some(level), ..Options::default() }).unwrap();
            calling.pairs(columns, &mut pairs).unwrap();
            let order = order.get_or_insert_with(|| {
                assert_same(&well_formed(&pairs, x.len(), &what), &expected, &what);
                pairs.clone()
            });
            prop_assert!(pairs == *order, "{}: another order", what);
            #[cfg(feature = "parallel")]
            for pool in common::pools() {
                let mut shared = Detector::with_options(Options { touching, simd_level: Some(level), ..Options::default() }).unwrap();
                shared.set_options(Options { threads: Threads::Pool, ..*shared.options() }).unwrap();
                pool.install(|| shared.pairs(columns, &mut pairs).unwrap());
                prop_assert!(pairs == *order, "{}: another order on several threads", what);
            }
        }
    }
}

/// Checks a world of `rows` rows with automatic grid levels and with given levels. Returns the
/// number of its pairs.
fn check_large(seed: u64, rows: usize, (kind, sizes, places, thin): Recipe) -> usize {
    let setting = |levels| Setting { cell_size: CellSize::Auto, levels };
    let world = World { seed, rows, kind, sizes, places, unit: 0, thin };
    let thresholds = GridLevels::upto(&[-2, 0, 1, 4].map(pow2)).unwrap();
    let counted = [GridLevels::Auto, thresholds]
        .map(|levels| check(&world, &setting(levels), Touching::Inclusive));
    assert_eq!(counted[0], counted[1]);
    counted[0]
}

/// Kind, sizes and places, and how thinly the bodies are spread.
type Recipe = (Kind, Sizes, Places, i32);

/// Several chunks, bands and tasks. The sort takes one step on the calling thread, and two on
/// several threads. (With 2^15 bodies or more, as in the last four worlds, it takes two on the
/// calling thread, too, if the SIMD level has no prefetch.) In these worlds, each body touches only
/// a few other bodies.
#[test]
fn large_worlds_have_the_pairs_of_the_reference() {
    let recipes = [
        (Kind::Circles, Sizes::Wide(6), Places::Square, 0),
        (Kind::Store, Sizes::Similar, Places::Clusters(17), 0),
        (Kind::Boxes, Sizes::Powers(4), Places::Diagonal, 4),
        (Kind::Rounded, Sizes::Giants(3), Places::OneFar, 1),
        (Kind::Centered, Sizes::Wide(12), Places::Square, 4),
        (Kind::Circles, Sizes::Giant(5), Places::Offset(22), 1),
        (Kind::Circles, Sizes::Wide(40), Places::Square, 2),
        (Kind::Points, Sizes::Zero, Places::Lattice(5), 0),
        (Kind::Boxes, Sizes::Flat, Places::Borders, 0),
        (Kind::Rounded, Sizes::Wide(12), Places::Lattice(5), 0),
        (Kind::Store, Sizes::Wide(40), Places::Clusters(40), 1),
    ];
    let counted = |(seed, recipe)| check_large(seed as u64, 17_000 + 2_300 * seed, recipe);
    let counts: Vec<usize> = recipes.into_iter().enumerate().map(counted).collect();
    let expected = [12_386, 6_852, 71_548, 4_702, 61, 4_300, 1_008, 16_624, 8_620, 40_453, 3_062];
    assert_eq!(counts, expected);
}

/// The sort takes two steps on the calling thread on all SIMD levels, for bodies of several sizes
/// and in helical grids. `Threads::Auto` takes several threads.
#[test]
fn bodies_for_two_steps_on_one_thread() {
    const TWO_STEPS: usize = 3 << 16;
    let recipes = [
        (Kind::Circles, Sizes::Wide(6), Places::Square, 0),
        (Kind::Boxes, Sizes::Giants(3), Places::OneFar, 1),
        (Kind::Rounded, Sizes::Wide(12), Places::Square, 1),
        (Kind::Store, Sizes::Similar, Places::Clusters(17), 1),
    ];
    let mut counts = Vec::new();
    for (seed, recipe) in (20..).zip(recipes) {
        // One row in seven of a store is vacant.
        let rows = if recipe.0 == Kind::Store { TWO_STEPS * 7 / 6 } else { TWO_STEPS };
        counts.push(check_large(seed, rows, recipe));
    }
    assert_eq!(counts, [140_414, 28_538, 39_971, 20_404]);
}

/// Boxes an odd number of roundings wide: the sum of their sides, twice the centre, is no `f32`. A
/// grid that is planned with rounded sums has bodies before its first cell or behind its last.
#[test]
fn sums_that_are_no_f32() {
    for (first, width) in product((0..40, [1.0, 3.0, 5.0, 9.0])) {
        let low: Vec<f32> = (0..3).map(|k| ((1 << 23) + first + k) as f32).collect();
        let high = [low[0] + 1.0, low[1] + width, low[2] + 1.0];
        let zero = [0.0; 3];
        let columns = [
            Columns::aabbs(&low, &zero, &high, &zero).unwrap(),
            Columns::aabbs(&zero, &low, &zero, &high).unwrap(),
            Columns::aabbs(&low, &low, &high, &high).unwrap(),
        ];
        let levels = [
            GridLevels::Auto,
            GridLevels::upto(&[0.5]).unwrap(),
            GridLevels::upto(&[1.0]).unwrap(),
        ];
        for (columns, levels) in product((columns, levels)) {
            let setting = Setting { cell_size: CellSize::Auto, levels };
            let mut detector = setting.detector(Touching::Inclusive, Threads::Calling);
            // The second touches the other two.
            assert_eq!(detector.count(columns), Ok(2), "{first}, {width}");
        }
    }
}

/// A vector that reaches beyond the last body has zeros there, far from where the bodies are: their
/// results are never used, and must not overflow (in a build that checks for that).
#[test]
fn vectors_beyond_the_last_body() {
    for offset in [0.0, 1e3, -1e3, 1e9, -1e9] {
        for rows in 1..40 {
            let x: Vec<f32> = (0..rows).map(|row| offset + row as f32).collect();
            let mut radius = vec![0.5; rows];
            radius[rows - 1] = 100.0;
            let columns = Columns::circles(&x, &x, &radius).unwrap();
            for &level in levels() {
                let setting = Setting {
                    cell_size: CellSize::Auto,
                    levels: GridLevels::upto(&[1.0]).unwrap(),
                };
                let mut detector = setting.detector(Touching::Inclusive, Threads::Calling);
                let options = Options { simd_level: Some(level), ..*detector.options() };
                detector.set_options(options).unwrap();
                // The large body reaches all other bodies, and these are √2 apart where they are
                // apart.
                let found = detector.count(columns).unwrap();
                assert!(found >= rows as u64 - 1, "{rows} at {offset}, {level}: {found}");
            }
        }
    }
}
