//! `Worlds`: rows, grouped by world.

use crate::store::Rows;

/// The rows of each world.
#[derive(Debug, Default)]
pub(crate) struct Worlds {
    /// The rows that hold a shape, by world, then ascending.
    rows: Vec<u32>,
    /// Each world, and where its rows end.
    ends: Vec<(u32, usize)>,
    /// Workspace: the number of rows of each world, then where they begin.
    counts: Vec<u32>,
}

/// Worlds without rows that a counting sort may have, for each row.
const FEW_FREE: usize = 4;

impl Worlds {
    /// Groups the rows that hold a shape. Without a column of worlds, all are in world 0.
    ///
    /// A counting sort if no number of a world is far above the number of rows. It reads the worlds
    /// twice, and rows that are grouped already only once.
    pub(crate) fn group(&mut self, rows: &Rows<'_>, worlds: Option<&[u32]>) {
        let Self { rows: order, ends, counts } = self;
        ends.clear();
        order.clear();
        let live = || (0..rows.len() as u32).filter(|row| rows.holds(*row as usize));
        match rows.live {
            None => order.extend(0..rows.len() as u32),
            Some(_) => order.extend(live()),
        }
        let world = |row: u32| worlds.map_or(0, |worlds| worlds[row as usize]);
        let all = worlds.unwrap_or_default();
        let highest = all.iter().max().copied().unwrap_or(0) as usize;
        if all.is_sorted() {
            // The rows of each world follow each other already.
        } else if highest <= FEW_FREE * order.len() {
            counts.clear();
            counts.resize(highest + 2, 0);
            for &row in &*order {
                counts[world(row) as usize + 1] += 1;
            }
            let mut total = 0;
            for count in &mut *counts {
                total += *count;
                *count = total;
            }
            // The rows of each world ascend, because they are placed in ascending order.
            for row in live() {
                let place = &mut counts[world(row) as usize];
                order[*place as usize] = row;
                *place += 1;
            }
        } else {
            order.sort_unstable_by_key(|row| (world(*row), *row));
        }
        let mut end = 0;
        for rows in order.chunk_by(|a, b| world(*a) == world(*b)) {
            end += rows.len();
            ends.push((world(rows[0]), end));
        }
    }

    /// The number of rows that hold a shape.
    pub(crate) fn rows(&self) -> usize {
        self.rows.len()
    }

    /// The number of worlds.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// A world by its place in the order, and its rows.
    pub(crate) fn get(&self, place: usize) -> (u32, &[u32]) {
        let begin = place.checked_sub(1).map_or(0, |before| self.ends[before].1);
        let (world, end) = self.ends[place];
        (world, &self.rows[begin..end])
    }

    /// The bytes of memory held.
    pub(crate) fn bytes(&self) -> usize {
        (self.rows.capacity() + self.counts.capacity()) * size_of::<u32>()
            + self.ends.capacity() * size_of::<(u32, usize)>()
    }
}
