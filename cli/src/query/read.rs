//! Converts rows to queries.

use std::str;

use anyhow::{Result, anyhow};
use widephase::{
    CastOptions, Index, Queries, Ray, Shapes,
    doubles::{DoubleBox, DoubleColumns, DoubleIndex, Origin},
    error::Field,
    narrowphase::CastStart,
    shape::{Circle, Kind},
};

#[cfg(not(feature = "maps"))]
use crate::off::TURN_ON;
#[cfg(feature = "maps")]
use crate::table::wkt_geometry;
use crate::{
    earth,
    table::{
        Column, Fault, Given, Input, Names, Reading, Record, Row, RowNames, Rows, positions,
        quoted, sides, tally, text, vertices, whole,
    },
};

/// A query of a file.
#[derive(Debug, Clone)]
pub(super) enum Query {
    /// All shapes that touch a shape, given as its parts, at least one.
    Overlap(Vec<Given>),
    Ray {
        from: [f64; 2],
        by: [f32; 2],
        /// The largest fraction of `by`.
        max: f32,
    },
    /// The nearest `k` shapes.
    Nearest { at: [f64; 2], k: usize, max_distance: f64 },
    /// A circle that moves.
    Cast { center: [f64; 2], radius: f32, by: [f32; 2], options: CastOptions },
}

impl Query {
    /// For a query about places on the globe: its place in degrees, and how far it looks.
    pub(super) fn place(&self) -> Option<([f64; 2], f64)> {
        match self {
            Self::Overlap(given) => match given[..] {
                [Given::Box(Kind::Point | Kind::Circle, shape)] => Some((shape.min, shape.radius)),
                _ => None,
            },
            Self::Nearest { at, max_distance, .. } => Some((*at, *max_distance)),
            _ => None,
        }
    }

    /// Whether it is answered in `f32`, whatever the shapes are.
    pub(super) fn needs_single(&self) -> bool {
        matches!(self, Self::Ray { .. } | Self::Cast { .. })
    }

    /// Checks the values, as the library does.
    fn check(&self, empty: &Empty) -> Result<(), widephase::Error> {
        let near = |at| Origin::default().relative(at);
        match self {
            Self::Overlap(given) => {
                given.iter().try_for_each(|given| given.check(&mut Shapes::new()))
            }
            Self::Ray { from, by, max } => {
                Given::round(*from, None).check(&mut Shapes::new())?;
                empty.single.cast_ray(Ray::new(near(*from), *by).up_to(*max)).map(drop)
            }
            Self::Nearest { at, max_distance, .. } => {
                let (points, mut nearest) = ([*at], Vec::new());
                let points = DoubleColumns::points_at(&points)?;
                empty.exact.nearest_batch(points, *max_distance, &mut nearest)
            }
            Self::Cast { center, radius, by, options } => {
                let radius = f64::from(*radius);
                Given::round(*center, Some(radius)).check(&mut Shapes::new())?;
                let circle = Circle::new(near(*center), radius as f32);
                empty.single.cast_shape(circle, *by, *options).map(drop)
            }
        }
    }
}

/// Indexes without shapes: they check the values of queries.
#[derive(Default)]
struct Empty {
    exact: DoubleIndex,
    single: Index,
}

/// The kinds that a query can have.
const KINDS: [&str; 8] =
    ["point", "region", "circle", "polygon", "geometry", "ray", "nearest", "cast"];

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

/// The queries of a file.
pub(super) struct Asked {
    pub(super) queries: Vec<Query>,
    /// The names of the queries, if they have any.
    pub(super) names: RowNames,
}

/// The queries of all rows below the header, and a description of how the rows were read. Of
/// `reading`, only `id` and `metres` are about queries.
pub(super) fn queries(input: Input, reading: &Reading<'_>) -> Result<(Asked, String)> {
    let empty = Empty::default();
    Rows::read(input, reading.table.delimiter, |rows| {
        let columns = rows.columns(Columns::new)?;
        let id = rows.columns(|names| reading.id_column(names))?;
        let len = rows.names().len();
        let (mut queries, mut names) = (Vec::new(), RowNames::default());
        let mut rows_of = KINDS.map(|kind| (kind, 0));
        rows.each(|record| {
            whole(record, len)?;
            let name = reading.name(&id, record)?;
            let kind = columns.kind(record)?;
            let values = Values { columns: &columns, row: Row { record, noun: "query", kind } };
            let query = values.query()?;
            if reading.metres {
                values.place(&query)?;
            }
            values.taken(query.check(&empty))?;
            queries.push(query);
            names.push(name);
            for (_, rows) in rows_of.iter_mut().filter(|(name, _)| *name == kind) {
                *rows += 1;
            }
            Ok(())
        })?;
        let named = id.as_ref().map(|id| format!(", named by {id}")).unwrap_or_default();
        let how = format!("{}{named}; {}", tally(rows_of), columns.legend(rows.names()));
        Ok((Asked { queries, names }, how))
    })
}

/// Replaces columns by other columns, if there are any.
fn fill<const N: usize>(columns: &mut [Option<Column>], others: Option<[Column; N]>) {
    for (column, other) in columns.iter_mut().zip(others.into_iter().flatten()) {
        *column = Some(other);
    }
}

/// The columns of a file of queries; `None` for missing columns.
struct Columns {
    query: Column,
    /// The columns of [`FIELDS`].
    numbers: [Option<Column>; 12],
    k: Option<Column>,
    start: Option<Column>,
    vertices: Option<Column>,
    wkt: Option<Column>,
}

impl Columns {
    fn new(names: &Names) -> Result<Self> {
        let query = names.required("query", &format!("the kind of each: {}", KINDS.join(", ")))?;
        let mut numbers = [const { None }; 12];
        for (number, (name, _)) in numbers.iter_mut().zip(FIELDS) {
            *number = names.find(name)?;
        }
        // The names that tables of shapes may have.
        if numbers[..2].iter().all(Option::is_none) {
            fill(&mut numbers[..2], positions(names)?);
        }
        if numbers[2..6].iter().all(Option::is_none) {
            fill(&mut numbers[2..6], sides(names)?);
        }
        let [k, start] = [names.find("k")?, names.find("start")?];
        let [vertices, wkt] = [names.find("vertices")?, names.find("wkt")?];
        Ok(Self { query, numbers, k, start, vertices, wkt })
    }

    fn legend(&self, names: &Names) -> String {
        let Self { query, numbers, k, start, vertices, wkt } = self;
        let others = numbers.iter().chain([k, start, vertices, wkt]).flatten();
        names.legend([query].into_iter().chain(others))
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
        let by = || Ok([number(Field::Dx)? as f32, number(Field::Dy)? as f32]);
        let max = || self.optional(Field::MaxFraction, 1.0).map(|max| max as f32);
        let overlap = |given: Given| Query::Overlap(vec![given]);
        Ok(match self.row.kind {
            "point" => overlap(Given::round(at()?, None)),
            "region" => {
                let min = [number(Field::MinX)?, number(Field::MinY)?];
                let max = [number(Field::MaxX)?, number(Field::MaxY)?];
                overlap(Given::Box(Kind::Aabb, DoubleBox { min, max, radius: 0.0 }))
            }
            "circle" => overlap(Given::round(at()?, Some(number(Field::Radius)?))),
            "polygon" => {
                let Some(column) = &self.columns.vertices else {
                    return Err(self.row.missing("vertices", None));
                };
                overlap(Given::Outline(vec![vertices(self.row, column)?]))
            }
            "geometry" => Query::Overlap(self.geometry()?),
            "ray" => Query::Ray { from: at()?, by: by()?, max: max()? },
            "nearest" => {
                let max_distance = self.optional(Field::MaxDistance, f64::INFINITY)?;
                Query::Nearest { at: at()?, k: self.k()?, max_distance }
            }
            _ => Query::Cast {
                center: at()?,
                radius: number(Field::Radius)? as f32,
                by: by()?,
                options: CastOptions {
                    max_fraction: max()?,
                    gap: self.optional(Field::Gap, 0.0)? as f32,
                    start: self.start()?,
                },
            },
        })
    }

    /// Checks that the query is about places on the globe.
    fn place(&self, query: &Query) -> Result<(), Fault<'a>> {
        let Some((at, _)) = query.place() else {
            let what = "--metres is for queries of the kinds point, circle and nearest".to_owned();
            return Err(Fault::Value { column: &self.columns.query, what });
        };
        let at = DoubleBox { min: at, max: at, radius: 0.0 };
        earth::check(&at).map_err(|(field, what)| {
            match field.and_then(|field| self.columns.find(field)) {
                Some(column) => Fault::Value { column, what },
                None => Fault::Row(anyhow!(what)),
            }
        })
    }

    /// Without the feature, no geometry is read.
    #[cfg(not(feature = "maps"))]
    fn geometry(&self) -> Result<Vec<Given>, Fault<'a>> {
        let what = format!("\"geometry\" is in WKT; to read it, {TURN_ON}");
        Err(Fault::Value { column: &self.columns.query, what })
    }

    /// The parts of a geometry.
    #[cfg(feature = "maps")]
    fn geometry(&self) -> Result<Vec<Given>, Fault<'a>> {
        let Some(column) = &self.columns.wkt else { return Err(self.row.missing("wkt", None)) };
        let text = text(column, self.row.record);
        let refuse = |error: anyhow::Error| Fault::Value { column, what: error.to_string() };
        let shapes = wkt_geometry(text).and_then(|geometry| geometry.shapes(None));
        let shapes = shapes.map_err(refuse)?;
        if shapes.is_empty() { Err(refuse(anyhow!("an empty geometry"))) } else { Ok(shapes) }
    }

    /// Converts the result of a check, with the column of the fault.
    fn taken(&self, result: Result<(), widephase::Error>) -> Result<(), Fault<'a>> {
        let column = match self.row.kind {
            "geometry" => &self.columns.wkt,
            _ => &self.columns.vertices,
        };
        match (result, column) {
            (Err(error @ widephase::Error::InvalidOutline { .. }), Some(column)) => {
                Err(Fault::Value { column, what: error.to_string() })
            }
            (result, _) => self.row.taken(result, |field| self.columns.find(field)),
        }
    }

    /// A number that the query must have.
    fn number(&self, field: Field) -> Result<f64, Fault<'a>> {
        match self.columns.find(field) {
            Some(column) => self.row.number(column),
            None => Err(self.row.missing(&field.to_string(), None)),
        }
    }

    /// A number, or its default without a number.
    fn optional(&self, field: Field, default: f64) -> Result<f64, Fault<'a>> {
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
