//! A step: bodies → pairs, contacts and events.
//!
//! In plain words:
//!
//! ```text
//! if a body that does not move has changed: sort such bodies again, and find the pairs among them
//! pairs = pairs among moving bodies, of moving bodies with the others, and among the others
//! contacts = the contacts of the pairs without a sensor; with a margin, the contacts of all bodies
//!     that are at most so far apart, which is a search of its own
//! if lists are to be sorted: sort pairs and contacts by their rows
//! events = the difference of the pairs and the pairs of the last step, by rows: the pairs of a row
//!     whose body is gone have stopped
//! ```

use super::{
    Step, World,
    carried_values::all_first,
    found::{RestingBodies, StepLists, senses},
    log::Call,
};
use crate::{
    Error, Pair,
    error::limit::{Granted, try_reserve},
    options::uses_pool,
};

/// Asks for the memory of the difference of two steps. It changes what the next step compares with,
/// so nothing of it may fail.
fn ask_for_events(granted: &mut Granted, pairs: usize, contacts: usize) -> Result<(), Error> {
    let bytes = pairs.saturating_mul(400).saturating_add(contacts.saturating_mul(96));
    granted.ask(0, pairs, bytes.saturating_add(1 << 18))
}

/// Appends pairs with bodies that do not move, and makes room for the pairs among these.
fn add_pairs(pairs: &mut Vec<Pair>, against: &[Pair], still: &RestingBodies) -> Result<(), Error> {
    try_reserve(pairs, against.len() + still.pairs.len())?;
    pairs.extend(against.iter().map(|&Pair { a, b }| {
        let b = still.rows[b as usize];
        Pair { a: a.min(b), b: a.max(b) }
    }));
    Ok(())
}

/// Asks for the memory of a step that depends on the bodies alone.
fn ask_for_rows(granted: &mut Granted, rows: usize) -> Result<(), Error> {
    granted.ask(1, rows, rows.saturating_mul(24).saturating_add(1 << 14))
}

impl World {
    /// Detects what touches, and compares it with the last step.
    ///
    /// # Errors
    /// [`Error::TooManyPairs`] and [`Error::TooManyContacts`], by the options of the world: the
    /// limits hold for the pairs among moving bodies, for those with the others, and for those
    /// among the others; [`Error::OutOfMemory`]. The bodies and the results of the last step then
    /// stay as they were, and the next step compares with that one.
    pub fn step(&mut self) -> Result<Step, Error> {
        self.log_values();
        self.detect()?;
        self.log_hash(Call::Step);
        Ok(self.found.clone())
    }

    fn detect(&mut self) -> Result<(), Error> {
        let Self { bodies, detector, narrowphase, still, changes, stopwatch, .. } = self;
        let Self { found, spare, diff, kept, against, solid, margin, near, granted, .. } = self;
        stopwatch.begin(detector.options().timings);
        if bodies.still_changed {
            still.sort(bodies, detector, narrowphase, solid, *margin)?;
            bodies.still_changed = false;
            stopwatch.end(|timings| &mut timings.index);
        }
        ask_for_rows(granted, bodies.shapes.rows())?;
        bodies.rows();
        let [moving, _] = bodies.known_rows();
        let columns = bodies.columns()?.select(moving);
        let lists = spare.lists_mut();
        let StepLists { pairs, contacts, .. } = lists;
        stopwatch.end(|timings| &mut timings.check);
        detector.pairs_and_against(columns, &still.index, pairs, against)?;
        stopwatch.end_detection(detector.timings());
        add_pairs(pairs, against, still)?;
        stopwatch.end(|timings| &mut timings.finish);
        let shapes = &bodies.shapes;
        if *margin > 0.0 {
            near.find(bodies, still, (&mut *detector, narrowphase), *margin, contacts)?;
        } else {
            let solid = match shapes.columns().filtering.filters {
                None => &*pairs,
                Some(_) => {
                    solid.clear();
                    try_reserve(solid, pairs.len())?;
                    solid.extend(pairs.iter().filter(|pair| !senses(shapes, **pair)));
                    solid
                }
            };
            if uses_pool(detector.options().threads, solid.len()) {
                narrowphase.contacts_on_pool(shapes.columns(), solid, contacts)?;
            } else {
                narrowphase.contacts(shapes, solid, 0.0, contacts)?;
            }
            try_reserve(contacts, still.contacts.len())?;
            contacts.extend_from_slice(&still.contacts);
        }
        pairs.extend_from_slice(&still.pairs);
        detector.sort_lists(pairs, contacts);
        ask_for_events(granted, pairs.len() + found.pairs().len(), contacts.len())?;
        stopwatch.end(|timings| &mut timings.contacts);
        let (threads, gone) = (detector.options().threads, changes.gone_rows(shapes.rows()));
        if *margin > 0.0 && !near.counted {
            near.begin(found.contacts())?;
            kept.count(found.contacts(), &near.pairs);
        }
        if near.counted {
            near.update(contacts, gone, threads)?;
            kept.replace(found.contacts(), contacts, &near.pairs, near.diff.last_indices());
            kept.count(contacts, &near.pairs);
            diff.update_distinct(pairs, gone, threads)?;
        } else {
            diff.update_distinct(pairs, gone, threads)?;
            kept.replace(found.contacts(), contacts, pairs, diff.last_indices());
        }
        if *margin == 0.0 && near.counted {
            kept.count(contacts, pairs);
            near.counted = false;
        }
        if *margin > 0.0 {
            let firsts = near.find_firsts(contacts, diff.started());
            lists.write_events(diff, bodies, changes, threads, |number, _| firsts[number]);
        } else if !kept.counted && all_first(contacts, pairs, diff.started()) {
            lists.write_events(diff, bodies, changes, threads, |_, index| index);
        } else {
            if !kept.counted {
                kept.count(contacts, pairs);
            }
            lists.write_events(diff, bodies, changes, threads, |_, index| kept.first(index));
        }
        std::mem::swap(found, spare);
        changes.removed.clear();
        changes.reshaped.clear();
        self.stopwatch.end(|timings| &mut timings.events);
        Ok(())
    }
}
