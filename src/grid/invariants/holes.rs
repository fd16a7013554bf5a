//! Items that are taken out of the sorted items and put back elsewhere: anywhere, and all into a
//! crowd.

use super::{Laying, ListsInput, Rng, SeenPlaces, World, columns};
use crate::{
    base::SimdLevel,
    grid::{BuildInput, CellSize, GONE, Grid, GridLevels, Ids, Partition},
    scene::{Motion, Scene, SceneKind},
    shape::RoundedBox,
    simd::Isa,
    store::{ColumnWorkspace, Columns, Layout},
};

/// The boxes of all rows.
fn boxes(columns: Columns<'_>) -> Vec<RoundedBox> {
    let mut room = ColumnWorkspace::default();
    let rows = columns.rows(Isa::SCALAR, &mut room).unwrap();
    (0..rows.len()).map(|row| rows.layout.rounded_box(row)).collect()
}

/// A box with its lower corner at the lower corner of another box, or the other box if it would be
/// too large.
fn moved(own: &RoundedBox, to: &RoundedBox) -> RoundedBox {
    let (max_x, max_y) = (to.min_x + (own.max_x - own.min_x), to.min_y + (own.max_y - own.min_y));
    match max_x.is_finite() && max_y.is_finite() {
        true => RoundedBox { max_x, max_y, radius: own.radius, ..*to },
        false => *to,
    }
}

/// A searched grid of these shapes.
fn build(columns: Columns<'_>, loose: bool) -> Grid {
    let mut room = ColumnWorkspace::default();
    let rows = columns.rows(Isa::SCALAR, &mut room).unwrap();
    let shapes = rows.check_on(Isa::SCALAR, false).unwrap();
    let ids: Vec<u32> = (0..shapes.len as u32).map(|row| !row).collect();
    let Laying { cell_size, levels, .. } = Laying::plain();
    let input = BuildInput {
        isa: Isa::SCALAR,
        shapes,
        ids: Ids::List(&ids),
        ends: &[],
        cell_size,
        levels: &levels,
        searched: true,
        changes: false,
        candidate_lists: false,
        threads: false,
    };
    let mut grid = Grid::default();
    grid.build(&input, &mut Partition::default());
    grid.sorted.make_zeros(grid.form);
    if loose {
        grid.loosen();
    }
    grid
}

/// Checks where the items are. `sides` has the box of each row that is in the grid.
fn check(grid: &Grid, sides: &[Option<RoundedBox>], what: &str) {
    let (sorted, layout, mut found) = (&grid.sorted, Layout::Rounded(grid.view().rounded()), 0);
    let mut seen = vec![false; sides.len()];
    for (level, cells) in grid.plan.levels().iter().enumerate() {
        let items = sorted.items(level);
        let all = cells.numbers().map(|cell| sorted.places_of(cell..cell + 1));
        let mut next = items.start;
        for (cell, places) in cells.numbers().zip(all).take(cells.numbers().len() - cells.ghosts())
        {
            assert_eq!(places.start, next, "{what}: cell {cell} of level {level}");
            next = places.end;
            for place in places {
                assert_eq!(sorted.cells_of(place..place + 1), [cell as u32], "{what}");
            }
        }
        assert_eq!(next, items.end, "{what}: the end of level {level}");
        let [low, high] = sorted.bounds(level).corners();
        for place in items.filter(|place| grid.view().is_live(*place)) {
            let (row, own) = (!sorted.ids()[place], layout.rounded_box(place));
            found += 1;
            assert!(!std::mem::replace(&mut seen[row as usize], true), "{what}: row {row} twice");
            assert_eq!(Some(own), sides[row as usize], "{what}: row {row}");
            let ends = [[own.min_x, own.max_x], [own.min_y, own.max_y]];
            for axis in [0, 1] {
                let [min, max] = ends[axis].map(f64::from);
                assert!(low[axis] <= min && max <= high[axis], "{what}: row {row} out of bounds");
            }
            if !cells.wraps {
                let cell = sorted.cells_of(place..place + 1)[0];
                assert_eq!(grid.plan.cell_of(&own), Some((level, cell)), "{what}: row {row}");
            }
        }
    }
    assert_eq!(found, sides.iter().flatten().count(), "{what}");
    let gone = grid.view().places().filter(|place| !grid.view().is_live(*place)).count();
    assert_eq!(sorted.removed().is_some(), gone > 0, "{what}: {gone} holes");
    #[cfg(feature = "queries")]
    check_tree(grid, what);
}

/// Checks that the nodes of the first layer of the tree hold their items.
#[cfg(feature = "queries")]
fn check_tree(grid: &Grid, what: &str) {
    use crate::grid::box_tree::Children;
    let (tree, layout) = (grid.tree(), Layout::Rounded(grid.view().rounded()));
    let mut lowest = vec![[f32::INFINITY; 2]; tree.len()];
    tree.each_node(|node| {
        let number = tree.number(node);
        let below = match tree.children(node) {
            Children::Nodes(_, first, count) => {
                let first = tree.number(first);
                lowest[first..first + count].to_vec()
            }
            items => {
                let places = (0..items.len()).map(|item| items.place(item));
                let live = places.filter(|place| grid.view().is_live(*place));
                live.map(|place| layout.rounded_box(place))
                    .map(|own| [own.min_x, own.min_y])
                    .collect()
            }
        };
        for item in below {
            lowest[number] = [0, 1].map(|axis| lowest[number][axis].min(item[axis]));
        }
        let block = tree.block(node);
        let own = [block.min_x[node.index as usize % 16], block.min_y[node.index as usize % 16]];
        assert!(own[0] <= lowest[number][0] && own[1] <= lowest[number][1], "{what}: {node:?}");
    });
}

#[test]
fn items_that_go_and_come_back_elsewhere() {
    let mut rng = Rng::new(31);
    let (mut inserted, mut refused, mut loosened, mut arranged) = (0, 0, 0, 0);
    for case in 0..120 {
        let rows = [2, 30, 300, 1_500][rng.below(4) as usize];
        let world = World::any(&mut rng, rows);
        let items = world.bodies();
        let all = boxes(columns(&items));
        let what = format!("case {case}, {world:?}");
        let loose = rng.below(4) > 0;
        let mut grid = build(columns(&items), loose);
        let mut sides: Vec<_> = all.iter().copied().map(Some).collect();
        check(&grid, &sides, &what);
        // Items go to the places of other items: of any items, or of one item. Half of them stay as
        // large as they are.
        let crowd = rng.below(3) == 0;
        let target = rng.below(all.len() as u64) as usize;
        for step in 0..2 * all.len() {
            let row = rng.below(all.len() as u64) as usize;
            if sides[row].take().is_some() {
                let ids = grid.sorted.ids();
                let mut places = grid.view().live_places();
                let place = places.find(|place| !ids[*place] == row as u32).unwrap();
                drop(places);
                grid.remove(place);
                if rng.below(4) == 0 {
                    continue;
                }
            }
            let other = if crowd { target } else { rng.below(all.len() as u64) as usize };
            let own = match rng.below(2) {
                0 => all[other],
                _ => moved(&all[row], &all[other]),
            };
            let len = grid.len();
            let inserted_at = grid.insert(&own, !(row as u32));
            loosened += usize::from(len != grid.len());
            if let Some((_, places)) = inserted_at {
                assert!(places.end <= grid.len(), "{what}");
                inserted += 1;
                sides[row] = Some(own);
            } else {
                refused += 1;
            }
            if step % 64 == 0 {
                check(&grid, &sides, &format!("{what}, step {step}"));
            }
        }
        check(&grid, &sides, &what);
        // The same grid from the arrangement.
        let mut again = build(columns(&items), loose);
        if grid.plan.levels().iter().all(|cells| !cells.wraps) {
            arranged += 1;
            let arrangement = grid.arrangement();
            assert!(again.arrange(&arrangement, |id| sides[!id as usize].unwrap()), "{what}");
            check(&again, &sides, &what);
            let same = |grid: &Grid| {
                let places = grid.view().places();
                let of_place = |place: usize| {
                    let x = grid.view().rounded().core.min_x[place];
                    (grid.sorted.cells_of(place..place + 1)[0], x != GONE, x.to_bits())
                };
                places.map(of_place).collect::<Vec<_>>()
            };
            assert_eq!(same(&grid), same(&again), "{what}");
            let mut wrong = grid.arrangement();
            if let Some(first) = wrong.items.first_mut() {
                *first = if first.is_some() { None } else { Some(!0) };
                assert!(
                    !again.arrange(&wrong, |id| sides[!id as usize].unwrap_or(all[0])),
                    "{what}"
                );
            }
        }
    }
    assert!(inserted > 30_000 && refused > 10_000, "{inserted} inserted, {refused} refused");
    assert!(loosened > 5 && arranged > 40, "{loosened} loosened, {arranged} arranged");
}

/// Steps of a run.
const RUN_STEPS: usize = 300;

/// Items of a scene.
const RUN_BODIES: u32 = 300;

/// Runs one scene with one kind of motion. Returns the cases seen, and how often an item moved into
/// another cell of the grid that was built before the step.
fn run(
    kind: SceneKind,
    motion: Motion,
    rng: &mut Rng,
    ground: &mut ListsInput,
) -> (SeenPlaces, usize) {
    let mut scene = Scene::generate(kind, RUN_BODIES, rng.bits()).with_motion(motion);
    let all = SimdLevel::available();
    let mut crossings = 0;
    ground.seen = SeenPlaces::default();
    for step in 0..RUN_STEPS {
        let laying = Laying {
            cell_size: CellSize::Auto,
            levels: GridLevels::Auto,
            searched: rng.below(4) == 0,
            threads: rng.below(2) == 0,
            level: all[rng.below(all.len() as u64) as usize],
        };
        ground.check(scene.columns(), &laying, &format!("{kind}, {motion}, step {step}"));
        let before = ground.cells(scene.columns());
        scene.step();
        let after = ground.cells(scene.columns());
        crossings += before.iter().zip(&after).filter(|(before, after)| before != after).count();
    }
    (std::mem::take(&mut ground.seen), crossings)
}

/// One grid for all runs, rebuilt at every step, by one-step and two-step sorts, for sweeps and for
/// searches.
#[test]
fn scenes_that_move_for_long() {
    let mut rng = Rng::new(7);
    let mut ground = ListsInput::default();
    let mut touching = 0;
    for (kind, levels, wraps) in [
        (SceneKind::UniformCircles, 1, false),
        (SceneKind::MixedCirclesBoxes, 1, false),
        (SceneKind::PowerLawCircles, 3, false),
        (SceneKind::GaussianClusters, 1, true),
        (SceneKind::TwoClusters, 2, true),
    ] {
        for motion in Motion::ALL {
            let (seen, crossings) = run(kind, motion, &mut rng, &mut ground);
            let what = format!("{kind}, {motion}: {crossings} crossings, {seen:?}");
            // On average, each item has been in several cells.
            assert!(crossings > 7 * RUN_BODIES as usize, "{what}");
            let SeenPlaces {
                helical,
                dense,
                several,
                ghosts,
                pairs,
                covers,
                candidate_lists,
                visits,
                ..
            } = seen;
            let expected = if wraps { [levels * RUN_STEPS, 0] } else { [0, levels * RUN_STEPS] };
            assert_eq!([helical, dense], expected, "{what}");
            assert_eq!(several, if levels > 1 { RUN_STEPS } else { 0 }, "{what}");
            assert!(pairs > 50_000 && covers > 20_000, "{what}");
            if wraps {
                assert!(ghosts > 10 * RUN_STEPS, "{what}");
            } else {
                assert!(candidate_lists > 5 && visits > 20_000, "{what}");
            }
            touching += pairs + covers;
        }
    }
    // The number of touching pairs does not depend on the grid.
    assert_eq!(touching, 3_162_571);
}
