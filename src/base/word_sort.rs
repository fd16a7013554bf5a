//! `WordSorter`: sorts records of a few words. `each_bucket`: moves long lists to buckets, in place.
//!
//! ```text
//! a long list         move each record to the bucket of the top bits of its first word, in place
//! a short list        move each record to its rank
//! a bucket, or a      from the last word to the first one, from the low bits to the high bits:
//! list of few         move each record to the place of these bits, in a buffer, and back;
//!                     if few records share the top bits: move by these bits, and insertion sort
//! ```
//!
//! The first step is a radix sort from the first word on (MSD radix sort; Knuth, The Art of Computer
//! Programming, volume 3, 5.2.5), and the second step one from the last word on (LSD). The second
//! step needs a buffer, and is fast while the list and the buffer are in the cache of a core. So the
//! memory of a sort does not grow with the list. The buckets are sorted on the rayon pool.

use std::{
    slice,
    sync::{Mutex, PoisonError},
};

use crate::base::{MAX_INSERTED, held};

use super::parallel;

/// Up to so many bytes of records are few: with a buffer, they fit into the cache of a core.
const FEW_BYTES: usize = 1 << 19;

/// The bits of the number of a bucket, at most: a TLB has pages for so many.
const BUCKET_BITS: u32 = 8;

/// The bits of a digit of few records, at most.
const FEW_DIGIT_BITS: u32 = 14;

/// The workspace of a sort.
#[derive(Debug, Default)]
pub(crate) struct WordSorter<const N: usize, const KEY: usize> {
    /// One for each thread.
    buffers: Vec<FewSorter<N>>,
}

held!([const N: usize, const KEY: usize] WordSorter<N, KEY> { buffers });

impl<const N: usize, const KEY: usize> WordSorter<N, KEY> {
    /// Sorts `records` by the first word, then the second word, and so on; on the rayon pool if
    /// `threads`. The words behind `KEY` words must ascend in records with equal words before.
    ///
    /// O(n) time, also for words that are not spread evenly.
    pub(crate) fn sort(&mut self, records: &mut [[u32; N]], threads: bool) {
        if records.is_sorted_by_key(key::<N, KEY>) {
            return;
        }
        let (len, buffers) = (records.len(), one_each(&mut self.buffers, threads));
        each_bucket(records, &|record| *record, buffers, &|bucket, buffer| {
            // Records of a bucket are in any order.
            let whole = bucket.len() == len;
            if !(if whole { buffer.sort::<KEY>(bucket) } else { buffer.sort::<N>(bucket) }) {
                bucket.sort_unstable();
            }
        });
    }
}

/// The workspaces of the threads of a call.
pub(crate) fn one_each<W: Default>(all: &mut Vec<W>, threads: bool) -> &mut [W] {
    let count = if threads { parallel::threads() } else { 1 };
    if all.len() < count {
        all.resize_with(count, W::default);
    }
    &mut all[..count]
}

/// Moves records so that their words ascend from bucket to bucket, and calls `sort` with each
/// bucket, on as many threads as there are workspaces. Records of a bucket are few, or have equal
/// words, and are in any order.
pub(crate) fn each_bucket<T: Copy + Send, W: Send, const WORDS: usize>(
    records: &mut [T],
    words: &(impl Fn(&T) -> [u32; WORDS] + Sync),
    workspaces: &mut [W],
    sort: &(impl Fn(&mut [T], &mut W) + Sync),
) {
    let few = FEW_BYTES / size_of::<T>();
    let ends = if records.len() > few { divide(records, few, words) } else { None };
    let Some(ends) = ends else { return sort(records, &mut workspaces[0]) };
    let rest = Mutex::new((records, 0, ends.iter()));
    let next = || {
        let (rest, begin, ends) = &mut *rest.lock().unwrap_or_else(PoisonError::into_inner);
        let end = *ends.next()?;
        let len = end - std::mem::replace(begin, end);
        rest.split_off_mut(..len)
    };
    parallel::each(workspaces, workspaces.len() > 1, |_, workspace| {
        while let Some(bucket) = next() {
            each_bucket(bucket, words, slice::from_mut(workspace), sort);
        }
    });
}

/// The ends of buckets.
type BucketEnds = [usize; 1 << BUCKET_BITS];

/// Moves records to buckets by the top bits of the first word that they do not share, in place, and
/// returns the ends of the buckets. `None` if all words are equal.
fn divide<T: Copy, const WORDS: usize>(
    records: &mut [T],
    few: usize,
    words: &impl Fn(&T) -> [u32; WORDS],
) -> Option<BucketEnds> {
    let bounds = |word: usize| bounds_of(records, |record| words(record)[word]);
    let (word, [low, high]) =
        (0..WORDS).map(|word| (word, bounds(word))).find(|(_, [low, high])| low < high)?;
    let bits = bits_of([low, high]);
    // The average bucket is an eighth to a quarter of few records: others are several times as long.
    let wanted = (records.len() / few).ilog2() + 3;
    let shift = bits - bits.min(wanted).min(BUCKET_BITS);
    let number = |record: &T| ((words(record)[word] - low) >> shift) as usize;
    let mut ends: BucketEnds = [0; _];
    for record in &*records {
        ends[number(record)] += 1;
    }
    let (mut next, mut total): (BucketEnds, usize) = ([0; _], 0);
    for (next, end) in next.iter_mut().zip(&mut ends) {
        *next = total;
        total += *end;
        *end = total;
    }
    // Each round swaps each record that may be in a wrong bucket with the next record of its own
    // bucket. These swaps do not wait for each other, other than those along a cycle.
    let buckets = ((high - low) >> shift) as usize + 1;
    let mut open = true;
    while open {
        open = false;
        for bucket in 0..buckets {
            for at in next[bucket]..ends[bucket] {
                let place = &mut next[number(&records[at])];
                records.swap(at, *place);
                *place += 1;
            }
            open |= next[bucket] < ends[bucket];
        }
    }
    Some(ends)
}

/// The smallest and the largest value of a word.
#[inline(always)]
fn bounds_of<T>(records: &[T], word: impl Fn(&T) -> u32) -> [u32; 2] {
    records
        .iter()
        .map(word)
        .fold([u32::MAX, 0], |[low, high], word| [low.min(word), high.max(word)])
}

/// The bits of a word less its smallest value.
fn bits_of([low, high]: [u32; 2]) -> u32 {
    u32::BITS - high.saturating_sub(low).leading_zeros()
}

/// The workspace of sorts of few records.
#[derive(Debug, Default)]
pub(crate) struct FewSorter<const N: usize> {
    buffer: Vec<[u32; N]>,
    places: Vec<u32>,
}

held!([const N: usize] FewSorter<N> { buffer, places });

impl<const N: usize> FewSorter<N> {
    /// Sorts records by their first `KEY` words. Records with equal words keep their order. Returns
    /// false if there is no memory.
    pub(crate) fn sort<const KEY: usize>(&mut self, records: &mut [[u32; N]]) -> bool {
        if sort_by_rank::<N, KEY>(records) {
            return true;
        }
        let Self { buffer, places } = self;
        let most = FEW_DIGIT_BITS.min(records.len().ilog2() + 1);
        if !has_room(buffer, records.len(), [0; N]) || !has_room(places, 1 << most, 0) {
            return false;
        }
        let buffer = &mut buffer[..records.len()];
        let bounds = |word: usize| bounds_of(records, |record| record[word]);
        let mut all = (0..KEY).map(|word| (word, bounds(word)));
        let Some((word, [low, high])) = all.find(|(_, [low, high])| low < high) else {
            return true;
        };
        let bits = bits_of([low, high]);
        let width = bits.min(most);
        // With so few records for each value of the first digit, one move by it and an insertion sort
        // are faster than a move by each digit. No record leaves the records of its digit.
        if records.len() <= 2 << width {
            let digit = |record: &[u32; N]| ((record[word] - low) >> (bits - width)) as usize;
            if move_by(digit, records, buffer, &mut places[..1 << width]) <= MAX_INSERTED {
                insert_into::<N, KEY>(buffer, records);
                return true;
            }
        }
        let (mut from, mut to, mut moved) = (records, buffer, false);
        for word in (0..KEY).rev() {
            let [low, high] = bounds_of(from, |record| record[word]);
            let bits = bits_of([low, high]);
            let digits = bits.div_ceil(most);
            for number in 0..digits {
                let width = bits.div_ceil(digits);
                let (shift, mask) = (number * width, (1 << width) - 1);
                let digit = |record: &[u32; N]| ((record[word] - low) >> shift & mask) as usize;
                move_by(digit, from, to, &mut places[..1 << width]);
                (from, to, moved) = (to, from, !moved);
            }
        }
        if moved {
            to.copy_from_slice(from);
        }
        true
    }
}

/// Copies records in the order of a digit, and returns how many have the most frequent value of it.
#[inline(always)]
fn move_by<T: Copy>(
    digit: impl Fn(&T) -> usize,
    from: &[T],
    to: &mut [T],
    places: &mut [u32],
) -> usize {
    places.fill(0);
    for record in from {
        places[digit(record)] += 1;
    }
    let (mut begin, mut most) = (0, 0);
    for place in &mut *places {
        most = most.max(*place);
        (*place, begin) = (begin, begin + *place);
    }
    for record in from {
        let place = &mut places[digit(record)];
        to[*place as usize] = *record;
        *place += 1;
    }
    most as usize
}

/// Makes a buffer at least `len` long, and lets it last for some longer lists. Returns false if
/// there is no memory.
fn has_room<T: Clone>(buffer: &mut Vec<T>, len: usize, value: T) -> bool {
    if buffer.len() < len {
        let room = len.next_power_of_two() - buffer.len();
        if buffer.capacity() < len && buffer.try_reserve_exact(room).is_err() {
            return false;
        }
        buffer.resize(len, value);
    }
    true
}

/// The first words as one number.
#[inline(always)]
fn key<const N: usize, const KEY: usize>(record: &[u32; N]) -> u128 {
    const { assert!(KEY <= 4, "four words fit into 128 bits") };
    record[..KEY].iter().fold(0, |key, word| key << 32 | u128::from(*word))
}

/// Sorts a few records, each to the place of its rank: the number of smaller first words. Returns
/// false for more records. No step waits for a comparison, and the compiler makes vectors of them.
fn sort_by_rank<const N: usize, const KEY: usize>(records: &mut [[u32; N]]) -> bool {
    const LANES: usize = 8;
    const MOST: usize = 2 * MAX_INSERTED;
    let (len, mut copy) = (records.len(), [[0; N]; MOST]);
    let Some(copy) = copy.get_mut(..len) else { return false };
    copy.copy_from_slice(records);
    let (mut words, mut ranks, mut sum) = ([0; MOST], [0; MOST], 0);
    for (word, record) in words.iter_mut().zip(&*copy) {
        *word = record[0];
    }
    let (all, chunks) = (&words[..len], len.div_ceil(LANES));
    let own = words.as_chunks::<LANES>().0.iter().take(chunks);
    for (own, ranks) in own.zip(ranks.as_chunks_mut::<LANES>().0) {
        for word in all {
            for lane in 0..LANES {
                ranks[lane] += u32::from(*word < own[lane]);
            }
        }
    }
    for (record, rank) in copy.iter().zip(ranks) {
        sum += rank as usize;
        records[rank as usize] = *record;
    }
    // Records with equal first words have equal ranks.
    if 2 * sum != len * len.saturating_sub(1) {
        insert_into::<N, KEY>(copy, records);
    }
    true
}

/// Writes records to `to` in their order: fast if each is near its place.
#[inline]
fn insert_into<const N: usize, const KEY: usize>(records: &[[u32; N]], to: &mut [[u32; N]]) {
    for (next, record) in records.iter().enumerate() {
        let mut place = next;
        while place > 0 && key::<N, KEY>(&to[place - 1]) > key::<N, KEY>(record) {
            to[place] = to[place - 1];
            place -= 1;
        }
        to[place] = *record;
    }
}

#[cfg(test)]
mod tests {
    use super::{FEW_BYTES, FewSorter, MAX_INSERTED, WordSorter};
    use crate::product::product;

    fn check<const N: usize, const KEY: usize>(records: &[[u32; N]], name: &str) {
        let name = format!("{name}, {} records of {N} words", records.len());
        let mut expected = records.to_vec();
        expected.sort_by_key(|record| record[..KEY].to_vec());
        let mut sorted = records.to_vec();
        assert!(FewSorter::<N>::default().sort::<KEY>(&mut sorted));
        assert!(sorted == expected, "{name}, by {KEY} words");
        // As the sort expects them.
        let mut given = records.to_vec();
        for (number, record) in (0..).zip(&mut given) {
            record[KEY..].fill(number);
        }
        let mut expected = given.clone();
        expected.sort();
        let mut sorter = WordSorter::<N, KEY>::default();
        for threads in [false, true] {
            let mut sorted = given.clone();
            sorter.sort(&mut sorted, threads);
            assert!(sorted == expected, "{name}");
        }
    }

    fn check_all<const N: usize, const KEY: usize>() {
        let mut seed = (8 * N + KEY) as u64;
        let few = FEW_BYTES / (4 * N);
        let ranked = 2 * MAX_INSERTED;
        let lengths = [0, 1, 2, 17, ranked, ranked + 1, 100, 3_000, few, 2 * few + 1];
        for (len, bits) in product((lengths, [0, 1, 5, 11, 12, 17, 24, 31, 32])) {
            let mut word = || {
                seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                (seed >> 32 & ((1 << bits) - 1)) as u32
            };
            let random: Vec<[u32; N]> = (0..len).map(|_| std::array::from_fn(|_| word())).collect();
            check::<N, KEY>(&random, "random words");
            for same in 0..N {
                let mut alike = random.clone();
                for record in &mut alike {
                    record[same] = u32::MAX - 7;
                }
                check::<N, KEY>(&alike, "one word alike");
                for record in alike.iter_mut().step_by(1_000) {
                    record[same] = 3;
                }
                check::<N, KEY>(&alike, "one word mostly alike");
            }
        }
        let ends: Vec<[u32; N]> = (0..1_000).map(|row| [[0; N], [u32::MAX; N]][row % 2]).collect();
        check::<N, KEY>(&ends, "the least and the largest");
        let down: Vec<[u32; N]> = (0..2 * few as u32 + 9).rev().map(|row| [row; N]).collect();
        check::<N, KEY>(&down, "descending");
    }

    #[test]
    fn records_are_sorted_by_words_and_keep_their_order() {
        check_all::<2, 2>();
        check_all::<3, 2>();
        check_all::<3, 3>();
        check_all::<4, 2>();
    }
}
