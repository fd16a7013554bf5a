//! `ListsOfRows`: from neighbours of shapes and their copies to lists of rows.
//!
//! In plain words:
//!
//! ```text
//! list the neighbours of each shape and each copy
//! for each shape with copies: its list is its own one, and what its copies have in theirs
//! copy the list of each row; name each copy by its row and its shift
//! ```
//!
//! A shape beside a copy has the copy in its list, and the copy has the shape in its own: so pairs
//! across the seam come to both rows. In half lists, a neighbour has a larger number than the shape
//! whose list it is in. Copies of a shape are numbered right behind it, so that the list of the
//! smaller row gets the pair.

use super::{
    PeriodicNeighbor, PeriodicPair,
    copies::{Copied, Copies},
};
use crate::{
    Adjacency, Error, Lists, Neighbor, Pair, base::buffer::grow, detect::NearPair, lists::CHUNK,
    neighbors::NeighborWorkspace, simd::Isa,
};

/// Of a shape and its copies, of which there are as many as [shifts](super::copies::SHIFTS).
const NUMBERS: u32 = 5;

/// The workspace of lists.
#[derive(Debug, Default)]
pub(super) struct ListsOfRows {
    /// The number of each shape and each copy.
    pub(super) numbers: Vec<u32>,
    /// What lists call by the numbers after all rows: the copies, and shapes moved by the opposite
    /// shifts.
    moved: Vec<Copied>,
}

impl ListsOfRows {
    /// Numbers shapes and copies. Returns false if there are too many shapes.
    pub(super) fn number(&mut self, copies: &Copies) -> bool {
        let Self { numbers, .. } = self;
        let shapes = copies.rows.len() as u32;
        numbers.clear();
        if shapes > u32::MAX / NUMBERS {
            return false;
        }
        numbers.extend((0..shapes).map(|at| at * NUMBERS));
        let (mut last, mut number) = (None, 0);
        for copy in &copies.copies {
            number = if last == Some(copy.of) { number + 1 } else { copy.of * NUMBERS + 1 };
            last = Some(copy.of);
            numbers.push(number);
        }
        true
    }

    /// Replaces `lists` by the lists of `rows` rows. `found` has the lists of shapes and copies.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`]; there are then no lists.
    pub(super) fn gather(
        &mut self,
        isa: Isa,
        copies: &Copies,
        found: &mut NeighborWorkspace,
        rows: usize,
        lists: &mut Lists<PeriodicNeighbor>,
    ) -> Result<(), Error> {
        self.join(copies, found);
        let shapes = copies.rows.len();
        let NeighborWorkspace { items, spans, .. } = found;
        if copies.at_rows() {
            // Vacant rows behind them have empty lists.
            spans.truncate(shapes);
            spans.resize(rows, [0, 0]);
        } else {
            // Places of lists move to higher rows, from the last one on.
            spans.resize(rows.max(spans.len()), [0, 0]);
            let mut left = shapes;
            for row in (0..rows).rev() {
                let held = left > 0 && copies.rows[left - 1] as usize == row;
                left -= usize::from(held);
                spans[row] = if held { spans[left] } else { [0, 0] };
            }
            spans.truncate(rows);
        }
        let found = spans.iter().map(|[begin, end]| (end - begin) as usize).sum();
        lists.gather(isa, found, spans, items, |&Neighbor { row, distance }| PeriodicNeighbor {
            row,
            distance,
            shift: [0, 0],
        })?;
        let name = |item: &mut PeriodicNeighbor| match (item.row as usize).checked_sub(shapes) {
            Some(at) => {
                let Copied { of, shift } = self.moved[at];
                (item.row, item.shift) = (copies.rows[of as usize], shift);
            }
            None => item.row = copies.rows[item.row as usize],
        };
        if copies.at_rows() {
            // What is not beside a copy, and has none, has the right names.
            let beside =
                copies.copies.iter().map(|copy| copy.of).chain(copies.upper.iter().copied());
            for row in beside {
                for item in lists.get_mut(row as usize) {
                    name(item);
                }
            }
        } else {
            for item in lists.iter_mut().flatten() {
                name(item);
            }
        }
        Ok(())
    }

    /// Replaces `lists` by the lists of `rows` rows. `near` has the pairs of shapes and copies.
    ///
    /// # Errors
    /// As [`gather`](ListsOfRows::gather).
    pub(super) fn group(
        copies: &Copies,
        near: &[NearPair],
        rows: usize,
        adjacency: Adjacency,
        lists: &mut Lists<PeriodicNeighbor>,
    ) -> Result<(), Error> {
        let (shapes, same) = (copies.rows.len() as u32, copies.at_rows());
        let items = |&NearPair { pair, distance }: &NearPair| {
            let PeriodicPair { pair: Pair { a, b }, shift } = if same && pair.b < shapes {
                PeriodicPair { pair, shift: [0, 0] }
            } else if pair.a < shapes {
                copies.pair(pair)
            } else {
                // Of two copies: to a list behind the others.
                let none = rows as u32;
                PeriodicPair { pair: Pair { a: none, b: none }, shift: [0, 0] }
            };
            let item = |row, shift| PeriodicNeighbor { row, distance, shift };
            [(a, item(b, shift)), (b, item(a, shift.map(|periods| -periods)))]
        };
        match adjacency {
            Adjacency::Full => lists.group(rows + 1, near, items)?,
            Adjacency::Half => lists.group(rows + 1, near, |near| [items(near)[0]])?,
        }
        lists.pop();
        Ok(())
    }

    /// Appends to the items, for each shape with copies, its list and what is in the lists of its
    /// copies.
    fn join(&mut self, copies: &Copies, found: &mut NeighborWorkspace) {
        let Self { moved, .. } = self;
        let NeighborWorkspace { items, spans, .. } = found;
        let shapes = copies.rows.len();
        moved.clear();
        moved.extend_from_slice(&copies.copies);
        let mut end = spans.iter().map(|[begin, end]| (end - begin) as usize).sum::<usize>();
        let mut begin = end;
        for (at, copy) in copies.copies.iter().enumerate() {
            let range = |[begin, end]: [u32; 2]| begin as usize..end as usize;
            if at == 0 || copies.copies[at - 1].of != copy.of {
                let own = range(spans[copy.of as usize]);
                grow(items, end + own.len());
                items.copy_within(own.clone(), end);
                begin = end;
                end += own.len();
            }
            let more = range(spans[shapes + at]);
            grow(items, end + more.len());
            for from in more {
                let Neighbor { row, distance } = items[from];
                if (row as usize) < shapes {
                    items[end] = Neighbor { row: (shapes + moved.len()) as u32, distance };
                    moved.push(Copied { of: row, shift: copy.shift.map(|periods| -periods) });
                    end += 1;
                }
            }
            spans[copy.of as usize] = [begin as u32, end as u32];
        }
        grow(items, end + CHUNK);
    }

    /// The bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        let Self { numbers, moved } = self;
        numbers.capacity() * size_of::<u32>() + moved.capacity() * size_of::<Copied>()
    }
}
