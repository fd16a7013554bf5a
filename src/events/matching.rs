//! `Matching`: the place of each pair of a list in the last list.

use super::sorted_list::{ListSorter, SortedList, SortedPair, sort_once};
use crate::{
    base::{
        BLOCK_ROWS, THREAD_TASKS,
        buffer::{grow, make_room},
        held,
        parallel::{self, Divide},
        word_sort::WordSorter,
    },
    options::{Threads, uses_pool},
    simd::{STEPS_AHEAD, prefetch_at},
};

/// The place of a pair that is not in the last list.
pub(super) use crate::base::NO_ROW as STARTED;

/// Finds each pair of a list in the last list.
///
/// In plain words:
///
/// ```text
/// both lists are sorted: merge them
/// else:
///     place = 0
///     for each pair of the list:
///         look for it at the place in the last list, and then at the places around it
///         found: the next place is the one behind it
///         not found several times in a row: look further around
///     few are not found: sort them, and those of the last list that none has found; merge the two
///     many are not found: start again, sort both lists, and merge them
/// ```
///
/// Two lists of the same shapes have nearly the same order, because shapes move little in a step.
/// So what is sorted is few. Where shapes move far, a sorted list is kept for the next call, which
/// then sorts one list only, and several calls begin with the sort. A hash table would not do: its
/// order is arbitrary, and ids of the caller can be chosen so that they collide.
///
/// On several threads, both lists are divided into as many parts, and the pairs of a part are
/// looked for in the same part of the last list only ([`March`]). Pairs that have moved to another
/// part are sorted with the other pairs that are not found.
#[derive(Debug, Default)]
pub(super) struct Matching {
    /// For each pair of the list, its place in the last list, [`STARTED`] or [`REPEATED`].
    pub(super) places: Vec<u32>,
    /// The state of each pair of the last list.
    last: Vec<PairState>,
    /// Pairs that were not found in the last list, and pairs of the last list that were not found,
    /// by key.
    missed: Vec<SortedPair>,
    left: Vec<SortedPair>,
    parts: Vec<MarchedPart>,
    sorter: WordSorter<3, 2>,
    list_sorter: ListSorter,
    /// Both lists, sorted. The first is the last list of the next call if `is_sorted`.
    sorted: [SortedList; 2],
    is_sorted: bool,
    /// The calls left that do not march, and their number after the last march that failed.
    wait: u8,
    pause: u8,
    /// A bit for each hash of the keys of pairs that may have started.
    hashes: Vec<u64>,
}

held!(Matching {
    places,
    last,
    missed,
    left,
    parts,
    sorter,
    list_sorter,
    sorted,
    is_sorted,
    wait,
    pause,
    hashes
});

impl Clone for Matching {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    /// Copies the places. All else is workspace, and the sorted list is of other pairs.
    fn clone_from(&mut self, source: &Self) {
        self.places.clone_from(&source.places);
        self.is_sorted = false;
    }
}

/// The place of a pair that is in the list before.
pub(super) const REPEATED: u32 = u32::MAX - 1;

/// The longest list: places are below [`STARTED`] and [`REPEATED`].
pub(super) const MAX_PAIRS: usize = REPEATED as usize;

/// The state of a pair of the last list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum PairState {
    /// No pair of the list is known to be this pair.
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
const PLACES_BEFORE: usize = 2;

/// After `MISSES` pairs that are not there, a search looks further around, at `FURTHER` places.
/// After each such search that fails, the next looks at twice as many places.
const MISSES: usize = 4;
const FURTHER: usize = 96;

/// All such searches together look at this many places for each pair so far, and for `MORE_PAIRS`
/// pairs more.
const PLACES_PER_PAIR: usize = 8;
const MORE_PAIRS: usize = 512;

/// A march stops if it has found at most one of `PAIRS_PER_FOUND` pairs, and has tried `MIN_TRIED`.
/// In a part of the lists it tries more pairs, because the missed pairs may all be in one place.
const PAIRS_PER_FOUND: usize = 8;
const MIN_TRIED: usize = 64;
const MIN_TRIED_IN_PART: usize = 1 << 10;

/// How far from its share of the last list the begin of a part is looked for.
const MAX_PLACES_TO_PART: usize = 1 << 14;

/// The bits of a hash for each missed pair. Each bit that is wrongly set costs a search.
const HASH_BITS_PER_PAIR: usize = 64;

impl Matching {
    /// Finds the pairs of the second list in the first list, whose pairs have the places of the
    /// last call. Keys are pairs of numbers: see [`SortedPair::key`]. Passes the pairs of numbers
    /// that are gone. If no list repeats a pair, they are `distinct`, and the work is on these
    /// threads.
    pub(super) fn find(
        &mut self,
        [last, now]: [&[u64]; 2],
        gone: Option<&[bool]>,
        distinct: Option<Threads>,
        stopped: &mut dyn FnMut(SortedPair),
    ) {
        if gone.is_none() && [last, now].iter().all(|list| list.is_sorted_by(|a, b| a < b)) {
            let Self { places, left, missed, .. } = self;
            places.resize(now.len(), REPEATED);
            merge::<false>([(last, &[]), (now, &[])], places, left, missed);
            self.is_sorted = false;
        } else {
            self.begin(last);
            if let Some(gone) = gone {
                self.stop_gone(last, gone, stopped);
            }
            let threads = distinct.is_some_and(|threads| uses_pool(threads, now.len()));
            if self.tries() && self.march(last, now, threads) {
                sort_once(&mut self.sorter, &mut self.missed);
                sort_once(&mut self.sorter, &mut self.left);
                self.join();
                if distinct.is_none() {
                    self.drop_repeated(now);
                }
                (self.is_sorted, self.pause) = (false, self.pause / 2);
            } else {
                self.merge_sorted(last, now, gone);
            }
        }
        for new in &self.missed {
            self.places[new.index as usize] = STARTED;
        }
    }

    /// The pairs that started, by key, with their indices in the list.
    pub(super) fn started(&self) -> &[SortedPair] {
        &self.missed
    }

    /// The pairs that stopped, by key, with their indices in the last list. Pairs of numbers that
    /// are gone are not among them.
    pub(super) fn stopped(&self) -> &[SortedPair] {
        &self.left
    }

    /// Forgets the places of the last call.
    pub(super) fn clear(&mut self) {
        self.places.clear();
        self.is_sorted = false;
    }

    /// The keys that are kept of the last list, sorted. If all numbers are replaced, in the same
    /// order, change these keys with the list.
    pub(super) fn kept_keys(&mut self) -> &mut [u64] {
        let [last, _] = &mut self.sorted;
        if self.is_sorted { &mut last.keys } else { &mut [] }
    }

    /// Notes the states of the pairs of the last list.
    fn begin(&mut self, last: &[u64]) {
        self.last.clear();
        self.last.resize(last.len(), PairState::Left);
        if self.places.contains(&REPEATED) {
            for (seen, place) in self.last.iter_mut().zip(&self.places) {
                if *place == REPEATED {
                    *seen = PairState::Repeated;
                }
            }
        }
        self.missed.clear();
    }

    /// Passes the pairs of numbers that are gone.
    fn stop_gone(&mut self, last: &[u64], gone: &[bool], stopped: &mut dyn FnMut(SortedPair)) {
        for ((index, key), seen) in (0..).zip(last).zip(&mut self.last) {
            if is_gone(gone, *key) {
                *seen = PairState::Gone;
                stopped(SortedPair::of_key(*key, index));
            }
        }
    }

    /// Whether this call marches. A march that fails costs up to half a sort, and after one that
    /// comes to the end by chance, the next call has two lists to sort. So marches that fail again
    /// and again are tried ever more seldom.
    fn tries(&mut self) -> bool {
        let waits = self.is_sorted && self.wait > 0;
        self.wait = self.wait.saturating_sub(1);
        !waits
    }

    /// Goes through both lists, and lists the missed pairs of each list. Returns whether it has
    /// come to the end: not if it misses many pairs.
    fn march(&mut self, last: &[u64], now: &[u64], threads: bool) -> bool {
        let Self { places, last: seen, missed, left, parts, .. } = self;
        places.clear();
        places.resize(now.len(), REPEATED);
        let count = if threads { parallel::threads() * THREAD_TASKS } else { 1 };
        if parts.len() < count {
            parts.resize_with(count, MarchedPart::default);
        }
        let parts = &mut parts[..count];
        // The first part has the memory of the whole lists.
        std::mem::swap(missed, &mut parts[0].missed);
        std::mem::swap(left, &mut parts[0].left);
        begin_parts(last, now, parts);
        let marches = March { last, now, seen, places, parts };
        parallel::run(marches, threads);
        std::mem::swap(missed, &mut parts[0].missed);
        std::mem::swap(left, &mut parts[0].left);
        if parts.iter().any(|part| part.stopped) {
            self.pause = self.pause.saturating_mul(2).saturating_add(1);
            self.wait = self.pause;
            return false;
        }
        for part in &parts[1..] {
            missed.extend_from_slice(&part.missed);
            left.extend_from_slice(&part.left);
        }
        true
    }

    /// Sorts both lists, or only the new list if the last list is sorted already, merges them, and
    /// keeps the new list sorted. Pairs of numbers that are gone have no place in the last list.
    fn merge_sorted(&mut self, last: &[u64], now: &[u64], gone: Option<&[bool]>) {
        let Self { places, missed, left, list_sorter, sorted, is_sorted, .. } = self;
        let [old, new] = sorted;
        // Later calls with lists as long have room for whatever starts or stops.
        let longest = last.len().max(now.len());
        for (list, pairs) in [(&mut *old, &mut *left), (&mut *new, &mut *missed)] {
            list.reserve(longest);
            if pairs.capacity() < longest {
                make_room(pairs, longest);
            }
        }
        if !*is_sorted {
            list_sorter.sort(last, old);
            old.drop_repeated();
        }
        if let Some(gone) = gone {
            old.retain(|key| !is_gone(gone, key));
        }
        list_sorter.sort(now, new);
        *is_sorted = true;
        places.resize(now.len(), REPEATED);
        if new.drop_repeated() {
            places.fill(REPEATED);
        }
        merge::<true>([(&old.keys, &old.indices), (&new.keys, &new.indices)], places, left, missed);
        sorted.swap(0, 1);
    }

    /// Finds missed pairs in `left`, both sorted, and drops them from both.
    fn join(&mut self) {
        let Self { places, missed, left, .. } = self;
        let (mut old, mut kept_old, mut kept) = (0, 0, 0);
        for at in 0..missed.len() {
            let new = missed[at];
            while old < left.len() && left[old].key() < new.key() {
                left[kept_old] = left[old];
                (old, kept_old) = (old + 1, kept_old + 1);
            }
            if old < left.len() && left[old].key() == new.key() {
                places[new.index as usize] = left[old].index;
                old += 1;
            } else {
                missed[kept] = new;
                kept += 1;
            }
        }
        left.drain(kept_old..old);
        missed.truncate(kept);
    }

    /// Drops the missed pairs of which another entry has been found. The first of the two entries
    /// gets the place.
    fn drop_repeated(&mut self, now: &[u64]) {
        let Self { places, missed, hashes, .. } = self;
        if missed.is_empty() {
            return;
        }
        let bits = (missed.len() * HASH_BITS_PER_PAIR).next_power_of_two().max(64).trailing_zeros();
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
}

/// Whether a number of a pair is gone.
fn is_gone(gone: &[bool], key: u64) -> bool {
    let pair = SortedPair::of_key(key, 0);
    [pair.a, pair.b].iter().any(|number| gone.get(*number as usize) == Some(&true))
}

/// Merges two sorted lists of distinct keys, and lists the pairs that are in one list only. If
/// `INDEXED`, the places of their pairs are given, else they are the places of the keys.
///
/// Not inlined: the loops for pairs that persist had fewer registers, and took 1.2 times as long.
#[inline(never)]
fn merge<const INDEXED: bool>(
    lists: [(&[u64], &[u32]); 2],
    places: &mut [u32],
    left: &mut Vec<SortedPair>,
    missed: &mut Vec<SortedPair>,
) {
    let [(last, last_indices), (now, now_indices)] = lists;
    let index = |indices: &[u32], at: usize| if INDEXED { indices[at] } else { at as u32 };
    let (mut old, mut new, mut stopped, mut started) = (0, 0, 0, 0);
    let mut block = AROUND;
    while old < last.len() && new < now.len() {
        if !INDEXED
            && let (Some(was), Some(is)) = (last[old..].first_chunk(), now[new..].first_chunk())
            && equal(was, is)
        {
            for at in 0..AROUND {
                places[new + at] = (old + at) as u32;
            }
            (old, new, block) = (old + AROUND, new + AROUND, AROUND);
            continue;
        }
        // No branch: which list is behind is hard to predict.
        let ends = [(old + block).min(last.len()), (new + block).min(now.len())];
        grow(left, stopped + ends[0] - old);
        grow(missed, started + ends[1] - new);
        // Where a block differs, the next pairs often differ too. So each next block is twice as
        // long.
        block = (2 * block).min(BLOCK_ROWS);
        while old < ends[0] && new < ends[1] {
            let (was, is) = (last[old], now[new]);
            let (was_at, is_at) = (index(last_indices, old), index(now_indices, new));
            if INDEXED && let Some(later) = now_indices.get(new + STEPS_AHEAD) {
                prefetch_at(places, *later as usize);
            }
            places[is_at as usize] = was_at;
            left[stopped] = SortedPair::of_key(was, was_at);
            missed[started] = SortedPair::of_key(is, is_at);
            stopped += usize::from(was < is);
            started += usize::from(is < was);
            old += usize::from(was <= is);
            new += usize::from(is <= was);
        }
    }
    left.truncate(stopped);
    missed.truncate(started);
    for ((keys, indices), from, rest) in [(lists[0], old, left), (lists[1], new, missed)] {
        let keys = (from..).zip(&keys[from..]);
        rest.extend(keys.map(|(at, key)| SortedPair::of_key(*key, index(indices, at))));
    }
}

/// The missed pairs of a part of the list, and of a part of the last list.
#[derive(Debug, Default)]
struct MarchedPart {
    /// Where the part begins in the list, and in the last list.
    begin: usize,
    begin_last: usize,
    missed: Vec<SortedPair>,
    left: Vec<SortedPair>,
    /// Whether it has not come to the end.
    stopped: bool,
}

held!(MarchedPart { begin, begin_last, missed, left, stopped });

/// Goes through consecutive parts of the list, and looks for the pairs of each part in the same
/// part of the last list. Pairs that have moved to another part are listed as not found.
struct March<'a> {
    /// Both lists, whole.
    last: &'a [u64],
    now: &'a [u64],
    /// The states of the pairs of the last list in these parts, and the places of the pairs of the
    /// list.
    seen: &'a mut [PairState],
    places: &'a mut [u32],
    parts: &'a mut [MarchedPart],
}

/// Sets where each part begins in the list and in the last list. In the last list it begins where
/// one of its first pairs is found, or at about the same share of the list.
fn begin_parts(last: &[u64], now: &[u64], parts: &mut [MarchedPart]) {
    let (count, mut before) = (parts.len(), 0);
    for (number, part) in parts.iter_mut().enumerate() {
        part.begin = parallel::part(now.len(), count, number).start;
        let about = parallel::part(last.len(), count, number).start;
        let keys = now[part.begin..].iter().take(if number > 0 { AROUND } else { 0 });
        let found = keys.enumerate().find_map(|(at, key)| {
            let place = find_from(last, about, *key)?;
            Some(place.saturating_sub(at))
        });
        part.begin_last = found.unwrap_or(about).max(before);
        before = part.begin_last;
    }
}

/// The place of a key near a place of a list.
fn find_from(list: &[u64], about: usize, key: u64) -> Option<usize> {
    (0..MAX_PLACES_TO_PART).step_by(FURTHER).find_map(|away| {
        let behind = about.saturating_sub(away + FURTHER);
        let ahead = find_in(list, about + away, FURTHER, key);
        ahead.or_else(|| find_in(list, behind, (about - behind).min(FURTHER), key))
    })
}

impl Divide for March<'_> {
    fn tasks(&self) -> usize {
        self.parts.len()
    }

    fn split(self, tasks: usize) -> (Self, Self) {
        let (parts, rest) = self.parts.split_at_mut(tasks);
        let (mut seen_len, mut places_len) = (self.seen.len(), self.places.len());
        if let (Some(first), Some(middle)) = (parts.first(), rest.first()) {
            seen_len = middle.begin_last - first.begin_last;
            places_len = middle.begin - first.begin;
        }
        let (seen, seen_rest) = self.seen.split_at_mut(seen_len);
        let (places, places_rest) = self.places.split_at_mut(places_len);
        (
            Self { seen, places, parts, ..self },
            Self { seen: seen_rest, places: places_rest, parts: rest, ..self },
        )
    }

    fn work(mut self) {
        while !self.parts.is_empty() {
            let (own, rest) = self.split(1);
            own.march();
            self = rest;
        }
    }
}

impl March<'_> {
    /// Goes through one part.
    fn march(self) {
        let Self { last, now, seen, places, parts } = self;
        let [MarchedPart { begin, begin_last, missed, left, stopped }] = parts else { return };
        let (begin, begin_last) = (*begin, *begin_last);
        let whole = places.len() == now.len();
        let (last, now) = (&last[begin_last..][..seen.len()], &now[begin..][..places.len()]);
        let many = if whole { MIN_TRIED } else { MIN_TRIED_IN_PART };
        missed.clear();
        *stopped = false;
        let (mut place, mut run) = (0, 0);
        let (mut further, mut looked, mut index) = (FURTHER, 0, 0);
        while let Some(&key) = now.get(index) {
            if index.is_multiple_of(AROUND) && same_eight(last, &now[index..], seen, place) {
                seen[place..place + AROUND].fill(PairState::Found);
                for at in 0..AROUND {
                    places[index + at] = (begin_last + place + at) as u32;
                }
                (place, index, run) = (place + AROUND, index + AROUND, 0);
                continue;
            }
            let mut at = Some(place).filter(|place| last.get(*place) == Some(&key));
            if at.is_none() {
                at = find_in(last, place.saturating_sub(PLACES_BEFORE), AROUND, key);
            }
            if at.is_none() && run >= MISSES && looked < (index + MORE_PAIRS) * PLACES_PER_PAIR {
                at = find_in(last, place.saturating_sub(further / 2), further, key);
                looked += further;
                further = if at.is_some() { FURTHER } else { (further * 2).min(last.len()) };
                run = MISSES / 2;
            }
            match at.map(|at| (at, seen[at])) {
                Some((at, PairState::Left)) => {
                    (places[index], seen[at]) = ((begin_last + at) as u32, PairState::Found);
                    (place, run) = (at + 1, 0);
                }
                Some((_, PairState::Found)) => {}
                Some((_, PairState::Repeated | PairState::Gone)) | None => {
                    missed.push(SortedPair::of_key(key, (begin + index) as u32));
                    run += 1;
                    if missed.len() > index / PAIRS_PER_FOUND + many {
                        *stopped = true;
                        return;
                    }
                }
            }
            index += 1;
        }
        list_left(last, begin_last, seen, left);
    }
}

/// Lists the pairs of a part of the last list, from place `first` on, that were not found.
fn list_left(last: &[u64], first: usize, seen: &[PairState], left: &mut Vec<SortedPair>) {
    let mut len = 0;
    for (number, (keys, seen)) in last.chunks(AROUND).zip(seen.chunks(AROUND)).enumerate() {
        if seen == [PairState::Found; AROUND] {
            continue;
        }
        grow(left, len + AROUND);
        let room = &mut left[len..len + AROUND];
        let (first, mut found) = ((first + number * AROUND) as u32, 0);
        for ((index, key), seen) in (first..).zip(keys).zip(seen) {
            room[found % AROUND] = SortedPair::of_key(*key, index);
            // No branch: it is hard to predict.
            found += usize::from(*seen == PairState::Left);
        }
        len += found;
    }
    left.truncate(len);
}

/// Whether the first keys of a list equal the keys at a place of the last list, whose pairs were
/// not found yet.
#[inline(always)]
fn same_eight(last: &[u64], now: &[u64], seen: &[PairState], place: usize) -> bool {
    match (last.get(place..place + AROUND), now.first_chunk(), seen.get(place..place + AROUND)) {
        (Some(was), Some(is), Some(seen)) => {
            was.first_chunk().is_some_and(|was| equal(was, is))
                && seen.iter().all(|seen| *seen == PairState::Left)
        }
        _ => false,
    }
}

/// Whether two blocks of keys are equal.
#[inline(always)]
fn equal(one: &[u64; AROUND], other: &[u64; AROUND]) -> bool {
    one.iter().zip(other).fold(0, |bits, (one, other)| bits | (one ^ other)) == 0
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
