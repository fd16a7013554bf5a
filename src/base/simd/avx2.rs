//! Eight lanes in a 256-bit register.

use std::arch::x86_64::*;

use super::{
    map_each,
    ops::{ops, proof, word_tests},
    vector::{ClassRow, Kernel, Simd},
};
use crate::base::Pair;

proof! {
    /// Proof that the CPU has AVX2, BMI1, BMI2 and POPCNT.
    Avx2, also
}

/// For each 8-bit mask, the lanes of its set bits, lowest first, as eight bytes.
static COMPRESS: [[u8; 8]; 256] = lane_orders([0, 1, 2, 3, 4, 5, 6, 7]);

/// As [`COMPRESS`], placed so that the in-lane unpacks of [`Avx2::emit_pairs`] leave the pairs in
/// order: `unpacklo` reads lanes 0, 1, 4, 5 and `unpackhi` lanes 2, 3, 6, 7.
static COMPRESS_FOR_UNPACK: [[u8; 8]; 256] = lane_orders([0, 1, 4, 5, 2, 3, 6, 7]);

/// Makes a table whose entry for a mask has the lane of its `k`-th set bit at position `place[k]`.
const fn lane_orders(place: [usize; 8]) -> [[u8; 8]; 256] {
    let mut table = [[0; 8]; 256];
    let mut mask = 0;
    while mask < 256 {
        let mut found = 0;
        let mut lane = 0;
        while lane < 8 {
            if mask >> lane & 1 == 1 {
                table[mask][place[found]] = lane as u8;
                found += 1;
            }
            lane += 1;
        }
        mask += 1;
    }
    table
}

impl Avx2 {
    /// The entry of `table` for `mask`, as lane numbers for `_mm256_permutevar8x32_epi32`.
    #[inline(always)]
    fn lane_order(self, table: &'static [[u8; 8]; 256], mask: u8) -> __m256i {
        let order = i64::from_le_bytes(table[usize::from(mask)]);
        // SAFETY: the token proves AVX2.
        unsafe { _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(order)) }
    }

    /// The circles in eight rows as columns; panics if a row is beyond the circles.
    #[inline(always)]
    pub(super) fn circle_columns(self, circles: &[[u32; 4]], rows: &[u32; 8]) -> [[u32; 8]; 4] {
        let len = u32::try_from(circles.len()).unwrap_or(u32::MAX);
        let mut columns = [[0; 8]; 4];
        let [x, y, radius, words] = &mut columns;
        // SAFETY: the token proves AVX2; `rows` is 8 readable values. Only rows below `len` are
        // read, and `len` is at most the number of circles.
        let records = unsafe {
            let numbers = _mm256_loadu_si256(rows.as_ptr().cast());
            let not_below = _mm256_max_epu32(numbers, _mm256_set1_epi32(len as i32));
            let beyond = _mm256_cmpeq_epi32(not_below, numbers);
            assert!(_mm256_testz_si256(beyond, beyond) == 1, "a row beyond the circles");
            map_each(*rows, |row| circles.get_unchecked(row as usize))
        };
        self.transpose_four(records, [x, y, radius, words]);
        columns
    }

    /// The words with a zero behind each two. Each vector is made of the eight words from one place
    /// on.
    #[inline(always)]
    fn spread_words(self, words: &[u32; 16]) -> [__m256i; 3] {
        [
            self.ordered(&words[..8], [0, 1, -1, 2, 3, -1, 4, 5]),
            self.ordered(&words[6..14], [-1, 0, 1, -1, 2, 3, -1, 4]),
            self.ordered(&words[8..], [3, -1, 4, 5, -1, 6, 7, -1]),
        ]
    }

    /// Eight words in another order: which of them goes where, or none where it is negative.
    #[inline(always)]
    fn ordered(self, words: &[u32], [a, b, c, d, e, f, g, h]: [i32; 8]) -> __m256i {
        let words = &words[..8];
        // SAFETY: the token proves AVX2; `words` is eight readable words.
        unsafe {
            let order = _mm256_setr_epi32(a, b, c, d, e, f, g, h);
            let words = _mm256_loadu_si256(words.as_ptr().cast());
            let moved = _mm256_permutevar8x32_epi32(words, order);
            _mm256_andnot_si256(_mm256_srai_epi32::<31>(order), moved)
        }
    }
}

impl Simd for Avx2 {
    const COMPRESSES: bool = true;
    const PREFETCHES: bool = true;
    type F32 = __m256;
    type Mask = __m256;
    type Half = Self;

    #[inline(always)]
    fn call<K: Kernel>(self, kernel: K) -> K::Output {
        // SAFETY: the token proves the features that the function enables.
        unsafe { run_avx2(self, kernel) }
    }

    ops! { unsafe
        fn splat(value: f32) -> __m256 = _mm256_set1_ps(value);
        fn add(a: __m256, b: __m256) -> __m256 = _mm256_add_ps(a, b);
        fn sub(a: __m256, b: __m256) -> __m256 = _mm256_sub_ps(a, b);
        fn mul(a: __m256, b: __m256) -> __m256 = _mm256_mul_ps(a, b);
        fn div(a: __m256, b: __m256) -> __m256 = _mm256_div_ps(a, b);
        fn sqrt(a: __m256) -> __m256 = _mm256_sqrt_ps(a);
        fn max(a: __m256, b: __m256) -> __m256 = _mm256_max_ps(a, b);
        fn min(a: __m256, b: __m256) -> __m256 = _mm256_min_ps(a, b);
        fn abs(a: __m256) -> __m256 = _mm256_andnot_ps(_mm256_set1_ps(-0.0), a);
        fn neg(a: __m256) -> __m256 = _mm256_xor_ps(a, _mm256_set1_ps(-0.0));
        fn select(mask: __m256, yes: __m256, no: __m256) -> __m256 =
            _mm256_blendv_ps(no, yes, mask);
        fn le(a: __m256, b: __m256) -> __m256 = _mm256_cmp_ps::<_CMP_LE_OQ>(a, b);
        fn lt(a: __m256, b: __m256) -> __m256 = _mm256_cmp_ps::<_CMP_LT_OQ>(a, b);
        fn and(a: __m256, b: __m256) -> __m256 = _mm256_and_ps(a, b);
        fn or(a: __m256, b: __m256) -> __m256 = _mm256_or_ps(a, b);
        fn not(a: __m256) -> __m256 = _mm256_xor_ps(a, _mm256_castsi256_ps(_mm256_set1_epi32(-1)));
        fn bits(mask: __m256) -> u32 = _mm256_movemask_ps(mask) as u32;
    }

    #[inline(always)]
    fn load(self, column: &[f32], at: usize) -> __m256 {
        let lanes = &column[at..at + 8];
        // SAFETY: the token proves AVX2; `lanes` is 8 readable values.
        unsafe { _mm256_loadu_ps(lanes.as_ptr()) }
    }

    #[inline(always)]
    fn gather(self, column: &[f32], rows: &[u32], at: usize) -> __m256 {
        let rows = &rows[at..at + 8];
        let len = u32::try_from(column.len()).unwrap_or(u32::MAX);
        // SAFETY: the token proves AVX2; `rows` is 8 readable values. Only rows below `len` are
        // read, and `len` is at most the length of `column`.
        unsafe {
            let numbers = _mm256_loadu_si256(rows.as_ptr().cast());
            let not_below = _mm256_max_epu32(numbers, _mm256_set1_epi32(len as i32));
            let beyond = _mm256_cmpeq_epi32(not_below, numbers);
            assert!(_mm256_testz_si256(beyond, beyond) == 1, "a row beyond the column");
            let value = |lane: usize| *column.get_unchecked(rows[lane] as usize);
            _mm256_setr_ps(
                value(0),
                value(1),
                value(2),
                value(3),
                value(4),
                value(5),
                value(6),
                value(7),
            )
        }
    }

    #[inline(always)]
    fn store(self, value: __m256, column: &mut [f32], at: usize) {
        let lanes = &mut column[at..at + 8];
        // SAFETY: the token proves AVX2; `lanes` is 8 writable values.
        unsafe { _mm256_storeu_ps(lanes.as_mut_ptr(), value) }
    }

    #[inline(always)]
    fn store_cells(self, column: __m256, row: __m256, stride: u32, cells: &mut [u32], at: usize) {
        let lanes = &mut cells[at..at + 8];
        // SAFETY: the token proves AVX2; `lanes` is 8 writable values.
        unsafe {
            let (column, row) = (_mm256_cvttps_epi32(column), _mm256_cvttps_epi32(row));
            let row = _mm256_mullo_epi32(row, _mm256_set1_epi32(stride as i32));
            _mm256_storeu_si256(lanes.as_mut_ptr().cast(), _mm256_add_epi32(row, column));
        }
    }

    #[inline(always)]
    fn prefetch<T>(self, value: &T) {
        // SAFETY: AVX2, which the token proves, includes SSE; no memory is accessed.
        unsafe { _mm_prefetch::<_MM_HINT_T0>((value as *const T).cast()) }
    }

    // For writing, which requests exclusive ownership of the cache line. On CPUs without this hint,
    // the instruction does nothing, or prefetches for reading.
    #[inline(always)]
    fn prefetch_at<T>(self, values: &[T], at: usize) {
        // SAFETY: AVX2, which the token proves, includes SSE; no memory is accessed.
        unsafe { _mm_prefetch::<_MM_HINT_ET0>(values.as_ptr().wrapping_add(at).cast()) }
    }

    // Loads rows 0 to 3 into the low half and rows 4 to 7 into the high half. The remaining step is
    // a transposition of 4 x 4 within each 128-bit lane.
    #[inline(always)]
    fn transpose_four(self, rows: [&[u32; 4]; 8], columns: [&mut [u32; 8]; 4]) {
        // SAFETY: the token proves AVX2; a row is four readable words, and a column is eight
        // writable words.
        unsafe {
            let mut two = [_mm256_setzero_ps(); 4];
            for (row, two) in two.iter_mut().enumerate() {
                let low = _mm_loadu_ps(rows[row].as_ptr().cast());
                let high = _mm_loadu_ps(rows[row + 4].as_ptr().cast());
                *two = _mm256_insertf128_ps::<1>(_mm256_castps128_ps256(low), high);
            }
            let [a, b, c, d] = two;
            let (ab_low, ab_high) = (_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b));
            let (cd_low, cd_high) = (_mm256_unpacklo_ps(c, d), _mm256_unpackhi_ps(c, d));
            let four = [
                _mm256_shuffle_ps::<0b01_00_01_00>(ab_low, cd_low),
                _mm256_shuffle_ps::<0b11_10_11_10>(ab_low, cd_low),
                _mm256_shuffle_ps::<0b01_00_01_00>(ab_high, cd_high),
                _mm256_shuffle_ps::<0b11_10_11_10>(ab_high, cd_high),
            ];
            for (column, words) in columns.into_iter().zip(four) {
                _mm256_storeu_ps(column.as_mut_ptr().cast(), words);
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
        /// Eight lanes that are set, then eight that are not.
        static LANES: [i64; 16] = [-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0];
        let columns = self.circle_columns(circles, rows);
        let len = out.len();
        let lanes: &[i64] = &LANES[8 - len..16 - len];
        // SAFETY: the token proves AVX2; a column is eight readable words, `lanes` is eight
        // readable values, and only places in set lanes of `lanes` are written, which are the
        // places of `out`.
        unsafe {
            let own = map_each(own, |value| _mm256_set1_pd(value));
            let room: *mut i64 = out.as_mut_ptr().cast();
            for part in 0..2 {
                let [x, y, radius, words] = map_each(columns.each_ref(), |column| {
                    _mm_loadu_ps(column.as_ptr().add(4 * part).cast())
                });
                let x = _mm256_sub_pd(own[0], _mm256_cvtps_pd(x));
                let y = _mm256_sub_pd(own[1], _mm256_cvtps_pd(y));
                let square = _mm256_add_pd(_mm256_mul_pd(x, x), _mm256_mul_pd(y, y));
                let radii = _mm256_add_pd(own[2], _mm256_cvtps_pd(radius));
                let gap = _mm256_sub_pd(_mm256_sqrt_pd(square), radii);
                let distances = _mm256_cvtpd_ps(_mm256_max_pd(gap, _mm256_setzero_pd()));
                let low = _mm256_castps128_ps256(_mm_unpacklo_ps(words, distances));
                let high = _mm_unpackhi_ps(words, distances);
                let items = _mm256_castps_si256(_mm256_insertf128_ps::<1>(low, high));
                let room = room.wrapping_add(4 * part);
                if len == 8 {
                    _mm256_storeu_si256(room.cast(), items);
                } else {
                    let lanes = _mm256_loadu_si256(lanes.as_ptr().add(4 * part).cast());
                    _mm256_maskstore_epi64(room, lanes, items);
                }
            }
        }
    }

    #[inline(always)]
    fn spread(self, words: &[u32; 16], out: &mut [u32; 24]) {
        for (spread, room) in self.spread_words(words).into_iter().zip(out.chunks_exact_mut(8)) {
            // SAFETY: the token proves AVX2; `room` is eight writable words.
            unsafe { _mm256_storeu_si256(room.as_mut_ptr().cast(), spread) }
        }
    }

    #[inline(always)]
    fn spread_first(self, words: &[u32; 16], out: &mut [[u32; 3]]) {
        /// 24 lanes that are set, then 24 that are not.
        static LANES: [i32; 48] = {
            let mut lanes = [0; 48];
            let mut lane = 0;
            while lane < 24 {
                lanes[lane] = -1;
                lane += 1;
            }
            lanes
        };
        if let Some(all) = out.as_flattened_mut().first_chunk_mut() {
            return self.spread(words, all);
        }
        let len = 3 * out.len();
        let lanes: &[i32] = &LANES[24 - len..48 - len];
        let room: *mut i32 = out.as_mut_ptr().cast();
        for (part, spread) in self.spread_words(words).into_iter().enumerate() {
            // SAFETY: the token proves AVX2; `lanes` is 24 readable values, and only words in set
            // lanes of `lanes` are written, which are the words of `out`.
            unsafe {
                let lanes = _mm256_loadu_si256(lanes.as_ptr().add(8 * part).cast());
                _mm256_maskstore_epi32(room.wrapping_add(8 * part), lanes, spread);
            }
        }
    }

    // AVX2 has no compress instruction. A table has, for each mask, the permutation that moves the
    // hits to the front.
    #[inline(always)]
    fn emit_pairs(self, out: &mut [Pair], id: u32, ids: &[u32], bits: u32) -> usize {
        let ids = &ids[..8];
        let room = &mut out[..8];
        let order = self.lane_order(&COMPRESS_FOR_UNPACK, bits as u8);
        let found = bits.count_ones() as usize;
        // SAFETY: the token proves AVX2; `ids` is 8 readable values, and `room` 8 writable pairs of
        // two u32, which are two vectors.
        unsafe {
            let others = _mm256_loadu_si256(ids.as_ptr().cast());
            let others = _mm256_permutevar8x32_epi32(others, order);
            let own = _mm256_set1_epi32(id as i32);
            let smaller = _mm256_min_epu32(own, others);
            let larger = _mm256_max_epu32(own, others);
            let room: *mut __m256i = room.as_mut_ptr().cast();
            _mm256_storeu_si256(room, _mm256_unpacklo_epi32(smaller, larger));
            if found > 4 {
                _mm256_storeu_si256(room.add(1), _mm256_unpackhi_epi32(smaller, larger));
            }
        }
        found
    }

    #[inline(always)]
    fn emit_ids(self, out: &mut [u32], at: usize, ids: &[u32], from: usize, bits: u32) -> usize {
        let ids = &ids[from..from + 8];
        let room = &mut out[at..at + 8];
        let order = self.lane_order(&COMPRESS, bits as u8);
        // SAFETY: the token proves AVX2; `ids` is 8 readable and `room` 8 writable values.
        unsafe {
            let others = _mm256_loadu_si256(ids.as_ptr().cast());
            let others = _mm256_permutevar8x32_epi32(others, order);
            _mm256_storeu_si256(room.as_mut_ptr().cast(), others);
        }
        bits.count_ones() as usize
    }

    #[inline(always)]
    fn within(self, classes: &[u8], at: usize, row: &ClassRow, _: u32) -> u32 {
        let classes = &classes[at..at + 8];
        // SAFETY: the token proves AVX2; `classes` is 8 readable bytes, and a row is 8 words.
        unsafe {
            let classes = _mm256_cvtepu8_epi32(_mm_loadl_epi64(classes.as_ptr().cast()));
            let row = _mm256_loadu_si256(row.words().as_ptr().cast());
            // Only the three lowest bits of a class count here.
            let words = _mm256_permutevar8x32_epi32(row, classes);
            let signs = _mm256_sllv_epi32(words, _mm256_srli_epi32::<3>(classes));
            _mm256_movemask_ps(_mm256_castsi256_ps(signs)) as u32
        }
    }

    word_tests! { _mm256_loadu_si256, _mm256_set1_epi32:
        fn equal(words, word) = {
            let same = _mm256_cmpeq_epi32(words, word);
            _mm256_movemask_ps(_mm256_castsi256_ps(same)) as u32
        };
        fn above(words, word) = {
            let not_above = _mm256_cmpeq_epi32(_mm256_min_epu32(words, word), words);
            !_mm256_movemask_ps(_mm256_castsi256_ps(not_above)) as u32 & 0xff
        };
        fn common(words, word) = {
            let none = _mm256_cmpeq_epi32(_mm256_and_si256(words, word), _mm256_setzero_si256());
            !_mm256_movemask_ps(_mm256_castsi256_ps(none)) as u32 & 0xff
        };
    }
}

/// The function for this level: see [`Simd::call`].
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn run_avx2<K: Kernel>(token: Avx2, kernel: K) -> K::Output {
    kernel.run(token)
}
