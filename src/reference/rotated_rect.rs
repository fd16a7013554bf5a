//! The test of a circle and a rotated rectangle in the frame of the rectangle; inclusive.
//!
//! The circle is rotated about the centre of the rectangle by the opposite angle. It stays a
//! circle, and the rectangle becomes axis-aligned. Then [`expanded_sides::circle_rect`] decides,
//! first by expanded sides and then by the nearest vertex.
//!
//! Touching counts, within the rounding of the rotation: the circle's centre is off by a few parts
//! in 2^24 of its distance from the rectangle's centre. With a rotation of 0 or a quarter turn,
//! only the differences and sums are rounded. Where they are exact, the answer equals
//! [`contract::overlap`](super::contract::overlap).

use super::expanded_sides;
use crate::shape::{Aabb, Circle, Obb, Rotation};

/// Whether a rotated rectangle and a circle touch or overlap.
///
/// Any unit of length. The rotation is used as given and should have length 1. Constant time; never
/// panics.
///
/// ```
/// use widephase::reference::rotated_rect::obb_circle;
/// use widephase::shape::{Circle, Obb, Rotation};
///
/// let vertical = Obb::new([1.0, 0.0], [4.0, 2.0], Rotation { cos: 0.0, sin: 1.0 });
/// assert!(obb_circle(vertical, Circle::new([6.0, 8.0], 5.0))); // the corner (3, 4) is 5 away
/// assert!(!obb_circle(vertical, Circle::new([6.0, 8.0], 4.75)));
/// ```
#[inline]
pub fn obb_circle(obb: Obb, circle: Circle) -> bool {
    let Obb { x, y, half_width, half_height, cos, sin } = obb;
    let back = Rotation { cos, sin: -sin };
    let center = back.apply([circle.x - x, circle.y - y]);
    let rect = Aabb::new([-half_width, -half_height], [half_width, half_height]);
    expanded_sides::circle_rect(Circle::new(center, circle.radius), rect)
}
