//! Shapes a little to either side of the place where a side takes over from a vertex as the nearest
//! feature, at distances down to nearly nothing: roundings fail here first.
//!
//! Random crowds hardly ever have such pairs. Before these cases were looked for, contacts next to
//! such a border could leave shapes overlapping by half a hundredth of their size.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

use std::f32::consts::PI;

use common::{
    POLICIES, assert_contacts,
    convex::{Convex, PlaneVector, length, minus, plus, times},
    crowd::{Make, Maker, Numbers, PosedShape, store},
    levels, pow2,
    truth::{assert_true_contact, assert_true_test},
    twins::contact,
};
use proptest::prelude::*;
use widephase::{
    Narrowphase, NarrowphaseOptions, Pair, Touching,
    reference::{placed_shape::PlacedShape, single::touches},
    shape::{Circle, ConvexPolygon, Part, Pose, Rotation, Shape},
};

/// How many pairs are made from a seed.
const PAIRS: usize = 32;

/// A shape at the origin that has a side, or any.
fn shape(maker: &mut Maker, with_sides: bool) -> (Make, Part) {
    loop {
        let make = Make::SINGLE[maker.rng.below(10) as usize];
        let part = match make {
            Make::Polygon | Make::Many | Make::RoundedPolygon => {
                let most = if make == Make::Many { 30 } else { 6 };
                let vertices = 3 + maker.rng.below(most) as usize;
                let radius = maker.rng.range(0.0, 1.0);
                maker.polygon(vertices).with_radius(radius).unwrap().into()
            }
            _ => maker.part(make, [0.0, 0.0]),
        };
        let convex = Convex::new(part.any(), None);
        if (has_sides(&convex) || !with_sides) && !has_tiny_sides(&convex) {
            return (make, part);
        }
    }
}

/// Not a point or circle, nor a line of no length.
fn has_sides(shape: &Convex) -> bool {
    matches!(shape.corners[..], [first, second, ..] if first != second)
}

/// Whether a side is hardly longer than a rounding of its ends' places.
fn has_tiny_sides(shape: &Convex) -> bool {
    let least = (shape.reach().0 + shape.reach().1) * f64::from(pow2(-20));
    shape.sides().any(|[start, end]| start != end && length(minus(end, start)) < least)
}

fn only(solid: &PosedShape) -> Convex {
    Convex::parts(solid).remove(0)
}

/// One of the corners of a shape, a way out of the shape there, and the way across that, both of
/// length 1: out of a side that ends there and along it, or straight away from the core.
fn way_out(maker: &mut Maker, shape: &Convex) -> [PlaneVector; 3] {
    let count = shape.corners.len();
    let corner = maker.rng.below(count as u64) as usize;
    let at = shape.corners[corner];
    let along = |other: usize| {
        let way = minus(shape.corners[other % count], at);
        times(way, 1.0 / length(way))
    };
    let ([x, y], [back_x, back_y]) = (along(corner + 1), along(corner + count - 1));
    match maker.rng.below(4) {
        0 => {
            let (sin, cos) = inwards(shape, corner).sin_cos();
            [at, [-cos, -sin], [sin, -cos]]
        }
        1 => [at, [-back_y, back_x], [back_x, back_y]],
        _ => [at, [y, -x], [x, y]],
    }
}

/// The direction in which a core with sides lies, seen from one of its corners.
fn inwards(shape: &Convex, corner: usize) -> f64 {
    let count = shape.corners.len();
    let to = |other: usize| minus(shape.corners[other % count], shape.corners[corner]);
    let (next, last) = (to(corner + 1), to(corner + count - 1));
    let [x, y] = plus(times(next, 1.0 / length(next)), times(last, 1.0 / length(last)));
    y.atan2(x)
}

/// Two shapes. A corner of one shape is straight above an end of a side of the other, or straight
/// ahead of a corner, but for an angle of 2^-15 to 1; at a distance of 2^-17 to 1.
fn pair(maker: &mut Maker) -> [PosedShape; 2] {
    let (_, part) = shape(maker, true);
    let turn = maker.turn();
    let first = PosedShape::at(part, Pose::new([0.0, 0.0], turn));
    let [end, out, along] = way_out(maker, &only(&first));
    let share = |maker: &mut Maker, least: u64| pow2(-(maker.rng.below(least) as i32));
    let height = f64::from(share(maker, 18) * maker.rng.range(0.5, 1.0));
    let angle = f64::from(share(maker, 16) * maker.rng.range(-1.0, 1.0));
    let target = plus(end, plus(times(out, height), times(along, height * angle)));

    let (make, part) = shape(maker, false);
    let mut turn = maker.turn();
    let turned = |turn| only(&PosedShape::at(part.clone(), Pose::new([0.0, 0.0], turn)));
    let before = turned(turn);
    let corner = maker.rng.below(before.corners.len() as u64) as usize;
    if has_sides(&before) && !Make::ALIGNED.contains(&make) {
        let by = out[1].atan2(out[0]) - inwards(&before, corner);
        let by = by + f64::from(maker.rng.range(-0.3, 0.3));
        let now = f64::from(turn.sin).atan2(f64::from(turn.cos));
        turn = Rotation::from_angle((now + by) as f32);
    }
    let at = minus(target, turned(turn).corners[corner]);
    let second = PosedShape::at(part.clone(), Pose::new(at.map(|value| value as f32), turn));
    if maker.rng.below(2) == 0 { [first, second] } else { [second, first] }
}

/// Checks whether the first shape touches the second, the third the fourth and so on, and their
/// contacts; and that the results are equal on all SIMD levels.
fn check(solids: &[PosedShape], margin: f32, what: &dyn Fn() -> String) {
    for touching in POLICIES {
        check_policy(solids, margin, touching, &|| format!("{}, {touching:?}", what()));
    }
}

fn check_policy(solids: &[PosedShape], margin: f32, policy: Touching, what: &dyn Fn() -> String) {
    let pairs: Vec<Pair> =
        (0..solids.len() as u32 / 2).map(|i| Pair { a: 2 * i, b: 2 * i + 1 }).collect();
    let bodies: Vec<PlacedShape> =
        solids.iter().map(|solid| PlacedShape::new(&solid.shape, solid.pose).unwrap()).collect();
    let (mut touching, mut expected) = (Vec::new(), Vec::new());
    for &pair in &pairs {
        let [a, b] = [pair.a as usize, pair.b as usize];
        let contact = contact::contact(&bodies[a], &bodies[b], margin, policy);
        let touches = touches(&bodies[a], &bodies[b], policy);
        let [a, b] = [a, b].map(|row| only(&solids[row]));
        assert_true_test(touches, &a, &b, what);
        touching.extend(touches.then_some(pair));
        if let Some(contact) = contact {
            assert_true_contact(&contact, &a, &b, margin, what);
            expected.push(contact.with_pair(pair));
        }
    }
    let store = store(solids);
    for &level in levels() {
        let mut narrowphase = Narrowphase::with_options(NarrowphaseOptions {
            touching: policy,
            simd_level: Some(level),
            ..NarrowphaseOptions::default()
        })
        .unwrap();
        let (mut found_pairs, mut found) = (Vec::new(), Vec::new());
        narrowphase.pairs(&store, &pairs, &mut found_pairs).unwrap();
        assert!(found_pairs == touching, "{}, {level}", what());
        narrowphase.contacts(&store, &pairs, margin, &mut found).unwrap();
        assert_contacts(&found, &expected, &format!("{}, {level}", what()));
    }
}

/// Checks pairs that are made from a seed.
fn check_seed(seed: u64, numbers: Numbers, flat: bool, margin: f32) {
    let mut maker = Maker::new(seed, numbers, 1.0);
    maker.flat = flat;
    let solids: Vec<PosedShape> = (0..PAIRS).flat_map(|_| pair(&mut maker)).collect();
    check(&solids, margin, &|| format!("seed {seed}, {numbers:?}, flat: {flat}, margin {margin}"));
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1000, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn contacts_are_right_where_a_side_ends(
        seed in any::<u64>(),
        numbers in prop::sample::select(&Numbers::ALL[..]),
        flat in any::<bool>(),
        margin in prop::sample::select(&[0.0_f32, 0.25][..]),
    ) {
        check_seed(seed, numbers, flat, margin);
    }
}

/// Both ends of a short side are equally high, within the tolerance by which a side is preferred to
/// a corner. The named end is beside the reference side.
#[test]
fn features_at_short_sides() {
    check_seed(3997185516043911021, Numbers::Sizes, false, 0.0);
    check_seed(15902327289695039168, Numbers::Thin, true, 0.0);
}

/// Pairs whose nearest feature was taken to be a corner, though a side was nearer by a 2^20th.
#[test]
fn sides_that_are_hardly_nearer_than_their_corners() {
    for seed in [16659034061105938232, 15759673983462345602] {
        check_seed(seed, Numbers::Sizes, false, 0.0);
    }
}

/// A needle whose last side is short and nearly parallel to the one before, which the contact
/// names.
#[test]
fn the_side_before_the_last_of_a_needle() {
    check_seed(6789790988360714330, Numbers::Quarters, true, 0.0);
}

/// A circle so near a corner that the side stands for the corner, at 2^-16 of the distance of the
/// centres by the sum of its coordinates.
#[test]
fn a_side_stands_for_the_corner_at_its_end() {
    check_seed(659490503934223333, Numbers::Sizes, false, 0.0);
}

/// All sides of a needle are nearly along the way to a shape ahead of its tip: the shape is beyond
/// the sides by less than a rounding. Circles, and other needles that come the other way.
#[test]
fn ahead_of_needles() {
    let mut solids = Vec::new();
    for thin in [8, 12, 16, 20].map(|thin| pow2(-thin)) {
        let needle = ConvexPolygon::new(&[[0.0, -0.75 * thin], [1.0, 0.0], [0.0, thin]]).unwrap();
        for ahead in [4, 8, 12].map(|far| pow2(-far)) {
            for step in 0..32 {
                let angle = step as f32 * 0.2;
                let turn = Rotation::from_angle(angle);
                let opposite = Rotation::from_angle(angle + PI);
                let needle_at =
                    |place, turn| PosedShape::at(needle.clone(), Pose::new(place, turn));
                let circle = Circle::new(turn.apply([1.0 + ahead, 0.0]), 0.125);
                let rounded = needle.clone().with_radius(0.125).unwrap();
                let other = Pose::new(turn.apply([2.0 + ahead, 0.0]), opposite);
                solids.extend([needle_at([0.0, 0.0], turn), circle.into()]);
                solids.extend([needle_at([0.0, 0.0], turn), PosedShape::at(rounded, other)]);
                // Apart, though the boxes around them are not, if they lie across.
                let rounded = needle.clone().with_radius(0.85 * ahead).unwrap();
                solids.extend([needle_at([0.0, 0.0], turn), PosedShape::at(rounded, other)]);
            }
        }
    }
    for margin in [0.0, 0.25] {
        check(&solids, margin, &|| format!("needles, margin {margin}"));
    }
}
