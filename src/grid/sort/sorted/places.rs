//! Memory for the sorted columns, the copy from records to columns, and ghosts.

use std::marker::PhantomData;

use super::Sorted;
use crate::{
    base::buffer::grow,
    grid::{
        plan::{Cells, Plan},
        sort::{
            ItemLayout, MAX_COLUMNS,
            record::{Record, Tag},
        },
    },
    simd::{MAX_LANES, Simd},
};

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
