//! `Probe`: the shape of a query, against the rows of a set.

use super::{
    Contact, Set, Sources, View, outline::meet_on_inner_side, pair_query::PairQuery,
    small_batch::SmallBatch,
};
use crate::{
    base::Pair,
    error::Error,
    kernel::{BoxColumns, RoundedColumns},
    posed::{Link, Placed, ShapeClass},
    shape::{AnyShape, AxisAligned, Kind, RoundedBox, check::check_one},
    simd::{Isa, map_each},
    store::Layout,
};

/// One shape, as a set of one row.
#[derive(Clone, Copy)]
pub(crate) struct Probe<'a> {
    /// The view of the set that the shape comes from: its vertices and parts.
    view: View<'a>,
    /// The bounding box, as columns of one row.
    columns: [[f32; 1]; 5],
    placed: [Placed; 1],
    /// The row of the shape in the view.
    row: usize,
    /// The link of a segment of a chain.
    links: &'a [Link],
}

impl<'a> Probe<'a> {
    /// A row of a view.
    pub(crate) fn of(view: View<'a>, row: usize) -> Self {
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = view.bounds(row);
        let mut placed = [Placed::NONE];
        view.place(std::iter::once(row as u32), &mut placed);
        Self {
            view,
            columns: map_each([min_x, min_y, max_x, max_y, radius], |side| [side]),
            placed,
            row,
            links: view.links().get(row..row + 1).unwrap_or_default(),
        }
    }

    /// A row of a set that has placed shapes.
    pub(crate) fn of_set(set: &Set<'a>, row: usize) -> Self {
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = set.box_of(row);
        let columns = map_each([min_x, min_y, max_x, max_y, radius], |side| [side]);
        let links = set.links.get(row..row + 1).unwrap_or_default();
        Self { view: set.view, columns, placed: [set.placed[row]], row: set.first + row, links }
    }

    /// An axis-aligned shape of this class.
    pub(crate) fn aligned(sides: RoundedBox, class: ShapeClass) -> Self {
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = sides;
        let columns = map_each([min_x, min_y, max_x, max_y, radius], |side| [side]);
        let placed = [Placed::aligned(class, sides)];
        Self { view: View::EMPTY, columns, placed, row: 0, links: &[] }
    }

    /// An axis-aligned shape, if it is one and its values are valid; `index` is for the error.
    pub(crate) fn of_aligned(index: usize, shape: AnyShape<'_>) -> Result<Option<Self>, Error> {
        let class = match shape.kind() {
            Kind::Aabb | Kind::RoundedBox => ShapeClass::AlignedBox,
            _ => ShapeClass::Round,
        };
        Ok(aligned_sides(index, shape)?.map(|sides| Self::aligned(sides, class)))
    }

    /// Whether the shape is rotated or has parts.
    pub(crate) fn rotates(&self) -> bool {
        !self.placed[0].class().is_axis_aligned()
    }

    /// The bounding box: the shape itself if it is axis-aligned.
    pub(crate) fn bounds(&self) -> RoundedBox {
        let [min_x, min_y, max_x, max_y, radius] = map_each(self.columns, |[side]| side);
        RoundedBox { min_x, min_y, max_x, max_y, radius }
    }

    /// The shape as a set of one row.
    #[inline]
    pub(crate) fn set(&self) -> Set<'_> {
        let [min_x, min_y, max_x, max_y, radius] = &self.columns;
        let core = BoxColumns { min_x, min_y, max_x, max_y };
        let layout = Layout::Rounded(RoundedColumns { core, radius });
        let (links, first) = (self.links, self.row);
        Set { links, first, ..Set::placed(self.view.with_layout(layout), &self.placed, None) }
    }

    /// The data of the shape, for [`Solid`](crate::query)s.
    #[inline]
    pub(crate) fn sources(&self) -> Sources<'_> {
        Sources::of(&[self.set(), self.set()])
    }

    /// The query of the shape and a set.
    #[inline]
    pub(crate) fn query<'b>(&'b self, isa: Isa, set: Set<'b>, inclusive: bool) -> PairQuery<'b> {
        PairQuery::new(isa, [self.set(), set], true, inclusive, 0.0)
    }
}

/// The bounding box of an axis-aligned shape, if it is one and its values are valid; `index` is for
/// the error.
pub(crate) fn aligned_sides(
    index: usize,
    shape: AnyShape<'_>,
) -> Result<Option<RoundedBox>, Error> {
    fn checked<T: AxisAligned>(index: usize, shape: T) -> Result<Option<RoundedBox>, Error> {
        check_one(index, shape).map(Some)
    }
    match shape {
        AnyShape::Point(point) => checked(index, point),
        AnyShape::Circle(circle) => checked(index, circle),
        AnyShape::Aabb(aabb) => checked(index, aabb),
        AnyShape::RoundedBox(rounded) => checked(index, rounded),
        _ => Ok(None),
    }
}

impl PairQuery<'_> {
    /// Whether the shape of a probe and a row are both segments of chains.
    pub(crate) fn never_touch(&self, row: u32) -> bool {
        let [probe, other] = &self.sets;
        probe.placed[0].is(ShapeClass::ChainSegment)
            && other
                .placed
                .get(row as usize)
                .is_some_and(|other| other.is(ShapeClass::ChainSegment))
    }

    /// Whether the shape of a probe and a row touch. Their boxes must touch.
    pub(crate) fn touches(&self, row: u32) -> bool {
        let (mut touching, pair) = (false, Pair { a: 0, b: !row });
        SmallBatch::each(self, pair, |pairs| {
            touching = pairs.touch();
            touching
        });
        touching
            || self.has_outlines()
                && meet_on_inner_side(self, &Sources::of(&self.sets), self.members(pair))
    }

    /// The deepest contact, of the shape of a probe and a row, that `accept` accepts. The boxes of
    /// the shapes must be at most the margin apart.
    pub(crate) fn deepest(&self, row: u32, accept: &dyn Fn(&Contact) -> bool) -> Option<Contact> {
        SmallBatch::deepest(self, Pair { a: 0, b: !row }, accept)
    }
}
