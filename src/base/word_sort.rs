//! `WordSorter`: sorts records of a few words.
//!
//! The algorithm is a radix sort from the first word on (MSD radix sort; Knuth, The Art of Computer
//! Programming, volume 3, 5.2.5), with a buffer as long as the list:
//!
//! ```text
//! up to MAX_INSERTED records:          insertion sort
//! a word that all share:      the next word
//! otherwise:                  digit = the top bits of (word - the smallest one)
//!                             move each record to the bucket of its digit, in the buffer
//!                             sort each bucket, in the same way, back to the list
//! ```
//!
//! For speed, a digit has one to two values for each record, so that most buckets have one record
//! or no record. One insertion sort sorts all buckets of few records together. The digits of long
//! words have about the same length, so that a list of pairs takes two passes. The buckets of long
//! lists are sorted on the rayon pool.

use crate::base::{MAX_DIGIT_BITS, MAX_INSERTED, PARALLEL_BODIES, SPARE_RECORDS, held};

use super::{
    buffer::make_room,
    parallel::{self, Divide},
};

/// The bits of a digit, at most, for records of up to eight bytes for each value of a digit: a TLB
/// has pages for them.
const FEW_PAGES_BITS: u32 = 14;

/// The buckets that a task sorts.
const BUCKETS_PER_TASK: usize = 32;

/// The workspace of a sort.
#[derive(Debug)]
pub(crate) struct WordSorter<const N: usize, const KEY: usize> {
    /// As many places as the longest list has had records.
    buffer: Vec<[u32; N]>,
    /// The ends of the buckets that are being sorted, in the whole list and in each task.
    ends: Vec<usize>,
    ends_in_tasks: Vec<Vec<usize>>,
}

held!([const N: usize, const KEY: usize] WordSorter<N, KEY> { buffer, ends, ends_in_tasks });

impl<const N: usize, const KEY: usize> Default for WordSorter<N, KEY> {
    fn default() -> Self {
        Self { buffer: Vec::new(), ends: Vec::new(), ends_in_tasks: Vec::new() }
    }
}

impl<const N: usize, const KEY: usize> WordSorter<N, KEY> {
    /// Sorts `records` by the first word, then the second word, and so on up to `KEY` words; on the
    /// rayon pool if `threads`. Records with equal words keep their order: their other words ascend.
    ///
    /// O(n) time for words that are spread evenly, O(32 KEY n) at most.
    pub(crate) fn sort(&mut self, records: &mut [[u32; N]], threads: bool) {
        if records.is_sorted_by_key(key::<N, KEY>) {
            return;
        }
        if records.len() <= MAX_INSERTED {
            return insert::<N, KEY>(records);
        }
        let Self { buffer, ends, ends_in_tasks } = self;
        if buffer.capacity() < records.len() {
            if !make_room(buffer, records.len() + SPARE_RECORDS) {
                // The words behind the key tell the order of records with equal keys.
                return records.sort_unstable();
            }
            // At most the ends of the buckets of a list, and of a bucket that is divided again.
            let most = (1 << FEW_PAGES_BITS) + (1 << MAX_DIGIT_BITS);
            ends.reserve(most.min(8 * buffer.capacity()));
        }
        if buffer.len() < records.len() {
            buffer.resize(records.len(), [0; N]);
        }
        let buffer = &mut buffer[..records.len()];
        let all = Bucket::<N, KEY> { records, buffer, into_buffer: false, word: 0 };
        all.sort(ends, Some(ends_in_tasks).filter(|_| threads));
    }
}

/// The first words as one number.
#[inline(always)]
fn key<const N: usize, const KEY: usize>(record: &[u32; N]) -> u128 {
    const { assert!(KEY <= 4, "four words fit into 128 bits") };
    record[..KEY].iter().fold(0, |key, word| key << 32 | u128::from(*word))
}

/// Sorts a few records.
#[inline]
fn insert<const N: usize, const KEY: usize>(records: &mut [[u32; N]]) {
    for next in 1..records.len() {
        let record = records[next];
        let mut place = next;
        while place > 0 && key::<N, KEY>(&records[place - 1]) > key::<N, KEY>(&record) {
            records[place] = records[place - 1];
            place -= 1;
        }
        records[place] = record;
    }
}

/// Writes a few records to `to` in their order.
#[inline]
fn insert_into<const N: usize, const KEY: usize>(records: &[[u32; N]], to: &mut [[u32; N]]) {
    let to = &mut to[..records.len()];
    for (next, record) in records.iter().enumerate() {
        let mut place = next;
        while place > 0 && key::<N, KEY>(&to[place - 1]) > key::<N, KEY>(record) {
            to[place] = to[place - 1];
            place -= 1;
        }
        to[place] = *record;
    }
}

/// Records that have the words before `word` in common.
struct Bucket<'a, const N: usize, const KEY: usize> {
    records: &'a mut [[u32; N]],
    /// As many places.
    buffer: &'a mut [[u32; N]],
    /// Whether the sorted records are wanted in the buffer.
    into_buffer: bool,
    word: usize,
}

impl<const N: usize, const KEY: usize> Bucket<'_, N, KEY> {
    /// Sorts the records. `ends` is workspace, which is left as it is. Long lists are divided over
    /// threads if there is workspace for tasks.
    fn sort(self, ends: &mut Vec<usize>, ends_in_tasks: Option<&mut Vec<Vec<usize>>>) {
        let Self { records, buffer, into_buffer, mut word } = self;
        let range = loop {
            if records.len() <= MAX_INSERTED || word == KEY {
                // Records with equal keys all stay in their order.
                return if into_buffer {
                    insert_into::<N, KEY>(records, buffer)
                } else {
                    insert::<N, KEY>(records)
                };
            }
            let bounds = (u32::MAX, 0);
            let (low, high) = records.iter().fold(bounds, |(low, high), record| {
                (low.min(record[word]), high.max(record[word]))
            });
            if low < high {
                break low..high;
            }
            word += 1;
        };
        let bits = u32::BITS - (range.end - range.start).leading_zeros();
        let few = size_of_val(records) <= 8 << FEW_PAGES_BITS;
        let most = if few { FEW_PAGES_BITS } else { bits.div_ceil(bits.div_ceil(MAX_DIGIT_BITS)) };
        let width = bits.min(most).min(records.len().ilog2() + 1);
        let shift = bits - width;
        let digit = |record: &[u32; N]| ((record[word] - range.start) >> shift) as usize;
        let first = ends.len();
        ends.resize(first + (1 << width), 0);
        let places = &mut ends[first..];
        for record in &*records {
            places[digit(record)] += 1;
        }
        let (mut total, mut largest) = (0, 0);
        for place in &mut *places {
            largest = largest.max(*place);
            (*place, total) = (total, total + *place);
        }
        for record in &*records {
            let place = &mut places[digit(record)];
            buffer[*place] = *record;
            *place += 1;
        }
        if largest <= MAX_INSERTED {
            // One insertion sort for all buckets: no record leaves its own.
            ends.truncate(first);
            return if into_buffer {
                insert::<N, KEY>(buffer);
            } else {
                insert_into::<N, KEY>(buffer, records);
            };
        }
        // Each place is now the end of its bucket.
        let moved =
            Bucket::<N, KEY> { records: buffer, buffer: records, into_buffer: !into_buffer, word };
        match ends_in_tasks.filter(|_| moved.records.len() >= PARALLEL_BODIES) {
            Some(in_tasks) => {
                let ends = &ends[first..];
                in_tasks.resize_with(
                    ends.len().div_ceil(BUCKETS_PER_TASK).max(in_tasks.len()),
                    Vec::new,
                );
                parallel::run(Buckets { begin: 0, ends, in_tasks, all: moved }, true);
            }
            None => moved.sort_buckets(ends, first),
        }
        ends.truncate(first);
    }

    /// Sorts the buckets that end at `ends[first..]`.
    fn sort_buckets(self, ends: &mut Vec<usize>, first: usize) {
        let Self { records, buffer, into_buffer, word } = self;
        let mut begin = 0;
        for bucket in first..ends.len() {
            let range = begin..ends[bucket];
            begin = range.end;
            let (records, buffer) = (&mut records[range.clone()], &mut buffer[range]);
            if into_buffer && records.len() <= MAX_INSERTED {
                insert_into::<N, KEY>(records, buffer);
            } else {
                Bucket::<N, KEY> { records, buffer, into_buffer, word }.sort(ends, None);
            }
        }
    }
}

/// Consecutive buckets.
struct Buckets<'a, const N: usize, const KEY: usize> {
    /// Where the first one begins, in the whole list.
    begin: usize,
    /// Where each ends there.
    ends: &'a [usize],
    /// Workspace for each task.
    in_tasks: &'a mut [Vec<usize>],
    /// All their records.
    all: Bucket<'a, N, KEY>,
}

impl<const N: usize, const KEY: usize> Divide for Buckets<'_, N, KEY> {
    fn tasks(&self) -> usize {
        self.ends.len().div_ceil(BUCKETS_PER_TASK)
    }

    fn split(self, tasks: usize) -> (Self, Self) {
        let Self { begin, ends, in_tasks, all } = self;
        let Bucket { records, buffer, into_buffer, word } = all;
        let (ends, other_ends) = ends.split_at(tasks * BUCKETS_PER_TASK);
        let (in_tasks, others) = in_tasks.split_at_mut(tasks);
        let end = ends.last().copied().unwrap_or(begin);
        let (records, other_records) = records.split_at_mut(end - begin);
        let (buffer, other_buffer) = buffer.split_at_mut(end - begin);
        let first = Bucket { records, buffer, into_buffer, word };
        let rest = Bucket { records: other_records, buffer: other_buffer, into_buffer, word };
        (
            Self { begin, ends, in_tasks, all: first },
            Self { begin: end, ends: other_ends, in_tasks: others, all: rest },
        )
    }

    fn work(self) {
        let Self { begin, ends, in_tasks, all } = self;
        let own = &mut in_tasks[0];
        own.clear();
        own.extend(ends.iter().map(|end| end - begin));
        all.sort_buckets(own, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_INSERTED, PARALLEL_BODIES, WordSorter};
    use crate::product::product;

    fn check<const N: usize, const KEY: usize>(records: &[[u32; N]], name: &str) {
        let mut expected = records.to_vec();
        expected.sort_by_key(|record| record[..KEY].to_vec());
        let mut sorter = WordSorter::<N, KEY>::default();
        for threads in [false, true] {
            let mut sorted = records.to_vec();
            sorter.sort(&mut sorted, threads);
            assert!(sorted == expected, "{name}, {} records of {N} words", records.len());
        }
    }

    fn check_all<const N: usize, const KEY: usize>() {
        let mut seed = (8 * N + KEY) as u64;
        let lengths = [0, 1, 2, MAX_INSERTED, MAX_INSERTED + 1, 100, 3_000, PARALLEL_BODIES + 1];
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
        let down: Vec<[u32; N]> =
            (0..PARALLEL_BODIES as u32 + 9).rev().map(|row| [row; N]).collect();
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
