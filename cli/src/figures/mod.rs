//! Shapes of all kinds, decided in the numbers of the file.
//!
//! ```text
//! edge.rs   sides of areas, pieces of lines and points: how two of them lie to each other
//! tree.rs   ... under boxes, so that far ones cost nothing
//! place.rs  what an area has around a place: where edges touch, it decides
//! meet.rs   whether two figures meet, and how far apart they are
//! rings.rs  whether rings are simple
//! ```
//!
//! The library proposes pairs by boxes ([`DoubleDetector`](widephase::doubles::DoubleDetector)),
//! which are the boxes of the edges, to the last bit. Here each pair is decided. On which side of a
//! line a place is, is computed exactly (the crate `robust`); no coordinate is rounded, and no
//! crossing is computed. Only distances and radii are rounded, in `f64`.
//!
//! Predicates of the crate `geo` are the same function of `robust`. Its `relate` takes time by all
//! vertices for each pair, and has no multipolygons whose polygons share sides.

mod edge;
mod meet;
mod place;
mod rings;
mod tree;

use std::{borrow::Cow, ops::Range};

use widephase::{
    Touching,
    doubles::{DoubleBox, touches},
};

use edge::{At, Edge};
pub(crate) use rings::are_simple;
use tree::{Tree, grow, union};

/// The meaning of the edges of a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Points,
    Lines,
    /// The sides of areas: a way out crosses an odd number of them.
    Area,
}

/// A part of a figure: points, lines or areas, and all within a radius of them.
#[derive(Debug, Clone, Copy)]
struct Layer<'a> {
    form: Form,
    radius: f64,
    tree: Tree<'a>,
    /// Where lines end: places that are an end of an odd number of lines, sorted.
    ends: &'a [At],
}

/// A layer in its store.
#[derive(Debug)]
struct Stored {
    form: Form,
    radius: f64,
    edges: Range<usize>,
    boxes: Range<usize>,
    ends: Range<usize>,
}

/// The figures of some shapes.
#[derive(Debug, Default)]
pub(crate) struct Figures {
    /// The shape itself if it is a point, a circle, a box or a rounded box; else a box around it.
    boxes: Vec<DoubleBox>,
    /// Where the layers of each figure end; empty if all shapes are boxes.
    layers_end: Vec<usize>,
    layers: Vec<Stored>,
    edges: Vec<Edge>,
    edge_boxes: Vec<DoubleBox>,
    ends: Vec<At>,
}

/// A figure of a store.
#[derive(Clone, Copy)]
pub(crate) struct Figure<'a> {
    store: &'a Figures,
    sides: DoubleBox,
    /// Empty for a shape that is its box.
    layers: &'a [Stored],
}

/// A piece of a shape.
pub(crate) enum Piece<'a> {
    /// A point, a circle, a box or a rounded box.
    Box(DoubleBox),
    /// A line through vertices, or all within a radius of it.
    Line(Cow<'a, [[f64; 2]]>, f64),
    /// An area with its rings, or all within a radius of it.
    Area(Cow<'a, [Vec<[f64; 2]>]>, f64),
}

impl Figures {
    /// The number of figures.
    pub(crate) fn len(&self) -> usize {
        self.boxes.len()
    }

    /// The shapes, or boxes around them.
    pub(crate) fn boxes(&self) -> &[DoubleBox] {
        &self.boxes
    }

    /// Whether all figures are points, circles, boxes and rounded boxes.
    pub(crate) fn are_boxes(&self) -> bool {
        self.layers.is_empty()
    }

    /// Replaces each shape by the point in the middle of its box.
    pub(crate) fn shrink_to_centers(&mut self) {
        let boxes = std::mem::take(&mut self.boxes);
        *self = Self { boxes: boxes.into_iter().map(center).collect(), ..Self::default() };
    }

    /// Appends a shape that is its box.
    pub(crate) fn push_box(&mut self, sides: DoubleBox) {
        self.boxes.push(sides);
        if !self.layers_end.is_empty() {
            self.layers_end.push(self.layers.len());
        }
    }

    /// Appends the shape of some pieces. `as_one`: areas side by side are one area, and their seams
    /// are inside. Else the shape touches the shapes that one of its pieces touches.
    pub(crate) fn push(&mut self, pieces: &[Piece<'_>], as_one: bool) {
        let first = self.layers.len();
        if self.layers_end.is_empty() {
            self.layers_end = vec![first; self.boxes.len()];
        }
        match as_one {
            true => {
                for form in [Form::Area, Form::Lines, Form::Points] {
                    self.push_layer(pieces, Some(form));
                }
            }
            false => {
                for piece in pieces.chunks(1) {
                    self.push_layer(piece, None);
                }
            }
        }
        let around = self.layers[first..].iter().map(|layer| {
            let around = self.edge_boxes[layer.boxes.end - 1];
            DoubleBox { radius: layer.radius, ..around }
        });
        self.boxes.push(union(around));
        self.layers_end.push(self.layers.len());
    }

    /// Appends the pieces of a form as one layer, if there are any.
    fn push_layer(&mut self, pieces: &[Piece<'_>], form: Option<Form>) {
        let (edges, boxes, ends) = (self.edges.len(), self.edge_boxes.len(), self.ends.len());
        let mut layer = None;
        for (polygon, piece) in (0..).zip(pieces) {
            let (own, radius) = (piece.form(), piece.radius());
            if form.is_none_or(|form| form == own) {
                layer = Some((own, radius));
                piece.push(polygon, &mut self.edges, &mut self.ends);
            }
        }
        let Some((form, radius)) = layer else { return };
        arrange(&mut self.edges[edges..]);
        grow(&self.edges[edges..], &mut self.edge_boxes);
        odd(&mut self.ends, ends);
        self.layers.push(Stored {
            form,
            radius,
            edges: edges..self.edges.len(),
            boxes: boxes..self.edge_boxes.len(),
            ends: ends..self.ends.len(),
        });
    }

    /// A figure.
    pub(crate) fn get(&self, row: u32) -> Figure<'_> {
        let row = row as usize;
        let end = |row: usize| self.layers_end.get(row).copied().unwrap_or(0);
        let first = row.checked_sub(1).map_or(0, end);
        let layers = &self.layers[first..end(row).max(first)];
        Figure { store: self, sides: self.boxes[row], layers }
    }
}

impl Figure<'_> {
    /// Whether two figures touch if a margin is added to their radii.
    pub(crate) fn touches(&self, other: &Figure<'_>, margin: f64, touching: Touching) -> bool {
        if self.layers.is_empty() && other.layers.is_empty() {
            // Radii and the margin are added up in the order of the library.
            let radius = self.sides.radius + other.sides.radius + margin;
            let (a, b) = (self.sides, other.sides);
            return touches(&DoubleBox { radius: 0.0, ..a }, &DoubleBox { radius, ..b }, touching);
        }
        self.any_layers(other, |a, b| {
            meet::is_near(a, b, margin) && meet::meet(a, b, margin, touching)
        })
    }

    /// The distance of two figures, 0 if they touch.
    pub(crate) fn distance(&self, other: &Figure<'_>) -> f64 {
        if self.layers.is_empty() && other.layers.is_empty() {
            return self.sides.distance(&other.sides);
        }
        let mut least = f64::INFINITY;
        self.any_layers(other, |a, b| {
            least = least.min(meet::distance(a, b));
            least == 0.0
        });
        least
    }

    /// Calls `visit` with each layer here and each of the other figure, until it returns true.
    fn any_layers(
        &self,
        other: &Figure<'_>,
        mut visit: impl FnMut(&Layer<'_>, &Layer<'_>) -> bool,
    ) -> bool {
        self.any_layer(&mut |a| other.any_layer(&mut |b| visit(a, b)))
    }

    fn any_layer(&self, visit: &mut dyn FnMut(&Layer<'_>) -> bool) -> bool {
        if self.layers.is_empty() {
            let (mut edges, mut ends) = (Vec::with_capacity(4), Vec::new());
            let piece = Piece::Box(self.sides);
            piece.push(0, &mut edges, &mut ends);
            odd(&mut ends, 0);
            let boxes = [DoubleBox { radius: 0.0, ..self.sides }];
            let tree = Tree { edges: &edges, boxes: &boxes };
            let (form, radius) = (piece.form(), self.sides.radius);
            return visit(&Layer { form, radius, tree, ends: &ends });
        }
        self.layers.iter().any(|layer| {
            let Stored { form, radius, edges, boxes, ends } = layer;
            let tree = Tree {
                edges: &self.store.edges[edges.clone()],
                boxes: &self.store.edge_boxes[boxes.clone()],
            };
            let ends = &self.store.ends[ends.clone()];
            visit(&Layer { form: *form, radius: *radius, tree, ends })
        })
    }
}

/// The point in the middle of a shape. (Halves are added, as a sum of large sides is infinite. The
/// half of a number below 1e-307 may be rounded, so a point stays as it is.)
pub(crate) fn center(shape: DoubleBox) -> DoubleBox {
    let at = [0, 1].map(|axis| shape.min[axis] * 0.5 + shape.max[axis] * 0.5);
    let at = if shape.min == shape.max { shape.min } else { at };
    DoubleBox { min: at, max: at, radius: 0.0 }
}

impl Piece<'_> {
    fn radius(&self) -> f64 {
        match self {
            Self::Box(sides) => sides.radius,
            Self::Line(_, radius) | Self::Area(_, radius) => *radius,
        }
    }

    fn form(&self) -> Form {
        match self {
            Self::Box(DoubleBox { min, max, .. }) => {
                match [0, 1].map(|axis| min[axis] == max[axis]) {
                    [true, true] => Form::Points,
                    [false, false] => Form::Area,
                    _ => Form::Lines,
                }
            }
            Self::Line(vertices, _) if vertices.iter().all(|at| *at == vertices[0]) => Form::Points,
            Self::Line(..) => Form::Lines,
            Self::Area(..) => Form::Area,
        }
    }

    /// Appends the edges, and where lines end.
    fn push(&self, polygon: u32, edges: &mut Vec<Edge>, ends: &mut Vec<At>) {
        match self {
            Self::Box(DoubleBox { min, max, .. }) => match self.form() {
                Form::Area => {
                    let ring = [*min, [max[0], min[1]], *max, [min[0], max[1]]];
                    push_ring(&ring, polygon, edges);
                }
                _ => push_line(&[*min, *max], polygon, edges, ends),
            },
            Self::Line(vertices, _) => push_line(vertices, polygon, edges, ends),
            Self::Area(rings, _) => {
                let first = edges.len();
                for ring in rings.iter() {
                    push_ring(ring, polygon, edges);
                }
                drop_doubled(edges, first);
            }
        }
    }
}

/// Appends the edges of a line. A line without extent is a point.
fn push_line(vertices: &[At], polygon: u32, edges: &mut Vec<Edge>, ends: &mut Vec<At>) {
    let first = edges.len();
    for ends in vertices.windows(2).filter(|ends| ends[0] != ends[1]) {
        edges.push(Edge { a: ends[0], b: ends[1], polygon, first: edges.len() == first });
    }
    if edges.len() > first {
        ends.extend([edges[first].a, edges[edges.len() - 1].b]);
    } else if let Some(at) = vertices.first() {
        edges.push(Edge { a: *at, b: *at, polygon, first: true });
    }
}

/// Appends the sides of a ring. A ring whose corners were rounded to one place is a point.
fn push_ring(ring: &[At], polygon: u32, edges: &mut Vec<Edge>) {
    let first = edges.len();
    let nexts = ring.iter().skip(1).chain(ring.first());
    for (a, b) in ring.iter().zip(nexts).filter(|(a, b)| a != b) {
        edges.push(Edge { a: *a, b: *b, polygon, first: edges.len() == first });
    }
    if let Some(at) = ring.first().filter(|_| edges.len() == first) {
        edges.push(Edge { a: *at, b: *at, polygon, first: true });
    }
}

/// Drops sides of a polygon that are there twice: a ring runs along them there and back, and they
/// border nothing. If pieces of a ring are left, each piece has a first edge.
fn drop_doubled(edges: &mut Vec<Edge>, first: usize) {
    let key = |edge: &Edge| match meet::order(&edge.a, &edge.b) {
        std::cmp::Ordering::Greater => [edge.b, edge.a],
        _ => [edge.a, edge.b],
    };
    let mut keys: Vec<[At; 2]> = edges[first..].iter().map(key).collect();
    let order = |a: &[At; 2], b: &[At; 2]| {
        meet::order(&a[0], &b[0]).then_with(|| meet::order(&a[1], &b[1]))
    };
    keys.sort_unstable_by(order);
    let groups = keys.chunk_by(|a, b| a == b).filter(|group| group.len() % 2 == 0);
    let doubled: Vec<[At; 2]> = groups.map(|group| group[0]).collect();
    if doubled.is_empty() || keys.chunk_by(|a, b| a == b).all(|group| group.len() % 2 == 0) {
        return;
    }
    let mut after_gap = false;
    for mut edge in edges.split_off(first) {
        let is_doubled = doubled.binary_search_by(|other| order(other, &key(&edge))).is_ok();
        if !is_doubled {
            edge.first |= after_gap;
            edges.push(edge);
        }
        after_gap = is_doubled;
    }
}

/// Keeps, of the places from `first` on, the places that are there an odd number of times, sorted.
fn odd(ends: &mut Vec<At>, first: usize) {
    let mut all = ends.split_off(first);
    all.sort_unstable_by(meet::order);
    let groups = all.chunk_by(|a, b| a == b).filter(|group| group.len() % 2 == 1);
    ends.extend(groups.map(|group| group[0]));
}

/// Brings rings, lines and points into an order in which neighbours are near each other: along a
/// curve through a grid of 2^16 by 2^16 cells (G. M. Morton, 1966). The edges of each stay
/// together.
fn arrange(edges: &mut [Edge]) {
    let starts: Vec<usize> = (0..edges.len()).filter(|at| edges[*at].first).collect();
    if starts.len() < 3 {
        return;
    }
    let DoubleBox { min, max, .. } = union(edges.iter().map(Edge::around));
    let cell = |at: At| {
        let place = |axis: usize| {
            let share = (at[axis] - min[axis]) / (max[axis] - min[axis]);
            spread((share * 65_535.0) as u32)
        };
        place(0) | place(1) << 1
    };
    let end = |number: usize| starts.get(number + 1).copied().unwrap_or(edges.len());
    let mut parts: Vec<(u32, Range<usize>)> = (0..starts.len())
        .map(|number| (cell(edges[starts[number]].a), starts[number]..end(number)))
        .collect();
    parts.sort_by_key(|(cell, _)| *cell);
    let arranged: Vec<Edge> =
        parts.into_iter().flat_map(|(_, part)| edges[part].iter().copied()).collect();
    edges.copy_from_slice(&arranged);
}

/// The 16 bits of a number, each followed by a 0.
fn spread(number: u32) -> u32 {
    let mut bits = number & 0xFFFF;
    for (shift, mask) in [(8, 0x00FF_00FF), (4, 0x0F0F_0F0F), (2, 0x3333_3333), (1, 0x5555_5555)] {
        bits = (bits | bits << shift) & mask;
    }
    bits
}
