//! Second half of the sort: each band's records, in columns, by cell.

use super::{
    Instance, Partition, Plan,
    instance::MAX_COLUMNS,
    partition::{Record, grow},
};
use crate::{
    parallel::{self, Divide},
    simd::MAX_LANES,
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
        let bands = partition.bands();
        self.count = count;
        for column in &mut self.columns[..I::COUNT] {
            grow(column, count + MAX_LANES);
        }
        grow(&mut self.ids, count + MAX_LANES);
        grow(&mut self.cells, count);

        self.band_starts.clear();
        let mut begin = 0;
        for band in 0..bands.count {
            self.band_starts.push(begin);
            begin += partition.records_of(band).map(|part| part.len() as u32).sum::<u32>();
        }
        self.band_starts.push(begin);

        let cells = plan.cells();
        let neighbours = plan.stride as usize + 2;
        grow(&mut self.starts, cells + neighbours);
        self.starts[0] = 0;
        self.starts[cells + 1..cells + neighbours].fill(count as u32);

        let work = Sorting {
            partition,
            band_starts: &self.band_starts,
            cells_a_band: 1 << bands.shift,
            first: 0,
            starts: &mut self.starts[1..=cells],
            columns: self.columns.each_mut().map(|column| column.as_mut_slice()),
            ids: &mut self.ids,
            cells: &mut self.cells,
        };
        parallel::run(work, threads);
    }

    /// The number of bodies.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// The columns of the instance that was sorted, with slack.
    #[inline(always)]
    pub(super) fn columns<I: Instance>(&self) -> I::Columns<'_> {
        let padded = self.count + MAX_LANES;
        let mut columns: [&[f32]; MAX_COLUMNS] = [&[]; MAX_COLUMNS];
        for (slice, column) in columns.iter_mut().zip(&self.columns[..I::COUNT]) {
            *slice = &column[..padded];
        }
        I::columns(columns)
    }

    /// The index of each body in the results, with slack.
    #[inline(always)]
    pub(super) fn ids(&self) -> &[u32] {
        &self.ids[..self.count + MAX_LANES]
    }

    /// The cell of each body.
    #[inline(always)]
    pub(super) fn cells(&self) -> &[u32] {
        &self.cells[..self.count]
    }

    /// Where each cell begins.
    #[inline(always)]
    pub(super) fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        let columns: usize = self.columns.iter().map(Vec::capacity).sum();
        let indices = self.ids.capacity()
            + self.cells.capacity()
            + self.starts.capacity()
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
        let mut sink = Sink { columns: self.columns, ids: self.ids, cells: self.cells };
        for (band, starts) in (first..).zip(starts.chunks_mut(cells_a_band)) {
            let first_cell = (band * cells_a_band) as u32;
            let begin = band_starts[band];

            // How many bodies each cell has.
            starts.fill(0);
            for records in partition.records_of(band) {
                for record in records {
                    starts[(record.cell - first_cell) as usize] += 1;
                }
            }
            // Where each cell begins; the scatter moves that on to where it ends, which is where
            // the next one begins: `starts` is one ahead of the cells of the band.
            let mut next = begin;
            for start in starts.iter_mut() {
                next += std::mem::replace(start, next);
            }
            for records in partition.records_of(band) {
                for record in records {
                    let slot = &mut starts[(record.cell - first_cell) as usize];
                    sink.put::<I>((*slot - band_starts[first]) as usize, record);
                    *slot += 1;
                }
            }
        }
    }
}

/// The sorted columns that some bands fill.
struct Sink<'a> {
    columns: [&'a mut [f32]; MAX_COLUMNS],
    ids: &'a mut [u32],
    cells: &'a mut [u32],
}

impl Sink<'_> {
    #[inline(always)]
    fn put<I: Instance>(&mut self, at: usize, record: &Record<I::Values>) {
        for (column, &value) in self.columns[..I::COUNT].iter_mut().zip(record.values.as_ref()) {
            column[at] = value;
        }
        self.ids[at] = record.id;
        self.cells[at] = record.cell;
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
