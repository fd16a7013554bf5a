//! Charts of measured times, drawn from the tables of the documents.

use super::picture::{Anchor, Picture};

const STYLE: &str = "\
.line-0,.line-1,.line-2,.line-3{fill:none;stroke-width:2}\
.line-0{stroke:#222}\
.line-1{stroke:#e69f00;stroke-dasharray:8 4}\
.line-2{stroke:#0072b2;stroke-dasharray:3 3}\
.line-3{stroke:#d55e00;stroke-dasharray:10 3 2 3}\
.tick{stroke:#ddd;stroke-width:.8}\
.ours{fill:#d55e00}\
.theirs{fill:#555}";

/// The SIMD levels, as the tables call them.
const LEVELS: [&str; 4] = ["scalar", "portable", "avx2", "avx512"];

/// The time of a detection against the number of shapes, a line a level.
pub(crate) fn levels() -> String {
    let rows = table(include_str!("../../../docs/performance.md"), "| n | level | s1 |");
    let mut picture = Picture::new(720.0, 330.0).styled(STYLE);
    let panels = [(60.0, "circles (s1)", 2), (420.0, "rotated (s7)", 8)];
    for (left, title, column) in panels {
        let time = |row: &Vec<&str>| row.get(column)?.parse().ok();
        let shortest = rows.iter().filter_map(time).fold(f32::INFINITY, f32::min);
        let starts = [2.0, 2.5, 4.0, 5.0, 10.0, 20.0, 25.0, 40.0_f32];
        let least = starts.into_iter().rfind(|start| *start <= shortest).unwrap_or(1.0);
        let most = 10.0 * least;
        picture.look([left, 280.0], 1.0);
        let (width, height) = (200.0, 220.0);
        let up = |time: f32| (time / least).ln() / (most / least).ln() * height;
        let right = |step: usize| step as f32 * width / 3.0;
        picture.text("title", [0.0, height], [0.0, -14.0], Anchor::Left, format_args!("{title}"));
        for time in [1.0, 2.0, 4.0, 10.0].map(|times| times * least) {
            picture.line("tick", [0.0, up(time)], [width, up(time)]);
            let ns = format_args!("{time}");
            picture.text("soft", [0.0, up(time)], [-8.0, 4.0], Anchor::Right, ns);
        }
        let axis = format_args!("ns a shape");
        picture.text("soft", [width, height], [0.0, -14.0], Anchor::Right, axis);
        let mut names: Vec<(f32, &str)> = Vec::new();
        for (number, level) in LEVELS.into_iter().enumerate() {
            let of_level = rows.iter().filter(|row| row.get(1) == Some(&level));
            let times: Vec<f32> = of_level.filter_map(time).collect();
            let class = format!("line-{number}");
            for (step, ends) in times.windows(2).enumerate() {
                let place = |step: usize, time: f32| [right(step), up(time)];
                picture.line(&class, place(step, ends[0]), place(step + 1, ends[1]));
            }
            names.extend(times.last().map(|&time| (up(time), level)));
        }
        // Names that would overlap are moved up.
        names.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut free = f32::NEG_INFINITY;
        for (at, level) in names {
            let at = at.max(free);
            free = at + 15.0;
            picture.text("", [width, at], [8.0, 4.0], Anchor::Left, format_args!("{level}"));
        }
        for (step, n) in ["1k", "10k", "100k", "1M"].into_iter().enumerate() {
            let n = format_args!("{n}");
            picture.text("soft", [right(step), 0.0], [0.0, 20.0], Anchor::Middle, n);
        }
    }
    let told = format_args!("shapes; one thread, pairs from unsorted columns");
    picture.look([60.0, 280.0], 1.0);
    picture.text("soft", [0.0, 0.0], [0.0, 40.0], Anchor::Left, told);
    picture.finish(
        "The time of a detection for 1,000 to a million shapes, a line for each SIMD level: it grows \
         slowly with the number of shapes, and is shortest with AVX-512",
    )
}

/// The time of a step with 100,000 shapes, a dot a library.
pub(crate) fn peers() -> String {
    let rows = table(include_str!("../../../docs/performance.md"), "| executor, 100k | s1 |");
    let rows: Vec<_> = rows.into_iter().filter(|row| !row[0].contains(' ')).collect();
    let height = 24.0 * rows.len() as f32;
    let mut picture = Picture::new(720.0, height + 100.0).styled(STYLE);
    picture.look([160.0, height + 46.0], 1.0);
    let (left, gap) = (Anchor::Left, 280.0);
    for (panel, title) in ["circles (s1)", "radii 1 to 500 (s5)"].into_iter().enumerate() {
        let at = |time: f32| (time / 10.0).ln() / 500.0_f32.ln() * 230.0 + panel as f32 * gap;
        picture.text("title", [at(10.0), height], [0.0, -14.0], left, format_args!("{title}"));
        for time in [10.0, 100.0, 1000.0] {
            picture.line("tick", [at(time), 0.0], [at(time), height]);
            let ns = format_args!("{time}");
            picture.text("soft", [at(time), 0.0], [0.0, 18.0], Anchor::Middle, ns);
        }
        for (number, row) in rows.iter().enumerate() {
            let up = height - 24.0 * (number as f32 + 0.5);
            if panel == 0 {
                let name = format_args!("{}", row[0]);
                picture.text("", [0.0, up], [-14.0, 4.0], Anchor::Right, name);
            }
            let class = if number == 0 { "ours" } else { "theirs" };
            match row.get([1, 5][panel]).map(|time| (time, time.parse())) {
                Some((text, Ok(time))) => {
                    picture.disc(class, [at(time), up], 4.5);
                    picture.text("soft", [at(time), up], [9.0, 4.0], left, format_args!("{text}"));
                }
                _ => {
                    let told = format_args!("more than 10 s");
                    picture.text("soft", [at(10.0), up], [9.0, 4.0], left, told);
                }
            }
        }
    }
    let told = format_args!("ns a shape; one thread, 100,000 moving shapes, the same pairs");
    picture.text("soft", [0.0, 0.0], [0.0, 40.0], left, told);
    picture.finish(
        "The time of a step with 100,000 moving shapes, for widephase, a scalar grid, a hash map and \
         eight libraries: widephase takes the least, and a refitted tree of parry is next among the \
         libraries",
    )
}

/// The cells of the rows of a table of a document, which begins with a header.
fn table<'a>(document: &'a str, header: &str) -> Vec<Vec<&'a str>> {
    let from = document.find(header).unwrap_or(document.len());
    let rows = document[from..].lines().take_while(|line| line.starts_with('|')).skip(2);
    rows.map(|row| row.trim_matches('|').split('|').map(str::trim).collect()).collect()
}
