//! Neighbour lists and nearest points.

use criterion::{BenchmarkId, Criterion, Throughput};
use widephase::{
    Adjacency, Columns, Detector, Index, Lists, Neighbor, Options, Queries, SimdLevel, Threads,
};

use crate::{
    scene::{Scene, SceneKind},
    turn::{Circles, Turn, bench},
};

/// Neighbour lists of 100,000 points in random order, with about 2 and 20 neighbours each, at all
/// SIMD levels and on one thread: full, half, and with distances.
pub(crate) fn neighbors(c: &mut Criterion) {
    let mut group = c.benchmark_group("neighbors");
    let len = 100_000;
    group.throughput(Throughput::Elements(u64::from(len)));
    for (count, form) in [2, 20]
        .into_iter()
        .flat_map(|count| [Form::Full, Form::Half, Form::Distances].map(|form| (count, form)))
    {
        for &level in SimdLevel::available() {
            let id = BenchmarkId::new(format!("{count} {form:?}"), level);
            bench(&mut group, id, || Neighborhoods::new(len, count, form, level));
        }
    }
    group.finish();
}

/// The 8 nearest points of 1,000 points among and far from 100,000 others, and of each of 20,000
/// points in a square and on a line along an axis; on one thread. The far points and the line are
/// the bad cases of the search (docs/faq.md).
pub(crate) fn nearest(c: &mut Criterion) {
    let mut group = c.benchmark_group("nearest");
    group.throughput(Throughput::Elements(1_000));
    for (name, far) in [("among", 0.0), ("from afar", 1e6)] {
        bench(&mut group, BenchmarkId::from_parameter(name), || {
            Nearest::new(square(100_000), Some(far))
        });
    }
    let len = 20_000;
    group.throughput(Throughput::Elements(len));
    let line = [vec![5.0; len as usize], (0..len).map(|row| row as f32).collect()];
    for (name, points) in [("rows, square", square(len as u32)), ("rows, line", line)] {
        bench(&mut group, BenchmarkId::from_parameter(name), || Nearest::new(points.clone(), None));
    }
    group.finish();
}

/// Points in a square, about one in each unit of area.
fn square(len: u32) -> [Vec<f32>; 2] {
    let scene = Scene::generate(SceneKind::UniformCircles, len, 1);
    let Circles([x, y, _]) = Circles::of(&scene);
    [x, y]
}

/// The nearest points of points.
struct Nearest {
    index: Index,
    /// Points of which the nearest ones are requested, or none for those of each row.
    queries: Option<[Vec<f32>; 2]>,
    lists: Lists<Neighbor>,
}

impl Nearest {
    const COUNT: usize = 8;

    /// With `far`, for a thousand points that are as far as that from the others.
    fn new([x, y]: [Vec<f32>; 2], far: Option<f32>) -> Self {
        let queries =
            far.map(|far| [&x, &y].map(|at| at[..1_000].iter().map(|v| v + far).collect()));
        let options = Options { threads: Threads::Calling, ..Options::default() };
        let mut index = Index::with_options(options.into()).expect("the level is available");
        index
            .rebuild(Columns::points(&x, &y).expect("columns of one length"))
            .expect("valid points");
        Self { index, queries, lists: Lists::new() }
    }
}

impl Turn for Nearest {
    fn step(&mut self) {
        for at in self.queries.iter_mut().flatten().flatten() {
            *at += 0.125;
        }
    }

    fn detect(&mut self) -> u64 {
        let Self { index, queries, lists } = self;
        match queries {
            Some([x, y]) => {
                let points = Columns::points(x, y).expect("columns of one length");
                index
                    .k_nearest_batch(points, Self::COUNT, f32::INFINITY, lists)
                    .expect("valid points");
            }
            None => index.k_nearest_of_rows(Self::COUNT, f32::INFINITY, lists).expect("a distance"),
        }
        lists.items().len() as u64
    }

    fn expected(&mut self) -> u64 {
        (self.lists.len() * Self::COUNT) as u64
    }
}

/// What the lists of a benchmark hold.
#[derive(Debug, Clone, Copy)]
enum Form {
    Full,
    Half,
    Distances,
}

/// Points that move to and fro.
struct Neighborhoods {
    home: [Vec<f32>; 2],
    columns: [Vec<f32>; 2],
    turn: u32,
    distance: f32,
    form: Form,
    detector: Detector,
    scalar: Detector,
    lists: Lists<u32>,
    distances: Lists<widephase::Neighbor>,
}

impl Neighborhoods {
    fn new(len: u32, count: u32, form: Form, level: SimdLevel) -> Self {
        let scene = Scene::generate(SceneKind::UniformCircles, len, 1);
        let side = 2.0 * scene.half_world();
        let home = [0, 1].map(|axis: usize| {
            let step = [0.754_877_7, 0.569_840_3][axis];
            // A low-discrepancy sequence: even, and in no order.
            (0..len).map(|row| (f64::from(row) * step).fract() as f32 * side).collect()
        });
        let density = len as f32 / (side * side);
        let distance = (count as f32 / (density * std::f32::consts::PI)).sqrt();
        let detector = |simd_level| {
            let (simd_level, threads) = (Some(simd_level), Threads::Calling);
            Detector::with_options(Options { simd_level, threads, ..Options::default() }).unwrap()
        };
        Self {
            columns: home.clone(),
            home,
            turn: 0,
            distance,
            form,
            detector: detector(level),
            scalar: detector(SimdLevel::Scalar),
            lists: Lists::new(),
            distances: Lists::new(),
        }
    }
}

impl Turn for Neighborhoods {
    fn step(&mut self) {
        self.turn += 1;
        for (axis, (column, home)) in self.columns.iter_mut().zip(&self.home).enumerate() {
            for (row, (at, home)) in (0_u32..).zip(column.iter_mut().zip(home)) {
                let phase = row.wrapping_mul(0x9E37_79B9 + axis as u32).wrapping_add(self.turn);
                *at = home + self.distance * ((phase >> 3 & 255) as f32 / 255.0 - 0.5);
            }
        }
    }

    fn detect(&mut self) -> u64 {
        let Self { columns: [x, y], distance, detector, lists, distances, .. } = self;
        let points = Columns::points(x, y).unwrap();
        let (items, halves) = match self.form {
            Form::Full => {
                detector.neighbors(points, *distance, Adjacency::Full, lists).unwrap();
                (lists.items().len(), 2)
            }
            Form::Half => {
                detector.neighbors(points, *distance, Adjacency::Half, lists).unwrap();
                (lists.items().len(), 1)
            }
            Form::Distances => {
                let full = Adjacency::Full;
                detector.neighbor_distances(points, *distance, full, distances).unwrap();
                (distances.items().len(), 2)
            }
        };
        items as u64 / halves
    }

    fn expected(&mut self) -> u64 {
        let Self { columns: [x, y], distance, scalar, .. } = self;
        let radius = vec![*distance * 0.5; x.len()];
        scalar.count(Columns::circles(x, y, &radius).unwrap()).unwrap()
    }
}
