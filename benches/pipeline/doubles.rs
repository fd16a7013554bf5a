//! Shapes of `f64` beside the same ones of `f32`.

use criterion::{BenchmarkId, Criterion, Throughput};
use widephase::{
    Options, Pair, SimdLevel, Threads,
    doubles::{DoubleColumns, DoubleDetector},
};

use crate::{
    scene::SceneKind,
    scenes::Moving,
    turn::{Turn, bench},
};

/// Pairs of circles and of boxes: of `f32`, and of `f64` far from zero.
pub(crate) fn doubles(c: &mut Criterion) {
    let mut group = c.benchmark_group("doubles");
    for len in [100_000, 1_000_000] {
        group.throughput(Throughput::Elements(len.into()));
        for kind in [SceneKind::UniformCircles, SceneKind::UniformBoxes] {
            for wide in [false, true] {
                let name = format!("{kind} {}", if wide { "f64" } else { "f32" });
                let id = BenchmarkId::new(name, len);
                bench(&mut group, id, || Wide::new(kind, len, wide));
            }
        }
    }
    group.finish();
}

/// What is added to the coordinates: metres of a map.
const ORIGIN: [f64; 2] = [500_000.0, 4_500_000.0];

/// Moving shapes, as `f32` and as `f64`.
struct Wide {
    moving: Moving,
    round: bool,
    /// The sides; of circles, the centres and the radii.
    columns: [Vec<f64>; 4],
    detector: DoubleDetector,
    pairs: Vec<Pair>,
    wide: bool,
}

impl Wide {
    fn new(kind: SceneKind, len: u32, wide: bool) -> Self {
        let mut moving = Moving::new(kind, len, SimdLevel::best(), Threads::Calling);
        moving.scenes.truncate(1);
        let options = Options { threads: Threads::Calling, ..Options::default() };
        let detector = DoubleDetector::with_options(options).expect("the level is available");
        let round = kind == SceneKind::UniformCircles;
        Self { moving, round, columns: Default::default(), detector, pairs: Vec::new(), wide }
    }
}

impl Turn for Wide {
    fn step(&mut self) {
        self.moving.step();
        let [a, b, c, d] = &mut self.columns;
        for column in [&mut *a, b, c, d] {
            column.clear();
        }
        for body in self.moving.scenes[0].rounded_boxes() {
            let [x, y] = [ORIGIN[0] + f64::from(body.min_x), ORIGIN[1] + f64::from(body.min_y)];
            a.push(x);
            b.push(y);
            let right = ORIGIN[0] + f64::from(body.max_x);
            c.push(if self.round { f64::from(body.radius) } else { right });
            d.push(ORIGIN[1] + f64::from(body.max_y));
        }
    }

    fn detect(&mut self) -> u64 {
        if !self.wide {
            return self.moving.detect();
        }
        let [a, b, c, d] = &self.columns;
        let columns = match self.round {
            true => DoubleColumns::circles(a, b, c),
            false => DoubleColumns::aabbs(a, b, c, d),
        };
        let columns = columns.expect("columns of one length");
        self.detector.pairs(columns, &mut self.pairs).expect("a scene is valid");
        self.pairs.len() as u64
    }

    fn expected(&mut self) -> u64 {
        // Rounded to `f32`, the scene has as many pairs, or some that touch within a rounding.
        if self.wide { self.pairs.len() as u64 } else { self.moving.expected() }
    }
}
