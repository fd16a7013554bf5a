//! Rays among few shapes, sixteen at once, where hits are nearly as far away as other hits, and
//! where circles are smaller than the roundings of their places: single rays have the same bits.

use widephase::{
    Fan, Hit, Index, IndexOptions, Queries, Ray, Shapes,
    columns::ScanColumns,
    shape::{Aabb, Circle, Pose, RoundedBox},
};

use common::{Rng, levels, pow2};

fn bits(hit: Option<Hit>) -> Option<[u32; 7]> {
    hit.map(|hit| {
        let Hit { row, part, fraction, x, y, normal_x, normal_y } = hit;
        let [fraction, x, y, normal_x, normal_y] =
            [fraction, x, y, normal_x, normal_y].map(f32::to_bits);
        [row, part, fraction, x, y, normal_x, normal_y]
    })
}

/// A value that is off by up to three roundings.
fn nudged(value: f32, rng: &mut Rng) -> f32 {
    (0..rng.below(4)).fold(value, |value, _| match rng.below(2) {
        0 => value.next_up(),
        _ => value.next_down(),
    })
}

/// Shapes, most with other shapes in nearly the same place, and their centres.
fn twins(kind: u64, radius: f32, rng: &mut Rng) -> (Shapes, Vec<[f32; 2]>) {
    let (mut shapes, mut centers) = (Shapes::new(), Vec::new());
    for _ in 0..2 + rng.below(10) {
        let [x, mut y] = [(); 2].map(|()| rng.below(65) as f32 - 32.0);
        if rng.below(3) == 0 {
            y = 0.0;
        }
        centers.push([x, y]);
        for _ in 0..1 + rng.below(4) {
            let at = [nudged(x, rng), nudged(y, rng)];
            let pushed = match (kind, rng.below(2)) {
                (0, _) | (2, 0) => shapes.push(Circle::new(at, nudged(radius, rng))),
                (1, 0) | (2, 1) => shapes.push(Aabb::new(at, [x + 1.0, y + 1.0])),
                _ => {
                    let core = Aabb::new(at, [x + 1.0, y + 1.0]);
                    shapes.push(RoundedBox::new(core, nudged(radius, rng)))
                }
            };
            pushed.expect("a good shape");
        }
    }
    (shapes, centers)
}

#[test]
fn sixteen_rays_beside_single_ones() {
    let mut hits = 0;
    for seed in 0..600 {
        let mut rng = Rng::new(seed);
        let radius = [0.75, pow2(-30), pow2(-45), pow2(-59)][seed as usize / 3 % 4];
        let (shapes, centers) = twins(seed % 3, radius, &mut rng);
        let origin = [0, 1].map(|_: usize| rng.below(97) as f32 - 48.0);
        let shared = rng.below(2) == 0;
        let rays: Vec<Ray> = (0..40)
            .map(|number| {
                let [x, y] = centers[rng.below(centers.len() as u64) as usize];
                let other = [x, y + rng.below(9) as f32 - 4.0];
                let from = if shared { origin } else { [x - 1.0 - rng.below(40) as f32, other[1]] };
                let direction = match number % 3 {
                    0 => [rng.below(3) as f32 - 1.0, 0.0],
                    _ => [x - from[0], y - from[1]],
                };
                if number % 5 == 0 {
                    // Along the axis, with both signs of zero.
                    return Ray::new([from[0], -0.0], [1.0, -0.0]).up_to(64.0);
                }
                Ray::new(from, direction).up_to(64.0)
            })
            .collect();
        for &level in levels() {
            let what = format!("{level}, {seed}");
            let options = IndexOptions { simd_level: Some(level), ..IndexOptions::default() };
            let mut index = Index::with_options(options).expect("a level of this CPU");
            index.rebuild(&shapes).expect("good shapes");
            let (mut batch, mut any) = (Vec::new(), Vec::new());
            index.cast_ray_batch(&rays, &mut batch).expect("good rays");
            index.hits_any_batch(&rays, &mut any).expect("good rays");
            for (number, ray) in rays.iter().enumerate() {
                let single = index.cast_ray(*ray).expect("a good ray");
                assert_eq!(bits(batch[number]), bits(single), "{what}: {ray:?}");
                assert_eq!(any[number], single.is_some(), "{what}: {ray:?}");
                hits += usize::from(single.is_some());
            }
            let (fan, pose) = (Fan::around(32, 80.0), Pose::at(origin));
            let mut scan = ScanColumns::new();
            index.scan(&fan, &[pose], &mut scan).expect("a good fan");
            for number in 0..fan.rays() {
                let single = index.cast_ray(fan.ray(pose, number)).expect("a good ray");
                let range = single.map_or(f32::INFINITY, |hit| hit.fraction);
                let row = single.map_or(ScanColumns::NO_ROW, |hit| hit.row);
                assert_eq!(
                    (scan.range[number].to_bits(), scan.row[number]),
                    (range.to_bits(), row),
                    "{what}"
                );
            }
        }
    }
    assert!(hits > 30_000, "{hits}");
}
