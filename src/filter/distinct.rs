//! `DistinctFilters`: the filters of a set, each once, so that a search tests one bit.

use super::{Filter, side::FilteredItems};
use crate::{
    base::{buffer::grow, copied},
    simd::MAX_LANES,
};

/// The bits of a word.
pub(super) const BITS: usize = u32::BITS as usize;

/// The bit of all classes that are not spread over the bits.
const REST: usize = BITS - 1;

/// The most classes that are spread over the bits of a set that is searched once.
const SPREAD: usize = 4 * BITS;

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
/// class of the other item. There are 32 bits. If a set has more classes, some share a bit, and an
/// item has two words: the bits of which it may meet a class, and the bits of which it meets all
/// classes. What is left between the two is decided pair by pair, by the filters of the classes,
/// which are a short list. The filters of the rows are read only beyond 1,024 classes. Owners are
/// compared by vectors.
#[derive(Debug, Default)]
pub(crate) struct DistinctFilters {
    known: Vec<Filter>,
    /// The class of each row. Empty without filters: all are then in class 0.
    of_row: Vec<u16>,
    /// Whether any row is of no known class.
    more: bool,
    /// The number of classes that are spread over the bits: class `c` has bit `c % 32`. Classes
    /// from this one on, and rows of no known class, have the last bit.
    spread: usize,
    /// The owner of each row; empty if none has one.
    owners: Vec<u32>,
    /// Workspace: the class in each slot of a hash table.
    slots: Vec<u16>,
}

copied!(DistinctFilters { known, of_row, more, spread, owners } but { slots });

impl DistinctFilters {
    /// Replaces the filters by the filters of a set, of which only the rows of `selection` are
    /// used. All rows have the default filter if there are none. The set is searched `once`, or
    /// asked often about the classes that a filter meets.
    pub(crate) fn find(
        &mut self,
        filters: Option<&[Filter]>,
        selection: Option<&[u32]>,
        once: bool,
    ) {
        let Self { known, of_row, more, owners, slots, .. } = self;
        known.clear();
        *more = false;
        if let Some(filters) = filters {
            of_row.resize(filters.len(), 0);
            owners.resize(filters.len(), 0);
            slots.clear();
            slots.resize(SLOTS, EMPTY);
            match selection {
                Some(rows) => self.find_in(filters, rows.iter().map(|row| *row as usize)),
                None => self.find_in(filters, 0..filters.len()),
            }
        } else {
            of_row.clear();
            owners.clear();
            known.push(Filter::ALL);
        }
        let Self { known, of_row, more, spread, .. } = self;
        *spread = if known.len() + usize::from(*more) <= BITS {
            known.len()
        } else if once {
            // Each is compared with each, which may not cost more than the rows do.
            known.len().min(of_row.len().isqrt().clamp(REST, SPREAD))
        } else {
            REST
        };
    }

    /// Finds the classes and the owners of some rows.
    #[inline(always)]
    fn find_in(&mut self, filters: &[Filter], mut rows: impl Iterator<Item = usize>) {
        let Self { known, of_row, more, owners, slots, .. } = self;
        let Some(slots) = slots.first_chunk_mut::<SLOTS>() else { return };
        let (of_row, all_owners) = (&mut of_row[..filters.len()], &mut owners[..filters.len()]);
        let mut any_owner = 0;
        loop {
            // The inner loop changes nothing but the lists of the rows.
            let (classes, table, mut new) = (&known[..], &*slots, None);
            for row in rows.by_ref() {
                let filter = &filters[row];
                any_owner |= filter.owner;
                all_owners[row] = filter.owner;
                let class = table[slot_of(filter)];
                of_row[row] = class;
                if classes.get(usize::from(class)).is_none_or(|other| !same(other, filter)) {
                    new = Some(row);
                    break;
                }
            }
            let Some(row) = new else { break };
            of_row[row] = class_of(&filters[row], known, slots);
            *more |= of_row[row] == OTHER;
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
        self.more || self.known.len() > BITS
    }

    /// Whether classes, or rows of no known class, have the last bit because they are many.
    fn has_rest(&self) -> bool {
        self.more || self.known.len() > self.spread
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
        self.words_of(filter, contacts)[0]
    }

    /// The bits of which a filter may meet a class, and the bits of which it meets all classes.
    fn words_of(&self, filter: &Filter, contacts: bool) -> [u32; 2] {
        if contacts && filter.sensor {
            return [0; 2];
        }
        let (mut met, mut refused) = (0, 0);
        for (class, known) in self.known.iter().take(self.spread).enumerate() {
            let meets = filter.meets_apart(known) && !(contacts && known.sensor);
            met |= u32::from(meets) << (class % BITS);
            refused |= u32::from(!meets) << (class % BITS);
        }
        if self.has_rest() {
            (met, refused) = (met | 1 << REST, refused | 1 << REST);
        }
        [met, met & !refused]
    }

    /// Whether these are the bits of all filters.
    pub(crate) fn all_in(&self, met: u32) -> bool {
        let places = self.known.len() + usize::from(self.more);
        (met.trailing_ones() as usize) >= places.min(BITS)
    }

    /// Replaces `tables` by what each class meets in `target`.
    pub(super) fn tables(&self, target: &Self, contacts: bool, tables: &mut ClassTables) {
        let ClassTables { bit, met, surely } = tables;
        bit.clear();
        bit.extend((0..self.spread).map(|class| 1 << (class % BITS)));
        bit.push(1 << REST);
        met.clear();
        surely.clear();
        for known in &self.known[..self.spread] {
            let [may, all] = target.words_of(known, contacts);
            met.push(may);
            surely.push(all);
        }
        met.push(u32::MAX);
        surely.push(0);
    }

    /// Whether all rows meet all rows of `target` but those of their owner, by tables of this set.
    pub(super) fn all_meet(&self, target: &Self, tables: &ClassTables) -> bool {
        !self.shares() && tables.met[..self.spread].iter().all(|met| target.all_in(*met))
    }

    /// Writes the word of the filter of the item at each place of a grid, ghosts included, to the
    /// front of `words`: for each of some lists, `word_of` has the word of each class, and of the
    /// rest behind it. (A place without an item may have the id of any row. No search reads its
    /// word.)
    pub(crate) fn sort<const N: usize>(
        &self,
        side: &FilteredItems<'_>,
        words: [&mut Vec<u32>; N],
        word_of: [&[u32]; N],
    ) {
        let (ids, classes) = (side.ids, &self.of_row[..]);
        let flip = if side.complements { u32::MAX } else { 0 };
        let words = words.map(|words| {
            grow(words, ids.len() + MAX_LANES);
            &mut words[..ids.len()]
        });
        for (place, id) in ids.iter().enumerate() {
            let class = classes.get((id ^ flip) as usize).copied().unwrap_or_default();
            let class = usize::from(class).min(self.spread);
            for at in 0..N {
                words[at][place] = word_of[at][class];
            }
        }
    }

    /// Writes the owner of the item at each place to the front of `words`, if any row has one.
    pub(crate) fn sort_owners(&self, side: &FilteredItems<'_>, words: &mut Vec<u32>) {
        if self.are_owned() {
            grow(words, side.ids.len() + MAX_LANES);
            let flip = if side.complements { u32::MAX } else { 0 };
            for (word, id) in words.iter_mut().zip(side.ids) {
                *word = self.owners.get((id ^ flip) as usize).copied().unwrap_or_default();
            }
        }
    }

    /// The bytes of memory held.
    pub(crate) fn bytes(&self) -> usize {
        let Self { known, of_row, more: _, spread: _, owners, slots } = self;
        known.capacity() * size_of::<Filter>()
            + (of_row.capacity() + slots.capacity()) * size_of::<u16>()
            + owners.capacity() * size_of::<u32>()
    }
}

/// The words of each class of a set, and of the rest behind them.
#[derive(Debug, Default)]
pub(super) struct ClassTables {
    /// The bit of the class.
    pub(super) bit: Vec<u32>,
    /// The bits of another set of which it may meet a class, and of which it meets all classes.
    pub(super) met: Vec<u32>,
    pub(super) surely: Vec<u32>,
}

impl ClassTables {
    /// The bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        let Self { bit, met, surely } = self;
        (bit.capacity() + met.capacity() + surely.capacity()) * size_of::<u32>()
    }
}

/// The bit of each class, for sets that spread at most as many.
const ONE_BIT: [u32; BITS] = {
    let mut bits = [0; BITS];
    let mut place = 0;
    while place < BITS {
        bits[place] = 1 << place;
        place += 1;
    }
    bits
};

/// The slot where the class of a filter is looked for first.
#[inline(always)]
fn slot_of(filter: &Filter) -> usize {
    let Filter { category, mask, group, sensor, .. } = *filter;
    let word = category ^ mask.rotate_left(23) ^ u64::from(group.cast_unsigned()) << 1;
    let hash = (word ^ u64::from(sensor)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (hash >> (u64::BITS - SLOTS.trailing_zeros())) as usize
}

/// The class of a filter, which is added if it is new and there is room.
#[inline(never)]
fn class_of(filter: &Filter, known: &mut Vec<Filter>, slots: &mut [u16; SLOTS]) -> u16 {
    let mut slot = slot_of(filter);
    while let Some(other) = known.get(usize::from(slots[slot])) {
        if same(other, filter) {
            return slots[slot];
        }
        slot = (slot + 1) % SLOTS;
    }
    if known.len() == CLASSES {
        return OTHER;
    }
    slots[slot] = known.len() as u16;
    known.push(*filter);
    slots[slot]
}

/// Whether two filters differ at most in their owners. No branch: none but the last is predictable.
#[inline(always)]
fn same(a: &Filter, b: &Filter) -> bool {
    let masks = (a.category ^ b.category) | (a.mask ^ b.mask);
    masks | u64::from((a.group ^ b.group).cast_unsigned()) | u64::from(a.sensor ^ b.sensor) == 0
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
        self.distinct.find(filters, None, false);
    }

    /// Replaces `bits` by the bit of the filter of the item at each place of a grid, and `owners`
    /// by its owner. `ids` are those of the grid, the complements of rows. Leaves them empty if
    /// there are no filters, or no owners: all then have bit 0, and owner 0.
    pub(crate) fn sort(&self, ids: &[u32], bits: &mut Vec<u32>, owners: &mut Vec<u32>) {
        bits.clear();
        owners.clear();
        if let Some(filters) = self.rows() {
            let side = FilteredItems { ids, complements: true, filters: Some(filters) };
            self.distinct.sort(&side, [bits], [&ONE_BIT]);
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
