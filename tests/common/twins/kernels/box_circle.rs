//! A rotated box and a circle.

use super::{
    Answer, STRAIGHT, Spot,
    axis_aligned::{side, vertex},
    vector::{directed, dot, middle, minus, plus, times, turned, turned_back},
};
use widephase::reference::placed_shape::PlacedShape;

/// A rotated box and a circle, whose centre is rotated into the frame of the box.
///
/// The normal is the normal of the nearest side, or the direction from the nearest corner. If the
/// centre is within the box, it is the normal of the nearest side; of several sides, left, right,
/// lower, upper. The rotation into the frame rounds by a few parts in 2^24 of the distance of the
/// centres.
pub(crate) fn box_circle(a: &PlacedShape, b: &PlacedShape) -> Answer {
    let offset = minus(b.center, a.center);
    let radius = a.radius + b.radius;
    let center = turned_back(offset, a.axis);
    let gap = [center[0].abs() - a.half[0], center[1].abs() - a.half[1]];
    let beyond = [gap[0].max(0.0), gap[1].max(0.0)];
    let (length2, widest) = (dot(beyond, beyond), gap[0].max(gap[1]));
    let (is_right, is_above) = (center[0] > 0.0, center[1] > 0.0);
    let sign = |positive: bool| if positive { 1.0 } else { -1.0 };
    let both = gap[0] > 0.0 && gap[1] > 0.0;
    let way = [beyond[0] * sign(is_right), beyond[1] * sign(is_above)];
    let (direction, length) = directed(way, length2);
    let aligned = gap[0] < gap[1];
    let number = side(aligned, is_right, is_above);
    let (normal, distance, feature) = match direction.filter(|_| both) {
        // Nearly straight above the end of a side, the feature is the side.
        Some(direction) if widest < length * STRAIGHT => {
            (direction, length, vertex(is_right, is_above))
        }
        Some(direction) => (direction, length, number),
        None => {
            let normal = if aligned { [0.0, sign(is_above)] } else { [sign(is_right), 0.0] };
            (normal, widest, number)
        }
    };
    let normal = turned(normal, a.axis);
    let depth = radius - distance;
    let above = middle(distance, a.radius, b.radius) - distance;
    let at = plus(offset, times(normal, above));
    Answer { normal, depth, spots: vec![Spot { at, depth, features: [feature, 0] }] }
}
