//! The neighbours of a segment of a chain.

use super::record::LocalShape;
use crate::{
    shape::{ChainSegment, Pose, Rotation, Sides},
    simd::map_each,
};

/// The vertices before and after a segment of a chain, and the sides that have contacts.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Link {
    pub(crate) vertices: [Option<[f32; 2]>; 2],
    pub(crate) sides: Sides,
}

impl Link {
    /// The link of a segment, in the world as given.
    pub(crate) fn of(segment: &ChainSegment) -> Self {
        let vertices = map_each([segment.before, segment.after], |vertex| vertex.map(Into::into));
        Self { vertices, sides: segment.sides }
    }

    /// The link of a segment in its own frame: the middle is the origin, and the segment lies along
    /// the x axis. Computed in `f64` and rounded once; no zero is negative.
    pub(super) fn own(segment: &ChainSegment) -> Self {
        let (_, pose) = LocalShape::of_capsule(segment.segment(), 0.0);
        let Rotation { cos, sin } = pose.rotation();
        let ([cos, sin], [x, y]) =
            (map_each([cos, sin], f64::from), map_each([pose.x, pose.y], f64::from));
        Self::of(segment).map(|vertex| {
            let [to_x, to_y] = [f64::from(vertex[0]) - x, f64::from(vertex[1]) - y];
            map_each([cos * to_x + sin * to_y, cos * to_y - sin * to_x], |value| value as f32 + 0.0)
        })
    }

    /// The link placed by `pose`.
    pub(super) fn placed(&self, pose: Pose) -> Self {
        self.map(|vertex| {
            let [x, y] = pose.rotation().apply(vertex);
            [pose.x + x, pose.y + y]
        })
    }

    fn map(&self, change: impl Fn([f32; 2]) -> [f32; 2]) -> Self {
        Self { vertices: map_each(self.vertices, |vertex| vertex.map(&change)), ..*self }
    }
}
