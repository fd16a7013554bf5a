//! Measures executors in turns.

use std::time::{Duration, Instant};

use super::clock::Timed;

/// The minimum number of consecutive calls of an executor, its turn. The first is not timed: the
/// other executors have evicted its memory from the cache, and its threads sleep. Neither happens
/// in an application that uses only one executor.
const SHORT_TURN: usize = 5;

/// The maximum number of consecutive calls, for scenes so small that these take no longer than
/// [`TURN_TIME`]: with several threads, it takes more than a few calls to refill the caches.
const LONG_TURN: usize = 20;

/// The time limit of such a turn, at most: it is less if the fewest rounds would else take too
/// long.
const TURN_TIME: Duration = Duration::from_millis(30);

/// How many rounds are run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// The minimum number, whatever their time.
    pub(crate) least: usize,
    /// The number beyond which results do not improve.
    pub(crate) most: usize,
    /// The time after which no round starts.
    pub(crate) seconds: f64,
}

impl Limits {
    /// The time limit of a turn with this many executors.
    pub(crate) fn turn_time(&self, executors: usize) -> Duration {
        let turns = (self.least * executors).max(1) as f64;
        TURN_TIME.min(Duration::from_secs_f64(self.seconds / turns))
    }
}

/// The times of the calls of a turn.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Turn {
    /// The times of undisturbed calls, or of all calls if each was disturbed.
    pub(crate) times: Vec<f64>,
    /// Whether each call was disturbed.
    pub(crate) disturbed: bool,
}

/// The turns of each executor.
///
/// A round is one turn of each executor, so a slow moment of the machine affects all of them
/// equally. `turn` gets an executor, the number of the scene with which its turn starts, and the
/// time limit of a [`turn`].
pub(crate) fn rounds<E, Error>(
    executors: &mut [E],
    limits: Limits,
    mut turn: impl FnMut(&mut E, usize, Duration) -> Result<Turn, Error>,
) -> Result<Vec<Vec<Turn>>, Error> {
    let mut turns = vec![Vec::new(); executors.len()];
    let time = limits.turn_time(executors.len());
    let start = Instant::now();
    let mut round = 0;
    while round < limits.least
        || round < limits.most && start.elapsed().as_secs_f64() < limits.seconds
    {
        for (index, (executor, turns)) in executors.iter_mut().zip(&mut turns).enumerate() {
            turns.push(turn(executor, round + index, time)?);
        }
        round += 1;
    }
    Ok(turns)
}

/// One turn, which ends at the first call after some time: `call` gets the number of the call in
/// the turn, and returns its time. The first time is dropped.
pub(crate) fn turn<Error>(
    limit: Duration,
    mut call: impl FnMut(usize) -> Result<Timed, Error>,
) -> Result<Turn, Error> {
    let begin = Instant::now();
    let (mut all, mut calm) = (Vec::new(), Vec::new());
    for number in 0..LONG_TURN {
        if number >= SHORT_TURN && begin.elapsed() > limit {
            break;
        }
        let Timed { nanoseconds, disturbed } = call(number)?;
        if number > 0 {
            all.push(nanoseconds);
            if !disturbed {
                calm.push(nanoseconds);
            }
        }
    }
    let disturbed = calm.is_empty();
    Ok(Turn { times: if disturbed { all } else { calm }, disturbed })
}

/// Quartiles that differ by at least this factor make a row noisy.
const NOISY: f64 = 1.2;

/// The median and the quartiles of some values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Spread {
    pub(crate) first_quartile: f64,
    pub(crate) median: f64,
    pub(crate) third_quartile: f64,
}

impl Spread {
    /// The median, and the medians of the values up to it and from it on. All 0 without values.
    pub(crate) fn of(values: &[f64]) -> Self {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let half = sorted.len().div_ceil(2);
        Self {
            first_quartile: middle(&sorted[..half]),
            median: middle(&sorted),
            third_quartile: middle(&sorted[sorted.len() - half..]),
        }
    }
}

impl Spread {
    /// The times of all calls of some turns.
    pub(crate) fn of_turns(turns: &[Turn]) -> Self {
        let times: Vec<f64> = turns.iter().flat_map(|turn| turn.times.iter().copied()).collect();
        Self::of(&times)
    }

    /// Whether the times are too far apart to say much.
    pub(crate) fn is_noisy(&self) -> bool {
        self.third_quartile > self.first_quartile * NOISY
    }
}

/// The median; 0 without values.
pub(crate) fn median(values: &[f64]) -> f64 {
    Spread::of(values).median
}

fn middle(sorted: &[f64]) -> f64 {
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => 0.0,
        len if len % 2 == 1 => sorted[middle],
        _ => (sorted[middle - 1] + sorted[middle]) / 2.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_is_the_middle() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(median(&[7.0]), 7.0);
        assert_eq!(median(&[]), 0.0);
    }

    #[test]
    fn quartiles_are_the_middles_of_the_halves() {
        let spread = Spread::of(&[5.0, 1.0, 4.0, 2.0, 3.0]);
        assert_eq!((spread.first_quartile, spread.median, spread.third_quartile), (2.0, 3.0, 4.0));
        let spread = Spread::of(&[4.0, 1.0, 2.0, 3.0]);
        assert_eq!((spread.first_quartile, spread.median, spread.third_quartile), (1.5, 2.5, 3.5));
    }

    /// With no time, each executor has the least number of turns, and each turn drops one call.
    #[test]
    fn rounds_take_turns() {
        let mut calls = Vec::new();
        let limits = Limits { least: 2, most: 9, seconds: 0.0 };
        let turns = rounds(&mut ['a', 'b'], limits, |&mut name, first, time| {
            calls.push((name, first));
            assert_eq!(time, Duration::ZERO);
            turn(TURN_TIME, |number| {
                // Every third call is disturbed.
                let (nanoseconds, disturbed) = (number as f64, number % 3 == 0);
                Ok::<_, ()>(Timed { nanoseconds, disturbed })
            })
        });
        assert_eq!(calls, [('a', 0), ('b', 1), ('a', 1), ('b', 2)]);
        let calm = (1..LONG_TURN).filter(|number| number % 3 > 0);
        let expected = Turn { times: calm.map(|number| number as f64).collect(), disturbed: false };
        assert_eq!(turns, Ok(vec![vec![expected; 2]; 2]));
        let disturbed =
            turn(TURN_TIME, |_| Ok::<_, ()>(Timed { nanoseconds: 5.0, disturbed: true }));
        assert_eq!(disturbed, Ok(Turn { times: vec![5.0; LONG_TURN - 1], disturbed: true }));
        let short =
            turn(Duration::ZERO, |_| Ok::<_, ()>(Timed { nanoseconds: 5.0, disturbed: false }));
        assert_eq!(short.map(|turn| turn.times.len()), Ok(SHORT_TURN - 1));
        // Two rounds of four executors are eight turns.
        let limits = |seconds| Limits { least: 2, most: 9, seconds };
        assert_eq!(limits(0.08).turn_time(4), Duration::from_millis(10));
        assert_eq!(limits(1.0).turn_time(4), TURN_TIME);
        assert!(Spread::of(&[10.0, 10.0, 13.0, 13.0]).is_noisy());
        assert!(!Spread::of(&[10.0, 10.0, 11.0, 11.0]).is_noisy());
    }
}
