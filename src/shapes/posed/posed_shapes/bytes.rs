//! Records as bytes, and back, to the last bit.

use super::{
    CheckedShape, Link, LocalShape, PolygonSize, PosedShapes, ShapeClass, check_pose,
    compound_record,
};
use crate::{
    bytes::{ByteSink, Reader},
    error::{Error, Field},
    shape::{
        Aabb, AnyShape, Capsule, ChainSegment, Circle, ConvexPolygon, HalfPlane, Obb, Part, Point,
        Pose, RoundedBox, Shape,
        check::size,
        compound::{RimCorner, part_order},
    },
    simd::map_each,
};

/// A part of a compound as its record has it.
pub(crate) struct StoredPart {
    part: Part,
    /// The rim of a part of an outline, else empty.
    rim: Vec<RimCorner>,
}

/// How a part is written: its byte is its number here.
#[derive(Debug, Clone, Copy)]
enum PartForm {
    Round,
    Line,
    Polygon,
    Box,
    /// A polygon with its rim: a part of an outline.
    Rimmed,
    /// An axis-aligned box by its sides, with a radius or without.
    Sides,
}

impl PartForm {
    /// All forms, by number.
    const ALL: [Self; 6] =
        [Self::Round, Self::Line, Self::Polygon, Self::Box, Self::Rimmed, Self::Sides];
}

impl<'a> CheckedShape<'a> {
    /// A segment or capsule along the x axis with its middle at the origin. It is a line even if
    /// its length is 0, as the length of the shortest lines is.
    pub(crate) fn line(half: f32, radius: f32) -> Self {
        let shape = AnyShape::Capsule(Capsule::new([-half, 0.0], [half, 0.0], radius));
        let local = LocalShape { x: -half, ..LocalShape::aligned(half, 0.0, radius) };
        Self { shape, class: ShapeClass::Line, local, pose: Pose::default(), ends: None }
    }
}

impl StoredPart {
    fn entry(&self) -> CheckedShape<'_> {
        CheckedShape::new(self.part.any())
    }

    /// Reads the parts of the compound in row `row`.
    pub(crate) fn read_all(row: usize, reader: &mut Reader<'_>) -> Result<Vec<Self>, Error> {
        /// The bytes that a part takes at least.
        const MIN_PART_BYTES: usize = 13;
        let count = reader.count(MIN_PART_BYTES)?;
        if count == 0 {
            return Err(Error::EmptyCompound);
        }
        let at = reader.clone();
        let parts = (0..count).map(|_| Self::read(row, reader));
        let parts = parts.collect::<Result<Vec<Self>, Error>>()?;
        // All parts of an outline have a rim.
        let rimmed = parts.iter().filter(|part| !part.rim.is_empty()).count();
        if rimmed == 0 || rimmed == count {
            Ok(parts)
        } else {
            Err(at.wrong(PartForm::Rimmed as u8))
        }
    }

    fn read(row: usize, reader: &mut Reader<'_>) -> Result<Self, Error> {
        let mut rim = Vec::new();
        let part = match reader.one_of(&PartForm::ALL)? {
            PartForm::Round => {
                let [x, y, radius] = reader.f32s()?;
                Circle { x, y, radius }.checked(row)?.into()
            }
            PartForm::Line => {
                let [ax, ay, bx, by, radius] = reader.f32s()?;
                Capsule { ax, ay, bx, by, radius }.checked(row)?.into()
            }
            PartForm::Polygon => read_polygon(row, reader)?.into(),
            PartForm::Rimmed => {
                let polygon = read_polygon(row, reader)?;
                rim = read_rim(row, reader)?;
                polygon.into()
            }
            PartForm::Sides => {
                let [min_x, min_y, max_x, max_y, radius] = reader.f32s()?;
                RoundedBox { min_x, min_y, max_x, max_y, radius }.checked(row)?.into()
            }
            PartForm::Box => {
                let [x, y, half_width, half_height, cos, sin, radius] = reader.f32s()?;
                size(row, Field::Radius, radius)?;
                let obb = Obb { x, y, half_width, half_height, cos, sin }.checked(row)?;
                // Older files have rounded boxes by centre and size.
                let aabb = Aabb::centered([x, y], [half_width, half_height]);
                match radius > 0.0 {
                    true => RoundedBox::new(aabb, radius).checked(row)?.into(),
                    false => obb.into(),
                }
            }
        };
        Ok(Self { part, rim })
    }
}

/// Reads the rim of a part of the outline in row `row`.
fn read_rim(row: usize, reader: &mut Reader<'_>) -> Result<Vec<RimCorner>, Error> {
    /// The bytes of a corner of a rim.
    const CORNER_BYTES: usize = 25;
    let count = reader.count(CORNER_BYTES)?;
    let mut rim = Vec::with_capacity(count);
    for _ in 0..count {
        let [x, y, before_x, before_y, after_x, after_y] = reader.f32s()?;
        let [at, before, after] = [[x, y], [before_x, before_y], [after_x, after_y]];
        for [x, y] in [at, before, after] {
            Point::new([x, y]).checked(row)?;
        }
        rim.push(RimCorner { at, before, after, outer: reader.flag()? });
    }
    Ok(rim)
}

/// Reads the polygon of row `row`, which [`PosedShapes::write_polygon`] wrote.
pub(crate) fn read_polygon(row: usize, reader: &mut Reader<'_>) -> Result<ConvexPolygon, Error> {
    let [radius] = reader.f32s()?;
    let count = reader.count(8)?;
    let numbers = reader.f32_list(2 * count)?;
    let polygon = ConvexPolygon::of_written(numbers.as_chunks::<2>().0);
    polygon.and_then(|polygon| polygon.with_radius(radius)).map_err(|error| error.of_polygon(row))
}

impl PosedShapes {
    /// Whether a row of points, circles or axis-aligned boxes is the row that
    /// [`set`](PosedShapes::set) makes of `entry`.
    pub(crate) fn is_made_from(&self, row: usize, entry: &CheckedShape<'_>) -> bool {
        let bits = |local: &LocalShape, pose: Pose| {
            let LocalShape { half_x, half_y, radius, .. } = *local;
            map_each([half_x, half_y, radius, pose.x, pose.y, pose.cos, pose.sin], f32::to_bits)
        };
        bits(&self.rows[row], self.poses[row]) == bits(&entry.local, entry.pose)
    }

    /// The capsule from which [`set`](PosedShapes::set) makes this segment or capsule. `None` if
    /// there is no such shape, because the row was moved.
    pub(crate) fn capsule(&self, row: usize) -> Option<Capsule> {
        let (placed, radius) = (&self.placed.rows[row], self.rows[row].radius);
        if placed.class() != ShapeClass::Line {
            let place = self.poses[row].position();
            return Some(Capsule::new(place, place, radius));
        }
        let [a, b] = placed.ends();
        self.rows[row].keeps_ends().then(|| Capsule::new(a, b, radius))
    }

    /// The segment of a chain from which [`set`](PosedShapes::set) makes this row. `None` if there
    /// is no such segment, because the row was moved.
    pub(crate) fn chain_segment(&self, row: usize) -> Option<ChainSegment> {
        let segment = || self.segment_of(self.placed.rows[row].ends(), &self.placed.links[row]);
        self.rows[row].keeps_ends().then(segment)
    }

    /// The segment of a chain in its own frame.
    pub(crate) fn own_chain_segment(&self, row: usize) -> ChainSegment {
        let half = self.rows[row].half_x;
        self.segment_of([[-half, 0.0], [half, 0.0]], &self.links[row])
    }

    fn segment_of(&self, [a, b]: [[f32; 2]; 2], link: &Link) -> ChainSegment {
        let [before, after] = map_each(link.vertices, |vertex| vertex.map(Into::into));
        ChainSegment { a: a.into(), b: b.into(), before, after, sides: link.sides }
    }

    /// The half-plane of a row in its own frame.
    pub(crate) fn half_plane(&self, row: usize) -> HalfPlane {
        let LocalShape { cos, sin, half_x, .. } = self.rows[row];
        HalfPlane::new([cos, sin], half_x)
    }

    /// Half the width and height of the box of a row, or half the length of a line and 0; and its
    /// radius.
    pub(crate) fn sizes(&self, row: usize) -> [f32; 3] {
        let LocalShape { half_x, half_y, radius, .. } = self.rows[row];
        [half_x, half_y, radius]
    }

    /// Writes the polygon of a row in its own coordinates.
    pub(crate) fn write_polygon(&self, row: usize, sink: &mut impl ByteSink) {
        self.write_vertices(&self.rows[row], sink);
    }

    fn write_vertices(&self, local: &LocalShape, sink: &mut impl ByteSink) {
        let count = PolygonSize::of_word(local.half_y).vertices();
        let vertices = self.placed.own_vertices[local.blocks()].as_flattened();
        sink.f32s(&[local.radius]);
        sink.count(count);
        sink.f32s(vertices[..count].as_flattened());
    }

    /// Writes the parts of the compound of a row.
    pub(crate) fn write_parts(&self, row: usize, sink: &mut impl ByteSink) {
        let parts = self.rows[row].parts();
        sink.count(parts.len());
        for part in parts {
            let (class, local) = (self.placed.parts[part].class(), &self.parts[part]);
            let LocalShape { x, y, cos, sin, half_x, half_y, radius, .. } = *local;
            match class {
                ShapeClass::Round => {
                    sink.byte(PartForm::Round as u8);
                    sink.f32s(&[x, y, radius]);
                }
                ShapeClass::Line => {
                    sink.byte(PartForm::Line as u8);
                    sink.f32s(&[x, y, half_x, half_y, radius]);
                }
                _ if class.is_polygon() => {
                    let rim = self.placed.rim(part);
                    let form = if rim.is_empty() { PartForm::Polygon } else { PartForm::Rimmed };
                    sink.byte(form as u8);
                    self.write_vertices(local, sink);
                    write_rim(rim, sink);
                }
                _ if local.sides().is_some() => {
                    sink.byte(PartForm::Sides as u8);
                    sink.f32s(&[x, y, half_x, half_y, radius]);
                }
                _ => {
                    sink.byte(PartForm::Box as u8);
                    sink.f32s(&[x, y, half_x, half_y, cos, sin, radius]);
                }
            }
        }
    }

    /// Makes a row a compound of these parts at a checked pose, and returns its bounding box.
    pub(crate) fn set_parts(
        &mut self,
        row: usize,
        parts: &[StoredPart],
        pose: Pose,
    ) -> Result<RoundedBox, Error> {
        let mut local = compound_record(parts.iter().map(StoredPart::entry));
        check_pose(row, pose, &local)?;
        self.unused += self.held(row);
        local.set_range(self.parts.len(), parts.len() as u32);
        for part in parts {
            self.append_part(row, part.entry());
        }
        if parts.iter().any(|part| !part.rim.is_empty()) {
            self.set_rims(parts.iter().map(|part| part.rim.as_slice()));
        }
        let order = part_order(parts.iter().map(|part| part.part.span()));
        if !order.is_empty() {
            self.set_order(&order);
        }
        self.replace(row, ShapeClass::Compound, local);
        let around = self.place_as(ShapeClass::Compound, row, pose);
        self.tell_class();
        self.tidy();
        Ok(around)
    }
}

/// Writes the rim of a part of an outline; nothing for any other part.
fn write_rim(rim: &[RimCorner], sink: &mut impl ByteSink) {
    if rim.is_empty() {
        return;
    }
    sink.count(rim.len());
    for corner in rim {
        let RimCorner { at, before, after, outer } = *corner;
        sink.f32s([at, before, after].as_flattened());
        sink.flag(outer);
    }
}
