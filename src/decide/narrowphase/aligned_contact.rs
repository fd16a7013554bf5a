//! The contact of two axis-aligned shapes, without a query of the narrowphase.

use super::{
    aligned_box::{AlignedBox, SideLanes},
    circles::CircleCircle,
    lanes::Vectors,
    manifold::Manifold,
};
use crate::{
    posed::ShapeClass,
    shape::RoundedBox,
    simd::{Scalar, map_each},
};

/// An axis-aligned shape.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AlignedShape {
    pub(crate) sides: RoundedBox,
    pub(crate) class: ShapeClass,
}

/// The contact of two axis-aligned shapes, as far as a hit has it.
pub(super) enum AlignedContact {
    /// A point, and the normal, which points to the second shape.
    Touch { point: [f32; 2], normal: [f32; 2] },
    /// They do not touch, by the roundings of the narrowphase.
    Apart,
    /// Two boxes at one place: the narrowphase orders them by more than their places.
    Tied,
}

/// The contact of the narrowphase, by the same kernels.
#[inline]
pub(super) fn contact_of_aligned(shapes: [AlignedShape; 2]) -> AlignedContact {
    let [class, other_class] = map_each(shapes, |shape| shape.class);
    let lanes = map_each(shapes, |AlignedShape { sides, class }| SideLanes::<Scalar> {
        min: Vectors { x: sides.min_x, y: sides.min_y },
        max: Vectors { x: sides.max_x, y: sides.max_y },
        radius: sides.radius,
        round: class == ShapeClass::Round,
    });
    // As `LaneBatch` orders them: the later class first; of one class the one further left, or
    // further down.
    let [a, b] = map_each(lanes, |shape| shape.min.plus(Scalar, shape.max).times(Scalar, 0.5));
    let is_second_first = b.x < a.x || b.x <= a.x && b.y < a.y;
    let exchanged = class < other_class || class == other_class && is_second_first;
    let is_round = class == ShapeClass::Round && other_class == ShapeClass::Round;
    if class == other_class && !is_round && a.x == b.x && a.y == b.y {
        return AlignedContact::Tied;
    }
    let [first, second] = if exchanged { [lanes[1], lanes[0]] } else { lanes };
    let Manifold { hit, normal: Vectors { x, y }, points, .. } = if is_round {
        let offset = second.min.minus(Scalar, first.min);
        CircleCircle::manifold(Scalar, offset, [first.radius, second.radius], true)
    } else {
        AlignedBox::manifold(Scalar, [first, second], true)
    };
    if !hit {
        return AlignedContact::Apart;
    }
    let at = points[0].at.plus(Scalar, first.min);
    let normal = if exchanged { [0.0 - x, 0.0 - y] } else { [x + 0.0, y + 0.0] };
    AlignedContact::Touch { point: [at.x + 0.0, at.y + 0.0], normal }
}
