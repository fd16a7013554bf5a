//! `widephase compare`: one contract, many executors.
//!
//! ```text
//! for each scene and number of bodies:
//!   verify.rs     every executor on every scene: the same list, and the same set as brute force
//!     truth.rs    the set of brute force
//!   measure.rs    every executor in turn, on the next scene, one step further
//!   report.rs     a row for each executor
//!
//! fastest.rs      which level is the fastest, and where one is slower
//! queries.rs      the same for queries of an index: answers, times, rows
//!   question.rs   the queries that are compared
//! executor.rs     a SIMD level and a number of threads, with its own memory
//! ```

mod executor;
mod fastest;
mod measure;
mod queries;
mod question;
mod report;
mod truth;
mod verify;

use std::io::{self, Write};

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};

use crate::{
    args::CompareArgs,
    scene::SceneKind,
    timing::{Configuration, ON_THREADS, Rotation, bodies, levels, size},
    values::{Format, unique},
};
use executor::Executor;
use measure::Work;
use report::{Report, Row};

/// Compares all executors. Returns `false` if any result differs.
pub(crate) fn run(args: &CompareArgs) -> Result<bool> {
    if args.queries {
        return queries::run(args);
    }
    let levels = levels(&args.cases.level)?;
    let threads = unique(args.cases.threads.iter().copied());
    let mut executors = Executor::all(Configuration::all(&levels, &threads)?)?;
    // The executors for small scenes, which use one thread whatever the number of threads. A table
    // shows them once.
    let mut alone = Executor::all(Configuration::all(&levels, &[1])?)?;
    let mut report = Report::new(args, &levels)?;
    report.begin()?;
    each_case(args, |bar, kind, n| {
        let is_small = n < ON_THREADS && args.format == Format::Table;
        let executors = if is_small { &mut alone } else { &mut executors };
        let mut rotation = Rotation::new(kind, n, args.cases.seed, args.cases.motion);
        let verified =
            verify::run(executors, &rotation, n <= args.brute_force.get(), args.contacts)?;
        for difference in &verified.differences {
            bar.suspend(|| writeln!(io::stderr(), "{difference}"))?;
        }
        let mut measure = |work| measure::run(executors, &mut rotation, work, args.time);
        let times = measure(Work::Pairs)?;
        let contact_times = args.contacts.then(|| measure(Work::Contacts)).transpose()?;
        let rows: Vec<Row> = (executors.iter().zip(verified.verdicts).zip(times).enumerate())
            .map(|(index, ((executor, verdict), time))| {
                let row = Row::new(kind, n, executor, verified.against, verdict, time);
                row.with_contacts(contact_times.as_ref().map(|times| times[index]))
            })
            .collect();
        bar.suspend(|| report.add(rows))
    })?;
    report.end()
}

/// Calls `work` for each scene and number of bodies, with a bar that shows the progress.
fn each_case(
    args: &CompareArgs,
    mut work: impl FnMut(&ProgressBar, SceneKind, u32) -> Result<()>,
) -> Result<()> {
    let (scenes, sizes) = (args.scenes(), unique(args.cases.n.iter().map(|n| n.get())));
    let bar = ProgressBar::new((scenes.len() * sizes.len()) as u64);
    bar.set_style(ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len}")?);
    for &kind in &scenes {
        for &asked in &sizes {
            let (n, note) = size(kind, asked);
            bar.set_message(format!("{kind}, {}", bodies(n)));
            if let Some(note) = note {
                bar.suspend(|| writeln!(io::stderr(), "{note}"))?;
            }
            work(&bar, kind, n).with_context(|| format!("scene {kind} with {n} bodies"))?;
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    Ok(())
}
