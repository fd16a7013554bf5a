//! Every query beside the reference, to the last bit: on every SIMD level, on one thread and on
//! several threads, one by one and in batches.

use proptest::prelude::*;
use widephase::{
    CastOptions, Hit, Index, Lists, Neighbor, Options, Order, Queries, Ray, SimdLevel, Threads,
    Touching, narrowphase::CastStart, reference::whole::Whole,
};

use crate::made::ray;
use common::{
    POLICIES, Rng,
    crowd::{Crowd, Make, PosedShape, crowds, crowds_of, store, wholes},
    levels, pow2,
    twins::queries,
};

fn bytes<T: bytemuck::NoUninit>(items: &[T]) -> &[u8] {
    bytemuck::cast_slice(items)
}

#[track_caller]
fn assert_hits(found: &[Hit], expected: &[Hit], what: &dyn std::fmt::Debug) {
    assert_eq!(found, expected, "{what:?}");
    assert_eq!(bytes(found), bytes(expected), "{what:?}: zeros");
}

/// The answers of the reference to some queries.
struct Expected {
    rays: Vec<Ray>,
    hits: Vec<Vec<Hit>>,
    queries: Vec<PosedShape>,
    moves: Vec<[f32; 2]>,
    options: CastOptions,
    casts: Vec<Vec<Hit>>,
    touching: Vec<Vec<u32>>,
    k: usize,
    max_distance: f32,
    nearest: Vec<Vec<Neighbor>>,
    of_rows: Vec<Vec<Neighbor>>,
}

impl Expected {
    fn new(crowd: &Crowd, solids: &[PosedShape], touching: Touching) -> Self {
        let mut rng = Rng::new(crowd.seed ^ 1);
        let shapes = store(solids);
        let wholes = wholes(solids);
        let rays: Vec<Ray> = (0..24).map(|_| ray(&shapes, &mut rng)).collect();
        let hits = rays.iter().map(|ray| queries::all_hits(&wholes, *ray)).collect();
        let mut queries: Vec<PosedShape> =
            Crowd { seed: crowd.seed ^ 2, count: 12, ..crowd.clone() }.solids();
        queries.extend_from_slice(&solids[..solids.len().min(6)]);
        let own: Vec<Whole> = common::crowd::wholes(&queries);
        let moves: Vec<[f32; 2]> = queries
            .iter()
            .map(|_| {
                let Ray { dx, dy, .. } = ray(&shapes, &mut rng);
                [dx, dy]
            })
            .collect();
        let options = CastOptions {
            max_fraction: [1.0, f32::INFINITY, rng.range(0.0, 2.0)][rng.below(3) as usize],
            gap: [0.0, 0.0, rng.range(0.0, 2.0) * pow2(crowd.unit)][rng.below(3) as usize],
            start: [CastStart::Inward, CastStart::Any, CastStart::Ignored][rng.below(3) as usize],
        };
        let k = rng.below(5) as usize;
        let max_distance =
            [f32::INFINITY, 0.0, rng.range(0.0, 2.0) * pow2(crowd.unit)][rng.below(3) as usize];
        let cast = |(own, by): (&Whole, &[f32; 2])| queries::all_casts(&wholes, own, *by, options);
        let casts = own.iter().zip(&moves).map(cast).collect();
        let touched = own.iter().map(|own| queries::touching(&wholes, own, touching)).collect();
        let nearest = own.iter().map(|own| queries::nearest(&wholes, own, k, max_distance));
        let nearest = nearest.collect();
        let of_rows = (0..wholes.len() as u32).map(|row| {
            let own = &wholes[row as usize];
            let mut all = queries::nearest(&wholes, own, usize::MAX, max_distance);
            all.retain(|near| near.row != row);
            all.truncate(k);
            all
        });
        let of_rows = of_rows.collect();
        Self {
            rays,
            hits,
            queries,
            moves,
            options,
            casts,
            touching: touched,
            k,
            max_distance,
            nearest,
            of_rows,
        }
    }

    fn check(&self, index: &Index) {
        let first = |hits: &[Hit]| hits.first().copied();
        let (mut firsts, mut lists, mut any) = (Vec::new(), Lists::new(), Vec::new());
        index.cast_ray_batch(&self.rays, &mut firsts).unwrap();
        index.cast_ray_all_batch(&self.rays, &mut lists).unwrap();
        index.hits_any_batch(&self.rays, &mut any).unwrap();
        let mut hits = Vec::new();
        for (number, (ray, expected)) in self.rays.iter().zip(&self.hits).enumerate() {
            let one = index.cast_ray(*ray).unwrap();
            assert_hits(one.as_slice(), first(expected).as_slice(), ray);
            assert_hits(firsts[number].as_slice(), one.as_slice(), ray);
            index.cast_ray_all(*ray, &mut hits).unwrap();
            assert_hits(&hits, expected, ray);
            assert_hits(lists.get(number), expected, ray);
            assert_eq!(index.hits_any(*ray).unwrap(), !expected.is_empty(), "{ray:?}");
            assert_eq!(any[number], !expected.is_empty(), "{ray:?}");
        }

        let queries = store(&self.queries);
        let (mut casts, mut touching) = (Vec::new(), Lists::new());
        let (mut counts, mut some, mut nearest) = (Vec::new(), Vec::new(), Lists::new());
        let mut all_casts = Lists::new();
        index.cast_shape_batch(&queries, &self.moves, self.options, &mut casts).unwrap();
        index.cast_shape_all_batch(&queries, &self.moves, self.options, &mut all_casts).unwrap();
        index.overlapping_batch(&queries, &mut touching).unwrap();
        index.count_overlapping_batch(&queries, &mut counts).unwrap();
        index.any_overlapping_batch(&queries, &mut some).unwrap();
        index.k_nearest_batch(&queries, self.k, self.max_distance, &mut nearest).unwrap();
        let mut firsts_near = Vec::new();
        index.nearest_batch(&queries, self.max_distance, &mut firsts_near).unwrap();
        let (mut rows, mut near) = (Vec::new(), Vec::new());
        for (number, query) in self.queries.iter().enumerate() {
            let what = (query, self.moves[number], self.options);
            let expected = &self.casts[number];
            assert_hits(all_casts.get(number), expected, &what);
            assert_hits(casts[number].as_slice(), first(expected).as_slice(), &what);
            let expected = &self.touching[number];
            assert_eq!(touching.get(number), expected, "{query:?}");
            assert_eq!(counts[number], expected.len() as u64);
            assert_eq!(some[number].is_some(), !expected.is_empty());
            assert!(some[number].is_none_or(|row| expected.contains(&row)));
            let expected_near = &self.nearest[number];
            assert_eq!(nearest.get(number), expected_near, "{query:?}");
            assert_eq!(bytes(nearest.get(number)), bytes(expected_near), "{query:?}: zeros");
            let by = self.moves[number];
            index.cast_shape_all(query, by, self.options, &mut hits).unwrap();
            assert_hits(&hits, &self.casts[number], &what);
            let hit = index.cast_shape(query, by, self.options).unwrap();
            assert_hits(hit.as_slice(), casts[number].as_slice(), &what);
            index.overlapping(query, &mut rows).unwrap();
            assert_eq!(rows, *expected);
            assert_eq!(index.count_overlapping(query).unwrap(), expected.len() as u64);
            assert_eq!(index.any_overlapping(query).unwrap(), some[number]);
            index.k_nearest(query, self.k, self.max_distance, &mut near).unwrap();
            assert_eq!(near, *expected_near);
            let lazy = index.nearest_iter(query, self.max_distance).unwrap();
            assert!(lazy.take(self.k).eq(near.iter().copied()), "{query:?}");
            let one = index.nearest(query, self.max_distance).unwrap();
            assert!(self.k == 0 || one == expected_near.first().copied());
            assert_eq!(one, firsts_near[number], "{query:?}");
        }
        index.k_nearest_of_rows(self.k, self.max_distance, &mut nearest).unwrap();
        assert_eq!(nearest.len(), self.of_rows.len());
        for (row, expected) in self.of_rows.iter().enumerate() {
            assert_eq!(nearest.get(row), expected, "row {row}");
        }
    }
}

fn index(solids: &[PosedShape], level: SimdLevel, touching: Touching, threads: Threads) -> Index {
    let options = Options {
        simd_level: Some(level),
        touching,
        threads,
        order: Order::Sorted,
        ..Options::default()
    };
    let mut index = Index::with_options(options.into()).unwrap();
    index.rebuild(&store(solids)).unwrap();
    index
}

fn check(crowd: &Crowd, touching: Touching) {
    let solids = crowd.solids();
    let expected = Expected::new(crowd, &solids, touching);
    for &level in levels() {
        expected.check(&index(&solids, level, touching, Threads::Calling));
    }
    expected.check(&index(&solids, levels()[0], touching, Threads::Pool));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn of_all_kinds(crowd in crowds(), exclusive in any::<bool>()) {
        check(&crowd, POLICIES[usize::from(exclusive)]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 25, ..ProptestConfig::default() })]

    /// Where squares in `f32` underflow.
    #[test]
    fn of_tiny_shapes(crowd in crowds_of(&Make::ALL, 2..20), unit in -130..=-60) {
        for touching in POLICIES {
            check(&Crowd { unit, far: 0, ..crowd.clone() }, touching);
        }
    }
}
