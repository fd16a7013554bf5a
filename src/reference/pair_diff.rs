//! The difference of two lists of pairs, by sorted maps.

use std::collections::BTreeMap;

use crate::events::{PersistedPair, StartedPair, StoppedPair};

/// The pairs that started, persisted and stopped from one list of pairs of ids to the next, each
/// sorted by `a`, then by `b`. A pair that is in a list several times counts once, with the index
/// of its first entry.
///
/// For pairs of one set, whose order does not matter, pass the smaller id first.
///
/// O(n log n) time. Expects lists of at most `u32::MAX` pairs.
///
/// ```
/// use widephase::{reference::pair_diff::pair_diff, events::{PersistedPair, StartedPair, StoppedPair}};
///
/// let (started, persisted, stopped) = pair_diff(&[[1, 2], [1, 3]], &[[4, 5], [1, 3]]);
/// assert_eq!(started, [StartedPair { a: 4, b: 5, index: 0 }]);
/// assert_eq!(persisted, [PersistedPair { a: 1, b: 3, index: 1, last_index: 1 }]);
/// assert_eq!(stopped, [StoppedPair { a: 1, b: 2, last_index: 0 }]);
/// ```
pub fn pair_diff(
    last: &[[u64; 2]],
    now: &[[u64; 2]],
) -> (Vec<StartedPair>, Vec<PersistedPair>, Vec<StoppedPair>) {
    let (last, now) = (first_entries(last), first_entries(now));
    let mut events = (Vec::new(), Vec::new(), Vec::new());
    for (&[a, b], &index) in &now {
        match last.get(&[a, b]) {
            Some(&last_index) => events.1.push(PersistedPair { a, b, index, last_index }),
            None => events.0.push(StartedPair { a, b, index }),
        }
    }
    for (&[a, b], &last_index) in &last {
        if !now.contains_key(&[a, b]) {
            events.2.push(StoppedPair { a, b, last_index });
        }
    }
    events
}

/// Each pair of a list, with the index of its first entry.
#[inline]
fn first_entries(list: &[[u64; 2]]) -> BTreeMap<[u64; 2], u32> {
    let mut first = BTreeMap::new();
    for (index, pair) in (0..).zip(list) {
        first.entry(*pair).or_insert(index);
    }
    first
}
