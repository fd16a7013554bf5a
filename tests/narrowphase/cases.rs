//! Cases of the narrowphase with numbers worked out by hand; each also on every level and on the
//! scalar twin, to the last bit, and with the shapes exchanged. Shapes that touch exactly, at a
//! face or a corner, shapes that coincide and shapes without size are in `cases_touching.rs`.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

use std::{
    f32::consts::{FRAC_1_SQRT_2, SQRT_2},
    f64::consts::FRAC_PI_2,
};

use common::{
    cases::{
        APART, OVERLAPPING, Spot, TOUCHING, assert_nearly, both, close, diamond, meet, moved, near,
        obb, points, polygon, regular, spots, store, touch, way,
    },
    pow2,
};
use widephase::{
    Contact, Detector, Narrowphase, NarrowphaseOptions, Pair, Shapes, Touching, narrowphase,
    shape::{
        Aabb, Capsule, Circle, Compound, ConvexPolygon, Obb, OwnedShape, Part, Point, Posed,
        Rotation, RoundedBox, Segment, Shape,
    },
};

// ---------------------------------------------------------------- boxes

#[test]
fn boxes_face_to_face() {
    let (a, b) = (obb(0.0, 0.0, [2.0, 1.0]), obb(3.0, 0.5, [1.0, 1.0]));
    assert_eq!(both(a, b), TOUCHING);
    let found = meet(a, b);
    assert_eq!(way(&found), ([1.0, 0.0], 0.0));
    // The sides meet from y = -0.5, where the side of b begins, to y = 1, where the side of a ends.
    // They are as long and as good, and the side of a looks right: it is the reference side.
    assert_eq!(spots(&found), [([2.0, -0.5], [101, 0]), ([2.0, 1.0], [101, 3])]);
    let back = meet(b, a);
    assert_eq!(way(&back), ([-1.0, 0.0], 0.0));
    assert_eq!(spots(&back), [([2.0, -0.5], [0, 101]), ([2.0, 1.0], [3, 101])]);
    assert_eq!(both(a, obb(3.0 + 1e-6, 0.5, [1.0, 1.0])), APART);
    assert_eq!(both(a, obb(3.0 - 1e-6, 0.5, [1.0, 1.0])), OVERLAPPING);
}

#[test]
fn boxes_corner_to_corner() {
    let (a, b) = (obb(0.0, 0.0, [1.0, 1.0]), obb(2.0, 2.0, [1.0, 1.0]));
    assert_eq!(both(a, b), TOUCHING);
    let found = meet(a, b);
    assert_eq!((found.depth, found.points().len()), (0.0, 1));
    assert_eq!(points(&found)[0].0, [1.0, 1.0]);

    let twice = 2.0 * SQRT_2;
    assert_eq!(both(diamond(0.0, 0.0), diamond(twice - 1e-6, 0.0)), OVERLAPPING);
    assert_eq!(both(diamond(0.0, 0.0), diamond(twice + 1e-6, 0.0)), APART);
    // Tip to tip by 1/64: on the upper right side of one shape, and within 1/64 / √2 of its end, is
    // the lower left side of the other. Both sides are as long and as good, and the side of the
    // first looks up. One point is the left tip of the other shape; at the other point, its side is
    // cut off on the way to its lower corner.
    let found = meet(diamond(0.0, 0.0), diamond(twice - 1.0 / 64.0, 0.0));
    let depth = FRAC_1_SQRT_2 / 64.0;
    assert_nearly(&found, [FRAC_1_SQRT_2; 2], depth);
    let expected = [
        ([SQRT_2 - 1.0 / 256.0, -1.0 / 256.0], [101, 0]),
        ([SQRT_2 - 3.0 / 256.0, 1.0 / 256.0], [101, 3]),
    ];
    for (at, features) in expected {
        let there = |spot: &Spot| close(spot.0[0], at[0], 1e-6) && close(spot.0[1], at[1], 1e-6);
        assert!(points(&found).iter().any(|spot| there(spot) && spot.1 == features), "{found:?}");
    }
    assert!(found.points().iter().all(|point| close(point.depth, depth, 1e-6)));
    let found = near(diamond(0.0, 0.0), diamond(twice + 0.25, 0.0), 0.5).unwrap();
    assert_eq!((found.normal().x, found.normal().y, found.points().len()), (1.0, 0.0, 1));
    assert!(close(found.depth, -0.25, 1e-6));
    let [(at, features)] = points(&found)[..] else { panic!() };
    assert!(close(at[0], SQRT_2 + 0.125, 1e-6) && close(at[1], 0.0, 1e-6));
    // From tip to tip. For a box, x is the first axis: its right side, and the side of the first
    // looks up.
    assert_eq!(features, [101, 3]);
}

#[test]
fn boxes_corner_to_side() {
    // The corner of the diamond is at (√2, 0).
    let side = obb(SQRT_2 + 0.75, 0.25, [1.0, 1.0]);
    let found = meet(diamond(0.0, 0.0), side);
    assert_eq!((found.normal().x, found.normal().y, found.points().len()), (1.0, 0.0, 1));
    assert!(close(found.depth, 0.25, 1e-6));
    assert!(
        close(found.points()[0].x, SQRT_2 - 0.125, 1e-6) && close(found.points()[0].y, 0.0, 1e-6)
    );
    assert_eq!(points(&found)[0].1, [1, 103]);
}

#[test]
fn boxes_within_boxes() {
    let large = obb(0.0, 0.0, [2.0, 2.0]);
    let found = meet(large, obb(0.5, 0.0, [0.25, 0.25]));
    assert_eq!(way(&found), ([1.0, 0.0], 1.75));
    assert_eq!(found.points().len(), 2);
    assert_eq!(both(large, obb(0.5, 0.0, [0.25, 0.25])), OVERLAPPING);
    // Coincident: out below, the first of the shortest ways.
    let same = obb(0.0, 0.0, [2.0, 1.0]);
    assert_eq!(way(&meet(same, same)), ([0.0, -1.0], 2.0));
    assert_eq!(both(same, same), OVERLAPPING);
    // Deep within a polygon of 64 sides, whose right side is 8 cos(π/64) from the centre.
    let found = meet(regular(64, 8.0), obb(3.0, 0.0, [0.125, 0.125]));
    let apothem = 8.0 * (std::f32::consts::PI / 64.0).cos();
    assert!(close(found.depth, apothem - 3.0 + 0.125, 1e-5), "{found:?}");
    assert!(close(found.normal().x, 1.0, 1e-6));
}

#[test]
fn boxes_without_size() {
    let (unit, dot) = (obb(0.0, 0.0, [1.0, 1.0]), |x| obb(x, 0.0, [0.0, 0.0]));
    assert_eq!(both(unit, dot(1.0)), TOUCHING);
    assert_eq!(both(unit, dot(0.5)), OVERLAPPING);
    assert_eq!(both(unit, dot(1.0 + 1e-6)), APART);
    assert_eq!(both(dot(3.0), dot(3.0)), TOUCHING);
    // Without height: a segment.
    assert_eq!(both(obb(0.0, 1.0, [1.0, 0.0]), unit), TOUCHING);
    assert_eq!(both(obb(0.0, 0.5, [3.0, 0.0]), unit), OVERLAPPING);
}

// ---------------------------------------------------------------- segments and capsules

#[test]
fn segments_touch_where_they_share_a_point() {
    let across = Segment::new([-1.0, 0.0], [1.0, 0.0]);
    let aligned = |x| Segment::new([x, -1.0], [x, 1.0]);
    assert_eq!(both(across, aligned(0.0)), OVERLAPPING);
    assert_eq!(meet(across, aligned(0.0)).depth, 1.0);
    assert_eq!(both(across, aligned(1.0)), TOUCHING);
    assert_eq!(both(across, aligned(1.0 + 1e-6)), APART);
    assert_eq!(both(across, Segment::new([1.0, 0.0], [2.0, 0.0])), TOUCHING);
    assert_eq!(both(across, across), TOUCHING);
    assert_eq!(both(across, Point::new([0.5, 0.0])), TOUCHING);
    assert_eq!(both(across, Point::new([0.5, 1e-6])), APART);
}

#[test]
fn capsules_without_a_length_are_circles() {
    // A capsule of no length: a circle.
    let dot = Capsule::new([0.0, 0.0], [0.0, 0.0], 1.0);
    let circle = Circle::new([1.5, 0.0], 0.5);
    assert_eq!(both(dot, circle), TOUCHING);
    let found = meet(dot, circle);
    assert_eq!(way(&found), ([1.0, 0.0], 0.0));
    assert_eq!(points(&found)[0].0, [1.0, 0.0]);

    // Ends that meet along the way (3, 4).
    let lying = Capsule::new([-2.0, 0.0], [0.0, 0.0], 2.0);
    let other = Capsule::new([3.0, 4.0], [9.0, 4.0], 3.0);
    assert_eq!(both(lying, other), TOUCHING);
    let found = near(lying, Capsule { radius: 2.0, ..other }, 1.5).unwrap();
    assert!(close(found.depth, -1.0, 1e-6) && close(found.normal().x, 0.6, 1e-6));
    assert!(close(found.points()[0].x, 1.5, 1e-6) && close(found.points()[0].y, 2.0, 1e-6));
}

#[test]
fn a_capsule_rests_on_a_box() {
    let floor = obb(0.0, 0.0, [5.0, 1.0]);
    let capsule = Capsule::new([-1.0, 1.5], [1.0, 1.5], 0.5);
    assert_eq!(both(floor, capsule), TOUCHING);
    let found = meet(floor, capsule);
    assert_eq!(way(&found), ([0.0, 1.0], 0.0));
    assert_eq!(points(&found), [([-1.0, 1.0], [102, 0]), ([1.0, 1.0], [102, 1])]);
    // On an axis-aligned box, the contact is the same.
    let found = meet(Aabb::new([-5.0, -1.0], [5.0, 1.0]), capsule);
    assert_eq!(way(&found), ([0.0, 1.0], 0.0));
    assert_eq!(found.points().len(), 2);
}

// ---------------------------------------------------------------- circles

#[test]
fn circles_meet_along_the_line_of_their_centres() {
    let (a, b) = (Circle::new([0.0, 0.0], 2.0), Circle::new([3.0, 4.0], 3.0));
    assert_eq!(both(a, b), TOUCHING);
    let found = meet(a, b);
    assert_eq!(way(&found), ([0.6, 0.8], 0.0));
    let same = meet(a, a);
    assert_eq!(way(&same), ([1.0, 0.0], 4.0));
    assert_eq!(points(&same), [([0.0, 0.0], [0, 0])]);
    let dot = Circle::new([1.0, 1.0], 0.0);
    assert_eq!(both(dot, dot), TOUCHING);
}

#[test]
fn a_circle_within_a_box_leaves_by_the_nearest_side() {
    let square = obb(0.0, 0.0, [1.0, 1.0]);
    let flat = obb(0.0, 0.0, [2.0, 1.0]);
    let at = |x, y| Circle::new([x, y], 0.5);
    let cases = [
        (square, at(0.0, 0.0), [-1.0, 0.0], 1.5, 103),
        (square, at(0.5, 0.5), [1.0, 0.0], 1.0, 101),
        (square, at(-0.5, 0.5), [-1.0, 0.0], 1.0, 103),
        (flat, at(0.0, 0.0), [0.0, -1.0], 1.5, 100),
        (flat, at(0.0, 0.5), [0.0, 1.0], 1.0, 102),
        (flat, at(1.75, 0.5), [1.0, 0.0], 0.75, 101),
    ];
    for (a, b, normal, depth, side) in cases {
        let found = meet(a, b);
        assert_eq!(way(&found), (normal, depth), "{b:?}");
        assert_eq!(points(&found)[0].1, [side, 0], "{b:?}");
        let back = meet(b, a);
        assert_eq!(way(&back), (normal.map(|value| 0.0 - value), depth), "{b:?}");
        // An axis-aligned box: the same ways, which its own test finds.
        let [w, h] = a.half_extents().to_array();
        assert_eq!(way(&meet(Aabb::new([-w, -h], [w, h]), b)), (normal, depth), "{b:?}");
    }
}

#[test]
fn a_circle_at_the_corner_of_a_box() {
    let square = obb(0.0, 0.0, [1.0, 1.0]);
    let circle = |radius| Circle::new([4.0, -5.0], radius);
    assert_eq!(both(square, circle(5.0)), TOUCHING);
    assert_eq!(both(square, circle(4.999)), APART);
    let found = meet(square, circle(5.0));
    assert_eq!(way(&found), ([0.6, -0.8], 0.0));
    assert_eq!(points(&found)[0].1, [1, 0]);
    assert!(close(found.points()[0].x, 1.0, 1e-6) && close(found.points()[0].y, -1.0, 1e-6));
}

// ---------------------------------------------------------------- polygons

#[test]
fn a_polygon_and_what_is_round() {
    let wedge = polygon(&[[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]]);
    for (x, y, expected) in [
        (2.0, 2.0, TOUCHING),
        (4.0, 0.0, TOUCHING),
        (0.0, 1.0, TOUCHING),
        (1.0, 1.0, OVERLAPPING),
        (2.001, 2.0, APART),
        (-1e-6, 1.0, APART),
    ] {
        assert_eq!(both(&wedge, Point::new([x, y])), expected, "({x}, {y})");
    }
    // The corner (0, 0) is 5 from (-3, -4).
    let circle = Circle::new([-3.0, -4.0], 5.0);
    assert_eq!(both(&wedge, circle), TOUCHING);
    let found = meet(&wedge, circle);
    assert_eq!(way(&found), ([-0.6, -0.8], 0.0));
    assert_eq!(points(&found)[0].1, [0, 0]);
    assert!(close(found.points()[0].x, 0.0, 1e-6) && close(found.points()[0].y, 0.0, 1e-6));
    // Below its lower side, which is side 0.
    let found = meet(&wedge, Circle::new([1.0, -0.75], 1.0));
    assert_eq!(way(&found), ([0.0, -1.0], 0.25));
    assert_eq!(points(&found), [([1.0, 0.125], [100, 0])]);
}

/// A pentagon is filled up to eight corners with its first. Circles above that, a little to the
/// side of it: the ways to the side and to its end differ by the cosine of a small angle, which is
/// 1 but for roundings up to about 0.0005. Up to there the normal may be either. The feature is the
/// vertex only where the circle is 2^-6 or more beside the side.
#[test]
fn circles_above_the_first_corner_of_a_pentagon() {
    let houses = [
        polygon(&[[-4.0, 0.0], [2.0, -3.0], [3.0, 3.0], [1.0, 4.0], [-3.0, 3.0]]),
        polygon(&[[-4.0, 1.0], [-1.0, -4.0], [1.0, -4.0], [1.0, 4.0], [-1.0, 4.0]]),
    ];
    let angles = [0.0, 1e-7, 1e-6, 1e-5, 1e-4, 0.001, 0.01, 0.1].map(|angle| [angle, -angle]);
    for house in houses {
        let [[x, y], [next_x, next_y]] = [0, 1].map(|at| house.vertices()[at].to_array());
        let along = f64::atan2((next_y - y).into(), (next_x - x).into());
        for height in [4.0, 1.0, 0.25, 1.0 / 64.0] {
            for angle in angles.into_iter().flatten() {
                let (up, right) = (along - FRAC_PI_2 + angle).sin_cos();
                let center = [f64::from(x) + height * right, f64::from(y) + height * up];
                let found = meet(&house, Circle::new(center.map(|value| value as f32), 4.5));
                // The side's normal, or the way from the corner; and how far it is.
                let normal = (along - FRAC_PI_2 + angle.min(0.0)).sin_cos();
                let distance = height * angle.max(0.0).cos();
                let roundings = 4e-7 / height;

                let what = format!("height {height}, angle {angle}: {found:?}");
                let ([normal_x, normal_y], depth) = way(&found);
                assert!(close(normal_x, normal.1 as f32, 0.000_6 + roundings as f32), "{what}");
                assert!(close(normal_y, normal.0 as f32, 0.000_6 + roundings as f32), "{what}");
                assert!(close(depth, (4.5 - distance) as f32, 2e-6), "{what}");
                let feature = points(&found)[0].1[0];
                let named = if angle > -f64::from(pow2(-6)) { 100 } else { 0 };
                assert_eq!(feature, named, "{what}");
            }
        }
    }
}

/// A side that is shorter than a rounding of its place: seen from the middle, its ends are one
/// point, and it still has a direction. Found by the fuzz target `contacts`: its normal was not a
/// number.
#[test]
fn a_side_shorter_than_a_rounding() {
    let tiny = 2.081_289_6e-21;
    let needle = ConvexPolygon::hull(&[[0.0, 0.0], [tiny, 0.0], [9.75, 14.75]]).unwrap();
    assert_eq!(needle.vertices().len(), 3);
    let segment = Segment::new([0.0, 0.0], [9.75, 14.75]);
    let wall = Aabb::new([tiny, 7.25], [16.25, 7.25]);
    let turning = Compound::new([wall]).unwrap();
    let (of_needle, of_segment) = (meet(&needle, wall), meet(segment, wall));
    for found in [of_needle, meet(&needle, obb(8.125, 7.25, [8.125, 0.0]))] {
        let ([x, y], depth) = way(&found);
        let ([normal_x, normal_y], expected) = way(&of_segment);
        assert!(close(x, normal_x, 1e-6) && close(y, normal_y, 1e-6), "{found:?}");
        assert!(close(depth, expected, 1e-5), "{found:?}");
    }
    // A rotated box as a part of a compound, for which there is no scalar twin.
    let mut contacts = Vec::new();
    Detector::new().contacts(&store(needle.any(), turning.any()), 0.0, &mut contacts).unwrap();
    assert_eq!(way(&contacts[0]), way(&of_needle));
    // The short side itself is where a circle below touches.
    let found = meet(&needle, Circle::new([0.0, -1.0], 1.25));
    assert_eq!(way(&found), ([0.0, -1.0], 0.25));
}

/// Shapes that a side separates by a subnormal number are as far apart as it says. Found by the
/// fuzz target `contacts`: the twin took all such cores for 2^-126 apart, and said that these do
/// not touch.
#[test]
fn apart_by_a_subnormal_number() {
    let unit = pow2(-135);
    let below = |radius: f32| {
        polygon(&[[-1.0, 0.0], [0.0, -2.0 * unit], [1.0, 0.0]]).with_radius(radius).unwrap()
    };
    let triangle = polygon(&[[-1.0, unit], [1.0, unit], [0.0, 3.0 * unit]]);
    for above in [OwnedShape::from(Point::new([0.0, unit])), triangle.into()] {
        let found = meet(below(2.0 * unit), &above);
        assert_eq!(way(&found), ([0.0, 1.0], unit));
        assert!(touch(below(2.0 * unit), &above, Touching::Inclusive));
        assert_eq!(both(below(0.5 * unit), &above), APART);
        let found = near(below(0.5 * unit), &above, 1.0).unwrap();
        assert_eq!(way(&found), ([0.0, 1.0], -0.5 * unit));
    }
}

#[test]
fn polygons_along_a_side() {
    let a = polygon(&[[0.0, 0.0], [4.0, 0.0], [4.0, 2.0], [0.0, 2.0]]);
    let b = polygon(&[[3.5, 1.0], [6.0, 1.0], [6.0, 5.0], [3.5, 5.0]]);
    let found = meet(&a, &b);
    assert_eq!(way(&found), ([1.0, 0.0], 0.5));
    // Half way between x = 3.5 and x = 4; from y = 1, where b begins, to y = 2, where a ends. The
    // left side of b is the longer side.
    assert_eq!(spots(&found), [([3.75, 1.0], [1, 103]), ([3.75, 2.0], [2, 103])]);
    assert_eq!(both(&a, polygon(&[[4.0, 1.0], [5.0, 0.0], [5.0, 2.0]])), TOUCHING);
    // Corner to corner; a side at an angle would be known within a rounding only.
    assert_eq!(both(&a, polygon(&[[4.0, 2.0], [5.0, 2.0], [5.0, 3.0], [4.0, 3.0]])), TOUCHING);
    assert_eq!(both(&a, &a), OVERLAPPING);
}

#[test]
fn polygons_of_64_sides() {
    let half = std::f32::consts::PI / 64.0;
    let a = regular(64, 1.0);
    let at = |x: f32| {
        let moved: Vec<_> = a.vertices().iter().map(|v| [v.x + x, v.y]).collect();
        polygon(&moved)
    };
    let twice = 2.0 * half.cos();
    assert_eq!(both(&a, at(twice + 1e-6)), APART);
    assert_eq!(both(&a, at(twice - 1e-6)), OVERLAPPING);
    let found = meet(&a, at(twice - 1e-3));
    assert_eq!(found.points().len(), 2);
    assert!(close(found.normal().x, 1.0, 1e-6) && close(found.depth, 1e-3, 1e-6));
    for point in found.points() {
        assert!(close(point.x, half.cos() - 5e-4, 1e-6) && close(point.y.abs(), half.sin(), 1e-4));
    }
}

#[test]
fn needles_touch_at_their_tips_and_sides() {
    let needle = polygon(&[[0.0, -1.0 / 1024.0], [1000.0, 0.0], [0.0, 1.0 / 1024.0]]);
    assert_eq!(both(&needle, obb(1001.0, 0.0, [1.0, 1.0])), TOUCHING);
    let found = meet(&needle, obb(1000.5, 0.0, [1.0, 1.0]));
    assert_eq!(way(&found), ([1.0, 0.0], 0.5));
    assert_eq!(points(&found)[0], ([999.75, 0.0], [1, 103]));
    // Its tip, 3 and 4 from the centre of a circle.
    assert_eq!(both(&needle, Circle::new([1003.0, 4.0], 5.0)), TOUCHING);
    assert_eq!(both(&needle, Circle::new([1003.0, 4.0], 4.999)), APART);
    // Next to nothing high: for a shape above it, its lower side is as near as an upper side.
    let flat = polygon(&[[-2.0, 0.0], [2.0, 0.0], [0.0, 1.0 / (1 << 28) as f32]]);
    let found = meet(&flat, Circle::new([1.0, 0.25], 0.5));
    assert!(close(found.normal().x, 0.0, 1e-8));
    assert_eq!((found.normal().y, found.depth), (1.0, 0.25));
    assert_eq!(points(&found), [([1.0, -0.125], [101, 0])]);
    // A long thin box across a short box.
    let thin = obb(0.0, 0.0, [1000.0, 1.0 / 1024.0]);
    let found = meet(thin, obb(900.0, 1.0, [1.0, 1.0]));
    assert_eq!(way(&found), ([0.0, 1.0], 1.0 / 1024.0));
}

/// Overlaps of a few roundings are overlaps, however near to a side the vertices are then.
#[test]
fn squares_that_hardly_overlap() {
    let square = polygon(&[[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]);
    for by in [17, 18, 19, 20, 21, 22].map(|power| 0.5_f32.powi(power)) {
        let at =
            |x: f32| polygon(&[[x - 1.0, -0.5], [x + 1.0, -0.5], [x + 1.0, 1.5], [x - 1.0, 1.5]]);
        assert_eq!(both(&square, at(2.0 - by)), OVERLAPPING, "{by}");
        assert_eq!(both(&square, at(2.0)), TOUCHING);
        assert_eq!(way(&meet(&square, at(2.0 - by))), ([1.0, 0.0], by));
        assert_eq!(both(&square, Point::new([1.0 - by, 0.25])), OVERLAPPING, "{by}");
        assert_eq!(both(&square, Point::new([1.0 + by, 0.25])), APART, "{by}");
        let found = meet(&square, Circle::new([1.0 - by, 0.25], 0.5));
        assert_eq!(way(&found), ([1.0, 0.0], 0.5 + by));
    }
}

// ---------------------------------------------------------------- all kinds, magnitudes, margins

/// One shape of each kind, and compounds, about a place.
fn every_kind(x: f32, y: f32) -> Vec<OwnedShape> {
    let ball: Part = Circle::new([x - 0.5, y], 1.0).into();
    let bar: Part = Capsule::new([x, y - 1.0], [x, y + 1.0], 0.75).into();
    vec![
        Circle::new([x, y], 1.0).into(),
        Aabb::centered([x, y], [1.0, 1.5]).into(),
        RoundedBox::new(Aabb::centered([x, y], [0.5, 1.0]), 0.5).into(),
        Obb::new([x, y], [1.0, 1.5], Rotation::from_angle(0.5)).into(),
        Capsule::new([x - 1.0, y], [x + 1.0, y], 0.75).into(),
        moved(&regular(3, 2.0), [x, y]).into(),
        moved(&regular(7, 1.0), [x, y]).into(),
        moved(&regular(20, 1.0).with_radius(0.25).unwrap(), [x, y]).into(),
        Compound::new([ball, bar]).unwrap().into(),
    ]
}

/// As the only part of a compound, unless it is a compound.
fn alone(shape: &OwnedShape) -> Compound {
    match shape {
        OwnedShape::Single(part) => Compound::new([part.clone()]).unwrap(),
        OwnedShape::Compound(compound) => compound.clone(),
        other => unreachable!("{other:?} is in no case"),
    }
}

/// The depth of two parts, where there are several.
fn deepest(a: impl Shape, b: impl Shape) -> f32 {
    let [a, b] = [a.any(), b.any()].map(Posed::from);
    narrowphase::contact(a, b, 0.0).unwrap().unwrap().depth
}

/// A point and a segment are in both lists, too: the point is in the middle of both segments, which
/// cross there, as the middle of the second list is.
#[test]
fn every_kind_meets_every_kind() {
    let with = |mut kinds: Vec<OwnedShape>, point: Point, segment: Segment| {
        kinds.extend([point.into(), segment.into()]);
        kinds
    };
    let aligned = |x: f32, y: f32| Segment::new([x, y - 1.0], [x, y + 1.0]);
    let first = with(
        every_kind(0.0, 0.0),
        Point::new([0.5, 0.25]),
        Segment::new([-0.5, -0.25], [1.5, 0.75]),
    );
    let second = |x, y| with(every_kind(x, y), Point::new([x, y]), aligned(x, y));
    let thick = first.len() - 2;
    let mut met = 0;
    for (i, a) in first.iter().enumerate() {
        for (j, b) in second(0.5, 0.25).iter().enumerate() {
            let point = i == thick || j == thick;
            let thin = i >= thick && j >= thick;
            let expected = if point && thin { TOUCHING } else { OVERLAPPING };
            let what = format!("{a:?}, {b:?}");
            for found in
                [both(a, b), both(alone(a), b), both(a, alone(b)), both(alone(a), alone(b))]
            {
                assert_eq!(found, expected, "{what}");
                met += 1;
            }
            let depths = [deepest(a, b), deepest(alone(a), b), deepest(alone(a), alone(b))];
            let right = |depth| if point && thin { depth == 0.0 } else { depth > 0.1 };
            assert!(depths.into_iter().all(right), "{what}: {depths:?}");
            if let (OwnedShape::Single(a), OwnedShape::Single(b)) = (a, b) {
                assert_eq!(meet(a, b).depth, depths[0], "{what}");
            }
        }
        for b in &second(7.0, -7.0) {
            assert_eq!(both(a, b), APART, "{a:?}, {b:?}");
            assert_eq!(both(alone(a), b), APART, "{a:?}, {b:?}");
            assert_eq!(both(alone(a), alone(b)), APART, "{a:?}, {b:?}");
        }
    }
    assert_eq!(met, 4 * 11 * 11);
}

#[test]
fn near_and_far_large_and_small() {
    for unit in [1.0, 2.0_f32.powi(55), 2.0_f32.powi(-40)] {
        let half = [unit, unit];
        let found = meet(obb(0.0, 0.0, half), obb(1.5 * unit, 0.0, half));
        assert_eq!(way(&found), ([1.0, 0.0], 0.5 * unit), "{unit}");
        assert_eq!(both(obb(0.0, 0.0, half), obb(2.0 * unit, 0.0, half)), TOUCHING, "{unit}");
        let circle = |x: f32, y: f32| Circle::new([x * unit, y * unit], 2.5 * unit);
        assert_eq!(way(&meet(circle(0.0, 0.0), circle(3.0, 0.0))), ([1.0, 0.0], 2.0 * unit));
        assert_eq!(both(circle(0.0, 0.0), circle(3.0, 4.0)), TOUCHING, "{unit}");
        assert_eq!(way(&meet(obb(0.0, 0.0, half), circle(3.0, 0.0))), ([1.0, 0.0], 0.5 * unit));
        let wedge = polygon(&[[0.0, 0.0], [4.0 * unit, 0.0], [0.0, 4.0 * unit]]);
        let low = Circle::new([unit, -0.75 * unit], unit);
        assert_eq!(way(&meet(&wedge, low)), ([0.0, -1.0], 0.25 * unit), "{unit}");
        assert_eq!(way(&meet(&wedge, obb(unit, -0.75 * unit, half))), ([0.0, -1.0], 0.25 * unit));
    }
    let far = 1e6;
    let found = meet(obb(far, -far, [1.0, 1.0]), obb(far + 1.5, -far, [1.0, 1.0]));
    assert_eq!(way(&found), ([1.0, 0.0], 0.5));
    assert_eq!(points(&found)[0].0, [far + 0.75, 1.0 - far]);
}

#[test]
fn contacts_within_the_margin_are_found() {
    let (square, circle) = (obb(0.0, 0.0, [1.0, 1.0]), Circle::new([3.0, 0.0], 1.0));
    assert_eq!(near(square, circle, 0.0), None);
    assert_eq!(near(square, circle, 0.999), None);
    let found = near(square, circle, 1.0).unwrap();
    assert_eq!(way(&found), ([1.0, 0.0], -1.0));
    assert_eq!(points(&found), [([1.5, 0.0], [101, 0])]);
    // Sides at an angle: the second point only as far as it is within the margin.
    let tilted = Obb::new([0.0, 2.5], [1.0, 1.0], Rotation::from_angle(0.1));
    let (few, many) = (near(square, tilted, 0.45).unwrap(), near(square, tilted, 0.7).unwrap());
    assert_eq!((few.points().len(), many.points().len()), (1, 2));
    assert_eq!(few.points()[0], many.points()[0]);
}

#[test]
fn compounds_touch_part_by_part() {
    let compound =
        Compound::new([Circle::new([0.0, 0.0], 1.0), Circle::new([4.0, 0.0], 1.0)]).unwrap();
    let floor = obb(2.0, -1.75, [5.0, 1.0]);
    let mut contacts = Vec::new();
    let shapes = store(compound.any(), floor.any());
    Detector::new().contacts(&shapes, 0.0, &mut contacts).unwrap();
    let of = |c: &Contact| (c.pair, c.part_a, c.part_b, way(c));
    let pair = Pair { a: 0, b: 1 };
    assert_eq!(
        contacts.iter().map(of).collect::<Vec<_>>(),
        [(pair, 0, 0, ([0.0, -1.0], 0.25)), (pair, 1, 0, ([0.0, -1.0], 0.25))]
    );
    assert_eq!(both(&compound, Point::new([2.0, 0.0])), APART);
    assert_eq!(both(&compound, Point::new([3.0, 0.0])), TOUCHING);
}

/// Pairs of the caller's come out as often as they came in. A shape and itself are two in one
/// place; so are the parts of a compound, each two of them both ways round: circles of radius 1
/// whose first two centres are 1.5 apart.
#[test]
fn pairs_of_one_shape_and_pairs_again() {
    let mut shapes = Shapes::new();
    shapes.push(Circle::new([0.0, 0.0], 1.0)).unwrap();
    shapes.push(obb(1.5, 0.0, [1.0, 2.0])).unwrap();
    shapes.push(Point::new([5.0, 5.0])).unwrap();
    shapes.push(Segment::new([5.0, 5.0], [7.0, 5.0])).unwrap();
    let balls = [0.0, 1.5, 9.0].map(|x| Circle::new([x, 0.0], 1.0));
    shapes.push(Compound::new(balls).unwrap()).unwrap();
    let mut pairs: Vec<Pair> = (0..5).map(|row| Pair { a: row, b: row }).collect();
    pairs.extend([Pair { a: 0, b: 1 }, Pair { a: 1, b: 0 }, Pair { a: 0, b: 1 }]);
    let (mut touching, mut contacts) = (Vec::new(), Vec::new());

    let mut narrowphase = Narrowphase::new();
    narrowphase.pairs(&shapes, &pairs, &mut touching).unwrap();
    assert_eq!(touching, pairs);
    narrowphase.contacts(&shapes, &pairs, 0.0, &mut contacts).unwrap();
    let of = |c: &Contact| (c.pair.a, c.pair.b, c.part_a, c.part_b, way(c));
    let (left, right, down) = ([-1.0, 0.0], [1.0, 0.0], [0.0, -1.0]);
    let expected = [
        (0, 0, 0, 0, (right, 2.0)),
        (1, 1, 0, 0, (left, 2.0)),
        (2, 2, 0, 0, (right, 0.0)),
        (3, 3, 0, 0, (down, 0.0)),
        (4, 4, 0, 0, (right, 2.0)),
        (4, 4, 0, 1, (right, 0.5)),
        (4, 4, 1, 0, (left, 0.5)),
        (4, 4, 1, 1, (right, 2.0)),
        (4, 4, 2, 2, (right, 2.0)),
        (0, 1, 0, 0, (right, 0.5)),
        (1, 0, 0, 0, (left, 0.5)),
        (0, 1, 0, 0, (right, 0.5)),
    ];
    assert_eq!(contacts.iter().map(of).collect::<Vec<_>>(), expected);

    // A point and a segment have no inside, and only touch themselves.
    let mut narrowphase = Narrowphase::with_options(NarrowphaseOptions {
        touching: Touching::Exclusive,
        ..NarrowphaseOptions::default()
    })
    .unwrap();
    narrowphase.pairs(&shapes, &pairs, &mut touching).unwrap();
    let thin = |pair: &Pair| pair.a == pair.b && [2, 3].contains(&pair.a);
    pairs.retain(|pair| !thin(pair));
    assert_eq!(touching, pairs);
}

/// A vertex one rounding above a straight side makes two sides of it, which roundings take for each
/// other: a shape above either side is found, and as deep as above one straight side.
#[test]
fn nearly_straight_sides() {
    let top = 5.0_f32.next_up();
    let house = polygon(&[[0.0, 0.0], [10.0, 0.0], [10.0, 5.0], [5.0, top], [0.0, 5.0]]);
    let rounded = house.clone().with_radius(0.25).unwrap();
    for step in 1..200 {
        let x = step as f32 * 0.05;
        let (normal, depth) = way(&meet(&house, Circle::new([x, 5.5], 1.0)));
        assert!(close(normal[1], 1.0, 1e-6) && close(depth, 0.5, 2e-6), "{x}: {normal:?} {depth}");
        if x < 9.85 {
            let leaning = Capsule::new([x, 5.5], [x + 0.1, 5.8], 0.5);
            let (normal, depth) = way(&meet(&rounded, leaning));
            let right = close(normal[1].abs(), 1.0, 1e-6) && close(depth, 0.25, 2e-6);
            assert!(right, "{x}: {normal:?} {depth}");
        }
    }
}

/// The end of a segment lies on a side of a rounded polygon's core, as near as roundings allow:
/// they overlap by the radius. The first side of the polygon leads from (0.5, 3) down to (1.25,
/// 2.75); its outward normal is (-1, -3) / √10.
#[test]
fn cores_that_just_touch() {
    let corners = [[0.5, 3.0], [1.25, 2.75], [2.5, 2.75], [2.25, 4.0]];
    let plate = polygon(&corners).with_radius(0.075).unwrap();
    let contact = meet(&plate, Segment::new([0.8, 2.9], [1.2, 2.6]));
    let (normal, depth) = way(&contact);
    assert!(close(depth, 0.075, 1e-6), "{depth}");
    assert!(close(normal[0], -0.316_227_8, 1e-3) && close(normal[1], -0.948_683_3, 1e-3));
}

/// The tip of a rounded needle lies on a side of a rotated box, three quarters of the way from
/// (4.4, 1.95) to (5.2, 1.35): they overlap by the radius, along (0.6, 0.8). The needle has nearly
/// straight vertices, whose directions appear shorter because of rounding.
#[test]
fn the_tip_of_a_needle_on_a_side() {
    let upper = [
        [4.880_94, 1.500_132],
        [4.561_561, 1.500_222_1],
        [4.143_264, 1.500_241_6],
        [3.758_854_4, 1.500_184_5],
        [3.530_380_2, 1.500_068_8],
    ];
    let lower = upper.map(|[x, y]: [f32; 2]| [x, 3.0 - y]);
    let mut corners = vec![[5.0, 1.5]];
    corners.extend(upper);
    corners.extend(lower.iter().rev());
    let needle = polygon(&corners).with_radius(0.3).unwrap();
    let plate = Obb::new([5.25, 2.25], [0.5, 0.75], Rotation { cos: 0.8, sin: -0.6 });
    let (normal, depth) = way(&meet(&needle, plate));
    assert!(close(depth, 0.3, 1e-6), "{depth}");
    assert!(close(normal[0], 0.6, 1e-3) && close(normal[1], 0.8, 1e-3), "{normal:?}");
}
