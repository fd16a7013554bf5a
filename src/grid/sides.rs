//! The boxes around items, as cells are looked up for them.

use crate::{
    base::F32_SLACK,
    kernel::{ColumnSet, Items},
    simd::Simd,
};

/// The boxes around the items from place `at` on (left, lower, right, upper sides). They include
/// the radius and the relative error of the exact test.
#[inline(always)]
pub(in crate::grid) fn sides_of<S: Simd, C: ColumnSet, const LANES: usize>(
    simd: S,
    columns: C,
    at: usize,
) -> [[f64; LANES]; 4] {
    let mut lanes = [[0.0; LANES]; 5];
    let [min_x, min_y, max_x, max_y, radius] = &mut lanes;
    for lane in (0..LANES).step_by(S::LANES) {
        let items = columns.load(simd, at + lane);
        simd.store(items.min_x(), min_x, lane);
        simd.store(items.min_y(), min_y, lane);
        simd.store(items.max_x(), max_x, lane);
        simd.store(items.max_y(), max_y, lane);
        simd.store(items.radius(simd), radius, lane);
    }
    let mut sides = [[0.0; LANES]; 4];
    for (side, (values, sign)) in
        sides.iter_mut().zip([(&*min_x, -1.0), (min_y, -1.0), (max_x, 1.0), (max_y, 1.0)])
    {
        for lane in 0..LANES {
            let radius = f64::from(radius[lane]) * (1.0 + F32_SLACK);
            side[lane] = f64::from(values[lane]) + sign * radius;
        }
    }
    sides
}
