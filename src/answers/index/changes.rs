//! Rows that change.
//!
//! A row that changes is taken out of the sorted shapes. Its place stays, as a hole. The row is
//! then put into a hole near its new place, where few other rows move for it (`grid/edit.rs`). A
//! row that does not fit the grid, because its shape is larger than all other shapes or outside of
//! them, is sorted beside them, with the other such rows, when it is first needed. So is a row of a
//! world that may soon change again. All of that is a function of the rows and the calls, and so is
//! the order of results.

use std::mem::take;

use super::{
    Index,
    index::{RemovedShape, RowPlaces, SortedRows},
    layer::{LateSorted, SortOptions},
};
use crate::{
    base::{NO_ROW, parallel},
    error::Error,
    filter::Filter,
    grid::{Arrangement, LayoutKind},
    kernel::{BoxColumns, CircleColumns, RoundedColumns},
    options::uses_pool,
    shape::RoundedBox,
    store::{Layout, Rows, Shapes},
};

impl Index {
    /// Sorts the shapes that have changed, unless it is done. The first query or detection after a
    /// change would do it.
    ///
    /// O(shapes that have changed since all were sorted) time.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn ready(&self) -> Result<(), Error> {
        if self.places.count == 0 {
            return Ok(());
        }
        self.sort_beside(&[])
    }

    /// Sorts the changed shapes except `rows`, which ascend. The shapes of `rows` are not found
    /// until the sorted shapes are [forgotten](Index::forget_beside).
    pub(crate) fn sort_beside_without(&mut self, rows: &[u32]) -> Result<(), Error> {
        self.forget_beside();
        self.sort_beside(rows)
    }

    fn sort_beside(&self, without: &[u32]) -> Result<(), Error> {
        let found = |row: &u32| self.is_beside(*row) && without.binary_search(row).is_err();
        self.beside.make(|made| {
            made.rows.clear();
            made.rows.extend(self.places.beside.iter().copied().filter(found));
            made.rows.sort_unstable();
            made.rows.dedup();
            self.sort_late(made)
        })
    }

    /// Forgets the shapes that have changed, until they are sorted again.
    pub(crate) fn forget_beside(&mut self) {
        self.beside.clear();
        self.lazy.clear();
    }

    /// Whether a row is among the changed rows.
    pub(crate) fn is_beside(&self, row: u32) -> bool {
        self.places.is_beside(row)
    }

    /// Sorts rows of the store, which are all valid.
    pub(super) fn sort_late(&self, made: &mut LateSorted) -> Result<(), Error> {
        let LateSorted { layer, workspace, rows, .. } = made;
        let (placed, options) = self.rows_and_options(rows);
        let filters = &self.filters;
        parallel::enter(options.threads, || {
            workspace.check(placed, &options, |checked, room| {
                layer.sort(checked, room, &options, filters)
            })
        })??;
        layer.rotates = rows.iter().any(|row| rotates(&self.shapes, *row));
        Ok(())
    }

    /// Takes a row out of its layer, if it is in a layer. It is then not found.
    pub(crate) fn take_out(&mut self, row: u32) {
        self.know_places();
        let Self { places, beside, main, row_spaces, .. } = self;
        let Some(at) = places.cells.get_mut(row as usize) else { return };
        match std::mem::replace(at, NO_ROW) {
            NO_ROW => return,
            at @ (RowPlaces::BESIDE | RowPlaces::UNTRIED) => {
                places.outdate(beside);
                places.count -= 1;
                places.untried -= usize::from(at == RowPlaces::UNTRIED);
            }
            cell => {
                let space = row_spaces.get(row as usize).copied().unwrap_or_default();
                let sides = main.remove((row, space), cell);
                let came_later = places.inserted.get_mut(row as usize).is_some_and(take);
                let removed = sides.filter(|_| !came_later);
                places.removed.extend(removed.map(|sides| RemovedShape { row, space, sides }));
            }
        }
        self.lazy.clear();
    }

    /// Adds a row of the store that is in no layer to the changed rows.
    pub(crate) fn put_beside(&mut self, row: u32) {
        self.know_places();
        let Self { places, beside, .. } = self;
        let rows = places.cells.len().max(row as usize + 1);
        places.cells.resize(rows, NO_ROW);
        places.cells[row as usize] = RowPlaces::UNTRIED;
        places.beside.push(row);
        places.outdate(beside);
        places.count += 1;
        places.untried += 1;
        self.lazy.clear();
        if self.places.beside.len() > 2 * self.places.count + 64 {
            self.places.tidy();
        }
    }

    /// Puts a row of the store that is in no layer into a hole of the first layer. Returns false,
    /// and does nothing, if there is none where the row belongs.
    pub(super) fn put_into_hole(&mut self, row: u32) -> bool {
        self.know_places();
        let Self { places, main, shapes, filters, row_spaces, .. } = self;
        let rows = places.cells.len().max(row as usize + 1);
        places.cells.resize(rows, NO_ROW);
        let space = row_spaces.get(row as usize).copied().unwrap_or_default();
        let sides = shapes.read().layout.rounded_box(row as usize);
        let Some(cell) = main.insert((row, space), &sides, filters) else { return false };
        places.cells[row as usize] = cell;
        places.inserted.resize(rows, false);
        places.inserted[row as usize] = true;
        main.rotates |= rotates(shapes, row);
        self.lazy.clear();
        true
    }

    /// Puts changed rows into holes of the first layer: at most `most` rows, the lowest rows first,
    /// and no row of `busy`, which ascends. Rows that find no hole stay beside.
    pub(crate) fn settle(&mut self, most: usize, busy: &[u32]) {
        if self.places.untried == 0 {
            return;
        }
        self.places.tidy();
        let rows = take(&mut self.places.beside);
        let mut busy = busy.iter().peekable();
        let settles = |row: &&u32| {
            while busy.next_if(|other| other < row).is_some() {}
            busy.peek() != Some(row) && self.places.is_untried(**row)
        };
        let chosen: Vec<u32> = rows.iter().filter(settles).take(most).copied().collect();
        self.places.beside = rows;
        for row in chosen {
            self.places.untried -= 1;
            if self.put_into_hole(row) {
                self.places.outdate(&mut self.beside);
                self.places.count -= 1;
            } else {
                self.places.cells[row as usize] = RowPlaces::BESIDE;
            }
        }
    }

    /// Whether a hole may be looked for, for some rows that have changed.
    pub(crate) fn is_unsettled(&self) -> bool {
        self.places.untried > 0
    }

    /// Finds out where the rows of the first layer are, and in which spaces.
    pub(super) fn know_places(&mut self) {
        if self.places.known {
            return;
        }
        let (mut places, mut spaces) =
            (std::mem::take(&mut self.places), std::mem::take(&mut self.row_spaces));
        places.cells.resize(self.rows(), NO_ROW);
        let learns = self.spaced && spaces.is_empty();
        spaces.resize(if learns { self.rows() } else { spaces.len() }, 0);
        for part in self.parts().filter(|part| part.layer == 0) {
            for place in part.grid().live_places() {
                let row = !part.ids()[place] as usize;
                places.cells[row] = part.cell_of(place);
                if learns {
                    spaces[row] = part.space;
                }
            }
        }
        places.known = true;
        (self.places, self.row_spaces) = (places, spaces);
    }

    /// Notes that a row of the store has another filter.
    pub(crate) fn filter_changed(&mut self, row: u32) {
        let filter = self.shapes.filter(row).unwrap_or(Filter::ALL);
        self.filters.change(row as usize, &filter, self.shapes.rows());
    }

    /// The number of rows that have not changed since they were sorted.
    pub(crate) fn unchanged(&self) -> usize {
        self.main.live
    }

    /// The number of rows that are in no hole since they have changed.
    pub(crate) fn changed(&self) -> usize {
        self.places.count
    }

    /// How the rows are sorted.
    pub(crate) fn how_sorted(&self) -> SortedRows {
        let RowPlaces { layout, removed, beside, .. } = &self.places;
        let beside = beside.iter().copied().filter(|row| self.places.is_beside(*row));
        let mut beside: Vec<u32> = beside.collect();
        beside.sort_unstable();
        beside.dedup();
        let mut removed = removed.clone();
        removed.sort_unstable_by_key(|shape| shape.row);
        let inserted = (0..).zip(&self.places.inserted).filter(|(_, inserted)| **inserted);
        let inserted = inserted.map(|(row, _)| row).collect();
        let arranged = self.main.arrangements();
        let (layout, rotates) = (*layout, self.main.rotates);
        let untried = beside.iter().copied().filter(|row| self.places.is_untried(*row)).collect();
        SortedRows { layout, rotates, removed, beside, untried, inserted, arranged }
    }

    /// Sorts `rows` of the store, and rows that were removed since, as they were sorted once.
    /// Returns whether that is possible.
    pub(crate) fn sort_as_before(
        &mut self,
        rows: &[u32],
        sorted: &SortedRows,
    ) -> Result<bool, Error> {
        let SortedRows { layout, rotates, ref removed, ref beside, .. } = *sorted;
        let (count, store) = (self.shapes.rows(), self.shapes.read());
        let mut sides: Vec<RoundedBox> =
            (0..count).map(|row| store.layout.rounded_box(row)).collect();
        let mut spaces = self.row_spaces.clone();
        spaces.resize(count, 0);
        for shape in removed {
            sides[shape.row as usize] = shape.sides;
            spaces[shape.row as usize] = shape.space;
        }
        let column = |of: fn(&RoundedBox) -> f32| -> Vec<f32> { sides.iter().map(of).collect() };
        let (min_x, max_x) = (column(|sides| sides.min_x), column(|sides| sides.max_x));
        let (min_y, max_y) = (column(|sides| sides.min_y), column(|sides| sides.max_y));
        let radius = column(|sides| sides.radius);
        let core = BoxColumns { min_x: &min_x, min_y: &min_y, max_x: &max_x, max_y: &max_y };
        let all = |holds: &dyn Fn(&RoundedBox) -> bool| {
            rows.iter().all(|row| holds(&sides[*row as usize]))
        };
        let (fits, columns) = match layout {
            LayoutKind::Circle => (
                all(&|sides| sides.min_x == sides.max_x && sides.min_y == sides.max_y),
                Layout::Circles(CircleColumns { x: &min_x, y: &min_y, radius: &radius }),
            ),
            LayoutKind::Box => (all(&|sides| sides.radius == 0.0), Layout::Boxes(core)),
            LayoutKind::Rounded => {
                (true, Layout::Rounded(RoundedColumns { core, radius: &radius }))
            }
        };
        if !fits {
            return Ok(false);
        }
        self.find_filters();
        self.sort_former(Rows::closed(columns, count).select(rows), &spaces, false)?;
        self.main.rotates = rotates;
        self.places.layout = layout;
        self.know_places();
        for shape in removed {
            let cell = &mut self.places.cells[shape.row as usize];
            let cell = std::mem::replace(cell, NO_ROW);
            self.main.remove((shape.row, shape.space), cell);
            self.places.removed.push(*shape);
        }
        if !self.arrange(&sorted.inserted, &sorted.arranged) {
            return Ok(false);
        }
        for row in beside {
            self.put_beside(*row);
            if sorted.untried.binary_search(row).is_err() {
                self.places.cells[*row as usize] = RowPlaces::BESIDE;
                self.places.untried -= 1;
            }
        }
        Ok(true)
    }

    /// Puts rows to the places in the first layer where they once were: the sorted rows, and rows
    /// that came later. Returns whether that is possible.
    fn arrange(&mut self, inserted: &[u32], arranged: &[(u32, Arrangement)]) -> bool {
        let Self { main, shapes, filters, row_spaces, places, .. } = self;
        // Each row is found once, in its space.
        let (mut found, rows) = (vec![false; shapes.rows()], shapes.read());
        for row in inserted {
            match places.cells.get_mut(*row as usize) {
                Some(place) if *place == NO_ROW => *place = RowPlaces::BESIDE,
                _ => return false,
            }
        }
        places.inserted.resize(rows.len(), false);
        for (space, arrangement) in arranged {
            let ids = arrangement.items.iter().flatten();
            let belongs = ids.map(|id| !id as usize).all(|row| {
                let own = row_spaces.get(row).copied().unwrap_or_default();
                let sorted = places.cells.get(row).is_some_and(|at| *at != NO_ROW);
                sorted && own == *space && !std::mem::replace(&mut found[row], true)
            });
            let came_later = |id: &&u32| places.is_beside(!**id);
            let later = arrangement.items.iter().flatten().filter(came_later).count();
            let sides = |id: u32| rows.layout.rounded_box(!id as usize);
            if !belongs || !main.arrange((*space, later), arrangement, sides, filters) {
                return false;
            }
        }
        for row in inserted {
            places.inserted[*row as usize] = true;
        }
        places.known = false;
        self.know_places();
        inserted.iter().all(|row| found[*row as usize])
    }

    /// Sorts rows of the store as the first layer. Queries find no other rows.
    pub(crate) fn sort_rows(&mut self, rows: &[u32], lists: bool) -> Result<(), Error> {
        let shapes = std::mem::take(&mut self.shapes);
        let spaces = std::mem::take(&mut self.row_spaces);
        let store = shapes.read();
        let layout = match store.layout {
            Layout::Circles(_) => LayoutKind::Circle,
            Layout::Boxes(_) | Layout::Centered(_) => LayoutKind::Box,
            Layout::Rounded(_) => LayoutKind::Rounded,
        };
        let asked = self.ask(&shapes.columns());
        let result = asked.and_then(|()| self.sort_former(store.select(rows), &spaces, lists));
        self.main.rotates = rows.iter().any(|row| rotates(&shapes, *row));
        (self.shapes, self.row_spaces) = (shapes, spaces);
        result?;
        self.places.layout = layout;
        self.know_places();
        Ok(())
    }

    /// Finds the filters of the store.
    pub(crate) fn find_filters(&mut self) {
        self.filters.set(self.shapes.columns().filtering.filters);
    }

    /// Sorts rows as the first layer, in `spaces` unless it is empty.
    fn sort_former(
        &mut self,
        rows: Rows<'_>,
        spaces: &[u32],
        candidate_lists: bool,
    ) -> Result<(), Error> {
        let isa = self.options.isa()?;
        self.isa = Some(isa);
        self.sorted_anew();
        let threads = uses_pool(self.options.threads, rows.detected());
        let spaces = (!spaces.is_empty()).then_some(spaces);
        let (changes, loose) = (false, true);
        let options = SortOptions { isa, changes, candidate_lists, loose, threads, spaces };
        let Self { main, filters, scratch, .. } = self;
        parallel::enter(threads, || {
            scratch
                .sort
                .check(rows, &options, |checked, room| main.sort(checked, room, &options, filters))
        })?
    }

    /// Removes all rows, and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.shapes.clear();
        self.row_spaces.clear();
        self.main.clear();
        self.filters.set(None);
        self.sorted_anew();
    }
}

/// Whether the shape of a row is rotated or has parts.
fn rotates(shapes: &Shapes, row: u32) -> bool {
    shapes.kind(row).is_some_and(|kind| !kind.is_axis_aligned())
}
