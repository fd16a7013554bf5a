//! `Reach`: where a shape with a margin can touch other shapes.

use crate::{base::F32_SLACK, shape::RoundedBox, simd::map_each};

/// The bounding box of a shape, larger by half of a margin on each side.
///
/// Boxes of two shapes that are reported as a pair intersect. For if `gap <= radii + margin` holds
/// as computed in `f32`, then `a.max + out_a >= b.min - out_b` holds for the exact sums, because
/// the slack is larger than the roundings; and rounding to `f64` keeps the order of two numbers. An
/// exception are radii below 2^-126, whose sums are exact.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reach {
    pub(super) min: [f64; 2],
    pub(super) max: [f64; 2],
}

impl Reach {
    #[inline]
    pub(super) fn new(shape: RoundedBox, margin: f32) -> Self {
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = shape;
        let [min_x, min_y, max_x, max_y] = map_each([min_x, min_y, max_x, max_y], f64::from);
        let mut out = (f64::from(radius) + 0.5 * f64::from(margin)) * (1.0 + F32_SLACK);
        if margin > 0.0 {
            let size = (max_x - min_x) + (max_y - min_y);
            let place = min_x.abs().max(max_x.abs()) + min_y.abs().max(max_y.abs());
            out += size * F32_SLACK + place * (2.0 * f64::from(f32::EPSILON));
        }
        Self { min: [min_x - out, min_y - out], max: [max_x + out, max_y + out] }
    }

    /// The lower corner of the intersection with another box that intersects this box.
    #[inline]
    pub(super) fn corner(&self, other: &Self) -> [f64; 2] {
        [self.min[0].max(other.min[0]), self.min[1].max(other.min[1])]
    }
}

/// The point that decides which tile owns a shape: the centre of its core. It is in the reach, with
/// any margin, because rounding keeps the order of two numbers.
#[inline]
pub(super) fn center(shape: RoundedBox) -> [f64; 2] {
    let RoundedBox { min_x, min_y, max_x, max_y, .. } = shape;
    let middle = |min, max| (f64::from(min) + f64::from(max)) * 0.5;
    [middle(min_x, max_x), middle(min_y, max_y)]
}
