//! The pairs of a list, sorted, each once (`Sorter`), with their places in the list (`SortedList`).

use crate::{
    base::{
        MAX_DIGIT_BITS, MAX_INSERTED,
        buffer::make_room,
        grouping,
        grouping::{begin_groups, place},
        held, pod,
        word_sort::WordSorter,
    },
    simd::{STEPS_AHEAD, prefetch_at},
};

/// The pairs of a list by key, each pair once, with its first place in the list.
#[derive(Debug, Default)]
pub(super) struct SortedList {
    pub(super) keys: Vec<u64>,
    pub(super) indices: Vec<u32>,
}

held!(SortedList { keys, indices });

/// The workspace of [`ListSorter::sort`].
#[derive(Debug, Default)]
pub(super) struct ListSorter {
    /// The place of the next pair of each first and of each second number.
    places: [Vec<u32>; 2],
    /// The places of the pairs in the list, by the second number.
    by_second: Vec<u32>,
    sorter: Sorter,
    entries: Vec<SortedPair>,
}

held!(ListSorter { places, by_second, sorter, entries });

impl ListSorter {
    /// Sorts the pairs of a list, which are given as keys.
    ///
    /// ```text
    /// sort the places of all pairs by the second number
    /// in this order, move each pair to the others with its first number
    /// ```
    ///
    /// Both sorts are counting sorts, which know the place of each pair from the number of pairs
    /// with smaller numbers. The list is written to one place of memory after the other, in an
    /// order that a CPU cannot guess. So these places are prefetched.
    pub(super) fn sort(&mut self, list: &[u64], sorted: &mut SortedList) {
        let Self { places: [first, second], by_second, .. } = self;
        let most =
            list.iter().fold([0; 2], |[a, b], key| [a.max((key >> 32) as u32), b.max(*key as u32)]);
        if !most.iter().all(|most| grouping::are_few(*most as usize, list.len())) {
            return self.sort_far(list, sorted);
        }
        for (places, most) in [&mut *first, &mut *second].into_iter().zip(most) {
            places.clear();
            resize(places, most as usize + 1);
        }
        for key in list {
            first[(key >> 32) as usize] += 1;
            second[*key as u32 as usize] += 1;
        }
        begin_groups(0, first);
        begin_groups(0, second);
        resize(by_second, list.len());
        for (index, key) in (0..).zip(list) {
            if let Some(later) = list.get(index as usize + STEPS_AHEAD) {
                prefetch_at(by_second, second[*later as u32 as usize] as usize);
            }
            let place = &mut second[*key as u32 as usize];
            by_second[*place as usize] = index;
            *place += 1;
        }
        let SortedList { keys, indices } = sorted;
        resize(keys, list.len());
        resize(indices, list.len());
        for (at, index) in by_second.iter().enumerate() {
            if let Some(later) = by_second.get(at + 2 * STEPS_AHEAD) {
                prefetch_at(list, *later as usize);
            }
            if let Some(later) = by_second.get(at + STEPS_AHEAD) {
                let place = first[(list[*later as usize] >> 32) as usize] as usize;
                prefetch_at(keys, place);
                prefetch_at(indices, place);
            }
            let key = list[*index as usize];
            let place = &mut first[(key >> 32) as usize];
            (keys[*place as usize], indices[*place as usize]) = (key, *index);
            *place += 1;
        }
    }

    /// [`sort`](Self::sort) for numbers far above the number of pairs: by the digits of the
    /// numbers.
    fn sort_far(&mut self, list: &[u64], sorted: &mut SortedList) {
        let Self { sorter, entries, .. } = self;
        make_room(entries, list.len());
        entries.extend((0..).zip(list).map(|(index, key)| SortedPair::of_key(*key, index)));
        sorter.sort_all(entries);
        let SortedList { keys, indices } = sorted;
        make_room(keys, list.len());
        make_room(indices, list.len());
        keys.extend(entries.iter().map(|entry| entry.key()));
        indices.extend(entries.iter().map(|entry| entry.index));
    }
}

impl SortedList {
    /// Makes room for a list of `len` pairs, and keeps the pairs.
    pub(super) fn reserve(&mut self, len: usize) {
        if self.keys.capacity() < len {
            let more = len + len / 8 - self.keys.len();
            self.keys.reserve_exact(more);
            self.indices.reserve_exact(more);
        }
    }

    /// Drops the pairs that follow a pair with the same key. Returns whether there are any such
    /// pairs.
    pub(super) fn drop_repeated(&mut self) -> bool {
        let pairs = self.keys.iter().zip(self.keys.iter().skip(1));
        // No branch for each pair: mostly, no pair is repeated.
        let any = pairs.fold(false, |any, (one, next)| any | (one == next));
        if any {
            let mut last = None;
            self.retain(|key| last.replace(key) != Some(key));
        }
        any
    }

    /// Keeps the pairs for which a function returns true.
    pub(super) fn retain(&mut self, mut keep: impl FnMut(u64) -> bool) {
        let Self { keys, indices } = self;
        let mut len = 0;
        for at in 0..keys.len() {
            (keys[len], indices[len]) = (keys[at], indices[at]);
            len += usize::from(keep(keys[at]));
        }
        keys.truncate(len);
        indices.truncate(len);
    }
}

/// Makes `buffer` as long as `len`, with values that mean nothing; an empty buffer gets zeros. If
/// it grows, it reserves an eighth more.
fn resize<T: Copy + Default>(buffer: &mut Vec<T>, len: usize) {
    if buffer.capacity() < len {
        make_room(buffer, len);
    }
    buffer.resize(len, T::default());
}

/// A pair by the numbers of its shapes, with its place in the caller's list.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C)]
pub(super) struct SortedPair {
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) index: u32,
}

pod!(SortedPair { a, b, index });

impl SortedPair {
    /// The pair of a key, with its place.
    pub(super) fn of_key(key: u64, index: u32) -> Self {
        Self { a: (key >> 32) as u32, b: key as u32, index }
    }

    /// The key that pairs are sorted by.
    pub(super) fn key(self) -> u64 {
        u64::from(self.a) << 32 | u64::from(self.b)
    }
}

/// The workspace of the sort: a radix sort by `a` from the last digit on, and an insertion sort by
/// `b` of the few pairs that have the same `a`. With [`WordSorter`], which begins with the first
/// digit, updates took 1.04 to 1.19 times as long.
#[derive(Debug, Default)]
pub(super) struct Sorter {
    words: WordSorter<3, 2>,
    scratch: Vec<SortedPair>,
    /// For each pass, the place of the next entry of each digit.
    places: Vec<u32>,
}

held!(Sorter { words, scratch, places });

/// Lists up to this length are sorted by comparison: the places of a radix sort would cost more.
const SHORT_LIST: usize = 128;

impl Sorter {
    /// Sorts `entries` by `a`, then `b`, and keeps the first entry of each pair: the entry of the
    /// smallest index. Expects ascending indices, at most `u32::MAX` entries.
    pub(super) fn sort(&mut self, entries: &mut Vec<SortedPair>) {
        if entries.is_sorted_by(|one, next| one.key() < next.key()) {
            return;
        }
        self.sort_all(entries);
        entries.dedup_by_key(|entry| entry.key());
    }

    /// Sorts `entries` by `a`, then `b`, then index. Expects ascending indices, at most `u32::MAX`
    /// entries.
    ///
    /// O(n) time for a list with few pairs of each `a`; O(n log n) at most.
    pub(super) fn sort_all(&mut self, entries: &mut Vec<SortedPair>) {
        if entries.len() <= SHORT_LIST {
            self.words.sort(bytemuck::cast_slice_mut(entries), false);
        } else {
            self.sort_by_a(entries);
            self.sort_runs(entries);
        }
    }

    /// Sorts by `a`, and leaves entries with the same `a` in their order.
    fn sort_by_a(&mut self, entries: &mut Vec<SortedPair>) {
        let (low, high) = entries
            .iter()
            .fold((u32::MAX, 0), |(low, high), entry| (low.min(entry.a), high.max(entry.a)));
        let bits = u32::BITS - (high - low).leading_zeros();
        let passes = bits.div_ceil(MAX_DIGIT_BITS);
        if passes == 0 {
            return;
        }
        let width = bits.div_ceil(passes);
        let digit = |entry: &SortedPair, pass: u32| {
            ((entry.a - low) >> (pass * width)) as usize & ((1 << width) - 1)
        };
        let Self { scratch, places, .. } = self;
        scratch.resize(entries.len(), SortedPair::default());
        places.clear();
        places.resize((passes as usize) << width, 0);
        for entry in &*entries {
            for pass in 0..passes {
                places[(pass as usize) << width | digit(entry, pass)] += 1;
            }
        }
        for pass in 0..passes {
            let places = &mut places[(pass as usize) << width..][..1 << width];
            begin_groups(0, places);
            let by_digit = |entry: &SortedPair| [(digit(entry, pass) as u32, *entry)];
            place(places, entries.iter(), by_digit, |place, entry| scratch[place] = entry);
            std::mem::swap(entries, scratch);
        }
    }

    /// Sorts each run of entries that have the same `a` by `b`, then by index. Expects ascending
    /// `a`, and the indices of a run to ascend.
    fn sort_runs(&mut self, entries: &mut [SortedPair]) {
        let mut next = 1;
        while next < entries.len() {
            let entry = entries[next];
            let (mut place, least) = (next, next.saturating_sub(MAX_INSERTED));
            while place > least && entries[place - 1].key() > entry.key() {
                entries[place] = entries[place - 1];
                place -= 1;
            }
            entries[place] = entry;
            next += 1;
            if place == least && place > 0 && entries[place - 1].a == entry.a {
                let first = entries[..next].partition_point(|other| other.a < entry.a);
                let run = entries[first..].partition_point(|other| other.a == entry.a);
                self.words.sort(bytemuck::cast_slice_mut(&mut entries[first..first + run]), false);
                next = first + run;
            }
        }
    }
}
