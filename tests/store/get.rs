//! Shapes that come back out of a store, and stores whose shapes are moved to positions.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test")]

use widephase::{
    Columns, Error, Shapes,
    error::Field,
    shape::{
        Aabb, AnyShape, Capsule, Circle, Compound, ConvexPolygon, Obb, OwnedShape, Point, Pose,
        Rotation, RoundedBox, Segment, Shape,
    },
};

/// One shape of each kind.
fn all_kinds() -> Vec<OwnedShape> {
    let wedge = ConvexPolygon::new(&[[0.0, 0.0], [4.0, 0.5], [3.0, 3.0], [0.5, 2.0]]).unwrap();
    let many: Vec<[f32; 2]> =
        (0..11).map(|i| (i as f32 * 0.571).sin_cos()).map(|(y, x)| [3.0 * x, 2.0 * y]).collect();
    let many = ConvexPolygon::new(&many).unwrap().with_radius(0.25).unwrap();
    let wing = Obb::new([1.5, 0.25], [2.0, 0.5], Rotation::from_angle(0.7));
    let parts: Vec<widephase::shape::Part> = vec![
        Circle::new([0.5, -1.0], 1.0).into(),
        wing.into(),
        Capsule::new([0.0, 0.0], [1.0, 3.0], 0.5).into(),
        many.clone().into(),
    ];
    vec![
        Point::new([1.25, 2.0]).into(),
        Circle::new([3.3, 0.1], 0.7).into(),
        Aabb::new([0.1, 0.2], [0.7, 3.3]).into(),
        RoundedBox::new(Aabb::new([0.1, 0.2], [0.7, 3.3]), 0.3).into(),
        wing.into(),
        Segment::new([0.1, 0.2], [5.0, 1.7]).into(),
        Segment::new([0.1, 0.2], [0.1, 0.2]).into(),
        Capsule::new([0.1, 0.2], [5.0, 1.7], 0.4).into(),
        Capsule::new([0.1, 0.2], [0.1, 0.2], 0.4).into(),
        wedge.into(),
        many.into(),
        Compound::new(parts).unwrap().into(),
    ]
}

/// Each shape comes back as it was pushed, to the bit, among other shapes and after a row was
/// removed.
#[test]
fn shapes_come_back() {
    let kinds = all_kinds();
    let mut shapes = Shapes::from_slice(&kinds).unwrap();
    let check = |shapes: &Shapes| {
        for (row, shape) in kinds.iter().enumerate() {
            assert_eq!(shapes.get(row as u32).as_ref(), Some(shape), "row {row}");
        }
    };
    check(&shapes);
    let extra = shapes.push(&kinds[9]).unwrap();
    shapes.remove(extra).unwrap();
    assert_eq!((shapes.get(extra), shapes.bounds(extra)), (None, None));
    assert_eq!((shapes.len(), shapes.rows()), (kinds.len(), kinds.len() + 1));
    assert_eq!((shapes.get(99), shapes.bounds(99)), (None, None));
    check(&shapes);
    // Axis-aligned shapes alone, for which no records are kept.
    let plain = Shapes::from_slice(&kinds[..4]).unwrap();
    assert!((0..4).all(|row| plain.get(row).as_ref() == kinds.get(row as usize)));
}

/// A shape and its pose make the same row again, except for roundings of the sides of boxes and the
/// ends of segments and capsules.
#[test]
fn shapes_go_back_in() {
    let kinds = all_kinds();
    let (mut shapes, mut again) = (Shapes::new(), Shapes::new());
    for step in 0..40 {
        let pose = Pose::new([step as f32 * 0.37, 5.0], Rotation::from_angle(step as f32));
        let kind = &kinds[step % kinds.len()];
        let pose = match kind.any() {
            AnyShape::Aabb(_) | AnyShape::RoundedBox(_) => Pose::at(pose.position()),
            _ => pose,
        };
        shapes.push_at(kind, pose).unwrap();
    }
    for row in 0..shapes.rows() as u32 {
        let (shape, pose) = (shapes.get(row).unwrap(), shapes.pose(row).unwrap());
        assert_eq!(shape.any().kind(), shapes.kind(row).unwrap());
        again.push_at(&shape, pose).unwrap();
        assert_eq!(again.pose(row), Some(pose));
        let sides = |shapes: &Shapes| {
            let RoundedBox { min_x, min_y, max_x, max_y, radius } = shapes.bounds(row).unwrap();
            [min_x, min_y, max_x, max_y, radius]
        };
        let off = sides(&again).into_iter().zip(sides(&shapes)).map(|(a, b)| (a - b).abs());
        let most = off.fold(0.0, f32::max);
        let rounds = matches!(step_kind(row, &kinds), 2 | 3 | 5 | 7);
        assert!(if rounds { most < 1e-5 } else { most == 0.0 }, "row {row}: {most}");
    }
}

/// Which of `kinds` is in a row of the store above.
fn step_kind(row: u32, kinds: &[OwnedShape]) -> usize {
    row as usize % kinds.len()
}

/// Positions are poses without their rotations: in a mixed store, and in a store of circles.
#[test]
fn positions_are_poses_without_rotations() {
    let kinds = all_kinds();
    let rounds = [kinds[0].clone(), kinds[1].clone()];
    for list in [&kinds[..], &kinds[..4], &rounds] {
        let mut moved = Shapes::from_slice(list).unwrap();
        moved.push(&list[1]).unwrap();
        moved.remove(list.len() as u32).unwrap();
        let mut posed = moved.clone();
        for step in 1..4 {
            let [x, y] = [0.3, -7.7].map(|by| {
                (0..moved.rows())
                    .map(|row| row as f32 * 1.7 + by * step as f32)
                    .collect::<Vec<f32>>()
            });
            moved.set_positions(&x, &y).unwrap();
            let poses: Vec<Pose> = (0..posed.rows())
                .map(|row| Pose {
                    x: x[row],
                    y: y[row],
                    ..posed.pose(row as u32).unwrap_or_default()
                })
                .collect();
            posed.set_poses(&poses).unwrap();
            for row in 0..moved.rows() as u32 {
                assert_eq!(moved.bounds(row), posed.bounds(row), "row {row}, step {step}");
                assert_eq!(moved.pose(row), posed.pose(row), "row {row}, step {step}");
            }
        }
        // All rows or no row.
        let before: Vec<_> = (0..moved.rows() as u32).map(|row| moved.bounds(row)).collect();
        let mut x = vec![1.0; moved.rows()];
        let y = x.clone();
        let short = moved.set_positions(&x[1..], &y).unwrap_err();
        let (len, expected) = (x.len() - 1, x.len());
        assert_eq!(short, Error::UnequalColumns { field: Field::X, len, expected });
        x[1] = f32::NAN;
        let refused = moved.set_positions(&x, &y).unwrap_err();
        assert!(matches!(refused, Error::InvalidShape { index: 1, field: Field::X, .. }));
        assert!((0..moved.rows() as u32).map(|row| moved.bounds(row)).eq(before));
        // Values of vacant rows are not read.
        x[1] = 1.0;
        x[list.len()] = f32::NAN;
        moved.set_positions(&x, &y).unwrap();
    }
}

/// Columns that are appended as a whole are the rows that shape by shape makes.
#[test]
fn columns_in_bulk() {
    let column =
        |from: f32| (0..150).map(|i| from + (i * 37 % 101) as f32 * 0.3).collect::<Vec<f32>>();
    let [x, y, width, height, radius] = [0.1, -20.7, 0.2, 0.3, 0.4].map(column);
    let [max_x, max_y] = [(&x, &width), (&y, &height)].map(|(low, size)| {
        low.iter().zip(size).map(|(low, size)| low + size).collect::<Vec<f32>>()
    });
    let forms = [
        Columns::points(&x, &y),
        Columns::circles(&x, &y, &radius),
        Columns::aabbs(&x, &y, &max_x, &max_y),
        Columns::centered(&x, &y, &width, &height),
        Columns::rounded_boxes(&x, &y, &max_x, &max_y, &radius),
    ]
    .map(Result::unwrap);
    let (mut bulk, mut single) = (Shapes::new(), Shapes::new());
    let all: Vec<u32> = (0..150).collect();
    for columns in forms {
        bulk.extend_from_columns(columns).unwrap();
        // By rows, they are appended one by one.
        single.extend_from_rows(columns, &all).unwrap();
    }
    assert_eq!((bulk.rows(), bulk.len()), (750, 750));
    for row in 0..750 {
        assert_eq!(bulk.get(row), single.get(row), "row {row}");
        assert_eq!(bulk.kind(row), single.kind(row), "row {row}");
    }
    let pairs = |shapes: &Shapes| widephase::Detector::new().count(shapes).unwrap();
    assert_eq!(pairs(&bulk), pairs(&single));
    bulk.remove(700).unwrap();
    assert_eq!(bulk.get(700), None);
}
