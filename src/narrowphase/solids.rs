//! Shapes of sets as convex shapes in `f64`, and the workspace for them.

#[cfg(feature = "narrowphase")]
use super::obstacle_path::StopAtStart;
use super::{
    PlacedOutline,
    view::{Set, Sources},
};
use crate::{
    geometry::{Border, Core, Corners, Solid, Vector},
    posed::{Placed, ShapeClass},
    simd::map_each,
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
    let placed = &set.placed[row];
    if let Some(border) = set.back(row) {
        return with_placed(placed, sources, corners, &mut |solid| {
            take(0, &Solid { border: Some(border), ..*solid });
        });
    }
    if placed.class() != ShapeClass::Compound {
        return with_placed(placed, sources, corners, &mut |solid| take(0, solid));
    }
    let (first, count) = placed.parts();
    for (number, part) in sources.parts()[first..first + count].iter().enumerate() {
        with_placed(part, sources, corners, &mut |solid| take(number as u32, solid));
    }
}

/// Whether a solid touches the shape in a row because that is an outline, and the solid, without
/// area, lies on an inner side of it. With a pose, the parts are rounded apart there.
pub(crate) fn is_on_inner_side(set: &Set<'_>, row: usize, solid: &Solid<'_>) -> bool {
    solid.radius == 0.0
        && PlacedOutline::of(set, &set.placed[row])
            .is_some_and(|outline| outline.has_flat_on_inner_side(solid.corners))
}

/// Calls `take` with the solid of a placed shape that is not a compound.
fn with_placed(
    placed: &Placed,
    sources: &Sources<'_>,
    corners: &mut Corners,
    take: &mut dyn FnMut(&Solid<'_>),
) {
    if placed.class().is_axis_aligned() {
        return Solid::with_box(&placed.sides(), |solid| take(&solid));
    }
    corners.clear();
    if placed.is(ShapeClass::HalfPlane) {
        let (normal, offset) = placed.border();
        let border = Border { normal: Vector::wide(normal), offset: f64::from(offset) };
        return take(&Solid { corners, radius: 0.0, aligned: None, border: Some(border) });
    }
    let radius = f64::from(placed.radius());
    if placed.is(ShapeClass::Line) || placed.is(ShapeClass::ChainSegment) {
        let ends = map_each(placed.ends(), Vector::wide);
        let corners = if ends[0] == ends[1] { &ends[..1] } else { &ends[..] };
        return take(&Solid { corners, radius, aligned: None, border: None });
    }
    let core = Core::of(&sources.exact_of(0, placed));
    corners.extend(core.corners().map(|[x, y]| Vector::new(x, y)));
    corners.dedup();
    if corners.len() > 1 && corners.first() == corners.last() {
        corners.pop();
    }
    take(&Solid { corners, radius, aligned: None, border: None });
}
