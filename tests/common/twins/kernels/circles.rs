//! Two circles.

use super::{
    Answer, Spot,
    vector::{directed, dot, middle, minus, times},
};
use widephase::reference::placed_shape::PlacedShape;

/// Two circles: the distance of the centres, less the radii.
///
/// The normal is the direction between the centres, or (1, 0) if they are less than 2^-50 apart.
/// The length is rounded four times.
pub(crate) fn circles(a: &PlacedShape, b: &PlacedShape) -> Answer {
    let offset = minus(b.center, a.center);
    let radius = a.radius + b.radius;
    let length2 = dot(offset, offset);
    let (direction, length) = directed(offset, length2);
    let normal = direction.unwrap_or([1.0, 0.0]);
    let depth = radius - length;
    let at = times(normal, middle(length, a.radius, b.radius));
    Answer { normal, depth, spots: vec![Spot { at, depth, features: [0, 0] }] }
}
