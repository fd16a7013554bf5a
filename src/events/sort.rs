//! Sorts a list of pairs by `a`, then `b`, and keeps each pair once.

use crate::base::{pod, word_sort::WordSorter};

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

    /// What pairs are sorted by.
    pub(super) fn key(self) -> u64 {
        u64::from(self.a) << 32 | u64::from(self.b)
    }
}

/// The workspace of the sort.
#[derive(Debug, Default)]
pub(super) struct Sorter(WordSorter<3>);

impl Sorter {
    /// Sorts `entries` by `a`, then `b`, and keeps the first entry of each pair: the one of the
    /// smallest index. Expects at most `u32::MAX` entries.
    ///
    /// O(n) time for numbers that are spread evenly.
    pub(super) fn sort(&mut self, entries: &mut Vec<SortedPair>) {
        self.0.sort(bytemuck::cast_slice_mut(entries), false);
        entries.dedup_by_key(|entry| entry.key());
    }

    /// The bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        self.0.bytes()
    }
}
