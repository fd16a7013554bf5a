//! `NearBodies`: contacts of what touches and of what is about to touch.

use super::{PairEvent, bodies::Bodies, found::RestingBodies};
use crate::{
    Contact, Detector, Error, Pair, PairDiff, Threads,
    base::{copied, order::by_key, pair::pair_key},
    events::StartedPair,
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
}

copied!(NearBodies { counted, diff } but { pairs, against, firsts });

impl NearBodies {
    /// Replaces `contacts` by the contacts of all bodies that are at most `margin` apart, the
    /// contacts among resting bodies last.
    pub(super) fn find(
        &mut self,
        bodies: &Bodies,
        still: &RestingBodies,
        detector: &mut Detector,
        margin: f32,
        contacts: &mut Vec<Contact>,
    ) -> Result<(), Error> {
        let against = &mut self.against;
        let [moving, _] = bodies.known_rows();
        let columns = bodies.columns()?.select(moving);
        detector.contacts_and_against(columns, &still.index, margin, contacts, against)?;
        contacts.extend(against.iter().map(|contact| {
            let Pair { a, b } = contact.pair;
            let contact = contact.with_pair(Pair { a, b: still.rows[b as usize] });
            if contact.pair.a < contact.pair.b { contact } else { contact.mirrored() }
        }));
        contacts.extend_from_slice(&still.contacts);
        Ok(())
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

    /// Compares the contacts of a step with those of the last one. Pairs of rows that are `true` in
    /// `gone` have stopped.
    pub(super) fn update(
        &mut self,
        contacts: &[Contact],
        gone: Option<&[bool]>,
        threads: Threads,
    ) -> Result<(), Error> {
        self.list_pairs(contacts);
        self.diff.update_distinct(&self.pairs, gone, threads)
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

    /// The bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        let Self { counted: _, pairs, diff, against, firsts } = self;
        pairs.capacity() * size_of::<Pair>()
            + diff.bytes()
            + against.capacity() * size_of::<Contact>()
            + firsts.capacity() * size_of::<u32>()
    }
}
