//! Boxes around what turns: one formula for the scalar code that places shapes, and for lanes of shapes that are
//! placed.

use crate::{shape::MAX_COORDINATE, simd::Simd};

/// By how much boxes around shapes are larger than these, as a share of their size: 16 roundings.
const SIZE_SLACK: f32 = 1.0 / (1 << 20) as f32;

/// The same, as a share of the coordinates of the centre: 2 roundings.
const PLACE_SLACK: f32 = 1.0 / (1 << 23) as f32;

/// The lower left and the upper right corner of a box, seen from the centre of a shape.
pub(super) type Corners<S> = [[<S as Simd>::F32; 2]; 2];

/// The box with these corners around a core that is placed; somewhat larger, so that no rounding here makes it
/// smaller than the shape with its radius. It stays within the range of coordinates, as the shape does. Returns
/// its sides: left, lower, right, upper.
#[inline(always)]
pub(super) fn around<S: Simd>(
    simd: S,
    [x, y]: [S::F32; 2],
    [min, max]: Corners<S>,
    radius: S::F32,
) -> [S::F32; 4] {
    let [width, height] = [simd.sub(max[0], min[0]), simd.sub(max[1], min[1])];
    let size = simd.add(simd.add(width, height), radius);
    let place = simd.add(simd.abs(x), simd.abs(y));
    let size_slack = simd.mul(size, simd.splat(SIZE_SLACK));
    let slack = simd.add(size_slack, simd.mul(place, simd.splat(PLACE_SLACK)));
    let limit = simd.splat(MAX_COORDINATE);
    [
        simd.max(simd.add(x, simd.sub(min[0], slack)), simd.neg(limit)),
        simd.max(simd.add(y, simd.sub(min[1], slack)), simd.neg(limit)),
        simd.min(simd.add(x, simd.add(max[0], slack)), limit),
        simd.min(simd.add(y, simd.add(max[1], slack)), limit),
    ]
}

/// The same for a segment or capsule with these ends.
#[inline(always)]
pub(crate) fn around_line<S: Simd>(
    simd: S,
    [ax, ay]: [S::F32; 2],
    [bx, by]: [S::F32; 2],
    radius: S::F32,
) -> [S::F32; 4] {
    let zero = simd.splat(0.0);
    let min = [simd.min(ax, bx), simd.min(ay, by)];
    let max = [simd.max(ax, bx), simd.max(ay, by)];
    around(simd, [zero, zero], [min, max], radius)
}

/// The same for a rotated box, of which half is this large.
#[inline(always)]
pub(crate) fn around_turned<S: Simd>(
    simd: S,
    center: [S::F32; 2],
    [cos, sin]: [S::F32; 2],
    [half_x, half_y]: [S::F32; 2],
    radius: S::F32,
) -> [S::F32; 4] {
    let (cos, sin) = (simd.abs(cos), simd.abs(sin));
    let width = simd.add(simd.mul(cos, half_x), simd.mul(sin, half_y));
    let height = simd.add(simd.mul(sin, half_x), simd.mul(cos, half_y));
    let corners = [[simd.neg(width), simd.neg(height)], [width, height]];
    around(simd, center, corners, radius)
}
