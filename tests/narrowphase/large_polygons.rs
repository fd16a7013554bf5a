//! Two polygons of many vertices, which are searched in another way than small polygons: the
//! verdicts and the contacts equal the results of the quadratic search over all sides and vertices,
//! to the last bit.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

use std::f32::consts::TAU;

use common::{
    POLICIES, Rng, assert_contacts,
    crowd::{PosedShape, store},
    levels, pow2,
    rng::cases,
    twins::contact,
};
use widephase::{
    Narrowphase, NarrowphaseOptions, Pair,
    narrowphase::distance,
    reference::{placed_shape::PlacedShape, single::touches},
    shape::{AnyShape, ConvexPolygon, Pose, Rotation, Shape},
};

/// The vertices of a polygon of about this many, within 1 of the origin.
fn ring(rng: &mut Rng, count: usize) -> Vec<[f32; 2]> {
    let turn = rng.range(0.0, TAU);
    let even = |step: usize| turn + TAU * step as f32 / count as f32;
    let on = |angle: f32, [width, height]: [f32; 2]| [width * angle.cos(), height * angle.sin()];
    match rng.below(8) {
        // Regular: all sides are equally good, and all vertices are.
        0 | 1 => (0..count).map(|step| on(even(step), [1.0, 1.0])).collect(),
        // Flat, so that many sides and vertices are nearly as good.
        2 => {
            let height = pow2(-(rng.below(22) as i32));
            (0..count).map(|step| on(even(step), [1.0, height])).collect()
        }
        // Tiny sides between long sides.
        3 => (0..count)
            .map(|step| {
                let corner = even(step / 8 * 8) + (step % 8) as f32 * pow2(-12);
                on(corner, [1.0, 1.0])
            })
            .collect(),
        // A side that is bent by hardly more than roundings.
        4 => {
            let bend = rng.range(0.5, 40.0) * pow2(-24);
            let at = |step: usize| 2.0 * step as f32 / count as f32 - 1.0;
            let bent =
                (0..count).map(|step| [at(step), -(1.0 - at(step).powi(2)) * bend * count as f32]);
            bent.chain([[1.0, 0.5], [-1.0, 0.5]]).collect()
        }
        // A drop with a sharp tip.
        5 => {
            let round = (0..count).map(|step| on(TAU * step as f32 / count as f32, [0.2, 0.2]));
            round.chain([[1.0, 0.0]]).collect()
        }
        // Any angles.
        6 => (0..count).map(|_| on(rng.range(0.0, TAU), [1.0, 1.0])).collect(),
        // Whole numbers, so that many values are equal.
        _ => (0..count)
            .map(|step| on(even(step), [64.0, 64.0]).map(|at| at.round() / 64.0))
            .collect(),
    }
}

/// A polygon of about this many vertices and of this size. At least 3 remain.
fn polygon(rng: &mut Rng, count: usize, size: f32, far: f32) -> ConvexPolygon {
    let own = [rng.range(-far, far) * size, rng.range(-far, far) * size];
    loop {
        let ring = ring(rng, count);
        let placed: Vec<[f32; 2]> =
            ring.iter().map(|at| [0, 1].map(|axis| own[axis] + size * at[axis])).collect();
        if let Ok(polygon) = ConvexPolygon::hull(&placed) {
            let radius = if rng.below(3) == 0 { size * rng.range(0.0, 0.5) } else { 0.0 };
            return polygon.with_radius(radius).unwrap();
        }
    }
}

/// Two polygons near each other.
fn pair(rng: &mut Rng, most: u64) -> [PosedShape; 2] {
    // With the offsets below, all coordinates stay within 2^60.
    let size = if rng.below(4) == 0 { pow2(rng.int(-60, 46) as i32) } else { 1.0 };
    let ratio = if rng.below(4) == 0 { pow2(-(rng.below(12) as i32)) } else { 1.0 };
    let far = if rng.below(3) == 0 { pow2(rng.below(12) as i32) } else { 0.0 };
    let count = |rng: &mut Rng| 40 + rng.below(most) as usize;
    let counts = [count(rng), count(rng)];
    let first = polygon(rng, counts[0], size, far);
    let second = if ratio == 1.0 && rng.below(4) == 0 {
        first.clone()
    } else {
        polygon(rng, counts[1], size * ratio, far)
    };
    let turned = |rng: &mut Rng| match rng.below(4) {
        0 => Rotation::IDENTITY,
        1 => Rotation::quarter_turns(rng.below(4) as i32),
        _ => Rotation::from_angle(rng.range(0.0, TAU)),
    };
    let turns = [turned(rng), turned(rng)];
    // The centres of both polygons, turned, and how far they reach along a direction.
    let angle = if rng.below(3) == 0 { 0.0 } else { rng.range(0.0, TAU) };
    let direction = [angle.cos(), angle.sin()];
    let along = |polygon: &ConvexPolygon, turn: Rotation, sign: f32| {
        let heights = polygon.vertices().iter().map(|vertex| {
            let [x, y] = turn.apply(vertex.to_array());
            sign * (x * direction[0] + y * direction[1])
        });
        heights.fold(f32::MIN, f32::max)
    };
    let reach = along(&first, turns[0], 1.0) + along(&second, turns[1], -1.0);
    let small = size * ratio;
    let gap = match rng.below(6) {
        0 => 0.0,
        1 => small * pow2(-(rng.below(26) as i32)),
        2 => -small * pow2(-(rng.below(26) as i32)),
        3 => -reach,
        4 => small * rng.range(-1.0, 0.2),
        _ => first.radius() + second.radius() + small * pow2(-(rng.below(26) as i32)),
    };
    let aside = if rng.below(2) == 0 { 0.0 } else { size * rng.range(-0.1, 0.1) };
    let ([x, y], height) = (direction, reach + gap);
    let place = [height * x - aside * y, height * y + aside * x];
    let moved = if rng.below(4) == 0 { size * pow2(rng.below(12) as i32) } else { 0.0 };
    let place = place.map(|at| at + moved);
    [
        PosedShape::at(first, Pose::new([moved, moved], turns[0])),
        PosedShape::at(second, Pose::new(place, turns[1])),
    ]
}

/// Checks whether the first polygon touches the second, the third the fourth and so on, and their
/// contacts, with margins of these shares of their sizes. Returns how many contacts there are.
fn check(solids: &[PosedShape], margin: f32, what: &str) -> usize {
    let pairs: Vec<Pair> =
        (0..solids.len() as u32 / 2).map(|i| Pair { a: 2 * i, b: 2 * i + 1 }).collect();
    let bodies: Vec<PlacedShape> =
        solids.iter().map(|solid| PlacedShape::new(&solid.shape, solid.pose).unwrap()).collect();
    let store = store(solids);
    let mut count = 0;
    for policy in POLICIES {
        let (mut touching, mut expected) = (Vec::new(), Vec::new());
        for &pair in &pairs {
            let [a, b] = [pair.a as usize, pair.b as usize].map(|row| &bodies[row]);
            touching.extend(touches(a, b, policy).then_some(pair));
            expected.extend(
                contact::contact(a, b, margin, policy).map(|contact| contact.with_pair(pair)),
            );
        }
        count += expected.len();
        for &level in levels() {
            let what = format!("{what}, margin {margin}, {policy:?}, {level}");
            let mut narrowphase = Narrowphase::with_options(NarrowphaseOptions {
                touching: policy,
                simd_level: Some(level),
                ..NarrowphaseOptions::default()
            })
            .unwrap();
            let (mut found_pairs, mut found) = (Vec::new(), Vec::new());
            narrowphase.pairs(&store, &pairs, &mut found_pairs).unwrap();
            assert!(found_pairs == touching, "{what}");
            narrowphase.contacts(&store, &pairs, margin, &mut found).unwrap();
            assert_contacts(&found, &expected, &what);
        }
    }
    count
}

#[test]
fn contacts_are_those_of_the_quadratic_search() {
    let mut contacts = 0;
    for seed in 0..cases(60) as u64 {
        let mut rng = Rng::new(seed);
        let solids: Vec<PosedShape> = (0..20).flat_map(|_| pair(&mut rng, 60)).collect();
        for margin in [0.0, 0.25, 30.0] {
            contacts += check(&solids, margin, &format!("seed {seed}"));
        }
    }
    assert!(contacts > 50 * cases(60), "{contacts}");
}

#[test]
fn contacts_of_very_many_vertices_are_those_of_the_quadratic_search() {
    for seed in 0..cases(2) as u64 {
        let mut rng = Rng::new(seed);
        let solids: Vec<PosedShape> = (0..3).flat_map(|_| pair(&mut rng, 700)).collect();
        for margin in [0.0, 0.25] {
            check(&solids, margin, &format!("seed {seed}"));
        }
    }
}

/// The corners of a polygon at its pose, in `f64`.
fn corners(solid: &PosedShape) -> Vec<[f64; 2]> {
    let AnyShape::Polygon(polygon) = solid.shape.any() else { panic!("a polygon") };
    let pose = solid.pose.unwrap();
    let Rotation { cos, sin } = pose.rotation();
    let [cos, sin, x, y] = [cos, sin, pose.x, pose.y].map(f64::from);
    let place =
        |[own_x, own_y]: [f64; 2]| [x + cos * own_x - sin * own_y, y + sin * own_x + cos * own_y];
    polygon.vertices().iter().map(|at| place(at.to_array().map(f64::from))).collect()
}

/// How far the corners of `b` are beyond a side of `a`, at most, and the least distance of a corner
/// of `b` and a side of `a`.
fn beyond_and_near(a: &[[f64; 2]], b: &[[f64; 2]]) -> [f64; 2] {
    let (mut beyond, mut near) = (f64::NEG_INFINITY, f64::INFINITY);
    for (start, end) in a.iter().zip(a.iter().cycle().skip(1)) {
        let way = [end[0] - start[0], end[1] - start[1]];
        let length = way[0].hypot(way[1]);
        let mut least = f64::INFINITY;
        for corner in b {
            let to = [corner[0] - start[0], corner[1] - start[1]];
            least = least.min((to[0] * way[1] - to[1] * way[0]) / length);
            let share = (to[0] * way[0] + to[1] * way[1]) / (length * length);
            let share = share.clamp(0.0, 1.0);
            near = near.min((to[0] - share * way[0]).hypot(to[1] - share * way[1]));
        }
        beyond = beyond.max(least);
    }
    [beyond, near]
}

#[test]
fn distances_are_those_of_all_corners_and_sides() {
    let mut apart = 0;
    for seed in 0..cases(1_500) as u64 {
        let mut rng = Rng::new(seed);
        let most = [8, 60, 200][seed as usize % 3];
        let [first, second] = pair(&mut rng, most);
        let [a, b] = [corners(&first), corners(&second)];
        let ([beyond, near], [other_beyond, other_near]) =
            (beyond_and_near(&a, &b), beyond_and_near(&b, &a));
        let radii = [&first, &second].map(|solid| match solid.shape.any() {
            AnyShape::Polygon(polygon) => f64::from(polygon.radius()),
            _ => 0.0,
        });
        let size =
            a.iter().chain(&b).flatten().fold(radii[0] + radii[1], |most, at| most.max(at.abs()));
        let roundings = size * f64::from(pow2(-44));
        let beyond = beyond.max(other_beyond);
        let expected = match near.min(other_near) - radii[0] - radii[1] {
            gap if beyond > roundings => gap.max(0.0),
            _ if beyond < -roundings => 0.0,
            _ => continue,
        };
        let found = f64::from(distance(&first, &second).unwrap());
        let tolerance = expected * f64::from(pow2(-23)) + roundings;
        assert!((found - expected).abs() <= tolerance, "seed {seed}: {found} {expected} {size}");
        apart += usize::from(expected > 0.0);
    }
    assert!(apart > cases(300), "{apart}");
}
