//! `Solid`: a convex shape in `f64`, as corners and a radius.
//!
//! Every query ends in one of three questions about convex shapes: is a point within, where does a
//! ray enter, how far apart are two. A convex shape of any kind is a convex core and a radius, so
//! each question has one answer for all kinds. The answers are computed in `f64` from the values
//! that the caller gave. On whole numbers of up to 2^10, all products are exact, and so is every
//! decision.

use super::{border::Border, vector::Vector};
use crate::{
    grid::Grid,
    kernel::columns::RoundedColumns,
    narrowphase::{Core, Outline, Set, Sources, cores_touch},
    posed::{Class, Placed},
    shape::RoundedBox,
};

/// A convex shape: the corners of its core, counter-clockwise, no two in turn equal, and the radius
/// around it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Solid<'a> {
    /// One corner for a circle, two for a segment or capsule, else at least three.
    pub(crate) corners: &'a [Vector],
    pub(crate) radius: f64,
    /// The core as a box, if it is axis-aligned.
    pub(crate) aligned: Option<[Vector; 2]>,
    /// The half-plane, if it is one: it has no corners. For a segment of a chain with one side:
    /// what is behind it.
    pub(crate) border: Option<Border>,
}

impl Solid<'_> {
    /// Calls `take` with the solid of an axis-aligned shape.
    #[inline]
    pub(crate) fn with_box<R>(sides: &RoundedBox, take: impl FnOnce(Solid<'_>) -> R) -> R {
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = *sides;
        let (min, radius) = (Vector::wide([min_x, min_y]), f64::from(radius));
        let (narrow, flat) = (min_x == max_x, min_y == max_y);
        if narrow && flat {
            // A center that is written by halves, and then read as a whole, makes the reader wait.
            // Written as a pair, it is written by wholes.
            let pair = [min, min];
            return take(Solid { corners: &pair[..1], radius, aligned: Some(pair), border: None });
        }
        let max = Vector::wide([max_x, max_y]);
        let aligned = Some([min, max]);
        if narrow || flat {
            return take(Solid { corners: &[min, max], radius, aligned, border: None });
        }
        let corners = [min, Vector::new(max.x, min.y), max, Vector::new(min.x, max.y)];
        take(Solid { corners: &corners, radius, aligned, border: None })
    }

    /// The border, if the solid is a half-plane.
    pub(crate) fn half_plane(&self) -> Option<Border> {
        if self.corners.is_empty() { self.border } else { None }
    }

    /// Whether a motion in this direction passes the solid, whatever it meets: one that comes from
    /// behind a segment with one side.
    pub(crate) fn lets_pass(&self, direction: Vector) -> bool {
        !self.corners.is_empty()
            && self.border.is_some_and(|border| border.normal.dot(direction) >= 0.0)
    }

    /// Whether the solid holds a point, under the policy.
    pub(crate) fn holds(&self, point: Vector, inclusive: bool) -> bool {
        let Solid { corners, radius, .. } = *self;
        if let Some(border) = self.half_plane() {
            let height = border.height(point);
            return if inclusive { height <= radius } else { height < radius };
        }
        if let [center] = corners {
            let distance2 = (point - *center).length2();
            let radius2 = radius * radius;
            return if inclusive { distance2 <= radius2 } else { distance2 < radius2 };
        }
        let point = [point];
        cores_touch(&Core::Listed(corners), &Core::Listed(&point), radius, inclusive)
    }
}

/// The solids of the shapes of an index.
pub(crate) struct Solids<'a> {
    /// The bounding boxes by place, and the complement of the row at each.
    boxes: RoundedColumns<'a>,
    ids: &'a [u32],
    /// The shapes by row, if any is rotated or has parts.
    rotated: Option<(Set<'a>, Sources<'a>)>,
}

/// The corners of polygons, while they are in use.
pub(crate) type Corners = Vec<Vector>;

impl<'a> Solids<'a> {
    pub(crate) fn new(grid: &'a Grid, rotated: Option<Set<'a>>) -> Self {
        let rotated = rotated.map(|set| (set, Sources::of(&[set, set])));
        Self { boxes: grid.rounded(), ids: grid.sorted.ids(), rotated }
    }

    /// The shape at a place of the grid, if all shapes are axis-aligned.
    #[inline]
    pub(crate) fn aligned(&self, place: usize) -> Option<RoundedBox> {
        self.rotated.is_none().then(|| self.boxes.rounded_box(place))
    }

    /// Whether a solid that is apart from all parts of the shape at a place of the grid touches it
    /// nevertheless: see [`is_on_inner_side`].
    pub(crate) fn has_on_inner_side(&self, place: usize, solid: &Solid<'_>) -> bool {
        let set = self.rotated.as_ref().map(|(set, _)| set);
        set.is_some_and(|set| is_on_inner_side(set, !self.ids[place] as usize, solid))
    }

    /// Calls `take` with the solid of the shape at a place of the grid, or with each part of a
    /// compound and its number.
    ///
    /// `take` is a trait object, so this is compiled once and not for each query.
    pub(crate) fn each(
        &self,
        place: usize,
        corners: &mut Corners,
        take: &mut dyn FnMut(u32, &Solid<'_>),
    ) {
        let Some((set, sources)) = &self.rotated else {
            return Solid::with_box(&self.boxes.rounded_box(place), |solid| take(0, &solid));
        };
        each_part(set, !self.ids[place] as usize, sources, corners, take);
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
    if placed.class() != Class::Compound {
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
        && Outline::of(set, &set.placed[row])
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
    if placed.is(Class::HalfPlane) {
        let (normal, offset) = placed.border();
        let border = Border { normal: Vector::wide(normal), offset: f64::from(offset) };
        return take(&Solid { corners, radius: 0.0, aligned: None, border: Some(border) });
    }
    let core = Core::of(&sources.exact_of(0, placed));
    corners.extend(core.corners().map(|[x, y]| Vector::new(x, y)));
    corners.dedup();
    if corners.len() > 1 && corners.first() == corners.last() {
        corners.pop();
    }
    let radius = f64::from(placed.radius());
    take(&Solid { corners, radius, aligned: None, border: None });
}

/// The sides of a core, as start and end, without those of length 0. A segment has two, one in each
/// direction; a point has none.
#[inline]
pub(crate) fn sides(corners: &[Vector]) -> impl Iterator<Item = [Vector; 2]> {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).map(|(start, end)| [*start, *end]).filter(|[start, end]| start != end)
}
