//! How much memory a detector holds, by the allocator's own count: at most 100 bytes a body, as
//! much as it says, and from some steps on not a byte more, for every kind of scene.
//!
//! Counted are the threads that take part: the test's own, and those of a pool made for it. One
//! test at a time, so that a count is one test's.
#![allow(unsafe_code, reason = "a global allocator cannot be had without")]
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};

use widephase::{
    Detector, Level, Pair, StaticSet, Threads,
    scene::{Motion, Scene, SceneKind},
};

/// The system's allocator, with a count of the bytes that [`COUNTED`] threads hold. What they free
/// and have not allocated wraps the count, and what comes after sees differences only.
struct Counting;

static CALLS: AtomicUsize = AtomicUsize::new(0);
static HELD: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// Whether this thread takes part. Constant and without a destructor: it allocates nothing.
    static COUNTED: Cell<bool> = const { Cell::new(false) };
}

/// Notes that a block of `old` bytes is one of `new` bytes now. While a block moves both are there:
/// the peak is that of a block that cannot grow where it is.
fn note(old: usize, new: usize) {
    if COUNTED.with(Cell::get) {
        CALLS.fetch_add(usize::from(new > 0), Relaxed);
        let both = HELD.fetch_add(new, Relaxed).wrapping_add(new);
        PEAK.fetch_max(both, Relaxed);
        HELD.fetch_sub(old, Relaxed);
    }
}

// SAFETY: every method hands its arguments on to `System`, which keeps the contract of the trait;
// `note` neither allocates nor unwinds.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(0, layout.size());
        // SAFETY: the caller keeps the contract of `alloc`, which is that of `System`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        note(0, layout.size());
        // SAFETY: as in `alloc`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note(layout.size(), size);
        // SAFETY: `block` came from this allocator, so from `System`; the rest as in `alloc`.
        unsafe { System.realloc(block, layout, size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        note(layout.size(), 0);
        // SAFETY: `block` came from this allocator, so from `System`.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What some work did to the memory of the threads that take part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Used {
    /// Allocations.
    calls: usize,
    /// Bytes held more than before, when it was done and at most.
    held: usize,
    peak: usize,
}

fn used(work: impl FnOnce()) -> Used {
    COUNTED.set(true);
    let (calls, held) = (CALLS.load(Relaxed), HELD.load(Relaxed));
    PEAK.store(held, Relaxed);
    work();
    let used = Used {
        calls: CALLS.load(Relaxed) - calls,
        held: HELD.load(Relaxed).wrapping_sub(held),
        peak: PEAK.load(Relaxed).wrapping_sub(held),
    };
    COUNTED.set(false);
    used
}

/// One test at a time.
fn alone() -> impl Drop {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The bodies of a scene: of the one whose pairs are all there are, fewer.
fn bodies(kind: SceneKind) -> u32 {
    if kind == SceneKind::Coincident { 2_000 } else { 100_000 }
}

/// The bytes of a list of pairs.
fn bytes(pairs: &Vec<Pair>) -> usize {
    pairs.capacity() * size_of::<Pair>()
}

/// A scene in its second step, a detector that has seen the first, and its list.
fn warm(kind: SceneKind, motion: Motion) -> (Scene, Detector, Vec<Pair>) {
    let mut scene = Scene::generate(kind, bodies(kind), 5).with_motion(motion);
    let (mut detector, mut pairs) = (Detector::new().threads(Threads::Calling), Vec::new());
    for _ in 0..2 {
        scene.step();
        detector.detect(scene.columns(), &mut pairs).unwrap();
    }
    (scene, detector, pairs)
}

#[test]
fn the_counter_counts() {
    let _turn = alone();
    let mut values: Vec<u64> = Vec::new();
    assert_eq!(used(|| values.reserve_exact(10)), Used { calls: 1, held: 80, peak: 80 });
    assert_eq!(used(|| values.reserve_exact(20)), Used { calls: 1, held: 80, peak: 160 });
    let freed = used(|| values = Vec::new());
    assert_eq!((freed.calls, freed.held.wrapping_neg(), freed.peak), (0, 160, 0));
}

/// At most 100 bytes a body, at any moment; and a detector tells all that it holds.
#[test]
fn scratch_of_every_scene() {
    let _turn = alone();
    // What the standard library keeps for itself when it first looks for a level.
    let level = Level::preferred().unwrap();
    let mut most = 0;
    for kind in SceneKind::ALL {
        let mut scene = Scene::generate(kind, bodies(kind), 5).with_motion(Motion::Settle);
        let new = || Detector::new().threads(Threads::Calling).level(level).unwrap();
        let limit = 100 * scene.len();
        let (mut detector, mut pairs) = (new(), Vec::new());
        let mut held = 0;
        for _ in 0..4 {
            let step = used(|| detector.detect(scene.columns(), &mut pairs).unwrap());
            held += step.held;
            assert_eq!(held, detector.scratch_bytes() + bytes(&pairs), "{kind}: not all is told");
            assert!(detector.scratch_bytes() <= limit, "{kind}");
            scene.step();
        }
        let mut detector = new();
        let count = used(|| assert!(detector.count(scene.columns()).is_ok()));
        assert_eq!(count.held, detector.scratch_bytes(), "{kind}: not all is told");
        assert!(count.peak <= limit, "{kind}: {} bytes a body", count.peak / scene.len());
        most = most.max(count.peak / scene.len());

        let mut detector = new();
        let each = used(|| assert!(detector.for_each(scene.columns(), |_| ()).is_ok()));
        assert_eq!(each.held, detector.scratch_bytes(), "{kind}: not all is told");
        assert!(each.peak <= limit, "{kind}: {} bytes a body", each.peak / scene.len());
    }
    assert_eq!(most, 75);
}

/// Static bodies: so few that no thread but the calling one sorts them.
const FIXED: u32 = 30_000;

/// Static sets tell what they hold, too; a set keeps what the next rebuilding needs.
#[test]
fn static_sets_of_every_scene() {
    let _turn = alone();
    Level::preferred().unwrap();
    for kind in SceneKind::ALL {
        let scene = Scene::generate(kind, bodies(kind).min(FIXED), 6);
        let mut set = StaticSet::default();
        let built = used(|| set.rebuild(scene.columns()).unwrap());
        assert_eq!(built.held, set.bytes(), "{kind}: not all is told");
        assert!(built.peak <= 100 * scene.len(), "{kind}: {}", built.held / scene.len());
        assert_eq!(used(|| set.rebuild(scene.columns()).unwrap()).calls, 0, "{kind}: rebuilt");

        let (mut moving, mut detector, mut pairs) = warm(kind, Motion::Drift);
        let mut hits = Vec::new();
        for step in 0..6 {
            moving.step();
            let lists = [bytes(&pairs), bytes(&hits)];
            let step_used = used(|| {
                detector.detect_with(moving.columns(), &set, &mut pairs, &mut hits).unwrap();
            });
            let grown = [bytes(&pairs), bytes(&hits)].into_iter().zip(lists).filter(|(a, b)| a > b);
            // The agenda of the first step, and the list of hits.
            assert!(step == 0 || step_used.calls == grown.count(), "{kind}, step {step}");
        }
    }
}

/// Bodies move, and nothing is allocated.
#[test]
fn every_scene_that_moves() {
    let _turn = alone();
    for kind in SceneKind::ALL {
        for motion in Motion::ALL {
            let (mut scene, mut detector, mut pairs) = warm(kind, motion);
            for step in 0..12 {
                scene.step();
                let used = used(|| detector.detect(scene.columns(), &mut pairs).unwrap());
                assert_eq!(used.calls, 0, "{kind}, {motion}, step {step}");
            }
        }
    }
}

/// On two threads, each task has a buffer of its own for the pairs that it finds: at most twice its
/// pairs, as a list that grows has, and two blocks of 2^12 pairs for the 2^12 bodies that a task has
/// at least. All else is as on one thread.
#[cfg(feature = "parallel")]
#[test]
fn scratch_on_two_threads() {
    let _turn = alone();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(2)
        .start_handler(|_| COUNTED.set(true))
        .exit_handler(|_| COUNTED.set(false))
        .build()
        .unwrap();
    for kind in SceneKind::ALL {
        let mut scene = Scene::generate(kind, bodies(kind), 5);
        let (mut detector, mut pairs) = (Detector::new().threads(Threads::Pool), Vec::new());
        pool.install(|| {
            for _ in 0..4 {
                detector.detect(scene.columns(), &mut pairs).unwrap();
                scene.step();
            }
            let mut counting = Detector::new().threads(Threads::Pool);
            counting.count(scene.columns()).unwrap();
            let without = counting.scratch_bytes();
            assert!(without <= 100 * scene.len(), "{kind}: {without}");
            let buffers = detector.scratch_bytes() - without;
            let most = size_of::<Pair>() * (2 * pairs.len() + 2 * scene.len()) + 200_000;
            assert!(buffers <= most, "{kind}: {buffers} bytes in buffers, at most {most}");
        });
    }
}
