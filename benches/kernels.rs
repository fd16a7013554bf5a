//! The batch kernels: level × number of shapes × hit rate, for the four pairs of kinds.
//!
//! `cargo bench --bench kernels`. The time of one call; divide by the number of shapes for the time
//! of one test. Queries rotate among many places, so that no branch predictor learns the answers,
//! and each bench first checks the number of hits that its scene is made for.
#![allow(missing_docs)]

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use widephase::{
    Batch, Columns, Level, Shapes,
    scene::{Scene, SceneKind},
    shape::{Aabb, AxisAligned, Circle, RoundedBox},
};

/// Shapes in a row of columns: a cell's worth, a cache's worth, and more than a second-level cache.
const SIZES: [u32; 3] = [64, 4_096, 262_144];

/// Places that a query rotates among.
const PLACES: usize = 61;

/// The share of the shapes that a query of this size hits.
const HIT_RATES: [f32; 3] = [0.0, 0.05, 0.5];

/// A query of the given half size.
type Query<T> = fn([f32; 2], f32) -> T;

fn kernels(c: &mut Criterion) {
    let circle: Query<Circle> = |center, half| Circle::new(center, half);
    let rect: Query<Aabb> = |center, half| Aabb::centered(center, [half, half]);
    let rounded: Query<RoundedBox> = |center, half| {
        RoundedBox::new(Aabb::centered(center, [half / 2.0, half / 2.0]), half / 2.0)
    };
    against(c, "circle-circles", SceneKind::UniformCircles, circle);
    against(c, "circle-rects", SceneKind::UniformBoxes, circle);
    against(c, "rect-rects", SceneKind::UniformBoxes, rect);
    against(c, "rounded-mixed", SceneKind::MixedCirclesBoxes, rounded);
}

/// One shape against columns, to indices.
fn against<T: AxisAligned>(c: &mut Criterion, name: &str, kind: SceneKind, query: Query<T>) {
    let mut group = c.benchmark_group(name);
    for size in SIZES {
        let scene = Scene::generate(kind, size, 1);
        let shapes = Shapes::from_columns(scene.columns()).expect("a scene is valid");
        let columns: Columns<'_> = (&shapes).into();
        let checked = columns.check().expect("a scene is valid");
        for rate in HIT_RATES {
            // A square of this half size, in the inner half of the world, covers `rate` of it; one
            // that is to hit nothing is outside.
            let half = scene.half_world() * rate.sqrt();
            let queries: Vec<T> = (0..PLACES)
                .map(|k| {
                    let along = (k as f32 / PLACES as f32 - 0.5) * (scene.half_world() - half);
                    let away = if rate == 0.0 { 8.0 * scene.half_world() } else { 0.0 };
                    query([along + away, -along], half)
                })
                .collect();
            group.throughput(Throughput::Elements(u64::from(size)));
            let mut expected = None;
            for &level in Level::available() {
                let batch = Batch::on(level).expect("the level is available");
                let counts: Vec<usize> = queries
                    .iter()
                    .map(|&query| batch.one_count(query, &checked).expect("a valid query"))
                    .collect();
                let hits: usize = counts.iter().sum();
                assert_eq!(*expected.get_or_insert(hits), hits, "{level} differs");
                let share = hits as f32 / (PLACES as f32 * size as f32);
                assert!((share - rate).abs() < 0.3 * rate + 0.1, "hit rate {share}, not {rate}");

                let id = BenchmarkId::new(format!("{level}/hits-{rate}"), size);
                let (mut indices, mut turn) = (Vec::new(), 0);
                group.bench_function(id, |b| {
                    b.iter(|| {
                        turn = (turn + 1) % PLACES;
                        let query = black_box(queries[turn]);
                        batch.one_indices(query, &checked, &mut indices).expect("a valid query");
                        assert_eq!(indices.len(), counts[turn]);
                    });
                });
            }
        }
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).measurement_time(std::time::Duration::from_millis(400)).warm_up_time(std::time::Duration::from_millis(100));
    targets = kernels
}
criterion_main!(benches);
