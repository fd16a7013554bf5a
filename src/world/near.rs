//! `NearBodies`: contacts of what touches and of what is about to touch.

use super::{bodies::Bodies, found::RestingBodies};
use crate::{Contact, Detector, Error, Pair, PairDiff, base::copied};

/// The pairs of a world with a margin that are at most the margin apart, which is more than the
/// pairs that touch.
#[derive(Debug, Default)]
pub(super) struct NearBodies {
    /// Whether the values of the last step are counted by these pairs, because it had a margin; else
    /// by the pairs that touch.
    pub(super) counted: bool,
    /// The pairs that have contacts, each once, in the order of the contacts.
    pub(super) pairs: Vec<Pair>,
    pub(super) diff: PairDiff,
    /// Workspace: contacts with bodies that do not move.
    against: Vec<Contact>,
}

copied!(NearBodies { counted, diff } but { pairs, against });

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
        let columns = bodies.shapes.columns().select(moving);
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
        self.diff.update_rows(&self.pairs, None)?;
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
    ) -> Result<(), Error> {
        self.list_pairs(contacts);
        self.diff.update_rows(&self.pairs, gone)
    }

    /// The bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        let Self { counted: _, pairs, diff, against } = self;
        pairs.capacity() * size_of::<Pair>()
            + diff.bytes()
            + against.capacity() * size_of::<Contact>()
    }
}
