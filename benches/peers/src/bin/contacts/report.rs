//! Prints and writes the results.

use std::{fs, path::Path};

use anyhow::{Context, Result};
use comfy_table::{Cell, CellAlignment, Table, presets::ASCII_MARKDOWN};
use serde::Serialize;
use widephase::SimdLevel;

use crate::{measure::Outcome, rivals::Task};

/// The result of one way for one pair of kinds. The fields are the columns of the files.
#[derive(Debug, Clone, Serialize)]
struct Row {
    kinds: &'static str,
    task: Task,
    way: String,
    median_ns_per_pair: f64,
    /// The number of pairs in all worlds.
    pairs: usize,
    touching: usize,
    /// Pairs that it decides differently from widephase.
    differing: usize,
    /// The pairs among them that are not close to touching: another way of its own library agrees
    /// with widephase.
    wrong: usize,
}

/// All results of a run.
#[derive(Debug, Default)]
pub struct Report {
    rows: Vec<Row>,
    lines: Vec<Line>,
}

/// One pair of kinds, in words.
#[derive(Debug)]
struct Line(Vec<String>);

impl Report {
    pub fn add(&mut self, kinds: &'static str, outcome: Outcome) {
        let Outcome { pairs, touching, differing, times } = outcome;
        let of = |way: &str| times.iter().find(|time| time.way == way).map(|t| t.ns_per_pair);
        let fastest = |ways: &[&str]| ways.iter().filter_map(|way| of(way)).min_by(f64::total_cmp);
        let [best_test, best_contacts] =
            ["test", "contacts"].map(|task| of(&format!("widephase-{task}-{}", SimdLevel::best())));
        let contact = fastest(&["parry-contact", "parry-contact-typed"]);
        let test = fastest(&["parry-test", "parry-test-typed"]);
        let ratio = |parry: Option<f64>, widephase: Option<f64>| match (parry, widephase) {
            (Some(parry), Some(widephase)) => format!("{:.1}", parry / widephase),
            _ => "-".to_owned(),
        };
        let time = |time: Option<f64>| time.map_or("-".to_owned(), |time| format!("{time:.1}"));
        let mut line = vec![
            kinds.to_owned(),
            format!("{:.0} %", 100.0 * touching as f64 / pairs as f64),
            time(of("parry-contact")),
            time(of("parry-contact-typed")),
            time(of("parry-manifold")),
        ];
        for level in SimdLevel::available() {
            line.push(time(of(&format!("widephase-contacts-{level}"))));
        }
        line.push(ratio(contact, best_contacts));
        line.push(ratio(of("parry-manifold"), best_contacts));
        line.extend([time(test), time(best_test), ratio(test, best_test)]);
        let rows = of(&format!("widephase-rows-{}", SimdLevel::best()));
        let [any, typed] = ["parry-rows", "parry-rows-typed"].map(of);
        line.extend([time(any), time(typed), time(rows), ratio(any, rows), ratio(typed, rows)]);
        self.lines.push(Line(line));
        for timed in times {
            let [differing, wrong] = differing.get(&timed.way).copied().unwrap_or_default();
            let (way, median_ns_per_pair) = (timed.way, timed.ns_per_pair);
            let (task, touching) = (timed.task, timed.touching);
            self.rows.push(Row {
                kinds,
                task,
                way,
                median_ns_per_pair,
                pairs,
                touching,
                differing,
                wrong,
            });
        }
    }

    /// Writes every format into a folder.
    pub fn write(&self, folder: &Path) -> Result<()> {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let json = serde_json::to_string_pretty(&self.rows)? + "\n";
        for (name, text) in
            [("contacts.md", self.table()), ("contacts.csv", self.csv()?), ("contacts.json", json)]
        {
            let file = folder.join(name);
            fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
        }
        Ok(())
    }

    /// Times in ns a pair. The faster of parry's tests counts. Ratios are to the best SIMD level.
    pub fn table(&self) -> String {
        let mut header: Vec<String> =
            ["kinds", "touch", "contact", "typed", "manifold"].map(Into::into).into();
        header.extend(SimdLevel::available().iter().map(|level| level.to_string()));
        header.extend(["contact ×", "manifold ×", "parry test", "test", "test ×"].map(Into::into));
        header.extend(
            ["rows: contact", "rows: typed", "rows", "rows: contact ×", "rows: typed ×"]
                .map(Into::into),
        );
        let mut table = Table::new();
        table.load_style(ASCII_MARKDOWN);
        table.set_header(header);
        for Line(cells) in &self.lines {
            table.add_row(cells.iter().enumerate().map(|(column, text)| {
                let at = if column == 0 { CellAlignment::Left } else { CellAlignment::Right };
                Cell::new(text).set_alignment(at)
            }));
        }
        format!("{table}\n")
    }

    fn csv(&self) -> Result<String> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        for row in &self.rows {
            writer.serialize(row)?;
        }
        Ok(String::from_utf8(writer.into_inner()?)?)
    }
}
