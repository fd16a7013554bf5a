//! From bodies and a level that they are not of to touching pairs.

use std::{marker::PhantomData, ops::Range};

use super::{
    Instance, Plan, Sorted,
    cells::Cover,
    sink::{Cursor, Sink, first_bits},
};
use crate::{
    kernel::{
        bodies::Bodies,
        columns::ColumnSet,
        overlap::{Rule, overlap},
    },
    simd::{Kernel, Scalar, Simd, Starts},
};

/// Scans a level for partners of some bodies: of coarser levels, or of another grid.
///
/// In plain words:
///
/// ```text
/// for each body i:
///     for each row of the cells that may hold a body that touches i:
///         for each body j in the row:                              if overlap(i, j): emit(i, j)
/// ```
///
/// A row of cells is one run of places, as in the [`Sweep`](super::Sweep), so the inner loop is
/// the same. What a body costs goes with the cells that it covers, not with all there are: a giant
/// costs what it overlaps.
pub(crate) struct Scan<'a, I, J, K> {
    /// Where the bodies are.
    pub(crate) sorted: &'a Sorted,
    pub(crate) bodies: Range<usize>,
    /// Where their partners are.
    pub(crate) target: &'a Sorted,
    pub(crate) plan: &'a Plan,
    pub(crate) starts: Starts<'a>,
    pub(crate) level: usize,
    pub(crate) inclusive: bool,
    pub(crate) sink: &'a mut K,
    pub(crate) instances: PhantomData<(I, J)>,
}

impl<I: Instance, J: Instance, K: Sink> Kernel for Scan<'_, I, J, K> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        if self.inclusive { self.scan::<S, true>(simd) } else { self.scan::<S, false>(simd) }
    }
}

impl<I: Instance, J: Instance, K: Sink> Scan<'_, I, J, K> {
    #[inline(always)]
    fn scan<S: Simd, const INCLUSIVE: bool>(self, simd: S) {
        let Self { sorted, bodies, target, plan, starts, level, sink, .. } = self;
        let (columns, ids) = sorted.padded::<I>();
        let (others, other_ids) = target.padded::<J>();
        let rule = Rule { inclusive: INCLUSIVE, normal: I::NORMAL && J::NORMAL };
        let cells = &plan.levels()[level];
        let count = target.bodies(level).len();
        for i in bodies {
            let (min, max) = bounds(columns.splat(Scalar, i));
            let cover: Cover = cells.covering(min, max, count);
            let body = columns.splat(simd, i);
            sink.make_room();
            let mut cursor = sink.cursor();
            for row in 0..cover.rows {
                for run in cover.row(row) {
                    let range = starts.places_of(run);
                    let mut at = range.start;
                    while at < range.end {
                        if !cursor.has_room() {
                            cursor.finish();
                            sink.make_room();
                            cursor = sink.cursor();
                        }
                        let hits = overlap(simd, body, others.load(simd, at), rule);
                        let bits = simd.bits(hits) & first_bits((range.end - at).min(S::LANES));
                        cursor.emit(simd, ids[i], other_ids, at, bits);
                        at += S::LANES;
                    }
                }
            }
            cursor.finish();
        }
    }
}

/// The box around a body, radius included.
#[inline(always)]
fn bounds<B: Bodies<Scalar>>(body: B) -> ([f64; 2], [f64; 2]) {
    let radius = f64::from(body.radius(Scalar));
    let min = [body.min_x(), body.min_y()].map(|side| f64::from(side) - radius);
    let max = [body.max_x(), body.max_y()].map(|side| f64::from(side) + radius);
    (min, max)
}
