//! What is printed and written.

use std::{
    fs,
    io::{self, Write},
    path::Path,
    time::Duration,
};

use anyhow::{Context, Result};
use comfy_table::{Cell, CellAlignment, Table, presets::ASCII_MARKDOWN};
use serde::Serialize;
use widephase::scene::SceneKind;

use crate::{
    args::Format,
    executor::{Entry, WIDEPHASE},
};

/// One executor on one kind and number of bodies. The fields are the columns of the files.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    pub scene: &'static str,
    pub n: u32,
    pub executor: String,
    /// Of the package that is measured; `-` for what is written by hand here.
    pub version: &'static str,
    pub median_ns_per_body: f64,
    pub pairs: usize,
    /// The time in widephase's; `None` if that was not measured.
    pub ratio_to_widephase: Option<f64>,
}

impl Row {
    pub fn new(kind: SceneKind, n: u32, entry: &Entry, median: Duration, pairs: usize) -> Self {
        Self {
            scene: kind.short_name(),
            n,
            executor: entry.name.to_string(),
            version: entry.version(),
            median_ns_per_body: median.as_nanos() as f64 / f64::from(n),
            pairs,
            ratio_to_widephase: None,
        }
    }
}

/// All that a run found out.
#[derive(Debug, Default)]
pub struct Report {
    rows: Vec<Row>,
    /// What was left out, and why, in words.
    skipped: Vec<String>,
}

impl Report {
    /// Takes the rows of all executors for one kind and number of bodies.
    pub fn add(&mut self, mut rows: Vec<Row>) {
        let widephase = rows.iter().find(|row| row.executor == WIDEPHASE);
        if let Some(base) = widephase.map(|row| row.median_ns_per_body) {
            for row in &mut rows {
                row.ratio_to_widephase = Some(row.median_ns_per_body / base);
            }
        }
        self.rows.extend(rows);
    }

    /// Notes what was left out of a scene, and why.
    pub fn skip(&mut self, kind: SceneKind, n: u32, what: &str) -> Result<()> {
        let what = format!("{kind}, {}: {what}", bodies(n));
        writeln!(io::stderr(), "{what}")?;
        self.skipped.push(what);
        Ok(())
    }

    pub fn render(&self, format: Format) -> Result<String> {
        match format {
            Format::Table => Ok(self.table()),
            Format::Csv => self.csv(),
            Format::Json => Ok(serde_json::to_string_pretty(&self.rows)? + "\n"),
        }
    }

    /// Writes every format into a folder.
    pub fn write(&self, folder: &Path) -> Result<()> {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        for (name, format) in [
            ("table.md", Format::Table),
            ("results.csv", Format::Csv),
            ("results.json", Format::Json),
        ] {
            let file = folder.join(name);
            fs::write(&file, self.render(format)?)
                .with_context(|| format!("cannot write {}", file.display()))?;
        }
        Ok(())
    }

    fn table(&self) -> String {
        let mut table = Table::new();
        table.load_style(ASCII_MARKDOWN);
        table.set_header(["scene", "n", "executor", "version", "ns/body", "pairs", "× widephase"]);
        for row in &self.rows {
            let ratio =
                row.ratio_to_widephase.map_or("-".to_owned(), |ratio| format!("{ratio:.2}"));
            let cells = [
                (row.scene.to_owned(), CellAlignment::Left),
                (bodies(row.n), CellAlignment::Right),
                (row.executor.clone(), CellAlignment::Left),
                (row.version.to_owned(), CellAlignment::Left),
                (format!("{:.1}", row.median_ns_per_body), CellAlignment::Right),
                (row.pairs.to_string(), CellAlignment::Right),
                (ratio, CellAlignment::Right),
            ];
            table.add_row(cells.map(|(text, at)| Cell::new(text).set_alignment(at)));
        }
        let skipped: String = self.skipped.iter().map(|what| format!("\n- {what}")).collect();
        let gap = if skipped.is_empty() { "" } else { "\n" };
        format!("{table}\n{gap}{skipped}{gap}")
    }

    fn csv(&self) -> Result<String> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        for row in &self.rows {
            writer.serialize(row)?;
        }
        Ok(String::from_utf8(writer.into_inner()?)?)
    }
}

/// A number of bodies as people write it.
fn bodies(n: u32) -> String {
    match n {
        _ if n.is_multiple_of(1_000_000) => format!("{}M", n / 1_000_000),
        _ if n.is_multiple_of(1000) => format!("{}k", n / 1000),
        _ => n.to_string(),
    }
}
