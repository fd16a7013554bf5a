//! Axis-aligned shapes that get poses: at their own position, their sides stay to the last bit,
//! even if centre and size would round differently; elsewhere, the sides are rounded again.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

use widephase::{
    Error, Shapes,
    columns::PoseColumns,
    error::{Fault, Field},
    shape::{
        Aabb, AxisAligned, Capsule, Circle, MAX_COORDINATE, Obb, Pose, Rotation, RoundedBox,
        Segment, Shape,
    },
};

/// From 2^24 - 2 to 2^24 - 1, where numbers are whole: the middle is not a whole number, and half
/// the width is lost when added to it.
const COARSE: Aabb = Aabb { min_x: 16_777_214.0, min_y: 0.0, max_x: 16_777_215.0, max_y: 1.0 };
/// Centre and half the size of it, added up, give other sides.
const TENTHS: Aabb = Aabb { min_x: 0.1, min_y: 0.2, max_x: 0.4, max_y: 0.7 };
/// The last two numbers within the limit. The centre is rounded to 2^60, and half the width reaches
/// beyond.
const LAST: Aabb = Aabb {
    min_x: MAX_COORDINATE - (1_u64 << 36) as f32,
    min_y: -1.0,
    max_x: MAX_COORDINATE,
    max_y: 1.0,
};

fn bits(sides: RoundedBox) -> [u32; 5] {
    let RoundedBox { min_x, min_y, max_x, max_y, radius } = sides;
    [min_x, min_y, max_x, max_y, radius].map(f32::to_bits)
}

/// A store of a shape: alone and without records, or beside a rotated shape, with records.
fn stores(shape: impl Shape + Copy) -> [Shapes; 2] {
    let mut beside = Shapes::new();
    beside.push(shape).unwrap();
    let alone = beside.clone();
    beside.push(Obb::new([5.0, 5.0], [1.0, 2.0], Rotation { cos: 0.6, sin: 0.8 })).unwrap();
    [alone, beside]
}

/// Gives all shapes their own poses by `set_poses`.
fn set_own_poses(shapes: &mut Shapes) {
    let rows = 0..shapes.rows() as u32;
    let poses: Vec<Pose> = rows.map(|row| shapes.pose(row).unwrap()).collect();
    shapes.set_poses(&poses).unwrap();
}

#[test]
fn shapes_at_their_own_poses_keep_their_bits() {
    let boxes = [
        COARSE.rounded_box(),
        RoundedBox::new(COARSE, 0.3),
        TENTHS.rounded_box(),
        RoundedBox::new(TENTHS, 0.1),
        LAST.rounded_box(),
        RoundedBox::new(LAST, 1.0),
        Circle::new([0.1, 16_777_215.0], 0.7).rounded_box(),
    ];
    for sides in boxes {
        for mut shapes in stores(sides) {
            let kept = |shapes: &Shapes| assert_eq!(shapes.bounds(0).map(bits), Some(bits(sides)));
            kept(&shapes);
            let own = shapes.pose(0).unwrap();
            shapes.set_pose(0, own).unwrap();
            kept(&shapes);
            set_own_poses(&mut shapes);
            kept(&shapes);
            assert_eq!(shapes.pose(0), Some(own));
        }
        // The first call may be the call for all rows.
        for mut shapes in stores(sides) {
            set_own_poses(&mut shapes);
            assert_eq!(shapes.bounds(0).map(bits), Some(bits(sides)));
        }
    }
}

#[test]
fn elsewhere_sides_are_rounded_anew() {
    for mut shapes in stores(COARSE) {
        // 2^25 - 3 is between two numbers, and 2^25 - 4 is the even number.
        assert_eq!(shapes.pose(0), Some(Pose::at([16_777_214.0, 0.5])));
        // Half of the width is 1/2 wherever it is representable.
        let near = Aabb::new([7.5, 0.0], [8.5, 1.0]).rounded_box();
        shapes.set_pose(0, Pose::at([8.0, 0.5])).unwrap();
        assert_eq!(shapes.bounds(0), Some(near));
        // Back again, 2^24 - 2 less and more 1/2 are rounded to the even number, 2^24 - 2.
        let flat = Aabb::new([16_777_214.0, 0.0], [16_777_214.0, 1.0]).rounded_box();
        shapes.set_pose(0, Pose::at([16_777_214.0, 0.5])).unwrap();
        assert_eq!(shapes.bounds(0), Some(flat));
        // And that does not stay with it.
        shapes.set_pose(0, Pose::at([8.0, 0.5])).unwrap();
        assert_eq!(shapes.bounds(0), Some(near));
    }
}

/// A shape at the limit may be where it is, and nowhere else that is as far.
#[test]
fn at_the_limit() {
    for mut shapes in stores(LAST) {
        assert_eq!(shapes.pose(0), Some(Pose::at([MAX_COORDINATE, 0.0])));
        let (index, field, value, fault) = (0, Field::X, MAX_COORDINATE, Fault::OutOfReach);
        let refused = Err(Error::InvalidShape { index, field, value, fault });
        let above = Pose::at([MAX_COORDINATE, 0.5]);
        assert_eq!(shapes.set_pose(0, above), refused);
        let rows = 1..shapes.rows() as u32;
        let mut poses = vec![above];
        poses.extend(rows.map(|row| shapes.pose(row).unwrap()));
        assert_eq!(shapes.set_poses(&poses), refused);
        assert_eq!(shapes.bounds(0).map(bits), Some(bits(LAST.rounded_box())));
    }
}

/// Capsules and segments whose ends coincide are circles and points: of a pose, they take the
/// position only.
#[test]
fn capsules_without_a_length_do_not_turn() {
    let turned = Pose::new([3.0, 4.0], Rotation { cos: 0.6, sin: 0.8 });
    let capsule = Capsule::new([0.1, 0.2], [0.1, 0.2], 0.5);
    for mut shapes in stores(capsule) {
        shapes.set_pose(0, turned).unwrap();
        assert_eq!(shapes.pose(0), Some(Pose::at([3.0, 4.0])));
    }
    for mut shapes in stores(Segment::new([0.1, 0.2], [0.1, 0.2])) {
        shapes.set_pose(0, turned).unwrap();
        assert_eq!(shapes.pose(0), Some(Pose::at([3.0, 4.0])));
        let at = Aabb::new([3.0, 4.0], [3.0, 4.0]).rounded_box();
        assert_eq!(shapes.bounds(0), Some(at));
    }
    // With a length they do.
    for mut shapes in stores(Capsule::new([0.0, 0.0], [2.0, 0.0], 0.5)) {
        shapes.set_pose(0, turned).unwrap();
        assert_eq!(shapes.pose(0), Some(turned));
    }
}

#[test]
fn a_rotation_of_an_axis_aligned_box_is_an_error() {
    let (quarter, half) = (Rotation { cos: 0.0, sin: 1.0 }, Rotation { cos: -1.0, sin: 0.0 });
    let slight = Rotation::from_angle(1e-4);
    let aabb = Aabb::new([-1.0, -2.0], [1.0, 2.0]);
    for shape in [aabb.rounded_box(), RoundedBox::new(aabb, 0.5)] {
        for rotation in [quarter, half, slight] {
            let pose = Pose::new([7.0, 8.0], rotation);
            let mut shapes = Shapes::new();
            shapes.push(Circle::new([0.0, 0.0], 1.0)).unwrap();
            shapes.push(shape).unwrap();
            let before = shapes.clone();
            let (field, value) = match rotation.sin == 0.0 {
                true => (Field::Cos, rotation.cos),
                false => (Field::Sin, rotation.sin),
            };
            let error = |result: Result<(), Error>, row: usize| {
                let Err(Error::InvalidShape { index, field: named, value: given, fault }) = result
                else {
                    panic!("{result:?} for {pose:?}")
                };
                assert_eq!((index, named, fault), (row, field, Fault::CannotRotate));
                assert!((given - value).abs() < 1e-6, "{given}");
            };
            error(shapes.set_pose(1, pose), 1);
            error(shapes.set_pose(1, Pose { x: 0.0, y: 0.0, ..pose }), 1); // where it is
            error(shapes.set_poses(&[pose; 2]), 1);
            let columns = [[7.0; 2], [8.0; 2], [rotation.cos; 2], [rotation.sin; 2]];
            let [x, y, cos, sin] = &columns;
            error(shapes.set_poses_from_columns(PoseColumns { x, y, cos, sin }), 1);
            error(shapes.push_at(shape, pose).map(drop), 2);
            assert_eq!((shapes.rows(), shapes.get(1)), (2, before.get(1)));
            assert_eq!(shapes.pose(0), before.pose(0));
            // A circle looks the same at any rotation. A vacant row takes any pose.
            shapes.set_pose(0, pose).unwrap();
            shapes.remove(1).unwrap();
            shapes.set_poses(&[pose; 2]).unwrap();
        }
    }
}
