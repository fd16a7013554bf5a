//! Records of items that differ in every word.

use std::marker::PhantomData;

use super::*;
use crate::every_level::at_every_level;
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
    let marks = [std::array::from_fn(|lane| 7_000 + lane as u32), [u32::MAX, 1, 2, 3, 4, 5, 6, 7]];
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
    for (row, cell) in [(0, 0), (0, last_cell), (last_row, 0), (last_row, last_cell), (77, 99)] {
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
