//! The phases of a call.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use widephase::Timings;

use crate::timing::{median, thousandths};

/// How long each phase of a call takes, in nanoseconds per body: the fields of [`Timings`], and the
/// rest of the call, which in a step is the new poses. `None` for a phase that the call lacks.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub(in crate::bench) struct PhaseTimes {
    index: Option<f64>,
    check: Option<f64>,
    sort: Option<f64>,
    search: Option<f64>,
    finish: Option<f64>,
    contacts: Option<f64>,
    events: Option<f64>,
    rest: Option<f64>,
}

impl PhaseTimes {
    /// The names, in the order of [`to_array`](Self::to_array).
    pub(in crate::bench) const NAMES: [&'static str; 8] =
        ["index", "check", "sort", "search", "finish", "contacts", "events", "rest"];

    /// The medians of calls, each with its whole time, on this number of bodies.
    pub(in crate::bench) fn median(calls: &[(Duration, Timings)], bodies: usize) -> Self {
        let of = |time: &dyn Fn(&(Duration, Timings)) -> Duration| {
            let times: Vec<f64> = calls.iter().map(|call| time(call).as_nanos() as f64).collect();
            Some(thousandths(median(&times) / bodies as f64)).filter(|time| *time > 0.0)
        };
        Self {
            index: of(&|(_, phases)| phases.index),
            check: of(&|(_, phases)| phases.check),
            sort: of(&|(_, phases)| phases.sort),
            search: of(&|(_, phases)| phases.search),
            finish: of(&|(_, phases)| phases.finish),
            contacts: of(&|(_, phases)| phases.contacts),
            events: of(&|(_, phases)| phases.events),
            rest: of(&|(whole, phases)| whole.saturating_sub(phases.sum())),
        }
    }

    /// The times, in the order of [`NAMES`](Self::NAMES).
    pub(in crate::bench) fn to_array(self) -> [Option<f64>; 8] {
        let Self { index, check, sort, search, finish, contacts, events, rest } = self;
        [index, check, sort, search, finish, contacts, events, rest]
    }

    /// The phases that the call has, with their names.
    pub(in crate::bench) fn named(self) -> impl Iterator<Item = (&'static str, f64)> {
        let named = Self::NAMES.into_iter().zip(self.to_array());
        named.filter_map(|(name, time)| Some((name, time?)))
    }

    /// The time of all phases; 0 if none are measured.
    pub(in crate::bench) fn sum(self) -> f64 {
        self.to_array().into_iter().flatten().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_are_medians_by_body() {
        let call = |sort, whole| {
            let phases = Timings { sort: Duration::from_nanos(sort), ..Timings::default() };
            (Duration::from_nanos(whole), phases)
        };
        let times = PhaseTimes::median(&[call(100, 110), call(300, 310), call(200, 240)], 10);
        assert_eq!(times.named().collect::<Vec<_>>(), [("sort", 20.0), ("rest", 1.0)]);
        assert_eq!(times.sum(), 21.0);
        assert_eq!(PhaseTimes::NAMES[..7], Timings::NAMES);
        assert_eq!(PhaseTimes::median(&[], 10), PhaseTimes::default());
    }
}
