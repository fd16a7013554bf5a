//! The strict tests commonly given for arcade games: circle-rectangle by an expanded rectangle,
//! then a corner, and the four simpler pairs. Touching never counts.
//!
//! Every comparison is strict, so this is the reference for
//! [`Exclusive`](crate::Touching::Exclusive). [`point_rect`] and [`rect_rect`] only compare,
//! and always equal [`contract::overlap`](super::contract::overlap). [`point_circle`] and
//! [`circle_circle`] compare squares as the contract does, and equal it bit for bit, underflow
//! included. Shapes of zero size are no exception: strictly inside counts, on the border does not,
//! and two coincident shapes of zero size never collide.
//!
//! [`circle_rect`] follows the same rule, and equals the contract where sums and differences are
//! exact. It differs in two ways. First, its expanded sides are rounded `f32` sums, off by up to
//! half the spacing of `f32` at that coordinate, however small the radius. The contract rounds the
//! gap, by one part in 2^24 of itself. At a side both roundings can only turn a slight overlap into
//! a miss, but they turn different overlaps. Second, a radius below 2^-63, whose square loses bits,
//! still counts at the sides, where the contract with its squares may miss the overlap.

use crate::shape::{Aabb, Circle, Point};

/// Whether a point lies strictly inside a circle; a point on the border does not.
///
/// Squared distance against squared radius, in `f32`. A circle of radius 0 contains nothing. Any
/// unit of length; constant time; never panics.
#[inline]
pub fn point_circle(point: Point, circle: Circle) -> bool {
    let dx = point.x - circle.x;
    let dy = point.y - circle.y;
    dx * dx + dy * dy < circle.radius * circle.radius
}

/// Whether a point lies strictly inside a rectangle; a point on a side does not.
///
/// A rectangle without width or height contains nothing. Any unit of length; constant time, four
/// comparisons; never panics.
#[inline]
pub fn point_rect(point: Point, rect: Aabb) -> bool {
    point.x > rect.min_x && point.x < rect.max_x && point.y > rect.min_y && point.y < rect.max_y
}

/// Whether two circles overlap; circles that only touch do not count.
///
/// Squared distance of the centres against the squared sum of the radii, in `f32`. Any unit of
/// length; constant time; never panics.
#[inline]
pub fn circle_circle(a: Circle, b: Circle) -> bool {
    let dx = a.x - b.x;
    let dy = a.y - b.y;
    let r = a.radius + b.radius;
    dx * dx + dy * dy < r * r
}

/// Whether two rectangles overlap; rectangles whose sides or corners only meet do not count.
///
/// A rectangle without width collides with a rectangle that it crosses, or inside which it strictly
/// lies. Any unit of length; constant time, four comparisons; never panics.
///
/// ```
/// use widephase::{reference::expanded_rect_strict::*, shape::{Aabb, Circle, Point}};
///
/// let rect = Aabb::new([0.0, 0.0], [2.0, 1.0]);
/// assert!(!rect_rect(rect, Aabb::new([2.0, 0.0], [3.0, 1.0]))); // a shared side does not count
/// assert!(point_rect(Point::new([1.0, 0.5]), rect) && !point_rect(Point::new([2.0, 0.5]), rect));
/// assert!(!point_circle(Point::new([3.0, 4.0]), Circle::new([0.0, 0.0], 5.0))); // on the border
/// ```
#[inline]
pub fn rect_rect(a: Aabb, b: Aabb) -> bool {
    a.max_x > b.min_x && a.min_x < b.max_x && a.max_y > b.min_y && a.min_y < b.max_y
}

/// Whether a circle and a rectangle overlap; touching does not count.
///
/// There is no collision outside the rectangle expanded by the radius. Inside it, there is one when
/// the centre is between two opposite sides. Otherwise there is one when the nearest corner lies
/// strictly inside the circle. Any unit of length; constant time; never panics.
///
/// ```
/// use widephase::reference::expanded_rect_strict::circle_rect;
/// use widephase::shape::{Aabb, Circle};
///
/// let rect = Aabb::new([3.0, 4.0], [9.0, 9.0]);
/// assert!(!circle_rect(Circle::new([0.0, 0.0], 5.0), rect)); // only touches the corner (3, 4)
/// assert!(circle_rect(Circle::new([0.0, 0.0], 5.25), rect));
/// ```
#[inline]
pub fn circle_rect(circle: Circle, rect: Aabb) -> bool {
    let Circle { x, y, radius } = circle;
    let expanded = Aabb {
        min_x: rect.min_x - radius,
        min_y: rect.min_y - radius,
        max_x: rect.max_x + radius,
        max_y: rect.max_y + radius,
    };
    if !point_rect(Point { x, y }, expanded) {
        return false;
    }
    let level_in_x = x > rect.min_x && x < rect.max_x;
    let level_in_y = y > rect.min_y && y < rect.max_y;
    if level_in_x || level_in_y {
        return true;
    }
    let corner = Point {
        x: if x <= rect.min_x { rect.min_x } else { rect.max_x },
        y: if y <= rect.min_y { rect.min_y } else { rect.max_y },
    };
    point_circle(corner, circle)
}
