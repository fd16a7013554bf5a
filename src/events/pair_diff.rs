//! `PairDiff`: what has changed from one list of pairs to the next.

use super::{
    id_ranks::IdRanks,
    sort::{SortedPair, Sorter},
};
use crate::{Error, base::HasPair, error::Field};

/// Compares the pairs of each step with the pairs of the step before: which pairs started to touch,
/// which still touch, and which stopped. Begin and end events of a game, and values that are kept
/// for each pair as long as it lasts, follow from that.
///
/// An update takes the list of a step, compares it with the list of the last update, and keeps it
/// for the next one. It takes lists of pairs, contacts, or records of your own ([`HasPair`]). A
/// pair that is in a list several times, as contacts of compounds are, counts once.
///
/// | call | two entries are the same pair if | for |
/// |---|---|---|
/// | [`update`](PairDiff::update) | `a` and `b` are the same rows | shapes that keep their rows |
/// | [`update_with_ids`](PairDiff::update_with_ids) | their two ids are the same, in any order | pairs of one set |
/// | [`update_between_with_ids`](PairDiff::update_between_with_ids) | the ids of `a` are the same, and the ids of `b` | pairs of a set with an [`Index`](crate::Index), or of two indexes |
///
/// With ids, a row that gets another shape has other pairs, and a shape that moves to another row
/// keeps its pairs. Removed shapes have no special call: their pairs are no longer in the list, so
/// they stop, named by their ids.
///
/// Events are sorted by `a`, then by `b`. They are a function of the two lists and the ids; the
/// order of the lists makes no difference but to the indices.
///
/// Time is proportional to pairs and, with ids, to rows, on the calling thread: a fifth to a tenth
/// of the time of hash sets. Nothing is allocated once the lists have been as long. Memory: 36
/// bytes a pair of a list and 24 bytes an event; with ids, 48 bytes a row more.
///
/// ```
/// use widephase::{Pair, PairDiff};
///
/// let mut diff = PairDiff::new(); // keep it
/// let first = [Pair { a: 0, b: 1 }, Pair { a: 0, b: 2 }];
/// diff.update(&first)?;
/// assert_eq!((diff.started().len(), diff.stopped().len()), (2, 0));
///
/// let second = [Pair { a: 1, b: 2 }, Pair { a: 0, b: 1 }];
/// diff.update(&second)?;
/// assert_eq!(second[diff.started()[0].index as usize], Pair { a: 1, b: 2 });
/// let same = diff.persisted()[0]; // what was kept for first[last_index] is now for second[index]
/// assert_eq!((same.index, same.last_index), (1, 0));
/// let gone = diff.stopped()[0];
/// assert_eq!((gone.a, gone.b, gone.last_index), (0, 2, 1));
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct PairDiff {
    /// The pairs of the last update, sorted, each once.
    last: Vec<SortedPair>,
    /// The list of this update.
    now: Vec<SortedPair>,
    sorter: Sorter,
    naming: Naming,
    /// The ids of the first set and of the second. For one set, only the first.
    ids: [IdRanks; 2],
    started: Vec<StartedPair>,
    persisted: Vec<PersistedPair>,
    stopped: Vec<StoppedPair>,
}

/// A pair that is in the list of this update, and not in the list of the last one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StartedPair {
    /// The id of the first shape; without ids, its row.
    pub a: u64,
    /// The id of the second shape; without ids, its row.
    pub b: u64,
    /// The index of the pair in the list of this update; of its first entry, if it has several.
    pub index: u32,
}

/// A pair that is in the lists of this update and of the last one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PersistedPair {
    /// The id of the first shape; without ids, its row.
    pub a: u64,
    /// The id of the second shape; without ids, its row.
    pub b: u64,
    /// The index of the pair in the list of this update; of its first entry, if it has several.
    pub index: u32,
    /// The index of the pair in the list of the last update, likewise.
    pub last_index: u32,
}

/// A pair that is in the list of the last update, and not in the list of this one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StoppedPair {
    /// The id of the first shape, which may be gone; without ids, its row in the last update.
    pub a: u64,
    /// The id of the second shape, which may be gone; without ids, its row in the last update.
    pub b: u64,
    /// The index of the pair in the list of the last update; of its first entry, if it has several.
    pub last_index: u32,
}

/// What identifies the pairs of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Naming {
    /// Their rows.
    #[default]
    Rows,
    /// The ids of one set.
    OneSet,
    /// The ids of two sets.
    TwoSets,
}

impl PairDiff {
    /// No pairs. Allocates nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Compares a list with the list of the last update, by rows: two entries are the same pair if
    /// `a` and `b` are equal. Both may number one set, or each its own.
    ///
    /// Use it if a row keeps its shape. A row that is filled again otherwise has the pairs of the
    /// shape that it had before.
    ///
    /// If the last update was one with ids, all its pairs stop, and all pairs of the list start.
    ///
    /// O(pairs) time if each row is in few pairs; the pairs of a row that is in many are sorted.
    ///
    /// # Errors
    /// [`Error::TooManyPairs`] for a list of more than `u32::MAX` entries. The diff is then as it
    /// was before the call, with its events.
    pub fn update<P: HasPair>(&mut self, list: &[P]) -> Result<(), Error> {
        self.load(list)?;
        self.begin(Naming::Rows);
        self.finish();
        Ok(())
    }

    /// Compares a list of pairs of one set with the list of the last update, by ids: `ids[row]` is
    /// the id of a row. Two entries are the same pair if their two ids are, in any order. In
    /// events, `a` is the smaller id.
    ///
    /// Ids may be any numbers: a counter, the bits of an entity, a generation and an index. They
    /// are not used as indices of memory. Rows with the same id are one body: their pairs with
    /// another body are one pair, and pairs among them are a pair of the id with itself. Ids of
    /// rows without a pair, such as vacant ones, make no difference.
    ///
    /// If the last update was not one with the ids of one set, all its pairs stop, and all pairs of
    /// the list start.
    ///
    /// O(rows + pairs) time: the ids are compared with the ids of the last update, and only ids of
    /// rows with a new id are looked up, O(log rows) each. New ids are cheapest if they are above
    /// all others.
    ///
    /// ```
    /// use widephase::{Pair, PairDiff};
    ///
    /// let mut diff = PairDiff::new();
    /// diff.update_with_ids(&[Pair { a: 0, b: 2 }], &[70, 80, 90])?;
    /// // Body 70 is removed, and the last body moves to its row. Body 95 is new.
    /// diff.update_with_ids(&[Pair { a: 0, b: 1 }, Pair { a: 0, b: 2 }], &[90, 80, 95])?;
    /// let started: Vec<_> = diff.started().iter().map(|pair| (pair.a, pair.b)).collect();
    /// assert_eq!(started, [(80, 90), (90, 95)]);
    /// assert_eq!((diff.stopped()[0].a, diff.stopped()[0].b), (70, 90));
    /// # Ok::<(), widephase::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NoId`] for the first entry of a row that has no id; [`Error::TooManyPairs`] for a
    /// list of more than `u32::MAX` entries; [`Error::TooManyShapes`] if there are more ids than
    /// `u32::MAX`, pairs of the last update included. The diff is then as it was before the call,
    /// with its events.
    pub fn update_with_ids<P: HasPair>(&mut self, list: &[P], ids: &[u64]) -> Result<(), Error> {
        self.load(list)?;
        self.step_with_ids(Naming::OneSet, [ids, ids])
    }

    /// Compares a list of pairs of two sets with the list of the last update, by ids: `ids_a[a]`
    /// and `ids_b[b]` are the ids of a pair of rows. Two entries are the same pair if the ids of
    /// `a` are, and the ids of `b`. In events, `a` is an id of the first set, and `b` one of the
    /// second.
    ///
    /// Otherwise the same as [`update_with_ids`](PairDiff::update_with_ids). The two sets number
    /// their bodies independently: the same id in both of them is two bodies.
    ///
    /// # Errors
    /// The same as [`update_with_ids`](PairDiff::update_with_ids).
    pub fn update_between_with_ids<P: HasPair>(
        &mut self,
        list: &[P],
        ids_a: &[u64],
        ids_b: &[u64],
    ) -> Result<(), Error> {
        self.load(list)?;
        self.step_with_ids(Naming::TwoSets, [ids_a, ids_b])
    }

    /// The pairs that started with the last update, sorted by `a`, then by `b`.
    pub fn started(&self) -> &[StartedPair] {
        &self.started
    }

    /// The pairs that persisted through the last update, sorted by `a`, then by `b`.
    pub fn persisted(&self) -> &[PersistedPair] {
        &self.persisted
    }

    /// The pairs that stopped with the last update, sorted by `a`, then by `b`.
    pub fn stopped(&self) -> &[StoppedPair] {
        &self.stopped
    }

    /// Forgets the last list and its events, and keeps the memory. No pair stops; to stop all
    /// pairs, update with an empty list.
    pub fn clear(&mut self) {
        self.forget();
        self.clear_events();
    }

    /// The bytes of memory held.
    pub fn bytes(&self) -> usize {
        (self.last.capacity() + self.now.capacity()) * size_of::<SortedPair>()
            + self.sorter.bytes()
            + self.ids.iter().map(IdRanks::bytes).sum::<usize>()
            + self.started.capacity() * size_of::<StartedPair>()
            + self.persisted.capacity() * size_of::<PersistedPair>()
            + self.stopped.capacity() * size_of::<StoppedPair>()
    }

    /// Forgets the last list and its ids.
    fn forget(&mut self) {
        self.last.clear();
        for ids in &mut self.ids {
            ids.clear();
        }
    }

    fn clear_events(&mut self) {
        self.started.clear();
        self.persisted.clear();
        self.stopped.clear();
    }

    /// Copies the rows of a list. The only part that is compiled for each type of list.
    fn load<P: HasPair>(&mut self, list: &[P]) -> Result<(), Error> {
        if u32::try_from(list.len()).is_err() {
            let (limit, found) = (u32::MAX.into(), list.len() as u64);
            return Err(Error::TooManyPairs { limit, found });
        }
        self.now.clear();
        reserve(&mut self.now, list.len());
        self.now.extend((0..).zip(list).map(|(index, item)| {
            let pair = item.pair();
            SortedPair { a: pair.a, b: pair.b, index }
        }));
        Ok(())
    }

    /// Replaces the rows of the new list by the ranks of their ids, and compares the lists.
    fn step_with_ids(&mut self, naming: Naming, columns: [&[u64]; 2]) -> Result<(), Error> {
        self.check_rows(columns)?;
        self.begin(naming);
        let Self { last, now, ids: [first, second], .. } = self;
        if naming == Naming::OneSet {
            first.update(columns[0], &mut |map| {
                for entry in &mut *last {
                    (entry.a, entry.b) = (map[entry.a as usize], map[entry.b as usize]);
                }
            });
            let ranks = first.ranks();
            for entry in now {
                let [a, b] = [ranks[entry.a as usize], ranks[entry.b as usize]];
                (entry.a, entry.b) = (a.min(b), a.max(b));
            }
        } else {
            first.update(columns[0], &mut |map| {
                for entry in &mut *last {
                    entry.a = map[entry.a as usize];
                }
            });
            second.update(columns[1], &mut |map| {
                for entry in &mut *last {
                    entry.b = map[entry.b as usize];
                }
            });
            let (ranks_a, ranks_b) = (first.ranks(), second.ranks());
            for entry in now {
                (entry.a, entry.b) = (ranks_a[entry.a as usize], ranks_b[entry.b as usize]);
            }
        }
        self.finish();
        Ok(())
    }

    /// Checks that all rows of the new list have an id, and that ranks fit into a `u32`.
    fn check_rows(&self, columns: [&[u64]; 2]) -> Result<(), Error> {
        for (column, ids) in columns.iter().zip(&self.ids) {
            let len = column.len() + ids.len();
            if u32::try_from(len).is_err() {
                return Err(Error::TooManyShapes { len });
            }
        }
        let [len_a, len_b] = columns.map(<[u64]>::len);
        let (a, b) = self.now.iter().fold((0, 0), |(a, b), entry| (entry.a.max(a), entry.b.max(b)));
        if self.now.is_empty() || ((a as usize) < len_a && (b as usize) < len_b) {
            return Ok(());
        }
        let missing = self.now.iter().find_map(|entry| {
            let rows = [(Field::A, entry.a, len_a), (Field::B, entry.b, len_b)];
            let (field, row, len) = rows.into_iter().find(|(_, row, len)| *row as usize >= *len)?;
            Some(Error::NoId { index: entry.index as usize, field, row, len })
        });
        missing.map_or(Ok(()), Err)
    }

    /// Clears the events. If pairs were identified in another way, stops all of them.
    fn begin(&mut self, naming: Naming) {
        self.clear_events();
        if self.naming != naming {
            let names = names(self.naming, &self.ids);
            self.stopped.extend(self.last.iter().map(|entry| stop(*entry, names)));
            self.forget();
            self.naming = naming;
        }
    }

    /// Sorts the new list, merges it with the last one, and keeps it.
    fn finish(&mut self) {
        let Self { last, now, sorter, naming, ids, started, persisted, stopped } = self;
        sorter.sort(now);
        reserve(persisted, last.len().min(now.len()));
        let names = names(*naming, ids);
        let [name_a, name_b] = names;
        let (mut old_rest, mut new_rest) = (last.as_slice(), now.as_slice());
        while let (Some((old, old_after)), Some((new, new_after))) =
            (old_rest.split_first(), new_rest.split_first())
        {
            let (old_key, new_key) = (old.key(), new.key());
            if old_key == new_key {
                let (a, b) = (name_a.of(new.a), name_b.of(new.b));
                let (index, last_index) = (new.index, old.index);
                persisted.push(PersistedPair { a, b, index, last_index });
                (old_rest, new_rest) = (old_after, new_after);
            } else if old_key < new_key {
                stopped.push(stop(*old, names));
                old_rest = old_after;
            } else {
                started.push(start(*new, names));
                new_rest = new_after;
            }
        }
        stopped.extend(old_rest.iter().map(|entry| stop(*entry, names)));
        started.extend(new_rest.iter().map(|entry| start(*entry, names)));
        std::mem::swap(last, now);
    }
}

/// The ids of ranks. `None` if the numbers are rows.
#[derive(Clone, Copy)]
struct Names<'a>(Option<&'a [u64]>);

impl Names<'_> {
    fn of(self, number: u32) -> u64 {
        match self.0 {
            Some(ids) => ids[number as usize],
            None => u64::from(number),
        }
    }
}

/// The ids of `a` and of `b`.
fn names(naming: Naming, [first, second]: &[IdRanks; 2]) -> [Names<'_>; 2] {
    match naming {
        Naming::Rows => [Names(None); 2],
        Naming::OneSet => [Names(Some(first.ids())); 2],
        Naming::TwoSets => [Names(Some(first.ids())), Names(Some(second.ids()))],
    }
}

fn start(entry: SortedPair, [a, b]: [Names<'_>; 2]) -> StartedPair {
    StartedPair { a: a.of(entry.a), b: b.of(entry.b), index: entry.index }
}

fn stop(entry: SortedPair, [a, b]: [Names<'_>; 2]) -> StoppedPair {
    StoppedPair { a: a.of(entry.a), b: b.of(entry.b), last_index: entry.index }
}

/// Makes the capacity of an empty buffer at least `len`. When it grows, it takes an eighth more,
/// because lists that grow slowly would otherwise allocate at many steps.
fn reserve<T>(buffer: &mut Vec<T>, len: usize) {
    if buffer.capacity() < len {
        buffer.reserve_exact(len + len / 8);
    }
}
