//! `NearBodies`: contacts of bodies that touch or are about to touch.

use super::{PairEvent, bodies::Bodies};
use crate::{
    base::{
        Pair, copied,
        order::{by_key, list_by_key},
        pair::pair_key,
    },
    detector::Detector,
    error::Error,
    events::{StartedPair, Unchanged, pair_diff::PairDiff},
    index::IndexPart,
    narrowphase::{View, contact::Contact, listed_pairs::Narrowphase},
    options::Threads,
    store::Columns,
};

/// The pairs of a world with a margin that are at most the margin apart, which is more than the
/// pairs that touch.
#[derive(Debug, Default)]
pub(super) struct NearBodies {
    /// Whether the values of the last step are counted by these pairs, because it had a margin;
    /// else by the pairs that touch.
    pub(super) counted: bool,
    /// The pairs that have contacts, each once, in the order of the contacts.
    pub(super) pairs: Vec<Pair>,
    pub(super) diff: PairDiff,
    /// Workspace: contacts with bodies that do not move; the first contact of each pair that
    /// started.
    against: Vec<Contact>,
    firsts: Vec<u32>,
    /// Workspace: the pairs of shapes that may be equal, and their contacts; the parts of the
    /// contacts of a pair.
    equal: Vec<Pair>,
    again: Vec<Contact>,
    parts: Vec<(u64, u32)>,
}

copied!(NearBodies { counted, diff } but { pairs, against, firsts, equal, again, parts });

impl NearBodies {
    /// Replaces `contacts` by the contacts of some bodies that are at most `margin` apart, and by
    /// the contacts of these bodies with bodies that do not move.
    pub(super) fn find(
        &mut self,
        bodies: &Bodies,
        columns: Columns<'_>,
        part: IndexPart<'_>,
        (detector, narrowphase): (&mut Detector, &mut Narrowphase),
        margin: f32,
        contacts: &mut Vec<Contact>,
    ) -> Result<(), Error> {
        let against = &mut self.against;
        detector.list_both_contacts(columns, part, margin, contacts, against)?;
        let has_parts = self.order_rows(bodies);
        let Self { against, equal, again, .. } = self;
        if equal.is_empty() && !has_parts {
            contacts.extend_from_slice(against);
        } else {
            narrowphase.contacts(&bodies.index.shapes, equal, margin, again)?;
            self.list_by_parts(contacts);
        }
        Ok(())
    }

    /// Brings the rows of contacts with bodies that do not move into ascending order. Lists the
    /// pairs whose contacts are no mirror images, because the shapes may be equal. Returns whether
    /// contacts of two compounds may have come into another order.
    fn order_rows(&mut self, bodies: &Bodies) -> bool {
        let Self { against, equal, .. } = self;
        let rows = bodies.index.shapes.read();
        let (view, mut parts) = (View::of(&rows), 0);
        equal.clear();
        for contact in against {
            let pair = contact.pair;
            if pair.a < pair.b {
                continue;
            }
            *contact = contact.mirrored();
            parts |= contact.part_a.min(1) | contact.part_b.min(1) << 1;
            // Equal shapes touch, or have the depth of shapes that may not only touch.
            let overlap = contact.depth >= -f32::MIN_POSITIVE;
            if overlap && equal.last() != Some(&contact.pair) && view.may_be_equal(contact) {
                equal.push(contact.pair);
            }
        }
        parts == 3
    }

    /// Appends the contacts with bodies that do not move, of each pair by its parts. Contacts that
    /// were made again replace the earlier contacts.
    fn list_by_parts(&mut self, contacts: &mut Vec<Contact>) {
        let Self { against, again, parts, .. } = self;
        let same = |one: &Contact, next: &Contact| one.pair == next.pair;
        let mut again = again.chunk_by(same).peekable();
        for own in against.chunk_by(same) {
            let own = again.next_if(|again| again[0].pair == own[0].pair).unwrap_or(own);
            list_by_key(parts, own, |contact| {
                u64::from(contact.part_a) << 32 | u64::from(contact.part_b)
            });
            contacts.extend(parts.iter().map(|(_, at)| own[*at as usize]));
        }
    }

    /// Begins with the contacts of a step: the next one compares its contacts with them.
    pub(super) fn begin(&mut self, contacts: &[Contact]) -> Result<(), Error> {
        self.list_pairs(contacts);
        self.diff.clear();
        self.diff.update(&self.pairs)?;
        self.counted = true;
        Ok(())
    }

    /// Lists the pairs of contacts, each once. The contacts of a pair are in a row.
    fn list_pairs(&mut self, contacts: &[Contact]) {
        self.pairs.clear();
        self.pairs.extend(contacts.iter().map(|contact| contact.pair));
        self.pairs.dedup();
    }

    /// Compares the contacts of a step with the contacts of the last step. Pairs of rows that are
    /// `true` in `gone` have stopped.
    pub(super) fn update(
        &mut self,
        contacts: &[Contact],
        gone: Option<&[bool]>,
        threads: Threads,
    ) -> Result<(), Error> {
        self.list_pairs(contacts);
        self.diff.update_distinct(&self.pairs, Unchanged::default(), gone, threads)
    }

    /// The place of the first contact of each pair that started to touch. Contacts have another
    /// order than pairs.
    pub(super) fn find_firsts(&mut self, contacts: &[Contact], started: &[StartedPair]) -> &[u32] {
        self.firsts.clear();
        self.firsts.resize(started.len(), PairEvent::NO_CONTACT);
        if !started.is_empty() {
            for (place, contact) in (0..).zip(contacts) {
                let key = (u64::from(contact.pair.a), u64::from(contact.pair.b));
                if let Ok(at) = started.binary_search_by_key(&key, |pair| (pair.a, pair.b)) {
                    self.firsts[at] = self.firsts[at].min(place);
                }
            }
        }
        &self.firsts
    }

    /// The place of the first contact of each pair that has any, sorted by the
    /// [keys](pair_key) of the pairs.
    pub(super) fn sorted_firsts(contacts: &[Contact]) -> Vec<(u64, u32)> {
        let mut firsts = by_key(contacts, |contact| pair_key(&contact.pair));
        firsts.dedup_by_key(|(key, _)| *key);
        firsts
    }
}
