//! Bars whose parts are stacked, drawn as SVG by plotters.

use anyhow::Result;
use plotters::{
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};

use super::figure::{Drawing, Figure, INK, Values, WIDTH, font};

/// The height of a bar with the space around it.
const ROW: u32 = 30;

/// The height of all else: the axis with its label, and the margins.
const AROUND: u32 = 46;

/// The approximate width of a character.
const CHARACTER: u32 = 7;

/// The colour between two parts: the colour of the page.
const PAPER: RGBColor = RGBColor(3, 3, 3);

/// The colours of texts on a part: dark, and light.
const ON_PART: [RGBColor; 2] = [RGBColor(2, 2, 2), RGBColor(254, 254, 254)];

/// A part of each bar.
pub(super) struct Part {
    pub(super) name: String,
    pub(super) color: RGBColor,
}

/// Horizontal bars, from the first one down.
pub(super) struct Bars {
    pub(super) title: String,
    pub(super) description: String,
    /// The thing that a bar stands for.
    pub(super) of: &'static str,
    /// The unit of its length.
    pub(super) unit: &'static str,
    pub(super) show: fn(f64) -> String,
    pub(super) parts: Vec<Part>,
    /// For each bar its name, and the length of each part.
    pub(super) bars: Vec<(String, Vec<f64>)>,
}

impl Bars {
    /// The figure.
    pub(super) fn figure(self) -> Result<Figure> {
        let drawing = self.draw()?;
        let key = |part: &Part| {
            let key = Drawing::new((14, 14), |area| Ok(area.fill(&part.color)?))?;
            Ok((part.name.clone(), key))
        };
        let legend = self.parts.iter().map(key).collect::<Result<_>>()?;
        let names = self.parts.iter().map(|part| part.name.clone());
        let row = |(name, lengths): &(String, Vec<f64>)| {
            let values = lengths.iter().map(|length| match *length {
                0.0 => "–".to_owned(),
                length => (self.show)(length),
            });
            std::iter::once(name.clone()).chain(values).collect()
        };
        let values = Values {
            unit: self.unit,
            head: std::iter::once(self.of.to_owned()).chain(names).collect(),
            rows: self.bars.iter().map(row).collect(),
        };
        let Self { title, description, .. } = self;
        Ok(Figure { title, description, drawing, legend, values })
    }

    fn draw(&self) -> Result<Drawing> {
        let count = self.bars.len();
        let sums = self.bars.iter().map(|(_, lengths)| lengths.iter().sum::<f64>());
        let longest = sums.fold(f64::MIN_POSITIVE, f64::max);
        let characters = self.bars.iter().map(|(name, _)| name.chars().count() as u32).max();
        let left = characters.unwrap_or_default() * CHARACTER + 8;
        Drawing::new((WIDTH, AROUND + ROW * count as u32), |area| {
            let mut chart = ChartBuilder::on(area)
                .margin(4)
                .margin_right(16)
                .x_label_area_size(34)
                .y_label_area_size(left)
                .build_cartesian_2d(0.0..longest, 0.0..count as f64)?;
            chart
                .configure_mesh()
                .axis_style(INK)
                .bold_line_style(INK.mix(0.15))
                .light_line_style(TRANSPARENT)
                .label_style(font(13))
                .axis_desc_style(font(13))
                .disable_y_mesh()
                .y_labels(0)
                .x_labels(5)
                .x_desc(self.unit)
                .x_label_formatter(&|value| format!("{value}"))
                .draw()?;
            let unit = f64::from(WIDTH - left - 20) / longest;
            for (number, (name, lengths)) in self.bars.iter().enumerate() {
                let (top, bottom) =
                    ((count - number) as f64 - 0.15, (count - number) as f64 - 0.85);
                let middle = (top + bottom) / 2.0;
                let (x, y) = chart.backend_coord(&(0.0, middle));
                let place = Pos::new(HPos::Right, VPos::Center);
                area.draw(&Text::new(name.clone(), (x - 6, y), font(13).pos(place)))?;
                let mut begin = 0.0;
                for (Part { name, color }, &length) in self.parts.iter().zip(lengths) {
                    if length == 0.0 {
                        continue;
                    }
                    let corners = [(begin, bottom), (begin + length, top)];
                    let outline = PAPER.stroke_width(1);
                    let bar = [color.filled(), outline].map(|style| Rectangle::new(corners, style));
                    chart.draw_series(bar)?;
                    if length * unit > f64::from(CHARACTER * (name.chars().count() as u32 + 1)) {
                        let at = (begin + length / 2.0, middle);
                        let style = font(12).pos(Pos::new(HPos::Center, VPos::Center));
                        let style = style.color(&ON_PART[usize::from(is_dark(*color))]);
                        chart.draw_series([Text::new(name.clone(), at, style)])?;
                    }
                    begin += length;
                }
            }
            Ok(())
        })
    }
}

/// Whether white is easier to read on a colour than black. By the luminance of WCAG 2.
fn is_dark(RGBColor(red, green, blue): RGBColor) -> bool {
    let linear = |value: u8| (f64::from(value) / 255.0).powf(2.2);
    0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue) < 0.18
}
