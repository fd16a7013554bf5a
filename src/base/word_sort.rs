//! `WordSorter`: sorts records of a few words.
//!
//! The algorithm is a radix sort from the first word on (MSD radix sort; Knuth, The Art of Computer
//! Programming, volume 3, 5.2.5), with a buffer as long as the list:
//!
//! ```text
//! up to RUN records:          insertion sort by all words
//! a word that all share:      the next word
//! otherwise:                  digit = the top bits of (word - the smallest one)
//!                             move each record to the bucket of its digit, in the buffer
//!                             sort each bucket, in the same way, back to the list
//! ```
//!
//! For speed, a digit has about as many values as there are records, so that a pair list of `n` rows
//! takes two passes. Long lists have their buckets sorted on the rayon pool.

use super::{
    buffer::make_room,
    parallel::{self, Divide},
};

/// Up to this many records are sorted by insertion.
const RUN: usize = 24;

/// The bits of a digit, at most. With more, the records are written to more places than a TLB has
/// pages.
const DIGIT: u32 = 11;

/// The spare room for longer lists, besides an eighth.
const SPARE: usize = 128;

/// The room for ends of buckets from the first sort of a long list on.
const BUCKETS: usize = 2 << DIGIT;

/// The buckets that a task sorts.
const TASK: usize = 32;

/// Lists from this length on are divided over threads.
const LONG: usize = 1 << 16;

/// The workspace of a sort.
#[derive(Debug)]
pub(crate) struct WordSorter<const N: usize> {
    /// As many places as the longest list has had records.
    buffer: Vec<[u32; N]>,
    /// Where the buckets end that are being sorted, and the same in each task.
    ends: Vec<usize>,
    ends_in_tasks: Vec<Vec<usize>>,
}

impl<const N: usize> Default for WordSorter<N> {
    fn default() -> Self {
        Self { buffer: Vec::new(), ends: Vec::new(), ends_in_tasks: Vec::new() }
    }
}

impl<const N: usize> WordSorter<N> {
    /// Sorts `records` by the first word, then the second one, and so on; on the rayon pool if
    /// `threads`.
    ///
    /// O(n) time for words that are spread evenly, O(32 N n) at most.
    pub(crate) fn sort(&mut self, records: &mut [[u32; N]], threads: bool) {
        if records.is_sorted_by_key(key) {
            return;
        }
        if records.len() <= RUN {
            return insert(records);
        }
        let Self { buffer, ends, ends_in_tasks } = self;
        if buffer.capacity() < records.len() {
            make_room(buffer, records.len() + SPARE);
            // For the buckets of a list and, in turn, of its buckets.
            ends.reserve(BUCKETS.min(buffer.capacity().next_power_of_two()));
        }
        if buffer.len() < records.len() {
            buffer.resize(records.len(), [0; N]);
        }
        let buffer = &mut buffer[..records.len()];
        let part = Part { records, buffer, into_buffer: false, word: 0 };
        part.sort(ends, Some(ends_in_tasks).filter(|_| threads));
    }

    /// The bytes of memory held.
    pub(crate) fn bytes(&self) -> usize {
        let Self { buffer, ends, ends_in_tasks } = self;
        let in_tasks: usize = ends_in_tasks.iter().map(Vec::capacity).sum();
        buffer.capacity() * size_of::<[u32; N]>()
            + ends_in_tasks.capacity() * size_of::<Vec<usize>>()
            + (ends.capacity() + in_tasks) * size_of::<usize>()
    }
}

/// All words as one number.
#[inline(always)]
fn key<const N: usize>(record: &[u32; N]) -> u128 {
    const { assert!(N <= 4, "four words fit into 128 bits") };
    record.iter().fold(0, |key, word| key << 32 | u128::from(*word))
}

/// Sorts a few records.
#[inline]
fn insert<const N: usize>(records: &mut [[u32; N]]) {
    for next in 1..records.len() {
        let record = records[next];
        let mut place = next;
        while place > 0 && key(&records[place - 1]) > key(&record) {
            records[place] = records[place - 1];
            place -= 1;
        }
        records[place] = record;
    }
}

/// Records that have the words before `word` in common.
struct Part<'a, const N: usize> {
    records: &'a mut [[u32; N]],
    /// As many places.
    buffer: &'a mut [[u32; N]],
    /// Whether the sorted records are wanted in the buffer.
    into_buffer: bool,
    word: usize,
}

impl<const N: usize> Part<'_, N> {
    /// Sorts the records. `ends` is workspace, which is left as it is. Long lists are divided over
    /// threads if there is workspace for tasks.
    fn sort(self, ends: &mut Vec<usize>, ends_in_tasks: Option<&mut Vec<Vec<usize>>>) {
        let Self { records, buffer, into_buffer, mut word } = self;
        let range = loop {
            if records.len() <= RUN || word == N {
                let sorted = if into_buffer {
                    buffer.copy_from_slice(records);
                    buffer
                } else {
                    records
                };
                if word < N {
                    insert(sorted);
                }
                return;
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
        let width = bits.min(DIGIT).min(records.len().ilog2());
        let shift = bits - width;
        let digit = |record: &[u32; N]| ((record[word] - range.start) >> shift) as usize;
        let first = ends.len();
        ends.resize(first + (1 << width), 0);
        let places = &mut ends[first..];
        for record in &*records {
            places[digit(record)] += 1;
        }
        let mut total = 0;
        for place in &mut *places {
            (*place, total) = (total, total + *place);
        }
        for record in &*records {
            let place = &mut places[digit(record)];
            buffer[*place] = *record;
            *place += 1;
        }
        // Each place is now the end of its bucket.
        let moved = Part { records: buffer, buffer: records, into_buffer: !into_buffer, word };
        match ends_in_tasks.filter(|_| moved.records.len() >= LONG) {
            Some(in_tasks) => {
                let ends = &ends[first..];
                in_tasks.resize_with(ends.len().div_ceil(TASK).max(in_tasks.len()), Vec::new);
                parallel::run(Buckets { begin: 0, ends, in_tasks, part: moved }, true);
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
            if !range.is_empty() {
                let (records, buffer) = (&mut records[range.clone()], &mut buffer[range]);
                Part { records, buffer, into_buffer, word }.sort(ends, None);
            }
        }
    }
}

/// Consecutive buckets.
struct Buckets<'a, const N: usize> {
    /// Where the first one begins, in the whole list.
    begin: usize,
    /// Where each ends there.
    ends: &'a [usize],
    /// Workspace for each task.
    in_tasks: &'a mut [Vec<usize>],
    part: Part<'a, N>,
}

impl<const N: usize> Divide for Buckets<'_, N> {
    fn tasks(&self) -> usize {
        self.ends.len().div_ceil(TASK)
    }

    fn split(self, tasks: usize) -> (Self, Self) {
        let Self { begin, ends, in_tasks, part } = self;
        let Part { records, buffer, into_buffer, word } = part;
        let (ends, other_ends) = ends.split_at(tasks * TASK);
        let (in_tasks, others) = in_tasks.split_at_mut(tasks);
        let end = ends.last().copied().unwrap_or(begin);
        let (records, other_records) = records.split_at_mut(end - begin);
        let (buffer, other_buffer) = buffer.split_at_mut(end - begin);
        let first = Part { records, buffer, into_buffer, word };
        let rest = Part { records: other_records, buffer: other_buffer, into_buffer, word };
        (
            Self { begin, ends, in_tasks, part: first },
            Self { begin: end, ends: other_ends, in_tasks: others, part: rest },
        )
    }

    fn work(self) {
        let Self { begin, ends, in_tasks, part } = self;
        let own = &mut in_tasks[0];
        own.clear();
        own.extend(ends.iter().map(|end| end - begin));
        part.sort_buckets(own, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::{LONG, RUN, WordSorter};

    fn check<const N: usize>(records: &[[u32; N]], name: &str) {
        let mut expected = records.to_vec();
        expected.sort_unstable();
        let mut sorter = WordSorter::default();
        for threads in [false, true] {
            let mut sorted = records.to_vec();
            sorter.sort(&mut sorted, threads);
            assert!(sorted == expected, "{name}, {} records of {N} words", records.len());
        }
    }

    fn check_all<const N: usize>() {
        let mut seed = N as u64;
        for len in [0, 1, 2, RUN, RUN + 1, 100, 3_000, LONG + 1] {
            for bits in [0, 1, 5, 11, 12, 17, 24, 31, 32] {
                let mut word = || {
                    seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    (seed >> 32 & ((1 << bits) - 1)) as u32
                };
                let random: Vec<[u32; N]> =
                    (0..len).map(|_| std::array::from_fn(|_| word())).collect();
                check(&random, "random words");
                for same in 0..N {
                    let mut alike = random.clone();
                    for record in &mut alike {
                        record[same] = u32::MAX - 7;
                    }
                    check(&alike, "one word alike");
                    for record in alike.iter_mut().step_by(1_000) {
                        record[same] = 3;
                    }
                    check(&alike, "one word mostly alike");
                }
            }
        }
        let ends: Vec<[u32; N]> = (0..1_000).map(|row| [[0; N], [u32::MAX; N]][row % 2]).collect();
        check(&ends, "the least and the largest");
        let down: Vec<[u32; N]> = (0..LONG as u32 + 9).rev().map(|row| [row; N]).collect();
        check(&down, "descending");
    }

    #[test]
    fn records_are_sorted_by_all_words() {
        check_all::<2>();
        check_all::<3>();
        check_all::<4>();
    }
}
