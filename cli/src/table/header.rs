//! The meaning of the columns of a file of shapes.

use anyhow::Result;
use widephase::error::Field;

use super::columns::{Column, Names};
use crate::args::PointArgs;

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

/// How to read the rows of a file.
#[derive(Debug)]
pub(crate) enum Header {
    /// Each row gives its kind.
    Shapes(Box<ShapeColumns>),
    /// Each row is a circle, or a point if there is no radius.
    Points { x: Column, y: Column, radius: Option<Radius> },
}

/// The radius of circles in a file without kinds.
#[derive(Debug)]
pub(crate) enum Radius {
    /// One radius for all.
    Of(f32),
    /// A radius per row.
    In(Column),
}

/// The columns of a file of shapes; `None` for those that are missing.
#[derive(Debug)]
pub(crate) struct ShapeColumns {
    pub(crate) kind: Column,
    /// The columns of [`FIELDS`].
    numbers: [Option<Column>; 15],
    /// An alternative to cosine and sine.
    pub(crate) angle: Option<Column>,
    /// Lists of coordinates.
    pub(crate) vertices: Option<Column>,
    /// Names. The parts of a compound have the same name.
    pub(crate) body: Option<Column>,
}

impl ShapeColumns {
    /// The column of a field.
    pub(crate) fn find(&self, field: Field) -> Option<&Column> {
        FIELDS.iter().zip(&self.numbers).find(|(other, _)| **other == field)?.1.as_ref()
    }
}

impl Header {
    /// Finds the columns that `args` requests.
    pub(crate) fn new(names: &Names, args: &PointArgs) -> Result<Self> {
        let PointArgs { x, y, radius, radius_column } = args;
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

    /// Describes how the columns are used.
    pub(crate) fn legend(&self, names: &Names) -> String {
        match self {
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
                legend + &names.legend_of_others(&used)
            }
            Header::Shapes(columns) => {
                let ShapeColumns { kind, numbers, angle, vertices, body } = &**columns;
                let others = numbers.iter().chain([angle, vertices, body]).flatten();
                let used: Vec<&Column> = [kind].into_iter().chain(others).collect();
                names.legend(&used)
            }
        }
    }
}
