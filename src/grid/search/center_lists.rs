//! Around: for each item of a grid, all items that it touches.

use super::sink::first_bits;
use crate::{
    grid::{
        Grid,
        sort::{CircleLayout, ItemLayout, LayoutKind, Sorted},
    },
    kernel::{
        columns::ColumnSet,
        overlap::{Rule, overlap},
    },
    simd::{Isa, Kernel, MAX_LANES, Simd, dispatch},
};

/// For each item of a grid, the ids of all items that it touches, one list after the other.
///
/// In plain words:
///
/// ```text
/// for each item i, in sorted order, in cell c:
///     for each item j in the three cells above c, around c, below c, except i:
///         if overlap(i, j): append the id of j to the list of i
/// ```
///
/// Each pair is tested twice, unlike in a [`Sweep`](super::Sweep). That costs less than a scatter
/// of the pairs into lists: the ids of the hits are compressed in a register and stored whole at
/// the end of the list (benches/log). Only circles are listed so, which points at a distance
/// are, too: with all layouts and policies there would be six times as much code.
#[derive(Debug, Default)]
pub(crate) struct CenterLists {
    /// The ids, and more values behind the last list.
    pub(crate) ids: Vec<u32>,
    /// Where the list of each item ends, in sorted order.
    pub(crate) ends: Vec<u32>,
}

/// Cells with fewer items than this on average are tested with short vectors.
const SHORT: usize = 3;

/// Pairs of fewer items than this are sorted within the cache.
const FEW: usize = 1 << 15;

impl CenterLists {
    /// Replaces the lists by the lists of the items of `grid`; `ids` has the id of the item at
    /// each place. With `below`, an item is listed only if its number there is above that of the
    /// item whose list it is. Lists are ascending in places.
    ///
    /// Returns false if the lists would have more than `most` ids or if there is no memory for
    /// them, for grids that have several levels or are helical, for items that are not circles,
    /// and under the exclusive policy. The lists are then unspecified.
    pub(crate) fn fill(
        &mut self,
        isa: Isa,
        grid: &Grid,
        ids: &[u32],
        below: Option<&[u32]>,
        inclusive: bool,
        most: usize,
    ) -> bool {
        let [cells] = grid.plan.levels() else { return false };
        if cells.wraps || grid.form != LayoutKind::Circle || !inclusive {
            return false;
        }
        let items = grid.sorted.items(0).len();
        let short = items < SHORT * cells.count as usize;
        let (sorted, stride, lists) = (&grid.sorted, cells.stride(), self);
        let most = most.min(u32::MAX as usize);
        lists.ends.clear();
        lists.ends.reserve(items);
        let (mut len, half) = (0, below.is_some());
        loop {
            let CenterLists { ids: out, ends } = &mut *lists;
            // With a branch in one loop for both, full lists took 1.05 times as long.
            let (len_at, below) = (&mut len, below.unwrap_or(&[]));
            let wanted = if half {
                let test =
                    Test::<true> { sorted, stride, short, ids, below, out, len: len_at, ends };
                dispatch(isa, test)
            } else {
                let test =
                    Test::<false> { sorted, stride, short, ids, below, out, len: len_at, ends };
                dispatch(isa, test)
            };
            if len > most {
                return false;
            }
            if ends.len() == items {
                return true;
            }
            // A list that spreads slowly gets a little longer at every step.
            let longer = (len + wanted).max(len + len / 4 + 2 * items);
            if out.capacity() < longer && out.try_reserve_exact(longer - out.len()).is_err() {
                return false;
            }
            out.resize(longer, 0);
        }
    }

    /// Whether a grid has so few items, and so few in a cell, that their pairs are found and sorted
    /// sooner than lists are made, if their distances are wanted.
    pub(crate) fn has_few(grid: &Grid) -> bool {
        let items = grid.sorted.items(0).len();
        let sparse = grid.plan.levels().iter().all(|cells| 4 * items < 5 * cells.count as usize);
        items < FEW && sparse
    }

    /// The bytes of memory held.
    pub(crate) fn bytes(&self) -> usize {
        (self.ids.capacity() + self.ends.capacity()) * size_of::<u32>()
    }
}

/// Lists items until all are done or there is no space for the next one. Returns how much that one
/// may need.
struct Test<'a, const HALF: bool> {
    sorted: &'a Sorted,
    stride: usize,
    /// Whether the runs are short: see [`Simd::half`].
    short: bool,
    ids: &'a [u32],
    /// Not read without `HALF`.
    below: &'a [u32],
    out: &'a mut [u32],
    len: &'a mut usize,
    ends: &'a mut Vec<u32>,
}

impl<const HALF: bool> Kernel for Test<'_, HALF> {
    type Output = usize;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> usize {
        // Each loop is in a function of its own: see [`Simd::call`].
        if S::LANES > S::Half::LANES && self.short {
            simd.half().call(self)
        } else {
            self.list(simd)
        }
    }
}

impl<const HALF: bool> Test<'_, HALF> {
    #[inline(always)]
    fn list<S: Simd>(self, simd: S) -> usize {
        let Self { sorted, stride, ids, below, out, len, ends, .. } = self;
        let columns = sorted.padded::<CircleLayout>();
        let rule = Rule { inclusive: true, normal: CircleLayout::NORMAL };
        let first = ends.len();
        let cells = &sorted.cells_of(sorted.items(0))[first..];
        let mut at = *len;
        let mut wanted = 0;
        for (i, &cell) in (first..).zip(cells) {
            let cell = cell as usize;
            // Every row of cells ends with an empty cell. So a step left from the first cell, or
            // right from the last of a row, leads to no item.
            let runs = [
                sorted
                    .places_of(cell.saturating_sub(stride + 1)..(cell + 2).saturating_sub(stride)),
                sorted.places_of(cell.saturating_sub(1)..cell + 2),
                sorted.places_of(cell + stride - 1..cell + stride + 2),
            ];
            wanted = runs[0].len() + runs[1].len() + runs[2].len() + MAX_LANES;
            if out.len() < at + wanted {
                break;
            }
            let item = columns.splat(simd, i);
            let number = if HALF { below[i] } else { 0 };
            for run in runs {
                let mut from = run.start;
                // The first vector is tested with no branch on whether the run is empty.
                loop {
                    let hits = simd.bits(overlap(simd, item, columns.load(simd, from), rule));
                    let mut bits = hits & first_bits(run.end.wrapping_sub(from).min(S::LANES));
                    if HALF {
                        bits &= simd.above(below, from, number);
                    }
                    // Not the item itself.
                    let own = i.wrapping_sub(from);
                    let own = if own < S::LANES { 1 << own } else { 0 };
                    at += simd.emit_ids(out, at, ids, from, bits & !own);
                    from += S::LANES;
                    if from >= run.end {
                        break;
                    }
                }
            }
            ends.push(at as u32);
        }
        *len = at;
        wanted
    }
}
