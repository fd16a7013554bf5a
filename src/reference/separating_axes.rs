//! The separating axis test of two turned rectangles; strict.
//!
//! Two convex polygons are apart exactly when their shadows on some line at right angles to an edge
//! are. Two rectangles have four such lines, two each, and they run along the edges themselves. The
//! four corners of both are projected on each.
//!
//! Shadows that only meet are apart here, so rectangles that touch do not collide: the rule of
//! [`Exclusive`](crate::shape::Touching::Exclusive). A rectangle without width collides with one
//! that it lies strictly inside of or crosses, as in [`rect_rect`](super::expanded_rect_strict::rect_rect);
//! two coincident rectangles without width do not collide. All is rounded to `f32`: a corner and its
//! projection are off by a few parts in 2^24 of the largest coordinate and size involved, and
//! rectangles that close to touching may get either answer. With a rotation of 0 and numbers whose
//! sums are exact there is no rounding.

use super::project;
use crate::shape::Obb;

/// Whether two turned rectangles overlap; when they touch they do not.
///
/// Any unit of length; rotations are taken as they are, and should have length 1. Constant time;
/// never panics.
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
pub fn obb_obb(a: Obb, b: Obb) -> bool {
    let axes = [[a.cos, a.sin], [-a.sin, a.cos], [b.cos, b.sin], [-b.sin, b.cos]];
    axes.iter().all(|&axis| {
        let [a_min, a_max] = project(&corners(a), axis);
        let [b_min, b_max] = project(&corners(b), axis);
        a_min < b_max && b_min < a_max
    })
}

/// The corners, counter-clockwise where y points up: each the half sizes turned, then moved to the
/// centre.
///
/// Each coordinate is rounded four times. Constant time; never panics.
pub fn corners(obb: Obb) -> [[f32; 2]; 4] {
    let Obb { x, y, half_width: w, half_height: h, .. } = obb;
    [[-w, -h], [w, -h], [w, h], [-w, h]].map(|corner| {
        let [dx, dy] = obb.rotation().apply(corner);
        [x + dx, y + dy]
    })
}
