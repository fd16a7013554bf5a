//! Filter masks by place: which items each searching item may pair with.

use super::{
    DistinctFilters, Filtering, Predicate, SetFilters, distinct::BITS, side::FilteredItems,
};
use crate::simd::Simd;

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
    /// Decides the pairs that pass, if the bits are not enough.
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
}

/// The decision by the filters themselves, and by the predicate of the caller.
#[derive(Clone, Copy)]
struct FilterDecision<'a> {
    sides: [FilteredItems<'a>; 2],
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
        let filters = [first.filter(a), second.filter(b)];
        let silent = self.contacts && filters.iter().any(|filter| filter.sensor);
        if silent || !filters[0].meets(&filters[1]) {
            return false;
        }
        let (a, b) = if self.one_set { (a.min(b), a.max(b)) } else { (a, b) };
        self.predicate.is_none_or(|Predicate(accepts)| accepts(a, b))
    }
}

impl MeetingFilter<'_> {
    /// The lanes of `hits` whose items the item at place `own` meets. Lane 0 is at place `from`.
    #[inline(always)]
    pub(crate) fn keep<S: Simd>(&self, simd: S, own: usize, from: usize, hits: u32) -> u32 {
        let met = self.met[own];
        let mut kept = match self.bits {
            Some(bits) => hits & simd.common(bits, from, met),
            None if met & 1 == 1 => hits,
            None => 0,
        };
        if let Some(exact) = &self.exact {
            let mut rest = kept;
            while rest != 0 {
                let lane = rest.trailing_zeros();
                rest &= rest - 1;
                if !exact.meet(own, from + lane as usize) {
                    kept ^= 1 << lane;
                }
            }
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
        let Self { distinct, met, bits } = self;
        distinct.find(filters, selection);
        distinct.sort(&side, met, &distinct.met_in(distinct, contacts));
        distinct.sort(&side, bits, &BITS);
        let exact = FilterDecision { sides: [side, side], predicate, contacts, one_set: true };
        let exact = (distinct.open(distinct) || predicate.is_some()).then_some(exact);
        Some(MeetingFilter { met, bits: Some(bits), exact })
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
        let Target { ids, filters, bits } = target;
        let target = FilteredItems { ids, complements: true, filters: filters.rows() };
        if own.filters.is_none() && target.filters.is_none() && predicate.is_none() {
            return None;
        }
        let Self { distinct, met, .. } = self;
        distinct.find(own.filters, selection);
        distinct.sort(&own, met, &distinct.met_in(&filters.distinct, contacts));
        let exact = FilterDecision { sides: [own, target], predicate, contacts, one_set: false };
        let open = distinct.open(&filters.distinct) || predicate.is_some();
        Some(MeetingFilter { met, bits, exact: open.then_some(exact) })
    }

    /// The bytes of memory held.
    pub(crate) fn bytes(&self) -> usize {
        let words = self.met.capacity() + self.bits.capacity();
        self.distinct.bytes() + words * size_of::<u32>()
    }
}
