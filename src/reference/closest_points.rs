//! Distances of segments by their closest points, and the capsule tests based on them; inclusive.
//!
//! After Christer Ericson, "Real-Time Collision Detection" (2005), sections 5.1.2 (point and
//! segment) and 5.1.9 (two segments). A capsule is the set of points within its radius of a
//! segment. So two capsules touch when their segments are at most the sum of the radii apart. The
//! test compares squares.
//!
//! All values are rounded to `f32`:
//!
//! - The position of a closest point along a segment is a quotient, so even on small integers it is
//!   rounded unless the quotient is exact (0, 1, a half). The closest points of two crossing
//!   segments may be apart by a few parts in 2^24 of their coordinates instead of 0. So capsules of
//!   radius 0 that cross in their middles may be missed.
//! - For nearly parallel segments (an angle below about 2^-11) the determinant of the directions
//!   cancels, and the position on the first segment is arbitrary. The distance may then come out
//!   too long, by about 2^-11 of the lengths. With radii well above that, the answers are right
//!   away from touching.
//! - The determinant has the fourth power of the lengths. Below about 2^-31 it underflows, and all
//!   segments count as parallel. With lengths or distances above about 2^31 the answers are
//!   unspecified.

use crate::shape::{Capsule, Circle, Segment};

/// The squared distance from a point to a segment (Ericson, 5.1.2).
///
/// The unit is the square of the caller's unit of length. For a segment without length, it is the
/// distance to that point. Constant time, one division; never panics.
///
/// ```
/// use widephase::reference::closest_points::point_segment_distance2;
/// use widephase::shape::Segment;
///
/// let segment = Segment::new([0.0, 0.0], [8.0, 0.0]);
/// assert_eq!(point_segment_distance2([4.0, 3.0], segment), 9.0);
/// assert_eq!(point_segment_distance2([11.0, -4.0], segment), 25.0);
/// ```
#[inline]
pub fn point_segment_distance2(point: [f32; 2], segment: Segment) -> f32 {
    let (a, b) = ends(segment);
    let ab = minus(b, a);
    let t = ratio(dot(minus(point, a), ab), dot(ab, ab));
    length2(minus(point, along(a, ab, t)))
}

/// The squared distance of two segments (Ericson, 5.1.9); where they cross, 0 within rounding.
///
/// The unit is the square of the caller's unit of length. Segments without length are points.
/// Constant time, at most three divisions; never panics.
///
/// ```
/// use widephase::reference::closest_points::segment_segment_distance2;
/// use widephase::shape::Segment;
///
/// let flat = Segment::new([0.0, 0.0], [8.0, 0.0]);
/// assert_eq!(segment_segment_distance2(flat, Segment::new([4.0, -4.0], [4.0, 4.0])), 0.0);
/// assert_eq!(segment_segment_distance2(flat, Segment::new([4.0, 3.0], [4.0, 9.0])), 9.0);
/// ```
#[inline]
pub fn segment_segment_distance2(first: Segment, second: Segment) -> f32 {
    let ((p1, q1), (p2, q2)) = (ends(first), ends(second));
    let (d1, d2, r) = (minus(q1, p1), minus(q2, p2), minus(p1, p2));
    let (a, e) = (dot(d1, d1), dot(d2, d2));
    let (b, c, f) = (dot(d1, d2), dot(d1, r), dot(d2, r));

    // The position on the first segment that is nearest to the line of the second. If they are
    // parallel, any position will do.
    let mut s = ratio(b * f - c * e, a * e - b * b);
    // The position on the second segment that is nearest to that point. If it is beyond an end, it
    // is clamped to the end, and the position on the first segment is computed again.
    let t = ratio(b * s + f, e);
    if e == 0.0 || b * s + f < 0.0 || b * s + f > e {
        s = ratio(t * b - c, a);
    }
    length2(minus(along(p1, d1, s), along(p2, d2, t)))
}

/// Whether two capsules touch or overlap.
///
/// Touching counts, within the rounding described [above](self). Any unit of length; constant time,
/// at most three divisions; never panics.
///
/// ```
/// use widephase::reference::closest_points::capsule_capsule;
/// use widephase::shape::Capsule;
///
/// let flat = Capsule::new([0.0, 0.0], [8.0, 0.0], 1.0);
/// assert!(capsule_capsule(flat, Capsule::new([4.0, 3.0], [4.0, 9.0], 2.0)));
/// assert!(!capsule_capsule(flat, Capsule::new([4.0, 3.0], [4.0, 9.0], 1.75)));
/// ```
#[inline]
pub fn capsule_capsule(a: Capsule, b: Capsule) -> bool {
    let r = a.radius + b.radius;
    segment_segment_distance2(a.core(), b.core()) <= r * r
}

/// Whether a capsule and a circle touch or overlap.
///
/// Touching counts, within the rounding described [above](self). A capsule whose ends coincide
/// gives the answer of [`contract::circle_circle`](super::contract::circle_circle) under
/// [`Inclusive`](crate::Touching::Inclusive), bit for bit. Any unit of length; constant
/// time, one division; never panics.
///
/// ```
/// use widephase::{reference::closest_points::capsule_circle, shape::{Capsule, Circle}};
///
/// let capsule = Capsule::new([0.0, 0.0], [4.0, 0.0], 1.0);
/// assert!(capsule_circle(capsule, Circle::new([2.0, 3.0], 2.0))); // touches at (2, 1)
/// assert!(!capsule_circle(capsule, Circle::new([7.0, 4.0], 3.75))); // 5 from the end, of 4.75
/// ```
#[inline]
pub fn capsule_circle(capsule: Capsule, circle: Circle) -> bool {
    let r = capsule.radius + circle.radius;
    point_segment_distance2([circle.x, circle.y], capsule.core()) <= r * r
}

#[inline]
fn ends(segment: Segment) -> ([f32; 2], [f32; 2]) {
    (segment.a().to_array(), segment.b().to_array())
}

/// `numerator / denominator`, clamped to 0..=1; 0 if the denominator is not above 0.
#[inline]
fn ratio(numerator: f32, denominator: f32) -> f32 {
    if denominator > 0.0 { (numerator / denominator).clamp(0.0, 1.0) } else { 0.0 }
}

/// `start + t * way`.
#[inline]
fn along(start: [f32; 2], way: [f32; 2], t: f32) -> [f32; 2] {
    [start[0] + t * way[0], start[1] + t * way[1]]
}

#[inline]
fn minus(a: [f32; 2], b: [f32; 2]) -> [f32; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

#[inline]
fn dot(a: [f32; 2], b: [f32; 2]) -> f32 {
    a[0] * b[0] + a[1] * b[1]
}

#[inline]
fn length2(way: [f32; 2]) -> f32 {
    dot(way, way)
}
