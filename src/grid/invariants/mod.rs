//! Invariants of a grid, checked after every step of moving worlds.
//!
//! ```text
//! mod.rs             the worlds, how they move, and which grids are built over them
//! borders.rs         items on the borders of cells
//! crowds.rs          the cost of crowds that a sample does not show
//!                    the cost of clusters that are far from each other
//! holes.rs           items that are removed, and inserted elsewhere
//!                    scenes that move for many steps
//! checker.rs         the invariants of one grid
//!                    the invariants of the candidate lists of a level
//! ```

#[path = "../../../tests/common/border_lattice.rs"]
mod border_lattice;
mod borders;
mod checker;
mod crowds;
mod holes;
#[path = "../../../tests/common/rng.rs"]
pub(crate) mod rng;
#[path = "../../../tests/common/world.rs"]
mod world;

use self::{
    checker::{Checker, SeenPlaces},
    rng::{Rng, pow2},
    world::{Kind, Places, Sizes, World},
};
use super::{
    BuildInput, CellSize, Grid, GridLevels, Ids, Partition,
    sort::{ItemLayout, RecordSource, with_item_layout},
};
use crate::{
    base::SimdLevel,
    kernel::ColumnSet,
    scene::{Motion, Scene, SceneKind},
    simd::{Isa, MAX_LANES, Scalar},
    store::{Checked, ColumnWorkspace, Columns, with_columns},
};

/// One grid for all checks, so that its buffers hold leftovers of earlier steps.
#[derive(Default)]
struct ListsInput {
    grid: Grid,
    partition: Partition,
    /// The cases that all checks together have seen.
    seen: SeenPlaces,
}

/// The options of a grid build.
#[derive(Debug, Clone)]
struct Laying {
    cell_size: CellSize,
    levels: GridLevels,
    searched: bool,
    /// Several threads, and a two-step sort whatever the number of items.
    threads: bool,
    level: SimdLevel,
}

impl Laying {
    /// Default options, on one thread and the scalar SIMD level.
    fn plain() -> Self {
        Self {
            cell_size: CellSize::Auto,
            levels: GridLevels::Auto,
            searched: false,
            threads: false,
            level: SimdLevel::Scalar,
        }
    }

    fn any(rng: &mut Rng, unit: i32) -> Self {
        let cell_size = match rng.below(8) {
            0 => CellSize::Fixed(pow2(-149)),
            1 => CellSize::Fixed(pow2(60)),
            2 => CellSize::Fixed(pow2(unit + rng.int(-3, 3) as i32) * 1.1),
            _ => CellSize::Auto,
        };
        let levels = match rng.below(4) {
            0 => GridLevels::One,
            1 => {
                let first = unit + rng.int(-12, 4) as i32;
                let sizes = (0..rng.int(1, 15) as i32).map(|k| pow2((first + k).min(60)));
                let mut sizes: Vec<f32> = sizes.collect();
                sizes.dedup();
                GridLevels::upto(&sizes).unwrap()
            }
            _ => GridLevels::Auto,
        };
        let all = SimdLevel::available();
        Self {
            cell_size,
            levels,
            searched: rng.below(2) == 0,
            threads: rng.below(2) == 0,
            level: all[rng.below(all.len() as u64) as usize],
        }
    }
}

impl ListsInput {
    /// Builds the grid over `columns` and checks all invariants.
    fn check(&mut self, columns: Columns<'_>, laying: &Laying, what: &str) {
        let isa = Isa::new(laying.level).unwrap();
        let mut room = ColumnWorkspace::default();
        let rows = columns.rows(isa, &mut room).unwrap();
        let shapes = rows.check_on(isa, laying.threads).unwrap();
        if shapes.len == 0 {
            return;
        }
        let what = format!("{what}, {laying:?}");
        let Self { grid, partition, seen } = self;
        with_item_layout!(shapes, I, set => {
            lay::<I, _>(grid, partition, seen, set, shapes, laying, isa, &what)
        });
    }

    /// The cell of each item of `columns` by the plan of the last check. No row may be vacant.
    fn cells(&self, columns: Columns<'_>) -> Vec<u32> {
        let mut room = ColumnWorkspace::default();
        let rows = columns.rows(Isa::new(SimdLevel::Scalar).unwrap(), &mut room).unwrap();
        let shapes = rows.check_on(Isa::any(), false).unwrap();
        let mut cells = vec![0; shapes.len + MAX_LANES];
        let plan = &self.grid.plan;
        with_columns!(shapes.layout, set => plan.locate(Scalar, set, 0, shapes.len, &mut cells));
        cells.truncate(shapes.len);
        cells
    }
}

#[allow(clippy::too_many_arguments, reason = "all of it differs from call to call")]
fn lay<I: ItemLayout, C: RecordSource<I> + ColumnSet>(
    grid: &mut Grid,
    partition: &mut Partition,
    seen: &mut SeenPlaces,
    set: C,
    shapes: Checked<'_>,
    laying: &Laying,
    isa: Isa,
    what: &str,
) where
    for<'a> I::Columns<'a>: RecordSource<I>,
{
    let count = shapes.len;
    let Laying { cell_size, ref levels, searched, threads, .. } = *laying;
    // As in an index: ids are complements of rows.
    let complements: Vec<u32> = (0..count as u32).map(|row| !row).collect();
    let ids = if searched { Ids::List(&complements) } else { Ids::Rows };
    let candidate_lists = searched;
    let input = BuildInput {
        isa,
        shapes,
        ids,
        ends: &[],
        cell_size,
        levels,
        searched,
        changes: false,
        candidate_lists,
        threads,
    };
    grid.build_as::<I, C>(set, &input, partition);
    let item_layout = Default::default();
    Checker::<I, C> { grid, set, ids, count, isa, levels, searched, what, item_layout }.check(seen);
}

/// The columns of a world in the layout that they are meant for; for a store, with all rows,
/// as rounded boxes.
fn columns(world: &world::Columns) -> Columns<'_> {
    let world::Columns { kind, x, y, half_width, half_height, min_x, min_y, max_x, max_y, radius } =
        world;
    let columns = match kind {
        Kind::Points => Columns::points(x, y),
        Kind::Circles => Columns::circles(x, y, radius),
        Kind::Boxes => Columns::aabbs(min_x, min_y, max_x, max_y),
        Kind::Centered => Columns::centered(x, y, half_width, half_height),
        Kind::Rounded | Kind::Store => Columns::rounded_boxes(min_x, min_y, max_x, max_y, radius),
    };
    columns.unwrap()
}

/// Moves the items of a world: most items slightly, some items to anywhere. Changes the size of
/// some items.
fn disturb(items: &mut world::Columns, unit: i32, rng: &mut Rng) {
    let count = items.rows() as u64;
    for row in 0..items.rows() {
        let (mut shape, mut place) = (items.shape(row), [items.x[row], items.y[row]]);
        match rng.below(16) {
            0 => {
                let other = rng.below(count) as usize;
                place = [items.x[other] + shape[2], items.y[other] - shape[0]];
            }
            1 => place = place.map(|at| -at),
            2 => {
                let factor = pow2(rng.int(-2, 2) as i32);
                shape = shape.map(|part| part * factor);
            }
            3 => shape = items.shape(rng.below(count) as usize),
            _ => place = place.map(|at| at + rng.range(-0.3, 0.3) * pow2(unit)),
        }
        let shape = match items.kind {
            Kind::Points => [0.0; 3],
            Kind::Circles => [0.0, 0.0, shape[2]],
            Kind::Boxes | Kind::Centered => [shape[0], shape[1], 0.0],
            Kind::Rounded | Kind::Store => shape,
        };
        items.set(row, shape, place.map(|at| at.clamp(-pow2(60), pow2(60))));
    }
}

/// A grid of another layout, size and arrangement at every step.
#[test]
fn worlds_that_move() {
    let mut rng = Rng::new(1);
    let mut ground = ListsInput::default();
    for _ in 0..250 {
        let rows = [1, 2, 3, 40, 130, 300, 600][rng.below(7) as usize];
        let world = World::any(&mut rng, rows);
        let mut items = world.bodies();
        let mut laying = Laying::any(&mut rng, world.unit);
        for step in 0..4 {
            ground.check(columns(&items), &laying, &format!("{world:?}, step {step}"));
            disturb(&mut items, world.unit, &mut rng);
            (laying.searched, laying.threads) = (rng.below(2) == 0, rng.below(2) == 0);
        }
    }
    // The checks have met many cases of every kind. The number of touching pairs does not depend on
    // the grid.
    let SeenPlaces { helical, dense, several, ghosts, pairs, covers, .. } = ground.seen;
    let SeenPlaces { known, short, candidate_lists, long, visits, .. } = ground.seen;
    assert_eq!(pairs + covers, 1_139_703);
    assert!(pairs > 300_000 && covers > 300_000, "{pairs} pairs, {covers} covers");
    assert!(known > 100_000, "the cells of {known} boxes found for many at once");
    assert!(short > 100_000, "the cells of {short} boxes found the short way");
    assert!(
        candidate_lists > 30 && long > 200,
        "candidate_lists of {candidate_lists} levels, {long} long ones"
    );
    assert!(visits > 100_000, "{visits} items found in candidate_lists");
    assert!(helical > 300 && dense > 600, "{helical} helical levels, {dense} dense ones");
    assert!(several > 150 && ghosts > 3000, "{several} grids of several levels, {ghosts} ghosts");
}

/// Every kind of scene, with every kind of motion.
#[test]
fn scenes_that_move() {
    let mut rng = Rng::new(2);
    let mut ground = ListsInput::default();
    for kind in SceneKind::ALL {
        for motion in Motion::ALL {
            let mut scene = Scene::generate(kind, 300, rng.bits()).with_motion(motion);
            let mut laying = Laying::any(&mut rng, 0);
            for step in 0..5 {
                laying.searched = rng.below(2) == 0;
                ground.check(scene.columns(), &laying, &format!("{kind}, {motion}, step {step}"));
                scene.step();
            }
        }
    }
}

/// So many items that the sort takes two steps, bands are many and rows are long.
#[test]
fn large_scenes_that_move() {
    let mut rng = Rng::new(3);
    let mut ground = ListsInput::default();
    for kind in SceneKind::ALL {
        if matches!(kind, SceneKind::Coincident) {
            continue;
        }
        let mut scene = Scene::generate(kind, 12_000, rng.bits()).with_motion(Motion::Brownian);
        let mut laying = Laying::any(&mut rng, 0);
        laying.cell_size = CellSize::Auto;
        for step in 0..2 {
            ground.check(scene.columns(), &laying, &format!("large {kind}, step {step}"));
            scene.step();
            (laying.searched, laying.threads) = (!laying.searched, !laying.threads);
        }
    }
}

/// Items so thinly spread that no rectangle of cells is small enough: all levels are helical.
#[test]
fn sparse_worlds_are_helical() {
    let mut ground = ListsInput::default();
    let mut grids = 0;
    for places in [Places::Square, Places::Clusters(30), Places::Diagonal, Places::Lattice(20)] {
        for kind in Kind::ALL {
            for sizes in [Sizes::Equal, Sizes::Similar, Sizes::Wide(12)] {
                let world = World { seed: 5, rows: 400, kind, sizes, places, unit: 0, thin: 9 };
                let laying = Laying {
                    cell_size: CellSize::Fixed(1.0),
                    levels: GridLevels::Auto,
                    searched: false,
                    threads: false,
                    level: SimdLevel::Scalar,
                };
                ground.check(columns(&world.bodies()), &laying, &format!("{world:?}"));
                let wrapped = ground.grid.plan.levels().iter().filter(|cells| cells.wraps).count();
                assert_eq!(wrapped, ground.grid.plan.levels().len(), "{world:?}");
                grids += 1;
            }
        }
    }
    assert_eq!(grids, 72);
}

/// Most items are in the first row of cells, which ghosts repeat, or in one cell of it; the other
/// items are anywhere. Numbers then begin elsewhere, at the same cell for both kinds of sort.
#[test]
fn crowds_at_the_origin() {
    let mut rng = Rng::new(9);
    let mut ground = ListsInput::default();
    let mut grids = 0;
    for (rows, across) in [(40, 1.0), (300, 1.0), (300, 12.0), (2000, 40.0)] {
        let [mut x, mut y, mut radius] = [(); 3].map(|()| Vec::new());
        for row in 0..rows {
            let (crowd, large) = (row % 8 > 2, row % 5 == 0);
            x.push(if crowd { rng.range(0.0, across) } else { rng.range(-1e6, 1e6) });
            y.push(if crowd { rng.range(0.0, 1.0) } else { rng.range(-1e6, 1e6) });
            radius.push(if large { 0.1 } else { 0.01 });
        }
        let circles = Columns::circles(&x, &y, &radius).unwrap();
        let boxes = Columns::centered(&x, &y, &radius, &radius).unwrap();
        for (columns, levels) in
            [(circles, GridLevels::One), (boxes, GridLevels::upto(&[0.05]).unwrap())]
        {
            for searched in [false, true] {
                let mut plans = [false, true].map(|threads| {
                    let laying = Laying {
                        cell_size: CellSize::Fixed(1.0),
                        levels,
                        searched,
                        threads,
                        level: SimdLevel::Scalar,
                    };
                    let before = ground.seen.begin_elsewhere;
                    ground.check(columns, &laying, &format!("{rows} items, {across} cells"));
                    grids += 1;
                    assert_eq!(ground.seen.begin_elsewhere > before, rows > 40);
                    let mut order = Vec::new();
                    ground.grid.order(&mut order);
                    (ground.grid.plan.clone(), order)
                });
                assert_eq!(std::mem::take(&mut plans[0]), plans[1]);
            }
        }
    }
    assert_eq!(grids, 32);
}
