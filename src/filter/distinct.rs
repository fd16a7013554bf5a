//! `DistinctFilters`: the filters of a set, each once, so that a search tests one bit.

use super::{Filter, side::FilteredItems};
use crate::{base::copied, simd::MAX_LANES};

/// The bits of a word. The last one stands for all classes from its number on.
const MOST: usize = u32::BITS as usize;
const SHARED: u16 = MOST as u16 - 1;

/// The class of filters that came after all [`CLASSES`].
const OTHER: u16 = CLASSES as u16;
const CLASSES: usize = 1 << 10;

/// The slots of the hash table of classes, of which at most half are taken.
const SLOTS: usize = 2 * CLASSES;
const EMPTY: u16 = u16::MAX;

/// The filters of a set, each once: its classes. Filters that differ only in their owners count as
/// one.
///
/// A search knows for each item the classes that it meets, as a word, and tests the bit of the
/// class of the other item. There are 32 bits. If a set has more classes, the last bit stands for
/// the rest: an item may meet them, which is then decided pair by pair, by the filters of the
/// classes, which are a short list. The filters of the rows are read only beyond 1,024 classes.
/// Owners are compared by vectors.
#[derive(Debug, Default)]
pub(crate) struct DistinctFilters {
    known: Vec<Filter>,
    /// The class of each row. Empty without filters: all are then in class 0.
    of_row: Vec<u16>,
    /// Whether any row is of no known class.
    more: bool,
    /// The owner of each row; empty if none has one.
    owners: Vec<u32>,
    /// Workspace: the class in each slot of a hash table.
    slots: Vec<u16>,
}

copied!(DistinctFilters { known, of_row, more, owners } but { slots });

impl DistinctFilters {
    /// Replaces the filters by the filters of a set, of which only the rows of `selection` are
    /// used. All rows have the default filter if there are none.
    pub(crate) fn find(&mut self, filters: Option<&[Filter]>, selection: Option<&[u32]>) {
        let Self { known, of_row, more, owners, slots } = self;
        known.clear();
        *more = false;
        let Some(filters) = filters else {
            of_row.clear();
            owners.clear();
            known.push(Filter::ALL);
            return;
        };
        of_row.resize(filters.len(), 0);
        owners.resize(filters.len(), 0);
        slots.clear();
        slots.resize(SLOTS, EMPTY);
        match selection {
            Some(rows) => self.find_in(filters, rows.iter().map(|row| *row as usize)),
            None => self.find_in(filters, 0..filters.len()),
        }
    }

    /// Finds the classes and the owners of some rows.
    #[inline(always)]
    fn find_in(&mut self, filters: &[Filter], rows: impl Iterator<Item = usize>) {
        let Self { known, of_row, more, owners, slots } = self;
        let (of_row, all_owners) = (&mut of_row[..filters.len()], &mut owners[..filters.len()]);
        let mut any_owner = 0;
        for row in rows {
            let filter = &filters[row];
            any_owner |= filter.owner;
            all_owners[row] = filter.owner;
            let class = class_of(filter, known, slots);
            *more |= class == OTHER;
            of_row[row] = class;
        }
        if any_owner == 0 {
            owners.clear();
        }
    }

    /// Whether any row has an owner.
    pub(super) fn are_owned(&self) -> bool {
        !self.owners.is_empty()
    }

    /// Whether classes share a bit.
    pub(super) fn shares(&self) -> bool {
        self.more || self.known.len() > usize::from(SHARED) + 1
    }

    /// Whether words are not enough to decide between these filters and the filters of `target`.
    pub(crate) fn open(&self, target: &Self) -> bool {
        self.shares() || target.shares() || (self.are_owned() && target.are_owned())
    }

    /// The filter of a row, without its owner unless it is of no known class. `filters` are the
    /// filters of the rows.
    #[inline]
    pub(super) fn of<'a>(&'a self, row: usize, filters: Option<&'a [Filter]>) -> &'a Filter {
        let class = self.of_row.get(row).copied().unwrap_or_default();
        match (self.known.get(usize::from(class)), filters) {
            (Some(known), _) => known,
            (None, Some(filters)) => &filters[row],
            (None, None) => &Filter::ALL,
        }
    }

    /// The bits of the filters that a filter meets, or may meet. With `contacts`, sensors meet
    /// nothing.
    pub(crate) fn met_by(&self, filter: &Filter, contacts: bool) -> u32 {
        if contacts && filter.sensor {
            return 0;
        }
        let mut met = 0;
        for (place, known) in self.known.iter().take(MOST).enumerate() {
            let meets = filter.meets_apart(known) && !(contacts && known.sensor);
            met |= u32::from(meets) << place;
        }
        if self.shares() { met | 1 << SHARED } else { met }
    }

    /// Whether these are the bits of all filters.
    pub(crate) fn all_in(&self, met: u32) -> bool {
        let places = self.known.len() + usize::from(self.more);
        (met.trailing_ones() as usize) >= places.min(MOST)
    }

    /// For each bit, the bits of the filters of `target` that its class meets, or may meet.
    pub(crate) fn met_in(&self, target: &Self, contacts: bool) -> [u32; MOST] {
        let mut met = [u32::MAX; MOST];
        for (met, known) in met.iter_mut().zip(&self.known) {
            *met = target.met_by(known, contacts);
        }
        if self.shares() {
            met[usize::from(SHARED)] = u32::MAX;
        }
        met
    }

    /// Replaces `words` by the word of the filter of the item at each place of a grid, ghosts
    /// included: for each of two lists, `word_of` has the word of each bit. (A place without an
    /// item may have the id of any row. No search reads its word.)
    pub(crate) fn sort<const N: usize>(
        &self,
        side: &FilteredItems<'_>,
        words: [&mut Vec<u32>; N],
        word_of: [&[u32; MOST]; N],
    ) {
        let (ids, classes) = (side.ids, &self.of_row[..]);
        let flip = if side.complements { u32::MAX } else { 0 };
        let words = words.map(|words| {
            words.clear();
            words.resize(ids.len() + MAX_LANES, 0);
            &mut words[..ids.len()]
        });
        for (place, id) in ids.iter().enumerate() {
            let class = classes.get((id ^ flip) as usize).copied().unwrap_or_default();
            for at in 0..N {
                words[at][place] = word_of[at][usize::from(class.min(SHARED))];
            }
        }
    }

    /// Replaces `words` by the owner of the item at each place, in the same way; by nothing if no
    /// row has one.
    pub(crate) fn sort_owners(&self, side: &FilteredItems<'_>, words: &mut Vec<u32>) {
        words.clear();
        if self.are_owned() {
            words.resize(side.ids.len() + MAX_LANES, 0);
            let flip = if side.complements { u32::MAX } else { 0 };
            for (word, id) in words.iter_mut().zip(side.ids) {
                *word = self.owners.get((id ^ flip) as usize).copied().unwrap_or_default();
            }
        }
    }

    /// The bytes of memory held.
    pub(crate) fn bytes(&self) -> usize {
        let Self { known, of_row, more: _, owners, slots } = self;
        known.capacity() * size_of::<Filter>()
            + (of_row.capacity() + slots.capacity()) * size_of::<u16>()
            + owners.capacity() * size_of::<u32>()
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

/// The class of a filter, which is added if it is new and there is room.
#[inline(always)]
fn class_of(filter: &Filter, known: &mut Vec<Filter>, slots: &mut [u16]) -> u16 {
    let Filter { category, mask, group, sensor, .. } = *filter;
    let word = category ^ mask.rotate_left(23) ^ u64::from(group.cast_unsigned()) << 1;
    let hash = (word ^ u64::from(sensor)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut slot = (hash >> 32) as usize % SLOTS;
    loop {
        let class = slots[slot];
        if let Some(other) = known.get(usize::from(class)) {
            if same(other, filter) {
                return class;
            }
            slot = (slot + 1) % SLOTS;
            continue;
        }
        return add_class(filter, known, &mut slots[slot]);
    }
}

/// Adds a class, if there is room, and returns it.
#[cold]
fn add_class(filter: &Filter, known: &mut Vec<Filter>, slot: &mut u16) -> u16 {
    if known.len() == CLASSES {
        return OTHER;
    }
    *slot = known.len() as u16;
    known.push(*filter);
    *slot
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

copied!(SetFilters { rows, distinct });

impl SetFilters {
    /// Replaces the filters of the rows.
    pub(crate) fn set(&mut self, filters: Option<&[Filter]>) {
        self.rows.clear();
        self.rows.extend_from_slice(filters.unwrap_or_default());
        self.distinct.find(filters, None);
    }

    /// Replaces `bits` by the bit of the filter of the item at each place of a grid, and `owners`
    /// by its owner. `ids` are those of the grid, the complements of rows. Leaves them empty if
    /// there are no filters, or no owners: all then have bit 0, and owner 0.
    pub(crate) fn sort(&self, ids: &[u32], bits: &mut Vec<u32>, owners: &mut Vec<u32>) {
        bits.clear();
        owners.clear();
        if let Some(filters) = self.rows() {
            let side = FilteredItems { ids, complements: true, filters: Some(filters) };
            self.distinct.sort(&side, [bits], [&BITS]);
            self.distinct.sort_owners(&side, owners);
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
