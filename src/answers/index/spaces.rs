//! `Spaces`: rows, grouped by space.

use std::ops::Range;

use crate::{
    base::{FEW_ITEMS, grouping, held, word_sort::WordSorter},
    store::Rows,
};

/// The rows of each space.
#[derive(Debug, Default)]
pub(crate) struct Spaces {
    /// The rows that hold a shape, by space, then ascending.
    rows: Vec<u32>,
    /// The spaces, ascending, and where the rows of each end.
    numbers: Vec<u32>,
    ends: Vec<u32>,
    /// Workspace: the number of rows of each space, then where they begin.
    counts: Vec<u32>,
    /// Workspace: the space and the row of each shape.
    sorted: Vec<[u32; 2]>,
    sorter: WordSorter<2, 2>,
}

held!(Spaces { rows, numbers, ends, counts, sorted, sorter });

/// Spaces that are searched together.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SpaceBatch<'a> {
    /// Their numbers.
    pub(crate) spaces: &'a [u32],
    /// The rows of all spaces, space by space.
    pub(crate) rows: &'a [u32],
    /// Where the rows of each end, among the rows of all batches. Empty if it is one space that is
    /// not batched.
    pub(crate) ends: &'a [u32],
}

impl Spaces {
    /// Groups the rows that hold a shape, or that are selected. Without a column of spaces, all
    /// rows are in space 0.
    ///
    /// A counting sort if no number of a space is far above the number of rows. It reads the spaces
    /// twice, and rows that are grouped already only once; of selected rows, only their own.
    pub(crate) fn group(&mut self, rows: &Rows<'_>, spaces: Option<&[u32]>) {
        let Self { rows: order, numbers, ends, counts, sorted, sorter } = self;
        numbers.clear();
        ends.clear();
        order.clear();
        let listed = || {
            let row = |at: usize| rows.selection.map_or(at as u32, |selection| selection[at]);
            (0..rows.detected()).map(row).filter(|row| rows.holds(*row as usize))
        };
        match (rows.selection, rows.live) {
            (Some(selection), _) => order.extend_from_slice(selection),
            (None, None) => order.extend(0..rows.len() as u32),
            (None, Some(_)) => order.extend(listed()),
        }
        let space = |row: u32| spaces.map_or(0, |spaces| spaces[row as usize]);
        let all = spaces.unwrap_or_default();
        let selected = rows.selection.is_some();
        let sorted_already = match selected {
            true => order.is_sorted_by_key(|row| space(*row)),
            false => all.is_sorted(),
        };
        let highest = || match selected {
            true => order.iter().map(|row| space(*row)).max(),
            false => all.iter().max().copied(),
        };
        let highest = if sorted_already { None } else { highest() }.unwrap_or(0) as usize;
        if sorted_already {
            // The rows of each space follow each other already.
        } else if grouping::are_few(highest, order.len()) {
            counts.clear();
            counts.resize(highest + 1, 0);
            let in_space = |row| [(space(row), row)];
            grouping::group(counts, listed(), in_space, |place, row| order[place] = row);
        } else {
            sorted.clear();
            sorted.extend(order.iter().map(|&row| [space(row), row]));
            sorter.sort(sorted, false);
            order.clear();
            order.extend(sorted.iter().map(|[_, row]| row));
        }
        let mut add = |space, rows: usize| {
            numbers.push(space);
            ends.push(ends.last().copied().unwrap_or(0) + rows as u32);
        };
        if sorted_already && !selected && order.len() == all.len() && !all.is_empty() {
            for run in all.chunk_by(|a, b| a == b) {
                add(run[0], run.len());
            }
            return;
        }
        for rows in order.chunk_by(|a, b| space(*a) == space(*b)) {
            add(space(rows[0]), rows.len());
        }
    }

    /// The number of rows that hold a shape.
    pub(crate) fn rows(&self) -> usize {
        self.rows.len()
    }

    /// The number of spaces.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// A space by its place in the order, and its rows.
    pub(crate) fn get(&self, place: usize) -> (u32, &[u32]) {
        (self.numbers[place], &self.rows[self.begin(place)..self.ends[place] as usize])
    }

    /// The spaces at these places in the order, batch by batch. A batch has spaces that follow each
    /// other, each of few rows and accepted by `batched`, and at most `most` rows. Each other space
    /// is alone.
    pub(crate) fn batches(
        &self,
        mut places: Range<usize>,
        most: usize,
        batched: impl Fn(u32) -> bool,
    ) -> impl Iterator<Item = SpaceBatch<'_>> {
        std::iter::from_fn(move || {
            let (first, begin) = (places.start, self.begin(places.start));
            if places.is_empty() {
                return None;
            }
            let is_few = |place: &usize| {
                let (space, rows) = self.get(*place);
                rows.len() <= FEW_ITEMS
                    && self.ends[*place] as usize - begin <= most
                    && batched(space)
            };
            let small = places.clone().take_while(is_few).count();
            places.start += small.max(1);
            let (spaces, ends) = (&self.numbers[first..places.start], &self.ends[first..][..small]);
            Some(SpaceBatch { spaces, rows: &self.rows[begin..self.begin(places.start)], ends })
        })
    }

    /// Where the rows of the space at a place in the order begin.
    fn begin(&self, place: usize) -> usize {
        place.checked_sub(1).map_or(0, |before| self.ends[before] as usize)
    }
}
