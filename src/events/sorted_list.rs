//! The pairs of a list, sorted, each once (`sort_once`), with their places in the list (`SortedList`).

use crate::{
    base::{buffer::make_room, grouping, grouping::begin_groups, held, pod, word_sort::WordSorter},
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
    sorter: WordSorter<3, 2>,
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
        sorter.sort(bytemuck::cast_slice_mut(entries), false);
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

/// Sorts `entries` by `a`, then `b`, and keeps the first entry of each pair: the entry of the
/// smallest index. Expects ascending indices.
pub(super) fn sort_once(sorter: &mut WordSorter<3, 2>, entries: &mut Vec<SortedPair>) {
    if !entries.is_sorted_by(|one, next| one.key() < next.key()) {
        sorter.sort(bytemuck::cast_slice_mut(entries), false);
        entries.dedup_by_key(|entry| entry.key());
    }
}
