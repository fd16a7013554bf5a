//! The speed-up: steps of the world at the chosen level and at the scalar level, in turns.
//!
//! A round has a turn of each side, and every other round begins with the other side. All steps are
//! steps of the world that is drawn. So both sides meet the same bodies in the same motion, and
//! caches that frames have used alike. Level and threads change no result, so the turns change
//! nothing in the world.

use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

/// The steps of a turn: the untimed steps, and the timed steps. After a change of options, the
/// first step of a world sorts anew the bodies that do not move.
const UNTIMED: u32 = 1;
const TIMED: u32 = 3;
const TURN: u32 = UNTIMED + TIMED;

/// The fewest steps between two rounds, and the share of time that the scalar level may take.
const REST: u32 = 12;
const SHARE: u32 = 20;

/// The turns of each side whose times are kept, and the fewest that tell something.
const KEPT: usize = 12;
const LEAST: usize = 3;

/// With which options a step is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// The level and the threads of the settings.
    Chosen,
    /// The scalar level on one thread.
    Scalar,
}

/// The part of a step in a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Between two rounds.
    Rest,
    Untimed,
    Timed,
}

/// How a step is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Turn {
    pub(super) side: Side,
    part: Part,
}

/// The rounds, and the times that they have measured.
pub(super) struct Turns {
    /// The rounds that have ended, and the steps of the next round so far.
    rounds: u32,
    steps: u32,
    /// The steps and the time before the next round.
    rest: u32,
    next: Instant,
    /// The time of the scalar steps of this round.
    spent: Duration,
    /// By side: the fastest step of this round, and the fastest steps of the last rounds that have
    /// ended. A step that another program has interrupted tells nothing.
    round: [Option<Duration>; 2],
    kept: [VecDeque<Duration>; 2],
}

impl Turn {
    /// A step that is in no round.
    pub(super) const REST: Self = Self { side: Side::Chosen, part: Part::Rest };
}

impl Turns {
    /// Without times. The next step begins the first round.
    pub(super) fn new(now: Instant) -> Self {
        Self {
            rounds: 0,
            steps: 0,
            rest: 0,
            next: now,
            spent: Duration::ZERO,
            round: Default::default(),
            kept: Default::default(),
        }
    }

    /// How to make the next step. [`note`](Self::note) follows it.
    pub(super) fn begin(&mut self, now: Instant) -> Turn {
        if self.steps == 0 && (self.rest > 0 || now < self.next) {
            self.rest = self.rest.saturating_sub(1);
            return Turn::REST;
        }
        let is_first = self.steps < TURN;
        let part = if self.steps % TURN < UNTIMED { Part::Untimed } else { Part::Timed };
        self.steps += 1;
        let side = match is_first == self.rounds.is_multiple_of(2) {
            true => Side::Chosen,
            false => Side::Scalar,
        };
        Turn { side, part }
    }

    /// Notes how long a step took.
    pub(super) fn note(&mut self, turn: Turn, time: Duration, now: Instant) {
        if turn.side == Side::Scalar {
            self.spent += time;
        }
        if turn.part == Part::Timed {
            let fastest = &mut self.round[turn.side as usize];
            *fastest = Some(fastest.map_or(time, |fastest| fastest.min(time)));
        }
        if self.steps == 2 * TURN {
            for (kept, round) in self.kept.iter_mut().zip(&mut self.round) {
                kept.extend(round.take());
                kept.drain(..kept.len().saturating_sub(KEPT));
            }
            self.next = now + SHARE * self.spent;
            (self.rounds, self.rest) = (self.rounds + 1, REST);
            self.stop();
        }
    }

    /// Forgets the round that has begun.
    pub(super) fn stop(&mut self) {
        (self.steps, self.spent, self.round) = (0, Duration::ZERO, [None; 2]);
    }

    /// The medians of the last turns at the chosen and at the scalar level, after some rounds.
    pub(super) fn medians(&self) -> Option<[Duration; 2]> {
        let median = |times: &VecDeque<Duration>| {
            let mut times: Vec<Duration> = times.iter().copied().collect();
            times.sort_unstable();
            times.get(times.len() / 2).copied().filter(|_| times.len() >= LEAST)
        };
        let [chosen, scalar] = &self.kept;
        Some([median(chosen)?, median(scalar)?])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    /// Makes steps of 1 ms at 60 a second; returns their turns.
    fn run(turns: &mut Turns, now: &mut Instant, steps: usize, time: Duration) -> Vec<Turn> {
        let step = |_| {
            let turn = turns.begin(*now);
            *now += 16 * MS;
            turns.note(turn, time, *now);
            turn
        };
        (0..steps).map(step).collect()
    }

    /// `C` and `S` are the timed steps of the two sides, `c` and `s` the other steps, `.` a rest.
    fn letters(turns: &[Turn]) -> String {
        let letter = |turn: &Turn| match (turn.side, turn.part) {
            (Side::Chosen, Part::Rest) => '.',
            (Side::Chosen, Part::Untimed) => 'c',
            (Side::Chosen, Part::Timed) => 'C',
            (Side::Scalar, Part::Untimed) => 's',
            (Side::Scalar, Part::Timed) => 'S',
            (Side::Scalar, Part::Rest) => panic!("a scalar step in a rest"),
        };
        turns.iter().map(letter).collect()
    }

    #[test]
    fn both_sides_step_alike_and_begin_in_turns() {
        let mut now = Instant::now();
        let mut turns = Turns::new(now);
        let made = run(&mut turns, &mut now, 4 * 20, MS);
        let expected = "cCCCsSSS............sSSScCCC............".repeat(2);
        assert_eq!(letters(&made), expected);
        // No step is timed right after a change of sides.
        for pair in made.windows(2).filter(|pair| pair[1].part == Part::Timed) {
            assert_eq!(pair[0].side, pair[1].side);
        }
        assert_eq!(turns.kept.each_ref().map(VecDeque::len), [4, 4]);
        assert_eq!(turns.medians(), Some([MS, MS]));
    }

    /// The same times on both sides, however they change from round to round, are the same median.
    #[test]
    fn the_medians_are_of_the_same_rounds() {
        let mut now = Instant::now();
        let mut turns = Turns::new(now);
        assert_eq!(turns.medians(), None);
        for round in 1..=40 {
            // Times grow from round to round, and the scalar level takes three times as long.
            while turns.rounds < round {
                let turn = turns.begin(now);
                let times = if turn.side == Side::Scalar { 3 } else { 1 };
                now += MS;
                turns.note(turn, round * times * Duration::from_micros(1), now);
                let full = turns.kept[0].len();
                assert_eq!(full, turns.kept[1].len());
                assert_eq!(full, KEPT.min(turns.rounds as usize));
                if let Some([chosen, scalar]) = turns.medians() {
                    assert_eq!(scalar, 3 * chosen);
                }
            }
        }
        // Rounds 29 to 40.
        assert_eq!(turns.medians().unwrap()[0], Duration::from_micros(35));
    }

    /// Of the steps of a turn, the fastest counts, on both sides.
    #[test]
    fn an_interrupted_step_does_not_count() {
        let now = Instant::now();
        let mut turns = Turns::new(now);
        for round in 1..=LEAST {
            assert_eq!(turns.medians(), None);
            (turns.rest, turns.next) = (0, now);
            for step in 0..8 {
                let turn = turns.begin(now);
                turns.note(turn, [1, 9, 5, 7][step % 4] * MS, now);
            }
            assert_eq!(turns.kept[0].len(), round);
        }
        assert_eq!(turns.medians(), Some([5 * MS, 5 * MS]));
    }

    #[test]
    fn a_slow_scalar_level_has_its_share_of_time_only() {
        let mut now = Instant::now();
        let mut turns = Turns::new(now);
        let made = letters(&run(&mut turns, &mut now, 832, 40 * MS));
        // 4 steps of 40 ms are a twentieth of 3.2 s, which has 200 steps of 16 ms.
        let rests: Vec<usize> = made.split(|letter| letter != '.').map(str::len).collect();
        assert_eq!(rests.iter().filter(|rest| **rest > 0).min(), Some(&200));
        assert_eq!(made.matches('S').count(), made.matches('C').count());
    }

    #[test]
    fn a_round_that_is_stopped_leaves_no_times() {
        let mut now = Instant::now();
        let mut turns = Turns::new(now);
        run(&mut turns, &mut now, 7, 9 * MS);
        turns.stop();
        assert_eq!(letters(&run(&mut turns, &mut now, 8, MS)), "cCCCsSSS");
        assert_eq!(turns.kept, [[MS], [MS]]);
    }
}
