//! `PairDiff`: the changes from one list of pairs to the next.

use super::{
    id_ranks::IdRanks,
    matching::{MAX_PAIRS, Matching, STARTED},
    sorted_list::SortedPair,
};
use crate::{
    base::{HasPair, Held, Pair, copied, pair::pair_key},
    error::{Error, Field, limit::Granted},
    options::Threads,
    simd::map_each,
};

/// Compares the pairs of each step with the pairs of the step before: which pairs started to touch,
/// which still touch, and which stopped. Begin and end events of a game, and values that are kept
/// for each pair as long as it lasts, follow from that.
///
/// An update takes the list of a step, compares it with the list of the last update, and keeps it
/// for the next update. It takes lists of pairs, contacts, or records of your own ([`HasPair`]). A
/// pair that is in a list several times, as contacts of compounds are, counts once.
///
/// | call | two entries are the same pair if | for |
/// |---|---|---|
/// | [`update`](PairDiff::update) | `a` and `b` are the same rows | shapes that keep their rows |
/// | [`update_with_ids`](PairDiff::update_with_ids) | their two ids are equal, in any order | pairs of one set |
/// | [`update_between_with_ids`](PairDiff::update_between_with_ids) | the ids of `a` are equal, and the ids of `b` are equal | pairs of a set with an [`Index`](crate::Index), or of two indexes |
///
/// With ids, a row that gets another shape has other pairs, and a shape that moves to another row
/// keeps its pairs. Removed shapes have no special call: their pairs are no longer in the list, so
/// they stop, named by their ids.
///
/// Pairs that started and stopped are sorted by `a`, then by `b`. Pairs that persist are in the
/// order of the list. Events are a function of the two lists and the ids; the order of the lists
/// makes no difference but to the indices.
///
/// Time is proportional to pairs and, with ids, to rows, on the calling thread. It is least if both
/// lists are sorted, or if they have nearly the same order and few pairs start or stop, as in lists
/// of a detector where shapes move little. Otherwise the list is sorted, and merged with the last
/// list, which is kept sorted; rows that are numbers far above the number of pairs take longer.
/// Nothing is allocated once the lists have been as long. Memory: 25 bytes a pair of a list, up to
/// 100 bytes a pair that starts, stops or changes its place in the list, and 40 bytes a pair and 8
/// bytes a row if many do; with ids, 48 bytes a row more.
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
/// // What was kept for first[last_index] is now for second[index].
/// let same = diff.persisted().next().unwrap();
/// assert_eq!((same.index, same.last_index), (1, 0));
/// let gone = diff.stopped()[0];
/// assert_eq!((gone.a, gone.b, gone.last_index), (0, 2, 1));
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct PairDiff {
    /// The pairs of the last list and of the new list, as keys ([`SortedPair::key`]).
    last: Vec<u64>,
    now: Vec<u64>,
    /// The first `same` pairs were equal in the last two lists, except the pairs at the places
    /// `other`, which ascend. The matching is of the other pairs: the pairs behind `same`, then the
    /// pairs at the places.
    same: usize,
    other: Vec<u32>,
    /// Workspace: the compared pairs of the last list and of the new list.
    compared: [Vec<u64>; 2],
    matching: Matching,
    naming: Naming,
    /// The ids of the first set and of the second. With one set, only the first entry is used.
    ids: [IdRanks; 2],
    started: Vec<StartedPair>,
    stopped: Vec<StoppedPair>,
    granted: Granted,
}

copied!(PairDiff {
    last, now, same, other, matching, naming, ids, started, stopped
} but { compared, granted });

/// A pair that is in the list of this update, and not in the list of the last update.
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

/// A pair that is in the lists of this update and of the last update.
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

/// A pair that is in the list of the last update, and not in the list of this update.
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

/// The pairs that a list shares with the last list: the first `len` pairs, except the pairs at the
/// places `but`, which ascend and are below `len`.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Unchanged<'a> {
    pub(crate) len: usize,
    pub(crate) but: &'a [u32],
}

/// The names that identify the pairs of a list.
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
    /// `a` and `b` are equal. The rows of `a` and `b` may be of one set, or of two.
    ///
    /// Use it if a row keeps its shape. A row that is filled again otherwise has the pairs of the
    /// shape that it had before.
    ///
    /// If the last update had ids, all its pairs stop, and all pairs of the list start.
    ///
    /// O(pairs) time if both lists have nearly the same order.
    ///
    /// # Errors
    /// [`Error::TooManyPairs`] for a list of more than `u32::MAX - 1` entries. The diff is then as
    /// it was before the call, with its events.
    pub fn update<P: HasPair>(&mut self, list: &[P]) -> Result<(), Error> {
        self.load(list, Unchanged::default())?;
        self.begin(Naming::Rows);
        self.finish(None, None);
        Ok(())
    }

    /// [`update`](Self::update) for lists that repeat no pair, on these threads. Pairs that are
    /// `unchanged` are not read. Pairs of the last list with a row that is `true` in `gone` stop:
    /// the row is another shape now. These pairs come before all other stopped pairs, in the order
    /// of the last list.
    pub(crate) fn update_distinct(
        &mut self,
        list: &[Pair],
        unchanged: Unchanged<'_>,
        gone: Option<&[bool]>,
        threads: Threads,
    ) -> Result<(), Error> {
        self.load(list, unchanged)?;
        self.begin(Naming::Rows);
        self.finish(gone, Some(threads));
        Ok(())
    }

    /// Compares a list of pairs of one set with the list of the last update, by ids: `ids[row]` is
    /// the id of a row. Two entries are the same pair if their two ids are, in any order. In
    /// events, `a` is the smaller id, in whichever row it is; the entry at
    /// [`index`](StartedPair::index) has the rows in their order, from which a normal leads.
    ///
    /// Ids may be any numbers: a counter, the bits of an entity, a generation and an index. They
    /// are not used as indices of memory. Rows with the same id are one body: their pairs with
    /// another body are one pair, and pairs among them are a pair of the id with itself. Ids of
    /// rows without a pair, such as vacant rows, make no difference.
    ///
    /// If the last update did not have the ids of one set, all its pairs stop, and all pairs of the
    /// list start.
    ///
    /// O(rows + pairs) time: the ids are compared with the ids of the last update, and only ids of
    /// rows with a new id are looked up, O(log rows) each. New ids are cheapest if they are above
    /// all other ids.
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
    /// list of more than `u32::MAX - 1` entries; [`Error::TooManyShapes`] if there are more ids
    /// than `u32::MAX`, pairs of the last update included. The diff is then as it was before the
    /// call, with its events.
    pub fn update_with_ids<P: HasPair>(&mut self, list: &[P], ids: &[u64]) -> Result<(), Error> {
        self.load(list, Unchanged::default())?;
        self.step_with_ids(Naming::OneSet, [ids, ids])
    }

    /// Compares a list of pairs of two sets with the list of the last update, by ids: `ids_a[a]`
    /// and `ids_b[b]` are the ids of a pair of rows. Two entries are the same pair if the ids of
    /// `a` are, and the ids of `b`. In events, `a` is an id of the first set, and `b` an id of the
    /// second.
    ///
    /// Otherwise as [`update_with_ids`](PairDiff::update_with_ids). The two sets number their
    /// bodies independently: one id in both sets is two bodies.
    ///
    /// # Errors
    /// The errors of [`update_with_ids`](PairDiff::update_with_ids).
    pub fn update_between_with_ids<P: HasPair>(
        &mut self,
        list: &[P],
        ids_a: &[u64],
        ids_b: &[u64],
    ) -> Result<(), Error> {
        self.load(list, Unchanged::default())?;
        self.step_with_ids(Naming::TwoSets, [ids_a, ids_b])
    }

    /// The pairs that started with the last update, sorted by `a`, then by `b`.
    pub fn started(&self) -> &[StartedPair] {
        &self.started
    }

    /// The pairs that persisted through the last update, in the order of its list.
    pub fn persisted(&self) -> impl Iterator<Item = PersistedPair> {
        let [name_a, name_b] = names(self.naming, &self.ids);
        let found = (0..).zip(self.last.iter().zip(self.places()));
        found.filter(|(_, (_, place))| (*place as usize) < MAX_PAIRS).map(
            move |(index, (&key, last_index))| {
                let SortedPair { a, b, .. } = SortedPair::of_key(key, index);
                PersistedPair { a: name_a.of(a), b: name_b.of(b), index, last_index }
            },
        )
    }

    /// Which pairs the last update has not compared.
    pub(crate) fn unchanged(&self) -> Unchanged<'_> {
        Unchanged { len: self.same, but: &self.other }
    }

    /// For each other pair of the list of the last update, its index in this list, and in the list
    /// before, if it is in both lists and is not repeated.
    pub(crate) fn compared(&self) -> impl Iterator<Item = (usize, Option<usize>)> {
        let Self { last, now, same, other, matching, .. } = self;
        let [old, new] =
            map_each([now, last], |list| Compared { len: list.len(), same: *same, other });
        (0..).zip(&matching.places).map(move |(at, place)| {
            let last = ((*place as usize) < MAX_PAIRS).then(|| old.place(*place) as usize);
            (new.place(at) as usize, last)
        })
    }

    /// The pairs that stopped with the last update, sorted by `a`, then by `b`.
    pub fn stopped(&self) -> &[StoppedPair] {
        &self.stopped
    }

    /// For each pair of the list of the last update, its index in the list before; `u32::MAX` for a
    /// pair that started. No pair may be repeated.
    pub(crate) fn places(&self) -> impl Iterator<Item = u32> {
        let Self { last, now, same, other, matching, .. } = self;
        let compared = Compared { len: now.len(), same: *same, other };
        let place = move |place: &u32| match *place as usize {
            ..MAX_PAIRS => compared.place(*place),
            _ => *place,
        };
        let behind = last.len() - same;
        let (behind, at_others) = matching.places.split_at(behind.min(matching.places.len()));
        let mut others = other.iter().zip(at_others).peekable();
        let first = (0..*same as u32).map(move |index| {
            let at = others.next_if(|(other, _)| **other == index);
            at.map_or(index, |(_, at)| place(at))
        });
        first.chain(behind.iter().map(place))
    }

    /// Replaces the places of pairs that all seem to have started. Returns false, and does nothing,
    /// for places of another list.
    pub(crate) fn restore_places(&mut self, places: Vec<u32>) -> bool {
        let valid = |place: &u32| *place == STARTED || (*place as usize) < MAX_PAIRS;
        let fits = places.len() == self.last.len() && places.iter().all(valid);
        if fits {
            (self.same, self.matching.places) = (0, places);
            self.other.clear();
        }
        fits
    }

    /// Forgets the last list and its events, and keeps the memory. No pair stops; to stop all
    /// pairs, update with an empty list.
    pub fn clear(&mut self) {
        self.forget();
        self.clear_events();
    }

    /// The bytes of memory held.
    pub fn bytes(&self) -> usize {
        Held::bytes(self)
    }

    /// Forgets the last list and its ids.
    fn forget(&mut self) {
        self.last.clear();
        self.same = 0;
        self.other.clear();
        self.matching.clear();
        for ids in &mut self.ids {
            ids.clear();
        }
    }

    fn clear_events(&mut self) {
        self.started.clear();
        self.stopped.clear();
    }

    /// Copies the rows of a list, but for rows of unchanged pairs: they are here already, or in the
    /// last list. The only part that is compiled for each type of list.
    fn load<P: HasPair>(&mut self, list: &[P], unchanged: Unchanged<'_>) -> Result<(), Error> {
        if list.len() > MAX_PAIRS {
            let (limit, found) = (MAX_PAIRS as u64, list.len() as u64);
            return Err(Error::TooManyPairs { limit, found });
        }
        self.ask(list.len(), 0)?;
        let Self { last, now, same, other, matching, .. } = self;
        let Unchanged { len, but } = unchanged;
        // `now` has the list before the last list.
        let known = len.min(*same);
        now.truncate(known);
        for place in other.iter().map(|place| *place as usize).take_while(|place| *place < known) {
            now[place] = last[place];
        }
        reserve(now, list.len());
        now.extend_from_slice(&last[known..len]);
        for place in but.iter().map(|place| *place as usize) {
            now[place] = pair_key(&list[place].pair());
        }
        now.extend(list[len..].iter().map(|item| pair_key(&item.pair())));
        if *same != len || other != but {
            *same = len;
            other.clear();
            other.extend_from_slice(but);
            matching.clear();
        }
        Ok(())
    }

    /// Asks for the memory of an update: see docs/memory.md.
    fn ask(&mut self, pairs: usize, ids: usize) -> Result<(), Error> {
        let of_pairs = pairs.saturating_add(self.last.len()).saturating_mul(240);
        let bytes = of_pairs.saturating_add(ids.saturating_mul(72)).saturating_add(1 << 18);
        self.granted.ask(usize::from(ids > 0), pairs, bytes)
    }

    /// Replaces the rows of the new list by the ranks of their ids, and compares the lists.
    fn step_with_ids(&mut self, naming: Naming, columns: [&[u64]; 2]) -> Result<(), Error> {
        let ascending = self.check_rows(columns)?;
        self.ask(self.now.len(), columns[0].len() + columns[1].len())?;
        self.begin(naming);
        let Self { last, now, matching, ids: [first, second], .. } = self;
        // Ranks move, but keep their order.
        let mut change_last = |number: &dyn Fn([u32; 2]) -> [u32; 2]| {
            change(last, number);
            change(matching.kept_keys(), number);
        };
        if naming == Naming::OneSet {
            first.update(columns[0], &mut |map| {
                change_last(&|[a, b]| [map[a as usize], map[b as usize]]);
            });
            let ranks = first.ranks();
            if !first.are_rows {
                change(now, |[a, b]| {
                    let [a, b] = [ranks[a as usize], ranks[b as usize]];
                    [a.min(b), a.max(b)]
                });
            } else if !ascending {
                change(now, |[a, b]| [a.min(b), a.max(b)]);
            }
        } else {
            first.update(columns[0], &mut |map| change_last(&|[a, b]| [map[a as usize], b]));
            second.update(columns[1], &mut |map| change_last(&|[a, b]| [a, map[b as usize]]));
            let (ranks_a, ranks_b) = (first.ranks(), second.ranks());
            change(now, |[a, b]| [ranks_a[a as usize], ranks_b[b as usize]]);
        }
        self.finish(None, None);
        Ok(())
    }

    /// Checks that all rows of the new list have an id, and that ranks fit into a `u32`. Returns
    /// whether the rows of each pair ascend.
    fn check_rows(&self, columns: [&[u64]; 2]) -> Result<bool, Error> {
        for (column, ids) in columns.iter().zip(&self.ids) {
            let len = column.len() + ids.len();
            if u32::try_from(len).is_err() {
                return Err(Error::TooManyShapes { len });
            }
        }
        let [len_a, len_b] = map_each(columns, <[u64]>::len);
        // The sign of a difference tells which number is less. Vectors of every CPU subtract words
        // of 64 bits; few compare them.
        let (mut below, mut differences) = (u64::MAX, 0);
        for key in &self.now {
            let [a, b] = map_each(parts(*key), u64::from);
            below &= a.wrapping_sub(len_a as u64) & b.wrapping_sub(len_b as u64);
            differences |= b.wrapping_sub(a);
        }
        let [missing, descending] = [below >> 63 == 0, differences >> 63 == 1];
        if !missing {
            return Ok(!descending);
        }
        let missing = self.now.iter().enumerate().find_map(|(index, key)| {
            let [a, b] = parts(*key);
            let rows = [(Field::A, a, len_a), (Field::B, b, len_b)];
            let (field, row, len) = rows.into_iter().find(|(_, row, len)| *row as usize >= *len)?;
            Some(Error::NoId { index, field, row, len })
        });
        missing.map_or(Ok(!descending), Err)
    }

    /// Clears the events. If pairs were identified in another way, all of them stop.
    fn begin(&mut self, naming: Naming) {
        self.clear_events();
        if self.naming != naming {
            let Self { last, matching, ids, stopped, .. } = self;
            let names = names(self.naming, ids);
            matching.find([last, &[]], None, None, &mut |_| {});
            stopped.extend(matching.stopped().iter().map(|entry| stop(*entry, names)));
            self.forget();
            self.naming = naming;
        }
    }

    /// Compares the new list with the last list, and keeps it.
    fn finish(&mut self, gone: Option<&[bool]>, distinct: Option<Threads>) {
        let Self {
            last, now, same, other, compared, matching, naming, ids, started, stopped, ..
        } = self;
        let (names, same) = (names(*naming, ids), *same);
        let [old, new] =
            map_each([&*last, &*now], |list| Compared { len: list.len(), same, other });
        let mut lists = [&last[same..], &now[same..]];
        if !other.is_empty() {
            for (room, list) in compared.iter_mut().zip([&*last, &*now]) {
                room.clear();
                reserve(room, list.len() - same + other.len());
                room.extend_from_slice(&list[same..]);
                room.extend(other.iter().map(|place| list[*place as usize]));
            }
            lists = [&compared[0], &compared[1]];
        }
        matching
            .find(lists, gone, distinct, &mut |entry| stopped.push(stop(old.whole(entry), names)));
        if !other.is_empty() && gone.is_some() {
            stopped.sort_unstable_by_key(|pair| pair.last_index);
        }
        started.extend(matching.started().iter().map(|entry| start(new.whole(*entry), names)));
        stopped.extend(matching.stopped().iter().map(|entry| stop(old.whole(*entry), names)));
        std::mem::swap(last, now);
    }
}

/// The pairs of a list that are compared: the pairs from a place on, then pairs at other places.
#[derive(Clone, Copy)]
struct Compared<'a> {
    /// The length of the list.
    len: usize,
    same: usize,
    other: &'a [u32],
}

impl Compared<'_> {
    /// The place in the list of a pair that is compared.
    fn place(self, at: u32) -> u32 {
        let behind = self.len - self.same;
        let other = (at as usize).checked_sub(behind).and_then(|at| self.other.get(at));
        other.copied().unwrap_or(self.same as u32 + at)
    }

    /// A pair that is compared, with its place in the list.
    fn whole(self, entry: SortedPair) -> SortedPair {
        SortedPair { index: self.place(entry.index), ..entry }
    }
}

/// The two numbers of a key.
fn parts(key: u64) -> [u32; 2] {
    [(key >> 32) as u32, key as u32]
}

/// Replaces the numbers of keys.
fn change(keys: &mut [u64], number: impl Fn([u32; 2]) -> [u32; 2]) {
    for key in keys {
        let [a, b] = number(parts(*key));
        *key = pair_key(&Pair { a, b });
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

/// Makes the capacity of a buffer at least `len`. When it grows, it takes an eighth more,
/// because lists that grow slowly would otherwise allocate at many steps.
fn reserve<T>(buffer: &mut Vec<T>, len: usize) {
    if buffer.capacity() < len {
        buffer.reserve_exact(len + len / 8 - buffer.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The results of a diff.
    type Found = (Vec<StartedPair>, Vec<PersistedPair>, Vec<StoppedPair>, Vec<u32>);

    fn found(diff: &PairDiff) -> Found {
        let persisted = diff.persisted().collect();
        (diff.started().to_vec(), persisted, diff.stopped().to_vec(), diff.places().collect())
    }

    /// Lists of few numbers that change at some places and behind a place, as pairs at rest do. A
    /// diff that is told the unchanged pairs finds the events of a diff that reads all pairs, also
    /// if it is told only now and then.
    #[test]
    fn pairs_that_are_known_to_be_unchanged_need_not_be_read() {
        let mut state = 1_u64;
        let mut below = |most: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % most
        };
        let [mut plain, mut told, mut mixed] = [(); 3].map(|()| PairDiff::new());
        let mut list: Vec<Pair> = Vec::new();
        for round in 0..5000 {
            let len = if below(6) == 0 { 0 } else { list.len() - below(list.len() / 2 + 1) };
            let mut but: Vec<u32> =
                (0..below(4) * below(4) * len.min(1)).map(|_| below(len) as u32).collect();
            but.sort_unstable();
            but.dedup();
            // All other pairs, shuffled.
            list.truncate(len);
            let rests = |at: usize| !but.contains(&(at as u32));
            let rest: Vec<Pair> = (0..len).filter(|at| rests(*at)).map(|at| list[at]).collect();
            let all = (0..144).map(|number| Pair { a: number / 12, b: 12 + number % 12 });
            let mut others: Vec<Pair> = all.filter(|pair| !rest.contains(pair)).collect();
            for at in (1..others.len()).rev() {
                others.swap(at, below(at + 1));
            }
            for place in &but {
                list[*place as usize] = others.pop().unwrap();
            }
            list.extend(others.into_iter().take(below(20)));
            // No row of a pair that is not read is gone.
            let has = |row: usize| rest.iter().any(|pair| [pair.a, pair.b].contains(&(row as u32)));
            let gone: Vec<bool> = (0..24).map(|row| below(2) == 0 && !has(row)).collect();
            let gone = (below(2) == 0).then_some(&gone[..]);
            let unchanged = Unchanged { len, but: &but };
            let some = if below(2) == 0 { unchanged } else { Unchanged::default() };
            for (diff, unchanged) in
                [(&mut plain, Unchanged::default()), (&mut told, unchanged), (&mut mixed, some)]
            {
                diff.update_distinct(&list, unchanged, gone, Threads::Calling).unwrap();
            }
            assert_eq!(found(&told), found(&plain), "round {round}");
            assert_eq!(found(&mixed), found(&plain), "round {round}");
        }
    }
}
