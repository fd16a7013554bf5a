//! `Classes`: rows with equal filters as one class.

use super::{Filter, Side};
use crate::grid::Grid;

/// The most classes: a word has a bit for each.
const MOST: usize = u32::BITS as usize;

/// The classes of the filters of a set. The filters of a class differ only in their owners.
///
/// A search knows for each body the classes that it meets, as a word, and tests the bit of the class
/// of the other body. There are at most 32 classes. If a set has more, the rest of its filters form
/// the last class, of which the word says only that a body may meet it.
#[derive(Debug, Default)]
pub(crate) struct Classes {
    /// A filter of each class.
    known: Vec<Filter>,
    /// Whether the last class stands for filters that are not known.
    more: bool,
    /// Whether any filter has an owner.
    owned: bool,
}

impl Classes {
    /// Replaces the classes by those of `filters`, or by that of the default filter for `None`.
    pub(crate) fn find(&mut self, filters: Option<&[Filter]>) {
        let Self { known, more, owned } = self;
        known.clear();
        (*more, *owned) = (false, false);
        let mut last = 0;
        for filter in filters.unwrap_or(&[Filter::ALL]) {
            *owned |= filter.owner != 0;
            // Rows beside each other often have the same filter.
            if known.get(last).is_some_and(|known| same(known, filter)) {
                continue;
            }
            match known.iter().position(|known| same(known, filter)) {
                Some(class) => last = class,
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

    /// The bit of the class of a filter.
    pub(crate) fn bit(&self, filter: &Filter) -> u32 {
        let class = self.known.iter().position(|known| same(known, filter));
        1 << class.unwrap_or(MOST - 1)
    }

    /// The classes that a filter meets, or may meet. With `contacts`, sensors meet nothing.
    pub(crate) fn met_by(&self, filter: &Filter, contacts: bool) -> u32 {
        if contacts && filter.sensor {
            return 0;
        }
        let mut met = if self.more { 1 << (MOST - 1) } else { 0 };
        for (class, known) in self.known.iter().enumerate() {
            let meets = filter.meets_apart(known) && !(contacts && known.sensor);
            met |= u32::from(meets) << class;
        }
        met
    }

    /// The bytes of memory held.
    pub(crate) fn bytes(&self) -> usize {
        self.known.capacity() * size_of::<Filter>()
    }
}

/// Whether two filters are of one class.
fn same(a: &Filter, b: &Filter) -> bool {
    *a == Filter { owner: a.owner, ..*b }
}

/// The filters of an index.
#[derive(Debug, Default)]
pub(crate) struct SetFilters {
    /// The filter of each row. Empty if there are none.
    rows: Vec<Filter>,
    pub(crate) classes: Classes,
    /// The bit of the class of the body at each place. Empty if there are no filters.
    bits: Vec<u32>,
}

impl SetFilters {
    /// Replaces the filters of the rows.
    pub(crate) fn set(&mut self, filters: Option<&[Filter]>) {
        self.rows.clear();
        self.rows.extend_from_slice(filters.unwrap_or_default());
        self.bits.clear();
        self.classes.find(filters);
    }

    /// Finds the class of each place of the grid, whose ids are complements of rows.
    pub(crate) fn sort(&mut self, grid: &Grid) {
        let Self { rows, classes, bits } = self;
        if !rows.is_empty() {
            let side = Side { grid, complements: true, filters: Some(rows) };
            side.fill(bits, |filter| classes.bit(filter));
        }
    }

    /// The filter of each row, if there are any.
    pub(crate) fn rows(&self) -> Option<&[Filter]> {
        (!self.rows.is_empty()).then_some(&self.rows[..])
    }

    /// The bit of the class of the body at each place, unless all are of class 0.
    pub(crate) fn bits(&self) -> Option<&[u32]> {
        (!self.bits.is_empty()).then_some(&self.bits[..])
    }

    /// The bytes of memory held.
    pub(crate) fn bytes(&self) -> usize {
        self.rows.capacity() * size_of::<Filter>()
            + self.classes.bytes()
            + self.bits.capacity() * size_of::<u32>()
    }
}
