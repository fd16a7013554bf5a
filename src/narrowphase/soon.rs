//! What will be read before long, asked for little by little.

use crate::{
    simd::{MAX_LANES, Simd},
    solid::Placed,
};

/// Rows of the first set that the pairs after these will be of.
///
/// Kernels compute and hardly wait for memory, and making jobs of pairs is the other way round. So while the kernels work,
/// a few of these rows are asked for with each tile: as many at once would fill the queue of what the CPU waits for.
#[derive(Debug, Default)]
pub(super) struct Soon<'a> {
    rows: &'a [u32],
    a_tile: usize,
}

impl<'a> Soon<'a> {
    /// All of `rows`, in the tiles of about so many jobs.
    pub(super) fn over(rows: &'a [u32], jobs: usize) -> Self {
        Self { rows, a_tile: (rows.len() * MAX_LANES).div_ceil(jobs.max(1)) }
    }

    /// Asks for the share of a tile.
    #[inline(always)]
    pub(super) fn ask<S: Simd>(&mut self, simd: S, placed: &[Placed]) {
        if !S::PREFETCHES {
            return;
        }
        let (rows, rest) = self.rows.split_at(self.a_tile.min(self.rows.len()));
        self.rows = rest;
        for row in rows {
            if let Some(shape) = placed.get(*row as usize) {
                simd.prefetch(shape);
            }
        }
    }
}
