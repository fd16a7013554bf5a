//! `DistinctFilters`: the filters of a set, each once, so that a search tests one bit.
//! `FilteredItems`: the items of a grid and their filters.

use super::Filter;
use crate::{
    base::{buffer::grow, copied, held},
    simd::{ClassRow, LOOKUPS_AHEAD, MAX_LANES, prefetch_at},
};

/// The bits of a word.
pub(super) const WORD_BITS: usize = u32::BITS as usize;

/// The bit of the rest: of all classes that have no bit of their own.
const REST_BIT: usize = WORD_BITS - 1;

/// The most classes of a set that is searched once, with the rest as one class: a byte tells them
/// apart.
const CLASSES_IN_BYTE: usize = 1 << u8::BITS;

/// The class of filters that came after all [`MAX_CLASSES`].
const OTHER_CLASS: u16 = MAX_CLASSES as u16;

/// The most classes of a set.
pub(crate) const MAX_CLASSES: usize = 1 << 10;

/// The slots of the hash table of classes, of which at most half are taken.
const CLASS_SLOTS: usize = 2 * MAX_CLASSES;
/// The filters of a set, each once: its classes. Filters that differ only in their owners count as
/// one filter.
///
/// A search tests the bit of the class of an item in the bits of the classes that another item
/// meets. Against an index, and among up to 32 classes of one set, these bits are a word for each
/// item that searches. Among more classes, they are a [row](ClassRow) for each class. The first
/// classes have bits of their own; further classes are the rest, which any item may meet. Pairs
/// with the rest are decided one by one, by the filters of the classes, which are a short list. The
/// filters of the rows are read only beyond 1,024 classes. Owners are compared by vectors.
#[derive(Debug, Default)]
pub(crate) struct DistinctFilters {
    known: Vec<Filter>,
    /// The class of each row. Empty without filters: all rows are then in class 0.
    of_row: Vec<u16>,
    /// Whether any row is of no known class.
    more: bool,
    /// The number of classes of their own. Classes from this number on, and rows of no known class,
    /// are the rest.
    apart: usize,
    /// The owner of each row; empty if no row has an owner.
    owners: Vec<u32>,
    /// Workspace: the class in each slot of a hash table.
    slots: Vec<u16>,
}

copied!(DistinctFilters { known, of_row, more, apart, owners } but { slots });

impl DistinctFilters {
    /// Replaces the filters by the filters of a set, of which only the rows of `selection` are
    /// used. Without filters, all rows have the default filter. The set is searched `once`, or
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
            slots.resize(CLASS_SLOTS, u16::MAX);
            match selection {
                Some(rows) => self.find_in(filters, rows.iter().map(|row| *row as usize)),
                None => self.find_in(filters, 0..filters.len()),
            }
        } else {
            of_row.clear();
            owners.clear();
            known.push(Filter::ALL);
        }
        let Self { known, of_row, more, apart, .. } = self;
        *apart = if known.len() + usize::from(*more) <= WORD_BITS {
            known.len()
        } else if once {
            // Each two are compared: at most two comparisons a row.
            known.len().min((4 * of_row.len()).isqrt().clamp(REST_BIT, CLASSES_IN_BYTE - 1))
        } else {
            REST_BIT
        };
    }

    /// Replaces the filter of a row; the set has `rows` rows. Classes keep their numbers and bits.
    fn change(&mut self, row: usize, filter: &Filter, rows: usize) {
        let Self { known, of_row, more, apart, owners, .. } = self;
        let class = match known.iter().position(|known| same(known, filter)) {
            Some(class) => class as u16,
            None if known.len() < MAX_CLASSES => {
                known.push(*filter);
                known.len() as u16 - 1
            }
            None => OTHER_CLASS,
        };
        *more |= class == OTHER_CLASS;
        of_row.resize(rows, 0);
        of_row[row] = class;
        *apart = if known.len() + usize::from(*more) <= WORD_BITS { known.len() } else { REST_BIT };
        if filter.owner != 0 || !owners.is_empty() {
            owners.resize(rows, 0);
            owners[row] = filter.owner;
        }
    }

    /// Finds the classes and the owners of some rows.
    #[inline(always)]
    fn find_in(&mut self, filters: &[Filter], mut rows: impl Iterator<Item = usize>) {
        let Self { known, of_row, more, owners, slots, .. } = self;
        let Some(slots) = slots.first_chunk_mut::<CLASS_SLOTS>() else { return };
        let (of_row, all_owners) = (&mut of_row[..filters.len()], &mut owners[..filters.len()]);
        let mut any_owner = 0;
        loop {
            // The inner loop changes nothing but the lists of the rows.
            let (classes, table, mut new) = (&known[..], &*slots, None);
            for row in rows.by_ref() {
                let filter = &filters[row];
                // The CPU's own prefetch ends at each page, and a page has 100 filters.
                prefetch_at(filters, row + LOOKUPS_AHEAD);
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
            *more |= of_row[row] == OTHER_CLASS;
        }
        if any_owner == 0 {
            owners.clear();
        }
    }

    /// Whether any row has an owner.
    pub(super) fn are_owned(&self) -> bool {
        !self.owners.is_empty()
    }

    /// Whether there is a rest, because classes are many.
    pub(super) fn has_rest(&self) -> bool {
        self.more || self.known.len() > self.apart
    }

    /// Whether each class has a bit.
    pub(super) fn fit_in_word(&self) -> bool {
        self.apart <= WORD_BITS && !self.has_rest()
    }

    /// Whether words are not enough to decide between these filters and the filters of `target`.
    pub(crate) fn open(&self, target: &Self) -> bool {
        self.has_rest() || target.has_rest() || (self.are_owned() && target.are_owned())
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

    /// The bits of the filters that a filter meets, and the bit of the rest. With `contacts`,
    /// sensors meet nothing.
    pub(crate) fn met_by(&self, filter: &Filter, contacts: bool) -> u32 {
        if contacts && filter.sensor {
            return 0;
        }
        let mut met = if self.has_rest() { 1 << REST_BIT } else { 0 };
        for (class, known) in self.known.iter().take(self.apart).enumerate() {
            met |= u32::from(meet(filter, known, contacts)) << class;
        }
        met
    }

    /// Whether `met` has the bits of all filters.
    pub(crate) fn all_in(&self, met: u32) -> bool {
        let places = self.known.len() + usize::from(self.more);
        (met.trailing_ones() as usize) >= places.min(WORD_BITS)
    }

    /// Replaces `words` by the bits of the classes of `target` that each class meets.
    pub(super) fn words(&self, target: &Self, contacts: bool, words: &mut ClassWords) {
        let ClassWords { met, surely } = words;
        met.clear();
        met.extend(self.known[..self.apart].iter().map(|known| target.met_by(known, contacts)));
        met.push(u32::MAX);
        let sure = if target.has_rest() { !(1 << REST_BIT) } else { u32::MAX };
        surely.clear();
        surely.extend(met[..self.apart].iter().map(|met| met & sure));
        surely.push(0);
    }

    /// Replaces `rows` by the classes of this set that each class meets.
    pub(super) fn rows(&self, contacts: bool, rows: &mut ClassRows) {
        let ClassRows { met, surely } = rows;
        met.clear();
        met.resize(CLASSES_IN_BYTE, ClassRow::NONE);
        let known = &self.known[..self.apart];
        for (class, filter) in known.iter().enumerate() {
            for (other, known) in known[..=class].iter().enumerate() {
                let meets = meet(filter, known, contacts);
                met[class].add(other, meets);
                met[other].add(class, meets);
            }
        }
        surely.clear();
        if self.has_rest() {
            surely.extend_from_slice(met);
            met[self.apart] = ClassRow::ALL;
            for row in &mut met[..self.apart] {
                row.add(self.apart, true);
            }
        }
    }

    /// Whether all rows meet all rows of `target` except rows of their owner, by words of this set.
    pub(super) fn all_meet(&self, target: &Self, words: &ClassWords) -> bool {
        !self.has_rest() && words.met[..self.apart].iter().all(|met| target.all_in(*met))
    }

    /// Writes the word of the filter of the item at each place of a grid, ghosts included, to the
    /// front of `words`: for each list of `words`, `word_of` has the word of each class, then of
    /// the rest. (A place without an item may have the id of any row. No search reads its word.)
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
            let class = usize::from(class).min(self.apart);
            for at in 0..N {
                words[at][place] = word_of[at][class];
            }
        }
    }

    /// Writes the class of the item at each place of a grid, ghosts included, to the front of
    /// `of`.
    pub(super) fn sort_classes(&self, side: &FilteredItems<'_>, of: &mut Vec<u8>) {
        grow(of, side.ids.len() + MAX_LANES);
        let flip = if side.complements { u32::MAX } else { 0 };
        for (of, id) in of.iter_mut().zip(side.ids) {
            let class = self.of_row.get((id ^ flip) as usize).copied().unwrap_or_default();
            *of = usize::from(class).min(self.apart) as u8;
        }
    }

    /// Writes the owner of the item at each place to the front of `words`, if any row has an owner.
    pub(crate) fn sort_owners(&self, side: &FilteredItems<'_>, words: &mut Vec<u32>) {
        if self.are_owned() {
            grow(words, side.ids.len() + MAX_LANES);
            let flip = if side.complements { u32::MAX } else { 0 };
            for (word, id) in words.iter_mut().zip(side.ids) {
                *word = self.owners.get((id ^ flip) as usize).copied().unwrap_or_default();
            }
        }
    }
}

/// The words of each class of a set, and of the rest behind them.
#[derive(Debug, Default)]
pub(super) struct ClassWords {
    /// The bits of the filters of another set that the class may meet, and of the filters that it
    /// surely meets.
    pub(super) met: Vec<u32>,
    pub(super) surely: Vec<u32>,
}

held!(ClassWords { met, surely });

/// The rows of each class of a set, the rest included: a row for each value of a byte.
#[derive(Debug, Default)]
pub(super) struct ClassRows {
    /// The classes that the class may meet.
    met: Vec<ClassRow>,
    /// The classes that it surely meets. Empty if there is no rest.
    surely: Vec<ClassRow>,
}

held!(ClassRows { met, surely });

impl ClassRows {
    /// The rows of the classes that each class may meet, and of the classes that it surely meets.
    pub(super) fn both(&self) -> [&[ClassRow]; 2] {
        [&self.met, &self.surely]
    }
}

/// The bit of each class, and of the rest, for sets of at most a word of classes.
pub(super) const ONE_BIT: [u32; WORD_BITS + 1] = {
    let mut bits = [1 << REST_BIT; WORD_BITS + 1];
    let mut place = 0;
    while place < WORD_BITS {
        bits[place] = 1 << place;
        place += 1;
    }
    bits
};

/// Whether two filters meet, whatever their owners are. With `contacts`, sensors meet nothing.
#[inline(always)]
pub(super) fn meet(a: &Filter, b: &Filter, contacts: bool) -> bool {
    !(contacts && (a.sensor || b.sensor)) && a.meets_apart(b)
}

/// The slot where the class of a filter is looked for first.
#[inline(always)]
fn slot_of(filter: &Filter) -> usize {
    let Filter { category, mask, group, sensor, .. } = *filter;
    let word = category ^ mask.rotate_left(23) ^ u64::from(group.cast_unsigned()) << 1;
    let hash = (word ^ u64::from(sensor)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (hash >> (u64::BITS - CLASS_SLOTS.trailing_zeros())) as usize
}

/// The class of a filter, which is added if it is new and there is room.
#[inline(never)]
fn class_of(filter: &Filter, known: &mut Vec<Filter>, slots: &mut [u16; CLASS_SLOTS]) -> u16 {
    let mut slot = slot_of(filter);
    while let Some(other) = known.get(usize::from(slots[slot])) {
        if same(other, filter) {
            return slots[slot];
        }
        slot = (slot + 1) % CLASS_SLOTS;
    }
    if known.len() == MAX_CLASSES {
        return OTHER_CLASS;
    }
    slots[slot] = known.len() as u16;
    known.push(*filter);
    slots[slot]
}

/// Whether two filters differ at most in their owners. No branch: only the last comparison is
/// predictable.
#[inline(always)]
fn same(a: &Filter, b: &Filter) -> bool {
    let masks = (a.category ^ b.category) | (a.mask ^ b.mask);
    masks | u64::from((a.group ^ b.group).cast_unsigned()) | u64::from(a.sensor ^ b.sensor) == 0
}

/// The class of a filter and its owner.
#[cfg(feature = "queries")]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FilterKind {
    class: u16,
    owner: u32,
}

#[cfg(feature = "queries")]
impl FilterKind {
    /// The kind of filters of this class, whatever their owners are.
    pub(crate) fn of_any_owner(self) -> Self {
        Self { owner: 0, ..self }
    }
}

#[cfg(feature = "queries")]
impl DistinctFilters {
    /// The kind of the filter of a row.
    pub(crate) fn kind(&self, row: usize) -> FilterKind {
        let class = self.of_row.get(row).copied().unwrap_or_default();
        FilterKind { class, owner: self.owners.get(row).copied().unwrap_or_default() }
    }

    /// Whether a filter may meet filters of a kind. Surely, if the class is known.
    pub(crate) fn may_meet(&self, filter: &Filter, kind: FilterKind) -> bool {
        let known = self.known.get(usize::from(kind.class));
        known.is_none_or(|known| Filter { owner: kind.owner, ..*known }.meets(filter))
    }
}

/// The filters of an index.
#[derive(Debug, Default)]
pub(crate) struct SetFilters {
    /// The filter of each row. Empty without filters.
    rows: Vec<Filter>,
    /// The distinct filters of `rows`; without filters, the default filter.
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

    /// Replaces the filter of a row; the index has `len` rows. A further row has the default filter
    /// until then.
    pub(crate) fn change(&mut self, row: usize, filter: &Filter, rows: usize) {
        if self.distinct.known.is_empty() {
            self.set(None);
        }
        if self.rows.is_empty() && *filter == Filter::ALL {
            return;
        }
        self.rows.resize(rows, Filter::ALL);
        self.rows[row] = *filter;
        self.distinct.change(row, filter, rows);
    }

    /// Replaces `bits` by the bit of the filter of the item at each place of a grid, and `owners`
    /// by its owner. `ids` are the ids of the grid, the complements of rows. Leaves them empty if
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

    /// The bit of the filter of a row, and its owner, each with the word of all rows that stands
    /// for a missing list: see [`sort`](SetFilters::sort).
    pub(crate) fn words(&self, row: u32) -> [(u32, u32); 2] {
        let DistinctFilters { of_row, apart, owners, .. } = &self.distinct;
        let class = of_row.get(row as usize).copied().unwrap_or_default();
        let owner = owners.get(row as usize).copied().unwrap_or_default();
        [(ONE_BIT[usize::from(class).min(*apart)], ONE_BIT[0]), (owner, 0)]
    }

    /// The filter of each row, if there are any.
    pub(crate) fn rows(&self) -> Option<&[Filter]> {
        (!self.rows.is_empty()).then_some(&self.rows[..])
    }
}

/// A side of a meeting.
#[derive(Clone, Copy)]
pub(crate) struct FilteredItems<'a> {
    /// The id at each place of the grid.
    pub(crate) ids: &'a [u32],
    /// Whether the ids are complements of rows.
    pub(crate) complements: bool,
    pub(crate) filters: Option<&'a [Filter]>,
}

impl FilteredItems<'_> {
    /// The row of the item at a place.
    pub(super) fn row(&self, place: usize) -> u32 {
        let id = self.ids[place];
        if self.complements { !id } else { id }
    }
}
