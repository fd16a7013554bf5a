//! A half-plane and any other shape, in plain words and `f64`: the height of every corner above the
//! border.
//!
//! ```
//! use widephase::Touching;
//! use widephase::reference::{placed_shape::PlacedShape, half_plane::{contact, touches}};
//! use widephase::shape::{Aabb, HalfPlane};
//!
//! let floor = HalfPlane::new([0.0, 1.0], 2.0);
//! let sunk = PlacedShape::new(&Aabb::new([0.0, 1.75], [4.0, 3.0]), None).unwrap();
//! assert!(touches(&floor, &sunk, Touching::Exclusive));
//! let found = contact(&floor, &sunk, 0.0, Touching::Inclusive).unwrap();
//! assert_eq!((found.depth, found.points().len()), (0.25, 2));
//! # Ok::<(), widephase::Error>(())
//! ```

use super::placed_shape::PlacedShape;
use crate::{
    base::order::{by_key, f64_rank},
    narrowphase::{Contact, ContactPoint, Feature},
    shape::{HalfPlane, Touching},
};

/// The height of each corner of a body above the border, with its number, the lowest first.
fn heights(half_plane: &HalfPlane, body: &PlacedShape) -> Vec<(f64, usize)> {
    let [x, y] = half_plane.normal().to_array().map(f64::from);
    let height = |corner: &[f64; 2]| {
        let along = x * corner[0] + y * corner[1];
        along - f64::from(half_plane.offset)
    };
    let heights: Vec<f64> = body.corners.iter().map(height).collect();
    let order = by_key(&heights, |height| f64_rank(*height));
    order.into_iter().map(|(_, corner)| corner as usize).map(|at| (heights[at], at)).collect()
}

/// Whether a half-plane, whose normal has length 1, and another shape touch.
///
/// O(n log n) time for n corners. Never panics.
pub fn touches(half_plane: &HalfPlane, body: &PlacedShape, touching: Touching) -> bool {
    let Some((height, _)) = heights(half_plane, body).first().copied() else { return false };
    let radius = f64::from(body.radius);
    if touching == Touching::Inclusive { height <= radius } else { height < radius }
}

/// The contact from a half-plane, whose normal has length 1, to another shape that touches it or is
/// at most `margin` apart: at the lowest corner, and at the lower of the two beside it.
///
/// O(n log n) time for n corners. Never panics.
pub fn contact(
    half_plane: &HalfPlane,
    body: &PlacedShape,
    margin: f32,
    touching: Touching,
) -> Option<Contact> {
    let heights = heights(half_plane, body);
    let (radius, count) = (f64::from(body.radius), heights.len());
    let (lowest, first) = *heights.first()?;
    let near = margin > 0.0 && lowest - radius <= f64::from(margin);
    if !near && !touches(half_plane, body, touching) {
        return None;
    }
    let beside = |(_, number): &&(f64, usize)| {
        *number == (first + 1) % count || (*number + 1) % count == first
    };
    let second = heights.iter().filter(beside).find(|(_, number)| *number != first);
    let second = second.filter(|(height, number)| {
        body.corners[*number] != body.corners[first] && radius - height >= -f64::from(margin)
    });
    let normal = half_plane.normal().to_array();
    let mut points = [ContactPoint::default(); 2];
    let found = [Some((lowest, first)), second.copied()];
    for (point, (height, number)) in points.iter_mut().zip(found.into_iter().flatten()) {
        let down = (height + radius) * 0.5;
        let at = |axis: usize| body.corners[number][axis] - f64::from(normal[axis]) * down;
        *point = ContactPoint {
            x: at(0) as f32 + 0.0,
            y: at(1) as f32 + 0.0,
            depth: (radius - height) as f32 + 0.0,
            feature_a: Feature::side(0),
            feature_b: Feature::vertex(number),
        };
    }
    Some(Contact {
        normal_x: normal[0] + 0.0,
        normal_y: normal[1] + 0.0,
        depth: points[0].depth,
        count: 1 + u32::from(second.is_some()),
        point: points,
        ..Contact::default()
    })
}
