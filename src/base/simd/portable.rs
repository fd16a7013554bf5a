//! Eight lanes as two 128-bit vectors, with the crate `wide`, on every architecture.
//!
//! Eight lanes need half as many iterations and mask extractions as four, and give the CPU two
//! independent dependency chains to overlap. `wide` picks its instructions at compile time. In a
//! default build these are SSE2 on x86-64 and NEON on AArch64.
//!
//! Why the levels are not of a crate: `fearless_simd` does not build on `wide`, and `pulp` neither
//! compresses vectors nor makes bits of masks.

use wide::{f32x8, i32x8, u32x4};

use super::{
    map_each,
    ops::ops,
    prefetch,
    vector::{Kernel, Simd, run_plain},
};

/// The token of the instructions that the crate was compiled for, which the CPU must have anyway.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Portable;

impl Simd for Portable {
    const LANES: usize = 8;
    const COMPRESSES: bool = false;
    const PREFETCHES: bool = cfg!(target_arch = "x86_64");
    type F32 = f32x8;
    type Mask = f32x8;
    type Half = Self;

    #[inline(always)]
    fn call<K: Kernel>(self, kernel: K) -> K::Output {
        run_plain(self, kernel)
    }

    #[inline(always)]
    fn half(self) -> Self {
        self
    }

    ops! {
        fn splat(value: f32) -> f32x8 = f32x8::splat(value);
        fn add(a: f32x8, b: f32x8) -> f32x8 = a + b;
        fn sub(a: f32x8, b: f32x8) -> f32x8 = a - b;
        fn mul(a: f32x8, b: f32x8) -> f32x8 = a * b;
        fn div(a: f32x8, b: f32x8) -> f32x8 = a / b;
        fn sqrt(a: f32x8) -> f32x8 = a.sqrt();
        fn max(a: f32x8, b: f32x8) -> f32x8 = a.fast_max(b);
        fn min(a: f32x8, b: f32x8) -> f32x8 = a.fast_min(b);
        fn abs(a: f32x8) -> f32x8 = a.abs();
        fn neg(a: f32x8) -> f32x8 = a ^ f32x8::splat(-0.0);
        fn select(mask: f32x8, yes: f32x8, no: f32x8) -> f32x8 = no ^ ((no ^ yes) & mask);
        fn le(a: f32x8, b: f32x8) -> f32x8 = a.simd_le(b);
        fn lt(a: f32x8, b: f32x8) -> f32x8 = a.simd_lt(b);
        fn and(a: f32x8, b: f32x8) -> f32x8 = a & b;
        fn or(a: f32x8, b: f32x8) -> f32x8 = a | b;
        fn not(a: f32x8) -> f32x8 = !a;
        fn bits(mask: f32x8) -> u32 = mask.to_bitmask();
    }

    #[inline(always)]
    fn load(self, column: &[f32], at: usize) -> f32x8 {
        f32x8::new(*chunk(column, at))
    }

    #[inline(always)]
    fn gather(self, column: &[f32], rows: &[u32], at: usize) -> f32x8 {
        let rows = &rows[at..at + 8];
        let value = |lane: usize| column[rows[lane] as usize];
        f32x8::new([value(0), value(1), value(2), value(3), value(4), value(5), value(6), value(7)])
    }

    #[inline(always)]
    fn store(self, value: f32x8, column: &mut [f32], at: usize) {
        column[at..at + 8].copy_from_slice(value.as_array());
    }

    #[inline(always)]
    fn store_cells(self, column: f32x8, row: f32x8, stride: u32, cells: &mut [u32], at: usize) {
        let (column, row) = (column.fast_trunc_int(), row.fast_trunc_int());
        let cell = row * i32x8::splat(stride as i32) + column;
        cells[at..at + 8].copy_from_slice(bytemuck::cast_slice(cell.as_array()));
    }

    #[inline(always)]
    fn prefetch<T>(self, value: &T) {
        self.prefetch_at(std::slice::from_ref(value), 0);
    }

    #[inline(always)]
    fn prefetch_at<T>(self, values: &[T], at: usize) {
        prefetch::baseline(values, at);
    }

    // Two blocks of 4 x 4, because `wide` has vector code for 8 x 8 on AVX2 only.
    #[inline(always)]
    fn transpose_four(self, rows: [&[u32; 4]; 8], columns: [&mut [u32; 8]; 4]) {
        let [a, b, c, d, e, f, g, h] = map_each(rows, |row| u32x4::new(*row));
        let (upper, lower) = (u32x4::transpose([a, b, c, d]), u32x4::transpose([e, f, g, h]));
        for (column, (upper, lower)) in columns.into_iter().zip(upper.into_iter().zip(lower)) {
            let (first, last) = column.split_at_mut(4);
            first.copy_from_slice(upper.as_array());
            last.copy_from_slice(lower.as_array());
        }
    }
}

/// The `N` values of `column` from `at` on. (The conversion of `wide` takes slices of any length,
/// and pads short slices with zeros: the compiler could not remove its copy.)
#[inline(always)]
pub(super) fn chunk<const N: usize>(column: &[f32], at: usize) -> &[f32; N] {
    column[at..].first_chunk().expect("a vector of lanes from a valid index on")
}
