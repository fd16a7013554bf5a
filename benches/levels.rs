//! Steps of worlds with a level: a cave, tiles with doors and coins, a pit, a map with rays.
//!
//! `cargo bench --bench levels --features outlines`. Each step moves the movers, changes other
//! bodies of the level, finds pairs, contacts and events, and casts the rays of the step. The time
//! is of the whole step without the work of the level itself.
#![allow(missing_docs)]

#[path = "../crates/scenes/level_world.rs"]
mod level_world;

use std::{hint::black_box, time::Duration};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use widephase::{Options, Threads};
use widephase_scenes::LevelKind;

use level_world::LevelWorld;

fn levels(c: &mut Criterion) {
    let mut group = c.benchmark_group("levels");
    for kind in LevelKind::ALL {
        let movers = kind.movers();
        group.throughput(Throughput::Elements(movers.into()));
        let mut made = None;
        group.bench_function(BenchmarkId::from_parameter(kind.name()), |b| {
            let level = made.get_or_insert_with(|| {
                let options = Options { threads: Threads::Calling, ..Options::default() };
                let mut level =
                    LevelWorld::new(kind, movers, 1, options).expect("a level is valid");
                // The first step sorts all bodies.
                level.world.step().expect("a level is valid");
                level
            });
            b.iter_custom(|rounds| {
                let mut total = Duration::ZERO;
                for _ in 0..rounds {
                    level.prepare();
                    let start = std::time::Instant::now();
                    level.step().expect("a level is valid");
                    black_box(level.world.last_step().contacts());
                    total += start.elapsed();
                }
                total
            });
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).measurement_time(Duration::from_secs(1)).warm_up_time(Duration::from_millis(300));
    targets = levels
}
criterion_main!(benches);
