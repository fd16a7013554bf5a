//! How much two shapes overlap and where their outlines cross: beside clipped polygons of whole
//! numbers, closed forms, and points counted on a lattice.

use common::crowd::PosedShape;
use std::f64::consts::PI;

use widephase::{
    Shapes, Touching,
    glam::Vec2,
    narrowphase::{contains, crossings, overlap_area, touches},
    shape::{
        Aabb, Capsule, Circle, Compound, ConvexPolygon, HalfPlane, Kind, Obb, OwnedShape, Point,
        Pose, Rotation, RoundedBox, Segment,
    },
};

use common::{Rng, rng::cases};

fn posed(shape: impl Into<OwnedShape>) -> PosedShape {
    PosedShape::from(shape)
}

/// The area in both orders, which have the same bits.
fn area(a: &PosedShape, b: &PosedShape) -> f32 {
    let found = overlap_area(a, b).unwrap();
    assert_eq!(found.to_bits(), overlap_area(b, a).unwrap().to_bits());
    assert!(found >= 0.0);
    found
}

/// The points in both orders, which are equal.
fn points(a: &PosedShape, b: &PosedShape) -> Vec<[f32; 2]> {
    let (mut found, mut mirrored) = (vec![Vec2::ZERO], Vec::new());
    crossings(a, b, &mut found).unwrap();
    crossings(b, a, &mut mirrored).unwrap();
    assert_eq!(found, mirrored);
    assert!(found.iter().all(|point| point.is_finite()));
    found.iter().map(|point| point.to_array()).collect()
}

fn assert_near(found: f32, expected: f64, slack: f64, what: &dyn std::fmt::Debug) {
    let error = (f64::from(found) - expected).abs();
    assert!(error <= 1e-7 * expected + slack, "{found} for {expected}: {what:?}");
}

type Ring = Vec<[f64; 2]>;

/// The part of a convex polygon to the left of each side of another (Sutherland and Hodgman, 1974).
fn clipped(mut ring: Ring, by: &[[f64; 2]]) -> Ring {
    for (number, a) in by.iter().enumerate() {
        let b = by[(number + 1) % by.len()];
        let left = |p: [f64; 2]| (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
        let mut kept = Ring::new();
        for (number, &p) in ring.iter().enumerate() {
            let q = ring[(number + 1) % ring.len()];
            let (at_p, at_q) = (left(p), left(q));
            if at_p >= 0.0 {
                kept.push(p);
            }
            if at_p * at_q < 0.0 {
                let share = at_p / (at_p - at_q);
                kept.push([0, 1].map(|axis| p[axis] + share * (q[axis] - p[axis])));
            }
        }
        ring = kept;
    }
    ring
}

fn area_of_ring(ring: &[[f64; 2]]) -> f64 {
    let Some(first) = ring.first() else { return 0.0 };
    let from = |p: &[f64; 2]| [p[0] - first[0], p[1] - first[1]];
    let twice: f64 = ring
        .windows(2)
        .map(|side| {
            let ([ax, ay], [bx, by]) = (from(&side[0]), from(&side[1]));
            ax * by - ay * bx
        })
        .sum();
    0.5 * twice
}

fn random_polygon(rng: &mut Rng, most: i64) -> ConvexPolygon {
    loop {
        let count = rng.int(3, 8);
        let mut number = || rng.int(-most, most) as f32;
        let corners: Vec<[f32; 2]> = (0..count).map(|_| [number(), number()]).collect();
        if let Ok(polygon) = ConvexPolygon::hull(&corners) {
            return polygon;
        }
    }
}

fn ring(polygon: &ConvexPolygon) -> Ring {
    polygon.vertices().iter().map(|v| v.to_array().map(f64::from)).collect()
}

#[test]
fn polygons_of_whole_numbers() {
    let mut rng = Rng::new(1);
    let (mut apart, mut sharing, mut crossing) = (0, 0, 0);
    for case in 0..30_000 {
        let most = [2, 4, 10, 1000][case % 4];
        let [a, b] = [0; 2].map(|_| random_polygon(&mut rng, most));
        let (first, second) = (posed(a.clone()), posed(b.clone()));
        let expected = area_of_ring(&clipped(ring(&a), &ring(&b)));
        let found = area(&first, &second);
        let what = (&a, &b);
        assert_near(found, expected, 1e-12 * (most * most) as f64, &what);
        let own = area_of_ring(&ring(&a));
        assert_eq!(area(&first, &first), own as f32, "{a:?}");
        *(if expected > 0.0 { &mut sharing } else { &mut apart }) += 1;

        // Where sides cross, by whole numbers: a point of both outlines.
        let points = points(&first, &second);
        let (ring_a, ring_b) = (ring(&a), ring(&b));
        let sides = |ring: &Ring| -> Vec<[[f64; 2]; 2]> {
            (0..ring.len()).map(|n| [ring[n], ring[(n + 1) % ring.len()]]).collect()
        };
        for [p, q] in sides(&ring_a) {
            for [r, s] in sides(&ring_b) {
                let turn = |a: [f64; 2], b: [f64; 2], c: [f64; 2]| {
                    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
                };
                let (of_r, of_s) = (turn(p, q, r), turn(p, q, s));
                let (of_p, of_q) = (turn(r, s, p), turn(r, s, q));
                if of_r * of_s < 0.0 && of_p * of_q < 0.0 {
                    let share = of_p / (of_p - of_q);
                    let at = [0, 1].map(|axis| p[axis] + share * (q[axis] - p[axis]));
                    let near = |point: &[f32; 2]| {
                        (0..2).all(|axis| {
                            let off = (f64::from(point[axis]) - at[axis]).abs();
                            off <= 1e-7 * at[axis].abs() + 1e-12 * most as f64
                        })
                    };
                    assert!(points.iter().any(near), "{at:?} {points:?} {what:?}");
                    crossing += 1;
                }
            }
        }
        for &point in &points {
            let on = |ring: &Ring| {
                sides(ring).iter().any(|&[p, q]| {
                    let (way, to) = (
                        [q[0] - p[0], q[1] - p[1]],
                        [f64::from(point[0]) - p[0], f64::from(point[1]) - p[1]],
                    );
                    let length2 = way[0] * way[0] + way[1] * way[1];
                    let share = ((way[0] * to[0] + way[1] * to[1]) / length2).clamp(0.0, 1.0);
                    (to[0] - share * way[0]).hypot(to[1] - share * way[1]) <= 2e-7 * most as f64
                })
            };
            assert!(on(&ring_a) && on(&ring_b), "{point:?} {what:?}");
        }
        // Outlines have a point in common, or one shape is within the other, or they are apart.
        let touching = touches(&first, &second, Touching::Inclusive).unwrap();
        let inside = |inner: &Ring, outer: &Ring| {
            sides(outer).iter().all(|&[p, q]| {
                let turn =
                    |r: &[f64; 2]| (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
                inner.iter().all(|corner| turn(corner) > 0.0)
            })
        };
        let within = inside(&ring_a, &ring_b) || inside(&ring_b, &ring_a);
        assert_eq!(points.is_empty(), !touching || within, "{what:?}");
        assert!(touching || (points.is_empty() && found == 0.0), "{what:?}");
    }
    assert!(apart > 1_000 && sharing > 10_000 && crossing > 30_000);
}

#[test]
fn areas_of_lenses_are_those_of_the_formula() {
    let mut rng = Rng::new(2);
    for _ in 0..20_000 {
        let [r, s] = [0; 2].map(|_| rng.int(1, 40) as f32);
        let [x, y] = [0; 2].map(|_| rng.int(-60, 60) as f32);
        let (a, b) =
            (posed(Circle::new([3.0, -2.0], r)), posed(Circle::new([3.0 + x, y - 2.0], s)));
        let [r, s, d] = [f64::from(r), f64::from(s), f64::from(x).hypot(f64::from(y))];
        let expected = if d >= r + s {
            0.0
        } else if d <= (r - s).abs() {
            PI * r.min(s) * r.min(s)
        } else {
            let half = |r: f64, s: f64| ((d * d + r * r - s * s) / (2.0 * d * r)).acos();
            let segment = |r: f64, angle: f64| r * r * (angle - angle.sin() * angle.cos());
            segment(r, half(r, s)) + segment(s, half(s, r))
        };
        assert_near(area(&a, &b), expected, 1e-9, &(r, s, d));
        let count = points(&a, &b).len();
        let on_a = |count: usize| match count {
            0 => d > r + s || d < (r - s).abs() || d == 0.0 && r == s,
            1 => d == r + s || d == (r - s).abs(),
            _ => d < r + s && d > (r - s).abs(),
        };
        assert!(on_a(count), "{count} {r} {s} {d}");
    }
}

/// Shapes of all kinds with an interior, about as large as 1, and their areas.
fn rounded(rng: &mut Rng) -> (OwnedShape, f64) {
    let size = |rng: &mut Rng| rng.range(0.25, 1.5);
    let [w, h, r] = [size(rng), size(rng), size(rng)];
    let [wide, high, round] = [w, h, r].map(f64::from);
    match rng.below(5) {
        0 => (Circle::new([0.0, 0.0], r).into(), PI * round * round),
        1 => {
            let capsule = Capsule::new([-w, 0.0], [w, 0.0], r);
            (capsule.into(), PI * round * round + 4.0 * wide * round)
        }
        2 => {
            let inner = Aabb::new([-w, -h], [w, h]);
            let around = PI * round * round + 4.0 * (wide + high) * round;
            (RoundedBox::new(inner, r).into(), 4.0 * wide * high + around)
        }
        3 => (Obb::new([0.0, 0.0], [w, h], Rotation::IDENTITY).into(), 4.0 * wide * high),
        _ => {
            let number = |rng: &mut Rng| rng.range(-1.5, 1.5);
            let corners: Vec<_> = (0..6).map(|_| [number(rng), number(rng)]).collect();
            let polygon = ConvexPolygon::hull(&corners).unwrap();
            let ring = ring(&polygon);
            let length: f64 = (0..ring.len())
                .map(|n| {
                    let (a, b) = (ring[n], ring[(n + 1) % ring.len()]);
                    (a[0] - b[0]).hypot(a[1] - b[1])
                })
                .sum();
            let area = area_of_ring(&ring) + length * round + PI * round * round;
            (polygon.with_radius(r).unwrap().into(), area)
        }
    }
}

#[test]
fn round_shapes_on_a_lattice() {
    let mut rng = Rng::new(3);
    let mut sharing = 0;
    for case in 0..cases(500) {
        let turn = |rng: &mut Rng| match rng.below(3) {
            0 => Rotation::quarter_turns(rng.below(4) as i32),
            _ => Rotation::from_angle(rng.range(-4.0, 4.0)),
        };
        let [(a, own), (b, other)] = [rounded(&mut rng), rounded(&mut rng)];
        let at = [rng.range(-3.0, 3.0), rng.range(-3.0, 3.0)];
        let first = PosedShape::at(a.clone(), Pose::new([0.0, 0.0], turn(&mut rng)));
        let second = PosedShape::at(b.clone(), Pose::new(at, turn(&mut rng)));
        assert_near(area(&first, &first), own, 3e-6 * own, &a);
        assert_near(area(&second, &second), other, 3e-6 * other, &b);
        let found = area(&first, &second);
        assert!(f64::from(found) <= own.min(other) * (1.0 + 1e-6));
        sharing += usize::from(found > 0.0);
        // The outlines cross twice or more where shapes share a part of each.
        let partly = found > 0.01 && f64::from(found) < own.min(other) * 0.99;
        let points = points(&first, &second);
        assert!(points.len() >= 2 || !partly, "{a:?} {b:?}");
        for point in points {
            for shape in [&first, &second] {
                let [x, y] = point;
                let near = 4e-6;
                let around = [[x - near, y], [x + near, y], [x, y - near], [x, y + near]];
                let inside =
                    around.iter().filter(|at| contains(shape, **at, Touching::Inclusive).unwrap());
                assert!((1..=3).contains(&inside.count()), "{point:?} {shape:?}");
            }
        }
        if case % 20 == 0 {
            let (mut count, step) = (0, 1.0 / 32.0);
            for row in -150..150 {
                for column in -150..150 {
                    // Anywhere in a cell, so that no side runs along the lattice.
                    let mut place = |cell: i32| (cell as f32 + rng.range(0.0, 1.0)) * step;
                    let at = [place(column), place(row)];
                    let holds = |shape| contains(shape, at, Touching::Inclusive).unwrap();
                    count += usize::from(holds(&first) && holds(&second));
                }
            }
            let counted = count as f64 * f64::from(step * step);
            let error = (counted - f64::from(found)).abs();
            assert!(error < 0.04, "{found}, {counted} counted: {a:?} {b:?}");
        }
    }
    assert!(sharing > cases(230), "{sharing}");
}

/// Numbers of any magnitude: areas are no larger than the shapes, the order does not matter, and no
/// point is beyond both shapes.
#[test]
fn areas_of_any_magnitude_are_no_larger_than_the_shapes() {
    let mut rng = Rng::new(6);
    let (mut sharing, mut crossing) = (0, 0);
    for _ in 0..60_000 {
        let largest = rng.int(-60, 58);
        let number = |rng: &mut Rng| match rng.below(6) {
            0 => 0.0,
            1 => rng.range(-1.0, 1.0) * 2.0_f32.powi(rng.int(-60, 58) as i32),
            _ => rng.range(-1.0, 1.0) * 2.0_f32.powi(largest as i32),
        };
        let shape = |rng: &mut Rng| -> OwnedShape {
            let mut corner = || [number(rng), number(rng)];
            let [a, b, c, d] = [corner(), corner(), corner(), corner()];
            let size = c.map(f32::abs);
            match rng.below(8) {
                0 => Circle::new(a, size[0]).into(),
                1 => {
                    let max = [0, 1].map(|axis| a[axis].max(b[axis]));
                    Aabb::new([0, 1].map(|axis| a[axis].min(b[axis])), max).into()
                }
                2 => Capsule::new(a, b, size[0]).into(),
                3 => Segment::new(a, b).into(),
                4 => Obb::new(a, size, Rotation::from_angle(d[0] % 7.0)).into(),
                5 => {
                    HalfPlane::new(Rotation::from_angle(d[0] % 7.0).apply([1.0, 0.0]), a[0]).into()
                }
                _ => match ConvexPolygon::hull(&[a, b, c, d]) {
                    Ok(polygon) if rng.below(2) == 0 => {
                        polygon.with_radius(size[1]).unwrap().into()
                    }
                    Ok(polygon) => polygon.into(),
                    Err(_) => Point::new(a).into(),
                },
            }
        };
        let shapes = [shape(&mut rng), shape(&mut rng)];
        let [a, b] = shapes.clone().map(PosedShape::from);
        let found = area(&a, &b);
        // The error is relative to the largest coordinate and the size of the smaller shape.
        let store = Shapes::from_slice(&shapes).unwrap();
        let (mut far, mut size) = (0.0_f64, f64::INFINITY);
        for row in 0..2 {
            if store.kind(row) == Some(Kind::HalfPlane) {
                continue;
            }
            let RoundedBox { min_x, min_y, max_x, max_y, radius } = store.bounds(row).unwrap();
            let [min_x, min_y, max_x, max_y] = [min_x, min_y, max_x, max_y].map(f64::from);
            let radius = f64::from(radius);
            far = [min_x, min_y, max_x, max_y].iter().fold(far, |far, v| far.max(v.abs() + radius));
            size = size.min(max_x - min_x + max_y - min_y + 4.0 * radius);
        }
        let slack = if size.is_finite() { 1e-15 * far * size } else { 0.0 };
        for own in [area(&a, &a), area(&b, &b)] {
            let most = f64::from(own) * (1.0 + 1e-6) + 1e-37 + slack;
            assert!(f64::from(found) <= most, "{found} {own} {shapes:?}");
        }
        sharing += usize::from(found > 0.0 && found.is_finite());
        crossing += points(&a, &b).len();
    }
    assert!(sharing > 5_000 && crossing > 10_000, "{sharing} {crossing}");
}

/// Scaled by a power of two, a scene has areas and points that are scaled. Moved or mirrored, it
/// has about the same area.
#[test]
fn sizes_places_and_mirrors() {
    let mut rng = Rng::new(4);
    for _ in 0..2_000 {
        let corner = |rng: &mut Rng| [rng.int(-8, 8) as f32, rng.int(-8, 8) as f32];
        let [a, b, c, d] = [0; 4].map(|_| corner(&mut rng));
        let [r, s] = [0; 2].map(|_| rng.int(1, 4) as f32);
        let scene = |unit: f32, [x, y]: [f32; 2], mirror: f32| {
            let at = |[px, py]: [f32; 2]| [(px * mirror + x) * unit, (py + y) * unit];
            let first = Capsule::new(at(a), at(b), r * unit);
            let second = Capsule::new(at(c), at(d), s * unit);
            [posed(first), posed(second)]
        };
        let [first, second] = scene(1.0, [0.0, 0.0], 1.0);
        let (found, at) = (area(&first, &second), points(&first, &second));
        for power in [-50, -20, 20, 50] {
            let unit = 2.0_f32.powi(power);
            let [first, second] = scene(unit, [0.0, 0.0], 1.0);
            assert_eq!(area(&first, &second), found * unit * unit);
            let scaled: Vec<_> = at.iter().map(|point| point.map(|v| v * unit)).collect();
            assert_eq!(points(&first, &second), scaled);
        }
        for (by, mirror) in [([1000.0, -64.0], 1.0), ([0.0, 0.0], -1.0), ([7.0, 4096.0], -1.0)] {
            let [first, second] = scene(1.0, by, mirror);
            assert_near(area(&first, &second), f64::from(found), 1e-9, &(a, b, c, d, by));
            assert_eq!(points(&first, &second).len(), at.len(), "{a:?} {b:?} {c:?} {d:?}");
        }
    }
}

#[test]
fn known_overlaps_have_their_areas_and_crossings() {
    let square = posed(Aabb::new([0.0, 0.0], [4.0, 4.0]));
    // Side by side, corner to corner, within, along a side, equal.
    for (other, shared, at) in [
        (Aabb::new([4.0, 0.0], [8.0, 4.0]), 0.0, vec![[4.0, 0.0], [4.0, 4.0]]),
        (Aabb::new([4.0, 4.0], [8.0, 8.0]), 0.0, vec![[4.0, 4.0]]),
        (Aabb::new([5.0, 0.0], [8.0, 4.0]), 0.0, vec![]),
        (Aabb::new([1.0, 1.0], [2.0, 3.0]), 2.0, vec![]),
        (Aabb::new([1.0, 0.0], [2.0, 3.0]), 3.0, vec![[1.0, 0.0], [2.0, 0.0]]),
        (Aabb::new([3.0, 3.0], [6.0, 6.0]), 1.0, vec![[3.0, 4.0], [4.0, 3.0]]),
        (
            Aabb::new([0.0, 0.0], [4.0, 4.0]),
            16.0,
            vec![[0.0, 0.0], [0.0, 4.0], [4.0, 0.0], [4.0, 4.0]],
        ),
    ] {
        assert_eq!((area(&square, &posed(other)), points(&square, &posed(other))), (shared, at));
    }
    // Shapes without an interior share no area, but their outlines cross.
    let segment = posed(Segment::new([-1.0, 1.0], [5.0, 3.0]));
    assert_eq!(area(&square, &segment), 0.0);
    assert_eq!(points(&square, &segment), [[0.0, 1.333_333_4], [4.0, 2.666_666_7]]);
    assert_eq!(points(&square, &posed(Point::new([4.0, 2.0]))), [[4.0, 2.0]]);
    assert_eq!(points(&square, &posed(Point::new([3.0, 2.0]))).len(), 0);
    // Circles inside and beside, and an equal circle.
    let disc = posed(Circle::new([2.0, 2.0], 2.0));
    assert_eq!(area(&square, &disc), (4.0 * PI) as f32);
    assert_eq!(points(&square, &disc), [[0.0, 2.0], [2.0, 0.0], [2.0, 4.0], [4.0, 2.0]]);
    assert_eq!((area(&disc, &disc), points(&disc, &disc).len()), ((4.0 * PI) as f32, 0));
    assert_eq!(points(&disc, &posed(Circle::new([6.0, 2.0], 2.0))), [[4.0, 2.0]]);
    // A needle through a huge disc, and a speck in it.
    let huge = posed(Circle::new([0.0, 0.0], 1e6));
    let needle = posed(Aabb::new([-2e6, -1e-6], [2e6, 1e-6]));
    assert_near(area(&huge, &needle), 4.0, 1e-6, &"needle");
    let speck = posed(Circle::new([5e5, 0.0], 1e-6));
    assert_near(area(&huge, &speck), PI * 1e-12, 1e-18, &"speck");

    // Half-planes.
    let ground = posed(HalfPlane::new([0.0, 1.0], 1.0));
    assert_eq!(
        (area(&ground, &square), points(&ground, &square)),
        (4.0, vec![[0.0, 1.0], [4.0, 1.0]])
    );
    assert_eq!(
        area(&ground, &disc),
        area(&posed(Circle::new([2.0, 0.0], 2.0)), &posed(HalfPlane::new([0.0, 1.0], -1.0)))
    );
    assert_eq!(area(&posed(HalfPlane::new([0.0, 1.0], 9.0)), &square), 16.0);
    assert_eq!(area(&posed(HalfPlane::new([0.0, 1.0], 0.0)), &square), 0.0);
    let slope = posed(HalfPlane::new([0.6, 0.8], 3.0));
    let [[x, y]] = points(&ground, &slope)[..] else { panic!("one point") };
    assert!((x - 11.0 / 3.0).abs() < 1e-6 && y == 1.0);
    assert_eq!(area(&ground, &slope), f32::INFINITY);
    assert_eq!(area(&ground, &posed(HalfPlane::new([0.0, -1.0], -1.0))), 0.0);
    assert_eq!(area(&ground, &posed(HalfPlane::new([0.0, -1.0], 0.0))), f32::INFINITY);

    // The parts of a compound add up.
    let parts = [Aabb::new([0.0, 0.0], [1.0, 3.0]), Aabb::new([1.0, 0.0], [3.0, 1.0])];
    let corner = posed(Compound::new(parts).unwrap());
    assert_eq!(area(&corner, &square), 5.0);
    assert_eq!(area(&corner, &posed(Aabb::new([0.5, 0.5], [2.0, 2.0]))), 1.25);
}
