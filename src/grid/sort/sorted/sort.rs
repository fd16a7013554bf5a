//! The second step of a two-step sort: the records of each band, in columns, by cell.

use std::{marker::PhantomData, ops::Range};

use super::{
    Sorted,
    direct::{Unpacked, name, used},
};
use crate::{
    base::{
        MAX_LEVELS,
        buffer::grow,
        grouping::begin_groups,
        parallel::{self, Divide},
    },
    grid::{
        plan::{Cells, Plan, few_ghosts},
        sort::{
            Ids, ItemLayout, MAX_COLUMNS, Partition,
            partition::eight,
            record::{Record, Tag},
        },
    },
    simd::{CACHE_LINE_BYTES, Isa, Kernel, Scalar, Simd, dispatch_moves},
};

impl Sorted {
    /// The number of places to reserve for the ghosts of each level of `plan`, given the items of
    /// `partition`, and whether cells have been renumbered (see [`Plan::spare_ghosts`]). If they
    /// have, the partition must be filled again.
    pub(crate) fn spare_ghosts<I: ItemLayout>(
        &mut self,
        plan: &mut Plan,
        partition: &Partition,
    ) -> ([usize; MAX_LEVELS], bool) {
        let (bands, items) = (partition.bands(), partition.count());
        let first_bands = |cells: &Cells| {
            let first = cells.numbers().start;
            if cells.wraps { bands.holding(first..first + cells.ghosts()) } else { 0..0 }
        };
        // Ghosts are the items of the first cells, so there are at most as many as items in the
        // bands of these cells.
        let mut room = [0; MAX_LEVELS];
        for (room, cells) in room.iter_mut().zip(plan.levels()) {
            *room = first_bands(cells).map(|band| partition.items_in(band)).sum();
        }
        if few_ghosts(&room, items) {
            return (room, false);
        }

        // There may be far fewer ghosts. So count the items of these cells; and if there are still
        // too many, count the items of all cells, to find where numbers should begin.
        grow(&mut self.starts, plan.cells() + 1);
        let counts = &mut self.starts[1..=plan.cells()];
        for band in plan.levels().iter().flat_map(first_bands) {
            count_band::<I>(partition, band, counts);
        }
        let ghosts = plan.ghosts(counts);
        if few_ghosts(&ghosts, items) {
            return (ghosts, false);
        }
        for band in 0..bands.count {
            count_band::<I>(partition, band, counts);
        }
        plan.spare_ghosts(counts, items)
    }

    /// Sorts the items of `partition`, and reserves places for the `ghosts` of each level.
    pub(crate) fn fill<I: ItemLayout>(
        &mut self,
        isa: Isa,
        plan: &Plan,
        ids: Ids<'_>,
        partition: &Partition,
        ghosts: &[usize; MAX_LEVELS],
        threads: bool,
    ) {
        let bands = partition.bands();
        self.band_starts.clear();
        let mut begin = 0;
        for (level, cells) in plan.levels().iter().enumerate() {
            let first = begin;
            for band in bands.holding(cells.numbers()) {
                self.band_starts.push(begin as u32);
                begin += partition.items_in(band);
            }
            self.items[level] = first..begin;
            begin += ghosts[level];
        }
        self.band_starts.push(begin as u32);
        self.make_places::<I>(begin);

        grow(&mut self.starts, plan.cells() + 1);
        self.starts[0] = 0;
        self.fullest.clear();
        self.fullest.resize(bands.count, 0);
        let work = Sorting::<I> {
            item_layout: PhantomData,
            isa,
            given: ids,
            partition,
            band_starts: &self.band_starts,
            cells_a_band: 1 << bands.shift,
            first: 0,
            starts: &mut self.starts[1..=plan.cells()],
            fullest: &mut self.fullest,
            columns: used(&mut self.columns, begin),
            ids: &mut self.ids[..begin],
            cells: &mut self.cells[..begin],
        };
        parallel::run(work, threads);
        self.add_ghosts::<I>(plan);
    }
}

/// The distance, in bytes of records, from the record that is read to the record that is
/// prefetched. In a chunk, the records of a band are followed by the records of the next band.
const RECORD_BYTES_AHEAD: usize = 16 * CACHE_LINE_BYTES;

/// Consecutive bands, with their parts of the buffers.
struct Sorting<'a, I> {
    item_layout: PhantomData<I>,
    isa: Isa,
    /// The id of each row.
    given: Ids<'a>,
    partition: &'a Partition,
    /// The place where each band begins, and at the end where the last one ends; for all bands.
    band_starts: &'a [u32],
    cells_a_band: usize,
    /// The first band.
    first: usize,
    starts: &'a mut [u32],
    fullest: &'a mut [u32],
    columns: [&'a mut [f32]; MAX_COLUMNS],
    ids: &'a mut [u32],
    cells: &'a mut [u32],
}

impl<I: ItemLayout> Divide for Sorting<'_, I> {
    fn tasks(&self) -> usize {
        self.starts.len().div_ceil(self.cells_a_band)
    }

    fn split(self, tasks: usize) -> (Self, Self) {
        let bands = self.first + tasks;
        let places = (self.band_starts[bands] - self.band_starts[self.first]) as usize;
        let (starts, more_starts) = self.starts.split_at_mut(tasks * self.cells_a_band);
        let (fullest, more_fullest) = self.fullest.split_at_mut(tasks);
        let (columns, more_columns) = split_columns(self.columns, places);
        let (ids, more_ids) = self.ids.split_at_mut(places);
        let (cells, more_cells) = self.cells.split_at_mut(places);
        let rest = Self {
            first: bands,
            starts: more_starts,
            fullest: more_fullest,
            columns: more_columns,
            ids: more_ids,
            cells: more_cells,
            ..self
        };
        (Self { starts, fullest, columns, ids, cells, ..self }, rest)
    }

    fn work(self) {
        dispatch_moves(self.isa, self);
    }
}

impl<I: ItemLayout> Kernel for Sorting<'_, I> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { given, partition, band_starts, cells_a_band, first, starts, .. } = self;
        const { assert!(!I::Packed::WHOLE) };
        let records = partition.records::<I::Packed>();
        let first_rows = partition.first_rows();
        let mut columns = Unpacked::<I, false>::new(self.columns, self.ids, self.cells);
        let bands = starts.chunks_mut(cells_a_band).zip(self.fullest);
        for (band, (starts, fullest)) in (first..).zip(bands) {
            // Prefetch the places of the band while its items are counted.
            let places =
                [band, band + 1].map(|band| (band_starts[band] - band_starts[first]) as usize);
            for at in (places[0]..places[1]).step_by(CACHE_LINE_BYTES / size_of::<u32>()) {
                columns.prefetch(simd, at);
            }

            // Count the items of each cell, then find the place of each record. Until the copy
            // below, `ids` holds the indices of the records.
            starts.fill(0);
            for part in partition.records_of(band) {
                count(simd, starts, records, part);
            }
            *fullest = starts.iter().copied().fold(0, u32::max);
            let begin = band_starts[band] - band_starts[first];
            let end = begin_groups(band_starts[band], starts) - band_starts[first];
            for part in partition.records_of(band) {
                place(starts, records, part, band_starts[first], columns.ids);
            }

            // Copy the records to the columns, eight at a time, so that each column is written by
            // whole vectors. Until `untag` replaces tags by ids and cells, `cells` holds the first
            // rows of the chunks.
            let (begin, end) = (begin as usize, end as usize);
            let rows = columns.cells[begin..end].iter_mut();
            for (row, index) in rows.zip(&columns.ids[begin..end]) {
                *row = index & first_rows;
            }
            let whole = end - (end - begin) % 8;
            for at in (begin..whole).step_by(8) {
                let indices: [u32; 8] = eight(columns.ids, at);
                let eight = std::array::from_fn(|lane| &records[indices[lane] as usize]);
                columns.set_eight(simd, at, eight);
            }
            for at in whole..end {
                columns.set(at, &records[columns.ids[at] as usize]);
            }
            let (ids, cells) = (&mut columns.ids[begin..end], &mut columns.cells[begin..end]);
            untag(ids, cells, given, (band * cells_a_band) as u32);
        }
    }
}

/// Counts the items of each cell of a band. `counts` holds the counts of all cells.
fn count_band<I: ItemLayout>(partition: &Partition, band: usize, counts: &mut [u32]) {
    let cells_a_band = 1 << partition.bands().shift;
    let begin = band * cells_a_band;
    let end = counts.len().min(begin + cells_a_band);
    let counts = &mut counts[begin..end];
    counts.fill(0);
    for part in partition.records_of(band) {
        count(Scalar, counts, partition.records::<I::Packed>(), part);
    }
}

/// Counts the items of each cell of a band in a part of its records.
#[inline(always)]
fn count<R: Record, S: Simd>(simd: S, counts: &mut [u32], records: &[R], part: Range<usize>) {
    let ahead = RECORD_BYTES_AHEAD / size_of::<R>();
    for (index, record) in part.clone().zip(&records[part]) {
        simd.prefetch_at(records, index + ahead);
        counts[record.tag().cell() as usize] += 1;
    }
}

/// Writes the index of each record of a part to its place in `indices`, counted from `first_place`.
///
/// Not inlined, so that all values of its loop stay in registers.
#[inline(never)]
fn place<R: Record>(
    slots: &mut [u32],
    records: &[R],
    part: Range<usize>,
    first_place: u32,
    indices: &mut [u32],
) {
    for (index, record) in (part.start as u32..).zip(&records[part]) {
        let slot = &mut slots[record.tag().cell() as usize];
        indices[(*slot - first_place) as usize] = index;
        *slot += 1;
    }
}

/// Replaces tags by ids and cells. `cells` holds the rows that the tags count from.
#[inline(always)]
fn untag(tags: &mut [u32], cells: &mut [u32], given: Ids<'_>, first_cell: u32) {
    for (id, cell) in tags.iter_mut().zip(cells) {
        let tag = Tag(*id);
        *id = *cell + tag.row();
        *cell = first_cell + tag.cell();
    }
    // A separate loop; otherwise the one above is not vectorized.
    if let Ids::List(list) = given {
        name(tags, list);
    }
}

/// Splits each column that is in use at `at`. The other columns are empty.
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
