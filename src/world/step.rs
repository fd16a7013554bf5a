//! A step: bodies → pairs, contacts and events.
//!
//! In plain words:
//!
//! ```text
//! if a body that does not move has changed: sort such bodies again, and find the pairs among them
//! pairs = pairs among moving bodies, of moving bodies with the others, and among the others
//! contacts = the contacts of the pairs without a sensor
//! events = the difference of the pairs and the pairs of the last step, by rows: the pairs of a row
//!     whose body is gone have stopped
//! ```

use super::{
    Step, World,
    found::{StepResults, senses},
    log::Call,
};
use crate::{Error, Pair};

impl World {
    /// Detects what touches, and compares it with the last step.
    ///
    /// # Errors
    /// [`Error::TooManyPairs`] and [`Error::TooManyContacts`], by the options of the world: the
    /// limits hold for the pairs among moving bodies, for those with the others, and for those
    /// among the others; [`Error::OutOfMemory`]. The bodies and the results of the last step then
    /// stay as they were, and the next step compares with that one.
    pub fn step(&mut self) -> Result<Step<'_>, Error> {
        self.log_values();
        self.detect()?;
        self.log_hash(Call::Step);
        Ok(self.last_step())
    }

    fn detect(&mut self) -> Result<(), Error> {
        let Self { bodies, detector, narrowphase, still, found, changes, stopwatch, .. } = self;
        stopwatch.begin(detector.options().timings);
        let StepResults { against, solid, .. } = found;
        if bodies.still_changed {
            still.sort(bodies, detector, narrowphase, solid)?;
            bodies.still_changed = false;
            stopwatch.end(|timings| &mut timings.index);
        }
        bodies.rows();
        let [moving, _] = bodies.known_rows();
        let columns = bodies.shapes.columns().select(moving);
        let mut pairs = std::mem::take(&mut self.spare_pairs);
        let mut contacts = std::mem::take(&mut self.spare_contacts);
        stopwatch.end(|timings| &mut timings.check);
        let result =
            detector.pairs_and_against(columns, &still.index, &mut pairs, against).and_then(|()| {
                stopwatch.end_detection(detector.timings());
                pairs.extend(against.iter().map(|&Pair { a, b }| {
                    let b = still.rows[b as usize];
                    Pair { a: a.min(b), b: a.max(b) }
                }));
                stopwatch.end(|timings| &mut timings.finish);
                solid.clear();
                let shapes = &bodies.shapes;
                solid.extend(pairs.iter().filter(|pair| !senses(shapes, **pair)));
                narrowphase.contacts(shapes, solid, 0.0, &mut contacts)?;
                pairs.extend_from_slice(&still.pairs);
                contacts.extend_from_slice(&still.contacts);
                stopwatch.end(|timings| &mut timings.contacts);
                found.diff.update_rows(&pairs, changes.gone_rows(bodies.shapes.rows()))
            });
        if let Err(error) = result {
            (self.spare_pairs, self.spare_contacts) = (pairs, contacts);
            return Err(error);
        }
        self.spare_pairs = std::mem::replace(&mut found.pairs, pairs);
        self.spare_contacts = std::mem::replace(&mut found.contacts, contacts);
        let StepResults { kept, contacts, pairs, diff, .. } = found;
        kept.replace(&self.spare_contacts, contacts, pairs, diff.last_indices());
        found.write_events(bodies, changes);
        changes.removed.clear();
        changes.reshaped.clear();
        self.stopwatch.end(|timings| &mut timings.events);
        Ok(())
    }
}
