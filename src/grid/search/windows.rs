//! Runs of places to test bodies against, cut into vectors.

use std::{marker::PhantomData, ops::Range};

use super::sink::{BLOCK, Cursor, HitBlock, Sink, first_bits};
use crate::{
    grid::sort::{BodyLayout, LayoutKind, Sorted},
    kernel::{
        bodies::Bodies,
        columns::ColumnSet,
        overlap::{Rule, overlap},
    },
    simd::{Kernel, Simd},
};

/// The most windows: two for each entry of a block.
const WINDOWS: usize = 2 * BLOCK;

/// A list of windows, which are places to test a body against, no more than a vector has lanes: written, then
/// tested, then emitted.
///
/// Each of these steps may wait for memory, or for a branch that was guessed wrong. With the steps
/// of one body after the other, one wait follows the other; with the same step of many bodies
/// together, they wait together.
///
/// An entry is two windows of a body, for most bodies have two or fewer, and an empty one costs less than to ask:
/// one entry of the [`HitBlock`] that the sweep fills, too. Until they are tested, all lanes within the windows hit.
pub(super) struct Windows {
    block: HitBlock,
    /// Of each entry, the place of its body and what pairs call it.
    bodies: [u32; BLOCK],
    names: [u32; BLOCK],
    /// How many windows there are. Where it is even, the last body has all of its own.
    used: usize,
}

impl Windows {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self { block: HitBlock::default(), bodies: [0; BLOCK], names: [0; BLOCK], used: 0 }
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

    /// Whether there is room for so many windows.
    #[inline(always)]
    pub(super) fn has_room(&self, windows: usize) -> bool {
        self.used + windows <= WINDOWS
    }

    /// Adds two runs of a body that is new or has an even number of windows; there must be room, and neither may be
    /// longer than a vector.
    #[inline(always)]
    pub(super) fn push_two<S: Simd>(&mut self, _: S, body: usize, runs: [Range<usize>; 2]) {
        let entry = self.used / 2 % BLOCK;
        let [first, second] = runs;
        self.bodies[entry] = body as u32;
        self.block.from[entry] = [first.start as u32, second.start as u32];
        self.block.hits[entry] = first_bits(first.len()) | first_bits(second.len()) << S::LANES;
        self.used += 2;
    }

    /// Takes windows from the front of a run of places, until there is no more room or the run is
    /// empty.
    #[inline(always)]
    pub(super) fn take_from<S: Simd>(&mut self, _: S, body: usize, run: &mut Range<usize>) {
        while run.start < run.end && self.has_room(1) {
            let len = run.len().min(S::LANES);
            let (entry, second) = (self.used / 2 % BLOCK, self.used % 2);
            self.bodies[entry] = body as u32;
            self.block.from[entry][second] = run.start as u32;
            let before = self.block.hits[entry] & first_bits(second * S::LANES);
            self.block.hits[entry] = before | first_bits(len) << (second * S::LANES);
            self.used += 1;
            run.start += len;
        }
    }

    /// Whatever is added next is of another body. (A second window that is not there has no lanes
    /// within, and is wherever it was.)
    #[inline(always)]
    pub(super) fn end_body(&mut self) {
        self.used = self.used.next_multiple_of(2);
    }

    /// Hands all pairs to `cursor`, which must have [`ROOM`](super::ROOM), and empties the list.
    #[inline(always)]
    pub(super) fn emit<S: Simd>(&mut self, simd: S, cursor: &mut Cursor<'_>, other_ids: &[u32]) {
        if self.used > 0 {
            cursor.emit_block(simd, &self.block, &self.names, other_ids);
        }
        self.used = 0;
    }
}

/// Bodies that are looked for, and those that they are tested against: two grids, or one twice.
#[derive(Clone, Copy)]
pub(super) struct TwoGrids<'a> {
    pub(super) sorted: [&'a Sorted; 2],
    pub(super) forms: [LayoutKind; 2],
    /// What pairs call the bodies of the first.
    pub(super) ids: &'a [u32],
}

/// Evaluates an expression with `$own` and `$other` for the instances that the bodies of two forms
/// are tested as.
///
/// Bodies of one form are tested as such. Else, those that are looked for are read as rounded
/// boxes: one of them stands in all lanes, and its kind hardly matters. So there are five
/// combinations, and not nine.
macro_rules! with_body_layouts {
    ($forms:expr, $own:ident, $other:ident => $call:expr) => {{
        use $crate::grid::{BoxLayout, CircleLayout, LayoutKind, RoundedLayout};
        match $forms {
            [LayoutKind::Circle, LayoutKind::Circle] => {
                with_body_layouts!(@ CircleLayout, CircleLayout, $own, $other => $call)
            }
            [LayoutKind::Box, LayoutKind::Box] => {
                with_body_layouts!(@ BoxLayout, BoxLayout, $own, $other => $call)
            }
            [_, LayoutKind::Circle] => {
                with_body_layouts!(@ RoundedLayout, CircleLayout, $own, $other => $call)
            }
            [_, LayoutKind::Box] => {
                with_body_layouts!(@ RoundedLayout, BoxLayout, $own, $other => $call)
            }
            [_, LayoutKind::Rounded] => {
                with_body_layouts!(@ RoundedLayout, RoundedLayout, $own, $other => $call)
            }
        }
    }};
    (@ $first:ty, $second:ty, $own:ident, $other:ident => $call:expr) => {{
        type $own = $first;
        type $other = $second;
        $call
    }};
}
pub(super) use with_body_layouts;

impl Windows {
    /// Tests all windows.
    #[inline(always)]
    pub(super) fn test<S: Simd>(&mut self, simd: S, grids: TwoGrids<'_>, inclusive: bool) {
        let list = self;
        with_body_layouts!(grids.forms, I, J => {
            let instances = PhantomData::<(I, J)>;
            if inclusive {
                simd.call(WindowTest::<_, _, true> { list, grids, instances });
            } else {
                simd.call(WindowTest::<_, _, false> { list, grids, instances });
            }
        });
    }
}

/// Tests the bodies of windows against the places.
struct WindowTest<'a, I, J, const INCLUSIVE: bool> {
    list: &'a mut Windows,
    grids: TwoGrids<'a>,
    instances: PhantomData<(I, J)>,
}

impl<I: BodyLayout, J: BodyLayout, const INCLUSIVE: bool> Kernel
    for WindowTest<'_, I, J, INCLUSIVE>
{
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { list, grids: TwoGrids { sorted: [sorted, target], forms, ids }, .. } = self;
        let (columns, others) = (sorted.read_as::<I>(forms[0]), target.padded::<J>());
        let rule = Rule { inclusive: INCLUSIVE, normal: I::NORMAL && J::NORMAL };
        let Windows { block: HitBlock { len, hits, from }, bodies, names, used } = list;
        *len = used.div_ceil(2);
        let entries = hits.iter_mut().zip(&*from).zip(&*bodies).zip(names).take(*len);
        for (((hits, &[first, second]), &place), name) in entries {
            let body = columns.splat(simd, place as usize);
            *name = ids[place as usize];
            let touched = overlap(simd, body, others.load(simd, first as usize), rule);
            let in_first = simd.bits(touched);
            let touched = overlap(simd, body, others.load(simd, second as usize), rule);
            *hits &= in_first | simd.bits(touched) << S::LANES;
        }
        hits[*len..len.next_multiple_of(4)].fill(0);
    }
}

/// Tests the body of `id` against a run of places of any length, of `others`, and hands the pairs to
/// `sink`: the plain way, for runs that are too long for what is faster.
#[inline(always)]
pub(super) fn take_run<S: Simd, B: Bodies<S>, C: ColumnSet>(
    simd: S,
    (body, id): (B, u32),
    (others, other_ids): (C, &[u32]),
    run: Range<usize>,
    rule: Rule,
    sink: &mut Sink<'_>,
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
