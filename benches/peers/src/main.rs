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

fn run(args: &Args) -> Result<Report> {
    let mut sizes: Vec<u32> = args.n.iter().map(|n| n.get()).collect();
    sizes.sort_unstable();
    let mut report = Report::default();
    for &kind in &args.scene {
        // What each executor takes at least, a call and a body: less it does not get with more.
        let mut paces: HashMap<String, f64> = HashMap::new();
        for &n in &sizes {
            let forecast =
                |entry: &Entry| paces.get(&*entry.name).map_or(0.0, |pace| pace * f64::from(n));
            let patience = PATIENCE.as_secs_f64();
            let (entries, slow): (Vec<_>, Vec<_>) =
                entries(args).into_iter().partition(|entry| forecast(entry) <= patience);
            let mut skipped: Vec<(Entry, f64)> =
                slow.into_iter().map(|entry| (entry.clone(), forecast(&entry))).collect();

            let outcomes =
                measure::run(&Task { kind, n, seed: args.seed, time: args.time }, &entries)?;
            let mut rows = Vec::new();
            for (entry, outcome) in entries.into_iter().zip(outcomes) {
                match outcome {
                    Outcome::TooSlow(time) => skipped.push((entry, time.as_secs_f64())),
                    Outcome::Measured { median_ns_per_body, pairs } => {
                        paces.insert(entry.name.to_string(), median_ns_per_body / 1e9);
                        rows.push(Row {
                            scene: kind.short_name(),
                            n,
                            executor: entry.name.to_string(),
                            version: entry.version(),
                            median_ns_per_body,
                            pairs,
                            ratio_to_widephase: None,
                        });
                    }
                }
            }
            report.add(rows);
            for (entry, seconds) in skipped {
                paces.insert(entry.name.to_string(), seconds / f64::from(n));
                report.skip(kind, n, &entry.name, seconds)?;
            }
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
