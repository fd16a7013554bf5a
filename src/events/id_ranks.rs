//! Ids of the caller as ranks: numbers below the number of ids, in the order of the ids.

use crate::base::{BLOCK_ROWS, copied};

/// The ids of the rows of a set, and the rank of each: its place among all ids of this step and the
/// last step. Rows with the same id have the same rank.
///
/// Only rows whose id has changed are looked up. New ids above all old ids are appended. Other new
/// ids are inserted. This moves the ranks behind them, and the caller receives the moved ranks.
/// There are no hashes, so no choice of ids makes it slow.
#[derive(Debug, Default)]
pub(super) struct IdRanks {
    /// The id of each row.
    column: Vec<u64>,
    /// The rank of each row.
    ranks: Vec<u32>,
    /// The id of each rank, ascending.
    ids: Vec<u64>,
    /// The number of rows that have each rank.
    rows: Vec<u32>,
    /// The number of ranks that no row has.
    unused: usize,
    /// Whether the rank of each row is the row: its ids ascend.
    pub(super) are_rows: bool,
    /// The rows whose id has changed.
    changed: Vec<u32>,
    /// New ids, or their ranks, and their rows.
    added: Vec<(u64, u32)>,
    /// The new rank of each rank.
    map: Vec<u32>,
}

copied!(IdRanks { column, ranks, ids, rows, unused, are_rows } but { changed, added, map });

impl IdRanks {
    /// Forgets all ids and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.column.clear();
        self.ranks.clear();
        self.ids.clear();
        self.rows.clear();
        self.unused = 0;
        self.are_rows = false;
    }

    /// The number of rows.
    pub(super) fn len(&self) -> usize {
        self.column.len()
    }

    /// The rank of each row.
    pub(super) fn ranks(&self) -> &[u32] {
        &self.ranks
    }

    /// The id of each rank.
    pub(super) fn ids(&self) -> &[u64] {
        &self.ids
    }

    /// Replaces the ids of the rows. Ids of the last call keep a rank, so that the pairs of the
    /// last step can be named. If ranks move, `moved` gets the new rank for each old rank.
    ///
    /// Expects less than `u32::MAX` rows, rows of the last call included.
    pub(super) fn update(&mut self, column: &[u64], moved: &mut dyn FnMut(&[u32])) {
        let drop = self.unused > self.ids.len() / 2;
        if drop {
            self.drop_unused(moved);
        }
        self.find_changed(column);
        let as_before = !drop && self.changed.is_empty();
        let kept = self.column.len().min(column.len());
        let gone = kept as u32..self.column.len() as u32;
        let leaving = self.changed.iter().copied().take_while(|row| (*row as usize) < kept);
        for row in gone.chain(leaving) {
            let rows = &mut self.rows[self.ranks[row as usize] as usize];
            *rows -= 1;
            self.unused += usize::from(*rows == 0);
        }
        self.column.resize(column.len(), 0);
        self.ranks.resize(column.len(), 0);
        self.added.clear();
        for &row in &self.changed {
            let id = column[row as usize];
            self.column[row as usize] = id;
            match search(&self.ids, id) {
                Ok(rank) => {
                    self.ranks[row as usize] = rank as u32;
                    self.unused -= usize::from(self.rows[rank] == 0);
                    self.rows[rank] += 1;
                }
                Err(_) => self.added.push((id, row)),
            }
        }
        self.insert_added(moved);
        if !as_before {
            self.are_rows = self.find_are_rows();
        }
    }

    /// Whether the rank of each row is the row.
    fn find_are_rows(&self) -> bool {
        self.ranks.chunks(BLOCK_ROWS).zip((0..).step_by(BLOCK_ROWS)).all(|(ranks, first)| {
            let differ = |bits, (rank, row): (&u32, u32)| bits | (rank ^ row);
            ranks.iter().zip(first..).fold(0, differ) == 0
        })
    }

    /// Lists the rows whose id differs from their last id, and new rows.
    fn find_changed(&mut self, column: &[u64]) {
        let Self { column: last, changed, .. } = self;
        changed.clear();
        let blocks = last.chunks(BLOCK_ROWS).zip(column.chunks(BLOCK_ROWS));
        for (first, (last, now)) in (0..).step_by(BLOCK_ROWS).zip(blocks) {
            if last != now {
                let rows = (first..).zip(last.iter().zip(now));
                changed.extend(rows.filter(|(_, (last, now))| last != now).map(|(row, _)| row));
            }
        }
        changed.extend(last.len() as u32..column.len() as u32);
    }

    /// Gives a rank to each id of `added`.
    fn insert_added(&mut self, moved: &mut dyn FnMut(&[u32])) {
        let Self { ranks, ids, rows, added, map, .. } = self;
        added.sort_unstable();
        let old_len = ids.len();
        let groups = added.chunk_by(|one, next| one.0 == next.0).count();
        ids.resize(old_len + groups, 0);
        rows.resize(old_len + groups, 0);
        map.clear();
        map.resize(old_len, 0);
        // From the last id to the first. Behind `write`, all ids are in their places; the ids
        // before `read` have not moved yet.
        let (mut read, mut write) = (old_len, ids.len());
        for group in added.chunk_by_mut(|one, next| one.0 == next.0).rev() {
            let id = group[0].0;
            while read > 0 && ids[read - 1] > id {
                (read, write) = (read - 1, write - 1);
                (ids[write], rows[write]) = (ids[read], rows[read]);
                map[read] = write as u32;
            }
            write -= 1;
            (ids[write], rows[write]) = (id, group.len() as u32);
            for (id, _) in group {
                *id = write as u64;
            }
        }
        if read < old_len {
            for (rank, place) in (0..).zip(&mut map[..read]) {
                *place = rank;
            }
            apply(map, ranks);
            moved(map);
        }
        for &(rank, row) in &*added {
            ranks[row as usize] = rank as u32;
        }
    }

    /// Drops the ranks that no row has.
    fn drop_unused(&mut self, moved: &mut dyn FnMut(&[u32])) {
        let Self { ranks, ids, rows, unused, map, .. } = self;
        map.clear();
        map.resize(ids.len(), 0);
        let mut len = 0;
        for (rank, place) in map.iter_mut().enumerate() {
            if rows[rank] > 0 {
                (ids[len], rows[len], *place) = (ids[rank], rows[rank], len as u32);
                len += 1;
            }
        }
        ids.truncate(len);
        rows.truncate(len);
        *unused = 0;
        apply(map, ranks);
        moved(map);
    }
}

/// Replaces ranks by their new ranks.
fn apply(map: &[u32], ranks: &mut [u32]) {
    for rank in ranks {
        *rank = map[*rank as usize];
    }
}

/// Where `id` is in ascending `ids`, or where it would be, as [`slice::binary_search`].
///
/// Begins where the id would be if ids were evenly spaced, and goes on in doubling steps. Ids that
/// are counted up are found at once, other ids in logarithmic time.
fn search(ids: &[u64], id: u64) -> Result<usize, usize> {
    let (Some(&first), Some(&last)) = (ids.first(), ids.last()) else { return Err(0) };
    if id <= first || id >= last {
        return match (id == first, id == last) {
            (true, _) => Ok(0),
            (_, true) => Ok(ids.len() - 1),
            _ => Err(if id < first { 0 } else { ids.len() }),
        };
    }
    let share = (id - first) as f64 / (last - first) as f64;
    let guess = ((share * ids.len() as f64) as usize).min(ids.len() - 1);
    let mut step = 1;
    let (low, high) = if ids[guess] <= id {
        while guess + step < ids.len() && ids[guess + step] <= id {
            step *= 2;
        }
        (guess + step / 2, (guess + step).min(ids.len()))
    } else {
        while guess >= step && ids[guess - step] > id {
            step *= 2;
        }
        (guess.saturating_sub(step), guess - step / 2)
    };
    match ids[low..high].binary_search(&id) {
        Ok(place) => Ok(low + place),
        Err(place) => Err(low + place),
    }
}
