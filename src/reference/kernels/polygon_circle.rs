//! A polygon and a circle.

use super::{
    Answer, Spot,
    polygons::Corners,
    vector::{
        directed, directed_between_corners, dot, in_doubt, middle, minus, plus, times, told_apart,
        within,
    },
};
use crate::reference::body::Body;

/// A polygon and a circle: the side that the centre is furthest beyond; outside, the nearest side, and
/// beyond its ends the vertex there.
///
/// Catto, Box2D, "b2CollidePolygonAndCircle"; outside, all sides are looked at, because roundings may take
/// one of two nearly straight sides for the other. Rounded as [`polygons`](super::polygons()). O(n) time.
pub fn polygon_circle(a: &Body, b: &Body, margin: f32, inclusive: bool) -> Answer {
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
    let (mut separation, mut side) = best;
    let (mut shortest, mut known) = (0.0, false);
    if radius + margin < separation {
        return Answer::OUT_OF_REACH;
    }
    if 0.0 < separation || in_doubt(separation, point) {
        // The nearest of the sides that it is not behind; and how near any is.
        let mut nearest = (f32::MAX, 0);
        shortest = f32::MAX;
        for side in 0..corners.vertices.len() {
            let (length2, counts) = corners.face(side, a.radius).distance_to(point);
            if counts && length2 < nearest.0 {
                nearest = (length2, side);
            }
            shortest = shortest.min(length2);
        }
        separation = told_apart(separation, shortest, point);
        let apart = separation > 0.0;
        if !apart {
            shortest = 0.0;
        }
        // A way that is made of roundings does not tell which of two sides it begins at.
        // Nor does a longer one, where roundings have put the centre below the nearest side.
        let long = directed_between_corners(point, shortest, point).0.is_some();
        known = apart && long && nearest.0 <= shortest * 1.0625;
        if known {
            side = nearest.1;
        }
    }
    let face = corners.face(side, a.radius);
    let (way, way2, end) = face.way_to(point);
    let touching = within(separation, shortest, radius, inclusive);
    let (normal, distance, feature) = match (end, directed(way, way2)) {
        (Some((_, vertex)), (Some(direction), length)) if known => (direction, length, vertex),
        _ if known => (face.normal(), dot(way, face.normal()), face.number),
        _ => (face.normal(), separation, face.number),
    };
    let depth = radius - distance;
    let above = middle(distance, a.radius, b.radius) - distance;
    let at = plus(point, times(normal, above));
    Answer { touching, normal, depth, spots: vec![Spot { at, depth, features: [feature, 0] }] }
}
