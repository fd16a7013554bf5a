//! The one-step sort, for small scenes and nearly sorted scenes, straight from the input; and the
//! copy that runs of few items need instead.

use std::marker::PhantomData;

use super::Sorted;
use crate::{
    base::{
        buffer::{grow, make_room},
        grouping::begin_groups,
    },
    grid::{
        plan::{Cells, Locate, Plan},
        sort::{
            Ids, ItemLayout, MAX_COLUMNS, Partition, RecordSource,
            partition::{eight, tally},
            record::{Record, Tag},
        },
    },
    simd::{Isa, Kernel, MAX_LANES, Simd, dispatch_moves, dispatch_vectors},
};

impl Sorted {
    /// Sorts the rows `0..count` of `set` in one step. Uses only the memory of `partition`. Cells
    /// of `plan` may be renumbered: see [`Plan::spare_ghosts`].
    pub(crate) fn fill_directly<I: ItemLayout, C: RecordSource<I>>(
        &mut self,
        isa: Isa,
        plan: &mut Plan,
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
        let starts = &mut self.starts[1..=plan.cells()];
        // A loop, because a kernel that is called in two places is not inlined, and slower. It
        // ends, because there are fewer ghosts each time.
        let ghosts = loop {
            dispatch_vectors(isa, Locate { plan, set, first: 0, count, cells: &mut *cells });
            dispatch_moves(isa, CountCells { cells, starts: &mut *starts });
            let (ghosts, anew) = plan.spare_ghosts(starts, count);
            if !anew {
                break ghosts;
            }
        };

        // From the number of items in each cell to the place where the cell begins.
        let places = count + ghosts.iter().sum::<usize>();
        self.make_places::<I>(places);
        // Records with one mark can hold a tag if the scene is small enough for one chunk and one
        // band.
        let tagged = !I::Record::WHOLE && Tag::can_tell(count, plan.cells());
        let mut begin = 0;
        for (level, cells) in plan.levels().iter().enumerate() {
            let next =
                plan.levels().get(level + 1).map_or(plan.cells(), |next| next.numbers().start);
            let numbers = cells.numbers();
            let starts = &mut self.starts[1..][numbers.start..next];
            let first = begin;
            begin = if I::Record::WHOLE || tagged {
                dispatch_moves(isa, Begin { begin, starts })
            } else {
                begin_cells(begin, starts, numbers.start as u32, &mut self.cells)
            };
            self.items[level] = first as usize..begin as usize;
            if cells.wraps {
                begin += self.starts[1..][numbers.start + cells.ghosts()] - first;
            }
        }
        let records = partition.room::<I::Record>(places);
        let (cells, slots) =
            (&self.unsorted_cells[..count + MAX_LANES], &mut self.starts[1..=plan.cells()]);
        dispatch_moves(
            isa,
            Scatter::<I, C> { set, ids, tagged, cells, slots, records: &mut *records },
        );
        let columns = used(&mut self.columns, places);
        let (marks, cells) = (&mut self.ids[..places], &mut self.cells[..places]);
        dispatch_moves(isa, Unpack::<I> { records: &*records, tagged, columns, ids: marks, cells });
        if tagged && let Ids::List(list) = ids {
            for level in &self.items[..plan.levels().len()] {
                name(&mut self.ids[level.clone()], list);
            }
        }
        self.add_ghosts::<I>(plan);
    }

    /// Copies the rows `0..count` of `set`, in the order of the input. They are in runs that end at
    /// `ends`. All ends may be too large by one common number.
    pub(in crate::grid) fn fill_runs<I: ItemLayout, C: RecordSource<I>>(
        &mut self,
        plan: &Plan,
        set: C,
        ids: Ids<'_>,
        count: usize,
        ends: &[u32],
    ) {
        self.make_places::<I>(count);
        self.fullest.clear();
        self.items[0] = 0..count;
        make_room(&mut self.starts, ends.len() + 1);
        let before = ends.last().map_or(0, |end| end - count as u32);
        self.starts.push(0);
        self.starts.extend(ends.iter().map(|end| end - before));
        // The cells around the only cell of `plan`, if it has cells, are runs without items.
        self.starts.resize(self.starts.len().max(plan.cells() + 1), count as u32);
        self.cells[..count].fill(0);
        let eights = count - count % 8;
        for at in (0..eights).step_by(8) {
            for (column, values) in self.columns.iter_mut().zip(&set.eight_values(at)[..I::COUNT]) {
                column[at..at + 8].copy_from_slice(bytemuck::cast_slice(values));
            }
            self.ids[at..at + 8].copy_from_slice(&ids.of_eight(at));
        }
        for at in eights..count {
            for (column, value) in self.columns.iter_mut().zip(set.values(at).as_ref()) {
                column[at] = f32::from_bits(*value);
            }
            self.ids[at] = ids.of(at);
        }
    }
}

/// The first phase of the sort: counts the items of each cell.
struct CountCells<'a> {
    /// The cell of each item, and padding for the last vector.
    cells: &'a mut [u32],
    starts: &'a mut [u32],
}

impl Kernel for CountCells<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let Self { cells, starts } = self;
        let count = cells.len() - MAX_LANES;
        starts.fill(0);
        tally(starts, &cells[..count], 0);
    }
}

/// Up to this many bytes of records stay in the L2 cache, where a prefetch gains nothing.
const MAX_BYTES_IN_L2: usize = 1 << 19;

/// The second phase of the sort: writes every record to its place. If there are many records, the
/// place of the record [`MAX_LANES`] rows ahead is prefetched.
struct Scatter<'a, I: ItemLayout, C> {
    set: C,
    ids: Ids<'a>,
    /// Whether the only mark of an item is its tag; otherwise it is its id.
    tagged: bool,
    /// The cell of each item, and padding.
    cells: &'a [u32],
    /// The place of the next item of each cell.
    slots: &'a mut [u32],
    records: &'a mut [I::Record],
}

impl<I: ItemLayout, C: RecordSource<I>> Kernel for Scatter<'_, I, C> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        if size_of_val(self.records) > MAX_BYTES_IN_L2 {
            self.scatter::<S, true>(simd);
        } else {
            self.scatter::<S, false>(simd);
        }
    }
}

impl<I: ItemLayout, C: RecordSource<I>> Scatter<'_, I, C> {
    /// Scatters the records. `MANY` says whether they are too many for the L2 cache.
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
                    // In the padding, cells are arbitrary.
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

/// The last phase of the sort: from records to columns.
struct Unpack<'a, I: ItemLayout> {
    records: &'a [I::Record],
    /// Whether the only mark of an item is its tag. Ids are rows then, until they are looked up.
    /// (The ids of ghosts, whose records do not exist yet, are arbitrary.)
    tagged: bool,
    columns: [&'a mut [f32]; MAX_COLUMNS],
    ids: &'a mut [u32],
    cells: &'a mut [u32],
}

impl<I: ItemLayout> Kernel for Unpack<'_, I> {
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

impl<I: ItemLayout> Unpack<'_, I> {
    /// Copies the records to the columns. `TAGGED` says whether their marks are tags.
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

/// The work of [`begin_groups`] for many cells, eight at a time.
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
            // Prefix sums over two cells, then over four, then over eight.
            let [a, b, c, d, e, f, g, _] = *eight;
            let two = plus(*eight, [0, a, b, c, d, e, f, g]);
            let [a, b, c, d, e, f, _, _] = two;
            let four = plus(two, [0, 0, a, b, c, d, e, f]);
            let [a, b, c, d, _, _, _, _] = four;
            let [a, b, c, d, e, f, g, all] = plus(four, [0, 0, 0, 0, a, b, c, d]);
            *eight = plus(begin, [0, a, b, c, d, e, f, g]);
            begin = plus(begin, [all; 8]);
        }
        begin_groups(begin[0], rest)
    }
}

/// The sums of corresponding values. The compiler makes one vector operation of this loop.
#[inline(always)]
fn plus(mut values: [u32; 8], others: [u32; 8]) -> [u32; 8] {
    for (value, other) in values.iter_mut().zip(others) {
        *value += other;
    }
    values
}

/// Does the work of [`begin_groups`] for the cells from number `cell` on, and writes each cell
/// number to the places of its items in `cells`. Entries behind the last item are also overwritten.
#[inline(always)]
fn begin_cells(begin: u32, starts: &mut [u32], cell: u32, cells: &mut [u32]) -> u32 {
    let mut next = begin;
    for (start, cell) in starts.iter_mut().zip(cell..) {
        let at = next as usize;
        next += std::mem::replace(start, next);
        // Few cells have more than four items, so the branch is well predicted.
        cells[at..at + 4].fill(cell);
        if next as usize > at + 4 {
            cells[at + 4..next as usize].fill(cell);
        }
    }
    next
}

impl Sorted {
    /// Makes the columns long enough for this many places of items and ghosts.
    pub(super) fn make_places<I: ItemLayout>(&mut self, places: usize) {
        (self.places, self.removed) = (places, 0);
        for column in &mut self.columns[..I::COUNT] {
            grow(column, places + MAX_LANES);
        }
        grow(&mut self.ids, places + MAX_LANES);
        grow(&mut self.cells, places + MAX_LANES);
    }

    /// Repeats the first cells of each helical level behind its last cell.
    pub(super) fn add_ghosts<I: ItemLayout>(&mut self, plan: &Plan) {
        for (level, cells) in plan.levels().iter().enumerate() {
            let items = self.items[level].clone();
            let Cells { base, count, wraps, .. } = *cells;
            let (base, end) = (base as usize, base as usize + count as usize);
            // So far, this entry holds the end of the level before.
            self.starts[base] = items.start as u32;
            if !wraps {
                continue;
            }
            let shift = (items.end - items.start) as u32;
            for ghost in 0..cells.ghosts() {
                self.starts[end + ghost] = self.starts[base + ghost] + shift;
            }
            let ghosts = items.start..self.starts[base + cells.ghosts() - 1] as usize;
            for column in &mut self.columns[..I::COUNT] {
                column.copy_within(ghosts.clone(), items.end);
            }
            self.ids.copy_within(ghosts.clone(), items.end);
            // There may be more places than ghosts: ids of unused places must be valid.
            let next = self.items.get(level + 1).filter(|_| level + 1 < plan.levels().len());
            let room = items.end + ghosts.len()..next.map_or(self.places, |next| next.start);
            let id = self.ids[items.start];
            self.ids[room].fill(id);
        }
    }
}

/// The first `places` values of the columns that are in use. Buffers never shrink, and a layout
/// with fewer columns leaves the other columns unchanged: they may be longer or shorter than this
/// scene.
pub(super) fn used(
    columns: &mut [Vec<f32>; MAX_COLUMNS],
    places: usize,
) -> [&mut [f32]; MAX_COLUMNS] {
    columns.each_mut().map(|column| {
        let used = places.min(column.len());
        &mut column[..used]
    })
}

/// The columns that records are copied to. If records are `TAGGED`, their only mark is split into a
/// row and a cell.
pub(super) struct Unpacked<'a, I, const TAGGED: bool> {
    columns: [&'a mut [f32]; MAX_COLUMNS],
    /// The first marks.
    pub(super) ids: &'a mut [u32],
    /// The second marks, if records have two or are tagged.
    pub(super) cells: &'a mut [u32],
    item_layout: PhantomData<I>,
}

impl<'a, I: ItemLayout, const TAGGED: bool> Unpacked<'a, I, TAGGED> {
    /// Cuts all slices to the length of `ids`, where the compiler sees it, so that one bounds check
    /// suffices for all slices.
    #[inline(always)]
    pub(super) fn new(
        mut columns: [&'a mut [f32]; MAX_COLUMNS],
        ids: &'a mut [u32],
        cells: &'a mut [u32],
    ) -> Self {
        let places = ids.len();
        for column in &mut columns[..I::COUNT] {
            *column = &mut std::mem::take(column)[..places];
        }
        Self { columns, ids, cells: &mut cells[..places], item_layout: PhantomData }
    }

    /// Prefetches the cache lines of the place `at`.
    #[inline(always)]
    pub(super) fn prefetch<S: Simd>(&self, simd: S, at: usize) {
        simd.prefetch_at(self.ids, at);
        simd.prefetch_at(self.cells, at);
        for column in &self.columns[..I::COUNT] {
            simd.prefetch_at(column, at);
        }
    }

    /// Writes the records of the places `at..at + 8`.
    #[inline(always)]
    pub(super) fn set_eight<S: Simd, R: Record>(&mut self, simd: S, at: usize, records: [&R; 8]) {
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
    pub(super) fn set<R: Record>(&mut self, at: usize, record: &R) {
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

/// Replaces rows by their ids in `list`.
#[inline(always)]
pub(super) fn name(rows: &mut [u32], list: &[u32]) {
    for row in rows {
        *row = list[*row as usize];
    }
}
