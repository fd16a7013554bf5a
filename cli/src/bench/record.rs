//! What a run has measured, and on what.

use std::{env, process::Command, time::SystemTime};

use serde::{Deserialize, Serialize};

use super::{cells::Cells, phases::PhaseTimes, plan::What};
use crate::{
    args::{self, BenchArgs},
    cpu,
    timing::{Spread, thousandths},
};

/// The version of the format of saved runs.
pub(super) const FORMAT: u32 = 1;

/// A run: what `--save` writes and `--baseline` reads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Run {
    /// The version of this format.
    pub(super) widephase_bench: u32,
    pub(super) about: About,
    pub(super) rows: Vec<Row>,
    /// The cells of each scene and number of bodies. Empty in runs of older versions.
    #[serde(default)]
    pub(super) cells: Vec<Cells>,
}

/// On what, when and how.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct About {
    pub(super) version: String,
    pub(super) commit: String,
    pub(super) cpu: String,
    pub(super) threads: usize,
    pub(super) system: String,
    /// In UTC, as in RFC 3339.
    pub(super) date: String,
    pub(super) command: String,
    pub(super) motion: String,
    pub(super) seed: u64,
}

impl About {
    /// This run.
    pub(super) fn this(args: &BenchArgs) -> Self {
        let arguments = env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
        let words: Vec<String> = std::iter::once("widephase".to_owned()).chain(arguments).collect();
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit: commit().unwrap_or_else(|| "unknown".to_owned()),
            cpu: cpu::name(),
            threads: args::all_threads(),
            system: env::consts::OS.to_owned(),
            date: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
            command: words.join(" "),
            motion: args.cases.motion.to_string(),
            seed: args.cases.seed,
        }
    }
}

/// The commit of the folder that the command was built in, with `-dirty` if files differ from it.
/// `None` without that folder or without git.
fn commit() -> Option<String> {
    let mut git = Command::new("git");
    git.args(["-C", env!("CARGO_MANIFEST_DIR"), "describe", "--always", "--dirty", "--abbrev=12"]);
    let output = git.output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?;
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// The samples of one configuration for one call, scene and number of bodies.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Row {
    pub(super) what: What,
    /// The short name.
    pub(super) scene: String,
    pub(super) n: u32,
    pub(super) level: String,
    pub(super) threads: usize,
    /// Nanoseconds per body, one for each turn.
    pub(super) samples: Vec<f64>,
    /// The phases, of the pass in which they took the least time. None in runs of older versions.
    #[serde(default)]
    pub(super) phases: PhaseTimes,
}

impl Row {
    /// The median and the quartiles of the samples.
    pub(super) fn spread(&self) -> Spread {
        Spread::of(&self.samples)
    }

    /// Adds those of another pass.
    pub(super) fn add(&mut self, more: Row) {
        self.samples.extend(more.samples);
        if more.phases.sum() < self.phases.sum() {
            self.phases = more.phases;
        }
    }

    /// Whether two rows measure the same on the same configuration.
    pub(super) fn is_same(&self, other: &Row) -> bool {
        self.is_same_case(other) && (&self.level, self.threads) == (&other.level, other.threads)
    }

    /// Whether two rows measure the same call on the same scene.
    pub(super) fn is_same_case(&self, other: &Row) -> bool {
        (self.what, &self.scene, self.n) == (other.what, &other.scene, other.n)
    }

    /// How many times as fast it is as the row of `rows` with the same case and the given level and
    /// threads, if there is one.
    pub(super) fn speed_up(&self, rows: &[Row], level: &str, threads: usize) -> Option<f64> {
        let is_base =
            |row: &&Row| row.is_same_case(self) && (&*row.level, row.threads) == (level, threads);
        let base = rows.iter().find(is_base)?;
        Some(base.spread().median / self.spread().median)
    }
}

/// A row as CSV and JSON have it: the keys that scripts rely on.
#[derive(Debug, Serialize)]
pub(super) struct Flat<'a> {
    what: What,
    scene: &'a str,
    motion: &'a str,
    n: u32,
    level: &'a str,
    threads: usize,
    median_ns_per_body: f64,
    first_quartile: f64,
    third_quartile: f64,
    samples: usize,
    /// The ratio of the median to that of the baseline; empty without one.
    ratio_to_baseline: Option<f64>,
    verdict: Option<&'static str>,
    /// In nanoseconds per body.
    phases: PhaseTimes,
}

/// The columns of the CSV file.
pub(super) const COLUMNS: [&str; 20] = [
    "what",
    "scene",
    "motion",
    "n",
    "level",
    "threads",
    "median_ns_per_body",
    "first_quartile",
    "third_quartile",
    "samples",
    "ratio_to_baseline",
    "verdict",
    "index",
    "check",
    "sort",
    "search",
    "finish",
    "contacts",
    "events",
    "rest",
];

impl<'a> Flat<'a> {
    /// A row, and how it compares with the baseline.
    pub(super) fn new(
        row: &'a Row,
        change: Option<&super::baseline::Change>,
        motion: &'a str,
    ) -> Self {
        let Spread { first_quartile, median, third_quartile } = row.spread();
        Self {
            what: row.what,
            scene: &row.scene,
            motion,
            n: row.n,
            level: &row.level,
            threads: row.threads,
            median_ns_per_body: thousandths(median),
            first_quartile: thousandths(first_quartile),
            third_quartile: thousandths(third_quartile),
            samples: row.samples.len(),
            ratio_to_baseline: change.map(|change| thousandths(change.ratio)),
            verdict: change.map(|change| change.verdict.name()),
            phases: row.phases,
        }
    }
}
