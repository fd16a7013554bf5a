//! The clock of a world: how many of its steps are due, however often the page draws.

use std::time::{Duration, Instant};

/// The time of a step, in the world and at the page.
pub(super) const PERIOD: Duration = Duration::from_nanos(1_000_000_000 / 60);

/// The most steps that are made up for. Time before that is lost, so that a machine that is too
/// slow does not fall behind without end.
const MOST: u32 = 15;

/// A clock that runs.
pub(super) struct Clock {
    /// When the next step is due.
    next: Instant,
}

impl Clock {
    /// A clock whose first step is due now.
    pub(super) fn new(now: Instant) -> Self {
        Self { next: now }
    }

    /// Takes a step, if a step is due.
    pub(super) fn take(&mut self, now: Instant) -> bool {
        let Some(late) = now.checked_duration_since(self.next) else { return false };
        let lost = (late.as_nanos() / PERIOD.as_nanos()).saturating_sub((MOST - 1).into());
        self.next += PERIOD * u32::try_from(lost).unwrap_or(u32::MAX) + PERIOD;
        true
    }

    /// The time until a step is due.
    pub(super) fn wait(&self, now: Instant) -> Duration {
        self.next.saturating_duration_since(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The steps that are due at each of these times, in milliseconds after the start.
    fn steps(times: impl IntoIterator<Item = u64>) -> Vec<u32> {
        let start = Instant::now();
        let mut clock = Clock::new(start);
        let due = |time: u64| {
            let now = start + Duration::from_millis(time);
            let mut steps = 0;
            while clock.take(now) {
                steps += 1;
            }
            assert!(!clock.wait(now).is_zero() && clock.wait(now) <= PERIOD);
            steps
        };
        times.into_iter().map(due).collect()
    }

    #[test]
    fn a_second_has_sixty_steps_at_any_rate_of_frames() {
        // 5, 20, 100 and 1000 looks a second; the first step is due at once.
        for every in [200, 50, 10, 1] {
            let steps = steps((0..=10_000).step_by(every));
            assert_eq!(steps.iter().sum::<u32>(), 601, "every {every} ms");
        }
        assert_eq!(steps([0, 200, 400, 600]), [1, 12, 12, 12]);
        // At uneven times, too: late steps are made up for.
        assert_eq!(steps([0, 16, 17, 34, 150, 151, 250]), [1, 0, 1, 1, 7, 0, 6]);
    }

    #[test]
    fn lost_time_is_made_up_for_up_to_a_limit() {
        assert_eq!(steps([0, 241, 250]), [1, 14, 1]);
        assert_eq!(steps([0, 266, 267, 284]), [1, 15, 1, 1]);
        assert_eq!(steps([0, 60_000, 60_001, 60_017]), [1, 15, 0, 1]);
    }

    /// Steps of 20 ms, as of a machine that is too slow: one after the other, and no more than the
    /// limit once it is fast again.
    #[test]
    fn a_slow_machine_does_not_fall_behind_without_end() {
        let start = Instant::now();
        let mut clock = Clock::new(start);
        let mut now = start;
        for step in 0..1000 {
            assert!(clock.take(now), "{step}");
            now += Duration::from_millis(20);
        }
        let mut rest = 0;
        while clock.take(now) {
            rest += 1;
        }
        assert_eq!(rest, MOST);
    }
}
