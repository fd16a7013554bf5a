//! Prints and writes the results.

use std::{
    fs,
    io::{self, Write},
    path::Path,
};

use anyhow::{Context, Result};
use comfy_table::{Cell, CellAlignment};
use serde::Serialize;

use crate::{
    args::Format,
    beside::{self, Beside},
    executor::WIDEPHASE,
    row::{Block, Row, bodies, markdown},
    suite::Suite,
};

/// All results of a run.
#[derive(Debug)]
pub struct Report {
    suite: Suite,
    blocks: Vec<Block>,
}

impl Report {
    pub fn new(suite: Suite) -> Self {
        Self { suite, blocks: Vec::new() }
    }

    /// Adds the rows of all executors for one kind and number of bodies, and prints the cases that
    /// were left out.
    pub fn add(&mut self, asked: u32, mut rows: Vec<Row>) -> Result<()> {
        let widephase = rows.iter().find(|row| row.executor == WIDEPHASE);
        let base = widephase.and_then(|row| row.median_ns_per_body);
        for row in &mut rows {
            row.ratio_to_widephase =
                row.median_ns_per_body.zip(base).map(|(time, base)| time / base);
        }
        let block = Block { asked, rows };
        for note in block.notes() {
            writeln!(io::stderr(), "{note}")?;
        }
        self.blocks.push(block);
        Ok(())
    }

    pub fn render(&self, format: Format) -> Result<String> {
        match format {
            Format::Table => Ok(self.table()),
            Format::Csv => csv(self.rows()),
            Format::Json => {
                let all = Json { rows: self.rows().collect(), ratios: self.ratios() };
                Ok(serde_json::to_string_pretty(&all)? + "\n")
            }
        }
    }

    /// Writes every format into a folder.
    pub fn write(&self, folder: &Path) -> Result<()> {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let texts = [
            self.render(Format::Table)?,
            self.render(Format::Csv)?,
            csv(self.ratios())?,
            self.render(Format::Json)?,
        ];
        for (name, text) in self.suite.files().into_iter().zip(texts) {
            let file = folder.join(name);
            fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
        }
        Ok(())
    }

    fn rows(&self) -> impl Iterator<Item = &Row> {
        self.blocks.iter().flat_map(|block| &block.rows)
    }

    fn ratios(&self) -> Vec<Beside> {
        beside::ratios(self.suite, &self.blocks)
    }

    fn table(&self) -> String {
        let mut table = markdown();
        table.set_header(["scene", "n", "executor", "version", "ns/body", "pairs", "× widephase"]);
        for row in self.rows() {
            let number = |number: Option<f64>, digits| {
                number.map_or("-".to_owned(), |number| format!("{number:.digits$}"))
            };
            let cells = [
                (row.scene.to_owned(), CellAlignment::Left),
                (bodies(row.n), CellAlignment::Right),
                (row.executor.clone(), CellAlignment::Left),
                (row.version.to_owned(), CellAlignment::Left),
                (number(row.median_ns_per_body, 1), CellAlignment::Right),
                (row.pairs.map_or("-".to_owned(), |pairs| pairs.to_string()), CellAlignment::Right),
                (number(row.ratio_to_widephase, 2), CellAlignment::Right),
            ];
            table.add_row(cells.map(|(text, at)| Cell::new(text).set_alignment(at)));
        }
        let notes: String =
            self.blocks.iter().flat_map(Block::notes).map(|note| format!("\n- {note}")).collect();
        let gap = if notes.is_empty() { "" } else { "\n" };
        format!("{table}\n{gap}{notes}{gap}{}", beside::tables(self.suite, &self.blocks))
    }
}

/// The contents of the JSON file.
#[derive(Serialize)]
struct Json<'a> {
    rows: Vec<&'a Row>,
    ratios: Vec<Beside>,
}

fn csv(rows: impl IntoIterator<Item: Serialize>) -> Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.serialize(row)?;
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crate::scene::SceneKind;

    use super::*;
    use crate::executor::ALL;
    use widephase_scenes::Subject;

    #[test]
    fn what_was_left_out_is_in_every_format() {
        let kind = Subject::Scene(SceneKind::UniformCircles);
        let rows = vec![
            Row::measured(kind, 1000, &ALL[0], Duration::from_micros(10), 990),
            Row::left_out(kind, 1000, &ALL[2], "12 s a call".to_owned()),
        ];
        let mut report = Report::new(Suite::Pairs);
        report.add(1000, rows).unwrap();
        let csv = report.render(Format::Csv).unwrap();
        assert_eq!(
            csv.lines().skip(1).collect::<Vec<_>>(),
            [
                &format!("s1,1000,widephase,{},10.0,990,1.0,", ALL[0].version()),
                "s1,1000,hash-map,-,,,,12 s a call",
            ]
        );
        let json: serde_json::Value =
            serde_json::from_str(&report.render(Format::Json).unwrap()).unwrap();
        assert_eq!(json["rows"][1]["left_out"], "12 s a call");
        assert_eq!(json["rows"][1]["median_ns_per_body"], serde_json::Value::Null);
        assert_eq!(json["rows"][0]["left_out"], serde_json::Value::Null);
        let table = report.render(Format::Table).unwrap();
        assert!(table.contains("\n- s1, 1k: hash-map left out: 12 s a call\n"), "{table}");
    }
}
