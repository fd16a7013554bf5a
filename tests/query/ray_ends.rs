//! Rays that end on a shape, or just before it: whole numbers tell exactly which of the two.

use widephase::{
    Index, Queries, Ray, Shapes, narrowphase,
    shape::{
        Aabb, Capsule, Circle, ConvexPolygon, HalfPlane, OwnedShape, Posed, RoundedBox, Segment,
        Shape,
    },
};

use common::{POLICIES, Rng, pow2, product};

fn index(shape: impl Shape) -> Index {
    let mut shapes = Shapes::new();
    shapes.push(shape).unwrap();
    let mut index = Index::new();
    index.rebuild(&shapes).unwrap();
    index
}

#[test]
fn at_a_very_long_segment() {
    for length in [1e1, 1e3, 1e5, 1e6, 1e7, 1e9] {
        for (a, b) in [([-length; 2], [length; 2]), ([length; 2], [-length; 2])] {
            let line = index(Segment::new(a, b));
            // (9, 9) is on the segment.
            for step in 0..200 {
                let ray = Ray::segment([5.05 + step as f32 * 0.0173, 9.0], [9.0, 9.0]);
                assert_eq!(f64::from(ray.x) + f64::from(ray.dx), 9.0);
                let hit = line.cast_ray(ray).unwrap();
                let hit = hit.map(|hit| (hit.fraction, hit.x));
                assert_eq!(hit, Some((1.0, 9.0)), "{length} {ray:?}");
            }
            assert!(!line.hits_any(Ray::segment([5.0, 9.0], [9.0_f32.next_down(), 9.0])).unwrap());
            // And from it.
            let hit = line.cast_ray(Ray::new([9.0, 9.0], [1.0, 0.0])).unwrap();
            assert_eq!(hit.map(|hit| hit.fraction), Some(0.0));
            assert!(!line.hits_any(Ray::new([9.0_f32.next_up(), 9.0], [1.0, 0.0])).unwrap());
        }
    }
}

/// Where a point is beside a line: above 0 to the left.
fn left([a, b]: [[i128; 2]; 2], point: [i128; 2]) -> i128 {
    (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0])
}

#[test]
fn at_sides_on_whole_numbers() {
    let mut rng = Rng::new(21);
    let mut ends = [0; 3];
    for case in 0..40_000 {
        let most = 1_i64 << [3, 6, 12, 18, 20][case % 5];
        let offset = [(); 2].map(|()| rng.int(-1, 1) * [0, 1 << 10, 1 << 20][case / 5 % 3]);
        // Every second case has a unit of 2^-20, with sides that are as long as before.
        let unit = if case % 2 == 0 { 1 } else { 1 << 20 };
        let offset = if unit == 1 { offset } else { [0; 2] };
        // A side with a whole point on it: from that point back and forth along a whole direction.
        let way = [(); 2].map(|()| rng.int(-most / 2, most / 2));
        let times = rng.int(1, 2);
        let on = [(); 2].map(|()| rng.int(-6, 6) * unit);
        let a = [0, 1].map(|axis: usize| on[axis] - way[axis] * unit);
        let b = [0, 1].map(|axis: usize| on[axis] + way[axis] * times * unit);
        let reach = if unit == 1 { most } else { 7 * unit };
        let from = [(); 2].map(|()| rng.int(-reach, reach));
        // The end of the ray: on the side, or a unit beside it.
        let by = [[0, 0], [1, 0], [0, 1], [-1, 0], [0, -1]][rng.below(5) as usize];
        let to = [on[0] + by[0], on[1] + by[1]];
        let place =
            |at: [i64; 2]| [0, 1].map(|axis: usize| (at[axis] + offset[axis]) as f32 / unit as f32);
        let exact = |at: [i64; 2]| at.map(i128::from);
        let side = [exact(a), exact(b)];
        let heights = [left(side, exact(from)), left(side, exact(to))];
        // The truth of a segment that the line of the ray crosses within its ends.
        if way == [0, 0] || heights[0] == 0 {
            continue;
        }
        let line = [exact(from), exact(to)];
        let across = [left(line, exact(a)), left(line, exact(b))];
        if across[0].signum() * across[1].signum() >= 0 {
            continue;
        }
        let reaches = heights[0].signum() * heights[1].signum() <= 0;
        let ray = Ray::segment(place(from), place(to));
        // A triangle whose far corner is beyond the side, seen from the start.
        let far = [0, 1].map(|axis: usize| 2 * on[axis] - from[axis]);
        let triangle = ConvexPolygon::hull(&[place(a), place(b), place(far)]);
        let shapes: [OwnedShape; 2] = [
            Segment::new(place(a), place(b)).into(),
            match triangle {
                Ok(triangle) => triangle.into(),
                Err(_) => Segment::new(place(b), place(a)).into(),
            },
        ];
        for shape in shapes {
            let index = index(&shape);
            let hit = index.cast_ray(ray).unwrap();
            assert_eq!(hit.is_some(), reaches, "{ray:?} {shape:?}");
            assert!(hit.is_none_or(|hit| hit.fraction <= 1.0));
            if heights[1] == 0 {
                assert_eq!(hit.map(|hit| hit.fraction), Some(1.0), "{ray:?} {shape:?}");
                // A ray from there starts on it, whereto it goes.
                let back = Ray {
                    x: ray.x + ray.dx,
                    y: ray.y + ray.dy,
                    ..Ray::segment(place(to), place(from))
                };
                assert_eq!(index.cast_ray(back).unwrap().map(|hit| hit.fraction), Some(0.0));
            }
        }
        ends[(heights[0].signum() * heights[1].signum() + 1) as usize] += 1;
    }
    assert!(ends.iter().all(|&count| count > 2_000), "{ends:?}");
}

#[test]
fn at_discs_on_whole_numbers() {
    let mut rng = Rng::new(22);
    let (mut on, mut within, mut outside) = (0, 0, 0);
    for case in 0..40_000 {
        let most = 1_i64 << [3, 8, 12, 16][case % 4];
        let offset = [(); 2].map(|()| rng.int(-1, 1) * [0, 1 << 10, 1 << 20][case / 4 % 3]);
        let size = rng.int(1, most);
        let radius = 5 * size;
        // A point on the circle, or a unit beside it.
        let rim =
            [[3, 4], [4, 3], [5, 0], [0, 5], [-3, 4], [-4, -3], [3, -4]][rng.below(7) as usize];
        let by = [[0, 0], [0, 0], [1, 0], [0, 1], [-1, 0], [0, -1]][rng.below(6) as usize];
        let to = [0, 1].map(|axis: usize| rim[axis] * size + by[axis]);
        let from = [(); 2].map(|()| rng.int(-12 * size, 12 * size));
        let length2 = |at: [i64; 2]| at.iter().map(|part| i128::from(part * part)).sum::<i128>();
        let radius2 = i128::from(radius * radius);
        let way = [to[0] - from[0], to[1] - from[1]];
        // The start is outside, and the end is the nearest point.
        let nearest_at_end = way[0] * to[0] + way[1] * to[1] <= 0;
        if length2(from) <= radius2 || !nearest_at_end {
            continue;
        }
        let reaches = length2(to) <= radius2;
        let place = |at: [i64; 2]| [(at[0] + offset[0]) as f32, (at[1] + offset[1]) as f32];
        let (center, radius) = (place([0, 0]), radius as f32);
        let ray = Ray::segment(place(from), place(to));
        let shapes: [OwnedShape; 4] = [
            Circle::new(center, radius).into(),
            Capsule::new(center, center, radius).into(),
            RoundedBox::new(Aabb::new(center, center), radius).into(),
            // A capsule that extends away from the end: nothing of it is nearer.
            Capsule::new(center, place([-rim[0] * size, -rim[1] * size]), radius).into(),
        ];
        for shape in shapes {
            let hit = index(&shape).cast_ray(ray).unwrap();
            assert_eq!(hit.is_some(), reaches, "{ray:?} {shape:?}");
            if length2(to) == radius2 {
                assert_eq!(hit.map(|hit| hit.fraction), Some(1.0), "{ray:?} {shape:?}");
            }
        }
        on += usize::from(length2(to) == radius2);
        within += usize::from(length2(to) < radius2);
        outside += usize::from(length2(to) > radius2);
    }
    assert!(on > 3_000 && within > 2_000 && outside > 2_000, "{on} {within} {outside}");
}

#[test]
fn at_flat_borders_on_whole_numbers() {
    let mut rng = Rng::new(23);
    let mut ends = [0; 2];
    for case in 0..20_000 {
        let most = 1_i64 << [3, 8, 12, 20][case % 4];
        let top = rng.int(-most, most) as f32;
        let radius = rng.int(1, 9) as f32;
        let from = [rng.int(-3 * most, 3 * most) as f32, top + rng.int(1, most) as f32];
        let to = [rng.int(-most, most) as f32, top + rng.int(0, 2) as f32 / 2.0];
        let ends_on = to[1] == top;
        let ray = Ray::segment(from, to);
        // Wider than all rays.
        let (left, right) = (-(4 * most) as f32, (4 * most) as f32);
        let shapes: [OwnedShape; 4] = [
            HalfPlane::new([0.0, 1.0], top).into(),
            Aabb::new([left, top - 9.0], [right, top]).into(),
            RoundedBox::new(Aabb::new([left, top - 99.0], [right, top - radius]), radius).into(),
            Capsule::new([left, top - radius], [right, top - radius], radius).into(),
        ];
        for shape in shapes {
            let hit = index(&shape).cast_ray(ray).unwrap();
            assert_eq!(hit.map(|hit| hit.fraction), ends_on.then_some(1.0), "{ray:?} {shape:?}");
            assert!(hit.is_none_or(|hit| (hit.normal_x, hit.normal_y) == (0.0, 1.0)));
        }
        ends[usize::from(ends_on)] += 1;
    }
    assert!(ends.iter().all(|&count| count > 5_000), "{ends:?}");
}

#[test]
fn a_plank_with_a_small_edge_at_its_end() {
    let mut tried = 0;
    // Edges from 2e-3 to 1.2e-7.
    for power in 9..=23 {
        let edge = pow2(-power);
        let mut first: Option<f32> = None;
        let offsets = std::iter::once(0.0).chain((0..=22 - power).map(pow2));
        for (offset, sign) in product((offsets, [1.0, -1.0])) {
            let move_by = |at: [f32; 2]| [at[0] + sign * offset, at[1] - sign * offset];
            // From the middle of the small edge outwards, diagonally.
            let corners =
                [[-1.0, -0.5], [0.5, -0.5], [0.5, 0.5 - edge], [0.5 - edge, 0.5], [-1.0, 0.5]];
            let Ok(plank) = ConvexPolygon::new(&corners.map(move_by)) else { continue };
            if plank.vertices().len() < 5 {
                // So small an edge is nearly straight, for its size or its place.
                assert!(edge < (offset + 1.0) * pow2(-20), "{power} {offset}");
                continue;
            }
            let ray = Ray::new(move_by([1.0 - edge * 0.5, 1.0 - edge * 0.5]), [-1.0, -1.0]);
            let posed = Posed::from(&plank);
            let index = index(&plank);
            let hit = index.cast_ray(ray).unwrap().unwrap();
            assert!((hit.fraction - 0.5).abs() < 1e-6, "{hit:?}");
            assert_eq!(*first.get_or_insert(hit.fraction), hit.fraction, "{power} {offset}");
            assert!((hit.normal_x - 0.5_f32.sqrt()).abs() < 1e-6, "{power} {hit:?}");
            assert_eq!(hit.normal_x, hit.normal_y);
            // A step along the normal either way.
            let at = |step: f32| [hit.x + hit.normal_x * step, hit.y + hit.normal_y * step];
            let step = 1e-3_f32.max(offset * 1e-6);
            for touching in POLICIES {
                assert!(!narrowphase::contains(posed, at(step), touching).unwrap());
                assert!(narrowphase::contains(posed, at(-step), touching).unwrap());
            }
            // And a ray back.
            let back = Ray::new(at(step), [-hit.normal_x, -hit.normal_y]);
            let again = index.cast_ray(back).unwrap().unwrap();
            let error = (offset + 1.0) * 4e-7;
            assert!((again.fraction - step).abs() < error, "{power} {offset} {again:?}");
            assert!((again.x - hit.x).abs() < error && (again.y - hit.y).abs() < error);
            let inside = index.cast_ray(Ray::new(at(-step), [1.0, 1.0])).unwrap();
            assert_eq!(inside.map(|hit| hit.fraction), Some(0.0));
            tried += 1;
        }
    }
    assert!(tried > 100, "{tried}");
}
