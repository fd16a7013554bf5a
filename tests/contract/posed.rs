//! Shapes with a pose are decided from the numbers that were given, not from a rounded place.
//!
//! - Equal vertices of shapes with equal poses, and of the parts of one compound, stay equal: no
//!   cracks.
//! - Where all numbers are short, nothing is rounded: the answers far from the origin are the
//!   answers at the origin.
//! - The verdicts of kernels and boxes never contradict the decision in `f64`, however far own
//!   coordinates and position cancel.

use widephase::{
    Detector, Index, Options, Order, Pair, Shapes, SimdLevel, Touching,
    glam::Vec2,
    narrowphase::{
        closest_points, contact, contains, crossings, distance, overlap_area, time_of_impact,
        touches,
    },
    reference::placed_shape::PlacedShape,
    shape::{
        Aabb, Capsule, Compound, ConvexPolygon, HalfPlane, Obb, OwnedShape, Part, Point, Pose,
        Posed, Rotation, Segment,
    },
};

use crate::{
    flat::{PlaneVector, cross, length, minus, narrow, plus, times, turned, wide},
    tally::Tally,
};
use common::rng::{Rng, cases};

fn random(low: f64, high: f64, rng: &mut Rng) -> f64 {
    low + (high - low) * rng.unit()
}

fn any_pose(far: f64, rng: &mut Rng) -> Pose {
    let position = [(); 2].map(|()| random(-far, far, rng) as f32);
    let turns = rng.below(4) as i32;
    match rng.below(3) {
        0 => Pose::new(position, Rotation::quarter_turns(turns)),
        _ => Pose::new(position, Rotation::from_angle(random(0.0, 7.0, rng) as f32)),
    }
}

fn at_level(level: SimdLevel) -> Detector {
    let options = Options { simd_level: Some(level), order: Order::Sorted, ..Options::default() };
    Detector::with_options(options).unwrap()
}

/// Where a pose puts a point, in `f64`.
fn at_pose(own: PlaneVector, pose: Pose) -> PlaneVector {
    let Pose { x, y, cos, sin } = pose;
    plus(wide([x, y]), turned(own, wide([cos, sin])))
}

/// A ring of vertices around an inner vertex, as triangles.
fn wheel(rng: &mut Rng) -> Option<(Vec<[f32; 2]>, Vec<ConvexPolygon>)> {
    let size = 10_f64.powf(random(-2.0, 3.0, rng));
    let far = [0.0, 1.0, 10.0][rng.below(3) as usize] * size;
    let middle = [(); 2].map(|()| random(-far, far, rng));
    let count = rng.int(3, 9);
    let mut vertices = vec![narrow(middle)];
    for corner in 0..count {
        let angle = (corner as f64 + random(-0.2, 0.2, rng)) * std::f64::consts::TAU / count as f64;
        let out = times([angle.cos(), angle.sin()], size * random(0.7, 1.3, rng));
        vertices.push(narrow(plus(middle, out)));
    }
    let triangles = (1..vertices.len()).map(|corner| {
        let next = if corner + 1 < vertices.len() { corner + 1 } else { 1 };
        ConvexPolygon::new(&[vertices[0], vertices[corner], vertices[next]]).ok()
    });
    let triangles = triangles.collect::<Option<Vec<_>>>()?;
    Some((vertices, triangles))
}

/// Points on and beside the inner sides, not near the ring.
fn seam_points(vertices: &[[f32; 2]], pose: Pose, rng: &mut Rng) -> Vec<[f32; 2]> {
    let placed: Vec<_> = vertices.iter().map(|&vertex| at_pose(wide(vertex), pose)).collect();
    let mut points = vec![narrow(placed[0])];
    for &corner in &placed[1..] {
        for _ in 0..3 {
            let share = random(0.0, 0.5, rng);
            points.push(narrow(plus(placed[0], times(minus(corner, placed[0]), share))));
        }
    }
    points
}

/// The rows of each set of shapes that touch one of the points, for all SIMD levels.
fn detected(points: &[[f32; 2]], parts: &Shapes, tally: &mut Tally, name: &'static str) {
    let points: Vec<_> = points.iter().map(|&point| Point::new(point)).collect();
    let probes = Shapes::from_slice(&points).unwrap();
    let index = Index::build(parts).unwrap();
    // The parts, and the points behind them.
    let mut all = parts.clone();
    all.extend_from_slice(&points).unwrap();
    let count = parts.rows() as u32;
    let mut pairs = Vec::new();
    for &level in SimdLevel::available() {
        let mut detector = at_level(level);
        for indexed in [false, true] {
            match indexed {
                true => detector.pairs((&probes, &index), &mut pairs).unwrap(),
                false => detector.pairs(&all, &mut pairs).unwrap(),
            }
            for (row, point) in (0..).zip(&points) {
                let found = pairs.iter().any(|pair| match indexed {
                    true => pair.a == row,
                    false => pair.a < count && pair.b == count + row,
                });
                tally.count("detect", [name, "point"], found, || format!("{level}: {point:?}"));
            }
        }
    }
}

#[test]
fn triangles_that_share_vertices_leave_no_cracks() {
    let (mut rng, mut tally) = (Rng::new(31), Tally::default());
    for _ in 0..cases(150) {
        let Some((vertices, triangles)) = wheel(&mut rng) else { continue };
        let size = length(minus(wide(vertices[1]), wide(vertices[0])));
        let far = [0.0, 10.0, 1000.0, 30_000.0][rng.below(4) as usize] * size;
        let pose = any_pose(far, &mut rng);
        let points = seam_points(&vertices, pose, &mut rng);
        let compound = Compound::new(triangles.iter().cloned()).unwrap();
        let (mut rows, mut one) = (Shapes::new(), Shapes::new());
        for triangle in &triangles {
            rows.push_at(triangle, pose).unwrap();
        }
        one.push_at(&compound, pose).unwrap();
        detected(&points, &rows, &mut tally, "rows");
        detected(&points, &one, &mut tally, "parts");
        for &point in &points {
            let held = |shape: Posed<'_>| contains(shape, point, Touching::Inclusive).unwrap();
            let show = || format!("{point:?} {pose:?} {vertices:?}");
            let rows = triangles.iter().any(|triangle| held((triangle, pose).into()));
            tally.count("contains", ["rows", "point"], rows, show);
            tally.count("contains", ["parts", "point"], held((&compound, pose).into()), show);
        }
    }
    tally.finish();
}

#[test]
fn outlines_hold_what_lies_on_their_inner_sides() {
    let (mut rng, mut tally) = (Rng::new(32), Tally::default());
    for _ in 0..cases(150) {
        // An L of three cells with sides of a tenth of any number.
        let unit = [0.1, 1.0 / 7.0, 0.7, 5.3][rng.below(4) as usize];
        let corner = [(); 2].map(|()| rng.int(-20, 20) as f64);
        let at = |x: f64, y: f64| narrow([(corner[0] + x) * unit, (corner[1] + y) * unit]);
        let ring =
            [at(0.0, 0.0), at(2.0, 0.0), at(2.0, 1.0), at(1.0, 1.0), at(1.0, 2.0), at(0.0, 2.0)];
        let outline = Compound::from_outline(&ring, &[]).unwrap();
        let pose = any_pose([0.0, 100.0, 30_000.0][rng.below(3) as usize] * unit, &mut rng);
        for _ in 0..20 {
            let share = random(0.1, 0.9, &mut rng);
            let cuts = [[share, 1.0], [1.0, share], [share, share]];
            let [x, y] = cuts[rng.below(3) as usize];
            let own = wide(at(x, y));
            let point = narrow(at_pose(own, pose));
            for policy in [Touching::Inclusive, Touching::Exclusive] {
                let held = contains((&outline, pose), point, policy).unwrap();
                let show = || format!("{policy:?} {point:?} {pose:?} {ring:?}");
                tally.count("contains", ["outline", "point"], held, show);
                let touching = touches((&outline, pose), Point::new(point), policy).unwrap();
                tally.count("touches", ["outline", "point"], touching, show);
            }
        }
    }
    tally.finish();
}

#[test]
fn boxes_and_segments_of_one_compound_leave_no_cracks() {
    let (mut rng, mut tally) = (Rng::new(33), Tally::default());
    for _ in 0..cases(150) {
        // Columns of boxes, rounded boxes and polygons side by side, with any sides.
        let unit = 10_f64.powf(random(-2.0, 2.0, &mut rng));
        let mut sides = vec![random(-5.0, 5.0, &mut rng) * unit];
        for _ in 0..5 {
            sides.push(sides[sides.len() - 1] + random(0.1, 2.0, &mut rng) * unit);
        }
        let sides: Vec<f32> = sides.into_iter().map(|side| side as f32).collect();
        let [low, high] = [-0.7 * unit, 1.3 * unit].map(|side| side as f32);
        let column = |[left, right]: [f32; 2], kind: u64| -> Part {
            let aabb = Aabb::new([left, low], [right, high]);
            let corners = [[left, low], [right, low], [right, high], [left, high]];
            match kind {
                0 => ConvexPolygon::new(&corners).unwrap().into(),
                _ => aabb.into(),
            }
        };
        let columns: Vec<_> =
            sides.windows(2).map(|side| column([side[0], side[1]], rng.below(2))).collect();
        let compound = Compound::new(columns).unwrap();
        let pose = any_pose([0.0, 100.0, 30_000.0][rng.below(3) as usize] * unit, &mut rng);
        let seams = sides[1..sides.len() - 1].iter().flat_map(|&side| {
            [0.1, 0.3, 0.5].map(|share| {
                let y = f64::from(low) + share * f64::from(high - low);
                narrow(at_pose([f64::from(side), y], pose))
            })
        });
        let seams: Vec<_> = seams.collect();
        let mut store = Shapes::new();
        let row = store.push_at(&compound, pose).unwrap();
        detected(&seams, &store, &mut tally, "boxes");
        assert_eq!(store.get(row), Some(compound.clone().into()), "parts keep their sides");

        // A shape that crosses a path of segments at a joint meets one of them.
        let path: Vec<_> =
            sides.iter().map(|&side| [side, random(-1.0, 1.0, &mut rng) as f32]).collect();
        let segments = path.windows(2).map(|ends| Segment::new(ends[0], ends[1]));
        let chain = Compound::new(segments).unwrap();
        for &joint in &path[1..path.len() - 1] {
            let through = narrow(at_pose(wide(joint), pose));
            let out = times(turned([0.0, 1.0], wide([pose.cos, pose.sin])), 50.0 * unit + 2.0);
            let ends = [1.0, -1.0].map(|side| narrow(plus(wide(through), times(out, side))));
            let line = Segment::new(ends[0], ends[1]);
            let met = touches((&chain, pose), line, Touching::Inclusive).unwrap();
            tally.count("touches", ["path", "segment"], met, || format!("{line:?} {chain:?}"));
        }
    }
    tally.finish();
}

#[test]
fn triangles_that_share_a_vertex_touch_at_any_pose() {
    let (mut rng, mut tally) = (Rng::new(34), Tally::default());
    // From the field.
    let one = [[-25.32356, 46.5423], [-25.06167, 47.401], [-24.03531, 46.48891]];
    let other = [[-23.28149, 46.15349], [-25.06167, 47.401], [-23.05979, 47.97356]];
    let mut check = |corners: [[[f32; 2]; 3]; 2], pose: Pose| {
        let [a, b] = corners.map(|corners| ConvexPolygon::new(&corners).unwrap());
        let (one, two) = ((&a, pose), (&b, pose));
        let show = || format!("{pose:?} {corners:?}");
        let apart = distance(one, two).unwrap();
        tally.count("distance", ["polygon", "polygon"], apart == 0.0, show);
        let closest = closest_points(one, two).unwrap();
        tally.count("closest", ["polygon", "polygon"], closest.is_none(), show);
        let touching = touches(one, two, Touching::Inclusive).unwrap();
        tally.count("touches", ["polygon", "polygon"], touching, show);
        let mut shapes = Shapes::new();
        shapes.push_at(&a, pose).unwrap();
        shapes.push_at(&b, pose).unwrap();
        let parts = [&a, &b].map(|polygon| Compound::new([polygon.clone()]).unwrap());
        shapes.push_at(&parts[0], pose).unwrap();
        shapes.push_at(&parts[1], pose).unwrap();
        let mut pairs = Vec::new();
        for &level in SimdLevel::available() {
            at_level(level).pairs(&shapes, &mut pairs).unwrap();
            for pair in [Pair { a: 0, b: 1 }, Pair { a: 0, b: 3 }, Pair { a: 2, b: 3 }] {
                let found = pairs.contains(&pair);
                tally.count("detect", ["polygon", "polygon"], found, || {
                    format!("{pair:?} {}", show())
                });
            }
        }
    };
    check([one, other], Pose::default());
    for _ in 0..cases(200) {
        let size = 10_f64.powf(random(-2.0, 2.0, &mut rng));
        let shared = [(); 2].map(|()| (random(-40.0, 40.0, &mut rng) * size) as f32);
        let mut triangle = |turn: f64| {
            let angles = [random(-0.5, 0.0, &mut rng), random(0.1, 0.6, &mut rng)];
            let [a, b] = angles.map(|angle| {
                let out = [(angle + turn).cos(), (angle + turn).sin()];
                narrow(plus(wide(shared), times(out, size * random(0.5, 2.0, &mut rng))))
            });
            [shared, a, b]
        };
        let corners = [triangle(1.0), triangle(1.0 + std::f64::consts::PI)];
        let far = [0.0, 1.0, 1000.0, 100_000.0][rng.below(4) as usize] * size;
        check(corners, any_pose(far, &mut rng));
    }
    tally.finish();
}

/// A triangle of short numbers.
fn short_triangle(rng: &mut Rng) -> ConvexPolygon {
    loop {
        let corners = [(); 3].map(|()| [(); 2].map(|()| rng.int(-64, 64) as f32 / 64.0));
        if let Ok(triangle) = ConvexPolygon::new(&corners) {
            return triangle;
        }
    }
}

/// The area that two convex outlines share: one outline is cut off at each side of the other.
fn shared_area(a: &[PlaneVector], b: &[PlaneVector]) -> f64 {
    let mut left = a.to_vec();
    for side in 0..b.len() {
        let (from, to) = (b[side], b[(side + 1) % b.len()]);
        let height = |point: PlaneVector| cross(minus(to, from), minus(point, from));
        let mut cut = Vec::new();
        for corner in 0..left.len() {
            let (here, next) = (left[corner], left[(corner + 1) % left.len()]);
            let (low, high) = (height(here), height(next));
            if low >= 0.0 {
                cut.push(here);
            }
            if low * high < 0.0 {
                cut.push(plus(here, times(minus(next, here), low / (low - high))));
            }
        }
        left = cut;
    }
    let twice = |corner: usize| cross(left[corner], left[(corner + 1) % left.len()]);
    0.5 * (0..left.len()).map(twice).sum::<f64>()
}

#[test]
fn far_answers_are_the_answers_at_the_origin() {
    let side = 0.1_f32;
    let triangle = ConvexPolygon::new(&[[0.0, 0.0], [side, 0.0], [0.0, side]]).unwrap();
    let area = 0.5 * f64::from(side) * f64::from(side);
    for far in [0.0, 1000.0, 10_000.0, 1_048_576.0] {
        let pose = Pose::at([far, -far]);
        let found = overlap_area((&triangle, pose), (&triangle, pose)).unwrap();
        assert_eq!(found, area as f32, "{far}");
    }

    let mut rng = Rng::new(35);
    let mut met = [0; 3];
    for _ in 0..cases(2000) {
        let shapes = [short_triangle(&mut rng), short_triangle(&mut rng)];
        let rotations = [(); 2].map(|()| Rotation::quarter_turns(rng.below(4) as i32));
        let near = [(); 2].map(|()| rng.int(-96, 96) as f32 / 64.0);
        let far = [(); 2].map(|()| rng.int(-(1 << 20), 1 << 20) as f32 / 16.0);
        let place = |[x, y]: [f32; 2]| {
            let b = [x + near[0], y + near[1]];
            [Pose::new([x, y], rotations[0]), Pose::new(b, rotations[1])]
        };
        // 2^16 and 1/64: all sums have at most 24 bits.
        let poses = [place([0.0; 2]), place(far)];
        let [corners, _] = poses.map(|poses| {
            [0, 1].map(|which: usize| -> Vec<PlaneVector> {
                let vertices = shapes[which].vertices().iter();
                vertices.map(|v| at_pose(wide(v.to_array()), poses[which])).collect()
            })
        });
        let [at_origin, far_away] = poses.map(|poses| {
            let pair = [0, 1].map(|which: usize| Posed::from((&shapes[which], poses[which])));
            let mut points = Vec::new();
            crossings(pair[0], pair[1], &mut points).unwrap();
            let motion = near.map(|way| 2.0 * way);
            let hit = time_of_impact(pair[0], motion, pair[1], [0.0, 0.0], 1.0).unwrap();
            let area = overlap_area(pair[0], pair[1]).unwrap();
            let touching = touches(pair[0], pair[1], Touching::Exclusive).unwrap();
            let closest = closest_points(pair[0], pair[1]).unwrap();
            (area, distance(pair[0], pair[1]).unwrap(), points, hit, touching, closest)
        });
        let exact = shared_area(&corners[0], &corners[1]);
        let (area, apart, points, hit, touching, closest) = &at_origin;
        assert!((f64::from(*area) - exact).abs() <= 1e-7 * exact + 1e-15, "{area} {exact}");
        // Corners that lie on a side, exactly, have an area of roundings in the sum.
        assert_eq!(*touching, exact > 1e-13, "{corners:?}");
        let moved = |point: &Vec2| Vec2::from(narrow(plus(wide(point.to_array()), wide(far))));
        // Sums in `f64` differ, and are rounded to `f32`.
        let close = |a: f32, b: f32| (a - b).abs() <= 2_f32.powi(-23) * a.max(b);
        assert!(close(far_away.0, *area) && close(far_away.1, *apart));
        assert_eq!(far_away.4, *touching);
        // A point is rounded twice here, and once there.
        let same = |a: Vec2, b: Vec2| (a - b).abs().max_element() <= 0.0625 / 8.0;
        let moved_points: Vec<_> = points.iter().map(moved).collect();
        let near_all = |a: &[Vec2], b: &[Vec2]| a.iter().all(|a| b.iter().any(|b| same(*a, *b)));
        assert!(near_all(&moved_points, &far_away.2) && near_all(&far_away.2, &moved_points));
        // A shape that only grazes passes within a tolerance that grows with the coordinates.
        let fractions = [*hit, far_away.3].map(|hit| hit.map_or(0.0, |hit| hit.fraction));
        if fractions.iter().all(|&fraction| fraction > 0.0) {
            assert!(close(fractions[0], fractions[1]));
            met[2] += 1;
        }
        assert_eq!(closest.is_some(), far_away.5.is_some());
        if let (Some(one), Some(other)) = (closest, far_away.5) {
            assert!(close(one.distance, other.distance));
            // The point of a side is rounded in `f64`, then the normal to `f32`.
            assert!((one.normal - other.normal).abs().max_element() <= 2_f32.powi(-23));
            // Sides that are parallel have many closest points.
            let ways = [(one.point_a, one.point_b), (other.point_a, other.point_b)];
            let [near, far] = ways.map(|(a, b)| b - a);
            assert!(same(near, far), "{near} {far}");
            let far_shapes =
                [0, 1].map(|which: usize| Posed::from((&shapes[which], poses[1][which])));
            for (shape, point) in far_shapes.into_iter().zip([other.point_a, other.point_b]) {
                assert!(distance(shape, Point::new(point)).unwrap() <= 0.0625 / 8.0);
            }
        }
        met[0] += usize::from(*touching);
        met[1] += usize::from(*apart > 0.0);
    }
    assert!(met.iter().all(|&count| count > 200), "{met:?}");
}

/// Points of a half-plane that is turned to an axis by a pose, and moved: within or not.
#[test]
fn half_planes_are_placed_without_rounding() {
    for turns in 0..4 {
        let floor = HalfPlane::new([0.0, 1.0], 0.25);
        let pose = Pose::new([1_000_000.5, -65_536.125], Rotation::quarter_turns(turns));
        let out = turned([0.0, 1.0], wide([pose.cos, pose.sin]));
        let border = plus(wide([pose.x, pose.y]), times(out, 0.25));
        let square = ConvexPolygon::new(&[[0.0, 0.0], [0.5, 0.0], [0.5, 0.5], [0.0, 0.5]]).unwrap();
        // Its own lower side lies along the border, with the same rotation, and is raised by steps
        // that an f32 does not hold far from the origin.
        let seated = Pose::new(narrow(border), pose.rotation());
        assert_eq!(wide(narrow(border)), border);
        let apart = distance((&floor, pose), (&square, seated)).unwrap();
        assert_eq!(apart, 0.0);
        assert!(touches((&floor, pose), (&square, seated), Touching::Inclusive).unwrap());
        assert!(!touches((&floor, pose), (&square, seated), Touching::Exclusive).unwrap());
        let step = 1.0 / 1024.0;
        let raised =
            ConvexPolygon::new(&[[0.0, step], [0.5, step], [0.5, 0.5], [0.0, 0.5]]).unwrap();
        assert_eq!(distance((&floor, pose), (&raised, seated)).unwrap(), step);
        assert!(!touches((&floor, pose), (&raised, seated), Touching::Inclusive).unwrap());
        let found = contact((&floor, pose), (&square, seated), 0.0).unwrap().unwrap();
        assert_eq!((found.depth, narrow(out)), (0.0, found.normal().to_array()));
    }
}

/// A shape of any kind around a point of its own frame.
fn shape_at(own: PlaneVector, size: f64, rng: &mut Rng) -> OwnedShape {
    let corner = |rng: &mut Rng| narrow(plus(own, [(); 2].map(|()| random(-size, size, rng))));
    let radius = [0.0, (size * 0.25) as f32][rng.below(2) as usize];
    let kind = rng.below(5);
    if kind < 2 {
        // There is none where the corners are rounded to one line.
        let corners = [(); 4].map(|()| corner(rng));
        if let Ok(polygon) = ConvexPolygon::hull(&corners) {
            return polygon.with_radius(radius).unwrap().into();
        }
    }
    match kind {
        2 => {
            let (a, b) = (corner(rng), corner(rng));
            let (min, max) = ([a[0].min(b[0]), a[1].min(b[1])], [a[0].max(b[0]), a[1].max(b[1])]);
            Compound::new([Part::from(Aabb::new(min, max))]).unwrap().into()
        }
        3 => {
            let half = [(); 2].map(|()| random(0.0, size, rng) as f32);
            let angle = random(0.0, 7.0, rng) as f32;
            let obb = Obb::new(narrow(own), half, Rotation::from_angle(angle));
            Compound::new([Part::from(obb)]).unwrap().into()
        }
        _ => {
            let part = Part::from(Capsule::new(corner(rng), corner(rng), radius));
            Compound::new([part]).unwrap().into()
        }
    }
}

/// The corners that exact arithmetic sees.
fn corners_of(shape: &OwnedShape, pose: Pose) -> (Vec<PlaneVector>, f64, bool) {
    let parts = PlacedShape::parts(shape, Some(pose));
    let part = &parts[0];
    let bounds = part.bounds;
    let [left, lower, right, upper] =
        [bounds.min_x, bounds.min_y, bounds.max_x, bounds.max_y].map(f64::from);
    let within = |&[x, y]: &PlaneVector| left <= x && x <= right && lower <= y && y <= upper;
    (part.corners.clone(), f64::from(part.radius), part.corners.iter().all(within))
}

#[test]
fn kernels_and_boxes_allow_for_roundings_of_poses() {
    let (mut rng, mut tally) = (Rng::new(36), Tally::default());
    let mut detectors: Vec<_> =
        SimdLevel::available().iter().map(|&level| at_level(level)).collect();
    for _ in 0..cases(1500) {
        let size = 2_f64.powf(random(-8.0, 8.0, &mut rng));
        let far = [0.0, 1.0, 1000.0, 1e6, 2_f64.powi(40)];
        let mut own = || {
            let far = far[rng.below(5) as usize];
            [(); 2].map(|()| match rng.below(3) {
                0 => 0.0,
                1 => far,
                _ => random(-far, far, &mut rng),
            })
        };
        let owns = [own(), own()];
        let shapes = owns.map(|own| shape_at(own, size, &mut rng));
        let mut poses = owns.map(|own| {
            let pose = any_pose(0.0, &mut rng);
            let [x, y] = turned(own, wide([pose.cos, pose.sin]));
            Pose { x: -x as f32, y: -y as f32, ..pose }
        });
        // A corner of the second shape is put on a corner of the first, or on the middle of a side.
        let (first, ..) = corners_of(&shapes[0], poses[0]);
        let (second, ..) = corners_of(&shapes[1], poses[1]);
        let (from, to) = (first[0], first[rng.below(first.len() as u64) as usize]);
        let target = times(plus(from, to), 0.5);
        let at = minus(target, second[rng.below(second.len() as u64) as usize]);
        let gap = [0.0, 1e-6, 1e-5][rng.below(3) as usize] * size * random(-1.0, 1.0, &mut rng);
        poses[1].x = (f64::from(poses[1].x) + at[0] + gap) as f32;
        poses[1].y = (f64::from(poses[1].y) + at[1]) as f32;

        let solids = [0, 1].map(|which: usize| corners_of(&shapes[which], poses[which]));
        let show = || format!("{shapes:?} {poses:?}");
        for (.., within) in &solids {
            tally.count("box", ["any", "any"], *within, show);
        }
        let pair = [0, 1].map(|which: usize| Posed::from((&shapes[which], poses[which])));
        let apart = distance(pair[0], pair[1]).unwrap();
        let radius = solids[0].1 + solids[1].1;
        if radius > 0.0 && f64::from(apart) < 1e-12 * (radius + size) {
            // Squares and roots are rounded differently.
            continue;
        }
        let mut store = Shapes::new();
        for which in 0..2 {
            if store.push_at(&shapes[which], poses[which]).is_err() {
                continue;
            }
        }
        if store.rows() < 2 {
            continue;
        }
        let mut pairs = Vec::new();
        for detector in &mut detectors {
            detector.pairs(&store, &mut pairs).unwrap();
            let found = !pairs.is_empty();
            tally.count("detect", ["any", "any"], found == (apart == 0.0), || {
                format!("{:?} {apart} {}", detector.options().simd_level, show())
            });
        }
        let touching = touches(pair[0], pair[1], Touching::Inclusive).unwrap();
        tally.count("touches", ["any", "any"], touching == (apart == 0.0), show);
    }
    tally.finish();
}

/// Segments and capsules, given at a pose or not, keep their numbers.
#[test]
fn segments_are_exact_with_and_without_a_pose() {
    let given = Segment::new([0.1, 0.2], [0.7, 0.4]);
    let pose = Pose::new([1_000_000.0, 0.25], Rotation::quarter_turns(1));
    let mut shapes = Shapes::from_slice(&[given]).unwrap();
    let wall = Segment::new([0.1, 0.2], [-3.0, 0.2]);
    assert_eq!(distance(given, wall).unwrap(), 0.0);
    // Its own pose leaves it as it is, and a copy does.
    let own = shapes.pose(0).unwrap();
    shapes.set_pose(0, own).unwrap();
    assert_eq!(shapes.get(0), Some(given.into()));
    assert_eq!(shapes.clone().get(0), Some(given.into()));
    // A pose replaces its place and its direction: half its length lies on either side.
    let line = Segment::new([0.0, 0.0], [0.2, 0.0]);
    let half = f64::from(0.1_f32);
    let ends = [0.25 + half, 0.25 - half];
    for (end, offset) in [(0, 0.125), (1, -0.125)] {
        let point = Point::new([1_000_000.0, (ends[end] + offset) as f32]);
        let exact = (f64::from((ends[end] + offset) as f32) - ends[end]).abs();
        assert_eq!(distance((&line, pose), point).unwrap(), exact as f32);
    }
    let side = distance((&line, pose), Point::new([1_000_000.25, 0.25])).unwrap();
    assert_eq!(side, 0.25);
}
