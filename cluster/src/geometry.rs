//! A shape as floats, and back.
//!
//! | kind | floats |
//! |---|---|
//! | circle | radius |
//! | box | half width, half height |
//! | rounded box | half width and half height of the core, radius |
//! | rotated box | half width, half height |
//! | capsule | half length, radius |
//! | polygon | x and y of each vertex |
//! | circles | x, y and radius of each |
//!
//! The shapes are at the origin. The pose of the record places them, so a body has the same bits on
//! every rank, however often it was sent.

use anyhow::{Context, Result, bail};
use widephase::{
    Shapes,
    shape::{
        Aabb, Capsule, Circle, Compound, ConvexPolygon, Obb, OwnedShape, Part, Rotation, RoundedBox,
    },
};

use crate::record::Record;

pub(crate) const CIRCLE: u16 = 0;
const BOX: u16 = 1;
const ROUNDED_BOX: u16 = 2;
const ROTATED_BOX: u16 = 3;
const CAPSULE: u16 = 4;
const POLYGON: u16 = 5;
const CIRCLES: u16 = 6;

/// The kind and the floats of an axis-aligned shape.
pub(crate) fn of_bounds(shape: RoundedBox, floats: &mut Vec<f32>) -> u16 {
    let RoundedBox { min_x, min_y, max_x, max_y, radius } = shape;
    let half = [(max_x - min_x) * 0.5, (max_y - min_y) * 0.5];
    if half == [0.0; 2] {
        floats.push(radius);
        return CIRCLE;
    }
    floats.extend(half);
    if radius == 0.0 {
        return BOX;
    }
    floats.push(radius);
    ROUNDED_BOX
}

/// The kind and the floats of a rotated shape.
pub(crate) fn of_rotated(shape: &OwnedShape, floats: &mut Vec<f32>) -> Result<u16> {
    Ok(match shape {
        OwnedShape::Single(Part::Obb(rotated)) => {
            floats.extend([rotated.half_width, rotated.half_height]);
            ROTATED_BOX
        }
        OwnedShape::Single(Part::Capsule(capsule)) => {
            let Capsule { ax, ay, bx, by, radius } = *capsule;
            floats.extend([((bx - ax).powi(2) + (by - ay).powi(2)).sqrt() * 0.5, radius]);
            CAPSULE
        }
        OwnedShape::Single(Part::Polygon(polygon)) => {
            floats.extend(polygon.vertices().iter().flat_map(|vertex| vertex.to_array()));
            POLYGON
        }
        OwnedShape::Compound(compound) => {
            for part in compound.parts() {
                let Part::Circle(circle) = part else { bail!("a compound of {part:?}") };
                floats.extend([circle.x, circle.y, circle.radius]);
            }
            CIRCLES
        }
        other => bail!("no such bodies: {other:?}"),
    })
}

/// Whether bodies of a kind rotate.
pub(crate) fn rotates(kind: u16) -> bool {
    kind >= ROTATED_BOX
}

/// The radius of a circle around the position of a body that has all of its shape, up to rounding.
pub(crate) fn radius_around(kind: u16, floats: &[f32]) -> f32 {
    let farthest = |points: std::slice::ChunksExact<'_, f32>| {
        let distances = points.map(|point| point[0].hypot(point[1]) + point.get(2).unwrap_or(&0.0));
        distances.fold(0.0, f32::max)
    };
    match kind {
        POLYGON => farthest(floats.chunks_exact(2)),
        CIRCLES => farthest(floats.chunks_exact(3)),
        // Half sizes and radii.
        _ => floats.iter().sum(),
    }
}

/// Puts a body into a row of a store: the next one, or one that exists.
pub(crate) fn put(shapes: &mut Shapes, row: u32, record: &Record, floats: &[f32]) -> Result<()> {
    let shape = shape_of(record, floats).with_context(|| format!("body {}", record.id))?;
    if row as usize == shapes.rows() {
        shapes.push(&shape)
    } else {
        shapes.set(row, &shape).map(|()| row)
    }
    .and_then(|row| match record.kind {
        CIRCLE => Ok(()),
        _ => shapes.set_pose(row, record.pose()),
    })
    .with_context(|| format!("body {}", record.id))
}

/// The shape of a body: a circle at its position, all others at the origin.
fn shape_of(record: &Record, floats: &[f32]) -> Result<OwnedShape> {
    let around = |half: [f32; 2]| Aabb::centered([0.0; 2], half);
    Ok(match (record.kind, floats) {
        (CIRCLE, &[radius]) => Circle::new([record.x, record.y], radius).into(),
        (BOX, &[width, height]) => around([width, height]).into(),
        (ROUNDED_BOX, &[width, height, radius]) => {
            RoundedBox::new(around([width, height]), radius).into()
        }
        (ROTATED_BOX, &[width, height]) => {
            Obb::new([0.0; 2], [width, height], Rotation::IDENTITY).into()
        }
        (CAPSULE, &[half, radius]) => Capsule::new([-half, 0.0], [half, 0.0], radius).into(),
        (POLYGON, coordinates) if coordinates.len() % 2 == 0 => {
            ConvexPolygon::new(bytemuck::cast_slice::<f32, [f32; 2]>(coordinates))?.into()
        }
        (CIRCLES, values) if values.len() % 3 == 0 => {
            let circles = bytemuck::cast_slice::<f32, [f32; 3]>(values);
            let parts = circles.iter().map(|&[x, y, radius]| Circle::new([x, y], radius));
            OwnedShape::Compound(Compound::new(parts)?)
        }
        (kind, floats) => bail!("no shape of kind {kind} has {} floats", floats.len()),
    })
}
