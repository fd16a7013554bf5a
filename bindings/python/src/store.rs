//! `Store`: polygons, and sets of several kinds, as shapes of their own.

use widephase::{
    Body, Error, Shapes, World,
    doubles::{DoubleBox, Origin},
    error::{Fault, Field, PolygonFault},
    shape::RoundedBox,
};

use crate::{column::Column, errors::Failure, memory};

/// Shapes relative to an origin.
#[derive(Debug)]
pub struct Store {
    pub shapes: Shapes,
    pub origin: [f64; 2],
    /// Whether they were given in `f64`.
    pub double: bool,
    /// The kind that Python sees.
    pub name: &'static str,
}

impl Store {
    /// Convex polygons: the vertices of all polygons, and the number of each.
    pub fn polygons(x: &Column, y: &Column, counts: &[i64]) -> Result<Self, Failure> {
        let double = x.is_double() || y.is_double();
        let (x, y) = (x.read::<f64>()?, y.read::<f64>()?);
        let both = x.iter().zip(y.iter()).map(|(x, y)| [*x, *y]);
        let vertices: Vec<[f64; 2]> = memory::listed(x.len().min(y.len()), both)?;
        let origin = if double {
            let points = widephase::doubles::DoubleColumns::points_at(&vertices)?;
            Origin::among(&points)
        } else {
            Origin::at([0.0; 2])
        };
        let origin = if origin.position().iter().all(|at| at.is_finite()) {
            origin
        } else {
            Origin::default()
        };
        let (mut shapes, mut rest) = (Shapes::new(), &vertices[..]);
        for (index, count) in counts.iter().enumerate() {
            let count = usize::try_from(*count).unwrap_or(usize::MAX);
            let Some((own, others)) = rest.split_at_checked(count) else {
                let (len, expected) = (vertices.len(), vertices.len() - rest.len() + count);
                return Err(Error::UnequalColumns { field: Field::X, len, expected }.into());
            };
            rest = others;
            check(own, index)?;
            let polygon = origin.polygon(own).map_err(|error| of_row(error, index))?;
            shapes.push(polygon).map_err(|error| of_row(error, index))?;
        }
        if !rest.is_empty() {
            let (len, expected) = (vertices.len(), vertices.len() - rest.len());
            return Err(Error::UnequalColumns { field: Field::X, len, expected }.into());
        }
        Ok(Self { shapes, origin: origin.position(), double, name: "polygons" })
    }

    /// Shapes of `f64` as rounded boxes relative to an origin.
    pub fn of_boxes(boxes: &[DoubleBox], origin: [f64; 2]) -> Result<Self, Error> {
        let place = Origin::at(origin);
        let mut shapes = Shapes::new();
        for shape in boxes {
            let ([min_x, min_y], [max_x, max_y]) =
                (place.relative(shape.min), place.relative(shape.max));
            let radius = shape.radius as f32;
            shapes.push(RoundedBox { min_x, min_y, max_x, max_y, radius })?;
        }
        Ok(Self { shapes, origin, double: true, name: "mixed" })
    }

    /// Some of the shapes.
    pub fn taken(&self, rows: &[u32]) -> Result<Self, Error> {
        let mut shapes = Shapes::new();
        for row in rows {
            if let Some(shape) = self.shapes.get(*row) {
                shapes.push(shape)?;
            }
        }
        Ok(Self { shapes, ..*self })
    }

    /// The shapes as bytes: a snapshot of a world that has them as bodies, behind what a world does
    /// not know.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        let (mut world, mut handles) = (World::new(), Vec::new());
        let bodies = memory::filled(Body::default(), self.shapes.rows())?;
        world.insert_all(self.shapes.columns(), &bodies, &mut handles)?;
        let mut bytes = vec![u8::from(self.double)];
        bytes.extend(self.origin.iter().flat_map(|at| at.to_le_bytes()));
        bytes.extend(world.snapshot());
        Ok(bytes)
    }

    /// The shapes of such bytes.
    pub fn from_bytes(bytes: &[u8], kind: &str) -> Result<Self, Error> {
        let (head, snapshot) = bytes.split_at(bytes.len().min(17));
        let word = |at: usize| {
            let word = head.get(at..).and_then(|rest| rest.first_chunk());
            f64::from_le_bytes(word.copied().unwrap_or_default())
        };
        let shapes = World::restore(snapshot)?.shapes().clone();
        let (origin, double) = ([word(1), word(9)], head.first() == Some(&1));
        Ok(Self {
            shapes,
            origin,
            double,
            name: if kind == "mixed" { "mixed" } else { "polygons" },
        })
    }

    /// The shapes relative to another origin; `None` if the origin does not change.
    pub fn moved_to(&self, origin: [f64; 2]) -> Result<Option<Shapes>, Error> {
        if origin == self.origin {
            return Ok(None);
        }
        let [dx, dy] = [0, 1].map(|axis: usize| (self.origin[axis] - origin[axis]) as f32);
        memory::ask(self.shapes.bytes())?;
        let (mut shapes, rows) = (self.shapes.clone(), self.shapes.rows());
        shapes.translate(&memory::filled(dx, rows)?, &memory::filled(dy, rows)?)?;
        Ok(Some(shapes))
    }
}

/// Checks vertices as they are given: a difference of infinite values is no number.
fn check(vertices: &[[f64; 2]], index: usize) -> Result<(), Failure> {
    for (vertex, at) in vertices.iter().enumerate() {
        for (value, field) in at.iter().zip([Field::X, Field::Y]) {
            let fault = if value.is_nan() { Fault::NotANumber } else { Fault::Infinite };
            if !value.is_finite() {
                let value32 = *value as f32;
                let fault = PolygonFault::Vertex { vertex, field, value: value32, fault };
                return Err(Failure::Library(Error::InvalidPolygon { index, fault }, Some(*value)));
            }
        }
    }
    Ok(())
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
