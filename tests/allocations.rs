//! Nothing is allocated in the steady state: bodies move, buffers stay.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

mod common;
#[path = "common/counting.rs"]
mod counting;

use common::{Rng, levels, side};
#[cfg(feature = "parallel")]
use counting::COUNTED;
use counting::{alone, used};
use widephase::{
    Batch, CellSize, Columns, ContactColumns, Detector, Narrowphase, Order, Pair, Shapes, Threads,
    scene::{Scene, SceneKind},
    shape::{Aabb, AxisAligned, Circle, Obb, Rotation, RoundedBox},
};

/// The number of allocations in `work`, by the threads that take part.
fn allocations(work: impl FnOnce()) -> usize {
    used(work).calls
}

/// Bodies that walk about in a square and turn back at its sides, in columns.
struct Moving {
    rng: Rng,
    side: f32,
    x: Vec<f32>,
    y: Vec<f32>,
    radius: Vec<f32>,
    half_height: Vec<f32>,
    right: Vec<f32>,
    top: Vec<f32>,
}

impl Moving {
    fn new(n: usize) -> Self {
        let (mut rng, side) = (Rng::new(n as u64), side(n));
        let mut column = |low, high| (0..n).map(|_| rng.range(low, high)).collect::<Vec<f32>>();
        let (x, y) = (column(0.0, side), column(0.0, side));
        let (radius, half_height) = (column(0.25, 0.5), column(0.25, 0.5));
        let (right, top) = (x.clone(), y.clone());
        let mut moving = Self { rng, side, x, y, radius, half_height, right, top };
        moving.step();
        moving
    }

    /// Allocates nothing itself.
    fn step(&mut self) {
        let Self { rng, side, x, y, radius, half_height, right, top } = self;
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
}

/// Steps before counting, and steps counted.
const STEPS: [usize; 2] = [2, 12];

/// Moves the bodies on, and counts what `detect` allocates, once warm.
fn steady(n: usize, mut detect: impl FnMut(Columns<'_>) -> u64) -> usize {
    let mut total = 0;
    for form in 0..5 {
        let mut bodies = Moving::new(n);
        let mut pairs = 0;
        for _ in 0..STEPS[0] {
            bodies.step();
            pairs += detect(bodies.forms()[form]);
        }
        for _ in 0..STEPS[1] {
            bodies.step();
            total += allocations(|| pairs += detect(bodies.forms()[form]));
        }
        // Points hardly ever meet.
        assert!(form == 1 || pairs > n as u64, "form {form}: {pairs} pairs prove little");
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
                    let detector = Detector::new().level(level).unwrap();
                    detector.order(order).threads(Threads::Calling)
                };
                let (mut detector, mut pairs) = (new(), Vec::new());
                let list = steady(n, |columns| {
                    detector.detect(columns, &mut pairs).unwrap();
                    pairs.len() as u64
                });
                assert_eq!(list, 0, "detect, {level}, {n} bodies, {order:?}");
                if order == Order::Sorted {
                    continue;
                }
                let mut detector = new();
                let count = steady(n, |columns| detector.count(columns).unwrap());
                assert_eq!(count, 0, "count, {level}, {n} bodies");
                let mut detector = new();
                let mut sum = 0;
                let each = steady(n, |columns| {
                    detector.for_each(columns, |pair| sum += u64::from(pair.b)).unwrap()
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
    let mut detector = Detector::new().threads(Threads::Calling);
    let mut pairs: Vec<Pair> = Vec::new();
    let mut total = 0;
    for step in 0..STEPS[0] + STEPS[1] {
        dx.fill_with(|| rng.range(-0.1, 0.1));
        dy.fill_with(|| rng.range(-0.1, 0.1));
        let calls = allocations(|| {
            shapes.translate(&dx, &dy).unwrap();
            shapes.set(0, Circle::new([dx[0], dy[0]], 0.5)).unwrap();
            detector.detect(&shapes, &mut pairs).unwrap();
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
    let mut detector =
        Detector::new().threads(Threads::Calling).cell_size(CellSize::Fixed(1.0)).unwrap();
    let mut pairs = Vec::new();
    let mut total = 0;
    for step in 0..STEPS[0] + STEPS[1] {
        for value in bodies.x.iter_mut().chain(&mut bodies.y) {
            *value *= 1.001;
        }
        let calls = allocations(|| detector.detect(bodies.forms()[0], &mut pairs).unwrap());
        total += if step < STEPS[0] { 0 } else { calls };
    }
    assert_eq!(total, 0);
}

#[test]
fn batch_kernels() {
    let _turn = alone();
    for &level in levels() {
        let batch = Batch::on(level).unwrap();
        let (mut mask, mut indices) = (Vec::new(), Vec::new());
        let mut contacts = ContactColumns::new();
        let one = Aabb::new([0.0, 0.0], [20.0, 20.0]).rounded_box();
        let calls = steady(10_000, |columns| {
            let columns = columns.check().unwrap();
            batch.one_mask(one, &columns, &mut mask).unwrap();
            batch.one_indices(one, &columns, &mut indices).unwrap();
            let mut found = batch.one_count(one, &columns).unwrap();
            batch.pairwise_mask(&columns, &columns, &mut mask).unwrap();
            batch.pairwise_indices(&columns, &columns, &mut indices).unwrap();
            found += batch.pairwise_count(&columns, &columns).unwrap();
            batch.pairwise_contacts(&columns, &columns, 0.0, &mut contacts).unwrap();
            found as u64
        });
        assert_eq!(calls, 0, "{level}");
    }
}

/// Rows of shapes that turn: of one class, and of several.
#[test]
fn rows_of_a_narrowphase() {
    let _turn = alone();
    let n = 1000;
    for &level in levels() {
        let mut rng = Rng::new(8);
        let [mut alike, mut mixed] = [(); 2].map(|()| Shapes::new());
        let (mut x, mut y, radius) = (vec![0.0; n], vec![0.0; n], vec![0.5; n]);
        for row in 0..n {
            let turned = Obb::new([0.0, 0.0], [1.0, 0.5], Rotation::from_angle(row as f32));
            alike.push(turned).unwrap();
            if row % 2 == 0 {
                mixed.push(turned).unwrap();
            } else {
                mixed.push(Circle::new([0.0, 0.0], 1.0)).unwrap();
            }
        }
        let mut narrowphase = Narrowphase::new().level(level).unwrap();
        let mut contacts = ContactColumns::new();
        let (mut calls, mut found) = (0, 0);
        for step in 0..STEPS[0] + STEPS[1] {
            x.fill_with(|| rng.range(-2.0, 2.0));
            y.fill_with(|| rng.range(-2.0, 2.0));
            let step_calls = allocations(|| {
                let circles = Columns::circles(&x, &y, &radius).unwrap();
                for shapes in [&alike, &mixed] {
                    narrowphase
                        .pairwise_contacts(circles, shapes, 0..n, 0.0, &mut contacts)
                        .unwrap();
                    found += contacts.count.iter().sum::<u32>();
                }
            });
            calls += if step < STEPS[0] { 0 } else { step_calls };
        }
        assert_eq!(calls, 0, "{level}");
        assert!(found > n as u32, "{found} contacts prove little");
    }
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

/// On the threads of a pool, rayon's own allocations counted too. From inside the pool there are
/// none: `join` hands work over on the stack. (A thread registers itself when it first takes work
/// from another, whenever that is: [`wake`] has it over with.) Each `install` from outside goes
/// through the pool's queue, of which rayon allocates a block every 63 of them.
#[cfg(feature = "parallel")]
#[test]
fn a_detection_in_a_pool() {
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
    static EXITED: AtomicUsize = AtomicUsize::new(0);
    let _turn = alone();
    let mut gone = 0;
    for threads in [1, 2, 3] {
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
        let new = || Detector::new().threads(Threads::Pool);
        let inside = pool.install(|| {
            wake(threads, &std::sync::Barrier::new(threads));
            let (mut detector, mut pairs) = (new(), Vec::new());
            let list = steady(20_000, |columns| {
                detector.detect(columns, &mut pairs).unwrap();
                pairs.len() as u64
            });
            let mut detector = new().order(Order::Sorted);
            let sorted = steady(20_000, |columns| {
                detector.detect(columns, &mut pairs).unwrap();
                pairs.len() as u64
            });
            let mut detector = new();
            let count = steady(20_000, |columns| detector.count(columns).unwrap());
            let mut detector = new();
            let each = steady(20_000, |columns| detector.for_each(columns, |_| ()).unwrap());
            [list, sorted, count, each]
        });
        assert_eq!(inside, [0; 4], "{threads} threads, inside");

        let mut detector = new();
        let mut installs = 0;
        let outside = steady(20_000, |columns| {
            installs += 1;
            pool.install(|| detector.count(columns)).unwrap()
        });
        drop(pool);
        gone += threads;
        while EXITED.load(Relaxed) < gone {
            std::thread::yield_now();
        }
        assert!(
            outside <= installs / 63 + 1,
            "{threads} threads: {outside} for {installs} installs"
        );
    }
}

/// Contacts, shapes that turn, and the pairs of another broadphase.
#[test]
fn a_narrowphase_on_one_thread() {
    let _turn = alone();
    for &level in levels() {
        for kind in ["s1", "s2", "s3", "s7", "s8"].map(|name| name.parse::<SceneKind>().unwrap()) {
            let n = 3000_usize;
            let mut scene = Scene::generate(kind, n as u32, 1);
            let mut detector = Detector::new().level(level).unwrap().threads(Threads::Calling);
            let mut own = Narrowphase::new().level(level).unwrap();
            // What grows with the number of hits is the caller's.
            let [mut pairs, mut touching] = [(); 2].map(|()| Vec::with_capacity(4 * n));
            let mut contacts = Vec::with_capacity(8 * n);
            let (mut found, mut total) = (0, 0);
            for step in 0..STEPS[0] + STEPS[1] {
                scene.step();
                let made = allocations(|| {
                    detector.detect(scene.columns(), &mut pairs).unwrap();
                    detector.contacts(scene.columns(), 0.125, &mut contacts).unwrap();
                    found += contacts.len();
                    detector.contacts(scene.columns(), 0.0, &mut contacts).unwrap();
                    own.test(scene.columns(), &pairs, &mut touching).unwrap();
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
