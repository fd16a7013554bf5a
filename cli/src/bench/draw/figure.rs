//! A figure of the report: a drawing with its legend, and its values as a table.
//!
//! plotters writes colours as attributes, which `report.css` replaces: in dark mode, and to give
//! each line its dashes. So a colour stands for a style, and no two styles have one colour.

use anyhow::{Context, Result};
use maud::{Markup, PreEscaped, html};
use plotters::{coord::Shift, prelude::*};

/// The colour of axes and texts. Not black, which is the colour of a line.
pub(super) const INK: RGBColor = RGBColor(1, 1, 1);

/// The width in units of the drawing: the width of a phone, so that texts can be read there. It
/// grows with the page.
pub(super) const WIDTH: u32 = 340;

/// More than the width of a character of a hint.
const CHARACTER: i32 = 6;

/// A figure.
pub(super) struct Figure {
    pub(super) title: String,
    /// A description of the figure, for readers who do not see it.
    pub(super) description: String,
    pub(super) drawing: Drawing,
    /// Each name with its key.
    pub(super) legend: Vec<(String, Drawing)>,
    pub(super) values: Values,
}

/// The values of a figure: a name and values for each row.
pub(super) struct Values {
    /// The meaning of the values.
    pub(super) unit: &'static str,
    /// The names of the rows and of the columns.
    pub(super) head: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
}

/// The content of an SVG element.
pub(super) struct Drawing {
    size: (u32, u32),
    content: String,
}

/// The area that a drawing is drawn in.
pub(super) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

impl Drawing {
    /// Draws by `paint`.
    pub(super) fn new(
        size: (u32, u32),
        paint: impl FnOnce(&Area<'_>) -> Result<()>,
    ) -> Result<Self> {
        let mut text = String::new();
        let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
        paint(&area).context("cannot draw a chart")?;
        area.present()?;
        drop(area);
        // plotters' element around it has a size in pixels and no title.
        let content = text.split_once('>').and_then(|(_, rest)| rest.rsplit_once("</svg>"));
        let content = content.map_or_else(String::new, |(content, _)| content.to_owned());
        Ok(Self { size, content })
    }

    /// The drawing with texts that show at these places, while a place is under the pointer or has
    /// the focus.
    pub(super) fn with_hints(mut self, hints: &[((i32, i32), String)]) -> Self {
        let width = self.size.0 as i32;
        let markup = html! {
            @for ((x, y), text) in hints {
                // In the middle above the place, but within the drawing.
                @let room = width - 4 - text.len() as i32 * CHARACTER;
                @let left = (*x - text.len() as i32 * CHARACTER / 2).clamp(2, room.max(2));
                g class="hint" tabindex="0" role="img" aria-label=(text) {
                    circle cx=(x) cy=(y) r="9" fill="transparent" {}
                    text x=(left) y=((*y - 12).max(10)) font-size="10" { (text) }
                }
            }
        };
        self.content += &markup.into_string();
        self
    }

    fn view_box(&self) -> String {
        format!("0 0 {} {}", self.size.0, self.size.1)
    }
}

/// The font of all texts.
pub(super) fn font(size: u32) -> TextStyle<'static> {
    ("sans-serif", size).into_font().color(&INK)
}

impl Figure {
    /// The figure. `id` begins the ids of its parts.
    pub(super) fn markup(&self, id: &str) -> Markup {
        let Self { title, description, drawing, legend, values } = self;
        let (title_id, description_id) = (format!("{id}-title"), format!("{id}-description"));
        html! {
            figure {
                h3 { (title) }
                svg viewBox=(drawing.view_box()) role="group"
                    aria-labelledby={ (title_id) " " (description_id) } {
                    title id=(title_id) { (title) }
                    desc id=(description_id) { (description) }
                    (PreEscaped(&drawing.content))
                }
                figcaption {
                    ul class="legend" {
                        @for (name, key) in legend {
                            li {
                                svg viewBox=(key.view_box()) aria-hidden="true" {
                                    (PreEscaped(&key.content))
                                }
                                (name)
                            }
                        }
                    }
                }
                details {
                    summary { "Values: " (title) }
                    (values.markup(title))
                }
            }
        }
    }
}

impl Values {
    fn markup(&self, title: &str) -> Markup {
        let Self { unit, head, rows } = self;
        html! {
            div class="scroll" tabindex="0" role="region" aria-label=(title) {
                table {
                    caption { (unit) }
                    thead { tr { @for title in head { th scope="col" { (title) } } } }
                    tbody {
                        @for row in rows { tr {
                            @for (number, value) in row.iter().enumerate() {
                                @if number == 0 {
                                    th scope="row" { (value) }
                                } @else {
                                    td { (value) }
                                }
                            }
                        } }
                    }
                }
            }
        }
    }
}
