//! `ListsOfRows`: from neighbours of shapes and their copies to lists of rows.
//!
//! In plain words:
//!
//! ```text
//! find the neighbours of each shape and each copy
//! write the list of each shape to its row; behind it, what its copies have in theirs
//! name each copy by its row and its shift
//! ```
//!
//! A shape beside a copy has the copy in its list, and the copy has the shape in its own: so pairs
//! across the seam come to both rows. In half lists, a neighbour has a larger number than the shape
//! whose list it is in. Copies of a shape are numbered right behind it, so that the list of the
//! smaller row gets the pair.

use bytemuck::cast_slice_mut;

use super::{
    PeriodicNeighbor, PeriodicPair,
    copies::{Copied, Copies},
};
use crate::{
    base::{Pair, held},
    detect::{NearPair, NearPairs},
    error::Error,
    lists::{Adjacency, Lists},
    neighbors::NeighborWorkspace,
    query::Neighbor,
    simd::{Isa, map_each},
};

/// The workspace of lists.
#[derive(Debug, Default)]
pub(super) struct ListsOfRows {
    /// The number of each shape and each copy.
    pub(super) numbers: Vec<u32>,
    /// The number of the list of each copy, and where it begins and ends.
    spans: Vec<(usize, [usize; 2])>,
    across: Vec<Across>,
    /// Where the list of each shape begins, and where the last one ends.
    begins: Vec<usize>,
    /// Zero and the length of the list of each row.
    lengths: Vec<[u32; 2]>,
}

held!(ListsOfRows { numbers, spans, across, begins, lengths });

/// A neighbour of a copy, moved back with it.
#[derive(Debug, Clone, Copy)]
struct Across {
    /// The position of the shape that was copied.
    of: u32,
    /// With the position of the neighbour instead of its row.
    item: PeriodicNeighbor,
}

impl ListsOfRows {
    /// Numbers shapes and copies. Returns false if there are too many shapes.
    pub(super) fn number(&mut self, copies: &Copies) -> bool {
        /// Of a shape and its copies, of which there are as many as
        /// [shifts](super::copies::SHIFTS).
        const NUMBERS_PER_SHAPE: u32 = 5;
        let Self { numbers, .. } = self;
        let shapes = copies.rows.len() as u32;
        numbers.clear();
        if shapes > u32::MAX / NUMBERS_PER_SHAPE {
            return false;
        }
        numbers.extend((0..shapes).map(|at| at * NUMBERS_PER_SHAPE));
        let (mut last, mut number) = (None, 0);
        for copy in &copies.copies {
            number =
                if last == Some(copy.of) { number + 1 } else { copy.of * NUMBERS_PER_SHAPE + 1 };
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
        run: (Isa, bool),
        copies: &Copies,
        found: &mut NeighborWorkspace,
        rows: usize,
        lists: &mut Lists<PeriodicNeighbor>,
    ) -> Result<(), Error> {
        self.list_across(copies, found);
        self.write(run, copies, found, rows, lists)?;
        let shapes = copies.rows.len();
        let name = |item: &mut PeriodicNeighbor| {
            let at = item.row as usize;
            if let Some(copy) = at.checked_sub(shapes) {
                let Copied { of, shift } = copies.copies[copy];
                (item.row, item.shift) = (copies.rows[of as usize], shift);
            } else {
                item.row = copies.rows[at];
            }
        };
        if copies.at_rows() {
            // The items of rows that are neither copied nor beside a copy have the right names.
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

    /// Replaces `lists` by the lists of `rows` rows, with positions instead of rows.
    fn write(
        &mut self,
        run: (Isa, bool),
        copies: &Copies,
        found: &mut NeighborWorkspace,
        rows: usize,
        lists: &mut Lists<PeriodicNeighbor>,
    ) -> Result<(), Error> {
        let Self { across, begins, lengths, .. } = self;
        lengths.clear();
        lengths.resize(rows, [0, 0]);
        let row = |at: u32| copies.rows.get(at as usize).copied();
        let own = found.lists().filter_map(|(at, [begin, end])| Some((row(at)?, end - begin)));
        let more = across.iter().filter_map(|across| Some((row(across.of)?, 1)));
        for (row, len) in own.chain(more) {
            lengths[row as usize][1] += len as u32;
        }
        let (starts, items) = lists.shape_part(0, lengths)?;
        begins.clear();
        begins.extend(copies.rows.iter().map(|row| starts[*row as usize]));
        begins.push(items.len());
        let (NeighborWorkspace { around, circles, .. }, items) = (found, cast_slice_mut(items));
        around.write::<3>((run, 0), [circles, circles], begins, items);
        lists.end_items();
        for across in across.chunk_by(|one, other| one.of == other.of) {
            let list = lists.get_mut(copies.rows[across[0].of as usize] as usize);
            for (to, across) in list.iter_mut().rev().zip(across.iter().rev()) {
                *to = across.item;
            }
        }
        Ok(())
    }

    /// Lists the shapes in the lists of copies, in the order of the copies.
    fn list_across(&mut self, copies: &Copies, found: &NeighborWorkspace) {
        let Self { spans, across, .. } = self;
        let shapes = copies.rows.len();
        spans.clear();
        spans.resize(copies.copies.len(), (0, [0, 0]));
        for (list, (at, span)) in found.lists().enumerate() {
            if let Some(copy) = (at as usize).checked_sub(shapes) {
                spans[copy] = (list, span);
            }
        }
        across.clear();
        for (&Copied { of, shift }, &(list, span)) in copies.copies.iter().zip(&*spans) {
            let shift = map_each(shift, |periods| -periods);
            let near = found.list_below(list, span, shapes as u32);
            across.extend(near.map(|Neighbor { row, distance }| Across {
                of,
                item: PeriodicNeighbor { row, distance, shift },
            }));
        }
    }

    /// Replaces `lists` by the lists of `rows` rows. `near` has the pairs of shapes and copies.
    ///
    /// # Errors
    /// As [`gather`](ListsOfRows::gather).
    pub(super) fn group(
        copies: &Copies,
        near: &NearPairs,
        rows: usize,
        adjacency: Adjacency,
        lists: &mut Lists<PeriodicNeighbor>,
    ) -> Result<(), Error> {
        let (shapes, same) = (copies.rows.len() as u32, copies.at_rows());
        let items = |NearPair { pair, distance }| {
            let PeriodicPair { pair: Pair { a, b }, shift } = if same && pair.b < shapes {
                PeriodicPair { pair, shift: [0, 0] }
            } else if pair.a < shapes {
                copies.pair(pair)
            } else {
                // A pair of two copies goes to a list behind the other lists.
                let none = rows as u32;
                PeriodicPair { pair: Pair { a: none, b: none }, shift: [0, 0] }
            };
            let item = |row, shift| PeriodicNeighbor { row, distance, shift };
            [(a, item(b, shift)), (b, item(a, map_each(shift, |periods| -periods)))]
        };
        match adjacency {
            Adjacency::Full => lists.group_items(rows + 1, 2 * near.len(), near.iter(), items)?,
            Adjacency::Half => {
                lists.group_items(rows + 1, near.len(), near.iter(), |near| [items(near)[0]])?;
            }
        }
        lists.pop();
        Ok(())
    }
}
