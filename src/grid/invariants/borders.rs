//! Bodies whose centres lie on the borders of cells, and a rounding or two beside them: whoever touches across a border
//! is still in the next cell.

use super::{Laying, ListsInput};
use crate::{
    Columns, Detector, Options, Pair, Shapes, SimdLevel, Threads, Touching,
    grid::{CellSize, GridLevels},
    reference::brute_force,
    shape::{Aabb, AxisAligned, Circle, MAX_COORDINATE, RoundedBox},
};

/// The lattice has so many points a side, from -10 to 9, at a pitch of 1.
const SIDE: i32 = 20;

/// Cells are twice as large as the pitch: every other row and column of centres lies on their borders.
const CELL: f32 = 2.0;

/// The points of the lattice that are to lie on borders, along either axis. Beyond the first point there are no cells.
fn borders() -> impl Iterator<Item = f32> {
    (2..SIDE).step_by(CELL as usize).map(coordinate)
}

fn coordinate(index: i32) -> f32 {
    (index - SIDE / 2) as f32
}

fn square(center: [f32; 2], side: f32) -> RoundedBox {
    Aabb::centered(center, [side / 2.0; 2]).rounded_box()
}

/// Squares of this side at all points of the lattice; with 1, all sides and corners touch exactly.
fn squares(side: f32) -> impl Iterator<Item = RoundedBox> {
    let points = (0..SIDE * SIDE).map(|point| [point % SIDE, point / SIDE].map(coordinate));
    points.map(move |center| square(center, side))
}

/// As near to a border as is looked for, a few roundings of `f32` where the lattice ends.
const NEAR: f32 = 1.0 / (1 << 17) as f32;

/// Nearer than `f32` can tell, once it is counted from the first point.
const NEARER: f32 = 1.0 / (1 << 20) as f32;

/// Circles up to four times as far beside these points, but for those at the edge: as wide a lattice. They are hardly
/// smaller than the cells, so that they touch the next but one or not, by as little: of these two, the second is moved
/// by five steps up from the first, or by four down, and then they just touch.
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

/// Whether the cells of bodies of this `size` have a border between the two places along an axis.
fn are_apart(ground: &ListsInput, axis: usize, two: [f32; 2], size: f32) -> bool {
    let mut places = [[0.25; 2]; 2];
    places[axis] = two;
    let radius = [size / 2.0; 2];
    let columns = Columns::circles(&places[0], &places[1], &radius).unwrap();
    let cells = ground.cells(columns);
    cells[0] != cells[1]
}

/// How many of the points that are to lie on borders do.
fn on_borders(ground: &ListsInput, axis: usize, size: f32) -> usize {
    let is_border = |at: &f32| are_apart(ground, axis, [*at, at - NEAR], size);
    borders().filter(is_border).count()
}

/// How many of the circles are on the other side of a border than their point is.
fn beyond_borders(ground: &ListsInput, axis: usize, near: f32) -> usize {
    let places = circles(near).map(|circle| [circle.min_x, circle.min_y][axis]);
    places.filter(|&at| are_apart(ground, axis, [at, at.round()], 1.0)).count()
}

/// Lays the grid over these bodies on all levels, for one step of the sort and for two, checks all that has to hold,
/// and that the detector lists the pairs of brute force; the number of those that touch, and of those that overlap.
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

/// Neighbours in 20 rows and 20 columns of 20.
const TOUCHING_SIDES: usize = 2 * 20 * 19;

/// Pairs of squares of side 1: these, and along two diagonals.
const TOUCHING: usize = TOUCHING_SIDES + 2 * 19 * 19;

/// Circles in a row or column on a border, 9 of 20 each, that are moved down: four in nine.
const BEYOND: usize = 9 * 20 * 4 / 9;

/// Circles: all that squares of side 1 have, and of the next but one in 20 rows and 20 columns about five in nine, which
/// touch and do not overlap.
fn assert_some([touching, overlapping]: [usize; 2]) {
    let next_but_one = 2 * 20 * 18;
    assert_eq!(overlapping, TOUCHING);
    let touching = touching - TOUCHING;
    assert!((next_but_one * 4 / 9..next_but_one * 6 / 9).contains(&touching), "{touching}");
}

/// One dense level, whose cells are found in `f32`. They are a little larger than asked for, for the sake of what rounds:
/// a little less has to be asked for to have borders at whole numbers.
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

/// Two levels, whose cells are found in `f64`, or in `f32` as far as that is sure: small squares within the others.
#[test]
fn borders_of_cells_of_several_levels() {
    let mut ground = ListsInput::default();
    for searched in [false, true] {
        // Cells that are searched are narrower, two fifths as wide, and half as high again.
        let (cell, axes) = if searched { (2.5 * CELL, 0..1) } else { (CELL, 0..2) };
        let laying = Laying { searched, ..laying(cell, GridLevels::Upto(vec![0.5])) };
        for (name, near) in [("squares", NEAR), ("circles", NEAR), ("circles", NEARER)] {
            let large: Vec<RoundedBox> =
                if name == "squares" { squares(1.0).collect() } else { circles(near).collect() };
            let shapes: Vec<RoundedBox> = large.into_iter().chain(squares(0.25)).collect();
            let found = check(&mut ground, &shapes, &laying, name);
            if name == "squares" {
                // Each of the small ones is within a large one.
                assert_eq!(found, [TOUCHING + 400, 400]);
            } else {
                // And within the circles above, below, and on both sides.
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
}

/// One level that is wound up, for the sake of a body far away.
#[test]
fn borders_of_helical_cells() {
    let mut ground = ListsInput::default();
    let far = square([MAX_COORDINATE / 2.0; 2], 0.0);
    for (searched, cell, axes) in [(false, CELL, 0..2), (true, 2.5 * CELL, 0..1)] {
        let laying = Laying { searched, ..laying(cell, GridLevels::One) };
        let shapes: Vec<RoundedBox> = squares(1.0).chain([far]).collect();
        assert_eq!(check(&mut ground, &shapes, &laying, "squares"), [TOUCHING, 0]);
        for near in [NEAR, NEARER] {
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
