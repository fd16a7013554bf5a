//! Measures widephase beside its peers: the same scenes, the same exact pairs, one run.
//!
//! ```text
//! args.rs       the command line
//! bodies.rs     the columns that all executors read, and the exact test that they share
//! executor/     every way to find the pairs, one file each
//! verify.rs     whether an executor found the right pairs
//! measure.rs    the executors in turn, on moving scenes
//! report.rs     table, CSV, JSON
//! ```

mod args;
mod bodies;
mod executor;
mod measure;
mod report;
#[cfg(test)]
mod smoke;
mod verify;

use std::{
    collections::HashMap,
    io::{self, Write},
};

use anyhow::Result;
use clap::Parser;
use widephase::Level;

use args::Args;
use executor::Entry;
use measure::{Outcome, PATIENCE, Task};
use report::{Report, Row};

fn main() -> Result<()> {
    let args = Args::parse();
    let report = run(&args)?;
    if let Some(folder) = &args.out {
        report.write(folder)?;
    }
    Ok(io::stdout().write_all(report.render(args.format)?.as_bytes())?)
}

/// Pairs a body beyond which a scene is left out: the list would be all that is measured.
const MAX_PAIRS_A_BODY: f64 = 64.0;

fn run(args: &Args) -> Result<Report> {
    let mut sizes: Vec<u32> = args.n.iter().map(|n| n.get()).collect();
    sizes.sort_unstable();
    let mut report = Report::default();
    for kind in args.scenes() {
        // Seconds a call and a body, of the last size: with more bodies it is not less.
        let mut paces = HashMap::new();
        for &n in &sizes {
            let bodies = f64::from(n);
            if kind.expected_pairs(n) > MAX_PAIRS_A_BODY * bodies {
                report.skip(kind, n, "left out: too many pairs")?;
                continue;
            }
            let mut entries = entries(args);
            for slow in entries.extract_if(.., |entry| {
                paces.get(&entry.name).is_some_and(|pace| pace * bodies > PATIENCE.as_secs_f64())
            }) {
                let seconds = paces[&slow.name] * bodies;
                let what = format!("{} left out: would take {seconds:.0} s a call", slow.name);
                report.skip(kind, n, &what)?;
            }
            let task = Task { kind, n, seed: args.seed, time: args.time };
            let outcomes = measure::run(&task, &entries)?;
            let mut rows = Vec::new();
            for (entry, outcome) in entries.iter().zip(outcomes) {
                let seconds = match outcome {
                    Outcome::Measured { median, pairs } => {
                        rows.push(Row::new(kind, n, entry, median, pairs));
                        median.as_secs_f64()
                    }
                    Outcome::TooSlow(time) => {
                        let seconds = time.as_secs_f64();
                        let what = format!("{} left out: {seconds:.0} s a call", entry.name);
                        report.skip(kind, n, &what)?;
                        seconds
                    }
                };
                paces.insert(entry.name.clone(), seconds / bodies);
            }
            report.add(rows);
        }
    }
    Ok(report)
}

/// The executors that were asked for.
fn entries(args: &Args) -> Vec<Entry> {
    let mut entries = match &args.executor[..] {
        [] => executor::ALL.to_vec(),
        asked => asked.to_vec(),
    };
    if args.levels {
        entries.extend(Level::available().iter().copied().map(Entry::level));
    }
    entries
}
