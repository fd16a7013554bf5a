//! Lookup: pairs of the items of one grid and a level of another, by candidate lists.

use std::{marker::PhantomData, ops::Range};

use super::{
    sink::{BLOCK, HitBlock, PairSink, first_bits},
    windows::{TwoGrids, with_item_layouts},
};
use crate::{
    grid::{
        candidates::{CellLists, MAX_BLOCKS_PER_LIST, lines_of},
        sort::{BoxLayout, ItemLayout, LayoutKind, Sorted, with_layout_kind},
    },
    kernel::{BoxColumns, ColumnSet, Rule, overlap},
    simd::{HALF_LANES, Kernel, MAX_LANES, Simd},
};

/// Finds the partners of some items of another grid in the candidate lists of a level: the pairs
/// that a [`Scan`](super::Scan) finds, in the same order.
///
/// In plain words:
///
/// ```text
/// for each item i:
///     for each item j in the candidate list of the cell of i:      if overlap(i, j): emit(i, j)
/// ```
///
/// Changes for speed:
///
/// 1. Cells are computed for a vector of items at once. If all items are beyond the edge of the
///    level, they are skipped together.
/// 2. A block of a candidate list is tested whole, with no branch on its number of items: unused
///    lanes touch nothing. Pairs are written for some dozens of items at a time, as in the
///    [`Sweep`](super::Sweep). The only branch per item is for long lists, which are rare.
///
/// Requires vectors of at least eight lanes: scalar code would test items that a scan leaves out.
pub(crate) struct Lookup<'a, 'b> {
    /// The grid of the items and the grid of their partners, and the layout of each grid. No item
    /// is too large for the candidate lists.
    pub(crate) sorted: [&'a Sorted; 2],
    pub(crate) forms: [LayoutKind; 2],
    pub(crate) items: Range<usize>,
    pub(crate) candidate_lists: &'a CellLists,
    /// The id of the item at each place.
    pub(crate) ids: &'a [u32],
    pub(crate) inclusive: bool,
    pub(crate) sink: &'a mut PairSink<'b>,
}

impl Kernel for Lookup<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        if const { S::LANES == 1 } {
            unreachable!("scalar code scans");
        }
        let Self { sorted, forms, items, candidate_lists, ids, inclusive, sink } = self;
        let grids = TwoGrids { sorted, forms, ids };
        let other_ids = with_layout_kind!(forms[1], J => candidate_lists.blocks::<J>().1);
        let (mut block, mut names) = (HitBlock::default(), [0; BLOCK]);
        let mut rest = items;
        while !rest.is_empty() {
            let (block, names) = (&mut block, &mut names);
            rest.start = with_item_layouts!(forms, I, J => {
                let (from, instances) = (rest.clone(), PhantomData::<(I, J)>);
                let (block, names) = (&mut *block, &mut *names);
                simd.call(LookupTest { grids, from, candidate_lists, block, names, inclusive, instances })
            });
            sink.make_room();
            let mut cursor = sink.cursor();
            cursor.emit_block(simd.half(), block, names, other_ids);
            cursor.finish();
        }
    }
}

/// Tests items until all items are done or the block is full; returns the first item that is left.
///
/// An entry of the block of hits is one block of a candidate list: two vectors of eight items.
struct LookupTest<'a, I, J> {
    grids: TwoGrids<'a>,
    from: Range<usize>,
    candidate_lists: &'a CellLists,
    block: &'a mut HitBlock,
    /// The id of the item of each entry.
    names: &'a mut [u32; BLOCK],
    inclusive: bool,
    instances: PhantomData<(I, J)>,
}

/// Finds the cells of [`MAX_LANES`] items from `first` on. Returns the bits of the items that are
/// not beyond the edge. A separate function, because all layouts and policies share it.
struct FindCells<'a> {
    cores: BoxColumns<'a>,
    first: usize,
    candidate_lists: &'a CellLists,
    cells: &'a mut [u32; MAX_LANES],
}

impl Kernel for FindCells<'_> {
    type Output = u32;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> u32 {
        let Self { cores, first, candidate_lists, cells } = self;
        let mut near = 0;
        for lane in (0..MAX_LANES).step_by(S::LANES) {
            let items = cores.load(simd, first + lane);
            near |= candidate_lists.find(simd, items, cells, lane) << lane;
        }
        near
    }
}

impl<I: ItemLayout, J: ItemLayout> Kernel for LookupTest<'_, I, J> {
    type Output = usize;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> usize {
        let Self { grids: TwoGrids { sorted: [sorted, _], forms, ids }, from, .. } = self;
        let Self { candidate_lists, block, names, inclusive, .. } = self;
        let (columns, (others, _)) = (sorted.read_as::<I>(forms[0]), candidate_lists.blocks::<J>());
        let cores = sorted.read_as::<BoxLayout>(forms[0]);
        let rule = Rule { inclusive, normal: I::NORMAL && J::NORMAL };
        let (mut i, mut len) = (from.start, 0);
        let mut cells = [0; MAX_LANES];
        'items: while i < from.end {
            let near = simd.call(FindCells { cores, first: i, candidate_lists, cells: &mut cells });
            let group = (from.end - i).min(MAX_LANES);
            if near & first_bits(group) == 0 {
                i += group;
                continue;
            }
            for &cell in &cells[..group] {
                let cell = cell as usize;
                let long = candidate_lists.is_long(cell);
                if len + if long { MAX_BLOCKS_PER_LIST } else { 1 } > BLOCK {
                    break 'items;
                }
                let item = columns.splat(simd, i);
                let mut number = cell;
                let mut further = 0..0;
                if long {
                    further = candidate_lists.further_blocks(cell);
                }
                loop {
                    let at = number * lines_of::<J>() * MAX_LANES;
                    let mut hits = 0;
                    for lane in (0..MAX_LANES).step_by(S::LANES) {
                        let touched = overlap(simd, item, others.load(simd, at + lane), rule);
                        hits |= simd.bits(touched) << lane;
                    }
                    block.hits[len % BLOCK] = hits;
                    block.from[len % BLOCK] = [at as u32, (at + HALF_LANES) as u32];
                    names[len % BLOCK] = ids[i];
                    len += 1;
                    match further.next() {
                        Some(next) => number = next,
                        None => break,
                    }
                }
                i += 1;
            }
        }
        block.len = len;
        block.hits[len..len.next_multiple_of(4)].fill(0);
        i
    }
}
