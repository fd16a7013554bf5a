//! Prints results: a JSON object per line as they come, or tables at the end.

use std::io::{self, Write};

use anyhow::Result;
use comfy_table::{CellAlignment, Table, presets::ASCII_MARKDOWN};
use serde::Serialize;
use widephase::SimdLevel;
use widephase_scenes::Subject;

use super::{
    fastest::{LevelTime, fastest, mark, slower},
    summary,
    verify::{Against, Verdict},
};
use crate::{
    args::CompareArgs,
    cpu,
    timing::{Configuration, ON_THREADS, Spread, sized, thousandths, title},
    values::{Format, all_threads},
};

/// The result of one executor for one kind and size of scene.
pub(super) struct Row {
    subject: Subject,
    n: u32,
    level: SimdLevel,
    threads: usize,
    against: Against,
    verdict: Verdict,
    /// Nanoseconds per body.
    time: Spread,
    /// Nanoseconds per body with contacts, if they are requested.
    contact_time: Option<Spread>,
}

impl Row {
    pub(super) fn new(
        subject: Subject,
        n: u32,
        configuration: &Configuration,
        against: Against,
        verdict: Verdict,
        time: Spread,
    ) -> Self {
        let &Configuration { level, threads, .. } = configuration;
        Self { subject, n, level, threads, against, verdict, time, contact_time: None }
    }

    /// The row with the time of contacts.
    pub(super) fn with_contacts(self, contact_time: Option<Spread>) -> Self {
        Self { contact_time, ..self }
    }

    /// Nanoseconds per body or pair, to compare scenes with different numbers of pairs.
    fn median_of_both(&self) -> f64 {
        let n = f64::from(self.n);
        self.time.median * n / (n + self.verdict.pairs as f64)
    }

    fn is_of_level(&self) -> bool {
        matches!(self.subject, Subject::Level(_))
    }

    /// Whether a detection stays on one thread. A step of a level may not.
    fn is_small(&self) -> bool {
        self.n < ON_THREADS && !self.is_of_level()
    }

    /// The time, to be compared with the times of other levels.
    fn level_time(&self) -> LevelTime {
        let &Self { subject, n, threads, ref time, .. } = self;
        LevelTime {
            subject,
            n,
            what: if self.is_of_level() { "steps" } else { "pairs" },
            threads,
            level: self.level.name(),
            nanoseconds: time.median,
            noisy: time.is_noisy(),
            identical: self.verdict.identical,
        }
    }

    /// The time with contacts, if they are requested.
    fn contact_level_time(&self) -> Option<LevelTime> {
        let time = self.contact_time?;
        let (nanoseconds, noisy) = (time.median, time.is_noisy());
        Some(LevelTime { what: "contacts", nanoseconds, noisy, ..self.level_time() })
    }

    /// Whether a time is too noisy to say much.
    fn is_noisy(&self) -> bool {
        self.time.is_noisy() || self.contact_time.is_some_and(|time| time.is_noisy())
    }

    fn json(&self, motion: &'static str) -> JsonRow {
        JsonRow {
            scene: self.subject.name(),
            motion: Some(motion).filter(|_| !self.is_of_level()),
            n: self.n,
            level: self.level.name(),
            threads: self.threads,
            median_ns_per_body: thousandths(self.time.median),
            noisy: self.is_noisy(),
            pairs: self.verdict.pairs,
            hash: hex(self.verdict.hash),
            contacts: self.verdict.contacts.map(|contacts| contacts.len),
            contact_hash: self.verdict.contacts.map(|contacts| hex(contacts.hash)),
            median_contact_ns_per_body: self.contact_time.map(|time| thousandths(time.median)),
            identical: self.verdict.identical,
        }
    }
}

/// The keys that scripts rely on. The keys of contacts are present only if contacts are requested.
#[derive(Serialize)]
struct JsonRow {
    scene: &'static str,
    /// `None` of a level.
    motion: Option<&'static str>,
    /// The number of bodies; of a level, of movers.
    n: u32,
    level: &'static str,
    threads: usize,
    median_ns_per_body: f64,
    noisy: bool,
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

/// The legend of the mark of a time.
pub(super) const NOISE_LEGEND: &str = "\
~: noisy, the quartiles are 1.2 times apart or more; the last sentences are without these rows";

/// The legend of the table of a scene.
const TABLE_LEGEND: &str = "\
× scalar: speed-up over the level scalar on as many threads; × 1 thread: over the same level on one";

/// The legend of scenes.
const SCENE_LEGEND: &str = "\
ns/body: median of whole detections, from unsorted columns of moving bodies to the list of pairs;
  on one thread, of its CPU time
identical: in several scenes, the list equals the list of the scalar grid on one thread, pair by
  pair; and, up to --brute-force bodies, a test of all pairs of shapes finds the same pairs";

/// The legend of the columns that only tables of scenes have.
const DETAIL_LEGEND: &str = "\
numbers of pairs, and hashes: of the first scene
ns/(body+pair): the same time by the bodies and the pairs together";

/// The legend of the columns for contacts.
const CONTACT_LEGEND: &str = "\
contacts, contact ns/body: the same with contacts; identical then means their bytes, too";

/// The legend of levels.
const LEVEL_LEGEND: &str = "\
ns/mover: median of steps of a world with a level, from the new poses of the movers to the events
  and the hits of rays; on one thread, of its CPU time
identical, of a level: in eight steps, pairs, contacts and hits equal the results of the level
  scalar on one thread, in the same order, to the last bit; a detection of all bodies finds the
  same pairs and contacts, and an index that is built anew the same hits; numbers and hashes: of
  the first step";

/// The legend of the mark.
const DEFAULT_LEGEND: &str = "*: the choice of a `Detector` with default options";

/// Prints rows to standard output.
pub(super) struct Report<'a> {
    args: &'a CompareArgs,
    levels: &'a [SimdLevel],
    /// The SIMD level that a detector chooses.
    preferred: SimdLevel,
    rows: Vec<Row>,
}

impl<'a> Report<'a> {
    pub(super) fn new(args: &'a CompareArgs, levels: &'a [SimdLevel]) -> Result<Self> {
        Ok(Self { args, levels, preferred: SimdLevel::preferred()?, rows: Vec::new() })
    }

    /// In JSON mode, prints the SIMD levels that do not run to standard error.
    pub(super) fn begin(&self) -> Result<()> {
        if self.args.format == Format::Json {
            for level in absent() {
                writeln!(io::stderr(), "{level}: not on this CPU")?;
            }
        }
        Ok(())
    }

    /// Adds the rows of all executors for one kind and size of scene, the scalar grid's first, and
    /// prints them in JSON mode.
    pub(super) fn add(&mut self, rows: Vec<Row>) -> Result<()> {
        if self.args.format == Format::Json {
            let mut out = io::stdout().lock();
            for row in &rows {
                serde_json::to_writer(&mut out, &row.json(self.args.cases.motion().name()))
                    .map_err(io::Error::from)?;
                writeln!(out)?;
            }
            out.flush()?;
        }
        self.rows.extend(rows);
        Ok(())
    }

    /// Prints the machine, the versions, and the SIMD levels that do not run.
    fn about(&self, out: &mut impl Write) -> io::Result<()> {
        let names: Vec<&str> = self.levels.iter().map(|level| level.name()).collect();
        writeln!(out, "widephase {} on {}", env!("CARGO_PKG_VERSION"), cpu::name())?;
        write!(out, "levels: {}", names.join(", "))?;
        for level in absent() {
            write!(out, "; {level}: not on this CPU")?;
        }
        let cases = &self.args.cases;
        writeln!(out, "\nmotion: {}; seeds: {} and on", cases.motion(), cases.seed)
    }

    /// Whether every row is shown, and not only the table of all cases.
    fn is_verbose(&self) -> bool {
        self.args.verbose || self.args.hash
    }

    /// The title of a scene's rows, from the first row.
    fn title(&self, row: &Row) -> String {
        let Row { subject, n, verdict: Verdict { pairs, contacts, .. }, against, .. } = row;
        let contacts = contacts.map(|contacts| format!(" and {} contacts", contacts.len));
        let (scene, n) = (title(*subject), sized(*subject, *n));
        let contacts = contacts.unwrap_or_default();
        format!("{scene}, {n}: {pairs} pairs{contacts}, verified by {against}")
    }

    /// A row for each executor.
    fn table(&self, rows: &[Row]) -> Table {
        let CompareArgs { contacts, hash, .. } = *self.args;
        let is_of_level = rows.iter().any(Row::is_of_level);
        let mut table = Table::new();
        table.load_style(ASCII_MARKDOWN);
        let by = if is_of_level { "ns/mover" } else { "ns/body" };
        let mut titles = vec!["level", "threads", by, "× scalar", "× 1 thread"];
        match contacts {
            _ if is_of_level => {}
            true => titles.push("contact ns/body"),
            false => titles.push("ns/(body+pair)"),
        }
        if hash {
            titles.push("hash of the list");
        }
        if hash && (contacts || is_of_level) {
            titles.push("hash of contacts");
        }
        let numbers = 1..titles.len();
        titles.push("identical");
        table.set_header(titles);
        for column in &mut table.column_iter_mut().collect::<Vec<_>>()[numbers] {
            column.set_cell_alignment(CellAlignment::Right);
        }
        for row in rows {
            let over = |level, threads| {
                let base = rows.iter().find(|row| (row.level, row.threads) == (level, threads));
                let ratio = |base: &Row| format!("{:.2}", base.time.median / row.time.median);
                base.map_or("-".to_owned(), ratio)
            };
            let default = if self.is_default(row) { " *" } else { "" };
            let time = match row.contact_time {
                _ if is_of_level => None,
                Some(time) => Some(format!("{:.2}{}", time.median, mark(time.is_noisy()))),
                None => Some(format!("{:.2}", row.median_of_both())),
            };
            let mut cells = vec![
                format!("{}{default}", row.level),
                row.threads.to_string(),
                format!("{:.2}{}", row.time.median, mark(row.time.is_noisy())),
                over(SimdLevel::Scalar, row.threads),
                over(row.level, 1),
            ];
            cells.extend(time);
            let contacts = row.verdict.contacts.map(|contacts| contacts.hash);
            cells.extend(
                [Some(row.verdict.hash), contacts].into_iter().flatten().filter(|_| hash).map(hex),
            );
            cells.push(if row.verdict.identical { "yes" } else { "NO" }.to_owned());
            table.add_row(cells);
        }
        table
    }

    /// Whether a row is the default configuration of a detector.
    fn is_default(&self, row: &Row) -> bool {
        let threads = if row.is_small() { 1 } else { all_threads() };
        (row.level, row.threads) == (self.preferred, threads)
    }

    /// Prints the tables; returns `false` if any row differs.
    pub(super) fn end(self) -> Result<bool> {
        let different = self.rows.iter().filter(|row| !row.verdict.identical).count();
        if self.args.format == Format::Table {
            self.print(different, &mut io::stdout().lock())?;
        }
        Ok(different == 0)
    }

    /// Prints the table of all cases, and its subject. `different`: the number of rows that differ.
    fn print(&self, different: usize, out: &mut impl Write) -> io::Result<()> {
        let rows = &self.rows;
        let times = rows.iter().flat_map(|row| {
            [Some(row.level_time()), row.contact_level_time()].into_iter().flatten()
        });
        writeln!(out, "{}\n", summary::table(&times.collect::<Vec<_>>()))?;
        self.about(out)?;
        if self.is_verbose() {
            for rows in rows.chunk_by(|a, b| (a.subject, a.n) == (b.subject, b.n)) {
                writeln!(out, "\n{}\n\n{}", self.title(&rows[0]), self.table(rows))?;
            }
        }
        self.legend(out)?;
        let all = rows.len();
        let verdict = match different {
            0 => format!("all {all} lists are identical"),
            _ => format!("{different} of {all} lists DIFFER, which is a fault of widephase"),
        };
        let times: Vec<LevelTime> = rows.iter().map(Row::level_time).collect();
        writeln!(out, "\nOn this machine {}; {verdict}.", fastest(&times))?;
        if let Some(slower) = slower(&times) {
            writeln!(out, "{slower}.")?;
        }
        out.flush()
    }

    /// Prints the meaning of the columns.
    fn legend(&self, out: &mut impl Write) -> io::Result<()> {
        let Self { args, rows, .. } = self;
        let [scene, level] = [false, true].map(|of| rows.iter().any(|row| row.is_of_level() == of));
        let columns = summary::legend(match (scene, level) {
            (true, true) => "body or ns/mover",
            (false, true) => "mover",
            _ => "body",
        });
        let (is_verbose, mut lines) = (self.is_verbose(), vec![&*columns, NOISE_LEGEND]);
        lines.extend(is_verbose.then_some(TABLE_LEGEND));
        if scene {
            lines.push(SCENE_LEGEND);
            lines.extend(is_verbose.then_some(DETAIL_LEGEND));
            lines.extend(args.contacts.then_some(CONTACT_LEGEND));
        }
        lines.extend(level.then_some(LEVEL_LEGEND));
        let has_default = is_verbose && rows.iter().any(|row| self.is_default(row));
        lines.extend(has_default.then_some(DEFAULT_LEGEND));
        if rows.iter().any(Row::is_small) && args.cases.threads.iter().any(|&n| n > 1) {
            lines.push("Fewer than 65,536 bodies stay on one thread.");
        }
        lines.extend((!is_verbose).then_some(summary::MORE));
        writeln!(out, "\n{}", lines.join("\n"))
    }
}

/// The SIMD levels that this CPU lacks.
fn absent() -> impl Iterator<Item = &'static str> {
    let absent = SimdLevel::ALL.into_iter().filter(|level| !level.is_available());
    absent.map(SimdLevel::name)
}

pub(super) fn hex(hash: u64) -> String {
    format!("{hash:016x}")
}
