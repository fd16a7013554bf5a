//! Every query beside the same query of an index of one shape, for each shape: the walk over the
//! grid leaves nothing out, and changes no bit.

use proptest::prelude::*;
use widephase::{
    Hit, Index, Lists, Neighbor, Options, Order, Queries, Ray, Shapes, SimdLevel, Threads,
    Touching,
    shape::{Circle, Point},
};

use crate::made::{place, ray};
use common::{
    Rng,
    crowd::{Crowd, crowds, store},
    levels, pow2,
};

/// The shapes of a crowd, an index for each shape, and the index of all shapes.
struct World {
    shapes: Shapes,
    alone: Vec<Index>,
    all: Index,
}

impl World {
    fn new(crowd: &Crowd, level: SimdLevel, touching: Touching, threads: Threads) -> Self {
        let options = Options {
            simd_level: Some(level),
            touching,
            threads,
            order: Order::Sorted,
            ..Options::default()
        };
        let shapes = store(&crowd.solids());
        let alone = (0..shapes.rows() as u32).map(|row| {
            let mut one = Shapes::new();
            one.extend_from_rows(shapes.columns(), &[row]).unwrap();
            let mut index = Index::with_options(options.into()).unwrap();
            index.rebuild(&one).unwrap();
            index
        });
        let mut all = Index::with_options(options.into()).unwrap();
        all.rebuild(&shapes).unwrap();
        Self { alone: alone.collect(), shapes, all }
    }
}

fn first(hits: &[Hit]) -> Option<Hit> {
    hits.first().copied()
}

fn check(crowd: &Crowd, level: SimdLevel, touching: Touching, threads: Threads) {
    let world = World::new(crowd, level, touching, threads);
    let mut rng = Rng::new(crowd.seed);
    let rays: Vec<Ray> = (0..40).map(|_| ray(&world.shapes, &mut rng)).collect();
    let mut expected = Vec::new();
    for ray in &rays {
        let mut hits: Vec<Hit> = Vec::new();
        for (row, one) in world.alone.iter().enumerate() {
            let hit = one.cast_ray(*ray).unwrap();
            hits.extend(hit.map(|hit| Hit { row: row as u32, ..hit }));
        }
        hits.sort_by(|a, b| a.fraction.total_cmp(&b.fraction).then(a.row.cmp(&b.row)));
        assert_eq!(world.all.cast_ray(*ray).unwrap(), first(&hits), "{ray:?}");
        assert_eq!(world.all.hits_any(*ray).unwrap(), !hits.is_empty(), "{ray:?}");
        let mut all = Vec::new();
        world.all.cast_ray_all(*ray, &mut all).unwrap();
        assert_eq!(all, hits, "{ray:?}");
        expected.push(hits);
    }
    let (mut firsts, mut any, mut lists) = (Vec::new(), Vec::new(), Lists::new());
    world.all.cast_ray_batch(&rays, &mut firsts).unwrap();
    world.all.hits_any_batch(&rays, &mut any).unwrap();
    world.all.cast_ray_all_batch(&rays, &mut lists).unwrap();
    for (query, hits) in expected.iter().enumerate() {
        assert_eq!(firsts[query], first(hits));
        assert_eq!(any[query], !hits.is_empty());
        assert_eq!(lists.get(query), hits);
    }

    // Nearest, overlap and casts, with the shapes themselves and with circles.
    let mut queries = Shapes::new();
    let rows: Vec<u32> = (0..world.shapes.rows().min(10) as u32).collect();
    queries.extend_from_rows(world.shapes.columns(), &rows).unwrap();
    for _ in 0..10 {
        queries
            .push(Circle::new(
                place(&world.shapes, &mut rng),
                rng.range(0.0, 1.0) * pow2(crowd.unit),
            ))
            .unwrap();
        queries.push(Point::new(place(&world.shapes, &mut rng))).unwrap();
    }
    let moves: Vec<[f32; 2]> = (0..queries.rows())
        .map(|_| {
            let Ray { dx, dy, .. } = ray(&world.shapes, &mut rng);
            [dx, dy]
        })
        .collect();
    let k = 3;
    let max_distance = match rng.below(3) {
        0 => f32::INFINITY,
        _ => rng.range(0.0, 3.0) * pow2(crowd.unit),
    };
    let mut touching_rows: Vec<Vec<u32>> = vec![Vec::new(); queries.rows()];
    let mut near: Vec<Vec<Neighbor>> = vec![Vec::new(); queries.rows()];
    let mut cast: Vec<Vec<Hit>> = vec![Vec::new(); queries.rows()];
    let (mut counts, mut nearest, mut hits) = (Vec::new(), Lists::new(), Vec::new());
    for (row, one) in world.alone.iter().enumerate() {
        let row = row as u32;
        one.count_overlapping_batch(&queries, &mut counts).unwrap();
        one.k_nearest_batch(&queries, k, max_distance, &mut nearest).unwrap();
        one.cast_shape_batch(&queries, &moves, 1.0, &mut hits).unwrap();
        for query in 0..queries.rows() {
            touching_rows[query].extend((counts[query] == 1).then_some(row));
            near[query].extend(nearest.get(query).iter().map(|near| Neighbor { row, ..*near }));
            cast[query].extend(hits[query].map(|hit| Hit { row, ..hit }));
        }
    }
    let mut touched = Lists::new();
    world.all.overlapping_batch(&queries, &mut touched).unwrap();
    world.all.k_nearest_batch(&queries, k, max_distance, &mut nearest).unwrap();
    world.all.cast_shape_batch(&queries, &moves, 1.0, &mut hits).unwrap();
    world.all.count_overlapping_batch(&queries, &mut counts).unwrap();
    for query in 0..queries.rows() {
        assert_eq!(touched.get(query), touching_rows[query], "{:?}", queries.get(query as u32));
        assert_eq!(counts[query], touching_rows[query].len() as u64);
        near[query].sort_by(|a, b| a.distance.total_cmp(&b.distance).then(a.row.cmp(&b.row)));
        near[query].truncate(k);
        assert_eq!(nearest.get(query), near[query], "{:?}", queries.get(query as u32));
        cast[query].sort_by(|a, b| a.fraction.total_cmp(&b.fraction).then(a.row.cmp(&b.row)));
        assert_eq!(
            hits[query],
            first(&cast[query]),
            "{:?} {:?}",
            queries.get(query as u32),
            moves[query]
        );
    }

    // Shapes touch exactly if the detector says so, and then their distance is 0.
    let mut pairs = Vec::new();
    let options = Options { touching, ..Options::default() };
    let mut detector = widephase::Detector::with_options(options).unwrap();
    detector.pairs((&queries, &world.all), &mut pairs).unwrap();
    let mut found: Vec<Vec<u32>> = vec![Vec::new(); queries.rows()];
    for pair in &pairs {
        found[pair.a as usize].push(pair.b);
    }
    for (query, found) in found.iter_mut().enumerate() {
        found.sort_unstable();
        assert_eq!(touched.get(query), found);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn all_queries_are_those_of_a_walk_through_all_shapes(crowd in crowds(), exclusive in any::<bool>()) {
        let touching = if exclusive { Touching::Exclusive } else { Touching::Inclusive };
        for &level in levels() {
            check(&crowd, level, touching, Threads::Calling);
        }
        check(&crowd, levels()[0], touching, Threads::Pool);
    }
}
