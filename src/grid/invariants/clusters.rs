//! Clusters far from each other cost about as much as clusters side by side, in cells,
//! memory and places tested. The cost of two sizes in regions of their own is about the sum of both
//! alone.

use super::{Laying, ListsInput, Rng};
use crate::{
    base::Held,
    grid::Grid,
    scene::{Scene, SceneKind},
    simd::{Isa, Scalar},
    store::Columns,
};

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
