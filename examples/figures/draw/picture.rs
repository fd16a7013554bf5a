//! An SVG picture: shapes, arrows and text, in coordinates whose y points up.

use std::fmt::Arguments;

use widephase::shape::Shape;

use super::svg::{document, outline, path};

const STYLE: &str = "\
.a{fill:#d6e4f5;stroke:#2a5a9c}\
.b{fill:#fae3c8;stroke:#a85f14}\
.a,.b{stroke-width:1.6;fill-opacity:.75}\
.moved{fill:none;stroke:#a85f14;stroke-dasharray:5 4}\
.core{fill:none;stroke:#777;stroke-dasharray:3 3}\
.sum{fill:none;stroke:#1d7a4a;stroke-width:1.8}\
.found{fill:#1d7a4a}\
.zone{stroke:#999;stroke-dasharray:6 5}\
.ray{stroke:#1d7a4a;stroke-width:2}\
.beam{stroke:#1d7a4a;stroke-width:.7;stroke-opacity:.6}\
.covered{stroke:#c1272d}\
.ring{fill:none;stroke:#999;stroke-dasharray:6 5}\
.walked{fill:#dcebd8}\
.unwalked{fill:#f0f3e9}\
.cell{stroke:#ccc;stroke-width:.7}\
.far{fill:#eee;fill-opacity:.8;stroke:#aaa}\
.gap{stroke:#c1272d;stroke-width:1.6;stroke-dasharray:3 3}\
.normal{stroke:#c1272d;stroke-width:2}\
.axis{stroke:#999}\
.bar-a{stroke:#2a5a9c;stroke-width:7}\
.bar-b{stroke:#c97a24;stroke-width:7}\
.bar-gap{stroke:#c1272d;stroke-width:2}\
.head,.point{fill:#c1272d}\
.foot-a{fill:#fff;stroke:#2a5a9c;stroke-width:1.5}\
.foot-b{fill:#fff;stroke:#a85f14;stroke-width:1.5}\
text{font:13px Helvetica,Arial,sans-serif;fill:#222}\
.soft{fill:#666}\
.red{fill:#a81c22}\
.title{font-weight:bold}";

/// A picture under construction.
pub(crate) struct Picture {
    body: String,
    /// Style beside the style of all pictures.
    style: &'static str,
    width: f32,
    height: f32,
    /// The position of the origin, in pixels from the upper left.
    origin: [f32; 2],
    /// Pixels for one unit of length.
    scale: f32,
}

/// The horizontal alignment of a text relative to its position.
#[derive(Clone, Copy)]
pub(crate) enum Anchor {
    Left,
    Middle,
    Right,
}

impl Picture {
    pub(crate) fn new(width: f32, height: f32) -> Self {
        Self { body: String::new(), style: "", width, height, origin: [0.0, 0.0], scale: 1.0 }
    }

    /// The picture with more style.
    pub(crate) fn styled(self, style: &'static str) -> Self {
        Self { style, ..self }
    }

    /// Sets the position of the origin and the pixels per unit of length for the elements that
    /// follow.
    pub(crate) fn look(&mut self, origin: [f32; 2], scale: f32) {
        (self.origin, self.scale) = (origin, scale);
    }

    /// The file. The title is the text alternative of the picture.
    pub(crate) fn finish(self, title: &str) -> String {
        let Self { body, style, width, height, .. } = self;
        let elements = format!(
            "<rect width=\"{width}\" height=\"{height}\" rx=\"6\" fill=\"#fdfdfb\"/>\n{body}"
        );
        document([width, height], title, &format!("{STYLE}{style}"), &elements)
    }

    fn push(&mut self, element: Arguments<'_>) {
        self.body.push_str(&element.to_string());
        self.body.push('\n');
    }

    /// The pixel coordinates of a position.
    fn pixel(&self, [x, y]: [f32; 2]) -> [f32; 2] {
        [self.origin[0] + x * self.scale, self.origin[1] - y * self.scale]
    }

    /// A position in the syntax of paths.
    fn place(&self, at: [f32; 2]) -> String {
        let [x, y] = self.pixel(at).map(number);
        format!("{x} {y}")
    }

    /// A shape, moved by `by`.
    pub(crate) fn shape(&mut self, class: &str, shape: impl Shape, by: [f32; 2]) {
        let (corners, radius) = outline(shape.any());
        let corners: Vec<[f32; 2]> =
            corners.iter().map(|corner| [corner[0] + by[0], corner[1] + by[1]]).collect();
        self.rounded(class, &corners, radius);
    }

    /// Everything within `radius` of a convex core, whose corners are counter-clockwise.
    pub(crate) fn rounded(&mut self, class: &str, corners: &[[f32; 2]], radius: f32) {
        if let [center] = corners {
            return self.disc(class, *center, radius * self.scale);
        }
        let corners: Vec<[f64; 2]> = corners.iter().map(|corner| corner.map(f64::from)).collect();
        let r = number(radius * self.scale);
        let path = path(
            &corners,
            radius.into(),
            |at| self.place(at.map(|part| part as f32)),
            |to| if radius > 0.0 { format!("A{r} {r} 0 0 0 {to}") } else { format!("L{to}") },
        );
        self.push(format_args!("<path class=\"{class}\" d=\"{path}\"/>"));
    }

    /// A disc with a radius in pixels.
    pub(crate) fn disc(&mut self, class: &str, at: [f32; 2], radius: f32) {
        let [x, y] = self.pixel(at).map(number);
        let r = number(radius);
        self.push(format_args!("<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{r}\"/>"));
    }

    pub(crate) fn line(&mut self, class: &str, from: [f32; 2], to: [f32; 2]) {
        let [x1, y1] = self.pixel(from).map(number);
        let [x2, y2] = self.pixel(to).map(number);
        self.push(format_args!(
            "<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>"
        ));
    }

    /// An arrow of `length` pixels along `direction`, of length 1.
    pub(crate) fn arrow(&mut self, from: [f32; 2], direction: [f32; 2], length: f32) {
        let ahead = |pixels: f32, aside: f32| {
            let (along, aside) = (pixels / self.scale, aside / self.scale);
            let [x, y] = direction;
            [from[0] + x * along - y * aside, from[1] + y * along + x * aside]
        };
        let shaft = ahead(length - 8.0, 0.0);
        let [tip, left, right] =
            [ahead(length, 0.0), ahead(length - 10.0, 4.5), ahead(length - 10.0, -4.5)]
                .map(|corner| self.place(corner));
        self.line("normal", from, shaft);
        self.push(format_args!("<path class=\"head\" d=\"M{tip}L{left}L{right}Z\"/>"));
    }

    /// A text at `at`, moved right and down by pixels.
    pub(crate) fn text(
        &mut self,
        class: &str,
        at: [f32; 2],
        [right, down]: [f32; 2],
        anchor: Anchor,
        text: Arguments<'_>,
    ) {
        let [x, y] = self.pixel(at);
        let [x, y] = [x + right, y + down].map(number);
        let anchor = match anchor {
            Anchor::Left => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::Right => " text-anchor=\"end\"",
        };
        let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
        self.push(format_args!("<text x=\"{x}\" y=\"{y}\"{anchor}{class}>{text}</text>"));
    }
}

/// A length for people, rounded to hundredths, with a minus sign.
pub(crate) fn signed(value: f32) -> String {
    format!("{value:.2}").replace('-', "−")
}

/// A number of pixels, rounded to tenths.
fn number(value: f32) -> String {
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".into() } else { text.into() }
}
