//! `Border`: the line of a half-plane.

use super::Vector;

/// A line with an outward normal: the border of the half-plane of the points `p` with
/// `normal · p <= offset`. That behind a segment has a normal of any length.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Border {
    pub(crate) normal: Vector,
    pub(crate) offset: f64,
}

impl Border {
    /// The height of a point above the border.
    pub(crate) fn height(&self, point: Vector) -> f64 {
        self.normal.dot(point) - self.offset
    }

    /// The lowest of some corners, and its height. Of equally low corners, the first.
    pub(crate) fn lowest(&self, corners: &[Vector]) -> (f64, Vector) {
        let mut lowest = (f64::INFINITY, Vector::ZERO);
        for corner in corners {
            let height = self.height(*corner);
            if height < lowest.0 {
                lowest = (height, *corner);
            }
        }
        lowest
    }
}
