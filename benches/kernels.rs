//! The kernels of the narrowphase: SIMD level × pair of kinds, by pairs and row by row, where half
//! of the pairs touch. Two shapes at a time.
//!
//! `cargo bench --bench kernels`. A result is the time of one call; divide it by the number of
//! pairs. The narrowphase tests pairs whose shapes are adjacent in memory. Each bench checks the
//! expected number of hits.
#![allow(missing_docs)]

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use widephase::{
    Columns, Narrowphase, Options, Pair, Shapes, SimdLevel, Touching,
    columns::ContactColumns,
    narrowphase,
    shape::{Aabb, Capsule, Circle, Compound, ConvexPolygon, Obb, Pose, Posed, Rotation, Shape},
};

/// Pairs for the narrowphase: more than a branch predictor can learn.
const PAIRS: u32 = 8_192;

fn narrowphase_kernels(c: &mut Criterion) {
    let circle = Circle::new([0.0, 0.0], 0.7);
    let aabb = Aabb::centered([0.0, 0.0], [0.7, 0.6]);
    let turned = Obb::new([0.0, 0.0], [0.8, 0.5], Rotation::IDENTITY);
    let capsule = Capsule::new([-0.6, 0.0], [0.6, 0.0], 0.3);
    let [four, eight, many] = [4, 8, 64].map(|vertices| {
        let turn =
            |k: usize| Rotation::from_angle(k as f32 * std::f32::consts::TAU / vertices as f32);
        let corners: Vec<[f32; 2]> = (0..vertices).map(|k| turn(k).apply([0.7, 0.0])).collect();
        ConvexPolygon::new(&corners).expect("corners on a circle")
    });
    decide(c, "circle-circle", circle, circle);
    decide(c, "aabb-aabb", aabb, aabb);
    decide(c, "aabb-circle", aabb, circle);
    decide(c, "obb-circle", turned, circle);
    decide(c, "obb-obb", turned, turned);
    decide(c, "capsule-capsule", capsule, capsule);
    decide(c, "polygon4-polygon4", &four, &four);
    decide(c, "polygon8-circle", &eight, circle);
    decide(c, "polygon8-polygon8", &eight, &eight);
    decide(c, "polygon64-polygon64", &many, &many);
}

/// Pairs of two kinds in a row, at distances at which about half of them touch.
fn decide<A: Shape + Copy, B: Shape + Copy>(c: &mut Criterion, name: &str, a: A, b: B) {
    let mut group = c.benchmark_group(name);
    let (mut shapes, mut pairs) = (Shapes::new(), Vec::new());
    // These shapes, with all first shapes in one store and all second shapes in another.
    let mut sides = [Shapes::new(), Shapes::new()];
    let across: Vec<Pair> = (0..PAIRS).map(|k| Pair { a: k, b: k }).collect();
    for k in 0..PAIRS {
        let mut places = places(k);
        if name.starts_with("aabb") {
            // Shapes that cannot be rotated are only moved.
            places = places.map(|place| Pose::at(place.position()));
        }
        sides[0].push_at(a, places[0]).expect("a valid shape");
        sides[1].push_at(b, places[1]).expect("a valid shape");
        let a = shapes.push_at(a, places[0]).expect("a valid shape");
        let b = shapes.push_at(b, places[1]).expect("a valid shape");
        pairs.push(Pair { a, b });
    }
    group.throughput(Throughput::Elements(u64::from(PAIRS)));
    let mut expected = None;
    for &level in SimdLevel::available() {
        let mut narrowphase =
            Narrowphase::with_options(on(level).into()).expect("the level is available");
        let (mut found, mut contacts) = (Vec::new(), Vec::new());
        narrowphase.pairs(&shapes, &pairs, &mut found).expect("valid pairs");
        narrowphase.contacts(&shapes, &pairs, 0.0, &mut contacts).expect("valid pairs");
        let hits = *expected.get_or_insert(found.len());
        assert_eq!([found.len(), contacts.len()], [hits; 2], "{level} differs");
        let share = hits as f32 / PAIRS as f32;
        assert!((0.35..0.65).contains(&share), "{name}: {share} of the pairs touch");

        group.bench_function(BenchmarkId::new("test", level), |b| {
            b.iter(|| {
                narrowphase.pairs(&shapes, black_box(&pairs), &mut found).expect("valid pairs");
                assert_eq!(found.len(), hits);
            });
        });
        group.bench_function(BenchmarkId::new("contacts", level), |b| {
            b.iter(|| {
                let pairs = black_box(&pairs);
                narrowphase.contacts(&shapes, pairs, 0.0, &mut contacts).expect("valid pairs");
                assert_eq!(contacts.len(), hits);
            });
        });
        group.bench_function(BenchmarkId::new("test-between", level), |b| {
            b.iter(|| {
                let ([left, right], pairs) = (&sides, black_box(&across));
                narrowphase.pairs_between(left, right, pairs, &mut found).expect("valid pairs");
                assert_eq!(found.len(), hits);
            });
        });
        group.bench_function(BenchmarkId::new("contacts-between", level), |b| {
            b.iter(|| {
                let ([left, right], pairs) = (&sides, black_box(&across));
                narrowphase
                    .contacts_between(left, right, pairs, 0.0, &mut contacts)
                    .expect("valid pairs");
                assert_eq!(contacts.len(), hits);
            });
        });
        let mut mask = Vec::new();
        group.bench_function(BenchmarkId::new("rows-test", level), |b| {
            b.iter(|| {
                let ([left, right], rows) = (black_box(&sides), 0..PAIRS as usize);
                narrowphase.row_mask(left, right, rows, &mut mask).expect("valid rows");
            });
        });
        if !mask.is_empty() {
            let touching: u32 = mask.iter().map(|word| word.count_ones()).sum();
            assert_eq!(touching as usize, hits, "rows, {level} differs");
        }
        let mut columns = ContactColumns::new();
        group.bench_function(BenchmarkId::new("rows", level), |b| {
            b.iter(|| {
                let ([left, right], rows) = (black_box(&sides), 0..PAIRS as usize);
                narrowphase.row_contacts(left, right, rows, 0.0, &mut columns).expect("valid rows");
            });
        });
        if !columns.is_empty() {
            let touching = columns.count.iter().filter(|count| **count > 0).count();
            assert_eq!(touching, hits, "rows, {level} differs");
        }
    }
    group.finish();
}

/// The same pairs of axis-aligned kinds, side by side in columns.
fn rows(c: &mut Criterion) {
    let center = |which: usize, axis: usize| -> Vec<f32> {
        (0..PAIRS).map(|k| places(k)[which].position()[axis]).collect()
    };
    let columns = [0, 1].map(|which| [0, 1].map(|axis| center(which, axis)));
    let sizes = [0.7, 0.6].map(|size| vec![size; PAIRS as usize]);
    let circles = |which: usize| {
        let [x, y] = &columns[which];
        Columns::circles(x, y, &sizes[0]).expect("columns of one length")
    };
    let boxes = |which: usize| {
        let [x, y] = &columns[which];
        Columns::centered(x, y, &sizes[0], &sizes[1]).expect("columns of one length")
    };
    for (name, a, b) in [
        ("rows/circle-circle", circles(0), circles(1)),
        ("rows/aabb-aabb", boxes(0), boxes(1)),
        ("rows/aabb-circle", boxes(0), circles(1)),
    ] {
        let mut group = c.benchmark_group(name);
        group.throughput(Throughput::Elements(u64::from(PAIRS)));
        let mut expected = None;
        for &level in SimdLevel::available() {
            let mut narrowphase =
                Narrowphase::with_options(on(level).into()).expect("the level is available");
            let (mut mask, mut contacts) = (Vec::new(), ContactColumns::new());
            let rows = 0..PAIRS as usize;
            let [left, right] = [a, b].map(|side| side.check().expect("valid shapes"));
            group.bench_function(BenchmarkId::new("mask", level), |bench| {
                bench.iter(|| {
                    let [left, right] = black_box([left, right]);
                    narrowphase.row_mask(left, right, rows.clone(), &mut mask).expect("valid rows");
                });
            });
            group.bench_function(BenchmarkId::new("contacts", level), |bench| {
                bench.iter(|| {
                    let [a, b] = black_box([a, b]);
                    narrowphase
                        .row_contacts(a, b, rows.clone(), 0.0, &mut contacts)
                        .expect("a valid margin");
                });
            });
            let hits = contacts.count.iter().filter(|count| **count > 0).count();
            if !contacts.is_empty() {
                assert_eq!(*expected.get_or_insert(hits), hits, "{level} differs");
                let share = hits as f32 / PAIRS as f32;
                assert!((0.35..0.65).contains(&share), "{name}: {share} of the pairs touch");
            }
        }
        group.finish();
    }
}

/// The poses of the two shapes of pair `k`, with arbitrary rotations: at most 2.4 apart, and 8 from
/// the poses of the next pair.
fn places(k: u32) -> [Pose; 2] {
    // The golden ratio and three similar numbers: shares of a turn that never repeat.
    let share = |ratio: f32| (k as f32 * ratio).fract();
    let turn = |ratio| Rotation::from_angle(share(ratio) * std::f32::consts::TAU);
    let center = [(k % 128) as f32 * 8.0, (k / 128) as f32 * 8.0];
    let [x, y] = turn(0.618_034).apply([2.4 * share(0.754_878), 0.0]);
    [Pose::new(center, turn(0.569_84)), Pose::new([center[0] + x, center[1] + y], turn(0.324_718))]
}

/// Two shapes at a time, at the preferred SIMD level: kinds with different kernels, and compounds.
fn two_shapes(c: &mut Criterion) {
    let circle = Circle::new([0.0, 0.0], 0.7);
    let turned = Obb::new([0.0, 0.0], [0.8, 0.5], Rotation::IDENTITY);
    let corners = [[0.7, 0.0], [0.2, 0.66], [-0.57, 0.41], [-0.57, -0.41], [0.2, -0.66]];
    let polygon = ConvexPolygon::new(&corners).expect("a pentagon");
    let circles = [[0.45, 0.0], [-0.3, 0.35], [-0.2, -0.4]].map(|center| Circle::new(center, 0.35));
    let compound = Compound::new(circles).expect("valid parts");
    one_by_one(c, "circle", circle);
    one_by_one(c, "obb", turned);
    one_by_one(c, "polygon5", &polygon);
    one_by_one(c, "compound3", &compound);
}

/// Pairs of one kind, one after the other.
fn one_by_one<T: Shape + Copy>(c: &mut Criterion, name: &str, shape: T) {
    const PAIRS: u32 = 512;
    let mut group = c.benchmark_group(format!("two-shapes/{name}"));
    let solids: Vec<[Posed<'_>; 2]> =
        (0..PAIRS).map(|k| places(k).map(|place| Posed::from((&shape, place)))).collect();

    // The result of the batch form for the same pairs.
    let (mut shapes, mut pairs, mut hits) = (Shapes::new(), Vec::new(), Vec::new());
    for k in 0..PAIRS {
        let [a, b] = places(k).map(|place| shapes.push_at(shape, place).expect("a valid shape"));
        pairs.push(Pair { a, b });
    }
    Narrowphase::new().pairs(&shapes, &pairs, &mut hits).expect("valid pairs");
    let share = hits.len() as f32 / PAIRS as f32;
    assert!((0.35..0.65).contains(&share), "{name}: {share} of the pairs touch");

    group.throughput(Throughput::Elements(u64::from(PAIRS)));
    group.bench_function("test", |b| {
        b.iter(|| {
            let touch =
                |[a, b]: &&[Posed; 2]| narrowphase::touches(a, b, Touching::Inclusive).unwrap();
            assert_eq!(black_box(&solids).iter().filter(touch).count(), hits.len());
        });
    });
    group.bench_function("contact", |b| {
        b.iter(|| {
            let contacts = black_box(&solids).iter().filter_map(|[a, b]| {
                narrowphase::contact(a, b, 0.0).expect("a valid margin").map(black_box)
            });
            assert_eq!(contacts.count(), hits.len());
        });
    });
    group.finish();
}

/// The default options on this SIMD level.
fn on(level: SimdLevel) -> Options {
    Options { simd_level: Some(level), ..Options::default() }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).measurement_time(std::time::Duration::from_millis(400)).warm_up_time(std::time::Duration::from_millis(100));
    targets = narrowphase_kernels, rows, two_shapes
}
criterion_main!(benches);
