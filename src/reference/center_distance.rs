//! The circle-circle test by the distance of the centres, with the square root; inclusive.
//!
//! The contract compares squares. A root rounds once more, and in the direction of a hit: the root
//! of a rounded `r * r` is `r` again. So whatever [`contract::overlap`](super::contract::overlap)
//! accepts under [`Inclusive`](crate::Touching::Inclusive) passes here too, but circles a
//! few parts in 2^24 apart can pass as well. On numbers whose squares are exact (small integers, or
//! those times a power of two) the two agree. The other difference is underflow: with the sum of
//! the radii below 2^-63, circles that close to each other may pass, or may be missed.

use crate::shape::Circle;

/// Whether two circles touch or overlap: the distance of the centres is at most the sum of the
/// radii.
///
/// Touching counts, within the rounding of the root. Circles of radius 0 touch when they coincide.
/// Any unit of length; constant time, one square root; never panics.
///
/// ```
/// use widephase::reference::center_distance::circle_circle;
/// use widephase::shape::Circle;
///
/// assert!(circle_circle(Circle::new([0.0, 0.0], 2.0), Circle::new([3.0, 4.0], 3.0)));
/// assert!(!circle_circle(Circle::new([0.0, 0.0], 2.0), Circle::new([3.0, 4.0], 2.75)));
/// ```
#[inline]
pub fn circle_circle(a: Circle, b: Circle) -> bool {
    let dx = a.x - b.x;
    let dy = a.y - b.y;
    (dx * dx + dy * dy).sqrt() <= a.radius + b.radius
}
