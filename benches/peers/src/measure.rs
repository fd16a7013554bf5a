//! Measures the time of each executor for one kind of scene and one number of bodies.

use std::{
    fmt,
    time::{Duration, Instant},
};

use crate::scene::{Scene, SceneKind};
use anyhow::{Context, Result, ensure};
use widephase::Pair;

use crate::{
    bodies::{Boxes, Circles, Form, RoundedBoxes, Rows},
    executor::{ALL, Entry, Executor, WIDEPHASE},
    verify,
};

/// The number of scenes that are measured, scene by scene, from consecutive seeds.
const SCENES: u64 = 3;

/// Consecutive calls of an executor, each on the next state of the scene. The first call is not
/// timed: the other executors have evicted its memory from the cache, which does not happen in an
/// application that uses only one executor.
pub const TURN: usize = 5;

/// Minimum number of timed calls, over all scenes.
pub const LEAST_CALLS: usize = 5;

/// The number of timed calls beyond which a median does not improve.
pub const MOST_CALLS: usize = 2000;

/// The time limit of one call.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// A measurement task.
pub struct Task<K> {
    pub kind: K,
    /// The number of bodies; in a level, of movers.
    pub n: u32,
    pub seed: u64,
    /// Seconds of timed calls for each executor.
    pub time: f64,
}

impl fmt::Display for Task<SceneKind> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {} bodies, seed {}", self.kind, self.n, self.seed)
    }
}

/// The result of one executor.
pub enum Outcome {
    Measured {
        /// The median time of a call.
        median: Duration,
        /// The number of pairs in the first state of the first scene.
        pairs: usize,
    },
    /// One call took this long, which exceeds the limit.
    TooSlow(Duration),
}

impl Outcome {
    /// The time of a call.
    pub fn time(&self) -> Duration {
        match *self {
            Outcome::Measured { median: time, .. } | Outcome::TooSlow(time) => time,
        }
    }
}

/// Measures the executors of `entries`, in that order.
///
/// # Errors
/// If an executor finds pairs that differ from widephase's.
pub fn run(task: &Task<SceneKind>, entries: &[Entry]) -> Result<Vec<Outcome>> {
    match Form::of(&Scene::generate(task.kind, task.n, task.seed)) {
        Form::Circles => run_on::<Circles>(task, entries),
        Form::Boxes => run_on::<Boxes>(task, entries),
        Form::Rounded => run_on::<RoundedBoxes>(task, entries),
    }
}

/// An executor with the times of its calls.
struct Contender<'a, R> {
    entry: &'a Entry,
    executor: Box<dyn Executor<R>>,
    pairs: Vec<Pair>,
    times: Vec<Duration>,
    /// The number of pairs in the first state.
    first: Option<usize>,
    too_slow: Option<Duration>,
}

fn run_on<R: Rows>(task: &Task<SceneKind>, entries: &[Entry]) -> Result<Vec<Outcome>> {
    let mut contenders: Vec<Contender<'_, R>> =
        entries.iter().map(Contender::new).collect::<Result<_>>()?;
    let mut rows = R::default();
    for offset in 0..SCENES {
        let mut scene = Scene::generate(task.kind, task.n, task.seed.wrapping_add(offset));
        rows.copy(&scene);
        for contender in contenders.iter_mut().filter(|contender| contender.too_slow.is_none()) {
            contender.executor.begin(&rows)?;
        }
        check(&mut contenders, &rows).with_context(|| task.to_string())?;
        rounds(&mut contenders, &mut scene, offset + 1, task.time)?;
        // Executors that keep a structure must be right after many steps, too.
        rows.copy(&scene);
        check(&mut contenders, &rows).with_context(|| task.to_string())?;
    }
    Ok(contenders.into_iter().map(Contender::outcome).collect())
}

/// Compares the pairs of all executors with widephase's.
fn check<R: Rows>(contenders: &mut [Contender<'_, R>], rows: &R) -> Result<()> {
    let widephase = ALL.iter().find(|entry| entry.name == WIDEPHASE);
    let mut expected = Vec::new();
    widephase.context("widephase is an executor")?.build::<R>()?.detect(rows, &mut expected)?;
    for contender in contenders.iter_mut().filter(|contender| contender.too_slow.is_none()) {
        let time = contender.call(rows)?;
        let Contender { entry, executor, pairs, first, too_slow, .. } = contender;
        executor.kept(pairs).with_context(|| entry.name.to_string())?;
        first.get_or_insert(pairs.len());
        let difference = verify::difference(pairs, &mut expected, entry.agreement(), rows);
        ensure!(difference.is_none(), "{}: {}", entry.name, difference.unwrap_or_default());
        if time > PATIENCE {
            *too_slow = Some(time);
        }
    }
    Ok(())
}

/// Alternates the executors until each has had its share of time in the first `scenes` scenes.
///
/// A round is one turn of each executor on the same states, so a slow moment of the machine affects
/// all of them equally.
fn rounds<R: Rows>(
    contenders: &mut [Contender<'_, R>],
    scene: &mut Scene,
    scenes: u64,
    seconds: f64,
) -> Result<()> {
    let share = scenes as f64 / SCENES as f64;
    let (least, most) = (LEAST_CALLS as f64 * share, MOST_CALLS as f64 * share);
    let goes_on = |contender: &Contender<'_, R>| {
        let calls = contender.times.len() as f64;
        let time = contender.times.iter().sum::<Duration>().as_secs_f64();
        contender.too_slow.is_none() && (calls < least || calls < most && time < seconds * share)
    };
    let mut states: [R; TURN] = Default::default();
    while contenders.iter().any(goes_on) {
        for state in &mut states {
            scene.step();
            state.copy(scene);
        }
        for contender in contenders.iter_mut().filter(|contender| goes_on(contender)) {
            contender.call(&states[0])?;
            for state in &states[1..] {
                let time = contender.call(state)?;
                contender.times.push(time);
            }
        }
    }
    Ok(())
}

impl<'a, R: Rows> Contender<'a, R> {
    fn new(entry: &'a Entry) -> Result<Self> {
        let executor = entry.build()?;
        let (pairs, times) = (Vec::new(), Vec::new());
        Ok(Self { entry, executor, pairs, times, first: None, too_slow: None })
    }

    /// Times one call, from the columns to the list of pairs, or to a finished step. The memory of
    /// the list is reused.
    fn call(&mut self, rows: &R) -> Result<Duration> {
        self.executor.prepare(rows)?;
        let start = Instant::now();
        self.pairs.clear();
        self.executor.detect(rows, &mut self.pairs)?;
        Ok(start.elapsed())
    }

    fn outcome(mut self) -> Outcome {
        if let Some(time) = self.too_slow {
            return Outcome::TooSlow(time);
        }
        Outcome::Measured { median: median(&mut self.times), pairs: self.first.unwrap_or(0) }
    }
}

pub fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    let middle = times.len() / 2;
    match times.len() {
        0 => Duration::ZERO,
        len if len % 2 == 1 => times[middle],
        _ => (times[middle - 1] + times[middle]) / 2,
    }
}
