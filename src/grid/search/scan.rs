//! Scan: pairs of items and a level other than theirs, by covers.

use std::ops::Range;

use super::{
    sink::{PairSink, first_bits},
    slabs::Slabs,
    windows::{TwoGrids, Windows},
};
use crate::{
    grid::{
        GridView,
        plan::{Bounds, COVER_ROWS, Cells, Cover, Covers, F32Cover},
        sides::sides_of,
        sort::{RoundedLayout, Sorted},
    },
    kernel::{ColumnSet, RoundedColumns, Rule, overlap},
    simd::{Kernel, MAX_LANES, Scalar, Simd, map_each},
};

/// Scans a level for partners of some items, which are of a coarser level or of another grid.
///
/// In plain words:
///
/// ```text
/// for each item i:
///     for each row of the cells that may hold an item that touches i:
///         for each item j in the row:                              if overlap(i, j): emit(i, j)
/// ```
///
/// A row of cells is one run of places, as in the [`Sweep`](super::Sweep). The cost of an item
/// depends on the cells that it covers, not on the number of cells: a giant costs the cells that it
/// overlaps.
///
/// Changes for speed:
///
/// 1. The three steps (find the places, test them, write the pairs) are each done for some dozens
///    of items before the next step. The places of an item are far from the places of the item
///    before, so each step waits for memory; done together, the items wait together.
/// 2. Cells are computed for a vector of items at once, in `f32` if the level is dense
///    ([`F32Cover`]).
/// 3. Rows are listed in twos, a vector for each, with no branch on whether they hold items or
///    whether there is a second row: most items have one or two rows of a few items, and a
///    predictor cannot predict which.
///
/// Only the second step depends on the layouts of the items. It is a separate function, compiled
/// for each combination of two layouts. For the first step, items are read as rounded boxes.
pub(crate) struct Scan<'a, 'b> {
    /// The grid of the items and the grid of their partners.
    pub(crate) grids: [GridView<'a>; 2],
    pub(crate) items: Range<usize>,
    /// If not empty, the items of runs instead, and the few partners of each run.
    pub(crate) runs: &'a [[Range<usize>; 2]],
    /// The id of the item at each place of either grid.
    pub(crate) ids: [&'a [u32]; 2],
    /// The level of the partners.
    pub(crate) level: usize,
    /// Whether rows of the level hold so few items that eight lanes suffice.
    pub(crate) short_rows: bool,
    pub(crate) inclusive: bool,
    /// The slabs of the items, and of their partners, if they have any.
    pub(crate) slabs: [Option<&'a Slabs>; 2],
    pub(crate) sink: &'a mut PairSink<'b>,
}

impl Kernel for Scan<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let cell = self.grids[1].one_cell().map(|places| [[self.items.clone(), places]]);
        let runs = cell.as_ref().map_or(self.runs, |cell| cell);
        if !runs.is_empty() {
            return self.scan_runs(simd, runs);
        }
        // Half of the sixteen lanes: with few items in a row, the other half would mostly be
        // loaded for nothing.
        if const { S::LANES > 8 } && self.short_rows {
            return self.scan(simd.half());
        }
        self.scan(simd);
    }
}

impl Scan<'_, '_> {
    #[inline(always)]
    fn scan<S: Simd>(mut self, simd: S) {
        let Self { grids, level, .. } = self;
        let items = self.items.clone();
        let [own, target] = map_each(grids, |grid| grid.sorted);
        let cells = &grids[1].levels()[level];
        let mut windows = Windows::new();
        let columns = own.read_as::<RoundedLayout>(grids[0].form);
        let around = LevelCovers::new(grids[1], level);
        let mut covers = Covers::NONE;
        let (mut i, mut group_end) = (items.start, items.start);
        // The rows of item `i` that are not in the list yet.
        let mut open: Option<CoverRows> = None;
        while i < items.end {
            // Find the places.
            while i < items.end && windows.has_room(COVER_ROWS as usize) {
                if let Some(rows) = &mut open {
                    if !rows.list(simd, i, target, &mut windows) {
                        break;
                    }
                    (open, i) = (None, i + 1);
                    continue;
                }
                if i >= group_end {
                    let (around, covers) = (&around, &mut covers);
                    simd.call(FindCovers { around, columns, at: i, covers });
                    group_end = i + MAX_LANES;
                }
                let lane = i + MAX_LANES - group_end;
                if let Some([first, second]) = covers.few(lane, cells) {
                    let runs = [target.places_of(first), target.places_of(second)];
                    if runs[0].len().max(runs[1].len()) <= S::LANES {
                        windows.push_two(simd, i, runs);
                        i += 1;
                        continue;
                    }
                }
                let cover = match cells.cover(&covers, lane) {
                    Some(cover) => cover,
                    None => around.cover(columns, i),
                };
                let before = windows.len();
                if push_short_rows(simd, i, &cover, target, &mut windows) {
                    i += 1;
                    continue;
                }
                windows.truncate(before);
                open = Some(CoverRows { cover, next: 0, runs: [0..0, 0..0] });
            }

            // Test them, and write the pairs.
            self.write(simd, &mut windows);
        }
    }
}

impl Scan<'_, '_> {
    /// Scans runs. In plain words: for each item of a run, each partner of the run is tested. For
    /// speed, each partner is first tested against a group of items at once; then an item only
    /// against the vectors of partners that have a hit.
    #[inline(always)]
    fn scan_runs<S: Simd>(mut self, simd: S, runs: &[[Range<usize>; 2]]) {
        let Self { grids, inclusive, .. } = self;
        let (mut windows, mut hits) = (Windows::new(), [0; MAX_LANES]);
        for [items, places] in runs {
            for at in items.clone().step_by(MAX_LANES) {
                let partners = places.clone();
                simd.call(FindPartners { grids, at, places: partners, inclusive, hits: &mut hits });
                for (i, &hits) in (at..items.end).zip(&hits) {
                    if !windows.has_room(places.len().div_ceil(S::LANES)) {
                        self.write(simd, &mut windows);
                    }
                    let mut rest = hits;
                    while rest != 0 {
                        let first = rest.trailing_zeros() as usize / S::LANES * S::LANES;
                        let end = places.end.min(places.start + first + S::LANES);
                        windows.take_from(simd, i, &mut (places.start + first..end));
                        rest &= !(u64::from(first_bits(S::LANES)) << first);
                    }
                    windows.end_item();
                }
            }
        }
        self.write(simd, &mut windows);
    }

    /// Tests the windows, and writes the pairs.
    #[inline(always)]
    fn write<S: Simd>(&mut self, simd: S, windows: &mut Windows) {
        let Self { grids, inclusive, slabs, ids: [ids, other_ids], ref mut sink, .. } = *self;
        let (sorted, forms) =
            (map_each(grids, |grid| grid.sorted), map_each(grids, |grid| grid.form));
        windows.test(simd, TwoGrids { sorted, forms, ids }, [inclusive, sink.grows()]);
        windows.keep(simd, sink.meeting);
        if slabs[0].or(slabs[1]).is_some() {
            windows.keep_within(simd, slabs, map_each(grids, |grid| grid.rounded()));
        }
        sink.make_room();
        let mut cursor = sink.cursor();
        windows.emit(simd, &mut cursor, other_ids);
        cursor.finish();
    }
}

/// Finds which items of one cell each item of a group touches.
struct FindPartners<'a> {
    grids: [GridView<'a>; 2],
    /// The place of the first item of the group, and the places of the partners, at most 64.
    at: usize,
    places: Range<usize>,
    inclusive: bool,
    /// One bit for each partner.
    hits: &'a mut [u64; MAX_LANES],
}

impl Kernel for FindPartners<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { grids: [own, target], at, places, inclusive, hits } = self;
        let (columns, partners) = (own.rounded(), target.rounded());
        let rule = Rule { inclusive, normal: false };
        hits.fill(0);
        for first in (0..MAX_LANES).step_by(S::LANES) {
            let items = columns.load(simd, at + first);
            for (number, place) in places.clone().enumerate() {
                let touched = overlap(simd, partners.splat(simd, place), items, rule);
                let mut rest = simd.bits(touched);
                while rest != 0 {
                    hits[first + rest.trailing_zeros() as usize] |= 1 << number;
                    rest &= rest - 1;
                }
            }
        }
    }
}

/// Adds the rows of item `i` two by two. Returns `false` if a row is longer than a vector, or
/// continues at the first cell.
#[inline(always)]
fn push_short_rows<S: Simd>(
    simd: S,
    i: usize,
    cover: &Cover,
    target: &Sorted,
    windows: &mut Windows,
) -> bool {
    if !cover.is_uncut() {
        return false;
    }
    let mut row = 0;
    while row < cover.rows {
        let [first, second] = cover.two_rows(row);
        let runs = [target.places_of(first), target.places_of(second)];
        if runs[0].len().max(runs[1].len()) > S::LANES {
            return false;
        }
        windows.push_two(simd, i, runs);
        row += 2;
    }
    true
}

/// The rows of a cover that are being listed, of any number and length.
struct CoverRows {
    cover: Cover,
    /// The first row that has not been started, and the places left of the row before it.
    next: u32,
    runs: [Range<usize>; 2],
}

impl CoverRows {
    /// Adds windows of item `i` until all rows are listed. Returns `false` if there is no more
    /// space.
    #[inline(always)]
    fn list<S: Simd>(&mut self, simd: S, i: usize, target: &Sorted, windows: &mut Windows) -> bool {
        loop {
            for run in &mut self.runs {
                windows.take_from(simd, i, run);
                if run.start < run.end {
                    return false;
                }
            }
            if self.next == self.cover.rows {
                windows.end_item();
                return true;
            }
            let [first, second] = self.cover.row(self.next);
            self.runs = [target.places_of(first), target.places_of(second)];
            self.next += 1;
        }
    }
}

/// Computes the covers of a vector of items.
pub(super) struct FindCovers<'a> {
    pub(super) around: &'a LevelCovers<'a>,
    pub(super) columns: RoundedColumns<'a>,
    pub(super) at: usize,
    pub(super) covers: &'a mut Covers<MAX_LANES>,
}

impl Kernel for FindCovers<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { around: LevelCovers { cells, reach, count, bounds }, columns, at, covers } =
            self;
        *covers = match reach {
            Some(reach) => reach.covers(simd, columns, at),
            None => {
                let sides = sides_of::<S, _, MAX_LANES>(simd, columns, at);
                cells.covering_all(sides.each_ref(), *count, bounds)
            }
        };
    }
}

/// A level to compute covers in.
pub(super) struct LevelCovers<'a> {
    pub(super) cells: &'a Cells,
    reach: Option<F32Cover>,
    /// The number of items of the level, and the box around them.
    count: usize,
    bounds: Bounds,
}

impl<'a> LevelCovers<'a> {
    #[inline(always)]
    pub(super) fn new(target: GridView<'a>, level: usize) -> Self {
        let (cells, bounds) = (&target.levels()[level], target.bounds(level));
        let (reach, count) = (cells.f32_cover(&bounds), target.items(level).len());
        Self { cells, reach, count, bounds }
    }

    /// The cover of the item at a place, of any shape and size.
    pub(super) fn cover(&self, columns: RoundedColumns<'_>, at: usize) -> Cover {
        let [[min_x], [min_y], [max_x], [max_y]] = sides_of::<_, _, 1>(Scalar, columns, at);
        self.cells.covering([min_x, min_y], [max_x, max_y], self.count)
    }
}
