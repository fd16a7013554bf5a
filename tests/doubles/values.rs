//! Values at the limits, and wrong ones.

use widephase::{
    Adjacency, Error, Lists, Options, Pair, Threads, Touching,
    doubles::{DoubleColumns, DoubleDetector, DoubleIndex, touches},
    error::{Fault, Field},
};

use common::product;

/// The two boxes of the documentation, and circles that touch exactly.
#[test]
fn far_from_zero() {
    let far = 4_500_000.0;
    let (left, right) = ([far, far + 0.4], [far + 0.3, far + 0.7]);
    let boxes = DoubleColumns::aabbs(&left, &[0.0; 2], &right, &[1.0; 2]).unwrap();
    let mut detector = DoubleDetector::new();
    assert_eq!(detector.count(boxes), Ok(0));
    // A lattice of sixteenths: 3, 4, 5.
    let at = [[far, 1.0], [far + 3.0 / 16.0, 1.0 + 4.0 / 16.0]];
    let circles = DoubleColumns::circles_at(&at, 2.5 / 16.0).unwrap();
    assert_eq!(detector.count(circles), Ok(1));
    let options = widephase::Options { touching: Touching::Exclusive, ..Default::default() };
    let mut exclusive = DoubleDetector::with_options(options).unwrap();
    assert_eq!(exclusive.count(circles), Ok(0));
    let less = DoubleColumns::circles_at(&at, (2.5_f64 / 16.0).next_down()).unwrap();
    assert_eq!(detector.count(less), Ok(0));
}

/// Two clusters at the ends of the range, and giants among dots.
#[test]
fn the_whole_range() {
    let most = (1_u64 << 60) as f64;
    let x = [-most, -most, most, most, 0.0, 1e-300];
    let y = [most, most, -most, -most.next_down(), 0.0, 0.0];
    let mut detector = DoubleDetector::new();
    let count = |detector: &mut DoubleDetector, radius: f64| {
        detector.count(DoubleColumns::circles(&x, &y, radius).unwrap()).unwrap()
    };
    assert_eq!(count(&mut detector, 0.0), 1);
    assert_eq!(count(&mut detector, 1e-300), 2);
    assert_eq!(count(&mut detector, 64.0), 3);
    assert_eq!(count(&mut detector, most), 11, "all but the opposite corners");
    let index = DoubleIndex::build(DoubleColumns::points(&x, &y).unwrap()).unwrap();
    let mut nearest = vec![];
    index.nearest_batch(DoubleColumns::points(&x, &y).unwrap(), 0.0, &mut nearest).unwrap();
    assert_eq!(nearest.iter().flatten().map(|it| it.row).collect::<Vec<_>>(), [0, 0, 2, 3, 4, 4]); // the square of 1e-300 is 0
}

#[test]
fn wrong_values_are_refused() {
    let mut detector = DoubleDetector::new();
    let mut pairs = vec![widephase::Pair { a: 1, b: 2 }];
    let beyond = ((1_u64 << 60) as f64).next_up();
    for (value, fault) in [
        (f64::NAN, Fault::NotANumber),
        (f64::NEG_INFINITY, Fault::Infinite),
        (beyond, Fault::TooLarge),
        (-1e300, Fault::TooLarge),
    ] {
        for (field, column) in [(Field::X, 0), (Field::Y, 1), (Field::Radius, 2)] {
            let mut columns = [[1.0; 5], [2.0; 5], [3.0; 5]];
            columns[column][3] = value;
            let fault =
                if field == Field::Radius && value == -1e300 { Fault::Negative } else { fault };
            let [x, y, radii] = &columns;
            let circles = DoubleColumns::circles(x, y, radii).unwrap();
            let Err(Error::InvalidShape { index, field: named, fault: found, value }) =
                detector.pairs(circles, &mut pairs)
            else {
                panic!("{field:?}, {value}")
            };
            assert_eq!((index, named, found), (3, field, fault));
            assert!(value.is_finite() || fault != Fault::TooLarge, "{value}");
            assert!(pairs.is_empty());
            assert!(circles.check().is_err());
            let mut index =
                DoubleIndex::build(DoubleColumns::points(&[1.0], &[1.0]).unwrap()).unwrap();
            assert!(index.rebuild(circles).is_err());
            assert_eq!(index.len(), 1);
            let mut lists = Lists::new();
            index
                .overlapping_batch(DoubleColumns::points(&[1.0], &[1.0]).unwrap(), &mut lists)
                .unwrap();
            assert_eq!(lists.items(), [0], "as it was before");
            assert!(index.overlapping_batch(circles, &mut lists).is_err() && lists.is_empty());
        }
    }
    let inverted = DoubleColumns::aabbs(&[1.0], &[2.0], &[3.0], &[1.5]).unwrap();
    let error = detector.count(inverted).unwrap_err();
    let fault = Fault::Inverted { max: 1.5 };
    assert_eq!(error, Error::InvalidShape { index: 0, field: Field::MinY, value: 2.0, fault });
    let unequal = DoubleColumns::points(&[1.0], &[]).unwrap_err();
    assert_eq!(unequal, Error::UnequalColumns { field: Field::Y, len: 0, expected: 1 });
    let unequal = DoubleColumns::circles_at(&[[1.0; 2]], &[1.0, 2.0]).unwrap_err();
    assert_eq!(unequal, Error::UnequalColumns { field: Field::Radius, len: 2, expected: 1 });

    let points = DoubleColumns::points(&[1.0], &[1.0]).unwrap();
    let mut lists = Lists::new();
    for distance in [-1.0, f64::NAN, f64::INFINITY] {
        let result = detector.neighbors(points, distance, Adjacency::Full, &mut lists);
        assert!(matches!(result, Err(Error::InvalidMargin { .. })), "{distance}");
    }
    let index = DoubleIndex::build(points).unwrap();
    let mut near = Lists::new();
    for most in [f64::NAN, -1.0, -1e-300, f64::NEG_INFINITY] {
        assert!(index.k_nearest_batch(points, 1, most, &mut near).is_err(), "{most}");
    }
    index.k_nearest_batch(points, usize::MAX, f64::INFINITY, &mut near).unwrap();
    assert_eq!(near.items().len(), 1);
}

#[test]
fn nothing_and_one() {
    let none = DoubleColumns::points(&[], &[]).unwrap();
    let (mut pairs, mut lists, mut near) = (vec![], Lists::new(), Lists::new());
    let mut detector = DoubleDetector::new();
    detector.pairs(none, &mut pairs).unwrap();
    detector.neighbors(none, 1.0, Adjacency::Full, &mut lists).unwrap();
    let index = DoubleIndex::build(none).unwrap();
    let one = DoubleColumns::points(&[1e9], &[-1e9]).unwrap();
    index.overlapping_batch(one, &mut lists).unwrap();
    index.k_nearest_batch(one, 3, f64::INFINITY, &mut near).unwrap();
    assert!(pairs.is_empty() && lists.get(0).is_empty() && near.get(0).is_empty());
    assert_eq!(detector.count(one), Ok(0));
    assert_eq!(DoubleIndex::build(one).unwrap().len(), 1);
    assert!(none.is_empty() && none.get(0).is_none() && one.get(0).is_some());
}

/// Circles so small that squares in `f64` lose digits or are 0: these touch by the rule, and not in
/// exact numbers.
#[test]
fn squares_that_underflow() {
    let mut found = 0;
    for (unit, seed) in [1e-161, 3e-162, 1e-163, 1e-158].into_iter().zip(1..) {
        let numbers = super::seeded::units(seed, 600);
        let values: Vec<f64> = numbers.map(|value| value * unit * 20.0).collect();
        let (x, rest) = values.split_at(200);
        let (y, sizes) = rest.split_at(200);
        let radii: Vec<f64> = sizes.iter().map(|size| size * 0.05).collect();
        let circles = DoubleColumns::circles(x, y, &radii).unwrap();
        let shape = |row: usize| circles.get(row).unwrap();
        let mut expected = vec![];
        for a in 0..200 {
            for b in a + 1..200 {
                if touches(&shape(a), &shape(b), Touching::Inclusive) {
                    expected.push(Pair { a: a as u32, b: b as u32 });
                }
            }
        }
        let mut pairs = vec![];
        DoubleDetector::new().pairs(circles, &mut pairs).unwrap();
        pairs.sort();
        assert_eq!(pairs, expected, "{unit}");
        found += pairs.len();
    }
    assert!(found > 500, "{found}");
}

/// Circles on a lattice, so that many pairs are exactly at the distance. (Lists then decide after
/// they are made.)
#[test]
fn lattices_at_the_distance() {
    let (side, unit, far) = (90_u32, 0.25, 4.5e6);
    let rows: Vec<u32> = (0..side * side).map(|row| row * 7_919 % (side * side)).collect();
    let along = |of: fn(u32, u32) -> u32| -> Vec<f64> {
        rows.iter().map(|row| far + f64::from(of(*row, side)) * unit).collect()
    };
    let (x, y) = (along(|row, side| row % side), along(|row, side| row / side));
    let distances = [(2.0 * unit, true), ((2.0 * unit).next_down(), false)];
    let threads = [Threads::Calling, Threads::Pool];
    for ((distance, inclusive), threads) in product((distances, threads)) {
        let points = DoubleColumns::points(&x, &y).unwrap();
        let steps = |a: u32, b: u32| {
            (a % side).abs_diff(b % side).pow(2) + (a / side).abs_diff(b / side).pow(2)
        };
        let most = if inclusive { 4 } else { 3 };
        let options = Options { threads, ..Options::default() };
        let mut detector = DoubleDetector::with_options(options).unwrap();
        for adjacency in [Adjacency::Full, Adjacency::Half] {
            let mut lists = Lists::new();
            detector.neighbors(points, distance, adjacency, &mut lists).unwrap();
            for (row, list) in lists.iter().enumerate().step_by(7) {
                let mut list = list.to_vec();
                list.sort();
                let near = |&other: &usize| {
                    (other > row || adjacency == Adjacency::Full && other != row)
                        && steps(rows[row], rows[other]) <= most
                };
                let expected: Vec<u32> =
                    (0..rows.len()).filter(near).map(|other| other as u32).collect();
                assert_eq!(list, expected, "{distance}, {threads:?}, {adjacency:?}, {row}");
            }
        }
    }
}
