//! Measures one case: a call on one scene or level, by every configuration in turn.
//!
//! ```text
//! work.rs    the measured calls
//! level.rs   steps of a world with a level
//! phases.rs  how long the phases of a call take
//! cells.rs   how full the cells of the grids are
//! ```

mod cells;
mod level;
mod phases;
mod work;

use anyhow::{Context, Result};
use widephase::{Error, Options, SimdLevel};
use widephase_scenes::Subject;

use super::plan::Case;
use crate::{
    args::BenchArgs,
    level_world::LevelWorld,
    timing::{
        Configuration, Limits, Rotation, Stopwatch, Timed, Turn, measure_phases, median, rounds,
        sized, turn,
    },
    values::Call,
};
use level::Movers;
use work::{Bodies, Input, Work, work};

pub(super) use cells::Cells;
pub(super) use phases::PhaseTimes;

/// How often all cases are measured, case by case. The machine is slower at times, for longer than
/// a case takes; so the samples of a case are from several times, and show that.
pub(super) const PASSES: usize = 6;

/// The minimum number of rounds of a pass: the warm-up, and two. A row then has twelve samples,
/// which a comparison can tell from twelve other samples, also if there are thousands of rows.
const MIN_ROUNDS: usize = 3;

/// The number of rounds of a pass beyond which a comparison does not improve.
const MAX_ROUNDS: usize = 100;

/// The measurements of one pass on one configuration.
pub(super) struct Measured {
    pub(super) level: SimdLevel,
    pub(super) threads: usize,
    /// Nanoseconds per body, a value for each turn.
    pub(super) samples: Vec<f64>,
    /// The number of samples all of whose calls were disturbed.
    pub(super) disturbed: usize,
    /// How many pairs, contacts, hits or neighbours the last call found, for each body.
    pub(super) found: f64,
    pub(super) phases: PhaseTimes,
}

/// A configuration with its work on `B`.
struct Runner<B> {
    configuration: Configuration,
    work: Box<dyn Work<B>>,
}

/// One pass, by each configuration. A sample is the median time of a turn, in nanoseconds per
/// body. The first turn of each configuration warms up its memory and is dropped.
pub(super) fn run(case: &Case, levels: &[SimdLevel], args: &BenchArgs) -> Result<Vec<Measured>> {
    measure(case, levels, args).with_context(|| {
        format!("{} of {}, {}", case.what, case.subject, sized(case.subject, case.n))
    })
}

fn measure(case: &Case, levels: &[SimdLevel], args: &BenchArgs) -> Result<Vec<Measured>> {
    let &Case { what, subject, n, .. } = case;
    let seed = args.cases.seed;
    match subject {
        Subject::Scene(kind) => {
            let mut scenes = Rotation::new(kind, n, seed, args.cases.motion()).scenes;
            if what == Call::Step {
                // A world keeps its bodies from step to step.
                scenes.truncate(1);
            }
            let inputs = scenes.into_iter().map(|scene| Input::new(scene, what)).collect();
            measure_on(inputs, case, levels, args, |options, input| work(what, options, input))
        }
        Subject::Level(kind) => {
            let inputs = vec![Movers(n as usize)];
            measure_on(inputs, case, levels, args, |options, _| {
                Ok(Box::new(LevelWorld::new(kind, n, seed, options)?))
            })
        }
    }
}

/// Measures the work that `make` makes for each configuration.
fn measure_on<B: Bodies + Send>(
    mut inputs: Vec<B>,
    case: &Case,
    levels: &[SimdLevel],
    args: &BenchArgs,
    make: impl Fn(Options, &B) -> Result<Box<dyn Work<B>>, Error>,
) -> Result<Vec<Measured>> {
    let mut runners = Vec::new();
    for configuration in Configuration::all(levels, &case.threads)? {
        let work = make(configuration.options(), &inputs[0])?;
        runners.push(Runner { configuration, work });
    }
    let seconds = args.time / PASSES as f64;
    let limits = Limits { least: MIN_ROUNDS, most: MAX_ROUNDS, seconds };
    let turns = rounds::<_, Error>(&mut runners, limits, |runner, first, time| {
        let Runner { configuration, work } = runner;
        configuration.within(|| {
            turn::<Error>(time, |number| {
                let input = (first + number) % inputs.len();
                let input = &mut inputs[input];
                Ok(timed(&mut **work, input, configuration.threads)?.by(input.len()))
            })
        })
    })?;
    let phases = runners.iter_mut().map(|runner| runner.phases(&make, &mut inputs, limits));
    let phases: Vec<PhaseTimes> = phases.collect::<Result<_, Error>>()?;
    let bodies = inputs[0].len();
    let measured = |((runner, turns), phases): ((Runner<B>, Vec<Turn>), PhaseTimes)| Measured {
        level: runner.configuration.level,
        threads: runner.configuration.threads,
        samples: turns[1..].iter().map(|turn| median(&turn.times)).collect(),
        disturbed: turns[1..].iter().filter(|turn| turn.disturbed).count(),
        found: runner.work.found() as f64 / bodies as f64,
        phases,
    };
    Ok(runners.into_iter().zip(turns).zip(phases).map(measured).collect())
}

/// Moves the bodies, and returns the time of a call.
fn timed<B: Bodies>(work: &mut dyn Work<B>, input: &mut B, threads: usize) -> Result<Timed, Error> {
    input.step();
    work.prepare(input)?;
    let watch = Stopwatch::start(threads);
    work.call(input)?;
    Ok(watch.stop())
}

impl<B: Bodies + Send> Runner<B> {
    /// The phases, by the calls of one more turn: to measure them takes time, too.
    fn phases(
        &mut self,
        make: impl Fn(Options, &B) -> Result<Box<dyn Work<B>>, Error>,
        inputs: &mut [B],
        limits: Limits,
    ) -> Result<PhaseTimes, Error> {
        let Self { configuration, work } = self;
        if work.phases().is_none() {
            return Ok(PhaseTimes::default());
        }
        let options = Options { timings: true, ..configuration.options() };
        *work = make(options, &inputs[0])?;
        let (bodies, mut calls) = (inputs[0].len(), Vec::new());
        measure_phases(configuration.threads);
        configuration.within(|| {
            turn::<Error>(limits.turn_time(1), |number| {
                let input = &mut inputs[number % inputs.len()];
                let whole = timed(&mut **work, input, configuration.threads)?;
                calls.extend(work.phases().map(|phases| (whole.nanoseconds, *phases)));
                Ok(whole)
            })
        })?;
        // The first call warms up, as in every turn.
        Ok(PhaseTimes::of_median_call(&mut calls[1..], bodies))
    }
}
