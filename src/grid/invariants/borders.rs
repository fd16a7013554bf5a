//! Items whose centres lie on the borders of cells, and a rounding or two beside them: two items
//! that touch across a border are still in neighbouring cells.

use super::{
    Laying, ListsInput,
    border_lattice::{CELL, NEAR, PLAIN_CELL, SIDE, SLACK, circles, coordinate, square, squares},
};
use crate::product::product;
use crate::{
    base::{F32_SLACK, SimdLevel},
    grid::{CellSize, GridLevels},
    shape::{MAX_COORDINATE, RoundedBox},
    store::{Columns, Shapes},
};

/// The points of the lattice that should lie on borders, along either axis. There are no cells
/// beyond the first point.
fn borders() -> impl Iterator<Item = f32> {
    (2..SIDE).step_by(CELL as usize).map(coordinate)
}

/// Whether the cells of items of this `size` have a border between the two coordinates along an
/// axis.
fn are_apart(ground: &ListsInput, axis: usize, two: [f32; 2], size: f32) -> bool {
    let mut places = [[0.25; 2]; 2];
    places[axis] = two;
    let radius = [size / 2.0; 2];
    let columns = Columns::circles(&places[0], &places[1], &radius).unwrap();
    let cells = ground.cells(columns);
    cells[0] != cells[1]
}

/// The number of points that lie on borders, of the points that should.
fn on_borders(ground: &ListsInput, axis: usize, size: f32) -> usize {
    let is_border = |at: &f32| are_apart(ground, axis, [*at, at - NEAR], size);
    borders().filter(is_border).count()
}

/// The number of circles that are on the other side of a border than their point.
fn beyond_borders(ground: &ListsInput, axis: usize, near: f32) -> usize {
    let places = circles(near).map(|circle| [circle.min_x, circle.min_y][axis]);
    places.filter(|&at| are_apart(ground, axis, [at, at.round()], 1.0)).count()
}

/// Builds the grid over these items on all SIMD levels, by one-step and two-step sorts. Checks all
/// invariants. `tests/detection/borders.rs` compares the pairs with brute force.
fn check(ground: &mut ListsInput, shapes: &[RoundedBox], laying: &Laying, what: &str) {
    let store = Shapes::from_slice(shapes).unwrap();
    for &level in SimdLevel::available() {
        for threads in [false, true] {
            let laying = Laying { level, threads, ..laying.clone() };
            ground.check((&store).into(), &laying, what);
        }
    }
}

fn laying(cell_size: f32, levels: GridLevels) -> Laying {
    let cell_size = CellSize::Fixed(cell_size);
    Laying { cell_size, levels, searched: false, threads: false, level: SimdLevel::Scalar }
}

/// Circles that are displaced to the lower side of a border: four in nine of the circles in 9 rows
/// (or columns) of 20.
const BEYOND: usize = 9 * 20 * 4 / 9;

/// One dense level, whose cells are located in `f32`. They are slightly larger than requested, to
/// cover roundings. To have borders at whole numbers, a slightly smaller size is requested.
#[test]
fn borders_of_cells_in_f32() {
    let mut ground = ListsInput::default();
    let shapes: Vec<RoundedBox> = squares(1.0).collect();
    let store = Shapes::from_slice(&shapes).unwrap();
    let all = [borders().count(); 2];
    let has_borders = |size: &f32| {
        ground.check((&store).into(), &laying(*size, GridLevels::One), "squares");
        [0, 1].map(|axis| on_borders(&ground, axis, 1.0)) == all
    };
    assert_eq!(f64::from(SLACK), F32_SLACK);
    let mut sizes = std::iter::successors(Some(CELL), |size| Some(size.next_down())).take(1000);
    let size = sizes.find(has_borders);
    assert_eq!(size, Some(PLAIN_CELL), "a size whose borders are at whole numbers");
    let size = PLAIN_CELL;
    let laying = laying(size, GridLevels::One);
    check(&mut ground, &shapes, &laying, "squares");
    assert!(ground.grid.plan.levels()[0].is_plain(), "not by `f32`");

    let shapes: Vec<RoundedBox> = circles(NEAR).collect();
    check(&mut ground, &shapes, &laying, "circles");
    assert!(ground.grid.plan.levels()[0].is_plain(), "not by `f32`");
    assert_eq!([0, 1].map(|axis| on_borders(&ground, axis, 1.0)), all);
    assert_eq!([0, 1].map(|axis| beyond_borders(&ground, axis, NEAR)), [BEYOND; 2]);
}

/// Two levels, whose cells are located in `f64`, or in `f32` where that is certain. Small squares
/// lie within the other shapes.
#[test]
fn borders_of_cells_of_several_levels() {
    let mut ground = ListsInput::default();
    let sizes = [("squares", NEAR), ("circles", NEAR), ("circles", SLACK)];
    for (searched, (name, near)) in product(([false, true], sizes)) {
        // Cells that are searched are two fifths as wide, and one and a half times as high.
        let (cell, axes) = if searched { (2.5 * CELL, 0..1) } else { (CELL, 0..2) };
        let laying = Laying { searched, ..laying(cell, GridLevels::upto(&[0.5]).unwrap()) };
        let large: Vec<RoundedBox> =
            if name == "squares" { squares(1.0).collect() } else { circles(near).collect() };
        let shapes: Vec<RoundedBox> = large.into_iter().chain(squares(0.25)).collect();
        check(&mut ground, &shapes, &laying, name);
        for axis in axes.clone() {
            for size in [0.25, 1.0] {
                assert_eq!(on_borders(&ground, axis, size), borders().count(), "{name}");
            }
            assert_eq!(beyond_borders(&ground, axis, near), BEYOND);
        }
        let levels = ground.grid.plan.levels();
        assert!(levels.len() == 2 && levels.iter().all(|cells| !cells.wraps), "{name}");
    }
}

/// One helical level, because one item is far away.
#[test]
fn borders_of_helical_cells() {
    let mut ground = ListsInput::default();
    let far = square([MAX_COORDINATE / 2.0; 2], 0.0);
    for (searched, cell, axes) in [(false, CELL, 0..2), (true, 2.5 * CELL, 0..1)] {
        let laying = Laying { searched, ..laying(cell, GridLevels::One) };
        let shapes: Vec<RoundedBox> = squares(1.0).chain([far]).collect();
        check(&mut ground, &shapes, &laying, "squares");
        for near in [NEAR, SLACK] {
            let shapes: Vec<RoundedBox> = circles(near).chain([far]).collect();
            check(&mut ground, &shapes, &laying, "circles");
            for axis in axes.clone() {
                assert_eq!(on_borders(&ground, axis, 1.0), borders().count());
                assert_eq!(beyond_borders(&ground, axis, near), BEYOND);
            }
        }
        assert!(ground.grid.plan.levels()[0].wraps);
    }
}
