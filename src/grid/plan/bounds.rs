//! The box around the items of a level.

use crate::{base::F32_SLACK, shape::RoundedBox, simd::map_each};

/// A box around items, radius included, widened by the roundings. No item beyond it touches them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Bounds {
    min: [f64; 2],
    max: [f64; 2],
}

impl Default for Bounds {
    /// The box around nothing.
    fn default() -> Self {
        Self { min: [f64::INFINITY; 2], max: [f64::NEG_INFINITY; 2] }
    }
}

impl Bounds {
    /// The box around items. `lowest` are their least left and lower sides, and the least negated
    /// right and upper sides.
    pub(in crate::grid) fn within(lowest: [f32; 4]) -> Self {
        // Each side was rounded once. The exact test may be off by a few roundings of the radii,
        // which are not larger than the box. Around nothing, all values become NaN, and nothing is
        // near NaN.
        let [min_x, min_y, max_x, max_y] = map_each(lowest, f64::from);
        let slack = map_each([min_x + max_x, min_y + max_y], |sum: f64| sum.abs() * F32_SLACK);
        let sides = map_each([min_x, min_y, max_x, max_y], |side: f64| side.abs() * F32_SLACK);
        Self {
            min: [min_x - sides[0] - slack[0], min_y - sides[1] - slack[1]],
            max: [-max_x + sides[2] + slack[0], -max_y + sides[3] + slack[1]],
        }
    }

    /// Grows the box so that it holds another item.
    pub(in crate::grid) fn hold(&mut self, item: &RoundedBox) {
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = *item;
        let other =
            Self::within([min_x - radius, min_y - radius, -(max_x + radius), -(max_y + radius)]);
        for axis in [0, 1] {
            self.min[axis] = self.min[axis].min(other.min[axis]);
            self.max[axis] = self.max[axis].max(other.max[axis]);
        }
    }

    /// The box around the whole plane.
    #[cfg(test)]
    pub(in crate::grid) const EVERYWHERE: Self =
        Self { min: [f64::NEG_INFINITY; 2], max: [f64::INFINITY; 2] };

    /// The lower left and the upper right corner.
    pub(in crate::grid) fn corners(&self) -> [[f64; 2]; 2] {
        [self.min, self.max]
    }

    /// Whether nothing from `min` to `max` along an axis touches an item in this box.
    #[inline(always)]
    pub(in crate::grid) fn beside(&self, axis: usize, min: f64, max: f64) -> bool {
        !((min <= self.max[axis]) & (self.min[axis] <= max))
    }

    /// The lower left and the upper right corner in `f32`, rounded outwards.
    pub(in crate::grid) fn outwards(&self) -> [[f32; 2]; 2] {
        [
            map_each(self.min, |min| (min as f32).next_down()),
            map_each(self.max, |max| (max as f32).next_up()),
        ]
    }

    /// Whether an item in one box may touch an item in the other.
    pub(crate) fn touches(&self, other: &Bounds) -> bool {
        let beside = |axis: usize| self.beside(axis, other.min[axis], other.max[axis]);
        !(beside(0) | beside(1))
    }
}
