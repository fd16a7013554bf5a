//! The phases of a call.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use widephase::Timings;

use crate::timing::thousandths;

/// How long each phase of a call takes, in nanoseconds per body: the fields of [`Timings`], and the
/// remaining time of the call, which in a step is the new poses. `None` for a phase that the call
/// lacks.
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

    /// The phases of the call whose time is the median of some calls, so their sum is the time of
    /// one call. Each call has its time in nanoseconds. The result is a share for each of these
    /// bodies.
    pub(in crate::bench) fn of_median_call(calls: &mut [(f64, Timings)], bodies: usize) -> Self {
        calls.sort_by(|a, b| a.0.total_cmp(&b.0));
        let Some((whole, phases)) = calls.get(calls.len() / 2) else { return Self::default() };
        let by_body = |nanoseconds: f64| {
            Some(thousandths(nanoseconds / bodies as f64)).filter(|time| *time > 0.0)
        };
        let of = |time: Duration| by_body(time.as_nanos() as f64);
        Self {
            index: of(phases.index),
            check: of(phases.check),
            sort: of(phases.sort),
            search: of(phases.search),
            finish: of(phases.finish),
            contacts: of(phases.contacts),
            events: of(phases.events),
            rest: by_body(whole - phases.sum().as_nanos() as f64),
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

    /// The time of all phases; 0 if no phase is measured.
    pub(in crate::bench) fn sum(self) -> f64 {
        self.to_array().into_iter().flatten().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_are_those_of_one_call_by_body() {
        let call = |sort, whole| {
            let phases = Timings { sort: Duration::from_nanos(sort), ..Timings::default() };
            (whole, phases)
        };
        let mut calls = [call(100, 110.0), call(300, 310.0), call(200, 240.0)];
        let times = PhaseTimes::of_median_call(&mut calls, 10);
        assert_eq!(times.named().collect::<Vec<_>>(), [("sort", 20.0), ("rest", 4.0)]);
        assert_eq!(times.sum(), 24.0);
        assert_eq!(PhaseTimes::NAMES[..7], Timings::NAMES);
        assert_eq!(PhaseTimes::of_median_call(&mut [], 10), PhaseTimes::default());
    }
}
