//! Distances of a point from segments, many at a time.

use super::Vector;
use crate::{
    base::{F64_SLACK, higher, lower},
    simd::{Kernel, MAX_LANES, Simd},
};

/// Computes the distances of a point from segments, as [`distance`](super::separation::distance)
/// does for each segment, but NaN where only exact arithmetic can tell whether they touch.
///
/// Plain loops over arrays: compiled for a SIMD level, they become vector code.
pub(crate) struct SegmentDistances<'a> {
    /// The point and the radius around it.
    pub(crate) point: Vector,
    pub(crate) radius: f64,
    /// The coordinates of both ends of each segment, and the radius around it.
    pub(crate) segments: &'a [[f64; MAX_LANES]; 5],
    pub(crate) distances: &'a mut [f32; MAX_LANES],
}

impl Kernel for SegmentDistances<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _simd: S) {
        let Self { point, radius, segments: [ax, ay, bx, by, radii], distances } = self;
        let own_far = higher(point.x.abs(), point.y.abs());
        for lane in 0..MAX_LANES {
            let start = Vector::new(ax[lane], ay[lane]);
            let end = Vector::new(bx[lane], by[lane]);
            let ends = lower((start - point).length2(), (end - point).length2());
            let between = lower(beside(start, end, point), beside(end, start, point));
            let length2 = lower(between, ends);
            let far = higher(higher(start.x.abs(), start.y.abs()), own_far);
            let slack = F64_SLACK * higher(higher(end.x.abs(), end.y.abs()), far);
            let apart = higher(length2.sqrt() - (radius + radii[lane]), 0.0);
            distances[lane] = if length2 > slack * slack { apart as f32 } else { f32::NAN };
        }
    }
}

/// The squared distance of a point from the point of [`nearest_on`](super::separation::nearest_on),
/// which is the start of a segment without length.
#[inline(always)]
fn beside(start: Vector, end: Vector, point: Vector) -> f64 {
    let along = end - start;
    let share = higher(along.dot(point - start) / along.length2(), 0.0);
    (start + along * lower(share, 1.0) - point).length2()
}
