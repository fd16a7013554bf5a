//! Items whose centres lie on the borders of cells: two items that touch across a border are a pair.
//! The unit tests of the grid check that the centres lie there (`src/grid/invariants/borders.rs`).

use common::{
    border_lattice::{CELL, NEAR, PLAIN_CELL, SLACK, circles, square, squares},
    levels, product,
};
use widephase::{
    Detector, Options, Pair, Shapes, Threads, Touching,
    options::{CellSize, GridLevels},
    reference::brute_force,
    shape::{MAX_COORDINATE, RoundedBox},
};

/// Checks that the detector lists the pairs of brute force. Returns the number of pairs that touch,
/// and of pairs that overlap.
fn check(shapes: &[RoundedBox], cell: f32, grid_levels: &GridLevels, what: &str) -> [usize; 2] {
    let store = Shapes::from_slice(shapes).unwrap();
    [Touching::Inclusive, Touching::Exclusive].map(|touching| {
        let expected = brute_force::pairs(shapes, touching);
        for (level, threads) in product((levels(), [Threads::Calling, Threads::Pool])) {
            let options = Options {
                touching,
                threads,
                cell_size: CellSize::Fixed(cell),
                grid_levels: *grid_levels,
                simd_level: Some(*level),
                ..Options::default()
            };
            let mut pairs: Vec<Pair> = Vec::new();
            Detector::with_options(options).unwrap().pairs(&store, &mut pairs).unwrap();
            pairs.sort_unstable();
            assert!(pairs == expected, "{what}, {touching:?}, {level}, {threads:?}");
        }
        expected.len()
    })
}

/// Neighbours along 20 rows and 20 columns of 20.
const TOUCHING_SIDES: usize = 2 * 20 * 19;

/// Touching pairs of squares of side 1: those neighbours, and neighbours along two diagonals.
const TOUCHING: usize = TOUCHING_SIDES + 2 * 19 * 19;

/// Checks the number of pairs of circles. The pairs that squares of side 1 have overlap. About five
/// in nine of the pairs with the next circle but one, in 20 rows and 20 columns, touch and do not
/// overlap.
fn assert_some([touching, overlapping]: [usize; 2]) {
    let next_but_one = 2 * 20 * 18;
    assert_eq!(overlapping, TOUCHING);
    let touching = touching - TOUCHING;
    assert!((next_but_one * 4 / 9..next_but_one * 6 / 9).contains(&touching), "{touching}");
}

#[test]
fn one_level() {
    let shapes: Vec<RoundedBox> = squares(1.0).collect();
    assert_eq!(check(&shapes, PLAIN_CELL, &GridLevels::One, "squares"), [TOUCHING, 0]);
    let shapes: Vec<RoundedBox> = circles(NEAR).collect();
    assert_some(check(&shapes, PLAIN_CELL, &GridLevels::One, "circles"));
}

/// Small squares lie within the other shapes.
#[test]
fn two_levels() {
    let levels = GridLevels::upto(&[0.5]).unwrap();
    for (cell, near) in product(([CELL, 2.5 * CELL], [None, Some(NEAR), Some(SLACK)])) {
        let large: Vec<RoundedBox> =
            near.map_or_else(|| squares(1.0).collect(), |near| circles(near).collect());
        let shapes: Vec<RoundedBox> = large.into_iter().chain(squares(0.25)).collect();
        let found = check(&shapes, cell, &levels, "small squares in large shapes");
        match near {
            // Each small square is within a large square.
            None => assert_eq!(found, [TOUCHING + 400, 400]),
            // Each small square is also within the circles above, below, and on both sides.
            Some(_) => assert_some(found.map(|found| found - 400 - 2 * TOUCHING_SIDES)),
        }
    }
}

/// One helical level, because one item is far away.
#[test]
fn helical_cells() {
    let far = square([MAX_COORDINATE / 2.0; 2], 0.0);
    for cell in [CELL, 2.5 * CELL] {
        let shapes: Vec<RoundedBox> = squares(1.0).chain([far]).collect();
        assert_eq!(check(&shapes, cell, &GridLevels::One, "squares"), [TOUCHING, 0]);
        for near in [NEAR, SLACK] {
            let shapes: Vec<RoundedBox> = circles(near).chain([far]).collect();
            assert_some(check(&shapes, cell, &GridLevels::One, "circles"));
        }
    }
}
