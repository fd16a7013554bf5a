//! The test of bodies that are made of several circles, such as a ship with a hull and a nose;
//! strict.
//!
//! Two bodies collide when any circle of one collides with any circle of the other by
//! [`expanded_rect_strict::circle_circle`]. Touching does not count. The answer equals bit for bit
//! whether [`contract::overlap`](super::contract::overlap) under
//! [`Exclusive`](crate::Touching::Exclusive) accepts any pair of circles.

use super::expanded_rect_strict;
use crate::shape::Circle;

/// Whether any circle of one body overlaps any circle of the other; circles that only touch do not
/// count.
///
/// Any unit of length. A body without circles collides with nothing. O(n m) time; no allocation;
/// never panics.
///
/// ```
/// use widephase::reference::compound_circles::any_circle;
/// use widephase::shape::Circle;
///
/// let ship = [Circle::new([0.0, 0.0], 2.0), Circle::new([0.0, 3.0], 1.0)];
/// assert!(any_circle(&ship, &[Circle::new([0.0, 4.5], 1.0)])); // the nose
/// assert!(!any_circle(&ship, &[Circle::new([0.0, 5.0], 1.0)])); // touches it
/// ```
#[inline]
pub fn any_circle(a: &[Circle], b: &[Circle]) -> bool {
    a.iter().any(|&a| b.iter().any(|&b| expanded_rect_strict::circle_circle(a, b)))
}
