//! A run: its measurements, and the machine.

use serde::{Deserialize, Serialize};
use widephase_scenes::Subject;

use super::about::About;
use crate::{
    bench::{
        measure::{Cells, Measured, PhaseTimes},
        plan::Case,
    },
    timing::{Spread, median, thousandths},
    values::Call,
};

/// The version of the format of saved runs.
pub(in crate::bench) const FORMAT: u32 = 1;

/// A run, as `--save` writes it and `--baseline` reads it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::bench) struct Run {
    /// The version of this format.
    pub(in crate::bench) widephase_bench: u32,
    pub(in crate::bench) about: About,
    pub(in crate::bench) rows: Vec<Row>,
    /// The cells of each scene and number of bodies. Empty in runs of older versions.
    #[serde(default)]
    pub(in crate::bench) cells: Vec<Cells>,
}

/// The samples of one configuration for one call, scene and number of bodies.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::bench) struct Row {
    pub(in crate::bench) what: Call,
    /// The short name.
    pub(in crate::bench) scene: String,
    pub(in crate::bench) n: u32,
    pub(in crate::bench) level: String,
    pub(in crate::bench) threads: usize,
    /// Nanoseconds per body, a value for each turn.
    pub(in crate::bench) samples: Vec<f64>,
    /// The number of samples of each pass. `None` in runs of older versions.
    #[serde(default)]
    pub(in crate::bench) passes: Vec<usize>,
    /// The number of samples all of whose calls were disturbed.
    #[serde(default)]
    pub(in crate::bench) disturbed: usize,
    /// How many pairs, contacts, hits or neighbours a call found, for each body. 0 in runs of older
    /// versions.
    #[serde(default)]
    pub(in crate::bench) found: f64,
    /// The phases, of the pass in which they took the least time. `None` in runs of older versions.
    #[serde(default)]
    pub(in crate::bench) phases: PhaseTimes,
}

impl Row {
    pub(in crate::bench) fn new(case: &Case, measured: Measured) -> Self {
        let Measured { level, threads, samples, disturbed, found, phases } = measured;
        let found = thousandths(found);
        let passes = vec![samples.len()];
        let (scene, level) = (case.subject.name().to_owned(), level.name().to_owned());
        let (what, n) = (case.what, case.n);
        Self { what, scene, n, level, threads, samples, passes, disturbed, found, phases }
    }

    /// Whether it is a row of a level, and `n` its number of movers.
    pub(in crate::bench) fn is_of_level(&self) -> bool {
        matches!(self.scene.parse(), Ok(Subject::Level(_)))
    }

    /// The median and the quartiles of the samples.
    pub(in crate::bench) fn spread(&self) -> Spread {
        Spread::of(&self.samples)
    }

    /// How many million bodies a second.
    pub(in crate::bench) fn millions_a_second(&self) -> f64 {
        1e3 / self.spread().median
    }

    /// Whether the samples are too far apart to say much, or most were disturbed.
    pub(in crate::bench) fn is_noisy(&self) -> bool {
        self.spread().is_noisy() || self.disturbed * 2 > self.samples.len()
    }

    /// The medians of the passes; of runs of older versions, of thirds.
    pub(in crate::bench) fn pass_medians(&self) -> Vec<f64> {
        let (mut rest, third) = (&self.samples[..], self.samples.len().div_ceil(3).max(1));
        if self.passes.is_empty() {
            return rest.chunks(third).map(median).collect();
        }
        let pass = |len: &usize| {
            let (pass, more) = rest.split_at((*len).min(rest.len()));
            rest = more;
            median(pass)
        };
        self.passes.iter().map(pass).collect()
    }

    /// Adds the samples of another pass.
    pub(in crate::bench) fn add(&mut self, more: Measured) {
        self.passes.push(more.samples.len());
        self.disturbed += more.disturbed;
        self.samples.extend(more.samples);
        if more.phases.sum() < self.phases.sum() {
            self.phases = more.phases;
        }
    }

    /// Whether two rows measure the same case on the same configuration.
    pub(in crate::bench) fn is_same(&self, other: &Row) -> bool {
        self.is_same_case(other) && (&self.level, self.threads) == (&other.level, other.threads)
    }

    /// Whether two rows measure the same call on the same scene.
    pub(in crate::bench) fn is_same_case(&self, other: &Row) -> bool {
        (self.what, &self.scene, self.n) == (other.what, &other.scene, other.n)
    }

    /// How many times as fast it is as the row of `rows` with the same case and the given level and
    /// threads, if there is such a row.
    pub(in crate::bench) fn speed_up(
        &self,
        rows: &[Row],
        level: &str,
        threads: usize,
    ) -> Option<f64> {
        let is_base =
            |row: &&Row| row.is_same_case(self) && (&*row.level, row.threads) == (level, threads);
        let base = rows.iter().find(is_base)?;
        Some(base.spread().median / self.spread().median)
    }
}
