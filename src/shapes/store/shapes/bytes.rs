//! Rows of a store as bytes, and back, to the last bit.
//!
//! A row is the number of its kind and its numbers. It is either written as it was given, or, where
//! no given shape has the same sides or ends, as its size and its pose. In both cases the row is
//! made again by the code that makes it of a shape and a pose, with all its checks.

use super::{Admitted, Shapes, admit, checked_pose};
use crate::{
    bytes::{ByteSink, Reader},
    error::{Error, Field},
    posed::{CheckedShape, StoredPart, read_polygon},
    shape::{
        Aabb, AnyShape, Capsule, ChainSegment, Circle, HalfPlane, Kind, Obb, Point, Pose,
        RoundedBox, Segment, Sides, check::size,
    },
    simd::map_each,
};

/// The sides of a chain by number.
const SIDES: [Sides; 3] = [Sides::Both, Sides::Left, Sides::Right];

/// The byte of a vacant row.
const VACANT_BYTE: u8 = 0;

/// The bit beside the number of a kind: its size and its pose follow, instead of the given shape.
const AT_POSE_BIT: u8 = 0x80;

impl Shapes {
    /// Writes a row: one byte if it is vacant.
    pub(crate) fn write_row(&self, row: usize, sink: &mut impl ByteSink) {
        let Some(kind) = self.kinds[row] else { return sink.byte(VACANT_BYTE) };
        let byte = kind.number();
        if kind.is_axis_aligned() {
            return self.write_axis_aligned(row, kind, sink);
        }
        let records = &self.posed_shapes;
        let (Pose { x, y, cos, sin }, [half_x, half_y, radius]) =
            (records.pose(row), records.sizes(row));
        match kind {
            Kind::Capsule | Kind::Segment => {
                match records.capsule(row) {
                    Some(Capsule { ax, ay, bx, by, .. }) => {
                        sink.byte(byte);
                        sink.f32s(&[ax, ay, bx, by]);
                    }
                    None => {
                        sink.byte(byte | AT_POSE_BIT);
                        sink.f32s(&[x, y, cos, sin, half_x]);
                    }
                }
                if kind == Kind::Capsule {
                    sink.f32s(&[radius]);
                }
            }
            Kind::ChainSegment => match records.chain_segment(row) {
                Some(segment) => {
                    sink.byte(byte);
                    write_chain_segment(&segment, sink);
                }
                None => {
                    sink.byte(byte | AT_POSE_BIT);
                    sink.f32s(&[x, y, cos, sin]);
                    write_chain_segment(&records.own_chain_segment(row), sink);
                }
            },
            Kind::HalfPlane => {
                let HalfPlane { normal_x, normal_y, offset } = records.half_plane(row);
                sink.byte(byte);
                sink.f32s(&[x, y, cos, sin, normal_x, normal_y, offset]);
            }
            Kind::Polygon | Kind::Compound => {
                sink.byte(byte);
                sink.f32s(&[x, y, cos, sin]);
                if kind == Kind::Polygon {
                    records.write_polygon(row, sink);
                } else {
                    records.write_parts(row, sink);
                }
            }
            _ => {
                sink.byte(byte);
                sink.f32s(&[x, y, half_x, half_y, cos, sin]);
            }
        }
    }

    fn write_axis_aligned(&self, row: usize, kind: Kind, sink: &mut impl ByteSink) {
        let sides = self.row(row);
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = sides;
        let round = matches!(kind, Kind::Point | Kind::Circle);
        let shape = if round {
            AnyShape::Circle(Circle { x: min_x, y: min_y, radius })
        } else {
            AnyShape::RoundedBox(sides)
        };
        let bits = |place: [f32; 2]| map_each(place, f32::to_bits);
        let given = (!round || bits([min_x, min_y]) == bits([max_x, max_y]))
            && (self.posed_shapes.is_empty()
                || self.posed_shapes.is_made_from(row, &CheckedShape::new(shape)));
        let [x, y, third, fourth, radius] = if given {
            [min_x, min_y, max_x, max_y, radius]
        } else {
            let (Pose { x, y, .. }, [half_x, half_y, radius]) =
                (self.posed_shapes.pose(row), self.posed_shapes.sizes(row));
            [x, y, half_x, half_y, radius]
        };
        sink.byte(kind.number() | if given { 0 } else { AT_POSE_BIT });
        match kind {
            Kind::Point => sink.f32s(&[x, y]),
            Kind::Circle => sink.f32s(&[x, y, radius]),
            Kind::Aabb => sink.f32s(&[x, y, third, fourth]),
            _ => sink.f32s(&[x, y, third, fourth, radius]),
        }
    }

    /// Appends a vacant row.
    pub(crate) fn push_vacant(&mut self) -> Result<usize, Error> {
        let row = self.rows();
        super::index_fits(row + 1)?;
        self.append(None);
        Ok(row)
    }

    /// Fills a row from the bytes of [`write_row`](Shapes::write_row), with the checks of a shape
    /// that is added. After an error, the row is as before. Returns false, and leaves the row as it
    /// is, if a vacant row was written.
    pub(crate) fn read_row(&mut self, row: usize, reader: &mut Reader<'_>) -> Result<bool, Error> {
        let at = reader.clone();
        let byte = reader.byte()?;
        if byte == VACANT_BYTE {
            return Ok(false);
        }
        let Some(kind) = Kind::of_number(byte & !AT_POSE_BIT) else {
            return Err(at.wrong(byte));
        };
        let polygon;
        let admitted = match (kind, byte & AT_POSE_BIT != 0) {
            (kind, at_pose) if kind.is_axis_aligned() => {
                let (shape, pose) = read_axis_aligned(kind, at_pose, reader)?;
                admit(row, shape, pose)?
            }
            (Kind::Obb, false) => {
                let [x, y, half_width, half_height, cos, sin] = reader.f32s()?;
                let obb = Obb { x, y, half_width, half_height, cos, sin };
                admit(row, AnyShape::Obb(obb), None)?
            }
            (Kind::Capsule, false) => {
                let [ax, ay, bx, by, radius] = reader.f32s()?;
                admit(row, AnyShape::Capsule(Capsule { ax, ay, bx, by, radius }), None)?
            }
            (Kind::Segment, false) => {
                let [ax, ay, bx, by] = reader.f32s()?;
                admit(row, AnyShape::Segment(Segment { ax, ay, bx, by }), None)?
            }
            (Kind::Capsule | Kind::Segment, true) => {
                let [x, y, cos, sin, half] = reader.f32s()?;
                let [radius] = if kind == Kind::Capsule { reader.f32s()? } else { [0.0] };
                size(row, Field::HalfWidth, half)?;
                size(row, Field::Radius, radius)?;
                let pose = checked_pose(row, Pose { x, y, cos, sin })?;
                let entry = CheckedShape::line(half, radius).at(pose);
                entry.check(row)?;
                Admitted { kind, rounded: None, entry: Some(entry) }
            }
            (Kind::ChainSegment, at_pose) => {
                let pose = match at_pose {
                    true => Some(reader.f32s().map(|[x, y, cos, sin]| Pose { x, y, cos, sin })?),
                    false => None,
                };
                admit(row, AnyShape::ChainSegment(read_chain_segment(reader)?), pose)?
            }
            (Kind::HalfPlane, false) => {
                let [x, y, cos, sin, normal_x, normal_y, offset] = reader.f32s()?;
                let half_plane = HalfPlane { normal_x, normal_y, offset };
                admit(row, AnyShape::HalfPlane(half_plane), Some(Pose { x, y, cos, sin }))?
            }
            (Kind::Polygon | Kind::Compound, false) => {
                let [x, y, cos, sin] = reader.f32s()?;
                let pose = Pose { x, y, cos, sin };
                if kind == Kind::Compound {
                    let parts = StoredPart::read_all(row, reader)?;
                    return self.set_compound(row, &parts, pose).map(|()| true);
                }
                polygon = read_polygon(row, reader)?;
                admit(row, AnyShape::Polygon(&polygon), Some(pose))?
            }
            _ => return Err(at.wrong(byte)),
        };
        self.fill(row, admitted);
        Ok(true)
    }

    fn set_compound(&mut self, row: usize, parts: &[StoredPart], pose: Pose) -> Result<(), Error> {
        self.keep_solids();
        let around = self.posed_shapes.set_parts(row, parts, checked_pose(row, pose)?)?;
        self.mark(row, Some(Kind::Compound));
        self.write(row, around);
        Ok(())
    }
}

fn write_chain_segment(segment: &ChainSegment, sink: &mut impl ByteSink) {
    let ChainSegment { a, b, before, after, sides } = *segment;
    sink.f32s(map_each([a, b], |end| end.to_array()).as_flattened());
    sink.byte(sides as u8);
    for vertex in [before, after] {
        sink.flag(vertex.is_some());
        if let Some(vertex) = vertex {
            sink.f32s(&vertex.to_array());
        }
    }
}

fn read_chain_segment(reader: &mut Reader<'_>) -> Result<ChainSegment, Error> {
    let [ax, ay, bx, by] = reader.f32s()?;
    let segment = ChainSegment::new([ax, ay], [bx, by]);
    let sides = reader.one_of(&SIDES)?;
    let mut vertex = || match reader.flag()? {
        true => reader.f32s().map(|[x, y]| Some([x, y].into())),
        false => Ok(None),
    };
    Ok(ChainSegment { before: vertex()?, after: vertex()?, sides, ..segment })
}

/// Reads an axis-aligned shape: where it was given, or around the origin and with its pose.
fn read_axis_aligned(
    kind: Kind,
    at_pose: bool,
    reader: &mut Reader<'_>,
) -> Result<(AnyShape<'static>, Option<Pose>), Error> {
    let [x, y] = reader.f32s()?;
    let sized = matches!(kind, Kind::Aabb | Kind::RoundedBox);
    let [third, fourth] = if sized { reader.f32s()? } else { [0.0; 2] };
    let round = matches!(kind, Kind::Circle | Kind::RoundedBox);
    let [radius] = if round { reader.f32s()? } else { [0.0] };
    let [min_x, min_y, max_x, max_y] = match (at_pose, sized) {
        (false, _) => [x, y, third, fourth],
        (true, true) => [-third, -fourth, third, fourth],
        (true, false) => [0.0; 4],
    };
    let shape = match kind {
        Kind::Point => AnyShape::Point(Point::new([min_x, min_y])),
        Kind::Circle => AnyShape::Circle(Circle::new([min_x, min_y], radius)),
        Kind::Aabb => AnyShape::Aabb(Aabb::new([min_x, min_y], [max_x, max_y])),
        _ => AnyShape::RoundedBox(RoundedBox { min_x, min_y, max_x, max_y, radius }),
    };
    Ok((shape, at_pose.then(|| Pose::at([x, y]))))
}
