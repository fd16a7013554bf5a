//! Values of the caller that stay with contacts from step to step.

use super::PairEvent;
use crate::{Contact, Pair, base::copied, events::StartedPair};

/// A value for each point of each contact: the impulses of a solver along the normal and
/// perpendicular to it, say.
pub(super) type CarriedValue = [[f32; 2]; 2];

/// The values of the contacts of the last step, which are in the order of their pairs.
#[derive(Debug, Default)]
pub(super) struct CarriedValues {
    /// The place of the first contact of each pair, and the end of the last one; if counted.
    firsts: Vec<u32>,
    pub(super) counted: bool,
    pub(super) values: Vec<CarriedValue>,
    /// Whether any value may be other than zero, because the caller has had them. Else none is
    /// carried.
    pub(super) used: bool,
    /// Workspace: the values of the step that begins.
    next: (Vec<u32>, Vec<CarriedValue>),
}

copied!(CarriedValues { firsts, counted, values, used } but { next });

impl CarriedValues {
    /// Replaces the values of the contacts `before` by the values of `contacts`, which are in the
    /// order of `pairs`. A point of a contact of a pair that persists has the value of the point
    /// with the same id; others have zeros. `last` has the place of each pair in the last list.
    pub(super) fn replace(
        &mut self,
        before: &[Contact],
        contacts: &[Contact],
        pairs: &[Pair],
        last: impl Iterator<Item = Option<usize>>,
    ) {
        let Self { firsts, counted, values, used, next: (new_firsts, new_values) } = self;
        if !*used {
            // The contacts are not even read.
            values.resize(contacts.len(), CarriedValue::default());
            *counted = false;
            return;
        }
        find_firsts(contacts, pairs, new_firsts);
        new_values.clear();
        new_values.resize(contacts.len(), CarriedValue::default());
        for (ends, last) in new_firsts.windows(2).zip(last) {
            let Some(&[first, end, ..]) = last.and_then(|last| firsts.get(last..)) else {
                continue;
            };
            let old = first as usize..end as usize;
            let (before, values) = (&before[old.clone()], &values[old]);
            let new = ends[0] as usize..ends[1] as usize;
            for (contact, value) in contacts[new.clone()].iter().zip(&mut new_values[new]) {
                carry(contact, before, values, value);
            }
        }
        std::mem::swap(firsts, new_firsts);
        std::mem::swap(values, new_values);
    }

    /// The place of the first contact of the pair with this number, or
    /// [`NO_CONTACT`](PairEvent::NO_CONTACT). The contacts must have been counted.
    pub(super) fn first(&self, pair: u32) -> u32 {
        match self.firsts.get(pair as usize..) {
            Some(&[first, end, ..]) if first < end => first,
            _ => PairEvent::NO_CONTACT,
        }
    }

    /// The places of first contacts alone.
    pub(super) fn of_places(contacts: &[Contact], pairs: &[Pair]) -> Self {
        let mut places = Self::default();
        places.count(contacts, pairs);
        places
    }

    /// Removes all values, and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.firsts.clear();
        self.values.clear();
        (self.counted, self.used) = (false, false);
    }

    /// Replaces the values by values of a snapshot.
    pub(super) fn set(&mut self, values: Vec<CarriedValue>) {
        let numbers = values.as_flattened().as_flattened();
        self.used = numbers.iter().any(|number| number.to_bits() != 0);
        self.values = values;
    }

    /// Finds which values the pairs have. Returns whether the contacts are in the order of the
    /// pairs.
    pub(super) fn count(&mut self, contacts: &[Contact], pairs: &[Pair]) -> bool {
        self.counted = true;
        find_firsts(contacts, pairs, &mut self.firsts) == contacts.len()
    }

    /// The bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        let Self { firsts, counted: _, values, used: _, next } = self;
        (firsts.capacity() + next.0.capacity()) * size_of::<u32>()
            + (values.capacity() + next.1.capacity()) * size_of::<CarriedValue>()
    }
}

/// Whether the first contact of each of these pairs is at the place of the pair, as all are where
/// every pair has one contact.
pub(super) fn all_first(contacts: &[Contact], pairs: &[Pair], some: &[StartedPair]) -> bool {
    let is_of = |at: usize, pair| contacts.get(at).is_some_and(|contact| contact.pair == pair);
    some.iter().map(|some| some.index as usize).all(|place| {
        let pair = pairs[place];
        is_of(place, pair) && !place.checked_sub(1).is_some_and(|before| is_of(before, pair))
    })
}

/// Writes the value of a contact: the value of its points among the contacts of the pair in the
/// last step.
#[inline]
fn carry(contact: &Contact, before: &[Contact], values: &[CarriedValue], value: &mut CarriedValue) {
    let same = |old: &Contact| (old.part_a, old.part_b) == (contact.part_a, contact.part_b);
    let Some(place) = before.iter().position(same) else { return };
    for (value, point) in value.iter_mut().zip(contact.points()) {
        for (before, old) in values[place].iter().zip(before[place].points()) {
            if old.id() == point.id() {
                *value = *before;
            }
        }
    }
}

/// Finds the place of the first contact of each pair, and the end of the last one, for contacts in
/// the order of their pairs. Returns that end.
fn find_firsts(contacts: &[Contact], pairs: &[Pair], firsts: &mut Vec<u32>) -> usize {
    firsts.clear();
    add_firsts(contacts, pairs, 0, firsts)
}

/// Does the same for pairs whose contacts begin at a place.
pub(super) fn add_firsts(
    contacts: &[Contact],
    pairs: &[Pair],
    mut at: usize,
    firsts: &mut Vec<u32>,
) -> usize {
    for pair in pairs {
        firsts.push(at as u32);
        while contacts.get(at).is_some_and(|contact| contact.pair == *pair) {
            at += 1;
        }
    }
    firsts.push(at as u32);
    at
}
