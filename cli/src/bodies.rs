//! The bodies of a scene as shapes, which a `World` takes.

use crate::scene::Scene;
use widephase::shape::{Aabb, Circle, OwnedShape, RoundedBox};

/// The bodies at their places, in the order of their rows.
pub(crate) fn shapes(scene: &Scene) -> Vec<OwnedShape> {
    match scene.shapes() {
        Some(shapes) => (0..shapes.rows() as u32).filter_map(|row| shapes.get(row)).collect(),
        None => scene.rounded_boxes().into_iter().map(simplest).collect(),
    }
}

/// The centre of a body.
pub(crate) fn center(body: RoundedBox) -> [f32; 2] {
    [(body.min_x + body.max_x) * 0.5, (body.min_y + body.max_y) * 0.5]
}

/// A rounded box as the simplest shape that it is.
fn simplest(body: RoundedBox) -> OwnedShape {
    let RoundedBox { min_x, min_y, max_x, max_y, radius } = body;
    if (min_x, min_y) == (max_x, max_y) {
        Circle::new([min_x, min_y], radius).into()
    } else if radius == 0.0 {
        Aabb { min_x, min_y, max_x, max_y }.into()
    } else {
        body.into()
    }
}
