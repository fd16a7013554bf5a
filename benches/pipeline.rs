//! The whole detection: scene × number of shapes × level, and threads.
//!
//! `cargo bench --bench pipeline`. Bodies move between the timed calls and several scenes take
//! turns, so that nothing can be learned by heart; every timed call's number of pairs is checked
//! against the scalar level's.
#![allow(missing_docs)]

use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use widephase::{
    Detector, Level, Threads,
    scene::{Scene, SceneKind},
};

/// Scenes that take turns.
const SCENES: u64 = 4;

fn pipeline(c: &mut Criterion) {
    for kind in SceneKind::STANDARD {
        let mut group = c.benchmark_group(kind.long_name());
        for len in [1_000, 10_000, 100_000] {
            group.throughput(Throughput::Elements(u64::from(len)));
            for &level in Level::available() {
                let id = BenchmarkId::new(level.name(), len);
                group.bench_function(id, |b| {
                    b.iter_custom(|rounds| timed(kind, len, level, Threads::Calling, rounds));
                });
            }
            let id = BenchmarkId::new("all-threads", len);
            group.bench_function(id, |b| {
                b.iter_custom(|rounds| timed(kind, len, Level::best(), Threads::Auto, rounds));
            });
        }
        group.finish();
    }
}

/// The time of `rounds` detections, the moving and the checking left out.
fn timed(kind: SceneKind, len: u32, level: Level, threads: Threads, rounds: u64) -> Duration {
    let mut scenes: Vec<Scene> = (0..SCENES).map(|seed| Scene::generate(kind, len, seed)).collect();
    let detector = Detector::new().threads(threads).level(level);
    let mut detector = detector.expect("the level is available");
    let mut scalar = Detector::new().level(Level::Scalar).expect("scalar runs everywhere");
    let (mut pairs, mut total) = (Vec::new(), Duration::ZERO);
    for round in 0..rounds {
        let scene = &mut scenes[(round % SCENES) as usize];
        scene.step();
        let start = Instant::now();
        detector.detect(scene.columns(), &mut pairs).expect("a scene is valid");
        total += start.elapsed();
        if round % 64 == 0 {
            let expected = scalar.count(scene.columns()).expect("a scene is valid");
            assert_eq!(pairs.len() as u64, expected);
        }
    }
    total
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(Duration::from_millis(500)).warm_up_time(Duration::from_millis(200));
    targets = pipeline
}
criterion_main!(benches);
