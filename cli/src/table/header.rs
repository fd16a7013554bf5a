//! The meaning of the columns of a file of shapes.

use anyhow::Result;
#[cfg(not(feature = "maps"))]
use anyhow::bail;
use widephase::error::Field;

use super::{
    columns::{Column, Names},
    quote::listed,
    records::Record,
    rows::text,
};
use crate::args::TableArgs;
#[cfg(not(feature = "maps"))]
use crate::off::TURN_ON;

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

/// Each file of shapes has some of these columns: coordinates of its kinds.
const SHAPES: [&str; 4] = ["x", "min_x", "ax", "vertices"];

/// The columns of boxes in a file without kinds: left, lower, right and upper side.
const SIDES: [[&str; 4]; 8] = [
    ["min_x", "min_y", "max_x", "max_y"],
    ["minx", "miny", "maxx", "maxy"],
    ["xmin", "ymin", "xmax", "ymax"],
    ["x_min", "y_min", "x_max", "y_max"],
    ["min_lon", "min_lat", "max_lon", "max_lat"],
    ["minlon", "minlat", "maxlon", "maxlat"],
    ["west", "south", "east", "north"],
    ["left", "bottom", "right", "top"],
];

/// The columns of x and y in a file without kinds.
const POSITIONS: [[&str; 2]; 14] = [
    ["x", "y"],
    ["lon", "lat"],
    ["longitude", "latitude"],
    ["lng", "lat"],
    ["long", "lat"],
    ["lon_deg", "lat_deg"],
    ["longitude_deg", "latitude_deg"],
    ["decimalLongitude", "decimalLatitude"],
    ["stop_lon", "stop_lat"],
    ["easting", "northing"],
    ["eastings", "northings"],
    ["xcoord", "ycoord"],
    ["x_coord", "y_coord"],
    ["point_x", "point_y"],
];

/// The columns of geometries in WKT in a file without kinds.
const GEOMETRIES: [[&str; 1]; 8] = [
    ["wkt"],
    ["geometry"],
    ["geom"],
    ["the_geom"],
    ["wkt_geom"],
    ["wkb_geometry"],
    ["st_astext"],
    ["st_asewkt"],
];

/// How to read the rows of a file.
#[derive(Debug)]
pub(crate) enum Header {
    /// Each row gives its kind.
    Shapes(Box<ShapeColumns>),
    /// Each row is a circle, or a point if there is no radius.
    Points { at: [Column; 2], radius: Option<Radius> },
    /// Each row is a box, or a rounded box if there is a radius.
    Boxes { sides: Box<[Column; 4]>, radius: Option<Radius> },
    /// Each row is a geometry in WKT. Points are circles if there is a radius.
    #[cfg(feature = "maps")]
    Geometries { column: Column, radius: Option<Radius> },
}

/// The radius in a file without kinds.
#[derive(Debug)]
pub(crate) enum Radius {
    /// One radius for all shapes.
    Of(f64),
    /// A radius per row.
    In(Column),
}

/// The columns of a file of shapes; `None` for missing columns.
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

impl Radius {
    /// The end of a sentence on how columns are used.
    fn legend(radius: Option<&Self>) -> String {
        match radius {
            Some(Self::Of(radius)) => format!(", radius {radius} for all"),
            Some(Self::In(column)) => format!(", radius from {column}"),
            None => String::new(),
        }
    }
}

/// The columns of x and y, by the names that people use.
pub(crate) fn positions(names: &Names) -> Result<Option<[Column; 2]>> {
    names.together(&POSITIONS)
}

/// The columns of the sides of boxes, by the names that people use.
pub(crate) fn sides(names: &Names) -> Result<Option<[Column; 4]>> {
    names.together(&SIDES)
}

impl Header {
    /// Finds the columns that `args` requests. Without a request, a file that has no column `kind`
    /// has points, circles, boxes or geometries if the names of its columns say so.
    pub(crate) fn new(names: &Names, args: &TableArgs) -> Result<Self> {
        if args.x.is_some() || args.y.is_some() {
            return Self::points(names, args);
        }
        let asks = args.radius.is_some() || args.radius_column.is_some();
        let is = |set: &[&str]| set.iter().any(|name| names.has(name));
        let all = |set: &[&str]| set.iter().all(|name| names.has(name));
        let wkt = !names.has("x") && is(GEOMETRIES.as_flattened());
        let (at, boxes) = (POSITIONS.iter().any(|at| all(at)), SIDES.iter().any(|at| all(at)));
        let is_table = wkt || at || boxes;
        let own = names.has("kind") && (is(&SHAPES) || !is_table);
        if !asks && (own || !is_table) {
            let hint = "for a table of points, name its columns by --x and --y";
            return Self::shapes(names, names.required("kind", hint)?);
        }
        if !own
            && wkt
            && let Some([column]) = names.together(&GEOMETRIES)?
        {
            #[cfg(feature = "maps")]
            return Ok(Header::Geometries { column, radius: Self::radius(names, args, None)? });
            #[cfg(not(feature = "maps"))]
            bail!("{column} has geometries in WKT; to read them, {TURN_ON}");
        }
        if !(own || asks && at)
            && let Some(sides) = sides(names)?
        {
            let radius = Self::radius(names, args, Some("radius"))?;
            return Ok(Header::Boxes { sides: sides.into(), radius });
        }
        Self::points(names, args)
    }

    fn points(names: &Names, args: &TableArgs) -> Result<Self> {
        let usual = POSITIONS.iter().find(|at| at.iter().all(|name| names.has(name)));
        let [x, y] = usual.copied().unwrap_or(["x", "y"]);
        let x = args.x.as_deref().unwrap_or(x);
        let x = names.required(x, "name the column of x by --x")?;
        let y = args.y.as_deref().unwrap_or(y);
        let y = names.required(y, "name the column of y by --y")?;
        Ok(Header::Points { at: [x, y], radius: Self::radius(names, args, Some("radius"))? })
    }

    /// The radius that `args` requests, or else in the column `usual`, if it exists.
    fn radius(names: &Names, args: &TableArgs, usual: Option<&str>) -> Result<Option<Radius>> {
        let hint = "name the column of the radius by --radius-column";
        Ok(match (args.radius, &args.radius_column) {
            (Some(radius), _) => Some(Radius::Of(radius)),
            (None, Some(name)) => Some(Radius::In(names.required(name, hint)?)),
            (None, None) => {
                usual.map(|name| names.find(name)).transpose()?.flatten().map(Radius::In)
            }
        })
    }

    fn shapes(names: &Names, kind: Column) -> Result<Self> {
        let mut numbers = [const { None }; 15];
        for (number, field) in numbers.iter_mut().zip(FIELDS) {
            *number = names.find(&field.to_string())?;
        }
        let (angle, vertices) = (names.find("angle")?, names.find("vertices")?);
        let body = names.find("body")?;
        Ok(Header::Shapes(Box::new(ShapeColumns { kind, numbers, angle, vertices, body })))
    }

    /// The name of the compound that a row is a part of, if it is.
    pub(crate) fn body<'r>(&self, record: &'r Record) -> Option<&'r [u8]> {
        let Self::Shapes(columns) = self else { return None };
        let name = text(columns.body.as_ref()?, record);
        Some(name).filter(|name| !name.is_empty())
    }

    /// Describes how the columns are used.
    pub(crate) fn legend(&self, names: &Names) -> String {
        let others = names.legend_of_others();
        match self {
            Header::Points { at: [x, y], radius } => {
                let radius = match radius {
                    Some(radius) => Radius::legend(Some(radius)),
                    None => ", no radius".to_owned(),
                };
                format!("x from {x}, y from {y}{radius}{others}")
            }
            Header::Boxes { sides, radius } => {
                let radius = Radius::legend(radius.as_ref());
                let sides = sides.each_ref().map(|side| &*side.name);
                format!("sides from columns {}{radius}{others}", listed(sides))
            }
            #[cfg(feature = "maps")]
            Header::Geometries { column, radius } => {
                format!("WKT from {column}{}{others}", Radius::legend(radius.as_ref()))
            }
            Header::Shapes(columns) => {
                let ShapeColumns { kind, numbers, angle, vertices, body } = &**columns;
                let others = numbers.iter().chain([angle, vertices, body]).flatten();
                names.legend([kind].into_iter().chain(others))
            }
        }
    }
}
