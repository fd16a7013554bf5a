//! The separating axis test of two rotated rectangles; strict.
//!
//! Two convex polygons are apart exactly when their projections on some line perpendicular to an
//! edge are apart. Two rectangles have four such lines, two for each rectangle, parallel to its
//! edges. The test projects the four corners of both on each line.
//!
//! Projections that only meet count as apart, so rectangles that touch do not collide: the rule of
//! [`Exclusive`](crate::Touching::Exclusive). A rectangle without width collides with a
//! rectangle that it crosses, or inside which it strictly lies, as in
//! [`rect_rect`](super::expanded_rect_strict::rect_rect). Two coincident rectangles without width
//! do not collide. All values are rounded to `f32`: a corner and its projection are off by a few
//! parts in 2^24 of the largest coordinate and size involved. Rectangles that close to touching may
//! get either answer. With a rotation of 0 and numbers whose sums are exact there is no rounding.

use super::project;
use crate::{shape::Obb, simd::map_each};

/// Whether two rotated rectangles overlap; touching does not count.
///
/// Any unit of length. Rotations are used as given and should have length 1. Constant time; never
/// panics.
///
/// ```
/// use widephase::reference::separating_axes::obb_obb;
/// use widephase::shape::{Obb, Rotation};
///
/// let quarter = Rotation { cos: 0.0, sin: 1.0 };
/// let flat = Obb::new([0.0, 0.0], [3.0, 1.0], Rotation::IDENTITY);
/// assert!(!obb_obb(flat, Obb::new([4.0, 0.0], [3.0, 1.0], quarter))); // sides meet at x = 3
/// assert!(obb_obb(flat, Obb::new([3.5, 0.0], [3.0, 1.0], quarter)));
/// ```
#[inline]
pub fn obb_obb(a: Obb, b: Obb) -> bool {
    let axes = [[a.cos, a.sin], [-a.sin, a.cos], [b.cos, b.sin], [-b.sin, b.cos]];
    axes.iter().all(|&axis| {
        let [a_min, a_max] = project(&corners(a), axis);
        let [b_min, b_max] = project(&corners(b), axis);
        a_min < b_max && b_min < a_max
    })
}

/// The corners, counter-clockwise where y points up: each corner is the half sizes rotated, then
/// moved to the centre.
///
/// Each coordinate is rounded four times. Constant time; never panics.
#[inline]
pub fn corners(obb: Obb) -> [[f32; 2]; 4] {
    let Obb { x, y, half_width: w, half_height: h, .. } = obb;
    map_each([[-w, -h], [w, -h], [w, h], [-w, h]], |corner| {
        let [dx, dy] = obb.rotation().apply(corner);
        [x + dx, y + dy]
    })
}
