//! One lane: the kernels as plain scalar code.

use super::{
    map_each,
    ops::ops,
    vector::{Kernel, Simd, ordered, run_plain},
};
use crate::base::Pair;

/// The token of scalar code, which runs on every CPU.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scalar;

impl Simd for Scalar {
    const COMPRESSES: bool = false;
    type F32 = f32;
    type Mask = bool;
    type Half = Self;

    #[inline(always)]
    fn call<K: Kernel>(self, kernel: K) -> K::Output {
        run_plain(self, kernel)
    }

    ops! {
        fn splat(value: f32) -> f32 = value;
        fn add(a: f32, b: f32) -> f32 = a + b;
        fn sub(a: f32, b: f32) -> f32 = a - b;
        fn mul(a: f32, b: f32) -> f32 = a * b;
        fn div(a: f32, b: f32) -> f32 = a / b;
        fn sqrt(a: f32) -> f32 = a.sqrt();
        // `f32::max` adds instructions for a treatment of NaN that nothing here needs.
        fn max(a: f32, b: f32) -> f32 = if a > b { a } else { b };
        fn min(a: f32, b: f32) -> f32 = if a < b { a } else { b };
        fn abs(a: f32) -> f32 = a.abs();
        fn neg(a: f32) -> f32 = -a;
        fn select(mask: bool, yes: f32, no: f32) -> f32 = if mask { yes } else { no };
        fn le(a: f32, b: f32) -> bool = a <= b;
        fn lt(a: f32, b: f32) -> bool = a < b;
        // `&` and `|` on purpose: `&&` is a branch on unpredictable data.
        fn and(a: bool, b: bool) -> bool = a & b;
        fn or(a: bool, b: bool) -> bool = a | b;
        fn not(a: bool) -> bool = !a;
        fn bits(mask: bool) -> u32 = u32::from(mask);
    }

    #[inline(always)]
    fn load(self, column: &[f32], at: usize) -> f32 {
        column[at]
    }

    #[inline(always)]
    fn gather(self, column: &[f32], rows: &[u32], at: usize) -> f32 {
        column[rows[at] as usize]
    }

    #[inline(always)]
    fn store(self, value: f32, column: &mut [f32], at: usize) {
        column[at] = value;
    }

    #[inline(always)]
    fn store_cells(self, column: f32, row: f32, stride: u32, cells: &mut [u32], at: usize) {
        let (column, row) = (column as i32 as u32, row as i32 as u32);
        cells[at] = row.wrapping_mul(stride).wrapping_add(column);
    }

    #[inline(always)]
    fn transpose_four(self, rows: [&[u32; 4]; 8], columns: [&mut [u32; 8]; 4]) {
        for (word, column) in columns.into_iter().enumerate() {
            *column = map_each(rows, |row| row[word]);
        }
    }

    // The pair is always written, and counted only if it is a hit: no branch to mispredict.
    #[inline(always)]
    fn emit_pairs(self, out: &mut [Pair], id: u32, ids: &[u32], bits: u32) -> usize {
        out[0] = ordered(id, ids[0]);
        bits as usize
    }
}
