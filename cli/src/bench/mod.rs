//! `widephase bench`: how long calls take, by scene, number of bodies, level and threads.
//!
//! ```text
//! plan.rs   the cases: calls × scenes × numbers of bodies
//! measure/  every configuration in turn, on the next scene, one step further
//! record/   the samples, the machine and the command, in files; what a saved run had
//! draw/     tables and the report
//! ```
//!
//! Each of these modules uses only the modules above it.

mod draw;
mod measure;
mod plan;
mod record;

use std::{
    io::{self, Write},
    path::Path,
    time::Instant,
};

use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use widephase_scenes::Subject;

#[cfg(feature = "report")]
use self::{
    draw::html::{self, Beside},
    record::peers,
};
use self::{
    draw::table,
    measure::{Cells, PASSES},
    plan::Case,
    record::{
        About, COLUMNS, FORMAT, Flat, Row, Run,
        baseline::{self, Change},
    },
};
use crate::{
    args::BenchArgs,
    table::Target,
    timing::{bodies, levels},
    values::unique,
};

/// Measures, prints, and writes the requested files. All files are opened before the measurement,
/// so that a name that cannot be written costs no time, and complete after it.
pub(crate) fn run(args: &BenchArgs) -> Result<()> {
    let levels = levels(&args.cases.level)?;
    let baseline = args.baseline.as_deref().map(baseline::read).transpose()?;
    #[cfg(feature = "report")]
    let peers = args.peers.as_deref().map(peers::read).transpose()?.unwrap_or_default();
    #[cfg_attr(
        not(feature = "report"),
        expect(unused_variables, reason = "this build writes no report")
    )]
    let [csv, save, html] = outputs(args)?;

    let about = About::this(args);
    let (cases, notes) = plan::cases(args);
    for note in notes {
        writeln!(io::stderr(), "{note}")?;
    }
    if let Some(old) = &baseline {
        compare_machines(&old.about, &about)?;
    }
    let bar = ProgressBar::new((cases.len() * PASSES) as u64);
    bar.set_style(ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len}, {eta} left")?);
    table::begin(&about, args.format)?;
    let mut rows: Vec<Vec<Row>> = vec![Vec::new(); cases.len()];
    let mut seconds = vec![0.0; cases.len()];
    for pass in 1..=PASSES {
        for ((case, rows), seconds) in cases.iter().zip(&mut rows).zip(&mut seconds) {
            bar.set_message(format!("{}, {}, {}", case.what, case.subject, bodies(case.n)));
            let begin = Instant::now();
            let measured = measure::run(case, &levels, args)?;
            *seconds += begin.elapsed().as_secs_f64();
            if rows.is_empty() {
                *rows = measured.into_iter().map(|measured| Row::new(case, measured)).collect();
            } else {
                for (row, more) in rows.iter_mut().zip(measured) {
                    row.add(more);
                }
            }
            if pass == PASSES && baseline.is_none() {
                bar.suspend(|| table::add(case, rows, None, &about, args.format))?;
            }
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    let changes = match &baseline {
        None => vec![None; rows.iter().map(Vec::len).sum()],
        // All rows are judged together.
        Some(old) => baseline::changes(&rows.concat(), old),
    };
    if baseline.is_some() {
        let mut rest = &changes[..];
        for (case, rows) in cases.iter().zip(&rows) {
            let (own, others) = rest.split_at(rows.len());
            table::add(case, rows, Some(own), &about, args.format)?;
            rest = others;
        }
    }
    let advice = baseline::advice(&changes, rows.iter().map(Vec::len).zip(seconds));

    let scene = |case: &Case| match case.subject {
        Subject::Scene(kind) => Some((kind, case.n)),
        Subject::Level(_) => None,
    };
    let scenes = unique(cases.iter().filter_map(scene));
    let cells = scenes.into_iter().map(|(kind, n)| Cells::count(kind, n, args));
    let cells = cells.collect::<Result<_>>()?;
    let run = Run { widephase_bench: FORMAT, about, rows: rows.concat(), cells };
    let baseline = baseline.as_ref().map(|old| (old, &*changes));
    let mut written = Vec::new();
    if let Some(target) = csv {
        written.push(write_csv(target, &run, &changes)?);
    }
    if let Some(target) = save {
        written.push(write(target, &serde_json::to_string(&run)?)?);
    }
    #[cfg(feature = "report")]
    if let Some(target) = html {
        written.push(write(target, &html::page(&run, &Beside { baseline, peers: &peers })?)?);
    }
    Target::finish_all(written)?;
    table::end(baseline.map(|(_, changes)| changes), advice.as_deref(), args.format)
}

/// Opens the files of `--csv`, `--save` and `--html`.
fn outputs(args: &BenchArgs) -> Result<[Option<Target>; 3]> {
    let inputs: Vec<&Path> =
        [&args.baseline, &args.peers].into_iter().flatten().map(|path| &**path).collect();
    let outputs = [("--csv", &args.csv), ("--save", &args.save), ("--html", &args.html)];
    for (number, (option, path)) in outputs.iter().enumerate() {
        let same = outputs[..number].iter().find(|(_, other)| path.is_some() && path == other);
        if let Some((other, _)) = same {
            bail!("{other} and {option} have the same file; name two files");
        }
    }
    let [csv, save, html] = outputs.map(|(option, path)| {
        let open = |path| {
            Target::open(Some(path), &inputs).with_context(|| {
                format!("{option} cannot be written; name a file in a folder that exists")
            })
        };
        path.as_deref().map(open).transpose()
    });
    Ok([csv?, save?, html?])
}

/// Notes that times of two machines or motions say little about a change.
fn compare_machines(old: &About, new: &About) -> io::Result<()> {
    let differences = [
        ("CPU", &old.cpu, &new.cpu),
        ("motion", &old.motion, &new.motion),
        ("seed", &old.seed.to_string(), &new.seed.to_string()),
    ];
    for (what, old, new) in differences {
        if old != new {
            writeln!(io::stderr(), "the baseline has another {what}: {old}, and this run {new}")?;
        }
    }
    Ok(())
}

fn write_csv(target: Target, run: &Run, changes: &[Option<Change>]) -> Result<Target> {
    let name = target.name.clone();
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(target);
    let mut write = || -> csv::Result<()> {
        writer.write_record(COLUMNS)?;
        for (row, change) in run.rows.iter().zip(changes) {
            writer.serialize(Flat::new(row, change.as_ref(), &run.about.motion))?;
        }
        Ok(())
    };
    write().with_context(|| name.clone())?;
    writer.into_inner().map_err(|error| error.into_error()).context(name)
}

fn write(mut target: Target, text: &str) -> Result<Target> {
    target.write_all(text.as_bytes()).with_context(|| target.name.clone())?;
    Ok(target)
}
