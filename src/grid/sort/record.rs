//! The record of an item while it is sorted.

use crate::{base::pod, grid::plan::CELL_BITS, simd::Simd};

/// The most columns of a layout of items, and so the most values of a record.
pub(crate) const MAX_COLUMNS: usize = 5;

/// The values of one item, one per column, as bits, and **marks** that identify it; moved as a
/// whole.
///
/// A one-step sort scatters records all over memory, so no record may span two cache lines. Boxes
/// have eight words there, with two marks: their id and their cell. Circles have four words; their
/// cells follow from their places. A two-step sort reads and writes records in runs, and fewer
/// words are faster: there is one mark, the row within the chunk and the cell within the band (see
/// [`Tag`]).
pub(crate) trait Record: bytemuck::Pod + Send + Sync {
    /// Whether there are two marks.
    const WHOLE: bool;

    /// The record of one item with these values, as many as its layout has columns.
    fn new(values: &[u32], marks: [u32; 2]) -> Self;

    /// The records of eight items, whose values and marks are given column by column.
    fn eight<S: Simd>(simd: S, values: [[u32; 8]; MAX_COLUMNS], marks: [[u32; 8]; 2]) -> [Self; 8];

    /// The values of an item, followed by zeros.
    fn values(&self) -> [u32; MAX_COLUMNS];

    /// The marks of an item; a single mark is returned twice.
    fn marks(&self) -> [u32; 2];

    /// The only mark of an item in a two-step sort.
    #[inline(always)]
    fn tag(&self) -> Tag {
        Tag(self.marks()[0])
    }

    /// The values and marks of eight items, column by column. Columns that the records do not have
    /// are zeros.
    fn columns<S: Simd>(simd: S, records: [&Self; 8]) -> ([[u32; 8]; MAX_COLUMNS], [[u32; 8]; 2]);
}

/// Up to three values and a mark.
pub(crate) type FourWords = [u32; 4];

/// `N - 1` values, at least four, followed by a mark.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(transparent)]
pub(crate) struct Packed<const N: usize>([u32; N]);

pod!(Packed<5> { 0 });
pod!(Packed<6> { 0 });

/// Up to five values and two marks. An unused word makes the record a vector of eight.
pub(crate) type EightWords = [u32; 8];

impl Record for FourWords {
    const WHOLE: bool = false;

    #[inline(always)]
    fn new(values: &[u32], [mark, _]: [u32; 2]) -> Self {
        let mut record = [mark; 4];
        record[..values.len()].copy_from_slice(values);
        record
    }

    #[inline(always)]
    fn eight<S: Simd>(simd: S, values: [[u32; 8]; MAX_COLUMNS], marks: [[u32; 8]; 2]) -> [Self; 8] {
        rows_of_four(simd, [&values[0], &values[1], &values[2], &marks[0]])
    }

    #[inline(always)]
    fn values(&self) -> [u32; MAX_COLUMNS] {
        let [x, y, z, _] = *self;
        [x, y, z, 0, 0]
    }

    #[inline(always)]
    fn marks(&self) -> [u32; 2] {
        [self[3]; 2]
    }

    #[inline(always)]
    fn columns<S: Simd>(simd: S, records: [&Self; 8]) -> ([[u32; 8]; MAX_COLUMNS], [[u32; 8]; 2]) {
        let (mut values, mut marks) = ([[0; 8]; MAX_COLUMNS], [[0; 8]; 2]);
        let [x, y, z, ..] = &mut values;
        simd.transpose_four(records, [x, y, z, &mut marks[0]]);
        (values, marks)
    }
}

impl<const N: usize> Record for Packed<N>
where
    Self: bytemuck::Pod,
{
    const WHOLE: bool = false;

    #[inline(always)]
    fn new(values: &[u32], [mark, _]: [u32; 2]) -> Self {
        let mut record = [mark; N];
        record[..values.len()].copy_from_slice(values);
        Self(record)
    }

    #[inline(always)]
    fn eight<S: Simd>(simd: S, values: [[u32; 8]; MAX_COLUMNS], marks: [[u32; 8]; 2]) -> [Self; 8] {
        let fours = rows_of_four(simd, [&values[0], &values[1], &values[2], &values[3]]);
        let mut records = [[0; N]; 8];
        for (lane, record) in records.iter_mut().enumerate() {
            record[..4].copy_from_slice(&fours[lane]);
            for (word, column) in record[4..N - 1].iter_mut().zip(&values[4..]) {
                *word = column[lane];
            }
            record[N - 1] = marks[0][lane];
        }
        records.map(Self)
    }

    #[inline(always)]
    fn values(&self) -> [u32; MAX_COLUMNS] {
        let mut values = [0; MAX_COLUMNS];
        values[..N - 1].copy_from_slice(&self.0[..N - 1]);
        values
    }

    #[inline(always)]
    fn marks(&self) -> [u32; 2] {
        [self.0[N - 1]; 2]
    }

    #[inline(always)]
    fn columns<S: Simd>(simd: S, records: [&Self; 8]) -> ([[u32; 8]; MAX_COLUMNS], [[u32; 8]; 2]) {
        let (mut values, mut marks) = ([[0; 8]; MAX_COLUMNS], [[0; 8]; 2]);
        let [a, b, c, d, _] = &mut values;
        simd.transpose_four(records.map(|record| &record.0.as_chunks().0[0]), [a, b, c, d]);
        for (lane, Self(record)) in records.into_iter().enumerate() {
            for (column, word) in values[4..].iter_mut().zip(&record[4..N - 1]) {
                column[lane] = *word;
            }
            marks[0][lane] = record[N - 1];
        }
        (values, marks)
    }
}

impl Record for EightWords {
    const WHOLE: bool = true;

    #[inline(always)]
    fn new(values: &[u32], marks: [u32; 2]) -> Self {
        let mut record = [0; 8];
        record[..values.len()].copy_from_slice(values);
        record[MAX_COLUMNS..MAX_COLUMNS + 2].copy_from_slice(&marks);
        record
    }

    #[inline(always)]
    fn eight<S: Simd>(simd: S, values: [[u32; 8]; MAX_COLUMNS], marks: [[u32; 8]; 2]) -> [Self; 8] {
        let [a, b, c, d, e] = &values;
        let mut records = [[0; 8]; 8];
        simd.transpose([a, b, c, d, e, &marks[0], &marks[1], &[0; 8]], &mut records);
        records
    }

    #[inline(always)]
    fn values(&self) -> [u32; MAX_COLUMNS] {
        let [a, b, c, d, e, ..] = *self;
        [a, b, c, d, e]
    }

    #[inline(always)]
    fn marks(&self) -> [u32; 2] {
        [self[MAX_COLUMNS], self[MAX_COLUMNS + 1]]
    }

    #[inline(always)]
    fn columns<S: Simd>(simd: S, records: [&Self; 8]) -> ([[u32; 8]; MAX_COLUMNS], [[u32; 8]; 2]) {
        let mut columns = [[0; 8]; 8];
        simd.transpose(records, &mut columns);
        let [a, b, c, d, e, first, second, _] = columns;
        ([a, b, c, d, e], [first, second])
    }
}

/// Eight rows of four columns.
#[inline(always)]
fn rows_of_four<S: Simd>(simd: S, columns: [&[u32; 8]; 4]) -> [[u32; 4]; 8] {
    let [a, b, c, d] = columns.map(|column| column.as_chunks().0);
    let mut pairs = [[0; 8]; 4];
    let [first, second, third, fourth] = &mut pairs;
    // `pairs[k]` holds the rows `k` and `k + 4`.
    simd.transpose_four(
        [&a[0], &b[0], &c[0], &d[0], &a[1], &b[1], &c[1], &d[1]],
        [first, second, third, fourth],
    );
    let mut rows = [[0; 4]; 8];
    for (lane, row) in rows.iter_mut().enumerate() {
        *row = pairs[lane % 4].as_chunks().0[lane / 4];
    }
    rows
}

/// The only mark of an item in a two-step sort: its row within its chunk, and its cell within its
/// band.
#[derive(Clone, Copy)]
pub(crate) struct Tag(pub(super) u32);

impl Tag {
    /// Bits for the row: no chunk has more rows. The other bits are for the cell.
    pub(super) const ROW_BITS: u32 = u32::BITS - CELL_BITS;

    /// Whether a tag can number this many rows and cells.
    pub(super) fn can_tell(rows: usize, cells: usize) -> bool {
        rows <= 1 << Self::ROW_BITS && cells <= 1 << CELL_BITS
    }

    #[inline(always)]
    pub(super) fn new(row: usize, cell: u32) -> Self {
        Self(row as u32 | cell << Self::ROW_BITS)
    }

    /// The tags of eight rows from `row` on, as marks.
    #[inline(always)]
    pub(super) fn eight(row: usize, cells: [u32; 8]) -> [u32; 8] {
        std::array::from_fn(|lane| Self::new(row + lane, cells[lane]).0)
    }

    #[inline(always)]
    pub(super) fn row(self) -> u32 {
        self.0 & ((1 << Self::ROW_BITS) - 1)
    }

    #[inline(always)]
    pub(super) fn cell(self) -> u32 {
        self.0 >> Self::ROW_BITS
    }
}

/// A cache line of memory for records: no record of four or eight words spans two.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C, align(64))]
pub(in crate::grid) struct CacheLine(pub(in crate::grid) [u32; 16]);

pod!(CacheLine { 0 });

/// The first `count` records in `lines`.
#[inline(always)]
pub(super) fn records<R: Record>(lines: &[CacheLine], count: usize) -> &[R] {
    bytemuck::cast_slice(
        &bytemuck::cast_slice::<CacheLine, u32>(lines)[..count * size_of::<R>() / 4],
    )
}

/// The first `count` records in `lines`, to be written.
#[inline(always)]
pub(super) fn records_mut<R: Record>(lines: &mut [CacheLine], count: usize) -> &mut [R] {
    bytemuck::cast_slice_mut(
        &mut bytemuck::cast_slice_mut::<CacheLine, u32>(lines)[..count * size_of::<R>() / 4],
    )
}

/// The number of lines that this many records take.
pub(super) fn lines<R: Record>(count: usize) -> usize {
    (count * size_of::<R>()).div_ceil(size_of::<CacheLine>())
}

#[cfg(test)]
mod tests {
    //! Records of items that differ in every word.

    use std::marker::PhantomData;

    use super::*;
    use crate::at_every_level;
    use crate::{
        SimdLevel,
        simd::{Isa, Kernel, dispatch},
    };

    /// Converts eight items of `count` values to records, and back.
    struct There<R> {
        count: usize,
        marks: [[u32; 8]; 2],
        record: PhantomData<R>,
    }

    /// Value `column` of item `lane`.
    fn value(column: usize, lane: usize) -> u32 {
        (100 * (column + 1) + lane) as u32
    }

    impl<R: Record + PartialEq + std::fmt::Debug> Kernel for There<R> {
        type Output = ();

        fn run<S: Simd>(self, simd: S) {
            let Self { count, marks, .. } = self;
            let mut values = [[0; 8]; MAX_COLUMNS];
            for (column, values) in values[..count].iter_mut().enumerate() {
                *values = std::array::from_fn(|lane| value(column, lane));
            }
            let records = R::eight(simd, values, marks);
            for (lane, record) in records.iter().enumerate() {
                let own: Vec<u32> = (0..count).map(|column| value(column, lane)).collect();
                assert_eq!(*record, R::new(&own, marks.map(|marks| marks[lane])), "lane {lane}");
                assert_eq!(record.values(), values.map(|column| column[lane]), "lane {lane}");
                assert_eq!(record.marks()[0], marks[0][lane], "lane {lane}");
                if R::WHOLE {
                    assert_eq!(record.marks()[1], marks[1][lane], "lane {lane}");
                }
            }
            let (back, [first, second]) = R::columns(simd, records.each_ref());
            assert_eq!((back, first), (values, marks[0]));
            assert_eq!(second, if R::WHOLE { marks[1] } else { [0; 8] });
        }
    }

    at_every_level!(eight_records_are_those_of_one_and_come_back);

    fn eight_records_are_those_of_one_and_come_back(level: SimdLevel) {
        let marks =
            [std::array::from_fn(|lane| 7_000 + lane as u32), [u32::MAX, 1, 2, 3, 4, 5, 6, 7]];
        let isa = Isa::new(level).unwrap();
        dispatch(isa, There { count: 3, marks, record: PhantomData::<FourWords> });
        dispatch(isa, There { count: 4, marks, record: PhantomData::<Packed<5>> });
        dispatch(isa, There { count: 5, marks, record: PhantomData::<Packed<6>> });
        dispatch(isa, There { count: 3, marks, record: PhantomData::<EightWords> });
        dispatch(isa, There { count: 4, marks, record: PhantomData::<EightWords> });
        dispatch(isa, There { count: 5, marks, record: PhantomData::<EightWords> });
    }

    #[test]
    fn a_tag_has_the_last_row_and_the_last_cell() {
        let (last_row, last_cell) = ((1 << 15) - 1, (1 << 17) - 1);
        for (row, cell) in [(0, 0), (0, last_cell), (last_row, 0), (last_row, last_cell), (77, 99)]
        {
            let tag = Tag::new(row, cell);
            assert_eq!((tag.row() as usize, tag.cell()), (row, cell));
        }
        let tags = Tag::eight(8, [3; 8]);
        assert_eq!(tags.map(|tag| (Tag(tag).row(), Tag(tag).cell()))[7], (15, 3));
        assert!(Tag::can_tell(1 << 15, 1 << 17));
        assert!(!Tag::can_tell((1 << 15) + 1, 1 << 17));
        assert!(!Tag::can_tell(1 << 15, (1 << 17) + 1));
    }

    #[test]
    fn no_record_of_a_power_of_two_is_in_two_cache_lines() {
        assert_eq!((lines::<FourWords>(0), lines::<EightWords>(0)), (0, 0));
        assert_eq!((lines::<FourWords>(4), lines::<EightWords>(2)), (1, 1));
        assert_eq!((lines::<FourWords>(5), lines::<EightWords>(3)), (2, 2));
        assert_eq!([3, 4, 16].map(lines::<Packed<5>>), [1, 2, 5]);
        assert_eq!([2, 3, 8].map(lines::<Packed<6>>), [1, 2, 3]);
        let mut memory = [CacheLine::default(); 2];
        assert_eq!(records_mut::<FourWords>(&mut memory, 7).as_ptr() as usize % 64, 0);
        assert_eq!(records::<EightWords>(&memory, 4).len(), 4);
        assert_eq!(records::<Packed<5>>(&memory, 6).len(), 6);
        assert_eq!(records_mut::<Packed<6>>(&mut memory, 5).len(), 5);
    }
}
