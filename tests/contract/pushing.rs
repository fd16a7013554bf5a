//! Pushing out: a small body is moved by the depth of each contact, 200,000 times, beside a body
//! that is 30 times as large, and in a room. It never leaves, and it ends up separated.

use std::f32::consts::FRAC_PI_3;

use widephase::{
    narrowphase::contact,
    shape::{
        Aabb, AnyShape, Capsule, Circle, ConvexPolygon, Obb, OwnedShape, Pose, Posed, Rotation,
        RoundedBox,
    },
};

use common::product::product;
use common::rng::Rng;

const RATIO: f32 = 30.0;

/// Bodies that reach about as far as `size` from the origin.
fn bodies(size: f32) -> Vec<OwnedShape> {
    let hexagon: Vec<[f32; 2]> = (0..6)
        .map(|corner| Rotation::from_angle(corner as f32 * FRAC_PI_3).apply([size * 0.9, 0.0]))
        .collect();
    let hexagon = ConvexPolygon::new(&hexagon).unwrap();
    let half = size * 0.7;
    let inner = Aabb::new([-half * 0.5, -half * 0.5], [half * 0.5, half * 0.5]);
    vec![
        Circle::new([0.0, 0.0], size).into(),
        Aabb::new([-half, -half], [half, half]).into(),
        RoundedBox::new(inner, half * 0.5).into(),
        Obb::new([0.0, 0.0], [half, half * 0.5], Rotation::from_angle(0.4)).into(),
        Capsule::new([-half, 0.0], [half, 0.0], half * 0.3).into(),
        hexagon.clone().into(),
        hexagon.with_radius(size * 0.1).unwrap().into(),
    ]
}

/// Moves `small`, at `at`, out of `large` once. Returns the depth.
fn push(large: &Posed<'_>, small: &mut Posed<'_>, pose: &mut Pose, first: bool) -> Option<f32> {
    // A box that stays axis-aligned takes no rotation.
    small.pose = Some(match small.shape {
        AnyShape::Aabb(_) | AnyShape::RoundedBox(_) => Pose::at(pose.position()),
        _ => *pose,
    });
    let (found, sign) = match first {
        true => (contact(large, *small, 0.0).unwrap()?, 1.0),
        false => (contact(*small, large, 0.0).unwrap()?, -1.0),
    };
    let normal = found.normal();
    assert!((normal.length() - 1.0).abs() < 1e-6, "{found:?}");
    assert!(found.depth.is_finite() && found.depth >= 0.0, "{found:?}");
    *pose = Pose { x: pose.x + sign * normal.x * found.depth, ..*pose };
    *pose = Pose { y: pose.y + sign * normal.y * found.depth, ..*pose };
    Some(found.depth)
}

/// Within 64 roundings of the larger size.
const SEPARATED: f32 = 64.0 / (1 << 24) as f32;

#[test]
fn out_of_a_large_body() {
    let mut rng = Rng::new(30);
    let (mut steps, mut pushed) = (0, 0);
    for unit in [1.0, 1e-6, 1e6] {
        for (large, small) in product((bodies(RATIO * unit), bodies(unit))) {
            let still = Posed::from((&large, Pose::at([0.0, 0.0])));
            let mut pose = Pose::at([RATIO * unit, rng.range(-0.1, 0.1) * unit]);
            let mut moving = Posed::from((&small, pose));
            for step in 0..1_400 {
                // Towards the middle of the large body, by up to half of the own size.
                let length = pose.x.hypot(pose.y);
                let kick = rng.range(0.0, 0.5) * unit / length;
                let aside = rng.range(-0.3, 0.3) * unit / length;
                let turn = Rotation::from_angle(rng.range(-4.0, 4.0));
                let [x, y] = [
                    pose.x - pose.x * kick - pose.y * aside,
                    pose.y - pose.y * kick + pose.x * aside,
                ];
                pose = Pose::new([x, y], turn);
                pushed +=
                    usize::from(push(&still, &mut moving, &mut pose, step % 2 == 0).is_some());
                let left = push(&still, &mut moving, &mut pose, step % 2 == 1).unwrap_or(0.0);
                assert!(left <= SEPARATED * RATIO * unit, "{left}: {small:?} in {large:?}");
                let far = pose.x.hypot(pose.y);
                assert!(far <= (RATIO + 2.0) * unit, "{small:?} left {large:?}");
                steps += 1;
            }
        }
    }
    assert!(steps > 200_000 && pushed > 100_000, "{pushed} of {steps}");
}

/// A small body in a room of four walls, 30 times as wide, that runs into walls and corners.
#[test]
fn back_into_a_room() {
    let mut rng = Rng::new(31);
    let (mut steps, mut pushed) = (0, 0);
    let of = |unit: f32| bodies(unit).into_iter().map(move |body| (unit, body));
    for (unit, small) in [1.0, 1e-6, 1e6].into_iter().flat_map(of) {
        let (half, thick) = (0.5 * RATIO * unit, 10.0 * unit);
        let (least, most) = ([-half - thick; 2], [half + thick; 2]);
        let walls = [
            Aabb::new(least, [-half, most[1]]),
            Aabb::new([half, least[1]], most),
            Aabb::new(least, [most[0], -half]),
            Aabb::new([least[0], half], most),
        ]
        .map(Posed::from);
        let mut pose = Pose::at([0.0, 0.0]);
        let mut moving = Posed::from((&small, pose));
        let mut heading = [unit, 0.5 * unit];
        for step in 0..10_000 {
            if rng.below(40) == 0 {
                heading = [rng.range(-1.0, 1.0) * unit, rng.range(-1.0, 1.0) * unit];
            }
            let turn = Rotation::from_angle(rng.range(-4.0, 4.0));
            pose = Pose::new([pose.x + heading[0], pose.y + heading[1]], turn);
            // Twice: the second wall of a corner may push into the first.
            for wall in walls.iter().chain(&walls) {
                pushed += usize::from(push(wall, &mut moving, &mut pose, step % 2 == 0).is_some());
            }
            for wall in &walls {
                let mut after = pose;
                let left = push(wall, &mut moving, &mut after, step % 2 == 0).unwrap_or(0.0);
                assert!(left <= SEPARATED * 2.0 * half, "{left}: {small:?}");
            }
            assert!(pose.x.abs() < half && pose.y.abs() < half, "{small:?} at {pose:?}");
            steps += 1;
        }
    }
    assert!(steps >= 200_000 && pushed > 50_000, "{pushed} of {steps}");
}
