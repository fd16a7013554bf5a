//! Eight lanes in a 256-bit register, with the masks and the compress instruction of AVX-512.

use std::arch::x86_64::*;

use super::{
    avx2::Avx2,
    map_each,
    ops::{forward, ops, proof},
    vector::{ClassRow, Kernel, Simd},
};
use crate::base::Pair;

proof! {
    /// Proves the same features as [`Avx512`](super::avx512::Avx512), for kernels whose runs are
    /// mostly shorter than a vector of eight: half of sixteen lanes would be loaded and tested for
    /// nothing.
    Avx512Half, also Avx2
}

impl Simd for Avx512Half {
    const COMPRESSES: bool = true;
    const EMITS_TWO_AT_ONCE: bool = true;
    const PREFETCHES: bool = true;
    type F32 = __m256;
    type Mask = __mmask8;
    type Half = Self;

    #[inline(always)]
    fn call<K: Kernel>(self, kernel: K) -> K::Output {
        // SAFETY: the token proves the features that the function enables.
        unsafe { run_avx512(self, kernel) }
    }

    forward! { to Avx2:
        fn prefetch<T>(value: &T);
        fn prefetch_at<T>(values: &[T], at: usize);
        fn splat(value: f32) -> __m256;
        fn load(column: &[f32], at: usize) -> __m256;
        fn gather(column: &[f32], rows: &[u32], at: usize) -> __m256;
        fn store(value: __m256, column: &mut [f32], at: usize);
        fn store_cells(column: __m256, row: __m256, stride: u32, cells: &mut [u32], at: usize);
        fn add(a: __m256, b: __m256) -> __m256;
        fn sub(a: __m256, b: __m256) -> __m256;
        fn mul(a: __m256, b: __m256) -> __m256;
        fn div(a: __m256, b: __m256) -> __m256;
        fn sqrt(a: __m256) -> __m256;
        fn max(a: __m256, b: __m256) -> __m256;
        fn min(a: __m256, b: __m256) -> __m256;
        fn abs(a: __m256) -> __m256;
        fn neg(a: __m256) -> __m256;
        fn transpose_four(rows: [&[u32; 4]; 8], columns: [&mut [u32; 8]; 4]);
        fn emit_ids(out: &mut [u32], at: usize, ids: &[u32], from: usize, bits: u32) -> usize;
        fn common(words: &[u32], at: usize, word: u32) -> u32;
        fn above(words: &[u32], at: usize, word: u32) -> u32;
        fn within(classes: &[u8], at: usize, row: &ClassRow, lanes: u32) -> u32;
        fn equal(words: &[u32], at: usize, word: u32) -> u32;
    }

    ops! { unsafe
        fn select(mask: __mmask8, yes: __m256, no: __m256) -> __m256 =
            _mm256_mask_blend_ps(mask, no, yes);
        fn le(a: __m256, b: __m256) -> __mmask8 = _mm256_cmp_ps_mask::<_CMP_LE_OQ>(a, b);
        fn lt(a: __m256, b: __m256) -> __mmask8 = _mm256_cmp_ps_mask::<_CMP_LT_OQ>(a, b);
    }

    ops! {
        fn and(a: __mmask8, b: __mmask8) -> __mmask8 = a & b;
        fn or(a: __mmask8, b: __mmask8) -> __mmask8 = a | b;
        fn not(a: __mmask8) -> __mmask8 = !a;
        fn bits(mask: __mmask8) -> u32 = u32::from(mask);
    }

    #[inline(always)]
    fn emit_pairs(self, out: &mut [Pair], id: u32, ids: &[u32], bits: u32) -> usize {
        let ids = &ids[..8];
        let room = &mut out[..8];
        let found = bits.count_ones() as usize;
        // SAFETY: the token proves AVX-512; `ids` is 8 readable values, and `room` 8 writable pairs
        // of two u32, which are two vectors.
        unsafe {
            let others = _mm256_loadu_si256(ids.as_ptr().cast());
            let others = _mm256_maskz_compress_epi32(bits as __mmask8, others);
            let own = _mm256_set1_epi32(id as i32);
            let smaller = _mm256_min_epu32(own, others);
            let larger = _mm256_max_epu32(own, others);
            let room: *mut __m256i = room.as_mut_ptr().cast();
            // Lane numbers from 8 on select from the second operand.
            let zip_low = _mm256_setr_epi32(0, 8, 1, 9, 2, 10, 3, 11);
            _mm256_storeu_si256(room, _mm256_permutex2var_epi32(smaller, zip_low, larger));
            if found > 4 {
                let zip_high = _mm256_setr_epi32(4, 12, 5, 13, 6, 14, 7, 15);
                let high = _mm256_permutex2var_epi32(smaller, zip_high, larger);
                _mm256_storeu_si256(room.add(1), high);
            }
        }
        found
    }

    // Compresses both runs in one vector of sixteen lanes.
    #[inline(always)]
    fn emit_two<const MANY: bool>(
        self,
        out: &mut [Pair],
        at: usize,
        id: u32,
        ids: &[u32],
        from: [usize; 2],
        bits: u32,
    ) -> usize {
        let [first, second] = map_each(from, |from| &ids[from..from + 8]);
        let room = &mut out[at..at + 16];
        let found = bits.count_ones() as usize;
        // SAFETY: the token proves AVX-512; `first` and `second` are 8 readable values each, and
        // `room` 16 writable pairs of two u32, which are four vectors.
        unsafe {
            let first = _mm512_castsi256_si512(_mm256_loadu_si256(first.as_ptr().cast()));
            let second = _mm256_loadu_si256(second.as_ptr().cast());
            let others = _mm512_inserti64x4::<1>(first, second);
            let others = _mm512_maskz_compress_epi32(bits as __mmask16, others);
            let room: *mut __m256i = room.as_mut_ptr().cast();
            let own = _mm256_set1_epi32(id as i32);
            // Lane numbers from 8 on select from the second operand.
            let zip_low = _mm256_setr_epi32(0, 8, 1, 9, 2, 10, 3, 11);
            let zip_high = _mm256_setr_epi32(4, 12, 5, 13, 6, 14, 7, 15);
            let low = _mm512_castsi512_si256(others);
            let (smaller, larger) = (_mm256_min_epu32(own, low), _mm256_max_epu32(own, low));
            _mm256_storeu_si256(room, _mm256_permutex2var_epi32(smaller, zip_low, larger));
            if MANY || found > 4 {
                let high = _mm256_permutex2var_epi32(smaller, zip_high, larger);
                _mm256_storeu_si256(room.add(1), high);
                let rest = _mm512_extracti64x4_epi64::<1>(others);
                let (smaller, larger) = (_mm256_min_epu32(own, rest), _mm256_max_epu32(own, rest));
                let low = _mm256_permutex2var_epi32(smaller, zip_low, larger);
                let high = _mm256_permutex2var_epi32(smaller, zip_high, larger);
                _mm256_storeu_si256(room.add(2), low);
                _mm256_storeu_si256(room.add(3), high);
            }
        }
        found
    }
}

/// The function for this level, for vectors of either width: see [`Simd::call`].
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,avx512f,avx512bw,avx512dq,avx512vl")]
pub(super) fn run_avx512<S: Simd, K: Kernel>(token: S, kernel: K) -> K::Output {
    kernel.run(token)
}
