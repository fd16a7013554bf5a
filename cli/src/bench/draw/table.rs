//! Prints the rows of each case: a table, or a JSON object per line.

use std::io::{self, Write};

use anyhow::Result;
use comfy_table::{CellAlignment, Table, presets::ASCII_MARKDOWN};

use crate::{
    bench::{
        plan::Case,
        record::{About, Flat, Row, baseline::Change},
    },
    timing::{sized, title},
    values::Format,
};

/// The legend of a table.
const LEGEND: &str = "\
ns/body, ns/mover: median of the medians of turns, on one thread of its CPU time
25 % to 75 %: their quartiles
~: noisy, the quartiles are 1.2 times apart or more, or other programs ran in most turns
× scalar: speed-up over the level scalar on as many threads
× 1 thread: speed-up over the same level on one thread";

/// The legend of the column of changes.
const CHANGE_LEGEND: &str = "\
change: of the median; beyond noise if it and the least sample moved by more than 5 %, both medians
  are outside the quartiles of the other run, all passes of one run are beyond all passes of the
  other, and the Mann-Whitney test finds it (p < 0.05 for all rows together, by Holm)
no change: none beyond noise, and 10 % would have been found; too noisy: 10 % would not have been;
  too few samples: no samples so few are enough, however different";

/// Prints the subject of a run.
pub(in crate::bench) fn begin(about: &About, format: Format) -> Result<()> {
    if format == Format::Table {
        let About { version, commit, cpu, motion, seed, .. } = about;
        let mut out = io::stdout().lock();
        writeln!(out, "widephase {version}, commit {commit}, on {cpu}")?;
        writeln!(out, "motion: {motion}; seeds: {seed} and on")?;
    }
    Ok(())
}

/// Prints the rows of a case. With a baseline, `changes` has a value for each row.
pub(in crate::bench) fn add(
    case: &Case,
    rows: &[Row],
    changes: Option<&[Option<Change>]>,
    about: &About,
    format: Format,
) -> Result<()> {
    let mut out = io::stdout().lock();
    match format {
        Format::Json => {
            for (number, row) in rows.iter().enumerate() {
                let change = changes.and_then(|changes| changes[number].as_ref());
                let flat = Flat::new(row, change, &about.motion);
                serde_json::to_writer(&mut out, &flat).map_err(io::Error::from)?;
                writeln!(out)?;
            }
        }
        Format::Table => {
            let (scene, n) = (title(case.subject), sized(case.subject, case.n));
            let table = table(case.subject.one(), rows, changes);
            let found = rows.first().map_or(0.0, |row| row.found);
            let found = format!("{found:.2} {} a {}", case.what.found(), case.subject.one());
            writeln!(out, "\n{}, {scene}, {n}, {found}\n\n{table}", case.what)?;
            let median = |row: &&Row| row.spread().median;
            if let Some(row) = rows.iter().min_by(|a, b| median(a).total_cmp(&median(b))) {
                write_phases(case.subject.one(), row, &mut out)?;
            }
        }
    }
    Ok(out.flush()?)
}

/// Writes a line with the phases of a row, if its call has any.
fn write_phases(one: &str, row: &Row, out: &mut impl Write) -> io::Result<()> {
    let phase = |(name, time)| format!("{name} {time:.2}");
    let phases: Vec<String> = row.phases.named().map(phase).collect();
    if phases.is_empty() {
        return Ok(());
    }
    let on =
        if row.threads == 1 { "1 thread".to_owned() } else { format!("{} threads", row.threads) };
    let (level, sum, phases) = (&row.level, row.phases.sum(), phases.join(", "));
    writeln!(out, "\nphases of {level} on {on}, of a call of {sum:.2} ns/{one}: {phases}")
}

/// A row for each configuration. A time is the time of `one` body or mover.
fn table(one: &str, rows: &[Row], changes: Option<&[Option<Change>]>) -> Table {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN);
    let rate = if one == "body" { "M bodies/s" } else { "M movers/s" };
    let time = format!("ns/{one}");
    let mut titles =
        vec!["level", "threads", &time, "25 %", "75 %", rate, "× scalar", "× 1 thread"];
    titles.extend(changes.map(|_| "change"));
    table.set_header(titles);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    for (number, row) in rows.iter().enumerate() {
        let spread = row.spread();
        let times =
            |ratio: Option<f64>| ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.2}"));
        let mut cells = vec![
            row.level.clone(),
            row.threads.to_string(),
            format!("{:.2}{}", spread.median, if row.is_noisy() { " ~" } else { "" }),
            format!("{:.2}", spread.first_quartile),
            format!("{:.2}", spread.third_quartile),
            format!("{:.1}", row.millions_a_second()),
            times(row.speed_up(rows, "scalar", row.threads)),
            times(row.speed_up(rows, &row.level, 1)),
        ];
        cells.extend(changes.map(|changes| told(changes[number].as_ref())));
        table.add_row(cells);
    }
    table
}

/// The word for rows that the baseline lacks.
const ABSENT: &str = "not in the baseline";

fn told_name(change: Option<&Change>) -> &'static str {
    change.map_or(ABSENT, |change| change.verdict.name())
}

/// A change in words.
pub(in crate::bench) fn told(change: Option<&Change>) -> String {
    match change {
        None => ABSENT.to_owned(),
        Some(change) if change.verdict.has_moved() => {
            format!("{} {}", change.verdict.name(), change.percent())
        }
        Some(change) => change.verdict.name().to_owned(),
    }
}

/// Prints the legend and, with a baseline, the rows that moved, and advice about rows without a
/// verdict.
pub(in crate::bench) fn end(
    changes: Option<&[Option<Change>]>,
    advice: Option<&str>,
    format: Format,
) -> Result<()> {
    if format == Format::Table {
        let mut out = io::stdout().lock();
        writeln!(out, "\n{LEGEND}")?;
        if let Some(changes) = changes {
            writeln!(out, "{CHANGE_LEGEND}\n\n{}", summary(changes))?;
        }
        if let Some(advice) = advice {
            writeln!(out, "{advice}.")?;
        }
        out.flush()?;
    } else if let Some(advice) = advice {
        writeln!(io::stderr(), "{advice}")?;
    }
    Ok(())
}

/// How many rows moved.
pub(in crate::bench) fn summary(changes: &[Option<Change>]) -> String {
    let count = |name: &str| {
        let named = |change: &Option<Change>| told_name(change.as_ref()) == name;
        changes.iter().filter(|change| named(change)).count()
    };
    let always = ["improved", "regressed", "no change"].map(|name| (name, count(name)));
    let others = ["too few samples", "too noisy", ABSENT].map(|name| (name, count(name)));
    let others = others.into_iter().filter(|(_, count)| *count > 0);
    let counts = always.into_iter().chain(others).map(|(name, count)| format!("{count} {name}"));
    counts.collect::<Vec<String>>().join(", ") + "."
}
