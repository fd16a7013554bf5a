//! On the threads of a pool.

use crate::{
    counting::{COUNTED, alone},
    moving::{STEPS, allocations, steady},
};
use common::scene::{Scene, SceneKind};
use widephase::{Detector, Index, Options, Order, Threads};

/// Gives every thread of the pool a task at the same time, so that each has to take one.
fn wake(threads: usize, all: &std::sync::Barrier) {
    if threads == 1 {
        all.wait();
    } else {
        rayon::join(|| all.wait(), || wake(threads - 1, all));
    }
}

/// Calls `work` with a pool of `threads` threads, whose allocations count.
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

/// On the threads of a pool, rayon's own allocations counted too. From inside the pool there are no
/// allocations: `join` hands work over on the stack. (A thread registers itself when it first takes
/// work from another, whenever that is: [`wake`] has it over with.) Each `install` from outside
/// goes through the pool's queue, of which rayon allocates a block every 63 of them.
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
/// other threads has memory of its own, which is made when it first does so and grows with the
/// first pairs that it meets: the threads decide in which step. So soon a run of steps has to come
/// without an allocation.
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
