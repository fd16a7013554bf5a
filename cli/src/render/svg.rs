//! A picture as the text of an SVG.

use std::fmt::{Arguments, Write};

use widephase::{
    Contact, Feature, GridCell,
    shape::{Aabb, Kind},
};

use super::{
    density::{Density, SMALLEST, SQUARE},
    frame,
    labels::Labels,
    legend::{Legend, TEXT, escaped},
    picture::{Beam, Drawn, Outline, Picture},
};
use crate::{svg, table::count, values::View};

/// The margin around the shapes and the legend, in pixels.
const MARGIN: f64 = 12.0;

/// The height of the part with the shapes, as a share of its width: the least and the most.
const HEIGHTS: [f64; 2] = [0.2, 1.25];

/// From this size of a cell on, in pixels, the number of its shapes is written into it.
const WRITTEN_CELL: f64 = 24.0;

/// The colours of the kinds. The colours of Okabe and Ito (Color Universal Design, 2008), which
/// people with any colour vision can tell apart, and two dark colours for lines.
const COLORS: [(Kind, &str); 11] = [
    (Kind::Point, "#000000"),
    (Kind::Circle, "#56b4e9"),
    (Kind::Aabb, "#e69f00"),
    (Kind::RoundedBox, "#009e73"),
    (Kind::Obb, "#f0e442"),
    (Kind::Capsule, "#cc79a7"),
    (Kind::Segment, "#332288"),
    (Kind::Polygon, "#0072b2"),
    (Kind::ChainSegment, "#882255"),
    (Kind::HalfPlane, "#bbbbbb"),
    (Kind::Compound, "#999999"),
];

/// The colours of compounds, one after the other: light colours, so that outlines show.
const COMPOUNDS: [&str; 8] =
    ["#88ccee", "#ddcc77", "#cc6677", "#44aa99", "#aa99dd", "#99bb55", "#ee9966", "#999999"];

/// The colour of contacts and of hits: the vermilion of Okabe and Ito.
const CONTACT: &str = "#d55e00";

const STYLE: &str = "\
text{font-family:Hack,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#222}\
.title{font-weight:bold}\
.cell{fill:#000;stroke:#777}\
.full{font-size:9px;fill:#555;paint-order:stroke;stroke:#fff;stroke-width:2px;stroke-opacity:.7}\
.ray{fill:none;stroke:#444;stroke-width:.7;stroke-opacity:.7}\
.id{font-size:9px;text-anchor:middle;paint-order:stroke;stroke:#fff;stroke-width:2px;\
stroke-opacity:.8}\
.feature{font-size:7px;paint-order:stroke;stroke:#fff;stroke-width:1.5px}\
.mark{font-size:9px;fill:#555;paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-opacity:.8}\
.tick{stroke:#999;fill:none}\
.dense{fill:#0b3a5a}";

/// The plane on the picture: y points down there.
struct Plane {
    /// Pixels for one unit of length.
    scale: f64,
    /// The lower left corner of the view, and its pixel.
    min: [f64; 2],
    lower_left: [f64; 2],
}

impl Plane {
    fn pixel(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let [left, lower] = self.lower_left;
        [left + (x - self.min[0]) * self.scale, lower - (y - self.min[1]) * self.scale]
    }

    /// A position in the syntax of paths.
    fn place(&self, at: [f64; 2]) -> String {
        let [x, y] = self.pixel(at);
        format!("{x:.2} {y:.2}")
    }
}

/// Lengths on the picture that follow the size of the shapes, in pixels.
struct Pens {
    outline: f64,
    touching: f64,
    dot: f64,
    normal: f64,
}

impl Pens {
    fn new(typical: f64) -> Self {
        Self {
            outline: (typical * 0.02).clamp(0.15, 0.7),
            touching: (typical * 0.08).clamp(0.5, 2.2),
            dot: (typical * 0.12).clamp(0.8, 3.0),
            normal: (typical * 0.6).clamp(4.0, 16.0),
        }
    }
}

/// Draws a picture of this width, in pixels.
pub(super) fn draw(picture: &Picture<'_>, title: &str, width: u32) -> String {
    let width = f64::from(width);
    let (across, extent) = (width - 2.0 * MARGIN, picture.view.extent());
    let height = (across * extent[1] / extent[0]).clamp(across * HEIGHTS[0], across * HEIGHTS[1]);
    let height = height.round();
    let scale = (across / extent[0]).min(height / extent[1]);
    let lower = MARGIN + height;
    let plane = Plane {
        scale,
        min: picture.view.min,
        // In the middle, if the extent is narrower or lower than the picture.
        lower_left: [
            MARGIN + (across - extent[0] * scale) / 2.0,
            lower - (height - extent[1] * scale) / 2.0,
        ],
    };
    let pens = Pens::new(picture.typical_size() * scale);
    let cover = cover(picture, scale) / (across * height);
    let (labels, density) = (Labels::default(), Density::default());
    let mut sheet = Sheet { plane, pens, across, cover, labels, density, body: String::new() };
    sheet.cells(picture);
    sheet.shapes(picture);
    sheet.numbers_of_cells(picture);
    sheet.beams(&picture.beams);
    sheet.contacts(picture);
    sheet.ids(picture);
    sheet.marks(picture, [across, height]);
    let (legend, end) = sheet.legend(picture, title, lower + MARGIN / 2.0);
    let total = (end + MARGIN / 2.0).ceil();

    let style = sheet.style();
    let body = &sheet.body;
    let frame = format!("x=\"{MARGIN}\" y=\"{MARGIN}\" width=\"{across}\" height=\"{height}\"");
    let elements = format!(
        "<clipPath id=\"frame\"><rect {frame}/></clipPath>\n\
         <marker id=\"tip\" viewBox=\"0 0 6 6\" refX=\"5\" refY=\"3\" markerWidth=\"5\" \
         markerHeight=\"5\" orient=\"auto\"><path d=\"M0 0L6 3L0 6Z\" fill=\"{CONTACT}\"/>\
         </marker>\n\
         <rect width=\"{width}\" height=\"{total}\" fill=\"#fff\"/>\n\
         <g clip-path=\"url(#frame)\">\n{body}</g>\n\
         <rect {frame} fill=\"none\" stroke=\"#999\"/>\n\
         <g id=\"legend\" font-size=\"{TEXT}\">\n{legend}</g>\n"
    );
    svg::document([width, total], &escaped(title), &style, &elements)
}

/// The area of all shapes, each shape as large as its box, in pixels.
fn cover(picture: &Picture<'_>, scale: f64) -> f64 {
    let sizes = picture.shapes.iter().map(|shape| shape.size * scale);
    sizes.filter(|size| size.is_finite()).map(|size| size * size).sum()
}

/// The part with the shapes under construction.
struct Sheet {
    plane: Plane,
    pens: Pens,
    across: f64,
    /// How many shapes a place is in, on average.
    cover: f64,
    labels: Labels,
    density: Density,
    body: String,
}

impl Sheet {
    fn push(&mut self, element: Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = self.body.write_fmt(element);
        self.body.push('\n');
    }

    fn style(&self) -> String {
        let Pens { outline, touching, dot, normal: _ } = self.pens;
        // Where many overlap, their number shows.
        let [faint, full] = [0.5, 0.85].map(|opacity| opacity / self.cover.max(1.0));
        let mut style = format!(
            "{STYLE}.shape{{stroke:#555;stroke-width:{outline:.2};fill-opacity:{faint:.3}}}\
             .touching{{stroke:#000;stroke-width:{touching:.2};fill-opacity:{full:.3}}}\
             .sensor{{fill-opacity:.1;stroke-dasharray:4 2}}\
             .contact{{fill:#fff;stroke:{CONTACT};stroke-width:{:.2}}}\
             .normal{{fill:none;stroke:{CONTACT};stroke-width:{:.2}}}",
            dot * 0.5,
            dot * 0.4,
        );
        for (kind, color) in COLORS {
            let rule = match kind {
                Kind::Segment | Kind::ChainSegment => {
                    let (thin, thick) = (outline * 1.5, touching * 1.8);
                    format!(
                        ".{kind}{{fill:none;stroke:{color};stroke-width:{thin:.2}}}\
                         .{kind}.touching{{stroke:{color};stroke-width:{thick:.2}}}"
                    )
                }
                _ => format!(".{kind}{{fill:{color}}}"),
            };
            style += &rule;
        }
        style
    }

    /// The cells of the grid, darker if they are fuller, and finer levels in finer lines.
    fn cells(&mut self, picture: &Picture<'_>) {
        let Some(cells) = picture.cells else { return };
        let fullest = cells.iter().map(|cell| cell.shapes).max().unwrap_or(1);
        self.push(format_args!("<g id=\"cells\">"));
        for GridCell { level, area, shapes } in cells {
            let [x, y, width, height] = self.cell(area, &picture.view);
            let opacity = 0.03 + 0.3 * f64::from(*shapes) / f64::from(fullest);
            let pen = 0.4 + 0.6 * f64::from(*level);
            self.push(format_args!(
                "<rect class=\"cell\" x=\"{x:.2}\" y=\"{y:.2}\" width=\"{width:.2}\" \
                 height=\"{height:.2}\" fill-opacity=\"{opacity:.3}\" stroke-width=\"{pen:.1}\">\
                 <title>level {level}, {}</title></rect>",
                count((*shapes).into(), "shape")
            ));
        }
        self.push(format_args!("</g>"));
    }

    /// The left and upper side, the width and the height of a cell, which may be the whole plane.
    fn cell(&self, area: &Aabb, view: &View) -> [f64; 4] {
        let corners = [[area.min_x, area.max_y], [area.max_x, area.min_y]];
        let [[x, y], [right, lower]] = corners.map(|corner| {
            self.plane.pixel([0, 1].map(|axis| {
                let (min, max, extent) = (view.min[axis], view.max[axis], view.extent()[axis]);
                f64::from(corner[axis]).clamp(min - extent, max + extent)
            }))
        });
        [x, y, right - x, lower - y]
    }

    /// The number of shapes of each cell that has room for it.
    fn numbers_of_cells(&mut self, picture: &Picture<'_>) {
        let Some(cells) = picture.cells else { return };
        self.push(format_args!("<g id=\"filling\">"));
        for GridCell { area, shapes, .. } in cells {
            let [x, y, width, height] = self.cell(area, &picture.view);
            if width.min(height) >= WRITTEN_CELL {
                let (x, y) = (x + 2.0, y + height - 2.0);
                self.push(format_args!(
                    "<text class=\"full\" x=\"{x:.1}\" y=\"{y:.1}\">{shapes}</text>"
                ));
            }
        }
        self.push(format_args!("</g>"));
    }

    fn shapes(&mut self, picture: &Picture<'_>) {
        self.push(format_args!("<g id=\"shapes\">"));
        for Drawn { number, kind, touching, sensor, outlines, middle, size } in &picture.shapes {
            if *kind != Kind::Point && size * self.plane.scale < SMALLEST {
                self.density.add(self.plane.pixel(*middle), *touching);
                continue;
            }
            let path: String = outlines.iter().map(|outline| self.path(outline)).collect();
            let touching = if *touching { " touching" } else { "" };
            let sensor = if *sensor { " sensor" } else { "" };
            let fill = match kind {
                Kind::Compound => {
                    let color = COMPOUNDS[*number as usize % COMPOUNDS.len()];
                    format!(" style=\"fill:{color}\"")
                }
                _ => String::new(),
            };
            self.push(format_args!(
                "<path class=\"shape {kind}{touching}{sensor}\"{fill} d=\"{path}\">\
                 <title>{number}: {kind}{touching}{sensor}</title></path>"
            ));
        }
        let density = std::mem::take(&mut self.density);
        for ([x, y], few, dark) in density.squares() {
            let (shapes, touching) = (count(few.shapes.into(), "shape"), few.touching);
            self.push(format_args!(
                "<rect class=\"dense\" x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\" \
                 fill-opacity=\"{dark:.2}\"><title>{shapes}, {touching} touching</title></rect>"
            ));
        }
        self.density = density;
        self.push(format_args!("</g>"));
    }

    /// An outline as data of a path.
    fn path(&self, Outline { corners, radius }: &Outline) -> String {
        let mut corners = corners.clone();
        corners.dedup();
        if corners.len() > 1 && corners.first() == corners.last() {
            corners.pop();
        }
        let r = radius * self.plane.scale;
        if let &[center] = &*corners {
            // A point is a dot.
            let point = (self.pens.dot * 0.6).max(SMALLEST / 2.0);
            return dot(self.plane.pixel(center), if r == 0.0 { point } else { r });
        }
        if let (&[a, b], 0.0) = (&*corners, r) {
            return format!("M{}L{}", self.plane.place(a), self.plane.place(b));
        }
        svg::path(
            &corners,
            *radius,
            |at| self.plane.place(at),
            |to| if r > 0.0 { format!("A{r:.2} {r:.2} 0 0 0 {to}") } else { String::new() },
        )
    }

    fn beams(&mut self, beams: &[Beam]) {
        if beams.is_empty() {
            return;
        }
        self.push(format_args!("<g id=\"rays\">"));
        for Beam { from, to, .. } in beams {
            let [from, to] = [*from, *to].map(|at| self.plane.place(at));
            self.push(format_args!("<path class=\"ray\" d=\"M{from}L{to}\"/>"));
        }
        for Beam { to, normal, .. } in beams {
            if let Some(normal) = normal {
                self.arrow(*to, *normal);
                let hit = dot(self.plane.pixel(*to), self.pens.dot);
                self.push(format_args!("<path class=\"contact hit\" d=\"{hit}\"/>"));
            }
        }
        self.push(format_args!("</g>"));
    }

    fn contacts(&mut self, picture: &Picture<'_>) {
        let Some(contacts) = picture.contacts else { return };
        self.push(format_args!("<g id=\"contacts\">"));
        for contact in contacts {
            self.contact(contact, picture.ids);
        }
        self.push(format_args!("</g>"));
    }

    fn contact(&mut self, contact: &Contact, ids: bool) {
        let normal = contact.normal().to_array().map(f64::from);
        for point in contact.points() {
            let at = [point.x, point.y].map(f64::from);
            let [x, y] = self.plane.pixel(at);
            self.arrow(at, normal);
            let [a, b] = [point.feature_a, point.feature_b].map(name);
            let path = dot([x, y], self.pens.dot);
            let depth = point.depth;
            self.push(format_args!(
                "<path class=\"contact\" d=\"{path}\"><title>depth {depth}, {a} and {b}</title>\
                 </path>"
            ));
            let (x, y) = (x + self.pens.dot + 1.0, y - 2.0);
            let width = 4.3 * (a.len() + b.len() + 1) as f64;
            if ids && self.labels.take([x, y - 6.0, x + width, y + 1.0]) {
                self.push(format_args!(
                    "<text class=\"feature\" x=\"{x:.1}\" y=\"{y:.1}\">{a} {b}</text>"
                ));
            }
        }
    }

    /// A normal, with an arrowhead.
    fn arrow(&mut self, at: [f64; 2], normal: [f64; 2]) {
        let ([x, y], length) = (self.plane.pixel(at), self.pens.normal);
        let (to_x, to_y) = (x + normal[0] * length, y - normal[1] * length);
        self.push(format_args!(
            "<path class=\"normal\" d=\"M{x:.2} {y:.2}L{to_x:.2} {to_y:.2}\" \
             marker-end=\"url(#tip)\"/>"
        ));
    }

    fn ids(&mut self, picture: &Picture<'_>) {
        if !picture.ids {
            return;
        }
        self.push(format_args!("<g id=\"ids\">"));
        for Drawn { number, middle, .. } in &picture.shapes {
            let [x, y] = self.plane.pixel(*middle);
            let (y, half) = (y + 3.0, 2.8 * number.to_string().len() as f64);
            if !self.labels.take([x - half, y - 8.0, x + half, y + 1.0]) {
                continue;
            }
            self.push(format_args!("<text class=\"id\" x=\"{x:.1}\" y=\"{y:.1}\">{number}</text>"));
        }
        self.push(format_args!("</g>"));
    }

    /// The coordinates along the lower and the left side of the frame.
    fn marks(&mut self, picture: &Picture<'_>, [across, height]: [f64; 2]) {
        self.push(format_args!("<g id=\"coordinates\">"));
        let (left, lower) = (MARGIN, MARGIN + height);
        for (axis, pixels) in [across, height].into_iter().enumerate() {
            // The ends of the frame, which may be beyond the ends of the view.
            let away = [left - self.plane.lower_left[0], self.plane.lower_left[1] - lower][axis];
            let low = picture.view.min[axis] + away / self.plane.scale;
            let low = low + picture.origin[axis];
            let marks = frame::marks([low, low + pixels / self.plane.scale], pixels);
            let step = if let [first, second, ..] = &marks[..] { second - first } else { 1.0 };
            for mark in marks {
                let (text, at) = (frame::text(mark, step), (mark - low) * self.plane.scale);
                let half = 2.8 * text.len() as f64;
                let (x, y) =
                    if axis == 0 { (left + at, lower - 7.0) } else { (left + 7.0, lower - at) };
                let (start, sides, tick) = match axis {
                    0 => (x - half, [x - half, y - 8.0, x + half, y + 1.0], "v-5"),
                    _ => (x, [x, y - 5.0, x + 2.0 * half, y + 5.0], "h5"),
                };
                let is_inside = sides[0] > left && sides[2] < left + across && sides[3] < lower;
                if !is_inside || sides[1] < MARGIN || axis == 1 && at < 20.0 {
                    continue;
                }
                let (tick_x, tick_y) = if axis == 0 { (x, lower) } else { (left, y) };
                let y = if axis == 0 { y } else { y + 3.0 };
                self.push(format_args!(
                    "<path class=\"tick\" d=\"M{tick_x:.1} {tick_y:.1}{tick}\"/>\
                     <text class=\"mark\" x=\"{start:.1}\" y=\"{y:.1}\">{text}</text>"
                ));
            }
        }
        self.push(format_args!("</g>"));
    }

    /// The legend from `top` on, and its lower end.
    fn legend(&self, picture: &Picture<'_>, title: &str, top: f64) -> (String, f64) {
        let mut legend = Legend::new(MARGIN, MARGIN + self.across, top);
        legend.entry(0.0, "", title);
        legend.end_line();
        self.scale_bar(&mut legend);
        let (drawn, total) = (picture.shapes.len(), picture.total);
        let shapes = count(total as u64, "shape");
        if drawn < total {
            legend.entry(0.0, "", &format!("{drawn} of {shapes} in this part"));
        } else {
            legend.entry(0.0, "", &shapes);
        }
        legend.end_line();
        for (kind, _) in COLORS {
            let of_kind = || picture.shapes.iter().filter(move |shape| shape.kind == kind);
            let number = of_kind().count();
            if number > 0 {
                let sign = format!("<path class=\"shape {kind}\" d=\"{}\"/>", sign_of(kind));
                legend.entry(14.0, &sign, &format!("{kind} {number}"));
            }
        }
        let touching = picture.shapes.iter().filter(|shape| shape.touching).count();
        let sign = "<path class=\"shape touching\" fill=\"#fff\" d=\"M1-6H13V6H1Z\"/>";
        let pairs = count(picture.pairs, "pair");
        legend.entry(14.0, sign, &format!("touching another shape {touching}, {pairs} of all"));
        let sensors = picture.shapes.iter().filter(|shape| shape.sensor).count();
        if sensors > 0 {
            let sign = "<path class=\"shape sensor\" d=\"M1-6H13V6H1Z\"/>";
            legend.entry(14.0, sign, &count(sensors as u64, "sensor"));
        }
        if self.density.shapes > 0 {
            let sign = "<rect class=\"dense\" y=\"-6\" width=\"12\" height=\"12\"/>";
            let (shapes, most) = (count(self.density.shapes, "shape"), self.density.most());
            let text = format!("{shapes} below {SMALLEST} pixels, up to {most} in a dark square");
            legend.entry(14.0, sign, &text);
        }
        if let Some(times) = picture.outlying {
            legend.entry(
                0.0,
                "",
                &format!("most are in a part {} times smaller: --fit", short(times.round())),
            );
        }
        if self.labels.left_out > 0 {
            legend.entry(
                0.0,
                "",
                &format!("{} without room", count(self.labels.left_out, "label")),
            );
        }
        if let Some(contacts) = picture.contacts {
            let points: usize = contacts.iter().map(|contact| contact.points().len()).sum();
            let (contacts, points) =
                (count(contacts.len() as u64, "contact"), count(points as u64, "point"));
            let text = format!("{contacts}: {points}, normal from a to b");
            legend.entry(22.0, &self.sign_of_contact(), &text);
        }
        if !picture.beams.is_empty() {
            let hits = picture.beams.iter().filter(|beam| beam.normal.is_some()).count();
            let sign = "<path class=\"ray\" d=\"M0 0H14\"/>";
            legend.entry(14.0, sign, &format!("rays {}", picture.beams.len()));
            legend.entry(
                22.0,
                &self.sign_of_contact(),
                &format!("{}, normal", count(hits as u64, "hit")),
            );
        }
        if let Some(cells) = picture.cells {
            legend.end_line();
            for level in cells.chunk_by(|a, b| a.level == b.level) {
                legend_of_level(&mut legend, level);
            }
        }
        legend.finish()
    }

    /// A line of a round length.
    fn scale_bar(&self, legend: &mut Legend) {
        let most = self.across * 0.2 / self.plane.scale;
        let unit = 10.0_f64.powf(most.log10().floor());
        let times = [5.0, 2.0].into_iter().find(|times| times * unit <= most).unwrap_or(1.0);
        let length = times * unit;
        let width = length * self.plane.scale;
        let sign = format!(
            "<path d=\"M0-4V4M0 0H{width:.2}M{width:.2}-4V4\" fill=\"none\" stroke=\"#222\"/>"
        );
        legend.entry(width, &sign, &short(length));
    }

    fn sign_of_contact(&self) -> String {
        let dot = dot([3.0, 0.0], self.pens.dot.max(1.5));
        format!(
            "<path class=\"normal\" d=\"M3 0H21\" marker-end=\"url(#tip)\"/>\
             <path class=\"contact\" d=\"{dot}\"/>"
        )
    }
}

/// How many cells of a level hold shapes, how large they are, and how full.
fn legend_of_level(legend: &mut Legend, cells: &[GridCell]) {
    let Some(GridCell { level, area, .. }) = cells.first() else { return };
    let shapes: u64 = cells.iter().map(|cell| u64::from(cell.shapes)).sum();
    let fullest = cells.iter().map(|cell| cell.shapes).max().unwrap_or(0);
    let [width, height] = [[area.min_x, area.max_x], [area.min_y, area.max_y]]
        .map(|[min, max]| f64::from(max) - f64::from(min));
    let shapes_text = count(shapes, "shape");
    let text = if width.is_finite() {
        let (number, mean) =
            (count(cells.len() as u64, "cell"), shapes as f64 / cells.len() as f64);
        let (width, height) = (short(width), short(height));
        format!(
            "level {level}: {shapes_text} in {number} of {width} x {height}; {mean:.1} a cell, at \
             most {fullest}"
        )
    } else {
        format!("level {level}: {shapes_text} in one cell, the whole plane")
    };
    let pen = 0.4 + 0.6 * f64::from(*level);
    let sign = format!(
        "<rect class=\"cell\" y=\"-6\" width=\"12\" height=\"12\" fill-opacity=\".15\" \
         stroke-width=\"{pen:.1}\"/>"
    );
    legend.entry(14.0, &sign, &text);
    legend.end_line();
}

/// A picture of a kind, about 14 pixels wide.
fn sign_of(kind: Kind) -> String {
    match kind {
        Kind::Point => dot([7.0, 0.0], 2.0),
        Kind::Circle => dot([7.0, 0.0], 6.0),
        Kind::RoundedBox => {
            "M4-6H10A3 3 0 0 1 13-3V3A3 3 0 0 1 10 6H4A3 3 0 0 1 1 3V-3A3 3 0 0 1 4-6Z".to_owned()
        }
        Kind::Obb => "M3-7L13-1L11 6L1 0Z".to_owned(),
        Kind::Capsule => "M4-4H10A4 4 0 0 1 10 4H4A4 4 0 0 1 4-4Z".to_owned(),
        Kind::Segment | Kind::ChainSegment => "M0 4L14-4".to_owned(),
        Kind::Polygon => "M7-7L14-1L11 6H3L0-1Z".to_owned(),
        Kind::Compound => dot([4.0, 2.0], 4.0) + &dot([10.0, -2.0], 4.0),
        _ => "M1-6H13V6H1Z".to_owned(),
    }
}

/// A disc as data of a path.
fn dot([x, y]: [f64; 2], r: f64) -> String {
    let (left, width) = (x - r, 2.0 * r);
    format!("M{left:.2} {y:.2}a{r:.2} {r:.2} 0 1 0 {width:.2} 0a{r:.2} {r:.2} 0 1 0 -{width:.2} 0Z")
}

/// A vertex or a side, as in lists of contacts: `v3`, `s2`.
fn name(feature: Feature) -> String {
    format!("{}{}", if feature.is_side() { 's' } else { 'v' }, feature.index())
}

/// A length for people, with three digits.
fn short(length: f64) -> String {
    let length = format!("{length:.2e}").parse().unwrap_or(length);
    if length == 0.0 || (1e-3..1e5).contains(&length) {
        format!("{length}")
    } else {
        format!("{length:e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_have_three_digits() {
        let lengths = [0.0, 5.0, 1.0996, 0.02, 1234.5, 2e-7, 1.15e18].map(short);
        assert_eq!(lengths, ["0", "5", "1.1", "0.02", "1230", "2e-7", "1.15e18"]);
    }
}
