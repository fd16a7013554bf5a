//! The decision in `f64`.

use crate::{
    base::{higher, rounded_distance},
    shape::Touching,
    simd::map_each,
};

/// A shape of `f64`: a core box, and a radius around it. A point and a circle have a core without
/// extent, a box has no radius.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DoubleBox {
    /// The lower left corner of the core.
    pub min: [f64; 2],
    /// The upper right corner of the core.
    pub max: [f64; 2],
    /// The radius around the core: at least 0.
    pub radius: f64,
}

impl DoubleBox {
    /// The gap between the cores along each axis; below 0 where they overlap.
    #[inline(always)]
    fn gaps(&self, other: &Self) -> [f64; 2] {
        map_each([0, 1], |axis: usize| {
            higher(other.min[axis] - self.max[axis], self.min[axis] - other.max[axis])
        })
    }

    /// The distance of the surfaces, 0 if they touch: the length of the gap between the cores, less
    /// the radii. Each operation is rounded to `f64`.
    #[inline]
    pub fn distance(&self, other: &Self) -> f64 {
        let [x, y] = map_each(self.gaps(other), positive);
        rounded_distance([x, y], self.radius + other.radius)
    }

    /// Whether two shapes touch if `margin` is added to the radii.
    #[inline(always)]
    pub(super) fn within(&self, other: &Self, margin: f64, touching: Touching) -> bool {
        let [gap_x, gap_y] = self.gaps(other);
        let (x, y) = (positive(gap_x), positive(gap_y));
        let (square, r) = (x * x + y * y, self.radius + other.radius + margin);
        match touching {
            // The gaps are for squares that underflow.
            Touching::Inclusive => (square <= r * r) & (gap_x <= r) & (gap_y <= r),
            Touching::Exclusive => (square < r * r) | ((gap_x < 0.0) & (gap_y < 0.0)),
        }
    }
}

/// The value, or 0 if it is below.
#[inline(always)]
fn positive(value: f64) -> f64 {
    higher(value, 0.0)
}

/// Whether two shapes of `f64` touch: **the** decision of this module. It is the
/// [contract](crate::reference::contract::overlap) of `f32` shapes, each operation in `f64`.
///
/// For two points within a distance, which are circles of half of it, it is `dx * dx + dy * dy <=
/// r * r`, as in scipy's `query_pairs`. For boxes, sides are compared.
///
/// ```
/// use widephase::{Touching, doubles::{DoubleBox, touches}};
///
/// let circle = |x, radius| DoubleBox { min: [x, 0.0], max: [x, 0.0], radius };
/// let (a, b) = (circle(4_500_000.0, 0.25), circle(4_500_000.6, 0.3));
/// assert!(!touches(&a, &b, Touching::Inclusive)); // 0.05 apart, which f32 does not see
/// ```
pub fn touches(a: &DoubleBox, b: &DoubleBox, touching: Touching) -> bool {
    a.within(b, 0.0, touching)
}
