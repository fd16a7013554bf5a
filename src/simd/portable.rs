//! Eight lanes as two 128-bit vectors, with the crate `wide`, on every architecture but x86-64.
//!
//! Eight lanes need half as many iterations and mask extractions as four, and give the CPU two
//! independent dependency chains to overlap. `wide` picks its instructions at compile time: those of
//! NEON or of WebAssembly, say. On x86-64, `sse2.rs` has the same operations as intrinsics, because
//! `wide` takes a tenth of the time of a cold build. The tests inside the library use this file
//! there, too, and those in `tests/` use `sse2.rs`: both must have the bits of scalar code.

use wide::{f32x8, i32x8, u32x4};

use super::{
    map_each,
    vector::{Kernel, Simd, run_plain},
};

/// The token of the instructions that the crate was compiled for, which the CPU must have anyway.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Portable;

impl Simd for Portable {
    const LANES: usize = 8;
    const COMPRESSES: bool = false;
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

    #[inline(always)]
    fn splat(self, value: f32) -> f32x8 {
        f32x8::splat(value)
    }

    #[inline(always)]
    fn load(self, column: &[f32], at: usize) -> f32x8 {
        f32x8::from(&column[at..at + 8])
    }

    #[inline(always)]
    fn gather(self, column: &[f32], rows: &[u32], at: usize) -> f32x8 {
        let mut lanes = [0.0; 8];
        for (lane, row) in lanes.iter_mut().zip(&rows[at..at + 8]) {
            *lane = column[*row as usize];
        }
        f32x8::from(lanes)
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
    fn add(self, a: f32x8, b: f32x8) -> f32x8 {
        a + b
    }

    #[inline(always)]
    fn sub(self, a: f32x8, b: f32x8) -> f32x8 {
        a - b
    }

    #[inline(always)]
    fn mul(self, a: f32x8, b: f32x8) -> f32x8 {
        a * b
    }

    #[inline(always)]
    fn div(self, a: f32x8, b: f32x8) -> f32x8 {
        a / b
    }

    #[inline(always)]
    fn sqrt(self, a: f32x8) -> f32x8 {
        a.sqrt()
    }

    #[inline(always)]
    fn max(self, a: f32x8, b: f32x8) -> f32x8 {
        a.fast_max(b)
    }

    #[inline(always)]
    fn min(self, a: f32x8, b: f32x8) -> f32x8 {
        a.fast_min(b)
    }

    #[inline(always)]
    fn abs(self, a: f32x8) -> f32x8 {
        a.abs()
    }

    #[inline(always)]
    fn neg(self, a: f32x8) -> f32x8 {
        a ^ f32x8::splat(-0.0)
    }

    #[inline(always)]
    fn select(self, mask: f32x8, yes: f32x8, no: f32x8) -> f32x8 {
        mask.select(yes, no)
    }

    #[inline(always)]
    fn le(self, a: f32x8, b: f32x8) -> f32x8 {
        a.simd_le(b)
    }

    #[inline(always)]
    fn lt(self, a: f32x8, b: f32x8) -> f32x8 {
        a.simd_lt(b)
    }

    #[inline(always)]
    fn and(self, a: f32x8, b: f32x8) -> f32x8 {
        a & b
    }

    #[inline(always)]
    fn or(self, a: f32x8, b: f32x8) -> f32x8 {
        a | b
    }

    #[inline(always)]
    fn not(self, a: f32x8) -> f32x8 {
        !a
    }

    #[inline(always)]
    fn bits(self, mask: f32x8) -> u32 {
        mask.to_bitmask()
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
