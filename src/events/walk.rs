//! Finds the pairs of a list in the last one where the two are in a similar order.

use super::sort::Entry;

/// The pairs of a step.
#[derive(Debug, Clone, Default)]
pub(super) struct Step {
    /// The numbers of each pair, in the order of the caller's list.
    pub(super) list: Vec<[u32; 2]>,
    /// The place in `sorted` of each entry of `list`; [`NONE`] for a repeated one.
    pub(super) places: Vec<u32>,
    /// Each pair once, by `a`, then `b`, with the index of its first entry.
    pub(super) sorted: Vec<Entry>,
}

/// No place, or no index.
pub(super) const NONE: u32 = u32::MAX;

/// Pairs of the last list in which a pair is looked for.
const WINDOW: usize = 16;

/// After this many pairs in a row that are not in the window, it moves to where the next one is.
const PATIENCE: u32 = 16;

impl Step {
    /// Removes all pairs and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.places.clear();
        self.sorted.clear();
    }

    /// The bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        self.list.capacity() * size_of::<[u32; 2]>()
            + self.places.capacity() * size_of::<u32>()
            + self.sorted.capacity() * size_of::<Entry>()
    }

    /// Looks for the pairs of `list` in this step. `found` gets the index in `list` of each place of
    /// `sorted`, or [`NONE`], and `rest` the pairs that were not found, which may be in this step
    /// all the same.
    ///
    /// Goes through both lists side by side: two lists in grid order are the same but for the pairs
    /// of bodies that have moved to another cell. Gives up if most pairs are not found.
    pub(super) fn find(&self, list: &[[u32; 2]], found: &mut Vec<u32>, rest: &mut Vec<Entry>) {
        found.clear();
        found.resize(self.sorted.len(), NONE);
        rest.clear();
        let (mut next, mut missed, mut hits, mut misses) = (0, 0, 0, 0);
        for (index, pair) in (0..).zip(list) {
            let mut at = match self.list.get(next) {
                Some(known) if known == pair => Some(next),
                _ if misses > 256 + 2 * hits => None,
                _ => self.ahead(next, pair),
            };
            if at.is_none() && missed == PATIENCE {
                missed = 0;
                at = self.lookup(pair);
            }
            let place = at.map_or(NONE, |at| self.places[at]);
            if let (Some(at), Some(found)) = (at, found.get_mut(place as usize)) {
                *found = (*found).min(index);
                (next, missed, hits) = (at + 1, 0, hits + 1);
            } else {
                let [a, b] = *pair;
                rest.push(Entry { a, b, index });
                (missed, misses) = (missed + 1, misses + 1);
            }
        }
    }

    /// Where `pair` is in the window behind `next`.
    fn ahead(&self, next: usize, pair: &[u32; 2]) -> Option<usize> {
        let window = self.list.get(next + 1..)?;
        let window = &window[..window.len().min(WINDOW)];
        Some(next + 1 + window.iter().position(|known| known == pair)?)
    }

    /// Where `pair` is in the list.
    fn lookup(&self, &[a, b]: &[u32; 2]) -> Option<usize> {
        let key = Entry { a, b, index: 0 }.key();
        let place = self.sorted.binary_search_by_key(&key, |entry| entry.key()).ok()?;
        Some(self.sorted[place].index as usize)
    }
}
