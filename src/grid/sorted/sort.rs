//! Second half of the sort: each band's records, in columns, by cell; or small scenes straight from the input.

use std::{marker::PhantomData, ops::Range};

use super::Sorted;
use crate::{
    grid::{
        Ids, Instance, Partition, Plan, RecordSource,
        cells::Cells,
        instance::MAX_COLUMNS,
        partition::{eight, grow, tally},
        record::{Record, Tag},
    },
    parallel::{self, Divide},
    simd::{Isa, Kernel, MAX_LANES, Simd, dispatch},
};

impl Sorted {
    /// Sorts what `partition` holds.
    pub(crate) fn fill<I: Instance>(
        &mut self,
        isa: Isa,
        plan: &Plan,
        ids: Ids<'_>,
        partition: &Partition,
        threads: bool,
    ) {
        let bands = partition.bands();
        self.band_starts.clear();
        let bodies_in = |band| partition.records_of(band).map(|part| part.len()).sum::<usize>();
        let mut begin = 0;
        for (level, cells) in plan.levels().iter().enumerate() {
            let first = begin;
            let numbers = cells.numbers();
            for band in bands.holding(numbers.clone()) {
                self.band_starts.push(begin as u32);
                begin += bodies_in(band);
            }
            self.bodies[level] = first..begin;
            if cells.wraps {
                // Ghosts are the bodies of the first cells: no more than those of their bands.
                let first_cells = numbers.start..numbers.start + cells.ghosts();
                let room: usize = bands.holding(first_cells).map(bodies_in).sum();
                begin += room.min(begin - first);
            }
        }
        self.band_starts.push(begin as u32);
        self.make_places::<I>(begin);

        grow(&mut self.starts, plan.cells() + 1);
        self.starts[0] = 0;
        self.fullest.clear();
        self.fullest.resize(bands.count, 0);
        let work = Sorting::<I> {
            instance: PhantomData,
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

    /// Sorts the rows `0..count` of `set` in one step, with nothing of `partition` but its memory.
    pub(crate) fn fill_directly<I: Instance, C: RecordSource<I>>(
        &mut self,
        isa: Isa,
        plan: &Plan,
        set: C,
        ids: Ids<'_>,
        count: usize,
        partition: &mut Partition,
    ) {
        self.fullest.clear();
        grow(&mut self.unsorted_cells, count + MAX_LANES);
        grow(&mut self.starts, plan.cells() + 1);
        self.starts[0] = 0;
        let cells = &mut self.unsorted_cells[..count + MAX_LANES];
        dispatch(isa, Tally { plan, set, cells, starts: &mut self.starts[1..=plan.cells()] });

        // From the number of bodies in each cell to where it begins.
        let helical = plan.levels().iter().filter(|cells| cells.wraps);
        let ghosts = helical.map(|cells| {
            let first = cells.numbers().start + 1;
            self.starts[first..first + cells.ghosts()].iter().sum::<u32>() as usize
        });
        let places = count + ghosts.sum::<usize>();
        self.make_places::<I>(places);
        // Where records have one mark: a small scene is a chunk, and its cells are a band.
        let tagged = !I::Record::WHOLE && Tag::can_tell(count, plan.cells());
        let mut begin = 0;
        for (level, cells) in plan.levels().iter().enumerate() {
            let next =
                plan.levels().get(level + 1).map_or(plan.cells(), |next| next.numbers().start);
            let numbers = cells.numbers();
            let starts = &mut self.starts[1..][numbers.start..next];
            let first = begin;
            begin = if I::Record::WHOLE || tagged {
                dispatch(isa, Begin { begin, starts })
            } else {
                begin_cells(begin, starts, numbers.start as u32, &mut self.cells)
            };
            self.bodies[level] = first as usize..begin as usize;
            if cells.wraps {
                begin += self.starts[1..][numbers.start + cells.ghosts()] - first;
            }
        }
        let records = partition.room::<I::Record>(places);
        let (cells, slots) =
            (&self.unsorted_cells[..count + MAX_LANES], &mut self.starts[1..=plan.cells()]);
        dispatch(isa, Scatter::<I, C> { set, ids, tagged, cells, slots, records: &mut *records });
        let columns = used(&mut self.columns, places);
        let (marks, cells) = (&mut self.ids[..places], &mut self.cells[..places]);
        dispatch(isa, Unpack::<I> { records: &*records, tagged, columns, ids: marks, cells });
        if tagged && let Ids::List(list) = ids {
            for level in &self.bodies[..plan.levels().len()] {
                name(&mut self.ids[level.clone()], list);
            }
        }
        self.add_ghosts::<I>(plan);
    }

    /// Makes room for so many bodies and ghosts.
    fn make_places<I: Instance>(&mut self, places: usize) {
        self.places = places;
        for column in &mut self.columns[..I::COUNT] {
            grow(column, places + MAX_LANES);
        }
        grow(&mut self.ids, places + MAX_LANES);
        grow(&mut self.cells, places + MAX_LANES);
    }

    /// Repeats the first cells of each helical level behind its last.
    fn add_ghosts<I: Instance>(&mut self, plan: &Plan) {
        for (level, cells) in plan.levels().iter().enumerate() {
            let bodies = self.bodies[level].clone();
            let Cells { base, count, wraps, .. } = *cells;
            let (base, end) = (base as usize, base as usize + count as usize);
            // The band before has left here where its own level ends.
            self.starts[base] = bodies.start as u32;
            if !wraps {
                continue;
            }
            let shift = (bodies.end - bodies.start) as u32;
            for ghost in 0..cells.ghosts() {
                self.starts[end + ghost] = self.starts[base + ghost] + shift;
            }
            let ghosts = bodies.start..self.starts[base + cells.ghosts() - 1] as usize;
            for column in &mut self.columns[..I::COUNT] {
                column.copy_within(ghosts.clone(), bodies.end);
            }
            self.ids.copy_within(ghosts.clone(), bodies.end);
            // There may have been room for more: whatever stands there is called something that is.
            let next = self.bodies.get(level + 1).filter(|_| level + 1 < plan.levels().len());
            let room = bodies.end + ghosts.len()..next.map_or(self.places, |next| next.start);
            let id = self.ids[bodies.start];
            self.ids[room].fill(id);
        }
    }
}

/// The first `places` values of the columns that are in use. Buffers never shrink, and an instance
/// of fewer columns leaves the others as they were: they may be longer than this scene, or shorter.
fn used(columns: &mut [Vec<f32>; MAX_COLUMNS], places: usize) -> [&mut [f32]; MAX_COLUMNS] {
    columns.each_mut().map(|column| {
        let used = places.min(column.len());
        &mut column[..used]
    })
}

/// Values of four bytes in a cache line.
const LINE: usize = 16;

/// So many bytes of records ahead, what will be read next is asked for: a band's records in a chunk are
/// followed by those of the next band.
const AHEAD: usize = 1024;

/// Some bands in a row, with their shares of the buffers.
struct Sorting<'a, I> {
    instance: PhantomData<I>,
    isa: Isa,
    /// The index of each row.
    given: Ids<'a>,
    partition: &'a Partition,
    /// Where each band begins, and at the end where the last one ends; for all bands.
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

impl<I: Instance> Divide for Sorting<'_, I> {
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
        dispatch(self.isa, self);
    }
}

impl<I: Instance> Kernel for Sorting<'_, I> {
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
            // The places that it will be written to are asked for while it is counted.
            let places =
                [band, band + 1].map(|band| (band_starts[band] - band_starts[first]) as usize);
            for at in (places[0]..places[1]).step_by(LINE) {
                columns.prefetch(simd, at);
            }

            // How many bodies each cell has, and then which record goes to which place: the indices in the results
            // have the indices of the records for now.
            starts.fill(0);
            for part in partition.records_of(band) {
                count(simd, starts, records, part);
            }
            *fullest = starts.iter().copied().fold(0, u32::max);
            let begin = band_starts[band] - band_starts[first];
            let end = begin_from(band_starts[band], starts) - band_starts[first];
            for part in partition.records_of(band) {
                place(starts, records, part, band_starts[first], columns.ids);
            }

            // From records to columns, eight at a time: each column is written by whole vectors. Until tags become
            // indices and cells, the cells have the first rows of the chunks.
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

/// Counts the bodies of each cell of a band in a part of its records.
#[inline(always)]
fn count<R: Record, S: Simd>(simd: S, counts: &mut [u32], records: &[R], part: Range<usize>) {
    let ahead = AHEAD / size_of::<R>();
    for (index, record) in part.clone().zip(&records[part]) {
        simd.prefetch_at(records, index + ahead);
        counts[record.tag().cell() as usize] += 1;
    }
}

/// Writes the index of each record of a part to its place, counted from `first_place`, in `indices`.
///
/// A function of its own, for then all that its loop needs is in registers.
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

/// Makes indices and cells of tags, and of the rows in `cells` that these count from.
#[inline(always)]
fn untag(tags: &mut [u32], cells: &mut [u32], given: Ids<'_>, first_cell: u32) {
    for (id, cell) in tags.iter_mut().zip(cells) {
        let tag = Tag(*id);
        *id = *cell + tag.row();
        *cell = first_cell + tag.cell();
    }
    // In a loop of its own, or the one above is no vector code.
    if let Ids::List(list) = given {
        name(tags, list);
    }
}

/// Makes indices of rows: those that `list` has for them.
#[inline(always)]
fn name(rows: &mut [u32], list: &[u32]) {
    for row in rows {
        *row = list[*row as usize];
    }
}

/// Where records become columns. If they are `TAGGED`, their one mark becomes a row and a cell at once.
struct Unpacked<'a, I, const TAGGED: bool> {
    columns: [&'a mut [f32]; MAX_COLUMNS],
    /// The first marks.
    ids: &'a mut [u32],
    /// The second marks, if there are any.
    cells: &'a mut [u32],
    instance: PhantomData<I>,
}

impl<'a, I: Instance, const TAGGED: bool> Unpacked<'a, I, TAGGED> {
    /// Cuts all to the length of `ids`, where the compiler sees it: one bounds check will do for all.
    #[inline(always)]
    fn new(
        mut columns: [&'a mut [f32]; MAX_COLUMNS],
        ids: &'a mut [u32],
        cells: &'a mut [u32],
    ) -> Self {
        let places = ids.len();
        for column in &mut columns[..I::COUNT] {
            *column = &mut std::mem::take(column)[..places];
        }
        Self { columns, ids, cells: &mut cells[..places], instance: PhantomData }
    }

    /// Asks for the cache lines of the place `at`.
    #[inline(always)]
    fn prefetch<S: Simd>(&self, simd: S, at: usize) {
        simd.prefetch_at(self.ids, at);
        simd.prefetch_at(self.cells, at);
        for column in &self.columns[..I::COUNT] {
            simd.prefetch_at(column, at);
        }
    }

    /// Writes the records of the places `at..at + 8`.
    #[inline(always)]
    fn set_eight<S: Simd, R: Record>(&mut self, simd: S, at: usize, records: [&R; 8]) {
        let (values, [mut ids, mut cells]) = R::columns(simd, records);
        if TAGGED {
            cells = ids;
            for (row, cell) in ids.iter_mut().zip(&mut cells) {
                (*row, *cell) = (Tag(*row).row(), Tag(*cell).cell());
            }
        }
        for (column, values) in self.columns[..I::COUNT].iter_mut().zip(&values) {
            column[at..at + 8].copy_from_slice(bytemuck::cast_slice(values));
        }
        self.ids[at..at + 8].copy_from_slice(&ids);
        if R::WHOLE || TAGGED {
            self.cells[at..at + 8].copy_from_slice(&cells);
        }
    }

    /// Writes the record of the place `at`.
    #[inline(always)]
    fn set<R: Record>(&mut self, at: usize, record: &R) {
        for (column, value) in self.columns[..I::COUNT].iter_mut().zip(record.values()) {
            column[at] = f32::from_bits(value);
        }
        let mut marks = record.marks();
        if TAGGED {
            let tag = Tag(marks[0]);
            marks = [tag.row(), tag.cell()];
        }
        let [id, cell] = marks;
        self.ids[at] = id;
        if R::WHOLE || TAGGED {
            self.cells[at] = cell;
        }
    }
}

/// The sort in one step, first of all: how many bodies each cell has.
struct Tally<'a, C> {
    plan: &'a Plan,
    set: C,
    /// The cell of each body, and slack for the last vector.
    cells: &'a mut [u32],
    starts: &'a mut [u32],
}

impl<C: crate::kernel::columns::ColumnSet> Kernel for Tally<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { plan, set, cells, starts } = self;
        let count = cells.len() - MAX_LANES;
        plan.locate(simd, set, 0, count, cells);
        starts.fill(0);
        tally(starts, &cells[..count], 0);
    }
}

/// Records of so many bytes are in the second cache: what is asked for is there soon enough in any case.
const NEAR_RECORDS: usize = 1 << 19;

/// Then: every record to its place. If there are many, where the one of [`MAX_LANES`] rows further on goes is asked for.
struct Scatter<'a, I: Instance, C> {
    set: C,
    ids: Ids<'a>,
    /// Whether a body's one mark is its tag; else it is its index.
    tagged: bool,
    /// The cell of each body, and slack.
    cells: &'a [u32],
    /// Where the next body of each cell goes.
    slots: &'a mut [u32],
    records: &'a mut [I::Record],
}

impl<I: Instance, C: RecordSource<I>> Kernel for Scatter<'_, I, C> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        if size_of_val(self.records) > NEAR_RECORDS {
            self.scatter::<S, true>(simd);
        } else {
            self.scatter::<S, false>(simd);
        }
    }
}

impl<I: Instance, C: RecordSource<I>> Scatter<'_, I, C> {
    /// The same, if it is known whether there are many.
    #[inline(always)]
    fn scatter<S: Simd, const MANY: bool>(self, simd: S) {
        let Self { set, ids, tagged, cells, slots, records } = self;
        let count = cells.len() - MAX_LANES;
        let whole = count - count % 8;
        for at in (0..whole).step_by(8) {
            let eight_cells = eight(cells, at);
            let first = if tagged { Tag::eight(at, eight_cells) } else { ids.of_eight(at) };
            let marks = [first, eight_cells];
            let eight_records = I::Record::eight(simd, set.eight_values(at), marks);
            for (record, lane) in eight_records.into_iter().zip(at..) {
                if MANY {
                    // Of the slack, whatever stands there.
                    let ahead = slots.get(cells[lane + MAX_LANES] as usize);
                    simd.prefetch_at(records, ahead.map_or(0, |&slot| slot as usize));
                }
                let slot = &mut slots[cells[lane] as usize];
                records[*slot as usize] = record;
                *slot += 1;
            }
        }
        for (row, &cell) in (whole..count).zip(&cells[whole..]) {
            let slot = &mut slots[cell as usize];
            let first = if tagged { Tag::new(row, cell).0 } else { ids.of(row) };
            records[*slot as usize] = Record::new(set.values(row).as_ref(), [first, cell]);
            *slot += 1;
        }
    }
}

/// At last: from records to columns.
struct Unpack<'a, I: Instance> {
    records: &'a [I::Record],
    /// Whether a body's one mark is its tag: then indices are rows for now. (Those of ghosts, which are not there yet,
    /// are whatever comes of it.)
    tagged: bool,
    columns: [&'a mut [f32]; MAX_COLUMNS],
    ids: &'a mut [u32],
    cells: &'a mut [u32],
}

impl<I: Instance> Kernel for Unpack<'_, I> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        if self.tagged {
            self.unpack::<S, true>(simd);
        } else {
            self.unpack::<S, false>(simd);
        }
    }
}

impl<I: Instance> Unpack<'_, I> {
    /// The same, if it is known whether there are tags.
    #[inline(always)]
    fn unpack<S: Simd, const TAGGED: bool>(self, simd: S) {
        let Self { records, columns, ids, cells, .. } = self;
        let mut columns = Unpacked::<I, TAGGED>::new(columns, ids, cells);
        let (eights, rest) = records[..columns.ids.len()].as_chunks::<8>();
        for (eight, at) in eights.iter().zip((0..).step_by(8)) {
            columns.set_eight(simd, at, eight.each_ref());
        }
        for (record, at) in rest.iter().zip(8 * eights.len()..) {
            columns.set(at, record);
        }
    }
}

/// Turns the number of bodies in each cell into where the cell begins, and returns where the last
/// one ends. The scatter that follows moves each on to where its cell ends, which is where the next
/// one begins: `starts` is one ahead of the cells.
#[inline(always)]
fn begin_from(begin: u32, starts: &mut [u32]) -> u32 {
    let mut next = begin;
    for start in starts {
        next += std::mem::replace(start, next);
    }
    next
}

/// [`begin_from`] for many cells, eight at a time.
struct Begin<'a> {
    begin: u32,
    starts: &'a mut [u32],
}

impl Kernel for Begin<'_> {
    type Output = u32;

    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> u32 {
        let (eights, rest) = self.starts.as_chunks_mut::<8>();
        let mut begin = [self.begin; 8];
        for eight in eights {
            // How many bodies are in each cell and in the one before, in it and the three before, the seven before.
            let [a, b, c, d, e, f, g, _] = *eight;
            let two = plus(*eight, [0, a, b, c, d, e, f, g]);
            let [a, b, c, d, e, f, _, _] = two;
            let four = plus(two, [0, 0, a, b, c, d, e, f]);
            let [a, b, c, d, _, _, _, _] = four;
            let [a, b, c, d, e, f, g, all] = plus(four, [0, 0, 0, 0, a, b, c, d]);
            *eight = plus(begin, [0, a, b, c, d, e, f, g]);
            begin = plus(begin, [all; 8]);
        }
        begin_from(begin[0], rest)
    }
}

/// The sums of each two values: written so, the compiler makes one vector operation of them.
#[inline(always)]
fn plus(mut values: [u32; 8], others: [u32; 8]) -> [u32; 8] {
    for (value, other) in values.iter_mut().zip(others) {
        *value += other;
    }
    values
}

/// The same for the cells from number `cell` on, each of which is written to the places of its bodies in `cells`;
/// what is behind them there is overwritten, too.
#[inline(always)]
fn begin_cells(begin: u32, starts: &mut [u32], cell: u32, cells: &mut [u32]) -> u32 {
    let mut next = begin;
    for (start, cell) in starts.iter_mut().zip(cell..) {
        let at = next as usize;
        next += std::mem::replace(start, next);
        // Few cells have more than four, so this is a branch that is mostly guessed right.
        cells[at..at + 4].fill(cell);
        if next as usize > at + 4 {
            cells[at + 4..next as usize].fill(cell);
        }
    }
    next
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
