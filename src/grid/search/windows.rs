//! Windows: runs of places to test items against, cut into vectors.

use std::{marker::PhantomData, ops::Range};

use super::{
    sink::{BLOCK, BlockPlaces, Cursor, HitBlock, Keep, KeepRun, PairSink, first_bits},
    slabs::Slabs,
};
use crate::{
    filter::{LaneTest, MeetingFilter},
    grid::sort::{ItemLayout, LayoutKind, Sorted},
    kernel::{
        ColumnSet, Items, RoundedColumns, Rule,
        grown::{room, touch},
        overlap,
    },
    simd::{Kernel, Simd},
};

/// A list of windows to be tested. A window is a run of places to test an item against, at most as
/// long as a vector. Windows are listed, then tested, then their pairs are written.
///
/// Each of these steps may wait for memory, or for a mispredicted branch. If all steps of one item
/// came before the steps of the next, the waits would follow one another. With one step for many
/// items at a time, the waits overlap.
///
/// An entry of the list is two windows of an item, stored as an entry of a [`HitBlock`], as in the
/// sweep. Most items have at most two windows, and an empty window costs less than a branch. Until
/// the windows are tested, the hits of all lanes within them are set.
pub(super) struct Windows {
    block: HitBlock,
    /// The place of the item of each entry, and its id.
    items: [u32; BLOCK],
    names: [u32; BLOCK],
    /// The number of windows. If it is even, the windows of the last item are complete.
    used: usize,
}

impl Windows {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self { block: HitBlock::default(), items: [0; BLOCK], names: [0; BLOCK], used: 0 }
    }

    /// The number of windows.
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.used
    }

    /// Keeps the first `len` windows.
    #[inline(always)]
    pub(super) fn truncate(&mut self, len: usize) {
        self.used = len;
    }

    /// Whether there is space for this many windows.
    #[inline(always)]
    pub(super) fn has_room(&self, windows: usize) -> bool {
        self.used + windows <= 2 * BLOCK
    }

    /// Adds two runs of an item that has an even number of windows so far, 0 included. There must
    /// be space, and neither run may be longer than a vector.
    #[inline(always)]
    pub(super) fn push_two<S: Simd>(&mut self, _: S, item: usize, runs: [Range<usize>; 2]) {
        let entry = self.used / 2 % BLOCK;
        let [first, second] = runs;
        self.items[entry] = item as u32;
        self.block.from[entry] = [first.start as u32, second.start as u32];
        self.block.hits[entry] = first_bits(first.len()) | first_bits(second.len()) << S::LANES;
        self.used += 2;
    }

    /// Takes windows from the front of a run of places, until there is no more space or the run is
    /// empty.
    #[inline(always)]
    pub(super) fn take_from<S: Simd>(&mut self, _: S, item: usize, run: &mut Range<usize>) {
        while run.start < run.end && self.has_room(1) {
            let len = run.len().min(S::LANES);
            let (entry, second) = (self.used / 2 % BLOCK, self.used % 2);
            self.items[entry] = item as u32;
            self.block.from[entry][second] = run.start as u32;
            let before = self.block.hits[entry] & first_bits(second * S::LANES);
            self.block.hits[entry] = before | first_bits(len) << (second * S::LANES);
            self.used += 1;
            run.start += len;
        }
    }

    /// Ends the windows of an item; the next one starts a new entry. (A second window that is
    /// missing has no lanes within, so its place does not matter.)
    #[inline(always)]
    pub(super) fn end_item(&mut self) {
        self.used = self.used.next_multiple_of(2);
    }

    /// Removes the hits of items that do not meet.
    #[inline(always)]
    pub(super) fn keep<S: Simd>(&mut self, simd: S, meeting: Option<&MeetingFilter<'_>>) {
        let Self { block, items, .. } = self;
        if let Some(meeting) = meeting {
            simd.call(Keep { block, meeting, places: BlockPlaces::Listed(items) });
        }
    }

    /// Removes the hits of items that do not reach into each other's slabs: the slabs of the items
    /// that search, and the slabs of their partners.
    #[inline(always)]
    pub(super) fn keep_within<S: Simd>(
        &mut self,
        simd: S,
        slabs: [Option<&Slabs>; 2],
        columns: [RoundedColumns<'_>; 2],
    ) {
        let Self { block: HitBlock { len, hits, from, .. }, items, .. } = self;
        let entries = hits.iter_mut().zip(&*from).zip(&*items).take(*len);
        for ((hits, from), &place) in entries.filter(|((hits, _), _)| **hits != 0) {
            let place = place as usize;
            let mut kept = 0;
            for (window, &from) in from.iter().enumerate() {
                let (shift, from) = (window * S::LANES, from as usize);
                if *hits >> shift & first_bits(S::LANES) == 0 {
                    continue;
                }
                let mut lanes = first_bits(S::LANES);
                if let Some(slabs) = slabs[0] {
                    lanes &= simd.bits(slabs.reached(simd, place, columns[1].load(simd, from)));
                }
                if let Some(slabs) = slabs[1] {
                    let item = columns[0].splat(simd, place);
                    lanes &= simd.bits(slabs.reached_from(simd, from, item));
                }
                kept |= lanes << shift;
            }
            *hits &= kept;
        }
    }

    /// Writes all pairs to `cursor`, and empties the list. The cursor must have space for
    /// [`BLOCK_PAIRS`](super::BLOCK_PAIRS) pairs.
    #[inline(always)]
    pub(super) fn emit<S: Simd>(&mut self, simd: S, cursor: &mut Cursor<'_>, other_ids: &[u32]) {
        if self.used > 0 {
            cursor.emit_block(simd, &self.block, &self.names, other_ids);
        }
        self.used = 0;
    }
}

/// The grid of the items that search and the grid that they search; the two may be one grid.
#[derive(Clone, Copy)]
pub(super) struct TwoGrids<'a> {
    pub(super) sorted: [&'a Sorted; 2],
    pub(super) forms: [LayoutKind; 2],
    /// The ids of the items of the first grid.
    pub(super) ids: &'a [u32],
}

/// Evaluates an expression with the layouts `$own` and `$other`, in which the items of two grids
/// are read for tests.
///
/// Items of equal layouts are read as they are. Otherwise, the items that search are read as
/// rounded boxes: each fills all lanes, so its layout hardly matters. So there are five
/// combinations instead of nine.
macro_rules! with_item_layouts {
    ($forms:expr, $own:ident, $other:ident => $call:expr) => {{
        use $crate::grid::{BoxLayout, CircleLayout, LayoutKind, RoundedLayout};
        match $forms {
            [LayoutKind::Circle, LayoutKind::Circle] => {
                with_item_layouts!(@ CircleLayout, CircleLayout, $own, $other => $call)
            }
            [LayoutKind::Box, LayoutKind::Box] => {
                with_item_layouts!(@ BoxLayout, BoxLayout, $own, $other => $call)
            }
            [_, LayoutKind::Circle] => {
                with_item_layouts!(@ RoundedLayout, CircleLayout, $own, $other => $call)
            }
            [_, LayoutKind::Box] => {
                with_item_layouts!(@ RoundedLayout, BoxLayout, $own, $other => $call)
            }
            [_, LayoutKind::Rounded] => {
                with_item_layouts!(@ RoundedLayout, RoundedLayout, $own, $other => $call)
            }
        }
    }};
    (@ $first:ty, $second:ty, $own:ident, $other:ident => $call:expr) => {{
        type $own = $first;
        type $other = $second;
        $call
    }};
}
pub(super) use with_item_layouts;

impl Windows {
    /// Tests all windows.
    #[inline(always)]
    pub(super) fn test<S: Simd>(
        &mut self,
        simd: S,
        grids: TwoGrids<'_>,
        [inclusive, grown]: [bool; 2],
    ) {
        let list = self;
        with_item_layouts!(grids.forms, I, J => {
            let instances = PhantomData::<(I, J)>;
            simd.call(WindowTest { list, grids, inclusive, grown, instances });
        });
    }
}

/// Tests the item of each window against the places of the window.
struct WindowTest<'a, I, J> {
    list: &'a mut Windows,
    grids: TwoGrids<'a>,
    inclusive: bool,
    grown: bool,
    instances: PhantomData<(I, J)>,
}

impl<I: ItemLayout, J: ItemLayout> Kernel for WindowTest<'_, I, J> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { list, grids, inclusive, grown, .. } = self;
        let TwoGrids { sorted: [sorted, target], forms, ids } = grids;
        let (columns, others) = (sorted.read_as::<I>(forms[0]), target.padded::<J>());
        let rule = Rule { inclusive, normal: I::NORMAL && J::NORMAL };
        let Windows { block: HitBlock { len, hits, from, open }, items, names, used } = list;
        *len = used.div_ceil(2);
        // Lanes outside of the windows count, too: they are as rarely open.
        let mut any = simd.lt(simd.splat(0.0), simd.splat(0.0));
        let entries = hits.iter_mut().zip(&*from).zip(&*items).zip(names).take(*len);
        for (((hits, &[first, second]), &place), name) in entries {
            let item = columns.splat(simd, place as usize);
            *name = ids[place as usize];
            let own = (item, if grown { Some(room(simd, item)) } else { None });
            let near = others.load(simd, first as usize);
            let in_first = touch(simd, own, near, rule, &mut any);
            let near = others.load(simd, second as usize);
            *hits &= in_first | touch(simd, own, near, rule, &mut any) << S::LANES;
        }
        *open = simd.bits(any) != 0;
        hits[*len..len.next_multiple_of(4)].fill(0);
    }
}

/// Tests an item, with its place and its id, against a run of places of any length, and writes the
/// pairs to `sink`. This is the general loop, for runs that are too long for the faster loops.
/// `ALL` says that the sink [lists all pairs](PairSink::lists_all). The loop has no call then, and
/// the values of the item stay in registers. Neither has it where bits alone say which items meet.
#[inline(always)]
pub(super) fn take_run<S: Simd, B: Items<S>, C: ColumnSet, const ALL: bool>(
    simd: S,
    (item, place, id): (B, usize, u32),
    (others, other_ids): (C, &[u32]),
    run: Range<usize>,
    rule: Rule,
    sink: &mut PairSink<'_>,
) {
    let meeting = if ALL { None } else { sink.meeting };
    let met = meeting.and_then(|meeting| meeting.met_by(place));
    sink.make_room();
    let mut cursor = if ALL { sink.list_cursor() } else { sink.cursor() };
    let mut at = run.start;
    while at < run.end {
        if !cursor.has_room() {
            cursor.finish();
            sink.make_room();
            cursor = if ALL { sink.list_cursor() } else { sink.cursor() };
        }
        let hits = overlap(simd, item, others.load(simd, at), rule);
        let mut bits = simd.bits(hits) & first_bits((run.end - at).min(S::LANES));
        if let Some((of, met)) = met {
            bits &= of.lanes(simd, at, met, bits);
        } else if let Some(meeting) = meeting {
            bits = simd.call(KeepRun { meeting, own: place, from: at, hits: bits });
        }
        cursor.emit(simd, id, other_ids, at, bits);
        at += S::LANES;
    }
    cursor.finish();
}

/// The number of pairs of an item and a run of places, for sinks that count all pairs.
#[inline(always)]
pub(super) fn count_run<S: Simd, B: Items<S>, C: ColumnSet>(
    simd: S,
    item: B,
    others: C,
    run: Range<usize>,
    rule: Rule,
) -> u64 {
    let (mut at, mut found) = (run.start, 0);
    while at < run.end {
        let hits = simd.bits(overlap(simd, item, others.load(simd, at), rule));
        found += u64::from((hits & first_bits((run.end - at).min(S::LANES))).count_ones());
        at += S::LANES;
    }
    found
}
