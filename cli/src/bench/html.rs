//! The report: one HTML file that needs nothing else.

use anyhow::Result;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use widephase::SimdLevel;

use super::{
    baseline::{Change, Verdict},
    chart::{Axis, Chart, Series},
    peers::Peer,
    plan::What,
    record::{About, Row, Run},
    table,
};
use crate::timing::{bodies, title};

/// The style of the page.
const STYLE: &str = include_str!("report.css");

/// The most lines of other libraries in a chart: as many as there are colours for.
const MOST_PEERS: usize = 3;

/// The axis of the numbers of bodies.
const BODIES: Axis = Axis { label: "bodies", show: |value| bodies(value as u32) };

/// The axis of the times.
const TIME: Axis = Axis { label: "ns a body", show: number };

/// The axis of the numbers of threads.
const THREADS: Axis = Axis { label: "threads", show: |value| value.to_string() };

/// What the report compares the run with.
pub(super) struct Beside<'a> {
    /// The saved run, and the change of each row.
    pub(super) baseline: Option<(&'a Run, &'a [Option<Change>])>,
    pub(super) peers: &'a [Peer],
}

/// The page.
pub(super) fn page(run: &Run, beside: &Beside) -> Result<String> {
    let cases = sections(&run.rows);
    let drawn = cases.iter().enumerate().map(|(number, case)| section(number, case, beside.peers));
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
                    }
                }
                main id="results" {
                    @if let Some((baseline, changes)) = beside.baseline {
                        (moved(&run.rows, baseline, changes))
                    }
                    @for section in &drawn { (section) }
                }
                footer {
                    p class="note" {
                        "A time is the median of the medians of turns; the bodies move before each \
                         call. The phases of a detection and the occupancy of cells are not \
                         measured."
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
    let is_moved = |change: &Change| change.verdict != Verdict::NoChange;
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
                        caption { "What moved beyond noise" }
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

/// The rows of one call on one scene, at least one.
struct Section<'a> {
    rows: &'a [Row],
}

impl Section<'_> {
    fn what(&self) -> What {
        self.rows[0].what
    }

    /// The short name of the scene.
    fn scene(&self) -> &str {
        &self.rows[0].scene
    }

    /// The call, and the names of the scene.
    fn title(&self) -> String {
        let scene = self.scene();
        let scene = scene.parse().map_or_else(|_| scene.to_owned(), title);
        format!("{}, {scene}", self.what())
    }

    /// A line for each SIMD level, with the points that `point` gives for its rows.
    fn lines(&self, point: impl Fn(&Row) -> Option<(f64, f64)>) -> Vec<Series> {
        let line = |(style, level): (usize, SimdLevel)| {
            let rows = self.rows.iter().filter(|row| row.level == level.name());
            let mut points: Vec<(f64, f64)> = rows.filter_map(&point).collect();
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            Series { name: level.name().to_owned(), style, points }
        };
        let lines = SimdLevel::ALL.into_iter().enumerate().map(line);
        lines.filter(|series| !series.points.is_empty()).collect()
    }
}

/// The sections of a run, whose rows are in the order of calls and scenes.
fn sections(rows: &[Row]) -> Vec<Section<'_>> {
    let key = |row: &Row| (row.what, row.scene.clone());
    rows.chunk_by(|a, b| key(a) == key(b)).map(|rows| Section { rows }).collect()
}

fn section(number: usize, section: &Section, peers: &[Peer]) -> Result<Markup> {
    let charts = charts(section, peers);
    let figures = charts
        .iter()
        .enumerate()
        .map(|(index, chart)| figure(&format!("chart-{number}-{index}"), chart));
    let figures: Vec<Markup> = figures.collect::<Result<_>>()?;
    let id = format!("case-{number}");
    Ok(html! {
        section aria-labelledby=(id) {
            h2 id=(id) { (section.title()) }
            p class="note" { (section.what().description()) }
            div class="charts" { @for figure in &figures { (figure) } }
        }
    })
}

/// The charts of a section: those that have something to compare.
fn charts(section: &Section, peers: &[Peer]) -> Vec<Chart> {
    let Section { rows } = section;
    let least = |n| rows.iter().filter(|row| row.n == n).map(|row| row.threads).min();
    let is_first = |row: &Row| least(row.n) == Some(row.threads);
    let mut times =
        section.lines(|row| is_first(row).then(|| (f64::from(row.n), row.spread().median)));
    let levels = times.len();
    times.extend(others(section, peers));
    let mut charts = vec![Chart {
        title: "Time against the number of bodies".to_owned(),
        description: format!(
            "Nanoseconds a body, on the fewest threads. Lines: {levels} for SIMD levels, {} for \
             other libraries. Lower is faster.",
            times.len() - levels
        ),
        x: BODIES,
        y: TIME,
        series: times,
    }];
    if levels > 1 {
        charts.push(Chart {
            title: "Speed-up by level".to_owned(),
            description: "How many times as fast as the level scalar, on the fewest threads, \
                against the number of bodies. Higher is faster."
                .to_owned(),
            x: BODIES,
            y: Axis { label: "times scalar", show: number },
            series: section.lines(|row| {
                let speed_up = row.speed_up(rows, "scalar", row.threads);
                speed_up.filter(|_| is_first(row)).map(|ratio| (f64::from(row.n), ratio))
            }),
        });
    }
    let threaded = rows.iter().filter(|row| !is_first(row)).map(|row| row.n).max();
    if let Some(n) = threaded {
        charts.push(Chart {
            title: format!("Scaling with threads, {} bodies", bodies(n)),
            description: format!(
                "How many times as fast as on the fewest threads, against the number of threads, \
                 with {n} bodies. Higher is faster."
            ),
            x: THREADS,
            y: Axis { label: "speed-up", show: number },
            series: section.lines(|row| {
                let ratio = row.speed_up(rows, &row.level, least(n)?);
                ratio.filter(|_| row.n == n).map(|ratio| (row.threads as f64, ratio))
            }),
        });
    }
    charts
}

/// The lines of other libraries: those that are the fastest at their largest number of bodies.
/// They find pairs only.
fn others(section: &Section, peers: &[Peer]) -> Vec<Series> {
    let mut lines: Vec<Series> = Vec::new();
    let peers = peers.iter().filter(|peer| peer.scene == section.scene());
    for peer in peers.filter(|_| section.what() == What::Pairs) {
        let Some(time) = peer.median_ns_per_body else { continue };
        let point = (f64::from(peer.n), time);
        match lines.iter_mut().find(|line| line.name == peer.executor) {
            Some(line) => line.points.push(point),
            None => {
                let name = peer.executor.clone();
                lines.push(Series { name, style: 0, points: vec![point] });
            }
        }
    }
    for line in &mut lines {
        line.points.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    let last = |line: &Series| line.points.last().copied().unwrap_or_default();
    // The one with the most bodies first, then the fastest.
    lines.sort_by(|a, b| {
        let (a, b) = (last(a), last(b));
        b.0.total_cmp(&a.0).then(a.1.total_cmp(&b.1))
    });
    lines.truncate(MOST_PEERS);
    for (number, line) in lines.iter_mut().enumerate() {
        line.style = SimdLevel::ALL.len() + number;
    }
    lines
}

/// A chart with its legend, and its values as a table.
fn figure(id: &str, chart: &Chart) -> Result<Markup> {
    let drawing = chart.draw()?;
    let Chart { title, description, x, y, series } = chart;
    let (title_id, description_id) = (format!("{id}-title"), format!("{id}-description"));
    let value = |series: &Series, place: f64| {
        let point = series.points.iter().find(|point| point.0 == place);
        point.map_or("–".to_owned(), |&(_, value)| (y.show)(value))
    };
    Ok(html! {
        figure {
            h3 { (title) }
            svg viewBox=(Chart::view_box()) role="img"
                aria-labelledby={ (title_id) " " (description_id) } {
                title id=(title_id) { (title) }
                desc id=(description_id) { (description) }
                (PreEscaped(drawing))
            }
            figcaption {
                ul class="legend" {
                    @for series in series {
                        li {
                            svg viewBox="0 0 36 10" aria-hidden="true" {
                                line class="key" x1="0" y1="5" x2="36" y2="5"
                                    stroke=(series.color()) stroke-width="3" {}
                            }
                            (series.name)
                        }
                    }
                }
            }
            details {
                summary { "Values: " (title) }
                div class="scroll" tabindex="0" role="region" aria-label=(title) {
                    table {
                        caption { (y.label) }
                        thead { tr {
                            th scope="col" { (x.label) }
                            @for series in series { th scope="col" { (series.name) } }
                        } }
                        tbody {
                            @for place in chart.places() { tr {
                                th scope="row" { ((x.show)(place)) }
                                @for series in series { td { (value(series, place)) } }
                            } }
                        }
                    }
                }
            }
        }
    })
}

/// A number with three digits, as far as these are after the decimal point.
fn number(value: f64) -> String {
    match value {
        100.0.. => format!("{value:.0}"),
        10.0.. => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}
