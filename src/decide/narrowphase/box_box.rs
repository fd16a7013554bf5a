//! Oriented boxes against each other: the separating axis test over the four directions of their
//! sides.
//!
//! ```text
//! d = centre of b - centre of a, in the frame of a, and in the frame of b
//! along each direction of a side:   |d| - own half extent - half extent of the other, projected
//! ```
//!
//! The largest of the four values is the separation of the boxes. If it is negative, it is the
//! smallest overlap. (Gottschalk, Lin and Manocha, "OBBTree", SIGGRAPH 1996. In two dimensions four
//! directions are enough instead of fifteen.) The boxes may have a radius. A box without height is
//! the core of a capsule, so nothing here divides by an extent.

use super::{
    PairKernel,
    face::{Face, Gap},
    lane_batch::{EDGE, LaneBatch, LaneShapes},
    lanes::Vectors,
    manifold::{Faces, Manifold, handicap, merits, prefers_first, tolerance_apart},
    verdict::{UNKNOWN, Verdict, error, none},
};
use crate::simd::Simd;

/// Boxes with a radius, one per lane.
#[derive(Clone, Copy)]
pub(super) struct Boxes<S: Simd> {
    pub(super) center: Vectors<S>,
    /// The direction of the width: the rotation as (cos, sin).
    pub(super) axis: Vectors<S>,
    /// Half extents.
    pub(super) half: Vectors<S>,
    pub(super) radius: S::F32,
}

impl<S: Simd> Boxes<S> {
    #[inline(always)]
    pub(super) fn load(simd: S, side: &LaneShapes, at: usize) -> Self {
        Self {
            center: side.center(simd, at),
            axis: Vectors { x: side.word(simd, 2, at), y: side.word(simd, 3, at) },
            half: Vectors { x: side.word(simd, 4, at), y: side.word(simd, 5, at) },
            radius: side.radius(simd, at),
        }
    }

    #[inline(always)]
    fn select(simd: S, mask: S::Mask, yes: Self, no: Self) -> Self {
        Self {
            center: Vectors::select(simd, mask, yes.center, no.center),
            axis: Vectors::select(simd, mask, yes.axis, no.axis),
            half: Vectors::select(simd, mask, yes.half, no.half),
            radius: simd.select(mask, yes.radius, no.radius),
        }
    }

    /// The side whose normal is the axis of the width, or the axis of the height where `vertical`.
    /// The normal is reversed where not `forward`. Sides are numbered counter-clockwise from the
    /// lower side, and vertices from the left end of the lower side.
    #[inline(always)]
    fn face(self, simd: S, vertical: S::Mask, forward: S::Mask) -> Face<S> {
        let Self { center, axis, half, radius } = self;
        let axis = Vectors::select(simd, vertical, axis.left(simd), axis);
        let normal = Vectors::select(simd, forward, axis, axis.neg(simd));
        let tangent = normal.left(simd);
        let out = simd.select(vertical, half.y, half.x);
        let reach = simd.select(vertical, half.x, half.y);
        let middle = center.plus(simd, normal.times(simd, out));
        let aside = tangent.times(simd, reach);
        let bottom = simd.select(vertical, simd.splat(0.0), simd.splat(3.0));
        let top = simd.select(vertical, simd.splat(2.0), simd.splat(1.0));
        let start_vertex = simd.select(forward, top, bottom);
        let next = simd.add(start_vertex, simd.splat(1.0));
        let end_vertex = simd.select(simd.lt(next, simd.splat(4.0)), next, simd.splat(0.0));
        Face {
            start: middle.minus(simd, aside),
            end: middle.plus(simd, aside),
            tangent,
            length: simd.add(reach, reach),
            edge: simd.add(start_vertex, simd.splat(EDGE)),
            start_vertex,
            end_vertex,
            radius,
        }
    }

    /// The side whose normal is most opposite to `normal`.
    #[inline(always)]
    fn face_against(self, simd: S, normal: Vectors<S>) -> Face<S> {
        let Vectors { x, y } = normal.turned_back(simd, self.axis);
        let vertical = simd.lt(simd.abs(x), simd.abs(y));
        let along = simd.select(vertical, y, x);
        self.face(simd, vertical, simd.lt(along, simd.splat(0.0)))
    }
}

/// The separations of boxes along the directions of their sides.
struct BoxSeparations<S: Simd> {
    /// The offset from the centre of a to the centre of b, in the frame of each box.
    offsets: [Vectors<S>; 2],
    /// The separations along the width and the height of each box.
    along: [Vectors<S>; 2],
    /// The larger separation of each box.
    largest: [S::F32; 2],
}

impl<S: Simd> BoxSeparations<S> {
    #[inline(always)]
    fn of(simd: S, a: Boxes<S>, b: Boxes<S>, offset: Vectors<S>) -> Self {
        let Vectors { x: cos, y: sin } = b.axis.turned_back(simd, a.axis);
        let turn = Vectors { x: simd.abs(cos), y: simd.abs(sin) };
        let offsets = [offset.turned_back(simd, a.axis), offset.turned_back(simd, b.axis)];
        let along = [
            Self::along(simd, offsets[0], a.half, b.half, turn),
            Self::along(simd, offsets[1], b.half, a.half, turn),
        ];
        let largest = [simd.max(along[0].x, along[0].y), simd.max(along[1].x, along[1].y)];
        Self { offsets, along, largest }
    }

    /// The separations along the axes of the box whose half extents are `own`.
    #[inline(always)]
    fn along(
        simd: S,
        offset: Vectors<S>,
        own: Vectors<S>,
        other: Vectors<S>,
        turn: Vectors<S>,
    ) -> Vectors<S> {
        let Vectors { x: cos, y: sin } = turn;
        let width = simd.add(simd.mul(cos, other.x), simd.mul(sin, other.y));
        let height = simd.add(simd.mul(sin, other.x), simd.mul(cos, other.y));
        Vectors {
            x: simd.sub(simd.sub(simd.abs(offset.x), own.x), width),
            y: simd.sub(simd.sub(simd.abs(offset.y), own.y), height),
        }
    }
}

/// The kernel for two boxes. Boxes include segments and capsules.
#[derive(Clone, Copy)]
pub(super) struct BoxBox;

impl BoxBox {
    #[inline(always)]
    fn sides<S: Simd>(
        simd: S,
        a: Boxes<S>,
        b: Boxes<S>,
        offset: Vectors<S>,
        separations: &BoxSeparations<S>,
        error: S::F32,
    ) -> Faces<S> {
        let BoxSeparations { offsets, along, largest } = *separations;
        let zero = simd.splat(0.0);
        let separation = simd.max(largest[0], largest[1]);
        let a_merits = merits(simd, along[0], a.half, offset);
        let b_merits = merits(simd, along[1], b.half, offset);
        let a_best = Best::of(simd, a, a_merits);
        let b_best = Best::of(simd, b, b_merits);
        let towards = simd.select(a_best.vertical, offsets[0].y, offsets[0].x);
        let a_ahead = simd.lt(zero, towards);
        let a_normal = Vectors::select(simd, a_ahead, a_best.axis, a_best.axis.neg(simd));
        let reaches = [a_best.reach, b_best.reach];
        let prefers_first = prefers_first(simd, reaches, a_normal);
        let radius = simd.add(a.radius, b.radius);
        let tolerance = tolerance_apart(simd, separation, radius, reaches, offset);
        let handicap = handicap(simd, prefers_first, separation, tolerance, offset);
        let exchanged = simd.lt(simd.add(a_best.merit, handicap), b_best.merit);

        // From here on, `own` is the box of the reference side, and `other` the other box.
        let a = Boxes { center: Vectors { x: zero, y: zero }, ..a };
        let b = Boxes { center: offset, ..b };
        let own = Boxes::select(simd, exchanged, b, a);
        let other = Boxes::select(simd, exchanged, a, b);
        let along = Vectors::select(simd, exchanged, along[1], along[0]);
        let to_other = Vectors::select(simd, exchanged, offsets[1].neg(simd), offsets[0]);
        let merits = Vectors::select(simd, exchanged, b_merits, a_merits);
        let vertical = simd.lt(merits.x, merits.y);
        let ahead = simd.lt(zero, simd.select(vertical, to_other.y, to_other.x));
        let reference = own.face(simd, vertical, ahead);
        let incident = other.face_against(simd, reference.normal(simd));
        let distance = simd.select(vertical, along.y, along.x);
        let apart = simd.lt(zero, separation);
        let gap = Gap::between(simd, reference, incident).only(simd, apart);
        let length2 = simd.select(apart, gap.length2, simd.splat(UNKNOWN));
        let verdict = Verdict::of(simd, separation, length2, radius, error);
        let straight_on = none(simd);
        Faces { reference, incident, gap, verdict, distance, exchanged, offset, straight_on }
    }
}

/// The best side of a box as a reference side.
struct Best<S: Simd> {
    vertical: S::Mask,
    merit: S::F32,
    /// Half the length of the side.
    reach: S::F32,
    /// The normal of the side, or its opposite.
    axis: Vectors<S>,
}

impl<S: Simd> Best<S> {
    #[inline(always)]
    fn of(simd: S, own: Boxes<S>, merits: Vectors<S>) -> Self {
        let vertical = simd.lt(merits.x, merits.y);
        Self {
            vertical,
            merit: simd.max(merits.x, merits.y),
            reach: simd.select(vertical, own.half.x, own.half.y),
            axis: Vectors::select(simd, vertical, own.axis.left(simd), own.axis),
        }
    }
}

impl PairKernel for BoxBox {
    #[inline(always)]
    fn test<S: Simd>(self, simd: S, batch: &LaneBatch, at: usize, _inclusive: bool) -> Verdict<S> {
        let (a, b) = (Boxes::load(simd, &batch.a, at), Boxes::load(simd, &batch.b, at));
        let offset = b.center.minus(simd, a.center);
        let separations = BoxSeparations::of(simd, a, b, offset);
        let separation = simd.max(separations.largest[0], separations.largest[1]);
        let radius = simd.add(a.radius, b.radius);
        let error = errors(simd, a, b, offset, radius);
        // The distance of the cores matters only where they are apart and within the reach of the
        // radii.
        let reached = simd.le(separation, simd.add(radius, error));
        let apart = simd.and(simd.lt(simd.neg(error), separation), simd.lt(error, radius));
        if simd.bits(simd.and(apart, reached)) == 0 {
            return Verdict::of(simd, separation, simd.splat(UNKNOWN), radius, error);
        }
        Self::sides(simd, a, b, offset, &separations, error).verdict
    }

    #[inline(always)]
    fn contact<S: Simd>(
        self,
        simd: S,
        batch: &LaneBatch,
        at: usize,
        margin: S::F32,
        _inclusive: bool,
    ) -> Manifold<S> {
        let (a, b) = (Boxes::load(simd, &batch.a, at), Boxes::load(simd, &batch.b, at));
        let offset = b.center.minus(simd, a.center);
        let separations = BoxSeparations::of(simd, a, b, offset);
        let error = errors(simd, a, b, offset, simd.add(a.radius, b.radius));
        let sides = Self::sides(simd, a, b, offset, &separations, error);
        sides.manifold(simd, margin).named(simd, batch, at)
    }
}

/// The error bound of separations and distances.
#[inline(always)]
fn errors<S: Simd>(
    simd: S,
    a: Boxes<S>,
    b: Boxes<S>,
    offset: Vectors<S>,
    radius: S::F32,
) -> S::F32 {
    let halves = simd.add(a.half.extent(simd), b.half.extent(simd));
    error(simd, [a.center, b.center], offset, simd.add(halves, radius))
}
