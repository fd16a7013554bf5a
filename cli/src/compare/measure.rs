//! Measures the time of each executor.

use std::time::Instant;

use widephase::Error;

use super::executor::Executor;
use crate::timing::{Limits, Rotation, median, rounds, turn};

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

/// The median time of each executor, in nanoseconds per body.
///
/// Each detection gets the next scene of the rotation, moved one step outside the measured time.
/// The measured time is that of a whole detection from unsorted columns, with the checks on entry,
/// into a list that is reused. [Verification](super::verify) has warmed up all memory.
pub(super) fn run(
    executors: &mut [Executor],
    rotation: &mut Rotation,
    work: Work,
    seconds: f64,
) -> Result<Vec<f64>, Error> {
    let limits = Limits { least: MIN_ROUNDS, most: MAX_ROUNDS, seconds };
    let turns = rounds::<_, Error>(executors, limits, |executor, first| {
        executor.within(|detector, lists| {
            turn::<Error>(|number| {
                let scene = rotation.next(first + number);
                let start = Instant::now();
                match work {
                    Work::Pairs => detector.pairs(scene.columns(), &mut lists.pairs)?,
                    Work::Contacts => {
                        detector.contacts(scene.columns(), 0.0, &mut lists.contacts)?;
                    }
                }
                Ok(start.elapsed().as_nanos() as f64 / scene.len() as f64)
            })
        })
    })?;
    Ok(turns.into_iter().map(|turns| median(&turns.concat())).collect())
}
