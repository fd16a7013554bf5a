//! `GridView`: the items of a grid that a search sees.

use std::{ops::Range, slice};

use super::{
    Grid,
    candidates::CellLists,
    plan::{Bounds, Cells, Cover, OneCell},
    sort::{CircleLayout, GONE, LayoutKind, RoundedLayout, Sorted, with_layout_kind},
};
#[cfg(feature = "queries")]
use super::{box_tree::BoxTree, node_kinds::NodeKinds};
#[cfg(feature = "queries")]
use crate::filter::FilterKind;
use crate::kernel::{CircleColumns, RoundedColumns};

/// All items of a grid, level by level, or the items of one cell, which are then the only level.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GridView<'a> {
    /// The layout of the sorted columns.
    pub(crate) form: LayoutKind,
    /// The columns, which are read at the places of the items.
    pub(crate) sorted: &'a Sorted,
    grid: &'a Grid,
    cell: Option<&'a OneCell>,
}

impl Grid {
    /// All items.
    #[inline]
    pub(crate) fn view(&self) -> GridView<'_> {
        GridView { form: self.form, sorted: &self.sorted, grid: self, cell: None }
    }

    /// The items of a cell of this grid.
    #[inline]
    pub(crate) fn cell<'a>(&'a self, cell: &'a OneCell) -> GridView<'a> {
        GridView { cell: Some(cell), ..self.view() }
    }
}

impl<'a> GridView<'a> {
    /// The levels, finest first.
    #[inline(always)]
    pub(crate) fn levels(&self) -> &'a [Cells] {
        match self.cell {
            None => self.grid.plan.levels(),
            Some(cell) => slice::from_ref(cell.cells()),
        }
    }

    /// The places of the items of `level`.
    #[inline(always)]
    pub(crate) fn items(&self, level: usize) -> Range<usize> {
        match self.cell {
            None => self.sorted.items(level),
            Some(cell) => cell.items(),
        }
    }

    /// The box around the items of `level`, if the grid was built to be searched.
    #[inline(always)]
    pub(crate) fn bounds(&self, level: usize) -> Bounds {
        match self.cell {
            None => self.sorted.bounds(level),
            Some(cell) => cell.bounds(),
        }
    }

    /// The lower left and the upper right corner of the box around all items; infinite, the other
    /// way round, without items.
    #[cfg(feature = "queries")]
    pub(in crate::grid) fn corners(&self) -> [[f64; 2]; 2] {
        let [mut min, mut max] = [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]];
        for level in (0..self.levels().len()).filter(|level| !self.items(*level).is_empty()) {
            let [low, high] = self.bounds(level).corners();
            for axis in [0, 1] {
                min[axis] = min[axis].min(low[axis]);
                max[axis] = max[axis].max(high[axis]);
            }
        }
        [min, max]
    }

    /// The largest size of an item of `level`.
    pub(crate) fn size(&self, level: usize) -> f32 {
        match self.cell {
            None => self.grid.plan.size(level),
            Some(cell) => cell.size(),
        }
    }

    /// The places of all items, level by level.
    pub(crate) fn places(self) -> impl Iterator<Item = usize> + use<'a> {
        (0..self.levels().len()).flat_map(move |level| self.items(level))
    }

    /// The places of all items that were not removed, level by level.
    pub(crate) fn live_places(self) -> impl Iterator<Item = usize> + use<'a> {
        self.places().filter(move |place| self.is_live(*place))
    }

    /// The same among some places.
    pub(crate) fn live_places_of(
        self,
        some: Range<usize>,
    ) -> impl Iterator<Item = usize> + use<'a> {
        let of_level = move |level: usize| {
            let items = self.items(level);
            items.start.max(some.start)..items.end.min(some.end)
        };
        let places = (0..self.levels().len()).flat_map(of_level);
        places.filter(move |place| self.is_live(*place))
    }

    /// Whether the item at a place was not removed.
    #[inline]
    pub(crate) fn is_live(&self, place: usize) -> bool {
        self.sorted.removed().is_none_or(|x| x[place] != GONE)
    }

    /// The places of all items, if they are in one cell.
    pub(crate) fn one_cell(&self) -> Option<Range<usize>> {
        self.cell.map(|_| self.items(0))
    }

    /// The approximate width and height of the items of `level`, in units of length: see
    /// [`Sorted::typical_size`].
    pub(crate) fn typical_size(&self, level: usize) -> [f64; 2] {
        with_layout_kind!(self.form, I => self.sorted.typical_size::<I>(self.items(level)))
    }

    /// The candidate lists of `level`, which are empty where they do not pay off; `None` if no
    /// lists have been made.
    pub(crate) fn lists(&self, level: usize) -> Option<&'a CellLists> {
        self.cell.is_none().then(|| self.grid.lists(level))?
    }

    /// How many items of `other` are small enough that candidate lists of this grid, of which none
    /// need to be made, could serve them.
    pub(crate) fn could_serve(&self, other: &GridView<'_>) -> usize {
        let listed =
            |level: &usize| CellLists::may_list(&self.levels()[*level], self.items(*level).len());
        let sizes = (0..self.levels().len()).filter(listed).map(|level| self.size(level));
        let largest = sizes.map(CellLists::largest_served).fold(0.0, f32::max);
        let levels = 0..other.levels().len();
        let served = levels.filter(|level| other.size(*level) <= largest);
        served.map(|level| other.items(level).len()).sum()
    }

    /// The grid, if the view has all its items.
    #[cfg(feature = "queries")]
    pub(crate) fn whole(&self) -> Option<&'a Grid> {
        self.cell.is_none().then_some(self.grid)
    }

    /// The boxes around runs of the items: see [`Grid::tree`]. For one cell, an empty tree, because
    /// the grid has no levels.
    #[cfg(feature = "queries")]
    pub(in crate::grid) fn tree(&self) -> &'a BoxTree {
        self.grid.tree()
    }

    /// The kinds of the items below each node of the tree: see [`Grid::node_kinds`]. `None` of one
    /// cell, which has no tree.
    #[cfg(feature = "queries")]
    pub(crate) fn node_kinds(&self, kind_of: impl Fn(u32) -> FilterKind) -> Option<&'a NodeKinds> {
        self.cell.is_none().then(|| self.grid.node_kinds(kind_of))
    }

    /// The columns as rounded boxes, by place.
    #[inline]
    pub(crate) fn rounded(&self) -> RoundedColumns<'a> {
        self.sorted.read_as::<RoundedLayout>(self.form)
    }

    /// The columns as circles, by place, if all items are circles whose radius is above 0.
    #[cfg(feature = "queries")]
    pub(crate) fn circles(&self) -> Option<CircleColumns<'a>> {
        (self.form == LayoutKind::Circle).then(|| self.sorted.padded::<CircleLayout>())
    }

    /// For each level that is not beside a box, the cells that may hold an item that touches it.
    #[inline(always)]
    pub(super) fn covers(&self, min: [f64; 2], max: [f64; 2]) -> impl Iterator<Item = Cover> {
        self.levels().iter().enumerate().filter_map(
            #[inline(always)]
            move |(level, cells)| {
                let bounds = self.bounds(level);
                let beside = bounds.beside(0, min[0], max[0]) || bounds.beside(1, min[1], max[1]);
                (!beside).then(|| cells.covering(min, max, self.items(level).len()))
            },
        )
    }

    /// A radius within which about `k` items are expected around an item; infinity in one cell. At
    /// least one item must be in the grid.
    #[cfg(feature = "queries")]
    #[inline(always)]
    pub(crate) fn reach_of(&self, k: usize) -> f64 {
        let reach = if self.cell.is_some() { f64::INFINITY } else { self.grid.density.unit };
        ((k + 1) as f64).sqrt() * reach
    }

    /// The width and height of the largest item together, which are at least its diameter.
    #[cfg(feature = "queries")]
    pub(crate) fn largest(&self) -> f64 {
        self.levels().iter().map(|cells| cells.around([0.0; 2])).fold(0.0, f64::max)
    }
}
