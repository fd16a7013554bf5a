//! The decision of the numeric contract, in plain scalar `f32`, and the textbook tests it equals.
//!
//! [`overlap`] decides for every pair of axis-aligned shapes. The other functions are the textbook
//! tests of two kinds. They are written independently, so that each function is a check of
//! [`overlap`] and not a copy of it.
//!
//! ```
//! use widephase::{Touching::*, reference::contract::*, shape::{Aabb, Circle, Point}};
//!
//! // The circle reaches to the corner (3, 4) of the rectangle, and no further.
//! let (circle, aabb) = (Circle::new([0.0, 0.0], 5.0), Aabb::new([3.0, 4.0], [6.0, 8.0]));
//! assert!(circle_aabb(circle, aabb, Inclusive) && !circle_aabb(circle, aabb, Exclusive));
//! assert!(overlap(circle, aabb, Inclusive) && !overlap(circle, aabb, Exclusive));
//! let corner = Point::new([3.0, 4.0]);
//! assert!(point_circle(corner, circle, Inclusive) && !point_circle(corner, circle, Exclusive));
//! assert!(point_aabb(corner, aabb, Inclusive) && !point_aabb(corner, aabb, Exclusive));
//! ```

use crate::shape::{Aabb, AxisAligned, Circle, Point, Touching};

/// Whether two axis-aligned shapes overlap: **the** decision, which every SIMD level reproduces.
///
/// Shapes that only touch are a pair under [`Touching::Inclusive`] and none under
/// [`Touching::Exclusive`]. The order of `a` and `b` does not matter. Any unit of length. Values
/// must be within the numeric contract: finite, at most 2^60 in magnitude, sizes not below zero.
/// For other values the answer is unspecified. Never panics. Constant time: six additions, three
/// multiplications.
///
/// The Minkowski sum of two rounded boxes is a rounded box. So the boxes touch when the gap between
/// the two cores is at most the sum `r` of the two radii. The arithmetic is `+`, `-`, `*` and
/// comparisons in the order below, each rounded to `f32`. A fused multiply-add is never used: it
/// rounds once where this code rounds twice. The sign of a zero makes no difference anywhere.
///
/// # How exact it is
///
/// The answer is true for the values as given, unless the true squares `d²` of the gap and `r²`
/// differ by less than one part in 2^21 (seven roundings of one part in 2^24 at most), or
/// underflow. When both radii are 0 the answer is always true, because the difference of two
/// unequal `f32` is never rounded to zero or to the other sign. So boxes and points get exactly the
/// answer of [`aabb_aabb`].
///
/// # Small numbers
///
/// A square below 2^-126, the square of 2^-63, loses bits to underflow, and becomes zero from 2^-75
/// down. The second comparisons guard against this:
///
/// - Inclusive also requires that no gap exceed `r`. Without this, boxes 2^-80 apart would touch,
///   because their gap squared is 0. Wherever `r` or the larger gap is at least 2^-63 it changes no
///   answer. Below, a gap along one axis alone is simply compared with `r`. Only round corners are
///   decided coarsely, at worst as if they were square.
/// - Exclusive also accepts cores whose interiors overlap, which is the whole test when `r = 0`. A
///   sum of radii of 2^-75 or less squares to zero and counts for nothing. Then only the cores
///   decide, and two coincident circles of that size are **not** a pair. From there up to 2^-63,
///   overlapping shapes may be missed and round corners are decided coarsely. A gap of `r` or more
///   along an axis never passes.
///
/// # Shapes without an interior
///
/// Under [`Touching::Exclusive`] a point, or a box without width, is a pair with a shape if it lies
/// strictly inside that shape. Two boxes without width are a pair when they cross like a plus sign.
/// A shape without an interior is never a pair with itself.
///
/// ```
/// use widephase::reference::contract::overlap;
/// use widephase::{Touching, shape::{Aabb, Circle}};
///
/// // The corner (3, 4) is 5 away from the centre.
/// let rect = Aabb::new([3.0, 4.0], [9.0, 9.0]);
/// let circle = Circle::new([0.0, 0.0], 5.0);
/// assert!(overlap(circle, rect, Touching::Inclusive));
/// assert!(!overlap(circle, rect, Touching::Exclusive));
/// ```
#[inline]
pub fn overlap(a: impl AxisAligned, b: impl AxisAligned, touching: Touching) -> bool {
    let (a, b) = (a.rounded_box(), b.rounded_box());
    let gap_x = (b.min_x - a.max_x).max(a.min_x - b.max_x);
    let gap_y = (b.min_y - a.max_y).max(a.min_y - b.max_y);
    let r = a.radius + b.radius;
    let dx = gap_x.max(0.0);
    let dy = gap_y.max(0.0);
    let d2 = dx * dx + dy * dy;
    let r2 = r * r;
    match touching {
        Touching::Inclusive => d2 <= r2 && gap_x.max(gap_y) <= r,
        Touching::Exclusive => d2 < r2 || (gap_x < 0.0 && gap_y < 0.0),
    }
}

/// Whether a point lies in a circle: compares its squared distance from the centre with the squared
/// radius.
///
/// Inclusive: `<=`, so the border belongs to the circle, and a circle of radius 0 is its centre.
/// Exclusive: `<`, so a circle of radius 0 contains nothing.
///
/// Equals [`overlap`] bit for bit; under [`Touching::Inclusive`] as long as the radius or the
/// larger coordinate difference is at least 2^-63. Below, the squares underflow and this test
/// accepts points that are only nearby. Any unit of length; constant time; never panics.
#[inline]
pub fn point_circle(point: Point, circle: Circle, touching: Touching) -> bool {
    let dx = point.x - circle.x;
    let dy = point.y - circle.y;
    within(dx * dx + dy * dy, circle.radius * circle.radius, touching)
}

/// Whether a point lies in a rectangle: four comparisons.
///
/// Inclusive: the sides belong to the rectangle. Exclusive: strictly between the sides, so a
/// rectangle without width or height contains nothing.
///
/// Always equals [`overlap`], at every magnitude: nothing is rounded. Constant time; never panics.
#[inline]
pub fn point_aabb(point: Point, aabb: Aabb, touching: Touching) -> bool {
    let Point { x, y } = point;
    let Aabb { min_x, min_y, max_x, max_y } = aabb;
    match touching {
        Touching::Inclusive => min_x <= x && x <= max_x && min_y <= y && y <= max_y,
        Touching::Exclusive => min_x < x && x < max_x && min_y < y && y < max_y,
    }
}

/// Whether two circles overlap: compares the squared distance of the centres with the squared sum
/// of the radii.
///
/// Inclusive: `<=`. Exclusive: `<`, so two coincident circles of radius 0 do not overlap.
///
/// Equals [`overlap`] bit for bit; under [`Touching::Inclusive`] as long as the sum of the radii or
/// the larger coordinate difference is at least 2^-63. Below, the squares underflow and this test
/// accepts circles that are only nearby. Any unit of length; constant time; never panics.
///
/// ```
/// use widephase::reference::contract::circle_circle;
/// use widephase::{Touching, shape::{Circle}};
///
/// let (a, b) = (Circle::new([0.0, 0.0], 2.0), Circle::new([3.0, 4.0], 3.0));
/// assert!(circle_circle(a, b, Touching::Inclusive)); // they meet in one point
/// assert!(!circle_circle(a, b, Touching::Exclusive));
/// ```
#[inline]
pub fn circle_circle(a: Circle, b: Circle, touching: Touching) -> bool {
    let dx = a.x - b.x;
    let dy = a.y - b.y;
    let r = a.radius + b.radius;
    within(dx * dx + dy * dy, r * r, touching)
}

/// Whether a circle and a rectangle overlap: tests the point of the rectangle nearest to the
/// centre, found by clamping, against the circle.
///
/// Inclusive: the nearest point lies in the circle or on its border. Exclusive: it lies strictly
/// inside the circle, or the centre lies strictly inside the rectangle (which matters for a circle
/// of radius 0 only).
///
/// Equals [`overlap`] bit for bit; under [`Touching::Inclusive`] as long as the radius or the
/// larger gap is at least 2^-63. Below, the squares underflow and this test accepts shapes that are
/// only nearby. Any unit of length; constant time; never panics.
#[inline]
pub fn circle_aabb(circle: Circle, aabb: Aabb, touching: Touching) -> bool {
    let center = Point::new(circle.center());
    let nearest = Point {
        x: circle.x.max(aabb.min_x).min(aabb.max_x),
        y: circle.y.max(aabb.min_y).min(aabb.max_y),
    };
    point_circle(nearest, circle, touching) || point_aabb(center, aabb, touching)
}

/// Whether two rectangles overlap: each begins before the other ends, in x and in y.
///
/// Inclusive: sides and corners that meet count. Exclusive: they do not, and neither do coincident
/// rectangles without width or height.
///
/// Always equals [`overlap`], at every magnitude: nothing is rounded. Constant time; never panics.
#[inline]
pub fn aabb_aabb(a: Aabb, b: Aabb, touching: Touching) -> bool {
    match touching {
        Touching::Inclusive => {
            a.min_x <= b.max_x && b.min_x <= a.max_x && a.min_y <= b.max_y && b.min_y <= a.max_y
        }
        Touching::Exclusive => {
            a.min_x < b.max_x && b.min_x < a.max_x && a.min_y < b.max_y && b.min_y < a.max_y
        }
    }
}

/// Compares a squared distance with a squared radius, under either policy.
#[inline]
fn within(d2: f32, r2: f32, touching: Touching) -> bool {
    match touching {
        Touching::Inclusive => d2 <= r2,
        Touching::Exclusive => d2 < r2,
    }
}
