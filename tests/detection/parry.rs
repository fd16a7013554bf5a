//! Another library as a witness: parry2d's answer for every pair, away from touching.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

use common::{Rng, Soa, any_kind, levels, side};
use parry2d::{
    math::{Pose, Vector},
    query::intersection_test,
    shape::{Ball, Cuboid, RoundCuboid, Shape},
};
use widephase::{Detector, Options, Order, Pair, shape::RoundedBox};

/// The shape in parry's terms, around its centre.
fn in_parry(s: &RoundedBox) -> (Pose, Box<dyn Shape>) {
    let half = Vector::new((s.max_x - s.min_x) * 0.5, (s.max_y - s.min_y) * 0.5);
    let pose = Pose::translation((s.min_x + s.max_x) * 0.5, (s.min_y + s.max_y) * 0.5);
    let flat = half.x == 0.0 && half.y == 0.0;
    let shape: Box<dyn Shape> = match (flat, s.radius > 0.0) {
        (true, _) => Box::new(Ball::new(s.radius)),
        (false, false) => Box::new(Cuboid::new(half)),
        (false, true) => {
            Box::new(RoundCuboid { inner_shape: Cuboid::new(half), border_radius: s.radius })
        }
    };
    (pose, shape)
}

/// How far apart two shapes are in `f64`, relative to their sizes; below 0 they overlap by at
/// least that much.
fn clearance(a: &RoundedBox, b: &RoundedBox) -> f64 {
    let gap = |a_min: f32, a_max: f32, b_min: f32, b_max: f32| {
        let [a_min, a_max, b_min, b_max] = [a_min, a_max, b_min, b_max].map(f64::from);
        (b_min - a_max).max(a_min - b_max)
    };
    let dx = gap(a.min_x, a.max_x, b.min_x, b.max_x);
    let dy = gap(a.min_y, a.max_y, b.min_y, b.max_y);
    let outside = dx.max(0.0).hypot(dy.max(0.0));
    let distance = if outside > 0.0 { outside } else { dx.max(dy) };
    let r = f64::from(a.radius) + f64::from(b.radius);
    let width = |s: &RoundedBox| f64::from(s.max_x - s.min_x).max(f64::from(s.max_y - s.min_y));
    (distance - r) / (r + width(a) + width(b)).max(1e-3)
}

/// Compares the detector with parry on all pairs of a scene.
fn check(name: &str, shapes: &[RoundedBox]) {
    let soa = Soa::new(shapes);
    let mut lists = Vec::new();
    for &level in levels() {
        let mut detector = Detector::with_options(Options {
            simd_level: Some(level),
            order: Order::Sorted,
            ..Options::default()
        })
        .unwrap();
        for (_, columns) in soa.forms() {
            let mut pairs = Vec::new();
            detector.pairs(columns, &mut pairs).unwrap();
            lists.push(pairs);
        }
    }
    assert!(lists.windows(2).all(|two| two[0] == two[1]), "{name}");
    let found = &lists[0];

    let parry: Vec<_> = shapes.iter().map(in_parry).collect();
    let (mut near, mut skipped, mut hits) = (0, 0, 0);
    for (i, a) in shapes.iter().enumerate() {
        for (j, b) in shapes.iter().enumerate().skip(i + 1) {
            let clearance = clearance(a, b);
            // Most pairs are far apart, and prove little: they are tested, but not counted.
            near += usize::from(clearance < 0.5);
            if clearance.abs() < 1e-3 {
                skipped += 1;
                continue;
            }
            let ((pose_a, shape_a), (pose_b, shape_b)) = (&parry[i], &parry[j]);
            let expected = intersection_test(pose_a, shape_a.as_ref(), pose_b, shape_b.as_ref())
                .unwrap()
                .intersecting;
            let pair = Pair { a: i as u32, b: j as u32 };
            let hit = found.binary_search(&pair).is_ok();
            assert_eq!(hit, expected, "{name}: {a:?} and {b:?}, clearance {clearance}");
            hits += usize::from(hit);
        }
    }
    assert!(skipped * 10 < near, "{name}: {skipped} of {near} pairs skipped");
    assert!(hits * 10 >= shapes.len(), "{name}: {hits} hits prove little");
    eprintln!("{name}: {hits} hits, {near} pairs near each other, {skipped} skipped");
}

#[test]
fn circles_agree_with_parry() {
    let mut rng = Rng::new(1);
    let shapes: Vec<_> = (0..900)
        .map(|_| {
            common::circle(rng.range(-18.0, 18.0), rng.range(-18.0, 18.0), rng.range(0.1, 0.9))
        })
        .collect();
    check("circles", &shapes);
}

#[test]
fn boxes_agree_with_parry() {
    let mut rng = Rng::new(2);
    let shapes: Vec<_> = (0..900)
        .map(|_| {
            let (x, y) = (rng.range(-18.0, 18.0), rng.range(-18.0, 18.0));
            common::rect(x, y, rng.range(0.1, 0.9), rng.range(0.1, 0.9))
        })
        .collect();
    check("boxes", &shapes);
}

/// Without rounded boxes: parry decides them by an iteration, here one kind at a time.
#[test]
fn circles_and_boxes() {
    let mut rng = Rng::new(3);
    let shapes: Vec<_> = (0..900)
        .map(|i| {
            let (x, y) = (rng.range(0.0, 36.0), rng.range(-36.0, 0.0));
            if i % 2 == 0 {
                common::circle(x, y, rng.range(0.1, 0.9))
            } else {
                common::rect(x, y, rng.range(0.1, 0.9), rng.range(0.1, 0.9))
            }
        })
        .collect();
    check("circles and boxes", &shapes);
}

#[test]
fn all_kinds_agree_with_parry() {
    let mut rng = Rng::new(4);
    let n = 900;
    let s = side(n);
    let shapes: Vec<_> = (0..n)
        .map(|_| {
            let (x, y) = (rng.range(-s, s) * 0.5, rng.range(-s, s) * 0.5);
            any_kind(&mut rng, x, y, 1.2)
        })
        .collect();
    check("all kinds", &shapes);
}

#[test]
fn sizes_a_hundredfold_apart() {
    let mut rng = Rng::new(5);
    let shapes: Vec<_> = (0..700)
        .map(|_| {
            let (x, y) = (rng.range(-30.0, 30.0), rng.range(-30.0, 30.0));
            let size = 0.05 * 100.0_f32.powf(rng.range(0.0, 1.0));
            any_kind(&mut rng, x, y, size)
        })
        .collect();
    check("sizes a hundredfold apart", &shapes);
}
