//! Line charts with logarithmic axes, drawn as SVG by plotters.
//!
//! plotters writes colours as attributes, which `report.css` replaces: in dark mode, and to give
//! each line its dashes. So a colour stands for a style, and no two styles have the same one.

use std::ops::Range;

use anyhow::{Context, Result};
use plotters::{
    coord::combinators::{BindKeyPoints, IntoLogRange},
    prelude::*,
};

/// The colour of axes and texts. Not black, which is that of a line.
const INK: RGBColor = RGBColor(1, 1, 1);

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

/// The size in units of the drawing: that of a phone, so that texts can be read there. It grows
/// with the page.
const SIZE: (u32, u32) = (340, 250);

/// The least distance of two ticks, as a fraction of the axis.
const TICK_DISTANCE: f64 = 0.12;

/// What an axis shows.
pub(super) struct Axis {
    pub(super) label: &'static str,
    pub(super) show: fn(f64) -> String,
}

/// A line.
pub(super) struct Series {
    pub(super) name: String,
    /// The number of its [style](COLORS).
    pub(super) style: usize,
    /// Values above 0, in ascending order of the first.
    pub(super) points: Vec<(f64, f64)>,
}

impl Series {
    /// Its colour, as in the drawing.
    pub(super) fn color(&self) -> String {
        let RGBColor(red, green, blue) = COLORS[self.style % COLORS.len()];
        format!("#{red:02X}{green:02X}{blue:02X}")
    }
}

/// A chart.
pub(super) struct Chart {
    pub(super) title: String,
    /// What the axes show and how many lines there are, for those who do not see it.
    pub(super) description: String,
    pub(super) x: Axis,
    pub(super) y: Axis,
    pub(super) series: Vec<Series>,
}

impl Chart {
    /// The values of x at which any line has a point, in ascending order.
    pub(super) fn places(&self) -> Vec<f64> {
        let mut places: Vec<f64> = self.points().map(|(x, _)| x).collect();
        places.sort_by(f64::total_cmp);
        places.dedup();
        places
    }

    fn points(&self) -> impl Iterator<Item = (f64, f64)> {
        self.series.iter().flat_map(|series| series.points.iter().copied())
    }

    /// The size of the drawing as an SVG view box.
    pub(super) fn view_box() -> String {
        format!("0 0 {} {}", SIZE.0, SIZE.1)
    }

    /// The content of an SVG element with this [view box](Chart::view_box).
    pub(super) fn draw(&self) -> Result<String> {
        let mut text = String::new();
        self.draw_into(&mut text).with_context(|| format!("cannot draw {}", self.title))?;
        // plotters' element around it has a size in pixels and no title.
        let content = text.split_once('>').and_then(|(_, rest)| rest.rsplit_once("</svg>"));
        Ok(content.map_or_else(String::new, |(content, _)| content.to_owned()))
    }

    fn draw_into(&self, text: &mut String) -> Result<()> {
        let x_range = range(self.points().map(|(x, _)| x));
        let y_range = range(self.points().map(|(_, y)| y));
        let x_ticks = spaced(self.places(), &x_range);
        let y_ticks = spaced(round_numbers(&y_range), &y_range);
        let area = SVGBackend::with_string(text, SIZE).into_drawing_area();
        let mut chart = ChartBuilder::on(&area)
            .margin(6)
            .margin_right(14)
            .x_label_area_size(38)
            .y_label_area_size(50)
            .build_cartesian_2d(
                x_range.log_scale().with_key_points(x_ticks),
                y_range.log_scale().with_key_points(y_ticks),
            )?;
        let font = ("sans-serif", 13).into_font().color(&INK);
        chart
            .configure_mesh()
            .axis_style(INK)
            .bold_line_style(INK.mix(0.15))
            .light_line_style(TRANSPARENT)
            .label_style(font.clone())
            .axis_desc_style(font)
            .x_desc(self.x.label)
            .y_desc(self.y.label)
            .x_label_formatter(&|value: &f64| (self.x.show)(*value))
            .y_label_formatter(&|value: &f64| (self.y.show)(*value))
            .draw()?;
        for Series { style, points, .. } in &self.series {
            let color = COLORS[style % COLORS.len()];
            chart.draw_series(LineSeries::new(points.iter().copied(), color.stroke_width(2)))?;
            let mark = |&at: &(f64, f64)| match style % 4 {
                0 => Circle::new(at, 4, color.filled()).into_dyn(),
                1 => TriangleMarker::new(at, 6, color.filled()).into_dyn(),
                2 => Cross::new(at, 4, color.stroke_width(2)).into_dyn(),
                _ => Circle::new(at, 4, color.stroke_width(2)).into_dyn(),
            };
            chart.draw_series(points.iter().map(mark))?;
        }
        area.present()?;
        Ok(())
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

/// The numbers 1, 2 and 5 times a power of ten in a range. If these are less than two, all digits
/// times a power of ten; if these are, too, the quarters of the range.
fn round_numbers(range: &Range<f64>) -> Vec<f64> {
    let (first, last) = (range.start.log10().floor() as i32, range.end.log10().ceil() as i32);
    for digits in [&[1.0, 2.0, 5.0][..], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]] {
        let decade = |power| digits.iter().map(move |digit| digit * 10_f64.powi(power));
        let numbers = (first..=last).flat_map(decade);
        let numbers: Vec<f64> = numbers.filter(|number| range.contains(number)).collect();
        if numbers.len() >= 2 {
            return numbers;
        }
    }
    let step = (range.end - range.start) / 4.0;
    (1..4).map(|quarter| range.start + step * f64::from(quarter)).collect()
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
        assert_eq!(round_numbers(&(12.0..16.0)), [13.0, 14.0, 15.0]);
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
        assert!(!chart.draw().unwrap().contains("http"));
    }
}
