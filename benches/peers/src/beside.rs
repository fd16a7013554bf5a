//! The scenes side by side: a table for each number of bodies, and ratios of times.

use comfy_table::{Cell, CellAlignment};
use serde::Serialize;

use crate::{
    row::{Block, Row, bodies, markdown},
    suite::{Of, Ratio, Suite},
};

/// A ratio of times in one scene. The fields are the columns of the files. A value that was not
/// measured is `None`.
#[derive(Debug, PartialEq, Serialize)]
pub struct Beside {
    scene: &'static str,
    n: u32,
    ratio: &'static str,
    /// The executor whose time is divided.
    of: Option<String>,
    /// The executor by whose time it is divided.
    to: &'static str,
    value: Option<f64>,
}

impl Beside {
    /// Returns `None` if there are no rows, or no row of an executor that is named.
    fn new(rows: &[Row], Ratio { name: ratio, of, to }: Ratio) -> Option<Self> {
        let &Row { scene, n, .. } = rows.first()?;
        let time = |row: &Row| row.median_ns_per_body;
        let find = |name: &str| rows.iter().find(|row| row.executor == name);
        let to_row = find(to)?;
        let of = match of {
            Of::Executor(name) => Some(find(name)?),
            Of::FastestLibrary => rows
                .iter()
                .filter(|row| row.library && time(row).is_some())
                .min_by(|a, b| f64::total_cmp(&time(a).unwrap_or(0.0), &time(b).unwrap_or(0.0))),
        };
        let value = of.and_then(time).zip(time(to_row)).map(|(of, to)| of / to);
        Some(Self { scene, n, ratio, of: of.map(|row| row.executor.clone()), to, value })
    }
}

/// The ratios of all blocks, in the order of the run.
pub fn ratios(suite: Suite, blocks: &[Block]) -> Vec<Beside> {
    let of_block = |block: &Block| {
        suite.ratios().iter().filter_map(|ratio| Beside::new(&block.rows, *ratio)).collect()
    };
    blocks.iter().flat_map::<Vec<Beside>, _>(of_block).collect()
}

/// A table for each requested number of bodies, in ns a body: a row for each executor, a column for
/// each scene. Below are the ratios of the suite. Levels have tables of their own.
pub fn tables(suite: Suite, blocks: &[Block]) -> String {
    let key = |block: &Block| {
        let subject = block.rows.first()?.subject;
        Some((subject.unit(), block.asked, subject.one()))
    };
    let mut keys: Vec<(&str, u32, &str)> = blocks.iter().filter_map(key).collect();
    keys.sort_unstable();
    keys.dedup();
    let of_key = |(unit, asked, one): (&'static str, u32, &'static str)| {
        let same = |block: &&Block| key(block) == Some((unit, asked, one));
        let blocks: Vec<&Block> = blocks.iter().filter(same).collect();
        format!("\n{} {unit}, ns a {one}:\n\n{}\n", bodies(asked), table(suite, asked, &blocks))
    };
    keys.into_iter().map(of_key).collect()
}

fn table(suite: Suite, asked: u32, blocks: &[&Block]) -> String {
    let mut table = markdown();
    let first = blocks.iter().filter_map(|block| block.rows.first());
    let scenes = first.map(|row| match row.n {
        n if n < asked => format!("{} ({})", row.scene, bodies(n)),
        _ => row.scene.to_owned(),
    });
    table.set_header([vec!["executor".to_owned()], scenes.collect()].concat());
    let mut add = |name: &str, cells: &mut dyn Iterator<Item = Option<f64>>, unit: &str| {
        let number = |cell: Option<f64>| cell.map_or("–".to_owned(), |x| format!("{x:.1}{unit}"));
        let cells = cells.map(|cell| Cell::new(number(cell)).set_alignment(CellAlignment::Right));
        table.add_row([Cell::new(name)].into_iter().chain(cells));
    };
    let executors = blocks.first().map_or(0, |block| block.rows.len());
    for at in 0..executors {
        let mut times = blocks.iter().map(|block| block.rows[at].median_ns_per_body);
        add(&blocks[0].rows[at].executor, &mut times, "");
    }
    for &ratio in suite.ratios() {
        let besides = blocks.iter().map(|block| Beside::new(&block.rows, ratio));
        if let Some(besides) = besides.collect::<Option<Vec<Beside>>>() {
            add(ratio.name, &mut besides.into_iter().map(|beside| beside.value), "×");
        }
    }
    table.to_string()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crate::scene::SceneKind;
    use widephase::SimdLevel;

    use super::*;
    use crate::executor::ALL;
    use widephase_scenes::Subject;

    /// Rows of a thousand bodies with these times per call, in microseconds, which are ns per body.
    fn rows(kind: SceneKind, times: &[(&str, Option<u64>)]) -> Vec<Row> {
        let level = ALL[0].at(SimdLevel::Scalar).unwrap();
        let kind = Subject::Scene(kind);
        let row = |&(name, time): &(&str, Option<u64>)| {
            let entry = ALL.iter().chain([&level]).find(|entry| entry.name == name).unwrap();
            match time {
                Some(time) => Row::measured(kind, 1000, entry, Duration::from_micros(time), 1),
                None => Row::left_out(kind, 1000, entry, "slow".to_owned()),
            }
        };
        times.iter().map(row).collect()
    }

    #[test]
    fn the_fastest_library_is_neither_widephase_nor_written_here() {
        let rows = rows(
            SceneKind::UniformCircles,
            &[
                ("widephase", Some(20)),
                ("scalar-grid", Some(50)),
                ("hash-map", Some(70)),
                ("rstar", Some(400)),
                ("broccoli", Some(130)),
                ("box2d-tree", None),
                ("widephase-scalar", Some(30)),
            ],
        );
        let ratios = Suite::Pairs.ratios().iter().map(|ratio| Beside::new(&rows, *ratio).unwrap());
        let beside = |ratio, of: &str, value| Beside {
            scene: "s1",
            n: 1000,
            ratio,
            of: Some(of.to_owned()),
            to: "widephase",
            value: Some(value),
        };
        assert_eq!(
            ratios.collect::<Vec<_>>(),
            [beside("fastest library", "broccoli", 6.5), beside("scalar grid", "scalar-grid", 2.5)]
        );
    }

    #[test]
    fn a_table_for_each_number_of_bodies() {
        let times = |kind, rstar| {
            rows(kind, &[("widephase", Some(10)), ("scalar-grid", Some(21)), ("rstar", rstar)])
        };
        let blocks = [
            Block { asked: 1000, rows: times(SceneKind::UniformCircles, Some(95)) },
            Block { asked: 9000, rows: times(SceneKind::UniformCircles, None) },
            Block { asked: 1000, rows: times(SceneKind::UniformBoxes, Some(80)) },
        ];
        let text = tables(Suite::Pairs, &blocks);
        let lines: Vec<Vec<&str>> = text
            .lines()
            .map(|line| line.split('|').map(str::trim).filter(|cell| !cell.is_empty()).collect())
            .filter(|cells: &Vec<&str>| !cells.is_empty() && !cells[0].starts_with('-'))
            .collect();
        let expected: [&[&str]; 14] = [
            &["1k bodies, ns a body:"],
            &["executor", "s1", "s2"],
            &["widephase", "10.0", "10.0"],
            &["scalar-grid", "21.0", "21.0"],
            &["rstar", "95.0", "80.0"],
            &["fastest library", "9.5×", "8.0×"],
            &["scalar grid", "2.1×", "2.1×"],
            &["9k bodies, ns a body:"],
            &["executor", "s1 (1k)"],
            &["widephase", "10.0"],
            &["scalar-grid", "21.0"],
            &["rstar", "–"],
            &["fastest library", "–"],
            &["scalar grid", "2.1×"],
        ];
        assert_eq!(lines, expected);
    }
}
