//! Bounding boxes of rotated shapes. The scalar code that places one shape and the lanes that place
//! sixteen use the same formula.

use crate::{base::F32_SLACK, shape::MAX_COORDINATE, simd::Simd};

/// The lower left and the upper right corner of a box, relative to the centre of a shape.
pub(super) type LocalCorners<S> = [[<S as Simd>::F32; 2]; 2];

/// Returns the bounding box of a placed core: left, lower, right, upper side.
///
/// `place` is the sum of the coordinates of the centre along both axes, in magnitude. The box is
/// enlarged by a slack, so that no rounding makes it smaller than the exact shape with its radius.
/// It is clamped to the range of coordinates, in which the shape itself lies.
#[inline(always)]
pub(super) fn around<S: Simd>(
    simd: S,
    [x, y]: [S::F32; 2],
    place: S::F32,
    [min, max]: LocalCorners<S>,
    radius: S::F32,
) -> [S::F32; 4] {
    let [width, height] = [simd.sub(max[0], min[0]), simd.sub(max[1], min[1])];
    let size = simd.add(simd.add(width, height), radius);
    let size_slack = simd.mul(size, simd.splat(F32_SLACK as f32));
    // Two roundings: of the placed centre, and of a side.
    let slack = simd.add(size_slack, simd.mul(place, simd.splat(f32::EPSILON)));
    let limit = simd.splat(MAX_COORDINATE);
    [
        simd.max(simd.add(x, simd.sub(min[0], slack)), simd.neg(limit)),
        simd.max(simd.add(y, simd.sub(min[1], slack)), simd.neg(limit)),
        simd.min(simd.add(x, simd.add(max[0], slack)), limit),
        simd.min(simd.add(y, simd.add(max[1], slack)), limit),
    ]
}

/// Returns the bounding box of a segment or capsule with these ends, as [`around`] does.
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
    // The coordinates of the end that is further out, along each axis.
    let [x, y] = [simd.max(simd.neg(min[0]), max[0]), simd.max(simd.neg(min[1]), max[1])];
    around(simd, [zero, zero], simd.add(x, y), [min, max], radius)
}

/// Returns the bounding box of a rotated box with these half extents, as [`around`] does.
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
    around(simd, center, extent(simd, center), corners, radius)
}

/// The sum of both coordinates in magnitude.
#[inline(always)]
pub(super) fn extent<S: Simd>(simd: S, [x, y]: [S::F32; 2]) -> S::F32 {
    simd.add(simd.abs(x), simd.abs(y))
}
