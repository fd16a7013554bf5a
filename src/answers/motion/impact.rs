//! `Impact`: two shapes that stop each other.

use glam::Vec2;

use crate::{
    base::{HasPair, Pair, pod},
    error::{Error, limit::Listed},
    narrowphase::Hit,
};

/// Two shapes that stop each other during a step, and where: a result of
/// [`Detector::swept_pairs`](crate::Detector::swept_pairs).
///
/// No value is infinite or NaN, and no zero is negative. As [`Pod`](bytemuck::Pod), a slice of
/// impacts casts to bytes: 28 for each impact, without a gap.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Impact {
    /// The rows of the shapes.
    pub pair: Pair,
    /// When they do, as a fraction of the step: from 0 to 1; 0 if they touch at the start.
    pub fraction: f32,
    /// Horizontal coordinate of the point where they touch, at that time.
    pub x: f32,
    /// Vertical coordinate of the point.
    pub y: f32,
    /// Horizontal part of the outward normal of shape `b` at the point: it points towards `a`.
    pub normal_x: f32,
    /// Vertical part of the normal, which has length 1.
    pub normal_y: f32,
}

pod!(Impact { pair, fraction, x, y, normal_x, normal_y });

impl Impact {
    /// The point where they touch.
    pub fn position(&self) -> Vec2 {
        Vec2::new(self.x, self.y)
    }

    /// The outward normal of shape `b` at the point, of length 1 within roundings.
    pub fn normal(&self) -> Vec2 {
        Vec2::new(self.normal_x, self.normal_y)
    }

    /// The impact of a pair whose first shape hits the second.
    pub(crate) fn of(pair: Pair, hit: &Hit) -> Self {
        let Hit { fraction, x, y, normal_x, normal_y, .. } = *hit;
        Self { pair, fraction, x, y, normal_x, normal_y }
    }
}

impl HasPair for Impact {
    fn pair(&self) -> Pair {
        self.pair
    }
}

impl Listed for Impact {
    fn too_many(limit: usize, found: u64) -> Error {
        Error::TooManyPairs { limit: limit as u64, found }
    }
}
