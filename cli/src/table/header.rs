//! The meaning of the columns of a file of shapes.

use anyhow::Result;
use widephase::{error::Field, shape::Kind};

use super::columns::{Column, Names};
use crate::args::TableArgs;

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

/// The columns of boxes in a file without kinds.
const SIDES: [&str; 4] = ["min_x", "min_y", "max_x", "max_y"];

/// The columns of x and y in a file without kinds.
const POSITIONS: [[&str; 2]; 4] =
    [["x", "y"], ["lon", "lat"], ["longitude", "latitude"], ["lng", "lat"]];

/// The columns of geometries in WKT in a file without kinds.
const GEOMETRIES: [&str; 5] = ["wkt", "WKT", "geometry", "geom", "the_geom"];

/// How to read the rows of a file.
#[derive(Debug)]
pub(crate) enum Header {
    /// Each row gives its kind.
    Shapes(Box<ShapeColumns>),
    /// Each row is a circle, or a point if there is no radius.
    Points { x: Column, y: Column, radius: Option<Radius> },
    /// Each row is a geometry in WKT. Points are circles of the radius, if there is one.
    Geometries { column: Column, radius: Option<f64> },
}

/// The radius of circles in a file without kinds.
#[derive(Debug)]
pub(crate) enum Radius {
    /// One radius for all.
    Of(f64),
    /// A radius per row.
    In(Column),
}

/// Where the kind of a row is.
#[derive(Debug)]
pub(crate) enum RowKind {
    In(Column),
    /// All rows have one.
    All(Kind),
}

/// The columns of a file of shapes; `None` for those that are missing.
#[derive(Debug)]
pub(crate) struct ShapeColumns {
    pub(crate) kind: RowKind,
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
    /// Finds the columns that `args` requests. Without a request, a file that has no column `kind`
    /// has points, circles or boxes if the names of its columns say so.
    pub(crate) fn new(names: &Names, args: &TableArgs) -> Result<Self> {
        let named = args.x.is_some() || args.y.is_some() || args.radius_column.is_some();
        if !named && !names.has("kind") && !names.has("x") {
            let wkt = GEOMETRIES.into_iter().find(|name| names.has(name));
            if let Some(column) = wkt.map(|name| names.find(name)).transpose()?.flatten() {
                return Ok(Header::Geometries { column, radius: args.radius });
            }
        }
        if args.asks_for_points() {
            return Self::points(names, args, ["x", "y"]);
        }
        if !names.has("kind") {
            if SIDES.iter().all(|side| names.has(side)) {
                let kind = if names.has("radius") { Kind::RoundedBox } else { Kind::Aabb };
                return Self::shapes(names, RowKind::All(kind));
            }
            let both = |[x, y]: &[&str; 2]| names.has(x) && names.has(y);
            if let Some(columns) = POSITIONS.into_iter().find(both) {
                return Self::points(names, args, columns);
            }
        }
        let hint = "for a table of points, name its columns by --x and --y";
        Self::shapes(names, RowKind::In(names.required("kind", hint)?))
    }

    fn points(names: &Names, args: &TableArgs, columns: [&str; 2]) -> Result<Self> {
        let TableArgs { x, y, radius, radius_column, .. } = args;
        let [default_x, default_y] = columns;
        let x = x.as_deref().unwrap_or(default_x);
        let x = names.required(x, "name the column of x by --x")?;
        let y = y.as_deref().unwrap_or(default_y);
        let y = names.required(y, "name the column of y by --y")?;
        let radius = match (radius, radius_column) {
            (Some(radius), _) => Some(Radius::Of(*radius)),
            (None, Some(name)) => {
                let hint = "name the column of the radius by --radius-column";
                Some(Radius::In(names.required(name, hint)?))
            }
            (None, None) => names.find("radius")?.map(Radius::In),
        };
        Ok(Header::Points { x, y, radius })
    }

    fn shapes(names: &Names, kind: RowKind) -> Result<Self> {
        let mut numbers = [const { None }; 15];
        for (number, field) in numbers.iter_mut().zip(FIELDS) {
            *number = names.find(&field.to_string())?;
        }
        let (angle, vertices) = (names.find("angle")?, names.find("vertices")?);
        // Without a column of kinds, rows are no parts of bodies.
        let body = match kind {
            RowKind::In(_) => names.find("body")?,
            RowKind::All(_) => None,
        };
        Ok(Header::Shapes(Box::new(ShapeColumns { kind, numbers, angle, vertices, body })))
    }

    /// Describes how the columns are used.
    pub(crate) fn legend(&self, names: &Names) -> String {
        match self {
            Header::Points { x, y, radius } => {
                let mut legend = format!("x from {x}, y from {y}");
                match radius {
                    Some(Radius::Of(radius)) => legend += &format!(", radius {radius} for all"),
                    Some(Radius::In(column)) => legend += &format!(", radius from {column}"),
                    None => legend += ", no radius",
                }
                legend + &names.legend_of_others()
            }
            Header::Geometries { column, radius } => {
                let radius = radius.map(|radius| format!(", radius {radius} of points"));
                let others = names.legend_of_others();
                format!("WKT from {column}{}{others}", radius.unwrap_or_default())
            }
            Header::Shapes(columns) => {
                let ShapeColumns { kind, numbers, angle, vertices, body } = &**columns;
                let others = numbers.iter().chain([angle, vertices, body]).flatten();
                match kind {
                    RowKind::In(kind) => names.legend([kind].into_iter().chain(others)),
                    RowKind::All(_) => names.legend(others),
                }
            }
        }
    }
}
