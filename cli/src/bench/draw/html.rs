//! The report: one HTML file that needs nothing else.

use anyhow::Result;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{
    charts::{Section, lines, number, occupancy, phases, sections},
    figure::Figure,
    table,
};
use crate::{
    bench::{
        measure::Cells,
        record::{About, Row, Run, baseline::Change, peers::Peer},
    },
    timing::bodies,
};

/// The style of the page.
const STYLE: &str = include_str!("report.css");

/// The runs that the report compares with.
pub(in crate::bench) struct Beside<'a> {
    /// The saved run, and the change of each row.
    pub(in crate::bench) baseline: Option<(&'a Run, &'a [Option<Change>])>,
    pub(in crate::bench) peers: &'a [Peer],
}

/// The page.
pub(in crate::bench) fn page(run: &Run, beside: &Beside) -> Result<String> {
    let cases = sections(&run.rows);
    let drawn = cases.iter().enumerate().map(|(number, case)| section(number, case, beside));
    let drawn: Vec<Markup> = drawn.collect::<Result<_>>()?;
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { "widephase bench, " (run.about.date) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                a class="skip" href="#results" { "Skip to the results" }
                header {
                    h1 { "widephase bench" }
                    (about(&run.about))
                }
                nav aria-label="Results" {
                    ul {
                        @if beside.baseline.is_some() {
                            li { a href="#baseline" { "Changes" } }
                        }
                        @for (number, case) in cases.iter().enumerate() {
                            li { a href={ "#case-" (number) } { (case.title()) } }
                        }
                        li { a href="#cells" { "Cells" } }
                    }
                }
                main id="results" {
                    @if let Some((baseline, changes)) = beside.baseline {
                        (moved(&run.rows, baseline, changes))
                    }
                    @for section in &drawn { (section) }
                    (cells(&run.cells)?)
                }
                footer {
                    p class="note" {
                        "A time is the median of the medians of turns, on one thread of its CPU \
                         time; the bodies move before each call. Phases are those of one call, \
                         the median of a turn of their own: index (bodies that do not \
                         move), check, sort, search with the narrowphase, finish (the form of \
                         lists), contacts, events, and the rest, which in a step is the new poses."
                    }
                }
            }
        }
    };
    Ok(page.into_string())
}

fn about(about: &About) -> Markup {
    let About { version, commit, cpu, threads, system, date, command, motion, seed } = about;
    html! {
        dl {
            dt { "Machine" } dd { (cpu) ", " (threads) " threads, " (system) }
            dt { "Commit" } dd { (commit) ", version " (version) }
            dt { "Date" } dd { time datetime=(date) { (date) } }
            dt { "Command" } dd { code { (command) } }
            dt { "Scenes" } dd { "motion " (motion) ", seeds " (seed) " and on" }
        }
    }
}

/// The rows that moved beyond noise.
fn moved(rows: &[Row], baseline: &Run, changes: &[Option<Change>]) -> Markup {
    let is_moved = |change: &Change| change.verdict.has_moved();
    let all = rows.iter().zip(changes);
    let moved: Vec<(&Row, &Change)> = all
        .filter_map(|(row, change)| Some((row, change.as_ref().filter(|change| is_moved(change))?)))
        .collect();
    html! {
        section aria-labelledby="baseline" {
            h2 id="baseline" { "Changes from the baseline" }
            p { (table::summary(changes)) }
            p class="note" {
                "The baseline: commit " (baseline.about.commit) ", " (baseline.about.date) ", "
                (baseline.about.cpu) "."
            }
            @if !moved.is_empty() {
                div class="scroll" tabindex="0" role="region" aria-label="What moved" {
                    table {
                        caption { "Times that moved beyond noise" }
                        thead { tr {
                            @for title in ["case", "level", "threads", "ns a body", "change"] {
                                th scope="col" { (title) }
                            }
                        } }
                        tbody {
                            @for (row, change) in moved { tr {
                                td { (row.what) ", " (row.scene) ", " (bodies(row.n)) }
                                td { (row.level) }
                                td { (row.threads) }
                                td { (number(row.spread().median)) }
                                td { (table::told(Some(change))) }
                            } }
                        }
                    }
                }
            }
        }
    }
}

fn section(number: usize, section: &Section, beside: &Beside) -> Result<Markup> {
    let baseline = beside.baseline.map(|(run, _)| &*run.rows);
    let id = format!("case-{number}");
    Ok(html! {
        section aria-labelledby=(id) {
            h2 id=(id) { (section.title()) }
            p class="note" { (section.description()) }
            div class="charts" {
                (figures(&format!("lines-{number}"), &lines(section, beside.peers, baseline)?))
                @let phases = phases(section)?;
                @if !phases.is_empty() {
                    div class="bars" { (figures(&format!("phases-{number}"), &phases)) }
                }
            }
        }
    })
}

/// How full the cells of each scene are.
fn cells(cells: &[Cells]) -> Result<Markup> {
    Ok(html! {
        section aria-labelledby="cells" {
            h2 id="cells" { "Cells" }
            p class="note" {
                "How many bodies the cells of the grid hold. Up to 64 bodies share one cell."
            }
            div class="charts" { (figures("cells", &occupancy(cells)?)) }
        }
    })
}

fn figures(id: &str, figures: &[Figure]) -> Markup {
    html! {
        @for (number, figure) in figures.iter().enumerate() {
            (figure.markup(&format!("{id}-{number}")))
        }
    }
}
