//! The first step of a two-step sort: records, grouped by band of cells.
//!
//! A single counting sort scatters to as many places as there are cells. Beyond the cache, each
//! store is a miss. Two steps keep every store in the cache:
//!
//! 1. The input is cut into **chunks**. Within its chunk, the record of each item goes to one of at
//!    most a few hundred **bands** (runs of consecutive cells). There are so few bands that their
//!    write positions stay in the L1 cache. The chunks are independent tasks.
//! 2. Each band ([`Sorted`](super::Sorted)) collects its records from all chunks and sorts them by
//!    cell. It has so few items that the places it scatters to stay in the cache. The bands are
//!    independent tasks.
//!
//! Both steps keep the order of the input within a cell. So the sorted order is a function of the
//! input alone, whatever the numbers of chunks, bands and threads.

use std::ops::Range;

use super::{
    BoxLayout, CircleLayout, ItemLayout, MAX_COLUMNS, RoundedLayout,
    record::{CacheLine, Record, Tag, lines, records, records_mut},
};
use crate::{
    base::{
        THREAD_TASKS,
        buffer::grow,
        grouping::begin_groups,
        held,
        parallel::{self, Divide},
    },
    grid::plan::{Locate, Plan},
    kernel::{BoxColumns, CenteredColumns, CircleColumns, ColumnSet, RoundedColumns},
    simd::{CACHE_LINE_BYTES, Isa, Kernel, MAX_LANES, Simd, dispatch_moves, dispatch_vectors},
};

/// The most items in a chunk: its records and cells nearly fit into the L2 cache.
const MAX_ITEMS_PER_CHUNK: usize = 1 << Tag::ROW_BITS;

/// The fewest items in a chunk: with fewer, the time to count its bands would show.
const MIN_ITEMS_PER_CHUNK: usize = 1 << 12;

/// The distance, in bytes, from a written record to the address in its band that is prefetched: the
/// next cache line.
const SLOT_BYTES_AHEAD: usize = CACHE_LINE_BYTES + CACHE_LINE_BYTES / 2;

/// The id, in the results, of each row of the input.
#[derive(Clone, Copy)]
pub(crate) enum Ids<'a> {
    /// The row itself.
    Rows,
    /// The element of this list at the row.
    List(&'a [u32]),
}

impl Ids<'_> {
    /// The id of row `row`.
    #[inline(always)]
    pub(in crate::grid) fn of(self, row: usize) -> u32 {
        match self {
            Ids::Rows => row as u32,
            Ids::List(list) => list[row],
        }
    }

    /// The ids of eight rows from `row` on.
    #[inline(always)]
    pub(super) fn of_eight(self, row: usize) -> [u32; 8] {
        match self {
            Ids::Rows => std::array::from_fn(|lane| (row + lane) as u32),
            Ids::List(list) => eight(list, row),
        }
    }
}

/// Columns whose rows can be read as items of the layout `I`.
pub(crate) trait RecordSource<I: ItemLayout>: ColumnSet {
    /// The values of row `row`, in the order of the columns of the layout.
    fn values(self, row: usize) -> I::Values;

    /// The values of eight rows from `row` on, column by column; zeros beyond the columns of the
    /// layout.
    fn eight_values(self, row: usize) -> [[u32; 8]; MAX_COLUMNS];
}

/// Eight values of `column` from `row` on.
#[inline(always)]
pub(super) fn eight<T: bytemuck::Pod>(column: &[T], row: usize) -> [u32; 8] {
    let mut values = [0; 8];
    values.copy_from_slice(bytemuck::cast_slice(&column[row..row + 8]));
    values
}

/// The records of all items, grouped by chunk of the input and, within it, by band of cells.
#[derive(Debug)]
pub(crate) struct Partition {
    records: Vec<CacheLine>,
    /// The cells of the items of each chunk, chunk after chunk, each followed by padding for the
    /// last vector.
    cells: Vec<u32>,
    /// For each chunk and band, where the band ends among the records of the chunk.
    ends: Vec<u32>,
    count: usize,
    /// Items in a chunk, a power of two.
    chunk: usize,
    bands: CellBands,
}

held!(Partition { records, cells, ends, count, chunk, bands });

/// The grouping of cells: cell `c` is in band `c >> shift`.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct CellBands {
    pub(super) shift: u32,
    pub(super) count: usize,
}

impl CellBands {
    pub(super) fn new(plan: &Plan) -> Self {
        let shift = plan.band_shift;
        Self { shift, count: plan.cells().div_ceil(1 << shift) }
    }

    /// The bands that contain a non-empty range of cells.
    pub(super) fn holding(self, cells: Range<usize>) -> Range<usize> {
        cells.start >> self.shift..((cells.end - 1) >> self.shift) + 1
    }
}

impl Default for Partition {
    fn default() -> Self {
        Self {
            records: Vec::new(),
            cells: Vec::new(),
            ends: Vec::new(),
            count: 0,
            chunk: MAX_ITEMS_PER_CHUNK,
            bands: CellBands::default(),
        }
    }
}

impl Partition {
    /// Partitions the rows `0..count` of `set`.
    pub(crate) fn fill<I: ItemLayout, C: RecordSource<I>>(
        &mut self,
        isa: Isa,
        plan: &Plan,
        set: C,
        count: usize,
        threads: bool,
    ) {
        self.count = count;
        self.bands = CellBands::new(plan);
        self.chunk = if threads {
            let share = count.div_ceil(THREAD_TASKS * parallel::threads());
            share.clamp(MIN_ITEMS_PER_CHUNK, MAX_ITEMS_PER_CHUNK).next_power_of_two()
        } else {
            MAX_ITEMS_PER_CHUNK
        };
        let chunk = self.chunk;
        let chunks = count.div_ceil(chunk);
        let padded = count + chunks * MAX_LANES;
        grow(&mut self.records, lines::<I::Packed>(count));
        grow(&mut self.cells, padded);
        grow(&mut self.ends, chunks * self.bands.count);
        let chunks = Chunks::<I, C> {
            isa,
            plan,
            bands: self.bands,
            set,
            first: 0,
            records: records_mut(&mut self.records, count),
            chunk,
            cells: &mut self.cells[..padded],
            ends: &mut self.ends[..chunks * self.bands.count],
        };
        parallel::run(chunks, threads);
    }

    /// Memory for this many records. The records of the partition become invalid.
    pub(super) fn room<R: Record>(&mut self, count: usize) -> &mut [R] {
        grow(&mut self.records, lines::<R>(count));
        records_mut(&mut self.records, count)
    }

    /// The number of items.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The grouping of the cells.
    pub(super) fn bands(&self) -> CellBands {
        self.bands
    }

    /// The records of `band`, as ranges, chunk by chunk.
    pub(super) fn records_of(&self, band: usize) -> impl Iterator<Item = Range<usize>> {
        let ends = self.ends.chunks_exact(self.bands.count);
        ends.enumerate().take(self.count.div_ceil(self.chunk)).map(move |(chunk, ends)| {
            let begin = if band == 0 { 0 } else { ends[band - 1] };
            let first = chunk * self.chunk;
            first + begin as usize..first + ends[band] as usize
        })
    }

    /// The number of items of `band`.
    pub(super) fn items_in(&self, band: usize) -> usize {
        self.records_of(band).map(|part| part.len()).sum()
    }

    /// A mask that turns the index of a record into the first row of its chunk. The row in a
    /// [`Tag`] is relative to that row.
    pub(super) fn first_rows(&self) -> u32 {
        !(self.chunk as u32 - 1)
    }

    /// The records of all items.
    pub(super) fn records<R: Record>(&self) -> &[R] {
        records(&self.records, self.count)
    }
}

/// Counts how often each value `cells[i] >> shift` occurs. Eight at a time take half as long as one
/// by one.
#[inline(always)]
pub(super) fn tally(counts: &mut [u32], cells: &[u32], shift: u32) {
    let (eights, rest) = cells.as_chunks::<8>();
    for eight in eights {
        for cell in eight {
            counts[(cell >> shift) as usize] += 1;
        }
    }
    for cell in rest {
        counts[(cell >> shift) as usize] += 1;
    }
}

/// Consecutive chunks, with their parts of the buffers.
struct Chunks<'a, I: ItemLayout, C> {
    isa: Isa,
    plan: &'a Plan,
    bands: CellBands,
    set: C,
    /// Items in a chunk.
    chunk: usize,
    /// The input row of the first record.
    first: usize,
    records: &'a mut [I::Packed],
    cells: &'a mut [u32],
    ends: &'a mut [u32],
}

impl<I: ItemLayout, C: RecordSource<I>> Divide for Chunks<'_, I, C> {
    fn tasks(&self) -> usize {
        self.records.len().div_ceil(self.chunk)
    }

    fn split(self, tasks: usize) -> (Self, Self) {
        let rows = (tasks * self.chunk).min(self.records.len());
        let (records, more_records) = self.records.split_at_mut(rows);
        let (cells, more_cells) = self.cells.split_at_mut(rows + tasks * MAX_LANES);
        let (ends, more_ends) = self.ends.split_at_mut(tasks * self.bands.count);
        let rest = Self {
            first: self.first + rows,
            records: more_records,
            cells: more_cells,
            ends: more_ends,
            ..self
        };
        (Self { records, cells, ends, ..self }, rest)
    }

    fn work(self) {
        let buffers =
            self.records.chunks_mut(self.chunk).zip(self.ends.chunks_mut(self.bands.count));
        for (chunk, (records, ends)) in buffers.enumerate() {
            let cells = &mut self.cells[..records.len() + MAX_LANES];
            let first = self.first + chunk * self.chunk;
            let (plan, bands, set, count) = (self.plan, self.bands, self.set, records.len());
            dispatch_vectors(self.isa, Locate { plan, set, first, count, cells: &mut *cells });
            let cells = &cells[..count];
            dispatch_moves(self.isa, Chunk::<I, C> { bands, set, first, records, cells, ends });
        }
    }
}

/// One chunk of the partition.
struct Chunk<'a, I: ItemLayout, C> {
    bands: CellBands,
    set: C,
    first: usize,
    records: &'a mut [I::Packed],
    /// The cell of each item.
    cells: &'a [u32],
    ends: &'a mut [u32],
}

impl<I: ItemLayout, C: RecordSource<I>> Kernel for Chunk<'_, I, C> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { bands, set, first, records, cells, ends } = self;

        // The number of items of each band.
        ends.fill(0);
        tally(ends, cells, bands.shift);

        // The start of each band; the scatter advances it to the end.
        begin_groups(0, ends);
        let within = (1 << bands.shift) - 1;
        let (eights, rest) = cells.as_chunks::<8>();
        for (cells, row) in eights.iter().zip((0..).step_by(8)) {
            let marks = [Tag::eight(row, cells.map(|cell| cell & within)), [0; 8]];
            let eight_records = I::Packed::eight(simd, set.eight_values(first + row), marks);
            for (record, cell) in eight_records.into_iter().zip(cells) {
                let slot = &mut ends[(cell >> bands.shift) as usize];
                simd.prefetch_at(
                    records,
                    *slot as usize + SLOT_BYTES_AHEAD / size_of::<I::Packed>(),
                );
                records[*slot as usize] = record;
                *slot += 1;
            }
        }
        for (row, &cell) in (8 * eights.len()..).zip(rest) {
            let slot = &mut ends[(cell >> bands.shift) as usize];
            let marks = [Tag::new(row, cell & within).0, 0];
            records[*slot as usize] = Record::new(set.values(first + row).as_ref(), marks);
            *slot += 1;
        }
    }
}

impl RecordSource<CircleLayout> for CircleColumns<'_> {
    #[inline(always)]
    fn values(self, row: usize) -> [u32; 3] {
        [self.x[row], self.y[row], self.radius[row]].map(f32::to_bits)
    }

    #[inline(always)]
    fn eight_values(self, row: usize) -> [[u32; 8]; MAX_COLUMNS] {
        [eight(self.x, row), eight(self.y, row), eight(self.radius, row), [0; 8], [0; 8]]
    }
}

impl RecordSource<BoxLayout> for BoxColumns<'_> {
    #[inline(always)]
    fn values(self, row: usize) -> [u32; 4] {
        [self.min_x[row], self.min_y[row], self.max_x[row], self.max_y[row]].map(f32::to_bits)
    }

    #[inline(always)]
    fn eight_values(self, row: usize) -> [[u32; 8]; MAX_COLUMNS] {
        let Self { min_x, min_y, max_x, max_y } = self;
        [eight(min_x, row), eight(min_y, row), eight(max_x, row), eight(max_y, row), [0; 8]]
    }
}

impl RecordSource<BoxLayout> for CenteredColumns<'_> {
    #[inline(always)]
    fn values(self, row: usize) -> [u32; 4] {
        let (x, half_width) = (self.x[row], self.half_width[row]);
        let (y, half_height) = (self.y[row], self.half_height[row]);
        [x - half_width, y - half_height, x + half_width, y + half_height].map(f32::to_bits)
    }

    #[inline(always)]
    fn eight_values(self, row: usize) -> [[u32; 8]; MAX_COLUMNS] {
        let mut values = [[0; 8]; MAX_COLUMNS];
        for lane in 0..8 {
            let sides = <Self as RecordSource<BoxLayout>>::values(self, row + lane);
            for (column, side) in values.iter_mut().zip(sides) {
                column[lane] = side;
            }
        }
        values
    }
}

impl RecordSource<RoundedLayout> for RoundedColumns<'_> {
    #[inline(always)]
    fn values(self, row: usize) -> [u32; 5] {
        let [a, b, c, d] = <_ as RecordSource<BoxLayout>>::values(self.core, row);
        [a, b, c, d, self.radius[row].to_bits()]
    }

    #[inline(always)]
    fn eight_values(self, row: usize) -> [[u32; 8]; MAX_COLUMNS] {
        let mut values = <_ as RecordSource<BoxLayout>>::eight_values(self.core, row);
        values[4] = eight(self.radius, row);
        values
    }
}
