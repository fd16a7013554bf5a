//! Sides of convex cores, and the shortest vectors between them.

use super::lanes::Vectors;
use crate::simd::Simd;

/// Squared lengths whose ratio is at most this count as about equal. The vectors compared are
/// longer than 256 roundings.
pub(super) const ABOUT_EQUAL: f32 = 1.0625;

/// One side of a convex core per lane, with the data that contacts need.
#[derive(Clone, Copy)]
pub(super) struct Face<S: Simd> {
    pub(super) start: Vectors<S>,
    pub(super) end: Vectors<S>,
    /// The unit vector from start to end. The core lies to its left.
    pub(super) tangent: Vectors<S>,
    /// The distance from start to end along the tangent.
    pub(super) length: S::F32,
    /// The number of the side plus [`EDGE`](super::manifold::EDGE), and the numbers of its
    /// vertices.
    pub(super) edge: S::F32,
    pub(super) start_vertex: S::F32,
    pub(super) end_vertex: S::F32,
    /// The radius around the core.
    pub(super) radius: S::F32,
}

impl<S: Simd> Face<S> {
    /// The side of a polygon between two vertices, with this outward normal. Its numbers and radius
    /// are 0.
    #[inline(always)]
    pub(super) fn bare(simd: S, start: Vectors<S>, end: Vectors<S>, normal: Vectors<S>) -> Self {
        let zero = simd.splat(0.0);
        let tangent = normal.left(simd);
        Self {
            start,
            end,
            tangent,
            length: end.minus(simd, start).dot(simd, tangent),
            edge: zero,
            start_vertex: zero,
            end_vertex: zero,
            radius: zero,
        }
    }

    /// The outward unit normal.
    #[inline(always)]
    pub(super) fn normal(self, simd: S) -> Vectors<S> {
        self.tangent.right(simd)
    }

    #[inline(always)]
    pub(super) fn moved(self, simd: S, offset: Vectors<S>) -> Self {
        Self { start: self.start.plus(simd, offset), end: self.end.plus(simd, offset), ..self }
    }

    #[inline(always)]
    pub(super) fn select(simd: S, mask: S::Mask, yes: Self, no: Self) -> Self {
        Self {
            start: Vectors::select(simd, mask, yes.start, no.start),
            end: Vectors::select(simd, mask, yes.end, no.end),
            tangent: Vectors::select(simd, mask, yes.tangent, no.tangent),
            length: simd.select(mask, yes.length, no.length),
            edge: simd.select(mask, yes.edge, no.edge),
            start_vertex: simd.select(mask, yes.start_vertex, no.start_vertex),
            end_vertex: simd.select(mask, yes.end_vertex, no.end_vertex),
            radius: simd.select(mask, yes.radius, no.radius),
        }
    }

    /// The position of a point relative to the nearer end of the side.
    #[inline(always)]
    fn seen_from_end(self, simd: S, point: Vectors<S>) -> PointBesideSide<S> {
        let from_start = point.minus(simd, self.start);
        let from_end = point.minus(simd, self.end);
        let before_start = simd.neg(from_start.dot(simd, self.tangent));
        let behind_end = from_end.dot(simd, self.tangent);
        let at_end = simd.lt(before_start, behind_end);
        let from = Vectors::select(simd, at_end, from_end, from_start);
        let beyond = simd.max(before_start, behind_end);
        PointBesideSide { from, at_end, beyond }
    }

    /// The shortest vector from the side to `point`, and where on the side it starts.
    ///
    /// The vector is measured from the nearer end of the side. Next to a vertex it is then rounded
    /// relative to its own length and not to the length of the side. So its square is accurate
    /// enough to find the shortest vector: the vector from the other side at that vertex, or from a
    /// side of the other shape, differs only by the cosine of a small angle.
    #[inline(always)]
    pub(super) fn way_to(self, simd: S, point: Vectors<S>) -> SideToPoint<S> {
        let PointBesideSide { from, at_end, beyond } = self.seen_from_end(simd, point);
        let zero = simd.splat(0.0);
        let inside = simd.min(beyond, zero);
        let onto = simd.select(at_end, inside, simd.neg(inside));
        let way = from.minus(simd, self.tangent.times(simd, onto));
        let outside = simd.lt(zero, beyond);
        let (before, after) = (simd.and(outside, simd.not(at_end)), simd.and(outside, at_end));
        SideToPoint { way, length2: way.dot(simd, way), before, after }
    }

    /// The distance of `point` from the side, measured as in [`way_to`](Self::way_to).
    #[inline(always)]
    pub(super) fn distance_to(self, simd: S, point: Vectors<S>) -> Distance<S> {
        let PointBesideSide { from, beyond, .. } = self.seen_from_end(simd, point);
        let beside = simd.max(beyond, simd.splat(0.0));
        let height = from.dot(simd, self.normal(simd));
        let length2 = simd.add(simd.mul(height, height), simd.mul(beside, beside));
        let above = simd.le(simd.splat(0.0), height);
        Distance { length2, counts: simd.or(above, simd.lt(simd.splat(0.0), beyond)) }
    }
}

/// A point relative to the nearer end of a side.
#[derive(Clone, Copy)]
struct PointBesideSide<S: Simd> {
    /// The vector from the nearer end to the point.
    from: Vectors<S>,
    /// Whether the nearer end is the end and not the start of the side.
    at_end: S::Mask,
    /// How far the point is beyond that end, along the side; negative if it is before the end.
    beyond: S::F32,
}

/// The distance of a point from a side.
#[derive(Clone, Copy)]
pub(super) struct Distance<S: Simd> {
    /// The square of the distance.
    pub(super) length2: S::F32,
    /// Whether the side or one of its ends can be the nearest feature of a core that does not
    /// contain the point. It cannot where the point is straight behind the side.
    pub(super) counts: S::Mask,
}

/// The shortest vector from a side to a point.
#[derive(Clone, Copy)]
pub(super) struct SideToPoint<S: Simd> {
    pub(super) way: Vectors<S>,
    /// The square of its length.
    pub(super) length2: S::F32,
    /// Whether it starts at the start of the side, because the point lies before it.
    pub(super) before: S::Mask,
    /// Whether it starts at the end of the side, because the point lies beyond it.
    pub(super) after: S::Mask,
}

/// The shortest vector between the sides of two cores that do not overlap.
#[derive(Clone, Copy)]
pub(super) struct Gap<S: Simd> {
    /// The vector from the reference side to the incident side.
    pub(super) way: Vectors<S>,
    pub(super) length2: S::F32,
    /// 1 if it goes from vertex to vertex, else 0; and the numbers of these vertices.
    pub(super) corners: S::F32,
    pub(super) reference_vertex: S::F32,
    pub(super) incident_vertex: S::F32,
    /// Its start, if it goes from vertex to vertex.
    pub(super) from: Vectors<S>,
}

impl<S: Simd> Gap<S> {
    /// The shortest vector between two sides that do not cross: it starts or ends at one of the
    /// four vertices (Ericson, Real-Time Collision Detection, 5.1.9). The first of equally short
    /// vectors is taken.
    #[inline(always)]
    pub(super) fn between(simd: S, reference: Face<S>, incident: Face<S>) -> Self {
        let first = Self::to_vertex(simd, reference, incident.start, incident.start_vertex);
        let second = Self::to_vertex(simd, reference, incident.end, incident.end_vertex);
        let third = Self::to_vertex(simd, incident, reference.start, reference.start_vertex);
        let fourth = Self::to_vertex(simd, incident, reference.end, reference.end_vertex);
        let to = Self::shorter(simd, second, first);
        let back = Self::shorter(simd, fourth, third);
        Self::shorter(simd, back.reversed(simd), to)
    }

    /// The same vector in the other direction: the sides exchange their roles.
    #[inline(always)]
    pub(super) fn reversed(self, simd: S) -> Self {
        Self {
            way: self.way.neg(simd),
            reference_vertex: self.incident_vertex,
            incident_vertex: self.reference_vertex,
            from: self.from.plus(simd, self.way),
            ..self
        }
    }

    /// The shortest vector from a side to a vertex of the other side.
    #[inline(always)]
    pub(super) fn to_vertex(simd: S, side: Face<S>, point: Vectors<S>, vertex: S::F32) -> Self {
        let SideToPoint { way, length2, before, after } = side.way_to(simd, point);
        Self {
            way,
            length2,
            corners: simd.select(simd.or(before, after), simd.splat(1.0), simd.splat(0.0)),
            reference_vertex: simd.select(before, side.start_vertex, side.end_vertex),
            incident_vertex: vertex,
            from: Vectors::select(simd, before, side.start, side.end),
        }
    }

    /// A gap of length 0 in every lane.
    #[inline(always)]
    pub(super) fn none(simd: S) -> Self {
        let zero = simd.splat(0.0);
        let way = Vectors { x: zero, y: zero };
        Self {
            way,
            length2: zero,
            corners: zero,
            reference_vertex: zero,
            incident_vertex: zero,
            from: way,
        }
    }

    /// Keeps the gap where `mask` is set. Elsewhere its length is 0.
    #[inline(always)]
    pub(super) fn only(self, simd: S, mask: S::Mask) -> Self {
        let zero = simd.splat(0.0);
        Self {
            length2: simd.select(mask, self.length2, zero),
            corners: simd.select(mask, self.corners, zero),
            ..self
        }
    }

    /// Returns `a` where it is strictly shorter, else `b`.
    #[inline(always)]
    fn shorter(simd: S, a: Self, b: Self) -> Self {
        Self::select(simd, simd.lt(a.length2, b.length2), a, b)
    }

    #[inline(always)]
    pub(super) fn select(simd: S, mask: S::Mask, a: Self, b: Self) -> Self {
        Self {
            way: Vectors::select(simd, mask, a.way, b.way),
            length2: simd.select(mask, a.length2, b.length2),
            corners: simd.select(mask, a.corners, b.corners),
            reference_vertex: simd.select(mask, a.reference_vertex, b.reference_vertex),
            incident_vertex: simd.select(mask, a.incident_vertex, b.incident_vertex),
            from: Vectors::select(simd, mask, a.from, b.from),
        }
    }
}
