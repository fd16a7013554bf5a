//! `DistinctFilters`: the filters of a set, each once, so that a search tests one bit.

use super::{Filter, Side};
use crate::grid::Grid;

/// The most distinct filters: a word has a bit for each.
const MOST: usize = u32::BITS as usize;

/// The filters of a set, each once. Filters that differ only in their owners count as one.
///
/// A search knows for each body the filters that it meets, as a word, and tests the bit of the filter
/// of the other body. There are at most 32. If a set has more, the last bit stands for the rest: a
/// body may meet them, which is then decided pair by pair.
#[derive(Debug, Default)]
pub(crate) struct DistinctFilters {
    known: Vec<Filter>,
    /// Whether the last bit stands for filters that are not known.
    more: bool,
    /// Whether any filter has an owner.
    owned: bool,
}

impl DistinctFilters {
    /// Replaces the filters by those of `filters`.
    pub(crate) fn find<'a>(&mut self, filters: impl Iterator<Item = &'a Filter>) {
        let Self { known, more, owned } = self;
        known.clear();
        (*more, *owned) = (false, false);
        let mut last = 0;
        for filter in filters {
            *owned |= filter.owner != 0;
            // Rows beside each other often have the same filter.
            if known.get(last).is_some_and(|known| same(known, filter)) {
                continue;
            }
            match known.iter().position(|known| same(known, filter)) {
                Some(place) => last = place,
                None if known.len() < MOST - 1 => {
                    last = known.len();
                    known.push(*filter);
                }
                None => *more = true,
            }
        }
    }

    /// Whether the words are not enough to decide.
    pub(crate) fn open(&self) -> bool {
        self.more || self.owned
    }

    /// The bit of a filter.
    pub(crate) fn bit(&self, filter: &Filter) -> u32 {
        let place = self.known.iter().position(|known| same(known, filter));
        1 << place.unwrap_or(MOST - 1)
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

    /// The bytes of memory held.
    pub(crate) fn bytes(&self) -> usize {
        self.known.capacity() * size_of::<Filter>()
    }
}

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

impl SetFilters {
    /// Replaces the filters of the rows.
    pub(crate) fn set(&mut self, filters: Option<&[Filter]>) {
        self.rows.clear();
        self.rows.extend_from_slice(filters.unwrap_or_default());
        self.distinct.find(filters.unwrap_or(&[Filter::ALL]).iter());
    }

    /// Replaces `bits` by the bit of the filter of the body at each place of a grid, whose ids are
    /// complements of rows. Leaves it empty if there are no filters: all then have bit 0.
    pub(crate) fn sort(&self, grid: &Grid, bits: &mut Vec<u32>) {
        bits.clear();
        if let Some(filters) = self.rows() {
            let side = Side { grid, complements: true, filters: Some(filters) };
            side.fill(bits, |filter| self.distinct.bit(filter));
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
