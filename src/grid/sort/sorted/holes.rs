//! Holes: places without an item, into which items are put that come after the sort.
//!
//! In plain words:
//!
//! ```text
//! insert:  a hole in the cell of the item: put it there
//!          else look for the nearest hole; move the items between it and the cell by one place,
//!              and with them the begins of their cells; put the item into the place that is free
//!          there is none near: in twice as large a window, and so on, until enough of it are
//!              holes: spread the holes of the window evenly, and look again
//!          there are too few in all: make more, a run of holes behind every run of items
//! ```
//!
//! A search may read a hole: its coordinates are [`GONE`], as where an item was removed. This is a
//! packed-memory array (Bender, Demaine and Farach-Colton, Cache-oblivious B-trees, 2000): an
//! insertion moves O(log² n) items on average, wherever items are inserted.
//!
//! Levels must be dense: in a helical level, ghosts would move as well.

use std::ops::Range;

use super::{GONE, Sorted};
use crate::{
    base::buffer::overwrite,
    grid::{
        plan::Plan,
        sort::{LayoutKind, MAX_COLUMNS},
    },
    shape::RoundedBox,
    simd::MAX_LANES,
};

/// A level gets a hole for this many items: a sixteenth more places. With half as many holes,
/// windows are spread twice as often. A window is spread if it has at least half as many holes.
const ITEMS_PER_HOLE: usize = 16;

/// A hole is looked for at this many places on either side of the cell, which takes about as long
/// as the other steps of an insertion. New holes are behind runs of half as many items.
const MAX_PLACES_TO_HOLE: usize = 256;

/// Which items are where, after insertions.
#[derive(Debug, Default)]
pub(crate) struct Arrangement {
    /// The number of places of each level.
    pub(crate) levels: Vec<u32>,
    /// The id of the item at each place; `None` for a hole.
    pub(crate) items: Vec<Option<u32>>,
    /// The cells of the holes.
    pub(crate) holes: Vec<u32>,
}

impl Sorted {
    /// Puts an item of a cell of a level into a hole. Returns the places with other items than
    /// before: none if there is no memory for holes.
    pub(in crate::grid) fn insert(
        &mut self,
        (plan, form): (&Plan, LayoutKind),
        (level, cell): (usize, u32),
        sides: &RoundedBox,
        id: u32,
    ) -> Range<usize> {
        let (mut hole, mut spread) = (self.near_hole(level, cell), 0..0);
        if hole.is_none() {
            spread = self.spread(form, level, cell);
            if spread.is_empty() && self.loosen(plan, form) {
                self.spread(form, level, cell);
                spread = 0..self.places;
            }
            hole = self.near_hole(level, cell);
        }
        // There is one near each place of a window that was spread.
        let Some(hole) = hole else { return spread };
        let moved = self.shift(form, cell, hole);
        let place = if hole < moved.end - 1 { moved.end - 1 } else { moved.start };
        (self.ids[place], self.cells[place]) = (id, cell);
        self.write(form, place, Some(sides));
        self.bounds[level].hold(sides);
        self.removed -= 1;
        match spread.is_empty() {
            true => moved,
            false => spread.start.min(moved.start)..spread.end.max(moved.end),
        }
    }

    /// A hole in a cell, or the nearest one to it.
    fn near_hole(&self, level: usize, cell: u32) -> Option<usize> {
        let (items, own) = (self.items(level), self.places_of(cell as usize..cell as usize + 1));
        let is_hole = |place: &usize| self.columns[0][*place] == GONE;
        let inside = own.clone().rev().take(MAX_PLACES_TO_HOLE).find(is_hole);
        inside.or_else(|| {
            let after = (own.end..items.end).take(MAX_PLACES_TO_HOLE).find(is_hole);
            let before = (items.start..own.start).rev().take(MAX_PLACES_TO_HOLE).find(is_hole);
            match (before, after) {
                (Some(before), Some(after)) if own.start - before <= after - own.end => {
                    Some(before)
                }
                (before, after) => after.or(before),
            }
        })
    }

    /// Moves a hole to a cell: the items between them move by one place, and the cells between
    /// begin one place later, or earlier. Returns the places from the hole to the cell.
    fn shift(&mut self, form: LayoutKind, cell: u32, hole: usize) -> Range<usize> {
        let own = self.places_of(cell as usize..cell as usize + 1);
        let (cell, of_hole) = (cell as usize, self.cells[hole] as usize);
        let (from, to, moved) = if hole >= own.end {
            for start in &mut self.starts[cell + 1..=of_hole] {
                *start += 1;
            }
            (own.end..hole, own.end + 1, own.end..hole + 1)
        } else if hole < own.start {
            for start in &mut self.starts[of_hole + 1..=cell] {
                *start -= 1;
            }
            (hole + 1..own.start, hole, hole..own.start)
        } else {
            return hole..hole + 1;
        };
        for column in &mut self.columns[..form.columns()] {
            column.copy_within(from.clone(), to);
        }
        self.ids.copy_within(from.clone(), to);
        self.cells.copy_within(from, to);
        moved
    }

    /// Spreads the holes of a window around a cell evenly: of the smallest window with enough
    /// holes. Returns the window, which is empty if the level has too few holes.
    fn spread(&mut self, form: LayoutKind, level: usize, cell: u32) -> Range<usize> {
        let (items, middle) = (self.items(level), self.starts[cell as usize + 1] as usize);
        let mut reach = MAX_PLACES_TO_HOLE;
        let (window, holes) = loop {
            reach *= 2;
            let window =
                items.start.max(middle.saturating_sub(reach))..items.end.min(middle + reach);
            let gone = |x: &&f32| **x == GONE;
            let holes = self.columns[0][window.clone()].iter().filter(gone).count();
            if holes * 2 * ITEMS_PER_HOLE >= window.len() {
                break (window, holes);
            }
            if window == items {
                return 0..0;
            }
        };
        // Only these cells may begin at other places of the window.
        let of_window = &self.cells[window.clone()];
        let (Some(first), Some(last)) = (of_window.first(), of_window.last()) else {
            return window;
        };
        let cells = *first as usize + 1..*last as usize + 1;
        let is_item: Vec<bool> =
            self.columns[0][window.clone()].iter().map(|x| *x != GONE).collect();
        let hole = values(form, None);
        for (column, hole) in self.columns[..form.columns()].iter_mut().zip(hole) {
            spread_column(&mut column[window.clone()], &is_item, holes, |_| hole);
        }
        // A hole has the id and the cell of the item before it.
        for words in [&mut self.ids, &mut self.cells] {
            spread_column(&mut words[window.clone()], &is_item, holes, |word| word);
        }
        self.begin_cells(cells, window.clone());
        window
    }

    /// Finds where cells begin, from the cells of the items at some places.
    fn begin_cells(&mut self, cells: Range<usize>, places: Range<usize>) {
        let mut place = places.start;
        for cell in cells {
            while place < places.end && (self.cells[place] as usize) < cell {
                place += 1;
            }
            self.starts[cell] = place as u32;
        }
    }

    /// Makes holes among the items. The cost of runs is unknown then. Returns false, and does
    /// nothing, if there is no memory.
    pub(in crate::grid) fn loosen(&mut self, plan: &Plan, form: LayoutKind) -> bool {
        // Where runs end, and the holes up to there.
        let (mut ends, mut all) = (Vec::new(), 0);
        let mut spread = self.items.clone();
        for (level, own) in spread.iter_mut().enumerate().take(plan.levels().len()) {
            let items = self.items(level);
            let mut place = items.start;
            own.start += all;
            while place < items.end {
                let last = (place + MAX_PLACES_TO_HOLE / 2).min(items.end) - 1;
                let end = self.cell_mates(last).end;
                let holes = (end - place).div_ceil(ITEMS_PER_HOLE);
                (place, all) = (end, all + holes);
                ends.push((end, holes, all));
            }
            own.end += all;
        }
        let mut run_end = self.places;
        if !self.take_places(form, self.places + all) {
            return false;
        }
        self.items = spread;
        self.removed += all;
        for (begin, holes, behind) in ends.into_iter().rev() {
            // The run behind the holes, and then the holes.
            let to = begin + behind;
            for column in &mut self.columns[..form.columns()] {
                column.copy_within(begin..run_end, to);
            }
            for words in [&mut self.ids, &mut self.cells] {
                words.copy_within(begin..run_end, to);
                let last = words[begin - 1];
                words[to - holes..to].fill(last);
            }
            for hole in to - holes..to {
                self.write(form, hole, None);
            }
            run_end = begin;
        }
        for (level, cells) in plan.levels().iter().enumerate() {
            let (numbers, places) = (cells.numbers(), self.items(level));
            self.begin_cells(numbers.start..numbers.end + 1, places);
        }
        true
    }

    /// The item at each place of all levels, by its id.
    pub(in crate::grid) fn arrangement(&self, levels: usize) -> Arrangement {
        let mut arrangement = Arrangement::default();
        let Arrangement { levels: lens, items, holes } = &mut arrangement;
        for level in 0..levels {
            lens.push(self.items(level).len() as u32);
            for place in self.items(level) {
                let is_hole = self.columns[0][place] == GONE;
                items.push((!is_hole).then_some(self.ids[place]));
                holes.extend(is_hole.then_some(self.cells[place]));
            }
        }
        arrangement
    }

    /// Puts items to the places where they once were. `sides` returns the sides of the item with an
    /// id. Returns false, and leaves the items anywhere, if they do not belong there.
    pub(in crate::grid) fn arrange(
        &mut self,
        (plan, form): (&Plan, LayoutKind),
        arrangement: &Arrangement,
        sides: impl Fn(u32) -> RoundedBox,
    ) -> bool {
        let Arrangement { levels, items, holes } = arrangement;
        let places: u64 = levels.iter().map(|len| u64::from(*len)).sum();
        if levels.len() != plan.levels().len() || places != items.len() as u64 {
            return false;
        }
        if !self.take_places(form, items.len()) {
            return false;
        }
        self.removed = holes.len();
        let (mut holes, mut items) = (holes.iter(), items.iter());
        let (mut place, mut id) = (0, self.ids.first().copied().unwrap_or_default());
        for (level, (cells, &len)) in plan.levels().iter().zip(levels).enumerate() {
            self.items[level] = place..place + len as usize;
            let mut cell = cells.numbers().start as u32;
            for item in items.by_ref().take(len as usize) {
                let sides = item.map(&sides);
                let own = match &sides {
                    Some(sides) => {
                        Some(sides).filter(|sides| form.holds(sides)).and_then(|sides| {
                            self.bounds[level].hold(sides);
                            plan.cell_of(sides)
                        })
                    }
                    None => holes.next().map(|cell| (level, *cell)),
                };
                let numbers = cell as usize..cells.numbers().end;
                match own {
                    Some((at, own)) if at == level && numbers.contains(&(own as usize)) => {
                        cell = own
                    }
                    _ => return false,
                }
                self.write(form, place, sides.as_ref());
                // A hole has the id of any item.
                id = item.unwrap_or(id);
                (self.ids[place], self.cells[place]) = (id, cell);
                place += 1;
            }
            let (numbers, places) = (cells.numbers(), self.items(level));
            self.begin_cells(numbers.start..numbers.end + 1, places);
        }
        holes.next().is_none()
    }

    /// Makes room for this many places. Returns false, and does nothing, if there is no memory.
    fn take_places(&mut self, form: LayoutKind, places: usize) -> bool {
        let Self { columns, ids, cells, zeros, .. } = self;
        let len = places + MAX_LANES;
        let columns = &mut columns[..form.columns()];
        let zeros = Some(zeros).filter(|zeros| !zeros.is_empty());
        if !columns.iter_mut().chain(zeros).all(|column| lengthen(column, len))
            || ![ids, cells].into_iter().all(|words| lengthen(words, len))
        {
            return false;
        }
        self.places = places;
        self.fullest.clear();
        true
    }

    /// Writes an item at a place, or makes it a hole.
    pub(super) fn write(&mut self, form: LayoutKind, place: usize, sides: Option<&RoundedBox>) {
        for (column, value) in self.columns[..form.columns()].iter_mut().zip(values(form, sides)) {
            column[place] = value;
        }
    }
}

/// Makes a buffer at least so long. Returns false if there is no memory.
fn lengthen<T: Clone + Default>(buffer: &mut Vec<T>, len: usize) -> bool {
    len <= buffer.len() || overwrite(buffer, len)
}

/// The values of an item, one per column, or of a hole.
fn values(form: LayoutKind, sides: Option<&RoundedBox>) -> [f32; MAX_COLUMNS] {
    let radius = if form == LayoutKind::Circle { 1.0 } else { 0.0 };
    let hole = RoundedBox { min_x: GONE, min_y: GONE, max_x: GONE, max_y: GONE, radius };
    let RoundedBox { min_x, min_y, max_x, max_y, radius } = *sides.unwrap_or(&hole);
    match form {
        LayoutKind::Circle => [min_x, min_y, radius, 0.0, 0.0],
        LayoutKind::Box | LayoutKind::Rounded => [min_x, min_y, max_x, max_y, radius],
    }
}

/// Moves the items of a column so that the numbers of holes behind them differ by at most one.
/// `hole` returns the value of a hole behind an item.
fn spread_column<T: Copy>(column: &mut [T], is_item: &[bool], holes: usize, hole: impl Fn(T) -> T) {
    let mut count = 0;
    for (at, is_item) in is_item.iter().enumerate() {
        column[count] = column[at];
        count += usize::from(*is_item);
    }
    // From the last item on, which has the last holes.
    let (mut end, mut before, mut rest) = (column.len(), holes, 0);
    for item in (0..count).rev() {
        // `before` is `item * holes / count`, and `rest` the remainder.
        while rest < holes {
            (before, rest) = (before - 1, rest + count);
        }
        rest -= holes;
        let (value, place) = (column[item], item + before);
        column[place] = value;
        column[place + 1..end].fill(hole(value));
        end = place;
    }
}
