//! From the nearest sides of two shapes to the points where they touch.

use super::{
    face::{Face, Gap},
    vector::Vectors,
};
use crate::simd::Simd;

/// Added to the number of an edge, to tell it from that of a vertex.
pub(super) const EDGE: f32 = 32768.0;

/// Where the shapes of each lane touch, or nearly do, seen from the centre of the first.
#[derive(Clone, Copy)]
pub(super) struct Manifold<S: Simd> {
    /// Whether there is a contact.
    pub(super) hit: S::Mask,
    /// From the first shape to the second, of length 1.
    pub(super) normal: Vectors<S>,
    /// How far to push the shapes apart along the normal; below zero, how far they are apart.
    pub(super) depth: S::F32,
    /// The deeper point, and where there is one, another.
    pub(super) points: [ManifoldPoint<S>; 2],
    /// Whether there are two points.
    pub(super) two: S::Mask,
}

/// One point of a manifold.
#[derive(Clone, Copy)]
pub(super) struct ManifoldPoint<S: Simd> {
    /// Half way between the two surfaces.
    pub(super) at: Vectors<S>,
    pub(super) depth: S::F32,
    /// The features of the first and of the second shape that meet: the number of a vertex, or that
    /// of an edge and [`EDGE`].
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

    /// The same with the shapes exchanged, where `mask` says so.
    #[inline(always)]
    fn exchanged(self, simd: S, mask: S::Mask) -> Self {
        let [a, b] = self.features;
        Self { features: [simd.select(mask, b, a), simd.select(mask, a, b)], ..self }
    }
}

/// How two convex cores lie to each other.
#[derive(Clone, Copy)]
pub(super) struct Sides<S: Simd> {
    /// The side that separates the cores most, or by which they overlap least.
    pub(super) reference: Face<S>,
    /// The side of the other core that faces it.
    pub(super) incident: Face<S>,
    /// The shortest way between the cores where it matters: where they are apart and may reach each
    /// other. Elsewhere its length is 0.
    pub(super) gap: Gap<S>,
    /// The square of their distance there: the same, but for roundings. Elsewhere 0.
    pub(super) length2: S::F32,
    /// How far the sides of either separate the cores at most; not above zero where these overlap.
    pub(super) separation: S::F32,
    /// How far the cores are apart along the normal of the reference side: the same, or a little
    /// less where they overlap.
    pub(super) distance: S::F32,
    /// Whether the reference side is the second shape's.
    pub(super) exchanged: S::Mask,
    /// From the centre of the first shape to that of the second.
    pub(super) offset: Vectors<S>,
}

/// Which shapes touch: those whose cores overlap, or are no further apart than `radius`, the
/// sum of the radii, given the separation of the cores along one normal and the square of their
/// distance, which is 0 where the separation is not above zero.
///
/// As with axis-aligned shapes, a distance of 1e-30 squares to zero, and must not count as touching;
/// hence the comparison with the separation itself.
#[inline(always)]
pub(super) fn within<S: Simd>(
    simd: S,
    separation: S::F32,
    length2: S::F32,
    radius: S::F32,
    inclusive: bool,
) -> S::Mask {
    let zero = simd.splat(0.0);
    let radius2 = simd.mul(radius, radius);
    let near = simd.le(separation, radius);
    if inclusive {
        let reached = simd.and(near, simd.le(length2, radius2));
        simd.or(simd.le(separation, zero), reached)
    } else {
        let reached = simd.and(near, simd.lt(length2, radius2));
        simd.or(simd.lt(separation, zero), reached)
    }
}

/// The same for cores that are boxes along the axes, of whatever frame: `length2` is the square of the
/// distance, and `widest` the larger of the gaps along x and along y, below zero where the cores overlap.
/// That is the contract's test of axis-aligned shapes.
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

/// A positive number that is no length that matters: a divisor that is never zero.
pub(super) const TINY: f32 = f32::MIN_POSITIVE;

/// A way between two points, as a direction and a length.
#[derive(Clone, Copy)]
pub(super) struct Directed<S: Simd> {
    /// Of length 1, where it is known.
    pub(super) direction: Vectors<S>,
    pub(super) length: S::F32,
    /// Whether the way is long enough to have a direction.
    pub(super) known: S::Mask,
}

impl<S: Simd> Directed<S> {
    /// The square of the shortest way with a direction: 2^-50 long. Squares of much shorter ones lose
    /// the bits that a direction is made of.
    const SHORTEST2: f32 = 1.0 / (1_u128 << 100) as f32;

    /// The shortest way between two corners that has a direction, as a share of the distance of the
    /// centres: shorter ones are made of roundings.
    const CORNER: f32 = 1.0 / (1 << 16) as f32;

    /// `way`, whose length squared is `length2`.
    #[inline(always)]
    pub(super) fn new(simd: S, way: Vectors<S>, length2: S::F32) -> Self {
        let length = simd.sqrt(length2);
        let divisor = simd.max(length, simd.splat(TINY));
        // Divided twice and not multiplied by the inverse: a way along an axis then has the
        // direction (1, 0), not nearly.
        let direction = Vectors { x: simd.div(way.x, divisor), y: simd.div(way.y, divisor) };
        let known = simd.le(simd.splat(Self::SHORTEST2), length2);
        Self { direction, length, known }
    }

    /// The same for a way between corners of shapes whose centres are `offset` apart.
    #[inline(always)]
    pub(super) fn between_corners(
        simd: S,
        way: Vectors<S>,
        length2: S::F32,
        offset: Vectors<S>,
    ) -> Self {
        let directed = Self::new(simd, way, length2);
        let shortest = simd.mul(scale(simd, offset), simd.splat(Self::CORNER));
        let known = simd.and(directed.known, simd.lt(shortest, directed.length));
        Self { known, ..directed }
    }
}

/// Where cores that no side separates may still be apart, because what separates them is lost in roundings: ahead
/// of a sharp tip, all sides are nearly along the way to it. `separation` is that along the best side.
#[inline(always)]
pub(super) fn in_doubt<S: Simd>(simd: S, separation: S::F32, offset: Vectors<S>) -> S::Mask {
    const DOUBT: f32 = 1.0 / (1 << 18) as f32;
    let least = simd.neg(simd.mul(scale(simd, offset), simd.splat(DOUBT)));
    simd.and(simd.lt(least, separation), simd.le(separation, simd.splat(0.0)))
}

/// The separation of cores that may be apart though no side separates them: above zero where they are, which
/// the square of the distance between vertices and sides says. Cores that overlap by a little have some that are
/// as near.
#[inline(always)]
pub(super) fn told_apart<S: Simd>(
    simd: S,
    separation: S::F32,
    length2: S::F32,
    offset: Vectors<S>,
) -> S::F32 {
    const APART: f32 = 1.0 / (1 << 21) as f32;
    let overlap = simd.mul(simd.neg(separation), simd.splat(4.0));
    let least = simd.add(overlap, simd.mul(scale(simd, offset), simd.splat(APART)));
    let apart = simd.lt(simd.mul(least, least), length2);
    let apart = simd.and(apart, in_doubt(simd, separation, offset));
    simd.select(apart, simd.splat(TINY), separation)
}

/// About how far centres that are `offset` apart are apart: what small distances are compared with.
#[inline(always)]
pub(super) fn scale<S: Simd>(simd: S, offset: Vectors<S>) -> S::F32 {
    simd.add(simd.abs(offset.x), simd.abs(offset.y))
}

impl<S: Simd> Sides<S> {
    /// The sum of the radii.
    #[inline(always)]
    pub(super) fn radius(&self, simd: S) -> S::F32 {
        simd.add(self.reference.radius, self.incident.radius)
    }

    /// Which of the shapes touch.
    #[inline(always)]
    pub(super) fn touching(&self, simd: S, inclusive: bool) -> S::Mask {
        within(simd, self.separation, self.length2, self.radius(simd), inclusive)
    }

    /// The contacts of those that touch, or are at most `margin` apart.
    ///
    /// Cores that are apart corner to corner touch in one point, along the line between the corners.
    /// All others touch along the reference side: the incident side is cut off where the reference
    /// side begins and where it ends (Catto, "Contact Manifolds", GDC 2007), and what is left of it
    /// has two ends: the points, as far as they are within the margin. The deeper one always is.
    #[inline(always)]
    pub(super) fn manifold(&self, simd: S, margin: S::F32, inclusive: bool) -> Manifold<S> {
        let Self { reference, gap, distance, exchanged, offset, .. } = *self;
        let radius = self.radius(simd);
        let touching = self.touching(simd, inclusive);

        // From corner to corner.
        let zero = simd.splat(0.0);
        let Directed { direction: way, length, known } =
            Directed::between_corners(simd, gap.way, gap.length2, offset);
        let corners = simd.and(simd.lt(zero, gap.corners), known);
        let corner = ManifoldPoint {
            at: gap.from.plus(simd, way.times(simd, self.height(simd, length))),
            depth: simd.sub(radius, length),
            features: [gap.reference_vertex, gap.incident_vertex],
        };

        // Along the reference side.
        let (first, second, two) = self.clipped(simd);
        let near = simd.le(simd.neg(margin), second.depth);
        let two = simd.and(simd.and(two, near), simd.not(corners));

        let normal = Vectors::select(simd, corners, way, reference.normal(simd));
        let distance = simd.select(corners, length, distance);
        let first = ManifoldPoint::select(simd, corners, corner, first);
        let points = [first.exchanged(simd, exchanged), second.exchanged(simd, exchanged)];
        let normal = Vectors::select(simd, exchanged, normal.neg(simd), normal);
        let depth = simd.sub(radius, distance);
        Manifold { hit: touching, normal, depth, points, two }.bounded(simd, margin)
    }

    /// How high above the reference side the middle between the surfaces is, where the other core
    /// is `distance` above it.
    #[inline(always)]
    fn height(&self, simd: S, distance: S::F32) -> S::F32 {
        middle(simd, distance, self.reference.radius, self.incident.radius)
    }

    /// The ends of what of the incident side is above the reference side, the deeper one first; and
    /// whether it has two: else it is beside it, and its deeper vertex stands for it.
    #[inline(always)]
    fn clipped(&self, simd: S) -> (ManifoldPoint<S>, ManifoldPoint<S>, S::Mask) {
        let Self { reference, incident, .. } = *self;
        let normal = reference.normal(simd);
        let zero = simd.splat(0.0);
        // Sides run counter-clockwise, so the incident one runs against the reference one.
        let from = incident.start.minus(simd, reference.start);
        let to = incident.end.minus(simd, reference.start);
        let [far, near] = [from.dot(simd, reference.tangent), to.dot(simd, reference.tangent)];
        let [far_height, near_height] = [from.dot(simd, normal), to.dot(simd, normal)];
        let slope = {
            let span = simd.max(simd.sub(far, near), simd.splat(TINY));
            simd.div(simd.sub(far_height, near_height), span)
        };

        let cut_far = simd.lt(reference.length, far);
        let cut_near = simd.lt(near, zero);
        let last = simd.min(far, reference.length);
        let first = simd.max(near, zero);
        let two = simd.lt(first, last);
        let at_end = simd.add(near_height, simd.mul(simd.sub(reference.length, near), slope));
        let at_start = simd.sub(near_height, simd.mul(near, slope));
        let last_height = simd.select(cut_far, at_end, far_height);
        let first_height = simd.select(cut_near, at_start, near_height);
        let last = self.point(
            simd,
            last,
            last_height,
            simd.select(cut_far, reference.end_vertex, reference.edge),
            simd.select(cut_far, incident.edge, incident.start_vertex),
        );
        let first = self.point(
            simd,
            first,
            first_height,
            simd.select(cut_near, reference.start_vertex, reference.edge),
            simd.select(cut_near, incident.edge, incident.end_vertex),
        );

        // Its deeper vertex stands for it, or of two as deep, the one that is nearer.
        let level = simd.and(simd.le(near_height, far_height), simd.le(reference.length, near));
        let lower = simd.or(simd.lt(near_height, far_height), level);
        let along = simd.select(lower, near, far);
        let single = self.point(
            simd,
            simd.min(simd.max(along, zero), reference.length),
            simd.select(lower, near_height, far_height),
            reference.edge,
            simd.select(lower, incident.end_vertex, incident.start_vertex),
        );
        let first_deeper = simd.lt(first_height, last_height);
        let deeper = ManifoldPoint::select(simd, first_deeper, first, last);
        let other = ManifoldPoint::select(simd, first_deeper, last, first);
        (ManifoldPoint::select(simd, two, deeper, single), other, two)
    }

    /// The point that is `along` the reference side, where the incident core is `height` above it.
    #[inline(always)]
    fn point(
        &self,
        simd: S,
        along: S::F32,
        height: S::F32,
        reference_feature: S::F32,
        incident_feature: S::F32,
    ) -> ManifoldPoint<S> {
        let Self { reference, .. } = *self;
        let foot = reference.start.plus(simd, reference.tangent.times(simd, along));
        let up = reference.normal(simd).times(simd, self.height(simd, height));
        ManifoldPoint {
            at: foot.plus(simd, up),
            depth: simd.sub(self.radius(simd), height),
            features: [reference_feature, incident_feature],
        }
    }
}

impl<S: Simd> Manifold<S> {
    /// A manifold of one point.
    #[inline(always)]
    pub(super) fn single(
        simd: S,
        hit: S::Mask,
        normal: Vectors<S>,
        point: ManifoldPoint<S>,
    ) -> Self {
        let zero = simd.splat(0.0);
        let two = simd.lt(zero, zero);
        Self { hit, normal, depth: point.depth, points: [point, point], two }
    }

    /// Adds those that do not touch but are at most `margin` apart, if that is above zero; and sees
    /// to it that the depth of what touches is not below zero, and that of what does not is not above,
    /// whatever its roundings.
    #[inline(always)]
    pub(super) fn bounded(self, simd: S, margin: S::F32) -> Self {
        let Self { hit: touching, depth, .. } = self;
        let zero = simd.splat(0.0);
        let near = simd.and(simd.lt(zero, margin), simd.le(simd.neg(margin), depth));
        let depth = simd.select(touching, simd.max(depth, zero), simd.min(depth, zero));
        Self { hit: simd.or(touching, near), depth, ..self }
    }

    /// Only the contacts in the lanes of `mask`. Where there is none, normal, depth and the number of points
    /// are 0.
    #[inline(always)]
    pub(super) fn only(self, simd: S, mask: S::Mask) -> Self {
        let Self { hit, normal, depth, points, two } = self;
        let (hit, zero) = (simd.and(hit, mask), simd.splat(0.0));
        Self {
            hit,
            normal: Vectors::select(simd, hit, normal, Vectors { x: zero, y: zero }),
            depth: simd.select(hit, depth, zero),
            points,
            two: simd.and(two, hit),
        }
    }
}

/// How far from the core of one shape the middle between the surfaces is, where the other core is
/// `distance` away: radii are `own` and `other`.
#[inline(always)]
pub(super) fn middle<S: Simd>(simd: S, distance: S::F32, own: S::F32, other: S::F32) -> S::F32 {
    simd.mul(simd.splat(0.5), simd.sub(simd.add(distance, own), other))
}
