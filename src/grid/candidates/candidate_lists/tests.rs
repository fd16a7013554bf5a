//! The cells that query items look up and the cells that items are listed in, at the borders of
//! cells.

use super::*;
use crate::product::product;
use crate::{
    SimdLevel,
    grid::sort::{BoxLayout, CircleLayout, RoundedLayout, measure},
    kernel::{BoxColumns, CircleColumns},
    shape::{Aabb, MAX_COORDINATE, RoundedBox},
    simd::Isa,
};

/// The arrangement for a thousand boxes of up to `size` in a square of side 60 from `corner` on.
fn ground(corner: f32, size: f32) -> Option<ListsInput> {
    let sides = [[corner, corner], [corner + 60.0, corner + 60.0]];
    let columns = [0, 1].map(|at| sides.map(|corner| corner[at]));
    let columns = BoxColumns {
        min_x: &columns[0],
        min_y: &columns[1],
        max_x: &columns[0],
        max_y: &columns[1],
    };
    let isa = Isa::new(SimdLevel::Scalar).unwrap();
    let bounds = measure::<BoxLayout>(isa, columns, 0..2, false);
    ListsInput::new(&bounds, [size, 700.0 * size], 1000, 5)
}

/// Columns that repeat one shape.
fn repeated(shape: RoundedBox) -> [[f32; MAX_LANES]; 5] {
    [shape.min_x, shape.min_y, shape.max_x, shape.max_y, shape.radius].map(|side| [side; MAX_LANES])
}

/// Whether the list that `asking` looks up contains `listed`.
fn finds(
    candidate_lists: &CellLists,
    ground: &ListsInput,
    asking: RoundedBox,
    listed: RoundedBox,
) -> bool {
    let [asking, listed] = [repeated(asking), repeated(listed)];
    let [asking, listed] = [&asking, &listed]
        .map(|columns| RoundedLayout::columns(columns.each_ref().map(|column| &column[..])));
    assert!(candidate_lists.allows(sample::size(Scalar, asking.splat(Scalar, 0))));
    let mut cell = [0];
    let near = candidate_lists.find(Scalar, asking.splat(Scalar, 0), &mut cell, 0);
    let [patch] = ground.patches(sides_of::<Scalar, _, 1>(Scalar, listed, 0));
    near == 1 && patch.each_row(ground.stride()).any(|row| row.contains(&(cell[0] as usize)))
}

/// Query boxes of the largest size, with centres as near to the borders of cells as possible, on
/// either side of them. Listed boxes just touch them, before or behind, along x or y.
#[test]
fn centres_next_to_borders() {
    for (corner, size) in [(0.0, 1.0), (-30.0, 1.0), (1000.0, 0.3), (-1e5, 1.0), (123_456.7, 2.9)] {
        let ground = ground(corner, size).unwrap();
        let mut candidate_lists = CellLists::default();
        candidate_lists.stand_on(&ground);
        let columns =
            |axis: usize| (0..=candidate_lists.last[axis] as u32 + 1).map(move |at| (axis, at));
        let borders: Vec<_> = [0, 1].into_iter().flat_map(columns).collect();
        for ((axis, column), steps) in product((borders, -4..=4_i32)) {
            // Up and down, somewhat smaller query boxes.
            let most = candidate_lists.size * [1.0, 0.9][axis];
            let border = ground.origin[axis] + f64::from(column) / ground.scale;
            let mut low = ((border - f64::from(most)) / 2.0) as f32;
            for _ in 0..steps.abs() {
                low = if steps < 0 { low.next_down() } else { low.next_up() };
            }
            let mut high = low + most;
            while high - low > candidate_lists.size {
                high = high.next_down();
            }
            let across = corner + 20.0;
            let bar = |low: f32, high: f32| {
                let [x, y] = if axis == 0 {
                    [[low, high], [across, across + size]]
                } else {
                    [[across, across + size], [low, high]]
                };
                let [[min_x, max_x], [min_y, max_y]] = [x, y];
                RoundedBox::new(Aabb { min_x, min_y, max_x, max_y }, 0.0)
            };
            let asking = bar(low, high);
            for listed in [bar(high, high + size), bar(low - size, low)] {
                let what = format!("{asking:?} at border {column} for {listed:?}");
                assert!(finds(&candidate_lists, &ground, asking, listed), "{what}");
            }
        }
    }
}

/// A query item beyond the last cell looks up the list of the edge.
#[test]
fn beyond_the_edge() {
    let ground = ground(0.0, 1.0).unwrap();
    let mut candidate_lists = CellLists::default();
    candidate_lists.stand_on(&ground);
    let most = candidate_lists.size;
    for [x, y] in [[60.0, 60.0], [-most, -most], [60.0, -most], [-most, 30.0], [30.0, 60.0]] {
        let core = Aabb { min_x: x, min_y: y, max_x: x + most, max_y: y + most };
        let at = [x, y].map(|side| side.clamp(0.0, 59.0));
        let listed = Aabb { min_x: at[0], min_y: at[1], max_x: at[0] + 1.0, max_y: at[1] + 1.0 };
        let [asking, listed] = [core, listed].map(|core| RoundedBox::new(core, 0.0));
        assert!(finds(&candidate_lists, &ground, asking, listed), "{asking:?} for {listed:?}");
    }
    // As far away as possible: in the first or the last cell, and near no item.
    for (place, cell) in [(-MAX_COORDINATE, 0), (MAX_COORDINATE, ground.cells() as u32 - 1)] {
        let core = Aabb { min_x: place, min_y: place, max_x: place, max_y: place };
        let columns = repeated(RoundedBox::new(core, 0.0));
        let columns = RoundedLayout::columns(columns.each_ref().map(|column| &column[..]));
        let mut found = [0];
        let near = candidate_lists.find(Scalar, columns.splat(Scalar, 0), &mut found, 0);
        assert_eq!((found, near), ([cell], 0), "{place}");
    }
}

/// There are no lists where sums in `f32` are a sixteenth of a cell apart, and where no item has a
/// size.
#[test]
fn grounds_that_cannot_be() {
    assert!(ground(1e5, 1.0).is_some());
    assert!(ground(1e6, 1.0).is_none());
    assert!(ground(MAX_COORDINATE / 2.0, 1.0).is_none());
    let columns = CircleColumns { x: &[3.0], y: &[4.0], radius: &[0.0] };
    let isa = Isa::new(SimdLevel::Scalar).unwrap();
    let bounds = measure::<CircleLayout>(isa, columns, 0..1, false);
    assert!(ListsInput::new(&bounds, [0.0, 0.0], 1000, 5).is_none());
    assert!(ground(0.0, 0.0).is_none());
}

/// Lists serve items up to a size, and as many as visit lists that fit into a cache: any number if
/// there are a thousand lists of a kilobyte, 6,144 items if there are ten thousand.
#[test]
fn whom_halos_serve() {
    let mut candidate_lists =
        CellLists { size: 2.0, stride: 100, last: [99.0, 9.0], ..CellLists::default() };
    candidate_lists.block_bytes = 1024;
    assert!(candidate_lists.serves(2.0, 1_000_000) && candidate_lists.serves(0.0, 1));
    assert!(!candidate_lists.serves(2.0_f32.next_up(), 1));
    candidate_lists.last[1] = 99.0;
    assert!(candidate_lists.serves(2.0, 6 * 1024) && !candidate_lists.serves(2.0, 6 * 1024 + 1));
    candidate_lists.clear();
    assert!(!candidate_lists.serves(0.0, 1));
}

/// The number of items of each list determines which lists are long, and where they continue.
#[test]
fn blocks_of_crowded_cells() {
    // Four cells in a row, of 16, 17, 33 and 8 items.
    let ground =
        ListsInput { size: 1.0, origin: [0.0; 2], scale: 0.5, last: [3.0, 0.0], loss: 0.0 };
    let mut candidate_lists = CellLists::default();
    let one = |cell: u32| Patch { first: cell, sides: 1 << 16 | 1 };
    candidate_lists.patches = vec![Patch { first: 0, sides: 1 << 16 | 2 }];
    candidate_lists.patches.extend([one(0); 15]);
    candidate_lists.patches.extend([one(1); 16]);
    candidate_lists.patches.extend([one(2); 33]);
    candidate_lists.patches.extend([one(3); 8]);
    let items = candidate_lists.patches.len();
    // Besides the first blocks, one block for cell 1 and two blocks for cell 2.
    assert_eq!(candidate_lists.count(&ground, items), Some(4 + 1 + 2));
    assert_eq!([0, 1, 2, 3].map(|cell| candidate_lists.is_long(cell)), [false, true, true, false]);
    assert_eq!(candidate_lists.further_blocks(1), 4..5);
    assert_eq!(candidate_lists.further_blocks(2), 5..7);
    // 32 blocks, the most that are allowed; but lists do not pay off where items are this crowded.
    candidate_lists.patches = vec![one(3); 500];
    assert_eq!(candidate_lists.count(&ground, 500), None);
}
