//! Sparse worlds up to 2^61 wide, where a walk from cell to cell would never end: all queries take
//! a moment, and find what is there.

use std::time::{Duration, Instant};

use widephase::{
    Index, Lists, Options, Order, Queries, Ray, Shapes,
    reference::whole::Whole,
    shape::{Circle, OwnedShape, Point, Segment},
};

use common::{Rng, matrix::on_one_thread, pow2, twins::queries};

/// Clusters of small shapes at random places as far away as possible.
fn clusters(rng: &mut Rng, exponent: i32) -> Vec<OwnedShape> {
    let most = pow2(exponent);
    let mut shapes: Vec<OwnedShape> = Vec::new();
    for cluster in 0..12 {
        let center = match cluster {
            0 => [-most, -most],
            1 => [most, most],
            2 => [most, 0.0],
            _ => [rng.range(-most, most), rng.range(-most, most)],
        };
        // Sizes at which neighbours differ by some roundings of the coordinates.
        let unit = most * pow2(-20);
        for _ in 0..40 {
            let at = [(); 2].map(|()| rng.range(0.0, 20.0) * unit);
            let at = [0, 1].map(|axis: usize| (center[axis] + at[axis]).clamp(-most, most));
            let radius = rng.range(0.0, 1.0) * unit;
            shapes.push(if rng.below(4) == 0 {
                Point::new(at).into()
            } else {
                Circle::new(at, radius).into()
            });
        }
    }
    // Far smaller shapes at the origin: other levels of the grid.
    for _ in 0..200 {
        let at = [rng.range(-10.0, 10.0), rng.range(-10.0, 10.0)];
        shapes.push(Circle::new(at, rng.range(0.0, 0.5)).into());
    }
    shapes
}

#[test]
fn queries_of_sparse_worlds_are_right_and_end() {
    let start = Instant::now();
    for (seed, exponent) in [60, 40, 20, 60].into_iter().enumerate() {
        let mut rng = Rng::new(seed as u64);
        let shapes = clusters(&mut rng, exponent);
        let wholes: Vec<Whole> = shapes.iter().map(|shape| Whole::new(shape, None)).collect();
        let mut store = Shapes::new();
        for shape in &shapes {
            store.push(shape).unwrap();
        }
        let most = pow2(exponent);
        let mut rays = vec![
            Ray {
                x: -most,
                y: -most,
                dx: 2.0 * most,
                dy: 2.0 * most,
                max_fraction: 1.0,
                ..Ray::default()
            },
            Ray {
                x: -most,
                y: 0.0,
                dx: 1.0,
                dy: 0.0,
                max_fraction: f32::INFINITY,
                ..Ray::default()
            },
            Ray {
                x: 0.0,
                y: most,
                dx: 0.0,
                dy: -1e-30,
                max_fraction: f32::INFINITY,
                ..Ray::default()
            },
            Ray {
                x: 0.0,
                y: 0.0,
                dx: f32::MAX,
                dy: f32::MAX,
                max_fraction: f32::INFINITY,
                ..Ray::default()
            },
            Ray {
                x: 0.0,
                y: 0.0,
                dx: 1.0,
                dy: f32::from_bits(1),
                max_fraction: f32::MAX,
                ..Ray::default()
            },
        ];
        let places: Vec<[f32; 2]> = (0..store.rows() as u32)
            .map(|row| {
                let bounds = store.bounds(row).unwrap();
                [bounds.min_x, bounds.max_y]
            })
            .collect();
        for _ in 0..100 {
            let mut place = || places[rng.below(places.len() as u64) as usize];
            let (a, b) = (place(), place());
            rays.push(Ray::segment(a, b));
            rays.push(Ray::segment(a, b).up_to(f32::INFINITY));
        }
        let hits: Vec<_> = rays.iter().map(|ray| queries::all_hits(&wholes, *ray)).collect();
        for run in on_one_thread() {
            let options = Options { order: Order::Sorted, ..run.options() };
            let mut index = Index::with_options(options.into()).unwrap();
            index.rebuild(&store).unwrap();
            let (mut found, mut firsts) = (Lists::new(), Vec::new());
            index.cast_ray_all_batch(&rays, &mut found).unwrap();
            index.cast_ray_batch(&rays, &mut firsts).unwrap();
            for (query, hits) in hits.iter().enumerate() {
                assert_eq!(found.get(query), hits, "{run}, {:?}", rays[query]);
                assert_eq!(firsts[query], hits.first().copied(), "{run}");
            }
        }

        // Casts, overlaps and nearest shapes, for shapes as large as the world, too.
        let mut asked: Vec<OwnedShape> = vec![
            Circle::new([0.0, 0.0], most).into(),
            Point::new([most, -most]).into(),
            Segment::new([-most, 0.0], [most, 0.0]).into(),
        ];
        asked.extend((0..20).map(|_| shapes[rng.below(shapes.len() as u64) as usize].clone()));
        let mut own = Shapes::new();
        for shape in &asked {
            own.push(shape).unwrap();
        }
        let moves: Vec<[f32; 2]> = (0..asked.len())
            .map(|query| {
                let Ray { dx, dy, .. } = rays[query * 7 % rays.len()];
                [dx, dy]
            })
            .collect();
        let index = {
            let options = Options { order: Order::Sorted, ..Options::default() };
            let mut index = Index::with_options(options.into()).unwrap();
            index.rebuild(&store).unwrap();
            index
        };
        let policy = Options::default().touching;
        let (mut hits, mut rows, mut near) = (Vec::new(), Lists::new(), Lists::new());
        index.cast_shape_batch(&own, &moves, 1.0, &mut hits).unwrap();
        index.overlapping_batch(&own, &mut rows).unwrap();
        index.k_nearest_batch(&own, 45, f32::INFINITY, &mut near).unwrap();
        for (query, shape) in asked.iter().enumerate() {
            let whole = Whole::new(shape, None);
            let by = moves[query];
            assert_eq!(hits[query], queries::first_cast(&wholes, &whole, by, 1.0));
            assert_eq!(rows.get(query), queries::touching(&wholes, &whole, policy));
            assert_eq!(near.get(query), queries::nearest(&wholes, &whole, 45, f32::INFINITY));
        }
    }
    assert!(start.elapsed() < Duration::from_secs(60), "a walk that hardly ends");
}
