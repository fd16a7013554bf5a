//! A row in the forms that scripts read.

use serde::Serialize;

use super::{baseline::Change, run::Row};
use crate::{
    bench::measure::PhaseTimes,
    timing::{Spread, thousandths},
    values::Call,
};

/// A row as CSV and JSON have it: the keys that scripts rely on.
#[derive(Debug, Serialize)]
pub(in crate::bench) struct Flat<'a> {
    what: Call,
    scene: &'a str,
    /// `None` of a level.
    motion: Option<&'a str>,
    n: u32,
    level: &'a str,
    threads: usize,
    median_ns_per_body: f64,
    first_quartile: f64,
    third_quartile: f64,
    samples: usize,
    million_bodies_a_second: f64,
    /// Pairs, contacts, hits or neighbours, for each body.
    found_per_body: f64,
    /// Whether the samples are too far apart to say much.
    noisy: bool,
    /// The ratio of the median to the median of the baseline; empty without a baseline.
    ratio_to_baseline: Option<f64>,
    verdict: Option<&'static str>,
    /// In nanoseconds per body.
    phases: PhaseTimes,
}

/// The columns of the CSV file.
pub(in crate::bench) const COLUMNS: [&str; 23] = [
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
    "million_bodies_a_second",
    "found_per_body",
    "noisy",
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
    pub(in crate::bench) fn new(row: &'a Row, change: Option<&Change>, motion: &'a str) -> Self {
        let Spread { first_quartile, median, third_quartile } = row.spread();
        Self {
            what: row.what,
            scene: &row.scene,
            motion: Some(motion).filter(|_| !row.is_of_level()),
            n: row.n,
            level: &row.level,
            threads: row.threads,
            median_ns_per_body: thousandths(median),
            first_quartile: thousandths(first_quartile),
            third_quartile: thousandths(third_quartile),
            samples: row.samples.len(),
            million_bodies_a_second: thousandths(row.millions_a_second()),
            found_per_body: row.found,
            noisy: row.is_noisy(),
            ratio_to_baseline: change.map(|change| thousandths(change.ratio)),
            verdict: change.map(|change| change.verdict.name()),
            phases: row.phases,
        }
    }
}
