//! Filter masks by place: which items each searching item may pair with; and lists of rows,
//! decided one after the other (`ListedRows`).

use super::{
    DistinctFilters, Filtering, Predicate, SetFilters,
    distinct::{ClassRows, ClassWords, FilteredItems, ONE_BIT, meet},
};
use crate::{
    base::{buffer::grow, held},
    kernel::{ColumnSet, RoundedColumns, grown::surely_touch},
    simd::{ClassRow, DECISIONS_AHEAD, MAX_LANES, Simd, map_each},
};

/// Decides which items of one grid meet which items of another, or of the same grid, while they
/// are searched: by the classes of their filters, then by owners, then by the filters themselves
/// where classes are not enough, then by a predicate.
#[derive(Clone, Copy, Default)]
pub(crate) struct MeetingFilter<'a> {
    /// `None` if classes decide nothing.
    pub(crate) classes: Option<MetClasses<'a>>,
    /// `None` if not both sets have owners.
    pub(crate) owners: Option<Owners<'a>>,
    /// `None` if classes are enough, or decide nothing.
    pub(crate) exact: Option<ExactMeeting<'a>>,
    /// `None` if items are as large as their shapes.
    pub(crate) grown: Option<GrownItems<'a>>,
}

impl<'a> MeetingFilter<'a> {
    /// The bits of the filters that the item at `place` meets, if bits alone decide.
    #[inline(always)]
    pub(crate) fn met_by(&self, place: usize) -> Option<(MetBits<'a>, u32)> {
        match self {
            Self {
                classes: Some(MetClasses::Bits(bits)),
                owners: None,
                exact: None,
                grown: None,
            } => Some((*bits, bits.met[place])),
            _ => None,
        }
    }
}

/// Decides which items touch that are [grown](Predicate::grown), where `f32` is not enough.
#[derive(Clone, Copy)]
pub(crate) struct GrownItems<'a> {
    pub(crate) predicate: Predicate<'a>,
    /// The items at the places of the grid that searches, and of the grid that is searched.
    pub(crate) columns: [RoundedColumns<'a>; 2],
    /// The ids of these items.
    pub(crate) ids: [&'a [u32]; 2],
    /// The mask that turns an id of the second grid into a row.
    pub(crate) complement: u32,
}

/// Which items meet by the classes of their filters.
#[derive(Clone, Copy)]
pub(crate) enum MetClasses<'a> {
    Bits(MetBits<'a>),
    Rows(MetRows<'a>),
}

/// Which items meet by rows of classes.
#[derive(Clone, Copy)]
pub(crate) struct MetRows<'a> {
    /// For each class, the classes that are met.
    rows: &'a [ClassRow],
    /// The class of the item at each place of the grid, which searches and is searched.
    pub(crate) of: &'a [u8],
}

/// Which items meet by the bits of their filters.
#[derive(Clone, Copy)]
pub(crate) struct MetBits<'a> {
    /// For the item at each place of the grid that searches: the bits that it may meet.
    pub(crate) met: &'a [u32],
    /// For the item at each place of the grid that is searched: the bit of its filter. `None`: all
    /// filters have bit 0.
    of: Option<&'a [u32]>,
}

/// The owner of the item at each place of the grid that searches, and of the grid that is searched;
/// 0 for no owner.
#[derive(Clone, Copy)]
pub(crate) struct Owners<'a> {
    pub(crate) own: &'a [u32],
    of: &'a [u32],
}

/// The decision by the filters themselves, where classes are not enough.
#[derive(Clone, Copy)]
pub(crate) struct ExactMeeting<'a> {
    /// The classes that are enough, because all their filters are met.
    pub(crate) surely: MetClasses<'a>,
    sides: [FilteredItems<'a>; 2],
    classes: [&'a DistinctFilters; 2],
    /// Whether sensors meet nothing.
    contacts: bool,
}

impl<'a> MeetingFilter<'a> {
    /// The same meeting of grown items, if they are.
    pub(crate) fn with_grown(meeting: Option<Self>, grown: Option<GrownItems<'a>>) -> Option<Self> {
        if grown.is_none() { meeting } else { Some(Self { grown, ..meeting.unwrap_or_default() }) }
    }
}

/// A test of an item, known by its word, and the items at a vector of places.
pub(crate) trait LaneTest {
    type Word: Copy + Default;

    /// The lanes of `hits` whose items meet the item of `word`. Lane 0 is at place `from`. Other
    /// bits may be set.
    fn lanes<S: Simd>(&self, simd: S, from: usize, word: Self::Word, hits: u32) -> u32;
}

impl MetClasses<'_> {
    /// The lanes of `hits` whose items the item at place `own` meets.
    #[inline(always)]
    pub(crate) fn keep<S: Simd>(&self, simd: S, from: usize, own: usize, hits: u32) -> u32 {
        let kept = match self {
            Self::Bits(bits) => bits.lanes(simd, from, bits.met[own], hits),
            Self::Rows(rows) => rows.lanes(simd, from, rows.of[own], hits),
        };
        hits & kept
    }
}

impl LaneTest for MetRows<'_> {
    /// The class of an item.
    type Word = u8;

    /// The lanes whose classes are met by `class`.
    #[inline(always)]
    fn lanes<S: Simd>(&self, simd: S, from: usize, class: u8, hits: u32) -> u32 {
        simd.within(self.of, from, &self.rows[usize::from(class)], hits)
    }
}

impl LaneTest for MetBits<'_> {
    type Word = u32;

    /// The lanes whose items have a bit of `met`.
    #[inline(always)]
    fn lanes<S: Simd>(&self, simd: S, from: usize, met: u32, _: u32) -> u32 {
        match self.of {
            Some(bits) => simd.common(bits, from, met),
            None => 0_u32.wrapping_sub(met & 1),
        }
    }
}

impl LaneTest for Owners<'_> {
    type Word = u32;

    /// The lanes whose items are not of `owner`.
    #[inline(always)]
    fn lanes<S: Simd>(&self, simd: S, from: usize, owner: u32, _: u32) -> u32 {
        let same = simd.equal(self.of, from, owner);
        !same | if owner == 0 { u32::MAX } else { 0 }
    }
}

impl LaneTest for GrownItems<'_> {
    /// The place of an item.
    type Word = u32;

    /// The lanes whose items surely touch the item at a place.
    #[inline(always)]
    fn lanes<S: Simd>(&self, simd: S, from: usize, own: u32, _: u32) -> u32 {
        let [columns, others] = self.columns;
        let item = columns.splat(simd, own as usize);
        simd.bits(surely_touch(simd, item, others.load(simd, from)))
    }
}

impl GrownItems<'_> {
    /// Whether the items at two places touch.
    #[inline]
    pub(crate) fn touch(&self, own: usize, other: usize) -> bool {
        let [a, b] = self.rows(own, other);
        (self.predicate.accept)(a, b)
    }

    /// Prefetches the memory that the decision about two places reads.
    #[inline]
    pub(crate) fn prefetch(&self, own: usize, other: usize) {
        if let Some(prefetch) = self.predicate.prefetch {
            let [a, b] = self.rows(own, other);
            prefetch(a, b);
        }
    }

    #[inline]
    fn rows(&self, own: usize, other: usize) -> [u32; 2] {
        let Self { ids: [ids, other_ids], complement, .. } = self;
        [ids[own], other_ids[other] ^ complement]
    }
}

impl ExactMeeting<'_> {
    /// Whether the items at two places meet.
    pub(crate) fn meet(&self, own: usize, other: usize) -> bool {
        let Self { sides: [first, second], classes: [own_classes, classes], .. } = self;
        let (a, b) = (first.row(own) as usize, second.row(other) as usize);
        let filters = [own_classes.of(a, first.filters), classes.of(b, second.filters)];
        meet(filters[0], filters[1], self.contacts)
    }
}

/// The side of an index, which is searched.
#[derive(Clone, Copy)]
pub(crate) struct Target<'a> {
    /// The complement of the row at each place of the grid.
    pub(crate) ids: &'a [u32],
    pub(crate) filters: &'a SetFilters,
    /// The bit of the filter at each place, unless all places have bit 0.
    pub(crate) bits: Option<&'a [u32]>,
    /// The owner at each place. Empty if no place has an owner.
    pub(crate) owners: &'a [u32],
}

/// The memory of a meeting.
#[derive(Debug, Default)]
pub(crate) struct MeetingWorkspace {
    distinct: DistinctFilters,
    words: ClassWords,
    rows: ClassRows,
    /// For each place, in the columns that a search uses: the bits that the item may meet, the bits
    /// that it surely meets, the bit of its filter, its class, and its owner.
    met: Vec<u32>,
    surely: Vec<u32>,
    bits: Vec<u32>,
    classes: Vec<u8>,
    owners: Vec<u32>,
}

held!(MeetingWorkspace { distinct, words, rows, met, surely, bits, classes, owners });

impl MeetingWorkspace {
    /// The meeting of the items of one grid, or `None` if all meet. `ids` are the ids of the grid.
    /// The items are the rows of `selection`, or all rows. With `contacts`, sensors meet nothing.
    pub(crate) fn within<'a>(
        &'a mut self,
        ids: &'a [u32],
        filtering: Filtering<'a>,
        selection: Option<&[u32]>,
        contacts: bool,
    ) -> Option<MeetingFilter<'a>> {
        let filters = filtering.filters;
        filters?;
        let side = FilteredItems { ids, complements: false, filters };
        let Self { distinct, words, rows, met, bits, classes, owners, .. } = self;
        distinct.find(filters, selection, true);
        distinct.sort_owners(&side, owners);
        let owned = distinct.are_owned().then_some(Owners { own: owners, of: owners });
        if distinct.fit_in_word() {
            distinct.words(distinct, contacts, words);
            let some_apart = !distinct.all_meet(distinct, words);
            if some_apart {
                distinct.sort(&side, [met, bits], [&words.met, &ONE_BIT]);
            }
            let bits = some_apart.then_some(MetBits { met, of: Some(bits) });
            return meeting(bits.map(MetClasses::Bits), owned, None);
        }
        distinct.rows(contacts, rows);
        distinct.sort_classes(&side, classes);
        let [may, surely] =
            map_each(rows.both(), |rows| MetClasses::Rows(MetRows { rows, of: classes }));
        let distinct = &*distinct;
        let exact = distinct.has_rest().then_some(ExactMeeting {
            surely,
            sides: [side; 2],
            classes: [distinct; 2],
            contacts,
        });
        meeting(Some(may), owned, exact)
    }

    /// The meeting of the items of a grid and the items of an index, or `None` if all meet.
    pub(crate) fn between<'a>(
        &'a mut self,
        own: FilteredItems<'a>,
        selection: Option<&[u32]>,
        target: Target<'a>,
        contacts: bool,
    ) -> Option<MeetingFilter<'a>> {
        let Target { ids, filters, bits, owners: other_owners } = target;
        let target = FilteredItems { ids, complements: true, filters: filters.rows() };
        if own.filters.is_none() && target.filters.is_none() {
            return None;
        }
        let Self { distinct, words, met, surely, owners, .. } = self;
        let other = &filters.distinct;
        distinct.find(own.filters, selection, true);
        distinct.words(other, contacts, words);
        let open = distinct.has_rest() || other.has_rest();
        let some_apart = open || !distinct.all_meet(other, words);
        match (some_apart, open) {
            (false, _) => {}
            (true, false) => distinct.sort(&own, [met], [&words.met]),
            (true, true) => distinct.sort(&own, [met, surely], [&words.met, &words.surely]),
        }
        let owned = distinct.are_owned() && !other_owners.is_empty();
        if owned {
            distinct.sort_owners(&own, owners);
        }
        meeting(
            some_apart.then_some(MetClasses::Bits(MetBits { met, of: bits })),
            owned.then_some(Owners { own: owners, of: other_owners }),
            open.then_some(ExactMeeting {
                surely: MetClasses::Bits(MetBits { met: surely, of: bits }),
                sides: [own, target],
                classes: [&*distinct, other],
                contacts,
            }),
        )
    }

    /// The meeting of the items of two indexes, or `None` if all items meet. Of the first index,
    /// only the items at `places` are read.
    pub(crate) fn between_targets<'a>(
        &'a mut self,
        [own, target]: [Target<'a>; 2],
        places: impl Iterator<Item = usize>,
        contacts: bool,
    ) -> Option<MeetingFilter<'a>> {
        let sides = map_each([own, target], |Target { ids, filters, .. }| FilteredItems {
            ids,
            complements: true,
            filters: filters.rows(),
        });
        if sides.iter().all(|side| side.filters.is_none()) {
            return None;
        }
        let Self { words, met, surely, .. } = self;
        let [distinct, other] = map_each([own, target], |side| &side.filters.distinct);
        distinct.words(other, contacts, words);
        let open = distinct.has_rest() || other.has_rest();
        let some_apart = open || !distinct.all_meet(other, words);
        if some_apart {
            let len = own.ids.len() + MAX_LANES;
            grow(met, len);
            grow(surely, if open { len } else { 0 });
            for place in places {
                // An index has at most as many classes apart as there are bits.
                let class = own.bits.map_or(0, |bits| bits[place].trailing_zeros() as usize);
                met[place] = words.met[class];
                if open {
                    surely[place] = words.surely[class];
                }
            }
        }
        let owned = !own.owners.is_empty() && !target.owners.is_empty();
        meeting(
            some_apart.then_some(MetClasses::Bits(MetBits { met, of: target.bits })),
            owned.then_some(Owners { own: own.owners, of: target.owners }),
            open.then_some(ExactMeeting {
                surely: MetClasses::Bits(MetBits { met: surely, of: target.bits }),
                sides,
                classes: [distinct, other],
                contacts,
            }),
        )
    }
}

/// A meeting, or `None` if nothing is decided.
fn meeting<'a>(
    classes: Option<MetClasses<'a>>,
    owners: Option<Owners<'a>>,
    exact: Option<ExactMeeting<'a>>,
) -> Option<MeetingFilter<'a>> {
    let decides = classes.is_some() || owners.is_some();
    decides.then_some(MeetingFilter { classes, owners, exact, grown: None })
}

/// Lists of rows, one after the other.
pub(crate) struct ListedRows<'a> {
    /// The row whose list it is, for each list.
    pub(crate) of: &'a [u32],
    pub(crate) items: &'a mut [u32],
    /// Where each list ends.
    pub(crate) ends: &'a mut [u32],
}

impl ListedRows<'_> {
    /// Removes the items that are not accepted. `prefetch` is for a row that `accept` is asked
    /// about soon.
    #[inline]
    pub(crate) fn retain(self, prefetch: impl Fn(u32), accept: impl Fn(u32, u32) -> bool) {
        let Self { of, items, ends } = self;
        let (mut begin, mut kept) = (0, 0);
        for (&row, end) in of.iter().zip(ends) {
            for at in begin..*end as usize {
                if let Some(&ahead) = items.get(at + DECISIONS_AHEAD) {
                    prefetch(ahead);
                }
                let other = items[at];
                items[kept] = other;
                // No branch: nearly all rows are kept.
                kept += usize::from(accept(row, other));
            }
            (begin, *end) = (*end as usize, kept as u32);
        }
    }
}
