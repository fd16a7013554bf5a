//! Shapes of sets as convex shapes in `f64`, and the workspace for them.

#[cfg(feature = "narrowphase")]
use super::obstacle_path::StopAtStart;
use super::{
    PlacedOutline,
    part_bounds::{NearBox, PartBounds},
    view::{Member, Set, Sources},
};
use crate::{
    base::held,
    geometry::{Core, Corners, Solid, Vector, Vertices},
    posed::{PartTree, Placed, ShapeClass},
};

/// The workspace of the decisions of a task about solids.
#[derive(Debug, Default)]
pub(crate) struct SolidWorkspace {
    pub(crate) parts: [PartWorkspace; 2],
    pub(crate) difference: Corners,
    #[cfg(feature = "narrowphase")]
    pub(super) stops: Vec<StopAtStart>,
}

held!(SolidWorkspace {
    parts,
    difference,
    #[cfg(feature = "narrowphase")]
    stops
});

/// The workspace for the parts of a shape.
#[derive(Debug, Default)]
pub(crate) struct PartWorkspace {
    pub(crate) corners: Corners,
    /// The numbers of parts.
    near: Vec<u32>,
}

held!(PartWorkspace { corners, near });

/// Calls `take` with the solid of a row, or with parts of a compound and their numbers, in the
/// order of the numbers: with each part whose bound is at most the limit. A compound of few parts
/// passes all its parts.
pub(crate) fn each_part(
    set: &Set<'_>,
    row: usize,
    sources: &Sources<'_>,
    bounds: impl FnOnce() -> PartBounds,
    limit: f32,
    workspace: &mut PartWorkspace,
    take: &mut dyn FnMut(u32, &Solid<'_>),
) {
    let PartWorkspace { corners, near } = workspace;
    let placed = &set.placed[row];
    let Some(tree) = set.view.tree(placed) else {
        return each_of_few(set, row, sources, corners, take);
    };
    near_parts(&tree, &bounds(), limit, near);
    let first = Member::new(row as u32, false).part(placed.parts().0 as u32);
    for &number in &*near {
        let part = first.plus(number);
        let placed = sources.placed(part);
        with_member(part, placed, sources, corners, &mut |solid| take(number, solid));
    }
}

/// Calls `take` with the solid of a row, or with parts of a compound and their numbers: about by
/// their bounds, if they are many, up to the limit. `take` returns the limit from then on.
pub(crate) fn each_part_first(
    set: &Set<'_>,
    row: usize,
    sources: &Sources<'_>,
    bounds: impl FnOnce() -> PartBounds,
    limit: f64,
    corners: &mut Corners,
    take: &mut dyn FnMut(u32, &Solid<'_>) -> f64,
) {
    let placed = &set.placed[row];
    let Some(tree) = set.view.tree(placed) else {
        return each_of_few(set, row, sources, corners, |number, solid| {
            take(number, solid);
        });
    };
    let first = Member::new(row as u32, false).part(placed.parts().0 as u32);
    first_parts(&tree, &bounds(), limit, &mut |number| {
        let (part, mut limit) = (first.plus(number), 0.0);
        let placed = sources.placed(part);
        with_member(part, placed, sources, corners, &mut |solid| limit = take(number, solid));
        limit
    });
}

/// Replaces `near` by the numbers of the parts whose bounds are at most the limit. Compiled once.
fn near_parts(tree: &PartTree<'_>, bounds: &PartBounds, limit: f32, near: &mut Vec<u32>) {
    near.clear();
    tree.find(|block| bounds.within(block, limit), |number, _| near.push(number));
    near.sort_unstable();
}

/// [`PartTree::find_first`], compiled once.
fn first_parts(
    tree: &PartTree<'_>,
    bounds: &PartBounds,
    limit: f64,
    take: &mut dyn FnMut(u32) -> f64,
) {
    tree.find_first(limit, |block, lowest| bounds.of(block, lowest), take);
}

/// Calls `take` with the solid of a row, or with each part of a compound and its number.
#[inline]
fn each_of_few(
    set: &Set<'_>,
    row: usize,
    sources: &Sources<'_>,
    corners: &mut Corners,
    mut take: impl FnMut(u32, &Solid<'_>),
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

impl NearBox {
    /// The box around a solid.
    pub(crate) fn of(solid: &Solid<'_>) -> Self {
        Self::of_corners(solid.corners.iter().copied(), solid.radius)
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
