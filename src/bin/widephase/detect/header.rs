//! Which column holds what.

use anyhow::{Result, bail};
use csv::ByteRecord;
use widephase::error::Field;

use crate::args::DetectArgs;

/// The columns of numbers that a file of shapes may have, by the names of the fields.
const FIELDS: [Field; 15] = [
    Field::X,
    Field::Y,
    Field::Radius,
    Field::MinX,
    Field::MinY,
    Field::MaxX,
    Field::MaxY,
    Field::HalfWidth,
    Field::HalfHeight,
    Field::Cos,
    Field::Sin,
    Field::Ax,
    Field::Ay,
    Field::Bx,
    Field::By,
];

/// A column of the file.
#[derive(Debug, Clone)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) index: usize,
}

/// How the rows of a file are to be read.
#[derive(Debug)]
pub(super) enum Header {
    /// Each row says what it is.
    Shapes(Box<ShapeColumns>),
    /// Each row is a point, or a circle of the given radius.
    Points { x: Column, y: Column, radius: Option<f32> },
}

/// The columns of a file of shapes, as far as there are.
#[derive(Debug)]
pub(super) struct ShapeColumns {
    pub(super) kind: Column,
    /// Those of [`FIELDS`].
    numbers: [Option<Column>; 15],
    /// What may stand for cosine and sine.
    pub(super) angle: Option<Column>,
    /// Lists of coordinates.
    pub(super) vertices: Option<Column>,
    /// Names, which the parts of a compound have in common.
    pub(super) body: Option<Column>,
}

impl ShapeColumns {
    /// The column of a field.
    pub(super) fn find(&self, field: Field) -> Option<&Column> {
        FIELDS.iter().zip(&self.numbers).find(|(other, _)| **other == field)?.1.as_ref()
    }
}

impl Header {
    /// Finds the columns that `args` asks for in the first record of the file.
    pub(super) fn new(record: &ByteRecord, args: &DetectArgs) -> Result<Self> {
        let names = Names::new(record);
        if args.x.is_some() || args.y.is_some() || args.radius.is_some() {
            return Ok(Header::Points {
                x: names
                    .required(args.x.as_deref().unwrap_or("x"), "name the column of x by --x")?,
                y: names
                    .required(args.y.as_deref().unwrap_or("y"), "name the column of y by --y")?,
                radius: args.radius,
            });
        }
        let hint = "for a table of points, name its columns by --x and --y";
        let kind = names.required("kind", hint)?;
        let mut numbers = [const { None }; 15];
        for (number, field) in numbers.iter_mut().zip(FIELDS) {
            *number = names.find(&field.to_string())?;
        }
        let (angle, vertices) = (names.find("angle")?, names.find("vertices")?);
        let body = names.find("body")?;
        Ok(Header::Shapes(Box::new(ShapeColumns { kind, numbers, angle, vertices, body })))
    }
}

/// The names in a header.
struct Names(Vec<String>);

impl Names {
    fn new(record: &ByteRecord) -> Self {
        let plain = |name: &[u8]| String::from_utf8_lossy(name).trim().to_owned();
        Self(record.iter().map(plain).collect())
    }

    fn find(&self, name: &str) -> Result<Option<Column>> {
        let mut found = self.0.iter().enumerate().filter(|(_, other)| *other == name);
        let first = found.next();
        if found.next().is_some() {
            bail!("two columns are called \"{name}\"");
        }
        Ok(first.map(|(index, name)| Column { name: name.clone(), index }))
    }

    fn required(&self, name: &str, hint: &str) -> Result<Column> {
        match self.find(name)? {
            Some(column) => Ok(column),
            None => bail!("no column \"{name}\" among: {} ({hint})", self.0.join(", ")),
        }
    }
}
