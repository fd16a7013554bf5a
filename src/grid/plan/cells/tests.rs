//! Cells compared with numbers worked out by hand, and with integer arithmetic.
#![allow(clippy::single_range_in_vec_init, reason = "these are lists of ranges")]

use super::*;
use crate::{
    grid::plan::Bounds,
    kernel::CircleColumns,
    shape::RoundedBox,
    simd::{MAX_LANES, Scalar},
};

impl Cells {
    /// Whether the cells of this level are located by other code; such a level is never searched.
    pub(in crate::grid) fn is_plain(&self) -> bool {
        self.scale == [0.0; 2]
    }

    /// The cell of an item, computed in integers of 128 bits. `None` if the level is plain, or if
    /// the item is [`FAR_CELLS`] or more cells from the origin.
    pub(in crate::grid) fn exact(&self, shape: RoundedBox) -> Option<usize> {
        if self.is_plain() {
            return None;
        }
        let RoundedBox { min_x, min_y, max_x, max_y, .. } = shape;
        let sums = [f64::from(min_x) + f64::from(max_x), f64::from(min_y) + f64::from(max_y)];
        let places = [0, 1].map(|axis| sums[axis] * self.scale[axis]);
        if places.iter().any(|place| place.abs() >= FAR_CELLS) {
            return None;
        }
        let [column, row] = places.map(|place| place.floor() as i128);
        let stride = i128::from(self.stride);
        let number = if self.wraps {
            let origin = (self.origin - self.many) as i128;
            (row * stride + column + origin).rem_euclid(i128::from(self.count))
        } else {
            let [first_column, first_row] = self.first.map(|first| first as i128);
            (row - first_row) * stride + column - first_column
        };
        usize::try_from(i128::from(self.base) + number).ok()
    }

    /// Whether numbers begin at another cell than the cell of the origin.
    pub(in crate::grid) fn begins_elsewhere(&self) -> bool {
        self.origin > self.many
    }
}

/// Cells of side 1 in the whole plane: 41 cells with a stride of 7.
fn helical() -> Cells {
    let far = [[-1000.0; 2], [1000.0; 2]];
    let cells = Cells::new([1.0; 2], [1.0; 2], far, 64.0, 40.0);
    assert!(cells.wraps);
    assert_eq!((cells.count, cells.stride, cells.ghosts()), (41, 7, 9));
    cells
}

/// Cells of side 1, as many as for a hundred thousand items.
fn wide() -> Cells {
    Cells::new([1.0; 2], [1.0; 2], [[-1e9; 2], [1e9; 2]], 64.0, 130_000.0)
}

/// Cells 2 wide and 1 high around centres from (-3, 0) to (3, 2).
fn dense(most: f64) -> Cells {
    Cells::new([2.0, 1.0], [2.0, 1.0], [[-6.0, 0.0], [6.0, 4.0]], most, 40.0)
}

fn cell(cells: &Cells, [x, y]: [f32; 2]) -> u32 {
    cells.of([&[x], &[y], &[x], &[y]])[0]
}

#[test]
fn the_helix_is_numbered_along_its_rows() {
    let cells = helical();
    for (place, number) in [
        ([0.5, 0.5], 0),
        ([3.5, 2.5], 17),
        // Row 5 begins with 35, row 6 with 42, which wraps to 1.
        ([5.5, 5.5], 40),
        ([6.5, 5.5], 0),
        ([0.5, 6.5], 1),
        // Left of the origin and below it, numbers continue downwards.
        ([-0.5, 0.5], 40),
        ([0.5, -0.5], 34),
        ([-0.5, -0.5], 33),
        ([0.0, -0.0], 0),
        ([-41.0, 41.0], 0),
    ] {
        assert_eq!(cell(&cells, place), number, "{place:?}");
    }
    for column in -90..90 {
        for row in -90..90 {
            let at = |column: i32, row: i32| cell(&cells, [column as f32, row as f32]);
            let here = at(column, row);
            assert_eq!(at(column + 1, row), (here + 1) % 41);
            assert_eq!(at(column, row + 1), (here + 7) % 41);
        }
    }
}

/// Numbers below the base belong to other levels.
#[test]
fn numbers_begin_at_the_base() {
    let cells = Cells { base: 1000, ..helical() };
    assert_eq!(cell(&cells, [3.5, 2.5]), 1017);
    assert_eq!(cells.numbers(), 1000..1050);
    let cells = Cells { base: 1000, ..dense(15.0) };
    assert_eq!(cell(&cells, [0.0, 1.0]), 1007);
    assert_eq!(cells.numbers(), 1000..1022);
}

/// No pair is found twice: no two of the five steps of the sweep, forwards or backwards, lead to
/// the same cell.
#[test]
fn steps_lead_to_different_cells() {
    let far = [[-1e9; 2], [1e9; 2]];
    let check = |cells: &Cells, wanted: u32| {
        let (count, stride) = (i64::from(cells.count), i64::from(cells.stride));
        assert!(count >= i64::from(wanted).max(31) && stride % 2 == 1, "{wanted}");
        // Four runs as long as the run of cells with ghosts.
        assert!(cells.ghosts() * 4 <= cells.count as usize, "{wanted}");
        let steps = [0, 1, stride - 1, stride, stride + 1];
        let mut cells: Vec<i64> =
            steps.into_iter().flat_map(|d| [d, -d]).map(|d| d.rem_euclid(count)).collect();
        cells.sort_unstable();
        cells.dedup();
        // Forwards and backwards, with 0 only once.
        assert_eq!(cells.len(), 9, "{wanted}: {count} cells, {stride} in a row");
    };
    for wanted in (0..3000).chain([1 << 16, 1 << 20, 1 << 30]) {
        let mut cells = Cells::new([1.0; 2], [1.0; 2], far, 64.0, f64::from(wanted));
        check(&cells, wanted);
        // And for all other helices that a level may get.
        for helix in 0..helix::HELICES.most {
            cells.take_helix(f64::from(wanted), helix);
            check(&cells, wanted);
        }
    }
}

/// The first helix maps a lattice of clusters to the same cells. Another helix gives them cells of
/// their own.
#[test]
fn clusters_are_wound_up_apart() {
    let mut cells = wide();
    let pitch = cells.count;
    // 16 clusters of 25 by 25 cells.
    let place = |item: u32| {
        let (cluster, at) = (item % 16, item / 16 % 625);
        [cluster % 4 * pitch + at % 25, cluster / 4 * pitch + at / 25]
    };
    let sums: Vec<[f32; 2]> =
        (0..2000).map(|item| place(5 * item).map(|cell| (2 * cell + 1) as f32)).collect();
    // The number of different cell numbers among the clusters' 10,000 cells.
    let alone = |cells: &Cells| {
        let mut numbers: Vec<u32> = (0..10_000)
            .map(|item| cell(cells, place(item).map(|cell| cell as f32 + 0.5)))
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers.len()
    };
    assert_eq!(alone(&cells), 625);
    let mut tiles = Vec::new();
    cells.choose_helix(&sums, 100_000, &mut tiles);
    assert!(alone(&cells) > 9_500, "{} of 10,000", alone(&cells));
    assert!(cells.count < 170_000 && tiles.len() < 5_000);
    // Items side by side keep the first helix. Dense levels and levels of few cells stay as they
    // are.
    let block = |item: u32| [item % 300, item / 300].map(|cell| (2 * cell + 1) as f32);
    let sums: Vec<[f32; 2]> = (0..2000).map(|item| block(37 * item)).collect();
    for before in [wide(), helical(), dense(15.0)] {
        let mut cells = before;
        cells.choose_helix(&sums, 100_000, &mut tiles);
        assert_eq!(cells, before);
    }
}

/// 41 cells are four runs of nine and five more cells. The run with the fewest items becomes the
/// first run.
#[test]
fn numbers_begin_where_few_items_are() {
    let mut items = [5; 41 + 9];
    assert_eq!(helical().ghosts_of(&items), 45);
    items[20] = 1;
    items[27] = 0;
    let mut cells = helical();
    assert_eq!(cells.spare_ghosts(&items), 40);
    assert!(cells.begins_elsewhere() && !helical().begins_elsewhere());
    for column in -90..90 {
        for row in -90..90 {
            let place = [column as f32, row as f32];
            assert_eq!(cell(&cells, place), (cell(&helical(), place) + 41 - 27) % 41, "{place:?}");
        }
    }
    // Far points, and boxes: columns and rows -2 to 0 begin at -16, minus 27.
    assert_eq!(cell(&cells, [-1e18; 2]), (cell(&helical(), [-1e18; 2]) + 41 - 27) % 41);
    let cover = cells.covering([-0.5; 2], [-0.5; 2], 1000);
    let runs: Vec<Range<usize>> = (0..3).flat_map(|row| cover.row(row)).collect();
    assert_eq!(runs, [39..41, 0..1, 5..8, 0..0, 12..15, 0..0]);
    // Of runs with equally few items, the first run is taken. Items behind the last run do not
    // count.
    for at in [0, 3, 36, 40, 41] {
        let mut items = [5; 41 + 9];
        items[at] = 0;
        let mut cells = helical();
        assert_eq!(cells.spare_ghosts(&items), if at < 9 { 40 } else { 45 });
        assert_eq!(cells, helical());
    }
    // Dense cells have no ghosts.
    let mut cells = dense(15.0);
    assert_eq!((cells.ghosts_of(&[5; 15 + 7]), cells.spare_ghosts(&[5; 15 + 7])), (0, 0));
    assert_eq!(cells, dense(15.0));
}

#[test]
fn the_next_prime_is_found() {
    assert_eq!([31, 32, 38, 49, 90].map(next_prime), [31, 37, 41, 53, 97]);
    assert_eq!(next_prime(1 << 30), 1_073_741_827);
}

/// From 2^50 cells from the origin on, the digits of a point count and its exponent does not.
/// Modulo 41, 2^10 is -1 and 2^20 is 1.
#[test]
fn far_from_the_origin_the_digits_count_and_the_exponent_does_not() {
    // A unit of length is 2^60 cells.
    let unit = 1.0 / (1_u64 << 60) as f64;
    let cells = Cells { scale: [0.5 / unit; 2], ..helical() };
    let two_to = |exponent: i32| 2.0_f32.powi(exponent);
    for (x, number) in [
        // Cell 2^49: 2^9 = 512 = 12 * 41 + 20.
        (two_to(-11), 20),
        // Cell 2^50 - 2^26: -1 - 2^6 = -65, which is 17.
        (two_to(-10) * (1.0 - two_to(-24)), 17),
        // Cells 2^50, 2^60 and 2^120 stand for 2^49.
        (two_to(-10), 20),
        (1.0, 20),
        (two_to(60), 20),
        (-1.0, 21),
        // 3 * 2^59 for 3 * 2^48: three times 10.
        (1.5, 30),
        (-1.5, 11),
    ] {
        assert_eq!(cell(&cells, [x, 0.0]), number, "{x}");
        // A row is 7 cells.
        assert_eq!(cell(&cells, [0.0, x]), 7 * number % 41, "{x} up");
        assert_eq!(cell(&cells, [x, x]), 8 * number % 41, "{x} both ways");
    }
    // A box this far away covers all cells.
    let around = cells.covering([1.0; 2], [1.0; 2], 1000);
    assert_eq!((around.rows, around.row(0)), (1, [0..41, 0..0]));
}

/// Four columns and an empty column, three rows, and behind them the cells of a row and two more
/// cells.
#[test]
fn dense_cells_are_numbered_row_by_row() {
    let cells = dense(15.0);
    assert!(!cells.wraps);
    assert_eq!((cells.count, cells.stride, cells.ghosts()), (15, 5, 7));
    assert_eq!((cells.first, cells.sides), ([-2.0, 0.0], [4.0, 3.0]));
    for (place, number) in [
        ([-3.0, 0.0], 0),
        ([-2.0, 0.0], 1),
        ([-0.1, 0.9], 1),
        ([0.0, 1.0], 7),
        ([3.0, 0.0], 3),
        ([3.0, 2.0], 13),
    ] {
        assert_eq!(cell(&cells, place), number, "{place:?}");
    }
    // With one cell less, the level is helical.
    assert!(dense(14.0).wraps);
}

/// Points around borders of cells and between them, in levels near the origin and far from it.
#[test]
fn the_short_way_to_dense_cells_is_right_or_says_so() {
    for (origin, size) in [([0.0, 0.0], [0.7, 1.3]), ([-900.0, 70.0], [0.37, 3.1])] {
        let (low, high) = (origin, [0, 1].map(|axis| origin[axis] + 400.0));
        let cells = Cells::new(size, size, [low, high], 1e9, 1e9);
        let cells = Cells { base: 77, ..cells };
        let f32_levels = cells.f32_levels([low, high]).unwrap();
        // Whether the fast path is certain of the cell; if so, the cell is right.
        let knows = |sums: [f32; 2]| {
            let mut number = [0];
            let sure = f32_levels.find(Scalar, sums, &mut number);
            assert!(!sure || number[0] == cell(&cells, sums.map(|sum| sum * 0.5)), "{sums:?}");
            sure
        };
        // Up to twelve roundings below and above each border, where `f32` alone would often be
        // wrong.
        let mut unsure = 0;
        let borders = |axis: usize| {
            let sum_of = move |border: f64| (border * 2.0 * size[axis]) as f32;
            let first = (f64::from(low[axis]) / (2.0 * size[axis])).ceil();
            let borders = (0..).map(move |number| sum_of(first + f64::from(number)));
            borders.take_while(move |border| *border < high[axis]).map(move |border| (axis, border))
        };
        for (axis, border) in [0, 1].into_iter().flat_map(borders) {
            let lowest = (0..12).fold(border, |sum, _| sum.next_down());
            for sum in std::iter::successors(Some(lowest), |sum| Some(sum.next_up())).take(24) {
                let mut sums = [low[0] + 200.1, low[1] + 200.1];
                sums[axis] = sum.clamp(low[axis], high[axis]);
                unsure += u32::from(!knows(sums));
            }
        }
        assert!(unsure > 500, "{unsure}");
        // Steps by the golden section and by its square are hardly ever at a border.
        let unsure = (0..100_000).filter(|&step| {
            let part = [0.618_034, 0.381_966].map(|part| (f64::from(step) * part).fract());
            !knows([0, 1].map(|axis| low[axis] + 400.0 * part[axis] as f32))
        });
        let unsure = unsure.count();
        assert!((1..500).contains(&unsure), "{unsure}");
    }
    // There is no fast path where `f32` cannot tell cells apart, and no fast path for helical
    // cells.
    let far = [[1e7, 0.0], [1e7 + 400.0, 400.0]];
    let cells = Cells::new([1.0; 2], [1.0; 2], far, 1e9, 1e9);
    assert_eq!((cells.wraps, cells.f32_levels(far)), (false, None));
    assert_eq!(helical().f32_levels([[-1000.0; 2], [1000.0; 2]]), None);
}

/// A point touches items whose centres are at most half an item from it: 1 along x, 0.5 along y.
#[test]
fn boxes_cover_dense_cells() {
    let cells = dense(15.0);
    let rows = |min, max, items| {
        let cover = cells.covering(min, max, items);
        (0..cover.rows).flat_map(|row| cover.row(row)).filter(|run| !run.is_empty()).collect()
    };
    let cover = |at: [f64; 2], items| -> Vec<Range<usize>> { rows(at, at, items) };
    // Columns -1 and 0 of -2 to 1; rows -1, which does not exist, and 0.
    assert_eq!(cover([0.0, 0.0], 1000), [1..3]);
    assert_eq!(cover([0.0, 1.0], 1000), [1..3, 6..8]);
    assert_eq!(cover([-3.0, 2.0], 1000), [5..7, 10..12]);
    let all: Vec<Range<usize>> = rows([-9.0; 2], [9.0; 2], 1000);
    assert_eq!(all, [0..4, 5..9, 10..14]);
    // Two rows are as much work as sixteen items.
    assert_eq!(cover([0.0, 1.0], 16), [1..3, 6..8]);
    assert_eq!(cover([0.0, 1.0], 15), [0..15; 1]);
    // Beside the rectangle, above it, and beyond the range of cell numbers.
    for beside in [[9.0, 1.0], [-9.0, 1.0], [0.0, 9.0], [0.0, -9.0], [1e18, -1e18]] {
        assert_eq!(cover(beside, 1000), [], "{beside:?}");
    }
}

/// Covers computed for many boxes at once equal covers computed one by one, or are left to the
/// computation one by one.
#[test]
fn boxes_side_by_side() {
    type Known = Option<u32>;
    // Each box, and the known number of rows of its cover in dense cells and in helical cells.
    let boxes: [([f64; 2], [f64; 2], [Known; 2]); 8] = [
        ([0.0, 1.0], [0.0, 1.0], [Some(2), Some(2)]),
        ([-9.0; 2], [9.0; 2], [Some(3), None]),
        // Beside the rectangle; a helix has no edge.
        ([9.0, 1.0], [9.0, 1.0], [Some(0), Some(2)]),
        // Beyond the range of cell numbers.
        ([1e18, -1e18], [1e18, -1e18], [Some(0), None]),
        ([-0.5; 2], [-0.5; 2], [Some(1), Some(3)]),
        // Wider than the stride, and wider than the helix.
        ([0.5, 0.75], [5.5, 0.75], [Some(2), None]),
        ([0.0; 2], [41.0, 0.0], [Some(1), None]),
        // NaN covers nothing.
        ([f64::NAN; 2], [f64::NAN; 2], [Some(0), Some(0)]),
    ];
    let sides = |side: fn(&([f64; 2], [f64; 2])) -> f64| -> [f64; 8] {
        boxes.map(|(min, max, ..)| side(&(min, max)))
    };
    let sides = [sides(|b| b.0[0]), sides(|b| b.0[1]), sides(|b| b.1[0]), sides(|b| b.1[1])];
    for (helix, cells) in [dense(15.0), helical()].into_iter().enumerate() {
        let covers = cells.covering_all(sides.each_ref(), 1000, &Bounds::EVERYWHERE);
        for (lane, (min, max, rows)) in boxes.into_iter().enumerate() {
            let known = cells.cover(&covers, lane);
            assert_eq!(known.map(|cover| cover.rows), rows[helix], "{min:?} {max:?}");
            if let Some(known) = known.filter(|cover| cover.rows > 0) {
                assert_eq!(known, cells.covering(min, max, 1000), "{min:?} {max:?}");
            }
        }
        // With empty bounds, no box covers anything. With few items, rows may be more work than
        // the whole level.
        let covers = cells.covering_all(sides.each_ref(), 1000, &Bounds::default());
        let rows = |covers| (0..8).map(move |lane| cells.cover(&covers, lane).map(|c| c.rows));
        assert!(rows(covers).all(|rows| rows == Some(0)));
        let covers = cells.covering_all(sides.each_ref(), 63, &Bounds::EVERYWHERE);
        let told = rows(covers).filter(|rows| *rows != Some(0));
        assert!(told.into_iter().all(|rows| rows.is_none()));
    }
}

/// The items of [`boxes_cover_dense_cells`], by the fast path. An item beside the cells covers the
/// cells at the edge, unless it is beside the bounds.
#[test]
fn items_reach_dense_cells() {
    let cells = dense(15.0);
    let f32_cover = cells.f32_cover(&Bounds::EVERYWHERE).unwrap();
    let x = [0.0, 0.0, -3.0, 0.0, 9.0, -9.0, 0.0, 1e18];
    let y = [0.0, 1.0, 2.0, -0.5, 1.0, 1.0, 9.0, -1e18];
    let radius = [0.0, 0.0, 0.0, 8.0, 0.0, 0.0, 0.0, 0.5];
    let [x, y, radius] = [x, y, radius].map(|column| -> [f32; 2 * MAX_LANES] {
        std::array::from_fn(|place| column.get(place).copied().unwrap_or_default())
    });
    let covers = f32_cover.covers(Scalar, CircleColumns { x: &x, y: &y, radius: &radius }, 0);
    let rows = |lane| -> Vec<Range<usize>> {
        let cover = cells.cover(&covers, lane).unwrap();
        (0..cover.rows).flat_map(|row| cover.row(row)).filter(|run| !run.is_empty()).collect()
    };
    assert_eq!(rows(0), [1..3]);
    assert_eq!(rows(1), [1..3, 6..8]);
    assert_eq!(rows(2), [5..7, 10..12]);
    assert_eq!(rows(3), [0..4, 5..9, 10..14]);
    assert_eq!(rows(4), [3..4, 8..9]);
    assert_eq!(rows(5), [0..1, 5..6]);
    assert_eq!(rows(6), [11..13]);
    assert_eq!(rows(7), [3..4]);
    // With empty bounds, no item covers anything.
    let nothing = cells.f32_cover(&Bounds::default()).unwrap();
    let none = nothing.covers(Scalar, CircleColumns { x: &x, y: &y, radius: &radius }, 0);
    assert!((0..8).all(|lane| cells.cover(&none, lane).unwrap().rows == 0));
    // Covers of one row and of two rows are read directly from the lanes; three rows are not few.
    assert_eq!(covers.few(0, &cells), Some([1..3, 1..1]));
    assert_eq!(covers.few(1, &cells), Some([1..3, 6..8]));
    assert_eq!(covers.few(3, &cells), None);

    // There is no fast path for helical cells, nor so far out that an eighth of a cell is lost, or
    // whole cells.
    let at = |far: f32| {
        Cells::new([1.0; 2], [1.0; 2], [[far; 2], [far + 10.0; 2]], 64.0, 64.0)
            .f32_cover(&Bounds::EVERYWHERE)
            .is_some()
    };
    assert!(helical().f32_cover(&Bounds::EVERYWHERE).is_none());
    assert!(at(0.0) && at(-5e5));
    assert!(!at(2e6) && !at(-2e6) && !at(1e15));
}

#[test]
fn boxes_cover_helical_cells() {
    let cells = helical();
    let cover = |min, max, items| -> Vec<Range<usize>> {
        let cover = cells.covering(min, max, items);
        (0..cover.rows).flat_map(|row| cover.row(row)).filter(|run| !run.is_empty()).collect()
    };
    // Columns and rows -2 to 0 begin at -16, which is 25; the last row wraps.
    assert_eq!(cover([-0.5; 2], [-0.5; 2], 1000), [25..28, 32..35, 39..41, 0..1]);
    // Columns -1 to 6 of rows 0 and 1: wider than the stride, so one run of 7 + 8 cells from 40 on.
    assert_eq!(cover([0.5, 0.75], [5.5, 0.75], 1000), [40..41, 0..14]);
    // Wider than the helix, higher than it, or more work than all items.
    assert_eq!(cover([0.0; 2], [41.0, 0.0], 1000), [0..41]);
    assert_eq!(cover([0.0; 2], [0.0, 7.0], 1000), [0..41]);
    assert_eq!(cover([-0.5; 2], [-0.5; 2], 23), [0..41]);
}
