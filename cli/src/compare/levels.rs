//! Levels: worlds that are stepped on every executor.

use anyhow::Result;
use widephase::{Error, Hit, Options, SimdLevel, Threads};
use widephase_scenes::{LevelKind, Subject};

use super::{
    measure::limits,
    report::Row,
    verify::{
        Against, Contacts, Verdict, contact_difference, contact_hash, first_difference, hash,
    },
};
use crate::{
    args::CompareArgs,
    level_world::{LevelWorld, sorted},
    timing::{Configuration, Spread, Stopwatch, rounds, turn},
};

/// The number of steps that are compared.
const STEPS: usize = 8;

/// A configuration with a world.
struct Executor {
    configuration: Configuration,
    level: LevelWorld,
}

/// The rows of a level, and descriptions of the differences.
pub(super) fn compare(
    configurations: Vec<Configuration>,
    kind: LevelKind,
    movers: u32,
    args: &CompareArgs,
) -> Result<(Vec<Row>, Vec<String>)> {
    let world = |options| LevelWorld::new(kind, movers, args.cases.seed, options);
    let mut executors = Vec::new();
    for configuration in configurations {
        let mut options = configuration.options();
        if options.threads == Threads::Auto {
            // All steps use the threads while they are compared, also the steps of small levels.
            options.threads = Threads::Pool;
        }
        executors.push(Executor { configuration, level: world(options)? });
    }
    let scalar = world(Options {
        simd_level: Some(SimdLevel::Scalar),
        threads: Threads::Calling,
        ..Options::default()
    })?;
    let (verdicts, differences) = verify(&mut executors, scalar)?;
    let place = format!("{}, {movers} movers", kind.name());
    let differences = differences.iter().map(|what| format!("DIFFERENT: {place}, {what}"));
    let differences: Vec<String> = differences.collect();
    for Executor { configuration, level } in &mut executors {
        level.world.set_options(configuration.options())?;
    }
    let times = measure(&mut executors, movers, args.time)?;
    let (subject, against) = (Subject::Level(kind), Against::Detection);
    let results = executors.iter().zip(verdicts).zip(times);
    let row = |((executor, verdict), time): ((&Executor, Verdict), Spread)| {
        Row::new(subject, movers, &executor.configuration, against, verdict, time)
    };
    Ok((results.map(row).collect(), differences))
}

/// Makes some steps of every executor. The lists of each executor must have the order and the bytes
/// of the lists of `scalar`. These must equal the results of a detection of all bodies, and of an
/// index that is built anew.
fn verify(
    executors: &mut [Executor],
    mut scalar: LevelWorld,
) -> Result<(Vec<Verdict>, Vec<String>), Error> {
    let new = Verdict { identical: true, pairs: 0, hash: 0, contacts: None };
    let (mut verdicts, mut differences) = (vec![new; executors.len()], Vec::new());
    for number in 0..STEPS {
        scalar.prepare();
        scalar.step()?;
        let truth = against_all(&scalar)?;
        for (executor, verdict) in executors.iter_mut().zip(&mut verdicts) {
            let Executor { configuration, level } = executor;
            configuration.within(|| {
                level.prepare();
                level.step()
            })?;
            let step = level.world.last_step();
            if number == 0 {
                (verdict.pairs, verdict.hash) = (step.pairs().len(), hash(step.pairs()));
                let (len, hash) = (step.contacts().len(), contact_hash(step.contacts()));
                verdict.contacts = Some(Contacts { len, hash });
            }
            let by_scalar = difference(level, &scalar);
            let by_scalar = by_scalar.map(|what| format!("{what} at the scalar level"));
            let Configuration { level, threads, .. } = configuration;
            for what in by_scalar.iter().chain(&truth) {
                verdict.identical = false;
                differences.push(format!("step {number}, {level}, {threads} threads: {what}"));
            }
        }
    }
    Ok((verdicts, differences))
}

/// Describes how the lists of a step differ in order or bytes.
fn difference(found: &LevelWorld, expected: &LevelWorld) -> Option<String> {
    let [step, expected_step] = [found, expected].map(|level| level.world.last_step());
    first_difference(step.pairs(), expected_step.pairs())
        .or_else(|| contact_difference(step.contacts(), expected_step.contacts()))
        .or_else(|| hit_difference(found.hits(), expected.hits()))
}

/// Describes how a step differs from a detection of all bodies, or its hits from the hits in an
/// index that is built anew.
fn against_all(level: &LevelWorld) -> Result<Option<String>, Error> {
    let step = level.world.last_step();
    let (pairs, contacts) = sorted(step.pairs(), step.contacts());
    let (all_pairs, all_contacts) = level.detection(*level.world.options())?;
    let difference = first_difference(&pairs, &all_pairs)
        .or_else(|| contact_difference(&contacts, &all_contacts))
        .map(|what| format!("sorted, {what} by a detection of all bodies"));
    let hits = hit_difference(level.hits(), &level.fresh_hits()?);
    Ok(difference.or_else(|| hits.map(|what| format!("{what} in an index that is built anew"))))
}

/// Describes the first hit whose bytes differ from the expected bytes.
fn hit_difference(hits: &[Option<Hit>], expected: &[Option<Hit>]) -> Option<String> {
    let bytes = |hit: &Option<Hit>| hit.as_ref().map(|hit| bytemuck::bytes_of(hit).to_vec());
    let same = |(found, expected): &(&Option<Hit>, &Option<Hit>)| bytes(found) == bytes(expected);
    let at = hits.iter().zip(expected).take_while(same).count();
    if (at, hits.len()) == (hits.len(), expected.len()) {
        return None;
    }
    let [hit, other] = [hits, expected].map(|hits| hits.get(at));
    Some(format!("hit {at} of {} is {hit:?}, but {other:?} of {}", hits.len(), expected.len()))
}

/// The times of steps of each executor, in nanoseconds a mover. Each goes on with its own level.
fn measure(executors: &mut [Executor], movers: u32, seconds: f64) -> Result<Vec<Spread>, Error> {
    let turns = rounds(executors, limits(seconds), |executor, _, time| {
        let Executor { configuration, level } = executor;
        configuration.within(|| {
            turn::<Error>(time, |_| {
                level.prepare();
                let watch = Stopwatch::start(configuration.threads);
                level.step()?;
                Ok(watch.stop().by(movers as usize))
            })
        })
    })?;
    Ok(turns.iter().map(|turns| Spread::of_turns(turns)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(seed: u64) -> LevelWorld {
        let mut level = LevelWorld::new(LevelKind::Map, 20, seed, Options::default()).unwrap();
        level.prepare();
        level.step().unwrap();
        level
    }

    #[test]
    fn what_differs_is_told() {
        let (same, other) = (level(1), level(2));
        assert_eq!(difference(&level(1), &same), None);
        let told = difference(&other, &same).unwrap();
        assert!(told.starts_with("pair 0 of "), "{told}");
        assert_eq!(against_all(&same).unwrap(), None);

        let hits = [None, Some(Hit { fraction: 0.0, ..same.hits()[0].unwrap() })];
        assert_eq!(hit_difference(&hits, &hits), None);
        let minus = [None, hits[1].map(|hit| Hit { fraction: -0.0, ..hit })];
        let told = hit_difference(&minus, &hits).unwrap();
        assert!(told.starts_with("hit 1 of 2 is Some(Some(Hit {"), "{told}");
        let told = hit_difference(&hits[..1], &hits).unwrap();
        assert!(told.starts_with("hit 1 of 1 is None, but Some(Some("), "{told}");
    }

    /// A step that has not seen a change differs from a detection of all bodies.
    #[test]
    fn a_detection_of_all_bodies_finds_what_a_step_has_missed() {
        let mut level = level(1);
        level.prepare();
        level.apply().unwrap();
        let told = against_all(&level).unwrap().unwrap();
        assert!(told.contains(" by a detection of all bodies"), "{told}");
    }
}
