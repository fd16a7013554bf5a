//! Four lanes in a 128-bit vector, with the crate `wide`, on every architecture.

use wide::{f32x4, i32x4};

use super::{
    ops::ops,
    portable::{Portable, chunk},
    prefetch,
    vector::{Kernel, Simd, run_plain},
};

/// The token of the instructions of [`Portable`], for kernels whose values do not fit into the
/// registers with eight lanes each: four lanes take as long, and are half as much code.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PortableHalf;

impl Simd for PortableHalf {
    const LANES: usize = 4;
    const COMPRESSES: bool = Portable::COMPRESSES;
    const PREFETCHES: bool = Portable::PREFETCHES;
    type F32 = f32x4;
    type Mask = f32x4;
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
        fn splat(value: f32) -> f32x4 = f32x4::splat(value);
        fn add(a: f32x4, b: f32x4) -> f32x4 = a + b;
        fn sub(a: f32x4, b: f32x4) -> f32x4 = a - b;
        fn mul(a: f32x4, b: f32x4) -> f32x4 = a * b;
        fn div(a: f32x4, b: f32x4) -> f32x4 = a / b;
        fn sqrt(a: f32x4) -> f32x4 = a.sqrt();
        fn max(a: f32x4, b: f32x4) -> f32x4 = a.fast_max(b);
        fn min(a: f32x4, b: f32x4) -> f32x4 = a.fast_min(b);
        fn abs(a: f32x4) -> f32x4 = a.abs();
        fn neg(a: f32x4) -> f32x4 = a ^ f32x4::splat(-0.0);
        fn select(mask: f32x4, yes: f32x4, no: f32x4) -> f32x4 = no ^ ((no ^ yes) & mask);
        fn le(a: f32x4, b: f32x4) -> f32x4 = a.simd_le(b);
        fn lt(a: f32x4, b: f32x4) -> f32x4 = a.simd_lt(b);
        fn and(a: f32x4, b: f32x4) -> f32x4 = a & b;
        fn or(a: f32x4, b: f32x4) -> f32x4 = a | b;
        fn not(a: f32x4) -> f32x4 = !a;
        fn bits(mask: f32x4) -> u32 = mask.to_bitmask();
    }

    #[inline(always)]
    fn load(self, column: &[f32], at: usize) -> f32x4 {
        f32x4::new(*chunk(column, at))
    }

    #[inline(always)]
    fn gather(self, column: &[f32], rows: &[u32], at: usize) -> f32x4 {
        let rows = &rows[at..at + 4];
        let value = |lane: usize| column[rows[lane] as usize];
        f32x4::new([value(0), value(1), value(2), value(3)])
    }

    #[inline(always)]
    fn store(self, value: f32x4, column: &mut [f32], at: usize) {
        column[at..at + 4].copy_from_slice(value.as_array());
    }

    #[inline(always)]
    fn store_cells(self, column: f32x4, row: f32x4, stride: u32, cells: &mut [u32], at: usize) {
        let (column, row) = (column.fast_trunc_int(), row.fast_trunc_int());
        let cell = row * i32x4::splat(stride as i32) + column;
        cells[at..at + 4].copy_from_slice(bytemuck::cast_slice(cell.as_array()));
    }

    #[inline(always)]
    fn prefetch<T>(self, value: &T) {
        Portable.prefetch(value);
    }

    #[inline(always)]
    fn prefetch_at<T>(self, values: &[T], at: usize) {
        prefetch::baseline(values, at);
    }

    #[inline(always)]
    fn transpose_four(self, rows: [&[u32; 4]; 8], columns: [&mut [u32; 8]; 4]) {
        Portable.transpose_four(rows, columns);
    }
}
