//! The result of the sort: items in columns, by cell, and where each cell begins.

mod direct;
mod holes;
mod sort;

use std::ops::Range;

pub(crate) use holes::Arrangement;

use super::{
    ItemLayout, LayoutKind, MAX_COLUMNS, measure::measure, partition::CellBands, with_layout_kind,
};
use crate::{
    base::{MAX_LEVELS, buffer::grow, copied},
    grid::plan::{Bounds, Plan},
    kernel::{ColumnSet, Items},
    shape::MAX_COORDINATE,
    simd::{Isa, MAX_LANES, Scalar, Simd, Starts, map_each},
    store::Layout,
};

/// Items of a level that are used to estimate its typical size. Costs are needed within a factor
/// of about two.
const SIZES_PER_ESTIMATE: usize = 8;

/// A cell with more items than this is overfull: sweeping it takes as long as a task of a thread.
/// (In the middle of a cluster, a cell may have forty items, and examining all such cells would
/// take longer than it saves.)
const MAX_ITEMS_OF_SWEPT_CELL: u32 = 128;

/// One of this many items is examined in a band with an overfull cell.
const ITEMS_PER_LOOK_AT_CROWD: usize = 16;

/// This many tests of an item, beyond the ordinary ones, cost as much as an ordinary item in total:
/// two vectors, and the pairs of the hits.
const TESTS_PER_ITEM_COST: usize = 16;

/// Items in columns, sorted by cell and, within a cell, by their order in the input.
///
/// The index of an item in the columns is called its place. Invariants:
/// - `starts[c]..starts[c + 1]` are the places of the items of cell `c`. The places of all cells
///   that the sweep looks at together are contiguous: the items of a helical level are followed by
///   copies of its first items, the **ghosts**, in cells that repeat its first cells;
/// - every column is [`MAX_LANES`] longer than the number of places, so that whole vectors can be
///   loaded.
#[derive(Debug, Default)]
pub(crate) struct Sorted {
    columns: [Vec<f32>; MAX_COLUMNS],
    /// The id of the item at each place.
    ids: Vec<u32>,
    /// The cell of the item at each place; meaningless for ghosts.
    cells: Vec<u32>,
    /// The place where each cell begins.
    starts: Vec<u32>,
    /// The place where each band begins.
    band_starts: Vec<u32>,
    /// The number of items in the fullest cell of each band; empty after a one-step sort.
    fullest: Vec<u32>,
    /// The cell of each item in the order of the input, in a one-step sort.
    unsorted_cells: Vec<u32>,
    /// The places of the items of each level.
    items: [Range<usize>; MAX_LEVELS],
    /// The box around the items of each level, if it has been measured.
    bounds: [Bounds; MAX_LEVELS],
    /// The number of places, including places of ghosts.
    places: usize,
    /// A column of zeros: the radii of boxes that are read as rounded boxes.
    zeros: Vec<f32>,
    /// The number of holes: places without an item, or of an item that was removed. They are at
    /// [`GONE`].
    removed: usize,
}

/// Both coordinates of an item that was removed: further away than any query reaches, and squares
/// of distances are finite.
pub(crate) const GONE: f32 = 8.0 * MAX_COORDINATE;

copied!(Sorted {
    columns, ids, cells, starts, band_starts, fullest, items, bounds, places, zeros, removed
} but { unsorted_cells });

impl Sorted {
    /// Calls `take` with all items of `level`, run by run, and with the approximate cost of one
    /// item of the run in a sweep. The cost is 1, or more where cells are overfull. Overfull cells
    /// are known only after a two-step sort.
    pub(crate) fn runs(
        &self,
        plan: &Plan,
        level: usize,
        mut take: impl FnMut(Range<usize>, usize),
    ) {
        let items = self.items(level);
        let cells = &plan.levels()[level];
        let mut begin = items.start;
        for band in CellBands::new(plan).holding(cells.numbers()) {
            if self.fullest.get(band).is_some_and(|&fullest| fullest > MAX_ITEMS_OF_SWEPT_CELL) {
                let [from, to] = map_each([band, band + 1], |band| self.band_starts[band] as usize);
                let run = from..to.min(items.end);
                let sample = run.clone().step_by(ITEMS_PER_LOOK_AT_CROWD);
                let looked_at = sample.len();
                let tests: usize = sample.map(|place| self.tests(place, cells.stride())).sum();
                take(begin..run.start, 1);
                take(run.clone(), 1 + tests / looked_at / TESTS_PER_ITEM_COST);
                begin = run.end;
            }
        }
        take(begin..items.end, 1);
    }

    /// The places of the items in the cell of the item at `place`.
    pub(in crate::grid) fn cell_mates(&self, place: usize) -> Range<usize> {
        let cell = self.cells[place] as usize;
        self.places_of(cell..cell + 1)
    }

    /// The number of items that the sweep tests the item at `place` against, in a level of this
    /// `stride`.
    pub(in crate::grid) fn tests(&self, place: usize, stride: usize) -> usize {
        let cell = self.cells[place] as usize;
        let start = |cell: usize| self.starts[cell] as usize;
        start(cell + 2) - (place + 1) + start(cell + stride + 2) - start(cell + stride - 1)
    }

    /// Measures the box around the items of each level.
    pub(crate) fn measure<I: ItemLayout>(&mut self, isa: Isa, plan: &Plan, threads: bool) {
        for level in 0..plan.levels().len() {
            let (columns, places) = (self.padded::<I>(), self.items(level));
            self.bounds[level] = measure::<I>(isa, columns, places, threads);
        }
    }

    /// The box around the items of `level`, from [`measure`](Sorted::measure).
    pub(crate) fn bounds(&self, level: usize) -> Bounds {
        self.bounds[level]
    }

    /// The approximate width and height of the items at some places, radius included: the mean of
    /// some of these items, or of all if they are few; 0 without items.
    pub(in crate::grid) fn typical_size<I: ItemLayout>(&self, places: Range<usize>) -> [f64; 2] {
        let columns = self.padded::<I>();
        let step = places.len().div_ceil(SIZES_PER_ESTIMATE).max(1);
        let looks = places.len().div_ceil(step).max(1) as f64;
        let mut sums = [0.0; 2];
        for place in places.step_by(step) {
            let item = columns.splat(Scalar, place);
            let diameter = 2.0 * f64::from(item.radius(Scalar));
            sums[0] += f64::from(item.max_x()) - f64::from(item.min_x()) + diameter;
            sums[1] += f64::from(item.max_y()) - f64::from(item.min_y()) + diameter;
        }
        [sums[0] / looks, sums[1] / looks]
    }

    /// The columns of the layout that was sorted, each [`MAX_LANES`] longer than the number of
    /// places; empty if nothing has been sorted yet.
    #[inline(always)]
    pub(crate) fn padded<I: ItemLayout>(&self) -> I::Columns<'_> {
        self.padded_to::<I>(self.padded_places())
    }

    /// The length of padded columns.
    #[inline(always)]
    fn padded_places(&self) -> usize {
        (self.places + MAX_LANES).min(self.ids.len())
    }

    /// Prefetches the item at `place`, in the layout `I`.
    #[cfg(feature = "queries")]
    #[inline(always)]
    pub(in crate::grid) fn prefetch<S: Simd, I: ItemLayout>(&self, simd: S, place: usize) {
        for column in &self.columns[..I::COUNT] {
            if let Some(value) = column.get(place) {
                simd.prefetch(value);
            }
        }
    }

    /// The columns of the layout that was sorted, cut to the length `padded`, which may be at most
    /// the length of [`padded`](Sorted::padded).
    #[inline(always)]
    pub(in crate::grid) fn padded_to<I: ItemLayout>(&self, padded: usize) -> I::Columns<'_> {
        let mut columns: [&[f32]; MAX_COLUMNS] = [&[]; MAX_COLUMNS];
        for (slice, column) in columns.iter_mut().zip(&self.columns[..I::COUNT]) {
            *slice = &column[..padded];
        }
        I::columns(columns)
    }

    /// The columns of items sorted as `form`, read in the layout `I`: the same layout, rounded
    /// boxes, or boxes, which are then the cores. To read boxes as rounded boxes, call
    /// [`make_zeros`](Sorted::make_zeros) first.
    #[inline(always)]
    pub(in crate::grid) fn read_as<I: ItemLayout>(&self, form: LayoutKind) -> I::Columns<'_> {
        if I::FORM == form {
            return self.padded::<I>();
        }
        let [a, b, c, d, e] = &self.columns;
        let columns = match form {
            LayoutKind::Circle => [a, b, a, b, c],
            LayoutKind::Box => [a, b, c, d, &self.zeros],
            LayoutKind::Rounded => [a, b, c, d, e],
        };
        I::columns(map_each(columns, |column| &column[..self.padded_places()]))
    }

    /// The columns of items sorted as `form`.
    pub(crate) fn layout(&self, form: LayoutKind) -> Layout<'_> {
        with_layout_kind!(form, I => I::layout(self.padded::<I>()))
    }

    /// Makes items sorted as `form` readable as rounded boxes.
    pub(crate) fn make_zeros(&mut self, form: LayoutKind) {
        if form == LayoutKind::Box {
            grow(&mut self.zeros, self.places + MAX_LANES);
        }
    }

    /// Moves the item at a place, and its ghost, to where nothing meets it. `level` are the places
    /// of the items of its level, if that has ghosts.
    pub(in crate::grid) fn remove(
        &mut self,
        form: LayoutKind,
        place: usize,
        level: Option<Range<usize>>,
    ) {
        self.removed += 1;
        let ghost = level.map(|items| items.end + (place - items.start));
        let ghost =
            ghost.filter(|ghost| self.ids[..self.places].get(*ghost) == Some(&self.ids[place]));
        for place in [Some(place), ghost].into_iter().flatten() {
            self.write(form, place, None);
        }
    }

    /// A coordinate of each place, if there are holes: holes have [`GONE`].
    #[inline(always)]
    pub(crate) fn removed(&self) -> Option<&[f32]> {
        (self.removed > 0).then_some(&self.columns[0][..])
    }

    /// The ids of the items at all places, including ghosts, with the padding of the columns.
    pub(crate) fn ids(&self) -> &[u32] {
        &self.ids[..self.padded_places()]
    }

    /// The places of the items of `level`.
    pub(crate) fn items(&self, level: usize) -> Range<usize> {
        self.items[level].clone()
    }

    /// The cells of the items at `places`.
    pub(crate) fn cells_of(&self, places: Range<usize>) -> &[u32] {
        &self.cells[places]
    }

    /// The ids of the items at `places`.
    pub(in crate::grid) fn ids_of(&self, places: Range<usize>) -> &[u32] {
        &self.ids[places]
    }

    /// The values of the item at `place`, one per column, as bits, followed by its id.
    #[inline(always)]
    pub(in crate::grid) fn words_at<I: ItemLayout>(&self, place: usize) -> [u32; MAX_COLUMNS + 1] {
        let mut words = [0; MAX_COLUMNS + 1];
        for (word, column) in words.iter_mut().zip(&self.columns[..I::COUNT]) {
            *word = column[place].to_bits();
        }
        words[I::COUNT] = self.ids[place];
        words
    }

    /// The places of the items in a run of cells.
    #[inline(always)]
    pub(in crate::grid) fn places_of(&self, cells: Range<usize>) -> Range<usize> {
        self.starts[cells.start] as usize..self.starts[cells.end] as usize
    }

    /// The places where cells begin, checked for lookups without bounds checks.
    pub(crate) fn starts(&self, isa: Isa, plan: &Plan, threads: bool) -> Starts<'_> {
        Starts::new(isa, &self.starts[..=plan.cells()], self.places, threads)
    }

    /// Where each run of few items begins, and the last one ends.
    pub(crate) fn run_starts(&self) -> &[u32] {
        &self.starts
    }
}
