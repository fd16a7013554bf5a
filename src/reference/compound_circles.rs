//! The test of bodies made of several circles, a ship of hull and nose for example; strict.
//!
//! Two bodies collide when any circle of one collides with any of the other by
//! [`expanded_rect_strict::circle_circle`]. Touching does not count. The answer is, bit for bit,
//! whether [`Exclusive`](crate::shape::Touching::Exclusive) of
//! [`contract::overlap`](super::contract::overlap) holds for any two of them.

use super::expanded_rect_strict;
use crate::shape::Circle;

/// Whether any circle of one body overlaps any of the other; circles that touch do not.
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
pub fn any_circle(a: &[Circle], b: &[Circle]) -> bool {
    a.iter().any(|&a| b.iter().any(|&b| expanded_rect_strict::circle_circle(a, b)))
}
