//! Measures the time of a step of each executor in a level.

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use widephase::{Detector, Pair};
use widephase_scenes::LevelKind;

use crate::{
    executor::{Agreement, Entry, LevelExecutor, options},
    level_world::LevelWorld,
    measure::{LEAST_CALLS, MOST_CALLS, Outcome, PATIENCE, TURN, Task, median},
};

/// The distance from touching, in units of length, at which a pair may be listed by only one of two
/// libraries. The coordinates of levels are below 1,000, of which `f32` resolves 0.00006.
const NEAR: f32 = 2e-3;

/// One in this many pairs, and one more, may differ by any distance for [`Agreement::Mostly`]:
/// boxes that walk over a tile, for rapier touch it until its tree has dropped the pair.
const BORNE: usize = 50;

/// An executor in its own level, with the times of its steps.
struct Contender<'a> {
    entry: &'a Entry,
    executor: Box<dyn LevelExecutor>,
    steps: usize,
    times: Vec<Duration>,
    /// The number of pairs after the first step.
    first: Option<usize>,
    too_slow: Option<Duration>,
}

/// Measures the executors of `entries`, in that order. A level is a function of kind, size and
/// seed, so all executors see the same steps.
///
/// # Errors
/// If an executor finds pairs or hits that differ from widephase's.
pub fn run(task: &Task<LevelKind>, entries: &[Entry]) -> Result<Vec<Outcome>> {
    let &Task { kind, n, seed, time } = task;
    let place = || format!("{}, {n} movers, seed {seed}", kind.name());
    let mut contenders = Vec::new();
    for entry in entries {
        let executor = entry.build_level(kind, n, seed).with_context(place)?;
        let (steps, times) = (0, Vec::new());
        let mut contender =
            Contender { entry, executor, steps, times, first: None, too_slow: None };
        let time = contender.step()?;
        contender.too_slow = Some(time).filter(|time| *time > PATIENCE);
        contenders.push(contender);
    }
    let mut truth = LevelWorld::new(kind, n, seed, options(None))?;
    let mut steps = 0;
    // Doors go all the way up or down in a hundred steps.
    for until in (1..=101).step_by(10) {
        check(&mut contenders, &mut truth, &mut steps, until).with_context(place)?;
    }
    rounds(&mut contenders, time)?;
    // They must also be right after many steps.
    let most = contenders.iter().map(|contender| contender.steps).max().unwrap_or(0);
    check(&mut contenders, &mut truth, &mut steps, most).with_context(place)?;
    Ok(contenders.into_iter().map(Contender::outcome).collect())
}

/// Alternates the executors until each has had its time.
fn rounds(contenders: &mut [Contender<'_>], seconds: f64) -> Result<()> {
    let goes_on = |contender: &Contender<'_>| {
        let (calls, time) = (contender.times.len(), contender.times.iter().sum::<Duration>());
        let more = calls < MOST_CALLS && time.as_secs_f64() < seconds;
        contender.too_slow.is_none() && (calls < LEAST_CALLS || more)
    };
    while contenders.iter().any(goes_on) {
        for contender in contenders.iter_mut().filter(|contender| goes_on(contender)) {
            contender.step()?;
            for _ in 1..TURN {
                let time = contender.step()?;
                contender.times.push(time);
            }
        }
    }
    Ok(())
}

/// Compares the pairs and the hits of all executors with widephase's after `until` steps; no
/// executor has made more. `truth` has made `steps`.
fn check(
    contenders: &mut [Contender<'_>],
    truth: &mut LevelWorld,
    steps: &mut usize,
    until: usize,
) -> Result<()> {
    while *steps < until {
        truth.prepare();
        truth.step()?;
        *steps += 1;
    }
    let (mut expected, hits) = (truth.touching()?, LevelExecutor::hits(truth));
    expected.sort_unstable();
    ensure!(!expected.is_empty(), "nothing touches");
    let near = near(truth)?;
    for contender in contenders.iter_mut().filter(|contender| contender.too_slow.is_none()) {
        while contender.steps < until {
            contender.step()?;
        }
        let name = &contender.entry.name;
        let mut found = contender.executor.touching().with_context(|| name.to_string())?;
        found.sort_unstable();
        contender.first.get_or_insert(found.len());
        let borne = match contender.entry.agreement() {
            Agreement::Mostly(_) => 1 + expected.len() / BORNE,
            _ => 0,
        };
        let difference = match contender.entry.is_library() {
            true => difference(&found, &expected, &near, borne),
            false => (found != expected).then(|| "other pairs".to_owned()),
        };
        let difference = difference.or_else(|| hit_difference(&contender.executor.hits(), &hits));
        ensure!(difference.is_none(), "{name}: {}", difference.unwrap_or_default());
    }
    Ok(())
}

/// How deep all pairs are that touch, or are at most [`NEAR`] apart.
fn near(truth: &LevelWorld) -> Result<HashMap<Pair, f32>> {
    let mut contacts = Vec::new();
    let mut detector = Detector::with_options(options(None))?;
    detector.contacts(truth.world.shapes(), NEAR, &mut contacts)?;
    let mut near: HashMap<Pair, f32> = HashMap::new();
    for contact in contacts {
        let depth = near.entry(contact.pair).or_insert(contact.depth);
        *depth = depth.max(contact.depth);
    }
    Ok(near)
}

/// Describes a pair that is in only one of two sorted lists, and not because of rounding, after
/// `borne` such pairs.
fn difference(
    found: &[Pair],
    expected: &[Pair],
    near: &HashMap<Pair, f32>,
    borne: usize,
) -> Option<String> {
    let without = |all: &[Pair], known: &[Pair], what: &'static str| -> Vec<(Pair, &'static str)> {
        let only = all.iter().filter(|pair| known.binary_search(pair).is_err());
        only.map(|pair| (*pair, what)).collect()
    };
    let missing = without(expected, found, "is missing");
    let spare = without(found, expected, "does not touch");
    let wrong = |(pair, what): &(Pair, &str)| {
        let depth = near.get(pair).copied().unwrap_or(f32::NEG_INFINITY);
        (depth.abs() > NEAR).then(|| format!("({}, {}) {what}, {depth} deep", pair.a, pair.b))
    };
    let mut wrong = missing.iter().chain(&spare).filter_map(wrong);
    let described = wrong.nth(borne)?;
    Some(format!("{described}, one of {} pairs", expected.len()))
}

/// Describes how the rays differ. A ray that starts in a body is not compared: for Box2D, it does
/// not hit that body.
fn hit_difference(found: &[Option<f32>], expected: &[Option<f32>]) -> Option<String> {
    if found.len() != expected.len() {
        return Some(format!("{} of {} rays", found.len(), expected.len()));
    }
    let differs = |(found, expected): &(&Option<f32>, &Option<f32>)| match (found, expected) {
        (_, Some(0.0)) | (None, None) => false,
        (Some(found), Some(expected)) => (found - expected).abs() > 1e-3,
        _ => true,
    };
    let differing = found.iter().zip(expected).filter(differs).count();
    (differing > 0).then(|| format!("{differing} rays differ"))
}

impl Contender<'_> {
    /// Makes the next step, and returns the time of its timed part.
    fn step(&mut self) -> Result<Duration> {
        self.steps += 1;
        self.executor.prepare();
        let start = Instant::now();
        self.executor.step()?;
        Ok(start.elapsed())
    }

    fn outcome(mut self) -> Outcome {
        if let Some(time) = self.too_slow {
            return Outcome::TooSlow(time);
        }
        Outcome::Measured { median: median(&mut self.times), pairs: self.first.unwrap_or(0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::Suite;

    #[test]
    fn every_library_agrees_in_every_level() {
        let able = |entry: &&Entry| entry.has_levels();
        let entries: Vec<Entry> = Suite::Steps.entries().iter().filter(able).cloned().collect();
        assert_eq!(entries.len(), 3);
        for kind in LevelKind::ALL {
            let outcomes = run(&Task { kind, n: 100, seed: 3, time: 0.0 }, &entries).unwrap();
            for outcome in outcomes {
                assert!(matches!(outcome, Outcome::Measured { pairs: 1.., .. }), "{kind:?}");
            }
        }
    }

    #[test]
    fn what_differs_is_told() {
        let pair = |a| Pair { a, b: a + 1 };
        let expected: Vec<Pair> = (0..10).map(pair).collect();
        let near: HashMap<Pair, f32> =
            (0..20).map(|a| (pair(a), if a == 5 { -1e-3 } else { 0.1 })).collect();
        let told = |found: &[Pair], borne| difference(found, &expected, &near, borne);
        assert_eq!(told(&expected, 0), None);
        // The pair that is within rounding of touching.
        assert_eq!(told(&[&expected[..5], &expected[6..]].concat(), 0), None);
        let missing = told(&expected[1..], 0).unwrap();
        assert!(missing.starts_with("(0, 1) is missing, 0.1 deep"), "{missing}");
        assert_eq!(told(&expected[1..], 1), None);
        let spare = told(&[&expected[..], &[pair(30)]].concat(), 0).unwrap();
        assert!(spare.starts_with("(30, 31) does not touch, -inf deep"), "{spare}");
        let hits = [Some(0.0), Some(0.5), None, Some(0.25)];
        assert_eq!(hit_difference(&hits, &hits), None);
        assert_eq!(hit_difference(&[Some(0.7), Some(0.5), None, Some(0.25)], &hits), None);
        assert!(hit_difference(&[None, Some(0.6), Some(0.3), Some(0.25)], &hits).is_some());
        assert!(hit_difference(&hits[1..], &hits).is_some());
    }
}
