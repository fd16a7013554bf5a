//! Shapes of `f64` beside the same shapes of `f32`.

use criterion::{BenchmarkId, Criterion, Throughput};
use widephase::{
    Columns, Options, SimdLevel, Threads,
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
                let call = WideCall { kind, len, pairs: 1.0, count: false, wide };
                bench(&mut group, id, || Wide::new(call));
            }
        }
    }
    group.finish();
}

/// An offset of the coordinates: metres of a map.
const ORIGIN: [f64; 2] = [500_000.0, 4_500_000.0];

/// Moving shapes, as `f32` and as `f64`.
pub(crate) struct Wide {
    moving: Moving,
    round: bool,
    /// The factor of the sizes of the scene.
    scale: f32,
    /// The sides; of circles, the centres and the radii.
    single: [Vec<f32>; 4],
    double: [Vec<f64>; 4],
    detector: DoubleDetector,
    call: WideCall,
    found: u64,
}

/// The timed call of a [`Wide`].
#[derive(Clone, Copy)]
pub(crate) struct WideCall {
    pub(crate) kind: SceneKind,
    pub(crate) len: u32,
    /// Pairs for each body.
    pub(crate) pairs: f64,
    /// Whether the pairs are counted, not listed.
    pub(crate) count: bool,
    /// Whether the shapes are of `f64`.
    pub(crate) wide: bool,
}

impl Wide {
    pub(crate) fn new(call: WideCall) -> Self {
        let WideCall { kind, len, pairs, .. } = call;
        let mut moving = Moving::new(kind, len, SimdLevel::best(), Threads::Calling);
        moving.scenes.truncate(1);
        let options = Options { threads: Threads::Calling, ..Options::default() };
        let detector = DoubleDetector::with_options(options).expect("the level is available");
        let round = kind == SceneKind::UniformCircles;
        // As many pairs as the area of a shape allows, around its centre.
        let scale = (pairs * f64::from(len) / kind.expected_pairs(len)).sqrt() as f32;
        let (single, double) = Default::default();
        Self { moving, round, scale, single, double, detector, call, found: 0 }
    }

    fn columns(&self) -> Columns<'_> {
        let [a, b, c, d] = &self.single;
        let columns =
            if self.round { Columns::circles(a, b, c) } else { Columns::aabbs(a, b, c, d) };
        columns.expect("columns of one length")
    }

    fn doubles(&self) -> DoubleColumns<'_> {
        let [a, b, c, d] = &self.double;
        let columns = match self.round {
            true => DoubleColumns::circles(a, b, c),
            false => DoubleColumns::aabbs(a, b, c, d),
        };
        columns.expect("columns of one length")
    }
}

impl Turn for Wide {
    fn step(&mut self) {
        self.moving.step();
        for (single, double) in self.single.iter_mut().zip(&mut self.double) {
            single.clear();
            double.clear();
        }
        for body in self.moving.scenes[0].rounded_boxes() {
            let center = [body.min_x + body.max_x, body.min_y + body.max_y].map(|sum| sum * 0.5);
            let size = [body.max_x - body.min_x, body.max_y - body.min_y];
            let [x, y] = size.map(|size| size * 0.5 * self.scale);
            let mut row = [center[0] - x, center[1] - y, center[0] + x, center[1] + y];
            let mut origin = [ORIGIN[0], ORIGIN[1], ORIGIN[0], ORIGIN[1]];
            if self.round {
                (row[2], origin[2]) = (body.radius * self.scale, 0.0);
            }
            for (at, (value, origin)) in row.into_iter().zip(origin).enumerate() {
                self.single[at].push(value);
                self.double[at].push(origin + f64::from(value));
            }
        }
    }

    fn detect(&mut self) -> u64 {
        let mut pairs = std::mem::take(&mut self.moving.pairs);
        let WideCall { count, wide, .. } = self.call;
        let found = if wide {
            let mut detector = std::mem::take(&mut self.detector);
            let found = match count {
                true => detector.count(self.doubles()),
                false => {
                    let listed = detector.pairs(self.doubles(), &mut pairs);
                    listed.map(|()| pairs.len() as u64)
                }
            };
            self.detector = detector;
            found
        } else {
            let mut detector = std::mem::take(&mut self.moving.detector);
            let found = match count {
                true => detector.count(self.columns()),
                false => {
                    let listed = detector.pairs(self.columns(), &mut pairs);
                    listed.map(|()| pairs.len() as u64)
                }
            };
            self.moving.detector = detector;
            found
        };
        self.moving.pairs = pairs;
        self.found = found.expect("a scene is valid");
        self.found
    }

    fn expected(&mut self) -> u64 {
        let mut scalar = std::mem::take(&mut self.moving.scalar);
        let singles = scalar.count(self.columns()).expect("a scene is valid");
        self.moving.scalar = scalar;
        // Rounded to `f32`, the scene has as many pairs, or some pairs more that touch within a
        // rounding.
        let near = self.found.abs_diff(singles) * 1000 <= singles;
        if self.call.wide && near { self.found } else { singles }
    }
}
