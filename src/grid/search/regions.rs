//! Regions: for each of some rounded boxes, the items of a grid that touch it.

use std::ops::Range;

use super::{
    scan::{FindCovers, LevelCovers},
    sink::first_bits,
};
use crate::{
    base::{FEW_LEVELS, WORD_ROWS, buffer::grow},
    filter::Predicate,
    grid::{
        GridView,
        plan::{Cover, Covers},
        sort::RoundedLayout,
    },
    kernel::{
        BoxColumns, ColumnSet, RoundedColumns, Rule,
        grown::{ask, surely_touch},
        overlap,
    },
    shape::RoundedBox,
    simd::{Kernel, MAX_LANES, SEARCHES_AHEAD, Simd},
};

/// Rounded boxes to search for, as columns.
pub(crate) struct RegionBoxes {
    /// The values of each column, with the padding that vectors need.
    columns: [[f32; WORD_ROWS + MAX_LANES]; 5],
    /// The bits of the filters that each box meets.
    met: [u32; WORD_ROWS],
    len: usize,
}

impl Default for RegionBoxes {
    fn default() -> Self {
        Self { columns: [[0.0; WORD_ROWS + MAX_LANES]; 5], met: [0; WORD_ROWS], len: 0 }
    }
}

impl RegionBoxes {
    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    /// Appends a box, if there are fewer than [`WORD_ROWS`].
    #[inline]
    pub(crate) fn push(&mut self, sides: &RoundedBox, met: u32) {
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = *sides;
        let Some(own) = self.met.get_mut(self.len) else { return };
        *own = met;
        for (column, side) in self.columns.iter_mut().zip([min_x, min_y, max_x, max_y, radius]) {
            column[self.len] = side;
        }
        self.len += 1;
    }

    #[inline(always)]
    fn columns(&self) -> RoundedColumns<'_> {
        let [min_x, min_y, max_x, max_y, radius] = &self.columns;
        RoundedColumns { core: BoxColumns { min_x, min_y, max_x, max_y }, radius }
    }
}

/// The hits of boxes, one list after the other.
#[derive(Debug, Default)]
pub(crate) struct RegionHits {
    /// The ids of the items, and more values behind the last list. Not written if hits are counted.
    pub(crate) ids: Vec<u32>,
    /// Where the list of each box ends.
    pub(crate) ends: Vec<usize>,
    /// No room is made for more ids than about this number. They are counted, and not written.
    most: usize,
    /// Whether some were not written.
    pub(crate) are_too_many: bool,
}

impl RegionHits {
    /// Begins lists. With more than `most` items they are too many.
    pub(crate) fn clear(&mut self, most: usize) {
        self.ends.clear();
        (self.most, self.are_too_many) = (most, false);
    }
}

/// Which hits of a box are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    All,
    /// Their number.
    Count,
    /// The first hit.
    First,
}

/// Lists, for each box of a block, the items that touch it, in the order of the grid.
///
/// In plain words:
///
/// ```text
/// for each box i:
///     for each level, for each row of the cells that may hold an item that touches i:
///         for each item j in the row:                    if overlap(i, j): append the id of j
/// ```
///
/// These are the items that [`Region`](super::Region) finds, in the same order. Changes for speed:
///
/// 1. Cells are computed for a vector of boxes at once.
/// 2. The ids of the hits of a vector are compressed in a register and stored whole, so no branch
///    depends on which items hit.
/// 3. In a grid too large for the caches, the first items of all boxes of a vector are fetched in
///    one short loop, so the boxes do not wait for memory one after the other.
pub(crate) struct Regions<'a, const GROWN: bool> {
    pub(crate) grid: GridView<'a>,
    pub(crate) boxes: &'a RegionBoxes,
    /// The bit of the filter of the item at each place; `None` if all boxes meet all items.
    pub(crate) bits: Option<&'a [u32]>,
    pub(crate) inclusive: bool,
    pub(crate) wanted: Wanted,
    /// Some with `GROWN`. Else the loops know nothing of it.
    pub(crate) grown: Option<GrownRegions<'a>>,
    pub(crate) hits: &'a mut RegionHits,
}

/// Decides about hits that do not surely touch, if all shapes are [grown](Predicate::grown).
#[derive(Clone, Copy)]
pub(crate) struct GrownRegions<'a> {
    pub(crate) predicate: Predicate<'a>,
    /// The row of each box.
    pub(crate) rows: &'a [u32],
}

/// A grid of fewer items is in the caches: prefetches gain nothing there, and up to a third of
/// the time among a million.
const LARGE_GRID: usize = 1 << 17;

impl<const GROWN: bool> Kernel for Regions<'_, GROWN> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { grid, boxes, .. } = self;
        let (columns, levels) = (boxes.columns(), grid.levels().len());
        let large = grid.sorted.ids().len() > LARGE_GRID;
        let around: [_; FEW_LEVELS] =
            std::array::from_fn(|level| (level < levels).then(|| LevelCovers::new(grid, level)));
        let mut covers = [const { Covers::NONE }; FEW_LEVELS];
        let mut search = Search::<GROWN> {
            grid,
            bits: self.bits,
            rule: Rule { inclusive: self.inclusive, normal: false },
            wanted: self.wanted,
            grown: self.grown,
            begin: self.hits.ends.last().copied().unwrap_or(0),
            len: self.hits.ends.last().copied().unwrap_or(0),
            hits: self.hits,
        };
        for first in (0..boxes.len).step_by(MAX_LANES) {
            for (around, covers) in around.iter().flatten().zip(&mut covers) {
                simd.call(FindCovers { around, columns, at: first, covers });
                if large && !around.cells.wraps {
                    fetch(simd, grid, around, covers, MAX_LANES.min(boxes.len - first));
                }
            }
            for i in first..(first + MAX_LANES).min(boxes.len) {
                let own = (columns, i, boxes.met[i]);
                for (around, covers) in around.iter().flatten().zip(&covers) {
                    let cover = match around.cells.cover(covers, i - first) {
                        Some(cover) => cover,
                        None => around.cover(columns, i),
                    };
                    search.cover(simd, own, &cover, around.cells.wraps);
                }
                for level in FEW_LEVELS..levels {
                    let around = LevelCovers::new(grid, level);
                    search.cover(simd, own, &around.cover(columns, i), around.cells.wraps);
                }
                search.end();
            }
        }
    }
}

/// Prefetches the first items of the first rows of some covers.
#[inline(always)]
fn fetch<S: Simd>(
    simd: S,
    grid: GridView<'_>,
    around: &LevelCovers<'_>,
    covers: &Covers<MAX_LANES>,
    count: usize,
) {
    for lane in 0..count {
        let Some(cover) = around.cells.cover(covers, lane) else { continue };
        for row in 0..cover.rows.min(SEARCHES_AHEAD as u32) {
            let places = grid.sorted.places_of(cover.whole_row(row));
            grid.sorted.prefetch::<S, RoundedLayout>(simd, places.start);
        }
    }
}

/// The search for the items that touch each box, box by box.
struct Search<'a, const GROWN: bool> {
    grid: GridView<'a>,
    bits: Option<&'a [u32]>,
    rule: Rule,
    wanted: Wanted,
    grown: Option<GrownRegions<'a>>,
    hits: &'a mut RegionHits,
    /// Where the list of the box begins, and the number of hits so far.
    begin: usize,
    len: usize,
}

impl<const GROWN: bool> Search<'_, GROWN> {
    /// Takes the items of a cover that touch box `i`.
    #[inline(always)]
    fn cover<S: Simd>(
        &mut self,
        simd: S,
        own: (RoundedColumns<'_>, usize, u32),
        cover: &Cover,
        wraps: bool,
    ) {
        for row in 0..cover.rows {
            if self.wanted == Wanted::First && self.len > self.begin {
                return;
            }
            if !wraps {
                self.run(simd, own, cover.whole_row(row));
                continue;
            }
            for cells in cover.row(row) {
                self.run(simd, own, cells);
            }
        }
    }

    /// Takes the items of a run of cells that touch box `i`.
    #[inline(always)]
    fn run<S: Simd>(
        &mut self,
        simd: S,
        (columns, i, met): (RoundedColumns<'_>, usize, u32),
        cells: Range<usize>,
    ) {
        let Self { grid, bits, rule, wanted, grown, hits, len, .. } = self;
        let Range { start, end } = grid.sorted.places_of(cells);
        let others = grid.sorted.read_as::<RoundedLayout>(grid.form);
        let item = columns.splat(simd, i);
        if *wanted != Wanted::Count && hits.ids.len() < *len + (end - start) + S::LANES {
            if *len > hits.most {
                (*wanted, hits.are_too_many) = (Wanted::Count, true);
            } else {
                make_room(&mut hits.ids, *len + (end - start));
            }
        }
        for at in (start..end).step_by(S::LANES) {
            let other = others.load(simd, at);
            let touched = overlap(simd, item, other, *rule);
            let mut found = simd.bits(touched) & first_bits((end - at).min(S::LANES));
            if let Some(bits) = bits {
                found &= simd.common(bits, at, met);
            }
            if GROWN && let Some(GrownRegions { predicate, rows }) = grown {
                let ids = grid.sorted.ids();
                let accepts = |lane: usize| (predicate.accept)(rows[i], !ids[at + lane]);
                found = ask(found, simd.bits(surely_touch(simd, item, other)), accepts);
            }
            match wanted {
                Wanted::Count => *len += found.count_ones() as usize,
                _ => *len += simd.emit_ids(&mut hits.ids, *len, grid.sorted.ids(), at, found),
            }
            if *wanted == Wanted::First && found != 0 {
                return;
            }
        }
    }

    /// Ends the list of a box.
    #[inline(always)]
    fn end(&mut self) {
        if self.wanted == Wanted::First {
            self.len = self.len.min(self.begin + 1);
        }
        self.hits.ends.push(self.len);
        self.begin = self.len;
    }
}

/// Makes a list of ids longer than `len` by at least a vector.
#[cold]
fn make_room(ids: &mut Vec<u32>, len: usize) {
    grow(ids, len + len / 2 + (1 << 10));
}

/// Writes where each box of a block is in a level: the first cell of its cover, or any cell if the
/// box is not near the level or covers many cells.
pub(crate) struct RegionCells<'a> {
    pub(crate) grid: GridView<'a>,
    pub(crate) level: usize,
    pub(crate) boxes: &'a RegionBoxes,
    /// One more is appended for each box.
    pub(crate) cells: &'a mut Vec<u32>,
}

impl Kernel for RegionCells<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { grid, level, boxes, cells } = self;
        let around = &LevelCovers::new(grid, level);
        let (columns, mut covers) = (boxes.columns(), Covers::NONE);
        for at in (0..boxes.len).step_by(MAX_LANES) {
            simd.call(FindCovers { around, columns, at, covers: &mut covers });
            cells.extend_from_slice(&covers.first[..MAX_LANES.min(boxes.len - at)]);
        }
    }
}
