//! Line charts with logarithmic axes, drawn as SVG by plotters.

use std::ops::Range;

use anyhow::Result;
use plotters::{
    coord::combinators::{BindKeyPoints, IntoLogRange},
    element::{DynElement, IntoDynElement},
    prelude::*,
};

use super::figure::{Drawing, Figure, INK, Values, WIDTH, font};
use crate::timing::thousandths;

/// The colours of Okabe and Ito, which colour-blind readers can tell apart, without yellow, which
/// is too pale on white: four for SIMD levels, then three for other libraries.
const COLORS: [RGBColor; 7] = [
    RGBColor(0, 0, 0),
    RGBColor(230, 159, 0),
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
];

/// The height in units of the drawing.
const HEIGHT: u32 = 250;

/// The size of a key of the legend.
const KEY: (u32, u32) = (36, 14);

/// The opacity of the lines of the baseline.
const FAINT: f64 = 0.4;

/// The least distance of two ticks, as a fraction of the axis.
const TICK_DISTANCE: f64 = 0.12;

/// The values of an axis.
pub(super) struct Axis {
    pub(super) label: &'static str,
    pub(super) show: fn(f64) -> String,
}

/// A line.
pub(super) struct Series {
    pub(super) name: String,
    /// The number of its [style](COLORS).
    pub(super) style: usize,
    /// Whether it is the line of the baseline: faint, and without a key of its own.
    pub(super) faint: bool,
    /// In ascending order of `x`.
    pub(super) points: Vec<Measure>,
}

/// A point of a line. Values are above 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Measure {
    pub(super) x: f64,
    pub(super) y: f64,
    /// Between which values half of the samples are.
    pub(super) half: Option<[f64; 2]>,
}

impl Series {
    fn color(&self) -> RGBColor {
        COLORS[self.style % COLORS.len()]
    }

    /// The mark of a point.
    fn mark<'b, C: Clone + 'static>(&self, at: C) -> DynElement<'static, SVGBackend<'b>, C> {
        let color = self.color();
        match self.style % 4 {
            0 => Circle::new(at, 4, color.filled()).into_dyn(),
            1 => TriangleMarker::new(at, 6, color.filled()).into_dyn(),
            2 => Cross::new(at, 4, color.stroke_width(2)).into_dyn(),
            _ => Circle::new(at, 4, color.stroke_width(2)).into_dyn(),
        }
    }
}

/// A chart.
pub(super) struct Chart {
    pub(super) title: String,
    pub(super) description: String,
    pub(super) x: Axis,
    pub(super) y: Axis,
    pub(super) series: Vec<Series>,
}

impl Chart {
    /// The values of x at which any line has a point, in ascending order.
    fn places(&self) -> Vec<f64> {
        let mut places: Vec<f64> = self.points().map(|point| point.x).collect();
        places.sort_by(f64::total_cmp);
        places.dedup();
        places
    }

    fn points(&self) -> impl Iterator<Item = Measure> {
        self.series.iter().flat_map(|series| series.points.iter().copied())
    }

    /// The text of a value.
    fn told(&self, Measure { y, half, .. }: Measure) -> String {
        let show = self.y.show;
        let half = half.map(|[low, high]| format!(" ({} to {})", show(low), show(high)));
        show(y) + &half.unwrap_or_default()
    }

    /// The figure.
    pub(super) fn figure(self) -> Result<Figure> {
        let drawing = self.draw()?;
        let key = |series: &Series| {
            let (end, middle) = (KEY.0 as i32, KEY.1 as i32 / 2);
            let key = Drawing::new(KEY, |area| {
                let line = vec![(0, middle), (end, middle)];
                area.draw(&PathElement::new(line, series.color().stroke_width(2)))?;
                area.draw(&series.mark((end / 2, middle)))?;
                Ok(())
            })?;
            Ok((series.name.clone(), key))
        };
        let keyed = self.series.iter().filter(|series| !series.faint);
        let mut legend = keyed.map(key).collect::<Result<Vec<_>>>()?;
        if self.series.iter().any(|series| series.faint) {
            let (end, middle) = (KEY.0 as i32, KEY.1 as i32 / 2);
            let key = Drawing::new(KEY, |area| {
                let style = INK.mix(FAINT).stroke_width(2);
                area.draw(&PathElement::new(vec![(0, middle), (end, middle)], style))?;
                Ok(())
            })?;
            legend.push(("faint: the baseline".to_owned(), key));
        }
        let value = |series: &Series, place: f64| {
            let point = series.points.iter().find(|point| point.x == place);
            point.map_or("–".to_owned(), |point| self.told(*point))
        };
        let row = |place: f64| {
            let values = self.series.iter().map(|series| value(series, place));
            std::iter::once((self.x.show)(place)).chain(values).collect()
        };
        let names = self.series.iter().map(|series| series.name.clone());
        let values = Values {
            unit: self.y.label,
            head: std::iter::once(self.x.label.to_owned()).chain(names).collect(),
            rows: self.places().into_iter().map(row).collect(),
        };
        let Self { title, description, .. } = self;
        Ok(Figure { title, description, drawing, legend, values })
    }

    fn draw(&self) -> Result<Drawing> {
        let x_range = range(self.points().map(|point| point.x));
        let y_range = range(
            self.points().flat_map(|Measure { y, half, .. }| half.into_iter().flatten().chain([y])),
        );
        let x_ticks = spaced(self.places(), &x_range);
        let y_ticks = spaced(round_numbers(&y_range), &y_range);
        let mut hints = Vec::new();
        let drawing = Drawing::new((WIDTH, HEIGHT), |area| {
            let mut chart = ChartBuilder::on(area)
                .margin(6)
                .margin_right(14)
                .x_label_area_size(38)
                .y_label_area_size(50)
                .build_cartesian_2d(
                    x_range.log_scale().with_key_points(x_ticks),
                    y_range.log_scale().with_key_points(y_ticks),
                )?;
            chart
                .configure_mesh()
                .axis_style(INK)
                .bold_line_style(INK.mix(0.15))
                .light_line_style(TRANSPARENT)
                .label_style(font(13))
                .axis_desc_style(font(13))
                .x_desc(format!("{} (logarithmic)", self.x.label))
                .y_desc(format!("{} (logarithmic)", self.y.label))
                .x_label_formatter(&|value: &f64| (self.x.show)(*value))
                .y_label_formatter(&|value: &f64| tick(*value))
                .draw()?;
            for series in &self.series {
                let at = |point: &Measure| (point.x, point.y);
                let points = series.points.iter();
                if series.faint {
                    let style = series.color().mix(FAINT).stroke_width(2);
                    chart.draw_series(LineSeries::new(points.map(at), style))?;
                    continue;
                }
                let style = series.color().stroke_width(2);
                chart.draw_series(LineSeries::new(points.clone().map(at), style))?;
                let halves = points.clone().filter_map(|Measure { x, half, .. }| {
                    let [low, high] = (*half)?;
                    let style = series.color().stroke_width(1);
                    Some(PathElement::new(vec![(*x, low), (*x, high)], style))
                });
                chart.draw_series(halves)?;
                chart.draw_series(points.clone().map(|point| series.mark(at(point))))?;
                for point in points {
                    let name = format!("{}, {}", series.name, (self.x.show)(point.x));
                    let text = format!("{name}: {}", self.told(*point));
                    hints.push((chart.backend_coord(&at(point)), text));
                }
            }
            Ok(())
        })?;
        Ok(drawing.with_hints(&hints))
    }
}

/// The range of an axis: all values, with a margin.
fn range(values: impl Iterator<Item = f64>) -> Range<f64> {
    let (least, most) = values
        .fold((f64::INFINITY, 0.0_f64), |(least, most), value| (least.min(value), most.max(value)));
    match least <= most {
        true => least * 0.8..most * 1.25,
        false => 1.0..10.0,
    }
}

/// The numbers with one digit in a range: numbers with the digit 1, 2 or 5, or with any digit if
/// these are too few. If fewer than two numbers have one digit, the numbers with two digits.
fn round_numbers(range: &Range<f64>) -> Vec<f64> {
    let (first, last) = (range.start.log10().floor() as i32, range.end.log10().ceil() as i32);
    let in_range = |digits: Vec<u32>| -> Vec<f64> {
        let decades = (first - 1..=last).map(|power| 10_f64.powi(power));
        let numbers =
            decades.flat_map(|unit| digits.iter().map(move |digits| f64::from(*digits) * unit));
        numbers.filter(|number| range.contains(number)).collect()
    };
    let sets = [vec![1, 2, 5], (1..10).collect(), (10..100).collect()];
    sets.into_iter().map(in_range).find(|numbers| numbers.len() >= 2).unwrap_or_default()
}

/// The text of a tick, of at most five characters for numbers from 0.001 to 10^9.
fn tick(value: f64) -> String {
    match value {
        1e6.. => format!("{}M", thousandths(value / 1e6)),
        1e4.. => format!("{}k", thousandths(value / 1e3)),
        _ => thousandths(value).to_string(),
    }
}

/// The ticks that are far enough from the one before.
fn spaced(ticks: Vec<f64>, range: &Range<f64>) -> Vec<f64> {
    let length = (range.end / range.start).ln();
    let mut kept: Vec<f64> = Vec::new();
    for tick in ticks {
        if kept.last().is_none_or(|last| (tick / last).ln() >= TICK_DISTANCE * length) {
            kept.push(tick);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_apart() {
        assert_eq!(round_numbers(&(7.0..60.0)), [10.0, 20.0, 50.0]);
        assert_eq!(round_numbers(&(22.0..49.0)), [30.0, 40.0]);
        assert_eq!(round_numbers(&(12.0..16.0)), [12.0, 13.0, 14.0, 15.0]);
        // The narrowest range of an axis.
        let narrow = round_numbers(&range(std::iter::once(1500.0)));
        assert_eq!(narrow, [1200.0, 1300.0, 1400.0, 1500.0, 1600.0, 1700.0, 1800.0]);
        assert_eq!([0.25, 9000.0, 20_000.0, 5e6].map(tick), ["0.25", "9000", "20k", "5M"]);
        assert_eq!(spaced(vec![1.0, 1.1, 10.0, 100.0], &(1.0..100.0)), [1.0, 10.0, 100.0]);
        assert_eq!(range([3.0, 2.0].into_iter()), 1.6..3.75);
    }

    #[test]
    fn a_chart_without_points_is_drawn() {
        let axis = || Axis { label: "n", show: |value| value.to_string() };
        let chart = Chart {
            title: "none".to_owned(),
            description: String::new(),
            x: axis(),
            y: axis(),
            series: Vec::new(),
        };
        assert!(!chart.figure().unwrap().markup("none").into_string().contains("http"));
    }
}
