//! Memory that runs out is an error.
//!
//! Long lists, as long as the input or the answer, are allocated by calls that can fail, here
//! and in the library. Small blocks (boxes, the queue of a pool, the first items of a list) are
//! also allocated where the standard library would end the process. If the system has no memory
//! for such a block, it comes from a reserve, and the call goes on to the next list that it asks
//! for. The reserve has room in the address space; it takes memory only once it is needed.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::{Cell, UnsafeCell},
    ffi::{c_int, c_void},
    mem::MaybeUninit,
    ptr,
    sync::atomic::{AtomicU64, Ordering},
};

use bytemuck::{Zeroable, allocation::try_zeroed_vec};
use widephase::Error;

/// The items of an iterator with this many items.
pub fn listed<T>(len: usize, items: impl Iterator<Item = T>) -> Result<Vec<T>, Error> {
    let mut list = with_room(len)?;
    list.extend(items);
    Ok(list)
}

/// An empty list with room for this many items.
pub fn with_room<T>(len: usize) -> Result<Vec<T>, Error> {
    let mut list = Vec::new();
    list.try_reserve_exact(len).map_err(|_| Error::OutOfMemory { len })?;
    Ok(list)
}

/// A list of this many equal items.
pub fn filled<T: Clone>(item: T, len: usize) -> Result<Vec<T>, Error> {
    let mut list = with_room(len)?;
    list.resize(len, item);
    Ok(list)
}

/// A list of zeros.
pub fn zeros<T: Zeroable>(len: usize) -> Result<Vec<T>, Error> {
    try_zeroed_vec(len).map_err(|()| Error::OutOfMemory { len })
}

/// Calls `take` with each record and its place, piece by piece from the end, and gives back the
/// memory of the pieces: what is made of the records and the records are not both there as a whole.
pub fn take_pieces<T>(mut records: Vec<T>, mut take: impl FnMut(usize, &T)) {
    /// The records of a piece.
    const PIECE: usize = 1 << 18;
    while !records.is_empty() {
        let start = (records.len() - 1) / PIECE * PIECE;
        for (place, record) in (start..).zip(&records[start..]) {
            take(place, record);
        }
        records.truncate(start);
        records.shrink_to_fit();
    }
}

/// Asks the system for this much memory, and gives it back: for code that cannot fail.
pub fn ask(bytes: usize) -> Result<(), Error> {
    let mut room: Vec<u8> = with_room(bytes)?;
    // An allocation that is not used would be left out by the compiler.
    std::hint::black_box(&mut room);
    Ok(())
}

/// A copy of a list.
pub fn copied<T: Copy>(items: &[T]) -> Result<Vec<T>, Error> {
    let mut list = with_room(items.len())?;
    list.extend_from_slice(items);
    Ok(list)
}

/// The allocator of the system, with the reserve.
struct Reserved;

#[global_allocator]
static ALLOCATOR: Reserved = Reserved;

/// The bytes of the reserve.
const ROOM: usize = 16 << 20;

/// The largest block of the reserve: lists that grow begin with smaller ones.
const MOST: usize = 1 << 20;

#[repr(align(4096))]
struct Room(UnsafeCell<MaybeUninit<[u8; ROOM]>>);

// SAFETY: each block is handed out once.
unsafe impl Sync for Room {}

static RESERVE: Room = Room(UnsafeCell::new(MaybeUninit::uninit()));

/// The end of the last block in the low 32 bits, the number of blocks in the high ones. It is no
/// lock, which a fork could leave locked.
static BLOCKS: AtomicU64 = AtomicU64::new(0);

/// One block more.
const BLOCK: u64 = 1 << 32;

fn start() -> usize {
    RESERVE.0.get().addr()
}

/// Whether a block is of the reserve.
#[inline(always)]
fn is_reserved(block: *mut u8) -> bool {
    block.addr().wrapping_sub(start()) < ROOM
}

/// A block of the reserve; null if it is too large or there is no room.
#[cold]
fn reserved(layout: Layout) -> *mut u8 {
    let (size, align) = (layout.size(), layout.align());
    if size > MOST || align > 4096 {
        return ptr::null_mut();
    }
    let mut before = BLOCKS.load(Ordering::Relaxed);
    loop {
        let first = (before as u32 as usize).next_multiple_of(align);
        let end = first + size;
        if end > ROOM {
            return ptr::null_mut();
        }
        let after = (before & !(BLOCK - 1)) + BLOCK + end as u64;
        match BLOCKS.compare_exchange_weak(before, after, Ordering::Acquire, Ordering::Relaxed) {
            Ok(_) => return RESERVE.0.get().cast::<u8>().wrapping_add(first),
            Err(now) => before = now,
        }
    }
}

/// Takes back a block of the reserve.
#[cold]
fn give_back(block: *mut u8, size: usize) {
    let first = block.addr() - start();
    let mut before = BLOCKS.load(Ordering::Relaxed);
    loop {
        let (blocks, end) = (before >> 32, before as u32 as usize);
        let end = match blocks {
            // It was the only block.
            1 => 0,
            _ if end == first + size => first,
            _ => end,
        };
        let after = (blocks - 1) << 32 | end as u64;
        match BLOCKS.compare_exchange_weak(before, after, Ordering::Release, Ordering::Relaxed) {
            Ok(_) => return,
            Err(now) => before = now,
        }
    }
}

thread_local! {
    /// Whether blocks of this thread are of huge pages.
    static HUGE: Cell<bool> = const { Cell::new(false) };
}

/// While it is there, large blocks of this thread ask Linux for huge pages, as arrays of numpy do. A
/// call that fills large blocks from begin to end spends a third of its time on small pages. Huge
/// pages of a block that is filled here and there would take memory for nothing.
pub struct HugePages(());

impl HugePages {
    pub fn ask() -> Self {
        HUGE.set(true);
        Self(())
    }
}

impl Drop for HugePages {
    fn drop(&mut self) {
        HUGE.set(false);
    }
}

/// Asks for huge pages of a large block.
#[inline]
fn advise(block: *mut u8, size: usize) {
    /// The least block, as in numpy.
    const LEAST: usize = 1 << 22;
    const PAGE: usize = 4096;
    if size >= LEAST && !block.is_null() && HUGE.get() {
        let skipped = block.addr().next_multiple_of(PAGE) - block.addr();
        let pages = (size - skipped) / PAGE * PAGE;
        advise_pages(block.wrapping_add(skipped), pages);
    }
}

#[cfg(target_os = "linux")]
#[cold]
fn advise_pages(first: *mut u8, size: usize) {
    unsafe extern "C" {
        fn madvise(first: *mut c_void, size: usize, advice: c_int) -> c_int;
    }
    const HUGE_PAGES: c_int = 14;
    // SAFETY: the pages are of a block of the caller, and keep their content. A system without huge
    // pages answers with an error, and nothing changes.
    unsafe { madvise(first.cast(), size, HUGE_PAGES) };
}

#[cfg(not(target_os = "linux"))]
fn advise_pages(_: *mut u8, _: usize) {}

// SAFETY: each block is one of the system, or of the reserve, where no two blocks overlap; it goes
// back to where it came from. Nothing unwinds.
unsafe impl GlobalAlloc for Reserved {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract, which is the contract of `System`.
        let block = unsafe { System.alloc(layout) };
        advise(block, layout.size());
        if block.is_null() { reserved(layout) } else { block }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        let block = unsafe { System.alloc_zeroed(layout) };
        advise(block, layout.size());
        if !block.is_null() {
            return block;
        }
        let block = reserved(layout);
        if !block.is_null() {
            // SAFETY: the block has this size.
            unsafe { block.write_bytes(0, layout.size()) };
        }
        block
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if is_reserved(block) {
            return give_back(block, layout.size());
        }
        // SAFETY: as above; the block is of `System`.
        unsafe { System.dealloc(block, layout) }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !is_reserved(block) {
            // SAFETY: as above; the block is of `System`.
            let moved = unsafe { System.realloc(block, layout, size) };
            if size > layout.size() {
                advise(moved, size);
            }
            if !moved.is_null() {
                return moved;
            }
        }
        // SAFETY: the caller guarantees that the size is valid for the alignment.
        let wanted = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        // SAFETY: the size is not 0, as the caller guarantees.
        let moved = unsafe { self.alloc(wanted) };
        if !moved.is_null() {
            // SAFETY: both blocks have so many bytes, and they are two; the old one came from here.
            unsafe {
                moved.copy_from_nonoverlapping(block, layout.size().min(size));
                self.dealloc(block, layout);
            }
        }
        moved
    }
}
