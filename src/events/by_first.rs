//! `PairsByFirst`: the pairs of a list, grouped by their first number.

/// The pairs of a list by their first number, to look pairs up in lists of any order.
///
/// Groups are found by the number itself, so no choice of numbers makes pairs collide. Few pairs
/// have the same first number. Where many have, the group is sorted.
#[derive(Debug, Default)]
pub(super) struct PairsByFirst {
    /// Where the group of each number begins, and where the last one ends.
    starts: Vec<u32>,
    /// The second number of each pair and its place in the list, as one word; behind all groups
    /// some words that are read, and mean nothing.
    pairs: Vec<u64>,
}

/// Words of a group that are compared at once.
const AT_ONCE: usize = 4;

/// Groups up to this length are in the order of the list.
const SHORT: usize = 16;

/// Numbers may be at most this many times as many as pairs, and this many more.
const NUMBERS_A_PAIR: usize = 4;
const MORE_NUMBERS: usize = 256;

impl PairsByFirst {
    /// Groups a list, whose keys have the first number in their upper half. Returns `None` if the
    /// numbers are too large for that.
    pub(super) fn group(&mut self, list: &[u64]) -> Option<Groups<'_>> {
        let most = list.iter().fold(0, |most, key| most.max(key >> 32)) as usize;
        if most > list.len() * NUMBERS_A_PAIR + MORE_NUMBERS {
            return None;
        }
        let Self { starts, pairs } = self;
        starts.clear();
        starts.resize(most + 3, 0);
        pairs.resize(list.len() + AT_ONCE, 0);
        for key in list {
            starts[(key >> 32) as usize + 2] += 1;
        }
        let (mut total, mut longest) = (0, 0);
        for start in &mut *starts {
            longest = longest.max(*start);
            total += *start;
            *start = total;
        }
        // The place for the next pair of a number is where the group after it begins in the end.
        for (index, key) in (0..).zip(list) {
            let place = &mut starts[(key >> 32) as usize + 1];
            pairs[*place as usize] = key << 32 | index;
            *place += 1;
        }
        if longest as usize > SHORT {
            let mut rest = &mut pairs[..list.len()];
            for group in starts.windows(2) {
                let (group, after) = rest.split_at_mut((group[1] - group[0]) as usize);
                if group.len() > SHORT {
                    group.sort_unstable();
                }
                rest = after;
            }
        }
        Some(Groups { starts, pairs })
    }

    /// The bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        self.starts.capacity() * size_of::<u32>() + self.pairs.capacity() * size_of::<u64>()
    }
}

/// The groups of a list.
#[derive(Clone, Copy)]
pub(super) struct Groups<'a> {
    starts: &'a [u32],
    pairs: &'a [u64],
}

impl Groups<'_> {
    /// The first place of a key in the list, or `none`.
    #[inline(always)]
    pub(super) fn find(self, key: u64, none: usize) -> usize {
        let (number, second) = ((key >> 32) as usize, key as u32);
        let Some([from, to]) = self.starts.get(number..).and_then(|starts| starts.first_chunk())
        else {
            return none;
        };
        let (group, len) = (self.pairs.get(*from as usize..), (to - from) as usize);
        let Some((group, first)) = group.and_then(|group| Some((group, group.first_chunk()?)))
        else {
            return none;
        };
        let first: &[u64; AT_ONCE] = first;
        let mut bits = 0;
        for (at, word) in first.iter().enumerate() {
            bits |= u32::from((word >> 32) as u32 == second) << at;
        }
        let bits = bits & ((1 << len.min(AT_ONCE)) - 1);
        if bits == 0 && len > AT_ONCE {
            return find_in(&group[..len], second).unwrap_or(none);
        }
        // No branch: whether a pair is there is hard to predict.
        let found = first[bits.trailing_zeros() as usize % AT_ONCE] as u32 as usize;
        if bits == 0 { none } else { found }
    }
}

/// The first place of a pair in a long group, by its second number.
#[inline(never)]
fn find_in(group: &[u64], second: u32) -> Option<usize> {
    let at = if group.len() > SHORT {
        group.partition_point(|word| ((word >> 32) as u32) < second)
    } else {
        group.iter().position(|word| (word >> 32) as u32 == second)?
    };
    let word = group.get(at).filter(|word| (**word >> 32) as u32 == second)?;
    Some(*word as u32 as usize)
}
