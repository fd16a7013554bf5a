//! Values of the caller that stay with contacts from step to step.

use super::PairEvent;
use crate::{
    base::{Pair, copied, held},
    events::{StartedPair, Unchanged, pair_diff::PairDiff},
    narrowphase::contact::Contact,
};

/// A value for each point of each contact: the impulses of a solver along the normal and
/// perpendicular to it, say.
pub(super) type CarriedValue = [[f32; 2]; 2];

/// The values of the contacts of the last step, which are in the order of their pairs.
#[derive(Debug, Default)]
pub(super) struct CarriedValues {
    /// The place of the first contact of each of the first pairs, and the end of the contacts of
    /// the last of these pairs.
    firsts: Vec<u32>,
    pub(super) values: Vec<CarriedValue>,
    /// Whether any value may be other than zero, because the caller has had them. Else no value is
    /// carried.
    used: bool,
    /// Whether the caller has had them since the last step.
    lent: bool,
    /// Workspace: the values of the last step that may be carried, and where they are.
    last: LastValues,
}

/// The values of the last step of the pairs that are compared: from a pair on, and then of pairs at
/// some places.
#[derive(Debug, Default)]
struct LastValues {
    values: Vec<CarriedValue>,
    /// As `firsts`, from that pair on.
    firsts: Vec<u32>,
    /// Where the values of the pairs at some places begin.
    others: Vec<usize>,
}

held!(LastValues { values, firsts, others });

copied!(CarriedValues { firsts, values, used, lent } but { last });

impl CarriedValues {
    /// Replaces the values of the contacts `before` by the values of `contacts`, which are in the
    /// order of `pairs`. A point of a contact of a pair that persists has the value of the point
    /// with the same id; other points have zeros. `diff` has compared the pairs with the pairs
    /// before.
    pub(super) fn replace(
        &mut self,
        before: &[Contact],
        contacts: &[Contact],
        pairs: &[Pair],
        diff: &PairDiff,
    ) {
        let Unchanged { len, but } = diff.unchanged();
        if !self.used {
            // The contacts are not even read.
            self.values.resize(contacts.len(), CarriedValue::default());
            self.firsts.truncate(len + 1);
            return;
        }
        self.settle(before, len);
        self.keep_compared(len, but);
        self.values.resize(contacts.len(), CarriedValue::default());
        self.count(contacts, pairs);
        let Self { firsts, values, last: kept, .. } = self;
        let ends = |index: usize| match firsts.get(index..) {
            Some(&[begin, end, ..]) => begin as usize..end as usize,
            _ => 0..0,
        };
        for (index, last) in diff.compared() {
            let Some(last) = last else { continue };
            let (old, at) = match last.checked_sub(len).map(|last| kept.firsts.get(last..)) {
                Some(Some(&[begin, end, ..])) => {
                    (begin as usize..end as usize, (begin - kept.firsts[0]) as usize)
                }
                Some(_) => continue,
                None => {
                    let at = but.partition_point(|place| (*place as usize) < last);
                    (ends(last), kept.others[at])
                }
            };
            let (before, last) = (&before[old.clone()], &kept.values[at..at + old.len()]);
            let new = ends(index);
            for (contact, value) in contacts[new.clone()].iter().zip(&mut values[new]) {
                carry(contact, before, last, value);
            }
        }
    }

    /// The values of the first `len` pairs stay as they are. Sets the values of points that a
    /// contact does not have to zeros, as [`carry`] does.
    fn settle(&mut self, contacts: &[Contact], len: usize) {
        if std::mem::take(&mut self.lent) {
            let end = self.firsts.get(len).map_or(0, |end| *end as usize);
            for (contact, value) in contacts[..end].iter().zip(&mut self.values) {
                match contact.points() {
                    [one, other] if one.id() == other.id() => value[0] = value[1],
                    [_, _] => {}
                    points => value[points.len()..].fill([0.0; 2]),
                }
            }
        }
    }

    /// Takes the values of the pairs from a place on, and sets the values of pairs at other places
    /// to zeros, of which copies are kept.
    fn keep_compared(&mut self, len: usize, but: &[u32]) {
        let Self { firsts, values, last, .. } = self;
        let begin = firsts.get(len).map_or(0, |begin| *begin as usize);
        last.firsts.clear();
        last.firsts.extend_from_slice(firsts.get(len..).unwrap_or_default());
        firsts.truncate(len + 1);
        if begin == 0 {
            std::mem::swap(values, &mut last.values);
        } else {
            last.values.clear();
            last.values.extend_from_slice(&values[begin..]);
        }
        values.truncate(begin);
        last.others.clear();
        for place in but {
            let own = firsts[*place as usize] as usize..firsts[*place as usize + 1] as usize;
            last.others.push(last.values.len());
            last.values.extend_from_slice(&values[own.clone()]);
            values[own].fill(CarriedValue::default());
        }
    }

    /// The place of the first contact of the pair with this number, or
    /// [`NO_CONTACT`](PairEvent::NO_CONTACT). The contacts must have been [counted](Self::count).
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
        (self.used, self.lent) = (false, false);
    }

    /// The values, for the caller to change.
    pub(super) fn lend(&mut self) -> &mut [CarriedValue] {
        (self.used, self.lent) = (true, true);
        &mut self.values
    }

    /// Replaces the values by values of a snapshot.
    pub(super) fn set(&mut self, values: Vec<CarriedValue>) {
        let numbers = values.as_flattened().as_flattened();
        self.used = numbers.iter().any(|number| number.to_bits() != 0);
        self.lent = self.used;
        self.values = values;
    }

    /// Finds which values the pairs have, but for the first pairs for which that is known. Returns
    /// whether the contacts are in the order of the pairs.
    pub(super) fn count(&mut self, contacts: &[Contact], pairs: &[Pair]) -> bool {
        let begin = self.firsts.pop().unwrap_or(0) as usize;
        let known = self.firsts.len();
        add_firsts(contacts, &pairs[known..], begin, &mut self.firsts) == contacts.len()
    }

    /// Counts for other pairs than before.
    pub(super) fn count_anew(&mut self, contacts: &[Contact], pairs: &[Pair]) {
        self.firsts.clear();
        self.count(contacts, pairs);
    }

    /// Whether the values of this many pairs are known.
    pub(super) fn is_counted(&self, pairs: usize) -> bool {
        self.firsts.len() == pairs + 1
    }
}

/// Whether the first contact of each pair of `some` is at the place of the pair, as it is if every
/// pair has one contact.
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

/// Adds the place of the first contact of each pair, and the end of the contacts of the last pair,
/// for contacts in the order of their pairs, which begin at a place. Returns that end.
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
