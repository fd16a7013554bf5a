//! `Solid`: a convex shape in `f64`, as corners and a radius; and the ends of bounding boxes.
//!
//! Every query ends in one of three questions about convex shapes: is a point within, where does a
//! ray enter, how far apart are two shapes. A convex shape of any kind is a convex core and a
//! radius, so each question has one answer for all kinds. The answers are computed in `f64` from
//! the values that the caller gave. On whole numbers of up to 2^10, all products are exact, and so
//! is every decision.

use super::{
    exact::cores_touch,
    vector::{Border, Vector},
};
use crate::shape::RoundedBox;

/// A convex shape: the corners of its core, counter-clockwise, no two in turn equal, and the radius
/// around it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Solid<'a> {
    /// One corner for a circle, two for a segment or capsule, else at least three.
    pub(crate) corners: &'a [Vector],
    pub(crate) radius: f64,
    /// The core as a box, if it is axis-aligned.
    pub(crate) aligned: Option<[Vector; 2]>,
    /// The half-plane, if the solid is a half-plane, without corners. For a segment of a chain with
    /// one side, the half-plane behind it.
    pub(crate) border: Option<Border>,
}

impl Solid<'_> {
    /// Calls `take` with the solid of an axis-aligned shape.
    #[inline]
    pub(crate) fn with_box<R>(sides: &RoundedBox, take: impl FnOnce(Solid<'_>) -> R) -> R {
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = *sides;
        let (min, radius) = (Vector::wide([min_x, min_y]), f64::from(radius));
        let (narrow, flat) = (min_x == max_x, min_y == max_y);
        if narrow && flat {
            // A center that is written by halves, and then read as a whole, makes the reader wait.
            // Written as a pair, it is written by wholes.
            let pair = [min, min];
            return take(Solid { corners: &pair[..1], radius, aligned: Some(pair), border: None });
        }
        let max = Vector::wide([max_x, max_y]);
        let aligned = Some([min, max]);
        if narrow || flat {
            return take(Solid { corners: &[min, max], radius, aligned, border: None });
        }
        let corners = [min, Vector::new(max.x, min.y), max, Vector::new(min.x, max.y)];
        take(Solid { corners: &corners, radius, aligned, border: None })
    }

    /// The border, if the solid is a half-plane.
    pub(crate) fn half_plane(&self) -> Option<Border> {
        if self.corners.is_empty() { self.border } else { None }
    }

    /// Whether a motion in this direction passes the solid, whatever it meets: a motion from behind
    /// a segment with one side.
    pub(crate) fn lets_pass(&self, direction: Vector) -> bool {
        !self.corners.is_empty()
            && self.border.is_some_and(|border| border.normal.dot(direction) >= 0.0)
    }

    /// Whether the solid holds a point, under the policy.
    pub(crate) fn holds(&self, point: Vector, inclusive: bool) -> bool {
        let Solid { corners, radius, .. } = *self;
        if let Some(border) = self.half_plane() {
            let height = border.height(point);
            return if inclusive { height <= radius } else { height < radius };
        }
        if let [center] = corners {
            let distance2 = (point - *center).length2();
            let radius2 = radius * radius;
            return if inclusive { distance2 <= radius2 } else { distance2 < radius2 };
        }
        let point = [point];
        cores_touch(corners, point.as_slice(), radius, inclusive)
    }
}

/// The corners of polygons, while they are in use.
pub(crate) type Corners = Vec<Vector>;

/// The sides of a core, as start and end, without sides of length 0. A segment has two sides, one
/// in each direction; a point has no side.
#[inline]
pub(crate) fn sides(corners: &[Vector]) -> impl Iterator<Item = [Vector; 2]> {
    let count = corners.len();
    let sides = (0..count).map(move |number| {
        let next = if number + 1 < count { number + 1 } else { 0 };
        [corners[number], corners[next]]
    });
    sides.filter(|[start, end]| start != end)
}

/// The box around a shape, radius included, as its lower and upper ends along x and along y.
#[inline(always)]
pub(crate) fn ends(shape: RoundedBox) -> [[f64; 2]; 2] {
    let RoundedBox { min_x, min_y, max_x, max_y, radius } = shape;
    let both = |min: f32, max: f32| {
        [f64::from(min) - f64::from(radius), f64::from(max) + f64::from(radius)]
    };
    [both(min_x, max_x), both(min_y, max_y)]
}
