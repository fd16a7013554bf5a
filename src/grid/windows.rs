//! Runs of places to test bodies against, cut into vectors.

use std::ops::Range;

use super::sink::{Cursor, ROOM, Sink, first_bits};
use crate::{
    kernel::{
        bodies::Bodies,
        columns::ColumnSet,
        overlap::{Rule, overlap},
    },
    simd::{MAX_LANES, Simd},
};

/// Some places to test a body against, no more than a vector has lanes.
#[derive(Clone, Copy, Default)]
struct Window {
    body: u32,
    from: u32,
    len: u32,
    /// Which of them it touches.
    hits: u32,
}

/// The most windows: what a sink makes room for.
const WINDOWS: usize = ROOM / MAX_LANES;

/// The most windows of a run.
const RUN_WINDOWS: usize = 4;

/// A list of windows: written, then tested, then emitted.
///
/// Each of these steps may wait for memory, or for a branch that was guessed wrong. With the steps
/// of one body after the other, one wait follows the other; with the same step of many bodies
/// together, they wait together.
pub(super) struct Windows {
    list: [Window; WINDOWS],
    used: usize,
}

impl Windows {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self { list: [Window::default(); WINDOWS], used: 0 }
    }

    /// How many windows there are.
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.used
    }

    /// Keeps the first `len` windows.
    #[inline(always)]
    pub(super) fn truncate(&mut self, len: usize) {
        self.used = len;
    }

    /// Whether there is room for so many runs.
    #[inline(always)]
    pub(super) fn has_room(&self, runs: usize) -> bool {
        self.used + runs * RUN_WINDOWS <= WINDOWS
    }

    /// Adds the windows of a run of places, for which there must be room; `false` if the run is too
    /// long.
    #[inline(always)]
    pub(super) fn push<S: Simd>(&mut self, _: S, body: usize, run: Range<usize>) -> bool {
        let Range { start: mut from, end } = run;
        if end > from + RUN_WINDOWS * S::LANES {
            return false;
        }
        // Mostly one, which is written without asking whether there is any.
        loop {
            let len = end.saturating_sub(from).min(S::LANES);
            self.list[self.used % WINDOWS] =
                Window { body: body as u32, from: from as u32, len: len as u32, hits: 0 };
            self.used += usize::from(len > 0);
            from += len;
            if from >= end {
                return true;
            }
        }
    }

    /// Tests the bodies, of `columns`, against the places, of `others`.
    #[inline(always)]
    pub(super) fn test<S: Simd, C: ColumnSet, D: ColumnSet>(
        &mut self,
        simd: S,
        columns: C,
        others: D,
        rule: Rule,
    ) {
        for window in &mut self.list[..self.used] {
            let body = columns.splat(simd, window.body as usize);
            let hits = overlap(simd, body, others.load(simd, window.from as usize), rule);
            window.hits = simd.bits(hits) & first_bits(window.len as usize);
        }
    }

    /// Hands all pairs to `cursor`, which must have [`ROOM`], and empties the list.
    #[inline(always)]
    pub(super) fn emit<S: Simd, K: Cursor>(
        &mut self,
        simd: S,
        cursor: &mut K,
        ids: &[u32],
        other_ids: &[u32],
    ) {
        for window in &self.list[..self.used] {
            if S::COMPRESSES || window.hits != 0 {
                let Window { body, from, hits, .. } = *window;
                cursor.emit(simd, ids[body as usize], other_ids, from as usize, hits);
            }
        }
        self.used = 0;
    }
}

/// Tests the body of `id` against a run of places of any length, of `others`, and hands the pairs to
/// `sink`: the plain way, for runs that are too long for what is faster.
#[inline(always)]
pub(super) fn take_run<S: Simd, B: Bodies<S>, C: ColumnSet, K: Sink>(
    simd: S,
    (body, id): (B, u32),
    (others, other_ids): (C, &[u32]),
    run: Range<usize>,
    rule: Rule,
    sink: &mut K,
) {
    sink.make_room();
    let mut cursor = sink.cursor();
    let mut at = run.start;
    while at < run.end {
        if !cursor.has_room() {
            cursor.finish();
            sink.make_room();
            cursor = sink.cursor();
        }
        let hits = overlap(simd, body, others.load(simd, at), rule);
        let bits = simd.bits(hits) & first_bits((run.end - at).min(S::LANES));
        cursor.emit(simd, id, other_ids, at, bits);
        at += S::LANES;
    }
    cursor.finish();
}
