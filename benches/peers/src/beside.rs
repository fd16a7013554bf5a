//! The scenes side by side: a table for each number of bodies, and how far widephase is ahead.

use comfy_table::{Cell, CellAlignment};
use serde::Serialize;

use crate::{
    executor::{SCALAR_GRID, WIDEPHASE},
    report::{Block, Row, bodies, markdown},
};

/// widephase compared with the fastest library and the scalar grid in one scene. The fields are the
/// columns of the files. A value that was not measured is `None`.
#[derive(Debug, PartialEq, Serialize)]
pub struct Ahead {
    scene: &'static str,
    n: u32,
    widephase_ns_per_body: Option<f64>,
    fastest_library: Option<String>,
    fastest_library_ns_per_body: Option<f64>,
    /// The library's time relative to widephase's.
    fastest_library_ratio: Option<f64>,
    scalar_grid_ns_per_body: Option<f64>,
    scalar_grid_ratio: Option<f64>,
}

impl Ahead {
    /// Returns `None` if there are no rows.
    fn new(rows: &[Row]) -> Option<Self> {
        let first = rows.first()?;
        let time = |name: &str| {
            rows.iter().find(|row| row.executor == name).and_then(|row| row.median_ns_per_body)
        };
        let libraries = rows.iter().filter(|row| row.library);
        let fastest = libraries
            .filter_map(|row| Some((row.median_ns_per_body?, &row.executor)))
            .min_by(|a, b| a.0.total_cmp(&b.0));
        let (widephase, library, grid) =
            (time(WIDEPHASE), fastest.map(|(time, _)| time), time(SCALAR_GRID));
        let ratio = |theirs: Option<f64>| theirs.zip(widephase).map(|(theirs, own)| theirs / own);
        Some(Self {
            scene: first.scene,
            n: first.n,
            widephase_ns_per_body: widephase,
            fastest_library: fastest.map(|(_, name)| name.clone()),
            fastest_library_ns_per_body: library,
            fastest_library_ratio: ratio(library),
            scalar_grid_ns_per_body: grid,
            scalar_grid_ratio: ratio(grid),
        })
    }
}

/// The results of all blocks, in the order of the run.
pub fn ahead(blocks: &[Block]) -> Vec<Ahead> {
    blocks.iter().filter_map(|block| Ahead::new(&block.rows)).collect()
}

/// A table for each requested number of bodies, in ns a body: a row for each executor, a column for
/// each scene. Below are the times of the fastest library and of the scalar grid relative to
/// widephase's.
pub fn tables(blocks: &[Block]) -> String {
    let mut sizes: Vec<u32> = blocks.iter().map(|block| block.asked).collect();
    sizes.sort_unstable();
    sizes.dedup();
    sizes
        .into_iter()
        .map(|asked| {
            let blocks: Vec<&Block> = blocks.iter().filter(|block| block.asked == asked).collect();
            format!("\n{} bodies, ns a body:\n\n{}\n", bodies(asked), table(asked, &blocks))
        })
        .collect()
}

fn table(asked: u32, blocks: &[&Block]) -> String {
    let mut table = markdown();
    let all: Vec<Ahead> = blocks.iter().filter_map(|block| Ahead::new(&block.rows)).collect();
    let scenes = all.iter().map(|ahead| match ahead.n {
        n if n < asked => format!("{} ({})", ahead.scene, bodies(n)),
        _ => ahead.scene.to_owned(),
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
    add("fastest library", &mut all.iter().map(|ahead| ahead.fastest_library_ratio), "×");
    add("scalar grid", &mut all.iter().map(|ahead| ahead.scalar_grid_ratio), "×");
    table.to_string()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use widephase::{SimdLevel, scene::SceneKind};

    use super::*;
    use crate::executor::{ALL, Entry};

    /// Rows of a thousand bodies with these times per call, in microseconds, which are ns per body.
    fn rows(kind: SceneKind, times: &[(&str, Option<u64>)]) -> Vec<Row> {
        let level = Entry::level(SimdLevel::Scalar);
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
        let expected = Ahead {
            scene: "s1",
            n: 1000,
            widephase_ns_per_body: Some(20.0),
            fastest_library: Some("broccoli".to_owned()),
            fastest_library_ns_per_body: Some(130.0),
            fastest_library_ratio: Some(6.5),
            scalar_grid_ns_per_body: Some(50.0),
            scalar_grid_ratio: Some(2.5),
        };
        assert_eq!(Ahead::new(&rows), Some(expected));
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
        let text = tables(&blocks);
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
