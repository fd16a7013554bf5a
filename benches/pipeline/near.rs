//! Neighbour lists and nearest points.

use criterion::{BenchmarkId, Criterion, Throughput};
use widephase::{
    Adjacency, Columns, Detector, Index, Lists, Neighbor, Options, Queries, Shapes, SimdLevel,
    Threads, shape::Segment,
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

/// The nearest shape and the 8 nearest shapes of 1,000 points among 100,000 points in a square, and
/// where a search that walks cells is slow; and the 8 nearest of each of 20,000 points in a square
/// and on a line. On one thread. Compare the cases with the first case.
pub(crate) fn nearest(c: &mut Criterion) {
    let mut group = c.benchmark_group("nearest");
    group.throughput(Throughput::Elements(1_000));
    for (name, make) in CASES {
        for k in [1, 8] {
            bench(&mut group, BenchmarkId::new(name, k), || {
                let (index, queries) = make();
                Nearest { index, queries: Some(queries), k, lists: Lists::new() }
            });
        }
    }
    let len = 20_000;
    group.throughput(Throughput::Elements(len));
    for (name, points) in [("square", square(len as u32)), ("line", line())] {
        bench(&mut group, BenchmarkId::new("rows", name), || Nearest {
            index: of_points(&points),
            queries: None,
            k: 8,
            lists: Lists::new(),
        });
    }
    group.finish();
}

/// Shapes, and points whose nearest shapes are wanted.
type Case = (Index, [Vec<f32>; 2]);
type MakeCase = fn() -> Case;

/// Cases that the search may find hard.
const CASES: [(&str, MakeCase); 13] = [
    ("among", || from(0.0)),
    ("among circles of many sizes", || {
        let scene = Scene::generate(SceneKind::PowerLawCircles, 100_000, 1);
        let half = scene.half_world();
        let places = [0.754_877_7, 0.569_840_3_f32].map(|step| {
            (0..1_000).map(|row| half * (2.0 * (row as f32 * step).fract() - 1.0)).collect()
        });
        (of(scene.columns()), places)
    }),
    ("10^3 away", || from(1e3)),
    ("10^6 away", || from(1e6)),
    ("10^9 away", || from(1e9)),
    ("on a line", || (of_points(&line()), line().map(|at| at[..1_000].to_vec()))),
    ("beside a line", || (of_points(&line()), [vec![700.0; 1_000], random()[1].clone()])),
    ("beside one place", || (of_points(&[vec![3.0; 20_000], vec![3.0; 20_000]]), random())),
    ("in two clusters", || (of_points(&clusters()), random())),
    ("between two clusters", || {
        let [_, y] = random();
        (of_points(&clusters()), [vec![4e5; 1_000], y])
    }),
    ("distances from 1 to 2^-40", || {
        let x = (0..20_000).map(|row| (-(row as f32) / 500.0).exp2()).collect();
        (of_points(&[x, vec![0.0; 20_000]]), [vec![0.0; 1_000], vec![0.0; 1_000]])
    }),
    ("among segments", || {
        let [x, y] = square(100_000);
        let segments: Vec<Segment> = (0_u32..)
            .zip(x.into_iter().zip(y))
            .map(|(row, at)| {
                let (sin, cos) = (row as f32).sin_cos();
                Segment::new([at.0, at.1], [at.0 + cos, at.1 + sin])
            })
            .collect();
        (of_segments(&segments), random())
    }),
    ("above a floor of segments", || {
        let floor: Vec<Segment> = (0..20_000)
            .map(|row| Segment::new([row as f32, 0.0], [row as f32 + 1.0, 0.0]))
            .collect();
        let [x, y] = random();
        (of_segments(&floor), [x, y.iter().map(|y| y * 0.01).collect()])
    }),
];

/// A thousand points, this far from 100,000 other points.
fn from(far: f32) -> Case {
    let [x, y] = random();
    (of_points(&square(100_000)), [x.iter().map(|x| x + far).collect(), y])
}

/// A thousand points in the square of 100,000.
fn random() -> [Vec<f32>; 2] {
    let scene = Scene::generate(SceneKind::UniformCircles, 100_000, 2);
    let Circles([x, y, _]) = Circles::of(&scene);
    [x, y].map(|at| at[..1_000].to_vec())
}

/// Points on a line along an axis.
fn line() -> [Vec<f32>; 2] {
    [vec![5.0; 20_000], (0..20_000).map(|row| row as f32).collect()]
}

/// Points of which half are moved by 10^6.
fn clusters() -> [Vec<f32>; 2] {
    let [mut x, y] = square(100_000);
    for x in x.iter_mut().step_by(2) {
        *x += 1e6;
    }
    [x, y]
}

fn of_points([x, y]: &[Vec<f32>; 2]) -> Index {
    of(Columns::points(x, y).expect("columns of one length"))
}

fn of_segments(segments: &[Segment]) -> Index {
    let shapes = Shapes::from_slice(segments).expect("valid segments");
    of(shapes.columns())
}

fn of(shapes: Columns<'_>) -> Index {
    let options = Options { threads: Threads::Calling, ..Options::default() };
    let mut index = Index::with_options(options.into()).expect("the level is available");
    index.rebuild(shapes).expect("valid shapes");
    index
}

/// Points in a square, about one in each unit of area.
fn square(len: u32) -> [Vec<f32>; 2] {
    let scene = Scene::generate(SceneKind::UniformCircles, len, 1);
    let Circles([x, y, _]) = Circles::of(&scene);
    [x, y]
}

/// A search for nearest shapes.
struct Nearest {
    index: Index,
    /// Points whose nearest shapes are requested, or `None` for the nearest of each row.
    queries: Option<[Vec<f32>; 2]>,
    k: usize,
    lists: Lists<Neighbor>,
}

impl Turn for Nearest {
    fn step(&mut self) {
        for at in self.queries.iter_mut().flatten().flatten() {
            *at *= 1.0 + 1.0 / (1 << 20) as f32;
        }
    }

    fn detect(&mut self) -> u64 {
        let Self { index, queries, k, lists } = self;
        match queries {
            Some([x, y]) => {
                let points = Columns::points(x, y).expect("columns of one length");
                index.k_nearest_batch(points, *k, f32::INFINITY, lists).expect("valid points");
            }
            None => index.k_nearest_of_rows(*k, f32::INFINITY, lists).expect("a distance"),
        }
        lists.items().len() as u64
    }

    fn expected(&mut self) -> u64 {
        (self.lists.len() * self.k) as u64
    }
}

/// The content of the lists of a benchmark.
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
