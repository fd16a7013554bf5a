//! Items whose centres lie on the borders of cells, and a rounding or two beside them: two items
//! that touch across a border are still in neighbouring cells.

use super::{Laying, ListsInput};
use crate::product::product;
use crate::{
    base::{F32_SLACK, Pair, SimdLevel},
    detector::Detector,
    grid::{CellSize, GridLevels},
    options::{Options, Threads},
    reference::brute_force,
    shape::{Aabb, AxisAligned, Circle, MAX_COORDINATE, RoundedBox, Touching},
    store::{Columns, Shapes},
};

/// Points per side of the lattice, from -10 to 9, at a pitch of 1.
const SIDE: i32 = 20;

/// Cells are twice as large as the pitch: every other row and column of centres lies on their
/// borders.
const CELL: f32 = 2.0;

/// The points of the lattice that should lie on borders, along either axis. There are no cells
/// beyond the first point.
fn borders() -> impl Iterator<Item = f32> {
    (2..SIDE).step_by(CELL as usize).map(coordinate)
}

fn coordinate(index: i32) -> f32 {
    (index - SIDE / 2) as f32
}

fn square(center: [f32; 2], side: f32) -> RoundedBox {
    Aabb::centered(center, [side / 2.0; 2]).rounded_box()
}

/// Squares of this side at all points of the lattice. With side 1, all sides and corners touch
/// exactly.
fn squares(side: f32) -> impl Iterator<Item = RoundedBox> {
    let points = (0..SIDE * SIDE).map(|point| [point % SIDE, point / SIDE].map(coordinate));
    points.map(move |center| square(center, side))
}

/// A distance from a border: a few roundings of `f32` at the ends of the lattice.
const NEAR: f32 = 1.0 / (1 << 17) as f32;

/// Circles displaced from these points by up to four times `near`, except at the edge, so that the
/// lattice is as wide. They are slightly smaller than the cells, so that they touch the next circle
/// but one, or miss it by as little. The second of two such circles is displaced by five steps up
/// relative to the first, or by four steps down; in the second case they just touch.
fn circles(near: f32) -> impl Iterator<Item = RoundedBox> {
    let radius = CELL / 2.0 - 2.0 * near;
    (0..SIDE * SIDE).map(move |point| {
        let [x, y] = [(point % SIDE, point * 7), (point / SIDE, point * 8)].map(|(index, step)| {
            let inside = (1..SIDE - 1).contains(&index);
            coordinate(index) + if inside { (step % 9 - 4) as f32 * near } else { 0.0 }
        });
        Circle::new([x, y], radius).rounded_box()
    })
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
/// invariants, and that the detector lists the pairs of brute force. Returns the number of pairs
/// that touch, and of pairs that overlap.
fn check(
    ground: &mut ListsInput,
    shapes: &[RoundedBox],
    laying: &Laying,
    what: &str,
) -> [usize; 2] {
    let store = Shapes::from_slice(shapes).unwrap();
    for &level in SimdLevel::available() {
        for threads in [false, true] {
            let laying = Laying { level, threads, ..laying.clone() };
            ground.check((&store).into(), &laying, what);
        }
    }
    [Touching::Inclusive, Touching::Exclusive].map(|touching| {
        let expected = brute_force::pairs(shapes, touching);
        for &level in SimdLevel::available() {
            for threads in [Threads::Calling, Threads::Pool] {
                let Laying { cell_size, levels, .. } = laying.clone();
                let options = Options {
                    touching,
                    threads,
                    cell_size,
                    grid_levels: levels,
                    simd_level: Some(level),
                    ..Options::default()
                };
                let mut pairs: Vec<Pair> = Vec::new();
                Detector::with_options(options).unwrap().pairs(&store, &mut pairs).unwrap();
                pairs.sort_unstable();
                assert!(pairs == expected, "{what}, {touching:?}, {level}, {threads:?}");
            }
        }
        expected.len()
    })
}

fn laying(cell_size: f32, levels: GridLevels) -> Laying {
    let cell_size = CellSize::Fixed(cell_size);
    Laying { cell_size, levels, searched: false, threads: false, level: SimdLevel::Scalar }
}

/// Neighbours along 20 rows and 20 columns of 20.
const TOUCHING_SIDES: usize = 2 * 20 * 19;

/// Touching pairs of squares of side 1: those neighbours, and neighbours along two diagonals.
const TOUCHING: usize = TOUCHING_SIDES + 2 * 19 * 19;

/// Circles that are displaced to the lower side of a border: four in nine of the circles in 9 rows
/// (or columns) of 20.
const BEYOND: usize = 9 * 20 * 4 / 9;

/// Checks the number of pairs of circles. The pairs that squares of side 1 have overlap. About five
/// in nine of the pairs with the next circle but one, in 20 rows and 20 columns, touch and do not
/// overlap.
fn assert_some([touching, overlapping]: [usize; 2]) {
    let next_but_one = 2 * 20 * 18;
    assert_eq!(overlapping, TOUCHING);
    let touching = touching - TOUCHING;
    assert!((next_but_one * 4 / 9..next_but_one * 6 / 9).contains(&touching), "{touching}");
}

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
    let mut sizes = std::iter::successors(Some(CELL), |size| Some(size.next_down())).take(1000);
    let size = sizes.find(has_borders).expect("a size whose borders are at whole numbers");
    let laying = laying(size, GridLevels::One);
    assert_eq!(check(&mut ground, &shapes, &laying, "squares"), [TOUCHING, 0]);
    assert!(ground.grid.plan.levels()[0].is_plain(), "not by `f32`");

    let shapes: Vec<RoundedBox> = circles(NEAR).collect();
    assert_some(check(&mut ground, &shapes, &laying, "circles"));
    assert!(ground.grid.plan.levels()[0].is_plain(), "not by `f32`");
    assert_eq!([0, 1].map(|axis| on_borders(&ground, axis, 1.0)), all);
    assert_eq!([0, 1].map(|axis| beyond_borders(&ground, axis, NEAR)), [BEYOND; 2]);
}

/// Two levels, whose cells are located in `f64`, or in `f32` where that is certain. Small squares
/// lie within the other shapes.
#[test]
fn borders_of_cells_of_several_levels() {
    let mut ground = ListsInput::default();
    let sizes = [("squares", NEAR), ("circles", NEAR), ("circles", F32_SLACK as f32)];
    for (searched, (name, near)) in product(([false, true], sizes)) {
        // Cells that are searched are two fifths as wide, and one and a half times as high.
        let (cell, axes) = if searched { (2.5 * CELL, 0..1) } else { (CELL, 0..2) };
        let laying = Laying { searched, ..laying(cell, GridLevels::upto(&[0.5]).unwrap()) };
        let large: Vec<RoundedBox> =
            if name == "squares" { squares(1.0).collect() } else { circles(near).collect() };
        let shapes: Vec<RoundedBox> = large.into_iter().chain(squares(0.25)).collect();
        let found = check(&mut ground, &shapes, &laying, name);
        if name == "squares" {
            // Each small square is within a large square.
            assert_eq!(found, [TOUCHING + 400, 400]);
        } else {
            // Each small square is also within the circles above, below, and on both sides.
            assert_some(found.map(|found| found - 400 - 2 * TOUCHING_SIDES));
        }
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
        assert_eq!(check(&mut ground, &shapes, &laying, "squares"), [TOUCHING, 0]);
        for near in [NEAR, F32_SLACK as f32] {
            let shapes: Vec<RoundedBox> = circles(near).chain([far]).collect();
            assert_some(check(&mut ground, &shapes, &laying, "circles"));
            for axis in axes.clone() {
                assert_eq!(on_borders(&ground, axis, 1.0), borders().count());
                assert_eq!(beyond_borders(&ground, axis, near), BEYOND);
            }
        }
        assert!(ground.grid.plan.levels()[0].wraps);
    }
}
