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
    posed::{FewParts, PartBlock, PartTree, Placed, ShapeClass},
    shape::compound::RUN,
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
/// order of the numbers: with each part whose bound is at most the limit. A compound of very few
/// parts passes all its parts.
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
    let (placed, mut few) = (&set.placed[row], None);
    let Some((tree, bounds)) = tree_of(set, placed, bounds, &mut few) else {
        return each_of_few(set, row, sources, corners, take);
    };
    near_parts(&tree, &bounds, limit, near);
    let first = Member::new(row as u32, false).part(placed.parts().0 as u32);
    for &number in &*near {
        with_member(first.plus(number), sources, corners, &mut |solid| take(number, solid));
    }
}

/// Calls `take` with the solid of a row, or with parts of a compound and their numbers: about by
/// their bounds, unless they are very few, up to the limit. `take` returns the limit from then on.
pub(crate) fn each_part_first(
    set: &Set<'_>,
    row: usize,
    sources: &Sources<'_>,
    bounds: &dyn Fn() -> PartBounds,
    limit: f64,
    corners: &mut Corners,
    take: &mut dyn FnMut(u32, &Solid<'_>) -> f64,
) {
    let (placed, mut few) = (&set.placed[row], None);
    let Some((tree, bounds)) = tree_of(set, placed, bounds, &mut few) else {
        return each_of_few(set, row, sources, corners, |number, solid| {
            take(number, solid);
        });
    };
    let first = Member::new(row as u32, false).part(placed.parts().0 as u32);
    let bounds = |block: PartBlock<'_>, lowest: &mut _| bounds.of(block, lowest);
    tree.find_first(limit, bounds, |number| {
        let (part, mut limit) = (first.plus(number), 0.0);
        with_member(part, sources, corners, &mut |solid| limit = take(number, solid));
        limit
    });
}

/// The tree of the parts of a compound and the bounds, in `few` if they are few. `None` if they are
/// so few that their boxes cost more than the parts, and for few parts on a path.
fn tree_of<'a>(
    set: &Set<'a>,
    placed: &Placed,
    bounds: impl FnOnce() -> PartBounds,
    few: &'a mut Option<FewParts>,
) -> Option<(PartTree<'a>, PartBounds)> {
    if let Some(tree) = set.view.tree(placed) {
        return Some((tree, bounds()));
    }
    let (first, count) = placed.is(ShapeClass::Compound).then(|| placed.parts())?;
    let is_distance = |of: &PartBounds| matches!(of, PartBounds::Distance(_));
    let bounds = (count > RUN / 4).then(bounds).filter(is_distance)?;
    let parts = (first..first + count).map(|part| set.view.part_bounds(part));
    Some((PartTree::of_few(few.insert(FewParts::default()), parts), bounds))
}

/// Replaces `near` by the numbers of the parts whose bounds are at most the limit. Compiled once.
fn near_parts(tree: &PartTree<'_>, bounds: &PartBounds, limit: f32, near: &mut Vec<u32>) {
    near.clear();
    tree.find(|block| bounds.within(block, limit), |number, _| near.push(number));
    near.sort_unstable();
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
        return with_member(member, sources, corners, &mut |solid| match back {
            None => take(0, solid),
            border => take(0, &Solid { border, ..*solid }),
        });
    }
    let first = member.part(placed.parts().0 as u32);
    for number in 0..placed.parts().1 as u32 {
        with_member(first.plus(number), sources, corners, &mut |solid| take(number, solid));
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

/// Calls `take` with the solid of a shape that is not a compound.
fn with_member(
    member: Member,
    sources: &Sources<'_>,
    corners: &mut Corners,
    take: &mut dyn FnMut(&Solid<'_>),
) {
    let placed = sources.placed(member);
    if placed.class().is_axis_aligned() {
        return Solid::with_box(&placed.sides(), |solid| take(&solid));
    }
    corners.clear();
    let shape = sources.exact(member);
    if let Some(border) = shape.border() {
        return take(&Solid { corners, radius: 0.0, aligned: None, border: Some(border) });
    }
    corners.extend(Core::of(&shape).corners().map(|[x, y]| Vector::new(x, y)));
    corners.dedup();
    if corners.len() > 1 && corners.first() == corners.last() {
        corners.pop();
    }
    let radius = f64::from(placed.radius());
    take(&Solid { corners, radius, aligned: None, border: None });
}
