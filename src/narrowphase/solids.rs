//! Shapes of sets as convex shapes in `f64`, and the workspace for them.

#[cfg(feature = "narrowphase")]
use super::obstacle_path::StopAtStart;
use super::{
    PlacedOutline,
    view::{Member, Set, Sources},
};
use crate::{
    geometry::{Core, Corners, Solid, Vector, Vertices},
    posed::{Placed, ShapeClass},
};

/// The workspace of the decisions of a task about solids.
#[derive(Debug, Default)]
pub(crate) struct SolidWorkspace {
    pub(crate) corners: [Corners; 2],
    pub(crate) difference: Corners,
    #[cfg(feature = "narrowphase")]
    pub(super) stops: Vec<StopAtStart>,
}

impl SolidWorkspace {
    /// The bytes of memory held.
    pub(crate) fn bytes(&self) -> usize {
        let [first, second] = &self.corners;
        let vectors = first.capacity() + second.capacity() + self.difference.capacity();
        let bytes = vectors * size_of::<Vector>();
        #[cfg(feature = "narrowphase")]
        let bytes = bytes + self.stops.capacity() * size_of::<StopAtStart>();
        bytes
    }
}

/// Calls `take` with the solid of a row, or with each part of a compound and its number.
pub(crate) fn each_part(
    set: &Set<'_>,
    row: usize,
    sources: &Sources<'_>,
    corners: &mut Corners,
    take: &mut dyn FnMut(u32, &Solid<'_>),
) {
    let member = Member::new(row as u32, false);
    let placed = &set.placed[row];
    if placed.class() != ShapeClass::Compound {
        let back = set.back(row);
        return with_member(member, placed, sources, corners, &mut |solid| match back {
            None => take(0, solid),
            border => take(0, &Solid { border, ..*solid }),
        });
    }
    let (first, count) = placed.parts();
    for number in 0..count as u32 {
        let part = member.part(first as u32 + number);
        let placed = sources.placed(part);
        with_member(part, placed, sources, corners, &mut |solid| take(number, solid));
    }
}

/// Whether a solid touches the shape in a row because that is an outline, and the solid, without
/// area, lies on an inner side of it.
pub(crate) fn is_on_inner_side(set: &Set<'_>, row: usize, solid: &Solid<'_>) -> bool {
    solid.radius == 0.0
        && PlacedOutline::of(set, &set.placed[row])
            .is_some_and(|outline| outline.has_flat_on_inner_side(solid.corners))
}

/// Calls `take` with the solid of a shape that is not a compound, and is placed so.
fn with_member(
    member: Member,
    placed: &Placed,
    sources: &Sources<'_>,
    corners: &mut Corners,
    take: &mut dyn FnMut(&Solid<'_>),
) {
    if placed.class().is_axis_aligned() {
        return Solid::with_box(&placed.sides(), |solid| take(&solid));
    }
    corners.clear();
    let shape = sources.exact(member);
    if let Some(border) = shape.border() {
        return take(&Solid { corners, radius: 0.0, aligned: None, border: Some(border) });
    }
    let core = Core::of(&shape);
    corners.extend(core.corners().map(|[x, y]| Vector::new(x, y)));
    corners.dedup();
    if corners.len() > 1 && corners.first() == corners.last() {
        corners.pop();
    }
    let radius = f64::from(placed.radius());
    take(&Solid { corners, radius, aligned: None, border: None });
}
