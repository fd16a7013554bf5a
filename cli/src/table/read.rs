//! Converts rows to shapes.

use std::{collections::HashMap, str};

use anyhow::{Context, Result, anyhow};
use widephase::{
    doubles::DoubleBox,
    error::{self, Field, PolygonFault},
    shape::{Kind, Rotation},
};

use super::{
    bodies::{Bodies, Gathering},
    columns::Column,
    given::{Given, GivenPolygon},
    header::{Header, Radius, ShapeColumns},
    input::{Form, Input},
    left_out::LeftOut,
    quote::quoted,
    reading::Reading,
    records::Record,
    rows::{Fault, Row, Rows, tally, text, whole},
};
#[cfg(feature = "maps")]
use super::{features::features, geometry::Geometry, wkt};
use crate::earth;
#[cfg(not(feature = "maps"))]
use crate::off::TURN_ON;

/// The bodies of all rows below the header, and a description of how the rows were read.
pub(crate) fn bodies(input: Input, reading: &Reading<'_>) -> Result<(Bodies, String)> {
    let table = reading.table;
    let mut left_out = LeftOut::of(&input);
    if input.form == Form::Json {
        let Input { name, reader, bar, .. } = input;
        #[cfg(feature = "maps")]
        let result = features(reader, reading, &mut left_out);
        #[cfg(not(feature = "maps"))]
        let (result, _) = (Err(anyhow!("GeoJSON; to read it, {TURN_ON}")), reader);
        bar.finish_and_clear();
        return result.context(name);
    }
    Rows::read(input, table.delimiter, |rows| {
        let header = rows.columns(|names| Header::new(names, table))?;
        let id = rows.columns(|names| reading.id_column(names))?;
        let columns = rows.names().len();
        let mut gathering = Gathering::default();
        let mut rows_of = HashMap::new();
        rows.each(|record| {
            let name = id.as_ref().map(|column| text(column, record));
            let pushed = whole(record, columns)
                .and_then(|()| reading.name(&id, record))
                .and_then(|name| push(&mut gathering, &header, record, name, reading));
            match pushed {
                Ok(kind) => *rows_of.entry(kind.unwrap_or(NOTHING)).or_insert(0) += 1,
                Err(fault) => {
                    let body = header.body(record);
                    // A body that has ended can no longer be left out.
                    let ended = body.is_some_and(|body| gathering.ended(body).is_some());
                    if !table.skip_invalid || ended {
                        return Err(fault);
                    }
                    let is_new = gathering.leave_out(body, record.last_line);
                    let is_new = is_new.map_err(|error| Fault::Row(error.into()))?;
                    let told = format!("{:#}", fault.of(record));
                    let of = body.map(|body| format!("; with it, body {}", quoted(body)));
                    let told = told + &of.unwrap_or_default();
                    left_out.tell(name, told, is_new).map_err(Fault::Row)?;
                }
            }
            Ok(())
        })?;
        let bodies = gathering.finish().with_context(|| rows.place())?;
        let kinds = Given::KINDS.into_iter().map(Kind::name).chain(OTHERS);
        let numbers = kinds.map(|kind| (kind, rows_of.get(kind).copied().unwrap_or(0)));
        let named = id.map(|id| format!(", named by {id}")).unwrap_or_default();
        let (tally, left_out) = (tally(numbers), left_out.counted());
        let how = format!("{tally}{left_out}{named}; {}", header.legend(rows.names()));
        Ok((bodies, how))
    })
}

/// Appends the shape of a row, or the part of a compound. Returns the name of its kind.
fn push<'a>(
    gathering: &mut Gathering,
    header: &'a Header,
    record: &Record,
    id: Option<&[u8]>,
    reading: &Reading<'_>,
) -> Result<Option<&'static str>, Fault<'a>> {
    match header {
        Header::Points { at: [x, y], radius } => {
            let kind = if radius.is_some() { Kind::Circle } else { Kind::Point };
            let row = Row { record, noun: "row", kind: kind.name() };
            let center = [row.number(x)?, row.number(y)?];
            let (radius, column) = radius_of(radius, row)?;
            let names = |field| match field {
                Field::X => Some(x),
                Field::Y => Some(y),
                _ => column,
            };
            let given = Given::round(center, radius);
            place(&given, reading, names)?;
            row.taken(gathering.push(given, id), names)?;
            Ok(Some(kind.name()))
        }
        Header::Boxes { sides, radius } => {
            let kind = if radius.is_some() { Kind::RoundedBox } else { Kind::Aabb };
            let row = Row { record, noun: "row", kind: kind.name() };
            let [min_x, min_y, max_x, max_y] = &**sides;
            let min = [row.number(min_x)?, row.number(min_y)?];
            let max = [row.number(max_x)?, row.number(max_y)?];
            let (radius, column) = radius_of(radius, row)?;
            let names = |field| match field {
                Field::MinX | Field::X => Some(min_x),
                Field::MinY | Field::Y => Some(min_y),
                Field::MaxX => Some(max_x),
                Field::MaxY => Some(max_y),
                _ => column,
            };
            let given = Given::Box(kind, DoubleBox { min, max, radius: radius.unwrap_or(0.0) });
            place(&given, reading, names)?;
            row.taken(gathering.push(given, id), names)?;
            Ok(Some(kind.name()))
        }
        Header::Shapes(columns) => {
            let kind = kind(&columns.kind, record)?;
            let row = Row { record, noun: "row", kind: kind.name() };
            let fields = Fields { columns, row, kind };
            match &columns.body {
                Some(column) if row.has(Some(column)) => {
                    if reading.metres {
                        return Err(Fault::Value {
                            column,
                            what: format!("{}, but this is a part of a body", earth::PLACES),
                        });
                    }
                    fields.join(gathering, column, id)?;
                }
                _ => {
                    let shape = fields.shape()?;
                    place(&shape, reading, |field| columns.find(field))?;
                    fields.taken(gathering.push(shape, id))?;
                }
            }
            Ok(Some(kind.name()))
        }
        #[cfg(feature = "maps")]
        Header::Geometries { column, radius } => {
            let refuse = |error: anyhow::Error| Fault::Value { column, what: error.to_string() };
            let row = Row { record, noun: "row", kind: Kind::Circle.name() };
            let text = text(column, record);
            let geometry = match text {
                b"" => Geometry::default(),
                text => wkt::geometry(text).map_err(refuse)?,
            };
            let radius = match radius {
                // Only points need a radius.
                Some(Radius::In(column))
                    if geometry.points.is_empty() && !row.has(Some(column)) =>
                {
                    None
                }
                radius => radius_of(radius, row)?.0,
            };
            let shapes = geometry.shapes(radius).map_err(refuse)?;
            reading.places(&shapes).map_err(refuse)?;
            gathering.push_all(shapes, id).map_err(|error| refuse(error.into()))
        }
    }
}

/// The radius of a row, and its column if it has a column.
fn radius_of<'a>(
    radius: &'a Option<Radius>,
    row: Row<'_>,
) -> Result<(Option<f64>, Option<&'a Column>), Fault<'a>> {
    Ok(match radius {
        Some(Radius::Of(radius)) => (Some(*radius), None),
        Some(Radius::In(column)) => (Some(row.number(column)?), Some(column)),
        None => (None, None),
    })
}

/// Checks that a shape is a place on the globe, if it has to be. `names` gives the columns.
fn place<'a>(
    given: &Given,
    reading: &Reading<'_>,
    names: impl Fn(Field) -> Option<&'a Column>,
) -> Result<(), Fault<'a>> {
    reading.place(given).map_err(|(field, what)| match field.and_then(names) {
        Some(column) => Fault::Value { column, what },
        None => Fault::Row(anyhow!(what)),
    })
}

/// The kinds of row that have a geometry of several shapes, or none.
const OTHERS: [&str; 4] = ["line", "outline", "compound", NOTHING];

/// The kind of a row without a geometry.
const NOTHING: &str = "without a geometry";

fn kind<'a>(column: &'a Column, record: &Record) -> Result<Kind, Fault<'a>> {
    let text = text(column, record);
    Given::KINDS.into_iter().find(|kind| kind.name().as_bytes() == text).ok_or_else(|| {
        let names = Given::KINDS.map(Kind::name).join(", ");
        let mut what = format!("{} is not a kind; the kinds are: {names}", quoted(text));
        what += match text == Kind::Compound.name().as_bytes() {
            true => "; a compound is several rows, its parts, with one value of \"body\"",
            false => "; for a table of points, name its columns by --x and --y",
        };
        Fault::Value { column, what }
    })
}

/// The values of a row with a kind.
struct Fields<'a, 'r> {
    columns: &'a ShapeColumns,
    row: Row<'r>,
    kind: Kind,
}

impl<'a> Fields<'a, '_> {
    /// Appends the shape to the body that `column` names.
    fn join(
        &self,
        gathering: &mut Gathering,
        column: &'a Column,
        id: Option<&[u8]>,
    ) -> Result<(), Fault<'a>> {
        let line = self.row.record.last_line;
        let body = text(column, self.row.record);
        if let Some(ended) = gathering.ended(body) {
            let body = quoted(body);
            let what = format!(
                "{body} once more, but the rows of a body have to be next to each other, and \
                 the rows of {body} have ended on line {ended}"
            );
            return Err(Fault::Value { column, what });
        }
        let part = self.shape()?;
        if self.kind == Kind::Polygon {
            self.stays()?;
        }
        if !self.taken(gathering.fits(&part))? {
            let body = quoted(body);
            let what = "which reaches further than 2^60 from the origin";
            return Err(Fault::Row(anyhow!("the row is a part of body {body}, {what}")));
        }
        gathering.join(body, part, line, id).map_err(|error| Fault::Row(error.into()))
    }

    /// Converts the result of passing the shape to the library, with the column of the fault.
    fn taken<T>(&self, result: Result<T, widephase::Error>) -> Result<T, Fault<'a>> {
        let radius = self.columns.find(Field::Radius).filter(|column| self.row.has(Some(column)));
        result.map_err(|error| match (error, radius, &self.columns.vertices) {
            (
                widephase::Error::InvalidPolygon {
                    fault: PolygonFault::Radius { fault, .. }, ..
                },
                Some(column),
                _,
            ) => self.row.refused(column, fault),
            (widephase::Error::InvalidPolygon { fault, .. }, _, Some(column)) => {
                Fault::Value { column, what: fault.to_string() }
            }
            (error, ..) => self.row.fault(error, |field| self.columns.find(field)),
        })
    }

    /// The shape.
    fn shape(&self) -> Result<Given, Fault<'a>> {
        let number = |field| self.number(field);
        match self.kind {
            Kind::Obb => {
                let half = [number(Field::HalfWidth)?, number(Field::HalfHeight)?];
                let Some(rotation) = self.rotation()? else {
                    let column = self.columns.angle.as_ref();
                    let column = column.or_else(|| self.columns.find(Field::Cos));
                    return Err(self.row.missing("angle", column));
                };
                let center = [number(Field::X)?, number(Field::Y)?];
                Ok(Given::Obb { center, half, rotation })
            }
            Kind::Polygon => Ok(Given::Polygon(Box::new(self.polygon()?))),
            kind => Given::of_numbers(kind, number)?
                .ok_or_else(|| Fault::Row(anyhow!("kind {kind} cannot be read"))),
        }
    }

    /// Refuses a polygon with a position or a rotation. The parts of a compound are at their own
    /// coordinates, and vertices that were moved here would have been rounded.
    fn stays(&self) -> Result<(), Fault<'a>> {
        let find = |field| self.columns.find(field);
        let angle = self.columns.angle.as_ref();
        for (column, still) in [
            (find(Field::X), 0.0),
            (find(Field::Y), 0.0),
            (angle, 0.0),
            (find(Field::Cos), 1.0),
            (find(Field::Sin), 0.0),
        ] {
            let Some(column) = column.filter(|column| self.row.has(Some(column))) else {
                continue;
            };
            if self.row.number(column)? != still {
                let text = quoted(text(column, self.row.record));
                let what = "a polygon that is a part of a body is where its vertices say";
                let what = format!("{text} is refused: {what}");
                return Err(Fault::Value { column, what });
            }
        }
        Ok(())
    }

    /// A number that the row must have.
    fn number(&self, field: Field) -> Result<f64, Fault<'a>> {
        match self.columns.find(field) {
            Some(column) => self.row.number(column),
            None => Err(self.row.missing(&field.to_string(), None)),
        }
    }

    /// The rotation, if the row has a rotation: an angle, or cosine and sine.
    fn rotation(&self) -> Result<Option<Rotation>, Fault<'a>> {
        let fields = [Field::Cos, Field::Sin];
        let angle = self.columns.angle.as_ref().filter(|column| self.row.has(Some(column)));
        let parts = fields.map(|field| self.columns.find(field));
        let has_parts = parts.into_iter().any(|column| self.row.has(column));
        let Some(angle) = angle else {
            return if has_parts {
                let [cos, sin] = fields.map(|field| self.number(field));
                Ok(Some(Rotation { cos: cos? as f32, sin: sin? as f32 }))
            } else {
                Ok(None)
            };
        };
        let refuse = |what| Err(Fault::Value { column: angle, what });
        if has_parts {
            return refuse("the row has cos or sin as well; it needs one or the other".into());
        }
        let radians = self.row.number(angle)?;
        if !radians.is_finite() {
            let fault =
                if radians.is_nan() { error::Fault::NotANumber } else { error::Fault::Infinite };
            return refuse(format!("{} is refused: {fault}", quoted(text(angle, self.row.record))));
        }
        Ok(Some(Rotation::from_angle(radians as f32)))
    }

    /// A polygon, where its vertices are unless the row moves it.
    fn polygon(&self) -> Result<GivenPolygon, Fault<'a>> {
        let Some(column) = &self.columns.vertices else {
            return Err(self.row.missing("vertices", None));
        };
        let vertices = vertices(self.row, column)?;
        let has = |field| self.row.has(self.columns.find(field));
        let position = match has(Field::X) || has(Field::Y) {
            true => [self.number(Field::X)?, self.number(Field::Y)?],
            false => [0.0; 2],
        };
        let radius = if has(Field::Radius) { self.number(Field::Radius)? } else { 0.0 };
        let rotation = self.rotation()?.unwrap_or_default();
        Ok(GivenPolygon { vertices, radius, position, rotation })
    }
}

/// The coordinates in one value: `x y x y`.
pub(crate) fn vertices<'a>(row: Row<'_>, column: &'a Column) -> Result<Vec<[f64; 2]>, Fault<'a>> {
    let list = text(column, row.record);
    let refuse = |what| Fault::Value { column, what };
    let mut numbers = Vec::new();
    for word in list.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
        let number = str::from_utf8(word).ok().and_then(|word| word.parse::<f64>().ok());
        numbers.push(number.ok_or_else(|| refuse(format!("{} is not a number", quoted(word))))?);
    }
    let (vertices, rest) = numbers.as_chunks::<2>();
    match (vertices, rest) {
        ([], []) => Err(row.empty(column)),
        (_, []) => Ok(vertices.to_vec()),
        _ => Err(refuse(format!("{} numbers, but each vertex has two", numbers.len()))),
    }
}
