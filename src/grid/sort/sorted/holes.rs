//! Holes: places without an item, into which items are put that come after the sort.
//!
//! In plain words:
//!
//! ```text
//! loosen:  behind every run of items, at the end of a cell, leave holes
//! insert:  a hole in the cell of the item: put it there
//!          else look for the nearest hole; move the items between it and the cell by one place,
//!              and with them the begins of their cells; put the item into the place that is free
//! ```
//!
//! A search may read a hole: its coordinates are [`GONE`], as where an item was removed. (Kin:
//! packed-memory arrays, Bender, Demaine and Farach-Colton, Cache-oblivious B-trees, 2000. Here,
//! holes are not spread again: an item that finds none near its cell is not inserted.)

use std::ops::Range;

use super::{GONE, Sorted};
use crate::{
    base::buffer::grow,
    grid::{
        plan::Plan,
        sort::LayoutKind,
    },
    shape::RoundedBox,
    simd::MAX_LANES,
};

/// There are so many holes behind every run of so many items, or a few more: a sixteenth more
/// places. Half as many holes were used up when each body of a level moved away once.
const ITEMS_OF_RUN: usize = 128;
const HOLES_OF_RUN: usize = 8;

/// A hole is looked for at so many places on either side of the cell, and as many cells may lie
/// between: an insertion then takes about as long as a sort of twenty items.
const FARTHEST_HOLE: usize = 2 * ITEMS_OF_RUN;

/// The item that has been put into a place, and the items that have moved by one place for it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Insertion {
    pub(crate) place: usize,
    /// Where the hole was.
    hole: usize,
}

impl Insertion {
    /// All places with other items than before.
    pub(crate) fn places(&self) -> Range<usize> {
        self.place.min(self.hole)..self.place.max(self.hole) + 1
    }

    /// Moves the values of the items that have moved, and writes the value of the new item.
    pub(crate) fn apply<T: Copy>(&self, column: &mut [T], value: T) {
        let Self { place, hole } = *self;
        if place < hole {
            column.copy_within(place..hole, place + 1);
        } else {
            column.copy_within(hole + 1..place + 1, hole);
        }
        column[place] = value;
    }
}

/// Which items are where, after insertions.
#[derive(Debug, Default)]
pub(crate) struct Arrangement {
    /// The id of the item at each place of the dense levels; `None` for a hole.
    pub(crate) items: Vec<Option<u32>>,
    /// The cells of the holes.
    pub(crate) holes: Vec<u32>,
}

impl Sorted {
    /// Makes holes among the items of the dense levels of `plan`. The cost of runs is unknown then.
    pub(in crate::grid) fn loosen(&mut self, plan: &Plan, form: LayoutKind) {
        // Where runs end.
        let mut ends = Vec::new();
        for (level, cells) in plan.levels().iter().enumerate() {
            let items = self.items(level);
            let mut begin = items.start;
            while !cells.wraps && begin < items.end {
                begin = self.cell_mates((begin + ITEMS_OF_RUN).min(items.end) - 1).end;
                ends.push(begin);
            }
        }
        let (before, all) = (self.places, ends.len() * HOLES_OF_RUN);
        (self.places, self.removed) = (before + all, self.removed + all);
        for column in &mut self.columns[..form.columns()] {
            grow(column, before + all + MAX_LANES);
        }
        for words in [&mut self.ids, &mut self.cells] {
            grow(words, before + all + MAX_LANES);
        }
        self.fullest.clear();
        let mut run_end = before;
        for (number, &begin) in ends.iter().enumerate().rev() {
            // The run behind the holes, and then the holes.
            let to = begin + (number + 1) * HOLES_OF_RUN;
            for column in &mut self.columns[..form.columns()] {
                column.copy_within(begin..run_end, to);
            }
            for words in [&mut self.ids, &mut self.cells] {
                words.copy_within(begin..run_end, to);
                let last = words[begin - 1];
                words[to - HOLES_OF_RUN..to].fill(last);
            }
            for hole in to - HOLES_OF_RUN..to {
                self.write(form, hole, None);
            }
            run_end = begin;
        }
        let later = |place: usize, runs: usize| place + runs * HOLES_OF_RUN;
        for (level, cells) in plan.levels().iter().enumerate() {
            let Range { start, end } = self.items(level);
            let mut runs = ends.partition_point(|end| *end <= start);
            self.items[level] =
                later(start, runs)..later(end, ends.partition_point(|other| *other <= end));
            let (numbers, next) = (cells.numbers(), plan.levels().get(level + 1));
            // The entry behind the last cell, unless it is the first one of the next level.
            let last = next.is_none_or(|next| next.numbers().start > numbers.end);
            for start in &mut self.starts[numbers.start..numbers.end + usize::from(last)] {
                while ends.get(runs).is_some_and(|end| *end <= *start as usize) {
                    runs += 1;
                }
                *start = later(*start as usize, runs) as u32;
            }
        }
    }

    /// Puts an item of a cell of a dense level into a hole in its cell or near it. Returns `None`,
    /// and does nothing, if there is none.
    pub(in crate::grid) fn insert(
        &mut self,
        form: LayoutKind,
        (level, cell): (usize, u32),
        sides: &RoundedBox,
        id: u32,
    ) -> Option<Insertion> {
        let items = self.items(level);
        let own = self.places_of(cell as usize..cell as usize + 1);
        let is_hole = |place: &usize| self.columns[0][*place] == GONE;
        let near = own.end.saturating_sub(FARTHEST_HOLE)..own.end;
        let insertion = if let Some(hole) = (near.start.max(own.start)..own.end).find(is_hole) {
            Insertion { place: hole, hole }
        } else {
            let after = (own.end..items.end).take(FARTHEST_HOLE).find(is_hole);
            let before = (items.start..own.start).rev().take(FARTHEST_HOLE).find(is_hole);
            let hole = match (before, after) {
                (Some(before), Some(after)) if own.start - before <= after - own.end => before,
                (before, after) => after.or(before)?,
            };
            if self.cells[hole].abs_diff(cell) as usize > FARTHEST_HOLE {
                return None;
            }
            Insertion { place: if hole < own.start { own.start - 1 } else { own.end }, hole }
        };
        let Insertion { place, hole } = insertion;
        let hole_cell = self.cells[hole];
        // The cells between the hole and the item begin one place later, or earlier.
        for start in &mut self.starts[cell as usize + 1..=hole_cell.max(cell) as usize] {
            *start += 1;
        }
        for start in &mut self.starts[hole_cell as usize + 1..=cell.max(hole_cell) as usize] {
            *start -= 1;
        }
        for column in &mut self.columns[..form.columns()] {
            insertion.apply(column, GONE);
        }
        insertion.apply(&mut self.ids, id);
        insertion.apply(&mut self.cells, cell);
        self.write(form, place, Some(sides));
        self.bounds[level].hold(sides);
        self.removed -= 1;
        Some(insertion)
    }

    /// The item at each place of the dense levels, by its id, and the cells of the holes.
    pub(in crate::grid) fn arrangement(&self, plan: &Plan) -> Arrangement {
        let (mut items, mut holes) = (Vec::new(), Vec::new());
        for place in self.dense_places(plan) {
            let is_hole = self.columns[0][place] == GONE;
            items.push((!is_hole).then_some(self.ids[place]));
            holes.extend(is_hole.then_some(self.cells[place]));
        }
        Arrangement { items, holes }
    }

    /// Puts items to the places of dense levels where they once were. `sides` returns the sides of
    /// the item with an id. Returns false, and leaves the items anywhere, if they do not belong
    /// there.
    pub(in crate::grid) fn arrange(
        &mut self,
        (plan, form): (&Plan, LayoutKind),
        arrangement: &Arrangement,
        sides: impl Fn(u32) -> RoundedBox,
    ) -> bool {
        let Arrangement { items, holes } = arrangement;
        let (places, mut holes): (Vec<usize>, _) = (self.dense_places(plan).collect(), holes.iter());
        if places.len() != items.len() {
            return false;
        }
        // A hole has the id of any item.
        let (mut dead, mut id) = (0, items.iter().flatten().next().copied().unwrap_or_default());
        for (&place, item) in places.iter().zip(items) {
            let level = (0..plan.levels().len()).find(|level| self.items(*level).contains(&place));
            let sides = item.map(&sides);
            let cell = match &sides {
                Some(sides) if form.holds(sides) => plan.cell_of(sides),
                Some(_) => None,
                None => level.zip(holes.next().copied()),
            };
            let Some((level, cell)) = cell.filter(|(own, _)| Some(*own) == level) else {
                return false;
            };
            let (first, cells) = (self.items(level).start, plan.levels()[level].numbers());
            let before = if place == first { cells.start as u32 } else { self.cells[place - 1] };
            if cell < before || cell as usize >= cells.end {
                return false;
            }
            self.write(form, place, sides.as_ref());
            id = item.unwrap_or(id);
            (self.ids[place], self.cells[place]) = (id, cell);
            match &sides {
                Some(sides) => self.bounds[level].hold(sides),
                None => dead += 1,
            }
        }
        for (level, cells) in plan.levels().iter().enumerate().filter(|(_, cells)| !cells.wraps) {
            let (items, numbers) = (self.items(level), cells.numbers());
            let mut place = items.start;
            for cell in numbers {
                while place < items.end && (self.cells[place] as usize) < cell {
                    place += 1;
                }
                self.starts[cell] = place as u32;
            }
        }
        let helical = plan.levels().iter().enumerate().filter(|(_, cells)| cells.wraps);
        let others = helical.flat_map(|(level, _)| self.items(level));
        self.removed = dead + others.filter(|place| self.columns[0][*place] == GONE).count();
        holes.next().is_none()
    }

    /// The places of the items of dense levels.
    fn dense_places(&self, plan: &Plan) -> impl Iterator<Item = usize> {
        let levels = plan.levels().iter().enumerate().filter(|(_, cells)| !cells.wraps);
        levels.flat_map(|(level, _)| self.items(level))
    }

    /// Writes an item at a place, or makes it a hole.
    pub(super) fn write(&mut self, form: LayoutKind, place: usize, sides: Option<&RoundedBox>) {
        let radius = if form == LayoutKind::Circle { 1.0 } else { 0.0 };
        let hole = RoundedBox { min_x: GONE, min_y: GONE, max_x: GONE, max_y: GONE, radius };
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = *sides.unwrap_or(&hole);
        let values = match form {
            LayoutKind::Circle => [min_x, min_y, radius, 0.0, 0.0],
            LayoutKind::Box | LayoutKind::Rounded => [min_x, min_y, max_x, max_y, radius],
        };
        for (column, value) in self.columns[..form.columns()].iter_mut().zip(values) {
            column[place] = value;
        }
    }
}
