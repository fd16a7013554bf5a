//! Scans beside single rays: the same bits.

use proptest::prelude::*;
use widephase::{
    Fan, Index, Options, ScanColumns, Threads, Touching,
    shape::{Pose, Rotation},
};

use crate::common::{
    Rng,
    crowd::{Make, crowds, crowds_of, store},
    levels, pow2,
};

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
                let mut index = Index::with_options(options).unwrap();
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
