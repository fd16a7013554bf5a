//! The table with which `compare` begins: scalar code beside the fastest level, a row a case.

use comfy_table::{CellAlignment, Table, presets::ASCII_MARKDOWN};
use widephase::SimdLevel;

use super::{fastest::LevelTime, report::mark};
use crate::{
    timing::{bodies, title},
    values::unique,
};

/// What the column `times` has.
pub(super) const LEGEND: &str = "times: how many times as fast the best level is as scalar code";

/// What shows more than this table.
pub(super) const MORE: &str = "--verbose also shows every level and number of threads.";

/// A row for each case, in the order of first mention: what `unit` names is timed.
pub(super) fn table(times: &[LevelTime], unit: &str) -> Table {
    // Without this column, each row is about pairs.
    let has_work = times.iter().any(|time| time.what != "pairs");
    let mut titles = vec!["scene".to_owned(), "bodies".to_owned()];
    titles.extend(has_work.then(|| "work".to_owned()));
    let numbers = [1, titles.len()];
    let scalar = format!("scalar ns/{unit}");
    let others = ["threads", &*scalar, "best level", &*format!("ns/{unit}"), "times", "identical"];
    titles.extend(others.map(str::to_owned));
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN);
    table.set_header(titles);
    for (number, column) in table.column_iter_mut().enumerate() {
        let in_numbers = number == numbers[0] || number.wrapping_sub(numbers[1]) < 5;
        if in_numbers && number != numbers[1] + 2 {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    for case in unique(times.iter().map(LevelTime::case)) {
        let of_case = || times.iter().filter(|time| time.case() == case);
        let scalar = of_case().find(|time| time.level == SimdLevel::Scalar.name());
        // A level is the best by a noisy time only if all times are noisy.
        let best = of_case()
            .min_by(|a, b| a.noisy.cmp(&b.noisy).then(a.nanoseconds.total_cmp(&b.nanoseconds)));
        let (Some(scalar), Some(best)) = (scalar, best) else { continue };
        let identical = of_case().all(|time| time.identical);
        let shown = |time: &LevelTime| format!("{:.2}{}", time.nanoseconds, mark(time.noisy));
        let mut cells = vec![title(best.subject), bodies(best.n)];
        cells.extend(has_work.then(|| best.what.to_owned()));
        cells.extend([
            best.threads.to_string(),
            shown(scalar),
            best.level.to_owned(),
            shown(best),
            format!("{:.1}", scalar.nanoseconds / best.nanoseconds),
            if identical { "yes" } else { "NO" }.to_owned(),
        ]);
        table.add_row(cells);
    }
    table
}
