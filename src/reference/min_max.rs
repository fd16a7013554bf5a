//! The min/max test of two axis-aligned rectangles; inclusive.
//!
//! Two rectangles are apart exactly when one ends before the other begins, in x or in y. The test
//! only compares and computes nothing. So the answer is exact at every magnitude, and always equals
//! [`contract::overlap`](super::contract::overlap) under
//! [`Inclusive`](crate::Touching::Inclusive), rectangles of zero size included.

use crate::shape::Aabb;

/// Whether two rectangles touch or overlap: neither ends before the other begins.
///
/// Sides and corners that meet count. Any unit of length; constant time, four comparisons; never
/// panics.
///
/// ```
/// use widephase::reference::min_max::aabb_aabb;
/// use widephase::shape::Aabb;
///
/// let unit = Aabb::new([0.0, 0.0], [1.0, 1.0]);
/// assert!(aabb_aabb(unit, Aabb::new([1.0, 1.0], [2.0, 2.0]))); // corners meet
/// assert!(!aabb_aabb(unit, Aabb::new([1.0, 1.5], [2.0, 2.0])));
/// ```
#[inline]
pub fn aabb_aabb(a: Aabb, b: Aabb) -> bool {
    let apart = a.max_x < b.min_x || b.max_x < a.min_x || a.max_y < b.min_y || b.max_y < a.min_y;
    !apart
}
