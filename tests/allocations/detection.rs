//! Detections: of columns and stores, with an index, neighbour lists, displacements.

use crate::{
    counting::alone,
    moving::{Moving, STEPS, allocations, steady, steady_in_all, turning},
};
use common::{
    Rng, at_every_level,
    crowd::Make,
    scene::{Scene, SceneKind},
    side,
};
use widephase::{
    Adjacency, Contact, Detector, Displacements, Index, Islands, Lists, Narrowphase,
    NarrowphaseOptions, Options, Order, Pair, Shapes, SimdLevel, Threads, adjacency,
    columns::ContactColumns,
    doubles::{DoubleColumns, DoubleDetector},
    options::CellSize,
    shape::{Aabb, Circle, Kind, Obb, OwnedShape, Pose, Rotation, RoundedBox},
};

at_every_level!(a_detection_on_one_thread);

fn a_detection_on_one_thread(level: SimdLevel) {
    let _turn = alone();
    for n in [100, 3000, 20_000] {
        for order in [Order::Grid, Order::Sorted] {
            let new = || {
                let mut detector = Detector::with_options(Options {
                    simd_level: Some(level),
                    ..Options::default()
                })
                .unwrap();
                let options = Options {
                    order,
                    threads: Threads::Calling,
                    // To measure phases allocates nothing, either.
                    timings: order == Order::Sorted,
                    ..*detector.options()
                };
                detector.set_options(options).unwrap();
                detector
            };
            let (mut detector, mut pairs) = (new(), Vec::new());
            let list = steady_in_all(n, |columns| {
                detector.pairs(columns, &mut pairs).unwrap();
                pairs.len() as u64
            });
            assert_eq!(list, 0, "detect, {level}, {n} bodies, {order:?}");
            if order == Order::Sorted {
                continue;
            }
            let mut detector = new();
            let count = steady_in_all(n, |columns| detector.count(columns).unwrap());
            assert_eq!(count, 0, "count, {level}, {n} bodies");
            let mut detector = new();
            let mut sum = 0;
            let each = steady_in_all(n, |columns| {
                detector.for_each_pair(columns, |pair| sum += u64::from(pair.b)).unwrap()
            });
            assert_eq!(each, 0, "for_each, {level}, {n} bodies");
        }
    }
}

/// A store with vacant rows whose shapes are moved in bulk.
#[test]
fn a_store_that_moves() {
    let _turn = alone();
    let n = 5000;
    let mut rng = Rng::new(3);
    let mut shapes = Shapes::new();
    let s = side(n);
    for i in 0..n {
        let at = [rng.range(0.0, s), rng.range(0.0, s)];
        match i % 10 {
            0 => {
                let bad = Circle { x: 0.0, y: 0.0, radius: f32::NAN };
                shapes.extend_from_slice_lenient(&[bad]).unwrap();
            }
            1..5 => drop(shapes.push(Circle::new(at, 0.5)).unwrap()),
            5..9 => drop(shapes.push(Aabb::centered(at, [0.5, 0.25])).unwrap()),
            _ => drop(shapes.push(RoundedBox::new(Aabb::new(at, at), 0.5)).unwrap()),
        }
    }
    let (mut dx, mut dy) = (vec![0.0; n], vec![0.0; n]);
    let mut detector =
        Detector::with_options(Options { threads: Threads::Calling, ..Options::default() })
            .unwrap();
    let mut pairs: Vec<Pair> = Vec::new();
    let mut total = 0;
    for step in 0..STEPS[0] + STEPS[1] {
        dx.fill_with(|| rng.range(-0.1, 0.1));
        dy.fill_with(|| rng.range(-0.1, 0.1));
        let calls = allocations(|| {
            shapes.translate(&dx, &dy).unwrap();
            shapes.set(0, Circle::new([dx[0], dy[0]], 0.5)).unwrap();
            detector.pairs(&shapes, &mut pairs).unwrap();
        });
        total += if step < STEPS[0] { 0 } else { calls };
    }
    assert_eq!(total, 0);
    // Cleared and filled again, a store has its memory still.
    let records = vec![Circle::new([1.0, 1.0], 0.5); n];
    shapes.clear();
    assert_eq!(allocations(|| shapes.extend_from_slice(&records).unwrap()), 0);
}

/// Bodies that drift apart: the grid gets a few cells more every other step.
#[test]
fn a_scene_that_spreads() {
    let _turn = alone();
    let n = 9000;
    let mut bodies = Moving::new(n);
    let mut detector = Detector::with_options(Options {
        threads: Threads::Calling,
        cell_size: CellSize::Fixed(1.0),
        ..Options::default()
    })
    .unwrap();
    let mut pairs = Vec::new();
    let mut total = 0;
    for step in 0..STEPS[0] + STEPS[1] {
        for value in bodies.x.iter_mut().chain(&mut bodies.y) {
            *value *= 1.001;
        }
        let calls = allocations(|| detector.pairs(bodies.forms()[0], &mut pairs).unwrap());
        total += if step < STEPS[0] { 0 } else { calls };
    }
    assert_eq!(total, 0);
}

at_every_level!(rows_of_columns_reuse_their_memory);

fn rows_of_columns_reuse_their_memory(level: SimdLevel) {
    let _turn = alone();
    let mut narrowphase = Narrowphase::with_options(NarrowphaseOptions {
        simd_level: Some(level),
        ..NarrowphaseOptions::default()
    })
    .unwrap();
    let (mut mask, mut contacts) = (Vec::new(), ContactColumns::new());
    let calls = steady(10_000, |columns| {
        let columns = columns.check().unwrap();
        let rows = 0..columns.len();
        narrowphase.row_mask(columns, columns, rows.clone(), &mut mask).unwrap();
        narrowphase.row_contacts(columns, columns, rows, 0.0, &mut contacts).unwrap();
        mask.iter().map(|word| u64::from(word.count_ones())).sum()
    });
    assert_eq!(calls, 0, "{level}");
}

at_every_level!(a_store_that_turns);

/// Shapes of all kinds, rotated where they can be, with a vacant row, and another shape in one row
/// at every step.
fn a_store_that_turns(level: SimdLevel) {
    let _turn = alone();
    let n = 1500;
    let s = side(n);
    let mut rng = Rng::new(4);
    let mut shapes = turning(n, &Make::ALL);
    shapes.remove(7).unwrap();
    // Axis-aligned boxes take no rotation.
    let boxes = [Some(Kind::Aabb), Some(Kind::RoundedBox)];
    let upright: Vec<bool> = (0..n as u32).map(|row| boxes.contains(&shapes.kind(row))).collect();
    let pose_for = |row: usize, pose: Pose| match upright[row] {
        true => Pose::at(pose.position()),
        false => pose,
    };
    let mut poses = vec![Pose::default(); n];
    let (mut dx, mut dy) = (vec![0.0; n], vec![0.0; n]);
    let mut detector = Detector::with_options(Options {
        simd_level: Some(level),
        threads: Threads::Calling,
        ..Options::default()
    })
    .unwrap();
    let mut pairs: Vec<Pair> = Vec::with_capacity(8 * n);
    let mut contacts: Vec<Contact> = Vec::with_capacity(16 * n);
    let mut columns = ContactColumns::new();
    columns.fill(&vec![Contact::default(); 16 * n]);
    let (mut total, mut found) = (0, 0);
    for step in 0..STEPS[0] + STEPS[1] {
        for (row, pose) in poses.iter_mut().enumerate() {
            let place = [rng.range(0.0, s), rng.range(0.0, s)];
            let turn = Rotation::from_angle(rng.range(-3.0, 3.0));
            *pose = pose_for(row, Pose::new(place, turn));
        }
        dx.fill_with(|| rng.range(-0.1, 0.1));
        dy.fill_with(|| rng.range(-0.1, 0.1));
        let calls = allocations(|| {
            shapes.set_poses(&poses).unwrap();
            shapes.translate(&dx, &dy).unwrap();
            for row in (0..n).step_by(5) {
                if row != 7 {
                    shapes.set_pose(row as u32, pose_for(row, poses[n - 1 - row])).unwrap();
                }
            }
            // Shapes without vertices and parts: vertices and parts are appended, until gaps are
            // worth closing.
            let other: OwnedShape = if step % 2 == 0 {
                Circle::new([dx[0], dy[0]], 0.5).into()
            } else {
                Obb::new([dx[0], dy[0]], [0.5, 0.25], poses[0].rotation()).into()
            };
            shapes.set(0, &other).unwrap();
            detector.pairs(&shapes, &mut pairs).unwrap();
            detector.contacts(&shapes, 0.0, &mut contacts).unwrap();
            columns.fill(&contacts);
            found += columns.len();
        });
        total += if step < STEPS[0] { 0 } else { calls };
    }
    assert!(found > n * STEPS[1], "{level}: {found} contacts prove little");
    assert_eq!(total, 0, "{level}");
}

at_every_level!(against_static_shapes);

/// Moving shapes against an index: pairs and contacts, of both or only with the index, in either
/// order; of axis-aligned and rotated shapes in any mix.
fn against_static_shapes(level: SimdLevel) {
    let _turn = alone();
    let n = 1000_usize;
    let mixes = [["s3", "s1"], ["s1", "s7"], ["s7", "s2"], ["s7", "s7"], ["s8", "s7"]];
    for (kinds, order) in mixes.into_iter().zip([Order::Grid, Order::Sorted].into_iter().cycle()) {
        let [kind, static_kind] = kinds.map(|name| name.parse::<SceneKind>().unwrap());
        let mut scene = Scene::generate(kind, n as u32, 1);
        let walls = Scene::generate(static_kind, n as u32, 2);
        let statics = Index::build(walls.columns()).unwrap();
        let mut detector = Detector::with_options(Options {
            simd_level: Some(level),
            order,
            ..Options::default()
        })
        .unwrap();
        detector.set_options(Options { threads: Threads::Calling, ..*detector.options() }).unwrap();
        let [mut pairs, mut hits] = [(); 2].map(|()| Vec::with_capacity(8 * n));
        let [mut contacts, mut touches] = [(); 2].map(|()| Vec::with_capacity(16 * n));
        let (mut found, mut total) = ([0; 4], 0);
        for step in 0..STEPS[0] + STEPS[1] {
            scene.step();
            let made = allocations(|| {
                let columns = scene.columns();
                detector.pairs_and_against(columns, &statics, &mut pairs, &mut hits).unwrap();
                found[0] += hits.len();
                detector.pairs((columns, &statics), &mut hits).unwrap();
                found[1] += hits.len();
                detector
                    .contacts_and_against(columns, &statics, 0.125, &mut contacts, &mut touches)
                    .unwrap();
                found[2] += touches.len();
                detector.contacts((columns, &statics), 0.0, &mut touches).unwrap();
                found[3] += touches.len();
            });
            total += if step < STEPS[0] { 0 } else { made };
        }
        let what = format!("{kind} against {static_kind}, {order:?}, {level}");
        assert!(found.iter().all(|&found| found > 5 * n), "{what}: {found:?} prove little");
        assert_eq!(total, 0, "{what}");
    }
}

/// Neighbour lists, adjacency and islands of moving bodies allocate nothing once lists have been as
/// long: the second time that bodies move in the same way.
#[test]
fn lists_of_neighbors() {
    let _turn = alone();
    let options = Options { threads: Threads::Calling, ..Options::default() };
    let new = || Detector::with_options(options).unwrap();
    for n in [100, 3000] {
        let (mut detector, mut lists) = (new(), Lists::new());
        let mut neighbors = || {
            steady(n, |columns| {
                detector.neighbors(columns, 0.25, Adjacency::Full, &mut lists).unwrap();
                lists.items().len() as u64
            })
        };
        neighbors();
        assert_eq!(neighbors(), 0, "neighbors of {n} bodies");
        let (mut detector, mut near) = (new(), Lists::new());
        let mut distances = || {
            steady(n, |columns| {
                detector.neighbor_distances(columns, 0.25, Adjacency::Half, &mut near).unwrap();
                near.items().len() as u64
            })
        };
        distances();
        assert_eq!(distances(), 0, "distances of {n} bodies");
        let (mut detector, mut pairs) = (new(), Vec::new());
        let (mut partners, mut islands) = (Lists::new(), Islands::new());
        let mut groups = || {
            steady(n, |columns| {
                detector.pairs(columns, &mut pairs).unwrap();
                adjacency(n, &pairs, Adjacency::Full, &mut partners).unwrap();
                islands.find(n, &pairs, |_| true).unwrap();
                pairs.len() as u64
            })
        };
        groups();
        assert_eq!(groups(), 0, "islands of {n} bodies");
    }
}

/// Impacts among moving bodies and with an index, also of bodies that cross the scene: the second
/// time that bodies move in the same way.
#[test]
fn impacts_of_a_step() {
    let _turn = alone();
    let options = Options { threads: Threads::Calling, ..Options::default() };
    for n in [100, 1000] {
        let mut rng = Rng::new(n as u64);
        let mut column = || -> Vec<f32> {
            let mut by: Vec<_> = (0..n).map(|_| rng.range(-0.5, 0.5)).collect();
            by[n / 2] = 4.0 * side(n);
            by
        };
        let (dx, dy) = (column(), column());
        let walls = Moving::new(n);
        let index = Index::build(walls.forms()[0]).unwrap();
        let rotated = Index::build(walls.all_forms()[5]).unwrap();
        let mut detector = Detector::with_options(options).unwrap();
        let (mut impacts, mut hits) = (Vec::new(), Vec::new());
        let mut run = || {
            steady_in_all(n, |columns| {
                detector
                    .swept_pairs(
                        columns,
                        Displacements { x: &dx, y: &dy, ..Displacements::default() },
                        &mut impacts,
                    )
                    .unwrap();
                let mut found = impacts.len();
                for index in [&index, &rotated] {
                    detector
                        .swept_pairs(
                            (columns, index),
                            Displacements { x: &dx, y: &dy, ..Displacements::default() },
                            &mut hits,
                        )
                        .unwrap();
                    found += hits.len();
                }
                found as u64
            })
        };
        run();
        assert_eq!(run(), 0, "impacts of {n} bodies");
    }
}

/// Shapes of `f64`: pairs, numbers and neighbours.
#[test]
fn doubles() {
    let _turn = alone();
    let options = Options { threads: Threads::Calling, ..Options::default() };
    let mut detector = DoubleDetector::with_options(options).unwrap();
    let (mut pairs, mut lists, mut distances) = (Vec::new(), Lists::new(), Vec::new());
    let mut bodies = Moving::new(3000);
    let mut steps = |steps: usize| {
        let (mut total, mut found) = (0, 0);
        for _ in 0..steps {
            bodies.step();
            let wide = |values: &[f32]| values.iter().map(|at| f64::from(*at)).collect::<Vec<_>>();
            let (x, y, radius) = (wide(&bodies.x), wide(&bodies.y), wide(&bodies.radius));
            let circles = DoubleColumns::circles(&x, &y, &radius).unwrap();
            total += allocations(|| {
                detector.pairs(circles, &mut pairs).unwrap();
                found += pairs.len() + detector.count(circles).unwrap() as usize;
                let half = Adjacency::Half;
                detector
                    .neighbor_distances(circles, 0.5, half, &mut lists, &mut distances)
                    .unwrap();
            });
        }
        assert!(found > 3000 * steps / 2, "{found}");
        total
    };
    steps(STEPS[0]);
    assert_eq!(steps(STEPS[1]), 0);
}
