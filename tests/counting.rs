//! A counting allocator for the memory tests, and a lock that runs one test at a time.
//!
//! It counts the threads that take part: a test's own thread, and those of a pool created for it.
//! It is not a part of `common`, because it would then be the allocator of every test.
#![allow(unsafe_code, reason = "a global allocator cannot be had without")]

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};

/// The system's allocator, with a count of the bytes that [`COUNTED`] threads hold. If they free
/// bytes that they have not allocated, the count wraps. Only differences of the count are used.
struct Counting;

static CALLS: AtomicUsize = AtomicUsize::new(0);
static HELD: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// Whether this thread is counted. Constant and without a destructor: it allocates nothing.
    pub(crate) static COUNTED: Cell<bool> = const { Cell::new(false) };
}

/// Records that a block of `old` bytes is replaced by a block of `new` bytes. While a block moves,
/// both blocks exist: the peak is the peak of a block that cannot grow in place.
fn note(old: usize, new: usize) {
    if COUNTED.with(Cell::get) {
        CALLS.fetch_add(usize::from(new > 0), Relaxed);
        let both = HELD.fetch_add(new, Relaxed).wrapping_add(new);
        PEAK.fetch_max(both, Relaxed);
        HELD.fetch_sub(old, Relaxed);
    }
}

// SAFETY: every method passes its arguments to `System`, which keeps the contract of the trait;
// `note` neither allocates nor unwinds.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(0, layout.size());
        // SAFETY: the caller keeps the contract of `alloc`, which is the contract of `System`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        note(0, layout.size());
        // SAFETY: as in `alloc`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note(layout.size(), size);
        // SAFETY: `block` came from this allocator, so from `System`; otherwise as in `alloc`.
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

/// The effect of some work on the memory of the counted threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Used {
    /// The number of allocations.
    pub(crate) calls: usize,
    /// Additional bytes held: at the end (`held`) and at most (`peak`).
    pub(crate) held: usize,
    pub(crate) peak: usize,
}

/// Runs `work` and returns its effect.
pub(crate) fn used(work: impl FnOnce()) -> Used {
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

/// Runs one test at a time.
pub(crate) fn alone() -> impl Drop {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
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
