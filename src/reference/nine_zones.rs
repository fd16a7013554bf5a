//! The nine-zone (Voronoi region) circle-rectangle test; inclusive.
//!
//! The lines through the sides of the rectangle cut the plane into three columns and three rows:
//!
//! ```text
//!   corner |  edge  | corner
//!  --------+--------+--------   max_y
//!    edge  | inside |  edge
//!  --------+--------+--------   min_y
//!   corner |  edge  | corner
//!        min_x    max_x
//! ```
//!
//! The zone of the circle's centre tells which part of the rectangle the circle hits first: an
//! inside centre always hits, an edge zone has one side to compare with, and a corner zone has one
//! corner.
//!
//! It equals [`contract::overlap`](super::contract::overlap) under
//! [`Inclusive`](crate::Touching::Inclusive) bit for bit, shapes of zero size included. A
//! centre on the line between two zones gets the same answer from either. The one exception is a
//! corner zone where the radius and both gaps are below 2^-63: there the squares underflow, and
//! this test may report a corner beyond the radius as hit.

use std::cmp::Ordering::{Equal, Greater, Less};

use crate::shape::{Aabb, Circle, Point};

/// Whether a circle and a rectangle touch or overlap, by the zone of the circle's centre.
///
/// Touching counts. Any unit of length; constant time, one branch of nine; never panics.
///
/// ```
/// use widephase::reference::nine_zones::circle_rect;
/// use widephase::shape::{Aabb, Circle};
///
/// let rect = Aabb::new([3.0, 4.0], [9.0, 9.0]);
/// assert!(circle_rect(Circle::new([0.0, 0.0], 5.0), rect)); // corner zone: (3, 4) is 5 away
/// assert!(!circle_rect(Circle::new([0.0, 5.0], 2.5), rect)); // edge zone: 3 to the side
/// ```
#[inline]
pub fn circle_rect(circle: Circle, rect: Aabb) -> bool {
    let Circle { x, y, radius } = circle;
    let Aabb { min_x, min_y, max_x, max_y } = rect;
    let corner = |x, y| point_in_circle(Point { x, y }, circle);
    match (third(x, min_x, max_x), third(y, min_y, max_y)) {
        (Less, Greater) => corner(min_x, max_y),
        (Equal, Greater) => y - max_y <= radius,
        (Greater, Greater) => corner(max_x, max_y),

        (Less, Equal) => min_x - x <= radius,
        (Equal, Equal) => true,
        (Greater, Equal) => x - max_x <= radius,

        (Less, Less) => corner(min_x, min_y),
        (Equal, Less) => min_y - y <= radius,
        (Greater, Less) => corner(max_x, min_y),
    }
}

/// Whether a point lies in a circle, border included. This test decides the corner zones.
///
/// Squared distance against squared radius, in `f32`. A circle of radius 0 contains its centre.
/// Where both squares underflow (coordinate differences and radius below 2^-75), points outside
/// pass too. Any unit of length; constant time; never panics.
///
/// ```
/// use widephase::{reference::nine_zones::point_in_circle, shape::{Circle, Point}};
///
/// assert!(point_in_circle(Point::new([3.0, 4.0]), Circle::new([0.0, 0.0], 5.0))); // on the border
/// ```
#[inline]
pub fn point_in_circle(point: Point, circle: Circle) -> bool {
    let dx = point.x - circle.x;
    let dy = point.y - circle.y;
    dx * dx + dy * dy <= circle.radius * circle.radius
}

/// The column or row of a coordinate: before `min`, between the two (ends included), after `max`.
#[inline]
fn third(coordinate: f32, min: f32, max: f32) -> std::cmp::Ordering {
    if coordinate < min {
        Less
    } else if coordinate > max {
        Greater
    } else {
        Equal
    }
}
