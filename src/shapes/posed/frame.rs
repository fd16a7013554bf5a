//! `Frame`: a pose in `f64`.

use crate::{shape::Pose, simd::map_each};

/// A pose in `f64`. It places the corners of a shape where exact arithmetic sees them.
///
/// All corners, of rows and of parts, are placed by [`place`](Frame::place). So equal corners of
/// two shapes with equal poses stay equal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Frame {
    position: [f64; 2],
    rotation: [f64; 2],
}

impl Frame {
    /// The frame of a pose.
    #[inline]
    pub(crate) fn of(pose: Pose) -> Self {
        Self::new([pose.x, pose.y], [pose.cos, pose.sin])
    }

    /// The frame with this position and this rotation, as (cos, sin).
    #[inline]
    pub(crate) fn new(position: [f32; 2], rotation: [f32; 2]) -> Self {
        Self { position: wide(position), rotation: wide(rotation) }
    }

    /// Whether it leaves every point where it is.
    pub(crate) fn is_identity(&self) -> bool {
        self.position == [0.0; 2] && self.rotation == [1.0, 0.0]
    }

    /// The point, rotated and moved.
    ///
    /// For a point of two `f32` the products are exact. Then the result is the exact place, off by
    /// at most 2^-52 of its own coordinate and 2^-105 of the coordinates of the point: with the
    /// position p and the rotated coordinate s + e, where e is the rounding error of s,
    ///
    /// - `p + s` is rounded by 2^-53 of itself, or is exact if p and s cancel by more than half
    ///   (Sterbenz),
    /// - the sum with e is rounded by 2^-53 of itself,
    /// - and e is exact (Knuth), or its terms underflow below 2^-1000.
    #[inline]
    pub(crate) fn place(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let ([cos, sin], [left, lower]) = (self.rotation, self.position);
        let [[x, x_error], [y, y_error]] = [sum(cos * x, -(sin * y)), sum(sin * x, cos * y)];
        [(left + x) + x_error, (lower + y) + y_error]
    }

    /// The corners of a box around the origin with this half diagonal, counter-clockwise from the
    /// lower left corner, as [`place`](Frame::place) returns them. Opposite corners have opposite
    /// sums.
    #[inline]
    pub(crate) fn place_box(&self, [x, y]: [f64; 2]) -> [[f64; 2]; 4] {
        let ([cos, sin], [left, lower]) = (self.rotation, self.position);
        let (along, up) = ([cos * x, sin * x], [-(sin * y), cos * y]);
        let [first, second] = [sum(along[0], up[0]), sum(along[1], up[1])];
        let [third, fourth] = [sum(along[0], -up[0]), sum(along[1], -up[1])];
        let plus = |at: f64, [sum, error]: [f64; 2]| (at + sum) + error;
        let minus = |at: f64, [sum, error]: [f64; 2]| (at - sum) - error;
        [
            [minus(left, first), minus(lower, second)],
            [plus(left, third), plus(lower, fourth)],
            [plus(left, first), plus(lower, second)],
            [minus(left, third), minus(lower, fourth)],
        ]
    }

    /// The point that is placed here, within 2^-22 of all coordinates: the rotation has length 1
    /// only within roundings of `f32`.
    pub(crate) fn unplace(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let ([cos, sin], [left, lower]) = (self.rotation, self.position);
        let (x, y) = (x - left, y - lower);
        [cos * x + sin * y, cos * y - sin * x]
    }

    /// The vector, rotated.
    #[inline]
    pub(crate) fn turn(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let [cos, sin] = self.rotation;
        [cos * x - sin * y, sin * x + cos * y]
    }

    /// The normal and the offset of a half-plane, placed. For a quarter turn and whole numbers, no
    /// operation rounds.
    pub(crate) fn border(&self, normal: [f32; 2], offset: f32) -> ([f64; 2], f64) {
        let [x, y] = self.turn(wide(normal));
        let moved = self.position[0] * x + self.position[1] * y;
        ([x, y], f64::from(offset) + moved)
    }
}

/// The sum of two numbers, and the rounding error of it (Knuth).
#[inline]
pub(crate) fn sum(a: f64, b: f64) -> [f64; 2] {
    let sum = a + b;
    let of_b = sum - a;
    [sum, (a - (sum - of_b)) + (b - of_b)]
}

/// A point in `f64`.
#[inline]
pub(super) fn wide(point: [f32; 2]) -> [f64; 2] {
    map_each(point, f64::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Rotation;

    #[test]
    fn corners_of_a_box_are_placed_as_points() {
        for step in 0..1000 {
            let angle = step as f32 * 0.37;
            let pose = Pose::new([step as f32 * 7.3, -0.1], Rotation::from_angle(angle));
            let (frame, [x, y]) = (Frame::of(pose), [0.3 + f64::from(angle as i32), 1.7]);
            let corners = [[-x, -y], [x, -y], [x, y], [-x, y]].map(|corner| frame.place(corner));
            assert_eq!(frame.place_box([x, y]), corners);
        }
    }

    #[test]
    fn places_are_rounded_once_even_where_they_cancel() {
        // Cosine and sine are multiples of 2^-24 and all coordinates are whole, so that all places
        // are multiples of 2^-24.
        let step = 2_f64.powi(24);
        let in_steps = |value: f64| {
            assert_eq!((value * step).fract(), 0.0);
            (value * step) as i128
        };
        let mut state = 7_u64;
        let mut next = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 40) as f64 / step
        };
        let mut cancelled = 0;
        for _ in 0..20_000 {
            let (sin, cos) = (next() * 7.0).sin_cos();
            let [cos, sin] = [cos, sin].map(|part| (part * step).round() / step);
            let size = 2_f64.powi((next() * 40.0) as i32);
            let own = [0, 1].map(|_| f64::from(((next() - 0.5) * size) as f32).trunc());
            let turned = [cos * own[0] - sin * own[1], sin * own[0] + cos * own[1]];
            let position = turned.map(|at| (-at) as f32 + 1.0);
            let position = position.map(f32::trunc);
            let pose = Pose::new(position, Rotation { cos: cos as f32, sin: sin as f32 });
            let placed = Frame::of(pose).place(own);
            let ([cos, sin], [x, y]) = ([cos, sin].map(in_steps), own.map(|at| at as i128));
            let exact = [cos * x - sin * y, sin * x + cos * y];
            for axis in 0..2 {
                let exact = exact[axis] + in_steps(f64::from(position[axis]));
                let off = (in_steps(placed[axis]) - exact).unsigned_abs();
                assert!(off <= exact.unsigned_abs() >> 52, "{pose:?} {own:?} {off} {exact}");
                let reach = in_steps(own[0].abs() + own[1].abs()).unsigned_abs();
                cancelled += usize::from(exact.unsigned_abs() < reach >> 20);
            }
        }
        assert!(cancelled > 1000, "{cancelled}");
    }
}
