//! From the nearest sides of two shapes to their contact points, and the choice of the
//! reference side.
//!
//! Bodies that rest on each other touch at two sides that face each other, and either could be the
//! reference side. Contacts keep their ids only if the choice does not change from step to step,
//! though no state is kept. So the choice depends on properties that neither rounding nor the small
//! movements of bodies at rest change:
//!
//! 1. The longer side, unless both are about as long. When a body tilts a little, the longer side
//!    separates it better. So the preferred side is then also the better side.
//! 2. Of sides that are about as long, the side that faces up, or, if both face sideways, the side
//!    that faces right. (Precisely: along [`DIRECTION`], so that no floor, wall or common slope
//!    faces along the border between the two halves.)
//!
//! The preferred side gives way to a side whose separation is larger by more than a share of the
//! distance of the centres. Cores that are apart by less than the radii around them have a share of
//! their own, so round bodies at rest also keep their ids.

use super::{
    face::{Face, Gap},
    lane_batch::LaneBatch,
    lanes::Vectors,
    verdict::{Verdict, none},
};
use crate::{
    base::F32_SLACK,
    simd::{MAX_LANES, Simd},
};

/// The contact of the shapes in each lane, relative to the centre of the first shape.
#[derive(Clone, Copy)]
pub(super) struct Manifold<S: Simd> {
    /// The lanes whose shapes touch. After [`bounded`](Manifold::bounded), the lanes with a
    /// contact.
    pub(super) hit: S::Mask,
    /// The lanes in which exact arithmetic must decide whether the shapes touch.
    pub(super) doubt: S::Mask,
    /// The unit vector from the first shape to the second.
    pub(super) normal: Vectors<S>,
    /// How far to push the shapes apart along the normal. If negative, its magnitude is their
    /// distance.
    pub(super) depth: S::F32,
    /// The deeper point, and a second point in the lanes of `two`.
    pub(super) points: [ManifoldPoint<S>; 2],
    /// The lanes with two points.
    pub(super) two: S::Mask,
}

/// One point of a manifold.
#[derive(Clone, Copy)]
pub(super) struct ManifoldPoint<S: Simd> {
    /// Half way between the two surfaces.
    pub(super) at: Vectors<S>,
    pub(super) depth: S::F32,
    /// The features of the first and of the second shape that meet: the number of a vertex, or the
    /// number of an edge plus [`EDGE`].
    pub(super) features: [S::F32; 2],
}

impl<S: Simd> ManifoldPoint<S> {
    #[inline(always)]
    fn select(simd: S, mask: S::Mask, yes: Self, no: Self) -> Self {
        Self {
            at: Vectors::select(simd, mask, yes.at, no.at),
            depth: simd.select(mask, yes.depth, no.depth),
            features: [
                simd.select(mask, yes.features[0], no.features[0]),
                simd.select(mask, yes.features[1], no.features[1]),
            ],
        }
    }

    #[inline(always)]
    fn named(self, simd: S, batch: &LaneBatch, at: usize) -> Self {
        let [a, b] = self.features;
        let features = [batch.a.vertex_name(simd, a, at), batch.b.vertex_name(simd, b, at)];
        Self { features, ..self }
    }

    /// Exchanges the features of both shapes in the lanes of `mask`.
    #[inline(always)]
    fn exchanged(self, simd: S, mask: S::Mask) -> Self {
        let [a, b] = self.features;
        Self { features: [simd.select(mask, b, a), simd.select(mask, a, b)], ..self }
    }
}

/// The relation of two convex cores.
#[derive(Clone, Copy)]
pub(super) struct Faces<S: Simd> {
    /// The side with the largest separation, or with the smallest overlap.
    pub(super) reference: Face<S>,
    /// The side of the other core that faces the reference side.
    pub(super) incident: Face<S>,
    /// The shortest vector between the cores where they are apart and within reach. Elsewhere its
    /// length is 0.
    pub(super) gap: Gap<S>,
    /// The verdicts on the shapes.
    pub(super) verdict: Verdict<S>,
    /// The distance of the cores along the normal of the reference side.
    pub(super) distance: S::F32,
    /// Whether the reference side belongs to the second shape.
    pub(super) exchanged: S::Mask,
    /// The vector from the centre of the first shape to the centre of the second.
    pub(super) offset: Vectors<S>,
    /// Whether the point is at the deeper vertex of an incident side that lies beside the reference
    /// side: see [`Single`].
    pub(super) straight_on: S::Mask,
}

/// The contract's test of axis-aligned shapes. `length2` is the square of the distance of their
/// cores. `widest` is the larger of the gaps along x and y, negative where the cores overlap.
///
/// A distance of 1e-30 squares to zero and must not count as touching. So the gap itself is
/// compared, too.
#[inline(always)]
pub(super) fn reached<S: Simd>(
    simd: S,
    length2: S::F32,
    widest: S::F32,
    radius: S::F32,
    inclusive: bool,
) -> S::Mask {
    let radius2 = simd.mul(radius, radius);
    if inclusive {
        simd.and(simd.le(length2, radius2), simd.le(widest, radius))
    } else {
        simd.or(simd.lt(length2, radius2), simd.lt(widest, simd.splat(0.0)))
    }
}

/// The cosine of about a degree (2^-6). If a vector from a vertex has more than this share of its
/// length along the normal of a side, the feature is the side and not the vertex.
pub(super) const STRAIGHT: f32 = 1.0 - 1.0 / (1 << 13) as f32;

/// A vector between two points, as a direction and a length.
#[derive(Clone, Copy)]
pub(super) struct Directed<S: Simd> {
    /// A unit vector, where it is known.
    pub(super) direction: Vectors<S>,
    pub(super) length: S::F32,
    /// Whether the vector is long enough to have a direction.
    pub(super) known: S::Mask,
}

impl<S: Simd> Directed<S> {
    /// Splits `way`, whose squared length is `length2`.
    #[inline(always)]
    pub(super) fn new(simd: S, way: Vectors<S>, length2: S::F32) -> Self {
        /// The squared length of the shortest vector with a direction, which is 2^-50 long. The
        /// squares of much shorter vectors lose the bits that determine a direction.
        const SHORTEST2: f32 = 1.0 / (1_u128 << 100) as f32;
        let length = simd.sqrt(length2);
        let divisor = simd.max(length, simd.splat(f32::MIN_POSITIVE));
        // Two divisions instead of a multiplication by the inverse: a vector along an axis then has
        // exactly the direction (1, 0).
        let direction = Vectors { x: simd.div(way.x, divisor), y: simd.div(way.y, divisor) };
        let known = simd.le(simd.splat(SHORTEST2), length2);
        Self { direction, length, known }
    }

    /// Splits a vector between corners of shapes whose centres are `offset` apart.
    #[inline(always)]
    pub(super) fn between_corners(
        simd: S,
        way: Vectors<S>,
        length2: S::F32,
        offset: Vectors<S>,
    ) -> Self {
        /// The length of the shortest vector between two corners that has a direction, relative to
        /// the distance of the centres. Shorter vectors consist of rounding errors.
        const MIN_CORNER: f32 = 1.0 / (1 << 16) as f32;
        let directed = Self::new(simd, way, length2);
        let shortest = simd.mul(offset.extent(simd), simd.splat(MIN_CORNER));
        let known = simd.and(directed.known, simd.lt(shortest, directed.length));
        Self { known, ..directed }
    }
}

/// The lanes in which no side separates the cores, but they may still be apart. Rounding can hide a
/// separation: ahead of a sharp tip, all sides are nearly parallel to the vector to the tip.
/// `separation` is the separation along the best side.
#[inline(always)]
pub(super) fn in_doubt<S: Simd>(simd: S, separation: S::F32, offset: Vectors<S>) -> S::Mask {
    const DOUBT: f32 = 1.0 / (1 << 18) as f32;
    let least = simd.neg(simd.mul(offset.extent(simd), simd.splat(DOUBT)));
    simd.and(simd.lt(least, separation), simd.le(separation, simd.splat(0.0)))
}

/// Returns [`f32::MIN_POSITIVE`] where cores that no side separates are apart after all, else
/// `separation`.
///
/// `length2` is the square of the smallest distance between vertices and sides. Cores that overlap
/// slightly also have small such distances. So the distance must exceed four times the overlap,
/// plus a share of the distance of the centres.
#[inline(always)]
pub(super) fn told_apart<S: Simd>(
    simd: S,
    separation: S::F32,
    length2: S::F32,
    offset: Vectors<S>,
) -> S::F32 {
    const APART: f32 = 1.0 / (1 << 21) as f32;
    let overlap = simd.mul(simd.neg(separation), simd.splat(4.0));
    let least = simd.add(overlap, simd.mul(offset.extent(simd), simd.splat(APART)));
    let apart = simd.lt(simd.mul(least, least), length2);
    let apart = simd.and(apart, in_doubt(simd, separation, offset));
    simd.select(apart, simd.splat(f32::MIN_POSITIVE), separation)
}

/// The vertex that represents an incident side that lies beside the reference side.
///
/// Usually two corners nearly meet there, and the point is at the end of the reference side. But a
/// polygon may continue beyond that end with a nearly parallel side, and rounding may have selected
/// the wrong side of the two as the reference side. Then the point is at the position of the
/// vertex, straight on from the reference side.
pub(super) struct Single<S: Simd> {
    /// The position of the vertex along the reference side: beyond one of its ends.
    along: S::F32,
    height: S::F32,
    vertex: S::F32,
}

/// The incident side relative to the reference side.
struct IncidentSide<S: Simd> {
    /// The positions of its start and its end along the reference side. Sides run
    /// counter-clockwise, so the incident side runs against the reference side.
    far: S::F32,
    near: S::F32,
    far_height: S::F32,
    near_height: S::F32,
    /// The ends of the part of the incident side that is above the reference side, along the
    /// reference side.
    last: S::F32,
    first: S::F32,
    /// Whether any part is above it.
    above: S::Mask,
}

impl<S: Simd> Faces<S> {
    /// The sum of the radii.
    #[inline(always)]
    pub(super) fn radius(&self, simd: S) -> S::F32 {
        simd.add(self.reference.radius, self.incident.radius)
    }

    /// Makes the contacts of all lanes.
    ///
    /// - Cores that are apart corner to corner touch along the line between the corners.
    /// - All other cores touch along the reference side. The incident side is clipped at both ends
    ///   of the reference side (Catto, "Contact Manifolds", GDC 2007). The ends of the clipped side
    ///   are the points. The deeper end is always a point, the other end only if it is within the
    ///   margin.
    /// - Corners of sides that are nearly parallel, and partly above each other, have the other end
    ///   as a second point. So a body at rest does not lose it when corners pass each other.
    #[inline(always)]
    pub(super) fn manifold(&self, simd: S, margin: S::F32) -> Manifold<S> {
        /// The cosine of 3.6 degrees. Sides count as nearly parallel up to this angle between the
        /// vector from corner to corner and the normal of the reference side.
        const NEARLY_PARALLEL: f32 = 0.998;
        let Self { reference, incident, gap, verdict, distance, exchanged, offset, .. } = *self;
        let radius = self.radius(simd);

        // The point from corner to corner.
        let zero = simd.splat(0.0);
        let Directed { direction: way, length, known } =
            Directed::between_corners(simd, gap.way, gap.length2, offset);
        let corners = simd.and(simd.lt(zero, gap.corners), known);
        let corner = ManifoldPoint {
            at: gap.from.plus(simd, way.times(simd, self.height(simd, length))),
            depth: simd.sub(radius, length),
            features: [reference.edge, gap.incident_vertex],
        };

        // The points along the reference side.
        let stretch = self.stretch(simd);
        let [first_height, last_height] = self.heights(simd, &stretch);
        let first = self.point(simd, stretch.first, first_height, incident.end_vertex);
        let last = self.point(simd, stretch.last, last_height, incident.start_vertex);
        let Single { along, height, vertex } = self.single(simd, &stretch);
        let end = simd.min(simd.max(along, zero), reference.length);
        let along = simd.select(self.straight_on, along, end);
        let single = self.point(simd, along, height, vertex);
        let first_deeper = simd.lt(first_height, last_height);
        let deeper = ManifoldPoint::select(simd, first_deeper, first, last);
        let other = ManifoldPoint::select(simd, first_deeper, last, first);
        let deeper = ManifoldPoint::select(simd, stretch.above, deeper, single);

        // The end of the clipped side that is not at the corner. Its depth is measured along the
        // normal of the side, which is nearly the direction from corner to corner.
        let slant = way.dot(simd, reference.normal(simd));
        let nearly_parallel = simd.lt(simd.splat(NEARLY_PARALLEL), slant);
        // The part above the reference side must be longer than 1.5 times the distance of the
        // corners along it.
        let between = simd.abs(gap.way.dot(simd, reference.tangent));
        let between = simd.mul(between, simd.splat(1.5));
        let longer = simd.lt(between, simd.sub(stretch.last, stretch.first));
        let nearly_parallel = simd.and(nearly_parallel, longer);
        let from_start = gap.from.minus(simd, reference.start).dot(simd, reference.tangent);
        let to_end = simd.sub(reference.length, from_start);
        let away = ManifoldPoint::select(simd, simd.lt(from_start, to_end), last, first);
        let away = ManifoldPoint { depth: simd.min(away.depth, corner.depth), ..away };
        let other = ManifoldPoint::select(simd, corners, away, other);

        let two = simd.and(stretch.above, simd.or(simd.not(corners), nearly_parallel));
        let two = simd.and(two, simd.le(simd.neg(margin), other.depth));
        let normal = Vectors::select(simd, corners, way, reference.normal(simd));
        let distance = simd.select(corners, length, distance);
        let first = ManifoldPoint::select(simd, corners, corner, deeper);
        let points = [first.exchanged(simd, exchanged), other.exchanged(simd, exchanged)];
        let normal = Vectors::select(simd, exchanged, normal.neg(simd), normal);
        let depth = simd.sub(radius, distance);
        let Verdict { touching: hit, doubt } = verdict;
        Manifold { hit, doubt, normal, depth, points, two }
    }

    /// The height of the middle between the surfaces above the reference side, where the other core
    /// is `distance` above it.
    #[inline(always)]
    fn height(&self, simd: S, distance: S::F32) -> S::F32 {
        middle(simd, distance, self.reference.radius, self.incident.radius)
    }

    /// The incident side relative to the reference side.
    #[inline(always)]
    fn stretch(&self, simd: S) -> IncidentSide<S> {
        let Self { reference, incident, .. } = *self;
        let normal = reference.normal(simd);
        let from = incident.start.minus(simd, reference.start);
        let to = incident.end.minus(simd, reference.start);
        let [far, near] = [from.dot(simd, reference.tangent), to.dot(simd, reference.tangent)];
        let last = simd.min(far, reference.length);
        let first = simd.max(near, simd.splat(0.0));
        IncidentSide {
            far,
            near,
            far_height: from.dot(simd, normal),
            near_height: to.dot(simd, normal),
            last,
            first,
            above: simd.lt(first, last),
        }
    }

    /// The heights of the incident side above the reference side at both ends of the part that is
    /// above it.
    #[inline(always)]
    fn heights(&self, simd: S, stretch: &IncidentSide<S>) -> [S::F32; 2] {
        let IncidentSide { far, near, far_height, near_height, .. } = *stretch;
        let (length, zero, one) = (self.reference.length, simd.splat(0.0), simd.splat(1.0));
        let rise = simd.sub(far_height, near_height);
        let span = simd.max(simd.sub(far, near), simd.splat(f32::MIN_POSITIVE));
        // Clamped to the range from 0 to 1, whatever the roundings of a short side.
        let at_start = simd.min(simd.max(simd.div(simd.neg(near), span), zero), one);
        let at_end = simd.min(simd.max(simd.div(simd.sub(length, near), span), zero), one);
        let first = simd.add(near_height, simd.mul(rise, at_start));
        let last = simd.add(near_height, simd.mul(rise, at_end));
        [
            simd.select(simd.lt(near, zero), first, near_height),
            simd.select(simd.lt(length, far), last, far_height),
        ]
    }

    /// The deeper vertex of an incident side that lies beside the reference side. Of two equally
    /// deep vertices, the nearer vertex.
    #[inline(always)]
    fn single(&self, simd: S, stretch: &IncidentSide<S>) -> Single<S> {
        let Self { reference, incident, .. } = *self;
        let IncidentSide { far, near, far_height, near_height, .. } = *stretch;
        let level = simd.and(simd.le(near_height, far_height), simd.le(reference.length, near));
        let lower = simd.or(simd.lt(near_height, far_height), level);
        Single {
            along: simd.select(lower, near, far),
            height: simd.select(lower, near_height, far_height),
            vertex: simd.select(lower, incident.end_vertex, incident.start_vertex),
        }
    }

    /// Two candidate places for the point of an incident side that lies beside the reference side,
    /// in the lanes of `mask`, and these lanes. `None` if there is no such lane.
    ///
    /// The first place is below the deeper vertex, on the line of the reference side. It should be
    /// on the core of the reference side. The second place is above the end of the reference side,
    /// as high as that vertex. It should be on the other core.
    #[inline(always)]
    pub(super) fn places_beside(
        &self,
        simd: S,
        mask: S::Mask,
    ) -> Option<(S::Mask, [Vectors<S>; 2])> {
        let Self { reference, .. } = *self;
        let stretch = self.stretch(simd);
        let beside = simd.and(mask, simd.not(stretch.above));
        if simd.bits(beside) == 0 {
            return None;
        }
        let Single { along, height, .. } = self.single(simd, &stretch);
        let end = simd.min(simd.max(along, simd.splat(0.0)), reference.length);
        let below = reference.start.plus(simd, reference.tangent.times(simd, along));
        let above = reference.start.plus(simd, reference.tangent.times(simd, end));
        Some((beside, [below, above.plus(simd, reference.normal(simd).times(simd, height))]))
    }

    /// The point at position `along` of the reference side, where the incident core is `height`
    /// above it. `vertex` is the incident vertex.
    #[inline(always)]
    fn point(&self, simd: S, along: S::F32, height: S::F32, vertex: S::F32) -> ManifoldPoint<S> {
        let Self { reference, .. } = *self;
        let foot = reference.start.plus(simd, reference.tangent.times(simd, along));
        let up = reference.normal(simd).times(simd, self.height(simd, height));
        ManifoldPoint {
            at: foot.plus(simd, up),
            depth: simd.sub(self.radius(simd), height),
            features: [reference.edge, vertex],
        }
    }
}

impl<S: Simd> Manifold<S> {
    /// A manifold of one point.
    #[inline(always)]
    pub(super) fn single(
        simd: S,
        verdict: Verdict<S>,
        normal: Vectors<S>,
        point: ManifoldPoint<S>,
    ) -> Self {
        let Verdict { touching: hit, doubt } = verdict;
        let two = none(simd);
        Self { hit, doubt, normal, depth: point.depth, points: [point, point], two }
    }

    /// Converts the vertex numbers of segments and capsules to the numbers of their ends, 0 and 1.
    #[inline(always)]
    pub(super) fn named(self, simd: S, batch: &LaneBatch, at: usize) -> Self {
        let [first, second] = self.points;
        Self { points: [first.named(simd, batch, at), second.named(simd, batch, at)], ..self }
    }

    /// Removes the contacts outside of `reached`: shapes that are further apart than the margin,
    /// whose distance was not computed.
    #[inline(always)]
    pub(super) fn within_reach(self, simd: S, reached: S::Mask) -> Self {
        Self { depth: simd.select(reached, self.depth, simd.splat(f32::MIN)), ..self }
    }

    /// Applies the result of exact arithmetic: lanes in doubt touch if their flag is set.
    #[inline(always)]
    pub(super) fn settled(self, simd: S, flags: &[f32; MAX_LANES]) -> Self {
        let touching = simd.lt(simd.splat(0.0), simd.load(flags, 0));
        let touching = simd.and(self.doubt, touching);
        Self { hit: simd.or(self.hit, touching), doubt: none(simd), ..self }
    }

    /// Adds the contacts of shapes that do not touch but are at most `margin` apart, if `margin` is
    /// above zero. Also corrects roundings of the depth: it is at least zero for shapes that touch,
    /// and negative for all other shapes.
    #[inline(always)]
    pub(super) fn bounded(self, simd: S, margin: S::F32) -> Self {
        let Self { hit: touching, depth, .. } = self;
        let zero = simd.splat(0.0);
        let near = simd.and(simd.lt(zero, margin), simd.le(simd.neg(margin), depth));
        let apart = simd.select(simd.lt(depth, zero), depth, simd.splat(-f32::MIN_POSITIVE));
        let depth = simd.select(touching, simd.max(depth, zero), apart);
        Self { hit: simd.or(touching, near), depth, ..self }
    }

    /// Keeps only the contacts in the lanes of `mask`. Elsewhere normal, depth and the number of
    /// points are 0.
    #[inline(always)]
    pub(super) fn only(self, simd: S, mask: S::Mask) -> Self {
        let Self { hit, doubt, normal, depth, points, two } = self;
        let (hit, zero) = (simd.and(hit, mask), simd.splat(0.0));
        Self {
            hit,
            doubt,
            normal: Vectors::select(simd, hit, normal, Vectors { x: zero, y: zero }),
            depth: simd.select(hit, depth, zero),
            points,
            two: simd.and(two, hit),
        }
    }
}

/// The distance from the core of one shape to the middle between the surfaces, where the cores are
/// `distance` apart and the radii are `own` and `other`.
#[inline(always)]
pub(super) fn middle<S: Simd>(simd: S, distance: S::F32, own: S::F32, other: S::F32) -> S::F32 {
    simd.mul(simd.splat(0.5), simd.sub(simd.add(distance, own), other))
}

/// The share for shapes whose cores overlap, 2^-15. Two equally good sides differ by roundings of
/// about 2^-24.
const OVERLAPPING: f32 = 1.0 / (1 << 15) as f32;

/// The lanes in which the first of two sides is preferred, given their lengths.
#[inline(always)]
pub(super) fn prefers_first<S: Simd>(
    simd: S,
    [first, second]: [S::F32; 2],
    first_normal: Vectors<S>,
) -> S::Mask {
    /// Two sides are about as long if their lengths differ by at most this factor.
    const ABOUT_AS_LONG: f32 = 1.0 + 1.0 / (1 << 10) as f32;
    /// A direction of 74 degrees.
    const DIRECTION: [f32; 2] = [0.28, 0.96];
    let about = simd.splat(ABOUT_AS_LONG);
    let longer = simd.lt(simd.mul(second, about), first);
    let shorter = simd.lt(simd.mul(first, about), second);
    let [x, y] = DIRECTION;
    let direction = Vectors { x: simd.splat(x), y: simd.splat(y) };
    let forward = simd.lt(simd.splat(0.0), first_normal.dot(simd, direction));
    simd.or(longer, simd.and(forward, simd.not(shorter)))
}

/// The lanes in which `first` is preferred to `second`.
#[inline(always)]
pub(super) fn prefers_first_face<S: Simd>(simd: S, first: &Face<S>, second: &Face<S>) -> S::Mask {
    prefers_first(simd, [first.length, second.length], first.normal(simd))
}

/// How much larger the separation along a side of the second shape must be than along a side of the
/// first, so that it becomes the reference side. Negative where the second side is preferred.
/// `separation` is the larger separation, and `tolerance` the tolerance of cores that are apart.
#[inline(always)]
pub(super) fn handicap<S: Simd>(
    simd: S,
    prefers_first: S::Mask,
    separation: S::F32,
    tolerance: S::F32,
    offset: Vectors<S>,
) -> S::F32 {
    let apart = simd.lt(simd.splat(0.0), separation);
    let overlapping = simd.mul(offset.extent(simd), simd.splat(OVERLAPPING));
    let handicap = simd.select(apart, tolerance, overlapping);
    simd.select(prefers_first, handicap, simd.neg(handicap))
}

/// By how much separations along two sides may differ, for cores that are apart by `separation`, so
/// that both count as equally good. More than roundings only within `radius`, the sum of the radii:
/// centres of thin round bodies are near each other, so there the lengths of the sides also count.
#[inline(always)]
pub(super) fn tolerance_apart<S: Simd>(
    simd: S,
    separation: S::F32,
    radius: S::F32,
    lengths: [S::F32; 2],
    offset: Vectors<S>,
) -> S::F32 {
    /// The share of the size for cores that are apart by less than the radii around them, 2^-18.
    /// Where a body at rest tilts by a thousandth and lies a thousandth aside, two equally good
    /// sides differ by the product, 2^-20. At 2^-15, contacts of polygons with many sides are
    /// visibly less exact.
    const WITHIN_RADII: f32 = 1.0 / (1 << 18) as f32;
    /// The largest part of the separation of cores, within the radii around them, that the
    /// preferred side may be worse by, 2^-8. So the normals of the two sides differ by at most 5
    /// degrees, and the shortest vector between the cores is between the reference side and the
    /// incident side, whichever of the two is the reference side.
    const ROUNDED_SHARE: f32 = 1.0 / (1 << 8) as f32;
    let extent = offset.extent(simd);
    // Only roundings, because the side with the largest separation is then the one next to the
    // shortest vector.
    let least = simd.mul(extent, simd.splat(F32_SLACK as f32));
    let size = simd.add(extent, simd.add(lengths[0], lengths[1]));
    let most = simd.mul(size, simd.splat(WITHIN_RADII));
    let part = simd.mul(separation, simd.splat(ROUNDED_SHARE));
    let within = simd.max(least, simd.min(most, part));
    simd.select(simd.lt(radius, separation), least, within)
}

/// The merits of a box's sides as reference sides, given their separations. The merit of a side is
/// its separation, reduced for sides without a length. So the end of a capsule does not become the
/// reference side instead of the side that it stands on.
#[inline(always)]
pub(super) fn merits<S: Simd>(
    simd: S,
    along: Vectors<S>,
    half: Vectors<S>,
    offset: Vectors<S>,
) -> Vectors<S> {
    let zero = simd.splat(0.0);
    let less = simd.mul(offset.extent(simd), simd.splat(OVERLAPPING));
    let [x, y] = [simd.sub(along.x, less), simd.sub(along.y, less)];
    Vectors {
        x: simd.select(simd.lt(zero, half.y), along.x, x),
        y: simd.select(simd.lt(zero, half.x), along.y, y),
    }
}

/// The lanes in which the separation along a reference side is as large as the distance of the
/// shapes, whose square is `length2`, within `tolerance`. The shortest vector is then along the
/// normal of that side, wherever it starts.
#[inline(always)]
pub(super) fn explains<S: Simd>(
    simd: S,
    separation: S::F32,
    length2: S::F32,
    tolerance: S::F32,
) -> S::Mask {
    simd.le(simd.sub(simd.sqrt(length2), tolerance), separation)
}

/// The factor for comparing the squares of vectors that are equal up to rounding. The square of the
/// vector from the second shape's side must be less than this times that from the first's.
#[inline(always)]
pub(super) fn way_handicap<S: Simd>(simd: S, prefers_first: S::Mask) -> S::F32 {
    const SHARE: f32 = 1.0 / (1 << 23) as f32;
    simd.select(prefers_first, simd.splat(1.0 - SHARE), simd.splat(1.0 + SHARE))
}
