//! The reference tests of shapes that rotate against numbers worked out by hand, against `f64` and
//! against each other.
//!
//! A rotation whose cosine and sine are both 1 is 45 degrees and √2 long. The separating axes take
//! it as it is, so half sizes of 1 give the diamond with the corners (±2, 0) and (0, ±2), and
//! nothing is rounded.

use proptest::prelude::*;

use widephase::Touching::{Exclusive, Inclusive};
use widephase::reference::closest_points::{
    capsule_capsule, capsule_circle, point_segment_distance2, segment_segment_distance2,
};
use widephase::reference::compound_circles::any_circle;
use widephase::reference::edge_normals::polygon_polygon;
use widephase::reference::rotated_rect::obb_circle;
use widephase::reference::separating_axes::{corners, obb_obb};
use widephase::reference::{contract, expanded_rect_strict, min_max};
use widephase::shape::{
    Aabb, Capsule, Circle, ConvexPolygon, Obb, Point, Rotation, RoundedBox, Segment,
};

use widephase::glam::Vec2;

const ALIGNED: Rotation = Rotation::IDENTITY;
const QUARTER: Rotation = Rotation { cos: 0.0, sin: 1.0 };
const DIAGONAL: Rotation = Rotation { cos: 1.0, sin: 1.0 };
/// The rotation by the angle of the 3-4-5 triangle; neither number is an exact `f32`.
const THREE_FOUR: Rotation = Rotation { cos: 0.6, sin: 0.8 };

/// The diamond with corners 2 away from its centre.
fn diamond(x: f32, y: f32) -> Obb {
    Obb::new([x, y], [1.0, 1.0], DIAGONAL)
}

fn square(x: f32, y: f32) -> Obb {
    Obb::new([x, y], [1.0, 1.0], ALIGNED)
}

fn polygon(vertices: &[[f32; 2]]) -> Vec<Vec2> {
    vertices.iter().copied().map(Vec2::from).collect()
}

/// A regular polygon with corners 1 away from its centre, one of them to the right.
fn regular(n: usize, x: f64, y: f64) -> Vec<Vec2> {
    let angle = |i: usize| i as f64 * std::f64::consts::TAU / n as f64;
    let corner = |i| Vec2::new((x + angle(i).cos()) as f32, (y + angle(i).sin()) as f32);
    (0..n).map(corner).collect()
}

/// The answer in either order.
fn both<T: Copy>(test: fn(T, T) -> bool, a: T, b: T) -> bool {
    let hit = test(a, b);
    assert_eq!(hit, test(b, a), "not symmetric");
    hit
}

fn obbs(a: Obb, b: Obb) -> bool {
    both(obb_obb, a, b)
}

fn polygons(a: &[Vec2], b: &[Vec2]) -> bool {
    both(polygon_polygon, a, b)
}

fn capsules(a: Capsule, b: Capsule) -> bool {
    both(capsule_capsule, a, b)
}

// ---------------------------------------------------------------- numbers worked out by hand

#[test]
fn corners_of_a_turned_box() {
    let obb = |rotation| corners(Obb::new([10.0, 20.0], [2.0, 1.0], rotation));
    assert_eq!(obb(ALIGNED), [[8.0, 19.0], [12.0, 19.0], [12.0, 21.0], [8.0, 21.0]]);
    assert_eq!(obb(QUARTER), [[11.0, 18.0], [11.0, 22.0], [9.0, 22.0], [9.0, 18.0]]);
    let half_turn = Rotation { cos: -1.0, sin: 0.0 };
    assert_eq!(obb(half_turn), [[12.0, 21.0], [8.0, 21.0], [8.0, 19.0], [12.0, 19.0]]);
    assert_eq!(corners(diamond(0.0, 0.0)), [[0.0, -2.0], [2.0, 0.0], [0.0, 2.0], [-2.0, 0.0]]);
}

#[test]
fn boxes_corner_to_corner() {
    assert!(!obbs(diamond(0.0, 0.0), diamond(4.0, 0.0)), "corners meet at (2, 0)");
    assert!(obbs(diamond(0.0, 0.0), diamond(3.75, 0.0)));
    assert!(!obbs(diamond(0.0, 0.0), diamond(0.0, -4.0)));
    assert!(!obbs(square(0.0, 0.0), square(2.0, 2.0)));
    assert!(obbs(square(0.0, 0.0), square(1.75, 1.75)));

    // At length 1 the corners are √2 away from the centre.
    let eighth = Rotation::from_angle(std::f32::consts::FRAC_PI_4);
    let unit = |x| Obb::new([x, 0.0], [1.0, 1.0], eighth);
    let twice = 2.0 * std::f32::consts::SQRT_2;
    assert!(obbs(unit(0.0), unit(twice - 1e-5)));
    assert!(!obbs(unit(0.0), unit(twice + 1e-5)));
    // The other way round, their sides are 2 apart.
    let along = |d: f32| Obb::new([d * 0.5_f32.sqrt(); 2], [1.0, 1.0], eighth);
    assert!(obbs(unit(0.0), along(2.0 - 1e-5)));
    assert!(!obbs(unit(0.0), along(2.0 + 1e-5)));
}

#[test]
fn boxes_corner_to_face() {
    assert!(!obbs(diamond(0.0, 0.0), square(3.0, 0.0)), "the corner (2, 0) is on the side");
    assert!(obbs(diamond(0.0, 0.0), square(2.75, 0.0)));
    // The diamond is |x| + |y| <= 2, and the square's corner is 1 left of and below its centre.
    assert!(!obbs(diamond(0.0, 0.0), square(2.0, 2.0)), "the corner (1, 1) is on the side");
    assert!(obbs(diamond(0.0, 0.0), square(1.75, 2.0)));
    assert!(!obbs(diamond(0.0, 0.0), square(2.0, 2.25)), "only a turned axis parts them");
}

#[test]
fn boxes_face_to_face() {
    assert!(!obbs(diamond(0.0, 0.0), diamond(2.0, 2.0)), "they share the side x + y = 2");
    assert!(obbs(diamond(0.0, 0.0), diamond(1.75, 2.0)));
    assert!(!obbs(square(0.0, 0.0), square(2.0, 0.5)));
    assert!(obbs(square(0.0, 0.0), square(1.75, 0.5)));
    // The flat box reaches to x = 3, the upright box from x = 3.
    let flat = Obb::new([0.0, 0.0], [3.0, 1.0], ALIGNED);
    let aligned = |x| Obb::new([x, 0.0], [3.0, 1.0], QUARTER);
    assert!(!obbs(flat, aligned(4.0)));
    assert!(obbs(flat, aligned(3.75)));
    // Rotated by the 3-4-5 angle, 10 along the long axis is (6, 8).
    let long = |x, y| Obb::new([x, y], [5.0, 1.0], THREE_FOUR);
    assert!(obbs(long(0.0, 0.0), long(5.999, 7.999)));
    assert!(!obbs(long(0.0, 0.0), long(6.001, 8.001)));
    // 2 along the short axis is (-1.6, 1.2).
    assert!(obbs(long(0.0, 0.0), long(-1.599, 1.199)));
    assert!(!obbs(long(0.0, 0.0), long(-1.601, 1.201)));
}

#[test]
fn boxes_contained_and_without_size() {
    let big = diamond(1.0, 1.0);
    assert!(obbs(big, big));
    assert!(obbs(big, Obb::new([1.5, 1.0], [0.25, 0.25], ALIGNED)));
    assert!(obbs(big, Obb::new([0.0, 0.0], [100.0, 100.0], QUARTER)));
    let point = |x, y| Obb::new([x, y], [0.0, 0.0], QUARTER);
    assert!(obbs(big, point(1.0, 2.5)));
    assert!(!obbs(big, point(1.0, 3.0)), "a corner");
    assert!(!obbs(big, point(2.0, 2.0)), "on a side");
    assert!(!obbs(point(1.0, 1.0), point(1.0, 1.0)));
    let flat = Obb::new([0.0, 0.0], [3.0, 0.0], ALIGNED);
    assert!(obbs(flat, Obb { cos: 0.0, sin: 1.0, ..flat }), "they cross");
    assert!(obbs(flat, Obb { cos: 1.0, sin: 1.0, ..flat }), "they cross");
    assert!(!obbs(flat, flat));
    assert!(!obbs(flat, Obb { x: 3.0, cos: 0.0, sin: 1.0, ..flat }), "a T");
}

#[test]
fn circle_against_turned_box() {
    // Half as wide as it is high: corners at (±2, ±4) around (1, 0).
    let aligned = Obb::new([1.0, 0.0], [4.0, 2.0], QUARTER);
    let hits = |x, y, radius| obb_circle(aligned, Circle::new([x, y], radius));
    assert!(hits(6.0, 8.0, 5.0), "the corner (3, 4) is 5 away");
    assert!(!hits(6.0, 8.0, 4.75));
    assert!(hits(-4.0, -8.0, 5.0), "the corner (-1, -4) is 5 away");
    assert!(!hits(-4.0, -8.0, 4.75));
    assert!(hits(5.0, 3.5, 2.0), "the side x = 3 is 2 away");
    assert!(!hits(5.0, 3.5, 1.75));
    assert!(hits(0.0, -7.0, 3.0), "the side y = -4 is 3 away");
    assert!(!hits(0.0, -7.0, 2.75));
    assert!(hits(1.0, 0.0, 0.0) && hits(2.0, 3.0, 0.0), "inside");
    assert!(hits(3.0, 4.0, 0.0) && hits(3.0, 0.0, 0.0), "on the border");
    assert!(!hits(3.25, 4.0, 0.0));
    assert!(hits(50.0, 0.0, 100.0), "around the box");

    // Along the long axis the end is at (3, 4); (6, 8) is 5 further.
    let turned = Obb::new([0.0, 0.0], [5.0, 2.0], THREE_FOUR);
    let hits = |x, y, radius| obb_circle(turned, Circle::new([x, y], radius));
    assert!(hits(6.0, 8.0, 5.001) && !hits(6.0, 8.0, 4.999));
    // (0, 10) is (8, 6) in the frame of the box: 3 and 4 from its corner (5, 2).
    assert!(hits(0.0, 10.0, 5.001) && !hits(0.0, 10.0, 4.999));

    let point = Obb::new([3.0, 4.0], [0.0, 0.0], QUARTER);
    assert!(obb_circle(point, Circle::new([0.0, 0.0], 5.0)));
    assert!(!obb_circle(point, Circle::new([0.0, 0.0], 4.75)));
    assert!(obb_circle(point, Circle::new([3.0, 4.0], 0.0)));
}

#[test]
fn polygons_by_hand() {
    let triangle = polygon(&[[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]]);
    let boxed = |x: f32, y: f32| polygon(&[[x, y], [x + 1.0, y], [x + 1.0, y + 1.0], [x, y + 1.0]]);
    assert!(polygons(&triangle, &boxed(2.0, 2.0)), "the corner is on the long side");
    assert!(!polygons(&triangle, &boxed(2.0, 2.25)));
    assert!(polygons(&triangle, &boxed(4.0, 0.0)), "corners meet");
    assert!(!polygons(&triangle, &boxed(4.25, 0.0)));
    assert!(polygons(&triangle, &boxed(1.0, -1.0)), "sides meet");
    assert!(!polygons(&triangle, &boxed(1.0, -1.25)));
    assert!(polygons(&triangle, &boxed(0.5, 0.5)), "contained");
    assert!(polygons(&triangle, &triangle), "coincident");
    let reversed: Vec<Vec2> = triangle.iter().rev().copied().collect();
    assert!(polygons(&reversed, &boxed(2.0, 2.0)));
    assert!(!polygons(&reversed, &boxed(2.0, 2.25)));
    for few in 0..3 {
        assert!(!polygons(&triangle, &triangle[..few]));
    }

    // A polygon without area, but not on one line with the other.
    let flat = |x: f32, y: f32| polygon(&[[x, y], [x + 1.0, y], [x + 2.0, y]]);
    assert!(polygons(&triangle, &flat(-2.0, 1.0)) && !polygons(&triangle, &flat(-2.25, 1.0)));
    assert!(polygons(&triangle, &flat(2.0, 2.0)) && !polygons(&triangle, &flat(2.0, 2.25)));
    // On one line there is no normal that parts them, and points have no normals at all.
    assert!(polygons(&flat(0.0, 0.0), &flat(100.0, 0.0)));
    assert!(polygons(&[Vec2::ZERO; 3], &[Vec2::ONE; 3]));
}

#[test]
fn needles_touch_at_their_tips_and_long_sides() {
    // The long side is x / 4096 + y = 1, through (2048, 0.5).
    let needle = polygon(&[[0.0, 0.0], [4096.0, 0.0], [0.0, 1.0]]);
    let other = |y: f32| polygon(&[[2048.0, y], [2049.0, y + 0.5], [2048.0, y + 0.5]]);
    assert!(polygons(&needle, &other(0.5)));
    assert!(!polygons(&needle, &other(0.5 + 1.0 / 64.0)));
    assert!(polygons(&needle, &other(0.5 - 1.0 / 64.0)));
    // Two needles crossing like a plus, and the same one off its tip.
    let aligned = |x: f32| polygon(&[[x, -2048.0], [x + 1.0, -2048.0], [x, 2048.0]]);
    assert!(polygons(&needle, &aligned(1000.0)));
    assert!(polygons(&needle, &aligned(4096.0)), "at the tip");
    assert!(!polygons(&needle, &aligned(4096.25)));
}

#[test]
fn polygons_of_64_sides_touch_at_corners_and_sides() {
    let fixed = regular(64, 0.0, 0.0);
    // Towards a corner it reaches 1, towards the middle of a side cos(π / 64).
    assert!(polygons(&fixed, &regular(64, 2.0 - 1e-5, 0.0)));
    assert!(!polygons(&fixed, &regular(64, 2.0 + 1e-5, 0.0)));
    let angle = std::f64::consts::PI / 64.0;
    let off = |d: f64| regular(64, d * angle.cos(), d * angle.sin());
    assert!(polygons(&fixed, &off(2.0 * angle.cos() - 1e-5)));
    assert!(!polygons(&fixed, &off(2.0 * angle.cos() + 1e-5)));
    assert!(polygons(&fixed, &fixed));
    // The same corners are a polygon of the engine's.
    assert_eq!(ConvexPolygon::new(&fixed).unwrap().vertices(), fixed);
}

#[test]
fn bodies_of_circles() {
    // Hull and nose.
    let ship = |x: f32, y: f32| [Circle::new([x, y], 2.0), Circle::new([x, y + 3.0], 1.0)];
    let meets = |a: &[Circle], b: &[Circle]| both(any_circle, a, b);
    let rock = [Circle::new([0.0, 0.0], 1.0)];
    assert!(meets(&ship(0.0, 0.0), &rock));
    assert!(!meets(&ship(3.0, 0.0), &rock), "the hull touches");
    assert!(meets(&ship(2.75, 0.0), &rock), "the hull");
    assert!(!meets(&ship(0.0, -5.0), &rock), "the nose touches");
    assert!(meets(&ship(0.0, -4.75), &rock), "the nose");
    assert!(!meets(&ship(3.0, 4.0), &[Circle::new([0.0, 0.0], 3.0)]), "3-4-5: 5 apart");
    assert!(meets(&ship(3.0, 4.0), &[Circle::new([0.0, 0.0], 3.25)]));
    assert!(!meets(&ship(0.0, 0.0), &[]));
    assert!(!meets(&[], &[]));
}

#[test]
fn point_to_segment() {
    let d2 = |x, y, segment| point_segment_distance2([x, y], segment);
    let flat = Segment::new([0.0, 0.0], [8.0, 0.0]);
    assert_eq!(d2(4.0, 3.0, flat), 9.0);
    assert_eq!(d2(3.0, 0.0, flat), 0.0);
    assert_eq!(d2(-3.0, 4.0, flat), 25.0);
    assert_eq!(d2(11.0, -4.0, flat), 25.0);
    // Half-way along (6, 8) is (3, 4); (-4, 3) is square to it.
    let slope = Segment::new([0.0, 0.0], [6.0, 8.0]);
    assert_eq!(d2(3.0 - 4.0, 4.0 + 3.0, slope), 25.0);
    assert_eq!(d2(9.0, 12.0, slope), 25.0);
    let point = Segment::new([1.0, 1.0], [1.0, 1.0]);
    assert_eq!(d2(4.0, 5.0, point), 25.0);
    assert_eq!(d2(1.0, 1.0, point), 0.0);
}

#[test]
fn segment_to_segment() {
    let d2 = |a: Segment, b: Segment| {
        let swap = |s: Segment| Segment::new(s.b(), s.a());
        let d2 = segment_segment_distance2(a, b);
        for (a, b) in [(b, a), (swap(a), b), (a, swap(b)), (swap(b), swap(a))] {
            assert_eq!(segment_segment_distance2(a, b), d2, "{a:?} {b:?}");
        }
        d2
    };
    let flat = Segment::new([0.0, 0.0], [8.0, 0.0]);
    let to = |ax, ay, bx, by| d2(flat, Segment::new([ax, ay], [bx, by]));
    assert_eq!(to(4.0, -4.0, 4.0, 4.0), 0.0, "a plus");
    assert_eq!(to(0.0, -4.0, 8.0, 4.0), 0.0, "a cross");
    assert_eq!(to(4.0, 0.0, 4.0, 4.0), 0.0, "a T");
    assert_eq!(to(8.0, 0.0, 12.0, 4.0), 0.0, "end to end");
    assert_eq!(to(4.0, 3.0, 4.0, 9.0), 9.0, "a T with a gap");
    assert_eq!(to(11.0, 4.0, 12.0, 9.0), 25.0, "end to end, 3 and 4 apart");
    assert_eq!(to(2.0, 3.0, 6.0, 3.0), 9.0, "side by side");
    assert_eq!(to(-4.0, 3.0, 12.0, 3.0), 9.0, "side by side");
    assert_eq!(to(11.0, 4.0, 20.0, 4.0), 25.0, "parallel, past the end");
    assert_eq!(to(11.0, 0.0, 20.0, 0.0), 9.0, "on one line");
    assert_eq!(to(2.0, 0.0, 20.0, 0.0), 0.0, "on one line, overlapping");
    assert_eq!(to(0.0, 0.0, 8.0, 0.0), 0.0, "the same");
    assert_eq!(to(11.0, -4.0, 11.0, -4.0), 25.0, "a point");
    let (a, b) = (Segment::new([0.0, 0.0], [0.0, 0.0]), Segment::new([3.0, 4.0], [3.0, 4.0]));
    assert_eq!((d2(a, b), d2(a, a)), (25.0, 0.0), "two points");
}

#[test]
fn capsules_by_hand() {
    let flat = Capsule::new([0.0, 0.0], [8.0, 0.0], 1.0);
    let with = |ax, ay, bx, by, radius| capsules(flat, Capsule::new([ax, ay], [bx, by], radius));
    assert!(with(4.0, 3.0, 4.0, 9.0, 2.0) && !with(4.0, 3.0, 4.0, 9.0, 1.75));
    assert!(with(11.0, 4.0, 12.0, 9.0, 4.0) && !with(11.0, 4.0, 12.0, 9.0, 3.75));
    assert!(with(2.0, 3.0, 6.0, 3.0, 2.0) && !with(2.0, 3.0, 6.0, 3.0, 1.75));
    assert!(with(4.0, -4.0, 4.0, 4.0, 0.0));
    assert!(with(0.0, 0.0, 8.0, 0.0, 1.0));

    let round = |x, y, radius| capsule_circle(flat, Circle::new([x, y], radius));
    assert!(round(4.0, 3.0, 2.0) && !round(4.0, 3.0, 1.75));
    assert!(round(11.0, -4.0, 4.0) && !round(11.0, -4.0, 3.75));
    assert!(round(3.0, 0.0, 0.0) && round(9.0, 0.0, 0.0) && !round(9.25, 0.0, 0.0));
}

// ---------------------------------------------------------------- against f64 and each other

/// Multiples of 1/16 up to 16: sums, differences and products of these are exact.
fn dyadic() -> impl Strategy<Value = f32> {
    (-256..=256).prop_map(|v: i32| v as f32 / 16.0)
}

fn size() -> impl Strategy<Value = f32> {
    (0..=64).prop_map(|v: i32| v as f32 / 16.0)
}

fn obb() -> impl Strategy<Value = Obb> {
    let at = || -6.0_f32..6.0;
    let half = || 0.01_f32..4.0;
    (at(), at(), half(), half(), -4.0_f32..4.0)
        .prop_map(|(x, y, w, h, angle)| Obb::new([x, y], [w, h], Rotation::from_angle(angle)))
}

fn capsule() -> impl Strategy<Value = Capsule> {
    let at = || -6.0_f32..6.0;
    (at(), at(), at(), at(), 0.1_f32..2.0)
        .prop_map(|(ax, ay, bx, by, r)| Capsule::new([ax, ay], [bx, by], r))
}

type Wide = [f64; 2];

fn wide(v: [f32; 2]) -> Wide {
    v.map(f64::from)
}

fn minus(a: Wide, b: Wide) -> Wide {
    [a[0] - b[0], a[1] - b[1]]
}

fn cross(a: Wide, b: Wide) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

fn dot(a: Wide, b: Wide) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// The sides of a polygon.
fn sides(polygon: &[Wide]) -> Vec<(Wide, Wide)> {
    (0..polygon.len()).map(|i| (polygon[i], polygon[(i + 1) % polygon.len()])).collect()
}

/// How far apart two segments are: 0 if they cross, else the distance of one of the four ends.
fn segments_apart(first: (Wide, Wide), second: (Wide, Wide)) -> f64 {
    let straddles = |(a, b): (Wide, Wide), (c, d): (Wide, Wide)| {
        cross(minus(b, a), minus(c, a)) * cross(minus(b, a), minus(d, a)) < 0.0
    };
    if straddles(first, second) && straddles(second, first) {
        return 0.0;
    }
    let ends = [(first.0, second), (first.1, second), (second.0, first), (second.1, first)];
    ends.iter().map(|&(p, s)| point_apart(p, s)).fold(f64::INFINITY, f64::min)
}

fn point_apart(p: Wide, (a, b): (Wide, Wide)) -> f64 {
    let ab = minus(b, a);
    let t = (dot(minus(p, a), ab) / dot(ab, ab).max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
    let gap = minus(p, [a[0] + t * ab[0], a[1] + t * ab[1]]);
    dot(gap, gap).sqrt()
}

/// Whether the point is inside of a counter-clockwise polygon.
fn inside(p: Wide, polygon: &[Wide]) -> bool {
    sides(polygon).iter().all(|&(a, b)| cross(minus(b, a), minus(p, a)) > 0.0)
}

/// How far apart two convex polygons are: by sides that cross and corners inside, not by
/// projections.
fn polygons_apart(a: &[Wide], b: &[Wide]) -> f64 {
    if inside(a[0], b) || inside(b[0], a) {
        return 0.0;
    }
    let pairs = sides(a).into_iter().flat_map(|a| sides(b).into_iter().map(move |b| (a, b)));
    pairs.map(|(a, b)| segments_apart(a, b)).fold(f64::INFINITY, f64::min)
}

/// Whether two boxes overlap; `None` if the answer is another with sizes a bit smaller or larger.
fn apart_from_touching(a: Obb, b: Obb) -> Option<bool> {
    let grown = |obb: Obb, by: f32| {
        let half_width = (obb.half_width + by).max(0.0);
        let half_height = (obb.half_height + by).max(0.0);
        corners(Obb { half_width, half_height, ..obb }).map(wide)
    };
    let hit = |by| polygons_apart(&grown(a, by), &grown(b, by)) == 0.0;
    let (smaller, larger) = (hit(-1e-4), hit(1e-4));
    (smaller == larger).then_some(larger)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn turned_boxes_as_polygons(a in obb(), b in obb()) {
        let [poly_a, poly_b] = [a, b].map(|obb| polygon(&corners(obb)));
        if let Some(truth) = apart_from_touching(a, b) {
            prop_assert_eq!(obbs(a, b), truth);
            prop_assert_eq!(polygons(&poly_a, &poly_b), truth);
        }
        // As polygons of the engine's they keep their corners.
        let checked = ConvexPolygon::new(&poly_a).unwrap();
        prop_assert_eq!(checked.vertices(), poly_a);
    }

    #[test]
    fn turned_box_and_circle(obb in obb(), x in -8.0_f32..8.0, y in -8.0_f32..8.0, radius in 0.0_f32..4.0) {
        let outline = corners(obb).map(wide);
        let center = wide([x, y]);
        let apart = if inside(center, &outline) {
            0.0
        } else {
            sides(&outline).iter().map(|&s| point_apart(center, s)).fold(f64::INFINITY, f64::min)
        };
        let margin = apart - f64::from(radius);
        if margin.abs() > 1e-4 {
            prop_assert_eq!(obb_circle(obb, Circle::new([x, y], radius)), margin < 0.0);
        }
    }

    #[test]
    fn hulls_as_polygons(
        a in prop::collection::vec(prop::array::uniform2(-8_i8..=8), 3..12),
        b in prop::collection::vec(prop::array::uniform2(-8_i8..=8), 3..12),
    ) {
        let hull = |points: &[[i8; 2]]| {
            let points: Vec<[f32; 2]> = points.iter().map(|p| p.map(f32::from)).collect();
            ConvexPolygon::hull(&points)
        };
        if let (Ok(a), Ok(b)) = (hull(&a), hull(&b)) {
            let [wide_a, wide_b] = [&a, &b].map(|p| -> Vec<Wide> {
                p.vertices().iter().map(|v| wide(v.to_array())).collect()
            });
            // Small integers: 0 is exact, and all else is far from it.
            let truth = polygons_apart(&wide_a, &wide_b) < 1e-9;
            prop_assert_eq!(polygons(a.vertices(), b.vertices()), truth);
        }
    }

    #[test]
    fn boxes_at_right_angles_touch_as_aligned_ones_do(a in (dyadic(), dyadic(), size(), size()), b in (dyadic(), dyadic(), size(), size())) {
        let views = |(x, y, w, h)| {
            let aabb = Aabb::centered([x, y], [w, h]);
            let turned = Obb::new([x, y], [h, w], QUARTER);
            (aabb, [Obb::new([x, y], [w, h], ALIGNED), turned])
        };
        let ((aabb_a, obbs_a), (aabb_b, obbs_b)) = (views(a), views(b));
        let strict = expanded_rect_strict::rect_rect(aabb_a, aabb_b);
        let touching = min_max::aabb_aabb(aabb_a, aabb_b) != strict;
        for obb_a in obbs_a {
            for obb_b in obbs_b {
                prop_assert_eq!(obbs(obb_a, obb_b), strict);
            }
            if !touching {
                prop_assert_eq!(obbs(obb_a, obbs_b[0]), min_max::aabb_aabb(aabb_a, aabb_b));
            }
            let (x, y, radius, _) = b;
            let circle = Circle::new([x, y], radius.abs());
            let expected = contract::overlap(aabb_a, circle, Inclusive);
            prop_assert_eq!(obb_circle(obb_a, circle), expected);
        }
    }

    #[test]
    fn capsules_without_length(a in prop::array::uniform3(-9.0_f32..9.0), b in prop::array::uniform3(-9.0_f32..9.0)) {
        let views = |[x, y, r]: [f32; 3]| {
            (Circle::new([x, y], r.abs() / 2.0), Capsule::new([x, y], [x, y], r.abs() / 2.0))
        };
        let ((circle_a, capsule_a), (circle_b, capsule_b)) = (views(a), views(b));
        let expected = contract::circle_circle(circle_a, circle_b, Inclusive);
        prop_assert_eq!(capsules(capsule_a, capsule_b), expected);
        prop_assert_eq!(capsule_circle(capsule_a, circle_b), expected);
        prop_assert_eq!(capsule_circle(capsule_b, circle_a), expected);
        let inside = contract::point_circle(Point::new(circle_a.center()), circle_b, Inclusive);
        let point = Circle { radius: 0.0, ..circle_a };
        prop_assert_eq!(capsule_circle(capsule_b, point), inside);
    }

    /// A capsule along an axis is a rounded box.
    #[test]
    fn capsules_along_axes(
        a in (dyadic(), dyadic(), size(), size(), any::<bool>()),
        b in (dyadic(), dyadic(), size(), size(), any::<bool>()),
    ) {
        let views = |(x, y, length, radius, aligned): (f32, f32, f32, f32, bool)| {
            let end = if aligned { [x, y + length] } else { [x + length, y] };
            let capsule = Capsule::new([x, y], end, radius);
            (capsule, RoundedBox::new(Aabb::new([x, y], end), radius))
        };
        let ((capsule_a, box_a), (capsule_b, box_b)) = (views(a), views(b));
        let [yes, no] = [Inclusive, Exclusive].map(|t| contract::overlap(box_a, box_b, t));
        // Where they touch, the closest points are quotients and may be rounded.
        if yes == no {
            prop_assert_eq!(capsules(capsule_a, capsule_b), yes);
        }
    }

    #[test]
    fn capsules_against_f64(a in capsule(), b in capsule()) {
        let core = |c: Capsule| (wide([c.ax, c.ay]), wide([c.bx, c.by]));
        let apart = segments_apart(core(a), core(b));
        let margin = apart - f64::from(a.radius) - f64::from(b.radius);
        if margin.abs() > 1e-2 {
            prop_assert_eq!(capsules(a, b), margin < 0.0, "{}", margin);
        }
        let near = point_apart(core(b).0, core(a)) - f64::from(a.radius) - f64::from(b.radius);
        if near.abs() > 1e-4 {
            let circle = Circle::new([b.ax, b.ay], b.radius);
            prop_assert_eq!(capsule_circle(a, circle), near < 0.0);
        }
    }

    #[test]
    fn bodies_by_the_contract(
        a in prop::collection::vec((dyadic(), dyadic(), size()), 0..6),
        b in prop::collection::vec((dyadic(), dyadic(), size()), 0..6),
    ) {
        let body = |circles: Vec<(f32, f32, f32)>| -> Vec<Circle> {
            circles.into_iter().map(|(x, y, r)| Circle::new([x, y], r)).collect()
        };
        let (a, b) = (body(a), body(b));
        let expected =
            a.iter().any(|&a| b.iter().any(|&b| contract::overlap(a, b, Exclusive)));
        prop_assert_eq!(any_circle(&a, &b), expected);
    }
}
