//! Prefetches on the SIMD levels that every CPU has.

/// Prefetches the cache line of `values[at]` on CPUs whose baseline has an instruction for it. `at`
/// may be out of bounds; see [`Simd::prefetch_at`](super::Simd::prefetch_at).
#[inline(always)]
pub(crate) fn baseline<T>(values: &[T], at: usize) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 CPU has SSE; no memory is accessed.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(values.as_ptr().wrapping_add(at).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (values, at);
}
