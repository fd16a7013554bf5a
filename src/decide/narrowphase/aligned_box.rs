//! Axis-aligned shapes against each other: the gaps along x and y.
//!
//! The contract's test of rounded boxes decides which of them touch, and the sweep has applied it
//! before. This kernel also computes how they touch.

use super::{
    PairKernel,
    lane_batch::{EDGE, LaneBatch},
    lanes::Vectors,
    manifold::{Directed, Manifold, ManifoldPoint, STRAIGHT, middle, reached},
    verdict::Verdict,
};
use crate::simd::Simd;

/// The kernel for axis-aligned shapes. It also takes two circles, with the same result as
/// [`CircleCircle`](super::circles::CircleCircle), in more operations. In a pair of a box and
/// a circle, the box is the first shape.
#[derive(Clone, Copy)]
pub(super) struct AlignedBox;

/// An axis-aligned shape of each lane.
#[derive(Clone, Copy)]
pub(super) struct SideLanes<S: Simd> {
    pub(super) min: Vectors<S>,
    pub(super) max: Vectors<S>,
    pub(super) radius: S::F32,
    /// Whether it is a point or a circle.
    pub(super) round: S::Mask,
}

impl<S: Simd> SideLanes<S> {
    /// The shapes of the lanes from `at` on.
    #[inline(always)]
    fn of_batch(simd: S, batch: &LaneBatch, at: usize) -> [Self; 2] {
        let (a, b) = (&batch.a, &batch.b);
        [
            Self {
                min: a.min(simd, at),
                max: a.max(simd, at),
                radius: a.radius(simd, at),
                round: a.is_round(simd, at),
            },
            Self {
                min: b.min(simd, at),
                max: b.max(simd, at),
                radius: b.radius(simd, at),
                round: b.is_round(simd, at),
            },
        ]
    }
}

/// The relation of two shapes along one axis.
#[derive(Clone, Copy)]
struct AxisGap<S: Simd> {
    /// The distance of the cores. If negative, its magnitude is how far a core must be moved to be
    /// beside the other core.
    gap: S::F32,
    /// Whether the second core is, or must be moved, in the direction of larger coordinates.
    forward: S::Mask,
    /// +1 where `forward`, else -1.
    sign: S::F32,
    /// The width of the first core.
    width: S::F32,
    /// The lower end of the interval that both cores cover, relative to the lower side of the first
    /// core.
    low: S::F32,
    /// The upper end of that interval.
    high: S::F32,
}

impl<S: Simd> AxisGap<S> {
    #[inline(always)]
    fn of(simd: S, a: [S::F32; 2], b: [S::F32; 2]) -> Self {
        let ([a_min, a_max], [b_min, b_max]) = (a, b);
        let after = simd.sub(b_min, a_max);
        let before = simd.sub(a_min, b_max);
        let forward = simd.lt(before, after);
        let (zero, one) = (simd.splat(0.0), simd.splat(1.0));
        let width = simd.sub(a_max, a_min);
        Self {
            gap: simd.max(after, before),
            forward,
            sign: simd.select(forward, one, simd.neg(one)),
            width,
            low: simd.max(simd.sub(b_min, a_min), zero),
            high: simd.min(simd.sub(b_max, a_min), width),
        }
    }

    /// The position of the first core's side that faces the second, relative to its lower side.
    #[inline(always)]
    fn side(&self, simd: S) -> S::F32 {
        simd.select(self.forward, self.width, simd.splat(0.0))
    }
}

/// The number of a box's vertex: on the right side where `right`, else on the left side, and on the
/// upper side where `upper`, else on the lower side.
#[inline(always)]
fn vertex<S: Simd>(simd: S, right: S::Mask, upper: S::Mask) -> S::F32 {
    let above = simd.select(right, simd.splat(2.0), simd.splat(3.0));
    let below = simd.select(right, simd.splat(1.0), simd.splat(0.0));
    simd.select(upper, above, below)
}

impl AlignedBox {
    #[inline(always)]
    fn axes<S: Simd>(simd: S, [a, b]: &[SideLanes<S>; 2]) -> [AxisGap<S>; 2] {
        [
            AxisGap::of(simd, [a.min.x, a.max.x], [b.min.x, b.max.x]),
            AxisGap::of(simd, [a.min.y, a.max.y], [b.min.y, b.max.y]),
        ]
    }

    /// The contract's test, and the square of the distance of the cores.
    #[inline(always)]
    fn touching<S: Simd>(
        simd: S,
        [x, y]: &[AxisGap<S>; 2],
        radius: S::F32,
        inclusive: bool,
    ) -> (S::Mask, S::F32) {
        let zero = simd.splat(0.0);
        let beyond = Vectors::<S> { x: simd.max(x.gap, zero), y: simd.max(y.gap, zero) };
        let length2 = beyond.dot(simd, beyond);
        let widest = simd.max(x.gap, y.gap);
        (reached(simd, length2, widest, radius, inclusive), length2)
    }
}

impl PairKernel for AlignedBox {
    #[inline(always)]
    fn test<S: Simd>(self, simd: S, batch: &LaneBatch, at: usize, inclusive: bool) -> Verdict<S> {
        let shapes = SideLanes::of_batch(simd, batch, at);
        let radius = simd.add(shapes[0].radius, shapes[1].radius);
        let axes = Self::axes(simd, &shapes);
        Verdict::sure(simd, Self::touching(simd, &axes, radius, inclusive).0)
    }

    #[inline(always)]
    fn contact<S: Simd>(
        self,
        simd: S,
        batch: &LaneBatch,
        at: usize,
        _margin: S::F32,
        inclusive: bool,
    ) -> Manifold<S> {
        Self::manifold(simd, SideLanes::of_batch(simd, batch, at), inclusive)
    }
}

impl AlignedBox {
    /// The contacts of these shapes, relative to the lower left corner of the first core. In a pair
    /// of a box and a circle, the box is the first shape.
    ///
    /// Cores that are apart along both axes touch from corner to corner. So do two circles, but
    /// along (+1, 0) if their centres coincide. Other cores touch along the axis that needs the
    /// smaller displacement to separate them. Among equal displacements, the order is left, right,
    /// below, above.
    #[inline(always)]
    pub(super) fn manifold<S: Simd>(
        simd: S,
        shapes: [SideLanes<S>; 2],
        inclusive: bool,
    ) -> Manifold<S> {
        let [own, other] = [shapes[0].radius, shapes[1].radius];
        let radius = simd.add(own, other);
        let axes = Self::axes(simd, &shapes);
        let (touching, length2) = Self::touching(simd, &axes, radius, inclusive);
        let [x, y] = &axes;
        let [round, other_round] = [shapes[0].round, shapes[1].round];
        let (zero, one) = (simd.splat(0.0), simd.splat(1.0));

        let way = Vectors { x: simd.mul(x.gap, x.sign), y: simd.mul(y.gap, y.sign) };
        let Directed { direction, length, known } = Directed::new(simd, way, length2);
        let both = simd.and(simd.lt(zero, x.gap), simd.lt(zero, y.gap));
        // If the first shape is a circle, the second shape is a circle too.
        let corner = simd.or(simd.and(both, known), round);
        let direction = Vectors::select(simd, known, direction, Vectors { x: one, y: zero });
        let vertical = simd.lt(x.gap, y.gap);
        let side_normal = Vectors {
            x: simd.select(vertical, zero, x.sign),
            y: simd.select(vertical, y.sign, zero),
        };
        let normal = Vectors::select(simd, corner, direction, side_normal);
        let distance = simd.select(corner, length, simd.max(x.gap, y.gap));
        let depth = simd.sub(radius, distance);

        // On the first core: its corner, or both ends of the stretch of its side that both cores
        // cover.
        let level = simd.not(vertical);
        let foot = Vectors::<S> { x: x.side(simd), y: y.side(simd) };
        let [fixed_x, fixed_y] = [simd.or(corner, level), simd.or(corner, vertical)];
        let low = Vectors {
            x: simd.select(fixed_x, foot.x, x.low),
            y: simd.select(fixed_y, foot.y, y.low),
        };
        let high = Vectors {
            x: simd.select(fixed_x, foot.x, x.high),
            y: simd.select(fixed_y, foot.y, y.high),
        };
        let up = normal.times(simd, middle(simd, distance, own, other));

        let [at_low, at_high] = {
            // If a circle is nearly straight above the end of a side, its feature is the side.
            let along_side = simd.max(x.gap, y.gap);
            let slanted = simd.lt(along_side, simd.mul(length, simd.splat(STRAIGHT)));
            let at_vertex = simd.and(corner, slanted);
            let with_circle = circle_feature(simd, &axes, vertical, at_vertex);
            let [low, high] = box_features(simd, &axes, vertical, corner);
            [
                features(simd, [round, other_round], with_circle, low),
                features(simd, [round, other_round], with_circle, high),
            ]
        };
        let first = ManifoldPoint { at: low.plus(simd, up), depth, features: at_low };
        let second = ManifoldPoint { at: high.plus(simd, up), depth, features: at_high };
        let wide = choose(simd, vertical, simd.lt(x.low, x.high), simd.lt(y.low, y.high));
        let two = simd.and(wide, simd.not(corner));
        let Verdict { touching: hit, doubt } = Verdict::sure(simd, touching);
        Manifold { hit, doubt, normal, depth, points: [first, second], two }
    }
}

/// Returns the lanes of `yes` where `mask` is set and the lanes of `no` elsewhere.
#[inline(always)]
fn choose<S: Simd>(simd: S, mask: S::Mask, yes: S::Mask, no: S::Mask) -> S::Mask {
    simd.or(simd.and(mask, yes), simd.and(simd.not(mask), no))
}

/// The feature of a box whose other shape is a circle: a side, or a corner in the lanes of
/// `at_vertex`.
#[inline(always)]
fn circle_feature<S: Simd>(
    simd: S,
    [x, y]: &[AxisGap<S>; 2],
    vertical: S::Mask,
    at_vertex: S::Mask,
) -> S::F32 {
    // Sides are numbered counter-clockwise from the lower side.
    let level = simd.select(x.forward, simd.splat(EDGE + 1.0), simd.splat(EDGE + 3.0));
    let side = simd.select(y.forward, simd.splat(EDGE + 2.0), simd.splat(EDGE));
    let side = simd.select(vertical, side, level);
    simd.select(at_vertex, vertex(simd, x.forward, y.forward), side)
}

/// The features of two boxes at the lower and at the upper end of the stretch of a side that both
/// cover. Where corners touch, the result for the lower end has their features.
///
/// The reference side is the upper side of the lower box, or the right side of the left box. So for
/// two boxes that rest on each other, it does not depend on which of them ends a rounding further
/// out. The vertex belongs to the other box.
#[inline(always)]
fn box_features<S: Simd>(
    simd: S,
    [x, y]: &[AxisGap<S>; 2],
    vertical: S::Mask,
    corner: S::Mask,
) -> [[S::F32; 2]; 2] {
    let first_is_reference = choose(simd, vertical, y.forward, x.forward);
    let side = simd.select(vertical, simd.splat(EDGE + 2.0), simd.splat(EDGE + 1.0));
    let (low, high) = (simd.splat(0.0), simd.select(vertical, simd.splat(1.0), simd.splat(3.0)));
    // At a corner: the lower end, unless the upper end is nearer.
    let beyond = choose(simd, vertical, x.forward, y.forward);
    let is_low = choose(simd, first_is_reference, beyond, simd.not(beyond));
    let one = simd.select(simd.and(corner, simd.not(is_low)), high, low);
    [
        [simd.select(first_is_reference, side, one), simd.select(first_is_reference, one, side)],
        [simd.select(first_is_reference, side, high), simd.select(first_is_reference, high, side)],
    ]
}

/// The features of two shapes. Circles, marked by the masks, have vertex 0. A shape whose other
/// shape is a circle has `with_circle`.
#[inline(always)]
fn features<S: Simd>(
    simd: S,
    [round, other_round]: [S::Mask; 2],
    with_circle: S::F32,
    [own, other]: [S::F32; 2],
) -> [S::F32; 2] {
    let zero = simd.splat(0.0);
    let own = simd.select(other_round, with_circle, own);
    [simd.select(round, zero, own), simd.select(other_round, zero, other)]
}
