//! Rays and points near the shapes of a store.

use widephase::{Ray, Shapes};

use common::{Rng, pow2};

/// A point near a shape.
pub(crate) fn place(shapes: &Shapes, rng: &mut Rng) -> [f32; 2] {
    let row = rng.below(shapes.rows() as u64) as u32;
    let bounds = shapes.bounds(row).unwrap();
    let size = (bounds.max_x - bounds.min_x) + bounds.radius;
    match rng.below(3) {
        0 => [bounds.min_x, bounds.max_y],
        1 => [bounds.min_x - bounds.radius, bounds.min_y],
        _ => {
            [bounds.min_x + size * rng.range(-2.0, 2.0), bounds.min_y + size * rng.range(-2.0, 2.0)]
        }
    }
}

/// A ray from near one shape towards another shape, or a special ray.
pub(crate) fn ray(shapes: &Shapes, rng: &mut Rng) -> Ray {
    let (a, b) = (place(shapes, rng), place(shapes, rng));
    let ray = Ray::segment(a, b);
    match rng.below(8) {
        0 => Ray { dx: 0.0, ..ray },
        1 => Ray { dy: 0.0, ..ray },
        2 => Ray { dx: 0.0, dy: -0.0, ..ray },
        3 => Ray { dx: ray.dx * pow2(-60), dy: ray.dy * pow2(-60), max_fraction: f32::MAX, ..ray },
        4 => ray.up_to(f32::INFINITY),
        5 => ray.up_to(rng.range(0.0, 2.0)),
        _ => ray,
    }
}
