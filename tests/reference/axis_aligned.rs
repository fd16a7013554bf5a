//! The reference against numbers worked out by hand, exact integers, `f64` and parry2d.
//!
//! Two shapes that need no rounding must get the very answer of exact arithmetic from every
//! algorithm, on the border too. Random floats must get it away from the border.

use std::cmp::Ordering;

use parry2d::math::{Pose, Vector};
use parry2d::query::intersection_test;
use parry2d::shape::{Ball, Cuboid, RoundCuboid, Shape};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use widephase::Pair;
use widephase::Touching::{self, Exclusive, Inclusive};
use widephase::reference::contract::overlap;
use widephase::reference::integer_square::{BoundingSquare, IntRect};
use widephase::reference::{
    brute_force, center_distance, contract, expanded_rect_strict, expanded_sides, integer_square,
    min_max, nine_zones,
};
use widephase::shape::{Aabb, AxisAligned, Circle, Kind, MAX_COORDINATE, Point, RoundedBox};

use common::rng::cases;

// ---------------------------------------------------------------- shapes and witnesses

fn point(x: f32, y: f32) -> RoundedBox {
    Point { x, y }.rounded_box()
}

fn circle(x: f32, y: f32, radius: f32) -> RoundedBox {
    Circle { x, y, radius }.rounded_box()
}

fn aabb(min_x: f32, min_y: f32, max_x: f32, max_y: f32) -> RoundedBox {
    Aabb { min_x, min_y, max_x, max_y }.rounded_box()
}

fn rounded(min_x: f32, min_y: f32, max_x: f32, max_y: f32, radius: f32) -> RoundedBox {
    RoundedBox { min_x, min_y, max_x, max_y, radius }
}

/// 2^k, exactly, subnormals included.
fn pow2(k: i32) -> f32 {
    match k {
        -126..=127 => f32::from_bits(((k + 127) as u32) << 23),
        -149..=-127 => f32::from_bits(1 << (k + 149)),
        _ => unreachable!("2^{k} is not an f32"),
    }
}

fn as_circle(s: RoundedBox) -> Option<Circle> {
    let flat = s.min_x == s.max_x && s.min_y == s.max_y;
    flat.then_some(Circle { x: s.min_x, y: s.min_y, radius: s.radius })
}

fn as_aabb(s: RoundedBox) -> Option<Aabb> {
    (s.radius == 0.0).then(|| s.core())
}

fn as_point(s: RoundedBox) -> Option<Point> {
    as_circle(s).filter(|c| c.radius == 0.0).map(|c| Point::new(c.center()))
}

/// One algorithm's answer for a pair, and the policy whose rule it follows.
struct Witness {
    algorithm: &'static str,
    touching: Touching,
    hit: bool,
}

/// Every algorithm that applies to `a` and `b` in this order. A circle of radius 0 or a box of zero
/// size is also a point, and a point is also such a circle and such a box: all views of a shape are
/// tested.
fn witnesses(a: RoundedBox, b: RoundedBox) -> Vec<Witness> {
    let mut all = Vec::new();
    let mut push = |algorithm, touching, hit| all.push(Witness { algorithm, touching, hit });
    if let (Some(p), Some(c)) = (as_point(a), as_circle(b)) {
        for touching in [Inclusive, Exclusive] {
            push("contract::point_circle", touching, contract::point_circle(p, c, touching));
        }
        push("nine_zones::point_in_circle", Inclusive, nine_zones::point_in_circle(p, c));
        push("strict point_circle", Exclusive, expanded_rect_strict::point_circle(p, c));
    }
    if let (Some(p), Some(rect)) = (as_point(a), as_aabb(b)) {
        for touching in [Inclusive, Exclusive] {
            push("contract::point_aabb", touching, contract::point_aabb(p, rect, touching));
        }
        push("strict point_rect", Exclusive, expanded_rect_strict::point_rect(p, rect));
    }
    if let (Some(a), Some(b)) = (as_circle(a), as_circle(b)) {
        for touching in [Inclusive, Exclusive] {
            push("contract::circle_circle", touching, contract::circle_circle(a, b, touching));
        }
        push("center_distance", Inclusive, center_distance::circle_circle(a, b));
        push("strict circle_circle", Exclusive, expanded_rect_strict::circle_circle(a, b));
    }
    if let (Some(c), Some(rect)) = (as_circle(a), as_aabb(b)) {
        for touching in [Inclusive, Exclusive] {
            push("contract::circle_aabb", touching, contract::circle_aabb(c, rect, touching));
        }
        push("nine_zones::circle_rect", Inclusive, nine_zones::circle_rect(c, rect));
        push("expanded_sides", Inclusive, expanded_sides::circle_rect(c, rect));
        push("strict circle_rect", Exclusive, expanded_rect_strict::circle_rect(c, rect));
    }
    if let (Some(a), Some(b)) = (as_aabb(a), as_aabb(b)) {
        for touching in [Inclusive, Exclusive] {
            push("contract::aabb_aabb", touching, contract::aabb_aabb(a, b, touching));
        }
        push("min_max", Inclusive, min_max::aabb_aabb(a, b));
        push("strict rect_rect", Exclusive, expanded_rect_strict::rect_rect(a, b));
    }
    all
}

/// The algorithms whose arithmetic is the contract's own, so that no rounding can part them.
fn same_arithmetic(algorithm: &str) -> bool {
    !matches!(algorithm, "center_distance" | "expanded_sides" | "strict circle_rect")
}

/// The algorithms that compute nothing, so that nothing can round or underflow.
fn only_compares(algorithm: &str) -> bool {
    matches!(
        algorithm,
        "contract::point_aabb"
            | "contract::aabb_aabb"
            | "min_max"
            | "strict point_rect"
            | "strict rect_rect"
    )
}

/// The plane reflected: mirrored in x, mirrored in y, x and y exchanged.
fn turned(s: RoundedBox, turn: u8) -> RoundedBox {
    let RoundedBox { mut min_x, mut min_y, mut max_x, mut max_y, radius } = s;
    if turn & 1 != 0 {
        (min_x, max_x) = (-max_x, -min_x);
    }
    if turn & 2 != 0 {
        (min_y, max_y) = (-max_y, -min_y);
    }
    if turn & 4 != 0 {
        (min_x, max_x, min_y, max_y) = (min_y, max_y, min_x, max_x);
    }
    RoundedBox { min_x, min_y, max_x, max_y, radius }
}

/// All eight reflections and quarter turns of a pair, in both orders.
fn orientations(a: RoundedBox, b: RoundedBox) -> impl Iterator<Item = (RoundedBox, RoundedBox)> {
    (0..8).flat_map(move |turn| {
        let (a, b) = (turned(a, turn), turned(b, turn));
        [(a, b), (b, a)]
    })
}

/// Asserts the answers of the contract and of every applicable algorithm, in every orientation.
fn assert_pair(name: &str, a: RoundedBox, b: RoundedBox, inclusive: bool, exclusive: bool) {
    for (a, b) in orientations(a, b) {
        assert_eq!(overlap(a, b, Inclusive), inclusive, "{name}, inclusive: {a:?} {b:?}");
        assert_eq!(overlap(a, b, Exclusive), exclusive, "{name}, exclusive: {a:?} {b:?}");
        for Witness { algorithm, touching, hit } in witnesses(a, b) {
            let expected = if touching == Inclusive { inclusive } else { exclusive };
            assert_eq!(hit, expected, "{name}, {algorithm}, {touching:?}: {a:?} {b:?}");
        }
    }
}

// ---------------------------------------------------------------- by hand

/// The three things that can be true of a pair, as (inclusive, exclusive).
const APART: (bool, bool) = (false, false);
const TOUCHING: (bool, bool) = (true, false);
const OVERLAPPING: (bool, bool) = (true, true);

#[test]
fn cases_worked_out_by_hand() {
    let unit = aabb(0.0, 0.0, 1.0, 1.0);
    let bit = pow2(-20);
    let cases = [
        // A centre distance of 5 in a 3-4-5 triangle.
        ("circles meet", circle(0., 0., 2.), circle(3., 4., 3.), TOUCHING),
        ("circles a bit apart", circle(0., 0., 2.), circle(3., 4., 3. - bit), APART),
        ("circles a bit over", circle(0., 0., 2.), circle(3., 4., 3. + bit), OVERLAPPING),
        ("circles meet, negative", circle(-7., -9., 2.), circle(-10., -13., 3.), TOUCHING),
        ("circles meet in a row", circle(-1., 0., 0.5), circle(0., 0., 0.5), TOUCHING),
        ("circle in circle", circle(1., 0., 1.), circle(0., 0., 9.), OVERLAPPING),
        ("circle in circle, borders meet", circle(2., 0., 1.), circle(0., 0., 3.), OVERLAPPING),
        ("coincident circles", circle(1., 2., 3.), circle(1., 2., 3.), OVERLAPPING),
        // Boxes.
        ("faces meet", unit, aabb(1., 0., 2., 1.), TOUCHING),
        ("part of a face", unit, aabb(1., 0.25, 2., 0.5), TOUCHING),
        ("corners meet", unit, aabb(1., 1., 2., 2.), TOUCHING),
        ("boxes a bit apart", unit, aabb(1. + bit, 0., 2., 1.), APART),
        ("boxes a bit over", unit, aabb(1. - bit, 0., 2., 1.), OVERLAPPING),
        ("over in x, apart in y", unit, aabb(0.5, 3., 2., 4.), APART),
        ("over in x, meeting in y", unit, aabb(0.5, 1., 2., 4.), TOUCHING),
        ("box in box", unit, aabb(-1., -1., 2., 2.), OVERLAPPING),
        ("box in box, faces meet", unit, aabb(0., 0., 2., 2.), OVERLAPPING),
        ("coincident boxes", unit, unit, OVERLAPPING),
        ("a cross", aabb(-4., -1., 4., 1.), aabb(-1., -4., 1., 4.), OVERLAPPING),
        // A circle and a box: faces, the corner (3, 4) at distance 5, inside.
        ("circle meets face", circle(-2., 0.5, 2.), unit, TOUCHING),
        ("circle meets the end of a face", circle(-2., 1., 2.), unit, TOUCHING),
        ("circle a bit off face", circle(-2. - bit, 0.5, 2.), unit, APART),
        ("circle a bit in face", circle(-2. + bit, 0.5, 2.), unit, OVERLAPPING),
        ("circle meets corner", circle(0., 0., 5.), aabb(3., 4., 9., 9.), TOUCHING),
        ("circle short of corner", circle(0., 0., 5. - bit), aabb(3., 4., 9., 9.), APART),
        ("circle over corner", circle(0., 0., 5. + bit), aabb(3., 4., 9., 9.), OVERLAPPING),
        ("circle's square over corner only", circle(0., 0., 4.5), aabb(3., 4., 9., 9.), APART),
        ("circle in box", circle(0.5, 0.5, 0.25), unit, OVERLAPPING),
        ("box in circle", circle(0.5, 0.5, 8.), unit, OVERLAPPING),
        ("centre on a side", circle(0., 0.5, 0.25), unit, OVERLAPPING),
        ("centre on a corner", circle(0., 0., 0.25), unit, OVERLAPPING),
        ("circle around a point box", circle(0., 0., 1.), aabb(0.5, 0., 0.5, 0.), OVERLAPPING),
        ("circle around a segment", circle(0., 0., 1.), aabb(0., -4., 0., 4.), OVERLAPPING),
        ("circle meets the end of a segment", circle(0., 0., 1.), aabb(0., 1., 0., 4.), TOUCHING),
        ("circle meets a segment's side", circle(1., 2., 1.), aabb(0., 1., 0., 4.), TOUCHING),
        // Zero size: an inside is needed to be strictly inside of.
        ("equal points", point(1., 2.), point(1., 2.), TOUCHING),
        ("different points", point(1., 2.), point(1., 2. + bit), APART),
        ("point in circle", point(1., 1.), circle(0., 0., 2.), OVERLAPPING),
        ("point on circle", point(3., 4.), circle(0., 0., 5.), TOUCHING),
        ("point off circle", point(3., 4. + bit), circle(0., 0., 5.), APART),
        ("point at the centre", point(3., 4.), circle(3., 4., 5.), OVERLAPPING),
        ("point in box", point(0.25, 0.5), unit, OVERLAPPING),
        ("point on side", point(0., 0.5), unit, TOUCHING),
        ("point on corner", point(1., 1.), unit, TOUCHING),
        ("point beside box", point(1. + bit, 0.5), unit, APART),
        ("point in segment", point(0., 0.5), aabb(0., 0., 0., 1.), TOUCHING),
        ("segments cross", aabb(-1., 0., 1., 0.), aabb(0., -1., 0., 1.), OVERLAPPING),
        ("segments form a T", aabb(-1., 0., 1., 0.), aabb(0., 0., 0., 1.), TOUCHING),
        ("segments in a line", aabb(0., 0., 2., 0.), aabb(1., 0., 3., 0.), TOUCHING),
        ("segment in box", aabb(0.25, 0.5, 0.75, 0.5), unit, OVERLAPPING),
        // Rounded boxes: the cores are 3 and 4 apart.
        (
            "rounded corners meet",
            rounded(0., 0., 1., 1., 2.),
            rounded(4., 5., 6., 6., 3.),
            TOUCHING,
        ),
        (
            "rounded a bit apart",
            rounded(0., 0., 1., 1., 2.),
            rounded(4., 5. + bit, 6., 6., 3.),
            APART,
        ),
        (
            "rounded a bit over",
            rounded(0., 0., 1., 1., 2.),
            rounded(4. - bit, 5., 6., 6., 3.),
            OVERLAPPING,
        ),
        ("rounded faces meet", rounded(0., 0., 1., 1., 2.), rounded(6., -3., 9., 7., 3.), TOUCHING),
        ("rounded and point", rounded(0., 0., 1., 1., 5.), point(4., 5.), TOUCHING),
        ("rounded and box", rounded(0., 0., 1., 1., 5.), aabb(4., 5., 5., 6.), TOUCHING),
        ("rounded and circle", rounded(0., 0., 1., 1., 1.), circle(-3., -4., 4.), TOUCHING),
        (
            "capsules side by side",
            rounded(0., 0., 9., 0., 1.),
            rounded(2., 2., 5., 2., 1.),
            TOUCHING,
        ),
        (
            "only the borders overlap",
            rounded(0., 0., 1., 1., 1.),
            rounded(2., 2., 3., 3., 1.),
            OVERLAPPING,
        ),
    ];
    for (name, a, b, (inclusive, exclusive)) in cases {
        assert_pair(name, a, b, inclusive, exclusive);
    }
}

/// The same triangles where f32 is coarsest and where it is finest: a power of two changes nothing.
#[test]
fn huge_and_tiny_numbers() {
    for k in [-60, -30, 30, 57] {
        let u = pow2(k);
        let (a, b) = (circle(0., 0., 2. * u), circle(3. * u, 4. * u, 3. * u));
        assert_pair("3-4-5 circles", a, b, true, false);
        let rect = aabb(3. * u, 4. * u, 8. * u, 8. * u);
        assert_pair("3-4-5 corner", circle(0., 0., 5. * u), rect, true, false);
        assert_pair("3-4-4.75 corner", circle(0., 0., 4.75 * u), rect, false, false);
        assert_pair("3-4-5.25 corner", circle(0., 0., 5.25 * u), rect, true, true);
    }

    // The ends of the admitted range: 2^61 between the centres, and as much in radii.
    let max = MAX_COORDINATE;
    assert_pair("ends meet", circle(-max, 0., max), circle(max, 0., max), true, false);
    assert_pair("far corners", circle(-max, -max, max), circle(max, max, max), false, false);
    let left = rounded(-max, -max, -max, max, max);
    assert_pair("widest shapes meet", left, circle(max, 0., max), true, false);
    assert_pair("widest shape and centre", left, circle(0., 0., 1.), true, false);

    // The smallest f32 is 2^-149. Its square is zero, yet boxes that far apart do not touch.
    let least = pow2(-149);
    let to_zero = aabb(-1., -1., 0., 1.);
    assert!(!overlap(to_zero, aabb(least, -1., 1., 1.), Inclusive));
    assert!(overlap(to_zero, aabb(-least, -1., 1., 1.), Exclusive));
    assert!(!overlap(point(0., 0.), point(least, 0.), Inclusive));
    for (a, b) in [(to_zero, aabb(least, -1., 1., 1.)), (to_zero, aabb(least, 0., least, 0.))] {
        let (a, b) = (a.core(), b.core());
        assert!(!contract::aabb_aabb(a, b, Inclusive) && !min_max::aabb_aabb(a, b));
    }
}

/// The statements of the documentation about squares that underflow.
#[test]
fn underflow_is_as_documented() {
    let circles = |x, y, r| (Circle::new([0.0, 0.0], r), Circle::new([x, y], 0.0));

    // A gap of 2^-80 against a radius of 0: both squares are 0.
    let (a, b) = circles(pow2(-80), 0.0, 0.0);
    assert!(!overlap(a, b, Inclusive));
    assert!(contract::circle_circle(a, b, Inclusive), "the textbook test takes them for touching");
    // A gap along an axis is compared with the radius itself.
    let (a, b) = circles(pow2(-80), 0.0, pow2(-80));
    assert!(overlap(a, b, Inclusive));
    let (a, b) = circles(pow2(-80) + pow2(-100), 0.0, pow2(-80));
    assert!(!overlap(a, b, Inclusive));
    // The true distance is the square root of 2 times the radius: a square corner.
    let (a, b) = circles(pow2(-80), pow2(-80), pow2(-80));
    assert!(overlap(a, b, Inclusive));

    // Coincident circles: the squared radius is 0 at 2^-75, and just not at 1.25 * 2^-75.
    for (radius, exclusive) in [(pow2(-75), false), (1.25 * pow2(-75), true)] {
        let (a, b) = circles(0.0, 0.0, radius);
        assert!(overlap(a, b, Inclusive));
        assert_eq!(overlap(a, b, Exclusive), exclusive);
    }
    // A tiny circle over the side of a box counts in the strict source only; inside, for both
    // sources.
    let rect = Aabb::new([0.0, -1.0], [1.0, 1.0]);
    let over_side = Circle::new([-pow2(-81), 0.0], pow2(-80));
    assert!(!overlap(over_side, rect, Exclusive));
    assert!(expanded_rect_strict::circle_rect(over_side, rect));
    let inside = Circle::new([pow2(-81), 0.0], pow2(-80));
    assert!(overlap(inside, rect, Exclusive));
    assert!(expanded_rect_strict::circle_rect(inside, rect));
}

/// The statements of the documentation about sources that round elsewhere: each pair is decided
/// differently.
#[test]
fn rounding_differs_as_documented() {
    let u = pow2(-24); // the spacing of f32 just below 1
    let rect = Aabb::new([1.0, -1.0], [3.0, 1.0]);
    // The side 1 - 0.75u is not an f32: it moves out to 1 - u, onto a centre that is u away.
    let beyond = Circle::new([1.0 - u, 0.0], 0.75 * u);
    assert!(expanded_sides::circle_rect(beyond, rect));
    assert!(!overlap(beyond, rect, Inclusive));
    // The side 1 - 1.25u moves in to 1 - u, onto a centre that is less than the radius away.
    let within = Circle::new([1.0 - u, 0.0], 1.25 * u);
    assert!(!expanded_rect_strict::circle_rect(within, rect));
    assert!(overlap(within, rect, Exclusive));
    // The contract's own rounding: the gap 1 + 2^-30 becomes 1, while the side 1 - 1 is exact.
    let beyond = Circle::new([-pow2(-30), 0.0], 1.0);
    assert!(overlap(beyond, rect, Inclusive));
    assert!(!expanded_sides::circle_rect(beyond, rect));
    // And the gap 1 - 2^-30 becomes 1.
    let within = Circle::new([pow2(-30), 0.0], 1.0);
    assert!(!overlap(within, rect, Exclusive));
    assert!(expanded_rect_strict::circle_rect(within, rect));

    // The squared distance 1 + 1.125 * 2^-23 becomes 1 + 2^-23, and its root 1.
    let (a, b) = (Circle::new([0.0, 0.0], 0.5), Circle::new([1.0, 0.75 * pow2(-11)], 0.5));
    assert!(center_distance::circle_circle(a, b));
    assert!(!overlap(a, b, Inclusive));
}

// ---------------------------------------------------------------- exact integers

/// A rounded box in integers: left, lower side, width, height, radius.
type IntBox = (i64, i64, i64, i64, i64);

/// Exact: inclusive and exclusive.
fn exact(a: IntBox, b: IntBox) -> (bool, bool) {
    let gap_x = (b.0 - (a.0 + a.2)).max(a.0 - (b.0 + b.2));
    let gap_y = (b.1 - (a.1 + a.3)).max(a.1 - (b.1 + b.3));
    let r = a.4 + b.4;
    let d2 = gap_x.max(0).pow(2) + gap_y.max(0).pow(2);
    let insides = if r == 0 { gap_x < 0 && gap_y < 0 } else { d2 < r * r };
    (d2 <= r * r, insides)
}

/// The same shape in f32, scaled by a power of two.
fn scaled((x, y, width, height, radius): IntBox, unit: f32) -> RoundedBox {
    let f = |v: i64| v as f32 * unit;
    rounded(f(x), f(y), f(x + width), f(y + height), f(radius))
}

/// Small shapes of every kind, crowded, so that many pairs touch exactly.
fn int_box() -> impl Strategy<Value = IntBox> {
    let at = || -4..=4_i64;
    let size = || 0..=4_i64;
    prop_oneof![
        (at(), at()).prop_map(|(x, y)| (x, y, 0, 0, 0)),
        (at(), at(), 0..=5_i64).prop_map(|(x, y, r)| (x, y, 0, 0, r)),
        (at(), at(), size(), size()).prop_map(|(x, y, w, h)| (x, y, w, h, 0)),
        (at(), at(), size(), size(), 0..=3_i64),
    ]
}

/// Repeatable samples of a strategy, for tests that count the cases that they have seen.
fn samples<S: Strategy>(strategy: S, n: usize) -> impl Iterator<Item = S::Value> {
    let mut runner = TestRunner::deterministic();
    (0..n).map(move |_| strategy.new_tree(&mut runner).expect("nothing is filtered").current())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    /// No rounding happens here, so every algorithm answers exactly, by its own boundary rule.
    #[test]
    fn every_algorithm_is_exact_on_a_lattice(a in int_box(), b in int_box(), k in -60..=55) {
        let (inclusive, exclusive) = exact(a, b);
        let (a, b) = (scaled(a, pow2(k)), scaled(b, pow2(k)));
        assert_pair("lattice", a, b, inclusive, exclusive);
    }

    #[test]
    fn brute_force_finds_every_pair(shapes in prop::collection::vec(int_box(), 0..24)) {
        let scene: Vec<_> = shapes.iter().map(|&s| scaled(s, 1.0)).collect();
        for touching in [Inclusive, Exclusive] {
            let mut expected = Vec::new();
            // The other way round than the library: column by column, then sorted.
            for (b, &shape_b) in shapes.iter().enumerate() {
                for (a, &shape_a) in shapes.iter().enumerate().take(b) {
                    let (inclusive, exclusive) = exact(shape_b, shape_a);
                    if (inclusive && touching == Inclusive) || exclusive {
                        expected.push(Pair { a: a as u32, b: b as u32 });
                    }
                }
            }
            expected.sort();
            prop_assert_eq!(brute_force::count(&scene, touching), expected.len() as u64);
            prop_assert_eq!(brute_force::pairs(&scene, touching), expected);
        }
    }
}

/// The property above would be empty if the lattice held no pair that touches.
#[test]
fn the_lattice_holds_every_case() {
    let mut seen = [0; 3];
    for (a, b) in samples((int_box(), int_box()), 10_000) {
        match exact(a, b) {
            APART => seen[0] += 1,
            TOUCHING => seen[1] += 1,
            OVERLAPPING => seen[2] += 1,
            (false, true) => panic!("overlapping without touching: {a:?} {b:?}"),
        }
    }
    assert!(seen[0] > 3000 && seen[1] > 500 && seen[2] > 2000, "{seen:?}");
}

#[test]
fn brute_force_by_hand() {
    // 0 meets 1 at x = 1; 1 overlaps 2; 3 is the point (1, 1), the corner of 0 and 1; 4 is far.
    let scene = [
        aabb(0., 0., 1., 1.),
        aabb(1., 0., 3., 1.),
        circle(3., 0.5, 0.5),
        point(1., 1.),
        circle(-100., 0., 9.),
    ];
    let pair = |a, b| Pair { a, b };
    assert_eq!(
        brute_force::pairs(&scene, Inclusive),
        [pair(0, 1), pair(0, 3), pair(1, 2), pair(1, 3)]
    );
    assert_eq!(brute_force::pairs(&scene, Exclusive), [pair(1, 2)]);
    assert_eq!(brute_force::count(&scene, Inclusive), 4);

    assert_eq!(brute_force::pairs::<Circle>(&[], Inclusive), []);
    assert_eq!(brute_force::count(&scene[..1], Inclusive), 0);
    // All coincident: every pair, in order.
    let all = brute_force::pairs(&[Circle::new([1.0, 1.0], 1.0); 50], Exclusive);
    assert_eq!(all.len(), 50 * 49 / 2);
    assert!(all.is_sorted() && all.iter().all(|p| p.a < p.b));
}

// ---------------------------------------------------------------- integer rectangles

#[test]
fn integer_cases_by_hand() {
    let hit = |(x, y, side), (rx, ry, width, height)| {
        integer_square::circle_rect(
            BoundingSquare { x, y, side },
            IntRect { x: rx, y: ry, width, height },
        )
    };
    // Centre (0, 0), radius 5, corner (3, 4).
    assert!(hit((-5, -5, 10), (3, 4, 7, 7)));
    assert!(!hit((-5, -5, 10), (4, 4, 7, 7)));
    // Odd sizes on both sides of the line x = 3; integer halving would part them.
    assert!(hit((0, 0, 3), (3, 0, 3, 3)));
    assert!(!hit((0, 0, 3), (4, 0, 3, 3)));
    // A circle of diameter 3 around (1.5, 1.5) passes (3, 3), which its square contains.
    assert!(!hit((0, 0, 3), (3, 3, 3, 3)));
    // Inside, containing, without size.
    assert!(hit((4, 4, 1), (0, 0, 9, 9)));
    assert!(hit((0, 0, 99), (40, 40, 1, 1)));
    assert!(hit((7, 7, 0), (7, 7, 0, 0)));
    assert!(!hit((7, 7, 0), (8, 7, 0, 0)));

    // The whole range of the types: MIN + u32::MAX is MAX.
    let (min, max) = (i32::MIN, i32::MAX);
    assert!(hit((max, 0, 0), (min, 0, u32::MAX, 0)));
    assert!(!hit((max, 0, 0), (min, 0, u32::MAX - 1, 0)));
    assert!(hit((max, max, u32::MAX), (max, max, u32::MAX, u32::MAX)));
    assert!(!hit((min, min, u32::MAX), (max, max, u32::MAX, u32::MAX)));
    // Centre (-0.5, -0.5), radius 2^31 - 0.5, about 2.1475e9; corners 2.1468e9 and 2.1489e9 away.
    assert!(hit((min, min, u32::MAX), (1_518_000_000, 1_518_000_000, 1, 1)));
    assert!(!hit((min, min, u32::MAX), (1_519_500_000, 1_519_500_000, 1, 1)));
}

/// Exact, by clamping the centre, in doubled coordinates.
fn exact_integer(circle: BoundingSquare, rect: IntRect) -> bool {
    let beyond = |at: i32, side: u32, min: i32, size: u32| {
        let center = 2 * i128::from(at) + i128::from(side);
        let (min, size) = (2 * i128::from(min), 2 * i128::from(size));
        center - center.clamp(min, min + size)
    };
    let dx = beyond(circle.x, circle.side, rect.x, rect.width);
    let dy = beyond(circle.y, circle.side, rect.y, rect.height);
    dx * dx + dy * dy <= i128::from(circle.side).pow(2)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn integer_square_is_exact_for_every_input(
        (x, y, side) in any::<(i32, i32, u32)>(),
        (rx, ry) in any::<(i32, i32)>(),
        (width, height, shift) in (any::<u32>(), any::<u32>(), 0..32_u32),
    ) {
        let circle = BoundingSquare { x, y, side };
        let rect = IntRect { x: rx, y: ry, width: width >> shift, height: height >> shift };
        prop_assert_eq!(integer_square::circle_rect(circle, rect), exact_integer(circle, rect));
    }

    /// The contract holds half-integers exactly, so the two rules must agree on the border too.
    #[test]
    fn integer_square_equals_the_contract(
        (x, y, side) in (-4_180_000..4_180_000, -4_180_000..4_180_000, 0..4096_u32),
        (near_x, near_y, width, height) in (-6000..6000, -6000..6000, 0..4096_u32, 0..4096_u32),
        shift in 0..12,
    ) {
        let (side, width, height) = (side >> shift, width >> shift, height >> shift);
        let (rx, ry) = (x + (near_x >> shift), y + (near_y >> shift));
        let hit = integer_square::circle_rect(
            BoundingSquare { x, y, side },
            IntRect { x: rx, y: ry, width, height },
        );
        let half = |doubled: i64| doubled as f32 * 0.5;
        let (x, y, side) = (i64::from(x), i64::from(y), i64::from(side));
        let circle = Circle::new([half(2 * x + side), half(2 * y + side)], half(side));
        let min = [rx as f32, ry as f32];
        let far = |min: i32, size: u32| (i64::from(min) + i64::from(size)) as f32;
        let max = [far(rx, width), far(ry, height)];
        prop_assert_eq!(overlap(circle, Aabb::new(min, max), Inclusive), hit);
    }
}

// ---------------------------------------------------------------- random floats

/// A float of either sign with any 24 bits, from 2^-8 times to twice the unit, or zero.
fn float() -> impl Strategy<Value = f32> {
    prop_oneof![
        1 => Just(0.0),
        15 => (any::<bool>(), 0..1_u32 << 23, -8..=0).prop_map(|(negative, bits, exponent)| {
            let value = (1.0 + bits as f32 * pow2(-23)) * pow2(exponent);
            if negative { -value } else { value }
        }),
    ]
}

/// A shape of any kind around the origin, with full mantissas.
fn shape() -> impl Strategy<Value = RoundedBox> {
    (float(), float(), float(), float(), float(), 0..4).prop_map(|(x, y, w, h, r, kind)| {
        let (core, radius) = ((x + w.abs(), y + h.abs()), r.abs());
        match kind {
            0 => point(x, y),
            1 => circle(x, y, radius),
            2 => aabb(x, y, core.0, core.1),
            _ => rounded(x, y, core.0, core.1, radius),
        }
    })
}

/// The true squares of gap and radius, and the larger signed gap, to the 53 bits of f64.
fn truth(a: RoundedBox, b: RoundedBox) -> (f64, f64, f64) {
    let f = f64::from;
    let gap_x = (f(b.min_x) - f(a.max_x)).max(f(a.min_x) - f(b.max_x));
    let gap_y = (f(b.min_y) - f(a.max_y)).max(f(a.min_y) - f(b.max_y));
    let r = f(a.radius) + f(b.radius);
    (gap_x.max(0.0).powi(2) + gap_y.max(0.0).powi(2), r * r, gap_x.max(gap_y))
}

/// Two shapes, of which the second gets the radius that makes them touch, give or take some ulps.
fn near_touching() -> impl Strategy<Value = (RoundedBox, RoundedBox)> {
    (shape(), shape(), -40..=40_i32).prop_map(|(a, mut b, ulps)| {
        b.radius = 0.0;
        let (d2, ..) = truth(a, b);
        let radius = (d2.sqrt() as f32 - a.radius).max(0.0);
        // A radius of 0 stays: its neighbours are subnormal, and that is another test.
        if radius > 0.0 {
            b.radius = f32::from_bits(radius.to_bits().saturating_add_signed(ulps));
        }
        (a, b)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8192))]

    /// Away from underflow the textbook tests give the contract's bits, however close to touching;
    /// the other tests need not, but the centre distance accepts all pairs that the contract
    /// accepts.
    #[test]
    fn textbook_tests_equal_the_contract_in_every_bit(
        (a, b) in prop_oneof![near_touching(), (shape(), shape())],
        k in -40..=58,
    ) {
        let unit = pow2(k);
        let f = |s: RoundedBox| {
            rounded(s.min_x * unit, s.min_y * unit, s.max_x * unit, s.max_y * unit, s.radius * unit)
        };
        for (a, b) in orientations(f(a), f(b)) {
            for Witness { algorithm, touching, hit } in witnesses(a, b) {
                let decision = overlap(a, b, touching);
                if same_arithmetic(algorithm) {
                    prop_assert_eq!(hit, decision, "{}, {:?}", algorithm, touching);
                } else if algorithm == "center_distance" {
                    prop_assert!(hit || !decision);
                }
            }
        }
    }

    /// Sides are compared, not computed with: any f32 of the admitted range will do.
    #[test]
    fn boxes_are_exact_at_every_magnitude(
        bits in prop::array::uniform8(any::<u32>()),
        same in 0..=4_usize,
    ) {
        // Shared coordinates make sides meet.
        let mut v = bits.map(|bits| {
            let magnitude = f32::from_bits(bits % (MAX_COORDINATE.to_bits() + 1));
            if bits >> 31 == 0 { magnitude } else { -magnitude }
        });
        v.copy_within(..same, 4);
        let rect = |v: &[f32]| aabb(v[0].min(v[1]), v[2].min(v[3]), v[0].max(v[1]), v[2].max(v[3]));
        let (a, b) = (rect(&v[..4]), rect(&v[4..]));
        let (_, _, gap) = truth(a, b);
        prop_assert_eq!(overlap(a, b, Inclusive), gap <= 0.0);
        prop_assert_eq!(overlap(a, b, Exclusive), gap < 0.0);
        for Witness { algorithm, touching, hit } in witnesses(a, b) {
            if only_compares(algorithm) {
                prop_assert_eq!(hit, overlap(a, b, touching), "{}", algorithm);
            }
        }
    }

    /// Where squares underflow, the promises still hold.
    #[test]
    fn promises_hold_in_underflow(
        v in prop::array::uniform6(0..pow2(-60).to_bits()),
        (signs, flat) in any::<(u8, bool)>(),
    ) {
        let v = v.map(f32::from_bits);
        let sign = |bit: u8| if signs & 1 << bit != 0 { -1.0 } else { 1.0 };
        let a = circle(sign(0) * v[0], sign(1) * v[1], v[2]);
        let b = if flat { aabb(0., 0., v[3], v[4]) } else { circle(0., 0., v[5]) };
        let (_, _, gap) = truth(a, b);
        let r = f64::from(a.radius + b.radius);
        prop_assert!(gap <= r || !overlap(a, b, Inclusive));
        prop_assert!(gap < r || !overlap(a, b, Exclusive));
        for Witness { algorithm, touching, hit } in witnesses(a, b) {
            if same_arithmetic(algorithm) {
                match touching {
                    Exclusive => prop_assert_eq!(hit, overlap(a, b, touching), "{}", algorithm),
                    Inclusive => prop_assert!(hit || !overlap(a, b, touching), "{}", algorithm),
                }
            }
        }
    }
}

/// The documented bound: true unless the squares differ by less than one part in 2^21.
#[test]
fn the_decision_is_true_but_for_the_last_bits() {
    let n = cases(20_000);
    let (mut hits, mut misses, mut too_close) = (0, 0, 0);
    for (a, b) in samples(prop_oneof![near_touching(), (shape(), shape())], n) {
        let (d2, r2, gap) = truth(a, b);
        if r2 == 0.0 {
            assert_eq!(overlap(a, b, Inclusive), gap <= 0.0, "{a:?} {b:?}");
            assert_eq!(overlap(a, b, Exclusive), gap < 0.0, "{a:?} {b:?}");
            continue;
        }
        if (d2 - r2).abs() <= r2 * f64::from(pow2(-21)) {
            too_close += 1;
            continue;
        }
        for touching in [Inclusive, Exclusive] {
            assert_eq!(overlap(a, b, touching), d2 < r2, "{touching:?} {a:?} {b:?}");
        }
        match d2.total_cmp(&r2) {
            Ordering::Less => hits += 1,
            _ => misses += 1,
        }
    }
    assert!(hits > n / 4 && misses > n / 8, "{hits} hits, {misses} misses, {too_close} too close");
    assert!(
        too_close > 0 && too_close < n / 4,
        "{hits} hits, {misses} misses, {too_close} too close"
    );
}

/// The tests that round elsewhere: true unless the distance is within some spacings of f32.
#[test]
fn every_algorithm_is_true_away_from_touching() {
    let n = cases(20_000);
    let (mut asked, mut too_close) = (0, 0);
    for (a, b) in samples((shape(), shape()), n) {
        let (d2, r2, gap) = truth(a, b);
        let margin = if r2 == 0.0 { gap } else { d2.sqrt() - r2.sqrt() };
        // Coordinates and radii are below 4.
        if margin.abs() <= 1e-6 {
            too_close += 1;
            continue;
        }
        for Witness { algorithm, touching, hit } in witnesses(a, b) {
            assert_eq!(hit, margin < 0.0, "{algorithm}, {touching:?}: {a:?} {b:?}");
            asked += 1;
        }
    }
    assert!(too_close < n / 20, "{too_close} of {n} too close");
    assert!(asked > 2 * n, "only {asked} answers");
}

// ---------------------------------------------------------------- parry2d

/// A shape of parry's and where it is.
fn parry(kind: Kind, s: RoundedBox) -> (Pose, Box<dyn Shape>) {
    let pose = Pose::translation((s.min_x + s.max_x) * 0.5, (s.min_y + s.max_y) * 0.5);
    let cuboid = Cuboid::new(Vector::new((s.max_x - s.min_x) * 0.5, (s.max_y - s.min_y) * 0.5));
    let shape: Box<dyn Shape> = match kind {
        Kind::Circle => Box::new(Ball::new(s.radius)),
        Kind::Aabb => Box::new(cuboid),
        _ => Box::new(RoundCuboid { inner_shape: cuboid, border_radius: s.radius }),
    };
    (pose, shape)
}

/// Another library's answer, for every pair of its kinds. It works from centres and half sizes, so
/// coordinates are multiples of 1/64 that convert without rounding.
#[test]
fn parry_agrees_away_from_touching() {
    let solid = || {
        let at = || (-250..=250).prop_map(|v: i32| v as f32 / 64.0);
        let half = || (1..=128).prop_map(|v: i32| v as f32 / 64.0);
        (at(), at(), half(), half(), half(), 0..3).prop_map(|(x, y, w, h, r, kind)| match kind {
            0 => (Kind::Circle, circle(x, y, r)),
            1 => (Kind::Aabb, aabb(x - w, y - h, x + w, y + h)),
            _ => (Kind::RoundedBox, rounded(x - w, y - h, x + w, y + h, r)),
        })
    };
    let n = 30_000;
    let (mut hits, mut misses) = (0, 0);
    for ((kind_a, a), (kind_b, b)) in samples((solid(), solid()), n) {
        let (d2, r2, gap) = truth(a, b);
        // Between boxes the border is where the larger gap is 0.
        let margin = if r2 == 0.0 { gap } else { d2.sqrt() - r2.sqrt() };
        if margin.abs() <= 1e-3 * r2.sqrt().max(1.0) {
            continue;
        }
        let ((pose_a, parry_a), (pose_b, parry_b)) = (parry(kind_a, a), parry(kind_b, b));
        let theirs =
            intersection_test(&pose_a, &*parry_a, &pose_b, &*parry_b).unwrap().intersecting;
        for touching in [Inclusive, Exclusive] {
            assert_eq!(overlap(a, b, touching), theirs, "{kind_a} {a:?}, {kind_b} {b:?}");
        }
        if theirs { hits += 1 } else { misses += 1 }
    }
    assert!(hits > n / 5 && misses > n / 5, "{hits} hits, {misses} misses");
    assert!(hits + misses > n * 19 / 20, "{hits} hits, {misses} misses");
}
