//! `Islands`: the connected components of a list of pairs.

use super::{Lists, lists::check_rows};
use crate::{
    base::{Held, NO_ROW, Pair, held},
    error::Error,
    simd::map_each,
};

/// Islands: the groups of shapes that pairs connect, directly or through other shapes of the group.
/// A solver can solve each island alone, and put it to sleep alone.
///
/// [`find`](Islands::find) replaces the content and keeps the memory.
///
/// ```
/// use widephase::{Islands, Pair};
///
/// // Row 0 is the ground. Rows 1 and 2 are stacked on it, and so is row 3, elsewhere. Row 4 flies.
/// let pairs = [(0, 1), (1, 2), (0, 3)].map(|(a, b)| Pair { a, b });
/// let mut islands = Islands::new();
/// islands.find(5, &pairs, |row| row != 0)?;
/// assert_eq!(islands.iter().collect::<Vec<_>>(), [&[1, 2][..], &[3], &[4]]);
/// assert_eq!((islands.island_of(2), islands.island_of(0)), (Some(0), None));
///
/// // If the ground joins, it connects the stacks.
/// islands.find(5, &pairs, |_| true)?;
/// assert_eq!(islands.iter().collect::<Vec<_>>(), [&[0, 1, 2, 3][..], &[4]]);
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Islands {
    /// The rows of each island.
    rows: Lists<u32>,
    /// The island of each row, or [`NO_ROW`]. During a search, a row that is connected to it and
    /// not larger: following these leads to the smallest row of the island.
    of: Vec<u32>,
}

held!(Islands { rows, of });

impl Islands {
    /// No islands.
    pub fn new() -> Self {
        Self::default()
    }

    /// Replaces the content by the islands of the rows from 0 to `rows`, connected by `pairs` of
    /// one set.
    ///
    /// `joins` returns whether a row joins islands. A row that does not join belongs to no island
    /// and connects nothing: return false for static bodies, and for vacant rows. A row without a
    /// pair that joins is an island of its own.
    ///
    /// The islands are in the order of their smallest rows. The order of the pairs makes no
    /// difference.
    ///
    /// Calls `joins` once for each row. Time is nearly proportional to rows and pairs (a union-find
    /// with path halving), on the calling thread. Memory: up to 18 bytes a row.
    ///
    /// # Errors
    /// [`Error::NoSuchShape`] for the first pair of a row that is not below `rows`;
    /// [`Error::TooManyShapes`] for more rows than a `u32` can number; [`Error::OutOfMemory`].
    /// There are then no islands.
    pub fn find(
        &mut self,
        rows: usize,
        pairs: &[Pair],
        mut joins: impl FnMut(u32) -> bool,
    ) -> Result<(), Error> {
        self.rows.clear();
        self.of.clear();
        check_rows(rows, pairs)?;
        if self.of.try_reserve_exact(rows).is_err() {
            return Err(Error::OutOfMemory { len: rows });
        }
        self.of.extend((0..rows as u32).map(|row| if joins(row) { row } else { NO_ROW }));
        self.connect(pairs);
        self.number().inspect_err(|_| self.of.clear())
    }

    /// Connects the rows of each pair.
    fn connect(&mut self, pairs: &[Pair]) {
        let Self { of: parents, .. } = self;
        for &Pair { a, b } in pairs {
            if parents[a as usize] == NO_ROW || parents[b as usize] == NO_ROW {
                continue;
            }
            let [a, b] = map_each([a, b], |row| root(parents, row));
            // The smaller root stays a root, so that a root is the smallest row of its island.
            parents[a.max(b) as usize] = a.min(b);
        }
    }

    /// Replaces the parent of each row by the number of its island, and lists the rows.
    fn number(&mut self) -> Result<(), Error> {
        let Self { rows: lists, of } = self;
        let mut islands = 0;
        for row in 0..of.len() {
            // A parent is a smaller row, and has its number already.
            let parent = of[row];
            if parent == NO_ROW {
                continue;
            }
            of[row] = if parent as usize == row {
                islands += 1;
                islands - 1
            } else {
                of[parent as usize]
            };
        }
        lists.group_rows(islands as usize, of, NO_ROW)
    }

    /// The number of islands.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no islands.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The rows of an island, ascending. Empty if there is no such island.
    pub fn get(&self, island: usize) -> &[u32] {
        self.rows.get(island)
    }

    /// The rows of each island, ascending, in the order of the smallest rows.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        self.rows.iter()
    }

    /// The rows of all islands as lists.
    pub fn lists(&self) -> &Lists<u32> {
        &self.rows
    }

    /// The island of a row. `None` if the row joins no island, or does not exist.
    pub fn island_of(&self, row: u32) -> Option<usize> {
        let island = *self.of.get(row as usize)?;
        (island != NO_ROW).then_some(island as usize)
    }

    /// The island of each row, as a column. It is [`u32::MAX`] for a row that joins no island.
    pub fn column(&self) -> &[u32] {
        &self.of
    }

    /// The bytes of memory held.
    pub fn bytes(&self) -> usize {
        Held::bytes(self)
    }
}

/// The smallest row that `row` is connected to so far. Halves the path to it.
fn root(parents: &mut [u32], mut row: u32) -> u32 {
    loop {
        let parent = parents[row as usize];
        if parent == row {
            return row;
        }
        let next = parents[parent as usize];
        parents[row as usize] = next;
        row = next;
    }
}
