//! Measures the time of each executor.

use widephase::Error;

use super::executor::Executor;
use crate::timing::{Limits, Rotation, Spread, Stopwatch, rounds, turn};

/// The measured result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Work {
    /// A list of pairs.
    Pairs,
    /// A list of contacts.
    Contacts,
}

/// The number of rounds beyond which a median does not improve.
const MAX_ROUNDS: usize = 2000;

/// The minimum number of rounds, whatever their time: each executor then runs on each scene.
const MIN_ROUNDS: usize = 2;

/// How many rounds are run in this time.
pub(super) fn limits(seconds: f64) -> Limits {
    Limits { least: MIN_ROUNDS, most: MAX_ROUNDS, seconds }
}

/// The times of each executor, in nanoseconds per body.
///
/// Each detection gets the next scene of the rotation, moved one step outside the measured time.
/// The measured time is the time of a whole detection from unsorted columns, with the checks on
/// entry, into a list that is reused. [Verification](super::verify) has warmed up all memory.
pub(super) fn run(
    executors: &mut [Executor],
    rotation: &mut Rotation,
    work: Work,
    seconds: f64,
) -> Result<Vec<Spread>, Error> {
    let turns = rounds::<_, Error>(executors, limits(seconds), |executor, first, time| {
        let threads = executor.configuration.threads;
        executor.within(|detector, lists| {
            turn::<Error>(time, |number| {
                let scene = rotation.next(first + number);
                let watch = Stopwatch::start(threads);
                match work {
                    Work::Pairs => detector.pairs(scene.columns(), &mut lists.pairs)?,
                    Work::Contacts => {
                        detector.contacts(scene.columns(), 0.0, &mut lists.contacts)?;
                    }
                }
                Ok(watch.stop().by(scene.len()))
            })
        })
    })?;
    Ok(turns.iter().map(|turns| Spread::of_turns(turns)).collect())
}
