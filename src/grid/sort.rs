//! Second half of the sort: each band's records, in columns, by cell.

use std::marker::PhantomData;

use super::{Ids, Instance, Partition, Plan, RecordSource, instance::MAX_COLUMNS, partition::grow};
use crate::{
    parallel::{self, Divide},
    simd::{Isa, Kernel, MAX_LANES, Simd, Table, dispatch},
};

/// Bodies in columns, sorted by cell and, within a cell, by their order in the input.
///
/// Invariants, for `n` bodies in `cells` cells:
/// - `starts[c]..starts[c + 1]` are the bodies of cell `c`; `starts[c]` is `n` from `cells` on, far
///   enough for every neighbour that the sweep looks at;
/// - every column reaches [`MAX_LANES`] beyond `n`, so that vectors load whole.
#[derive(Debug, Default)]
pub(crate) struct Sorted {
    columns: [Vec<f32>; MAX_COLUMNS],
    /// The index of each body in the results.
    ids: Vec<u32>,
    /// The cell of each body.
    cells: Vec<u32>,
    /// Where each cell begins.
    starts: Vec<u32>,
    /// Where each band begins.
    band_starts: Vec<u32>,
    /// The cell of each body in the order of the input, when sorted in one step.
    unsorted_cells: Vec<u32>,
    count: usize,
}

impl Sorted {
    /// Sorts what `partition` holds.
    pub(crate) fn fill<I: Instance>(
        &mut self,
        plan: &Plan,
        partition: &Partition<I>,
        count: usize,
        threads: bool,
    ) {
        self.prepare::<I>(plan, count);
        let bands = partition.bands();
        self.band_starts.clear();
        let mut begin = 0;
        for band in 0..bands.count {
            self.band_starts.push(begin);
            begin += partition.records_of(band).map(|part| part.len() as u32).sum::<u32>();
        }
        self.band_starts.push(begin);

        let cells = plan.cells();
        let work = Sorting {
            partition,
            band_starts: &self.band_starts,
            cells_a_band: 1 << bands.shift,
            first: 0,
            starts: &mut self.starts[1..=cells],
            // Buffers never shrink, and an instance of fewer columns leaves the others as they
            // were: they may be longer than this scene, or shorter.
            columns: self.columns.each_mut().map(|column| {
                let used = count.min(column.len());
                &mut column[..used]
            }),
            ids: &mut self.ids[..count],
            cells: &mut self.cells[..count],
        };
        parallel::run(work, threads);
    }

    /// Sorts the rows `0..count` of `set` in one step, without a partition: for scenes that fit
    /// into the cache as a whole.
    pub(crate) fn fill_directly<I: Instance, C: RecordSource<I>>(
        &mut self,
        isa: Isa,
        plan: &Plan,
        set: C,
        ids: Ids<'_>,
        count: usize,
    ) {
        self.prepare::<I>(plan, count);
        grow(&mut self.unsorted_cells, count + MAX_LANES);
        let cells = plan.cells();
        dispatch(
            isa,
            Direct::<I, C> {
                instance: PhantomData,
                plan: *plan,
                set,
                from_ids: ids,
                from_cells: &mut self.unsorted_cells[..count + MAX_LANES],
                starts: &mut self.starts[1..=cells],
                columns: self.columns.each_mut().map(|column| {
                    let used = count.min(column.len());
                    &mut column[..used]
                }),
                ids: &mut self.ids[..count],
                cells: &mut self.cells[..count],
            },
        );
    }

    /// Makes room, and writes what `starts` holds beyond the last cell.
    fn prepare<I: Instance>(&mut self, plan: &Plan, count: usize) {
        self.count = count;
        for column in &mut self.columns[..I::COUNT] {
            grow(column, count + MAX_LANES);
        }
        grow(&mut self.ids, count + MAX_LANES);
        grow(&mut self.cells, count + MAX_LANES);
        let cells = plan.cells();
        let neighbours = plan.stride as usize + 2;
        grow(&mut self.starts, cells + neighbours);
        self.starts[0] = 0;
        self.starts[cells + 1..cells + neighbours].fill(count as u32);
    }

    /// The columns of the instance that was sorted and the index of each body in the results, all
    /// exactly `count` (the number of bodies) + [`MAX_LANES`] long.
    #[inline(always)]
    pub(super) fn padded<I: Instance>(&self, count: usize) -> (I::Columns<'_>, &[u32]) {
        let padded = count + MAX_LANES;
        let mut columns: [&[f32]; MAX_COLUMNS] = [&[]; MAX_COLUMNS];
        for (slice, column) in columns.iter_mut().zip(&self.columns[..I::COUNT]) {
            *slice = &column[..padded];
        }
        (I::columns(columns), &self.ids[..padded])
    }

    /// Where the neighbours of each body are.
    pub(crate) fn table(&self, isa: Isa, plan: &Plan) -> Table<'_> {
        let stride = plan.stride as usize;
        let starts = &self.starts[..plan.cells() + stride + 2];
        Table::new(isa, &self.cells[..self.count], starts, stride)
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        let columns: usize = self.columns.iter().map(Vec::capacity).sum();
        let indices = self.ids.capacity()
            + self.cells.capacity()
            + self.starts.capacity()
            + self.unsorted_cells.capacity()
            + self.band_starts.capacity();
        columns * size_of::<f32>() + indices * size_of::<u32>()
    }
}

/// Some bands in a row, with their shares of the buffers.
struct Sorting<'a, I: Instance> {
    partition: &'a Partition<I>,
    /// Where each band begins, and at the end where the last one ends; for all bands.
    band_starts: &'a [u32],
    cells_a_band: usize,
    /// The first band.
    first: usize,
    starts: &'a mut [u32],
    columns: [&'a mut [f32]; MAX_COLUMNS],
    ids: &'a mut [u32],
    cells: &'a mut [u32],
}

impl<I: Instance> Divide for Sorting<'_, I> {
    fn tasks(&self) -> usize {
        self.starts.len().div_ceil(self.cells_a_band)
    }

    fn split(self, tasks: usize) -> (Self, Self) {
        let bands = self.first + tasks;
        let bodies = (self.band_starts[bands] - self.band_starts[self.first]) as usize;
        let (starts, more_starts) = self.starts.split_at_mut(tasks * self.cells_a_band);
        let (columns, more_columns) = split_columns(self.columns, bodies);
        let (ids, more_ids) = self.ids.split_at_mut(bodies);
        let (cells, more_cells) = self.cells.split_at_mut(bodies);
        let rest = Self {
            first: bands,
            starts: more_starts,
            columns: more_columns,
            ids: more_ids,
            cells: more_cells,
            ..self
        };
        (Self { starts, columns, ids, cells, ..self }, rest)
    }

    fn work(self) {
        let Self { partition, band_starts, cells_a_band, first, starts, .. } = self;
        let count = self.ids.len();
        let (ids, cells) = (self.ids, &mut self.cells[..count]);
        let mut columns = self.columns;
        // Of one length, known to the compiler: one bounds check will do for all.
        for column in &mut columns[..I::COUNT] {
            *column = &mut std::mem::take(column)[..count];
        }
        for (band, starts) in (first..).zip(starts.chunks_mut(cells_a_band)) {
            let first_cell = (band * cells_a_band) as u32;

            // How many bodies each cell has.
            starts.fill(0);
            for records in partition.records_of(band) {
                for record in records {
                    starts[(record.cell - first_cell) as usize] += 1;
                }
            }
            begin_from(band_starts[band], starts);
            for records in partition.records_of(band) {
                for record in records {
                    let slot = &mut starts[(record.cell - first_cell) as usize];
                    let at = (*slot - band_starts[first]) as usize;
                    *slot += 1;
                    ids[at] = record.id;
                    cells[at] = record.cell;
                    let values = record.values.as_ref();
                    for (column, &value) in columns[..I::COUNT].iter_mut().zip(values) {
                        column[at] = f32::from_bits(value);
                    }
                }
            }
        }
    }
}

/// The sort in one step.
struct Direct<'a, I, C> {
    instance: PhantomData<I>,
    plan: Plan,
    set: C,
    from_ids: Ids<'a>,
    from_cells: &'a mut [u32],
    starts: &'a mut [u32],
    columns: [&'a mut [f32]; MAX_COLUMNS],
    ids: &'a mut [u32],
    cells: &'a mut [u32],
}

impl<I: Instance, C: RecordSource<I>> Kernel for Direct<'_, I, C> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { plan, set, from_ids, from_cells, starts, mut columns, ids, cells, .. } = self;
        let count = ids.len();
        for column in &mut columns[..I::COUNT] {
            *column = &mut std::mem::take(column)[..count];
        }
        plan.locate(simd, set, 0, count, from_cells);
        starts.fill(0);
        for &cell in &from_cells[..count] {
            starts[cell as usize] += 1;
        }
        begin_from(0, starts);
        for (row, &cell) in from_cells[..count].iter().enumerate() {
            let slot = &mut starts[cell as usize];
            let at = *slot as usize;
            *slot += 1;
            ids[at] = from_ids.of(row);
            cells[at] = cell;
            let values = set.values(row);
            for (column, &value) in columns[..I::COUNT].iter_mut().zip(values.as_ref()) {
                column[at] = f32::from_bits(value);
            }
        }
    }
}

/// Turns the number of bodies in each cell into where the cell begins. The scatter that follows
/// moves each on to where its cell ends, which is where the next one begins: `starts` is one ahead
/// of the cells.
#[inline(always)]
fn begin_from(begin: u32, starts: &mut [u32]) {
    let mut next = begin;
    for start in starts {
        next += std::mem::replace(start, next);
    }
}

/// Cuts each column that is in use (the others are empty) at `at`.
fn split_columns(
    columns: [&mut [f32]; MAX_COLUMNS],
    at: usize,
) -> ([&mut [f32]; MAX_COLUMNS], [&mut [f32]; MAX_COLUMNS]) {
    let mut rest: [&mut [f32]; MAX_COLUMNS] = Default::default();
    let mut index = 0;
    let first = columns.map(|column| {
        let (first, more) = column.split_at_mut(at.min(column.len()));
        rest[index] = more;
        index += 1;
        first
    });
    (first, rest)
}
