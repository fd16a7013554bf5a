//! Nothing is allocated in the steady state: bodies move, buffers stay.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

mod common;
#[path = "common/counting.rs"]
mod counting;

use std::ops::Range;

use common::scene::{Scene, SceneKind};
use common::{
    Rng,
    crowd::{Make, Maker, Numbers, PosedShape},
    levels, side,
};
#[cfg(feature = "parallel")]
use counting::COUNTED;
use counting::{alone, used};
use widephase::{
    Adjacency, Body, Bullets, Columns, Contact, ContactColumns, Detector, Displacements, Fan,
    Index, Islands, Lists, Narrowphase, NarrowphaseOptions, Options, Order, Pair, PairDiff,
    Queries, Ray, ScanColumns, Shapes, Threads, Touching, World, adjacency, narrowphase,
    options::CellSize,
    shape::{
        Aabb, Circle, Compound, ConvexPolygon, Obb, OwnedShape, Point, Pose, Rotation, RoundedBox,
    },
};

/// The number of allocations in `work`, by the threads that take part.
fn allocations(work: impl FnOnce()) -> usize {
    used(work).calls
}

/// Bodies that move in a square and reverse at its sides, in columns.
struct Moving {
    rng: Rng,
    side: f32,
    x: Vec<f32>,
    y: Vec<f32>,
    radius: Vec<f32>,
    half_height: Vec<f32>,
    right: Vec<f32>,
    top: Vec<f32>,
    /// A rotation for each.
    cos: Vec<f32>,
    sin: Vec<f32>,
}

impl Moving {
    fn new(n: usize) -> Self {
        let (mut rng, side) = (Rng::new(n as u64), side(n));
        let mut column = |low, high| (0..n).map(|_| rng.range(low, high)).collect::<Vec<f32>>();
        let (x, y) = (column(0.0, side), column(0.0, side));
        let (radius, half_height) = (column(0.25, 0.5), column(0.25, 0.5));
        let (right, top) = (x.clone(), y.clone());
        let (cos, sin) = (vec![0.6; n], vec![0.8; n]);
        let mut moving = Self { rng, side, x, y, radius, half_height, right, top, cos, sin };
        moving.step();
        moving
    }

    /// Allocates nothing itself.
    fn step(&mut self) {
        let Self { rng, side, x, y, radius, half_height, right, top, .. } = self;
        for i in 0..x.len() {
            x[i] = (x[i] + rng.range(-0.2, 0.2)).clamp(0.0, *side);
            y[i] = (y[i] + rng.range(-0.2, 0.2)).clamp(0.0, *side);
            right[i] = x[i] + radius[i];
            top[i] = y[i] + half_height[i];
        }
    }

    fn forms(&self) -> [Columns<'_>; 5] {
        let Self { x, y, radius, half_height, right, top, .. } = self;
        [
            Columns::circles(x, y, radius).unwrap(),
            Columns::points(x, y).unwrap(),
            Columns::aabbs(x, y, right, top).unwrap(),
            Columns::centered(x, y, radius, half_height).unwrap(),
            Columns::rounded_boxes(x, y, right, top, radius).unwrap(),
        ]
    }

    /// All forms, those of rotated shapes included.
    fn all_forms(&self) -> [Columns<'_>; 8] {
        let [a, b, c, d, e] = self.forms();
        let Self { x, y, radius, half_height, right, top, cos, sin, .. } = self;
        let obbs = Columns::obbs(x, y, radius, half_height, cos, sin).unwrap();
        let capsules = Columns::capsules(x, y, right, top, radius).unwrap();
        let segments = Columns::segments(x, y, right, top).unwrap();
        [a, b, c, d, e, obbs, capsules, segments]
    }
}

/// Steps before counting, and steps counted.
const STEPS: [usize; 2] = [2, 12];

/// Moves the bodies, and counts the allocations of `detect` after the first calls. For the forms of
/// axis-aligned shapes.
fn steady(n: usize, detect: impl FnMut(Columns<'_>) -> u64) -> usize {
    steady_in(0..5, n, detect)
}

/// The same, in all forms.
fn steady_in_all(n: usize, detect: impl FnMut(Columns<'_>) -> u64) -> usize {
    steady_in(0..8, n, detect)
}

fn steady_in(forms: Range<usize>, n: usize, mut detect: impl FnMut(Columns<'_>) -> u64) -> usize {
    let mut total = 0;
    for form in forms {
        let mut bodies = Moving::new(n);
        let mut pairs = 0;
        for _ in 0..STEPS[0] {
            bodies.step();
            pairs += detect(bodies.all_forms()[form]);
        }
        for _ in 0..STEPS[1] {
            bodies.step();
            total += allocations(|| pairs += detect(bodies.all_forms()[form]));
        }
        // Points hardly ever meet, and segments seldom do.
        let few = [1, 7].contains(&form);
        assert!(few || pairs > n as u64, "form {form}: {pairs} pairs prove little");
    }
    total
}

#[test]
fn a_detection_on_one_thread() {
    let _turn = alone();
    for &level in levels() {
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

#[test]
fn rows_of_columns_reuse_their_memory() {
    let _turn = alone();
    for &level in levels() {
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
}

/// Rows of rotated shapes, against circles and against each other: of one class (boxes, capsules,
/// polygons of many vertices), of polygons with and without a radius, and of all classes.
#[test]
fn rows_of_a_narrowphase() {
    let _turn = alone();
    let n = 600;
    let lists: [&[Make]; 5] = [
        &[Make::Obb],
        &[Make::Capsule],
        &[Make::Many],
        &[Make::Polygon, Make::RoundedPolygon],
        Make::SINGLE,
    ];
    for &level in levels() {
        let stores = lists.map(|makes| turning(n, makes));
        let mut narrowphase = Narrowphase::with_options(NarrowphaseOptions {
            simd_level: Some(level),
            ..NarrowphaseOptions::default()
        })
        .unwrap();
        let mut contacts = ContactColumns::new();
        let mut rng = Rng::new(8);
        let (mut x, mut y, radius) = (vec![0.0; n], vec![0.0; n], vec![0.5; n]);
        let (mut calls, mut found) = (0, [0; 10]);
        for step in 0..STEPS[0] + STEPS[1] {
            x.fill_with(|| rng.range(-1.0, 1.0));
            y.fill_with(|| rng.range(-1.0, 1.0));
            let step_calls = allocations(|| {
                let circles = Columns::circles(&x, &y, &radius).unwrap();
                for (at, shapes) in stores.iter().enumerate() {
                    let others = [circles, stores[(at + 1) % stores.len()].columns()];
                    for (which, other) in others.into_iter().enumerate() {
                        narrowphase
                            .row_contacts(other, shapes, 0..n, 0.125, &mut contacts)
                            .unwrap();
                        found[2 * at + which] += contacts.count.iter().sum::<u32>();
                    }
                }
            });
            calls += if step < STEPS[0] { 0 } else { step_calls };
        }
        assert_eq!(calls, 0, "{level}");
        assert!(found.iter().all(|&found| found > n as u32), "{found:?} contacts prove little");
    }
}

/// Pairs of rows of two sets, and both sets row by row, as lists, contacts and bits: of rotated
/// shapes, axis-aligned shapes and compounds, in stores and columns. From the second of two equal
/// calls on.
#[test]
fn a_narrowphase_between_two_sets() {
    let _turn = alone();
    let n = 3000;
    let lists: [&[Make]; 4] = [&[Make::Obb], Make::ALIGNED, Make::SINGLE, &[Make::Compound]];
    let stores = lists.map(|makes| turning(n, makes));
    let zero = vec![0.0; n];
    let half = vec![0.5; n];
    let circles = Columns::circles(&zero, &zero, &half).unwrap();
    let boxes = Columns::centered(&zero, &zero, &half, &half).unwrap();
    let (cos, sin) = (vec![0.6; n], vec![0.8; n]);
    let obbs = Columns::obbs(&zero, &zero, &half, &half, &cos, &sin).unwrap();
    let capsules = Columns::capsules(&zero, &half, &half, &zero, &half).unwrap();
    let [turned, aligned, single, compounds] = stores.each_ref().map(Columns::from);
    let pairs: Vec<Pair> =
        (0..n as u32).map(|row| Pair { a: row, b: (row * 7) % n as u32 }).collect();
    let sets = [
        [turned, circles],
        [boxes, turned],
        [circles, boxes],
        [aligned, boxes],
        [turned, aligned],
        [aligned, compounds],
        [compounds, circles],
        [single, compounds],
        [single, single],
        [obbs, circles],
        [capsules, obbs],
        [compounds, capsules],
    ];
    for &level in levels() {
        for (number, [a, b]) in sets.into_iter().enumerate() {
            let mut narrowphase = Narrowphase::with_options(NarrowphaseOptions {
                simd_level: Some(level),
                ..NarrowphaseOptions::default()
            })
            .unwrap();
            let (mut touching, mut contacts) = (Vec::new(), Vec::new());
            let (mut mask, mut made) = (Vec::new(), [0; 3]);
            for made in &mut made {
                *made = allocations(|| {
                    narrowphase.pairs_between(a, b, &pairs, &mut touching).unwrap();
                    narrowphase.contacts_between(a, b, &pairs, 0.125, &mut contacts).unwrap();
                    narrowphase.row_mask(a, b, 0..n, &mut mask).unwrap();
                });
            }
            let rows: u32 = mask.iter().map(|word| word.count_ones()).sum();
            let found = [touching.len(), contacts.len(), rows as usize];
            assert!(found.iter().all(|&found| found > n / 5), "{number}: {found:?} prove little");
            assert!(made[0] > 2 && made[1..] == [0; 2], "sets {number}, {level}: {made:?}");
        }
    }
}

/// Shapes of these kinds about the origin.
fn turning(n: usize, makes: &[Make]) -> Shapes {
    let mut maker = Maker::new(n as u64, Numbers::Smooth, 1.0);
    let mut shapes = Shapes::new();
    for row in 0..n {
        let solid = maker.solid(makes[row % makes.len()], [0.0, 0.0]);
        solid.push(&mut shapes);
    }
    shapes
}

/// Shapes of all kinds, rotated where they can be, with a vacant row, and another shape in one row
/// at every step.
#[test]
fn a_store_that_turns() {
    let _turn = alone();
    let n = 1500;
    let s = side(n);
    for &level in levels() {
        let mut rng = Rng::new(4);
        let mut shapes = turning(n, &Make::ALL);
        shapes.remove(7).unwrap();
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
            poses.fill_with(|| {
                let place = [rng.range(0.0, s), rng.range(0.0, s)];
                Pose::new(place, Rotation::from_angle(rng.range(-3.0, 3.0)))
            });
            dx.fill_with(|| rng.range(-0.1, 0.1));
            dy.fill_with(|| rng.range(-0.1, 0.1));
            let calls = allocations(|| {
                shapes.set_poses(&poses).unwrap();
                shapes.translate(&dx, &dy).unwrap();
                for row in (0..n).step_by(5) {
                    if row != 7 {
                        shapes.set_pose(row as u32, poses[n - 1 - row]).unwrap();
                    }
                }
                // What has neither vertices nor parts: those are appended, until gaps are worth
                // closing.
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
}

/// Moving shapes against an index: pairs and contacts, of both or only with the index, in either
/// order; of axis-aligned and rotated shapes in any mix.
#[test]
fn against_static_shapes() {
    let _turn = alone();
    let n = 1000_usize;
    let mixes = [["s3", "s1"], ["s1", "s7"], ["s7", "s2"], ["s7", "s7"], ["s8", "s7"]];
    for &level in levels() {
        for (kinds, order) in
            mixes.into_iter().zip([Order::Grid, Order::Sorted].into_iter().cycle())
        {
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
            detector
                .set_options(Options { threads: Threads::Calling, ..*detector.options() })
                .unwrap();
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
                        Displacements { x: &dx, y: &dy, bullets: Bullets::All },
                        &mut impacts,
                    )
                    .unwrap();
                let mut found = impacts.len();
                for index in [&index, &rotated] {
                    detector
                        .swept_pairs(
                            (columns, index),
                            Displacements { x: &dx, y: &dy, bullets: Bullets::All },
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

/// The differences of lists of pairs, by rows and by ids, a quarter of which are new at each step
/// while all bodies are in other rows.
#[test]
fn differences_of_lists() {
    let _turn = alone();
    let options = Options { threads: Threads::Calling, ..Options::default() };
    for n in [100, 3000] {
        let mut detector = Detector::with_options(options).unwrap();
        let (mut pairs, mut by_rows, mut by_ids) = (Vec::new(), PairDiff::new(), PairDiff::new());
        let (mut ids, mut next) = ((0..n as u64).collect::<Vec<_>>(), n as u64);
        let mut differences = || {
            steady(n, |columns| {
                detector.pairs(columns, &mut pairs).unwrap();
                by_rows.update(&pairs).unwrap();
                ids.rotate_left(n / 7);
                for id in ids.iter_mut().step_by(4) {
                    (*id, next) = (next, next + 1);
                }
                by_ids.update_with_ids(&pairs, &ids).unwrap();
                assert_eq!(by_ids.started().len() + by_ids.persisted().len(), pairs.len());
                by_rows.persisted().len() as u64
            })
        };
        differences();
        assert_eq!(differences(), 0, "differences of {n} bodies");
    }
}

/// A world whose bodies move, with events and contacts.
#[test]
fn steps_of_a_world() {
    let _turn = alone();
    let options = Options { threads: Threads::Calling, timings: true, ..Options::default() };
    for n in [100, 3000] {
        let mut world = World::with_options(options).unwrap();
        let mut moving = Moving::new(n);
        let handles: Vec<_> = (0..n)
            .map(|row| {
                let circle = Circle::new([moving.x[row], moving.y[row]], moving.radius[row]);
                world.insert(circle, Body::default()).unwrap()
            })
            .collect();
        let mut steps = || {
            let mut most = 0;
            for _ in 0..40 {
                moving.step();
                most += allocations(|| {
                    for (row, handle) in handles.iter().enumerate() {
                        let pose = Pose::at([moving.x[row], moving.y[row]]);
                        world.set_pose(*handle, pose).unwrap();
                    }
                    world.step().unwrap();
                });
            }
            most
        };
        // Lists still reach new lengths for a while.
        for _ in 0..6 {
            steps();
        }
        assert_eq!(steps(), 0, "steps of {n} bodies");
    }
}

/// Two shapes at a time, of all kinds, up to the vertices and parts that the workspace of a thread
/// keeps.
/// What docs/queries.md says about allocations.
#[test]
fn queries_reuse_their_memory() {
    let _alone = alone();
    let moving = Moving::new(3000);
    let options = Options { threads: Threads::Calling, ..Options::default() };
    let mut index = Index::with_options(options.into()).unwrap();
    index.rebuild(moving.forms()[0]).unwrap();
    let (circle, aabb) = (Circle::new([5.0, 5.0], 3.0), Aabb::new([1.0, 1.0], [9.0, 5.0]));
    let rays: Vec<Ray> =
        (0..300).map(|i| Ray::new([0.1 * i as f32, 3.0], [1.0, 0.3]).up_to(40.0)).collect();
    let (mut rows, mut hits, mut first, mut near) = (vec![], vec![], vec![], vec![]);
    let (mut lists, mut nearest, mut all) = (Lists::new(), Lists::new(), Lists::new());
    let mut scan = ScanColumns::new();
    let fan = Fan::around(100, 30.0);
    for round in 0..2 {
        let quiet = [
            allocations(|| index.overlapping(circle, &mut rows).unwrap()),
            allocations(|| assert!(index.count_overlapping(aabb).unwrap() > 0)),
            allocations(|| assert!(index.cast_ray(rays[0]).unwrap().is_some())),
            allocations(|| index.cast_ray_all(rays[1], &mut hits).unwrap()),
            allocations(|| assert!(index.hits_any(rays[2]).unwrap())),
            allocations(|| index.k_nearest(Point::new([4.0, 4.0]), 9, 50.0, &mut near).unwrap()),
            allocations(|| index.overlapping_batch(moving.forms()[2], &mut lists).unwrap()),
            allocations(|| index.cast_ray_batch(&rays, &mut first).unwrap()),
            allocations(|| index.cast_ray_all_batch(&rays, &mut all).unwrap()),
        ];
        let few = [
            allocations(|| index.k_nearest_of_rows(4, 9.0, &mut nearest).unwrap()),
            allocations(|| assert!(index.cast_shape(circle, [50.0, 20.0], 1.0).unwrap().is_some())),
        ];
        let scanned = used(|| index.scan(&fan, &[Pose::at([5.0, 5.0])], &mut scan).unwrap());
        assert!(rows.len() > 9 && hits.len() > 9 && near.len() == 9, "this proves little");
        if round > 0 {
            assert_eq!(quiet, [0; 9]);
            // The place of each row; the corners of the difference, and the parts that stop the
            // cast at its start.
            assert_eq!(few, [1, 2]);
            assert!(scanned.peak <= 2 * (28 * fan.rays() + 4 * index.len()), "{}", scanned.peak);
        }
    }
}

#[test]
fn two_shapes_at_a_time() {
    let _turn = alone();
    let mut maker = Maker::new(5, Numbers::Smooth, 1.0);
    let mut shapes = Make::ALL.map(|make| maker.solid(make, [0.0, 0.0]).shape).to_vec();
    shapes.push(OwnedShape::Single(regular(500).into()));
    let row = (0..4000).map(|number| Circle::new([3.0 * number as f32, 0.0], 1.0));
    shapes.push(OwnedShape::Compound(Compound::new(row).unwrap()));
    let mut found = 0;
    for a in &shapes {
        for b in &shapes {
            let [a, b] = [(a, 0.0), (b, 0.01)]
                .map(|(shape, x)| PosedShape::at(shape.clone(), Pose::at([x, 0.0])));
            let mut decide = || {
                let touching = narrowphase::touches(&a, &b, Touching::Inclusive).unwrap();
                let contact = narrowphase::contact(&a, &b, 0.25).unwrap();
                assert!(contact.is_some() || !touching);
                found += usize::from(touching);
            };
            // The first call allocates the workspace.
            decide();
            assert_eq!(allocations(decide), 0, "{:?} and {:?}", a.pose(), b.pose());
        }
    }
    assert!(found > shapes.len() * shapes.len(), "{found} prove little");
}

/// Larger shapes are tested, too, and their workspace is freed.
#[test]
fn two_large_shapes_at_a_time() {
    let _turn = alone();
    let small = PosedShape::from(regular(4));
    let row = (0..50_000).map(|number| Circle::new([3.0 * number as f32, 0.0], 1.0));
    let large = PosedShape::from(Compound::new(row).unwrap());
    let calls =
        |a, b| allocations(|| assert!(narrowphase::touches(a, b, Touching::Inclusive).unwrap()));
    for _ in 0..2 {
        assert!(calls(&small, &large) > 0);
        assert!(calls(&small, &small) > 0);
        assert_eq!(calls(&small, &small), 0);
    }
}

/// A regular polygon around the origin.
fn regular(vertices: usize) -> ConvexPolygon {
    let corner = |vertex: usize| {
        let angle = std::f64::consts::TAU * vertex as f64 / vertices as f64;
        [angle.cos() as f32, angle.sin() as f32]
    };
    ConvexPolygon::hull(&(0..vertices).map(corner).collect::<Vec<_>>()).unwrap()
}

/// Gives every thread of the pool a task at the same time, so that each has to take one.
#[cfg(feature = "parallel")]
fn wake(threads: usize, all: &std::sync::Barrier) {
    if threads == 1 {
        all.wait();
    } else {
        rayon::join(|| all.wait(), || wake(threads - 1, all));
    }
}

/// Calls `work` with a pool of `threads` threads, whose allocations count.
#[cfg(feature = "parallel")]
fn with_pool(threads: usize, work: impl FnOnce(&rayon::ThreadPool)) {
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
    static EXITED: AtomicUsize = AtomicUsize::new(0);
    let gone = EXITED.load(Relaxed) + threads;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .start_handler(|_| COUNTED.set(true))
        // The pool's threads outlive it by a moment, and clear up after themselves.
        .exit_handler(|_| {
            COUNTED.set(false);
            EXITED.fetch_add(1, Relaxed);
        })
        .build()
        .unwrap();
    work(&pool);
    drop(pool);
    while EXITED.load(Relaxed) < gone {
        std::thread::yield_now();
    }
}

/// On the threads of a pool, rayon's own allocations counted too. From inside the pool there are
/// none: `join` hands work over on the stack. (A thread registers itself when it first takes work
/// from another, whenever that is: [`wake`] has it over with.) Each `install` from outside goes
/// through the pool's queue, of which rayon allocates a block every 63 of them.
#[cfg(feature = "parallel")]
#[test]
fn a_detection_in_a_pool() {
    let _turn = alone();
    for threads in [1, 2, 3] {
        with_pool(threads, |pool| {
            let new = || {
                Detector::with_options(Options { threads: Threads::Pool, ..Options::default() })
                    .unwrap()
            };
            let inside = pool.install(|| {
                wake(threads, &std::sync::Barrier::new(threads));
                let (mut detector, mut pairs) = (new(), Vec::new());
                let list = steady(20_000, |columns| {
                    detector.pairs(columns, &mut pairs).unwrap();
                    pairs.len() as u64
                });
                let mut detector = new();
                detector
                    .set_options(Options { order: Order::Sorted, ..*detector.options() })
                    .unwrap();
                let sorted = steady(20_000, |columns| {
                    detector.pairs(columns, &mut pairs).unwrap();
                    pairs.len() as u64
                });
                let mut detector = new();
                let count = steady(20_000, |columns| detector.count(columns).unwrap());
                let mut detector = new();
                let each =
                    steady(20_000, |columns| detector.for_each_pair(columns, |_| ()).unwrap());
                [list, sorted, count, each]
            });
            assert_eq!(inside, [0; 4], "{threads} threads, inside");

            let mut detector = new();
            let mut installs = 0;
            let outside = steady(20_000, |columns| {
                installs += 1;
                pool.install(|| detector.count(columns)).unwrap()
            });
            assert!(
                outside <= installs / 63 + 1,
                "{threads} threads: {outside} for {installs} installs"
            );
        });
    }
}

/// The narrowphase on the threads of a pool. Each thread that decides pairs at the same time as
/// others has memory of its own, which is made when it first does so and grows with what it meets
/// first: which step that is, is up to the threads. So what has to come, and soon, is a run of
/// steps without an allocation.
#[cfg(feature = "parallel")]
#[test]
fn contacts_in_a_pool() {
    const MOST: usize = 40;
    let _turn = alone();
    for threads in [1, 2, 3] {
        with_pool(threads, |pool| {
            for (name, order) in [("s3", Order::Grid), ("s7", Order::Grid), ("s8", Order::Sorted)] {
                let runs = pool.install(|| {
                    wake(threads, &std::sync::Barrier::new(threads));
                    runs_until_quiet(name.parse().unwrap(), order, MOST)
                });
                assert!(runs < MOST, "{threads} threads, {name}: never quiet");
            }
        });
    }
}

/// How many runs of steps it takes until there is one without an allocation, or `most`.
#[cfg(feature = "parallel")]
fn runs_until_quiet(kind: SceneKind, order: Order, most: usize) -> usize {
    let n = 4000_usize;
    let mut scene = Scene::generate(kind, n as u32, 1);
    let walls = Scene::generate(SceneKind::MixedRotating, n as u32, 2);
    let statics = Index::build(walls.columns()).unwrap();
    let mut detector =
        Detector::with_options(Options { threads: Threads::Pool, order, ..Options::default() })
            .unwrap();
    let mut pairs = Vec::with_capacity(8 * n);
    let [mut contacts, mut touches] = [(); 2].map(|()| Vec::with_capacity(16 * n));
    for run in 0..most {
        let (mut made, mut found) = (0, 0);
        for _ in 0..STEPS[1] {
            scene.step();
            let columns = scene.columns();
            made += allocations(|| {
                detector.pairs(columns, &mut pairs).unwrap();
                detector.contacts(columns, 0.0, &mut contacts).unwrap();
                found += contacts.len();
                detector
                    .contacts_and_against(columns, &statics, 0.125, &mut contacts, &mut touches)
                    .unwrap();
                found += touches.len();
            });
        }
        assert!(found > n * STEPS[1], "{kind}: {found} contacts prove little");
        if made == 0 {
            return run;
        }
    }
    most
}

/// Contacts, rotated shapes, and the pairs of another broadphase.
#[test]
fn a_narrowphase_on_one_thread() {
    let _turn = alone();
    for &level in levels() {
        for kind in ["s1", "s2", "s3", "s7", "s8"].map(|name| name.parse::<SceneKind>().unwrap()) {
            let n = 3000_usize;
            let mut scene = Scene::generate(kind, n as u32, 1);
            let new = || {
                Detector::with_options(Options {
                    simd_level: Some(level),
                    threads: Threads::Calling,
                    ..Options::default()
                })
                .unwrap()
            };
            let [mut detector, mut sorted] = [new(), new()];
            sorted.set_options(Options { order: Order::Sorted, ..*sorted.options() }).unwrap();
            let mut own = Narrowphase::with_options(NarrowphaseOptions {
                simd_level: Some(level),
                ..NarrowphaseOptions::default()
            })
            .unwrap();
            // What grows with the number of hits is the caller's.
            let [mut pairs, mut touching] = [(); 2].map(|()| Vec::with_capacity(4 * n));
            let mut contacts = Vec::with_capacity(8 * n);
            let mut columns = ContactColumns::new();
            columns.fill(&vec![Contact::default(); 8 * n]);
            let (mut found, mut total) = (0, 0);
            for step in 0..STEPS[0] + STEPS[1] {
                scene.step();
                let made = allocations(|| {
                    detector.pairs(scene.columns(), &mut pairs).unwrap();
                    detector.contacts(scene.columns(), 0.125, &mut contacts).unwrap();
                    found += contacts.len();
                    sorted.contacts(scene.columns(), 0.0, &mut contacts).unwrap();
                    columns.fill(&contacts);
                    own.pairs(scene.columns(), &pairs, &mut touching).unwrap();
                    own.contacts(scene.columns(), &pairs, 0.125, &mut contacts).unwrap();
                });
                assert_eq!(touching, pairs, "{kind}, {level}");
                total += if step < STEPS[0] { 0 } else { made };
            }
            assert!(found > 10 * n, "{kind}, {level}: {found} contacts prove little");
            assert_eq!(total, 0, "{kind}, {level}");
        }
    }
}
