//! Eight lanes as two 128-bit vectors, and four in one, with the crate `wide`, on every
//! architecture.
//!
//! Eight lanes need half as many iterations and mask extractions as four, and give the CPU two
//! independent dependency chains to overlap. `wide` picks its instructions at compile time. In a
//! default build these are SSE2 on x86-64 and NEON on AArch64.
//!
//! Why the levels are not of a crate: `fearless_simd` does not build on `wide`, and `pulp` neither
//! compresses vectors nor makes bits of masks.

use wide::{f32x4, f32x8, i32x4, i32x8, u32x4};

use super::{
    map_each,
    ops::ops,
    prefetch,
    vector::{Kernel, Simd, run_plain},
};

/// The token of the instructions that the crate was compiled for, which the CPU must have anyway.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Portable;

/// The token of the same instructions as [`Portable`], for kernels with so many values that eight
/// lanes of each do not fit into the registers: four lanes take as long, and are half as much code.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PortableHalf;

/// Implements the operations with vectors of the crate `wide`: for a token, its number of lanes,
/// their types and their numbers.
macro_rules! wide_lanes {
    ($token:ident, $lanes:literal, $f32:ty, $i32:ty, [$($lane:literal),+]) => {
        impl Simd for $token {
            const COMPRESSES: bool = false;
            const PREFETCHES: bool = cfg!(target_arch = "x86_64");
            type F32 = $f32;
            type Mask = $f32;
            type Half = Self;

            #[inline(always)]
            fn call<K: Kernel>(self, kernel: K) -> K::Output {
                run_plain(self, kernel)
            }

            ops! {
                fn splat(value: f32) -> $f32 = <$f32>::splat(value);
                fn add(a: $f32, b: $f32) -> $f32 = a + b;
                fn sub(a: $f32, b: $f32) -> $f32 = a - b;
                fn mul(a: $f32, b: $f32) -> $f32 = a * b;
                fn div(a: $f32, b: $f32) -> $f32 = a / b;
                fn sqrt(a: $f32) -> $f32 = a.sqrt();
                fn max(a: $f32, b: $f32) -> $f32 = a.fast_max(b);
                fn min(a: $f32, b: $f32) -> $f32 = a.fast_min(b);
                fn abs(a: $f32) -> $f32 = a.abs();
                fn neg(a: $f32) -> $f32 = a ^ <$f32>::splat(-0.0);
                fn select(mask: $f32, yes: $f32, no: $f32) -> $f32 = no ^ ((no ^ yes) & mask);
                fn le(a: $f32, b: $f32) -> $f32 = a.simd_le(b);
                fn lt(a: $f32, b: $f32) -> $f32 = a.simd_lt(b);
                fn and(a: $f32, b: $f32) -> $f32 = a & b;
                fn or(a: $f32, b: $f32) -> $f32 = a | b;
                fn not(a: $f32) -> $f32 = !a;
                fn bits(mask: $f32) -> u32 = mask.to_bitmask();
            }

            #[inline(always)]
            fn load(self, column: &[f32], at: usize) -> $f32 {
                <$f32>::new(*chunk(column, at))
            }

            #[inline(always)]
            fn gather(self, column: &[f32], rows: &[u32], at: usize) -> $f32 {
                let rows = &rows[at..at + $lanes];
                let value = |lane: usize| column[rows[lane] as usize];
                <$f32>::new([$(value($lane)),+])
            }

            #[inline(always)]
            fn store(self, value: $f32, column: &mut [f32], at: usize) {
                column[at..at + $lanes].copy_from_slice(value.as_array());
            }

            #[inline(always)]
            fn store_cells(
                self,
                column: $f32,
                row: $f32,
                stride: u32,
                cells: &mut [u32],
                at: usize,
            ) {
                let (column, row) = (column.fast_trunc_int(), row.fast_trunc_int());
                let cell = row * <$i32>::splat(stride as i32) + column;
                cells[at..at + $lanes].copy_from_slice(bytemuck::cast_slice(cell.as_array()));
            }

            #[inline(always)]
            fn prefetch<T>(self, value: &T) {
                self.prefetch_at(std::slice::from_ref(value), 0);
            }

            #[inline(always)]
            fn prefetch_at<T>(self, values: &[T], at: usize) {
                prefetch::baseline(values, at);
            }

            #[inline(always)]
            fn transpose_four(self, rows: [&[u32; 4]; 8], columns: [&mut [u32; 8]; 4]) {
                transpose(rows, columns);
            }
        }
    };
}

wide_lanes! { Portable, 8, f32x8, i32x8, [0, 1, 2, 3, 4, 5, 6, 7] }
wide_lanes! { PortableHalf, 4, f32x4, i32x4, [0, 1, 2, 3] }

/// [`Simd::transpose_four`] in two blocks of 4 x 4, because `wide` has vector code for 8 x 8 on
/// AVX2 only.
#[inline(always)]
fn transpose(rows: [&[u32; 4]; 8], columns: [&mut [u32; 8]; 4]) {
    let [a, b, c, d, e, f, g, h] = map_each(rows, |row| u32x4::new(*row));
    let (upper, lower) = (u32x4::transpose([a, b, c, d]), u32x4::transpose([e, f, g, h]));
    for (column, (upper, lower)) in columns.into_iter().zip(upper.into_iter().zip(lower)) {
        let (first, last) = column.split_at_mut(4);
        first.copy_from_slice(upper.as_array());
        last.copy_from_slice(lower.as_array());
    }
}

/// The `N` values of `column` from `at` on. (The conversion of `wide` takes slices of any length,
/// and pads short slices with zeros: the compiler could not remove its copy.)
#[inline(always)]
fn chunk<const N: usize>(column: &[f32], at: usize) -> &[f32; N] {
    column[at..].first_chunk().expect("a vector of lanes from a valid index on")
}
