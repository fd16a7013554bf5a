//! `Store`: shapes without columns, and sets of several kinds, as shapes of their own.

use widephase::{
    Body, Error, Shapes, World,
    doubles::{DoubleBox, Origin},
    shape::RoundedBox,
};

use crate::{memory, pools::Large};

/// The kinds of stores, as Python sees them.
const KINDS: [&str; 6] = ["polygons", "outlines", "chains", "half_planes", "compounds", "mixed"];

/// Shapes relative to an origin.
#[derive(Debug)]
pub struct Store {
    pub shapes: Large<Shapes>,
    pub origin: [f64; 2],
    /// Whether they were given in `f64`.
    pub double: bool,
    /// The kind that Python sees.
    pub name: &'static str,
}

impl Store {
    /// Some of the shapes.
    pub fn taken(&self, rows: &[u32]) -> Result<Self, Error> {
        let mut shapes = Shapes::new();
        shapes.extend_from_rows(self.shapes.columns(), rows)?;
        Ok(Self { shapes: Large::new(shapes), ..*self })
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
        let shapes = Large::new(World::restore(snapshot)?.shapes().clone());
        let (origin, double) = ([word(1), word(9)], head.first() == Some(&1));
        let name = KINDS.into_iter().find(|name| *name == kind).unwrap_or("mixed");
        Ok(Self { shapes, origin, double, name })
    }

    /// The shapes relative to another origin; `None` if the origin does not change.
    pub fn moved_to(&self, origin: [f64; 2]) -> Result<Option<Shapes>, Error> {
        if origin == self.origin {
            return Ok(None);
        }
        let [dx, dy] = [0, 1].map(|axis: usize| (self.origin[axis] - origin[axis]) as f32);
        memory::ask(self.shapes.bytes())?;
        let (mut shapes, rows) = (Shapes::clone(&self.shapes), self.shapes.rows());
        shapes.translate(&memory::filled(dx, rows)?, &memory::filled(dy, rows)?)?;
        Ok(Some(shapes))
    }
}

/// Shapes of `f64` as rounded boxes relative to an origin.
pub fn boxes(boxes: &[DoubleBox], origin: [f64; 2]) -> Result<Shapes, Error> {
    let place = Origin::at(origin);
    let mut shapes = Shapes::new();
    for shape in boxes {
        let ([min_x, min_y], [max_x, max_y]) =
            (place.relative(shape.min), place.relative(shape.max));
        let radius = shape.radius as f32;
        shapes.push(RoundedBox { min_x, min_y, max_x, max_y, radius })?;
    }
    Ok(shapes)
}
