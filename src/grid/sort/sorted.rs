//! What the sort leaves behind: bodies in columns, by cell, and where each cell begins.

mod direct;
mod places;
mod sort;

use std::ops::Range;

use super::{
    BodyLayout, LayoutKind, MAX_COLUMNS,
    bounds::{Bounds, measure},
    partition::Bands,
    with_layout_kind,
};
use crate::{
    buffer::grow,
    grid::plan::{MAX_LEVELS, Plan},
    kernel::{bodies::Bodies, columns::ColumnSet},
    simd::{Isa, MAX_LANES, Scalar, Starts, map_each},
    store::Layout,
};

/// How many bodies of a level are looked at to tell how large they are: costs are needed within a factor of two or so.
const LOOKS: usize = 8;

/// A cell with more bodies than this is overfull: to sweep it takes as long as a task of a thread. (In the midst of a
/// cluster there may be forty in a cell, and to look at all of these would take longer than it saves.)
const OVERFULL: u32 = 128;

/// Of how many bodies in a band with an overfull cell one is looked at.
const ONE_OF: usize = 16;

/// So many tests of a body beyond the ordinary ones cost what an ordinary body costs in all: two vectors, and the pairs of
/// those that hit.
const TESTS: usize = 16;

/// Bodies in columns, sorted by cell and, within a cell, by their order in the input.
///
/// Invariants:
/// - `starts[c]..starts[c + 1]` are the places of the bodies of cell `c`, and those of all cells
///   that the sweep looks at together are contiguous: behind the bodies of a helical level stand
///   copies of its first ones, the **ghosts**, in cells that repeat its first cells;
/// - every column reaches [`MAX_LANES`] beyond the last place, so that vectors load whole.
#[derive(Debug, Default)]
pub(crate) struct Sorted {
    columns: [Vec<f32>; MAX_COLUMNS],
    /// The index of each body in the results.
    ids: Vec<u32>,
    /// The cell of each body; of ghosts, nothing.
    cells: Vec<u32>,
    /// Where each cell begins.
    starts: Vec<u32>,
    /// Where each band begins.
    band_starts: Vec<u32>,
    /// The bodies in the fullest cell of each band, when sorted in two steps.
    fullest: Vec<u32>,
    /// The cell of each body in the order of the input, when sorted in one step.
    unsorted_cells: Vec<u32>,
    /// The places of the bodies of each level.
    bodies: [Range<usize>; MAX_LEVELS],
    /// The box around the bodies of each level, if anybody will ask for it.
    bounds: [Bounds; MAX_LEVELS],
    /// The number of places, those of ghosts included.
    places: usize,
    /// A column of zeros: the radii of boxes, where they are read as rounded boxes.
    zeros: Vec<f32>,
}

impl Sorted {
    /// Hands `take` all bodies of `level`, run by run, with about what one of each run costs in a sweep: 1, but more where
    /// cells are overfull. Which these are is known after a sort in two steps.
    pub(crate) fn runs(
        &self,
        plan: &Plan,
        level: usize,
        mut take: impl FnMut(Range<usize>, usize),
    ) {
        let bodies = self.bodies(level);
        let cells = &plan.levels()[level];
        let mut begin = bodies.start;
        for band in Bands::new(plan).holding(cells.numbers()) {
            if self.fullest.get(band).is_some_and(|&fullest| fullest > OVERFULL) {
                let [from, to] = [band, band + 1].map(|band| self.band_starts[band] as usize);
                let run = from..to.min(bodies.end);
                let sample = run.clone().step_by(ONE_OF);
                let looked_at = sample.len();
                let tests: usize = sample.map(|place| self.tests(place, cells.stride())).sum();
                take(begin..run.start, 1);
                take(run.clone(), 1 + tests / looked_at / TESTS);
                begin = run.end;
            }
        }
        take(begin..bodies.end, 1);
    }

    /// The places of the bodies in the cell of the one at `place`.
    pub(in crate::grid) fn cell_mates(&self, place: usize) -> Range<usize> {
        let cell = self.cells[place] as usize;
        self.places_of(cell..cell + 1)
    }

    /// How many bodies the sweep tests the one at `place` against, in a level with `stride` cells from a row to the next.
    pub(in crate::grid) fn tests(&self, place: usize, stride: usize) -> usize {
        let cell = self.cells[place] as usize;
        let start = |cell: usize| self.starts[cell] as usize;
        start(cell + 2) - (place + 1) + start(cell + stride + 2) - start(cell + stride - 1)
    }

    /// Measures the box around the bodies of each level.
    pub(crate) fn measure<I: BodyLayout>(&mut self, isa: Isa, plan: &Plan, threads: bool) {
        for level in 0..plan.levels().len() {
            let (columns, places) = (self.padded::<I>(), self.bodies(level));
            self.bounds[level] = measure::<I>(isa, columns, places, threads);
        }
    }

    /// The box around the bodies of `level`, as [`measure`](Sorted::measure) has found it.
    pub(crate) fn bounds(&self, level: usize) -> Bounds {
        self.bounds[level]
    }

    /// About how large the bodies of `level` are along x and y, radius included: the mean of some of them, or of all
    /// where they are few; 0 where there are none.
    pub(in crate::grid) fn typical_size<I: BodyLayout>(&self, level: usize) -> [f64; 2] {
        let (columns, places) = (self.padded::<I>(), self.bodies(level));
        let step = places.len().div_ceil(LOOKS).max(1);
        let looks = places.len().div_ceil(step).max(1) as f64;
        let mut sums = [0.0; 2];
        for place in places.step_by(step) {
            let body = columns.splat(Scalar, place);
            let diameter = 2.0 * f64::from(body.radius(Scalar));
            sums[0] += f64::from(body.max_x()) - f64::from(body.min_x()) + diameter;
            sums[1] += f64::from(body.max_y()) - f64::from(body.min_y()) + diameter;
        }
        sums.map(|sum| sum / looks)
    }

    /// The columns of the instance that was sorted, all [`MAX_LANES`] longer than there are places.
    #[inline(always)]
    pub(crate) fn padded<I: BodyLayout>(&self) -> I::Columns<'_> {
        self.padded_to::<I>(self.places + MAX_LANES)
    }

    /// The same up to `padded`, which must not be beyond that.
    #[inline(always)]
    pub(in crate::grid) fn padded_to<I: BodyLayout>(&self, padded: usize) -> I::Columns<'_> {
        let mut columns: [&[f32]; MAX_COLUMNS] = [&[]; MAX_COLUMNS];
        for (slice, column) in columns.iter_mut().zip(&self.columns[..I::COUNT]) {
            *slice = &column[..padded];
        }
        I::columns(columns)
    }

    /// The columns of bodies sorted as `form`, read as those of the instance: the same, or any as
    /// rounded boxes, for which boxes need [`zeros`](Sorted::make_zeros).
    #[inline(always)]
    pub(in crate::grid) fn read_as<I: BodyLayout>(&self, form: LayoutKind) -> I::Columns<'_> {
        if I::FORM == form {
            return self.padded::<I>();
        }
        let [a, b, c, d, _] = &self.columns;
        let columns = match form {
            LayoutKind::Circle => [a, b, a, b, c],
            LayoutKind::Box => [a, b, c, d, &self.zeros],
            LayoutKind::Rounded => unreachable!("rounded boxes are read as such"),
        };
        I::columns(map_each(columns, |column| &column[..self.places + MAX_LANES]))
    }

    /// The columns of bodies sorted as `form`.
    pub(crate) fn layout(&self, form: LayoutKind) -> Layout<'_> {
        with_layout_kind!(form, I => I::layout(self.padded::<I>()))
    }

    /// Makes sure that bodies sorted as `form` can be read as rounded boxes.
    pub(crate) fn make_zeros(&mut self, form: LayoutKind) {
        if form == LayoutKind::Box {
            grow(&mut self.zeros, self.places + MAX_LANES);
        }
    }

    /// The indices of the bodies in all places, ghosts included, with the slack of the columns.
    pub(crate) fn ids(&self) -> &[u32] {
        &self.ids[..self.places + MAX_LANES]
    }

    /// The places of the bodies of `level`.
    pub(crate) fn bodies(&self, level: usize) -> Range<usize> {
        self.bodies[level].clone()
    }

    /// The cells of the bodies at `places`.
    pub(crate) fn cells_of(&self, places: Range<usize>) -> &[u32] {
        &self.cells[places]
    }

    /// The indices of the bodies at `places`.
    pub(in crate::grid) fn ids_of(&self, places: Range<usize>) -> &[u32] {
        &self.ids[places]
    }

    /// The values of the body at `place`, a column each, as bits, and its index behind them.
    #[inline(always)]
    pub(in crate::grid) fn words_at<I: BodyLayout>(&self, place: usize) -> [u32; MAX_COLUMNS + 1] {
        let mut words = [0; MAX_COLUMNS + 1];
        for (word, column) in words.iter_mut().zip(&self.columns[..I::COUNT]) {
            *word = column[place].to_bits();
        }
        words[I::COUNT] = self.ids[place];
        words
    }

    /// The places of the bodies in a run of cells.
    #[inline(always)]
    pub(in crate::grid) fn places_of(&self, cells: Range<usize>) -> Range<usize> {
        self.starts[cells.start] as usize..self.starts[cells.end] as usize
    }

    /// Where each cell begins.
    pub(crate) fn starts(&self, isa: Isa, plan: &Plan, threads: bool) -> Starts<'_> {
        Starts::new(isa, &self.starts[..=plan.cells()], self.places, threads)
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        let columns: usize = self.columns.iter().map(Vec::capacity).sum();
        let indices = self.ids.capacity()
            + self.cells.capacity()
            + self.starts.capacity()
            + self.unsorted_cells.capacity()
            + self.band_starts.capacity()
            + self.fullest.capacity();
        (columns + self.zeros.capacity()) * size_of::<f32>() + indices * size_of::<u32>()
    }
}
