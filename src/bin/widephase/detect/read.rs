//! Rows into shapes.

use std::{io::Read, str};

use anyhow::{Context, Error, Result, anyhow, bail};
use csv::{ByteRecord, ErrorKind, Reader, ReaderBuilder};
use widephase::{
    Shapes,
    error::Field,
    shape::{Aabb, Circle, Kind, Point, RoundedBox, Shape},
};

use super::{
    header::{Column, FIELDS, Header},
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
        Header::Shapes { kind: column, numbers } => {
            let find = |field: Field| {
                FIELDS.iter().zip(numbers).find(|(other, _)| **other == field)?.1.as_ref()
            };
            let kind = kind(column, record)?;
            let row = Row { record, shape: kind.name() };
            let number = |field: Field| match find(field) {
                Some(column) => row.number(column),
                None => Err(Fault::Row(anyhow!(
                    "the row is of kind {kind}, and there is no column \"{field}\""
                ))),
            };
            let core = || {
                let min = [number(Field::MinX)?, number(Field::MinY)?];
                Ok(Aabb::new(min, [number(Field::MaxX)?, number(Field::MaxY)?]))
            };
            let center = || Ok([number(Field::X)?, number(Field::Y)?]);
            match kind {
                Kind::Point => row.add(shapes, Point::new(center()?), find),
                Kind::Circle => {
                    row.add(shapes, Circle::new(center()?, number(Field::Radius)?), find)
                }
                Kind::Aabb => row.add(shapes, core()?, find),
                Kind::RoundedBox => {
                    row.add(shapes, RoundedBox::new(core()?, number(Field::Radius)?), find)
                }
                // The list in `kind` has no other.
                other => Err(Fault::Row(anyhow!("kind {other} cannot be read"))),
            }
        }
    }
}

/// The kinds that a file can hold.
const KINDS: [Kind; 4] = [Kind::Point, Kind::Circle, Kind::Aabb, Kind::RoundedBox];

fn kind<'a>(column: &'a Column, record: &ByteRecord) -> Result<Kind, Fault<'a>> {
    let text = text(column, record);
    KINDS.into_iter().find(|kind| kind.name().as_bytes() == text).ok_or_else(|| {
        let names = KINDS.map(Kind::name).join(", ");
        let what = format!("{} is not a kind; the kinds are: {names}", quoted(text));
        Fault::Value { column: &column.name, what }
    })
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
        number.ok_or_else(|| {
            let what = match text {
                b"" => format!("empty, but the row is of kind {}", self.shape),
                text => format!("{} is not a number", quoted(text)),
            };
            Fault::Value { column: &column.name, what }
        })
    }

    /// Appends `shape`; what the store refuses is told of the column that `find` names.
    fn add<'a, T: Shape>(
        &self,
        shapes: &mut Shapes,
        shape: T,
        find: impl Fn(Field) -> Option<&'a Column>,
    ) -> Result<(), Fault<'a>> {
        let error = match shapes.push(shape) {
            Ok(_) => return Ok(()),
            Err(error) => error,
        };
        if let widephase::Error::InvalidShape { field, fault, .. } = &error
            && let Some(column) = find(*field)
        {
            let what = format!("{} is refused: {fault}", quoted(text(column, self.record)));
            return Err(Fault::Value { column: &column.name, what });
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
