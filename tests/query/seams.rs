//! Rays and seams: shapes are closed under either policy, so no ray leaves a room through a corner,
//! along a side, or between two shapes.

use widephase::{
    Columns, Error, Fan, Filter, Index, IndexOptions, Queries, Ray, Shapes, Touching,
    columns::ScanColumns,
    shape::{
        Aabb, Chain, Compound, ConvexPolygon, HalfPlane, OwnedShape, Pose, Rotation, Segment, Sides,
    },
};

use common::{POLICIES, Rng};

fn index(shapes: &Shapes, touching: Touching) -> Index {
    let mut index =
        Index::with_options(IndexOptions { touching, ..IndexOptions::default() }).unwrap();
    index.rebuild(shapes).unwrap();
    index
}

#[test]
fn no_ray_passes_between_two_boxes() {
    let (min_x, max_x) = ([0.0, 0.0, 50.0], [1.0, 1.0, 51.0]);
    let (min_y, max_y) = ([0.0, 1.0, 20.0], [1.0, 2.0, 21.0]);
    let boxes = Columns::aabbs(&min_x, &min_y, &max_x, &max_y).unwrap();
    let filters = [Filter::new(2, 1); 3];
    for touching in POLICIES {
        let mut all =
            Index::with_options(IndexOptions { touching, ..IndexOptions::default() }).unwrap();
        all.rebuild(boxes).unwrap();
        let mut filtered =
            Index::with_options(IndexOptions { touching, ..IndexOptions::default() }).unwrap();
        filtered
            .rebuild(boxes.with_filters(&filters).unwrap().with_spaces(&[7; 3]).unwrap())
            .unwrap();
        let (own, other) = (Filter::new(1, 2), Filter::new(1, 4));
        for ray in [
            Ray::new([-1.0, 1.0], [4.0, 0.0]),
            Ray::segment([-1.0, 1.0], [0.0, 1.0]),
            Ray::new([5.0, 1.0], [-0.5, 0.0]),
            Ray::new([-1.0, 0.0], [1.0, 1.0]),
            Ray::new([-1.0, 2.0], [1.0, -1.0]),
        ] {
            let hit = all.cast_ray(ray).unwrap();
            let at = hit.map(|hit| (hit.row, hit.y));
            assert_eq!(at, Some((0, 1.0)), "{touching:?} {ray:?}");
            assert!(all.hits_any(ray).unwrap());
            let mut hits = Vec::new();
            all.cast_ray_all(ray, &mut hits).unwrap();
            assert_eq!(hits.iter().map(|hit| hit.row).collect::<Vec<_>>(), [0, 1]);
            let seen = filtered.in_space(7);
            assert_eq!(seen.cast_ray(ray).unwrap(), hit);
            assert_eq!(filtered.filtered(own).in_space(7).cast_ray(ray).unwrap(), hit);
            assert_eq!(filtered.filtered(other).in_space(7).cast_ray(ray).unwrap(), None);
            assert_eq!(filtered.in_space(0).cast_ray(ray).unwrap(), None);
            assert_eq!(filtered.cast_ray(ray), Err(Error::NoSpaceNamed { spaces: 1 }));
            let second = seen.filtered_by(&|row| row != 0).cast_ray(ray).unwrap().unwrap();
            assert_eq!((second.row, second.y), (1, 1.0));
        }
        // The fan of a lidar on the line between them.
        let fan = Fan::around(64, 100.0);
        let mut scan = ScanColumns::new();
        let half_turn = Pose::new([-1.0, 1.0], Rotation { cos: -1.0, sin: 0.0 });
        all.scan(&fan, &[Pose::at([-1.0, 1.0]), half_turn], &mut scan).unwrap();
        assert_eq!((scan.range[0], scan.row[0]), (1.0, 0));
        assert_eq!((scan.range[64 + 32], scan.row[64 + 32]), (1.0, 0));
    }
}

#[test]
fn rays_hit_shapes_that_they_only_touch() {
    let square: OwnedShape = Aabb::new([0.0, 0.0], [4.0, 4.0]).into();
    let line: OwnedShape = Segment::new([0.0, 4.0], [4.0, 4.0]).into();
    let ground: OwnedShape = HalfPlane::new([0.0, 1.0], 4.0).into();
    let along = Ray::segment([-4.0, 4.0], [8.0, 4.0]);
    for touching in POLICIES {
        let hit = |shape: &OwnedShape, ray: Ray| {
            let mut shapes = Shapes::new();
            shapes.push(shape).unwrap();
            index(&shapes, touching).cast_ray(ray).unwrap().map(|hit| hit.fraction)
        };
        // Along a side or a segment, past a corner, to a side, and from it.
        assert_eq!(hit(&square, along), Some(1.0 / 3.0));
        assert_eq!(hit(&line, along), Some(1.0 / 3.0));
        assert_eq!(hit(&square, Ray::segment([-2.0, 2.0], [2.0, 6.0])), Some(0.5));
        assert_eq!(hit(&line, Ray::segment([-2.0, 2.0], [2.0, 6.0])), Some(0.5));
        for shape in [&square, &line, &ground] {
            assert_eq!(hit(shape, Ray::segment([2.0, 6.0], [2.0, 4.0])), Some(1.0));
            assert_eq!(hit(shape, Ray::segment([2.0, 6.0], [2.0, 4.5])), None);
            assert_eq!(hit(shape, Ray::segment([2.0, 4.0], [2.0, 6.0])), Some(0.0));
            assert_eq!(hit(shape, Ray::new([2.0, 4.0], [0.0, 0.0])), Some(0.0));
            assert_eq!(hit(shape, Ray::new([2.0, 4.25], [0.0, 0.0])), None);
        }
    }
}

/// The corners of a star-shaped room around the origin, counter-clockwise, on whole numbers.
fn room(rng: &mut Rng) -> Vec<[f32; 2]> {
    // Directions in order of their angle, of unequal lengths.
    const AROUND: [[i64; 2]; 16] = [
        [4, 0],
        [4, 1],
        [3, 3],
        [1, 4],
        [0, 4],
        [-1, 4],
        [-2, 3],
        [-4, 2],
        [-4, 0],
        [-4, -1],
        [-3, -3],
        [-1, -4],
        [0, -4],
        [2, -5],
        [3, -2],
        [5, -1],
    ];
    let mut corners = Vec::new();
    for direction in AROUND {
        // The axes stay, so that the room is closed around the origin.
        if rng.below(4) == 0 && direction[0] != 0 && direction[1] != 0 {
            continue;
        }
        let length = rng.int(2, 9);
        corners.push(direction.map(|part| (part * length) as f32));
    }
    corners
}

/// Walls around a room, of one kind, at an offset.
fn walls(kind: u64, corners: &[[f32; 2]], rng: &mut Rng) -> Shapes {
    let mut shapes = Shapes::new();
    let count = corners.len();
    let sides = (0..count).map(|at| [corners[at], corners[(at + 1) % count]]);
    match kind {
        0 => {
            for [a, b] in sides {
                shapes.push(Segment::new(a, b)).unwrap();
            }
        }
        1 | 2 => {
            // The room is to the left of a chain that goes round counter-clockwise.
            let mut corners = corners.to_vec();
            let mut seen = Sides::Left;
            if kind == 2 {
                corners.reverse();
                seen = Sides::Right;
            }
            shapes.push_chain(&Chain::closed(&corners).unwrap().with_sides(seen)).unwrap();
        }
        3 => {
            let chain = Chain::closed(corners).unwrap().with_sides(Sides::Both);
            shapes.push_chain(&chain).unwrap();
        }
        4 => {
            for [a, b] in sides {
                // Triangles between the corners and other corners that are twice as far away.
                let [far_a, far_b] = [a, b].map(|at| at.map(|part| part * 2.0));
                for triangle in [[a, far_a, far_b], [a, far_b, b]] {
                    shapes.push(ConvexPolygon::hull(&triangle).unwrap()).unwrap();
                }
            }
        }
        _ => {
            let frame = [[-90.0, -90.0], [90.0, -90.0], [90.0, 90.0], [-90.0, 90.0]];
            let hole = corners.to_vec();
            shapes.push(Compound::from_outline(&frame, &[&hole[..]]).unwrap()).unwrap();
        }
    }
    // Small shapes that no ray of the room sees, so that the grid has other levels.
    for _ in 0..rng.below(40) {
        let at = [rng.int(200, 300) as f32, rng.int(-300, 300) as f32];
        shapes.push(Aabb::new(at, [at[0] + 1.0, at[1] + 1.0])).unwrap();
    }
    shapes
}

#[test]
fn no_ray_leaves_a_closed_room() {
    let mut rng = Rng::new(9);
    let (mut rays, mut through_corners) = ([0; 6], 0);
    for case in 0..1_200 {
        let (kind, touching) = (case % 6, POLICIES[case as usize / 6 % 2]);
        let corners = room(&mut rng);
        let shapes = walls(kind, &corners, &mut rng);
        let index = index(&shapes, touching);
        let count = corners.len();
        for number in 0..60 {
            let at = rng.below(count as u64) as usize;
            let [a, b] = [corners[at], corners[(at + 1) % count]];
            // The room holds the points near the origin.
            let origin = match number % 3 {
                0 => [0.0; 2],
                1 => [rng.int(-8, 8) as f32 / 8.0, rng.int(-8, 8) as f32 / 8.0],
                _ => [rng.range(-1.0, 1.0), rng.range(-1.0, 1.0)],
            };
            // At a corner, at a point of a side, and along a line through two corners.
            let share = [0.0, 0.0, 0.5, rng.range(0.0, 1.0)][rng.below(4) as usize];
            let target = [0, 1].map(|axis: usize| a[axis] + (b[axis] - a[axis]) * share);
            let way = [target[0] - origin[0], target[1] - origin[1]];
            let factor = [1.0, 0.125, 3.0, 1e-3, 1e30][rng.below(5) as usize];
            let ray = Ray::new(origin, way.map(|part| part * factor));
            let what = || format!("{touching:?} {kind} {ray:?} to {target:?} of {corners:?}");
            let hit = index.cast_ray(ray).unwrap();
            assert!(hit.is_some_and(|hit| hit.x.abs().max(hit.y.abs()) < 60.0), "{}", what());
            assert!(index.hits_any(ray).unwrap(), "{}", what());
            let mut hits = Vec::new();
            index.cast_ray_all(ray, &mut hits).unwrap();
            assert_eq!(hits.first(), hit.as_ref(), "{}", what());
            // A sight line to the target ends at it or before.
            if number % 3 < 2 && (share == 0.0 || share == 0.5) {
                assert!(index.hits_any(Ray::segment(origin, target)).unwrap(), "{}", what());
                through_corners += usize::from(share == 0.0);
            }
            rays[kind as usize] += 1;
        }
        // All around, and a scan.
        let fan = Fan::around(200, f32::INFINITY);
        let mut scan = ScanColumns::new();
        let turned = Pose::new([0.5, -0.25], Rotation::from_angle(rng.range(-3.0, 3.0)));
        index.scan(&fan, &[Pose::at([0.0; 2]), turned], &mut scan).unwrap();
        assert!(scan.range.iter().all(|range| range.is_finite()), "{touching:?} {kind}");
    }
    assert!(rays.iter().all(|&rays| rays >= 10_000) && through_corners > 10_000, "{rays:?}");
}

#[test]
fn no_ray_passes_a_wall_of_tiles() {
    let mut rng = Rng::new(12);
    let mut along = 0;
    for case in 0..400 {
        let touching = POLICIES[case % 2];
        // A wall from x = 0 to 32 of boxes with seams at any places, above and below a line.
        let offset = if case % 3 == 0 { 0.0 } else { rng.int(-100_000, 100_000) as f32 / 3.0 };
        let mut shapes = Shapes::new();
        let mut cuts = Vec::new();
        for (low, high) in [(-2.0, 0.0), (0.0, 1.0)] {
            let mut x = 0.0;
            while x < 32.0 {
                let next =
                    if case % 2 == 0 { x + rng.int(1, 4) as f32 } else { x + rng.range(0.1, 5.0) };
                let end = next.min(32.0);
                let sides = [[x, low], [end, high]].map(|at| at.map(|part| part + offset));
                shapes.push(Aabb::new(sides[0], sides[1])).unwrap();
                if end < 32.0 {
                    cuts.push([end + offset, high + offset]);
                }
                x = end;
            }
        }
        let index = index(&shapes, touching);
        for _ in 0..60 {
            // From above, below or beside, at corners and any places.
            let target = match rng.below(3) {
                0 => [rng.range(0.0, 32.0) + offset, offset],
                _ => cuts[rng.below(cuts.len() as u64) as usize],
            };
            let start = match rng.below(3) {
                0 => [rng.range(-20.0, 50.0), 9.0],
                1 => [rng.int(-20, 50) as f32, -9.0],
                _ => [-7.0, 0.0],
            };
            let start = start.map(|part| part + offset);
            let ray = Ray::new(start, [target[0] - start[0], target[1] - start[1]]);
            assert!(index.hits_any(ray).unwrap(), "{touching:?} {ray:?}");
            along += usize::from(ray.dy == 0.0);
        }
    }
    assert!(along > 1_000, "{along}");
}

#[test]
fn a_joint_of_one_sided_segments_has_no_gap() {
    let mut rng = Rng::new(13);
    let mut from_behind = 0;
    for case in 0..20_000 {
        let exponent = [0, 0, 20, -20][case % 4];
        let unit = 2.0_f32.powi(exponent);
        let mut point = |low: i64, high: i64, y: i64| {
            [rng.int(low, high) as f32 * unit, rng.int(-y, y) as f32 * unit]
        };
        let (a, joint, b) = (point(-9, -2, 1), point(-1, 1, 1), point(2, 9, 1));
        let chain = Chain::open(&[a, joint, b]).unwrap().with_sides(Sides::Left);
        let mut shapes = Shapes::new();
        shapes.push_chain(&chain).unwrap();
        let index = index(&shapes, POLICIES[case / 4 % 2]);
        // Downwards through the joint: the left of the chain is above it.
        let above = [joint[0] + rng.int(-1, 1) as f32 * unit, rng.int(5, 20) as f32 * unit];
        let ray = Ray::new(above, [joint[0] - above[0], joint[1] - above[1]]);
        assert!(index.hits_any(ray).unwrap(), "{ray:?} {chain:?}");
        let below = Ray {
            x: above[0] + 2.0 * ray.dx,
            y: above[1] + 2.0 * ray.dy,
            dx: -ray.dx,
            dy: -ray.dy,
            ..ray
        };
        from_behind += usize::from(!index.hits_any(below).unwrap());
    }
    assert!(from_behind > 15_000, "{from_behind}");
}
