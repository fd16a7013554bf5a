//! `Solids`: the shapes of an index, by places of its grid, as convex shapes in `f64`.

use crate::{
    base::UNDERFLOW,
    geometry::{Corners, Solid, Vector},
    grid::GridView,
    kernel::{CircleColumns, RoundedColumns},
    narrowphase::{
        NearBox, PartBounds, PartWorkspace, Set, Sources, each_part, each_part_first,
        is_on_inner_side,
    },
    posed::ShapeClass,
    shape::RoundedBox,
};

/// The solids of the shapes of an index.
pub(crate) struct Solids<'a> {
    /// The bounding boxes by place, and the complement of the row at each place.
    boxes: RoundedColumns<'a>,
    circles: Option<CircleColumns<'a>>,
    ids: &'a [u32],
    /// The shapes by row, if any is rotated or has parts.
    rotated: Option<(Set<'a>, Sources<'a>)>,
}

impl<'a> Solids<'a> {
    pub(crate) fn new(grid: GridView<'a>, rotated: Option<Set<'a>>) -> Self {
        let rotated = rotated.map(|set| (set, Sources::of(&[set, set])));
        Self { boxes: grid.rounded(), circles: grid.circles(), ids: grid.sorted.ids(), rotated }
    }

    /// The shape at a place of the grid, if all shapes are axis-aligned.
    #[inline]
    pub(crate) fn aligned(&self, place: usize) -> Option<RoundedBox> {
        self.rotated.is_none().then(|| self.boxes.rounded_box(place))
    }

    /// The circles by place, if all shapes are circles with a radius.
    #[inline]
    pub(crate) fn circles(&self) -> Option<CircleColumns<'a>> {
        self.circles.filter(|_| self.rotated.is_none())
    }

    /// The shapes by place, if all shapes are axis-aligned.
    pub(super) fn boxes(&self) -> Option<RoundedColumns<'a>> {
        self.rotated.is_none().then_some(self.boxes)
    }

    /// The centre and the radius of the shape at a place, if it is a circle that is not tiny.
    #[inline]
    pub(super) fn circle(&self, place: usize) -> Option<(Vector, f64)> {
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = self.aligned(place)?;
        let round = min_x == max_x && min_y == max_y && radius >= UNDERFLOW;
        round.then(|| (Vector::wide([min_x, min_y]), f64::from(radius)))
    }

    /// The lower left and the upper right corner of the shape at a place, if it is a box with a
    /// width and a height, and without a radius.
    #[inline]
    pub(super) fn sharp_box(&self, place: usize) -> Option<[Vector; 2]> {
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = self.aligned(place)?;
        let sharp = min_x < max_x && min_y < max_y && radius == 0.0;
        sharp.then(|| [Vector::wide([min_x, min_y]), Vector::wide([max_x, max_y])])
    }

    /// Whether a solid that is apart from all parts of the shape of a row touches it nevertheless:
    /// see [`is_on_inner_side`].
    pub(crate) fn has_on_inner_side(&self, row: usize, solid: &Solid<'_>) -> bool {
        let set = self.rotated.as_ref().map(|(set, _)| set);
        set.is_some_and(|set| is_on_inner_side(set, row, solid))
    }

    /// The row of the shape at a place of the grid.
    pub(crate) fn row(&self, place: usize) -> usize {
        !self.ids[place] as usize
    }

    /// The box around the shape at a place of the grid, from which parts of other shapes are
    /// measured.
    pub(super) fn near_box(&self, place: usize) -> NearBox {
        match self.aligned(place) {
            Some(sides) => NearBox::of_box(sides),
            None => self.near_box_of_row(self.row(place)),
        }
    }

    /// The box around the shape of a row, if any shape is rotated or has parts.
    pub(super) fn near_box_of_row(&self, row: usize) -> NearBox {
        let set = self.rotated.as_ref().map(|(set, _)| set);
        set.map_or(NearBox::EVERYWHERE, |set| set.near_box(row))
    }

    /// Calls `take` with the solid of the shape at a place of the grid, or with each part of a
    /// compound within bounds and its number: see [`each_part`].
    ///
    /// `take` is a trait object, so this is compiled once and not for each query.
    pub(crate) fn each(
        &self,
        place: usize,
        bounds: impl FnOnce() -> PartBounds,
        workspace: &mut PartWorkspace,
        take: &mut dyn FnMut(u32, &Solid<'_>),
    ) {
        match &self.rotated {
            None => Solid::with_box(&self.boxes.rounded_box(place), |solid| take(0, &solid)),
            Some((set, sources)) => {
                each_part(set, self.row(place), sources, bounds, f32::MAX, workspace, take);
            }
        }
    }

    /// Whether the parts of the shape at a place of the grid have a tree.
    pub(super) fn has_tree(&self, place: usize) -> bool {
        let placed = self.rotated.as_ref().map(|(set, _)| (set, &set.placed[self.row(place)]));
        placed.is_some_and(|(set, placed)| set.view.tree(placed).is_some())
    }

    /// Whether any shape is rotated or has parts.
    pub(super) fn rotates(&self) -> bool {
        self.rotated.is_some()
    }

    /// Calls `take` with the solid of the shape at a place of the grid, if it is a convex shape
    /// that is rotated, or a segment.
    pub(super) fn convex(
        &self,
        place: usize,
        corners: &mut Corners,
        take: &mut dyn FnMut(&Solid<'_>),
    ) {
        let Some((set, sources)) = &self.rotated else { return };
        let row = self.row(place);
        let class = set.placed[row].class();
        if class.is_axis_aligned() || class == ShapeClass::Compound {
            return;
        }
        let bounds = || PartBounds::Distance(NearBox::EVERYWHERE);
        each_part_first(set, row, sources, &bounds, f64::INFINITY, corners, &mut |_, solid| {
            take(solid);
            f64::INFINITY
        });
    }

    /// Calls `take` with the solid of the shape at a place of the grid, or with parts of a compound
    /// and their numbers: see [`each_part_first`].
    pub(super) fn each_first(
        &self,
        place: usize,
        bounds: &dyn Fn() -> PartBounds,
        corners: &mut Corners,
        take: &mut dyn FnMut(u32, &Solid<'_>) -> f64,
    ) {
        if self.rotated.is_none() {
            return Solid::with_box(&self.boxes.rounded_box(place), |solid| {
                take(0, &solid);
            });
        }
        self.each_of_row(self.row(place), bounds, f64::INFINITY, corners, take);
    }

    /// Does the same with the shape of a row, up to a limit, if any shape is rotated or has parts.
    pub(crate) fn each_of_row(
        &self,
        row: usize,
        bounds: &dyn Fn() -> PartBounds,
        limit: f64,
        corners: &mut Corners,
        take: &mut dyn FnMut(u32, &Solid<'_>) -> f64,
    ) {
        if let Some((set, sources)) = &self.rotated {
            each_part_first(set, row, sources, bounds, limit, corners, take);
        }
    }
}
