//! The table with which `compare` begins: scalar code beside the fastest level, a row a case.

use comfy_table::{CellAlignment, Table, presets::ASCII_MARKDOWN};
use widephase::SimdLevel;
use widephase_scenes::Subject;

use super::fastest::{LevelTime, mark};
use crate::{timing::bodies, values::unique};

/// The hint to the option that shows more than this table.
pub(super) const MORE: &str = "--verbose also shows every level and number of threads.";

/// The meaning of its columns. `unit` names the timed thing.
pub(super) fn legend(unit: &str) -> String {
    format!(
        "scalar ns, best ns: ns/{unit} of scalar code and of the best level; times: their quotient"
    )
}

/// A row for each case, in the order of first mention.
pub(super) fn table(times: &[LevelTime]) -> Table {
    // Without this column, each row is about pairs, and there is room for long names.
    let has_work = times.iter().any(|time| time.what != "pairs");
    let mut titles = vec!["scene", "bodies", "threads", "scalar ns", "best level", "best ns"];
    titles.extend(["times", "identical"]);
    let mut rows = Vec::new();
    for case in unique(times.iter().map(LevelTime::case)) {
        let of_case = || times.iter().filter(|time| time.case() == case);
        let scalar = of_case().find(|time| time.level == SimdLevel::Scalar.name());
        // Also by a noisy time, which has a mark.
        let best = of_case().min_by(|a, b| a.nanoseconds.total_cmp(&b.nanoseconds));
        let (Some(scalar), Some(best)) = (scalar, best) else { continue };
        let identical = of_case().all(|time| time.identical);
        let shown = |time: &LevelTime| format!("{:.1}{}", time.nanoseconds, mark(time.noisy));
        rows.push((
            best.what,
            vec![
                if has_work { best.subject.to_string() } else { named(best.subject) },
                bodies(best.n),
                best.threads.to_string(),
                shown(scalar),
                best.level.to_owned(),
                shown(best),
                format!("{:.1}", scalar.nanoseconds / best.nanoseconds),
                if identical { "yes" } else { "NO" }.to_owned(),
            ],
        ));
    }
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN);
    // A column of ones says nothing.
    if times.iter().all(|time| time.threads == 1) {
        titles.remove(2);
        for (_, cells) in &mut rows {
            cells.remove(2);
        }
    }
    if has_work {
        titles.insert(1, "work");
        for (what, cells) in &mut rows {
            cells.insert(1, (*what).to_owned());
        }
    }
    table.set_header(&titles);
    for (column, title) in table.column_iter_mut().zip(titles) {
        if !["scene", "work", "best level", "identical"].contains(&title) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.add_rows(rows.into_iter().map(|(_, cells)| cells));
    table
}

/// A scene by both of its names, or a level.
fn named(subject: Subject) -> String {
    match subject {
        Subject::Scene(kind) if kind.long_name() != kind.short_name() => {
            format!("{kind} {}", kind.long_name())
        }
        _ => subject.to_string(),
    }
}
