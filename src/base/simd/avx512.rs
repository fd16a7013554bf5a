//! Sixteen lanes in a 512-bit register, and eight in 256 bits with the masks and the compress
//! instruction of AVX-512.

use std::arch::x86_64::*;

use super::{
    avx2::Avx2,
    map_each,
    ops::{forward, ops, proof, word_tests},
    vector::{ClassRow, Kernel, Simd},
};
use crate::base::Pair;

proof! {
    /// Proof that the CPU has AVX-512 F, BW, DQ and VL, BMI1, BMI2 and POPCNT.
    Avx512, also Avx512Half Avx2
}

impl Simd for Avx512 {
    const COMPRESSES: bool = true;
    const PREFETCHES: bool = true;
    type F32 = __m512;
    type Mask = __mmask16;
    type Half = Avx512Half;

    #[inline(always)]
    fn call<K: Kernel>(self, kernel: K) -> K::Output {
        // SAFETY: the token proves the features that the function enables.
        unsafe { run_avx512(self, kernel) }
    }

    ops! { unsafe
        fn splat(value: f32) -> __m512 = _mm512_set1_ps(value);
        fn add(a: __m512, b: __m512) -> __m512 = _mm512_add_ps(a, b);
        fn sub(a: __m512, b: __m512) -> __m512 = _mm512_sub_ps(a, b);
        fn mul(a: __m512, b: __m512) -> __m512 = _mm512_mul_ps(a, b);
        fn div(a: __m512, b: __m512) -> __m512 = _mm512_div_ps(a, b);
        fn sqrt(a: __m512) -> __m512 = _mm512_sqrt_ps(a);
        fn max(a: __m512, b: __m512) -> __m512 = _mm512_max_ps(a, b);
        fn min(a: __m512, b: __m512) -> __m512 = _mm512_min_ps(a, b);
        fn abs(a: __m512) -> __m512 = _mm512_abs_ps(a);
        fn neg(a: __m512) -> __m512 = _mm512_xor_ps(a, _mm512_set1_ps(-0.0));
        fn select(mask: __mmask16, yes: __m512, no: __m512) -> __m512 =
            _mm512_mask_blend_ps(mask, no, yes);
        fn le(a: __m512, b: __m512) -> __mmask16 = _mm512_cmp_ps_mask::<_CMP_LE_OQ>(a, b);
        fn lt(a: __m512, b: __m512) -> __mmask16 = _mm512_cmp_ps_mask::<_CMP_LT_OQ>(a, b);
    }

    #[inline(always)]
    fn load(self, column: &[f32], at: usize) -> __m512 {
        let lanes = &column[at..at + 16];
        // SAFETY: the token proves AVX-512; `lanes` is 16 readable values.
        unsafe { _mm512_loadu_ps(lanes.as_ptr()) }
    }

    #[inline(always)]
    fn gather(self, column: &[f32], rows: &[u32], at: usize) -> __m512 {
        let rows = &rows[at..at + 16];
        let len = u32::try_from(column.len()).unwrap_or(u32::MAX);
        // SAFETY: the token proves AVX-512; `rows` is 16 readable values. Only rows below `len` are
        // read, and `len` is at most the length of `column`.
        unsafe {
            let numbers = _mm512_loadu_si512(rows.as_ptr().cast());
            let beyond = _mm512_cmpge_epu32_mask(numbers, _mm512_set1_epi32(len as i32));
            assert!(beyond == 0, "a row beyond the column");
            let value = |lane: usize| *column.get_unchecked(rows[lane] as usize);
            _mm512_setr_ps(
                value(0),
                value(1),
                value(2),
                value(3),
                value(4),
                value(5),
                value(6),
                value(7),
                value(8),
                value(9),
                value(10),
                value(11),
                value(12),
                value(13),
                value(14),
                value(15),
            )
        }
    }

    #[inline(always)]
    fn store(self, value: __m512, column: &mut [f32], at: usize) {
        let lanes = &mut column[at..at + 16];
        // SAFETY: the token proves AVX-512; `lanes` is 16 writable values.
        unsafe { _mm512_storeu_ps(lanes.as_mut_ptr(), value) }
    }

    #[inline(always)]
    fn store_cells(self, column: __m512, row: __m512, stride: u32, cells: &mut [u32], at: usize) {
        let lanes = &mut cells[at..at + 16];
        // SAFETY: the token proves AVX-512; `lanes` is 16 writable values.
        unsafe {
            let (column, row) = (_mm512_cvttps_epi32(column), _mm512_cvttps_epi32(row));
            let row = _mm512_mullo_epi32(row, _mm512_set1_epi32(stride as i32));
            _mm512_storeu_si512(lanes.as_mut_ptr().cast(), _mm512_add_epi32(row, column));
        }
    }

    ops! {
        fn and(a: __mmask16, b: __mmask16) -> __mmask16 = a & b;
        fn or(a: __mmask16, b: __mmask16) -> __mmask16 = a | b;
        fn not(a: __mmask16) -> __mmask16 = !a;
        fn bits(mask: __mmask16) -> u32 = u32::from(mask);
    }

    // Columns are eight words, half a vector.
    forward! { to Avx2:
        fn prefetch<T>(value: &T);
        fn prefetch_at<T>(values: &[T], at: usize);
        fn transpose_four(rows: [&[u32; 4]; 8], columns: [&mut [u32; 8]; 4]);
        fn spread_first(words: &[u32; 16], out: &mut [[u32; 3]]);
    }

    // One vector holds columns `k` and `k + 8`, so both halves of the records are transposed
    // together, each as 8 x 8.
    #[inline(always)]
    fn records(self, columns: [&[u32; 8]; 16], records: &mut [[u32; 16]; 8]) {
        // SAFETY: the token proves AVX-512; a column is eight readable words, and a record sixteen
        // writable words.
        unsafe {
            let mut two = [_mm512_setzero_si512(); 8];
            for (k, two) in two.iter_mut().enumerate() {
                let low = _mm256_loadu_si256(columns[k].as_ptr().cast());
                let high = _mm256_loadu_si256(columns[k + 8].as_ptr().cast());
                *two = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high);
            }
            // `heads[j]` has the words of records `j` and `j + 4` of columns 0 to 3 and 8 to 11;
            // `tails[j]` has their words of columns 4 to 7 and 12 to 15.
            let [a, b, c, d, e, f, g, h] = two;
            let heads = four_of([a, b, c, d]);
            let tails = four_of([e, f, g, h]);
            let lower = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
            let upper = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
            let (first, second) = records.split_at_mut(4);
            for (j, (head, tail)) in heads.into_iter().zip(tails).enumerate() {
                let record = _mm512_permutex2var_epi64(head, lower, tail);
                _mm512_storeu_si512(first[j].as_mut_ptr().cast(), record);
                let record = _mm512_permutex2var_epi64(head, upper, tail);
                _mm512_storeu_si512(second[j].as_mut_ptr().cast(), record);
            }
        }
    }

    #[inline(always)]
    fn circle_distances(
        self,
        own: [f64; 3],
        circles: &[[u32; 4]],
        rows: &[u32; 8],
        out: &mut [[u32; 2]],
    ) {
        let columns = Avx2::from(self).circle_columns(circles, rows);
        let lanes = ((1 << out.len().min(8)) - 1) as __mmask8;
        // SAFETY: the token proves AVX-512; a column is eight readable words, and only places in
        // set lanes are written, which `out` has.
        unsafe {
            let [x, y, radius] = map_each([0, 1, 2], |column: usize| {
                _mm512_cvtps_pd(_mm256_loadu_ps(columns[column].as_ptr().cast()))
            });
            let x = _mm512_sub_pd(_mm512_set1_pd(own[0]), x);
            let y = _mm512_sub_pd(_mm512_set1_pd(own[1]), y);
            let square = _mm512_add_pd(_mm512_mul_pd(x, x), _mm512_mul_pd(y, y));
            let radii = _mm512_add_pd(_mm512_set1_pd(own[2]), radius);
            let gap = _mm512_sub_pd(_mm512_sqrt_pd(square), radii);
            let distances = _mm512_cvtpd_ps(_mm512_max_pd(gap, _mm512_setzero_pd()));
            let distances = _mm512_castsi256_si512(_mm256_castps_si256(distances));
            let words = _mm256_loadu_si256(columns[3].as_ptr().cast());
            let zip = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
            let items = _mm512_permutex2var_epi32(_mm512_castsi256_si512(words), zip, distances);
            _mm512_mask_storeu_epi64(out.as_mut_ptr().cast(), lanes, items);
        }
    }

    // Compresses in a register, then stores the whole vector: a compress directly to memory is
    // microcoded on Zen 4. More than eight hits are rare, so the second store is behind a branch.
    #[inline(always)]
    fn emit_pairs(self, out: &mut [Pair], id: u32, ids: &[u32], bits: u32) -> usize {
        let ids = &ids[..16];
        let room = &mut out[..16];
        let found = bits.count_ones() as usize;
        // SAFETY: the token proves AVX-512; `ids` is 16 readable values, and `room` 16 writable
        // pairs of two u32, which are two vectors.
        unsafe {
            let others = _mm512_loadu_si512(ids.as_ptr().cast());
            let others = _mm512_maskz_compress_epi32(bits as __mmask16, others);
            let own = _mm512_set1_epi32(id as i32);
            let smaller = _mm512_min_epu32(own, others);
            let larger = _mm512_max_epu32(own, others);
            let room: *mut __m512i = room.as_mut_ptr().cast();
            // Lane numbers from 16 on select from the second operand.
            let zip_low = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
            _mm512_storeu_si512(room, _mm512_permutex2var_epi32(smaller, zip_low, larger));
            if found > 8 {
                let zip_high = _mm512_add_epi32(zip_low, _mm512_set1_epi32(8));
                let high = _mm512_permutex2var_epi32(smaller, zip_high, larger);
                _mm512_storeu_si512(room.add(1), high);
            }
        }
        found
    }

    #[inline(always)]
    fn emit_ids(self, out: &mut [u32], at: usize, ids: &[u32], from: usize, bits: u32) -> usize {
        let ids = &ids[from..from + 16];
        let room = &mut out[at..at + 16];
        // SAFETY: the token proves AVX-512; `ids` is 16 readable and `room` 16 writable values.
        unsafe {
            let others = _mm512_loadu_si512(ids.as_ptr().cast());
            let hits = _mm512_maskz_compress_epi32(bits as __mmask16, others);
            _mm512_storeu_si512(room.as_mut_ptr().cast(), hits);
        }
        bits.count_ones() as usize
    }

    #[inline(always)]
    fn within(self, classes: &[u8], at: usize, row: &ClassRow, _: u32) -> u32 {
        let classes = &classes[at..at + 16];
        // SAFETY: the token proves AVX-512; `classes` is 16 readable bytes, and a row is 8 words.
        unsafe {
            let classes = _mm512_cvtepu8_epi32(_mm_loadu_si128(classes.as_ptr().cast()));
            let row = _mm512_broadcast_i64x4(_mm256_loadu_si256(row.words().as_ptr().cast()));
            // The four lowest bits of a class count here. The row is there twice.
            let words = _mm512_permutexvar_epi32(classes, row);
            let signs = _mm512_sllv_epi32(words, _mm512_srli_epi32::<3>(classes));
            u32::from(_mm512_movepi32_mask(signs))
        }
    }

    word_tests! { _mm512_loadu_si512, _mm512_set1_epi32:
        fn equal(words, word) = u32::from(_mm512_cmpeq_epi32_mask(words, word));
        fn above(words, word) = u32::from(_mm512_cmpgt_epu32_mask(words, word));
        fn common(words, word) = u32::from(_mm512_test_epi32_mask(words, word));
    }
}

/// Transposes four vectors by quarters, each as 4 x 4 words: quarter `q` of result `j` has word `j`
/// of quarter `q` of each vector.
///
/// # Safety
/// The CPU must have AVX-512 F.
#[inline(always)]
unsafe fn four_of([a, b, c, d]: [__m512i; 4]) -> [__m512i; 4] {
    // SAFETY: the caller guarantees AVX-512 F.
    unsafe {
        let (ab_low, ab_high) = (_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b));
        let (cd_low, cd_high) = (_mm512_unpacklo_epi32(c, d), _mm512_unpackhi_epi32(c, d));
        [
            _mm512_unpacklo_epi64(ab_low, cd_low),
            _mm512_unpackhi_epi64(ab_low, cd_low),
            _mm512_unpacklo_epi64(ab_high, cd_high),
            _mm512_unpackhi_epi64(ab_high, cd_high),
        ]
    }
}

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
