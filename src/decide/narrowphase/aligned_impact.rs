//! Two axis-aligned shapes that move: where one shape stops the other, without a query of the
//! narrowphase.

use super::{
    PairQuery, Probe, aligned_contact::AlignedShape, hit::Hit, solids::SolidWorkspace,
    stop::RelativeMotion,
};
use crate::{
    geometry::Solid,
    shape::RoundedBox,
    simd::{Isa, map_each},
};

/// [`impact`](super::impact) of two axis-aligned shapes.
#[inline]
pub(crate) fn impact_of_aligned(
    isa: Isa,
    shapes: [AlignedShape; 2],
    motion: &RelativeMotion,
    workspace: &mut SolidWorkspace,
) -> Option<Hit> {
    let [a, b] = map_each(shapes, |shape| shape.sides);
    let query = |take: &mut dyn FnMut(&PairQuery<'_>)| {
        let [a, b] = map_each(shapes, |shape| Probe::aligned(shape.sides, shape.class));
        take(&a.query(isa, b.set(), true));
    };
    let workspace = &mut workspace.difference;
    Solid::with_box(&a, |a| {
        Solid::with_box(&b, |b| motion.hit_of_aligned([&a, &b], || shapes, 0, query, workspace))
    })
}

/// The hit of a moving probe on the shape of a row. Both shapes are axis-aligned, with these
/// `sides`.
pub(crate) fn stop_of_aligned<'a>(
    motion: &RelativeMotion,
    query: impl Fn() -> &'a PairQuery<'a>,
    row: u32,
    sides: [RoundedBox; 2],
    workspace: &mut SolidWorkspace,
) -> Option<Hit> {
    let [own, other] = sides;
    let shapes = || {
        let [own_set, other_set] = &query().sets;
        let classes = [own_set.placed[0].class(), other_set.placed[row as usize].class()];
        map_each([0, 1], |shape: usize| AlignedShape { sides: sides[shape], class: classes[shape] })
    };
    let with_query = |take: &mut dyn FnMut(&PairQuery<'_>)| take(query());
    let workspace = &mut workspace.difference;
    let hit = Solid::with_box(&own, |own| {
        Solid::with_box(&other, |other| {
            motion.hit_of_aligned([&own, &other], shapes, row, with_query, workspace)
        })
    });
    hit.map(|hit| Hit { row, ..hit })
}
