//! The work of a benchmark, step by step; circles in columns.

use std::time::{Duration, Instant};

use criterion::BenchmarkId;
use widephase::{Columns, Detector, Options, SimdLevel, Threads};

use crate::scene::Scene;

/// A benchmark that is timed step by step.
pub(crate) trait Turn {
    /// Moves the bodies.
    fn step(&mut self);
    /// The timed call. Returns the number of pairs.
    fn detect(&mut self) -> u64;
    /// The correct number of pairs.
    fn expected(&mut self) -> u64;
}

pub(crate) type Group<'a> = criterion::BenchmarkGroup<'a, criterion::measurement::WallTime>;

/// Times the steps of the value from `make`, which is only made if the benchmark is selected.
pub(crate) fn bench<T: Turn>(group: &mut Group<'_>, id: BenchmarkId, make: impl Fn() -> T) {
    let (mut made, mut turns) = (None, 0_u64);
    group.bench_function(id, |b| {
        let turn = made.get_or_insert_with(&make);
        b.iter_custom(|rounds| {
            let mut total = Duration::ZERO;
            for _ in 0..rounds {
                turn.step();
                let start = Instant::now();
                let pairs = turn.detect();
                total += start.elapsed();
                if turns.is_multiple_of(64) {
                    assert_eq!(pairs, turn.expected());
                }
                turns += 1;
            }
            total
        });
    });
}

/// Centres and radii.
#[derive(Clone, Default)]
pub(crate) struct Circles(pub(crate) [Vec<f32>; 3]);

impl Circles {
    /// The circles of `scene`.
    pub(crate) fn of(scene: &Scene) -> Self {
        let mut circles = Self::default();
        for body in scene.rounded_boxes() {
            circles.push([body.min_x, body.min_y, body.radius]);
        }
        circles
    }

    pub(crate) fn clear(&mut self) {
        for column in &mut self.0 {
            column.clear();
        }
    }

    pub(crate) fn push(&mut self, circle: [f32; 3]) {
        for (column, value) in self.0.iter_mut().zip(circle) {
            column.push(value);
        }
    }

    /// The circles of `scene`, with their positions in `first` multiplied by `factor`. They move no
    /// faster than in `scene`.
    pub(crate) fn spread(&mut self, scene: &Scene, first: &Self, factor: f32) {
        self.clear();
        let Circles([x, y, _]) = first;
        for (body, home) in scene.rounded_boxes().iter().zip(x.iter().zip(y)) {
            let place = [(body.min_x, home.0), (body.min_y, home.1)];
            let [x, y] = place.map(|(now, first)| now + (factor - 1.0) * first);
            self.push([x, y, body.radius]);
        }
    }

    pub(crate) fn columns(&self) -> Columns<'_> {
        let Circles([x, y, radius]) = self;
        Columns::circles(x, y, radius).expect("columns of one length")
    }
}

pub(crate) fn detector(level: SimdLevel, threads: Threads) -> Detector {
    let options = Options { simd_level: Some(level), threads, ..Options::default() };
    Detector::with_options(options).expect("the level is available")
}
