//! Refused input, which leaves everything as it was; input that is just admitted; and the memory of
//! the worst scenes.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

use common::{
    SCENES, Soa, circle, coincident, crowd::PosedShape, levels, pow2, product, shapes_of,
};
use widephase::{
    Columns, Detector, Error, Narrowphase, Options, Pair, Shapes, Threads,
    error::{Fault, Field},
    narrowphase,
    options::CellSize,
    shape::{Aabb, AxisAligned, Circle, Kind, MAX_COORDINATE, Obb, Rotation},
};

pub(crate) const DIRTY: [Pair; 2] = [Pair { a: 7, b: 8 }, Pair { a: 8, b: 9 }];

/// Columns of a store hold the boxes around rotated shapes. A test of rows does not take them for
/// the shapes, checked or not.
#[test]
fn rows_of_rotated_shapes_are_not_boxes() {
    let long = Obb::new([0.0, 0.0], [10.0, 0.1], Rotation { cos: 0.6, sin: 0.8 });
    let mut shapes = Shapes::from_slice(&[Circle::new([5.0, -5.0], 1.0); 3]).unwrap();
    shapes.set(1, long).unwrap();
    let other = Shapes::from_slice(&[Circle::new([5.0, -5.0], 1.0); 3]).unwrap();
    let mut mask = Vec::new();
    for (a, b) in [
        (shapes.columns(), other.columns()),
        (shapes.columns().check().unwrap(), other.columns().check().unwrap()),
    ] {
        Narrowphase::new().row_mask(a, b, 0..3, &mut mask).unwrap();
        assert_eq!(mask, [0b101]);
    }
}

/// The radius of boxes inflated by a margin ends at 2^60, for every method.
#[test]
fn margins_at_the_limit() {
    let far = pow2(60);
    // The distances are 2√2 and 1, in units of 2^60, and radii with half of the margin are 1 at
    // most.
    for (place, radius, margin, expected) in [
        ([far, far], far, 0.0, 0),
        ([far, far], far, 0.5 * far, 0),
        ([far, far], far, far, 0),
        ([0.5 * far, 0.0], 0.25 * far, 0.25 * far, 0),
        ([0.5 * far, 0.0], 0.25 * far, 0.5 * far, 1),
        ([0.5 * far, 0.0], 0.25 * far, far, 1),
    ] {
        let [low, high] = [-1.0, 1.0].map(|s| Circle::new(place.map(|value| value * s), radius));
        let shapes = Shapes::from_slice(&[low, high]).unwrap();
        let (mut found, mut one_by_one) = (Vec::new(), Vec::new());
        Detector::new().contacts(&shapes, margin, &mut found).unwrap();
        let pair = [Pair { a: 0, b: 1 }];
        Narrowphase::new().contacts(&shapes, &pair, margin, &mut one_by_one).unwrap();
        let [a, b] = [low, high].map(PosedShape::from);
        let single = narrowphase::contact(&a, &b, margin).unwrap();
        let single = single.map(|contact| contact.with_pair(pair[0]));
        assert_eq!((found.len(), &found), (expected, &one_by_one), "margin {margin}");
        assert_eq!(found.first(), single.as_ref(), "margin {margin}");
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Form {
    Points,
    Circles,
    Aabbs,
    Centered,
    Rounded,
}

/// The columns of a form: name, and a valid value.
fn fields(form: Form) -> &'static [(Field, f32)] {
    match form {
        Form::Points => &[(Field::X, 1.0), (Field::Y, 2.0)],
        Form::Circles => &[(Field::X, 1.0), (Field::Y, 2.0), (Field::Radius, 3.0)],
        Form::Aabbs => {
            &[(Field::MinX, 1.0), (Field::MinY, 2.0), (Field::MaxX, 3.0), (Field::MaxY, 4.0)]
        }
        Form::Centered => {
            &[(Field::X, 1.0), (Field::Y, 2.0), (Field::HalfWidth, 3.0), (Field::HalfHeight, 4.0)]
        }
        Form::Rounded => &[
            (Field::MinX, 1.0),
            (Field::MinY, 2.0),
            (Field::MaxX, 3.0),
            (Field::MaxY, 4.0),
            (Field::Radius, 5.0),
        ],
    }
}

const FORMS: [Form; 5] = [Form::Points, Form::Circles, Form::Aabbs, Form::Centered, Form::Rounded];

fn columns(form: Form, columns: &[Vec<f32>]) -> Result<Columns<'_>, Error> {
    match (form, columns) {
        (Form::Points, [x, y]) => Columns::points(x, y),
        (Form::Circles, [x, y, radius]) => Columns::circles(x, y, radius),
        (Form::Aabbs, [a, b, c, d]) => Columns::aabbs(a, b, c, d),
        (Form::Centered, [x, y, w, h]) => Columns::centered(x, y, w, h),
        (Form::Rounded, [a, b, c, d, radius]) => Columns::rounded_boxes(a, b, c, d, radius),
        _ => unreachable!("{form:?} has other columns"),
    }
}

fn good(form: Form, rows: usize) -> Vec<Vec<f32>> {
    fields(form).iter().map(|&(_, value)| vec![value; rows]).collect()
}

fn is_size(field: Field) -> bool {
    matches!(field, Field::Radius | Field::HalfWidth | Field::HalfHeight)
}

/// Bad values of a field, and their faults.
fn bad_values(field: Field) -> Vec<(f32, Fault)> {
    let beyond = f32::from_bits(MAX_COORDINATE.to_bits() + 1);
    let mut bad = vec![
        (f32::NAN, Fault::NotANumber),
        (-f32::NAN, Fault::NotANumber),
        (f32::INFINITY, Fault::Infinite),
        (f32::NEG_INFINITY, Fault::Infinite),
        (beyond, Fault::TooLarge),
        (-beyond, Fault::TooLarge),
        (f32::MAX, Fault::TooLarge),
        (f32::MIN, Fault::TooLarge),
    ];
    if is_size(field) {
        bad.push((-1.0, Fault::Negative));
        bad.push((-pow2(-149), Fault::Negative));
        bad.push((-MAX_COORDINATE, Fault::Negative));
    }
    match field {
        // Beside 1, 2 and 3, 4, above.
        Field::MinX => bad.push((3.5, Fault::Inverted { max: 3.0 })),
        Field::MinY => bad.push((4.000_000_5, Fault::Inverted { max: 4.0 })),
        _ => {}
    }
    bad
}

/// `error` says exactly this; a NaN equals itself here.
pub(crate) fn assert_refused<T: std::fmt::Debug>(
    result: Result<T, Error>,
    at: usize,
    bad: (Field, f32, Fault),
) {
    match result {
        Err(Error::InvalidShape { index, field, value, fault }) => {
            let same = value.to_bits() == bad.1.to_bits();
            assert!(
                (index, field, fault) == (at, bad.0, bad.2) && same,
                "shape {index}: {field} is {value}: {fault}; expected {at}, {bad:?}"
            );
        }
        other => panic!("{other:?}, expected {at}, {bad:?}"),
    }
}

/// Every bad value in every column and row of every form, alone and behind good vectors.
#[test]
fn a_bad_value_is_found_wherever_it_is() {
    const ROWS: usize = 41;
    for form in FORMS {
        for (column, &(field, _)) in fields(form).iter().enumerate() {
            let cases = (bad_values(field), 0..ROWS, [true, false]);
            for ((value, fault), row, alone) in product(cases) {
                let mut values = good(form, if alone { row + 1 } else { ROWS });
                values[column][row] = value;
                refused_everywhere(columns(form, &values).unwrap(), row, (field, value, fault));
            }
        }
    }
}

/// Asserts that each way into the library refuses the bad value in this row, on every level.
fn refused_everywhere(columns: Columns<'_>, row: usize, bad: (Field, f32, Fault)) {
    assert_refused(columns.check(), row, bad);
    assert_refused(Shapes::from_columns(columns), row, bad);
    for &level in levels() {
        let options = Options { simd_level: Some(level), ..Options::default() };
        let mut detector = Detector::with_options(options).unwrap();
        let mut pairs = DIRTY.to_vec();
        assert_refused(detector.pairs(columns, &mut pairs), row, bad);
        assert_eq!(pairs, [], "left over");
        assert_refused(detector.count(columns), row, bad);
        let result = detector.for_each_pair(columns, |_| -> () { panic!("called") });
        assert_refused(result, row, bad);
    }
}

/// The first bad row is the one reported, and in it the first bad field.
#[test]
fn the_first_fault_is_reported() {
    for form in FORMS {
        for first in [0, 3, 17] {
            let mut values = good(form, 40);
            for column in &mut values {
                column[first] = f32::NAN;
                column[first + 1] = f32::INFINITY;
                column[39] = f32::INFINITY;
            }
            let field = fields(form)[0].0;
            let result = columns(form, &values).unwrap().check();
            assert_refused(result, first, (field, f32::NAN, Fault::NotANumber));
        }
    }
}

/// The largest admitted values, and a box that just is not inverted.
#[test]
fn the_limits_themselves_are_admitted() {
    let far = MAX_COORDINATE;
    for rows in [1, 8, 33] {
        for sign in [1.0, -1.0] {
            let at = vec![sign * far; rows];
            let (large, zero, negative_zero) = (vec![far; rows], vec![0.0; rows], vec![-0.0; rows]);
            Columns::points(&at, &at).unwrap().check().unwrap();
            Columns::circles(&at, &at, &large).unwrap().check().unwrap();
            Columns::circles(&at, &at, &negative_zero).unwrap().check().unwrap();
            Columns::centered(&at, &at, &zero, &negative_zero).unwrap().check().unwrap();
            Columns::centered(&zero, &zero, &large, &large).unwrap().check().unwrap();
            let low = vec![-far; rows];
            Columns::aabbs(&low, &low, &large, &large).unwrap().check().unwrap();
            Columns::rounded_boxes(&low, &zero, &large, &negative_zero, &large)
                .unwrap()
                .check()
                .unwrap();
        }
    }
}

/// Sides that a centre and a half extent put beyond the limit, and a negative half extent so small
/// beside its centre that the sides do not show it.
#[test]
fn centered_boxes_are_checked_as_given_and_as_computed() {
    for rows in [1, 7, 8, 9, 16, 17, 40] {
        for row in [0, rows / 2, rows - 1] {
            let with = |x: f32, half_width: f32| {
                let mut values = good(Form::Centered, rows);
                values[0][row] = x;
                values[2][row] = half_width;
                columns(Form::Centered, &values).unwrap().check().map(|_| ())
            };
            let refused = |half: f32, fault| (Field::HalfWidth, half, fault);
            for tiny in [-1e-30, -1.0, -pow2(-149)] {
                assert_refused(
                    with(1e20_f32.min(pow2(59)), tiny),
                    row,
                    refused(tiny, Fault::Negative),
                );
                assert_refused(with(0.0, tiny), row, refused(tiny, Fault::Negative));
            }
            let half = pow2(59);
            assert_refused(with(0.75 * pow2(60), half), row, refused(half, Fault::TooLarge));
            assert_refused(with(-0.75 * pow2(60), half), row, refused(half, Fault::TooLarge));
            assert_eq!(with(0.5 * pow2(60), half), Ok(()));
            // A half extent that is rounded away leaves the side within the limit.
            assert_eq!(with(pow2(60), 1.0), Ok(()));
        }
    }
}

/// Boxes whose left and right sides are one column (vertical walls) are still boxes: their other
/// sides are checked and kept.
#[test]
fn boxes_that_share_a_column_are_boxes() {
    let x = [1.0, 5.0, 1.0];
    let (low, high) = ([0.0, 0.0, 3.0], [4.0, 4.0, 9.0]);
    let walls = Columns::aabbs(&x, &low, &x, &high).unwrap();
    let mut pairs = Vec::new();
    Detector::new().pairs(walls, &mut pairs).unwrap();
    assert_eq!(pairs, [Pair { a: 0, b: 2 }]);
    let store = Shapes::from_columns(walls).unwrap();
    assert_eq!(store.kind(0), Some(Kind::Aabb));
    assert_eq!(store.bounds(0), Some(Aabb::new([1.0, 0.0], [1.0, 4.0]).rounded_box()));
    // So are boxes that share both, and their contacts are contacts of boxes without size.
    let (none, same) = (Columns::aabbs(&x, &low, &x, &low), [x, low]);
    let apart = Columns::aabbs(&x, &low, &same[0], &same[1]).unwrap();
    assert_eq!(Shapes::from_columns(none.clone().unwrap()).unwrap().kind(0), Some(Kind::Aabb));
    let points = Columns::points(&x, &low).unwrap();
    assert_eq!(Shapes::from_columns(points).unwrap().kind(0), Some(Kind::Point));
    let contacts = |columns: Columns<'_>| {
        let mut contacts = Vec::new();
        Detector::new().contacts(columns, 3.0, &mut contacts).unwrap();
        contacts
    };
    assert_eq!(contacts(none.unwrap()), contacts(apart));
    let floors = Columns::aabbs(&low, &x, &high, &x).unwrap();
    let store = Shapes::from_columns(floors).unwrap();
    assert_eq!(store.bounds(2), Some(Aabb::new([3.0, 1.0], [9.0, 1.0]).rounded_box()));

    for (bad, field, fault) in [
        (f32::NAN, Field::MaxY, Fault::NotANumber),
        (f32::INFINITY, Field::MaxY, Fault::Infinite),
        (pow2(61), Field::MaxY, Fault::TooLarge),
        (2.0, Field::MinY, Fault::Inverted { max: 2.0 }),
    ] {
        let high = [4.0, 4.0, bad];
        let value = if field == Field::MinY { low[2] } else { bad };
        let walls = Columns::aabbs(&x, &low, &x, &high).unwrap();
        assert_refused(walls.check(), 2, (field, value, fault));
        assert_refused(Detector::new().count(walls), 2, (field, value, fault));
        let rounded = Columns::rounded_boxes(&x, &low, &x, &high, &[1.0; 3]).unwrap();
        assert_refused(rounded.check(), 2, (field, value, fault));
        let mut lenient = Shapes::new();
        let rejected = lenient.extend_from_columns_lenient(walls).unwrap();
        assert_eq!((rejected.len(), lenient.vacant()), (1, 1));
    }
}

#[test]
fn unequal_columns_name_the_one_that_differs() {
    for form in FORMS {
        let named = fields(form);
        for (short, &(field, _)) in named.iter().enumerate().skip(1) {
            for len in [0, 4, 6] {
                let mut values = good(form, 5);
                values[short].resize(len, 1.0);
                let error = columns(form, &values).unwrap_err();
                assert_eq!(error, Error::UnequalColumns { field, len, expected: 5 });
                let text = error.to_string();
                assert!(text.contains(&field.to_string()), "{text}");
            }
        }
        let mut values = good(form, 5);
        values[0].pop();
        let error = columns(form, &values).unwrap_err();
        assert_eq!(error, Error::UnequalColumns { field: named[1].0, len: 5, expected: 4 });
    }
}

#[test]
fn a_cell_size_is_a_positive_number_within_the_limit() {
    let beyond = f32::from_bits(MAX_COORDINATE.to_bits() + 1);
    for value in [0.0, -0.0, -1.0, beyond, f32::INFINITY, f32::NEG_INFINITY, f32::NAN] {
        let options = Options { cell_size: CellSize::Fixed(value), ..Options::default() };
        match Detector::with_options(options) {
            Err(Error::InvalidCellSize { value: given }) => {
                assert_eq!(given.to_bits(), value.to_bits());
            }
            other => panic!("{value}: {other:?}"),
        }
    }
    for value in [pow2(-149), 1.0, MAX_COORDINATE] {
        let options = Options { cell_size: CellSize::Fixed(value), ..Options::default() };
        assert!(options.check().is_ok());
    }
}

/// At most 100 bytes a body, for any bodies and any cell size.
#[test]
fn scratch_memory_is_bounded_on_every_scene() {
    let n = 10_000;
    let mut worst = 0;
    let coincident: common::Scene = ("coincident", |n, _| coincident(n, circle(3.0, 4.0, 0.5)));
    for scene in SCENES.iter().chain([&coincident]) {
        let soa = Soa::new(&shapes_of(scene, n));
        for size in [CellSize::Auto, CellSize::Fixed(1e-30), CellSize::Fixed(pow2(60))] {
            // Cells that hold every body cost a test of each body against each other: two runs are
            // enough.
            if size == CellSize::Fixed(pow2(60)) && scene.0 != "mix" {
                continue;
            }
            let (_, columns) = *soa.forms().last().unwrap();
            for (form, columns) in [("five columns", soa.rounded().unwrap()), ("narrow", columns)] {
                let mut detector = Detector::with_options(Options {
                    cell_size: size,
                    threads: Threads::Calling,
                    ..Options::default()
                })
                .unwrap();
                detector.count(columns).unwrap();
                let bytes = detector.bytes();
                worst = worst.max(bytes);
                let what = scene.0;
                assert!(bytes <= 100 * n, "{what}, {form}, {size:?}: {bytes} bytes for {n} bodies");
            }
        }
    }
    eprintln!("at most {:.1} bytes a body", worst as f64 / n as f64);
}
