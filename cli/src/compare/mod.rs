//! `widephase compare`: one contract, many executors.
//!
//! ```text
//! for each scene and number of bodies:
//!   verify.rs     every executor on every scene: the same list, and the same set as brute force
//!     truth.rs    the set of brute force
//!   measure.rs    every executor in turn, on the next scene, one step further
//!   report.rs     a row for each executor
//!
//! summary.rs      the table of all cases: scalar code beside the fastest level
//! fastest.rs      which level is the fastest, and where one is slower
//! levels.rs       the same for steps of worlds with a level
//! queries.rs      the same for queries of an index: answers, times, rows
//!   question.rs   the queries that are compared
//! executor.rs     a SIMD level and a number of threads, with its own memory
//! ```

mod executor;
mod fastest;
mod levels;
mod measure;
mod queries;
mod question;
mod report;
mod summary;
mod truth;
mod verify;

use std::io::{self, Write};

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use widephase_scenes::Subject;

use crate::{
    args::CompareArgs,
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
    each_case(args, |bar, subject, n| {
        let kind = match subject {
            Subject::Scene(kind) => kind,
            Subject::Level(kind) => {
                let configurations = Configuration::all(&levels, &threads)?;
                let (rows, differences) = levels::compare(configurations, kind, n, args)?;
                tell(bar, &differences)?;
                return bar.suspend(|| report.add(rows));
            }
        };
        let is_small = n < ON_THREADS && args.format == Format::Table;
        let executors = if is_small { &mut alone } else { &mut executors };
        let mut rotation = Rotation::new(kind, n, args.cases.seed, args.cases.motion());
        let verified = verify::run(executors, &rotation, n <= args.brute_force(), args.contacts)?;
        tell(bar, &verified.differences)?;
        let mut measure = |work| measure::run(executors, &mut rotation, work, args.time);
        let times = measure(Work::Pairs)?;
        let contact_times = args.contacts.then(|| measure(Work::Contacts)).transpose()?;
        let rows: Vec<Row> = (executors.iter().zip(verified.verdicts).zip(times).enumerate())
            .map(|(index, ((executor, verdict), time))| {
                let configuration = &executor.configuration;
                let row = Row::new(subject, n, configuration, verified.against, verdict, time);
                row.with_contacts(contact_times.as_ref().map(|times| times[index]))
            })
            .collect();
        bar.suspend(|| report.add(rows))
    })?;
    report.end()
}

/// Writes lines to standard error, beside the bar.
fn tell(bar: &ProgressBar, lines: &[String]) -> io::Result<()> {
    bar.suspend(|| lines.iter().try_for_each(|line| writeln!(io::stderr(), "{line}")))
}

/// Calls `work` for each scene and number of bodies, with a bar that shows the progress.
fn each_case(
    args: &CompareArgs,
    mut work: impl FnMut(&ProgressBar, Subject, u32) -> Result<()>,
) -> Result<()> {
    let sizes = |subject| args.cases.sizes(subject).into_iter().map(move |n| (subject, n));
    let all: Vec<(Subject, u32)> = args.subjects().into_iter().flat_map(sizes).collect();
    let bar = ProgressBar::new(all.len() as u64);
    bar.set_style(ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len}")?);
    for (subject, asked) in all {
        let (n, note) = size(subject, asked);
        bar.set_message(format!("{subject}, {}", bodies(n)));
        tell(&bar, note.as_slice())?;
        let place = || format!("{subject} with {n} {}", subject.unit());
        work(&bar, subject, n).with_context(place)?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(())
}
