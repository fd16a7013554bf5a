//! Rows into shapes.

use std::{io::Read, str};

use anyhow::{Context, Error, Result, anyhow, bail};
use csv::{ByteRecord, ErrorKind, Reader, ReaderBuilder};
use widephase::{
    Shapes,
    error::{self, Field, PolygonFault},
    shape::{
        Aabb, Capsule, Circle, ConvexPolygon, Kind, Obb, Point, Pose, Rotation, RoundedBox,
        Segment, Shape,
    },
};

use super::{
    header::{Column, Header, ShapeColumns},
    input::Input,
    lines::LineCounter,
};
use crate::args::DetectArgs;

/// Bytes read at once.
const BUFFER: usize = 1 << 16;

/// The shapes of all rows; shape `i` is row `i` below the header.
pub(super) fn shapes(input: Input, args: &DetectArgs) -> Result<Shapes> {
    let Input { name, reader, bar } = input;
    let lines = LineCounter::new(reader);
    let mut rows = Rows {
        // The header is a record like any other, so that its line is counted likewise.
        reader: ReaderBuilder::new().has_headers(false).buffer_capacity(BUFFER).from_reader(lines),
        name,
        line: 0,
    };
    let shapes = rows.read_all(args);
    bar.finish_and_clear();
    shapes
}

/// A file on its way through the reader.
struct Rows {
    reader: Reader<LineCounter<Box<dyn Read>>>,
    /// The file's name, for messages.
    name: String,
    /// The line that the last record ends on, from 1.
    line: u64,
}

/// What is wrong with a row.
enum Fault<'a> {
    /// One of its values.
    Value { column: &'a str, what: String },
    /// The row itself, whatever its values.
    Row(Error),
}

impl Rows {
    fn read_all(&mut self, args: &DetectArgs) -> Result<Shapes> {
        let mut record = ByteRecord::new();
        if !self.next(&mut record)? {
            bail!("{}: empty, there is not even a header", self.name);
        }
        let header = Header::new(&record, args).with_context(|| self.place())?;

        let mut shapes = Shapes::new();
        while self.next(&mut record)? {
            match push(&mut shapes, &header, &record) {
                Ok(()) => {}
                Err(Fault::Value { column, what }) => {
                    bail!("{}, column \"{column}\": {what}", self.place())
                }
                Err(Fault::Row(error)) => return Err(error.context(self.place())),
            }
        }
        if shapes.is_empty() {
            bail!("{}: a header and no rows", self.name);
        }
        Ok(shapes)
    }

    /// Reads the next record; `false` at the end.
    fn next(&mut self, record: &mut ByteRecord) -> Result<bool> {
        let result = self.reader.read_byte_record(record);
        let end = self.reader.position().byte();
        self.line = self.reader.get_mut().line_before(end);
        result.map_err(|error| match error.into_kind() {
            ErrorKind::Io(error) => Error::new(error).context(self.name.clone()),
            ErrorKind::UnequalLengths { expected_len, len, .. } => {
                anyhow!("{}: {len} values, but the header has {expected_len}", self.place())
            }
            other => anyhow!("{}: {other:?}", self.place()),
        })
    }

    /// File and line, for messages.
    fn place(&self) -> String {
        format!("{}: line {}", self.name, self.line)
    }
}

/// Appends the shape of one row.
fn push<'a>(shapes: &mut Shapes, header: &'a Header, record: &ByteRecord) -> Result<(), Fault<'a>> {
    match header {
        Header::Points { x, y, radius } => {
            let row = Row { record, shape: Kind::Point.name() };
            let center = [row.number(x)?, row.number(y)?];
            let names = |field| if field == Field::X { Some(x) } else { Some(y) };
            match *radius {
                Some(radius) => row.add(shapes, Circle::new(center, radius), names),
                None => row.add(shapes, Point::new(center), names),
            }
        }
        Header::Shapes(columns) => {
            let kind = kind(&columns.kind, record)?;
            let row = Row { record, shape: kind.name() };
            Fields { columns, row, kind }.push(shapes)
        }
    }
}

/// The kinds that a file can hold.
const KINDS: [Kind; 8] = [
    Kind::Point,
    Kind::Circle,
    Kind::Aabb,
    Kind::RoundedBox,
    Kind::Obb,
    Kind::Capsule,
    Kind::Segment,
    Kind::Polygon,
];

fn kind<'a>(column: &'a Column, record: &ByteRecord) -> Result<Kind, Fault<'a>> {
    let text = text(column, record);
    KINDS.into_iter().find(|kind| kind.name().as_bytes() == text).ok_or_else(|| {
        let names = KINDS.map(Kind::name).join(", ");
        let what = format!("{} is not a kind; the kinds are: {names}", quoted(text));
        Fault::Value { column: &column.name, what }
    })
}

/// The values of a row that says what it is.
struct Fields<'a, 'r> {
    columns: &'a ShapeColumns,
    row: Row<'r>,
    kind: Kind,
}

impl<'a> Fields<'a, '_> {
    /// Appends the shape.
    fn push(&self, shapes: &mut Shapes) -> Result<(), Fault<'a>> {
        let find = |field| self.columns.find(field);
        let number = |field| self.number(field);
        let core = || {
            let min = [number(Field::MinX)?, number(Field::MinY)?];
            Ok(Aabb::new(min, [number(Field::MaxX)?, number(Field::MaxY)?]))
        };
        let center = || Ok([number(Field::X)?, number(Field::Y)?]);
        let radius = || number(Field::Radius);
        let ends = || {
            let a = [number(Field::Ax)?, number(Field::Ay)?];
            Ok(Segment::new(a, [number(Field::Bx)?, number(Field::By)?]))
        };
        match self.kind {
            Kind::Point => self.row.add(shapes, Point::new(center()?), find),
            Kind::Circle => self.row.add(shapes, Circle::new(center()?, radius()?), find),
            Kind::Aabb => self.row.add(shapes, core()?, find),
            Kind::RoundedBox => self.row.add(shapes, RoundedBox::new(core()?, radius()?), find),
            Kind::Obb => {
                let half = [number(Field::HalfWidth)?, number(Field::HalfHeight)?];
                let Some(rotation) = self.rotation()? else {
                    let column = self.columns.angle.as_ref().or_else(|| find(Field::Cos));
                    return Err(self.missing("angle", column));
                };
                self.row.add(shapes, Obb::new(center()?, half, rotation), find)
            }
            Kind::Capsule => {
                let core = ends()?;
                self.row.add(shapes, Capsule::new(core.a(), core.b(), radius()?), find)
            }
            Kind::Segment => self.row.add(shapes, ends()?, find),
            Kind::Polygon => {
                let (polygon, pose) = (self.polygon()?, self.pose()?);
                self.row.added(shapes.push_at(&polygon, pose), find)
            }
            // The list of kinds has no other.
            other => Err(Fault::Row(anyhow!("kind {other} cannot be read"))),
        }
    }

    /// A number that the row has to have.
    fn number(&self, field: Field) -> Result<f32, Fault<'a>> {
        match self.columns.find(field) {
            Some(column) => self.row.number(column),
            None => Err(self.missing(&field.to_string(), None)),
        }
    }

    /// Whether there is a value in a column.
    fn has(&self, column: Option<&Column>) -> bool {
        column.is_some_and(|column| !text(column, self.row.record).is_empty())
    }

    /// The complaint about a value that the row has to have.
    fn missing(&self, name: &str, column: Option<&'a Column>) -> Fault<'a> {
        let kind = self.kind;
        match column {
            Some(column) => self.row.empty(column),
            None => {
                Fault::Row(anyhow!("the row is of kind {kind}, and there is no column \"{name}\""))
            }
        }
    }

    /// The rotation, if the row has one: an angle, or cosine and sine.
    fn rotation(&self) -> Result<Option<Rotation>, Fault<'a>> {
        let fields = [Field::Cos, Field::Sin];
        let angle = self.columns.angle.as_ref().filter(|column| self.has(Some(column)));
        let parts = fields.map(|field| self.columns.find(field));
        let has_parts = parts.into_iter().any(|column| self.has(column));
        let Some(angle) = angle else {
            return if has_parts {
                let [cos, sin] = fields.map(|field| self.number(field));
                Ok(Some(Rotation { cos: cos?, sin: sin? }))
            } else {
                Ok(None)
            };
        };
        let refuse = |what| Err(Fault::Value { column: &angle.name, what });
        if has_parts {
            return refuse("the row has cos or sin as well; it needs the one or the other".into());
        }
        let radians = self.row.number(angle)?;
        if !radians.is_finite() {
            let fault =
                if radians.is_nan() { error::Fault::NotANumber } else { error::Fault::Infinite };
            return refuse(format!("{} is refused: {fault}", quoted(text(angle, self.row.record))));
        }
        Ok(Some(Rotation::from_angle(radians)))
    }

    /// Where a polygon is; where its own coordinates say if the row does not.
    fn pose(&self) -> Result<Pose, Fault<'a>> {
        let placed =
            [Field::X, Field::Y].into_iter().any(|field| self.has(self.columns.find(field)));
        let position =
            if placed { [self.number(Field::X)?, self.number(Field::Y)?] } else { [0.0; 2] };
        Ok(Pose::new(position, self.rotation()?.unwrap_or_default()))
    }

    fn polygon(&self) -> Result<ConvexPolygon, Fault<'a>> {
        let Some(column) = &self.columns.vertices else {
            return Err(self.missing("vertices", None));
        };
        let polygon = ConvexPolygon::new(&self.vertices(column)?);
        let radius = self.columns.find(Field::Radius).filter(|column| self.has(Some(column)));
        let rounded = match radius {
            Some(radius) => {
                let radius = self.row.number(radius)?;
                polygon.and_then(|polygon| polygon.with_radius(radius))
            }
            None => polygon,
        };
        rounded.map_err(|error| match (error, radius) {
            (
                widephase::Error::InvalidPolygon {
                    fault: PolygonFault::Radius { fault, .. }, ..
                },
                Some(column),
            ) => self.row.refused(column, fault),
            (widephase::Error::InvalidPolygon { fault, .. }, _) => {
                Fault::Value { column: &column.name, what: fault.to_string() }
            }
            (error, _) => Fault::Row(error.into()),
        })
    }

    /// The coordinates in one value: `x y x y`.
    fn vertices(&self, column: &'a Column) -> Result<Vec<[f32; 2]>, Fault<'a>> {
        let list = text(column, self.row.record);
        let refuse = |what| Fault::Value { column: &column.name, what };
        let mut numbers = Vec::new();
        for word in list.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
            let number = str::from_utf8(word).ok().and_then(|word| word.parse::<f32>().ok());
            numbers
                .push(number.ok_or_else(|| refuse(format!("{} is not a number", quoted(word))))?);
        }
        let (vertices, rest) = numbers.as_chunks::<2>();
        match (vertices, rest) {
            ([], []) => Err(self.row.empty(column)),
            (_, []) => Ok(vertices.to_vec()),
            _ => Err(refuse(format!("{} numbers, but each vertex has two", numbers.len()))),
        }
    }
}

/// One row and what it is read as.
struct Row<'a> {
    record: &'a ByteRecord,
    shape: &'a str,
}

impl Row<'_> {
    fn number<'a>(&self, column: &'a Column) -> Result<f32, Fault<'a>> {
        let text = text(column, self.record);
        let number = str::from_utf8(text).ok().and_then(|text| text.parse().ok());
        number.ok_or_else(|| match text {
            b"" => self.empty(column),
            text => {
                let what = format!("{} is not a number", quoted(text));
                Fault::Value { column: &column.name, what }
            }
        })
    }

    /// The complaint about a value that is not there.
    fn empty<'a>(&self, column: &'a Column) -> Fault<'a> {
        let what = format!("empty, but the row is of kind {}", self.shape);
        Fault::Value { column: &column.name, what }
    }

    /// The complaint about a value that the store refuses.
    fn refused<'a>(&self, column: &'a Column, fault: error::Fault) -> Fault<'a> {
        let what = format!("{} is refused: {fault}", quoted(text(column, self.record)));
        Fault::Value { column: &column.name, what }
    }

    /// Appends `shape`; what the store refuses is told of the column that `find` names.
    fn add<'a, T: Shape>(
        &self,
        shapes: &mut Shapes,
        shape: T,
        find: impl Fn(Field) -> Option<&'a Column>,
    ) -> Result<(), Fault<'a>> {
        self.added(shapes.push(shape), find)
    }

    /// What came of a shape that was to be appended.
    fn added<'a>(
        &self,
        pushed: Result<u32, widephase::Error>,
        find: impl Fn(Field) -> Option<&'a Column>,
    ) -> Result<(), Fault<'a>> {
        let error = match pushed {
            Ok(_) => return Ok(()),
            Err(error) => error,
        };
        if let widephase::Error::InvalidShape { field, fault, .. } = &error
            && let Some(column) = find(*field)
        {
            return Err(self.refused(column, *fault));
        }
        Err(Fault::Row(error.into()))
    }
}

/// The bytes of a value, without the blanks around it.
fn text<'a>(column: &Column, record: &'a ByteRecord) -> &'a [u8] {
    record.get(column.index).unwrap_or_default().trim_ascii()
}

/// A value as messages show it: not more than a line of it.
fn quoted(text: &[u8]) -> String {
    const LONGEST: usize = 40;
    let text = String::from_utf8_lossy(text);
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{:?}...", &text[..end]),
        None => format!("{text:?}"),
    }
}
