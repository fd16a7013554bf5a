//! Eight lanes as two 128-bit vectors, on x86-64.
//!
//! Eight lanes for the reasons in `portable.rs`, which other architectures have. It uses the crate
//! `wide`, which took a tenth of the time of a cold build.

use std::arch::x86_64::*;

use super::{
    map_each,
    vector::{Kernel, Simd, run_plain},
};

/// The token of SSE2, which every x86-64 CPU has.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sse2;

/// Eight lanes. A struct, because the compiler takes arrays apart later and slower.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lanes {
    low: __m128,
    high: __m128,
}

/// Applies an intrinsic to the halves of its arguments.
macro_rules! halves {
    ($intrinsic:ident($($lanes:expr),+)) => {
        // SAFETY: every x86-64 CPU has SSE2, and the intrinsic accesses no memory.
        unsafe {
            Lanes { low: $intrinsic($($lanes.low),+), high: $intrinsic($($lanes.high),+) }
        }
    };
}

impl Simd for Sse2 {
    const LANES: usize = 8;
    const COMPRESSES: bool = false;
    const PREFETCHES: bool = true;
    type F32 = Lanes;
    type Mask = Lanes;
    type Half = Self;

    #[inline(always)]
    fn call<K: Kernel>(self, kernel: K) -> K::Output {
        run_plain(self, kernel)
    }

    #[inline(always)]
    fn half(self) -> Self {
        self
    }

    #[inline(always)]
    fn splat(self, value: f32) -> Lanes {
        // SAFETY: every x86-64 CPU has SSE2.
        let half = unsafe { _mm_set1_ps(value) };
        Lanes { low: half, high: half }
    }

    #[inline(always)]
    fn load(self, column: &[f32], at: usize) -> Lanes {
        let lanes = &column[at..at + 8];
        // SAFETY: every x86-64 CPU has SSE2; `lanes` is 8 readable values.
        unsafe {
            Lanes { low: _mm_loadu_ps(lanes.as_ptr()), high: _mm_loadu_ps(lanes.as_ptr().add(4)) }
        }
    }

    #[inline(always)]
    fn gather(self, column: &[f32], rows: &[u32], at: usize) -> Lanes {
        let mut lanes = [0.0; 8];
        for (lane, row) in lanes.iter_mut().zip(&rows[at..at + 8]) {
            *lane = column[*row as usize];
        }
        self.load(&lanes, 0)
    }

    #[inline(always)]
    fn store(self, value: Lanes, column: &mut [f32], at: usize) {
        let lanes = &mut column[at..at + 8];
        // SAFETY: every x86-64 CPU has SSE2; `lanes` is 8 writable values.
        unsafe {
            _mm_storeu_ps(lanes.as_mut_ptr(), value.low);
            _mm_storeu_ps(lanes.as_mut_ptr().add(4), value.high);
        }
    }

    #[inline(always)]
    fn store_cells(self, column: Lanes, row: Lanes, stride: u32, cells: &mut [u32], at: usize) {
        let cells = &mut cells[at..at + 8];
        let halves = [(column.low, row.low), (column.high, row.high)];
        for (half, (column, row)) in halves.into_iter().enumerate() {
            // SAFETY: every x86-64 CPU has SSE2; `cells` is 8 writable values.
            unsafe {
                let (column, row) = (_mm_cvttps_epi32(column), _mm_cvttps_epi32(row));
                // SSE2 multiplies every other lane, to 64 bits.
                let stride = _mm_set1_epi32(stride as i32);
                let even = _mm_mul_epu32(row, stride);
                let odd = _mm_mul_epu32(_mm_srli_epi64::<32>(row), stride);
                // The lower halves of both products.
                let (even, odd) =
                    (_mm_shuffle_epi32::<0b1000>(even), _mm_shuffle_epi32::<0b1000>(odd));
                let cell = _mm_add_epi32(_mm_unpacklo_epi32(even, odd), column);
                _mm_storeu_si128(cells.as_mut_ptr().add(4 * half).cast(), cell);
            }
        }
    }

    #[inline(always)]
    fn add(self, a: Lanes, b: Lanes) -> Lanes {
        halves!(_mm_add_ps(a, b))
    }

    #[inline(always)]
    fn sub(self, a: Lanes, b: Lanes) -> Lanes {
        halves!(_mm_sub_ps(a, b))
    }

    #[inline(always)]
    fn mul(self, a: Lanes, b: Lanes) -> Lanes {
        halves!(_mm_mul_ps(a, b))
    }

    #[inline(always)]
    fn div(self, a: Lanes, b: Lanes) -> Lanes {
        halves!(_mm_div_ps(a, b))
    }

    #[inline(always)]
    fn sqrt(self, a: Lanes) -> Lanes {
        halves!(_mm_sqrt_ps(a))
    }

    #[inline(always)]
    fn max(self, a: Lanes, b: Lanes) -> Lanes {
        halves!(_mm_max_ps(a, b))
    }

    #[inline(always)]
    fn min(self, a: Lanes, b: Lanes) -> Lanes {
        halves!(_mm_min_ps(a, b))
    }

    #[inline(always)]
    fn abs(self, a: Lanes) -> Lanes {
        let sign = self.splat(-0.0);
        halves!(_mm_andnot_ps(sign, a))
    }

    #[inline(always)]
    fn neg(self, a: Lanes) -> Lanes {
        let sign = self.splat(-0.0);
        halves!(_mm_xor_ps(a, sign))
    }

    #[inline(always)]
    fn select(self, mask: Lanes, yes: Lanes, no: Lanes) -> Lanes {
        self.or(self.and(mask, yes), halves!(_mm_andnot_ps(mask, no)))
    }

    #[inline(always)]
    fn le(self, a: Lanes, b: Lanes) -> Lanes {
        halves!(_mm_cmple_ps(a, b))
    }

    #[inline(always)]
    fn lt(self, a: Lanes, b: Lanes) -> Lanes {
        halves!(_mm_cmplt_ps(a, b))
    }

    #[inline(always)]
    fn and(self, a: Lanes, b: Lanes) -> Lanes {
        halves!(_mm_and_ps(a, b))
    }

    #[inline(always)]
    fn or(self, a: Lanes, b: Lanes) -> Lanes {
        halves!(_mm_or_ps(a, b))
    }

    #[inline(always)]
    fn not(self, a: Lanes) -> Lanes {
        let all = self.splat(f32::from_bits(u32::MAX));
        halves!(_mm_xor_ps(a, all))
    }

    #[inline(always)]
    fn bits(self, mask: Lanes) -> u32 {
        // SAFETY: every x86-64 CPU has SSE2.
        let (low, high) = unsafe { (_mm_movemask_ps(mask.low), _mm_movemask_ps(mask.high)) };
        low as u32 | (high as u32) << 4
    }

    #[inline(always)]
    fn prefetch<T>(self, value: &T) {
        self.prefetch_at(std::slice::from_ref(value), 0);
    }

    #[inline(always)]
    fn prefetch_at<T>(self, values: &[T], at: usize) {
        // SAFETY: every x86-64 CPU has SSE; no memory is accessed.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(values.as_ptr().wrapping_add(at).cast()) }
    }

    // Two blocks of 4 x 4.
    #[inline(always)]
    fn transpose_four(self, rows: [&[u32; 4]; 8], columns: [&mut [u32; 8]; 4]) {
        // SAFETY: every x86-64 CPU has SSE2; each row is 4 readable values, each column 8 writable
        // ones.
        unsafe {
            let rows = map_each(rows, |row| _mm_loadu_si128(row.as_ptr().cast()));
            let (blocks, _) = rows.as_chunks::<4>();
            let [mut upper, mut lower] = [[_mm_setzero_si128(); 4]; 2];
            for (columns, [a, b, c, d]) in [&mut upper, &mut lower].into_iter().zip(blocks) {
                let (ab, cd) = (_mm_unpacklo_epi32(*a, *b), _mm_unpacklo_epi32(*c, *d));
                let (ab_high, cd_high) = (_mm_unpackhi_epi32(*a, *b), _mm_unpackhi_epi32(*c, *d));
                *columns = [
                    _mm_unpacklo_epi64(ab, cd),
                    _mm_unpackhi_epi64(ab, cd),
                    _mm_unpacklo_epi64(ab_high, cd_high),
                    _mm_unpackhi_epi64(ab_high, cd_high),
                ];
            }
            for (column, (first, last)) in columns.into_iter().zip(upper.into_iter().zip(lower)) {
                _mm_storeu_si128(column.as_mut_ptr().cast(), first);
                _mm_storeu_si128(column.as_mut_ptr().add(4).cast(), last);
            }
        }
    }
}
