//! What is printed: a table at the end, or a JSON object a line as it comes.

use std::io::{self, Write};

use anyhow::Result;
use comfy_table::{Cell, CellAlignment, Table, presets::ASCII_MARKDOWN};
use serde::Serialize;
use widephase::{Level, scene::SceneKind};

use super::{
    executor::Executor,
    verify::{Against, Verdict},
};
use crate::{
    args::{CompareArgs, Format},
    cpu,
};

/// One executor on one kind and size of scene.
pub(super) struct Row {
    kind: SceneKind,
    n: u32,
    level: Level,
    threads: usize,
    against: Against,
    verdict: Verdict,
    /// Nanoseconds a body.
    median: f64,
    /// The same with contacts, if they are asked for.
    contact_median: Option<f64>,
}

impl Row {
    pub(super) fn new(
        kind: SceneKind,
        n: u32,
        executor: &Executor,
        against: Against,
        verdict: Verdict,
        median: f64,
    ) -> Self {
        let Executor { level, threads, .. } = *executor;
        Self { kind, n, level, threads, against, verdict, median, contact_median: None }
    }

    /// The same row with the time that contacts take.
    pub(super) fn with_contacts(self, contact_median: Option<f64>) -> Self {
        Self { contact_median, ..self }
    }

    /// Nanoseconds a body or pair: what scenes with more and with fewer pairs are compared by.
    fn median_of_both(&self) -> f64 {
        let n = f64::from(self.n);
        self.median * n / (n + self.verdict.pairs as f64)
    }

    fn json(&self, motion: &'static str) -> JsonRow {
        JsonRow {
            scene: self.kind.short_name(),
            motion,
            n: self.n,
            level: self.level.name(),
            threads: self.threads,
            median_ns_per_body: thousandths(self.median),
            pairs: self.verdict.pairs,
            hash: hex(self.verdict.hash),
            contacts: self.verdict.contacts.map(|contacts| contacts.len),
            contact_hash: self.verdict.contacts.map(|contacts| hex(contacts.hash)),
            median_contact_ns_per_body: self.contact_median.map(thousandths),
            identical: self.verdict.identical,
        }
    }
}

/// The keys that scripts rely on; those of contacts only where they are asked for.
#[derive(Serialize)]
struct JsonRow {
    scene: &'static str,
    motion: &'static str,
    n: u32,
    level: &'static str,
    threads: usize,
    median_ns_per_body: f64,
    pairs: usize,
    hash: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    contacts: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    contact_hash: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    median_contact_ns_per_body: Option<f64>,
    identical: bool,
}

/// What the columns of the table mean.
const LEGEND: &str = "\
ns/body: median of whole detections, from unsorted columns of moving bodies to the list of pairs
× scalar: speed-up over the level scalar on as many threads; × 1 thread: over the same level on one
ns/(body+pair): the same time by the bodies and the pairs of the first scene together
verified by: in every scene of the rotation the list is that of the scalar grid on one thread, pair
  by pair; and, where it says brute force, the set that testing all pairs of shapes gives
pairs, hash: of the first scene";

/// What the columns of contacts mean.
const CONTACT_LEGEND: &str = "\
contacts: of the first scene, and the hash of their bytes; with --contacts, identical means these, too
contact ns/body: median of whole detections to the list of contacts";

/// Rows on their way to standard output.
pub(super) struct Report<'a> {
    args: &'a CompareArgs,
    levels: &'a [Level],
    table: Table,
    rows: usize,
    different: usize,
}

impl<'a> Report<'a> {
    pub(super) fn new(args: &'a CompareArgs, levels: &'a [Level]) -> Self {
        let mut table = Table::new();
        table.load_style(ASCII_MARKDOWN);
        let titles = ["scene", "n", "level", "threads", "ns/body", "× scalar", "× 1 thread"];
        let more = ["ns/(body+pair)", "pairs", "hash of the list"];
        let of_contacts: &[&str] = match args.contacts {
            true => &["contact ns/body", "contacts", "hash of contacts"],
            false => &[],
        };
        let last = ["verified by", "identical"];
        table.set_header(titles.iter().chain(&more).chain(of_contacts).chain(&last));
        Self { args, levels, table, rows: 0, different: 0 }
    }

    /// Says what runs where, and what does not. In JSON the latter goes to standard error, so that
    /// nothing is left out in silence.
    pub(super) fn begin(&self) -> Result<()> {
        let absent: Vec<&str> = Level::ALL
            .into_iter()
            .filter(|level| !level.is_available())
            .map(|level| level.name())
            .collect();
        if self.args.format == Format::Json {
            for level in absent {
                writeln!(io::stderr(), "{level}: not on this CPU")?;
            }
            return Ok(());
        }
        let names: Vec<&str> = self.levels.iter().map(|level| level.name()).collect();
        let mut out = io::stdout().lock();
        writeln!(out, "widephase {} on {}", env!("CARGO_PKG_VERSION"), cpu::name())?;
        write!(out, "levels: {}", names.join(", "))?;
        for level in absent {
            write!(out, "; {level}: not on this CPU")?;
        }
        writeln!(out)?;
        let CompareArgs { motion, seed, .. } = self.args;
        writeln!(out, "motion: {motion}; seeds: {seed} and on")?;
        for kind in SceneKind::STANDARD {
            if self.args.scenes().contains(&kind) {
                writeln!(out, "{kind}: {}", kind.long_name())?;
            }
        }
        Ok(out.flush()?)
    }

    /// Takes the rows of all executors for one kind and size of scene.
    pub(super) fn add(&mut self, rows: Vec<Row>) -> Result<()> {
        self.rows += rows.len();
        self.different += rows.iter().filter(|row| !row.verdict.identical).count();
        if self.args.format == Format::Json {
            let mut out = io::stdout().lock();
            for row in &rows {
                serde_json::to_writer(&mut out, &row.json(self.args.motion.name()))
                    .map_err(io::Error::from)?;
                writeln!(out)?;
            }
            return Ok(out.flush()?);
        }
        for row in &rows {
            let median_of = |level, threads| {
                let found = rows.iter().find(|row| (row.level, row.threads) == (level, threads));
                found.map_or("-".to_owned(), |base| format!("{:.2}", base.median / row.median))
            };
            let mut cells = vec![
                (row.kind.to_string(), CellAlignment::Left),
                (bodies(row.n), CellAlignment::Right),
                (row.level.to_string(), CellAlignment::Left),
                (row.threads.to_string(), CellAlignment::Right),
                (format!("{:.2}", row.median), CellAlignment::Right),
                (median_of(Level::Scalar, row.threads), CellAlignment::Right),
                (median_of(row.level, 1), CellAlignment::Right),
                (format!("{:.2}", row.median_of_both()), CellAlignment::Right),
                (row.verdict.pairs.to_string(), CellAlignment::Right),
                (hex(row.verdict.hash), CellAlignment::Left),
            ];
            if let (Some(median), Some(contacts)) = (row.contact_median, row.verdict.contacts) {
                cells.extend([
                    (format!("{median:.2}"), CellAlignment::Right),
                    (contacts.len.to_string(), CellAlignment::Right),
                    (hex(contacts.hash), CellAlignment::Left),
                ]);
            }
            let identical = if row.verdict.identical { "yes" } else { "NO" };
            cells.extend([
                (row.against.to_string(), CellAlignment::Left),
                (identical.to_owned(), CellAlignment::Left),
            ]);
            let cell = |(text, alignment)| Cell::new(text).set_alignment(alignment);
            self.table.add_row(cells.into_iter().map(cell));
        }
        Ok(())
    }

    /// Prints the table and what it comes to; `false` when any row differs.
    pub(super) fn end(self) -> Result<bool> {
        let Self { rows, different, .. } = self;
        if self.args.format == Format::Table {
            let mut out = io::stdout().lock();
            writeln!(out, "\n{}\n", self.table)?;
            writeln!(out, "{LEGEND}")?;
            if self.args.contacts {
                writeln!(out, "{CONTACT_LEGEND}")?;
            }
            writeln!(out)?;
            match different {
                0 => writeln!(out, "all {rows} identical")?,
                _ => writeln!(out, "{different} of {rows} DIFFER")?,
            }
            out.flush()?;
        }
        Ok(different == 0)
    }
}

/// A number of bodies as people write it.
pub(super) fn bodies(n: u32) -> String {
    match n {
        _ if n.is_multiple_of(1_000_000) => format!("{}M", n / 1_000_000),
        _ if n.is_multiple_of(1000) => format!("{}k", n / 1000),
        _ => n.to_string(),
    }
}

/// A number as JSON shows it.
fn thousandths(value: f64) -> f64 {
    (value * 1e3).round() / 1e3
}

fn hex(hash: u64) -> String {
    format!("{hash:016x}")
}
