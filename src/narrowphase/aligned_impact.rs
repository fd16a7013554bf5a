//! Two axis-aligned shapes that move: where one stops the other, without a query of the
//! narrowphase.

use super::{
    PairQuery, Probe, circle_circle::CircleCircle, hit::Hit, solids::SolidWorkspace,
    stop::RelativeMotion, vector::Vectors,
};
use crate::{
    geometry::Solid,
    posed::ShapeClass,
    shape::RoundedBox,
    simd::{Isa, Scalar},
};

/// An axis-aligned shape.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AlignedShape {
    pub(crate) sides: RoundedBox,
    pub(crate) class: ShapeClass,
}

/// [`impact`](super::impact) of two axis-aligned shapes.
#[inline]
pub(crate) fn impact_of_aligned(
    isa: Isa,
    shapes: [AlignedShape; 2],
    motion: &RelativeMotion,
    room: &mut SolidWorkspace,
) -> Option<Hit> {
    let [a, b] = shapes.map(|shape| shape.sides);
    if shapes.iter().all(|shape| shape.class == ShapeClass::Round)
        && let Some(hit) = motion.hit_of_circles([a, b])
    {
        return hit;
    }
    let query = |take: &mut dyn FnMut(&PairQuery<'_>)| {
        let [a, b] = shapes.map(|shape| Probe::aligned(shape.sides, shape.class));
        take(&a.query(isa, b.set(), true));
    };
    let room = &mut room.difference;
    Solid::with_box(&a, |a| Solid::with_box(&b, |b| motion.hit_of_aligned([&a, &b], query, room)))
}

/// The point of the contact of two circles, and its normal, which points to the second one: those
/// of the narrowphase. `None` if they do not touch there.
pub(super) fn contact_of_circles([a, b]: [RoundedBox; 2]) -> Option<[[f32; 2]; 2]> {
    // As `LaneBatch` orders them: the one further left first, or further down.
    let exchanged = b.min_x < a.min_x || b.min_x <= a.min_x && b.min_y < a.min_y;
    let [first, second] = if exchanged { [b, a] } else { [a, b] };
    let center = |circle: RoundedBox| Vectors::<Scalar> { x: circle.min_x, y: circle.min_y };
    let offset = center(second).minus(Scalar, center(first));
    let radii = [first.radius, second.radius];
    let manifold = CircleCircle::manifold(Scalar, offset, radii, true);
    let at = manifold.points[0].at.plus(Scalar, center(first));
    let Vectors { x, y } = manifold.normal;
    let normal = if exchanged { [0.0 - x, 0.0 - y] } else { [x + 0.0, y + 0.0] };
    manifold.hit.then_some([[at.x + 0.0, at.y + 0.0], normal])
}
