//! Rays that just touch a shape, or just miss it: the lanes of the walk lose none of the hits that
//! are decided in `f64`.

use widephase::{
    Fan, Index, Lists, Options, Queries, Ray, Shapes, SimdLevel,
    columns::ScanColumns,
    reference::whole::Whole,
    shape::{Aabb, Circle, OwnedShape, Point, Pose, RoundedBox},
};

use common::{Rng, levels, pow2, twins::queries};

/// The layouts of bodies in lanes.
#[derive(Debug, Clone, Copy)]
enum Kinds {
    Circles,
    Boxes,
    Mixed,
}

/// Shapes whose sizes are about `unit`, around `center`.
fn shapes(count: u64, kinds: Kinds, rng: &mut Rng, center: [f32; 2], unit: f32) -> Vec<OwnedShape> {
    let mut shape = |number: u64| -> OwnedShape {
        let at = [0, 1].map(|axis: usize| center[axis] + rng.range(-12.0, 12.0) * unit);
        let [w, h, r] = [(); 3].map(|()| rng.range(0.1, 1.0) * unit);
        let kind = match kinds {
            Kinds::Circles => 0,
            Kinds::Boxes => 1 + number % 2,
            Kinds::Mixed => number % 4,
        };
        match kind {
            0 => Circle::new(at, r).into(),
            1 => Aabb::new(at, [at[0] + w, at[1] + h]).into(),
            2 => Point::new(at).into(),
            _ => RoundedBox::new(Aabb::new(at, [at[0] + w, at[1] + h]), r).into(),
        }
    };
    (0..count).map(&mut shape).collect()
}

/// A number that is off by some roundings.
fn nudged(value: f64, rng: &mut Rng) -> f32 {
    let mut value = value as f32;
    for _ in 0..rng.below(4) {
        value = if rng.below(2) == 0 { value.next_up() } else { value.next_down() };
    }
    value
}

/// A ray along a tangent of the shape in a row, or of a corner of it. It may begin or end where it
/// touches.
fn tangent(shapes: &Shapes, rng: &mut Rng) -> Ray {
    let bounds = shapes.bounds(rng.below(shapes.rows() as u64) as u32).unwrap();
    let mut pick = |one: f32, other: f32| f64::from(if rng.below(2) == 0 { one } else { other });
    let corner = [pick(bounds.min_x, bounds.max_x), pick(bounds.min_y, bounds.max_y)];
    let angle = match rng.below(5) {
        0 => f64::from(rng.below(8) as u32) * std::f64::consts::FRAC_PI_4,
        1 => f64::from(rng.range(-1e-3, 1e-3)),
        _ => f64::from(rng.range(0.0, 7.0)),
    };
    let (sin, cos) = angle.sin_cos();
    let radius = f64::from(bounds.radius);
    let touched = [corner[0] - sin * radius, corner[1] + cos * radius];
    let size = radius + f64::from(bounds.max_x - bounds.min_x) + f64::from(bounds.radius) + 1e-30;
    let back = size * f64::from(rng.range(0.0, 40.0)) * [0.0, 1.0][rng.below(4).min(1) as usize];
    let length = f64::from(rng.range(0.1, 2.0)) * f64::from(pow2(rng.below(20) as i32 - 10));
    let snapped = |part: f64| if part.abs() < 1e-15 { 0.0 } else { part };
    let (dx, dy) = (snapped(cos) * length, snapped(sin) * length);
    let max_fraction = match rng.below(3) {
        0 => nudged(back / length, rng),
        1 => f32::INFINITY,
        _ => nudged(back / length * 1.5, rng),
    };
    Ray {
        x: nudged(touched[0] - back * cos, rng),
        y: nudged(touched[1] - back * sin, rng),
        dx: if dx == 0.0 { 0.0 } else { nudged(dx, rng) },
        dy: if dy == 0.0 { 0.0 } else { nudged(dy, rng) },
        max_fraction: max_fraction.max(0.0),
        ..Ray::default()
    }
}

fn index(store: &Shapes, level: SimdLevel) -> Index {
    let options = Options { simd_level: Some(level), ..Options::default() };
    let mut index = Index::with_options(options.into()).unwrap();
    index.rebuild(store).unwrap();
    index
}

#[test]
fn tangents_hit_what_they_hit_alone() {
    let (mut grazed, mut missed) = (0, 0);
    for seed in 0..36 {
        let mut rng = Rng::new(seed);
        let kinds = [Kinds::Circles, Kinds::Boxes, Kinds::Mixed][seed as usize % 3];
        // Near the origin, far away, huge and tiny.
        let (unit, far) = [(0, 0.0), (0, 1e4), (50, 0.0), (-55, 0.0), (-100, 0.0), (30, 1e6)]
            [seed as usize / 3 % 6];
        let unit = pow2(unit);
        let center = [far * unit, -0.3 * far * unit];
        let shapes = shapes(150, kinds, &mut rng, center, unit);
        let wholes: Vec<Whole> = shapes.iter().map(|shape| Whole::new(shape, None)).collect();
        let mut store = Shapes::new();
        for shape in &shapes {
            store.push(shape).unwrap();
        }
        let rays: Vec<Ray> = (0..300).map(|_| tangent(&store, &mut rng)).collect();
        let expected: Vec<_> = rays.iter().map(|ray| queries::all_hits(&wholes, *ray)).collect();
        grazed += expected.iter().filter(|hits| !hits.is_empty()).count();
        missed += expected.iter().filter(|hits| hits.is_empty()).count();
        for &level in levels() {
            let index = index(&store, level);
            let (mut firsts, mut any, mut all) = (Vec::new(), Vec::new(), Lists::new());
            index.cast_ray_batch(&rays, &mut firsts).unwrap();
            index.hits_any_batch(&rays, &mut any).unwrap();
            index.cast_ray_all_batch(&rays, &mut all).unwrap();
            for (query, hits) in expected.iter().enumerate() {
                let ray = rays[query];
                assert_eq!(all.get(query), hits, "{level} {kinds:?} {seed} {ray:?}");
                assert_eq!(firsts[query], hits.first().copied(), "{level} {kinds:?} {ray:?}");
                assert_eq!(any[query], !hits.is_empty(), "{level} {kinds:?} {ray:?}");
                assert_eq!(index.cast_ray(ray).unwrap(), firsts[query]);
            }
        }
    }
    // Most rays touch a shape, and some rays do not.
    assert!(grazed > 4_000 && missed > 300, "{grazed} {missed}");
}

/// Angles of rays from a place that nearly touch circles, or go nearly through corners of boxes.
fn tangent_angles(shapes: &Shapes, [x, y]: [f32; 2], count: usize, rng: &mut Rng) -> Vec<f64> {
    let angles = (0..count).map(|_| {
        let bounds = shapes.bounds(rng.below(shapes.rows() as u64) as u32).unwrap();
        let mut pick = |one: f32, other: f32| if rng.below(2) == 0 { one } else { other };
        let to = [pick(bounds.min_x, bounds.max_x) - x, pick(bounds.min_y, bounds.max_y) - y];
        let [dx, dy] = to.map(f64::from);
        let sine = f64::from(bounds.radius) / dx.hypot(dy);
        let off = f64::from(rng.range(-3e-7, 3e-7)) * f64::from(rng.below(3) as u32);
        dy.atan2(dx) + if sine < 1.0 { sine.asin() } else { 0.0 } + off
    });
    angles.map(|angle| if angle.is_finite() { angle } else { 0.0 }).collect()
}

/// The first hits of `rays` among shapes, as many at once as a sensor has.
fn check_rays(index: &Index, wholes: &[Whole], rays: &[Ray], what: &str) -> usize {
    let (mut firsts, mut any) = (Vec::new(), Vec::new());
    index.cast_ray_batch(rays, &mut firsts).unwrap();
    index.hits_any_batch(rays, &mut any).unwrap();
    for (ray, (first, any)) in rays.iter().zip(firsts.iter().zip(&any)) {
        let expected = queries::all_hits(wholes, *ray).first().copied();
        assert_eq!(*first, expected, "{what} {ray:?}");
        assert_eq!(*any, expected.is_some(), "{what} {ray:?}");
    }
    firsts.iter().flatten().count()
}

/// Compares a scan with single rays.
fn check_scan(index: &Index, fan: &Fan, pose: Pose, what: &str) {
    let mut scan = ScanColumns::new();
    index.scan(fan, &[pose], &mut scan).unwrap();
    for ray in 0..fan.rays() {
        let first = index.cast_ray(fan.ray(pose, ray)).unwrap();
        let fraction = first.map_or(f32::INFINITY, |hit| hit.fraction);
        let row = first.map_or(ScanColumns::NO_ROW, |hit| hit.row);
        assert_eq!((scan.range[ray], scan.row[ray]), (fraction, row), "{what} {ray}");
    }
}

/// Few shapes are tested with sixteen rays at once, of one origin or of several origins.
#[test]
fn tangents_among_few_shapes() {
    let mut hit = 0;
    for seed in 0..240 {
        let mut rng = Rng::new(seed);
        let kinds = [Kinds::Circles, Kinds::Boxes, Kinds::Mixed][seed as usize % 3];
        let (unit, far) = [(0, 0.0), (0, 1e4), (50, 0.0), (-55, 0.0), (-100, 0.0), (30, 1e6)]
            [seed as usize / 3 % 6];
        let unit = pow2(unit);
        let center = [far * unit, -0.3 * far * unit];
        let count = 1 + rng.below(70);
        let mut all = shapes(count, kinds, &mut rng, center, unit);
        if seed % 4 == 0 {
            let away = center.map(|at| at + 500.0 * unit);
            all.extend(shapes(count / 2, kinds, &mut rng, away, unit));
        }
        let shapes = all;
        let wholes: Vec<Whole> = shapes.iter().map(|shape| Whole::new(shape, None)).collect();
        let mut store = Shapes::new();
        for shape in &shapes {
            store.push(shape).unwrap();
        }
        let rays: Vec<Ray> = (0..37).map(|_| tangent(&store, &mut rng)).collect();
        let mut place = [0, 1].map(|axis: usize| center[axis] + rng.range(-14.0, 14.0) * unit);
        if seed % 4 == 0 {
            // The nearest corner of all shapes is here, and the furthest corners are far away.
            let bounds = (0..store.rows() as u32).filter_map(|row| store.bounds(row));
            let corner = |sides: RoundedBox| [sides.min_x, sides.min_y].map(|at| at - sides.radius);
            let least = |[x, y]: [f32; 2], [a, b]: [f32; 2]| [x.min(a), y.min(b)];
            place = bounds.map(corner).fold([f32::MAX; 2], least);
        }
        let angles = tangent_angles(&store, place, 37, &mut rng);
        let mut of_sensor: Vec<Ray> = angles
            .iter()
            .map(|angle| {
                let length = f64::from(unit) * f64::from(pow2(rng.below(20) as i32 - 10));
                let [dx, dy] = [angle.cos(), angle.sin()].map(|part| (part * length) as f32);
                Ray::new(place, [dx, dy]).up_to(30.0 / rng.range(0.01, 3.0))
            })
            .collect();
        of_sensor[7] = Ray::new(place, [0.0; 2]);
        of_sensor[20] = Ray::new(place, [0.0, unit]);
        let range = unit * rng.range(2.0, 40.0);
        for &level in levels() {
            let (index, what) = (index(&store, level), format!("{level} {kinds:?} {seed}"));
            hit += check_rays(&index, &wholes, &rays, &what);
            hit += check_rays(&index, &wholes, &of_sensor, &what);
            for (number, angle) in angles.iter().take(6).enumerate() {
                let fan = Fan::new(1 + number * 7, *angle as f32, 0.17, range);
                let pose = Pose::at(place);
                check_scan(&index, &fan, pose, &what);
            }
        }
    }
    assert!(hit > 10_000, "{hit}");
}

/// The values of the test of a circle: the position relative to the ray, and the unit vector.
#[derive(Clone, Copy)]
struct Circled {
    center: [f32; 2],
    origin: [f32; 2],
    direction: [f32; 2],
}

impl Circled {
    /// How far the distances from the line and along it in `f32` are off, at most, as a share of
    /// the distance from the origin.
    fn error(self) -> f64 {
        let Self { center, origin, direction } = self;
        let [dx, dy] = direction.map(f64::from);
        let length = (dx * dx + dy * dy).sqrt();
        let [ux, uy] = [(dx / length) as f32, (dy / length) as f32];
        let [px, py] = [0, 1].map(|axis: usize| center[axis] - origin[axis]);
        let (beside, along) = (ux * py - uy * px, ux * px + uy * py);
        let exact = [0, 1].map(|axis: usize| f64::from(center[axis]) - f64::from(origin[axis]));
        let exact_beside = (dx * exact[1] - dy * exact[0]) / length;
        let exact_along = (dx * exact[0] + dy * exact[1]) / length;
        let distance = (exact[0] * exact[0] + exact[1] * exact[1]).sqrt();
        let off = (f64::from(beside) - exact_beside).abs();
        off.max((f64::from(along) - exact_along).abs()) / distance
    }

    fn changed(self, rng: &mut Rng) -> Self {
        let mut next = self;
        let most = 1 << rng.below(22);
        let steps = 1 + rng.below(most) as u32;
        let value = match rng.below(6) {
            0 => &mut next.center[0],
            1 => &mut next.center[1],
            2 => &mut next.origin[0],
            3 => &mut next.origin[1],
            4 => &mut next.direction[0],
            _ => &mut next.direction[1],
        };
        let bits = value.to_bits();
        let bits =
            if rng.below(2) == 0 { bits.wrapping_add(steps) } else { bits.wrapping_sub(steps) };
        *value = f32::from_bits(bits);
        let of_use = |value: f32| (1e-6..1e6).contains(&value.abs());
        let values = [next.center, next.origin, next.direction];
        if values.into_iter().flatten().all(of_use) { next } else { self }
    }
}

/// A climb to the largest error of the test in lanes. Its margin is 2^-20 of the distance, and
/// by docs/numerics.md, the error is below 2^-21.
#[test]
fn the_margin_is_larger_than_any_error() {
    let mut worst = 0.0_f64;
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let mut pair = || [rng.range(-9.0, 9.0), rng.range(-9.0, 9.0)];
        let mut best = Circled { center: pair(), origin: pair(), direction: pair() };
        let mut rng = Rng::new(seed ^ 77);
        let mut error = best.error();
        for _ in 0..3_000 {
            let next = best.changed(&mut rng);
            if next.error() > error {
                (best, error) = (next, next.error());
            }
        }
        worst = worst.max(error);
    }
    // The climb comes near the proven bound, so the bound is not a matter of luck.
    assert!(worst < f64::from(pow2(-21)), "{worst:e}");
    assert!(worst > f64::from(pow2(-24)), "{worst:e}");
}
