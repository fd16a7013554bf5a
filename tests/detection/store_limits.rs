//! Input that a store refuses, and the store as before; rows that are vacant.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

use crate::limits::{DIRTY, assert_refused};
use common::{levels, pow2};
use widephase::{
    Columns, Contact, Detector, Error, Index, Narrowphase, NarrowphaseOptions, Options, Order,
    Pair, Shapes,
    error::{Fault, Field, Rejected},
    reference::brute_force,
    shape::{
        Aabb, AxisAligned, Circle, Compound, ConvexPolygon, Kind, Obb, Part, Point, Pose, Rotation,
        RoundedBox, Segment,
    },
};

/// The observable state of a row of a store.
type Row = (Option<Kind>, Option<RoundedBox>);

/// The observable state of a store.
fn content(shapes: &Shapes) -> (Vec<Row>, usize) {
    let rows = 0..shapes.rows() as u32;
    (rows.map(|row| (shapes.kind(row), shapes.bounds(row))).collect(), shapes.vacant())
}

fn bad_circle() -> Circle {
    Circle { x: 0.0, y: 1.0, radius: -1.0 }
}

fn mixed_store() -> Shapes {
    let mut shapes = Shapes::new();
    shapes.push(Point::new([0.0, 0.0])).unwrap();
    shapes.push(Circle::new([1.0, 0.0], 1.0)).unwrap();
    shapes.extend_from_slice_lenient(&[bad_circle()]).unwrap();
    shapes.push(Aabb::new([1.0, -1.0], [2.0, 1.0])).unwrap();
    shapes.push(RoundedBox::new(Aabb::new([5.0, 5.0], [6.0, 6.0]), 1.0)).unwrap();
    shapes
}

#[test]
fn a_refused_shape_leaves_the_store_unchanged() {
    let mut shapes = mixed_store();
    let before = content(&shapes);
    let negative = (Field::Radius, -1.0, Fault::Negative);

    assert_refused(shapes.push(bad_circle()), 5, negative);
    assert_refused(
        shapes.push(Point::new([f32::NAN, 0.0])),
        5,
        (Field::X, f32::NAN, Fault::NotANumber),
    );
    let inverted = Aabb::new([3.0, 0.0], [2.0, 1.0]);
    assert_refused(shapes.push(inverted), 5, (Field::MinX, 3.0, Fault::Inverted { max: 2.0 }));
    for row in [0, 2, 4] {
        assert_refused(shapes.set(row, bad_circle()), row as usize, negative);
    }
    for index in [5, 64, u32::MAX] {
        let error = Error::NoSuchShape { index: index as usize, len: 5 };
        assert_eq!(shapes.set(index, Point::new([0.0, 0.0])), Err(error));
    }

    let good = Circle::new([0.0, 0.0], 1.0);
    for at in 0..5 {
        let mut records = [good; 5];
        records[at] = bad_circle();
        assert_refused(shapes.extend_from_slice(&records), at, negative);
        assert_refused(Shapes::from_slice(&records), at, negative);
        let mut radius = [1.0; 5];
        radius[at] = -1.0;
        let columns = Columns::circles(&[0.0; 5], &[0.0; 5], &radius).unwrap();
        assert_refused(shapes.extend_from_columns(columns), at, negative);
    }

    // One shape beyond the limit, and no shape moves. The vacant row may go where it likes.
    let step = [1.0, 1.0, f32::NAN, 1.0, pow2(60)];
    let beyond = pow2(60) + 6.0;
    assert_eq!(beyond, pow2(60), "rounded away: the move below is within the limit");
    let far = [1.0, 1.0, 0.0, 1.0, 1.5 * pow2(60)];
    let moved = 5.0 + 1.5 * pow2(60);
    assert_refused(shapes.translate(&far, &[0.0; 5]), 4, (Field::MinX, moved, Fault::TooLarge));
    let nan = [0.0, f32::NAN, 0.0, 0.0, 0.0];
    assert_refused(
        shapes.translate(&[0.0; 5], &nan),
        1,
        (Field::MinY, f32::NAN, Fault::NotANumber),
    );
    for (dx, dy, field, len) in [(4, 5, Field::X, 4), (5, 6, Field::Y, 6), (0, 5, Field::X, 0)] {
        let error = Error::UnequalColumns { field, len, expected: 5 };
        assert_eq!(shapes.translate(&vec![0.0; dx], &vec![0.0; dy]), Err(error));
    }
    assert_eq!(content(&shapes), before);

    shapes.translate(&step, &[0.0; 5]).unwrap();
    assert_eq!(shapes.bounds(0), Some(Point::new([1.0, 0.0]).rounded_box()));
    assert_eq!((shapes.bounds(2), shapes.vacant()), (None, 1));
    assert_eq!(shapes.bounds(4).unwrap().min_x, pow2(60));
    // The vacant row is clean although it was offered a NaN.
    shapes.set(4, Point::new([0.0, 0.0])).unwrap();
    assert!(shapes.columns().check().is_ok());
}

#[test]
fn rows_are_copied_one_by_one() {
    let turned = Rotation { cos: 0.0, sin: 1.0 };
    let wedge = ConvexPolygon::new(&[[0.0, 0.0], [2.0, 0.0], [0.0, 1.0]]).unwrap();
    let pair = Compound::new([Circle::new([0.0, 0.0], 1.0), Circle::new([3.0, 0.0], 1.0)]).unwrap();
    let mut all = mixed_store();
    let first = all.push_at(&wedge, Pose::new([1.0, 2.0], turned)).unwrap();
    all.push_at(&pair, Pose::new([-4.0, 0.0], turned)).unwrap();
    all.extend_from_slice_lenient(&[bad_circle()]).unwrap();

    let mut some = Shapes::new();
    let rows = [first + 2, first + 1, 1, first, first];
    some.extend_from_rows(all.columns(), &rows).unwrap();
    assert_eq!((some.rows(), some.vacant()), (5, 1));
    for (new, &row) in (0..).zip(&rows) {
        let told = |shapes: &Shapes, row| (shapes.kind(row), shapes.bounds(row), shapes.pose(row));
        assert_eq!(told(&some, new), told(&all, row));
    }
    // The copies move independently.
    some.set_pose(3, Pose::at([50.0, 0.0])).unwrap();
    assert_ne!(some.bounds(3), some.bounds(4));
    assert_eq!(Detector::new().count(&some), Detector::new().count(&all).map(|_| 0));

    // From columns that are no store's; all rows or no row.
    let columns = Columns::circles(&[0.0, 5.0], &[0.0, f32::NAN], &[1.0, 1.0]).unwrap();
    some.extend_from_rows(columns, &[0, 0]).unwrap();
    assert_eq!((some.rows(), some.kind(6)), (7, Some(Kind::Circle)));
    let before = content(&some);
    let missing = Err(Error::NoSuchShape { index: 2, len: 2 });
    assert_eq!(some.extend_from_rows(columns, &[0, 2]), missing);
    assert_refused(
        some.extend_from_rows(columns, &[0, 1]),
        1,
        (Field::Y, f32::NAN, Fault::NotANumber),
    );
    assert_eq!(content(&some), before);
}

/// Pairs of a caller's name rows that may not be there: the first such row is named, and the lists
/// are empty.
#[test]
fn pairs_of_rows_that_are_not_there() {
    // First circles alone, which are read from columns; then with a rotated box, which has a
    // record.
    let mut shapes = Shapes::from_slice(&[Circle::new([0.0, 0.0], 1.0); 40]).unwrap();
    for turns in [false, true] {
        if turns {
            shapes.set(7, Obb::new([0.0, 0.0], [1.0, 2.0], Rotation::IDENTITY)).unwrap();
        }
        let ask = |shapes: &Shapes, a: u32, b: u32, missing: Option<usize>| {
            let mut pairs = [Pair { a: 3, b: 7 }; 20];
            pairs[18] = Pair { a, b };
            let (mut narrowphase, mut contacts) = (Narrowphase::new(), vec![Contact::default()]);
            let mut touching = DIRTY.to_vec();
            let error = missing.map(|index| Error::NoSuchShape { index, len: shapes.rows() });
            assert_eq!(narrowphase.pairs(shapes, &pairs, &mut touching).err(), error);
            assert_eq!(narrowphase.contacts(shapes, &pairs, 0.0, &mut contacts).err(), error);
            let all = if missing.is_none() { 20 } else { 0 };
            assert_eq!((touching.len(), contacts.len()), (all, all), "{a}, {b}, {turns}");
        };
        ask(&shapes, 39, 0, None);
        for missing in [40, 41, u32::MAX] {
            ask(&shapes, missing, 0, Some(missing as usize));
            ask(&shapes, 39, missing, Some(missing as usize));
            ask(&shapes, missing, u32::MAX, Some(missing as usize));
        }
        // A vacant row is not there, though rows above it are.
        let mut holed = shapes.clone();
        holed.remove(20).unwrap();
        ask(&holed, 39, 21, None);
        ask(&holed, 39, 20, Some(20));
        ask(&holed, 20, 40, Some(20));
    }
    // Nothing is missing in no pairs, not even among no shapes.
    let mut touching = DIRTY.to_vec();
    Narrowphase::new().pairs(&Shapes::new(), &[], &mut touching).unwrap();
    assert_eq!(touching, []);
}

/// `set_poses` sets all poses or no pose, with the result of `set_pose` row by row, for any poses.
#[test]
fn poses_at_the_limits() {
    // A circle, a vacant row, a segment that reaches 3/4 of the way to the limit, a small rotated
    // box, and a large axis-aligned one.
    let mut shapes = Shapes::new();
    shapes.push(Circle::new([1.0, 0.0], 1.0)).unwrap();
    shapes.extend_from_slice_lenient(&[bad_circle()]).unwrap();
    let reach = 0.75 * pow2(60);
    shapes.push(Segment::new([-reach, 0.0], [reach, 0.0])).unwrap();
    shapes.push(Obb::new([0.0, 0.0], [3.0, 4.0], Rotation::IDENTITY)).unwrap();
    shapes.push(Aabb::new([-0.5 * pow2(60), -1.0], [0.5 * pow2(60), 1.0])).unwrap();
    let before = content(&shapes);

    let poses = [Pose::at([1.0, 2.0]); 5];
    let x = |x: f32| Pose { x, ..poses[0] };
    let turned = |cos: f32, sin: f32| Pose { cos, sin, ..poses[0] };
    let just_too_far = (0.25 * pow2(60)).next_up();
    let just_half = (0.5 * pow2(60)).next_up();
    let too_long = Fault::NotUnit { length: 1.0006 };
    let not_a_number = (Field::Cos, f32::NAN, Fault::NotANumber);
    let refused = [
        (0, x(f32::NAN), (Field::X, f32::NAN, Fault::NotANumber)),
        (0, x(f32::INFINITY), (Field::X, f32::INFINITY, Fault::Infinite)),
        (0, x(pow2(60).next_up()), (Field::X, pow2(60).next_up(), Fault::TooLarge)),
        (2, x(just_too_far), (Field::X, just_too_far, Fault::OutOfReach)),
        (2, x(-pow2(60)), (Field::X, -pow2(60), Fault::OutOfReach)),
        (4, x(just_half), (Field::X, just_half, Fault::OutOfReach)),
        (3, turned(f32::NAN, 0.0), not_a_number),
        (3, turned(1.0006, 0.0), (Field::Cos, 1.0006, too_long)),
    ];
    for (row, pose, fault) in refused {
        let mut poses = poses;
        poses[row] = pose;
        assert_refused(shapes.set_poses(&poses), row, fault);
        assert_refused(shapes.set_pose(row as u32, pose), row, fault);
        assert_eq!(content(&shapes), before);
    }
    for rows in [4, 6] {
        let error = Error::UnequalColumns { field: Field::X, len: rows, expected: 5 };
        assert_eq!(shapes.set_poses(&vec![poses[0]; rows]), Err(error));
    }

    let admitted = [
        (0, x(-pow2(60))),
        // The pose of a vacant row is ignored.
        (1, x(f32::NAN)),
        (1, turned(7.0, f32::INFINITY)),
        (2, x(0.25 * pow2(60))),
        (2, turned(0.0, -1.0)),
        (4, x(0.5 * pow2(60))),
        // The part beyond the limit is rounded away.
        (3, x(pow2(60))),
        // As long as 1 within one part in 2000.
        (3, turned(1.0004, 0.0)),
        (3, turned(0.6, 0.8)),
    ];
    for (row, pose) in admitted {
        let mut poses = poses;
        poses[row] = pose;
        let (mut all, mut one_by_one) = (shapes.clone(), shapes.clone());
        all.set_poses(&poses).unwrap();
        for row in [0, 2, 3, 4] {
            one_by_one.set_pose(row as u32, poses[row]).unwrap();
            assert_eq!(all.pose(row as u32), one_by_one.pose(row as u32));
        }
        assert_eq!(content(&all), content(&one_by_one));
        assert_eq!((all.pose(1), all.vacant()), (None, 1));
    }
}

/// However a long shape has come into a store: poses that take it too far are refused.
#[test]
fn poses_of_shapes_that_came_later() {
    let reach = 0.75 * pow2(60);
    let long = Segment::new([-reach, 0.0], [reach, 0.0]);
    let small = Obb::new([0.0, 0.0], [3.0, 4.0], Rotation::IDENTITY);
    let of_small = || Shapes::from_slice(&[small; 3]).unwrap();
    let mut others = Shapes::new();
    others.push(small).unwrap();
    others.push(long).unwrap();

    let mut replaced = of_small();
    replaced.set(2, long).unwrap();
    let mut extended = of_small();
    extended.extend_from_rows(others.columns(), &[1]).unwrap();
    let mut of_columns = Shapes::new();
    of_columns.extend_from_columns(others.columns()).unwrap();
    let mut reordered = others.clone();
    reordered.reorder(&[1, 0]).unwrap();
    let mut cleared = others.clone();
    cleared.clear();
    cleared.push(small).unwrap();
    cleared.push(long).unwrap();
    let stores = [
        (replaced, 2),
        (extended, 3),
        (of_columns, 1),
        (reordered.clone(), 0),
        (cleared, 1),
        (others.clone(), 1),
    ];
    for (mut shapes, row) in stores {
        let before = content(&shapes);
        let poses = vec![Pose::at([0.0, 0.5 * pow2(60)]); shapes.rows()];
        assert_refused(
            shapes.set_poses(&poses),
            row,
            (Field::Y, 0.5 * pow2(60), Fault::OutOfReach),
        );
        assert_eq!(content(&shapes), before);
    }
}

/// A point at the limit of coordinates is rotated onto an axis and ends a rounding error beyond it.
/// The bounding box of its compound stays within the limit, and all methods accept the store.
#[test]
fn a_part_that_is_turned_beyond_the_limit() {
    let (cos, sin) = (0.998_738_4, -0.050_216_462);
    let rim = [0.998_738_35, 0.050_216_477].map(|part: f32| part * pow2(60));
    let turned = cos * rim[0] - sin * rim[1];
    assert_eq!(turned, pow2(60).next_up());
    let parts = [Part::from(Point::new(rim)), Part::from(Point::new([0.0, 0.0]))];
    let mut shapes = Shapes::new();
    shapes.push(Compound::new(parts).unwrap()).unwrap();
    shapes.set_pose(0, Pose::new([0.0, 0.0], Rotation { cos, sin })).unwrap();
    assert_eq!(shapes.bounds(0).unwrap().max_x, pow2(60));
    assert!(Index::build(&shapes).is_ok());
    assert_eq!(Detector::new().count(&shapes), Ok(0));
}

/// A box that is a part rotates with its compound: its corners, √2 times as far as its sides, must
/// also stay within the limit.
#[test]
fn the_corners_of_parts_stay_within_the_limit() {
    let eighth = Rotation::from_angle(std::f32::consts::FRAC_PI_4);
    for (half, fits) in [(0.7, true), (0.8, false), (1.0, false)] {
        let half = half * pow2(60);
        let square = Aabb::centered([0.0, 0.0], [half, half]);
        let mut shapes = Shapes::new();
        let pushed = shapes.push(Compound::new([square]).unwrap());
        if !fits {
            assert_refused(pushed, 0, (Field::X, 0.0, Fault::OutOfReach));
            continue;
        }
        assert_eq!(pushed, Ok(0));
        shapes.set_pose(0, Pose::new([0.0, 0.0], eighth)).unwrap();
        let reach = shapes.bounds(0).unwrap().max_x;
        assert!((reach / (half * 2.0_f32.sqrt()) - 1.0).abs() < 1e-5, "{reach}");
    }
}

#[test]
fn lenient_calls_keep_the_indices_and_report_the_rest() {
    let mut x: Vec<f32> = (0..200).map(|i| i as f32).collect();
    let (mut y, mut radius) = (vec![0.0; 200], vec![0.5; 200]);
    x[3] = f32::INFINITY;
    y[64] = pow2(61);
    radius[199] = -0.25;
    let expected = [
        (3, Field::X, f32::INFINITY, Fault::Infinite),
        (64, Field::Y, pow2(61), Fault::TooLarge),
        (199, Field::Radius, -0.25, Fault::Negative),
    ]
    .map(|(index, field, value, fault)| Rejected {
        index,
        error: Error::InvalidShape { index, field, value, fault },
    });

    let records: Vec<Circle> =
        (0..200).map(|i| Circle { x: x[i], y: y[i], radius: radius[i] }).collect();
    for by_columns in [true, false] {
        // Behind some rows that were there before: positions count from the start of the call.
        for before in [0, 1, 63, 70] {
            let mut shapes = Shapes::new();
            for _ in 0..before {
                shapes.push(Circle::new([-100.0, 0.0], 0.125)).unwrap();
            }
            let rejected = if by_columns {
                let columns = Columns::circles(&x, &y, &radius).unwrap();
                shapes.extend_from_columns_lenient(columns).unwrap()
            } else {
                shapes.extend_from_slice_lenient(&records).unwrap()
            };
            assert_eq!(rejected, expected);
            assert_eq!((shapes.rows(), shapes.vacant()), (before + 200, 3));
            for (row, record) in records.iter().enumerate() {
                let shape = shapes.bounds((before + row) as u32);
                let good = ![3, 64, 199].contains(&row);
                assert_eq!(shape, good.then(|| record.rounded_box()), "row {row}");
            }
            check_pairs(&shapes);
            check_rows(&shapes);

            // Changes of its neighbours leave a vacant row vacant.
            for row in [2, 4, 63, 65, 198] {
                shapes.set((before + row) as u32, records[row]).unwrap();
            }
            assert_eq!(shapes.vacant(), 3);
            check_pairs(&shapes);
            check_rows(&shapes);

            // Filled, in another kind; all pairs are there then.
            for row in [3, 64, 199] {
                let at = Aabb::centered([row as f32, 0.0], [0.5, 0.5]);
                shapes.set((before + row) as u32, at).unwrap();
            }
            assert_eq!(shapes.vacant(), 0);
            let neighbours = 199 + before * before.saturating_sub(1) / 2;
            assert_eq!(Detector::new().count(&shapes), Ok(neighbours as u64));
            check_pairs(&shapes);
            check_rows(&shapes);

            shapes.clear();
            assert_eq!((shapes.rows(), shapes.vacant()), (0, 0));
            shapes.push(Point::new([1.0, 1.0])).unwrap();
            shapes.push(Point::new([1.0, 1.0])).unwrap();
            assert_eq!(Detector::new().count(&shapes), Ok(1));
        }
    }
}

/// The pairs of a store are the touching pairs among its rows that are not vacant.
fn check_pairs(shapes: &Shapes) {
    let rows: Vec<u32> =
        (0..shapes.rows() as u32).filter(|&row| shapes.bounds(row).is_some()).collect();
    let present: Vec<RoundedBox> = rows.iter().map(|&row| shapes.bounds(row).unwrap()).collect();
    for touching in common::POLICIES {
        let expected: Vec<Pair> = brute_force::pairs(&present, touching)
            .into_iter()
            .map(|pair| Pair { a: rows[pair.a as usize], b: rows[pair.b as usize] })
            .collect();
        for &level in levels() {
            let mut pairs = Vec::new();
            let mut detector = Detector::with_options(Options {
                simd_level: Some(level),
                touching,
                order: Order::Sorted,
                ..Options::default()
            })
            .unwrap();
            detector.pairs(shapes, &mut pairs).unwrap();
            assert_eq!(pairs, expected);
            assert_eq!(detector.count(shapes), Ok(expected.len() as u64));
        }
    }
}

/// A shape over everything touches every row that is not vacant.
fn check_rows(shapes: &Shapes) {
    let rows = 0..shapes.rows();
    let zeros = vec![0.0; shapes.rows()];
    let giants = vec![1e6; shapes.rows()];
    let over = Columns::circles(&zeros, &zeros, &giants).unwrap().check().unwrap();
    let columns = shapes.columns().check().unwrap();
    for &level in levels() {
        let mut narrowphase = Narrowphase::with_options(NarrowphaseOptions {
            simd_level: Some(level),
            ..NarrowphaseOptions::default()
        })
        .unwrap();
        let mut mask = Vec::new();
        for (a, b) in [(over, columns), (columns, over), (columns, columns)] {
            narrowphase.row_mask(a, b, rows.clone(), &mut mask).unwrap();
            let is_set = |row: usize| mask[row / 64] >> (row % 64) & 1 == 1;
            let holds = |row: usize| shapes.bounds(row as u32).is_some();
            assert!(rows.clone().all(|row| is_set(row) == holds(row)), "{level}");
        }
    }
}

/// Rows that are all vacant, and a store that becomes so narrow again that three columns do.
#[test]
fn vacant_rows_alone_are_no_shapes() {
    for n in [1, 2, 64, 100] {
        let mut shapes = Shapes::new();
        shapes.extend_from_slice_lenient(&vec![bad_circle(); n]).unwrap();
        assert_eq!((shapes.rows(), shapes.vacant()), (n, n));
        assert_eq!(Detector::new().count(&shapes), Ok(0));
        check_rows(&shapes);
        for row in 0..n {
            shapes.set(row as u32, Circle::new([0.0, 0.0], 1.0)).unwrap();
        }
        assert_eq!(Detector::new().count(&shapes), Ok((n * (n - 1) / 2) as u64));
        // Kinds come and go.
        shapes.set(0, Aabb::new([0.0, 0.0], [1.0, 1.0])).unwrap();
        check_pairs(&shapes);
        shapes.set(0, Point::new([0.0, 0.0])).unwrap();
        check_pairs(&shapes);
        for row in 0..n {
            shapes.set(row as u32, Aabb::new([0.0, 0.0], [1.0, 0.0])).unwrap();
        }
        check_pairs(&shapes);
        // A store in a store keeps its vacant rows.
        shapes.extend_from_slice_lenient(&[bad_circle()]).unwrap();
        let copy = Shapes::from_columns(shapes.columns()).unwrap();
        assert_eq!(content(&copy).0.len(), n + 1);
        assert_eq!((copy.vacant(), copy.bounds(n as u32)), (1, None));
        check_pairs(&copy);
        // Rows become vacant one by one.
        for row in 0..n {
            shapes.remove(row as u32).unwrap();
            assert_eq!((shapes.vacant(), shapes.kind(row as u32)), (row + 2, None));
            check_pairs(&shapes);
        }
        for index in [0, n, n + 1, usize::MAX >> 32] {
            let error = Err(Error::NoSuchShape { index, len: n + 1 });
            assert_eq!(shapes.remove(index as u32), error);
            assert_eq!(shapes.set_pose(index as u32, Pose::default()), error);
        }
        assert_eq!(Detector::new().count(&shapes), Ok(0));
        check_rows(&shapes);
    }
}
