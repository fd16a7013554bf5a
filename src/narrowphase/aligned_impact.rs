//! Two axis-aligned shapes that move: where one stops the other, without a query of the
//! narrowphase.

use super::{
    PairQuery, Probe, aligned_contact::AlignedShape, hit::Hit, solids::SolidWorkspace,
    stop::RelativeMotion,
};
use crate::{geometry::Solid, simd::Isa};

/// [`impact`](super::impact) of two axis-aligned shapes.
#[inline]
pub(crate) fn impact_of_aligned(
    isa: Isa,
    shapes: [AlignedShape; 2],
    motion: &RelativeMotion,
    workspace: &mut SolidWorkspace,
) -> Option<Hit> {
    let [a, b] = shapes.map(|shape| shape.sides);
    let query = |take: &mut dyn FnMut(&PairQuery<'_>)| {
        let [a, b] = shapes.map(|shape| Probe::aligned(shape.sides, shape.class));
        take(&a.query(isa, b.set(), true));
    };
    let workspace = &mut workspace.difference;
    Solid::with_box(&a, |a| {
        Solid::with_box(&b, |b| motion.hit_of_aligned([&a, &b], shapes, query, workspace))
    })
}
