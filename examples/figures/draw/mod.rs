//! The figures, as SVG.

mod axes;
mod cast;
mod charts;
mod minkowski;
mod nearest;
mod picture;
mod points;
mod ray;
mod scan;
mod svg;
mod zones;

use widephase::{Contact, Error, narrowphase::contact, shape::Shape};

/// All figures: file names and contents.
pub(crate) fn all() -> Result<[(&'static str, String); 10], Error> {
    Ok([
        ("zones.svg", zones::figure()?),
        ("minkowski.svg", minkowski::figure()?),
        ("axes.svg", axes::figure()?),
        ("points.svg", points::figure()?),
        ("ray.svg", ray::figure()?),
        ("scan.svg", scan::figure()?),
        ("cast.svg", cast::figure()?),
        ("nearest.svg", nearest::figure()?),
        ("levels.svg", charts::levels()),
        ("peers.svg", charts::peers()),
    ])
}

/// The contact of two shapes that are no further apart than `margin`.
fn contact_of(a: impl Shape, b: impl Shape, margin: f32) -> Result<Option<Contact>, Error> {
    contact(&a, &b, margin)
}

/// A vector of length `way` along the normal of a contact.
fn along(contact: &Contact, way: f32) -> [f32; 2] {
    [contact.normal().x * way, contact.normal().y * way]
}

fn plus([x, y]: [f32; 2], [dx, dy]: [f32; 2]) -> [f32; 2] {
    [x + dx, y + dy]
}

fn dot([x, y]: [f32; 2], [dx, dy]: [f32; 2]) -> f32 {
    x * dx + y * dy
}

/// The fractional part of a multiple of an irrational step: values that are spread evenly.
fn fraction_of(number: usize, step: f64) -> f32 {
    (number as f64 * step).fract() as f32
}
