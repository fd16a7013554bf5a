//! The meaning of the columns.

use std::fmt;

use anyhow::{Result, bail};
use widephase::error::Field;

use super::{
    quote::{listed, quoted},
    records::Record,
};
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

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}", quoted(self.name.as_bytes()))
    }
}

/// How to read the rows of a file.
#[derive(Debug)]
pub(super) enum Header {
    /// Each row gives its kind.
    Shapes(Box<ShapeColumns>),
    /// Each row is a circle, or a point if there is no radius.
    Points { x: Column, y: Column, radius: Option<Radius> },
}

/// The radius of circles in a file without kinds.
#[derive(Debug)]
pub(super) enum Radius {
    /// One radius for all.
    Of(f32),
    /// A radius per row.
    In(Column),
}

/// The columns of a file of shapes; `None` for those that are missing.
#[derive(Debug)]
pub(super) struct ShapeColumns {
    pub(super) kind: Column,
    /// The columns of [`FIELDS`].
    numbers: [Option<Column>; 15],
    /// An alternative to cosine and sine.
    pub(super) angle: Option<Column>,
    /// Lists of coordinates.
    pub(super) vertices: Option<Column>,
    /// Names. The parts of a compound have the same name.
    pub(super) body: Option<Column>,
}

impl ShapeColumns {
    /// The column of a field.
    pub(super) fn find(&self, field: Field) -> Option<&Column> {
        FIELDS.iter().zip(&self.numbers).find(|(other, _)| **other == field)?.1.as_ref()
    }
}

impl Header {
    /// Finds the columns that `args` requests in the first record of the file.
    pub(super) fn new(record: &Record, args: &DetectArgs) -> Result<Self> {
        let names = Names::new(record);
        let DetectArgs { x, y, radius, radius_column, .. } = args;
        if x.is_some() || y.is_some() || radius.is_some() || radius_column.is_some() {
            let x = names.required(x.as_deref().unwrap_or("x"), "name the column of x by --x")?;
            let y = names.required(y.as_deref().unwrap_or("y"), "name the column of y by --y")?;
            let radius = match (radius, radius_column) {
                (Some(radius), _) => Some(Radius::Of(*radius)),
                (None, Some(name)) => {
                    let hint = "name the column of the radius by --radius-column";
                    Some(Radius::In(names.required(name, hint)?))
                }
                (None, None) => names.find("radius")?.map(Radius::In),
            };
            return Ok(Header::Points { x, y, radius });
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

    /// Describes how the columns of `record`, the header, are used.
    pub(super) fn legend(&self, record: &Record) -> String {
        let Names(names) = Names::new(record);
        let (mut legend, used) = match self {
            Header::Points { x, y, radius } => {
                let mut legend = format!("x from {x}, y from {y}");
                let mut used = vec![x, y];
                match radius {
                    Some(Radius::Of(radius)) => legend += &format!(", radius {radius} for all"),
                    Some(Radius::In(column)) => {
                        legend += &format!(", radius from {column}");
                        used.push(column);
                    }
                    None => legend += ", no radius",
                }
                (legend, used)
            }
            Header::Shapes(columns) => {
                let ShapeColumns { kind, numbers, angle, vertices, body } = &**columns;
                let others = numbers.iter().chain([angle, vertices, body]).flatten();
                let used: Vec<&Column> = [kind].into_iter().chain(others).collect();
                let names = used.iter().map(|column| &*column.name);
                (format!("columns used: {}", listed(names)), used)
            }
        };
        let is_used = |index: &usize| used.iter().any(|column| column.index == *index);
        let mut unused = (0..names.len()).filter(|index| !is_used(index)).peekable();
        if unused.peek().is_some() {
            let unused = listed(unused.map(|index| &*names[index]));
            legend += &format!("; columns not used: {unused}");
        }
        legend
    }
}

/// The names in a header.
struct Names(Vec<String>);

impl Names {
    fn new(record: &Record) -> Self {
        let plain = |name: &[u8]| String::from_utf8_lossy(name).trim().to_owned();
        Self(record.iter().map(plain).collect())
    }

    fn find(&self, name: &str) -> Result<Option<Column>> {
        let mut found = self.0.iter().enumerate().filter(|(_, other)| *other == name);
        let first = found.next();
        if found.next().is_some() {
            bail!("two columns are called {}", quoted(name.as_bytes()));
        }
        Ok(first.map(|(index, name)| Column { name: name.clone(), index }))
    }

    fn required(&self, name: &str, hint: &str) -> Result<Column> {
        if let Some(column) = self.find(name)? {
            return Ok(column);
        }
        if let [only] = &self.0[..] {
            for (separator, what) in [('\t', "tabs"), (';', "semicolons"), ('|', "bars")] {
                if only.contains(separator) {
                    let only = quoted(only.as_bytes());
                    bail!("columns are separated by {what}, but commas are needed: {only}");
                }
            }
        }
        let (name, names) = (quoted(name.as_bytes()), listed(self.0.iter().map(|name| &**name)));
        bail!("no column {name} among: {names} ({hint})")
    }
}
