//! `Matching`: the place of each pair of a list in the last list.

use super::sort::{SortedPair, Sorter};
use crate::base::copied;

/// Finds each pair of a list in the last one.
///
/// In plain words:
///
/// ```text
/// place = 0
/// for each pair of the list:
///     look for it at the place in the last list, and then at the places around it
///     found: the next place is the one behind it
///     not found several times in a row: look further around
/// sort the pairs that were not found, and those of the last list that none has found
/// merge the two
/// ```
///
/// Two lists of the same shapes have nearly the same order, because shapes move little in a step.
/// So what is sorted is few. Lists in two different orders cost two sorts.
#[derive(Debug, Default)]
pub(super) struct Matching {
    /// For each pair of the list, its place in the last list, [`STARTED`] or [`REPEATED`].
    pub(super) places: Vec<u32>,
    /// What is known of each pair of the last list.
    last: Vec<PairState>,
    /// Pairs that were not found, and pairs that none has found, by key.
    missed: Vec<SortedPair>,
    left: Vec<SortedPair>,
    sorter: Sorter,
    /// A bit for each hash of the keys of pairs that may have started.
    hashes: Vec<u64>,
}

copied!(Matching { places } but { last, missed, left, sorter, hashes });

/// The place of a pair that is not in the last list.
pub(super) const STARTED: u32 = u32::MAX;

/// The place of a pair that is in the list before.
pub(super) const REPEATED: u32 = u32::MAX - 1;

/// The longest list: places are below all others.
pub(super) const MOST_PAIRS: usize = REPEATED as usize;

/// What is known of a pair of the last list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum PairState {
    /// No pair of the list is known to be the same.
    #[default]
    Left,
    Found,
    /// It was in the last list before.
    Repeated,
    /// It has stopped, whatever the list has.
    Gone,
}

/// The places around that are looked at, of which two are before the place.
const AROUND: usize = 8;
const BEHIND: usize = 2;

/// After this many pairs that are not there, a search looks further around, at this many places;
/// after each such search that fails, at twice as many.
const LOST: usize = 4;
const FURTHER: usize = 96;

/// All such searches together look at this many places for each pair so far, and for these many
/// pairs more.
const PLACES_A_PAIR: usize = 8;
const MORE_PAIRS: usize = 512;

impl Matching {
    /// Finds the pairs of `now` in `last`, whose pairs have the places of the last call. Keys are
    /// pairs of numbers: see [`SortedPair::key`]. Passes the pairs that started and the pairs that
    /// stopped, with their indices, each in ascending order of the keys; before them the pairs of
    /// numbers that are gone.
    pub(super) fn find(
        &mut self,
        last: &[u64],
        now: &[u64],
        gone: Option<&[bool]>,
        started: &mut dyn FnMut(SortedPair),
        stopped: &mut dyn FnMut(SortedPair),
    ) {
        self.begin(last);
        if let Some(gone) = gone {
            self.stop_gone(last, gone, stopped);
        }
        self.march(last, now);
        self.list_left(last);
        let Self { places, missed, left, sorter, .. } = self;
        sorter.sort(missed);
        sorter.sort(left);
        let (mut old, mut kept) = (0, 0);
        for at in 0..missed.len() {
            let new = missed[at];
            while old < left.len() && left[old].key() < new.key() {
                stopped(left[old]);
                old += 1;
            }
            if old < left.len() && left[old].key() == new.key() {
                places[new.index as usize] = left[old].index;
                old += 1;
            } else {
                missed[kept] = new;
                kept += 1;
            }
        }
        for pair in &left[old..] {
            stopped(*pair);
        }
        missed.truncate(kept);
        self.drop_repeated(now);
        for new in &self.missed {
            self.places[new.index as usize] = STARTED;
            started(*new);
        }
    }

    /// Passes the pairs of `last`, whose pairs have the places of the last call, each once, in
    /// ascending order of the keys.
    pub(super) fn each_of(&mut self, last: &[u64], stopped: &mut dyn FnMut(SortedPair)) {
        self.find(last, &[], None, &mut |_| {}, stopped);
    }

    /// Forgets the places of the last call.
    pub(super) fn clear(&mut self) {
        self.places.clear();
    }

    /// Notes what is known of the last list.
    fn begin(&mut self, last: &[u64]) {
        self.last.clear();
        self.last.resize(last.len(), PairState::Left);
        for (seen, place) in self.last.iter_mut().zip(&self.places) {
            if *place == REPEATED {
                *seen = PairState::Repeated;
            }
        }
        self.missed.clear();
    }

    /// Passes the pairs of numbers that are gone.
    fn stop_gone(&mut self, last: &[u64], gone: &[bool], stopped: &mut dyn FnMut(SortedPair)) {
        for ((index, key), seen) in (0..).zip(last).zip(&mut self.last) {
            let pair = SortedPair::of_key(*key, index);
            if [pair.a, pair.b].iter().any(|number| gone.get(*number as usize) == Some(&true)) {
                *seen = PairState::Gone;
                stopped(pair);
            }
        }
    }

    /// Goes through both lists, and lists the pairs that it does not find.
    fn march(&mut self, last: &[u64], now: &[u64]) {
        let Self { places, last: seen, missed, .. } = self;
        places.clear();
        places.resize(now.len(), REPEATED);
        let (mut place, mut run) = (0, 0);
        let (mut further, mut looked) = (FURTHER, 0);
        for (index, (&key, found)) in now.iter().zip(places).enumerate() {
            let mut at = Some(place).filter(|place| last.get(*place) == Some(&key));
            if at.is_none() {
                at = find_in(last, place.saturating_sub(BEHIND), AROUND, key);
            }
            if at.is_none() && run >= LOST && looked < (index + MORE_PAIRS) * PLACES_A_PAIR {
                at = find_in(last, place.saturating_sub(further / 2), further, key);
                looked += further;
                further = if at.is_some() { FURTHER } else { (further * 2).min(last.len()) };
                run = LOST / 2;
            }
            match at.map(|at| (at, seen[at])) {
                Some((at, PairState::Left)) => {
                    (*found, seen[at]) = (at as u32, PairState::Found);
                    (place, run) = (at + 1, 0);
                }
                Some((_, PairState::Found)) => {}
                Some((_, PairState::Repeated | PairState::Gone)) | None => {
                    missed.push(SortedPair::of_key(key, index as u32));
                    run += 1;
                }
            }
        }
    }

    /// Lists the pairs of the last list that none has found.
    fn list_left(&mut self, last: &[u64]) {
        let Self { last: seen, left, .. } = self;
        left.clear();
        let entries = (0..).zip(last.iter().zip(&*seen));
        left.extend(
            entries
                .filter(|(_, (_, seen))| **seen == PairState::Left)
                .map(|(index, (key, _))| SortedPair::of_key(*key, index)),
        );
    }

    /// Drops the missed pairs of which another entry has been found. The first of the two entries
    /// gets the place.
    fn drop_repeated(&mut self, now: &[u64]) {
        let Self { places, missed, hashes, .. } = self;
        if missed.is_empty() {
            return;
        }
        let bits = (missed.len() * 16).next_power_of_two().max(64).trailing_zeros();
        let bit = |key: u64| {
            let hash = key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - bits);
            ((hash >> 6) as usize, 1_u64 << (hash & 63))
        };
        hashes.clear();
        hashes.resize(1 << (bits - 6), 0);
        for new in &*missed {
            let (word, bit) = bit(new.key());
            hashes[word] |= bit;
        }
        let mut any = false;
        for index in 0..now.len() {
            let (word, bit) = bit(now[index]);
            if hashes[word] & bit == 0 || places[index] == REPEATED {
                continue;
            }
            let Ok(at) = missed.binary_search_by_key(&now[index], |new| new.key()) else {
                continue;
            };
            let first = missed[at].index as usize;
            if first < index {
                (places[first], places[index]) = (places[index], REPEATED);
            }
            missed[at].index = missed[at].index.min(index as u32);
            any = true;
        }
        if any {
            missed.retain(|new| places[new.index as usize] == REPEATED);
        }
    }

    /// The bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        let Self { places, last, missed, left, sorter, hashes } = self;
        places.capacity() * size_of::<u32>()
            + last.capacity() * size_of::<PairState>()
            + (missed.capacity() + left.capacity()) * size_of::<SortedPair>()
            + sorter.bytes()
            + hashes.capacity() * size_of::<u64>()
    }
}

/// The place of a key in `len` places of a list, from `first` on.
#[inline]
fn find_in(list: &[u64], first: usize, len: usize, key: u64) -> Option<usize> {
    let list = &list[first.min(list.len())..];
    let (whole, rest) = list[..len.min(list.len())].as_chunks::<AROUND>();
    for (number, eight) in whole.iter().enumerate() {
        let mut bits = 0;
        for (at, other) in eight.iter().enumerate() {
            bits |= u32::from(*other == key) << at;
        }
        if bits != 0 {
            return Some(first + number * AROUND + bits.trailing_zeros() as usize);
        }
    }
    let at = rest.iter().position(|other| *other == key)?;
    Some(first + whole.len() * AROUND + at)
}
