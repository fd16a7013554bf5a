//! Measures widephase beside its peers: the same scenes, the same exact pairs, one run.
//!
//! ```text
//! main.rs       the program that measures pairs
//! bin/world.rs  the program that measures whole steps, with contacts and events
//! suite.rs      what each of the two compares
//! args.rs       the command line
//! bodies.rs     the columns that all executors read, and the exact test that they share
//! scene         seeded scenes: crates/scenes, and its adapter to the library
//! executor/     the executors, one file each
//! level_world   levels as worlds of widephase: crates/scenes
//! verify.rs     the check that an executor found the right pairs
//! measure.rs    the executors in turn, on moving scenes
//! level.rs      the executors in turn, in levels
//! row.rs        the result of an executor on one scene
//! beside.rs     the scenes side by side, and how far widephase is ahead
//! report.rs     table, CSV, JSON
//! ```
//!
//! `bin/contacts` and `bin/queries` are programs of their own.

mod args;
mod beside;
mod bodies;
mod executor;
mod level;
#[path = "../../../crates/scenes/level_world.rs"]
mod level_world;
mod measure;
mod report;
mod row;
#[path = "../../../crates/scenes/adapter.rs"]
mod scene;
#[cfg(test)]
mod smoke;
mod suite;
mod verify;

pub use suite::Suite;

use std::{
    collections::HashMap,
    io::{self, Write},
};

use anyhow::{Context, Result};

use args::Args;
use executor::Entry;
use measure::{Outcome, PATIENCE, Task};
use report::Report;
use row::Row;
use widephase_scenes::Subject;

/// The limit of the pairs for each body, as in `widephase compare`: twice the density of the
/// densest scene that can have any size. With more pairs, writing the list would dominate the time.
const PAIRS_A_BODY: f64 = 32.0;

/// Measures and prints the cases that the command line requests.
///
/// # Errors
/// If an executor finds pairs that differ from widephase's; if a file cannot be written.
pub fn main(suite: Suite) -> Result<()> {
    let args = Args::parse(suite);
    let report = run(suite, &args)?;
    if let Some(folder) = &args.out {
        report.write(folder)?;
    }
    Ok(io::stdout().write_all(report.render(args.format)?.as_bytes())?)
}

fn run(suite: Suite, args: &Args) -> Result<Report> {
    let all = args.entries(suite);
    let mut report = Report::new(suite);
    for subject in args.subjects() {
        let mut entries = all.clone();
        entries.retain(|entry| matches!(subject, Subject::Scene(_)) || entry.has_levels());
        // Seconds per call and body for the last size. With more bodies this does not decrease.
        let mut paces = HashMap::new();
        for asked in args.sizes(suite, subject) {
            let n = match subject {
                Subject::Scene(kind) => kind.most_bodies(asked, PAIRS_A_BODY * f64::from(asked)),
                Subject::Level(_) => asked,
            };
            let expected = |entry: &Entry| paces.get(&entry.name).map(|pace| pace * f64::from(n));
            let reason = |entry: &Entry| {
                let slow = expected(entry).filter(|&time| time > PATIENCE.as_secs_f64());
                let slow = slow.map(|time| format!("would take {time:.0} s a call"));
                entry.declines(subject, n).map(str::to_owned).or(slow)
            };
            let able: Vec<Entry> =
                entries.iter().filter(|entry| reason(entry).is_none()).cloned().collect();
            let (seed, time) = (args.seed, args.time);
            let outcomes = match subject {
                Subject::Scene(kind) => measure::run(&Task { kind, n, seed, time }, &able)?,
                Subject::Level(kind) => level::run(&Task { kind, n, seed, time }, &able)?,
            };
            let mut outcomes = outcomes.into_iter();
            let mut rows = Vec::new();
            let mut seconds = Vec::new();
            for entry in &entries {
                let row = if let Some(why) = reason(entry) {
                    Row::left_out(subject, n, entry, why)
                } else {
                    let outcome = outcomes.next().context("an outcome for each executor")?;
                    seconds.push((entry.name.clone(), outcome.time().as_secs_f64()));
                    match outcome {
                        Outcome::Measured { median, pairs } => {
                            Row::measured(subject, n, entry, median, pairs)
                        }
                        Outcome::TooSlow(time) => {
                            let why = format!("{:.0} s a call", time.as_secs_f64());
                            Row::left_out(subject, n, entry, why)
                        }
                    }
                };
                rows.push(row);
            }
            paces.extend(seconds.into_iter().map(|(name, time)| (name, time / f64::from(n))));
            report.add(asked, rows)?;
        }
    }
    Ok(report)
}
