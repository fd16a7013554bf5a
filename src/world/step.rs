//! A step: bodies → pairs, contacts and events.
//!
//! In plain words:
//!
//! ```text
//! if resting bodies have changed: find the pairs of the changed bodies; put these, or if they are
//!     many the bodies that changed earlier and not since, into holes among the sorted ones; sort
//!     all once sorting the others has taken longer
//! pairs = pairs among bodies that do not move, which the memory of an earlier step may have;
//!     pairs among moving bodies, and of moving bodies with the others
//! contacts = the contacts of the pairs without a sensor; with a margin, the contacts of all bodies
//!     that are at most so far apart, which is a search of its own
//! if lists are to be sorted: sort pairs and contacts by their rows
//! events = the difference of the pairs and the pairs of the last step, by rows: the pairs of a row
//!     whose body is gone have stopped
//! ```

use std::mem::take;

use super::{
    Step, World,
    bodies::Bodies,
    carried_values::all_first,
    fields::Call,
    found::{Finder, FoundPairs, StepLists, Version, add_pairs, senses},
};
use crate::{
    base::{Pair, timings::Stopwatch},
    error::{
        Error,
        limit::{Granted, try_reserve},
    },
    events::Unchanged,
    options::uses_pool,
    store::Columns,
};

/// Asks for the memory of the difference of two steps. The difference changes the lists that the
/// next step compares with, so no part of it may fail.
fn ask_for_events(granted: &mut Granted, pairs: usize, contacts: usize) -> Result<(), Error> {
    let bytes = pairs.saturating_mul(400).saturating_add(contacts.saturating_mul(96));
    granted.ask(0, pairs, bytes.saturating_add(1 << 18))
}

/// Asks for the memory of a step that depends on the bodies alone.
fn ask_for_rows(granted: &mut Granted, rows: usize) -> Result<(), Error> {
    granted.ask(1, rows, rows.saturating_mul(24).saturating_add(1 << 14))
}

impl World {
    /// Detects the bodies that touch, and compares them with the last step.
    ///
    /// # Errors
    /// [`Error::TooManyPairs`] and [`Error::TooManyContacts`], by the options of the world: the
    /// limits hold for the pairs among moving bodies, for their pairs with other bodies, and for
    /// the pairs among other bodies; [`Error::OutOfMemory`]. The bodies and the results of the last
    /// step then stay as they were, and the next step compares with the last step.
    pub fn step(&mut self) -> Result<Step, Error> {
        self.log_values();
        let result = self.detect();
        // The pairs at rest may be newer than the pairs of the last step, which a snapshot has.
        self.resting.anew |= result.is_err();
        result?;
        self.log_hash(Call::Step);
        Ok(self.found.clone())
    }

    fn detect(&mut self) -> Result<(), Error> {
        let Self { bodies, detector, narrowphase, resting, changes, stopwatch, .. } = self;
        let Self { found, spare, moving, diff, kept, against, solid, margin, near, .. } = self;
        let granted = &mut self.granted;
        stopwatch.begin(detector.options().timings);
        bodies.index.forget_moving();
        if resting.anew || !bodies.touched.is_empty() || bodies.index.is_unsettled() {
            let margin = *margin;
            resting.update(bodies, &mut Finder { detector, narrowphase, near, solid, margin })?;
            bodies.index.ready()?;
            stopwatch.end(|timings| &mut timings.index);
        }
        ask_for_rows(granted, bodies.index.shapes.rows())?;
        bodies.moving_rows();
        let columns = bodies.columns()?.select(&bodies.moving);
        let lists = spare.lists_mut();
        resting.list(detector.options(), lists)?;
        // If the lists begin with the pairs at rest, the moving pairs are found apart, and copied.
        let begins = !resting.is_empty();
        let StepLists { pairs, contacts, begin, .. } = lists;
        let mut own = match begins {
            true => take(moving),
            false => FoundPairs { pairs: take(pairs), contacts: take(contacts) },
        };
        stopwatch.end(|timings| &mut timings.check);
        let finder = &mut Finder { detector, narrowphase, near, solid, margin: *margin };
        let mut result = own.find(bodies, columns, finder, against, stopwatch);
        if begins {
            result = result.and_then(|()| own.add_to(pairs, contacts));
            *moving = own;
        } else {
            (*pairs, *contacts) = (own.pairs, own.contacts);
        }
        result?;
        if detector.sort_lists(pairs, contacts) {
            *begin = Version::default();
        }
        let same = match *begin == Version::default() {
            true => Unchanged::default(),
            false => resting.list.unchanged_since(&found.0),
        };
        ask_for_events(granted, pairs.len() + found.pairs().len(), contacts.len())?;
        stopwatch.end(|timings| &mut timings.contacts);
        let (threads, gone) =
            (detector.options().threads, changes.gone_rows(bodies.index.shapes.rows()));
        if *margin > 0.0 && !near.counted {
            near.begin(found.contacts())?;
            kept.count_anew(found.contacts(), &near.pairs);
        }
        if near.counted {
            near.update(contacts, gone, threads)?;
            kept.replace(found.contacts(), contacts, &near.pairs, &near.diff);
            kept.count(contacts, &near.pairs);
            diff.update_distinct(pairs, same, gone, threads)?;
        } else {
            diff.update_distinct(pairs, same, gone, threads)?;
            kept.replace(found.contacts(), contacts, pairs, diff);
        }
        if *margin == 0.0 && near.counted {
            kept.count_anew(contacts, pairs);
            near.counted = false;
        }
        if *margin > 0.0 {
            let firsts = near.find_firsts(contacts, diff.started());
            lists.write_events(diff, bodies, changes, threads, |number, _| firsts[number]);
        } else if !kept.is_counted(pairs.len()) && all_first(contacts, pairs, diff.started()) {
            lists.write_events(diff, bodies, changes, threads, |_, index| index);
        } else {
            kept.count(contacts, pairs);
            lists.write_events(diff, bodies, changes, threads, |_, index| kept.first(index));
        }
        std::mem::swap(found, spare);
        changes.removed.clear();
        changes.reshaped.clear();
        self.stopwatch.end(|timings| &mut timings.events);
        Ok(())
    }
}

impl FoundPairs {
    /// Replaces the pairs by the pairs among moving bodies, and of moving bodies with the other
    /// bodies, and the contacts by the contacts of the moving bodies.
    fn find(
        &mut self,
        bodies: &Bodies,
        columns: Columns<'_>,
        finder: &mut Finder<'_>,
        against: &mut Vec<Pair>,
        stopwatch: &mut Stopwatch,
    ) -> Result<(), Error> {
        let Finder { detector, narrowphase, near, solid, margin } = finder;
        let Self { pairs, contacts } = self;
        detector.pairs_and_against(columns, &bodies.index, pairs, against)?;
        stopwatch.end_detection(detector.timings());
        add_pairs(pairs, against)?;
        stopwatch.end(|timings| &mut timings.finish);
        let shapes = &bodies.index.shapes;
        if *margin > 0.0 {
            let (part, finder) = (bodies.index.part(0), (&mut **detector, &mut **narrowphase));
            return near.find(bodies, columns, part, finder, *margin, contacts);
        }
        let solid = match shapes.columns().filtering.filters {
            None => &*pairs,
            Some(_) => {
                solid.clear();
                try_reserve(solid, pairs.len())?;
                solid.extend(pairs.iter().filter(|pair| !senses(shapes, **pair)));
                &**solid
            }
        };
        if uses_pool(detector.options().threads, solid.len()) {
            narrowphase.contacts_on_pool(shapes.columns(), solid, contacts)
        } else {
            narrowphase.contacts(shapes, solid, 0.0, contacts)
        }
    }
}
