//! Cases of the narrowphase with numbers worked out by hand, where rules have their borders: shapes
//! that touch exactly, at a face or a corner, that lie in each other, that coincide, that have no
//! size, that have many sides, and that are sharp. Inputs are numbers of few bits, so that touching
//! shapes touch to the last bit.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

use std::f32::consts::{FRAC_1_SQRT_2, PI, SQRT_2};

use common::cases::{
    APART, OVERLAPPING, Spot, TOUCHING, around, assert_nearly, assert_touching, both, close,
    diamond, meet, moved, near, obb, points, polygon, rectangle, regular, rounded, spots, turned,
    way, wedge,
};
use widephase::{
    Contact,
    shape::{
        Aabb, Capsule, Circle, ConvexPolygon, Obb, Point, Rotation, RoundedBox, Segment, Shape,
    },
};

/// Corners that touch exactly along (3, 4) / 5, or another way of whole numbers: the numbers of the
/// normal are rounded.
fn assert_corners(a: impl Shape, b: impl Shape, normal: [f32; 2], expected: Spot) {
    let what = format!("{:?}, {:?}", a.any(), b.any());
    assert_eq!(both(&a, &b), TOUCHING, "{what}");
    let found = meet(&a, &b);
    assert_eq!(way(&found), (normal, 0.0), "{what}");
    let [(at, features)] = points(&found)[..] else { panic!("{what}: {found:?}") };
    assert!(
        close(at[0], expected.0[0], 1e-6) && close(at[1], expected.0[1], 1e-6),
        "{what}: {at:?}"
    );
    assert_eq!(features, expected.1, "{what}");
}

// ---------------------------------------------------------------- face to face

#[test]
fn a_circle_at_each_side_of_a_box() {
    let flat = obb(0.0, 0.0, [2.0, 1.0]);
    let aligned = Aabb::new([-2.0, -1.0], [2.0, 1.0]);
    // A core of 3 by 1 with half a unit around it.
    let soft = rounded([-1.5, -0.5], [1.5, 0.5], 0.5);
    let sides = [
        ([1.0, -1.5], [0.0, -1.0], ([1.0, -1.0], [100, 0])),
        ([2.5, 0.25], [1.0, 0.0], ([2.0, 0.25], [101, 0])),
        ([1.0, 1.5], [0.0, 1.0], ([1.0, 1.0], [102, 0])),
        ([-2.5, 0.25], [-1.0, 0.0], ([-2.0, 0.25], [103, 0])),
    ];
    for (center, normal, spot) in sides {
        let circle = Circle::new(center, 0.5);
        assert_touching(flat, circle, normal, &[spot]);
        assert_touching(aligned, circle, normal, &[spot]);
        assert_touching(soft, circle, normal, &[spot]);
        assert_touching(rectangle([0.0, 0.0], [2.0, 1.0]), circle, normal, &[spot]);
        // A point is a circle of no radius, and there on the side itself.
        assert_touching(flat, Point::new(spot.0), normal, &[spot]);
        assert_touching(aligned, Point::new(spot.0), normal, &[spot]);
    }
    // Rotated by a quarter turn: the right side faces up.
    let turned = Obb::new([0.0, 0.0], [2.0, 1.0], Rotation { cos: 0.0, sin: 1.0 });
    assert_touching(turned, Circle::new([0.5, 2.25], 0.25), [0.0, 1.0], &[([0.5, 2.0], [101, 0])]);
    assert_touching(turned, Circle::new([-2.0, 1.0], 1.0), [-1.0, 0.0], &[([-1.0, 1.0], [102, 0])]);
}

#[test]
fn aligned_boxes_side_by_side() {
    // Both cover y = 1 to 2 of the line x = 4: from the lower left corner of one box to the upper
    // right corner of the other. The reference side is the right side of the left box; at y = 2 the
    // left side of the other is cut off, on the way to its upper left corner.
    let expected = [([4.0, 1.0], [101, 0]), ([4.0, 2.0], [101, 3])];
    let (a, b) = (Aabb::new([0.0, 0.0], [4.0, 2.0]), Aabb::new([4.0, 1.0], [6.0, 5.0]));
    assert_touching(a, b, [1.0, 0.0], &expected);
    // With radii 1 and 2 between cores that are 3 apart: the surfaces meet at x = 5.
    let (a, b) = (rounded([0.0, 0.0], [4.0, 2.0], 1.0), rounded([7.0, 1.0], [9.0, 5.0], 2.0));
    assert_touching(a, b, [1.0, 0.0], &expected.map(|([x, y], features)| ([x + 1.0, y], features)));
    // One box above the other; the narrower box has both points.
    let (a, b) = (Aabb::new([0.0, 0.0], [4.0, 2.0]), rounded([1.0, 2.5], [3.0, 4.0], 0.5));
    assert_touching(a, b, [0.0, 1.0], &[([1.0, 2.0], [102, 0]), ([3.0, 2.0], [102, 1])]);
}

#[test]
fn capsules_side_by_side() {
    let lying = Capsule::new([-2.0, 0.0], [2.0, 0.0], 1.0);
    // Cores 2 apart, radii 1 and 1. The other begins at x = -1; this one ends at x = 2. They are as
    // long, and the upper side of the lower one looks up.
    let above = Capsule::new([-1.0, 2.0], [3.0, 2.0], 1.0);
    let expected = [([-1.0, 1.0], [102, 0]), ([2.0, 1.0], [102, 1])];
    assert_touching(lying, above, [0.0, 1.0], &expected);
    // Ends exchanged: its first end is on the right.
    let back = Capsule::new([3.0, 2.0], [-1.0, 2.0], 1.0);
    let expected = [([-1.0, 1.0], [102, 1]), ([2.0, 1.0], [102, 0])];
    assert_touching(lying, back, [0.0, 1.0], &expected);
    // A capsule that stands on it with its first end, at x = 1.
    let standing = Capsule::new([1.0, 3.0], [1.0, 6.0], 2.0);
    assert_eq!(both(lying, standing), TOUCHING);
    let found = meet(lying, standing);
    assert_eq!(way(&found), ([0.0, 1.0], 0.0));
    assert_eq!(points(&found), [([1.0, 1.0], [102, 0])]);
    // End to end on one line: radii 1 and 2, and 3 between the ends.
    let behind = Capsule::new([5.0, 0.0], [9.0, 0.0], 2.0);
    assert_eq!(both(lying, behind), TOUCHING);
    let found = meet(lying, behind);
    assert_eq!(way(&found), ([1.0, 0.0], 0.0));
    assert_eq!(points(&found).iter().map(|spot| spot.0).collect::<Vec<_>>(), [[3.0, 0.0]]);
}

#[test]
fn a_capsule_and_a_circle() {
    let lying = Capsule::new([-2.0, 0.0], [2.0, 0.0], 0.5);
    let circle = |x, y, radius| Circle::new([x, y], radius);
    assert_touching(lying, circle(1.0, 2.0, 1.5), [0.0, 1.0], &[([1.0, 0.5], [102, 0])]);
    assert_touching(lying, circle(-1.0, -2.0, 1.5), [0.0, -1.0], &[([-1.0, -0.5], [100, 0])]);
    assert_touching(lying, circle(4.0, 0.0, 1.5), [1.0, 0.0], &[([2.5, 0.0], [101, 0])]);
    // 3 and 4 from its second end, which is vertex 1: half a unit of the 5 is its own.
    assert_corners(lying, circle(5.0, 4.0, 4.5), [0.6, 0.8], ([2.3, 0.4], [1, 0]));
    assert_corners(lying, circle(-5.0, -4.0, 4.5), [-0.6, -0.8], ([-2.3, -0.4], [0, 0]));
}

#[test]
fn a_polygon_and_boxes_side_by_side() {
    let down = [0.0, -1.0];
    // A narrower one under its lower side, of which the upper corners touch.
    let expected = [([0.5, 0.0], [100, 3]), ([1.5, 0.0], [100, 2])];
    assert_touching(wedge(), obb(1.0, -1.0, [0.5, 1.0]), down, &expected);
    assert_touching(wedge(), Aabb::new([0.5, -2.0], [1.5, 0.0]), down, &expected);
    assert_touching(wedge(), rounded([0.5, -2.0], [1.5, -0.25], 0.25), down, &expected);
    // A wider box: the corners of the polygon.
    let expected = [([0.0, 0.0], [0, 102]), ([4.0, 0.0], [1, 102])];
    assert_touching(wedge(), obb(2.0, -1.0, [5.0, 1.0]), down, &expected);
    // On the slope, a box rotated by an eighth of a turn, its left side from (1.5, 2.5) down to
    // (2.5, 1.5): a side at an angle is exact except for rounding.
    let eighth = Rotation { cos: FRAC_1_SQRT_2, sin: FRAC_1_SQRT_2 };
    let half = SQRT_2 * 0.5;
    let found = near(wedge(), Obb::new([2.5, 2.5], [half, half], eighth), 1e-6).unwrap();
    assert_nearly(&found, [FRAC_1_SQRT_2; 2], 0.0);
    let [(high, [101, 3]), (low, [101, 0])] = spots(&found)[..] else { panic!("{found:?}") };
    assert!(close(high[0], 1.5, 1e-6) && close(high[1], 2.5, 1e-6), "{found:?}");
    assert!(close(low[0], 2.5, 1e-6) && close(low[1], 1.5, 1e-6), "{found:?}");
}

#[test]
fn a_polygon_and_a_capsule_side_by_side() {
    // It stands at the left side, one unit away; its right side is the one below, as it was when it
    // lay.
    let standing = Capsule::new([-1.0, 1.0], [-1.0, 3.0], 1.0);
    let expected = [([0.0, 1.0], [102, 0]), ([0.0, 3.0], [102, 1])];
    assert_touching(wedge(), standing, [-1.0, 0.0], &expected);
    // Longer than the side, which ends at (0, 0) and (0, 4).
    let longer = Capsule::new([-1.0, -1.0], [-1.0, 7.0], 1.0);
    let expected = [([0.0, 0.0], [0, 100]), ([0.0, 4.0], [2, 100])];
    assert_touching(wedge(), longer, [-1.0, 0.0], &expected);
    // A segment on the lower side, which is longer; from right to left, its ends are exchanged.
    let [left, right] = [[1.0, 0.0], [2.0, 0.0]];
    let down = [0.0, -1.0];
    let expected = [(left, [100, 0]), (right, [100, 1])];
    assert_touching(wedge(), Segment::new(left, right), down, &expected);
    let expected = [(left, [100, 1]), (right, [100, 0])];
    assert_touching(wedge(), Segment::new(right, left), down, &expected);
}

#[test]
fn rounded_polygons_side_by_side() {
    let soft = wedge().with_radius(0.5).unwrap();
    let down = [0.0, -1.0];
    let expected = [([0.5, -0.5], [100, 3]), ([1.5, -0.5], [100, 2])];
    assert_touching(&soft, obb(1.0, -1.5, [0.5, 1.0]), down, &expected);
    assert_touching(&soft, Circle::new([1.0, -1.0], 0.5), down, &[([1.0, -0.5], [100, 0])]);
    assert_touching(&soft, Point::new([1.0, -0.5]), down, &[([1.0, -0.5], [100, 0])]);
    let lying = Capsule::new([1.0, -1.0], [2.0, -1.0], 0.5);
    let expected = [([1.0, -0.5], [100, 0]), ([2.0, -0.5], [100, 1])];
    assert_touching(&soft, lying, down, &expected);
    // A floor, a capsule on it and a capsule under it, in either direction, a quarter deep: two
    // points for each.
    let floor = rectangle([0.0, 0.0], [5.0, 1.0]).with_radius(0.25).unwrap();
    for (y, up) in [(1.5, 1.0), (-1.5, -1.0)] {
        for [from, to] in [[-1.0, 2.0], [2.0, -1.0]] {
            let found = meet(&floor, Capsule::new([from, y], [to, y], 0.5));
            assert_eq!(way(&found), ([0.0, up], 0.25), "{found:?}");
            let at = spots(&found).iter().map(|spot| spot.0).collect::<Vec<_>>();
            assert_eq!(at, [[-1.0, 1.125 * up], [2.0, 1.125 * up]], "{found:?}");
        }
    }
    // Squares of radii a quarter and three quarters, a unit apart: the surfaces meet at x = 1.25.
    // The sides are as long, and the side of the first looks right.
    let one = rectangle([0.0, 0.0], [1.0, 1.0]).with_radius(0.25).unwrap();
    let other = rectangle([3.0, 0.5], [1.0, 1.0]).with_radius(0.75).unwrap();
    let expected = [([1.25, -0.5], [101, 0]), ([1.25, 1.0], [101, 3])];
    assert_touching(&one, &other, [1.0, 0.0], &expected);
}

// ---------------------------------------------------------------- corner to corner

#[test]
fn corners_of_boxes() {
    // AlignedBox, on each other's corner: of axes that are as good, x, and so the right side of the
    // left box.
    let (a, b) = (Aabb::new([0.0, 0.0], [1.0, 1.0]), Aabb::new([1.0, 1.0], [2.0, 3.0]));
    assert_eq!(both(a, b), TOUCHING);
    let found = meet(a, b);
    assert_eq!(way(&found), ([1.0, 0.0], 0.0));
    assert_eq!(points(&found), [([1.0, 1.0], [101, 0])]);
    // 3 and 4 apart: half of the way is (1.5, 2). Further along y, so it is the upper side of the
    // lower box.
    let apart = Aabb::new([4.0, 5.0], [6.0, 6.0]);
    assert_eq!(both(a, apart), APART);
    assert_eq!(near(a, apart, 4.999), None);
    let found = near(a, apart, 5.0).unwrap();
    assert_eq!(way(&found), ([0.6, 0.8], -5.0));
    assert_eq!(points(&found), [([2.5, 3.0], [102, 0])]);
    // With radii 2 and 3 that is touching; 2 of the 5 are (1.2, 1.6).
    let (a, b) = (rounded([0.0, 0.0], [1.0, 1.0], 2.0), rounded([4.0, 5.0], [6.0, 6.0], 3.0));
    assert_corners(a, b, [0.6, 0.8], ([2.2, 2.6], [102, 0]));
    assert_eq!(both(a, rounded([4.0, 5.0], [6.0, 6.0], 2.999)), APART);
    // The lower right corner of one box, and the upper left corner of the other: 4 along x, and 3
    // along y.
    let below = rounded([5.0, -8.0], [6.0, -3.0], 3.0);
    assert_corners(a, below, [0.8, -0.6], ([2.6, -1.2], [101, 3]));
}

#[test]
fn corners_of_polygons() {
    // Squares on a corner, and those corners on each other. All vertices are 0, 1 or 2 times the
    // parts of the normals, whatever these are rounded to, so it is exact.
    let on_corner = |x: f32| polygon(&[[x, -1.0], [x + 1.0, 0.0], [x, 1.0], [x - 1.0, 0.0]]);
    assert_eq!(both(on_corner(0.0), on_corner(2.0)), TOUCHING);
    let [(at, _)] = points(&meet(on_corner(0.0), on_corner(2.0)))[..] else { panic!() };
    assert!(close(at[0], 1.0, 1e-6) && close(at[1], 0.0, 1e-6));
    let found = near(on_corner(0.0), on_corner(2.25), 0.25).unwrap();
    assert_eq!(way(&found), ([1.0, 0.0], -0.25));
    // All four sides at these corners are as good. The first side of each square counts: the lower
    // right side and the upper left side. The latter looks up.
    assert_eq!(points(&found), [([1.125, 0.0], [1, 102])]);
    // A corner of the one and a side of the other, upright one.
    let square = rectangle([2.0, 0.25], [1.0, 1.0]);
    assert_touching(on_corner(0.0), &square, [1.0, 0.0], &[([1.0, 0.0], [1, 103])]);
    // Rounded: 3 and 4 apart with radii 2 and 3, from corner (1, 1) to corner (4, 5). The upper
    // side of one and the lower side of the other are 4 apart, and as long.
    let one = rectangle([0.0, 0.0], [1.0, 1.0]).with_radius(2.0).unwrap();
    let other = rectangle([5.0, 6.0], [1.0, 1.0]).with_radius(3.0).unwrap();
    assert_corners(&one, &other, [0.6, 0.8], ([2.2, 2.6], [102, 0]));
    assert_corners(&one, Circle::new([4.0, 5.0], 3.0), [0.6, 0.8], ([2.2, 2.6], [2, 0]));
    // A point is 5 from the corner of a shape that reaches 5 beyond it.
    let soft = wedge().with_radius(5.0).unwrap();
    assert_corners(soft, Point::new([-3.0, -4.0]), [-0.6, -0.8], ([-3.0, -4.0], [0, 0]));
}

/// The first end of a capsule is 3 and 4 from a corner: 4 from the upper or lower side there. The
/// end itself, as a side without a length, is as far, and so the longer side is the reference side.
#[test]
fn the_end_of_a_capsule_at_a_corner() {
    let capsule = |x: f32, y: f32, far: f32| Capsule::new([x, y], [x, far], 5.0);
    let end = |a: &dyn Fn(Capsule) -> Contact, capsule: Capsule, normal, at: [f32; 2], side| {
        let found = a(capsule);
        assert_eq!(way(&found), (normal, 0.0), "{found:?}");
        let [(spot, features)] = points(&found)[..] else { panic!("{found:?}") };
        assert!(close(spot[0], at[0], 1e-6) && close(spot[1], at[1], 1e-6), "{found:?}");
        assert_eq!(features, [side, 0], "{found:?}");
    };
    let (square, aligned) = (obb(0.0, 0.0, [1.0, 1.0]), Aabb::new([-1.0, -1.0], [1.0, 1.0]));
    let corner = capsule(4.0, 5.0, 9.0);
    for shape in
        [both(square, corner), both(aligned, corner), both(wedge(), capsule(-3.0, -4.0, -9.0))]
    {
        assert_eq!(shape, TOUCHING);
    }
    end(&|capsule| meet(square, capsule), corner, [0.6, 0.8], [1.0, 1.0], 102);
    end(&|capsule| meet(aligned, capsule), corner, [0.6, 0.8], [1.0, 1.0], 102);
    let below = capsule(-3.0, -4.0, -9.0);
    end(&|capsule| meet(wedge(), capsule), below, [-0.6, -0.8], [0.0, 0.0], 100);
    // One rounding less far, and they do not.
    let shorter = Capsule { radius: 5.0_f32.next_down(), ..corner };
    assert_eq!(both(square, shorter), APART);
    assert_eq!(both(aligned, shorter), APART);
}

// ---------------------------------------------------------------- one in the other

#[test]
fn boxes_and_capsules_within() {
    // Up, 2 units: the least of 2 up, 3 down, 3 to the right, 6 to the left. Half way between y = 2
    // and y = 0.
    let (large, small) = (Aabb::new([-4.0, -2.0], [4.0, 2.0]), Aabb::new([1.0, 0.0], [2.0, 1.0]));
    let found = meet(large, small);
    assert_eq!(way(&found), ([0.0, 1.0], 2.0));
    assert_eq!(spots(&found), [([1.0, 1.0], [102, 0]), ([2.0, 1.0], [102, 1])]);
    // A capsule that lies one below the upper side, and reaches half a unit below itself: half way
    // between y = 2 and y = 0.5.
    let capsule = Capsule::new([0.0, 1.0], [2.0, 1.0], 0.5);
    let expected = [([0.0, 1.25], [102, 0]), ([2.0, 1.25], [102, 1])];
    let around = [
        meet(obb(0.0, 0.0, [4.0, 2.0]), capsule),
        meet(large, capsule),
        meet(rounded([-3.0, -1.0], [3.0, 1.0], 1.0), capsule),
        meet(rectangle([0.0, 0.0], [4.0, 2.0]), capsule),
        meet(rectangle([0.0, 0.0], [3.0, 1.0]).with_radius(1.0).unwrap(), capsule),
    ];
    for found in around {
        assert_eq!(way(&found), ([0.0, 1.0], 1.5), "{found:?}");
        assert_eq!(spots(&found), expected, "{found:?}");
    }
    // Cores one apart, radii 3 and a half; half way between y = 3 and y = 0.5.
    let long = Capsule::new([-4.0, 0.0], [4.0, 0.0], 3.0);
    let found = meet(long, Capsule::new([1.0, 1.0], [2.0, 1.0], 0.5));
    assert_eq!(way(&found), ([0.0, 1.0], 2.5));
    assert_eq!(spots(&found), [([1.0, 1.75], [102, 0]), ([2.0, 1.75], [102, 1])]);
    // One core on the other: out below, the first of two ways.
    let found = meet(long, Capsule::new([1.0, 0.0], [2.0, 0.0], 0.5));
    assert_eq!(way(&found), ([0.0, -1.0], 3.5));
}

#[test]
fn a_polygon_within_another_leaves_by_the_shortest_way() {
    let large = rectangle([0.0, 0.0], [4.0, 4.0]);
    // To the right 2 units, until its left side is beyond x = 4; its slopes would have to go
    // further.
    let small = polygon(&[[2.0, -0.5], [3.0, 0.0], [2.0, 0.5]]);
    let found = meet(&large, &small);
    assert_eq!(way(&found), ([1.0, 0.0], 2.0));
    assert_eq!(spots(&found), [([3.0, -0.5], [101, 0]), ([3.0, 0.5], [101, 2])]);
    // Its tip behind, at x = 2: as far, and half way from there to x = 4 is the deeper point.
    let tip = polygon(&[[2.0, 0.0], [3.0, -0.5], [3.0, 0.5]]);
    let found = meet(&large, &tip);
    assert_eq!(way(&found), ([1.0, 0.0], 2.0));
    assert_eq!(points(&found)[0], ([3.0, 0.0], [101, 0]));
    assert_eq!(both(&large, &small), OVERLAPPING);
}

#[test]
fn a_circle_within_a_polygon_leaves_by_the_nearest_side() {
    let plate = rectangle([0.0, 0.0], [4.0, 2.0]);
    let many = around(8.0);
    let cases = [
        (&plate, [1.0, 1.0], [0.0, 1.0], 1.0, 102),
        (&plate, [1.0, -1.5], [0.0, -1.0], 0.5, 100),
        (&plate, [3.5, 0.0], [1.0, 0.0], 0.5, 101),
        (&plate, [-3.0, 0.5], [-1.0, 0.0], 1.0, 103),
        // In the middle, the first of the two that are nearest.
        (&plate, [0.0, 0.0], [0.0, -1.0], 2.0, 100),
        (&wedge(), [1.0, 0.5], [0.0, -1.0], 0.5, 100),
        (&wedge(), [0.5, 1.0], [-1.0, 0.0], 0.5, 102),
        // The slope is x + y = 4: 1 less than that is √½ away.
        (&wedge(), [1.5, 1.5], [FRAC_1_SQRT_2; 2], FRAC_1_SQRT_2, 101),
        (&many, [6.0, 0.0], [1.0, 0.0], 2.0, 163),
    ];
    for (polygon, center, normal, inside, side) in cases {
        let found = meet(polygon, Circle::new(center, 0.25));
        assert_nearly(&found, normal, inside + 0.25);
        assert_eq!(points(&found)[0].1, [side, 0], "{found:?}");
        // Half way between the side and the far end of the circle.
        let ahead = (inside - 0.25) * 0.5;
        let at = [0, 1].map(|axis| center[axis] + normal[axis] * ahead);
        let spot = points(&found)[0].0;
        assert!(close(spot[0], at[0], 1e-6) && close(spot[1], at[1], 1e-6), "{at:?}: {found:?}");
        // A point as well, whose depth is how far within it is.
        assert_nearly(&meet(polygon, Point::new(center)), normal, inside);
    }
}

// ---------------------------------------------------------------- coincident

/// In the given order, and exchanged: coincident shapes of one kind look the same from both.
fn coincident(shape: impl Shape, normal: [f32; 2], depth: f32) -> Contact {
    let found = meet(&shape, &shape);
    assert_eq!(way(&found), (normal, depth), "{:?}", shape.any());
    found
}

/// Of equally good axes, axis-aligned boxes take x, and of the directions the negative one; rotated
/// boxes likewise, in the frame of the box whose side it is.
#[test]
fn coincident_boxes_part_along_x_to_the_left() {
    let left = [-1.0, 0.0];
    let square = Aabb::new([-1.0, -1.0], [1.0, 1.0]);
    let found = coincident(square, left, 2.0);
    // Half way from the left side of one to the right side of the other, from end to end.
    assert_eq!(
        spots(&found).iter().map(|spot| spot.0).collect::<Vec<_>>(),
        [[0.0, -1.0], [0.0, 1.0]]
    );
    coincident(Aabb::new([3.0, 4.0], [5.0, 8.0]), left, 2.0);
    coincident(Aabb::new([3.0, 4.0], [7.0, 6.0]), [0.0, -1.0], 2.0);
    // Radii come on top: 2 and twice a half.
    coincident(rounded([-1.0, -1.0], [1.0, 1.0], 0.5), left, 3.0);
    // The same middle, other sizes: the inner shape is 4 - 0.5 from the left, as from the right;
    // and whichever shape is given first, the decision starts from the shape that begins further
    // left.
    let (large, small) = (Aabb::new([-4.0, -4.0], [4.0, 4.0]), Aabb::new([-0.5, -1.0], [0.5, 1.0]));
    assert_eq!(way(&meet(large, small)), (left, 4.5));
    assert_eq!(way(&meet(small, large)), ([1.0, 0.0], 4.5));
    // As wide, and higher: 3 + 1 out below. Only the radius is another: 1 + 1 and both radii.
    let (high, flat) = (Aabb::new([-4.0, -3.0], [4.0, 3.0]), Aabb::new([-4.0, -1.0], [4.0, 1.0]));
    assert_eq!(way(&meet(high, flat)), ([0.0, -1.0], 4.0));
    assert_eq!(way(&meet(flat, high)), ([0.0, 1.0], 4.0));
    let [one, other] = [0.25, 0.5].map(|radius| rounded([-1.0, -1.0], [1.0, 1.0], radius));
    assert_eq!(way(&meet(one, other)), (left, 2.75));
    assert_eq!(way(&meet(other, one)), ([1.0, 0.0], 2.75));

    coincident(obb(0.0, 0.0, [1.0, 1.0]), left, 2.0);
    coincident(obb(5.0, -7.0, [1.0, 2.0]), left, 2.0);
    // Rotated by another quarter turn: its left side is below.
    let quarter = Rotation { cos: 0.0, sin: 1.0 };
    coincident(Obb::new([0.0, 0.0], [1.0, 1.0], quarter), [0.0, -1.0], 2.0);
    coincident(Obb::new([0.0, 0.0], [2.0, 1.0], quarter), [1.0, 0.0], 2.0);
    let found = meet(diamond(0.0, 0.0), diamond(0.0, 0.0));
    assert_nearly(&found, [-FRAC_1_SQRT_2; 2], 2.0);
    // If both are rotated equally, the narrower box comes first: 1 + 2 to the left.
    let (narrow, wide) = (obb(0.0, 0.0, [1.0, 3.0]), obb(0.0, 0.0, [2.0, 3.0]));
    assert_eq!(way(&meet(narrow, wide)), (left, 3.0));
    assert_eq!(way(&meet(wide, narrow)), ([1.0, 0.0], 3.0));
}

#[test]
fn coincident_capsules_and_segments() {
    // Out below by both radii: the cores have no height. From end to end.
    let lying = Capsule::new([-2.0, 0.0], [2.0, 0.0], 0.5);
    let found = coincident(lying, [0.0, -1.0], 1.0);
    assert_eq!(
        spots(&found).iter().map(|spot| spot.0).collect::<Vec<_>>(),
        [[-2.0, 0.0], [2.0, 0.0]]
    );
    assert_eq!(both(lying, lying), OVERLAPPING);
    // Below is to the right of a capsule that stands.
    coincident(Capsule::new([0.0, -2.0], [0.0, 2.0], 0.5), [1.0, 0.0], 1.0);
    // From the other end, below is above.
    let back = Capsule::new([2.0, 0.0], [-2.0, 0.0], 0.5);
    assert_eq!(way(&meet(lying, back)), ([0.0, -1.0], 1.0));
    assert_eq!(way(&meet(back, lying)), ([0.0, 1.0], 1.0));

    let segment = Segment::new([-2.0, 1.0], [2.0, 1.0]);
    let found = coincident(segment, [0.0, -1.0], 0.0);
    assert_eq!(
        spots(&found).iter().map(|spot| spot.0).collect::<Vec<_>>(),
        [[-2.0, 1.0], [2.0, 1.0]]
    );
    assert_eq!(both(segment, segment), TOUCHING);
    // On one line, from x = 1 to x = 2 of both.
    let shifted = Segment::new([1.0, 1.0], [5.0, 1.0]);
    assert_eq!(both(segment, shifted), TOUCHING);
    let found = meet(segment, shifted);
    assert_eq!((found.normal().x, found.normal().y.abs(), found.depth), (0.0, 1.0, 0.0));
    assert_eq!(
        spots(&found).iter().map(|spot| spot.0).collect::<Vec<_>>(),
        [[1.0, 1.0], [2.0, 1.0]]
    );
}

/// "Polygons: the first of the sides that are as good."
#[test]
fn coincident_polygons_part_by_the_first_of_equal_sides() {
    let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    // Whichever of the four comes first.
    let normals = [[0.0, -1.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]];
    for (first, normal) in normals.into_iter().enumerate() {
        let mut corners = corners;
        corners.rotate_left(first);
        let found = coincident(polygon(&corners), normal, 2.0);
        assert_eq!(found.points().len(), 2);
        assert!(points(&found).iter().any(|spot| spot.1[0] == 100), "{found:?}");
        coincident(polygon(&corners).with_radius(0.25).unwrap(), normal, 2.5);
    }
    // Sides 1 and 3 lead out of a plate that stands; 1 is on the right.
    coincident(rectangle([0.0, 0.0], [1.0, 3.0]), [1.0, 0.0], 2.0);
    // Around one point, the one whose first corner is further left comes first: out below, by 3 +
    // 1.
    let (large, small) = (rectangle([0.0, 0.0], [4.0, 3.0]), rectangle([0.0, 0.0], [2.0, 1.0]));
    assert_eq!(way(&meet(&large, &small)), ([0.0, -1.0], 4.0));
    assert_eq!(way(&meet(&small, &large)), ([0.0, 1.0], 4.0));
    // The depth in a wedge is its height above the slope: the corner (0, 0) is 4 / √2 from it.
    assert_nearly(&meet(wedge(), wedge()), [FRAC_1_SQRT_2; 2], 2.0 * SQRT_2);
    // 64 sides are as good but for roundings: each leads out by the width between two that face
    // each other.
    let many = regular(64, 1.0);
    let found = meet(&many, &many);
    assert!(close(found.depth, 2.0 * (PI / 64.0).cos(), 1e-6), "{found:?}");
    let turns = found.normal().y.atan2(found.normal().x) / (PI / 32.0);
    assert!(close(turns, turns.round(), 1e-4), "{found:?}");
    assert_eq!((found.points().len(), both(&many, &many)), (2, OVERLAPPING));
}

// ---------------------------------------------------------------- without a size

/// What is the point (1, 0) of every kind that can be without a size.
fn dots() -> (Point, Circle, Aabb, RoundedBox, Segment, Capsule) {
    let at = [1.0, 0.0];
    (
        Point::new(at),
        Circle::new(at, 0.0),
        Aabb::new(at, at),
        rounded(at, at, 0.0),
        Segment::new(at, at),
        Capsule::new(at, at, 0.0),
    )
}

/// Where a dot at (1, 0) touches: at the right end of `shape`, whose normal there is (1, 0). Half a
/// unit to the left it is within, if it has an inside; half a unit to the right, beside it.
fn assert_dots(shape: &dyn Fn(f32) -> Box<dyn Shape>, solid: bool) {
    fn each(shape: &dyn Fn(f32) -> Box<dyn Shape>, dot: impl Shape, solid: bool) {
        let what = format!("{:?}, {:?}", shape(0.0).any(), dot.any());
        assert_eq!(both(shape(0.0).any(), &dot), TOUCHING, "{what}");
        let within = if solid { OVERLAPPING } else { TOUCHING };
        assert_eq!(both(shape(0.5).any(), &dot), within, "{what}");
        assert_eq!(both(shape(-0.5).any(), &dot), APART, "{what}");
        let found = meet(shape(0.0).any(), &dot);
        assert_eq!(found.depth, 0.0, "{what}");
        assert_eq!(points(&found)[0].0, [1.0, 0.0], "{what}");
        if solid {
            assert_eq!(way(&found).0, [1.0, 0.0], "{what}");
        }
        let found = near(shape(-0.5).any(), &dot, 0.5).unwrap();
        assert_eq!(way(&found), ([1.0, 0.0], -0.5), "{what}");
        assert_eq!((found.points().len(), points(&found)[0].0), (1, [0.75, 0.0]), "{what}");
    }
    let (point, circle, aabb, soft, segment, capsule) = dots();
    each(shape, point, solid);
    each(shape, circle, solid);
    each(shape, aabb, solid);
    each(shape, soft, solid);
    each(shape, segment, solid);
    each(shape, capsule, solid);
}

#[test]
fn a_shape_of_no_size_touches_a_surface_at_its_own_place() {
    assert_dots(&|x| Box::new(Circle::new([x, 0.0], 1.0)), true);
    assert_dots(&|x| Box::new(Aabb::new([x - 1.0, -1.0], [x + 1.0, 1.0])), true);
    assert_dots(&|x| Box::new(rounded([x - 1.0, -1.0], [x + 0.5, 1.0], 0.5)), true);
    assert_dots(&|x| Box::new(obb(x, 0.0, [1.0, 1.0])), true);
    assert_dots(&|x| Box::new(Capsule::new([x - 2.0, 0.0], [x, 0.0], 1.0)), true);
    assert_dots(&|x| Box::new(Capsule::new([x, -2.0], [x, 1.0], 1.0)), true);
    assert_dots(&|x| Box::new(rectangle([x, 0.0], [1.0, 1.0])), true);
    assert_dots(&|x| Box::new(polygon(&[[x - 1.0, 0.0], [x + 1.0, -2.0], [x + 1.0, 2.0]])), true);
    assert_dots(&|x| Box::new(rectangle([x, 0.0], [0.5, 1.0]).with_radius(0.5).unwrap()), true);
    let many = around(1.0);
    assert_dots(&|x| Box::new(moved(&many, [x, 0.0])), true);
    assert_dots(&|x| Box::new(Segment::new([x - 2.0, 0.0], [x + 1.0, 0.0])), false);
}

#[test]
fn shapes_of_no_size_touch_each_other_at_one_point() {
    fn each(a: impl Shape, met: &mut usize) {
        let (point, circle, aabb, soft, segment, capsule) = dots();
        fn one(a: &impl Shape, b: impl Shape, met: &mut usize) {
            let what = format!("{:?}, {:?}", a.any(), b.any());
            assert_eq!(both(a, &b), TOUCHING, "{what}");
            let found = meet(a, b);
            let ([x, y], depth) = way(&found);
            // They have no direction; whichever it is, it is a direction.
            assert_eq!((x.hypot(y), depth), (1.0, 0.0), "{what}");
            assert_eq!((found.points().len(), points(&found)[0].0), (1, [1.0, 0.0]), "{what}");
            *met += 1;
        }
        one(&a, point, met);
        one(&a, circle, met);
        one(&a, aabb, met);
        one(&a, soft, met);
        one(&a, segment, met);
        one(&a, capsule, met);
    }
    let mut met = 0;
    let (point, circle, aabb, soft, segment, capsule) = dots();
    each(point, &mut met);
    each(circle, &mut met);
    each(aabb, &mut met);
    each(soft, &mut met);
    each(segment, &mut met);
    each(capsule, &mut met);
    assert_eq!(met, 36);
}

/// A capsule of no length, and a rounded box of no size, are circles.
#[test]
fn capsules_of_no_length() {
    fn each(other: impl Shape, [x, y]: [f32; 2], radius: f32, normal: [f32; 2], at: [f32; 2]) {
        let what = format!("{:?}", other.any());
        let center = [x, y];
        let capsule = Capsule::new(center, center, radius);
        let soft = rounded(center, center, radius);
        let circle = Circle::new(center, radius);
        let kinds = [both(&other, capsule), both(&other, soft), both(&other, circle)];
        assert_eq!(kinds, [TOUCHING; 3], "{what}");
        for found in [meet(&other, capsule), meet(&other, soft), meet(&other, circle)] {
            assert_eq!(way(&found), (normal, 0.0), "{what}: {found:?}");
            let [(spot, _)] = points(&found)[..] else { panic!("{what}: {found:?}") };
            assert!(
                close(spot[0], at[0], 1e-6) && close(spot[1], at[1], 1e-6),
                "{what}: {found:?}"
            );
        }
    }
    let (right, above) = ([1.0, 0.0], [0.0, 1.0]);
    each(obb(0.0, 0.0, [1.0, 1.0]), [2.0, 0.5], 1.0, right, [1.0, 0.5]);
    each(obb(0.0, 0.0, [1.0, 1.0]), [4.0, 5.0], 5.0, [0.6, 0.8], [1.0, 1.0]);
    each(Aabb::new([-1.0, -1.0], [1.0, 1.0]), [4.0, 5.0], 5.0, [0.6, 0.8], [1.0, 1.0]);
    each(Capsule::new([-2.0, 0.0], [2.0, 0.0], 1.0), [1.0, 3.0], 2.0, above, [1.0, 1.0]);
    each(Capsule::new([-2.0, 0.0], [2.0, 0.0], 1.0), [5.0, 4.0], 4.0, [0.6, 0.8], [2.6, 0.8]);
    each(wedge(), [1.0, -1.0], 1.0, [0.0, -1.0], [1.0, 0.0]);
    each(wedge(), [-3.0, -4.0], 5.0, [-0.6, -0.8], [0.0, 0.0]);
    each(Circle::new([0.0, 0.0], 2.0), [3.0, 4.0], 3.0, [0.6, 0.8], [1.2, 1.6]);
    each(Capsule::new([0.0, 0.0], [0.0, 0.0], 2.0), [3.0, 4.0], 3.0, [0.6, 0.8], [1.2, 1.6]);
    each(rounded([0.0, 0.0], [0.0, 0.0], 2.0), [3.0, 4.0], 3.0, [0.6, 0.8], [1.2, 1.6]);
    // In one place, as two circles.
    let found = coincident(Capsule::new([1.0, 2.0], [1.0, 2.0], 0.5), [1.0, 0.0], 1.0);
    assert_eq!(points(&found), [([1.0, 2.0], [0, 0])]);
}

// ---------------------------------------------------------------- of 64 sides

#[test]
fn sides_of_64_touch_exactly() {
    let many = around(1.0);
    let half = (std::f64::consts::PI / 64.0).tan() as f32;
    let right = [1.0, 0.0];
    let ends =
        |features: [[usize; 2]; 2]| [([1.0, -half], features[0]), ([1.0, half], features[1])];
    assert_touching(&many, obb(1.5, 0.0, [0.5, 0.25]), right, &ends([[63, 103], [0, 103]]));
    assert_touching(&many, Aabb::new([1.0, -0.5], [2.0, 1.0]), right, &ends([[63, 103], [0, 103]]));
    // One that stands: its left side is the upper one of one that lies.
    let standing = Capsule::new([2.0, -1.0], [2.0, 1.0], 1.0);
    assert_touching(&many, standing, right, &ends([[63, 102], [0, 102]]));
    assert_touching(&many, Circle::new([3.0, 0.0], 2.0), right, &[([1.0, 0.0], [163, 0])]);
    assert_touching(&many, Point::new([1.0, 0.03125]), right, &[([1.0, 0.03125], [163, 0])]);
    // A box no higher than the side: its corners.
    let flat = obb(1.5, 0.0, [0.5, 0.03125]);
    let expected = [([1.0, -0.03125], [163, 0]), ([1.0, 0.03125], [163, 3])];
    assert_touching(&many, flat, right, &expected);
    // Another polygon, whose left side is 31.
    let found = meet(&many, moved(&many, [2.0, 0.0]));
    assert_eq!(both(&many, moved(&many, [2.0, 0.0])), TOUCHING);
    assert_eq!((way(&found), found.points().len()), ((right, 0.0), 2));
    for ([x, y], [own, other]) in spots(&found) {
        assert!(x == 1.0 && close(y.abs(), half, 1e-7), "{found:?}");
        assert!([63, 0, 163].contains(&own) && [31, 32, 131].contains(&other), "{found:?}");
    }
}

/// The corner (1, 0) is vertex 0, and (-1, 0) is vertex 32.
#[test]
fn corners_of_64() {
    let many = turned(64, 1.0, 0.0);
    let at = |x: f32| moved(&many, [x, 0.0]);
    let step = 0.5_f32.powi(19);
    assert_eq!(both(&many, at(2.0)), TOUCHING);
    assert_eq!(both(&many, at(2.0 + step)), APART);
    assert_eq!(both(&many, at(2.0 - step)), OVERLAPPING);
    let found = near(&many, at(2.25), 0.25).unwrap();
    assert_eq!((way(&found), found.points().len()), (([1.0, 0.0], -0.25), 1));
    // The sides at the corner of the one are as good but for roundings. Both look right.
    let [([1.125, 0.0], [100 | 163, 32])] = points(&found)[..] else { panic!("{found:?}") };
    // Overlapping by a quarter along x, they part along one of the sides at the corner, which look
    // π/64 up and down: by a quarter of the cosine of that.
    let found = meet(&many, at(1.75));
    let (sin, cos) = (PI / 64.0).sin_cos();
    assert_nearly(&found, [cos, sin.copysign(found.normal().y)], 0.25 * cos);
    // Against other shapes, which touch at (1, 0), too.
    let right = [1.0, 0.0];
    assert_touching(&many, obb(2.0, 0.0, [1.0, 1.0]), right, &[([1.0, 0.0], [0, 103])]);
    assert_touching(&many, Aabb::new([1.0, -1.0], [2.0, 1.0]), right, &[([1.0, 0.0], [0, 103])]);
    let standing = Capsule::new([2.0, -1.0], [2.0, 1.0], 1.0);
    assert_touching(&many, standing, right, &[([1.0, 0.0], [0, 102])]);
    assert_touching(&many, Circle::new([3.0, 0.0], 2.0), right, &[([1.0, 0.0], [0, 0])]);
}

// ---------------------------------------------------------------- needles

/// Vertex 1 is the tip.
fn needle() -> ConvexPolygon {
    polygon(&[[0.0, -1.0 / 1024.0], [1000.0, 0.0], [0.0, 1.0 / 1024.0]])
}

#[test]
fn the_tip_of_a_needle_at_a_capsule() {
    let right = [1.0, 0.0];
    // Ahead of its side, two units away.
    let standing = Capsule::new([1002.0, -1.0], [1002.0, 1.0], 2.0);
    assert_touching(needle(), standing, right, &[([1000.0, 0.0], [1, 102])]);
    assert_eq!(both(needle(), Capsule { radius: 1.999, ..standing }), APART);
    let deeper = meet(needle(), Capsule { radius: 2.5, ..standing });
    assert_eq!(way(&deeper), (right, 0.5));
    assert_eq!(points(&deeper)[0], ([999.75, 0.0], [1, 102]));
    // Ahead of its end, 3 and 4 away; and on the needle's own line.
    let end = |x: f32, y: f32, to: [f32; 2]| Capsule::new([x, y], to, 5.0);
    let (aside, ahead) = (end(1003.0, 4.0, [1003.0, 9.0]), end(1005.0, 0.0, [1009.0, 0.0]));
    // The one is 4 above the upper side of the needle, and its end is 2^-10 less above the base.
    // The other is 5 ahead of the tip, and next to nothing beyond the sides there.
    for (capsule, normal, sides) in [(aside, [0.6, 0.8], [101, 0]), (ahead, right, [1, 103])] {
        assert_eq!(both(needle(), capsule), TOUCHING);
        assert_eq!(both(needle(), Capsule { radius: 4.999, ..capsule }), APART);
        let found = meet(needle(), capsule);
        assert_eq!(way(&found), (normal, 0.0));
        let [(at, features)] = points(&found)[..] else { panic!("{found:?}") };
        assert_eq!(features, sides, "{found:?}");
        assert!(close(at[0], 1000.0, 1e-4) && close(at[1], 0.0, 1e-6), "{found:?}");
    }
    // Beside it: on the base, which is at x = 0, half way between the vertices.
    let behind = Capsule::new([-1.0, -1.0], [-1.0, 1.0], 1.0);
    let high = 1.0 / 1024.0;
    assert_touching(
        needle(),
        behind,
        [-1.0, 0.0],
        &[([0.0, -high], [0, 100]), ([0.0, high], [2, 100])],
    );
}

#[test]
fn needles_tip_to_tip() {
    // The same needle, looking the other way.
    let other = |x: f32| {
        let high = 1.0 / 1024.0;
        polygon(&[[x + 1000.0, high], [x, 0.0], [x + 1000.0, -high]])
    };
    assert_eq!(both(needle(), other(1000.0)), TOUCHING);
    let found = meet(needle(), other(1000.0));
    assert_eq!(found.depth, 0.0);
    assert_eq!(points(&found)[0].0, [1000.0, 0.0], "{found:?}");
    // Distances below a 2^16th of the 1,000 between the centres have no reliable direction.
    assert_eq!(both(needle(), other(1000.0 + 0.5_f32.powi(8))), APART);
    for apart in [1.0, 0.25, 0.5_f32.powi(5)] {
        assert_eq!(both(needle(), other(1000.0 + apart)), APART, "{apart}");
        let found = near(needle(), other(1000.0 + apart), 1.0).unwrap();
        assert_eq!(way(&found), ([1.0, 0.0], -apart), "{apart}");
        // The four sides at the tips are as good but for roundings.
        let [(at, features)] = points(&found)[..] else { panic!("{found:?}") };
        assert_eq!(at, [1000.0 + apart * 0.5, 0.0], "{apart}");
        assert!(matches!(features, [1, 100 | 101] | [100 | 101, 1]), "{apart}: {features:?}");
    }
    // Half in each other: at x = 750 the upper side of each is 2^-12 above the middle, and so they
    // overlap by twice that, across.
    let found = meet(needle(), other(500.0));
    assert_eq!(both(needle(), other(500.0)), OVERLAPPING);
    assert!(close(found.depth, 1.0 / 2048.0, 1e-6), "{found:?}");
    assert!(
        close(found.normal().x, 0.0, 1e-5) && close(found.normal().y.abs(), 1.0, 1e-6),
        "{found:?}"
    );
}
