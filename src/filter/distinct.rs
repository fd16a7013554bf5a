//! `DistinctFilters`: the filters of a set, each once, so that a search tests one bit.

use super::{Filter, side::FilteredItems};
use crate::{base::copied, simd::MAX_LANES};

/// The most distinct filters: a word has a bit for each.
const MOST: usize = u32::BITS as usize;

/// The filters of a set, each once. Filters that differ only in their owners count as one.
///
/// A search knows for each item the filters that it meets, as a word, and tests the bit of the
/// filter of the other item. There are at most 32. If a set has more, the last bit stands for the
/// rest: an item may meet them, which is then decided pair by pair.
#[derive(Debug, Default)]
pub(crate) struct DistinctFilters {
    known: Vec<Filter>,
    /// The bit of the filter of each row. Empty without filters: all then have bit 0.
    of_row: Vec<u8>,
    /// Whether the last bit stands for filters that are not known.
    more: bool,
    /// Whether any filter has an owner.
    owned: bool,
}

copied!(DistinctFilters { known, of_row, more, owned });

impl DistinctFilters {
    /// Replaces the filters by the filters of a set, of which only the rows of `selection` are
    /// used. All rows have the default filter if there are none.
    pub(crate) fn find(&mut self, filters: Option<&[Filter]>, selection: Option<&[u32]>) {
        let Self { known, of_row, more, owned } = self;
        known.clear();
        (*more, *owned) = (false, false);
        let Some(filters) = filters else {
            of_row.clear();
            known.push(Filter::ALL);
            return;
        };
        of_row.resize(filters.len(), 0);
        let mut last = 0;
        let mut add = |row: usize| {
            let filter = &filters[row];
            *owned |= filter.owner != 0;
            // Rows beside each other often have the same filter.
            if !known.get(last).is_some_and(|known| same(known, filter)) {
                last = match known.iter().position(|known| same(known, filter)) {
                    Some(place) => place,
                    None if known.len() < MOST - 1 => {
                        known.push(*filter);
                        known.len() - 1
                    }
                    None => {
                        *more = true;
                        MOST - 1
                    }
                };
            }
            of_row[row] = last as u8;
        };
        match selection {
            Some(rows) => {
                for row in rows {
                    add(*row as usize);
                }
            }
            None => {
                for row in 0..filters.len() {
                    add(row);
                }
            }
        }
    }

    /// Whether words are not enough to decide between these filters and the filters of `target`.
    pub(crate) fn open(&self, target: &Self) -> bool {
        self.more || target.more || (self.owned && target.owned)
    }

    /// The bits of the filters that a filter meets, or may meet. With `contacts`, sensors meet
    /// nothing.
    pub(crate) fn met_by(&self, filter: &Filter, contacts: bool) -> u32 {
        if contacts && filter.sensor {
            return 0;
        }
        let mut met = if self.more { 1 << (MOST - 1) } else { 0 };
        for (place, known) in self.known.iter().enumerate() {
            let meets = filter.meets_apart(known) && !(contacts && known.sensor);
            met |= u32::from(meets) << place;
        }
        met
    }

    /// Whether these are the bits of all filters.
    pub(crate) fn all_in(&self, met: u32) -> bool {
        let places = self.known.len() + usize::from(self.more);
        (met.trailing_ones() as usize) >= places
    }

    /// For each filter, the bits of the filters of `target` that it meets, or may meet.
    pub(crate) fn met_in(&self, target: &Self, contacts: bool) -> [u32; MOST] {
        let mut met = [u32::MAX; MOST];
        for (met, known) in met.iter_mut().zip(&self.known) {
            *met = target.met_by(known, contacts);
        }
        met
    }

    /// Replaces `words` by the word of the filter of the item at each place of a grid, ghosts
    /// included. (A place without an item may have the id of any row. No search reads its word.)
    pub(crate) fn sort(
        &self,
        side: &FilteredItems<'_>,
        words: &mut Vec<u32>,
        word_of: &[u32; MOST],
    ) {
        let ids = side.ids;
        words.clear();
        words.reserve(ids.len() + MAX_LANES);
        if self.of_row.is_empty() {
            words.resize(ids.len() + MAX_LANES, word_of[0]);
            return;
        }
        words.extend((0..ids.len()).map(|place| {
            let filter = self.of_row.get(side.row(place) as usize).copied().unwrap_or_default();
            word_of[usize::from(filter) % MOST]
        }));
        words.resize(ids.len() + MAX_LANES, 0);
    }

    /// The bytes of memory held.
    pub(crate) fn bytes(&self) -> usize {
        self.known.capacity() * size_of::<Filter>() + self.of_row.capacity()
    }
}

/// A word with the bit of each filter.
pub(crate) const BITS: [u32; MOST] = {
    let mut bits = [0; MOST];
    let mut place = 0;
    while place < MOST {
        bits[place] = 1 << place;
        place += 1;
    }
    bits
};

/// Whether two filters differ at most in their owners.
fn same(a: &Filter, b: &Filter) -> bool {
    *a == Filter { owner: a.owner, ..*b }
}

/// The filters of an index.
#[derive(Debug, Default)]
pub(crate) struct SetFilters {
    /// The filter of each row. Empty if there are none.
    rows: Vec<Filter>,
    /// These, each once; without filters, the default one.
    pub(crate) distinct: DistinctFilters,
}

copied!(SetFilters { rows, distinct });

impl SetFilters {
    /// Replaces the filters of the rows.
    pub(crate) fn set(&mut self, filters: Option<&[Filter]>) {
        self.rows.clear();
        self.rows.extend_from_slice(filters.unwrap_or_default());
        self.distinct.find(filters, None);
    }

    /// Replaces `bits` by the bit of the filter of the item at each place of a grid. `ids` are
    /// those of the grid, the complements of rows. Leaves it empty if there are no filters: all
    /// then have bit 0.
    pub(crate) fn sort(&self, ids: &[u32], bits: &mut Vec<u32>) {
        bits.clear();
        if let Some(filters) = self.rows() {
            let side = FilteredItems { ids, complements: true, filters: Some(filters) };
            self.distinct.sort(&side, bits, &BITS);
        }
    }

    /// The filter of each row, if there are any.
    pub(crate) fn rows(&self) -> Option<&[Filter]> {
        (!self.rows.is_empty()).then_some(&self.rows[..])
    }

    /// The bytes of memory held.
    pub(crate) fn bytes(&self) -> usize {
        self.rows.capacity() * size_of::<Filter>() + self.distinct.bytes()
    }
}
