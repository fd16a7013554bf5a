//! The sections of the report: a call on a scene with its charts, and the cells.

use std::ops::RangeInclusive;

use anyhow::Result;
use plotters::style::RGBColor;
use widephase::SimdLevel;

use super::{
    bars::{Bars, Part},
    chart::{Axis, Chart, Measure, Series},
    figure::Figure,
};
use crate::{
    bench::{
        measure::{Cells, PhaseTimes},
        record::{Row, peers::Peer},
    },
    timing::{Spread, bodies, title},
    values::Call,
};

/// The most lines of other libraries in a chart: as many as there are colours for.
const MOST_PEERS: usize = 3;

/// The axis of the numbers of bodies.
const BODIES: Axis = Axis { label: "bodies", show: |value| bodies(value as u32) };

/// The axis of the times.
const TIME: Axis = Axis { label: "ns a body", show: number };

/// The axis of the numbers of threads.
const THREADS: Axis = Axis { label: "threads", show: |value| value.to_string() };

/// The colours of the phases, in the order of [`PhaseTimes::NAMES`]: the colours of Okabe and Ito
/// on which black can be read, and two more. Colour-blind readers can tell neighbours apart.
const PHASE_COLORS: [RGBColor; 8] = [
    RGBColor(190, 180, 255),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(240, 228, 66),
    RGBColor(213, 94, 0),
    RGBColor(204, 121, 167),
    RGBColor(170, 170, 170),
];

/// Numbers of bodies in a cell, with a name and a colour: the more, the darker.
const FILLINGS: [(&str, RangeInclusive<u32>, RGBColor); 7] = [
    ("1", 1..=1, RGBColor(198, 219, 239)),
    ("2", 2..=2, RGBColor(160, 204, 226)),
    ("3", 3..=3, RGBColor(124, 183, 219)),
    ("4", 4..=4, RGBColor(92, 160, 206)),
    ("5 to 8", 5..=8, RGBColor(60, 135, 192)),
    ("9 to 16", 9..=16, RGBColor(36, 107, 172)),
    ("17 or more", 17..=u32::MAX, RGBColor(18, 80, 148)),
];

/// The rows of one call on one scene, at least one row.
pub(super) struct Section<'a> {
    rows: &'a [Row],
}

impl Section<'_> {
    pub(super) fn what(&self) -> Call {
        self.rows[0].what
    }

    /// A description of the call.
    pub(super) fn description(&self) -> &'static str {
        match self.rows[0].is_of_level() {
            true => "a step of a world with a level; a body is one that moves",
            false => self.what().description(),
        }
    }

    /// The short name of the scene.
    fn scene(&self) -> &str {
        &self.rows[0].scene
    }

    /// The call, and the names of the scene.
    pub(super) fn title(&self) -> String {
        format!("{}, {}", self.what(), full_name(self.scene()))
    }

    /// The least number of threads of any row with this number of bodies.
    fn least_threads(&self, n: u32) -> Option<usize> {
        self.rows.iter().filter(|row| row.n == n).map(|row| row.threads).min()
    }

    /// Whether a row is one on the fewest threads.
    fn is_first(&self, row: &Row) -> bool {
        self.least_threads(row.n) == Some(row.threads)
    }

    /// A line for each SIMD level, with the points that `point` gives for its rows.
    fn lines(&self, point: impl Fn(&Row) -> Option<Measure>) -> Vec<Series> {
        let line = |(style, level): (usize, SimdLevel)| {
            let rows = self.rows.iter().filter(|row| row.level == level.name());
            let mut points: Vec<Measure> = rows.filter_map(&point).collect();
            points.sort_by(|a, b| a.x.total_cmp(&b.x));
            Series { name: level.name().to_owned(), style, faint: false, points }
        };
        let lines = SimdLevel::ALL.into_iter().enumerate().map(line);
        lines.filter(|series| !series.points.is_empty()).collect()
    }
}

/// The sections of a run, whose rows are in the order of calls and scenes.
pub(super) fn sections(rows: &[Row]) -> Vec<Section<'_>> {
    let key = |row: &Row| (row.what, row.scene.clone());
    rows.chunk_by(|a, b| key(a) == key(b)).map(|rows| Section { rows }).collect()
}

/// The names of a scene.
fn full_name(scene: &str) -> String {
    scene.parse().map_or_else(|_| scene.to_owned(), title)
}

/// The figures of a section that compare something: figures with lines.
pub(super) fn lines(
    section: &Section,
    peers: &[Peer],
    baseline: Option<&[Row]>,
) -> Result<Vec<Figure>> {
    line_charts(section, peers, baseline).into_iter().map(Chart::figure).collect()
}

fn line_charts(section: &Section, peers: &[Peer], baseline: Option<&[Row]>) -> Vec<Chart> {
    let Section { rows } = section;
    let least = |n| section.least_threads(n);
    let is_first = |row: &Row| section.is_first(row);
    let time = |row: &Row| {
        let Spread { first_quartile, median, third_quartile } = row.spread();
        let half = Some([first_quartile, third_quartile]);
        Measure { x: f64::from(row.n), y: median, half }
    };
    let mut times = section.lines(|row| is_first(row).then(|| time(row)));
    let levels = times.len();
    times.extend(others(section, peers));
    let named = times.len();
    // The rows of the baseline that measure the same case.
    let before = section.lines(|row| {
        let before = baseline?.iter().find(|before| before.is_same(row))?;
        is_first(row).then(|| Measure { half: None, ..time(before) })
    });
    times.extend(before.into_iter().map(|series| Series { faint: true, ..series }));
    let mut charts = vec![Chart {
        title: "Time against the number of bodies".to_owned(),
        description: format!(
            "Nanoseconds a body, on the fewest threads. Lines: {levels} for SIMD levels, {} for \
             other libraries. Bars: half of the samples. Lower is faster.",
            named - levels
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
                let measure = |ratio| Measure { x: f64::from(row.n), y: ratio, half: None };
                speed_up.filter(|_| is_first(row)).map(measure)
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
                let measure = |ratio| Measure { x: row.threads as f64, y: ratio, half: None };
                ratio.filter(|_| row.n == n).map(measure)
            }),
        });
    }
    charts
}

/// The figures with the phases on the fewest threads: of the last level by the number of bodies,
/// and of each level with the most bodies. None if the call has no phases.
pub(super) fn phases(section: &Section) -> Result<Vec<Figure>> {
    let measured = |row: &&Row| row.phases != PhaseTimes::default() && section.is_first(row);
    let rows: Vec<&Row> = section.rows.iter().filter(measured).collect();
    let (Some(last), Some(most)) = (rows.last(), rows.iter().map(|row| row.n).max()) else {
        return Ok(Vec::new());
    };
    let of_level = |row: &Row| (row.level == last.level).then(|| bodies(row.n));
    let of_most = |row: &Row| (row.n == most).then(|| row.level.clone());
    let mut charts =
        vec![phase_bars(format!("Phases of {}", last.level), "bodies", &rows, &of_level)];
    if rows.iter().any(|row| row.level != last.level) {
        let title = format!("Phases by level, {} bodies", bodies(most));
        charts.push(phase_bars(title, "level", &rows, &of_most));
    }
    charts.into_iter().map(Bars::figure).collect()
}

/// A bar for each row that `name` gives a name.
fn phase_bars(
    title: String,
    of: &'static str,
    rows: &[&Row],
    name: &dyn Fn(&Row) -> Option<String>,
) -> Bars {
    let named: Vec<_> = rows.iter().filter_map(|row| Some((name(row)?, row.phases))).collect();
    // The phases that any of them has.
    let has = |phase: &usize| named.iter().any(|(_, times)| times.to_array()[*phase].is_some());
    let phases: Vec<usize> = (0..PhaseTimes::NAMES.len()).filter(has).collect();
    let part = |&phase: &usize| {
        let name = PhaseTimes::NAMES[phase].to_owned();
        Part { name, color: PHASE_COLORS[phase] }
    };
    let lengths = |times: PhaseTimes| {
        phases.iter().map(|phase| times.to_array()[*phase].unwrap_or_default()).collect()
    };
    Bars {
        title,
        description: "Nanoseconds a body of the phases of a call, one after the other, on the \
            fewest threads. Shorter is faster."
            .to_owned(),
        of,
        unit: TIME.label,
        show: number,
        parts: phases.iter().map(part).collect(),
        bars: named.into_iter().map(|(name, times)| (name, lengths(times))).collect(),
    }
}

/// How full the cells are: a figure for each scene, with a bar for each number of bodies.
pub(super) fn occupancy(cells: &[Cells]) -> Result<Vec<Figure>> {
    let figure = |cells: &[Cells]| {
        let filled =
            |range: &RangeInclusive<u32>| cells.iter().any(|c| c.share(range.clone()) > 0.0);
        let used = FILLINGS.iter().filter(|(_, range, _)| filled(range));
        let bar = |cells: &Cells| {
            let shares = used.clone().map(|(_, range, _)| cells.share(range.clone()));
            (bodies(cells.n), shares.collect())
        };
        let part = |(name, _, color): &(&str, _, RGBColor)| Part {
            name: (*name).to_owned(),
            color: *color,
        };
        let bars = Bars {
            title: full_name(&cells[0].scene),
            description: "The share of the cells that hold 1, 2 or more bodies, of all cells that \
                hold any."
                .to_owned(),
            of: "bodies",
            unit: "% of the cells that hold bodies",
            show: number,
            parts: used.clone().map(part).collect(),
            bars: cells.iter().map(bar).collect(),
        };
        bars.figure()
    };
    cells.chunk_by(|a, b| a.scene == b.scene).map(figure).collect()
}

/// The lines of the other libraries that are the fastest at their largest number of bodies. They
/// find pairs only.
fn others(section: &Section, peers: &[Peer]) -> Vec<Series> {
    let mut lines: Vec<Series> = Vec::new();
    let peers = peers.iter().filter(|peer| peer.scene == section.scene());
    for peer in peers.filter(|_| section.what() == Call::Pairs) {
        let Some(time) = peer.median_ns_per_body else { continue };
        let point = Measure { x: f64::from(peer.n), y: time, half: None };
        match lines.iter_mut().find(|line| line.name == peer.executor) {
            Some(line) => line.points.push(point),
            None => {
                let name = peer.executor.clone();
                lines.push(Series { name, style: 0, faint: false, points: vec![point] });
            }
        }
    }
    for line in &mut lines {
        line.points.sort_by(|a, b| a.x.total_cmp(&b.x));
    }
    let last = |line: &Series| line.points.last().map_or((0.0, 0.0), |point| (point.x, point.y));
    // The line with the most bodies first, then the fastest.
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

/// A number with three significant digits, and all digits before the decimal point.
pub(super) fn number(value: f64) -> String {
    match value {
        100.0.. => format!("{value:.0}"),
        10.0.. => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}
