//! Cells whose numbers were worked out by hand, and by integers.

use super::*;
use crate::shape::RoundedBox;

impl Cells {
    /// Whether this level leaves its cells to somebody else, and is never searched.
    pub(in crate::grid) fn is_plain(&self) -> bool {
        self.scale == [0.0; 2]
    }

    /// The cell of a body by another way: whole numbers of 128 bits. `None` where the level is plain
    /// or replaces far places by others.
    pub(in crate::grid) fn exact(&self, shape: RoundedBox) -> Option<usize> {
        if self.is_plain() {
            return None;
        }
        let RoundedBox { min_x, min_y, max_x, max_y, .. } = shape;
        let sums = [f64::from(min_x) + f64::from(max_x), f64::from(min_y) + f64::from(max_y)];
        let places = [0, 1].map(|axis| sums[axis] * self.scale[axis]);
        if places.iter().any(|place| place.abs() >= FAR) {
            return None;
        }
        let [column, row] = places.map(|place| place.floor() as i128);
        let stride = i128::from(self.stride);
        let number = if self.wraps {
            (row * stride + column).rem_euclid(i128::from(self.count))
        } else {
            let [first_column, first_row] = self.first.map(|first| first as i128);
            (row - first_row) * stride + column - first_column
        };
        usize::try_from(i128::from(self.base) + number).ok()
    }
}
