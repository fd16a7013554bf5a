//! Measures the time of each executor.

use std::time::{Duration, Instant};

use widephase::Error;

use super::{executor::Executor, rotation::Rotation};

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

/// The minimum number of consecutive detections of an executor, its turn. The first is not timed:
/// the other executors have evicted its memory from the cache, and its threads sleep. Neither
/// happens in an application that uses only one of them.
const SHORT_TURN: usize = 5;

/// The maximum number of consecutive detections, for scenes so small that these take no longer than
/// [`TURN_TIME`]: with several threads, it takes more than a few detections to refill the caches.
const LONG_TURN: usize = 20;

/// The time limit of such a turn.
const TURN_TIME: Duration = Duration::from_millis(30);

/// The median time of each executor, in nanoseconds per body.
///
/// A round is one turn of each executor, so a slow moment of the machine affects all of them
/// equally. Each detection gets the next scene of the rotation, moved one step outside the measured
/// time. The measured time is that of a whole detection from unsorted columns, with the checks on
/// entry, into a list that is reused. [Verification](super::verify) has warmed up all memory.
pub(super) fn run(
    executors: &mut [Executor],
    rotation: &mut Rotation,
    work: Work,
    seconds: f64,
) -> Result<Vec<f64>, Error> {
    let mut times = vec![Vec::new(); executors.len()];
    let start = Instant::now();
    let mut rounds = 0;
    while rounds < MIN_ROUNDS || rounds < MAX_ROUNDS && start.elapsed().as_secs_f64() < seconds {
        for (index, executor) in executors.iter_mut().enumerate() {
            let times = &mut times[index];
            executor.within(|detector, lists| -> Result<(), Error> {
                let begin = Instant::now();
                for turn in 0..LONG_TURN {
                    if turn >= SHORT_TURN && begin.elapsed() > TURN_TIME {
                        break;
                    }
                    let scene = rotation.next(rounds + index + turn);
                    let start = Instant::now();
                    match work {
                        Work::Pairs => detector.pairs(scene.columns(), &mut lists.pairs)?,
                        Work::Contacts => {
                            detector.contacts(scene.columns(), 0.0, &mut lists.contacts)?;
                        }
                    }
                    let time = start.elapsed();
                    if turn > 0 {
                        times.push(time.as_nanos() as f64 / scene.len() as f64);
                    }
                }
                Ok(())
            })?;
        }
        rounds += 1;
    }
    Ok(times.into_iter().map(median).collect())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => 0.0,
        len if len % 2 == 1 => values[middle],
        _ => (values[middle - 1] + values[middle]) / 2.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_is_the_middle() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(median(vec![7.0]), 7.0);
    }
}
