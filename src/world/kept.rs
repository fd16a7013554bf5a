//! Values of the caller that stay with contacts from step to step.

use crate::{Contact, Pair, PersistedPair};

/// A value for each point of each contact: the impulses of a solver along the normal and
/// perpendicular to it, say.
pub(super) type Value = [[f32; 2]; 2];

/// The values of the contacts of this step and of the last one.
#[derive(Debug, Clone, Default)]
pub(super) struct Kept {
    /// The contacts, and the place of the first one of each pair.
    contacts: Vec<Contact>,
    firsts: Vec<u32>,
    pub(super) values: Vec<Value>,
    /// Workspace: those of the step that begins.
    next: (Vec<u32>, Vec<Value>),
}

impl Kept {
    /// Replaces the contacts, which are in the order of their pairs; `pairs` have the contacts at
    /// `rows`. A point of a contact of a pair that persists has the value of the point with the
    /// same id; others have zeros.
    pub(super) fn replace(
        &mut self,
        contacts: &[Contact],
        pairs: &[Pair],
        persisted: &[PersistedPair],
    ) {
        let Self { contacts: before, firsts, values, next: (new_firsts, new_values) } = self;
        find_firsts(contacts, pairs, new_firsts);
        new_values.clear();
        new_values.resize(contacts.len(), Value::default());
        let of_pair = |firsts: &[u32], index: u32| {
            let ends = firsts.get(index as usize..).and_then(<[u32]>::first_chunk);
            ends.map_or(0..0, |[first, end]| *first as usize..*end as usize)
        };
        for pair in persisted {
            let old = of_pair(firsts, pair.last_index);
            for at in of_pair(new_firsts, pair.index) {
                let contact = &contacts[at];
                let same =
                    |old: &Contact| (old.part_a, old.part_b) == (contact.part_a, contact.part_b);
                let Some(place) = before[old.clone()].iter().position(same) else { continue };
                let place = old.start + place;
                for (value, point) in new_values[at].iter_mut().zip(contact.points()) {
                    for (before, old) in values[place].iter().zip(before[place].points()) {
                        if old.id() == point.id() {
                            *value = *before;
                        }
                    }
                }
            }
        }
        before.clear();
        before.extend_from_slice(contacts);
        std::mem::swap(firsts, new_firsts);
        std::mem::swap(values, new_values);
    }

    /// Replaces the contacts and their values by those of a snapshot. Returns whether the contacts
    /// are in the order of these pairs.
    pub(super) fn restore(
        &mut self,
        contacts: &[Contact],
        pairs: &[Pair],
        values: Vec<Value>,
    ) -> bool {
        let end = find_firsts(contacts, pairs, &mut self.firsts);
        self.contacts.extend_from_slice(contacts);
        self.values = values;
        end == contacts.len()
    }

    pub(super) fn parts_mut(&mut self) -> (&[Contact], &mut [Value]) {
        (&self.contacts, &mut self.values)
    }

    /// The bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        let Self { contacts, firsts, values, next } = self;
        contacts.capacity() * size_of::<Contact>()
            + (firsts.capacity() + next.0.capacity()) * size_of::<u32>()
            + (values.capacity() + next.1.capacity()) * size_of::<Value>()
    }
}

/// Finds the place of the first contact of each pair, and the end of the last one, for contacts in
/// the order of their pairs. Returns that end.
fn find_firsts(contacts: &[Contact], pairs: &[Pair], firsts: &mut Vec<u32>) -> usize {
    firsts.clear();
    let mut at = 0;
    for pair in pairs {
        firsts.push(at as u32);
        while contacts.get(at).is_some_and(|contact| contact.pair == *pair) {
            at += 1;
        }
    }
    firsts.push(at as u32);
    at
}
