//! The circle-rectangle test by expanded sides, then the nearest vertex; inclusive.
//!
//! Push the left and right sides out by the radius. Then, on the original rectangle, push out the
//! lower and upper sides. The two rectangles form a cross, and the circle hits when its centre lies
//! in the cross. The rounded rectangle minus the cross is a quarter disc at each vertex. So outside
//! the cross, the circle hits when the vertex nearest to its centre lies in it.
//!
//! The test follows the rule of [`Inclusive`](crate::Touching::Inclusive). Where sums and
//! differences are exact it gives the answer of [`contract::overlap`](super::contract::overlap),
//! shapes of zero size included. The two differ in the value that is rounded. This test rounds the
//! sum of a side and the radius, so the side moves by up to half the spacing of `f32` at that
//! coordinate, however small the radius. The contract rounds the gap, by one part in 2^24 of
//! itself. At a side both roundings can only turn a near miss into a hit, but they turn different
//! misses. As in every plain test by squares, a vertex beyond a radius below 2^-63 may pass.

use crate::shape::{Aabb, Circle};

/// Whether a circle and a rectangle touch or overlap: the centre lies in the cross of expanded
/// sides, or the nearest vertex lies in the circle.
///
/// Touching counts, within the rounding of the expanded sides. Any unit of length; constant time;
/// never panics.
///
/// ```
/// use widephase::reference::expanded_sides::circle_rect;
/// use widephase::shape::{Aabb, Circle};
///
/// let rect = Aabb::new([3.0, 4.0], [9.0, 9.0]);
/// assert!(circle_rect(Circle::new([1.0, 5.0], 2.0), rect)); // on the left side moved out to 1
/// assert!(circle_rect(Circle::new([0.0, 0.0], 5.0), rect)); // the vertex (3, 4) is 5 away
/// assert!(!circle_rect(Circle::new([0.0, 0.0], 4.5), rect));
/// ```
#[inline]
pub fn circle_rect(circle: Circle, rect: Aabb) -> bool {
    let Circle { x, y, radius } = circle;
    let Aabb { min_x, min_y, max_x, max_y } = rect;

    let in_column = min_x <= x && x <= max_x;
    let in_row = min_y <= y && y <= max_y;
    if in_row && min_x - radius <= x && x <= max_x + radius {
        return true;
    }
    if in_column && min_y - radius <= y && y <= max_y + radius {
        return true;
    }

    let dx = x - nearer(x, min_x, max_x);
    let dy = y - nearer(y, min_y, max_y);
    dx * dx + dy * dy <= radius * radius
}

/// Returns the nearer of two sides to a coordinate, the first one when it is half-way.
#[inline]
fn nearer(coordinate: f32, min: f32, max: f32) -> f32 {
    if (coordinate - min).abs() <= (coordinate - max).abs() { min } else { max }
}
