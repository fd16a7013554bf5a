//! A polygon and a circle.

use super::{
    Answer, SIDE, STRAIGHT, Spot,
    polygons::Corners,
    vector::{
        directed, directed_between_corners, dot, in_doubt, middle, minus, plus, reach, times,
        told_apart,
    },
};
use widephase::reference::placed_shape::PlacedShape;

/// A polygon and a circle: the side that the centre is furthest beyond. Outside, it is the nearest
/// side, or the vertex at its end if the centre is beyond that.
///
/// Catto, Box2D, "b2CollidePolygonAndCircle". Outside, all sides are tested, because roundings may
/// confuse two sides that are nearly parallel. Rounded as [`polygons`](super::polygons()). O(n)
/// time.
pub(crate) fn polygon_circle(a: &PlacedShape, b: &PlacedShape, margin: f32) -> Answer {
    let corners = Corners::of(a);
    let radius = a.radius + b.radius;
    let point = minus(b.center, a.center);
    let mut best = (f32::MIN, 0);
    for (side, (&vertex, &normal)) in corners.vertices.iter().zip(&corners.normals).enumerate() {
        let beyond = dot(normal, point) - dot(normal, vertex);
        if best.0 < beyond {
            best = (beyond, side);
        }
    }
    let (separation, best_side) = best;
    let (mut side, mut known) = (best_side, false);
    let reached = separation <= reach([a.center, b.center], point, radius, margin);
    if reached && (0.0 < separation || in_doubt(separation, point)) {
        // The nearest side that the centre is not behind, and the shortest distance from any side.
        let (mut nearest, mut shortest) = ((f32::MAX, 0), f32::MAX);
        for side in 0..corners.vertices.len() {
            let (length2, counts) = corners.face(side, a.radius).distance_to(point);
            if counts && length2 < nearest.0 {
                nearest = (length2, side);
            }
            shortest = shortest.min(length2);
        }
        // A vector that consists of rounding errors does not show which of two sides it begins at.
        // Neither does a longer vector, if roundings have put the centre behind the nearest side.
        let apart = told_apart(separation, shortest, point) > 0.0;
        let long = directed_between_corners(point, shortest, point).0.is_some();
        known = apart && long && nearest.0 <= shortest * 1.0625;
        if known {
            side = nearest.1;
        }
    }
    let face = corners.face(side, a.radius);
    let (way, way2, end) = face.way_to(point);
    let (normal, distance, feature) = match (end, directed(way, way2)) {
        (Some((_, vertex)), (Some(direction), length)) if known => {
            // Nearly straight above the end of a side, the feature is the side.
            let slanted = separation < length * STRAIGHT;
            (direction, length, if slanted { vertex } else { SIDE + best_side as u16 })
        }
        _ if known => (face.normal(), dot(way, face.normal()), face.number),
        _ => (face.normal(), separation, face.number),
    };
    let depth = if reached { radius - distance } else { f32::MIN };
    let above = middle(distance, a.radius, b.radius) - distance;
    let at = plus(point, times(normal, above));
    let spot = Spot { at, depth: radius - distance, features: [feature, 0] };
    Answer { normal, depth, spots: vec![spot] }
}
