//! Filter masks by place: which items each searching item may pair with.

use super::{
    DistinctFilters, Filtering, Predicate, SetFilters, distinct::BITS, side::FilteredItems,
};
use crate::{
    base::buffer::grow,
    simd::{MAX_LANES, Simd},
};

/// Decides which items of one grid meet which items of another, or of the same grid, while they
/// are searched.
#[derive(Clone, Copy)]
pub(crate) struct MeetingFilter<'a> {
    /// For the item at each place of the grid that searches: the filters that it meets, one bit
    /// each.
    met: &'a [u32],
    /// For the item at each place of the grid that is searched: the bit of its filter. `None`: all
    /// have bit 0.
    bits: Option<&'a [u32]>,
    /// For the item at each place of both grids: its owner, or 0. `None` if not both sets have
    /// owners.
    owners: Option<[&'a [u32]; 2]>,
    /// Decides the pairs that pass, if that is not enough.
    exact: Option<FilterDecision<'a>>,
}

/// The side of an index, which is searched.
#[derive(Clone, Copy)]
pub(crate) struct Target<'a> {
    /// The complement of the row at each place of the grid.
    pub(crate) ids: &'a [u32],
    pub(crate) filters: &'a SetFilters,
    /// The bit of the filter at each place, unless all have bit 0.
    pub(crate) bits: Option<&'a [u32]>,
    /// The owner at each place. Empty if none has one.
    pub(crate) owners: &'a [u32],
}

/// The decision by the filters themselves, and by the predicate of the caller.
#[derive(Clone, Copy)]
struct FilterDecision<'a> {
    sides: [FilteredItems<'a>; 2],
    /// The classes of both sides; `None` if each has a bit of its own.
    classes: Option<[&'a DistinctFilters; 2]>,
    predicate: Option<Predicate<'a>>,
    /// Whether sensors meet nothing.
    contacts: bool,
    /// Whether the smaller row comes first, because both rows are of one set.
    one_set: bool,
}

impl FilterDecision<'_> {
    fn meet(&self, own: usize, other: usize) -> bool {
        let [first, second] = &self.sides;
        let (a, b) = (first.row(own), second.row(other));
        if let Some([own, other]) = self.classes {
            let filters = [own.of(a as usize, first.filters), other.of(b as usize, second.filters)];
            let silent = self.contacts && filters.iter().any(|filter| filter.sensor);
            if silent || !filters[0].meets_apart(filters[1]) {
                return false;
            }
        }
        let (a, b) = if self.one_set { (a.min(b), a.max(b)) } else { (a, b) };
        self.predicate.is_none_or(|Predicate(accepts)| accepts(a, b))
    }
}

impl MeetingFilter<'_> {
    /// The lanes of `hits` whose items the item at place `own` meets by their bits and owners. Lane
    /// 0 is at place `from`.
    #[inline(always)]
    pub(crate) fn keep<S: Simd>(&self, simd: S, own: usize, from: usize, hits: u32) -> u32 {
        let met = self.met[own];
        let mut kept = match self.bits {
            Some(bits) => hits & simd.common(bits, from, met),
            None if met & 1 == 1 => hits,
            None => 0,
        };
        if let Some([own_owners, owners]) = self.owners {
            let owner = own_owners[own];
            // The owners that are at least this one, and not above it.
            let least = simd.above(owners, from, owner.wrapping_sub(1));
            let same = least & !simd.above(owners, from, owner);
            kept &= !if owner == 0 { 0 } else { same };
        }
        kept
    }

    /// Whether [`decide`](Self::decide) decides anything.
    #[inline(always)]
    pub(crate) fn is_open(&self) -> bool {
        self.exact.is_some()
    }

    /// Of hits that [`keep`](Self::keep) has kept, those whose items the item at place `own` meets
    /// by what is no bit and no owner. `place` returns the place of a hit.
    #[inline(always)]
    pub(crate) fn decide(&self, own: usize, hits: u32, place: impl Fn(usize) -> usize) -> u32 {
        let Some(exact) = &self.exact else { return hits };
        let (mut kept, mut rest) = (hits, hits);
        while rest != 0 {
            let hit = rest.trailing_zeros();
            rest &= rest - 1;
            // No branch: what a predicate answers is hard to predict.
            kept ^= u32::from(!exact.meet(own, place(hit as usize))) << hit;
        }
        kept
    }
}

/// The memory of a meeting.
#[derive(Debug, Default)]
pub(crate) struct MeetingWorkspace {
    distinct: DistinctFilters,
    met: Vec<u32>,
    bits: Vec<u32>,
    owners: Vec<u32>,
}

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
        if filtering.is_none() {
            return None;
        }
        let Filtering { filters, predicate } = filtering;
        let side = FilteredItems { ids, complements: false, filters };
        let Self { distinct, met, bits, owners } = self;
        distinct.find(filters, selection);
        let met_in = distinct.met_in(distinct, contacts);
        distinct.sort(&side, [met, bits], [&met_in, &BITS]);
        distinct.sort_owners(&side, owners);
        let distinct = &*distinct;
        let owners = distinct.are_owned().then_some([&owners[..]; 2]);
        let classes = distinct.shares().then_some([distinct; 2]);
        let (sides, one_set) = ([side, side], true);
        let exact = FilterDecision { sides, classes, predicate, contacts, one_set };
        let exact = (classes.is_some() || predicate.is_some()).then_some(exact);
        Some(MeetingFilter { met, bits: Some(bits), owners, exact })
    }

    /// The meeting of the items of a grid and the items of an index, or `None` if all meet.
    pub(crate) fn between<'a>(
        &'a mut self,
        own: FilteredItems<'a>,
        selection: Option<&[u32]>,
        target: Target<'a>,
        predicate: Option<Predicate<'a>>,
        contacts: bool,
    ) -> Option<MeetingFilter<'a>> {
        let Target { ids, filters, bits, owners: other_owners } = target;
        let target = FilteredItems { ids, complements: true, filters: filters.rows() };
        if own.filters.is_none() && target.filters.is_none() && predicate.is_none() {
            return None;
        }
        let Self { distinct, met, owners, .. } = self;
        distinct.find(own.filters, selection);
        distinct.sort(&own, [met], [&distinct.met_in(&filters.distinct, contacts)]);
        distinct.sort_owners(&own, owners);
        let (distinct, other) = (&*distinct, &filters.distinct);
        let owned = !owners.is_empty() && !other_owners.is_empty();
        let owners = owned.then_some([&owners[..], other_owners]);
        let classes = (distinct.shares() || other.shares()).then_some([distinct, other]);
        let (sides, one_set) = ([own, target], false);
        let exact = FilterDecision { sides, classes, predicate, contacts, one_set };
        let exact = (classes.is_some() || predicate.is_some()).then_some(exact);
        Some(MeetingFilter { met, bits, owners, exact })
    }

    /// The meeting of the items of two indexes, or `None` if all meet. Of the first one, only the
    /// items at `places` are read.
    pub(crate) fn between_targets<'a>(
        &'a mut self,
        [own, target]: [Target<'a>; 2],
        places: impl Iterator<Item = usize>,
        contacts: bool,
    ) -> Option<MeetingFilter<'a>> {
        let sides = [own, target].map(|Target { ids, filters, .. }| FilteredItems {
            ids,
            complements: true,
            filters: filters.rows(),
        });
        if sides.iter().all(|side| side.filters.is_none()) {
            return None;
        }
        let [distinct, other] = [own, target].map(|side| &side.filters.distinct);
        let met_in = distinct.met_in(other, contacts);
        grow(&mut self.met, own.ids.len() + MAX_LANES);
        for place in places {
            let class = own.bits.map_or(0, |bits| bits[place].trailing_zeros() as usize);
            self.met[place] = met_in[class];
        }
        let owners = [own.owners, target.owners];
        let owners = owners.iter().all(|owners| !owners.is_empty()).then_some(owners);
        let classes = (distinct.shares() || other.shares()).then_some([distinct, other]);
        let exact = FilterDecision { sides, classes, predicate: None, contacts, one_set: false };
        let exact = classes.is_some().then_some(exact);
        Some(MeetingFilter { met: &self.met, bits: target.bits, owners, exact })
    }

    /// The bytes of memory held.
    pub(crate) fn bytes(&self) -> usize {
        let Self { distinct: _, met, bits, owners } = self;
        let words = met.capacity() + bits.capacity() + owners.capacity();
        self.distinct.bytes() + words * size_of::<u32>()
    }
}
