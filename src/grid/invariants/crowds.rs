//! Crowds that a sample does not show: hundreds of clusters, a town in a wide country, sizes at
//! rows that the sample skips. Items are tested against about as many places as evenly spread
//! items, and their order does not depend on threads and SIMD level.

use super::{Laying, ListsInput, Rng};
use crate::{
    base::{Held, SimdLevel},
    grid::{
        CellSize, Grid, GridLevels,
        plan::{
            Plan, PlanInput, Sample,
            sample::{golden_row, rows_drawn},
        },
    },
    scene::{Scene, SceneKind},
    simd::{Isa, Scalar},
    store::{ColumnWorkspace, Columns, with_columns},
};

/// x, y, radius.
type Circles = [Vec<f32>; 3];

/// Appends a circle.
fn push(circles: &mut Circles, circle: [f32; 3]) {
    for (column, value) in circles.iter_mut().zip(circle) {
        column.push(value);
    }
}

/// Circles with a diameter of 1.
fn circles(places: impl Iterator<Item = [f32; 2]>) -> Circles {
    let (x, y): (Vec<f32>, Vec<f32>) = places.map(|[x, y]| (x, y)).unzip();
    let radius = vec![0.5; x.len()];
    [x, y, radius]
}

/// The side of a square in which this many circles have a pair each.
fn side(len: usize) -> f32 {
    1.25 * (len as f32).sqrt()
}

/// Items in `clusters` squares. `corner` returns the lower left corner of each square.
fn in_clusters(
    len: usize,
    clusters: usize,
    rng: &mut Rng,
    corner: impl Fn(usize) -> [f32; 2],
) -> Circles {
    let side = side(len / clusters);
    circles((0..len).map(|_| {
        let corner = corner(rng.below(clusters as u64) as usize);
        corner.map(|at| at + rng.range(0.0, side))
    }))
}

/// A share of the items in one square, and all other items in a square where their density is
/// `thinner` times lower.
fn town(len: usize, share: f32, thinner: f32, rng: &mut Rng) -> Circles {
    let inside = (len as f32 * share) as usize;
    let country = side(len - inside) * thinner.sqrt();
    let mut places: Vec<[f32; 2]> = (0..len)
        .map(|item| if item < inside { side(inside) } else { country })
        .map(|side| [rng.range(0.0, side), rng.range(0.0, side)])
        .collect();
    rng.shuffle(&mut places);
    circles(places.into_iter())
}

/// The average number of places that an item is tested against in its own level.
fn looks_each(circles: &Circles, ground: &mut ListsInput, what: &str) -> f64 {
    work_of(circles, ground, what).looks as f64 / circles[0].len() as f64
}

/// The most places per item; sixteen are tested at once. From about this number on, the plan is
/// replaced.
const MAX_PLACES_PER_ITEM: f64 = 45.0;

#[test]
fn hundreds_of_clusters() {
    let (mut rng, mut ground) = (Rng::new(11), ListsInput::default());
    let mut all = Vec::new();
    for len in [20_000, 80_000] {
        for clusters in [100, 225, 1024, 4096] {
            let (root, side) = ((clusters as f64).sqrt() as usize, side(len / clusters));
            for apart in [20.0 * side, 1e5] {
                let corner = |cluster: usize| {
                    [cluster % root, cluster / root].map(|step| step as f32 * apart)
                };
                let items = in_clusters(len, clusters, &mut rng, corner);
                let what = format!("{len} in {clusters}, {apart} apart");
                let each = looks_each(&items, &mut ground, &what);
                assert!(each < MAX_PLACES_PER_ITEM, "{what}: {each}");
                all.push(each);
            }
            let wide = 40.0 * side * root as f32;
            let anywhere: Vec<[f32; 2]> =
                (0..clusters).map(|_| [rng.range(0.0, wide), rng.range(0.0, wide)]).collect();
            let items = in_clusters(len, clusters, &mut rng, |cluster| anywhere[cluster]);
            let what = format!("{len} in {clusters} anywhere");
            let each = looks_each(&items, &mut ground, &what);
            assert!(each < MAX_PLACES_PER_ITEM, "{what}: {each}");
            all.push(each);
        }
    }
    let average = all.iter().sum::<f64>() / all.len() as f64;
    assert!(average < 15.0, "{average}, {all:?}");
}

#[test]
fn towns_in_a_wide_country() {
    let (mut rng, mut ground) = (Rng::new(12), ListsInput::default());
    for len in [20_000, 80_000] {
        for share in [0.02, 0.05, 0.1, 0.3] {
            for thinner in [1e2, 1e4, 1e6, 1e12] {
                let items = town(len, share, thinner, &mut rng);
                let what = format!("{share} of {len}, others {thinner} as thin");
                let each = looks_each(&items, &mut ground, &what);
                assert!(each < MAX_PLACES_PER_ITEM, "{what}: {each}");
            }
        }
    }
}

/// Half of the items are large, thinly spread, and at rows that the sample skips. So the sample
/// does not show their number. Small items are crowded.
#[test]
fn sizes_at_rows_that_are_not_looked_at() {
    let (mut rng, mut ground) = (Rng::new(13), ListsInput::default());
    for len in [30_000, 100_000] {
        let drawn: Vec<bool> = {
            let mut drawn = vec![false; len];
            for wanted in rows_drawn(len) {
                for index in 0..wanted as u64 {
                    drawn[golden_row(index, len)] = true;
                }
            }
            drawn
        };
        let root = (len as f32).sqrt();
        let mut items = [const { Vec::new() }; 3];
        for (row, drawn) in drawn.into_iter().enumerate() {
            let small = drawn || row % 2 == 0;
            let (side, radius) = if small { (root, 0.4) } else { (250.0 * root, 50.0) };
            push(&mut items, [rng.range(0.0, side), rng.range(0.0, side), radius]);
        }
        let each = looks_each(&items, &mut ground, "large ones between those drawn");
        assert_eq!(ground.grid.plan.levels().len(), 2);
        assert!(each < MAX_PLACES_PER_ITEM, "{len}: {each}");
    }
}

/// Items of all sizes, each proportional to its distance from a point. The finest level would take
/// six decades of sizes, because most of the plane is empty.
#[test]
fn all_sizes_around_a_point() {
    let (mut rng, mut ground) = (Rng::new(14), ListsInput::default());
    let len = 100_000;
    let mut items = [const { Vec::new() }; 3];
    for _ in 0..len {
        let distance = 10_f32.powf(rng.range(-3.0, 9.0));
        let angle = rng.range(0.0, std::f32::consts::TAU);
        push(&mut items, [distance * angle.cos(), distance * angle.sin(), distance * 0.0016]);
    }
    let each = looks_each(&items, &mut ground, "all sizes");
    assert!(each < MAX_PLACES_PER_ITEM, "{each}");
}

/// The order of the items does not depend on threads and SIMD level, and neither does the decision
/// to replace a plan.
#[test]
fn one_order_on_all_threads() {
    let mut rng = Rng::new(15);
    let [x, y, radius] = town(60_000, 0.1, 1e6, &mut rng);
    let columns = Columns::circles(&x, &y, &radius).unwrap();
    let mut orders = Vec::new();
    for &level in [SimdLevel::Scalar].iter().chain(SimdLevel::available()) {
        for threads in [false, true] {
            let laying = Laying { threads, level, ..Laying::plain() };
            let mut ground = ListsInput::default();
            ground.check(columns, &laying, "a town");
            assert!(looks(&ground.grid, Isa::new(level).unwrap(), 0) < 60_000 * 10);
            let mut order = Vec::new();
            ground.grid.order(&mut order);
            orders.push(order);
        }
    }
    assert!(orders.len() > 2 && orders.windows(2).all(|two| two[0] == two[1]));
}

/// Where items are crowded because each touches many other items, or all items are equal, no plan
/// is replaced. It would cost a second sort and save nothing.
#[test]
fn the_first_plan_stands_in_all_scenes() {
    let mut ground = ListsInput::default();
    for kind in SceneKind::ALL {
        for len in [1000, 6000] {
            let scene = Scene::generate(kind, kind.most_bodies(len, 1e6), 1);
            let laying = Laying::plain();
            ground.check(scene.columns(), &laying, "a scene");
            let mut room = ColumnWorkspace::default();
            let rows = scene.columns().rows(Isa::any(), &mut room).unwrap();
            let shapes = rows.check_on(Isa::any(), false).unwrap();
            let (count, levels) = (shapes.len, &GridLevels::Auto);
            let (cell_size, searched) = (CellSize::Auto, false);
            let input = PlanInput { extent: &shapes.extent, count, cell_size, levels, searched };
            let mut sample = Sample::default();
            let first = with_columns!(shapes.layout, set => Plan::new(&input, set, &mut sample));
            assert!(ground.grid.plan == first, "{kind}, {len}");
        }
    }
}

/// The counted cost of a grid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Work {
    cells: usize,
    /// Bytes of the grid and of the memory of the sort.
    bytes: usize,
    /// Places in the ranges that a sweep tests.
    pub(super) looks: usize,
}

impl Work {
    fn of(ground: &ListsInput, isa: Isa) -> Self {
        let ListsInput { grid, partition, .. } = ground;
        let looks = (0..grid.plan.levels().len()).map(|level| looks(grid, isa, level)).sum();
        Self { cells: grid.plan.cells(), bytes: grid.bytes() + partition.bytes(), looks }
    }
}

/// The number of places that the items of a level are tested against.
pub(super) fn looks(grid: &Grid, isa: Isa, level: usize) -> usize {
    let items = grid.sorted.items(level);
    let stride = grid.plan.levels()[level].stride();
    let starts = grid.sorted.starts(isa, &grid.plan, false);
    let cells = grid.sorted.cells_of(items.clone());
    let table = starts.table(cells, items.start, stride, false);
    let ranges = items.flat_map(|place| table.of(place..place + 1).get(Scalar, 0).1);
    ranges.map(|range| range.len()).sum()
}

/// The circles of `s6`, in clusters `pitch` apart. All other lengths are multiplied by `unit`, a
/// power of two.
///
/// Within its cluster, each item is moved to the nearest point of a lattice with a pitch of an
/// eighth of a diameter. `f32` has these points at all of the distances below, so the clusters are
/// equal at all distances, bit for bit.
fn clusters(scene: &Scene, pitch: f32, unit: f32) -> [Vec<f32>; 3] {
    let mut columns = [const { Vec::new() }; 3];
    for item in scene.rounded_boxes() {
        let place = [item.min_x, item.min_y].map(|at| {
            let cluster = (at / 1e5 + 1.5).round() - 1.5;
            let offset = ((at - cluster * 1e5) * 8.0).round() / 8.0;
            let there = cluster * pitch + offset * unit;
            assert_eq!(f64::from(there), f64::from(cluster * pitch) + f64::from(offset * unit));
            there
        });
        for (column, value) in columns.iter_mut().zip([place[0], place[1], item.radius * unit]) {
            column.push(value);
        }
    }
    columns
}

/// Distances in units of length, and the unit. Around 10⁹, `f32` has a number every 64 or 128, so
/// items are 1024 times as large there.
const FAR_APART: [(f32, f32); 4] = [(200.0, 1.0), (1e5, 1.0), (1e8, 128.0), (1e9, 1024.0)];

/// The cost of the grid over clusters.
fn work(scene: &Scene, (pitch, unit): (f32, f32), ground: &mut ListsInput) -> Work {
    let what = format!("{} items, clusters {pitch} apart", scene.len());
    work_of(&clusters(scene, pitch, unit), ground, &what)
}

/// The cost of the grid over circles.
pub(super) fn work_of([x, y, radius]: &[Vec<f32>; 3], ground: &mut ListsInput, what: &str) -> Work {
    let laying = Laying::plain();
    *ground = ListsInput::default();
    ground.check(Columns::circles(x, y, radius).unwrap(), &laying, what);
    Work::of(ground, Isa::new(laying.level).unwrap())
}

/// Side by side means that clusters just do not touch: they are eight standard deviations apart and
/// have a dense level. Clusters far apart have a helical level.
///
/// Not every helix that is tried (four, with a few thousand items) keeps clusters apart at all
/// distances. The sweep then tests up to half as many places more. (For the two ranges of an item,
/// that is 16 instead of 11, and it has four pairs.) On average, it tests hardly more.
#[test]
fn clusters_far_apart_are_as_much_work_as_side_by_side() {
    let mut ground = ListsInput::default();
    let few = (0..8).flat_map(|seed| [(2000, 16.0, seed), (5000, 25.0, seed)]);
    let mut more = Vec::new();
    for (len, beside, seed) in few.chain([(20_000, 50.0, 0), (100_000, 112.0, 0)]) {
        let scene = Scene::generate(SceneKind::GaussianClusters, len, seed);
        let near = work(&scene, (beside, 1.0), &mut ground);
        let pairs = ground.seen.pairs;
        assert_eq!((ground.seen.dense, ground.seen.helical), (1, 0));
        for apart in FAR_APART {
            let far = work(&scene, apart, &mut ground);
            let what =
                format!("{len} items, seed {seed}, {apart:?}: {far:?}, side by side {near:?}");
            assert_eq!((ground.seen.dense, ground.seen.helical), (0, 1), "{what}");
            assert_eq!(ground.seen.pairs, pairs, "{what}");
            let share = |far: usize, near: usize| far as f64 / near as f64;
            assert!(share(far.cells, near.cells) < 1.02, "{what}");
            assert!(share(far.bytes, near.bytes) < 1.02, "{what}");
            assert!(share(far.looks, near.looks) < 1.5, "{what}");
            more.push(share(far.looks, near.looks));
        }
    }
    let average = more.iter().sum::<f64>() / more.len() as f64;
    assert!(average < 1.1, "{average} times as many places");
}

/// Circles of one size, 1.6 diameters apart on average, in a square from this corner on.
fn crowd(len: usize, diameter: f32, corner: f32, rng: &mut Rng) -> [Vec<f32>; 3] {
    let side = 1.6 * diameter * (len as f32).sqrt();
    let mut column = || (0..len).map(|_| corner + rng.range(0.0, side)).collect();
    [column(), column(), vec![diameter / 2.0; len]]
}

/// Small items in one region, and in another region as many items that are 16 times as large. 1.6
/// small items share a cell, and not 1.2 as with one size alone. The cells of large items are
/// smaller than the cells of large items alone. If cells were as large as the area per item of all
/// items suggests, about twice as many places would be tested.
#[test]
fn sizes_that_keep_to_themselves_are_as_much_work_as_each_alone() {
    let mut rng = Rng::new(4);
    let mut ground = ListsInput::default();
    for len in [3000, 10_000, 50_000] {
        let kinds = [crowd(len, 1.0, 0.0, &mut rng), crowd(len, 16.0, 1e5, &mut rng)];
        let alone = [0, 1].map(|kind| work_of(&kinds[kind], &mut ground, "one size"));
        // Alternating, so that rows say nothing about sizes.
        let both = [0, 1, 2].map(|column| {
            let [small, large] = [&kinds[0][column], &kinds[1][column]];
            small.iter().zip(large).flat_map(|(&small, &large)| [small, large]).collect()
        });
        let both = work_of(&both, &mut ground, "two sizes");
        let what = format!("{len} of each: {both:?}, alone {alone:?}");
        assert_eq!(ground.grid.plan.levels().len(), 2, "{what}");
        let looks = (alone[0].looks + alone[1].looks) as f64;
        assert!((both.looks as f64) < 1.2 * looks, "{what}");
    }
}
