//! Scans beside single rays: the same bits.

use proptest::prelude::*;
use widephase::{
    Fan, Index, Options, Queries, Shapes, SimdLevel, Threads, Touching,
    columns::ScanColumns,
    shape::{Aabb, Capsule, Circle, ConvexPolygon, Obb, Pose, Rotation, Segment},
};

use common::{
    Rng,
    crowd::{Crowd, Make, Numbers, crowds, crowds_of, store},
    levels, pow2,
};

/// An index of all shapes at a level.
fn index_at(level: SimdLevel, shapes: &Shapes) -> Index {
    let options = Options { simd_level: Some(level), ..Options::default() };
    let mut index = Index::with_options(options.into()).unwrap();
    index.rebuild(shapes).unwrap();
    index
}

/// The ranges of a fan by single rays, and their rows.
fn by_rays(index: &Index, fan: &Fan, poses: &[Pose]) -> ScanColumns {
    let mut scan = ScanColumns::new();
    for pose in poses {
        for number in 0..fan.rays() {
            let hit = index.cast_ray(fan.ray(*pose, number)).unwrap();
            scan.range.push(hit.map_or(f32::INFINITY, |hit| hit.fraction));
            scan.row.push(hit.map_or(ScanColumns::NO_ROW, |hit| hit.row));
        }
    }
    scan
}

/// Checks that scans are single rays at every level. Returns them.
fn checked(shapes: &Shapes, fan: &Fan, poses: &[Pose], what: &str) -> ScanColumns {
    let mut first = None;
    for &level in levels() {
        let index = index_at(level, shapes);
        let expected = first.get_or_insert_with(|| by_rays(&index, fan, poses));
        let mut scan = ScanColumns::new();
        index.scan(fan, poses, &mut scan).unwrap();
        let unequal = (0..expected.row.len()).filter(|&at| {
            (scan.range[at].to_bits(), scan.row[at])
                != (expected.range[at].to_bits(), expected.row[at])
        });
        assert_eq!(unequal.count(), 0, "of {} rays at {level:?}: {what}", expected.row.len());
    }
    first.unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn as_single_rays(
        crowd in prop_oneof![crowds(), crowds_of(&[Make::Circle], 2..600)],
        exclusive in any::<bool>(),
        rays in prop_oneof![0..40_usize, 100..1000_usize],
    ) {
        let touching = if exclusive { Touching::Exclusive } else { Touching::Inclusive };
        let shapes = store(&crowd.solids());
        let mut rng = Rng::new(crowd.seed);
        let unit = pow2(crowd.unit);
        let first = rng.range(-7.0, 7.0);
        let range = match rng.below(3) {
            0 => f32::INFINITY,
            1 => 0.0,
            _ => rng.range(0.0, 30.0) * unit,
        };
        let fan = match rng.below(4) {
            0 => Fan::around(rays, range),
            1 => Fan::new(rays, first, -0.01, range),
            _ => Fan::new(rays, first, rng.range(0.0, 6.3) / rays.max(1) as f32, range),
        };
        let poses: Vec<Pose> = (0..3).map(|_| {
            let bounds = shapes.bounds(rng.below(shapes.rows() as u64) as u32).unwrap();
            let by = [rng.range(-3.0, 3.0) * unit, rng.range(-3.0, 3.0) * unit];
            Pose::new(
                [bounds.min_x + by[0], bounds.min_y + by[1]],
                Rotation::from_angle(rng.range(-4.0, 4.0)),
            )
        }).collect();
        let mut scan = ScanColumns::new();
        for &level in levels() {
            for threads in [Threads::Calling, Threads::Pool] {
                let options = Options {
                    simd_level: Some(level), touching, threads, ..Options::default()
                };
                let mut index = Index::with_options(options.into()).unwrap();
                index.rebuild(&shapes).unwrap();
                index.scan(&fan, &poses, &mut scan).unwrap();
                let outputs = scan.range.iter().zip(&scan.row).enumerate();
                for (at, (range, row)) in outputs {
                    let ray = fan.ray(poses[at / rays], at % rays);
                    let hit = index.cast_ray(ray).unwrap();
                    let expected = hit.map_or((f32::INFINITY, ScanColumns::NO_ROW), |hit| {
                        (hit.fraction, hit.row)
                    });
                    prop_assert_eq!((*range, *row), expected, "ray {} of {:?}", at, fan);
                }
            }
        }
    }
}

/// Crowds of circles and of all kinds.
fn crowd(seed: u64, count: usize, unit: i32) -> Crowd {
    let makes = if seed.is_multiple_of(2) { vec![Make::Circle] } else { Make::ALL.to_vec() };
    let numbers = Numbers::ALL[(seed / 2) as usize % 4];
    Crowd { seed, count, makes, numbers, unit, far: 0, flat: false }
}

/// Poses among the shapes, with coordinates in the unit of the crowd.
fn poses(rng: &mut Rng, count: usize, unit: f32) -> Vec<Pose> {
    let side = (count as f32).sqrt() * 1.2;
    (0..2)
        .map(|_| {
            let at = [(); 2].map(|()| rng.range(-1.0, side + 1.0) * unit);
            Pose::new(at, Rotation::from_angle(rng.range(-4.0, 4.0)))
        })
        .collect()
}

#[test]
fn as_single_rays_at_every_angle_and_step() {
    let (mut rays, mut hits, mut swept) = (0, 0, 0);
    let mut rng = Rng::new(47);
    // Powers of ten of the first angle; beyond the last power are infinities.
    for (case, power) in (-3..39).flat_map(|power| [power; 12]).enumerate() {
        let seed = case as u64;
        let count = if seed.is_multiple_of(2) { 400 } else { 60 };
        let shapes = store(&crowd(seed, count, 0).solids());
        let first = match case % 12 {
            0 => 0.0,
            1 => 3.0e38,
            _ => {
                rng.range(1.0, 3.4) * 10.0_f32.powi(power) * (1 - 2 * (case as i32 / 2 % 2)) as f32
            }
        };
        let step = match case % 6 {
            0 => 1e-4,
            1 => rng.range(0.5, 2.0) * 10.0_f32.powi(rng.int(-7, -2) as i32),
            2 => rng.range(0.5, 1.0) * 0.04,
            3 => rng.range(1.0, 3.4) * 10.0_f32.powi(rng.int(-40, 38) as i32),
            4 => 0.012,
            _ => -rng.range(0.0, 0.02),
        };
        let fan = Fan::new(rng.int(16, 512) as usize, first, step, f32::INFINITY);
        let poses = poses(&mut rng, count, 1.0);
        let scan = checked(&shapes, &fan, &poses, &format!("{first} {step} {case}"));
        rays += scan.row.len();
        hits += scan.row.iter().filter(|&&row| row != ScanColumns::NO_ROW).count();
        swept += usize::from(step > 1e-6 && step < 0.012 && first.abs() > 1e4);
    }
    assert!(rays > 200_000 && hits > 100_000 && swept > 50, "{rays} {hits} {swept}");
}

#[test]
fn as_single_rays_at_every_scale() {
    let (mut hits, mut misses) = (0, 0);
    for seed in 0..16_u64 {
        let count = if seed.is_multiple_of(2) { 200 } else { 50 };
        let range = if seed.is_multiple_of(3) { f32::INFINITY } else { 6.0 };
        let of_unit = |power: i32| {
            let (unit, mut rng) = (pow2(power), Rng::new(seed));
            let shapes = store(&crowd(seed, count, power).solids());
            let poses = poses(&mut rng, count, unit);
            let fan = Fan::new(200, rng.range(-7.0, 7.0), 0.03, range * unit);
            checked(&shapes, &fan, &poses, &format!("unit 2^{power}, {seed}"))
        };
        let plain = of_unit(0);
        hits += plain.row.iter().filter(|&&row| row != ScanColumns::NO_ROW).count();
        misses += plain.row.iter().filter(|&&row| row == ScanColumns::NO_ROW).count();
        for power in [-100, -99, -90, -80, -74, -73, -66, -61, -60, -50, -40, -10, 10, 40, 50, 53] {
            let scan = of_unit(power);
            let range: Vec<f32> = plain.range.iter().map(|range| range * pow2(power)).collect();
            assert_eq!((scan.range, &scan.row), (range, &plain.row), "2^{power}, {seed}");
        }
    }
    assert!(hits > 2_000 && misses > 500, "{hits} {misses}");
}

#[test]
fn two_circles_of_tiny_units() {
    for power in -100..=50 {
        let unit = pow2(power);
        let mut shapes = Shapes::new();
        for (x, y) in [(5.0, 0.5), (5.5, -1.0)] {
            shapes.push(Circle::new([x * unit, y * unit], 1.0 * unit)).unwrap();
        }
        let fan = Fan::around(256, f32::INFINITY);
        let scan = checked(&shapes, &fan, &[Pose::at([0.0, 0.0])], &format!("2^{power}"));
        assert_eq!(scan.row[0], 0);
    }
}

#[test]
fn ranges_end_where_rays_end() {
    let mut rng = Rng::new(3);
    let (mut hits, mut close) = (0, 0);
    for case in 0..300 {
        let (rays, angle) = (64, rng.range(-3.0, 3.0));
        let pose = Pose::new([0.0; 2], Rotation::from_angle(angle));
        let range = rng.range(1.0, 9.0);
        let fan = Fan::around(rays, range);
        // Circles whose nearest point is at the end of a ray, within roundings.
        let mut shapes = Shapes::new();
        for number in 0..rays {
            let ray = fan.ray(pose, number);
            let radius = 1e-3;
            let length = ray.dx.hypot(ray.dy);
            let off = (rng.int(-6, 6) as f32) * 1e-7;
            let at = [ray.dx, ray.dy].map(|part| part / length * (radius + range * (1.0 + off)));
            shapes.push(Circle::new(at, radius)).unwrap();
        }
        let scan = checked(&shapes, &fan, &[pose], &format!("{case}"));
        hits += scan.range.iter().filter(|range| range.is_finite()).count();
        close += scan.range.iter().filter(|range| !range.is_finite()).count();
    }
    assert!(hits > 5_000 && close > 5_000, "{hits} {close}");
}

/// Scenes that are hard for rings: clusters, far places, lines, one place, giants beside dwarfs.
fn hard_scene(kind: usize, rng: &mut Rng) -> (Shapes, f32) {
    let mut shapes = Shapes::new();
    let huge = pow2(60);
    for number in 0..300 {
        let (mut at, mut radius) = ([rng.range(-9.0, 9.0), rng.range(-9.0, 9.0)], 0.4);
        match kind {
            // Two clusters far apart.
            0 => at[0] += if number % 2 == 0 { 0.0 } else { 5e6 },
            // Near the largest coordinate.
            1 => at = at.map(|part| part / 10.0 * huge),
            // On a line, and on one place.
            2 => at[1] = 0.0,
            3 => at = [1.5, -0.5],
            // A giant around dwarfs, giants beside them.
            4 if number == 0 => radius = 7.0,
            5 if number < 3 => (at, radius) = ([at[0], -1e6], 1e6 - 1.0),
            // Radii from 2^-20 to 2^3, many of which are equal to the bit.
            6 => radius = pow2(rng.int(-20, 3) as i32),
            7 => at = at.map(f32::round),
            _ => {}
        }
        radius *= if kind == 1 { huge / 20.0 } else { 1.0 };
        if kind.is_multiple_of(2) || rng.below(2) == 0 {
            shapes.push(Circle::new(at, radius)).unwrap();
        } else {
            let half = [radius, radius * 0.7];
            let shape = Aabb::new([at[0] - half[0], at[1] - half[1]], [at[0] + half[0], at[1]]);
            shapes.push(shape).unwrap();
        }
    }
    (shapes, if kind == 1 { huge } else { 1.0 })
}

#[test]
fn as_single_rays_in_hard_scenes() {
    let mut rng = Rng::new(2026);
    let (mut hits, mut misses) = (0, 0);
    for case in 0..64 {
        let (shapes, unit) = hard_scene(case % 8, &mut rng);
        let rays = [16, 17, 63, 64, 100, 360, 1000, 3000][rng.below(8) as usize];
        let turn = std::f32::consts::TAU / rays as f32;
        let first = rng.range(-7.0, 7.0);
        let range = [2.0 * unit, 30.0 * unit, f32::INFINITY][case % 3];
        // Whole turns and parts of a turn, in both directions.
        let fan = match case / 8 % 4 {
            0 => Fan::around(rays, range),
            1 => Fan::new(rays, first, -turn, range),
            2 => Fan::new(rays, first, -0.3 * turn, range),
            _ => Fan::new(rays, first, 0.3 * turn, range),
        };
        // In a shape, on its border, near it, and beside all shapes.
        let bounds = shapes.bounds(rng.below(shapes.rows() as u64) as u32).unwrap();
        let middle = [(bounds.min_x + bounds.max_x) * 0.5, (bounds.min_y + bounds.max_y) * 0.5];
        let places = [
            middle,
            [bounds.max_x, middle[1]],
            [bounds.max_x + 0.1 * unit, bounds.max_y],
            [0.9 * unit, -0.9 * unit],
        ];
        let poses = places.map(|place| Pose::new(place, Rotation::from_angle(first * 3.0)));
        let scan = checked(&shapes, &fan, &poses, &format!("scene {case}"));
        hits += scan.range.iter().filter(|range| range.is_finite()).count();
        misses += scan.range.iter().filter(|range| !range.is_finite()).count();
    }
    assert!(hits > 30_000 && misses > 10_000, "{hits} {misses}");
}

/// A long wall: a segment, a capsule, a rotated box or a polygon, whose middle is near `at`.
fn push_wall(shapes: &mut Shapes, rng: &mut Rng, at: [f32; 2], unit: f32) {
    let half = rng.range(0.5, 12.0) * unit;
    let pose = Pose::new(at, Rotation::from_angle(rng.range(-4.0, 4.0)));
    let (ends, radius) = ([[-half, 0.0], [half, 0.0]], rng.range(0.0, 0.4) * unit);
    match rng.below(5) {
        0 => shapes.push_at(Segment::new(ends[0], ends[1]), pose),
        1 => shapes.push_at(Capsule::new(ends[0], ends[1], radius), pose),
        2 => shapes.push_at(Obb::new([0.0; 2], [half, radius], Rotation::default()), pose),
        kind => {
            let corners = [ends[0], [0.0, -radius], ends[1], [half * 0.5, radius + 0.1 * unit]];
            let polygon = ConvexPolygon::new(&corners).unwrap();
            let round = if kind == 3 { 0.0 } else { radius };
            shapes.push_at(polygon.with_radius(round).unwrap(), pose)
        }
    }
    .unwrap();
}

/// Walls that cross each other near the sensor: beside a crossing, two of them are entered at
/// nearly the same fraction.
#[test]
fn as_single_rays_among_walls_that_cross() {
    let mut rng = Rng::new(71);
    let mut hits = 0;
    for case in 0..40 {
        let unit = [1.0, 1.0, pow2(-60), pow2(40)][case % 4];
        let spread = [2.0, 10.0, 40.0][case % 3] * unit;
        let mut shapes = Shapes::new();
        for _ in 0..[3, 80, 300][case / 4 % 3] {
            let at = [0, 1].map(|_| rng.range(-1.0, 1.0) * spread);
            push_wall(&mut shapes, &mut rng, at, unit);
        }
        // Grids of more than a few shapes have rings.
        for number in 0..80 {
            shapes.push(Circle::new([100.0 * unit, number as f32 * unit], 0.3 * unit)).unwrap();
        }
        let places = [0, 1, 2].map(|_| [0, 1].map(|_| rng.range(-1.0, 1.0) * spread));
        let poses = places.map(|at| Pose::new(at, Rotation::from_angle(rng.range(-4.0, 4.0))));
        let fan = Fan::around([200, 720, 2000][case % 3], 60.0 * unit);
        let scan = checked(&shapes, &fan, &poses, &format!("walls {case}"));
        hits += scan.range.iter().filter(|range| range.is_finite()).count();
    }
    assert!(hits > 50_000, "{hits}");
}

/// A ray that begins on the border of a box hits it there, and a ray that begins behind it misses.
#[test]
fn sensors_on_the_sides_of_a_box_and_beside_them() {
    // Few shapes are in one cell, and many in a grid.
    for others in [0, 40] {
        let mut shapes = Shapes::new();
        shapes.push(Aabb::new([1.0, 2.0], [4.0, 3.0])).unwrap();
        for other in 0..others {
            shapes.push(Circle::new([other as f32, 50.0], 0.5)).unwrap();
        }
        let mut poses = Vec::new();
        for [x, y] in [[1.0_f32, 2.5_f32], [4.0, 2.5], [2.0, 2.0], [2.0, 3.0], [4.0, 3.0]] {
            let beside = |at: f32| [at.next_down(), at, at.next_up()];
            for x in beside(x) {
                poses.extend(beside(y).map(|y| Pose::at([x, y])));
            }
        }
        let scan = checked(&shapes, &Fan::around(16, 30.0), &poses, "beside a box");
        let ahead = |at: [f32; 2]| {
            let sensor = poses.iter().position(|pose| [pose.x, pose.y] == at).unwrap();
            [scan.range[16 * sensor], scan.range[16 * sensor + 8]]
        };
        // Ahead and behind, along the width.
        assert_eq!(ahead([4.0, 2.5]), [0.0, 0.0]);
        assert_eq!(ahead([4.0_f32.next_up(), 2.5])[0], f32::INFINITY);
        assert!((0.0..1e-6).contains(&ahead([4.0_f32.next_up(), 2.5])[1]));
        assert_eq!(ahead([1.0_f32.next_down(), 2.5])[1], f32::INFINITY);
    }
}

#[test]
fn many_sensors_on_threads() {
    let shapes = store(&crowd(4, 900, 0).solids());
    let mut rng = Rng::new(5);
    let poses: Vec<Pose> = (0..20).flat_map(|_| poses(&mut rng, 900, 1.0)).collect();
    let fan = Fan::new(1001, 0.3, -0.006, 25.0);
    let of = |threads| {
        let options = Options { threads, ..Options::default() };
        let mut index = Index::with_options(options.into()).unwrap();
        index.rebuild(&shapes).unwrap();
        // A longer scan before: no value of it stays.
        let mut scan = ScanColumns { range: vec![1.0; 99_999], row: vec![1; 99_999] };
        index.scan(&fan, &poses, &mut scan).unwrap();
        (by_rays(&index, &fan, &poses[..3]), scan)
    };
    let (rays, scan) = of(Threads::Pool);
    assert_eq!(scan.range.len(), 40 * 1001);
    assert_eq!((&scan.range[..3003], &scan.row[..3003]), (&rays.range[..], &rays.row[..]));
    assert_eq!(of(Threads::Calling).1, scan);
}
