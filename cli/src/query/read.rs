//! Converts rows to queries.

use std::str;

use anyhow::{Result, ensure};
use widephase::{
    CastOptions, Index, Queries, Ray,
    error::Field,
    narrowphase::CastStart,
    shape::{Aabb, Circle, Point},
};

use crate::table::{Column, Fault, Input, Names, Record, Row, Rows, quoted, tally, text};

/// A query of a file.
#[derive(Debug, Clone, Copy)]
pub(super) enum Query {
    Point(Point),
    Region(Aabb),
    Circle(Circle),
    Ray(Ray),
    /// The nearest `k` shapes.
    Nearest {
        point: Point,
        k: usize,
        max_distance: f32,
    },
    /// A circle that moves.
    Cast {
        circle: Circle,
        translation: [f32; 2],
        options: CastOptions,
    },
}

impl Query {
    /// Checks the values: the library checks them before it searches an empty index.
    fn check(self, empty: &Index) -> Result<(), widephase::Error> {
        match self {
            Self::Point(point) => empty.any_overlapping(point).map(drop),
            Self::Region(region) => empty.any_overlapping(region).map(drop),
            Self::Circle(circle) => empty.any_overlapping(circle).map(drop),
            Self::Ray(ray) => empty.cast_ray(ray).map(drop),
            Self::Nearest { point, max_distance, .. } => {
                empty.nearest(point, max_distance).map(drop)
            }
            Self::Cast { circle, translation, options } => {
                empty.cast_shape(circle, translation, options).map(drop)
            }
        }
    }
}

/// The kinds that a query can have.
const KINDS: [&str; 6] = ["point", "region", "circle", "ray", "nearest", "cast"];

/// The columns of numbers that a file of queries may have, and the fields that they hold.
const FIELDS: [(&str, Field); 12] = [
    ("x", Field::X),
    ("y", Field::Y),
    ("min_x", Field::MinX),
    ("min_y", Field::MinY),
    ("max_x", Field::MaxX),
    ("max_y", Field::MaxY),
    ("radius", Field::Radius),
    ("dx", Field::Dx),
    ("dy", Field::Dy),
    ("max", Field::MaxFraction),
    ("gap", Field::Gap),
    ("max_distance", Field::MaxDistance),
];

/// The names of [`CastStart`].
const STARTS: [(&str, CastStart); 3] =
    [("inward", CastStart::Inward), ("any", CastStart::Any), ("ignored", CastStart::Ignored)];

/// The queries of all rows below the header, and a description of how the rows were read. `empty`
/// is an index without shapes.
pub(super) fn queries(input: Input, empty: &Index) -> Result<(Vec<Query>, String)> {
    Rows::read(input, |rows| {
        let columns = rows.columns(Columns::new)?;
        let mut queries = Vec::new();
        let mut rows_of = KINDS.map(|kind| (kind, 0));
        rows.each(|record| {
            let kind = columns.kind(record)?;
            let values = Values { columns: &columns, row: Row { record, noun: "query", kind } };
            let query = values.query()?;
            values.row.taken(query.check(empty), |field| columns.find(field))?;
            queries.push(query);
            for (_, rows) in rows_of.iter_mut().filter(|(name, _)| *name == kind) {
                *rows += 1;
            }
            Ok(())
        })?;
        ensure!(!queries.is_empty(), "a header and no rows");
        let how = format!("{}; {}", tally(rows_of), columns.legend(rows.names()));
        Ok((queries, how))
    })
}

/// The columns of a file of queries; `None` for those that are missing.
struct Columns {
    query: Column,
    /// The columns of [`FIELDS`].
    numbers: [Option<Column>; 12],
    k: Option<Column>,
    start: Option<Column>,
}

impl Columns {
    fn new(names: &Names) -> Result<Self> {
        let query = names.required("query", &format!("the kind of each: {}", KINDS.join(", ")))?;
        let mut numbers = [const { None }; 12];
        for (number, (name, _)) in numbers.iter_mut().zip(FIELDS) {
            *number = names.find(name)?;
        }
        Ok(Self { query, numbers, k: names.find("k")?, start: names.find("start")? })
    }

    fn legend(&self, names: &Names) -> String {
        let Self { query, numbers, k, start } = self;
        let others = numbers.iter().chain([k, start]).flatten();
        names.legend(&[query].into_iter().chain(others).collect::<Vec<_>>())
    }

    /// The column of a field.
    fn find(&self, field: Field) -> Option<&Column> {
        let mut columns = FIELDS.iter().zip(&self.numbers);
        columns.find(|((_, other), _)| *other == field)?.1.as_ref()
    }

    fn kind(&self, record: &Record) -> Result<&'static str, Fault<'_>> {
        let (column, text) = (&self.query, text(&self.query, record));
        KINDS.into_iter().find(|kind| kind.as_bytes() == text).ok_or_else(|| {
            let (text, kinds) = (quoted(text), KINDS.join(", "));
            Fault::Value { column, what: format!("{text} is not a query; queries are: {kinds}") }
        })
    }
}

/// The values of a query.
struct Values<'a, 'r> {
    columns: &'a Columns,
    row: Row<'r>,
}

impl<'a> Values<'a, '_> {
    fn query(&self) -> Result<Query, Fault<'a>> {
        let number = |field| self.number(field);
        let at = || Ok([number(Field::X)?, number(Field::Y)?]);
        let circle = || Ok(Circle::new(at()?, number(Field::Radius)?));
        let translation = || Ok([number(Field::Dx)?, number(Field::Dy)?]);
        let max_fraction = || self.optional(Field::MaxFraction, 1.0);
        Ok(match self.row.kind {
            "point" => Query::Point(Point::new(at()?)),
            "region" => {
                let min = [number(Field::MinX)?, number(Field::MinY)?];
                Query::Region(Aabb::new(min, [number(Field::MaxX)?, number(Field::MaxY)?]))
            }
            "circle" => Query::Circle(circle()?),
            "ray" => Query::Ray(Ray::new(at()?, translation()?).up_to(max_fraction()?)),
            "nearest" => {
                let max_distance = self.optional(Field::MaxDistance, f32::INFINITY)?;
                Query::Nearest { point: Point::new(at()?), k: self.k()?, max_distance }
            }
            _ => Query::Cast {
                circle: circle()?,
                translation: translation()?,
                options: CastOptions {
                    max_fraction: max_fraction()?,
                    gap: self.optional(Field::Gap, 0.0)?,
                    start: self.start()?,
                },
            },
        })
    }

    /// A number that the query must have.
    fn number(&self, field: Field) -> Result<f32, Fault<'a>> {
        match self.columns.find(field) {
            Some(column) => self.row.number(column),
            None => Err(self.row.missing(&field.to_string(), None)),
        }
    }

    /// A number, or its default if there is none.
    fn optional(&self, field: Field, default: f32) -> Result<f32, Fault<'a>> {
        match self.columns.find(field) {
            Some(column) if self.row.has(Some(column)) => self.row.number(column),
            _ => Ok(default),
        }
    }

    /// Which shapes stop a circle at its start.
    fn start(&self) -> Result<CastStart, Fault<'a>> {
        let column = self.columns.start.as_ref().filter(|column| self.row.has(Some(column)));
        let Some(column) = column else { return Ok(CastStart::Inward) };
        let text = text(column, self.row.record);
        let found = STARTS.iter().find(|(name, _)| name.as_bytes() == text);
        found.map(|(_, start)| *start).ok_or_else(|| {
            let names = STARTS.map(|(name, _)| name).join(", ");
            let what = format!("{} is not a start; write one of {names}", quoted(text));
            Fault::Value { column, what }
        })
    }

    /// The number of nearest shapes.
    fn k(&self) -> Result<usize, Fault<'a>> {
        let Some(column) = self.columns.k.as_ref().filter(|column| self.row.has(Some(column)))
        else {
            return Ok(1);
        };
        let text = text(column, self.row.record);
        let number = str::from_utf8(text).ok().and_then(|text| text.parse::<u32>().ok());
        number.filter(|number| *number > 0).map(|number| number as usize).ok_or_else(|| {
            let what = format!("{} is not a number of shapes: write 1 or more", quoted(text));
            Fault::Value { column, what }
        })
    }
}
