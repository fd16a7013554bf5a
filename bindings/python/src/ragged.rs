//! Shapes of many vertices or parts: polygons, outlines, chains, half-planes, compounds.

use numpy::{PyReadonlyArray1, PyUntypedArray};
use pyo3::prelude::*;
use widephase::{
    Error,
    doubles::{DoubleColumns, Origin},
    error::{Fault, Field, OutlineFault, PolygonFault},
    shape::{Chain, Compound, ConvexPolygon, HalfPlane, OwnedShape, Part, Pose, Sides},
};

use crate::{
    chunks::answers,
    column::Column,
    errors::{Failure, shape_error},
    memory,
    options::RunOptions,
    pools::Large,
    run::{are_many, run},
    shapes::{Shapes, values},
    store::Store,
};

/// A vertex takes about as long as this number of rows of a call.
const ROWS_OF_A_VERTEX: usize = 64;

/// At most, with its share of the blocks that lists of vertices are in.
const BYTES_OF_A_VERTEX: usize = 128;

#[pymethods]
impl Shapes {
    /// Convex polygons: the vertices of all polygons, the number of each, and the radii around
    /// them.
    #[staticmethod]
    #[pyo3(signature = (x, y, counts, radius))]
    fn polygons(
        py: Python<'_>,
        x: &Bound<'_, PyUntypedArray>,
        y: &Bound<'_, PyUntypedArray>,
        counts: PyReadonlyArray1<'_, i64>,
        radius: Option<&Bound<'_, PyUntypedArray>>,
    ) -> PyResult<Self> {
        let given = Given::new(x, y)?;
        let radius = radius.map(|radius| Column::new(radius, "radius")).transpose()?;
        let counts = values(&counts)?;
        made(py, given, "polygons", move |Vertices { at, origin, .. }| {
            let rings = pieces(at, &counts)?;
            let polygon = |row: usize| {
                check_polygon(rings[row], row)?;
                let polygon = origin.polygon(rings[row]);
                let around = radius.as_ref().and_then(|radius| radius.get(row)).unwrap_or(0.0);
                let polygon = polygon.and_then(|polygon| polygon.with_radius(around as f32));
                Ok(polygon.map_err(|error| of_row(error, row))?.into())
            };
            answers(rings.len(), 1, &polygon)
        })
    }

    /// Areas: the vertices of all rings, the number of each, the number of rings of each polygon,
    /// and the number of polygons of each area; relative to an origin, if there is one.
    #[staticmethod]
    #[pyo3(signature = (x, y, counts, rings, polygons, origin))]
    fn outlines(
        py: Python<'_>,
        x: &Bound<'_, PyUntypedArray>,
        y: &Bound<'_, PyUntypedArray>,
        counts: PyReadonlyArray1<'_, i64>,
        rings: PyReadonlyArray1<'_, i64>,
        polygons: PyReadonlyArray1<'_, i64>,
        origin: Option<[f64; 2]>,
    ) -> PyResult<Self> {
        let given = Given { origin, ..Given::new(x, y)? };
        let (counts, rings, polygons) = (values(&counts)?, values(&rings)?, values(&polygons)?);
        let threads = RunOptions::default().threads_for(given.x.len() * ROWS_OF_A_VERTEX);
        made(py, given, "outlines", move |Vertices { at, origin, .. }| {
            let all: Vec<Vec<[f64; 2]>> =
                pieces(at, &counts)?.into_iter().map(<[_]>::to_vec).collect();
            let outlines = pieces(&all, &rings)?;
            let areas = pieces(&outlines, &polygons)?;
            let area = |row: usize| {
                for (ring, vertices) in areas[row].iter().copied().flatten().enumerate() {
                    check_ring(vertices, row, ring)?;
                }
                let area = origin.outlines(areas[row]);
                Ok(area.map_err(|error| of_outline(error, row))?.into())
            };
            answers(areas.len(), threads, &area)
        })
    }

    /// Chains, of which each segment is a row.
    #[staticmethod]
    fn chains(
        py: Python<'_>,
        x: &Bound<'_, PyUntypedArray>,
        y: &Bound<'_, PyUntypedArray>,
        counts: PyReadonlyArray1<'_, i64>,
        closed: bool,
        sides: &str,
    ) -> PyResult<Self> {
        let sides = match sides {
            "both" => Sides::Both,
            "left" => Sides::Left,
            "right" => Sides::Right,
            name => {
                let message = format!("sides: 'both', 'left' or 'right', not {name:?}");
                return Err(shape_error(&message, None, "sides"));
            }
        };
        let (given, counts) = (Given::new(x, y)?, values(&counts)?);
        made(py, given, "chains", move |Vertices { at, origin, .. }| {
            let mut segments: Vec<OwnedShape> = memory::with_room(at.len())?;
            for (row, own) in pieces(at, &counts)?.into_iter().enumerate() {
                check_polygon(own, row)?;
                let own: Vec<[f32; 2]> = own.iter().map(|at| origin.relative(*at)).collect();
                let chain = if closed { Chain::closed(&own) } else { Chain::open(&own) };
                let chain = chain.map_err(|error| of_outline(error, row))?.with_sides(sides);
                segments.extend(chain.segments().map(OwnedShape::from));
            }
            Ok(segments)
        })
    }

    /// Half-planes: a point on the border of each, and its outward normal.
    #[staticmethod]
    fn half_planes(
        py: Python<'_>,
        x: &Bound<'_, PyUntypedArray>,
        y: &Bound<'_, PyUntypedArray>,
        normal_x: &Bound<'_, PyUntypedArray>,
        normal_y: &Bound<'_, PyUntypedArray>,
    ) -> PyResult<Self> {
        let given = Given::new(x, y)?;
        let normals = [Column::new(normal_x, "normal_x")?, Column::new(normal_y, "normal_y")?];
        made(py, given, "half_planes", move |Vertices { at, origin, .. }| {
            let (x, y) = (normals[0].read::<f64>()?, normals[1].read::<f64>()?);
            let half_plane = |(row, at): (usize, &[f64; 2])| {
                let normal = one_long([x[row], y[row]]);
                HalfPlane::through(origin.relative(*at), normal).into()
            };
            let half_planes = at.iter().enumerate().map(half_plane);
            Ok(memory::listed(at.len(), half_planes)?)
        })
    }

    /// Compounds of parts: the number of parts of each. One part alone is that shape.
    #[staticmethod]
    #[pyo3(signature = (parts, counts, origin))]
    fn compounds(
        py: Python<'_>,
        parts: &Shapes,
        counts: PyReadonlyArray1<'_, i64>,
        origin: Option<[f64; 2]>,
    ) -> PyResult<Self> {
        let (held, counts) = (parts.hold(py)?, values(&counts)?);
        let origin = origin.map_or_else(|| held.origin(), Ok).map_err(Failure::from)?;
        let double = held.is_double();
        let store = run(py, are_many(held.len()), 1, move || {
            let mut shapes = widephase::Shapes::new();
            held.relative(origin, |columns| shapes.extend_from_columns(columns))
                .map_err(|error| held.failure(error))?;
            let rows = shapes.rows();
            // Polygons have their vertices in memory of their own.
            memory::ask(shapes.bytes())?;
            let parts: Vec<Part> = answers(rows, 1, &|row: usize| part(&shapes, row))?;
            let pieces = pieces(&parts, &counts)?;
            let compound = |row: usize| match pieces[row] {
                [part] => Ok(OwnedShape::Single(part.clone())),
                parts => match Compound::new(parts.iter().cloned()) {
                    Ok(compound) => Ok(compound.into()),
                    Err(error) => Err(refused(row, "parts", None, format!("row {row}: {error}"))),
                },
            };
            stored(&answers(pieces.len(), 1, &compound)?, origin, double, "compounds")
        })?;
        Ok(Self::of_store(store))
    }
}

/// Vertices in the arrays of the caller. Without an origin, it is among them.
struct Given {
    x: Column,
    y: Column,
    origin: Option<[f64; 2]>,
}

impl Given {
    fn new(x: &Bound<'_, PyUntypedArray>, y: &Bound<'_, PyUntypedArray>) -> PyResult<Self> {
        Ok(Self { x: Column::new(x, "x")?, y: Column::new(y, "y")?, origin: None })
    }
}

/// Vertices, and the origin of their shapes.
struct Vertices {
    at: Vec<[f64; 2]>,
    double: bool,
    origin: Origin,
}

impl Vertices {
    fn read(given: &Given) -> Result<Self, Failure> {
        let double = given.x.is_double() || given.y.is_double();
        let (x, y) = (given.x.read::<f64>()?, given.y.read::<f64>()?);
        let both = x.iter().zip(y.iter()).map(|(x, y)| [*x, *y]);
        let at: Vec<[f64; 2]> = memory::listed(x.len(), both)?;
        let mut origin = given.origin.map_or_else(Origin::default, Origin::at);
        if double && given.origin.is_none() {
            let among = Origin::among(&DoubleColumns::points_at(&at)?);
            // Values that are refused choose no origin.
            if among.position().iter().all(|at| at.is_finite()) {
                origin = among;
            }
        }
        Ok(Self { at, double, origin })
    }
}

/// The shapes that `work` makes of vertices, as a store of this kind.
fn made(
    py: Python<'_>,
    given: Given,
    name: &'static str,
    work: impl FnOnce(&Vertices) -> Result<Vec<OwnedShape>, Failure> + Send + 'static,
) -> PyResult<Shapes> {
    let rows = given.x.len() * ROWS_OF_A_VERTEX;
    let threads = RunOptions::default().threads_for(rows);
    let store = run(py, are_many(rows), threads, move || {
        let vertices = Vertices::read(&given)?;
        // Each shape has its vertices in memory of its own.
        memory::ask(vertices.at.len().saturating_mul(BYTES_OF_A_VERTEX))?;
        stored(&work(&vertices)?, vertices.origin.position(), vertices.double, name)
    })?;
    Ok(Shapes::of_store(store))
}

fn stored(
    list: &[OwnedShape],
    origin: [f64; 2],
    double: bool,
    name: &'static str,
) -> Result<Store, Failure> {
    let mut shapes = widephase::Shapes::new();
    shapes.extend_from_slice(list)?;
    Ok(Store { shapes: Large::new(shapes), origin, double, name })
}

/// A normal of any length, 1 long; one that has no direction as it is. A length that is 1 within a
/// rounding of `f32` stays.
fn one_long([x, y]: [f64; 2]) -> [f32; 2] {
    let length = x.hypot(y);
    let known = length.is_finite() && length > 0.0;
    let is_one = (length - 1.0).abs() <= f64::from(f32::EPSILON);
    let length = if known && !is_one { length } else { 1.0 };
    [(x / length) as f32, (y / length) as f32]
}

/// The items in pieces of these lengths, which are all items.
fn pieces<'a, T>(items: &'a [T], counts: &[i64]) -> Result<Vec<&'a [T]>, Failure> {
    let (mut found, mut rest) = (memory::with_room(counts.len())?, items);
    for count in counts {
        let count = usize::try_from(*count).unwrap_or(usize::MAX);
        let (own, others) = rest.split_at_checked(count).unwrap_or((&[], &[]));
        if own.len() != count {
            let (len, expected) = (items.len(), (items.len() - rest.len()).saturating_add(count));
            return Err(Error::UnequalColumns { field: Field::X, len, expected }.into());
        }
        found.push(own);
        rest = others;
    }
    if rest.is_empty() {
        return Ok(found);
    }
    let (len, expected) = (items.len(), items.len() - rest.len());
    Err(Error::UnequalColumns { field: Field::X, len, expected }.into())
}

/// A row of a store as a part of a compound.
fn part(shapes: &widephase::Shapes, row: usize) -> Result<Part, Failure> {
    let (shape, pose) = (shapes.get(row as u32), shapes.pose(row as u32).unwrap_or_default());
    match shape {
        // Its own vertices, which the pose places: sets of other origins have been moved.
        Some(OwnedShape::Single(Part::Polygon(polygon))) if pose != Pose::default() => {
            let place = |at: &widephase::glam::Vec2| [at.x + pose.x, at.y + pose.y];
            let vertices: Vec<[f32; 2]> = polygon.vertices().iter().map(place).collect();
            let moved = ConvexPolygon::new(&vertices);
            let moved = moved.and_then(|moved| moved.with_radius(polygon.radius()));
            Ok(Part::Polygon(moved.map_err(|error| of_row(error, row))?))
        }
        Some(OwnedShape::Single(part)) => Ok(part),
        _ => {
            let message = format!(
                "parts: row {row} is no part: compounds consist of points, circles, boxes, rounded \
                 and rotated boxes, capsules, segments and convex polygons"
            );
            Err(refused(row, "parts", None, message))
        }
    }
}

fn refused(row: usize, field: &str, value: Option<f64>, message: String) -> Failure {
    Failure::Shape { message, row, field: field.to_owned(), value }
}

/// Checks vertices as they are given: a difference of infinite values is no number.
fn check_polygon(vertices: &[[f64; 2]], index: usize) -> Result<(), Failure> {
    let Some((vertex, field, value)) = not_finite(vertices) else { return Ok(()) };
    let fault = if value.is_nan() { Fault::NotANumber } else { Fault::Infinite };
    let fault = PolygonFault::Vertex { vertex, field, value: value as f32, fault };
    Err(Failure::Library(Error::InvalidPolygon { index, fault }, Some(value)))
}

/// The check for a ring of an area.
fn check_ring(vertices: &[[f64; 2]], row: usize, ring: usize) -> Result<(), Failure> {
    let Some((vertex, field, value)) = not_finite(vertices) else { return Ok(()) };
    let message = format!("row {row}, ring {ring}, vertex {vertex}: {field} is {value}");
    Err(refused(row, &field.to_string(), Some(value), message))
}

/// The first value that is not finite, and its place.
fn not_finite(vertices: &[[f64; 2]]) -> Option<(usize, Field, f64)> {
    let vertex = vertices.iter().position(|at| !at.iter().all(|at| at.is_finite()))?;
    let [x, y] = vertices[vertex];
    Some(if x.is_finite() { (vertex, Field::Y, y) } else { (vertex, Field::X, x) })
}

/// The error of an area or a chain as the error of a row.
fn of_outline(error: Error, row: usize) -> Failure {
    let message = format!("row {row}: {error}");
    match error {
        Error::InvalidOutline { fault: OutlineFault::Vertex { field, value, .. }, .. } => {
            refused(row, &field.to_string(), Some(f64::from(value)), message)
        }
        _ => refused(row, "vertices", None, message),
    }
}

/// The error of a single polygon as the error of a row.
fn of_row(error: Error, index: usize) -> Failure {
    Failure::from(match error {
        Error::InvalidPolygon { fault, .. } => Error::InvalidPolygon { index, fault },
        Error::InvalidShape { field, value, fault, .. } => {
            Error::InvalidShape { index, field, value, fault }
        }
        error => error,
    })
}
