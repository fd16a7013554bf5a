//! The rows of a run: the results of an executor for one kind of scene and one number of bodies.

use std::time::Duration;

use comfy_table::{Table, presets::ASCII_MARKDOWN};
use serde::Serialize;
use widephase_scenes::Subject;

use crate::executor::Entry;

/// The result of one executor for one kind of scene and one number of bodies. The fields are the
/// columns of the files.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    #[serde(skip)]
    pub subject: Subject,
    pub scene: &'static str,
    /// The number of bodies; in a level, of movers.
    pub n: u32,
    pub executor: String,
    /// The version of the measured package; `-` for an executor written in this program.
    pub version: &'static str,
    /// `None` if the executor was left out, as for `pairs`.
    pub median_ns_per_body: Option<f64>,
    pub pairs: Option<usize>,
    /// The time relative to widephase's; `None` if one of the two times was not measured.
    pub ratio_to_widephase: Option<f64>,
    /// The reason why it was not measured.
    pub left_out: Option<String>,
    /// Whether it is a library by other authors.
    #[serde(skip)]
    pub library: bool,
}

impl Row {
    /// The row of a measured executor.
    pub fn measured(
        subject: Subject,
        n: u32,
        entry: &Entry,
        median: Duration,
        pairs: usize,
    ) -> Self {
        Self {
            median_ns_per_body: Some(median.as_nanos() as f64 / f64::from(n)),
            pairs: Some(pairs),
            ..Self::new(subject, n, entry)
        }
    }

    /// The row of an executor that was not measured, with the reason.
    pub fn left_out(subject: Subject, n: u32, entry: &Entry, why: String) -> Self {
        Self { left_out: Some(why), ..Self::new(subject, n, entry) }
    }

    fn new(subject: Subject, n: u32, entry: &Entry) -> Self {
        Self {
            subject,
            scene: subject.name(),
            n,
            executor: entry.name.to_string(),
            version: entry.version(),
            median_ns_per_body: None,
            pairs: None,
            ratio_to_widephase: None,
            left_out: None,
            library: entry.is_library(),
        }
    }
}

/// All executors for one kind of scene and one number of bodies, in the same order throughout a
/// run.
#[derive(Debug)]
pub struct Block {
    /// The requested number of bodies. The scene has fewer if that many bodies would have too many
    /// pairs.
    pub asked: u32,
    pub rows: Vec<Row>,
}

impl Block {
    /// The case that was left out and why, in words.
    pub fn notes(&self) -> impl Iterator<Item = String> {
        let fewer = self.rows.first().filter(|row| row.n < self.asked).map(|row| {
            let (n, asked) = (bodies(row.n), bodies(self.asked));
            format!("{}: {n} bodies, as {asked} would have too many pairs", row.scene)
        });
        let left_out = self.rows.iter().filter_map(|row| {
            let why = row.left_out.as_ref()?;
            Some(format!("{}, {}: {} left out: {why}", row.scene, bodies(row.n), row.executor))
        });
        fewer.into_iter().chain(left_out)
    }
}

/// An empty table.
pub fn markdown() -> Table {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN);
    table
}

/// A number of bodies in short form.
pub fn bodies(n: u32) -> String {
    match n {
        _ if n.is_multiple_of(1_000_000) => format!("{}M", n / 1_000_000),
        _ if n.is_multiple_of(1000) => format!("{}k", n / 1000),
        _ => n.to_string(),
    }
}
