//! `Narrowphase::row_mask`: each bit is the result for the two shapes of its row alone, for
//! stores and columns of all kinds and on every level.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

use std::ops::Range;

use common::{
    POLICIES, at_every_level, boxes_and_circles,
    crowd::{Maker, Numbers},
    matrix::on_one_thread,
    product,
    sides::{Rows, Side},
};
use widephase::{
    Columns, Error, Narrowphase, NarrowphaseOptions, Shapes, SimdLevel, Touching,
    error::{Fault, Field},
    narrowphase,
    reference::contract::overlap,
    shape::{Circle, Compound, Obb, Part, Pose, Rotation},
};

/// Several words, and a part of a word.
const ROWS: usize = 300;

/// The bits of `rows`, as they are documented.
fn bits(rows: Range<usize>, touches: impl Fn(usize) -> bool) -> Vec<u64> {
    let mut mask = vec![0; rows.len().div_ceil(64)];
    let first = rows.start;
    for row in rows.filter(|row| touches(*row)) {
        mask[(row - first) / 64] |= 1 << ((row - first) % 64);
    }
    mask
}

/// The seed and the numbers of the shapes.
const NUMBERS: [(u64, Numbers); 2] = [(1, Numbers::Smooth), (2, Numbers::Quarters)];

#[test]
fn rows_agree_with_two_shapes_at_a_time() {
    let (mut touching_rows, mut apart, mut compounds) = (0, 0, 0);
    // Whole words, not from the first row of a word, over the border of a word, single rows, and no
    // rows.
    let ranges = [0..ROWS, 64..192, 5..ROWS - 30, 63..65, 127..128, 299..300, 40..40];
    let mut makers = NUMBERS.map(|(seed, numbers)| Maker::new(seed, numbers, 1.0));
    for (numbers, left, right) in product((0..NUMBERS.len(), Side::ALL, Side::ALL)) {
        let (maker, numbers) = (&mut makers[numbers], NUMBERS[numbers].1);
        let sides = [left, right].map(|side| Rows::new(side, maker, ROWS));
        let [a, b] = sides.each_ref();
        let ready = [a.ready(), b.ready()];
        let by_policy = POLICIES.map(|touching| -> Vec<bool> {
            let touch = |one, other| narrowphase::touches(one, other, touching).unwrap();
            let rows = ready[0].iter().zip(&ready[1]);
            rows.map(|(one, other)| {
                one.as_ref().zip(other.as_ref()).is_some_and(|(one, other)| touch(one, other))
            })
            .collect()
        });
        for touches in &by_policy {
            let count = touches.iter().filter(|touches| **touches).count();
            touching_rows += count;
            apart += ROWS - count;
            compounds += count * usize::from([left, right].contains(&Side::Compounds));
        }
        for run in on_one_thread() {
            let touches = run.of(&by_policy);
            let mut narrowphase = Narrowphase::with_options(run.options().into()).unwrap();
            // Full of something else, and longer than any.
            let mut mask = vec![u64::MAX; 9];
            for rows in ranges.clone() {
                let what = format!("{left:?} and {right:?}, {numbers:?}, {rows:?}, {run}");
                let expected = bits(rows.clone(), |row| touches[row]);
                let (a, b) = (a.columns(), b.columns());
                narrowphase.row_mask(a, b, rows.clone(), &mut mask).unwrap();
                assert!(mask == expected, "{what}: {mask:x?}, not {expected:x?}");
                narrowphase.row_mask(b, a, rows, &mut mask).unwrap();
                assert!(mask == expected, "{what}: {mask:x?}, exchanged");
            }
        }
    }
    assert!(touching_rows > 100_000 && apart > 100_000, "{touching_rows} and {apart}");
    assert!(compounds > 15_000, "{compounds}");
}

at_every_level!(blocks_of_rows);

/// More rows than are worked on at once (4,096), nearly all of which are near, more than are
/// decided at once (2,048). By hand: a diamond reaches 1.41 to its right and the circle 1 to its
/// left; so 2.25 apart they touch, and at (2, 2) they do not, though boxes do.
fn blocks_of_rows(level: SimdLevel) {
    const MANY: usize = 9_000;
    let diamond =
        Obb::new([0.0, 0.0], [1.0, 1.0], Rotation::from_angle(std::f32::consts::FRAC_PI_4));
    let mut diamonds = Shapes::new();
    let mut circles = Shapes::new();
    let touches = |row: usize| row % 3 == 1 || row % 1000 < 70;
    let (mut x, mut y) = (vec![2.25; MANY], vec![0.0; MANY]);
    for row in 0..MANY {
        if !touches(row) {
            (x[row], y[row]) = (2.0, 2.0);
        }
        if row % 1001 == 1000 {
            x[row] = 9.0;
        }
        diamonds.push(diamond).unwrap();
        circles.push_at(Circle::new([0.0, 0.0], 1.0), Pose::at([x[row], y[row]])).unwrap();
    }
    for row in [64, 4096, 8000] {
        assert!(touches(row));
        diamonds.remove(row as u32).unwrap();
    }
    let there = |row: usize| touches(row) && row % 1001 != 1000 && ![64, 4096, 8000].contains(&row);
    let radius = vec![1.0; MANY];
    let columns = Columns::circles(&x, &y, &radius).unwrap();
    let mut mask = Vec::new();
    let mut narrowphase = Narrowphase::with_options(NarrowphaseOptions {
        simd_level: Some(level),
        ..NarrowphaseOptions::default()
    })
    .unwrap();
    for others in [columns, (&circles).into()] {
        for rows in [0..MANY, 77..MANY - 1, 4000..8100] {
            let expected = bits(rows.clone(), there);
            narrowphase.row_mask(&diamonds, others, rows.clone(), &mut mask).unwrap();
            assert!(mask == expected, "{rows:?}, {level}");
            narrowphase.row_mask(others, &diamonds, rows.clone(), &mut mask).unwrap();
            assert!(mask == expected, "{rows:?}, {level}, exchanged");
        }
    }
}

at_every_level!(of_axis_aligned_shapes);

/// Without rotated shapes, the result is the contract.
fn of_axis_aligned_shapes(level: SimdLevel) {
    let mut maker = Maker::new(4, Numbers::Quarters, 1.0);
    let sides =
        [Side::AlignedBox, Side::RoundedColumns].map(|side| Rows::new(side, &mut maker, ROWS));
    let (a, b) = (sides[0].columns(), sides[1].columns());
    let [shapes_a, shapes_b] = [a, b].map(|columns| Shapes::from_columns(columns).unwrap());
    let mut mask = Vec::new();
    for touching in POLICIES {
        let expected = bits(0..ROWS, |row| {
            let bounds = [&shapes_a, &shapes_b].map(|shapes| shapes.bounds(row as u32));
            matches!(bounds, [Some(a), Some(b)] if overlap(a, b, touching))
        });
        let options = NarrowphaseOptions {
            touching,
            simd_level: Some(level),
            ..NarrowphaseOptions::default()
        };
        let mut narrowphase = Narrowphase::with_options(options).unwrap();
        for (a, b) in [(a, b), (a.check().unwrap(), b.check().unwrap())] {
            narrowphase.row_mask(a, b, 0..ROWS, &mut mask).unwrap();
            assert_eq!(mask, expected, "{level}, {touching:?}");
        }
        let count: u32 = mask.iter().map(|word| word.count_ones()).sum();
        assert!((20..280).contains(&count), "{count}");
    }
}

#[test]
fn a_refused_call_changes_nothing() {
    let [mut obbs, mut circles] = boxes_and_circles(4, 3);
    let mut narrowphase = Narrowphase::new();
    let mut mask = vec![7, 8, 9];
    for (rows, index, len) in [(0..4, 3, 3), (5..9, 5, 4), (2..5, 4, 4)] {
        let refused = narrowphase.row_mask(&obbs, &circles, rows, &mut mask);
        assert_eq!(refused, Err(Error::NoSuchShape { index, len }));
    }
    let refused = narrowphase.row_mask(&circles, &obbs, 0..4, &mut mask);
    assert_eq!(refused, Err(Error::NoSuchShape { index: 3, len: 3 }));
    // An invalid value matters only in the requested rows.
    let (x, radius) = ([0.0; 4], [1.0, 1.0, -1.0, 1.0]);
    let bad = Columns::circles(&x, &x, &radius).unwrap();
    let fault = Fault::Negative;
    let negative = Error::InvalidShape { index: 2, field: Field::Radius, value: -1.0, fault };
    for (a, b) in [(obbs.columns(), bad), (bad, obbs.columns()), (bad, bad)] {
        let refused = narrowphase.row_mask(a, b, 1..4, &mut mask);
        assert_eq!(refused, Err(negative.clone()));
    }
    assert_eq!(mask, [7, 8, 9]);
    narrowphase.row_mask(&obbs, bad, 0..2, &mut mask).unwrap();
    assert_eq!(mask, [0b11]);
    narrowphase.row_mask(bad, &obbs, 3..4, &mut mask).unwrap();
    assert_eq!(mask, [1]);

    // A compound is as good as another shape: of these, a part of one touches.
    let beside = Circle::new([2.5, 0.0], 1.0);
    let parts = [[9.0, 0.0], [0.5, 0.0]].map(|at| Part::from(Circle::new(at, 0.75)));
    circles.set(1, beside).unwrap();
    obbs.set(1, Compound::new(parts.clone()).unwrap()).unwrap();
    circles.set(2, Circle::new([4.5, 0.0], 1.0)).unwrap();
    obbs.set(2, Compound::new(parts).unwrap()).unwrap();
    let mut wide = Narrowphase::with_options(NarrowphaseOptions {
        touching: Touching::Exclusive,
        ..NarrowphaseOptions::default()
    })
    .unwrap();
    wide.row_mask(&obbs, &circles, 0..3, &mut mask).unwrap();
    assert_eq!(mask, [0b001]);
    circles.set(1, Circle::new([2.0, 0.0], 1.0)).unwrap();
    wide.row_mask(&obbs, &circles, 0..3, &mut mask).unwrap();
    assert_eq!(mask, [0b011]);
    // No rows, wherever: nothing.
    let nowhere = Range { start: 7, end: 2 };
    narrowphase.row_mask(&obbs, &circles, nowhere, &mut mask).unwrap();
    assert!(mask.is_empty());
}
